/**
 * The schedule of a function as edits of its text: instruction lines trade places, everything between them (comments, CHECK lines,
 * labels) stays where it is. Flags that depend on the order (`killed`, `dead`, `undef`) become those that llc would print.
 *
 * Instructions move between two boundaries of a block only, so the lines between the same two boundaries are the places to fill.
 * Rematerialization may leave a place empty or put two instructions into one. It also ties regions together: one that lost a
 * definition cannot be edited without those that got copies of it.
 */
import { BundleFlag, OpFlag, OperandKind, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { InstrRoles } from '../scheduling/regions.js';
import type { TracedSchedule } from '../scheduling/trace/collector.js';
import type { ScheduleTrace } from '../scheduling/trace/scheduleTrace.js';
import { occupancyEdit } from './occupancyEdit.js';
import type { FunctionView } from './snapshot.js';

/** Offsets in the document. */
export interface OffsetEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/**
 * Edits in ascending order; empty when the function is scheduled already. `regions` null = the whole function, with the key
 * `occupancy` of its header where llc would print another one; else the numbers of the regions to edit.
 */
export function scheduleEdits(
  view: FunctionView,
  { fn: scheduled, trace }: TracedSchedule,
  text: string,
  regions: ReadonlySet<number> | null = null,
): OffsetEdit[] {
  const { fn } = view;
  if (fn === null || fn.source === null) return [];
  const isIn = regions === null ? null : membership(trace, regions);
  const edits = new Rearrangement(view, fn, scheduled, text).edits(isIn);
  const header = regions === null ? occupancyEdit(view, scheduled, text) : null;
  return header === null ? edits : [header, ...edits].sort((x, y) => x.start - y.start);
}

/** A region with those that rematerialization ties to it, in both directions, and so on. */
export function tiedRegions({ regions, rematerialized, rematUndone }: ScheduleTrace, region: number): Set<number> {
  const tied = new Set([region]);
  if (rematUndone || rematerialized.length === 0) return tied;
  const home = new Map<number, number>();
  for (const r of regions) for (const i of [...r.newOrder, ...r.oldOrder]) home.set(i, r.region);
  for (let size = 0; size !== tied.size;) {
    size = tied.size;
    for (const { def, clone } of rematerialized) {
      const ends = [home.get(def) ?? -1, home.get(clone) ?? -1];
      if (ends.some((r) => tied.has(r))) for (const r of ends) if (r >= 0) tied.add(r);
    }
  }
  return tied;
}

/** Does an instruction, of the source or made by the scheduler, belong to one of the regions? */
function membership(trace: ScheduleTrace, regions: ReadonlySet<number>): (i: InstrId) => boolean {
  const members = new Set<InstrId>();
  for (const r of trace.regions)
    if (regions.has(r.region)) for (const i of [...r.oldOrder, ...r.newOrder]) members.add(i);
  return (i) => members.has(i);
}

class Rearrangement {
  private readonly roles: InstrRoles;

  constructor(
    private readonly view: FunctionView,
    private readonly before: MachineFunction,
    private readonly after: MachineFunction,
    private readonly text: string,
  ) {
    this.roles = new InstrRoles(after);
  }

  /** `isIn` null = everything; a region lies within one stretch. */
  edits(isIn: ((i: InstrId) => boolean) | null): OffsetEdit[] {
    const out: OffsetEdit[] = [];
    for (let b = 0; b < this.before.blocks.length; b++) {
      const places = this.stretches(this.before, b);
      const fillings = this.stretches(this.after, b);
      // boundaries are never moved or removed, so both have the same stretches
      for (let k = 0; k < places.length; k++) {
        const stretch = places[k] ?? [];
        if (isIn === null || stretch.some(isIn)) this.fill(stretch, fillings[k] ?? [], out);
      }
    }
    return out.sort((x, y) => x.start - y.start);
  }

  /** Instructions of a block (bundles by their header) cut behind each boundary. */
  private stretches(fn: MachineFunction, b: number): InstrId[][] {
    const out: InstrId[][] = [[]];
    for (let p = fn.blockBegin[b] ?? 0; p < (fn.blockEnd[b] ?? 0); p++) {
      const i = fn.order[p] ?? 0;
      if (((fn.bundle[i] ?? 0) & BundleFlag.BundledPred) !== 0) continue;
      out[out.length - 1]?.push(i);
      if (this.roles.isBoundary(i)) out.push([]);
    }
    return out;
  }

  private fill(places: readonly InstrId[], instrs: readonly InstrId[], out: OffsetEdit[]): void {
    places.forEach((place, k) => {
      const { start, end } = this.rangeOf(place);
      const isLast = k === places.length - 1;
      const here = isLast ? instrs.slice(k) : instrs.slice(k, k + 1);
      if (here.length === 0) {
        const lineStart = this.text.lastIndexOf('\n', start - 1) + 1;
        out.push({
          start: this.text.slice(lineStart, start).trim() === '' ? lineStart : start,
          end: end + 1,
          newText: '',
        });
        return;
      }
      const indent = this.text.slice(this.text.lastIndexOf('\n', start - 1) + 1, start).replace(/\S/g, ' ');
      const newText = here.map((i) => this.textOf(i)).join(`\n${indent}`);
      if (newText !== this.text.slice(start, end)) out.push({ start, end, newText });
    });
  }

  /** An instruction from its first to its last character; a bundle up to its closing brace. */
  private rangeOf(i: InstrId): { start: number; end: number } {
    const { source, bundle } = this.before;
    if (source === null) return { start: 0, end: 0 };
    const { start } = source.instrRange(i);
    let last = i;
    while (((bundle[last] ?? 0) & BundleFlag.BundledSucc) !== 0) last++;
    let { end } = source.instrRange(last);
    if (last !== i) {
      const brace = this.text.indexOf('}', this.view.start + end);
      if (brace >= 0) end = brace + 1 - this.view.start;
    }
    return { start: this.view.start + start, end: this.view.start + end };
  }

  /** The text of an instruction with the flags of the schedule. One that the scheduler made is spelled like the one it copies. */
  private textOf(i: InstrId): string {
    const model = i < this.before.nInstrs ? i : this.originOf(i);
    const { start, end } = this.rangeOf(model);
    const { source } = this.before;
    if (source === null) return '';
    const edits: OffsetEdit[] = [];
    let m = model;
    let s = i;
    for (;;) {
      const n = this.before.numOperands(m);
      for (let k = 0; k < n; k++) {
        const was = (this.before.opBegin[m] ?? 0) + k;
        const is = (this.after.opBegin[s] ?? 0) + k;
        if (this.before.opKind[was] !== OperandKind.Register) continue;
        const mask = OpFlag.Kill | OpFlag.Dead | OpFlag.Undef;
        if ((((this.before.opFlags[was] ?? 0) ^ (this.after.opFlags[is] ?? 0)) & mask) === 0) continue;
        const r = source.operandRange(m, k);
        const at = this.view.start + r.start;
        edits.push({
          start: at,
          end: this.view.start + r.end,
          newText: withFlags(this.text.slice(at, this.view.start + r.end), this.after.opFlags[is] ?? 0),
        });
      }
      if (((this.before.bundle[m] ?? 0) & BundleFlag.BundledSucc) === 0) break;
      m++;
      s++;
    }
    edits.sort((x, y) => x.start - y.start);
    let text = '';
    let at = start;
    for (const e of edits) {
      text += this.text.slice(at, e.start) + e.newText;
      at = e.end;
    }
    return text + this.text.slice(at, end);
  }

  /** The instruction of the input that one made by the scheduler is a copy of: same opcode, same first def. */
  private originOf(i: InstrId): InstrId {
    const reg = this.after.opVal[this.after.opBegin[i] ?? 0];
    for (let k = 0; k < this.before.nInstrs; k++) {
      const o = this.before.opBegin[k] ?? 0;
      if (
        this.before.opcode[k] === this.after.opcode[i] &&
        this.after.opVal[this.after.opBegin[k] ?? 0] === reg &&
        this.before.opKind[o] === OperandKind.Register
      )
        return k;
    }
    return 0;
  }
}

const FLAG_WORDS =
  /^(?:(?:implicit-def|implicit|def|internal|dead|killed|undef|early-clobber|renamable|debug-use)\s+)*/;

/** The operand's text with `dead`, `killed` and `undef` as in `flags`, in LLVM's order of flags. */
function withFlags(text: string, flags: number): string {
  const words = FLAG_WORDS.exec(text)?.[0] ?? '';
  const kept = words.split(/\s+/).filter((w) => w !== '' && w !== 'dead' && w !== 'killed' && w !== 'undef');
  const front = kept.filter((w) => w.startsWith('implicit') || w === 'def' || w === 'internal');
  const back = kept.filter((w) => !front.includes(w));
  const own: string[] = [];
  if ((flags & OpFlag.Dead) !== 0) own.push('dead');
  if ((flags & OpFlag.Kill) !== 0) own.push('killed');
  if ((flags & OpFlag.Undef) !== 0) own.push('undef');
  const all = [...front, ...own, ...back];
  return (all.length === 0 ? '' : `${all.join(' ')} `) + text.slice(words.length);
}
