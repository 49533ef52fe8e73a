/** Which definitions reach an instruction, against the equations of data flow solved instruction by instruction. */
import assert from 'node:assert/strict';
import { OpFlag, OperandKind, type InstrId } from '../../../../../server/src/model/machineFunction.js';
import { SchedContext } from '../../../../../server/src/passes/scheduler/context.js';
import { resolveSchedClass } from '../../../../../server/src/passes/scheduler/schedClass.js';
import { ReachingDefs } from '../../../../../server/src/passes/scheduler/stages/reachingDefs.js';
import { randomFunction } from '../../../../support/randomFunction.js';
import { lowerWithRunLine } from '../../../../support/schedule.js';

const sorted = (list: Iterable<number>): number[] => [...list].sort((a, b) => a - b);

function check(text: string): number {
  const [fn] = lowerWithRunLine(text).fns;
  const ctx = new SchedContext(fn!, resolveSchedClass);
  const { list, roles } = ctx;
  const defs = new ReachingDefs(ctx);
  const f = ctx.fn;
  const blocks = f.blocks.map((_, b) => {
    const instrs: InstrId[] = [];
    for (let i = list.first(b); i >= 0; i = list.after(i)) instrs.push(i);
    return instrs;
  });
  const mentions = (i: InstrId, v: number, wantsDef: boolean): boolean => {
    if (roles.isDebug(i)) return false;
    for (let o = f.opBegin[i]!; o < f.opBegin[i + 1]!; o++) {
      if (f.opKind[o] !== OperandKind.Register || f.opVal[o] !== ~v) continue;
      const isDef = (f.opFlags[o]! & OpFlag.Def) !== 0;
      if (isDef === wantsDef && (isDef || (f.opFlags[o]! & OpFlag.Undef) === 0)) return true;
    }
    return false;
  };
  let nSeveral = 0;
  for (let v = 0; v < f.vregs.n; v++) {
    const out = blocks.map(() => new Set<InstrId>());
    const entry = (b: number): Set<InstrId> => new Set(f.blocks[b]!.predecessors.flatMap((p) => [...out[p]!]));
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      blocks.forEach((instrs, b) => {
        let live = entry(b);
        for (const i of instrs) if (mentions(i, v, true)) live = new Set([i]);
        if (live.size !== out[b]!.size) [isChanged, out[b]] = [true, live];
      });
    }
    const usersOf = new Map<InstrId, InstrId[]>();
    blocks.forEach((instrs, b) => {
      // LLVM's walk does not enter the block again, unless that is its own predecessor.
      const isSelfLoop = f.blocks[b]!.predecessors.includes(b);
      let live = new Set([...entry(b)].filter((d) => isSelfLoop || f.instrBlock[d] !== b));
      for (const i of instrs) {
        assert.deepEqual(sorted(defs.reaching(i, v)), sorted(live), `%${v} before ${i}`);
        if (mentions(i, v, false)) for (const d of live) usersOf.set(d, [...(usersOf.get(d) ?? []), i]);
        if (live.size > 1) nSeveral++;
        if (mentions(i, v, true)) live = new Set([i]);
      }
    });
    for (const d of blocks.flat())
      if (mentions(d, v, true))
        assert.deepEqual(sorted(defs.usersReachedBy(d, v)), sorted(usersOf.get(d) ?? []), `users of %${v} by ${d}`);
  }
  blocks.forEach((instrs) =>
    instrs.forEach((a, k) => instrs.forEach((b, j) => assert.equal(defs.isBefore(a, b), k < j))),
  );
  return nSeveral;
}

describe('definitions that reach an instruction', () => {
  for (let seed = 0; seed < 12; seed++) {
    const text = randomFunction(seed, 'f', { maxBlocks: 7, undefinedPaths: seed % 2 === 0 });
    if (text === null) continue;
    it(`in a random function, of whole registers and parts, seed ${seed}`, () => {
      check(`# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s\n${text}`);
    });
  }

  it('in a loop of one block, where an undefined read and a debug value read nothing', () => {
    const text = [
      '# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s',
      '---',
      'name: f',
      'tracksRegLiveness: true',
      'body: |',
      '  bb.0:',
      '    liveins: $vgpr0',
      '    %0:vreg_64_align2 = IMPLICIT_DEF',
      '    %1:vgpr_32 = COPY $vgpr0',
      '  bb.1:',
      '    %2:vgpr_32 = V_XOR_B32_e32 %0.sub0, undef %1, implicit $exec',
      '    DBG_VALUE %0',
      '    %0.sub1:vreg_64_align2 = V_XOR_B32_e32 %0.sub0, %0.sub1, implicit $exec',
      '    S_CBRANCH_SCC0 %bb.1, implicit undef $scc',
      '  bb.2:',
      '    S_ENDPGM 0, implicit %0',
      '...',
      '',
    ].join('\n');
    assert.ok(check(text) > 0);
  });
});
