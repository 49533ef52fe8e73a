/**
 * Which instructions run with fewer lanes, or with all of the wave: from each change of EXEC along the control flow to where the mask that it saved is put back.
 * Not LLVM's (docs/llvm/uniformity.md, section 7). The mask is the change's result, the operand of SI_LOOP, or what is computed from the same copy of EXEC once control flow was lowered.
 */
import { OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { ExecChange, execChanges } from './execChanges.js';
import type { LaneValues } from './laneValues.js';

export interface ExecRegion {
  readonly begin: InstrId;
  readonly change: ExecChange.Narrowed | ExecChange.WholeWaveBegins;
  /** where the lanes come back, on any path */
  readonly ends: readonly InstrId[];
  /** the instructions between, as places [from, to) of the layout, a piece of a block each; not `begin`, not the ends */
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** More than people nest; each costs a walk over the blocks that it governs. */
const MAX_REGIONS = 400;

/** In the order of the layout, the first 400. O(changes of EXEC * blocks) */
export function execRegions(lanes: LaneValues): ExecRegion[] {
  const { fn } = lanes;
  const changes = fn.blocks.map((_, b) => execChanges(lanes, b));
  const place = new Int32Array(fn.nInstrs);
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) place[fn.order[p]] = p;
  const regions: ExecRegion[] = [];
  for (const [b, own] of changes.entries())
    for (const [begin, change] of own) {
      if (change !== ExecChange.Narrowed && change !== ExecChange.WholeWaveBegins) continue;
      if (regions.length === MAX_REGIONS) return regions;
      regions.push({ begin, change, ...walk(fn, changes, place, b, begin, savedMasks(lanes, begin)) });
    }
  return regions;
}

function walk(
  fn: MachineFunction,
  changes: readonly (readonly (readonly [InstrId, ExecChange])[])[],
  place: Int32Array,
  block: BlockId,
  begin: InstrId,
  masks: ReadonlySet<Reg>,
): Pick<ExecRegion, 'ends' | 'spans'> {
  const ends: InstrId[] = [];
  const spans: (readonly [number, number])[] = [];
  const entered = new Set<BlockId>();
  const work: (readonly [BlockId, number])[] = [[block, place[begin] + 1]];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [b, from] = next;
    const stop = changes[b].find(([i, change]) => place[i] >= from && (i === begin || putsBack(fn, i, change, masks)));
    const to = stop === undefined ? fn.blockEnd[b] : place[stop[0]];
    if (to > from) spans.push([from, to]);
    if (stop !== undefined) {
      if (stop[0] !== begin && !ends.includes(stop[0])) ends.push(stop[0]);
      continue;
    }
    for (const s of fn.blocks[b].successors) {
      if (entered.has(s)) continue;
      entered.add(s);
      work.push([s, fn.blockBegin[s]]);
    }
  }
  return { ends: ends.sort((x, y) => place[x] - place[y]), spans: spans.sort((x, y) => x[0] - y[0]) };
}

/** SI_ELSE gives the other lanes their turn: what SI_IF has switched off ends there. */
function putsBack(fn: MachineFunction, i: InstrId, change: ExecChange, masks: ReadonlySet<Reg>): boolean {
  const isElse = fn.tables.opcodeName(fn.opcode[i]) === 'SI_ELSE';
  if (change !== ExecChange.Restored && change !== ExecChange.WholeWaveEnds && !isElse) return false;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
    if ((fn.opFlags[o] & OpFlag.Def) === 0 && masks.has(fn.opVal[o])) return true;
  return false;
}

/** Registers in which lanes wait that the change switches off. */
function savedMasks({ fn, uniformity }: LaneValues, i: InstrId): Set<Reg> {
  const exec = fn.tables.regByName('exec');
  const isMask = (reg: Reg): boolean =>
    isVirtualReg(reg) || (isPhysicalReg(reg) && !fn.tables.regsOverlap(reg, exec) && fn.tables.regName(reg) !== 'scc');
  const named = (of: InstrId, isDef: boolean): Reg[] => {
    const found: Reg[] = [];
    for (let o = fn.firstReg(of); o >= 0; o = fn.nextReg(of, o))
      if (isMask(fn.opVal[o]) && ((fn.opFlags[o] & OpFlag.Def) !== 0) === isDef) found.push(fn.opVal[o]);
    return found;
  };
  const results = named(i, true);
  if (results.length > 0) return new Set(results);
  const masks = new Set(named(i, false));
  if (fn.tables.opcodeName(fn.opcode[i]) === 'SI_LOOP') return masks;
  // `$exec = S_MOV_B64_term %t`, %t = S_AND_B64 %copy, %condition: the others wait in what else is made of %copy or %t.
  for (const mask of [...masks]) {
    const def = isVirtualReg(mask) ? uniformity.uniqueDef(virtRegIndex(mask)) : -1;
    if (def < 0) continue;
    const [copy] = named(def, false);
    for (const source of [mask, ...(copy === undefined ? [] : [copy])]) {
      masks.add(source);
      if (isVirtualReg(source))
        for (const user of uniformity.usersOf(virtRegIndex(source)))
          for (const made of named(user, true)) masks.add(made);
    }
  }
  return masks;
}
