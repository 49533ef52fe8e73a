source_filename = "calls.ll"
target triple = "amdgcn-amd-amdhsa"

%struct.point = type { i32, float, ptr }

@hook = external global ptr
@counter = global i32 7, align 4

declare hidden fastcc float @helper(i32 noundef, ptr addrspace(5) byval(%struct.point) align 8) #0
declare void @llvm.memcpy.p5.p0.i64(ptr addrspace(5) noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)
declare i64 @llvm.amdgcn.ballot.i64(i1)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)

define float @caller(i32 %a, ptr %p, i1 zeroext %flag, double %d) #1 {
  %point = alloca %struct.point, align 8, addrspace(5)
  %buffer = alloca [8 x i32], align 4, addrspace(5)
  call void @llvm.memcpy.p5.p0.i64(ptr addrspace(5) align 8 %point, ptr align 8 %p, i64 16, i1 false)
  %q = getelementptr inbounds [8 x i32], ptr addrspace(5) %buffer, i32 0, i32 %a
  store volatile i32 %a, ptr addrspace(5) %q, align 4
  %r = call fastcc float @helper(i32 %a, ptr addrspace(5) byval(%struct.point) align 8 %point)
  %f = load ptr, ptr @hook, align 8
  %i = call i32 %f(i32 %a, float %r)
  %vote = call i64 @llvm.amdgcn.ballot.i64(i1 %flag)
  %v32 = trunc i64 %vote to i32
  %u = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v32)
  %e = fptrunc double %d to float
  %g = uitofp i32 %u to float
  %h = fadd float %e, %g
  %old = atomicrmw add ptr @counter, i32 %i seq_cst, align 4
  %k = sitofp i32 %old to float
  %l = fsub nnan float %k, %r
  %m = fadd float %l, %h
  br i1 %flag, label %tail, label %end
tail:
  %z = tail call float asm sideeffect "v_mov_b32 $0, $1", "=v,v,~{scc}"(float %m)
  br label %end
end:
  %res = phi float [ %z, %tail ], [ %m, %0 ]
  ret float %res
}

attributes #0 = { nounwind "frame-pointer"="all" }
attributes #1 = { nounwind uwtable "no-trapping-math"="true" }
