/** The way back of rematerializations: which titles, and every line of the text after them. */
import assert from 'node:assert/strict';
import type { CodeAction } from 'vscode-languageserver-types';
import {
  rematActions,
  resolveRematAction,
  type RematActionData,
} from '../../../../server/src/features/remat/rematActions.js';
import { planOf, schedulerPlan, wavePlans, type WavePlan } from '../../../../server/src/features/remat/rematPlans.js';
import type { FunctionView } from '../../../../server/src/features/snapshot/snapshot.js';
import type { RematAnalysis } from '../../../../server/src/passes/scheduler/remat/advice/analysis.js';
import type { TracedSchedule } from '../../../../server/src/passes/scheduler/trace/collector.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { applied } from '../../../support/editing.js';
import { openText, URI } from '../../../support/cursor.js';
import { pressedFunction } from '../../../support/pressedFunction.js';

const fn = (body: string): string =>
  `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n${body}...\n`;

const BACK = fn(`  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    S_NOP 0, implicit %0

  bb.1:
    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    ; the copy
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; one
    S_NOP 0, implicit %2, implicit %1
    S_ENDPGM 0
`);

const TWICE = fn(`  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0

  bb.1:
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0, implicit killed %1

  bb.2:
    %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 1, implicit %7, implicit %0
    S_ENDPGM 0, implicit killed %7
`);

/** What is offered on the line with a word: titles with the texts after them. */
function offered(text: string, word: string): (readonly [title: string, after: string])[] {
  const { snapshot } = openText(text);
  const start = snapshot.text.positionAt(text.indexOf(word) + 1);
  const actions = rematActions(
    snapshot,
    snapshot.functions[0]!,
    { start, end: start },
    { diagnostics: [] },
    NEVER_CANCELLED,
  );
  return actions.map((action) => {
    assert.equal(action.kind, 'quickfix');
    const resolved = resolveRematAction(snapshot, action) as CodeAction;
    assert.equal(resolved.title, action.title);
    return [action.title, applied(snapshot, resolved.edit!.changes![URI]!)] as const;
  });
}

describe('the way back', () => {
  it('into the first of several places: one register, no kills', () => {
    const after = TWICE.replace('implicit killed %1', 'implicit %1')
      .replace('    %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec\n', '')
      .replace('S_NOP 1, implicit %7', 'S_NOP 1, implicit %1')
      .replace('implicit killed %7', 'implicit %1');
    const title =
      'Undo rematerialization: hoist %1, %7 into its first place in bb.1 (no region changes its live peak, occupancy stays 10)';
    assert.deepEqual(offered(TWICE, '%1:vgpr_32'), [[title, after]]);
    assert.deepEqual(offered(TWICE, '%7:vgpr_32'), [[title, after]]);
  });

  it('none on what reads a register first, writes one of the machine, or has no operands', () => {
    const text = fn(`  bb.0:
    S_NOP 0

  bb.1:
    S_WAKEUP
    %1:sreg_32 = S_MOV_B32 7
    S_CMP_EQ_U32 %1, 1, implicit-def $scc
    $sgpr5 = S_MOV_B32 7
    S_ENDPGM 0, implicit $scc, implicit $sgpr5
`);
    for (const word of ['S_WAKEUP', 'S_CMP', '$sgpr5']) assert.deepEqual(offered(text, word), [], word);
    assert.deepEqual(offered(text, '%1:'), [
      [
        'Undo rematerialization: hoist %1 back to bb.0 (SGPR +1 in 1 region, occupancy stays 10)',
        text
          .replace('    %1:sreg_32 = S_MOV_B32 7\n', '')
          .replace('S_NOP 0\n', 'S_NOP 0\n    %1:sreg_32 = S_MOV_B32 7\n'),
      ],
    ]);
  });

  it('none that costs a wave, and none of functions that are large', () => {
    // 25 values fill nine waves; back in bb.0 the last of them would live beside all others
    const values = [...Array(24).keys()].map((k) => `%${k + 3}`);
    const text = (n: number, pad: number): string =>
      fn(`  bb.0:
${values
  .slice(0, n)
  .map((v) => `    ${v}:vgpr_32 = IMPLICIT_DEF\n`)
  .join('')}
  bb.1:
${values
  .slice(0, n)
  .map((v) => `    S_NOP 0, implicit ${v}\n`)
  .join('')}${'    S_NOP 7\n'.repeat(pad)}    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0, implicit %1
`);
    const undo = (regions: string): string =>
      `Undo rematerialization: hoist %1 back to bb.0 (VGPR +1 in ${regions}, occupancy stays 10)`;
    const titles = (given: string): string[] => offered(given, '%1:').map(([title]) => title);
    assert.deepEqual(titles(text(24, 0)), []);
    assert.deepEqual(titles(text(23, 0)), [undo('2 regions')]);
    assert.deepEqual(titles(text(23, 2000 - 48)), [undo('2 regions')]);
    assert.deepEqual(titles(text(23, 2001 - 48)), []);
  });

  it('not of a text that has changed', () => {
    const { snapshot } = openText(BACK);
    const start = snapshot.text.positionAt(BACK.indexOf('V_MOV'));
    const [action] = rematActions(
      snapshot,
      snapshot.functions[0]!,
      { start, end: start },
      { diagnostics: [] },
      NEVER_CANCELLED,
    );
    const refused = { refused: 'the function has changed: ask for the quick fix again' };
    const of = (text: string, data: Partial<RematActionData['rematerialize']> = {}): unknown => {
      const own = action!.data as RematActionData;
      const given = { ...action!, data: { ...own, rematerialize: { ...own.rematerialize, ...data } } };
      return resolveRematAction(openText(text).snapshot, given);
    };
    assert.ok('edit' in (of(BACK) as object));
    for (const text of [BACK.replace('name: f', 'name: g'), BACK.replaceAll('%1', '%one'), TWICE])
      assert.deepEqual(of(text), refused);
    assert.deepEqual(of(BACK, { effect: 'VGPR -1 in 1 region, occupancy stays 10' }), refused);
    assert.deepEqual(of(BACK, { hoist: { register: '%1', vreg: 99 } }), refused);
    assert.deepEqual(of(BACK, { hoist: { register: '%2', vreg: 2 } }), refused);
  });
});

const subjectOf = (text: string): FunctionView => openText(text).snapshot.functions[0]!;

describe('sets for more waves', () => {
  const names = (n: number, from: number): string => {
    const all = [...Array(n).keys()].map((k) => `%${k + from}`);
    return n <= 4 ? all.join(', ') : `${all.slice(0, 4).join(', ')} and ${n - 4} more`;
  };
  const titles = (values: number, again = values): (readonly [string, number])[] =>
    wavePlans(subjectOf(pressedFunction(values, again)), NEVER_CANCELLED).map((p) => {
      assert.ok(p.isSmallest);
      return [p.title, p.choices.length];
    });
  const wave = (n: number, from: number, to: number, first = 1): readonly [string, number] => [
    `Reach occupancy ${to}: rematerialize the smallest set, ${names(n, first)} (VGPR -${n} in 2 regions, occupancy ${from} to ${to})`,
    n,
  ];

  // waves of gfx908: 24 VGPRs 10, 28 9, 32 8, 36 7, 40 6, 48 5
  it('the next step, and the last of four', () => {
    assert.deepEqual(titles(24), []);
    assert.deepEqual(titles(26), [wave(2, 9, 10)]);
    assert.deepEqual(titles(28), [wave(4, 9, 10)]);
    assert.deepEqual(titles(30), [wave(2, 8, 9), wave(6, 8, 10)]);
    assert.deepEqual(titles(34), [wave(2, 7, 8), wave(10, 7, 10)]);
    assert.deepEqual(titles(40), [wave(4, 6, 7), wave(16, 6, 10)]);
    assert.deepEqual(titles(44), [wave(4, 5, 6), wave(16, 5, 9)]);
  });

  it('several registers where a smaller set may be', () => {
    const view = subjectOf(pressedFunction(26, 26));
    const choices = [3, 4, 5].map((k) => view.remat!.choiceOf(view.remat!.candidates.candidates[k]!));
    const of = (result: object): WavePlan[] => {
      const remat = Object.create(view.remat, { reach: { value: () => result } }) as RematAnalysis;
      return wavePlans({ fn: view.fn, summary: view.summary, quickSchedule: null, remat }, NEVER_CANCELLED);
    };
    assert.deepEqual(
      of({ kind: 'found', choices, isSmallest: false }).map((p) => [p.title, p.isSmallest]),
      [['Reach occupancy 10: rematerialize 3 registers, %3, %4, %5 (VGPR -3 in 2 regions, occupancy 9 to 10)', false]],
    );
    assert.deepEqual(of({ kind: 'found', choices: choices.slice(0, 1), isSmallest: false }), []);
    for (const kind of ['none', 'gave up', 'impossible']) assert.deepEqual(of({ kind, choices }), []);
  });

  it('none of what is not understood, or once cancelled', () => {
    const view = subjectOf(pressedFunction(26, 26));
    const all = { fn: view.fn, summary: view.summary, remat: view.remat, quickSchedule: null };
    assert.equal(wavePlans(all, NEVER_CANCELLED).length, 1);
    for (const part of ['fn', 'summary', 'remat'] as const)
      assert.deepEqual(wavePlans({ ...all, [part]: null }, NEVER_CANCELLED), [], part);
    assert.deepEqual(wavePlans(all, { isCancelled: () => true }), []);
  });
});

describe('one register, and those of the stage', () => {
  const view = subjectOf(pressedFunction(26, 2));
  const all = { fn: view.fn, summary: view.summary, remat: view.remat, quickSchedule: null };
  const [first, second] = view.remat!.candidates.candidates;

  it('one register at its places, where that gains something', () => {
    const plan = planOf(view, first!)!;
    assert.equal(plan.title, 'Rematerialize %24 at bb.1 (VGPR -1 in 2 regions, occupancy stays 9)');
    assert.deepEqual(plan.choices, [{ candidate: first, groups: first!.groups }]);
    assert.deepEqual(plan.effect, view.remat!.effectOf(first!));
    for (const part of ['fn', 'remat'] as const) assert.equal(planOf({ ...all, [part]: null }, first!), null);
    const needless = subjectOf(
      fn(`  bb.0:
    %2:vgpr_32 = COPY undef $vgpr0
    S_NOP 0, implicit %2
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec

  bb.1:
    S_NOP 0, implicit %1
    S_ENDPGM 0
`),
    );
    const [none] = needless.remat!.candidates.candidates;
    assert.equal(planOf(needless, none!), null);
  });

  /** What the stage says that it did; candidates by their definitions, copies by their users. */
  const staged = (
    report: { readonly result: string; readonly chosen: readonly object[] },
    defs = [first!.def, second!.def],
  ): string | null => {
    const remat = { model: 'llvm-22', candidates: defs.map((def) => ({ def })), ...report };
    const quickSchedule = { trace: { remat } } as unknown as TracedSchedule;
    const plan = schedulerPlan({ ...all, quickSchedule });
    return plan && plan.title;
  };
  const users = [first!, second!].map((c) => c.groups[0]!.users[0]!);
  const [one, other] = [0, 1].map((candidate) => ({ candidate, copies: [{ use: users[candidate] }] }));
  const title = (names: string, text: string): string =>
    `Rematerialize all that the scheduler of LLVM 22.1.8 would: ${names} (VGPR ${text})`;

  it('all of the stage, when it kept them', () => {
    const both = title('%24, %25', '-2 in 2 regions, occupancy 9 to 10');
    for (const result of ['kept', 'kept, orders reverted']) {
      assert.equal(staged({ result, chosen: [one!, other!] }), both);
      assert.equal(staged({ result, chosen: [one!] }), title('%24', '-1 in 2 regions, occupancy stays 9'));
      assert.equal(staged({ result, chosen: [other!] }), title('%25', '-1 in 2 regions, occupancy stays 9'));
      assert.equal(staged({ result, chosen: [] }), null);
    }
    for (const result of ['rolled back', 'nothing to do', 'kept, orders', ''])
      assert.equal(staged({ result, chosen: [one!, other!] }), null);
  });

  it('none where a place is not legal in the order of the text', () => {
    const elsewhere = { candidate: 1, copies: [{ use: 0 }] };
    assert.equal(staged({ result: 'kept', chosen: [one!, elsewhere] }), null);
    assert.equal(staged({ result: 'kept', chosen: [one!, { candidate: 1, copies: [] }] }), null);
    assert.equal(
      staged({ result: 'kept', chosen: [one!, { candidate: 1, copies: [{ use: 0 }, { use: users[1] }] }] }),
      title('%24, %25', '-2 in 2 regions, occupancy 9 to 10'),
    );
    assert.equal(staged({ result: 'kept', chosen: [one!, other!] }, [first!.def, 0]), null);
  });

  it('none without a schedule, or without a stage', () => {
    assert.equal(schedulerPlan(all), null);
    const quickSchedule = { trace: { remat: null } } as unknown as TracedSchedule;
    assert.equal(schedulerPlan({ ...all, quickSchedule }), null);
    const own = view.quickSchedule;
    assert.equal(schedulerPlan({ ...all, quickSchedule: own })?.choices.length, 2);
    for (const part of ['fn', 'remat'] as const)
      assert.equal(schedulerPlan({ ...all, quickSchedule: own, [part]: null }), null);
  });
});
