/** The words of what a newcomer reads first: short sentences, and commands that exist. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commands } from '../../../server/src/cli/commands.js';

const ROOT = resolve(__dirname, '..', '..', '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const MAX_GRADE = 10;

/** Sentences of running text: no code, tables, pictures, headings, addresses. */
function sentencesOf(markdown: string): string[] {
  return markdown
    .replace(/<!--[^]*?-->/g, '')
    .replace(/^ {4}.*$/gm, '')
    .replace(/^\|.*$/gm, '')
    .replace(/^#.*$/gm, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'code')
    .replace(/^- /gm, '')
    .split(/(?<=[.?!:;])\s+|\n{2,}|\n(?=\*\*)/)
    .map((sentence) => sentence.replace(/[*_]/g, '').trim())
    .filter((sentence) => /[a-z]{2}/.test(sentence));
}

/** Groups of vowels, without a silent e: the usual estimate. */
function syllables(word: string): number {
  const groups = word
    .toLowerCase()
    .replace(/(?:[^l]e|ed|es)$/, (end) => (end.endsWith('es') ? 's' : end[0]!))
    .match(/[aeiouy]+/g);
  return Math.max(1, groups?.length ?? 1);
}

/** The grade of Flesch and Kincaid (1975): years of school that a reader needs. */
function gradeOf(markdown: string): number {
  const sentences = sentencesOf(markdown);
  const words = sentences.flatMap((sentence) => sentence.match(/[A-Za-z][A-Za-z'-]*/g) ?? []);
  const spoken = words.reduce((sum, word) => sum + syllables(word), 0);
  return 0.39 * (words.length / sentences.length) + 11.8 * (spoken / words.length) - 15.59;
}

describe('the README', () => {
  it('estimates the grade of a text as it should', () => {
    assert.ok(gradeOf('The cat sat on the mat. The dog ran to the cat.') < 2);
    const hard =
      'Interprocedural optimizations considerably complicate the determination of architectural register allocation characteristics.';
    assert.ok(gradeOf(hard) > 20);
  });

  it(`is read with ${MAX_GRADE} years of school`, () => {
    const grade = gradeOf(README);
    assert.ok(sentencesOf(README).length > 40);
    assert.ok(grade <= MAX_GRADE, `grade ${grade.toFixed(1)}`);
  });

  it('has no word for which a reader has to know the project', () => {
    for (const word of [/\bbehind\b/, /stage of the file/, /\boracle\b/, /\bcorpus\b/])
      assert.doesNotMatch(README, word);
  });

  it('names commands that exist, with options that they have', () => {
    const known = new Map(commands().map((command) => [command.name, command]));
    const code = [...README.matchAll(/^ {4}.*$|`[^`]*`/gm)].map(([text]) => text).join('\n');
    const calls = [...code.matchAll(/(?:npx )?amdgpu-mir ([a-z-]+)((?: +--?[a-z-]+(?:=\S*)?)*)/g)];
    assert.ok(calls.length > 15);
    for (const [call, name = '', options = ''] of calls) {
      if (['help', 'licenses', 'lsp'].includes(name)) continue;
      const command = known.get(name);
      assert.ok(command, call);
      if (command.passesOn === true && name === 'llc') continue;
      const names = command.options.flatMap((row) => row.options).flatMap((option) => option.names);
      for (const [, option = ''] of options.matchAll(/ --?([a-z-]+)/g))
        assert.ok((names as readonly string[]).includes(option), call);
    }
  });
});
