/** "Why is the pressure N here?": the registers that make up the number, with llc's own number as the sum. */
import { strict as assert } from 'node:assert';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { liveAt } from '../../../server/src/analysis/liveAt.js';
import { PressureSummary } from '../../../server/src/analysis/summary.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import type { FunctionView, Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { provideWhy } from '../../../server/src/features/pressure/why.js';
import type { WhyRegister, WhyResult } from '../../../server/src/features/pressure/whyResult.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { pressureOfLlc } from '../../support/printedPressure.js';
import { RANDOM_ARGS, randomSchedule } from '../../support/randomSchedule.js';
import { lowerMir, mirFunction } from '../../support/mir.js';
import { needsShared } from '../../support/skip.js';

const URI = 'file:///folder/why.mir';
const CORPUS = join(__dirname, '../../../../shared/corpus/sched');
const INPUT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $vgpr1, $sgpr4
    %far:vgpr_32 = COPY $vgpr0
    %behind:vgpr_32 = COPY $vgpr1
    %k:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    %s:sreg_32 = COPY $sgpr4

  bb.1:
    successors: %bb.1, %bb.2
    %pair:vreg_64_align2 = IMPLICIT_DEF
    S_SETPRIO 1
    undef %wide.sub0:vreg_128_align2 = V_MOV_B32_e32 1, implicit $exec
    %wide.sub2:vreg_128_align2 = V_MOV_B32_e32 2, implicit $exec
    %sum:vgpr_32 = V_ADD_U32_e32 %wide.sub0, %wide.sub2, implicit $exec
    %sum:vgpr_32 = V_ADD_U32_e32 %sum, %pair.sub0, implicit $exec
    S_SETPRIO 2
    %end:vgpr_32 = V_ADD_U32_e32 %sum, %behind, implicit $exec
    %other:vgpr_32 = V_ADD_U32_e32 %end, %pair.sub1, implicit $exec
    S_CMP_EQ_U32 %s, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit $scc

  bb.2:
    S_ENDPGM 0, implicit %far, implicit %k, implicit %other
...
`;

function snapshotOf(text: string, commandLinks = false): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...DEFAULT_SETTINGS, commandLinks });
  host.open(URI, 1, text);
  const snapshot = host.snapshot(URI);
  assert.ok(snapshot);
  return snapshot;
}

const lineOf = (text: string): number => INPUT.split('\n').findIndex((l) => l.includes(text));

function why(text: string, snapshot = snapshotOf(INPUT)): WhyResult {
  const params = { textDocument: { uri: URI }, position: { line: lineOf(text), character: 0 } };
  return provideWhy(snapshot, params) as WhyResult;
}

/** `soon: %a 1, %b 2` per group of a bank */
function groups(result: WhyResult, bank: string): string[] {
  const found = result.banks.find((b) => b.bank === bank);
  return (found?.groups ?? []).map(
    (g) => `${g.kind}: ${g.registers.map((r) => `${r.register} ${r.weight}`).join(', ')}`,
  );
}

function register(result: WhyResult, name: string): WhyRegister {
  const found = result.banks.flatMap((b) => b.groups.flatMap((g) => g.registers)).find((r) => r.register === name);
  assert.ok(found, `${name} is alive`);
  return found;
}

/** Weights of the live registers by bank: SGPR, VGPR, AGPR. */
function sums(summary: PressureSummary, i: number): [number, number, number] {
  const kinds = [0, 0, 0, 0];
  for (const r of liveAt(summary, i)) kinds[r.kind]! += r.weight;
  return [kinds[0]!, kinds[1]! + kinds[3]!, kinds[2]!];
}

/** The sums of the registers of each instruction as `amdgpu-print-rp` prints them: of the vector files the larger. */
function rowsOf({ fn, summary }: FunctionView): [number, number][] {
  const rows: [number, number][] = [];
  for (let b = 0; b < fn!.blocks.length; b++)
    for (let p = fn!.blockBegin[b]!; p < fn!.blockEnd[b]!; p++) {
      const i = fn!.order[p]!;
      if (summary!.lis.indexes.instrIndex[i]! < 0 || (fn!.bundle[i]! & 1) !== 0) continue;
      const [sgpr, arch, acc] = sums(summary!, i);
      rows.push([sgpr, Math.max(arch, acc)]);
    }
  return rows;
}

describe('why the pressure is what it is', () => {
  it('groups registers by their next use, those that live longest first', () => {
    const r = why('%sum:vgpr_32 = V_ADD_U32_e32 %wide.sub0');
    assert.equal(r.place, 'bb.1:4');
    assert.deepEqual(groups(r, 'VGPR'), ['soon: %pair 2, %wide 2', 'through: %far 1, %behind 1, %k 1']);
    assert.deepEqual(groups(r, 'SGPR'), ['through: %s 1']);
    assert.deepEqual(
      r.banks.map((b) => [b.bank, b.pressure]),
      [
        ['VGPR', 7],
        ['SGPR', 1],
      ],
    );
    // half of the pair was read above and waits, as the sum does, for the next region
    assert.deepEqual(groups(why('S_SETPRIO 2'), 'VGPR')[0], 'later: %pair 1, %sum 1');
  });

  it('says of each where it comes from, who reads it next, and whether it could be made again', () => {
    const r = why('%sum:vgpr_32 = V_ADD_U32_e32 %wide.sub0');
    const k = register(r, '%k');
    assert.equal(k.definition?.start.line, lineOf('%k:vgpr_32'));
    assert.equal(k.nextUse?.start.line, lineOf('S_ENDPGM'));
    assert.equal(k.distance, -1);
    assert.equal(k.isRematerializable, true);
    assert.match(k.rematerialization, /^bb\.2 \(line \d+\)$/);
    const far = register(r, '%far');
    assert.equal(far.isRematerializable, false);
    assert.equal(far.rematerialization, '');
    assert.equal(register(r, '%wide').rematerialization, 'it has several definitions');
    const wide = register(r, '%wide');
    assert.equal(wide.definition?.start.line, lineOf('%wide.sub2:'));
    assert.equal(wide.nDefinitions, 2);
    assert.equal(wide.distance, 0);
    assert.equal(wide.class, 'vreg_128_align2');
    // around the loop: the next read stands above
    const end = register(why('%other:'), '%behind');
    assert.equal(end.nextUse?.start.line, lineOf('%end:'));
    assert.equal(end.distance, -1);
  });

  it('counts what the instruction defines', () => {
    assert.equal(register(why('%end:'), '%end').isDefinedHere, true);
  });

  it('is a report with lines', () => {
    const { report } = why('%sum:vgpr_32 = V_ADD_U32_e32 %wide.sub0');
    const k = lineOf('%k:vgpr_32') + 1;
    assert.match(report, /^VGPR 7, SGPR 1 at line \d+ \(bb\.1:4 of @f\)\ngfx90a wave64, LLVM 24\.0\.0git\n/);
    assert.match(report, /used soon, in this region: 4 in 2 registers/);
    assert.match(
      report,
      new RegExp(
        `%k +1 {2}from line ${k}; read at line \\d+ \\(bb\\.2:0\\); lives \\d+; rematerializable in bb\\.2 \\(line \\d+\\)\n`,
      ),
    );
  });

  it('names a reason that registers share once, above them', () => {
    const { report } = why('%sum:vgpr_32 = V_ADD_U32_e32 %wide.sub0');
    const [, shared = ''] = /\n {4}not rematerializable:\n((?: {6}\S.*\n)+)/.exec(report) ?? [];
    assert.deepEqual(shared.match(/%\w+(?= +1 {2}from)/g), ['%far', '%behind'], report);
    assert.doesNotMatch(shared, /rematerializable/);
  });

  it('says why there is nothing to explain', () => {
    assert.equal(why('name: f').report, 'no instruction here\n');
    const broken = snapshotOf(INPUT.replace('V_MOV_B32_e32 7', 'V_MOV_B32_e33 7'));
    assert.match(why('S_SETPRIO 1', broken).report, /^no pressure: llc rejects @f: unknown machine instruction name/);
    const empty = provideWhy(snapshotOf('# nothing\n'), {
      textDocument: { uri: URI },
      position: { line: 0, character: 0 },
    });
    assert.equal((empty as WhyResult).report, 'no function here\n');
  });

  it('is in the hover in one line, with a link for clients that run commands', () => {
    const line = lineOf('%sum:vgpr_32 = V_ADD_U32_e32 %wide.sub0');
    const position = { line, character: INPUT.split('\n')[line]!.indexOf('V_ADD') };
    const textOf = (links: boolean): string =>
      (provideHover(snapshotOf(INPUT, links), { position })?.contents as { value: string }).value;
    assert.match(textOf(false), /\nused soon 4 VGPR · only passing 3 VGPR, 1 SGPR\n/);
    const args = encodeURIComponent(JSON.stringify([URI, line, 4]));
    assert.ok(textOf(true).includes(`· [why](command:amdgpu-mir.whyPressure?${args})`));
  });

  it('has the parts of wide registers, in either half of their lanes', () => {
    const [fn] = lowerMir(
      mirFunction(
        'f',
        `
  bb.0:
    undef %0.sub20:vreg_1024 = V_MOV_B32_e32 1, implicit $exec
    %0.sub3:vreg_1024 = V_MOV_B32_e32 2, implicit $exec
    %0.sub18_sub19:vreg_1024 = IMPLICIT_DEF
    early-clobber %0.sub31:vreg_1024 = V_ADD_U32_e64 %0.sub20, %0.sub3, 0, implicit $exec
    undef %1.sub0:vreg_64 = V_MOV_B32_e32 %0.sub3, implicit $exec
    %2:vreg_64 = COPY killed %1
    S_NOP 0, implicit %0.sub31, implicit %2
    S_ENDPGM 0
`,
      ),
      { cpu: 'gfx900' },
    );
    const summary = new PressureSummary(fn!);
    const alive = (i: number): string[] =>
      liveAt(summary, i).map((r) => `%${r.vreg} ${r.weight} ${r.hi.toString(16)}:${r.lo.toString(16)}`);
    // Lane masks are of halves of 32-bit registers: what is defined, beside what goes through, or what lives before an early clobber beside it.
    const wanted = [
      ['%0 1 300:0'],
      ['%0 1 0:c0', '%0 1 300:0'],
      ['%0 2 300:c0', '%0 2 f0:0'],
      ['%0 1 c0000000:0', '%0 2 300:c0'],
      ['%0 1 c0000000:0', '%1 1 0:3'],
      ['%0 1 c0000000:0', '%2 2 0:f'],
      ['%0 1 c0000000:0', '%2 2 0:f'],
    ];
    wanted.forEach((list, i) => {
      assert.deepEqual(alive(i).sort(), list, String(i));
      const sum = liveAt(summary, i).reduce((n, r) => n + r.weight, 0);
      assert.equal(sum, summary.up.at[1]![i], String(i));
    });
  });

  it('adds up to what llc-22 prints: random functions', function () {
    needsLlc(this);
    for (const seed of [11, 12, 13, 14, 15, 16]) {
      const text = randomSchedule(seed, { size: 40, blocks: 3 });
      const [view] = snapshotOf(text).functions;
      assert.ok(view?.summary);
      const run = runLlc([...RANDOM_ARGS, '-x=mir', '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], text);
      assert.deepEqual(rowsOf(view), pressureOfLlc(run.stderr, 'f')?.rows, `seed ${seed}`);
    }
  });

  it('adds up to what llc-22 prints: samples of the corpus', function () {
    needsLlc(this);
    needsShared(this, CORPUS);
    const manifest = new Map(
      (JSON.parse(readFileSync(join(CORPUS, 'manifest.json'), 'utf8')) as { name: string; args: string[] }[]).map(
        (c) => [c.name, c.args],
      ),
    );
    let rows = 0;
    let functions = 0;
    const shards = readdirSync(CORPUS).filter((f) => f.endsWith('.json.br'));
    shards.forEach((shard, s) => {
      const { cases } = JSON.parse(brotliDecompressSync(readFileSync(join(CORPUS, shard))).toString()) as {
        cases: { name: string; input: string }[];
      };
      // others of each shard, small enough for a test
      const small = cases.filter((c) => c.input.length < 60_000);
      for (const { name, input } of small.filter((_, k) => k % 20 === s % 20)) compare(name, input);
    });
    function compare(name: string, input: string): void {
      const args = manifest.get(name) ?? [];
      const run = runLlc([...args, '-x=mir', '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], input);
      for (const view of snapshotOf(`# RUN: llc ${args.join(' ')} %s\n${input}`).functions) {
        const printed = pressureOfLlc(run.stderr, view.name);
        if (!view.summary || !printed) continue;
        const own = rowsOf(view);
        assert.deepEqual(own, printed.rows, `${name}: ${view.name}`);
        rows += own.length;
        functions++;
      }
    }
    console.log(`      ${rows} instructions of ${functions} functions`);
    assert.ok(functions >= 20 && rows > 500);
  });
});

describe('a report of very many registers', () => {
  it('shows 400 and says how many more there are', () => {
    const n = 410;
    const numbers = [...Array(n).keys()];
    const text = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:
${numbers.map((k) => `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec\n`).join('')}    S_NOP 0
    S_ENDPGM 0, ${numbers.map((k) => `implicit %${k}`).join(', ')}\n...\n`;
    const line = text.split('\n').findIndex((l) => l.includes('S_NOP'));
    const { report } = provideWhy(snapshotOf(text), {
      textDocument: { uri: URI },
      position: { line, character: 4 },
    }) as WhyResult;
    assert.match(report, /^VGPR 410 at line 417 /);
    assert.match(report, /used soon, in this region: 410 in 410 registers\n/);
    assert.equal(report.match(/^ +%\d+ +1 /gm)?.length, 400);
    assert.match(report, /\n {4}and 10 more\n/);
  });
});
