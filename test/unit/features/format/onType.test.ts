/** Formatting while typing: the line of the cursor, by what was typed. */
import assert from 'node:assert/strict';
import { provideOnTypeFormatting } from '../../../../server/src/features/format/onType.js';
import { applied } from '../../../support/editing.js';
import { atCursor, URI } from '../../../support/cursor.js';

const textDocument = { uri: URI };
const fn = (body: string): string => `---\nname:            f\nbody:             |\n${body}...\n`;

/** The text after `ch` was typed before the bar; where nothing is changed there must be no edit. */
function typed(marked: string, ch: string): string {
  const { snapshot, position, text } = atCursor(marked);
  const edits = provideOnTypeFormatting(snapshot, { textDocument, position, ch });
  const after = applied(snapshot, edits);
  assert.equal(edits.length === 0, after === text);
  return after;
}

/** A body around the cursor's line; `ch` typed there makes `line` of it. */
type Case = readonly [above: string, own: string, ch: string, line: string, below?: string];

const CASES: readonly Case[] = [
  // A label stands as the one above it, the first where the body begins.
  ['  bb.0:\n    S_NOP 0\n', '    bb.1:', ':', '  bb.1:'],
  ['  bb.0:\n    S_NOP 0\n', '    bb.1.x (align 4):', ':', '  bb.1.x (align 4):'],
  ['  bb.0:\n    S_NOP 0\n', '  bb.1:', ':', '  bb.1:'],
  ['   bb.0:\n     S_NOP 0\n', '     bb.12:', ':', '   bb.12:'],
  ['', '    bb.0:', ':', '    bb.0:'],
  ['  bb.0:\n', '  successors:', ':', '    successors:'],
  ['  bb.0:\n', '       liveins:', ':', '    liveins:'],
  ['  bb.0:\n', '\tliveins:', ':', '    liveins:'],
  // Colons that finish nothing.
  ['  bb.0:\n', '  %0:', ':', '  %0:'],
  ['  bb.0:\n', '  bb.1: x', ':', '  bb.1: x'],
  ['  bb.0:\n', '  bb.x:', ':', '  bb.x:'],
  ['  bb.0:\n', '  x bb.1:', ':', '  x bb.1:'],
  ['  bb.0:\n', '  xsuccessors:', ':', '  xsuccessors:'],
  ['  bb.0:\n', '  liveins: $vgpr0', ':', '  liveins: $vgpr0'],
  ['  bb.0:\n', '  S_NOP 0 ::', ':', '  S_NOP 0 ::'],
  // Braces.
  ['  bb.0:\n    BUNDLE {\n      S_NOP 0\n', '      }', '}', '    }'],
  ['  bb.0:\n    BUNDLE { ; x\n      S_NOP 0\n', '  }', '}', '    }'],
  ['  bb.0:\n    S_NOP 0\n', '      }', '}', '    }'],
  ['  bb.0:\n    BUNDLE {\n      S_NOP 0\n', '      S_NOP 1 }', '}', '      S_NOP 1 }'],
  ['  bb.0:\n    BUNDLE {\n      S_NOP 0\n    }\n    BUNDLE {\n', '      }', '}', '    }'],
  // Return.
  ['  bb.0:\n', '  ', '\n', '    '],
  ['  bb.0:\n', '    ', '\n', '    '],
  ['  bb.0:\n', '', '\n', '    '],
  ['  bb.0:\n', '  S_NOP 0', '\n', '    S_NOP 0'],
  ['   bb.0:\n', '', '\n', '     '],
  ['  bb.0:\n    BUNDLE {\n', '', '\n', '      '],
  ['  bb.0:\n    BUNDLE {\n', '  S_NOP 0', '\n', '      S_NOP 0'],
  ['  bb.0:\n    BUNDLE {\n', '}', '\n', '    }'],
  ['  bb.0:\n    BUNDLE {\n      S_NOP 0\n    }\n', '', '\n', '    '],
  ['  bb.0:\n    BUNDLE {\n      S_NOP 0\n    }\n    }\n    }\n', '', '\n', '    '],
  ['  bb.0:\n    BUNDLE {\n      S_NOP 0\n', '', '\n', '      '],
  // Of another block nothing counts.
  ['  bb.0:\n    BUNDLE {\n  bb.1:\n', '', '\n', '    '],
  ['  bb.0:\n  \tS_NOP 0\n', '', '\n', '  \t'],
  ['  bb.0:\n\tS_NOP 0\n', '   S_NOP 1', '\n', '\tS_NOP 1'],
  // Only the line right above has tabs to keep, and only an instruction.
  ['  bb.0:\n\tS_NOP 0\n\n', '', '\n', '    '],
  ['  bb.0:\n  \t; x\n', '', '\n', '    '],
  ['  bb.0:\n      S_NOP 0\n', '', '\n', '    '],
  ['  bb.0:\n    S_NOP 0\t\n', '', '\n', '    '],
  // What says by itself where it stands.
  ['  bb.0:\n', '      ; x', '\n', '      ; x'],
  ['  bb.0:\n    S_NOP 0\n', '      bb.1:', '\n', '      bb.1:'],
  ['  bb.0:\n', '  liveins: $vgpr0', '\n', '  liveins: $vgpr0'],
];

describe('formatting while typing, line by line', () => {
  CASES.forEach(([above, own, ch, line]) =>
    it(JSON.stringify(`${above}${own} ${ch}`), () => {
      assert.equal(typed(fn(`${above}${own}$0\n    S_ENDPGM 0\n`), ch), fn(`${above}${line}\n    S_ENDPGM 0\n`));
    }),
  );

  it('not in a header, not outside of functions', () => {
    for (const marked of [
      '---\nname: f\n$0\nbody: |\n  bb.0:\n...\n',
      '---\nname: f\n  liveins:$0\nbody: |\n  bb.0:\n...\n',
      'x\n$0\n',
      '$0',
      '---\nname: f\n  }$0\n...\n',
    ])
      for (const ch of ['\n', ':', '}']) assert.equal(typed(marked, ch), marked.replace('$0', ''));
  });
});

const RUN = '# RUN: llc %s | FileCheck %s\n';
const REST = fn('  bb.0:\n    S_NOP 0\n');

/** The line above, what Enter leaves on the new line, both afterwards. */
const TEST_LINES: readonly (readonly [above: string, own: string, after: string])[] = [
  ['# RUN: llc \\', '', '# RUN: llc \\\n# RUN:   '],
  ['# RUN: llc \\  ', '', '# RUN: llc \\  \n# RUN:   '],
  ['  //  RUN: llc \\', '', '  //  RUN: llc \\\n  //  RUN:   '],
  [';; RUN: llc \\', '  -x', ';; RUN: llc \\\n;; RUN:   -x'],
  ['# RUN: llc \\ -x', '', '# RUN: llc \\ -x\n'],
  ['# RUN: llc', '', '# RUN: llc\n'],
  ['# CHECK: a', '', '# CHECK: a\n# CHECK-NEXT: '],
  ['  ; CHECK: a', '', '  ; CHECK: a\n  ; CHECK-NEXT: '],
  ['#CHECK: a', ' b', '#CHECK: a\n#CHECK-NEXT: b'],
  ['# CHECK-NEXT: a', '', '# CHECK-NEXT: a\n# CHECK-NEXT: '],
  ['# CHECK-SAME: a', '', '# CHECK-SAME: a\n# CHECK-NEXT: '],
  ['# CHECK-LABEL: a', '', '# CHECK-LABEL: a\n# CHECK-NEXT: '],
  ['# CHECK-COUNT-12: a', '', '# CHECK-COUNT-12: a\n# CHECK-NEXT: '],
  ['# CHECK-DAG: a', '', '# CHECK-DAG: a\n# CHECK-DAG: '],
  ['# CHECK-NOT: a', '', '# CHECK-NOT: a\n# CHECK-NOT: '],
  ['# CHECK-EMPTY:', '', '# CHECK-EMPTY:\n# CHECK-NEXT: '],
  ['# CHECK-NEXT:', '', '\n'],
  ['# CHECK-NEXT:  ', '', '\n'],
  ['# CHECK:', ' b', '# CHECK:\n# CHECK-NEXT: b'],
  ['# CHECK: a', '# b', '# CHECK: a\n# b'],
  ['# CHECK: a', '  ; b', '# CHECK: a\n  ; b'],
  ['# CHECK: a', '// b', '# CHECK: a\n// b'],
  ['# CHECK: a', '/ b', '# CHECK: a\n# CHECK-NEXT: / b'],
  ['# OTHER: a', '', '# OTHER: a\n'],
  ['# CHECK a', '', '# CHECK a\n'],
  ['x # CHECK: a', '', 'x # CHECK: a\n'],
  ['CHECK: a', '', 'CHECK: a\n'],
];

describe('lines of a test go on', () => {
  TEST_LINES.forEach(([above, own, after]) =>
    it(JSON.stringify(`${above}\n${own}`), () =>
      assert.equal(typed(`${RUN}${above}\n$0${own}\n${REST}`, '\n'), `${RUN}${after}\n${REST}`),
    ),
  );

  it('inside of a body, too', () => {
    const body = (lines: string): string => `${RUN}${fn(`  bb.0:\n${lines}    S_NOP 0\n`)}`;
    assert.equal(typed(body('    ; CHECK: a\n$0\n'), '\n'), body('    ; CHECK: a\n    ; CHECK-NEXT: \n'));
    // Otherwise it is an instruction.
    assert.equal(typed(body('    ; OTHER: a\n$0\n'), '\n'), body('    ; OTHER: a\n    \n'));
  });

  it('in the first line nothing does', () => assert.equal(typed(`$0\n${RUN}`, '\n'), `\n${RUN}`));
});
