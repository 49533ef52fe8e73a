/** Live intervals that follow the scheduler's moves, for the passes behind it. */
import { IntervalEditor } from '../../analysis/edit/intervalEditor.js';
import { MovedInstr } from '../../analysis/edit/movedInstr.js';
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import { SlotIndexes } from '../../analysis/slotIndexes.js';
import { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListObserver } from '../../model/edit/instrList.js';
import { BundleFlag, OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { SchedContext } from '../scheduler/context.js';
import type { ScheduleFollower } from '../scheduler/scheduleFunction.js';
import type { Scheduled } from './pipeline.js';
import { NotModelled } from './state.js';

const TORN_BUNDLE = 'a bundle whose members were scheduled by themselves';

export class ScheduledIntervals implements ScheduleFollower {
  private follower: Follower | null = null;
  private units: ReadonlySet<number> = new Set();

  /** `checkpoint`: called now and then, may throw to end the work. */
  constructor(private readonly checkpoint: (() => void) | null = null) {}

  start(fn: MachineFunction): FunctionEditor {
    if (this.follower !== null) throw new NotModelled('a function that the scheduler starts on twice');
    this.follower = new Follower(fn, this.checkpoint);
    return this.follower.intervals.editor;
  }

  prepared(context: SchedContext): void {
    this.units = context.unitRanges;
    context.list.observer = this.follower;
  }

  /** When the scheduler is done; null when it was not asked for. */
  finish(): Scheduled | null {
    if (this.follower === null) return null;
    const { intervals } = this.follower;
    intervals.editor.list.observer = null;
    return { intervals, units: this.units };
  }
}

class Follower implements ListObserver {
  readonly intervals: IntervalEditor;
  private readonly traits: Uint8Array;

  constructor(
    private readonly fn: MachineFunction,
    checkpoint: (() => void) | null,
  ) {
    this.traits = opcodeTraits(fn.tables);
    this.intervals = new IntervalEditor(new FunctionEditor(fn), new SlotIndexes(fn));
    this.intervals.computeAll(checkpoint);
  }

  moved(i: InstrId): void {
    const { intervals, fn, traits } = this;
    if ((traits[fn.opcode[i]] & OpcodeTrait.Debug) !== 0) return;
    const { slots } = intervals;
    const from = slots.ofInstr(i);
    slots.remove(i);
    new MovedInstr(intervals, i, from, slots.insert(i, fn.instrBlock[i])).update();
  }

  inserted(i: InstrId): void {
    const { fn, intervals } = this;
    if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) throw new NotModelled(TORN_BUNDLE);
    intervals.slots.insert(i, fn.instrBlock[i]);
  }

  /** What it defined is defined elsewhere now; what it read keeps its interval. */
  removed(i: InstrId): void {
    const { intervals, fn } = this;
    intervals.slots.remove(i);
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] >= 0 || (fn.opFlags[o] & OpFlag.Def) === 0) continue;
      intervals.recompute(~fn.opVal[o]);
    }
  }
}
