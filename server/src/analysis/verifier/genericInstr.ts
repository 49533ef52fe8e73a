/**
 * Generic (pre-isel) instructions: operand types and the rules of each opcode (docs/llvm/verifier.md, 8).
 *
 * Follows MachineVerifier::verifyPreISelGenericInstruction (LLVM 22) in what is checked and in which order. A type is the
 * LLT of a virtual register; operands without one were reported by the common part, and opcode rules skip them.
 */
import { McFlag } from '../../target/api.js';
import { OperandKind, OpFlag } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex } from '../../model/register.js';
import type { InstrId } from '../../model/machineFunction.js';
import { intrinsicEffects } from '../../ir/intrinsics.js';
import { MemFlag } from '../../model/memOperand.js';
import type { MemOperand } from '../../model/memOperand.js';
import { Format, sameFormat, sameLLT, sizeInBits } from '../../model/llt.js';
import type { LLT } from '../../model/llt.js';
import { OperandType } from './opcodePlan.js';
import type { OpcodePlan } from './opcodePlan.js';
import type { VerifierContext } from './verifierContext.js';

const VECTOR_INDEX_BITS = 32;
const FP_CLASS_MASK = 1023;

/** LLT() of LLVM: neither scalar nor pointer nor vector, no bits */
const NO_TYPE: LLT = {
  kind: 'none' as 'scalar',
  format: Format.Any,
  bits: 0,
  addressSpace: -1,
  numElements: 0,
  scalable: false,
};

const isValid = (t: LLT): boolean => t !== NO_TYPE;
const isVector = (t: LLT): boolean => t.kind === 'vector';
const isPointer = (t: LLT): boolean => t.kind === 'pointer';
const isScalar = (t: LLT): boolean => t.kind === 'scalar';
const hasPointers = (t: LLT): boolean => t.addressSpace >= 0;
const bytesOf = (t: LLT): number => Math.ceil(sizeInBits(t) / 8);
const sameElement = (a: LLT, b: LLT): boolean =>
  a.bits === b.bits && a.addressSpace === b.addressSpace && sameFormat(a.format, b.format);
const sameCount = (a: LLT, b: LLT): boolean => a.numElements === b.numElements && a.scalable === b.scalable;

/** index width of an address space in AMDGCN's data layout, or in R600's */
function indexBits(addressSpace: number, isAMDGCN: boolean): number {
  if (!isAMDGCN) return 32;
  switch (addressSpace) {
    case 2:
    case 3:
    case 5:
    case 6:
    case 7:
    case 9:
      return 32;
    case 8:
      return 48;
    default:
      return 64;
  }
}

const FP_BITS: Record<string, number> = {
  half: 16,
  bfloat: 16,
  float: 32,
  double: 64,
  x86_fp80: 80,
  fp128: 128,
  ppc_fp128: 128,
};

/** One instruction with short words for its operands; made per generic instruction, which are never hot. */
class GenericInstr {
  readonly base: number;
  readonly n: number;
  readonly mem: readonly MemOperand[];

  constructor(
    readonly ctx: VerifierContext,
    readonly i: InstrId,
    readonly plan: OpcodePlan,
  ) {
    this.base = ctx.fn.opBegin[i];
    this.n = ctx.fn.opBegin[i + 1] - this.base;
    this.mem = ctx.fn.memOperands[i] ?? [];
  }

  get isAMDGCN(): boolean {
    return this.ctx.tables.isAMDGCN;
  }

  report(message: string): void {
    this.ctx.out.onInstr(this.i, message);
  }

  reportOperand(j: number, message: string): void {
    this.ctx.out.onOperand(this.i, j, message);
  }

  is(j: number, kind: OperandKind): boolean {
    return j < this.n && this.ctx.fn.opKind[this.base + j] === kind;
  }

  reg(j: number): number {
    return this.is(j, OperandKind.Register) ? this.ctx.fn.opVal[this.base + j] : 0;
  }

  type(j: number): LLT | null {
    const r = this.reg(j);
    return isVirtualReg(r) ? this.ctx.fn.vregs.type[virtRegIndex(r)] : null;
  }

  /**
   * The type as the rules of an opcode see it: NO_TYPE if there is none. Where LLVM takes a non-register operand for a
   * register, it finds the register that its parser read before (nothing clears that field), so that is asked.
   */
  typeOrNone(j: number): LLT {
    while (j > 0 && j < this.n && !this.is(j, OperandKind.Register)) j--;
    return this.type(j) ?? NO_TYPE;
  }

  /** value of an immediate; NaN for anything else */
  imm(j: number): number {
    return this.is(j, OperandKind.Immediate) ? this.ctx.fn.imm(this.base + j) : NaN;
  }

  isFlag(j: number): boolean {
    const v = this.imm(j);
    return v === 0 || v === 1;
  }

  cimm(j: number): { bits: number; value: bigint } | null {
    return this.is(j, OperandKind.CImmediate) ? this.ctx.fn.payload(this.base + j, OperandKind.CImmediate) : null;
  }

  /**
   * all-vector or all-scalar, same number of elements; reports and answers false if not
   * @llvm MachineVerifier.cpp MachineVerifier::verifyVectorElementMatch
   */
  matchVectors(a: LLT, b: LLT): boolean {
    if (isVector(a) !== isVector(b)) {
      this.report('operand types must be all-vector or all-scalar');
      return false;
    }
    if (isVector(a) && !sameCount(a, b)) {
      this.report('operand types must preserve number of vector elements');
      return false;
    }
    return true;
  }
}

/**
 * Common part (8.1), then the rules of the opcode.
 * @llvm MachineVerifier.cpp MachineVerifier::verifyPreISelGenericInstruction
 */
export function checkGeneric(ctx: VerifierContext, i: InstrId, plan: OpcodePlan): void {
  const { fn } = ctx;
  const m = new GenericInstr(ctx, i, plan);
  if (fn.header.selected) m.report('Unexpected generic instruction in a Selected function');
  if (plan.flag(McFlag.Branch) && !plan.flag(McFlag.IndirectBranch)) {
    let hasBlock = false;
    for (let j = 0; j < m.n; j++) hasBlock ||= m.is(j, OperandKind.MBB);
    if (!hasBlock) m.report('Branch instruction is missing a basic block operand or isIndirectBranch property');
  }
  const types: (LLT | undefined)[] = [];
  for (let j = 0; j < plan.nOps; j++) {
    const t = plan.type[j];
    if (t < OperandType.FirstGeneric || t > OperandType.LastGeneric || j >= m.n) continue;
    if (!m.is(j, OperandKind.Register)) {
      m.report('generic instruction must use register operands');
      continue;
    }
    const type = m.type(j);
    if (!type) {
      m.reportOperand(j, 'Generic instruction is missing a virtual register type');
      continue;
    }
    const first = types[t];
    if (first === undefined) types[t] = type;
    else if (!sameLLT(first, type)) m.reportOperand(j, 'Type mismatch in generic instruction');
  }
  for (let j = 0; j < m.n; j++)
    if (isPhysicalReg(m.reg(j))) m.reportOperand(j, 'Generic instruction cannot have physical register');
  if (m.n < plan.nOps) return;
  checkOpcode(m, plan.name);
}

/** G_ASSERT_SEXT, G_ASSERT_ZEXT and G_ASSERT_ALIGN; the common part went before. */
export function checkGenericHint(ctx: VerifierContext, i: InstrId, plan: OpcodePlan): void {
  const m = new GenericInstr(ctx, i, plan);
  if (m.n < plan.nOps) return;
  if (plan.name === 'G_ASSERT_ALIGN') {
    if (m.imm(2) < 1) m.report('alignment immediate must be >= 1');
    return;
  }
  const { vregs } = ctx.fn;
  const bits = m.imm(2);
  if (Number.isNaN(bits)) m.report(`${plan.name} expects an immediate operand #2`);
  else if (bits <= 0) m.report(`${plan.name} size must be >= 1`);
  else if (bits >= m.typeOrNone(1).bits) m.report(`${plan.name} size must be less than source bit width`);
  else if (isVirtualReg(m.reg(0)) && isVirtualReg(m.reg(1))) {
    const d = virtRegIndex(m.reg(0));
    const s = virtRegIndex(m.reg(1));
    if (bankOf(ctx, d) >= 0 && bankOf(ctx, d) !== bankOf(ctx, s)) m.report(`${plan.name} cannot change register bank`);
    else if (vregs.regClass[d] >= 0 && vregs.regClass[d] !== vregs.regClass[s])
      m.report(`${plan.name} source and destination register classes must match`);
  }
}

/** bank of a virtual register, from its class if it has one; -1 = none */
function bankOf(ctx: VerifierContext, v: number): number {
  const { vregs } = ctx.fn;
  const rc = vregs.regClass[v];
  if (rc < 0) return vregs.bank[v];
  const { isSGPR, vector } = ctx.plans.classes;
  return ctx.tables.regBankByName(isSGPR[rc] === 1 ? 'sgpr' : vector[rc] === 2 ? 'agpr' : 'vgpr');
}

/** What is checked of an instruction besides its operands' types. */
type Check = (m: GenericInstr, name: string) => void;

const CHECKS: Readonly<Record<string, Check>> = {
  G_CONSTANT: checkConstant,
  G_FCONSTANT: checkConstant,
  G_LOAD: checkLoadStore,
  G_STORE: checkLoadStore,
  G_ZEXTLOAD: checkLoadStore,
  G_SEXTLOAD: checkLoadStore,
  G_PHI: checkPhiTypes,
  G_BITCAST: checkCast,
  G_INTTOPTR: checkCast,
  G_PTRTOINT: checkCast,
  G_ADDRSPACE_CAST: checkCast,
  G_PTR_ADD: checkPointerArithmetic,
  G_PTRMASK: checkPointerArithmetic,
  G_SEXT: checkExtendOrTruncate,
  G_ZEXT: checkExtendOrTruncate,
  G_ANYEXT: checkExtendOrTruncate,
  G_FPEXT: checkExtendOrTruncate,
  G_TRUNC: checkExtendOrTruncate,
  G_TRUNC_SSAT_S: checkExtendOrTruncate,
  G_TRUNC_SSAT_U: checkExtendOrTruncate,
  G_TRUNC_USAT_U: checkExtendOrTruncate,
  G_FPTRUNC: checkExtendOrTruncate,
  G_SELECT: checkSelect,
  G_MERGE_VALUES: checkMerge,
  G_UNMERGE_VALUES: checkUnmerge,
  G_BUILD_VECTOR: checkBuildVector,
  G_BUILD_VECTOR_TRUNC: checkBuildVectorTrunc,
  G_CONCAT_VECTORS: checkConcat,
  G_ICMP: checkCompare,
  G_FCMP: checkCompare,
  G_SCMP: checkThreeWayCompare,
  G_UCMP: checkThreeWayCompare,
  G_SMIN: checkMinMax,
  G_SMAX: checkMinMax,
  G_UMIN: checkMinMax,
  G_UMAX: checkMinMax,
  G_EXTRACT: checkExtract,
  G_INSERT: checkInsert,
  G_JUMP_TABLE: checkJumpTable,
  G_BRJT: checkTableBranch,
  G_INTRINSIC: checkIntrinsic,
  G_INTRINSIC_CONVERGENT: checkIntrinsic,
  G_INTRINSIC_W_SIDE_EFFECTS: checkIntrinsic,
  G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS: checkIntrinsic,
  G_SEXT_INREG: checkExtendInReg,
  G_BSWAP: checkByteSwap,
  G_VSCALE: checkVScale,
  G_STEP_VECTOR: checkStepVector,
  G_INSERT_SUBVECTOR: checkSubvector,
  G_EXTRACT_SUBVECTOR: checkSubvector,
  G_SHUFFLE_VECTOR: checkShuffle,
  G_SPLAT_VECTOR: checkSplat,
  G_EXTRACT_VECTOR_ELT: checkExtractElement,
  G_INSERT_VECTOR_ELT: checkInsertElement,
  G_DYN_STACKALLOC: checkStackAllocation,
  G_MEMCPY: checkMemcpy,
  G_MEMMOVE: checkMemcpy,
  G_MEMCPY_INLINE: checkMemcpy,
  G_MEMSET: (m) => checkMemset(m, 'memset'),
  G_BZERO: (m) => checkMemset(m, 'bzero'),
  G_UBSANTRAP: checkTrap,
  G_VECREDUCE_SEQ_FADD: checkSequentialReduction,
  G_VECREDUCE_SEQ_FMUL: checkSequentialReduction,
  G_SBFX: checkBitfield,
  G_UBFX: checkBitfield,
  G_SHL: checkShift,
  G_LSHR: checkShift,
  G_ASHR: checkShift,
  G_ROTR: checkShift,
  G_ROTL: checkShift,
  G_LROUND: checkRound,
  G_LLROUND: checkRound,
  G_IS_FPCLASS: checkFPClass,
  G_PREFETCH: checkPrefetch,
  G_PTRAUTH_GLOBAL_VALUE: checkAuthenticated,
  G_CONSTANT_POOL: checkConstantPool,
};

/** @llvm MachineVerifier.cpp MachineVerifier::verifyPreISelGenericInstruction */
function checkOpcode(m: GenericInstr, name: string): void {
  const check = CHECKS[name] ?? (name.startsWith('G_VECREDUCE_') ? checkReduction : undefined);
  check?.(m, name);
}

function checkSelect(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const c = m.typeOrNone(1);
  if (isValid(d) && isVector(c)) m.matchVectors(d, c);
}

function checkCompare(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(2);
  if (isVector(d) !== isVector(s) || (isVector(d) && !sameCount(d, s)))
    m.report('Generic vector icmp/fcmp must preserve number of lanes');
}

function checkMinMax(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  if (hasPointers(d)) m.report('Generic smin/smax/umin/umax does not support pointer operands');
}

function checkJumpTable(m: GenericInstr): void {
  if (!m.is(1, OperandKind.JumpTableIndex)) m.report('G_JUMP_TABLE source operand must be a jump table index');
  const d = m.typeOrNone(0);
  if (!isPointer(d)) m.report('G_JUMP_TABLE dest operand must have a pointer type');
}

function checkTableBranch(m: GenericInstr): void {
  const p = m.typeOrNone(0);
  if (!isPointer(p)) m.report('G_BRJT src operand 0 must be a pointer type');
  if (!m.is(1, OperandKind.JumpTableIndex)) m.report('G_BRJT src operand 1 must be a jump table index');
  const idx = m.typeOrNone(2);
  if (!m.is(2, OperandKind.Register) || isPointer(idx)) m.report('G_BRJT src operand 2 must be a scalar reg type');
}

function checkExtendInReg(m: GenericInstr): void {
  const bits = m.imm(2);
  const s = m.typeOrNone(1);
  if (Number.isNaN(bits)) return m.report('G_SEXT_INREG expects an immediate operand #2');
  if (bits <= 0) m.report('G_SEXT_INREG size must be >= 1');
  if (bits >= s.bits) m.report('G_SEXT_INREG size must be less than source bit width');
}

function checkByteSwap(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  if (d.bits % 16 !== 0) m.report('G_BSWAP size must be a multiple of 16 bits');
}

function checkVScale(m: GenericInstr): void {
  const c = m.cimm(1);
  if (!c) m.report('G_VSCALE operand must be cimm');
  else if (c.value === 0n) m.report('G_VSCALE immediate cannot be zero');
}

function checkSplat(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (!isVector(d) || !d.scalable) m.report('Destination type must be a scalable vector');
  else if (!isScalar(s) && !isPointer(s)) m.report('Source type must be a scalar or pointer');
  else if (d.bits > s.bits)
    m.report('Element type of the destination must be the same size or smaller than the source type');
}

function checkExtractElement(m: GenericInstr): void {
  const [d, s, idx] = [m.typeOrNone(0), m.typeOrNone(1), m.typeOrNone(2)];
  if (!isScalar(d) && !isPointer(d)) m.report('Destination type must be a scalar or pointer');
  else if (!isVector(s)) m.report('First source must be a vector');
  else if (sizeInBits(idx) !== VECTOR_INDEX_BITS) m.report('Index type must match VectorIdxTy');
}

function checkInsertElement(m: GenericInstr): void {
  const [d, v, s, idx] = [m.typeOrNone(0), m.typeOrNone(1), m.typeOrNone(2), m.typeOrNone(3)];
  if (!isVector(d)) m.report('Destination type must be a vector');
  else if (!sameLLT(d, v)) m.report('Destination type and vector type must match');
  else if (!isScalar(s) && !isPointer(s)) m.report('Inserted element must be a scalar or pointer');
  else if (sizeInBits(idx) !== VECTOR_INDEX_BITS) m.report('Index type must match VectorIdxTy');
}

function checkStackAllocation(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (!isPointer(d)) m.report('dst operand 0 must be a pointer type');
  else if (!m.is(1, OperandKind.Register) || !isScalar(s)) m.report('src operand 1 must be a scalar reg type');
  else if (!m.is(2, OperandKind.Immediate)) m.report('src operand 2 must be an immediate type');
}

function checkTrap(m: GenericInstr): void {
  const kind = m.imm(0);
  if (Number.isNaN(kind)) m.reportOperand(0, 'Crash kind must be an immediate');
  else if (kind < -128 || kind > 127) m.reportOperand(0, 'Crash kind must be 8 bit wide');
}

function checkSequentialReduction(m: GenericInstr): void {
  const [d, s1, s2] = [m.typeOrNone(0), m.typeOrNone(1), m.typeOrNone(2)];
  if (!isScalar(d)) m.report('Vector reduction requires a scalar destination type');
  if (!isScalar(s1)) m.report('Sequential FADD/FMUL vector reduction requires a scalar 1st operand');
  if (!isVector(s2)) m.report('Sequential FADD/FMUL vector reduction must have a vector 2nd operand');
}

function checkBitfield(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  if (isVector(d)) m.report('Bitfield extraction is not supported on vectors');
}

function checkShift(m: GenericInstr): void {
  const s1 = m.typeOrNone(1);
  const s2 = m.typeOrNone(2);
  if (isVector(s1) !== isVector(s2))
    m.report('Shifts and rotates require operands to be either all scalars or all vectors');
}

function checkAuthenticated(m: GenericInstr): void {
  const p = m.type(1) ?? NO_TYPE;
  if (!isPointer(p)) m.reportOperand(1, 'addr operand must be a pointer');
}

function checkConstantPool(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  if (!m.is(1, OperandKind.ConstantPoolIndex)) m.report('Src operand 1 must be a constant pool index');
  if (!isPointer(d)) m.report('Dst operand 0 must be a pointer');
}

function checkReduction(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  if (!isScalar(d)) m.report('Vector reduction requires a scalar destination type');
}

function checkConstant(m: GenericInstr, name: string): void {
  const d = m.typeOrNone(0);
  if (isVector(d)) m.report('Instruction cannot use a vector result type');
  let bits: number;
  if (name === 'G_CONSTANT') {
    const c = m.cimm(1);
    if (!c) return m.report('G_CONSTANT operand must be cimm');
    bits = c.bits;
  } else {
    if (!m.is(1, OperandKind.FPImmediate)) return m.report('G_FCONSTANT operand must be fpimm');
    bits = FP_BITS[m.ctx.fn.payload(m.base + 1, OperandKind.FPImmediate).type] ?? 0;
  }
  if (bits !== sizeInBits(d)) m.report('inconsistent constant size');
}

function checkLoadStore(m: GenericInstr, name: string): void {
  const value = m.typeOrNone(0);
  const pointer = m.typeOrNone(1);
  if (!isPointer(pointer)) m.report('Generic memory instruction must access a pointer');
  if (m.mem.length !== 1) return m.report('Generic instruction accessing memory must have one mem operand');
  const mem = m.mem[0];
  // What has no known size counts as larger than anything.
  const [bits, bytes] = mem.type ? [sizeInBits(mem.type), bytesOf(mem.type)] : [Infinity, Infinity];
  if (name === 'G_ZEXTLOAD' || name === 'G_SEXTLOAD') {
    if (bits >= sizeInBits(value)) m.report('Generic extload must have a narrower memory type');
  } else if (name === 'G_STORE') {
    if (bytes > bytesOf(value)) m.report('store memory size cannot exceed value size');
  } else {
    if (bytes > bytesOf(value)) m.report('load memory size cannot exceed result size');
    if (mem.type) checkRange(m, value, mem.type, mem.rangeBits ?? 0);
  }
  if (name === 'G_STORE') {
    if (mem.ordering === 'acquire' || mem.ordering === 'acq_rel') m.report('atomic store cannot use acquire ordering');
  } else if (mem.ordering === 'release' || mem.ordering === 'acq_rel')
    m.report('atomic load cannot use release ordering');
}

function checkRange(m: GenericInstr, value: LLT, type: LLT, bits: number): void {
  if (bits === 0) return;
  const isElement = !hasPointers(type) && type.bits === bits;
  const sameShape = isScalar(value) === isScalar(type) && (!isVector(value) || sameCount(value, type));
  if (!isElement || !sameShape) m.report('range is incompatible with the result type');
}

function checkPhiTypes(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  for (let j = 1; j < m.n; j++) {
    if (!m.is(j, OperandKind.Register)) continue;
    const t = m.typeOrNone(j);
    if (sameLLT(t, d)) continue;
    return m.report('Generic Instruction G_PHI has operands with incompatible/missing types');
  }
}

function checkCast(m: GenericInstr, name: string): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (!isValid(d) || !isValid(s)) return;
  if (name === 'G_BITCAST') {
    if (isPointer(d) !== isPointer(s)) m.report('bitcast cannot convert between pointers and other types');
    if (sizeInBits(d) !== sizeInBits(s)) m.report('bitcast sizes must match');
    if (sameLLT(d, s)) m.report('bitcast must change the type');
    return;
  }
  m.matchVectors(d, s);
  if (name === 'G_INTTOPTR') {
    if (!hasPointers(d)) m.report('inttoptr result type must be a pointer');
    if (hasPointers(s)) m.report('inttoptr source type must not be a pointer');
  } else if (name === 'G_PTRTOINT') {
    if (!hasPointers(s)) m.report('ptrtoint source type must be a pointer');
    if (hasPointers(d)) m.report('ptrtoint result type must not be a pointer');
  } else if (!hasPointers(s) || !hasPointers(d)) m.report('addrspacecast types must be pointers');
  else if (s.addressSpace === d.addressSpace) m.report('addrspacecast must convert different address spaces');
}

function checkPointerArithmetic(m: GenericInstr, name: string): void {
  const d = m.typeOrNone(0);
  const p = m.typeOrNone(1);
  const o = m.typeOrNone(2);
  if (!isValid(d) || !isValid(p) || !isValid(o)) return;
  if (name === 'G_PTRMASK') {
    if (!hasPointers(d)) m.report('ptrmask result type must be a pointer');
    if (hasPointers(o)) m.report('ptrmask mask type must be an integer');
    m.matchVectors(d, o);
    return;
  }
  if (!hasPointers(p)) m.report('gep first operand must be a pointer');
  if (hasPointers(o)) m.report('gep offset operand must not be a pointer');
  if (hasPointers(p) && o.bits !== indexBits(p.addressSpace, m.isAMDGCN))
    m.report('gep offset operand must match index size for address space');
}

function checkExtendOrTruncate(m: GenericInstr, name: string): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (!isValid(d) || !isValid(s)) return;
  if (hasPointers(d) || hasPointers(s)) m.report('Generic extend/truncate can not operate on pointers');
  m.matchVectors(d, s);
  if (name.includes('TRUNC')) {
    if (d.bits >= s.bits) m.report('Generic truncate has destination type no smaller than source');
  } else if (d.bits <= s.bits) m.report('Generic extend has destination type no larger than source');
}

function checkMerge(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (isVector(d) || isVector(s)) m.report('G_MERGE_VALUES cannot operate on vectors');
  if (sizeInBits(d) !== sizeInBits(s) * (m.n - 1)) m.report('G_MERGE_VALUES result size is inconsistent');
  for (let j = 2; j < m.n; j++) {
    const t = m.typeOrNone(j);
    if (!sameLLT(t, s)) m.report('G_MERGE_VALUES source types do not match');
  }
}

function checkUnmerge(m: GenericInstr): void {
  const nDsts = m.n - 1;
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(nDsts);
  for (let j = 1; j < nDsts; j++) {
    const t = m.typeOrNone(j);
    if (sameLLT(t, d)) continue;
    m.report('G_UNMERGE_VALUES destination types do not match');
    break;
  }
  const sizesDiffer = sizeInBits(s) !== nDsts * sizeInBits(d);
  if (isVector(d)) {
    const isSameElement = sameElement(s, d) || (isVector(s) && hasPointers(s));
    if (!isVector(s) || !isSameElement || s.scalable !== d.scalable || sizesDiffer)
      m.report('G_UNMERGE_VALUES source operand does not match vector destination operands');
  } else if (sizesDiffer)
    m.report(
      isVector(s)
        ? 'G_UNMERGE_VALUES vector source operand does not match scalar destination operands'
        : 'G_UNMERGE_VALUES scalar source operand does not match scalar destination operands',
    );
}

function checkBuildVector(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (!isVector(d) || isVector(s)) return m.report('G_BUILD_VECTOR must produce a vector from scalar operands');
  if (!sameElement(d, s)) m.report('G_BUILD_VECTOR result element type must match source type');
  if (d.numElements !== m.n - 1) m.report('G_BUILD_VECTOR must have an operand for each element');
  for (let j = 2; j < m.n; j++) {
    const t = m.typeOrNone(j);
    if (!sameLLT(t, s)) m.report('G_BUILD_VECTOR source operand types are not homogeneous');
  }
}

function checkBuildVectorTrunc(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (!isVector(d) || isVector(s)) m.report('G_BUILD_VECTOR_TRUNC must produce a vector from scalar operands');
  for (let j = 2; j < m.n; j++) {
    const t = m.typeOrNone(j);
    if (!sameLLT(t, s)) m.report('G_BUILD_VECTOR_TRUNC source operand types are not homogeneous');
  }
  if (sizeInBits(s) <= d.bits) m.report('G_BUILD_VECTOR_TRUNC source operand types are not larger than dest elt type');
}

function checkConcat(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (!isVector(d) || !isVector(s)) m.report('G_CONCAT_VECTOR requires vector source and destination operands');
  if (m.n < 3) m.report('G_CONCAT_VECTOR requires at least 2 source operands');
  for (let j = 2; j < m.n; j++) {
    const t = m.typeOrNone(j);
    if (!sameLLT(t, s)) m.report('G_CONCAT_VECTOR source operand types are not homogeneous');
  }
  // A scalar counts as no element here.
  const count = (t: LLT): number => (isVector(t) ? t.numElements : 0);
  if (count(d) !== count(s) * (m.n - 1) || d.scalable !== s.scalable)
    m.report('G_CONCAT_VECTOR num dest and source elements should match');
}

function checkThreeWayCompare(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (hasPointers(s)) m.report('Generic scmp/ucmp does not support pointers as operands');
  else if (hasPointers(d)) m.report('Generic scmp/ucmp does not support pointers as a result');
  else if (d.bits < 2) m.report('Result type must be at least 2 bits wide');
  else if (isVector(d) !== isVector(s) || (isVector(d) && !sameCount(d, s)))
    m.report('Generic vector scmp/ucmp must preserve number of lanes');
}

function checkExtract(m: GenericInstr): void {
  if (!m.is(1, OperandKind.Register)) return m.report('extract source must be a register');
  const offset = m.imm(2);
  if (Number.isNaN(offset)) return m.report('extract offset must be a constant');
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (sizeInBits(s) === sizeInBits(d)) m.report('extract source must be larger than result');
  if (sizeInBits(d) + offset > sizeInBits(s)) m.report('extract reads past end of register');
}

function checkInsert(m: GenericInstr): void {
  if (!m.is(2, OperandKind.Register)) return m.report('insert source must be a register');
  const offset = m.imm(3);
  if (Number.isNaN(offset)) return m.report('insert offset must be a constant');
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(2);
  if (sizeInBits(d) <= sizeInBits(s)) m.report('inserted size must be smaller than total register');
  if (sizeInBits(s) + offset > sizeInBits(d)) m.report('insert writes past end of register');
}

/**
 * @llvm MachineVerifier.cpp MachineVerifier::verifyGIntrinsicSideEffects
 * @llvm MachineVerifier.cpp MachineVerifier::verifyGIntrinsicConvergence
 */
function checkIntrinsic(m: GenericInstr, name: string): void {
  const { fn } = m.ctx;
  let first = 0;
  while (m.is(first, OperandKind.Register) && (fn.opFlags[m.base + first] & OpFlag.Def) !== 0) first++;
  if (!m.is(first, OperandKind.IntrinsicID)) return m.report('G_INTRINSIC first src operand must be an intrinsic ID');
  const intrinsic = intrinsicEffects(
    fn.payload(m.base + first, OperandKind.IntrinsicID).name,
    fn.subtarget.release.intrinsics,
  );
  if (!intrinsic) return;
  const isPure = !name.endsWith('_W_SIDE_EFFECTS');
  const isConvergent = name.includes('_CONVERGENT');
  if (isPure && intrinsic.accessesMemory) m.report(`${name} used with intrinsic that accesses memory`);
  else if (!isPure && !intrinsic.accessesMemory) m.report(`${name} used with readnone intrinsic`);
  else if (!isConvergent && intrinsic.isConvergent) m.report(`${name} used with a convergent intrinsic`);
  else if (isConvergent && !intrinsic.isConvergent) m.report(`${name} used with a non-convergent intrinsic`);
}

function checkStepVector(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const step = m.cimm(1);
  if (!step) return m.report('operand must be cimm');
  if (step.value <= 0n) return m.report('step must be > 0');
  if (!isVector(d) || !d.scalable) m.report('Destination type must be a scalable vector');
  else if (hasPointers(d)) m.report('Destination element type must be scalar');
  else if (step.bits !== d.bits) m.report('step bitwidth differs from result type element bitwidth');
}

function checkSubvector(m: GenericInstr, name: string): void {
  const isInsert = name === 'G_INSERT_SUBVECTOR';
  if (!m.is(1, OperandKind.Register)) return m.report(`${name} first source must be a register`);
  if (isInsert && !m.is(2, OperandKind.Register)) return m.report(`${name} second source must be a register`);
  const idx = m.imm(isInsert ? 3 : 2);
  if (Number.isNaN(idx)) return m.report(`${name} index must be an immediate`);
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(isInsert ? 2 : 1);
  if (!isVector(d)) return m.report('Destination type must be a vector');
  if (!isVector(s)) return m.report(isInsert ? 'Second source must be a vector' : 'Source must be a vector');
  if (!sameElement(d, s)) return m.report('Element type of vectors must be the same');
  const isMixed = d.scalable !== s.scalable;
  if (isMixed) {
    if (!m.ctx.st.release.rules.mixesScalableSubvectors)
      return m.report('Vector types must both be fixed or both be scalable');
    if ((isInsert ? s : d).scalable)
      return m.report(
        `Cannot ${isInsert ? 'insert' : 'extract'} a scalable vector ${isInsert ? 'into' : 'from'} a fixed length vector`,
      );
  }
  const whole = isInsert ? d.numElements : s.numElements;
  const part = isInsert ? s.numElements : d.numElements;
  if (part > whole && !isMixed)
    return m.report(
      isInsert
        ? 'Second source must be smaller than destination vector'
        : 'Destination vector must be smaller than source vector',
    );
  if (idx % part !== 0)
    return m.report(
      isInsert
        ? "Index must be a multiple of the second source vector's minimum vector length"
        : "Index must be a multiple of the destination vector's minimum vector length",
    );
  if (idx >= whole || (!isMixed && idx + part > whole))
    m.report(
      isInsert
        ? 'Subvector type and index must not cause insert to overrun the vector being inserted into'
        : 'Destination type and index must not cause extract to overrun the source vector',
    );
}

function checkShuffle(m: GenericInstr): void {
  if (!m.is(3, OperandKind.ShuffleMask)) return m.report('Incorrect mask operand type for G_SHUFFLE_VECTOR');
  const [d, s1, s2] = [m.typeOrNone(0), m.typeOrNone(1), m.typeOrNone(2)];
  if (!sameLLT(s1, s2)) m.report('Source operands must be the same type');
  if (!sameElement(d, s1)) return m.report('G_SHUFFLE_VECTOR cannot change element type');
  if (!isVector(s1)) return m.report('G_SHUFFLE_VECTOR must have vector src');
  if (!isVector(d)) return m.report('G_SHUFFLE_VECTOR must have vector dst');
  const { mask } = m.ctx.fn.payload(m.base + 3, OperandKind.ShuffleMask);
  if (mask.length !== d.numElements) m.report('Wrong result type for shufflemask');
  for (const k of mask) if (k >= 2 * s1.numElements) m.report('Out of bounds shuffle index');
}

const isStoreOnly = (x: MemOperand): boolean => (x.flags & (MemFlag.Load | MemFlag.Store)) === MemFlag.Store;
const isLoadOnly = (x: MemOperand): boolean => (x.flags & (MemFlag.Load | MemFlag.Store)) === MemFlag.Load;

function checkMemcpy(m: GenericInstr, name: string): void {
  if (m.mem.length !== 2) return m.report('memcpy/memmove must have 2 memory operands');
  const [store, load] = m.mem;
  if (!isStoreOnly(store) || !isLoadOnly(load)) return m.report('wrong memory operand types');
  const sizeOf = (x: MemOperand): number => (x.type ? bytesOf(x.type) : -1);
  if (sizeOf(store) !== sizeOf(load)) m.report('inconsistent memory operand sizes');
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (!isPointer(d) || !isPointer(s)) return m.report('memory instruction operand must be a pointer');
  if (d.addressSpace !== store.addressSpace) m.report('inconsistent store address space');
  if (s.addressSpace !== load.addressSpace) m.report('inconsistent load address space');
  if (name !== 'G_MEMCPY_INLINE' && !m.isFlag(3)) m.report("'tail' flag (operand 3) must be an immediate 0 or 1");
}

function checkMemset(m: GenericInstr, word: string): void {
  if (m.mem.length !== 1) return m.report(`${word} must have 1 memory operand`);
  if (!isStoreOnly(m.mem[0])) return m.report(`${word} memory operand must be a store`);
  const d = m.typeOrNone(0);
  if (!isPointer(d)) return m.report(`${word} operand must be a pointer`);
  if (d.addressSpace !== m.mem[0].addressSpace) m.report(`inconsistent ${word} address space`);
  if (!m.isFlag(m.n - 1)) m.report("'tail' flag (last operand) must be an immediate 0 or 1");
}

function checkRound(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (!isValid(d) || !isValid(s)) return;
  if (isPointer(s)) m.report('Source operand must not be a pointer type');
  else if (isPointer(d)) m.report('Destination operand must not be a pointer type');
  else if (isScalar(s)) {
    if (isVector(d)) m.report('All register operands must have scalar types');
  } else m.matchVectors(s, d);
}

function checkFPClass(m: GenericInstr): void {
  const d = m.typeOrNone(0);
  const s = m.typeOrNone(1);
  if (!isValid(d) || hasPointers(d)) return m.report('Destination must be a scalar or vector of scalars');
  if (!isValid(s) || hasPointers(s)) return m.report('Source must be a scalar or vector of scalars');
  if (!m.matchVectors(d, s)) return;
  const mask = m.imm(2);
  if (Number.isNaN(mask)) m.report('floating-point class set (operand 2) must be an immediate');
  else if (mask < 0 || mask > FP_CLASS_MASK) m.report('Incorrect floating-point class set (operand 2)');
}

function checkPrefetch(m: GenericInstr): void {
  const p = m.typeOrNone(0);
  if (!isPointer(p)) return m.reportOperand(0, 'addr operand must be a pointer');
  const inRange = (j: number, last: number): boolean => m.imm(j) >= 0 && m.imm(j) <= last;
  if (!inRange(1, 1)) m.reportOperand(1, 'rw operand must be an immediate 0-1');
  else if (!inRange(2, 3)) m.reportOperand(2, 'locality operand must be an immediate 0-3');
  else if (!inRange(3, 1)) m.reportOperand(3, 'cache type operand must be an immediate 0-1');
}
