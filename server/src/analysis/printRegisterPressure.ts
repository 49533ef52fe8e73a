/**
 * The text that `llc -run-pass=amdgpu-print-rp` writes to stderr (GCNRegPressurePrinter, LLVM 22; spec
 * register-pressure.md, 3), and the per-instruction numbers behind it.
 */
import { BundleFlag, type BlockId, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { GcnDownwardTracker, GcnUpwardTracker } from './gcnTrackers.js';
import { VRegPressureFacts, incPressure, newPressure, numSGPRs, numVGPRs, type Pressure } from './gcnPressure.js';
import { computeLiveIntervals, type LiveIntervals } from './liveIntervals.js';
import { BlockLiveness, type BlockSets, type LiveRegSet } from './liveSets.js';

export interface PrintPressureOptions {
  /** use the downward tracker (`-amdgpu-print-rp-downward`) */
  readonly downward?: boolean;
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

function printSet(sets: BlockSets, b: BlockId): string {
  let text = '';
  for (let k = sets.begin[b]; k < sets.begin[b + 1]; k++) {
    text += ` ${printVReg(sets.vreg[k])}:${printLaneMask(sets.lo[k], sets.hi[k])}`;
  }
  return text;
}

function printCounts(sgprs: number, vgprs: number): string {
  return `    ${String(sgprs).padEnd(5)} ${String(vgprs).padEnd(5)}`;
}

function printPressure(p: Pressure): string {
  return printCounts(numSGPRs(p), numVGPRs(p, false));
}

/**
 * The whole report of one function, from `---` to `...` and a line break. The function is left alone: like LLVM's
 * analysis this renumbers registers and changes flags, but on a clone.
 */
export function printRegisterPressure(original: MachineFunction, options: PrintPressureOptions): string {
  const fn = original.clone();
  const lis = computeLiveIntervals(fn, { edit: true });
  const facts = new VRegPressureFacts(fn);
  const borders = new BlockLiveness(lis);
  const downward = options.downward === true ? new GcnDownwardTracker(lis, facts) : null;
  const upward = downward === null ? new GcnUpwardTracker(lis, facts) : null;
  const lines: string[] = ['---', `name: ${fn.header.name}`, 'body:             |'];
  const sgprs: Int32Array = new Int32Array(2 * fn.nInstrs);
  const vgprs: Int32Array = new Int32Array(2 * fn.nInstrs);
  for (let b = 0; b < fn.blocks.length; b++) {
    const { irName, irBlockRef } = fn.blocks[b];
    const suffix = irName !== null ? `.${irName}` : irBlockRef !== null ? ` (${irBlockRef})` : '';
    lines.push(`  bb.${b}${suffix}:`);
    lines.push(`    Live-in: ${printSet(borders.liveIn, b)}`);
    const begin = fn.blockBegin[b];
    const end = fn.blockEnd[b];
    const { order, bundle } = fn;
    const isIndexed = (i: InstrId): boolean =>
      (bundle[i] & BundleFlag.BundledPred) === 0 && lis.indexes.instrIndex[i] >= 0;
    let last = '';
    if (upward !== null) {
      upward.resetToSet(borders.liveOut, b);
      last = printPressure(upward.cur);
      for (let p = end - 1; p >= begin; p--) {
        const i = order[p];
        if (!isIndexed(i)) continue;
        upward.clearMax();
        upward.recede(i);
        sgprs[2 * i] = numSGPRs(upward.cur);
        vgprs[2 * i] = numVGPRs(upward.cur, false);
        sgprs[2 * i + 1] = numSGPRs(upward.max);
        vgprs[2 * i + 1] = numVGPRs(upward.max, false);
      }
      pushMismatch(lines, borders.liveIn, b, upward.live);
    } else if (downward !== null) {
      downward.resetToSet(borders.liveIn, b);
      for (let p = begin; p < end; p++) {
        const i = order[p];
        if (!isIndexed(i)) continue;
        sgprs[2 * i] = numSGPRs(downward.cur);
        vgprs[2 * i] = numVGPRs(downward.cur, false);
        downward.advanceToNext(i);
        sgprs[2 * i + 1] = numSGPRs(downward.cur);
        vgprs[2 * i + 1] = numVGPRs(downward.cur, false);
        downward.advanceBeforeNext(i, downward.slotAfter(b, p));
      }
      last = printPressure(downward.cur);
    }
    lines.push('    SGPR  VGPR');
    for (let p = begin; p < end; p++) {
      const i = order[p];
      if ((bundle[i] & BundleFlag.BundledPred) !== 0) continue;
      if (!isIndexed(i)) {
        lines.push(`${' '.repeat(17)}${options.printInstr(fn, i)}`);
        continue;
      }
      lines.push(printCounts(sgprs[2 * i], vgprs[2 * i]));
      lines.push(`${printCounts(sgprs[2 * i + 1], vgprs[2 * i + 1])}  ${options.printInstr(fn, i)}`);
    }
    lines.push(last);
    lines.push(`    Live-out:${printSet(borders.liveOut, b)}`);
    if (downward !== null) pushMismatch(lines, borders.liveOut, b, downward.live);
    pushLiveThrough(lines, lis, facts, borders, b);
  }
  lines.push('...', '');
  return lines.join('\n');
}

/** Registers that stay live from the first to the last slot of the block without a new value, and their pressure. */
function pushLiveThrough(
  lines: string[],
  lis: LiveIntervals,
  facts: VRegPressureFacts,
  borders: BlockLiveness,
  b: BlockId,
): void {
  const { liveIn, liveOut } = borders;
  const start = lis.indexes.startOf(b);
  const lastSlot = lis.indexes.lastSlotOf(b);
  const isThrough = (range: number): boolean => {
    const s = lis.segmentAt(range, start);
    return s >= 0 && lis.segEnd[s] > lastSlot;
  };
  const p = newPressure();
  let text = '    Live-thr:';
  let k = liveOut.begin[b];
  for (let j = liveIn.begin[b]; j < liveIn.begin[b + 1]; j++) {
    const v = liveIn.vreg[j];
    while (k < liveOut.begin[b + 1] && liveOut.vreg[k] < v) k++;
    if (k === liveOut.begin[b + 1]) break;
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
    text += ` ${printVReg(v)}:${printLaneMask(lo, hi)}`;
    incPressure(p, facts, v, 0, 0, lo, hi);
  }
  lines.push(text, printPressure(p));
}

/** LLVM's report when the tracker ends with another set than the intervals say (PHIs, badly defined registers). */
function pushMismatch(lines: string[], sets: BlockSets, b: BlockId, live: LiveRegSet): void {
  const begin = sets.begin[b];
  const end = sets.begin[b + 1];
  let same = live.size === end - begin;
  for (let k = begin; same && k < end; k++) {
    same = live.lo[sets.vreg[k]] === sets.lo[k] && live.hi[sets.vreg[k]] === sets.hi[k];
  }
  if (same) return;
  lines.push(`    mis LIS: ${printSet(sets, b)}`);
  const reported = new Map<number, number>();
  for (let k = begin; k < end; k++) reported.set(sets.vreg[k], k);
  for (const v of [...live.regs.subarray(0, live.size)].sort((x, y) => x - y)) {
    const k = reported.get(v);
    const tracked = printLaneMask(live.lo[v], live.hi[v]);
    if (k === undefined) {
      lines.push(`      ${printVReg(v)}:L${tracked} isn't found in LIS reported set`);
    } else if (live.lo[v] !== sets.lo[k] || live.hi[v] !== sets.hi[k]) {
      const lis = printLaneMask(sets.lo[k], sets.hi[k]);
      lines.push(`      ${printVReg(v)} masks doesn't match: LIS reported ${lis}, tracked ${tracked}`);
    }
  }
  for (let k = begin; k < end; k++) {
    const v = sets.vreg[k];
    if (live.has(v)) continue;
    lines.push(`      ${printVReg(v)}:L${printLaneMask(sets.lo[k], sets.hi[k])} isn't found in tracked set`);
  }
}
