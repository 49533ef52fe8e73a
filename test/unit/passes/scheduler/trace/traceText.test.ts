/** A decision trace made by hand as text: each number where it belongs, and nothing where there is nothing to say. */
import assert from 'node:assert/strict';
import {
  pressureChange,
  printPick,
  printScheduleTrace,
  regionLine,
  type InstrLabels,
} from '../../../../../server/src/passes/scheduler/trace/traceText.js';
import type {
  Contest,
  PickTrace,
  PressureTrace,
  RegionRunDetails,
  RegionTrace,
  ScheduleTrace,
  StageTrace,
} from '../../../../../server/src/passes/scheduler/trace/scheduleTrace.js';

const TEXTS = ['%0:vgpr_32 = COPY $vgpr0', '%1.sub0:vreg_64, %2:sreg_64 = V_ADD %0', 'S_NOP 0', '%3:vgpr_32 = COPY %0'];
/** Instruction 3 was made by the scheduler. */
const labels: InstrLabels = { text: (i) => TEXTS[i]!, line: (i) => (i === 3 ? 0 : 10 + i) };

const pressure = (vgpr: number, sgpr: number, agpr = 0, avgpr = 0): PressureTrace =>
  ({ vgpr, sgpr, agpr, avgpr }) as PressureTrace;

const REGION: RegionTrace = {
  region: 4,
  block: 2,
  first: 0,
  last: 2,
  boundary: -1,
  nInstrs: 12,
  pressureBefore: null,
  pressureAfter: null,
  occupancyBefore: 7,
  occupancyAfter: 7,
  lengthBefore: 0,
  lengthAfter: 0,
  criticalPath: 0,
  settledBy: null,
  reverts: [],
  oldOrder: [],
  newOrder: [],
};

const contest = (rule: string, more: Partial<Contest> = {}): Contest => ({
  winner: 0,
  loser: 1,
  rule,
  winnerValue: 0,
  loserValue: 78,
  winnerSet: null,
  loserSet: null,
  ...more,
});

const PICK: PickTrace = {
  instr: 0,
  node: 0,
  side: 'bottom',
  reason: 'Stall',
  cycle: 5,
  readyCycle: 5,
  sgpr: 3,
  vgpr: 6,
  sgprAfter: 3,
  vgprAfter: 7,
  top: null,
  bottom: null,
  between: null,
};
const choice = (runnerUp: Contest | null, pending = 0, best = 2): NonNullable<PickTrace['top']> => ({
  available: 9,
  pending,
  best,
  reason: 'Stall',
  runnerUp,
  cached: false,
});

const DETAILS: RegionRunDetails = {
  targetOccupancy: 8,
  limits: null,
  before: pressure(6, 3),
  after: pressure(7, 3),
  occupancyBefore: 7,
  occupancyAfter: 8,
  minOccupancyAfter: 8,
  highPressureSeen: false,
  highRP: false,
  excessRP: false,
  checked: true,
  reverted: null,
  profit: null,
  criticalPath: 0,
  cyclicCriticalPath: 0,
  acyclicLatencyLimited: false,
  lengthBefore: 30,
  lengthAfter: 20,
  stallsBefore: 9,
  stallsAfter: 9,
  oldOrder: [],
  newOrder: [],
  picks: [],
};

const STAGE: StageTrace = {
  stage: 'OccInitialSchedule',
  ran: true,
  why: null,
  minOccupancyBefore: 7,
  minOccupancyAfter: 8,
  occupancyBefore: 10,
  occupancyAfter: 10,
  runs: [],
};

const TRACE: ScheduleTrace = {
  function: 'f',
  model: 'llvm22' as ScheduleTrace['model'],
  scheduler: 'gcn-max-occupancy',
  chosenBy: 'default',
  notScheduled: null,
  occupancyBefore: 10,
  occupancyAfter: 10,
  regions: [],
  stages: [],
  rematerialized: [],
  rematUndone: false,
  remat: null,
  mfmaRewrite: null,
};
const HEAD = 'occupancy 10 after scheduling; 0 regions, 0 reverts; scheduler gcn-max-occupancy (default)\n';
const print = (trace: Partial<ScheduleTrace>, region: number | null = null): string =>
  printScheduleTrace({ ...TRACE, ...trace }, { region, labels });
const printed = (details: Partial<RegionRunDetails>): string =>
  print({ stages: [{ ...STAGE, runs: [{ region: 1, skipped: null, details: { ...DETAILS, ...details } }] }] })
    .split('\n')
    .slice(3)
    .join('\n');

describe('a decision trace as text', () => {
  it('counts what may be either among the VGPRs, and AGPRs where there are some', () => {
    assert.equal(pressureChange(pressure(6, 3), pressure(6, 3)), 'max pressure VGPR 6, SGPR 3');
    assert.equal(pressureChange(pressure(6, 3, 0, 2), pressure(6, 4, 0, 1)), 'max pressure VGPR 8 -> 7, SGPR 3 -> 4');
    assert.equal(pressureChange(pressure(6, 3, 1), pressure(6, 3)), 'max pressure VGPR 6, SGPR 3, AGPR 1 -> 0');
    assert.equal(pressureChange(pressure(6, 3), pressure(6, 3, 2)), 'max pressure VGPR 6, SGPR 3, AGPR 0 -> 2');
  });

  it('says of a region what became of it', () => {
    assert.equal(regionLine(REGION), 'region 4: occupancy 7, order unchanged, not reverted');
    const reverts = [
      { stage: 'A', rule: 'worse' },
      { stage: 'B', rule: 'longer' },
    ];
    const region = {
      ...REGION,
      pressureBefore: pressure(67, 22),
      pressureAfter: pressure(62, 22),
      occupancyAfter: 8,
      lengthBefore: 212,
      lengthAfter: 205,
      settledBy: 'X',
      reverts,
    };
    assert.equal(
      regionLine(region),
      'region 4: max pressure VGPR 67 -> 62, SGPR 22, occupancy 7 -> 8, length 212 -> 205 cycles (model), settled by X, A reverted: worse; B reverted: longer',
    );
    // Half a pressure is none.
    assert.equal(regionLine({ ...REGION, pressureBefore: pressure(1, 1) }), regionLine(REGION));
    assert.equal(regionLine({ ...REGION, pressureAfter: pressure(1, 1) }), regionLine(REGION));
  });

  it('has the answer first, the regions asked for, and their places', () => {
    assert.equal(print({ notScheduled: 'no reason' }), 'not scheduled: no reason\n');
    assert.equal(print({}), HEAD);
    const one = { ...REGION, region: 1, first: 2, last: 2, nInstrs: 1, reverts: [{ stage: 'A', rule: 'r' }] };
    const made = { ...REGION, region: 2, first: 3, last: 3 };
    const regions = [REGION, one, made];
    const head = 'occupancy 10 -> 9 after scheduling; 3 regions, 1 revert; scheduler gcn-max-occupancy (default)\n';
    const lines = [
      '  region 4: occupancy 7, order unchanged, not reverted\n      bb.2, lines 10-12, 12 instructions\n',
      '  region 1: occupancy 7, order unchanged, A reverted: r\n      bb.2, line 12, 1 instruction\n',
      '  region 2: occupancy 7, order unchanged, not reverted\n      bb.2, 12 instructions\n',
    ];
    assert.equal(print({ regions, occupancyAfter: 9 }), head + lines.join(''));
    assert.equal(print({ regions, occupancyAfter: 9 }, 1), head + lines[1]);
  });

  it('names what was rematerialized and what became of matrix instructions', () => {
    const rematerialized = [{ def: 0, use: 2, clone: 3 }];
    const line = '  %3:vgpr_32 = COPY %0 (line 10) before S_NOP 0 (line 12)\n';
    assert.equal(print({ rematerialized }), `${HEAD}\nrematerialized:\n${line}`);
    assert.equal(
      print({ rematerialized, rematUndone: true }),
      `${HEAD}\nrematerialized, undone again as the target occupancy was missed:\n${line}`,
    );
    const report = { candidates: [1, 2], regions: [{ region: 3, spillsBefore: 5, spillsAfter: 4 }], copies: 1, spillCost: -1.256, copyCost: 2, rewritten: true }; // prettier-ignore
    assert.equal(
      print({ mfmaRewrite: report }),
      `${HEAD}\nmatrix instructions: 2 in VGPR form, rewritten to AGPRs; spills -1.26, 1 copy 2 (weighted by block frequency)\n  region 3: spills 5 -> 4\n`,
    );
    assert.match(print({ mfmaRewrite: { ...report, rewritten: false, copies: 2 } }), /left in VGPRs; .* 2 copies 2 /);
  });

  it('says of a stage whether it ran, and which regions it left alone', () => {
    const skip = (region: number, skipped: string | null) => ({ region, skipped, details: null });
    assert.equal(print({ stages: [{ ...STAGE, ran: false, why: 'no need' }] }), `${HEAD}\nstage OccInitialSchedule: did not run (no need)\n`); // prettier-ignore
    assert.match(print({ stages: [{ ...STAGE, ran: false }] }), /did not run \(no reason noted\)\n$/);
    const runs = [0, 1, 2, 4, 6, 7].map((r) => skip(r, 'low'));
    const stage = { ...STAGE, runs: [...runs, skip(5, 'other'), skip(8, null)] };
    const head = `${HEAD}\nstage OccInitialSchedule: minimum occupancy 7 -> 8, function 10\n`;
    assert.equal(
      print({ stages: [stage] }),
      `${head}  regions 0-2, 4, 6, 7: skipped (low)\n  region 5: skipped (other)\n  region 8: skipped (no reason noted)\n`,
    );
    assert.equal(print({ stages: [stage] }, 5), `${head}  region 5: skipped (other)\n`);
    const both = { ...STAGE, runs: [{ region: 1, skipped: null, details: DETAILS }, skip(2, 'low')] };
    assert.match(print({ stages: [both] }, 2), /function 10\n {2}region 2: skipped \(low\)\n$/);
  });

  it('has the numbers of a run', () => {
    const first = (verdict: string): string =>
      `  region 1: ${verdict}: max pressure VGPR 6 -> 7, SGPR 3, occupancy 7 -> 8, length 30 -> 20 cycles (model)\n`;
    const target = '    target occupancy 8\n';
    assert.equal(printed({}), first('kept') + target);
    assert.equal(printed({ checked: false }), first('kept, below the critical limits') + target);
    assert.equal(printed({ reverted: 'worse' }), first('reverted (worse)') + target);
    const limits = { sgprExcess: 1, vgprExcess: 2, sgprCritical: 3, vgprCritical: 4 };
    const words = (waves: string): string =>
      `    limits for ${waves}: critical VGPR 4, SGPR 3; excess VGPR 2, SGPR 1\n`;
    assert.equal(printed({ limits }), first('kept') + words('8 waves'));
    assert.equal(printed({ limits, targetOccupancy: 1 }), first('kept') + words('1 wave'));
    const rest = (details: Partial<RegionRunDetails>): string =>
      printed(details).slice((first('kept') + target).length);
    assert.equal(rest({ highPressureSeen: true }), '    high pressure seen\n');
    assert.equal(rest({ highRP: true, excessRP: true }), '    marked high, marked excess\n');
    const profit = { oldMetric: 10, newMetric: 9, bias: 20, wavesBefore: 7, wavesAfter: 8, profit: 110 };
    assert.equal(rest({ profit }), '    profit 110 % (kept from 100 on): waves 7 -> 8, metric 10 -> 9 with bias 20\n');
    assert.equal(rest({ criticalPath: 40 }), '    critical path 40 cycles; stalls 9\n');
    assert.equal(
      rest({ criticalPath: 40, cyclicCriticalPath: 12, acyclicLatencyLimited: true, stallsAfter: 2 }),
      '    critical path 40 cycles, cyclic 12, acyclic latency limited; stalls 9 -> 2\n',
    );
    const picks = Array.from({ length: 10 }, () => PICK);
    const lines = rest({ picks }).split('\n');
    assert.equal(lines[0], '    picks, in the order made:');
    assert.match(lines[1]!, /^ {5}1 {2}bottom cycle 5 /);
    assert.match(lines[10]!, /^ {4}10 {2}bottom cycle 5 /);
  });

  it('has a pick with whom it beat on its side and on the other', () => {
    const pick = (more: Partial<PickTrace>): string[] =>
      printPick({ ...PICK, ...more }, 7, 2, labels)
        .trimEnd()
        .split('\n');
    const head = '     7  bottom cycle 5  Stall  VGPR 6 -> 7, SGPR 3  %0:vgpr_32 = COPY $vgpr0 (line 10)';
    assert.deepEqual(pick({}), [head]);
    assert.deepEqual(pick({ side: 'top', instr: 3 }), [
      '     7  top    cycle 5  Stall  VGPR 6 -> 7, SGPR 3  %3:vgpr_32 = COPY %0',
    ]);
    const below = (more: Partial<PickTrace>): string => pick(more).slice(1).join('|');
    assert.equal(below({ readyCycle: 9 }), '        ready at cycle 9');
    assert.equal(below({ readyCycle: 6 }), '        ready at cycle 6');
    assert.equal(below({ readyCycle: 4 }), '');
    const beat = (c: Contest, pending = 0): string =>
      below({ bottom: choice(c, pending), top: choice(contest('Weak')) });
    assert.equal(beat(contest('Stall')), '        beat 11: %1.sub0, %2 by Stall, 0 against 78 [9 available]');
    assert.equal(beat(contest('Stall', { loser: 2 }), 3), '        beat 12: S_NOP by Stall, 0 against 78 [9 available, 3 pending]'); // prettier-ignore
    assert.equal(beat(contest('NodeOrder', { loser: 3 })), '        beat %3 by NodeOrder, 0 against 78 [9 available]');
    assert.match(beat(contest('NoCand')), / by order in the queue, a tie \[/);
    for (const rule of ['RegExcess', 'RegCritical', 'RegMax']) {
      assert.match(beat(contest(rule)), new RegExp(` by ${rule}, no excess against no excess \\[`));
      const sets = { winnerSet: 'VGPR_32', loserSet: 'SGPR_32', winnerValue: -2, loserValue: 0 };
      assert.match(beat(contest(rule, sets)), new RegExp(` by ${rule}, VGPR_32 -2 against SGPR_32 \\+0 \\[`));
    }
    assert.equal(below({ bottom: choice(null) }), '');
    assert.equal(below({ side: 'top', bottom: choice(contest('Stall')) }), '');
    assert.match(below({ side: 'top', top: choice(contest('Weak')) }), /^ +beat 11: .* by Weak, 0 against 78/);
  });

  it('has a pick with what the other side put forward', () => {
    const between = (more: Partial<PickTrace>): string =>
      printPick({ ...PICK, ...more }, 7, 2, labels)
        .trimEnd()
        .split('\n')
        .slice(1)
        .join('|');
    assert.equal(between({ between: contest('Stall'), top: choice(null) }), "        bottom before top's 12: S_NOP: Stall, 0 against 78"); // prettier-ignore
    assert.equal(
      between({ between: contest('Stall') }),
      "        bottom before top's 11: %1.sub0, %2: Stall, 0 against 78",
    );
    assert.match(between({ between: contest('Stall', { winner: 2, loser: 0 }) }), /before top's 12: S_NOP: Stall/);
    assert.match(
      between({ side: 'top', between: contest('Stall'), bottom: choice(null, 0, 1) }),
      /top before bottom's 11: /,
    );
    for (const rule of ['NoCand', 'NodeOrder'])
      assert.match(between({ between: contest(rule) }), /: no rule decides: the bottom goes first$/);
  });
});
