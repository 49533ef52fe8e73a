/** Intervals that are edited: the functions, llc's intervals, random changes and what must hold after them. */
import assert from 'node:assert/strict';
import { IntervalEditor } from '../../server/src/analysis/edit/intervalEditor.js';
import { NO_VALUE, type LiveInterval } from '../../server/src/analysis/edit/liveRange.js';
import { MovedInstr } from '../../server/src/analysis/edit/movedInstr.js';
import { SlotIndexes } from '../../server/src/analysis/slotIndexes.js';
import { FunctionEditor, regOperand } from '../../server/src/model/edit/functionEditor.js';
import { BundleFlag, OpFlag, type MachineFunction } from '../../server/src/model/machineFunction.js';
import { virtReg } from '../../server/src/model/register.js';
import { runLlc } from './llc.js';
import { lowerMir } from './mir.js';
import { randomFunction } from './randomFunction.js';
import { randomSource } from './random.js';

const CPU = 'gfx90a';

export interface NamedFunction {
  readonly seed: number;
  readonly name: string;
  readonly text: string;
}

export function* namedFunctions(first: number, count: number): IterableIterator<NamedFunction> {
  for (let k = 0; k < count; k++) {
    const seed = first * 100_000 + k;
    const name = `f${seed}`;
    const text = randomFunction(seed, name, { undefinedPaths: k % 3 === 2 });
    if (text !== null) yield { seed, name, text };
  }
}

const lower = (text: string): MachineFunction => (lowerMir(text, { cpu: CPU })[0] as MachineFunction).clone();

function editorOf(fn: MachineFunction): IntervalEditor {
  return new IntervalEditor(new FunctionEditor(fn), new SlotIndexes(fn));
}

/** Of each function by name: lines `%N segments  values ...` without the weight, of registers that have operands. */
function llcIntervals(text: string): Map<string, string[]> {
  const args = [
    '-mtriple=amdgcn-amd-amdhsa',
    `-mcpu=${CPU}`,
    '-passes=print<live-intervals>',
    '-o',
    '/dev/null',
    '-x=mir',
  ];
  // The verifier that runs after may refuse what the intervals' own edits have made of a function; they are printed before.
  const { stderr } = runLlc(args, text);
  const found = new Map<string, string[]>();
  for (const part of stderr.split('Live intervals for machine function: ').slice(1)) {
    const lines = part.slice(0, part.indexOf('RegMasks:')).split('\n');
    const intervals = lines.filter((line) => line.startsWith('%')).map((line) => line.replace(/ {2}weight:.*/, ''));
    found.set(/^(\w+):/.exec(part)?.[1] ?? '', intervals);
  }
  return found;
}

function ourIntervals(e: IntervalEditor): string[] {
  const lines: string[] = [];
  for (let v = 0; v < e.editor.fn.vregs.n; v++)
    if (!e.editor.isUnused(virtReg(v))) lines.push(`%${v} ${e.interval(v).print()}`);
  return lines;
}

/** Segments of the whole and of the parts, in numbers of a fresh function; values do not count. */
function liveness(e: IntervalEditor, interval: LiveInterval, fresh: SlotIndexes): string {
  const place = (slot: number): number => {
    const i = e.slots.instrOf(slot);
    if (i >= 0) return fresh.instrIndex[i]! + (slot & 3);
    return (slot & ~3) === e.slots.startOf(e.slots.blockOf(slot)) || e.slots.blockOf(slot) === e.editor.fn.blocks.length
      ? fresh.blockStart[e.slots.blockOf(slot)]! + (slot & 3)
      : NaN;
  };
  const print = (r: { start: number[]; end: number[] }): string => {
    const runs: [number, number][] = [];
    r.start.forEach((at, s) => {
      const last = runs.at(-1);
      if (last !== undefined && last[1] === place(at)) last[1] = place(r.end[s]!);
      else runs.push([place(at), place(r.end[s]!)]);
    });
    return runs.map((x) => x.join('-')).join(' ');
  };
  // An interval keeps parts that its operands no longer tell apart: what counts is where each lane lives.
  const [allLo, allHi] = e.allLanes(interval.vreg);
  const parts: string[] = [];
  for (let lane = 0; lane < 64; lane++) {
    const has = (lo: number, hi: number): boolean => (((lane < 32 ? lo : hi) >>> (lane & 31)) & 1) === 1;
    if (!has(allLo, allHi)) continue;
    const sub = interval.subRanges.find((x) => has(x.laneLo, x.laneHi));
    parts.push(print(interval.subRanges.length === 0 ? interval : (sub ?? { start: [], end: [] })));
  }
  return [print(interval), ...parts].join(' | ');
}

/** Computed, they are LLVM's to the number of each value. */
export function checkComputed(functions: Iterable<NamedFunction>): number {
  const texts: string[] = [];
  const ours = new Map<string, string[]>();
  for (const { name, text } of functions) {
    const e = editorOf(lower(text));
    e.computeAll();
    ours.set(name, ourIntervals(e));
    texts.push(text);
  }
  const count = texts.length;
  while (texts.length > 0) {
    const theirs = llcIntervals(texts.join(''));
    assert.ok(theirs.size > 0);
    for (const [name, intervals] of theirs) assert.deepEqual(ours.get(name), intervals, name);
    // After a function that the verifier refuses the others wait for the next run.
    texts.splice(0, theirs.size);
  }
  return count;
}

/** Whether some read of it is reached by no definition. */
const readsNothing = (interval: LiveInterval): boolean =>
  [interval, ...interval.subRanges].some((range) => range.value.includes(NO_VALUE));

/** After random changes they are those of the changed function, computed anew. */
export function checkChanged({ seed, text }: NamedFunction, steps: number): void {
  const fn = lower(text);
  const e = editorOf(fn);
  const below = randomSource(seed);
  for (let v = 0; v < fn.vregs.n; v++) e.interval(v);
  for (let step = 0; step < steps; step++) {
    change(e, below);
    for (let v = 0; v < fn.vregs.n; v++) {
      const fault =
        e.interval(v).fault() ??
        e
          .interval(v)
          .subRanges.map((s) => s.fault())
          .find((f) => f !== null);
      assert.equal(fault ?? null, null, `seed ${seed}, step ${step}, %${v}`);
    }
  }
  e.editor.finish();
  const indexes = new SlotIndexes(fn);
  const anew = new IntervalEditor(new FunctionEditor(fn), indexes);
  for (let v = 0; v < fn.vregs.n; v++) {
    // What becomes of a segment without a value, LLVM does not know either.
    if (readsNothing(anew.interval(v))) continue;
    assert.equal(liveness(e, e.interval(v), indexes), liveness(anew, anew.interval(v), indexes), `seed ${seed}, %${v}`);
  }
}

/** One change with what it means for the intervals concerned. */
function change(e: IntervalEditor, below: (n: number) => number): void {
  const { editor } = e;
  const { fn } = editor;
  const b = below(fn.blocks.length);
  const instrs: number[] = [];
  for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i))
    if (fn.bundle[i] === 0 && !fn.tables.opcodeName(fn.opcode[i]!).startsWith('S_CBRANCH')) instrs.push(i);
  if (instrs.length === 0) return;
  const i = instrs[below(instrs.length)]!;
  assert.equal(fn.bundle[i]! & BundleFlag.BundledSucc, 0);
  const first = fn.opBegin[i]!;
  const operands = Array.from({ length: fn.opBegin[i + 1]! - first }, (_, k) => first + k).filter(
    (o) => fn.opVal[o]! < 0 && fn.opKind[o] === 0,
  );
  if (operands.length === 0) return;
  const o = operands[below(operands.length)]!;
  const v = ~fn.opVal[o]!;
  switch (below(7)) {
    case 0: {
      // a read goes: what only it needed goes, too
      if (editor.isDef(o) || !editor.reads(o)) return;
      fn.opFlags[o]! |= OpFlag.Undef;
      e.shrinkToUses(v);
      return;
    }
    case 1: {
      // a copy before a whole read: the copy's value is read instead
      if (editor.isDef(o) || !editor.reads(o) || fn.opSub[o] !== 0 || fn.opTied[o]! >= 0) return;
      const w = editor.cloneVReg(v);
      e.insert(
        i,
        fn.tables.opcodeByName('COPY'),
        [regOperand(virtReg(w), OpFlag.Def), regOperand(virtReg(v))],
        below(2) === 0,
      );
      editor.setReg(o, virtReg(w));
      e.recompute(w);
      e.shrinkToUses(v);
      return;
    }
    case 2: {
      // a new read further on
      const later = instrs[below(instrs.length)]!;
      const made = e.insert(later, fn.tables.opcodeByName('KILL'), [regOperand(virtReg(v))]);
      if (e.interval(v).subRanges.length > 0) e.recompute(v);
      else e.extendTo(e.interval(v), [e.slots.ofInstr(made) + 2]);
      return;
    }
    case 3:
      e.splitComponents(v);
      return;
    default:
      move(e, i, b, below);
  }
}

/** Moves an instruction past some neighbours that have no register with it but what both read. */
function move(e: IntervalEditor, i: number, b: number, below: (n: number) => number): void {
  const { editor } = e;
  const { fn, list } = editor;
  const mentions = (of: number): [reg: number, isDef: boolean][] => {
    const found: [number, boolean][] = [];
    for (let o = fn.firstReg(of); o >= 0; o = fn.nextReg(of, o)) found.push([fn.opVal[o]!, editor.isDef(o)]);
    return found;
  };
  const overlap = (x: number, y: number): boolean => x === y || (x > 0 && y > 0 && fn.tables.regsOverlap(x, y));
  const own = mentions(i);
  const mayPass = (other: number): boolean =>
    other >= 0 &&
    fn.bundle[other] === 0 &&
    !/PHI|BRANCH|ENDPGM/.test(fn.tables.opcodeName(fn.opcode[other]!)) &&
    mentions(other).every(([reg, isDef]) => own.every(([mine, amDef]) => !overlap(reg, mine) || !(isDef || amDef)));
  if (/PHI/.test(fn.tables.opcodeName(fn.opcode[i]!))) return;
  const isDown = below(2) === 0;
  let at = i;
  for (let left = 1 + below(8); left > 0; left--) {
    const next = isDown ? list.after(at) : list.before(at);
    if (!mayPass(next)) break;
    at = next;
  }
  if (at === i) return;
  const place = isDown ? list.after(at) : at;
  if (below(3) === 0) {
    e.move(i, place, b);
    return;
  }
  const from = e.slots.ofInstr(i);
  e.slots.remove(i);
  editor.move(i, place, b);
  new MovedInstr(e, i, from, e.slots.insert(i, b)).update();
}
