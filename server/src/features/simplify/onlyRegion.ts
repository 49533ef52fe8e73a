/**
 * A function cut down to one of its scheduling regions: what lives into it is defined in a block before it, what lives out of it is read in a block after
 * it, so that the scheduler sees the same instructions under the same pressure.
 */
import { GCNUpwardRPTracker } from '../../analysis/gcnTrackers.js';
import type { PressureSummary } from '../../analysis/summary.js';
import { InstrList } from '../../model/edit/instrList.js';
import type { BlockId, InstrId } from '../../model/machineFunction.js';
import { formRegions, InstrRoles } from '../../passes/scheduler/regions.js';
import type { TextEdit } from '../../text/sourceText.js';
import { eol } from '../fixes/fix.js';
import { instrOnLine } from '../snapshot/locate.js';
import { liveInsText, physicalLiveIns } from '../refactor/blocks.js';
import { checkLinesOf } from '../checks/checkLines.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import type { VRegId } from '../../model/register.js';
import { typeText } from '../words/registerNames.js';

interface Region {
  readonly block: BlockId;
  readonly first: InstrId;
  readonly last: InstrId;
}

export interface RegionCut {
  readonly edits: readonly TextEdit[];
  /** number of instructions in it */
  readonly n: number;
  holdsIn(after: FunctionView): boolean;
}

/** Null where the cursor is in no region, the region is the function, or nothing is known of its registers. */
export function onlyRegion(snapshot: Snapshot, view: FunctionView, offset: number): RegionCut | null {
  const { summary, fn } = view;
  const { text } = snapshot;
  const here = fn?.source ? instrOnLine(snapshot, view, text.positionAt(offset)) : -1;
  if (!summary || !fn?.source || here < 0 || view.body === null) return null;
  const region = regionOf(summary, here);
  if (region === null) return null;
  const { block, first, last } = region;
  const { source } = fn;
  const ids: InstrId[] = [];
  for (let p = fn.blockBegin[block]!; p < fn.blockEnd[block]!; p++) ids.push(fn.order[p]!);
  const from = ids.indexOf(first);
  const to = ids.indexOf(last) + 1;
  if (fn.blocks.length === 1 && from === 0 && to + 1 >= ids.length) return null;
  if (ids.slice(from, to).some((i) => /^(?:G_)?PHI$/.test(fn.tables.opcodeName(fn.opcode[i]!)))) return null;
  const { liveIn, liveOut } = borders(summary, block, first, ids[to] ?? -1);
  const start = view.start + source.instrRange(first).start;
  const code = text.slice(
    text.lineStart(text.lineAt(start)),
    text.lineEnd(text.lineAt(view.start + source.instrRange(last).end)),
  );
  const physical = physicalLiveIns(fn, block, fn.blockBegin[block]! + from, fn.blockBegin[block]! + to);
  const indent = /^ */.exec(code)![0];
  const lead = indent.slice(0, Math.max(2, indent.length - 2));
  const liveIns = physical.length > 0 ? [`${indent}${liveInsText(fn, physical)}`, ''] : [];
  const lines = [
    `${lead}bb.0:`,
    ...liveIns,
    ...liveIn.flatMap((r) => defsOf(summary, r).map((d) => `${indent}${d}`)),
    '',
    `${lead}bb.1:`,
    ...liveIns,
    ...code.split(/\r?\n/).filter((l) => !/^\s*[;#]/.test(l)),
    '',
    `${lead}bb.2:`,
    ...(liveOut.length > 0 ? [`${indent}S_NOP 0, ${liveOut.flatMap((r) => usesOf(summary, r)).join(', ')}`] : []),
    `${indent}S_ENDPGM 0`,
    '',
  ];
  const edits: TextEdit[] = [
    {
      start: view.start + view.body.start,
      end: view.start + view.body.start + view.body.length,
      text: lines.join(eol(snapshot)),
    },
  ];
  for (const line of checkLinesOf(snapshot)) {
    const at = text.lineAt(line.start);
    const isOutside = line.end <= edits[0]!.start || edits[0]!.end <= line.start;
    if (line.fn === view.name && line.suffix !== '-LABEL' && isOutside)
      edits.push({ start: text.lineStart(at), end: text.lineStart(at + 1), text: '' });
  }
  edits.sort((a, b) => a.start - b.start);
  const wanted = ids.slice(from, to).map((i) => pressureAt(summary, i));
  return {
    edits,
    n: to - from,
    holdsIn: ({ summary: now }) => {
      if (!now || now.fn.blocks.length !== 3) return false;
      const own: string[] = [];
      for (let p = now.fn.blockBegin[1]!; p < now.fn.blockEnd[1]!; p++) own.push(pressureAt(now, now.fn.order[p]!));
      return own.join() === wanted.join();
    },
  };
}

const pressureAt = ({ up }: PressureSummary, i: InstrId): string => up.at.map((column) => column[i]).join(' ');

function regionOf({ fn }: PressureSummary, i: InstrId): Region | null {
  const list = new InstrList(fn);
  const own = fn.instrBlock[i]!;
  for (const { block, begin, end } of formRegions(fn, list, new InstrRoles(fn))) {
    if (block !== own) continue;
    let last: InstrId = -1;
    let isHere = false;
    for (let p = begin; p !== end; p = list.after(p)) {
      last = p;
      isHere ||= p === i;
    }
    if (isHere) return { block, first: begin, last };
  }
  return null;
}

interface LiveReg {
  readonly vreg: VRegId;
  readonly lo: number;
  readonly hi: number;
}

/** What lives before the first instruction and before `after`, the one after the last (-1 = the block's end). By register. */
function borders(
  summary: PressureSummary,
  b: BlockId,
  first: InstrId,
  behind: InstrId,
): { liveIn: LiveReg[]; liveOut: LiveReg[] } {
  const { fn } = summary;
  const tracker = new GCNUpwardRPTracker(summary.lis, summary.facts);
  tracker.resetToSet(summary.borders.liveOut, b);
  const now = (): LiveReg[] =>
    Array.from(tracker.live.regs.subarray(0, tracker.live.size), (vreg) => ({
      vreg,
      lo: tracker.live.lo[vreg]!,
      hi: tracker.live.hi[vreg]!,
    })).sort((x, y) => x.vreg - y.vreg);
  let liveOut = now();
  for (let p = fn.blockEnd[b]! - 1; p >= fn.blockBegin[b]!; p--) {
    const i = fn.order[p]!;
    if ((fn.bundle[i]! & 1) === 0) tracker.recede(i);
    if (i === behind) liveOut = now();
    if (i === first) break;
  }
  return { liveIn: now(), liveOut };
}

const nameOf = ({ fn }: PressureSummary, v: number): string =>
  `%${fn.vregs.name[v] ?? fn.vregs.sourceNumber[v]! >>> 0}`;

/** `sub0` and so on, where not all of the register lives. */
function partsOf({ fn, facts }: PressureSummary, { vreg, lo, hi }: LiveReg): string[] | null {
  if (lo === facts.fullLo[vreg] && hi === facts.fullHi[vreg]) return null;
  const { tables } = fn;
  const parts: string[] = [];
  for (let k = 0; k < 32; k++) {
    const idx = tables.subRegIndexByName(`sub${k}`);
    if (idx < 0) break;
    const own = { lo: tables.subRegLaneLo[idx]!, hi: tables.subRegLaneHi[idx]! };
    if (((own.lo & ~lo) | (own.hi & ~hi)) === 0 && (own.lo | own.hi) !== 0) parts.push(`sub${k}`);
  }
  return parts;
}

function defsOf(summary: PressureSummary, live: LiveReg): string[] {
  const { fn } = summary;
  const { regClass, bank, type } = fn.vregs;
  const v = live.vreg;
  const own = typeText(fn, { regClass: regClass[v]!, bank: bank[v]!, type: type[v]! });
  const name = nameOf(summary, v);
  const parts = partsOf(summary, live);
  if (parts === null) return [`${name}:${own} = IMPLICIT_DEF`];
  return parts.map((part, k) => `${k === 0 ? 'undef ' : ''}${name}.${part}:${own} = IMPLICIT_DEF`);
}

const usesOf = (summary: PressureSummary, live: LiveReg): string[] => {
  const name = nameOf(summary, live.vreg);
  const parts = partsOf(summary, live);
  return parts === null ? [`implicit ${name}`] : parts.map((part) => `implicit ${name}.${part}`);
};
