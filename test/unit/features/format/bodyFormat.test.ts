/** Formatting line by line: what comes out, and that it is touched no more. */
import assert from 'node:assert/strict';
import { provideFormatting, provideRangeFormatting } from '../../../../server/src/features/format/formatting.js';
import { columnOf, kindOf, LineKind, opensBundle } from '../../../../server/src/features/format/bodyFormat.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { applied } from '../../../support/editing.js';
import { openText, URI } from '../../../support/cursor.js';

const textDocument = { uri: URI };

function format(text: string): string {
  const { snapshot } = openText(text);
  return applied(snapshot, provideFormatting(snapshot, { textDocument }));
}

/** What formatting makes of it is `after`, which it leaves alone. */
function becomes(before: string, after: string): void {
  assert.equal(format(before), after);
  const { snapshot } = openText(after);
  assert.deepEqual(provideFormatting(snapshot, { textDocument }), []);
}

const fn = (body: string): string => `---\nname:            f\nbody:             |\n${body}...\n`;

/** An instruction as it is written, and as llc would have the blanks. */
const LINES: readonly (readonly [before: string, after: string])[] = [
  ['S_NOP   0', 'S_NOP 0'],
  ['S_NOP\t0', 'S_NOP 0'],
  ['S_NOP 0 \t ', 'S_NOP 0'],
  ['S_ENDPGM 0 , implicit %0', 'S_ENDPGM 0, implicit %0'],
  ['S_ENDPGM 0,implicit %0', 'S_ENDPGM 0, implicit %0'],
  ['S_ENDPGM 0  ,  implicit   %0', 'S_ENDPGM 0, implicit %0'],
  ['%0:vgpr_32=COPY $vgpr0', '%0:vgpr_32 = COPY $vgpr0'],
  ['%0:vgpr_32= COPY $vgpr0', '%0:vgpr_32 = COPY $vgpr0'],
  ['%0:vgpr_32 =COPY $vgpr0', '%0:vgpr_32 = COPY $vgpr0'],
  ['%0:vgpr_32,%1:vgpr_32  =   FOO', '%0:vgpr_32, %1:vgpr_32 = FOO'],
  ['%0:_(  s32  ) = G_CONSTANT i32   7', '%0:_(s32) = G_CONSTANT i32 7'],
  ['%2:_( <4 x s32> ) = COPY $vgpr0', '%2:_(<4 x s32>) = COPY $vgpr0'],
  [
    'FOO %0, 0, implicit $exec::(load ( s32 )  from  %ir.p , align 4 )',
    'FOO %0, 0, implicit $exec :: (load (s32) from %ir.p, align 4)',
  ],
  ['FOO %0 ::(load (s32)),(store (s32))', 'FOO %0 :: (load (s32)), (store (s32))'],
  ['FOO %0::  (load (s32))', 'FOO %0 :: (load (s32))'],
  // In parentheses a comma keeps what is after it, but more than one blank is one.
  ['%0:_(s1) = G_ICMP intpred( eq ),%1,   %2', '%0:_(s1) = G_ICMP intpred(eq), %1, %2'],
  ['FOO target-flags( amdgpu-gotprel )   @g', 'FOO target-flags(amdgpu-gotprel) @g'],
  ['FOO CustomRegMask($vgpr0,$vgpr1)', 'FOO CustomRegMask($vgpr0,$vgpr1)'],
  ['FOO CustomRegMask($vgpr0 ,   $vgpr1 )', 'FOO CustomRegMask($vgpr0, $vgpr1)'],
  ['S_NOP 0     ; why', 'S_NOP 0     ; why'],
  ['S_NOP   0     ;  why  not', 'S_NOP 0     ;  why  not'],
  ['S_NOP 0;why', 'S_NOP 0;why'],
  ['S_NOP  /* a  b */  0', 'S_NOP  /* a  b */  0'],
  ['FOO   /* a */ 1 ,  2', 'FOO   /* a */ 1, 2'],
  ['S_NOP   0 ^ 1', 'S_NOP   0 ^ 1'],
  ['FOO "a  b"   , 1', 'FOO "a  b", 1'],
];

describe('blanks inside of a line', () => {
  LINES.forEach(([before, after]) =>
    it(before, () => becomes(fn(`  bb.0:\n    ${before}\n`), fn(`  bb.0:\n    ${after}\n`))),
  );
});

const BODIES: readonly (readonly [what: string, before: string, after: string])[] = [
  ['columns', '  bb.0:\n  S_NOP 0\n      S_NOP 1\n', '  bb.0:\n    S_NOP 0\n    S_NOP 1\n'],
  ['a body further right', '      bb.0:\n        S_NOP 0\n', '  bb.0:\n    S_NOP 0\n'],
  ['a body at one column', ' bb.0:\n S_NOP 0\n', '  bb.0:\n    S_NOP 0\n'],
  ['tabs', '  bb.0:\n  \tS_NOP 0\n', '  bb.0:\n    S_NOP 0\n'],
  ['an empty line between blocks', '  bb.0:\n    S_NOP 0\n  bb.1:\n', '  bb.0:\n    S_NOP 0\n\n  bb.1:\n'],
  ['one is enough', '  bb.0:\n    S_NOP 0\n\n  bb.1:\n', '  bb.0:\n    S_NOP 0\n\n  bb.1:\n'],
  ['several stay', '  bb.0:\n    S_NOP 0\n\n\n  bb.1:\n', '  bb.0:\n    S_NOP 0\n\n\n  bb.1:\n'],
  ['none after a comment', '  bb.0:\n    S_NOP 0\n  ; x\n  bb.1:\n', '  bb.0:\n    S_NOP 0\n  ; x\n  bb.1:\n'],
  ['none before the first', '  bb.0:\n  bb.1:\n', '  bb.0:\n  bb.1:\n'],
  [
    'after live-ins and successors',
    '  bb.0:\n  successors : %bb.1\n  liveins: $vgpr0\n  S_NOP 0\n  bb.1:\n    liveins: $vgpr0\n  bb.2:\n',
    '  bb.0:\n    successors : %bb.1\n    liveins: $vgpr0\n\n    S_NOP 0\n\n  bb.1:\n    liveins: $vgpr0\n\n  bb.2:\n',
  ],
  [
    'live-ins, a comment, an instruction',
    '  bb.0:\n    liveins: $vgpr0\n    ; x\n    S_NOP 0\n',
    '  bb.0:\n    liveins: $vgpr0\n    ; x\n    S_NOP 0\n',
  ],
  [
    'bundles',
    '  bb.0:\n    BUNDLE {\n    S_NOP 0\n    S_NOP 1\n    }\n    S_NOP 2\n  bb.1:\n    BUNDLE implicit-def $vgpr0 { ; x\n    S_NOP 0\n  }\n  bb.2:\n',
    '  bb.0:\n    BUNDLE {\n      S_NOP 0\n      S_NOP 1\n    }\n    S_NOP 2\n\n  bb.1:\n    BUNDLE implicit-def $vgpr0 { ; x\n      S_NOP 0\n    }\n\n  bb.2:\n',
  ],
  ['a brace that closes nothing', '  bb.0:\n  }\n  S_NOP 0\n', '  bb.0:\n    }\n    S_NOP 0\n'],
  ['a brace in a line', '  bb.0:\n  S_NOP {1}\n  S_NOP 0\n', '  bb.0:\n    S_NOP {1}\n    S_NOP 0\n'],
  ['comments stay', '  bb.0:\n  ; a\n  # b\n      ; c\n', '  bb.0:\n  ; a\n  # b\n      ; c\n'],
  // A comment that stays before llc's column would fall out of the body, or the rest would.
  ['a comment at one column', ' bb.0:\n ; x\n   S_NOP 0\n', ' bb.0:\n ; x\n   S_NOP 0\n'],
  ['a comment at one column, with a line further right', ' bb.0:\n ; x\n  S_NOP 0\n', ' bb.0:\n ; x\n   S_NOP 0\n'],
  ['a first comment further right', '   ; x\n   bb.0:\n    S_NOP 0\n', '   ; x\n   bb.0:\n     S_NOP 0\n'],
  ['a first comment at two columns', '  ; x\n  bb.0:\n  S_NOP 0\n', '  ; x\n  bb.0:\n    S_NOP 0\n'],
  ['a later comment further right', '   bb.0:\n   ; x\n   S_NOP 0\n', '  bb.0:\n   ; x\n    S_NOP 0\n'],
  ['blanks of an empty line', '  bb.0:\n      \n  S_NOP 0\n   \n', '  bb.0:\n      \n    S_NOP 0\n   \n'],
  ['a comment over lines', '  bb.0:\n  S_NOP 0 /* x\n  */\n', '  bb.0:\n  S_NOP 0 /* x\n  */\n'],
  ['a comment that ends', '  bb.0:\n  S_NOP 0 /* x */\n', '  bb.0:\n    S_NOP 0 /* x */\n'],
  ['what begins one in a comment', '  bb.0:\n  S_NOP 0 ; /* x\n', '  bb.0:\n    S_NOP 0 ; /* x\n'],
  [
    'labels with names and attributes',
    '    bb.0.entry  ( address-taken ):\n    S_NOP 0\n',
    '  bb.0.entry (address-taken):\n    S_NOP 0\n',
  ],
];

describe('lines of a body', () => {
  BODIES.forEach(([what, before, after]) => {
    it(what, () => becomes(fn(before), fn(after)));
    it(`${what}, with carriage returns`, () =>
      becomes(fn(before).replaceAll('\n', '\r\n'), fn(after).replaceAll('\n', '\r\n')));
  });

  it('no body, an empty one', () => {
    for (const text of ['---\nname:            f\n...\n', '---\nname:            f\nbody:            ""\n...\n'])
      becomes(text, text);
  });
});

const HEADERS: readonly (readonly [before: string, after: string])[] = [
  ['alignment: 4', 'alignment:       4'],
  ['alignment:\t4', 'alignment:       4'],
  ['alignment:                      4', 'alignment:       4'],
  // 15, 16 and 17 characters
  ['exposesReturnsTw: true', 'exposesReturnsTw: true'],
  ['exposesReturnsT:   true', 'exposesReturnsT: true'],
  ['exposesReturnsT: true', 'exposesReturnsT: true'],
  ['exposesReturnsTwo:    true', 'exposesReturnsTwo: true'],
  ['frameInfo:\n  hasCalls: true', 'frameInfo:\n  hasCalls:        true'],
  ['liveins:\n  - { reg:   "$vgpr0" }', 'liveins:\n  - { reg:   "$vgpr0" }'],
  ['liveins: [ ]', 'liveins:         [ ]'],
  ['stack:\n  - id: 0\n    size:   4', 'stack:\n  - id:              0\n    size:            4'],
  ['legalized:', 'legalized:'],
  ['legalized:   ', 'legalized:   '],
  ['legalized: # no', 'legalized: # no'],
  ['"legalized": true', '"legalized":     true'],
  ['registers:   []', 'registers:       []'],
];

describe('columns of a header', () => {
  HEADERS.forEach(([before, after]) =>
    it(before, () => becomes(`---\nname:            f\n${before}\n...\n`, `---\nname:            f\n${after}\n...\n`)),
  );

  it('block scalars stand one further right, unless their key is long', () => {
    becomes('---\nname: f\nbody: |\n  bb.0:\n...\n', '---\nname:            f\nbody:             |\n  bb.0:\n...\n');
    for (const [key, gap] of [
      ['abcdefghijklmno', '  '],
      ['abcdefghijklmnop', ' '],
      ['abcdefghijklmnopq', ' '],
    ])
      becomes(
        `---\nname:            f\n${key}:     |\n  x\n...\n`,
        `---\nname:            f\n${key}:${gap}|\n  x\n...\n`,
      );
  });

  it('a document with an error stays, its neighbours do not', () => {
    const broken = '---\nname: [\nbody: |\n  bb.0:\n  S_NOP 0\n...\n';
    becomes(`${broken}---\nname: g\n...\n`, `${broken}---\nname:            g\n...\n`);
  });
});

describe('a part of a document', () => {
  const text = fn('  bb.0:\n  S_NOP 0\n  S_NOP  1\n  S_NOP 2\n');
  const lines = (from: readonly number[], to: readonly number[], token = NEVER_CANCELLED): string => {
    const { snapshot } = openText(text);
    const range = {
      start: { line: from[0]!, character: from[1]! },
      end: { line: to[0]!, character: to[1]! },
    };
    const after = applied(snapshot, provideRangeFormatting(snapshot, { textDocument, range }, token)).split('\n');
    return after.flatMap((l, k) => (l === text.split('\n')[k] ? [] : [`${k}${l}`])).join();
  };

  it('is whole lines', () => {
    assert.equal(lines([4, 0], [4, 3]), '4    S_NOP 0');
    assert.equal(lines([4, 6], [5, 3]), '4    S_NOP 0,5    S_NOP 1');
    assert.equal(lines([5, 9], [5, 9]), '5    S_NOP 1');
    assert.equal(lines([0, 0], [9, 0]), '4    S_NOP 0,5    S_NOP 1,6    S_NOP 2');
  });

  it('does not have the line before which it ends', () => {
    assert.equal(lines([4, 0], [5, 0]), '4    S_NOP 0');
    assert.equal(lines([4, 2], [6, 0]), '4    S_NOP 0,5    S_NOP 1');
    assert.equal(lines([5, 0], [5, 0]), '5    S_NOP 1');
  });

  it('is left alone by a request that is cancelled', () => {
    assert.equal(lines([0, 0], [9, 0], { isCancelled: () => true }), '');
  });
});

describe('lines by what they are', () => {
  it('kinds', () => {
    const kinds: readonly (readonly [string, LineKind])[] = [
      ['', LineKind.Blank],
      ['; x', LineKind.Comment],
      [';', LineKind.Comment],
      ['# x', LineKind.Comment],
      ['bb.0:', LineKind.Label],
      ['bb.12.x (landing-pad):', LineKind.Label],
      ['bb.x:', LineKind.Instruction],
      ['%bb.0:', LineKind.Instruction],
      ['x bb.0', LineKind.Instruction],
      ['successors:', LineKind.Attribute],
      ['successors \t: %bb.1', LineKind.Attribute],
      ['liveins: $vgpr0', LineKind.Attribute],
      ['liveins', LineKind.Instruction],
      ['x liveins: ', LineKind.Instruction],
      ['}', LineKind.Close],
      ['} x', LineKind.Close],
      ['S_NOP 0 }', LineKind.Instruction],
    ];
    for (const [content, kind] of kinds) assert.equal(kindOf(content), kind, content);
  });

  it('bundles that are opened', () => {
    for (const line of ['BUNDLE {', 'BUNDLE { ', 'BUNDLE {;x', '  BUNDLE implicit $exec { ; x {', '{'])
      assert.ok(opensBundle(line), line);
    for (const line of ['BUNDLE', '{ x', 'BUNDLE { S_NOP 0', 'S_NOP 0 }', '']) assert.ok(!opensBundle(line), line);
  });

  it('columns', () => {
    assert.deepEqual(
      [LineKind.Label, LineKind.Attribute, LineKind.Instruction, LineKind.Close].map((kind) => [
        columnOf({ kind, depth: 0 }, 2),
        columnOf({ kind, depth: 1 }, 3),
      ]),
      [
        [2, 3],
        [4, 7],
        [4, 7],
        [4, 7],
      ],
    );
  });
});
