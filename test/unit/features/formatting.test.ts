/** The layout of llc: what formatting changes, and what it leaves alone. */
import assert from 'node:assert/strict';
import type { TextEdit } from 'vscode-languageserver-types';
import { provideFormatting } from '../../../server/src/features/format/formatting.js';
import { provideLinkedEditingRanges } from '../../../server/src/features/format/linkedEditing.js';
import { provideOnTypeFormatting } from '../../../server/src/features/format/onType.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { atCursor, openText, URI } from '../../support/cursor.js';

const textDocument = { uri: URI };

function applied({ text }: Snapshot, edits: readonly TextEdit[]): string {
  let result = text.text;
  for (const { range, newText } of [...edits].reverse())
    result = result.slice(0, text.offsetAt(range.start)) + newText + result.slice(text.offsetAt(range.end));
  return result;
}

const format = (text: string): string => {
  const { snapshot } = openText(text);
  return applied(snapshot, provideFormatting(snapshot, { textDocument }));
};

/** The text after `ch` was typed before the bar. */
const typed = (marked: string, ch: string): string => {
  const { snapshot, position } = atCursor(marked);
  return applied(snapshot, provideOnTypeFormatting(snapshot, { textDocument, position, ch }));
};

const fn = (body: string): string => `---\nname:            f\nbody:             |\n${body}...\n`;

describe('formatting', () => {
  it('columns of labels and instructions, blanks between words', () => {
    assert.equal(
      format(fn('  bb.0:\n  successors: %bb.1\n   S_NOP   0\n bb.1:\n')),
      fn('  bb.0:\n  successors: %bb.1\n   S_NOP   0\n bb.1:\n'),
      'a line that has fallen out of the body is an error of its own',
    );
    assert.equal(
      format(
        fn(
          '  bb.0:\n  successors: %bb.1\n  S_NOP   0  \n  bb.1:\n  %0:vgpr_32=COPY\t$vgpr0\n  S_ENDPGM 0 ,implicit %0\n',
        ),
      ),
      fn(
        '  bb.0:\n    successors: %bb.1\n\n    S_NOP 0\n\n  bb.1:\n    %0:vgpr_32 = COPY $vgpr0\n    S_ENDPGM 0, implicit %0\n',
      ),
    );
  });

  it('comments stay where they are', () => {
    const text = fn(
      '  ; CHECK-LABEL: name: f\n  ; CHECK:   S_NOP  0\n  bb.0:\n      ; here\n    S_NOP 0     ; why\n    ; there\n',
    );
    assert.equal(format(text), text);
    // A body whose first line is a comment further right keeps its column, or the rest would fall out of it.
    const held = fn('    ; CHECK: x\n    bb.0:\n    S_NOP 0\n');
    assert.equal(format(held), fn('    ; CHECK: x\n    bb.0:\n      S_NOP 0\n'));
  });

  it('bundles', () => {
    assert.equal(
      format(
        fn(
          '  bb.0:\n    BUNDLE implicit-def $vgpr0 {\n    $vgpr0 = V_MOV_B32_e32 0, implicit $exec\n      }\n    S_NOP 0\n',
        ),
      ),
      fn(
        '  bb.0:\n    BUNDLE implicit-def $vgpr0 {\n      $vgpr0 = V_MOV_B32_e32 0, implicit $exec\n    }\n    S_NOP 0\n',
      ),
    );
  });

  it('columns of the header', () => {
    assert.equal(
      format(
        '---\nname: f\ntracksRegLiveness:   true\nliveins: []\nframeInfo:\n  hasCalls: true\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n',
      ),
      '---\nname:            f\ntracksRegLiveness: true\nliveins:         []\nframeInfo:\n  hasCalls:        true\nbody:             |\n  bb.0:\n    S_ENDPGM 0\n...\n',
    );
  });

  it('keeps carriage returns, and what it cannot read', () => {
    assert.equal(
      format(fn('  bb.0:\n  S_NOP  0\n').replaceAll('\n', '\r\n')),
      fn('  bb.0:\n    S_NOP 0\n').replaceAll('\n', '\r\n'),
    );
    const odd = fn('  bb.0:\n    S_NOP   0 ^  1\n    S_NOP 0 /* over\n  lines */\n');
    assert.equal(format(odd), odd);
    const broken = '---\nname: [\nbody: |\n  bb.0:\n  S_NOP 0\n...\n';
    assert.equal(format(broken), broken);
  });
});

describe('formatting while typing', () => {
  it('a label moves out, an attribute to its block, a brace to its bundle', () => {
    assert.equal(typed(fn('  bb.0:\n    S_NOP 0\n    bb.1:$0\n'), ':'), fn('  bb.0:\n    S_NOP 0\n  bb.1:\n'));
    assert.equal(typed(fn('  bb.0:\n  liveins:$0\n'), ':'), fn('  bb.0:\n    liveins:\n'));
    assert.equal(
      typed(fn('  bb.0:\n    BUNDLE {\n      S_NOP 0\n      }$0\n'), '}'),
      fn('  bb.0:\n    BUNDLE {\n      S_NOP 0\n    }\n'),
    );
    const same = fn('  bb.0:\n    %0:$0\n');
    assert.equal(typed(same, ':'), same.replace('$0', ''));
  });

  it('a new line is an instruction', () => {
    assert.equal(typed(fn('  bb.0:\n  $0\n    S_NOP 0\n'), '\n'), fn('  bb.0:\n    \n    S_NOP 0\n'));
    assert.equal(
      typed(fn('  bb.0:\n    BUNDLE {\n    $0\n    }\n'), '\n'),
      fn('  bb.0:\n    BUNDLE {\n      \n    }\n'),
    );
    // A brace that the editor closed by itself, and tabs of the line above.
    assert.equal(typed(fn('  bb.0:\n    BUNDLE {\n$0}\n'), '\n'), fn('  bb.0:\n    BUNDLE {\n    }\n'));
    assert.equal(typed(fn('  bb.0:\n  \tS_NOP 0\n$0\n'), '\n'), fn('  bb.0:\n  \tS_NOP 0\n  \t\n'));
  });

  it('RUN and CHECK lines go on, and end with an empty one', () => {
    const rest = `${fn('  bb.0:\n    S_NOP 0\n')}`;
    assert.equal(typed(`# RUN: llc %s \\\n$0\n${rest}`, '\n'), `# RUN: llc %s \\\n# RUN:   \n${rest}`);
    assert.equal(typed(`# RUN: llc %s\n$0\n${rest}`, '\n'), `# RUN: llc %s\n\n${rest}`);
    const run = '# RUN: llc %s | FileCheck %s\n';
    assert.equal(typed(`${run}# CHECK: a\n$0\n${rest}`, '\n'), `${run}# CHECK: a\n# CHECK-NEXT: \n${rest}`);
    assert.equal(typed(`${run}; CHECK-DAG: a\n$0\n${rest}`, '\n'), `${run}; CHECK-DAG: a\n; CHECK-DAG: \n${rest}`);
    assert.equal(typed(`${run}# CHECK-NEXT: \n$0\n${rest}`, '\n'), `${run}\n\n${rest}`);
    // What Enter has cut off.
    assert.equal(typed(`# RUN: llc \\\n$0%s\n${rest}`, '\n'), `# RUN: llc \\\n# RUN:   %s\n${rest}`);
    assert.equal(typed(`${run}# CHECK: a\n$0 b\n${rest}`, '\n'), `${run}# CHECK: a\n# CHECK-NEXT: b\n${rest}`);
    assert.equal(typed(`${run}# CHECK: a\n$0# b\n${rest}`, '\n'), `${run}# CHECK: a\n# b\n${rest}`);
    assert.equal(typed(`${run}# OTHER: a\n$0\n${rest}`, '\n'), `${run}# OTHER: a\n\n${rest}`);
  });
});

describe('linked editing', () => {
  it('all places of a virtual register', () => {
    const { snapshot, position } = atCursor(
      fn('  bb.0:\n    %sum$0:vgpr_32 = IMPLICIT_DEF\n    S_NOP 0, implicit %sum\n'),
    );
    const linked = provideLinkedEditingRanges(snapshot, { position })!;
    assert.deepEqual(
      linked.ranges.map((r) => snapshot.text.slice(snapshot.text.offsetAt(r.start), snapshot.text.offsetAt(r.end))),
      ['sum', 'sum'],
    );
    const physical = atCursor(fn('  bb.0:\n    $vgpr0$0 = IMPLICIT_DEF\n    S_NOP 0, implicit $vgpr0\n'));
    assert.equal(provideLinkedEditingRanges(physical.snapshot, { position: physical.position }), null);
  });
});
