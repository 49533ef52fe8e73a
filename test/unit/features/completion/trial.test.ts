/** What a trial of items makes of their order, and what is said of those that llc would reject. */
import assert from 'node:assert/strict';
import { CompletionItemKind } from 'vscode-languageserver-types';
import type { Candidate } from '../../../../server/src/features/completion/candidate.js';
import { expanded, tried } from '../../../../server/src/features/completion/trial.js';
import type { Settings } from '../../../../server/src/program/settings.js';
import { NEVER_CANCELLED, type CancellationToken } from '../../../../server/src/util/cancellation.js';
import { atCursor } from '../../../support/cursor.js';

const text = (
  line: string,
  below: string,
): string => `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4, $sgpr5
    %0:vgpr_32 = COPY $vgpr0
    %1:sgpr_32 = COPY $sgpr4
    %2:sgpr_32 = COPY $sgpr5
    %3:vreg_64 = IMPLICIT_DEF
${line}
    S_NOP 0
${below}
  bb.1:
    %4:vgpr_32 = COPY %0
    S_ENDPGM 0
...
`;

interface Trial {
  readonly below?: string;
  readonly settings?: Partial<Settings>;
  readonly token?: CancellationToken;
  readonly items?: readonly Partial<Candidate>[];
}

/** Items in their new order, each with what is said of it. */
function order(
  line: string,
  labels: string,
  { below = '', settings = {}, token = NEVER_CANCELLED, items = [] }: Trial = {},
): string[] {
  const { snapshot, position } = atCursor(text(line, below), settings);
  const to = snapshot.text.offsetAt(position);
  const candidates: Candidate[] = [
    ...(labels === ''
      ? []
      : labels.split(' / ').map((label) => ({ label, kind: CompletionItemKind.Variable, score: 0 }))),
    ...items.map((c) => ({ label: '', kind: CompletionItemKind.Variable, score: 0, ...c })),
  ];
  return tried(snapshot, snapshot.functions[0]!, { from: to, to }, candidates, token).map(
    ({ label, detail = '' }) => `${label}${detail === '' ? '' : ` (${detail.trim()})`}`,
  );
}

const BUS = 'not here: VOP* instruction violates constant bus restriction';
const CLASS = 'not here: Illegal virtual register for instruction';
const UNDEFINED = 'not here: Using an undefined physical register';

describe('items that are tried', () => {
  const CASES: readonly (readonly [line: string, labels: string, order: readonly string[], trial?: Trial])[] = [
    // What llc rejects goes after what it takes, with its words; the order is kept otherwise.
    [
      '    %9:vgpr_32 = V_ADD_U32_e64 %1, $0, 0, implicit $exec',
      '%2 / %0 / %1 / %3',
      ['%0', '%1', `%2 (${BUS})`, `%3 (${CLASS})`],
    ],
    [
      '    %9:vgpr_32 = V_MOV_B32_e32 $0, implicit $exec',
      '%3 / %0 / $vgpr7 / %1',
      ['%0', '%1', `%3 (${CLASS})`, `$vgpr7 (${UNDEFINED})`],
    ],
    ['    S_NOP 0, implicit $0', '$vgpr9 / %0 / undef $vgpr9', ['%0', 'undef $vgpr9', `$vgpr9 (${UNDEFINED})`]],
    ['    S_NOP 0, implicit $0', '%0 / $vgpr9', ['%0', `$vgpr9 (${UNDEFINED})`]],
    // Where all are wrong, none goes after; each says what it is.
    ['    S_NOP 0, implicit $0', '$vgpr9 / $vgpr8', [`$vgpr9 (${UNDEFINED})`, `$vgpr8 (${UNDEFINED})`]],
    // What stays as wrong as it was is left to others, before what is wrong itself.
    [
      '    $0 = S_MOV_B32 0',
      '%8:sreg_32 / %7:sreg_32 / %8:nothing',
      [
        '%7:sreg_32',
        "%8:sreg_32 (leaves: Cannot determine class/bank of virtual register 7 in function 'f')",
        "%8:nothing (not here: expected '_', register class, or register bank name)",
      ],
      { below: '    S_NOP 0, implicit %7' },
    ],
    ['    S_NOP $0', '0 / %0 / 7', ['0', '7', '%0 (not here: Expected immediate, but got non-immediate)']],
    [
      '    $0',
      'S_NOPP 0 / S_NOP 0 / S_NOP',
      ['S_NOP 0', 'S_NOP', "S_NOPP 0 (not here: unknown machine instruction name 'S_NOPP')"],
    ],
    [
      '    %9:vgpr_32 = GLOBAL_LOAD_DWORD %3, 0, 0, implicit $exec :: $0',
      '(store (s32)) / (load (s32)) / (load s32)',
      [
        '(load (s32))',
        '(store (s32)) (not here: Missing mayStore flag)',
        '(load s32) (not here: expected an atomic scope, ordering or a size specification)',
      ],
    ],
    [
      '    %9:$0 = V_MOV_B32_e32 0, implicit $exec',
      'sgpr_32 / vgpr_32 / nothing',
      ['vgpr_32', `sgpr_32 (${CLASS})`, "nothing (not here: expected '_', register class, or register bank name)"],
    ],
    // The class of a new register is still to come.
    ['    S_NOP 0, implicit $0', '%77 / %0', ['%77', '%0']],
    // In a bracket that is open no item makes a line; those of strings and comments are none, nor those that close.
    ['    S_NOP ($0', '%0 / $vgpr9', ['%0', '$vgpr9']],
    ['    S_NOP 0, implicit $0 ; (', '$vgpr9 / %0', ['%0', `$vgpr9 (${UNDEFINED})`]],
    ['    S_NOP 0, implicit $0 :: (', '$vgpr9 / %0', ['$vgpr9', '%0']],
    // Half lines say nothing of their verifier: operands are missing anyway.
    ['    %9:vgpr_32 = V_ADD_U32_e32 $0', '%3 / %0', ['%3', '%0']],
    ['    %9:vgpr_32 = V_ADD_U32_e32 %0, $0', '%3 / %0', ['%3', '%0']],
    ['    %9:vgpr_32 = V_ADD_U32_e32 %0, $0, implicit $exec', '%3 / %0', ['%0', `%3 (${CLASS})`]],
  ];
  for (const [line, labels, wanted, trial] of CASES)
    it(`${line.trim()}: ${labels}`, () => assert.deepEqual(order(line, labels, trial), wanted));

  it('are written as they would be inserted, and as snippets for those who take them', () => {
    const items = [
      { label: 'a', insert: '$vgpr9' },
      { label: 'b', insert: '%0', snippet: '\\$vgpr9' },
    ];
    const line = '    S_NOP 0, implicit $0';
    assert.deepEqual(order(line, '', { items }), ['b', `a (${UNDEFINED})`]);
    assert.deepEqual(order(line, '', { items, settings: { snippets: true } }), [
      `a (${UNDEFINED})`,
      `b (${UNDEFINED})`,
    ]);
  });

  it('are not blamed for what stands at their stops', () => {
    const items = [
      { label: 'a', snippet: 'S_NOP 0, implicit ${1:%0:nothing}, implicit %1$0' },
      { label: 'b', snippet: 'S_NOP 0, implicit %0:nothing, implicit %1$0' },
    ];
    assert.deepEqual(order('    $0', '', { items, settings: { snippets: true } }), [
      'a',
      "b (not here: expected '_', register class, or register bank name)",
    ]);
  });

  it('are judged with the operands that are there when they are opcodes', () => {
    const opcode = (name: string): Partial<Candidate> => ({ label: name, about: { what: 'opcode', name } });
    const names = ['S_MOV_B32', 'V_MOV_B32_e32', 'V_ADD_U32_e32'].map(opcode);
    assert.deepEqual(order('    %9:vgpr_32 = $0 %0, implicit $exec', '', { items: names }), [
      'V_MOV_B32_e32',
      `S_MOV_B32 (${CLASS})`,
      'V_ADD_U32_e32 (not here: Operand has incorrect register class.)',
    ]);
    // Without operands it is not known yet.
    assert.deepEqual(order('    %9:vgpr_32 = $0', '', { items: [opcode('V_ADD_U32_e32'), opcode('V_MOV_B32_e32')] }), [
      'V_ADD_U32_e32',
      'V_MOV_B32_e32',
    ]);
  });

  it('that are half keep their place', () => {
    const items = [
      { label: 'half', isHalf: true },
      { label: '$vgpr9' },
      { label: '%0' },
      { label: 'more', isHalf: true },
    ];
    assert.deepEqual(order('    S_NOP 0, implicit $0', '', { items }), ['half', '%0', 'more', `$vgpr9 (${UNDEFINED})`]);
  });

  /** How many items were tried: each asks once whether it is still wanted. */
  function nTried(line: string, items: readonly Partial<Candidate>[], below = ''): { tried: number; order: string[] } {
    let asked = 0;
    const token = { isCancelled: () => (asked++, false) };
    const found = order(line, '', { items, token, below });
    return { tried: asked, order: found };
  }
  const some = (n: number, label: string, more: Partial<Candidate> = {}): Partial<Candidate>[] =>
    Array.from({ length: n }, (_, k) => ({ label: `${label}${k}`, insert: label, ...more }));

  it('until ten are good', () => {
    const good = nTried('    S_NOP 0, implicit $0', some(15, '%0'));
    assert.equal(good.tried, 10);
    assert.equal(good.order.length, 15);
    assert.equal(nTried('    S_NOP 0, implicit $0', some(9, '%0')).tried, 9);
    // Half ones are not counted, but asked about.
    assert.equal(nTried('    S_NOP 0, implicit $0', [...some(3, '%0', { isHalf: true }), ...some(15, '%0')]).tried, 13);
  });

  it('forty at most; the untried ones stand between good and bad', () => {
    const items = [...some(1, '%0'), ...some(50, '$vgpr9')];
    const { tried: n, order: list } = nTried('    S_NOP 0, implicit $0', items);
    assert.equal(n, 40);
    assert.equal(list.length, 51);
    assert.deepEqual([list[0], list[1], list[11], list[12]], ['%00', '$vgpr939', '$vgpr949', `$vgpr90 (${UNDEFINED})`]);
  });

  it('with opcodes that were not tried left out where enough were bad', () => {
    const about = { what: 'opcode', name: 'S_NOP' } as const;
    const items = [...some(1, 'S_NOP 0', { about }), ...some(50, 'S_NOP %3', { about })];
    assert.equal(nTried('    $0', items).order.length, 40);
    assert.equal(nTried('    $0', [...some(1, 'S_NOP 0'), ...some(50, 'S_NOP %3')]).order.length, 51);
    assert.equal(
      nTried('    $0', [...some(10, 'S_NOP 0', { about }), ...some(50, 'S_NOP %3', { about })]).order.length,
      60,
    );
  });

  it('in large functions fewer, and none where not even three can be', () => {
    const size = (n: number): string => '    S_NOP 1\n'.repeat(n);
    assert.equal(nTried('    S_NOP 0, implicit $0', some(15, '%0'), size(790)).tried, 5);
    assert.equal(nTried('    S_NOP 0, implicit $0', some(15, '%0'), size(1300)).tried, 3);
    assert.equal(nTried('    S_NOP 0, implicit $0', some(15, '%0'), size(1400)).tried, 0);
  });

  it('until the list is no longer wanted', () => {
    let asked = 0;
    const token = { isCancelled: () => ++asked > 2 };
    assert.deepEqual(order('    S_NOP 0, implicit $0', '$vgpr9 / %0 / $vgpr8 / %1', { token }), [
      '%0',
      '$vgpr8',
      '%1',
      `$vgpr9 (${UNDEFINED})`,
    ]);
  });
});

describe('snippets as they stand', () => {
  /** text, stops as from-to */
  const SNIPPETS: readonly (readonly [snippet: string, text: string, stops: string])[] = [
    ['S_NOP 0', 'S_NOP 0', ''],
    ['S_NOP ${1:0}$0', 'S_NOP 0', '6-7 7-7'],
    ['${1:%0:vgpr_32} = X', '%0:vgpr_32 = X', '0-10'],
    ['a ${1} b $2 c ${3:}', 'a  b  c ', '2-2 5-5 8-8'],
    ['implicit \\$exec', 'implicit $exec', ''],
    ['a\\\\b', 'a\\b', ''],
    ['${1:\\$vgpr0}', '$vgpr0', '0-6'],
    ['${1:a\\}b}c', 'a}bc', '0-3'],
    ['${1|one,two|} x', 'one x', '0-3'],
    ['${1||}x', 'x', '0-0'],
    ['x\n$0\ny', 'x\n\ny', '2-2'],
    ['$12', '', '0-0'],
    ['${12:ab}', 'ab', '0-2'],
    ['', '', ''],
  ];
  for (const [snippet, wanted, stops] of SNIPPETS)
    it(JSON.stringify(snippet), () => {
      const { text: own, stops: found } = expanded(snippet);
      assert.equal(own, wanted);
      assert.equal(found.map((s) => `${s.start}-${s.end}`).join(' '), stops);
    });
});
