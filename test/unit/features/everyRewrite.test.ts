/**
 * What the light bulb offers at each word of texts without errors, applied: llc takes the result, with verifier; only lines of the function or those
 * that the title is about change; what is only another order, name or place of a line leaves the instructions as they were.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeActionTriggerKind, type CodeAction, type Range } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { answerOfOurs } from '../../support/answers.js';
import { openText, URI } from '../../support/cursor.js';

const FOLDER = join(__dirname, '..', '..', 'fixtures', 'answers');
const CPUS: Readonly<Record<string, string>> = {
  blocks: 'gfx90a',
  kernel: 'gfx900',
  lanes: 'gfx1030',
  names: 'gfx900',
};

interface Applied {
  readonly action: CodeAction;
  readonly lines: number[];
  readonly text: string;
}

/** Each different action of the text once, with the lines where it is offered. */
function everyAction(text: string): Applied[] {
  const { snapshot } = openText(text);
  const offsetOf = ({ start, end }: Range): [number, number] => [
    snapshot.text.offsetAt(start),
    snapshot.text.offsetAt(end),
  ];
  const found = new Map<string, Applied>();
  text.split('\n').forEach((l, line) => {
    for (const { index } of l.matchAll(/(?<=^ *)\S|(?<= )[%$@][\w.-]+/g)) {
      const position = { line, character: index };
      const context = { diagnostics: [], only: ['refactor'], triggerKind: CodeActionTriggerKind.Invoked };
      const range = { start: position, end: position };
      for (const action of provideCodeActions(snapshot, { range, context }, NEVER_CANCELLED)) {
        const edits = action.edit?.changes?.[URI] ?? [];
        const key = `${action.title} ${JSON.stringify(edits)}`;
        const known = found.get(key);
        if (known !== undefined) {
          known.lines.push(line + 1);
          continue;
        }
        let result = text;
        let last = text.length;
        for (const e of [...edits].sort((a, b) => offsetOf(b.range)[0] - offsetOf(a.range)[0])) {
          const [from, to] = offsetOf(e.range);
          assert.ok(from <= to && to <= last, `${action.title}: edits do not overlap`);
          last = from;
          result = result.slice(0, from) + e.newText + result.slice(to);
        }
        if (edits.length > 0) found.set(key, { action, lines: [line + 1], text: result });
      }
    }
  });
  return [...found.values()];
}

const KEEPS_INSTRUCTIONS =
  /^(?:Split|Write|Add|Renumber|Name |Remove the default|Simplify: (?:no default|no unused registers|no list|no names|no branch|compact|names))/;

const argsFor = (cpu: string): string[] => [
  '-mtriple=amdgcn-amd-amdhsa',
  `-mcpu=${cpu}`,
  '-run-pass=none',
  '-verify-machineinstrs',
];

/** What parser and verifier say. */
const errorsIn = (input: string, cpu: string): string[] =>
  answerOfOurs({ args: argsFor(cpu), input }).err.match(/error:.*|Bad machine code:.*/g) ?? [];

/** Lines of instructions, without the numbers of blocks and registers; labels and lists of blocks left out. */
const instructions = (text: string): string[] =>
  text
    .split('\n')
    .filter((l) => /^ {4,}\S/.test(l) && !/^ *(?:;|liveins|successors|- |\w+:)/.test(l))
    .map((l) => l.trim());
const anonymous = (l: string): string => l.replaceAll(/%(?:bb\.)?\w+/g, '%');

describe('every rewrite', () => {
  for (const [name, cpu] of Object.entries(CPUS)) {
    const text = readFileSync(join(FOLDER, `${name}.mir`), 'utf8');
    it(`${name}: is taken by llc, and keeps what it does not name`, () => {
      const own = instructions(text);
      const messages = errorsIn(text, cpu);
      for (const { action, lines, text: after } of everyAction(text)) {
        const what = `${action.title} at ${lines.join(', ')}`;
        const more = errorsIn(after, cpu).filter((m) => !messages.includes(m));
        assert.deepEqual(more, [], what);
        const now = instructions(after);
        if (KEEPS_INSTRUCTIONS.test(action.title)) assert.deepEqual(now.map(anonymous), own.map(anonymous), what);
        if (action.title.startsWith('Swap')) assert.deepEqual([...now].sort(), [...own].sort(), what);
        if (action.title.startsWith('Duplicate')) assert.ok(now.length > own.length, what);
      }
    });
  }
});
