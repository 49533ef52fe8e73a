/**
 * si-fix-sgpr-copies where values have 16 bits: random IR of shaders with arguments in SGPRs and VGPRs, cut by llc-22 before the pass, for processors
 * with and without 16-bit registers: llc-22 and amdgpu-mir print the same. AMDGPU_MIR_RUNS=500 makes that many; AMDGPU_MIR_SEED=n takes others.
 */
import assert from 'node:assert/strict';
import { Random } from '../support/damageInputs.js';
import { needsLlc } from '../support/llc.js';
import { runLlcJob } from '../support/llcJobs.js';
import { mirOf } from '../support/randomOpenCl.js';
import { runsOr, seedOr } from '../support/switches.js';

const RUNS = runsOr(30);
const SEED = seedOr(1);
const TRIPLE = 'amdgcn-amd-amdpal';
const CPUS = [
  'gfx1100',
  'gfx1103',
  'gfx1151',
  'gfx1200',
  'gfx1201',
  'gfx1250',
  'gfx11-generic',
  'gfx803',
  'gfx900',
  'gfx90a',
];
const FEATURES = ['+real-true16', '+real-true16', '-real-true16', '+wavefrontsize64'];

/** `T: text`: T is the result's type, `<T>` in the text a value of a type, `(a|b)` a choice. */
const DEFINITIONS = `i16: (add|sub|mul|and|or|xor|shl|lshr|ashr) i16 <i16>, <i16>
half: (fadd|fsub|fmul) half <half>, <half>
i32: (add|sub|mul|and|or|xor|shl|lshr) i32 <i32>, <i32>
i32: (zext|sext) i16 <i16> to i32
i16: trunc i32 <i32> to i16
i16: bitcast half <half> to i16
half: bitcast i16 <i16> to half
i1: icmp (eq|slt|ugt) i16 <i16>, <i16>
i1: fcmp (oeq|olt|une) half <half>, <half>
i16: select i1 <i1>, i16 <i16>, i16 <i16>
half: select i1 <i1>, half <half>, half <half>
i16x2: insertelement <2 x i16> <i16x2>, i16 <i16>, i32 (0|1)
i16: extractelement <2 x i16> <i16x2>, i32 (0|1)
float: fpext half <half> to float
half: fptrunc float <float> to half
half: call half @llvm.(minnum|maxnum).f16(half <half>, half <half>)
i16: call i16 @llvm.(smin|umax|smax|umin).i16(i16 <i16>, i16 <i16>)
i32: bitcast <2 x i16> <i16x2> to i32
i16: (fptosi|fptoui) half <half> to i16
half: (sitofp|uitofp) i16 <i16> to half
i32: call i32 @llvm.amdgcn.readfirstlane.i32(i32 <i32>)`.split('\n');

const USES = `store i16 <i16>, ptr addrspace(1) %p
store half <half>, ptr addrspace(1) %q
store i32 <i32>, ptr addrspace(1) %p
store <2 x i16> <i16x2>, ptr addrspace(1) %q
store i16 <i16>, ptr addrspace(3) null
call void asm sideeffect "; $0", "s"(i32 <i32>)
call void asm sideeffect "; $0", "s"(i16 <i16>)`.split('\n');

const CONSTANTS: Readonly<Record<string, string>> = {
  i16: '12345',
  half: '0xH3C00',
  i32: '70000',
  float: '2.0',
  i16x2: 'zeroinitializer',
  i1: 'true',
};

type Values = Record<string, string[]>;

function shaderOf(name: string, random: Random): string {
  let values: Values = {
    i16: ['%va', '%sa', '%load'],
    half: ['%vb', '%sb'],
    i32: ['%vc', '%sc', '%lane'],
    float: ['%vd', '%sd'],
    i16x2: ['%ve', '%se'],
    i1: ['%varies', '%same'],
  };
  let n = 0;
  const valueOf = (type: string): string =>
    type !== 'i1' && random.chance(14) ? (CONSTANTS[type] as string) : random.pick(values[type] as string[]);
  const filled = (text: string): string =>
    text
      .replace(/\((\w+(?:\|\w+)+)\)/g, (_, list: string) => random.pick(list.split('|')))
      .replace(/<(\w+)>/g, (_, type: string) => valueOf(type));
  const definitions = (count: number): string => {
    let res = '';
    for (; count > 0; count--) {
      const [type, text] = random.pick(DEFINITIONS).split(': ') as [string, string];
      res += `  %x${n} = ${filled(text)}\n`;
      values[type]?.push(`%x${n++}`);
    }
    return res;
  };
  let body = definitions(4 + random.below(14));
  if (random.chance(66)) {
    const [condition, x, y] = [random.chance(50) ? valueOf('i1') : '%same', valueOf('i16'), valueOf('half')];
    const above: Values = Object.fromEntries(Object.entries(values).map(([type, list]) => [type, [...list]]));
    body += `  br i1 ${condition}, label %then, label %join\nthen:\n${definitions(2 + random.below(6))}`;
    body += `  br label %join\njoin:\n  %i = phi i16 [ ${x}, %entry ], [ ${valueOf('i16')}, %then ]\n`;
    body += `  %h = phi half [ ${y}, %entry ], [ ${valueOf('half')}, %then ]\n`;
    values = above;
    values['i16']?.push('%i', '%i');
    values['half']?.push('%h', '%h');
    body += definitions(2 + random.below(6));
  }
  for (let k = random.below(3); k >= 0; k--) body += `  ${filled(random.pick(USES))}\n`;
  return `define amdgpu_ps void @${name}(i16 %va, half %vb, i32 %vc, float %vd, <2 x i16> %ve, ptr addrspace(1) %p, i16 inreg %sa, half inreg %sb, i32 inreg %sc, float inreg %sd, <2 x i16> inreg %se, ptr addrspace(1) inreg %q) {
entry:
  %lane = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %load = load i16, ptr addrspace(1) %p
  %varies = icmp slt i32 %vc, %sc
  %same = icmp sgt i32 %sc, 11
${body}  ret void
}
`;
}

describe('si-fix-sgpr-copies of 16-bit values', function () {
  this.timeout(0);

  it(`${RUNS} random modules, seed ${SEED}: as llc-22`, function () {
    needsLlc(this);
    const different: string[] = [];
    let compared = 0;
    for (let n = 0; n < RUNS; n++) {
      const random = new Random(SEED * 1_000_003 + n);
      const cpu = random.pick(CPUS);
      const attributes = /gfx1[12]/.test(cpu) ? [`-mattr=${random.pick(FEATURES)}`] : [];
      const ir = ['f', 'g', 'h'].map((name) => shaderOf(name, random)).join('');
      const stop = ['-stop-before=si-fix-sgpr-copies', ...attributes];
      // llc-22 cannot select all of them.
      const text = mirOf(ir, { triple: TRIPLE, cpu }, stop);
      if (text === null) continue;
      compared++;
      const args = [`-mtriple=${TRIPLE}`, `-mcpu=${cpu}`, ...attributes, '-run-pass=si-fix-sgpr-copies'];
      const name = `module ${n} of seed ${SEED}: ${args.join(' ')}`;
      const { differs } = runLlcJob({ name, text, args });
      if (differs !== null && differs !== 'crash') different.push(`${differs} of ${name}`);
    }
    assert.deepEqual(different, []);
    assert.ok(compared >= RUNS / 2, `llc-22 selected ${compared} of ${RUNS} only`);
  });
});
