/** When rewrites are offered: what each has to keep, how large a function may be, and where the cursor stands. */
import assert from 'node:assert/strict';
import { CodeActionTriggerKind, type CodeAction } from 'vscode-languageserver-types';
import { applyRegionSchedule } from '../../../../server/src/features/assists/applyRegionSchedule.js';
import {
  keeps,
  keepsNames,
  refactorings,
  rewritesOfNames,
} from '../../../../server/src/features/assists/refactorings.js';
import type { Refactoring } from '../../../../server/src/features/refactor/refactoring.js';
import type { Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText, URI } from '../../../support/cursor.js';
import { applied } from '../../../support/editing.js';
import { ONE_REGION } from '../../../support/exampleTexts.js';
import { pressedFunction, sizeOfPressed } from '../../../support/pressedFunction.js';

const { Automatic, Invoked } = CodeActionTriggerKind;
const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n';
const ONE = '---\nname: f\nbody: |\n  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    S_ENDPGM 0, implicit %0\n...\n';
const TWO = ONE.replace('name: f', 'name: g');
const WRONG = ONE.replace('name: f', 'name: w').replace('IMPLICIT_DEF', 'S_MOV_B32 1');
const LINES = RUN + ONE + TWO;
const BAD_IR = '--- |\n  define void @\n...\n';

const open = (text: string): Snapshot => openText(text).snapshot;
const to =
  (from: string, becomes: string) =>
  (text: string): string =>
    text.replace(from, () => becomes);

describe('what a rewrite keeps', () => {
  type Keeps = typeof keeps;
  const of =
    (check: Keeps) =>
    (promise: Refactoring['keeps'], text: string, change: (text: string) => string, k = 0): boolean => {
      const snapshot = open(text);
      const edits = [{ start: 0, end: text.length, text: change(text) }];
      return check(snapshot, snapshot.functions[k]!, { title: '', edits, keeps: promise });
    };
  const kept = of(keeps);
  const named = of(keepsNames);
  const COPY = ONE.replace('name: f', 'name: h');

  it('nothing becomes wrong', () => {
    for (const promise of ['errors', 'output'] as const) {
      assert.equal(kept(promise, LINES, to('S_ENDPGM 0', 'S_ENDPGM   0')), true);
      assert.equal(kept(promise, LINES, to('IMPLICIT_DEF', 'S_MOV_B32 1')), false);
      assert.equal(
        kept(promise, LINES, (t) => BAD_IR + t),
        false,
      );
      assert.equal(kept(promise, RUN + WRONG, to('S_ENDPGM 0', 'S_ENDPGM   0')), true);
      assert.equal(kept(promise, LINES, to(ONE + TWO, '')), false);
      assert.equal(kept(promise, LINES, to(TWO, ''), 1), false);
    }
    assert.equal(kept('errors', RUN + WRONG, to('S_MOV_B32 1', 'IMPLICIT_DEF')), true);
    assert.equal(kept('errors', LINES, to('IMPLICIT_DEF', 'V_MOV_B32_e32 1, implicit $exec')), true);
    assert.equal(kept('output', LINES, to('IMPLICIT_DEF', 'V_MOV_B32_e32 1, implicit $exec')), false);
  });

  it('a function more, after its own, as good as that', () => {
    assert.equal(kept('more', LINES, to(ONE, ONE + COPY)), true);
    assert.equal(
      kept('more', LINES, (t) => t + COPY),
      true,
    );
    assert.equal(
      kept('more', LINES, (t) => t + COPY, 1),
      true,
    );
    assert.equal(
      kept('more', LINES, (t) => t),
      false,
    );
    assert.equal(kept('more', LINES, to(TWO, '')), false);
    assert.equal(
      kept('more', LINES, (t) => t + COPY + COPY.replace('h', 'i')),
      false,
    );
    assert.equal(kept('more', LINES, to(ONE, ONE + WRONG)), false);
    assert.equal(kept('more', RUN + WRONG, to(WRONG, WRONG + WRONG.replace('name: w', 'name: v'))), true);
    assert.equal(kept('more', RUN + ONE, to(ONE, COPY + ONE), 0), true);
  });

  it('names: each place has the name of those that it had it with', () => {
    for (const promise of ['errors', 'output'] as const) {
      assert.equal(
        named(promise, LINES, (t) => t),
        true,
      );
      assert.equal(
        named(promise, LINES, (t) => t.replaceAll('%0', '%7')),
        true,
      );
      assert.equal(named(promise, LINES, to('implicit %0', 'implicit %1')), false);
      assert.equal(named(promise, LINES, to('implicit %0', 'implicit $vgpr0')), false);
      assert.equal(named(promise, LINES, to(', implicit %0', '')), false);
      assert.equal(
        named(promise, LINES, (t) => t + COPY),
        false,
      );
      assert.equal(named(promise, LINES, to(ONE + TWO, '')), false);
    }
    assert.equal(
      named('more', LINES, (t) => t + COPY),
      true,
    );
    assert.equal(
      named('more', LINES, (t) => t),
      false,
    );
    assert.equal(named('more', LINES, to('implicit %0', 'implicit %1')), false);
  });
});

const titles = (actions: readonly CodeAction[]): string[] => actions.map((a) => a.title);
const at = (
  line: number,
  character = 6,
): { start: { line: number; character: number }; end: { line: number; character: number } } => ({
  start: { line, character },
  end: { line, character },
});

describe('rewrites unasked', () => {
  it('of functions that are not large', () => {
    const pad = 400 - sizeOfPressed(2);
    const found = (more: number, trigger: CodeActionTriggerKind | undefined): number =>
      refactorings(open(pressedFunction(2, 0, pad + more)), at(2), trigger, NEVER_CANCELLED).length;
    assert.ok(found(0, Automatic) > 0);
    assert.equal(found(1, Automatic), 0);
    assert.ok(found(1, Invoked) > 0);
    assert.ok(found(1, undefined) > 0);
  });

  it('none outside of functions, of other targets, or once cancelled', () => {
    const cancelled = { isCancelled: () => true };
    assert.deepEqual(refactorings(open('# nothing\n'), at(0), Invoked, NEVER_CANCELLED), []);
    assert.deepEqual(refactorings(open(LINES), at(2), Invoked, cancelled), []);
    const foreign =
      '# RUN: llc -mtriple=x86_64-- %s\n---\nname: f\nbody: |\n  bb.0:\n    %5:gr32 = COPY $eax\n    RET64 %5\n...\n';
    assert.deepEqual(refactorings(open(foreign), at(2), Invoked, NEVER_CANCELLED), []);
    assert.deepEqual(titles(rewritesOfNames(open(foreign), at(2), NEVER_CANCELLED)), [
      'Renumber registers',
      'Duplicate function as f_2',
    ]);
    assert.deepEqual(titles(rewritesOfNames(open(foreign), at(5, 5), NEVER_CANCELLED)), ['Renumber registers']);
    assert.deepEqual(titles(rewritesOfNames(open(foreign), at(5, 20), NEVER_CANCELLED)), []);
    assert.deepEqual(rewritesOfNames(open(foreign), at(2), cancelled), []);
    assert.deepEqual(rewritesOfNames(open('# RUN: llc -mtriple=x86_64-- %s\n'), at(0), NEVER_CANCELLED), []);
  });
});

describe('the schedule of a region as a rewrite', () => {
  const scheduled = (
    text: string,
    line: number,
    trigger?: CodeActionTriggerKind,
    pins: { before: number; after: number }[] = [],
  ) => applyRegionSchedule(open(text), at(line), trigger, pins);
  const region = (what: string): string =>
    `Apply schedule of region 0${what}: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model)`;

  it('of the region at the cursor', () => {
    const [action, ...more] = scheduled(ONE_REGION, 12);
    assert.deepEqual(more, []);
    assert.deepEqual([action!.title, action!.kind], [region(''), 'refactor.rewrite']);
    const after = applied(open(ONE_REGION), action!.edit!.changes![URI]!);
    assert.deepEqual(scheduled(after, 12), [], 'once is enough');
    assert.notEqual(after, ONE_REGION);
    for (const line of [0, 2, 18]) assert.deepEqual(scheduled(ONE_REGION, line), [], `${line}`);
    assert.deepEqual(scheduled('# nothing\n', 0), []);
    const broken = ONE_REGION.split('\n').findIndex((l) => l === 'name: broken');
    assert.deepEqual(scheduled(ONE_REGION, broken + 3), []);
    const phis = ONE_REGION.replace('%2:vgpr_32 = GLOBAL', '%9:vgpr_32 = PHI %1, %bb.0\n    %2:vgpr_32 = GLOBAL');
    assert.deepEqual(scheduled(phis, 14), []);
  });

  it('says so when pins have had a say', () => {
    const titled = (...pins: { before: number; after: number }[]): string[] =>
      titles(scheduled(ONE_REGION, 12, Invoked, pins)).map((t) => t.split(':')[0]!);
    assert.deepEqual(titled({ before: 15, after: 12 }), ['Apply schedule of region 0, as pinned']);
    assert.deepEqual(titled({ before: 15, after: 18 }), ['Apply schedule of region 0']);
    assert.deepEqual(titled({ before: 18, after: 12 }), ['Apply schedule of region 0']);
    assert.deepEqual(titled({ before: 12, after: 12 }), ['Apply schedule of region 0']);
    assert.deepEqual(titled({ before: 12, after: 999 }, { before: 999, after: 12 }), ['Apply schedule of region 0']);
  });

  it('with the regions that rematerialization ties to it', () => {
    const text = pressedFunction(25, 1);
    const wanted = (own: number, other: number): RegExp =>
      new RegExp(
        `^Apply schedule of region ${own} and of ${other}, which rematerialization ties to it: max pressure VGPR 25 -> 24, .*occupancy 9 -> 10`,
      );
    const here = titles(scheduled(text, 8));
    const there = titles(scheduled(text, 40));
    assert.equal(here.length, 1);
    assert.equal(there.length, 1);
    const own = Number(/region (\d)/.exec(here[0]!)![1]);
    assert.match(here[0]!, wanted(own, 1 - own));
    assert.match(there[0]!, wanted(1 - own, own));
  });

  it('unasked of functions that are not large', () => {
    const pad = 400 - sizeOfPressed(25);
    const n = (more: number, trigger: CodeActionTriggerKind | undefined): number =>
      scheduled(pressedFunction(25, 1, pad + more), 8, trigger).length;
    assert.deepEqual([n(0, Automatic), n(1, Automatic), n(1, Invoked), n(1, undefined)], [1, 0, 1, 1]);
  });
});
