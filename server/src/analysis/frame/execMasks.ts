/**
 * Registers that si-optimize-exec-masking spares between allocation and prologepilog: a mask that is computed for EXEC alone is computed in EXEC, and the
 * compare that made the mask writes EXEC where the processor has compares that do. Follows SIOptimizeExecMasking.cpp (LLVM 22).
 */
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { maskClobbers } from '../../model/regMask.js';
import { isPhysicalReg, type Reg } from '../../model/register.js';
import { McFlag, type PhysReg } from '../../target/api.js';
import { OpcodePattern, opcodeSet } from '../../target/opcodeSets.js';
import type { BitSet } from '../../util/bitset.js';
import { LiveRegUnits } from '../liveRegUnits.js';
import { hasUnitOf } from './entryUnits.js';
import { OpcodeTrait, opcodeTraits } from '../opcodeTraits.js';

/** How many instructions the pass looks at: for the move to EXEC, the copy of EXEC, the last write of EXEC, and the compare. */
const MOVE_WINDOW = 5;
const COPY_WINDOW = 26;
const WRITE_WINDOW = 10;
const COMPARE_WINDOW = 20;

/** Each has a V_CMPX beside it. */
const COMPARES = new OpcodePattern(/^V_CMP_\w+_e64$/);

/** Operands that name a register and no longer will when the frame is laid out. `unkilled`: units whose registers no use kills. O(operands) */
export function sparedOperands(fn: MachineFunction, unkilled: BitSet | null): ReadonlySet<OperandId> {
  const masks = new ExecMasks(fn, unkilled);
  if (!fn.isOptNone) masks.run();
  return masks.spared;
}

/** @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking */
class ExecMasks {
  readonly spared = new Set<OperandId>();
  private readonly exec: PhysReg;
  private readonly skipsDebug: boolean;
  private readonly erased = new Set<InstrId>();
  /** logical operations that have become S_*_SAVEEXEC, with where they keep EXEC, or that write EXEC instead of their own register (0) */
  private readonly kept = new Map<InstrId, PhysReg>();

  constructor(
    private readonly fn: MachineFunction,
    private readonly unkilled: BitSet | null,
  ) {
    this.skipsDebug = fn.subtarget.release.rules.masksSkipDebugInstrs;
    this.exec = fn.tables.regByName(fn.subtarget.wavefrontSize === 64 ? 'exec' : 'exec_lo');
  }

  /** @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::run */
  run(): void {
    const { fn } = this;
    for (let b = 0; b < fn.blocks.length; b++) if (!this.foldMove(b)) break;
    if (!fn.subtarget.hasFeature('gfx10-3-insts')) return;
    for (let b = 0; b < fn.blocks.length; b++) this.foldCompare(b);
  }

  // -- the move to EXEC ---------------------------------------------------------------------------------------------

  /**
   * False when the pass leaves the rest of the function alone.
   * @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::optimizeExecSequence
   */
  private foldMove(b: BlockId): boolean {
    const instrs = this.instrsOf(b);
    const at = this.moveToExec(instrs);
    if (at < 0) return true;
    const first = Math.max(0, at - COPY_WINDOW + 1);
    let copy = at;
    while (copy >= first && !this.isCopyOfExec(instrs[copy])) copy--;
    if (copy < first) this.foldIntoLogic(instrs, at);
    else if (!this.isLiveOut(b, this.operand(instrs[at], 1))) {
      const save = this.savePlace(instrs, copy, at);
      return save < 0 || this.foldIntoSave(instrs, copy, save, at);
    }
    return true;
  }

  /** Place of the last move to EXEC at the end of a block, or -1. What stands after the terminators that allocation wants is not looked at. */
  private moveToExec(instrs: readonly InstrId[]): number {
    const { tables } = this.fn;
    const masks = opcodeSet(tables, 'maskTerminator');
    let place = instrs.length - 1;
    const isTerminator = (k: number): boolean =>
      k >= 0 && (tables.opcodeFlagsLo(this.fn.opcode[instrs[k]]) & (1 << McFlag.Terminator)) !== 0;
    while (isTerminator(place) && !masks.has(this.fn.opcode[instrs[place]])) place--;
    const moves = opcodeSet(tables, 'moveToExecTerminator');
    const copies = opcodeSet(tables, 'copyOfMask');
    for (let k = place; k >= 0 && k > place - MOVE_WINDOW; k--) {
      const i = instrs[k];
      if (!moves.has(this.fn.opcode[i]) && !copies.has(this.fn.opcode[i])) continue;
      if (this.operand(i, 0) === this.exec && this.operand(i, 1) > 0) return k;
    }
    return -1;
  }

  /** @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::isCopyFromExec */
  private isCopyOfExec(i: InstrId): boolean {
    const { tables, opcode } = this.fn;
    const isCopy =
      opcodeSet(tables, 'copyOfMask').has(opcode[i]) || opcodeSet(tables, 'moveToExecTerminator').has(opcode[i]);
    return isCopy && this.operand(i, 1) === this.exec;
  }

  /** An operation on EXEC itself, just before the move of its result. */
  private foldIntoLogic(instrs: readonly InstrId[], at: number): void {
    const { fn } = this;
    let place = at - 1;
    while (place >= 0 && this.skipsDebug && this.isDebug(instrs[place])) place--;
    if (place < 0) return;
    const [made, move] = [instrs[place], instrs[at]];
    const source = fn.opBegin[move] + 1;
    if ((fn.opFlags[source] & OpFlag.Kill) === 0 || hasUnitOf(fn, this.unkilled, fn.opVal[source])) return;
    if (!opcodeSet(fn.tables, 'execMask').has(fn.opcode[made])) return;
    if (this.operand(made, 1) !== this.exec && this.operand(made, 2) !== this.exec) return;
    if (this.operand(made, 0) !== fn.opVal[source]) return;
    this.spared.add(fn.opBegin[made]).add(source);
    this.erased.add(move);
    this.kept.set(made, 0);
  }

  /** Place of the operation on a copy of EXEC whose result is moved to EXEC, or -1 where something else wants the copy, the result or EXEC in between. */
  private savePlace(instrs: readonly InstrId[], copy: number, at: number): number {
    const { fn, exec } = this;
    const target = this.operand(instrs[at], 1);
    const own = this.operand(instrs[copy], 0);
    let save = -1;
    for (let k = copy + 1; k < at; k++) {
      const i = instrs[k];
      if (this.skipsDebug && this.isDebug(i)) continue;
      if (save >= 0 && this.reads(i, exec)) return -1;
      const readsCopy = this.reads(i, own);
      if (this.modifies(i, target)) {
        if (save >= 0 || !readsCopy || !opcodeSet(fn.tables, 'execMask').has(fn.opcode[i])) return -1;
        save = k;
      } else if (readsCopy && save < 0) return -1;
    }
    return save;
  }

  private foldIntoSave(instrs: readonly InstrId[], copy: number, save: number, at: number): boolean {
    const { fn } = this;
    const [made, move] = [instrs[save], instrs[at]];
    const own = this.operand(instrs[copy], 0);
    const target = this.operand(move, 1);
    if (this.operand(made, 1) !== own) {
      if (this.operand(made, 2) !== own) return true;
      const isCommutable = (fn.tables.opcodeFlagsLo(fn.opcode[made]) & (1 << McFlag.Commutable)) !== 0;
      if (!isCommutable) return false;
    }
    this.erased.add(instrs[copy]).add(move);
    this.kept.set(made, own);
    this.spared.add(fn.opBegin[made]).add(fn.opBegin[move] + 1);
    // Other readers take it from EXEC.
    for (let k = save + 1; k < at; k++)
      for (let o = fn.firstReg(instrs[k]); o >= 0; o = fn.nextReg(instrs[k], o))
        if (fn.opVal[o] === target && !this.isDebug(instrs[k])) this.spared.add(o);
    return true;
  }

  // -- the compare --------------------------------------------------------------------------------------------------

  /**
   * The last write of EXEC in a block is an AND with a compare's result that nothing else reads.
   * @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::tryRecordVCmpxAndSaveexecSequence
   */
  private foldCompare(b: BlockId): void {
    const { fn, exec } = this;
    const all = this.instrsOf(b).filter((i) => !this.erased.has(i));
    const instrs = all.filter((i) => !this.isDebug(i));
    const first = Math.max(0, instrs.length - WRITE_WINDOW);
    let at = instrs.length - 1;
    while (at >= first && !this.modifies(instrs[at], exec)) at--;
    if (at < first) return;
    const source = this.maskOfSave(instrs[at]);
    if (source < 0) return;
    const mask = fn.opVal[source];
    const place = this.compareBefore(instrs, at, mask);
    if (place < 0) return;
    const compare = instrs[place];
    const sources = ['src0', 'src1'].map((name) => this.namedReg(compare, name)).filter((reg) => reg > 0);
    const result = this.operand(compare, 0);
    if (sources.some((reg) => this.modifies(instrs[at], reg)) || this.isLiveOut(b, result)) return;
    for (let k = place + 1; k < at; k++) if (sources.some((reg) => this.modifies(instrs[k], reg))) return;
    const asked = this.skipsDebug ? instrs : all;
    const [from, to] = [asked.indexOf(compare), asked.indexOf(instrs[at])];
    if (this.isInUse(asked, from, to, result, null) || this.isInUse(asked, to, asked.length, result, b)) return;
    this.spared.add(fn.opBegin[compare]).add(source);
  }

  /** The operand whose mask an S_AND_SAVEEXEC puts into EXEC, or -1. */
  private maskOfSave(i: InstrId): OperandId {
    const { fn } = this;
    const bits = fn.subtarget.wavefrontSize;
    const name = fn.tables.opcodeName(fn.opcode[i]);
    const kept = this.kept.get(i);
    const source =
      name === `S_AND_SAVEEXEC_B${bits}`
        ? 1
        : name !== `S_AND_B${bits}` || !kept
          ? 0
          : this.operand(i, 1) === kept
            ? 2
            : 1;
    return source > 0 && this.operand(i, source) > 0 ? fn.opBegin[i] + source : -1;
  }

  /**
   * Place of the compare that makes the mask, or -1.
   * @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::findInstrBackwards
   */
  private compareBefore(instrs: readonly InstrId[], at: number, mask: PhysReg): number {
    const { fn, exec } = this;
    for (let k = at - 1; k >= 0 && k >= at - COMPARE_WINDOW; k--) {
      const isSource = this.modifies(instrs[k], mask);
      if (isSource && COMPARES.has(fn.tables, fn.opcode[instrs[k]])) return k;
      if (isSource || this.modifies(instrs[k], exec)) return -1;
    }
    return -1;
  }

  /**
   * Whether a register is read after the instruction at `from` and before the one at `to` changes it; `outOf`: also by the blocks that follow this one.
   * @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::isRegisterInUseBetween
   */
  private isInUse(instrs: readonly InstrId[], from: number, to: number, reg: PhysReg, outOf: BlockId | null): boolean {
    const { fn } = this;
    const live = new LiveRegUnits(fn);
    if (outOf !== null) live.addLiveOuts(outOf);
    // Operands that are EXEC now read no mask.
    for (let k = to - 1; k > from; k--) live.stepBackward(instrs[k], this.spared);
    return !live.available(reg);
  }

  // -- instructions -------------------------------------------------------------------------------------------------

  /** Of a bundle the header, which has the operands of all. */
  private instrsOf(b: BlockId): InstrId[] {
    const { fn } = this;
    const found: InstrId[] = [];
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++)
      if ((fn.bundle[fn.order[p]] & BundleFlag.BundledPred) === 0) found.push(fn.order[p]);
    return found;
  }

  private isDebug(i: InstrId): boolean {
    return (opcodeTraits(this.fn.tables)[this.fn.opcode[i]] & OpcodeTrait.Debug) !== 0;
  }

  /** The physical register that is operand `k`, or 0. */
  private operand(i: InstrId, k: number): PhysReg {
    const { fn } = this;
    const o = fn.opBegin[i] + k;
    if (o >= fn.opBegin[i + 1] || fn.opKind[o] !== OperandKind.Register) return 0;
    return isPhysicalReg(fn.opVal[o]) ? fn.opVal[o] : 0;
  }

  private namedReg(i: InstrId, name: string): PhysReg {
    const k = this.fn.tables.getNamedOperandIdx(this.fn.opcode[i], name);
    return k < 0 ? 0 : this.operand(i, k);
  }

  private reads(i: InstrId, reg: Reg): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if ((fn.opFlags[o] & OpFlag.Def) === 0 && this.overlaps(o, reg)) return true;
    return false;
  }

  private modifies(i: InstrId, reg: PhysReg): boolean {
    const { fn } = this;
    const { tables } = fn;
    const kept = this.kept.get(i);
    if (kept !== undefined && (tables.regsOverlap(reg, this.exec) || (kept > 0 && tables.regsOverlap(reg, kept))))
      return true;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask) {
        if (maskClobbers(fn, o, reg)) return true;
      } else if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) !== 0) {
        if (!this.spared.has(o) && this.overlaps(o, reg)) return true;
      }
    }
    return false;
  }

  private overlaps(o: OperandId, reg: Reg): boolean {
    return isPhysicalReg(this.fn.opVal[o]) && this.fn.tables.regsOverlap(this.fn.opVal[o], reg);
  }

  private isLiveOut(b: BlockId, reg: PhysReg): boolean {
    const { blocks } = this.fn;
    return blocks[b].successors.some((s) => blocks[s].liveIns.some((live) => live.reg === reg));
  }
}
