/**
 * Advice on rematerialization: the pressure model counts what the edited text has, and the search finds the smallest set. Functions
 * are made at random: constants of one to four registers, used here and there over several blocks, some of them in a loop.
 */
import assert from 'node:assert/strict';
import { rematEdit } from '../../../server/src/features/remat/rematEdit.js';
import { recomputeEffect } from '../../../server/src/features/remat/rematEffect.js';
import type { FunctionView, Snapshot } from '../../../server/src/features/snapshot.js';
import type { RematChoice } from '../../../server/src/passes/scheduler/remat/advice/analysis.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { atCursor } from '../../support/cursor.js';

function random(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x100000000) * n);
  };
}

const KINDS = [
  (r: string, k: number) => `${r}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec`,
  (r: string, k: number) => `${r}:vreg_64 = V_MOV_B64_PSEUDO ${k}, implicit $exec`,
  (r: string, k: number) => `undef ${r}.sub1:vreg_64 = V_MOV_B32_e32 ${k}, implicit $exec`,
  (r: string, k: number) => `${r}:sreg_32 = S_MOV_B32 ${k}`,
  (r: string, k: number) => `${r}:sreg_64 = S_MOV_B64 ${k}`,
  (r: string, k: number) => `${r}:vgpr_32 = V_ADD_U32_e32 ${k}, %0, implicit $exec`,
  (r: string, k: number) => `early-clobber ${r}:vreg_64 = V_MOV_B64_PSEUDO ${k}, implicit $exec`,
];

/**
 * `n` constants, then `fill` values that live to the end of the second block, three blocks with users, the second one a loop. With `outside` much is
 * written where one boundary follows another, which is in no region.
 */
function functionOf(seed: number, n: number, fill: number, outside = false): string {
  const rnd = random(seed);
  const isWide: boolean[] = [];
  const hasHalves: boolean[] = [];
  const body: string[] = ['  bb.0:', '    liveins: $vgpr0', '', '    %0:vgpr_32 = COPY $vgpr0'];
  for (let k = 1; k <= n; k++) {
    const kind = rnd(KINDS.length);
    isWide[k] = kind === 1 || kind === 4 || kind === 6;
    hasHalves[k] = kind === 0 || kind === 3 || kind === 5;
    body.push(`    ${KINDS[kind]!(`%${k}`, k)}`);
    if (rnd(5) === 0) body.push(`    S_NOP 0, implicit %${k}`);
  }
  const fillers = Array.from({ length: fill }, (_, k) => `%${100 + k}`);
  const users = (): void => {
    for (let k = 1; k <= n; k++) {
      if (rnd(3) === 0) continue;
      const names = isWide[k] ? ['.sub0', '.sub1'] : hasHalves[k] ? ['.lo16', '.hi16'] : ['', ''];
      const sub = rnd(3) === 0 ? names[rnd(2)]! : '';
      body.push(`    S_NOP 0, implicit %${k}${sub}${rnd(4) === 0 ? ', implicit %0' : ''}`);
      if (rnd(4) !== 0) continue;
      body.push('    S_SETPRIO 1');
      if (outside) body.push(`    $exec = S_MOV_B64 -1, implicit-def dead %${300 + body.length}:vreg_512`);
    }
  };
  body.push('    S_BRANCH %bb.1', '', '  bb.1:');
  for (const f of fillers) body.push(`    ${f}:vgpr_32 = V_MOV_B32_e32 7, implicit $exec, implicit-def $m0`);
  users();
  body.push('    S_BRANCH %bb.2', '', '  bb.2:', '    successors: %bb.2, %bb.3', '');
  for (const f of fillers) body.push(`    S_NOP 0, implicit ${f}`);
  users();
  body.push('    S_CBRANCH_SCC0 %bb.2, implicit undef $scc', '    S_BRANCH %bb.3', '', '  bb.3:');
  users();
  body.push('    S_NOP 0, implicit %0', '    S_ENDPGM 0', '');
  return `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n${body.join('\n')}...\n`;
}

function open(text: string): { snapshot: Snapshot; view: FunctionView } {
  const { snapshot } = atCursor(text);
  const view = snapshot.functions[0]!;
  assert.deepEqual(
    view.diagnostics.map((d) => d.message),
    [],
  );
  return { snapshot, view };
}

describe('advice on rematerialization', () => {
  it('the pressure model counts what the edited text has', () => {
    let compared = 0;
    for (let seed = 1; seed <= 33; seed++) {
      const { snapshot, view } = open(functionOf(seed, 8, seed % 3, seed > 25));
      const remat = view.remat!;
      const rnd = random(seed);
      for (let round = 0; round < 6; round++) {
        const choices: RematChoice[] = [];
        for (const candidate of remat.candidates.candidates) {
          const groups = candidate.groups.filter(() => rnd(4) !== 0);
          if (rnd(3) === 0 && groups.length > 0) choices.push({ candidate, groups });
        }
        if (choices.length === 0) continue;
        const edit = rematEdit(snapshot, view, choices)!;
        const real = recomputeEffect(snapshot, view, remat.candidates, edit);
        assert.ok(real, `seed ${seed}: the edited text is not well-formed`);
        assert.deepEqual(remat.effectOfAll(choices), real, `seed ${seed}, round ${round}`);
        compared++;
      }
    }
    assert.ok(compared > 60);
  });

  it('the search finds a set that does it wherever one exists, and none larger than those of all places', () => {
    const outcomes = new Map<string, number>();
    for (let seed = 1; seed <= 60; seed++) {
      // 24 registers allow ten waves
      const { view } = open(functionOf(seed, 9, 12 + (seed % 12)));
      const remat = view.remat!;
      const { occupancy } = view.summary!.occupancy;
      const all = remat.candidates.candidates.map((candidate) => ({ candidate, groups: candidate.groups }));
      let best = Infinity;
      for (let mask = 1; mask < 1 << all.length; mask++) {
        const set = all.filter((_, k) => ((mask >> k) & 1) !== 0);
        if (set.length < best && remat.effectOfAll(set).occupancyAfter > occupancy) best = set.length;
      }
      const result = remat.reach(occupancy + 1, NEVER_CANCELLED);
      outcomes.set(result.kind, (outcomes.get(result.kind) ?? 0) + 1);
      const size = result.kind === 'found' ? result.choices.length : Infinity;
      assert.ok(size <= best, `seed ${seed}`);
      if (result.kind !== 'found') continue;
      assert.ok(result.isSmallest);
      assert.ok(remat.effectOfAll(result.choices).occupancyAfter > occupancy);
    }
    assert.ok((outcomes.get('found') ?? 0) > 5 && (outcomes.get('impossible') ?? 0) > 3, [...outcomes].join());
  });

  it('the search finds the smallest set, whatever places are chosen', () => {
    let found = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const { view } = open(functionOf(seed, 4, 17 + (seed % 8)));
      const remat = view.remat!;
      const { occupancy } = view.summary!.occupancy;
      // every candidate at every subset of its places
      const options = remat.candidates.candidates.map((candidate) =>
        Array.from({ length: 1 << candidate.groups.length }, (_, mask) => ({
          candidate,
          groups: candidate.groups.filter((_, k) => ((mask >> k) & 1) !== 0),
        })),
      );
      let best = Infinity;
      const choose = (k: number, chosen: readonly RematChoice[]): void => {
        if (chosen.length >= best) return;
        if (k === options.length) {
          if (chosen.length > 0 && remat.effectOfAll(chosen).occupancyAfter > occupancy) best = chosen.length;
          return;
        }
        for (const option of options[k]!) choose(k + 1, option.groups.length === 0 ? chosen : [...chosen, option]);
      };
      choose(0, []);
      const result = remat.reach(occupancy + 1, NEVER_CANCELLED);
      assert.equal(result.kind === 'found' ? result.choices.length : Infinity, best, `seed ${seed}`);
      if (result.kind === 'found') found++;
    }
    assert.ok(found > 5);
  });
});
