/** The one reader of RUN lines: commands as lit makes them, each word with the place where it stands and the one where it is written. */
import assert from 'node:assert/strict';
import { askedPrefixes, fileChecksOf, namedPrefixes } from '../../../server/src/program/testFile/checkPrefixes.js';
import { LIT_FEATURES, readLitScript } from '../../../server/src/program/testFile/script.js';
import { readShellLine } from '../../../server/src/program/testFile/shell.js';
import { TestFile, type Word } from '../../../server/src/program/testFile/testFile.js';
import { randomSource } from '../../support/random.js';

const PLACES = { file: '%s', folder: '%S', temporary: '%t' };

/** A word as the file has it: `text` where it is written, `<text>` where it stands for something else. */
const shown = (text: string, { origin, start, end }: Word): string =>
  origin === null ? `<${text.slice(start, end)}>` : text.slice(origin.start, origin.end);
const commandsOf = (text: string): string[] =>
  new TestFile(text).commands.map(({ program, words }) => [program, ...words].map((w) => shown(text, w)).join(' '));

describe('words of a test', () => {
  const cases: readonly (readonly [name: string, text: string, commands: readonly string[]])[] = [
    ['as they are', '# RUN: llc "-mcpu=a" -o - | FileCheck %s', ['llc "-mcpu=a" -o -', 'FileCheck %s']],
    ['of a definition', '# DEFINE: %{o} = -mcpu=a -o -\n# RUN: llc %{o} %s', ['llc -mcpu=a -o - %s']],
    ['partly of a definition', '# DEFINE: %{c} = a\n# RUN: llc -mcpu=%{c} %s', ['llc <-mcpu=%{c}> %s']],
    ['of one in another', '# DEFINE: %{c} = -a\n# DEFINE: %{o} = %{c} -b\n# RUN: llc %{o}', ['llc -a -b']],
    ['glued by a continuation', '# RUN: llc -mcpu=\\\n# RUN:a', ['llc <-mcpu=\\\n# RUN:a>']],
    ['of the branch that is taken', '# RUN: llc %if true %{ -a %} %else %{ -b %} -c', ['llc -a -c']],
    ['of the first branch where none is left', '# RUN: %if asserts %{ llc -a %}', ['llc -a']],
    ['with a line number', '# RUN: llc -a%(line)', ['llc <-a%(line)>']],
    ['after wrappers', '# RUN: %ProtectFileCheckOutput not --crash env A=1 -u B llc -a', ['llc -a']],
    ['without redirections', '# RUN: not llc -a < %s > %t 2>&1 && FileCheck -b < %t', ['llc -a', 'FileCheck -b']],
    ['up to an open quote', '# RUN: llc -a "-b -c | FileCheck %s', ['llc -a']],
    ['of a pipe that ends nowhere', '# RUN: llc -a | ', ['llc -a']],
    ['before END', '# RUN: llc -a\n# END.\n# RUN: llc -b', ['llc -a']],
    ['of another directive', '# XFAIL: RUN: llc -a', []],
  ];
  for (const [name, text, commands] of cases) it(name, () => assert.deepEqual(commandsOf(text), commands));

  it('are those that run, and stand where they are read', () => {
    const random = randomSource(3_705);
    const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
    const names = ['%{a}', '%{b}', '%{c}'];
    const WORDS = ['llc', 'FileCheck', '-x', '"a b"', "'c'", 'd\\ e', '-p=%{a}', '%%', '|', '&&', ';', 'not', 'env', 'X=1', '>', 'f', '2>&1', '%if true %{ y %}', '%if asserts %{ n %} %else %{ z %}']; // prettier-ignore
    const words = (): string => Array.from({ length: 1 + random(5) }, () => pick([...WORDS, ...names])).join(' ');
    let nWords = 0;
    for (let n = 0; n < 3000; n++) {
      const known = new Set<string>();
      const lines = Array.from({ length: 2 + random(6) }, () => {
        const end = random(6) === 0 ? ' \\' : '';
        if (random(2) === 0) return `# RUN: ${words()}${end}`;
        const name = pick(names);
        const keyword = known.has(name) ? 'REDEFINE' : 'DEFINE';
        known.add(name);
        return `# ${keyword}: ${name} = ${words()}`;
      });
      const text = `${[...lines, '# RUN: llc'].join('\n')}\n`;
      const script = readLitScript(text, PLACES, LIT_FEATURES);
      if (script.unresolved !== null) continue;
      const test = new TestFile(text);
      for (const [k, run] of test.runs.entries()) {
        const ran = script.runs[k]!;
        assert.equal(run.firstLine, ran.line - 1, text);
        if (ran.text !== '') assert.equal(run.text.text, ran.text, text);
        const rows = text.split('\n');
        const start = rows.slice(0, run.firstLine).join('\n').length;
        const end = rows.slice(0, run.lastLine + 1).join('\n').length;
        for (const { program, words } of run.commands)
          for (const word of [program, ...words]) {
            nWords++;
            assert.ok(start <= word.start && word.start < word.end && word.end <= end, text);
            const { origin } = word;
            if (origin === null) continue;
            const [alone] = readShellLine(text.slice(origin.start, origin.end)).steps[0]!.commands;
            assert.deepEqual(alone!.words, [word.text], text);
          }
      }
    }
    assert.ok(nWords > 3000);
  });
});

describe('prefixes of a test', () => {
  const prefixes = (text: string): string[] => {
    const test = new TestFile(text);
    return fileChecksOf(test).map((command) =>
      namedPrefixes(command)
        .map(({ name, place, option }) =>
          [name, place, option]
            .map((p) => (p === null ? '' : typeof p === 'string' ? p : text.slice(p.start, p.end)))
            .join(':'),
        )
        .join(' '),
    );
  };
  it('stand where the option is written', () => {
    assert.deepEqual(prefixes('# RUN: FileCheck --check-prefixes=A,B -check-prefix C %s'), [
      'A:A:--check-prefixes=A,B B:B:--check-prefixes=A,B C:C:-check-prefix C',
    ]);
    assert.deepEqual(prefixes(`# RUN: FileCheck "--check-prefixes=A,B"`), [
      'A:A:"--check-prefixes=A,B" B:B:"--check-prefixes=A,B"',
    ]);
    assert.deepEqual(prefixes('# DEFINE: %{f} = FileCheck --check-prefix=A\n# RUN: %{f}\n# RUN: %{f}B'), [
      'A:A:--check-prefix=A',
      'AB::',
    ]);
  });
  it('are CHECK where none is named', () => {
    const test = new TestFile('# RUN: llc | FileCheck-22 %s');
    assert.deepEqual(askedPrefixes(fileChecksOf(test)[0]!), ['CHECK']);
  });
});
