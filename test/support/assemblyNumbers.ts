/** The numbers in the comments of llc's assembly and in the metadata of its kernels, by function and by the names that `check --outcome` has for them. */

const COMMENTS = {
  waves: 'Occupancy',
  vgpr: 'NumVgprs',
  agpr: 'NumAgprs',
  totalVgpr: 'TotalNumVgprs',
  sgpr: 'TotalNumSgprs',
  scratchBytes: 'ScratchSize',
  ldsBytes: 'LDSByteSize',
} as const;

const METADATA = { vgprSpills: 'vgpr_spill_count', sgprSpills: 'sgpr_spill_count' } as const;

export type AssemblyNumbers = Readonly<
  Record<keyof typeof COMMENTS | keyof typeof METADATA, number | null | undefined>
>;

/** null: llc says nothing of it; undefined: it says an expression over symbols, as for functions that call. */
export function assemblyNumbers(asm: string): ReadonlyMap<string, AssemblyNumbers> {
  const names = [...asm.matchAll(/^\s*\.type\s+(?!\.L)(\S+),@function/gm)].map((m) => m[1]);
  const parts = asm.split(/^\s*\.type\s+(?!\.L)\S+,@function.*$/m).slice(1);
  const kernels = new Map(
    [...asm.matchAll(/^ {2}- [^]*?(?=^ {2}- |^amdhsa\.)/gm)].map(([text]) => [
      /^ {4}\.name: +(\S+)$/m.exec(text)?.[1],
      text,
    ]),
  );
  return new Map(
    names.map((name, k) => {
      const comment = (key: string): number | null | undefined => {
        const said = new RegExp(`^; ${key}: (.*)$`, 'm').exec(parts[k])?.[1];
        if (said === undefined) return null;
        const number = /^(\d+)(?: bytes.*)?$/.exec(said)?.[1];
        return number === undefined ? undefined : Number(number);
      };
      const ofKernel = (key: string): number | null => {
        const said = new RegExp(`^ {4}\\.${key}: +(\\d+)$`, 'm').exec(kernels.get(name) ?? '')?.[1];
        return said === undefined ? null : Number(said);
      };
      const all = [
        ...Object.entries(COMMENTS).map(([own, key]) => [own, comment(key)]),
        ...Object.entries(METADATA).map(([own, key]) => [own, ofKernel(key)]),
      ];
      return [name, Object.fromEntries(all) as AssemblyNumbers];
    }),
  );
}
