/** What `amdgpu-mir check` finds out about a file: plain data, sent between threads and printed by --json as it is. */
import type { CommandTools } from './sourceFiles.js';
import type { ModelChoice, SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import type { RematSuggestions } from '../features/remat/suggestions.js';
import type { FinalCode } from '../program/finalCode.js';
import type { Outcome, OutcomeBounds } from '../program/outcome.js';
import type { SourceLine } from '../program/sourceLines.js';
import type { Stage } from '../program/stageNames.js';
import type { TargetOptions } from '../program/targetOfFile.js';

export interface CheckDiagnostic {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** stable identifier */
  readonly code: string;
  readonly message: string;
  /** 1-based; columns in UTF-16 units. 0 when the finding has no place */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** What the editor finds, with the lines that belong to it and the titles of its fixes. */
export interface CheckFinding extends CheckDiagnostic {
  readonly related: readonly { readonly line: number; readonly message: string }[];
  readonly fixes: readonly string[];
}

export interface CheckPeak {
  /** 32-bit registers */
  readonly value: number;
  /** 1-based line of the instruction with the peak, 0 if there is none */
  readonly line: number;
  /** block number in layout order and instruction within it, -1 if there is none */
  readonly block: number;
  readonly instr: number;
}

/** Distance to the next higher occupancy in one bank; null when the bank does not limit it. */
export interface CheckNextWave {
  readonly bank: 'SGPR' | 'VGPR';
  /** registers that are too many */
  readonly excess: number;
  /** waves per EU that would be reached */
  readonly waves: number;
  /** largest number of registers for that many waves */
  readonly limit: number;
}

export interface CheckFunction {
  readonly name: string;
  /** 1-based line of the function's document */
  readonly line: number;
  readonly cpu: string;
  readonly wavefrontSize: number;
  /** `file says gfx942` where the file or the function names another processor than the one asked for; else empty */
  readonly fileSays: string;
  readonly instructions: number;
  readonly blocks: number;
  /** null when the function has errors, or no pressure that means anything: `registers` tells */
  readonly pressure: CheckPressure | null;
  /** why there is no pressure in a function without errors, e.g. `allocated: VGPR 52, SGPR 30`; else empty */
  readonly registers: string;
  /** null unless asked for, and when the function has errors */
  readonly schedule: CheckSchedule | null;
  /** null unless asked for, and when the function has errors */
  readonly rematerialization: RematSuggestions | null;
  /** null unless asked for, and when the function has errors */
  readonly scalarization: CheckScalarization | null;
  /** null unless asked for, and when the function is not one that llc would allocate */
  readonly allocation: CheckAllocation | null;
  /** null where only what is written was asked for, and when the function has errors */
  readonly stage: CheckStage | null;
  /** what llc ends with; null where only what is written was asked for, and where it is not known, which `noOutcome` explains */
  readonly outcome: Outcome | null;
  /** what its waves are bound by; null without waves */
  readonly bounds: OutcomeBounds | null;
  /** why there is no outcome of a function without errors; else empty */
  readonly noOutcome: string;
  /** the code at the end of llc's pipeline; null unless asked for, and where it is not known, which `noFinal` explains */
  readonly final: FinalCode | null;
  /** why that is not known, where it was asked for; else empty */
  readonly noFinal: string;
  /** null unless asked for, and when the function has errors or no pressure */
  readonly sourceLines: readonly SourceLine[] | null;
}

/** How far llc has come with a function, and what the scheduler makes of it. */
export interface CheckStage {
  readonly name: Stage;
  /** what of the file says so, e.g. `-start-before=greedy`; empty: it is a guess */
  readonly by: string;
  /** waves per EU in the scheduler's order; null: no scheduler runs from this stage on, or what it does is not known */
  readonly scheduledOccupancy: number | null;
}

/** Values in vector registers that are the same in all lanes and that the SALU of the processor could compute. */
export interface CheckScalarization {
  /** registers that could move, with the line of their definition and those that move along */
  readonly candidates: readonly {
    readonly register: string;
    readonly line: number;
    readonly with: readonly string[];
  }[];
  /** the smallest set that gains a wave or lowers the peak, and what it does; null without one */
  readonly best: { readonly registers: readonly string[]; readonly effect: string; readonly occupancy: number } | null;
}

/** What llc's register allocator makes of the function as it stands: 32-bit registers, instructions, bytes. */
export interface CheckAllocation {
  /** highest register plus one */
  readonly vgpr: number;
  readonly agpr: number;
  readonly sgpr: number;
  /** what counts for the waves */
  readonly totalVGPR: number;
  readonly totalSGPR: number;
  /** VGPRs below the highest that nothing uses; less than `vgpr` */
  readonly vgprHoles: number;
  readonly occupancy: number;
  /** registers with a part of their life on the stack */
  readonly spilled: number;
  readonly saves: number;
  readonly reloads: number;
  readonly rematerialized: number;
  readonly copies: number;
  readonly copiesBefore: number;
  readonly scratchBytes: number;
  readonly calleeSaved: readonly string[];
}

/** What the machine scheduler would do. */
export interface CheckSchedule {
  /** as `-misched` names it */
  readonly scheduler: string;
  /** whose rematerialization stage ran */
  readonly model: SchedulerModel;
  /** waves per EU of machineFunctionInfo */
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  /** definitions that were moved before their uses */
  readonly rematerialized: number;
  /** in the scheduler's order: the bottom-most region of a block first */
  readonly regions: readonly CheckRegion[];
}

export interface CheckRegion {
  readonly region: number;
  readonly block: number;
  /** 1-based lines of the first and the last instruction */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly instructions: number;
  /** waves per EU that the region's pressure allows */
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  /** 32-bit registers; VGPR with those that may be either */
  readonly vgprBefore: number;
  readonly vgprAfter: number;
  readonly sgprBefore: number;
  readonly sgprAfter: number;
  readonly agprBefore: number;
  readonly agprAfter: number;
  /** estimated cycles; 0 when no stage scheduled the region */
  readonly lengthBefore: number;
  readonly lengthAfter: number;
  /** LLVM's name of the stage whose order stands, null if the order is the old one */
  readonly settledBy: string | null;
  readonly reverts: readonly { readonly stage: string; readonly rule: string }[];
}

export interface CheckPressure {
  readonly occupancy: number;
  readonly maxOccupancy: number;
  /** what keeps the occupancy from its maximum, '' if nothing does */
  readonly limitedBy: string;
  readonly sgpr: CheckPeak;
  readonly vgpr: CheckPeak;
  readonly agpr: CheckPeak;
  /** most registers that the present occupancy allows, by bank */
  readonly sgprLimit: number;
  readonly vgprLimit: number;
  /** VGPRs and AGPRs share one file of that size; 0 = they do not */
  readonly unifiedFile: number;
  readonly unifiedPeak: number;
  readonly nextWave: readonly CheckNextWave[];
  /** what lives at once beyond what the function may use, and so is spilled; `most` is what it may use */
  readonly excess: readonly {
    readonly bank: 'VGPR' | 'SGPR';
    readonly count: number;
    readonly most: number;
    readonly mayUseAGPRs?: true;
  }[];
  readonly ldsBytes: number;
  readonly workGroupSizes: readonly [number, number];
  /** most waves per EU that LDS and work-group sizes allow */
  readonly ldsOccupancy: number;
  readonly liveIns: number;
  readonly liveOuts: number;
}

export interface CheckFile {
  readonly file: string;
  readonly target: TargetOptions;
  /** whose numbers these are, e.g. `22.1.8`; empty for files that were not checked */
  readonly llvm: string;
  /** what of the file decided that, e.g. `opcode G_CTLS in line 12`; empty: `--model`, or nothing does */
  readonly decidedBy: string;
  /** of a source which program made its MIR, e.g. `MIR by /usr/bin/clang (LLVM 22.1.8), before machine-scheduler`; empty for MIR */
  readonly madeBy: string;
  /** why the file was left out: it is for another target, too large, or no regular file; empty for files that were checked */
  readonly skipped: string;
  /** for `target` */
  readonly functions: readonly CheckFunction[];
  readonly diagnostics: readonly CheckDiagnostic[];
  /** the same for the other targets of its RUN lines, or of `--target`, and each for the other models of `--model`; empty where there is one of both */
  readonly otherTargets: readonly CheckTarget[];
  /** the editor's, for `target`; absent unless asked for */
  readonly findings?: readonly CheckFinding[];
  /** lines of the file that have a finding, by number, to be shown; none in JSON */
  readonly excerpts: Readonly<Record<number, string>>;
}

export interface CheckTarget {
  readonly target: TargetOptions;
  readonly llvm: string;
  readonly functions: readonly CheckFunction[];
  readonly diagnostics: readonly CheckDiagnostic[];
}

export interface CheckOptions {
  /** only this function is told of; null = all */
  readonly functionName: string | null;
  /** only this region of schedules; null = all */
  readonly region: number | null;
  /** what makes MIR of sources; null = they are read as they are */
  readonly tools: CommandTools | null;
  /** numbers by lines of the source, too */
  readonly sourceLines: boolean;
  readonly remat: boolean;
  readonly scalarize: boolean;
  readonly allocate: boolean;
  /** what the editor finds, too */
  readonly findings: boolean;
  /** what llc ends with is not computed */
  readonly asWritten: boolean;
  /** the final code is counted, too */
  readonly final: boolean;
  /** where the functions stand, whatever the file says; null = the file says it */
  readonly stage: Stage | null;
  readonly schedule: boolean;
  /** whose LLVM; of several, all */
  readonly models: readonly ModelChoice[];
  /** goes before what files say of their target; what is empty is the file's */
  readonly target: TargetOptions;
  /** those of `--target`, which are for all files; an empty triple is the file's */
  readonly targets: readonly TargetOptions[];
  /** the RUN lines count, too, where `targets` are given */
  readonly allTargets: boolean;
  /** larger inputs are not read */
  readonly maxBytes: number;
}

/** What `--baseline` has compared. Functions are named with their file: `gemm (k.mir)`. */
export interface CheckBaseline {
  /** functions that both reports have */
  readonly compared: number;
  /** allocated functions that the baseline does not have */
  readonly fresh: readonly string[];
  /** functions of the baseline that were not among those checked */
  readonly gone: readonly string[];
}

export interface CheckJob {
  readonly file: string;
  readonly options: CheckOptions;
}

/** A finding and the targets that have it; null = all that the file was checked for. */
export interface FoundDiagnostic {
  readonly diagnostic: CheckDiagnostic;
  readonly targets: readonly CheckedFor[] | null;
}

/** A target and an LLVM. */
export type CheckedFor = Pick<CheckTarget, 'target' | 'llvm'>;

/** The findings of all targets of a file, equal ones once. */
export function allDiagnostics({ target, llvm, diagnostics, otherTargets }: CheckFile): FoundDiagnostic[] {
  if (otherTargets.length === 0) return diagnostics.map((diagnostic) => ({ diagnostic, targets: null }));
  const found = new Map<string, { diagnostic: CheckDiagnostic; targets: CheckedFor[] }>();
  for (const checked of [{ target, llvm, diagnostics }, ...otherTargets])
    for (const diagnostic of checked.diagnostics) {
      const key = JSON.stringify(diagnostic);
      const known = found.get(key);
      if (!known) found.set(key, { diagnostic, targets: [checked] });
      else if (known.targets.at(-1) !== checked) known.targets.push(checked);
    }
  const all = 1 + otherTargets.length;
  return [...found.values()].map((f) => ({ ...f, targets: f.targets.length === all ? null : f.targets }));
}
