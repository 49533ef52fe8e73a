/**
 * Which two instructions of the vector unit the processor can issue as one (VOPD: gfx11 and later, waves of 32 lanes), and whether their registers allow it
 * (GCNVOPDUtils, AMDGPUBaseInfo, LLVM 22; docs/llvm/post-ra-scheduling.md, 5).
 */
import { operandOf } from '../model/edit/functionEditor.js';
import { OperandKind, type InstrId, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { sameOperand } from '../model/sameOperand.js';
import { Generation, type PhysReg } from '../target/api.js';
import { isVOP3, OperandType } from '../target/opcodes.js';
import { OpcodePattern } from '../target/opcodeSets.js';
import { InstrQueries } from './instrQueries.js';
import { OperandLegality } from './operandLegality.js';
import { RegisterFacts } from './registerFacts.js';
import type { NoteRule } from './remarks.js';

/** The first of a pair, whatever the encoding. */
const X = new OpcodePattern(
  /^V_(?:(?:ADD|CNDMASK|DOT2C_F32_BF16|DOT2C_F32_F16|FMAC|MAX|MIN|MOV|MUL|MUL_LEGACY|SUBREV|SUB)(?:_[FB]32)?_e32|FMA[AM]K_F32)$/,
);
/** The second alone, by encoding */
const Y11 = new OpcodePattern(/^V_(?:ADD_U32|AND_B32|LSHLREV_B32)_e32$/);
const Y1250 = new OpcodePattern(/^V_(?:ADD_U32|ASHRREV_I32|LSHLREV_B32|LSHRREV_B32|MAX_I32|MIN_I32|SUB_U32)_e32$/);
/** The same for the encoding with three sources (VOPD3). */
const X3 = new OpcodePattern(
  /^V_(?:(?:ADD_F32|ADD_F64_pseudo|ADD_U32|ASHRREV_I32|CNDMASK_B32|DOT2C_F32_BF16|DOT2C_F32_F16|FMAC_F32|LSHLREV_B32|LSHRREV_B32|MAX_F32|MAX_NUM_F64|MIN_F32|MIN_NUM_F64|MUL_F32|MUL_F64_pseudo|MUL_LEGACY_F32|SUBREV_F32|SUB_F32|SUB_U32)_e(?:32|64)|MOV_B32_e32|FMA_F(?:32|64)_e64)$/,
);
const Y3 = new OpcodePattern(
  /^V_(?:(?:ADD_F32|ADD_U32|AND_B32|ASHRREV_I32|CNDMASK_B32|DOT2C_F32_BF16|DOT2C_F32_F16|FMAC_F32|LSHLREV_B32|LSHRREV_B32|MAX_F32|MAX_I32|MIN_F32|MIN_I32|MUL_F32|MUL_LEGACY_F32|SUBREV_F32|SUB_F32|SUB_U32)_e(?:32|64)|(?:MOV|OR|XOR|XNOR)_B32_e32|(?:FMA_F32|BITOP3_B32)_e64)$/,
);
/** SISrcMods: the bits of `srcN_modifiers` that no pair may have; the first bit negates. */
const NEGATES = 1;
/** Banks of VGPRs, by operand: the result, and three sources. The two of a pair may not share one. */
const BANKS = [1, 3, 3, 1] as const;
const BANKS3 = [1, 3, 3, 3] as const;

/** Products of two halves that may stand for those with an accumulator, where the release pairs them, and what their modifiers are then: op_sel_hi alone. */
const DOT_PRODUCT = new OpcodePattern(/^V_DOT2_F32_B?F16$/);
const PLAIN_MODIFIER = 8;

/** Two instructions with the roles that they may have. */
export interface VopdPair {
  readonly x: InstrId;
  readonly y: InstrId;
  /** in the encoding with three sources */
  readonly isVOPD3: boolean;
}

export class VopdPairs {
  private readonly queries: InstrQueries;
  private readonly legality: OperandLegality;
  private readonly facts: RegisterFacts;
  private readonly hasVOPD3: boolean;
  private readonly vccLo: PhysReg;
  /** the processor has such instructions */
  readonly isPossible: boolean;
  /** why the last two could not be paired */
  why: NoteRule = 'pairRoles';

  constructor(private readonly fn: MachineFunction) {
    const { subtarget: st } = fn;
    this.queries = new InstrQueries(fn);
    this.facts = new RegisterFacts(fn);
    this.legality = new OperandLegality(fn, this.facts);
    this.hasVOPD3 = st.hasFeature('gfx1250-insts');
    this.vccLo = fn.tables.regByName('vcc_lo');
    this.isPossible = st.hasFeature('vopd') && st.wavefrontSize === 32;
  }

  /** @llvm AMDGPUBaseInfo.cpp AMDGPU::getCanBeVOPD */
  private kinds(i: InstrId, isVOPD3: boolean): { readonly x: boolean; readonly y: boolean } {
    const { queries } = this;
    if (isVOPD3) return { x: queries.matches(X3, i), y: queries.matches(Y3, i) };
    const x = queries.matches(X, i) || this.isDotProduct(i);
    return { x, y: x || queries.matches(this.hasVOPD3 ? Y1250 : Y11, i) };
  }

  /** Whether an instruction may be one of a pair at all. */
  isCandidate(i: InstrId): boolean {
    const { x, y } = this.kinds(i, false);
    if (x || y) return true;
    if (!this.hasVOPD3) return false;
    const wide = this.kinds(i, true);
    return wide.x || wide.y;
  }

  /**
   * Whether `second`, which comes later, could be issued with `first`.
   * @llvm GCNVOPDUtils.cpp shouldScheduleVOPDAdjacent
   */
  canPair(first: InstrId, second: InstrId): boolean {
    return this.pairing(first, second) !== null;
  }

  /** The same with the roles that they have then; null = they cannot. */
  pairing(first: InstrId, second: InstrId): VopdPair | null {
    return this.pairingAs(first, second, false) ?? (this.hasVOPD3 ? this.pairingAs(first, second, true) : null);
  }

  private pairingAs(first: InstrId, second: InstrId, isVOPD3: boolean): VopdPair | null {
    const { fn } = this;
    const a = this.kinds(first, isVOPD3);
    const b = this.kinds(second, isVOPD3);
    const plain: VopdPair | null = a.x && b.y ? { x: first, y: second, isVOPD3 } : null;
    const swapped: VopdPair | null = a.y && b.x ? { x: second, y: first, isVOPD3 } : null;
    this.why = 'pairRoles';
    if (plain === null && swapped === null) return null;
    this.why = 'pairReads';
    const { pairsVopdByRoles } = fn.subtarget.release.rules;
    if (this.dependsOn(second, first, pairsVopdByRoles)) return null;
    if (!pairsVopdByRoles) return this.registersFit(first, second, isVOPD3, this.hasVOPD3) ? (plain ?? swapped) : null;
    const mayShare = fn.subtarget.generation >= Generation.GFX12;
    if (plain !== null && this.registersFit(first, second, isVOPD3, mayShare)) return plain;
    const maySwappedShare = mayShare && !this.dependsOn(first, second, true);
    return swapped !== null && this.registersFit(second, first, isVOPD3, maySwappedShare) ? swapped : null;
  }

  private isDotProduct(i: InstrId): boolean {
    return this.fn.subtarget.release.rules.pairsDotProducts && this.queries.matches(DOT_PRODUCT, i);
  }

  /** It adds to its own result, without modifiers. */
  private isPlainProduct(i: InstrId): boolean {
    const { queries, fn } = this;
    const [src1, src2] = [queries.named(i, 'src1'), queries.named(i, 'src2')];
    if (!queries.isReg(src1) || !queries.isReg(src2) || fn.opVal[fn.opBegin[i]] !== fn.opVal[src2]) return false;
    const modifiers = ['src0_modifiers', 'src1_modifiers', 'src2_modifiers'];
    return modifiers.every((name) => queries.imm(i, name) === PLAIN_MODIFIER) && queries.imm(i, 'clamp') === 0;
  }

  /** Whether `i` reads what `before` writes; without `readsAlone` it counts, too, if both write it. */
  private dependsOn(i: InstrId, before: InstrId, readsAlone: boolean): boolean {
    const { queries, fn } = this;
    const firstUse = fn.opBegin[i] + fn.tables.opcodeNumDefs(fn.opcode[i]);
    return queries
      .regOperands(i)
      .some((o) => (readsAlone ? !queries.isDef(o) : o >= firstUse) && queries.modifies(before, fn.opVal[o]));
  }

  /**
   * `mayShare`: both may read one VGPR.
   * @llvm GCNVOPDUtils.cpp checkVOPDRegConstraints
   */
  private registersFit(x: InstrId, y: InstrId, isVOPD3: boolean, mayShare: boolean): boolean {
    const { queries, fn } = this;
    const { pairsVopdByRoles } = fn.subtarget.release.rules;
    this.why = 'pairLong';
    for (const i of [x, y]) {
      if (this.isDotProduct(i)) {
        if (!this.isPlainProduct(i)) return false;
      } else if (!isVOPD3 && this.isVOP3(i)) return false;
    }
    const literals: OperandId[] = [];
    const scalars: PhysReg[] = [];
    for (const i of [x, y]) {
      this.why = 'pairScalars';
      if (!this.countScalars(i, isVOPD3, literals, scalars)) return false;
      this.why = 'pairModifiers';
      if (isVOPD3 && !this.hasPlainOperands(i, scalars)) return false;
    }
    this.why = 'pairScalars';
    const nScalars = pairsVopdByRoles ? new Set(scalars).size : scalars.length;
    if (literals.length > 1 || literals.length + nScalars > 2) return false;
    this.why = 'pairBanks';
    if (this.sharesBank(x, y, isVOPD3, mayShare)) return false;
    if (!isVOPD3) return true;
    this.why = 'pairThirdSource';
    const hasNoThirdSource = (i: InstrId): boolean => {
      const src2 = queries.named(i, 'bitop3') < 0 ? -1 : queries.named(i, 'src2');
      return src2 < 0 || (fn.opKind[src2] === OperandKind.Immediate && fn.imm(src2) === 0);
    };
    return hasNoThirdSource(y) && hasNoThirdSource(x);
  }

  private isVOP3(i: InstrId): boolean {
    return this.queries.is(isVOP3, i);
  }

  /** Scalar registers and literals of an instruction, which the pair has few places for. Returns false where there is none. */
  private countScalars(i: InstrId, isVOPD3: boolean, literals: OperandId[], scalars: PhysReg[]): boolean {
    const { queries, fn, legality } = this;
    const addLiteral = (o: OperandId): void => {
      if (!literals.some((other) => sameOperand(fn, operandOf(fn, other), operandOf(fn, o)))) literals.push(o);
    };
    const src0 = queries.named(i, 'src0');
    if (queries.isReg(src0)) {
      const reg = fn.opVal[src0];
      if (!this.facts.hasVectorRegisters(this.facts.classOf(reg)) && !scalars.includes(reg)) scalars.push(reg);
    } else if (!this.isInline(src0, i)) {
      if (isVOPD3) return false;
      addLiteral(src0);
    }
    for (let k = 2; k < fn.tables.opcodeNumOperands(fn.opcode[i]) && !this.isVOP3(i); k++) {
      if (legality.typeOf(fn.opcode[i], k) !== OperandType.KImm32) continue;
      if (isVOPD3) return false;
      addLiteral(fn.opBegin[i] + k);
      break;
    }
    if (fn.tables.implicitUses(fn.opcode[i]).includes(fn.tables.regByName('vcc'))) scalars.push(this.vccLo);
    return true;
  }

  private isInline(o: OperandId, i: InstrId): boolean {
    const { fn, legality } = this;
    if (fn.opKind[o] !== OperandKind.Immediate) return false;
    return this.facts.isInlineHalves(fn.opVal[o], fn.opExt[o], legality.typeOf(fn.opcode[i], o - fn.opBegin[i]));
  }

  /** VOPD3: VGPRs but for the first source, and no modifiers but signs. */
  private hasPlainOperands(i: InstrId, scalars: PhysReg[]): boolean {
    const { queries, fn } = this;
    for (const name of ['src1', 'src2']) {
      const src = queries.named(i, name);
      if (src < 0) continue;
      if (name === 'src2' && queries.named(i, 'bitop3') >= 0) continue;
      // A mask counts each time, even if both have the same one.
      if (name === 'src2' && queries.name(i) === 'V_CNDMASK_B32_e64') {
        scalars.push(fn.opVal[src]!);
        continue;
      }
      if (!queries.isReg(src) || !this.isVGPR(fn.opVal[src])) return false;
    }
    for (const name of ['clamp', 'omod', 'op_sel'])
      if (queries.named(i, name) >= 0 && queries.imm(i, name) !== 0) return false;
    return ['src0_modifiers', 'src1_modifiers', 'src2_modifiers'].every(
      (name) => queries.named(i, name) < 0 || (queries.imm(i, name) & ~NEGATES) === 0,
    );
  }

  private isVGPR(reg: PhysReg): boolean {
    const rc = this.facts.classOf(reg);
    return rc >= 0 && this.fn.tables.hasVGPRs(rc);
  }

  /** @llvm AMDGPUBaseInfo.cpp AMDGPU::VOPD::InstInfo::getInvalidCompOperandIndex */
  private sharesBank(first: InstrId, second: InstrId, isVOPD3: boolean, mayShare: boolean): boolean {
    const { queries, fn } = this;
    const { tables, subtarget } = fn;
    const isMove = (i: InstrId): boolean => queries.name(i) === 'V_MOV_B32_e32';
    const skipsSources = subtarget.generation >= Generation.GFX12 && isMove(first) && isMove(second);
    for (let k = 0; k < BANKS.length; k++) {
      const x = this.vectorAt(first, k);
      const y = this.vectorAt(second, k);
      if (x === 0 || y === 0) continue;
      if (this.upperBits(x) !== this.upperBits(y)) return true;
      if (skipsSources && k > 0) continue;
      if (k === 0) {
        if (tables.regsOverlap(x, y)) return true;
        if (isVOPD3) continue;
      } else if (mayShare && x === y) continue;
      if (this.banksOverlap(x, y, (isVOPD3 ? BANKS3 : BANKS)[k]!)) return true;
    }
    return false;
  }

  /**
   * The first 256 VGPRs are named at once, others by what S_SET_VGPR_MSB says.
   * @llvm AMDGPUBaseInfo.cpp AMDGPU::getVGPREncodingMSBs
   */
  private upperBits(reg: PhysReg): number {
    const { tables } = this.fn;
    return (this.firstPart(reg) - tables.regByName('vgpr0')) >> 8;
  }

  private firstPart(reg: PhysReg): PhysReg {
    const { tables } = this.fn;
    return tables.getSubReg(reg, tables.subRegIndexByName('sub0')) || reg;
  }

  private banksOverlap(x: PhysReg, y: PhysReg, mask: number): boolean {
    const baseX = this.firstPart(x);
    const baseY = this.firstPart(y);
    const isSame = (a: number, b: number): boolean => ((a ^ b) & mask) === 0;
    if (isSame(baseX, baseY)) return true;
    return (baseX !== x && isSame(baseX + 1, baseY)) || (baseY !== y && isSame(baseX, baseY + 1));
  }

  /** The vector register at a place of a pair's half: its result (0) or a source; 0 = none. */
  private vectorAt(i: InstrId, place: number): PhysReg {
    const { fn, queries, legality } = this;
    let o = fn.opBegin[i] + place;
    if (place > 0 && this.isVOP3(i)) {
      if (place === 3 && queries.named(i, 'bitop3') >= 0) return 0;
      o = queries.named(i, `src${place - 1}`);
    } else if (place >= fn.tables.opcodeNumOperands(fn.opcode[i])) return 0;
    else if (legality.typeOf(fn.opcode[i], place) === OperandType.KImm32) return 0;
    if (o < 0 || !queries.isReg(o)) return 0;
    const reg = fn.opVal[o];
    return this.facts.hasVectorRegisters(this.facts.classOf(reg)) ? reg : 0;
  }
}
