/** What the steps of coalescing (copies that move, definitions made anew) ask of the coalescer, and change through it. */
import type { LiveInterval, LiveRange } from '../../analysis/edit/liveRange.js';
import type { SlotRef } from '../../analysis/edit/slotList.js';
import type { Lanes } from '../../analysis/lanes.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { InstrId, MachineFunction, OperandId } from '../../model/machineFunction.js';
import type { Reg, VRegId } from '../../model/register.js';
import type { SubRegIdx } from '../../target/api.js';
import type { AllocState } from '../regalloc/state.js';

export interface Coalescing {
  readonly state: AllocState;
  readonly fn: MachineFunction;
  readonly editor: FunctionEditor;
  readonly lanes: Lanes;
  readonly erased: Set<InstrId>;
  readonly deadDefs: InstrId[];
  /** sources of so many copies that were made anew that their lives are shrunk once, at the end */
  readonly toBeUpdated: Set<VRegId>;

  limit(option: string, byDefault: number): number;
  isCopyLike(i: InstrId): boolean;
  isFullCopy(i: InstrId): boolean;
  interval(reg: Reg): LiveInterval;
  slotOf(i: InstrId): SlotRef;
  hasPhiKill(interval: LiveInterval, value: number): boolean;

  deleteInstr(i: InstrId): void;
  /** Gives what has fallen apart by shrinking registers of its own. */
  shrinkToUses(v: VRegId, dead?: InstrId[] | null): void;
  eliminateDeadDefs(parent?: VRegId): void;
  updateOperands(from: Reg, to: Reg, part: SubRegIdx): void;
  setPhysical(o: OperandId, reg: Reg): void;
  addPart(interval: LiveInterval, mask: bigint, like: LiveRange | null): LiveRange;
}
