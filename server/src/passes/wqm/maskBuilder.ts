/** Instructions of the pass, with slots of their own. */
import type { NewOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OperandKind, type InstrId } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import type { AllocState } from '../regalloc/state.js';
import { laneMaskOps, type LaneMaskOps } from '../laneMaskOps.js';

export const ALL_LANES: NewOperand = { kind: OperandKind.Immediate, val: -1, ext: -1 };

/** What it builds has no slot, what it inserts has. */
export class MaskBuilder extends InstrBuilder {
  readonly ops: LaneMaskOps;
  /** the mask of live lanes; EXEC where nothing changes it */
  liveMask: Reg;

  constructor(readonly state: AllocState) {
    super(state.editor);
    this.ops = laneMaskOps(state.fn);
    this.liveMask = this.ops.exec;
  }

  insert(at: ListPos, like: InstrId, opcode: number, operands: readonly NewOperand[]): InstrId {
    const i = this.build(at, like, opcode, operands);
    this.addSlots([i]);
    return i;
  }

  /** Slots for new instructions, in this order. */
  addSlots(instrs: readonly InstrId[]): void {
    const { fn, slots } = this.state;
    for (const i of instrs) slots.insert(i, fn.instrBlock[i]);
  }

  newMask(): Reg {
    return this.newVReg(this.ops.maskClass);
  }
}
