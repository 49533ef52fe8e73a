/** Small bodies: each operand and each token of an instruction's line, right and damaged; labels and lists of blocks, memory operands. */

const HEADER = `--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = addrspace(1) global i32 0
  @"g h" = addrspace(1) global i32 0
  @0 = addrspace(1) global i32 0
  declare void @"llvm.amdgcn.s.barrier"()
  define amdgpu_kernel void @f(ptr addrspace(1) %p, ptr addrspace(1) %"a b", ptr addrspace(1) %0) {
  entry:
    %s = alloca i32, align 4, addrspace(5)
    br label %1
  1:
    br label %"x y"
  "x y":
    ret void
  }
  !0 = !{!"a"}
  !1 = distinct !{!1}
  !2 = !{!1}
  !3 = !{i32 0, i32 9}
  !4 = !{!5, !5, i64 0}
  !5 = !{!"int", !0}
...
---
name: f
registers:
  - { id: 0, class: vgpr_32 }
  - { id: 1, class: _ }
stack:
  - { id: 0, size: 4 }
  - { id: 1, name: s, size: 4, alignment: 4 }
fixedStack:
  - { id: 0, size: 4 }
constants:
  - { id: 0, value: i32 1 }
jumpTable:
  kind: inline
  entries:
    - { id: 0, blocks: [ '%bb.0' ] }
body: |
`;

/** Lines of a body after a header that defines what they use. */
const bodyText = (lines: readonly string[]): string =>
  `${HEADER}  bb.0:\n${lines.map((line) => `    ${line}\n`).join('')}    S_ENDPGM 0\n...\n`;

/** Whole bodies, from their first label on. */
const blocksText = (text: string): string => `${HEADER}${text.replace(/^(?=.)/gm, '  ')}...\n`;

/** Instructions that are read, each with what no other has. */
const LINES: readonly string[] = [
  '%2:vgpr_32 = V_ADD_F32_e32 killed %0, undef %3:vgpr_32, implicit $mode, implicit $exec',
  'dead %2:vgpr_32, renamable $vgpr1 = nnan contract frame-setup KILL %0',
  '$vgpr0, %4.sub1:vreg_64 = KILL internal $vgpr3, early-clobber %0',
  'undef %2.sub0:vreg_64 = COPY %1:_(s32)',
  '%name:_(<2 x s16>), %9:_(p1) = KILL %1(s32), %8:_(<vscale x 4 x p3>), %10:sgpr(s1)',
  '%2:vgpr_32 = V_MAC_F32_e32 1, %0, %0(tied-def 0), implicit $mode, implicit $exec',
  'KILL implicit-def dead $vgpr0, implicit killed undef $vgpr1, _',
  'KILL 5, -5, 9223372036854775807, i32 5, i1 true, i16 -1',
  'KILL half 0xH3C00, bfloat 0xR3F80, float 1.0, double -2.5e+3, x86_fp80 0xK3FFF8000000000000000, fp128 0xL00000000000000003FFF000000000000',
  'KILL %stack.0, %stack.1.s, %fixed-stack.0, %const.0 + 4, %jump-table.0, %subreg.sub0_sub1',
  'KILL @g + 8, @"g h" - 1, @0, &foo - 3, &"b c", <mcsymbol .L1>, <mcsymbol "a>b">',
  'KILL target-flags(amdgpu-gotprel32-lo) @g, target-flags(amdgpu-rel32-hi) &foo',
  'KILL blockaddress(@f, %ir-block.1) + 2, blockaddress(@f, %ir-block."x y"), target-index(amdgpu-constdata-start) - 8',
  'KILL intrinsic(@llvm.amdgcn.s.barrier), intpred(sge), floatpred(une), lanemask(0x0F), dbg-instr-ref(1, 2)',
  'KILL shufflemask(1, undef, 0), csr_amdgpu, CustomRegMask($sgpr0,$sgpr1,), liveout($sgpr0, $sgpr1)',
  'KILL !DIExpression(DW_OP_plus_uconst, 7), !0, !DIExpression(), 5',
  'CFI_INSTRUCTION def_cfa $sgpr32, 16',
  'CFI_INSTRUCTION llvm_def_aspace_cfa $sgpr32, 0, 6',
  'CFI_INSTRUCTION escape 0x0f, 0xff',
  'CFI_INSTRUCTION register $sgpr30, $sgpr31',
  'S_NOP 0, pre-instr-symbol <mcsymbol a>, post-instr-symbol <mcsymbol b>, heap-alloc-marker !1, pcsections !2, cfi-type 7',
  'S_NOP 0, deactivation-symbol @g debug-instr-number 3',
  'S_NOP 0, debug-instr-number 4, debug-location !DILocation(line: 1, column: 2, scope: !0)',
  'BUNDLE implicit $vgpr0 { S_NOP 0',
];

/** Memory operands that are read. */
const MEMORY: readonly string[] = [
  '(volatile non-temporal "amdgpu-noclobber" load syncscope("agent-one-as") acquire monotonic (s32) from %ir.p + 8, align 8, basealign 16, addrspace 1)',
  '(dereferenceable invariant load store seq_cst 8 on %ir."a b" - 4, !tbaa !4), (load 4 from %ir.p, !alias.scope !2), (load 4 from %ir.p, !noalias !2), (load 4 from %ir.p, !range !3, !noalias.addrspace !3)',
  '(store unknown-size into %ir.0), (load (<2 x p3>) from @g), (load 4 from @0), (store (s8) into %stack.1.s, align 1)',
  '(load 1 from stack), (load 1 from got), (load 1 from jump-table), (load 1 from constant-pool), (load 1 from %fixed-stack.0)',
  '(load 1 from call-entry @g), (load 1 from call-entry &foo), (load 1 from custom "x"), (load 1 from unknown-address, addrspace 5)',
  '(load 1 from `ptr addrspace(1) null`), (load 1), (store 1 into `ptr addrspace(1) poison` + 1)',
];

/** Lines below a label and labels. */
const BLOCKS: readonly string[] = [
  'bb.0:\n  successors: %bb.1(0x40000000), %bb.2.x(0x40000000)\n  liveins: $vgpr0, $sgpr0_sgpr1:0x0000000000000003, $vgpr1:1\n\n  S_NOP 0\n\nbb.1:\n\nbb.2.x:\n',
  'bb.0.entry (%ir-block.entry, machine-block-address-taken, ir-block-address-taken %ir-block.1, align 16):\nbb.1 (%ir-block."x y", landing-pad, ehfunclet-entry, ehscope-entry, inlineasm-br-indirect-target):\n',
  'bb.0 (bbsections Cold, bb_id 3 4, call-frame-size 16):\nbb.1 (bbsections Exception):\nbb.2 (bbsections 5, bb_id 7):\nbb.3 ():\nbb.4 (align 4,):\n',
];

/** What is put between other tokens and in place of them. */
const STRAY: readonly string[] = [
  ...[',', '5', '-1', '%0', '$vgpr0', 'x', '"s"', '(', ')', ':', '!', '=', '{', '}', '0x1F', '@g', 'implicit', '::'],
  ...['%bb.0', '4294967296', '?', '99999999999999999999', '.', '<', '>', '+', '-', '_', '1.5', '%stack.0', 'def'],
  ...['!tbaa', '`p`', 'bb.7:', '&foo', '%ir.p', 'align', 'undef', '<mcsymbol q>', '%ir-block.1', '@0', '!DIExpression'],
  ...['%subreg.sub0', 'successors', 'true', 'load', '0xH1', '%9', '-4294967296', '%const.0', 'nnan', 'tied-def', 's32'],
  ...['%stack.9', '%bb.99999999999', '@"', '/*', '/* x */', ';', '18446744073709551615', '\\', '#', '~', '*', '/'],
];

const TOKENS = /"[^"]*"|`[^`]*`|<mcsymbol [^>]*>|[%$@&!]?[\w.$-]+|::|\n *|[^\s\w]/g;

/** A text without each of its tokens, cut after each, with another one in place of it and before it. */
export function damaged(text: string, isCut = true): string[] {
  const res: string[] = [];
  let k = text.length;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token.startsWith('\n')) continue;
    const before = text.slice(0, index);
    const after = text.slice(index + token.length);
    res.push(before + after);
    if (isCut) res.push(before + token);
    k += 7;
    res.push(`${before}${STRAY[k % STRAY.length]}${after}`);
    k += 5;
    res.push(`${before}${STRAY[k % STRAY.length]} ${token}${after}`);
  }
  return res;
}

/** Each token by itself and with each other character after it, as one operand more. */
const WORDS: readonly string[] = [
  ...[
    '%bb.0',
    '%bb.0.x',
    '%stack.1.s',
    '%stack.',
    '%fixed-stack.0',
    '%fixed-stack.',
    '%const.0',
    '%const.x',
    '%jump-table.0',
  ],
  ...[
    '%jump-table.',
    '%subreg.sub0',
    '%subreg.',
    '%ir-block.1',
    '%ir-block.x',
    '%ir.p',
    '%ir.0',
    '%0',
    '%name',
    '%b',
    '%bb',
    '%bb.',
  ],
  ...[
    '$vgpr0',
    '$',
    '$noreg',
    '@g',
    '@0',
    '@',
    '@"g h"',
    '&foo',
    '&',
    '&"a"',
    '<mcsymbol a>',
    '<mcsymbol ',
    '<mcsymbol "a"',
    '<mcs',
  ],
  ...[
    '5',
    '-5',
    '0',
    '-0',
    '007',
    '-',
    '5.',
    '5.5',
    '5e3',
    '5.0e3',
    '5.0e+',
    '5.0e-3',
    '5.0e',
    '-5.5E+12',
    '0x',
    '0xg',
    '0x1f',
    '0X1F',
  ],
  ...[
    '0xH1',
    '0xK2',
    '0xL3',
    '0xM4',
    '0xR5',
    '0xH',
    '0xHg',
    '00x1',
    '-0x1',
    '!0',
    '!',
    '!tbaa',
    '!foo',
    '!DILocation',
    '!-',
    '!"s"',
  ],
  ...[
    '`a`',
    '`a',
    '"a"',
    '"a',
    'b',
    'bb',
    'bb.',
    'bb.x',
    'bb.1',
    'bb.1.x',
    'b.1',
    'a-b.c$d',
    '_',
    '_x',
    'x_',
    '.',
    '.x',
    '.5',
    '.5x',
  ],
  ...[
    'implicit',
    'implicit-',
    'implicit-def',
    'half',
    'float',
    'floatx',
    'same_value',
    'intpred',
    '::',
    ':',
    ':::',
    '+',
    '<',
    '>',
    '==',
  ],
  ...[
    '/',
    '/*',
    '/**/',
    '/*/',
    '/* a',
    '*/',
    ';',
    '; x',
    '#',
    '\\',
    '~',
    '^',
    '??',
    '[',
    ']',
    '|',
    "'",
    '\x01',
    '\x7f',
    '\xc3\xa9',
    '\xff',
    '\0',
  ],
];

const NUMBERS: readonly string[] = [
  ...[
    '1',
    '2147483647',
    '2147483648',
    '4294967295',
    '4294967296',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
  ],
  ...[
    '9223372036854775807',
    '9223372036854775808',
    '18446744073709551615',
    '18446744073709551616',
    '99999999999999999999999',
  ],
  ...['0000000000000000000000000000000000000007', '1'.repeat(400), '1'.repeat(401)],
];
const HEXES: readonly string[] = [
  ...[
    '0x0',
    '0x7fffffff',
    '0x80000000',
    '0xFFFFFFFF',
    '0x100000000',
    '0x1FFFFFFFFFFFFF',
    '0xFFFFFFFFFFFFFF',
    '0x7fffffffffffffff',
  ],
  ...[
    '0xFFFFFFFFFFFFFFFF',
    '0x10000000000000000',
    '0x00000000000000000000001',
    '0x0000000000000000FFFFFFFFFFFFFFFF',
    '0xff',
    '0x100',
  ],
];

const QUOTED: readonly string[] = [
  '\\20',
  '\\41b',
  '\\\\',
  '\\',
  '\\g',
  '\\4',
  '\\4g',
  'a\\"',
  '',
  ' ',
  '\xc3\xa9',
  "'",
  '>',
];

const PREDICATES = [
  'eq',
  'ne',
  'sgt',
  'sge',
  'slt',
  'sle',
  'ugt',
  'uge',
  'ult',
  'ule',
  'false',
  'oeq',
  'ogt',
  'oge',
  'olt',
  'ole',
  'one',
  'ord',
];
PREDICATES.push('uno', 'ueq', 'une', 'true', 'EQ', '');

const TYPES: readonly string[] = [
  ...[
    's0',
    's1',
    's65535',
    's65536',
    's',
    's1x',
    'p0',
    'p16777215',
    'p16777216',
    'p',
    'px',
    'q1',
    's-1',
    's18446744073709551648',
  ],
  ...[
    '<2 x s16>',
    '<1 x s16>',
    '<0 x s16>',
    '<65535 x s1>',
    '<65536 x s1>',
    '<-2 x s16>',
    '<18446744073709551618 x s8>',
    '<2 x s0>',
  ],
  ...[
    '<2 x p0>',
    '<2 x q>',
    '<2 y s1>',
    '<2 s1>',
    '<x>',
    '<>',
    '<',
    '<2 x s16',
    '<2 x s16)',
    '<2 x 16>',
    '<2>',
    '<2 x>',
    '<2 x s>',
    '<2 x s1x>',
  ],
  ...[
    '<vscale x 2 x s16>',
    '<vscale x 2 x p1>',
    '<vscale 2 x s16>',
    '<vscale x x s16>',
    '<vscale x 0 x s16>',
    '<vscale x 2 s16>',
    '<vscale>',
  ],
  ...[
    '<vscale y 2 x s16>',
    '<vscale x 2 x s0>',
    '<vscale x 2 x q>',
    '<vscale x 2 x s16',
    'undef',
    '5',
    '<2 x p16777216>',
    '<2 x s65536>',
    '',
  ],
  ...[
    'tied-def 0',
    'tied-def',
    'tied-def x',
    'tied-def -1',
    'tied-def 0x0',
    'tied-def 99999999999',
    'tied-def 0 x',
    'tied-def 1',
  ],
];

const LOCATIONS: readonly string[] = [
  ...[
    'line: 1, scope: !0',
    'scope: !0, line: 1',
    'line: 1',
    'scope: !0',
    '',
    'line: 1, scope: !0,',
    'line: 1 scope: !0',
    'line 1, scope: !0',
  ],
  ...[
    'line: x, scope: !0',
    'line: -1, scope: !0',
    'line: 1, scope: 0',
    'line: 1, scope: !x',
    'lime: 1',
    ':',
    'line: 1, 5: 2',
    'line:',
  ],
  ...[
    'line: 1, scope: !0, isImplicitCode: true',
    'line: 1, scope: !0, isImplicitCode: false',
    'line: 1, scope: !0, isImplicitCode: x',
  ],
  ...[
    'line: 1, scope: !0, isImplicitCode: 1',
    'line: 1, scope: !0, atomGroup: 3, atomRank: 2',
    'line: 1, scope: !0, atomGroup: x',
    'load: 1',
  ],
  ...[
    'line: 1, scope: !0, inlinedAt: !1',
    'line: 1, scope: !0, inlinedAt: !DILocation(line: 2, scope: !0)',
    'inlinedAt: !DILocation(line: 2)',
  ],
  ...[
    'line: 1, scope: !0, inlinedAt: x',
    'line: 1, scope: !0, inlinedAt: !DILocation',
    'line: 1, scope: !0, inlinedAt: !DILocation(line: 2, scope: !0',
  ],
  ...[
    'inlinedAt: !DILocation(line: 2, scope: !0), line: 4',
    'inlinedAt: !DILocation(line: 2, scope: !0, x: 1)',
    'line: 4294967296, scope: !0',
  ],
  ...[
    'line: 1, scope: !4294967296',
    'line: 1, scope: !-1',
    'scope: !0, line: 1, column: 18446744073709551616',
    'line: 1, scope: !0)',
  ],
];

const CFI: readonly string[] = [
  ...[
    'same_value $sgpr0',
    'offset $sgpr0, 4',
    'rel_offset $sgpr0, 4',
    'def_cfa_register $sgpr0',
    'def_cfa_offset 4',
    'adjust_cfa_offset -4',
  ],
  ...[
    'escape 0x1',
    'remember_state',
    'restore $sgpr0',
    'restore_state',
    'undefined $sgpr0',
    'window_save',
    'negate_ra_sign_state',
  ],
  ...[
    'negate_ra_sign_state_with_pc',
    'same_value 4',
    'offset $sgpr0 4',
    'offset 4',
    'offset $sgpr0, $sgpr1',
    'def_cfa_offset x',
    'escape 1',
  ],
  ...[
    'escape 0x100',
    'escape 0x100000000',
    'escape 0x1,',
    'escape',
    'register $sgpr0',
    'register $sgpr0,',
    'register $sgpr0, 4',
    'restore',
  ],
  ...[
    'def_cfa_offset 2147483647',
    'def_cfa_offset 2147483648',
    'def_cfa_offset 4294967295',
    'def_cfa_offset 4294967296',
    'def_cfa_offset -2147483648',
  ],
  ...[
    'def_cfa_offset -2147483649',
    'def_cfa_offset -4294967296',
    'def_cfa_offset 99999999999999999999',
    'def_cfa_offset -0',
    'remember_state 1',
  ],
  ...[
    'llvm_def_aspace_cfa $sgpr0, 4, -1',
    'llvm_def_aspace_cfa $sgpr0, 4, x',
    'llvm_def_aspace_cfa $sgpr0, 4',
    'llvm_def_aspace_cfa $sgpr0',
  ],
  ...[
    'llvm_def_aspace_cfa $sgpr0, 4, 4294967296',
    'llvm_def_aspace_cfa $sgpr0 4, 6',
    'llvm_def_aspace_cfa $sgpr0, 4 6',
    'undefined 1',
    'def_cfa_register 1',
  ],
];

/** Operands with one place for a number or a word in quotes. */
function operandTexts(): string[] {
  const res: string[] = [];
  for (const n of NUMBERS) {
    for (const spelled of [n, `-${n}`])
      for (const form of [
        'KILL N',
        'KILL @g + N',
        'KILL @g - N',
        'KILL lanemask(N)',
        'KILL i64 N',
        'KILL dbg-instr-ref(N, 1)',
        'KILL !N',
      ])
        res.push(form.replace('N', spelled));
    for (const form of [
      'KILL %stack.N',
      'KILL %bb.N',
      'KILL %N',
      'KILL @N',
      'KILL %fixed-stack.N',
      'KILL %const.N',
      'KILL %jump-table.N',
    ])
      res.push(form.replace('N', n));
    for (const form of [
      'INLINEASM &"", 25 :: (load N)',
      'INLINEASM &"", 25 :: (load 4, align N)',
      'INLINEASM &"", 25 :: (load 4, addrspace N)',
      'INLINEASM &"", 25 :: (load 4 from %ir.N)',
      'INLINEASM &"", 25 :: (load 4 from @N)',
    ])
      res.push(form.replace('N', n));
    for (const word of ['cfi-type', 'debug-instr-number', 'deactivation-symbol']) res.push(`S_NOP 0, ${word} ${n}`);
    res.push(`KILL !DIExpression(${n})`, `KILL shufflemask(${n}, 1)`, `KILL blockaddress(@f, %ir-block.${n})`);
  }
  for (const h of HEXES)
    for (const form of [
      'KILL lanemask(N)',
      'KILL N',
      'KILL float N',
      'CFI_INSTRUCTION escape N',
      'INLINEASM &"", 25 :: (load N)',
      'INLINEASM &"", 25 :: (load 4, align N)',
    ])
      res.push(form.replace('N', h));
  for (const q of QUOTED)
    for (const form of ['@"Q"', '&"Q"', '<mcsymbol "Q">', '<mcsymbol Q>', 'blockaddress(@f, %ir-block."Q")'])
      res.push(`KILL ${form.replace('Q', q)}`);
  for (const p of PREDICATES) res.push(`KILL intpred(${p})`, `KILL floatpred(${p})`);
  for (const t of TYPES) res.push(`KILL %1(${t})`, `%7:_(${t}) = KILL`, `KILL $vgpr0(${t})`);
  for (const t of TYPES.slice(0, 24)) res.push(`INLINEASM &"", 25 :: (load (${t}))`);
  for (const l of LOCATIONS) res.push(`S_NOP 0, debug-location !DILocation(${l})`);
  for (const c of CFI) res.push(`CFI_INSTRUCTION ${c}`);
  return res;
}

export const REGISTER_FLAGS: readonly string[] = [
  'implicit',
  'implicit-def',
  'def',
  'dead',
  'killed',
  'undef',
  'internal',
  'early-clobber',
  'debug-use',
  'renamable',
];
const INSTR_FLAGS: readonly string[] = [
  ...[
    'frame-setup',
    'frame-destroy',
    'nnan',
    'ninf',
    'nsz',
    'arcp',
    'contract',
    'afn',
    'reassoc',
    'nuw',
    'nsw',
    'exact',
    'nofpexcept',
  ],
  ...['unpredictable', 'noconvergent', 'nneg', 'disjoint', 'nusw', 'samesign', 'inbounds', 'nomerge', 'tied-def'],
];
const MEMORY_FLAGS: readonly string[] = [
  'volatile',
  'non-temporal',
  'dereferenceable',
  'invariant',
  '"amdgpu-noclobber"',
  '"amdgpu-last-use"',
  '"x"',
];
const ORDERINGS: readonly string[] = [
  'unordered',
  'monotonic',
  'acquire',
  'release',
  'acq_rel',
  'seq_cst',
  'not_atomic',
];
const ATTRIBUTES: readonly string[] = [
  ...[
    'align 4',
    'align 3',
    'align 0',
    'align x',
    'align -4',
    'align 0x4',
    'align',
    'align 4294967296',
    'align 99999999999999999999',
    'landing-pad',
  ],
  ...[
    'bbsections',
    'bbsections x',
    'bbsections 99999999999',
    'bbsections -1',
    'bb_id',
    'bb_id x',
    'bb_id 0x1',
    'bb_id 1 2',
    'bb_id 1 99999999999',
  ],
  ...[
    'bb_id 99999999999',
    'call-frame-size',
    'call-frame-size 0x10',
    'call-frame-size 99999999999',
    'call-frame-size x',
    'ir-block-address-taken',
  ],
  ...[
    'ir-block-address-taken 5',
    'ir-block-address-taken %ir-block.entry',
    '%ir-block.99999999999',
    '%ir-block.9',
    '%ir-block.nowhere',
    'x',
    '5',
    ',',
  ],
  ...[
    'ehfunclet-entry',
    'ehscope-entry',
    'machine-block-address-taken',
    'inlineasm-br-indirect-target',
    'bb_id 1, align 8',
    'align 8 bb_id 1',
    '"x"',
    '?',
  ],
];

function flagTexts(): string[] {
  const res: string[] = [];
  for (const f of REGISTER_FLAGS)
    for (const form of [
      'KILL F $vgpr0',
      'F $vgpr0 = KILL',
      'KILL F F $vgpr0',
      'KILL F',
      'KILL F, 5',
      'F = KILL',
      'KILL implicit-def F $vgpr0',
      'KILL F %0',
    ])
      res.push(form.replaceAll('F', f));
  for (const f of INSTR_FLAGS) res.push(`${f} KILL`, `$vgpr0 = ${f} KILL ${f}`, `${f} ${f} KILL`, `KILL ${f} $vgpr0`);
  for (const f of MEMORY_FLAGS)
    res.push(
      `INLINEASM &"", 25 :: (${f} load 4)`,
      `INLINEASM &"", 25 :: (${f} ${f} load 4)`,
      `INLINEASM &"", 25 :: (load ${f} 4)`,
      `INLINEASM &"", 25 :: (load 4 ${f})`,
    );
  for (const o of ORDERINGS)
    res.push(
      `INLINEASM &"", 25 :: (load ${o} 4)`,
      `INLINEASM &"", 25 :: (load ${o} ${o} 4)`,
      `INLINEASM &"", 25 :: (load syncscope("wave") ${o} 4)`,
      `INLINEASM &"", 25 :: (load acquire ${o} 4)`,
    );
  return res;
}

function blockTexts(): string[] {
  const texts = BLOCKS.flatMap((text) => [text, ...damaged(text, false)]);
  for (const a of ATTRIBUTES) texts.push(`bb.0 (${a}):\n`, `bb.0.x (align 4, ${a}):\n`);
  for (const n of NUMBERS)
    texts.push(
      `bb.${n}:\n`,
      `bb.0:\n  successors: %bb.0(${n})\n`,
      `bb.0:\n  liveins: $vgpr0:${n}\n`,
      `bb.0 (bb_id ${n}):\n`,
    );
  for (const h of HEXES)
    texts.push(`bb.0:\n  successors: %bb.0(${h})\n`, `bb.0:\n  liveins: $vgpr0:${h}\n`, `bb.0 (bb_id ${h}):\n`);
  const nop = 'S_NOP 0';
  texts.push(
    ...[
      '',
      '\n',
      '; c\n',
      `${nop}\n`,
      `\n${nop}\nbb.0:\n`,
      '; c\nbb.0:\n',
      '}\n',
      '{\n',
      'bb.0:\n}\n',
      'bb.0:\n{\n',
      'liveins: $vgpr0\n',
      '?\n',
      'bb.0:\n?\n',
    ],
    ...[
      `bb.0:\n  ${nop} {\n`,
      `bb.0:\n  ${nop} {\n  ${nop}\nbb.1:\n`,
      `bb.0:\n  ${nop} {\n  ${nop} {\n  }\n  }\n`,
      `bb.0:\n  BUNDLE {\n  BUNDLE {\n  }\n  }\n`,
    ],
    ...[
      `bb.0:\n  BUNDLE {\n  ${nop}\n  }\n`,
      `bb.0:\n  BUNDLE {\n  }\n  }\n`,
      `bb.0:\n  BUNDLE { ${nop} }\n`,
      `bb.0:\n  BUNDLE { }\n  ${nop} }\n`,
      `bb.0: ${nop}\n`,
    ],
    ...[
      `bb.0: successors: %bb.0\n`,
      `bb.0: liveins: $vgpr0\n`,
      `bb.0:\n  ${nop}\n  successors: %bb.0\n`,
      `bb.0:\n  ${nop}\n  liveins: $vgpr0\n`,
    ],
    ...[
      `bb.0:\n  liveins: $vgpr0\n  successors: %bb.0\n`,
      `bb.0:\n  successors:\n  liveins:\n`,
      `bb.0:\n  liveins: $vgpr0 ${nop}\n`,
      `bb.0:\n  successors: %bb.0 ; c\n`,
    ],
    ...[
      `bb.0:\n  successors: %bb.0\n  successors: %bb.0\n`,
      `bb.0:\n  liveins: $vgpr0\n  liveins: $vgpr1\n`,
      `bb.0:\n  ${nop} bb.1:\n`,
      `bb.0: bb.1:\n`,
      `bb.0:\n  x bb.1:\n`,
    ],
    ...[
      `bb.0:\n  BUNDLE {\n  successors: %bb.0\n  }\n`,
      `bb.0:\n  BUNDLE {\n  bb.1:\n  }\n`,
      `bb.0:\n  ${nop}\n}\n`,
      `bb.0:\n\n\n  successors: %bb.0\n`,
      `bb.0:\n; c\n  liveins: $vgpr0\n`,
    ],
    ...[
      `bb.1:\nbb.0:\n`,
      `bb.0:\nbb.0:\n`,
      `bb.0:\nbb.2:\n`,
      `bb.0.a:\n  S_BRANCH %bb.0.b\n`,
      `bb.0.a:\n  S_BRANCH %bb.0.a\n`,
      `bb.0.a.b-c$d:\n  S_BRANCH %bb.0\n`,
      `bb.0.:\n`,
    ],
    ...[
      `bb.0:\n  ${nop} /* a\n  b */ , implicit $vgpr0\n`,
      `bb.0:\n  ${nop} /* a\n`,
      `bb.0:\n  ${nop} /* a */ /* b */\n`,
      `bb.0:\n  /* a */ ${nop}\n`,
      `/* a */ bb.0:\n`,
    ],
    ...[
      `bb.0:\n  KILL !DIExpression()\n  ${nop}\n`,
      `bb.0:\n  KILL !DIExpression(\n\n\n`,
      `bb.0:\n  KILL !DIExpression(1\n  ; c\n  ?\n`,
    ],
    ...[
      `bb.0:\n  KILL !DIExpression()\n\n\n`,
      `bb.0:\n  KILL !\n`,
      `bb.0:\n  KILL !\n  5\n`,
      `bb.0:\n  S_NOP 0, pcsections\n  !2\n`,
      `bb.0:\n  S_NOP 0, pcsections\n\n  !2\n`,
    ],
    ...[
      `bb.0:\n  INLINEASM &"", 25 :: (load 4 from custom\n`,
      `bb.0:\n  INLINEASM &"", 25 :: (load 4 from custom\n  x\n`,
      `bb.0:\n  INLINEASM &"", 25 :: (load 4 from custom 5)\n`,
      `bb.0:\n  INLINEASM &"", 25 :: (load 4 from custom ?)\n`,
    ],
    ...[
      `bb.0:\r\n  ${nop}\r\n`,
      `bb.0:\r  ${nop}\r`,
      `bb.0:\n  ${nop} ; c\r  x\n`,
      `bb.0:\n\t${nop}\n`,
      `bb.0:\n  ${nop}\t,\timplicit\t$vgpr0\n`,
      `bb.0:\n  S_NOP 0, debug-instr-number 1 5\n`,
    ],
    ...[
      `bb.0:\n  S_NOP 0, debug-instr-number 1 bb.1:\n`,
      `bb.0:\n  S_NOP 0, debug-instr-number 1 ?\n`,
      `bb.0:\n  S_NOP 0, debug-instr-number 1 { S_NOP 1 }\n`,
    ],
    ...[
      `bb.0:\n  BUNDLE :: (load 4) {\n  ${nop}\n  }\n`,
      `bb.0:\n  ${nop} :: (load 4) {\n  ${nop}\n  }\n`,
      `bb.0:\n  ${nop} ::\n`,
      `bb.0:\n  ${nop} :: (load 4),\n`,
    ],
  );
  return texts.map(blocksText);
}

function wordTexts(): string[] {
  const behind = ['a', '.', '"', '5', ' ', ':', '-', '(', ',', '$', '!', '%', '\xe9'];
  return WORDS.flatMap((w, i) => [w, w + behind[i % behind.length], w + behind[(i * 5 + 3) % behind.length]]).map(
    (w) => `KILL ${w}`,
  );
}

const one = (line: string): string => bodyText([line]);

/** Texts by what they are about. */
export const BODY_TEXTS: Readonly<Record<string, () => string[]>> = {
  tokens: () => wordTexts().map(one),
  operands: () => operandTexts().map(one),
  flags: () => flagTexts().map(one),
  lines: () => [...LINES, ...LINES.flatMap((line) => damaged(line))].map(one),
  memory: () => MEMORY.flatMap((m) => [m, ...damaged(m)]).map((m) => one(`INLINEASM &"", 25 :: ${m}`)),
  blocks: blockTexts,
};
