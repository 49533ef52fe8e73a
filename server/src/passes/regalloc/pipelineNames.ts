/** Names of the passes of the pipeline, with their instances. */
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

/** A pass of the pipeline; of -run-pass alone: all registers at once. */
export type AllocPass = (typeof PIPELINE)[number] | 'greedy,all';

/** What -run-pass names run; null for others. */
export function allocPassByName(name: string): AllocPass | null {
  if (name === 'greedy') return 'greedy,all';
  if (name === 'virtregrewriter') return 'virtregrewriter,2';
  return PIPELINE.find((p) => p === `${name},0` && name !== 'machine-scheduler') ?? null;
}

/** Registers that a run allocates. */
export type RunFilter = 'sgpr' | 'wwm' | 'vgpr' | 'all';
