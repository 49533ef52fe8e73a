/** The legend of semantic tokens is told in three places: the server, the extension's package.json, and the documentation. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEMANTIC_TOKENS_LEGEND } from '../../../server/src/features/tokens/semanticLegend.js';

const root = join(__dirname, '..', '..', '..');

interface Contributes {
  readonly semanticTokenTypes: readonly { readonly id: string }[];
  readonly semanticTokenModifiers: readonly { readonly id: string }[];
  readonly semanticTokenScopes: readonly { readonly scopes: Readonly<Record<string, unknown>> }[];
}

/** VS Code knows these itself. */
const STANDARD_MODIFIERS = ['declaration', 'definition'];

describe('legend of semantic tokens', () => {
  const { tokenTypes, tokenModifiers } = SEMANTIC_TOKENS_LEGEND;

  it('is contributed by the extension, with a colour for each type', () => {
    const text = readFileSync(join(root, 'package.json'), 'utf8');
    const { contributes } = JSON.parse(text) as { contributes: Contributes };
    assert.deepEqual(
      contributes.semanticTokenTypes.map((t) => t.id),
      tokenTypes,
    );
    assert.deepEqual([...STANDARD_MODIFIERS, ...contributes.semanticTokenModifiers.map((m) => m.id)], tokenModifiers);
    const selectors = Object.keys(contributes.semanticTokenScopes[0]!.scopes);
    assert.deepEqual(
      selectors.filter((s) => !s.includes('.')),
      tokenTypes,
    );
    for (const selector of selectors) {
      const [type, ...modifiers] = selector.split('.');
      assert.ok(tokenTypes.includes(type!) && modifiers.every((m) => tokenModifiers.includes(m)), selector);
    }
  });

  it('is documented', () => {
    const text = readFileSync(join(root, 'docs', 'semantic-tokens.md'), 'utf8');
    const documented = [...text.matchAll(/^\| `(\w+)` \|/gm)].map((m) => m[1]);
    assert.deepEqual(documented, [...tokenTypes, ...tokenModifiers]);
  });
});
