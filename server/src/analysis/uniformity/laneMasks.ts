/**
 * Which scalar registers hold a mask with a bit for each lane: the condition of a branch per lane, a carry, the lanes that are switched off. To
 * LLVM's uniformity they are as uniform as any SGPR. Not LLVM's: a register is a mask if an operand that describes itself as one (its class
 * depends on the wave size) writes or reads it, if it is a copy of EXEC or VCC, or if copies, PHIs or logic connect it with one.
 */
import {
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg, type VRegId } from '../../model/register.js';
import { McFlag, OpInfoFlag, RegKind, type TargetTables } from '../../target/index.js';
import { opcodeTraits, OpcodeTrait } from '../opcodeTraits.js';
import type { Uniformity } from './uniformity.js';

/** How an instruction hands masks on, by opcode. */
const enum Transfer {
  None = 0,
  /** result and operands are masks or none is */
  Same = 1,
  /** the result is a mask if all operands are; operands are masks if the result is */
  Logic = 2,
  /** saves EXEC in its result and changes it: both are masks */
  Exec = 3,
}

/** SALU instructions on bits, without suffix. */
const LOGIC = ['AND', 'OR', 'XOR', 'ANDN2', 'ORN2', 'NAND', 'NOR', 'XNOR', 'NOT', 'CSELECT', 'WQM'];
const MOVES = ['S_MOV_B', 'S_CMOV_B'];

const perTables = new WeakMap<TargetTables, Uint8Array>();

/** Transfer by opcode. */
function transfers(tables: TargetTables): Uint8Array {
  let found = perTables.get(tables);
  if (found !== undefined) return found;
  found = opcodeTraits(tables).map((t) => ((t & OpcodeTrait.Phi) !== 0 ? Transfer.Same : Transfer.None));
  const mark = (name: string, transfer: Transfer): void => {
    const opcode = tables.opcodeByName(name);
    if (opcode >= 0) found[opcode] = transfer;
  };
  mark('COPY', Transfer.Same);
  for (const bits of [32, 64]) {
    for (const word of LOGIC) {
      mark(`S_${word}_B${bits}`, Transfer.Logic);
      mark(`S_${word}_B${bits}_term`, Transfer.Logic);
      mark(`S_${word}_SAVEEXEC_B${bits}`, Transfer.Exec);
      mark(`S_${word}_SAVEEXEC_B${bits}_term`, Transfer.Exec);
    }
    for (const move of MOVES) {
      mark(`${move}${bits}`, Transfer.Same);
      mark(`${move}${bits}_term`, Transfer.Same);
    }
  }
  perTables.set(tables, found);
  return found;
}

class MaskFinder {
  readonly isMask: Uint8Array;
  private readonly fn: MachineFunction;
  private readonly transfer: Uint8Array;
  private readonly laneRegs: ReadonlySet<number>;
  private readonly worklist: number[] = [];

  constructor(private readonly uniformity: Uniformity) {
    const { fn } = uniformity;
    this.fn = fn;
    this.isMask = new Uint8Array(fn.vregs.n);
    this.transfer = transfers(fn.tables);
    const names = fn.subtarget.wavefrontSize === 32 ? ['exec_lo', 'vcc_lo'] : ['exec', 'vcc'];
    this.laneRegs = new Set(names.map((n) => fn.tables.regByName(n)));
    this.markTyped();
    for (let i = 0; i < fn.nInstrs; i++) this.markDescribed(i);
    for (let v = this.worklist.pop(); v !== undefined; v = this.worklist.pop()) this.spread(v);
  }

  private mark(reg: Reg): void {
    if (!isVirtualReg(reg) || this.isMask[~reg] === 1 || !this.canHoldMask(~reg)) return;
    this.isMask[virtRegIndex(reg)] = 1;
    this.worklist.push(virtRegIndex(reg));
  }

  /** SGPRs with a bit per lane, or the bank `vcc`. */
  private canHoldMask(v: VRegId): boolean {
    const { vregs, tables, subtarget } = this.fn;
    if (vregs.bank[v] >= 0) return tables.regBankName(vregs.bank[v]).toLowerCase() === 'vcc';
    const rc = vregs.regClass[v];
    return rc >= 0 && tables.regClassKind[rc] === RegKind.SGPR && tables.regClassBits[rc] === subtarget.wavefrontSize;
  }

  private markTyped(): void {
    const { vregs, tables } = this.fn;
    for (let v = 0; v < vregs.n; v++) {
      const bank = vregs.bank[v];
      const type = vregs.type[v];
      const isBit = type?.kind === 'scalar' && type.bits === 1;
      if ((bank >= 0 && tables.regBankName(bank).toLowerCase() === 'vcc') || (isBit && bank < 0)) this.mark(~v);
    }
  }

  /** Operands whose class depends on the wave size, copies of EXEC and VCC, results that save EXEC. */
  private markDescribed(i: InstrId): void {
    const { fn } = this;
    const { tables, subtarget } = fn;
    const opcode = fn.opcode[i];
    const begin = fn.opBegin[i];
    const end = Math.min(fn.opBegin[i + 1], begin + tables.opcodeNumOperands(opcode));
    const info = tables.opInfoBegin(opcode);
    for (let o = begin; o < end; o++) {
      if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) continue;
      if ((tables.opInfoFlags[info + o - begin] & OpInfoFlag.LookupRegClassByHwMode) === 0) continue;
      const rc = subtarget.opInfoRegClass(opcode, o - begin);
      if (rc >= 0 && tables.regClassKind[rc] === RegKind.SGPR) this.mark(fn.opVal[o]);
    }
    const transfer = this.transfer[opcode];
    if (transfer === Transfer.None) return;
    if (transfer === Transfer.Exec) {
      for (let o = begin; o < end; o++) if (fn.opKind[o] === OperandKind.Register) this.mark(fn.opVal[o]);
    } else if (this.readsExec(i)) this.handOn(i);
  }

  private readsExec(i: InstrId): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (this.isExplicit(o) && this.laneRegs.has(fn.opVal[o])) return true;
    return false;
  }

  private isExplicit(o: OperandId): boolean {
    return (this.fn.opFlags[o] & OpFlag.Implicit) === 0;
  }

  private isMaskReg(reg: Reg): boolean {
    return isVirtualReg(reg) ? this.isMask[~reg] === 1 : this.laneRegs.has(reg);
  }

  private isConstant(reg: Reg): boolean {
    const { fn } = this;
    const def = isVirtualReg(reg) ? this.uniformity.lastDefOf(virtRegIndex(reg)) : -1;
    return (
      def >= 0 &&
      ((fn.tables.opcodeFlagsLo(fn.opcode[def]) >>> McFlag.MoveImm) & 1) !== 0 &&
      fn.opKind[fn.opBegin[def] + 1] === OperandKind.Immediate
    );
  }

  /** A register has become a mask: so may those that its readers and its definition connect it with. */
  private spread(v: VRegId): void {
    for (const i of this.uniformity.usersOf(v)) this.handOn(i);
    const def = this.uniformity.lastDefOf(v);
    if (def >= 0) this.handOn(def);
  }

  private handOn(i: InstrId): void {
    const { fn } = this;
    const transfer = this.transfer[fn.opcode[i]];
    if (transfer === Transfer.None) return;
    const result = fn.opVal[fn.opBegin[i]];
    let all = true;
    let some = false;
    for (let o = fn.nextReg(i, fn.opBegin[i]); o >= 0; o = fn.nextReg(i, o)) {
      if (!this.isExplicit(o)) continue;
      if (!this.isMaskReg(fn.opVal[o])) all = false;
      // A constant may be no lanes here and zero there.
      else if (transfer === Transfer.Logic || !this.isConstant(fn.opVal[o])) some = true;
    }
    const isResultMask = this.isMaskReg(result) || (transfer === Transfer.Logic ? some && all : some);
    if (!isResultMask) return;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (this.isExplicit(o)) this.mark(fn.opVal[o]);
  }
}

/** 1 for virtual registers that hold a mask, by index. O(operands + users of masks) */
export function findLaneMasks(uniformity: Uniformity): Uint8Array {
  return new MaskFinder(uniformity).isMask;
}
