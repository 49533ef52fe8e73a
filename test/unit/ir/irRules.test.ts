/** Small modules of `test/fixtures/irRules`, each with what llc-22 says of it; where that is installed, all of the answer is the same. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { llcVersion, MODELLED_LLC, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];
const FOLDER = join(__dirname, '..', '..', 'fixtures', 'irRules');
const ACCEPTED = 'accepted';

/** The module as the embedded IR of a file; functions with a body have one in MIR, too. */
function fileOf(ir: string): string {
  const names = [...ir.matchAll(/^define .*?@([\w.]+)\(/gm)].map((m) => m[1]);
  const body = 'body: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
  return `--- |\n${ir.replaceAll(/^/gm, '  ')}\n...\n${names.map((n) => `---\nname: ${n}\n${body}`).join('')}`;
}

for (const file of readdirSync(FOLDER)) {
  describe(`the IR verifier and reader on ${file}`, () => {
    const cases = readFileSync(join(FOLDER, file), 'utf8')
      .trimEnd()
      .split(/\n\n(?=; llc-22: )/);
    for (const [n, text] of cases.entries()) {
      const end = text.indexOf('\n');
      const says = text.slice('; llc-22: '.length, end);
      it(`${n + 1}: ${says}`, () => {
        const input = fileOf(text.slice(end + 1));
        const own = runLlcOnText(ARGS, input);
        assert.equal(own.status === 0 ? ACCEPTED : own.stderr.split('\n')[0]!.trim(), says);
        if (llcVersion() !== MODELLED_LLC) return;
        const llc = runLlc(['-x', 'mir', ...ARGS], input);
        assert.equal(own.stderr + own.stdout, llc.stderr.replaceAll('llc-22', 'llc') + llc.stdout);
      });
    }
  });
}
