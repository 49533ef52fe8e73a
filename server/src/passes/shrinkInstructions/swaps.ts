/** si-shrink-instructions: three moves that exchange two values become V_SWAP (docs/llvm/folding.md, 8). */
import { operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { OperandKind, OpFlag, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { OpcodePattern, opcodeSet } from '../../target/opcodeSets.js';
import type { InstrForms } from '../instrForms.js';

const MOVES = new OpcodePattern(/^(?:V_MOV_B32_e32|V_MOV_B16_t16_e32|COPY)$/);
/** So many instructions are looked at. */
const SEARCH = 16;

interface Part {
  readonly reg: Reg;
  readonly sub: number;
}

/** Moves of an exchange, and the instruction before which it is to stand. */
interface Moves {
  readonly second: InstrId;
  readonly third: InstrId;
  readonly place: InstrId;
  readonly y: Part;
}

const same = (a: Part, b: Part): boolean => a.reg === b.reg && a.sub === b.sub;

export class SwapMatcher {
  constructor(private readonly forms: InstrForms) {}

  private part(o: OperandId): Part {
    const { fn } = this.forms;
    return { reg: fn.opVal[o], sub: fn.opSub[o] };
  }

  private isMove(i: InstrId): boolean {
    const { fn, tables } = this.forms;
    return MOVES.has(tables, fn.opcode[i]) && fn.opKind[fn.opBegin[i] + 1] === OperandKind.Register;
  }

  /** Whether an instruction reads or writes part of a register. */
  private touches(i: InstrId, { reg, sub }: Part, wantsDef: boolean): boolean {
    const { fn, tables } = this.forms;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (((fn.opFlags[o] & OpFlag.Def) !== 0) !== wantsDef) continue;
      const other = fn.opVal[o];
      if (!isVirtualReg(reg)) {
        if (other > 0 && reg > 0 && tables.regsOverlap(reg, other)) return true;
        continue;
      }
      const own = fn.opSub[o];
      const lo = tables.subRegLaneLo[sub] & tables.subRegLaneLo[own];
      const hi = tables.subRegLaneHi[sub] & tables.subRegLaneHi[own];
      if (other === reg && (lo | hi) !== 0) return true;
    }
    return false;
  }

  private bytes({ reg, sub }: Part): number {
    const { tables, facts } = this.forms;
    if (sub !== 0) return tables.subRegSize[sub] / 8;
    const rc = isVirtualReg(reg) ? facts.classOf(reg) : facts.baseClassOf(reg);
    return rc < 0 ? 0 : tables.regClassBits[rc] / 8;
  }

  /**
   * `t = x`, which `first` is, `x = y`, `y = t`, with other instructions between. Returns where to go on, null = nothing has changed.
   * @llvm SIShrinkInstructions.cpp SIShrinkInstructions::matchSwap
   */
  match(first: InstrId): number | null {
    const { fn, tables, editor, facts } = this.forms;
    const { list } = editor;
    if (!this.isMove(first)) return null;
    const begin = fn.opBegin[first];
    const [t, x] = [this.part(begin), this.part(begin + 1)];
    const size = this.bytes(t);
    if ((size === 2 && isVirtualReg(x.reg)) || !facts.isVGPR(x.reg)) return null;
    const found = fn.subtarget.release.rules.swapsBetweenMoves
      ? this.findAround(first, t, x)
      : this.findFrom(first, t, x, size);
    if (found === null) return null;
    const { second, third, place, y } = found;
    this.swap(first, second, place, x, y, size);
    editor.erase(second);
    this.drop(third);
    const next = list.after(first);
    if (isVirtualReg(t.reg) && editor.isUnread(t.reg)) this.drop(first);
    else {
      fn.opFlags[begin + 1] &= ~OpFlag.Kill;
      const dropped: number[] = [];
      for (let k = tables.opcodeNumOperands(fn.opcode[first]); k < fn.numOperands(first); k++) {
        const isKill = (fn.opFlags[begin + k] & OpFlag.Kill) !== 0;
        if (isKill && fn.opVal[begin + k] > 0 && x.reg > 0 && tables.regsOverlap(x.reg, fn.opVal[begin + k]))
          dropped.push(k);
      }
      if (dropped.length > 0) this.forms.drop(first, ...dropped);
    }
    return next;
  }

  /** The first `y = t` with an `x = y` before it that may become the exchange, whatever stands between them. */
  private findFrom(first: InstrId, t: Part, x: Part, size: number): Moves | null {
    const { fn, editor, facts } = this.forms;
    const { list } = editor;
    let isKilled = false;
    let n = 0;
    for (let i: number = list.after(first); i >= 0 && n < SEARCH && !isKilled; i = list.after(i), n++) {
      isKilled = this.kills(i, t.reg);
      const o = fn.opBegin[i];
      if (!this.isMove(i) || !same(this.part(o + 1), t)) continue;
      const y = this.part(o);
      if (!facts.isVGPR(y.reg)) continue;
      const second = this.exchanging(first, i, { t, x, y }, size);
      if (second >= 0) return { second, third: i, place: second, y };
    }
    return null;
  }

  private kills(i: InstrId, reg: Reg): boolean {
    const { fn, tables } = this.forms;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Kill)) !== OpFlag.Kill) continue;
      const other = fn.opVal[o];
      if (other === reg || (reg > 0 && other > 0 && tables.isSubRegister(other, reg))) return true;
    }
    return false;
  }

  /** The `x = y` between the two other moves; -1: there is none, or something stands in the way. */
  private exchanging(
    first: InstrId,
    third: InstrId,
    parts: Readonly<Record<'t' | 'x' | 'y', Part>>,
    size: number,
  ): InstrId {
    const { fn, tables, editor } = this.forms;
    const { t, x, y } = parts;
    let found = -1;
    for (let i: number = editor.list.after(first); i !== third; i = editor.list.after(i)) {
      const writesX = this.touches(i, x, true);
      if (this.touches(i, x, false) || this.touches(i, y, true) || this.touches(i, t, true)) return -1;
      if (found >= 0 && writesX) return -1;
      if (!this.touches(i, y, false)) {
        if (found < 0 && writesX) return -1;
        continue;
      }
      if (found >= 0 || !MOVES.has(tables, fn.opcode[i]) || !same(this.part(fn.opBegin[i]), x)) return -1;
      const nImplicit = fn.numOperands(i) - tables.opcodeNumOperands(fn.opcode[i]);
      if (size > 4 && nImplicit > (this.forms.nameOf(i) === 'COPY' ? 0 : 1)) continue;
      found = i;
    }
    return found;
  }

  /** `x = y` and then `y = t`, and where the two may meet between them. */
  private findAround(first: InstrId, t: Part, x: Part): Moves | null {
    const { fn, tables, editor } = this.forms;
    const { list } = editor;
    let y: Part | null = null;
    let second = -1;
    let place = -1;
    let n = 0;
    for (let i: number = list.after(first); i >= 0 && n < SEARCH; i = list.after(i)) {
      if (opcodeSet(tables, 'debugInstr').has(fn.opcode[i])) continue;
      n++;
      const o = fn.opBegin[i];
      if (y === null) {
        if (this.isMove(i) && same(this.part(o), x)) {
          second = i;
          y = this.part(o + 1);
        } else if (this.touches(i, x, true)) return null;
      } else {
        if (this.isMove(i) && same(this.part(o), y) && same(this.part(o + 1), t))
          return { second, third: i, place: place < 0 ? i : place, y };
        if (this.touches(i, y, true)) return null;
        if (place < 0 && (this.touches(i, x, false) || this.touches(i, x, true))) place = i;
        if (place >= 0 && this.touches(i, y, false)) return null;
      }
      if (this.touches(i, t, true)) return null;
    }
    return null;
  }

  private swap(first: InstrId, second: InstrId, at: InstrId, x: Part, y: Part, size: number): void {
    const { forms } = this;
    const { fn, tables } = forms;
    const exec = tables.regByName('exec');
    const rest: NewOperand[] = [];
    for (let k = tables.opcodeNumOperands(fn.opcode[second]); k < fn.numOperands(second); k++)
      rest.push(operandOf(fn, fn.opBegin[second] + k));
    const readsExec = rest.some(({ val, flags = 0 }) => val === exec && (flags & OpFlag.Def) === 0);
    const n = size === 2 ? 1 : size / 4;
    for (let k = 0; k < n; k++) {
      const [a, b] = size === 2 ? [x, y] : [this.word(x, k), this.word(y, k)];
      const made = forms.builder.build(at, first, forms.opcode(size === 2 ? 'V_SWAP_B16' : 'V_SWAP_B32'), [
        regOperand(a.reg, OpFlag.Def, a.sub),
        regOperand(b.reg, OpFlag.Def, b.sub),
        regOperand(b.reg, 0, b.sub),
        regOperand(a.reg, 0, a.sub),
      ]);
      if (readsExec) forms.reshape(made, [0, 1, 2, 3, ...rest]);
    }
  }

  /** The `k`th word of a register or part of one. */
  private word({ reg, sub }: Part, k: number): Part {
    const { tables } = this.forms;
    if (this.bytes({ reg, sub: 0 }) === 4) return { reg, sub };
    const channel = (n: number): number => tables.subRegIndexByName(`sub${n}`);
    if (!isVirtualReg(reg)) return { reg: tables.getSubReg(reg, channel(k)), sub };
    return { reg, sub: channel(k + (sub === 0 ? 0 : tables.subRegOffset[sub] / 32)) };
  }

  /** Takes an instruction out; what it defines besides stays defined. */
  private drop(i: InstrId): void {
    const { fn, tables, editor, builder } = this.forms;
    const opcode = fn.opcode[i];
    const described =
      tables.opcodeNumOperands(opcode) + tables.implicitDefs(opcode).length + tables.implicitUses(opcode).length;
    for (let k = described; k < fn.numOperands(i); k++) {
      const o = fn.opBegin[i] + k;
      if ((fn.opFlags[o] & OpFlag.Def) === 0) continue;
      builder.build(i, i, this.forms.opcode('IMPLICIT_DEF'), [regOperand(fn.opVal[o], OpFlag.Def)]);
    }
    editor.erase(i);
  }
}
