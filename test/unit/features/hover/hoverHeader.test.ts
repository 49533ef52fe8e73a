/** Hovers on keys of a header: their path, what they mean, where the answer holds. */
import assert from 'node:assert/strict';
import { HEADER_KEYS } from '../../../../server/src/features/words/headerKeys.js';
import { provideHover } from '../../../../server/src/features/hover/hover.js';
import { hoverText } from '../../../support/hoverTexts.js';
import { atCursor } from '../../../support/cursor.js';

/** Path of the key under the bar and its meaning, with the text that the answer is about; empty where nothing is said. */
function said(header: string): [path: string, meaning: string, about: string] | [] {
  const { snapshot, position, text } = atCursor(
    `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\n${header}\nbody: |\n  bb.0:\n...\n`,
  );
  const hover = provideHover(snapshot, { position });
  if (hover === null) return [];
  const [path = '', ...rest] = hoverText(hover.contents as never).split('\n');
  const { start, end } = hover.range!;
  return [path, rest.join('\n'), text.slice(snapshot.text.offsetAt(start), snapshot.text.offsetAt(end))];
}

const meaningOf = (key: string): string => HEADER_KEYS[key]!.replaceAll('`', "'");

describe('hover on a key', () => {
  const KEYS: readonly (readonly [header: string, key: string, about?: string])[] = [
    ['$0alignment: 4', 'alignment'],
    ['alignment$0: 4', 'alignment'],
    ['align$0ment: 4', 'alignment'],
    ["'align$0ment': 4", 'alignment', "'alignment'"],
    ['"align$0ment": 4', 'alignment', '"alignment"'],
    ['frameInfo:\n  has$0Calls: true', 'frameInfo.hasCalls'],
    ['registers:\n  - { i$0d: 0, class: vgpr_32 }', 'registers.id'],
    ['registers:\n  - { id: 0, clas$0s: vgpr_32 }', 'registers.class'],
    ['stack:\n  - id: 0\n    siz$0e: 4', 'stack.size'],
    [
      "machineFunctionInfo:\n  argumentInfo:\n    dispatch$0Ptr: { reg: '$sgpr0' }",
      'machineFunctionInfo.argumentInfo.dispatchPtr',
    ],
  ];
  for (const [header, key, about] of KEYS)
    it(header, () => {
      const meaning = key.includes('argumentInfo.')
        ? "Where the function finds its input 'dispatchPtr'."
        : meaningOf(key);
      assert.deepEqual(said(header), [`**${key}**`, meaning, about ?? key.split('.').at(-1)!]);
    });

  it('objects of the fixed stack are as others', () => {
    assert.deepEqual(said('fixedStack:\n  - { id: 0, siz$0e: 4 }'), [
      '**fixedStack.size**',
      meaningOf('stack.size'),
      'size',
    ]);
    assert.deepEqual(said('fixedStack:\n  - { id: 0, isIm$0mutable: 4 }')[1], meaningOf('fixedStack.isImmutable'));
    assert.deepEqual(said('fixedStack:\n  - { id: 0, fo$0o: 4 }'), []);
  });

  it('what an argument has', () => {
    const of = (entry: string): unknown[] =>
      said(`machineFunctionInfo:\n  argumentInfo:\n    workItemIDX: { ${entry} }`).slice(0, 2);
    const path = '**machineFunctionInfo.argumentInfo.workItemIDX';
    assert.deepEqual(of("re$0g: '$vgpr31'"), [`${path}.reg**`, 'The register.']);
    assert.deepEqual(of('off$0set: 4'), [`${path}.offset**`, 'The offset on the stack in bytes.']);
    assert.deepEqual(of("reg: '$vgpr31', mas$0k: 1023"), [
      `${path}.mask**`,
      'The bits of the register that belong to it.',
    ]);
    assert.deepEqual(of('fo$0o: 4'), []);
    // Elsewhere they are nothing.
    assert.deepEqual(said('frameInfo:\n  x: { a: { reg$0: 1 } }'), []);
    assert.deepEqual(said('stack:\n  - { mas$0k: 1 }'), []);
  });

  it('nothing beside a key', () => {
    for (const header of [
      'alignment: $04',
      'alignment:$0 4',
      'alignment: 4$0',
      'foo$0: 4',
      'fo o$0: 4',
      '$0# x',
      'constructor$0: 1',
      '%x$0: 1',
    ])
      assert.deepEqual(said(header), [], header);
  });
});
