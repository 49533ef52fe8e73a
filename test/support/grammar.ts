/** The TextMate grammar, with the tokenizer that VS Code itself uses. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as oniguruma from 'vscode-oniguruma';
import * as textmate from 'vscode-textmate';

const root = join(__dirname, '..', '..');

/** Files by their scopes. */
const FILES: Readonly<Record<string, string>> = {
  'source.mir': 'mir',
  'source.amdgpu-mir-log': 'amdgpu-mir-log',
  'markdown.mir.codeblock': 'mir.markdown',
};

let loaded: Promise<textmate.Registry> | undefined;

/** The engine of the regular expressions can be loaded once per process. */
export async function loadGrammar(scope = 'source.mir'): Promise<textmate.IGrammar> {
  const grammar = await (await (loaded ??= load())).loadGrammar(scope);
  assert.ok(grammar, 'the grammar loads');
  return grammar;
}

async function load(): Promise<textmate.Registry> {
  const wasm = readFileSync(createRequire(__filename).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: (scope) => {
      if (!Object.hasOwn(FILES, scope)) return Promise.resolve(null);
      const path = join(root, 'syntaxes', `${FILES[scope]!}.tmLanguage.json`);
      return Promise.resolve(textmate.parseRawGrammar(readFileSync(path, 'utf8'), path));
    },
  });
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
