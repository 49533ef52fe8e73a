/** The TextMate grammar, with the tokenizer that VS Code itself uses. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as oniguruma from 'vscode-oniguruma';
import * as textmate from 'vscode-textmate';

const root = join(__dirname, '..', '..');

let loaded: Promise<textmate.IGrammar> | undefined;

/** Loaded once per process: the regular expressions' engine can be no more often. */
export const loadGrammar = (): Promise<textmate.IGrammar> => (loaded ??= load());

async function load(): Promise<textmate.IGrammar> {
  const wasm = readFileSync(createRequire(__filename).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: (scope) => {
      if (scope !== 'source.mir') return Promise.resolve(null);
      const path = join(root, 'syntaxes', 'mir.tmLanguage.json');
      return Promise.resolve(textmate.parseRawGrammar(readFileSync(path, 'utf8'), path));
    },
  });
  const grammar = await registry.loadGrammar('source.mir');
  assert.ok(grammar, 'the grammar loads');
  return grammar;
}

/** Tokens of each line, in order. */
export function tokenize(grammar: textmate.IGrammar, lines: readonly string[]): textmate.IToken[][] {
  let stack = textmate.INITIAL;
  return lines.map((line) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    return result.tokens;
  });
}
