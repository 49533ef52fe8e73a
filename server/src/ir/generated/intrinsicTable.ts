/** Made by server/tools/irIntrinsics/build.sh from LLVM 22.1.8. Do not edit. */

/** `NAME;SIGNATURE;ATTRIBUTES` (names without `llvm.`, indices into the lists below), sorted by name, one a line */
export const INTRINSICS = (): string => `
abs;0;0
acos;1;1
addressofreturnaddress;2;2
adjust.trampoline;3;3
alloc.token.id;4;4
allow.runtime.check;5;5
allow.sanitize.address;6;5
allow.sanitize.hwaddress;6;5
allow.sanitize.memory;6;5
allow.sanitize.thread;6;5
allow.ubsan.check;7;6
amdgcn.add.max.i32;8;7
amdgcn.add.max.u32;8;7
amdgcn.add.min.i32;8;7
amdgcn.add.min.u32;8;7
amdgcn.addrspacecast.nonnull;9;1
amdgcn.alignbyte;10;1
amdgcn.ashr.pk.i8.i32;11;8
amdgcn.ashr.pk.u8.i32;11;8
amdgcn.ballot;12;9
amdgcn.bitop3;13;7
amdgcn.buffer.wbinvl1;14;10
amdgcn.buffer.wbinvl1.sc;14;10
amdgcn.buffer.wbinvl1.vol;14;10
amdgcn.call.whole.wave;15;11
amdgcn.class;16;8
amdgcn.cluster.id.x;17;12
amdgcn.cluster.id.y;17;12
amdgcn.cluster.id.z;17;12
amdgcn.cluster.load.async.to.lds.b128;18;13
amdgcn.cluster.load.async.to.lds.b32;18;13
amdgcn.cluster.load.async.to.lds.b64;18;13
amdgcn.cluster.load.async.to.lds.b8;18;13
amdgcn.cluster.load.b128;19;14
amdgcn.cluster.load.b32;19;14
amdgcn.cluster.load.b64;19;14
amdgcn.cluster.workgroup.flat.id;17;15
amdgcn.cluster.workgroup.id.x;17;12
amdgcn.cluster.workgroup.id.y;17;12
amdgcn.cluster.workgroup.id.z;17;12
amdgcn.cluster.workgroup.max.flat.id;17;15
amdgcn.cluster.workgroup.max.id.x;17;12
amdgcn.cluster.workgroup.max.id.y;17;12
amdgcn.cluster.workgroup.max.id.z;17;12
amdgcn.cooperative.atomic.load.16x8B;20;16
amdgcn.cooperative.atomic.load.32x4B;21;16
amdgcn.cooperative.atomic.load.8x16B;22;16
amdgcn.cooperative.atomic.store.16x8B;23;17
amdgcn.cooperative.atomic.store.32x4B;24;17
amdgcn.cooperative.atomic.store.8x16B;25;17
amdgcn.cos;1;8
amdgcn.cs.chain;26;18
amdgcn.cubeid;27;8
amdgcn.cubema;27;8
amdgcn.cubesc;27;8
amdgcn.cubetc;27;8
amdgcn.cvt.f16.bf8;28;19
amdgcn.cvt.f16.fp8;28;20
amdgcn.cvt.f32.bf8;29;20
amdgcn.cvt.f32.fp8;29;20
amdgcn.cvt.f32.fp8.e5m3;29;20
amdgcn.cvt.off.f32.i4;30;8
amdgcn.cvt.pk.bf8.f16;31;8
amdgcn.cvt.pk.bf8.f32;32;7
amdgcn.cvt.pk.f16.bf8;33;8
amdgcn.cvt.pk.f16.fp8;33;8
amdgcn.cvt.pk.f32.bf8;34;19
amdgcn.cvt.pk.f32.fp8;34;19
amdgcn.cvt.pk.fp8.f16;31;8
amdgcn.cvt.pk.fp8.f32;32;7
amdgcn.cvt.pk.fp8.f32.e5m3;32;7
amdgcn.cvt.pk.i16;35;8
amdgcn.cvt.pk.u16;35;8
amdgcn.cvt.pk.u8.f32;36;8
amdgcn.cvt.pknorm.i16;37;8
amdgcn.cvt.pknorm.u16;37;8
amdgcn.cvt.pkrtz;38;8
amdgcn.cvt.scale.pk16.bf16.bf6;39;21
amdgcn.cvt.scale.pk16.bf16.fp6;39;21
amdgcn.cvt.scale.pk16.f16.bf6;40;21
amdgcn.cvt.scale.pk16.f16.fp6;40;21
amdgcn.cvt.scale.pk16.f32.bf6;41;21
amdgcn.cvt.scale.pk16.f32.fp6;41;21
amdgcn.cvt.scale.pk8.bf16.bf8;42;21
amdgcn.cvt.scale.pk8.bf16.fp4;43;21
amdgcn.cvt.scale.pk8.bf16.fp8;42;21
amdgcn.cvt.scale.pk8.f16.bf8;44;21
amdgcn.cvt.scale.pk8.f16.fp4;45;21
amdgcn.cvt.scale.pk8.f16.fp8;44;21
amdgcn.cvt.scale.pk8.f32.bf8;46;21
amdgcn.cvt.scale.pk8.f32.fp4;47;21
amdgcn.cvt.scale.pk8.f32.fp8;46;21
amdgcn.cvt.scalef32.2xpk16.bf6.f32;48;8
amdgcn.cvt.scalef32.2xpk16.fp6.f32;48;8
amdgcn.cvt.scalef32.f16.bf8;49;22
amdgcn.cvt.scalef32.f16.fp8;49;22
amdgcn.cvt.scalef32.f32.bf8;50;23
amdgcn.cvt.scalef32.f32.fp8;50;23
amdgcn.cvt.scalef32.pk.bf16.bf8;51;24
amdgcn.cvt.scalef32.pk.bf16.fp4;52;23
amdgcn.cvt.scalef32.pk.bf16.fp8;51;24
amdgcn.cvt.scalef32.pk.bf8.bf16;53;7
amdgcn.cvt.scalef32.pk.bf8.f16;54;7
amdgcn.cvt.scalef32.pk.bf8.f32;55;25
amdgcn.cvt.scalef32.pk.f16.bf8;56;24
amdgcn.cvt.scalef32.pk.f16.fp4;57;23
amdgcn.cvt.scalef32.pk.f16.fp8;56;24
amdgcn.cvt.scalef32.pk.f32.bf8;58;24
amdgcn.cvt.scalef32.pk.f32.fp4;59;23
amdgcn.cvt.scalef32.pk.f32.fp8;58;24
amdgcn.cvt.scalef32.pk.fp4.bf16;60;26
amdgcn.cvt.scalef32.pk.fp4.f16;61;26
amdgcn.cvt.scalef32.pk.fp4.f32;62;27
amdgcn.cvt.scalef32.pk.fp8.bf16;53;7
amdgcn.cvt.scalef32.pk.fp8.f16;54;7
amdgcn.cvt.scalef32.pk.fp8.f32;55;25
amdgcn.cvt.scalef32.pk16.bf6.bf16;63;8
amdgcn.cvt.scalef32.pk16.bf6.f16;64;8
amdgcn.cvt.scalef32.pk16.bf6.f32;65;8
amdgcn.cvt.scalef32.pk16.fp6.bf16;63;8
amdgcn.cvt.scalef32.pk16.fp6.f16;64;8
amdgcn.cvt.scalef32.pk16.fp6.f32;65;8
amdgcn.cvt.scalef32.pk32.bf16.bf6;66;8
amdgcn.cvt.scalef32.pk32.bf16.fp6;66;8
amdgcn.cvt.scalef32.pk32.bf6.bf16;67;8
amdgcn.cvt.scalef32.pk32.bf6.f16;68;8
amdgcn.cvt.scalef32.pk32.f16.bf6;69;8
amdgcn.cvt.scalef32.pk32.f16.fp6;69;8
amdgcn.cvt.scalef32.pk32.f32.bf6;70;8
amdgcn.cvt.scalef32.pk32.f32.fp6;70;8
amdgcn.cvt.scalef32.pk32.fp6.bf16;67;8
amdgcn.cvt.scalef32.pk32.fp6.f16;68;8
amdgcn.cvt.scalef32.pk8.bf8.bf16;71;8
amdgcn.cvt.scalef32.pk8.bf8.f16;72;8
amdgcn.cvt.scalef32.pk8.bf8.f32;73;8
amdgcn.cvt.scalef32.pk8.fp4.bf16;74;8
amdgcn.cvt.scalef32.pk8.fp4.f16;75;8
amdgcn.cvt.scalef32.pk8.fp4.f32;76;8
amdgcn.cvt.scalef32.pk8.fp8.bf16;71;8
amdgcn.cvt.scalef32.pk8.fp8.f16;72;8
amdgcn.cvt.scalef32.pk8.fp8.f32;73;8
amdgcn.cvt.scalef32.sr.bf8.bf16;77;27
amdgcn.cvt.scalef32.sr.bf8.f16;78;27
amdgcn.cvt.scalef32.sr.bf8.f32;79;27
amdgcn.cvt.scalef32.sr.fp8.bf16;77;27
amdgcn.cvt.scalef32.sr.fp8.f16;78;27
amdgcn.cvt.scalef32.sr.fp8.f32;79;27
amdgcn.cvt.scalef32.sr.pk.fp4.bf16;80;27
amdgcn.cvt.scalef32.sr.pk.fp4.f16;81;27
amdgcn.cvt.scalef32.sr.pk.fp4.f32;82;27
amdgcn.cvt.scalef32.sr.pk16.bf6.bf16;83;8
amdgcn.cvt.scalef32.sr.pk16.bf6.f16;84;8
amdgcn.cvt.scalef32.sr.pk16.bf6.f32;85;8
amdgcn.cvt.scalef32.sr.pk16.fp6.bf16;83;8
amdgcn.cvt.scalef32.sr.pk16.fp6.f16;84;8
amdgcn.cvt.scalef32.sr.pk16.fp6.f32;85;8
amdgcn.cvt.scalef32.sr.pk32.bf6.bf16;86;8
amdgcn.cvt.scalef32.sr.pk32.bf6.f16;87;8
amdgcn.cvt.scalef32.sr.pk32.bf6.f32;88;8
amdgcn.cvt.scalef32.sr.pk32.fp6.bf16;86;8
amdgcn.cvt.scalef32.sr.pk32.fp6.f16;87;8
amdgcn.cvt.scalef32.sr.pk32.fp6.f32;88;8
amdgcn.cvt.scalef32.sr.pk8.bf8.bf16;89;8
amdgcn.cvt.scalef32.sr.pk8.bf8.f16;90;8
amdgcn.cvt.scalef32.sr.pk8.bf8.f32;91;8
amdgcn.cvt.scalef32.sr.pk8.fp4.bf16;92;8
amdgcn.cvt.scalef32.sr.pk8.fp4.f16;93;8
amdgcn.cvt.scalef32.sr.pk8.fp4.f32;94;8
amdgcn.cvt.scalef32.sr.pk8.fp8.bf16;89;8
amdgcn.cvt.scalef32.sr.pk8.fp8.f16;90;8
amdgcn.cvt.scalef32.sr.pk8.fp8.f32;91;8
amdgcn.cvt.sr.bf16.f32;95;7
amdgcn.cvt.sr.bf8.f16;96;26
amdgcn.cvt.sr.bf8.f32;97;7
amdgcn.cvt.sr.f16.f32;98;7
amdgcn.cvt.sr.fp8.f16;96;26
amdgcn.cvt.sr.fp8.f32;97;7
amdgcn.cvt.sr.fp8.f32.e5m3;97;7
amdgcn.cvt.sr.pk.bf16.f32;99;8
amdgcn.cvt.sr.pk.f16.f32;100;8
amdgcn.dead;101;2
amdgcn.dispatch.id;102;12
amdgcn.dispatch.ptr;103;28
amdgcn.div.fixup;104;8
amdgcn.div.fmas;105;8
amdgcn.div.scale;106;24
amdgcn.dot4.f32.bf8.bf8;107;8
amdgcn.dot4.f32.bf8.fp8;107;8
amdgcn.dot4.f32.fp8.bf8;107;8
amdgcn.dot4.f32.fp8.fp8;107;8
amdgcn.ds.add.gs.reg.rtn;108;29
amdgcn.ds.append;109;30
amdgcn.ds.atomic.async.barrier.arrive.b64;110;31
amdgcn.ds.atomic.barrier.arrive.rtn.b64;111;32
amdgcn.ds.bpermute;112;33
amdgcn.ds.bpermute.fi.b32;112;33
amdgcn.ds.bvh.stack.push4.pop1.rtn;113;34
amdgcn.ds.bvh.stack.push8.pop1.rtn;114;34
amdgcn.ds.bvh.stack.push8.pop2.rtn;115;34
amdgcn.ds.bvh.stack.rtn;113;34
amdgcn.ds.consume;109;30
amdgcn.ds.gws.barrier;116;35
amdgcn.ds.gws.init;116;36
amdgcn.ds.gws.sema.br;116;35
amdgcn.ds.gws.sema.p;117;35
amdgcn.ds.gws.sema.release.all;117;35
amdgcn.ds.gws.sema.v;117;35
amdgcn.ds.load.tr16.b128;118;37
amdgcn.ds.load.tr4.b64;118;37
amdgcn.ds.load.tr6.b96;118;37
amdgcn.ds.load.tr8.b64;118;37
amdgcn.ds.ordered.add;119;38
amdgcn.ds.ordered.swap;119;38
amdgcn.ds.permute;112;33
amdgcn.ds.read.tr16.b64;118;37
amdgcn.ds.read.tr4.b64;118;37
amdgcn.ds.read.tr6.b96;118;37
amdgcn.ds.read.tr8.b64;118;37
amdgcn.ds.sub.gs.reg.rtn;108;29
amdgcn.ds.swizzle;112;39
amdgcn.else;120;40
amdgcn.end.cf;121;40
amdgcn.endpgm;14;41
amdgcn.exp;122;42
amdgcn.exp.compr;123;43
amdgcn.exp.row;124;44
amdgcn.exp2;1;8
amdgcn.fcmp;125;45
amdgcn.fdiv.fast;126;8
amdgcn.fdot2;127;7
amdgcn.fdot2.bf16.bf16;128;8
amdgcn.fdot2.f16.f16;129;8
amdgcn.fdot2.f32.bf16;130;7
amdgcn.fdot2c.f32.bf16;130;7
amdgcn.flat.atomic.fmax.num;131;46
amdgcn.flat.atomic.fmin.num;131;46
amdgcn.flat.load.monitor.b128;132;14
amdgcn.flat.load.monitor.b32;132;14
amdgcn.flat.load.monitor.b64;132;14
amdgcn.flat.prefetch;133;47
amdgcn.fma.legacy;27;8
amdgcn.fmad.ftz;104;8
amdgcn.fmed3;104;8
amdgcn.fmul.legacy;126;8
amdgcn.fract;1;8
amdgcn.frexp.exp;134;8
amdgcn.frexp.mant;1;8
amdgcn.global.atomic.fmax.num;131;46
amdgcn.global.atomic.fmin.num;131;46
amdgcn.global.atomic.ordered.add.b64;135;46
amdgcn.global.load.async.to.lds.b128;136;13
amdgcn.global.load.async.to.lds.b32;136;13
amdgcn.global.load.async.to.lds.b64;136;13
amdgcn.global.load.async.to.lds.b8;136;13
amdgcn.global.load.lds;18;48
amdgcn.global.load.monitor.b128;137;14
amdgcn.global.load.monitor.b32;137;14
amdgcn.global.load.monitor.b64;137;14
amdgcn.global.load.tr.b128;138;37
amdgcn.global.load.tr.b64;138;37
amdgcn.global.load.tr4.b64;138;37
amdgcn.global.load.tr6.b96;138;37
amdgcn.global.prefetch;139;47
amdgcn.global.store.async.from.lds.b128;136;49
amdgcn.global.store.async.from.lds.b32;136;49
amdgcn.global.store.async.from.lds.b64;136;49
amdgcn.global.store.async.from.lds.b8;136;49
amdgcn.groupstaticsize;17;12
amdgcn.icmp;140;45
amdgcn.if;141;40
amdgcn.if.break;142;50
amdgcn.iglp.opt;117;51
amdgcn.image.atomic.add.1d;143;52
amdgcn.image.atomic.add.1darray;144;53
amdgcn.image.atomic.add.2d;144;53
amdgcn.image.atomic.add.2darray;145;54
amdgcn.image.atomic.add.2darraymsaa;146;55
amdgcn.image.atomic.add.2dmsaa;145;54
amdgcn.image.atomic.add.3d;145;54
amdgcn.image.atomic.add.cube;145;54
amdgcn.image.atomic.add.flt.1d;147;52
amdgcn.image.atomic.add.flt.1darray;148;53
amdgcn.image.atomic.add.flt.2d;148;53
amdgcn.image.atomic.add.flt.2darray;149;54
amdgcn.image.atomic.add.flt.2darraymsaa;150;55
amdgcn.image.atomic.add.flt.2dmsaa;149;54
amdgcn.image.atomic.add.flt.3d;149;54
amdgcn.image.atomic.add.flt.cube;149;54
amdgcn.image.atomic.and.1d;143;52
amdgcn.image.atomic.and.1darray;144;53
amdgcn.image.atomic.and.2d;144;53
amdgcn.image.atomic.and.2darray;145;54
amdgcn.image.atomic.and.2darraymsaa;146;55
amdgcn.image.atomic.and.2dmsaa;145;54
amdgcn.image.atomic.and.3d;145;54
amdgcn.image.atomic.and.cube;145;54
amdgcn.image.atomic.cmpswap.1d;151;53
amdgcn.image.atomic.cmpswap.1darray;152;54
amdgcn.image.atomic.cmpswap.2d;152;54
amdgcn.image.atomic.cmpswap.2darray;153;55
amdgcn.image.atomic.cmpswap.2darraymsaa;154;56
amdgcn.image.atomic.cmpswap.2dmsaa;153;55
amdgcn.image.atomic.cmpswap.3d;153;55
amdgcn.image.atomic.cmpswap.cube;153;55
amdgcn.image.atomic.dec.1d;143;52
amdgcn.image.atomic.dec.1darray;144;53
amdgcn.image.atomic.dec.2d;144;53
amdgcn.image.atomic.dec.2darray;145;54
amdgcn.image.atomic.dec.2darraymsaa;146;55
amdgcn.image.atomic.dec.2dmsaa;145;54
amdgcn.image.atomic.dec.3d;145;54
amdgcn.image.atomic.dec.cube;145;54
amdgcn.image.atomic.fmax.1d;147;52
amdgcn.image.atomic.fmax.1darray;148;53
amdgcn.image.atomic.fmax.2d;148;53
amdgcn.image.atomic.fmax.2darray;149;54
amdgcn.image.atomic.fmax.2darraymsaa;150;55
amdgcn.image.atomic.fmax.2dmsaa;149;54
amdgcn.image.atomic.fmax.3d;149;54
amdgcn.image.atomic.fmax.cube;149;54
amdgcn.image.atomic.fmin.1d;147;52
amdgcn.image.atomic.fmin.1darray;148;53
amdgcn.image.atomic.fmin.2d;148;53
amdgcn.image.atomic.fmin.2darray;149;54
amdgcn.image.atomic.fmin.2darraymsaa;150;55
amdgcn.image.atomic.fmin.2dmsaa;149;54
amdgcn.image.atomic.fmin.3d;149;54
amdgcn.image.atomic.fmin.cube;149;54
amdgcn.image.atomic.inc.1d;143;52
amdgcn.image.atomic.inc.1darray;144;53
amdgcn.image.atomic.inc.2d;144;53
amdgcn.image.atomic.inc.2darray;145;54
amdgcn.image.atomic.inc.2darraymsaa;146;55
amdgcn.image.atomic.inc.2dmsaa;145;54
amdgcn.image.atomic.inc.3d;145;54
amdgcn.image.atomic.inc.cube;145;54
amdgcn.image.atomic.max.flt.1d;147;52
amdgcn.image.atomic.max.flt.1darray;148;53
amdgcn.image.atomic.max.flt.2d;148;53
amdgcn.image.atomic.max.flt.2darray;149;54
amdgcn.image.atomic.max.flt.2darraymsaa;150;55
amdgcn.image.atomic.max.flt.2dmsaa;149;54
amdgcn.image.atomic.max.flt.3d;149;54
amdgcn.image.atomic.max.flt.cube;149;54
amdgcn.image.atomic.min.flt.1d;147;52
amdgcn.image.atomic.min.flt.1darray;148;53
amdgcn.image.atomic.min.flt.2d;148;53
amdgcn.image.atomic.min.flt.2darray;149;54
amdgcn.image.atomic.min.flt.2darraymsaa;150;55
amdgcn.image.atomic.min.flt.2dmsaa;149;54
amdgcn.image.atomic.min.flt.3d;149;54
amdgcn.image.atomic.min.flt.cube;149;54
amdgcn.image.atomic.or.1d;143;52
amdgcn.image.atomic.or.1darray;144;53
amdgcn.image.atomic.or.2d;144;53
amdgcn.image.atomic.or.2darray;145;54
amdgcn.image.atomic.or.2darraymsaa;146;55
amdgcn.image.atomic.or.2dmsaa;145;54
amdgcn.image.atomic.or.3d;145;54
amdgcn.image.atomic.or.cube;145;54
amdgcn.image.atomic.pk.add.bf16.1d;147;52
amdgcn.image.atomic.pk.add.bf16.1darray;148;53
amdgcn.image.atomic.pk.add.bf16.2d;148;53
amdgcn.image.atomic.pk.add.bf16.2darray;149;54
amdgcn.image.atomic.pk.add.bf16.2darraymsaa;150;55
amdgcn.image.atomic.pk.add.bf16.2dmsaa;149;54
amdgcn.image.atomic.pk.add.bf16.3d;149;54
amdgcn.image.atomic.pk.add.bf16.cube;149;54
amdgcn.image.atomic.pk.add.f16.1d;147;52
amdgcn.image.atomic.pk.add.f16.1darray;148;53
amdgcn.image.atomic.pk.add.f16.2d;148;53
amdgcn.image.atomic.pk.add.f16.2darray;149;54
amdgcn.image.atomic.pk.add.f16.2darraymsaa;150;55
amdgcn.image.atomic.pk.add.f16.2dmsaa;149;54
amdgcn.image.atomic.pk.add.f16.3d;149;54
amdgcn.image.atomic.pk.add.f16.cube;149;54
amdgcn.image.atomic.smax.1d;143;52
amdgcn.image.atomic.smax.1darray;144;53
amdgcn.image.atomic.smax.2d;144;53
amdgcn.image.atomic.smax.2darray;145;54
amdgcn.image.atomic.smax.2darraymsaa;146;55
amdgcn.image.atomic.smax.2dmsaa;145;54
amdgcn.image.atomic.smax.3d;145;54
amdgcn.image.atomic.smax.cube;145;54
amdgcn.image.atomic.smin.1d;143;52
amdgcn.image.atomic.smin.1darray;144;53
amdgcn.image.atomic.smin.2d;144;53
amdgcn.image.atomic.smin.2darray;145;54
amdgcn.image.atomic.smin.2darraymsaa;146;55
amdgcn.image.atomic.smin.2dmsaa;145;54
amdgcn.image.atomic.smin.3d;145;54
amdgcn.image.atomic.smin.cube;145;54
amdgcn.image.atomic.sub.1d;143;52
amdgcn.image.atomic.sub.1darray;144;53
amdgcn.image.atomic.sub.2d;144;53
amdgcn.image.atomic.sub.2darray;145;54
amdgcn.image.atomic.sub.2darraymsaa;146;55
amdgcn.image.atomic.sub.2dmsaa;145;54
amdgcn.image.atomic.sub.3d;145;54
amdgcn.image.atomic.sub.cube;145;54
amdgcn.image.atomic.swap.1d;155;52
amdgcn.image.atomic.swap.1darray;156;53
amdgcn.image.atomic.swap.2d;156;53
amdgcn.image.atomic.swap.2darray;157;54
amdgcn.image.atomic.swap.2darraymsaa;158;55
amdgcn.image.atomic.swap.2dmsaa;157;54
amdgcn.image.atomic.swap.3d;157;54
amdgcn.image.atomic.swap.cube;157;54
amdgcn.image.atomic.umax.1d;143;52
amdgcn.image.atomic.umax.1darray;144;53
amdgcn.image.atomic.umax.2d;144;53
amdgcn.image.atomic.umax.2darray;145;54
amdgcn.image.atomic.umax.2darraymsaa;146;55
amdgcn.image.atomic.umax.2dmsaa;145;54
amdgcn.image.atomic.umax.3d;145;54
amdgcn.image.atomic.umax.cube;145;54
amdgcn.image.atomic.umin.1d;143;52
amdgcn.image.atomic.umin.1darray;144;53
amdgcn.image.atomic.umin.2d;144;53
amdgcn.image.atomic.umin.2darray;145;54
amdgcn.image.atomic.umin.2darraymsaa;146;55
amdgcn.image.atomic.umin.2dmsaa;145;54
amdgcn.image.atomic.umin.3d;145;54
amdgcn.image.atomic.umin.cube;145;54
amdgcn.image.atomic.xor.1d;143;52
amdgcn.image.atomic.xor.1darray;144;53
amdgcn.image.atomic.xor.2d;144;53
amdgcn.image.atomic.xor.2darray;145;54
amdgcn.image.atomic.xor.2darraymsaa;146;55
amdgcn.image.atomic.xor.2dmsaa;145;54
amdgcn.image.atomic.xor.3d;145;54
amdgcn.image.atomic.xor.cube;145;54
amdgcn.image.bvh.dual.intersect.ray;159;57
amdgcn.image.bvh.intersect.ray;160;58
amdgcn.image.bvh8.intersect.ray;161;57
amdgcn.image.gather4.2d;162;59
amdgcn.image.gather4.2darray;163;60
amdgcn.image.gather4.b.2d;164;60
amdgcn.image.gather4.b.2darray;165;61
amdgcn.image.gather4.b.cl.2d;165;61
amdgcn.image.gather4.b.cl.2darray;166;62
amdgcn.image.gather4.b.cl.cube;166;62
amdgcn.image.gather4.b.cl.o.2d;167;62
amdgcn.image.gather4.b.cl.o.2darray;168;63
amdgcn.image.gather4.b.cl.o.cube;168;63
amdgcn.image.gather4.b.cube;165;61
amdgcn.image.gather4.b.o.2d;169;61
amdgcn.image.gather4.b.o.2darray;167;62
amdgcn.image.gather4.b.o.cube;167;62
amdgcn.image.gather4.c.2d;170;60
amdgcn.image.gather4.c.2darray;171;61
amdgcn.image.gather4.c.b.2d;172;61
amdgcn.image.gather4.c.b.2darray;173;62
amdgcn.image.gather4.c.b.cl.2d;173;62
amdgcn.image.gather4.c.b.cl.2darray;174;63
amdgcn.image.gather4.c.b.cl.cube;174;63
amdgcn.image.gather4.c.b.cl.o.2d;175;63
amdgcn.image.gather4.c.b.cl.o.2darray;176;64
amdgcn.image.gather4.c.b.cl.o.cube;176;64
amdgcn.image.gather4.c.b.cube;173;62
amdgcn.image.gather4.c.b.o.2d;177;62
amdgcn.image.gather4.c.b.o.2darray;175;63
amdgcn.image.gather4.c.b.o.cube;175;63
amdgcn.image.gather4.c.cl.2d;171;61
amdgcn.image.gather4.c.cl.2darray;178;62
amdgcn.image.gather4.c.cl.cube;178;62
amdgcn.image.gather4.c.cl.o.2d;179;62
amdgcn.image.gather4.c.cl.o.2darray;180;63
amdgcn.image.gather4.c.cl.o.cube;180;63
amdgcn.image.gather4.c.cube;171;61
amdgcn.image.gather4.c.l.2d;171;61
amdgcn.image.gather4.c.l.2darray;178;62
amdgcn.image.gather4.c.l.cube;178;62
amdgcn.image.gather4.c.l.o.2d;179;62
amdgcn.image.gather4.c.l.o.2darray;180;63
amdgcn.image.gather4.c.l.o.cube;180;63
amdgcn.image.gather4.c.lz.2d;170;60
amdgcn.image.gather4.c.lz.2darray;171;61
amdgcn.image.gather4.c.lz.cube;171;61
amdgcn.image.gather4.c.lz.o.2d;181;61
amdgcn.image.gather4.c.lz.o.2darray;179;62
amdgcn.image.gather4.c.lz.o.cube;179;62
amdgcn.image.gather4.c.o.2d;181;61
amdgcn.image.gather4.c.o.2darray;179;62
amdgcn.image.gather4.c.o.cube;179;62
amdgcn.image.gather4.cl.2d;163;60
amdgcn.image.gather4.cl.2darray;182;61
amdgcn.image.gather4.cl.cube;182;61
amdgcn.image.gather4.cl.o.2d;183;61
amdgcn.image.gather4.cl.o.2darray;184;62
amdgcn.image.gather4.cl.o.cube;184;62
amdgcn.image.gather4.cube;163;60
amdgcn.image.gather4.l.2d;163;60
amdgcn.image.gather4.l.2darray;182;61
amdgcn.image.gather4.l.cube;182;61
amdgcn.image.gather4.l.o.2d;183;61
amdgcn.image.gather4.l.o.2darray;184;62
amdgcn.image.gather4.l.o.cube;184;62
amdgcn.image.gather4.lz.2d;162;59
amdgcn.image.gather4.lz.2darray;163;60
amdgcn.image.gather4.lz.cube;163;60
amdgcn.image.gather4.lz.o.2d;185;60
amdgcn.image.gather4.lz.o.2darray;183;61
amdgcn.image.gather4.lz.o.cube;183;61
amdgcn.image.gather4.o.2d;185;60
amdgcn.image.gather4.o.2darray;183;61
amdgcn.image.gather4.o.cube;183;61
amdgcn.image.getlod.1d;186;65
amdgcn.image.getlod.1darray;162;66
amdgcn.image.getlod.2d;162;66
amdgcn.image.getlod.2darray;163;67
amdgcn.image.getlod.3d;163;67
amdgcn.image.getlod.cube;163;67
amdgcn.image.getresinfo.1d;187;68
amdgcn.image.getresinfo.1darray;187;68
amdgcn.image.getresinfo.2d;187;68
amdgcn.image.getresinfo.2darray;187;68
amdgcn.image.getresinfo.2darraymsaa;187;68
amdgcn.image.getresinfo.2dmsaa;187;68
amdgcn.image.getresinfo.3d;187;68
amdgcn.image.getresinfo.cube;187;68
amdgcn.image.load.1d;188;69
amdgcn.image.load.1darray;189;70
amdgcn.image.load.2d;189;70
amdgcn.image.load.2darray;190;71
amdgcn.image.load.2darraymsaa;191;72
amdgcn.image.load.2dmsaa;190;71
amdgcn.image.load.3d;190;71
amdgcn.image.load.cube;190;71
amdgcn.image.load.mip.1d;189;70
amdgcn.image.load.mip.1darray;190;71
amdgcn.image.load.mip.2d;190;71
amdgcn.image.load.mip.2darray;191;72
amdgcn.image.load.mip.3d;191;72
amdgcn.image.load.mip.cube;191;72
amdgcn.image.msaa.load.2darraymsaa;191;72
amdgcn.image.msaa.load.2dmsaa;190;71
amdgcn.image.msaa.load.x.2darraymsaa;191;72
amdgcn.image.msaa.load.x.2dmsaa;190;71
amdgcn.image.sample.1d;186;73
amdgcn.image.sample.1d.nortn;192;74
amdgcn.image.sample.1darray;162;75
amdgcn.image.sample.1darray.nortn;193;76
amdgcn.image.sample.2d;162;75
amdgcn.image.sample.2d.nortn;193;76
amdgcn.image.sample.2darray;163;77
amdgcn.image.sample.2darray.nortn;194;78
amdgcn.image.sample.3d;163;77
amdgcn.image.sample.3d.nortn;194;78
amdgcn.image.sample.b.1d;195;75
amdgcn.image.sample.b.1d.nortn;196;76
amdgcn.image.sample.b.1darray;164;77
amdgcn.image.sample.b.1darray.nortn;197;78
amdgcn.image.sample.b.2d;164;77
amdgcn.image.sample.b.2d.nortn;197;78
amdgcn.image.sample.b.2darray;165;79
amdgcn.image.sample.b.2darray.nortn;198;80
amdgcn.image.sample.b.3d;165;79
amdgcn.image.sample.b.3d.nortn;198;80
amdgcn.image.sample.b.cl.1d;164;77
amdgcn.image.sample.b.cl.1d.nortn;197;78
amdgcn.image.sample.b.cl.1darray;165;79
amdgcn.image.sample.b.cl.1darray.nortn;198;80
amdgcn.image.sample.b.cl.2d;165;79
amdgcn.image.sample.b.cl.2d.nortn;198;80
amdgcn.image.sample.b.cl.2darray;166;81
amdgcn.image.sample.b.cl.2darray.nortn;199;82
amdgcn.image.sample.b.cl.3d;166;81
amdgcn.image.sample.b.cl.3d.nortn;199;82
amdgcn.image.sample.b.cl.cube;166;81
amdgcn.image.sample.b.cl.cube.nortn;199;82
amdgcn.image.sample.b.cl.o.1d;169;79
amdgcn.image.sample.b.cl.o.1d.nortn;200;80
amdgcn.image.sample.b.cl.o.1darray;167;81
amdgcn.image.sample.b.cl.o.1darray.nortn;201;82
amdgcn.image.sample.b.cl.o.2d;167;81
amdgcn.image.sample.b.cl.o.2d.nortn;201;82
amdgcn.image.sample.b.cl.o.2darray;168;83
amdgcn.image.sample.b.cl.o.2darray.nortn;202;84
amdgcn.image.sample.b.cl.o.3d;168;83
amdgcn.image.sample.b.cl.o.3d.nortn;202;84
amdgcn.image.sample.b.cl.o.cube;168;83
amdgcn.image.sample.b.cl.o.cube.nortn;202;84
amdgcn.image.sample.b.cube;165;79
amdgcn.image.sample.b.cube.nortn;198;80
amdgcn.image.sample.b.o.1d;203;77
amdgcn.image.sample.b.o.1d.nortn;204;78
amdgcn.image.sample.b.o.1darray;169;79
amdgcn.image.sample.b.o.1darray.nortn;200;80
amdgcn.image.sample.b.o.2d;169;79
amdgcn.image.sample.b.o.2d.nortn;200;80
amdgcn.image.sample.b.o.2darray;167;81
amdgcn.image.sample.b.o.2darray.nortn;201;82
amdgcn.image.sample.b.o.3d;167;81
amdgcn.image.sample.b.o.3d.nortn;201;82
amdgcn.image.sample.b.o.cube;167;81
amdgcn.image.sample.b.o.cube.nortn;201;82
amdgcn.image.sample.c.1d;205;75
amdgcn.image.sample.c.1d.nortn;206;76
amdgcn.image.sample.c.1darray;170;77
amdgcn.image.sample.c.1darray.nortn;207;78
amdgcn.image.sample.c.2d;170;77
amdgcn.image.sample.c.2d.nortn;207;78
amdgcn.image.sample.c.2darray;171;79
amdgcn.image.sample.c.2darray.nortn;208;80
amdgcn.image.sample.c.3d;171;79
amdgcn.image.sample.c.3d.nortn;208;80
amdgcn.image.sample.c.b.1d;209;77
amdgcn.image.sample.c.b.1d.nortn;210;78
amdgcn.image.sample.c.b.1darray;172;79
amdgcn.image.sample.c.b.1darray.nortn;211;80
amdgcn.image.sample.c.b.2d;172;79
amdgcn.image.sample.c.b.2d.nortn;211;80
amdgcn.image.sample.c.b.2darray;173;81
amdgcn.image.sample.c.b.2darray.nortn;212;82
amdgcn.image.sample.c.b.3d;173;81
amdgcn.image.sample.c.b.3d.nortn;212;82
amdgcn.image.sample.c.b.cl.1d;172;79
amdgcn.image.sample.c.b.cl.1d.nortn;211;80
amdgcn.image.sample.c.b.cl.1darray;173;81
amdgcn.image.sample.c.b.cl.1darray.nortn;212;82
amdgcn.image.sample.c.b.cl.2d;173;81
amdgcn.image.sample.c.b.cl.2d.nortn;212;82
amdgcn.image.sample.c.b.cl.2darray;174;83
amdgcn.image.sample.c.b.cl.2darray.nortn;213;84
amdgcn.image.sample.c.b.cl.3d;174;83
amdgcn.image.sample.c.b.cl.3d.nortn;213;84
amdgcn.image.sample.c.b.cl.cube;174;83
amdgcn.image.sample.c.b.cl.cube.nortn;213;84
amdgcn.image.sample.c.b.cl.o.1d;177;81
amdgcn.image.sample.c.b.cl.o.1d.nortn;214;82
amdgcn.image.sample.c.b.cl.o.1darray;175;83
amdgcn.image.sample.c.b.cl.o.1darray.nortn;215;84
amdgcn.image.sample.c.b.cl.o.2d;175;83
amdgcn.image.sample.c.b.cl.o.2d.nortn;215;84
amdgcn.image.sample.c.b.cl.o.2darray;176;85
amdgcn.image.sample.c.b.cl.o.2darray.nortn;216;86
amdgcn.image.sample.c.b.cl.o.3d;176;85
amdgcn.image.sample.c.b.cl.o.3d.nortn;216;86
amdgcn.image.sample.c.b.cl.o.cube;176;85
amdgcn.image.sample.c.b.cl.o.cube.nortn;216;86
amdgcn.image.sample.c.b.cube;173;81
amdgcn.image.sample.c.b.cube.nortn;212;82
amdgcn.image.sample.c.b.o.1d;217;79
amdgcn.image.sample.c.b.o.1d.nortn;218;80
amdgcn.image.sample.c.b.o.1darray;177;81
amdgcn.image.sample.c.b.o.1darray.nortn;214;82
amdgcn.image.sample.c.b.o.2d;177;81
amdgcn.image.sample.c.b.o.2d.nortn;214;82
amdgcn.image.sample.c.b.o.2darray;175;83
amdgcn.image.sample.c.b.o.2darray.nortn;215;84
amdgcn.image.sample.c.b.o.3d;175;83
amdgcn.image.sample.c.b.o.3d.nortn;215;84
amdgcn.image.sample.c.b.o.cube;175;83
amdgcn.image.sample.c.b.o.cube.nortn;215;84
amdgcn.image.sample.c.cd.1d;219;61
amdgcn.image.sample.c.cd.1d.nortn;220;87
amdgcn.image.sample.c.cd.1darray;221;62
amdgcn.image.sample.c.cd.1darray.nortn;222;88
amdgcn.image.sample.c.cd.2d;223;64
amdgcn.image.sample.c.cd.2d.nortn;224;89
amdgcn.image.sample.c.cd.2darray;225;90
amdgcn.image.sample.c.cd.2darray.nortn;226;91
amdgcn.image.sample.c.cd.3d;227;92
amdgcn.image.sample.c.cd.3d.nortn;228;93
amdgcn.image.sample.c.cd.cl.1d;221;62
amdgcn.image.sample.c.cd.cl.1d.nortn;222;88
amdgcn.image.sample.c.cd.cl.1darray;229;63
amdgcn.image.sample.c.cd.cl.1darray.nortn;230;94
amdgcn.image.sample.c.cd.cl.2d;225;90
amdgcn.image.sample.c.cd.cl.2d.nortn;226;91
amdgcn.image.sample.c.cd.cl.2darray;231;95
amdgcn.image.sample.c.cd.cl.2darray.nortn;232;96
amdgcn.image.sample.c.cd.cl.3d;233;97
amdgcn.image.sample.c.cd.cl.3d.nortn;234;98
amdgcn.image.sample.c.cd.cl.cube;231;95
amdgcn.image.sample.c.cd.cl.cube.nortn;232;96
amdgcn.image.sample.c.cd.cl.o.1d;235;63
amdgcn.image.sample.c.cd.cl.o.1d.nortn;236;94
amdgcn.image.sample.c.cd.cl.o.1darray;237;64
amdgcn.image.sample.c.cd.cl.o.1darray.nortn;238;89
amdgcn.image.sample.c.cd.cl.o.2d;239;95
amdgcn.image.sample.c.cd.cl.o.2d.nortn;240;96
amdgcn.image.sample.c.cd.cl.o.2darray;241;92
amdgcn.image.sample.c.cd.cl.o.2darray.nortn;242;93
amdgcn.image.sample.c.cd.cl.o.3d;243;99
amdgcn.image.sample.c.cd.cl.o.3d.nortn;244;100
amdgcn.image.sample.c.cd.cl.o.cube;241;92
amdgcn.image.sample.c.cd.cl.o.cube.nortn;242;93
amdgcn.image.sample.c.cd.cube;225;90
amdgcn.image.sample.c.cd.cube.nortn;226;91
amdgcn.image.sample.c.cd.o.1d;245;62
amdgcn.image.sample.c.cd.o.1d.nortn;246;88
amdgcn.image.sample.c.cd.o.1darray;235;63
amdgcn.image.sample.c.cd.o.1darray.nortn;236;94
amdgcn.image.sample.c.cd.o.2d;247;90
amdgcn.image.sample.c.cd.o.2d.nortn;248;91
amdgcn.image.sample.c.cd.o.2darray;239;95
amdgcn.image.sample.c.cd.o.2darray.nortn;240;96
amdgcn.image.sample.c.cd.o.3d;249;97
amdgcn.image.sample.c.cd.o.3d.nortn;250;98
amdgcn.image.sample.c.cd.o.cube;239;95
amdgcn.image.sample.c.cd.o.cube.nortn;240;96
amdgcn.image.sample.c.cl.1d;170;77
amdgcn.image.sample.c.cl.1d.nortn;207;78
amdgcn.image.sample.c.cl.1darray;171;79
amdgcn.image.sample.c.cl.1darray.nortn;208;80
amdgcn.image.sample.c.cl.2d;171;79
amdgcn.image.sample.c.cl.2d.nortn;208;80
amdgcn.image.sample.c.cl.2darray;178;81
amdgcn.image.sample.c.cl.2darray.nortn;251;82
amdgcn.image.sample.c.cl.3d;178;81
amdgcn.image.sample.c.cl.3d.nortn;251;82
amdgcn.image.sample.c.cl.cube;178;81
amdgcn.image.sample.c.cl.cube.nortn;251;82
amdgcn.image.sample.c.cl.o.1d;181;79
amdgcn.image.sample.c.cl.o.1d.nortn;252;80
amdgcn.image.sample.c.cl.o.1darray;179;81
amdgcn.image.sample.c.cl.o.1darray.nortn;253;82
amdgcn.image.sample.c.cl.o.2d;179;81
amdgcn.image.sample.c.cl.o.2d.nortn;253;82
amdgcn.image.sample.c.cl.o.2darray;180;83
amdgcn.image.sample.c.cl.o.2darray.nortn;254;84
amdgcn.image.sample.c.cl.o.3d;180;83
amdgcn.image.sample.c.cl.o.3d.nortn;254;84
amdgcn.image.sample.c.cl.o.cube;180;83
amdgcn.image.sample.c.cl.o.cube.nortn;254;84
amdgcn.image.sample.c.cube;171;79
amdgcn.image.sample.c.cube.nortn;208;80
amdgcn.image.sample.c.d.1d;219;61
amdgcn.image.sample.c.d.1d.nortn;220;87
amdgcn.image.sample.c.d.1darray;221;62
amdgcn.image.sample.c.d.1darray.nortn;222;88
amdgcn.image.sample.c.d.2d;223;64
amdgcn.image.sample.c.d.2d.nortn;224;89
amdgcn.image.sample.c.d.2darray;225;90
amdgcn.image.sample.c.d.2darray.nortn;226;91
amdgcn.image.sample.c.d.3d;227;92
amdgcn.image.sample.c.d.3d.nortn;228;93
amdgcn.image.sample.c.d.cl.1d;221;62
amdgcn.image.sample.c.d.cl.1d.nortn;222;88
amdgcn.image.sample.c.d.cl.1darray;229;63
amdgcn.image.sample.c.d.cl.1darray.nortn;230;94
amdgcn.image.sample.c.d.cl.2d;225;90
amdgcn.image.sample.c.d.cl.2d.nortn;226;91
amdgcn.image.sample.c.d.cl.2darray;231;95
amdgcn.image.sample.c.d.cl.2darray.nortn;232;96
amdgcn.image.sample.c.d.cl.3d;233;97
amdgcn.image.sample.c.d.cl.3d.nortn;234;98
amdgcn.image.sample.c.d.cl.cube;231;95
amdgcn.image.sample.c.d.cl.cube.nortn;232;96
amdgcn.image.sample.c.d.cl.o.1d;235;63
amdgcn.image.sample.c.d.cl.o.1d.nortn;236;94
amdgcn.image.sample.c.d.cl.o.1darray;237;64
amdgcn.image.sample.c.d.cl.o.1darray.nortn;238;89
amdgcn.image.sample.c.d.cl.o.2d;239;95
amdgcn.image.sample.c.d.cl.o.2d.nortn;240;96
amdgcn.image.sample.c.d.cl.o.2darray;241;92
amdgcn.image.sample.c.d.cl.o.2darray.nortn;242;93
amdgcn.image.sample.c.d.cl.o.3d;243;99
amdgcn.image.sample.c.d.cl.o.3d.nortn;244;100
amdgcn.image.sample.c.d.cl.o.cube;241;92
amdgcn.image.sample.c.d.cl.o.cube.nortn;242;93
amdgcn.image.sample.c.d.cube;225;90
amdgcn.image.sample.c.d.cube.nortn;226;91
amdgcn.image.sample.c.d.o.1d;245;62
amdgcn.image.sample.c.d.o.1d.nortn;246;88
amdgcn.image.sample.c.d.o.1darray;235;63
amdgcn.image.sample.c.d.o.1darray.nortn;236;94
amdgcn.image.sample.c.d.o.2d;247;90
amdgcn.image.sample.c.d.o.2d.nortn;248;91
amdgcn.image.sample.c.d.o.2darray;239;95
amdgcn.image.sample.c.d.o.2darray.nortn;240;96
amdgcn.image.sample.c.d.o.3d;249;97
amdgcn.image.sample.c.d.o.3d.nortn;250;98
amdgcn.image.sample.c.d.o.cube;239;95
amdgcn.image.sample.c.d.o.cube.nortn;240;96
amdgcn.image.sample.c.l.1d;170;60
amdgcn.image.sample.c.l.1d.nortn;207;101
amdgcn.image.sample.c.l.1darray;171;61
amdgcn.image.sample.c.l.1darray.nortn;208;87
amdgcn.image.sample.c.l.2d;171;61
amdgcn.image.sample.c.l.2d.nortn;208;87
amdgcn.image.sample.c.l.2darray;178;62
amdgcn.image.sample.c.l.2darray.nortn;251;88
amdgcn.image.sample.c.l.3d;178;62
amdgcn.image.sample.c.l.3d.nortn;251;88
amdgcn.image.sample.c.l.cube;178;62
amdgcn.image.sample.c.l.cube.nortn;251;88
amdgcn.image.sample.c.l.o.1d;181;61
amdgcn.image.sample.c.l.o.1d.nortn;252;87
amdgcn.image.sample.c.l.o.1darray;179;62
amdgcn.image.sample.c.l.o.1darray.nortn;253;88
amdgcn.image.sample.c.l.o.2d;179;62
amdgcn.image.sample.c.l.o.2d.nortn;253;88
amdgcn.image.sample.c.l.o.2darray;180;63
amdgcn.image.sample.c.l.o.2darray.nortn;254;94
amdgcn.image.sample.c.l.o.3d;180;63
amdgcn.image.sample.c.l.o.3d.nortn;254;94
amdgcn.image.sample.c.l.o.cube;180;63
amdgcn.image.sample.c.l.o.cube.nortn;254;94
amdgcn.image.sample.c.lz.1d;205;59
amdgcn.image.sample.c.lz.1d.nortn;206;102
amdgcn.image.sample.c.lz.1darray;170;60
amdgcn.image.sample.c.lz.1darray.nortn;207;101
amdgcn.image.sample.c.lz.2d;170;60
amdgcn.image.sample.c.lz.2d.nortn;207;101
amdgcn.image.sample.c.lz.2darray;171;61
amdgcn.image.sample.c.lz.2darray.nortn;208;87
amdgcn.image.sample.c.lz.3d;171;61
amdgcn.image.sample.c.lz.3d.nortn;208;87
amdgcn.image.sample.c.lz.cube;171;61
amdgcn.image.sample.c.lz.cube.nortn;208;87
amdgcn.image.sample.c.lz.o.1d;255;60
amdgcn.image.sample.c.lz.o.1d.nortn;256;101
amdgcn.image.sample.c.lz.o.1darray;181;61
amdgcn.image.sample.c.lz.o.1darray.nortn;252;87
amdgcn.image.sample.c.lz.o.2d;181;61
amdgcn.image.sample.c.lz.o.2d.nortn;252;87
amdgcn.image.sample.c.lz.o.2darray;179;62
amdgcn.image.sample.c.lz.o.2darray.nortn;253;88
amdgcn.image.sample.c.lz.o.3d;179;62
amdgcn.image.sample.c.lz.o.3d.nortn;253;88
amdgcn.image.sample.c.lz.o.cube;179;62
amdgcn.image.sample.c.lz.o.cube.nortn;253;88
amdgcn.image.sample.c.o.1d;255;77
amdgcn.image.sample.c.o.1d.nortn;256;78
amdgcn.image.sample.c.o.1darray;181;79
amdgcn.image.sample.c.o.1darray.nortn;252;80
amdgcn.image.sample.c.o.2d;181;79
amdgcn.image.sample.c.o.2d.nortn;252;80
amdgcn.image.sample.c.o.2darray;179;81
amdgcn.image.sample.c.o.2darray.nortn;253;82
amdgcn.image.sample.c.o.3d;179;81
amdgcn.image.sample.c.o.3d.nortn;253;82
amdgcn.image.sample.c.o.cube;179;81
amdgcn.image.sample.c.o.cube.nortn;253;82
amdgcn.image.sample.cd.1d;257;60
amdgcn.image.sample.cd.1d.nortn;258;101
amdgcn.image.sample.cd.1darray;259;61
amdgcn.image.sample.cd.1darray.nortn;260;87
amdgcn.image.sample.cd.2d;261;63
amdgcn.image.sample.cd.2d.nortn;262;94
amdgcn.image.sample.cd.2darray;263;64
amdgcn.image.sample.cd.2darray.nortn;264;89
amdgcn.image.sample.cd.3d;265;95
amdgcn.image.sample.cd.3d.nortn;266;96
amdgcn.image.sample.cd.cl.1d;259;61
amdgcn.image.sample.cd.cl.1d.nortn;260;87
amdgcn.image.sample.cd.cl.1darray;267;62
amdgcn.image.sample.cd.cl.1darray.nortn;268;88
amdgcn.image.sample.cd.cl.2d;263;64
amdgcn.image.sample.cd.cl.2d.nortn;264;89
amdgcn.image.sample.cd.cl.2darray;269;90
amdgcn.image.sample.cd.cl.2darray.nortn;270;91
amdgcn.image.sample.cd.cl.3d;271;92
amdgcn.image.sample.cd.cl.3d.nortn;272;93
amdgcn.image.sample.cd.cl.cube;269;90
amdgcn.image.sample.cd.cl.cube.nortn;270;91
amdgcn.image.sample.cd.cl.o.1d;273;62
amdgcn.image.sample.cd.cl.o.1d.nortn;274;88
amdgcn.image.sample.cd.cl.o.1darray;275;63
amdgcn.image.sample.cd.cl.o.1darray.nortn;276;94
amdgcn.image.sample.cd.cl.o.2d;277;90
amdgcn.image.sample.cd.cl.o.2d.nortn;278;91
amdgcn.image.sample.cd.cl.o.2darray;279;95
amdgcn.image.sample.cd.cl.o.2darray.nortn;280;96
amdgcn.image.sample.cd.cl.o.3d;281;97
amdgcn.image.sample.cd.cl.o.3d.nortn;282;98
amdgcn.image.sample.cd.cl.o.cube;279;95
amdgcn.image.sample.cd.cl.o.cube.nortn;280;96
amdgcn.image.sample.cd.cube;263;64
amdgcn.image.sample.cd.cube.nortn;264;89
amdgcn.image.sample.cd.o.1d;283;61
amdgcn.image.sample.cd.o.1d.nortn;284;87
amdgcn.image.sample.cd.o.1darray;273;62
amdgcn.image.sample.cd.o.1darray.nortn;274;88
amdgcn.image.sample.cd.o.2d;285;64
amdgcn.image.sample.cd.o.2d.nortn;286;89
amdgcn.image.sample.cd.o.2darray;277;90
amdgcn.image.sample.cd.o.2darray.nortn;278;91
amdgcn.image.sample.cd.o.3d;287;92
amdgcn.image.sample.cd.o.3d.nortn;288;93
amdgcn.image.sample.cd.o.cube;277;90
amdgcn.image.sample.cd.o.cube.nortn;278;91
amdgcn.image.sample.cl.1d;162;75
amdgcn.image.sample.cl.1d.nortn;193;76
amdgcn.image.sample.cl.1darray;163;77
amdgcn.image.sample.cl.1darray.nortn;194;78
amdgcn.image.sample.cl.2d;163;77
amdgcn.image.sample.cl.2d.nortn;194;78
amdgcn.image.sample.cl.2darray;182;79
amdgcn.image.sample.cl.2darray.nortn;289;80
amdgcn.image.sample.cl.3d;182;79
amdgcn.image.sample.cl.3d.nortn;289;80
amdgcn.image.sample.cl.cube;182;79
amdgcn.image.sample.cl.cube.nortn;289;80
amdgcn.image.sample.cl.o.1d;185;77
amdgcn.image.sample.cl.o.1d.nortn;290;78
amdgcn.image.sample.cl.o.1darray;183;79
amdgcn.image.sample.cl.o.1darray.nortn;291;80
amdgcn.image.sample.cl.o.2d;183;79
amdgcn.image.sample.cl.o.2d.nortn;291;80
amdgcn.image.sample.cl.o.2darray;184;81
amdgcn.image.sample.cl.o.2darray.nortn;292;82
amdgcn.image.sample.cl.o.3d;184;81
amdgcn.image.sample.cl.o.3d.nortn;292;82
amdgcn.image.sample.cl.o.cube;184;81
amdgcn.image.sample.cl.o.cube.nortn;292;82
amdgcn.image.sample.cube;163;77
amdgcn.image.sample.cube.nortn;194;78
amdgcn.image.sample.d.1d;257;60
amdgcn.image.sample.d.1d.nortn;258;101
amdgcn.image.sample.d.1darray;259;61
amdgcn.image.sample.d.1darray.nortn;260;87
amdgcn.image.sample.d.2d;261;63
amdgcn.image.sample.d.2d.nortn;262;94
amdgcn.image.sample.d.2darray;263;64
amdgcn.image.sample.d.2darray.nortn;264;89
amdgcn.image.sample.d.3d;265;95
amdgcn.image.sample.d.3d.nortn;266;96
amdgcn.image.sample.d.cl.1d;259;61
amdgcn.image.sample.d.cl.1d.nortn;260;87
amdgcn.image.sample.d.cl.1darray;267;62
amdgcn.image.sample.d.cl.1darray.nortn;268;88
amdgcn.image.sample.d.cl.2d;263;64
amdgcn.image.sample.d.cl.2d.nortn;264;89
amdgcn.image.sample.d.cl.2darray;269;90
amdgcn.image.sample.d.cl.2darray.nortn;270;91
amdgcn.image.sample.d.cl.3d;271;92
amdgcn.image.sample.d.cl.3d.nortn;272;93
amdgcn.image.sample.d.cl.cube;269;90
amdgcn.image.sample.d.cl.cube.nortn;270;91
amdgcn.image.sample.d.cl.o.1d;273;62
amdgcn.image.sample.d.cl.o.1d.nortn;274;88
amdgcn.image.sample.d.cl.o.1darray;275;63
amdgcn.image.sample.d.cl.o.1darray.nortn;276;94
amdgcn.image.sample.d.cl.o.2d;277;90
amdgcn.image.sample.d.cl.o.2d.nortn;278;91
amdgcn.image.sample.d.cl.o.2darray;279;95
amdgcn.image.sample.d.cl.o.2darray.nortn;280;96
amdgcn.image.sample.d.cl.o.3d;281;97
amdgcn.image.sample.d.cl.o.3d.nortn;282;98
amdgcn.image.sample.d.cl.o.cube;279;95
amdgcn.image.sample.d.cl.o.cube.nortn;280;96
amdgcn.image.sample.d.cube;263;64
amdgcn.image.sample.d.cube.nortn;264;89
amdgcn.image.sample.d.o.1d;283;61
amdgcn.image.sample.d.o.1d.nortn;284;87
amdgcn.image.sample.d.o.1darray;273;62
amdgcn.image.sample.d.o.1darray.nortn;274;88
amdgcn.image.sample.d.o.2d;285;64
amdgcn.image.sample.d.o.2d.nortn;286;89
amdgcn.image.sample.d.o.2darray;277;90
amdgcn.image.sample.d.o.2darray.nortn;278;91
amdgcn.image.sample.d.o.3d;287;92
amdgcn.image.sample.d.o.3d.nortn;288;93
amdgcn.image.sample.d.o.cube;277;90
amdgcn.image.sample.d.o.cube.nortn;278;91
amdgcn.image.sample.l.1d;162;59
amdgcn.image.sample.l.1d.nortn;193;102
amdgcn.image.sample.l.1darray;163;60
amdgcn.image.sample.l.1darray.nortn;194;101
amdgcn.image.sample.l.2d;163;60
amdgcn.image.sample.l.2d.nortn;194;101
amdgcn.image.sample.l.2darray;182;61
amdgcn.image.sample.l.2darray.nortn;289;87
amdgcn.image.sample.l.3d;182;61
amdgcn.image.sample.l.3d.nortn;289;87
amdgcn.image.sample.l.cube;182;61
amdgcn.image.sample.l.cube.nortn;289;87
amdgcn.image.sample.l.o.1d;185;60
amdgcn.image.sample.l.o.1d.nortn;290;101
amdgcn.image.sample.l.o.1darray;183;61
amdgcn.image.sample.l.o.1darray.nortn;291;87
amdgcn.image.sample.l.o.2d;183;61
amdgcn.image.sample.l.o.2d.nortn;291;87
amdgcn.image.sample.l.o.2darray;184;62
amdgcn.image.sample.l.o.2darray.nortn;292;88
amdgcn.image.sample.l.o.3d;184;62
amdgcn.image.sample.l.o.3d.nortn;292;88
amdgcn.image.sample.l.o.cube;184;62
amdgcn.image.sample.l.o.cube.nortn;292;88
amdgcn.image.sample.lz.1d;186;103
amdgcn.image.sample.lz.1d.nortn;192;104
amdgcn.image.sample.lz.1darray;162;59
amdgcn.image.sample.lz.1darray.nortn;193;102
amdgcn.image.sample.lz.2d;162;59
amdgcn.image.sample.lz.2d.nortn;193;102
amdgcn.image.sample.lz.2darray;163;60
amdgcn.image.sample.lz.2darray.nortn;194;101
amdgcn.image.sample.lz.3d;163;60
amdgcn.image.sample.lz.3d.nortn;194;101
amdgcn.image.sample.lz.cube;163;60
amdgcn.image.sample.lz.cube.nortn;194;101
amdgcn.image.sample.lz.o.1d;293;59
amdgcn.image.sample.lz.o.1d.nortn;294;102
amdgcn.image.sample.lz.o.1darray;185;60
amdgcn.image.sample.lz.o.1darray.nortn;290;101
amdgcn.image.sample.lz.o.2d;185;60
amdgcn.image.sample.lz.o.2d.nortn;290;101
amdgcn.image.sample.lz.o.2darray;183;61
amdgcn.image.sample.lz.o.2darray.nortn;291;87
amdgcn.image.sample.lz.o.3d;183;61
amdgcn.image.sample.lz.o.3d.nortn;291;87
amdgcn.image.sample.lz.o.cube;183;61
amdgcn.image.sample.lz.o.cube.nortn;291;87
amdgcn.image.sample.o.1d;293;75
amdgcn.image.sample.o.1d.nortn;294;76
amdgcn.image.sample.o.1darray;185;77
amdgcn.image.sample.o.1darray.nortn;290;78
amdgcn.image.sample.o.2d;185;77
amdgcn.image.sample.o.2d.nortn;290;78
amdgcn.image.sample.o.2darray;183;79
amdgcn.image.sample.o.2darray.nortn;291;80
amdgcn.image.sample.o.3d;183;79
amdgcn.image.sample.o.3d.nortn;291;80
amdgcn.image.sample.o.cube;183;79
amdgcn.image.sample.o.cube.nortn;291;80
amdgcn.image.store.1d;295;105
amdgcn.image.store.1darray;296;106
amdgcn.image.store.2d;296;106
amdgcn.image.store.2darray;297;107
amdgcn.image.store.2darraymsaa;298;108
amdgcn.image.store.2dmsaa;297;107
amdgcn.image.store.3d;297;107
amdgcn.image.store.cube;297;107
amdgcn.image.store.mip.1d;296;106
amdgcn.image.store.mip.1darray;297;107
amdgcn.image.store.mip.2d;297;107
amdgcn.image.store.mip.2darray;298;108
amdgcn.image.store.mip.3d;298;108
amdgcn.image.store.mip.cube;298;108
amdgcn.implicit.buffer.ptr;103;109
amdgcn.implicitarg.ptr;103;109
amdgcn.init.exec;299;51
amdgcn.init.exec.from.input;116;110
amdgcn.init.whole.wave;6;11
amdgcn.interp.inreg.p10;27;1
amdgcn.interp.inreg.p10.f16;300;111
amdgcn.interp.inreg.p2;27;1
amdgcn.interp.inreg.p2.f16;301;111
amdgcn.interp.mov;302;112
amdgcn.interp.p1;303;113
amdgcn.interp.p1.f16;304;114
amdgcn.interp.p10.rtz.f16;300;111
amdgcn.interp.p2;305;115
amdgcn.interp.p2.f16;306;116
amdgcn.interp.p2.rtz.f16;301;111
amdgcn.inverse.ballot;307;9
amdgcn.is.private;308;8
amdgcn.is.shared;308;8
amdgcn.kernarg.segment.ptr;103;109
amdgcn.kill;309;117
amdgcn.lds.direct.load;310;118
amdgcn.lds.kernel.id;17;12
amdgcn.lds.param.load;311;119
amdgcn.lerp;10;8
amdgcn.live.mask;6;120
amdgcn.load.to.lds;312;121
amdgcn.log;1;8
amdgcn.log.clamp;1;8
amdgcn.loop;307;40
amdgcn.make.buffer.rsrc;313;122
amdgcn.mbcnt.hi;112;123
amdgcn.mbcnt.lo;112;123
amdgcn.mfma.f32.16x16x16bf16.1k;314;124
amdgcn.mfma.f32.16x16x16f16;315;124
amdgcn.mfma.f32.16x16x1f32;316;124
amdgcn.mfma.f32.16x16x2bf16;317;124
amdgcn.mfma.f32.16x16x32.bf16;318;124
amdgcn.mfma.f32.16x16x32.bf8.bf8;319;124
amdgcn.mfma.f32.16x16x32.bf8.fp8;319;124
amdgcn.mfma.f32.16x16x32.f16;320;124
amdgcn.mfma.f32.16x16x32.fp8.bf8;319;124
amdgcn.mfma.f32.16x16x32.fp8.fp8;319;124
amdgcn.mfma.f32.16x16x4bf16.1k;321;124
amdgcn.mfma.f32.16x16x4f16;322;124
amdgcn.mfma.f32.16x16x4f32;323;124
amdgcn.mfma.f32.16x16x8.xf32;324;124
amdgcn.mfma.f32.16x16x8bf16;325;124
amdgcn.mfma.f32.32x32x16.bf16;326;124
amdgcn.mfma.f32.32x32x16.bf8.bf8;327;124
amdgcn.mfma.f32.32x32x16.bf8.fp8;327;124
amdgcn.mfma.f32.32x32x16.f16;328;124
amdgcn.mfma.f32.32x32x16.fp8.bf8;327;124
amdgcn.mfma.f32.32x32x16.fp8.fp8;327;124
amdgcn.mfma.f32.32x32x1f32;329;124
amdgcn.mfma.f32.32x32x2bf16;330;124
amdgcn.mfma.f32.32x32x2f32;316;124
amdgcn.mfma.f32.32x32x4.xf32;331;124
amdgcn.mfma.f32.32x32x4bf16;317;124
amdgcn.mfma.f32.32x32x4bf16.1k;332;124
amdgcn.mfma.f32.32x32x4f16;333;124
amdgcn.mfma.f32.32x32x8bf16.1k;321;124
amdgcn.mfma.f32.32x32x8f16;322;124
amdgcn.mfma.f32.4x4x1f32;323;124
amdgcn.mfma.f32.4x4x2bf16;325;124
amdgcn.mfma.f32.4x4x4bf16.1k;314;124
amdgcn.mfma.f32.4x4x4f16;315;124
amdgcn.mfma.f64.16x16x4f64;334;124
amdgcn.mfma.f64.4x4x4f64;335;124
amdgcn.mfma.i32.16x16x16i8;336;124
amdgcn.mfma.i32.16x16x32.i8;337;124
amdgcn.mfma.i32.16x16x4i8;338;124
amdgcn.mfma.i32.16x16x64.i8;339;124
amdgcn.mfma.i32.32x32x16.i8;340;124
amdgcn.mfma.i32.32x32x32.i8;341;124
amdgcn.mfma.i32.32x32x4i8;342;124
amdgcn.mfma.i32.32x32x8i8;338;124
amdgcn.mfma.i32.4x4x4i8;336;124
amdgcn.mfma.scale.f32.16x16x128.f8f6f4;343;125
amdgcn.mfma.scale.f32.32x32x64.f8f6f4;344;125
amdgcn.mov.dpp;345;126
amdgcn.mov.dpp8;346;39
amdgcn.mqsad.pk.u16.u8;347;8
amdgcn.mqsad.u32.u8;348;8
amdgcn.msad.u8;10;8
amdgcn.mul.i24;108;8
amdgcn.mul.u24;108;8
amdgcn.mulhi.i24;112;8
amdgcn.mulhi.u24;112;8
amdgcn.perm;10;127
amdgcn.perm.pk16.b4.u4;349;8
amdgcn.perm.pk16.b6.u4;350;8
amdgcn.perm.pk16.b8.u4;351;8
amdgcn.permlane.bcast;10;33
amdgcn.permlane.down;10;33
amdgcn.permlane.idx.gen;112;33
amdgcn.permlane.up;10;33
amdgcn.permlane.xor;10;33
amdgcn.permlane16;352;128
amdgcn.permlane16.swap;353;129
amdgcn.permlane16.var;354;130
amdgcn.permlane32.swap;353;129
amdgcn.permlane64;355;33
amdgcn.permlanex16;352;128
amdgcn.permlanex16.var;354;130
amdgcn.pk.add.max.i16;356;7
amdgcn.pk.add.max.u16;356;7
amdgcn.pk.add.min.i16;356;7
amdgcn.pk.add.min.u16;356;7
amdgcn.pops.exiting.wave.id;17;10
amdgcn.prng.b32;357;123
amdgcn.ps.live;6;2
amdgcn.qsad.pk.u16.u8;347;8
amdgcn.queue.ptr;103;28
amdgcn.raw.atomic.buffer.load;358;34
amdgcn.raw.buffer.atomic.add;359;131
amdgcn.raw.buffer.atomic.and;359;131
amdgcn.raw.buffer.atomic.cmpswap;360;132
amdgcn.raw.buffer.atomic.cond.sub.u32;359;131
amdgcn.raw.buffer.atomic.dec;359;131
amdgcn.raw.buffer.atomic.fadd;361;131
amdgcn.raw.buffer.atomic.fmax;361;131
amdgcn.raw.buffer.atomic.fmin;361;131
amdgcn.raw.buffer.atomic.inc;359;131
amdgcn.raw.buffer.atomic.or;359;131
amdgcn.raw.buffer.atomic.smax;359;131
amdgcn.raw.buffer.atomic.smin;359;131
amdgcn.raw.buffer.atomic.sub;359;131
amdgcn.raw.buffer.atomic.sub.clamp.u32;359;131
amdgcn.raw.buffer.atomic.swap;359;131
amdgcn.raw.buffer.atomic.umax;359;131
amdgcn.raw.buffer.atomic.umin;359;131
amdgcn.raw.buffer.atomic.xor;359;131
amdgcn.raw.buffer.load;358;133
amdgcn.raw.buffer.load.format;358;133
amdgcn.raw.buffer.load.lds;362;134
amdgcn.raw.buffer.store;363;135
amdgcn.raw.buffer.store.format;364;135
amdgcn.raw.ptr.atomic.buffer.load;365;136
amdgcn.raw.ptr.buffer.atomic.add;366;137
amdgcn.raw.ptr.buffer.atomic.and;366;137
amdgcn.raw.ptr.buffer.atomic.cmpswap;367;138
amdgcn.raw.ptr.buffer.atomic.cond.sub.u32;366;137
amdgcn.raw.ptr.buffer.atomic.dec;366;137
amdgcn.raw.ptr.buffer.atomic.fadd;368;137
amdgcn.raw.ptr.buffer.atomic.fmax;368;137
amdgcn.raw.ptr.buffer.atomic.fmin;368;137
amdgcn.raw.ptr.buffer.atomic.inc;366;137
amdgcn.raw.ptr.buffer.atomic.or;366;137
amdgcn.raw.ptr.buffer.atomic.smax;366;137
amdgcn.raw.ptr.buffer.atomic.smin;366;137
amdgcn.raw.ptr.buffer.atomic.sub;366;137
amdgcn.raw.ptr.buffer.atomic.sub.clamp.u32;366;137
amdgcn.raw.ptr.buffer.atomic.swap;366;137
amdgcn.raw.ptr.buffer.atomic.umax;366;137
amdgcn.raw.ptr.buffer.atomic.umin;366;137
amdgcn.raw.ptr.buffer.atomic.xor;366;137
amdgcn.raw.ptr.buffer.load;365;139
amdgcn.raw.ptr.buffer.load.format;369;139
amdgcn.raw.ptr.buffer.load.lds;370;140
amdgcn.raw.ptr.buffer.store;371;141
amdgcn.raw.ptr.buffer.store.format;372;141
amdgcn.raw.ptr.tbuffer.load;373;142
amdgcn.raw.ptr.tbuffer.store;374;143
amdgcn.raw.tbuffer.load;375;144
amdgcn.raw.tbuffer.store;376;145
amdgcn.rcp;1;8
amdgcn.rcp.legacy;377;8
amdgcn.readfirstlane;355;9
amdgcn.readlane;346;33
amdgcn.reloc.constant;378;1
amdgcn.rsq;1;8
amdgcn.rsq.clamp;1;8
amdgcn.rsq.legacy;377;8
amdgcn.s.barrier;14;146
amdgcn.s.barrier.init;379;146
amdgcn.s.barrier.join;110;146
amdgcn.s.barrier.leave;380;51
amdgcn.s.barrier.signal;117;51
amdgcn.s.barrier.signal.isfirst;381;51
amdgcn.s.barrier.signal.var;379;146
amdgcn.s.barrier.wait;380;51
amdgcn.s.bitreplicate;382;147
amdgcn.s.buffer.load;383;148
amdgcn.s.buffer.prefetch.data;384;149
amdgcn.s.cluster.barrier;14;146
amdgcn.s.dcache.inv;14;10
amdgcn.s.dcache.inv.vol;14;10
amdgcn.s.dcache.wb;14;40
amdgcn.s.dcache.wb.vol;14;40
amdgcn.s.decperflevel;117;150
amdgcn.s.get.barrier.state;357;146
amdgcn.s.get.named.barrier.state;385;146
amdgcn.s.get.waveid.in.workgroup;17;151
amdgcn.s.getpc;102;12
amdgcn.s.getreg;357;150
amdgcn.s.incperflevel;117;150
amdgcn.s.memrealtime;102;40
amdgcn.s.memtime;102;10
amdgcn.s.monitor.sleep;380;150
amdgcn.s.nop;380;150
amdgcn.s.prefetch.data;386;152
amdgcn.s.quadmask;387;147
amdgcn.s.sendmsg;116;153
amdgcn.s.sendmsg.rtn;388;153
amdgcn.s.sendmsghalt;116;154
amdgcn.s.sethalt;117;150
amdgcn.s.setprio;380;150
amdgcn.s.setprio.inc.wg;380;150
amdgcn.s.setreg;116;150
amdgcn.s.sleep;117;150
amdgcn.s.sleep.var;117;155
amdgcn.s.ttracedata;117;10
amdgcn.s.ttracedata.imm;380;150
amdgcn.s.wait.asynccnt;380;156
amdgcn.s.wait.bvhcnt;380;157
amdgcn.s.wait.dscnt;380;157
amdgcn.s.wait.event.export.ready;14;155
amdgcn.s.wait.expcnt;380;157
amdgcn.s.wait.kmcnt;380;157
amdgcn.s.wait.loadcnt;380;157
amdgcn.s.wait.samplecnt;380;157
amdgcn.s.wait.storecnt;380;157
amdgcn.s.wait.tensorcnt;380;156
amdgcn.s.waitcnt;117;157
amdgcn.s.wakeup.barrier;110;146
amdgcn.s.wqm;387;147
amdgcn.sad.hi.u8;10;8
amdgcn.sad.u16;10;8
amdgcn.sad.u8;10;8
amdgcn.sat.pk4.i4.i8;389;8
amdgcn.sat.pk4.u4.u8;389;8
amdgcn.sbfe;390;8
amdgcn.sched.barrier;117;51
amdgcn.sched.group.barrier;391;158
amdgcn.sdot2;392;7
amdgcn.sdot4;8;7
amdgcn.sdot8;8;7
amdgcn.set.inactive;393;33
amdgcn.set.inactive.chain.arg;394;33
amdgcn.sffbh;395;8
amdgcn.sin;1;8
amdgcn.smfmac.f32.16x16x128.bf8.bf8;396;159
amdgcn.smfmac.f32.16x16x128.bf8.fp8;396;159
amdgcn.smfmac.f32.16x16x128.fp8.bf8;396;159
amdgcn.smfmac.f32.16x16x128.fp8.fp8;396;159
amdgcn.smfmac.f32.16x16x32.bf16;397;159
amdgcn.smfmac.f32.16x16x32.f16;398;159
amdgcn.smfmac.f32.16x16x64.bf16;399;159
amdgcn.smfmac.f32.16x16x64.bf8.bf8;400;159
amdgcn.smfmac.f32.16x16x64.bf8.fp8;400;159
amdgcn.smfmac.f32.16x16x64.f16;401;159
amdgcn.smfmac.f32.16x16x64.fp8.bf8;400;159
amdgcn.smfmac.f32.16x16x64.fp8.fp8;400;159
amdgcn.smfmac.f32.32x32x16.bf16;402;159
amdgcn.smfmac.f32.32x32x16.f16;403;159
amdgcn.smfmac.f32.32x32x32.bf16;404;159
amdgcn.smfmac.f32.32x32x32.bf8.bf8;405;159
amdgcn.smfmac.f32.32x32x32.bf8.fp8;405;159
amdgcn.smfmac.f32.32x32x32.f16;406;159
amdgcn.smfmac.f32.32x32x32.fp8.bf8;405;159
amdgcn.smfmac.f32.32x32x32.fp8.fp8;405;159
amdgcn.smfmac.f32.32x32x64.bf8.bf8;407;159
amdgcn.smfmac.f32.32x32x64.bf8.fp8;407;159
amdgcn.smfmac.f32.32x32x64.fp8.bf8;407;159
amdgcn.smfmac.f32.32x32x64.fp8.fp8;407;159
amdgcn.smfmac.i32.16x16x128.i8;408;159
amdgcn.smfmac.i32.16x16x64.i8;409;159
amdgcn.smfmac.i32.32x32x32.i8;410;159
amdgcn.smfmac.i32.32x32x64.i8;411;159
amdgcn.softwqm;355;127
amdgcn.sqrt;1;8
amdgcn.strict.wqm;355;160
amdgcn.strict.wwm;355;160
amdgcn.struct.atomic.buffer.load;375;131
amdgcn.struct.buffer.atomic.add;412;132
amdgcn.struct.buffer.atomic.and;412;132
amdgcn.struct.buffer.atomic.cmpswap;413;161
amdgcn.struct.buffer.atomic.cond.sub.u32;412;132
amdgcn.struct.buffer.atomic.dec;412;132
amdgcn.struct.buffer.atomic.fadd;414;132
amdgcn.struct.buffer.atomic.fmax;414;132
amdgcn.struct.buffer.atomic.fmin;414;132
amdgcn.struct.buffer.atomic.inc;412;132
amdgcn.struct.buffer.atomic.or;412;132
amdgcn.struct.buffer.atomic.smax;412;132
amdgcn.struct.buffer.atomic.smin;412;132
amdgcn.struct.buffer.atomic.sub;412;132
amdgcn.struct.buffer.atomic.sub.clamp.u32;412;132
amdgcn.struct.buffer.atomic.swap;412;132
amdgcn.struct.buffer.atomic.umax;412;132
amdgcn.struct.buffer.atomic.umin;412;132
amdgcn.struct.buffer.atomic.xor;412;132
amdgcn.struct.buffer.load;375;162
amdgcn.struct.buffer.load.format;375;162
amdgcn.struct.buffer.load.lds;415;163
amdgcn.struct.buffer.store;376;164
amdgcn.struct.buffer.store.format;376;164
amdgcn.struct.ptr.atomic.buffer.load;373;165
amdgcn.struct.ptr.buffer.atomic.add;416;166
amdgcn.struct.ptr.buffer.atomic.and;416;166
amdgcn.struct.ptr.buffer.atomic.cmpswap;417;167
amdgcn.struct.ptr.buffer.atomic.cond.sub.u32;416;166
amdgcn.struct.ptr.buffer.atomic.dec;416;166
amdgcn.struct.ptr.buffer.atomic.fadd;418;166
amdgcn.struct.ptr.buffer.atomic.fmax;418;166
amdgcn.struct.ptr.buffer.atomic.fmin;418;166
amdgcn.struct.ptr.buffer.atomic.inc;416;166
amdgcn.struct.ptr.buffer.atomic.or;416;166
amdgcn.struct.ptr.buffer.atomic.smax;416;166
amdgcn.struct.ptr.buffer.atomic.smin;416;166
amdgcn.struct.ptr.buffer.atomic.sub;416;166
amdgcn.struct.ptr.buffer.atomic.sub.clamp.u32;416;166
amdgcn.struct.ptr.buffer.atomic.swap;416;166
amdgcn.struct.ptr.buffer.atomic.umax;416;166
amdgcn.struct.ptr.buffer.atomic.umin;416;166
amdgcn.struct.ptr.buffer.atomic.xor;416;166
amdgcn.struct.ptr.buffer.load;373;168
amdgcn.struct.ptr.buffer.load.format;373;168
amdgcn.struct.ptr.buffer.load.lds;419;169
amdgcn.struct.ptr.buffer.store;374;170
amdgcn.struct.ptr.buffer.store.format;374;170
amdgcn.struct.ptr.tbuffer.load;420;171
amdgcn.struct.ptr.tbuffer.store;421;172
amdgcn.struct.tbuffer.load;422;173
amdgcn.struct.tbuffer.store;423;174
amdgcn.sudot4;424;175
amdgcn.sudot8;424;175
amdgcn.swmmac.bf16.16x16x32.bf16;425;176
amdgcn.swmmac.bf16.16x16x64.bf16;426;177
amdgcn.swmmac.bf16f32.16x16x64.bf16;426;177
amdgcn.swmmac.f16.16x16x128.bf8.bf8;427;178
amdgcn.swmmac.f16.16x16x128.bf8.fp8;427;178
amdgcn.swmmac.f16.16x16x128.fp8.bf8;427;178
amdgcn.swmmac.f16.16x16x128.fp8.fp8;427;178
amdgcn.swmmac.f16.16x16x32.f16;428;176
amdgcn.swmmac.f16.16x16x64.f16;426;177
amdgcn.swmmac.f32.16x16x128.bf8.bf8;427;178
amdgcn.swmmac.f32.16x16x128.bf8.fp8;427;178
amdgcn.swmmac.f32.16x16x128.fp8.bf8;427;178
amdgcn.swmmac.f32.16x16x128.fp8.fp8;427;178
amdgcn.swmmac.f32.16x16x32.bf16;429;176
amdgcn.swmmac.f32.16x16x32.bf8.bf8;429;176
amdgcn.swmmac.f32.16x16x32.bf8.fp8;429;176
amdgcn.swmmac.f32.16x16x32.f16;428;176
amdgcn.swmmac.f32.16x16x32.fp8.bf8;429;176
amdgcn.swmmac.f32.16x16x32.fp8.fp8;429;176
amdgcn.swmmac.f32.16x16x64.bf16;426;177
amdgcn.swmmac.f32.16x16x64.f16;426;177
amdgcn.swmmac.i32.16x16x128.iu8;430;179
amdgcn.swmmac.i32.16x16x32.iu4;431;180
amdgcn.swmmac.i32.16x16x32.iu8;431;180
amdgcn.swmmac.i32.16x16x64.iu4;431;180
amdgcn.tanh;1;8
amdgcn.tensor.load.to.lds;432;181
amdgcn.tensor.load.to.lds.d2;433;182
amdgcn.tensor.store.from.lds;432;181
amdgcn.tensor.store.from.lds.d2;433;182
amdgcn.trig.preop;434;8
amdgcn.ubfe;390;8
amdgcn.udot2;392;7
amdgcn.udot4;8;7
amdgcn.udot8;8;7
amdgcn.unreachable;14;183
amdgcn.update.dpp;435;184
amdgcn.wave.barrier;14;146
amdgcn.wave.id;17;12
amdgcn.wave.reduce.add;346;39
amdgcn.wave.reduce.and;346;39
amdgcn.wave.reduce.fadd;346;39
amdgcn.wave.reduce.fmax;346;39
amdgcn.wave.reduce.fmin;346;39
amdgcn.wave.reduce.fsub;346;39
amdgcn.wave.reduce.max;346;39
amdgcn.wave.reduce.min;346;39
amdgcn.wave.reduce.or;346;39
amdgcn.wave.reduce.sub;346;39
amdgcn.wave.reduce.umax;346;39
amdgcn.wave.reduce.umin;346;39
amdgcn.wave.reduce.xor;346;39
amdgcn.wave.shuffle;346;147
amdgcn.wavefrontsize;17;185
amdgcn.wmma.bf16.16x16x16.bf16;436;186
amdgcn.wmma.bf16.16x16x16.bf16.tied;436;186
amdgcn.wmma.bf16.16x16x32.bf16;437;187
amdgcn.wmma.bf16f32.16x16x32.bf16;438;187
amdgcn.wmma.f16.16x16x128.bf8.bf8;439;188
amdgcn.wmma.f16.16x16x128.bf8.fp8;439;188
amdgcn.wmma.f16.16x16x128.fp8.bf8;439;188
amdgcn.wmma.f16.16x16x128.fp8.fp8;439;188
amdgcn.wmma.f16.16x16x16.f16;440;186
amdgcn.wmma.f16.16x16x16.f16.tied;440;186
amdgcn.wmma.f16.16x16x32.f16;437;187
amdgcn.wmma.f16.16x16x64.bf8.bf8;439;188
amdgcn.wmma.f16.16x16x64.bf8.fp8;439;188
amdgcn.wmma.f16.16x16x64.fp8.bf8;439;188
amdgcn.wmma.f16.16x16x64.fp8.fp8;439;188
amdgcn.wmma.f32.16x16x128.bf8.bf8;439;188
amdgcn.wmma.f32.16x16x128.bf8.fp8;439;188
amdgcn.wmma.f32.16x16x128.f8f6f4;441;189
amdgcn.wmma.f32.16x16x128.fp8.bf8;439;188
amdgcn.wmma.f32.16x16x128.fp8.fp8;439;188
amdgcn.wmma.f32.16x16x16.bf16;442;9
amdgcn.wmma.f32.16x16x16.bf8.bf8;442;9
amdgcn.wmma.f32.16x16x16.bf8.fp8;442;9
amdgcn.wmma.f32.16x16x16.f16;443;9
amdgcn.wmma.f32.16x16x16.fp8.bf8;442;9
amdgcn.wmma.f32.16x16x16.fp8.fp8;442;9
amdgcn.wmma.f32.16x16x32.bf16;437;187
amdgcn.wmma.f32.16x16x32.f16;437;187
amdgcn.wmma.f32.16x16x4.f32;437;187
amdgcn.wmma.f32.16x16x64.bf8.bf8;439;188
amdgcn.wmma.f32.16x16x64.bf8.fp8;439;188
amdgcn.wmma.f32.16x16x64.fp8.bf8;439;188
amdgcn.wmma.f32.16x16x64.fp8.fp8;439;188
amdgcn.wmma.f32.32x16x128.f4;444;190
amdgcn.wmma.i32.16x16x16.iu4;445;191
amdgcn.wmma.i32.16x16x16.iu8;445;191
amdgcn.wmma.i32.16x16x32.iu4;445;191
amdgcn.wmma.i32.16x16x64.iu8;446;192
amdgcn.wmma.scale.f32.16x16x128.f8f6f4;447;193
amdgcn.wmma.scale.f32.32x16x128.f4;448;194
amdgcn.wmma.scale16.f32.16x16x128.f8f6f4;449;193
amdgcn.wmma.scale16.f32.32x16x128.f4;450;194
amdgcn.workgroup.id.x;17;12
amdgcn.workgroup.id.y;17;12
amdgcn.workgroup.id.z;17;12
amdgcn.workitem.id.x;17;195
amdgcn.workitem.id.y;17;195
amdgcn.workitem.id.z;17;195
amdgcn.wqm;355;127
amdgcn.wqm.demote;309;196
amdgcn.wqm.vote;451;33
amdgcn.writelane;452;33
amdgcn.wwm;355;160
annotation;453;197
arithmetic.fence;1;8
asan.check.memaccess;133;198
asin;1;1
assume;309;199
atan;1;1
atan2;454;1
bitreverse;395;8
bswap;395;8
call.preallocated.arg;455;200
call.preallocated.setup;456;150
call.preallocated.teardown;457;10
callbr.landingpad;355;201
canonicalize;1;8
ceil;1;8
clear_cache;458;202
clmul;394;8
codeview.annotation;459;203
convert.from.fp16;460;2
convert.to.fp16;461;2
copysign;454;8
coro.align;462;204
coro.alloc;463;202
coro.alloca.alloc;464;202
coro.alloca.free;457;202
coro.alloca.get;465;202
coro.async.context.alloc;466;202
coro.async.context.dealloc;467;202
coro.async.resume;468;201
coro.async.size.replace;458;202
coro.await.suspend.bool;469;205
coro.await.suspend.handle;470;205
coro.await.suspend.void;470;205
coro.begin;471;206
coro.begin.custom.abi;472;206
coro.destroy;467;205
coro.done;308;207
coro.end;473;202
coro.end.async;474;202
coro.end.results;475;202
coro.frame;468;204
coro.free;471;208
coro.id;476;209
coro.id.async;477;202
coro.id.retcon;478;202
coro.id.retcon.once;478;202
coro.is_in_ramp;6;204
coro.noop;468;204
coro.prepare.async;3;204
coro.prepare.retcon;3;204
coro.promise;479;210
coro.resume;467;205
coro.save;480;201
coro.size;462;204
coro.subfn.addr;481;211
coro.suspend;482;202
coro.suspend.async;483;201
coro.suspend.retcon;484;202
cos;1;8
cosh;1;1
ctlz;0;0
ctpop;395;8
cttz;0;0
dbg.assign;485;1
dbg.declare;486;1
dbg.label;459;1
dbg.value;486;1
debugtrap;14;202
donothing;14;2
eh.dwarf.cfa;487;202
eh.exceptioncode;488;204
eh.exceptionpointer;489;204
eh.recoverfp;466;2
eh.return.i32;490;202
eh.return.i64;491;202
eh.sjlj.callsite;117;212
eh.sjlj.functioncontext;467;202
eh.sjlj.longjmp;467;213
eh.sjlj.lsda;468;204
eh.sjlj.setjmp;492;202
eh.sjlj.setup.dispatch;14;202
eh.typeid.for;493;204
eh.unwind.init;14;202
exp;1;8
exp10;1;8
exp2;1;8
expect;394;2
expect.with.probability;494;148
experimental.constrained.acos;495;214
experimental.constrained.asin;495;214
experimental.constrained.atan;495;214
experimental.constrained.atan2;496;214
experimental.constrained.ceil;497;214
experimental.constrained.cos;495;214
experimental.constrained.cosh;495;214
experimental.constrained.exp;495;214
experimental.constrained.exp2;495;214
experimental.constrained.fadd;496;214
experimental.constrained.fcmp;498;214
experimental.constrained.fcmps;498;214
experimental.constrained.fdiv;496;214
experimental.constrained.floor;497;214
experimental.constrained.fma;499;214
experimental.constrained.fmul;496;214
experimental.constrained.fmuladd;499;214
experimental.constrained.fpext;500;214
experimental.constrained.fptosi;501;214
experimental.constrained.fptoui;501;214
experimental.constrained.fptrunc;502;214
experimental.constrained.frem;496;214
experimental.constrained.fsub;496;214
experimental.constrained.ldexp;503;214
experimental.constrained.llrint;504;214
experimental.constrained.llround;501;214
experimental.constrained.log;495;214
experimental.constrained.log10;495;214
experimental.constrained.log2;495;214
experimental.constrained.lrint;504;214
experimental.constrained.lround;501;214
experimental.constrained.maximum;505;214
experimental.constrained.maxnum;505;214
experimental.constrained.minimum;505;214
experimental.constrained.minnum;505;214
experimental.constrained.nearbyint;495;214
experimental.constrained.pow;496;214
experimental.constrained.powi;506;214
experimental.constrained.rint;495;214
experimental.constrained.round;497;214
experimental.constrained.roundeven;497;214
experimental.constrained.sin;495;214
experimental.constrained.sinh;495;214
experimental.constrained.sitofp;507;214
experimental.constrained.sqrt;495;214
experimental.constrained.tan;495;214
experimental.constrained.tanh;495;214
experimental.constrained.trunc;497;214
experimental.constrained.uitofp;507;214
experimental.convergence.anchor;508;147
experimental.convergence.entry;508;147
experimental.convergence.loop;508;147
experimental.cttz.elts;509;0
experimental.deoptimize;484;205
experimental.gc.get.pointer.base;9;215
experimental.gc.get.pointer.offset;510;215
experimental.gc.relocate;511;216
experimental.gc.result;512;2
experimental.gc.statepoint;513;217
experimental.get.vector.length;514;113
experimental.guard;515;205
experimental.memset.pattern;516;218
experimental.noalias.scope.decl;459;197
experimental.patchpoint;517;219
experimental.patchpoint.void;518;219
experimental.stackmap;519;220
experimental.vector.compress;520;2
experimental.vector.extract.last.active;521;1
experimental.vector.histogram.add;522;221
experimental.vector.histogram.uadd.sat;522;221
experimental.vector.histogram.umax;522;221
experimental.vector.histogram.umin;522;221
experimental.vector.match;523;1
experimental.vp.reverse;524;1
experimental.vp.splice;525;222
experimental.vp.strided.load;526;223
experimental.vp.strided.store;527;224
experimental.widenable.condition;6;225
fabs;1;8
fake.use;528;197
floor;1;8
fma;104;8
fmuladd;104;8
fptosi.sat;134;8
fptoui.sat;134;8
fptrunc.round;500;8
frameaddress;529;226
frexp;530;8
fshl;531;8
fshr;531;8
gcread;466;227
gcroot;458;202
gcwrite;470;228
get.active.lane.mask;532;1
get.dynamic.area.offset;462;10
get.fpenv;462;197
get.fpmode;462;197
get.rounding;17;197
hwasan.check.memaccess;533;229
hwasan.check.memaccess.fixedshadow;534;230
hwasan.check.memaccess.shortgranules;533;229
hwasan.check.memaccess.shortgranules.fixedshadow;534;230
icall.branch.funnel;528;10
init.trampoline;470;231
instrprof.callsite;535;202
instrprof.cover;536;202
instrprof.increment;536;202
instrprof.increment.step;537;202
instrprof.mcdc.parameters;538;202
instrprof.mcdc.tvbitmap.update;539;202
instrprof.timestamp;536;202
instrprof.value.profile;540;202
invariant.end;541;232
invariant.start;542;233
is.constant;543;147
is.fpclass;544;19
launder.invariant.group;545;234
ldexp;546;8
lifetime.end;547;235
lifetime.start;547;235
llrint;134;8
llround;134;8
load.relative;548;3
localaddress;468;2
localescape;528;10
localrecover;549;148
log;1;8
log10;1;8
log2;1;8
loop.decrement;307;236
loop.decrement.reg;394;236
loop.dependence.raw.mask;550;148
loop.dependence.war.mask;550;148
lrint;134;8
lround;134;8
masked.compressstore;551;224
masked.expandload;552;237
masked.gather;553;58
masked.load;554;223
masked.scatter;555;238
masked.store;556;224
matrix.column.major.load;557;239
matrix.column.major.store;558;240
matrix.multiply;559;116
matrix.transpose;560;113
maximum;454;8
maximumnum;454;8
maxnum;454;8
memcpy;561;241
memcpy.element.unordered.atomic;562;242
memcpy.inline;561;241
memmove;561;243
memmove.element.unordered.atomic;562;242
memset;563;218
memset.element.unordered.atomic;564;244
memset.inline;563;218
minimum;454;8
minimumnum;454;8
minnum;454;8
modf;565;1
nearbyint;1;8
objc.arc.annotation.bottomup.bbend;458;202
objc.arc.annotation.bottomup.bbstart;458;202
objc.arc.annotation.topdown.bbend;458;202
objc.arc.annotation.topdown.bbstart;458;202
objc.autorelease;3;245
objc.autoreleasePoolPop;467;202
objc.autoreleasePoolPush;468;202
objc.autoreleaseReturnValue;3;245
objc.claimAutoreleasedReturnValue;3;202
objc.clang.arc.noop.use;528;197
objc.clang.arc.use;528;202
objc.copyWeak;458;202
objc.destroyWeak;467;202
objc.initWeak;466;202
objc.loadWeak;3;202
objc.loadWeakRetained;3;202
objc.moveWeak;458;202
objc.release;467;202
objc.retain;3;245
objc.retain.autorelease;3;245
objc.retainAutorelease;3;245
objc.retainAutoreleaseReturnValue;3;245
objc.retainAutoreleasedReturnValue;3;202
objc.retainBlock;3;202
objc.retainedObject;3;202
objc.storeStrong;458;202
objc.storeWeak;466;202
objc.sync.enter;492;202
objc.sync.exit;492;202
objc.unretainedObject;3;202
objc.unretainedPointer;3;202
objc.unsafeClaimAutoreleasedReturnValue;3;202
objectsize;566;114
pcmarker;117;10
pow;454;8
powi;546;8
prefetch;567;246
preserve.array.access.index;568;216
preserve.static.offset;3;247
preserve.struct.access.index;568;216
preserve.union.access.index;569;20
protected.field.ptr;570;148
pseudoprobe;571;197
ptr.annotation;572;197
ptrauth.auth;347;248
ptrauth.blend;573;2
ptrauth.resign;574;249
ptrauth.sign;347;20
ptrauth.sign.generic;573;2
ptrauth.strip;575;20
ptrmask;576;8
public.type.test;577;1
r600.cube;578;1
r600.ddx;579;2
r600.ddy;579;2
r600.dot4;580;1
r600.group.barrier;14;250
r600.implicitarg.ptr;581;12
r600.kill;582;10
r600.rat.store.typed;583;10
r600.read.global.size.x;17;12
r600.read.global.size.y;17;12
r600.read.global.size.z;17;12
r600.read.local.size.x;17;12
r600.read.local.size.y;17;12
r600.read.local.size.z;17;12
r600.read.ngroups.x;17;12
r600.read.ngroups.y;17;12
r600.read.ngroups.z;17;12
r600.read.tgid.x;17;12
r600.read.tgid.y;17;12
r600.read.tgid.z;17;12
r600.read.tidig.x;17;195
r600.read.tidig.y;17;195
r600.read.tidig.z;17;195
r600.recipsqrt.clamped;1;1
r600.recipsqrt.ieee;1;1
r600.store.stream.output;584;10
r600.store.swizzle;585;40
r600.tex;579;2
r600.texc;579;2
r600.txb;579;2
r600.txbc;579;2
r600.txf;586;2
r600.txl;579;2
r600.txlc;579;2
r600.txq;586;2
read_register;4;58
read_volatile_register;4;202
readcyclecounter;102;10
readsteadycounter;102;10
reloc.none;459;10
reset.fpenv;14;197
reset.fpmode;14;197
returnaddress;487;226
rint;1;8
round;1;8
roundeven;1;8
sadd.sat;394;8
sadd.with.overflow;587;8
scmp;588;251
sdiv.fix;589;148
sdiv.fix.sat;589;148
seh.scope.begin;14;204
seh.scope.end;14;204
seh.try.begin;14;252
seh.try.end;14;252
set.fpenv;121;197
set.fpmode;121;197
set.loop.iterations;121;236
set.rounding;117;197
sideeffect;14;197
sin;1;8
sincos;565;1
sincospi;565;1
sinh;1;1
smax;394;8
smin;394;8
smul.fix;589;222
smul.fix.sat;589;222
smul.with.overflow;587;8
sponentry;2;2
sqrt;1;8
ssa.copy;355;253
sshl.sat;394;1
ssub.sat;394;8
ssub.with.overflow;587;8
stackaddress;2;10
stackguard;468;10
stackprotector;458;10
stackrestore;547;10
stacksave;2;10
start.loop.iterations;395;236
stepvector;590;2
strip.invariant.group;545;1
swift.async.context.addr;468;202
tan;1;1
tanh;1;1
test.set.loop.iterations;307;236
test.start.loop.iterations;591;236
thread.pointer;2;2
threadlocal.address;545;254
trap;14;255
trunc;1;8
type.checked.load;592;2
type.checked.load.relative;592;2
type.test;577;1
uadd.sat;394;8
uadd.with.overflow;587;8
ubsantrap;593;256
ucmp;588;251
udiv.fix;589;148
udiv.fix.sat;589;148
umax;394;8
umin;394;8
umul.fix;589;222
umul.fix.sat;589;222
umul.with.overflow;587;8
ushl.sat;394;1
usub.sat;394;8
usub.with.overflow;587;8
va_copy;594;10
va_end;547;10
va_start;547;10
var.annotation;595;197
vector.deinterleave2;596;1
vector.deinterleave3;597;1
vector.deinterleave4;598;1
vector.deinterleave5;599;1
vector.deinterleave6;600;1
vector.deinterleave7;601;1
vector.deinterleave8;602;1
vector.extract;603;0
vector.insert;604;222
vector.interleave2;605;1
vector.interleave3;606;1
vector.interleave4;607;1
vector.interleave5;608;1
vector.interleave6;609;1
vector.interleave7;610;1
vector.interleave8;611;1
vector.partial.reduce.add;612;1
vector.partial.reduce.fadd;613;2
vector.reduce.add;614;1
vector.reduce.and;614;1
vector.reduce.fadd;615;1
vector.reduce.fmax;614;1
vector.reduce.fmaximum;614;1
vector.reduce.fmin;614;1
vector.reduce.fminimum;614;1
vector.reduce.fmul;615;1
vector.reduce.mul;614;1
vector.reduce.or;614;1
vector.reduce.smax;614;1
vector.reduce.smin;614;1
vector.reduce.umax;614;1
vector.reduce.umin;614;1
vector.reduce.xor;614;1
vector.reverse;616;1
vector.splice.left;617;222
vector.splice.right;617;222
vp.abs;618;1
vp.add;619;1
vp.and;619;1
vp.ashr;619;1
vp.bitreverse;524;1
vp.bswap;524;1
vp.ceil;524;1
vp.copysign;619;1
vp.ctlz;618;0
vp.ctpop;524;1
vp.cttz;618;0
vp.cttz.elts;620;0
vp.fabs;524;1
vp.fadd;619;1
vp.fcmp;621;1
vp.fdiv;619;1
vp.floor;524;1
vp.fma;622;1
vp.fmul;619;1
vp.fmuladd;622;1
vp.fneg;524;1
vp.fpext;623;1
vp.fptosi;623;1
vp.fptoui;623;1
vp.fptrunc;623;1
vp.frem;619;1
vp.fshl;622;1
vp.fshr;622;1
vp.fsub;619;1
vp.gather;624;58
vp.icmp;621;1
vp.inttoptr;623;1
vp.is.fpclass;625;0
vp.llrint;623;1
vp.load;626;223
vp.load.ff;627;223
vp.lrint;623;1
vp.lshr;619;1
vp.maximum;619;1
vp.maxnum;619;1
vp.merge;628;1
vp.minimum;619;1
vp.minnum;619;1
vp.mul;619;1
vp.nearbyint;524;1
vp.or;619;1
vp.ptrtoint;623;1
vp.reduce.add;629;1
vp.reduce.and;629;1
vp.reduce.fadd;629;1
vp.reduce.fmax;629;1
vp.reduce.fmaximum;629;1
vp.reduce.fmin;629;1
vp.reduce.fminimum;629;1
vp.reduce.fmul;629;1
vp.reduce.mul;629;1
vp.reduce.or;629;1
vp.reduce.smax;629;1
vp.reduce.smin;629;1
vp.reduce.umax;629;1
vp.reduce.umin;629;1
vp.reduce.xor;629;1
vp.rint;524;1
vp.round;524;1
vp.roundeven;524;1
vp.roundtozero;524;1
vp.sadd.sat;619;1
vp.scatter;630;10
vp.sdiv;619;2
vp.select;628;1
vp.sext;623;1
vp.shl;619;1
vp.sitofp;623;1
vp.smax;619;1
vp.smin;619;1
vp.sqrt;524;1
vp.srem;619;2
vp.ssub.sat;619;1
vp.store;631;224
vp.sub;619;1
vp.trunc;623;1
vp.uadd.sat;619;1
vp.udiv;619;2
vp.uitofp;623;1
vp.umax;619;1
vp.umin;619;1
vp.urem;619;2
vp.usub.sat;619;1
vp.xor;619;1
vp.zext;623;1
vscale;462;1
write_register;632;257
xray.customevent;633;258
xray.typedevent;634;259
`;

/** signatures, one a line (see intrinsics.ts) */
export const SIGNATURES = (): string => `
*A0:1 A0:7 i1
*A0:2 A0:7
*A0:4
p0 p0
*A0:1 m
i1 m
i1
i1 i8
i32 i32 i32 i32 i1
*A0:4 A1:4
i32 i32 i32 i32
i16 i32 i32 i32
*A0:1 i1
*A0:1 A0:7 A0:7 A0:7 i32
v
*A0:0 A1:4 .
*i1 A0:2 i32
i32
v p1 p3 i32 i32 i32
*A0:0 p1 i32 i32
*V2 i32 A0:4 i32 m
*i32 A0:4 i32 m
*V4 i32 A0:4 i32 m
*v A0:4 V2 i32 i32 m
*v A0:4 i32 i32 m
*v A0:4 V4 i32 i32 m
*v A0:4 A1:1 A2:0 A3:0 i32 .
f f f f
h i32 i32
f i32 i32
f i32
i16 V2 h
i32 f f i32 i1
V2 h i16
V2 f i32 i1
V2 i16 i32 i32
i32 f i32 i32
V2 i16 f f
V2 h f f
V16 b V3 i32 i32 i32
V16 h V3 i32 i32 i32
V16 f V3 i32 i32 i32
V8 b V2 i32 i32 i32
V8 b i32 i32 i32
V8 h V2 i32 i32 i32
V8 h i32 i32 i32
V8 f V2 i32 i32 i32
V8 f i32 i32 i32
V6 i32 V16 f V16 f f
V2 h V2 h i32 f i32 i1
f i32 f i32
V2 b i32 f i1
V2 b i32 f i32
V2 i16 V2 i16 V2 b f i1
V2 i16 V2 i16 V2 h f i1
V2 i16 V2 i16 f f f i1
V2 h i32 f i1
V2 h i32 f i32
V2 f i32 f i1
V2 f i32 f i32
i32 i32 V2 b f i32
i32 i32 V2 h f i32
i32 i32 f f f i32
V3 i32 V16 b f
V3 i32 V16 h f
V3 i32 V16 f f
V32 b V6 i32 f
V6 i32 V32 b f
V6 i32 V32 h f
V32 h V6 i32 f
V32 f V6 i32 f
V2 i32 V8 b f
V2 i32 V8 h f
V2 i32 V8 f f
i32 V8 b f
i32 V8 h f
i32 V8 f f
i32 i32 b i32 f i32
i32 i32 h i32 f i32
i32 i32 f i32 f i32
i32 i32 V2 b i32 f i32
i32 i32 V2 h i32 f i32
i32 i32 V2 f i32 f i32
V3 i32 V16 b i32 f
V3 i32 V16 h i32 f
V3 i32 V16 f i32 f
V6 i32 V32 b i32 f
V6 i32 V32 h i32 f
V6 i32 V32 f i32 f
V2 i32 V8 b i32 f
V2 i32 V8 h i32 f
V2 i32 V8 f i32 f
i32 V8 b i32 f
i32 V8 h i32 f
i32 V8 f i32 f
V2 b V2 b f i32 i1
i32 h i32 i32 i32
i32 f i32 i32 i32
V2 h V2 h f i32 i1
V2 b f f i32
V2 h f f i32
*A0:0
i64
p4
*A0:2 A0:7 A0:7 A0:7
*A0:2 A0:7 A0:7 A0:7 i1
*S2 A0:2 i1 A0:7 A0:7 i1
f i32 i32 f
*A0:1 i32 i32
*i32 A0:4 i1
v p3
i64 p3 i64
i32 i32 i32
S2 i32 i32 i32 i32 V4 i32 i32
S2 i32 i32 i32 i32 V8 i32 i32
S2 i64 i32 i32 i32 V8 i32 i32
v i32 i32
v i32
*A0:0 p3
i32 p2 i32 i32 i32 i1 i32 i1 i1
*S2 i1 A0:1 A1:1
*v A0:1
*v i32 i32 A0:0 A0:7 A0:7 A0:7 i1 i1
*v i32 i32 A0:3 A0:7 i1 i1
*v i32 i32 A0:0 A0:7 A0:7 A0:7 i1 i32
*A0:1 A1:2 A1:7 i32
f f f
f V2 h V2 h f i1
b V2 b V2 b b
h V2 h V2 h h
f V2 b V2 b f i1
*A0:2 A1:4 A2:2
*A0:0 p0 i32
v p0 i32
*A0:1 A1:2
i64 p1 i64
v p1 p3 i32 i32
*A0:0 p1 i32
*A0:0 p1
v p1 i32
*A0:1 A1:1 A1:7 i32
*S2 i1 A0:1 i1
*A0:1 i1 A0:7
*A0:1 A0:7 A1:1 A2:0 i32 i32
*A0:1 A0:7 A1:1 A1:7 A2:0 i32 i32
*A0:1 A0:7 A1:1 A1:7 A1:7 A2:0 i32 i32
*A0:1 A0:7 A1:1 A1:7 A1:7 A1:7 A2:0 i32 i32
*A0:2 A0:7 A1:1 A2:0 i32 i32
*A0:2 A0:7 A1:1 A1:7 A2:0 i32 i32
*A0:2 A0:7 A1:1 A1:7 A1:7 A2:0 i32 i32
*A0:2 A0:7 A1:1 A1:7 A1:7 A1:7 A2:0 i32 i32
*A0:1 A0:7 A0:7 A1:1 A2:0 i32 i32
*A0:1 A0:7 A0:7 A1:1 A1:7 A2:0 i32 i32
*A0:1 A0:7 A0:7 A1:1 A1:7 A1:7 A2:0 i32 i32
*A0:1 A0:7 A0:7 A1:1 A1:7 A1:7 A1:7 A2:0 i32 i32
*A0:0 A0:7 A1:1 A2:0 i32 i32
*A0:0 A0:7 A1:1 A1:7 A2:0 i32 i32
*A0:0 A0:7 A1:1 A1:7 A1:7 A2:0 i32 i32
*A0:0 A0:7 A1:1 A1:7 A1:7 A1:7 A2:0 i32 i32
S3 V10 i32 V3 f V3 f i64 f i8 V3 f V3 f V2 i32 V4 i32
*V4 i32 A0:1 f V3 f A1:3 A1:7 V4 i32
S3 V10 i32 V3 f V3 f i64 f i8 V3 f V3 f i32 V4 i32
*A0:0 i32 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 A1:2 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 A1:2 A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 f A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 A1:2 f A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 A1:2 f A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 i32 A1:2 f A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 i32 A1:2 f A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 i32 A1:2 f A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A2:0 A3:0 i1 i32 i32
*A0:2 i32 A1:1 A2:0 i32 i32
*A0:0 i32 A1:1 A2:0 i32 i32
*A0:0 i32 A1:1 A1:7 A2:0 i32 i32
*A0:0 i32 A1:1 A1:7 A1:7 A2:0 i32 i32
*A0:0 i32 A1:1 A1:7 A1:7 A1:7 A2:0 i32 i32
*v i32 A0:2 A1:0 A2:0 i1 i32 i32
*v i32 A0:2 A0:7 A1:0 A2:0 i1 i32 i32
*v i32 A0:2 A0:7 A0:7 A1:0 A2:0 i1 i32 i32
*A0:0 i32 A1:2 A2:2 A3:0 A4:0 i1 i32 i32
*v i32 A0:2 A1:2 A2:0 A3:0 i1 i32 i32
*v i32 A0:2 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 A0:2 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 A0:2 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 i32 A0:2 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 i32 A0:2 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 i32 A0:2 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A2:2 A3:0 A4:0 i1 i32 i32
*v i32 i32 A0:2 A1:2 A2:0 A3:0 i1 i32 i32
*A0:0 i32 f A1:2 A2:0 A3:0 i1 i32 i32
*v i32 f A0:2 A1:0 A2:0 i1 i32 i32
*v i32 f A0:2 A0:7 A1:0 A2:0 i1 i32 i32
*v i32 f A0:2 A0:7 A0:7 A1:0 A2:0 i1 i32 i32
*A0:0 i32 A1:2 f A2:2 A3:0 A4:0 i1 i32 i32
*v i32 A0:2 f A1:2 A2:0 A3:0 i1 i32 i32
*v i32 A0:2 f A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 A0:2 f A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 A0:2 f A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 i32 A0:2 f A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 i32 A0:2 f A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 i32 A0:2 f A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 f A2:2 A3:0 A4:0 i1 i32 i32
*v i32 i32 A0:2 f A1:2 A2:0 A3:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A2:2 A3:0 A4:0 i1 i32 i32
*v i32 f A0:2 A0:7 A1:2 A2:0 A3:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 f A0:2 A0:7 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 f A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 f A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A1:7 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 f A0:2 A0:7 A0:7 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 f A0:2 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 f A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 f A1:2 A1:7 A1:7 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 f A0:2 A0:7 A0:7 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A1:7 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A0:7 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A2:2 A3:0 A4:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A1:2 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A1:7 A1:7 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A0:7 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 f A0:2 A0:7 A0:7 A0:7 A1:0 A2:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A1:0 A2:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A0:7 A1:0 A2:0 i1 i32 i32
*v i32 i32 f A0:2 A0:7 A0:7 A0:7 A1:0 A2:0 i1 i32 i32
*A0:0 i32 i32 f A1:2 A2:0 A3:0 i1 i32 i32
*v i32 i32 f A0:2 A1:0 A2:0 i1 i32 i32
*A0:0 i32 A1:2 A1:7 A2:2 A3:0 A4:0 i1 i32 i32
*v i32 A0:2 A0:7 A1:2 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A1:7 A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 A0:2 A0:7 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A1:7 A1:7 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 A0:2 A0:7 A0:7 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 A0:2 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 A1:2 A1:7 A1:7 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 A0:2 A0:7 A0:7 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A1:7 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A0:7 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A2:2 A3:0 A4:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A1:2 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A1:7 A1:7 A2:2 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A0:7 A0:7 A1:2 A1:7 A2:0 A3:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A1:7 A1:7 A1:7 A1:7 A1:7 A2:2 A2:7 A2:7 A3:0 A4:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A0:7 A0:7 A0:7 A0:7 A1:2 A1:7 A1:7 A2:0 A3:0 i1 i32 i32
*v i32 A0:2 A0:7 A0:7 A0:7 A1:0 A2:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A1:0 A2:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A0:7 A1:0 A2:0 i1 i32 i32
*v i32 i32 A0:2 A0:7 A0:7 A0:7 A1:0 A2:0 i1 i32 i32
*A0:0 i32 i32 A1:2 A2:0 A3:0 i1 i32 i32
*v i32 i32 A0:2 A1:0 A2:0 i1 i32 i32
*v A0:2 i32 A1:1 A2:0 i32 i32
*v A0:2 i32 A1:1 A1:7 A2:0 i32 i32
*v A0:2 i32 A1:1 A1:7 A1:7 A2:0 i32 i32
*v A0:2 i32 A1:1 A1:7 A1:7 A1:7 A2:0 i32 i32
v i64
f f f f i1
h f f f i1
f i32 i32 i32 i32
f f i32 i32 i32
f f i32 i32 i1 i32
f f f i32 i32 i32
h f f i32 i32 i1 i32
*i1 A0:1
i1 p0
v i1
*A0:0 i32
f i32 i32 i32
*v A0:4 p3 i32 i32 i32
*A0:4 A1:4 i16 i64 i32
V4 f V4 i16 V4 i16 V4 f i32 i32 i32
V4 f V4 h V4 h V4 f i32 i32 i32
V16 f f f V16 f i32 i32 i32
V16 f V2 i16 V2 i16 V16 f i32 i32 i32
V4 f V8 b V8 b V4 f i32 i32 i32
V4 f i64 i64 V4 f i32 i32 i32
V4 f V8 h V8 h V4 f i32 i32 i32
V16 f V4 i16 V4 i16 V16 f i32 i32 i32
V16 f V4 h V4 h V16 f i32 i32 i32
V4 f f f V4 f i32 i32 i32
V4 f V2 f V2 f V4 f i32 i32 i32
V4 f V2 i16 V2 i16 V4 f i32 i32 i32
V16 f V8 b V8 b V16 f i32 i32 i32
V16 f i64 i64 V16 f i32 i32 i32
V16 f V8 h V8 h V16 f i32 i32 i32
V32 f f f V32 f i32 i32 i32
V32 f V2 i16 V2 i16 V32 f i32 i32 i32
V16 f V2 f V2 f V16 f i32 i32 i32
V32 f V4 i16 V4 i16 V32 f i32 i32 i32
V32 f V4 h V4 h V32 f i32 i32 i32
V4 d d d V4 d i32 i32 i32
d d d d i32 i32 i32
V4 i32 i32 i32 V4 i32 i32 i32 i32
V4 i32 i64 i64 V4 i32 i32 i32 i32
V16 i32 i32 i32 V16 i32 i32 i32 i32
V4 i32 V4 i32 V4 i32 V4 i32 i32 i32 i32
V16 i32 i64 i64 V16 i32 i32 i32 i32
V16 i32 V4 i32 V4 i32 V16 i32 i32 i32 i32
V32 i32 i32 i32 V32 i32 i32 i32 i32
*V4 f A0:3 A1:3 V4 f i32 i32 i32 i32 i32 i32
*V16 f A0:3 A1:3 V16 f i32 i32 i32 i32 i32 i32
*A0:1 A0:7 i32 i32 i32 i1
*A0:0 A0:7 i32
i64 i64 i32 i64
V4 i32 i64 i32 V4 i32
V2 i32 i32 i32 V2 i32
V3 i32 i32 i64 V2 i32
V4 i32 i64 i64 V2 i32
*A0:0 A0:7 A0:7 i32 i32 i1 i1
S2 i32 i32 i32 i32 i1 i1
i32 i32 i32 i32 i1 i1
*A0:0 A0:7
V2 i16 V2 i16 V2 i16 V2 i16 i1
i32 i32
*A0:0 V4 i32 i32 i32 i32
*A0:0 A0:7 V4 i32 i32 i32 i32
*A0:1 A0:7 A0:7 V4 i32 i32 i32 i32
*A0:2 A0:7 V4 i32 i32 i32 i32
v V4 i32 p3 i32 i32 i32 i32 i32
*v A0:0 V4 i32 i32 i32 i32
*v A0:2 V4 i32 i32 i32 i32
*A0:0 p8 i32 i32 i32
*A0:0 A0:7 p8 i32 i32 i32
*A0:1 A0:7 A0:7 p8 i32 i32 i32
*A0:2 A0:7 p8 i32 i32 i32
*A0:2 p8 i32 i32 i32
v p8 p3 i32 i32 i32 i32 i32
*v A0:0 p8 i32 i32 i32
*v A0:2 p8 i32 i32 i32
*A0:0 p8 i32 i32 i32 i32
*v A0:0 p8 i32 i32 i32 i32
*A0:0 V4 i32 i32 i32 i32 i32
*v A0:0 V4 i32 i32 i32 i32 i32
f f
i32 m
v p3 i32
v i16
i1 i32
i64 i32
*A0:0 V4 i32 i32 i32
v p8 i32 i32
i32 p3
*v A0:4 i32
*A0:1 A1:1
*A0:1 i32
i16 i32
*A0:1 A0:7 i32 i32
v i32 i32 i32
i32 V2 i16 V2 i16 i32 i1
*A0:0 A0:7 A0:7
*A0:1 A0:7 A0:7
*A0:1 A0:7
V4 f V4 i32 V8 i32 V4 f i32 i32 i32
V4 f V4 i16 V8 i16 V4 f i32 i32 i32
V4 f V4 h V8 h V4 f i32 i32 i32
V4 f V8 b V16 b V4 f i32 i32 i32
V4 f V2 i32 V4 i32 V4 f i32 i32 i32
V4 f V8 h V16 h V4 f i32 i32 i32
V16 f V4 i16 V8 i16 V16 f i32 i32 i32
V16 f V4 h V8 h V16 f i32 i32 i32
V16 f V8 b V16 b V16 f i32 i32 i32
V16 f V2 i32 V4 i32 V16 f i32 i32 i32
V16 f V8 h V16 h V16 f i32 i32 i32
V16 f V4 i32 V8 i32 V16 f i32 i32 i32
V4 i32 V4 i32 V8 i32 V4 i32 i32 i32 i32
V4 i32 V2 i32 V4 i32 V4 i32 i32 i32 i32
V16 i32 V2 i32 V4 i32 V16 i32 i32 i32 i32
V16 i32 V4 i32 V8 i32 V16 i32 i32 i32 i32
*A0:0 A0:7 V4 i32 i32 i32 i32 i32
*A0:1 A0:7 A0:7 V4 i32 i32 i32 i32 i32
*A0:2 A0:7 V4 i32 i32 i32 i32 i32
v V4 i32 p3 i32 i32 i32 i32 i32 i32
*A0:0 A0:7 p8 i32 i32 i32 i32
*A0:1 A0:7 A0:7 p8 i32 i32 i32 i32
*A0:2 A0:7 p8 i32 i32 i32 i32
v p8 p3 i32 i32 i32 i32 i32 i32
*A0:0 p8 i32 i32 i32 i32 i32
*v A0:0 p8 i32 i32 i32 i32 i32
*A0:0 V4 i32 i32 i32 i32 i32 i32
*v A0:0 V4 i32 i32 i32 i32 i32 i32
i32 i1 i32 i1 i32 i32 i1
*A0:1 A1:1 A2:1 A0:7 A3:1
*A0:2 i1 A1:2 i1 A2:2 A0:7 A3:1 i1 i1
*A0:2 A1:1 A2:1 A0:7 A3:1 i1 i1
*A0:2 A1:2 A2:2 A0:7 A3:1
*A0:2 A1:1 A2:1 A0:7 A3:1
*A0:1 i1 A1:1 i1 A2:1 A0:7 A3:1 i1 i1 i1
*A0:1 i1 A1:1 i1 A2:1 A0:7 A3:1 i1
v V4 i32 V8 i32 V4 i32 V4 i32 i32
v V4 i32 V8 i32 i32
*A0:2 A0:7 i32
*A0:0 A0:7 A0:7 i32 i32 i32 i1
*A0:1 A1:1 A1:7 A0:7 i1
*A0:2 i1 A1:2 i1 A1:7 i16 A0:7 i1 i1
*A0:2 i1 A1:2 i1 A1:7 i16 A2:2 i1 i1
*A0:2 A1:1 A1:7 i16 A0:7 i1 i1
*A0:2 A1:2 A1:7 A0:7 i1
*A0:2 i32 A1:1 i32 A2:1 i16 A0:7
*A0:2 A1:1 A1:7 A0:7
*A0:2 A1:2 A1:7 A0:7
*A0:2 A1:1 A2:1 i16 A0:7
*A0:1 i1 A1:1 i1 A1:7 A0:7 i1
*A0:1 i1 A1:1 i1 A1:7 A0:7 i1 i1 i1
*A0:2 i32 A1:1 i32 A2:1 i16 A0:7 i32 i32 i32 i32 i32 i32 i1 i1
*A0:2 A1:1 A2:1 i16 A0:7 i32 i32 i32 i32 i32 i32 i1 i1
*A0:2 i32 A1:1 i32 A2:1 i16 A0:7 i32 i32 i64 i32 i32 i64 i1 i1
*A0:2 A1:1 A2:1 i16 A0:7 i32 i32 i64 i32 i32 i64 i1 i1
i1 i1
*A0:0 A0:7 i32 A0:7
*A0:1 A0:7 A1:4 A1:7 i32
*A0:2 A0:7 A0:7
p0 t i32
t i32
v t
v p0 p0
v m
*A0:2 i16
*i16 A0:2
*A0:1
i1 t
*t A0:1 i32
p0 t
p0 p0 p0
v p0
p0
i1 p0 p0 p0
v p0 p0 p0
p0 t p0
p0 t p0 i32
v p0 i1 t
v p0 i1 .
t .
t i32 p0 p0 p0
t i32 i32 i32 p0
t i32 i32 p0 p0 p0 p0
p0 p0 i32 i1
t p0
p0 p0 i8
i8 t i1
*A0:0 i32 p0 p0 .
*A0:0 .
v m m m m m m
v m m m
p0 i32
i32 t
*A0:4 t
v i32 p0
v i64 p0
i32 p0
*i32 A0:4
*A0:1 A0:7 A0:7 d
*A0:2 A0:7 m m
*A0:2 A0:7 A0:7 m m
*A0:2 A0:7 m
*W0 i1 A0:2 A0:7 m m
*A0:2 A0:7 A0:7 A0:7 m m
*A0:2 A1:2 m
*A0:1 A1:2 m
*A0:2 A1:2 m m
*A0:2 A0:7 A1:1 m m
*A0:1 A1:2 m m
*A0:2 A0:7 A0:7 m
*A0:2 A0:7 i32 m m
*A0:2 A1:1 m m
t
*A0:1 A1:3 i1
*i64 A0:4
*A0:0 t i32 i32
*A0:0 t
*t i64 i32 A0:4 i32 i32 .
*i32 A0:1 i32 i1
v i1 .
*v A0:4 A1:0 A2:1 i1
*A0:0 i64 i32 p0 i32 .
v i64 i32 p0 i32 .
v i64 i32 .
*A0:3 A0:7 W0 i1 A0:7
*e0 A0:3 W0 i1 e0
*v A0:3 A1:1 W0 i1
*W0 i1 A0:3 A1:3 W0 i1
*A0:3 A0:7 W0 i1 i32
*A0:3 A0:7 A0:7 i32 W0 i1 i32 i32
*A0:3 A1:4 A2:1 W0 i1 i32
*v A0:3 A1:4 A2:1 W0 i1 i32
v .
*A0:4 i32
*S2 A0:2 A1:1 A0:7
*A0:1 A0:7 A0:7 A0:7
*A0:3 A1:1 A1:7
v p0 p0 i32
v p0 i32 i64
v p0 i64 i32 i32 p0
v p0 i64 i32 i32
v p0 i64 i32 i32 i64
v p0 i64 i32
v p0 i64 i32 p0
v p0 i64 i64 i32 i32
*v p0 i64 A0:4
*p0 i64 A0:4
*i1 A0:0
*W0 i1 A0:2 i32
*A0:4 A0:7
*A0:2 A0:7 A1:1
*v A0:4
*p0 p0 A0:1
p0 p0 p0 i32
*A0:3 p0 p0 i64
*v A0:3 p0 W0 i1
*A0:3 p0 W0 i1 A0:7
*A0:3 P1:0 W0 i1 A0:7
*A0:3 A1:4 W0 i1 A0:7
*v A0:3 P1:0 W0 i1
*v A0:3 A1:4 W0 i1
*A0:3 p0 A1:1 i1 i32 i32
*v A0:3 p0 A1:1 i1 i32 i32
*A0:3 A1:3 A2:3 i32 i32 i32
*A0:3 A0:7 i32 i32
*v A0:4 A1:4 A2:1 i1
*v A0:4 A1:4 A2:1 i32
*v A0:4 i8 A1:1 i1
*v A0:4 i8 A1:1 i32
*S2 A0:7 A0:7 A0:2
*A0:1 A1:4 i1 i1 i1
*v A0:4 i32 i32 i32
*A0:4 A1:4 i32 i32
*A0:4 A1:4 i32
*A0:4 A0:7 i64 i1
v i64 i64 i32 i64
*A0:4 A0:7 A1:4 A1:7 i32 A1:7
i64 i64 i64
i64 i64 i32 i64 i32 i64
i64 i64 i32
*A0:0 A0:7 A1:1
i1 p0 m
V4 f V4 f
V4 f V4 f i32 i32 i32 i32 i32 i32 i32 i32 i32
f V4 f V4 f
p7
v f
v V4 i32 V4 i32 i32
v V4 f i32 i32 i32
v V4 f i32 i32
V4 i32 V4 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32
*S2 A0:1 W0 i1 A0:7 A0:7
*A0:1 A1:1 A1:7
*A0:1 A0:7 A0:7 i32
*A0:3
*S2 A0:1 i1 A0:7
S2 p0 i1 p0 i32 m
v i8
*v A0:4 A0:7
*v A0:4 A1:4 A1:7 i32 A1:7
*S2 N2:0 N2:0 A0:3
*S3 N3:0 N3:0 N3:0 A0:3
*S4 N4:0 N4:0 N4:0 N4:0 A0:3
*S5 N5:0 N5:0 N5:0 N5:0 N5:0 A0:3
*S6 N6:0 N6:0 N6:0 N6:0 N6:0 N6:0 A0:3
*S7 N7:0 N7:0 N7:0 N7:0 N7:0 N7:0 N7:0 A0:3
*S8 N8:0 N8:0 N8:0 N8:0 N8:0 N8:0 N8:0 N8:0 A0:3
*A0:3 A1:3 i64
*A0:3 A0:7 A1:3 i64
*A0:3 N2:0 N2:0
*A0:3 N3:0 N3:0 N3:0
*A0:3 N4:0 N4:0 N4:0 N4:0
*A0:3 N5:0 N5:0 N5:0 N5:0 N5:0
*A0:3 N6:0 N6:0 N6:0 N6:0 N6:0 N6:0
*A0:3 N7:0 N7:0 N7:0 N7:0 N7:0 N7:0 N7:0
*A0:3 N8:0 N8:0 N8:0 N8:0 N8:0 N8:0 N8:0 N8:0
*A0:7 A0:3 A1:3
*A0:7 A0:2 A1:2
*e0 A0:3
*e0 e0 A0:3
*A0:3 A0:7
*A0:3 A0:7 A0:7 i32
*A0:3 A0:7 i1 W0 i1 i32
*A0:3 A0:7 A0:7 W0 i1 i32
*A0:1 A1:3 i1 W1 i1 i32
*W0 i1 A0:3 A0:7 m W0 i1 i32
*A0:3 A0:7 A0:7 A0:7 W0 i1 i32
*A0:3 A1:3 W0 i1 i32
*A0:3 P1:0 W0 i1 i32
*W0 i1 A0:3 i32 W0 i1 i32
*A0:3 A1:4 W0 i1 i32
*S2 A0:3 i32 A1:4 W0 i1 i32
*A0:3 W0 i1 A0:7 A0:7 i32
*e0 e0 A0:3 W0 i1 i32
*v A0:3 P1:0 W0 i1 i32
*v A0:3 A1:4 W0 i1 i32
*v m A0:1
v p0 i64
v i64 p0 i64
`;

/** `FUNCTION|RESULT|PARAMETER...` attributes in IR syntax, one a line */
export const ATTRIBUTES = (): string => `
nocallback nofree nosync nounwind speculatable willreturn memory(none)|||immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)
nocallback nofree nosync nounwind willreturn memory(none)
nocallback nofree nosync nounwind willreturn memory(argmem: read)
nocallback nofree nosync nounwind willreturn memory(none)|noundef
nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)|noundef
nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)|noundef|immarg
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)|||||immarg
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)
nocallback nofree nosync nounwind willreturn
convergent nounwind
nocallback nofree nosync nounwind speculatable willreturn memory(none)|noundef
nocallback nofree nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)||readonly captures(none)|writeonly captures(none)|immarg|immarg
convergent nocallback nofree nounwind willreturn memory(argmem: read)||readonly captures(none)|immarg
nounwind speculatable memory(none)
convergent nocallback nofree nounwind memory(read)||readonly captures(none)|immarg
convergent nocallback nofree nounwind memory(write)||writeonly captures(none)||immarg
convergent noreturn nounwind||||||immarg
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)|||immarg
nocallback nofree nosync nounwind willreturn memory(none)|||immarg
convergent nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none)||||immarg range(i32 0, 16)
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)|||||immarg range(i32 0, 4)|immarg
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)||||immarg range(i32 0, 4)
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)||||immarg
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)||||||immarg
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)|||||immarg range(i32 0, 4)
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)||||||immarg range(i32 0, 4)
nocallback nofree nosync nounwind speculatable willreturn memory(none)|noundef nonnull align 4
nocallback nofree nounwind willreturn|||immarg
convergent nocallback nofree nounwind willreturn memory(argmem: readwrite)||align 4 captures(none)|immarg
convergent nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
convergent nounwind willreturn memory(argmem: readwrite)||captures(none)
convergent nocallback nofree nounwind willreturn memory(none)
nocallback nofree nounwind willreturn|||||immarg
convergent nocallback nofree nounwind willreturn memory(inaccessiblemem: readwrite)
convergent nocallback nofree nounwind willreturn memory(inaccessiblemem: write)
convergent nocallback nofree nounwind willreturn memory(argmem: read)||captures(none)
nocallback nofree nounwind willreturn||captures(none)||immarg|immarg|immarg|immarg|immarg|immarg
convergent nocallback nofree nounwind willreturn memory(none)|||immarg
nocallback nofree nounwind willreturn
cold convergent nocallback nofree noreturn nounwind
nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)||immarg|immarg|||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)||immarg|immarg|||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)||immarg|immarg|||||immarg
convergent nocallback nofree nounwind willreturn memory(none)||||immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)||captures(none)
nocallback nofree nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)||captures(none)|immarg
nocallback nofree nounwind willreturn||captures(none)|captures(none)|immarg|immarg|immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)||writeonly captures(none)|readonly captures(none)|immarg|immarg
nocallback nofree nounwind willreturn memory(none)
convergent nocallback nofree nounwind willreturn||immarg
nocallback nofree nounwind willreturn|||||immarg|immarg
nocallback nofree nounwind willreturn||||||immarg|immarg
nocallback nofree nounwind willreturn|||||||immarg|immarg
nocallback nofree nounwind willreturn||||||||immarg|immarg
nocallback nofree nounwind willreturn|||||||||immarg|immarg
nocallback nofree nounwind willreturn memory(read)
nocallback nofree nosync nounwind willreturn memory(read)
nocallback nofree nosync nounwind willreturn memory(read)||immarg|||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg|||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg|||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg||||||||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn memory(none)||immarg||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn memory(none)||immarg|||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn memory(none)||immarg||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(none)||immarg|||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg|||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg|||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg||||||immarg|immarg
convergent nocallback nofree nosync nounwind willreturn memory(read)||immarg||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn||immarg||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn memory(read)||immarg|||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn||immarg|||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn memory(read)||immarg||||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn||immarg||||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn memory(read)||immarg|||||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn||immarg|||||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn memory(read)||immarg||||||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn||immarg||||||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn memory(read)||immarg|||||||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn||immarg|||||||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn memory(read)||immarg||||||||||immarg|immarg|immarg
convergent nocallback nofree nosync nounwind willreturn||immarg||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg|||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg|||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg|||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg|||||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg|||||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg|||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg||||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg||||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg||||||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg||||||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg|||||||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg|||||||||||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg||||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg|||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||immarg||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn||immarg||||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(write)|||immarg|||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(write)|||immarg||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(write)|||immarg|||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(write)|||immarg||||||immarg|immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)|noundef align 4
convergent nocallback nofree nounwind willreturn|||immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)|||||immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)||immarg|immarg|immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)|||immarg|immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)|||immarg|immarg|immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)||||immarg|immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)||||immarg|immarg|immarg
nocallback nofree nounwind
nocallback nofree nosync nounwind speculatable willreturn memory(read)
nocallback nofree nosync nounwind speculatable willreturn memory(none)||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: read)|noundef
nocallback nofree nounwind willreturn memory(argmem: readwrite)||readonly captures(none)|writeonly captures(none)|immarg|immarg|immarg
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)||readnone
nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none)
convergent nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none)|||||immarg|immarg|immarg
convergent nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none)|||||immarg|immarg|immarg||immarg
convergent nocallback nofree nounwind willreturn memory(none)|||immarg|immarg|immarg|immarg
nocallback nofree nounwind speculatable willreturn memory(none)
convergent nocallback nofree nounwind willreturn memory(none)||||||immarg|immarg
convergent nocallback nofree nounwind willreturn memory(none)||||immarg|immarg
convergent nocallback nofree nounwind willreturn memory(none)|||||immarg|immarg
nocallback nofree nounwind willreturn||||||immarg
nocallback nofree nounwind willreturn|||||||immarg
nocallback nofree nosync nounwind willreturn memory(read)|||||immarg
nocallback nofree nounwind willreturn|||captures(none)|immarg|||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(write)||||||immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)||captures(none)|||immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)|||captures(none)|||immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)||||captures(none)|||immarg
nocallback nofree nosync nounwind willreturn memory(argmem: read)||readonly captures(none)|||immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)||readonly captures(none)|writeonly captures(none)|immarg|||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(argmem: write)|||writeonly captures(none)|||immarg
nocallback nofree nosync nounwind willreturn memory(argmem: read)||readonly captures(none)|||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(argmem: write)|||writeonly captures(none)|||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)|||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(write)||||||immarg|immarg
convergent nocallback nofree nounwind willreturn
convergent nocallback nofree nosync nounwind willreturn memory(none)
nocallback nofree nosync nounwind willreturn memory(none)||||immarg
nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)|||immarg
nocallback nofree nosync nounwind willreturn||immarg
nocallback nofree nounwind willreturn|noundef
nocallback nofree nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)||captures(none)
nocallback nounwind willreturn||immarg
nocallback nounwind||immarg
nounwind willreturn
nocallback nofree nounwind willreturn memory(inaccessiblemem: readwrite)||immarg
nocallback nofree nounwind willreturn||immarg
convergent nocallback nofree nounwind willreturn||immarg|immarg|immarg
convergent nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none)||||||immarg|immarg
convergent nocallback nofree nounwind speculatable willreturn memory(none)
nocallback nofree nounwind willreturn||||||||immarg
nocallback nofree nosync nounwind willreturn memory(read)||||||immarg
nocallback nofree nounwind willreturn|||captures(none)|immarg||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(write)|||||||immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)||captures(none)||||immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)|||captures(none)||||immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)||||captures(none)||||immarg
nocallback nofree nosync nounwind willreturn memory(argmem: read)||readonly captures(none)||||immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)||readonly captures(none)|writeonly captures(none)|immarg||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(argmem: write)|||writeonly captures(none)||||immarg
nocallback nofree nosync nounwind willreturn memory(argmem: read)||readonly captures(none)||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(argmem: write)|||writeonly captures(none)||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(read)||||||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(write)|||||||immarg|immarg
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)||immarg||immarg|||immarg
convergent nocreateundeforpoison nounwind willreturn memory(none)
convergent nocreateundeforpoison nounwind willreturn memory(none)||immarg||immarg||||immarg|immarg
convergent nocreateundeforpoison nounwind willreturn memory(none)||||||immarg|immarg
convergent nocreateundeforpoison nounwind willreturn memory(none)||immarg||immarg||||immarg|immarg|immarg
convergent nocreateundeforpoison nounwind willreturn memory(none)||immarg||immarg||||immarg
convergent nocallback nofree nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)||||||immarg
convergent nocallback nofree nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)||||immarg
convergent nocallback nofree nounwind
convergent nocallback nofree nounwind willreturn memory(none)||||immarg|immarg|immarg|immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)|noundef range(i32 32, 65)
convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)|||||immarg
convergent nocallback nofree nounwind willreturn memory(none)||immarg||immarg||immarg||immarg|immarg
convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||||immarg||immarg|immarg
convergent nocallback nofree nounwind willreturn memory(none)||immarg||immarg||immarg
convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||||immarg
convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||immarg||immarg|||immarg
convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||immarg||immarg|||immarg|immarg|immarg
convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||immarg||immarg||immarg||immarg|immarg||immarg|immarg||immarg|immarg
convergent nocallback nocreateundeforpoison nofree nounwind willreturn memory(none)||||immarg||immarg|immarg||immarg|immarg||immarg|immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)|noundef range(i32 0, 1024)
nocallback nofree nounwind memory(inaccessiblemem: write)
nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
nounwind|||immarg
nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)||noundef
nocallback nofree nosync nounwind willreturn|||immarg
nomerge nounwind
nounwind
nocallback noduplicate nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
nounwind memory(none)

nounwind|||writeonly
nounwind memory(argmem: readwrite)||readonly captures(none)
nounwind memory(argmem: read)|||readonly captures(none)
nocallback nofree nosync nounwind willreturn memory(argmem: read)|||readnone|readonly captures(none)
nounwind memory(none)||captures(none)
nocallback nofree nosync nounwind willreturn memory(argmem: read)||readonly captures(none)
nounwind memory(none)||immarg
noreturn nounwind
nocallback nofree nosync nounwind strictfp willreturn memory(inaccessiblemem: readwrite)
nocallback nofree nosync nounwind willreturn memory(none)||readnone captures(none)
nocallback nofree nosync nounwind willreturn memory(none)|||immarg|immarg
||immarg|immarg||immarg|immarg
nocallback nofree nounwind willreturn memory(argmem: write)||writeonly captures(none)|||immarg
||immarg|immarg||immarg
nocallback nofree nosync willreturn||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
nocallback nofree nosync nounwind speculatable willreturn memory(none)||||immarg
nocallback nofree nosync nounwind willreturn memory(argmem: read)||captures(none)
nocallback nofree nosync nounwind willreturn memory(argmem: write)|||captures(none)
nocallback nofree nosync nounwind speculatable willreturn memory(inaccessiblemem: readwrite)|noundef
nocallback nofree nosync nounwind willreturn memory(none)||immarg
nounwind memory(argmem: read)
nounwind memory(argmem: readwrite)|||captures(none)|captures(none)
nounwind||||immarg
nounwind|||immarg|immarg
nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)||writeonly captures(none)|readnone|readnone
nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)|||immarg|captures(none)
nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)||immarg|captures(none)
nocallback nofree nosync nounwind speculatable willreturn memory(inaccessiblemem: readwrite)
nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)||captures(none)
nocallback noduplicate nofree nosync nounwind willreturn
nocallback nofree nosync nounwind willreturn memory(read)||captures(none)
nocallback nofree nosync nounwind willreturn memory(write)
nocallback nofree nosync nounwind willreturn memory(argmem: read)||captures(none)||immarg|immarg|immarg
nocallback nofree nosync nounwind willreturn memory(argmem: write)|||writeonly captures(none)||immarg|immarg|immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)||noalias writeonly captures(none)|noalias readonly captures(none)||immarg
nosync nounwind willreturn memory(argmem: readwrite)||writeonly captures(none)|readonly captures(none)||immarg
nocallback nofree nounwind willreturn memory(argmem: readwrite)||writeonly captures(none)|readonly captures(none)||immarg
nosync nounwind willreturn memory(argmem: write)||writeonly captures(none)|||immarg
nounwind||returned
nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)||readonly captures(none)|immarg|immarg|immarg
nocallback nofree nosync nounwind speculatable willreturn memory(none)||readnone
nounwind memory(none)|||immarg
nounwind memory(none)|||immarg||immarg
convergent nounwind willreturn
nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)|range(i32 -1, 2)
nounwind willreturn memory(write)
nocallback nofree nosync nounwind willreturn memory(none)||returned
nocallback nofree nosync nounwind speculatable willreturn memory(none)|nonnull|nonnull
cold noreturn nounwind memory(inaccessiblemem: write)
cold noreturn nounwind memory(inaccessiblemem: write)||immarg
nocallback nounwind
nounwind memory(write)||readonly captures(none)
nounwind memory(write)|||readonly captures(none)
`;
