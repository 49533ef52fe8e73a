/** `mode` of machineFunctionInfo where the processor has no IEEE and DX10 clamp modes: what llc-22 prints. */
import assert from 'node:assert/strict';
import { llcVersion, MODELLED_LLC, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

const TEXT = ['amdgpu_kernel', 'amdgpu_ps']
  .map(
    (cc) => `---
name: ${cc}
machineFunctionInfo:
  mode:
    ieee: ${String(cc === 'amdgpu_ps')}
    dx10-clamp: false
    fp32-input-denormals: false
body: |
  bb.0:
    S_ENDPGM 0
...
`,
  )
  .join('');
const IR =
  '--- |\n  define amdgpu_kernel void @amdgpu_kernel() { ret void }\n  define amdgpu_ps void @amdgpu_ps() { ret void }\n...\n';

/** ieee, dx10-clamp of both functions */
const EXPECTED: readonly (readonly [cpu: string, ...values: string[]])[] = [
  ['tahiti', 'false', 'false', 'true', 'false'],
  ['gfx1100', 'false', 'false', 'true', 'false'],
  ['gfx1200', 'true', 'true', 'false', 'true'],
  ['gfx1250', 'true', 'true', 'false', 'true'],
];

describe('modes of a function', () => {
  for (const [cpu, ...values] of EXPECTED)
    it(`are those of the text where ${cpu} has them`, () => {
      const args = ['-mtriple=amdgcn', `-mcpu=${cpu}`, '-run-pass=none', '-o', '-'];
      const found = (text: string): string[] =>
        [...text.matchAll(/^ {4}(?:ieee|dx10-clamp): +(\w+)$/gm)].map((m) => m[1]!);
      assert.deepEqual(found(runLlcOnText(args, IR + TEXT).stdout), values);
      if (llcVersion() === MODELLED_LLC)
        assert.deepEqual(found(runLlc(['-x', 'mir', ...args], IR + TEXT).stdout), values);
    });
});
