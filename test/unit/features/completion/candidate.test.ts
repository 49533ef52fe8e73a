/** How well a typed word matches a label, and which candidates are best. */
import assert from 'node:assert/strict';
import { matchOf, ranked, snippetText, type Candidate } from '../../../../server/src/features/completion/candidate.js';
import { goesOnInPairs, looseIndex, looseOperands } from '../../../../server/src/features/completion/looseOperands.js';
import { predicates, predicateWords } from '../../../../server/src/features/completion/predicates.js';
import { usualScore } from '../../../../server/src/features/completion/usualOpcodes.js';

describe('how well a word matches', () => {
  const MATCHES: readonly (readonly [typed: string, label: string, match: number])[] = [
    ['', 'V_ADD', 1],
    ['', '', 1],
    ['V_ADD', 'V_ADD', 6],
    ['v_add', 'V_ADD', 5],
    ['V_add', 'V_ADD', 5],
    ['V_A', 'V_ADD', 4],
    ['v_a', 'V_ADD', 4],
    ['V_ADDX', 'V_ADD', 0],
    // A part: at the start of a word 3, within one 2.
    ['ADD', 'V_ADD', 3],
    ['add', 'V_ADD', 3],
    ['sub0', '%0.sub0', 3],
    ['lds', 'amdgpu-lds', 3],
    ['DD', 'V_ADD', 2],
    ['LOAD', 'GLOBALLOAD', 2],
    ['0', '%10', 2],
    // Letters in order, beginning with the first.
    ['VD', 'V_ADD', 1],
    ['vad', 'V_ADD', 1],
    ['vdd', 'V_ADD', 1],
    ['vddd', 'V_ADD', 0],
    ['AV', 'V_ADD', 0],
    ['xdd', 'V_ADD', 0],
    ['dv', 'V_ADD', 0],
    ['gld', 'GLOBAL_LOAD_DWORD', 1],
    ['gldx', 'GLOBAL_LOAD_DWORD', 0],
  ];
  for (const [typed, label, match] of MATCHES)
    it(`'${typed}' in ${label}: ${match}`, () => {
      assert.equal(matchOf(typed, label), match);
      assert.equal(matchOf(typed, label, label.toLowerCase()), match);
    });
});

describe('the best candidates', () => {
  const of = (...list: readonly (readonly [label: string, score: number])[]): Candidate[] =>
    list.map(([label, score]) => ({ label, kind: 1, score }));
  const labels = (list: readonly Candidate[], typed: string): string =>
    ranked(list, typed)
      .best.map((c) => `${c.label} ${c.score}`)
      .join(', ');
  it('match before points, points before letters', () => {
    const list = of(['V_ADD', 1], ['V_SUB', 5], ['ADD_V', 9], ['V_ABS', 1], ['S_ADD', 7]);
    assert.equal(labels(list, ''), 'ADD_V 9, S_ADD 7, V_SUB 5, V_ABS 1, V_ADD 1');
    assert.equal(labels(list, 'V_'), 'V_SUB 5, V_ABS 1, V_ADD 1');
    assert.equal(labels(list, 'ADD'), 'ADD_V 9, S_ADD 7, V_ADD 1');
    assert.equal(labels(list, 'V_ADD'), 'V_ADD 1');
    assert.equal(labels(list, 'nothing'), '');
  });
  it('each label once, at its best', () => {
    assert.equal(labels(of(['a', 1], ['b', 2], ['a', 3], ['a', 2]), ''), 'a 3, b 2');
  });
  it('a hundred at most', () => {
    const many = (n: number): Candidate[] => of(...Array.from({ length: n }, (_, k) => [`a${k}`, -k] as const));
    for (const [n, shown, isCut] of [
      [0, 0, false],
      [99, 99, false],
      [100, 100, false],
      [101, 100, true],
      [300, 100, true],
    ] as const) {
      const found = ranked(many(n), 'a');
      assert.deepEqual([found.best.length, found.isCut], [shown, isCut]);
    }
    assert.equal(ranked([...many(100), ...many(100)], '').isCut, true);
  });
  it('text in snippets', () => {
    assert.equal(snippetText('a$b}c\\d'), 'a\\$b\\}c\\\\d');
    assert.equal(snippetText('%0:_(<2 x s16>)'), '%0:_(<2 x s16>)');
  });
});

describe('opcodes whose operands the tables do not describe', () => {
  const names = (opcode: string): string =>
    looseOperands(opcode)
      ?.map((o) => o.name)
      .join(' ') ?? '';
  const NAMES: readonly (readonly [opcode: string, names: string, inPairs: boolean])[] = [
    ['COPY', 'dst src', false],
    ['SCOPY', 'dst src', false],
    ['PRED_COPY', 'dst src', false],
    ['PHI', 'dst value block', true],
    ['G_PHI', 'dst value block', true],
    ['REG_SEQUENCE', 'dst part subreg', true],
    ['INSERT_SUBREG', 'dst base part subreg', false],
    ['EXTRACT_SUBREG', 'dst src subreg', false],
    ['S_NOP', '', false],
  ];
  for (const [opcode, wanted, inPairs] of NAMES)
    it(opcode, () => assert.deepEqual([names(opcode), goesOnInPairs(opcode)], [wanted, inPairs]));
  it('in pairs', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 6].map((k) => looseIndex('PHI', k)),
      [0, 1, 2, 1, 2, 1, 2],
    );
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((k) => looseIndex('COPY', k)),
      [0, 1, 2, 3, 4],
    );
  });
});

describe('words in an order of their own', () => {
  it('predicates', () => {
    const list = (isInt: boolean): string =>
      predicates(isInt)
        .map((c) => `${c.label} ${c.score + 0}`)
        .join(', ');
    assert.equal(
      list(true),
      'intpred(eq) 0, intpred(ne) -1, intpred(sgt) -2, intpred(sge) -3, intpred(slt) -4, intpred(sle) -5, intpred(ugt) -6, intpred(uge) -7, intpred(ult) -8, intpred(ule) -9',
    );
    assert.equal(
      predicateWords(false)
        .map((c) => c.label)
        .join(' '),
      'oeq ogt oge olt ole one ord uno ueq ugt uge ult ule une true false',
    );
    assert.equal(predicates(false)[1]!.label, 'floatpred(ogt)');
  });
  it('opcodes that tests have most', () => {
    assert.equal(usualScore('COPY'), 10);
    assert.equal(usualScore('S_ENDPGM'), 10 - 1.3);
    assert.equal(usualScore('S_MOV_B32'), 10 - 2.6);
    assert.equal(usualScore('S_NOP'), 10 - 3.9);
    assert.equal(usualScore('V_MQSAD_U32_U8_e64'), 0);
  });
});
