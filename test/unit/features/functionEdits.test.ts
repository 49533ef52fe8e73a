/** A function that was changed, as edits of its text: lines that stay, move, come and go, at each place of a block. */
import assert from 'node:assert/strict';
import { functionEdits } from '../../../server/src/features/fixes/functionEdits.js';
import type { MachineFunction } from '../../../server/src/model/machineFunction.js';
import { openText } from '../../support/cursor.js';

const HEAD = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: before
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: f
registers:
  - { id: 0, class: vgpr_32 }
  - { id: 1, class: sreg_32 }
body: |
`;
const BODY = [
  '  bb.0:',
  '      S_NOP 0 ; zero',
  '    ; between',
  '    S_NOP   1',
  '    %0 = IMPLICIT_DEF ; two',
  '',
  '  bb.1:',
  '  bb.2:',
  '    %1 = S_MOV_B32 3',
  '    S_ENDPGM 4',
  '...',
];
const TEXT = `${HEAD}${BODY.join('\n')}\n`;

/** The lines of the body after a change of the function; null where the text cannot follow. */
function after(change: (fn: MachineFunction) => void, eol = '\n', given = TEXT): string[] | null {
  const { snapshot, text } = openText(given.replaceAll('\n', eol));
  const view = snapshot.functions[1]!;
  const fn = view.fn!.clone();
  change(fn);
  const edits = functionEdits(snapshot, view, fn);
  if (edits === null) return null;
  let result = '';
  let at = 0;
  for (const e of edits) {
    assert.ok(at <= e.start && e.start <= e.end, 'ascending');
    result += text.slice(at, e.start) + e.text;
    at = e.end;
  }
  const lines = (result + text.slice(at)).split(eol);
  return lines.slice(lines.indexOf('name: f') + 1, -1);
}

/** Blocks with these instructions. */
const layout =
  (...blocks: readonly (readonly number[])[]) =>
  (fn: MachineFunction): void => {
    let p = 0;
    fn.order = Int32Array.from(blocks.flat());
    blocks.forEach((instrs, b) => {
      fn.blockBegin[b] = p;
      p += instrs.length;
      fn.blockEnd[b] = p;
    });
  };

const LIST = HEAD.split('\n').slice(9, -1);
const [B0, ZERO, BETWEEN, ONE, TWO, GAP, B1, B2, THREE, FOUR, END] = BODY as [
  ...[string, string, string, string, string, string, string, string, string, string, string],
];
const printed = [
  '    S_NOP 0',
  '    S_NOP 1',
  '    %0:vgpr_32 = IMPLICIT_DEF',
  '    %1:sreg_32 = S_MOV_B32 3',
  '    S_ENDPGM 4',
];

const CASES: readonly (readonly [what: string, blocks: readonly (readonly number[])[], lines: readonly string[]])[] = [
  ['nothing changes', [[0, 1, 2], [], [3, 4]], BODY],
  ['the first line goes', [[1, 2], [], [3, 4]], [B0, BETWEEN, ONE, TWO, GAP, B1, B2, THREE, FOUR, END]],
  ['a line in the middle goes', [[0, 2], [], [3, 4]], [B0, ZERO, BETWEEN, TWO, GAP, B1, B2, THREE, FOUR, END]],
  ['the last line goes', [[0, 1], [], [3, 4]], [B0, ZERO, BETWEEN, ONE, GAP, B1, B2, THREE, FOUR, END]],
  ['the last of all goes', [[0, 1, 2], [], [3]], [B0, ZERO, BETWEEN, ONE, TWO, GAP, B1, B2, THREE, END]],
  ['two lines go', [[2], [], [3, 4]], [B0, BETWEEN, TWO, GAP, B1, B2, THREE, FOUR, END]],
  ['a block is empty', [[], [], [3, 4]], [B0, BETWEEN, GAP, B1, B2, THREE, FOUR, END]],
  [
    'the first one moves down',
    [[1, 0, 2], [], [3, 4]],
    [B0, BETWEEN, ONE, printed[0]!, TWO, GAP, B1, B2, THREE, FOUR, END],
  ],
  [
    'the first one moves to the end',
    [[1, 2, 0], [], [3, 4]],
    [B0, BETWEEN, ONE, TWO, printed[0]!, GAP, B1, B2, THREE, FOUR, END],
  ],
  [
    'the last one moves up: the others move',
    [[2, 0, 1], [], [3, 4]],
    [B0, BETWEEN, TWO, printed[0]!, printed[1]!, GAP, B1, B2, THREE, FOUR, END],
  ],
  [
    'one from another block in front',
    [[3, 0, 1, 2], [], [4]],
    [B0, printed[3]!, ZERO, BETWEEN, ONE, TWO, GAP, B1, B2, FOUR, END],
  ],
  [
    'two from another block in the middle',
    [[0, 3, 4, 1, 2], [], []],
    [B0, ZERO, BETWEEN, printed[3]!, printed[4]!, ONE, TWO, GAP, B1, B2, END],
  ],
  [
    'one from another block at the end',
    [[0, 1, 2, 3], [], [4]],
    [B0, ZERO, BETWEEN, ONE, TWO, printed[3]!, GAP, B1, B2, FOUR, END],
  ],
  ['one in place of another', [[3, 1, 2], [], [4]], [B0, printed[3]!, BETWEEN, ONE, TWO, GAP, B1, B2, FOUR, END]],
  ['one in place of two', [[0, 4], [], [3]], [B0, ZERO, BETWEEN, printed[4]!, GAP, B1, B2, THREE, END]],
  ['two in place of one', [[0, 3, 4, 2], [], []], [B0, ZERO, BETWEEN, printed[3]!, printed[4]!, TWO, GAP, B1, B2, END]],
  [
    'a block that was empty is filled',
    [[0], [1, 2], [3, 4]],
    [B0, ZERO, BETWEEN, GAP, B1, printed[1]!, printed[2]!, B2, THREE, FOUR, END],
  ],
  [
    'all in the last block',
    [[], [], [0, 1, 2, 3, 4]],
    [B0, BETWEEN, GAP, B1, B2, ...printed.slice(0, 3), THREE, FOUR, END],
  ],
];

describe('a changed function as edits', () => {
  for (const [what, blocks, lines] of CASES)
    for (const eol of ['\n', '\r\n'])
      it(`${what}${eol === '\n' ? '' : ', with carriage returns'}`, () =>
        assert.deepEqual(after(layout(...blocks), eol), [...LIST, ...lines]));

  it('an instruction that is another now is printed in its place', () => {
    assert.deepEqual(
      after((fn) => {
        fn.opVal[fn.opBegin[1]!] = 7;
      }),
      [...LIST, ...BODY.map((l) => l.replace('S_NOP   1', 'S_NOP 7'))],
    );
  });

  it('a class that is another now stands in the list and at the definition', () => {
    const to =
      (v: number, name: string) =>
      (fn: MachineFunction): void => {
        fn.vregs.regClass[v] = name === '' ? -1 : fn.tables.regClassByName(name);
      };
    const changed = (from: string, becomes: string, line: string, now: string): string[] => [
      ...LIST.map((l) => l.replace(from, becomes)),
      ...BODY.map((l) => l.replace(line, now)),
    ];
    assert.deepEqual(
      after(to(0, 'sreg_32')),
      changed('id: 0, class: vgpr_32', 'id: 0, class: sreg_32', '%0 = IMPLICIT_DEF', '%0:sreg_32 = IMPLICIT_DEF'),
    );
    assert.deepEqual(
      after(to(1, 'vgpr_32')),
      changed('id: 1, class: sreg_32', 'id: 1, class: vgpr_32', '%1 = S_MOV_B32 3', '%1:vgpr_32 = S_MOV_B32 3'),
    );
    assert.deepEqual(after(to(0, 'vgpr_32')), [...LIST, ...BODY]);
  });

  it('not with other blocks, bundles, or two instructions on a line', () => {
    assert.equal(
      after((fn) => void fn.blocks.pop()),
      null,
    );
    const bundle = TEXT.replace('      S_NOP 0 ; zero\n', '    BUNDLE {\n      S_NOP 0\n    }\n');
    assert.equal(
      after(() => undefined, '\n', bundle),
      null,
    );
    const { snapshot } = openText(TEXT);
    const view = snapshot.functions[1]!;
    const none = Object.create(view, { fn: { value: null } }) as typeof view;
    assert.equal(functionEdits(snapshot, none, view.fn!.clone()), null);
  });
});
