/**
 * The switches of the tests, from the environment; CONTRIBUTING.md explains them. `npm run test:update` sets AMDGPU_MIR_UPDATE.
 */
const valueOf = (name: string): string | undefined => process.env[`AMDGPU_MIR_${name}`];

/** AMDGPU_MIR_SEED, or what a test starts from without it. */
export const seedOr = (usual: number): number => Number(valueOf('SEED') ?? usual);

/** AMDGPU_MIR_RUNS: how many random inputs, or whatever else a test counts, instead of the few of a usual run. */
export const runsOr = (usual: number): number => Number(valueOf('RUNS') ?? usual);

/** AMDGPU_MIR_ALL: everything there is instead of a sample. */
export const ALL = valueOf('ALL') !== undefined;

/** AMDGPU_MIR_ONLY: the one case to run again; each test says what names it. */
export const ONLY = valueOf('ONLY');

/** AMDGPU_MIR_SHOW: how many differences a test that only counts them prints. */
export const SHOW = Number(valueOf('SHOW') ?? 0);

/** AMDGPU_MIR_KEEP: the folder where inputs that differ are kept. */
export const KEEP = valueOf('KEEP');

/** UPDATE=1 (or AMDGPU_MIR_UPDATE): expected texts are written anew, golden files by the installed LLVM 22.1.8. Empty and 0 are no. */
export const UPDATE = !['', '0'].includes(process.env.UPDATE ?? valueOf('UPDATE') ?? '');

/** AMDGPU_MIR_LLC, _CLANG, _FILECHECK, _LIT, _ORACLE, _CORPUS: where these are; the oracle has no usual place. */
export const placeOr = (name: 'LLC' | 'CLANG' | 'FILECHECK' | 'LIT' | 'CORPUS', usual: string): string =>
  valueOf(name) ?? usual;
export const ORACLE = valueOf('ORACLE');
