/** What LLVM's IR verifier says of calls of intrinsics; where llc-22 is installed, it says the same. */
import assert from 'node:assert/strict';
import { llcVersion, MODELLED_LLC, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];
const MASK = 'i32 poison, i1 true';

/** A call, the first words of the message (null: it is accepted). */
const CALLS: readonly (readonly [call: string, message: string | null])[] = [
  ['call float @llvm.fma.f32(float 0.0, float 0.0, float 0.0)', null],
  ['call i16 @llvm.bswap.i16(i16 1)', null],
  ['call i24 @llvm.bswap.i24(i24 1)', 'bswap must be an even number of bytes'],
  ['call i1 @llvm.ucmp.i1.i32(i32 1, i32 2)', 'result type must be at least 2 bits wide'],
  ['call <2 x i8> @llvm.scmp.v2i8.i32(i32 1, i32 2)', 'ucmp/scmp argument and result types must both be either'],
  ['call <2 x i8> @llvm.scmp.v2i8.v4i32(<4 x i32> poison, <4 x i32> poison)', 'return type and arguments must have'],
  ['call i1 @llvm.is.fpclass.f32(float 0.0, i32 1023)', null],
  ['call i1 @llvm.is.fpclass.f32(float 0.0, i32 1024)', 'unsupported bits for llvm.is.fpclass test mask'],
  ['call half @llvm.fptrunc.round.f16.f32(float 0.0, metadata !"round.upward")', null],
  ['call half @llvm.fptrunc.round.f16.f32(float 0.0, metadata !"round.dynamic")', 'unsupported rounding mode argument'],
  ['call i32 @llvm.smul.fix.i32(i32 1, i32 2, i32 32)', 'the scale of s[mul|div]_fix[_sat] must be less than the'],
  ['call i32 @llvm.umul.fix.i32(i32 1, i32 2, i32 32)', null],
  ['call i32 @llvm.umul.fix.i32(i32 1, i32 2, i32 33)', 'the scale of u[mul|div]_fix[_sat] must be less than or'],
  ['call float @llvm.lrint.f32.f32(float 0.0)', 'Intrinsic has incorrect return type!'],
  ['call <2 x i32> @llvm.lrint.v2i32.f32(float 0.0)', 'llvm.lrint.v2i32.f32: argument and result disagree on vector'],
  [
    'call <2 x i32> @llvm.lrint.v2i32.v4f32(<4 x float> poison)',
    'llvm.lrint.v2i32.v4f32: argument must be same length',
  ],
  ['call void @llvm.prefetch.p0(ptr null, i32 0, i32 3, i32 1)', null],
  ['call void @llvm.va_start.p5(ptr addrspace(5) null)', 'va_start called in a non-varargs function'],
  ['call ptr @llvm.ptrmask.p0.i32(ptr null, i32 7)', 'llvm.ptrmask intrinsic second argument bitwidth must match'],
  ['call ptr @llvm.ptrmask.p0.i64(ptr null, i64 7)', null],
  ['call i64 @llvm.get.dynamic.area.offset.i64()', 'get_dynamic_area_offset result type must be scalar integer'],
  ['call void @llvm.lifetime.start.p5(ptr addrspace(5) null)', 'llvm.lifetime.start/end can only be used on alloca or'],
  ['call void @llvm.lifetime.start.p5(ptr addrspace(5) poison)', null],
  ['call void @llvm.reloc.none(metadata !{})', 'llvm.reloc.none argument must be a metadata string'],
  ['call ptr @llvm.thread.pointer.p0()', 'llvm.thread.pointer intrinsic return type must be for the globals'],
  [
    'call void @llvm.experimental.noalias.scope.decl(metadata !{})',
    '!id.scope.list must point to a list with a single',
  ],
  ['call <4 x i8> @llvm.get.active.lane.mask.v4i8.i32(i32 1, i32 2)', 'get_active_lane_mask: element type is not i1'],
  [
    'call i32 @llvm.experimental.get.vector.length.i32(i32 1, i32 0, i1 true)',
    'get_vector_length: VF must be positive',
  ],
  ['call <4 x i7> @llvm.stepvector.v4i7()', 'stepvector only supported for vectors of integers with a bitwidth'],
  [
    'call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> poison, <2 x i32> poison, i64 1)',
    "vector_insert index must be a constant multiple of the subvector's",
  ],
  [
    'call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> poison, <2 x i32> poison, i64 4)',
    'subvector operand of vector_insert would overrun the vector',
  ],
  ['call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> poison, i64 4)', 'vector_extract would overrun.'],
  ['call <2 x i16> @llvm.vector.extract.v2i16.v4i32(<4 x i32> poison, i64 0)', 'vector_extract result must have the'],
  [
    'call <4 x i32> @llvm.matrix.multiply.v4i32.v4i32.v4i32(<4 x i32> poison, <4 x i32> poison, i32 2, i32 2, i32 1)',
    'Second argument of a matrix operation does not match specified',
  ],
  [
    'call <4 x i32> @llvm.matrix.transpose.v4i32(<4 x i32> poison, i32 2, i32 3)',
    'Result of a matrix operation does not',
  ],
  [
    'call <2 x i16> @llvm.vp.trunc.v2i16.v2i16(<2 x i16> poison, <2 x i1> poison, i32 2)',
    'llvm.vp.trunc intrinsic the bit size of first argument must be larger',
  ],
  [
    'call <2 x i16> @llvm.vp.fptosi.v2i16.v2i32(<2 x i32> poison, <2 x i1> poison, i32 2)',
    'llvm.vp.fptoui, llvm.vp.fptosi, llvm.vp.lrint or llvm.vp.llrintintrinsic first',
  ],
  [
    'call float @llvm.experimental.constrained.fadd.f32(float 0.0, float 0.0, metadata !"round.x", metadata !"fpexcept.strict")',
    'invalid rounding mode argument',
  ],
  [
    'call float @llvm.experimental.constrained.fadd.f32(float 0.0, float 0.0, metadata !"round.dynamic", metadata !"x")',
    'invalid exception behavior argument',
  ],
  [
    'call double @llvm.experimental.constrained.fptrunc.f64.f32(float 0.0, metadata !"round.dynamic", metadata !"fpexcept.strict")',
    "Intrinsic first argument's type must be larger than result type",
  ],
  [
    'call i1 @llvm.experimental.constrained.fcmp.f32(float 0.0, float 0.0, metadata !"eq", metadata !"fpexcept.strict")',
    'invalid predicate for constrained FP comparison intrinsic',
  ],
  ['call void @llvm.assume(i1 true) [ "align"(ptr null) ]', 'alignment assumptions should have 2 or 3 arguments'],
  ['call void @llvm.assume(i1 true) [ "align"(i32 1, i64 8) ]', 'first argument should be a pointer'],
  ['call void @llvm.assume(i1 true) [ "nonnull"(ptr null), "cold"() ]', null],
  ['call void @llvm.assume(i1 true) [ "nonnull"() ]', 'this attribute should have one argument'],
  ['call void @llvm.assume(i1 true) [ "cold"(i32 1) ]', 'this attribute has no argument'],
  [
    'call void @llvm.assume(i1 true) [ "dereferenceable"(ptr null) ]',
    'dereferenceable assumptions should have 2 arguments',
  ],
  ['call void @llvm.assume(i1 true) [ "align"(ptr null, i32 8), "x"() ]', 'tags must be valid attribute names'],
  ['call void @llvm.assume(i1 true) [ "ignore"(), "x"() ]', null],
  ['call void @llvm.assume(i1 true) [ "whatever"() ]', 'tags must be valid attribute names'],
  [
    'call void @llvm.amdgcn.s.prefetch.data.p3(ptr addrspace(3) null, i32 0)',
    'llvm.amdgcn.s.prefetch.data only supports',
  ],
  ['call void @llvm.amdgcn.s.prefetch.data.p4(ptr addrspace(4) null, i32 0)', null],
  [
    'call void @llvm.amdgcn.init.exec.from.input(i32 0, i32 8)',
    'only inreg arguments to the parent function are valid',
  ],
  [
    'call i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32 0, i32 1)',
    'Intrinsic can only be used from functions with the',
  ],
  [
    'call i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p3(ptr addrspace(3) null, i32 0, metadata !{!""})',
    'cooperative atomic intrinsics require a generic or global pointer',
  ],
  [
    'call i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p0(ptr null, i32 0, metadata !{})',
    'cooperative atomic intrinsics require that the last argument is a metadata',
  ],
  [
    'call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v4i32.v8i32(<4 x i32> poison, <8 x i32> poison, ' +
      '<4 x float> poison, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0)',
    'invalid vector type for format',
  ],
  [
    'call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v5i32.v8i32(<5 x i32> poison, <8 x i32> poison, ' +
      '<4 x float> poison, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0)',
    'operand 0 must be 4, 6 or 8 element i32 vector',
  ],
  [`call void @llvm.memset.p0.i32(ptr null, i8 0, ${MASK}, i32 1)`, 'Intrinsic called with incompatible signature'],
  ['call i32 @llvm.amdgcn.readfirstlane.i32(i32 0, i32 1)', 'Intrinsic called with incompatible signature'],
  ['call i64 @llvm.amdgcn.readfirstlane.i32(i32 0)', 'Intrinsic called with incompatible signature'],
  ['call void @llvm.amdgcn.s.barrier(i32 0)', 'Intrinsic called with incompatible signature'],
  ['call void (...) @llvm.amdgcn.s.barrier()', 'Intrinsic called with incompatible signature'],
];

/** Declarations of what the calls above take for another type. */
const DECLARED = [
  'void @llvm.memset.p0.i32(ptr, i8, i32, i1)',
  'i32 @llvm.amdgcn.readfirstlane.i32(i32)',
  'void @llvm.amdgcn.s.barrier()',
  'float @llvm.lrint.f32.f32(float)',
];

function textOf(call: string): string {
  const name = /@(llvm\.[\w.]+)/.exec(call)?.[1] ?? '';
  const declaration = DECLARED.filter((d) => d.includes(`@${name}(`)).map((d) => `  declare ${d}\n`);
  const result = call.startsWith('call void') ? '' : '%r = ';
  return `--- |\n  define void @f() {\n    ${result}${call}\n    ret void\n  }\n${declaration.join('')}...\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
}

describe('calls of intrinsics in the eyes of the IR verifier', () => {
  for (const [call, message] of CALLS)
    it(`${call.slice(0, 90)}: ${message ?? 'accepted'}`, () => {
      const text = textOf(call);
      const own = runLlcOnText(ARGS, text);
      assert.equal(own.stderr.slice(0, message?.length ?? 1), message ?? '');
      if (llcVersion() === MODELLED_LLC)
        assert.equal(own.stderr, runLlc(['-x', 'mir', ...ARGS], text).stderr.replaceAll('llc-22', 'llc'));
    });
});
