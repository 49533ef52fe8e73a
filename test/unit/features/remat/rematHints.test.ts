/** Hints on definitions that can be computed again, and the line of a register's hover. */
import assert from 'node:assert/strict';
import { rematHints, rematLine } from '../../../../server/src/features/remat/rematHints.js';
import type { FunctionView } from '../../../../server/src/features/snapshot/snapshot.js';
import { openText } from '../../../support/cursor.js';
import { pressedFunction, sizeOfPressed } from '../../../support/pressedFunction.js';
import { nameOf } from '../../../../server/src/features/words/registerNames.js';

const fn = (body: string): string =>
  `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n${body}...\n`;

const viewOf = (text: string): FunctionView => openText(text).snapshot.functions[0]!;
const messages = (text: string): string[] => rematHints(viewOf(text)).map((h) => h.message);

function line(text: string, name: string): string {
  const view = viewOf(text);
  const { n } = view.fn!.vregs;
  return rematLine(view, [...Array(n).keys()].find((v) => nameOf(view.fn!, v) === name) ?? n);
}

const range = (n: number): number[] => [...Array(n).keys()];
const mov = (name: string, k = 1): string => `    %${name}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec\n`;
const read = (...names: readonly string[]): string => `    S_NOP 0${names.map((n) => `, implicit %${n}`).join('')}\n`;

/** 32 registers at once in bb.0, which fill eight waves, beside those that are given. */
const WIDE = '    %w:vreg_1024 = IMPLICIT_DEF\n    S_NOP 0, implicit %w\n';

describe('hints of rematerialization', () => {
  it('are twelve at most, each with four places at most', () => {
    const all = range(14).map((k) => `m${k}`);
    const text = fn(`  bb.0:\n${all.map((m) => mov(m)).join('')}${WIDE}\n  bb.1:\n${read(...all)}    S_ENDPGM 0\n`);
    assert.deepEqual(
      messages(text),
      all.slice(0, 12).map((m) => `%${m} can be rematerialized at bb.1: VGPR -1 in 1 region, occupancy stays 5`),
    );
    const users = range(6).map((k) => `\n  bb.${k + 1}:\n${read('a')}`);
    const view = viewOf(fn(`  bb.0:\n${mov('a')}${WIDE}${users.join('')}    S_ENDPGM 0\n`));
    const [hint] = rematHints(view);
    assert.equal(
      hint!.message,
      '%a can be rematerialized at 6 places in 6 blocks: VGPR -1 in 1 region, occupancy 7 to 8',
    );
    assert.equal(hint!.related!.length, 4);
    const starts = hint!.related!.map((r) => r.start);
    assert.deepEqual(
      starts,
      [...starts].sort((a, b) => a - b),
    );
  });

  it('begin with those that bring waves, then those that free the most registers, then the first', () => {
    // %late ends in bb.3, so that it frees a register in bb.1 and bb.2, too
    const text = fn(`  bb.0:
${mov('a')}${mov('b')}${mov('late')}    %pair:vreg_64 = V_MOV_B64_PSEUDO 1, implicit $exec
${WIDE}
  bb.1:
    %t:vgpr_32 = IMPLICIT_DEF
${read('t')}
  bb.2:
    %u:vgpr_32 = IMPLICIT_DEF
${read('u')}
  bb.3:
${read('late')}
  bb.4:
    S_NOP 0
  bb.5:
${read('b', 'a', 'pair')}    S_ENDPGM 0
`);
    assert.deepEqual(
      messages(text).map((m) => m.split(' ')[0]),
      ['%pair', '%a', '%b', '%late'],
    );
    const waves = fn(`  bb.0:
${mov('a')}${WIDE}
  bb.1:
${read('a')}    %v:vreg_512 = IMPLICIT_DEF
    S_NOP 0, implicit %v
    %k:sreg_32 = S_MOV_B32 1
${read()}
  bb.2:
    S_ENDPGM 0, implicit %k
`);
    assert.deepEqual(messages(waves), [
      '%a can be rematerialized at bb.1: VGPR -1 in 1 region, occupancy 7 to 8',
      '%k can be rematerialized at bb.2: SGPR -1 in 1 region, occupancy stays 7',
    ]);
  });

  it('none where that gains nothing, or no wave is missing', () => {
    assert.deepEqual(messages(fn(`  bb.0:\n${mov('a')}    S_NOP 0\n\n  bb.1:\n${read('a')}    S_ENDPGM 0\n`)), []);
    assert.deepEqual(messages(fn(`  bb.0:\n${mov('a')}${WIDE}${read('a')}    S_ENDPGM 0\n`)), []);
    assert.deepEqual(messages(fn('  bb.0:\n    S_NOTHING\n')), []);
    assert.deepEqual(messages('---\nname: f\n...\n'), []);
  });

  it('none in large functions, nor lines of hovers', () => {
    const pad = 2000 - sizeOfPressed(25);
    const what = 'at bb.1 (VGPR -1 in 2 regions, occupancy 9 to 10)';
    const at = (more: number): [string[], string, string] => {
      const text = pressedFunction(25, 1, pad + more);
      return [messages(text), line(text, '%24'), line(text, '%23')];
    };
    assert.deepEqual(at(0), [
      ['%24 can be rematerialized at bb.1: VGPR -1 in 2 regions, occupancy 9 to 10'],
      `can be rematerialized: ${what}`,
      'can be rematerialized: no, the instruction has implicit operands beyond those of its opcode',
    ]);
    assert.deepEqual(at(1), [[], '', '']);
  });
});

describe('whether a register can be rematerialized, in its hover', () => {
  const no = (why: string): string => `can be rematerialized: no, ${why}`;
  const CASES: readonly (readonly [name: string, body: string, line: string])[] = [
    ['%none', '  bb.0:\n    S_ENDPGM 0, implicit undef %none:vgpr_32\n', ''],
    ['%77', '  bb.0:\n    S_ENDPGM 0\n', ''],
    ['%a', `  bb.0:\n    dead ${mov('a').trim()}\n    S_ENDPGM 0\n`, ''],
    ['%a', `  bb.0:\n${mov('a')}${read('a')}    S_ENDPGM 0\n`, no('it is used only in the region of its definition')],
    [
      '%a',
      `  bb.0:\n    %a:vgpr_32 = COPY undef $vgpr0\n\n  bb.1:\n${read('a')}    S_ENDPGM 0\n`,
      no('COPY cannot be rematerialized'),
    ],
    [
      '%a',
      `  bb.0:\n    %b:vgpr_32 = IMPLICIT_DEF\n    %a:vgpr_32 = V_NOT_B32_e32 %b, implicit $exec\n\n  bb.1:\n    S_NOP 1\n${read('a')}    S_ENDPGM 0\n`,
      no('operand %b is not available at bb.1:1'),
    ],
    [
      '%a',
      `  bb.0:\n${mov('a')}    S_NOP 0\n\n  bb.1:\n${read('a')}    S_ENDPGM 0\n`,
      'can be rematerialized: at bb.1 (VGPR -1 in 1 region, occupancy stays 10)',
    ],
    [
      '%a',
      `  bb.0:
    successors: %bb.1, %bb.2
    %c:vgpr_32 = IMPLICIT_DEF
    %a:vgpr_32 = V_NOT_B32_e32 %c, implicit $exec
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
${read('a', 'c')}    S_ENDPGM 0

  bb.2:
    S_NOP 1
${read('a')}    S_ENDPGM 0
`,
      'can be rematerialized: at bb.1 (no region changes its live peak, occupancy stays 10)',
    ],
    [
      '%a',
      `  bb.0:
    %c:vgpr_32 = IMPLICIT_DEF
    %a:vgpr_32 = V_NOT_B32_e32 %c, implicit $exec
    S_NOP 0

  bb.1:
${read('a', 'c')}
  bb.2:
    S_NOP 1
${read('a')}    S_ENDPGM 0
`,
      'can be rematerialized: yes, but it stays live for users that need its definition',
    ],
  ];
  for (const [name, body, wanted] of CASES)
    it(wanted === '' ? `nothing of ${name}` : wanted, () => assert.equal(line(fn(body), name), wanted));

  it('nothing of a function that is not understood', () => {
    assert.equal(rematLine(viewOf(fn('  bb.0:\n    S_NOTHING\n')), 0), '');
    assert.equal(rematLine(viewOf('---\nname: f\n...\n'), 0), '');
  });
});
