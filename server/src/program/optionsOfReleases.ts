/** Options of llc that only one of the releases has, by their names; those for debugging, which depend on how an llc was built, left out. */
import { RELEASE_NAMES, type ReleaseName } from '../target/releases.js';

/** From the library of LLVM 24 and the llc of LLVM 22: their own help; passes that may be part of llc's pipeline. */
const ONLY: Readonly<Record<ReleaseName, string>> = {
  'llvm-22': `
amdgpu-sgpr-hazard-wait da-dump-monotonicity-report da-enable-monotonicity-check dag-maps-reduction-size disable-mergeicmps
new-reg-bank-select opt-disable-enable-verbosity use-constant-fp-for-fixed-length-splat use-constant-fp-for-scalable-splat
`,
  'llvm-24': `
aa-trace amdgpu-disable-rewrite-mfma-form-sched-stage amdgpu-enable-object-linking amdgpu-next-use-analysis-config
amdgpu-next-use-analysis-count-phis amdgpu-next-use-analysis-distance-cache amdgpu-next-use-analysis-dump-distance-as-json
amdgpu-next-use-analysis-dump-distance-def-to-use amdgpu-next-use-analysis-dump-distance-verbose
amdgpu-next-use-analysis-forward-only amdgpu-next-use-analysis-precise-use-modeling
amdgpu-next-use-analysis-use-preheader-model amdgpu-stress-agpr amdgpu-stress-sgpr amdgpu-stress-vgpr
amdgpu-vgpr-threshold-percent amdgpu-wmma-vnop-hoisting branch-folder-hoist-common-code branch-folder-reorder-blocks
combiner-topological-sorting early-ifcvt-max-steps enable-early-ifcvt-data-dependent enable-gc-empty-basic-blocks
enable-mergeicmps mir2vec-print-all-vocab-entries regalloc-csr-cost-scale sched-model-reservation-station-scale-factor
sgpr-regalloc-npm stack-usage-file twoaddr-analyze-revcopy-tied verify-legalizer-debug-locs vgpr-regalloc-npm wwm-regalloc-npm
`,
  'rocm-10': '',
};

/** Values of options that both have. */
const ONLY_VALUES: Readonly<Record<ReleaseName, string>> = {
  'llvm-22': '',
  'llvm-24': 'amdgpu-sched-strategy=coexec',
  'rocm-10': '',
};

const has = (list: string, name: string): boolean =>
  /^[\w-]+(?:=[\w-]+)?$/.test(name) && ` ${list.replaceAll('\n', ' ')} `.includes(` ${name} `);

/** The release that alone has an option, or a value of one; null where both have it, or neither. */
export const optionRelease = (name: string, value: string): ReleaseName | null =>
  RELEASE_NAMES.find((r) => has(ONLY[r], name) || has(ONLY_VALUES[r], `${name}=${value}`)) ?? null;
