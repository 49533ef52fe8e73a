/** Where each virtual register of a function is mentioned, in layout order. */
import { OperandKind, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';

export class RegisterMentions {
  /** operands of register v: `operands[begin[v]] .. operands[begin[v + 1]]`, debug instructions left out */
  readonly begin: Int32Array;
  readonly operands: Int32Array;
  /** instruction of each entry of `operands` */
  readonly instrs: Int32Array;
  /** place of each instruction in the layout */
  readonly position: Int32Array;

  /** O(operands) */
  constructor(fn: MachineFunction) {
    const { opKind, opVal, opBegin, order } = fn;
    const nVRegs = fn.vregs.n;
    const traits = opcodeTraits(fn.tables);
    const isCounted = (i: InstrId): boolean => (traits[fn.opcode[i]] & OpcodeTrait.NoSlotIndex) === 0;
    this.begin = new Int32Array(nVRegs + 1);
    this.position = new Int32Array(fn.nInstrs);
    const nPlaced = fn.blocks.length === 0 ? 0 : fn.blockEnd[fn.blocks.length - 1];
    for (let p = 0; p < nPlaced; p++) {
      const i = order[p];
      this.position[i] = p;
      if (!isCounted(i)) continue;
      for (let o = opBegin[i]; o < opBegin[i + 1]; o++)
        if (opKind[o] === OperandKind.Register && opVal[o] < 0) this.begin[~opVal[o] + 1]++;
    }
    for (let v = 0; v < nVRegs; v++) this.begin[v + 1] += this.begin[v];
    this.operands = new Int32Array(this.begin[nVRegs]);
    this.instrs = new Int32Array(this.begin[nVRegs]);
    const next = this.begin.slice();
    for (let p = 0; p < nPlaced; p++) {
      const i = order[p];
      if (!isCounted(i)) continue;
      for (let o = opBegin[i]; o < opBegin[i + 1]; o++) {
        if (opKind[o] !== OperandKind.Register || opVal[o] >= 0) continue;
        const at = next[~opVal[o]]++;
        this.operands[at] = o;
        this.instrs[at] = i;
      }
    }
  }
}
