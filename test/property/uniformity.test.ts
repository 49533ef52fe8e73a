/**
 * Uniformity of random functions against llc-22: control flow of any shape, generic and selected MIR, all generations. AMDGPU_MIR_RUNS sets how many, AMDGPU_MIR_SEED=n which
 * (10,000 have been compared). Where llc's own order changes from run to run (docs/llvm/uniformity.md, section 3.5), lists count as sets.
 */
import assert from 'node:assert/strict';
import { computeUniformity } from '../../server/src/analysis/uniformity/uniformity.js';
import { InstrPrinter } from '../../server/src/model/printer/index.js';
import { printUniformity } from '../../server/src/passes/printUniformity/printUniformity.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { lowerMir } from '../support/mir.js';
import { randomUniformityFunction, type UniformityCase } from '../support/randomUniformity.js';
import { runsOr, seedOr } from '../support/switches.js';

const CPUS = ['gfx600', 'gfx803', 'gfx900', 'gfx90a', 'gfx1030', 'gfx1100', 'gfx1200', 'gfx1250'];
const PER_FILE = 25;
const FIRST_SEED = seedOr(1) * 500_000;
const N_FILES = Math.ceil(runsOr(200) / PER_FILE);
/** Branches with five or more joins or divergent exits have an order of their own in each run of llc. */
const MAX_ORDERED = 4;

interface Compared {
  readonly text: string;
  readonly isOrdered: boolean;
}

function ours(text: string, cpu: string): Compared[] {
  return lowerMir(text, { triple: 'amdgcn', cpu }).map((fn) => {
    const uniformity = computeUniformity(fn);
    const isOrdered = [...uniformity.joinsOfBranch].every(
      ([, { joins, divergentExits }]) => joins.length <= MAX_ORDERED && divergentExits.length <= MAX_ORDERED,
    );
    const printer = new InstrPrinter(fn, { standalone: true });
    return { text: printUniformity(uniformity, fn, printer), isOrdered };
  });
}

/** The report with the lines of its lists of cycles and the entries of its list of temporal uses sorted. */
function withoutOrder(report: string): string {
  const [lists = '', ...blocks] = report.split(/\n(?=BLOCK )/);
  const entries = lists.split(/(?=^Value {9}:)/m).map((e, i) => (i > 0 ? e : e.split('\n').sort().join('\n')));
  return [entries.sort().join(''), ...blocks].join('\n');
}

function compareFile(k: number): void {
  const cpu = CPUS[(k >> 1) % CPUS.length]!;
  const cases = Array.from({ length: PER_FILE }, (_, i): UniformityCase => {
    // Large ones, too: where many branches part lanes the joins of most are not looked for.
    const blocks = i === 0 ? 100 + ((k * 13) % 100) : 2 + ((k * 7 + i * 3) % 26);
    return {
      seed: FIRST_SEED + k * PER_FILE + i,
      blocks,
      selected: k % 2 === 1,
      wave32: /^gfx1[0-2]/.test(cpu),
      isVaried: i % 3 > 0,
    };
  });
  const text = cases.map((c, i) => randomUniformityFunction(`f${i}`, c)).join('');
  const run = runLlc(
    ['-mtriple=amdgcn', `-mcpu=${cpu}`, '-run-pass=print-machine-uniformity', '-x', 'mir', '-o', '/dev/null'],
    text,
  );
  assert.equal(run.status, 0, run.stderr.slice(0, 2000));
  const theirs = run.stderr.split(/^(?=MachineUniformityInfo for)/m);
  const reports = ours(text, cpu);
  assert.equal(reports.length, theirs.length);
  reports.forEach((report, i) => {
    const name = `${cpu}, ${JSON.stringify(cases[i])}`;
    if (report.isOrdered) assert.equal(report.text, theirs[i], name);
    else assert.equal(withoutOrder(report.text), withoutOrder(theirs[i]!), name);
  });
}

describe('uniformity of random functions', function () {
  this.timeout(0);
  before(function () {
    needsLlc(this);
  });

  it(`is what llc-22 prints (${N_FILES * PER_FILE} functions)`, () => {
    for (let k = 0; k < N_FILES; k++) compareFile(k);
  });
});
