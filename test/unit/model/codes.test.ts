/** Each error of a header, a body or an operand has a code, and docs/diagnostics.md says what it means. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lowerFile } from '../../../server/src/model/lowering/lowerFile.js';
import { parseMirFile } from '../../../server/src/syntax/index.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { BODY_ERRORS } from './bodyErrors.js';
import { HEADER_ERRORS, TWO_BLOCKS } from './headerErrors.js';
import { IR_BODIES, IR_DOCUMENT } from './irBodies.js';

const docs = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'diagnostics.md'), 'utf8');
const KNOWN = new Set(Array.from(docs.matchAll(/^#### (.+)$/gm), (m) => m[1]!));

function codesOf(text: string, cpu: string): string[] {
  const file = parseMirFile(new SourceText(text), new Interner());
  return lowerFile(file, { triple: 'amdgcn', cpu, features: '' }).diagnostics.map((d) => d.code);
}

function assertKnown(texts: readonly string[], cpu: string): Set<string> {
  const met = new Set<string>();
  for (const text of texts)
    for (const code of codesOf(text, cpu)) {
      assert.ok(KNOWN.has(code), `${code}: ${text}`);
      met.add(code);
    }
  return met;
}

describe('codes of errors', () => {
  it('in headers', () => {
    const texts = HEADER_ERRORS.map(([h, hasBody]) => `---\nname: f\n${h}${hasBody ? TWO_BLOCKS : ''}...\n`);
    assert.ok(assertKnown(texts, '').size > 20);
    const site = (reg: string): string =>
      `---\nname: f\ncallSites:\n  - { bb: 0, offset: 0, fwdArgRegs: [ { arg: 0, reg: '${reg}' } ] }\n${TWO_BLOCKS}...\n`;
    assert.deepEqual(codesOf(site('x'), 'gfx900'), ['bad-call-site', 'bad-register', 'unused-call-site']);
  });

  it('in bodies', () => {
    const texts = BODY_ERRORS.map(([lines]) => `---\nname: f\nbody: |\n  bb.0:\n${lines.split('|').map((l) => `    ${l}\n`).join('')}...\n`); // prettier-ignore
    assert.ok(assertKnown(texts, 'gfx900').size > 20);
  });

  it('in bodies over IR', () => {
    const texts = IR_BODIES.map(([header, body]) => `${IR_DOCUMENT}---\nname: f\n${header}body: |\n${body}...\n`);
    assert.ok(assertKnown(texts, 'gfx900').size > 10);
  });
});
