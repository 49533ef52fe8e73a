/** Peaks, pressure by lines, and lenses inside of functions. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bank, PressureSummary } from '../../../server/src/analysis/summary.js';
import { pressurePeaks } from '../../../server/src/analysis/pressurePeaks.js';
import { provideCodeLenses } from '../../../server/src/features/lens/codeLens.js';
import { providePeaks } from '../../../server/src/features/pressure/peaks.js';
import { providePressureLines } from '../../../server/src/features/pressure/pressureLines.js';
import { DEFAULT_SETTINGS, readSettings } from '../../../server/src/program/settings.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { pressureOfLlc } from '../../support/printedPressure.js';
import { RANDOM_ARGS, randomSchedule } from '../../support/randomSchedule.js';

const URI = 'file:///folder/places.mir';

/** Two hills of VGPRs with a valley between them, the second higher; a third, too low to count, on its way down. */
const HILLS = [8, 2, 12, 6, 7, 1];
const hillsText = (): string => {
  const lines: string[] = [];
  const live: string[] = [];
  let next = 0;
  for (const goal of HILLS) {
    while (live.length < goal) {
      live.push(`%r${next}`);
      lines.push(`    %r${next++}:vgpr_32 = IMPLICIT_DEF`);
    }
    while (live.length > goal) lines.push(`    S_NOP 0, implicit ${live.pop()}`);
  }
  lines.push(`    S_ENDPGM 0, implicit ${live[0]}`);
  return `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: hills
tracksRegLiveness: true
body: |
  bb.0:
${lines.join('\n')}
...
`;
};

function open(text: string, settings: object = {}): AnalysisHost {
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...DEFAULT_SETTINGS, ...readSettings(settings) });
  host.open(URI, 1, text);
  return host;
}
const snapshotOf = (text: string, settings: object = {}): Snapshot => open(text, settings).snapshot(URI)!;
const textDocument = { uri: URI };
const everything = { start: { line: 0, character: 0 }, end: { line: 100_000, character: 0 } };

describe('peaks', () => {
  it('are the hills that stand out, with the highest marked', () => {
    const { functions, nextLine } = providePeaks(snapshotOf(hillsText()), { textDocument }, NEVER_CANCELLED);
    const [found] = functions;
    assert.equal(nextLine, null);
    assert.equal(found?.function, 'hills');
    assert.equal(found.firstLine, 0);
    const [bank, ...others] = found.banks;
    assert.deepEqual(others, []);
    assert.equal(bank?.bank, 'VGPR');
    assert.deepEqual(
      bank.peaks.map((p) => [p.value, p.isHighest]),
      [
        [8, false],
        [12, true],
      ],
    );
    const lines = hillsText().split('\n');
    // the eighth definition, and the last before the registers go down again
    assert.match(lines[bank.peaks[0]!.position.line]!, /%r7:/);
    assert.match(lines[bank.peaks[1]!.position.line]!, /%r17:/);
    assert.match(lines[bank.peaks[1]!.position.line + 1]!, /S_NOP/);
  });

  it('come bit by bit in a file of many functions', () => {
    const long = hillsText().replace(
      '    S_ENDPGM',
      `${Array.from({ length: 2500 }, () => '    S_NOP 0').join('\n')}\n    S_ENDPGM`,
    );
    const file = [0, 1, 2].map((k) => long.replace('name: hills', `name: hills${k}`)).join('');
    const snapshot = snapshotOf(file);
    const first = providePeaks(snapshot, { textDocument }, NEVER_CANCELLED);
    assert.deepEqual(
      first.functions.map((f) => f.function),
      ['hills0', 'hills1'],
    );
    const rest = providePeaks(snapshot, { textDocument, fromLine: first.nextLine! }, NEVER_CANCELLED);
    assert.deepEqual(
      rest.functions.map((f) => f.function),
      ['hills2'],
    );
    assert.equal(rest.nextLine, null);
  });

  it("have llc's numbers, and the highest is the function's", function () {
    needsLlc(this);
    for (const seed of [21, 22, 23]) {
      const text = randomSchedule(seed, { size: 60, blocks: 3 });
      const [view] = snapshotOf(text).functions;
      const run = runLlc([...RANDOM_ARGS, '-x=mir', '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], text);
      const rows = pressureOfLlc(run.stderr, 'f')?.rows ?? [];
      const peaks = pressurePeaks(view!.summary!, Bank.SGPR);
      assert.equal(Math.max(...peaks.map((p) => p.value)), Math.max(...rows.map((r) => r[0])));
      const positions = peaks.map((p) => p.instr);
      assert.deepEqual(
        positions,
        [...positions].sort((a, b) => a - b),
      );
    }
  });

  it('keep their places while a line is broken', () => {
    const host = open(hillsText());
    const peaks = (): unknown =>
      providePeaks(host.snapshot(URI)!, { textDocument }, NEVER_CANCELLED).functions[0]!.banks[0]?.peaks.map(
        (p) => p.position.line,
      );
    const before = peaks();
    const line = hillsText()
      .split('\n')
      .findIndex((l) => l.includes('%r2:'));
    const at = { start: { line, character: 4 }, end: { line, character: 4 } };
    host.change(URI, 2, [{ range: at, text: '%half' }]);
    assert.equal(host.snapshot(URI)!.functions[0]!.summary, null);
    assert.deepEqual(peaks(), before);
  });
});

describe('pressure by lines', () => {
  it('is the number of each instruction, and the peak of its function', () => {
    const snapshot = snapshotOf(hillsText());
    const found = providePressureLines(snapshot, { textDocument, range: everything }, NEVER_CANCELLED);
    const { summary } = snapshot.functions[0]!;
    assert.equal(found.line.length, summary!.fn.nInstrs);
    assert.deepEqual(
      found.vgpr,
      found.line.map((_, i) => PressureSummary.count(summary!.up.at, Bank.VGPR, i)),
    );
    assert.equal(Math.max(...found.vgpr), 12);
    assert.ok(found.vgprPeak.every((p) => p === 12));
    assert.ok(found.agprPeak.every((p) => p === 0));
  });

  it('is given for the lines asked for', () => {
    const range = { start: { line: 8, character: 0 }, end: { line: 11, character: 0 } };
    const found = providePressureLines(snapshotOf(hillsText()), { textDocument, range }, NEVER_CANCELLED);
    assert.deepEqual(found.line, [8, 9, 10, 11]);
  });

  it('stays beside the other lines while one is broken', () => {
    const host = open(hillsText());
    const lines = (): { line: number[]; vgpr: number[] } =>
      providePressureLines(host.snapshot(URI)!, { textDocument, range: everything }, NEVER_CANCELLED);
    const before = lines();
    host.change(URI, 2, [
      { range: { start: { line: 9, character: 20 }, end: { line: 9, character: 24 } }, text: 'half' },
    ]);
    const broken = lines();
    const k = before.line.indexOf(9);
    assert.deepEqual(
      broken.line,
      before.line.filter((_, n) => n !== k),
    );
    assert.deepEqual(
      broken.vgpr,
      before.vgpr.filter((_, n) => n !== k),
    );
  });
});

describe('lenses inside of functions', () => {
  const TILE = readFileSync(join(__dirname, '../../../examples/gemm_tile.mir'), 'utf8');
  const titles = (text: string, settings: object): string[] =>
    provideCodeLenses(snapshotOf(text, settings), null, NEVER_CANCELLED).map(
      (l) => `${l.range.start.line}: ${l.command?.title}`,
    );

  it('above each block, when asked for: what lives in, and the peak', () => {
    const line = TILE.split('\n').findIndex((l) => l.includes('bb.1.loop:'));
    const own = (settings: object): string[] => titles(TILE, settings).filter((t) => t.startsWith(`${line}: `));
    assert.deepEqual(own({}), []);
    // llc-22 -run-pass=amdgpu-print-rp: `Live-in` of bb.1 has 3 VGPRs, 64 AGPRs and 7 SGPRs; its largest VGPR line has 67
    assert.deepEqual(own({ codeLens: { blocks: true } }), [
      `${line}: at entry: 3 VGPR, 7 SGPR, 64 AGPR`,
      `${line}: live peak in block VGPR 67 at line 121, SGPR 7, AGPR 64`,
    ]);
  });

  it('above the regions of a function that is too large to schedule by itself: their peaks', () => {
    const half = Array.from({ length: 1100 }, (_, k) => `    %v${k}:vgpr_32 = IMPLICIT_DEF`).join('\n');
    const more = half.replaceAll('%v', '%w');
    const text = hillsText().replace('    S_ENDPGM', `${half}\n    S_SETPRIO 1\n${more}\n    S_ENDPGM`);
    const regions = titles(text, { codeLens: { regions: true } }).filter((t) =>
      /^\d+: live peak in region VGPR \d+ at line \d+/.test(t),
    );
    assert.equal(regions.length, 2);
  });

  it('the peak of the function has a way to its reason', () => {
    const lenses = provideCodeLenses(snapshotOf(TILE), null, NEVER_CANCELLED);
    const peak = lenses.find((l) => l.command?.title.startsWith('live peak VGPR 67'));
    const why = lenses.find((l) => l.command?.title === 'why...');
    assert.equal(why?.command?.command, 'amdgpu-mir.whyPressure');
    assert.deepEqual(why.command.arguments, peak?.command?.arguments);
  });
});
