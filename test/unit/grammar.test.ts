/**
 * The TextMate grammar, line by line, with the tokenizer that VS Code itself uses. The fixtures in
 * test/fixtures/grammar carry their expectation in comment lines: `^^^ scope scope` names scopes that every character
 * above the carets must have (a prefix is enough), `<--- scope` speaks of the first characters of the line.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as textmate from 'vscode-textmate';
import { loadGrammar, tokenize } from '../support/grammar.js';

const root = join(__dirname, '..', '..');
const fixtures = join(root, 'test', 'fixtures', 'grammar');

interface Expectation {
  line: number;
  start: number;
  end: number;
  scopes: string[];
}

const ANNOTATION = /^(\s*[;#]\s*)(?:(\^+)|<(-+))\s+(\S.*)$/;

/** Lines and what their annotations expect; an annotation speaks of the nearest line above that is none itself. */
function readExpectations(lines: readonly string[]): Expectation[] {
  const expectations: Expectation[] = [];
  let target = -1;
  lines.forEach((text, i) => {
    const match = ANNOTATION.exec(text);
    if (!match) {
      target = i;
      return;
    }
    const [, lead, carets, dashes, scopes] = match;
    const start = carets ? lead!.length : 0;
    expectations.push({ line: target, start, end: start + (carets ?? dashes)!.length, scopes: scopes!.split(/\s+/) });
  });
  return expectations;
}

const hasScope = (token: textmate.IToken, scope: string): boolean =>
  token.scopes.some((s) => s === scope || s.startsWith(scope + '.'));

describe('grammar', () => {
  let grammar: textmate.IGrammar;
  before(async () => {
    grammar = await loadGrammar();
  });

  for (const file of readdirSync(fixtures)) {
    it(file, () => {
      const lines = readFileSync(join(fixtures, file), 'utf8').split('\n');
      const tokens = tokenize(grammar, lines);
      const expectations = readExpectations(lines);
      assert.ok(expectations.length > 0, 'the fixture expects something');
      const wrong: string[] = [];
      for (const { line, start, end, scopes } of expectations) {
        for (const token of tokens[line]!) {
          if (token.endIndex <= start || end <= token.startIndex) continue;
          const missing = scopes.filter((s) => !hasScope(token, s));
          if (missing.length === 0) continue;
          const word = lines[line]!.slice(Math.max(start, token.startIndex), Math.min(end, token.endIndex));
          wrong.push(`${file}:${line + 1} "${word}" lacks ${missing.join(' ')}; it has ${token.scopes.join(' ')}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
  }

  it('an opcode after a comment marker stays a comment', () => {
    const tokens = tokenize(grammar, ['---', 'body: |', '  bb.0:', '    ; S_NOP 0']);
    assert.ok(tokens[3]!.every((t) => t.endIndex <= 4 || hasScope(t, 'comment.line.semicolon.mir')));
  });

  it('a document that is not ended does not swallow the next one', () => {
    const tokens = tokenize(grammar, ['---', 'body: |', '  bb.0:', '    S_NOP 0', '---', 'name: g']);
    assert.ok(hasScope(tokens[4]![0]!, 'punctuation.definition.document.begin.mir'));
    assert.ok(tokens[5]!.some((t) => hasScope(t, 'entity.name.function.mir')));
  });

  it('an endless line ends', () => {
    tokenize(grammar, ['---', 'body: |', '  ' + '%0:vgpr_32, '.repeat(20_000)]);
  });
});

describe('the grammar of logs', () => {
  it('knows banners, headers, slot indexes and machine code', async () => {
    const lines = [
      '# *** IR Dump After Machine Instruction Scheduler (machine-scheduler) ***:',
      '# Machine code for function f: NoPHIs',
      '0B\tbb.0:',
      '16B\t  %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec',
      '# End machine code for function f.',
    ];
    const tokens = tokenize(await loadGrammar('source.amdgpu-mir-log'), lines);
    const scopesAt = (line: number, word: string): string[] => {
      const at = lines[line]!.indexOf(word);
      return tokens[line]!.find((token) => token.startIndex <= at && at < token.endIndex)!.scopes;
    };
    const has = (line: number, word: string, scope: string): void => {
      const scopes = scopesAt(line, word);
      assert.ok(
        scopes.some((own) => own.startsWith(scope)),
        `${word}: ${scopes.join(' ')}`,
      );
    };
    has(0, 'IR Dump', 'markup.heading');
    has(1, 'f: No', 'entity.name.function');
    has(3, '16B', 'comment.line');
    has(3, 'vgpr_32', 'storage.type.register-class');
    has(3, '$exec', 'variable.language.physical-register');
    has(4, '# End', 'comment.line');
  });
});
