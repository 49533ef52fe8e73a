/** `amdgpu-mir check --findings`: what the editor finds, with the titles of its fixes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import type { CheckFile } from '../../../server/src/cli/checkTypes.js';

const SPILL = readFileSync(join(__dirname, '..', '..', '..', 'examples', 'spill.mir'), 'utf8');

async function check(text: string, ...args: readonly string[]): Promise<{ exit: number; out: string }> {
  const io = new BufferedIO(() => text);
  const exit = await runCheck([...args, '--color=never', '-'], io);
  return { exit, out: io.out() };
}

describe('amdgpu-mir check --findings', () => {
  it('has spills with related lines, and fixes by the titles of the light bulb, which promise outcomes', async () => {
    const { exit, out } = await check(SPILL, '--findings');
    assert.match(
      out,
      /^-:42:5: warning: llc spills %x19: .* \[spilled\]\n {3}42 \|     %x19:.*\n {5} \| {5}\^~+\n {6}line \d+: reloaded before this$/m,
    );
    assert.match(out, /^ {6}fix: Rematerialize %half at bb\.2 \(.*\); allocated: 1 spilled to none, /m);
    assert.equal(exit, 0);
    assert.doesNotMatch((await check(SPILL)).out, /spills %x19|fix:/);
  });

  it('has them in JSON where they are asked for', async () => {
    const { files } = JSON.parse((await check(SPILL, '--findings', '--json')).out) as { files: readonly CheckFile[] };
    const spilled = files[0].findings!.filter(({ code }) => code === 'spilled');
    assert.deepEqual(
      spilled.map(({ severity, related }) => [severity, related.length]),
      [['warning', 1]],
    );
    const { files: plain } = JSON.parse((await check(SPILL, '--json')).out) as { files: readonly CheckFile[] };
    assert.equal(plain[0].findings, undefined);
  });

  it('says an error once, with its repair, and fails as ever', async () => {
    const broken = SPILL.replace(/V_ADD_U32_e32/, 'V_ADD_U32_e33');
    const { exit, out } = await check(broken, '--findings');
    assert.equal(out.match(/unknown machine instruction name/g)?.length, 1);
    assert.match(out, /^ {6}fix: .*V_ADD_U32_e32/m);
    assert.equal(exit, 1);
  });
});
