/** Code actions that rewrite: what they offer where, what they make, and that llc-22 prints the same where that was promised. */
import assert from 'node:assert/strict';
import { CodeActionTriggerKind, type CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { atCursor, URI } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s
--- |
  define amdgpu_kernel void @f() {
    ret void
  }
...
---
# CHECK-LABEL: name: f
name:            f
alignment:       1
exposesReturnsTwice: false
legalized:       false
tracksRegLiveness: true
liveins:         []
frameInfo:
  isFrameAddressTaken: false
  maxAlignment:    1
body:             |
  bb.3:
    successors: %bb.7
    liveins: $vgpr0

    %5:vgpr_32 = COPY $vgpr0
    %9:vgpr_32 = V_LSHL_ADD_U32_e64 %5, 1, %5, implicit $exec
    %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    GLOBAL_STORE_DWORD undef %7:vreg_64, %9, 0, 0, implicit $exec :: (store (s32), addrspace 1)
    S_BRANCH %bb.7

  bb.7:
    S_ENDPGM 0
...
`;

interface Asked {
  readonly actions: CodeAction[];
  /** the text after the action whose title begins so */
  after(title: string): string;
}

function ask(marked: string, commandLinks = false): Asked {
  const { snapshot, position, text } = atCursor(marked, { commandLinks });
  const range = { start: position, end: position };
  const context = { diagnostics: [], only: ['refactor.rewrite'], triggerKind: CodeActionTriggerKind.Invoked };
  const actions = provideCodeActions(snapshot, { range, context }, NEVER_CANCELLED);
  return {
    actions,
    after: (title) => {
      const action = actions.find((a) => a.title.startsWith(title));
      assert.ok(action?.edit, `${title} is not among ${actions.map((a) => a.title).join(', ')}`);
      let result = text;
      for (const { range: r, newText } of [...action.edit.changes![URI]!].reverse())
        result =
          result.slice(0, snapshot.text.offsetAt(r.start)) + newText + result.slice(snapshot.text.offsetAt(r.end));
      return result;
    },
  };
}

const ARGS = ['-x', 'mir', '-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];
const at = (word: string): string => TEST.replace(word, `${word}$0`);

describe('rewrites', () => {
  const numbers = ask(at('name:            f')).after('Renumber registers');
  const blocks = ask(at('name:            f')).after('Renumber blocks');
  const keys = ask(at('name:            f')).after('Remove 5 default keys');
  const copy = ask(at('name:            f')).after('Duplicate function as f_2');
  const named = ask(at('%9')).after('Name %9 %lshl_add');

  it('compact numbers', () => {
    assert.equal(
      numbers,
      TEST.replaceAll('%5', '%0').replaceAll('%9', '%1').replaceAll('%7:', '%3:').replaceAll('%2:', '%2:'),
    );
    assert.equal(blocks, TEST.replaceAll('bb.3', 'bb.0').replaceAll('bb.7', 'bb.1'));
    assert.ok(!ask(numbers.replace('%0', '%0$0')).actions.some((a) => a.title === 'Renumber registers'), 'not twice');
  });

  it('keys that say what llc assumes', () => {
    assert.equal(
      keys,
      TEST.replace(/alignment: {7}1\n|exposesReturnsTwice.*\n|legalized.*\n|liveins: {9}.*\n/g, '').replace(
        /frameInfo:\n.*\n.*\n/,
        '',
      ),
    );
  });

  it('a function with its IR and its label', () => {
    assert.match(
      copy,
      /define amdgpu_kernel void @f\(\) \{\n {4}ret void\n {2}\}\n\n {2}define amdgpu_kernel void @f_2\(\)/,
    );
    assert.match(copy, /\n---\n# CHECK-LABEL: name: f_2\nname: {12}f_2\n/);
  });

  it('a name for a register', () => {
    assert.equal(named, TEST.replaceAll('%9', '%lshl_add'));
  });

  it('llc-22 prints the same, and takes the copy', function () {
    needsLlc(this);
    const printed = runLlc(ARGS, TEST).stdout;
    assert.notEqual(printed, '');
    for (const text of [numbers, blocks, keys]) assert.equal(runLlc(ARGS, text).stdout, printed);
    for (const text of [copy, named]) assert.equal(runLlc(ARGS, text).status, 0);
  });

  it('two lines change places where no dependence forbids it', () => {
    const swapped = ask(at('%2:vgpr_32 = V_MOV')).after('Swap');
    const lines = TEST.split('\n');
    const k = lines.findIndex((l) => l.includes('%9:vgpr_32'));
    [lines[k], lines[k + 1]] = [lines[k + 1]!, lines[k]!];
    assert.equal(swapped, lines.join('\n'));
    const blocked = ask(at('%9:vgpr_32 = V_LSHL'), true).actions.find((a) => a.title.startsWith('Swap'));
    assert.equal(blocked?.disabled?.reason, 'it reads %5 of the line above');
    assert.ok(!ask(at('%9:vgpr_32 = V_LSHL')).actions.some((a) => a.title.startsWith('Swap')));
    // A call begins a region, whose graph does not know it.
    const call =
      'dead $sgpr30_sgpr31 = SI_CALL undef %11:sreg_64, 0, csr_amdgpu\n    $0%6:vgpr_32 = COPY $vgpr0\n    S_NOP 0\n    ';
    const behindCall = ask(TEST.replace('%2:vgpr_32 = V_MOV', `${call}%2:vgpr_32 = V_MOV`), true).actions;
    assert.match(behindCall.find((a) => a.title.startsWith('Swap'))?.disabled?.reason ?? '', /stay in order/);
  });

  it('so they do in a function that llc rejects, by what the two lines say', () => {
    const swap = (above: string, below: string): string => {
      const marked = `---\nname: g\nbody: |\n  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = V_NOPE\n    ${above}\n    $0${below}\n    S_ENDPGM 0\n...\n`;
      const { after, actions } = ask(`# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n${marked}`, true);
      const action = actions.find((a) => a.title.startsWith('Swap'));
      if (action?.disabled) return action.disabled.reason;
      return action && after('Swap').includes(`    ${below}\n    ${above}\n`) ? 'swapped' : 'none';
    };
    const add = '%1:vgpr_32 = V_ADD_U32_e32 $vgpr0, %0, implicit $exec';
    assert.equal(swap(add, '%2:vgpr_32 = V_NOT_B32_e32 %0, implicit $exec'), 'swapped');
    assert.equal(swap(add, '%2:vgpr_32 = V_NOT_B32_e32 %1, implicit $exec'), 'it reads %1 of the line above');
    assert.equal(swap(add, '$vgpr0_vgpr1 = IMPLICIT_DEF'), 'the line above reads $vgpr0_vgpr1');
    assert.equal(swap(add, '%1:vgpr_32 = V_NOT_B32_e32 %0, implicit $exec'), 'both write %1');
    const [low, high] = [
      '.sub0:vreg_64 = V_NOT_B32_e32 %0, implicit $exec',
      '.sub1:vreg_64 = V_NOT_B32_e32 %0, implicit $exec',
    ];
    assert.equal(swap(`undef %6${low}`, `%6${high}`), 'both write %6', 'undef holds for the first part alone');
    assert.equal(swap(`undef %6${low}`, `undef %8${high}`), 'swapped');
    assert.match(swap(add, 'S_BARRIER'), /stay in order/);
    const load = '%3:vgpr_32 = GLOBAL_LOAD_DWORD undef %8:vreg_64, 0, 0, implicit $exec :: (load (s32), addrspace 1)';
    const store = 'GLOBAL_STORE_DWORD undef %9:vreg_64, %0, 0, 0, implicit $exec :: (store (s32), addrspace 1)';
    assert.match(swap(load, store), /stay in order/);
    assert.equal(swap(load, load.replace('%3', '%4')), 'swapped');
  });

  it('a copy of a function stands after it on lines of its own, whatever ends the file', () => {
    const document = (name: string): string => `---\nname: ${name}\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
    const copied = (text: string): string => ask(text).after('Duplicate function as f_2');
    const run = '# RUN: llc -mtriple=amdgcn %s\n';
    const marked = (name: string): string => document(name).replace('name: f', 'name: $0f');
    for (const eol of ['\n', '\r\n']) {
      const lines = (text: string): string => text.replaceAll('\n', eol);
      assert.equal(copied(lines(run + marked('f'))), lines(run + document('f') + document('f_2')));
      assert.equal(
        copied(lines(run + marked('f') + document('g'))),
        lines(run + document('f') + document('f_2') + document('g')),
      );
      // The last line of the file has no end; only a copy after it needs one.
      const open = (text: string): string => lines(text).slice(0, -eol.length);
      assert.equal(
        copied(open(run + marked('f') + document('g'))),
        open(run + document('f') + document('f_2') + document('g')),
      );
      assert.equal(copied(open(run + marked('f'))), lines(run + document('f') + document('f_2')).slice(0, -eol.length));
      assert.equal(
        copied(lines(run + marked('f') + document('f_2').replace('f_2', 'g'))),
        lines(run + document('f') + document('f_2') + document('g')),
      );
    }
    assert.match(ask(run + marked('f') + document('f_2')).after('Duplicate function as f_3'), /name: f_3/);
  });
});
