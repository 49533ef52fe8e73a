/** Where a definition goes on the way back from rematerialization, graph by graph. */
import assert from 'node:assert/strict';
import { DominatorTree } from '../../../../../../server/src/analysis/dominators.js';
import { computeLiveIntervals } from '../../../../../../server/src/analysis/liveIntervals.js';
import { LoopInfo } from '../../../../../../server/src/analysis/loops.js';
import { RematCandidates } from '../../../../../../server/src/passes/scheduler/remat/advice/candidates.js';
import { Hoisting } from '../../../../../../server/src/passes/scheduler/remat/advice/hoist.js';
import { sourceNames } from '../../../../../../server/src/model/printer/index.js';
import { lowerMir, mirFunction } from '../../../../../support/mir.js';

/** One letter for each kind of instruction; what is no such letter is MIR. */
const LINES: Readonly<Record<string, (...args: string[]) => string>> = {
  V: (r) => `%${r}:vgpr_32 = V_MOV_B32_e32 7, implicit $exec`,
  S: (r) => `%${r}:sreg_32 = S_MOV_B32 7`,
  A: (r, from) => `%${r}:vgpr_32 = V_ADD_U32_e32 1, %${from}, implicit $exec`,
  U: (r) => `S_NOP 0, implicit %${r}`,
  C: (to) => `S_CBRANCH_SCC0 %bb.${to}, implicit undef $scc`,
  B: (to) => `S_BRANCH %bb.${to}`,
  // any lanes; some of the lanes
  X: () => '$exec = S_MOV_B64 -1',
  N: () => '$exec = S_AND_B64 $exec, %1, implicit-def dead $scc',
  E: () => 'S_ENDPGM 0',
};

/** Blocks by `|`, instructions by `;`. Before the first block `%0` (VGPR) and `%1` (a mask) are copied. */
function functionOf(graph: string): string {
  const blocks = graph.split('|').map((b) =>
    b
      .split(';')
      .map((l) => l.trim())
      .filter((l) => l !== ''),
  );
  const text = blocks.map((lines, b) => {
    const to = lines.flatMap((l) => /^[CB] (\d+)$/.exec(l)?.[1] ?? []);
    if (!/^(?:B \d+|E)$/.test(lines.at(-1) ?? '') && b + 1 < blocks.length) to.push(String(b + 1));
    const own = lines.map((l) => {
      const [kind, ...args] = l.split(' ');
      return kind!.length === 1 && LINES[kind!] ? LINES[kind!]!(...args) : l;
    });
    return [
      `  bb.${b}:`,
      ...(to.length > 0 ? [`    successors: ${[...new Set(to)].map((t) => `%bb.${t}`).join(', ')}`] : []),
      ...own.map((l) => `    ${l}`),
    ].join('\n');
  });
  return mirFunction('f', text.join('\n'));
}

const ENTRY = '%0:vgpr_32 = COPY $vgpr0; %1:sreg_64 = COPY $sgpr0_sgpr1';

/** `2 3 -> bb.0 before OPCODE`, or `-> bb.0 after OPCODE` at the end of a block; `-` = it stays. */
function placeOf(graph: string, name: number): string {
  const [fn] = lowerMir(functionOf(graph), { cpu: 'gfx908' });
  assert.ok(fn);
  const lis = computeLiveIntervals(fn, { edit: false });
  const dom = new DominatorTree(fn.blocks);
  const hoisting = new Hoisting(fn, lis, dom, new LoopInfo(fn.blocks, dom), new RematCandidates(fn, lis));
  const names = sourceNames(fn);
  const number = (v: number): number => Number(names(v).slice(1));
  const vreg = Array.from({ length: fn.vregs.n }, (_, v) => v).find((v) => number(v) === name);
  assert.ok(vreg !== undefined, graph);
  const hoist = hoisting.of(vreg);
  if (hoist === null) return '-';
  assert.deepEqual(
    hoist.defs.map((d) => ~fn.opVal[fn.opBegin[d]!]!),
    hoist.vregs,
  );
  if (hoist.before >= 0) assert.equal(hoist.beside, hoist.before);
  assert.equal(fn.instrBlock[hoist.beside], hoist.block);
  const opcode = fn.tables.opcodeName(fn.opcode[hoist.beside]!);
  return `${hoist.vregs.map(number).join(' ')} -> bb.${hoist.block} ${hoist.before < 0 ? 'after' : 'before'} ${opcode}`;
}

/** What %2 (and any equal to it) does. */
const CASES: readonly (readonly [graph: string, place: string])[] = [
  // two branches, and the end of a block without a branch
  [`${ENTRY}; C 2 | V 2; U 2; E | V 3; U 3; E`, '2 3 -> bb.0 before S_CBRANCH_SCC0'],
  [`${ENTRY}; C 2; B 1 | V 2; U 2; E | V 3; U 3; E`, '2 3 -> bb.0 before S_CBRANCH_SCC0'],
  [`${ENTRY}; C 2 | V 3; U 3; E | V 2; U 2; E`, '3 2 -> bb.0 before S_CBRANCH_SCC0'],
  ['C 2; B 1 | V 2; U 2; E | V 3; U 3; E', '2 3 -> bb.0 before S_CBRANCH_SCC0'],
  [`${ENTRY}; C 2 | V 3; U 3; B 3 | S 2; U 2 | V 4; U 4; E`, '2 -> bb.0 before S_CBRANCH_SCC0'],
  [`${ENTRY} | V 2; U 2; E`, '2 -> bb.0 after COPY'],
  // users in another block keep a lone one, not one of several
  [`${ENTRY} | V 2 | U 2; E`, '-'],
  [`${ENTRY}; C 3 | V 2 | U 2; E | V 3; U 3; E`, '2 3 -> bb.0 before S_CBRANCH_SCC0'],
  // nothing above the entry
  [`${ENTRY}; V 2; U 2; E`, '-'],
  [` | V 2; U 2; E`, '-'],
  // the first of a common block stays
  [`${ENTRY}; V 2; U 2 | V 3; U 3; E`, '2 3 -> bb.0 before V_MOV_B32_e32'],
  [`${ENTRY}; V 3; U 3 | V 2; U 2; E`, '3 2 -> bb.0 before V_MOV_B32_e32'],
  [`${ENTRY}; V 2; V 3; U 2; U 3; E`, '2 3 -> bb.0 before V_MOV_B32_e32'],
  [`${ENTRY}; V 3; V 4; U 3; U 4 | V 2; U 2; E`, '3 4 2 -> bb.0 before V_MOV_B32_e32'],
  // the common block comes later in the text
  [`${ENTRY}; B 2 | V 2; U 2; E | V 3; U 3; B 1`, '3 2 -> bb.2 before V_MOV_B32_e32'],
  [`${ENTRY}; B 3 | V 2; U 2; E | V 3; U 3; E | C 1; B 2`, '2 3 -> bb.3 before S_CBRANCH_SCC0'],
  // out of loops: of one, of the inner one, of that of both; a place in none is as good as the nearest
  [`${ENTRY} | V 2; U 2; C 1 | E`, '2 -> bb.0 after COPY'],
  [`${ENTRY} | S_NOP 1 | V 2; U 2; C 2 | C 1 | E`, '2 -> bb.1 after S_NOP'],
  [`${ENTRY} | S_NOP 1 | V 2; U 2; C 1 | E`, '2 -> bb.0 after COPY'],
  [`${ENTRY} | C 3 | V 2; U 2; B 4 | V 3; U 3 | C 1 | E`, '2 3 -> bb.0 after COPY'],
  [`${ENTRY} | V 2; U 2; C 1 | V 3; U 3; E`, '2 3 -> bb.1 before V_MOV_B32_e32'],
  [`${ENTRY}; C 2 | V 2; U 2; C 1; B 3 | V 3; U 3 | E`, '2 3 -> bb.0 before S_CBRANCH_SCC0'],
  // nobody comes to a block
  [`${ENTRY}; B 2 | V 2; U 2 | E`, '-'],
  [`${ENTRY}; V 3; U 3; B 2 | V 2; U 2 | E`, '-'],
  // operands: the same value at the place
  [`${ENTRY} | A 2 0; U 2; E`, '2 -> bb.0 after COPY'],
  [`${ENTRY} | %0:vgpr_32 = COPY $vgpr1; A 2 0; U 2; E`, '-'],
  [`${ENTRY} | %4:vgpr_32 = COPY $vgpr1; A 2 4; U 2; E`, '-'],
  [`${ENTRY}; A 2 0; U 2 | A 3 0; U 3; E`, '2 3 -> bb.0 before V_ADD_U32_e32'],
  [`${ENTRY}; A 2 0; U 2 | %0:vgpr_32 = COPY $vgpr1; A 3 0; U 3; E`, '-'],
  [`${ENTRY}; C 2 | A 2 0; U 2; E | A 3 0; U 3; E`, '2 3 -> bb.0 before S_CBRANCH_SCC0'],
  [`${ENTRY}; C 2 | A 2 0; U 2; E | %0:vgpr_32 = COPY $vgpr1; A 3 0; U 3; E`, '2 -> bb.0 before S_CBRANCH_SCC0'],
  [`${ENTRY} | A 2 0; U 2; %0:vgpr_32 = COPY $vgpr1; C 1 | E`, '-'],
  [`${ENTRY} | %2:vgpr_32 = V_ADD_U32_e32 1, undef %4:vgpr_32, implicit $exec; U 2; E`, '2 -> bb.0 after COPY'],
  [`${ENTRY} | %2:vgpr_32 = V_ADD_U32_e32 $vgpr1, undef %4:vgpr_32, implicit $exec; U 2; E`, '-'],
  // a change of exec on the way, elsewhere, and after; what is scalar does not care
  [`${ENTRY} | X; V 2; U 2; E`, '-'],
  [`${ENTRY} | X; S 2; U 2; E`, '2 -> bb.0 after COPY'],
  [`${ENTRY} | V 2; U 2; X; E`, '2 -> bb.0 after COPY'],
  [`${ENTRY}; X; S_NOP 0 | V 2; U 2; E`, '2 -> bb.0 after S_NOP'],
  [`${ENTRY}; X | V 2; U 2; E`, '2 -> bb.0 after S_MOV_B64'],
  [`${ENTRY}; $exec = S_MOV_B64_term -1 | V 2; U 2; E`, '-'],
  [`${ENTRY}; C 2 | V 2; U 2; E | X; E`, '2 -> bb.0 before S_CBRANCH_SCC0'],
  [`${ENTRY}; C 3 | X | V 2; U 2; E | V 3; U 3; E`, '2 -> bb.1 after S_MOV_B64'],
  [`${ENTRY}; C 3 | X; S_NOP 0 | V 2; U 2; E | V 3; U 3; E`, '2 -> bb.1 after S_NOP'],
  [`${ENTRY}; C 3 | S_NOP 0 | V 2; U 2; E | V 3; U 3; X; E`, '2 3 -> bb.0 before S_CBRANCH_SCC0'],
  // round a loop it comes before the definition
  [`${ENTRY} | V 2; U 2; X; C 1 | E`, '-'],
  [`${ENTRY} | S_NOP 0 | V 2; U 2 | X; C 1 | E`, '-'],
  [`${ENTRY} | V 2; U 2; C 1 | X; E`, '2 -> bb.0 after COPY'],
  // between two of a block
  [`${ENTRY} | X; V 2; V 3; U 2; U 3; E`, '2 3 -> bb.1 before V_MOV_B32_e32'],
  [`${ENTRY} | V 2; X; V 3; U 2; U 3; E`, '-'],
  [`${ENTRY} | V 2; V 3; U 2; U 3; X; E`, '2 3 -> bb.1 before V_MOV_B32_e32'],
  [`${ENTRY} | V 2; V 3; U 2; U 3; X; C 1 | E`, '2 3 -> bb.1 before V_MOV_B32_e32'],
  [`${ENTRY} | V 2; U 2; X | V 3; U 3; E`, '2 -> bb.0 after COPY'],
  [`${ENTRY} | X; V 2; U 2 | V 3; U 3; E`, '2 3 -> bb.1 before V_MOV_B32_e32'],
  // within the lanes of the entry, as long as nothing narrows exec before the place
  [`${ENTRY} | N; V 2; U 2; E`, '2 -> bb.0 after COPY'],
  [`${ENTRY} | V 2; U 2; N; C 1 | E`, '2 -> bb.0 after COPY'],
  [`${ENTRY}; N; S_NOP 0 | N; V 2; U 2; E`, '-'],
  [`${ENTRY}; N; S_NOP 0 | V 2; U 2; E`, '2 -> bb.0 after S_NOP'],
  [`${ENTRY}; N | S_NOP 0 | N; V 2; U 2; E`, '-'],
  [`${ENTRY} | V 2; U 2; N | V 3; U 3; E`, '2 3 -> bb.1 before V_MOV_B32_e32'],
  [`${ENTRY} | V 2; U 2; N | V 3; U 3; C 1 | E`, '2 -> bb.0 after COPY'],
  [`${ENTRY} | V 2; U 2 | N; V 3; U 3; C 1 | E`, '2 -> bb.0 after COPY'],
  [`${ENTRY} | V 2; U 2 | V 3; U 3; C 1 | N; E`, '2 3 -> bb.1 before V_MOV_B32_e32'],
  [`${ENTRY} | N; V 2; U 2; E | X; E`, '-'],
  [`${ENTRY}; C 2 | N; V 2; U 2; E | X; E`, '-'],
  // a call may change it, and nothing goes into a bundle or after what belongs to one
  [`${ENTRY} | S_NOP 0, csr_amdgpu; V 2; U 2; E`, '-'],
  [`${ENTRY} | V 2; U 2; S_NOP 0, csr_amdgpu; E`, '2 -> bb.0 after COPY'],
  [`${ENTRY}; BUNDLE {; S_NOP 0; S_NOP 1; } | V 2; U 2; E`, '-'],
  [`${ENTRY}; BUNDLE {; S_NOP 0; S_NOP 1; }; S_NOP 2 | V 2; U 2; E`, '2 -> bb.0 after S_NOP'],
  // what cannot be computed again
  [`${ENTRY} | %2:vgpr_32 = COPY $vgpr1; U 2; E`, '-'],
  [`${ENTRY} | V 2; V 2; U 2; E`, '-'],
  [`${ENTRY} | V 2; E`, '-'],
]; // prettier-ignore

describe('the place of a definition on the way back', () => {
  for (let first = 0; first < CASES.length; first += 24)
    it(`by graph, from the ${first + 1}. on`, () => {
      const wrong = CASES.slice(first, first + 24).flatMap(([graph, place]) => {
        const is = placeOf(graph, 2);
        return is === place ? [] : [`${graph}\n  is ${is}, not ${place}`];
      });
      assert.deepEqual(wrong, []);
    });
});
