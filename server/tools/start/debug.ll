source_filename = "debug.c"
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @traced(ptr addrspace(1) %out, i32 %n) #0 !dbg !5 {
entry:
  %slot = alloca i32, align 4, addrspace(5)
    #dbg_declare(ptr addrspace(5) %slot, !11, !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef), !13)
    #dbg_value(i32 %n, !10, !DIExpression(), !13)
  store i32 %n, ptr addrspace(5) %slot, align 4, !dbg !13
  %a = load volatile i32, ptr addrspace(5) %slot, align 4, !dbg !14
  %b = mul nsw i32 %a, 3, !dbg !14
    #dbg_value(i32 %b, !12, !DIExpression(DW_OP_plus_uconst, 4, DW_OP_stack_value), !15)
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i32 %b, !dbg !15
  store i32 %b, ptr addrspace(1) %p, align 4, !dbg !15, !annotation !17
  call void @sink(i32 %b), !dbg !16
  ret void, !dbg !16
}

declare void @sink(i32)

attributes #0 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!llvm.ident = !{!18}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "none", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !2)
!1 = !DIFile(filename: "debug.c", directory: "/src")
!2 = !{}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 7, !"Dwarf Version", i32 5}
!5 = distinct !DISubprogram(name: "traced", scope: !1, file: !1, line: 1, type: !6, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !2)
!6 = !DISubroutineType(types: !7)
!7 = !{null, !8, !9}
!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !9, size: 64)
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !DILocalVariable(name: "n", arg: 2, scope: !5, file: !1, line: 1, type: !9)
!11 = !DILocalVariable(name: "slot", scope: !5, file: !1, line: 3, type: !9)
!12 = !DILocalVariable(name: "b", scope: !19, file: !1, line: 4, type: !9)
!13 = !DILocation(line: 3, column: 7, scope: !5)
!14 = !DILocation(line: 4, column: 11, scope: !19)
!15 = !DILocation(line: 5, column: 3, scope: !19)
!16 = !DILocation(line: 6, column: 1, scope: !5)
!17 = !{!"auto-init"}
!18 = !{!"by hand"}
!19 = distinct !DILexicalBlock(scope: !5, file: !1, line: 4, column: 3)
