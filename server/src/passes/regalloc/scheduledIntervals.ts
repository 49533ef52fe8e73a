/** Live intervals that follow the scheduler's moves, for the passes after it. */
import { IntervalEditor } from '../../analysis/edit/intervalEditor.js';
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import { MovedInstr } from '../../analysis/edit/movedInstr.js';
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import { SlotIndexes } from '../../analysis/slotIndexes.js';
import { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListObserver } from '../../model/edit/instrList.js';
import { BundleFlag, OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { VRegId } from '../../model/register.js';
import type { RegUnit } from '../../target/api.js';
import type { RematFollower, SchedContext } from '../scheduler/context.js';
import type { ScheduleFollower } from '../scheduler/scheduleFunction.js';

import { FollowedUnits } from './followedUnits.js';
import { NotModelled } from '../machinePass.js';

/** What the scheduler leaves: intervals that followed its moves, and the units whose ranges it has computed. */
export interface Scheduled {
  readonly intervals: IntervalEditor;
  readonly units: ReadonlySet<number>;
}

const TORN_BUNDLE = 'a bundle whose members were scheduled by themselves';

export class ScheduledIntervals implements ScheduleFollower {
  private follower: Follower | null = null;
  private units: ReadonlySet<number> = new Set();

  /**
   * `checkpoint`: called now and then, may throw to end the work; `followsUnits`: ranges of register units follow the moves, too; `before`: what a
   * pass before has computed and kept, with its slots, whose distances the allocator goes by.
   */
  constructor(
    private readonly checkpoint: (() => void) | null = null,
    private readonly followsUnits = false,
    private readonly before: IntervalEditor | null = null,
  ) {}

  get known(): MachineFunction | null {
    return this.before?.editor.fn ?? null;
  }

  start(fn: MachineFunction): FunctionEditor {
    if (this.follower !== null) throw new NotModelled('a function that the scheduler starts on twice');
    this.follower = new Follower(fn, this.before ?? intervalsOf(fn, this.checkpoint));
    return this.follower.intervals.editor;
  }

  prepared(context: SchedContext): void {
    this.units = context.unitRanges;
    context.list.observer = this.follower;
    context.rematFollower = this.follower;
    if (this.followsUnits) this.follower?.followUnits(context);
  }

  /** When the scheduler is done; null when it was not asked for. */
  finish(): Scheduled | null {
    if (this.follower === null) return null;
    const { intervals } = this.follower;
    intervals.editor.list.observer = null;
    return { intervals, units: this.units };
  }

  /** The range of a register unit when the scheduler is done, null where it has not asked for it. */
  unitRange(unit: RegUnit): LiveRange | null {
    return this.follower?.units?.asked(unit) ?? null;
  }
}

function intervalsOf(fn: MachineFunction, checkpoint: (() => void) | null): IntervalEditor {
  const intervals = new IntervalEditor(new FunctionEditor(fn), new SlotIndexes(fn));
  intervals.computeAll(checkpoint);
  return intervals;
}

class Follower implements ListObserver, RematFollower {
  /** registers whose lanes are followed apart */
  private readonly byLanes = new Set<VRegId>();
  units: FollowedUnits | null = null;
  private readonly traits: Uint8Array;

  constructor(
    private readonly fn: MachineFunction,
    readonly intervals: IntervalEditor,
  ) {
    this.traits = opcodeTraits(fn.tables);
  }

  followUnits(context: SchedContext): void {
    this.units = new FollowedUnits(this.intervals, context);
  }

  leaving(i: InstrId): void {
    this.units?.settle(i);
  }

  moved(i: InstrId): void {
    const { intervals, fn, traits, units } = this;
    if ((traits[fn.opcode[i]] & OpcodeTrait.Debug) !== 0) return;
    const { slots } = intervals;
    const from = slots.ofInstr(i);
    units?.settle(i);
    slots.remove(i);
    const unitRange = units === null ? null : (unit: RegUnit): LiveRange | null => units.asked(unit);
    new MovedInstr(intervals, i, from, slots.insert(i, fn.instrBlock[i]), unitRange).update();
  }

  inserted(i: InstrId): void {
    const { fn, intervals } = this;
    if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) {
      if (this.units === null) throw new NotModelled(TORN_BUNDLE);
      // Torn off its header, it has no slot and never moves.
      intervals.slots.forget(i);
      return;
    }
    intervals.slots.insert(i, fn.instrBlock[i]);
  }

  readersChange(v: VRegId, byLanes: boolean): void {
    const { intervals } = this;
    if (byLanes) this.byLanes.add(v);
    intervals.recompute(v);
    if (this.byLanes.has(v)) intervals.followLanes(v);
  }

  /** As if it were erased: it comes back with another slot. */
  disabled(def: InstrId): void {
    this.intervals.slots.remove(def);
  }

  enabled(def: InstrId): void {
    this.intervals.slots.insert(def, this.fn.instrBlock[def]);
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
