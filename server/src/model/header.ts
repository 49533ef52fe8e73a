/** Header keys of a machine function document (docs/llvm/mir-format.md, 2). Plain data, defaults filled in. */
import type { IRFunctionFacts } from '../ir/module.js';
import type { Reg } from './register.js';

export interface StackObject {
  /** id as written */
  readonly sourceId: number;
  readonly name: string;
  readonly type: 'default' | 'spill-slot' | 'variable-sized';
  readonly offset: bigint;
  readonly size: bigint;
  /** bytes; 0 = not given */
  readonly alignment: number;
  readonly stackId: string;
  /** null = none, which is not the same as `$noreg` */
  readonly calleeSavedRegister: Reg | null;
  readonly calleeSavedRestored: boolean;
  readonly localOffset: bigint | null;
  readonly debugVariable: string;
  readonly debugExpression: string;
  readonly debugLocation: string;
  /** a pass has removed it: its index stays taken */
  readonly isDead?: boolean;
}

/** One that a pass adds, with the index it gets. */
export const newStackObject = (
  index: number,
  made: Pick<StackObject, 'type' | 'size' | 'alignment' | 'stackId'>,
): StackObject => ({
  ...made,
  sourceId: index,
  name: '',
  offset: 0n,
  calleeSavedRegister: null,
  calleeSavedRestored: true,
  localOffset: null,
  debugVariable: '',
  debugExpression: '',
  debugLocation: '',
});

export interface FixedStackObject extends Omit<StackObject, 'name' | 'localOffset' | 'type'> {
  readonly type: 'default' | 'spill-slot';
  readonly isImmutable: boolean;
  readonly isAliased: boolean;
}

/** `frame-pointer` of a function; in a release that has it, `framePointerPolicy` of its frame. */
export type FramePointerPolicy = 'none' | 'reserved' | 'non-leaf-no-reserve' | 'non-leaf' | 'all';

export interface FrameInfo {
  isFrameAddressTaken: boolean;
  isReturnAddressTaken: boolean;
  hasStackMap: boolean;
  hasPatchPoint: boolean;
  stackSize: bigint;
  offsetAdjustment: number;
  maxAlignment: number;
  adjustsStack: boolean;
  hasCalls: boolean;
  /** null in releases without it */
  framePointerPolicy: FramePointerPolicy | null;
  stackProtector: string;
  functionContext: string;
  maxCallFrameSize: number;
  cvBytesOfCalleeSavedRegisters: number;
  hasOpaqueSPAdjustment: boolean;
  hasVAStart: boolean;
  hasMustTailInVarArgFunc: boolean;
  hasTailCall: boolean;
  isCalleeSavedInfoValid: boolean;
  localFrameSize: number;
  /** Local objects lie in one block, as `localstackalloc` has placed them; MIR does not say it. */
  usesLocalBlock?: boolean;
  savePoint: readonly SaveRestorePoint[];
  restorePoint: readonly SaveRestorePoint[];
}

export interface SaveRestorePoint {
  readonly block: number;
  readonly registers: readonly Reg[];
}

/** `reg` or stack `offset`, optionally masked. */
export interface ArgDescriptor {
  readonly reg: Reg;
  /** -1 when it is a register */
  readonly stackOffset: number;
  /** 0xffffffff = no mask */
  readonly mask: number;
}

export const NO_MIN_AGPRS = 0xffffffff;

/** SIMachineFunctionInfo as MIR sees it (docs/llvm/mir-format.md, 2.4). */
export interface AmdgpuFunctionInfo {
  explicitKernArgSize: bigint;
  maxKernArgAlign: number;
  ldsSize: number;
  gdsSize: number;
  dynLDSAlign: number;
  isEntryFunction: boolean;
  isChainFunction: boolean;
  noSignedZerosFPMath: boolean;
  memoryBound: boolean;
  waveLimiter: boolean;
  hasSpilledSGPRs: boolean;
  hasSpilledVGPRs: boolean;
  numWaveDispatchSGPRs: number;
  numWaveDispatchVGPRs: number;
  scratchRSrcReg: Reg;
  frameOffsetReg: Reg;
  stackPtrOffsetReg: Reg;
  bytesInStackArgArea: number;
  returnsVoid: boolean;
  /** by key of `argumentInfo`; null when none is printed */
  argumentInfo: Map<string, ArgDescriptor> | null;
  /** keys of `argumentInfo` that the text has: the others, which a calling convention brings, take no SGPRs of the budget */
  givenArguments: readonly string[];
  psInputAddr: number;
  psInputEnable: number;
  maxMemoryClusterDWords: number;
  mode: {
    ieee: boolean;
    dx10Clamp: boolean;
    fp32InputDenormals: boolean;
    fp32OutputDenormals: boolean;
    fp64fp16InputDenormals: boolean;
    fp64fp16OutputDenormals: boolean;
  };
  highBitsOf32BitAddress: number;
  /** as stored: the value of the key, or the maximum of the occupancy range when it was 0 */
  occupancy: number;
  /** the key was there and not 0 */
  hasOwnOccupancy: boolean;
  spillPhysVGPRs: readonly Reg[];
  wwmReservedRegs: readonly Reg[];
  /** `%stack.N` / `%fixed-stack.N` as frame index text, or '' */
  scavengeFI: string;
  vgprForAGPRCopy: Reg;
  sgprForEXECCopy: Reg;
  longBranchReservedReg: Reg;
  hasInitWholeWave: boolean;
  /** from the IR attribute, never from the key */
  dynamicVGPRBlockSize: number;
  scratchReservedForDynamicVGPRs: number;
  numKernargPreloadSGPRs: number;
  isWholeWaveFunction: boolean;
  /** NO_MIN_AGPRS where nothing says it */
  minNumAGPRs: number;
}

export interface MachineFunctionHeader {
  name: string;
  /** its registers are printed as `sgpr4_64` (namesBySize.ts) */
  namesBySize: boolean;
  /** lanes of a wave on the machine of the run, which the function's own features may make others */
  machineWaveSize: 32 | 64;
  /** as written; 0 = none */
  alignment: number;
  exposesReturnsTwice: boolean;
  legalized: boolean;
  regBankSelected: boolean;
  selected: boolean;
  failedISel: boolean;
  tracksRegLiveness: boolean;
  hasWinCFI: boolean;
  /** computed when absent */
  noPhis: boolean;
  isSSA: boolean;
  /** `isSSA: true` stands in the text */
  isStatedSSA: boolean;
  noVRegs: boolean;
  /** LLVM's property TiedOpsRewritten once passes run, which keep it; absent before: it goes by the operands (tiedOperands.ts) */
  areTiesRewritten?: boolean;
  hasFakeUses: boolean;
  callsEHReturn: boolean;
  callsUnwindInit: boolean;
  hasEHContTarget: boolean;
  hasEHScopes: boolean;
  hasEHFunclets: boolean;
  isOutlined: boolean;
  debugInstrRef: boolean;
  failsVerification: boolean;
  tracksDebugUserValues: boolean;
  liveIns: { readonly reg: Reg; /** vreg index or -1 */ readonly vreg: number }[];
  /** null = key absent */
  calleeSavedRegisters: readonly Reg[] | null;
  frameInfo: FrameInfo;
  fixedStack: FixedStackObject[];
  stack: StackObject[];
  entryValues: readonly {
    readonly register: Reg;
    readonly variable: string;
    readonly expression: string;
    readonly location: string;
  }[];
  callSites: readonly CallSite[];
  debugValueSubstitutions: readonly {
    readonly srcInst: number;
    readonly srcOp: number;
    readonly dstInst: number;
    readonly dstOp: number;
    readonly subReg: number;
  }[];
  constants: readonly {
    readonly sourceId: number;
    readonly value: string;
    readonly alignment: number;
    readonly isTargetSpecific: boolean;
  }[];
  machineFunctionInfo: AmdgpuFunctionInfo;
  jumpTable: {
    readonly kind: string;
    readonly entries: readonly { readonly sourceId: number; readonly blocks: readonly number[] }[];
  } | null;
  machineMetadataNodes: readonly string[];
  calledGlobals: readonly {
    readonly bb: number;
    readonly offset: number;
    readonly callee: string;
    readonly flags: number;
  }[];
  irFunction: IRFunctionFacts;
}

export interface CallSite {
  readonly bb: number;
  readonly offset: number;
  readonly fwdArgRegs: readonly { readonly arg: number; readonly reg: Reg }[];
  readonly calleeTypeIds: readonly bigint[];
}
