/** Register allocation with llc's options. Apart from its names: the bundle of a short llc run leaves it out. */
import type { OptionValue } from '../../commandLine/optionSpec.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import { PassError, type PassContext } from '../machinePass.js';
import { runAllocation } from './pipeline.js';
import type { AllocPass } from './pipelineNames.js';
import { DEFAULT_OPTIONS, NotModelled, type RegAllocOptions } from './state.js';

/** The function after some passes. Throws PassError. */
export function allocate(fn: MachineFunction, context: PassContext, passes: readonly AllocPass[]): MachineFunction {
  try {
    const ir = context.ir?.functionByName(fn.header.name) ?? null;
    const hasSubprogram = ir?.attachments?.some((a) => a.kind === 'dbg') === true;
    const result = runAllocation(fn, passes, regAllocOptions(context.options), { hasSubprogram });
    for (const e of result.errors) context.stderr(`error: <unknown>:0:0: ${e}\n`);
    return result.fn;
  } catch (error) {
    if (!(error instanceof NotModelled)) throw error;
    throw new PassError(`llc: error: amdgpu-mir does not model ${error.message} in function '${fn.header.name}'.`);
  }
}

export function regAllocOptions(options: ReadonlyMap<string, OptionValue>): RegAllocOptions {
  const number = (name: string, byDefault: number): number => {
    const given = options.get(name);
    return given === undefined ? byDefault : Number(given);
  };
  const d = DEFAULT_OPTIONS;
  return {
    stress: number('stress-regalloc', d.stress),
    csrFirstTimeCost: options.has('regalloc-csr-first-time-cost') ? number('regalloc-csr-first-time-cost', 0) : null,
    evictionCutoff: number('regalloc-eviction-max-interference-cutoff', d.evictionCutoff),
    recolorDepth: number('lcr-max-depth', d.recolorDepth),
    recolorInterference: number('lcr-max-interf', d.recolorInterference),
    isExhaustive: options.get('exhaustive-register-search') === true,
    hintSplitThreshold: number('split-threshold-for-reg-with-hint', d.hintSplitThreshold),
    growBudget: number('grow-region-complexity-budget', d.growBudget),
    hugeSize: number('huge-size-for-split', d.hugeSize),
    spillsSGPRsToVGPRs: options.get('amdgpu-spill-sgpr-to-vgpr') !== false,
    numVGPRsForWWM: number('amdgpu-num-vgprs-for-wwm-alloc', d.numVGPRsForWWM),
    sharesSlots: options.get('no-stack-slot-sharing') !== true,
    ssc: options.get('disable-ssc') !== true,
  };
}
