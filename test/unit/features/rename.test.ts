/** Rename: every mention in the function and nothing else; refused where it would break something. */
import assert from 'node:assert/strict';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { providePrepareRename, provideRename, type Refusal } from '../../../server/src/features/navigation/rename.js';
import { atCursor, URI } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const MIR = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            f
tracksRegLiveness: true
registers:
  - { id: 0, class: vgpr_32 }
liveins:
  - { reg: '$vgpr0', virtual-reg: '%0' }
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0

    %0 = COPY $vgpr0
    %10:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    undef %name.sub1:vreg_64 = COPY %10
    S_BRANCH %bb.1

  bb.1:
    S_ENDPGM 0, implicit killed %name, implicit %0
...
---
name:            g
body:             |
  bb.0:
    %0:sreg_32 = S_MOV_B32 0
    S_ENDPGM 0
...
`;

function rename(word: string, after: string, newName: string): string {
  const { snapshot, position, text } = atCursor(MIR, word, after);
  const answer = provideRename(snapshot, { position, newName });
  if (answer && 'refused' in answer) return (answer as Refusal).refused;
  const edits: TextEdit[] = (answer as WorkspaceEdit | null)?.changes?.[URI] ?? [];
  let result = text;
  for (const { range, newText } of [...edits].reverse())
    result =
      result.slice(0, snapshot.text.offsetAt(range.start)) + newText + result.slice(snapshot.text.offsetAt(range.end));
  return result;
}

const firstFunction = (change: (text: string) => string): string => {
  const end = MIR.indexOf('...\n');
  return change(MIR.slice(0, end)) + MIR.slice(end);
};

describe('rename', () => {
  const number = rename('%0', 'V_ADD', '%7');
  const named = rename('%10', '', 'sum');
  const unnamed = rename('%name', 'killed', '3');
  const block = rename('bb.1', 'successors', 'bb.5');

  it('virtual registers, with the header, in their function only', () => {
    assert.equal(
      number,
      firstFunction((t) => t.replaceAll(/%0\b/g, '%7').replace('id: 0', 'id: 7')),
    );
    assert.equal(named, MIR.replaceAll('%10', '%sum'));
    assert.equal(unnamed, MIR.replaceAll('%name', '%3'));
  });

  it('blocks', () => {
    assert.equal(
      block,
      firstFunction((t) => t.replaceAll('bb.1', 'bb.5')),
    );
  });

  it('llc-22 accepts the results', function () {
    needsLlc(this);
    for (const text of [number, named, unnamed, block]) {
      const { status, stderr } = runLlc(
        ['-x', 'mir', '-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '/dev/null'],
        text,
      );
      assert.equal(status, 0, stderr.slice(0, 400));
    }
  });

  it('is refused where it would break something, with the reason', () => {
    assert.equal(rename('%10', '', '0'), '%0 exists in this function already');
    assert.equal(rename('%10', '', 'name'), '%name exists in this function already');
    assert.equal(rename('%0', 'V_ADD', 'x'), '%0 has an entry in registers:, where llc takes only numbers');
    assert.match(rename('%10', '', 'a b'), /no name of a virtual register/);
    assert.match(rename('%10', '', '99999999999'), /no number that llc takes/);
    assert.match(rename('bb.1', 'S_BRANCH', 'tail'), /called by its number/);
    assert.equal(rename('bb.1', 'S_BRANCH', 'bb.0'), 'bb.0 exists in this function already');
  });

  it('is offered on registers and blocks only', () => {
    const prepared = (word: string, after = ''): string | undefined => {
      const { snapshot, position, show } = atCursor(MIR, word, after);
      const found = providePrepareRename(snapshot, { position });
      return found ? `${show(found.range)} (${found.placeholder})` : undefined;
    };
    assert.equal(prepared('%name', 'killed'), '20:34 name (name)');
    assert.equal(prepared('%bb.1', 'S_BRANCH'), '17:18 1 (1)');
    assert.equal(prepared('$vgpr0', 'COPY'), undefined);
    assert.equal(prepared('S_BRANCH'), undefined);
    assert.equal(prepared('f', 'name: '), undefined);
  });
});
