/** The registers of each file that are in use along an allocated function, beside its live values: how high they reach, and what lies free below. */
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg } from '../../model/register.js';
import { BitSet } from '../../util/bitset.js';
import type { AllocatedFile } from './profileData.js';

const FILES = [
  ['VGPR', 'vgpr'],
  ['SGPR', 'sgpr'],
  ['AGPR', 'agpr'],
] as const;

/** @param points instructions of the source, which keep their numbers in `fn`. O(points * registers of the file) */
export function allocatedFiles(fn: MachineFunction, points: readonly InstrId[]): AllocatedFile[] {
  const live = liveAt(fn, points);
  return FILES.flatMap(([name, prefix]): AllocatedFile[] => {
    const lowest = unitsOfFile(fn, prefix);
    const rows = live.map((units) => rowOf(lowest, units));
    if (rows.every((r) => r.reach === 0)) return [];
    const top = rows.reduce((a, b) => (a.reach < b.reach ? b : a));
    const holes = rows.reduce((a, b) => (a.reach - a.used < b.reach - b.used ? b : a));
    const wide = widestUse(fn, prefix);
    return [
      {
        name,
        used: rows.map((r) => r.used),
        reach: rows.map((r) => r.reach),
        widestGap: rows.map((r) => r.widestGap),
        widestTuple: wide,
        text: textOf(name, top, holes, wide),
      },
    ];
  });
}

interface FileRow {
  readonly used: number;
  /** the highest that is in use, plus one */
  readonly reach: number;
  readonly gaps: number;
  readonly widestGap: number;
}

/** `VGPR: 52 reached, 45 in use there; most holes 9 in 3 gaps, the widest 4 for tuples of up to 8` */
function textOf(name: string, top: FileRow, holes: FileRow, widestTuple: number): string {
  const head = `${name}: ${top.reach} reached for ${top.used} in use`;
  const n = holes.reach - holes.used;
  if (n === 0) return `${head}, no holes`;
  const gaps = `${n} in ${holes.gaps} gap${holes.gaps === 1 ? '' : 's'}, the widest ${holes.widestGap}`;
  const fits = holes.widestGap < widestTuple ? `: too narrow for tuples of ${widestTuple}` : '';
  return `${head}; most holes ${gaps}${fits}`;
}

/** The units of each register of a file. */
function unitsOfFile({ tables }: MachineFunction, prefix: string): readonly (readonly number[])[] {
  const { unitBegin, unitEnd, unitList } = tables;
  return Array.from(tables.numberedRegs(prefix), (reg) =>
    Array.from(unitList.subarray(unitBegin[reg], unitEnd[reg]) as ArrayLike<number>),
  );
}

function rowOf(file: readonly (readonly number[])[], live: BitSet | undefined): FileRow {
  let [used, reach, gaps, widestGap] = [0, 0, 0, 0];
  if (live === undefined) return { used, reach, gaps, widestGap };
  for (let n = 0; n < file.length; n++) {
    if (!file[n]!.some((u) => live.has(u))) continue;
    used++;
    if (reach < n) {
      gaps++;
      widestGap = Math.max(widestGap, n - reach);
    }
    reach = n + 1;
  }
  return { used, reach, gaps, widestGap };
}

/** 32-bit registers of the widest register of a file that an instruction names. */
function widestUse(fn: MachineFunction, prefix: string): number {
  const { tables } = fn;
  let widest = 1;
  const seen = new Set<number>();
  for (let o = 0; o < fn.nOperands; o++) {
    const reg = fn.opVal[o]!;
    if (fn.opKind[o] !== OperandKind.Register || !isPhysicalReg(reg) || seen.has(reg)) continue;
    seen.add(reg);
    // `vgpr1_lo16` is a half of one.
    const parts = tables.regName(reg).split('_');
    widest = Math.max(widest, parts.filter((part) => part.startsWith(prefix)).length);
  }
  return widest;
}

/** Units that hold a value at an instruction, its results included. Reserved SGPRs are not counted: nothing is allocated to them. */
function liveAt(fn: MachineFunction, points: readonly InstrId[]): (BitSet | undefined)[] {
  const wanted = new Set(points);
  const { tables } = fn;
  const { unitBegin, unitEnd, unitList, nRegUnits } = tables;
  const traits = opcodeTraits(tables);
  const reserved = new ReservedRegs(fn);
  const isLeftOut = (reg: number): boolean => !/^[vas]gpr/.test(tables.regName(reg)) || reserved.isReserved(reg);
  const leftOut = new Map<number, boolean>();
  const unitsOf = (reg: number): ArrayLike<number> => {
    let out = leftOut.get(reg);
    if (out === undefined) leftOut.set(reg, (out = isLeftOut(reg)));
    return out ? [] : (unitList.subarray(unitBegin[reg], unitEnd[reg]) as ArrayLike<number>);
  };
  const found = new Map<InstrId, { readonly here: BitSet; readonly before: BitSet }>();
  for (let b = 0; b < fn.blocks.length; b++) {
    const live = new BitSet(nRegUnits);
    for (const s of fn.blocks[b]!.successors)
      for (const { reg } of fn.blocks[s]!.liveIns) Array.from(unitsOf(reg)).forEach((u) => live.add(u));
    for (let p = fn.blockEnd[b]! - 1; p >= fn.blockBegin[b]!; p--) {
      const i = fn.order[p]!;
      if ((traits[fn.opcode[i]!]! & OpcodeTrait.Debug) !== 0) continue;
      const here = new BitSet(nRegUnits);
      here.copyFrom(live);
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!isPhysicalReg(fn.opVal[o]!) || (fn.opFlags[o]! & OpFlag.Def) === 0) continue;
        const units = unitsOf(fn.opVal[o]!);
        for (let k = 0; k < units.length; k++) {
          here.add(units[k]!);
          live.delete(units[k]!);
        }
      }
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!isPhysicalReg(fn.opVal[o]!) || (fn.opFlags[o]! & (OpFlag.Def | OpFlag.Undef)) !== 0) continue;
        const units = unitsOf(fn.opVal[o]!);
        for (let k = 0; k < units.length; k++) live.add(units[k]!);
      }
      if (!wanted.has(i)) continue;
      const before = new BitSet(nRegUnits);
      before.copyFrom(live);
      here.unionWith(live);
      found.set(i, { here, before });
    }
  }
  // Copies that became copies to themselves are gone: nothing changes there.
  let behind: BitSet | undefined;
  const sets: (BitSet | undefined)[] = new Array<BitSet | undefined>(points.length);
  for (let k = points.length - 1; k >= 0; k--) {
    const at = found.get(points[k]!);
    sets[k] = at?.here ?? behind;
    behind = at?.before ?? behind;
  }
  return sets;
}
