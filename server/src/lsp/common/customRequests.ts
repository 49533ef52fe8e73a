/**
 * Requests and notifications beyond LSP, shared with the client (style A8). They are optional: an editor that does not know
 * them loses the status display, nothing else.
 */

/** `amdgpuMir/document`, server to client: what the server knows of an open document. Sent when it changes, to clients with the experimental capability `amdgpuMirStatus`. */
export interface DocumentStatus {
  readonly uri: string;
  readonly version: number;
  /** e.g. `gfx90a wave64`; `generic` when no CPU is named */
  readonly target: string;
  readonly triple: string;
  readonly cpu: string;
  readonly features: string;
  /** where the target comes from; `function`: attributes of the functions, which go before everything but a choice */
  readonly origin: 'override' | 'run' | 'module' | 'setting' | 'function';
  /** index of the active entry in `targets`, -1 if it is none of them */
  readonly active: number;
  /** the llc commands of the file's RUN lines */
  readonly targets: readonly { readonly label: string; readonly line: number }[];
  /** why the file has no numbers: `not an AMDGPU file (x86_64-linux)`; empty for files of ours */
  readonly foreign: string;
  /** what LLVM says of the target, e.g. an unknown processor */
  readonly problems: readonly string[];
  readonly functions: number;
  /** functions whose attributes ask for another target than the one of the file; lines 0-based, the last one included */
  readonly own: readonly { readonly firstLine: number; readonly lastLine: number; readonly target: string }[];
  /** `file says gfx942` where another processor was chosen; else empty */
  readonly fileSays: string;
  /** the version of the LLVM whose answers the document gets, and what decided that */
  readonly llvm: string;
  readonly llvmReason: string;
  /** of a model that is no release its name, e.g. `llvm-main-2026-01`; else empty */
  readonly model: string;
  /** how far llc has come with its first function, e.g. `before scheduling (guess)`, and what says so; empty where nothing is known */
  readonly stage: string;
  readonly stageBy: string;
}

/** `amdgpuMir/selectTarget`, client to server: which target a document uses; `index` into `targets`, null = the file's own. */
export interface SelectTargetParams {
  readonly uri: string;
  readonly index?: number;
  readonly target?: { readonly triple: string; readonly cpu: string; readonly features: string };
}

/** `amdgpuMir/status`, client to server: what a bug report wants to know. */
export interface ServerStatus {
  /** the project's version */
  readonly version: string;
  /** those whose answers the server gives: `22.1.8, 23.0.0git and 24.0.0git` */
  readonly modelledLLVM: string;
  readonly documents: readonly { readonly uri: string; readonly version: number; readonly functions: number }[];
  /** how often a function was computed since the start; an edit in one of many functions adds one */
  readonly computedFunctions: number;
  readonly queue: number;
  readonly restarts: number;
  readonly lastError: string | null;
}

/**
 * `amdgpuMir/scheduledText`, client to server: the document with the function at `position` in the machine scheduler's order
 * (params and result: features/schedule/schedule.ts, ScheduleParams and ScheduledText). `amdgpuMir/explainSchedule`, same params: how
 * the scheduler came to it, as plain text.
 */
export type { ScheduledText } from '../../features/schedule/schedule.js';
export const SCHEDULED_TEXT_REQUEST = 'amdgpuMir/scheduledText';
export const EXPLAIN_SCHEDULE_REQUEST = 'amdgpuMir/explainSchedule';

/**
 * `amdgpuMir/allocatedText`, client to server: the document with the registers of the function at `position` allocated
 * (features/allocation/allocation.ts, AllocationParams and AllocatedText).
 */
export type { AllocatedText } from '../../features/allocation/allocation.js';
export const ALLOCATED_TEXT_REQUEST = 'amdgpuMir/allocatedText';

/** `amdgpuMir/explainAllocation`, same params: each decision of the allocator, as plain text (features/allocation/explainAllocation.ts). */
export const EXPLAIN_ALLOCATION_REQUEST = 'amdgpuMir/explainAllocation';

/** `amdgpuMir/compareCosts`, same params and `costs`: the registers used with other costs of registers, as plain text (features/allocation/compareCosts.ts). */
export const COMPARE_COSTS_REQUEST = 'amdgpuMir/compareCosts';

/** `amdgpuMir/passList`, same params: the passes that the function goes through, and which change it (features/passes/afterPass.ts, PassList). */
export type { PassList } from '../../features/passes/afterPass.js';
export const PASS_LIST_REQUEST = 'amdgpuMir/passList';

/** `amdgpuMir/afterPass`, same params and `pass`, a name of that list: the function before and after it, with the reasons by line (AfterPass). */
export type { AfterPass } from '../../features/passes/afterPass.js';
export const AFTER_PASS_REQUEST = 'amdgpuMir/afterPass';

/** `amdgpuMir/explainPass`, same params: what the pass did to each instruction, and why, as plain text. */
export const EXPLAIN_PASS_REQUEST = 'amdgpuMir/explainPass';

/**
 * `amdgpuMir/compareVersions`, client to server: what llc ends with of the document and of another text, or of the document under other settings, as plain text
 * (features/allocation/compareVersions.ts, CompareVersionsParams).
 */
export const COMPARE_VERSIONS_REQUEST = 'amdgpuMir/compareVersions';

/** `amdgpuMir/execLines`, client to server: lines of `range` that run with fewer lanes, or with the whole wave (features/uniformity/execLines.ts). */
export type { ExecLines } from '../../features/uniformity/execLines.js';
export const EXEC_LINES_REQUEST = 'amdgpuMir/execLines';

/** `amdgpuMir/whyDivergent`, same params: why a register or a branch differs between lanes, as plain text (features/uniformity/whyDivergent.ts). */
export const WHY_DIVERGENT_REQUEST = 'amdgpuMir/whyDivergent';

/**
 * `amdgpuMir/dependences`, client to server: what the instruction at `position` waits for and what waits for it, from the graph that
 * the scheduler starts from (features/schedule/dependences.ts, DependencesParams and DependencesResult).
 */
export type { DependencesResult, DependenceInfo } from '../../features/schedule/dependences.js';
export const DEPENDENCES_REQUEST = 'amdgpuMir/dependences';

/**
 * `amdgpuMir/why`, client to server: the registers that make up the pressure of the instruction at `position` (features/pressure/why.ts, WhyParams
 * and WhyResult).
 */
export const WHY_REQUEST = 'amdgpuMir/why';

/**
 * `amdgpuMir/schedulePick`, client to server: why the instruction at `position`, of the source or of the scheduled text, was picked where it stands, and
 * what pins change (features/schedule/schedulePick.ts, PickParams and SchedulePick).
 */
export type { LinePin } from '../../features/schedule/pins.js';
export type { SchedulePick } from '../../features/schedule/schedulePick.js';
export const SCHEDULE_PICK_REQUEST = 'amdgpuMir/schedulePick';

/** `amdgpuMir/details`, client to server: all that is known of the instruction at `position`, as plain text (features/hover/details.ts). */
export const DETAILS_REQUEST = 'amdgpuMir/details';

/** `amdgpuMir/peaks`, client to server: where each bank's pressure is at a peak (features/pressure/peaks.ts). */
export type { FunctionPeaks, PeakInfo } from '../../features/pressure/peaks.js';
export const PEAKS_REQUEST = 'amdgpuMir/peaks';

/** `amdgpuMir/pressureLines`, client to server: the numbers of `range`'s lines (features/pressure/pressureLines.ts). */
export type { PressureLines } from '../../features/pressure/pressureLines.js';
export const PRESSURE_LINES_REQUEST = 'amdgpuMir/pressureLines';

/**
 * `amdgpuMir/compareTargets`, client to server: occupancy and peaks of a function, or of all, on every target of the file and on
 * others (params besides `textDocument`, and result: features/pressure/compareTargets.ts).
 */
export type { TargetComparison } from '../../features/pressure/compareTargets.js';
export const COMPARE_TARGETS_REQUEST = 'amdgpuMir/compareTargets';

/**
 * `amdgpuMir/pressureProfile`, client to server (`{ textDocument, position }`): the pressure along the function at the position, as numbers
 * for a chart and as a table of text (features/pressure/pressureProfile.ts).
 */
export type { PressureProfile } from '../../features/pressure/profileData.js';
export const PRESSURE_PROFILE_REQUEST = 'amdgpuMir/pressureProfile';

/**
 * `amdgpuMir/controlFlow`, client to server (`{ textDocument, position }`): blocks and edges of the function at the position with frequency, loops,
 * pressure and divergence (features/controlFlow/controlFlow.ts).
 */
export type { ControlFlow } from '../../features/controlFlow/controlFlowData.js';
export const CONTROL_FLOW_REQUEST = 'amdgpuMir/controlFlow';

/**
 * `amdgpuMir/listFiles` and `amdgpuMir/readFile`, server to client, for clients with the experimental capability `amdgpuMirFiles`: the
 * addresses of all MIR files of the workspace, and the text of one (`{ uri }`; null when it cannot be read). Without it the server
 * reads the folders of the workspace from the disk.
 */
export const LIST_FILES_REQUEST = 'amdgpuMir/listFiles';
export const READ_FILE_REQUEST = 'amdgpuMir/readFile';

/**
 * `amdgpuMir/rematReport`, client to server: what rematerialization did and could do to the function at `position`, as plain text
 * (features/remat/rematReport.ts). `amdgpuMir/rematWhatIf`: what a set of its registers would do, and the edit
 * (features/remat/whatIf.ts, WhatIfParams and WhatIf).
 */
export type { WhatIf, WhatIfRegister } from '../../features/remat/whatIf.js';
export const REMAT_REPORT_REQUEST = 'amdgpuMir/rematReport';
export const REMAT_WHAT_IF_REQUEST = 'amdgpuMir/rematWhatIf';

/**
 * `amdgpuMir/whyOccupancy`, client to server: why llc ends with so few waves and what would help, of the function at `position` (WhyOccupancy).
 * `amdgpuMir/applyLever`, with the `change` of one of its links: the edit (AppliedLever). `amdgpuMir/sweepSettings`: the settings of a sweep,
 * `amdgpuMir/sweepRow`: what llc ends with under one of them. `amdgpuMir/endedText`: the function as it ends, with a `change` or without (EndedText).
 */
export type { EndedText } from '../../features/levers/sweepRows.js';
export type { LeverChange } from '../../program/why.js';
export const WHY_OCCUPANCY_REQUEST = 'amdgpuMir/whyOccupancy';
export const APPLY_LEVER_REQUEST = 'amdgpuMir/applyLever';
export const SWEEP_SETTINGS_REQUEST = 'amdgpuMir/sweepSettings';
export const SWEEP_ROW_REQUEST = 'amdgpuMir/sweepRow';
export const ENDED_TEXT_REQUEST = 'amdgpuMir/endedText';

/**
 * `amdgpuMir/logDump`, client to server: the machine dump of a log at a line, as MIR. `amdgpuMir/logPair`, same params: with the one of its function before it
 * (features/machineLog/logFeatures.ts, DumpText and DumpPair).
 */
export const LOG_DUMP_REQUEST = 'amdgpuMir/logDump';
export const LOG_PAIR_REQUEST = 'amdgpuMir/logPair';

/** `amdgpuMir/swapText`, client to server: the document as TRITON_SWAP_MIR takes it (features/fixes/swapText.ts). */
export const SWAP_TEXT_REQUEST = 'amdgpuMir/swapText';
/** `amdgpuMir/dumpGraph`, client to server: the graph in a dump of Triton and that of the model (features/schedule/dumpGraph.ts). */
export const DUMP_GRAPH_REQUEST = 'amdgpuMir/dumpGraph';
/** `amdgpuMir/pressureReport`, client to server: the pressure of the function at `position` as llc prints it (features/pressure/pressureReport.ts). */
export type { PressureReportParams } from '../../features/pressure/pressureReport.js';
export const PRESSURE_REPORT_REQUEST = 'amdgpuMir/pressureReport';

/** `amdgpuMir/runLines`, client to server (`{ textDocument }`): what the RUN lines of a test come to (features/checks/runLines.ts). */
export const RUN_LINES_REQUEST = 'amdgpuMir/runLines';
/** `amdgpuMir/runOutput`, client to server: what FileCheck reads of the RUN line at `position`, as the last run had it. */
export const RUN_OUTPUT_REQUEST = 'amdgpuMir/runOutput';
/** `amdgpuMir/runTest`, client to server (RunTestParams of requests.ts): the same of a file that need not be open; RunLinesResult or null. */
export const RUN_TEST_REQUEST = 'amdgpuMir/runTest';
export type { RunLinesResult } from '../../features/checks/runLines.js';

/**
 * `amdgpuMir/updateChecks`, client to server (`{ uri, text }`): the CHECK lines of an autogenerated test, which need not be open, made anew (UpdatedChecks), by
 * the user's llc where there is one.
 */
export const UPDATE_CHECKS_REQUEST = 'amdgpuMir/updateChecks';
export type { UpdatedChecks } from '../../features/checks/updateActions.js';

/**
 * `amdgpuMir/compareRun`, client to server: what the RUN line at `position` gives here, and with the user's own llc; with `schedules` what the machine
 * scheduler makes of the document for the target of its first RUN line.
 */
export const COMPARE_RUN_REQUEST = 'amdgpuMir/compareRun';
export interface RunComparison {
  /** what FileCheck reads, or the last command writes; null when there is none, or it is too long */
  readonly ours: string | null;
  readonly theirs: string | null;
  /** why one of them is not there; empty when both are */
  readonly why: string;
}

/** `amdgpuMir/verdict`, server to client: what the RUN lines of a version of an open document came to. Sent to clients with `amdgpuMirStatus`. */
export interface VerdictStatus {
  readonly uri: string;
  readonly version: number;
  readonly runs: readonly {
    readonly line: number;
    readonly verdict: 'passed' | 'failed' | 'unsupported';
    readonly title: string;
  }[];
  /** lines with directives, ascending, each once; 0-based */
  readonly checks: readonly { readonly line: number; readonly state: 'matched' | 'failed' | 'not reached' }[];
}
export const VERDICT_NOTIFICATION = 'amdgpuMir/verdict';

export const DOCUMENT_NOTIFICATION = 'amdgpuMir/document';
export const SELECT_TARGET_NOTIFICATION = 'amdgpuMir/selectTarget';
export const STATUS_REQUEST = 'amdgpuMir/status';
export { MODELLED_LLVM } from '../../target/releases.js';

/**
 * `amdgpuMir/mirOfSource`, client to server (`{ uri, cpu?, stopBefore? }`): MIR of a source on the disk (.ll, .bc, .cl, .hip, .cu), by the user's clang or
 * llc up to a pass, the machine scheduler where none is named. The document need not be open.
 */
export interface MirOfSource {
  /** null: there is none, `problem` says why */
  readonly text: string | null;
  readonly problem: string;
  /** which tool made it, with its version, up to which pass */
  readonly told: string;
  /** there is none for want of a processor to compile for */
  readonly needsProcessor: boolean;
}
export const MIR_OF_SOURCE_REQUEST = 'amdgpuMir/mirOfSource';

/** `amdgpuMir/sourceLines`, client to server (`{ textDocument }`): pressure, instructions and spills by lines of the source (features/pressure/linesOfSource.ts). */
export type { LineOfSource, LinesOfSource } from '../../features/pressure/linesOfSource.js';
export const SOURCE_LINES_REQUEST = 'amdgpuMir/sourceLines';

/** `amdgpuMir/logGraph`, client to server: registers and instructions over the passes of a log, for the function at `position` (features/machineLog/logFeatures.ts). */
export type { LogGraph } from '../../features/machineLog/logGraphData.js';
export const LOG_GRAPH_REQUEST = 'amdgpuMir/logGraph';
