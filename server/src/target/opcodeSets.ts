/**
 * Opcodes that LLVM tells apart by name, for which its tables have no flag. They are named here; who asks, asks the set.
 */
import type { Opcode, TargetTables } from './api.js';

const SPILL_BITS = [16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 512, 1024];

/** `SI_SPILL_V64_SAVE` and their like, for these kinds of registers */
const spills = (...kinds: readonly string[]): string[] =>
  kinds.flatMap((kind) =>
    SPILL_BITS.flatMap((bits) => [`SI_SPILL_${kind}${bits}_SAVE`, `SI_SPILL_${kind}${bits}_RESTORE`]),
  );

/** With what names them in LLVM 22.1.8. */
const NAMES = {
  /** isSchedulingBoundary (TargetInstrInfo, SIInstrInfo), besides terminators, calls, SCHED_BARRIER 0 and writes of EXEC */
  schedulingBoundary: [
    'FAKE_USE',
    'EH_LABEL',
    'GC_LABEL',
    'ANNOTATION_LABEL',
    'CFI_INSTRUCTION',
    'INLINEASM_BR',
    'S_SETREG_IMM32_B32',
    'S_SETREG_B32',
    'S_SETPRIO',
    'S_SETPRIO_INC_WG',
    'S_SET_GPR_IDX_ON',
    'S_SET_GPR_IDX_MODE',
    'S_SET_GPR_IDX_OFF',
  ],
  /** MachineInstr::isDebugInstr */
  debugInstr: ['DBG_VALUE', 'DBG_VALUE_LIST', 'DBG_INSTR_REF', 'DBG_PHI', 'DBG_LABEL'],
  /** MachineInstr::isDebugValue */
  debugValue: ['DBG_VALUE', 'DBG_VALUE_LIST'],
  pseudoProbe: ['PSEUDO_PROBE'],
  /** MachineInstr::isPHI */
  phi: ['PHI', 'G_PHI'],
  /** MachineInstr::isLabel */
  label: ['EH_LABEL', 'GC_LABEL', 'ANNOTATION_LABEL'],
  /** MachineInstr::isPosition */
  position: ['EH_LABEL', 'GC_LABEL', 'ANNOTATION_LABEL', 'CFI_INSTRUCTION'],
  fakeUse: ['FAKE_USE'],
  /** MachineInstr::isCopyLike */
  copyLike: ['COPY', 'SUBREG_TO_REG'],
  /** MachineCSEImpl::isCSECandidate, besides what other sets and flags tell */
  notComputed: ['IMPLICIT_DEF', 'KILL', 'JUMP_TABLE_DEBUG_INFO', 'LOAD_STACK_GUARD'],
  /** what si-insert-waitcnts and amdgpu-insert-delay-alu write */
  wait: [
    'S_WAITCNT',
    'S_WAITCNT_VSCNT',
    'S_WAIT_LOADCNT',
    'S_WAIT_LOADCNT_DSCNT',
    'S_WAIT_DSCNT',
    'S_WAIT_KMCNT',
    'S_WAIT_STORECNT',
    'S_WAIT_STORECNT_DSCNT',
    'S_DELAY_ALU',
  ],
  /** MachineInstr::isLifetimeMarker */
  lifetimeMarker: ['LIFETIME_START', 'LIFETIME_END'],
  inlineAsm: ['INLINEASM', 'INLINEASM_BR'],
  undefinedValue: ['IMPLICIT_DEF', 'G_IMPLICIT_DEF'],
  /** SIInstrInfo::analyzeBranch: what it knows, and what makes it give up */
  branch: ['S_BRANCH'],
  conditionalBranch: [
    'S_CBRANCH_SCC0',
    'S_CBRANCH_SCC1',
    'S_CBRANCH_VCCZ',
    'S_CBRANCH_VCCNZ',
    'S_CBRANCH_EXECZ',
    'S_CBRANCH_EXECNZ',
  ],
  unanalyzableBranch: ['SI_IF', 'SI_ELSE', 'SI_KILL_I1_TERMINATOR', 'SI_KILL_F32_COND_IMM_TERMINATOR'],
  /** SIInstrInfo::isKillTerminator */
  killTerminator: ['SI_KILL_I1_TERMINATOR', 'SI_KILL_F32_COND_IMM_TERMINATOR'],
  /** SIInstrInfo::hasDivergentBranch */
  divergentBranch: ['SI_IF', 'SI_ELSE', 'SI_LOOP'],
  /** SIInstrInfo::createPHISourceCopy: terminators that define what a PHI reads */
  maskDefinition: ['SI_IF', 'SI_ELSE', 'SI_IF_BREAK'],
  /** R600InstrInfo::analyzeBranch: what it knows, what it looks for before a condition, and what makes it give up */
  r600Branch: ['JUMP'],
  r600ConditionalBranch: ['JUMP_COND'],
  r600PredicateSetter: ['PRED_X'],
  r600UnanalyzableBranch: ['BRANCH', 'BRANCH_COND_i32', 'BRANCH_COND_f32'],
  /** 64-bit shifts, which take one scalar value on all processors (GCNSubtarget::getConstantBusLimit) */
  oneScalarSource: [
    ...['V_LSHLREV_B64', 'V_LSHRREV_B64', 'V_ASHRREV_I64'].flatMap((name) =>
      ['e64', 'gfx10', 'e64_gfx11', 'e64_gfx12'].map((encoding) => `${name}_${encoding}`),
    ),
    ...['V_LSHLREV_B64_e32_gfx12', 'V_LSHL_B64_e64', 'V_LSHR_B64_e64', 'V_ASHR_I64_e64'],
  ],
  endProgram: ['S_ENDPGM'],
  return: ['SI_RETURN'],
  /** what SIFrameLowering::determineCalleeSaves takes for a return */
  returnOfValues: ['SI_RETURN', 'SI_RETURN_TO_EPILOG', 'SI_WHOLE_WAVE_FUNC_RETURN'],
  /** SIInstrInfo::isChainCallOpcode */
  chainCall: ['SI_CS_CHAIN_TC_W32', 'SI_CS_CHAIN_TC_W64'],
  enterWholeWave: ['ENTER_STRICT_WWM', 'ENTER_STRICT_WQM'],
  exitWholeWave: ['EXIT_STRICT_WWM', 'EXIT_STRICT_WQM'],
  schedBarrier: ['SCHED_BARRIER'],
  schedGroupBarrier: ['SCHED_GROUP_BARRIER'],
  iglpOpt: ['IGLP_OPT'],
  /** what makes GCNSchedStage::initGCNRegion note a region for IGroupLP */
  regionHasIGLP: ['SCHED_GROUP_BARRIER', 'IGLP_OPT'],
  /** what IGroupLPDAGMutation looks for; no barriers to memory, though they have side effects */
  schedDirective: ['SCHED_BARRIER', 'SCHED_GROUP_BARRIER', 'IGLP_OPT'],
  /** debug instructions that ScheduleDAGInstrs keeps beside their neighbour */
  placedDebugValue: ['DBG_VALUE', 'DBG_VALUE_LIST', 'DBG_PHI'],
  /** MachineInstr::isTransient, besides meta instructions */
  transient: ['COPY', 'PHI', 'INSERT_SUBREG', 'SUBREG_TO_REG', 'REG_SEQUENCE', 'IMPLICIT_DEF', 'KILL', 'COPY_LANEMASK'],
  /** what GCNSubtarget::adjustSchedDependency lets wait for a transfer to LDS (LLVM 24) */
  waitsForTransfers: ['S_WAIT_ASYNCCNT', 'S_WAIT_TENSORCNT'],
  /** what a mask in SGPRs need not be far from (HazardLatency::apply, LLVM 24) */
  readsLane: ['V_READFIRSTLANE_B32', 'V_READLANE_B32'],
  /** of which each operand may be a half, by its modifiers (GCNSubtarget::getRealSchedDependency, LLVM 24) */
  mixesHalves: [
    'V_FMA_MIXHI_F16',
    'V_FMA_MIXLO_F16',
    'V_FMA_MIX_F32',
    'V_MAD_MIXHI_F16',
    'V_MAD_MIXLO_F16',
    'V_MAD_MIX_F32',
  ],
  /** AMDGPU::classifyFlavor (AMDGPUCoExecSchedStrategy.cpp, LLVM 24) */
  coexecFence: ['ATOMIC_FENCE', 'S_BARRIER_SIGNAL_IMM', 'S_BARRIER_WAIT', 'S_WAIT_ASYNCCNT', 'S_WAIT_TENSORCNT'],
  /** AMDGPUBarrierLatency.cpp */
  atomicFence: ['ATOMIC_FENCE'],
  barrierWait: ['S_BARRIER_WAIT'],
  /** isBarrierStart (SIInstrInfo.h) */
  barrierStart: [
    'S_BARRIER',
    'S_BARRIER_SIGNAL_IMM',
    'S_BARRIER_SIGNAL_M0',
    'S_BARRIER_SIGNAL_ISFIRST_IMM',
    'S_BARRIER_SIGNAL_ISFIRST_M0',
  ],
  /** shouldScheduleAdjacent (AMDGPUMacroFusion.cpp): users of a carry or a condition */
  fusedWithCarry: ['V_ADDC_U32_e64', 'V_SUBB_U32_e64', 'V_SUBBREV_U32_e64', 'V_CNDMASK_B32_e64'],
  /** AMDGPUIGroupLP.cpp: what its strategies look for */
  iglpPerm: ['V_PERM_B32_e64'],
  iglpPack: ['V_PACK_B32_F16_e64', 'V_PERM_B32_e64'],
  iglpConvert: ['V_CVT_F16_F32_e32', 'V_CVT_I32_F32_e32'],
  iglpFma: ['V_FMA_F32_e64', 'V_PK_FMA_F32'],
  iglpAdd: ['V_ADD_F32_e32'],
  /** hasUnwantedEffectsWhenEXECEmpty (SIInstrInfo.cpp), besides scalar stores, returns, exports, calls, inline assembly and writes of MODE */
  unwantedWithoutLanes: [
    'S_SENDMSG',
    'S_SENDMSGHALT',
    'DS_ORDERED_COUNT',
    'S_TRAP',
    'S_WAIT_EVENT',
    'S_SETHALT',
    'S_BARRIER',
    'S_BARRIER_SIGNAL_IMM',
    'S_BARRIER_SIGNAL_M0',
    'S_BARRIER_SIGNAL_ISFIRST_IMM',
    'S_BARRIER_SIGNAL_ISFIRST_M0',
    'S_BARRIER_WAIT',
    'S_BARRIER_INIT_IMM',
    'S_BARRIER_INIT_M0',
    'S_BARRIER_JOIN_IMM',
    'S_BARRIER_LEAVE',
    'DS_GWS_INIT',
    'DS_GWS_BARRIER',
    'V_READFIRSTLANE_B32',
    'V_READLANE_B32',
    'V_WRITELANE_B32',
    'SI_RESTORE_S32_FROM_VGPR',
    'SI_SPILL_S32_TO_VGPR',
  ],
  /** inputs of a pixel shader that come out of LDS */
  parameterLoad: ['LDS_PARAM_LOAD', 'DS_PARAM_LOAD', 'LDS_DIRECT_LOAD', 'DS_DIRECT_LOAD'],
  liveMaskQuery: ['SI_PS_LIVE', 'SI_LIVE_MASK'],
  /** lanes end here, or go on as helpers */
  kill: ['SI_KILL_I1_TERMINATOR', 'SI_KILL_F32_COND_IMM_TERMINATOR', 'SI_DEMOTE_I1'],
  initExec: ['SI_INIT_EXEC', 'SI_INIT_EXEC_FROM_INPUT', 'SI_INIT_WHOLE_WAVE'],
  /** isVGPRSpill, isWWMRegSpillOpcode (SIInstrInfo.h) */
  vectorSpill: spills('V', 'A', 'AV', 'WWM_V', 'WWM_AV'),
  wholeWaveSpill: spills('WWM_V', 'WWM_AV'),
  callOfFunction: [
    'SI_CALL',
    'SI_TCRETURN',
    'SI_TCRETURN_GFX',
    'SI_TCRETURN_CHAIN',
    'SI_CS_CHAIN_TC_W32',
    'SI_CS_CHAIN_TC_W64',
  ],
  /** SIOptimizeExecMasking.cpp */
  moveToExecTerminator: ['S_MOV_B32_term', 'S_MOV_B64_term'],
  maskTerminator: ['MOV', 'XOR', 'OR', 'ANDN2', 'AND'].flatMap((n) => [`S_${n}_B32_term`, `S_${n}_B64_term`]),
  copyOfMask: ['COPY', 'S_MOV_B32', 'S_MOV_B64'],
  execMask: ['AND', 'OR', 'XOR', 'ANDN2', 'ORN2', 'NAND', 'NOR', 'XNOR'].flatMap((name) => [
    `S_${name}_B32`,
    `S_${name}_B64`,
  ]),
  /** SIPreEmitPeephole::optimizeVccBranch: what makes the lanes that a branch asks for, and the constant that it looks for */
  laneMaskOfBranch: ['S_AND_B32', 'S_AND_B64', 'S_ANDN2_B32', 'S_ANDN2_B64'],
  scalarMove: ['S_MOV_B32', 'S_MOV_B64'],
  callFrame: ['ADJCALLSTACKUP', 'ADJCALLSTACKDOWN'],
} satisfies Readonly<Record<string, readonly string[]>>;

/** What a name of an opcode may be found out to be. */
const enum Match {
  Unknown,
  No,
  Yes,
}

/** Opcodes by a pattern of their names: each name is looked at once. */
export class OpcodePattern {
  private readonly known = new WeakMap<TargetTables, Uint8Array>();

  constructor(private readonly pattern: RegExp) {}

  has(tables: TargetTables, opcode: Opcode): boolean {
    let known = this.known.get(tables);
    if (known === undefined) this.known.set(tables, (known = new Uint8Array(tables.nOpcodes)));
    if (known[opcode] === Match.Unknown)
      known[opcode] = this.pattern.test(tables.opcodeName(opcode)) ? Match.Yes : Match.No;
    return known[opcode] === Match.Yes;
  }
}

export type OpcodeSetName = keyof typeof NAMES;

const perTables = new WeakMap<TargetTables, Map<OpcodeSetName, ReadonlySet<Opcode>>>();

/** The opcodes of a set; made when first asked for. */
export function opcodeSet(tables: TargetTables, name: OpcodeSetName): ReadonlySet<Opcode> {
  let sets = perTables.get(tables);
  if (sets === undefined) perTables.set(tables, (sets = new Map()));
  let set = sets.get(name);
  if (set === undefined) sets.set(name, (set = new Set(NAMES[name].map((n) => tables.opcodeByName(n)))));
  return set;
}
