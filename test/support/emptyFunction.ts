/** Machine functions made by hand, for tests of layers that need no MIR text: header defaults and a subtarget. */
import { MachineFunction, type MachineBasicBlock } from '../../server/src/model/machineFunction.js';
import type { MachineFunctionHeader } from '../../server/src/model/header.js';
import { dynamicVGPRBlockSize } from '../../server/src/model/functionLimits.js';
import { createSubtarget, type Subtarget } from '../../server/src/target/index.js';

export interface EmptyFunctionOptions {
  readonly triple?: string;
  readonly cpu?: string;
  readonly features?: string;
  readonly callingConv?: number;
  readonly attributes?: Readonly<Record<string, string>>;
  /** `machineFunctionInfo` keys that differ from the defaults */
  readonly functionInfo?: Readonly<Record<string, unknown>>;
}

/** The header that a function without any key has, as far as the analyses look at it. */
function header(st: Subtarget, options: EmptyFunctionOptions): MachineFunctionHeader {
  const reg = (name: string): number => st.tables.regByName(name);
  const irFunction = {
    callingConv: options.callingConv ?? 0,
    attributes: new Map(Object.entries(options.attributes ?? {})),
    enumAttributes: new Set<string>(),
    stackAlignment: 0,
    hasReqdWorkGroupSize: false,
    reqdWorkGroupSize: null,
    isDummy: false,
    denormalEnvironment: '',
  };
  const functionInfo = {
    dynamicVGPRBlockSize: dynamicVGPRBlockSize(irFunction),
    ldsSize: 0,
    memoryBound: false,
    waveLimiter: false,
    occupancy: 0,
    argumentInfo: null,
    givenArguments: [],
    numKernargPreloadSGPRs: 0,
    isEntryFunction: false,
    isChainFunction: false,
    scratchRSrcReg: reg('private_rsrc_reg'),
    frameOffsetReg: reg('fp_reg'),
    stackPtrOffsetReg: reg('sp_reg'),
    longBranchReservedReg: 0,
    sgprForEXECCopy: 0,
    vgprForAGPRCopy: 0,
    wwmReservedRegs: [],
    spillPhysVGPRs: [],
    ...options.functionInfo,
  };
  return {
    name: 'f',
    tracksRegLiveness: true,
    calleeSavedRegisters: null,
    frameInfo: { maxAlignment: 1 },
    fixedStack: [],
    stack: [],
    liveIns: [],
    machineFunctionInfo: functionInfo,
    irFunction,
  } as unknown as MachineFunctionHeader;
}

/** A function without blocks. */
export function emptyFunction(options: EmptyFunctionOptions = {}): MachineFunction {
  const st = createSubtarget(options.triple ?? 'amdgcn-amd-amdhsa', options.cpu ?? 'gfx900', options.features ?? '');
  return new MachineFunction(header(st, options), st);
}

/** Blocks with the given successors and even probabilities (or the given numerators over 2^31), predecessors filled in. */
export function makeBlocks(
  successors: readonly (readonly number[])[],
  probabilities?: readonly (readonly number[])[],
): MachineBasicBlock[] {
  const blocks = successors.map(
    (succs, b) =>
      ({
        sourceNumber: b,
        irName: null,
        irBlockRef: null,
        successors: [...succs],
        probabilities: probabilities ? [...probabilities[b]] : succs.map(() => Math.floor(0x80000000 / succs.length)),
        explicitSuccessors: true,
        predecessors: [] as number[],
        liveIns: [],
        isLandingPad: false,
      }) as unknown as MachineBasicBlock,
  );
  successors.forEach((succs, b) => succs.forEach((s) => blocks[s].predecessors.push(b)));
  return blocks;
}
