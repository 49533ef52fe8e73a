/** Advice on rematerialization: at which places a register is computed again, what that costs in loops, what it reads, and what is kept of answers. */
import assert from 'node:assert/strict';
import type { RematAnalysis } from '../../../../../../server/src/passes/scheduler/remat/advice/analysis.js';
import type { RematCandidate } from '../../../../../../server/src/passes/scheduler/remat/advice/candidates.js';
import { NEVER_CANCELLED } from '../../../../../../server/src/util/cancellation.js';
import { openFunction } from '../../../../../support/rematFunctions.js';

const V = (r: number): string => `%${r}:vgpr_32 = V_MOV_B32_e32 ${r}, implicit $exec`;
const use = (...regs: (number | string)[]): string => `S_NOP 0${regs.map((r) => `, implicit %${r}`).join('')}`;
const FULL = Array.from({ length: 24 }, (_, k) => 20 + k);

/** Blocks by their lines; the first line of each says where it goes. `%0` is a VGPR that lives in. */
function analysisOf(...blocks: readonly (readonly string[])[]): RematAnalysis {
  const lines = blocks.map(([to, ...own], b) => {
    const names = to!.split(' ').map((t) => `%bb.${t}`);
    const head = [...(to === '' ? [] : [`successors: ${names.join(', ')}`]), ...(b === 0 ? ['liveins: $vgpr0'] : [])];
    const first = b === 0 ? ['%0:vgpr_32 = COPY $vgpr0'] : [];
    return `  bb.${b}:\n${[...head, '', ...first, ...own].map((l) => `    ${l}`.trimEnd()).join('\n')}\n`;
  });
  const { view } = openFunction(
    `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n${lines.join('\n')}...\n`,
  );
  return view.remat!;
}

/** `%1` is the second register of each of these functions. */
const first = (remat: RematAnalysis): RematCandidate => {
  const { candidate } = remat.candidates.of(1);
  assert.ok(candidate);
  return candidate;
};

const blocksOf = (remat: RematAnalysis): number[] => remat.choiceOf(first(remat)).groups.map((g) => g.block);

describe('advice on rematerialization', () => {
  it('has places where it helps: none through which the register lives anyway', () => {
    const add = '%1:vgpr_32 = V_ADD_U32_e32 1, %0, implicit $exec';
    const ends = ['', 'S_ENDPGM 0'];
    assert.deepEqual(blocksOf(analysisOf(['1', V(1)], ['2', use(1)], ['', use(1), 'S_ENDPGM 0'])), [1, 2]);
    // %0 ends in bb.1: bb.2 needs the definition, and bb.1 lies on the way
    assert.deepEqual(blocksOf(analysisOf(['1', add], ['2', use(1), use(0)], ['3', use(1)], ends)), []);
    // it ends in bb.2: bb.1 and bb.2 lie on the way to bb.3
    assert.deepEqual(
      blocksOf(analysisOf(['1', add], ['2', use(1)], ['3', use(1), use(0)], ['', use(1), 'S_ENDPGM 0'])),
      [],
    );
    // on the other way it helps
    assert.deepEqual(
      blocksOf(
        analysisOf(
          ['1 2', add, 'S_CBRANCH_SCC0 %bb.2, implicit undef $scc'],
          ['3', use(1), use(0), 'S_SETPRIO 1', use(1), 'S_BRANCH %bb.3'],
          ['3', use(1), use(0)],
          ends,
        ),
      ),
      [2],
    );
    // after a user of its own region the next one helps
    assert.deepEqual(blocksOf(analysisOf(['1', V(1), use(1)], ['', use(1), 'S_ENDPGM 0'])), [1]);
  });

  it('counts loops around copies at the worst place', () => {
    const branch = (to: number): string => `S_CBRANCH_SCC0 %bb.${to}, implicit undef $scc`;
    const depth = (...blocks: readonly (readonly string[])[]): number => {
      const remat = analysisOf(...blocks);
      return remat.depthChange({ candidate: first(remat), groups: first(remat).groups });
    };
    assert.equal(depth(['1', V(1)], ['', use(1), 'S_ENDPGM 0']), 0);
    assert.equal(depth(['1', V(1)], ['1 2', use(1), branch(1)], ['', 'S_ENDPGM 0']), 1);
    assert.equal(depth(['1', V(1)], ['1 2', use(1), branch(1)], ['', use(1), 'S_ENDPGM 0']), 1);
    assert.equal(depth(['1', V(1)], ['2'], ['2 3', use(1), branch(2)], ['1 4', branch(1)], ['', 'S_ENDPGM 0']), 2);
    assert.equal(depth(['1'], ['1 2', V(1), branch(1)], ['', use(1), 'S_ENDPGM 0']), -1);
    assert.equal(depth(['1'], ['2', V(1)], ['2 3', use(1), branch(2)], ['1 4', branch(1)], ['', 'S_ENDPGM 0']), 1);
  });

  it('knows what a definition reads', () => {
    const reads = (def: string): number[] => {
      const remat = analysisOf(['1', V(1), V(2), def], ['', use(3), use(0, 1, 2), 'S_ENDPGM 0']);
      const { candidate } = remat.candidates.of(3);
      assert.ok(candidate, def);
      return [...remat.readBy(candidate)].sort((a, b) => a - b);
    };
    assert.deepEqual(reads(V(3)), []);
    assert.deepEqual(reads('%3:vgpr_32 = V_ADD_U32_e32 1, %1, implicit $exec'), [1]);
    assert.deepEqual(reads('%3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec'), [1, 2]);
    assert.deepEqual(reads('%3:vgpr_32 = V_ADD3_U32_e64 %2, %0, %2, implicit $exec'), [0, 2]);
  });

  it('keeps its answers, but not those of a search that was cancelled', () => {
    const remat = analysisOf(
      ['1', ...FULL.map((r) => `${V(r)}, implicit-def $m0`), V(1)],
      ['', ...FULL.map((r) => use(r)), use(1), 'S_ENDPGM 0'],
    );
    const { candidates } = remat.candidates;
    assert.equal(candidates.length, 1);
    const [candidate] = candidates;
    assert.equal(remat.choiceOf(candidate!), remat.choiceOf(candidate!));
    assert.equal(remat.effectOf(candidate!), remat.effectOf(candidate!));
    assert.deepEqual(remat.effectOf(candidate!), remat.effectOfAll([remat.choiceOf(candidate!)]));
    const cancelled = remat.reach(10, { isCancelled: () => true });
    assert.equal(cancelled.kind, 'gave up');
    const found = remat.reach(10, NEVER_CANCELLED);
    assert.deepEqual(found, { kind: 'found', choices: [remat.choiceOf(candidate!)], isSmallest: true });
    assert.equal(remat.reach(10, { isCancelled: () => true }), found);
    assert.equal(remat.model, remat.model);
  });
});
