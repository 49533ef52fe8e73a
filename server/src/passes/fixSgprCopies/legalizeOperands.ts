/**
 * Operands that an instruction cannot read where a register became a vector one (SIInstrInfo::legalizeOperands, LLVM 22; docs/llvm/sgpr-copies.md,
 * sections 5 and 6): scalar registers beyond the constant bus go through vector registers, vector registers at scalar operands are read from the first
 * lane or, where lanes may differ, in a loop over their values (waterfall.ts).
 */
import { operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import {
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { CallingConv } from '../../model/functionLimits.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import {
  Generation,
  isFLAT,
  isImage,
  isMTBUF,
  isMUBUF,
  isSMRD,
  isVOP2,
  isVOP3,
  isVOPC,
  McFlag,
  type TargetTables,
} from '../../target/index.js';
import type { Builder, Legalizer } from './builder.js';
import { commutedOpcode } from '../instrForms.js';
import { Unmodelled } from '../registerFacts.js';
import { zeroResource } from './resource.js';
import { waterfall } from './waterfall.js';

const SOURCES = ['src0', 'src1', 'src2'] as const;

/** Instructions of the VALU whose sources but the first are scalar. */
const LANE_SELECTS = /^V_PERMLANE(?:X?16|_BCAST|_UP|_DOWN|_XOR|_IDX_GEN)(?:_B32)?_e64$/;

/** Sources that are read from the first lane, by opcode: at these operands. */
const FIRST_LANE_SOURCES: Readonly<Record<string, readonly number[]>> = {
  SI_INIT_M0: [0],
  S_MOV_TO_GLOBAL_B32: [1],
  S_MOV_TO_GLOBAL_B64: [1],
  S_SWAP_TO_GLOBAL_B32: [2],
  S_BITREPLICATE_B64_B32: [1],
  S_QUADMASK_B32: [1],
  S_QUADMASK_B64: [1],
  S_WQM_B32: [1],
  S_WQM_B64: [1],
  S_INVERSE_BALLOT_U32: [1],
  S_INVERSE_BALLOT_U64: [1],
};

/** Calling conventions of shaders (AMDGPU::isGraphics), whose buffer instructions never take the form with 64-bit addresses. */
const GRAPHICS: ReadonlySet<number> = new Set([
  CallingConv.AMDGPU_VS,
  CallingConv.AMDGPU_GS,
  CallingConv.AMDGPU_PS,
  CallingConv.AMDGPU_CS,
  CallingConv.AMDGPU_CS_Chain,
  CallingConv.AMDGPU_CS_ChainPreserve,
  CallingConv.AMDGPU_HS,
  CallingConv.AMDGPU_ES,
  CallingConv.AMDGPU_LS,
  CallingConv.AMDGPU_Gfx,
  CallingConv.AMDGPU_Gfx_WholeWave,
]);

export class OperandLegalizer implements Legalizer {
  private readonly fn: MachineFunction;
  private readonly tables: TargetTables;

  constructor(private readonly builder: Builder) {
    this.fn = builder.fn;
    this.tables = builder.tables;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::legalizeOperands */
  legalize(i: InstrId): void {
    const { fn, tables } = this;
    const opcode = fn.opcode[i];
    if (isVOP2(tables, opcode) || isVOPC(tables, opcode)) this.legalizeVOP2(i);
    else if (isVOP3(tables, opcode)) this.legalizeVOP3(i);
    else if (isSMRD(tables, opcode)) this.legalizeScalarLoad(i);
    else if (isFLAT(tables, opcode)) this.legalizeFlat(i);
    else this.legalizeOther(i);
  }

  /**
   * 16-bit sources read the low half of a register, 32-bit ones get an undefined high half.
   * @llvm SIInstrInfo.cpp SIInstrInfo::legalizeOperandsVALUt16
   */
  legalizeHalves(i: InstrId): void {
    for (let k = 1; k < this.tables.opcodeNumOperands(this.fn.opcode[i]); k++) this.legalizeHalf(i, k);
  }

  /**
   * The same for the operand at `k`, where `i` describes one there.
   * @llvm SIInstrInfo.cpp SIInstrInfo::legalizeOperandsVALUt16
   */
  legalizeHalf(i: InstrId, k: number): void {
    const { fn, tables, builder } = this;
    const opcode = fn.opcode[i];
    if (!fn.subtarget.hasFeature('real-true16') || k >= tables.opcodeNumOperands(opcode)) return;
    const o = fn.opBegin[i] + k;
    const wanted = fn.subtarget.opInfoRegClass(opcode, k);
    if (wanted < 0 || !this.isVGPR(o) || !isVirtualReg(fn.opVal[o])) return;
    const lo16 = tables.subRegIndexByName('lo16');
    const own = builder.facts.classOf(fn.opVal[o]);
    if (tables.getMatchingSuperRegClass(own, wanted, lo16) >= 0) fn.opSub[o] = lo16;
    else if (tables.getMatchingSuperRegClass(wanted, own, lo16) >= 0) this.widen(i, o);
  }

  private widen(i: InstrId, o: OperandId): void {
    const { fn, tables, builder } = this;
    const whole = builder.newVReg(tables.regClassByName('vgpr_32'));
    const undef = builder.newVReg(tables.regClassByName('vgpr_16'));
    const half = (name: string): NewOperand => ({ kind: OperandKind.Immediate, val: tables.subRegIndexByName(name) });
    builder.build(i, i, tables.opcodeByName('IMPLICIT_DEF'), [regOperand(undef, OpFlag.Def)]);
    const parts = [regOperand(fn.opVal[o]), half('lo16'), regOperand(undef), half('hi16')];
    builder.build(i, i, tables.opcodeByName('REG_SEQUENCE'), [regOperand(whole, OpFlag.Def), ...parts]);
    builder.editor.setReg(o, whole);
  }

  // -- vector instructions -----------------------------------------------------------------------------------------------

  /**
   * The first source takes anything, the second a vector register: they change places where that helps.
   * @llvm SIInstrInfo.cpp SIInstrInfo::legalizeOperandsVOP2
   */
  private legalizeVOP2(i: InstrId): void {
    const { fn, tables, builder } = this;
    const { facts, editor } = builder;
    const opcode = fn.opcode[i];
    const name = tables.opcodeName(opcode);
    const [first, second, third] = tables.getNamedOperandIdxs(opcode, SOURCES);
    const src0 = fn.opBegin[i] + first;
    const src1 = fn.opBegin[i] + second;
    const hasImplicit = this.implicitScalar(i) !== 0;
    if (hasImplicit && facts.constantBusLimit(opcode) <= 1 && this.isSGPR(src0)) this.throughVector(i, src0, first);
    if (name === 'V_WRITELANE_B32') {
      for (const o of [src0, src1]) if (this.isVGPR(o)) this.readFirstLaneAt(i, o);
      return;
    }
    if (this.isAGPR(src0)) this.throughVector(i, src0, first);
    if (this.isAGPR(src1)) this.throughVector(i, src1, second);
    if ((name === 'V_FMAC_F32_e32' || name === 'V_FMAC_F16_e32') && !this.isVGPR(fn.opBegin[i] + third))
      this.throughVector(i, fn.opBegin[i] + third, third);
    if (this.isLegalRegister(i, second, src1)) return;
    if (name === 'V_READLANE_B32' && this.isVGPR(src1)) {
      this.readFirstLaneAt(i, src1);
      return;
    }
    const commuted = commutedOpcode(fn.subtarget, opcode);
    const isSimple = fn.opKind[src1] === OperandKind.Immediate || fn.opKind[src1] === OperandKind.Register;
    const isCommutable = (tables.opcodeFlagsLo(opcode) & (1 << McFlag.Commutable)) !== 0;
    if (hasImplicit || !isCommutable || !isSimple || !this.isLegalRegister(i, second, src0) || commuted < 0) {
      this.throughVector(i, src1, second);
      return;
    }
    fn.opcode[i] = commuted;
    const a = this.operand(src0);
    const b = this.operand(src1);
    const kept = (o: NewOperand): NewOperand =>
      o.kind === OperandKind.Register ? { ...o, flags: (o.flags ?? 0) & OpFlag.Kill } : o;
    editor.setOperand(src0, kept(b));
    editor.setOperand(src1, kept(a));
  }

  /**
   * A scalar register that the instruction reads without naming it among its operands.
   * @llvm SIInstrInfo.cpp findImplicitSGPRRead
   */
  private implicitScalar(i: InstrId): Reg {
    const { fn, tables } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (isVirtualReg(fn.opVal[o])) continue;
      if ((fn.opFlags[o] & (OpFlag.Implicit | OpFlag.Def)) !== OpFlag.Implicit) continue;
      if (/^(?:vcc|vcc_lo|vcc_hi|m0|flat_scratch)$/.test(tables.regName(fn.opVal[o]))) return fn.opVal[o];
    }
    return 0;
  }

  /**
   * Constants and scalar registers that the constant bus has no room for go through a vector register.
   * @llvm SIInstrInfo.cpp SIInstrInfo::legalizeOperandsVOP3
   */
  private legalizeVOP3(i: InstrId): void {
    const { fn, tables, builder } = this;
    const opcode = fn.opcode[i];
    const { facts } = builder;
    const name = tables.opcodeName(opcode);
    const places = tables.getNamedOperandIdxs(opcode, SOURCES);
    if (LANE_SELECTS.test(name))
      for (const place of [places[1], places[2]])
        if (place >= 0 && this.isVector(fn.opBegin[i] + place)) this.readFirstLaneAt(i, fn.opBegin[i] + place);
    let room = facts.constantBusLimit(opcode);
    let literals = fn.subtarget.hasFeature('vop3-literal') ? 1 : 0;
    const used = new Set<Reg>();
    const required = this.implicitScalar(i) || this.requiredScalar(i, places) || this.usedTwice(i, places);
    if (required !== 0) {
      used.add(required);
      room--;
    }
    for (const place of places) {
      if (place < 0) break;
      const o = fn.opBegin[i] + place;
      if (fn.opKind[o] !== OperandKind.Register) {
        if (facts.isInlineAt(o, opcode, place)) continue;
        const fits = literals > 0 && room > 0;
        literals--;
        room--;
        if (!fits) this.throughVector(i, o, place);
        continue;
      }
      const reg = fn.opVal[o];
      if (facts.isAGPR(reg) && !this.takesAGPR(i, place)) this.throughVector(i, o, place);
      if (!facts.isSGPR(reg) || used.has(reg)) continue;
      if (room > 0) {
        used.add(reg);
        room--;
      } else this.throughVector(i, o, place);
    }
    const third = fn.opBegin[i] + places[2];
    if ((name === 'V_FMAC_F32_e64' || name === 'V_FMAC_F16_e64') && !this.isVGPR(third))
      this.throughVector(i, third, places[2]);
  }

  private takesAGPR(i: InstrId, place: number): boolean {
    const rc = this.fn.subtarget.opInfoRegClass(this.fn.opcode[i], place);
    return rc >= 0 && this.tables.hasAGPRs(rc);
  }

  /**
   * The scalar register at a source that takes scalar registers only.
   * @llvm SIInstrInfo.cpp SIInstrInfo::findUsedSGPR
   */
  private requiredScalar(i: InstrId, places: Int16Array): Reg {
    const { fn, builder } = this;
    for (const place of places) {
      const o = fn.opBegin[i] + place;
      if (place < 0 || fn.opKind[o] !== OperandKind.Register) continue;
      const rc = fn.subtarget.opInfoRegClass(fn.opcode[i], place);
      if (builder.facts.isSGPRClass(rc)) return fn.opVal[o];
    }
    return 0;
  }

  /**
   * For the others: a scalar register that two sources name.
   * @llvm SIInstrInfo.cpp SIInstrInfo::findUsedSGPR
   */
  private usedTwice(i: InstrId, places: Int16Array): Reg {
    const { fn } = this;
    const regs = [...places].map((place) => {
      const o = fn.opBegin[i] + place;
      return place >= 0 && this.isSGPR(o) ? fn.opVal[o] : 0;
    });
    const [a = 0, b = 0, c = 0] = regs;
    if (a !== 0 && (a === b || a === c)) return a;
    return b !== 0 && b === c ? b : 0;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::legalizeOpWithMove */
  throughVector(i: InstrId, o: OperandId, place: number): void {
    const { fn, builder, tables } = this;
    const rc = fn.subtarget.opInfoRegClass(fn.opcode[i], place);
    const isReg = fn.opKind[o] === OperandKind.Register;
    const bits = tables.regClassBits[rc];
    const isScalar = builder.facts.isSGPRClass(rc);
    const wide = isScalar ? 'S_MOV_B64' : 'V_MOV_B64_PSEUDO';
    const narrow = isScalar ? 'S_MOV_B32' : 'V_MOV_B32_e32';
    if (bits !== 32 && bits !== 64) throw new Unmodelled('operands of 16 bits on the constant bus');
    const tmp = builder.newVReg(builder.facts.equivalentVGPRClass(rc));
    const opcode = tables.opcodeByName(isReg ? 'COPY' : bits === 64 ? wide : narrow);
    builder.build(i, i, opcode, [regOperand(tmp, OpFlag.Def), this.operand(o)]);
    builder.editor.setOperand(o, regOperand(tmp));
  }

  private readFirstLaneAt(i: InstrId, o: OperandId): void {
    const { fn, tables, builder } = this;
    const tmp = builder.newVReg(tables.regClassByName('sreg_32_xm0'));
    builder.readFirstLane(i, tmp, fn.opVal[o], fn.opSub[o], fn.opFlags[o]);
    builder.editor.setOperand(o, regOperand(tmp));
  }

  // -- memory --------------------------------------------------------------------------------------------------------------

  /** @llvm SIInstrInfo.cpp SIInstrInfo::legalizeOperandsSMRD */
  private legalizeScalarLoad(i: InstrId): void {
    for (const name of ['sbase', 'soffset'] as const) {
      const o = this.named(i, name);
      if (o >= 0 && this.fn.opKind[o] === OperandKind.Register && !this.isSGPR(o)) this.readAllLanesAt(i, o);
    }
  }

  /**
   * A scalar address in vector registers: the form with a vector address where the other address is zero, else the first lane's.
   * @llvm SIInstrInfo.cpp SIInstrInfo::legalizeOperandsFLAT
   */
  private legalizeFlat(i: InstrId): void {
    const o = this.named(i, 'saddr');
    if (o < 0 || this.fn.opKind[o] !== OperandKind.Register || this.isSGPR(o)) return;
    if (!this.moveFlatAddress(i, o))
      this.readAllLanesAt(i, o, this.fn.subtarget.opInfoRegClass(this.fn.opcode[i], o - this.fn.opBegin[i]));
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::moveFlatAddrToVGPR */
  private moveFlatAddress(i: InstrId, saddr: OperandId): boolean {
    const { fn, tables, builder } = this;
    const { editor } = builder;
    const opcode = fn.opcode[i];
    const forms = [tables.mapOpcode('GlobalVaddr', opcode), tables.mapOpcode('FlatScratchSVfromSS', opcode)];
    const made = forms.find((f) => f >= 0) ?? -1;
    if (made < 0) return false;
    const vaddrIdx = tables.getNamedOperandIdx(made, 'vaddr');
    if (vaddrIdx < 0) return false;
    const oldAddr = tables.getNamedOperandIdx(opcode, 'vaddr');
    let zero = -1;
    if (oldAddr >= 0) {
      zero = builder.editor.defOf(fn.opVal[fn.opBegin[i] + oldAddr]);
      const isZero =
        zero >= 0 &&
        tables.opcodeName(fn.opcode[zero]) === 'V_MOV_B32_e32' &&
        fn.opKind[fn.opBegin[zero] + 1] === OperandKind.Immediate &&
        fn.opVal[fn.opBegin[zero] + 1] === 0;
      if (!isZero) return false;
    }
    const operands: NewOperand[] = [];
    const address = this.operand(saddr);
    const oldPlace = saddr - fn.opBegin[i];
    for (let k = 0; k < fn.opBegin[i + 1] - fn.opBegin[i]; k++) {
      if (k === oldAddr) {
        if (oldAddr === vaddrIdx) operands.push(address);
        continue;
      }
      if (k === oldPlace) {
        if (oldAddr !== vaddrIdx) operands.push(address);
        continue;
      }
      operands.push(this.operand(fn.opBegin[i] + k));
    }
    const replaced = builder.replace(i, made, operands);
    fn.tieByOpcode(replaced);
    if (
      zero >= 0 &&
      [...editor.operandsOf(fn.opVal[fn.opBegin[zero]])].every((u) => editor.isDef(u) || editor.isDebug(u))
    )
      editor.erase(zero);
    return true;
  }

  /**
   * `wanted`: the class that the operand asks for, where LLVM narrows to it; -1: it does not ask.
   * @llvm SIInstrInfo.cpp SIInstrInfo::readlaneVGPRToSGPR
   */
  private readAllLanesAt(i: InstrId, o: OperandId, wanted = -1): void {
    const { fn, builder, tables } = this;
    const { facts } = builder;
    let src = fn.opVal[o];
    let rc = facts.classOf(src);
    const scalar = facts.equivalentSGPRClass(rc);
    const dst = builder.newVReg(wanted < 0 ? scalar : tables.getCommonSubClass(scalar, wanted));
    const n = tables.regClassBits[rc] / 32;
    if (tables.hasAGPRs(rc)) {
      rc = facts.equivalentVGPRClass(rc);
      const copied = builder.newVReg(rc);
      builder.build(i, i, tables.opcodeByName('COPY'), [regOperand(copied, OpFlag.Def), regOperand(src)]);
      src = copied;
    }
    if (n === 1) builder.readFirstLane(i, dst, src, 0);
    else {
      const parts: NewOperand[] = [];
      for (let k = 0; k < n; k++) {
        const part = builder.newVReg(tables.regClassByName('sgpr_32'));
        const sub = tables.subRegIndexByName(`sub${k}`);
        builder.readFirstLane(i, part, src, sub);
        parts.push(regOperand(part), { kind: OperandKind.Immediate, val: sub });
      }
      builder.build(i, i, tables.opcodeByName('REG_SEQUENCE'), [regOperand(dst, OpFlag.Def), ...parts]);
    }
    builder.editor.setReg(o, dst);
  }

  private legalizeOther(i: InstrId): void {
    const { fn, tables } = this;
    const opcode = fn.opcode[i];
    const name = tables.opcodeName(opcode);
    if (Object.hasOwn(FIRST_LANE_SOURCES, name)) {
      for (const k of FIRST_LANE_SOURCES[name] ?? []) {
        const o = fn.opBegin[i] + k;
        if (this.isVector(o)) this.readAllLanesAt(i, o);
      }
      return;
    }
    if (name === 'S_SLEEP_VAR') {
      this.readFirstLaneAt(i, this.named(i, 'src0'));
      return;
    }
    if (name === 'SI_CALL_ISEL') {
      const target = fn.opBegin[i];
      if (!this.isSGPR(target)) this.loopAroundCall(i, target);
      return;
    }
    const isBuffer = isMUBUF(tables, opcode) || isMTBUF(tables, opcode);
    if (isImage(tables, opcode) || (isBuffer && GRAPHICS.has(fn.header.irFunction.callingConv))) {
      for (const operand of [
        ['srsrc', 'rsrc'],
        ['ssamp', 'samp'],
      ] as const) {
        const o = Math.max(this.named(i, operand[0]), this.named(i, operand[1]));
        if (o >= 0 && this.isVector(o)) waterfall(this.builder, i, [o]);
      }
      return;
    }
    this.legalizeBuffer(i);
  }

  private loopAroundCall(i: InstrId, target: OperandId): void {
    const { fn, tables, builder } = this;
    const { list } = builder.editor;
    const is = (j: number, name: string): boolean => tables.opcodeName(fn.opcode[j]) === name;
    let begin = i;
    while (!is(begin, 'ADJCALLSTACKUP')) begin = list.before(begin);
    let end = i;
    while (!is(end, 'ADJCALLSTACKDOWN')) end = list.after(end);
    end = list.after(end);
    while (end >= 0 && is(end, 'COPY') && this.defines(i, fn.opVal[fn.opBegin[end] + 1])) end = list.after(end);
    waterfall(builder, i, [target], begin, end);
  }

  private defines(i: InstrId, reg: Reg): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === reg && (fn.opFlags[o] & OpFlag.Def) !== 0) return true;
    return false;
  }

  private legalizeBuffer(i: InstrId): void {
    const { fn, tables, builder } = this;
    const opcode = fn.opcode[i];
    const soffset = this.named(i, 'soffset');
    const rsrc = this.named(i, 'srsrc');
    const isOffsetLegal = soffset < 0 || !this.isVector(soffset);
    if (rsrc >= 0 && this.isVector(rsrc)) {
      const hasAddress = tables.getNamedOperandIdx(opcode, 'vaddr') >= 0;
      const isAddr64 = hasAddress && tables.mapOpcode('MUBUFIfAddr64', opcode) >= 0;
      if (isAddr64 || (!hasAddress && fn.subtarget.generation < Generation.VOLCANIC_ISLANDS)) {
        zeroResource(builder, i, rsrc, isAddr64);
        return;
      }
      waterfall(builder, i, isOffsetLegal ? [rsrc] : [rsrc, soffset]);
      return;
    }
    if (!isOffsetLegal) waterfall(builder, i, [soffset]);
  }

  // -- operands ------------------------------------------------------------------------------------------------------------

  private named(i: InstrId, name: string): OperandId {
    const idx = this.tables.getNamedOperandIdx(this.fn.opcode[i], name);
    return idx < 0 ? -1 : this.fn.opBegin[i] + idx;
  }

  private isReg(o: OperandId): boolean {
    return this.fn.opKind[o] === OperandKind.Register && this.fn.opVal[o] !== 0;
  }

  private isSGPR(o: OperandId): boolean {
    return this.isReg(o) && this.builder.facts.isSGPR(this.fn.opVal[o]);
  }

  private isAGPR(o: OperandId): boolean {
    return this.isReg(o) && this.builder.facts.isAGPR(this.fn.opVal[o]);
  }

  private isVector(o: OperandId): boolean {
    return this.isReg(o) && !this.builder.facts.isSGPR(this.fn.opVal[o]);
  }

  private isVGPR(o: OperandId): boolean {
    return this.isVector(o) && !this.isAGPR(o);
  }

  /**
   * Register `o` could stand at operand `place`.
   * @llvm SIInstrInfo.cpp SIInstrInfo::isLegalRegOperand
   */
  private isLegalRegister(i: InstrId, place: number, o: OperandId): boolean {
    const { fn, tables, builder } = this;
    if (!this.isReg(o)) return false;
    const wanted = fn.subtarget.opInfoRegClass(fn.opcode[i], place);
    const rc = builder.facts.classOf(fn.opVal[o]);
    if (!isVirtualReg(fn.opVal[o])) return tables.classContains(wanted, fn.opVal[o]);
    const sub = fn.opSub[o];
    return (sub !== 0 ? tables.getMatchingSuperRegClass(rc, wanted, sub) : tables.getCommonSubClass(wanted, rc)) >= 0;
  }

  private operand(o: OperandId): NewOperand {
    return operandOf(this.fn, o);
  }
}
