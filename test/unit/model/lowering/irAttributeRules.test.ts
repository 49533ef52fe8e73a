/** What each calling convention allows: thirteen signatures with each of them in one module, as llc-22 complains of them. */
import assert from 'node:assert/strict';
import { callingConvNames } from '../../../../server/src/ir/names.js';
import { answerOfLlc, answerOfOurs } from '../../../support/answers.js';
import { needsLlc } from '../../../support/llc.js';

const SIGNATURES: readonly string[] = [
  'void @F(...)',
  'i32 @F()',
  'void @F(i32 %a)',
  'void @F(i1 %a)',
  'void @F(i1 inreg %a)',
  'void @F(ptr addrspace(5) byval(i32) %a)',
  'void @F(ptr addrspace(5) sret(i32) %a)',
  'void @F(i32 %a, ptr addrspace(5) sret(i32) %b)',
  'void @F(ptr addrspace(4) byref(i32) %a)',
  'void @F(ptr addrspace(5) byref(i32) %a)',
  'void @F(i32 %a, ptr addrspace(5) byref(i32) %b)',
  'void @F(ptr addrspace(5) inalloca(i32) %a)',
  'void @F(ptr addrspace(5) preallocated(i32) %a)',
];

const MESSAGES: Readonly<Record<string, string>> = {
  a: 'Calling convention does not support varargs or perfect forwarding!',
  b: 'Calling convention disallows byval',
  c: 'Calling convention does not allow sret',
  d: 'Calling convention disallows stack byref',
  e: 'Calling convention disallows inalloca',
  f: 'Calling convention disallows preallocated',
  g: 'Calling convention requires void return type',
  h: 'Calling convention requires first argument to be i1',
  i: 'Calling convention requires first argument to not be inreg',
  j: 'Calling convention parameter requires byval',
};

/** Numbers of signatures, each with its message, and the conventions that are alike; the others allow everything. */
const COMPLAINTS: readonly (readonly [complaints: string, conventions: string])[] = [
  ['0 a, 5 b, 6 c, 7 c, 9 d, 10 d, 11 e, 12 f', 'amdgpu_cs amdgpu_gs amdgpu_hs amdgpu_ps amdgpu_vs'],
  ['0 a, 1 g, 5 b, 6 c, 7 c, 9 d, 10 d, 11 e, 12 f', 'amdgpu_cs_chain amdgpu_cs_chain_preserve amdgpu_kernel'],
  ['0 h, 1 h, 2 h, 4 i, 5 h, 6 h, 7 h, 8 h, 9 h, 10 h, 11 h, 12 h', 'amdgpu_gfx_whole_wave'],
  ['0 a', 'coldcc fastcc intel_ocl_bicc ptx_device ptx_kernel'],
  ['0 a, 1 g, 6 c, 7 c', 'spir_kernel'],
  ['2 j, 3 j, 4 j, 6 j, 7 j, 8 j, 9 j, 10 j, 11 j, 12 j', 'x86_intrcc'],
];

const conventions = ['ccc', ...callingConvNames().values()].sort();
const nameOf = (convention: string, k: number): string => `${convention.replaceAll(/[()]/g, '_')}.${k}`;

const module = conventions
  .flatMap((convention) =>
    SIGNATURES.map((signature, k) => {
      const returned = signature.startsWith('i32') ? 'i32 0' : 'void';
      return `  define ${convention} ${signature.replace('@F', `@${nameOf(convention, k)}`)} { ret ${returned} }\n`;
    }),
  )
  .join('');

const question = {
  args: ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none'],
  input: `--- |\n${module}...\n---\nname: g\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`,
};

const complaintsIn = (err: string): string[] =>
  [...err.matchAll(/^(.*)\nptr @(.*)$/gm)].map(([, message, name]) => `${name}: ${message}`).sort();

const EXPECTED = COMPLAINTS.flatMap(([complaints, alike]) =>
  alike.split(' ').flatMap((convention) =>
    complaints
      .split(', ')
      .map((c) => c.split(' '))
      .map(([k, message]) => `${nameOf(convention, Number(k))}: ${MESSAGES[message!]}`),
  ),
).sort();

describe('calling conventions', () => {
  it('allow some signatures and not others', () => {
    assert.deepEqual(complaintsIn(answerOfOurs(question).err), EXPECTED);
  });

  it('allow what llc-22 says', function () {
    needsLlc(this);
    assert.deepEqual(complaintsIn(answerOfLlc(question).err), EXPECTED);
  });
});
