/** Where each virtual register is mentioned inside a region, in its present order. */
import { OpFlag, type InstrId, type MachineFunction, type Place } from '../../../model/machineFunction.js';
import type { SlotIndexes } from '../../../analysis/slotIndexes.js';
import type { Reg } from '../../../model/register.js';
import type { SchedRegion } from '../regions.js';
import type { InstrList, ListPos } from '../../../model/edit/instrList.js';
import type { InstrRoles } from '../regions.js';

/** Places in the region, from 0 on, ascending. */
type Places = readonly number[];

interface RegionIndex {
  /** of the list when the index was made */
  readonly version: number;
  readonly order: readonly InstrId[];
  readonly place: ReadonlyMap<InstrId, number>;
  /** by register, debug instructions left out */
  readonly mentions: ReadonlyMap<Reg, Places>;
  readonly defs: ReadonlyMap<Reg, Places>;
  /** those of `defs` in the order of the text, of registers that were asked about */
  readonly textDefs: Map<Reg, readonly InstrId[]>;
}

const NONE: Places = [];

/** Indexes of the regions that were asked about; made anew, in O(operands), when an instruction has moved since. */
export class RegionMentions {
  private readonly regions = new Map<SchedRegion, RegionIndex>();

  constructor(
    private readonly fn: MachineFunction,
    private readonly list: InstrList,
    private readonly roles: InstrRoles,
    private readonly indexes: SlotIndexes,
  ) {}

  /**
   * The definition of which the text has the value that the register has before `at` (or at the region's end), -1 = none. Where parts of a
   * register are defined in another order than in the text, the n-th definition has the value of the n-th of the text: LiveIntervals::handleMove
   * leaves values where they are and moves what defines them. O(log defs), at the first question about a register O(defs log defs)
   */
  valueAbove(region: SchedRegion, reg: Reg, at: ListPos): InstrId {
    const { defs, order, place, textDefs } = this.index(region);
    const places = defs.get(reg) ?? NONE;
    const k = countBelow(places, place.get(at) ?? order.length);
    if (k === 0) return -1;
    let sorted = textDefs.get(reg);
    if (sorted === undefined) {
      const { instrIndex } = this.indexes;
      sorted = places.map((p) => order[p]).sort((a, b) => instrIndex[a] - instrIndex[b]);
      textDefs.set(reg, sorted);
    }
    return sorted[k - 1];
  }

  /** The instructions from `at` on that mention the register, lazily. */
  *from(region: SchedRegion, reg: Reg, at: ListPos): Iterable<InstrId> {
    const { mentions, order, place } = this.index(region);
    const places = mentions.get(reg) ?? NONE;
    for (let k = countBelow(places, place.get(at) ?? order.length); k < places.length; k++) yield order[places[k]];
  }

  private index(region: SchedRegion): RegionIndex {
    const known = this.regions.get(region);
    if (known?.version === this.list.version) return known;
    const { fn, list, roles } = this;
    const order: InstrId[] = [];
    const place = new Map<InstrId, number>();
    const mentions = new Map<Reg, number[]>();
    const defs = new Map<Reg, number[]>();
    for (let i = region.begin; i !== region.end && i >= 0; i = list.after(i)) {
      const here = order.length;
      order.push(i);
      place.set(i, here);
      if (roles.isDebug(i)) continue;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const reg = fn.opVal[o];
        if (reg >= 0) continue;
        note(mentions, reg, here);
        if ((fn.opFlags[o] & OpFlag.Def) !== 0) note(defs, reg, here);
      }
    }
    const made = { version: list.version, order, place, mentions, defs, textDefs: new Map<Reg, readonly InstrId[]>() };
    this.regions.set(region, made);
    return made;
  }
}

function note(lists: Map<Reg, number[]>, reg: Reg, place: Place): void {
  const own = lists.get(reg);
  if (own === undefined) lists.set(reg, [place]);
  else if (own[own.length - 1] !== place) own.push(place);
}

/** How many of ascending places are below one. */
function countBelow(places: Places, place: Place): number {
  let lo = 0;
  let hi = places.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (places[mid] < place) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}
