/** Which rule of the hazard recognizer keeps an instruction away from one before it, and from which (docs/llvm/hazards.md, 2 to 4). */
import type { InstrId } from '../../model/machineFunction.js';

/** Wait states, filled with S_NOP */
type NoopRule =
  | 'softClause'
  | 'scalarLoadOfVALU'
  | 'scalarBufferOfSALU'
  | 'memoryOfVALUScalar'
  | 'dppExec'
  | 'dppVector'
  | 'divFmasVCC'
  | 'laneSelect'
  | 'permlaneExec'
  | 'permlaneVector'
  | 'transResult'
  | 'partialResult'
  | 'valuScalar'
  | 'valuVCC'
  | 'readlaneSource'
  | 'laneExec'
  | 'wideStore'
  | 'setregGetreg'
  | 'setregSetreg'
  | 'rfeTrapsts'
  | 'readsM0'
  | 'scatteredAddress'
  | 'floatAtomicDenorm'
  | 'mfmaPadding'
  | 'mfmaExec'
  | 'mfmaVector'
  | 'mfmaAccumulator'
  | 'mfmaFactor'
  | 'accRead'
  | 'accWrite'
  | 'accMove'
  | 'dotResult'
  | 'matrixResult'
  | 'matrixOverwrite'
  | 'matrixSource'
  | 'acrossDouble'
  | 'doubleFma'
  | 'snopPadding';

/** What takes another instruction */
type FixRule =
  | 'vmemToScalarWrite'
  | 'vcmpxPermlane'
  | 'smemToVectorWrite'
  | 'vcmpxExecWAR'
  | 'ldsBranchVmemWAR'
  | 'ldsDirectVALU'
  | 'ldsDirectVMEM'
  | 'ldsDirectFree'
  | 'partialForwarding'
  | 'valuTransUse'
  | 'valuTransCoexecution'
  | 'wmma'
  | 'wmmaCoexecution'
  | 'shift64HighReg'
  | 'valuMaskWrite'
  | 'exportPriority'
  | 'getregIdle'
  | 'asyncBarrier'
  | 'scratchBaseForwarding'
  | 'setregMode';

export type HazardRule = NoopRule | FixRule;

/** The rule that asks for the most wait states before an instruction. */
export class NoopReason {
  rule: HazardRule | null = null;
  by: InstrId = -1;
  states = 0;
  /** wait states that lie between the two already */
  between = 0;

  begin(): void {
    this.rule = null;
    this.states = 0;
  }

  take(rule: HazardRule, states: number, by: InstrId, between: number): void {
    if (states <= this.states) return;
    this.rule = rule;
    this.states = states;
    this.by = by;
    this.between = between;
  }
}
