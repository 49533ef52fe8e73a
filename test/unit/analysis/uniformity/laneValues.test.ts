/** What registers are to lanes, on random functions: values, uses after cycles and chains of reasons, against their definitions. */
import assert from 'node:assert/strict';
import { readsReg, SourceKind, ValueBank } from '../../../../server/src/analysis/uniformity/instructionUniformity.js';
import { findLaneMasks } from '../../../../server/src/analysis/uniformity/laneMasks.js';
import { LaneValue, LaneValues, type ReasonStep } from '../../../../server/src/analysis/uniformity/laneValues.js';
import { maskOrigin, maskReadBy } from '../../../../server/src/analysis/uniformity/maskOrigin.js';
import { CauseKind } from '../../../../server/src/analysis/uniformity/uniformity.js';
import { OpFlag, type MachineFunction } from '../../../../server/src/model/machineFunction.js';
import { lowerMir, mirFunction } from '../../../support/mir.js';
import { randomUniformityFunction } from '../../../support/randomUniformity.js';

/** Counts to the number of the lane. */
const COUNTER = `
  bb.0:
    liveins: $vgpr0
    %0:_(s32) = COPY $vgpr0
    %1:_(s32) = G_CONSTANT i32 1

  bb.1:
    %2:_(s32) = G_PHI %1(s32), %bb.0, %3(s32), %bb.1
    %3:_(s32) = G_ADD %2, %1
    %4:_(s1) = G_ICMP intpred(ne), %3(s32), %0
    G_BRCOND %4(s1), %bb.1

  bb.2:
    %5:_(s32) = G_PHI %3(s32), %bb.1
    S_ENDPGM 0, implicit %5, implicit %2
`;

const counter = (): MachineFunction => lowerMir(mirFunction('f', COUNTER), { triple: 'amdgcn' })[0]!;
const functions: readonly MachineFunction[] = Array.from({ length: 60 }, (_, k) => {
  if (k === 0) return counter();
  const wave32 = k % 4 === 3;
  const c = { seed: 31_000 + k, blocks: 2 + (k % 14), selected: k % 2 === 1, wave32, isVaried: k % 3 > 0 };
  return lowerMir(randomUniformityFunction('f', c), { triple: 'amdgcn', cpu: wave32 ? 'gfx1200' : 'gfx90a' })[0]!;
});

/** Virtual registers that an instruction reads or, `isDef`, writes, each mention once. */
function virtuals(fn: MachineFunction, i: number, isDef: boolean): number[] {
  const found: number[] = [];
  for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
    if (fn.opKind[o] === 0 && fn.opVal[o]! < 0 && ((fn.opFlags[o]! & OpFlag.Def) !== 0) === isDef)
      found.push(~fn.opVal[o]!);
  return found;
}

const placed = (fn: MachineFunction): number[] =>
  fn.blocks.flatMap((_, b) => [...fn.order.slice(fn.blockBegin[b], fn.blockEnd[b])]);

/** The cycle around `def` and not around `b` that lanes leave at different times. */
function leftCycle({ uniformity: u, fn }: LaneValues, def: number, b: number): number {
  for (let c = u.cycles.cycleOf[fn.instrBlock[def]!]!; c >= 0; c = u.cycles.parent[c]!) {
    if (u.cycles.blocks[c]!.includes(b)) return -1;
    if (u.divergentExitCycles.includes(c)) return c;
  }
  return -1;
}

/** Nodes of the graph of reasons: registers as ~index, branches as their blocks. */
function reasonsOf(lanes: LaneValues, node: number): number[] {
  const { uniformity: u, fn } = lanes;
  const [kind, data, instr] =
    node < 0
      ? [u.cause[~node], u.causeData[~node]!, u.causeInstr[~node]!]
      : [u.branchCause[node], u.branchCauseData[node]!, u.branchCauseInstr[node]!];
  switch (kind as CauseKind) {
    case CauseKind.Source: {
      if (u.judge.sourceOf(instr)!.kind !== SourceKind.VectorOperand) return [];
      const found: number[] = [];
      for (let o = fn.opBegin[instr]!; o < fn.opBegin[instr + 1]!; o++)
        if (fn.opKind[o] === 0 && fn.opVal[o]! < 0 && readsReg(fn, o) && u.isDivergent[~fn.opVal[o]!] === 1)
          found.push(fn.opVal[o]!);
      return found;
    }
    case CauseKind.Operand:
      return [~data];
    case CauseKind.Join:
      return [data];
    case CauseKind.AssumedCycle:
      return [u.assumedBranch[data]!];
    case CauseKind.ExitPhi:
      return [u.exitBranch[data]!];
    default: {
      const c = leftCycle(lanes, u.lastDefOf(data), fn.instrBlock[instr]!);
      return c < 0 ? [] : [u.exitBranch[c]!];
    }
  }
}

const nodeOf = (step: ReasonStep): number => (step.vreg >= 0 ? ~step.vreg : step.block);

/** Steps of a shortest way from a node to one without reasons; Infinity where values of vector instructions only name each other. */
function distance(lanes: LaneValues, node: number): number {
  let level = [node];
  const seen = new Set(level);
  for (let n = 1; level.length > 0; n++) {
    const next: number[] = [];
    for (const x of level) {
      const reasons = reasonsOf(lanes, x);
      if (reasons.length === 0) return n;
      for (const y of reasons) if (!seen.has(y)) next.push(y);
      for (const y of reasons) seen.add(y);
    }
    level = next;
  }
  return Infinity;
}

function checkChain(lanes: LaneValues, chain: readonly ReasonStep[], node: number, kinds: Set<CauseKind>): void {
  const { uniformity: u, fn } = lanes;
  assert.equal(nodeOf(chain[0]!), node);
  const length = distance(lanes, node);
  if (length < Infinity) assert.equal(chain.length, length);
  chain.forEach((step, k) => {
    kinds.add(step.kind);
    assert.ok(step.vreg < 0 !== step.block < 0);
    const reasons = reasonsOf(lanes, nodeOf(step));
    if (k + 1 < chain.length) assert.ok(reasons.includes(nodeOf(chain[k + 1]!)));
    else assert.equal(reasons.length === 0, length < Infinity);
    if (step.vreg >= 0) assert.ok(virtuals(fn, step.instr, true).includes(step.vreg));
    else assert.equal(fn.instrBlock[step.instr], step.block);
    switch (step.kind) {
      case CauseKind.Operand:
        assert.ok(virtuals(fn, step.instr, false).includes(step.data) && u.isDivergent[step.data] === 1);
        assert.equal(step.cycle, -1);
        return;
      case CauseKind.Temporal:
        assert.ok(virtuals(fn, step.instr, false).includes(step.data));
        assert.equal(step.cycle, leftCycle(lanes, u.lastDefOf(step.data), fn.instrBlock[step.instr]!));
        return;
      case CauseKind.AssumedCycle:
      case CauseKind.ExitPhi:
        assert.equal(step.cycle, step.data);
        return;
      case CauseKind.Join:
        assert.equal(u.hasDivergentTerminator[step.data], 1);
        assert.equal(step.cycle, -1);
        return;
      default:
        assert.deepEqual([step.data, step.cycle], [-1, -1]);
    }
  });
}

describe('what registers are to lanes', () => {
  it('is told at each definition and each use', () => {
    const values = new Map<LaneValue, number>();
    let nTemporal = 0;
    for (const fn of functions) {
      const lanes = new LaneValues(fn);
      const { uniformity: u } = lanes;
      const isMask = findLaneMasks(u);
      const temporal: [number, number][] = [];
      for (let v = 0; v < fn.vregs.n; v++) {
        const defs = placed(fn).filter((i) => virtuals(fn, i, true).includes(v));
        const isScalar = u.judge.bankOf(~v) === ValueBank.Scalar;
        const value =
          isMask[v] === 1
            ? LaneValue.LaneMask
            : u.isDivergent[v] === 1
              ? LaneValue.Divergent
              : isScalar || defs.length === 1
                ? LaneValue.Uniform
                : LaneValue.Unknown;
        assert.equal(lanes.atDef(v), value);
        values.set(value, (values.get(value) ?? 0) + 1);
        const mayBeLeft = defs.length === 1 && u.isDivergent[v] === 0;
        for (let b = 0; b < fn.blocks.length; b++) {
          const cycle = mayBeLeft ? leftCycle(lanes, defs[0]!, b) : -1;
          assert.equal(lanes.temporalCycle(v, b), cycle);
          const isTemporal = value === LaneValue.Uniform && cycle >= 0;
          assert.equal(lanes.atUse(v, b), isTemporal ? LaneValue.Temporal : value);
        }
        for (const user of [...placed(fn)].sort((x, y) => x - y))
          if (virtuals(fn, user, false).includes(v))
            if (lanes.atUse(v, fn.instrBlock[user]!) === LaneValue.Temporal) temporal.push([v, user]);
      }
      assert.deepEqual(lanes.temporalUses(), temporal);
      nTemporal += temporal.length;
    }
    assert.ok(nTemporal > 20);
    for (const value of [LaneValue.Uniform, LaneValue.Divergent, LaneValue.LaneMask])
      assert.ok(values.get(value)! > 50);
  });

  it('has a shortest chain of reasons back to a source, for registers and branches', () => {
    const kinds = new Set<CauseKind>();
    for (const fn of functions) {
      const lanes = new LaneValues(fn);
      const { uniformity: u } = lanes;
      const check = (of: (limit: number) => ReasonStep[], node: number, isDivergent: boolean): void => {
        const chain = of(99);
        if (!isDivergent) {
          assert.deepEqual(chain, []);
          return;
        }
        checkChain(lanes, chain, node, kinds);
        for (let n = 0; n <= chain.length; n++) assert.deepEqual(of(n), chain.slice(0, n));
      };
      for (let v = 0; v < fn.vregs.n; v++) check((n) => lanes.whyDivergent(v, n), ~v, u.isDivergent[v] === 1);
      for (let b = 0; b < fn.blocks.length; b++)
        check((n) => lanes.whyDivergentBranch(b, n), b, u.hasDivergentTerminator[b] === 1);
    }
    assert.deepEqual([...kinds].sort(), [1, 2, 3, 4, 5, 6]);
  });

  it('changes after a loop that lanes leave at different times', () => {
    const lanes = new LaneValues(counter());
    assert.deepEqual(
      [1, 2, 3].map((v) => lanes.atDef(v)),
      [LaneValue.Uniform, LaneValue.Uniform, LaneValue.Uniform],
    );
    assert.deepEqual(
      [0, 5].map((v) => lanes.atDef(v)),
      [LaneValue.Divergent, LaneValue.Divergent],
    );
    assert.deepEqual(
      [0, 1, 2].map((b) => lanes.atUse(2, b)),
      [LaneValue.Temporal, LaneValue.Uniform, LaneValue.Temporal],
    );
    const kinds = (chain: readonly ReasonStep[]): CauseKind[] => chain.map((step) => step.kind);
    assert.deepEqual(kinds(lanes.whyDivergent(5, 9)), [
      CauseKind.ExitPhi,
      CauseKind.Operand,
      CauseKind.Operand,
      CauseKind.Source,
    ]);
    assert.deepEqual(kinds(lanes.whyDivergentBranch(1, 2)), [CauseKind.Operand, CauseKind.Operand]);
  });

  it('stays for a version that differs only in places of the text', () => {
    const lanes = new LaneValues(functions[1]!);
    const same = new LaneValues(functions[1]!, lanes);
    assert.equal(same.uniformity, lanes.uniformity);
    for (let v = 0; v < same.fn.vregs.n; v++) assert.equal(same.atDef(v), lanes.atDef(v));
  });
});

describe('where the bits of a lane mask come from', () => {
  it('is the nearest instruction that reads a divergent register', () => {
    let nFound = 0;
    for (const fn of functions) {
      const lanes = new LaneValues(fn);
      const { uniformity: u } = lanes;
      const isMaskAt = (v: number, i: number): boolean => lanes.atUse(v, fn.instrBlock[i]!) === LaneValue.LaneMask;
      for (let v = 0; v < fn.vregs.n; v++) {
        // Sets of instructions, each one step further from the mask.
        let level = [u.lastDefOf(v)].filter((i) => i >= 0);
        const seen = new Set(level);
        let steps = 0;
        const hit = (i: number): number[] =>
          virtuals(fn, i, false).filter((r) => !isMaskAt(r, i) && u.isDivergent[r] === 1);
        for (; level.length > 0 && !level.some((i) => hit(i).length > 0); steps++) {
          const next = level
            .flatMap((i) => virtuals(fn, i, false).filter((r) => isMaskAt(r, i)))
            .map((r) => u.lastDefOf(r))
            .filter((i) => i >= 0 && !seen.has(i));
          level = [...new Set(next)];
          for (const i of level) seen.add(i);
        }
        const origin = maskOrigin(lanes, v);
        if (level.length === 0) {
          assert.equal(origin, null);
          continue;
        }
        nFound++;
        assert.ok(origin !== null && origin.instrs.length === steps + 1);
        assert.equal(origin.instrs[0], u.lastDefOf(v));
        const last = origin.instrs.at(-1)!;
        assert.ok(level.includes(last) && hit(last).includes(origin.divergent));
        for (let k = 1; k < origin.instrs.length; k++) {
          const read = virtuals(fn, origin.instrs[k - 1]!, false).filter((r) => isMaskAt(r, origin.instrs[k - 1]!));
          assert.ok(read.some((r) => u.lastDefOf(r) === origin.instrs[k]));
        }
      }
      for (const i of placed(fn)) {
        const masks = virtuals(fn, i, false).filter((r) => lanes.atDef(r) === LaneValue.LaneMask);
        assert.equal(maskReadBy(lanes, i), masks[0] ?? -1);
      }
    }
    assert.ok(nFound > 100);
  });
});
