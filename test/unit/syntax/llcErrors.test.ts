/**
 * First errors of the syntax layer against llc-22's, over the snippets of fixtures/syntax/llc-first-errors.jsonl: one a line, `body` (lines
 * of a block, see `wrap`) or `file`, and what `llc-22 -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -x mir` says first (null = no error
 * before the verifier). `AMDGPU_MIR_UPDATE=1` asks llc-22 again and rewrites the file.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { parseMirFile, syntaxDiagnostics } from '../../../server/src/syntax/index.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { UPDATE } from '../../support/switches.js';

const FIXTURE = join(__dirname, '../../fixtures/syntax/llc-first-errors.jsonl');
const ARGS = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-x', 'mir', '-o', '-'];

interface Snippet {
  readonly body?: string;
  readonly file?: string;
  readonly llc: string | null;
}

/** Messages that need the target, the IR, the header or the table of keys: the layers above give them, and they come first. */
const NOT_OURS = new RegExp(
  [
    'use of undefined',
    'use of unknown subregister',
    'unknown (subregister index|machine instruction name|register name|intrinsic name|key)',
    'is not defined in the function',
    'register index expects|specification expects',
    'subregister index expects',
    'use of invalid tied-def',
    'a typed immediate operand',
    'expected an integer literal$',
    'constant expression type mismatch|floating point constant invalid|bitwidth for integer|expected type$',
    "expected integers after 'i'/'s'/'p'",
    "isn't 'foo'",
    "duplicate 'amdgpu-noclobber'",
    'cannot have a',
    'expected a pointer IR value',
    "can't have target flags",
    'invalid DWARF',
    'Expected .id0_',
    'missing required key|not a mapping|not a sequence|unexpected scalar|invalid number',
    'expected metadata node',
    '3:1: $',
  ].join('|'),
);

const wrap = (s: Snippet): string =>
  s.file ??
  `---\nname: f\nbody: |\n  bb.0:\n${(s.body ?? '')
    .split('\n')
    .map((l) => `    ${l}\n`)
    .join('')}...\n`;

function load(): Snippet[] {
  return readFileSync(FIXTURE, 'utf8')
    .trimEnd()
    .split('\n')
    .map((l) => JSON.parse(l) as Snippet);
}

function firstOfLlc(text: string): string | null {
  const run = runLlc(ARGS, text);
  const first = run.stderr.split('\n').find((l) => l !== '') ?? '';
  return /^error: (?:YAML|<stdin>):(\d+:\d+: .*)$/.exec(first)?.[1] ?? null;
}

function ourFirst(text: string, interner: Interner): string | null {
  const file = parseMirFile(new SourceText(text), interner);
  const d = syntaxDiagnostics(file)[0];
  if (d === undefined) return null;
  const p = file.text.positionAt(d.llcOffset ?? d.start);
  return `${p.line + 1}:${p.character + 1}: ${d.message}`;
}

describe('syntax errors', () => {
  it('are those of llc-22', () => {
    const interner = new Interner();
    let compared = 0;
    for (const s of load()) {
      if (s.llc !== null && NOT_OURS.test(s.llc)) continue;
      // Only the target knows that this is a register mask and not the type of an immediate.
      if (s.body === 'S_NOP csr_amdgpu 5') continue;
      // Only the release knows whether this is a type.
      if (s.body === '%0:_(i32) = COPY $vgpr0') continue;
      // llc prints the first byte of a character, which is none.
      const expected = s.llc?.replace(/unexpected character '\ufffd'/, "unexpected character '?'") ?? null;
      const actual = ourFirst(wrap(s), interner);
      const shown = actual?.replace(/unexpected character '[^\x20-\x7e]'/, "unexpected character '?'") ?? null;
      // A blank line of more blanks than the block's indentation shifts llc's column.
      if (/\n(\n|$)/.test(s.body ?? '') && expected !== null && actual !== null) {
        assert.equal(actual.replace(/^(\d+):\d+/, '$1'), expected.replace(/^(\d+):\d+/, '$1'));
        continue;
      }
      assert.equal(shown, expected, JSON.stringify(s));
      compared++;
    }
    assert.ok(compared > 600, `${compared} snippets`);
  });

  it('are still those of the installed llc-22 (a sample)', function () {
    needsLlc(this);
    const all = load();
    if (UPDATE) {
      const updated = all.map((s) => JSON.stringify({ ...s, llc: firstOfLlc(wrap(s)) }) + '\n');
      writeFileSync(FIXTURE, updated.join(''));
      return;
    }
    for (let i = 0; i < all.length; i += 25) assert.equal(firstOfLlc(wrap(all[i])), all[i].llc, wrap(all[i]));
  });
});
