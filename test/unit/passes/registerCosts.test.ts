/** Registers allocated with other costs of registers. What they get was confirmed with llc-22 whose table of costs was overwritten with the same numbers. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { provideCostComparison } from '../../../server/src/features/allocation/compareCosts.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { orderCosts, ownCosts } from '../../../server/src/passes/regalloc/registerCosts.js';
import { LLVM22 } from '../../../server/src/target/index.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900'];
const numbers = Array.from({ length: 45 }, (_, n) => n);

/** 45 values live at once in a function that may be called. */
const VALUES = `# RUN: llc ${ARGS.join(' ')} -start-before=greedy,0 -stop-after=virtregrewriter,2 -o - %s
---
name: values
tracksRegLiveness: true
body: |
  bb.0:
${numbers.map((n) => `    S_NOP 0, implicit-def %${n}:vgpr_32`).join('\n')}
${numbers.map((n) => `    S_NOP 0, implicit %${n}`).join('\n')}
    S_SETPC_B64_return undef $sgpr30_sgpr31
...
`;

interface Row {
  readonly costs: string;
  readonly vgpr: number;
  readonly calleeSavedVGPRs: number;
  readonly occupancy: number;
}

describe('costs of registers', () => {
  let folder = '';
  let file = '';

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'costs-'));
    file = join(folder, 'values.mir');
    writeFileSync(file, VALUES);
  });
  after(() => rmSync(folder, { recursive: true }));

  function explain(...args: string[]): { exit: number; out: string; err: string } {
    const io = new BufferedIO();
    const exit = runExplain([...args, file], io);
    return { exit, out: io.out(), err: io.err() };
  }

  function rows(costs: string): (readonly [string, number, number, number])[] {
    const { exit, out, err } = explain('--allocation', '--json', `--costs=${costs}`);
    assert.deepEqual([exit, err], [0, '']);
    const [fn] = (JSON.parse(out) as { functions: { costs: Row[] }[] }).functions;
    return fn!.costs.map((r) => [r.costs, r.vgpr, r.calleeSavedVGPRs, r.occupancy]);
  }

  it('beside llc, whose stripes leave v40 to v47 free', () => {
    assert.deepEqual(rows('all'), [
      ['llc', 53, 0, 4],
      ['uniform', 53, 0, 4],
      ['index', 48, 5, 5],
      ['stripes', 48, 5, 5],
      ['callee-saved', 53, 0, 4],
    ]);
  });

  it('of a list and of a file', () => {
    const expected = [
      ['llc', 53, 0, 4],
      ['own', 64, 16, 4],
    ];
    assert.deepEqual(rows('v0-3:9 v48-52:2'), expected);
    const list = join(folder, 'list.txt');
    writeFileSync(list, '# mine\nv0-3:9,\n$vgpr48-52:2 # last\n');
    assert.deepEqual(
      rows(list).map((row) => row.slice(1)),
      expected.map((row) => row.slice(1)),
    );
  });

  it('as text', () => {
    const { out } = explain('--allocation', '--costs=index');
    assert.match(
      out,
      /^costs {2}VGPR {2}SGPR {2}spilled .*\nllc {6}53 .* 0 \+ 0 {10}4\nindex {4}48 .* 5 \+ 0 {10}5\n/m,
    );
    assert.doesNotMatch(out, /stripes|AGPR/);
  });

  it('says what it cannot read', () => {
    for (const [costs, message] of [
      ['x1:2', /'x1:2' names no register/],
      ['v1:256', /costs are 0 to 255/],
      ['v1:1,v2-4', /'v2-4' is no cost/],
      ['nowhere.txt', /--costs=nowhere.txt: /],
      [' ', /no costs/],
    ] as const) {
      const { exit, err } = explain('--allocation', `--costs=${costs}`);
      assert.notEqual(exit, 0, costs);
      assert.match(err, message);
    }
    assert.match(explain('--costs=index').err, /--costs needs --allocation/);
    assert.match(explain('--allocation', '--register=%1', '--costs=index').err, /cannot be combined with --register/);
  });

  it('in the editor, where the first row is what the lens says', () => {
    const host = new AnalysisHost(false, Infinity);
    const uri = 'file:///costs.mir';
    host.open(uri, 1, VALUES);
    const snapshot = host.snapshot(uri)!;
    const params = { textDocument: { uri }, position: { line: 6, character: 0 } };
    const text = provideCostComparison(snapshot, params, NEVER_CANCELLED) as string;
    assert.match(text, /\nallocated: VGPR 53 \(53 of 64\), SGPR 32, no spills: occupancy 4/);
    assert.match(text, /\n {2}llc {13}53 /);
    assert.match(text, /\n {2}stripes {9}48 /);
    const own = provideCostComparison(snapshot, { ...params, costs: 'v1:x' }, NEVER_CANCELLED) as string;
    assert.match(own, /no cost/);
  });

  it('are those of the dearest part of a tuple', () => {
    const tables = LLVM22.tables;
    const costs = ownCosts('*:3, v2:7 vcc:5', tables) as Uint8Array;
    assert.deepEqual(ownCosts('v2:7 vcc:5, *:3', tables), costs, '`*` after others leaves them');
    const of = (name: string): number => costs[tables.regByName(name)]!;
    assert.deepEqual(['vgpr0_vgpr1', 'vgpr1_vgpr2', 'vgpr2_lo16', 'vcc_lo', 'sgpr5'].map(of), [3, 7, 7, 5, 3]);
  });

  it('in an order, as RegisterClassInfo notes them', () => {
    const costs = Uint8Array.from([0, 1, 1, 2, 2]);
    const of = (...order: number[]): readonly number[] => {
      const { minCost, lastCostChange } = orderCosts(Uint16Array.from(order), costs);
      return [minCost, lastCostChange];
    };
    assert.deepEqual(of(), [255, 0]);
    assert.deepEqual(of(1, 2), [1, 0]);
    assert.deepEqual(of(0, 1, 2, 3, 4), [0, 3]);
    assert.deepEqual(of(3, 4, 1), [1, 2]);
  });
});
