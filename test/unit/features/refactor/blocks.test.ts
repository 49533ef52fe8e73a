/** Blocks split in two, the live-ins that the code of a block needs, the successors that its branches give it. */
import assert from 'node:assert/strict';
import { physicalLiveIns } from '../../../../server/src/features/refactor/blocks.js';
import { openText } from '../../../support/cursor.js';
import { actionsAt } from '../../../support/editing.js';

const head = (cpu = 'gfx900'): string =>
  `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n`;

/** What the instructions of bb.0 read before they write it. */
function needed(lines: string, behind = ''): string {
  const text = `${head()}  bb.0:\n${behind ? '    successors: %bb.1\n' : ''}\n${lines
    .split('; ')
    .map((l) => `    ${l}\n`)
    .join('')}${behind ? `\n  bb.1:\n    liveins: ${behind}\n\n    S_ENDPGM 0\n` : ''}...\n`;
  const { fn } = openText(text).snapshot.functions[0]!;
  assert.ok(fn);
  return physicalLiveIns(fn, 0, fn.blockBegin[0]!)
    .map((reg) => fn.tables.regName(reg))
    .join(' ');
}

const CALL = (mask: string): string => `$sgpr30_sgpr31 = SI_CALL undef $sgpr4_sgpr5, 0, ${mask}`;

const NEEDED: readonly (readonly [lines: string, regs: string, behind?: string])[] = [
  ['S_NOP 0', ''],
  ['$vgpr1 = COPY $vgpr0', 'vgpr0'],
  ['$vgpr1 = COPY undef $vgpr0', ''],
  ['$vgpr0 = COPY $vgpr0', 'vgpr0'],
  ['$vgpr0 = IMPLICIT_DEF; $vgpr1 = COPY $vgpr0', ''],
  ['$vgpr1 = COPY $vgpr0; $vgpr0 = IMPLICIT_DEF', 'vgpr0'],
  ['S_NOP 0, implicit $vgpr1, implicit $vgpr0, implicit $sgpr4', 'sgpr4 vgpr0 vgpr1'],
  ['S_NOP 0, implicit $vgpr0_vgpr1', 'vgpr0_vgpr1'],
  ['S_NOP 0, implicit $vgpr0_vgpr1, implicit $vgpr0', 'vgpr0_vgpr1'],
  ['S_NOP 0, implicit $vgpr0_vgpr1, implicit $vgpr1_vgpr2', 'vgpr2 vgpr0_vgpr1'],
  ['$vgpr0 = IMPLICIT_DEF; S_NOP 0, implicit $vgpr0_vgpr1', 'vgpr1'],
  ['$vgpr1 = IMPLICIT_DEF; S_NOP 0, implicit $vgpr0_vgpr1_vgpr2_vgpr3', 'vgpr0 vgpr2_vgpr3'],
  ['$vgpr0_vgpr1 = IMPLICIT_DEF; S_NOP 0, implicit $vgpr0_vgpr1_vgpr2_vgpr3', 'vgpr2_vgpr3'],
  // Always there.
  ['$vgpr0 = V_MOV_B32_e32 0, implicit $exec', ''],
  ['S_NOP 0, implicit $m0, implicit $scc, implicit $vcc', 'scc vcc'],
  // A call keeps what its mask says.
  [`${CALL('csr_amdgpu')}; S_NOP 0, implicit $vgpr0, implicit $vgpr40, implicit $sgpr34`, 'sgpr34 vgpr40'],
  [`${CALL('csr_amdgpu_noregs')}; S_NOP 0, implicit $vgpr0, implicit $vgpr40`, ''],
  [`${CALL('CustomRegMask($vgpr0,$vgpr1)')}; S_NOP 0, implicit $vgpr0, implicit $vgpr2`, 'vgpr0'],
  [`${CALL('csr_amdgpu')}; S_NOP 0, implicit $vgpr39_vgpr40`, 'vgpr40'],
  [`${CALL('CustomRegMask($vgpr0,$vgpr1)')}; S_NOP 0, implicit $vgpr0_vgpr1`, 'vgpr0_vgpr1'],
  // What goes on to the next block.
  ['S_NOP 0', 'vgpr0 vgpr1', '$vgpr0, $vgpr1'],
  ['$vgpr1 = IMPLICIT_DEF', 'vgpr0', '$vgpr0, $vgpr1'],
  ['$vgpr0 = IMPLICIT_DEF', 'vgpr1', '$vgpr0_vgpr1'],
];

describe('live-ins that a block needs', () => {
  for (const [lines, regs, behind] of NEEDED)
    it(`${lines}${behind ? `, then ${behind}` : ''}`, () => assert.equal(needed(lines, behind), regs));
});

/** The text of a body after the action at the bar whose title begins so; empty where it is not offered. */
function after(body: string, title: string): string {
  const found = [...actionsAt(`${head()}${body}...\n`)].find(([t]) => t.startsWith(title));
  return found ? `${found[0]}\n${found[1].slice(head().length, -4)}` : '';
}

describe('live-ins added', () => {
  const body = (own: string, liveIns: string): string =>
    `  bb.0:$0\n${liveIns ? `    liveins: ${liveIns}\n\n` : ''}    ${own}\n    S_ENDPGM 0\n`;
  for (const [own, liveIns, title, line] of [
    ['$vgpr9 = COPY $vgpr0', '', '$vgpr0', '$vgpr0'],
    [
      'S_NOP 0, implicit $vgpr0, implicit $vgpr1, implicit $vgpr3',
      '',
      '$vgpr0, $vgpr1, $vgpr3',
      '$vgpr0, $vgpr1, $vgpr3',
    ],
    [
      'S_NOP 0, implicit $vgpr0, implicit $vgpr2, implicit $vgpr4, implicit $vgpr6',
      '',
      '4 registers',
      '$vgpr0, $vgpr2, $vgpr4, $vgpr6',
    ],
    ['S_NOP 0, implicit $vgpr0, implicit $vgpr1', '$vgpr1', '$vgpr0', '$vgpr1, $vgpr0'],
    ['S_NOP 0, implicit $vgpr0, implicit $vgpr3', '$vgpr0_vgpr1', '$vgpr3', '$vgpr0_vgpr1, $vgpr3'],
    ['S_NOP 0, implicit $vgpr0, implicit $vgpr3', '$vgpr4, $vgpr5', '$vgpr0, $vgpr3', '$vgpr4, $vgpr5, $vgpr0, $vgpr3'],
  ] as const)
    it(`${title} for ${own} after ${liveIns || 'none'}`, () =>
      assert.equal(
        after(body(own, liveIns), 'Add'),
        `Add ${title} to the live-ins of bb.0\n${body(own, line)
          .replace('$0', '')
          .replace(/\n\n/, liveIns ? '\n\n' : '\n')}`,
      ));

  it('none where all are there, or where nobody asks for them', () => {
    assert.equal(after(body('$vgpr9 = COPY $vgpr0', '$vgpr0'), 'Add'), '');
    assert.equal(after(body('$vgpr9 = COPY $vgpr0', '$vgpr0_vgpr1'), 'Add'), '');
    assert.equal(after(body('$vgpr9 = COPY $vgpr0', '').replace('$0', '').replace('COPY', 'COPY$0'), 'Add'), '');
    const text = `${head()}${body('$vgpr9 = COPY $vgpr0', '')}...\n`.replace('tracksRegLiveness: true\n', '');
    assert.ok(![...actionsAt(text).keys()].some((t) => t.startsWith('Add')));
  });
});

const SUCCESSORS: readonly (readonly [list: string, code: string, title: string, line: string])[] = [
  ['', 'S_NOP 0', 'Write the successors of bb.3: %bb.4', '    successors: %bb.4'],
  ['', 'S_BRANCH %bb.5', 'Write the successors of bb.3: %bb.5', '    successors: %bb.5'],
  [
    '',
    'S_CBRANCH_SCC1 %bb.5, implicit undef $scc',
    'Write the successors of bb.3: %bb.5, %bb.4',
    '    successors: %bb.5, %bb.4',
  ],
  [
    '',
    'S_CBRANCH_SCC1 %bb.5, implicit undef $scc; S_BRANCH %bb.3',
    'Write the successors of bb.3: %bb.5, %bb.3',
    '    successors: %bb.5, %bb.3',
  ],
  ['', 'S_ENDPGM 0', '', ''],
  ['%bb.4', 'S_NOP 0', '', ''],
  ['%bb.4, %bb.5', 'S_NOP 0', '', ''],
  [
    '%bb.4',
    'S_CBRANCH_SCC1 %bb.5, implicit undef $scc',
    'Add %bb.5 to the successors of bb.3',
    '    successors: %bb.4, %bb.5',
  ],
  [
    '%bb.4(0x80000000)',
    'S_CBRANCH_SCC1 %bb.5, implicit undef $scc',
    'Add %bb.5 to the successors of bb.3',
    '    successors: %bb.4(0x80000000), %bb.5',
  ],
  [
    '%bb.40',
    'S_CBRANCH_SCC1 %bb.5, implicit undef $scc',
    'Add %bb.5, %bb.4 to the successors of bb.3',
    '    successors: %bb.40, %bb.5, %bb.4',
  ],
];

describe('successors written', () => {
  for (const [list, code, title, line] of SUCCESSORS)
    it(`of ${code}${list ? ` with ${list}` : ''}`, () => {
      const own = (successors: string): string =>
        `  bb.3:$0\n${successors}${code
          .split('; ')
          .map((l) => `    ${l}\n`)
          .join('')}`;
      const rest = '\n  bb.4:\n    S_ENDPGM 0\n\n  bb.5:\n    S_ENDPGM 0\n\n  bb.40:\n    S_ENDPGM 0\n';
      const found =
        after(own(list ? `    successors: ${list}\n` : '') + rest, 'Write the s') ||
        after(own(list ? `    successors: ${list}\n` : '') + rest, 'Add %bb');
      assert.equal(found, title && `${title}\n${own(`${line}\n`).replace('$0', '')}${rest}`);
    });

  it('not for the last block', () => {
    assert.equal(after('  bb.0:$0\n    S_NOP 0\n', 'Write the s'), '');
  });
});

describe('a block split', () => {
  const split = (body: string): string => after(body, 'Split');
  const rest = '\n  bb.4:\n    S_ENDPGM 0\n';

  it('hands on its successors and live-ins', () => {
    assert.equal(
      split(
        `  bb.1:\n    successors: %bb.4(0x80000000)\n    liveins: $vgpr0\n\n    $vgpr1 = COPY $vgpr0\n    $vgpr2 = $0COPY $vgpr1\n    $vgpr3 = COPY $vgpr0\n${rest}`,
      ),
      `Split bb.1 here, into bb.5\n  bb.1:\n    successors: %bb.5\n    liveins: $vgpr0\n\n    $vgpr1 = COPY $vgpr0\n\n  bb.5:\n    successors: %bb.4(0x80000000)\n    liveins: $vgpr0, $vgpr1\n\n    $vgpr2 = COPY $vgpr1\n    $vgpr3 = COPY $vgpr0\n${rest}`,
    );
  });

  it('without lists has none, and is indented as it was', () => {
    assert.equal(
      split(' bb.7:\n  S_NOP 0\n  S_N$0OP 1\n  S_ENDPGM 0\n'),
      'Split bb.7 here, into bb.8\n bb.7:\n  S_NOP 0\n\n bb.8:\n  S_NOP 1\n  S_ENDPGM 0\n',
    );
  });

  it('is the predecessor of PHIs under its new number', () => {
    const code = (split: string, pred: string): string =>
      `  bb.0:\n    successors: %bb.1${split ? '' : '(0x80000000)'}\n`.replace('(0x80000000)', '') +
      `\n    %0:sreg_32 = S_MOV_B32 0\n    %5:sreg_32 = S_MOV_B32 0\n${split}    %1:sreg_32 = S_MOV_B32 1\n\n  bb.1:\n    successors: %bb.1\n\n` +
      `    %2:sreg_32 = PHI %0, ${pred}, %3, %bb.1\n    %4:sreg_32 = PHI %3, %bb.1, %1, ${pred}\n    %3:sreg_32 = COPY %2\n    S_BRANCH %bb.1\n`;
    const wanted = code('\n  bb.2:\n    successors: %bb.1\n\n', '%bb.2').replace(
      'successors: %bb.1',
      'successors: %bb.2',
    );
    assert.equal(
      split(code('', '%bb.0').replace('%1:sreg_32 =', '%1:sreg_32$0 =')),
      `Split bb.0 here, into bb.2\n${wanted}`,
    );
  });

  it('not at its first instruction, and not within a bundle', () => {
    assert.equal(split('  bb.0:\n    S_N$0OP 0\n    S_ENDPGM 0\n'), '');
    assert.equal(split('  bb.0:\n    S_NOP 0\n    BUN$0DLE {\n      S_NOP 1\n    }\n    S_ENDPGM 0\n'), '');
    assert.equal(split('  bb.0:\n    S_NOP 0\n    BUNDLE {\n      S_N$0OP 1\n    }\n    S_ENDPGM 0\n'), '');
  });
});

describe('a split in a loop', () => {
  const text = (marked: string): string =>
    `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |
  bb.0:
    successors: %bb.1
    %0:sreg_32 = S_MOV_B32 0

  bb.1:
    successors: %bb.2

    %1:sreg_32 = PHI %0, %bb.0, %2, %bb.2
    S_NOP 0

  bb.2:
    successors: %bb.1(0x7c000000), %bb.3(0x04000000)

    %2:sreg_32 = S_ADD_I32 %1, 1, implicit-def dead $scc
${marked}
  bb.3:
    S_ENDPGM 0
...
`;
  const BRANCH = '    S_CBRANCH_SCC1 %bb.1, implicit undef $scc\n';

  it('gives the PHIs above and below the new block', () => {
    const actions = actionsAt(text(BRANCH.replace('SCC1', 'SC$0C1')));
    const wanted = text(`\n  bb.4:\n    successors: %bb.1(0x7c000000), %bb.3(0x04000000)\n\n${BRANCH}`)
      .replace('%2, %bb.2', '%2, %bb.4')
      .replace('    successors: %bb.1(0x7c000000), %bb.3(0x04000000)', '    successors: %bb.4');
    assert.equal(actions.get('Split bb.2 here, into bb.4'), wanted);
  });

  it('not before the first instruction', () => {
    const marked = text(BRANCH).replace('%2:sreg_32 = S_ADD', '%2:sreg_32 = S_$0ADD');
    assert.ok(![...actionsAt(marked).keys()].some((title) => title.startsWith('Split')));
  });
});
