/** What a line of a body is read as around the cursor: every place of lines of each shape, told by hand. */
import assert from 'node:assert/strict';
import { splitCursor } from '../../../support/cursor.js';
import { LinePlace, readInstrLine } from '../../../../server/src/features/completion/instrLine.js';

const NAMES: Readonly<Record<number, string>> = {
  [LinePlace.Start]: 'start',
  [LinePlace.Def]: 'def',
  [LinePlace.Opcode]: 'opcode',
  [LinePlace.Operand]: 'operand',
  [LinePlace.Trailer]: 'trailer',
  [LinePlace.Memory]: 'memory',
  [LinePlace.Successors]: 'successors',
  [LinePlace.LiveIns]: 'liveins',
  [LinePlace.Label]: 'label',
  [LinePlace.None]: 'none',
};

/** `place k 'word'`, then the parts of the line: `defs | opcode | operands | memory`. */
function shape(marked: string, before = 'x\n'): { at: string; parts: string } {
  const { text: own, offset } = splitCursor(marked);
  const cursor = before.length + offset;
  const text = `${before}${own}\n    S_NOP 0\n`;
  const line = readInstrLine(text, before.length, before.length + own.length, cursor);
  const words = (from: number, to: number): string =>
    line.tokens
      .slice(from, to)
      .map((t) => text.slice(t.start, t.end))
      .join(' ');
  const k = line.place === LinePlace.Def ? line.defAt : line.operandAt;
  const isCounted = line.place === LinePlace.Def || line.place === LinePlace.Operand;
  return {
    at: `${NAMES[line.place]!}${isCounted ? ` ${k}` : ''} '${text.slice(line.wordStart, cursor)}'${line.wordEnd > cursor ? ` '${text.slice(cursor, line.wordEnd)}'` : ''}`,
    parts: [
      line.defs.map((s) => words(s.from, s.to)).join(', '),
      line.opcode < 0 ? '' : words(line.opcode, line.opcode + 1),
      line.operands.map((s) => words(s.from, s.to)).join(', '),
      line.memory < 0 ? '' : words(line.memory, line.tokens.length),
    ].join(' | '),
  };
}

/** Lines, where the cursor is, and what else stands there. */
const LINES: readonly (readonly [line: string, at: string, parts: string])[] = [
  ['    $0', "start ''", ' |  |  | '],
  ['$0', "start ''", ' |  |  | '],
  ['    V_A$0', "start 'V_A'", ' |  |  | '],
  ['    V_A$0DD', "start 'V_A' 'DD'", ' |  |  | '],
  ['    %0$0', "start '%0'", ' |  |  | '],
  ['    $0%0:vgpr_32 = V_X %1', "def 0 '' '%0'", ': vgpr_32 | V_X | %1 | '],
  ['    %0:vgpr_32 $0', "def -1 ''", ' |  | %0 : vgpr_32 | '],
  ['    %0:vgpr_32, $0', "def -1 ''", ' |  | %0 : vgpr_32,  | '],
  ['    $0 = V_X %1', "def 0 ''", ' | V_X | %1 | '],
  ['    %0:v$0 = V_X %1', "def 0 'v'", '%0 : | V_X | %1 | '],
  ['    %0:vgpr_32, $0 = V_X %1', "def 1 ''", '%0 : vgpr_32,  | V_X | %1 | '],
  ['    %0:vgpr_32, %1$0, %2:sreg_64 = V_X', "def 1 '%1'", '%0 : vgpr_32, , %2 : sreg_64 | V_X |  | '],
  ['    %0:_(<2 x s16>), $0 = G_X %1', "def 1 ''", '%0 : _ ( < 2 x s16 > ),  | G_X | %1 | '],
  ['    %0:vgpr_32 = $0', "opcode ''", '%0 : vgpr_32 |  |  | '],
  ['    %0:vgpr_32 = V_$0', "opcode 'V_'", '%0 : vgpr_32 |  |  | '],
  ['    %0:vgpr_32 = nofpexcept $0', "opcode ''", '%0 : vgpr_32 |  |  | '],
  ['    nofpexcept $0', "opcode ''", ' |  |  | '],
  ['    %0:vgpr_32 = $0 %1, 0', "opcode ''", '%0 : vgpr_32 |  | %1, 0 | '],
  ['    %0:vgpr_32 = nofpexcept $0 %1, 0', "opcode ''", '%0 : vgpr_32 |  | %1, 0 | '],
  ['    V_X $0', "operand 0 ''", ' | V_X |  | '],
  ['    V_X %1$0', "operand 0 '%1'", ' | V_X |  | '],
  ['    V_X %1, $0', "operand 1 ''", ' | V_X | %1,  | '],
  ['    V_X %1, $0, 5', "operand 1 ''", ' | V_X | %1, , 5 | '],
  ['    V_X $0, %1', "operand 0 ''", ' | V_X | , %1 | '],
  ['    V_X killed $0', "operand 0 ''", ' | V_X | killed | '],
  ['    V_X %1, implicit $e$0', "operand 1 '$e'", ' | V_X | %1, implicit | '],
  ['    V_X %1, implicit $0, implicit $exec', "operand 1 ''", ' | V_X | %1, implicit, implicit $exec | '],
  ['    V_X %1 $0', "operand 0 ''", ' | V_X | %1 | '],
  ['    V_X %1.s$0', "operand 0 '%1.s'", ' | V_X |  | '],
  ['    V_X %1(s32), $0', "operand 1 ''", ' | V_X | %1 ( s32 ),  | '],
  [
    '    V_X target-flags(amdgpu-rel32-lo) @f + 4, $0',
    "operand 1 ''",
    ' | V_X | target-flags ( amdgpu-rel32-lo ) @f + 4,  | ',
  ],
  ['    V_X shufflemask(0, 1), $0', "operand 1 ''", ' | V_X | shufflemask ( 0 , 1 ),  | '],
  ['    V_X shufflemask(0, $0', "operand 0 ''", ' | V_X | shufflemask ( 0 , | '],
  ['    V_X %1, 0, 0 :: (load (s32), align 4), $0', "memory ''", ' | V_X | %1, 0, 0 | :: ( load ( s32 ) , align 4 ) ,'],
  ['    V_X %1, 0, 0 :: $0', "memory ''", ' | V_X | %1, 0, 0 | ::'],
  ['    V_X %1, 0, 0 $0:: (load (s32))', "operand 2 ''", ' | V_X | %1, 0, 0 | :: ( load ( s32 ) )'],
  ['    V_X %1, $0 :: (load (s32))', "operand 1 ''", ' | V_X | %1,  | :: ( load ( s32 ) )'],
  ['    $0 %1, 0 :: (load (s32))', "start ''", ' |  | %1, 0 | :: ( load ( s32 ) )'],
  ['    %0:x = $0 %1, 0 :: (load (s32) = 3)', "opcode ''", '%0 : x |  | %1, 0 | :: ( load ( s32 ) = 3 )'],
  ['    V_X %1 :: (x = $0', "memory ''", ' | V_X | %1 | :: ( x ='],
  ['    V_X %1, debug-location $0', "trailer ''", ' | V_X | %1 | '],
  ['    V_X %1, debug-location !3, debug-instr-number $0', "trailer ''", ' | V_X | %1 | '],
  ['    V_X %1, $0, debug-location !3', "operand 1 ''", ' | V_X | %1,  | '],
  ['    V_X debug-location !3, $0', "trailer ''", ' | V_X |  | '],
  ['    V_X %1, pre-instr-symbol <mcsymbol a>, debug-location !1 :: $0', "memory ''", ' | V_X | %1 | ::'],
  ['    BUNDLE implicit $0 {', "operand 0 ''", ' | BUNDLE | implicit | '],
  ['    BUNDLE implicit $exec { $0', "trailer ''", ' | BUNDLE | implicit $exec | '],
  ['    $0 implicit $exec {', "start ''", ' |  | implicit $exec | '],
  ['    successors: $0', "successors ''", ' |  |  | '],
  ['    successors: %bb.1, %bb$0', "successors '%bb'", ' |  |  | '],
  ['    liveins: $0', "liveins ''", ' |  |  | '],
  ['    liveins: $vgpr0, $$0', "liveins '$'", ' |  |  | '],
  ['    liveins$0', "start 'liveins'", ' |  |  | '],
  ['  bb.0: $0', "none ''", ' |  |  | '],
  ['  bb.0 ($0', "label ''", ' |  |  | '],
  ['  bb.0 (align 4, $0', "label ''", ' |  |  | '],
  ['  bb.0.name (align 4):$0', "none ''", ' |  |  | '],
  ['    ; V_X $0', "none ''", ' |  |  | '],
  ['    V_X %1 ; $0', "none ''", ' |  |  | '],
  ['    V_X %1 # $0', "none ''", ' |  |  | '],
  ['    V_X %1, $0 ; %2, %3', "operand 1 ''", ' | V_X | %1,  | '],
  ['    V_X &"a;b", $0', "operand 1 ''", ' | V_X | &"a;b",  | '],
  ['    V_X &"a, b", $0', "operand 1 ''", ' | V_X | &"a, b",  | '],
  ['    %0:_(a, b), %1:x = V_X $0', "operand 0 ''", '%0 : _ ( a , b ), %1 : x | V_X |  | '],
  ['    %0:_(a, b), $0 = V_X', "def 1 ''", '%0 : _ ( a , b ),  | V_X |  | '],
  ['    %0<a, b>, $0 = V_X', "def 1 ''", '%0 < a , b >,  | V_X |  | '],
  ['    V_X $0,', "operand 0 ''", ' | V_X | ,  | '],
  ['    V_X %1,$0 %2,', "operand 1 ''", ' | V_X | %1, %2,  | '],
  ['    $0 %1,', "start ''", ' |  | %1,  | '],
  ['    V_X %1, debug-location !3,$0', "trailer ''", ' | V_X | %1 | '],
  ['    V_X %1, debug-location !3 $0', "trailer ''", ' | V_X | %1 | '],
  ['    V_X $0 debug-location !3', "operand 0 ''", ' | V_X |  | '],
  ['    V_X (debug-location, $0), %2', "operand 0 ''", ' | V_X | ( debug-location , ), %2 | '],
  ['    V_X (a :: b, $0', "operand 0 ''", ' | V_X | ( a :: b , | '],
  ['    V_X %1 :: (a), (b), $0', "memory ''", ' | V_X | %1 | :: ( a ) , ( b ) ,'],
  ['    V_X :: $0', "memory ''", ' | V_X |  | ::'],
  ['    V_X $0 :: (a)', "operand 0 ''", ' | V_X |  | :: ( a )'],
  ['    DBG_INSTR_REF dbg-instr-ref(1, 0), $0', "operand 1 ''", ' | DBG_INSTR_REF | dbg-instr-ref ( 1 , 0 ),  | '],
  ['    frame-setup frame-destroy $0', "opcode ''", ' |  |  | '],
  ['    inbounds $0', "opcode ''", ' |  |  | '],
  ['    inbounds V_X $0', "operand 0 ''", ' | V_X |  | '],
  ['    %0:x = inbounds V_X $0', "operand 0 ''", '%0 : x | V_X |  | '],
  ['    V_$0 %1, %2', "start 'V_'", ' |  | %1, %2 | '],
  ['    nofpexcept V_$0 %1, %2', "opcode 'V_'", ' |  | %1, %2 | '],
  ['    %0:x = V_X %1 { $0', "trailer ''", '%0 : x | V_X | %1 | '],
  ['    "a" $0', "def -1 ''", ' |  | "a" | '],
  ['    "a $0', "none ''", ' |  |  | '],
  ['    V_X %1, deactivation-symbol $0', "trailer ''", ' | V_X | %1 | '],
  ['    %0:x = %1:y = $0', "opcode ''", '%0 : x |  | %1 : y = | '],
];

describe('a line as completion reads it', () => {
  it('by every shape of line', () => {
    const show = (line: string, { at, parts }: { at: string; parts: string }): string => `${line} -> ${at} -> ${parts}`;
    const wanted = LINES.map(([line, at, parts]) => show(line, { at, parts }));
    assert.deepEqual(
      LINES.map(([line]) => show(line, shape(line))),
      wanted,
    );
    assert.deepEqual(
      LINES.map(([line]) => show(line, shape(line, ''))),
      wanted,
      'as the first line',
    );
  });

  it('at every place of a whole line', () => {
    // Each piece with what is said of the cursor in it.
    const pieces: readonly (readonly [string, string])[] = [
      ['    ', 'def 0'],
      ['%0', 'def 0'],
      [':', 'def 0'],
      ['vgpr_32', 'def 0'],
      [',', 'def 1'],
      [' ', 'def 1'],
      ['dead', 'def 1'],
      [' ', 'def 1'],
      ['%1', 'def 1'],
      [' ', 'def 1'],
      ['=', 'opcode'],
      [' ', 'opcode'],
      ['nofpexcept', 'opcode'],
      [' ', 'opcode'],
      ['V_X', 'opcode'],
      [' ', 'operand 0'],
      ['killed', 'operand 0'],
      [' ', 'operand 0'],
      ['%2', 'operand 0'],
      [',', 'operand 1'],
      [' ', 'operand 1'],
      ['-1', 'operand 1'],
      [',', 'operand 2'],
      [' ', 'operand 2'],
      ['implicit', 'operand 2'],
      [' ', 'operand 2'],
      ['$exec', 'operand 2'],
      [' ', 'operand 2'],
      ['::', 'memory'],
      [' ', 'memory'],
      ['(', 'memory'],
      ['load', 'memory'],
      [' ', 'memory'],
      ['(', 'memory'],
      ['s32', 'memory'],
      [')', 'memory'],
      [')', 'memory'],
    ];
    const whole = pieces.map(([text]) => text).join('');
    let from = 0;
    for (const [text, place] of pieces) {
      for (let at = from + 1; at <= from + text.length; at++) {
        // Between the colons neither stands yet.
        if (text === '::' && at === from + 1) continue;
        const found = shape(`${whole.slice(0, at)}$0${whole.slice(at)}`);
        assert.equal(found.at.replace(/ '.*/, ''), place, `${whole.slice(0, at)}$0`);
      }
      from += text.length;
    }
  });

  it('words of 256 characters and no more', () => {
    const word = 'V'.repeat(300);
    assert.equal(/'(V*)'/.exec(shape(`    ${word}$0`).at)?.[1]?.length, 256);
    assert.equal(shape(`    $0${word}`).at, `start '' '${word.slice(0, 256)}'`);
  });
});
