/** Functions as llc prints them around passes (MachineFunctionPrinterPass and PrintIRInstrumentation, LLVM 22; docs/llvm/allocation-pipeline.md, 7). */
import type { SlotList } from '../analysis/edit/slotList.js';
import type { KnownIntervals } from '../analysis/verifier/index.js';
import { BundleFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { printMachineCode } from '../model/printer/index.js';
import type { FunctionState } from './functionState.js';
import { analysedCopy } from './longPasses.js';
import { NotModelled, type MachinePass } from './machinePass.js';
import { LIVE_INTERVALS, SLOT_INDEXES } from './passContext.js';
import type { PrintOptions } from './printOptions.js';

/** A pass as texts name it. */
interface Named {
  readonly name: string;
  readonly title: string;
}

/** Passes that no run names and that are none of ours: llc prints around them, too. */
const SLOT_NUMBERING: Named = { name: 'slotindexes', title: 'Slot index numbering' };
const VERIFIER: Named = { name: 'machineverifier', title: 'Verify generated machine code' };
const FRAME_LAYOUT: Named = { name: 'stack-frame-layout', title: 'Stack Frame Layout Analysis' };

interface Shown {
  readonly fn: MachineFunction;
  /** null: llc has none */
  readonly slots: SlotList | null;
}

/** Who prints around the passes of a run over one function. */
export interface PassPrinter {
  /** llc has verified the function that it begins with. */
  begin(): void;
  before(pass: MachinePass): void;
  /** `left`: live intervals that the pass has left; what it does not preserve is forgotten by then. */
  after(pass: MachinePass, left: KnownIntervals | null): void;
  /** `verify` is the verifier between two passes. */
  aroundVerifier(verify: () => void): void;
  /** the end of a cut pipeline */
  endOfCut(): void;
}

/** That of the legacy pass manager: with slot indexes where llc has some. */
export class LegacyPrinter implements PassPrinter {
  /** of the function as it is, where the state has let them go */
  private left: KnownIntervals | null = null;
  /** those with which a pass begins, where others would have other numbers; null = nobody cares */
  private slots: SlotList | null = null;

  constructor(
    private readonly state: FunctionState,
    private readonly options: PrintOptions,
  ) {}

  begin(): void {
    this.aroundVerifier(() => undefined);
  }

  /** Analyses that the pass requires are computed by then. */
  before(pass: MachinePass): void {
    const { state } = this;
    const needsIntervals = pass.requires.includes(LIVE_INTERVALS);
    const known = needsIntervals && pass.preserves !== 'all' ? state.known(LIVE_INTERVALS) : null;
    this.slots = known === null || isNumberedAnew(state.fn, known.intervals.slots) ? null : known.intervals.slots;
    const needsSlots = pass.requires.includes(SLOT_INDEXES);
    if (needsIntervals || needsSlots) this.aroundNumbering();
    const named = namedOf(pass);
    if (named === null || !this.options.isPrintedBefore(named.name)) return;
    pass.makeReady?.(state);
    this.print('Before', named, this.shown(needsIntervals, needsSlots));
  }

  after(pass: MachinePass, left: KnownIntervals | null): void {
    if (left !== null && this.slots !== null && left.intervals.slots !== this.slots)
      throw new NotModelled(`slot indexes that '${pass.name}' takes over from passes before it`);
    this.left = left ?? (pass.preserves === 'all' ? this.left : null);
    const named = namedOf(pass);
    if (named !== null && this.options.isPrintedAfter(named.name)) this.print('After', named, this.shown(false));
  }

  aroundVerifier(verify: () => void): void {
    if (this.options.isPrintedBefore(VERIFIER.name)) this.print('Before', VERIFIER, this.shown(false));
    verify();
    if (this.options.isPrintedAfter(VERIFIER.name)) this.print('After', VERIFIER, this.shown(false));
  }

  endOfCut(): void {
    if (this.options.isPrintedBefore(FRAME_LAYOUT.name)) this.print('Before', FRAME_LAYOUT, this.shown(false));
    if (this.options.isPrintedAfter(FRAME_LAYOUT.name)) this.print('After', FRAME_LAYOUT, this.shown(false));
  }

  /** The pass that is to come requires slot indexes. */
  private aroundNumbering(): void {
    const { state } = this;
    if (state.has(LIVE_INTERVALS) || state.has(SLOT_INDEXES)) return;
    if (this.options.isPrintedBefore(SLOT_NUMBERING.name))
      this.print('Before', SLOT_NUMBERING, { fn: state.fn, slots: null });
    if (!this.options.isPrintedAfter(SLOT_NUMBERING.name)) return;
    const { fn, known } = analysedCopy(state.fn, 'slot indexes');
    this.print('After', SLOT_NUMBERING, { fn, slots: known.intervals.slots });
  }

  private print(when: string, { title, name }: Named, { fn, slots }: Shown): void {
    const { context } = this.state;
    if (!this.options.isShown(fn.header.name)) return;
    context.stderr(`# *** IR Dump ${when} ${title} (${name}) ***:\n`);
    context.stderr(printMachineCode(fn, context.debugNames, slots === null ? null : columnOf(fn, slots)));
  }

  /** The function with its slot indexes. `needsIntervals`, `needsSlots`: they are computed for the pass that is to come, though the state has none. */
  private shown(needsIntervals: boolean, needsSlots = false): Shown {
    const { state } = this;
    const known = state.known(LIVE_INTERVALS) ?? (state.has(LIVE_INTERVALS) ? this.left : null);
    const slots = known?.intervals.slots ?? state.known(SLOT_INDEXES);
    if (slots !== null) return { fn: state.fn, slots };
    const hasIntervals = needsIntervals || state.has(LIVE_INTERVALS);
    if (!hasIntervals && !needsSlots) return { fn: state.fn, slots: null };
    const copy = analysedCopy(state.fn, hasIntervals ? undefined : 'slot indexes');
    return { fn: copy.fn, slots: copy.known.intervals.slots };
  }
}

/** That of the new pass manager, which computes nothing before and shows no slot indexes. */
export class PipelinePrinter implements PassPrinter {
  constructor(
    private readonly state: FunctionState,
    private readonly options: PrintOptions,
  ) {}

  begin(): void {
    // llc verifies at the end alone.
  }

  before(pass: MachinePass): void {
    if (this.options.isPrintedBefore(nameOf(pass))) this.print('Before', pass);
  }

  after(pass: MachinePass): void {
    if (this.options.isPrintedAfter(nameOf(pass))) this.print('After', pass);
  }

  aroundVerifier(verify: () => void): void {
    verify();
  }

  endOfCut(): void {
    // A pipeline is no cut.
  }

  private print(when: string, { className }: MachinePass): void {
    if (className === undefined) return;
    const { context, fn } = this.state;
    const { name } = fn.header;
    if (!this.options.isShown(name)) return;
    context.stderr(`; *** IR Dump ${when} ${className} on ${name} ***\n`);
    context.stderr(printMachineCode(fn, context.debugNames));
  }
}

/** Whether the numbers are those that the function would be given now. */
function isNumberedAnew(fn: MachineFunction, slots: SlotList): boolean {
  const { fn: copy, known } = analysedCopy(fn, 'slot indexes');
  const anew = known.intervals.slots;
  const numberIn = (list: SlotList, i: InstrId): number => (list.ofInstr(i) < 0 ? -1 : list.number(list.ofInstr(i)));
  return copy.order.every((i) => numberIn(slots, i) === numberIn(anew, i));
}

/** llc's legacy pass manager prints around no analysis. */
function namedOf({ name, title, isAnalysis }: MachinePass): Named | null {
  return title === null || isAnalysis === true ? null : { name, title };
}

/** `machine-uniformity` for `print<machine-uniformity>` */
const nameOf = ({ pipelineName }: MachinePass): string => (pipelineName ?? '').replace(/^print<(.*)>$/, '$1');

const columnOf = (fn: MachineFunction, slots: SlotList): NonNullable<Parameters<typeof printMachineCode>[2]> => ({
  ofBlock: (b) => slots.print(slots.startOf(b)),
  ofInstr(i) {
    const slot = (fn.bundle[i] & BundleFlag.BundledPred) !== 0 ? -1 : slots.ofInstr(i);
    return slot < 0 ? '' : slots.print(slot);
  },
});
