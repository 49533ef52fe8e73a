/**
 * Function attributes through llc, whole: standard output, standard error and exit code of every calling convention and several processors.
 * Without llc-22 only the messages stand, which are its.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { llcVersion, needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';

const BODY = 'body: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const document = (name: string): string => `---\nname: ${name}\n${BODY}`;

function assertLikeLlc(text: string, args: readonly string[]): void {
  const { ours, llc, differs } = runLlcJob({ name: '', text, args });
  assert.equal(differs, null, args.join(' '));
  assert.deepEqual(ours, llc);
}

/** Functions without a document: llc makes their machine functions of the IR alone. */
const IR_ONLY = `--- |
  define amdgpu_kernel void @f(ptr addrspace(1) %p, i32 %x, <4 x i64> %v) "amdgpu-flat-work-group-size"="64,64" { ret void }
  define void @f2() "amdgpu-memory-bound"="true" "amdgpu-wave-limiter"="true" "amdgpu-waves-per-eu"="2,4" { ret void }
  define amdgpu_ps float @ps() "InitialPSInputAddr"="7" "amdgpu-32bit-address-high-bits"="0x1234" { ret float 0.0 }
  define amdgpu_ps void @ps2() "amdgpu-ieee"="true" { ret void }
  define amdgpu_cs void @cs() "amdgpu-max-memory-cluster-dwords"="5" "amdgpu-dx10-clamp"="false" { ret void }
  define amdgpu_gfx void @gfx() "denormal-fp-math"="preserve-sign,ieee" "denormal-fp-math-f32"="preserve-sign" { ret void }
  define amdgpu_vs void @vs() "amdgpu-lds-size"="128" "amdgpu-gds-size"="16,32" { ret void }
  define amdgpu_hs void @hs() "no-signed-zeros-fp-math"="true" { ret void }
  define amdgpu_cs_chain void @chain(i32 %x) { unreachable }
  define amdgpu_cs_chain_preserve void @chain2() "amdgpu-dynamic-vgpr-block-size"="16" { unreachable }
  define amdgpu_gfx_whole_wave i32 @whole(i1 %active) { ret i32 1 }
  define spir_kernel void @spir(i8 %x, ptr addrspace(4) byref({ i64, i32 }) %y) { ret void }
...
${document('f')}`;

const NUMBERS = [
  'amdgpu-num-sgpr',
  'amdgpu-num-vgpr',
  'amdgpu-max-memory-cluster-dwords',
  'amdgpu-dynamic-vgpr-block-size',
];
const PAIRS = ['amdgpu-flat-work-group-size', 'amdgpu-waves-per-eu', 'amdgpu-lds-size', 'amdgpu-agpr-alloc'];
const LISTS = ['amdgpu-max-num-workgroups', 'amdgpu-cluster-dims'];
const UNREADABLE = [...NUMBERS, ...PAIRS, ...LISTS].map((name) => `"${name}"="x"`).join(' ');

const unreadable = (convention: string): string =>
  `--- |\n  define ${convention} void @f() ${UNREADABLE} "InitialPSInputAddr" { ret void }\n...\n${document('f')}`;

const VALUES = [
  'x',
  '',
  '1',
  '1,x',
  '1,2',
  '1,2,3',
  '1,',
  ',2',
  ' 1 , 2 , 3 ',
  'x y,2',
  '-1',
  '0x1,2',
  '1,,3',
  '4294967295',
  '4294967296',
];

const PASSES = [['-run-pass=none'], ['-run-pass=amdgpu-print-rp'], ['-run-pass=machine-scheduler']];

describe('function attributes', function () {
  this.timeout(0);

  it('with amdgpu-num-vgpr=0 LLVM asks again for each instruction that changes the pressure of VGPRs or AGPRs', () => {
    const module = `--- |\n  define amdgpu_kernel void @f() "amdgpu-num-vgpr"="0" "amdgpu-waves-per-eu"="x" { ret void }\n...\n`;
    const lines = (sum: string): string[] => [
      'liveins: $vgpr0, $vgpr1',
      '%0:vgpr_32 = COPY $vgpr0',
      '%1:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec',
      '%2:sreg_32 = S_MOV_B32 1',
      '%3:sreg_32 = S_ADD_I32 %2, 3, implicit-def dead $scc',
      sum,
      'S_NOP 0, implicit %4, implicit %0',
      'DBG_VALUE %4, $noreg',
      '%5:vgpr_32 = COPY $vgpr1',
      'S_NOP 1, implicit %5, implicit %1',
      'S_ENDPGM 0',
    ];
    const text = (sum: string): string =>
      `${module}---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n${lines(sum)
        .map((line) => `    ${line}\n`)
        .join('')}...\n`;
    const cases = [
      ['gfx900', '%4:vgpr_32 = V_MOV_B32_e32 %1, implicit $exec', 20],
      ['gfx90a', '%4:agpr_32 = V_ACCVGPR_WRITE_B32_e64 %1, implicit $exec', 22],
    ] as const;
    for (const [cpu, sum, n] of cases) {
      const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-run-pass=machine-scheduler'];
      const { stderr } = runLlcOnText([...args, '-o', '-'], text(sum));
      const message = "error: can't parse first integer attribute amdgpu-waves-per-eu\n";
      assert.equal(stderr.split(message).length - 1, n, cpu);
      if (llcVersion() !== null) assertLikeLlc(text(sum), args);
    }
  });

  it('an attribute that cannot be read is an error each time that LLVM asks for it, but the run goes on', () => {
    const text = `--- |\n  define void @f() "amdgpu-waves-per-eu"="x" { ret void }\n...\n${document('f')}`;
    const message = "error: can't parse first integer attribute amdgpu-waves-per-eu\n";
    const run = (pass: string) => runLlcOnText(['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', pass, '-o', '-'], text);
    const none = run('-run-pass=none');
    assert.deepEqual([none.status, none.stderr], [1, message.repeat(2)]);
    assert.match(none.stdout, /name: +f/);
    assert.equal(run('-run-pass=machine-scheduler').stderr, message.repeat(4));
    const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-attributes-'));
    try {
      const out = join(folder, 'out.mir');
      assert.equal(runLlcOnText(['-mtriple=amdgcn', '-run-pass=none', '-o', out], text).status, 1);
      assert.equal(existsSync(out), false, 'as with any error');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a processor that lacks what is asked for is told of also where only the IR has the function', () => {
    const module = '--- |\n  define void @f() { ret void }\n...\n';
    for (const text of [module, `${module}${document('f')}`]) {
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx600', '-mattr=+xnack', '-run-pass=machine-scheduler'];
      const { status, stderr } = runLlcOnText([...args, '-o', '-'], text);
      const message = "warning: xnack 'On' was requested for a processor that does not support it!\n";
      assert.deepEqual([status, stderr], [0, message]);
      if (llcVersion() !== null) assertLikeLlc(text, args);
    }
  });

  it('a group overrides what is written inline, also the alignment', () => {
    const text = `--- |
  define void @f() #0 "a"="inline" "b"="inline" align 8 { ret void }
  attributes #0 = { "a"="group" align=16 }
...
${document('f')}`;
    const { stdout } = runLlcOnText(['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none', '-o', '-'], text);
    assert.match(stdout, /define void @f\(\) #0 align 16 \{/);
    assert.match(stdout, /attributes #0 = \{ "a"="group" "b"="inline" "target-cpu"="gfx900" \}/);
    if (llcVersion() !== null) assertLikeLlc(text, ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none']);
  });

  it('optnone, inline or in a group: not scheduled, but live intervals leave their marks', function () {
    needsLlc(this);
    const body = `body: |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr5

    %0:vreg_64_align2 = COPY killed $vgpr0_vgpr1
    %1:vgpr_32 = V_MOV_B32_e32 5, implicit $exec
    %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %3:vgpr_32 = V_MOV_B32_e32 6, implicit $exec
    GLOBAL_STORE_DWORD killed %0, %2, 0, 0, implicit $exec :: (store (s32), addrspace 1)
    GLOBAL_STORE_DWORD %0, killed %1, 4, 0, implicit $exec :: (store (s32), addrspace 1)
    S_ENDPGM 0, implicit killed $vgpr5
...
`;
    const functions = ['f', 'g', 'h'].map((name) => `---\nname: ${name}\ntracksRegLiveness: true\n${body}`).join('');
    const text = `--- |
  define void @f() noinline optnone { ret void }
  define void @g() #0 { ret void }
  define void @h() { ret void }
  attributes #0 = { noinline optnone }
...
${functions}`;
    for (const more of [[], ['-misched=gcn-iterative-ilp'], ['-misched=gcn-max-ilp']])
      assertLikeLlc(text, ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=machine-scheduler', ...more]);
  });

  it('functions that have IR only', function () {
    needsLlc(this);
    for (const triple of ['amdgcn-amd-amdhsa', 'amdgcn--', 'amdgcn-amd-amdpal'])
      for (const cpu of ['gfx600', 'gfx908', 'gfx942', 'gfx1100', 'gfx1200'])
        assertLikeLlc(IR_ONLY, [`-mtriple=${triple}`, `-mcpu=${cpu}`, '-run-pass=machine-scheduler']);
  });

  it('unreadable attributes: the questions of each calling convention', function () {
    needsLlc(this);
    for (const cpu of ['gfx900', 'gfx908', 'gfx90a', 'gfx1100'])
      for (const convention of ['', 'amdgpu_kernel', 'amdgpu_ps', 'amdgpu_gfx', 'amdgpu_cs'])
        for (const pass of PASSES) assertLikeLlc(unreadable(convention), ['-mtriple=amdgcn', `-mcpu=${cpu}`, ...pass]);
  });

  it('the length of memory clauses: asked for once per function that has XNACK and is optimized', function () {
    needsLlc(this);
    const values = ['"x"', '"5x" optnone noinline', '""', '"18446744073709551616"', '"7"'];
    const module = values.map(
      (v, n) => `  define amdgpu_kernel void @f${n}() "amdgpu-max-memory-clause"=${v} { ret void }\n`,
    );
    const text = `--- |\n${module.join('')}...\n${values.map((_, n) => document(`f${n}`)).join('')}`;
    const cut = ['-start-before=machine-scheduler', '-stop-after=virtregrewriter,2'];
    for (const passes of [['-run-pass=si-form-memory-clauses'], cut])
      for (const feature of ['+xnack', '-xnack'])
        assertLikeLlc(text, ['-mtriple=amdgcn', '-mcpu=gfx900', `-mattr=${feature}`, ...passes]);
  });

  it('options add attributes to the functions of a file without IR', function () {
    needsLlc(this);
    const text = document('f')
      .replace('    S_ENDPGM', '    S_NOP 0, implicit $sgpr34\n    S_ENDPGM')
      .replace('body', 'tracksRegLiveness: true\nbody');
    for (const option of ['-stackrealign', '-stackrealign=false'])
      assertLikeLlc(text, ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-verify-machineinstrs', option]);
  });

  it('values that can be read and those that cannot', function () {
    needsLlc(this);
    for (const name of ['amdgpu-agpr-alloc', 'amdgpu-cluster-dims', 'amdgpu-flat-work-group-size', 'amdgpu-num-vgpr'])
      for (const value of VALUES) {
        const text = `--- |\n  define amdgpu_kernel void @f() "${name}"="${value}" { ret void }\n...\n${document('f')}`;
        assertLikeLlc(text, ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=none']);
      }
  });

  it('both wave sizes: registers go by the larger, budgets by the smaller', function () {
    needsLlc(this);
    const body = `tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:sreg_64_xexec = V_CMP_EQ_U32_e64 %0, %1, implicit $exec
    %3:vgpr_32 = V_CNDMASK_B32_e64 0, %0, 0, %1, %2, implicit $exec
    S_ENDPGM 0, implicit %3
...
`;
    for (const [own, given] of [
      ['+wavefrontsize32', '+wavefrontsize64'],
      ['+wavefrontsize64', '+wavefrontsize32'],
      ['+wavefrontsize64', '+wavefrontsize64'],
    ])
      for (const cpu of ['gfx1030', 'gfx1100', 'gfx1200']) {
        const text = `--- |\n  define amdgpu_kernel void @f() "target-features"="${own}" { ret void }\n...\n---\nname: f\n${body}`;
        assertLikeLlc(text, [
          '-mtriple=amdgcn-amd-amdhsa',
          `-mcpu=${cpu}`,
          `-mattr=${given}`,
          '-run-pass=machine-scheduler',
        ]);
      }
  });
});
