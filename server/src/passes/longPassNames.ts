/** Names of the passes of longPasses.ts, for programs that decide whether these have to be loaded. */
export const LONG_PASS_NAMES: readonly string[] = [
  'machine-scheduler',
  'amdgpu-pre-ra-optimizations',
  'si-wqm',
  'si-optimize-exec-masking-pre-ra',
  'si-form-memory-clauses',
  'amdgpu-pre-ra-long-branch-reg',
  'greedy',
  'virtregrewriter',
  'stack-slot-coloring',
  'si-lower-sgpr-spills',
  'si-pre-allocate-wwm-regs',
  'si-lower-wwm-copies',
  'amdgpu-reserve-wwm-regs',
  'amdgpu-nsa-reassign',
  'amdgpu-rewrite-agpr-copy-mfma',
];
