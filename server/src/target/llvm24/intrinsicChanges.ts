/** Made by server/tools/gen24.sh from LLVM 24.0.0git. Do not edit. */

/** `NAME` of an intrinsic that is gone, `NAME;SIGNATURE;ATTRIBUTES` of one that is new or another; `=`: as in intrinsicTable.ts */
export const INTRINSIC_CHANGES = (): string => `
amdgcn.asyncmark;v;nounwind
amdgcn.av.load.b128;*V4 i32 A0:4 m;nocallback nofree nounwind willreturn memory(read)||nonnull readonly captures(none)
amdgcn.av.store.b128;*v A0:4 V4 i32 m;nocallback nofree nounwind willreturn memory(write)||nonnull writeonly captures(none)
amdgcn.cvt.scalef32.pk32.bf6.f32;V6 i32 V32 f f;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
amdgcn.cvt.scalef32.pk32.fp6.f32;V6 i32 V32 f f;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
amdgcn.dispatch.ptr;=;nocallback nofree nosync nounwind speculatable willreturn memory(none)|noundef nonnull align 4 dereferenceable(64)
amdgcn.flat.load.monitor.b128;*A0:0 p0 i32 m;=
amdgcn.flat.load.monitor.b32;*A0:0 p0 i32 m;=
amdgcn.flat.load.monitor.b64;*A0:0 p0 i32 m;=
amdgcn.global.load.async.lds;v p1 p3 i32 i32 i32;nocallback nofree nounwind willreturn||captures(none)|captures(none)|immarg|immarg|immarg
amdgcn.global.load.monitor.b128;*A0:0 p1 i32 m;=
amdgcn.global.load.monitor.b32;*A0:0 p1 i32 m;=
amdgcn.global.load.monitor.b64;*A0:0 p1 i32 m;=
amdgcn.load.async.to.lds;*v A0:4 p3 i32 i32 i32;nocallback nofree nounwind willreturn memory(argmem: readwrite)||readonly captures(none)|writeonly captures(none)|immarg|immarg|immarg
amdgcn.permlane.bcast;*A0:0 A0:7 i32 i32;=
amdgcn.permlane.down;*A0:0 A0:7 i32 i32;=
amdgcn.permlane.up;*A0:0 A0:7 i32 i32;=
amdgcn.permlane.xor;*A0:0 A0:7 i32 i32;=
amdgcn.ptr.s.buffer.load;*A0:0 p8 i32 i32;nocallback nofree nosync nounwind willreturn memory(argmem: read)||readonly captures(none)||immarg
amdgcn.raw.buffer.load.async.lds;v V4 i32 p3 i32 i32 i32 i32 i32;nocallback nofree nounwind willreturn|||captures(none)|immarg|||immarg|immarg
amdgcn.raw.ptr.buffer.load.async.lds;v p8 p3 i32 i32 i32 i32 i32;nocallback nofree nounwind willreturn memory(argmem: readwrite)||readonly captures(none)|writeonly captures(none)|immarg|||immarg|immarg
amdgcn.s.alloc.vgpr;i1 i32;convergent nocallback nofree nosync nounwind willreturn|noundef|noundef
amdgcn.s.prefetch.inst;*v A0:4 i32;nocallback nofree nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)||captures(none)
amdgcn.s.wait.event.export.ready;=;nocallback nofree nounwind willreturn
amdgcn.s.wait.event;v i16;nocallback nofree nounwind willreturn||immarg
amdgcn.struct.buffer.load.async.lds;v V4 i32 p3 i32 i32 i32 i32 i32 i32;nocallback nofree nounwind willreturn|||captures(none)|immarg||||immarg|immarg
amdgcn.struct.ptr.buffer.load.async.lds;v p8 p3 i32 i32 i32 i32 i32 i32;nocallback nofree nounwind willreturn memory(argmem: readwrite)||readonly captures(none)|writeonly captures(none)|immarg||||immarg|immarg
amdgcn.tensor.load.to.lds.d2
amdgcn.tensor.load.to.lds;v V4 i32 V8 i32 V4 i32 V4 i32 V8 i32 i32;convergent nocallback nofree nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)|||||||immarg
amdgcn.tensor.store.from.lds.d2
amdgcn.tensor.store.from.lds;v V4 i32 V8 i32 V4 i32 V4 i32 V8 i32 i32;convergent nocallback nofree nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)|||||||immarg
amdgcn.wait.asyncmark;v i16;nounwind||immarg
amdgcn.wmma.bf16.16x16x32.bf16;*A0:2 A1:2 A1:7 i16 A0:7 i1 i1;convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||||immarg||immarg|immarg
amdgcn.wmma.bf16f32.16x16x32.bf16;*A0:2 A1:2 A1:7 i16 A2:2 i1 i1;convergent nocallback nofree nounwind willreturn memory(none)||||immarg||immarg|immarg
amdgcn.wmma.f16.16x16x32.f16;*A0:2 A1:2 A1:7 i16 A0:7 i1 i1;convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||||immarg||immarg|immarg
amdgcn.wmma.f32.16x16x32.bf16;*A0:2 A1:2 A1:7 i16 A0:7 i1 i1;convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||||immarg||immarg|immarg
amdgcn.wmma.f32.16x16x32.f16;*A0:2 A1:2 A1:7 i16 A0:7 i1 i1;convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||||immarg||immarg|immarg
amdgcn.wmma.f32.16x16x4.f32;*A0:2 A1:2 A1:7 i16 A0:7 i1 i1;convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||||immarg||immarg|immarg
amdgcn.wmma.f64.16x16x4.f64;*A0:2 i1 A1:2 i1 A1:7 i16 A0:7 i1 i1;convergent nocallback nofree nounwind willreturn memory(none)||immarg||immarg||immarg||immarg|immarg
clear_cache;*v A0:4 A0:7;=
cond.loop;v i1;nounwind
convert.from.arbitrary.fp;*A0:2 A1:1 m;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
convert.from.fp16
convert.to.arbitrary.fp;*A0:1 A1:2 m m i1;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
convert.to.fp16
coro.async.resume;=;noduplicate nomerge nounwind
coro.dead;v p0;nounwind memory(none)
coro.suspend.async;=;noduplicate nomerge nounwind
experimental.constrained.llrint;*A0:17 A1:18 m m;=
experimental.constrained.llround;*A0:17 A1:18 m;=
experimental.constrained.lrint;*A0:17 A1:18 m m;=
experimental.constrained.lround;*A0:17 A1:18 m;=
experimental.gc.get.pointer.base;*A0:4 A0:7;=
experimental.memset.pattern;=;nocallback nofree nosync nounwind willreturn memory(argmem: write)||writeonly captures(none)|||immarg
get.active.lane.mask;*A0:13 A1:17 A1:7;=
loop.dependence.raw.mask;*A0:3 A1:1 A1:7 A1:7;=
loop.dependence.war.mask;*A0:3 A1:1 A1:7 A1:7;=
looptrap;v;cold noreturn nounwind memory(inaccessiblemem: write)
masked.compressstore;*v A0:3 A1:4 W0 i1;=
masked.expandload;*A0:3 A1:4 W0 i1 A0:7;=
masked.sdiv;*A0:13 A0:7 A0:7 W0 i1;nocallback nofree nosync nounwind willreturn memory(none)
masked.srem;*A0:13 A0:7 A0:7 W0 i1;nocallback nofree nosync nounwind willreturn memory(none)
masked.udiv;*A0:13 A0:7 A0:7 W0 i1;nocallback nofree nosync nounwind willreturn memory(none)
masked.urem;*A0:13 A0:7 A0:7 W0 i1;nocallback nofree nosync nounwind willreturn memory(none)
memcpy.inline;=;nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)||noalias writeonly captures(none)|noalias readonly captures(none)||immarg
memcpy;=;nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)||noalias writeonly captures(none)|noalias readonly captures(none)||immarg
memmove;=;nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)||writeonly captures(none)|readonly captures(none)||immarg
memset.inline;=;nocallback nofree nosync nounwind willreturn memory(argmem: write)||writeonly captures(none)|||immarg
memset;=;nocallback nofree nosync nounwind willreturn memory(argmem: write)||writeonly captures(none)|||immarg
pdep;*A0:1 A0:7 A0:7;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
pext;*A0:1 A0:7 A0:7;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
prefetch;=;nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)||readonly captures(none)|immarg range(i32 0, 2)|immarg range(i32 0, 4)|immarg range(i32 0, 2)
ptrauth.auth.with.pc.and.resign;i64 i64 i32 i64 i64 i32 i64;nounwind memory(none)|||immarg|||immarg
ptrauth.resign.load.relative;i64 i64 i32 i64 i32 i64 i64;nounwind memory(read)|||immarg||immarg||immarg
returnaddress;*A0:4 i32;=
structured.alloca;*A0:4;nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
structured.gep;*A0:4 A0:7 .;nocallback nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.add;*e0 A0:13;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.and;*e0 A0:13;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.fadd;*e0 e0 A0:14;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.fmax;*e0 A0:14;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.fmaximum;*e0 A0:14;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.fmin;*e0 A0:14;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.fminimum;*e0 A0:14;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.fmul;*e0 e0 A0:14;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.mul;*e0 A0:13;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.or;*e0 A0:13;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.smax;*e0 A0:13;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.smin;*e0 A0:13;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.umax;*e0 A0:13;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.umin;*e0 A0:13;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.reduce.xor;*e0 A0:13;nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
vector.splice.left;=;nocallback nofree nosync nounwind speculatable willreturn memory(none)
vector.splice.right;=;nocallback nofree nosync nounwind speculatable willreturn memory(none)
vp.fpext;*A0:14 A1:14 W0 i1 i32;=
vp.fptosi;*A0:13 A1:14 W0 i1 i32;=
vp.fptoui;*A0:13 A1:14 W0 i1 i32;=
vp.fptrunc;*A0:14 A1:14 W0 i1 i32;=
vp.inttoptr;*A0:15 A1:13 W0 i1 i32;=
vp.llrint;*A0:13 A1:14 W0 i1 i32;=
vp.lrint;*A0:13 A1:14 W0 i1 i32;=
vp.ptrtoint;*A0:13 A1:15 W0 i1 i32;=
vp.sext;*A0:13 A1:13 W0 i1 i32;=
vp.sitofp;*A0:14 A1:13 W0 i1 i32;=
vp.trunc;*A0:13 A1:13 W0 i1 i32;=
vp.uitofp;*A0:14 A1:13 W0 i1 i32;=
vp.zext;*A0:13 A1:13 W0 i1 i32;=
write_volatile_register;*v m A0:1;nounwind
`;
