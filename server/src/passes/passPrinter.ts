/** Functions as llc's legacy pass manager prints them around a pass (MachineFunctionPrinterPass, LLVM 22). */
import type { SlotList } from '../analysis/edit/slotList.js';
import type { KnownIntervals } from '../analysis/verifier/index.js';
import { BundleFlag, type MachineFunction } from '../model/machineFunction.js';
import { printMachineCode } from '../model/printer/index.js';
import type { FunctionState } from './functionState.js';
import { analysedCopy } from './longPasses.js';
import { NotModelled, type MachinePass } from './machinePass.js';
import { LIVE_INTERVALS, SLOT_INDEXES } from './passContext.js';
import type { PrintOptions } from './printOptions.js';

interface Shown {
  readonly fn: MachineFunction;
  readonly slots: SlotList | null;
}

export class PassPrinter {
  constructor(
    private readonly state: FunctionState,
    private readonly options: PrintOptions,
  ) {}

  /** Analyses that the pass requires have been computed by then. */
  before(pass: MachinePass): void {
    if (!this.isPrinted(pass, this.options.before)) return;
    pass.makeReady?.(this.state);
    this.print('Before', pass, this.shown(pass.requires.includes(LIVE_INTERVALS), this.state.known(LIVE_INTERVALS)));
  }

  /** `left`: live intervals that the pass has left; what it does not preserve is forgotten by then. */
  after(pass: MachinePass, left: KnownIntervals | null): void {
    if (this.isPrinted(pass, this.options.after)) this.print('After', pass, this.shown(false, left));
  }

  /** llc prints around no analysis. */
  private isPrinted({ name, title, isAnalysis }: MachinePass, names: ReadonlySet<string>): boolean {
    return names.has(name) && title !== null && isAnalysis !== true && this.options.isShown(this.state.header.name);
  }

  private print(when: string, { title, name }: MachinePass, { fn, slots }: Shown): void {
    const { context } = this.state;
    context.stderr(`# *** IR Dump ${when} ${title} (${name}) ***:\n`);
    context.stderr(printMachineCode(fn, context.debugNames, slots === null ? null : columnOf(fn, slots)));
  }

  /** The function with its slot indexes where llc has some. */
  private shown(needsIntervals: boolean, known: KnownIntervals | null): Shown {
    const { state } = this;
    const slots = known?.intervals.slots ?? state.known(SLOT_INDEXES);
    if (slots !== null) return { fn: state.fn, slots };
    if (state.isLost(LIVE_INTERVALS))
      throw new NotModelled("slot indexes behind a 'virtregrewriter' that has cleared the registers");
    if (!needsIntervals && !state.has(LIVE_INTERVALS)) return { fn: state.fn, slots: null };
    const copy = analysedCopy(state.fn);
    return { fn: copy.fn, slots: copy.known.intervals.slots };
  }
}

const columnOf = (fn: MachineFunction, slots: SlotList): NonNullable<Parameters<typeof printMachineCode>[2]> => ({
  ofBlock: (b) => slots.print(slots.startOf(b)),
  ofInstr(i) {
    const slot = (fn.bundle[i] & BundleFlag.BundledPred) !== 0 ? -1 : slots.ofInstr(i);
    return slot < 0 ? '' : slots.print(slot);
  },
});
