/** The way back of rematerializations: which titles, and every line of the text behind them. */
import assert from 'node:assert/strict';
import type { CodeAction } from 'vscode-languageserver-types';
import {
  rematActions,
  resolveRematAction,
  type RematActionData,
} from '../../../../server/src/features/remat/rematActions.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { applied } from '../../../support/editing.js';
import { atBar, URI } from '../../../support/cursor.js';

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

/** What is offered on the line with a word: titles with the texts behind them. */
function offered(text: string, word: string): (readonly [title: string, after: string])[] {
  const { snapshot } = atBar(`¦${text}`);
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
  it('to the block from which the value may come', () => {
    const after = BACK.replace('    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; one\n', '    ; one\n').replace(
      '    S_NOP 0, implicit %0\n',
      '    S_NOP 0, implicit %0\n    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec\n',
    );
    // %0 lives in bb.0 alone until then.
    const title = 'Undo rematerialization: hoist %1 back to bb.0 (VGPR +1 in 1 region, occupancy stays 10)';
    assert.deepEqual(offered(BACK, 'V_MOV'), [[title, after]]);
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    assert.deepEqual(offered(crlf(BACK), 'V_MOV'), [[title, crlf(after)]]);
  });

  it('of what reads another register, which then lives no longer', () => {
    const line = '    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec\n';
    assert.deepEqual(offered(BACK, 'V_ADD'), [
      [
        'Undo rematerialization: hoist %2 back to bb.0 (no region changes its peak, occupancy stays 10)',
        BACK.replace(line, '').replace('    S_NOP 0, implicit %0\n', `    S_NOP 0, implicit %0\n${line}`),
      ],
    ]);
  });

  it('into the first of several places: one register, no kills', () => {
    const after = TWICE.replace('implicit killed %1', 'implicit %1')
      .replace('    %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec\n', '')
      .replace('S_NOP 1, implicit %7', 'S_NOP 1, implicit %1')
      .replace('implicit killed %7', 'implicit %1');
    const title =
      'Undo rematerialization: hoist %1, %7 into its first place in bb.1 (no region changes its peak, occupancy stays 10)';
    assert.deepEqual(offered(TWICE, '%1:vgpr_32'), [[title, after]]);
    assert.deepEqual(offered(TWICE, '%7:vgpr_32'), [[title, after]]);
  });

  it('none where nothing is defined, or it is no copy', () => {
    for (const word of ['S_NOP 0', 'S_ENDPGM', 'name', 'COPY']) assert.deepEqual(offered(BACK, word), [], word);
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
    const { snapshot } = atBar(`¦${BACK}`);
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
      return resolveRematAction(atBar(`¦${text}`).snapshot, given);
    };
    assert.ok('edit' in (of(BACK) as object));
    for (const text of [BACK.replace('name: f', 'name: g'), BACK.replaceAll('%1', '%one'), TWICE])
      assert.deepEqual(of(text), refused);
    assert.deepEqual(of(BACK, { effect: 'VGPR -1 in 1 region, occupancy stays 10' }), refused);
    assert.deepEqual(of(BACK, { hoist: { register: '%1', vreg: 99 } }), refused);
    assert.deepEqual(of(BACK, { hoist: { register: '%2', vreg: 2 } }), refused);
  });
});
