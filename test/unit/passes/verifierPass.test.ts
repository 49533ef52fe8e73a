/** `machineverifier` as a pass, and what the verifier finds after one, as llc-22. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';
import { withoutAddresses } from '../../support/verify.js';

/** All scalar registers but those of the stack pointer. */
const ALIVE = Array.from({ length: 102 }, (_, k) => `$sgpr${k}`).filter((reg) => reg !== '$sgpr32');

/** SCC lives across a spill, for which prologepilog finds no register: what it inserts, the verifier does not take. */
const SPILL = `name: f
tracksRegLiveness: true
stack:
  - { id: 0, size: 8192, alignment: 8 }
  - { id: 1, type: spill-slot, size: 8192, alignment: 4, stack-id: sgpr-spill }
machineFunctionInfo:
  scratchRSrcReg: $sgpr0_sgpr1_sgpr2_sgpr3
  frameOffsetReg: $sgpr33
  stackPtrOffsetReg: $sgpr32
body: |
  bb.0:
    liveins: ${ALIVE.join(', ')}
    S_CMP_EQ_U32 0, 0, implicit-def $scc
    SI_SPILL_S32_SAVE $sgpr8, %stack.1, implicit $exec, implicit $sgpr32 :: (store (s32) into %stack.1, align 4, addrspace 5)
    S_ENDPGM 0, implicit $scc, ${ALIVE.map((reg) => `implicit ${reg}`).join(', ')}
...
`;
const FRAME = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=fiji', '-amdgpu-spill-sgpr-to-vgpr=0', '-o', '-'];

/** What llc says of its own crash is left out; the rest of its standard error is returned. */
function compare(args: readonly string[], text: string): string {
  const ours = runLlcOnText(args, text);
  const llc = runLlc([...args, '-x', 'mir'], text);
  const [said = ''] = llc.stderr.split('PLEASE submit a bug report');
  assert.equal(withoutAddresses(ours.stderr), withoutAddresses(said), args.join(' '));
  assert.equal(ours.stdout, llc.stdout, args.join(' '));
  return said;
}

describe('machineverifier, as llc-22', () => {
  before(function () {
    needsLlc(this);
  });

  for (const module of [
    '',
    '--- |\n  define amdgpu_kernel void @f(i32 %0, ptr addrspace(1) %p) { ret void }\n...\n---\n',
  ])
    it(`finds what a pass has left behind${module === '' ? '' : ', in a function with arguments'}`, () => {
      const passes = ['-run-pass=prologepilog', '-run-pass=machineverifier'];
      const said = compare([...FRAME, ...passes], module + SPILL);
      assert.match(said, /unhandled SGPR spill to memory/);
      assert.match(said, /Found \d+ machine code errors/);
      compare([...FRAME, '-passes=machine-function(prolog-epilog,verify)'], module + SPILL);
    });

  it('leaves what is right alone', () => {
    const text = 'name: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
    const said = compare(
      [...FRAME, '-run-pass=none,machineverifier', '-print-after-all', '-verify-machineinstrs'],
      text,
    );
    assert.equal(said.match(/IR Dump After Verify/g)?.length, 3);
  });

  it('is printed around by the legacy pass manager alone, as what numbers the slots for a pass', () => {
    const text = 'name: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
    const around = ['-print-before-all', '-print-after-all'];
    assert.doesNotMatch(
      compare([...FRAME, '-passes=machine-function(verify,stack-coloring)', ...around], text),
      /Verif/,
    );
    const said = compare(
      [...FRAME, '-run-pass=machineverifier,stack-coloring', '-verify-machineinstrs', ...around],
      text,
    );
    assert.match(said, /^0B\tbb\.0:$/m);
  });

  it('keeps whether instructions have two addresses from the pass that gives them', () => {
    const text = `name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1
    %0:vgpr_32 = COPY $vgpr0
    S_ENDPGM 0, implicit %0
...
`;
    const said = compare([...FRAME, '-run-pass=twoaddressinstruction,register-coalescer', '-print-after-all'], text);
    assert.equal(said.match(/TiedOpsRewritten/g)?.length, 3);
  });
});
