/**
 * The AMDGPU part of the verifier: at most one report per instruction, the first check that fails decides.
 *
 * Follows SIInstrInfo::verifyInstruction (LLVM 22) in what is checked and in which order (docs/llvm/verifier.md, 7). Where LLVM
 * reads beyond the operand list (instructions with too few operands) we read `$noreg`.
 */
import { McFlag, Generation } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { OperandKind, OpFlag } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtReg } from '../../model/register.js';
import type { InstrId, OperandId } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import { HookBit, HookOperand, TSHi, TSLo } from './opcodePlan.js';
import type { OpcodePlan } from './opcodePlan.js';
import { imageAddressDwords, IMAGE_DIMS } from './imageAddress.js';
import type { VerifierContext } from './verifierContext.js';

const SDWA_UNUSED_PRESERVE = 2;
const SDWA_SEL_LAST = 6;
const MOD_NEG = 1;
const MOD_ABS = 2;
const MOD_SEXT = 16;
const MOD_OP_SEL_0 = 4;
const MOD_OP_SEL_1 = 8;
const CPOL_SCALE_OFFSET = 2048;

/** One processor's encoding of an access to a buffer; LLVM does not know that the opcodes above it are. */
const SMEM_BUFFER = /^S_BUFFER_\w+_(?:si|ci|vi|gfx\d+)$/;

const SDWA_FP8 = new Set([
  'V_CVT_F32_FP8_sdwa',
  'V_CVT_F32_BF8_sdwa',
  'V_CVT_PK_F32_FP8_sdwa',
  'V_CVT_PK_F32_BF8_sdwa',
]);

/** @llvm SIInstrInfo.cpp SIInstrInfo::verifyInstruction */
export class TargetHook {
  private readonly kind: Uint8Array;
  private readonly flags: Uint16Array;
  private readonly val: Int32Array;
  private readonly ext: Int32Array;
  private readonly sub: Uint16Array;
  private readonly needsAligned: boolean;
  private readonly sReg32: number;
  private readonly sReg64: number;
  private readonly sgprNull: number;
  private readonly sgprNull64: number;
  private readonly m0: number;
  private readonly exec: number;
  private readonly vcc: number;
  private readonly vccLo: number;
  private readonly implicitBusRegs: readonly number[];
  private readonly busLimit: number;

  // the instruction under check
  private base = 0;
  private n = 0;
  private plan!: OpcodePlan;

  // constant bus: registers counted so far
  private readonly busRegs = new Int32Array(4);

  constructor(private readonly ctx: VerifierContext) {
    const { fn, tables: t, st } = ctx;
    this.kind = fn.opKind;
    this.flags = fn.opFlags;
    this.val = fn.opVal;
    this.ext = fn.opExt;
    this.sub = fn.opSub;
    this.needsAligned = st.needsAlignedVGPRs;
    this.sReg32 = t.regClassByName('sreg_32');
    this.sReg64 = t.regClassByName('sreg_64');
    this.sgprNull = t.regByName('sgpr_null');
    this.sgprNull64 = t.regByName('sgpr_null64');
    this.m0 = t.regByName('m0');
    this.exec = t.regByName('exec');
    this.vcc = t.regByName('vcc');
    this.vccLo = t.regByName('vcc_lo');
    this.implicitBusRegs = ['vcc', 'vcc_lo', 'vcc_hi', 'm0', 'flat_scr'].map((n) => t.regByName(n));
    this.busLimit = st.generation >= Generation.GFX10 ? 2 : 1;
  }

  /**
   * Message of the first check that fails, or null.
   * @llvm SIInstrInfo.cpp SIInstrInfo::verifyInstruction
   */
  check(i: InstrId, plan: OpcodePlan): string | null {
    const { fn } = this.ctx;
    this.base = fn.opBegin[i];
    this.n = fn.opBegin[i + 1] - this.base;
    this.plan = plan;
    const hook = plan.hook;
    if ((hook & HookBit.ImageMemOperand) !== 0 && !fn.memOperands[i]?.length)
      return 'missing memory operand from image instruction.';
    const operands = this.checkOperands();
    if (operands !== null || hook === 0) return operands;
    return this.checkRest(hook);
  }

  private checkRest(hook: number): string | null {
    let m: string | null;
    if ((hook & HookBit.Sdwa) !== 0 && (m = this.checkSdwa()) !== null) return m;
    if ((hook & HookBit.ImageResult) !== 0 && (m = this.checkImageResult()) !== null) return m;
    if ((hook & HookBit.ConstantBus) !== 0 && (m = this.checkConstantBus()) !== null) return m;
    if ((hook & HookBit.WriteLane) !== 0 && (m = this.checkWriteLane()) !== null) return m;
    if ((hook & ~(HookBit.ConstantBus | HookBit.LoadStore | HookBit.OffsetScaling)) !== 0) {
      if ((m = this.checkSingle(hook)) !== null) return m;
    }
    if ((hook & HookBit.LoadStore) !== 0 && (m = this.checkLoadStore()) !== null) return m;
    return this.checkLast(hook);
  }

  // -- access ------------------------------------------------------------------------------------------------------

  private named(name: string): number {
    return this.ctx.tables.getNamedOperandIdx(this.plan.opcode, name);
  }

  private kindOf(idx: number): number {
    return idx < this.n ? this.kind[this.base + idx] : OperandKind.Register;
  }

  /** register of an operand; 0 for anything else */
  private regOf(idx: number): Reg {
    return idx >= 0 && idx < this.n && this.kind[this.base + idx] === OperandKind.Register
      ? this.val[this.base + idx]
      : 0;
  }

  private isReg(idx: number): boolean {
    return this.kindOf(idx) === OperandKind.Register;
  }

  /** the operand exists and is a register */
  private isRegAt(idx: number): boolean {
    return idx >= 0 && idx < this.n && this.kind[this.base + idx] === OperandKind.Register;
  }

  private isImm(idx: number): boolean {
    return this.kindOf(idx) === OperandKind.Immediate;
  }

  /** low half of an immediate, 0 for anything else */
  private immOf(idx: number): number {
    return idx >= 0 && idx < this.n && this.kind[this.base + idx] === OperandKind.Immediate
      ? this.val[this.base + idx]
      : 0;
  }

  private isNonZero(idx: number): boolean {
    if (idx < 0 || idx >= this.n || this.kind[this.base + idx] !== OperandKind.Immediate) return false;
    return this.val[this.base + idx] !== 0 || this.ext[this.base + idx] !== 0;
  }

  private isUse(idx: number): boolean {
    return idx >= this.n || (this.flags[this.base + idx] & OpFlag.Def) === 0;
  }

  private isTied(idx: number): boolean {
    return idx < this.n && this.ctx.fn.opTied[this.base + idx] >= 0;
  }

  private isInline(idx: number): boolean {
    const type = idx < this.plan.nOps ? this.plan.type[idx] : 0;
    return idx < this.n && this.ctx.isInlineOperand(this.base + idx, type);
  }

  private sameOperand(a: OperandId, b: OperandId): boolean {
    const { fn } = this.ctx;
    if (this.kind[a] !== this.kind[b] || fn.opTargetFlags[a] !== fn.opTargetFlags[b]) return false;
    const k = this.kind[a];
    if (k === OperandKind.Immediate || k === OperandKind.MBB || k === OperandKind.FrameIndex)
      return this.val[a] === this.val[b] && this.ext[a] === this.ext[b];
    if (k === OperandKind.Register) return this.val[a] === this.val[b] && this.sub[a] === this.sub[b];
    const pa = fn.payloads[this.val[a]];
    const pb = fn.payloads[this.val[b]];
    return pa === pb || (pa !== undefined && pb !== undefined && payloadKey(pa) === payloadKey(pb));
  }

  // -- 7.2 -----------------------------------------------------------------------------------------------------------

  private checkOperands(): string | null {
    const { plan, kind, val, base, n, ctx } = this;
    const nOps = plan.nOps;
    for (let j = 0; j < nOps; j++) {
      const o = base + j;
      const k = j < n ? kind[o] : OperandKind.Register;
      if (k === OperandKind.FPImmediate)
        return 'FPImm Machine Operands are not supported. ISel should bitcast all fp values to integers.';
      const expected = plan.hookOperand[j];
      if (expected !== HookOperand.Anything) {
        if (expected === HookOperand.Register) {
          if (k === OperandKind.Immediate || k === OperandKind.GlobalAddress)
            return 'Illegal immediate value for operand.';
        } else if (expected === HookOperand.RegisterOrInline) {
          if (k !== OperandKind.Register && !ctx.isInlineOperand(o, plan.type[j]))
            return 'Illegal immediate value for operand.';
        } else if (expected === HookOperand.Modifiers) {
          if (k !== OperandKind.Immediate) return 'Expected inline constant for operand.';
        } else if (expected === HookOperand.InlineSplitBarrier) {
          if (k !== OperandKind.Immediate || !ctx.isInlineOperand(o, plan.type[j]))
            return 'Expected inline constant for operand.';
        } else if (k !== OperandKind.Immediate && k !== OperandKind.FrameIndex) {
          return 'Expected immediate, but got non-immediate';
        }
      }
      if (k !== OperandKind.Register || j >= n) continue;
      const reg = val[o];
      if (reg === 0) continue;
      if (this.needsAligned && this.isMisaligned(o, reg)) return 'Subtarget requires even aligned vector registers';
      if (reg > 0) {
        const rc = plan.regClass[j];
        if (rc >= 0 && !ctx.tables.classContains(rc, reg)) return 'Operand has incorrect register class.';
      }
    }
    return null;
  }

  private isMisaligned(o: OperandId, reg: Reg): boolean {
    const { ctx, plan } = this;
    if (plan.name === 'AV_MOV_B64_IMM_PSEUDO') return false;
    if (plan.name === 'V_MOV_B64_PSEUDO' && !ctx.st.release.rules.alignsMovePseudos) return false;
    const classes = ctx.plans.classes;
    const rc = ctx.classOfReg(reg);
    if (rc < 0) return false;
    const sub = this.sub[o];
    if (sub === 0 || classes.vector[rc] === 0) return classes.isMisaligned[rc] === 1;
    const part = ctx.tables.getSubRegisterClass(rc, sub);
    if (part < 0) return classes.isMisaligned[rc] === 1;
    const whole = ctx.tables.getMatchingSuperRegClass(rc, part, sub);
    if (whole < 0 || !ctx.tables.hasSubClassEq(whole, rc)) return true;
    return classes.isMisaligned[part] === 1;
  }

  // -- 7.3 -----------------------------------------------------------------------------------------------------------

  private checkSdwa(): string | null {
    const { st, fn } = this.ctx;
    const { plan } = this;
    if (!st.hasFeature('sdwa')) return 'SDWA is not supported on this target';
    for (const name of ['src0_sel', 'src1_sel', 'dst_sel']) {
      const idx = this.named(name);
      if (idx < 0 || idx >= this.n) continue;
      const o = this.base + idx;
      // Of a frame index LLVM takes the number for the value, as in checkSopk.
      const isNumber = this.kind[o] === OperandKind.FrameIndex || (this.isImm(idx) && this.ext[o] === 0);
      if (!isNumber || this.val[o] < 0 || this.val[o] > SDWA_SEL_LAST) return 'Invalid SDWA selection';
    }
    const onlyVGPRs = !st.hasFeature('sdwa-scalar');
    for (const idx of [plan.vdst, plan.src0, plan.src1, plan.src2]) {
      if (idx < 0) continue;
      if (onlyVGPRs) {
        const rc = this.isReg(idx) ? this.ctx.classOfReg(this.regOf(idx)) : -1;
        if (rc < 0 || this.ctx.plans.classes.vector[rc] !== 1)
          return 'Only VGPRs allowed as operands in SDWA instructions on VI';
      } else if (!this.isReg(idx)) return 'Only reg allowed as operands in SDWA instructions on GFX9+';
    }
    const omod = this.named('omod');
    if (!st.hasFeature('sdwa-omod') && omod >= 0 && (!this.isImm(omod) || this.isNonZero(omod)))
      return 'OMod not allowed in SDWA instructions on VI';
    if (SDWA_FP8.has(plan.name)) {
      const mods = this.immOf(this.named('src0_modifiers'));
      if ((mods & (MOD_NEG | MOD_ABS | MOD_SEXT)) !== 0) return 'sext, abs and neg are not allowed on this instruction';
    }
    // The opcode without SDWA that LLVM looks up for one processor's encoding is none; what it reads for its flags has VOPC's set.
    if (plan.name.startsWith('V_CMP') || !plan.name.endsWith('_sdwa')) {
      const isNonZero = (name: string): boolean => {
        const idx = this.named(name);
        return idx >= 0 && (!this.isImm(idx) || this.isNonZero(idx));
      };
      if (!st.hasFeature('sdwa-sdst') && plan.vdst >= 0) {
        if (!this.isReg(plan.vdst) || this.regOf(plan.vdst) !== this.vcc)
          return 'Only VCC allowed as dst in SDWA instructions on VI';
      } else if (!st.hasFeature('sdwa-out-mods-vopc')) {
        if (isNonZero('clamp')) return 'Clamp not allowed in VOPC SDWA instructions on VI';
        if (isNonZero('omod')) return 'OMod not allowed in VOPC SDWA instructions on VI';
      }
    }
    const unused = this.named('dst_unused');
    if (unused >= 0 && this.isImm(unused) && this.immOf(unused) === SDWA_UNUSED_PRESERVE) {
      const dst = plan.vdst;
      if (dst < 0 || !this.isReg(dst) || !this.isTied(dst)) return 'Dst register should have tied register';
      const tied = fn.opTied[this.base + dst];
      if (!this.isReg(tied) || !this.isUse(tied) || (this.flags[this.base + tied] & OpFlag.Implicit) === 0)
        return 'Dst register should be tied to implicit use of preserved register';
      const reg = this.regOf(tied);
      if (isPhysicalReg(reg) && reg !== this.regOf(dst))
        return 'Dst register should use same physical register as preserved';
    }
    return null;
  }

  // -- 7.4 -----------------------------------------------------------------------------------------------------------

  private checkImageResult(): string | null {
    const { st, tables } = this.ctx;
    const { plan } = this;
    const dst = this.named('vdata');
    if (dst < 0 || plan.regClass[dst] < 0) return null;
    let dwords: number;
    if (plan.tsHigh(TSHi.Gather4)) dwords = 4;
    else {
      dwords = 0;
      const dmask = this.named('dmask');
      for (let m = this.immOf(dmask); m !== 0; m &= m - 1) dwords++;
      if (dmask < this.n && this.isImm(dmask)) for (let m = this.ext[this.base + dmask]; m !== 0; m &= m - 1) dwords++;
    }
    if (this.isNonZero(this.named('d16')) && !st.hasFeature('unpacked-d16-vmem')) dwords = (dwords + 1) >> 1;
    if (this.isNonZero(this.named('tfe')) || this.isNonZero(this.named('lwe'))) dwords++;
    return dwords > tables.regClassBits[plan.regClass[dst]] / 32
      ? 'Image instruction returns too many registers for dst register class'
      : null;
  }

  // -- 7.5 -----------------------------------------------------------------------------------------------------------

  /** @llvm SIInstrInfo.cpp SIInstrInfo::usesConstantBus */
  private usesBus(idx: number): boolean {
    const o = this.base + idx;
    if (this.kind[o] !== OperandKind.Register) return !this.isInline(idx);
    if (!this.isUse(idx)) return false;
    const reg = this.val[o];
    if (isVirtualReg(reg)) return this.ctx.isSGPR(reg);
    if (reg === this.sgprNull || reg === this.sgprNull64) return false;
    if ((this.flags[o] & OpFlag.Implicit) !== 0) return reg === this.m0 || reg === this.vcc || reg === this.vccLo;
    const t = this.ctx.tables;
    return t.classContains(this.sReg32, reg) || t.classContains(this.sReg64, reg);
  }

  private checkConstantBus(): string | null {
    const { plan, busRegs, base, n, kind, flags, val } = this;
    const sources = plan.busSources;
    let count = 0;
    let nRegs = 0;
    let literal: OperandId = -1;
    if (plan.imm >= 0) {
      count = 1;
      literal = base + plan.imm;
    }
    for (let s = 0; s < sources.length; s++) {
      const idx = sources[s];
      if (idx < 0 || idx >= n) continue;
      const o = base + idx;
      const k = kind[o];
      if (k === OperandKind.Register) {
        if (!this.usesBus(idx)) continue;
        const reg = val[o];
        let seen = false;
        for (let r = 0; r < nRegs; r++) seen ||= busRegs[r] === reg;
        if (seen) continue;
        busRegs[nRegs++] = reg;
        count++;
      } else if (k !== OperandKind.FrameIndex && !this.isInline(idx)) {
        if (literal < 0) {
          literal = o;
          count++;
        } else if (literal >= base + n || !this.sameOperand(literal, o)) {
          return 'VOP2/VOP3 instruction uses more than one literal';
        }
      }
    }
    for (let j = plan.nOps; j < n; j++) {
      const o = base + j;
      if (kind[o] !== OperandKind.Register || (flags[o] & OpFlag.Def) !== 0) continue;
      const reg = val[o];
      if (reg <= 0 || !this.implicitBusRegs.includes(reg)) continue;
      let overlaps = false;
      for (let r = 0; r < nRegs; r++)
        overlaps ||= busRegs[r] === reg || (busRegs[r] > 0 && this.ctx.tables.regsOverlap(busRegs[r], reg));
      if (!overlaps) count++;
      break;
    }
    if (count > 0 && count > this.limitOf(plan)) return 'VOP* instruction violates constant bus restriction';
    if (literal >= 0 && plan.ts(TSLo.VOP3) && !this.ctx.st.hasFeature('vop3-literal'))
      return 'VOP3 instruction uses literal';
    return null;
  }

  private limitOf(plan: OpcodePlan): number {
    return opcodeSet(this.ctx.tables, 'oneScalarSource').has(plan.opcode) ? 1 : this.busLimit;
  }

  private checkWriteLane(): string | null {
    const { plan } = this;
    let count = 0;
    let used: Reg = 0;
    for (const idx of [plan.src0, plan.src1]) {
      if (idx < 0) break;
      if (idx >= this.n || !this.isReg(idx) || !this.usesBus(idx)) continue;
      const reg = this.regOf(idx);
      if (reg === this.m0) continue;
      if (reg !== used) count++;
      used = reg;
    }
    return count > this.busLimit ? 'WRITELANE instruction violates constant bus restriction' : null;
  }

  // -- 7.6 to 7.8 ----------------------------------------------------------------------------------------------------

  private checkSingle(hook: number): string | null {
    const { plan } = this;
    const { st } = this.ctx;
    let m: string | null;
    if ((hook & HookBit.DivScale) !== 0 && (m = this.checkDivScale()) !== null) return m;
    if ((hook & HookBit.SalUTwoSources) !== 0 && (m = this.checkTwoLiterals()) !== null) return m;
    if ((hook & HookBit.Sopk) !== 0 && (m = this.checkSopk()) !== null) return m;
    if ((hook & HookBit.MovRel) !== 0 && (m = this.checkMovRel()) !== null) return m;
    if ((hook & HookBit.Exec) !== 0 && !this.readsExec()) return 'VALU instruction does not implicitly read exec mask';
    if ((hook & HookBit.ScalarStore) !== 0 && st.generation === Generation.VOLCANIC_ISLANDS) {
      const soffset = this.named('soffset');
      if (soffset >= 0 && this.regOf(soffset) !== this.m0) return 'scalar stores must use m0 as offset register';
    }
    if ((hook & HookBit.FlatOffset) !== 0 && this.isNonZero(this.named('offset')))
      return 'subtarget does not support offsets in flat instructions';
    if ((hook & HookBit.Gds) !== 0 && this.isNonZero(this.named('gds')))
      return 'GDS is not supported on this subtarget';
    if ((hook & HookBit.ImageAddress) !== 0 && (m = this.checkImageAddress()) !== null) return m;
    if ((hook & HookBit.DppCtrl) !== 0 && (m = this.checkDppCtrl(plan)) !== null) return m;
    return null;
  }

  private checkDivScale(): string | null {
    const { plan } = this;
    if (this.isReg(plan.src0) && this.isReg(plan.src1) && this.isReg(plan.src2)) {
      const r0 = this.regOf(plan.src0);
      if (r0 !== this.regOf(plan.src1) && r0 !== this.regOf(plan.src2))
        return 'v_div_scale_{f32|f64} require src0 = src1 or src2';
    }
    for (const name of ['src0_modifiers', 'src1_modifiers', 'src2_modifiers'])
      if ((this.immOf(this.named(name)) & MOD_ABS) !== 0) return 'ABS not allowed in VOP3B instructions';
    return null;
  }

  private checkTwoLiterals(): string | null {
    const { src0, src1 } = this.plan;
    if (src0 < 0 || src1 < 0 || src0 >= this.n || src1 >= this.n) return null;
    const k0 = this.kindOf(src0);
    const k1 = this.kindOf(src1);
    if (k0 === OperandKind.Register || k0 === OperandKind.FrameIndex) return null;
    if (k1 === OperandKind.Register || k1 === OperandKind.FrameIndex) return null;
    if (this.isInline(src0) || this.isInline(src1)) return null;
    if (this.sameOperand(this.base + src0, this.base + src1)) return null;
    return 'SOP2/SOPC instruction requires too many immediate constants';
  }

  private checkSopk(): string | null {
    const { plan } = this;
    const idx = this.named('simm16');
    if (idx < 0 || idx >= this.n) return null;
    if (plan.flag(McFlag.Branch))
      return this.kindOf(idx) === OperandKind.MBB ? null : 'invalid branch target for SOPK instruction';
    const o = this.base + idx;
    const lo = this.val[o];
    const hi = this.ext[o];
    // Pseudos only: the same opcode in one processor's encoding is signed.
    const isUnsigned = /^S_(?:CMPK_\w\w_U32|GETREG_B32(?:_const)?)$/.test(plan.name);
    const kind = this.kindOf(idx);
    // Of a frame index LLVM takes the 32 bits for the value, those of a fixed object are negative.
    const fits =
      kind === OperandKind.FrameIndex
        ? lo >= 0 && lo <= (isUnsigned ? 0xffff : 0x7fff)
        : kind === OperandKind.Immediate &&
          (isUnsigned ? hi === 0 && lo >>> 16 === 0 : hi === lo >> 31 && lo >= -32768 && lo <= 32767);
    return fits ? null : 'invalid immediate for SOPK instruction';
  }

  private checkMovRel(): string | null {
    const { plan, base } = this;
    const isDst = plan.name.startsWith('V_MOVRELD');
    const nStatic = plan.nOps + this.ctx.tables.implicitUses(plan.opcode).length;
    const nImplicit = isDst ? 2 : 1;
    if (this.n < nStatic + nImplicit) return 'missing implicit register operands';
    const source = isDst ? plan.vdst : plan.src0;
    if (isDst) {
      if (!this.isUse(plan.vdst)) return 'v_movreld_b32 vdst should be a use operand';
      const isDef = this.isReg(nStatic) && !this.isUse(nStatic);
      if (!isDef || this.ctx.fn.opTied[base + nStatic] !== nStatic + 1)
        return 'movrel implicit operands should be tied';
    }
    const vector = nStatic + nImplicit - 1;
    const whole = this.regOf(vector);
    const part = this.regOf(source);
    const isPart =
      this.isReg(vector) &&
      this.isUse(vector) &&
      (isPhysicalReg(part)
        ? isPhysicalReg(whole) && this.ctx.tables.isSubRegister(whole, part)
        : part !== 0 && this.sub[base + source] !== 0 && part === whole);
    return isPart ? null : 'src0 should be subreg of implicit vector use';
  }

  /** @llvm SIInstrInfo.cpp shouldReadExec */
  private readsExec(): boolean {
    // What fills the place of an operand that is missing does not count, an explicit operand too many does.
    for (let o = this.base + this.plan.nOps; o < this.base + this.n; o++) {
      if (this.kind[o] !== OperandKind.Register || this.val[o] !== this.exec) continue;
      if ((this.flags[o] & OpFlag.Def) === 0) return true;
    }
    return false;
  }

  private checkImageAddress(): string | null {
    const { plan } = this;
    const { st, tables } = this.ctx;
    const dimIdx = this.named('dim');
    if (dimIdx >= this.n) return null;
    // LLVM keeps the encoding in eight bits.
    const dim = this.immOf(dimIdx) & 0xff;
    if (dim >= IMAGE_DIMS) return 'dim is out of range';
    const isA16 = st.hasFeature('r128-a16')
      ? this.isNonZero(this.named('r128'))
      : st.hasFeature('a16') && this.isNonZero(this.named('a16'));
    const wanted = imageAddressDwords(plan.name, dim, isA16, st.hasFeature('g16'));
    if (wanted < 0) return null;
    let rsrc = this.named('srsrc');
    if (rsrc < 0) rsrc = this.named('rsrc');
    const first = this.named('vaddr0');
    const dwordsOf = (idx: number): number => {
      const sub = idx < this.n && this.isReg(idx) ? this.sub[this.base + idx] : 0;
      if (sub !== 0) return tables.subRegSize[sub] / 32;
      return plan.regClass[idx] >= 0 ? tables.regClassBits[plan.regClass[idx]] / 32 : 0;
    };
    const nAddr = rsrc - first;
    let given: number;
    let expected = wanted;
    if (nAddr === 1) {
      given = dwordsOf(first);
      if (expected > 12) expected = 16;
    } else {
      given = nAddr;
      if (st.hasFeature('partial-nsa-encoding')) {
        const isSample = plan.ts(TSLo.VSAMPLE);
        const maxSeparate = isSample ? 4 : 5;
        if (expected > maxSeparate) given += dwordsOf(rsrc - 1) - 1;
      }
    }
    return given === expected ? null : 'bad vaddr size';
  }

  private checkDppSource(): string | null {
    const { st } = this.ctx;
    const { src1 } = this.plan;
    if (!st.release.rules.checksDppSource || src1 < 0 || src1 >= this.n || st.hasFeature('dpp-src1-sgpr')) return null;
    const kind = this.kindOf(src1);
    if (kind === OperandKind.Immediate) return 'DPP src1 cannot be an immediate on this subtarget';
    return kind === OperandKind.Register && this.ctx.isSGPR(this.val[this.base + src1])
      ? 'DPP src1 cannot be SGPR on this subtarget'
      : null;
  }

  private checkDppCtrl(plan: OpcodePlan): string | null {
    const { st, tables } = this.ctx;
    const idx = this.named('dpp_ctrl');
    if (idx >= this.n) return null;
    const ofSource = this.checkDppSource();
    if (ofSource !== null || idx < 0) return ofSource;
    const c = this.immOf(idx) >>> 0;
    const gfx10 = st.generation >= Generation.GFX10;
    const isRowControl =
      c <= 0xff ||
      (c >= 0x101 && c <= 0x10f) ||
      (c >= 0x111 && c <= 0x11f) ||
      (c >= 0x121 && c <= 0x12f) ||
      c === 0x140 ||
      c === 0x141;
    const isWave = c === 0x130 || c === 0x134 || c === 0x138 || c === 0x13c;
    const isBroadcast = c === 0x142 || c === 0x143;
    const isShare = c >= 0x150 && c <= 0x15f;
    const isXMask = c >= 0x160 && c <= 0x16f;
    if (!isRowControl && !isWave && !isBroadcast && !isShare && !isXMask) return 'Invalid dpp_ctrl value';
    const { dppByFeature } = st.release.rules;
    const hasNone = (feature: string): boolean => (dppByFeature ? !st.hasFeature(feature) : gfx10);
    if (isWave && hasNone('dpp-wavefront-shifts'))
      return 'Invalid dpp_ctrl value: wavefront shifts are not supported on GFX10+';
    if (isBroadcast && hasNone('dpp-row-bcast'))
      return 'Invalid dpp_ctrl value: broadcasts are not supported on GFX10+';
    if (isShare && !gfx10 && !st.hasGFX90AInsts)
      return 'Invalid dpp_ctrl value: row_newbroadcast/row_share is not supported before GFX90A/GFX10';
    if (isXMask && !gfx10) return 'Invalid dpp_ctrl value: row_share and row_xmask are not supported before GFX10';
    if (!isShare && plan.name !== 'V_MOV_B64_DPP_PSEUDO' && st.hasFeature('dpp-64bit')) {
      const vector = this.ctx.plans.classes.vector;
      for (const j of [plan.vdst, plan.src0, plan.src1, plan.src2]) {
        if (j < 0) continue;
        const rc = plan.regClass[j];
        if (rc >= 0 && vector[rc] === 1 && tables.regClassBits[rc] === 64 && !this.ctx.plans.classes.isSGPR[rc])
          return 'Invalid dpp_ctrl value: DP ALU dpp only support row_newbcast';
      }
    }
    return null;
  }

  // -- 7.9 -----------------------------------------------------------------------------------------------------------

  private checkLoadStore(): string | null {
    const { ctx } = this;
    const { vdst: dst, data, data1: data2 } = this.plan;
    // $noreg and what is no register count as no AGPR.
    const hasDst = this.isRegAt(dst);
    const hasData = this.isRegAt(data);
    const hasData2 = this.isRegAt(data2);
    const dstIsAGPR = hasDst && ctx.isAGPR(this.regOf(dst));
    const dataIsAGPR = hasData && ctx.isAGPR(this.regOf(data));
    const data2IsAGPR = hasData2 && ctx.isAGPR(this.regOf(data2));
    if (ctx.st.hasGFX90AInsts) {
      if (!ctx.st.release.rules.checksPairsOfAGPRs) return null;
      if (hasDst && hasData && dstIsAGPR !== dataIsAGPR && !this.isTied(dst) && !this.isTied(data))
        return 'Invalid register class: vdata and vdst should be both VGPR or AGPR';
      if (hasData && hasData2 && dataIsAGPR !== data2IsAGPR)
        return 'Invalid register class: both data operands should be VGPR or AGPR';
      return null;
    }
    return dstIsAGPR || dataIsAGPR || data2IsAGPR
      ? 'Invalid register class: agpr loads and stores not supported on this GPU'
      : null;
  }

  private isEvenVector(idx: number): boolean {
    if (idx < 0 || idx >= this.n || !this.isReg(idx)) return true;
    const { tables, plans } = this.ctx;
    // LLVM takes $noreg for virtual register 0; where there is none it reads what lies there.
    const reg = this.regOf(idx) || (this.ctx.fn.vregs.n > 0 ? virtReg(0) : 0);
    if (reg === 0) return true;
    if (isPhysicalReg(reg)) return (tables.regEncoding(reg) & 1) === 0;
    const rc = this.ctx.classOfReg(reg);
    if (rc < 0 || tables.regClassBits[rc] <= 32 || plans.classes.isMisaligned[rc] === 1) return false;
    const sub = this.sub[this.base + idx];
    return sub === 0 || ((tables.subRegOffset[sub] >> 5) & 1) === 0;
  }

  private checkLast(hook: number): string | null {
    const { plan } = this;
    const { st, tables } = this.ctx;
    if ((hook & HookBit.DsGws) !== 0 && !this.isEvenVector(this.named('data0')))
      return 'Subtarget requires even aligned vector registers for DS_GWS instructions';
    if ((hook & HookBit.ImageVaddrAlign) !== 0 && !this.isEvenVector(this.named('vaddr')))
      return 'Subtarget requires even aligned vector registers for vaddr operand of image instructions';
    if ((hook & HookBit.AccWrite) !== 0 && this.ctx.isSGPR(this.regOf(plan.src0)))
      return 'Invalid register class: v_accvgpr_write with an SGPR is not supported on this GPU';
    if ((hook & HookBit.WaveAddress) !== 0 && (!this.isReg(1) || isVirtualReg(this.regOf(1))))
      return 'pseudo expects only physical SGPRs';
    if ((hook & HookBit.OffsetScaling) !== 0) {
      const cpol = this.immOf(plan.cpol);
      if ((cpol & CPOL_SCALE_OFFSET) !== 0) {
        if (!st.hasFeature('gfx1250-insts')) return 'Subtarget does not support offset scaling';
        if (!this.canScaleOffset()) return 'Instruction does not support offset scaling';
      }
    }
    if ((hook & HookBit.PackedFp32) !== 0) {
      const mods = ['src0_modifiers', 'src1_modifiers', 'src2_modifiers'];
      const sources = [plan.src0, plan.src1, plan.src2];
      for (let s = 0; s < 3; s++) {
        if (sources[s] < 0 || !this.ctx.isSGPR(this.regOf(sources[s]))) continue;
        if ((this.immOf(this.named(mods[s])) & (MOD_OP_SEL_0 | MOD_OP_SEL_1)) !== 0) return '';
      }
    }
    if ((hook & HookBit.FlatScratchBase) !== 0 && this.readsReg(tables.regByName('src_flat_scratch_base_hi'))) {
      const sdst = this.named('sdst');
      const rc = sdst >= 0 ? this.ctx.classOfReg(this.regOf(sdst)) : -1;
      if (
        (rc >= 0 && tables.regClassBits[rc] === 64 && this.ctx.plans.classes.isSGPR[rc] === 1) ||
        plan.name === 'S_BITCMP0_B64' ||
        plan.name === 'S_BITCMP1_B64'
      )
        return 'Instruction cannot read flat_scratch_base_hi';
    }
    return null;
  }

  private canScaleOffset(): boolean {
    const { plan } = this;
    if (plan.ts(TSLo.SMRD)) return !SMEM_BUFFER.test(plan.name);
    if (!plan.ts(TSLo.FLAT)) return false;
    const hasVaddr = this.named('vaddr') >= 0;
    return plan.name.startsWith('SCRATCH_') ? hasVaddr : hasVaddr && this.named('saddr') >= 0;
  }

  private readsReg(reg: number): boolean {
    for (let o = this.base; o < this.base + this.n; o++)
      if (this.kind[o] === OperandKind.Register && this.val[o] === reg && (this.flags[o] & OpFlag.Def) === 0)
        return true;
    return false;
  }
}

/** Equal keys = identical operands; payloads are small and this runs for the rare second literal only. */
function payloadKey(p: object): string {
  return JSON.stringify(p, (_, v: unknown) => (typeof v === 'bigint' ? v.toString() : v));
}
