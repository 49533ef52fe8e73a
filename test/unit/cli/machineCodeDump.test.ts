/** The function as llc prints it before what its verifier finds, compared with llc-22. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none', '-verify-machineinstrs', '-o', '-'];
/** Only some operands are missing: all that is asked is what stands above the finding. */
const BROKEN = '    $vgpr5 = V_MOV_B32_e32 implicit $exec\n    S_ENDPGM 0\n';
const BODIES = {
  'no word on ties that stand in bundles alone': `    BUNDLE implicit-def $vgpr0, implicit killed $vgpr0, implicit $vgpr1, implicit $exec, implicit $mode {
      $vgpr0 = V_FMAC_F32_e32 $vgpr1, $vgpr1, killed $vgpr0, implicit $mode, implicit $exec
    }\n`,
  'ties outside of bundles, all rewritten': `    $vgpr0 = V_FMAC_F32_e32 $vgpr1, $vgpr1, killed $vgpr0, implicit $mode, implicit $exec
    BUNDLE implicit-def $vgpr0, implicit killed $vgpr0, implicit $vgpr1, implicit $exec, implicit $mode {
      $vgpr0 = V_FMAC_F32_e32 $vgpr1, $vgpr1, killed $vgpr0, implicit $mode, implicit $exec
    }\n`,
};

describe("the verifier's print of a function", () => {
  for (const [name, body] of Object.entries(BODIES))
    it(name, function () {
      needsLlc(this);
      const text = `---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr0, $vgpr1\n${body}${BROKEN}...\n`;
      const expected = runLlc(['-x', 'mir', ...ARGS], text);
      const dump = (stderr: string): string => stderr.slice(0, stderr.indexOf('*** Bad machine code'));
      assert.match(expected.stderr, /Bad machine code/);
      assert.equal(dump(runLlcOnText(ARGS, text).stderr), dump(expected.stderr));
    });
});
