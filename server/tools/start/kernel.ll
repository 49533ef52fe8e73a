source_filename = "kernel.ll"
target triple = "amdgcn-amd-amdhsa"

%pair = type { i32, <2 x float> }

@scratch = internal addrspace(3) global [256 x float] poison, align 4
@table = external addrspace(4) constant [16 x i32], align 16

define amdgpu_kernel void @weights(ptr addrspace(1) noalias align 16 %out, ptr addrspace(1) readonly %in, i32 %n, float %scale, <4 x i16> %mask) #0 {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %args = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %size = load i32, ptr addrspace(4) %args, align 4, !invariant.load !0
  %first = mul i32 %group, %size
  %i = add nuw nsw i32 %first, %tid
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %work, label %done

work:
  %i64 = zext i32 %i to i64
  %from = getelementptr inbounds <4 x float>, ptr addrspace(1) %in, i64 %i64
  %v = load <4 x float>, ptr addrspace(1) %from, align 16, !tbaa !1
  %s0 = insertelement <4 x float> poison, float %scale, i32 0
  %s = shufflevector <4 x float> %s0, <4 x float> poison, <4 x i32> zeroinitializer
  %scaled = fmul fast <4 x float> %v, %s
  %x = extractelement <4 x float> %scaled, i64 1
  %slot = getelementptr inbounds [256 x float], ptr addrspace(3) @scratch, i32 0, i32 %tid
  store float %x, ptr addrspace(3) %slot, align 4
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %entry.of = getelementptr inbounds [16 x i32], ptr addrspace(4) @table, i64 0, i64 3
  %t = load i32, ptr addrspace(4) %entry.of, align 4
  %tf = sitofp i32 %t to float
  br label %loop

loop:
  %k = phi i32 [ 0, %work ], [ %k.next, %loop ]
  %acc = phi float [ %x, %work ], [ %sum, %loop ]
  %other = getelementptr inbounds [256 x float], ptr addrspace(3) @scratch, i32 0, i32 %k
  %y = load float, ptr addrspace(3) %other, align 4
  %sum = call contract float @llvm.fma.f32(float %y, float %tf, float %acc)
  %k.next = add nuw i32 %k, 1
  %again = icmp slt i32 %k.next, 64
  br i1 %again, label %loop, label %write, !llvm.loop !4

write:
  %bits = bitcast <4 x i16> %mask to i64
  %low = trunc i64 %bits to i32
  %odd = and i32 %low, 1
  %cond = icmp eq i32 %odd, 0
  %picked = select i1 %cond, float %sum, float 0x3FB99999A0000000
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i64
  store float %picked, ptr addrspace(1) %to, align 4
  %old = atomicrmw add ptr addrspace(1) %to, i32 1 syncscope("agent") monotonic, align 4
  ret void

done:
  ret void
}

define amdgpu_kernel void @wide(<16 x i8> %a, i64 %b, ptr addrspace(1) %p) #1 {
  %c = add <16 x i8> %a, <i8 1, i8 2, i8 3, i8 4, i8 5, i8 6, i8 7, i8 8, i8 9, i8 10, i8 11, i8 12, i8 13, i8 14, i8 15, i8 16>
  store <16 x i8> %c, ptr addrspace(1) %p, align 16
  %d = lshr i64 %b, 7
  store i64 %d, ptr addrspace(1) null, align 8
  ret void
}

declare noundef i32 @llvm.amdgcn.workitem.id.x() #2
declare i32 @llvm.amdgcn.workgroup.id.x() #2
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr() #2
declare void @llvm.amdgcn.s.barrier()
declare float @llvm.fma.f32(float, float, float)

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="1,256" "amdgpu-waves-per-eu"="2,8" "uniform-work-group-size"="true" }
attributes #1 = { "amdgpu-memory-bound"="true" "amdgpu-wave-limiter"="true" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!5, !6}
!0 = !{}
!1 = !{!2, !2, i64 0}
!2 = !{!"float", !3}
!3 = !{!"root"}
!4 = distinct !{!4, !7}
!5 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!6 = !{i32 8, !"PIC Level", i32 2}
!7 = !{!"llvm.loop.mustprogress"}
