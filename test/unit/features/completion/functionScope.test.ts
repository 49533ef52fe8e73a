/** What completion knows of the function around the cursor: its registers, its blocks, the opcodes in use. Told by hand. */
import assert from 'node:assert/strict';
import { FunctionScope, typeOfText, type VRegHere } from '../../../../server/src/features/completion/functionScope.js';
import { printLLT } from '../../../../server/src/model/llt.js';
import type { Opcode } from '../../../../server/src/target/index.js';
import { atCursor } from '../../../support/cursor.js';
import { typeText } from '../../../../server/src/features/words/registerNames.js';

const RUN = '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none -o - %s\n';

/** The scope of the line with `$0`, in the function that it stands in. */
function scopeAt(marked: string): FunctionScope {
  const { snapshot, position } = atCursor(RUN + marked);
  const { text } = snapshot;
  const at = text.offsetAt(position);
  const line = text.lineAt(at);
  return new FunctionScope(snapshot, snapshot.functionAt(at)!, text.lineStart(line), text.lineEnd(line));
}

const TEXT = `---
name: before
body: |
  bb.0:
    S_NOP 0
    S_ENDPGM 0
...
---
name: f
tracksRegLiveness: true
registers:
  - { id: 20, class: _ }
  - { id: 21, class: vgpr_32 }
  - { id: 22, class: '_' }
  - { id: 23, class: sgpr }
  - { id: 24, class:  "_", preferred-register: '' }
liveins:
  - { reg: '$vgpr0', virtual-reg: '%21' }
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr4

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr4
    undef %2.sub1:vreg_128 = COPY %0
    %2.sub3:vreg_128 = COPY %0
    %3:vgpr_32 = V_ADD_U32_e32 %2.sub1, killed %0, implicit $exec
    %gen:_(s64) = G_IMPLICIT_DEF
    DBG_VALUE debug-use %1, $noreg
    S_CMP_EQ_U32 %1, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc

  bb.1:
    %4:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 0, implicit %5, implicit undef %6

  bb.2:
    ; a comment
    S_NOP 0, implicit %3
    S_NOP 1, implicit %0, implicit %99$0
    S_NOP 2, implicit undef %3, implicit %2.sub0, implicit %2.sub1
    %7:vgpr_32 = V_ADD_U32_e32 %3, %1, implicit $exec
    S_NOP 3, implicit %8, implicit %8, implicit %23
    S_ENDPGM 0
...
`;

/** What is known of a register in one line; places count lines from that of the cursor. */
function known(scope: FunctionScope, v: VRegHere): string {
  const { text } = scope.snapshot;
  const own = text.lineAt(scope.lineStart);
  const place = (at: number): string => {
    if (at < 0) return '-';
    const absolute = at + scope.view.start;
    assert.equal(text.slice(absolute, absolute + v.name.length), v.name);
    return String(text.lineAt(absolute) - own);
  };
  const parts = (set: ReadonlySet<string> | null): string => (set === null ? '' : [...set].join(' '));
  const words = [
    ...(v.isRead ? ['read'] : []),
    ...(v.isKilled ? ['killed'] : []),
    ...(v.reaches ? ['reaches'] : []),
    ...(v.isListedGeneric ? ['listed'] : []),
  ];
  return [
    `${v.name} ${v.number} ${typeText(scope.fn, v)}`.trimEnd(),
    `${v.defs}/${v.uses}/${v.usesBehind}`,
    `${place(v.lastDef)} ${place(v.last)} ${place(v.next)}`,
    words.join(' '),
    parts(v.partsWritten),
    parts(v.partsRead),
  ].join(' | ');
}

describe('registers around the cursor', () => {
  const scope = scopeAt(TEXT);
  /** definitions, uses, of these after; lines of the last definition and of the last and next place; parts written and read */
  const KNOWN = [
    '%20 20 | 0/0/0 | - - - | listed |  | ',
    '%21 21 vgpr_32 | 0/0/0 | - - - |  |  | ',
    '%22 22 | 0/0/0 | - - - | listed |  | ',
    '%23 23 sgpr | 0/1/1 | - - 3 | read |  | ',
    '%24 24 | 0/0/0 | - - - | listed |  | ',
    '%0 0 vgpr_32 | 1/3/0 | -17 -13 - | read killed reaches |  | ',
    '%1 1 sreg_32 | 1/2/1 | -16 -10 2 | read reaches |  | ',
    '%2 2 vreg_128 | 2/3/2 | -14 -13 1 | read reaches | sub1 sub3 | sub1 sub0',
    '%3 3 vgpr_32 | 1/3/1 | -13 -1 1 | read reaches |  | ',
    '%gen -1 _(s64) | 1/0/0 | -12 -12 - | reaches |  | ',
    '%4 4 vgpr_32 | 1/0/0 | -6 -6 - |  |  | ',
    '%5 5 | 0/1/0 | - -5 - | read |  | ',
    '%6 6 | 0/1/0 | - -5 - |  |  | ',
    '%7 7 vgpr_32 | 1/0/0 | - - 2 |  |  | ',
    '%8 8 | 0/2/2 | - - 3 | read |  | ',
  ];
  for (const line of KNOWN) {
    const name = line.slice(0, line.indexOf(' '));
    it(line, () => {
      const v = scope.vreg(name);
      assert.ok(v !== null);
      assert.equal(known(scope, v), line);
    });
  }

  it('none that only the line itself has, and none of other functions', () => {
    assert.equal(scope.vreg('%99'), null);
    assert.equal(scope.vreg('%100'), null);
    assert.equal(scope.vreg('%none'), null);
    assert.deepEqual(
      scope.vregs.map((v) => v.name).sort(),
      KNOWN.map((line) => line.slice(0, line.indexOf(' '))).sort(),
    );
    assert.equal(scope.vregs, scope.vregs);
  });

  const reached = (blocks: readonly string[]): string => {
    const at = scopeAt(`---\nname: f\nbody: |\n${blocks.map((line) => `  ${line}\n`).join('')}...\n`);
    return at.vregs
      .filter((v) => v.reaches)
      .map((v) => v.name)
      .join(' ');
  };
  const PATHS: readonly (readonly [name: string, blocks: readonly string[], reached: string])[] = [
    ['one block', ['bb.0:', '  %0:sreg_32 = S_MOV_B32 0', '  $0', '  %1:sreg_32 = S_MOV_B32 0'], '%0'],
    ['no block', ['  %0:sreg_32 = S_MOV_B32 0', '  $0'], '%0'],
    [
      'one after the other',
      ['bb.0:', '  successors: %bb.1', '  %0:sreg_32 = S_MOV_B32 0', 'bb.1:', '  $0', '  %1:sreg_32 = S_MOV_B32 0'],
      '%0',
    ],
    [
      'after a fork only what was there before it',
      [
        'bb.0:',
        '  successors: %bb.1, %bb.2',
        '  %0:sreg_32 = S_MOV_B32 0',
        'bb.1:',
        '  successors: %bb.2',
        '  %1:sreg_32 = S_MOV_B32 0',
        'bb.2:',
        '  %2:sreg_32 = S_MOV_B32 0',
        '  $0',
      ],
      '%0 %2',
    ],
    [
      'the first of several definitions counts',
      [
        'bb.0:',
        '  successors: %bb.1, %bb.2',
        '  %0:sreg_32 = S_MOV_B32 0',
        'bb.1:',
        '  successors: %bb.2',
        '  %0:sreg_32 = S_MOV_B32 0',
        '  %1:sreg_32 = S_MOV_B32 0',
        'bb.2:',
        '  %1:sreg_32 = S_MOV_B32 0',
        '  $0',
      ],
      '%0',
    ],
    [
      'where nothing comes from, everything reaches',
      [
        'bb.0:',
        '  %0:sreg_32 = S_MOV_B32 0',
        '  S_ENDPGM 0',
        'bb.1:',
        '  %1:sreg_32 = S_MOV_B32 0',
        '  S_ENDPGM 0',
        'bb.2:',
        '  $0',
      ],
      '%0 %1',
    ],
  ];
  for (const [name, blocks, wanted] of PATHS)
    it(`reach the cursor: ${name}`, () => assert.equal(reached(blocks), wanted));
});

describe('the place of the cursor among blocks', () => {
  const inBlocks = (lines: string): FunctionScope => scopeAt(`---\nname: f\nbody: |\n${lines}\n...\n`);
  /** whether it is the first, the last, which block it is in, and the successors */
  const PLACES: readonly (readonly [lines: string, place: string])[] = [
    ['  bb.0:\n    $0', 'first last 0'],
    ['  bb.0:\n    $0\n', 'first last 0'],
    ['  bb.0:\n\n    $0\n\n', 'first last 0'],
    ['  bb.0:\n    S_NOP 0\n    $0', 'last 0'],
    ['  bb.0:\n    $0\n    S_NOP 0', 'first 0'],
    ['  bb.0:\n    S_NOP 0\n    $0\n    S_NOP 1', '0'],
    ['  bb.0:\n    ; S_NOP 0\n    $0\n    ; S_NOP 1', 'first last 0'],
    ['  bb.0:\n    ; S_NOP 0\n\n    $0\n    ; S_NOP 1\n    S_NOP 1', 'first 0'],
    ['  bb.0:\n    $0\n\n  bb.1:\n    S_NOP 0', 'first last 0 %bb.1'],
    ['  bb.0:\n    $0\n  bb.1:\n    S_NOP 0', 'first last 0 %bb.1'],
    ['  bb.0:\n    S_NOP 0\n  bb.1:\n    $0\n    S_NOP 0', 'first 1'],
    ['  bb.0:\n    S_NOP 0\n  bb.1.name:\n    $0\n    S_NOP 0', 'first 1'],
    ['  bb.0:\n    successors: %bb.2\n    $0\n    S_NOP 0\n  bb.1:\n  bb.2:\n    S_NOP 0', 'first 0 %bb.2'],
    ['  bb.0:\n    successors: %bb.2, %bb.1\n    S_NOP 1\n    $0\n  bb.1:\n  bb.2:\n    S_NOP 0', 'last 0 %bb.2 %bb.1'],
    ['  bb.0:\n    liveins: $vgpr0\n    $0\n    S_NOP 0', 'first 0'],
    ['  bb.0:\n    successors: %bb.0\n    liveins: $vgpr0\n\n    $0\n    S_NOP 0', 'first 0 %bb.0'],
    ['  bb.0:\n  bb.5:\n    %1:sreg_32 = PHI %0, %bb.0\n    $0\n    S_NOP 0', 'first 1'],
    ['  bb.0:\n  bb.5:\n    %1:_(s32) = G_PHI %0, %bb.0\n    $0\n    S_NOP 0', 'first 1'],
    ['  bb.0:\n  bb.5:\n    %1:sreg_32 = COPY %0\n    $0\n    S_NOP 0', '1'],
    ['  bb.0:\n    successors: %bb.7\n    S_NOP 0\n    $0\n  bb.7:\n    S_ENDPGM 0', 'last 0 %bb.7'],
    ['  bb.0:\n    S_NOP 0\n  bb.1:\n    S_NOP 0\n  bb.2:\n    S_NOP 0\n    $0\n    S_NOP 0\n  bb.3:', '2 %bb.3'],
  ];
  for (const [lines, place] of PLACES)
    for (const end of ['\n', '\r\n'])
      it(`${JSON.stringify(lines)}: ${place}${end === '\n' ? '' : ', with carriage returns'}`, () => {
        const scope = inBlocks(lines.replaceAll('\n', end));
        const words = [
          ...(scope.isFirstOfBlock ? ['first'] : []),
          ...(scope.isLastOfBlock ? ['last'] : []),
          String(scope.blockHere()),
          ...scope.successorsHere(),
        ];
        assert.equal(words.join(' '), place);
      });

  it('nothing is known without a function', () => {
    const scope = scopeAt('---\nbody: |\n  bb.0:\n    %0:sreg_32 = S_MOV_B32 0\n    $0\n  bb.1:\n...\n');
    assert.equal(scope.fn, null);
    assert.equal(scope.blockHere(), -1);
    assert.deepEqual(scope.successorsHere(), []);
    assert.equal(scope.vreg('%0')?.defs, 1);
    assert.equal(scope.vreg('%0')?.regClass, -1);
    assert.equal(scope.vreg('%0')?.reaches, true);
    let visited = 0;
    scope.eachAbove(10, () => visited++);
    assert.equal(visited, 0);
    assert.equal(scope.opcodeUse().count.size, 0);
  });
});

describe('numbers of registers', () => {
  /** the gap after the last definition above, the next number, and the share of generic ones in quarters */
  const NUMBERS: readonly (readonly [lines: readonly string[], gap: number, next: number, share: number])[] = [
    [['$0'], -1, 0, 0],
    [['%0:sreg_32 = S_MOV_B32 0', '$0'], 1, 1, 0],
    [['$0', '%0:sreg_32 = S_MOV_B32 0'], -1, 1, 0],
    [['%4:sreg_32 = S_MOV_B32 0', '$0'], 5, 5, 0],
    [['%0:sreg_32 = S_MOV_B32 0', '$0', '%2:sreg_32 = COPY %1'], -1, 3, 0],
    [['%0:sreg_32 = S_MOV_B32 0', '$0', '%2:sreg_32 = COPY %0'], 1, 3, 0],
    [['%7:sreg_32 = S_MOV_B32 0', '%3:sreg_32 = S_MOV_B32 0', '$0'], 4, 8, 0],
    [['%3:sreg_32 = S_MOV_B32 0', '%7:sreg_32 = S_MOV_B32 0', '$0'], 8, 8, 0],
    [['%3:sreg_32 = S_MOV_B32 0', '%x:sreg_32 = S_MOV_B32 0', '$0'], -1, 4, 0],
    [['%x:sreg_32 = S_MOV_B32 0', '%3:sreg_32 = S_MOV_B32 0', '$0'], 4, 4, 0],
    [['%0:sreg_32 = S_MOV_B32 0', '%9:sreg_32 = S_MOV_B32 0$0'], 1, 1, 0],
    [['%0:_(s32) = G_IMPLICIT_DEF', '$0'], 1, 1, 1],
    [['%0:_(s32) = G_IMPLICIT_DEF', '%1:sreg_32 = S_MOV_B32 0', '$0'], 2, 2, 0.5],
    [
      [
        '%0:_(s32) = G_IMPLICIT_DEF',
        '%1:sgpr(s32) = G_IMPLICIT_DEF',
        '%2:_(p1) = G_IMPLICIT_DEF',
        '%3:sreg_32 = S_MOV_B32 0',
        '$0',
      ],
      4,
      4,
      0.75,
    ],
  ];
  for (const [lines, gap, next, share] of NUMBERS)
    it(`${lines.join('; ')}: ${gap}, ${next}, ${share}`, () => {
      const scope = scopeAt(`---\nname: f\nbody: |\n  bb.0:\n${lines.map((l) => `    ${l}\n`).join('')}...\n`);
      assert.deepEqual([scope.gap, scope.nextVReg, scope.genericShare], [gap, next, share]);
    });
});

describe('opcodes in use', () => {
  const one = (name: string, ...lines: string[]): string =>
    `---\nname: ${name}\nbody: |\n  bb.0:\n${lines.map((l) => `    ${l}\n`).join('')}...\n`;
  const named = (scope: FunctionScope, map: ReadonlyMap<Opcode, number>): string =>
    [...map]
      .map(([opc, n]) => `${scope.fn!.tables.opcodeName(opc)} ${n}`)
      .sort()
      .join(', ');
  const first = one('a', 'S_NOP 0', 'S_BARRIER', 'S_NOP 7', 'S_ENDPGM 0');
  const third = one('c', 'S_SLEEP 1', 'S_NOP 3', 'S_BARRIER');

  /** lines, counts, what follows the opcode above, what precedes the one below */
  const USES: readonly (readonly [lines: readonly string[], count: string, follows: string, precedes: string])[] = [
    [['$0'], 'S_BARRIER 2, S_ENDPGM 1, S_NOP 3, S_SLEEP 1', '', ''],
    [['S_SLEEP 0', '$0'], 'S_BARRIER 2, S_ENDPGM 1, S_NOP 3, S_SLEEP 2', 'S_NOP 1', ''],
    [['S_NOP 0', '$0'], 'S_BARRIER 2, S_ENDPGM 1, S_NOP 4, S_SLEEP 1', 'S_BARRIER 2, S_ENDPGM 1', ''],
    [['$0', 'S_NOP 0'], 'S_BARRIER 2, S_ENDPGM 1, S_NOP 4, S_SLEEP 1', '', 'S_BARRIER 1, S_SLEEP 1'],
    [
      ['S_SLEEP 0', '$0', 'S_ENDPGM 0'],
      'S_BARRIER 2, S_ENDPGM 2, S_NOP 3, S_SLEEP 2',
      'S_ENDPGM 1, S_NOP 1',
      'S_NOP 1, S_SLEEP 1',
    ],
    [['S_SLEEP 0', 'S_NOP 2$0', 'S_ENDPGM 0'], 'S_BARRIER 2, S_ENDPGM 2, S_NOP 3, S_SLEEP 2', 'S_NOP 1', 'S_NOP 1'],
    [['S_NOP 2$0', 'S_BARRIER'], 'S_BARRIER 3, S_ENDPGM 1, S_NOP 3, S_SLEEP 1', '', 'S_NOP 2'],
    [['S_BARRIER', 'S_NOP 2$0'], 'S_BARRIER 3, S_ENDPGM 1, S_NOP 3, S_SLEEP 1', 'S_NOP 1', ''],
  ];
  for (const [lines, count, follows, precedes] of USES)
    it(lines.join('; '), () => {
      const scope = scopeAt(first + one('b', ...lines) + third);
      const use = scope.opcodeUse();
      assert.equal(named(scope, use.count), count);
      assert.equal(named(scope, use.follows), follows);
      assert.equal(named(scope, use.precedes), precedes);
    });

  it('those above the cursor, the nearest first and as many as asked for', () => {
    const scope = scopeAt(first + one('b', 'S_NOP 1', 'S_NOP 2', 'S_NOP 3', 'S_NOP 4$0', 'S_NOP 5'));
    const above = (most: number): bigint[] => {
      const values: bigint[] = [];
      scope.eachAbove(most, (i) => values.push(scope.fn!.immBigInt(scope.fn!.opBegin[i]!)));
      return values;
    };
    assert.deepEqual(above(0), []);
    assert.deepEqual(above(1), [3n]);
    assert.deepEqual(above(2), [3n, 2n]);
    assert.deepEqual(above(3), [3n, 2n, 1n]);
    assert.deepEqual(above(9), [3n, 2n, 1n]);
  });

  it('those with an opcode in all functions, this one first and then the nearest', () => {
    const scope = scopeAt(
      one('z', 'S_NOP 9') + first + one('b', 'S_NOP 1', 'S_NOP 4$0', 'S_NOP 5') + third + one('x', 'S_NOP 11'),
    );
    const values: string[] = [];
    scope.eachWith(scope.fn!.tables.opcodeByName('S_NOP'), (fn, i) =>
      values.push(`${fn.header.name} ${fn.immBigInt(fn.opBegin[i]!)}`),
    );
    assert.deepEqual(values, ['b 1', 'b 5', 'a 0', 'a 7', 'c 3', 'z 9', 'x 11']);
  });

  it('offsets on its line, both ends among them', () => {
    const scope = scopeAt(first + one('b', 'S_NOP 1', 'S_NOP 4$0', 'S_NOP 5'));
    const from = scope.lineStart - scope.view.start;
    assert.deepEqual(
      [-1, 0, 5, 11, 12].map((k) => scope.isOnLine(from + k)),
      [false, true, true, true, false],
    );
    assert.equal(scope.slice(from, from + 11), '    S_NOP 4');
  });
});

describe('types as they are written', () => {
  const TYPES: readonly (readonly [text: string, printed: string | null])[] = [
    ['s32', 's32'],
    ['s1', 's1'],
    ['s128', 's128'],
    ['p0', 'p0'],
    ['p1', 'p1'],
    ['p3', 'p3'],
    ['p5', 'p5'],
    ['p8', 'p8'],
    ['<2 x s16>', '<2 x s16>'],
    ['<16 x s32>', '<16 x s32>'],
    ['<2 x p3>', '<2 x p3>'],
    ['', null],
    ['s', null],
    ['p', null],
    ['x32', null],
    ['s32 ', null],
    [' s32', null],
    ['as32', null],
    ['<2 x s16', '<2 x s16>'],
    ['< x s16>', null],
    ['<2 x>', null],
    ['vgpr_32', null],
  ];
  for (const [text, printed] of TYPES)
    it(`${JSON.stringify(text)}: ${printed}`, () => {
      const type = typeOfText(text);
      assert.equal(type === null ? null : printLLT(type), printed);
    });

  /** kind, address space, bits and elements */
  const FIELDS: readonly (readonly [text: string, kind: string, space: number, bits: number, elements: number])[] = [
    ['s32', 'scalar', -1, 32, 1],
    ['s7', 'scalar', -1, 7, 1],
    ['p0', 'pointer', 0, 64, 1],
    ['p1', 'pointer', 1, 64, 1],
    ['p2', 'pointer', 2, 32, 1],
    ['p3', 'pointer', 3, 32, 1],
    ['p4', 'pointer', 4, 64, 1],
    ['p5', 'pointer', 5, 32, 1],
    ['p6', 'pointer', 6, 32, 1],
    ['p7', 'pointer', 7, 160, 1],
    ['p8', 'pointer', 8, 128, 1],
    ['p9', 'pointer', 9, 192, 1],
    ['<2 x s16>', 'vector', -1, 16, 2],
    ['<8 x p3>', 'vector', 3, 32, 8],
    ['<4 x p1>', 'vector', 1, 64, 4],
  ];
  for (const [text, kind, space, bits, elements] of FIELDS)
    it(`${text} has ${bits} bits`, () => {
      const type = typeOfText(text)!;
      assert.deepEqual([type.kind, type.addressSpace, type.bits, type.numElements], [kind, space, bits, elements]);
    });

  it('class before bank before nothing', () => {
    const { fn } = scopeAt('---\nname: f\nbody: |\n  bb.0:\n    $0\n...\n');
    const { tables } = fn!;
    const regClass = tables.regClassByName('vgpr_32');
    const bank = tables.regBankByName('sgpr');
    const type = typeOfText('s32');
    const none = { regClass: -1, bank: -1, type: null };
    assert.equal(typeText(null, { ...none, regClass }), '');
    assert.equal(typeText(fn, none), '');
    assert.equal(typeText(fn, { ...none, type }), '_(s32)');
    assert.equal(typeText(fn, { ...none, bank }), 'sgpr');
    assert.equal(typeText(fn, { ...none, bank, type }), 'sgpr(s32)');
    assert.equal(typeText(fn, { ...none, bank: tables.regBankByName('vcc'), type: typeOfText('s1') }), 'vcc(s1)');
    assert.equal(typeText(fn, { ...none, regClass, type }), 'vgpr_32');
    assert.equal(typeText(fn, { regClass: 0, bank, type }), tables.regClassMirName(0));
  });
});
