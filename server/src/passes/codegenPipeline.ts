/** The pipeline of llc from the machine scheduler to the last rewriter as data (docs/llvm/allocation-pipeline.md, 1). */
import type { OptionValue } from '../commandLine/optionSpec.js';

/** A pass in the pipeline. */
export interface PipelineStep {
  /** name for -run-pass */
  readonly name: string;
  /** which of the steps of this name it is, from 0 */
  readonly instance: number;
  /** as `PassUse` has them */
  readonly parameters: string;
}

/**
 * A line per pass, in order: its name and parameters; `option`: switches it off; `needsO2`: -O1 has it only where the option asks for it.
 */
const STEPS: readonly (readonly [name: string, parameters?: string, option?: string, needsO2?: true])[] = [
  ['machine-scheduler'],
  ['amdgpu-pre-ra-optimizations', '', 'amdgpu-enable-pre-ra-optimizations', true],
  ['si-wqm'],
  ['si-optimize-exec-masking-pre-ra', '', 'amdgpu-opt-exec-mask-pre-ra'],
  ['si-form-memory-clauses', '', '', true],
  ['amdgpu-pre-ra-long-branch-reg'],
  ['greedy', 'sgpr'],
  ['virtregrewriter', 'no-clear-vregs'],
  ['stack-slot-coloring'],
  ['si-lower-sgpr-spills'],
  ['si-pre-allocate-wwm-regs'],
  ['greedy', 'wwm'],
  ['si-lower-wwm-copies'],
  ['virtregrewriter', 'no-clear-vregs'],
  ['amdgpu-reserve-wwm-regs'],
  ['greedy', 'vgpr'],
  ['amdgpu-nsa-reassign', '', 'amdgpu-reassign-regs'],
  ['amdgpu-rewrite-agpr-copy-mfma'],
  ['virtregrewriter'],
];

export const PIPELINE: readonly PipelineStep[] = STEPS.map(([name, parameters = ''], k) => ({
  name,
  parameters,
  instance: STEPS.slice(0, k).filter(([other]) => other === name).length,
}));

type Options = ReadonlyMap<string, OptionValue>;

/** Whether the pipeline has a pass with these options. */
export function isInPipeline(name: string, options: Options): boolean {
  const [, , option = '', needsO2] = STEPS.find(([other]) => other === name) ?? [];
  const given = options.get(option);
  return given === undefined ? needsO2 !== true || String(options.get('O')) !== '1' : given !== false;
}

/** Names of passes that the pipeline does without. */
export const passesLeftOut = (options: Options): string[] =>
  PIPELINE.map(({ name }) => name).filter((name) => !isInPipeline(name, options));
