/**
 * The text that `llc -run-pass=amdgpu-print-rp` writes to stderr (GCNRegPressurePrinter, LLVM 22; docs/llvm/register-pressure.md, 3), and the
 * per-instruction numbers after it.
 */
import { BundleFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { GCNDownwardRPTracker, GCNUpwardRPTracker } from '../../analysis/gcnTrackers.js';
import {
  VRegPressureFacts,
  incPressure,
  newPressure,
  numSGPRs,
  numVGPRs,
  type Pressure,
} from '../../analysis/gcnPressure.js';
import { computeLiveIntervals, type LiveIntervals } from '../../analysis/liveIntervals.js';
import { DenseMapOrder } from '../../util/denseMapOrder.js';
import { TextBuilder } from '../../util/textBuilder.js';
import { BlockLiveness, type BlockSets, type LiveRegSet } from '../../analysis/liveSets.js';

export interface PrintPressureOptions {
  /** use the downward tracker (`-amdgpu-print-rp-downward`) */
  readonly downward?: boolean;
  /** change the function as LLVM's analysis does (dead flags, split registers) instead of a clone of it */
  readonly inPlace?: boolean;
  /** what LLVM's analysis changes is done */
  readonly hasIntervals?: boolean;
  /** the stand-alone text of an instruction, without line break */
  readonly printInstr: (fn: MachineFunction, i: InstrId) => string;
}

/** 16 upper-case hexadecimal digits. */
export function printLaneMask(lo: number, hi: number): string {
  const h = (hi >>> 0).toString(16).padStart(8, '0');
  return (h + (lo >>> 0).toString(16).padStart(8, '0')).toUpperCase();
}

/** `%N`: LLVM prints these sets without asking for names. */
const printVReg = (v: number): string => `%${v}`;

/** ` %N:MASK`, with the texts of masks kept: a large function prints the same few masks a million times. */
class LaneMaskTexts {
  /** by low half, for masks without high half */
  private readonly texts = new Map<number, string>();

  print(v: number, lo: number, hi: number): string {
    let text: string | undefined;
    if (hi === 0) {
      text = this.texts.get(lo);
      if (text === undefined) {
        text = printLaneMask(lo, 0);
        this.texts.set(lo, text);
      }
    } else {
      text = printLaneMask(lo, hi);
    }
    return ` ${printVReg(v)}:${text}`;
  }

  /** All registers with lanes. */
  printSet(set: RegSet): string {
    let text = '';
    for (let k = set.from; k < set.to; k++) {
      if ((set.lo[k] | set.hi[k]) !== 0) text += this.print(set.vreg[k], set.lo[k], set.hi[k]);
    }
    return text;
  }
}

/** A run of a family of sets, by ascending register. */
interface RegSet {
  readonly vreg: ArrayLike<number>;
  readonly lo: ArrayLike<number>;
  readonly hi: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
}

const EMPTY_SET: RegSet = { vreg: [], lo: [], hi: [], from: 0, to: 0 };

function setOfBlock(sets: BlockSets, b: BlockId): RegSet {
  return { vreg: sets.vreg, lo: sets.lo, hi: sets.hi, from: sets.begin[b], to: sets.begin[b + 1] };
}

/** What a tracker holds; `usual` (the set of the intervals) when that is the same. */
function setOfTracker(live: LiveRegSet, usual: RegSet): RegSet {
  if (isSame(live, usual)) return usual;
  const vreg = [...live.regs.subarray(0, live.size)].sort((x, y) => x - y);
  return { vreg, lo: vreg.map((v) => live.lo[v]), hi: vreg.map((v) => live.hi[v]), from: 0, to: vreg.length };
}

function isSame(live: LiveRegSet, set: RegSet): boolean {
  if (live.size !== set.to - set.from) return false;
  for (let k = set.from; k < set.to; k++) {
    const v = set.vreg[k];
    if (live.lo[v] !== set.lo[k] || live.hi[v] !== set.hi[k]) return false;
  }
  return true;
}

/** Texts of SGPR and VGPR counts, left-justified in five columns: a large function prints the same few a thousand times. */
const countTexts: string[][] = [];

function printCounts(sgprs: number, vgprs: number): string {
  const texts = (countTexts[sgprs] ??= []);
  return (texts[vgprs] ??= `    ${String(sgprs).padEnd(5)} ${String(vgprs).padEnd(5)}`);
}

function printPressure(p: Pressure): string {
  return printCounts(numSGPRs(p) | 0, numVGPRs(p, false) | 0);
}

/**
 * The whole report of one function, from `---` to `...` and a line break. Unless `inPlace`, the function is left alone: like
 * LLVM's analysis this renumbers registers and changes flags, but on a clone.
 * @llvm GCNRegPressure.cpp GCNRegPressurePrinter::runOnMachineFunction
 */
export function printRegisterPressure(original: MachineFunction, options: PrintPressureOptions): string {
  const fn = options.inPlace === true ? original : original.clone();
  const lis = computeLiveIntervals(fn, { edit: options.hasIntervals !== true });
  const facts = new VRegPressureFacts(fn);
  const borders = new BlockLiveness(lis);
  const tracker =
    options.downward === true ? new GCNDownwardRPTracker(lis, facts, true) : new GCNUpwardRPTracker(lis, facts);
  const out = new TextBuilder();
  out.add(`---\nname: ${fn.header.name}\nbody:             |\n`);
  const sgprs: Int32Array = new Int32Array(2 * fn.nInstrs);
  const vgprs: Int32Array = new Int32Array(2 * fn.nInstrs);
  const masks = new LaneMaskTexts();
  for (let b = 0; b < fn.blocks.length; b++) {
    const { irName, irBlockRef } = fn.blocks[b];
    const suffix = irName !== null ? `.${irName}` : irBlockRef !== null ? ` (${irBlockRef})` : '';
    out.add(`  bb.${b}${suffix}:\n`);
    const begin = fn.blockBegin[b];
    const end = fn.blockEnd[b];
    const { order, bundle } = fn;
    const isIndexed = (i: InstrId): boolean =>
      (bundle[i] & BundleFlag.BundledPred) === 0 && lis.indexes.instrIndex[i] >= 0;
    const lisLiveIn = setOfBlock(borders.liveIn, b);
    const lisLiveOut = setOfBlock(borders.liveOut, b);
    let liveIn = lisLiveIn;
    let liveOut = lisLiveOut;
    let last = '';
    let walk: () => void;
    if (tracker instanceof GCNUpwardRPTracker) {
      walk = () => {
        tracker.resetToSet(borders.liveOut, b);
        last = printPressure(tracker.cur);
        for (let p = end - 1; p >= begin; p--) {
          const i = order[p];
          if (!isIndexed(i)) continue;
          tracker.clearMax();
          tracker.recede(i);
          sgprs[2 * i] = numSGPRs(tracker.cur);
          vgprs[2 * i] = numVGPRs(tracker.cur, false);
          sgprs[2 * i + 1] = numSGPRs(tracker.max);
          vgprs[2 * i + 1] = numVGPRs(tracker.max, false);
        }
      };
      walk();
      liveIn = setOfTracker(tracker.live, lisLiveIn);
    } else {
      let hasInstr = false;
      walk = () => {
        tracker.resetToSet(borders.liveIn, b);
        for (let p = begin; p < end; p++) {
          const i = order[p];
          if (!isIndexed(i)) continue;
          hasInstr = true;
          sgprs[2 * i] = numSGPRs(tracker.cur);
          vgprs[2 * i] = numVGPRs(tracker.cur, false);
          tracker.advanceToNext(i);
          sgprs[2 * i + 1] = numSGPRs(tracker.cur);
          vgprs[2 * i + 1] = numVGPRs(tracker.cur, false);
          tracker.advanceBeforeNext(i, tracker.slotAfter(b, p));
        }
      };
      walk();
      liveOut = setOfTracker(tracker.live, lisLiveOut);
      if (!hasInstr && end > begin) {
        // LLVM's tracker finds no instruction to start at and stays empty.
        liveIn = EMPTY_SET;
        if (lisLiveOut.to > lisLiveOut.from) liveOut = EMPTY_SET;
        last = printCounts(0, 0);
      } else {
        last = printPressure(tracker.cur);
      }
    }
    out.add(`    Live-in: ${masks.printSet(liveIn)}\n`);
    if (tracker instanceof GCNUpwardRPTracker && liveIn !== lisLiveIn) {
      const trackedOrder = orderInLLVM(tracker.live, walk);
      addMismatch(out, masks, lisLiveIn, tracker.live, trackedOrder);
    }
    out.add('    SGPR  VGPR\n');
    for (let p = begin; p < end; p++) {
      const i = order[p];
      if ((bundle[i] & BundleFlag.BundledPred) !== 0) continue;
      if (!isIndexed(i)) {
        out.add(`${' '.repeat(17)}${options.printInstr(fn, i)}\n`);
        continue;
      }
      out.add(`${printCounts(sgprs[2 * i], vgprs[2 * i])}\n`);
      out.add(`${printCounts(sgprs[2 * i + 1], vgprs[2 * i + 1])}  ${options.printInstr(fn, i)}\n`);
    }
    out.add(`${last}\n`);
    out.add(`    Live-out:${masks.printSet(liveOut)}\n`);
    if (tracker instanceof GCNDownwardRPTracker && (liveOut !== lisLiveOut || tracker.nStrays > 0)) {
      if (liveOut === EMPTY_SET) tracker.live.clear();
      // A set that counts no entries is not walked.
      const isWalked = liveOut !== EMPTY_SET && tracker.live.size !== tracker.nStrays;
      const trackedOrder = isWalked ? orderInLLVM(tracker.live, walk) : [];
      addMismatch(out, masks, lisLiveOut, tracker.live, trackedOrder);
    }
    addLiveThrough(out, lis, facts, masks, liveIn, liveOut, b);
  }
  out.add('...\n');
  return out.text();
}

/**
 * Registers that stay live from the first to the last slot of the block without a new value, and their pressure.
 * @llvm GCNRegPressure.cpp getRegLiveThroughMask
 */
function addLiveThrough(
  out: TextBuilder,
  lis: LiveIntervals,
  facts: VRegPressureFacts,
  masks: LaneMaskTexts,
  liveIn: RegSet,
  liveOut: RegSet,
  b: BlockId,
): void {
  const start = lis.indexes.startOf(b);
  const lastSlot = lis.indexes.lastSlotOf(b);
  const isThrough = (range: number): boolean => {
    const s = lis.segmentAt(range, start);
    return s >= 0 && lis.segEnd[s] > lastSlot;
  };
  const p = newPressure();
  let text = '    Live-thr:';
  let k = liveOut.from;
  for (let j = liveIn.from; j < liveIn.to; j++) {
    const v = liveIn.vreg[j];
    while (k < liveOut.to && liveOut.vreg[k] < v) k++;
    if (k === liveOut.to) break;
    if (liveOut.vreg[k] !== v) continue;
    const commonLo = liveIn.lo[j] & liveOut.lo[k];
    const commonHi = liveIn.hi[j] & liveOut.hi[k];
    let lo = 0;
    let hi = 0;
    if (lis.subRange[v] < 0) {
      if (isThrough(lis.mainRange[v])) {
        lo = commonLo;
        hi = commonHi;
      }
    } else {
      for (let r = lis.subRange[v]; r >= 0; r = lis.nextSubRange[r]) {
        if ((lis.laneLo[r] & ~commonLo) !== 0 || (lis.laneHi[r] & ~commonHi) !== 0 || !isThrough(r)) continue;
        lo |= lis.laneLo[r];
        hi |= lis.laneHi[r];
      }
    }
    if ((lo | hi) === 0) continue;
    text += masks.print(v, lo, hi);
    incPressure(p, facts, v, 0, 0, lo, hi);
  }
  out.add(`${text}\n${printPressure(p)}\n`);
}

/** The registers of a tracker's set as LLVM walks them. `walk`: what filled the set; it runs again. */
function orderInLLVM(live: LiveRegSet, walk: () => void): number[] {
  const journal = new DenseMapOrder();
  live.journal = journal;
  walk();
  live.journal = null;
  return journal.keys();
}

/**
 * LLVM's report when the tracker ends with another set than the intervals say (PHIs, badly defined registers). `trackedOrder`: the
 * tracked registers as LLVM walks them.
 */
function addMismatch(
  out: TextBuilder,
  masks: LaneMaskTexts,
  reported: RegSet,
  tracked: LiveRegSet,
  trackedOrder: readonly number[],
): void {
  out.add(`    mis LIS: ${masks.printSet(reported)}\n`);
  const positions = new Map<number, number>();
  const reportedOrder = new DenseMapOrder();
  for (let k = reported.from; k < reported.to; k++) {
    positions.set(reported.vreg[k], k);
    reportedOrder.insert(reported.vreg[k]);
  }
  for (const v of trackedOrder) {
    const k = positions.get(v);
    const mask = printLaneMask(tracked.lo[v], tracked.hi[v]);
    if (k === undefined) {
      out.add(`      ${printVReg(v)}:L${mask} isn't found in LIS reported set\n`);
      continue;
    }
    if (tracked.lo[v] === reported.lo[k] && tracked.hi[v] === reported.hi[k]) continue;
    const lis = printLaneMask(reported.lo[k], reported.hi[k]);
    out.add(`      ${printVReg(v)} masks doesn't match: LIS reported ${lis}, tracked ${mask}\n`);
  }
  for (const v of reportedOrder.keys()) {
    if (tracked.has(v)) continue;
    const k = positions.get(v)!;
    out.add(`      ${printVReg(v)}:L${printLaneMask(reported.lo[k], reported.hi[k])} isn't found in tracked set\n`);
  }
}
