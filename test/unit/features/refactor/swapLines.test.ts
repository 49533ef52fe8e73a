/** An instruction and the one above it: which of them may trade places, and why the others may not. */
import assert from 'node:assert/strict';
import { actionsAt } from '../../../support/editing.js';

const E = 'implicit $exec';
const text = (
  above: string,
  below: string,
  isBroken: boolean,
): string => `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1_vgpr2, $sgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:vreg_64 = COPY $vgpr1_vgpr2
    %2:sreg_32 = COPY $sgpr0
    undef %8.sub0:vreg_64 = COPY %0
    S_NOP 0
    ${above}
    ${below}
    S_NOP 0, implicit %0, implicit %1, implicit %8${isBroken ? ', implicit %99' : ''}
    S_ENDPGM 0
...
`;

const MEMORY = 'they have to stay in order: memory or side effects';
const NOT = `%3:vgpr_32 = V_NOT_B32_e32 %0, ${E}`;
const load = (v: string, flags = ''): string =>
  `${v}:vgpr_32 = GLOBAL_LOAD_DWORD %1, 0, 0, ${E} :: (${flags}load (s32), addrspace 1)`;
const store = `GLOBAL_STORE_DWORD %1, %0, 0, 0, ${E} :: (store (s32), addrspace 1)`;

/** Empty where they may trade places. `null`: not even a reason. */
const PAIRS: readonly (readonly [above: string, below: string, reason: string | null])[] = [
  [NOT, `%4:vgpr_32 = V_NOT_B32_e32 %0, ${E}`, ''],
  [NOT, `%4:vgpr_32 = V_NOT_B32_e32 %3, ${E}`, 'it reads %3 of the line above'],
  ['%named:vgpr_32 = COPY %0', 'S_NOP 0, implicit %named', 'it reads %named of the line above'],
  [
    'S_CMP_EQ_U32 %2, 0, implicit-def $scc',
    '%4:sreg_32 = S_CSELECT_B32 1, 0, implicit $scc',
    'it reads $scc of the line above',
  ],
  [
    '%4:sreg_32 = S_CSELECT_B32 1, 0, implicit undef $scc',
    'S_CMP_EQ_U32 %2, 0, implicit-def $scc',
    'the line above reads $scc',
  ],
  ['S_CMP_EQ_U32 %2, 0, implicit-def dead $scc', 'S_CMP_EQ_U32 %2, 1, implicit-def dead $scc', ''],
  ['S_CMP_EQ_U32 %2, 0, implicit-def $scc', 'S_CMP_EQ_U32 %2, 1, implicit-def $scc', 'both write $scc'],
  ['%4:sreg_32 = S_ADD_I32 %2, 1, implicit-def dead $scc', '%5:vgpr_32 = COPY %0', ''],
  [load('%3'), load('%4'), ''],
  [load('%3'), store, MEMORY],
  [store, load('%3'), MEMORY],
  [store, store, MEMORY],
  [load('%3', 'volatile '), load('%4', 'volatile '), MEMORY],
  [load('%3'), NOT.replace('%3', '%4'), ''],
  ['%8.sub1:vreg_64 = COPY %0', 'S_NOP 0, implicit %8', 'it reads %8 of the line above'],
];

/** The same of a function that llc rejects, which has no graph: what the two lines say themselves. */
const BROKEN: typeof PAIRS = [
  [NOT, `%4:vgpr_32 = V_NOT_B32_e32 %0, ${E}`, ''],
  [NOT, `%4:vgpr_32 = V_NOT_B32_e32 %3, ${E}`, 'it reads %3 of the line above'],
  ['%named:vgpr_32 = COPY %0', `%4:vgpr_32 = COPY %named`, 'it reads %named of the line above'],
  [
    'S_CMP_EQ_U32 %2, 0, implicit-def $scc',
    '%4:sreg_32 = S_CSELECT_B32 1, 0, implicit $scc',
    'it reads $scc of the line above',
  ],
  [
    '%4:sreg_32 = S_CSELECT_B32 1, 0, implicit undef $scc',
    'S_CMP_EQ_U32 %2, 0, implicit-def $scc',
    'the line above reads $scc',
  ],
  ['S_CMP_EQ_U32 %2, 0, implicit-def dead $scc', 'S_CMP_EQ_U32 %2, 1, implicit-def dead $scc', 'both write $scc'],
  ['$vgpr8_vgpr9 = COPY %1', '$vgpr4 = COPY $vgpr9', 'it reads $vgpr9 of the line above'],
  ['$vgpr4 = COPY undef $vgpr9', '$vgpr8_vgpr9 = COPY %1', 'the line above reads $vgpr8_vgpr9'],
  ['$vgpr9 = COPY %0', '$vgpr8_vgpr9 = COPY %1', 'both write $vgpr8_vgpr9'],
  ['$vgpr8 = COPY %0', '$vgpr9 = COPY %0', ''],
  ['$vgpr4 = COPY %0', '$vgpr5 = COPY %0', ''],
  // Read and written by turns: that it reads comes first.
  ['$vgpr4 = COPY $vgpr5', '$vgpr5 = COPY $vgpr4', 'it reads $vgpr4 of the line above'],
  ['S_NOP 0, implicit $noreg', 'S_NOP 1, implicit $noreg', MEMORY],
  ['%3:vgpr_32 = COPY %0', 'S_NOP 0', MEMORY],
  ['S_NOP 0', '%3:vgpr_32 = COPY %0', MEMORY],
  [load('%3'), load('%4'), ''],
  [load('%3'), store, MEMORY],
  [store, load('%3'), MEMORY],
  [store, store, MEMORY],
  [store, '%4:vgpr_32 = COPY %0', ''],
  ['%4:vgpr_32 = COPY %0', store, ''],
  ['S_ENDPGM 0', '%4:vgpr_32 = COPY %0', MEMORY],
  ['$sgpr30_sgpr31 = SI_CALL undef $sgpr4_sgpr5, 0, csr_amdgpu', '%4:vgpr_32 = COPY %0', MEMORY],
  ['%3:vgpr_32 = PHI %0, %bb.0', '%4:vgpr_32 = COPY %0', MEMORY],
  ['%3:vgpr_32 = G_PHI %0, %bb.0', '%4:vgpr_32 = COPY %0', MEMORY],
  ['undef %9.sub0:vreg_64 = COPY %0', '%9.sub1:vreg_64 = COPY %0', 'both write %9'],
];

describe('a line swapped with the one above', () => {
  for (const [kind, pairs] of Object.entries({ 'of a function': PAIRS, 'of one with errors': BROKEN }))
    describe(kind, () => {
      for (const [above, below, reason] of pairs)
        it(`${above} / ${below}: ${reason || 'may'}`, () => {
          const whole = text(above, below, kind !== 'of a function');
          const at = whole.indexOf(`    ${below}\n    S_NOP`) + 4;
          const marked = `${whole.slice(0, at)}$0${whole.slice(at)}`;
          const found = [...actionsAt(marked, ['refactor'], { commandLinks: true })].find(([t]) =>
            t.startsWith('Swap'),
          );
          if (reason === '')
            assert.deepEqual(found, ['Swap with the line above', text(below, above, kind !== 'of a function')]);
          else assert.deepEqual(found, [`Swap with the line above: forbidden, ${reason}`, reason]);
          // Others are told nothing of what cannot be done.
          const told = [...actionsAt(marked).keys()].filter((t) => t.startsWith('Swap'));
          assert.deepEqual(told, reason === '' ? ['Swap with the line above'] : []);
        });
    });

  it('is in the same block, on a line of its own, not the first', () => {
    const whole = text(NOT, 'S_NOP 5', false);
    for (const line of ['%0:vgpr_32 = COPY $vgpr0\n', 'S_ENDPGM 0\n', 'bb.0:\n']) {
      const titles = [...actionsAt(whole.replace(line, `$0${line}`), ['refactor'], { commandLinks: true }).keys()];
      assert.ok(!titles.some((t) => t.startsWith('Swap')), line);
    }
    const apart = whole.replace('    S_NOP 5', '\n    S_N$0OP 5');
    assert.ok(![...actionsAt(apart, ['refactor'], { commandLinks: true }).keys()].some((t) => t.startsWith('Swap')));
    const blocks = whole.replace('    S_NOP 5', '    S_BRANCH %bb.1\n\n  bb.1:\n    S_N$0OP 5');
    assert.ok(![...actionsAt(blocks, ['refactor'], { commandLinks: true }).keys()].some((t) => t.startsWith('Swap')));
  });
});
