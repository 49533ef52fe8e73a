/** Hovers on blocks: frequency, loops, live registers, edges; lists that are cut. */
import assert from 'node:assert/strict';
import { openText } from '../../../support/cursor.js';
import { expect } from '../../../support/expect.js';
import { blockLines } from '../../../../server/src/features/hover/hoverBlock.js';
import { describeHovers } from '../../../support/hoverTexts.js';
import { MANY_BLOCKS } from '../../../support/exampleTexts.js';
import { ratioText } from '../../../../server/src/features/words/numbers.js';

const HOVERS = expect`
== 8 bb.0 2-6
**'bb.0'**: 19 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.1

== 31 bb.1 2-6
**'bb.1'**: 1 instruction, runs 2x per call (estimate), header of a loop of depth 1
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.2; comes from bb.0, bb.3

== 36 bb.2 2-6
**'bb.2'**: 2 instructions, runs 128x per call (estimate), header of a loop of depth 2
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.2 98.4%, bb.3 1.6%; comes from bb.1, bb.2

== 42 bb.3 2-6
**'bb.3'**: 1 instruction, runs 2x per call (estimate), in a loop of depth 1
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.1 50%, bb.4 50%; comes from bb.2

== 47 bb.4 2-6
**'bb.4'**: 1 instruction, runs 1x per call, in no loop
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.5 0%, bb.6 100%; comes from bb.3

== 52 bb.5 2-6
**'bb.5'**: 1 instruction, runs 3.1e-5x per call (estimate), in no loop
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.6; comes from bb.4

== 57 bb.6 2-6
**'bb.6'**: 1 instruction, runs 1x per call, in no loop
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.7; comes from bb.4, bb.5

== 67 bb.8 2-6
**'bb.8'**: 2 instructions, runs 1x per call, in no loop
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 0, SGPR 0
goes nowhere; comes from bb.7
`;

describeHovers('hover on a block', MANY_BLOCKS, HOVERS);

describe('lines about blocks', () => {
  const lines = (body: string, number: number, head = ''): string[] | null => {
    const text = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s\n${head}---\nname: f\ntracksRegLiveness: true\nbody: |\n${body}...\n`;
    const { snapshot } = openText(text);
    const found = blockLines(snapshot, snapshot.functions[0]!, number);
    return found && found.map((line) => line.source.replaceAll('`', "'"));
  };
  const liveins = (n: number): string => [...Array(n).keys()].map((k) => `$vgpr${k}`).join(', ');

  it('none of blocks that are not there', () => {
    assert.equal(lines('  bb.0:\n    S_ENDPGM 0\n', 1), null);
    assert.equal(lines('  bb.7:\n    S_ENDPGM 0\n', 0), null);
    assert.notEqual(lines('  bb.7:\n    S_ENDPGM 0\n', 7), null);
  });

  it('sixteen registers that live in, and how many more', () => {
    const listed = (n: number): string =>
      lines(`  bb.0:\n    liveins: ${liveins(n)}\n    S_ENDPGM 0\n`, 0)!.find((line) => line.startsWith('liveins'))!;
    const names = (n: number): string => liveins(n).replaceAll(/\$vgpr\d+/g, "'$&'");
    assert.equal(listed(1), "liveins: '$vgpr0'");
    assert.equal(listed(16), `liveins: ${names(16)}`);
    assert.equal(listed(17), `liveins: ${names(16)}, 1 more`);
    assert.equal(listed(20), `liveins: ${names(16)}, 4 more`);
  });

  it('sixteen values at its borders, and how many more', () => {
    const border = (n: number): string => {
      const all = [...Array(n).keys()].map((k) => `%${k}`);
      const body = `  bb.0:\n${all.map((r) => `    ${r}:vgpr_32 = IMPLICIT_DEF\n`).join('')}\n  bb.1:\n    S_ENDPGM 0, ${all.map((r) => `implicit ${r}`).join(', ')}\n`;
      return lines(body, 1)!.find((line) => line.startsWith('live-in'))!;
    };
    const names = (n: number): string => [...Array(n).keys()].map((k) => `%${k}`).join(', ');
    assert.equal(border(1), "live-in VGPR 1, SGPR 0: '%0'");
    assert.equal(border(16), `live-in VGPR 16, SGPR 0: '${names(16)}'`);
    assert.equal(border(17), `live-in VGPR 17, SGPR 0: '${names(16)}', 1 more`);
    assert.equal(border(20), `live-in VGPR 20, SGPR 0: '${names(16)}', 4 more`);
  });

  it('registers of each bank, and those that may be in either', () => {
    const body = `  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:av_64_align2 = IMPLICIT_DEF
    %2:agpr_32 = IMPLICIT_DEF
    %name:sreg_64 = IMPLICIT_DEF

  bb.1:
    S_ENDPGM 0, implicit %0, implicit %1, implicit %2, implicit %name
`;
    assert.deepEqual(lines(body, 1)!.slice(1, 3), [
      "live-in VGPR 3, SGPR 2, AGPR 1: '%0, %1, %2, %name'",
      'live-out VGPR 0, SGPR 0',
    ]);
    assert.deepEqual(lines(body, 0)!.slice(1), [
      'live-in VGPR 0, SGPR 0',
      "live-out VGPR 3, SGPR 2, AGPR 1: '%0, %1, %2, %name'",
      'goes to bb.1 (not spelled)',
    ]);
  });

  it('what nothing reaches, and the name that the IR gives', () => {
    const body = '  bb.0.entry:\n    S_ENDPGM 0\n\n  bb.1.dead:\n    S_NOP 0\n    S_ENDPGM 0\n';
    const ir = '--- |\n  define void @f() {\n  entry:\n    ret void\n  dead:\n    ret void\n  }\n...\n';
    assert.equal(lines(body, 0, ir)![0], "**'bb.0.entry'**: 1 instruction, runs 1x per call, in no loop");
    assert.equal(lines(body, 1, ir)![0], "**'bb.1.dead'**: 2 instructions, not reached from the entry, in no loop");
    assert.equal(lines(body, 1, ir)!.at(-1), 'goes nowhere');
  });

  it('how often, in three digits', () => {
    assert.deepEqual([1, 0.5, 31, 1234.5, 0.01, 0.0099, 0.00001234, 2.678, 99.95].map(ratioText), [
      '1x',
      '0.5x',
      '31x',
      '1230x',
      '0.01x',
      '9.9e-3x',
      '1.2e-5x',
      '2.68x',
      '100x',
    ]);
  });
});
