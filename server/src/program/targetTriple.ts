/** Triples that this tool is for. */
import { DEFAULT_RELEASE, parseTriple, releaseOf, type ReleaseName } from '../target/index.js';

/** The triple that llc goes by when `-march` is given, too ('' = it is not). */
export function withArchitecture(triple: string, march: string): string {
  const isOther = march !== '' && parseTriple(triple).isR600 !== parseTriple(march).isR600;
  return isOther ? triple.replace(/^[^-]*/, march) : triple;
}

/** Does the triple belong to this tool: `amdgcn`, a sub-architecture of LLVM main such as `amdgpu9.00`, or `r600`? */
export function isAMDGPUTriple(triple: string): boolean {
  const { isAMDGCN, isR600 } = parseTriple(triple);
  return isAMDGCN || isR600;
}

/**
 * A triple of a newer LLVM names processors that no release here has, or that this one lacks, and no `-mcpu` stands beside it: there is nothing to compute
 * numbers for. Families are LLVM 24's; where it is not that LLVM, a processor has to be named.
 */
export function isUnmodelled({
  triple,
  cpu,
  release,
}: {
  triple: string;
  cpu: string;
  release?: ReleaseName | undefined;
}): boolean {
  const named = parseTriple(triple);
  if (cpu !== '' || !named.isSubArch) return false;
  const { rules, processors } = releaseOf(release ?? DEFAULT_RELEASE);
  return !processors.cpus.names.includes(named.cpu) || (named.isFamily && !rules.hasSubArchTriples);
}

/** Whether llc finds a target for the triple: an LLVM before sub-architectures has none for any triple of theirs, whatever processor stands beside it. */
export function hasTarget(triple: string, cpu: string, release: ReleaseName): boolean {
  if (!isAMDGPUTriple(triple)) return false;
  return releaseOf(release).rules.hasSubArchTriples
    ? !isUnmodelled({ triple, cpu, release })
    : !triple.startsWith('amdgpu');
}

/** What ends llc before it reads functions, where it knows triples of sub-architectures: one that it does not know, or a processor of another. */
export function subArchError(triple: string, cpu: string, release: ReleaseName): string | null {
  const { isSubArch, cpu: ownCpu } = parseTriple(triple);
  if (!isSubArch || !releaseOf(release).rules.hasSubArchTriples) return null;
  const arch = triple.replace(/-.*/s, '');
  if (ownCpu === '') return `unknown subarch ${arch}`;
  return isOfSubArch(triple, cpu, release) ? null : `invalid cpu '${cpu}' for subarch ${arch}`;
}

/** Whether llc takes the processor beside the triple. One that it does not know is another complaint. */
export function isOfSubArch(triple: string, cpu: string, release: ReleaseName): boolean {
  const { cpus } = parseTriple(triple);
  const { rules, processors } = releaseOf(release);
  const isAsked = cpu !== '' && cpus !== null && rules.hasSubArchTriples;
  return !isAsked || cpus.includes(cpu) || !processors.cpus.names.includes(cpu);
}
