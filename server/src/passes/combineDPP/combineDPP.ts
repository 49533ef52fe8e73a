/** `gcn-dpp-combine`: instructions read lanes of others themselves (GCNDPPCombine, LLVM 22; docs/llvm/folding.md, 10). */
import { operandOf, regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import {
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG, type Reg } from '../../model/register.js';
import { sameOperand } from '../../model/sameOperand.js';
import {
  Generation,
  hasOpcodeFlag,
  isVOP1,
  isVOP2,
  isVOP3,
  isVOP3P,
  isVOPC,
  McFlag,
  type Opcode,
  type TargetTables,
} from '../../target/index.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { InstrForms, TRUE16 } from '../instrForms.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { Unmodelled } from '../registerFacts.js';

/** @llvm GCNDPPCombine.cpp GCNDPPCombineLegacy */
export const combineDPPPass: MachinePass = {
  name: 'gcn-dpp-combine',
  pipelineName: 'gcn-dpp-combine',
  className: 'GCNDPPCombinePass',
  title: 'GCN DPP Combine',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (!state.fn.isOptNone && state.fn.subtarget.hasFeature('dpp')) new DPPCombine(state.editor()).run();
  },
};

/** So many readers, and so many instructions up to the last, are looked at. */
const MOST_USES = 10;
const SEARCH = 20;

/** DPP_CTRL: ROW_NEWBCAST, ROW_SHARE */
const FIRST_ROW_BROADCAST = 0x150;
const LAST_ROW_BROADCAST = 0x15f;
const ALL_ROWS = 0xf;
/** SISrcMods::NEG and ABS */
const FLOAT_MODIFIERS = 3;
const OP_SEL_0 = 4;
const OP_SEL_1 = 8;

/** What leaves the other source as it is, by name without encoding. */
const IDENTITIES: readonly (readonly [RegExp, number])[] = [
  [/^V_(?:ADD(?:_CO)?_U32|OR_B32|SUBREV(?:_CO)?_U32|MAX_U32|XOR_B32)_e(?:32|64)$/, 0],
  [/^V_(?:AND_B32|MIN_U32)_e(?:32|64)$/, -1],
  [/^V_MIN_I32_e(?:32|64)$/, 0x7fffffff],
  [/^V_MAX_I32_e(?:32|64)$/, -0x80000000],
  [/^V_MUL_(?:I32_I24|U32_U24)_e(?:32|64)$/, 1],
];

interface Part {
  readonly reg: Reg;
  readonly sub: number;
}

/** What a move of lanes gives to those that it does not write: a constant, nothing (null), or some register. */
type OldValue = number | null | 'register';

class DPPCombine {
  private readonly fn: MachineFunction;
  private readonly tables: TargetTables;
  private readonly forms: InstrForms;
  /** leaves implicit VCC whole, as LLVM does here */
  private readonly builder: InstrBuilder;

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.tables = editor.fn.tables;
    this.forms = new InstrForms(editor);
    this.builder = new InstrBuilder(editor);
  }

  /** @llvm GCNDPPCombine.cpp GCNDPPCombine::run */
  run(): void {
    const { fn, forms } = this;
    const { list } = this.editor;
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i: number = list.before(~b); i >= 0;) {
        const before = list.before(i);
        const name = forms.nameOf(i);
        if (name === 'V_MOV_B32_dpp') this.combine(i);
        else if (name === 'V_MOV_B64_DPP_PSEUDO' || name === 'V_MOV_B64_dpp') {
          if (!fn.subtarget.hasFeature('dpp-64bit') || !this.combine(i))
            for (const part of this.split(i)) this.combine(part);
        }
        i = before;
      }
  }

  private imm(i: InstrId, name: string): number {
    const o = this.forms.named(i, name);
    return o < 0 ? 0 : this.fn.opVal[o];
  }

  private isRowBroadcast(move: InstrId): boolean {
    const control = this.imm(move, 'dpp_ctrl');
    return control >= FIRST_ROW_BROADCAST && control <= LAST_ROW_BROADCAST;
  }

  /**
   * A move of 64 bits as two of 32, or as the one that the processor has.
   * @llvm SIInstrInfo.cpp SIInstrInfo::expandMovDPP64
   */
  private split(i: InstrId): InstrId[] {
    const { fn, tables, forms, editor } = this;
    if (fn.subtarget.hasFeature('gfx940-insts') && this.isRowBroadcast(i)) {
      fn.opcode[i] = forms.opcode('V_MOV_B64_dpp');
      return [i];
    }
    const begin = fn.opBegin[i];
    const result = fn.opVal[begin];
    if (!isVirtualReg(result)) throw new Unmodelled('a move of lanes to a register that is allocated');
    const parts: InstrId[] = [];
    const sequence: NewOperand[] = [regOperand(result, OpFlag.Def)];
    for (const name of ['sub0', 'sub1']) {
      const sub = tables.subRegIndexByName(name);
      const made = forms.builder.newVReg(tables.regClassByName('vgpr_32'));
      const operands = [regOperand(made, OpFlag.Def)];
      for (let o = begin + 1; o < begin + tables.opcodeNumOperands(fn.opcode[i]); o++) {
        const op = operandOf(fn, o);
        if (op.kind !== OperandKind.Register) operands.push(op);
        else operands.push(regOperand(op.val, (op.flags ?? 0) & OpFlag.Undef, sub));
      }
      parts.push(forms.builder.build(i, i, forms.opcode('V_MOV_B32_dpp'), operands));
      sequence.push(regOperand(made), { kind: OperandKind.Immediate, val: sub });
    }
    forms.builder.build(i, i, forms.opcode('REG_SEQUENCE'), sequence);
    editor.erase(i);
    return parts;
  }

  // -- what is known of values ---------------------------------------------------------------------------------------------

  /**
   * The instruction that makes a part of a register, seen through copies and sequences; -1: it is undefined.
   * @llvm SIInstrInfo.cpp getVRegSubRegDef
   */
  private definerOf(part: Part): InstrId {
    const { fn, forms, editor } = this;
    let { reg, sub } = part;
    if (!isVirtualReg(reg)) return -1;
    let at = editor.defOf(reg);
    for (let left = fn.vregs.n; at >= 0 && left > 0; left--) {
      const begin = fn.opBegin[at];
      const name = forms.nameOf(at);
      let source = -1;
      if (name === 'COPY' || name === 'V_MOV_B32_e32') {
        if (fn.opKind[begin + 1] === OperandKind.Register && isVirtualReg(fn.opVal[begin + 1])) source = begin + 1;
        if (source < 0) return at;
      } else if (sub === 0) return at;
      else if (name === 'REG_SEQUENCE') {
        for (let o = begin + 1; o < fn.opBegin[at + 1]; o += 2) if (fn.opVal[o + 1] === sub) source = o;
        if (source < 0) return -1;
      } else if (name === 'INSERT_SUBREG') throw new Unmodelled('lanes of a register that INSERT_SUBREG makes');
      else return at;
      if ((fn.opFlags[source] & OpFlag.Undef) !== 0) return -1;
      const isCopy = name !== 'REG_SEQUENCE';
      reg = fn.opVal[source];
      sub = fn.opSub[source];
      const next = editor.defOf(reg);
      if (next < 0) return isCopy || isVirtualReg(reg) ? at : -1;
      at = next;
    }
    return at;
  }

  /** @llvm GCNDPPCombine.cpp GCNDPPCombine::getOldOpndValue */
  private oldValue(old: OperandId): OldValue {
    const { fn, forms } = this;
    const def = this.definerOf({ reg: fn.opVal[old], sub: fn.opSub[old] });
    if (def < 0 || forms.nameOf(def) === 'IMPLICIT_DEF') return null;
    const o = fn.opBegin[def] + 1;
    const isMove = /^(?:COPY|V_MOV_B32_e32|V_MOV_B64_PSEUDO|V_MOV_B64_e(?:32|64))$/.test(forms.nameOf(def));
    return isMove && fn.opKind[o] === OperandKind.Immediate ? fn.imm(o) : 'register';
  }

  /**
   * Whether EXEC may be another one where a register is read, or where that is too far to say.
   * @llvm SIInstrInfo.cpp execMayBeModifiedBeforeAnyUse
   */
  private mayChangeExec(reg: Reg, def: InstrId): boolean {
    const { fn, tables, editor } = this;
    const uses = editor.usesOf(reg);
    const phis = opcodeSet(tables, 'phi');
    const isElsewhere = (o: OperandId): boolean => {
      const user = editor.instrOf(o);
      return fn.instrBlock[user] !== fn.instrBlock[def] || phis.has(fn.opcode[user]);
    };
    if (uses.some(isElsewhere) || uses.length > MOST_USES) return true;
    if (uses.length === 0) return false;
    const exec = tables.regByName('exec');
    let left = uses.length;
    let n = 0;
    for (let i: number = editor.list.after(def); i >= 0; i = editor.list.after(i)) {
      if (opcodeSet(tables, 'debugInstr').has(fn.opcode[i])) continue;
      if (++n > SEARCH) return true;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if ((fn.opFlags[o] & OpFlag.Def) === 0) {
          if (fn.opVal[o] === reg && --left === 0) return false;
        } else if (fn.opVal[o] > 0 && tables.regsOverlap(fn.opVal[o], exec)) return true;
      }
    }
    return true;
  }

  /** @llvm SIInstrInfo.h isOfRegClass */
  private isOfClass({ reg, sub }: Part, rc: number): boolean {
    const own = this.forms.facts.classOf(reg);
    return sub === 0 ? own === rc : own === this.tables.getMatchingSuperRegClass(own, rc, sub);
  }

  // -- the DPP form of an instruction ------------------------------------------------------------------------------------

  /** @llvm GCNDPPCombine.cpp GCNDPPCombine::isShrinkable */
  private isShrinkable(i: InstrId): boolean {
    const { fn, tables, forms, editor } = this;
    const opcode = fn.opcode[i];
    if (!isVOP3(tables, opcode) || !forms.hasShortForm(opcode) || TRUE16.has(tables, opcode)) return false;
    const sdst = forms.named(i, 'sdst');
    if (sdst >= 0 && !editor.isUnread(fn.opVal[sdst])) return false;
    const hasFloat = ['src0_modifiers', 'src1_modifiers'].every((name) => (this.imm(i, name) & ~FLOAT_MODIFIERS) === 0);
    return hasFloat && !['clamp', 'omod', 'byte_sel'].some((name) => forms.isSet(i, name));
  }

  private get hasLongDPP(): boolean {
    return this.fn.subtarget.generation >= Generation.GFX11;
  }

  /** @llvm GCNDPPCombine.cpp GCNDPPCombine::getDPPOp */
  private dppForm(opcode: Opcode, isShrinkable: boolean): Opcode {
    const { tables, fn } = this;
    const exists = (form: Opcode): boolean => form >= 0 && fn.subtarget.mcOpcode(form) >= 0;
    let short = tables.mapOpcode('DPP32', opcode);
    if (isShrinkable) {
      const e32 = tables.mapOpcode('VOPe32', opcode);
      short = e32 < 0 ? -1 : tables.mapOpcode('DPP32', e32);
    }
    if (exists(short)) return short;
    const long = this.hasLongDPP ? tables.mapOpcode('DPP64', opcode) : -1;
    return exists(long) ? long : -1;
  }

  /**
   * `i` with the lanes of `move` as its first source, before it; -1: there is no such form, or it does not take the operands.
   * @llvm GCNDPPCombine.cpp GCNDPPCombine::createDPPInst
   */
  private build(i: InstrId, move: InstrId, old: Part, isZeroed: boolean, isShrinkable: boolean): InstrId {
    const { fn, tables, forms, editor } = this;
    const opcode = this.dppForm(fn.opcode[i], isShrinkable);
    if (opcode < 0) return -1;
    const short = tables.mapOpcode('VOPe32', fn.opcode[i]);
    const isCompare = isVOPC(tables, opcode) || (isVOP3(tables, opcode) && short >= 0 && isVOPC(tables, short));
    if (!forms.has(opcode, 'old') && !isCompare) return -1;
    if (forms.named(i, 'src2') >= 0 && !forms.has(opcode, 'src2')) return -1;
    const selected = (bit: number): readonly boolean[] =>
      ['src0', 'src1', 'src2'].map((name) => (this.imm(i, `${name}_modifiers`) & bit) !== 0);
    if (this.hasLongDPP && forms.named(i, 'op_sel') >= 0) {
      const writesHigh = isVOP3(tables, fn.opcode[i]) && !isVOP3P(tables, fn.opcode[i]) && selected(OP_SEL_1)[0];
      if (selected(OP_SEL_0).includes(true) || writesHigh) return -1;
    }
    if (this.hasLongDPP && forms.named(i, 'op_sel_hi') >= 0 && selected(OP_SEL_1).includes(false)) return -1;
    const operands: NewOperand[] = [];
    for (let k = 0; k < tables.opcodeNumOperands(opcode); k++)
      operands.push(this.operandFor(opcode, k, i, move, old, isZeroed));
    const made = this.builder.build(i, i, opcode, operands);
    fn.instrFlags[made] = fn.instrFlags[i];
    if (this.areSourcesLegal(made)) return made;
    editor.erase(made);
    return -1;
  }

  private operandFor(opcode: Opcode, k: number, i: InstrId, move: InstrId, old: Part, isZeroed: boolean): NewOperand {
    const { fn, tables, forms } = this;
    const name = tables.operandName(opcode, k);
    const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val });
    switch (name) {
      case 'old':
        return regOperand(old.reg, this.definerOf(old) >= 0 ? 0 : OpFlag.Undef, old.sub);
      case 'src0': {
        const op = operandOf(fn, forms.named(move, 'src0'));
        return { ...op, flags: (op.flags ?? 0) & ~OpFlag.Kill };
      }
      case 'dpp_ctrl':
      case 'row_mask':
      case 'bank_mask':
        return operandOf(fn, forms.named(move, name));
      case 'bound_ctrl':
        return imm(isZeroed ? 1 : 0);
      case 'op_sel':
        return imm(0);
      case 'op_sel_hi':
        return imm(7);
      default: {
        const o = forms.named(i, name);
        return o < 0 ? imm(0) : operandOf(fn, o);
      }
    }
  }

  private areSourcesLegal(i: InstrId): boolean {
    const { fn, tables, forms } = this;
    const [src0, src1, src2] = ['src0', 'src1', 'src2'].map((name) => tables.getNamedOperandIdx(fn.opcode[i], name));
    const fits = (k: number): boolean =>
      k < 0 || forms.legality.isOperandLegal(i, k, operandOf(fn, fn.opBegin[i] + k), false);
    // Here LLVM does not ask whether the processor takes a scalar register as the second source.
    return fits(src0) && fits(src1) && fits(src2);
  }

  // -- combining -----------------------------------------------------------------------------------------------------------

  /** Whether lanes that are not written are 0 all the same; null: the move cannot be combined. */
  private zeroes(move: InstrId, old: OldValue): boolean | null {
    const isWhole = this.imm(move, 'row_mask') === ALL_ROWS && this.imm(move, 'bank_mask') === ALL_ROWS;
    const isBoundZero = this.imm(move, 'bound_ctrl') !== 0;
    if (isWhole && isBoundZero) return true;
    if (typeof old !== 'number') return null;
    if (old === 0) return isWhole;
    return isBoundZero ? null : false;
  }

  /**
   * All readers of a move of lanes do that themselves, or none.
   * @llvm GCNDPPCombine.cpp GCNDPPCombine::combineDPPMov
   */
  private combine(move: InstrId): boolean {
    const { fn, forms, editor } = this;
    const result = fn.opVal[forms.named(move, 'vdst')];
    if (!isVirtualReg(result) || this.mayChangeExec(result, move)) return false;
    if (forms.nameOf(move) !== 'V_MOV_B32_dpp' && !this.isRowBroadcast(move)) return false;
    const [oldOperand, source] = [forms.named(move, 'old'), forms.named(move, 'src0')];
    if (!isVirtualReg(fn.opVal[oldOperand]) || !isVirtualReg(fn.opVal[source])) return false;
    const oldValue = this.oldValue(oldOperand);
    const isZeroed = this.zeroes(move, oldValue);
    if (isZeroed === null) return false;
    const made: InstrId[] = [];
    let old: Part = { reg: fn.opVal[oldOperand], sub: fn.opSub[oldOperand] };
    if (isZeroed && oldValue !== null) {
      old = { reg: forms.builder.newVReg(forms.facts.classOf(result)), sub: 0 };
      made.push(forms.builder.build(move, move, forms.opcode('IMPLICIT_DEF'), [regOperand(old.reg, OpFlag.Def)]));
    }
    const gone: InstrId[] = [move];
    const sequences = new Map<InstrId, number[]>();
    const uses = editor.usesOf(result);
    let isDone = uses.length > 0;
    for (let use = uses.pop(); use !== undefined; use = uses.pop()) {
      const user = editor.instrOf(use);
      if (fn.opcode[user] === forms.opcode('REG_SEQUENCE')) {
        const k = this.forward(user, result, uses);
        if (k < 0) {
          isDone = false;
          break;
        }
        sequences.set(user, [...(sequences.get(user) ?? []), k]);
        // LLVM takes all back where a sequence comes last.
        isDone = false;
        continue;
      }
      const combined = this.combineUse(use, move, { old, oldValue, isZeroed });
      isDone = combined >= 0;
      if (!isDone) break;
      made.push(combined);
      gone.push(user);
    }
    isDone &&= uses.length === 0;
    for (const i of isDone ? gone : made) editor.erase(i);
    if (!isDone) return false;
    for (const [sequence, places] of sequences) {
      if (editor.isUnread(fn.opVal[fn.opBegin[sequence]])) editor.erase(sequence);
      else for (const k of places) fn.opFlags[fn.opBegin[sequence] + k] |= OpFlag.Undef;
    }
    return true;
  }

  /** Readers of the part of a sequence that a register is are added to `uses`. Returns its place; -1: not to be combined. */
  private forward(sequence: InstrId, reg: Reg, uses: OperandId[]): number {
    const { fn, editor } = this;
    const begin = fn.opBegin[sequence];
    const whole = fn.opVal[begin];
    if (this.mayChangeExec(whole, sequence)) return -1;
    for (let k = 1; k < fn.numOperands(sequence); k += 2) {
      if (fn.opVal[begin + k] !== reg) continue;
      const sub = fn.opVal[begin + k + 1];
      uses.push(...editor.usesOf(whole).filter((o) => fn.opSub[o] === sub));
      return k;
    }
    return -1;
  }

  private combineUse(
    use: OperandId,
    move: InstrId,
    value: { readonly old: Part; readonly oldValue: OldValue; readonly isZeroed: boolean },
  ): InstrId {
    const { fn, tables, forms, editor } = this;
    const user = editor.instrOf(use);
    const opcode = fn.opcode[user];
    const isShrinkable = this.isShrinkable(user);
    const isLong = isVOP3P(tables, opcode) || isVOPC(tables, opcode) || isVOP3(tables, opcode);
    const isTaken = isShrinkable || (isLong && this.hasLongDPP) || isVOP1(tables, opcode) || isVOP2(tables, opcode);
    if (!isTaken || this.writesExec(user)) return -1;
    const [src0, src1, src2] = ['src0', 'src1', 'src2'].map((name) => forms.named(user, name));
    const isCommuted = use === src1 && use !== src0;
    if (use !== src0 && !(isCommuted && hasOpcodeFlag(tables, opcode, McFlag.Commutable))) return -1;
    const isSame = (o: OperandId): boolean =>
      o >= 0 && o !== use && sameOperand(fn, operandOf(fn, o), operandOf(fn, use));
    if (isSame(src0) || isSame(src1) || isSame(src2)) return -1;
    if (!isCommuted) return this.buildFor(user, move, value, isShrinkable);
    const copy = editor.insertCopy(user, fn.instrBlock[user], user);
    const made = forms.commute(copy) ? this.buildFor(copy, move, value, isShrinkable) : -1;
    editor.erase(copy);
    return made;
  }

  private buildFor(
    i: InstrId,
    move: InstrId,
    { old, oldValue, isZeroed }: { readonly old: Part; readonly oldValue: OldValue; readonly isZeroed: boolean },
    isShrinkable: boolean,
  ): InstrId {
    const { fn, forms } = this;
    if (isZeroed || typeof oldValue !== 'number') return this.build(i, move, old, isZeroed, isShrinkable);
    const src1 = forms.named(i, 'src1');
    if (src1 < 0 || fn.opKind[src1] !== OperandKind.Register) return -1;
    const identity = IDENTITIES.find(([pattern]) => pattern.test(forms.nameOf(i)));
    const isAny =
      identity !== undefined &&
      (identity[1] === 0 || identity[1] === 1 ? oldValue === identity[1] : (oldValue | 0) === identity[1]);
    if (!isAny) return -1;
    const other = { reg: fn.opVal[src1], sub: fn.opSub[src1] };
    const rc = forms.facts.classOf(fn.opVal[forms.named(move, 'vdst')]);
    return this.isOfClass(other, rc) ? this.build(i, move, other, isZeroed, isShrinkable) : -1;
  }

  private writesExec(i: InstrId): boolean {
    const { fn, tables } = this;
    const exec = tables.regByName('exec');
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const isDef = (fn.opFlags[o] & OpFlag.Def) !== 0 && fn.opVal[o] > NO_REG;
      if (isDef && tables.regsOverlap(fn.opVal[o], exec)) return true;
    }
    return false;
  }
}
