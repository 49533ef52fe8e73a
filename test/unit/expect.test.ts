/** The kit of expectations: what a template means, and what UPDATE=1 writes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, rawOf, textOf, withAnswers } from '../support/expect.js';

const ROOT = join(__dirname, '..', '..');

describe('an expectation in the source', () => {
  it('is what stands between the backticks of one line', () => {
    expect` a \`b\` \${c} $0 \\n `.equals(' a `b` ${c} $0 \\n ');
  });

  it('is without the indentation of several lines', () => {
    expect`
      a
        b

      c
    `.equals('a\n  b\n\nc');
  });

  it('may begin with spaces, and end with line breaks', () => {
    expect`
        a
          b

    `.equals('  a\n    b\n');
  });

  it('may stand to the left of where it is written', () => {
    expect`
  a
    b
`.equals('a\n  b');
  });

  it('fails with what is otherwise', () => {
    assert.throws(() => expect`a`.equals('b'), { code: 'ERR_ASSERTION', actual: 'b', expected: 'a' });
    assert.throws(() => textOf('a\nb'), /begins and ends with a line break/);
    assert.throws(() => expect`a${1 as never}`, /no values/);
  });

  it('means what was written', () => {
    const texts = [
      '',
      ' ',
      'a',
      '\n',
      '\n\n',
      'a\n',
      '\na',
      '  a\n b',
      '  a\n  b\n',
      'a\n  \nb',
      '`${x}\\`',
      '\\\n$0$',
      '\\',
    ];
    for (const text of texts) for (const indent of ['', '    ']) assert.equal(textOf(rawOf(text, indent)), text);
  });
});

describe('UPDATE=1', () => {
  it('writes each answer at its place, whatever comes before it', () => {
    const source = 'f(expect`a`, expect`b`);\n  g(expect`\n    c\n    d\n  `);\nh(expect`e`);\n';
    const known = [
      { line: 6, column: 3, actual: 'x\ny' },
      { line: 1, column: 14, actual: 'z' },
      { line: 2, column: 5, actual: 'c\nd' },
    ];
    assert.equal(
      withAnswers(source, known),
      'f(expect`a`, expect`z`);\n  g(expect`\n    c\n    d\n  `);\nh(expect`\n  x\n  y\n`);\n',
    );
    assert.throws(() => withAnswers(source, [{ line: 3, column: 1, actual: '' }]), /no expectation in line 3/);
  });

  it('makes a test that fails pass, and fails where one place has two answers', () => {
    const folder = mkdtempSync(join(tmpdir(), 'expect-'));
    const file = join(folder, 'some.test.ts');
    const source = (first: string, second: string): string =>
      `import { expect } from '${join(ROOT, 'test/support/expect.js')}';
type Text = string;
describe('some', () => {
  it('one line', () => expect\`${first}\`.equals('new' as Text));
  it('several', () => {
    const wanted: { readonly text: string; equals(actual: Text): void } = expect\`${second}\`;
    wanted.equals('%0\\n  \${%1}');
  });
  it('twice', () => {
    for (const k of [1, 2]) expect\`1\`.equals(String(k));
  });
});
`;
    const run = (update: Record<string, string>): string => {
      const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
      const { UPDATE: _, AMDGPU_MIR_UPDATE: __, ...env } = process.env;
      const args = [mocha, '--require', 'tsx', '--no-config', '--reporter', 'dot', file];
      return spawnSync(process.execPath, args, { encoding: 'utf8', cwd: ROOT, env: { ...env, ...update } }).stdout;
    };
    try {
      writeFileSync(file, source('old', 'old'));
      assert.match(run({}), /3 failing[^]*-new[^]*\+old/);
      assert.equal(readFileSync(file, 'utf8'), source('old', 'old'));
      assert.match(run({ UPDATE: '1' }), /2 passing[^]*1 failing[^]*one expectation, two answers; it says 1/);
      assert.equal(readFileSync(file, 'utf8'), source('new', '\n      %0\n        \\${%1}\n    '));
      assert.match(run({}), /2 passing[^]*1 failing/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
