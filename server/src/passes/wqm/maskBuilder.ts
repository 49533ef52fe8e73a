/** Instructions of the pass: with the implicit operands of their opcodes, and slots of their own. */
import { regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import { virtReg, type Reg } from '../../model/register.js';
import type { RegClassId } from '../../target/api.js';
import type { AllocState } from '../regalloc/state.js';
import { maskOps, type MaskOps } from './modes.js';

export const ALL_LANES: NewOperand = { kind: OperandKind.Immediate, val: -1, ext: -1 };

export class MaskBuilder {
  readonly ops: MaskOps;
  /** the mask of live lanes; EXEC where nothing changes it */
  liveMask: Reg;

  constructor(readonly state: AllocState) {
    this.ops = maskOps(state);
    this.liveMask = this.ops.exec;
  }

  /** A new instruction without slot. `like`: whose debug location it has. */
  build(at: ListPos, block: BlockId, opcode: number, operands: readonly NewOperand[], like: InstrId = -1): InstrId {
    const { fn, tables, editor } = this.state;
    const i = editor.insert(at, block, opcode, [
      ...operands,
      ...tables.implicitDefs(opcode).map((r) => regOperand(r, OpFlag.Def | OpFlag.Implicit)),
      ...tables.implicitUses(opcode).map((r) => regOperand(r, OpFlag.Implicit)),
    ]);
    const location = like < 0 ? undefined : fn.extras.get(like)?.debugLocation;
    if (location !== undefined) fn.extras.set(i, { debugLocation: location });
    return i;
  }

  insert(at: ListPos, block: BlockId, opcode: number, operands: readonly NewOperand[], like: InstrId = -1): InstrId {
    const i = this.build(at, block, opcode, operands, like);
    this.addSlots([i]);
    return i;
  }

  /** Slots for new instructions, in this order. */
  addSlots(instrs: readonly InstrId[]): void {
    const { fn, slots } = this.state;
    for (const i of instrs) slots.insert(i, fn.instrBlock[i]);
  }

  newVReg(rc: RegClassId): Reg {
    const { vregs } = this.state.fn;
    const v = vregs.add(-1, null);
    vregs.regClass[v] = rc;
    return virtReg(v);
  }

  newMask(): Reg {
    return this.newVReg(this.ops.maskClass);
  }
}
