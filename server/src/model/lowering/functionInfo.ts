/**
 * `machineFunctionInfo`: what the SIMachineFunctionInfo constructor derives from the calling convention, the YAML keys over
 * it, and the checks that follow the body (yaml::SIMachineFunctionInfo and GCNTargetMachine::parseMachineFunctionInfo,
 * LLVM 22; defaults per calling convention probed with llc-22).
 */
import { DiagnosticOrigin } from '../../text/diagnostic.js';
import { NO_NODE, type Node } from '../../syntax/tree.js';
import { Generation, type ReleaseRules, type Subtarget } from '../../target/index.js';
import {
  CallingConv,
  dynamicVGPRBlockSize,
  flatWorkGroupSizes,
  integerAttribute,
  isEntryFunctionCC,
  isGfx,
  isKernelCC,
  isShader,
  maxNumVGPRs,
  parsePair,
  parseUnsigned,
} from '../functionLimits.js';
import { denormalModesOf } from '../../ir/attributeValues.js';
import { abiAlign, allocSize } from '../../ir/dataLayout.js';
import type { IRType } from '../../ir/types.js';
import { NO_MIN_AGPRS, type AmdgpuFunctionInfo, type ArgDescriptor } from '../header.js';
import type { IRFunctionFacts } from '../../ir/module.js';
import { NO_REG, type Reg } from '../register.js';
import type { TargetContext } from './context.js';
import { Phase, type DiagnosticSink } from './diagnostics.js';
import { parseNamedRegister } from './miStrings.js';
import type { YamlMap, YamlReader, YamlString } from './yaml.js';

const FULL_MASK = 0xffffffff;
/** The text does not say: the attribute decides. */
const NO_BLOCK_SIZE = -1;

const isChain = (cc: number): boolean =>
  cc === CallingConv.AMDGPU_CS_Chain || cc === CallingConv.AMDGPU_CS_ChainPreserve;

const PRELOAD = 'firstKernArgPreloadReg';

/** Keys of `argumentInfo` in LLVM's order, with the class that a register must belong to. */
const ARGUMENTS: readonly (readonly [key: string, regClass: string])[] = [
  ['privateSegmentBuffer', 'sgpr_128'],
  ['dispatchPtr', 'sreg_64'],
  ['queuePtr', 'sreg_64'],
  ['kernargSegmentPtr', 'sreg_64'],
  ['dispatchID', 'sreg_64'],
  ['flatScratchInit', 'sreg_64'],
  ['privateSegmentSize', 'sgpr_32'],
  [PRELOAD, 'sgpr_32'],
  ['workGroupIDX', 'sgpr_32'],
  ['workGroupIDY', 'sgpr_32'],
  ['workGroupIDZ', 'sgpr_32'],
  ['workGroupInfo', 'sgpr_32'],
  ['LDSKernelId', 'sgpr_32'],
  ['privateSegmentWaveByteOffset', 'sgpr_32'],
  ['implicitArgPtr', 'sreg_64'],
  ['implicitBufferPtr', 'sreg_64'],
  ['workItemIDX', 'vgpr_32'],
  ['workItemIDY', 'vgpr_32'],
  ['workItemIDZ', 'vgpr_32'],
];

interface YamlArgument {
  readonly key: string;
  readonly regClass: string;
  readonly reg: YamlString | null;
  readonly offset: number;
  readonly mask: number | null;
}

/** The keys as read; registers are still text, because llc looks them up after the body. */
export interface YamlFunctionInfo {
  readonly info: AmdgpuFunctionInfo;
  readonly arguments: readonly YamlArgument[];
  readonly registers: ReadonlyMap<string, YamlString>;
  readonly registerLists: ReadonlyMap<string, readonly YamlString[]>;
  readonly scavengeFI: YamlString | null;
}

const NO_FRAME_INDEX = 'Invalid frame index, needs to start with %stack. or %fixed-stack.';

/** Reads the mapping (NO_NODE when absent: all defaults), of R600, which has no keys. Complaints are YAML errors. */
export function readFunctionInfo(
  reader: YamlReader,
  node: Node,
  isAMDGCN: boolean,
  rules: ReleaseRules,
): YamlFunctionInfo {
  const info = defaultInfo();
  const args: YamlArgument[] = [];
  const registers = new Map<string, YamlString>();
  const registerLists = new Map<string, readonly YamlString[]>();
  const res = (scavengeFI: YamlString | null): YamlFunctionInfo => ({
    info,
    arguments: args,
    registers,
    registerLists,
    scavengeFI,
  });
  if (node === NO_NODE) return res(null);
  const m = reader.mapping(node);
  if (!isAMDGCN) {
    // Nobody asks for a key: LLVM does not notice that a scalar is no mapping.
    if (m.isMapping) m.finish();
    return res(null);
  }
  const register = (key: string): void => {
    const s = m.string(key);
    if (s !== null) registers.set(key, s);
  };

  info.explicitKernArgSize = m.uint64('explicitKernArgSize', 0n);
  info.maxKernArgAlign = m.alignment('maxKernArgAlign', 1, false);
  info.ldsSize = m.uint32('ldsSize', 0);
  info.gdsSize = m.uint32('gdsSize', 0);
  info.dynLDSAlign = m.alignment('dynLDSAlign', 1, false);
  info.isEntryFunction = m.bool('isEntryFunction', false);
  m.bool('isChainFunction', false);
  if (rules.hasNoSignedZeros) info.noSignedZerosFPMath = m.bool('noSignedZerosFPMath', false);
  info.memoryBound = m.bool('memoryBound', false);
  info.waveLimiter = m.bool('waveLimiter', false);
  info.hasSpilledSGPRs = m.bool('hasSpilledSGPRs', false);
  info.hasSpilledVGPRs = m.bool('hasSpilledVGPRs', false);
  info.numWaveDispatchSGPRs = m.uint16('numWaveDispatchSGPRs', 0);
  info.numWaveDispatchVGPRs = m.uint16('numWaveDispatchVGPRs', 0);
  register('scratchRSrcReg');
  register('frameOffsetReg');
  register('stackPtrOffsetReg');
  info.bytesInStackArgArea = m.uint32('bytesInStackArgArea', 0);
  info.returnsVoid = m.bool('returnsVoid', true);
  const argumentInfo = m.optional('argumentInfo');
  if (argumentInfo !== NO_NODE) readArguments(reader, reader.mapping(argumentInfo), args);
  info.psInputAddr = m.uint32('psInputAddr', 0);
  info.psInputEnable = m.uint32('psInputEnable', 0);
  info.maxMemoryClusterDWords = m.uint32('maxMemoryClusterDWords', 8);
  const mode = m.optional('mode');
  if (mode !== NO_NODE) {
    const modeMap = reader.mapping(mode);
    info.mode = {
      ieee: modeMap.bool('ieee', true),
      dx10Clamp: modeMap.bool('dx10-clamp', true),
      fp32InputDenormals: modeMap.bool('fp32-input-denormals', true),
      fp32OutputDenormals: modeMap.bool('fp32-output-denormals', true),
      fp64fp16InputDenormals: modeMap.bool('fp64-fp16-input-denormals', true),
      fp64fp16OutputDenormals: modeMap.bool('fp64-fp16-output-denormals', true),
    };
    modeMap.finish();
  }
  info.highBitsOf32BitAddress = m.uint32('highBitsOf32BitAddress', 0);
  info.occupancy = m.uint32('occupancy', 0);
  registerLists.set('spillPhysVGPRs', m.strings('spillPhysVGPRs'));
  registerLists.set('wwmReservedRegs', m.strings('wwmReservedRegs'));
  const scavengeNode = m.optional('scavengeFI');
  let scavengeFI = scavengeNode === NO_NODE ? null : reader.scalar(scavengeNode, NO_FRAME_INDEX);
  if (scavengeFI !== null) {
    if (!/^%(?:fixed-)?stack\./.test(scavengeFI.text)) {
      reader.error(scavengeNode, NO_FRAME_INDEX);
      scavengeFI = null;
    } else if (!/^%(?:fixed-)?stack\.[0-9]/.test(scavengeFI.text)) {
      reader.error(scavengeNode, 'Invalid frame index, not a valid number');
      scavengeFI = null;
    }
  }
  register('vgprForAGPRCopy');
  register('sgprForEXECCopy');
  register('longBranchReservedReg');
  info.hasInitWholeWave = m.bool('hasInitWholeWave', false);
  info.dynamicVGPRBlockSize = m.uint32('dynamicVGPRBlockSize', NO_BLOCK_SIZE);
  m.uint32('scratchReservedForDynamicVGPRs', 0);
  info.numKernargPreloadSGPRs = m.uint32('numKernargPreloadSGPRs', 0);
  info.isWholeWaveFunction = m.bool('isWholeWaveFunction', false);
  if (rules.hasMinNumAGPRs) info.minNumAGPRs = m.uint32('minNumAGPRs', NO_MIN_AGPRS);
  m.finish();
  return res(scavengeFI);
}

function readArguments(reader: YamlReader, m: YamlMap, out: YamlArgument[]): void {
  for (const [key, regClass] of ARGUMENTS) {
    const node = m.optional(key);
    if (node === NO_NODE) continue;
    const a = reader.mapping(node);
    let reg: YamlString | null = null;
    let offset = -1;
    if (a.has('reg')) reg = a.requiredString('reg');
    else if (a.has('offset')) offset = a.requiredUint32('offset') ?? 0;
    else {
      const { isMapping } = a;
      if (isMapping) a.optional('reg');
      else a.required('reg');
      reader.error(node, "missing required key 'reg' or 'offset'", 'missing-key', !isMapping);
    }
    const maskNode = a.optional('mask');
    const mask = maskNode === NO_NODE ? null : Number(reader.integer(maskNode, 0n, 0xffffffffn) ?? FULL_MASK);
    a.finish();
    out.push({ key, regClass, reg, offset, mask });
  }
  m.finish();
}

function defaultInfo(): AmdgpuFunctionInfo {
  return {
    explicitKernArgSize: 0n,
    maxKernArgAlign: 1,
    ldsSize: 0,
    gdsSize: 0,
    dynLDSAlign: 1,
    isEntryFunction: false,
    isChainFunction: false,
    noSignedZerosFPMath: false,
    memoryBound: false,
    waveLimiter: false,
    hasSpilledSGPRs: false,
    hasSpilledVGPRs: false,
    numWaveDispatchSGPRs: 0,
    numWaveDispatchVGPRs: 0,
    scratchRSrcReg: NO_REG,
    frameOffsetReg: NO_REG,
    stackPtrOffsetReg: NO_REG,
    bytesInStackArgArea: 0,
    returnsVoid: true,
    argumentInfo: null,
    givenArguments: [],
    psInputAddr: 0,
    psInputEnable: 0,
    maxMemoryClusterDWords: 8,
    mode: {
      ieee: true,
      dx10Clamp: true,
      fp32InputDenormals: true,
      fp32OutputDenormals: true,
      fp64fp16InputDenormals: true,
      fp64fp16OutputDenormals: true,
    },
    highBitsOf32BitAddress: 0,
    occupancy: 0,
    hasOwnOccupancy: false,
    spillPhysVGPRs: [],
    wwmReservedRegs: [],
    scavengeFI: '',
    vgprForAGPRCopy: NO_REG,
    sgprForEXECCopy: NO_REG,
    longBranchReservedReg: NO_REG,
    hasInitWholeWave: false,
    dynamicVGPRBlockSize: NO_BLOCK_SIZE,
    scratchReservedForDynamicVGPRs: 0,
    numKernargPreloadSGPRs: 0,
    isWholeWaveFunction: false,
    minNumAGPRs: NO_MIN_AGPRS,
  };
}

/** Inputs that exist before the keys are read, by calling convention. */
function abiArguments(cc: number, subtarget: Subtarget): Map<string, ArgDescriptor> {
  const { tables } = subtarget;
  const args = new Map<string, ArgDescriptor>();
  const add = (key: string, reg: string, mask = FULL_MASK): void => {
    args.set(key, { reg: tables.regByName(reg), stackOffset: -1, mask });
  };
  const isFlatScratch = subtarget.hasFeature('enable-flat-scratch') || subtarget.hasFeature('architected-flat-scratch');
  const { chainsHaveFixedInputs } = subtarget.release.rules;
  if (isChain(cc) && !chainsHaveFixedInputs) add('privateSegmentBuffer', 'sgpr48_sgpr49_sgpr50_sgpr51');
  else if (isGfx(cc)) {
    if (!isFlatScratch) add('privateSegmentBuffer', 'sgpr0_sgpr1_sgpr2_sgpr3');
  } else if (cc === CallingConv.AMDGPU_GS || cc === CallingConv.AMDGPU_HS) {
    // Merged shaders get the wave's scratch offset in a fixed register.
    const isMerged = subtarget.generation >= Generation.GFX9;
    if (isMerged && !subtarget.hasFeature('architected-flat-scratch')) add('privateSegmentWaveByteOffset', 'sgpr5');
  } else if (isChain(cc) || (!isKernelCC(cc) && !isShader(cc))) {
    add(
      'privateSegmentBuffer',
      isChain(cc) && !isFlatScratch ? 'sgpr48_sgpr49_sgpr50_sgpr51' : 'sgpr0_sgpr1_sgpr2_sgpr3',
    );
    add('dispatchPtr', 'sgpr4_sgpr5');
    add('queuePtr', 'sgpr6_sgpr7');
    add('dispatchID', 'sgpr10_sgpr11');
    add('workGroupIDX', 'sgpr12');
    add('workGroupIDY', 'sgpr13');
    add('workGroupIDZ', 'sgpr14');
    add('LDSKernelId', 'sgpr15');
    add('implicitArgPtr', 'sgpr8_sgpr9');
    add('workItemIDX', 'vgpr31', 1023);
    add('workItemIDY', 'vgpr31', 1047552);
    add('workItemIDZ', 'vgpr31', 1072693248);
  }
  return args;
}

/** GCNSubtarget::hasDX10ClampAndIEEEMode */
function hasIEEEMode(subtarget: Subtarget): boolean {
  const { ieeeModeFeature } = subtarget.release.rules;
  return ieeeModeFeature === '' ? subtarget.generation < Generation.GFX12 : subtarget.hasFeature(ieeeModeFeature);
}

function largestOccupancy(subtarget: Subtarget, facts: IRFunctionFacts, ldsBytes: number): number {
  const [min, max] = flatWorkGroupSizes(subtarget, facts);
  return subtarget.occupancyWithWorkGroupSizes(ldsBytes, min, max)[1];
}

/** The modes of denormals that the attributes of a function ask for (AMDGPU::SIModeRegisterDefaults). */
function setDenormals(mode: AmdgpuFunctionInfo['mode'], facts: IRFunctionFacts, subtarget: Subtarget): void {
  if (subtarget.release.rules.hasDenormalEnvironment) {
    const { float, other } = denormalModesOf(facts.denormalEnvironment);
    mode.fp32InputDenormals = float.input !== 'preservesign';
    mode.fp32OutputDenormals = float.output !== 'preservesign';
    mode.fp64fp16InputDenormals = other.input !== 'preservesign';
    mode.fp64fp16OutputDenormals = other.output !== 'preservesign';
    return;
  }
  const all = facts.attributes.get('denormal-fp-math') ?? '';
  const float = facts.attributes.get('denormal-fp-math-f32') || all;
  if (float !== '') [mode.fp32InputDenormals, mode.fp32OutputDenormals] = keptDenormals(float);
  if (all !== '') [mode.fp64fp16InputDenormals, mode.fp64fp16OutputDenormals] = keptDenormals(all);
}

/** Whether a mode of `denormal-fp-math` keeps denormals: [inputs, outputs]. */
function keptDenormals(mode: string): readonly [boolean, boolean] {
  const [output, input] = mode.split(',', 2);
  return [(input ?? output) !== 'preserve-sign', output !== 'preserve-sign'];
}

/**
 * What no document has replaced: the function as the constructors of AMDGPUMachineFunction and SIMachineFunctionInfo leave it. `info` is
 * that of a document with nothing but a name.
 */
export function constructedFunctionInfo(
  info: AmdgpuFunctionInfo,
  subtarget: Subtarget,
  facts: IRFunctionFacts,
  argumentTypes: readonly IRType[],
): AmdgpuFunctionInfo {
  const { tables } = subtarget;
  if (!tables.isAMDGCN) return info;
  const { callingConv: cc, attributes } = facts;
  const register = (name: string): Reg => tables.regByName(name);
  const isTrue = (name: string): boolean => attributes.get(name) === 'true';
  const firstOf = (name: string): number => parsePair(attributes.get(name), true)?.[0] ?? 0;
  const res: AmdgpuFunctionInfo = { ...info };
  res.isEntryFunction = isEntryFunctionCC(cc);
  res.isWholeWaveFunction = cc === CallingConv.AMDGPU_Gfx_WholeWave;
  res.noSignedZerosFPMath = isTrue('no-signed-zeros-fp-math');
  res.memoryBound = isTrue('amdgpu-memory-bound');
  res.waveLimiter = isTrue('amdgpu-wave-limiter');
  res.ldsSize = firstOf('amdgpu-lds-size');
  res.gdsSize = firstOf('amdgpu-gds-size');
  res.maxMemoryClusterDWords = integerAttribute(facts, 'amdgpu-max-memory-cluster-dwords', 8);
  if (cc === CallingConv.AMDGPU_PS) res.psInputAddr = integerAttribute(facts, 'InitialPSInputAddr', 0);
  res.highBitsOf32BitAddress = Number(parseUnsigned(attributes.get('amdgpu-32bit-address-high-bits') ?? '') ?? 0);
  if (res.isEntryFunction) res.maxKernArgAlign = subtarget.isAmdHsaOS ? 8 : 4;
  if (isKernelCC(cc)) {
    let size = 0;
    for (const type of argumentTypes) {
      const align = abiAlign(type);
      size = Math.ceil(size / align) * align + allocSize(type);
      res.maxKernArgAlign = Math.max(res.maxKernArgAlign, align);
    }
    res.explicitKernArgSize = BigInt(size);
  }
  const hasIEEE = hasIEEEMode(subtarget);
  const mode = { ...info.mode, ieee: !isShader(cc) };
  if (hasIEEE && attributes.get('amdgpu-ieee')) mode.ieee = isTrue('amdgpu-ieee');
  if (hasIEEE && attributes.get('amdgpu-dx10-clamp')) mode.dx10Clamp = isTrue('amdgpu-dx10-clamp');
  setDenormals(mode, facts, subtarget);
  res.mode = mode;
  const isFlatScratch = subtarget.hasFeature('enable-flat-scratch') || subtarget.hasFeature('architected-flat-scratch');
  if (isChain(cc)) {
    res.stackPtrOffsetReg = register('sgpr32');
    res.scratchRSrcReg = register('sgpr48_sgpr49_sgpr50_sgpr51');
  } else if (!res.isEntryFunction) {
    res.stackPtrOffsetReg = register('sgpr32');
    res.frameOffsetReg = register('sgpr33');
    if (!isFlatScratch) res.scratchRSrcReg = register('sgpr0_sgpr1_sgpr2_sgpr3');
  }
  res.occupancy = largestOccupancy(subtarget, facts, res.ldsSize);
  return res;
}

/** Resolves registers and fills in what the subtarget and the IR decide. Complaints belong to Phase.FunctionInfo. */
export function finishFunctionInfo(
  yaml: YamlFunctionInfo,
  context: TargetContext,
  facts: IRFunctionFacts,
  nStackObjects: number,
  nFixedObjects: number,
  sink: DiagnosticSink,
): AmdgpuFunctionInfo {
  const { subtarget, tables } = context;
  const info: AmdgpuFunctionInfo = { ...yaml.info };
  if (!tables.isAMDGCN) return info;
  let order = 0;
  const complain = (s: YamlString, at: number, message: string, code: string): void => {
    const llcOffset = s.valueStart + at;
    sink.add(Phase.FunctionInfo, order++, s.start, s.end, DiagnosticOrigin.Text, code, message, llcOffset);
  };
  const regByName = (name: string): number => tables.regByName(name);
  const register = (s: YamlString): Reg | null => {
    const r = parseNamedRegister(s.text, regByName);
    if ('value' in r) return r.value;
    complain(s, r.error.at, r.error.message, 'bad-register');
    return null;
  };
  const wrongClass = (s: YamlString): void =>
    complain(s, s.text.length, 'incorrect register class for field', 'register-class');

  if (yaml.scavengeFI !== null) {
    const m = /^%(fixed-)?stack\.([0-9]+)/.exec(yaml.scavengeFI.text)!;
    const index = Number(m[2]);
    if (m[1] !== undefined ? index >= nFixedObjects : index >= nStackObjects) {
      complain(yaml.scavengeFI, 1, `invalid ${m[1] !== undefined ? 'fixed ' : ''}frame index ${index}`, 'frame-index');
    } else info.scavengeFI = m[0];
  }

  // Where the processor has no such modes, what the text says of them is not taken.
  if (!hasIEEEMode(subtarget)) info.mode = { ...info.mode, ieee: !isShader(facts.callingConv), dx10Clamp: true };
  info.hasOwnOccupancy = info.occupancy !== 0;
  if (!info.hasOwnOccupancy) info.occupancy = largestOccupancy(subtarget, facts, info.ldsSize);
  if (info.dynamicVGPRBlockSize === NO_BLOCK_SIZE || !subtarget.release.rules.hasOptionalBlockSize)
    info.dynamicVGPRBlockSize = dynamicVGPRBlockSize(facts);

  const optional = (key: string): Reg => {
    const s = yaml.registers.get(key);
    return s === undefined || s.text === '' ? NO_REG : (register(s) ?? NO_REG);
  };
  info.vgprForAGPRCopy = optional('vgprForAGPRCopy');
  // AGPRs of gfx908 are reached through a VGPR: the last one of the budget unless the text names another.
  if (info.vgprForAGPRCopy === NO_REG && subtarget.hasMAIInsts && !subtarget.hasGFX90AInsts) {
    info.vgprForAGPRCopy = regByName(`vgpr${maxNumVGPRs(subtarget, facts) - 1}`);
  }
  info.sgprForEXECCopy = optional('sgprForEXECCopy');
  info.longBranchReservedReg = optional('longBranchReservedReg');

  const special = (key: string, byDefault: string, regClass: string): Reg => {
    const fallback = regByName(byDefault);
    const s = yaml.registers.get(key);
    if (s === undefined) return fallback;
    const reg = register(s);
    if (reg === null) return fallback;
    if (reg === fallback || tables.classContains(tables.regClassByName(regClass), reg)) return reg;
    wrongClass(s);
    return fallback;
  };
  info.scratchRSrcReg = special('scratchRSrcReg', 'private_rsrc_reg', 'sgpr_128');
  info.frameOffsetReg = special('frameOffsetReg', 'fp_reg', 'sgpr_32');
  info.stackPtrOffsetReg = special('stackPtrOffsetReg', 'sp_reg', 'sgpr_32');

  const list = (key: string): Reg[] => {
    const regs: Reg[] = [];
    for (const s of yaml.registerLists.get(key) ?? []) {
      const reg = register(s);
      if (reg !== null) regs.push(reg);
    }
    return regs;
  };
  info.wwmReservedRegs = list('wwmReservedRegs');
  info.spillPhysVGPRs = list('spillPhysVGPRs');

  const args = abiArguments(facts.callingConv, subtarget);
  for (const a of yaml.arguments) {
    const mask = a.key === PRELOAD ? FULL_MASK : (a.mask ?? FULL_MASK);
    if (a.reg === null) {
      if (a.offset >= 0) args.set(a.key, { reg: NO_REG, stackOffset: a.offset, mask });
      continue;
    }
    const reg = register(a.reg);
    if (reg === null) continue;
    if (!tables.classContains(tables.regClassByName(a.regClass), reg)) wrongClass(a.reg);
    else args.set(a.key, { reg, stackOffset: -1, mask });
  }
  info.argumentInfo = args.size === 0 ? null : args;
  info.givenArguments = yaml.arguments.map((a) => a.key);
  return info;
}
