/** What a function could do without: shorter encodings, instructions whose results nothing reads, blocks that nothing reaches. */
import assert from 'node:assert/strict';
import { actionsAt, changedLines } from '../../../support/editing.js';

const run = (cpu: string): string =>
  `# RUN: llc -mtriple=amdgcn -mcpu=${cpu} -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\n`;

const around = (line: string): string => `body: |
  bb.0:
    liveins: $vgpr0, $vgpr1, $vgpr2_vgpr3, $sgpr4, $sgpr6_sgpr7, $vcc

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:sreg_32 = COPY $sgpr4
    %3:vreg_64 = COPY $vgpr2_vgpr3
    %4:sreg_64_xexec = COPY $sgpr6_sgpr7
    %5:agpr_32 = IMPLICIT_DEF
    %6:av_32 = IMPLICIT_DEF
    ${line}
    S_ENDPGM 0, implicit %0, implicit %1, implicit %2, implicit %3, implicit %4, implicit %5, implicit %6
...
`;

/** What becomes of the line by the action whose title begins so; empty where it is not offered. */
function written(line: string, title: string, cpu = 'gfx900'): string {
  const text = run(cpu) + around(line);
  const at = text.indexOf(line) + line.search(/[A-Z]/) + 1;
  const found = [...actionsAt(`${text.slice(0, at)}$0${text.slice(at)}`)].find(([t]) => t.startsWith(title));
  if (!found) return '';
  const [own, ...more] = changedLines(text, found[1]);
  assert.equal(own, `- ${line}`);
  return [found[0].slice(title.length), ...more].join(' ');
}

const E = 'implicit $exec';
const M = `implicit $mode, ${E}`;

/** Lines with what they become, without definition and title; the empty string where they stay. */
const SHORTER: readonly (readonly [line: string, becomes: string, cpu?: string])[] = [
  [
    `%9:vgpr_32 = V_LSHLREV_B32_e64 3, %0, ${E}`,
    `V_LSHLREV_B32_e32: 4 bytes instead of 8 + %9:vgpr_32 = V_LSHLREV_B32_e32 3, %0, ${E}`,
  ],
  [`%9:vgpr_32 = V_LSHLREV_B32_e64 %0, 3, ${E}`, ''],
  [
    `%9:vgpr_32 = V_LSHLREV_B32_e64 %2, %0, ${E}`,
    `V_LSHLREV_B32_e32: 4 bytes instead of 8 + %9:vgpr_32 = V_LSHLREV_B32_e32 %2, %0, ${E}`,
  ],
  [`%9:vgpr_32 = V_LSHLREV_B32_e64 %0, %2, ${E}`, ''],
  [`%9:vgpr_32 = V_LSHLREV_B32_e64 %0, $sgpr4, ${E}`, ''],
  [
    `%9:vgpr_32 = V_LSHLREV_B32_e64 $sgpr4, $vgpr0, ${E}`,
    `V_LSHLREV_B32_e32: 4 bytes instead of 8 + %9:vgpr_32 = V_LSHLREV_B32_e32 $sgpr4, $vgpr0, ${E}`,
  ],
  [
    `%9:vgpr_32 = V_LSHLREV_B32_e64 %0, %3.sub1, ${E}`,
    `V_LSHLREV_B32_e32: 4 bytes instead of 8 + %9:vgpr_32 = V_LSHLREV_B32_e32 %0, %3.sub1, ${E}`,
  ],
  [`%9:vgpr_32 = V_LSHLREV_B32_e64 %0, %4.sub1, ${E}`, ''],
  [
    `%9:vgpr_32 = V_LSHLREV_B32_e64 killed %0, undef %8:vgpr_32, ${E}`,
    `V_LSHLREV_B32_e32: 4 bytes instead of 8 + %9:vgpr_32 = V_LSHLREV_B32_e32 killed %0, undef %8:vgpr_32, ${E}`,
  ],
  [
    `%9:vgpr_32 = V_ADD_F32_e64 0, %0, 0, %1, 0, 0, ${M}`,
    `V_ADD_F32_e32: 4 bytes instead of 8 + %9:vgpr_32 = V_ADD_F32_e32 %0, %1, ${M}`,
  ],
  [
    `%9:vgpr_32 = nofpexcept V_ADD_F32_e64 0, %0, 0, %1, 0, 0, ${M}`,
    `V_ADD_F32_e32: 4 bytes instead of 8 + %9:vgpr_32 = nofpexcept V_ADD_F32_e32 %0, %1, ${M}`,
  ],
  [`%9:vgpr_32 = V_ADD_F32_e64 1, %0, 0, %1, 0, 0, ${M}`, ''],
  [`%9:vgpr_32 = V_ADD_F32_e64 0, %0, 2, %1, 0, 0, ${M}`, ''],
  [`%9:vgpr_32 = V_ADD_F32_e64 0, %0, 0, %1, 1, 0, ${M}`, ''],
  [`%9:vgpr_32 = V_ADD_F32_e64 0, %0, 0, %1, 0, 1, ${M}`, ''],
  [
    `%9:vgpr_32 = V_ADD_F32_e64 0, 1, 0, %1, 0, 0, ${M}`,
    `V_ADD_F32_e32: 4 bytes instead of 8 + %9:vgpr_32 = V_ADD_F32_e32 1, %1, ${M}`,
  ],
  [`%9:vgpr_32 = V_ADD_F32_e64 0, %0, 0, 1, 0, 0, ${M}`, ''],
  [`%9:vgpr_32 = V_NOT_B32_e64 %0, ${E}`, `V_NOT_B32_e32: 4 bytes instead of 8 + %9:vgpr_32 = V_NOT_B32_e32 %0, ${E}`],
  [`%9:vgpr_32 = V_MOV_B32_e64 7, ${E}`, `V_MOV_B32_e32: 4 bytes instead of 8 + %9:vgpr_32 = V_MOV_B32_e32 7, ${E}`],
  // The short forms write or read VCC besides.
  [`%9:vgpr_32, %10:sreg_64 = V_ADD_CO_U32_e64 %0, %1, 0, ${E}`, ''],
  [`%9:sreg_64 = V_CMP_EQ_U32_e64 %0, %1, ${E}`, ''],
  [`%9:vgpr_32 = V_CNDMASK_B32_e64 0, %0, 0, %1, %4, ${E}`, ''],
  // That is the short one.
  [`%9:vgpr_32 = V_NOT_B32_e32 %0, ${E}`, ''],
  [`%9:vgpr_32 = V_LSHL_ADD_U32_e64 %0, 1, %1, ${E}`, ''],
  // Not there on this processor.
  [`%9:vgpr_32 = V_ADD_U32_e64 %0, %1, 0, ${E}`, '', 'gfx803'],
  [
    `%9:vgpr_32 = V_ADD_U32_e64 %0, %1, 0, ${E}`,
    `V_ADD_U32_e32: 4 bytes instead of 8 + %9:vgpr_32 = V_ADD_U32_e32 %0, %1, ${E}`,
  ],
  ...[65n, -17n, 1000n, 32767n, -32768n, 65n, 100n].map(
    (n) => [`%9:sreg_32 = S_MOV_B32 ${n}`, `S_MOVK_I32: 4 bytes instead of 8 + %9:sreg_32 = S_MOVK_I32 ${n}`] as const,
  ),
  ...[64n, -16n, 0n, 32768n, -32769n, 4294967295n].map((n) => [`%9:sreg_32 = S_MOV_B32 ${n}`, ''] as const),
  [`%9:sreg_32 = S_MOV_B32 %2`, ''],
  [
    `S_CMP_EQ_U32 %2, 65535, implicit-def $scc`,
    `S_CMPK_EQ_U32: 4 bytes instead of 8 + S_CMPK_EQ_U32 %2, 65535, implicit-def $scc`,
  ],
  [`S_CMP_EQ_U32 %2, 65536, implicit-def $scc`, ''],
  [`S_CMP_EQ_U32 %2, 64, implicit-def $scc`, ''],
  [`S_CMP_EQ_U32 %2, -17, implicit-def $scc`, ''],
  [
    `S_CMP_EQ_I32 %2, -32768, implicit-def $scc`,
    `S_CMPK_EQ_I32: 4 bytes instead of 8 + S_CMPK_EQ_I32 %2, -32768, implicit-def $scc`,
  ],
  [`S_CMP_EQ_I32 %2, 32768, implicit-def $scc`, ''],
  [`S_CMP_EQ_I32 1000, %2, implicit-def $scc`, ''],
  [`S_CMP_EQ_I32 %2, 1000, implicit-def $scc`, '', 'gfx1200'],
];

/** Whether nothing is lost with the line. */
const IDLE: readonly (readonly [line: string, isIdle: boolean])[] = [
  [`%9:vgpr_32 = V_NOT_B32_e32 %0, ${E}`, true],
  ['%9:vgpr_32 = COPY %0', true],
  ['%9:vgpr_32 = IMPLICIT_DEF', true],
  ['%9:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %1, %subreg.sub1', true],
  ['%9:sreg_32 = S_ADD_I32 %2, 1, implicit-def dead $scc', true],
  ['%9:sreg_32 = S_ADD_I32 %2, 1, implicit-def $scc', false],
  [`%9:vgpr_32, %10:sreg_64 = V_ADD_CO_U32_e64 %0, %1, 0, ${E}`, true],
  [`%0:vgpr_32 = V_NOT_B32_e32 %0, ${E}`, false],
  [`$vgpr9 = V_NOT_B32_e32 %0, ${E}`, false],
  [`dead $vgpr9 = V_NOT_B32_e32 %0, ${E}`, false],
  [`%9:vgpr_32 = GLOBAL_LOAD_DWORD %3, 0, 0, ${E} :: (load (s32), addrspace 1)`, true],
  [`%9:vgpr_32 = GLOBAL_LOAD_DWORD %3, 0, 0, ${E} :: (volatile load (s32), addrspace 1)`, false],
  [`%9:vgpr_32 = GLOBAL_LOAD_DWORD %3, 0, 0, ${E} :: (load monotonic (s32), addrspace 1)`, false],
  [
    `%9:vgpr_32 = GLOBAL_LOAD_DWORD %3, 0, 0, ${E} :: (load (s32), addrspace 1), (volatile load (s32), addrspace 1)`,
    false,
  ],
  [`%9:vgpr_32 = GLOBAL_LOAD_DWORD %3, 0, 0, ${E}`, false],
  [`GLOBAL_STORE_DWORD %3, %0, 0, 0, ${E} :: (store (s32), addrspace 1)`, false],
  [`%9:vgpr_32 = GLOBAL_ATOMIC_ADD_RTN %3, %0, 0, 1, ${E} :: (load store monotonic (s32), addrspace 1)`, false],
  ['INLINEASM &"", 0, 2228234, def %9', false],
  ['S_NOP 0', false],
  ['%9:sreg_32 = S_GETREG_B32 2', false],
];

const BLOCKS = `body: |
  bb.0:
    successors: %bb.1

    %0:sreg_32 = S_MOV_B32 0
    S_BRANCH %bb.1

  bb.2:
    successors: %bb.1, %bb.4

    %1:sreg_32 = S_MOV_B32 1
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
    S_BRANCH %bb.4

  bb.1:
    successors: %bb.3

    %2:sreg_32 = PHI %1, %bb.2, %0, %bb.0, %4, %bb.4
    %3:sreg_32 = G_PHI %0, %bb.0, %1, %bb.2, %4, %bb.4
    S_BRANCH %bb.3

  bb.3:
    S_ENDPGM 0, implicit %2

  bb.4:
    successors: %bb.1

    %4:sreg_32 = S_MOV_B32 2
    S_BRANCH %bb.1
`;

describe('what a function could do without', () => {
  for (const [line, becomes, cpu] of SHORTER)
    it(`${line}: ${becomes || 'nothing shorter'}${cpu ? ` on ${cpu}` : ''}`, () =>
      assert.equal(written(line, 'Use ', cpu), becomes));

  for (const [line, isIdle] of IDLE)
    it(`${line}: ${isIdle ? '' : 'not '}idle`, () =>
      assert.equal(written(line, 'Remove this instruction'), isIdle ? ': nothing reads what it writes' : ''));

  const remove = (text: string, label: string): string[] => {
    const marked = text.replace(`${label}:`, `${label}:$0`).replace(`${label} (`, `${label} ($0`);
    const found = [...actionsAt(run('gfx900') + marked + '...\n')].find(([t]) => /^Remove .*nothing reaches/.test(t));
    return found ? [found[0], found[1].slice(found[1].indexOf('body:'))] : [];
  };
  const gone = (text: string): string =>
    text
      .replace(/ {2}bb\.2:[^]*?(?= {2}bb\.1:)/, '')
      .replace(/\n {2}bb\.4:[^]*$/, '\n...\n')
      .replace('%1, %bb.2, %0, %bb.0, %4, %bb.4', '%0, %bb.0')
      .replace('%0, %bb.0, %1, %bb.2, %4, %bb.4', '%0, %bb.0');

  it('blocks that nothing reaches go together, and PHIs have no more of them', () => {
    const [title, text] = remove(BLOCKS, '  bb.2');
    assert.equal(title, 'Remove 2 blocks that nothing reaches');
    assert.equal(text, gone(BLOCKS));
    assert.equal(remove(BLOCKS, '  bb.4')[0], title);
    assert.deepEqual(remove(BLOCKS, '  bb.1'), []);
    assert.deepEqual(remove(BLOCKS, '  bb.0'), []);
  });

  it('a block is entered by its address and by what unwinds', () => {
    for (const how of [
      'machine-block-address-taken',
      'landing-pad',
      'inlineasm-br-indirect-target',
      'ehfunclet-entry',
    ]) {
      const one = BLOCKS.replace('bb.2:', `bb.2 (${how}):`);
      assert.deepEqual(remove(one, '  bb.2'), [], how);
      assert.deepEqual(remove(one, '  bb.4'), [], how);
    }
    const last = BLOCKS.replace('  bb.4:', '  bb.4 (machine-block-address-taken):');
    assert.equal(remove(last, '  bb.2')[0], 'Remove bb.2, which nothing reaches');
  });

  it('the cursor has to be on the label', () => {
    const marked = BLOCKS.replace('S_MOV_B32 1', 'S_MOV_B32$0 1');
    assert.ok(![...actionsAt(run('gfx900') + marked + '...\n').keys()].some((t) => t.includes('nothing reaches')));
  });
});
