/**
 * What a function may use: work-group sizes, waves per EU, register budgets, occupancy range. Everything that follows
 * from IR attributes, machineFunctionInfo and the subtarget alone, before any register is counted.
 * Follows GCNSubtarget::getFlatWorkGroupSizes, getWavesPerEU, getMaxNumVGPRs, getMaxNumVectorRegs, getMaxNumSGPRs and
 * getReservedNumSGPRs (LLVM 22; docs/llvm/occupancy.md, 3 to 6, and docs/llvm/allocation.md, 4.3 and 4.4).
 */
import { Generation, type Subtarget } from '../target/api.js';
import type { MachineFunctionHeader } from './header.js';
import type { IRFunctionFacts } from '../ir/module.js';
import type { MachineFunction } from './machineFunction.js';

/** llvm::CallingConv numbers that matter here (llvm/IR/CallingConv.h). */
export const enum CallingConv {
  SPIR_KERNEL = 76,
  AMDGPU_VS = 87,
  AMDGPU_GS = 88,
  AMDGPU_PS = 89,
  AMDGPU_CS = 90,
  AMDGPU_KERNEL = 91,
  AMDGPU_HS = 93,
  AMDGPU_LS = 95,
  AMDGPU_ES = 96,
  AMDGPU_Gfx = 100,
  AMDGPU_CS_Chain = 104,
  AMDGPU_CS_ChainPreserve = 105,
  AMDGPU_Gfx_WholeWave = 124,
}

/** The largest work-group in work-items, on every processor. */
const MAX_FLAT_WORK_GROUP_SIZE = 1024;

const UNSIGNED_MAX = 0xffffffff;

/** A number of at most `max` in C notation (0x, 0b, 0o, leading 0), or null: StringRef::getAsInteger with radix 0. */
export function parseUnsigned(text: string, max = BigInt(UNSIGNED_MAX)): bigint | null {
  let s = text;
  let radix = 10;
  if (/^0x/i.test(s)) [radix, s] = [16, s.slice(2)];
  else if (/^0b/i.test(s)) [radix, s] = [2, s.slice(2)];
  else if (/^0o/.test(s)) [radix, s] = [8, s.slice(2)];
  else if (/^0[0-9]/.test(s)) [radix, s] = [8, s.slice(1)];
  const digits = radix === 16 ? /^[0-9a-f]+$/i : radix === 2 ? /^[01]+$/ : radix === 8 ? /^[0-7]+$/ : /^[0-9]+$/;
  if (!digits.test(s)) return null;
  const n = radix === 10 ? BigInt(s) : BigInt(`${radix === 16 ? '0x' : radix === 2 ? '0b' : '0o'}${s}`);
  return n <= max ? n : null;
}

/** `min,max`; with `onlyFirst` the second may be missing. Null when LLVM would fall back to the default. */
export function parsePair(text: string | undefined, onlyFirst: boolean): readonly [number, number | null] | null {
  if (text === undefined) return null;
  const comma = text.indexOf(',');
  const first = parseUnsigned((comma < 0 ? text : text.slice(0, comma)).trim());
  if (first === null) return null;
  const rest = comma < 0 ? '' : text.slice(comma + 1).trim();
  const second = parseUnsigned(rest);
  if (second !== null) return [Number(first), Number(second)];
  return onlyFirst && rest === '' ? [Number(first), null] : null;
}

/** A number attribute, cut to 32 bits; absent or unreadable gives the default. */
export function integerAttribute(facts: IRFunctionFacts, name: string, byDefault: number): number {
  const text = facts.attributes.get(name);
  if (text === undefined) return byDefault;
  const n = parseUnsigned(text, 0xffffffffffffffffn);
  return n === null ? byDefault : Number(BigInt.asUintN(32, n));
}

/** [smallest, largest] flat work-group size, in work-items. */
export function flatWorkGroupSizes(st: Subtarget, facts: IRFunctionFacts): readonly [number, number] {
  let byDefault: readonly [number, number] = [1, MAX_FLAT_WORK_GROUP_SIZE];
  switch (facts.callingConv) {
    case CallingConv.AMDGPU_VS:
    case CallingConv.AMDGPU_LS:
    case CallingConv.AMDGPU_HS:
    case CallingConv.AMDGPU_ES:
    case CallingConv.AMDGPU_GS:
    case CallingConv.AMDGPU_PS:
      byDefault = [1, st.wavefrontSize];
  }
  const requested = parsePair(facts.attributes.get('amdgpu-flat-work-group-size'), false);
  if (requested === null) return byDefault;
  const [min, max] = requested as readonly [number, number];
  return min > max || min < 1 || max > MAX_FLAT_WORK_GROUP_SIZE ? byDefault : [min, max];
}

/** Whether one lane at most runs in a wave (GCNSubtarget::isSingleLaneExecution): nothing can be divergent then. */
export function isSingleLaneExecution(st: Subtarget, facts: IRFunctionFacts): boolean {
  if (facts.reqdWorkGroupSize !== null) return facts.reqdWorkGroupSize.every((n) => n === 1);
  return flatWorkGroupSizes(st, facts)[1] === 1;
}

/** [min, max] waves per EU that the register budgets are made for. */
function wavesPerEU(st: Subtarget, facts: IRFunctionFacts): readonly [number, number] {
  const [minSize, maxSize] = flatWorkGroupSizes(st, facts);
  const lds = parsePair(facts.attributes.get('amdgpu-lds-size'), true)?.[0] ?? 0;
  const most = st.occupancyWithWorkGroupSizes(lds, minSize, maxSize)[1];
  const least = Math.min(Math.ceil(Math.ceil(maxSize / st.isaWavefrontSize) / st.eusPerCU), most);
  const requested = parsePair(facts.attributes.get('amdgpu-waves-per-eu'), true);
  const min = requested?.[0] ?? 1;
  const max = requested?.[1] ?? st.maxWavesPerEU;
  if (min < least || min > most || min > max || max > st.maxWavesPerEU) return [least, most];
  return [min, Math.min(max, most)];
}

/** 16, 32, or 0 for none; from the IR attribute, whatever the processor. */
export function dynamicVGPRBlockSize(facts: IRFunctionFacts): number {
  const n = integerAttribute(facts, 'amdgpu-dynamic-vgpr-block-size', 0);
  return n === 16 || n === 32 ? n : 0;
}

export function isShader(cc: number): boolean {
  switch (cc) {
    case CallingConv.AMDGPU_VS:
    case CallingConv.AMDGPU_LS:
    case CallingConv.AMDGPU_HS:
    case CallingConv.AMDGPU_ES:
    case CallingConv.AMDGPU_GS:
    case CallingConv.AMDGPU_PS:
    case CallingConv.AMDGPU_CS:
    case CallingConv.AMDGPU_CS_Chain:
    case CallingConv.AMDGPU_CS_ChainPreserve:
      return true;
    default:
      return false;
  }
}

export const isGfx = (cc: number): boolean => cc === CallingConv.AMDGPU_Gfx || cc === CallingConv.AMDGPU_Gfx_WholeWave;

export const isKernelCC = (cc: number): boolean => cc === CallingConv.AMDGPU_KERNEL || cc === CallingConv.SPIR_KERNEL;

/** What the stack pointer is a multiple of (SIFrameLowering). */
export const STACK_ALIGN_BYTES = 16;

/** What the objects of a function may rely on; the function may say so itself (getFnStackAlignment, LLVM 22). */
export const stackAlignment = (own: number): number => (own > 0 ? own : STACK_ALIGN_BYTES);

/** Whether objects need more than that, or the function asks for a realigned stack (MachineFrameInfo::shouldRealignStack, MachineFunction::init). */
export function shouldRealignStack({ irFunction, frameInfo }: MachineFunctionHeader): boolean {
  const { attributes, enumAttributes } = irFunction;
  const isAsked = enumAttributes.has('alignstack') || attributes.has('stackrealign');
  if (isAsked && !attributes.has('no-realign-stack')) return true;
  return frameInfo.maxAlignment > stackAlignment(irFunction.stackAlignment);
}

/** AMDGPU::isEntryFunctionCC */
export function isEntryFunctionCC(cc: number): boolean {
  if (isKernelCC(cc)) return true;
  return isShader(cc) && cc !== CallingConv.AMDGPU_CS_Chain && cc !== CallingConv.AMDGPU_CS_ChainPreserve;
}

/** Whether the function gets a flat scratch initialization in user SGPRs (GCNUserSGPRUsageInfo). */
function hasFlatScratchInit(st: Subtarget, facts: IRFunctionFacts): boolean {
  if (!st.hasFeature('flat-address-space') || st.hasFeature('architected-flat-scratch')) return false;
  if (!isEntryFunctionCC(facts.callingConv)) return false;
  const byOS = isKernelCC(facts.callingConv) && (st.isAmdHsaOS || st.isMesa3DOS);
  if (!byOS && !(st.hasFeature('enable-flat-scratch') && st.hasFeature('flat-scratch-insts'))) return false;
  return !facts.attributes.has('amdgpu-no-flat-scratch-init');
}

/** SGPRs at the top of the budget that VCC, FLAT_SCR and XNACK_MASK take (getBaseReservedNumSGPRs). */
function reservedNumSGPRs(st: Subtarget, flatScratch: boolean): number {
  if (st.generation >= Generation.GFX10) return 2;
  if (flatScratch || st.hasFeature('architected-flat-scratch')) {
    if (st.generation >= Generation.VOLCANIC_ISLANDS) return 6;
    if (st.generation === Generation.SEA_ISLANDS) return 4;
  }
  return st.xnackEnabled ? 4 : 2;
}

/** SGPRs with SGPR-init bug: every wave gets this many, whatever is asked for. */
const FIXED_NUM_SGPRS_FOR_INIT_BUG = 96;

/** Most user SGPRs that hardware may preload, the assumption when only the IR function is known. */
const MAX_PRELOADED_SGPRS = 22;

function maxNumSGPRs(
  st: Subtarget,
  facts: IRFunctionFacts,
  waves: readonly [number, number],
  preloaded: number,
  reserved: number,
): number {
  let max = st.maxNumSGPRs(waves[0], false);
  const maxAddressable = st.maxNumSGPRs(waves[0], true);
  if (facts.attributes.has('amdgpu-num-sgpr')) {
    let requested = integerAttribute(facts, 'amdgpu-num-sgpr', max);
    // A request that cannot hold what is reserved, or is out of the range of the waves, does not count.
    if (requested <= reserved) requested = 0;
    else if (requested < preloaded) requested = preloaded;
    const least = waves[1] === 0 ? 1 : Math.max(1, st.minNumSGPRs(waves[1]));
    if (requested >= least && requested <= max) max = requested;
  }
  if (st.hasFeature('sgpr-init-bug')) max = FIXED_NUM_SGPRS_FOR_INIT_BUG;
  return Math.min(max - reserved, maxAddressable);
}

/** SGPRs that each entry of `argumentInfo` takes (GCNTargetMachine::parseMachineFunctionInfo). */
const ARGUMENT_SGPRS: ReadonlyMap<string, number> = new Map([
  ['privateSegmentBuffer', 4],
  ['dispatchPtr', 2],
  ['queuePtr', 2],
  ['kernargSegmentPtr', 2],
  ['dispatchID', 2],
  ['flatScratchInit', 2],
  ['LDSKernelId', 1],
  ['workGroupIDX', 1],
  ['workGroupIDY', 1],
  ['workGroupIDZ', 1],
  ['workGroupInfo', 1],
  ['privateSegmentWaveByteOffset', 1],
  ['implicitBufferPtr', 2],
]);

/** Preloaded kernel arguments (`numKernargPreloadSGPRs`) do not count here. */
export function numPreloadedSGPRs(header: MachineFunctionHeader): number {
  let n = 0;
  for (const key of header.machineFunctionInfo.givenArguments) n += ARGUMENT_SGPRS.get(key) ?? 0;
  return n;
}

/** Limits of one function. Registers are 32-bit registers, sizes are bytes and work-items. */
export interface FunctionLimits {
  readonly subtarget: Subtarget;
  readonly flatWorkGroupSizes: readonly [number, number];
  readonly wavesPerEU: readonly [number, number];
  readonly dynamicVGPRBlockSize: number;
  /** LDS of the function (`ldsSize` of machineFunctionInfo) */
  readonly ldsBytes: number;
  /** [min, max] waves per EU for the LDS and the work-group sizes */
  readonly occupancyRange: readonly [number, number];
  /** occupancy stored in machineFunctionInfo: no register count lifts the function above it */
  readonly occupancyCeiling: number;
  /** occupancy the scheduler may go down to for free (memory bound or wave limited functions) */
  readonly minAllowedOccupancy: number;
  /** GCNSubtarget::getMaxNumSGPRs(MF): with this function's real inputs */
  readonly maxNumSGPRs: number;
  /** GCNSubtarget::getMaxNumSGPRs(F): with the most inputs a function of this kind may have */
  readonly maxNumSGPRsOfF: number;
  readonly maxNumVGPRs: number;
  /** [VGPRs, AGPRs] that may be allocated (getMaxNumVectorRegs) */
  readonly maxNumVectorRegs: readonly [number, number];
}

/** Vector registers below the budget `max`, split over both files. */
function splitVectorRegs(st: Subtarget, facts: IRFunctionFacts, max: number): readonly [number, number] {
  if (!st.hasMAIInsts) return [max, 0];
  if (!st.hasGFX90AInsts) return [max, max];
  const file = st.addressableNumArchVGPRs;
  let minAcc = max >> 1;
  let maxAcc = minAcc;
  const requested = parsePair(facts.attributes.get('amdgpu-agpr-alloc'), true);
  if (requested !== null) {
    // The AGPRs of a unified file start at a multiple of 4.
    minAcc = Math.min((requested[0] + 3) & ~3, file);
    maxAcc = Math.max(requested[1] ?? max, minAcc);
  }
  maxAcc = Math.min(maxAcc, max);
  minAcc = Math.min(minAcc, file, maxAcc);
  const vgprs = Math.min(max - minAcc, file);
  return [vgprs, Math.min(max - vgprs, maxAcc)];
}

/** GCNSubtarget::getMaxNumVGPRs(F): `amdgpu-num-vgpr` within what the waves allow. */
export function maxNumVGPRs(st: Subtarget, facts: IRFunctionFacts): number {
  const dyn = dynamicVGPRBlockSize(facts);
  const isUnlimited = dyn !== 0 && st.release.rules.blocksAreUnlimited;
  const waves = isUnlimited ? [1, st.maxWavesPerEU] : wavesPerEU(st, facts);
  const mostVGPRs = st.maxNumVGPRs(waves[0], dyn);
  let requested = integerAttribute(facts, 'amdgpu-num-vgpr', mostVGPRs);
  if (requested !== mostVGPRs && st.hasGFX90AInsts) requested *= 2;
  return Math.min(Math.max(requested, st.minNumVGPRs(waves[1], dyn)), mostVGPRs);
}

/** Computes all limits. Cheap: no instruction is looked at. */
export function computeFunctionLimits(fn: MachineFunction): FunctionLimits {
  const st = fn.subtarget;
  const { header } = fn;
  const facts = header.irFunction;
  const mfi = header.machineFunctionInfo;
  const sizes = flatWorkGroupSizes(st, facts);
  const waves = wavesPerEU(st, facts);
  const dyn = mfi.dynamicVGPRBlockSize;
  const range = st.occupancyWithWorkGroupSizes(mfi.ldsSize, sizes[0], sizes[1]);
  const ceiling = mfi.occupancy !== 0 ? mfi.occupancy : range[1];

  const maxVGPRs = maxNumVGPRs(st, facts);

  return {
    subtarget: st,
    flatWorkGroupSizes: sizes,
    wavesPerEU: waves,
    dynamicVGPRBlockSize: dyn,
    ldsBytes: mfi.ldsSize,
    occupancyRange: range,
    occupancyCeiling: ceiling,
    minAllowedOccupancy: mfi.memoryBound || mfi.waveLimiter ? Math.min(ceiling, 4) : ceiling,
    maxNumSGPRs: maxNumSGPRs(
      st,
      facts,
      waves,
      numPreloadedSGPRs(header),
      reservedNumSGPRs(st, hasFlatScratchInit(st, facts)),
    ),
    maxNumSGPRsOfF: maxNumSGPRs(
      st,
      facts,
      waves,
      MAX_PRELOADED_SGPRS,
      reservedNumSGPRs(st, st.hasFeature('flat-address-space')),
    ),
    maxNumVGPRs: maxVGPRs,
    maxNumVectorRegs: splitVectorRegs(st, facts, maxVGPRs),
  };
}
