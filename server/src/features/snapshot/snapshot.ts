/**
 * What a feature sees: one version of one document, with everything that can be known of it, computed on demand and cached by
 * the host. Immutable; never awaits.
 */
import type { Range } from 'vscode-languageserver-types';
import type { PressureSummary } from '../../analysis/summary.js';
import type { LaneValues } from '../../analysis/uniformity/laneValues.js';
import type { IRModule } from '../../ir/module.js';
import type { InstrId, MachineFunction } from '../../model/machineFunction.js';
import type { Pin } from '../../passes/scheduler/dag/mutations/pins.js';
import type { InstrDependences } from '../../passes/scheduler/dependences.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import type { RematAnalysis } from '../../passes/scheduler/remat/advice/analysis.js';
import type { TracedSchedule } from '../../passes/scheduler/trace/collector.js';
import type { Body, MirDocument, MirFile } from '../../syntax/tree.js';
import type { Subtarget } from '../../target/api.js';
import type { Diagnostic, TextRange } from '../../text/diagnostic.js';
import type { SourceText, TextEdit } from '../../text/sourceText.js';
import { oneLine } from '../../text/visible.js';
import type { CancellationToken, ProgressToken } from '../../util/cancellation.js';
import type { IRSymbols } from '../symbols/irSymbols.js';
import type { AllocationSetting } from '../../program/allocation.js';
import type { FunctionStage } from '../../program/stage.js';
import type { ScheduleSetting } from '../../program/scheduleSetting.js';
import type { Settings } from '../../program/settings.js';
import type { SymbolIndex } from '../symbols/symbolIndex.js';
import type { ModelOfFile } from '../../program/modelOfFile.js';
import type { SchedulerModel } from '../../passes/scheduler/schedulerModel.js';
import { fileSays, type FileTarget, type TargetOptions } from '../../program/targetOfFile.js';
import type { TestFile } from '../../program/testFile/testFile.js';
import type { DocumentVerdict } from './documentVerdict.js';
import type { Memory } from './memory.js';

export interface Snapshot {
  readonly uri: string;
  readonly version: number;
  readonly text: SourceText;
  readonly file: MirFile;
  /** its RUN lines */
  readonly test: TestFile;
  readonly target: FileTarget;
  /** whose LLVM, and what decided that */
  readonly model: ModelOfFile;
  /** of the file; a function's attributes may ask for another one */
  readonly subtarget: Subtarget;
  readonly settings: Settings;
  /** for work that may take long: the token itself where that may be, else one that ends soon, after a `share` of the usual time; `isLate` tells the end by time */
  limited(token: ProgressToken, share?: number): ProgressToken & { readonly isLate?: boolean };
  /** how the active RUN line would schedule */
  readonly scheduleSetting: ScheduleSetting;
  /** one per function document, in order */
  readonly functions: readonly FunctionView[];
  /** findings outside of functions: the embedded IR, broken documents. Offsets absolute. */
  readonly fileDiagnostics: readonly Diagnostic[];
  /** names in the embedded IR, or null without IR; computed once per version of the IR */
  readonly irSymbols: { readonly start: number; readonly symbols: IRSymbols } | null;
  /** what features keep of the document, from version to version */
  readonly memory: Memory;
  /** what features keep of a processor */
  memoryOf(subtarget: Subtarget): Memory;
  /** the last verdict of the test's RUN lines; null before the first */
  readonly verdict: DocumentVerdict | null;
  /** the function whose document holds the offset, or null */
  functionAt(offset: number): FunctionView | null;
  rangeOf(start: number, end: number): Range;
  /** what the document would be after edits of the present text (ascending, not overlapping); the document stays as it is */
  after(edits: readonly TextEdit[]): Snapshot;
  /** the same text for another target; what is computed of it does not push out what is known of the present one */
  withTarget(target: TargetOptions): Snapshot;
  /** the same text with another LLVM, likewise */
  withModel(model: SchedulerModel): Snapshot;
}

export interface FunctionView {
  /** value of `name:`, empty if there is none */
  readonly name: string;
  /** absolute offsets of that value */
  readonly nameRange: TextRange | null;
  /** absolute offsets of the YAML document */
  readonly start: number;
  readonly end: number;
  readonly body: Body | null;
  readonly document: MirDocument;
  /** every name in the document and where it occurs; offsets relative to `start`. Computed once per document. */
  readonly symbols: SymbolIndex;
  /** false: no name stands at this offset of the document. Cheaper than asking `symbols`. */
  mayHaveName(offset: number): boolean;
  /** the lowered function, or null when llc could not make one either (no name, broken YAML) */
  readonly fn: MachineFunction | null;
  /** of `fn`, known without lowering the function; null where there is none */
  readonly subtarget: Subtarget | null;
  /** the embedded IR module, or null without one */
  readonly module: IRModule | null;
  /** what features keep of the function, until it is another one */
  readonly memory: Memory;
  /** all findings, offsets absolute, in the order in which llc meets them */
  readonly diagnostics: readonly Diagnostic[];
  /** null when the function is not well-formed enough to be analysed */
  readonly summary: PressureSummary | null;
  /** what the machine scheduler makes of it with the options of the active RUN line, and with `pins`: instructions before others */
  schedule(token: ProgressToken, pins?: readonly Pin[]): ScheduleState;
  /** the schedule if it is known or quickly made, null otherwise */
  readonly quickSchedule: TracedSchedule | null;
  /** how far llc has come with it; null without a function */
  readonly stage: FunctionStage | null;
  /** how llc would allocate its registers from there */
  readonly allocationSetting: AllocationSetting;
  /** its registers allocated as it stands, or in the scheduler's order where it stands before the scheduler; with each decision if asked for */
  allocate(token: ProgressToken, withDecisions?: boolean): AllocationState;
  /** what is known of that; a text = why there is none; null = it has not been found out. Computes nothing. */
  readonly knownAllocation: AllocatedFunction | string | null;
  /** the same after all passes that are left to run, where some before the scheduler are: of the function's own registers and instructions it says nothing then */
  readonly knownEnd: AllocatedFunction | string | null;
  /** too long to be brought there in the background */
  readonly isLargeToAllocate: boolean;
  /** what was last said of the function by that name */
  lastAllocation: string;
  /** what registers are to the lanes of a wave: uniform, divergent, masks; null without a function */
  readonly lanes: LaneValues | null;
  /** which registers may be computed again where they are used; null when there is no summary */
  readonly remat: RematAnalysis | null;
  /** too long, or known to take too long, for readers of this snapshot to schedule */
  readonly isLarge: boolean;
  /** predecessors and successors of an instruction; the first of a region makes its scheduling graph */
  dependencesOf(i: InstrId, token: CancellationToken): DependencesState;
  /** what was known before the function broke; null when there is a summary, or there never was one */
  readonly stale: StaleSummary | null;
}

export type ScheduleState =
  | { readonly kind: 'ready'; readonly schedule: TracedSchedule }
  /** the function has errors (`why` is empty), or the options allow no schedule */
  | { readonly kind: 'none'; readonly why: string }
  /** it would take longer than readers of this snapshot wait */
  | { readonly kind: 'large' }
  | { readonly kind: 'cancelled' };

export type AllocationState =
  | { readonly kind: 'ready'; readonly allocated: AllocatedFunction }
  /** the function has errors (`why` is empty), or it is not one that can be allocated */
  | { readonly kind: 'none'; readonly why: string }
  | { readonly kind: 'large' }
  | { readonly kind: 'cancelled' };

export type DependencesState =
  /** null: in no region, as its boundaries are */
  | { readonly kind: 'ready'; readonly found: InstrDependences | null }
  /** the function has no schedule */
  | { readonly kind: 'none' }
  | { readonly kind: 'large' }
  | { readonly kind: 'cancelled' };

/** Result of a feature that would take long: the request goes to the patient worker. */
export interface Elsewhere {
  readonly elsewhere: true;
}
export const ELSEWHERE: Elsewhere = { elsewhere: true };

/** Numbers of an earlier version of a function, with its unchanged text mapped to the present one. */
export interface StaleSummary {
  readonly summary: PressureSummary;
  /** start of a range of the present document in the summary's, both relative to the document; -1 when its text changed */
  toOld(start: number, end: number): number;
  /** the same in the other direction */
  toNew(start: number, end: number): number;
}

/** `LLVM 22.1.8`: whose numbers a snapshot has. */
export const llvmText = ({ subtarget }: Snapshot): string => `LLVM ${subtarget.release.version}`;

/** `gfx90a wave64`; of R600 the processor alone */
export const subtargetText = (st: Subtarget): string =>
  oneLine(st.cpu || 'generic') + (st.tables.isAMDGCN ? ` wave${st.wavefrontSize}` : '');

/**
 * The same of what a function is compiled for: its attributes `target-cpu` and `target-features` go before the file's target, unless somebody chose that;
 * then it says, too, what the file names: `gfx1100 wave32 (file says gfx942)`.
 */
export function targetText(snapshot: Snapshot, view: FunctionView | null): string {
  const says = fileSaysOf(snapshot, view);
  return subtargetText(view?.fn?.subtarget ?? snapshot.subtarget) + (says === '' ? '' : ` (${says})`);
}

/** `file says gfx942` where another processor was chosen for the function, or the file; else empty. */
export const fileSaysOf = (snapshot: Snapshot, view: FunctionView | null): string =>
  fileSays(snapshot.target, view?.fn?.header.irFunction.attributes.get('target-cpu'));
