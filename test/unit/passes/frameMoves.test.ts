/** Frame information of prologues, as LLVM 24's llc writes it (docs/llvm/frame-lowering.md, 12). */
import assert from 'node:assert/strict';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import { runLlcOnText } from '../../support/schedule.js';

const ATTRIBUTES = ['', 'nounwind', 'nounwind uwtable', 'noreturn', 'noreturn nounwind', '"frame-pointer"="all"'];
const CONVENTIONS = ['', 'amdgpu_kernel ', 'amdgpu_gfx ', 'amdgpu_cs_chain '];
const CPUS = [
  ['gfx900', ''],
  ['gfx908', ''],
  ['gfx942', ''],
  ['gfx1100', ''],
  ['gfx1100', '+wavefrontsize64'],
  ['gfx1200', '+block-vgpr-csr'],
  ['gfx1250', ''],
] as const;

const ARGUMENTS = `machineFunctionInfo:
  stackPtrOffsetReg: '$sgpr32'
  frameOffsetReg: '$sgpr33'
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'`;

const body = (hasCall: boolean, isRealigned: boolean, end: string): string => `stack:
  - { id: 0, size: 8, alignment: ${isRealigned ? 64 : 4} }
frameInfo:
  maxAlignment: ${isRealigned ? 64 : 4}
  hasCalls: ${hasCall}
${ARGUMENTS}
body: |
  bb.0:
    liveins: $sgpr4, $vgpr0
    $vgpr40 = V_MOV_B32_e32 1, implicit $exec
    $vgpr43 = V_MOV_B32_e32 2, implicit $exec
    $vgpr5 = V_MOV_B32_e32 2, implicit $exec
    $sgpr40 = S_MOV_B32 1
${hasCall ? '    dead $sgpr30_sgpr31 = SI_CALL undef $sgpr6_sgpr7, 0, csr_amdgpu\n' : ''}    S_NOP 0, implicit $vgpr40, implicit $vgpr43
    ${end}`;

function module(convention: string): string {
  const heads: string[] = [];
  const fns: string[] = [];
  for (const [k, attributes] of ATTRIBUTES.entries())
    for (const hasCall of [false, true])
      for (const isRealigned of [false, true]) {
        const isAlone = convention.includes('kernel') || convention.includes('chain');
        if (convention.includes('chain') && (hasCall || isRealigned || attributes.includes('frame'))) continue;
        const name = `f${k}${Number(hasCall)}${Number(isRealigned)}`;
        heads.push(`  define ${convention}void @${name}() ${attributes} { unreachable }\n`);
        fns.push(
          `---\nname: ${name}\ntracksRegLiveness: true\n${body(hasCall, isRealigned, isAlone ? 'S_ENDPGM 0' : 'SI_RETURN')}\n...\n`,
        );
      }
  return `--- |\n${heads.join('')}...\n${fns.join('')}`;
}

const functionsOf = (text: string): string[] => text.split(/^---$/m).filter((part) => /^\s*name:/.test(part));

describe('frame information, as LLVM 24', () => {
  for (const convention of CONVENTIONS)
    it(`functions that are ${convention === '' ? 'called' : convention}`, function () {
      needsLlc24(this);
      this.timeout(180_000);
      const jobs = CPUS.map(([cpu, features]) => ({
        text: module(convention),
        args: ['-mtriple=amdgcn-amd-amdpal', `-mcpu=${cpu}`, `-mattr=${features}`, '-run-pass=prolog-epilog'],
      }));
      for (const [k, { status, stdout, stderr }] of runLlc24(jobs).entries()) {
        const { text, args } = jobs[k]!;
        assert.equal(status, 0, stderr.slice(-1500));
        const ours = runLlcOnText(['--model=llvm-24', ...args, '-o', '-'], text);
        assert.equal(ours.stderr, '');
        assert.match(stdout, /CFI_INSTRUCTION/);
        assert.deepEqual(functionsOf(ours.stdout), functionsOf(stdout), args.join(' '));
      }
    });
});
