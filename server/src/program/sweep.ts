/**
 * What llc ends with under other options and other attributes of the functions, one setting at a time. An attribute counts for what the file recorded from it,
 * too: the occupancy and the registers that instruction selection reserved (docs/allocation.md, "A sweep").
 */
import { PressureSummary } from '../analysis/summary.js';
import type { UsedRegisters } from '../analysis/usedRegisters.js';
import { irVerifierOptions, verifierDiagnostics, verifyFunction } from '../analysis/verifier/index.js';
import type { IRModule } from '../ir/module.js';
import { AttributeErrors } from '../model/attributeErrors.js';
import { computeFunctionLimits, type FunctionLimits } from '../model/functionLimits.js';
import { LoweringCache, lowerFile } from '../model/lowering/lowerFile.js';
import type { InstrId, MachineFunction } from '../model/machineFunction.js';
import { moduleFactsOf } from '../passes/scheduler/moduleFacts.js';
import type { ModuleFacts } from '../passes/scheduler/scheduleFunction.js';
import { releaseOfModel, type SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { createSubtarget, releaseOf, type ReleaseName } from '../target/index.js';
import { DocumentKind, parseMirFile, updateMirFile, type MirFile } from '../syntax/index.js';
import { Severity, type Diagnostic, type TextRange } from '../text/diagnostic.js';
import { SourceText } from '../text/sourceText.js';
import { Interner } from '../util/interner.js';
import { lazy } from '../util/lazy.js';
import { countCode, type CodeCounts } from './codeCounts.js';
import { withAttributes } from './irAttributes.js';
import { CALLS_FAILED, FileOutcomes, type Outcome, type OutcomeBounds, type OwnEnd } from './outcome.js';
import { stageEvidence, type StageEvidence } from './stage.js';
import type { FinalCode } from './finalCode.js';
import type { Stage } from './stageNames.js';
import type { FileTarget, RunCommand } from './targetOfFile.js';

/** Of llc's options and of the functions' attributes; both empty: the file as it is. */
export interface SweepSetting {
  /** as on llc's command line, `-amdgpu-sched-strategy=max-ilp` */
  readonly options: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
}

/** The file as it is. */
export const AS_IN_FILE: SweepSetting = { options: [], attributes: {} };

/** One function under one setting. Without an outcome `failed` says why, and the counts are absent. */
export type SweepRow = SweepSetting & { readonly function: string } & (
    | ({ readonly outcome: Outcome; readonly failed: '' } & CodeCounts & Partial<SweptCode>)
    | { readonly outcome: null; readonly failed: string }
  );

/** The code at the end of llc's pipeline, where it was asked for; null: `noFinal` says why it is not known. */
export interface SweptCode {
  readonly final: FinalCode | null;
  readonly noFinal: string;
}

/** A row, and what it comes from. */
export interface SweptEnd {
  readonly row: SweepRow;
  /** as the setting has it; null where it has errors */
  readonly fn: MachineFunction | null;
  readonly own: OwnEnd | null;
  /** as llc ends with it; null without outcome */
  readonly ended: MachineFunction | null;
  readonly bounds: OutcomeBounds | null;
}

/** Attributes of LLVM's whose values count from the machine scheduler on; what others would change is decided before. */
export const SWEPT_ATTRIBUTES: readonly string[] = [
  'amdgpu-waves-per-eu',
  'amdgpu-flat-work-group-size',
  'amdgpu-num-vgpr',
  'amdgpu-num-sgpr',
  'amdgpu-agpr-alloc',
  'amdgpu-sched-strategy',
  'amdgpu-dynamic-vgpr-block-size',
  'amdgpu-max-memory-cluster-dwords',
];

/** What is computed of a function beside its row. */
export interface EndWants {
  /** the order in which registers were allocated */
  readonly keepsOrder?: boolean;
  /** the final code, counted */
  readonly final?: boolean;
}

/** One file under settings, one after the other. */
export class Sweep {
  private readonly asInFile: LoweredText;
  private readonly lines: SourceText;
  private readonly cache = new LoweringCache();
  /** rows of one function, by setting */
  private readonly known = new Map<string, SweepRow>();

  /** `target`: with the RUN line whose options count; `stage`: somebody chose it */
  constructor(
    private readonly source: string,
    private readonly target: FileTarget,
    private readonly model: SchedulerModel,
    private readonly stage: Stage | null = null,
  ) {
    this.lines = new SourceText(source);
    this.asInFile = this.functionsOf(parseMirFile(this.lines, new Interner()));
  }

  /** Whether the file has an embedded module, whose attributes can be changed. */
  get hasModule(): boolean {
    return this.asInFile.module !== null;
  }

  get functionNames(): readonly string[] {
    return this.asInFile.functions.map(({ name }) => name);
  }

  /** What llc says of an attribute whose value it cannot read, '' when it can read all. */
  problemOf(attributes: Readonly<Record<string, string>>): string {
    const problems = this.asInFile.functions.map(({ fn }) => (fn === null ? '' : attributeProblem(fn, attributes)));
    return problems.find((text) => text !== '') ?? '';
  }

  /** What is recorded of the function once it has other attributes; null where there is none of the name. */
  recorded(attributes: Readonly<Record<string, string>>, name: string): MachineFunction | null {
    const { functions } = this.withAttributes(new Map(Object.entries(attributes)));
    return functions.find((own) => own.name === name)?.fn ?? null;
  }

  /** The same file with another text: for the same target, model and stage. */
  of(source: string): Sweep {
    return new Sweep(source, this.target, this.model, this.stage);
  }

  /** The row of one function, which is computed once; null: there is none of the name. Throws what `checkpoint` throws. */
  row(setting: SweepSetting, checkpoint: () => void, name: string): SweepRow | null {
    const key = JSON.stringify([name, setting.options, setting.attributes]);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const [row] = this.rows(setting, checkpoint, name);
    if (row !== undefined) this.known.set(key, row);
    return row ?? null;
  }

  /** With its errors or without; null where there is none of the name, or it cannot be read. */
  function(name: string): MachineFunction | null {
    return this.asInFile.functions.find((own) => own.name === name)?.fn ?? null;
  }

  /** The function, which has an outcome, in the order in which its registers are allocated. */
  inOrder(name: string): MachineFunction {
    const { functions } = this.asInFile;
    const { fn, start } = functions.find((own) => own.name === name)!;
    return this.outcomesOf(this.asInFile, this.target).inOrder(fn!, start);
  }

  /** Of an instruction of the function as the file spells it, its whole lines; '' where it has none. */
  instrText(name: string, i: InstrId): string {
    const own = this.asInFile.functions.find((some) => some.name === name);
    const { source, nInstrs = 0 } = own?.fn ?? {};
    if (own === undefined || !source || i >= nInstrs) return '';
    const { start, end } = source.instrRange(i);
    return this.source.slice(own.start + start, own.start + end);
  }

  /** Of an instruction of the function in the file, from 1; 0 where it has none. */
  lineOf(name: string, i: InstrId): number {
    const own = this.asInFile.functions.find((some) => some.name === name);
    const { source, nInstrs = 0 } = own?.fn ?? {};
    if (own === undefined || !source || i >= nInstrs) return 0;
    return this.lines.lineAt(own.start + source.instrRange(i).start) + 1;
  }

  /**
   * A row for each function, in the order of the file; `only`: for that one, the others being computed where it calls some. Throws what `checkpoint` throws.
   */
  rows(setting: SweepSetting, checkpoint: () => void, only?: string, wants: EndWants = {}): SweepRow[] {
    return this.ends(setting, checkpoint, only, wants).map(({ row }) => row);
  }

  /** The rows with what they come from. */
  ends(
    setting: SweepSetting,
    checkpoint: () => void,
    only?: string,
    { keepsOrder = false, final = false }: EndWants = {},
  ): SweptEnd[] {
    const { options, attributes } = setting;
    const changed = this.withAttributes(new Map(Object.entries(attributes)));
    const { functions: all } = changed;
    const alone = only === undefined ? undefined : all.find(({ name }) => name === only);
    const frame = alone?.fn?.header.frameInfo;
    const isAlone = alone !== undefined && frame?.hasCalls !== true && frame?.hasTailCall !== true;
    const functions = isAlone ? [alone] : all;
    const outcomes = this.outcomesOf(changed, withOptions(this.target, options), checkpoint, keepsOrder);
    const codes: Partial<SweptCode>[] = functions.map(() => ({}));
    const owns = functions.map(({ name, fn, start, error, used }, k): OwnEnd | null => {
      checkpoint();
      if (fn !== null && error === '') {
        const own = outcomes.add(fn, used(), start);
        if (final && own.failed === '' && (only === undefined || name === only)) codes[k] = codeOf(outcomes);
        return own;
      }
      outcomes.addFailed();
      return null;
    });
    const ends = outcomes.result();
    return functions.flatMap(({ name, fn, error }, k): SweptEnd[] => {
      if (only !== undefined && name !== only) return [];
      const [own, end] = [owns[k]!, ends.get(name) ?? null];
      const row = { function: name, options, attributes };
      const failed = own === null ? error : own.failed || CALLS_FAILED;
      const counted: SweepRow =
        end === null
          ? { ...row, outcome: null, failed }
          : { ...row, outcome: end.outcome, failed: '', ...countCode(end.fn), ...codes[k] };
      return [{ row: counted, fn: own && fn, own, ended: end?.fn ?? null, bounds: end?.bounds ?? null }];
    });
  }

  private outcomesOf(
    { text, ir, evidence }: LoweredText,
    target: FileTarget,
    checkpoint?: () => void,
    keepsOrder = false,
  ): FileOutcomes {
    const facts = (): ModuleFacts => moduleFactsOf(text, ir);
    return new FileOutcomes(target, this.model, facts, ir, evidence, checkpoint, keepsOrder);
  }

  /** `before`: the same functions with other attributes, which the verifier does not look at. */
  private functionsOf(file: MirFile, before: readonly SweptFunction[] = []): LoweredText {
    const { triple, cpu, features, isChosen = false } = this.target;
    const options = { triple, cpu, features, isChosen, release: releaseOfModel(this.model), readsDumps: true };
    const lowered = lowerFile(file, options, this.cache);
    const ofFile = firstError(lowered.irDiagnostics);
    const functions = lowered.functions.map(({ fn }, n): SweptFunction => {
      const start = lowered.functionStarts[n] ?? 0;
      const own = ofFile || firstError(lowered.functionDiagnostics(n));
      const known = before[n]?.error === '' ? before[n] : null;
      const used = lazy(() => {
        const there = known?.used();
        // What an allocated function uses of its budget is another matter.
        return there?.kind === 'virtual' ? there : new PressureSummary(fn!).usedRegisters;
      });
      if (fn === null) return { name: `function ${n}`, fn, start, error: own || 'it cannot be read', used };
      const verified = (): readonly Diagnostic[] =>
        verifierDiagnostics(fn, verifyFunction(fn, irVerifierOptions(lowered.ir, fn)));
      return { name: fn.header.name, fn, start, error: own || (known === null ? firstError(verified()) : ''), used };
    });
    const d = file.documents.findIndex(({ kind }) => kind === DocumentKind.IR);
    const document = file.documents[d];
    const at = file.docStarts[d] ?? 0;
    const module = document === undefined ? null : { start: at + document.irStart, end: at + document.irEnd };
    const evidence = stageEvidence(file, this.target, this.stage);
    return { file, text: file.text.text, evidence, module, ir: lowered.ir, functions };
  }

  private withAttributes(attributes: ReadonlyMap<string, string>): LoweredText {
    const { file, module, functions: before } = this.asInFile;
    if (attributes.size === 0 || module === null) return this.asInFile;
    const { start, end } = module;
    const edit = { start, end, text: withAttributes(this.source.slice(start, end), attributes) };
    // The functions' texts stay: what is known of their lines is used again.
    const changed = this.functionsOf(updateMirFile(file, this.lines.apply(edit), [edit]), before);
    for (const [n, { fn }] of changed.functions.entries()) {
      const old = before[n]?.fn;
      if (fn !== null && old) renewRecorded(fn, computeFunctionLimits(old));
    }
    return changed;
  }
}

/** The levers that users of LLVM try: strategies, trackers, stages, waves, and where there are matrix instructions their registers. */
export function usualSettings(
  { triple, cpu, features }: FileTarget,
  release: ReleaseName,
  hasModule: boolean,
): SweepSetting[] {
  const subtarget = createSubtarget(triple, cpu, features, releaseOf(release));
  const options = [
    ...['max-ilp', 'max-memory-clause', 'iterative-ilp', 'iterative-minreg', 'iterative-maxocc'].map(
      (name) => `-amdgpu-sched-strategy=${name}`,
    ),
    '-amdgpu-use-amdgpu-trackers',
    '-amdgpu-disable-unclustered-high-rp-reschedule',
    '-amdgpu-schedule-metric-bias=0',
    '-amdgpu-schedule-relaxed-occupancy',
    '-enable-misched=0',
    ...(subtarget.hasGFX90AInsts ? ['-amdgpu-mfma-vgpr-form'] : []),
  ];
  const waves = [1, 2, 4, 8].filter((n) => n <= subtarget.maxWavesPerEU);
  const attributes = [
    ...waves.map((n) => ({ 'amdgpu-waves-per-eu': `${n},${n}` })),
    ...(subtarget.hasGFX90AInsts ? [{ 'amdgpu-agpr-alloc': '0' }] : []),
  ];
  return [
    ...options.map((option) => ({ options: [option], attributes: {} })),
    ...(hasModule ? attributes.map((some) => ({ options: [], attributes: some })) : []),
  ];
}

/** Of the function that was added last. */
function codeOf(outcomes: FileOutcomes): SweptCode {
  const found = outcomes.final();
  return typeof found === 'string' ? { final: null, noFinal: found } : { final: found, noFinal: '' };
}

/** What llc says of an attribute of the function whose value it cannot read, '' when it can read all. */
export function attributeProblem(fn: MachineFunction, attributes: Readonly<Record<string, string>>): string {
  const own = fn.header.irFunction;
  const changed = { ...own, attributes: new Map([...own.attributes, ...Object.entries(attributes)]) };
  const [error] = AttributeErrors.of(changed)?.ofDocument(fn.subtarget, false) ?? [];
  return error === undefined ? '' : error.replace(/^error: /, '');
}

export const AS_IT_STANDS = '(as in the file)';

/** `amdgpu-waves-per-eu=8,8` */
export function settingText({ options, attributes }: SweepSetting): string {
  const words = [...options, ...Object.entries(attributes).map(([name, value]) => `${name}=${value}`)];
  return words.length === 0 ? AS_IT_STANDS : words.join(' ');
}

interface SweptFunction {
  readonly name: string;
  readonly fn: MachineFunction | null;
  /** of its document in the text */
  readonly start: number;
  /** its first error, '' without one */
  readonly error: string;
  /** of a function without errors */
  readonly used: () => UsedRegisters;
}

interface LoweredText {
  readonly file: MirFile;
  readonly text: string;
  readonly evidence: StageEvidence;
  /** of the embedded IR in it; null without */
  readonly module: TextRange | null;
  readonly ir: IRModule | null;
  readonly functions: readonly SweptFunction[];
}

const firstError = (list: readonly Diagnostic[]): string =>
  list.find((d) => d.severity === Severity.Error)?.message ?? '';

/** The words come after those of the RUN line, so that they win. */
function withOptions(target: FileTarget, words: readonly string[]): FileTarget {
  if (words.length === 0) return target;
  const { triple, cpu, features } = target;
  const none: RunCommand = { triple, cpu, features, firstLine: -1, lastLine: -1, args: [], isNegated: false };
  const command = target.commands[target.commandIdx] ?? none;
  return { ...target, commands: [{ ...command, args: [...command.args, ...words] }], commandIdx: 0 };
}

/**
 * What instruction selection recorded from the attributes before, as it would have with the new ones: the occupancy, and those registers that were the last
 * of the old budget.
 * @llvm SIISelLowering.cpp SITargetLowering::finalizeLowering
 */
function renewRecorded(fn: MachineFunction, old: FunctionLimits): void {
  const info = fn.header.machineFunctionInfo;
  const limits = computeFunctionLimits(fn);
  info.occupancy = Math.min(limits.occupancyRange[1], limits.wavesPerEU[1]);
  const before = lastRegisters(fn, old);
  const after = lastRegisters(fn, limits);
  if (info.scratchRSrcReg === before.scratchRSrc) info.scratchRSrcReg = after.scratchRSrc;
  if (info.vgprForAGPRCopy === before.vgpr) info.vgprForAGPRCopy = after.vgpr;
  if (info.sgprForEXECCopy === before.exec) info.sgprForEXECCopy = after.exec;
}

interface LastRegisters {
  readonly scratchRSrc: number;
  readonly vgpr: number;
  readonly exec: number;
}

/** The last registers of a budget; the scratch descriptor and EXEC's copy may be the same. */
function lastRegisters({ tables, subtarget }: MachineFunction, limits: FunctionLimits): LastRegisters {
  const { maxNumSGPRs, maxNumVGPRs } = limits;
  const base = (maxNumSGPRs & ~3) - 4;
  const pair = (maxNumSGPRs & ~1) - 2;
  return {
    scratchRSrc: tables.regByName(`sgpr${base}_sgpr${base + 1}_sgpr${base + 2}_sgpr${base + 3}`),
    vgpr: tables.regByName(`vgpr${maxNumVGPRs - 1}`),
    exec: tables.regByName(subtarget.wavefrontSize === 32 ? `sgpr${maxNumSGPRs - 1}` : `sgpr${pair}_sgpr${pair + 1}`),
  };
}
