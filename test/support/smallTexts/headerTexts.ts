/** Small headers: each key of a function with values of every kind, and lists of maps with each of their tokens damaged. */
import { damaged } from './bodyTexts.js';

const IR = `--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = addrspace(1) global i32 0
  define void @f(ptr addrspace(1) %p) "amdgpu-flat-work-group-size"="1,256" {
    %s = alloca i32, align 4, addrspace(5)
    ret void
  }
  !0 = !{!"a"}
  !1 = !DIExpression()
  !2 = distinct !DISubprogram(name: "f", unit: !6)
  !3 = !DILocalVariable(name: "v", scope: !2)
  !4 = !DILocation(line: 1, scope: !2)
  !5 = !DIFile(filename: "a", directory: "b")
  !6 = distinct !DICompileUnit(language: DW_LANG_C99, file: !5)
  !llvm.dbg.cu = !{!6}
  !llvm.module.flags = !{!7}
  !7 = !{i32 2, !"Debug Info Version", i32 3}
...
`;
const BODY = `body: |
  bb.0:
    successors: %bb.1
    %0:vgpr_32 = COPY $vgpr0

  bb.1:
    S_ENDPGM 0
...
`;

const header = (text: string): string => `${IR}---\nname: f\n${text}${BODY}`;

const BOOLS =
  'exposesReturnsTwice legalized regBankSelected selected failedISel tracksRegLiveness hasWinCFI noPhis isSSA noVRegs hasFakeUses callsEHReturn callsUnwindInit hasEHContTarget hasEHScopes hasEHFunclets isOutlined debugInstrRef failsVerification tracksDebugUserValues';
const FRAME: Readonly<Record<string, string>> = {
  bool: 'isFrameAddressTaken isReturnAddressTaken hasStackMap hasPatchPoint adjustsStack hasCalls hasOpaqueSPAdjustment hasVAStart hasMustTailInVarArgFunc hasTailCall isCalleeSavedInfoValid',
  number: 'stackSize offsetAdjustment maxAlignment maxCallFrameSize cvBytesOfCalleeSavedRegisters localFrameSize',
  text: 'stackProtector functionContext savePoint restorePoint',
};
const INFO: Readonly<Record<string, string>> = {
  bool: 'isEntryFunction isChainFunction noSignedZerosFPMath memoryBound waveLimiter hasSpilledSGPRs hasSpilledVGPRs returnsVoid hasInitWholeWave isWholeWaveFunction',
  number:
    'explicitKernArgSize maxKernArgAlign ldsSize gdsSize dynLDSAlign numWaveDispatchSGPRs numWaveDispatchVGPRs bytesInStackArgArea psInputAddr psInputEnable maxMemoryClusterDWords highBitsOf32BitAddress occupancy dynamicVGPRBlockSize scratchReservedForDynamicVGPRs numKernargPreloadSGPRs',
  text: 'scratchRSrcReg frameOffsetReg stackPtrOffsetReg scavengeFI vgprForAGPRCopy sgprForEXECCopy longBranchReservedReg spillPhysVGPRs wwmReservedRegs argumentInfo mode',
};
const MODE =
  'ieee dx10-clamp fp32-input-denormals fp32-output-denormals fp64-fp16-input-denormals fp64-fp16-output-denormals';
const ARGUMENTS =
  'privateSegmentBuffer dispatchPtr queuePtr kernargSegmentPtr dispatchID flatScratchInit privateSegmentSize firstKernArgPreloadReg workGroupIDX workGroupIDY workGroupIDZ LDSKernelId workGroupInfo privateSegmentWaveByteOffset implicitArgPtr implicitBufferPtr workItemIDX workItemIDY workItemIDZ';
const WIDTHS: Readonly<Record<string, string>> = {
  privateSegmentBuffer: '$sgpr4_sgpr5_sgpr6_sgpr7',
  ...Object.fromEntries(
    [
      'dispatchPtr',
      'queuePtr',
      'kernargSegmentPtr',
      'dispatchID',
      'flatScratchInit',
      'implicitArgPtr',
      'implicitBufferPtr',
    ].map((k) => [k, '$sgpr8_sgpr9']),
  ),
  ...Object.fromEntries(['workItemIDX', 'workItemIDY', 'workItemIDZ'].map((k) => [k, '$vgpr3'])),
};

const VALUES: Readonly<Record<string, readonly string[]>> = {
  bool: ['true', 'false', 'Yes', 'off', 'x', '1', '[]', '', "'true'"],
  number: [
    '0',
    '1',
    '3',
    '4',
    '-1',
    'x',
    '65536',
    '4294967295',
    '4294967296',
    '18446744073709551616',
    '0x10',
    '{}',
    '',
    "'8'",
    '010',
  ],
  text: [
    "''",
    "'$sgpr5'",
    "'$sgpr4_sgpr5_sgpr6_sgpr7'",
    "'$vgpr5'",
    "'%stack.0'",
    "'%stack.9'",
    "'%fixed-stack.0'",
    "'%0'",
    "'x'",
    "'$nowhere'",
    '[]',
    "[ '$vgpr5', '$vgpr6' ]",
    '{}',
    '5',
    '',
    "'$sgpr5 x'",
    "'%stack.0.s'",
    "'%stack.x'",
    "'$sgpr32'",
    "[ 'x' ]",
  ],
};

/** Lists of maps and maps, each token of which is damaged. */
const LISTS: readonly string[] = [
  "registers:\n  - { id: 0, class: vgpr_32, preferred-register: '$vgpr5', flags: [ WWM_REG ] }\n  - { id: 3, class: _, preferred-register: '' }\n  - { id: 4, class: sgpr, flags: [ ] }\n",
  "liveins:\n  - { reg: '$vgpr0', virtual-reg: '%0' }\n  - { reg: '$sgpr4_sgpr5' }\n",
  "calleeSavedRegisters: [ '$vgpr40', '$sgpr30' ]\n",
  "frameInfo:\n  stackProtector: '%stack.0'\n  savePoint:\n    - { point: '%bb.0', registers: [ '$vgpr40' ] }\n  restorePoint:\n    - { point: '%bb.1' }\nstack:\n  - { id: 0, size: 4 }\n",
  "fixedStack:\n  - { id: 0, type: default, offset: 8, size: 4, alignment: 8, stack-id: default, isImmutable: true, isAliased: false, callee-saved-register: '$vgpr40', callee-saved-restored: false }\n  - { id: 1, type: spill-slot, offset: -4, size: 8 }\n",
  "stack:\n  - { id: 0, name: s, type: default, offset: 0, size: 4, alignment: 4, stack-id: sgpr-spill, callee-saved-register: '$sgpr30', callee-saved-restored: true, local-offset: -8, debug-info-variable: '!3', debug-info-expression: '!1', debug-info-location: '!4' }\n  - { id: 2, type: variable-sized, alignment: 16 }\n  - { id: 1, type: spill-slot, size: 16 }\n",
  "entry_values:\n  - { entry-value-register: '$vgpr0', debug-info-variable: '!3', debug-info-expression: '!1', debug-info-location: '!4' }\n",
  "callSites:\n  - { bb: 1, offset: 0, fwdArgRegs: [ { arg: 0, reg: '$vgpr0' } ], calleeTypeIds: [ 5 ] }\n",
  'debugValueSubstitutions:\n  - { srcinst: 1, srcop: 0, dstinst: 2, dstop: 3, subreg: 4 }\n',
  "constants:\n  - id: 0\n    value: 'float 1.5'\n    alignment: 8\n    isTargetSpecific: false\n  - { id: 2, value: '<2 x i16> <i16 1, i16 2>' }\n",
  "machineFunctionInfo:\n  ldsSize: 1024\n  occupancy: 4\n  scavengeFI: '%stack.0'\n  argumentInfo:\n    privateSegmentBuffer: { reg: '$sgpr0_sgpr1_sgpr2_sgpr3' }\n    workItemIDX: { reg: '$vgpr0', mask: 1023 }\n    workGroupIDX: { offset: 8 }\n  mode:\n    ieee: false\n  wwmReservedRegs:\n    - '$vgpr9'\nstack:\n  - { id: 0, size: 4 }\n",
  "jumpTable:\n  kind: label-difference32\n  entries:\n    - id: 0\n      blocks: [ '%bb.0', '%bb.1' ]\n    - { id: 2, blocks: [ ] }\n",
  "machineMetadataNodes:\n  - '!11 = !{!12, !\"x\", i32 5, null}'\n  - '!12 = distinct !{!12, !11}'\n",
  'calledGlobals:\n  - bb: 1\n    offset: 0\n    callee: g\n    flags: 2\n',
];

/** Texts that stand in quotes or lists and have an own grammar. */
const METADATA: readonly string[] = [
  ...[
    '!11 = !{}',
    '!11 = distinct !{}',
    '!11 = !{!11}',
    '!11 = !{!12}',
    '!11 = !{!"a\\41\\\\"}',
    '!11 = !{i32 5}',
    '!11 = !{null, !0}',
    '!11 = !{',
    '!11 = !{!}',
    '!11 = {}',
    '!11 !{}',
    '!x = !{}',
    '11 = !{}',
    '!11 = !{} x',
  ],
  ...[
    '!11 = distinct',
    '!11 = !DIExpression()',
    '!11 = !{!"a}',
    '!11 = !{i32}',
    '!11 = !{i32 5 i32 6}',
    '!11 = !{i32 5,}',
    '!11 = !{!0, !0}',
    '!0 = !{}',
    '!11 = !{ptr @g}',
    '!4294967296 = !{}',
    '!11 = !{!4294967296}',
    '!-1 = !{}',
    ' !11 = !{ } ',
    '',
  ],
];
const CONSTANTS: readonly string[] = [
  ...[
    'i32 5',
    'i32 -5',
    'i1 true',
    'i64 18446744073709551615',
    'i64 18446744073709551616',
    'half 1.0',
    'half 0xH3C00',
    'float 0x3FF0000000000000',
    'double 1.0e10',
    'ptr null',
    'ptr addrspace(1) @g',
    'ptr @h',
    'i32 undef',
    'i32 poison',
  ],
  ...[
    '[2 x i32] [i32 1, i32 2]',
    '[2 x i32] zeroinitializer',
    '<2 x half> <half 1.0, half 2.0>',
    '{ i32, i8 } { i32 1, i8 2 }',
    '[2 x i8] c"ab"',
    'i32 x',
    'i32',
    'x',
    '5',
    'i32 5 6',
    'float 1',
    'i32 1.0',
    '<2 x i32> <i32 1>',
    'void',
    '',
  ],
  ...[
    'i32 add (i32 1, i32 2)',
    'ptr getelementptr (i8, ptr null, i32 1)',
    'i64 ptrtoint (ptr addrspace(1) @g to i64)',
    'i128 5',
    'bfloat 0xR3F80',
    'fp128 0xL00000000000000003FFF000000000000',
    'label %x',
    'token none',
    'metadata !0',
  ],
];

function keyTexts(): string[] {
  const res: string[] = [];
  const each = (keys: string, kind: string, line: (key: string, value: string) => string): void => {
    for (const key of keys.split(' ')) for (const value of VALUES[kind]) res.push(header(line(key, value)));
  };
  each(BOOLS, 'bool', (k, v) => `${k}: ${v}\n`);
  each('alignment', 'number', (k, v) => `${k}: ${v}\n`);
  for (const [kind, keys] of Object.entries(FRAME))
    each(
      keys,
      kind,
      (k, v) =>
        `frameInfo:\n  ${k}: ${v}\nstack:\n  - { id: 0, name: s, size: 4 }\nfixedStack:\n  - { id: 0, size: 4 }\n`,
    );
  for (const [kind, keys] of Object.entries(INFO))
    each(
      keys,
      kind,
      (k, v) =>
        `machineFunctionInfo:\n  ${k}: ${v}\nstack:\n  - { id: 0, name: s, size: 4 }\nfixedStack:\n  - { id: 0, size: 4 }\n`,
    );
  each(MODE, 'bool', (k, v) => `machineFunctionInfo:\n  mode:\n    ${k}: ${v}\n`);
  for (const k of ARGUMENTS.split(' ')) {
    const reg = WIDTHS[k] ?? '$sgpr5';
    for (const v of [
      `{ reg: '${reg}' }`,
      `{ reg: '${reg}', mask: 255 }`,
      '{ offset: 16 }',
      "{ reg: '$vgpr0_vgpr1' }",
      "{ reg: 'x' }",
      '{ mask: 3 }',
      "{ reg: '$sgpr3', offset: 4 }",
      '{ }',
      '5',
    ])
      res.push(header(`machineFunctionInfo:\n  argumentInfo:\n    ${k}: ${v}\n`));
  }
  for (const m of METADATA) res.push(header(`machineMetadataNodes:\n  - '${m}'\n`));
  for (const c of CONSTANTS)
    res.push(
      header(`constants:\n  - { id: 0, value: '${c}' }\n`),
      header(`constants:\n  - id: 0\n    value: ${c}\n    alignment: 32\n`),
    );
  const kinds =
    'block-address gp-rel64-block-address gp-rel32-block-address label-difference32 label-difference64 inline custom32 x';
  for (const k of kinds.split(' '))
    res.push(header(`jumpTable:\n  kind: ${k}\n  entries:\n    - { id: 0, blocks: [ '%bb.1' ] }\n`));
  for (const t of ['default', 'spill-slot', 'variable-sized', 'x'])
    for (const s of [
      'default',
      'sgpr-spill',
      'scalable-vector',
      'scalable-predicate-vector',
      'wasm-local',
      'noalloc',
      'x',
    ])
      res.push(
        header(`stack:\n  - { id: 0, type: ${t}, stack-id: ${s}${t === 'variable-sized' ? '' : ', size: 4'} }\n`),
        header(`fixedStack:\n  - { id: 0, type: ${t}, stack-id: ${s}, size: 4 }\n`),
      );
  return res;
}

export const HEADER_TEXTS: Readonly<Record<string, () => string[]>> = {
  headerKeys: keyTexts,
  headerLists: () => LISTS.flatMap((list) => [list, ...damaged(list, false).filter((_, i) => i % 2 === 0)]).map(header),
};
