/**
 * The schedule of a function as edits of its text: instruction lines trade places, everything between them (comments, CHECK lines,
 * labels) stays where it is. Flags that depend on the order (`killed`, `dead`, `undef`) become those that llc would print.
 *
 * Instructions move between two boundaries of a block only, so the lines between the same two boundaries are the places to fill.
 * Rematerialization may leave a place empty or put two instructions into one. It also ties regions together: one that lost a
 * definition cannot be edited without those that got copies of it. A copy with a register of its own gets a number that is free, and
 * debug instructions that describe the old register say `$noreg`.
 */
import type { OffsetEdit } from './offsetEdit.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type InstrId,
  type MachineFunction,
  type BlockId,
} from '../../model/machineFunction.js';
import { InstrPrinter } from '../../model/printer/index.js';
import { InstrRoles } from '../../passes/scheduler/regions.js';
import type { TracedSchedule } from '../../passes/scheduler/trace/collector.js';
import type { ScheduleTrace } from '../../passes/scheduler/trace/scheduleTrace.js';
import { occupancyEdit } from './occupancyEdit.js';
import type { FunctionView } from '../snapshot/snapshot.js';

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
  const edits = new Rearrangement(view, fn, scheduled, trace, text).edits(isIn);
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

/** `%5`, without sub-register and class */
const REGISTER = /%[\w$-]+/;

class Rearrangement {
  private readonly roles: InstrRoles;
  private readonly eol: string;
  /** of the source: a definition that went away is another instruction in the schedule */
  private readonly sourceRoles: InstrRoles;
  /** definition of each copy */
  private readonly originOf = new Map<InstrId, InstrId>();
  /** names of registers that the scheduler made, by index: numbers that the function does not use */
  private readonly newNames = new Map<number, string>();
  /** registers that copies with a register of their own replace, with their definitions */
  private readonly gone = new Map<number, InstrId>();

  constructor(
    private readonly view: FunctionView,
    private readonly before: MachineFunction,
    private readonly after: MachineFunction,
    { rematerialized, rematUndone }: ScheduleTrace,
    private readonly text: string,
  ) {
    this.eol = text.includes('\r\n') ? '\r\n' : '\n';
    this.roles = new InstrRoles(after);
    this.sourceRoles = new InstrRoles(before);
    if (rematUndone) return;
    let next = 0;
    const { n, sourceNumber } = before.vregs;
    for (let v = 0; v < n; v++) next = Math.max(next, (sourceNumber[v] ?? 0) + 1);
    const kept = new Set(after.layout());
    for (const { def, clone } of rematerialized) {
      this.originOf.set(clone, def);
      const old = after.opVal[after.opBegin[def] ?? 0] ?? 0;
      const own = after.opVal[after.opBegin[clone] ?? 0] ?? 0;
      if (own === old) continue;
      if (!kept.has(def)) this.gone.set(~old, def);
      this.newNames.set(~own, `%${next++}`);
    }
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
        else for (const i of stretch) if (this.describesGone(i, isIn)) this.fill([i], [i], out);
      }
    }
    return out.sort((x, y) => x.start - y.start);
  }

  /** A debug instruction names a register whose definition goes away in one of the regions. */
  private describesGone(i: InstrId, isIn: (i: InstrId) => boolean): boolean {
    if (this.gone.size === 0 || !this.sourceRoles.isDebug(i)) return false;
    const { opKind, opVal, opBegin } = this.before;
    for (let o = opBegin[i] ?? 0; o < (opBegin[i + 1] ?? 0); o++) {
      const def = opKind[o] === OperandKind.Register ? this.gone.get(~(opVal[o] ?? 0)) : undefined;
      if (def !== undefined && isIn(def)) return true;
    }
    return false;
  }

  /** Instructions of a block (bundles by their header) cut after each boundary. */
  private stretches(fn: MachineFunction, b: BlockId): InstrId[][] {
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
          end: end + (this.text.startsWith('\r\n', end) ? 2 : 1),
          newText: '',
        });
        return;
      }
      const indent = this.text.slice(this.text.lastIndexOf('\n', start - 1) + 1, start).replace(/\S/g, ' ');
      const newText = here.map((i) => this.textOf(i)).join(`${this.eol}${indent}`);
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
    const model = i < this.before.nInstrs ? i : (this.originOf.get(i) ?? 0);
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
        const r = source.operandRange(m, k);
        const at = this.view.start + r.start;
        const old = this.text.slice(at, this.view.start + r.end);
        const newText = this.operandText(old, was, is, this.sourceRoles.isDebug(m));
        if (newText !== old) edits.push({ start: at, end: this.view.start + r.end, newText });
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

  /** A register operand with the flags and the register of operand `is` of the schedule. */
  private operandText(old: string, was: number, is: number, isDebug: boolean): string {
    const { before, after, newNames } = this;
    const reg = after.opVal[is] ?? 0;
    if (isDebug) return this.gone.has(~reg) ? old.replace(REGISTER, '$$noreg').replace(/\$noreg\.\w+/, '$$noreg') : old;
    const mask = OpFlag.Kill | OpFlag.Dead | OpFlag.Undef;
    const flags = after.opFlags[is] ?? 0;
    let text = old;
    if ((((before.opFlags[was] ?? 0) ^ flags) & mask) !== 0) text = withFlags(text, flags);
    const name = reg === before.opVal[was] ? undefined : newNames.get(~reg);
    if (name === undefined) return text;
    text = text.replace(REGISTER, () => name);
    if ((flags & OpFlag.Def) === 0 || text.includes(':')) return text;
    // the class stands in registers:, which knows nothing of the new one
    const className = new InstrPrinter(after).printRegClassOrBank(~reg);
    return text.replace(/%[\w$-]+(?:\.\w+)?/, (whole) => `${whole}:${className}`);
  }
}

const FLAG_WORDS =
  /^(?:(?:implicit-def|implicit|def|internal|dead|killed|undef|early-clobber|renamable|debug-use)\s+)*/;

/** The operand's text with `dead`, `killed` and `undef` as in `flags`, in LLVM's order of flags. */
export function withFlags(text: string, flags: number): string {
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
