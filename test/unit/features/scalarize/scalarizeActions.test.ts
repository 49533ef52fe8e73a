/** Moves to the SALU: at which lines, with which titles, and the text after them. */
import assert from 'node:assert/strict';
import { CodeActionTriggerKind } from 'vscode-languageserver-types';
import { scalarizeActions } from '../../../../server/src/features/scalarize/scalarizeActions.js';
import type { FunctionView } from '../../../../server/src/features/snapshot/snapshot.js';
import { openText, URI } from '../../../support/cursor.js';
import { applied } from '../../../support/editing.js';

const textWith = (pad: number): string => `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
---
name: scaled
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr8

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr8
    %2:vgpr_32 = V_LSHLREV_B32_e64 2, %1, implicit $exec ; goes
    %3:vgpr_32 = V_ADD_U32_e64 %2, 16, 0, implicit $exec
    %4:vgpr_32 = V_ADD_U32_e64 %0, 1, 0, implicit $exec ; stays
    %5:vgpr_32 = V_XOR_B32_e64 %4, %0, implicit $exec
    DS_WRITE_B32_gfx9 %0, %5, 0, 0, implicit $exec
    DS_WRITE_B32_gfx9 %4, %3, 0, 0, implicit $exec
${'    S_NOP 7\n'.repeat(pad)}    S_ENDPGM 0
...
`;
/** Instructions without those that pad. */
const N = 9;
const TEXT = textWith(0);

/** Titles, and lines of the edited text that are new. */
function offered(line: number, text = TEXT, trigger?: CodeActionTriggerKind, character = 6): string[] {
  const { snapshot } = openText(text);
  const start = { line: line - 1, character };
  const context = { diagnostics: [], ...(trigger === undefined ? {} : { triggerKind: trigger }) };
  const before = text.split('\n');
  return scalarizeActions(snapshot, snapshot.functions[0]!, { start, end: start }, context).flatMap((a) => {
    assert.equal(a.kind, 'quickfix');
    const after = applied(snapshot, a.edit!.changes![URI]!).split('\n');
    return [a.title, ...after.filter((l) => !before.includes(l)).map((l) => l.trim())];
  });
}

const MOVED = [
  'Move %2, %3 to the SALU: VGPR -1 in bb.0, occupancy stays 10',
  '%2:sreg_32 = S_LSHL_B32 %1, 2, implicit-def dead $scc',
  '%3:sreg_32 = S_ADD_I32 %2, 16, implicit-def dead $scc',
  '%6:vgpr_32 = COPY %3',
  'DS_WRITE_B32_gfx9 %4, killed %6, 0, 0, implicit $exec',
];

describe('moves to the SALU', () => {
  it('of what a line writes, with what it is computed from, and of all at the name', () => {
    for (let line = 1; line < TEXT.split('\n').length; line++)
      assert.deepEqual(offered(line), line === 12 || line === 3 ? MOVED : [], `${line}`);
    const name = 'name: '.length;
    for (const character of [name, name + 'scaled'.length])
      assert.deepEqual(offered(3, TEXT, undefined, character), MOVED);
    assert.deepEqual(offered(3, TEXT, undefined, name - 1), []);
  });

  it('unasked of functions that are not large', () => {
    const { Automatic, Invoked } = CodeActionTriggerKind;
    const titles = (n: number, trigger?: CodeActionTriggerKind): (string | undefined)[] => [
      offered(12, textWith(n - N), trigger)[0],
      offered(3, textWith(n - N), trigger)[0],
    ];
    assert.deepEqual(titles(2000, Automatic), [MOVED[0], MOVED[0]]);
    assert.deepEqual(titles(2001, Automatic), [undefined, undefined]);
    assert.deepEqual(titles(2001, Invoked), [MOVED[0], MOVED[0]]);
  });

  it('none of what is wrong, or is not understood', () => {
    assert.deepEqual(offered(12, TEXT.replace('S_ENDPGM 0', 'S_NOTHING')), []);
    assert.deepEqual(offered(12, TEXT.replace('S_ENDPGM 0', 'S_ENDPGM 0, implicit %99:vgpr_32')), []);
    const { snapshot } = openText(TEXT);
    const start = { line: 11, character: 6 };
    for (const part of ['fn', 'summary', 'lanes']) {
      const view = Object.create(snapshot.functions[0]!, { [part]: { value: null } }) as FunctionView;
      assert.deepEqual(scalarizeActions(snapshot, view, { start, end: start }, { diagnostics: [] }), [], part);
    }
  });
});
