/** Names of the passes of the pipeline, with their instances. */
import type { OptionValue } from '../../commandLine/optionSpec.js';
import { PipelineError } from '../pipeline.js';

export const PIPELINE = [
  'machine-scheduler,0',
  'amdgpu-pre-ra-optimizations,0',
  'si-wqm,0',
  'si-optimize-exec-masking-pre-ra,0',
  'si-form-memory-clauses,0',
  'amdgpu-pre-ra-long-branch-reg,0',
  'greedy,0',
  'virtregrewriter,0',
  'stack-slot-coloring,0',
  'si-lower-sgpr-spills,0',
  'si-pre-allocate-wwm-regs,0',
  'greedy,1',
  'si-lower-wwm-copies,0',
  'virtregrewriter,1',
  'amdgpu-reserve-wwm-regs,0',
  'greedy,2',
  'amdgpu-nsa-reassign,0',
  'amdgpu-rewrite-agpr-copy-mfma,0',
  'virtregrewriter,2',
] as const;

/** Names of the passes that a short llc run has no use for. */
export const LONG_PASSES: readonly string[] = [...new Set(PIPELINE.map((p) => p.slice(0, p.indexOf(','))))];

/** A pass of the pipeline; of -run-pass alone: all registers at once; of -passes: one that leaves isSSA as it is. */
export type AllocPass = (typeof PIPELINE)[number] | 'greedy,all' | 'si-form-memory-clauses,new';

/** Passes that an option takes out of the pipeline, and those that -O1 does without. */
const SWITCHES: readonly (readonly [pass: AllocPass, option: string, needsO2: boolean])[] = [
  ['amdgpu-pre-ra-optimizations,0', 'amdgpu-enable-pre-ra-optimizations', true],
  ['si-optimize-exec-masking-pre-ra,0', 'amdgpu-opt-exec-mask-pre-ra', false],
  ['si-form-memory-clauses,0', '', true],
  ['amdgpu-nsa-reassign,0', 'amdgpu-reassign-regs', false],
];

/** Whether the pipeline has a pass with these options. */
export function isInPipeline(pass: AllocPass, options: ReadonlyMap<string, OptionValue>): boolean {
  const found = SWITCHES.find(([name]) => name === pass);
  if (found === undefined) return true;
  const [, option, needsO2] = found;
  const given = options.get(option);
  return given === undefined ? !needsO2 || String(options.get('O')) !== '1' : given !== false;
}

/** Passes for which llc computes no live intervals, so that kill flags stay. */
export const WITHOUT_INTERVALS: ReadonlySet<AllocPass> = new Set<AllocPass>([
  'amdgpu-pre-ra-long-branch-reg,0',
  'stack-slot-coloring,0',
  'si-lower-sgpr-spills,0',
  'si-lower-wwm-copies,0',
  'amdgpu-reserve-wwm-regs,0',
]);

const TITLES: Readonly<Record<string, string>> = {
  'machine-scheduler': 'Machine Instruction Scheduler',
  'amdgpu-pre-ra-optimizations': 'AMDGPU Pre-RA optimizations',
  'si-wqm': 'SI Whole Quad Mode',
  'si-optimize-exec-masking-pre-ra': 'SI optimize exec mask operations pre-RA',
  'si-form-memory-clauses': 'SI Form memory clauses',
  'amdgpu-pre-ra-long-branch-reg': 'AMDGPU Pre-RA Long Branch Reg',
  greedy: 'Greedy Register Allocator',
  virtregrewriter: 'Virtual Register Rewriter',
  'stack-slot-coloring': 'Stack Slot Coloring',
  'si-lower-sgpr-spills': 'SI lower SGPR spill instructions',
  'si-pre-allocate-wwm-regs': 'SI Pre-allocate WWM Registers',
  'si-lower-wwm-copies': 'SI Lower WWM Copies',
  'amdgpu-reserve-wwm-regs': 'AMDGPU Reserve WWM Registers',
  'amdgpu-nsa-reassign': 'GCN NSA Reassign',
  'amdgpu-rewrite-agpr-copy-mfma': 'AMDGPU Rewrite AGPR-Copy-MFMA',
};

/** What LLVM calls a pass in texts. */
export const titleOf = (pass: AllocPass): string => TITLES[pass.slice(0, pass.indexOf(','))] ?? '';

/** What -run-pass names run; null for others. */
export function allocPassByName(name: string): AllocPass | null {
  if (name === 'greedy') return 'greedy,all';
  if (name === 'virtregrewriter') return 'virtregrewriter,2';
  return PIPELINE.find((p) => p === `${name},0` && name !== 'machine-scheduler') ?? null;
}

const FILTERED: Readonly<Record<string, AllocPass>> = {
  '': 'greedy,all',
  all: 'greedy,all',
  sgpr: 'greedy,0',
  wwm: 'greedy,1',
  vgpr: 'greedy,2',
};

/** What a name in a -passes pipeline runs; null for others. Throws PipelineError for parameters that llc refuses. `no-clear-vregs`: virtual registers that got nothing stay. */
export function allocPassOfPipeline(name: string): AllocPass | null {
  const [, pass, parameters = ''] = /^([\w-]+)(?:<(.*)>)?$/.exec(name) ?? [];
  if (pass === 'greedy') {
    const found = FILTERED[parameters];
    if (found === undefined) throw new PipelineError(`invalid regallocgreedy register filter '${parameters}'`);
    return found;
  }
  if (pass === 'virt-reg-rewriter') {
    const parameter = parameters.replace(/^no-/, '');
    if (parameters !== '' && parameter !== 'clear-vregs')
      throw new PipelineError(`invalid VirtRegRewriter pass parameter '${parameter}'`);
    return parameters.startsWith('no-') ? 'virtregrewriter,0' : 'virtregrewriter,2';
  }
  if (name === 'si-form-memory-clauses') return 'si-form-memory-clauses,new';
  return name === 'virtregrewriter' ? null : allocPassByName(name);
}

/** Registers that a run allocates. */
export type RunFilter = 'sgpr' | 'wwm' | 'vgpr' | 'all';
