/** A function in the order in which its registers are allocated, as numbers to compare: its regions, how long its values live, what lives at its peaks. */
import { liveAt } from '../analysis/liveAt.js';
import { Bank, PressureSummary } from '../analysis/summary.js';
import { RegKind } from '../target/api.js';
import { InstrList } from '../model/edit/instrList.js';
import type { BlockId, InstrId, MachineFunction } from '../model/machineFunction.js';
import type { VRegId } from '../model/register.js';
import { RegionLengths } from '../passes/scheduler/modelLength.js';
import { formRegions, InstrRoles } from '../passes/scheduler/regions.js';
import { loopDepths } from './spilledValues.js';

export interface OrderRegion {
  /** as the scheduler counts */
  readonly region: number;
  readonly block: BlockId;
  readonly loopDepth: number;
  /** without debug instructions, in order */
  readonly instrs: readonly InstrId[];
  /** most 32-bit registers that live at an instruction of it; AV registers count as VGPRs */
  readonly vgpr: number;
  readonly agpr: number;
  readonly sgpr: number;
  /** cycles by the scheduling model, no time */
  readonly length: number;
}

export class OrderFacts {
  readonly summary: PressureSummary;
  private readonly loopDepth: (b: BlockId) => number;
  /** slot indexes of the instructions that have one, ascending */
  private readonly slots: Int32Array;

  constructor(readonly fn: MachineFunction) {
    this.summary = new PressureSummary(fn);
    this.loopDepth = loopDepths(fn);
    const { instrIndex } = this.summary.lis.indexes;
    const slots: number[] = [];
    for (let b = 0; b < fn.blocks.length; b++)
      for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
        const slot = instrIndex[fn.order[p]!]!;
        if (slot >= 0 && slot !== slots.at(-1)) slots.push(slot);
      }
    this.slots = Int32Array.from(slots);
  }

  /** O(operands) */
  regions(): OrderRegion[] {
    const { fn, summary } = this;
    const list = new InstrList(fn);
    const roles = new InstrRoles(fn);
    const lengths = new RegionLengths(fn);
    const position = new Int32Array(fn.nInstrs);
    for (let b = 0; b < fn.blocks.length; b++)
      for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) position[fn.order[p]!] = p;
    const at = (i: InstrId, kind: RegKind): number => summary.up.at[kind]![i]!;
    return formRegions(fn, list, roles).map(({ block, begin, end }, region) => {
      const instrs: InstrId[] = [];
      let [vgpr, agpr, sgpr] = [0, 0, 0];
      for (let i = begin; i !== end; i = list.after(i)) {
        vgpr = Math.max(vgpr, at(i, RegKind.VGPR) + at(i, RegKind.AVGPR));
        agpr = Math.max(agpr, at(i, RegKind.AGPR));
        sgpr = Math.max(sgpr, at(i, RegKind.SGPR));
        if (!roles.isDebug(i)) instrs.push(i);
      }
      const to = end < 0 ? fn.blockEnd[block]! : position[end]!;
      const length = lengths.lengthOf(position[begin]!, to);
      return { region, block, loopDepth: this.loopDepth(block), instrs, vgpr, agpr, sgpr, length };
    });
  }

  /** Instructions over which a register lives, holes left out. O(segments log instructions) */
  lifeOf(v: VRegId): number {
    const { lis } = this.summary;
    const range = lis.mainRange[v] ?? -1;
    if (range < 0) return 0;
    let n = 0;
    const begin = lis.segBegin[range]!;
    for (let s = begin; s < begin + lis.segCount[range]!; s++)
      n += this.slotsBelow(lis.segEnd[s]!) - this.slotsBelow(lis.segStart[s]!);
    return n;
  }

  private slotsBelow(slot: number): number {
    const { slots } = this;
    let [lo, hi] = [0, slots.length];
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (slots[mid]! < slot) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  /** Registers that live where a bank has most of them. */
  liveAtPeaks(): Set<VRegId> {
    const { summary } = this;
    const found = new Set<VRegId>();
    for (const [bank, isIn] of BANKS) {
      const { instr, value } = summary.peaks[bank]!;
      if (instr < 0 || value === 0) continue;
      for (const { vreg, kind } of liveAt(summary, instr)) if (isIn(kind)) found.add(vreg);
    }
    return found;
  }
}

const BANKS: readonly (readonly [Bank, (kind: number) => boolean])[] = [
  [Bank.SGPR, (kind) => kind === (RegKind.SGPR as number)],
  [Bank.VGPR, (kind) => kind === (RegKind.VGPR as number) || kind === (RegKind.AVGPR as number)],
  [Bank.AGPR, (kind) => kind === (RegKind.AGPR as number)],
];
