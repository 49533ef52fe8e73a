/** The schedule as a conversation: the pick of a line, on either side of the diff, and what pins make of it. */
import assert from 'node:assert/strict';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { provideScheduledText } from '../../../server/src/features/schedule/schedule.js';
import { provideSchedulePick, type SchedulePick } from '../../../server/src/features/schedule/schedulePick.js';
import type { LinePin } from '../../../server/src/features/schedule/pins.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { openText, URI } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=machine-scheduler -o - %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64_align2 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = COPY $vgpr2
    %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec
    %4:vgpr_32 = V_XOR_B32_e32 7, %1, implicit $exec
    %5:vgpr_32 = V_NOT_B32_e32 %4, implicit $exec
    %6:vgpr_32 = V_MUL_LO_U32_e64 %5, %4, implicit $exec
    S_ENDPGM 0, implicit %3, implicit %6
...
`;
const { snapshot } = openText(TEST);
const lineOf = (word: string, text = TEST): number => text.split('\n').findIndex((l) => l.includes(word));

function pickAt(line: number, isScheduled = false, pins: LinePin[] = []): SchedulePick {
  const answer = provideSchedulePick(
    snapshot,
    { position: { line, character: 6 }, isScheduled, pins },
    NEVER_CANCELLED,
  );
  assert.ok(answer && 'text' in answer);
  return answer;
}

function scheduled(pins: LinePin[] = []): string {
  const params = { textDocument: { uri: URI }, position: { line: 2, character: 0 }, pins };
  const answer = provideScheduledText(snapshot, params, NEVER_CANCELLED);
  assert.ok(answer && 'text' in answer && answer.text !== null);
  return answer.text;
}

describe('the pick of a line', () => {
  it('says place, stages, reason and rivals', () => {
    const { text, line, others } = pickAt(lineOf('%3:vgpr_32'));
    assert.match(
      text,
      /^@f {2}gfx90a wave64, LLVM 22\.1\.8\n\n%3:vgpr_32 = V_ADD_U32_e32 .* \(line 12\)\nregion 0 \(bb\.0, from line 9\): place \d of 7/,
    );
    assert.match(text, /\nOccInitialSchedule.*:\n {4}\d {2}(?:top|bottom) +cycle \d+ {2}\w+ {2}VGPR /);
    assert.match(text, /\nregion 0: max pressure VGPR .* length .* cycles/);
    assert.equal(line, 11);
    assert.deepEqual(
      others.map((o) => o.line).sort((a, b) => a - b),
      [8, 9, 10, 12, 13, 14],
    );
    const firstQuiet = others.findIndex((o) => !o.isRival);
    assert.ok(firstQuiet > 0 && others.slice(firstQuiet).every((o) => !o.isRival), 'rivals first');
  });

  it('is that of the line on the other side', () => {
    const text = scheduled();
    for (const word of ['%2:vgpr_32', '%3:vgpr_32', '%5:vgpr_32'])
      assert.equal(pickAt(lineOf(word, text), true).text, pickAt(lineOf(word)).text);
  });

  it('says why there is none', () => {
    assert.equal(pickAt(5).line, -1);
    assert.match(pickAt(lineOf('S_ENDPGM')).text, /in no scheduling region/);
    const { snapshot: broken } = openText(TEST.replace('V_NOT_B32_e32', 'V_NOTHING'));
    const answer = provideSchedulePick(broken, { position: { line: 12, character: 0 } }, NEVER_CANCELLED);
    assert.ok(answer && 'text' in answer && answer.text.startsWith('not scheduled: '));
  });
});

describe('a pinned instruction', () => {
  const order = (text: string): string[] => [...text.matchAll(/^ {4}(%\d):\w+ = /gm)].map((m) => m[1]!);
  const free = order(scheduled());
  // The two that stand the other way round without it, and do not depend on each other.
  const [first, second] = free.indexOf('%3') < free.indexOf('%6') ? ['%6', '%3'] : ['%3', '%6'];
  const pin = { before: lineOf(`${first!}:vgpr_32`), after: lineOf(`${second!}:vgpr_32`) };

  it('stands before the other, and nothing else changes for those without pins', () => {
    const pinned = order(scheduled([pin]));
    assert.ok(pinned.indexOf(first!) < pinned.indexOf(second!), pinned.join(' '));
    assert.deepEqual(order(scheduled()), free);
    const { text } = pickAt(pin.before, false, [pin]);
    assert.match(
      text,
      /\npinned:\n {2}line \d+ before line \d+: so it is\n {2}with: {4}region 0: .*\n {2}without: region 0: /,
    );
  });

  it('cannot be what a dependence forbids, or stand in another region', () => {
    const impossible = { before: lineOf('%3:vgpr_32'), after: lineOf('%2:vgpr_32') };
    assert.deepEqual(order(scheduled([impossible])), free);
    assert.match(pickAt(impossible.before, false, [impossible]).text, /: (?:impossible|no effect)/);
    assert.deepEqual(order(scheduled([{ before: 1, after: 77_777 }])), free);
    assert.deepEqual(order(scheduled([{ before: lineOf('S_ENDPGM'), after: lineOf('%2:vgpr_32') }])), free);
  });

  it('is what the light bulb applies', () => {
    const position = { line: pin.before, character: 6 };
    const range = { start: position, end: position };
    const params = { range, context: { diagnostics: [], only: ['refactor.rewrite'] } };
    const applied = (pins?: LinePin[]): { title: string; text: string } | undefined => {
      const actions = provideCodeActions(snapshot, { ...params, ...(pins ? { pins } : {}) }, NEVER_CANCELLED);
      const action = actions.find((a) => a.title.startsWith('Apply schedule'));
      return action && { title: action.title, text: TextDocument.applyEdits(source, action.edit!.changes![URI]!) };
    };
    const source = TextDocument.create(URI, 'mir', 1, TEST);
    assert.match(applied([pin])!.title, /^Apply schedule of region 0, as pinned: max pressure VGPR /);
    assert.equal(applied([pin])!.text, scheduled([pin]));
    assert.notEqual(applied([pin])!.text, scheduled());
    assert.equal(applied()!.text, scheduled());
    assert.doesNotMatch(applied([{ before: 1, after: 77_777 }])!.title, /pinned/);
  });

  it('makes a text that llc-22 accepts; without it the order is that of llc-22', function () {
    needsLlc(this);
    const run = (text: string, pass: string): { status: number | null; stdout: string } =>
      runLlc(['-x', 'mir', '-mtriple=amdgcn', '-mcpu=gfx90a', `-run-pass=${pass}`, '-o', '-'], text);
    assert.equal(run(scheduled([pin]), 'none').status, 0);
    assert.deepEqual(order(run(TEST, 'machine-scheduler').stdout), free);
  });
});
