/** Where the diff of a function opens. */
import assert from 'node:assert/strict';
import { firstBodyDifference } from '../../../client/src/firstDifference.js';

const doc = (name: string, registers: string, body: string): string =>
  `---\nname: ${name}\nregisters:${registers}\nbody: |\n  bb.0:\n${body}...\n`;

const SOURCE = `# RUN: llc %s\n${doc('f', '\n  - { id: 0, class: vgpr_32 }', '    S_NOP 0\n    %0:vgpr_32 = COPY $vgpr0\n')}${doc('g', ' []', '    S_NOP 1\n')}`;
const DONE = `# RUN: llc %s\n${doc('f', ' []', '    S_NOP 0\n    $vgpr1 = COPY $vgpr0\n')}${doc('g', ' []', '    S_NOP 2\n')}`;

const lineOf = (text: string, word: string): number => text.split('\n').findIndex((l) => l.includes(word));

describe('the first difference of a body', () => {
  it('is that of the function, not of its header', () => {
    const at = firstBodyDifference(SOURCE, DONE, lineOf(SOURCE, 'name: f'));
    assert.equal(DONE.split('\n')[at]!.trim(), '$vgpr1 = COPY $vgpr0');
  });

  it('is looked for in the document of the line', () => {
    const at = firstBodyDifference(SOURCE, DONE, lineOf(SOURCE, 'S_NOP 1'));
    assert.equal(DONE.split('\n')[at]!.trim(), 'S_NOP 2');
  });

  it('is the body where nothing differs, and nowhere without one', () => {
    const same = firstBodyDifference(SOURCE, SOURCE, lineOf(SOURCE, 'name: g'));
    assert.equal(SOURCE.split('\n')[same], 'body: |');
    assert.ok(same > lineOf(SOURCE, 'name: g'));
    assert.equal(firstBodyDifference(SOURCE, '---\nname: f\n...\n', 3), -1);
    assert.equal(firstBodyDifference('', '', 0), -1);
  });

  it('does not mind carriage returns', () => {
    const at = firstBodyDifference(SOURCE.replaceAll('\n', '\r\n'), DONE, lineOf(SOURCE, 'name: f'));
    assert.equal(DONE.split('\n')[at]!.trim(), '$vgpr1 = COPY $vgpr0');
  });
});
