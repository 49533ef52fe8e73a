/**
 * What the verifier of LLVM finds wrong with debug info, which llc then drops with a warning: small changes to a module that is right. The messages are
 * llc-22's; where it is installed the whole of what it says is compared.
 */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';
import { withoutAddresses } from '../../support/verify.js';

const MODULE = `--- |
  @g = global i32 0, !dbg !20
  define void @f(i32 %a, ptr %p) !dbg !6 {
  entry:
      #dbg_value(i32 %a, !9, !DIExpression(), !11)
      #dbg_declare(ptr %p, !10, !DIExpression(), !11)
      #dbg_label(!13, !11)
    %x = add i32 %a, 1, !dbg !11
    call void @h(), !dbg !12
    ret void, !dbg !11
  }
  define void @h() !dbg !14 {
    ret void, !dbg !16
  }
  declare !dbg !17 void @d()
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!1}
  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug, enums: !3, retainedTypes: !25, globals: !21)
  !1 = !{i32 2, !"Debug Info Version", i32 3}
  !2 = !DIFile(filename: "a.c", directory: "/")
  !3 = !{!4}
  !4 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", file: !2, line: 1, baseType: !8, size: 32, elements: !5)
  !5 = !{!24}
  !6 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 1, type: !7, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !23)
  !7 = !DISubroutineType(types: !22)
  !8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
  !9 = !DILocalVariable(name: "a", arg: 1, scope: !6, file: !2, line: 1, type: !8)
  !10 = !DILocalVariable(name: "b", scope: !18, file: !2, line: 2, type: !8)
  !11 = !DILocation(line: 1, column: 1, scope: !18)
  !12 = !DILocation(line: 2, scope: !6)
  !13 = !DILabel(scope: !6, name: "l", file: !2, line: 3)
  !14 = distinct !DISubprogram(name: "h", scope: !2, file: !2, line: 5, type: !7, spFlags: DISPFlagDefinition, unit: !0)
  !16 = !DILocation(line: 6, scope: !14)
  !17 = !DISubprogram(name: "d", scope: !2, file: !2, line: 7, type: !7, spFlags: 0)
  !18 = distinct !DILexicalBlock(scope: !6, file: !2, line: 1, column: 1)
  !19 = distinct !DIGlobalVariable(name: "g", scope: !0, file: !2, line: 9, type: !8, isLocal: false, isDefinition: true)
  !20 = !DIGlobalVariableExpression(var: !19, expr: !DIExpression())
  !21 = !{!20}
  !22 = !{null, !8}
  !23 = !{!9, !10, !13}
  !24 = !DIEnumerator(name: "A", value: 0)
  !25 = !{!26, !27}
  !26 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)
  !27 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 64, elements: !28)
  !28 = !{!29}
  !29 = !DISubrange(count: 2)
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
`;

/** What is replaced by what, and the lines of llc's answer that are no values. */
const CASES: readonly (readonly [from: string, to: string, messages: readonly string[]])[] = [
  ['', '', []],
  [
    'dbg.cu = !{!0}',
    'dbg.cu = !{}',
    ['DICompileUnit not listed in llvm.dbg.cu', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'dbg.cu = !{!0}',
    'dbg.cu = !{!2}',
    [
      'invalid compile unit',
      'DICompileUnit not listed in llvm.dbg.cu',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    'dbg.cu = !{!0}',
    'dbg.cu = !{!0}\n  !llvm.dbg.x = !{}',
    ['unrecognized named metadata node in the llvm.dbg namespace', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    ', retainedTypes: !25',
    ', retainedTypes: !25, imports: !21',
    ['invalid imported entity ref', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    ', retainedTypes: !25',
    ', retainedTypes: !25, macros: !21',
    ['invalid macro ref', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'file: !2, emissionKind',
    'file: !3, emissionKind',
    ['invalid file', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['enums: !3', 'enums: !22', ['invalid enum type', 'warning: ignoring invalid debug info in <stdin>']],
  ['enums: !3', 'enums: !2', ['invalid enum list', 'warning: ignoring invalid debug info in <stdin>']],
  ['globals: !21', 'globals: !22', ['invalid global variable ref', 'warning: ignoring invalid debug info in <stdin>']],
  ['retainedTypes: !25', 'retainedTypes: !3', []],
  [
    'retainedTypes: !25',
    'retainedTypes: !21',
    ['invalid retained type', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'retainedTypes: !25',
    'retainedTypes: !2',
    ['invalid retained type list', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['filename: "a.c"', 'filename: ""', ['invalid filename', 'warning: ignoring invalid debug info in <stdin>']],
  [
    'name: "e", file: !2',
    'name: "e", scope: !5, file: !2',
    ['invalid scope', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['name: "e", file: !2', 'name: "e", file: !5', ['invalid file', 'warning: ignoring invalid debug info in <stdin>']],
  [
    'line: 1, baseType: !8, size',
    'line: 1, baseType: !2, size',
    ['invalid base type', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['elements: !5)', 'elements: !2)', ['invalid composite elements', 'warning: ignoring invalid debug info in <stdin>']],
  [
    '!5 = !{!24}',
    '!5 = !{null}',
    ['DISubprogram contains null entry in `elements` field', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'tag: DW_TAG_enumeration_type',
    'tag: DW_TAG_member',
    ['invalid enum type', 'invalid tag', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'tag: DW_TAG_array_type, baseType: !8',
    'tag: DW_TAG_array_type',
    ['array types must have a base type', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'size: 64, elements: !28',
    'size: 64, flags: DIFlagVector, elements: !5',
    ['invalid vector, expected one element of type subrange', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'size: 64, elements: !28',
    'size: 64, flags: DIFlagTypePassByValue | DIFlagTypePassByReference, elements: !28',
    ['invalid reference flags', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'size: 32, elements: !5',
    'size: 32, elements: !5, rank: 1',
    ['rank can only appear in array type', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'size: 32, elements: !5',
    'size: 32, elements: !5, discriminator: !26',
    ['discriminator can only appear on variant part', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'count: 2',
    'count: 2, upperBound: 3',
    ['Subrange can have any one of count or upperBound', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'count: 2',
    'count: !2',
    ['Count must be signed constant or DIVariable or DIExpression', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['DW_TAG_pointer_type', 'DW_TAG_set_type', []],
  [
    'DW_TAG_pointer_type, baseType: !8',
    'DW_TAG_const_type, baseType: !8, dwarfAddressSpace: 1',
    [
      'DWARF address space only applies to pointer or reference types',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    'DW_TAG_pointer_type, baseType: !8',
    'DW_TAG_pointer_type, baseType: !2',
    ['invalid base type', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['DW_TAG_pointer_type', 'DW_TAG_base_type', ['invalid tag', 'warning: ignoring invalid debug info in <stdin>']],
  [
    'name: "f", scope: !2',
    'name: "f", scope: !3',
    ['invalid scope', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'scope: !2, file: !2, line: 1, type: !7',
    'scope: !2, line: 1, type: !7',
    ['line specified with no file', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'line: 1, type: !7',
    'line: 1, type: !8',
    ['invalid subroutine type', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'line: 1, type: !7',
    'line: 1, type: !7, containingType: !2',
    ['invalid containing type', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'line: 1, type: !7',
    'line: 1, type: !7, templateParams: !23',
    ['invalid template parameter', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'line: 1, type: !7',
    'line: 1, type: !7, declaration: !14',
    ['invalid subprogram declaration', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['line: 1, type: !7', 'line: 1, type: !7, thrownTypes: !3', []],
  [
    'line: 1, type: !7',
    'line: 1, type: !7, thrownTypes: !2',
    ['invalid thrown types list', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'spFlags: DISPFlagDefinition, unit: !0, retained',
    'spFlags: DISPFlagDefinition, retained',
    ['subprogram definitions must have a compile unit', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'spFlags: DISPFlagDefinition, unit: !0, retained',
    'spFlags: DISPFlagDefinition, unit: !2, retained',
    ['invalid unit type', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'spFlags: 0',
    'spFlags: 0, unit: !0',
    ['subprogram declarations must not have a compile unit', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'spFlags: 0',
    'spFlags: 0, flags: DIFlagAllCallsDescribed',
    ['DIFlagAllCallsDescribed must be attached to a definition', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'retainedNodes: !23',
    'retainedNodes: !2',
    ['invalid retained nodes list', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'retainedNodes: !23',
    'retainedNodes: !22',
    ['nullptr in retained nodes', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'retainedNodes: !23',
    'retainedNodes: !3',
    [
      'invalid retained nodes, expected DILocalVariable, DILabel or DIImportedEntity',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    'unit: !0)\n  !16',
    'unit: !0, retainedNodes: !23)\n  !16',
    [
      'invalid retained nodes, retained node does not belong to subprogram',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  ['types: !22', 'types: !2', ['invalid composite elements', 'warning: ignoring invalid debug info in <stdin>']],
  [
    'types: !22',
    'types: !22, flags: DIFlagLValueReference | DIFlagRValueReference',
    ['invalid reference flags', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['types: !22', 'types: !28', ['invalid subroutine type ref', 'warning: ignoring invalid debug info in <stdin>']],
  [
    'name: "a", arg: 1, scope: !6',
    'name: "a", arg: 1, scope: !2',
    [
      'invalid retained nodes, retained node is not local',
      'local variable requires a valid scope',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    'name: "a", arg: 1, scope: !6',
    'name: "a", arg: 1, scope: !11',
    [
      'invalid retained nodes, retained node is not local',
      'invalid scope',
      'local variable requires a valid scope',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    'name: "a", arg: 1, scope: !6, file: !2',
    'name: "a", arg: 1, scope: !6, file: !6',
    ['invalid file', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'name: "b", scope: !18',
    'name: "b", arg: 1, scope: !18',
    ['conflicting debug info for argument', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['line: 2, type: !8', 'line: 2, type: !7', ['invalid type', 'warning: ignoring invalid debug info in <stdin>']],
  [
    'line: 2, type: !8',
    'line: 2, type: !2',
    ['invalid type ref', 'invalid type ref', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '!DILabel(scope: !6',
    '!DILabel(scope: !14',
    [
      'invalid retained nodes, retained node does not belong to subprogram',
      'mismatched subprogram between #dbg_label label and !dbg attachment',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    '!DILabel(scope: !6',
    '!DILabel(scope: !2',
    [
      'invalid retained nodes, retained node is not local',
      'label requires a valid scope',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    'column: 1, scope: !18',
    'column: 1, scope: !2',
    [
      "DILocation's scope must be a DILocalScope",
      'location requires a valid scope',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    'column: 1, scope: !18',
    'column: 1, scope: !17',
    [
      'scope points into the type hierarchy',
      'mismatched subprogram between #dbg record variable and DILocation',
      'mismatched subprogram between #dbg record variable and DILocation',
      'mismatched subprogram between #dbg_label label and !dbg attachment',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    'column: 1, scope: !18',
    'column: 1, scope: !14',
    [
      'mismatched subprogram between #dbg record variable and DILocation',
      'mismatched subprogram between #dbg record variable and DILocation',
      'mismatched subprogram between #dbg_label label and !dbg attachment',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    '!DILexicalBlock(scope: !6',
    '!DILexicalBlock(scope: !2',
    [
      'invalid retained nodes, retained node does not belong to subprogram',
      'invalid local scope',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    '!DILexicalBlock(scope: !6, file: !2, line: 1',
    '!DILexicalBlock(scope: !6, file: !2',
    ['cannot have column info without line info', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'type: !8, isLocal',
    'type: !2, isLocal',
    ['invalid type ref', 'invalid type ref', 'invalid type ref', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    ', type: !8, isLocal',
    ', isLocal',
    [
      'missing global variable type',
      'missing global variable type',
      'missing global variable type',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    'type: !8, isLocal: false, isDefinition: true',
    'type: !8, isLocal: false, isDefinition: true, declaration: !2',
    [
      'invalid static data member declaration',
      'invalid static data member declaration',
      'invalid static data member declaration',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  ['global i32 0, !dbg !20', 'global i32 0, !dbg !19', ['warning: ignoring invalid debug info in <stdin>']],
  ['expr: !DIExpression()', 'expr: !DIExpression(DW_OP_LLVM_fragment, 0, 16)', []],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !9, !DIExpression(DW_OP_LLVM_fragment, 16, 32), !11',
    ['fragment is larger than or outside of variable', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !9, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !11',
    ['fragment covers entire variable', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['%a, !9, !DIExpression(), !11', '%a, !9, !DIExpression(DW_OP_LLVM_fragment, 0, 16), !11', []],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !9, !DIExpression(DW_OP_LLVM_entry_value, 1), !11',
    [
      'Entry values are only allowed in MIR unless they target a swiftasync Argument',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !9, !DIExpression(DW_OP_LLVM_entry_value, 2), !11',
    ['invalid expression', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !9, !DIExpression(DW_OP_plus_uconst), !11',
    ['invalid expression', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !9, !DIExpression(DW_OP_stack_value, DW_OP_plus), !11',
    ['invalid expression', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !9, !DIExpression(DW_OP_swap), !11',
    ['invalid expression', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['%a, !9, !DIExpression(), !11', '%a, !9, !DIExpression(DW_OP_breg3, 1, DW_OP_lit0, DW_OP_stack_value), !11', []],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !9, !DIExpression(), !16',
    [
      'mismatched subprogram between #dbg record variable and DILocation',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !9, !DIExpression(), !9',
    ['invalid #dbg record DILocation', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !13, !DIExpression(), !11',
    ['invalid #dbg record variable', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '%a, !9, !DIExpression(), !11',
    '%a, !9, !9, !11',
    ['invalid #dbg record expression', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '#dbg_value(i32 %a',
    '#dbg_value(!9',
    ['invalid #dbg record address/value', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['#dbg_value(i32 %a', '#dbg_value(!{}', []],
  [
    '#dbg_declare(ptr %p',
    '#dbg_declare(float 1.0',
    [
      'location of #dbg_declare must be a pointer or int',
      'float 1.000000e+00',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    '#dbg_label(!13, !11)',
    '#dbg_label(!9, !11)',
    ['invalid #dbg_label intrinsic variable', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '#dbg_label(!13, !11)',
    '#dbg_label(!13, !16)',
    [
      'mismatched subprogram between #dbg_label label and !dbg attachment',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  ['#dbg_label(!13, !11)', '#dbg_label(!13, !13)', []],
  [
    'add i32 %a, 1, !dbg !11',
    'add i32 %a, 1, !dbg !9',
    ['invalid !dbg metadata attachment', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  ['add i32 %a, 1, !dbg !11', 'add i32 %a, 1, !dbg !16', ['warning: ignoring invalid debug info in <stdin>']],
  ['add i32 %a, 1, !dbg !11', 'add i32 %a, 1, !dbg !11, !foo !12', []],
  [
    '@h(), !dbg !12',
    '@h()',
    [
      'inlinable function call in a function with debug info must have a !dbg location',
      'warning: ignoring invalid debug info in <stdin>',
    ],
  ],
  [
    '%a, ptr %p) !dbg !6',
    '%a, ptr %p) !dbg !9',
    ['function !dbg attachment must be a subprogram', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '%a, ptr %p) !dbg !6',
    '%a, ptr %p) !dbg !6 !dbg !14',
    ['function must have a single !dbg attachment', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '%a, ptr %p) !dbg !6',
    '%a, ptr %p) !dbg !17',
    ['function definition may only have a distinct !dbg attachment', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    '@h() !dbg !14',
    '@h() !dbg !6',
    ['DISubprogram attached to more than one function', 'warning: ignoring invalid debug info in <stdin>'],
  ],
  [
    'declare !dbg !17',
    'declare !dbg !14',
    ['function declaration may only have a unique !dbg attachment', 'warning: ignoring invalid debug info in <stdin>'],
  ],
];

/** The same module with calls instead of records: an operand of such a call that is no node is none, and a node that is one constant is that constant. */
const withCall = (kind: string, args: string): string =>
  MODULE.replace(/^ *#dbg.*\n/gm, '').replace(
    '%x = add',
    () => `call void @llvm.dbg.${kind}(${args}), !dbg !11\n    %x = add`,
  );

/** Kind, operands, and what is shown of the record. */
const CALLS: readonly (readonly [string, string, string])[] = [
  [
    'value',
    'metadata i32 %a, metadata !{i32 1}, metadata !DIExpression()',
    '#dbg_value(i32 %a, (null), !DIExpression(), ',
  ],
  [
    'value',
    'metadata i32 %a, metadata !{i32 1, i32 2}, metadata !DIExpression()',
    '#dbg_value(i32 %a, !N, !DIExpression(), ',
  ],
  [
    'value',
    'metadata i32 %a, metadata i32 5, metadata !DIExpression()',
    '#dbg_value(i32 %a, (null), !DIExpression(), ',
  ],
  ['value', 'metadata i32 %a, metadata !"a", metadata !DIExpression()', '#dbg_value(i32 %a, (null), !DIExpression(), '],
  ['value', 'metadata i32 %a, metadata !9, metadata !{i32 1}', '#dbg_value(i32 %a, !N, (null), '],
  ['value', 'metadata !{i32 1}, metadata !2, metadata !DIExpression()', '#dbg_value(i32 1, !N, !DIExpression(), '],
  ['value', 'metadata !{null}, metadata !2, metadata !DIExpression()', '#dbg_value(!N, !N, !DIExpression(), '],
  [
    'declare',
    'metadata ptr %p, metadata !{i32 1}, metadata !DIExpression()',
    '#dbg_declare(ptr %p, (null), !DIExpression(), ',
  ],
  [
    'addr',
    'metadata ptr %p, metadata !2, metadata !DIExpression()',
    '#dbg_value(ptr %p, !N, !DIExpression(DW_OP_deref), ',
  ],
  ['addr', 'metadata ptr %p, metadata !9, metadata !2', '#dbg_value(ptr %p, !N, !N, '],
];

const ARGS = ['-mtriple=amdgcn', '-run-pass=none', '-o', '-'];

/** Lines that are no values: messages and the warning. */
const messagesOf = (stderr: string): string[] =>
  stderr.split('\n').filter((line) => /^[^ @]/.test(line) && !/^(?:!\S|#dbg|(?:ptr|label|i32) [@%]|\d+$)/.test(line));

describe("rules of LLVM's verifier for debug info", () => {
  for (const [from, to, messages] of CASES) {
    const text = MODULE.replace(from, () => to);
    it(to === '' ? 'a module that is right' : `${from} becomes ${to}`, () => {
      const { status, stdout, stderr } = runLlcOnText(ARGS, text);
      assert.deepEqual(messagesOf(stderr), messages);
      assert.equal(status, 0);
      assert.equal(stdout.includes('DICompileUnit('), messages.length === 0);
    });
  }

  it('are those of llc-22, with what it shows', function () {
    needsLlc(this);
    for (const [from, to] of CASES) {
      const text = MODULE.replace(from, () => to);
      const llc = runLlc([...ARGS, '-x', 'mir'], text);
      if (llc.signal !== null) continue;
      const ours = runLlcOnText(ARGS, text);
      assert.deepEqual(
        [ours.status, withoutAddresses(ours.stderr), withoutAddresses(ours.stdout)],
        [llc.status, withoutAddresses(llc.stderr), withoutAddresses(llc.stdout)],
        to,
      );
    }
  });

  for (const [kind, args, shown] of CALLS)
    it(`llvm.dbg.${kind}(${args})`, function () {
      const text = withCall(kind, args);
      const ours = runLlcOnText(ARGS, text);
      assert.ok(ours.stderr.replaceAll(/!\d+/g, '!N').includes(shown), ours.stderr);
      needsLlc(this);
      const llc = runLlc([...ARGS, '-x', 'mir'], text);
      assert.deepEqual(
        [ours.status, withoutAddresses(ours.stderr), withoutAddresses(ours.stdout)],
        [llc.status, withoutAddresses(llc.stderr), withoutAddresses(llc.stdout)],
      );
    });
});
