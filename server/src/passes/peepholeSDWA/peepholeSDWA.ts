/** `si-peephole-sdwa`: bytes and halves are chosen by those who read or write them (SIPeepholeSDWA, LLVM 22; docs/llvm/folding.md, 9). */
import { livenessBefore } from '../../analysis/registerLiveness.js';
import { operandOf, regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import {
  OperandKind,
  OpFlag,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { NO_REG, type Reg } from '../../model/register.js';
import { isSDWA, isVOPC, type PhysReg, type TargetTables } from '../../target/index.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { InstrForms } from '../instrForms.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { combined, Sel, SelectionPatterns, Unused, type Selection } from './patterns.js';

/** @llvm SIPeepholeSDWA.cpp SIPeepholeSDWALegacy */
export const peepholeSDWAPass: MachinePass = {
  name: 'si-peephole-sdwa',
  pipelineName: 'si-peephole-sdwa',
  className: 'SIPeepholeSDWAPass',
  title: 'SI Peephole SDWA',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (!state.fn.isOptNone && state.fn.subtarget.hasFeature('sdwa')) new PeepholeSDWA(state.editor()).run();
  },
};

/** How many instructions are looked at for a mention of VCC: for a sum with carry, for a choice. */
const SUM_SEARCH = 25;
const CHOICE_SEARCH = 10;
/** SISrcMods::SEXT */
const SIGN_EXTEND = 16;

const ACCUMULATES = new OpcodePattern(/^V_F?MAC_F(?:16|32)_sdwa$/);
const SHORT_ACCUMULATES = new OpcodePattern(/^V_F?MAC_F(?:16|32)_e32$/);
/** They have no modifiers of sources. */
const WITHOUT_MODIFIERS = new OpcodePattern(/^V_CVT_(?:PK_)?F32_(?:FP8|BF8)_sdwa$/);

/** @llvm SIPeepholeSDWA.cpp SIPeepholeSDWA */
class PeepholeSDWA {
  private readonly fn: MachineFunction;
  private readonly tables: TargetTables;
  private readonly forms: InstrForms;
  private readonly patterns: SelectionPatterns;
  private readonly vcc: PhysReg;
  /** of the present round, by the instruction that is to change */
  private matches = new Map<InstrId, Selection[]>();
  private converted: InstrId[] = [];

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.tables = editor.fn.tables;
    this.forms = new InstrForms(editor);
    this.patterns = new SelectionPatterns(this.forms);
    this.vcc = this.tables.regByName(this.fn.subtarget.wavefrontSize === 32 ? 'vcc_lo' : 'vcc');
  }

  /** @llvm SIPeepholeSDWA.cpp SIPeepholeSDWA::run */
  run(): void {
    for (let b = 0; b < this.fn.blocks.length; b++) while (this.round(b));
  }

  private round(b: BlockId): boolean {
    const { forms } = this;
    for (const selection of this.selectionsIn(b)) {
      const user = this.convertible(selection);
      if (user < 0) continue;
      const name = forms.nameOf(user);
      if (name === 'V_ADD_CO_U32_e64' || name === 'V_SUB_CO_U32_e64') this.shortenSum(user);
      else if (name === 'V_CNDMASK_B32_e64') this.shortenChoice(user);
    }
    this.matches = new Map();
    for (const selection of this.selectionsIn(b)) {
      if (selection.kind === 'source') this.matchReaders(selection);
      else {
        const user = this.convertible(selection);
        if (user >= 0 && this.isConvertible(user)) this.addMatch(user, selection);
      }
    }
    for (const [instr, selections] of this.matches) this.convert(instr, selections);
    const hasChanged = this.converted.length > 0;
    for (let i = this.converted.pop(); i !== undefined; i = this.converted.pop()) this.legalize(i);
    return hasChanged;
  }

  /** @llvm SIPeepholeSDWA.cpp SIPeepholeSDWA::matchSDWAOperands */
  private selectionsIn(b: BlockId): Selection[] {
    const found: Selection[] = [];
    for (let i: number = this.editor.list.first(b); i >= 0; i = this.editor.list.after(i)) {
      const selection = this.patterns.match(i);
      if (selection !== null) found.push(selection);
    }
    return found;
  }

  private addMatch(user: InstrId, selection: Selection): void {
    const known = this.matches.get(user);
    if (known === undefined) this.matches.set(user, [selection]);
    else known.push(selection);
  }

  /**
   * The one instruction that could take a selection over, -1 = none.
   * @llvm SIPeepholeSDWA.cpp SDWAOperand::potentialToConvert
   */
  private convertible(selection: Selection): InstrId {
    const { fn, editor, patterns } = this;
    const reg = fn.opVal[selection.replaced];
    let user: InstrId;
    if (selection.kind === 'source') {
      const use = editor.onlyUse(reg);
      if (use < 0) return -1;
      user = editor.instrOf(use);
    } else {
      const def = patterns.onlyDef(reg);
      if (def < 0 || editor.usesOf(reg).some((o) => editor.instrOf(o) !== selection.parent)) return -1;
      user = editor.instrOf(def);
    }
    return this.canCombine(user, selection) ? user : -1;
  }

  /** All readers of a part take it over, or none. */
  private matchReaders(selection: Selection): void {
    const { fn, editor } = this;
    const users = editor.usesOf(fn.opVal[selection.replaced]).map((o) => editor.instrOf(o));
    if (!users.every((i) => this.isConvertible(i) && this.canCombine(i, selection))) return;
    for (const user of users) this.addMatch(user, selection);
  }

  /** @llvm SIPeepholeSDWA.cpp SDWAOperand::canCombineSelections */
  private canCombine(i: InstrId, { kind, replaced, sel }: Selection): boolean {
    const { fn, tables, forms, patterns } = this;
    if (!isSDWA(tables, fn.opcode[i])) return true;
    const combines = (name: string): boolean => {
      const o = forms.named(i, name);
      return o >= 0 && combined(fn.opVal[o], sel) !== null;
    };
    if (kind !== 'source') return combines('dst_sel');
    return (['src0', 'src1'] as const).every((name) => {
      const o = forms.named(i, name);
      return o < 0 || !patterns.isSameReg(o, replaced) || combines(`${name}_sel`);
    });
  }

  // -- short forms that SDWA starts from ---------------------------------------------------------------------------------

  /**
   * A sum with carry whose carry one instruction reads has its carry in VCC.
   * @llvm SIPeepholeSDWA.cpp SIPeepholeSDWA::pseudoOpConvertToVOP2
   */
  private shortenSum(i: InstrId): void {
    const { fn, tables, forms, editor } = this;
    if (!forms.canShrink(i)) return;
    const sdst = forms.named(i, 'sdst');
    if (sdst < 0) return;
    const use = editor.onlyUse(fn.opVal[sdst]);
    if (use < 0) return;
    const next = editor.instrOf(use);
    const [carryIn, carryOut] = [forms.named(next, 'src2'), forms.named(next, 'sdst')];
    if (carryIn < 0 || carryOut < 0 || fn.opKind[carryIn] !== OperandKind.Register) return;
    const reg = fn.opVal[carryIn];
    const countUses = (r: Reg): number => [...editor.operandsOf(r)].filter((o) => !editor.isDef(o)).length;
    if (countUses(reg) !== 1 || countUses(fn.opVal[carryOut]) !== 0) return;
    const vcc = tables.regByName('vcc');
    if (livenessBefore(editor, i, vcc, SUM_SEARCH) !== 'dead') return;
    for (let at: number = editor.list.after(i); at !== next; at = editor.list.after(at))
      if (at < 0 || this.writes(at, vcc)) return;
    const operands = ['vdst', 'src0', 'src1'].map((name) => operandOf(fn, forms.named(i, name)));
    const made = new InstrBuilder(editor).build(i, i, tables.mapOpcode('VOPe32', fn.opcode[i]), operands);
    fn.instrFlags[made] = fn.instrFlags[i];
    editor.erase(i);
    editor.renameIn(next, reg, this.vcc);
  }

  private writes(i: InstrId, reg: PhysReg): boolean {
    const { fn, tables } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const isDef = (fn.opFlags[o] & OpFlag.Def) !== 0 && fn.opVal[o] > 0;
      if (isDef && tables.regsOverlap(fn.opVal[o], reg)) return true;
    }
    return false;
  }

  /**
   * A choice takes its mask from VCC, where that is free.
   * @llvm SIPeepholeSDWA.cpp SIPeepholeSDWA::convertVcndmaskToVOP2
   */
  private shortenChoice(i: InstrId): void {
    const { fn, tables, forms, editor } = this;
    if (!forms.canShrink(i)) return;
    const mask = forms.named(i, 'src2');
    if (mask < 0 || fn.opKind[mask] !== OperandKind.Register) return;
    const first = editor.firstOperand(fn.opVal[mask]);
    if (first < 0 || !editor.isDef(first)) return;
    if (livenessBefore(editor, i, this.vcc, CHOICE_SEARCH) !== 'dead') return;
    forms.builder.build(i, i, forms.opcode('COPY'), [regOperand(this.vcc, OpFlag.Def), operandOf(fn, mask)]);
    const operands = ['vdst', 'src0', 'src1'].map((name) => operandOf(fn, forms.named(i, name)));
    const made = forms.builder.build(i, i, tables.mapOpcode('VOPe32', fn.opcode[i]), operands);
    fn.instrFlags[made] = fn.instrFlags[i];
    editor.erase(i);
  }

  // -- SDWA ----------------------------------------------------------------------------------------------------------------

  /** @llvm SIPeepholeSDWA.cpp isConvertibleToSDWA */
  private isConvertible(i: InstrId): boolean {
    const { fn, tables, forms } = this;
    const { subtarget: st } = fn;
    let opcode = fn.opcode[i];
    if (isSDWA(tables, opcode)) return true;
    if (forms.nameOf(i) === 'V_CNDMASK_B32_e64') return false;
    if (tables.mapOpcode('SDWA', opcode) < 0) opcode = tables.mapOpcode('VOPe32', opcode);
    if (opcode < 0 || tables.mapOpcode('SDWA', opcode) < 0) return false;
    if (!st.hasFeature('sdwa-omod') && forms.isSet(i, 'omod')) return false;
    const sdst = forms.named(i, 'sdst');
    if (isVOPC(tables, opcode)) {
      const isVCC = sdst < 0 || /^vcc(?:_lo)?$/.test(fn.opVal[sdst] > 0 ? tables.regName(fn.opVal[sdst]) : '');
      if (!st.hasFeature('sdwa-sdst') && !isVCC) return false;
      if (!st.hasFeature('sdwa-out-mods-vopc') && (forms.isSet(i, 'clamp') || forms.isSet(i, 'omod'))) return false;
    } else if (sdst >= 0 || forms.named(i, 'vdst') < 0) return false;
    if (!st.hasFeature('sdwa-mav') && SHORT_ACCUMULATES.has(tables, opcode)) return false;
    if (st.mcOpcode(opcode) < 0) return false;
    return ['src0', 'src1'].every((name) => {
      const o = forms.named(i, name);
      return o < 0 || fn.opKind[o] === OperandKind.Register || fn.opKind[o] === OperandKind.Immediate;
    });
  }

  /**
   * The SDWA form of an instruction, before it, which chooses nothing yet.
   * @llvm SIPeepholeSDWA.cpp SIPeepholeSDWA::createSDWAVersion
   */
  private buildSDWA(i: InstrId): InstrId {
    const { fn, tables, forms } = this;
    let opcode = tables.mapOpcode('SDWA', fn.opcode[i]);
    if (opcode < 0) opcode = tables.mapOpcode('SDWA', tables.mapOpcode('VOPe32', fn.opcode[i]));
    const operands: NewOperand[] = [];
    for (let k = 0; k < tables.opcodeNumOperands(opcode); k++) {
      const name = tables.operandName(opcode, k);
      const o = forms.named(i, name);
      if (name.endsWith('_sel')) operands.push({ kind: OperandKind.Immediate, val: Sel.Dword });
      else if (o >= 0) operands.push(operandOf(fn, o));
      else if (name === 'sdst') operands.push(regOperand(this.vcc, OpFlag.Def));
      else operands.push({ kind: OperandKind.Immediate, val: 0 });
    }
    const made = forms.builder.build(i, i, opcode, operands);
    fn.instrFlags[made] = fn.instrFlags[i];
    return made;
  }

  /** @llvm SIPeepholeSDWA.cpp SIPeepholeSDWA::convertToSDWA */
  private convert(i: InstrId, selections: readonly Selection[]): void {
    const { fn, tables, forms, editor } = this;
    const made = isSDWA(tables, fn.opcode[i]) ? editor.insertCopy(i, fn.instrBlock[i], i) : this.buildSDWA(i);
    let isConverted = false;
    for (const selection of selections) {
      if (this.matches.has(selection.parent)) continue;
      const at = forms.now(made);
      if (selection.kind === 'source' ? this.chooseSource(at, selection) : this.chooseResult(at, selection))
        isConverted = true;
    }
    const at = forms.now(made);
    if (!isConverted) {
      editor.erase(at);
      return;
    }
    this.converted.push(at);
    this.clearKills(at);
    editor.erase(i);
  }

  private clearKills(i: InstrId): void {
    const { fn, tables, editor } = this;
    for (let k = tables.opcodeNumDefs(fn.opcode[i]); k < fn.numOperands(i); k++) {
      const o = fn.opBegin[i] + k;
      if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] !== NO_REG) editor.clearKillFlags(fn.opVal[o]);
    }
  }

  /** @llvm SIPeepholeSDWA.cpp copyRegOperand */
  private copyOperand(to: OperandId, from: OperandId): void {
    const { fn, editor } = this;
    const copied = OpFlag.Undef | ((fn.opFlags[to] & OpFlag.Def) !== 0 ? OpFlag.Dead : OpFlag.Kill);
    editor.setReg(to, fn.opVal[from]);
    fn.opSub[to] = fn.opSub[from];
    fn.opFlags[to] = (fn.opFlags[to] & ~copied) | (fn.opFlags[from] & copied);
  }

  /** A source that is part of another register (SDWASrcOperand::convertToSDWA). */
  private chooseSource(i: InstrId, { target, replaced, sel, isSigned }: Selection): boolean {
    const { fn, tables, forms, patterns } = this;
    const opcode = fn.opcode[i];
    if (WITHOUT_MODIFIERS.has(tables, opcode)) return false;
    if (forms.nameOf(i) === 'V_CNDMASK_B32_sdwa' && isSigned) return false;
    const source = (['src0', 'src1'] as const).find((name) => {
      const o = forms.named(i, name);
      return o >= 0 && patterns.isSameReg(o, replaced);
    });
    if (source === undefined) {
      if (ACCUMULATES.has(tables, opcode)) return false;
      return this.choosePreserved(i, target, replaced, sel);
    }
    const selOperand = forms.named(i, `${source}_sel`);
    const made = combined(fn.opVal[selOperand], sel);
    if (made === null) return false;
    this.copyOperand(forms.named(i, source), target);
    fn.opVal[selOperand] = made;
    if (isSigned) fn.opVal[forms.named(i, `${source}_modifiers`)] |= SIGN_EXTEND;
    fn.opFlags[target] &= ~OpFlag.Kill;
    return true;
  }

  /** What stays in the low half of a result may as well be the whole register that the half was taken of. */
  private choosePreserved(i: InstrId, target: OperandId, replaced: OperandId, sel: Sel): boolean {
    const { fn, tables, forms, patterns } = this;
    const imm = (name: string): number => {
      const o = forms.named(i, name);
      return o < 0 ? -1 : fn.opVal[o];
    };
    if (imm('dst_unused') !== Unused.Preserve || imm('dst_sel') !== Sel.Word1 || sel !== Sel.Word0) return false;
    const vdst = tables.getNamedOperandIdx(fn.opcode[i], 'vdst');
    const tied = fn.opTied[fn.opBegin[i] + vdst];
    if (vdst < 0 || tied < 0 || !patterns.isSameReg(fn.opBegin[i] + tied, replaced)) return false;
    this.copyOperand(fn.opBegin[i] + tied, target);
    fn.opFlags[target] &= ~OpFlag.Kill;
    return true;
  }

  /** A result that is part of another register (SDWADstOperand::convertToSDWA, SDWADstPreserveOperand::convertToSDWA). */
  private chooseResult(instr: InstrId, { kind, parent, target, sel, preserved }: Selection): boolean {
    const { fn, tables, forms, editor } = this;
    let i = instr;
    if (kind === 'preserve') {
      this.clearKills(i);
      editor.reinsert(i, parent);
      fn.instrBlock[i] = fn.instrBlock[parent];
      const kept = regOperand(fn.opVal[preserved], OpFlag.Implicit | OpFlag.Kill, fn.opSub[preserved]);
      const n = fn.numOperands(i);
      i = forms.reshape(i, [...Array(n).keys(), kept]);
      fn.tieOperands(i, tables.getNamedOperandIdx(fn.opcode[i], 'vdst'), n);
    }
    if (ACCUMULATES.has(tables, fn.opcode[i]) && sel !== Sel.Dword) return false;
    const selOperand = forms.named(i, 'dst_sel');
    const made = selOperand < 0 ? null : combined(fn.opVal[selOperand], sel);
    if (made === null) return false;
    this.copyOperand(forms.named(i, 'vdst'), target);
    fn.opVal[selOperand] = made;
    fn.opVal[forms.named(i, 'dst_unused')] = kind === 'preserve' ? Unused.Preserve : Unused.Pad;
    editor.erase(parent);
    return true;
  }

  /**
   * SDWA reads VGPRs, and from gfx9 on one scalar register: other sources are moved to VGPRs.
   * @llvm SIPeepholeSDWA.cpp SIPeepholeSDWA::legalizeScalarOperands
   */
  private legalize(i: InstrId): void {
    const { fn, tables, forms, editor } = this;
    const { facts, builder } = forms;
    let hasScalar = false;
    const opcode = fn.opcode[i];
    for (let k = tables.opcodeNumDefs(opcode); k < tables.opcodeNumOperands(opcode); k++) {
      const o = fn.opBegin[i] + k;
      const isReg = fn.opKind[o] === OperandKind.Register;
      if (isReg ? facts.isVGPR(fn.opVal[o]) : fn.opKind[o] !== OperandKind.Immediate) continue;
      const rc = fn.subtarget.opInfoRegClass(opcode, k);
      if (rc < 0 || !tables.hasVGPRs(rc) || !tables.hasSGPRs(rc) || tables.hasAGPRs(rc)) continue;
      if (fn.subtarget.hasFeature('sdwa-scalar') && !hasScalar && isReg && facts.isSGPR(fn.opVal[o])) {
        hasScalar = true;
        continue;
      }
      const made = builder.newVReg(tables.regClassByName('vgpr_32'));
      const op = operandOf(fn, o);
      const moved = isReg ? regOperand(op.val, (op.flags ?? 0) & OpFlag.Kill, op.sub) : op;
      builder.build(i, i, forms.opcode('V_MOV_B32_e32'), [regOperand(made, OpFlag.Def), moved]);
      editor.setOperand(fn.opBegin[i] + k, regOperand(made));
    }
  }
}
