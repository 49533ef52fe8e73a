/** Hints on what a function could do without, rewrites of blocks and lists; llc-22 has the last word on what comes of them. */
import assert from 'node:assert/strict';
import { CodeActionTriggerKind, type CodeAction, type TextEdit } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { toLspDiagnostics } from '../../../server/src/features/diagnostics/diagnostics.js';
import {
  providePredecessors,
  providePrepareTypeHierarchy,
  provideSuccessors,
} from '../../../server/src/features/navigation/blockHierarchy.js';
import { provideDocumentLinks } from '../../../server/src/features/navigation/documentLink.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { atCursor, openText, URI } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_LSHLREV_B32_e64 3, %0, implicit $exec
    %2:vgpr_32 = V_ADD_F32_e64 0, %0, 0, %1, 0, 0, implicit $mode, implicit $exec
    %8:sreg_32 = S_MOV_B32 1000
    S_BRANCH %bb.1

  bb.1:
    %3:vgpr_32 = PHI %2, %bb.0, %5, %bb.2
    %4:vgpr_32 = V_NOT_B32_e32 %3, implicit $exec
    S_ENDPGM 0, implicit %4

  bb.2:
    successors: %bb.1

    %5:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_BRANCH %bb.1
...
`;
/** Out of SSA form physical registers live across blocks. */
const ALLOCATED = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s
---
name:            g
tracksRegLiveness: true
noVRegs:         true
noPhis:          true
isSSA:           false
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $vgpr1, $sgpr4

    $vgpr2 = V_MOV_B32_e32 0, implicit $exec
    S_BRANCH %bb.1

  bb.1:
    liveins: $sgpr4, $vgpr0_vgpr1, $vgpr2

    $sgpr5 = COPY $sgpr4
    $vgpr3 = COPY killed $vgpr2
    S_ENDPGM 0, implicit $vgpr0_vgpr1, implicit $sgpr5, implicit $vgpr3
...
`;
const ARGS = ['-x', 'mir', '-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];

interface Asked {
  readonly titles: string[];
  /** the text after the action whose title begins so, which llc-22 takes */
  after(title: string): string;
}

function applied(text: string, snapshot: Snapshot, edits: readonly TextEdit[]): string {
  let result = text;
  for (const { range, newText } of [...edits].reverse())
    result =
      result.slice(0, snapshot.text.offsetAt(range.start)) + newText + result.slice(snapshot.text.offsetAt(range.end));
  return result;
}

function ask(marked: string, only = ['refactor.rewrite']): Asked {
  const { snapshot, position, text } = atCursor(marked);
  const context = { diagnostics: [], only, triggerKind: CodeActionTriggerKind.Invoked };
  const range = { start: position, end: position };
  const actions: CodeAction[] = provideCodeActions(snapshot, { range, context }, NEVER_CANCELLED);
  return {
    titles: actions.map((a) => a.title),
    after: (title) => {
      const action = actions.find((a) => a.title.startsWith(title));
      assert.ok(action?.edit?.changes, `${title} is not among ${actions.map((a) => a.title).join(', ')}`);
      return applied(text, snapshot, action.edit.changes[URI]!);
    },
  };
}

const at = (word: string): string => TEST.replace(word, `${word}$0`);

describe('what a function could do without', () => {
  it('is hinted at where that is asked for', () => {
    const { snapshot } = openText(TEST, { unnecessaryHints: true });
    assert.deepEqual(
      toLspDiagnostics(snapshot).map((d) => `${d.range.start.line + 1}: ${d.code as string}: ${String(d.message)}`),
      [
        '21: unreachable-block: nothing reaches bb.2',
        '13: unused-register: nothing reads what this instruction writes',
        '11: shorter-encoding: V_LSHLREV_B32_e32 does the same in 4 bytes instead of 8',
        '12: shorter-encoding: V_ADD_F32_e32 does the same in 4 bytes instead of 8',
        '13: shorter-encoding: S_MOVK_I32 does the same in 4 bytes instead of 8',
      ],
    );
    assert.deepEqual(toLspDiagnostics(openText(TEST).snapshot), []);
  });

  const shortened = ask(at('%2:vgpr_32 = V_ADD_F32_e64')).after('Use V_ADD_F32_e32');
  const reached = ask(at('  bb.2:')).after('Remove bb.2');
  const read = ask(at('%8:sreg_32')).after('Remove this instruction');

  it('goes by the light bulb', () => {
    assert.ok(shortened.includes('    %2:vgpr_32 = V_ADD_F32_e32 %0, %1, implicit $mode, implicit $exec\n'));
    assert.ok(ask(at('%8:sreg_32')).after('Use S_MOVK_I32').includes('%8:sreg_32 = S_MOVK_I32 1000\n'));
    assert.ok(!reached.includes('bb.2') && reached.includes('PHI %2, %bb.0\n'), reached);
    assert.equal(read, TEST.replace(/ {4}%8.*\n/, ''));
  });

  it('is not a modifier, a scalar second source, a block whose address is taken', () => {
    for (const line of [
      '%2:vgpr_32 = V_ADD_F32_e64 1, %0, 0, %1, 0, 0, implicit $mode, implicit $exec',
      '%2:vgpr_32 = V_ADD_F32_e64 0, %0, 0, 2, 0, 0, implicit $mode, implicit $exec',
    ])
      assert.ok(!ask(TEST.replace(/%2:vgpr_32 = .*/, `${line}$0`)).titles.some((t) => t.startsWith('Use ')));
    assert.ok(
      !ask(TEST.replace('  bb.2:', '  bb.2 (machine-block-address-taken):$0')).titles.some((t) =>
        t.startsWith('Remove bb'),
      ),
    );
  });

  const inAllocated = (word: string): string => ALLOCATED.replace(word, () => `${word}$0`);
  const split = ask(inAllocated('    $vgpr3 = COPY')).after('Split bb.1 here');
  const splitPhi = ask(at('%4:vgpr_32 =')).after('Split bb.1 here');
  const splitHead = ask(at('%8:sreg_32 =')).after('Split bb.0 here');
  const filled = ask(inAllocated('  bb.1:').replace('    liveins: $sgpr4, $vgpr0_vgpr1, $vgpr2\n', ''));
  const listed = ask(at('name:            f')).after('Write the classes into registers:');
  const dropped = ask(listed.replace('name:            f', 'name:            f$0')).after(
    'Write the classes at the definitions',
  );

  it('blocks are split with their live-ins, and PHIs follow', () => {
    assert.match(split, /\$sgpr4\n\n {2}bb\.2:\n {4}liveins: \$sgpr5, \$vgpr2, \$vgpr0_vgpr1\n\n {4}\$vgpr3 = COPY/);
    assert.match(splitPhi, /PHI .*\n\n {2}bb\.3:\n {4}%4/);
    assert.match(splitHead, /successors: %bb\.3\n[\s\S]* {2}bb\.3:\n {4}successors: %bb\.1\n\n {4}%8/);
    assert.match(splitHead, /PHI %2, %bb\.3, %5/);
  });

  it('live-ins and successors are written as the code has them', () => {
    assert.match(
      filled.after('Add $sgpr4, $vgpr2, $vgpr0_vgpr1 to the live-ins of bb.1'),
      / {2}bb\.1:\n {4}liveins: \$sgpr4, /,
    );
    const bare = ask(
      TEST.replace('    successors: %bb.1\n    liveins: $vgpr0', '    liveins: $vgpr0').replace('  bb.0:', '  bb.0:$0'),
    );
    assert.equal(bare.after('Write the successors of bb.0'), TEST);
  });

  it('classes move between the list and the definitions', () => {
    assert.match(listed, /name: {12}f\nregisters:\n {2}- \{ id: 0, class: vgpr_32 \}\n/);
    assert.equal(dropped, TEST);
  });

  it('llc-22 takes what comes of it', function () {
    needsLlc(this);
    for (const text of [shortened, reached, read, split, splitPhi, splitHead, filled.after('Add'), listed, dropped])
      assert.equal(runLlc(ARGS, text).stderr, '', text);
    assert.equal(runLlc(ARGS, listed).stdout, runLlc(ARGS, TEST).stdout);
  });
});

describe('hierarchy of blocks', () => {
  const { snapshot, position } = atCursor(at('S_BRANCH %bb.'));
  const names = (items: readonly { name: string }[] | null): string[] => (items ?? []).map((i) => i.name);

  it('is of the block under the cursor', () => {
    const items = providePrepareTypeHierarchy(snapshot, { position });
    assert.deepEqual(names(items), ['bb.1']);
    const [item] = items!;
    assert.deepEqual(names(providePredecessors(snapshot, { item: item! })), ['bb.0', 'bb.2']);
    assert.deepEqual(names(provideSuccessors(snapshot, { item: item! })), []);
    assert.deepEqual(names(provideSuccessors(snapshot, { item: { name: 'bb.2', detail: 'f' } })), ['bb.1']);
  });

  it('has nothing to say of what is not there', () => {
    assert.deepEqual(provideSuccessors(snapshot, { item: { name: 'bb.77', detail: 'f' } }), []);
    assert.deepEqual(provideSuccessors(snapshot, { item: { name: 'x', detail: 'g' } }), []);
    assert.equal(providePrepareTypeHierarchy(snapshot, { position: { line: 0, character: 0 } }), null);
  });
});

describe('links to parts of a file', () => {
  it('lead to what split-file makes of it', () => {
    const text = `# RUN: split-file %s %t\n# RUN: llc %t/a.mir -o - | FileCheck %t/b.txt\n#--- a.mir\n---\nname: f\n...\n#--- b.txt\n`;
    const { snapshot } = openText(text);
    assert.deepEqual(
      provideDocumentLinks(snapshot).map((l) => l.target),
      [`${URI}#L3`, `${URI}#L7`],
    );
  });
});
