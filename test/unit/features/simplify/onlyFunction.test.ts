/** A file with one of its functions: which documents, IR and CHECK lines go. */
import assert from 'node:assert/strict';
import { documentRange, merged, onlyFunction } from '../../../../server/src/features/simplify/onlyFunction.js';
import { openText } from '../../../support/cursor.js';

const fn = (name: string, body = '    S_ENDPGM 0\n'): string =>
  `---\nname:            ${name}\nbody:             |\n  bb.0:\n${body}...\n`;

/** What is left of the text with the function of that number alone. */
function alone(text: string, k: number): string {
  const { snapshot } = openText(text);
  return snapshot.after(onlyFunction(snapshot, snapshot.functions[k]!)).text.text;
}

const RUN = '# RUN: llc -mtriple=amdgcn %s | FileCheck %s\n';

describe('a file with one function', () => {
  it('loses the documents of the others', () => {
    const text = `${RUN}${fn('a')}${fn('b')}${fn('c')}`;
    assert.equal(alone(text, 0), `${RUN}${fn('a')}`);
    assert.equal(alone(text, 1), `${RUN}${fn('b')}`);
    assert.equal(alone(text, 2), `${RUN}${fn('c')}`);
    const crlf = text.replaceAll('\n', '\r\n');
    assert.equal(alone(crlf, 1), `${RUN}${fn('b')}`.replaceAll('\n', '\r\n'));
  });

  it('is as it was where it is alone', () => {
    const { snapshot } = openText(fn('a'));
    assert.deepEqual(onlyFunction(snapshot, snapshot.functions[0]!), []);
  });

  it('loses their CHECK lines, wherever they stand', () => {
    const checks = (name: string): string => `# CHECK-LABEL: name: ${name}\n# CHECK: S_ENDPGM\n`;
    const text = `${RUN}${checks('a')}${checks('b')}${fn('a')}# x\n${fn('b')}`;
    assert.equal(alone(text, 0), `${RUN}${checks('a')}${fn('a')}# x\n`);
    assert.equal(alone(text, 1), `${RUN}${checks('b')}# x\n${fn('b')}`);
  });

  it('loses their IR, but for what it calls and what others than they mention', () => {
    const ir = (...functions: string[]): string => `--- |\n${functions.join('\n')}...\n`;
    const define = (name: string, code = ''): string => `  define void @${name}() {\n${code}    ret void\n  }\n`;
    const both = fn('a') + fn('b');
    assert.equal(alone(ir(define('a'), define('b')) + both, 0), `${ir(define('a'), '')}${fn('a')}`);
    assert.equal(alone(ir(define('a'), define('b')) + both, 1), `--- |\n\n${define('b')}...\n${fn('b')}`);
    // The machine code calls it, or the IR that stays.
    const calls = fn('a', '    S_NOP 0, @b\n    S_ENDPGM 0\n');
    assert.equal(alone(ir(define('a'), define('b')) + calls + fn('b'), 0), ir(define('a'), define('b')) + calls);
    const callsInIR = ir(define('a', '    call void @b()\n'), define('b'));
    assert.equal(alone(callsInIR + both, 0), callsInIR + fn('a'));
    // What is called by those that go goes with them.
    const third = ir(define('a'), define('b', '    call void @c()\n'), define('c'));
    assert.equal(
      alone(third + both + fn('c'), 0),
      `${ir(define('a'), '', '').replace(/\n\n\.\.\.$/m, '\n\n...')}${fn('a')}`,
    );
    assert.equal(
      alone(third + both + fn('c'), 2),
      `--- |\n\n${define('b', '    call void @c()\n')}\n${define('c')}...\n${fn('c')}`.replace(
        `${define('b', '    call void @c()\n')}\n`,
        '\n',
      ),
    );
  });
});

describe('the text of a document', () => {
  const ranges = (text: string): string[] => {
    const { snapshot } = openText(text);
    return snapshot.functions.map((f) => {
      const { start, end } = documentRange(snapshot, f);
      return text.slice(start, end);
    });
  };

  it('goes from its marker to after its end', () => {
    assert.deepEqual(ranges(`${RUN}# a\n---\nname: f\n...\n# b\n--- # c\nname: g\n...  \n`), [
      '---\nname: f\n...\n',
      '--- # c\nname: g\n...  \n',
    ]);
    assert.deepEqual(ranges('---\r\nname: f\r\n...\r\n'), ['---\r\nname: f\r\n...\r\n']);
    assert.deepEqual(ranges('---\nname: f\n...'), ['---\nname: f\n...']);
    assert.deepEqual(ranges('---\nname: f\n---\nname: g\n'), ['---\nname: f\n', '---\nname: g\n']);
    assert.deepEqual(ranges('name: f\n'), ['name: f\n']);
    // What only looks like an end is text of the body.
    assert.deepEqual(ranges('---\nname: f\nbody: |\n  ...\n  x...\n...\n'), [
      '---\nname: f\nbody: |\n  ...\n  x...\n...\n',
    ]);
  });
});

describe('ranges', () => {
  it('that touch or overlap are one', () => {
    const of = (...list: [number, number][]): [number, number][] =>
      merged(list.map(([start, end]) => ({ start, end }))).map(({ start, end }) => [start, end]);
    assert.deepEqual(of(), []);
    assert.deepEqual(of([5, 6], [1, 2]), [
      [1, 2],
      [5, 6],
    ]);
    assert.deepEqual(of([1, 3], [3, 4]), [[1, 4]]);
    assert.deepEqual(of([1, 3], [4, 5]), [
      [1, 3],
      [4, 5],
    ]);
    assert.deepEqual(of([2, 3], [1, 9], [4, 5]), [[1, 9]]);
    assert.deepEqual(of([1, 5], [2, 7], [7, 8], [9, 9]), [
      [1, 8],
      [9, 9],
    ]);
  });
});
