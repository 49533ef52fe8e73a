/**
 * Target triples of AMDGPU, as far as MIR needs them: architecture, operating system, and the processor that a
 * sub-architecture triple (`amdgpu9.0a-amd-amdhsa`) names. Those triples are newer than LLVM 22, whose llc rejects
 * them; they occur in RUN lines of current tests and mean `amdgcn` with `-mcpu`. Some name a family (`amdgpu9`, `amdgpu12.5`), which is no
 * processor of LLVM 22.
 */

/** What a triple says. */
export interface TripleInfo {
  /** `amdgcn` also for sub-architecture triples; other architectures as spelled */
  readonly arch: string;
  readonly isAMDGCN: boolean;
  /** the other target of the back end */
  readonly isR600: boolean;
  /** a sub-architecture triple, which LLVM 22 does not know */
  readonly isSubArch: boolean;
  /** processor named by a sub-architecture triple, which LLVM 22 may lack; '' for a family of them, and for other triples */
  readonly cpu: string;
  readonly isAmdHsaOS: boolean;
  readonly isMesa3DOS: boolean;
  readonly isAmdPalOS: boolean;
}

/** Reads a triple; never fails. */
export function parseTriple(triple: string): TripleInfo {
  const parts = triple.split('-');
  const arch = parts[0]!;
  // Triple::normalize moves an operating system that stands in another place to its own.
  const os = (name: string): boolean => parts.some((p, i) => i > 0 && p.startsWith(name));
  const sub = !arch.startsWith('amdgpu') ? null : /^amdgpu(?:(\d[\w.]*))?$/.exec(arch);
  const [, major, minor] = /^(\d+)\.([0-9a-f]{2})$/.exec(sub?.[1] ?? '') ?? [];
  const cpu = major === undefined ? '' : `gfx${major}${minor}`;
  return {
    arch: sub ? 'amdgcn' : arch,
    isAMDGCN: arch === 'amdgcn' || sub !== null,
    isR600: arch === 'r600',
    isSubArch: sub?.[1] !== undefined,
    cpu,
    isAmdHsaOS: os('amdhsa'),
    isMesa3DOS: os('mesa3d'),
    isAmdPalOS: os('amdpal'),
  };
}
