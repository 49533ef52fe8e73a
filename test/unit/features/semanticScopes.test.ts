/**
 * Names that are no registers keep the colour of the grammar when the server's tokens come: the scope that a token's type stands for in themes is of
 * the kind that the grammar gives the same word.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SEMANTIC_TOKENS_LEGEND } from '../../../server/src/features/tokens/semanticLegend.js';
import { provideSemanticTokens } from '../../../server/src/features/tokens/semanticTokens.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { loadGrammar, tokenize } from '../../support/grammar.js';

const root = join(__dirname, '..', '..', '..');
const FOLDERS = ['examples', 'test/fixtures/features', 'test/fixtures/answers', 'test/fixtures/grammar'];
const URI = 'file:///colours.mir';

/** Their colour is that of the bank, whatever the grammar says. */
const BANKS = new Set(['sgpr', 'vgpr', 'agpr', 'avRegister', 'register']);

/** `id: 0` in `stack:` is a number to the grammar, and the object to whoever looks for it. */
const OBJECTS = 'frameObject.declaration';

interface Manifest {
  readonly contributes: {
    readonly semanticTokenScopes: readonly { readonly scopes: Readonly<Record<string, readonly string[]>> }[];
  };
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const [{ scopes }] = manifest.contributes.semanticTokenScopes as [
  { scopes: Readonly<Record<string, readonly string[]>> },
];

interface Word {
  readonly line: number;
  readonly column: number;
  readonly type: string;
  readonly isDeclaration: boolean;
}

function wordsOf(text: string): Word[] {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  const { data } = provideSemanticTokens(host.snapshot(URI)!, {}, NEVER_CANCELLED)!;
  const words: Word[] = [];
  let [line, column] = [0, 0];
  for (let k = 0; k < data.length; k += 5) {
    column = data[k] === 0 ? column + data[k + 1]! : data[k + 1]!;
    line += data[k]!;
    const type = SEMANTIC_TOKENS_LEGEND.tokenTypes[data[k + 3]!]!;
    words.push({ line, column, type, isDeclaration: (data[k + 4]! & 1) !== 0 });
  }
  return words;
}

/** What themes go by; the rest of a scope tells languages apart. */
const kindOf = (scope: string): string =>
  scope
    .split('.')
    .slice(0, scope.startsWith('entity.name') ? 3 : 2)
    .join('.');

describe('colours of names', () => {
  it('are those of the grammar, in every theme', async () => {
    const grammar = await loadGrammar();
    const seen = new Map<string, number>();
    for (const folder of FOLDERS)
      for (const name of readdirSync(join(root, folder)).filter((f) => f.endsWith('.mir'))) {
        const text = readFileSync(join(root, folder, name), 'utf8');
        const lines = text.split(/\r?\n/);
        const tokens = tokenize(grammar, lines);
        for (const { line, column, type, isDeclaration } of wordsOf(text)) {
          if (BANKS.has(type)) continue;
          const selector = isDeclaration && `${type}.declaration` in scopes ? `${type}.declaration` : type;
          if (isDeclaration && `${type}.declaration` === OBJECTS) continue;
          const own = tokens[line]!.find((t) => t.startIndex <= column && column < t.endIndex)!.scopes.at(-1)!;
          assert.equal(
            kindOf(scopes[selector]![0]!),
            kindOf(own),
            `${selector} in ${folder}/${name}:${line + 1}:${column + 1}: ${lines[line]}`,
          );
          seen.set(selector, (seen.get(selector) ?? 0) + 1);
        }
      }
    const others = Object.keys(scopes).filter((s) => !BANKS.has(s));
    assert.deepEqual([...seen.keys()].sort(), others.sort());
  });
});
