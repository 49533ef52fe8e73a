/**
 * The way back from rematerialization: hoisted definitions give every reader the value that it had. Random structured functions with equal
 * constants, changes of exec, diamonds and loops, their blocks in any order, run lane by lane by a small machine that reads the text.
 */
import assert from 'node:assert/strict';
import { hoistEdit, type RematEdit } from '../../../../../../server/src/features/remat/rematEdit.js';
import type { FunctionView, Snapshot } from '../../../../../../server/src/features/snapshot/snapshot.js';
import type { Hoist } from '../../../../../../server/src/passes/scheduler/remat/advice/hoist.js';
import { openText } from '../../../../../support/cursor.js';
import { needsLlc, runLlc } from '../../../../../support/llc.js';
import { randomSource } from '../../../../../support/random.js';
import { nameOf } from '../../../../../../server/src/features/words/registerNames.js';

const SUBTARGET = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx908'];
const LANES = 4;

type Change = 'none' | 'narrowing' | 'any';

/** Values are read where they are in scope; what a block defines is seen after the construct only where the block dominates that. */
class Writer {
  readonly blocks: string[][] = [];
  private current: string[] = [];
  private n = 2;
  private readonly constants: string[] = [];
  private readonly saved: string[] = [];

  constructor(
    private readonly rnd: (n: number) => number,
    private readonly change: Change,
  ) {}

  write(): string {
    this.open();
    this.current.push('%0:vgpr_32 = COPY $vgpr0', '%1:sreg_64 = COPY $sgpr0_sgpr1');
    this.statements(0);
    this.current.push('S_NOP 0, implicit %0, implicit %1', 'S_ENDPGM 0');
    // The entry comes first, the others in any order.
    const order = this.blocks.map((_, b) => b);
    for (let b = 1; b < order.length; b++) {
      const k = b + this.rnd(order.length - b);
      [order[b], order[k]] = [order[k]!, order[b]!];
    }
    const number = (text: string): string => text.replace(/@(\d+)/g, (_, b) => `%bb.${order.indexOf(Number(b))}`);
    const body = order.map((b, k) => {
      const lines = this.blocks[b]!.map(number);
      const to = lines.flatMap((l) => /%bb\.\d+/.exec(l)?.[0] ?? []);
      const head = [`successors: ${to.join(', ')}`, ...(b === 0 ? ['liveins: $vgpr0, $sgpr0_sgpr1'] : [])];
      return `  bb.${k}:\n${[...head, '', ...lines].map((l) => `    ${l}`.trimEnd()).join('\n')}\n`;
    });
    return `name: f\ntracksRegLiveness: true\nbody: |\n${body.join('\n')}...\n`;
  }

  private open(): number {
    this.current = [];
    return this.blocks.push(this.current) - 1;
  }

  private statements(depth: number): void {
    const scope = [this.constants.length, this.saved.length];
    for (let n = 2 + this.rnd(4); n > 0; n--) {
      const kind = this.rnd(10);
      if (kind < 3) this.constant();
      else if (kind < 5) this.use();
      else if (kind < 7) this.changeExec();
      else if (depth < 3 && kind === 7) this.loop(depth);
      else if (depth < 3) this.branch(depth, kind === 8);
    }
    this.use();
    if (depth > 0) [this.constants.length, this.saved.length] = scope as [number, number];
  }

  private constant(): void {
    const name = `%${this.n++}`;
    const k = 1 + this.rnd(2);
    const from = this.constants.find((c) => c.startsWith('v'))?.slice(1) ?? '%0';
    const kind = this.rnd(4);
    this.current.push(
      kind === 0
        ? `${name}:sreg_32 = S_MOV_B32 ${k}`
        : kind === 1
          ? `${name}:vgpr_32 = V_ADD_U32_e32 ${k}, ${this.rnd(2) === 0 ? '%0' : from}, implicit $exec`
          : `${name}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec`,
    );
    this.constants.push((kind === 0 ? 's' : 'v') + name);
  }

  private use(): void {
    const { constants } = this;
    for (let n = 1 + this.rnd(3); n > 0 && constants.length > 0; n--)
      this.current.push(`S_NOP 0, implicit ${constants[this.rnd(constants.length)]!.slice(1)}`);
  }

  private changeExec(): void {
    if (this.change === 'none') return;
    const kind = this.rnd(this.change === 'any' ? 5 : 4);
    const saved = this.saved[this.rnd(Math.max(1, this.saved.length))];
    if (kind < 2 || saved === undefined) {
      const name = `%${this.n++}`;
      this.current.push(
        `${name}:sreg_64 = S_AND_SAVEEXEC_B64 %1, implicit-def $exec, implicit-def $scc, implicit $exec`,
      );
      this.saved.push(name);
    } else if (kind === 4) this.current.push(`$exec = S_MOV_B64 ${this.rnd(2) === 0 ? -1 : 5}`);
    else
      this.current.push(
        kind === 2 ? `$exec = S_MOV_B64 ${saved}` : `$exec = S_OR_B64 $exec, ${saved}, implicit-def $scc`,
      );
  }

  private jump(from: string[], ...to: number[]): void {
    const [first, second] = to;
    if (second !== undefined) from.push(`S_CBRANCH_SCC0 @${second}, implicit undef $scc`);
    from.push(`S_BRANCH @${first}`);
  }

  private loop(depth: number): void {
    const before = this.current;
    const head = this.open();
    this.jump(before, head);
    this.statements(depth + 1);
    const latch = this.current;
    const after = this.open();
    this.jump(latch, after, head);
  }

  private branch(depth: number, isDiamond: boolean): void {
    const before = this.current;
    const then = this.open();
    this.statements(depth + 1);
    const ends = [this.current];
    const second = isDiamond ? this.open() : -1;
    if (isDiamond) {
      this.statements(depth + 1);
      ends.push(this.current);
    }
    const join = this.open();
    for (const end of ends) this.jump(end, join);
    this.jump(before, then, isDiamond ? second : join);
  }
}

/** What the readers of constants see on one path, lane by lane: a value, `-` where the lane is off, `?` where it was never written. */
function run(text: string, seed: number): string[] {
  const rnd = randomSource(seed);
  const blocks = text.split(/^ {2}bb\.\d+:\n/m).slice(1);
  let exec = 1 + rnd((1 << LANES) - 1);
  const masks = new Map<string, number>([['%1', rnd(1 << LANES)]]);
  const values = new Map<string, (number | null)[]>([['%0', [10, 20, 30, 40]]]);
  const seen: string[] = [];
  const isOn = (lane: number): boolean => ((exec >> lane) & 1) !== 0;
  const maskOf = (word: string): number => masks.get(word) ?? Number(word) & ((1 << LANES) - 1);
  let block = 0;
  for (let steps = 0; steps < 30; steps++) {
    let next = -1;
    for (const line of blocks[block]!.split('\n')) {
      const words = line.trim().split(/,? +/);
      const name = words[0]!.split(':')[0]!;
      const [opcode, a, b] = words.slice(words.indexOf('=') + 1);
      if (line.includes('V_')) {
        const old = values.get(name) ?? new Array<number | null>(LANES).fill(null);
        const from = opcode!.startsWith('V_ADD') ? values.get(b!)! : [0, 0, 0, 0];
        values.set(
          name,
          old.map((was, l) => (!isOn(l) ? was : from[l] === null ? null : from[l]! + Number(a))),
        );
      } else if (opcode === 'S_MOV_B32') values.set(name, new Array<number>(LANES).fill(Number(a)));
      else if (opcode === 'S_AND_SAVEEXEC_B64') {
        masks.set(name, exec);
        exec &= maskOf(a!);
      } else if (opcode === 'S_MOV_B64') exec = maskOf(a!);
      else if (opcode === 'S_OR_B64') exec |= maskOf(b!);
      else if (opcode === 'S_NOP') {
        for (const [, reg] of line.matchAll(/implicit (%\d+)/g))
          if (!masks.has(reg!))
            seen.push(
              Array.from({ length: LANES }, (_, l) => (!isOn(l) ? '-' : (values.get(reg!)?.[l] ?? '?'))).join(' '),
            );
      } else if (opcode === 'S_CBRANCH_SCC0' && rnd(2) === 0) next = Number(/\d+/.exec(a!)![0]);
      else if (opcode === 'S_BRANCH' && next < 0) next = Number(/\d+/.exec(a!)![0]);
      else if (opcode === 'S_ENDPGM') return seen;
    }
    block = next;
  }
  return seen;
}

const applied = (text: string, { edits }: RematEdit): string =>
  [...edits]
    .sort((x, y) => y.start - x.start || y.end - x.end)
    .reduce((t, e) => t.slice(0, e.start) + e.text + t.slice(e.end), text);

/** A reader of what nobody wrote may see anything afterwards. */
const isKept = (was: string, is: string): boolean => {
  const now = is.split(' ');
  return was.split(' ').every((lane, l) => lane === '?' || lane === now[l]);
};

interface Opened {
  readonly text: string;
  readonly snapshot: Snapshot;
  readonly view: FunctionView;
  /** definitions of constants by what they say after the register */
  readonly equal: ReadonlyMap<string, readonly number[]>;
}

function open(seed: number, change: Change): Opened {
  const text = `# RUN: llc ${SUBTARGET.join(' ')} -run-pass=none %s\n---\n${new Writer(randomSource(seed), change).write()}`;
  const { snapshot, view } = firstFunctionOf(text);
  const equal = new Map<string, number[]>();
  for (const [, reg, says] of text.matchAll(/^ *%(\d+):(.*(?:MOV_B32|ADD_U32).*)$/gm))
    equal.set(says!, [...(equal.get(says!) ?? []), Number(reg)]);
  return { text, snapshot, view, equal };
}

/** The way back of the definition of `%n`. */
const hoistOf = ({ view }: Opened, n: number): Hoist | null => {
  const vreg = Array.from({ length: view.fn!.vregs.n }, (_, v) => v).find((v) => nameOf(view.fn!, v) === `%${n}`)!;
  return view.remat!.hoistOf(vreg);
};

/** Without errors, or the case would tell nothing. */
function firstFunctionOf(text: string) {
  const { snapshot } = openText(text);
  const view = snapshot.functions[0]!;
  assert.deepEqual(
    view.diagnostics.map((d) => d.message),
    [],
    text,
  );
  return { snapshot, view };
}

describe('hoisting, the way back from rematerialization', () => {
  /** Moves what can be moved; returns how many were merged and moved alone, and every text. */
  function checkReaders(seed: number): { merged: number; alone: number; edited: string[] } {
    let [merged, alone] = [0, 0];
    const edited: string[] = [];
    const opened = open(seed, seed % 2 === 0 ? 'narrowing' : 'any');
    const { text, snapshot, view, equal } = opened;
    const known = new Set<string>();
    for (const n of [...equal.values()].flat()) {
      const hoist = hoistOf(opened, n);
      // each of several definitions has the same way back
      if (!hoist || known.has(JSON.stringify(hoist))) continue;
      known.add(JSON.stringify(hoist));
      const edit = hoistEdit(snapshot, view, hoist);
      if (!edit) continue;
      if (hoist.defs.length > 1) merged++;
      else alone++;
      const after = applied(text, edit);
      for (let path = 1; path <= 8; path++) {
        const [was, is] = [run(text, path), run(after, path)];
        assert.equal(is.length, was.length);
        const at = was.findIndex((w, k) => !isKept(w, is[k]!));
        assert.ok(at < 0, `seed ${seed}, %${n}: ${was[at]} became ${is[at]} on path ${path}\n${text}\n${after}`);
      }
      edited.push(after.replace(/^# RUN.*\n/, ''));
    }
    return { merged, alone, edited };
  }

  for (let first = 1; first <= 40; first += 4) {
    it(`every reader sees what it saw, in each lane, from seed ${first} on`, () => {
      const all = [0, 1, 2, 3].map((k) => checkReaders(first + k));
      const [merged, alone] = [all.reduce((n, c) => n + c.merged, 0), all.reduce((n, c) => n + c.alone, 0)];
      assert.ok(merged > 0 && alone > 0, `${merged}, ${alone}`);
    });
  }

  it('llc accepts the texts', function () {
    needsLlc(this);
    const edited = Array.from({ length: 8 }, (_, k) => checkReaders(5 * (k + 1)).edited).flat();
    const texts = edited.map((text, k) => text.replace('name: f', `name: f${k}`));
    const run22 = runLlc(['-x', 'mir', ...SUBTARGET, '-run-pass=none', '-o', '/dev/null'], texts.join(''));
    assert.equal(run22.status, 0, run22.stderr);
  });

  it('there is none for copies of physical registers, for masks, and out of the entry', () => {
    for (let seed = 201; seed <= 210; seed++) {
      const opened = open(seed, 'narrowing');
      const masks = Array.from(opened.text.matchAll(/%(\d+):sreg_64 = /g), ([, n]) => Number(n));
      for (const n of [0, ...masks]) assert.equal(hoistOf(opened, n), null, `%${n}\n${opened.text}`);
      for (const defs of opened.equal.values()) {
        const [n] = defs;
        const entry = /bb\.0:[^]*?bb\.1:|bb\.0:[^]*/.exec(opened.text)![0];
        if (defs.length === 1 && entry.includes(`%${n}:`))
          assert.equal(hoistOf(opened, n!), null, `%${n}\n${opened.text}`);
      }
    }
  });

  it('goes past a change of exec that keeps within the lanes of the entry', () => {
    const past = (change: string): boolean => {
      const text = `# RUN: llc ${SUBTARGET.join(' ')} -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0_sgpr1

    %1:sreg_64 = COPY $sgpr0_sgpr1
    S_CBRANCH_SCC0 %bb.2, implicit undef $scc
    S_BRANCH %bb.1

  bb.1:
    ${change}
    %2:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    S_NOP 0, implicit %2
    S_ENDPGM 0

  bb.2:
    %3:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    S_NOP 0, implicit %3
    S_ENDPGM 0
...
`;
      const { snapshot, view } = firstFunctionOf(text);
      const hoist = hoistOf({ text, snapshot, view, equal: new Map() }, 2);
      return (hoist?.defs.length ?? 0) > 1;
    };
    const saved = 'implicit-def $exec, implicit-def $scc, implicit $exec';
    assert.ok(past('S_NOP 1'));
    for (const change of [
      '$exec = S_MOV_B64 %1',
      '$exec = COPY %1',
      `%4:sreg_64 = S_AND_SAVEEXEC_B64 %1, ${saved}`,
      ...['AND', 'ANDN2', 'OR', 'XOR'].map((op) => `$exec = S_${op}_B64 $exec, %1, implicit-def $scc`),
    ])
      assert.ok(past(change), change);
    for (const change of [
      '$exec = S_MOV_B64 -1',
      ...['AND', 'ANDN2', 'OR', 'XOR'].map((op) => `$exec = S_${op}_B64 $exec, 5, implicit-def $scc`),
      ...['OR', 'XOR', 'ANDN2', 'ORN2', 'NAND', 'NOR', 'XNOR'].map(
        (op) => `%4:sreg_64 = S_${op}_SAVEEXEC_B64 %1, ${saved}`,
      ),
      ...['NAND', 'NOR', 'XNOR', 'ORN2'].map((op) => `$exec = S_${op}_B64 $exec, %1, implicit-def $scc`),
      ...['NOT', 'WQM'].map((op) => `$exec = S_${op}_B64 $exec, implicit-def $scc`),
      '$exec = S_BREV_B64 $exec',
      // one that keeps within them does not make up for another
      '$exec = S_MOV_B64 -1\n    $exec = S_MOV_B64 %1',
      '$exec = S_MOV_B64 %1\n    $exec = S_MOV_B64 -1',
      '$exec = S_LSHL_B64 $exec, %1.sub0, implicit-def $scc',
    ])
      assert.ok(!past(change), change);
  });

  it('definitions are equal when they differ in nothing but their register', () => {
    const add = '%2:vgpr_32 = V_ADD_U32_e32 1, %0.sub0, implicit $exec';
    const load =
      '%2:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM undef %5:sreg_64, 0, 0 :: (dereferenceable invariant load (s32), addrspace 4)';
    const same = (t: string): string => t;
    /** `join`: the first line after both */
    const other = (change: (text: string) => string, first = add, join = 'S_NOP 1'): Hoist | null => {
      const second = change(first.replace('%2', '%3'));
      const text = `# RUN: llc ${SUBTARGET.join(' ')} -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0_vgpr1, $vgpr2_vgpr3

    %0:vreg_64 = COPY $vgpr0_vgpr1
    %1:vreg_64 = COPY $vgpr2_vgpr3
    S_CBRANCH_SCC0 %bb.2, implicit undef $scc
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.3

    ${first}
    ${join.includes('PHI') ? 'S_NOP 0' : 'S_NOP 0, implicit %2'}
    S_BRANCH %bb.3

  bb.2:
    successors: %bb.3

    ${second}
    ${join.includes('PHI') ? 'S_NOP 0' : `S_NOP 0, implicit ${second.includes('%3.') ? '%3.sub0' : '%3'}`}

  bb.3:
    ${join}
    S_NOP 0, implicit %0, implicit %1
    S_ENDPGM 0
...
`;
      const { snapshot, view } = firstFunctionOf(text);
      const [one, two] = [2, 3].map((n) => hoistOf({ text, snapshot, view, equal: new Map() }, n));
      assert.ok(one && two, 'alone each can go up');
      if (one.defs.length > 1) assert.deepEqual(one, two);
      return one.defs.length > 1 ? one : null;
    };
    assert.deepEqual(other(same)?.vregs, [2, 3]);
    // users that no copy could serve do not keep a definition where it is
    assert.deepEqual(other(same, add, '%4:vgpr_32 = PHI %2, %bb.1, %3, %bb.2')?.vregs, [2, 3]);
    // what memory says may have changed
    assert.equal(other(same, load), null);
    for (const change of [
      (t: string) => t.replace('V_ADD_U32', 'V_SUB_U32'),
      (t: string) => t.replace(' 1,', ' 2,'),
      (t: string) => t.replace('%0', '%1'),
      (t: string) => t.replace('sub0', 'sub1'),
      (t: string) => t.replace(' %0', ' undef %0'),
      (t: string) => t.replace('vgpr_32', 'vgpr_32_lo256'),
      (t: string) => t.replace('%3:vgpr_32', 'undef %3.sub0:vreg_64'),
      (t: string) => t.replace('1, %0.sub0', '%0.sub0, %1.sub0'),
      (t: string) => t.replace('V_ADD_U32', 'nuw V_ADD_U32'),
      (t: string) => t.replace(' 1, %0.sub0', ' %0.sub0, %0.sub0'),
    ])
      assert.equal(other(change), null, change(add));
  });

  it('equal definitions can always become one where nothing changes exec, and scalar ones anyway', () => {
    let compared = 0;
    for (let seed = 101; seed <= 120; seed++) {
      for (const change of ['none', 'any'] as const) {
        const opened = open(seed, change);
        for (const [says, defs] of opened.equal) {
          if (defs.length < 2 || (change !== 'none' && !says.includes('S_MOV')) || / %[1-9]/.test(says)) continue;
          // those that nobody reads do not count
          const isRead = (n: number): boolean => new RegExp(`implicit %${n}\\b`).test(opened.text);
          const read = defs.filter(isRead);
          if (read.length < 2) continue;
          for (const n of read)
            assert.equal(hoistOf(opened, n)?.defs.length, read.length, `%${n}:${says}\n${opened.text}`);
          compared++;
        }
      }
    }
    assert.ok(compared > 20, `${compared}`);
  });
});
