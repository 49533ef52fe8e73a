/** Pressure and live registers at each instruction of small functions: counts beside limits, what limits, what begins and ends. */
import assert from 'node:assert/strict';
import { livenessLine, livenessRows, virtualOperands } from '../../../../server/src/features/hover/hoverLiveness.js';
import { pressureLines } from '../../../../server/src/features/hover/hoverPressure.js';
import { atCursor, type AtCursor } from '../../../support/cursor.js';

interface Case {
  readonly what: string;
  readonly cpu: string;
  readonly lines: readonly string[];
  /** of each instruction, its lines after each other */
  readonly pressure: readonly string[];
  readonly liveness: readonly string[];
  /** pressure of an earlier version */
  readonly stale?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: 'VGPRs',
    cpu: 'gfx900',
    lines: ['%0:vreg_1024 = IMPLICIT_DEF', '%5:vgpr_32 = IMPLICIT_DEF', 'S_NOP 1, implicit %5', 'S_NOP 0, implicit %0'],
    pressure: [
      'VGPR 0 → **32** of 32 for 8 waves (28 for 9: 4 too many) // occupancy **7** of 10, limited by VGPR in region 0 (bb.0); 8 here; next wave: -1 VGPR · live peak VGPR 33 at line 10 // defines `%0` vreg_1024 (+32) // used soon 32 VGPR',
      'VGPR 32 → **33** of 36 for 7 waves (32 for 8: 1 too many) // occupancy **7** of 10, limited by VGPR here; next wave: -1 VGPR · live peak VGPR of the function // defines `%5` vgpr_32 (+1) // used soon 33 VGPR',
      'VGPR **33** → 32 of 36 for 7 waves (32 for 8: 1 too many) // occupancy **7** of 10, limited by VGPR here; next wave: -1 VGPR · live peak VGPR 33 at line 10 // kills `%5` vgpr_32 (-1) // used soon 33 VGPR',
      'VGPR **32** → 0 of 32 for 8 waves (28 for 9: 4 too many) // occupancy **7** of 10, limited by VGPR in region 0 (bb.0); 8 here; next wave: -1 VGPR · live peak VGPR 33 at line 10 // kills `%0` vreg_1024 (-32) // used soon 32 VGPR',
    ],
    liveness: [
      'defines %0 vreg_1024 (+32)',
      'defines %5 vgpr_32 (+1)',
      'kills %5 vgpr_32 (-1)',
      'kills %0 vreg_1024 (-32)',
    ],
    stale: [
      'VGPR 0 → **32** of 32 for 8 waves (28 for 9: 4 too many) // occupancy **7** of 10, limited by VGPR in bb.0; 8 here; next wave: -1 VGPR · live peak VGPR 33 at bb.0:1 // defines `%0` vreg_1024 (+32) // used soon 32 VGPR',
      'VGPR 32 → **33** of 36 for 7 waves (32 for 8: 1 too many) // occupancy **7** of 10, limited by VGPR here; next wave: -1 VGPR · live peak VGPR of the function // defines `%5` vgpr_32 (+1) // used soon 33 VGPR',
      'VGPR **33** → 32 of 36 for 7 waves (32 for 8: 1 too many) // occupancy **7** of 10, limited by VGPR here; next wave: -1 VGPR · live peak VGPR 33 at bb.0:1 // kills `%5` vgpr_32 (-1) // used soon 33 VGPR',
      'VGPR **32** → 0 of 32 for 8 waves (28 for 9: 4 too many) // occupancy **7** of 10, limited by VGPR in bb.0; 8 here; next wave: -1 VGPR · live peak VGPR 33 at bb.0:1 // kills `%0` vreg_1024 (-32) // used soon 32 VGPR',
    ],
  },
  {
    what: 'SGPRs',
    cpu: 'gfx900',
    lines: [
      '%0:sgpr_1024 = IMPLICIT_DEF',
      '%1:sgpr_1024 = IMPLICIT_DEF',
      '%5:sgpr_512 = IMPLICIT_DEF',
      '%6:sgpr_32 = IMPLICIT_DEF',
      'S_NOP 0, implicit %0, implicit %1, implicit %5, implicit %6',
    ],
    pressure: [
      'VGPR 0 · SGPR 0 → **32** of 80 for 10 waves // occupancy **9** of 10, limited by SGPR in region 0 (bb.0); 10 here; next wave: -1 SGPR · live peak SGPR 81 at line 12 // defines `%0` sgpr_1024 (+32) // used soon 32 SGPR',
      'VGPR 0 · SGPR 32 → **64** of 80 for 10 waves // occupancy **9** of 10, limited by SGPR in region 0 (bb.0); 10 here; next wave: -1 SGPR · live peak SGPR 81 at line 12 // defines `%1` sgpr_1024 (+32) // used soon 64 SGPR',
      'VGPR 0 · SGPR 64 → **80** of 80 for 10 waves // occupancy **9** of 10, limited by SGPR in region 0 (bb.0); 10 here; next wave: -1 SGPR · live peak SGPR 81 at line 12 // defines `%5` sgpr_512 (+16) // used soon 80 SGPR',
      'VGPR 0 · SGPR 80 → **81** of 88 for 9 waves (80 for 10: 1 too many) // occupancy **9** of 10, limited by SGPR here; next wave: -1 SGPR · live peak SGPR of the function // defines `%6` sgpr_32 (+1) // used soon 81 SGPR',
      'VGPR 0 · SGPR **81** → 0 of 88 for 9 waves (80 for 10: 1 too many) // occupancy **9** of 10, limited by SGPR here; next wave: -1 SGPR · live peak SGPR 81 at line 12 // kills `%0` sgpr_1024 (-32), `%1` sgpr_1024 (-32), `%5` sgpr_512 (-16), `%6` sgpr_32 (-1) // used soon 81 SGPR',
    ],
    liveness: [
      'defines %0 sgpr_1024 (+32)',
      'defines %1 sgpr_1024 (+32)',
      'defines %5 sgpr_512 (+16)',
      'defines %6 sgpr_32 (+1)',
      'kills %0 sgpr_1024 (-32), %1 sgpr_1024 (-32), %5 sgpr_512 (-16), %6 sgpr_32 (-1)',
    ],
  },
  {
    what: 'more than there are',
    cpu: 'gfx900',
    lines: [
      '%0:vreg_1024 = IMPLICIT_DEF',
      '%1:vreg_1024 = IMPLICIT_DEF',
      '%2:vreg_1024 = IMPLICIT_DEF',
      '%3:vreg_1024 = IMPLICIT_DEF',
      '%4:vreg_1024 = IMPLICIT_DEF',
      '%5:vreg_1024 = IMPLICIT_DEF',
      '%6:vreg_1024 = IMPLICIT_DEF',
      '%7:vreg_1024 = IMPLICIT_DEF',
      '%8:vreg_1024 = IMPLICIT_DEF',
      'S_NOP 0, implicit %0, implicit %1, implicit %2, implicit %3, implicit %4, implicit %5, implicit %6, implicit %7, implicit %8',
    ],
    pressure: [
      '**will spill: 224 VGPR too many (288 live of 64)** // VGPR 0 → **32** of 32 for 8 waves (28 for 9: 4 too many) // occupancy **1** of 10, limited by VGPR in region 0 (bb.0); 8 here; next wave: -160 VGPR · live peak VGPR 288 at line 17 // defines `%0` vreg_1024 (+32)',
      '**will spill: 224 VGPR too many (288 live of 64)** // VGPR 32 → **64** of 64 for 4 waves (48 for 5: 16 too many) // occupancy **1** of 10, limited by VGPR in region 0 (bb.0); 4 here; next wave: -160 VGPR · live peak VGPR 288 at line 17 // defines `%1` vreg_1024 (+32)',
      '**will spill: 224 VGPR too many (288 live of 64)** // VGPR 64 → **96** of 128 for 2 waves (84 for 3: 12 too many) // occupancy **1** of 10, limited by VGPR in region 0 (bb.0); 2 here; next wave: -160 VGPR · live peak VGPR 288 at line 17 // defines `%2` vreg_1024 (+32)',
      '**will spill: 224 VGPR too many (288 live of 64)** // VGPR 96 → **128** of 128 for 2 waves (84 for 3: 44 too many) // occupancy **1** of 10, limited by VGPR in region 0 (bb.0); 2 here; next wave: -160 VGPR · live peak VGPR 288 at line 17 // defines `%3` vreg_1024 (+32)',
      '**will spill: 224 VGPR too many (288 live of 64)** // VGPR 128 → **160** of 256 for 1 wave (128 for 2: 32 too many) // occupancy **1** of 10, limited by VGPR here; next wave: -160 VGPR · live peak VGPR 288 at line 17 // defines `%4` vreg_1024 (+32)',
      '**will spill: 224 VGPR too many (288 live of 64)** // VGPR 160 → **192** of 256 for 1 wave (128 for 2: 64 too many) // occupancy **1** of 10, limited by VGPR here; next wave: -160 VGPR · live peak VGPR 288 at line 17 // defines `%5` vreg_1024 (+32)',
      '**will spill: 224 VGPR too many (288 live of 64)** // VGPR 192 → **224** of 256 for 1 wave (128 for 2: 96 too many) // occupancy **1** of 10, limited by VGPR here; next wave: -160 VGPR · live peak VGPR 288 at line 17 // defines `%6` vreg_1024 (+32)',
      '**will spill: 224 VGPR too many (288 live of 64)** // VGPR 224 → **256** of 256 for 1 wave (128 for 2: 128 too many) // occupancy **1** of 10, limited by VGPR here; next wave: -160 VGPR · live peak VGPR 288 at line 17 // defines `%7` vreg_1024 (+32)',
      '**will spill: 224 VGPR too many (288 live of 64)** // VGPR 256 → **288** of 256 for 1 wave (128 for 2: 160 too many) // occupancy **1** of 10, limited by VGPR here; next wave: -160 VGPR · live peak VGPR of the function // defines `%8` vreg_1024 (+32)',
      '**will spill: 224 VGPR too many (288 live of 64)** // VGPR **288** → 0 of 256 for 1 wave (128 for 2: 160 too many) // occupancy **1** of 10, limited by VGPR here; next wave: -160 VGPR · live peak VGPR 288 at line 17 // kills `%0` vreg_1024 (-32), `%1` vreg_1024 (-32), `%2` vreg_1024 (-32), `%3` vreg_1024 (-32) and 5 more',
    ],
    liveness: [
      'defines %0 vreg_1024 (+32)',
      'defines %1 vreg_1024 (+32)',
      'defines %2 vreg_1024 (+32)',
      'defines %3 vreg_1024 (+32)',
      'defines %4 vreg_1024 (+32)',
      'defines %5 vreg_1024 (+32)',
      'defines %6 vreg_1024 (+32)',
      'defines %7 vreg_1024 (+32)',
      'defines %8 vreg_1024 (+32)',
      'kills %0 vreg_1024 (-32), %1 vreg_1024 (-32), %2 vreg_1024 (-32), %3 vreg_1024 (-32), %4 vreg_1024 (-32), %5 vreg_1024 (-32), %6 vreg_1024 (-32), %7 vreg_1024 (-32), %8 vreg_1024 (-32)',
    ],
  },
  {
    what: 'AGPRs, with links',
    cpu: 'gfx908',
    lines: ['%0:areg_1024 = IMPLICIT_DEF', '%5:vgpr_32 = IMPLICIT_DEF', 'S_NOP 0, implicit %0, implicit %5'],
    pressure: [
      'VGPR **0** · AGPR 0 → 32 · the larger of VGPR and AGPR 32 of 32 for 8 waves (28 for 9: 4 too many) // occupancy **8** of 10, limited by VGPR here; next wave: -4 VGPR · [why] · [live peak VGPR 1] // defines `%0` areg_1024 (+32) // used soon 32 AGPR',
      'VGPR 0 → **1** · AGPR 32 · the larger of VGPR and AGPR 32 of 32 for 8 waves (28 for 9: 4 too many) // occupancy **8** of 10, limited by VGPR here; next wave: -4 VGPR · [why] · live peak VGPR of the function // defines `%5` vgpr_32 (+1) // used soon 1 VGPR, 32 AGPR',
      'VGPR **1** → 0 · AGPR 32 → 0 · the larger of VGPR and AGPR 32 of 32 for 8 waves (28 for 9: 4 too many) // occupancy **8** of 10, limited by VGPR here; next wave: -4 VGPR · [why] · [live peak VGPR 1] // kills `%0` areg_1024 (-32), `%5` vgpr_32 (-1) // used soon 1 VGPR, 32 AGPR',
    ],
    liveness: ['defines %0 areg_1024 (+32)', 'defines %5 vgpr_32 (+1)', 'kills %0 areg_1024 (-32), %5 vgpr_32 (-1)'],
    stale: [
      'VGPR **0** · AGPR 0 → 32 · the larger of VGPR and AGPR 32 of 32 for 8 waves (28 for 9: 4 too many) // occupancy **8** of 10, limited by VGPR here; next wave: -4 VGPR · live peak VGPR 1 at bb.0:1 // defines `%0` areg_1024 (+32) // used soon 32 AGPR',
      'VGPR 0 → **1** · AGPR 32 · the larger of VGPR and AGPR 32 of 32 for 8 waves (28 for 9: 4 too many) // occupancy **8** of 10, limited by VGPR here; next wave: -4 VGPR · live peak VGPR of the function // defines `%5` vgpr_32 (+1) // used soon 1 VGPR, 32 AGPR',
      'VGPR **1** → 0 · AGPR 32 → 0 · the larger of VGPR and AGPR 32 of 32 for 8 waves (28 for 9: 4 too many) // occupancy **8** of 10, limited by VGPR here; next wave: -4 VGPR · live peak VGPR 1 at bb.0:1 // kills `%0` areg_1024 (-32), `%5` vgpr_32 (-1) // used soon 1 VGPR, 32 AGPR',
    ],
  },
  {
    what: 'both in one file',
    cpu: 'gfx90a',
    lines: [
      '%0:areg_512_align2 = IMPLICIT_DEF',
      '%1:vreg_1024_align2 = IMPLICIT_DEF',
      '%2:vreg_512_align2 = IMPLICIT_DEF',
      'S_NOP 0, implicit %0, implicit %1, implicit %2',
    ],
    pressure: [
      'VGPR **0** · AGPR 0 → 16 · VGPR + AGPR 16 of 64 for 8 waves // occupancy **8** of 8 · live peak VGPR 48 at line 11 // defines `%0` areg_512_align2 (+16) // used soon 16 AGPR',
      'VGPR 0 → **32** · AGPR 16 · VGPR + AGPR 48 of 64 for 8 waves // occupancy **8** of 8 · live peak VGPR 48 at line 11 // defines `%1` vreg_1024_align2 (+32) // used soon 32 VGPR, 16 AGPR',
      'VGPR 32 → **48** · AGPR 16 · VGPR + AGPR 64 of 64 for 8 waves // occupancy **8** of 8 · live peak VGPR of the function // defines `%2` vreg_512_align2 (+16) // used soon 48 VGPR, 16 AGPR',
      'VGPR **48** → 0 · AGPR 16 → 0 · VGPR + AGPR 64 of 64 for 8 waves // occupancy **8** of 8 · live peak VGPR 48 at line 11 // kills `%0` areg_512_align2 (-16), `%1` vreg_1024_align2 (-32), `%2` vreg_512_align2 (-16) // used soon 48 VGPR, 16 AGPR',
    ],
    liveness: [
      'defines %0 areg_512_align2 (+16)',
      'defines %1 vreg_1024_align2 (+32)',
      'defines %2 vreg_512_align2 (+16)',
      'kills %0 areg_512_align2 (-16), %1 vreg_1024_align2 (-32), %2 vreg_512_align2 (-16)',
    ],
  },
  {
    what: 'what takes registers while it runs',
    cpu: 'gfx90a',
    lines: [
      '%0:av_64_align2 = IMPLICIT_DEF',
      'dead %1:vgpr_32 = IMPLICIT_DEF',
      'early-clobber %2:vreg_64_align2 = COPY %0',
      'S_NOP 0, implicit %2, implicit-def dead %3:vgpr_32',
    ],
    pressure: [
      'VGPR 0 → **2** of 64 for 8 waves // occupancy **8** of 8 · live peak VGPR 4 at line 11 // defines `%0` av_64_align2 (+2) // used soon 2 VGPR',
      'VGPR 2, **3** while it runs of 64 for 8 waves // occupancy **8** of 8 · live peak VGPR 4 at line 11 // defines `%1` vgpr_32 (never read) // used soon 2 VGPR · used later 1 VGPR',
      'VGPR 2, **4** while it runs of 64 for 8 waves // occupancy **8** of 8 · live peak VGPR of the function // defines `%2` vreg_64_align2 (+2) · kills `%0` av_64_align2 (-2) // used soon 4 VGPR',
      'VGPR **2** → 0 of 64 for 8 waves // occupancy **8** of 8 · live peak VGPR 4 at line 11 // defines `%3` vgpr_32 (never read) · kills `%2` vreg_64_align2 (-2) // used soon 2 VGPR',
    ],
    liveness: [
      'defines %0 av_64_align2 (+2)',
      'defines %1 vgpr_32 (never read)',
      'defines %2 vreg_64_align2 (+2) // kills %0 av_64_align2 (-2)',
      'defines %3 vgpr_32 (never read) // kills %2 vreg_64_align2 (-2)',
    ],
  },
];

const open = ({ cpu, lines, what }: Case): AtCursor =>
  atCursor(
    `$0# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nmachineFunctionInfo:\n  isEntryFunction: true\nbody: |\n  bb.0:\n${lines.map((l) => `    ${l}\n`).join('')}    S_ENDPGM 0\n...\n`,
    { commandLinks: what.endsWith('links') },
  );

describe('pressure and live registers at each instruction', () => {
  for (const each of CASES)
    it(each.what, () => {
      const { snapshot } = open(each);
      const view = snapshot.functions[0]!;
      const summary = view.summary!;
      const shown = (isStale: boolean): string[] =>
        each.lines.map((_, i) =>
          pressureLines(snapshot, view, summary, i, isStale)
            .map((l) => l.source.replaceAll(/\(command[^)]*\)/g, ''))
            .join(' // '),
        );
      assert.deepEqual(shown(false), each.pressure);
      if (each.stale) assert.deepEqual(shown(true), each.stale);
      assert.deepEqual(
        each.lines.map((_, i) => livenessRows(summary, i).join(' // ')),
        each.liveness,
      );
      for (const [i, text] of each.liveness.entries()) {
        const line = livenessLine(summary, i);
        const cut = text.replace(
          /((?:[^,]*, ){3}[^,]*), (.*)$/,
          (_, four: string, rest: string) => `${four} and ${rest.split(', ').length} more`,
        );
        assert.equal(line?.source.replaceAll('`', ''), cut.replaceAll(' // ', ' · '));
      }
      assert.equal(livenessLine(summary, each.lines.length), null);
      assert.deepEqual(livenessRows(summary, each.lines.length), []);
    });

  it('a register that is read and lives on; each operand once, in the order of the text', () => {
    const { snapshot } = open({
      ...{ what: '', cpu: 'gfx900', pressure: [], liveness: [] },
      lines: [
        '%3:vgpr_32 = IMPLICIT_DEF',
        '%1:sreg_32 = IMPLICIT_DEF',
        '%2:vgpr_32 = V_ADD_U32_e32 %3, %3, implicit $exec',
        'S_NOP 0, implicit %1, implicit %3, implicit undef %9:vgpr_32',
        'S_NOP 1, implicit %2, implicit %1',
      ],
    });
    const { summary, fn } = snapshot.functions[0]!;
    const names = (i: number): string[] => virtualOperands(fn!, i).map((v) => `%${fn!.vregs.sourceNumber[v]!}`);
    assert.deepEqual(names(2), ['%2', '%3']);
    assert.deepEqual(names(3), ['%1', '%3', '%9']);
    assert.deepEqual(names(5), []);
    assert.deepEqual(livenessRows(summary!, 2), ['defines %2 vgpr_32 (+1)', 'keeps alive %3 vgpr_32']);
    assert.deepEqual(livenessRows(summary!, 3), ['kills %3 vgpr_32 (-1)', 'keeps alive %1 sreg_32']);
    assert.deepEqual(livenessRows(summary!, 4), ['kills %2 vgpr_32 (-1), %1 sreg_32 (-1)']);
  });
});
