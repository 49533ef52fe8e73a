source_filename = "shader.ll"
target triple = "amdgcn-mesa-mesa3d"

define amdgpu_ps <4 x float> @shade(<8 x i32> inreg %image, <4 x i32> inreg %sampler, float %s, float %t, i32 inreg %k) {
  %c = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float %s, float %t, <8 x i32> %image, <4 x i32> %sampler, i1 false, i32 0, i32 0)
  switch i32 %k, label %other [ i32 0, label %a
    i32 1, label %b ]
a:
  ret <4 x float> %c
b:
  %d = fneg <4 x float> %c
  ret <4 x float> %d
other:
  ret <4 x float> zeroinitializer
}

declare <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
