/**
 * Opcodes that LLVM tells apart by name, for which its tables have no flag. They are named here; who asks, asks the set.
 */
import type { Opcode, TargetTables } from './api.js';

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
  pseudoProbe: ['PSEUDO_PROBE'],
  /** MachineInstr::isPHI */
  phi: ['PHI', 'G_PHI'],
  /** MachineInstr::isPosition */
  position: ['EH_LABEL', 'GC_LABEL', 'ANNOTATION_LABEL', 'CFI_INSTRUCTION'],
  fakeUse: ['FAKE_USE'],
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
  endProgram: ['S_ENDPGM'],
  return: ['SI_RETURN'],
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
  /** resultDependsOnExec (SIInstrInfo.cpp) */
  readFirstLane: ['V_READFIRSTLANE_B32'],
  andSaveExec: ['S_AND_SAVEEXEC_B32', 'S_AND_SAVEEXEC_B64'],
  scalarAnd: ['S_AND_B32', 'S_AND_B64'],
} satisfies Readonly<Record<string, readonly string[]>>;

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
