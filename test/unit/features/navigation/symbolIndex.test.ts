/** Every name of a function's document: where it stands, what it is, what is done to it. Told by hand. */
import assert from 'node:assert/strict';
import { occurrencesOf, symbolAt, isWrite, aliasesIn } from '../../../../server/src/features/snapshot/symbolAt.js';
import { EntityKind, Role, type SymbolIndex } from '../../../../server/src/features/symbols/symbolIndex.js';
import type { FunctionView, Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { atCursor } from '../../../support/cursor.js';

const KINDS: Readonly<Record<number, string>> = {
  [EntityKind.VReg]: 'register',
  [EntityKind.PhysReg]: 'physical',
  [EntityKind.Block]: 'block',
  [EntityKind.Stack]: 'stack',
  [EntityKind.FixedStack]: 'fixed',
  [EntityKind.Constant]: 'constant',
  [EntityKind.JumpTable]: 'table',
  [EntityKind.Global]: 'global',
  [EntityKind.IRLocal]: 'local',
  [EntityKind.Metadata]: 'metadata',
  [EntityKind.External]: 'external',
  [EntityKind.MCSymbol]: 'symbol',
};
const ROLES: readonly (readonly [Role, string])[] = [
  [Role.Declaration, 'declared'],
  [Role.Def, 'def'],
  [Role.Use, 'use'],
  [Role.Kill, 'kill'],
  [Role.Dead, 'dead'],
  [Role.Undef, 'undef'],
  [Role.Implicit, 'implicit'],
  [Role.LiveIn, 'livein'],
  [Role.Debug, 'debug'],
  [Role.Header, 'header'],
  [Role.SubReg, 'part'],
];
const rolesOf = (role: number): string =>
  ROLES.filter(([bit]) => (role & bit) !== 0)
    .map(([, word]) => word)
    .join(' ');

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n';
const opened = (text: string): { snapshot: Snapshot; view: FunctionView; text: string } => {
  const { snapshot } = atCursor(`$0${RUN}${text}`);
  return { snapshot, view: snapshot.functions.at(-1)!, text: RUN + text };
};

/** `text kind name roles` of each occurrence in the order of the text. */
function names({ view, text }: { view: FunctionView; text: string }): string[] {
  const { symbols } = view;
  return Array.from({ length: symbols.n }, (_, i) => {
    const e = symbols.entity[i]!;
    const own = text.slice(view.start + symbols.start[i]!, view.start + symbols.end[i]!);
    const name = symbols.nameOf(e);
    const isSame = own.replace(/^[%$@&!]/, '') === name;
    return [own, KINDS[symbols.kinds[e]!]!, ...(isSame ? [] : [name]), `(${rolesOf(symbols.role[i]!)})`].join(' ');
  });
}

const inBody = (line: string): string => `---\nname: f\nbody: |\n  bb.0:\n    ${line}\n...\n`;
const inHeader = (lines: string): string => `---\nname: f\n${lines}body: |\n  bb.0:\n...\n`;

describe('names of a body', () => {
  const LINES: readonly (readonly [line: string, names: readonly string[]])[] = [
    ['%0:vgpr_32 = COPY $vgpr0', ['%0 register (def)', '$vgpr0 physical (use)']],
    ['%name = COPY killed %0', ['%name register (def)', '%0 register (use kill)']],
    ['dead %0:sreg_32 = COPY undef %x_1.sub0', ['%0 register (def dead)', '%x_1 register (use undef part)']],
    ['undef %1.sub1:vreg_64 = COPY %1.sub0', ['%1 register (def undef part)', '%1 register (use part)']],
    [
      'S_NOP 0, implicit killed $sgpr0_sgpr1, implicit-def dead $scc',
      ['$sgpr0_sgpr1 physical (use kill implicit)', '$scc physical (def dead implicit)'],
    ],
    ['S_NOP 0, implicit undef %0', ['%0 register (use undef implicit)']],
    ['INLINEASM &"a b", 1, 2, def %0, 3, %1', ['&"a b" external a b (use)', '%0 register (def)', '%1 register (use)']],
    [
      'DBG_VALUE debug-use %0, $noreg, !3, !DIExpression()',
      ['%0 register (use debug)', '$noreg physical (use)', '!3 metadata (use)'],
    ],
    [
      '$vgpr0, $sgpr2_sgpr3 = X $exec_lo',
      ['$vgpr0 physical (def)', '$sgpr2_sgpr3 physical (def)', '$exec_lo physical (use)'],
    ],
    ['S_BRANCH %bb.3', ['%bb.3 block 3 (use)']],
    ['S_BRANCH %bb.3.some-name', ['%bb.3.some-name block 3 (use)']],
    ['successors: %bb.1, %bb.2(0x40000000)', ['%bb.1 block 1 (use)', '%bb.2 block 2 (use)']],
    ['liveins: $vgpr0, $sgpr4_sgpr5:0x1', ['$vgpr0 physical (def livein)', '$sgpr4_sgpr5 physical (def livein)']],
    [
      'X %stack.0, %stack.1.name.2, %fixed-stack.3',
      ['%stack.0 stack 0 (use)', '%stack.1.name.2 stack 1 (use)', '%fixed-stack.3 fixed 3 (use)'],
    ],
    ['X %const.4, %jump-table.5', ['%const.4 constant 4 (use)', '%jump-table.5 table 5 (use)']],
    [
      'X @g, @"a b", @7, &ext',
      ['@g global (use)', '@"a b" global a b (use)', '@7 global (use)', '&ext external (use)'],
    ],
    ['X target-flags(amdgpu-rel32-lo) @g + 4', ['@g global (use)']],
    ['X <mcsymbol .L0>', ['<mcsymbol .L0> symbol .L0 (use)']],
    ['X 0, pre-instr-symbol <mcsymbol a>', ['<mcsymbol a> symbol a (use)']],
    ['X :: (load (s32) from %ir.p, addrspace 1)', ['%ir.p local p (use)']],
    ['X :: (load (s32) from %ir.0), (store (s8) into @g)', ['%ir.0 local 0 (use)', '@g global (use)']],
    ['X :: (load (s32) from %ir."x y")', ['%ir."x y" local x y (use)']],
    ['X :: (load (s32) from %stack.0)', ['%stack.0 stack 0 (use)']],
    ['X :: (load (s32), !tbaa !4)', ['!4 metadata (use)']],
    ['X blockaddress(@g, %ir-block.b)', ['@g global (use)']],
    ['X 1, debug-location !7', ['!7 metadata (use)']],
    ['X %0(s32), %1:_(p1), %2:sgpr(s1)', ['%0 register (use)', '%1 register (use)', '%2 register (use)']],
    ['X %0(tied-def 0), %A-Z, %a$b', ['%0 register (use)', '%A-Z register (use)', '%a$b register (use)']],
    ['X %"a b":vgpr_32', []],
    ['X CustomRegMask($vgpr0,$sgpr1)', ['$vgpr0 physical (use)', '$sgpr1 physical (use)']],
    ['X liveout($vgpr3)', ['$vgpr3 physical (use)']],
    ['X intrinsic(@llvm.x), intpred(eq), 5, i32 7', ['@llvm.x global (use)']],
    ['; %0 $vgpr0 @g', []],
    ['X', []],
  ];
  for (const [line, wanted] of LINES)
    it(line, () => {
      const found = names(opened(inBody(line)));
      assert.deepEqual(found.slice(0, 2), ['f global (declared def header)', 'bb.0 block 0 (declared)']);
      assert.deepEqual(found.slice(2), wanted);
    });

  it('labels of blocks', () => {
    const own = names(
      opened(
        '---\nname: f\nbody: |\n  bb.0:\n  bb.1.entry:\n  bb.2 (align 4, %ir-block.x):\n  bb.3.a.b (%ir-block."c d"):\n...\n',
      ),
    );
    assert.deepEqual(own.slice(1), [
      'bb.0 block 0 (declared)',
      'bb.1.entry block 1 (declared)',
      'bb.2 block 2 (declared)',
      '%ir-block.x local x (use)',
      'bb.3.a.b block 3 (declared)',
      '%ir-block."c d" local c d (use)',
    ]);
  });

  it('many of them in one chunk', () => {
    const lines = Array.from({ length: 700 }, (_, k) => `    S_NOP 0, implicit %${k}\n`).join('');
    const { view } = opened(`---\nname: f\nbody: |\n  bb.0:\n${lines}...\n`);
    assert.equal(view.symbols.n, 702);
    assert.equal(view.symbols.nameOf(view.symbols.entity[701]!), '699');
    // In one line, and so in one chunk.
    const wide = opened(inBody(`X ${Array.from({ length: 1300 }, (_, k) => `%${k}`).join(', ')}`)).view.symbols;
    assert.equal(wide.n, 1302);
    assert.deepEqual(
      [2, 513, 514, 1026, 1301].map((i) => wide.nameOf(wide.entity[i]!)),
      ['0', '511', '512', '1024', '1299'],
    );
  });
});

describe('names of a header', () => {
  const HEADERS: readonly (readonly [lines: string, names: readonly string[]])[] = [
    ['', []],
    ['tracksRegLiveness: true\n', []],
    ['registers:\n  - { id: 7, class: vgpr_32 }\n', ['7 register (declared header)']],
    [
      "registers:\n  - { id: 7, class: _, preferred-register: '$vgpr3' }\n",
      ['7 register (declared header)', '$vgpr3 physical (use header)'],
    ],
    [
      'registers:\n  - id: 0\n    class: sreg_32\n  - id: 12\n    class: _\n',
      ['0 register (declared header)', '12 register (declared header)'],
    ],
    ['registers:\n  - { id: x }\n  - { id: 1234567890 }\n  - { class: _ }\n', []],
    [
      "liveins:\n  - { reg: '$vgpr0', virtual-reg: '%0' }\n  - { reg: $sgpr1, virtual-reg: \"%name\" }\n",
      [
        '$vgpr0 physical (use livein header)',
        '%0 register (use livein header)',
        '$sgpr1 physical (use livein header)',
        '%name register (use livein header)',
      ],
    ],
    ['stack:\n  - { id: 0, size: 4 }\n  - { id: 1 }\n', ['0 stack (declared header)', '1 stack (declared header)']],
    ['fixedStack:\n  - { id: 2, size: 4, offset: 0 }\n', ['2 fixed (declared header)']],
    ["constants:\n  - { id: 3, value: 'i32 1' }\n", ['3 constant (declared header)']],
    [
      "jumpTable:\n  kind: inline\n  entries:\n    - { id: 4, blocks: [ '%bb.0', '%bb.1.x' ] }\n",
      ['4 table (declared header)', '%bb.0 block 0 (use header)', '%bb.1.x block 1 (use header)'],
    ],
    ["machineFunctionInfo:\n  stackPtrOffsetReg: '$sgpr32'\n  returnsVoid: true\n", ['$sgpr32 physical (use header)']],
    ["stack:\n  - { id: 0, debug-info-variable: '!5' }\n", ['0 stack (declared header)', '!5 metadata (use header)']],
    [
      "calleeSavedRegisters: [ '$vgpr40', '$sgpr30_sgpr31' ]\n",
      ['$vgpr40 physical (use header)', '$sgpr30_sgpr31 physical (use header)'],
    ],
    ["frameInfo:\n  savePoint: '%bb.2'\n  restorePoint: ''\n", ['%bb.2 block 2 (use header)']],
    [
      "callSites:\n  - { bb: 0, offset: 1, fwdArgRegs: [ { arg: 0, reg: '$vgpr0' } ] }\n",
      ['$vgpr0 physical (use header)'],
    ],
    [
      "a: '%stack.0'\nb: '%fixed-stack.1'\nc: '%const.2'\nd: '%jump-table.3'\n",
      [
        '%stack.0 stack 0 (use header)',
        '%fixed-stack.1 fixed 1 (use header)',
        '%const.2 constant 2 (use header)',
        '%jump-table.3 table 3 (use header)',
      ],
    ],
    ["a: '%'\nb: '$'\nc: '!x'\nd: '%0 x'\ne: '@g'\nf: vgpr0\ng: '%nothing.0'\n", []],
    ["liveins: '$vgpr1'\n", ['$vgpr1 physical (use livein header)']],
    ['liveins:\n', []],
  ];
  for (const [lines, wanted] of HEADERS)
    it(JSON.stringify(lines), () => {
      const found = names(opened(inHeader(lines)));
      assert.equal(found[0], 'f global (declared def header)');
      assert.equal(found.at(-1), 'bb.0 block 0 (declared)');
      assert.deepEqual(found.slice(1, -1), wanted);
    });

  it('the name in quotes, empty, and after the body', () => {
    assert.equal(names(opened("---\nname: 'a b'\nbody: |\n  bb.0:\n...\n"))[0], 'a b global (declared def header)');
    assert.deepEqual(names(opened("---\nname: ''\nbody: |\n  bb.0:\n...\n")), ['bb.0 block 0 (declared)']);
    assert.deepEqual(names(opened('---\nbody: |\n  bb.0:\nname: g\nregisters:\n  - { id: 3 }\n...\n')), [
      'bb.0 block 0 (declared)',
      'g global (declared def header)',
      '3 register (declared header)',
    ]);
  });
});

describe('an index of names', () => {
  const TEXT = inBody('%0:vgpr_32 = COPY %1\n    S_NOP 0, implicit %0, implicit %10\n    S_NOP 1, implicit %0');
  const { view, text, snapshot } = opened(TEXT);
  const { symbols } = view;
  const places = (index: SymbolIndex, name: string): number[] => [
    ...index.occurrences(index.find(EntityKind.VReg, name)),
  ];

  it('finds by name and kind', () => {
    assert.deepEqual(places(symbols, '0'), [2, 4, 6]);
    assert.deepEqual(places(symbols, '1'), [3]);
    assert.deepEqual(places(symbols, '10'), [5]);
    for (const [kind, name] of [
      [EntityKind.VReg, '2'],
      [EntityKind.VReg, 'f'],
      [EntityKind.PhysReg, '0'],
      [EntityKind.Stack, '0'],
      [EntityKind.Global, 'g'],
    ] as const)
      assert.equal(symbols.find(kind, name), -1);
    assert.ok(symbols.find(EntityKind.Block, '0') >= 0);
    assert.ok(symbols.find(EntityKind.Global, 'f') >= 0);
    assert.equal(symbols.occurrences(symbols.nEntities + 5).length, 0);
  });

  it('finds by place, both ends of a name among it', () => {
    const at = text.indexOf('%10') - view.start;
    assert.deepEqual(
      [-1, 0, 1, 3, 4].map((k) => symbols.at(at + k)),
      [-1, 5, 5, 5, -1],
    );
    assert.deepEqual(
      [-1, 0, 1, 3, 4].map((k) => symbols.lastFrom(at + k)),
      [4, 5, 5, 5, 5],
    );
    assert.equal(symbols.at(0), -1);
    assert.equal(symbols.lastFrom(0), -1);
    assert.equal(symbols.lastFrom(1e6), 6);
    // Before there is an index.
    const fresh = opened(TEXT).view;
    assert.deepEqual(
      [-2, -1, 0, 2, 3].map((k) => fresh.mayHaveName(at + k)),
      [false, false, true, true, true],
    );
    assert.equal(fresh.mayHaveName(0), true);
  });

  it('knows the symbol at the cursor and where else it stands', () => {
    const at = text.indexOf('%0');
    const here = symbolAt(snapshot, at)!;
    assert.deepEqual(
      [here.kind, here.name, here.fn, here.occurrence, here.start, here.end, here.view],
      [EntityKind.VReg, '0', 'f', 2, at, at + 2, view],
    );
    assert.deepEqual(
      occurrencesOf(snapshot, here).map((o) => `${text.slice(o.start, o.end)} ${rolesOf(o.role)} ${isWrite(o.role)}`),
      ['%0 def true', '%0 use implicit false', '%0 use implicit false'],
    );
    assert.equal(symbolAt(snapshot, at - 1), null);
    assert.equal(symbolAt(snapshot, 3), null);
    assert.equal(symbolAt(snapshot, text.indexOf('COPY') + 1), null);
  });
});

describe('symbols of a file', () => {
  const TEXT = `--- |
  @g = global i32 0
  define void @f(ptr %p) #0 {
    %x = load i32, ptr %p, !tbaa !1
    ret void
  }
  define void @h(ptr %p) { ret void }
  attributes #0 = { nounwind }
  !1 = !{}
...
---
name: f
liveins:
  - { reg: '$vgpr0' }
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1
    $vgpr0_vgpr1 = X @g, @h, !1, &e :: (load (s32) from %ir.p)
    $vgpr2 = COPY $vgpr1_vgpr2
    $nothing = COPY $sgpr0
    %0:vgpr_32 = COPY $vgpr0
...
---
name: h
body: |
  bb.0:
    %0:vgpr_32 = COPY $vgpr0
    X @g, &e, !1 :: (load (s32) from %ir.p)
...
`;
  const { snapshot, text } = opened(TEXT);
  /** Lines of all places of what stands at the `k`th place of a word. */
  function linesOf(word: string, k = 0): string {
    let at = -1;
    for (let n = 0; n <= k; n++) at = text.indexOf(word, at + 1);
    const here = symbolAt(snapshot, at + 1)!;
    return occurrencesOf(snapshot, here)
      .map((o) => `${snapshot.text.lineAt(o.start)}${o.view === null ? ' IR' : ''}`)
      .join(', ');
  }
  const CASES: readonly (readonly [word: string, k: number, lines: string])[] = [
    // Of the whole file.
    ['@g', 0, '2 IR, 18, 28'],
    ['@g', 1, '2 IR, 18, 28'],
    ['@f', 0, '3 IR, 12'],
    ['@h', 1, '7 IR, 18, 24'],
    ['name: h', 0, ''],
    ['!1', 0, '4 IR, 9 IR, 18, 28'],
    ['!1', 2, '4 IR, 9 IR, 18, 28'],
    ['#0', 0, '3 IR, 8 IR'],
    ['&e', 0, '18, 28'],
    // Of one function, in its IR and its code.
    ['%p', 0, '3 IR, 4 IR, 18'],
    ['%p', 2, '7 IR, 28'],
    ['%ir.p', 0, '3 IR, 4 IR, 18'],
    ['%x', 0, '4 IR'],
    ['%0', 0, '21'],
    ['%0', 1, '27'],
    // Registers that overlap.
    ['$vgpr0', 0, '14, 17, 18, 21'],
    ['$vgpr1,', 0, ''],
    ['$vgpr0_vgpr1', 0, '14, 17, 17, 18, 19, 21'],
    ['$vgpr2', 0, '19, 19'],
    ['$nothing', 0, '20'],
    ['$sgpr0', 0, '20'],
    ['$vgpr0', 4, '27'],
  ];
  for (const [word, k, lines] of CASES)
    if (lines !== '') it(`${word} ${k}: ${lines}`, () => assert.equal(linesOf(word, k), lines));

  it('registers that overlap another', () => {
    const view = snapshot.functions[0]!;
    const of = (name: string): string =>
      aliasesIn(view, name)
        .map((e) => view.symbols.nameOf(e))
        .sort()
        .join(' ');
    assert.equal(of('vgpr0'), 'vgpr0 vgpr0_vgpr1');
    assert.equal(of('vgpr1'), 'vgpr0_vgpr1 vgpr1 vgpr1_vgpr2');
    assert.equal(of('vgpr0_vgpr1_vgpr2'), 'vgpr0 vgpr0_vgpr1 vgpr1 vgpr1_vgpr2 vgpr2');
    assert.equal(of('nothing'), 'nothing');
    assert.equal(of('vgpr9'), '');
    assert.equal(of('noreg'), '');
  });
});
