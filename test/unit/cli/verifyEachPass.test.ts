/**
 * `-verify-machineinstrs` after each pass of a run, with the live intervals that LLVM has then. The table says after which pass llc-22 finds the fault; where it
 * is installed, all that it writes is compared.
 */
import assert from 'node:assert/strict';
import { llcVersion, MODELLED_LLC, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';
import { withoutAddresses } from '../../support/verify.js';

/** A lane that nothing defines is read: without live intervals nobody sees it. */
const body = (lines: string): string => `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0
    undef %0.sub0:vreg_64 = COPY $vgpr0
    %1:vgpr_32 = COPY %0.sub1
${lines}    S_ENDPGM 0, implicit %1
...
`;
const TEXT = body('');

/** Arguments, and after which pass the fault is found: '' in a pipeline, which is verified at its end, null = nowhere. */
const RUNS: readonly (readonly [args: string, after: string | null])[] = [
  ['-start-before=greedy -stop-after=virtregrewriter,2', 'Greedy Register Allocator'],
  ['-start-before=greedy,2 -stop-after=virtregrewriter,2', 'Greedy Register Allocator'],
  ['-run-pass=greedy,virtregrewriter', 'Greedy Register Allocator'],
  ['-run-pass=virtregrewriter', 'Virtual Register Rewriter'],
  ['-run-pass=amdgpu-pre-ra-optimizations', 'AMDGPU Pre-RA optimizations'],
  ['-run-pass=si-wqm', 'SI Whole Quad Mode'],
  ['-run-pass=amdgpu-pre-ra-long-branch-reg,si-wqm', 'SI Whole Quad Mode'],
  ['-run-pass=si-optimize-exec-masking-pre-ra', 'SI optimize exec mask operations pre-RA'],
  ['-run-pass=si-form-memory-clauses', 'SI Form memory clauses'],
  ['-run-pass=si-pre-allocate-wwm-regs', 'SI Pre-allocate WWM Registers'],
  ['-run-pass=amdgpu-nsa-reassign', 'GCN NSA Reassign'],
  ['-run-pass=amdgpu-rewrite-agpr-copy-mfma', 'AMDGPU Rewrite AGPR-Copy-MFMA'],
  ['-run-pass=machine-scheduler,greedy', 'Machine Instruction Scheduler'],
  ['-start-before=machine-scheduler -stop-after=virtregrewriter,2', 'Machine Instruction Scheduler'],
  ['-run-pass=amdgpu-print-rp', ''],
  ['-passes=greedy<sgpr>', ''],
  ['-passes=virt-reg-rewriter<no-clear-vregs>', ''],
  ['-passes=machine-scheduler,si-lower-wwm-copies', ''],
  ['-passes=greedy<sgpr>,virt-reg-rewriter<no-clear-vregs>,greedy<vgpr>,virt-reg-rewriter', null],
  ['-run-pass=amdgpu-pre-ra-long-branch-reg', null],
  ['-run-pass=stack-slot-coloring', null],
  ['-run-pass=si-lower-sgpr-spills', null],
  ['-run-pass=si-lower-wwm-copies', null],
  ['-run-pass=amdgpu-reserve-wwm-regs', null],
  ['-run-pass=si-fix-sgpr-copies', null],
  ['-run-pass=print-machine-uniformity', null],
  ['-run-pass=none', null],
];

function run(args: readonly string[], text: string): { status: number | null; stdout: string; stderr: string } {
  const own = runLlcOnText(args, text);
  if (llcVersion() === MODELLED_LLC) {
    const theirs = runLlc(['-x', 'mir', ...args], text);
    const [said = ''] = theirs.stderr.replaceAll('llc-22', 'llc').split(/^PLEASE submit/m);
    assert.equal(withoutAddresses(own.stderr), withoutAddresses(said));
    assert.equal(own.stdout, theirs.stdout);
    assert.equal(own.status, theirs.signal === 'SIGABRT' ? 134 : theirs.status);
  }
  return own;
}

describe('-verify-machineinstrs after each pass', () => {
  for (const [names, after] of RUNS)
    it(`${names}: ${after === null ? 'nothing' : `# After ${after}`}`, () => {
      const args = ['-mtriple=amdgcn', '-mcpu=gfx900', ...names.split(' '), '-verify-machineinstrs', '-o', '-'];
      const { status, stderr } = run(args, TEXT);
      assert.equal(status, after === null ? 0 : 134);
      const banner = names.startsWith('-passes') ? '# ' : `# After ${after ?? ''}`;
      if (after !== null) assert.ok(stderr.includes(`\n${banner}\n`), stderr.slice(0, 400));
      if (after !== null) assert.match(stderr, /^\*\*\* Bad machine code: No live subrange at use \*\*\*$/m);
    });

  it('shows weights as the allocator has them', () => {
    const more =
      '    %2:vgpr_32 = V_ADD_U32_e32 %1, %1, implicit $exec\n    GLOBAL_STORE_DWORD undef %3:vreg_64, %2, 0, 0, implicit $exec\n';
    const args =
      '-mtriple=amdgcn -mcpu=gfx900 -start-before=greedy,2 -stop-after=greedy,2 -verify-machineinstrs -o -'.split(' ');
    const { stderr } = run(args, body(more));
    assert.match(stderr, / weight:[1-9]\.\d{6}e[+-]\d\d$/m);
  });

  for (const passes of [
    '-start-before=machine-scheduler -stop-after=virtregrewriter,2',
    '-run-pass=greedy,dead-mi-elimination,machine-scheduler',
    '-run-pass=machine-scheduler,unreachable-mbb-elimination,amdgpu-print-rp,processimpdefs',
    '-run-pass=greedy,virtregrewriter,amdgpu-print-rp,si-fix-sgpr-copies',
  ])
    it(`says nothing of sound code: ${passes}`, () => {
      // What is dead goes, and with it what intervals of before would say.
      const dead = '    dead %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec\n';
      const text = body(dead).replace('%0.sub1', '%0.sub0');
      const args = `-mtriple=amdgcn -mcpu=gfx900 ${passes} -verify-machineinstrs -o -`;
      assert.equal(run(args.split(' '), text).status, 0);
    });
});
