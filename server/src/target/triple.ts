/**
 * Target triples of AMDGPU, as far as MIR needs them: architecture, operating system, and the processor that a
 * sub-architecture triple (`amdgpu9.0a-amd-amdhsa`) names. Those triples are newer than LLVM 22, whose llc rejects
 * them; they occur in RUN lines of current tests and mean `amdgcn` with `-mcpu`. Some name a family (`amdgpu9`, `amdgpu12.5`), for which its generic
 * processor stands, or its oldest where it has none.
 */
import { lazy } from '../util/lazy.js';

/** `FAMILY PROCESSOR MEMBERS`, as LLVM 24's library says them (`AMDGPU::getArchNameFromSubArch`, `AMDGPU::isCPUValidForSubArch`); `=` before another name. */
const FAMILIES = `
6 gfx600 600 601 602
7 gfx700 700 701 702 703 704 705
8 gfx801 801 802 803 805
8.10 gfx810 810
9 gfx9-generic 900 902 904 906 909 90c
9.08 gfx908 908
9.0a gfx90a 90a
9.4 gfx9-4-generic 942 950
9.5 =9.4
10 =10.1
10.1 gfx10-1-generic 1010 1011 1012 1013
10.3 gfx10-3-generic 1030 1031 1032 1033 1034 1035 1036
11 gfx11-generic 1100 1101 1102 1103 1150 1151 1152 1153 1154
11.7 gfx11-7-generic 1170 1171 1172
12 gfx12-generic 1200 1201
12.5 gfx12-5-generic 1250 1251
13 gfx13-generic 1310
`;

interface SubArch {
  /** what stands for it */
  readonly cpu: string;
  readonly isFamily: boolean;
  /** what may be named beside it */
  readonly cpus: readonly string[];
}

const subArchs = lazy((): ReadonlyMap<string, SubArch> => {
  const known = new Map<string, SubArch>();
  const others: [string, string][] = [];
  for (const line of FAMILIES.trim().split('\n')) {
    const [family = '', cpu = '', ...members] = line.split(' ');
    if (cpu.startsWith('=')) others.push([family, cpu.slice(1)]);
    const cpus = members.map((number) => `gfx${number}`);
    const generic = cpu.endsWith('-generic') ? [cpu] : [];
    for (const own of cpus)
      known.set(`${own.slice(3, -2)}.${own.slice(-2)}`, { cpu: own, isFamily: false, cpus: [own, ...generic] });
    if (cpus.length > 1 || generic.length > 0) known.set(family, { cpu, isFamily: true, cpus: [...cpus, ...generic] });
  }
  for (const [family, same] of others) known.set(family, known.get(same)!);
  return known;
});

/** What a triple says. */
export interface TripleInfo {
  /** `amdgcn` also for sub-architecture triples; other architectures as spelled */
  readonly arch: string;
  readonly isAMDGCN: boolean;
  /** the other target of the back end */
  readonly isR600: boolean;
  /** a sub-architecture triple, which LLVM 22 does not know */
  readonly isSubArch: boolean;
  /** the sub-architecture is a family of processors */
  readonly isFamily: boolean;
  /** processor that a sub-architecture triple names, or that stands for a family of them, which LLVM 22 may lack; '' where no LLVM knows it, and for other triples */
  readonly cpu: string;
  /** processors that may be named beside the triple; null = all */
  readonly cpus: readonly string[] | null;
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
  const named = sub?.[1] === undefined ? undefined : subArchs().get(sub[1]);
  return {
    arch: sub ? 'amdgcn' : arch,
    isAMDGCN: arch === 'amdgcn' || sub !== null,
    isR600: arch === 'r600',
    isSubArch: sub?.[1] !== undefined,
    isFamily: named?.isFamily ?? false,
    cpu: named?.cpu ?? '',
    cpus: named?.cpus ?? null,
    isAmdHsaOS: os('amdhsa'),
    isMesa3DOS: os('mesa3d'),
    isAmdPalOS: os('amdpal'),
  };
}
