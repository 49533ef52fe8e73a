/**
 * What the iterative schedulers leave of bundles, whose headers they move without the members: the verifier's view of it (slots, intervals of registers and
 * of register units, bundle flags), and which definitions read nothing. They take each instruction out and put it in again, so that its operands
 * come first among the definitions of their registers. All answers are llc-22's.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsLlc, runLlc } from '../../../../support/llc.js';
import { runLlcOnText } from '../../../../support/schedule.js';
import { withoutAddresses } from '../../../../support/verify.js';

const STRATEGIES = ['minreg', 'ilp', 'max-occupancy-experimental'];

const BODIES: Readonly<Record<string, string>> = {
  'header with everything': `
    BUNDLE implicit-def %3:vgpr_32, implicit-def %4:vgpr_32, implicit %0, implicit $exec {
      %3:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
      %4:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    }
    S_CMP_LG_U32 %1, 0, implicit-def $scc
    %5:sreg_32 = S_CSELECT_B32 %1, %2, implicit $scc
    %6:vgpr_32 = V_MUL_U32_U24_e32 %0, %3, implicit $exec
    %7:sreg_32 = S_ADD_U32 %5, %2, implicit-def dead $scc
    %8:vgpr_32 = V_ADD_U32_e32 %7, %6, implicit $exec
    S_NOP 0, implicit %8, implicit %4, implicit %5`,
  'member that defines a lane of its own': `
    %9:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    undef %3.sub0:vreg_64 = COPY %0
    BUNDLE implicit-def %4:vgpr_32 {
      %4:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
      %3.sub1:vreg_64 = V_ASHRREV_I32_e32 31, %3.sub0, implicit $exec
    }
    %5:vreg_64 = V_LSHLREV_B64_e64 2, %3, implicit $exec
    S_CMP_LG_U32 %1, 0, implicit-def $scc
    %6:vgpr_32 = V_ADD_U32_e32 %9, %4, implicit $exec
    S_NOP 0, implicit %5, implicit %6, implicit $scc`,
  'members after a definition of a lane': `
    BUNDLE implicit-def %3:vreg_64, implicit %0, implicit $exec {
      undef %3.sub1:vreg_64 = COPY %0
    }
    %3.sub0:vreg_64 = COPY %1
    %4:vgpr_32 = V_MOV_B32_e32 4, implicit $exec
    %5:vgpr_32 = V_ADD_U32_e32 %4, %3.sub0, implicit $exec
    %6:vgpr_32 = V_ADD_U32_e32 %5, %3.sub1, implicit $exec
    S_NOP 0, implicit %6`,
  'dead definition among members that read it': `
    S_CMP_LG_U32 %1, 1, implicit-def $scc
    BUNDLE implicit-def %3:vgpr_32, implicit-def $scc, implicit %0, implicit $exec {
      %3:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
      %4:sreg_32 = S_ADD_U32 %1, %2, implicit-def $scc
    }
    %5:sreg_32 = S_ADDC_U32 %1, 0, implicit-def dead $scc, implicit $scc
    %6:sreg_32 = S_ADD_U32 %5, 3, implicit-def dead $scc
    %7:vgpr_32 = V_ADD_U32_e32 %6, %3, implicit $exec
    S_NOP 0, implicit %7, implicit %2`,
  'definitions of units that change places': `
    S_CMP_LG_U32 %1, 1, implicit-def $scc
    %3:sreg_32 = COPY $scc
    $scc = COPY %3
    %4:sreg_32 = S_CSELECT_B32 %1, %2, implicit $scc
    S_CMP_LG_U32 %2, 0, implicit-def $scc
    %5:sreg_32 = S_CSELECT_B32 %4, %2, implicit $scc
    BUNDLE implicit-def %6:vgpr_32, implicit %0, implicit $exec {
      %6:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    }
    %7:vgpr_32 = V_ADD_U32_e32 %5, %6, implicit $exec
    S_NOP 0, implicit %7`,
};

const text = (body: string): string => `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0, $sgpr1
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr0
    %2:sreg_32 = COPY $sgpr1${body}
    S_ENDPGM 0
...
`;

const upToCrash = (stderr: string): string => withoutAddresses(stderr).replace(/^PLEASE submit a bug report[^]*/m, '');

describe('bundles that the iterative schedulers tear, as llc-22', function () {
  this.timeout(0);
  for (const [what, body] of Object.entries(BODIES)) {
    for (const strategy of STRATEGIES) {
      it(`${what}: ${strategy}`, function () {
        needsLlc(this);
        const args = [
          '-mtriple=amdgcn',
          '-mcpu=gfx900',
          '-run-pass=machine-scheduler',
          `-misched=gcn-iterative-${strategy}`,
        ];
        for (const more of [[], ['-verify-machineinstrs']]) {
          const all = [...args, ...more, '-o', '-'];
          const llc = runLlc([...all, '-x', 'mir'], text(body));
          const ours = runLlcOnText(all, text(body));
          assert.deepEqual(
            [upToCrash(ours.stderr), ours.stdout],
            [upToCrash(llc.stderr), llc.stdout],
            `${strategy} ${more.join(' ')}`,
          );
        }
      });
    }
  }

  const folder = join(__dirname, '..', '..', '..', '..', 'fixtures', 'tornBundles');
  for (const file of readdirSync(folder)) {
    const input = readFileSync(join(folder, file), 'utf8');
    for (const [, words] of input.matchAll(/^# RUN: llc (.*)$/gm)) {
      it(`${file}: ${words}`, function () {
        needsLlc(this);
        const args = [...words.split(' '), '-o', '-'];
        const llc = runLlc([...args, '-x', 'mir'], input);
        const ours = runLlcOnText(args, input);
        assert.deepEqual([upToCrash(ours.stderr), ours.stdout], [upToCrash(llc.stderr), llc.stdout]);
      });
    }
  }
});
