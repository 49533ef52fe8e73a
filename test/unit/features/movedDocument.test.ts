/**
 * What a document answers does not depend on where it stands: after other lines, and with lines that end in `\r\n`, every request has the same answer, moved.
 * Needs no expected words, so it asks every request in many places.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../../server/src/lsp/common/featureTable.js';
import { answering, wordsOf, type Answering } from '../../support/wholeAnswers.js';

const FOLDER = join(__dirname, '..', '..', 'fixtures', 'answers');

/** Asked at many words; the others at some. */
const EVERYWHERE =
  /hover|definition|declaration|references|documentHighlight|ename|codeAction$|signatureHelp|Hierarchy/;
/** Tokens are relative to each other; lists of completion are long, and have their own tests; what is resolved has been answered before. */
const LEFT_OUT =
  /semanticTokens|completion$|[rR]esolve|ierarchy\/|[rR]unLines|[rR]unOutput|[sS]cheduledText|swapText|dumpGraph|[aA]llocatedText|compareCosts|passList|afterPass|explainPass|applyLever|sweepRow|endedText|whyOccupancy/;
const [MANY, SOME] = [100, 5];

const LINE_KEYS = /^(?:line|startLine|endLine|firstLine|lastLine|fromLine|toLine|lines)$/;
const LF = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll('\\r\\n', '\\n');

/** The answer as it is `by` lines lower. Numbers within words are taken from `there` where they may be of a line. */
function lower(here: unknown, there: unknown, by: number, isOfLines: boolean | 'all' | 'second' = false): unknown {
  // The first function begins where the file does.
  if (here === 0 && there === 0) return here;
  if (typeof here === 'number') return isOfLines && here >= 0 ? here + by : here;
  if (typeof here === 'string' && typeof there === 'string') {
    const numbers = there.match(/\d+/g) ?? [];
    let k = 0;
    return LF(here).replace(/\d+/g, (n) => {
      const other = numbers[k++];
      return Number(other) === Number(n) + by ? other! : n;
    });
  }
  if (Array.isArray(here)) {
    const others = Array.isArray(there) ? there : [];
    return here.map((v, k) => lower(v, others[k], by, isOfLines === 'all' || (isOfLines === 'second' && k === 1)));
  }
  if (typeof here !== 'object' || here === null) return here;
  const other = (there ?? {}) as Record<string, unknown>;
  // What a command gets: the document, and mostly a line.
  const hasLine = 'command' in here && here.command !== 'amdgpu-mir.useTarget';
  const ofLines = (key: string) => (LINE_KEYS.test(key) ? 'all' : hasLine && key === 'arguments' ? 'second' : false);
  return Object.fromEntries(Object.entries(here).map(([k, v]) => [k, lower(v, other[k], by, ofLines(k))]));
}
const withLF = (value: unknown): unknown => JSON.parse(LF(JSON.stringify(value ?? null)));

/** Asks both; says how often. */
function compare(text: string, movedText: string, by: number): number {
  const [here, there] = [answering(text), answering(movedText)];
  const places = wordsOf(here.lines);
  let asked = 0;
  for (const method of Object.keys(FEATURES).filter((m) => !LEFT_OUT.test(m))) {
    const step = Math.ceil(places.length / (EVERYWHERE.test(method) ? MANY : SOME));
    for (let k = asked % step; k < places.length; k += step) {
      const { line, character } = places[k]!.position;
      const at = ({ ask }: Answering, line: number): unknown => {
        const position = { line, character };
        const more = { newName: 'another', ch: '\n', context: { diagnostics: [], triggerKind: 1 } };
        const isEmpty = method === 'textDocument/codeAction';
        return ask(method, position, isEmpty ? { ...more, range: { start: position, end: position } } : more);
      };
      const found = withLF(at(there, line + by));
      const expected = withLF(lower(at(here, line), found, by));
      if (JSON.stringify(found) !== JSON.stringify(expected))
        assert.deepEqual(found, expected, `${method} at ${line + 1}:${character + 1}`);
      asked++;
    }
  }
  return asked;
}

describe('a document that stands elsewhere answers the same', () => {
  for (const name of readdirSync(FOLDER).filter((f) => f.endsWith('.mir'))) {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    it(`${name} after other lines`, () => {
      assert.ok(compare(text, `\n\n\n${text}`, 3) > 800);
    });
    it(`${name} with other ends of lines`, () => {
      assert.ok(compare(text, text.replaceAll('\n', '\r\n'), 0) > 800);
    });
  }
});
