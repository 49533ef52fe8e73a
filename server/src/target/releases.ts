/**
 * The releases of LLVM that are modelled, by what `--model` and the setting `amdgpu-mir.model` call them. A new one is a line here, its tables in
 * `tableTexts.ts` and its rules in `rules.ts`. Without tables, since the protocol thread and help ask for names, too.
 */

/**
 * `version`: as LLVM says it, which a test holds against the tables; of one that stands ahead of its tables what it goes by. `isOfAuto`: one that `auto` may choose, for what a file says or as the newest.
 * `agreement`: how many answers equal those of its llc (docs/releases.md). `of`: who ships it.
 */
const RELEASES = {
  'llvm-22': { version: '22.1.8', isOfAuto: true, agreement: '100 %', of: '' },
  'llvm-24': { version: '24.0.0git', isOfAuto: true, agreement: '98 to 100 %', of: '' },
  'rocm-10': { version: '23.0.0git', isOfAuto: false, agreement: 'measured on samples', of: ' of ROCm 10' },
  'llvm-main': { version: 'main (by its tests)', isOfAuto: false, agreement: '', of: '' },
} as const;

export type ReleaseName = keyof typeof RELEASES;

/** In the order in which `auto` asks who knows a thing: nothing is of ROCm's alone. */
export const RELEASE_NAMES = Object.keys(RELEASES) as readonly ReleaseName[];

export const isReleaseName = (name: string): name is ReleaseName => Object.hasOwn(RELEASES, name);

/** Where nobody says which. */
export const DEFAULT_RELEASE: ReleaseName = 'llvm-22';

/** Those of `auto`, oldest first. */
export const AUTO_RELEASES: readonly ReleaseName[] = RELEASE_NAMES.filter((name) => RELEASES[name].isOfAuto);

/** What `auto` takes for a file that any would do for. */
export const NEWEST_RELEASE = AUTO_RELEASES.at(-1)!;

export const versionOf = (name: ReleaseName): string => RELEASES[name].version;

/** `22`; empty for one without a number */
export const majorOf = (name: ReleaseName): string => /^\d*/.exec(versionOf(name))![0];

/** `LLVM 22.1.8`; of one that is not out yet `LLVM 24` */
export const releaseText = (name: ReleaseName): string =>
  `LLVM ${versionOf(name).endsWith('git') ? majorOf(name) : versionOf(name)}${RELEASES[name].of}`;

/** The LLVM whose answers numbers and messages are unless something names another one. */
export const MODELLED_LLVM = versionOf(DEFAULT_RELEASE);

/** `LLVM 22.1.8 (100 % of answers equal), ...` */
export const agreementText = (): string =>
  RELEASE_NAMES.map((name, k) => {
    const { version, agreement } = RELEASES[name];
    return agreement === '' ? version : `${version} (${agreement}${k === 0 ? ' of answers equal' : ''})`;
  }).join(', ');

/** Those whose llc can be asked. */
export const MODELLED_LLVMS: readonly string[] = RELEASE_NAMES.filter((name) => majorOf(name) !== '').map(versionOf);

/** `22.1.8, 24.0.0git and 23.0.0git of ROCm 10` */
export const modelledLlvmsText = (): string =>
  RELEASE_NAMES.map((name) => `${versionOf(name)}${RELEASES[name].of}`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');
