/** Lines of a header as llc writes them are read without tokens: counted, for time is not to be measured; and what they are read as. */
import assert from 'node:assert/strict';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { dumpTree, parseMirFile } from '../../../server/src/syntax/index.js';
import { YamlScanner } from '../../../server/src/syntax/yamlScanner.js';
import { checkTreeText } from '../../support/treeText.js';

/** How often the parser asks for a token while it reads this. */
function tokensAsked(text: string): number {
  const { peek } = YamlScanner.prototype;
  let count = 0;
  YamlScanner.prototype.peek = function (): ReturnType<typeof peek> {
    count++;
    return peek.call(this);
  };
  try {
    const file = parseMirFile(new SourceText(text), new Interner());
    assert.deepEqual(file.documents[0].diagnostics, []);
    checkTreeText(file);
  } finally {
    YamlScanner.prototype.peek = peek;
  }
  return count;
}

/** Lines below `name: f`, repeated with other keys or numbers. */
const REPEATED: readonly ((i: number) => string)[] = [
  (i) => `key${i}: word\n`,
  (i) => `Key${i}.a-b$_: 7\n`,
  (i) => `k${i}:   false  \n`,
  (i) => `k${i}: 'quoted # text: { }'\n`,
  (i) => `k${i}: ''\n`,
  (i) => `k${i}: []\n`,
  (i) => `k${i}: [  ]  \n`,
  (i) => `k${i}: { a: b, c: 5 }\n`,
  (i) => `k${i}: {}\n`,
  (i) => `k${i}: ${'x'.repeat(64)}\n`,
  (i) => `${'k'.repeat(60)}${1000 + i}: '${'x'.repeat(62)}'\n`,
  (i) => `k${i}: 0\r\n`,
];
const ITEMS: readonly ((i: number) => string)[] = [
  (i) => `  - { id: ${i}, class: vgpr_32 }\n`,
  (i) => `  - { id: ${i}, class: sgpr_32, preferred-register: '$sgpr${i}', flags: [ WWM_REG, x ] }\n`,
  (i) => `  -   {   id: ${i}   ,   x: [ ] ,y: ''   }  \n`,
  (i) => `- { a: b${i}, c: [ 'd', 5, f${i}], e: [g,h ] }\n`,
  (i) => `- { ${Array.from({ length: 24 }, (_, k) => `k${k}: ${i}`).join(', ')} }\n`,
];
/** Such lines that look alike and are not. */
const OTHERS: readonly ((i: number) => string)[] = [
  (i) => `k${i}: word word\n`,
  (i) => `k${i}: "word"\n`,
  (i) => `k${i}: 'it''s'\n`,
  (i) => `k${i}: word # comment\n`,
  (i) => `k${i}:\tword\n`,
  (i) => `k${i}: -1\n`,
  (i) => `k${i}: ${'x'.repeat(65)}\n`,
  (i) => `k${i}: [ a ]\n`,
  (i) => `${i}k: word\n`,
  (i) => `k${i}: word\n  more\n`,
];

describe('headers as llc writes them', () => {
  const n = 200;
  const lines = (line: (i: number) => string): string => Array.from({ length: n }, (_, i) => line(i)).join('');

  for (const line of REPEATED)
    it(`${JSON.stringify(line(1)).slice(0, 60)} costs no token`, () => {
      const count = tokensAsked(`---\nname: f\nx: y\n${lines(line)}z: {}\nbody: |\n  bb.0:\n`);
      assert.ok(count < 60, `${count} tokens`);
    });
  for (const line of ITEMS)
    it(`an item ${JSON.stringify(line(1)).slice(0, 60)} costs its dash`, () => {
      const text = `---\nname: f\nlist:\n${lines(line)}z: w\n`;
      const count = tokensAsked(text);
      assert.ok(count < 4 * n, `${count} tokens`);
    });

  it('items that differ in their first number alone cost not even that', () => {
    const two = (i: number): string => `  - { id: ${i}, class: ${i % 2 === 0 ? 'vgpr_32' : 'sgpr_32'} }\n`;
    assert.ok(tokensAsked(`---\nname: f\nlist:\n${lines(two)}`) < 60);
    assert.ok(tokensAsked(`---\nname: f\nlist:\n${lines((i) => `- { id: ${i * 12_345}, x: '' }\n`)}`) < 60);
    // Not those before which something else changes.
    assert.ok(tokensAsked(`---\nname: f\nlist:\n${lines((i) => `- { x${i}: ${i} }\n`)}`) > n);
    assert.ok(tokensAsked(`---\nname: f\nlist:\n${lines((i) => `- {${' '.repeat(i % 3)}id: ${i} }\n`)}`) > n);
  });

  it('what only looks like that is read as it is', () => {
    for (const line of OTHERS) assert.ok(tokensAsked(`---\nname: f\n${lines(line)}`) > n, line(1));
  });

  it('are read as the same text with each line in other words', () => {
    // Comments and quotes keep the parser from its short cuts; kinds, values and counts are the same.
    const shape = (text: string): string =>
      dumpTree(parseMirFile(new SourceText(text), new Interner()))
        .replaceAll(/ \d+:\d+-\d+:\d+/g, '')
        .replaceAll(/ flags=\d+/g, '')
        .replaceAll(/(YamlMapping|YamlSequence)( \d+)? aux=\d+/g, '$1$2');
    for (const line of [...REPEATED, ...ITEMS]) {
      const text = `---\nname: f\nlist:\n${ITEMS.includes(line) ? '' : '  - z\n'}${Array.from({ length: 5 }, (_, i) => line(i)).join('')}z: w\n`;
      const long = text.replaceAll(/(\r?\n)(?!$)/g, ' # c$1');
      assert.equal(shape(long), shape(text));
    }
  });
});
