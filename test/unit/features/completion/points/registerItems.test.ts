/**
 * How much each circumstance counts for a register that is proposed: its fit, whether it lives here, what still reads it. Distance is taken out of the
 * points by a reckoning of the test's own, so that what remains are whole numbers.
 */
import assert from 'node:assert/strict';
import type { Candidate } from '../../../../../server/src/features/completion/candidate.js';
import { typeOfText, type FunctionScope } from '../../../../../server/src/features/completion/functionScope.js';
import { ANY_REGISTER } from '../../../../../server/src/features/completion/operandItems.js';
import {
  allowed,
  bitsOf,
  namedRegisters,
  physicalRegisters,
  subRegisters,
  virtualRegisters,
  type WantedRegister,
} from '../../../../../server/src/features/completion/registerItems.js';
import { cost, distances, pointScope, points, shown } from '../../../../support/completionPoints.js';

const scopeAt = (marked: string, cpu?: string): FunctionScope => pointScope(marked, cpu).scope;

interface Want {
  readonly rc?: string;
  readonly type?: string;
  readonly bits?: number;
  readonly isGeneric?: boolean;
  readonly isDef?: boolean;
  readonly isUndef?: boolean;
}

function wantedOf(scope: FunctionScope, { rc, type, ...more }: Want): WantedRegister {
  const { tables } = scope.snapshot.subtarget;
  return {
    ...ANY_REGISTER,
    ...more,
    regClass: rc === undefined ? -1 : tables.regClassByName(rc),
    type: type === undefined ? null : typeOfText(type),
  };
}

function virtual(scope: FunctionScope, want: Want, typed = ''): string[] {
  const wanted = wantedOf(scope, want);
  return virtualRegisters(scope, scope.lineStart - scope.view.start, wanted, typed)
    .map((c) => {
      const [above, below] = distances(scope, /%[\w-]+/.exec(c.label)![0]);
      const near = cost(above, 5, 40);
      const own = wanted.isDef ? Math.min(near, cost(below, 5, 40)) : near;
      return shown(c, c.score + own);
    })
    .sort();
}

const TEXT = `---
name: f
tracksRegLiveness: true
registers:
  - { id: 11, class: _ }
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr0
    %2:vgpr_32 = COPY $vgpr0
    S_NOP 0, implicit %2
    %3:vgpr_32 = COPY $vgpr0
    S_NOP 0, implicit killed %3
    %4:vreg_64 = IMPLICIT_DEF
    %5:sgpr_32 = IMPLICIT_DEF
    %6:av_32 = IMPLICIT_DEF
    %7:_(s32) = G_IMPLICIT_DEF
    %12:vreg_128 = IMPLICIT_DEF
    S_NOP 0, implicit %12.sub1
    undef %13.sub1:vreg_128 = IMPLICIT_DEF
    %14:_(s64) = G_IMPLICIT_DEF
    %15:sgpr(<2 x s16>) = G_IMPLICIT_DEF
    %16:sreg_64 = IMPLICIT_DEF

  bb.1:
    %8:vgpr_32 = IMPLICIT_DEF

  bb.2:
    S_NOP 1
¦
    S_NOP 0, implicit %9, implicit undef %10:vgpr_32, implicit %0
    %17:vgpr_32 = IMPLICIT_DEF
    undef %18.sub0:vreg_64 = IMPLICIT_DEF
    S_NOP 0, implicit %18, implicit %11
    S_ENDPGM 0
...
`;

/** Registers of the text: what their circumstances count for a reader, and the class or type behind them. */
const OWN: Readonly<Record<string, readonly [own: number, detail: string, type: string]>> = {
  // Defined on all paths 20, not read yet 22, read behind the cursor 4, killed -30.
  '%0': [24, '22 lines up', 'vgpr_32'],
  '%1': [42, '21 lines up, not read yet', 'vgpr_32'],
  '%2': [20, '19 lines up', 'vgpr_32'],
  '%3': [-10, 'killed before', 'vgpr_32'],
  '%4': [42, '16 lines up, not read yet', 'vreg_64'],
  '%5': [42, '15 lines up, not read yet', 'sgpr_32'],
  '%6': [42, '14 lines up, not read yet', 'av_32'],
  '%7': [42, '13 lines up, not read yet', '_(s32)'],
  '%12': [20, '11 lines up', 'vreg_128'],
  '%13': [42, '10 lines up, not read yet', 'vreg_128'],
  '%14': [42, '9 lines up, not read yet', '_(s64)'],
  '%15': [42, '8 lines up, not read yet', 'sgpr(<2 x s16>)'],
  '%16': [42, '7 lines up, not read yet', 'sreg_64'],
  // Not defined on all paths -25, never defined -10.
  '%8': [-3, 'not defined on all paths', 'vgpr_32'],
  '%9': [-31, 'not defined on all paths', ''],
  'undef %10': [-35, 'not defined on all paths', 'vgpr_32'],
  '%11': [-31, 'not defined on all paths', ''],
  '%17': [-3, 'not defined on all paths', 'vgpr_32'],
  '%18': [-21, 'not defined on all paths', 'vreg_64'],
};
/** What fits counts 60, what may fit 30, a class of another size -40. */
const FIT = { exact: 60, maybe: 30, wrong: -40 };
type Fits = Partial<Record<keyof typeof FIT, string>>;

/** The list of registers that fit so. */
function listOf(fits: Fits, more: readonly string[] = []): string[] {
  const list = [...more];
  for (const [fit, names] of Object.entries(fits))
    for (const name of names.split(', ')) {
      const [own, detail, type] = OWN[name]!;
      list.push([`${name} ${own + FIT[fit as keyof typeof FIT]}`, '', detail, type].join(' | ').replace(/ \| $/, ''));
    }
  return list.sort();
}

/** Parts of a class: each costs two more than the one before, eight more where it is read already. */
const partsIn = (name: string, parts: string, first: number, read = ''): string[] => {
  const [own, detail, type] = OWN[name]!;
  return parts
    .split(' ')
    .map((part, k) => `${name}.${part} ${own + first - 2 * k - (part === read ? 8 : 0)} |  | ${detail} | ${type}`);
};

describe('what counts for a virtual register that is read', () => {
  const scope = scopeAt(TEXT);
  const vgprs = 'vgpr_32 of a wider one';
  const parts32 = [
    ...partsIn('%4', 'sub0 sub1', 34),
    ...partsIn('%12', 'sub0 sub1 sub2 sub3', 34, 'sub1'),
    ...partsIn('%13', 'sub0 sub1 sub2 sub3', 34),
    ...partsIn('%18', 'sub0 sub1', 34),
  ];
  const CASES: readonly (readonly [name: string, want: Want, fits: Fits, more?: readonly string[]])[] = [
    [vgprs, { rc: 'vgpr_32' }, { exact: '%0, %1, %2, %3, %8, undef %10, %17', maybe: '%9', wrong: '%6' }, parts32],
    ['a scalar class', { rc: 'sgpr_32' }, { exact: '%5', maybe: '%9' }, partsIn('%16', 'sub0 sub1', 34)],
    [
      'a wider class, whose parts begin at multiples of its size first',
      { rc: 'vreg_64' },
      { exact: '%4, %18', maybe: '%9' },
      [...partsIn('%12', 'sub0_sub1 sub2_sub3 sub1_sub2', 34), ...partsIn('%13', 'sub0_sub1 sub2_sub3 sub1_sub2', 34)],
    ],
    ['anything', {}, { exact: Object.keys(OWN).join(', ') }],
    [
      'a size',
      { bits: 64 },
      {
        exact: '%4, %14, %16, %18',
        maybe: '%7, %15, %9, %11',
        wrong: '%0, %1, %2, %3, %5, %6, %8, undef %10, %12, %13, %17',
      },
    ],
    [
      'the size of a vector of halves',
      { bits: 32 },
      {
        exact: '%0, %1, %2, %3, %5, %6, %7, %8, %15, undef %10, %17',
        maybe: '%9, %11, %14',
        wrong: '%4, %12, %13, %16, %18',
      },
    ],
    [
      'a type',
      { type: 's32', isGeneric: true },
      {
        exact: '%7',
        maybe: '%0, %1, %2, %3, %4, %5, %6, %8, %9, undef %10, %11, %12, %13, %16, %17, %18',
      },
    ],
    [
      'any type',
      { isGeneric: true },
      {
        exact: '%7, %14, %15',
        maybe: '%0, %1, %2, %3, %4, %5, %6, %8, %9, undef %10, %11, %12, %13, %16, %17, %18',
      },
    ],
    [
      'a type of a size',
      { isGeneric: true, bits: 64 },
      {
        exact: '%14',
        maybe: '%7, %9, %11, %15',
        wrong: '%0, %1, %2, %3, %4, %5, %6, %8, undef %10, %12, %13, %16, %17, %18',
      },
    ],
  ];
  for (const [name, want, fits, more] of CASES)
    it(name, () => assert.deepEqual(virtual(scope, want), listOf(fits, more)));

  it('behind undef no second one', () =>
    assert.deepEqual(
      virtual(scope, { rc: 'vgpr_32', isUndef: true }),
      virtual(scope, { rc: 'vgpr_32' })
        .map((line) => line.replace('undef ', ''))
        .sort(),
    ));

  const TYPED: readonly (readonly [typed: string, names: string])[] = [
    ['%', '%0 %1 %11 %12 %13 %14 %15 %16 %17 %18 %2 %3 %4 %5 %6 %7 %8 %9 undef %10'],
    ['%1', '%1 %11 %12 %13 %14 %15 %16 %17 %18 undef %10'],
    ['%13', '%1 %13'],
    ['%13.sub', '%1 %13'],
    ['%4.', '%4'],
    ['%99', '%9'],
    ['x', '%0 %1 %11 %12 %13 %14 %15 %16 %17 %18 %2 %3 %4 %5 %6 %7 %8 %9 undef %10'],
    ['xy', ''],
  ];
  for (const [typed, names] of TYPED)
    it(`of '${typed}': ${names}`, () =>
      assert.equal(
        virtual(scope, {}, typed)
          .map((line) => line.replace(/ -?\d+ \|.*/, ''))
          .join(' '),
        names,
      ));
});

describe('what counts for a virtual register that is written', () => {
  const scope = scopeAt(TEXT);
  const own: Readonly<Record<string, number>> = {
    // Nothing reads them behind the cursor.
    ...Object.fromEntries('1 2 3 4 5 6 7 8 12 13 14 15 16 17'.split(' ').map((n) => [`%${n}`, -20])),
    // Something does, and of these it waits for the definition.
    '%0': 0,
    '%18': 0,
    '%9': 100,
    '%11': 100,
  };
  /** Parts that are still to come: beside those that are written, and the lower one two behind the upper. */
  const unwritten = [
    '%13.sub0 76 | %13.sub0:vreg_128 | not written yet | vreg_128',
    '%13.sub2 78 | %13.sub2:vreg_128 | not written yet | vreg_128',
    '%18.sub1 78 | undef %18.sub1:vreg_64 | not written yet | vreg_64',
  ];
  const typeBehind = (name: string): string => {
    const type = OWN[name]?.[2] ?? '';
    return type === '' ? '' : ` |  |  | ${type}`;
  };
  const listWith = (fit: (name: string) => number | null): string[] => [
    ...unwritten,
    ...Object.keys(own).flatMap((name) => {
      const n = fit(name);
      return n === null ? [] : [`${name} ${own[name]! + n}${typeBehind(name)}`];
    }),
  ];
  // One that nothing waits for has its points wherever it stands.
  const others = (want: Want): string[] => virtual(scope, want).filter((line) => !line.startsWith('%10 '));

  it('of a class: 20 where it is of it, -30 where a part of its class is, -120 where it is of another', () => {
    const exact = ['%0', '%1', '%2', '%3', '%8', '%17', '%9'];
    assert.deepEqual(
      others({ rc: 'vgpr_32', isDef: true }),
      listWith((name) => (name === '%11' ? null : exact.includes(name) ? 20 : name === '%6' ? -30 : -120)).sort(),
    );
  });
  it('of any', () => assert.deepEqual(others({ isDef: true }), listWith(() => 0).sort()));
  it('of a size: those that have none are of it, others cost 60', () => {
    const exact = ['%4', '%14', '%16', '%18', '%9', '%11'];
    assert.deepEqual(others({ bits: 64, isDef: true }), listWith((name) => (exact.includes(name) ? 0 : -60)).sort());
  });
  it('of no matter', () => {
    const { score } = virtualRegisters(
      scope,
      scope.lineStart - scope.view.start,
      wantedOf(scope, { isDef: true }),
      '%10',
    ).find((c) => c.label === '%10')!;
    assert.equal(score, 10);
  });

  it('where nothing is defined twice, only what is not defined yet', () => {
    const ssa = scopeAt(TEXT.replace('tracksRegLiveness', 'isSSA: true\ntracksRegLiveness'));
    assert.deepEqual(
      virtual(ssa, { isDef: true }).filter((line) => !line.startsWith('%10 ')),
      [...unwritten, '%9 100', '%11 100'].sort(),
    );
    assert.equal(virtual(ssa, {}).length, Object.keys(OWN).length, 'readers have all');
  });

  it('what waits far away is 75 worth', () => {
    const blanks = `    ; ${'x'.repeat(94)}\n`.repeat(40);
    const far = scopeAt(
      `---\nname: f\nbody: |\n  bb.0:\n¦\n${blanks}    S_NOP 0, implicit %9\n    undef %8.sub1:vreg_64 = IMPLICIT_DEF\n...\n`,
    );
    const list = virtualRegisters(far, far.lineStart - far.view.start, wantedOf(far, { isDef: true }), '');
    assert.equal(list.find((c) => c.label === '%9')?.score, 75);
    assert.equal(list.find((c) => c.label === '%8.sub0')?.insert, 'undef %8.sub0:vreg_64');
  });
});

describe('functions with many registers', () => {
  const many = (n: number, type: string): FunctionScope =>
    scopeAt(
      `---\nname: f\nbody: |\n  bb.0:\n    %0:${type} = IMPLICIT_DEF\n${Array.from({ length: n }, (_, k) => `    %${k}:${type} = IMPLICIT_DEF\n`).join('')}¦\n    S_ENDPGM 0\n...\n`,
    );
  const COUNTS: readonly (readonly [n: number, type: string, want: Want, found: number])[] = [
    [200, 'vgpr_32', {}, 200],
    [201, 'vgpr_32', {}, 200],
    [260, 'vgpr_32', {}, 200],
    [260, 'vgpr_32', { isDef: true }, 200],
    [260, 'vgpr_32', { rc: 'vgpr_32' }, 260],
    [400, 'vgpr_32', { rc: 'vgpr_32' }, 400],
    [401, 'vgpr_32', { rc: 'vgpr_32' }, 200],
    [400, 'vreg_64', { rc: 'vgpr_32' }, 800],
    [401, 'vreg_64', { rc: 'vgpr_32' }, 0],
    [260, 'vgpr_32', { rc: 'vgpr_32', isDef: true }, 200],
  ];
  for (const [n, type, want, found] of COUNTS)
    it(`${n} of ${type}, ${JSON.stringify(want)}: ${found}`, () => {
      const scope = many(n, type);
      const list = virtual(scope, want);
      assert.equal(list.length, found);
      // Those that are left are the nearest.
      if (found === 200) assert.ok(list.some((line) => line.startsWith(`%${n - 200} `)));
    });
});

const PHYSICAL = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $vgpr1, $sgpr4_sgpr5, $sgpr6, $m0

    %0:vgpr_32 = COPY $vgpr1
    $vgpr3 = V_MOV_B32_e32 0, implicit $exec
    $vgpr4 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 0, implicit $vgpr4
    $sgpr7 = S_MOV_B32 0
    $sgpr8 = S_MOV_B32 $sgpr7
    $sgpr7 = S_MOV_B32 $sgpr7
    S_CMP_EQ_U32 $sgpr7, $sgpr7, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit $scc
¦

  bb.1:
    liveins: $vgpr9
    $vgpr5 = COPY $vgpr6
    $vgpr7 = COPY $vgpr5
    S_NOP 0, implicit $vgpr8, implicit $vgpr0
    S_ENDPGM 0
...
`;

/** Points of physical registers, those of distance left out: four for readers, half of that for definitions. Implicit places are not looked at. */
function physical(scope: FunctionScope, want: Want, all = false): string[] {
  const wanted = wantedOf(scope, want);
  const each = wanted.isDef === true ? 2 : 4;
  return physicalRegisters(scope, scope.snapshot.subtarget, scope.lineStart - scope.view.start, wanted, all).map(
    (c) => {
      const [above] = distances(scope, c.label, '(?<!implicit )');
      return shown(c, c.score + (Number.isInteger(c.score) ? 0 : cost(above, each, 0)));
    },
  );
}

const sorted = (list: readonly string[]): string[] => [...list].sort();

describe('what counts for a physical register', () => {
  const scope = scopeAt(PHYSICAL);
  const bits = (names: string, n: number): string => `$${names} |  |  | ${n} bits`;
  /** Names with their points, of so many bits. */
  const plain = (list: string, n = 32): string[] => list.split(', ').map((each) => bits(each, n));
  const CASES: readonly (readonly [name: string, want: Want, list: readonly string[]])[] = [
    [
      'that is read, of a class',
      { rc: 'vgpr_32' },
      [
        // A live-in that nothing reads explicitly 112; below only, 20 less.
        '$vgpr9 92 |  | live-in, not read yet | 32 bits',
        '$vgpr0 112 |  | live-in, not read yet | 32 bits',
        // 34, and 3 for each explicit place; written last 38.
        ...plain('vgpr1 37, vgpr3 75, vgpr4 37, vgpr5 20, vgpr6 17, vgpr7 17, vgpr8 14'),
        // Of the first four of the class the one that the function has not.
        ...plain('vgpr2 4'),
        '$noreg -40',
      ],
    ],
    [
      'that is read, of a scalar class',
      { rc: 'sreg_32' },
      [
        '$m0 112 |  | live-in, not read yet | 32 bits',
        '$sgpr6 112 |  | live-in, not read yet | 32 bits',
        // No more than four places count.
        ...plain('sgpr7 46, sgpr8 75, sgpr0 6, sgpr1 5, sgpr2 4, sgpr3 3, exec_lo 10, vcc_lo 10'),
        '$noreg -40',
      ],
    ],
    [
      'that is read, of a size: others cost 60',
      { bits: 64 },
      [
        '$sgpr4_sgpr5 112 |  | live-in, not read yet | 64 bits',
        ...plain('exec 60, vcc 44', 64),
        ...['m0 52', 'sgpr6 52', 'vgpr0 52', 'vgpr9 32'].map((n) => `$${n} |  | live-in, not read yet | 32 bits`),
        ...plain('vgpr1 -23, vgpr3 15, vgpr4 -23, vgpr5 -40, vgpr6 -43, vgpr7 -43, vgpr8 -46, sgpr7 -14, sgpr8 15'),
      ],
    ],
    [
      'that is read, whatever it is',
      {},
      [
        '$sgpr4_sgpr5 112 |  | live-in, not read yet | 64 bits',
        ...plain('exec -20, vcc -20', 64),
        ...['m0 112', 'sgpr6 112', 'vgpr0 112', 'vgpr9 92'].map((n) => `$${n} |  | live-in, not read yet | 32 bits`),
        ...plain('vgpr1 37, vgpr3 75, vgpr4 37, vgpr5 20, vgpr6 17, vgpr7 17, vgpr8 14, sgpr7 46, sgpr8 75'),
        ...plain('exec_lo -20, vcc_lo -20'),
      ],
    ],
    [
      'that is written',
      { isDef: true },
      [
        // 30, and 2 for each definition; read below before it is written 40 more; nowhere above 10 less.
        ...plain('m0 30, sgpr6 30, sgpr7 34, sgpr8 32, vgpr0 30, vgpr1 30, vgpr3 32, vgpr4 32, vgpr5 22, vgpr6 60'),
        ...plain('vgpr7 22, vgpr8 60, vgpr9 20'),
        // The first ones that the function has not.
        ...plain('agpr0 20, sgpr0 44, vgpr2 44, exec_lo 10, vcc_lo 10'),
        ...plain('sgpr4_sgpr5 30, exec 25, vcc 24', 64),
      ],
    ],
    [
      'that is written, of a class',
      { isDef: true, rc: 'sreg_32' },
      [...plain('m0 30, sgpr6 30, sgpr7 34, sgpr8 32, sgpr0 44, exec_lo 10, vcc_lo 10'), '$noreg -40'],
    ],
  ];
  for (const [name, want, list] of CASES)
    it(name, () => {
      // The register behind the last one that is written stands twice.
      const own = physical(scope, want).filter((line) => !/^\$sgpr8 \d+\.\d/.test(line));
      assert.deepEqual(sorted(own), sorted(list));
    });

  it('the one behind the last that is written', () => {
    const own = physicalRegisters(
      scope,
      scope.snapshot.subtarget,
      scope.lineStart - scope.view.start,
      wantedOf(scope, { isDef: true }),
      false,
    ).filter((c) => c.label === '$sgpr8');
    const { text } = scope.snapshot.text;
    const distance = scope.lineStart - text.indexOf('$sgpr7 = S_MOV_B32 $sgpr7');
    assert.equal(points(own[1]!.score + cost(distance, 3, 0)), '62');
  });

  it('the mask of lanes is of the width of a wave', () => {
    const wave32 = scopeAt(PHYSICAL, 'gfx1030');
    const masks = (want: Want): string =>
      physical(wave32, want)
        .filter((line) => /^\$(?:exec|vcc)/.test(line))
        .map((line) => line.replace(/ \|.*/, ''))
        .join(', ');
    assert.equal(masks({ rc: 'sreg_32' }), '$exec_lo 60, $vcc_lo 44');
    assert.equal(masks({ rc: 'sreg_64' }), '$exec 10, $vcc 10');
    assert.equal(masks({ isDef: true }), '$exec 10, $exec_lo 25, $vcc 10, $vcc_lo 24');
    assert.equal(masks({}), '$exec -20, $exec_lo -20, $vcc -20, $vcc_lo -20');
  });

  it('with all others of the class', () => {
    const few = physical(scope, { rc: 'vgpr_32' }, false).filter((line) => !line.startsWith('$vgpr2 '));
    const list = physical(scope, { rc: 'vgpr_32' }, true);
    assert.deepEqual(list.slice(0, few.length), few);
    const rest = list.slice(few.length);
    // Those of the target with the most.
    assert.equal(rest.length, 1024);
    assert.deepEqual(
      [rest[2], rest[17], rest[1023]],
      ['$vgpr2 -30.002 |  |  | 32 bits', '$vgpr17 -30.017 |  |  | 32 bits', '$vgpr1023 -31.023 |  |  | 32 bits'],
    );
  });

  it('with all others of the target', () => {
    const { tables } = scope.snapshot.subtarget;
    const few = physical(scope, {}, false);
    const rest = physicalRegisters(scope, scope.snapshot.subtarget, 0, ANY_REGISTER, true).slice(few.length);
    const names: string[] = [];
    for (let reg = 1; reg < tables.nRegs; reg++)
      if (!tables.isArtificialReg(reg)) names.push(`$${tables.regName(reg)} ${-40 - reg / 1e5}`);
    assert.deepEqual(
      rest.map((c) => `${c.label} ${c.score}`),
      names,
    );
    assert.ok(names.some((n) => n.startsWith('$vgpr255 ')) && names.some((n) => n.startsWith('$scc ')));
  });

  it('without a function those that are always there', () => {
    const { subtarget } = scope.snapshot;
    assert.deepEqual(
      physicalRegisters(null, subtarget, 0, ANY_REGISTER, false).map((c) => c.label),
      ['$exec', '$exec_lo', '$vcc', '$vcc_lo', '$m0'],
    );
  });
});

describe('parts of registers', () => {
  const { tables } = scopeAt(PHYSICAL).snapshot.subtarget;
  const partsOf = (name: string): Candidate[] => subRegisters(tables, tables.regClassByName(name), '%subreg.');
  const inOrder = (name: string): string =>
    [...partsOf(name)]
      .sort((a, b) => b.score - a.score)
      .map((c) => c.label.replace('%subreg.', ''))
      .join(' ');
  it('those of a class, whole ones from below before halves and wider ones', () => {
    assert.equal(inOrder('vgpr_32'), 'lo16 hi16');
    assert.match(inOrder('vreg_64'), /^sub0 sub1 lo16 hi16 (?!.*sub2)/);
    assert.match(inOrder('vreg_96'), /^sub0 sub1 (?=.*sub2)(?!.*sub3)/);
  });
  const PARTS: readonly (readonly [rc: string, part: string, shown: string])[] = [
    // A bit of the place costs one, a bit more or less than 32 four.
    ['vreg_64', 'sub0', '%subreg.sub0 0 |  | bits 0 to 31 | vgpr_32'],
    ['vreg_64', 'sub1', '%subreg.sub1 -32 |  | bits 32 to 63 | vgpr_32'],
    ['vreg_64', 'lo16', '%subreg.lo16 -64 |  | bits 0 to 15 | vgpr_16'],
    ['vreg_128', 'sub3', '%subreg.sub3 -96 |  | bits 96 to 127 | vgpr_32'],
    ['vreg_128', 'sub0_sub1', '%subreg.sub0_sub1 -128 |  | bits 0 to 63 | vreg_64'],
    ['vreg_128', 'sub2_sub3', '%subreg.sub2_sub3 -192 |  | bits 64 to 127 | vreg_64'],
    ['vreg_128', 'sub1_sub2_sub3', '%subreg.sub1_sub2_sub3 -288 |  | bits 32 to 127 | vreg_96'],
    ['vreg_128', 'sub4', ''],
    ['sreg_64', 'sub1', '%subreg.sub1 -32 |  | bits 32 to 63 | sreg_32_xm0'],
    ['', 'sub5', '%subreg.sub5 -160 |  | bits 160 to 191'],
    ['', 'lo16', '%subreg.lo16 -64 |  | bits 0 to 15'],
    ['', 'hi16', '%subreg.hi16 -80 |  | bits 16 to 31'],
    ['', 'sub31', '%subreg.sub31 -992 |  | bits 992 to 1023'],
  ];
  for (const [rc, part, wanted] of PARTS)
    it(`${part} of ${rc === '' ? 'any' : rc}`, () => {
      const found = (rc === '' ? subRegisters(tables, -1, '%subreg.') : partsOf(rc)).find(
        (c) => c.label === `%subreg.${part}`,
      );
      assert.equal(found === undefined ? '' : shown(found, found.score), wanted);
    });
  it('without a class all of them, and with the lead', () => {
    const all = subRegisters(tables, -1, '');
    assert.equal(all.length, tables.nSubRegIndices - 1);
    assert.ok(all.every((c) => /^(?:sub|lo|hi)/.test(c.label)));
  });
});

describe('sizes and types of registers', () => {
  const scope = scopeAt(TEXT);
  const SIZES: readonly (readonly [name: string, bits: number])[] = [
    ['%0', 32],
    ['%4', 64],
    ['%12', 128],
    ['%7', 32],
    ['%14', 64],
    ['%15', 32],
    ['%9', 0],
    ['%11', 0],
  ];
  for (const [name, bits] of SIZES)
    it(`${name}: ${bits} bits`, () => assert.equal(bitsOf(scope.fn!.tables, scope.vreg(name)!), bits));

  it('no class where registers: says class: _', () => {
    const [listed, other] = [scope.vreg('%11')!, scope.vreg('%9')!];
    assert.deepEqual(
      ['vgpr_32', '_(s32)', ''].map((own) => [allowed(listed, own), allowed(other, own)]),
      [
        ['', 'vgpr_32'],
        ['_(s32)', '_(s32)'],
        ['', ''],
      ],
    );
  });

  it('without a target: what is defined first, then what is near', () => {
    const list = namedRegisters(scope);
    assert.equal(list.length, scope.vregs.length);
    for (const [name, own] of [
      ['%0', 70],
      ['%3', 70],
      ['%16', 70],
      ['%9', 60],
      ['%17', 70],
    ] as const) {
      const c = list.find((item) => item.label === name)!;
      assert.equal(points(c.score + cost(distances(scope, name)[0], 5, 40)), String(own), name);
    }
  });
});
