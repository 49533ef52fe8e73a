/**
 * Passes of llc's pipeline that leave a function of this target as it is, unless it asks for what they are there for: that is refused by name
 * (docs/llvm/small-passes.md, 12).
 */
import { calleeNames } from '../../analysis/frame/moduleUse.js';
import type { IRModule } from '../../ir/module.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import { NotModelled, type MachinePass, type PassUse } from '../machinePass.js';
import { Analysis, CFG, type PassContext } from '../passContext.js';
import { machineVerifierPass } from './machineVerifierPass.js';

type QuietPass = Pick<MachinePass, 'name' | 'pipelineName' | 'className' | 'title'> & {
  /** absent: all analyses */
  readonly preserves?: MachinePass['preserves'];
  readonly requires?: MachinePass['requires'];
  /** what it would act on; empty = nothing */
  readonly actsOn?: (fn: MachineFunction, context: PassContext, use: PassUse) => string;
};

const attribute =
  (name: string, isMeant: (value: string) => boolean = () => true) =>
  ({ header }: MachineFunction): string => {
    const value = header.irFunction.attributes.get(name);
    return value !== undefined && isMeant(value) ? `the attribute "${name}"` : '';
  };

const opcode =
  (...names: readonly string[]) =>
  (fn: MachineFunction): string => {
    const opcodes = new Set(names.map((name) => fn.tables.opcodeByName(name)));
    const found = fn.layout().find((i) => opcodes.has(fn.opcode[i]));
    return found === undefined ? '' : fn.tables.opcodeName(fn.opcode[found]);
  };

const hasAttachment = ({ header }: MachineFunction, { ir }: PassContext, kind: string): boolean =>
  ir?.functionByName(header.name)?.attachments?.some((a) => a.kind === kind) === true;

const quiet = ({ actsOn, ...pass }: QuietPass): MachinePass => ({
  requires: [],
  preserves: 'all',
  ...pass,
  run({ fn, context }, use) {
    const what = actsOn?.(fn, context, use) ?? '';
    if (what !== '') throw new NotModelled(what);
  },
});

/** @llvm FixupStatepointCallerSaved.cpp FixupStatepointCallerSavedLegacy */
const fixupStatepoint = quiet({
  name: 'fixup-statepoint-caller-saved',
  pipelineName: 'fixup-statepoint-caller-saved',
  className: 'FixupStatepointCallerSavedPass',
  title: 'Fixup Statepoint Caller Saved',
  preserves: [CFG],
  actsOn: opcode('STATEPOINT'),
});

/** @llvm FEntryInserter.cpp FEntryInserter */
const fentryInsert = quiet({
  name: 'fentry-insert',
  pipelineName: 'fentry-insert',
  className: 'FEntryInserterPass',
  title: 'Insert fentry calls',
  actsOn: attribute('fentry-call', (value) => value === 'true'),
});

/** @llvm XRayInstrumentation.cpp XRayInstrumentationLegacy */
const xrayInstrumentation = quiet({
  name: 'xray-instrumentation',
  pipelineName: 'xray-instrumentation',
  className: 'XRayInstrumentationPass',
  title: 'Insert XRay ops',
  actsOn: (fn) => attribute('function-instrument')(fn) || attribute('xray-instruction-threshold')(fn),
});

/** @llvm RemoveLoadsIntoFakeUses.cpp RemoveLoadsIntoFakeUsesLegacy */
const removeLoadsIntoFakeUses = quiet({
  name: 'remove-loads-into-fake-uses',
  pipelineName: 'remove-loads-into-fake-uses',
  className: 'RemoveLoadsIntoFakeUsesPass',
  title: 'Remove Loads Into Fake Uses',
  preserves: [CFG],
  actsOn: opcode('FAKE_USE'),
});

/** Which registers the functions that have been compiled leave as they are. */
const REGISTER_USAGE = new Analysis<null>('register usage', () => null, { isOfFunction: true });

/**
 * What it notes of a function is for its callers: `reg-usage-propagation`.
 * @llvm RegUsageInfoCollector.cpp RegUsageInfoCollectorLegacy
 */
const regUsageCollector = quiet({
  name: 'RegUsageInfoCollector',
  pipelineName: 'reg-usage-collector',
  className: 'RegUsageInfoCollectorPass',
  title: 'Register Usage Information Collector Pass',
  requires: [REGISTER_USAGE],
});

/** @llvm RegUsageInfoPropagate.cpp RegUsageInfoPropagationLegacy */
const regUsagePropagation = quiet({
  name: 'reg-usage-propagation',
  pipelineName: 'reg-usage-propagation',
  className: 'RegUsageInfoPropagationPass',
  title: 'Register Usage Information Propagation',
  actsOn: (fn, { ir }, use) =>
    use.wants(REGISTER_USAGE) && calleeNames(fn).some((name) => name !== fn.header.name && isKnownTo(ir, name))
      ? 'what a called function of the module leaves of the registers'
      : '',
});

/**
 * The definition is the one that runs.
 * @llvm GlobalValue.h GlobalValue::isDefinitionExact
 */
function isKnownTo(ir: IRModule | null, name: string | null): boolean {
  const called = name === null ? null : (ir?.functionByName(name) ?? null);
  return called !== null && !called.isDeclaration && ['', 'external', 'internal', 'private'].includes(called.linkage);
}

/**
 * Where registers are saved and restored is up to `prologepilog` here.
 * @llvm ShrinkWrap.cpp ShrinkWrapLegacy
 */
const shrinkWrap = quiet({
  name: 'shrink-wrap',
  pipelineName: 'shrink-wrap',
  className: 'ShrinkWrapPass',
  title: 'Shrink Wrapping analysis',
});

/** @llvm EarlyIfConversion.cpp EarlyIfConverterLegacy */
const earlyIfConversion = quiet({
  name: 'early-ifcvt',
  pipelineName: 'early-ifcvt',
  className: 'EarlyIfConverterPass',
  title: 'Early If-Conversion',
  preserves: [CFG],
  actsOn: (_, { options }) => (options.get('amdgpu-early-ifcvt') === true ? "'-amdgpu-early-ifcvt'" : ''),
});

/**
 * No register class of this target wants it.
 * @llvm InitUndef.cpp InitUndefLegacy
 */
const initUndef = quiet({
  name: 'init-undef',
  pipelineName: 'init-undef',
  className: 'InitUndefPass',
  title: 'Init Undef Pass',
});

/** @llvm FuncletLayout.cpp FuncletLayout */
const funcletLayout = quiet({
  name: 'funclet-layout',
  pipelineName: null,
  title: 'Contiguously Lay Out Funclets',
});

/** @llvm StackMapLivenessAnalysis.cpp StackMapLiveness */
const stackMapLiveness = quiet({
  name: 'stackmap-liveness',
  pipelineName: null,
  title: 'StackMap Liveness Analysis',
  actsOn: opcode('PATCHPOINT', 'STACKMAP'),
});

/** @llvm PatchableFunction.cpp PatchableFunctionLegacy */
const patchableFunction = quiet({
  name: 'patchable-function',
  pipelineName: 'patchable-function',
  className: 'PatchableFunctionPass',
  title: "Implement the 'patchable-function' attribute",
  actsOn: (fn) => attribute('patchable-function')(fn) || attribute('patchable-function-entry')(fn),
});

/** @llvm SanitizerBinaryMetadata.cpp MachineSanitizerBinaryMetadataLegacy */
const sanitizerMetadata = quiet({
  name: 'machine-sanmd',
  pipelineName: 'machine-sanmd',
  className: 'MachineSanitizerBinaryMetadataPass',
  title: 'Machine Sanitizer Binary Metadata',
  actsOn: (fn, context) => (hasAttachment(fn, context, 'pcsections') ? "the metadata '!pcsections'" : ''),
});

/**
 * Only what debugify has put into a module goes, unless an option says otherwise.
 * @llvm MachineStripDebug.cpp StripDebugMachineModule
 */
const stripDebug = quiet({
  name: 'mir-strip-debug',
  pipelineName: null,
  title: 'Machine Strip Debug Module',
  actsOn: (_, { ir, options }) =>
    options.get('mir-strip-debugify-only') === false
      ? "'-mir-strip-debugify-only=0'"
      : ir?.namedMetadata.some(({ name }) => name === 'llvm.mir.debugify') === true
        ? "the metadata '!llvm.mir.debugify'"
        : '',
});

export const QUIET_PASSES: readonly MachinePass[] = [
  fixupStatepoint,
  fentryInsert,
  xrayInstrumentation,
  removeLoadsIntoFakeUses,
  regUsageCollector,
  regUsagePropagation,
  shrinkWrap,
  earlyIfConversion,
  initUndef,
  funcletLayout,
  stackMapLiveness,
  patchableFunction,
  sanitizerMetadata,
  stripDebug,
  machineVerifierPass,
];
