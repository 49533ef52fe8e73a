/** Intrinsics of earlier LLVMs in embedded IR: what becomes of them is what llc-22 prints, where it is installed. */
import assert from 'node:assert/strict';
import { llcVersion, MODELLED_LLC, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

const OTHER_TARGET = /^llvm\.(?:x86|nvvm|arm|riscv)\./;
const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];
const V = '<4 x i32>';
const STORE = `<4 x i32> zeroinitializer, ptr align 8 %p, i32 16, <4 x i1> poison`;

/** A call of an old form with its declaration (null: none), and what is printed for it; in an error message: all of it. */
const OLD: readonly (readonly [call: string, declaration: string | null, now: string])[] = [
  [`tail call fastcc void @llvm.masked.store.v4i32.p0(${STORE}) #0, !foo !0`, 'void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)', 'tail call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr align 16 %p, <4 x i1> poison), !foo !0'],
  [`call void @llvm.masked.store.v4i32.p0(${STORE})`, null, 'call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr align 16 %p, <4 x i1> poison)'],
  [`call void @llvm.masked.store.v4i32.p0v4i32(${STORE}) [ "x"() ]`, 'void @llvm.masked.store.v4i32.p0v4i32(<4 x i32>, ptr, i32, <4 x i1>)', 'call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr align 16 %p, <4 x i1> poison)'],
  ['call fast noundef <4 x float> @llvm.masked.load.v4f32.p0(ptr nonnull %p, i32 4, <4 x i1> poison, <4 x float> zeroinitializer)', '<4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)', '%r = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %p, <4 x i1> poison, <4 x float> zeroinitializer)'],
  ['call <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr> poison, i32 0, <2 x i1> poison, <2 x i64> poison)', '<2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i64>)', '<2 x ptr> align 8 poison, <2 x i1>'],
  ['call void @llvm.masked.scatter.v4i16.v4p0(<4 x i16> poison, <4 x ptr> poison, i32 0, <4 x i1> poison)', 'void @llvm.masked.scatter.v4i16.v4p0(<4 x i16>, <4 x ptr>, i32, <4 x i1>)', '<4 x ptr> align 2 poison, <4 x i1>'],
  ['call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr %p, i32 0, <4 x i1> poison)', 'void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)', 'LLVM ERROR: Invalid zero alignment argument\n'],
  ['call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr %p, i32 3, <4 x i1> poison)', 'void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)', 'LLVM ERROR: Invalid alignment argument\n'],
  ['call void @llvm.masked.scatter.v4i16.v4p0(<4 x i16> poison, <4 x ptr> poison, i32 %i, <4 x i1> poison)', 'void @llvm.masked.scatter.v4i16.v4p0(<4 x i16>, <4 x ptr>, i32, <4 x i1>)', 'LLVM ERROR: Invalid alignment argument\n'],
  ['call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 16, i32 3, i1 true)', 'void @llvm.memset.p0.i64(ptr, i8, i64, i32, i1)', 'ptr align 2 %p'],
  [`tail call i32 @llvm.experimental.vector.reduce.add.i32.v4i32(${V} poison)`, 'i32 @llvm.experimental.vector.reduce.add.i32.v4i32(<4 x i32>)', '%r = tail call i32 @llvm.vector.reduce.add.v4i32('],
  ['call reassoc float @llvm.experimental.vector.reduce.v2.fmul.f32.v4f32(float 0.0, <4 x float> poison) #0, !foo !0', null, '%r = call reassoc float @llvm.vector.reduce.fmul.v4f32(float 0.000000e+00, <4 x float> poison) #'],
  [`call ${V} @llvm.experimental.vector.reverse.v4i32(${V} noundef poison)`, null, '@llvm.vector.reverse.v4i32(<4 x i32> noundef poison)'],
  [`call { <2 x i32>, <2 x i32> } @llvm.experimental.vector.deinterleave2.v4i32(${V} poison)`, '{ <2 x i32>, <2 x i32> } @llvm.experimental.vector.deinterleave2.v4i32(<4 x i32>)', '@llvm.vector.deinterleave2.v4i32('],
  [`call <2 x i32> @llvm.experimental.vector.partial.reduce.add.v2i32.v4i32(<2 x i32> poison, ${V} poison)`, '<2 x i32> @llvm.experimental.vector.partial.reduce.add.v2i32.v4i32(<2 x i32>, <4 x i32>)', '@llvm.vector.partial.reduce.add.v2i32.v4i32('],
  ['call <4 x i8> @llvm.experimental.stepvector.v4i8()', '<4 x i8> @llvm.experimental.stepvector.v4i8()', '@llvm.stepvector.v4i8()'],
  [`tail call ${V} @llvm.vector.splice.v4i32(${V} noundef poison, ${V} poison, i32 -2) #0, !foo !0`, '<4 x i32> @llvm.vector.splice.v4i32(<4 x i32>, <4 x i32>, i32)', '%1 = call <4 x i32> @llvm.vector.splice.right.v4i32(<4 x i32> poison, <4 x i32> poison, i32 2)'],
  [`call ${V} @llvm.experimental.vector.splice.v4i32(${V} poison, ${V} poison, i32 3)`, null, '%1 = call <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32> poison, <4 x i32> poison, i32 3)'],
  [`call ${V} @llvm.vector.splice.v4i32(${V} poison, ${V} poison, i32 %i)`, null, 'LLVM ERROR: Invalid llvm.vector.splice offset argument\n'],
  [`call ${V} @llvm.vector.splice.left.v4i32(${V} poison, ${V} poison, i32 4)`, null, 'The splice index exceeds the range [0, VL-1] where VL is'],
  [`call ${V} @llvm.vector.splice.right.v4i32(${V} poison, ${V} poison, i32 4)`, null, '@llvm.vector.splice.right'],
  [`call ${V} @llvm.vector.splice.right.v4i32(${V} poison, ${V} poison, i32 5)`, null, 'The splice index exceeds the range [0, VL] where VL is'],
  ['call ptr @llvm.invariant.group.barrier(ptr %p)', 'ptr @llvm.invariant.group.barrier(ptr)', '@llvm.launder.invariant.group.p0(ptr %p)'],
  ['tail call i32 @llvm.flt.rounds() #0', null, '%r = tail call i32 @llvm.get.rounding() #'],
  ['tail call nonnull ptr @llvm.ptr.annotation.p0(ptr nonnull %p, ptr %p, ptr null, i32 1) #0, !foo !0', 'ptr @llvm.ptr.annotation.p0(ptr, ptr, ptr, i32)', '%r = call ptr @llvm.ptr.annotation.p0.p0(ptr %p, ptr %p, ptr null, i32 1, ptr null)\n'],
  ['call void @llvm.var.annotation(ptr %p, ptr %p, ptr null, i32 1), !foo !0', 'void @llvm.var.annotation(ptr, ptr, ptr, i32)', 'call void @llvm.var.annotation.p0.p0(ptr %p, ptr %p, ptr null, i32 1, ptr null)\n'],
  ['tail call void @llvm.coro.end(ptr nonnull null, i1 false) #0', 'void @llvm.coro.end(ptr, i1)', 'call void @llvm.coro.end(ptr null, i1 false, token none)\n'],
  ['call i1 @llvm.coro.end(ptr null, i1 false)', 'i1 @llvm.coro.end(ptr, i1)', 'Instruction has a name, but provides a void value!\n  %r = call void @llvm.coro.end(ptr null, i1 false, token none)\n'],
  ['call i1 @llvm.coro.end(ptr null, i1 false, token none)', null, 'invalid intrinsic signature'],
  ['call <2 x i16> @llvm.amdgcn.global.atomic.fadd.v2bf16.p1(ptr addrspace(1) null, <2 x i16> poison)', null, 'atomicrmw fadd ptr addrspace(1) null, <2 x bfloat> poison '],
  ['call <2 x i16> @llvm.amdgcn.ds.fadd.v2bf16(ptr addrspace(3) null, <2 x i16> <i16 1, i16 undef>)', null, '<2 x bfloat> <bfloat 0xR0001, bfloat undef> '],
  ['call ptr addrspace(1) @llvm.thread.pointer()', null, '%r = call ptr addrspace(1) @llvm.thread.pointer.p1()'],
  ['call void @llvm.stackprotectorcheck(ptr %p)', 'void @llvm.stackprotectorcheck(ptr)', 'i32 %i) #0 {\n    ret void\n'],
  ['tail call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x64.iu8.v8i32.v8i32(i1 0, <8 x i32> noundef poison, i1 0, <8 x i32> poison, <8 x i32> poison, i1 false, i1 true) #0, !foo !0', null, '<8 x i32> poison, <8 x i32> poison, i1 false, i1 true, i1 false) #'],
  ['call <8 x i32> @llvm.amdgcn.swmmac.i32.16x16x128.iu8.v8i32.v8i32.v16i32.i32(i1 0, <8 x i32> poison, i1 0, <16 x i32> poison, <8 x i32> poison, i32 0, i1 false, i1 true)', null, 'i32 0, i1 false, i1 true, i1 false)\n'],
  ['musttail call void @llvm.assume(i1 true)', 'void @llvm.assume(i1)', 'musttail call void @llvm.assume(i1 true)'],
]; // prettier-ignore

function textOf(lines: readonly string[], declarations: readonly string[]): string {
  const body = lines.map((l) => `    ${l}\n`).join('');
  const rest = [...declarations, 'attributes #0 = { nounwind }', '!0 = !{}'].map((l) => `  ${l}\n`).join('');
  return `--- |\n  define void @f(ptr %p, i32 %i) {\n${body}    ret void\n  }\n${rest}...\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
}

function printed(text: string): string {
  const own = runLlcOnText(ARGS, text);
  if (llcVersion() === MODELLED_LLC) {
    const llc = runLlc(['-x', 'mir', ...ARGS], text);
    assert.equal(own.stderr + own.stdout, llc.stderr.replaceAll('llc-22', 'llc') + llc.stdout);
    assert.equal(own.status, llc.status);
  }
  return own.stderr + own.stdout;
}

describe('intrinsics of earlier LLVMs', () => {
  for (const [call, declaration, now] of OLD)
    it(`${call.slice(0, 80)}${declaration === null ? '' : ', declared'}`, () => {
      const line = /^\w* ?call (?:fastcc )?void/.test(call) ? call : `%r = ${call}`;
      const text = printed(textOf([line], declaration === null ? [] : [`declare ${declaration}`]));
      assert.ok(text.includes(now), text);
    });

  for (const [call, name] of [
    ['call i32 @llvm.x86.bmi.pdep.32(i32 %i, i32 %i)', 'llvm.x86.bmi.pdep.32'],
    ['call i32 @llvm.nvvm.popc.i(i32 %i)', 'llvm.nvvm.popc.i'],
    ['call i32 @llvm.arm.rbit(i32 %i)', 'llvm.arm.rbit'],
    ['call i32 @llvm.riscv.no.such.thing(i32 %i)', 'llvm.riscv.no.such.thing'],
    ['call i32 @llvm.ctlz.i32(i64 0)', 'llvm.ctlz.i32'],
    ['call i32 @llvm.amdgcn.ldexp.f32(i32 %i, i32 %i)', 'llvm.amdgcn.ldexp.f32'],
    ['call float @llvm.flt.rounds()', 'llvm.flt.rounds'],
  ] as const)
    it(`${call}: what LLVM would make of it is refused by name`, () => {
      const { status, stdout, stderr } = runLlcOnText(ARGS, textOf([`%r = ${call}`], []));
      assert.equal(status, 1);
      assert.equal(stdout, '');
      const kind = OTHER_TARGET.test(name)
        ? 'another target'
        : 'an earlier LLVM with operands or a result of other types';
      assert.equal(stderr, `llc: error: amdgpu-mir does not model the intrinsic '${name}' of ${kind}\n`);
    });

  it('what is only called is upgraded in the order of names', () => {
    const text = printed(
      textOf(
        [
          'call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 1, i1 false)',
          'call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 1, i32 1, i1 false)',
          'call void @llvm.memset.p1.i64(ptr addrspace(1) null, i8 0, i64 1, i32 1, i1 false)',
          '%u = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> poison)',
          '%v = call <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32> poison)',
          '%w = call float @llvm.amdgcn.ldexp.f32(float 0.0, i32 1)',
          'call void @llvm.donothing()',
        ],
        ['declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i32, i1)'],
      ),
    );
    const names = [...text.matchAll(/declare .*@llvm\.([\w.]+)/g)].map((m) => m[1]);
    const sorted = ['ldexp.f32.i32', 'donothing', 'vector.reverse.v4i32', 'memcpy.p0.p0.i64', 'memset.p0.i64'];
    assert.deepEqual(names, [...sorted, 'memset.p1.i64']);
  });
});
