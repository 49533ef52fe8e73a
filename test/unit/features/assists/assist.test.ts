/** Each repair asked about each place of a text: what it proposes there, and that it proposes nothing where it knows nothing. */
import assert from 'node:assert/strict';
import { blockAt, flagRange, occurrenceIn, type Assist } from '../../../../server/src/features/fixes/fix.js';
import {
  alignRegisterClasses,
  changeRegisterClass,
  firstClass,
} from '../../../../server/src/features/assists/changeClass.js';
import { removeLiveIn } from '../../../../server/src/features/assists/liveIns.js';
import { addMissingImplicit } from '../../../../server/src/features/assists/missingImplicit.js';
import { addRegisterClass } from '../../../../server/src/features/assists/registerClass.js';
import { addRegistersEntry } from '../../../../server/src/features/assists/registersEntry.js';
import {
  addEarlyClobber,
  addUndef,
  addUndefToPartialDef,
  removeDeadOfDef,
  removeEarlierKill,
  removeKill,
  removeUndef,
  removeWrongFlag,
  undefinedPhysical,
} from '../../../../server/src/features/assists/registerFlags.js';
import { correctClass, correctRegister, correctSubRegister } from '../../../../server/src/features/assists/spelling.js';
import { addSuccessor, removeSuccessor } from '../../../../server/src/features/assists/successors.js';
import type { FunctionView, Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { DiagnosticOrigin, Severity, type Diagnostic, type Facts } from '../../../../server/src/text/diagnostic.js';
import { changedLines } from '../../../support/editing.js';
import { openText } from '../../../support/cursor.js';

/** Another function stands in front: places in a document are none of the text. */
const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s
---
name: before
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: f
tracksRegLiveness: true
registers:
  - { id: 4, class: sreg_32 }
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $vgpr1

    ; a comment with $vgpr0 and %1
    %0:vgpr_32 = COPY killed renamable $vgpr0
    %1:vreg_64 = IMPLICIT_DEF
    dead undef %2.sub0:vreg_64 = COPY %0
    %3.sub1:vreg_64 = COPY killed %0
    %4 = S_MOV_B32 1
    S_NOP 0, implicit %1, implicit undef %5, implicit killed %3
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    liveins: $vgpr1
    $vgpr7 = COPY $vgpr1
    S_NOP 1, implicit killed $vgpr7, implicit-def dead $vgpr8
    S_NOP 2, implicit $vgpr7, implicit $vgpr8, implicit $vgpr9

  bb.2:
    S_ENDPGM 0
...
`;

const { snapshot } = openText(TEXT);
const view: FunctionView = snapshot.functions[1]!;

/** A finding at the first `word` after `after`. */
function at(word: string, facts: Facts = {}, after = 'name: f'): Diagnostic {
  const from = TEXT.indexOf(after);
  const start = TEXT.indexOf(word, from);
  assert.ok(from >= 0 && start >= 0, `${word} after ${after}`);
  return {
    ...{ start, end: start + word.length, message: 'said otherwise', code: 'x', severity: Severity.Error },
    origin: DiagnosticOrigin.Verifier,
    facts,
  };
}

function proposed(assist: Assist, diagnostic: Diagnostic, of: Snapshot = snapshot): string[] {
  const { text } = of.text;
  return assist({ snapshot: of, view: of.functions[1] ?? view, diagnostic }).map(({ title, edits }) => {
    let now = '';
    let last = 0;
    for (const e of edits) {
      assert.ok(last <= e.start && e.start <= e.end, 'ascending');
      now += text.slice(last, e.start) + e.text;
      last = e.end;
    }
    return [title, ...changedLines(text, now + text.slice(last))].join(' / ');
  });
}

const ALL: Readonly<Record<string, readonly [Assist, facts: Facts]>> = {
  removeWrongFlag: [removeWrongFlag, { flag: 'killed' }],
  removeEarlierKill: [removeEarlierKill, {}],
  removeDeadOfDef: [removeDeadOfDef, {}],
  removeUndef: [removeUndef, {}],
  removeKill: [removeKill, {}],
  undefinedPhysical: [undefinedPhysical, {}],
  addUndef: [addUndef, {}],
  addUndefToPartialDef: [addUndefToPartialDef, {}],
  addEarlyClobber: [addEarlyClobber, {}],
  changeRegisterClass: [changeRegisterClass, { given: 'sreg_32', expected: 'vgpr_32' }],
  alignRegisterClasses: [alignRegisterClasses, {}],
  firstClass: [firstClass, { expected: 'no_such_class' }],
  addRegisterClass: [addRegisterClass, {}],
  addRegistersEntry: [addRegistersEntry, {}],
  addSuccessor: [addSuccessor, {}],
  removeSuccessor: [removeSuccessor, {}],
  removeLiveIn: [removeLiveIn, {}],
  addMissingImplicit: [addMissingImplicit, {}],
  correctRegister: [correctRegister, {}],
  correctSubRegister: [correctSubRegister, {}],
  correctClass: [correctClass, {}],
};

describe('repairs where there is nothing to repair', () => {
  for (const [name, [assist, facts]] of Object.entries(ALL))
    it(name, () => {
      for (const [word, after] of [
        ['a comment', 'name: f'],
        ['S_NOP', 'bb.0'],
        ['IMPLICIT_DEF', 'bb.0'],
        ['tracksRegLiveness: true', 'name: f'],
        ['...', 'S_ENDPGM 0\n...\n---'],
      ] as const)
        assert.deepEqual(proposed(assist, at(word, facts, after)), [], word);
      const end = { ...at('S_ENDPGM 0', facts, 'bb.2:'), start: TEXT.length, end: TEXT.length };
      assert.deepEqual(proposed(assist, end), [], 'after all');
    });
});

interface Case {
  readonly assist: keyof typeof ALL;
  readonly word: string;
  readonly after?: string;
  readonly facts?: Facts;
  readonly wanted: readonly string[];
}

const line = (from: string, to: string): string => `- ${from} / + ${to}`;
const COPY = '%0:vgpr_32 = COPY killed renamable $vgpr0';
const PART = 'dead undef %2.sub0:vreg_64 = COPY %0';
const READS = 'S_NOP 0, implicit %1, implicit undef %5, implicit killed %3';
const PHYSICAL = 'S_NOP 1, implicit killed $vgpr7, implicit-def dead $vgpr8';
const LAST = 'S_NOP 2, implicit $vgpr7, implicit $vgpr8, implicit $vgpr9';

const CASES: readonly Case[] = [
  // flags of the operand itself
  {
    assist: 'removeWrongFlag',
    word: '$vgpr0',
    after: 'COPY killed',
    wanted: [`Remove 'killed' from $vgpr0 / ${line(COPY, COPY.replace('killed ', ''))}`],
  },
  { assist: 'removeWrongFlag', word: '$vgpr0', after: 'COPY killed', facts: {}, wanted: [] },
  {
    assist: 'removeWrongFlag',
    word: '$vgpr0',
    after: 'COPY killed',
    facts: { flag: 'renamable' },
    wanted: [`Remove 'renamable' from $vgpr0 / ${line(COPY, COPY.replace('renamable ', ''))}`],
  },
  {
    assist: 'removeWrongFlag',
    word: '%2',
    after: 'dead undef',
    facts: { flag: 'dead' },
    wanted: [`Remove 'dead' from %2 / ${line(PART, PART.replace('dead ', ''))}`],
  },
  { assist: 'removeWrongFlag', word: '%1', after: 'implicit', wanted: [] },
  {
    assist: 'removeUndef',
    word: '%2',
    after: 'dead',
    wanted: [`Remove 'undef' from %2 / ${line(PART, PART.replace('undef ', ''))}`],
  },
  {
    assist: 'removeUndef',
    word: '%5',
    wanted: [`Remove 'undef' from %5 / ${line(READS, READS.replace('undef ', ''))}`],
  },
  { assist: 'removeUndef', word: '%1', after: 'implicit', wanted: [] },
  {
    assist: 'removeKill',
    word: '%3',
    after: 'implicit killed',
    wanted: [`Remove 'killed' from %3 / ${line(READS, READS.replace('killed ', ''))}`],
  },
  { assist: 'removeKill', word: '%1', after: 'implicit', wanted: [] },
  {
    assist: 'addEarlyClobber',
    word: '%1',
    after: 'renamable',
    wanted: [
      `Mark %1 as early-clobber / ${line('%1:vreg_64 = IMPLICIT_DEF', 'early-clobber %1:vreg_64 = IMPLICIT_DEF')}`,
    ],
  },
  {
    assist: 'addUndef',
    word: '%1',
    after: 'S_NOP 0',
    wanted: [`Mark %1 as undef here / ${line(READS, READS.replace('%1', 'undef %1'))}`],
  },
  { assist: 'addUndef', word: '%5', wanted: [] },
  { assist: 'addUndef', word: '%2', after: 'dead undef', wanted: [] },
  { assist: 'addUndef', word: '$vgpr0', after: 'liveins:', wanted: [] },
  // flags elsewhere
  {
    assist: 'removeDeadOfDef',
    word: '%2',
    after: 'dead undef',
    wanted: [`Remove 'dead' from %2 in line 21 / ${line(PART, PART.replace('dead ', ''))}`],
  },
  { assist: 'removeDeadOfDef', word: '%1', after: 'S_NOP 0', wanted: [] },
  { assist: 'removeEarlierKill', word: '%3', after: 'implicit killed', wanted: [] },
  {
    assist: 'removeEarlierKill',
    word: '$vgpr7',
    after: 'S_NOP 2',
    wanted: [`Remove 'killed' from $vgpr7 in line 30 / ${line(PHYSICAL, PHYSICAL.replace('killed ', ''))}`],
  },
  { assist: 'removeEarlierKill', word: '$vgpr8', after: 'S_NOP 2', wanted: [] },
  {
    assist: 'undefinedPhysical',
    word: '$vgpr7',
    after: 'S_NOP 2',
    wanted: [
      `Remove 'killed' from $vgpr7 in line 30 / ${line(PHYSICAL, PHYSICAL.replace('killed ', ''))}`,
      `Add $vgpr7 to the live-ins of bb.1 / ${line('liveins: $vgpr1', 'liveins: $vgpr1, $vgpr7')}`,
      `Mark $vgpr7 as undef here / ${line(LAST, LAST.replace('$vgpr7', 'undef $vgpr7'))}`,
    ],
  },
  {
    assist: 'undefinedPhysical',
    word: '$vgpr8',
    after: 'S_NOP 2',
    wanted: [
      `Remove 'dead' from $vgpr8 in line 30 / ${line(PHYSICAL, PHYSICAL.replace('dead ', ''))}`,
      `Add $vgpr8 to the live-ins of bb.1 / ${line('liveins: $vgpr1', 'liveins: $vgpr1, $vgpr8')}`,
      `Mark $vgpr8 as undef here / ${line(LAST, LAST.replace('$vgpr8', 'undef $vgpr8'))}`,
    ],
  },
  {
    assist: 'undefinedPhysical',
    word: '$vgpr9',
    wanted: [
      `Add $vgpr9 to the live-ins of bb.1 / ${line('liveins: $vgpr1', 'liveins: $vgpr1, $vgpr9')}`,
      `Mark $vgpr9 as undef here / ${line(LAST, LAST.replace('$vgpr9', 'undef $vgpr9'))}`,
    ],
  },
  {
    assist: 'addUndefToPartialDef',
    word: '%3',
    after: 'implicit killed',
    wanted: [
      `Mark %3 as undef in line 22 / ${line('%3.sub1:vreg_64 = COPY killed %0', 'undef %3.sub1:vreg_64 = COPY killed %0')}`,
    ],
  },
  { assist: 'addUndefToPartialDef', word: '%2', after: 'dead undef', wanted: [] },
  { assist: 'addUndefToPartialDef', word: '%1', after: 'S_NOP 0', wanted: [] },
  { assist: 'addUndefToPartialDef', word: '%5', wanted: [] },
  { assist: 'addUndefToPartialDef', word: '$vgpr7', after: 'S_NOP 2', wanted: [] },
  // classes
  {
    assist: 'changeRegisterClass',
    word: '%1',
    after: 'S_NOP 0',
    wanted: [`Change the class of %1 to vgpr_32 / ${line('%1:vreg_64 = IMPLICIT_DEF', '%1:vgpr_32 = IMPLICIT_DEF')}`],
  },
  {
    assist: 'changeRegisterClass',
    word: '%4',
    after: 'bb.0',
    wanted: [
      `Change the class of %4 to vgpr_32 / ${line('- { id: 4, class: sreg_32 }', '- { id: 4, class: vgpr_32 }')}`,
    ],
  },
  { assist: 'changeRegisterClass', word: '%0', after: 'bb.0', wanted: [] },
  {
    assist: 'changeRegisterClass',
    word: '%1',
    after: 'S_NOP 0',
    facts: {},
    wanted: [],
  },
  {
    assist: 'changeRegisterClass',
    word: '%1',
    after: 'S_NOP 0',
    facts: { expected: 'no_such' },
    wanted: [],
  },
  {
    assist: 'changeRegisterClass',
    word: '%1',
    after: 'S_NOP 0',
    facts: { expected: 'vs_32' },
    wanted: [`Change the class of %1 to vgpr_32 / ${line('%1:vreg_64 = IMPLICIT_DEF', '%1:vgpr_32 = IMPLICIT_DEF')}`],
  },
  { assist: 'changeRegisterClass', word: '%5', wanted: [] },
  {
    assist: 'alignRegisterClasses',
    word: '%1:vreg_64 = IMPLICIT_DEF',
    wanted: [`Align the class of %1 / ${line('%1:vreg_64 = IMPLICIT_DEF', '%1:vreg_64_align2 = IMPLICIT_DEF')}`],
  },
  {
    assist: 'alignRegisterClasses',
    word: READS,
    wanted: [
      `Align the class of %1, %3 / - %1:vreg_64 = IMPLICIT_DEF / - ${PART} / - %3.sub1:vreg_64 = COPY killed %0 / + %1:vreg_64_align2 = IMPLICIT_DEF / + ${PART} / + %3.sub1:vreg_64_align2 = COPY killed %0`,
    ],
  },
  { assist: 'alignRegisterClasses', word: COPY, wanted: [] },
  {
    assist: 'firstClass',
    word: 'vgpr_32',
    after: 'bb.0',
    facts: { expected: 'vreg_64' },
    wanted: [`Change to 'vreg_64' / ${line(COPY, COPY.replace('vgpr_32', 'vreg_64'))}`],
  },
  {
    assist: 'firstClass',
    word: 'vgpr_32',
    after: 'bb.0',
    facts: { expected: 'vs_32' },
    wanted: [],
  },
  { assist: 'firstClass', word: 'vgpr_32', after: 'bb.0', facts: {}, wanted: [] },
  // lists of blocks
  {
    assist: 'addSuccessor',
    word: 'bb.1',
    after: 'scc\n',
    facts: { block: 2 },
    wanted: ['Add %bb.2 to the successors of bb.1 / + successors: %bb.2'],
  },
  {
    assist: 'addSuccessor',
    word: 'bb.0',
    after: 'body',
    facts: { block: 2 },
    wanted: [
      `Add %bb.2 to the successors of bb.0 / ${line('successors: %bb.1, %bb.2', 'successors: %bb.1, %bb.2, %bb.2')}`,
    ],
  },
  { assist: 'addSuccessor', word: 'bb.1', after: 'scc\n', facts: {}, wanted: [] },
  { assist: 'addSuccessor', word: 'name', after: 'name: f', facts: { block: 2 }, wanted: [] },
  {
    assist: 'removeSuccessor',
    word: 'bb.0',
    after: 'body',
    facts: { block: 2 },
    wanted: [`Remove %bb.2 from the successors of bb.0 / ${line('successors: %bb.1, %bb.2', 'successors: %bb.1')}`],
  },
  {
    assist: 'removeSuccessor',
    word: 'bb.0',
    after: 'body',
    facts: { block: 1 },
    wanted: [`Remove %bb.1 from the successors of bb.0 / ${line('successors: %bb.1, %bb.2', 'successors: %bb.2')}`],
  },
  { assist: 'removeSuccessor', word: 'bb.0', after: 'body', facts: { block: 0 }, wanted: [] },
  { assist: 'removeSuccessor', word: 'bb.1', after: 'scc\n', facts: { block: 2 }, wanted: [] },
  { assist: 'removeSuccessor', word: 'name', after: 'name: f', facts: { block: 1 }, wanted: [] },
  {
    assist: 'removeLiveIn',
    word: '$vgpr0',
    after: 'liveins',
    wanted: [`Remove $vgpr0 from the live-ins of bb.0 / ${line('liveins: $vgpr0, $vgpr1', 'liveins: $vgpr1')}`],
  },
  {
    assist: 'removeLiveIn',
    word: '$vgpr1',
    after: 'liveins',
    wanted: [`Remove $vgpr1 from the live-ins of bb.0 / ${line('liveins: $vgpr0, $vgpr1', 'liveins: $vgpr0')}`],
  },
  {
    assist: 'removeLiveIn',
    word: '$vgpr1',
    after: 'bb.1:',
    wanted: ['Remove $vgpr1 from the live-ins of bb.1 / - liveins: $vgpr1'],
  },
  { assist: 'removeLiveIn', word: '$vgpr1', after: '$vgpr7 = COPY', wanted: [] },
];

describe('repairs, one by one', () => {
  for (const { assist, word, after = 'bb.0', facts, wanted } of CASES)
    it(`${assist} at ${word} after ${after}: ${wanted.map((w) => w.split(' / ')[0]).join('; ') || 'nothing'}`, () => {
      const [own, usual] = ALL[assist]!;
      const start = after === 'bb.0' ? 'name: f' : after;
      const from = TEXT.indexOf(start, TEXT.indexOf('name: f'));
      const place = TEXT.indexOf(word, after === 'bb.0' ? TEXT.indexOf('    ; a comment') : from);
      const skipped = word.startsWith('%') && after === 'bb.0' ? TEXT.indexOf(word, TEXT.indexOf('%0:')) : place;
      const d = at(word, facts ?? usual);
      assert.deepEqual(proposed(own, { ...d, start: skipped, end: skipped + word.length }), wanted);
    });
});

describe('places that repairs ask for', () => {
  it('the first name within a range', () => {
    const name = (word: string, after: string): string => {
      const i = occurrenceIn(view, at(word, {}, after));
      return i < 0 ? '' : view.symbols.nameOf(view.symbols.entity[i]!);
    };
    assert.equal(name('%1', 'S_NOP 0'), '1');
    assert.equal(name('implicit %1', 'S_NOP 0'), '1');
    assert.equal(name(READS, 'bb.0'), '1');
    assert.equal(name('implicit undef %5, implicit killed %3', 'bb.0'), '5');
    assert.equal(name('implicit', 'S_NOP 0'), '');
    assert.equal(name('S_NOP', 'bb.0'), '');
    assert.equal(name('$vgpr9\n', 'S_NOP 2'), 'vgpr9');
    assert.equal(name('ENDPGM 0', 'bb.2:'), '');
    assert.equal(occurrenceIn(view, { start: TEXT.length, end: TEXT.length + 9 }), -1);
    assert.equal(occurrenceIn(view, { start: TEXT.indexOf('$vgpr9') + 1, end: TEXT.length }) < 0, false, 'bb.2');
    assert.equal(occurrenceIn(view, { start: TEXT.indexOf('  bb.2:') + 3, end: TEXT.length }), -1);
  });

  it('flags before a name', () => {
    const flag = (word: string, after: string, name: string): string => {
      const i = occurrenceIn(view, at(name, {}, after));
      const range = flagRange(snapshot, view, i, word);
      return range === null ? '' : TEXT.slice(range.start, range.end);
    };
    assert.equal(flag('killed', 'COPY', '$vgpr0'), 'killed ');
    assert.equal(flag('renamable', 'COPY', '$vgpr0'), 'renamable ');
    assert.equal(flag('dead', 'COPY', '$vgpr0'), '');
    assert.equal(flag('kill', 'COPY', '$vgpr0'), '');
    assert.equal(flag('implicit', 'implicit-def dead', '$vgpr8'), 'implicit');
    assert.equal(flag('killed', 'liveins', '$vgpr0'), '', 'no operand');
  });

  it('blocks', () => {
    const block = (word: string): number => blockAt(view.fn!, view, TEXT.indexOf(word, TEXT.indexOf('name: f')));
    assert.deepEqual(['name: f', 'bb.0:', '%0:', 'bb.1:', '$vgpr9', 'bb.2:', '...'].map(block), [-1, 0, 0, 1, 1, 2, 2]);
  });
});
