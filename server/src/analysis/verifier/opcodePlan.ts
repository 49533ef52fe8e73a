/**
 * What the verifier wants to know about an opcode on a subtarget, worked out once and kept.
 *
 * Most instructions need only the checks of their descriptor operands; the hook bits say which of the rarer checks of
 * the target (docs/llvm/verifier.md, 7) can apply to the opcode at all, so that a plain instruction passes them in one test.
 */
import { McFlag } from '../../target/api.js';
import type { Opcode, RegClassId, ReleaseRules, Subtarget, TargetTables } from '../../target/api.js';

/** SIInstrFlags, bit numbers of the low and of the high word of TSFlags. */
export const enum TSLo {
  SALU = 0,
  VALU = 1,
  SOP1 = 2,
  SOP2 = 3,
  SOPC = 4,
  SOPK = 5,
  SOPP = 6,
  VOP3 = 10,
  SDWA = 14,
  DPP = 15,
  SMRD = 19,
  MIMG = 20,
  VIMAGE = 21,
  VSAMPLE = 22,
  FLAT = 24,
  DS = 25,
  Spill = 26,
}
export const enum TSHi {
  Gather4 = 37 - 32,
  IsPacked = 49 - 32,
}

/** MCOI::OperandType as far as checks name it. */
export const enum OperandType {
  Unknown = 0,
  Immediate = 1,
  Register = 2,
  PCRel = 4,
  FirstGeneric = 6,
  LastGeneric = 11,
  FirstInlineOnly = 27,
  LastInlineOnly = 36,
  InlineSplitBarrier = 37,
  KImm32 = 38,
  KImm16 = 39,
  KImm64 = 40,
  FirstInlineAC = 41,
  LastInlineAC = 43,
  AVPseudoImm64 = 44,
  InputModifiers = 45,
}

/** What the target hook expects at the place of a descriptor operand. */
export const enum HookOperand {
  Anything = 0,
  /** no immediate, no global */
  Register = 1,
  RegisterOrInline = 2,
  InlineSplitBarrier = 3,
  Immediate = 4,
  /** any number, said to be an inline constant */
  Modifiers = 5,
}

/** Checks of the target hook that apply to an opcode. */
export const enum HookBit {
  ImageMemOperand = 1 << 0,
  Sdwa = 1 << 1,
  ImageResult = 1 << 2,
  ConstantBus = 1 << 3,
  WriteLane = 1 << 4,
  DivScale = 1 << 5,
  SalUTwoSources = 1 << 6,
  Sopk = 1 << 7,
  MovRel = 1 << 8,
  Exec = 1 << 9,
  ScalarStore = 1 << 10,
  FlatOffset = 1 << 11,
  Gds = 1 << 12,
  ImageAddress = 1 << 13,
  DppCtrl = 1 << 14,
  LoadStore = 1 << 15,
  DsGws = 1 << 16,
  ImageVaddrAlign = 1 << 17,
  AccWrite = 1 << 18,
  WaveAddress = 1 << 19,
  OffsetScaling = 1 << 20,
  PackedFp32 = 1 << 21,
  FlatScratchBase = 1 << 22,
}

export const enum PlanKind {
  /** target opcode without anything special */
  Target = 0,
  Phi,
  Copy,
  CopyLaneMask,
  InsertSubreg,
  RegSequence,
  Statepoint,
  InlineAsm,
  Debug,
  /** pre-isel generic: docs/llvm/verifier.md, 8 */
  Generic,
  /** G_ASSERT_SEXT, G_ASSERT_ZEXT, G_ASSERT_ALIGN */
  GenericHint,
  /** other target-independent opcodes */
  OtherIndependent,
}

/** The last opcode of TargetOpcode (GENERIC_OP_END) by name. */
const LAST_INDEPENDENT = 'G_UBFX';

const bit = (word: number, n: number): boolean => ((word >>> n) & 1) === 1;

/** Named operands that a plan looks at, in the order of `Named`. */
const NAMED = [
  ...['imm', 'src0', 'src1', 'src2', 'vdst', 'data0', 'vdata', 'data1', 'cpol'],
  ...['dmask', 'gds', 'dim', 'dpp_ctrl', 'vaddr'],
  ...['src0X', 'vsrc1X', 'src0Y', 'vsrc1Y'],
];
const enum Named {
  Imm,
  Src0,
  Src1,
  Src2,
  Vdst,
  Data0,
  Vdata,
  Data1,
  Cpol,
  Dmask,
  Gds,
  Dim,
  DppCtrl,
  Vaddr,
  /** the sources of a dual instruction from here on */
  Src0X,
}
const NONE_NAMED = new Int16Array(NAMED.length).fill(-1);

export class OpcodePlan {
  readonly kind: PlanKind;
  readonly name: string;
  readonly nOps: number;
  readonly nDefs: number;
  readonly flagsLo: number;
  readonly flagsHi: number;
  readonly tsLo: number;
  readonly tsHi: number;
  readonly isVariadic: boolean;
  readonly isPhi: boolean;
  readonly isDebug: boolean;
  readonly isTerminator: boolean;
  readonly mayLoad: boolean;
  readonly mayStore: boolean;
  readonly isTarget: boolean;
  readonly hasEarlyClobber: boolean;
  /** by descriptor operand */
  readonly type: Uint8Array;
  readonly regClass: Int16Array;
  readonly tiedTo: Int8Array;
  readonly hookOperand: Uint8Array;
  /** HookBit */
  readonly hook: number;
  /** explicit sources that count for the constant bus, -1 = absent */
  readonly busSources: Int8Array;
  /** named operands, -1 = absent */
  readonly imm: number;
  readonly src0: number;
  readonly src1: number;
  readonly src2: number;
  readonly vdst: number;
  /** `data0` of DS, `vdata` of the others */
  readonly data: number;
  readonly data1: number;
  readonly cpol: number;

  constructor(
    st: Subtarget,
    readonly opcode: Opcode,
    lastIndependent: number,
  ) {
    const t = st.tables;
    const name = t.opcodeName(opcode);
    const nOps = t.opcodeNumOperands(opcode);
    const begin = t.opInfoBegin(opcode);
    this.name = name;
    this.nOps = nOps;
    this.nDefs = t.opcodeNumDefs(opcode);
    this.flagsLo = t.opcodeFlagsLo(opcode);
    this.flagsHi = t.opcodeFlagsHi(opcode);
    this.tsLo = t.opcodeTSLo(opcode);
    this.tsHi = t.opcodeTSHi(opcode);
    this.isTarget = opcode > lastIndependent;
    this.isVariadic = bit(this.flagsLo, McFlag.Variadic);
    this.isTerminator = bit(this.flagsLo, McFlag.Terminator);
    this.mayLoad = bit(this.flagsLo, McFlag.MayLoad);
    this.mayStore = bit(this.flagsLo, McFlag.MayStore);
    this.kind = this.isTarget ? PlanKind.Target : independentKind(name);
    this.isPhi = this.kind === PlanKind.Phi || name === 'G_PHI';
    this.isDebug = this.kind === PlanKind.Debug;
    this.type = t.opInfoType.slice(begin, begin + nOps);
    this.tiedTo = t.opInfoTiedTo.slice(begin, begin + nOps);
    this.hasEarlyClobber = t.opInfoEarlyClobber.subarray(begin, begin + nOps).includes(1);
    this.regClass = new Int16Array(nOps);
    this.hookOperand = new Uint8Array(nOps);
    for (let i = 0; i < nOps; i++) {
      this.regClass[i] = st.opInfoRegClass(opcode, i);
      this.hookOperand[i] = hookOperandOf(this.type[i], st.release.rules);
    }
    const named = this.isTarget ? t.getNamedOperandIdxs(opcode, NAMED) : NONE_NAMED;
    this.imm = named[Named.Imm];
    this.src0 = named[Named.Src0];
    this.src1 = named[Named.Src1];
    this.src2 = named[Named.Src2];
    this.vdst = named[Named.Vdst];
    this.data = named[this.ts(TSLo.DS) ? Named.Data0 : Named.Vdata];
    this.data1 = named[Named.Data1];
    this.cpol = named[Named.Cpol];
    this.busSources =
      this.src0 >= 0 ? Int8Array.of(this.src0, this.src1, this.src2) : Int8Array.from(named.subarray(Named.Src0X));
    this.hook = this.isTarget && t.isAMDGCN ? hookBits(st, named, this) : 0;
  }

  isEarlyClobber(t: TargetTables, i: number): boolean {
    return t.opInfoEarlyClobber[t.opInfoBegin(this.opcode) + i] === 1;
  }

  ts(n: TSLo): boolean {
    return bit(this.tsLo, n);
  }

  tsHigh(n: TSHi): boolean {
    return bit(this.tsHi, n);
  }

  flag(n: McFlag): boolean {
    return n < 32 ? bit(this.flagsLo, n) : bit(this.flagsHi, n - 32);
  }
}

function independentKind(name: string): PlanKind {
  switch (name) {
    case 'PHI':
      return PlanKind.Phi;
    case 'COPY':
      return PlanKind.Copy;
    case 'COPY_LANEMASK':
      return PlanKind.CopyLaneMask;
    case 'INSERT_SUBREG':
      return PlanKind.InsertSubreg;
    case 'REG_SEQUENCE':
      return PlanKind.RegSequence;
    case 'STATEPOINT':
      return PlanKind.Statepoint;
    case 'INLINEASM':
    case 'INLINEASM_BR':
      return PlanKind.InlineAsm;
    case 'DBG_VALUE':
    case 'DBG_VALUE_LIST':
    case 'DBG_INSTR_REF':
    case 'DBG_PHI':
    case 'DBG_LABEL':
      return PlanKind.Debug;
    case 'G_ASSERT_SEXT':
    case 'G_ASSERT_ZEXT':
    case 'G_ASSERT_ALIGN':
      return PlanKind.GenericHint;
    default:
      return name.startsWith('G_') ? PlanKind.Generic : PlanKind.OtherIndependent;
  }
}

function hookOperandOf(type: number, rules: ReleaseRules): HookOperand {
  if (type === OperandType.Register) return HookOperand.Register;
  if (type >= OperandType.FirstInlineOnly && type <= OperandType.LastInlineOnly) return HookOperand.RegisterOrInline;
  if (type >= OperandType.FirstInlineAC && type <= OperandType.LastInlineAC) return HookOperand.RegisterOrInline;
  switch (type) {
    case OperandType.InputModifiers:
      return rules.modifiersAreImmediates ? HookOperand.Modifiers : HookOperand.Anything;
    case OperandType.InlineSplitBarrier:
      return HookOperand.InlineSplitBarrier;
    case OperandType.Immediate:
    case OperandType.KImm32:
    case OperandType.KImm64:
    case OperandType.AVPseudoImm64:
      return HookOperand.Immediate;
    default:
      return HookOperand.Anything;
  }
}

const NEEDS_NO_EXEC = new Set([
  'V_READLANE_B32',
  'V_WRITELANE_B32',
  'SI_SPILL_S32_TO_VGPR',
  'SI_RESTORE_S32_FROM_VGPR',
]);

function needsExec(p: OpcodePlan): boolean {
  if (p.ts(TSLo.VALU)) {
    if (NEEDS_NO_EXEC.has(p.name)) return false;
  } else if (p.flag(McFlag.PreISelOpcode) || p.ts(TSLo.SALU) || p.ts(TSLo.SMRD)) return false;
  return true;
}

/** `named`: the operands of NAMED. */
function hookBits(st: Subtarget, named: Int16Array, p: OpcodePlan): number {
  const isImage = p.ts(TSLo.MIMG) || p.ts(TSLo.VIMAGE) || p.ts(TSLo.VSAMPLE);
  const isMemory = p.mayLoad || p.mayStore;
  const aligned = st.needsAlignedVGPRs;
  let h = 0;
  if (isImage && isMemory) h |= HookBit.ImageMemOperand;
  if (p.ts(TSLo.SDWA)) h |= HookBit.Sdwa;
  if (isImage && !p.mayStore && named[Named.Dmask] >= 0) h |= HookBit.ImageResult;
  if (p.name === 'V_WRITELANE_B32') h |= HookBit.WriteLane;
  else if (p.ts(TSLo.VALU)) h |= HookBit.ConstantBus;
  if (p.name === 'V_DIV_SCALE_F32_e64' || p.name === 'V_DIV_SCALE_F64_e64') h |= HookBit.DivScale;
  if (p.ts(TSLo.SOP2) || p.ts(TSLo.SOPC)) h |= HookBit.SalUTwoSources;
  if (p.ts(TSLo.SOPK)) h |= HookBit.Sopk;
  if (/^V_MOVREL[SD]_B32_e(32|64)$/.test(p.name)) h |= HookBit.MovRel;
  if (needsExec(p)) h |= HookBit.Exec;
  if (p.ts(TSLo.SMRD) && p.mayStore) h |= HookBit.ScalarStore;
  if (p.ts(TSLo.FLAT) && !st.hasFeature('flat-inst-offsets')) h |= HookBit.FlatOffset;
  if (p.ts(TSLo.DS) && !st.hasFeature('gds') && named[Named.Gds] >= 0) h |= HookBit.Gds;
  if (isImage && named[Named.Dim] >= 0) h |= HookBit.ImageAddress;
  if (named[Named.DppCtrl] >= 0 || p.name.includes('_dpp8')) h |= HookBit.DppCtrl;
  if (isMemory && !(p.ts(TSLo.Spill) && p.ts(TSLo.VALU))) h |= HookBit.LoadStore;
  if (aligned && /^DS_GWS_(INIT|SEMA_BR|BARRIER)$/.test(p.name)) h |= HookBit.DsGws;
  if (aligned && p.ts(TSLo.MIMG) && named[Named.Vaddr] >= 0) h |= HookBit.ImageVaddrAlign;
  if (p.name === 'V_ACCVGPR_WRITE_B32_e64' && !st.hasGFX90AInsts) h |= HookBit.AccWrite;
  if (p.name === 'G_AMDGPU_WAVE_ADDRESS') h |= HookBit.WaveAddress;
  if (p.cpol >= 0) h |= HookBit.OffsetScaling;
  const isPacked = /^V_PK_(ADD|MUL|FMA)_F32/.test(p.name);
  if (isPacked && st.hasFeature('gfx12-insts') && st.release.rules.checksPackedSGPRs) h |= HookBit.PackedFp32;
  if (p.ts(TSLo.SALU) && st.hasFeature('gfx1250-insts')) h |= HookBit.FlatScratchBase;
  return h;
}

/** Small answers about register classes, one byte each. */
export class ClassFacts {
  /** 1 = SGPR class */
  readonly isSGPR: Uint8Array;
  /** 1 = contains VGPRs, 2 = contains AGPRs, 3 = both */
  readonly vector: Uint8Array;
  /** 1 = even alignment is asked for and the class lacks it */
  readonly isMisaligned: Uint8Array;

  constructor(t: TargetTables) {
    // The stored ones are of AMDGCN's classes.
    const { isSGPR, vector, isMisaligned } = t.isAMDGCN
      ? t.store.arrays('verifierClasses', ['isSGPR', 'vector', 'isMisaligned'], () => classColumns(t))
      : classColumns(t);
    this.isSGPR = isSGPR;
    this.vector = vector;
    this.isMisaligned = isMisaligned;
  }
}

/** The columns of ClassFacts. */
function classColumns(t: TargetTables): { isSGPR: Uint8Array; vector: Uint8Array; isMisaligned: Uint8Array } {
  const n = t.nRegClasses;
  const isSGPR = new Uint8Array(n);
  const vector = new Uint8Array(n);
  const isMisaligned = new Uint8Array(n);
  // Hundreds of classes ask for a few dozen names.
  const alignedClasses = new Map<string, RegClassId>();
  for (let rc = 0; rc < n; rc++) {
    isSGPR[rc] = t.isSGPRClass(rc) ? 1 : 0;
    const v = t.hasVGPRs(rc);
    const a = t.hasAGPRs(rc);
    vector[rc] = (v ? 1 : 0) | (a ? 2 : 0);
    if (!(v || a) || t.regClassBits[rc] <= 32) continue;
    const bits = t.regClassBits[rc];
    const alignedName = v && a ? `av_${bits}_align2` : v ? `vreg_${bits}_align2` : `areg_${bits}_align2`;
    let alignedClass = alignedClasses.get(alignedName);
    if (alignedClass === undefined) alignedClasses.set(alignedName, (alignedClass = t.regClassByName(alignedName)));
    isMisaligned[rc] = alignedClass >= 0 && t.hasSubClassEq(alignedClass, rc) ? 0 : 1;
  }
  return { isSGPR, vector, isMisaligned };
}

const classFacts = new WeakMap<TargetTables, ClassFacts>();

function classFactsOf(t: TargetTables): ClassFacts {
  let c = classFacts.get(t);
  if (!c) {
    c = new ClassFacts(t);
    classFacts.set(t, c);
  }
  return c;
}

/** Plans of one subtarget, made on first use; shared by all functions of that subtarget. */
export class PlanTable {
  /** by opcode; a file uses few of the tens of thousands */
  private readonly plans = new Map<Opcode, OpcodePlan>();
  readonly classes: ClassFacts;
  private readonly lastIndependent: number;
  private readonly subRegAnswers = new Map<number, number>();

  constructor(readonly st: Subtarget) {
    const t = st.tables;
    this.classes = classFactsOf(t);
    this.lastIndependent = t.opcodeByName(LAST_INDEPENDENT);
  }

  /**
   * Class to which SIRegisterInfo::getLargestLegalSuperClass widens: with AGPRs around, vector classes become AV classes.
   * @llvm SIRegisterInfo.cpp SIRegisterInfo::getLargestLegalSuperClass
   */
  private widen(rc: RegClassId): RegClassId {
    const { st } = this;
    if (!st.hasMAIInsts) return rc;
    const m = /^(?:[VA]GPR_(32)|[VA]Reg_(\d+(?:_Align2)?))$/.exec(st.tables.regClassName(rc));
    if (!m) return rc;
    const wide = st.tables.regClassByName(`av_${(m[1] ?? m[2]).toLowerCase()}`);
    return wide >= 0 ? wide : rc;
  }

  get(opcode: Opcode): OpcodePlan {
    let p = this.plans.get(opcode);
    if (p === undefined) {
      p = new OpcodePlan(this.st, opcode, this.lastIndependent);
      this.plans.set(opcode, p);
    }
    return p;
  }

  /**
   * Class that a virtual register with sub-register `sub` of class `rc` must have for that part to lie in `wanted`; -1 if
   * there is none (MachineVerifier: getMatchingSuperRegClass of the largest legal super-class).
   * @llvm TargetRegisterInfo.h TargetRegisterInfo::getSubClassWithSubReg
   */
  classForSubReg(rc: RegClassId, sub: number, wanted: RegClassId): RegClassId {
    const t = this.st.tables;
    const key = (rc * 512 + sub) * 1024 + wanted;
    let answer = this.subRegAnswers.get(key);
    if (answer === undefined) {
      answer = t.getMatchingSuperRegClass(this.widen(rc), wanted, sub);
      this.subRegAnswers.set(key, answer);
    }
    return answer;
  }
}

const planTables = new WeakMap<Subtarget, PlanTable>();

export function planTableOf(st: Subtarget): PlanTable {
  let p = planTables.get(st);
  if (!p) {
    p = new PlanTable(st);
    planTables.set(st, p);
  }
  return p;
}
