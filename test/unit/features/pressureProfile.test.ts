/** The pressure along a function as data: numbers as llc prints them, limits of the wave counts, blocks, regions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { providePressureProfile } from '../../../server/src/features/pressure/pressureProfile.js';
import type { PressureProfile } from '../../../server/src/features/pressure/profileData.js';
import { layOut, layOutMoments, pointAt, pointOfLine } from '../../../client/webview/chartModel.js';
import { atCursor, cursorIn, URI } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const examples = join(__dirname, '..', '..', '..', 'examples');
const example = (name: string): string => readFileSync(join(examples, `${name}.mir`), 'utf8');

function profileOf(text: string, at = '$0'): PressureProfile {
  const { snapshot, position } = atCursor(cursorIn(text, at));
  const profile = providePressureProfile(snapshot, { position });
  assert.ok(profile);
  return profile;
}

describe('pressure profile', () => {
  it('has the numbers of amdgpu-print-rp, instruction by instruction', function () {
    needsLlc(this);
    for (const [name, cpu] of [
      ['gemm_tile', 'gfx90a'],
      ['saxpy', 'gfx90a'],
      ['targets', 'gfx900'],
    ] as const) {
      const text = example(name);
      const args = [
        '-x',
        'mir',
        '-mtriple=amdgcn-amd-amdhsa',
        `-mcpu=${cpu}`,
        '-run-pass=amdgpu-print-rp',
        '-filetype=null',
      ];
      const { stdout, stderr } = runLlc(args, text);
      // The rows beside instructions; those between them hold the pressure between.
      const rows = [...(stdout + stderr).matchAll(/^ {4}(\d+) +(\d+) +\S.*$/gm)];
      const { series, lines } = profileOf(text);
      const values = (bank: string): number[] =>
        [...(series.find((s) => s.name === bank)?.values ?? lines.map(() => 0))] as number[];
      assert.deepEqual(
        values('SGPR'),
        rows.map((r) => Number(r[1])),
        name,
      );
      if (name !== 'gemm_tile')
        assert.deepEqual(
          values('VGPR'),
          rows.map((r) => Number(r[2])),
          name,
        );
    }
  });

  it('has a line per instruction, blocks with their labels, regions inside of blocks', () => {
    const text = example('saxpy');
    const { lines, blocks, regions } = profileOf(text);
    const content = text.split('\n');
    assert.ok(lines.every((l) => /^ {4}\S/.test(content[l]!)));
    assert.ok(lines.every((l, k) => k === 0 || lines[k - 1]! < l));
    assert.deepEqual(
      blocks.map((b) => content[b.line]!.trim().split(/[.:]/).slice(0, 2).join('.')),
      blocks.map((b) => b.name),
    );
    assert.deepEqual([blocks[0]!.from, blocks.at(-1)!.to], [0, lines.length]);
    for (const r of regions) assert.equal(blocks.filter((b) => b.from <= r.from && r.to <= b.to).length, 1);
  });

  it('has the limits of each wave count of the target', () => {
    const limits = (text: string, bank: string): string =>
      profileOf(text)
        .series.find((s) => s.name === bank)!
        .limits.map((l) => `${l.waves}:${l.registers}`)
        .join(' ');
    // gfx900: llc -amdgpu-waves-per-eu tables, 256 VGPRs in steps of 4.
    assert.equal(limits(example('targets'), 'VGPR'), '1:256 2:128 3:84 4:64 5:48 6:40 7:36 8:32 9:28 10:24');
    assert.equal(limits(example('gemm_tile'), 'VGPR + AGPR'), '1:512 2:256 3:168 4:128 5:96 6:80 7:72 8:64');
    assert.equal(limits(example('gemm_tile'), 'VGPR'), '');
    assert.equal(
      limits(
        example('targets')
          .replace('gfx900', 'gfx1030')
          .replace('COPY $vgpr0', 'COPY $vgpr0\n    %s:sreg_32 = S_MOV_B32 0'),
        'SGPR',
      ),
      '',
    );
  });

  it('says the same in words and in a table', () => {
    const profile = profileOf(example('gemm_tile'));
    assert.equal(
      profile.headline,
      'occupancy 3 of 8, limited by VGPR; live peak VGPR 67 at bb.1:15 (line 121); next wave: -4 VGPR',
    );
    assert.match(profile.text, /^gemm_tile, gfx90a wave64, LLVM 22\.1\.8: occupancy 3 of 8/);
    assert.match(profile.text, /^ {2}bb\.1 +\d+ +\d+ +132 +67 /m);
    assert.deepEqual([profile.targets, profile.activeTarget], [['gfx90a', 'gfx942'], 0]);
  });

  it('keeps the last numbers of a function that is broken, and says so', () => {
    const text = example('saxpy');
    const { host, position } = atCursor(cursorIn(text, '$0S_ENDPGM'));
    const before = providePressureProfile(host.snapshot(URI)!, { position })!;
    const at = host.snapshot(URI)!.text.positionAt(text.indexOf('V_OR_B32_e32') + 3);
    host.change(URI, 2, [{ range: { start: at, end: at }, text: 'X' }]);
    const after = providePressureProfile(host.snapshot(URI)!, { position })!;
    assert.match(after.problem, /^llc rejects line \d+: unknown machine instruction name/);
    assert.deepEqual(after.series, before.series);
  });

  it('has the allocated registers beside the live values: how high they reach, and what is free below', () => {
    // llc gives %0, %1 and %2 vgpr0, vgpr1 and vgpr2; after the reader of %1 its register is a hole that no pair fits in.
    const text = [
      '---',
      'name: f',
      'tracksRegLiveness: true',
      'body: |',
      '  bb.0:',
      '    S_NOP 0, implicit-def %0:vgpr_32, implicit-def %1:vgpr_32, implicit-def %2:vgpr_32',
      '    S_NOP 1, implicit %1',
      '    S_NOP 2, implicit %0, implicit %2',
      '    S_NOP 3, implicit-def %3:vreg_64',
      '    S_ENDPGM 0, implicit %3',
      '...',
      '',
    ].join('\n');
    const { allocated, allocatedNote, series, text: report } = profileOf(text, '$0S_NOP 1');
    assert.equal(allocatedNote, '');
    const [file] = allocated;
    assert.deepEqual(series[0]!.values, [3, 3, 2, 2, 2]);
    assert.deepEqual([file!.name, file!.reach, file!.used], ['VGPR', [3, 3, 3, 2, 2], [3, 3, 2, 2, 2]]);
    assert.deepEqual([file!.widestGap, file!.widestTuple], [[0, 0, 1, 0, 0], 2]);
    const words = 'VGPR: 3 reached for 3 in use; most holes 1 in 1 gap, the widest 1: too narrow for tuples of 2';
    assert.equal(file!.text, words);
    assert.ok(report.includes(`\n  allocated: ${words}\n`), report);
    const [row] = layOut(profileOf(text, '$0S_NOP 1'), 800).rows;
    assert.equal(row!.reach.match(/H/g)!.length, 5);
  });

  it('has the moments of a function one above the other: as it is written, as the scheduler leaves it, as it is allocated', () => {
    const profile = profileOf(example('gemm_tile'), 'name:            $0gemm_tile');
    const { moments, series } = profile;
    assert.deepEqual(
      moments.map(({ name, most }) => `${name} ${most}`),
      [
        'as written 132 at line 121, bb.1:15, in a loop',
        'scheduled 84 at line 107, bb.1:3, in a loop',
        'as llc ends 84 at line 107, bb.1:3, in a loop',
      ],
    );
    assert.deepEqual(moments[0]!.values, series[0]!.values);
    for (const { lines, values, blocks, peak } of moments) {
      assert.deepEqual([blocks[0]!.from, blocks.at(-1)!.to, lines.length], [0, values.length, values.length]);
      assert.equal(values[peak], Math.max(...values));
      assert.deepEqual(
        blocks.map(({ loopDepth }) => loopDepth),
        [0, 1, 0],
      );
    }
    const rows = layOutMoments(profile, 800);
    assert.equal(rows.length, 3);
    for (const { loops, peak, line } of rows) {
      assert.deepEqual([loops.length, loops[0]!.label], [1, 'loop bb.1']);
      assert.ok(line.startsWith('M0 ') && 0 <= peak.x && peak.x <= 800);
    }
  });

  it('says why there are no allocated registers', () => {
    const text = [
      '---',
      'name: f',
      'tracksRegLiveness: true',
      'body: |',
      '  bb.0:',
      '    successors: %bb.1',
      '    %1:vgpr_32 = IMPLICIT_DEF',
      '  bb.1:',
      '    successors: %bb.1',
      '    %0:vgpr_32 = PHI %1, %bb.0, %2, %bb.1',
      '    %2:vgpr_32 = COPY %0',
      '    S_BRANCH %bb.1',
      '...',
      '',
    ].join('\n');
    const phi = profileOf(text, '$0PHI');
    assert.deepEqual(phi.allocated, []);
    assert.match(phi.allocatedNote, /PHI/, phi.text);
  });

  it('of a function without instructions is empty', () => {
    const profile = profileOf('---\nname: f\n...\n', '$0name');
    assert.deepEqual([profile.lines, profile.series], [[], []]);
  });
});

describe('chart of the pressure view', () => {
  const profile = profileOf(example('gemm_tile'));

  it('has a row per bank, the limits around the peak, and a step per instruction', () => {
    const chart = layOut(profile, 800);
    assert.deepEqual(
      chart.rows.map((r) => r.series.name),
      ['VGPR + AGPR', 'VGPR', 'SGPR', 'AGPR'],
    );
    const [both] = chart.rows;
    // 132 registers: 3 waves, up to 168; the labels do not cover each other.
    assert.deepEqual(
      both!.limits.map((l) => l.label).filter((l) => l !== ''),
      ['168: 3 waves', '128: 4 waves', '96: 5 waves', '80: 6 waves', '64: 8 waves'],
    );
    assert.ok(both!.limits.every((l) => both!.top <= l.y && l.y <= both!.top + both!.height));
    assert.equal(both!.line.match(/H/g)!.length, profile.lines.length);
    assert.equal(chart.blocks.length, 3);
  });

  it('finds points by pixel and by line', () => {
    const chart = layOut(profile, 800);
    assert.equal(pointAt(-5, chart), 0);
    assert.equal(pointAt(1e6, chart), chart.n - 1);
    profile.lines.forEach((line, k) => assert.equal(pointOfLine(profile, line), k));
    assert.equal(pointOfLine(profile, profile.lines[0]! - 1), -1);
    assert.equal(pointOfLine(profile, 1e6), -1);
  });

  it('draws functions of any size in a path that fits the screen', () => {
    const n = 100_000;
    const values = Array.from({ length: n }, (_, i) => i % 97);
    const big = { ...profile, lines: values.map((_, i) => i), blocks: [], regions: [] };
    const chart = layOut({ ...big, series: [{ name: 'VGPR', values, peak: 96, limits: [] }] }, 640);
    assert.ok(chart.rows[0]!.line.length < 640 * 24);
    // The highest point of every column is the peak: nothing is lost.
    const top = Math.min(...[...chart.rows[0]!.line.matchAll(/V([\d.]+)/g)].map((m) => Number(m[1])));
    const row = chart.rows[0]!;
    const whole = layOut({ ...big, series: [{ name: 'VGPR', values: [96], peak: 0, limits: [] }], lines: [0] }, 640)
      .rows[0]!;
    assert.equal(top, Math.min(...[...whole.line.matchAll(/V([\d.]+)|M0 ([\d.]+)/g)].map((m) => Number(m[1] ?? m[2]))));
    assert.ok(row.top < top && top < row.top + row.height / 3);
    assert.equal(layOut({ ...big, lines: [], series: [] }, 640).rows.length, 0);
  });
});
