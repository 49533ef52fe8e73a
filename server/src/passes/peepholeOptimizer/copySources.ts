/** peephole-opt: where the value that a copy reads comes from (docs/llvm/improving-ssa.md, 2). */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OpFlag, type InstrId, type MachineFunction, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import type { SubRegIdx, TargetTables } from '../../target/index.js';
import { composed, reverseComposed, shareRegisterFile } from '../registerParts.js';

/** A register, or a part of it. */
export interface Part {
  readonly reg: Reg;
  readonly sub: SubRegIdx;
}

/** @llvm PeepholeOptimizer.cpp ValueTracker */
export class CopySources {
  private readonly fn: MachineFunction;
  private readonly tables: TargetTables;
  private readonly opcodes: Readonly<Record<'copy' | 'regSequence' | 'insert' | 'extract' | 'toReg' | 'phi', number>>;

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.tables = editor.fn.tables;
    const opcode = (name: string): number => this.tables.opcodeByName(name);
    this.opcodes = {
      copy: opcode('COPY'),
      regSequence: opcode('REG_SEQUENCE'),
      insert: opcode('INSERT_SUBREG'),
      extract: opcode('EXTRACT_SUBREG'),
      toReg: opcode('SUBREG_TO_REG'),
      phi: opcode('PHI'),
    };
  }

  /** Operands that `i` copies from, with the part of its result that they become; empty for what is no copy. */
  *copiedBy(i: InstrId): IterableIterator<{ readonly o: OperandId; readonly source: Part; readonly sub: SubRegIdx }> {
    const { fn, opcodes } = this;
    const begin = fn.opBegin[i];
    const source = (o: OperandId, sub = fn.opSub[o]): Part => ({ reg: fn.opVal[o], sub });
    switch (fn.opcode[i]) {
      case opcodes.copy:
        yield { o: begin + 1, source: source(begin + 1), sub: fn.opSub[begin] };
        return;
      case opcodes.insert:
        yield { o: begin + 2, source: source(begin + 2), sub: fn.opVal[begin + 3] };
        return;
      case opcodes.extract:
        if (fn.opSub[begin + 1] === 0)
          yield { o: begin + 1, source: source(begin + 1, fn.opVal[begin + 2]), sub: fn.opSub[begin] };
        return;
      case opcodes.regSequence:
        for (let o = begin + 1; o + 1 < fn.opBegin[i + 1]; o += 2) yield { o, source: source(o), sub: fn.opVal[o + 1] };
    }
  }

  /**
   * The first place up the chain of copies where the value is in registers of the kind that the copy's result has; null if there is none.
   * @llvm PeepholeOptimizer.cpp PeepholeOptimizer::findNextSource
   */
  better(result: Part, source: Part): Part | null {
    const rc = this.classOf(result.reg);
    const seen = new Set<Reg>();
    for (let at = source; isVirtualReg(at.reg) && !seen.has(at.reg);) {
      seen.add(at.reg);
      const next = this.sourceOf(at);
      if (next === null || !isVirtualReg(next.reg)) return null;
      at = next;
      if (shareRegisterFile(this.tables, rc, result.sub, this.classOf(at.reg), at.sub))
        return at.reg === source.reg ? null : at;
    }
    return null;
  }

  private classOf(reg: Reg): number {
    return this.fn.vregs.regClass[virtRegIndex(reg)];
  }

  /**
   * What a part is copied from, null: nothing that is known, or several registers.
   * @llvm PeepholeOptimizer.cpp ValueTracker::getNextSourceImpl
   */
  private sourceOf({ reg, sub }: Part): Part | null {
    const { fn, opcodes, editor } = this;
    const def = editor.defOf(reg);
    if (def < 0) return null;
    const begin = fn.opBegin[def];
    switch (fn.opcode[def]) {
      case opcodes.copy:
        return this.ofCopy(begin + 1, sub);
      case opcodes.regSequence:
        return this.ofSequence(def, sub);
      case opcodes.insert:
        return this.ofInsert(begin, sub);
      case opcodes.extract:
        if (sub !== 0 || this.isUndef(begin + 1) || fn.opSub[begin + 1] !== 0) return null;
        return { reg: fn.opVal[begin + 1], sub: fn.opVal[begin + 2] };
      case opcodes.toReg: {
        const index = begin + this.tables.opcodeNumOperands(opcodes.toReg) - 1;
        if (sub !== fn.opVal[index] || fn.opSub[index - 1] !== 0) return null;
        return { reg: fn.opVal[index - 1], sub };
      }
      case opcodes.phi:
        if (fn.numOperands(def) !== 3 || sub !== 0 || this.isUndef(begin + 1)) return null;
        return { reg: fn.opVal[begin + 1], sub: fn.opSub[begin + 1] };
      default:
        return null;
    }
  }

  private isUndef(o: OperandId): boolean {
    return (this.fn.opFlags[o] & OpFlag.Undef) !== 0;
  }

  /** @llvm PeepholeOptimizer.cpp ValueTracker::getNextSourceFromCopy */
  private ofCopy(o: OperandId, sub: SubRegIdx): Part | null {
    const { fn, tables } = this;
    if (this.isUndef(o)) return null;
    const reg = fn.opVal[o];
    const part = composed(tables, fn.opSub[o], sub);
    return sub !== 0 && !this.hasPart(reg, part) ? null : { reg, sub: part };
  }

  /** Whether all registers of its class have a part. */
  private hasPart(reg: Reg, part: SubRegIdx): boolean {
    return isVirtualReg(reg) && this.tables.getSubClassWithSubReg(this.classOf(reg), part) === this.classOf(reg);
  }

  /** @llvm PeepholeOptimizer.cpp ValueTracker::getNextSourceFromRegSequence */
  private ofSequence(i: InstrId, sub: SubRegIdx): Part | null {
    const { fn, tables } = this;
    const { subRegLaneLo: lo, subRegLaneHi: hi } = tables;
    const inputs: OperandId[] = [];
    for (let o = fn.opBegin[i] + 1; o + 1 < fn.opBegin[i + 1]; o += 2) if (!this.isUndef(o)) inputs.push(o);
    const exact = inputs.find((o) => fn.opVal[o + 1] === sub);
    if (exact !== undefined) return { reg: fn.opVal[exact], sub: fn.opSub[exact] };
    for (const o of inputs) {
      const into = fn.opVal[o + 1];
      if ((lo[sub] & ~lo[into]) !== 0 || (hi[sub] & ~hi[into]) !== 0) continue;
      const within = reverseComposed(tables, into, sub);
      if (within === 0) continue;
      const part = composed(tables, fn.opSub[o], within);
      return this.hasPart(fn.opVal[o], part) ? { reg: fn.opVal[o], sub: part } : null;
    }
    return null;
  }

  /** @llvm PeepholeOptimizer.cpp ValueTracker::getNextSourceFromInsertSubreg */
  private ofInsert(begin: OperandId, sub: SubRegIdx): Part | null {
    const { fn, tables } = this;
    const { subRegLaneLo: lo, subRegLaneHi: hi } = tables;
    const [base, inserted, into] = [begin + 1, begin + 2, fn.opVal[begin + 3]];
    if (this.isUndef(inserted)) return null;
    if (into === sub) return { reg: fn.opVal[inserted], sub: fn.opSub[inserted] };
    if (!isVirtualReg(fn.opVal[base]) || this.classOf(fn.opVal[begin]) !== this.classOf(fn.opVal[base])) return null;
    if (fn.opSub[base] !== 0 || (lo[sub] & lo[into]) !== 0 || (hi[sub] & hi[into]) !== 0) return null;
    return { reg: fn.opVal[base], sub };
  }
}
