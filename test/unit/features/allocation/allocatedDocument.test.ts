/** The document of an allocated function: llc's text of it, with the comments of the source where they stood. */
import assert from 'node:assert/strict';
import { allocatedDocument } from '../../../../server/src/features/allocation/allocatedDocument.js';
import type { AllocatedFunction } from '../../../../server/src/passes/regalloc/trace/collector.js';
import type { MachineFunction } from '../../../../server/src/model/machineFunction.js';
import { atCursor, openText } from '../../../support/cursor.js';

const BEFORE = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: before
body: |
  bb.0:
    S_ENDPGM 0
...
`;
const KEYS = 'name: f\ntracksRegLiveness: true\n';
const BODY = `  ; above bb.0
  bb.0:
    ; above one
    ; two lines of it
    S_NOP 1 ; beside one
    S_NOP 2
    ; above three
    S_NOP 3   ; beside three
    BUNDLE {
      S_NOP 4 ; beside four
    }

  ; above bb.1
  bb.1:
    ; above the end
    S_ENDPGM 0
  ; after all
`;
const TEXT = `${BEFORE}---\n# a header comment\n${KEYS}body: |   # of the body\n${BODY}...\n`;

/** The document after a change of the function; llc leaves two blanks in the empty line between blocks. */
function after(change: (fn: MachineFunction) => void = () => undefined, text = TEXT): string {
  const { snapshot } = openText(text);
  const view = snapshot.functions[1]!;
  const fn = view.fn!.clone();
  change(fn);
  const allocated = { fn, nInstrs: view.fn!.nInstrs } as unknown as AllocatedFunction;
  return allocatedDocument(view, allocated, snapshot.text);
}
const bodyOf = (document: string): string =>
  document.slice(document.indexOf('\n', document.indexOf('\nbody:') + 1) + 1);

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

const ONE = '    ; above one\n    ; two lines of it\n    S_NOP 1 ; beside one\n';
const TWO = '    S_NOP 2\n';
const THREE = '    ; above three\n    S_NOP 3   ; beside three\n';
const BUNDLE = '    BUNDLE {\n      S_NOP 4 ; beside four\n    }\n';
const END = '    ; above the end\n    S_ENDPGM 0\n';
const HEAD = '  ; above bb.0\n  bb.0:\n';
const NEXT = '  \n  ; above bb.1\n  bb.1:\n';
const TAIL = '  ; after all\n...\n';

describe('an allocated function with the comments of its source', () => {
  const CASES: readonly (readonly [what: string, blocks: readonly (readonly number[])[], body: string])[] = [
    ['nothing moves', [[0, 1, 2, 3, 4], [5]], HEAD + ONE + TWO + THREE + BUNDLE + NEXT + END + TAIL],
    [
      'instructions move with their comments',
      [[2, 1, 0, 3, 4], [5]],
      HEAD + THREE + TWO + ONE + BUNDLE + NEXT + END + TAIL,
    ],
    ['a bundle moves', [[3, 4, 0, 1, 2], [5]], HEAD + BUNDLE + ONE + TWO + THREE + NEXT + END + TAIL],
    [
      'one goes: what stood above it stands after its block',
      [[1, 2, 3, 4], [5]],
      `${HEAD}${TWO}${THREE}${BUNDLE}  \n    ; above one\n    ; two lines of it\n${NEXT.slice(3)}${END}${TAIL}`,
    ],
    [
      'all of a block go',
      [[], [5]],
      `${HEAD}  \n    ; above one\n    ; two lines of it\n    ; above three\n${NEXT.slice(3)}${END}${TAIL}`,
    ],
    [
      'all of the last block go',
      [[0, 1, 2, 3, 4], []],
      `${HEAD}${ONE}${TWO}${THREE}${BUNDLE}${NEXT}    ; above the end\n${TAIL}`,
    ],
    [
      'one goes to another block',
      [
        [1, 2, 3, 4],
        [0, 5],
      ],
      `${HEAD}${TWO}${THREE}${BUNDLE}  \n    ; above one\n    ; two lines of it\n${NEXT.slice(3)}    S_NOP 1 ; beside one\n${END}${TAIL}`,
    ],
  ];
  for (const [what, blocks, body] of CASES)
    it(what, () => {
      const printed = bodyOf(after(layout(...blocks)));
      // llc says where a block goes when that is not to the next one
      assert.equal(printed.replaceAll(/ {4}successors: .*\n {2}\n/g, ''), body);
    });

  it('what stands around the body stays', () => {
    const whole = after();
    assert.ok(whole.startsWith('---\n# a header comment\nname:            f\n'), whole);
    assert.ok(whole.includes('\nbody: |   # of the body\n  ; above bb.0\n'));
    assert.equal(whole.match(/^---/gm)!.length, 1);
    assert.ok(whole.endsWith('  ; after all\n...\n'));
    const quoted = after(undefined, TEXT.replace('name: f', "'name': f"));
    assert.ok(quoted.startsWith('---\n# a header comment\nname:            f\n'), quoted);
    const bare = after(undefined, TEXT.replace('# a header comment\n', ''));
    assert.ok(bare.startsWith('---\nname:            f\n'), bare);
    const behind = after(undefined, `${TEXT}# after\n`);
    assert.ok(behind.endsWith('...\n# after\n'));
  });

  it('keys that the source has, where llc would leave them out', () => {
    const has = (text: string): boolean => /^alignment: {7}1$/m.test(after(undefined, text));
    assert.equal(has(TEXT.replace(KEYS, `${KEYS}alignment: 1\n`)), true);
    const simple = after(undefined, TEXT);
    assert.equal(
      /^alignment:/m.test(simple),
      /^alignment:/m.test(after(undefined, TEXT.replace('# a header', '# alignment: 1'))),
    );
  });

  it('a function without a body stays as it is', () => {
    const { snapshot } = atCursor(`$0${BEFORE}---\nname: f # no body\n...\n`);
    const view = snapshot.functions[1]!;
    const allocated = { fn: view.fn!, nInstrs: 0 } as unknown as AllocatedFunction;
    assert.equal(allocatedDocument(view, allocated, snapshot.text), '---\nname: f # no body\n...\n');
  });
});
