/**
 * The contract of the target layer: what the rest of amdgpu-mir may ask about AMDGPU in a release of LLVM.
 *
 * Two objects carry all of it. `TargetTables` is what holds for every processor (registers, classes, opcodes,
 * register masks); there is one instance per target, release and process, decoded lazily: AMDGCN's, and R600's when a file needs it. `Subtarget` is one
 * processor with its features applied (wave size, limits, occupancy steps, scheduling model, class-by-mode).
 * Both are immutable. Numbers are LLVM's own (register numbers, class ids, opcodes, sub-register indices) so
 * that they can be compared with the oracle; text never enters after lookup by name.
 *
 * Conventions: -1 is "none"; a 64-bit mask is two unsigned 32-bit halves, `lo` and `hi`; register number 0 is
 * `$noreg`; virtual registers never reach this layer.
 */
import type { OptionTable } from '../commandLine/optionSpec.js';
import type { PassNames } from '../commandLine/runPasses.js';
import type { ArrayStore } from './arrayStore.js';
import type { Id } from '../util/id.js';
import type { ReleaseName } from './releases.js';

/** Register number, class id, opcode, sub-register index: integers, each of its kind. An operand's register may be a virtual one, too. */
export type PhysReg = Id<'reg'>;
export type RegClassId = Id<'regClass'>;
export type Opcode = Id<'opcode'>;
export type SubRegIdx = Id<'subReg'>;
export type RegUnit = Id<'regUnit'>;

/** Bank of a register class as the GCN pressure trackers see it (GCNRegPressure::getRegKind). */
export const enum RegKind {
  SGPR = 0,
  VGPR = 1,
  AGPR = 2,
  AVGPR = 3,
}

/** MCInstrDesc flags, bit numbers (MCID). The first 32 are in `opcodeFlagsLo`, the others in `opcodeFlagsHi`. */
export const enum McFlag {
  PreISelOpcode = 0,
  Variadic,
  HasOptionalDef,
  Pseudo,
  Meta,
  Return,
  EHScopeReturn,
  Call,
  Barrier,
  Terminator,
  Branch,
  IndirectBranch,
  Compare,
  MoveImm,
  MoveReg,
  Bitcast,
  Select,
  DelaySlot,
  FoldableAsLoad,
  MayLoad,
  MayStore,
  MayRaiseFPException,
  Predicable,
  NotDuplicable,
  UnmodeledSideEffects,
  Commutable,
  ConvertibleTo3Addr,
  UsesCustomInserter,
  HasPostISelHook,
  Rematerializable,
  CheapAsAMove,
  ExtraSrcRegAllocReq,
  ExtraDefRegAllocReq,
  RegSequence,
  ExtractSubreg,
  InsertSubreg,
  Convergent,
  Add,
  Trap,
  VariadicOpsAreDefs,
  Authenticated,
}

/** How many bits of an operand's descriptor flags mean what (MCOI::OperandFlags). */
export const enum OpInfoFlag {
  LookupRegClassByHwMode = 1,
  Predicate = 2,
  OptionalDef = 4,
  BranchTarget = 8,
}

export interface TargetTables {
  readonly llvmVersion: string;
  /** of what is made of the tables, too */
  readonly store: ArrayStore;
  /** false for R600, of which there are registers, classes and opcodes only: whoever counts waves, schedules or allocates is for AMDGCN */
  readonly isAMDGCN: boolean;

  // -- registers -----------------------------------------------------------------------------------------------
  readonly nRegs: number;
  /** MIR spelling without `$`, e.g. `sgpr4_sgpr5`, `vgpr0_lo16`. */
  regName(reg: PhysReg): string;
  /** LLVM's internal, upper-case name, e.g. `SGPR4_SGPR5` (verifier messages, DAG dumps). */
  regEnumName(reg: PhysReg): string;
  /** assembler name, e.g. `s[4:5]` */
  regAsmName(reg: PhysReg): string;
  /** -1 if unknown; `name` in MIR spelling without `$`. */
  regByName(name: string): PhysReg;
  /** the same for the name `text[start..end)`, without making a substring; likewise the other `...ByNameAt` */
  regByNameAt(text: string, start: number, end: number): PhysReg;
  /** hardware encoding */
  regEncoding(reg: PhysReg): number;
  readonly nRegUnits: number;
  /** The units of `reg` are `unitList[unitBegin[reg]]` to `unitList[unitEnd[reg] - 1]`. Registers share parts of the list. */
  readonly unitBegin: Uint16Array;
  readonly unitEnd: Uint16Array;
  readonly unitList: Uint16Array;
  /** Where the lanes of the units of `reg` begin in `unitLaneLo/Hi`, in the order of its units. */
  unitLaneBegin(reg: PhysReg): number;
  readonly unitLaneLo: Uint32Array;
  readonly unitLaneHi: Uint32Array;
  regUnitName(unit: RegUnit): string;
  /** root registers of a unit: one or two */
  regUnitRoots(unit: RegUnit): readonly PhysReg[];
  regUnitPressureSets(unit: RegUnit): readonly number[];
  regUnitWeight(unit: RegUnit): number;
  /** 0 (NO_REG) if `reg` has no such sub-register */
  getSubReg(reg: PhysReg, idx: SubRegIdx): PhysReg;
  /** index of `sub` in `reg`, 0 if it is none */
  getSubRegIndex(reg: PhysReg, sub: PhysReg): SubRegIdx;
  /** the register of class `rc` whose sub-register `idx` is `reg`, or 0 */
  getMatchingSuperReg(reg: PhysReg, idx: SubRegIdx, rc: RegClassId): PhysReg;
  /** all sub-registers without `reg` itself, in LLVM's order */
  subRegs(reg: PhysReg): readonly PhysReg[];
  superRegs(reg: PhysReg): readonly PhysReg[];
  isSubRegister(reg: PhysReg, sub: PhysReg): boolean;
  regsOverlap(a: PhysReg, b: PhysReg): boolean;
  isConstantPhysReg(reg: PhysReg): boolean;
  isArtificialReg(reg: PhysReg): boolean;
  /** registers `prefix0`, `prefix1`, ... as far as there are any (`sgpr`, `vgpr`, `agpr`, `ttmp`) */
  numberedRegs(prefix: string): Uint16Array;
  /** register units all of whose roots are artificial registers: one bit each, in words of 32 */
  readonly artificialUnits: Uint32Array;
  isInAllocatableClass(reg: PhysReg): boolean;
  /** what every function reserves, where that is all (R600); of AMDGCN it depends on the function: analysis/reservedRegs.ts */
  readonly reserved: readonly PhysReg[];
  /**
   * smallest class that contains `reg`
   * @llvm TargetRegisterInfo.cpp TargetRegisterInfo::getMinimalPhysRegClass
   */
  getMinimalPhysRegClass(reg: PhysReg): RegClassId;

  // -- sub-register indices --------------------------------------------------------------------------------------
  readonly nSubRegIndices: number;
  subRegIndexName(idx: SubRegIdx): string;
  /** -1 if unknown */
  subRegIndexByName(name: string): SubRegIdx;
  /** entry 0 is the full mask */
  readonly subRegLaneLo: Uint32Array;
  readonly subRegLaneHi: Uint32Array;
  /** in bits; offset 65535 when not contiguous, as in LLVM */
  readonly subRegOffset: Uint16Array;
  readonly subRegSize: Uint16Array;
  /** composeSubRegIndices(a, b): 0 if there is none */
  composeSubRegIndices(a: SubRegIdx, b: SubRegIdx): SubRegIdx;

  // -- register classes ------------------------------------------------------------------------------------------
  readonly nRegClasses: number;
  /** LLVM's name, e.g. `VReg_64_Align2`; MIR uses it in lower case. */
  regClassName(rc: RegClassId): string;
  /** `name` in MIR spelling (lower case); -1 if unknown */
  regClassByName(name: string): RegClassId;
  regClassByNameAt(text: string, start: number, end: number): RegClassId;
  /** the name in MIR spelling (lower case) */
  regClassMirName(rc: RegClassId): string;
  readonly regClassLaneLo: Uint32Array;
  readonly regClassLaneHi: Uint32Array;
  /** register size in bits */
  readonly regClassBits: Uint16Array;
  /** RegKind */
  readonly regClassKind: Uint8Array;
  /** pressure weight: number of 32-bit registers, see docs/llvm/register-pressure.md, 1.3 */
  readonly regClassWeight: Uint8Array;
  /**
   * The units of all registers of a class
   * @llvm TargetRegisterInfo.h RegClassWeight::WeightLimit
   */
  regClassWeightLimit(rc: RegClassId): number;
  /** generic pressure sets of a class */
  regClassPressureSets(rc: RegClassId): readonly number[];
  isAllocatableClass(rc: RegClassId): boolean;
  classContains(rc: RegClassId, reg: PhysReg): boolean;
  isBaseClass(rc: RegClassId): boolean;
  /** members in allocation-table order */
  classRegs(rc: RegClassId): Uint16Array;
  /** raw allocation order (getRawAllocationOrder is by subtarget: see Subtarget) */
  hasSubClassEq(rc: RegClassId, sub: RegClassId): boolean;
  getCommonSubClass(a: RegClassId, b: RegClassId): RegClassId;
  /** sub-class of `rc` whose members all have `idx`; -1 if none (getSubClassWithSubReg) */
  getSubClassWithSubReg(rc: RegClassId, idx: SubRegIdx): RegClassId;
  /** class of sub-register `idx` of `rc` members (getSubRegisterClass); -1 */
  getSubRegisterClass(rc: RegClassId, idx: SubRegIdx): RegClassId;
  /** getMatchingSuperRegClass(a, b, idx); -1 */
  getMatchingSuperRegClass(a: RegClassId, b: RegClassId, idx: SubRegIdx): RegClassId;
  superClasses(rc: RegClassId): readonly RegClassId[];
  /** indices that classes have whose sub-register classes include `rc` */
  superRegIndices(rc: RegClassId): readonly SubRegIdx[];
  regClassSpillSize(rc: RegClassId): number;
  regClassSpillAlign(rc: RegClassId): number;
  regClassCopyCost(rc: RegClassId): number;
  /** 0 to 31: values of greater ones get their registers first */
  regClassAllocationPriority(rc: RegClassId): number;
  /** values come before others however short they live */
  regClassGlobalPriority(rc: RegClassId): boolean;
  /** predicates of SIRegisterInfo */
  isSGPRClass(rc: RegClassId): boolean;
  hasVGPRs(rc: RegClassId): boolean;
  hasAGPRs(rc: RegClassId): boolean;
  hasSGPRs(rc: RegClassId): boolean;
  /** register banks: names `sgpr`, `vgpr`, `agpr`, `vcc`; -1 if unknown */
  regBankByName(name: string): number;
  regBankName(bank: number): string;
  readonly nRegBanks: number;
  regBankCovers(bank: number, rc: RegClassId): boolean;
  readonly pressureSetNames: readonly string[];

  // -- register masks --------------------------------------------------------------------------------------------
  /** names as MIR spells them (`csr_amdgpu`); index or -1 */
  regMaskByName(name: string): number;
  regMaskName(mask: number): string;
  readonly nRegMasks: number;
  /** bit r set = register r is preserved */
  regMaskBits(mask: number): Uint32Array;

  // -- opcodes ---------------------------------------------------------------------------------------------------
  readonly nOpcodes: number;
  opcodeName(opc: Opcode): string;
  /** -1 if unknown */
  opcodeByName(name: string): Opcode;
  opcodeByNameAt(text: string, start: number, end: number): Opcode;
  /** descriptor operands of `opc` are `opInfoBegin(opc) .. + opcodeNumOperands(opc)` in the opInfo columns */
  opInfoBegin(opc: Opcode): number;
  opcodeNumOperands(opc: Opcode): number;
  opcodeNumDefs(opc: Opcode): number;
  opcodeFlagsLo(opc: Opcode): number;
  opcodeFlagsHi(opc: Opcode): number;
  /** TSFlags (SIInstrFlags), 64 bits */
  opcodeTSLo(opc: Opcode): number;
  opcodeTSHi(opc: Opcode): number;
  opcodeSchedClass(opc: Opcode): number;
  /** bytes; 0 if unknown */
  opcodeSize(opc: Opcode): number;
  /** class id as in the table (apply Subtarget.opInfoRegClass for class-by-mode); -1 = not a register operand */
  readonly opInfoRegClass: Int16Array;
  /** OpInfoFlag */
  readonly opInfoFlags: Uint8Array;
  /** MCOI operand type, incl. AMDGPU's own (see OperandType in opcodes.ts) */
  readonly opInfoType: Uint8Array;
  /** index of the operand this one is tied to, or -1 */
  readonly opInfoTiedTo: Int8Array;
  /** 1 if early clobber */
  readonly opInfoEarlyClobber: Uint8Array;
  implicitDefs(opc: Opcode): readonly PhysReg[];
  implicitUses(opc: Opcode): readonly PhysReg[];
  /**
   * index of a named operand (`vdst`, `src0`, `offset`, ...), -1 if absent
   * @llvm AMDGPUBaseInfo.cpp AMDGPU::getNamedOperandIdx
   */
  getNamedOperandIdx(opc: Opcode, name: OpName): number;
  /** The same for several names at once, in their order. `names` is a constant: what it means is kept by the array. */
  getNamedOperandIdxs(opc: Opcode, names: readonly OpName[]): Int16Array;
  /** name of an operand, '' if it has none */
  operandName(opc: Opcode, opIdx: number): OpName;
  /** opcode mappings between encodings (AMDGPU::getVOPe64, getVOPe32, getSDWAOp, getDPPOp32, getCommuteRev, getMCOpcode ...); -1 if none */
  mapOpcode(map: OpcodeMap, opc: Opcode): Opcode;
}

/** Operand names of AMDGPU instructions used by this project; the generator checks that each exists. */
export type OpName = string;
export type OpcodeMap =
  | 'VOPe32'
  | 'VOPe64'
  | 'SDWA'
  | 'BasicFromSDWA'
  | 'DPP32'
  | 'DPP64'
  | 'CommuteOrig'
  | 'CommuteRev'
  | 'GlobalVaddr'
  | 'GlobalSaddr'
  | 'FlatScratchSVfromSS'
  | 'FlatScratchSSfromSV'
  | 'FlatScratchSTfromSS'
  | 'FlatScratchSVfromSVS'
  | 'MFMAEarlyClobber'
  | 'MFMASrcCVDstAGPR'
  | 'VCMPXNoSDst'
  | 'VCMPXFromVCMP'
  | 'SOPK'
  | 'SOPPWithRelaxation'
  | 'MUBUFAddr64'
  | 'MUBUFIfAddr64';

/** One write (or resource use) of a scheduling class. */
export interface WriteProcRes {
  readonly resource: number;
  readonly releaseAtCycle: number;
  readonly acquireAtCycle: number;
}

export interface SchedClassDesc {
  readonly numMicroOps: number;
  /** per def: latency in cycles and write-resource id */
  readonly writeLatencyCycles: readonly number[];
  readonly writeIds: readonly number[];
  readonly writeProcRes: readonly WriteProcRes[];
  /** [use index, write id, cycles] */
  readonly readAdvance: readonly (readonly [number, number, number])[];
}

export interface ProcResource {
  readonly name: string;
  readonly bufferSize: number;
}

export interface SchedModel {
  readonly microOpBufferSize: number;
  readonly loadLatency: number;
  readonly resources: readonly ProcResource[];
  /** false for the model of no processor: it has no classes */
  readonly hasInstrSchedModel: boolean;
  isValidClass(id: number): boolean;
  isVariantClass(id: number): boolean;
  schedClass(id: number): SchedClassDesc;
  /**
   * What the variant class of COPY resolves to, by the class of the destination (of the part, for a copy to a
   * sub-register); -1 if unknown.
   */
  copyClass(rc: RegClassId): number;
  /**
   * What the variant class of another opcode resolves to; `immOf(opIdx)` is asked for the values of the few immediate
   * operands that decide. -1 if the opcode has no variant class.
   */
  variantClass(opc: Opcode, immOf: (opIdx: number) => number): number;
}

/** How an instruction of an opcode is judged; the same numbers as `Rule` of server/tools/extract/uniformity.cpp; docs/llvm/uniformity.md, section 2. */
export const enum UniformityRule {
  /** a source of divergence if it reads a register outside the bank `sgpr`, else as divergent as what it reads */
  Operands = 0,
  /** a source of divergence */
  Never,
  /** uniform whatever it reads */
  Always,
  /** from a physical register: by its class; else as what it reads */
  Copy,
  /** a source of divergence without memory operands, or with one in the flat or private address space */
  AddressSpace,
  /** as divergent as what it reads */
  Generic,
  /** by the intrinsic */
  Intrinsic,
  /** from private to flat, a source of divergence where scratch is globally addressable */
  AddressSpaceCast,
}

/** What divergence analysis asks of opcodes and intrinsics. */
export interface UniformityFacts {
  rule(opc: Opcode): UniformityRule;
  /**
   * `name` with `llvm.` and without type suffixes, as MIR prints it
   * @llvm AMDGPUBaseInfo.cpp AMDGPU::isIntrinsicSourceOfDivergence
   */
  isSourceOfDivergence(name: string): boolean;
  /** @llvm AMDGPUBaseInfo.cpp AMDGPU::isIntrinsicAlwaysUniform */
  isAlwaysUniform(name: string): boolean;
}

/** Where releases of LLVM behave differently: a member each, with the pull request where it is known. */
export interface ReleaseRules {
  /** `frameInfo` has `framePointerPolicy`, in place of asking the attribute each time (llvm/llvm-project#191974) */
  readonly hasFramePointerPolicy: boolean;
  /** `machineFunctionInfo` has `noSignedZerosFPMath` (llvm/llvm-project#178343) */
  readonly hasNoSignedZeros: boolean;
  /** floating-point constants are decimal where that is exact, else `f0x...` (ir/floatText.ts); before, half and bfloat were `0xH...`, `0xR...` (llvm/llvm-project#190649) */
  readonly decimalFloats: boolean;
  /** operands of INLINEASM are words (`sideeffect attdialect`, `regdef:VGPR_32`) in place of numbers with comments (llvm/llvm-project#192991) */
  readonly inlineAsmWords: boolean;
  /** instructions may have `mmra !N` */
  readonly hasMMRA: boolean;
  /** the immediates of S_WAITCNT and S_WAITCNT_DEPCTR are written as mnemonics (`.Vmcnt_0`) (llvm/llvm-project#193895, llvm/llvm-project#176316) */
  readonly hasWaitMnemonics: boolean;
  /** integers become floating-point numbers with fast-math flags (uitofp, sitofp) (llvm/llvm-project#198470) */
  readonly fastMathOnIntegerCasts: boolean;
  /** debug info: entities of a function stand in its retainedNodes, not in lists of the compile unit (llvm/llvm-project#187927) */
  readonly localEntities: boolean;
  /** GCNDownwardRPTracker: a register ends for a candidate where nothing between the node placed last and it reads it; before, nothing from the block's begin on (llvm/llvm-project#208574) */
  readonly trackersLookBelowTop: boolean;
  /** si-i1-copies places PHIs in iterated dominance frontiers (MachineIDFSSAUpdater) (llvm/llvm-project#145722) */
  readonly placesPhisByFrontiers: boolean;
  /** InlineSpiller::reMaterializeFor: where the definition of a value is gone, that of what it was copied from is computed again */
  readonly tracesCopies: boolean;
  /** a DISubprogram must have a type */
  readonly typedSubprograms: boolean;
  /** functions have `denormal_fpenv(...)`, which the string attributes `denormal-fp-math` meant before (llvm/llvm-project#174293) */
  readonly hasDenormalEnvironment: boolean;
  /** `memory(target_mem: ...)` stands for target_mem0 and target_mem1, in reading and printing (llvm/llvm-project#176968) */
  readonly hasTargetMemory: boolean;
  /** products of matrices of floats have no modifiers of A and B; calls that have them, zero, are read (upgradeAMDGCNIntrinsicCall) */
  readonly dropsMatrixModifiers: boolean;
  /** `llvm.convert.from.fp16` and `llvm.convert.to.fp16` are gone, calls become casts (upgradeConvertIntrinsicCall) */
  readonly castsHalves: boolean;
  /** registers are read as `sgpr4_64`, too, as LLVM writes them since summer 2026 (model/namesBySize.ts) */
  readonly readsNamesBySize: boolean;
  /** they are always printed so; else where the file has such a name */
  readonly printsNamesBySize: boolean;
  /** `amdgpu9.0a-amd-amdhsa` is a triple of its own; else llc has no target for it, and `check` takes it for `amdgcn` and a processor (llvm/llvm-project#206480) */
  readonly hasSubArchTriples: boolean;
  /** si-fix-sgpr-copies leaves a function of which nobody knows that it has no PHIs (SIFixSGPRCopiesLegacy::getClearedProperties) */
  readonly fixedCopiesMayBePhis: boolean;
  /** alignment in bytes of a function that no document describes */
  readonly minFunctionAlign: number;
  /** verifier: allocatable live-ins are wrong where some block begins with a PHI, whatever the function says (llvm/llvm-project#211941) */
  readonly liveInsByPhis: boolean;
  /** what is asked of xnack and sramecc is said where the processor has neither */
  readonly warnsOfTargetID: boolean;
  /** IsaInfo::getMaxNumVGPRs: of a function that takes VGPRs in blocks no number of waves limits them, all addressable ones are to be had (llvm/llvm-project#185981) */
  readonly blocksAreUnlimited: boolean;
  /** verifier: the second source of DPP is a VGPR where the processor takes no other (llvm/llvm-project#201494) */
  readonly checksDppSource: boolean;
  /** DPP's wavefront shifts and broadcasts go by features, not by the generation (llvm/llvm-project#182391) */
  readonly dppByFeature: boolean;
  /** `dynamicVGPRBlockSize` of the text goes before the function's attribute, where it stands; it is printed with -simplify-mir, too (llvm/llvm-project#201939) */
  readonly hasOptionalBlockSize: boolean;
  /** the waves that SGPRs allow follow from what is there and what the trap handler takes, not from a table (IsaInfo::getOccupancyWithNumSGPRs) (llvm/llvm-project#201342) */
  readonly dividesSGPRs: boolean;
  /** low-level types may be `f32` and `bf16` (llvm/llvm-project#155107) */
  readonly hasFloatLLTs: boolean;
  /** copies that split a live range are written with `lr-split` (llvm/llvm-project#197362) */
  readonly hasLRSplit: boolean;
  /** a spill slot has the stack id of its class from the start (TargetRegisterClass::SpillStackID) (llvm/llvm-project#197628) */
  readonly hasStackIDOfClass: boolean;
  /** callee-saved SGPRs are saved with frame information, the return address as one register (llvm/llvm-project#183150) */
  readonly savesSGPRsWithCFI: boolean;
  /** memory operands may be `"amdgpu-thread-private"`, and those of spills are (SIRegisterInfo::buildSpillLoadStore) */
  readonly marksThreadPrivate: boolean;
  /** slots of a function that another has given way to lie at its stack pointer, not at 0 (SIRegisterInfo::getFrameRegister) */
  readonly chainsHaveFrames: boolean;
  /** saved registers are live into the block also where they are reserved, and its live-ins are sorted then (updateLiveness of PrologEpilogInserter) */
  readonly sortsSavedLiveIns: boolean;
  /** a register for lanes of SGPRs is defined outside of cycles (llvm/llvm-project#186348) */
  readonly definesLanesOutsideCycles: boolean;
  /** processimpdefs marks all that reads an undefined physical register up to where it is written again, and keeps the IMPLICIT_DEF of one that may leave its block (ProcessImplicitDefs::processImplicitDef) (llvm/llvm-project#188133) */
  readonly undefinesToRedefinition: boolean;
  /** slot indexes are numbered anew altogether where room for a new one would take a fifth of them (llvm/llvm-project#182640) */
  readonly packsDenseSlots: boolean;
  /** an order that the scheduler puts back has its debug instructions, and to pass them alone is no move (GCNSchedStage::modifyRegionSchedule, GCNIterativeScheduler::scheduleRegion) (llvm/llvm-project#177483) */
  readonly revertsAroundDebugInstrs: boolean;
  /** an entry of `registers` tells what the register was assigned (`assigned-phys`) */
  readonly hasAssignedPhys: boolean;
  /** `machineFunctionInfo` has `minNumAGPRs` (llvm/llvm-project#200647) */
  readonly hasMinNumAGPRs: boolean;
  /**
   * GCNScheduleDAGMILive::computeBlockPressure: the live-ins of a region hold what the instruction before it read last, and those of a block's first
   * region what the block before it ended with, when there is no other way into it
   */
  readonly keepsEndedLiveIns: boolean;
  /** GCNSubtarget::adjustSchedDependency: a transfer to LDS comes one cycle after what its counter orders it after (llvm/llvm-project#201201) */
  readonly transfersFollowAtOnce: boolean;
  /** in a region that keeps its order `undef` on parts of registers is set anew (GCNIterativeScheduler::restoreRegionLivenessFlags) (llvm/llvm-project#211190) */
  readonly restoresUndef: boolean;
  /** AMDGPUSubtarget::getOccupancyWithWorkGroupSizes: a work group takes local memory in the granules of its processor (llvm/llvm-project#205637) */
  readonly roundsGroupMemory: boolean;
  /** GCNSubtarget::getRealSchedDependency: a Data edge is about the smaller register, or the half that a packed instruction reads, or nothing (llvm/llvm-project#140255) */
  readonly narrowsDependences: boolean;
  /** checkVOPDRegConstraints: of a pair it counts which half an instruction becomes, and a scalar register counts once */
  readonly pairsVopdByRoles: boolean;
  /** VOPDPairingMutation: no pair that makes loads wait for others beside which they would run */
  readonly keepsLoadsApart: boolean;
  /**
   * Behind allocation, a hazard recognizer is told of an instruction once it is issued (SchedBoundary::bumpNode), so that cycles in which it waited stand
   * before it. Else they stand behind it.
   */
  readonly emitsBehindStalls: boolean;
  /** masks that vector instructions write and read on GFX11 are three times as far apart (AMDGPUHazardLatency) (llvm/llvm-project#170075) */
  readonly spacesMaskWrites: boolean;
  /** AMDGPUBarrierLatency: a fence is as far from a load before it as that takes (else 2,000 cycles) (llvm/llvm-project#204657) */
  readonly fencesWaitForLoads: boolean;
  /** AMDGPUBarrierLatency: a work group's fence waits for nothing before GFX10, and a wait for all but the last transfers to LDS is one cycle from those */
  readonly freesGroupFences: boolean;
  /**
   * Alias scopes separate memory operands for every pass: the wheel's door for MIR, by which this release is measured, adds ScopedNoAliasAA, which
   * `llc -run-pass` leaves out (`-enable-scoped-noalias=0` here)
   */
  readonly asksAliasScopes: boolean;
  /**
   * DetermineUseCaptureKind: a volatile access and `ptrtoaddr` capture the provenance of their pointer, not its address alone, so that a local object may be what
   * a loaded pointer points to (llvm/llvm-project#201316)
   */
  readonly capturesByVolatile: boolean;
  /** BasicAAResult::aliasGEP: low bits of an index that are known to be 0 count for what the distance of two pointers is a multiple of (llvm/llvm-project#187297) */
  readonly factorsByKnownBits: boolean;
  /**
   * ScheduleDAGInstrs: each 500th access of a region becomes the chain for all in the maps, and these are empty; before, maps of 1,000 nodes lost
   * half of them (llvm/llvm-project#200945)
   */
  readonly clearsHugeMaps: boolean;
  /**
   * IGroupLP's greedy solver: of all assignments only the first that orders two instructions leaves its edges for the costs of those after it
   * (llvm/llvm-project#182463)
   */
  readonly keepsFirstEdgesOnly: boolean;
  /** the greedy solver's cost, below which the exact one searches, is the sum of what was chosen; before, of what was tried last (llvm/llvm-project#186995) */
  readonly addsBestCost: boolean;
  /** `noconvergent` is printed in texts that are no MIR files, too (MachineInstr::print) */
  readonly printsNoConvergent: boolean;
  /** a comparison of a result with 0 for equality goes, too, and what reads it does the opposite (SIInstrInfo::invertSCCUse) */
  readonly invertsComparisons: boolean;
  /** early-machinelicm takes reserved registers for free ones (MachineLICMImpl::run) */
  readonly countsReservedInLoops: boolean;
  /** what an instruction computes for scalar registers, and what a convergent one does, counts as dependent on EXEC; else comparisons do by their readers */
  readonly scalarResultsDependOnExec: boolean;
  /** `print-machine-uniformity` lists a function without divergence like any other, and says below that it has none */
  readonly listsUniformFunctions: boolean;
  /** entries and blocks of a cycle are in the order of the depth-first walk (GenericCycleInfoCompute::flatten), which shows in exits and texts (llvm/llvm-project#208614) */
  readonly cyclesInPreorder: boolean;
  /** inline assembly is a source of divergence unless all its results are constrained to SGPRs (SIInstrInfo::getValueUniformity); before, by what it reads (llvm/llvm-project#201874) */
  readonly asmDivergesByConstraint: boolean;
  /** functions with a calling convention of chains get the inputs of any function, not the buffer of scratch memory alone */
  readonly chainsHaveFixedInputs: boolean;
  /** the feature of processors with bits for IEEE and DX10 clamp in their mode; '' = all before GFX12 */
  readonly ieeeModeFeature: string;
  // The machine verifier:
  /** a class of registers has a sub-register wholly or not, and fits an operand with it if all its registers do; before, larger legal classes counted (llvm/llvm-project#181921) */
  readonly wholeSubRegRule: boolean;
  /** data operands of one memory instruction have to be all VGPRs or all AGPRs */
  readonly checksPairsOfAGPRs: boolean;
  /** packed FP32 instructions of GFX12 may not read SGPRs with op_sel */
  readonly checksPackedSGPRs: boolean;
  /** V_MOV_B64_PSEUDO needs aligned registers where others do */
  readonly alignsMovePseudos: boolean;
  /** modifiers of operands may not be registers */
  readonly modifiersAreImmediates: boolean;
  /** a fixed vector may be part of a scalable one */
  readonly mixesScalableSubvectors: boolean;
  /** post-RA-hazard-rec: a wait after a mask is written takes over those before it, where no mask is read in between; else amdgpu-wait-sgpr-hazards merges them (llvm/llvm-project#169213) */
  readonly mergesMaskWaits: boolean;
  /** si-shrink-instructions: of three moves that exchange two values the last two meet wherever they can between them; before, where the second one stands */
  readonly swapsBetweenMoves: boolean;
  /** si-shrink-instructions: `disjoint S_OR_B32` with a constant is a sum */
  readonly addsDisjointBits: boolean;
  /** si-load-store-opt: accesses that cannot subtract share the lowest of their addresses, and addresses that are one sum of 64 bits are taken apart, too */
  readonly sharesLowestAddress: boolean;
  /** gcn-create-vopd: on gfx12 both halves may read the same register (llvm/llvm-project#196198) */
  readonly halvesShareSources: boolean;
  /** gcn-create-vopd: dot products may be halves (llvm/llvm-project#196516) */
  readonly pairsDotProducts: boolean;
  /** si-memory-legalizer: on gfx1250 accesses are over before a cache is written back, and one is empty before others begin */
  readonly waitsAroundCacheControls: boolean;
  /** si-memory-legalizer: on gfx1250 accesses of what nobody writes say so */
  readonly marksInvariantAccesses: boolean;
  /** si-shrink-instructions: compares that write EXEC alone are shrunk, too; before, their first source was taken for a mask (llvm/llvm-project#202711) */
  readonly shrinksExecCompares: boolean;
  /** si-optimize-exec-masking: debug instructions count for nothing; before, they stand between and read (llvm/llvm-project#201947) */
  readonly masksSkipDebugInstrs: boolean;
  /** from gfx940 on, the data of a wide store with an SGPR as its offset is in use for one wait state, too (GCNHazardRecognizer::createsVALUHazard) (llvm/llvm-project#197267) */
  /** amdgpu-insert-delay-alu: 64-bit transcendental instructions are waited for like other VALU instructions, and nothing is skipped over S_SET_VGPR_MSB */
  readonly delaysTellDoubles: boolean;
  /** AMDGPULowerVGPREncoding: operands are exchanged where that spares an S_SET_VGPR_MSB, which goes before waits, too; waits that it does for go (llvm/llvm-project#181918, #176355) */
  readonly commutesForVGPRModes: boolean;
  /** from gfx940 on, the data of a wide store with an SGPR as its offset is in use for one wait state, too (GCNHazardRecognizer::createsVALUHazard) */
  readonly spacesStoresByOffset: boolean;
  /** the amount of a 64-bit shift is not in the last VGPR of a block of eight on gfx940 and later either (GCNSubtarget::hasShift64HighRegBug) (llvm/llvm-project#183839) */
  readonly shiftsAvoidLastOfBlock: boolean;
  /** si-insert-waitcnts: branches, barriers, messages and their like wait for the translation of all addresses (SIInstrInfo::isXcntDrain) (llvm/llvm-project#198823) */
  readonly drainsTranslations: boolean;
  /** si-insert-waitcnts: accesses to halves of a VGPR are counted apart, and only VALU instructions wait for the other half; before, for the whole register */
  readonly countsHalvesApart: boolean;
  /** regallocbasic takes the greatest register of those of one weight (llvm/llvm-project#177998); before, its heap said which */
  readonly basicTakesGreatestOfEqual: boolean;
  /** SIInstrInfo::copyPhysReg: the first of several moves defines the whole register, too (until llvm/llvm-project#125255) */
  readonly copiesDefineWhole: boolean;
  /** RegAllocFast::allocateInstruction: a copy to a register that nobody reads goes, like one to itself */
  readonly dropsDeadCopies: boolean;
  /** llvm::hash_combine is CityHash with a fixed seed; after 22 it is xxh3, with a seed that changes from run to run where LLVM checks its interfaces */
  readonly hashesByCity: boolean;
  /** GCNSubtarget: with GFX1250 comes a branch that adds a distance of 64 bits to the PC (S_ADD_PC_I64); later `add-pc64-inst` says so */
  readonly addsToPCSinceGFX1250: boolean;
  /** StackColoring::run: markers of lifetimes go from functions with optnone, too (llvm/llvm-project#176050) */
  readonly dropsMarkersOfOptNone: boolean;
  // The scheduler:
  /** GCNSubtarget::adjustSchedDependency: meta instructions of a bundle (debug values, KILL, ...) bring no member nearer (llvm/llvm-project#177052) */
  readonly skipsMetaInBundles: boolean;
  /** SIWholeQuadMode: where strict modes begin and end has the debug location of the instruction after it; before, none (llvm/llvm-project#168573) */
  readonly locatesStrictModes: boolean;
  /** the strategy `coexec`, which gfx1250 has (AMDGPUCoExecSchedStrategy.cpp); before, the word is not known and the default strategy runs (llvm/llvm-project#169616) */
  readonly hasCoExecStrategy: boolean;
  /** PreRARematStage */
  readonly rematerialization: RematPolicy;
}

/**
 * What the scheduler's stage of rematerialization does, in the order in which LLVM came to it (docs/llvm/remat.md): `sinks` moves what has one user into that
 * user's region when the occupancy rises with it; the others score candidates: with one user in another region (llvm/llvm-project#175050), with several users, with the
 * order and the marks of the Rematerializer (llvm/llvm-project#192443). passes/scheduler/remat has the rules of each.
 */
export type RematPolicy = 'sinks' | 'scores' | 'scoresSeveralUsers' | 'scoresInOrder';

/** Intrinsics (ir/intrinsics.ts), as far as they are others than the default release's. */
export interface IntrinsicFacts {
  /** Lines `name;signature;attributes`, a name alone where there is no such intrinsic any more; empty: all are the same. */
  changes(): string;
}

/**
 * A release of LLVM, handed down from the command line, the setting or the file to whoever asks about the target: a subtarget has its release, a
 * function its subtarget.
 */
export interface Release {
  readonly name: ReleaseName;
  /** as LLVM says it, e.g. `22.1.8` */
  readonly version: string;
  /** of AMDGCN */
  readonly tables: TargetTables;
  readonly uniformity: UniformityFacts;
  /** of its llc */
  readonly options: OptionTable;
  readonly passes: PassNames;
  readonly intrinsics: IntrinsicFacts;
  readonly rules: ReleaseRules;
  /** whether its assembler has no such instruction on that processor, though the tables of encodings have it */
  lacks(cpu: string, lanes: number, opc: Opcode): boolean;
}

/**
 * One processor with features. Made by `createSubtarget(triple, cpu, featureString)`, cached by that key.
 * Never throws: an unknown CPU or feature yields a subtarget with `problems` (LLVM's messages).
 */
export interface Subtarget {
  readonly release: Release;
  readonly tables: TargetTables;
  readonly triple: string;
  readonly cpu: string;
  /** messages as llc prints them (`'foo' is not a recognized processor for this target (ignoring processor)`) */
  readonly problems: readonly string[];
  /** features that are on, by name */
  featureNames(): string[];
  /** OS of the triple */
  readonly isAmdHsaOS: boolean;
  readonly isMesa3DOS: boolean;
  readonly isAmdPalOS: boolean;
  /** by feature name of `-mattr`, after implications */
  hasFeature(name: string): boolean;
  /** named predicates of GCNSubtarget live in subtarget.ts; the most used here */
  readonly generation: Generation;
  /** GCNSubtarget::getWavefrontSize, which register classes and operands go by */
  readonly wavefrontSize: 32 | 64;
  /** IsaInfo::getWavefrontSize, which budgets go by: another one when the features name both sizes */
  readonly isaWavefrontSize: 32 | 64;
  readonly hasGFX90AInsts: boolean;
  readonly hasMAIInsts: boolean;
  readonly needsAlignedVGPRs: boolean;
  readonly xnackEnabled: boolean;
  /** a load of 16 bits leaves the other half of its register (GCNSubtarget::d16PreservesUnusedBits) */
  readonly keepsOtherHalf: boolean;
  // limits and occupancy (docs/llvm/occupancy.md, 1 to 2); LDS in bytes
  readonly maxWavesPerEU: number;
  readonly eusPerCU: number;
  readonly ldsSizeBytes: number;
  readonly addressableLdsBytes: number;
  readonly totalNumSGPRs: number;
  readonly addressableNumSGPRs: number;
  readonly sgprAllocGranule: number;
  readonly totalNumVGPRs: number;
  readonly addressableNumArchVGPRs: number;
  addressableNumVGPRs(dynamicVGPRBlockSize: number): number;
  vgprAllocGranule(dynamicVGPRBlockSize: number): number;
  occupancyWithNumSGPRs(nSGPRs: number): number;
  occupancyWithNumVGPRs(nVGPRs: number, dynamicVGPRBlockSize: number): number;
  maxNumSGPRs(wavesPerEU: number, addressable: boolean): number;
  minNumSGPRs(wavesPerEU: number): number;
  maxNumVGPRs(wavesPerEU: number, dynamicVGPRBlockSize: number): number;
  minNumVGPRs(wavesPerEU: number, dynamicVGPRBlockSize: number): number;
  maxWorkGroupsPerCU(flatWorkGroupSize: number): number;
  /** [min, max] waves per EU (docs/llvm/occupancy.md, 3.3) */
  occupancyWithWorkGroupSizes(ldsBytes: number, minSize: number, maxSize: number): readonly [number, number];
  /** class of a descriptor operand with class-by-mode resolved; -1 = not a register operand */
  opInfoRegClass(opc: Opcode, opIdx: number): RegClassId;
  readonly schedModel: SchedModel;
  /** raw allocation order of a class on this subtarget */
  rawAllocationOrder(rc: RegClassId): Uint16Array;
  /** registers a call with this mask preserves etc. are in tables; callee saved registers by calling convention number */
  calleeSavedRegs(callingConv: number): readonly PhysReg[];
  /** mask of the registers that a call of that convention preserves, -1 if there is none (getCallPreservedMask) */
  callPreservedMask(callingConv: number): number;
  /** opcode that this processor encodes, -1 if it has none (AMDGPU::getMCOpcode with the subtarget's generation) */
  mcOpcode(opc: Opcode): Opcode;
}

export const enum Generation {
  SOUTHERN_ISLANDS = 4,
  SEA_ISLANDS = 5,
  VOLCANIC_ISLANDS = 6,
  GFX9 = 7,
  GFX10 = 8,
  GFX11 = 9,
  GFX12 = 10,
  GFX13 = 11,
}
