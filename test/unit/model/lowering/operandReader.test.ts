/** Operands of every kind, alone in an instruction that takes any: how llc-22 prints them, or what it says of them and in which column. */
import assert from 'node:assert/strict';
import { lowerFile } from '../../../../server/src/model/lowering/lowerFile.js';
import { printFunctionDocument } from '../../../../server/src/model/printer/functionPrinter.js';
import { parseMirFile } from '../../../../server/src/syntax/index.js';
import { SourceText } from '../../../../server/src/text/sourceText.js';
import { Interner } from '../../../../server/src/util/interner.js';
import { needsLlc, runLlc } from '../../../support/llc.js';

const AS_WRITTEN: readonly string[] = [
  'i8388608 5',
  'CustomRegMask()',
  'csr_amdgpu',
  'csr_amdgpu_gfx90ainsts',
  'csr_amdgpu_si_gfx',
  'csr_amdgpu_si_gfx_gfx90ainsts',
  'csr_amdgpu_noregs',
  'csr_amdgpu_agprs',
  'csr_amdgpu_cs_chainpreserve',
  'amdgpu_allvgprs',
  'shufflemask(0, undef, 1)',
  'intpred(eq)',
  'intpred(ne)',
  'intpred(ugt)',
  'intpred(uge)',
  'intpred(ult)',
  'intpred(ule)',
  'intpred(sgt)',
  'intpred(sge)',
  'intpred(slt)',
  'intpred(sle)',
  'floatpred(false)',
  'floatpred(oeq)',
  'floatpred(ogt)',
  'floatpred(oge)',
  'floatpred(olt)',
  'floatpred(ole)',
  'floatpred(one)',
  'floatpred(ord)',
  'floatpred(uno)',
  'floatpred(ueq)',
  'floatpred(ugt)',
  'floatpred(uge)',
  'floatpred(ult)',
  'floatpred(ule)',
  'floatpred(une)',
  'floatpred(true)',
  'i1 true',
  'i1 false',
  'i8 -1',
  'i16 -32768',
  'i32 0',
  'i64 -9223372036854775808',
  'i128 170141183460469231731687303715884105727',
  'float 0x36A0000000000000',
  'double 0x7FF8000000000000',
  'half 0xH3C00',
  'bfloat 0xR3F80',
  '0',
  '-1',
  '9223372036854775807',
  '-9223372036854775808',
  'intrinsic(@llvm.amdgcn.s.barrier)',
  'intrinsic(@llvm.amdgcn.workitem.id.x)',
  '&"a b"',
  '&puts',
  '@f',
  '%bb.0',
  '%stack.0',
  '%stack.1.named',
  '%fixed-stack.0',
  '%const.0',
  '%const.0 + 4',
  '%const.0 - 4',
  '%jump-table.0',
  'target-index(amdgpu-constdata-start)',
  'target-index(amdgpu-constdata-start) + 4',
  'target-index(amdgpu-constdata-start) - 1',
  'dbg-instr-ref(1, 2)',
  'lanemask(0x000000000000000F)',
  'lanemask(0xFFFFFFFFFFFFFFFF)',
  'i32 5, i32 6',
  '$sgpr0',
  'implicit $sgpr0',
  'implicit-def $sgpr0',
  'implicit-def dead $sgpr0',
  'early-clobber $sgpr0',
  'implicit-def early-clobber $sgpr0',
  'implicit killed $sgpr0',
  'implicit undef $sgpr0',
  'implicit renamable $sgpr0',
  'implicit internal $sgpr0',
  '$noreg',
  '<mcsymbol foo>',
  '<mcsymbol .L0>',
  '@f + 1',
  '@f - 9',
  '@"quoted name"',
  '@0',
  '&puts + 1',
  '&"a b" - 2',
  'blockaddress(@f, %ir-block.entry)',
  'blockaddress(@f, %ir-block.entry) + 8',
  'undef $sgpr0',
  'target-flags(amdgpu-rel32-lo) @f',
  'target-flags(amdgpu-rel32-hi) @f + 4',
  'target-flags(amdgpu-gotprel) @f',
  'target-flags(amdgpu-gotprel32-lo) @f',
  'target-flags(amdgpu-gotprel32-hi) @f',
  'target-flags(amdgpu-abs32-lo) @f',
  'target-flags(amdgpu-abs32-hi) @f',
  'target-flags(amdgpu-abs64) @f',
];

const OTHERWISE: readonly (readonly [operand: string, printed: string])[] = [
  ['CustomRegMask($sgpr0,$sgpr0)', 'CustomRegMask($sgpr0)'],
  ['CustomRegMask($sgpr1,$sgpr0,$sgpr1)', 'CustomRegMask($sgpr0,$sgpr1)'],
  ['CustomRegMask($vgpr0,$sgpr7,$sgpr7,$vgpr0,$agpr0)', 'CustomRegMask($agpr0,$sgpr7,$vgpr0)'],
  ['liveout($sgpr0,$sgpr0)', 'liveout($sgpr0)'],
  ['liveout($sgpr1, $sgpr0)', 'liveout($sgpr0, $sgpr1)'],
  ['shufflemask(4294967295, 2)', 'shufflemask(undef, 2)'],
  ['i8 255', 'i8 -1'],
  ['float 1.0', 'float 1.000000e+00'],
  ['double -0.0', 'double -0.000000e+00'],
  ['def $sgpr0', ''],
  ['_', '$noreg'],
  ['i1 2', 'i1 false'],
];

/** Columns are of the operand's text, from 1. */
const REFUSED: readonly (readonly [operand: string, error: string])[] = [
  ['i0 5', '1: bitwidth for integer type out of range'],
  ['i16777216 5', '1: bitwidth for integer type out of range'],
  ['i8388609 5', '1: bitwidth for integer type out of range'],
  ['liveout()', '9: expected a named register'],
  ['csr_amdgpu_allagprs', "1: a typed immediate operand should start with one of 'i', 's', or 'p'"],
  ['csr_amdgpu_allallocatablesrs', "1: a typed immediate operand should start with one of 'i', 's', or 'p'"],
  ['csr_amdgpu_allvgprs', "1: a typed immediate operand should start with one of 'i', 's', or 'p'"],
  ['csr_amdgpu_dynamicvgpr', "1: a typed immediate operand should start with one of 'i', 's', or 'p'"],
  ['csr_amdgpu_rt_mask', "1: a typed immediate operand should start with one of 'i', 's', or 'p'"],
  ['shufflemask(0)', '15: shufflemask should have > 1 element'],
  ['shufflemask(undef)', '19: shufflemask should have > 1 element'],
  ['shufflemask(4294967297)', '24: shufflemask should have > 1 element'],
  ['0x10', '1: expected a machine operand'],
  ['got', '1: expected a machine operand'],
  ['$_', "1: unknown register name '_'"],
  ['blockaddress(@f, %ir-block.0)', "18: use of undefined IR block '%ir-block.0'"],
  ['cfi', "1: a typed immediate operand should start with one of 'i', 's', or 'p'"],
  ['target-flags(nothing) @f', "14: use of undefined target flag 'nothing'"],
  ['target-flags(<unknown>) @f', '14: expected the name of the target flag'],
  ['shufflemask(1,)', '15: expected integer constant'],
  ['shufflemask()', '13: expected integer constant'],
  ['intpred(oeq)', '9: invalid integer predicate'],
  ['floatpred(eq)', '11: invalid floating-point predicate'],
  ['lanemask(0x1', "13: expected ')'"],
  ['liveout(%0)', '9: expected a named register'],
  ['i5', '3: expected an integer literal'],
  ['s32', '4: expected an integer literal'],
  ['p0', '3: expected an integer literal'],
  ['x', "1: a typed immediate operand should start with one of 'i', 's', or 'p'"],
  ['csr_foo', "1: a typed immediate operand should start with one of 'i', 's', or 'p'"],
  ['CustomRegMask(%0)', '15: expected a named register'],
  ['dbg-instr-ref(1)', '16: expected syntax dbg-instr-ref(<unsigned>, <unsigned>)'],
  ['dbg-instr-ref(-1, 0)', '15: expected unsigned integer for instruction index'],
  ['target-index(foo)', "14: use of undefined target index 'foo'"],
  ['intrinsic(@llvm.foo)', '21: unknown intrinsic name'],
  ['intrinsic(f)', '11: expected syntax intrinsic(@llvm.whatever)'],
  ['%stack.7', "1: use of undefined stack object '%stack.7'"],
  ['%fixed-stack.3', "1: use of undefined fixed stack object '%fixed-stack.3'"],
  ['%const.2', "1: use of undefined constant '%const.2'"],
  ['%jump-table.1', "1: use of undefined jump table '%jump-table.1'"],
  ['%bb.9', '1: use of undefined machine basic block #9'],
  ['%stack.1.other', "1: the name of the stack object '%stack.1' isn't 'other'"],
  ['float 1', '7: expected a floating point literal'],
  ['i32 x', '5: expected an integer literal'],
];

const textWith = (operand: string): string => `--- |
  define void @f() {
  entry:
    %named = alloca i32, addrspace(5)
    ret void
  }
  @"quoted name" = global i32 0
  @0 = global i32 0
...
---
name: f
fixedStack:
  - { id: 0, size: 4 }
stack:
  - { id: 0, size: 4 }
  - { id: 1, name: named, size: 4 }
constants:
  - { id: 0, value: 'i32 1' }
jumpTable:
  kind: block-address
  entries:
    - { id: 0, blocks: [ '%bb.0' ] }
body: |
  bb.0.entry:
    FAKE_USE ${operand}
    S_ENDPGM 0
...
`;

const OPERAND = /FAKE_USE ?(.*)\n/;
const before = textWith('')
  .split('\n')
  .findIndex((l) => l.includes('FAKE_USE'));

function answerOfOurs(operand: string): string {
  const file = parseMirFile(new SourceText(textWith(operand)), new Interner());
  const { functions, diagnostics } = lowerFile(file, { triple: 'amdgcn', cpu: 'gfx90a', features: '' });
  const [error] = diagnostics;
  if (error === undefined) return OPERAND.exec(printFunctionDocument(functions[0]!.fn!))![1]!;
  const at = file.text.positionAt(error.llcOffset ?? error.start);
  assert.equal(at.line, before);
  assert.match(error.code, /^[a-z]+(-[a-z]+)*$/, operand);
  return `${at.character + 1 - '    FAKE_USE '.length}: ${error.message}`;
}

function answerOfLlc(operand: string): string {
  const run = runLlc(['-mtriple=amdgcn', '-mcpu=gfx90a', '-run-pass=none', '-o', '-', '-x', 'mir'], textWith(operand));
  if (run.status === 0) return OPERAND.exec(run.stdout)![1]!;
  const [, column, message] = /:\d+:(\d+): (.*)/.exec(run.stderr)!;
  return `${Number(column) - '    FAKE_USE '.length}: ${message}`;
}

describe('operands', () => {
  it('that are printed as they are written', () => {
    for (const operand of AS_WRITTEN) assert.equal(answerOfOurs(operand), operand);
  });

  it('that are printed otherwise', () => {
    for (const [operand, printed] of OTHERWISE) assert.equal(answerOfOurs(operand), printed, operand);
  });

  it('that are refused', () => {
    for (const [operand, error] of REFUSED) assert.equal(answerOfOurs(operand), error, operand);
  });

  it('are what llc-22 says', function () {
    needsLlc(this);
    const all = [...AS_WRITTEN.map((o) => [o, o] as const), ...OTHERWISE, ...REFUSED];
    all.forEach(([operand, expected], k) => {
      if (k % 10 === 0) assert.equal(answerOfLlc(operand), expected, operand);
    });
  });
});
