/**
 * What an instruction computes, in a line, read from its name: the instruction sets name operations, types and addresses alike, so that a grammar of the parts of
 * names says it for nearly all, and a list for what is left. `a`, `b`, `c` are the sources in their order, `d` is the destination.
 */
import type { Opcode, TargetTables } from '../../target/index.js';

/** Of families: `{}` stands for a type. */
const VECTOR: Readonly<Record<string, string>> = {
  ...{ ADD: 'a + b', SUB: 'a - b', SUBREV: 'b - a', ADD_NC: 'a + b', SUB_NC: 'a - b', SUBREV_NC: 'b - a' },
  ...{
    ADD_CO: 'a + b, and the mask of lanes that carry',
    SUB_CO: 'a - b, and the mask of lanes that borrow',
    SUBREV_CO: 'b - a, and the mask of lanes that borrow',
  },
  ...{
    ADDC: 'a + b + carry of the lane, and the mask of lanes that carry',
    SUBB: 'a - b - borrow of the lane, and the mask of lanes that borrow',
  },
  ...{
    SUBBREV: 'b - a - borrow of the lane, and the mask of lanes that borrow',
    ADD_CO_CI: 'a + b + carry of the lane, and the mask of lanes that carry',
  },
  ...{
    MUL: 'a * b',
    MUL_LO: 'low half of a * b',
    MUL_HI: 'high half of a * b',
    MUL_LEGACY: 'a * b, 0 where a factor is 0',
  },
  ...{ MUL_DX9_ZERO: 'a * b, 0 where a factor is 0', MULLIT: 'a * b for lighting' },
  ...{ MAD: 'a * b + c', MAC: 'd + a * b', FMA: 'a * b + c, rounded once', FMAC: 'd + a * b, rounded once' },
  ...{
    FMA_MIX: 'a * b + c, rounded once',
    FMA_MIXLO: 'a * b + c, into the low half',
    FMA_MIXHI: 'a * b + c, into the high half',
  },
  ...{ MAD_MIX: 'a * b + c', MADMK: 'a * constant + b', MADAK: 'a * b + constant' },
  ...{ FMAMK: 'a * constant + b, rounded once', FMAAK: 'a * b + constant, rounded once' },
  ...{
    MIN: 'smaller of a and b',
    MAX: 'larger of a and b',
    MIN3: 'smallest of three',
    MAX3: 'largest of three',
    MED3: 'middle one of three',
  },
  ...{
    MINMAX: 'max(min(a, b), c)',
    MAXMIN: 'min(max(a, b), c)',
    MIN_NUM: 'smaller of a and b',
    MAX_NUM: 'larger of a and b',
  },
  ...{ MINIMUM: 'smaller of a and b, NaN if one is', MAXIMUM: 'larger of a and b, NaN if one is' },
  ...{
    AND: 'a & b',
    OR: 'a | b',
    XOR: 'a ^ b',
    XNOR: '~(a ^ b)',
    NOT: '~a',
    AND_OR: '(a & b) | c',
    OR3: 'a | b | c',
    XOR3: 'a ^ b ^ c',
  },
  ...{ BITOP3: 'a function of the bits of a, b and c, by its table of truth' },
  ...{
    ADD3: 'a + b + c',
    XAD: '(a ^ b) + c',
    LSHL_ADD: '(a << b) + c',
    ADD_LSHL: '(a + b) << c',
    LSHL_OR: '(a << b) | c',
  },
  ...{ LSHL: 'a << b', LSHR: 'a >> b, zeros come in', ASHR: 'a >> b, the sign comes in' },
  ...{ LSHLREV: 'b << a', LSHRREV: 'b >> a, zeros come in', ASHRREV: 'b >> a, the sign comes in' },
  ...{
    BFE: 'c bits of a from bit b on',
    BFI: '(a & b) | (~a & c)',
    BFM: 'a ones from bit b on',
    BFREV: 'bits of a in reverse',
  },
  ...{ ALIGNBIT: 'a:b >> c bits', ALIGNBYTE: 'a:b >> c bytes', PERM: 'bytes of a:b, chosen by c' },
  ...{
    CNDMASK: 'b in the lanes of the mask, a in others',
    MOV: 'copies a',
    MOVRELS: 'copies the register at a + M0',
    MOVRELD: 'copies a into the register at d + M0',
  },
  ...{
    CEIL: 'a rounded up',
    FLOOR: 'a rounded down',
    TRUNC: 'a rounded toward 0',
    RNDNE: 'a rounded to the nearest, ties to even',
    FRACT: 'a - floor(a)',
  },
  ...{
    RCP: '1 / a, about',
    RCP_IFLAG: '1 / a, about, for division of integers',
    RSQ: '1 / sqrt(a), about',
    SQRT: 'sqrt(a), about',
    TANH: 'tanh(a), about',
  },
  ...{
    EXP: '2 ** a, about',
    LOG: 'log2(a), about',
    SIN: 'sin(2 pi a)',
    COS: 'cos(2 pi a)',
    LDEXP: 'a * 2 ** b',
    PRNG: 'next pseudo-random number',
  },
  ...{
    FREXP_MANT: 'mantissa of a',
    FREXP_EXP: 'exponent of a',
    BCNT: 'ones of a, plus b',
    FFBH: 'zeros before the first one',
    FFBL: 'number of the lowest one',
  },
  ...{
    CLZ: 'zeros before the first one',
    CTZ: 'number of the lowest one',
    CLS: 'bits before the first that differs from the sign',
  },
  ...{
    DIV_SCALE: 'a scaled for a division, and the mask of lanes that have to be scaled back',
    DIV_FMAS: 'a * b + c, scaled back, of a division',
    DIV_FIXUP: 'quotient with its special cases',
  },
  ...{
    MBCNT_LO: 'lanes below this one in the low half of mask a, plus b',
    MBCNT_HI: 'lanes below this one in the high half of mask a, plus b',
  },
  ...{
    READLANE: 'a of lane b, into an SGPR',
    READFIRSTLANE: 'a of the first active lane, into an SGPR',
    WRITELANE: 'a into lane b of d, also if the lane is off',
  },
  ...{
    PERMLANE16: 'a of other lanes of the row of 16',
    PERMLANEX16: 'a of lanes of the other row of 16',
    PERMLANE32_SWAP: 'exchanges halves of the wave',
    PERMLANE16_SWAP: 'exchanges rows of 16',
  },
  ...{
    SWAP: 'exchanges two registers',
    PACK: 'two halves as one register',
    SAD: 'c + |a - b|',
    CUBEID: 'face of a cube map',
    LERP: 'means of bytes',
  },
  ...{
    ACCVGPR_READ: 'copies an AGPR into a VGPR',
    ACCVGPR_WRITE: 'copies a VGPR into an AGPR',
    ACCVGPR_MOV: 'copies an AGPR',
  },
  ...{
    CVT_PKRTZ: 'a and b as halves, rounded toward 0',
    SAT_PK: 'saturated and packed',
    INTERP_P1: 'first step of an interpolation',
    INTERP_P2: 'second step of an interpolation',
  },
  ...{
    INTERP_MOV: 'parameter of a vertex',
    INTERP_P10: 'first step of an interpolation',
    CVT_SCALEF32_PK: 'scaled conversion of a pair',
  },
};

const SCALAR: Readonly<Record<string, string>> = {
  ...{
    ADD: 'a + b; SCC = carry or overflow',
    SUB: 'a - b; SCC = borrow or overflow',
    ADDC: 'a + b + SCC; SCC = carry',
    SUBB: 'a - b - SCC; SCC = borrow',
  },
  ...{
    MUL: 'low half of a * b',
    MUL_HI: 'high half of a * b',
    AND: 'a & b',
    ANDN2: 'a & ~b',
    OR: 'a | b',
    ORN2: 'a | ~b',
    XOR: 'a ^ b',
  },
  ...{ NAND: '~(a & b)', NOR: '~(a | b)', XNOR: '~(a ^ b)', NOT: '~a', AND_NOT1: 'a & ~b', OR_NOT1: 'a | ~b' },
  ...{
    LSHL: 'a << b',
    LSHR: 'a >> b, zeros come in',
    ASHR: 'a >> b, the sign comes in',
    BFE: 'bits of a: b says how many from where',
    BFM: 'a ones from bit b on',
  },
  ...{
    CSELECT: 'a if SCC is 1, else b',
    CMOV: 'a if SCC is 1, else unchanged',
    MOV: 'copies a',
    MOVK: 'the constant',
    ABS: '|a|',
    MIN: 'smaller of a and b',
    MAX: 'larger of a and b',
  },
  ...{
    ABSDIFF: '|a - b|',
    ADDK: 'd + constant',
    MULK: 'd * constant',
    CMOVK: 'the constant if SCC is 1',
    BREV: 'bits of a in reverse',
    BITSET0: 'd with bit a off',
    BITSET1: 'd with bit a on',
  },
  ...{
    FF0: 'number of the lowest zero',
    FF1: 'number of the lowest one',
    FLBIT: 'zeros before the first one',
    BCNT0: 'number of zeros',
    BCNT1: 'number of ones',
    CTZ: 'number of the lowest one',
    CLZ: 'zeros before the first one',
  },
  ...{
    SEXT: 'a with its sign extended',
    WQM: 'quads of lanes with a lane in a',
    QUADMASK: 'a bit for each quad with a lane in a',
    BITREPLICATE: 'each bit of a twice',
  },
  ...{
    PACK_LL: 'low halves of a and b',
    PACK_LH: 'low half of a, high half of b',
    PACK_HH: 'high halves of a and b',
    PACK_HL: 'high half of a, low half of b',
  },
  ...{
    FMAC: 'd + a * b, rounded once',
    FMAMK: 'a * constant + b',
    FMAAK: 'a * b + constant',
    CEIL: 'a rounded up',
    FLOOR: 'a rounded down',
    TRUNC: 'a rounded toward 0',
    RNDNE: 'a rounded to the nearest',
  },
  ...{ LSHL1_ADD: '(a << 1) + b', LSHL2_ADD: '(a << 2) + b', LSHL3_ADD: '(a << 3) + b', LSHL4_ADD: '(a << 4) + b' },
  ...{
    GETREG: 'reads bits of a hardware register',
    SETREG: 'writes bits of a hardware register',
    SETREG_IMM32: 'writes a constant into bits of a hardware register',
  },
  ...{
    GETPC: 'address of the next instruction',
    SETPC: 'jumps to the address',
    SWAPPC: 'calls: jumps, d = address of the next instruction',
    CALL: 'calls: jumps, d = address of the next instruction',
  },
  ...{
    MOVRELS: 'copies the register at a + M0',
    MOVRELD: 'copies a into the register at d + M0',
    BUFFER_PREFETCH: 'prefetches',
    BITCMP0: 'SCC = bit b of a is 0',
    BITCMP1: 'SCC = bit b of a is 1',
  },
};

const RELATIONS: Readonly<Record<string, string>> = {
  ...{
    EQ: 'a = b',
    NE: 'a != b',
    LG: 'a != b',
    LT: 'a < b',
    LE: 'a <= b',
    GT: 'a > b',
    GE: 'a >= b',
    U: 'a or b is NaN',
    O: 'neither a nor b is NaN',
    F: 'never',
    T: 'always',
    TRU: 'always',
  },
  ...{
    NEQ: 'not a = b',
    NLG: 'not (a < b or a > b)',
    NLT: 'not a < b',
    NLE: 'not a <= b',
    NGT: 'not a > b',
    NGE: 'not a >= b',
    CLASS: 'a is of a class of b',
  },
};

/** Names without a rule. */
const EXACT: Readonly<Record<string, string>> = {
  ...{
    COPY: 'd = a, whatever the classes',
    PHI: 'the value that belongs to the block that control came from',
    KILL: 'ends values; makes no code',
    BUNDLE: 'head of instructions that stay together',
  },
  ...{
    IMPLICIT_DEF: 'any value',
    REG_SEQUENCE: 'parts put together',
    INSERT_SUBREG: 'a with b as one of its parts',
    EXTRACT_SUBREG: 'a part of a',
    SUBREG_TO_REG: 'a as a part, the rest known to be 0',
  },
  ...{
    INLINEASM: 'assembly of the source',
    INLINEASM_BR: 'assembly of the source that may jump',
    DBG_VALUE: 'where a variable of the source is',
    DBG_VALUE_LIST: 'what a variable of the source is made of',
  },
  ...{
    DBG_INSTR_REF: 'which instruction makes a variable of the source',
    DBG_PHI: 'names a value for debug information',
    DBG_LABEL: 'a label of the source',
    CFI_INSTRUCTION: 'how to unwind from here',
    LIFETIME_START: 'a stack object begins',
    LIFETIME_END: 'a stack object ends',
  },
  ...{
    FAKE_USE: 'keeps a value alive',
    PATCHABLE_FUNCTION_ENTER: 'room for a patch',
    ATOMIC_FENCE: 'orders accesses to memory',
    SCHED_BARRIER: 'the scheduler moves nothing of the kinds not in its mask over it',
    SCHED_GROUP_BARRIER: 'a group for the scheduler: so many instructions of a kind',
    IGLP_OPT: 'asks the scheduler for a pattern of its own',
    WAVE_BARRIER: 'the scheduler moves nothing over it',
  },
  ...{
    S_ENDPGM: 'ends the wave',
    S_NOP: 'does nothing for a + 1 cycles',
    S_BARRIER: 'waits for all waves of the work-group',
    S_BARRIER_SIGNAL_IMM: 'tells a barrier that the wave is here',
    S_BARRIER_WAIT: 'waits at a barrier',
    S_SLEEP: 'pauses the wave',
    S_TRAP: 'enters the trap handler',
    S_BRANCH: 'jumps',
    S_CODE_END: 'padding after the code',
  },
  ...{
    S_WAITCNT: 'waits until no more than so many accesses of each counter are under way',
    S_WAITCNT_DEPCTR: 'waits until writes of VALU, SALU and VMEM that its fields name have come so far',
    S_WAIT_ALU: 'waits until writes of VALU and SALU that its fields name have come so far',
    S_WAIT_IDLE: 'waits until the wave has nothing under way',
    S_DELAY_ALU: 'says how far back the ALU results that come next were begun, so that the wave need not stall',
  },
  ...{
    S_CLAUSE: 'keeps the next a + 1 memory instructions together',
    S_SETPRIO: 'priority of the wave',
    S_DENORM_MODE: 'how denormals are treated (MODE)',
    S_ROUND_MODE: 'how results are rounded (MODE)',
    S_SENDMSG: 'sends a message',
    S_SENDMSGHALT: 'sends a message and halts',
    S_INST_PREFETCH: 'how far ahead instructions are fetched',
    S_SET_VGPR_MSB: 'high bits of the numbers of VGPRs that follow',
    S_SET_GPR_IDX_ON: 'VGPRs are indexed by M0 from here',
    S_SET_GPR_IDX_OFF: 'ends indexing',
    S_SET_GPR_IDX_IDX: 'another index',
  },
  ...{
    S_DCACHE_INV: 'empties the scalar cache',
    S_DCACHE_WB: 'writes the scalar cache back',
    S_ICACHE_INV: 'empties the instruction cache',
    S_MEMTIME: 'the clock',
    S_MEMREALTIME: 'the clock of constant rate',
    S_GETREG_B32: 'reads bits of a hardware register',
    BUFFER_GL0_INV: 'empties the first cache',
    BUFFER_GL1_INV: 'empties the second cache',
    BUFFER_INV: 'empties caches',
    BUFFER_WBL2: 'writes the L2 cache back',
    BUFFER_WBINVL1: 'empties the first cache',
    BUFFER_WBINVL1_VOL: 'empties volatile lines of the first cache',
    GLOBAL_INV: 'empties caches',
    GLOBAL_WB: 'writes caches back',
  },
  ...{
    S_CBRANCH_SCC0: 'jumps if SCC is 0',
    S_CBRANCH_SCC1: 'jumps if SCC is 1',
    S_CBRANCH_VCCZ: 'jumps if VCC is 0: in no lane',
    S_CBRANCH_VCCNZ: 'jumps if VCC is not 0: in some lane',
    S_CBRANCH_EXECZ: 'jumps if no lane is on',
    S_CBRANCH_EXECNZ: 'jumps if a lane is on',
  },
  ...{
    SI_IF: 'begins a divergent branch: lanes of the condition go on, the others are kept',
    SI_ELSE: 'turns to the lanes that were kept',
    SI_END_CF: 'lanes that were kept are on again',
    SI_LOOP: 'goes on with the lanes that have not left the loop',
    SI_IF_BREAK: 'lanes that leave the loop, with those before',
    SI_CALL: 'calls; d = address to return to',
    SI_CALL_ISEL: 'calls; d = address to return to',
    G_SI_CALL: 'calls; d = address to return to',
    SI_WATERFALL_LOOP: 'again, for the lanes with another value',
    LDS_PARAM_LOAD: 'parameter of vertices from LDS',
    GLOBAL_LOAD_LDS_DWORD: 'copies 32 bits from global memory to LDS',
    V_SET_INACTIVE_B32: 'a in active lanes, b in others',
    SI_TCRETURN: 'jumps to another function in the place of a return',
    SI_TCRETURN_GFX: 'jumps to another function in the place of a return',
    SI_RETURN: 'returns',
    SI_RETURN_TO_EPILOG: 'goes on in the epilog of the shader',
    S_SETPC_B64_return: 'returns',
  },
  ...{
    SI_PC_ADD_REL_OFFSET: 'address of a global: next instruction + offset',
    SI_INIT_M0: 'M0 = a',
    SI_INIT_EXEC: 'EXEC = the constant',
    SI_KILL_I1_PSEUDO: 'ends lanes of the condition',
    SI_KILL_F32_COND_IMM_PSEUDO: 'ends lanes by a comparison',
    SI_DEMOTE_I1: 'makes lanes helpers',
    SI_RESTORE_S32_FROM_VGPR: 'a spilled SGPR back out of a lane of a VGPR',
    SI_SPILL_S32_TO_VGPR: 'spills an SGPR into a lane of a VGPR',
    SI_INDIRECT_SRC: 'reads a part of a register by an index',
    WWM_COPY: 'd = a in all lanes',
    STRICT_WWM: 'a of a part that ran with all lanes',
    ENTER_STRICT_WWM: 'all lanes are on from here; d = EXEC before',
    EXIT_STRICT_WWM: 'the lanes of before are on again',
    ADJCALLSTACKUP: 'begins a call',
    ADJCALLSTACKDOWN: 'ends a call',
  },
  ...{
    V_NOP: 'does nothing',
    V_MAD_U64_U32: 'a * b + c: 32-bit factors, 64-bit sum',
    V_MAD_I64_I32: 'a * b + c: signed 32-bit factors, 64-bit sum',
    V_PK_MOV_B32: 'two registers chosen of a and b',
    EXP: 'exports to the rest of the pipeline',
    EXP_DONE: 'exports, the last of its kind',
    V_CLREXCP: 'forgets floating-point exceptions',
    DS_BPERMUTE_B32: 'b of the lane that address a names, by the crossbar of LDS',
    DS_PERMUTE_B32: 'b into the lane that address a names, by the crossbar of LDS',
    DS_SWIZZLE_B32: 'a of another lane by a fixed pattern',
    DS_NOP: 'does nothing',
    DS_GWS_BARRIER: 'waits at a global barrier',
    DS_CONSUME: 'takes from a counter in LDS',
    DS_APPEND: 'adds to a counter in LDS',
  },
};

/** Of generic opcodes, after `G_`. */
const GENERIC: Readonly<Record<string, string>> = {
  ...{
    ADD: 'a + b',
    SUB: 'a - b',
    MUL: 'a * b',
    SDIV: 'a / b, signed',
    UDIV: 'a / b, unsigned',
    SREM: 'rest of a / b, signed',
    UREM: 'rest of a / b, unsigned',
    AND: 'a & b',
    OR: 'a | b',
    XOR: 'a ^ b',
  },
  ...{
    SHL: 'a << b',
    LSHR: 'a >> b, zeros come in',
    ASHR: 'a >> b, the sign comes in',
    FSHL: 'a:b << c, the high part',
    FSHR: 'a:b >> c, the low part',
    UMULH: 'high half of a * b, unsigned',
    SMULH: 'high half of a * b, signed',
    ABS: '|a|',
  },
  ...{
    UADDO: 'a + b, and whether it carries',
    USUBO: 'a - b, and whether it borrows',
    UADDE: 'a + b + carry, and whether it carries',
    USUBE: 'a - b - borrow, and whether it borrows',
    SADDO: 'a + b, and whether it overflows',
    UMULO: 'a * b, and whether it overflows',
  },
  ...{
    SMIN: 'smaller of a and b, signed',
    SMAX: 'larger of a and b, signed',
    UMIN: 'smaller of a and b, unsigned',
    UMAX: 'larger of a and b, unsigned',
    ICMP: 'compares integers',
    FCMP: 'compares floats',
    SELECT: 'b if a, else c',
  },
  ...{
    CONSTANT: 'an integer',
    FCONSTANT: 'a float',
    IMPLICIT_DEF: 'any value',
    FREEZE: 'a, but no longer undefined',
    GLOBAL_VALUE: 'address of a global',
    FRAME_INDEX: 'address of a stack object',
    PTR_ADD: 'pointer + bytes',
    PTRMASK: 'pointer with bits off',
    PTRTOINT: 'pointer as an integer',
    INTTOPTR: 'integer as a pointer',
    ADDRSPACE_CAST: 'the pointer in another address space',
  },
  ...{
    TRUNC: 'low bits of a',
    ZEXT: 'a with zeros before it',
    SEXT: 'a with its sign extended',
    ANYEXT: 'a with any bits before it',
    SEXT_INREG: 'low bits of a, sign extended',
    BITCAST: 'the same bits as another type',
  },
  ...{
    MERGE_VALUES: 'parts put together',
    UNMERGE_VALUES: 'a in equal parts',
    BUILD_VECTOR: 'a vector of its elements',
    BUILD_VECTOR_TRUNC: 'a vector of low bits',
    CONCAT_VECTORS: 'vectors put together',
    EXTRACT_VECTOR_ELT: 'an element of a vector',
    INSERT_VECTOR_ELT: 'a vector with another element',
    SHUFFLE_VECTOR: 'elements of two vectors by a mask',
    EXTRACT: 'bits of a',
    INSERT: 'a with b at an offset',
  },
  ...{
    FADD: 'a + b',
    FSUB: 'a - b',
    FMUL: 'a * b',
    FDIV: 'a / b',
    FMA: 'a * b + c, rounded once',
    FMAD: 'a * b + c',
    FNEG: '-a',
    FABS: '|a|',
    FPOW: 'a ** b',
    FSQRT: 'sqrt(a)',
    FLDEXP: 'a * 2 ** b',
    FCANONICALIZE: 'a without a signalling NaN',
    FMINNUM: 'smaller of a and b',
    FMAXNUM: 'larger of a and b',
    FMINNUM_IEEE: 'smaller of a and b',
    FMAXNUM_IEEE: 'larger of a and b',
    FFLOOR: 'a rounded down',
    FCEIL: 'a rounded up',
    FEXP2: '2 ** a',
    FLOG2: 'log2(a)',
    FCOPYSIGN: 'a with the sign of b',
    IS_FPCLASS: 'whether a is of a class',
  },
  ...{
    FPEXT: 'a as a wider float',
    FPTRUNC: 'a as a narrower float',
    FPTOSI: 'a as a signed integer',
    FPTOUI: 'a as an unsigned integer',
    SITOFP: 'a signed integer as a float',
    UITOFP: 'an unsigned integer as a float',
    INTRINSIC_TRUNC: 'a rounded toward 0',
    INTRINSIC_ROUNDEVEN: 'a rounded to the nearest',
  },
  ...{
    LOAD: 'reads memory',
    SEXTLOAD: 'reads memory, sign extended',
    ZEXTLOAD: 'reads memory, zeros before it',
    STORE: 'writes memory',
    BR: 'jumps',
    BRCOND: 'jumps if a',
    BRINDIRECT: 'jumps to an address',
    PHI: 'the value that belongs to the block that control came from',
    FENCE: 'orders accesses to memory',
  },
  ...{
    CTPOP: 'number of ones',
    CTLZ: 'zeros before the first one',
    CTTZ: 'zeros after the last one',
    CTLZ_ZERO_UNDEF: 'zeros before the first one, a not 0',
    CTTZ_ZERO_UNDEF: 'zeros after the last one, a not 0',
    BSWAP: 'bytes in reverse',
    BITREVERSE: 'bits in reverse',
    UBFX: 'bits of a',
    SBFX: 'bits of a, sign extended',
  },
  ...{
    INTRINSIC: 'an intrinsic function',
    INTRINSIC_W_SIDE_EFFECTS: 'an intrinsic function with side effects',
    INTRINSIC_CONVERGENT: 'an intrinsic function that depends on which lanes are on',
    INTRINSIC_CONVERGENT_W_SIDE_EFFECTS: 'an intrinsic function with side effects that depends on which lanes are on',
    MEMCPY: 'copies memory',
    MEMSET: 'fills memory',
    DYN_STACKALLOC: 'room on the stack',
  },
  ...{
    AMDGPU_MAD_U64_U32: 'a * b + c: 32-bit factors, 64-bit sum',
    AMDGPU_RCP_IFLAG: '1 / a, about, for division of integers',
    AMDGPU_CVT_F32_UBYTE0: 'byte 0 of a as a float',
    AMDGPU_FFBH_U32: 'zeros before the first one',
    AMDGPU_BUFFER_LOAD: 'reads a buffer',
    AMDGPU_BUFFER_STORE: 'writes a buffer',
    AMDGPU_S_BUFFER_LOAD: 'reads a buffer at one address for all lanes',
    AMDGPU_FMED3: 'middle one of three',
    AMDGPU_CLAMP: 'a kept between 0 and 1',
  },
};

const COUNTERS: Readonly<Record<string, string>> = {
  ...{
    LOADCNT: 'loads',
    STORECNT: 'stores',
    DSCNT: 'accesses to LDS',
    KMCNT: 'scalar loads and messages',
    SAMPLECNT: 'samples of images',
    BVHCNT: 'rays',
    EXPCNT: 'exports',
    XCNT: 'translations of addresses',
  },
  ...{
    VSCNT: 'stores',
    VMCNT: 'loads',
    LGKMCNT: 'accesses to LDS and scalar loads',
    ASYNCCNT: 'asynchronous copies',
    TENSORCNT: 'tensor accesses',
  },
};

const SIZES: Readonly<Record<string, string>> = {
  ...{
    UBYTE: 'a byte (zeros before it)',
    SBYTE: 'a byte (sign extended)',
    USHORT: '16 bits (zeros before them)',
    SSHORT: '16 bits (sign extended)',
    BYTE: 'a byte',
    SHORT: '16 bits',
    DWORD: '32 bits',
  },
  ...{
    DWORDX2: '64 bits',
    DWORDX3: '96 bits',
    DWORDX4: '128 bits',
    DWORDX8: '256 bits',
    DWORDX16: '512 bits',
    U8: 'a byte (zeros before it)',
    I8: 'a byte (sign extended)',
    U16: '16 bits (zeros before them)',
    I16: '16 bits (sign extended)',
  },
};

const SPACES: Readonly<Record<string, string>> = {
  ...{
    BUFFER: 'a buffer',
    TBUFFER: 'a typed buffer',
    FLAT: 'memory by a flat address',
    GLOBAL: 'global memory',
    SCRATCH: 'scratch of the lane',
    DS: 'LDS',
    S: 'memory, once for the wave',
    S_BUFFER: 'a buffer, once for the wave',
    IMAGE: 'an image',
  },
};

/** Ends of names that say how an instruction is encoded or addressed. */
const FORM =
  /_(?:e32|e64|e64_dpp|dpp8?|sdwa|e96|fake16|t16|opsel|pseudo|PSEUDO|IMM_PSEUDO|term|mac|vgprcd|twoaddr|threeaddr|w32|w64|gfx\w+|vi|si|ci|ec|nosignext|exact|xexec|nosdst|soft|mode|IMM|SGPR|SGPR_IMM|SADDR|OFFEN|OFFSET|BOTHEN|IDXEN|ADDR64|ST|SVS|VBUFFER|RTN|RETURN|D16|D16_HI|noRet|LDS|V1_V1|V\d+(?:_V\d+)*)$/;

/** What the instruction does; '' where the name does not tell. O(name) */
export function opcodeMeaning(tables: TargetTables, opc: Opcode): string {
  const text = meaningOfForm(tables.opcodeName(opc));
  if (!tables.opcodeName(opc).startsWith('S_') || text === '') return text;
  // What SCC gets is known to the tables, also where a name of a family says otherwise.
  const scc = tables.regByName('scc');
  const writesSCC = tables.implicitDefs(opc).includes(scc);
  if (!writesSCC) return text.replace(/; SCC = (?:carry|borrow)(?: or overflow)?/, '');
  return text.includes('SCC') || /smaller|larger/.test(text) ? text : `${text}; SCC = it is not 0`;
}

function meaningOfForm(name: string): string {
  if (Object.hasOwn(EXACT, name)) return EXACT[name]!;
  let base = name;
  for (let end = FORM.exec(base); end !== null && base !== ''; end = FORM.exec(base)) {
    const found = meaningOfName(base);
    if (found !== '') return found;
    base = base.slice(0, end.index);
  }
  return meaningOfName(base);
}

function meaningOfName(name: string): string {
  if (Object.hasOwn(EXACT, name)) return EXACT[name]!;
  if (name.startsWith('G_')) return GENERIC[name.slice(2)] ?? '';
  return (
    spill(name) ||
    wait(name) ||
    memory(name) ||
    comparison(name) ||
    conversion(name) ||
    matrix(name) ||
    paired(name) ||
    computed(name)
  );
}

function spill(name: string): string {
  const [, file = '', bits = '', way = ''] =
    /^SI_SPILL_(?:WWM_)?(S|V|A|AV)(\d+)(?:_CFI)?_(SAVE|RESTORE)$/.exec(name) ?? [];
  if (file === '') return '';
  const what = `${bits} bits of ${{ S: 'SGPRs', V: 'VGPRs', A: 'AGPRs', AV: 'VGPRs or AGPRs' }[file]!}`;
  return way === 'SAVE' ? `spills ${what}` : `brings ${what} back that were spilled`;
}

function wait(name: string): string {
  const counters = /^S_WAIT(?:CNT)?_((?:[A-Z]+CNT_?)+?)(?:_(?:imm|soft))?$/.exec(name)?.[1]?.split('_') ?? [];
  if (counters.length === 0 || !counters.every((word) => Object.hasOwn(COUNTERS, word))) return '';
  return `waits until no more than so many ${counters.map((word) => COUNTERS[word]!).join(' and ')} are under way`;
}

const FORMAT = /^FORMAT_(?:D16_)?([XYZW]+)/;

function memory(name: string): string {
  const [, space = '', way = '', rest = ''] =
    /^(BUFFER|TBUFFER|FLAT|GLOBAL|SCRATCH|DS|S_BUFFER|S|IMAGE)_(LOAD|STORE|READ2ST64|WRITE2ST64|READ2|WRITE2|READ|WRITE|ATOMIC|SAMPLE|GATHER4|(?:ADD|SUB|INC|DEC|MIN|MAX|AND|OR|XOR|CMPST|WRXCHG|MSKOR|PK_ADD)(?:_RTN)?)(?:_(.*))?$/.exec(
      name,
    ) ?? [];
  if (way === '') return '';
  const where = SPACES[space]!;
  if (space === 'S' && !['LOAD', 'STORE'].includes(way)) return '';
  if (way === 'SAMPLE' || way === 'GATHER4') return 'samples an image';
  if (way === 'ATOMIC') return `${where}: ${atomic(rest)}`;
  if (space === 'DS' && !/LOAD|STORE|READ|WRITE/.test(way))
    return `LDS: ${atomic(`${way.replace('_RTN', '')}_${rest}`)}`;
  const isRead = /LOAD|READ/.test(way);
  const two = /2ST64/.test(way) ? 'two elements far apart of ' : way.includes('2') ? 'two elements of ' : '';
  const own = rest.replace(/_D16(?:_HI)?$/, '');
  const width =
    SIZES[own] ??
    /^B(\d+)$/.exec(own)?.[1]?.concat(' bits') ??
    (FORMAT.test(own) ? `elements ${FORMAT.exec(own)![1]!} by the format` : '');
  if (width === '' && space !== 'IMAGE') return '';
  const half = /_D16_HI$/.test(rest) ? (isRead ? ' into the high half' : ' of the high half') : '';
  const what = width === '' ? 'texels' : two + width + half;
  return isRead ? `reads ${what} from ${where}` : `writes ${what} to ${where}`;
}

function atomic(rest: string): string {
  const op = /^[A-Z]+(?:_(?:ADD|CLAMP|SUB))*/.exec(rest)?.[0] ?? rest;
  const how: Readonly<Record<string, string>> = {
    ...{
      ADD: 'adds',
      SUB: 'subtracts',
      SWAP: 'exchanges',
      CMPSWAP: 'exchanges if it is as expected',
      INC: 'counts up',
      DEC: 'counts down',
      AND: '&',
      OR: '|',
      XOR: '^',
    },
    ...{
      SMIN: 'keeps the smaller',
      SMAX: 'keeps the larger',
      UMIN: 'keeps the smaller',
      UMAX: 'keeps the larger',
      MIN: 'keeps the smaller',
      MAX: 'keeps the larger',
      PK_ADD: 'adds two halves',
      CMPST: 'exchanges if it is as expected',
      WRXCHG: 'exchanges',
    },
  };
  return `${how[op] ?? 'changes it'}, at once for all who look`;
}

function comparison(name: string): string {
  const [, unit = '', relation = '', type = ''] =
    /^(V_CMPX?|S_CMPK?|S_BITCMP\d)_([A-Z]+)_((?:[A-Z]+\d+_?)+)$/.exec(name) ?? [];
  if (!Object.hasOwn(RELATIONS, relation)) return '';
  const what = `${RELATIONS[relation]!}, ${typeWords(type)}`;
  if (unit === 'V_CMP') return `mask of the lanes in which ${what}`;
  return unit === 'V_CMPX' ? `EXEC = lanes in which ${what}` : `SCC = ${what}`;
}

function conversion(name: string): string {
  const [, unit = '', how = '', to = '', from = ''] =
    /^([VS])_CVT_(?:(PK|OFF|RPI|FLR|NEAREST|FLOOR|SR|SR_PK|HI)_)?([A-Z]+\d+)_([A-Z]+\d+(?:_[A-Z]+\d+)?)$/.exec(name) ??
    [];
  if (unit === '') return '';
  const byte = /^UBYTE(\d)$/.exec(from)?.[1];
  const source = byte === undefined ? `a, ${typeWords(from)},` : `byte ${byte} of a`;
  const rounded =
    { RPI: ', rounded up', FLR: ', rounded down', FLOOR: ', rounded down', NEAREST: ', rounded to the nearest' }[how] ??
    '';
  return `${how.includes('PK') ? 'a and b, packed,' : source} as ${typeWords(to)}${rounded}`;
}

function matrix(name: string): string {
  const [, kind = '', to = '', m = '', n = '', k = '', from = ''] =
    /^V_(S?MFMAC?|S?WMMAC?)(?:_SCALE\w*?)?_([A-Z]+\d+)_(\d+)X(\d+)X(\d+)_?(\w+)$/.exec(name) ?? [];
  if (kind !== '')
    return `matrices of the whole wave: ${m}x${n} of ${typeWords(to)} + ${m}x${k} * ${k}x${n}${kind.startsWith('S') ? ', the first sparse' : ''} of ${from.replace(/_.*/, '').toLowerCase()}`;
  const dot = /^V_DOT(\d)C?_([A-Z]+\d+)_([A-Z]+\d+)/.exec(name);
  return dot === null ? '' : `c + sum of ${dot[1]} products of ${typeWords(dot[3]!)}, ${typeWords(dot[2]!)}`;
}

/** `V_PK_ADD_F16`, `V_DUAL_MOV_B32_e32_X_ADD_F32_e32` */
function paired(name: string): string {
  const dual = /^V_DUAL_(\w+?)(?:_e\d+)?_X_(\w+?)(?:_e\d+)?$/.exec(name);
  if (dual !== null) {
    const parts = [dual[1]!, dual[2]!].map((word) => computed(`V_${word}`));
    return parts.includes('') ? '' : `two at once: ${parts.join('; and ')}`;
  }
  const packed = /^V_PK_(\w+)$/.exec(name);
  const each = packed === null ? '' : computed(`V_${packed[1]!}`);
  return each === '' ? '' : `two at once: ${each}`;
}

function computed(name: string): string {
  const [, unit = '', rest = ''] = /^(V(?=_)|S|AV)(?:_S(?=_[A-Z]))?_(.+)$/.exec(name) ?? [];
  if (unit === '') return '';
  const saved = /^(\w+?)(?:_(WREXEC)|_SAVEEXEC)_B(\d+)$/.exec(rest);
  if (unit === 'S' && saved !== null) {
    const op = {
      AND: 'a & EXEC',
      OR: 'a | EXEC',
      XOR: 'a ^ EXEC',
      ANDN2: 'a & ~EXEC',
      ORN2: 'a | ~EXEC',
      AND_NOT0: '~a & EXEC',
      AND_NOT1: 'a & ~EXEC',
      OR_NOT0: '~a | EXEC',
      ORN1: '~a | EXEC',
      OR_NOT1: 'a | ~EXEC',
      ANDN1: '~a & EXEC',
    }[saved[1]!];
    if (op !== undefined) return saved[2] === undefined ? `d = EXEC, then EXEC = ${op}` : `EXEC = d = ${op}`;
  }
  if (unit === 'AV') return rest.startsWith('MOV_B') ? 'a constant, into a VGPR or an AGPR' : '';
  const table = unit === 'V' ? VECTOR : SCALAR;
  const words = rest.split('_');
  for (let n = words.length; n > 0; n--) {
    const op = words.slice(0, n).join('_');
    if (!Object.hasOwn(table, op)) continue;
    const types = words.slice(n).filter((word) => TYPE.test(word));
    const type = types.length === 0 ? '' : `, ${typeWords(types[0]!)}`;
    const [what = '', ...more] = table[op]!.split(';');
    return [what + type, ...more].join(';');
  }
  return '';
}

const TYPE = /^(?:F|I|U|B|BF|FP|IU)\d+$/;

/** `32-bit float`, `signed 16-bit` */
function typeWords(type: string): string {
  const [, kind = '', bits = ''] = /^([A-Z]+)(\d+)/.exec(type) ?? [];
  const words: Readonly<Record<string, string>> = {
    F: `${bits}-bit float`,
    BF: `bfloat${bits}`,
    FP: `${bits}-bit float`,
    I: `signed ${bits}-bit`,
    U: `unsigned ${bits}-bit`,
    B: `${bits} bits`,
    IU: `${bits}-bit`,
  };
  return words[kind] ?? type.toLowerCase();
}
