/** The Snapshot of one version of a document: views over its lowered functions, results taken from the cache. */
import type { Range } from 'vscode-languageserver-types';
import type { PressureSummary } from '../analysis/summary.js';
import type { Settings } from '../program/settings.js';
import { allocationSettingOf, type AllocationSetting } from '../program/allocation.js';
import {
  stageEvidence,
  stageOf,
  stageSigns,
  type FunctionStage,
  type StageEvidence,
  type StageSigns,
} from '../program/stage.js';
import { scheduleSettingOf, type ScheduleSetting } from '../program/scheduleSetting.js';
import type {
  AllocationState,
  DependencesState,
  FunctionView,
  ScheduleState,
  Snapshot,
  StaleSummary,
} from '../features/snapshot/snapshot.js';
import type { DocumentVerdict } from '../features/snapshot/documentVerdict.js';
import { MemoryKey, type Memory } from '../features/snapshot/memory.js';
import type { SymbolIndex } from '../features/symbols/symbolIndex.js';
import {
  isSameTarget,
  foreignBeside,
  saidIn,
  TargetOrigin,
  type FileTarget,
  type TargetOptions,
} from '../program/targetOfFile.js';
import { TestFile } from '../program/testFile/testFile.js';
import type { LoweredFunction, ModelFile } from '../model/lowering/lowerFile.js';
import type { IRModule } from '../ir/module.js';
import type { InstrId, MachineFunction } from '../model/machineFunction.js';
import { updateMirFile } from '../syntax/index.js';
import { DocumentKind, type Body, type MirDocument, type MirFile } from '../syntax/tree.js';
import type { LaneValues } from '../analysis/uniformity/laneValues.js';
import type { Pin } from '../passes/scheduler/dag/mutations/pins.js';
import { moduleFactsOf } from '../passes/scheduler/moduleFacts.js';
import type { ModelOfFile } from '../program/modelOfFile.js';
import { releaseOfModel, type SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import type { RematAnalysis } from '../passes/scheduler/remat/advice/analysis.js';
import type { ModuleFacts } from '../passes/scheduler/scheduleFunction.js';
import type { TracedSchedule } from '../passes/scheduler/trace/collector.js';
import { createSubtarget, releaseOf, type Subtarget } from '../target/index.js';
import type { Diagnostic, TextRange } from '../text/diagnostic.js';
import type { SourceText, TextEdit } from '../text/sourceText.js';
import { NEVER_CANCELLED, type CancellationToken, type ProgressToken } from '../util/cancellation.js';
import type { AllocatedFunction } from '../passes/regalloc/trace/collector.js';
import type { AllocationResults, FunctionToAllocate } from './allocationResults.js';
import type { FunctionResults } from './functionResults.js';
import { LastGood } from './lastGood.js';
import type { FunctionToSchedule } from './scheduleResults.js';

const STAGE_SIGNS = new MemoryKey<StageSigns>('signs of its stage');

/** What a snapshot is made of. */
export interface SnapshotParts {
  readonly uri: string;
  readonly version: number;
  readonly file: MirFile;
  readonly test: TestFile;
  readonly target: FileTarget;
  readonly model: ModelOfFile;
  readonly settings: Settings;
  readonly results: FunctionResults;
  readonly lastGood: LastGood;
  readonly memory: Memory;
  readonly verdict: DocumentVerdict | null;
}

/** Has the members of what it is made of. */
const MadeOf = class {
  constructor(parts: SnapshotParts) {
    Object.assign(this, parts);
  }
} as new (parts: SnapshotParts) => SnapshotParts;

export class DocumentSnapshot extends MadeOf implements Snapshot {
  readonly text: SourceText;
  readonly subtarget: Subtarget;
  readonly functions: readonly DocumentFunction[];
  private readonly lowered: ModelFile;
  private setting: ScheduleSetting | null = null;
  private facts: ModuleFacts | null = null;
  private ownAllocation: AllocationSetting | null = null;
  private evidence: StageEvidence | null = null;

  constructor(private readonly parts: SnapshotParts) {
    super(parts);
    const { file, target, model, results } = parts;
    this.text = file.text;
    this.subtarget = createSubtarget(target.triple, target.cpu, target.features, releaseOf(model.release));
    const lowered = results.model(file, target);
    this.lowered = lowered;
    this.functions = lowered.functions.map((fn, i) => new DocumentFunction(this, lowered, i, fn));
  }

  /** Names of its functions. Does not refer to this version. */
  get functionNames(): ReadonlyMap<string, number> {
    return this.lowered.firstByName;
  }

  memoryOf(subtarget: Subtarget): Memory {
    return this.results.memory(subtarget);
  }

  limited(token: ProgressToken, share = 1): ProgressToken & { readonly isLate?: boolean } {
    return this.results.schedules.limited(token, share);
  }

  get scheduleSetting(): ScheduleSetting {
    return (this.setting ??= scheduleSettingOf(this.target, this.model.model));
  }

  /** What the scheduler asks of the file. */
  get moduleFacts(): ModuleFacts {
    return (this.facts ??= moduleFactsOf(this.text.text, this.lowered.ir));
  }

  /** Of functions that stand after the scheduler, and of those that stand before it: there a result depends on the scheduler's options, too. */
  allocationSetting(isBeforeScheduler: boolean): AllocationSetting {
    const own = (this.ownAllocation ??= allocationSettingOf(this.target));
    if (!isBeforeScheduler) return { ...own, isBeforeScheduler };
    return { ...own, isBeforeScheduler, isAfterScheduler: false, key: `${own.key} ${this.scheduleSetting.key}` };
  }

  get stages(): StageEvidence {
    return (this.evidence ??= stageEvidence(this.file, this.target, this.settings.stage));
  }

  get fileDiagnostics(): readonly Diagnostic[] {
    return this.target.foreign === '' ? this.lowered.irDiagnostics : [];
  }

  get irSymbols(): Snapshot['irSymbols'] {
    const { documents, docStarts } = this.file;
    const d = documents.findIndex((document) => document.kind === DocumentKind.IR);
    if (d < 0) return null;
    return { start: docStarts[d]!, symbols: this.results.irSymbols(this.file, documents[d]!, docStarts[d]!) };
  }

  functionAt(offset: number): FunctionView | null {
    let lo = 0;
    let hi = this.functions.length - 1;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (this.functions[mid]!.start <= offset) lo = mid;
      else hi = mid - 1;
    }
    const found = this.functions[lo];
    return found && found.start <= offset && offset < found.end ? found : null;
  }

  after(edits: readonly TextEdit[]): Snapshot {
    let { file } = this;
    for (let k = edits.length - 1; k >= 0; k--) file = updateMirFile(file, file.text.apply(edits[k]!), [edits[k]!]);
    return this.with({ file, test: new TestFile(file.text.text) });
  }

  /** The same with other parts; what is known of this version alone does not go along. */
  private with(parts: Partial<SnapshotParts>): DocumentSnapshot {
    return new DocumentSnapshot({ ...this.parts, lastGood: new LastGood(), verdict: null, ...parts });
  }

  withTarget({ triple, cpu, features, isChosen: isAsked = false }: TargetOptions): Snapshot {
    const own = this.target;
    const { release } = this.model;
    const isChosen = isAsked && own.namesProcessors;
    if (isSameTarget(own, { triple, cpu, features, release, isChosen })) return this;
    const { commands, namesProcessors } = own;
    const foreign = foreignBeside(own, { triple, cpu, release });
    const target: FileTarget = {
      ...{ triple, cpu, features, release, foreign },
      ...{ origin: TargetOrigin.Override, commandIdx: -1, commands, namesProcessors },
      ...(isAsked ? { isChosen, said: saidIn(own, cpu) } : {}),
    };
    return this.beside(target, this.model);
  }

  withModel(model: SchedulerModel): Snapshot {
    if (model === this.model.model) return this;
    const release = releaseOfModel(model);
    return this.beside({ ...this.target, release }, { model, release, sign: null, against: null, isChosen: true });
  }

  /** The same text for something else, with results of its own. */
  private beside(target: FileTarget, model: ModelOfFile): Snapshot {
    const { triple, cpu, features, isChosen = false } = target;
    const key = `${triple}\n${cpu}\n${features}\n${model.model}${isChosen ? '\nchosen' : ''}`;
    return this.with({ target, model, results: this.results.ofTarget(key) });
  }

  rangeOf(start: number, end: number): Range {
    return { start: this.text.positionAt(start), end: this.text.positionAt(end) };
  }
}

class DocumentFunction implements FunctionView {
  private staleCache: { readonly found: StaleSummary | null } | null = null;

  constructor(
    private readonly snapshot: DocumentSnapshot,
    private readonly model: ModelFile,
    private readonly idx: number,
    readonly lowered: LoweredFunction,
  ) {}

  get name(): string {
    return this.lowered.name;
  }

  get nameRange(): TextRange | null {
    const { start, end } = this.lowered.nameRange;
    return start === end ? null : { start: this.start + start, end: this.start + end };
  }

  get start(): number {
    return this.model.functionStarts[this.idx]!;
  }

  get end(): number {
    return this.start + this.lowered.document.length;
  }

  get body(): Body | null {
    return this.lowered.document.body;
  }

  get document(): MirDocument {
    return this.lowered.document;
  }

  get symbols(): SymbolIndex {
    return this.snapshot.results.symbols(this.snapshot.file, this.lowered.document, this.start);
  }

  mayHaveName(offset: number): boolean {
    return this.snapshot.results.mayHaveName(this.snapshot.file, this.lowered.document, this.start, offset);
  }

  /** A function of another target has names and a syntax, and nothing that could be computed. */
  private get isForeign(): boolean {
    return this.snapshot.target.foreign !== '';
  }

  get fn(): MachineFunction | null {
    return this.isForeign ? null : this.lowered.fn;
  }

  get subtarget(): Subtarget | null {
    return this.isForeign ? null : this.lowered.subtarget;
  }

  get module(): IRModule | null {
    return this.lowered.module;
  }

  get memory(): Memory {
    return this.snapshot.results.memory(this.lowered);
  }

  /** A function of R600 has registers and opcodes, and nothing that is counted of AMDGCN's: no pressure, schedule, allocation, lanes. */
  private get isUncounted(): boolean {
    return this.isForeign || this.lowered.subtarget?.tables.isAMDGCN === false;
  }

  get summary(): PressureSummary | null {
    if (this.isUncounted) return null;
    return this.snapshot.results.summary(this.lowered);
  }

  private get toSchedule(): FunctionToSchedule {
    const { scheduleSetting: setting, moduleFacts: facts } = this.snapshot;
    return { lowered: this.lowered, facts, summary: this.summary, setting };
  }

  schedule(token: ProgressToken, pins: readonly Pin[] = []): ScheduleState {
    return this.snapshot.results.schedules.schedule(this.toSchedule, token, pins);
  }

  get quickSchedule(): TracedSchedule | null {
    const state = this.schedule(NEVER_CANCELLED);
    return state.kind === 'ready' ? state.schedule : null;
  }

  get isLarge(): boolean {
    return this.snapshot.results.schedules.isLarge(this.toSchedule);
  }

  dependencesOf(i: InstrId, token: CancellationToken): DependencesState {
    return this.snapshot.results.schedules.dependencesOf(this.toSchedule, i, token);
  }

  get stage(): FunctionStage | null {
    const { fn } = this;
    if (fn === null || this.isUncounted) return null;
    return stageOf(fn, this.snapshot.stages, this.start, () => this.memory.of(STAGE_SIGNS, () => stageSigns(fn)));
  }

  get allocationSetting(): AllocationSetting {
    const { stage } = this;
    return this.snapshot.allocationSetting(stage?.stage === 'before-scheduling' && stage.ahead === null);
  }

  private get toAllocate(): FunctionToAllocate {
    const setting = this.allocationSetting;
    const scheduler: FunctionToAllocate['scheduler'] = (token) => {
      if (!setting.isBeforeScheduler) return null;
      return this.snapshot.results.schedules.before(this.toSchedule, token);
    };
    return { lowered: this.lowered, setting, scheduler, earlier: null };
  }

  /** As `toAllocate`, but through all passes that are left to run. */
  private get toEnd(): FunctionToAllocate {
    const { stage } = this;
    const { toAllocate: own, snapshot } = this;
    if (stage === null || stage.ahead === null) return own;
    const { setting } = own;
    const key = JSON.stringify([setting.key, stage.ahead, snapshot.scheduleSetting.key, [...setting.given]]);
    const earlier = { first: stage.ahead, model: snapshot.model.model, facts: snapshot.moduleFacts };
    return { ...own, setting: { ...setting, key }, earlier };
  }

  private get ends(): AllocationResults {
    const { allocations, fromEarlier } = this.snapshot.results;
    return this.toEnd.earlier === null ? allocations : fromEarlier;
  }

  allocate(token: ProgressToken, withDecisions = false): AllocationState {
    if (this.summary === null || this.lowered.fn === null) return { kind: 'none', why: '' };
    return this.snapshot.results.allocations.allocate(this.toAllocate, token, withDecisions);
  }

  /** What llc ends with, where nobody waits: it may take its time. */
  endInBackground(token: ProgressToken): AllocationState {
    if (this.summary === null || this.lowered.fn === null) return { kind: 'none', why: '' };
    return this.ends.allocate(this.toEnd, token, false, true);
  }

  get knownEnd(): AllocatedFunction | string | null {
    return this.isUncounted ? null : this.ends.known(this.toEnd);
  }

  get knownAllocation(): AllocatedFunction | string | null {
    return this.isUncounted ? null : this.snapshot.results.allocations.known(this.toAllocate);
  }

  get isLargeToAllocate(): boolean {
    return this.ends.isLarge(this.toEnd);
  }

  get lastAllocation(): string {
    return this.snapshot.results.allocations.lastText(this.name);
  }

  set lastAllocation(text: string) {
    this.snapshot.results.allocations.keepText(this.name, text);
  }

  get lanes(): LaneValues | null {
    return this.isUncounted ? null : this.snapshot.results.lanes(this.lowered);
  }

  get remat(): RematAnalysis | null {
    return this.isUncounted ? null : this.snapshot.results.remat(this.lowered);
  }

  get stale(): StaleSummary | null {
    if (this.isUncounted || this.summary) return null;
    const { lastGood, text } = this.snapshot;
    this.staleCache ??= {
      found: lastGood.find(this.name, text.text, this.start, this.lowered.document.length),
    };
    return this.staleCache.found;
  }

  get diagnostics(): readonly Diagnostic[] {
    if (this.isForeign) return [];
    const { start } = this;
    const moved = (r: TextRange): TextRange => ({ start: r.start + start, end: r.end + start });
    const verifier = this.snapshot.results.verifier(this.lowered).map((d) => ({
      ...d,
      ...moved(d),
      ...(d.related ? { related: d.related.map((r) => ({ ...r, ...moved(r) })) } : {}),
    }));
    return [...this.model.functionDiagnostics(this.idx), ...verifier];
  }
}
