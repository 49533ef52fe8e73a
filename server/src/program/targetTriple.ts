/** Triples that this tool is for. */
import { DEFAULT_RELEASE, listCpus, parseTriple, releaseOf, type ReleaseName } from '../target/index.js';

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
 * A triple of a newer LLVM names a family of processors, or one that LLVM 22 lacks, and no `-mcpu` stands beside it: there is nothing to compute numbers
 * for.
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
  return cpu === '' && named.isSubArch && !listCpus('', releaseOf(release ?? DEFAULT_RELEASE)).includes(named.cpu);
}
