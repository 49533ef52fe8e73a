/** Whether a changed test still does what it did: by what llc reads, by what its RUN lines write, and by the rules for those that are not run. */
import assert from 'node:assert/strict';
import { readsTheSame, RunOutputs, writesTheSame } from '../../../../server/src/features/simplify/sameOutput.js';
import { isGood } from '../../../../server/src/features/simplify/simplify.js';
import type { Rule } from '../../../../server/src/features/simplify/rules.js';
import type { Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText } from '../../../support/cursor.js';

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s\n';
const ONE = '---\nname: f\nbody: |\n  bb.0:\n    S_NOP 1\n    S_ENDPGM 0\n...\n';
const TWO = ONE.replace('name: f', 'name: g').replace('S_NOP 1', 'S_NOP 2');
const BROKEN = ONE.replace('name: f', 'name: h').replace('S_NOP 1', 'S_NOTHING');
const WRONG = ONE.replace('name: f', 'name: w').replace('S_NOP 1', '%0:vgpr_32 = S_MOV_B32 1');
const EMPTY = '---\nname: e\n...\n';
const BAD_IR = '--- |\n  define void @\n...\n';
const LINES = RUN + ONE + TWO;

const open = (text: string): Snapshot => openText(text).snapshot;

describe('what llc reads', () => {
  const CASES: readonly (readonly [what: string, before: string, after: string, isSame: boolean])[] = [
    ['the same text', LINES, LINES, true],
    ['comments and blanks', LINES, LINES.replace('S_NOP 1', 'S_NOP   1 ; one'), true],
    ['another number of a block', LINES, LINES.replace('bb.0:', 'bb.0.entry:'), false],
    ['another instruction', LINES, LINES.replace('S_NOP 1', 'S_NOP 3'), false],
    ['another instruction in the last function', LINES, LINES.replace('S_NOP 2', 'S_NOP 3'), false],
    ['a function less', LINES, RUN + ONE, false],
    ['a function more', RUN + ONE, LINES, false],
    ['no function', RUN, RUN, true],
    ['functions that trade places', LINES, RUN + TWO + ONE, false],
    ['one that cannot be read', RUN + BROKEN, RUN + BROKEN, true],
    ['one that can no longer be read', LINES, LINES.replace('S_NOP 1', 'S_NOTHING'), false],
    ['one that can be read now', LINES.replace('S_NOP 1', 'S_NOTHING'), LINES, false],
    ['an error more', LINES, LINES.replace('S_NOP 1', '%0:vgpr_32 = S_MOV_B32 1'), false],
    ['as many errors', RUN + WRONG, (RUN + WRONG).replace('S_ENDPGM 0', 'S_ENDPGM   0'), true],
    ['something wrong with the file', LINES, `${BAD_IR}${LINES}`, false],
    ['no longer wrong with the file', `${BAD_IR}${LINES}`, LINES, true],
    ['an empty function', RUN + EMPTY, RUN + EMPTY.replace('---', '--- '), true],
    [
      'another target',
      LINES,
      LINES.replace(RUN, `${RUN}${RUN.replace('gfx900', 'gfx90a')}`).replace('S_NOP 2', 'S_NOP 2 ; again'),
      true,
    ],
  ];
  for (const [what, before, after, isSame] of CASES)
    it(`${what}: ${isSame ? 'the same' : 'something else'}`, () =>
      assert.equal(readsTheSame(open(before), open(after)), isSame));
});

describe('what RUN lines write', () => {
  const known = (text: string): boolean => new RunOutputs(text).areKnown(NEVER_CANCELLED);
  const isSame = (before: string, after: string): boolean =>
    writesTheSame(new RunOutputs(before), new RunOutputs(after), NEVER_CANCELLED);

  it('is known where all of them run here', () => {
    assert.equal(known(LINES), true);
    assert.equal(known(ONE), false, 'no RUN line');
    assert.equal(known(`# RUN: opt %s\n${ONE}`), false);
    assert.equal(known(`${RUN}# RUN: opt %s\n${ONE}`), false, 'one of them does not');
    assert.equal(known(`${RUN}${RUN}${ONE}`), true);
    assert.equal(known(`# RUN: llc \\\n`), false, 'the line does not end');
  });

  it('is the same, whatever the text looks like', () => {
    const check = `${RUN.trimEnd()} | FileCheck %s\n`;
    const checked = `${check}# CHECK: S_NOP 1\n${ONE}`;
    for (const [before, after, wanted] of [
      [LINES, LINES, true],
      [LINES, LINES.replace('S_NOP 1', 'S_NOP  1 ; one'), true],
      [LINES, LINES.replace('S_NOP 1', 'S_NOP 3'), false],
      [LINES, LINES.replace(TWO, ''), false],
      [LINES, LINES.replace(RUN, `${RUN}${RUN}`), false],
      [LINES.replace(RUN, `${RUN}${RUN}`), LINES, false],
      [LINES, LINES.replace(RUN, ''), false],
      [LINES, LINES.replace(RUN, '# RUN: opt %s\n'), false],
      [LINES.replace(RUN, '# RUN: opt %s\n'), LINES.replace(RUN, '# RUN: opt %s\n'), false],
      [ONE, ONE, false],
      [checked, checked, true],
      [checked, checked.replace('S_NOP 1', 'S_NOP 2'), false],
      [checked, checked.replace('# CHECK: S_NOP 1', '# CHECK: S_NOP {{1}}'), true],
      [
        `${RUN}--- |\n  define void @f() {\n    ret void\n  }\n...\n${ONE}`,
        `${RUN}--- |\n  define void @f() {\n    ret void\n  }\n  declare void @unused()\n...\n${ONE}`,
        true,
      ],
    ] as const)
      assert.equal(isSame(before, after), wanted, `${before}\n→\n${after}`);
  });

  it('is asked once', () => {
    const outputs = new RunOutputs(LINES);
    assert.equal(outputs.of(NEVER_CANCELLED), outputs.of(NEVER_CANCELLED));
  });
});

describe('whether what a rule makes is good', () => {
  const of = (rule: Partial<Rule>, text: string, change: (text: string) => string, k = 0): boolean => {
    const snapshot = open(text);
    const edits = [{ start: 0, end: text.length, text: change(text) }];
    return isGood({ ...rule } as Rule, snapshot, snapshot.functions[k]!, edits);
  };
  const to =
    (from: string, becomes: string) =>
    (text: string): string =>
      text.replace(from, becomes);

  it('nothing becomes wrong, no function goes', () => {
    for (const rule of [{}, { isReadAlike: true as const }]) {
      assert.equal(of(rule, LINES, to('S_NOP 1', 'S_NOP  1')), true);
      assert.equal(of(rule, LINES, to('S_NOP 1', 'S_NOTHING')), false);
      assert.equal(of(rule, LINES, to('S_NOP 1', '%0:vgpr_32 = S_MOV_B32 1')), false);
      assert.equal(of(rule, LINES, to(TWO, '')), false);
      assert.equal(of(rule, LINES, to(TWO, TWO + EMPTY)), false);
      assert.equal(
        of(rule, LINES, (t) => `${t}---\n: [\n...\n`),
        false,
      );
      assert.equal(of(rule, RUN + WRONG, to('S_ENDPGM 0', 'S_ENDPGM  0')), true);
      assert.equal(of(rule, RUN + BROKEN, to('bb.0:', 'bb.0: ')), true);
    }
    assert.equal(of({}, RUN + BROKEN, to('S_NOTHING', 'S_NOP 1')), true);
    assert.equal(of({}, RUN + WRONG, to('%0:vgpr_32 = S_MOV_B32 1', 'S_NOP 1')), true);
  });

  it('a rule that says so changes nothing for llc, in no function', () => {
    assert.equal(of({}, LINES, to('S_NOP 1', 'S_NOP 3')), true);
    assert.equal(of({ isReadAlike: true }, LINES, to('S_NOP 1', 'S_NOP 3')), false);
    assert.equal(of({ isReadAlike: true }, LINES, to('S_NOP 2', 'S_NOP 3')), false);
    assert.equal(of({ isReadAlike: true }, LINES + BROKEN, to('S_NOP 2', 'S_NOP  2')), true);
  });

  it('one that leaves a function alone leaves that one, as it was', () => {
    const alone = { isAlone: true } as const;
    assert.equal(of(alone, LINES, to(TWO, '')), true);
    assert.equal(of(alone, LINES, to(ONE, ''), 1), true);
    assert.equal(of(alone, LINES, to(ONE, '')), false, 'the other one');
    assert.equal(
      of(alone, LINES, (t) => t),
      false,
      'both',
    );
    assert.equal(of(alone, LINES, to(ONE + TWO, '')), false, 'none');
    assert.equal(
      of(alone, LINES, (t) => t.replace(TWO, '').replace('S_NOP 1', 'S_NOP 3')),
      false,
    );
    assert.equal(
      of(alone, LINES, (t) => t.replace(TWO, '').replace('S_NOP 1', 'S_NOTHING')),
      false,
    );
    assert.equal(of(alone, RUN + BROKEN + ONE, to(ONE, '')), true);
    assert.equal(of(alone, RUN + WRONG + ONE, to(ONE, '')), true);
  });

  it('of another target nobody knows more than that as many are left', () => {
    const foreign = '# RUN: llc -mtriple=x86_64-- -o - %s\n';
    for (const rule of [{}, { isReadAlike: true as const }]) {
      assert.equal(of(rule, foreign + ONE + TWO, to('S_NOP 1', 'S_NOP 3')), true);
      assert.equal(of(rule, foreign + ONE + TWO, to(TWO, '')), false);
    }
    assert.equal(of({ isAlone: true }, foreign + ONE + TWO, to(TWO, '')), false);
  });
});
