/** The pressure model of advice on rematerialization: functions of one shape each, at every set of places, against the edited text. */
import assert from 'node:assert/strict';
import { rematEdit } from '../../../../../../server/src/features/remat/rematEdit.js';
import { recomputeEffect } from '../../../../../../server/src/features/remat/rematEffect.js';
import type { RematChoice } from '../../../../../../server/src/passes/scheduler/remat/advice/analysis.js';
import { openFunction } from '../../../../../support/rematFunctions.js';

const V = (r: string, n = 1): string => `%${r}:vgpr_32 = V_MOV_B32_e32 ${n}, implicit $exec`;
const use = (...regs: string[]): string => `S_NOP 0${regs.map((r) => `, implicit %${r}`).join('')}`;
const mov64 = (r: string): string => `%${r}:vreg_64 = V_MOV_B64_PSEUDO 1, implicit $exec`;
/** Values that cannot move, all read at once. */
const peak = (first: number, n: number): string[] => {
  const regs = Array.from({ length: n }, (_, k) => String(first + k));
  return [...regs.map((r) => `${V(r)}, implicit-def $m0`), use(...regs)];
};

/** Blocks by their lines; the first line of each says where it goes. */
const SHAPES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'users before the definition in the layout, and one after it': [
    ['2', 'S_BRANCH %bb.2'],
    ['', use('1'), ...peak(20, 5), 'S_ENDPGM 0'],
    ['1', ...peak(10, 4), V('1'), use('1'), ...peak(30, 3), 'S_BRANCH %bb.1'],
  ],
  'only users before it': [
    ['2', 'S_BRANCH %bb.2'],
    ['', ...peak(20, 5), use('1'), 'S_ENDPGM 0'],
    ['1', ...peak(10, 4), V('1'), ...peak(30, 5), 'S_BRANCH %bb.1'],
  ],
  'users in several regions of its block': [
    ['1', V('1'), ...peak(10, 3), 'S_SETPRIO 1', ...peak(20, 4), use('1'), use('1'), 'S_SETPRIO 2', use('1'), ...peak(30, 2)],
    ['', ...peak(40, 3), use('1'), 'S_ENDPGM 0'],
  ],
  'a user that is a boundary after another': [
    ['1', V('1'), ...peak(10, 3), 'S_SETPRIO 1', 'S_SETPRIO 2, implicit %1', ...peak(20, 2)],
    ['', use('1'), 'S_ENDPGM 0'],
  ],
  'a loop that only passes it': [
    ['1', V('1'), ...peak(10, 2)],
    ['1 2', ...peak(20, 4), 'S_CBRANCH_SCC0 %bb.1, implicit undef $scc'],
    ['', ...peak(30, 2), use('1'), 'S_ENDPGM 0'],
  ],
  'a loop that reads it, too': [
    ['1', V('1'), ...peak(10, 2)],
    ['1 2', use('1'), ...peak(20, 4), 'S_CBRANCH_SCC0 %bb.1, implicit undef $scc'],
    ['', ...peak(30, 2), use('1'), 'S_ENDPGM 0'],
  ],
  'two ways, read on one of them and after': [
    ['1 2', V('1'), ...peak(10, 3), 'S_CBRANCH_SCC0 %bb.2, implicit undef $scc'],
    ['3', ...peak(20, 3), use('1'), 'S_BRANCH %bb.3'],
    ['3', ...peak(30, 3)],
    ['', ...peak(40, 3), use('1'), 'S_ENDPGM 0'],
  ],
  'a PHI that reads it': [
    ['1 2', V('1'), V('2', 2), ...peak(10, 3), 'S_CBRANCH_SCC0 %bb.2, implicit undef $scc'],
    ['2', ...peak(20, 3), use('1')],
    ['', '%3:vgpr_32 = PHI %1, %bb.0, %2, %bb.1', ...peak(30, 3), use('1', '3'), 'S_ENDPGM 0'],
  ],
  'two before one user, in both orders': [
    ['1', mov64('1'), V('2', 2), ...peak(10, 3)],
    ['', ...peak(20, 2), use('2', '1'), ...peak(30, 2), 'S_ENDPGM 0'],
  ],
  'wide ones of which little is read': [
    ['1', mov64('1'), mov64('2'), ...peak(10, 3)],
    ['', ...peak(20, 2), use('2.sub1', '1.sub0'), ...peak(30, 2), use('2.sub0'), 'S_ENDPGM 0'],
  ],
  'halves that are read in different regions': [
    ['1', mov64('1'), ...peak(10, 3), 'S_SETPRIO 1', use('1.sub0'), ...peak(20, 3)],
    ['2', use('1.sub1'), ...peak(30, 3), use('1.sub1')],
    ['', use('1'), 'S_ENDPGM 0'],
  ],
  'a kept half': [
    ['1', mov64('1'), use('1.sub0'), ...peak(10, 3), use('1.sub0')],
    ['', ...peak(20, 3), use('1'), 'S_ENDPGM 0'],
  ],
  'half-written and half-read': [
    ['1', 'undef %1.sub1:vreg_64 = V_MOV_B32_e32 1, implicit $exec', ...peak(10, 3)],
    ['', ...peak(20, 3), use('1.sub1'), 'S_ENDPGM 0'],
  ],
  'what is never read after its definition besides': [
    ['1', 'early-clobber %1:vreg_64 = V_MOV_B64_PSEUDO 1, implicit $exec', ...peak(10, 1)],
    ['', use('1.sub0'), 'S_ENDPGM 0'],
  ],
  'an operand of it, and the operand itself': [
    ['1', V('2'), '%1:vgpr_32 = V_ADD_U32_e32 1, %2, implicit $exec', ...peak(10, 3)],
    ['2', ...peak(20, 3), use('1')],
    ['', ...peak(30, 3), use('2'), 'S_ENDPGM 0'],
  ],
  'boundaries that read it, and regions with low numbers': [
    ['1', V('1'), 'S_SETPRIO 1', 'S_SETPRIO 2, implicit %1', 'S_SETPRIO 3, implicit %1', ...peak(20, 2), use('1')],
    ['2', use('1'), ...peak(30, 2), 'S_SETPRIO 1', use('1')],
    ['', use('1'), 'S_ENDPGM 0'],
  ],
  'what defines no register': [
    ['1', V('1'), 'S_NOP 0, implicit-def $noreg', 'S_NOP 0, implicit $noreg', ...peak(10, 2)],
    ['', use('1'), 'S_ENDPGM 0'],
  ],
  // 33 VGPRs are a wave less than 32.
  'another peak after that stays': [
    ['1', V('1'), ...peak(10, 32)],
    ['2', use('1')],
    ['3', V('3'), use('3')],
    ['', ...peak(100, 33), use('3'), 'S_ENDPGM 0'],
  ],
  'another peak in front that stays': [
    ['1', ...peak(100, 33)],
    ['2', V('3'), use('3')],
    ['3', V('1'), ...peak(10, 32)],
    ['', use('1', '3'), 'S_ENDPGM 0'],
  ],
  'peaks on both sides, and one between that goes': [
    ['1', ...peak(100, 29)],
    ['2', V('1'), V('2', 2), ...peak(10, 32)],
    ['3', use('1', '2')],
    ['', ...peak(200, 33), 'S_ENDPGM 0'],
  ],
  'SGPRs beside': [
    ['1', '%1:sreg_32 = S_MOV_B32 1', '%2:sreg_64 = S_MOV_B64 2', V('3'), ...peak(10, 3)],
    ['', use('2'), ...peak(20, 3), use('1', '3'), 'S_ENDPGM 0'],
  ],
}; // prettier-ignore

function textOf(blocks: readonly (readonly string[])[]): string {
  const lines = blocks.map(([to, ...own], b) => {
    const successors = to === '' ? [] : [`successors: ${to!.split(' ').map((t) => `%bb.${t}`).join(', ')}`, '']; // prettier-ignore
    return `  bb.${b}:\n${[...successors, ...own].map((l) => `    ${l}`.trimEnd()).join('\n')}\n`;
  });
  return `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n${lines.join('\n')}...\n`;
}

describe('the pressure model counts what the edited text has, shape by shape', () => {
  for (const [name, blocks] of Object.entries(SHAPES)) {
    it(name, () => {
      const text = textOf(blocks);
      const { snapshot, view } = openFunction(text);
      const remat = view.remat!;
      const options = remat.candidates.candidates.map((candidate) =>
        Array.from({ length: 1 << candidate.groups.length }, (_, mask) => ({
          candidate,
          groups: candidate.groups.filter((_g, k) => ((mask >> k) & 1) !== 0),
        })),
      );
      assert.ok(options.length > 0, text);
      const { regionOf } = remat.candidates;
      for (const { groups } of remat.candidates.candidates)
        for (const { users } of groups)
          assert.ok(users.length === 1 || (regionOf[users[0]!]! >= 0 && users.every((u) => regionOf[u] === regionOf[users[0]!]))); // prettier-ignore
      let compared = 0;
      const tryAll = (k: number, chosen: readonly RematChoice[]): void => {
        if (k < options.length) {
          for (const o of options[k]!) tryAll(k + 1, o.groups.length === 0 ? chosen : [...chosen, o]);
          return;
        }
        if (chosen.length === 0 || compared >= 12) return;
        const edit = rematEdit(snapshot, view, chosen);
        if (edit === null) return;
        const real = recomputeEffect(snapshot, view, remat.candidates, edit);
        assert.ok(real);
        assert.deepEqual(remat.effectOfAll(chosen), real, text);
        compared++;
      };
      tryAll(0, []);
      assert.ok(compared > 0, text);
    });
  }
});
