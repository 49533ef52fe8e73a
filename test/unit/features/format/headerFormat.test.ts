/** Values of a header in llc's columns, and what is left alone. */
import assert from 'node:assert/strict';
import { formatHeader } from '../../../../server/src/features/format/headerFormat.js';
import { atCursor } from '../../../support/cursor.js';

function formatted(text: string): string {
  const lead = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n';
  const { snapshot } = atCursor(`$0${lead}${text}`);
  const edits = formatHeader(snapshot.text, snapshot.functions[0]!);
  for (const [k, e] of edits.entries()) assert.ok(k === 0 || edits[k - 1]!.end <= e.start, 'in the order of the text');
  return [...edits]
    .reverse()
    .reduce((t, e) => t.slice(0, e.start) + e.text + t.slice(e.end), lead + text)
    .slice(lead.length);
}

/** The lines of a header before and after; one where nothing changes. */
const CASES: readonly (readonly [before: string, behind?: string])[] = [
  ['name:            f\n'],
  ['name: f\n', 'name:            f\n'],
  ['name:                f\n', 'name:            f\n'],
  ['name:\tf\n', 'name:            f\n'],
  ["name: 'f'\n", "name:            'f'\n"],
  ['alignment: 1\n', 'alignment:       1\n'],
  // Longer keys than the column have one blank.
  ['tracksRegLiveness:    true\n', 'tracksRegLiveness: true\n'],
  ['abcdefghijklmn: 1\n', 'abcdefghijklmn:  1\n'],
  ['abcdefghijklmno: 1\n'],
  ['abcdefghijklmnop: 1\n'],
  ['abcdefghijklmnop:  1\n', 'abcdefghijklmnop: 1\n'],
  // What is inside of others stands in columns, too; what is in braces does not.
  ['frameInfo:\n  hasCalls: true\n', 'frameInfo:\n  hasCalls:        true\n'],
  ['machineFunctionInfo:\n  mode:\n    ieee: true\n', 'machineFunctionInfo:\n  mode:\n    ieee:            true\n'],
  ['registers:\n  - { id: 0, class:   vgpr_32 }\n'],
  ['registers: [ { id: 0 } ]\n', 'registers:       [ { id: 0 } ]\n'],
  ['stack:\n  - id: 0\n    size: 4\n', 'stack:\n  - id:              0\n    size:            4\n'],
  ['stack:\n  - - id: 0\n', 'stack:\n  - - id:              0\n'],
  // No value, one in another line, what stands between.
  ['registers:\n'],
  ['registers: \n'],
  ['name: &a f\n'],
  ['name:\n  f\n'],
  ['name : f\n', 'name:            f\n'],
  // The body has a blank more.
  ['body: |\n  bb.0:\n', 'body:             |\n  bb.0:\n'],
  ['body:             |\n  bb.0:\n'],
  ['name: f\nbody: |\n  bb.0:\n', 'name:            f\nbody:             |\n  bb.0:\n'],
  ['abcdefghijklmno: |\n  x\n', 'abcdefghijklmno:  |\n  x\n'],
  ['abcdefghijklmnop: |\n  x\n'],
  ['x\n'],
];

describe('columns of a header', () => {
  for (const [before, behind = before] of CASES)
    it(JSON.stringify(before), () => {
      assert.equal(formatted(`---\n${before}...\n`), `---\n${behind}...\n`);
      assert.equal(formatted(`---\n${behind}...\n`), `---\n${behind}...\n`, 'once');
    });
});
