/** When light bulbs of rematerialization are offered, in which order, and to which texts they still fit. */
import assert from 'node:assert/strict';
import { CodeActionTriggerKind, type CodeAction, type Diagnostic } from 'vscode-languageserver-types';
import {
  rematActions,
  resolveRematAction,
  type RematActionData,
} from '../../../../server/src/features/remat/rematActions.js';
import { NEVER_CANCELLED, type CancellationToken } from '../../../../server/src/util/cancellation.js';
import { atCursor, type AtCursor, openText, URI } from '../../../support/cursor.js';
import { applied } from '../../../support/editing.js';
import { pressedFunction, sizeOfPressed } from '../../../support/pressedFunction.js';

const { Automatic, Invoked } = CodeActionTriggerKind;

interface Ask {
  readonly trigger?: CodeActionTriggerKind;
  readonly diagnostics?: readonly Diagnostic[];
  readonly token?: CancellationToken;
  readonly character?: number;
}

/** What is offered on a line, counted from 0. */
function on({ snapshot }: Pick<AtCursor, 'snapshot'>, line: number, ask: Ask = {}): CodeAction[] {
  const start = { line, character: ask.character ?? 6 };
  const context = {
    diagnostics: [...(ask.diagnostics ?? [])],
    ...(ask.trigger === undefined ? {} : { triggerKind: ask.trigger }),
  };
  return rematActions(snapshot, snapshot.functions[0]!, { start, end: start }, context, ask.token ?? NEVER_CANCELLED);
}

const titles = (actions: readonly CodeAction[]): string[] => actions.map((a) => a.title);

const alone = (name: string, what = 'stays 9'): string =>
  `Rematerialize ${name} at bb.1 (VGPR -1 in 2 regions, occupancy ${what})`;
const STAGE =
  'Rematerialize all that the scheduler of LLVM 22.1.8 would: %24, %25 (VGPR -2 in 2 regions, occupancy 9 to 10)';
const WAVE = 'Reach occupancy 10: rematerialize the smallest set, %24, %25 (VGPR -2 in 2 regions, occupancy 9 to 10)';

/** Lines of the function with 26 values, two of which can be computed again, counted from 0. */
const LINE = { name: 2, blank: 35, barred: 8, def24: 32, def25: 33, branch: 34, use0: 37, use24: 61, use25: 62 };
const open = (pad = 0): AtCursor => atCursor(`$0${pressedFunction(26, 2, pad)}`);

describe('light bulbs of rematerialization', () => {
  it('on the definition and on users, and of sets on the name; no edit twice', () => {
    const at = open();
    assert.deepEqual(titles(on(at, LINE.def24)), [alone('%24'), STAGE]);
    assert.deepEqual(titles(on(at, LINE.def25)), [alone('%25'), STAGE]);
    assert.deepEqual(titles(on(at, LINE.use24)), [alone('%24'), STAGE]);
    assert.deepEqual(titles(on(at, LINE.use25)), [alone('%25'), STAGE]);
    for (const line of [LINE.barred, LINE.branch, LINE.blank, LINE.use0, 0, 3]) assert.deepEqual(on(at, line), []);
    const name = 'name: '.length;
    for (const character of [name, name + 1]) assert.deepEqual(titles(on(at, LINE.name, { character })), [STAGE]);
    for (const character of [0, name - 1]) assert.deepEqual(on(at, LINE.name, { character }), []);
    for (const action of on(at, LINE.def24)) assert.equal(action.kind, 'quickfix');
    const one = openText(pressedFunction(25, 1));
    assert.deepEqual(titles(on(one, 32)), [alone('%24', '9 to 10')]);
    assert.deepEqual(titles(on(one, LINE.name)), [
      'Rematerialize all that the scheduler of LLVM 22.1.8 would: %24 (VGPR -1 in 2 regions, occupancy 9 to 10)',
    ]);
  });

  it('wherever the cursor stands in the line', () => {
    const text = pressedFunction(25, 1).replace('%24\n', '%24 ; read\n    ; beside\n');
    const { length } = '    S_NOP 0, implicit %24 ; read';
    const at = openText(text);
    for (const character of [0, 1, 4, 10, length - 1, length])
      assert.deepEqual(titles(on(at, 60, { character })), [alone('%24', '9 to 10')], `${character}`);
    assert.deepEqual(on(at, 61), []);
    assert.deepEqual(on(at, 59), []);
  });

  it('six registers of a line at most', () => {
    const all = [...Array(8).keys()].map((k) => `implicit %${k + 18}`);
    const text = pressedFunction(26, 8).replace('S_ENDPGM 0', `S_NOP 1, ${all.join(', ')}\n    S_ENDPGM 0`);
    const at = openText(text);
    const found = titles(on(at, 63));
    assert.deepEqual(
      found.filter((t) => t.startsWith('Rematerialize %')).map((t) => t.split(' ')[1]),
      ['%18', '%19', '%20', '%21', '%22', '%23'],
    );
    let left = 3;
    const token = { isCancelled: () => left-- <= 0 };
    assert.deepEqual(
      titles(on(at, 63, { token })).map((t) => t.split(' ')[1]),
      ['%18', '%19', '%20'],
    );
  });

  it('a line that reads a register twice offers it once', () => {
    const text = pressedFunction(25, 1).replace('implicit %24\n', 'implicit %24, implicit %24\n');
    assert.deepEqual(titles(on(openText(text), 60)), [alone('%24', '9 to 10')]);
  });

  it('not on users beside the definition, which cannot have a copy', () => {
    const text = pressedFunction(25, 1).replace('S_BRANCH', 'S_NOP 3, implicit %24\n    S_BRANCH');
    const at = openText(text);
    const title = 'Rematerialize %24 at bb.1 (VGPR -1 in 1 region, occupancy stays 9)';
    assert.deepEqual(titles(on(at, 32)), [title]);
    assert.deepEqual(on(at, 33), []);
    assert.deepEqual(titles(on(at, 61)), [title]);
  });

  it('unasked nothing is scheduled that is larger than a few hundred instructions', () => {
    const pad = 300 - sizeOfPressed(26);
    for (const trigger of [Automatic, Invoked])
      assert.deepEqual(titles(on(open(pad), LINE.def24, { trigger })), [alone('%24'), STAGE]);
    const larger = open(pad + 1);
    assert.deepEqual(titles(on(larger, LINE.def24, { trigger: Automatic })), [alone('%24'), WAVE]);
    assert.deepEqual(titles(on(larger, LINE.name, { trigger: Automatic })), [WAVE]);
    for (const trigger of [Invoked, undefined] as const)
      assert.deepEqual(titles(on(larger, LINE.def24, trigger ? { trigger } : {})), [alone('%24'), STAGE]);
  });

  it('unasked a large function is looked at only from what can be computed again', () => {
    const pad = 2000 - sizeOfPressed(26);
    const trigger = Automatic;
    const large = open(pad);
    assert.deepEqual(titles(on(large, LINE.use24 + pad, { trigger })), [alone('%24'), WAVE]);
    assert.deepEqual(titles(on(large, LINE.name, { trigger })), [WAVE]);
    const larger = open(pad + 1);
    assert.deepEqual(on(larger, LINE.use24 + pad + 1, { trigger }), []);
    assert.deepEqual(on(larger, LINE.name, { trigger }), []);
    assert.deepEqual(titles(on(larger, LINE.def24, { trigger })), [alone('%24'), WAVE]);
    assert.deepEqual(titles(on(larger, LINE.use24 + pad + 1, { trigger: Invoked })), [alone('%24'), WAVE]);
  });

  it('the hint of a register belongs to its own action, on its definition', () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const hint: Diagnostic = { range, message: 'can be', code: 'rematerialize' };
    const other: Diagnostic = { range, message: 'is not', code: 'other' };
    const at = open();
    const of = (line: number, diagnostics: readonly Diagnostic[]): unknown[] =>
      on(at, line, { diagnostics }).map((a) => a.diagnostics ?? null);
    assert.deepEqual(of(LINE.def24, [hint, other]), [[hint], null]);
    assert.deepEqual(of(LINE.def24, [other]), [null, null]);
    assert.deepEqual(of(LINE.def24, []), [null, null]);
    assert.deepEqual(of(LINE.use24, [hint]), [null, null]);
  });

  it('nothing without a function that is understood', () => {
    const at = atCursor(
      '$0# RUN: llc -mtriple=amdgcn -mcpu=gfx908 %s\n---\nname: f\nbody: |\n  bb.0:\n    S_NOTHING\n...\n',
    );
    for (let line = 0; line < 7; line++) assert.deepEqual(on(at, line), []);
    const none = atCursor('$0# RUN: llc -mtriple=amdgcn -mcpu=gfx908 %s\n---\nname: f\n...\n');
    for (let line = 0; line < 4; line++) assert.deepEqual(on(none, line), []);
  });
});

describe('what light bulbs of rematerialization make', () => {
  const text = pressedFunction(26, 2);
  const moved = (of: string, k: number): string => {
    const line = `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec\n`;
    const use = `    S_NOP 0, implicit %${k}\n`;
    return of.replace(line, '').replace(use, `${line}${use}`);
  };

  it('the text of the title', () => {
    const at = open();
    const after = on(at, LINE.def24).map((action) => {
      const resolved = resolveRematAction(at.snapshot, action) as CodeAction;
      assert.deepEqual(Object.keys(resolved), ['title', 'kind', 'edit']);
      assert.deepEqual([resolved.title, resolved.kind], [action.title, 'quickfix']);
      assert.deepEqual(Object.keys(resolved.edit!.changes!), [URI]);
      return applied(at.snapshot, resolved.edit!.changes![URI]!);
    });
    assert.deepEqual(after, [moved(text, 24), moved(moved(text, 24), 25)]);
  });

  it('with the kind and the diagnostics that it was given, or without', () => {
    const at = open();
    const [{ title, data }] = on(at, LINE.def24) as [CodeAction];
    assert.deepEqual(Object.keys(resolveRematAction(at.snapshot, { title, data })), ['title', 'edit']);
    const resolved = resolveRematAction(at.snapshot, { title, data, diagnostics: [] }) as CodeAction;
    assert.deepEqual(resolved.diagnostics, []);
  });

  it('nothing of a text that has changed', () => {
    const [action] = on(open(), LINE.def24) as [CodeAction];
    const { rematerialize, textDocument } = action.data as RematActionData;
    assert.deepEqual(textDocument, { uri: URI });
    assert.deepEqual(rematerialize, {
      function: 'f',
      choices: [{ register: '%24', vreg: 24, groups: [0] }],
      effect: 'VGPR -1 in 2 regions, occupancy stays 9',
    });
    const refused = { refused: 'the function has changed: ask for the quick fix again' };
    const of = (now: string, choice: object = {}, effect = rematerialize.effect): unknown =>
      resolveRematAction(openText(now).snapshot, {
        ...action,
        data: {
          textDocument,
          rematerialize: { ...rematerialize, effect, choices: [{ ...rematerialize.choices[0]!, ...choice }] },
        },
      });
    assert.ok('edit' in (of(text) as object));
    assert.ok('edit' in (of(`${text}---\nname: g\n...\n`) as object));
    for (const now of [
      text.replace('name: f', 'name: g'),
      text.replaceAll('%24', '%x'),
      text.replace('S_ENDPGM', 'S_NOTHING'),
      text.slice(0, text.indexOf('body:')),
      pressedFunction(24, 2),
      pressedFunction(25, 0),
    ])
      assert.deepEqual(of(now), refused);
    for (const choice of [
      { vreg: 26 },
      { vreg: 25 },
      { vreg: 99 },
      { vreg: 0 },
      { vreg: 0, register: '%0' },
      { register: '%25' },
      { groups: [1] },
      { groups: [0, 1] },
    ])
      assert.deepEqual(of(text, choice), refused, JSON.stringify(choice));
    assert.deepEqual(of(text, {}, 'VGPR -2 in 2 regions, occupancy stays 9'), refused);
  });
});
