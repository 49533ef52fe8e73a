/** How two candidates are compared (tryLess, tryGreater and tryPressure of MachineScheduler.cpp, LLVM 22). */
import assert from 'node:assert/strict';
import { NONE } from '../../../../../server/src/passes/scheduler/dag/graph.js';
import {
  AGPR_32_SET,
  CAND_REASON_NAMES,
  CandPolicy,
  CandReason,
  NO_SET,
  SchedCandidate,
  SREG_32_SET,
  tryGreater,
  tryLess,
  tryPressure,
  VGPR_32_SET,
} from '../../../../../server/src/passes/scheduler/strategy/candidate.js';

/** What each rule leaves: whether it decided, and the reasons of the one that is tried and of the best so far. */
type Outcome = readonly [decided: boolean, tried: CandReason, best: CandReason];

function pair(bestReason: CandReason): [SchedCandidate, SchedCandidate] {
  const [tried, best] = [new SchedCandidate(), new SchedCandidate()];
  best.reason = bestReason;
  return [tried, best];
}

const POLICIES = [false, true].flatMap((reduceLatency) =>
  [0, 1, 2].flatMap((reduceResIdx) => [0, 1, 2].map((demandResIdx) => ({ reduceLatency, reduceResIdx, demandResIdx }))),
);
const policyOf = (p: (typeof POLICIES)[number]): CandPolicy => Object.assign(new CandPolicy(), p);

/** One with a value of its own in every field. */
function full(from: number): SchedCandidate {
  const c = new SchedCandidate();
  c.node = from;
  c.reason = CandReason.Weak;
  c.atTop = true;
  c.excessSet = from + 1;
  c.excessUnits = from + 2;
  c.criticalSet = from + 3;
  c.criticalUnits = from + 4;
  c.currentMaxSet = from + 5;
  c.currentMaxUnits = from + 6;
  c.critResources = from + 7;
  c.demandedResources = from + 8;
  c.policy.reduceLatency = true;
  c.policy.reduceResIdx = from + 9;
  c.policy.demandResIdx = from + 10;
  return c;
}

const fieldsOf = ({ policy: _policy, ...fields }: SchedCandidate): object => ({ ...fields });

describe('a scheduling candidate', () => {
  it('begins with nothing', () => {
    const c = new SchedCandidate();
    const nothing = {
      node: NONE,
      reason: CandReason.NoCand,
      atTop: false,
      excessSet: NO_SET,
      excessUnits: 0,
      criticalSet: NO_SET,
      criticalUnits: 0,
      currentMaxSet: NO_SET,
      currentMaxUnits: 0,
      critResources: 0,
      demandedResources: 0,
    };
    assert.deepEqual(fieldsOf(c), nothing);
    assert.deepEqual({ ...c.policy }, { reduceLatency: false, reduceResIdx: 0, demandResIdx: 0 });
    assert.ok(!c.isValid);
    const used = full(20);
    assert.ok(used.isValid);
    used.renew();
    assert.deepEqual(fieldsOf(used), nothing);
    assert.deepEqual({ ...used.policy }, { reduceLatency: true, reduceResIdx: 29, demandResIdx: 30 });
    used.reset(null);
    assert.deepEqual({ ...used.policy }, { reduceLatency: false, reduceResIdx: 0, demandResIdx: 0 });
    const again = full(40);
    again.reset(policyOf({ reduceLatency: false, reduceResIdx: 2, demandResIdx: 1 }));
    assert.deepEqual(fieldsOf(again), nothing);
    assert.deepEqual({ ...again.policy }, { reduceLatency: false, reduceResIdx: 2, demandResIdx: 1 });
    const first = new SchedCandidate();
    first.node = 0;
    assert.ok(first.isValid);
  });

  it('becomes the best but keeps its policy, and is copied with it', () => {
    const [a, b] = [full(20), full(60)];
    b.atTop = false;
    a.setBest(b);
    assert.deepEqual(fieldsOf(a), fieldsOf(b));
    assert.deepEqual({ ...a.policy }, { ...full(20).policy });
    a.assign(b);
    assert.deepEqual({ ...a.policy }, { ...b.policy });
    assert.notEqual(a.policy, b.policy);
  });

  it('has the same policy only where all of it is the same', () => {
    for (const p of POLICIES)
      for (const q of POLICIES) {
        assert.equal(policyOf(p).equals(policyOf(q)), p === q);
        const set = policyOf(p);
        set.set(policyOf(q));
        assert.deepEqual({ ...set }, q);
      }
  });

  it('has reasons in the order of LLVM', () => {
    assert.equal(CAND_REASON_NAMES.length, CandReason.FirstValid + 1);
    for (const [name, reason] of [
      ['NoCand', CandReason.NoCand],
      ['Only1', CandReason.Only1],
      ['RegCritical', CandReason.RegCritical],
      ['RegMax', CandReason.RegMax],
      ['TopPathReduce', CandReason.TopPathReduce],
      ['FirstValid', CandReason.FirstValid],
    ] as const)
      assert.equal(CAND_REASON_NAMES[reason], name);
  });
});

describe('comparing two values', () => {
  it('gives the reason to the one that wins; the other keeps a stronger one', () => {
    for (const before of [CandReason.NoCand, CandReason.PhysReg, CandReason.Stall, CandReason.NodeOrder])
      for (const [tryVal, candVal] of [
        [1, 2],
        [2, 1],
        [2, 2],
        [-1, 0],
        [0, -1],
        [0, 0],
      ] as const) {
        const lost: Outcome = [true, CandReason.NoCand, Math.min(before, CandReason.Stall)];
        const won: Outcome = [true, CandReason.Stall, before];
        const tied: Outcome = [false, CandReason.NoCand, before];
        for (const [rule, smallerWins] of [
          [tryLess, true],
          [tryGreater, false],
        ] as const) {
          const [tried, best] = pair(before);
          const decided = rule(tryVal, candVal, tried, best, CandReason.Stall);
          const expected = tryVal === candVal ? tied : tryVal < candVal === smallerWins ? won : lost;
          assert.deepEqual([decided, tried.reason, best.reason], expected, `${tryVal} ${candVal} ${smallerWins}`);
        }
      }
  });
});

describe('comparing two changes of pressure', () => {
  const SETS = [NO_SET, SREG_32_SET, AGPR_32_SET, VGPR_32_SET];

  /** The winner as LLVM's comments have it: 1 = the one that is tried. */
  function winner(trySet: number, tryUnits: number, candSet: number, candUnits: number, sameSide: boolean): -1 | 0 | 1 {
    // one that decreases pressure wins over one that does not
    if (tryUnits < 0 !== candUnits < 0) return tryUnits < 0 ? 1 : -1;
    if (!sameSide) return 0;
    if (trySet === candSet) return tryUnits === candUnits ? 0 : tryUnits < candUnits ? 1 : -1;
    // no change is best, then the set with the greater number; of decreases the other way round
    const rank = (set: number): number => (set === NO_SET ? Infinity : set);
    const isGreater = rank(trySet) > rank(candSet);
    return isGreater === tryUnits >= 0 ? 1 : -1;
  }

  it('prefers decreases, the smaller change of a set, and the set of less weight', () => {
    for (const trySet of SETS)
      for (const candSet of SETS)
        for (const tryUnits of trySet === NO_SET ? [0] : [-2, -1, 1, 2])
          for (const candUnits of candSet === NO_SET ? [0] : [-2, -1, 1, 2])
            for (const [tryTop, candTop] of [
              [false, false],
              [true, true],
              [false, true],
              [true, false],
            ] as const) {
              const [tried, best] = pair(CandReason.NodeOrder);
              tried.atTop = tryTop;
              best.atTop = candTop;
              const decided = tryPressure(trySet, tryUnits, candSet, candUnits, tried, best, CandReason.RegExcess);
              const expected = winner(trySet, tryUnits, candSet, candUnits, tryTop === candTop);
              assert.deepEqual(
                [decided, tried.reason, best.reason],
                [
                  expected !== 0,
                  expected > 0 ? CandReason.RegExcess : CandReason.NoCand,
                  expected < 0 ? CandReason.RegExcess : CandReason.NodeOrder,
                ],
                [trySet, tryUnits, candSet, candUnits, tryTop, candTop].join(),
              );
            }
  });
});
