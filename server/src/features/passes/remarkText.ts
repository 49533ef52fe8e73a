/** What passes did and why, in words: the one place where their facts (`passes/remarks.ts`) become sentences. */
import type { HazardRule } from '../../passes/hazards/hazardRule.js';
import type { DelayNeed, NoteRule, Remark, WaitNeed } from '../../passes/remarks.js';
import type { WaitRule } from '../../passes/waitCounts/waitRule.js';
import type { InstrId } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';

/** How instructions and registers of a remark are called. */
export interface RemarkLabels {
  /** `line 14 (V_MOV_B32_e32)`, or the instruction itself where no line of the file has it */
  instr(i: InstrId): string;
  /** `$vgpr3` */
  reg(reg: Reg): string;
}

const WAIT_RULES: Readonly<Record<WaitRule, string>> = {
  entry: 'whoever calls the function may have left accesses under way, so it waits for all first',
  cacheInvalidation: 'before the cache is invalidated, loads have to be back',
  return: 'whoever it returns to counts on it that nothing is under way',
  gsDone: 'before the geometry shader says that it is done, its memory accesses are',
  execWrite: 'EXEC is written while an export or a GDS access still reads it',
  orderedGDS: 'an access to GDS waits for the one before it',
  scalarLoadedMemory: 'it stores to memory that a scalar load may still read',
  loadsToLDS: 'it may read what an access is still to write to LDS, or overwrite what one reads',
  barrier: 'the barrier of this processor waits for nothing itself, so memory accesses have to be done before it',
  vccz: 'on this processor a scalar load that comes back spoils VCCZ, which the branch reads',
  loopEntry:
    'the loop that begins here reads what was loaded before it; waiting once, before it, saves a wait in each iteration',
  forceZero: 'option -amdgpu-waitcnt-forcezero: everything is waited for',
  forceZeroLoads: 'option -amdgpu-waitcnt-load-forcezero: loads are waited for to the last',
  preciseMemory: 'precise memory mode: each access is waited for at once',
  afterGDS: 'an access to GDS of this kind is waited for at once',
  gdsAtEnd: 'the program must not end right after the wait for GDS',
  scalarCache: 'scalar stores stay in their cache unless it is written back before the program ends',
  releaseVGPRs: 'stores are all that is under way where the program ends: its VGPRs can go to another wave now',
  unclause: 'the first vector memory access of a program must stand alone on this processor',
};

const HAZARD_RULES: Readonly<Record<HazardRule, string>> = {
  softClause:
    'loads in a row may be issued again (XNACK), so none of them may write what another reads: a no-op ends the clause',
  scalarLoadOfVALU: 'a scalar load reads an SGPR that the VALU wrote',
  scalarBufferOfSALU: 'a scalar buffer load reads a descriptor that the SALU wrote',
  memoryOfVALUScalar: 'a vector memory access reads an SGPR that the VALU wrote',
  dppExec: 'a DPP instruction comes after the VALU wrote EXEC',
  dppVector: 'a DPP instruction reads a VGPR that was just written',
  divFmasVCC: 'V_DIV_FMAS reads VCC, which the VALU wrote',
  laneSelect: 'the lane is chosen by an SGPR that the VALU wrote',
  permlaneExec: 'V_PERMLANE comes after a compare that wrote EXEC',
  permlaneVector: 'V_PERMLANE reads a VGPR that the VALU wrote',
  transResult: 'the result of a transcendental instruction is not forwarded to other VALU instructions',
  partialResult: 'the instruction before wrote a part of a register only, which is not forwarded',
  valuScalar: 'the VALU reads an SGPR that the VALU wrote',
  valuVCC: 'the VALU reads VCC, which the VALU wrote',
  readlaneSource: 'V_READLANE reads a VGPR that the VALU wrote',
  laneExec: 'an access to one lane comes after the VALU wrote EXEC',
  wideStore: 'the data of a store of more than 64 bits is overwritten while the store still reads it',
  setregGetreg: 'S_GETREG reads a hardware register that S_SETREG wrote',
  setregSetreg: 'S_SETREG writes a hardware register that S_SETREG wrote just before',
  rfeTrapsts: 'S_RFE comes after S_SETREG wrote TRAPSTS',
  readsM0: 'it reads M0, which the SALU wrote',
  scatteredAddress:
    'a buffer access with such an offset comes right after an image access with a long scattered address (NSA)',
  floatAtomicDenorm: 'S_DENORM_MODE comes while an atomic access of floats is under way',
  mfmaPadding: 'option -amdgpu-mfma-padding-ratio: matrix instructions are kept apart',
  mfmaExec: 'a matrix instruction comes after the VALU wrote EXEC',
  mfmaVector: 'a matrix instruction reads a VGPR that the VALU wrote',
  mfmaAccumulator: 'it adds to what another matrix instruction is still to write',
  mfmaFactor: 'it multiplies what another matrix instruction is still to write',
  accRead: 'V_ACCVGPR_READ reads what a matrix instruction is still to write',
  accWrite: 'it reads an AGPR that V_ACCVGPR_WRITE wrote',
  accMove: 'a memory access reads a VGPR that comes out of an AGPR',
  dotResult: 'it uses the result of a dot product before it is there',
  matrixResult: 'it reads what a matrix instruction is still to write',
  matrixOverwrite: 'it writes a register that a matrix instruction is still to write',
  matrixSource: 'it writes a register that a matrix instruction still reads',
  acrossDouble: 'a product of doubles stands between the VALU instruction and the memory access that reads its result',
  doubleFma: 'a 64-bit FMA comes right after a product of doubles',
  snopPadding: 'option -amdgpu-snop-padding',
  vmemToScalarWrite: 'it writes a scalar register that a memory access may still read (VMEM to scalar write)',
  vcmpxPermlane:
    'V_PERMLANE comes after a compare that wrote EXEC, without a VALU instruction between (VcmpX permlane)',
  smemToVectorWrite: 'the VALU writes an SGPR that a scalar load may still read (SMEM to vector write)',
  vcmpxExecWAR: 'a compare writes EXEC, which an instruction before may still read (VcmpX EXEC WAR)',
  ldsBranchVmemWAR: 'accesses to LDS and to vector memory lie on two sides of a branch (LDS branch VMEM WAR)',
  ldsDirectVALU:
    'it writes a VGPR that a VALU instruction before may still use: its own field says how many may be left',
  ldsDirectFree: 'no VALU instruction before it uses its VGPR: it waits for none',
  ldsDirectVMEM: 'it writes a VGPR that a memory access may still use',
  partialForwarding: 'it reads VGPRs that were written before and after a change of EXEC (VALU partial forwarding)',
  valuTransUse: 'it reads the result of a transcendental instruction too early (VALU trans use)',
  valuTransCoexecution: 'it touches registers of a transcendental instruction that may run beside it',
  wmma: 'a matrix instruction reads what the one before it writes (WMMA)',
  wmmaCoexecution: 'it touches registers of a matrix instruction that may run beside it',
  shift64HighReg: 'the amount of a 64-bit shift must not be in the last VGPR of an allocation block on this processor',
  valuMaskWrite: 'it writes an SGPR that the VALU has read as a mask (VALU mask write): what comes after has to wait',
  exportPriority: 'exports need a higher priority than what comes after them on this processor',
  getregIdle: 'S_GETREG of this register waits until everything before is done',
  asyncBarrier: 'an arrival at an asynchronous barrier has to stand apart from memory accesses',
  scratchBaseForwarding: 'it reads the base of scratch memory too soon after SGPR 102 or 103 was written',
  setregMode: 'the change of MODE has to be apart from the VALU instructions before it',
};

/** After the instruction's own line: what it says of `other`, which is named where there is one. */
const NOTE_RULES: Readonly<Record<NoteRule, (other: string) => string>> = {
  paired: (other) => `one half of it was ${other}`,
  pairRoles: (other) => `not paired with ${other}: of the two none can be the first half and the other one the second`,
  pairReads: (other) => `not paired with ${other}: it needs what that one writes`,
  pairLong: (other) => `not paired with ${other}: one of the two is in its long form`,
  pairScalars: (other) => `not paired with ${other}: together they have too many scalar registers and literals`,
  pairModifiers: (other) => `not paired with ${other}: one has operands or modifiers that a half has no place for`,
  pairBanks: (other) => `not paired with ${other}: VGPRs at the same place of both lie in one bank`,
  pairThirdSource: (other) => `not paired with ${other}: one has a third source`,
  clause: (other) =>
    `these accesses, from ${other} on, are of one kind and near each other: a clause is not interrupted`,
  clauseKind: (other) => `not in the clause of ${other}: it is an access of another kind`,
  clauseBase: (other) => `not in the clause of ${other}: nothing says that the two lie near each other`,
  clauseFull: (other) => `not in the clause of ${other}: that is as long as a clause may be`,
  shrunk: (other) => `the short form of ${other}`,
  shrinkOperands: () => 'not shrunk: the short form has no place for its operands or modifiers, in either order',
  shrinkMask: () => 'not shrunk: the short form has its mask, or its carry, in VCC, and here it is elsewhere',
  shrinkLiteral: () => 'not shrunk: before allocation the long form can take a literal later',
  shrinkHighRegs: () => 'not shrunk: the short form of 16-bit instructions names the first 128 VGPRs only',
  joined: () => 'joined: both registers are one now',
  joinClasses: () => 'not joined: no class of registers has what both sides need',
  joinPhysical: () => 'not joined: one side is a physical register that the allocator may use for others',
  joinOverlaps: () => 'not joined: both registers hold different values at the same time',
  joinRemat: () => 'gone: the value is computed again where it was copied to',
  joinBack: () => 'gone: the value that it copies came from the other register, and goes on in it',
  joinCommuted: () =>
    'gone: the instruction that made the value changes the places of its sources, so that its result is in the right register',
  joinMoved: () => 'gone: it was moved up into the block before, where only one way needs it',
  joinUndef: () => 'not joined: what it copies is not defined on every way to it',
};

const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** A sentence or several; each is a line. */
export function remarkText(remark: Remark, labels: RemarkLabels): string[] {
  const called = (i: InstrId): string => labels.instr(i);
  switch (remark.kind) {
    case 'wait':
      return remark.needs.map((need) => waitText(need, remark.before, labels));
    case 'waitDropped':
      return [
        remark.isMerged
          ? 'gone: another wait here waits for it, too'
          : 'gone: nothing is under way that it would wait for',
      ];
    case 'note':
      return [NOTE_RULES[remark.rule](remark.other < 0 ? '' : called(remark.other))];
    case 'rule':
      return [WAIT_RULES[remark.rule]];
    case 'movedAddress':
      return [`it counts from S_GETPC_B64, and ${called(remark.by)} lies between now: four bytes more`];
    case 'hazard': {
      const { before, by, states, between, rule } = remark;
      const who = before < 0 ? '' : `for ${called(before)}: `;
      const from = by < 0 ? '' : `; it comes after ${called(by)}`;
      const distance =
        states === 0 || by < 0
          ? states === 0
            ? ''
            : `; ${plural(states, 'wait state')}`
          : ` and needs ${plural(states + between, 'wait state')} between, of which ${between} ${between === 1 ? 'is' : 'are'} there`;
      return [`${who}${HAZARD_RULES[rule]}${from}${distance}`];
    }
    case 'scalarWait': {
      if (remark.leaves) return [`${called(remark.before)} leaves the function, so writes of SGPRs have to be there`];
      return remark.needs.map(({ reg, by, unit }) => {
        const who = by < 0 ? `the ${unit} in an earlier block` : `${called(by)}, of the ${unit},`;
        return `for ${called(remark.before)}, which reads ${labels.reg(reg)}: ${who} wrote it after the VALU had read it, and what the VALU read may be taken again`;
      });
    }
    case 'scalarCull':
      return [
        `before ${called(remark.before)}: after these the processor has read all SGPRs that it was to read, and none is waited for`,
      ];
    case 'delay':
      return remark.waiters.flatMap(({ before, needs, skipped }) =>
        needs.map(
          (need) =>
            `for ${called(before)}${skipped > 0 ? `, ${skipped} further on` : ''}, which reads ${delayText(need, labels)}`,
        ),
      );
  }
}

function waitText({ counter, left, outstanding, cause }: WaitNeed, before: InstrId, labels: RemarkLabels): string {
  const who = before < 0 ? 'the end of the block' : labels.instr(before);
  const limit = `${counter} ${left}`;
  if (cause.kind === 'existing') return `${limit}: a wait that was there before the pass asks for it`;
  if (cause.kind === 'rule') return `${limit}, for ${who}: ${WAIT_RULES[cause.rule]}`;
  const access = cause.by < 0 ? 'an access' : labels.instr(cause.by);
  const does = cause.overwrites ? 'writes' : 'reads';
  const still = cause.isSource ? 'may still read' : 'has still to write';
  const order = cause.isUnordered
    ? ', in any order, so none may be left'
    : `, ${cause.after === 0 ? 'none' : String(cause.after)} of them after it`;
  return `${limit}, for ${who}, which ${does} ${labels.reg(cause.reg)}: ${access} ${still} it; ${counter} counts ${outstanding}${order}`;
}

function delayText({ unit, n, reg, by }: DelayNeed, labels: RemarkLabels): string {
  const producer = by < 0 ? 'an instruction of an earlier block' : labels.instr(by);
  const far =
    unit === 'SALU'
      ? `the SALU needs ${plural(n, 'cycle')} more`
      : `it is ${plural(n, unit === 'TRANS' ? 'transcendental instruction' : 'VALU instruction')} back`;
  return `${labels.reg(reg)}: ${producer} has not written it yet, ${far}`;
}
