/** `si-fold-operands`: constants and registers go into the instructions that read copies of them (SIFoldOperands, LLVM 22; docs/llvm/folding.md). */
import { livenessBefore } from '../../analysis/registerLiveness.js';
import { operandOf, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import {
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { maskClobbers } from '../../model/regMask.js';
import { sameOperand } from '../../model/sameOperand.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import {
  hasOpcodeFlag,
  isFLATScratch,
  isMUBUF,
  isSDWA,
  McFlag,
  type PhysReg,
  type TargetTables,
} from '../../target/index.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { InstrForms } from '../instrForms.js';
import { isSourceType } from '../operandLegality.js';
import { depthFirst } from '../depthFirst.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { AccumulatorRegs } from './accumulatorRegs.js';
import { ConstantFolding } from './constants.js';
import {
  constantOf,
  fitsAt,
  immOf,
  isConstant,
  isConstantDef,
  isFrameDef,
  isImmDef,
  isRegDef,
  partOf,
  type FoldableDef,
  type FoldCandidate,
} from './foldableDef.js';
import { OutputModifiers } from './outputModifiers.js';
import { PackedConstants } from './packedConstants.js';
import { CIRCLE, Sequences } from './sequences.js';

/** @llvm SIFoldOperands.cpp SIFoldOperandsLegacy */
export const foldOperandsPass: MachinePass = {
  name: 'si-fold-operands',
  pipelineName: 'si-fold-operands',
  className: 'SIFoldOperandsPass',
  title: 'SI Fold Operands',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (!state.fn.isOptNone) new OperandFolding(state.editor()).run();
  },
};

/** So many instructions are looked at for a write of EXEC. */
const EXEC_SEARCH = 20;
/** So many instructions are looked at for a mention of VCC. */
const VCC_SEARCH = 16;

/** Moves that a copy of a constant may become, in the order in which they are tried. */
const MOVES = [
  'S_MOV_B32',
  'V_MOV_B32_e32',
  'S_MOV_B64',
  'V_MOV_B64_PSEUDO',
  'V_MOV_B16_t16_e64',
  'V_ACCVGPR_WRITE_B32_e64',
  'AV_MOV_B32_IMM_PSEUDO',
  'AV_MOV_B64_IMM_PSEUDO',
];

/** Multiply-accumulate instructions, and what they are with any accumulator. */
const WITH_ANY_ACCUMULATOR: Readonly<Record<string, string>> = {
  V_MAC_F32_e64: 'V_MAD_F32_e64',
  V_MAC_F16_e64: 'V_MAD_F16_e64',
  V_FMAC_F32_e64: 'V_FMA_F32_e64',
  V_FMAC_F16_e64: 'V_FMA_F16_gfx9_e64',
  V_FMAC_F16_t16_e64: 'V_FMA_F16_gfx9_t16_e64',
  V_FMAC_F16_fake16_e64: 'V_FMA_F16_gfx9_fake16_e64',
  V_FMAC_LEGACY_F32_e64: 'V_FMA_LEGACY_F32_e64',
  V_FMAC_F64_e64: 'V_FMA_F64_e64',
};

const SETREG_OF_CONSTANT: Readonly<Record<string, string>> = {
  S_SETREG_B32: 'S_SETREG_IMM32_B32',
  S_SETREG_B32_mode: 'S_SETREG_IMM32_B32_mode',
};

/** Scalar sums with a frame index, by what they are in VGPRs: with the short encoding, with the long one. */
const VECTOR_SUMS: Readonly<Record<string, readonly [string, string]>> = {
  S_OR_B32: ['V_OR_B32_e32', 'V_OR_B32_e64'],
  S_AND_B32: ['V_AND_B32_e32', 'V_AND_B32_e64'],
  S_MUL_I32: ['V_MUL_LO_U32_e64', 'V_MUL_LO_U32_e64'],
};

const CARRYING_SUMS = /^V_(?:ADD|SUB|SUBREV)_CO_U32_e64$/;

interface Place {
  readonly instr: InstrId;
  readonly k: number;
}

/** @llvm SIFoldOperands.cpp SIFoldOperandsImpl */
class OperandFolding {
  private readonly fn: MachineFunction;
  private readonly tables: TargetTables;
  private readonly forms: InstrForms;
  private readonly constants: ConstantFolding;
  private readonly packed: PackedConstants;
  private readonly sequences: Sequences;
  private readonly accumulators: AccumulatorRegs;
  private readonly modifiers: OutputModifiers;
  private readonly exec: PhysReg;
  private readonly m0: PhysReg;
  private readonly copy: number;
  private readonly sequence: number;
  /** where the value that M0 has was read; null: not known */
  private m0Value: Place | null = null;

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.tables = editor.fn.tables;
    this.forms = new InstrForms(editor);
    this.constants = new ConstantFolding(this.forms);
    this.packed = new PackedConstants(this.forms);
    this.sequences = new Sequences(this.forms);
    this.accumulators = new AccumulatorRegs(this.forms, this.sequences);
    this.modifiers = new OutputModifiers(this.forms);
    this.exec = this.tables.regByName('exec');
    this.m0 = this.tables.regByName('m0');
    this.copy = this.forms.opcode('COPY');
    this.sequence = this.forms.opcode('REG_SEQUENCE');
  }

  /** @llvm SIFoldOperands.cpp SIFoldOperandsImpl::run */
  run(): void {
    const { editor, forms } = this;
    for (const b of depthFirst(this.fn)) {
      this.m0Value = null;
      for (let i: number = editor.list.first(b); i >= 0;) {
        const next = editor.list.after(i);
        this.visit(i);
        i = next < 0 ? next : forms.now(next);
      }
      this.accumulators.sharePartsOfPhis(b);
    }
  }

  private visit(at: InstrId): void {
    const { fn, tables } = this;
    const i = this.constants.foldSelect(at);
    const opcode = fn.opcode[i];
    if (this.constants.foldHighHalf(i)) return;
    if (opcode === this.sequence && this.accumulators.foldSequence(i)) return;
    if (opcodeSet(tables, 'phi').has(opcode) && this.accumulators.foldPhi(i)) return;
    if (hasOpcodeFlag(tables, opcode, McFlag.MayLoad) && this.accumulators.foldLoad(i)) return;
    if (this.forms.isFoldableCopy(i)) {
      this.foldCopy(i);
      return;
    }
    if (this.m0Value !== null && this.modifies(i, this.m0)) this.m0Value = null;
    this.modifiers.fold(i);
  }

  // -- copies ------------------------------------------------------------------------------------------------------------

  /** @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryFoldFoldableCopy */
  private foldCopy(i: InstrId): void {
    const { fn, tables, forms } = this;
    const begin = fn.opBegin[i];
    const result = fn.opVal[begin];
    if (result === this.m0) {
      this.followM0(i);
      return;
    }
    const k = this.sequences.copiedAt(i);
    if (k === 2 && forms.hasAnyModifier(i)) return;
    const source = begin + k;
    const isReg = fn.opKind[source] === OperandKind.Register;
    if (!isReg && !isConstant(operandOf(fn, source))) return;
    if (isReg && !isVirtualReg(fn.opVal[source]) && !tables.isConstantPhysReg(fn.opVal[source])) return;
    if (!isVirtualReg(result)) return;
    const rc = fn.vregs.regClass[virtRegIndex(result)];
    const isCopy = fn.opcode[i] === this.copy;
    if (isCopy && isReg && fn.opSub[source] !== 0) {
      const isWord = rc === tables.regClassByName('sreg_32') && rc === forms.facts.classOf(fn.opVal[source]);
      if (isWord) fn.opSub[source] = 0;
    }
    if (isReg && isCopy && fn.opSub[source] === 0 && this.accumulators.foldCopyOfSequence(i)) return;
    const op = operandOf(fn, source);
    const isChanged = this.foldInto(result, { op, rc, source: { instr: i, k }, sub: 0 });
    if (this.eraseUnread(forms.now(i)) || isChanged) return;
    if (isReg) this.foldCopyOfSum(result, op.val, i);
  }

  /** A second write of the same value to M0 goes. */
  private followM0(i: InstrId): void {
    const { fn } = this;
    const value = operandOf(fn, fn.opBegin[i] + 1);
    if (this.m0Value !== null) {
      const { instr, k } = this.m0Value;
      const known = operandOf(fn, fn.opBegin[this.forms.now(instr)] + k);
      if (sameOperand(fn, known, value)) {
        this.editor.erase(i);
        return;
      }
    }
    const isPhysical = value.kind === OperandKind.Register && !isVirtualReg(value.val);
    this.m0Value = isPhysical ? null : { instr: i, k: 1 };
  }

  /** Erases copies whose value nobody reads, from `from` back along what they copy. */
  private eraseUnread(from: InstrId): boolean {
    const { fn, editor } = this;
    let isChanged = false;
    let i: InstrId = from;
    while (i >= 0 && editor.isUnread(fn.opVal[fn.opBegin[i]])) {
      const source = fn.opBegin[i] + 1;
      const reg = fn.opKind[source] === OperandKind.Register ? fn.opVal[source] : 0;
      editor.erase(i);
      isChanged = true;
      i = -1;
      if (!isVirtualReg(reg)) break;
      i = editor.defOf(reg);
      if (i < 0 || !this.forms.isFoldableCopy(i)) break;
    }
    if (i >= 0 && fn.opcode[i] === this.sequence && editor.isUnread(fn.opVal[fn.opBegin[i]])) {
      editor.erase(i);
      isChanged = true;
    }
    return isChanged;
  }

  /**
   * A copy to a VGPR of a scalar sum with a frame index becomes a vector sum.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::foldCopyToVGPROfScalarAddOfFrameIndex
   */
  private foldCopyOfSum(result: Reg, source: Reg, i: InstrId): void {
    const { fn, tables, editor, forms } = this;
    const { facts, builder } = forms;
    if (!facts.isVGPR(result) || !facts.isSGPR(source) || editor.onlyUse(source) < 0) return;
    const def = editor.defOf(source);
    if (def < 0 || fn.numOperands(def) !== 4) return;
    const begin = fn.opBegin[def];
    let [a, b] = [operandOf(fn, begin + 1), operandOf(fn, begin + 2)];
    const isFrame = (o: OperandId): boolean => fn.opKind[o] === OperandKind.FrameIndex;
    if (!isFrame(begin + 1) && !isFrame(begin + 2)) return;
    if (isFrame(begin + 1)) [a, b] = [b, a];
    const isLong = a.kind !== OperandKind.Immediate || facts.isInlineHalves(a.val, a.ext ?? 0, INTEGER_32);
    const name = this.vectorSum(forms.nameOf(def), isLong);
    if (name === null || (fn.opFlags[begin + 3] & OpFlag.Dead) === 0) return;
    const made = forms.opcode(name);
    const operands = [regOperand(result, OpFlag.Def)];
    if (name === 'V_ADD_CO_U32_e32') {
      if (livenessBefore(editor, def, tables.regByName('vcc'), VCC_SEARCH) !== 'dead') return;
      const sum = builder.build(def, def, made, [...operands, a, b]);
      fn.opFlags[fn.opBegin[sum] + 3] |= OpFlag.Dead;
      fn.instrFlags[sum] = fn.instrFlags[def];
    } else {
      if (tables.opcodeNumDefs(made) === 2) {
        const carry = builder.newVReg(tables.regClassByName(fn.subtarget.wavefrontSize === 32 ? 'sreg_32' : 'sreg_64'));
        fn.vregs.hint[virtRegIndex(carry)] = tables.regByName(fn.subtarget.wavefrontSize === 32 ? 'vcc_lo' : 'vcc');
        operands.push(regOperand(carry, OpFlag.Def | OpFlag.Dead));
      }
      operands.push(a, b);
      if (forms.has(made, 'clamp')) operands.push({ kind: OperandKind.Immediate, val: 0 });
      const sum = builder.build(def, def, made, operands);
      fn.instrFlags[sum] = fn.instrFlags[def];
    }
    editor.erase(def);
    editor.erase(i);
  }

  private vectorSum(name: string, isLong: boolean): string | null {
    if (name === 'S_ADD_I32') {
      const sum = this.fn.subtarget.hasFeature('add-no-carry-insts') ? 'V_ADD_U32' : 'V_ADD_CO_U32';
      return `${sum}_${isLong ? 'e64' : 'e32'}`;
    }
    return Object.hasOwn(VECTOR_SUMS, name) ? VECTOR_SUMS[name][isLong ? 1 : 0] : null;
  }

  // -- a value and its readers ---------------------------------------------------------------------------------------------

  /**
   * Puts a value into the readers of `result`, which has it.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::foldInstOperand
   */
  private foldInto(result: Reg, def: FoldableDef): boolean {
    const { fn, tables, editor, forms } = this;
    let isChanged = false;
    const readers = (): InstrId[] => [...new Set(editor.usesOf(result).map((o) => editor.instrOf(o)))];
    if (isImmDef(def)) for (const user of readers()) if (this.constants.fold(forms.now(user))) isChanged = true;
    const candidates: FoldCandidate[] = [];
    const copies: InstrId[] = [];
    const uses = editor.usesOf(result).map((o) => this.placeOf(o));
    for (const { instr, k } of uses) {
      const user = forms.now(instr);
      this.fold(partOf(tables, def, fn.opSub[fn.opBegin[user] + k]), user, k, candidates, copies);
    }
    if (copies.length === 0 && candidates.length === 0) return isChanged;
    for (const i of copies) forms.addImplicit(forms.now(i));
    const constants = new Set<InstrId>();
    for (const candidate of candidates) {
      const user = forms.now(candidate.user);
      if (isRegDef(candidate.def) && this.isMaskChanged(candidate.def, user)) continue;
      if (this.update(candidate, user)) {
        if (isRegDef(candidate.def)) editor.clearKillFlags(candidate.def.op.val);
        if (isImmDef(candidate.def)) constants.add(user);
      } else if (candidate.isCommuted) forms.commute(forms.now(user));
    }
    for (const i of constants) this.constants.fold(forms.now(i));
    return true;
  }

  /** Whether EXEC may be another one where a register that a move of lanes has made is read. */
  private isMaskChanged(def: FoldableDef, user: InstrId): boolean {
    const { fn, forms } = this;
    if (!isVirtualReg(def.op.val) || def.source === null) return false;
    const instr = forms.now(def.source.instr);
    for (let o = fn.firstReg(instr); o >= 0; o = fn.nextReg(instr, o)) {
      const isUse = (fn.opFlags[o] & OpFlag.Def) === 0 && fn.opVal[o] > 0;
      if (isUse && this.tables.regsOverlap(fn.opVal[o], this.exec)) return this.mayChangeExec(instr, user);
    }
    return false;
  }

  /** @llvm SIInstrInfo.cpp execMayBeModifiedBeforeUse */
  private mayChangeExec(def: InstrId, use: InstrId): boolean {
    const { fn, tables, editor } = this;
    if (fn.instrBlock[def] !== fn.instrBlock[use]) return true;
    let n = 0;
    for (let i: number = editor.list.after(def); i !== use; i = editor.list.after(i)) {
      // In a loop the use may stand before.
      if (i < 0) return true;
      if (opcodeSet(tables, 'debugInstr').has(fn.opcode[i])) continue;
      if (++n > EXEC_SEARCH || this.modifies(i, this.exec)) return true;
    }
    return false;
  }

  private modifies(i: InstrId, reg: PhysReg): boolean {
    const { fn, tables } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask && maskClobbers(fn, o, reg)) return true;
      if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o] & OpFlag.Def) === 0) continue;
      if (fn.opVal[o] > 0 && tables.regsOverlap(fn.opVal[o], reg)) return true;
    }
    return false;
  }

  /**
   * Puts a value into operand `k` of an instruction, at once or by way of the candidates.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::foldOperand
   */
  private fold(def: FoldableDef, user: InstrId, k: number, candidates: FoldCandidate[], copies: InstrId[]): void {
    const { fn, tables, forms } = this;
    const { facts } = forms;
    if (isSDWA(tables, fn.opcode[user])) return;
    const use = fn.opBegin[user] + k;
    const isImplicit = (fn.opFlags[use] & OpFlag.Implicit) !== 0;
    if (isRegDef(def)) {
      if (isImplicit) return;
      const sub = fn.opSub[use];
      if (sub !== 0 && (tables.subRegIndexName(sub) !== 'lo16' || !facts.isSGPR(def.op.val))) return;
    }
    if (fn.opcode[user] === this.sequence) {
      this.foldIntoSequence(def, user, k, candidates, copies);
      return;
    }
    if (this.foldAccumulatorConstant(def, user, k, candidates)) return;
    if (this.mayBeFrameIndex(def, user, k)) {
      this.foldFrameIndex(def, user, k);
      return;
    }
    let at = user;
    let place = k;
    if (isConstantDef(def) && fn.opcode[user] === this.copy) {
      const made = this.moveOfCopy(user, k);
      if (made === null) return;
      copies.push(made.instr);
      ({ instr: at, k: place } = made);
    } else {
      if (this.foldIntoCopy(def, user, copies)) return;
      at = forms.now(user);
      if (this.foldIntoReadLane(def, at, k)) return;
      const opcode = fn.opcode[at];
      if (hasOpcodeFlag(tables, opcode, McFlag.Variadic) || isImplicit) return;
      if (k >= tables.opcodeNumOperands(opcode) || fn.subtarget.opInfoRegClass(opcode, k) < 0) return;
    }
    this.addCandidate(candidates, at, place, def);
  }

  private foldIntoSequence(
    def: FoldableDef,
    user: InstrId,
    k: number,
    candidates: FoldCandidate[],
    copies: InstrId[],
  ): void {
    const { fn, editor, forms } = this;
    const result = fn.opVal[fn.opBegin[user]];
    const sub = fn.opVal[fn.opBegin[user] + k + 1];
    const splat = this.sequences.splatOf(user);
    const uses = editor.usesOf(result).map((o) => this.placeOf(o));
    for (let n = 0; n < uses.length; n++) {
      if (n > fn.nOperands) throw new NotModelled(CIRCLE);
      const instr = forms.now(uses[n].instr);
      const place = uses[n].k;
      if (splat !== null) {
        if (fn.opcode[instr] === this.copy) {
          const copied = fn.opVal[fn.opBegin[instr]];
          uses.push(...editor.usesOf(copied).map((o) => this.placeOf(o)));
          continue;
        }
        if (this.sequences.takesSplat(instr, place, splat)) {
          const value: FoldableDef = { op: immOf(splat.value), rc: splat.rc, source: null, sub: 0 };
          this.append(candidates, { user: instr, k: place, def: value, isCommuted: false, short: -1 });
          continue;
        }
      }
      if (fn.opSub[fn.opBegin[instr] + place] !== sub) continue;
      this.fold(def, instr, place, candidates, copies);
    }
  }

  /** @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryToFoldACImm */
  private foldAccumulatorConstant(def: FoldableDef, user: InstrId, k: number, candidates: FoldCandidate[]): boolean {
    const { fn, tables, forms } = this;
    if (k >= tables.opcodeNumOperands(fn.opcode[user]) || !isSource(forms, user, k)) return false;
    if (!isImmDef(def) || !fitsAt(forms, def, user, k)) return false;
    this.append(candidates, { user, k, def, isCommuted: false, short: -1 });
    return true;
  }

  /** @llvm SIFoldOperands.cpp SIFoldOperandsImpl::frameIndexMayFold */
  private mayBeFrameIndex(def: FoldableDef, user: InstrId, k: number): boolean {
    const { fn, tables, editor, forms } = this;
    if (!isFrameDef(def)) return false;
    const opcode = fn.opcode[user];
    const name = tables.opcodeName(opcode);
    const isSumWith = (other: number): boolean =>
      fn.opKind[fn.opBegin[user] + other] === OperandKind.Immediate &&
      editor.onlyUse(fn.opVal[fn.opBegin[user] + k]) >= 0;
    if (/^(?:S_ADD_[IU]32|V_ADD_U32_e32|V_ADD_CO_U32_e32)$/.test(name)) return isSumWith(k === 1 ? 2 : 1);
    if (/^V_ADD_(?:CO_)?U32_e64$/.test(name)) return isSumWith(k === 2 ? 3 : 2);
    const vaddr = tables.getNamedOperandIdx(opcode, 'vaddr');
    if (isMUBUF(tables, opcode)) return k === vaddr;
    if (!isFLATScratch(tables, opcode)) return false;
    return k === tables.getNamedOperandIdx(opcode, 'saddr') || (k === vaddr && !forms.has(opcode, 'saddr'));
  }

  private foldFrameIndex(def: FoldableDef, user: InstrId, k: number): void {
    const { fn, tables, editor, forms } = this;
    const opcode = fn.opcode[user];
    if (isMUBUF(tables, opcode)) {
      if (fn.opVal[forms.named(user, 'srsrc')] !== fn.header.machineFunctionInfo.scratchRSrcReg) return;
      const offset = forms.named(user, 'soffset');
      if (fn.opKind[offset] !== OperandKind.Immediate || fn.opVal[offset] !== 0) return;
    }
    if (isFLATScratch(tables, opcode) && forms.has(opcode, 'vaddr') && !forms.has(opcode, 'saddr')) {
      const made = tables.mapOpcode('FlatScratchSSfromSV', opcode);
      const policy = forms.named(user, 'cpol');
      if (policy >= 0 && (fn.opVal[policy] & SCALES_OFFSET) !== 0)
        throw new NotModelled('a scaled offset of scratch memory');
      fn.opcode[user] = made;
    }
    editor.setOperand(fn.opBegin[user] + k, { kind: OperandKind.FrameIndex, val: def.op.val });
  }

  /** A copy becomes a move that takes constants; null: none has its classes. */
  private moveOfCopy(user: InstrId, k: number): Place | null {
    const { fn, tables, editor, forms } = this;
    const { facts } = forms;
    const begin = fn.opBegin[user];
    const [result, source, sub] = [fn.opVal[begin], fn.opVal[begin + 1], fn.opSub[begin + 1]];
    const sourceClass = facts.classOf(source);
    if (!isVirtualReg(result) && tables.classContains(sourceClass, result)) return null;
    let rc = isVirtualReg(result) ? facts.classOf(result) : facts.baseClassOf(result);
    if (isVirtualReg(result) && rc === tables.regClassByName('sgpr_lo16')) {
      rc = tables.regClassByName('sgpr_32');
      fn.vregs.regClass[virtRegIndex(result)] = rc;
    }
    for (const name of MOVES) {
      const move = forms.opcode(name);
      if (move < 0) continue;
      const made = fn.subtarget.opInfoRegClass(move, 0);
      if (rc < 0 || !tables.hasSubClassEq(made, rc)) continue;
      const at = name === 'V_MOV_B16_t16_e64' ? 2 : 1;
      let taken = fn.subtarget.opInfoRegClass(move, at);
      if (sub !== 0) taken = tables.getMatchingSuperRegClass(sourceClass, taken, sub);
      if (taken < 0 || !editor.constrainClass(source, taken)) return null;
      fn.opcode[user] = move;
      const zero = { kind: OperandKind.Immediate, val: 0 };
      const instr =
        at === 2
          ? forms.reshape(user, [0, zero, 1, zero])
          : fn.numOperands(user) > 2
            ? forms.reshape(user, [0, 1])
            : user;
      return { instr, k: at === 2 ? 2 : k };
    }
    return null;
  }

  /** A register goes into a copy of its copy. True: nothing else is to be done with the copy. */
  private foldIntoCopy(def: FoldableDef, user: InstrId, copies: InstrId[]): boolean {
    const { fn, tables, editor, forms } = this;
    if (fn.opcode[user] !== this.copy || !isRegDef(def) || def.source === null) return false;
    const begin = fn.opBegin[user];
    if (!isVirtualReg(fn.opVal[begin]) || fn.opSub[begin + 1] !== 0) return false;
    const origin = forms.now(def.source.instr);
    if (tables.opcodeNumOperands(fn.opcode[origin]) < fn.numOperands(origin)) return false;
    const bits = this.bitsOf(fn.opVal[begin + 1]);
    editor.setReg(begin + 1, def.op.val);
    let sub = def.op.sub ?? 0;
    if (bits === 16 && forms.facts.isVGPR(fn.opVal[begin]) && forms.facts.isSGPR(def.op.val))
      sub = this.wordAround(def, sub);
    fn.opSub[begin + 1] = sub;
    fn.opFlags[begin + 1] &= ~OpFlag.Kill;
    copies.push(user);
    fn.opFlags[fn.opBegin[origin] + def.source.k] &= ~OpFlag.Kill;
    editor.clearKillFlags(def.op.val);
    return this.accumulators.foldCopyOfSequence(user);
  }

  private bitsOf(reg: Reg): number {
    const rc = isVirtualReg(reg) ? this.forms.facts.classOf(reg) : this.forms.facts.baseClassOf(reg);
    return rc < 0 ? 0 : this.tables.regClassBits[rc];
  }

  /** The part of 32 bits that a scalar register has a half in. */
  private wordAround({ op }: FoldableDef, sub: number): number {
    const { tables } = this;
    const name = sub === 0 ? '' : tables.subRegIndexName(sub);
    const [, word] = /^(sub\d+)_(?:lo|hi)16$/.exec(name) ?? [];
    if (word !== undefined) return tables.subRegIndexByName(word);
    return this.bitsOf(op.val) === 32 ? 0 : tables.subRegIndexByName('sub0');
  }

  /** Reading a lane of a constant or of a scalar register is no more than that. */
  private foldIntoReadLane(def: FoldableDef, user: InstrId, k: number): boolean {
    const { fn, tables, editor, forms } = this;
    const name = forms.nameOf(user);
    const isRead =
      name === 'V_READFIRSTLANE_B32' ||
      (name === 'V_READLANE_B32' && k === tables.getNamedOperandIdx(fn.opcode[user], 'src0'));
    if (!isRead) return false;
    const isScalar = isRegDef(def) && forms.facts.isSGPR(def.op.val);
    if (!isConstantDef(def) && !isScalar) return false;
    if (def.source === null || this.mayChangeExec(forms.now(def.source.instr), user)) return true;
    const begin = fn.opBegin[user];
    if (isScalar) {
      fn.opcode[user] = this.copy;
      editor.setReg(begin + 1, def.op.val);
      fn.opSub[begin + 1] = def.op.sub ?? 0;
      fn.opFlags[begin + 1] &= ~OpFlag.Kill;
    } else {
      fn.opcode[user] = forms.opcode('S_MOV_B32');
      const value = constantOf(fn, def);
      editor.setOperand(begin + 1, value === null ? def.op : immOf(value));
    }
    forms.drop(user, 2);
    return true;
  }

  // -- candidates ----------------------------------------------------------------------------------------------------------

  /**
   * Makes the instruction one that takes the value at `k`, or where its other source stands, if there is a way.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryAddToFoldList
   */
  private addCandidate(candidates: FoldCandidate[], user: InstrId, k: number, def: FoldableDef): boolean {
    const { fn, forms } = this;
    const name = forms.nameOf(user);
    const value = constantOf(fn, def);
    const isLegal = fitsAt(forms, def, user, k) || (value !== null && this.packed.canUse(user, k, value));
    const isScalarFMA = name === 'S_FMAC_F32';
    if (!isLegal) return this.addOtherwise(candidates, user, k, def, name);
    const begin = fn.opBegin[user];
    const isSquare = isScalarFMA && sameOperand(fn, operandOf(fn, begin + 1), operandOf(fn, begin + 2));
    if (isScalarFMA && (k !== 1 || !isSquare) && this.addAsFMAK(candidates, user, k, def)) return true;
    this.append(candidates, { user, k, def, isCommuted: false, short: -1 });
    return true;
  }

  private addOtherwise(candidates: FoldCandidate[], user: InstrId, k: number, def: FoldableDef, name: string): boolean {
    const { fn, forms } = this;
    if (Object.hasOwn(WITH_ANY_ACCUMULATOR, name)) {
      const opcode = fn.opcode[user];
      const made = forms.opcode(WITH_ANY_ACCUMULATOR[name]);
      const addsSelect = !forms.has(opcode, 'op_sel') && forms.has(made, 'op_sel');
      const n = this.tables.opcodeNumOperands(opcode);
      let at = user;
      fn.opcode[at] = made;
      const all = [...Array(fn.numOperands(at)).keys()];
      if (addsSelect)
        at = forms.reshape(at, [...all.slice(0, n), { kind: OperandKind.Immediate, val: 0 }, ...all.slice(n)]);
      if (this.addCandidate(candidates, at, k, def)) {
        forms.untie(forms.now(at), k);
        return true;
      }
      if (addsSelect) at = forms.drop(forms.now(at), n);
      fn.opcode[at] = opcode;
      return this.addCommuted(candidates, at, k, def, name);
    }
    if (name === 'S_FMAC_F32' && k === 3 && this.addAsFMAK(candidates, user, k, def)) return true;
    if (isImmDef(def) && Object.hasOwn(SETREG_OF_CONSTANT, name)) {
      fn.opcode[user] = forms.opcode(SETREG_OF_CONSTANT[name]);
      this.append(candidates, { user, k, def, isCommuted: false, short: -1 });
      return true;
    }
    return this.addCommuted(candidates, user, k, def, name);
  }

  /** A scalar multiply-accumulate with a constant, as its factor or its sum. */
  private addAsFMAK(candidates: FoldCandidate[], user: InstrId, k: number, def: FoldableDef): boolean {
    const { fn, forms, editor } = this;
    if (!isImmDef(def)) return false;
    const opcode = fn.opcode[user];
    const isSum = k === 3;
    fn.opcode[user] = forms.opcode(isSum ? 'S_FMAAK_F32' : 'S_FMAMK_F32');
    if (!this.addCandidate(candidates, user, isSum ? 3 : 2, def)) {
      fn.opcode[user] = opcode;
      return false;
    }
    forms.untie(user, 3);
    if (k !== 1) return true;
    const [o1, o2] = [fn.opBegin[user] + 1, fn.opBegin[user] + 2];
    const [a, b] = [operandOf(fn, o1), operandOf(fn, o2)];
    if (b.kind === OperandKind.Immediate) {
      editor.setOperand(o1, b);
      editor.setOperand(o2, regOperand(a.val, 0));
    } else {
      editor.setReg(o1, b.val);
      editor.setReg(o2, a.val);
    }
    return true;
  }

  /** With its sources exchanged the instruction may take the value, as it is or in its form of 32 bits. */
  private addCommuted(candidates: FoldCandidate[], user: InstrId, k: number, def: FoldableDef, name: string): boolean {
    const { fn, tables, forms } = this;
    const other = forms.partnerOf(user, k);
    if (other < 0) return false;
    const [a, b] = [operandOf(fn, fn.opBegin[user] + k), operandOf(fn, fn.opBegin[user] + other)];
    if (a.kind !== OperandKind.Register || b.kind !== OperandKind.Register) return false;
    if (a.val === b.val && a.sub === b.sub) return false;
    if (!forms.commute(user)) return false;
    let short = -1;
    if (!fitsAt(forms, def, user, other)) {
      if (!CARRYING_SUMS.test(name) || !isConstantDef(def)) {
        forms.commute(user);
        return false;
      }
      const kept = fn.opBegin[user] + k;
      if (fn.opKind[kept] !== OperandKind.Register || !forms.facts.isVGPR(fn.opVal[kept])) return false;
      short = tables.mapOpcode('VOPe32', fn.opcode[user]);
    }
    this.append(candidates, { user, k: other, def, isCommuted: true, short });
    return true;
  }

  /**
   * Puts the value of a candidate where it is to stand.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::updateOperand
   */
  private update(candidate: FoldCandidate, user: InstrId): boolean {
    const { fn, tables, editor, forms } = this;
    const { k, def, short } = candidate;
    const o = fn.opBegin[user] + k;
    const value = constantOf(fn, def);
    if (value !== null && this.packed.canUse(user, k, value)) {
      if (this.packed.tryFold(user, k, value)) return true;
      if (!forms.legality.isOperandLegal(user, k, immOf(value))) return false;
      editor.setOperand(o, immOf(value));
      return true;
    }
    if (short >= 0 && isConstantDef(def)) return this.shrink(candidate, user);
    if (value !== null) {
      if (fn.opTied[o] >= 0) {
        const made = tables.mapOpcode('MFMAEarlyClobber', fn.opcode[user]);
        if (made < 0) return false;
        fn.opcode[user] = made;
        forms.untie(user, 0);
        fn.opFlags[fn.opBegin[user]] |=
          tables.opInfoEarlyClobber[tables.opInfoBegin(made)] === 1 ? OpFlag.EarlyClobber : 0;
      }
      if (!forms.legality.isOperandLegal(user, k, immOf(value))) return false;
      editor.setOperand(o, immOf(value));
      return true;
    }
    if (isConstantDef(def)) {
      editor.setOperand(o, { ...def.op, flags: 0 });
      return true;
    }
    return this.putRegister(def, user, k);
  }

  /** Names another register at operand `k`, whose class is narrowed to what the operand takes. */
  private putRegister(def: FoldableDef, user: InstrId, k: number): boolean {
    const { fn, tables, editor, forms } = this;
    const o = fn.opBegin[user] + k;
    const { val, sub = 0, flags = 0 } = def.op;
    let rc = fn.subtarget.opInfoRegClass(fn.opcode[user], k);
    if (rc >= 0 && isVirtualReg(val)) {
      if (sub !== 0) rc = tables.getMatchingSuperRegClass(forms.facts.classOf(val), rc, sub);
      if (rc < 0 || !editor.constrainClass(val, rc)) return false;
    }
    if (fn.opSub[o] !== 0 && tables.subRegIndexName(fn.opSub[o]) === 'lo16' && forms.facts.isSGPR(val)) fn.opSub[o] = 0;
    const own = fn.opSub[o];
    editor.setReg(o, val);
    if (sub !== 0) fn.opSub[o] = own === 0 ? sub : tables.composeSubRegIndices(sub, own);
    fn.opFlags[o] = (fn.opFlags[o] & ~OpFlag.Undef) | (flags & OpFlag.Undef);
    return true;
  }

  /** A sum with carry gets its form of 32 bits, whose carry is VCC. What was there stays as something undefined. */
  private shrink({ short, isCommuted }: FoldCandidate, user: InstrId): boolean {
    const { fn, tables, editor, forms } = this;
    const vcc = tables.regByName('vcc');
    if (livenessBefore(editor, user, vcc, VCC_SEARCH) !== 'dead') return false;
    const begin = fn.opBegin[user];
    const carry = fn.opVal[begin + 1];
    const isCarryRead = !editor.isUnread(carry);
    const unused = forms.builder.newVReg(forms.facts.classOf(fn.opVal[begin]));
    const made = forms.buildShort(user, short);
    if (isCarryRead)
      forms.builder.build(user, user, this.copy, [regOperand(carry, OpFlag.Def), regOperand(vcc, OpFlag.Kill)]);
    editor.setReg(begin, unused);
    fn.opcode[user] = forms.opcode('IMPLICIT_DEF');
    forms.reshape(user, [0]);
    if (isCommuted) forms.commute(made);
    return true;
  }

  /**
   * A value for an operand that waits for another one is not taken.
   * @llvm SIFoldOperands.cpp appendFoldCandidate
   */
  private append(candidates: FoldCandidate[], candidate: FoldCandidate): void {
    const user = this.forms.now(candidate.user);
    const isTaken = candidates.some((c) => c.k === candidate.k && this.forms.now(c.user) === user);
    if (!isTaken) candidates.push(candidate);
  }

  private placeOf(o: OperandId): Place {
    const instr = this.editor.instrOf(o);
    return { instr, k: o - this.fn.opBegin[instr] };
  }
}

/** CPol::SCAL */
const SCALES_OFFSET = 0x800;
/** MCOI type of a source of 32 bits */
const INTEGER_32 = 13;

function isSource({ fn, legality }: InstrForms, i: InstrId, k: number): boolean {
  return isSourceType(legality.typeOf(fn.opcode[i], k));
}
