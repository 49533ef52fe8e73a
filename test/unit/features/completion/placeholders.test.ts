/** What an accepted opcode has in place of its operands: offered is what fits there, and signature help says which operand it is. */
import assert from 'node:assert/strict';
import type { CompletionItem, TextEdit } from 'vscode-languageserver-types';
import { provideCompletion } from '../../../../server/src/features/completion/completion.js';
import { provideSignatureHelp } from '../../../../server/src/features/completion/signatureHelp.js';
import { expanded } from '../../../../server/src/features/completion/trial.js';
import { atCursor, URI } from '../../../support/cursor.js';
import { needsLlc, runLlc } from '../../../support/llc.js';

const FILE = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none -o - %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4_sgpr5

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:vreg_64 = IMPLICIT_DEF
HERE

  bb.1:
    S_ENDPGM 0
...
`;

const at = (line: string): ReturnType<typeof atCursor> =>
  atCursor(FILE.replace('HERE', `    ${line}`), { snippets: true });

function itemsAt(line: string): CompletionItem[] {
  const { snapshot, position } = at(line);
  return provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items;
}

/** The line after accepting an item. */
function accepted(line: string, { textEdit }: CompletionItem): string {
  const { range, newText } = textEdit as TextEdit;
  const text = `    ${line.replace('$0', '')}`;
  return (text.slice(0, range.start.character) + newText + text.slice(range.end.character)).trim();
}

function operandAt(line: string): string {
  const { snapshot, position } = at(line);
  const help = provideSignatureHelp(snapshot, { textDocument: { uri: URI }, position })!;
  const [{ label, parameters } = { label: '', parameters: [] }] = help.signatures;
  const [from, to] = parameters![help.activeParameter!]!.label as [number, number];
  return label.slice(from, to);
}

const ADD = '%3:vgpr_32 = V_ADD_F32_e32 src0$0, src1, implicit $mode, implicit $exec';

describe('placeholders of an accepted opcode', () => {
  it('offer the registers that fit, which clients do not filter by the placeholder', () => {
    const items = itemsAt(ADD);
    const labels = items.map((i) => i.label);
    for (const fits of ['%0', '%2.sub0', '%1.sub0'])
      assert.ok(labels.slice(0, 6).includes(fits), labels.slice(0, 8).join(', '));
    assert.ok(items.every((i) => i.filterText === 'src0'));
    const whole = items.find((i) => i.label === '%0')!;
    assert.equal(accepted(ADD, whole), '%3:vgpr_32 = V_ADD_F32_e32 %0, src1, implicit $mode, implicit $exec');
    // From before the word, too, which is how some clients leave the cursor.
    const before = ADD.replace('src0$0', '$0src0');
    assert.equal(accepted(before, itemsAt(before)[0]!), accepted(ADD, items[0]!));
    // What the line reads already comes later, but is there.
    const second = itemsAt(ADD.replace('src0$0, src1', '%0, src1$0')).map((i) => i.label);
    assert.ok(second.slice(0, 6).includes('%0'), second.slice(0, 8).join(', '));
  });

  it('are told by signature help', () => {
    assert.equal(operandAt(ADD), 'src0:vs_32');
    assert.equal(operandAt(ADD.replace('src0$0, src1', '%0, src1$0')), 'src1:vgpr_32');
    assert.equal(operandAt('%3:vgpr_32 = PHI value, block$0'), 'block');
  });

  it('are only what the opcode calls that operand', () => {
    assert.deepEqual(itemsAt('%3:vgpr_32 = V_ADD_F32_e32 src1$0, src1, implicit $mode, implicit $exec'), []);
    assert.deepEqual(itemsAt('%3:vgpr_32 = V_ADD_F32_e32 nothing$0'), []);
  });

  it('stand for blocks, classes and what COPY and its like take', () => {
    assert.equal(itemsAt('S_BRANCH simm16$0')[0]!.label, '%bb.1');
    assert.ok(
      itemsAt('%3:vgpr_32 = COPY src$0')
        .slice(0, 4)
        .some((i) => i.label === '%0'),
    );
    const classes = itemsAt('%3:class$0 = COPY %0').map((i) => i.label);
    assert.ok(classes.slice(0, 3).includes('vgpr_32'), classes.slice(0, 5).join(', '));
    assert.equal(accepted('%3:class$0 = COPY %0', itemsAt('%3:class$0 = COPY %0')[0]!), `%3:${classes[0]} = COPY %0`);
  });

  it('filled with the first of each list are a line that llc-22 takes', function () {
    needsLlc(this);
    for (const opcode of [
      'V_ADD_F32_e32',
      'V_ADD_F32_e64',
      'V_LSHLREV_B32_e32',
      'GLOBAL_LOAD_DWORD',
      'V_MAD_U32_U24_e64',
      'S_ADD_U32',
    ]) {
      const item = itemsAt(`${opcode}$0`).find((i) => i.label === opcode)!;
      let line = expanded((item.textEdit as TextEdit).newText).text;
      // Each word in turn, as Tab goes from one to the next.
      for (let guard = 0; guard < 12; guard++) {
        const word = / ((?:src|vaddr|saddr|vdst)[\w]*)(?=,|$)/.exec(line);
        if (word === null) break;
        const end = word.index + word[0].length;
        const marked = `${line.slice(0, end)}$0${line.slice(end)}`;
        line = accepted(marked, itemsAt(marked)[0]!);
      }
      const { status, stderr } = runLlc(
        ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none', '-o', '-'],
        FILE.replace('HERE', `    ${line}`),
      );
      assert.equal(status, 0, `${line}\n${stderr}`);
    }
  });
});
