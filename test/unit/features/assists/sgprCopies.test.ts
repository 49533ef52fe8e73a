/** Copies from vector to scalar registers in the light bulb: titles with what they promise, and the text after them. */
import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode-languageserver-types';
import { canonicalBody } from '../../../../server/src/features/fixes/functionEdits.js';
import { promise, sgprCopyActions } from '../../../../server/src/features/assists/sgprCopies.js';
import type { FunctionView } from '../../../../server/src/features/snapshot/snapshot.js';
import { atCursor, openText, URI } from '../../../support/cursor.js';
import { applied, changedLines } from '../../../support/editing.js';

const HEAD = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=si-fix-sgpr-copies %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0
    %0:vgpr_32 = COPY $vgpr0
`;

const ALL = 'Fix all copies to scalar registers of this function, as si-fix-sgpr-copies does';

/** Line in the text, counted from 0, with the actions there: title, `*` where it is preferred, and changed lines. */
function offered(
  body: readonly string[],
  diagnostics: readonly Diagnostic[] = [],
  last = 0,
): (readonly [number, ...string[][]])[] {
  const text = `${HEAD}${body.map((l) => `    ${l}\n`).join('')}    S_ENDPGM 0\n...\n`;
  const { snapshot } = openText(text);
  return text.split('\n').flatMap((_, line) => {
    const range = { start: { line, character: 5 }, end: { line: line + last, character: 6 } };
    const found = sgprCopyActions(snapshot, snapshot.functions[0]!, range, diagnostics);
    if (found.length === 0) return [];
    return [
      [
        line,
        ...found.map(({ title, isPreferred, edit, kind }) => {
          assert.equal(kind, 'quickfix');
          return [`${isPreferred ? '*' : ''}${title}`, ...changedLines(text, applied(snapshot, edit!.changes![URI]!))];
        }),
      ] as const,
    ];
  });
}

describe('copies to scalar registers', () => {
  it('what reads one goes to vector registers', () => {
    const changes = [
      '- %1:sreg_32 = COPY %0',
      '- %2:sreg_32 = S_ADD_I32 %1, 1, implicit-def dead $scc',
      '- S_NOP 0, implicit %2',
      '+ %3:vgpr_32 = V_ADD_U32_e64 %0, 1, 0, implicit $exec',
      '+ S_NOP 0, implicit %3',
    ];
    assert.deepEqual(
      offered(['%1:sreg_32 = COPY %0', '%2:sreg_32 = S_ADD_I32 %1, 1, implicit-def dead $scc', 'S_NOP 0, implicit %2']),
      [
        [
          8,
          ['*Move what reads this copy to vector registers: SGPR -1, occupancy stays 10', ...changes],
          [`${ALL}: SGPR -1, occupancy stays 10`, ...changes],
        ],
      ],
    );
  });

  it('a constant is moved again; all are fixed at once', () => {
    const body = [
      '%5:vgpr_32 = V_MOV_B32_e32 1, implicit $exec',
      '%1:sreg_32 = COPY %0',
      '%3:sreg_32 = COPY %5',
      '%2:sreg_32 = S_ADD_I32 %1, %3, implicit-def dead $scc',
      '%4:vgpr_32 = COPY %2',
      'S_NOP 0, implicit %4',
    ];
    const gone = body.slice(1, 5).map((l) => `- ${l}`);
    const added = ['+ %6:vgpr_32 = V_ADD_U32_e64 %0, %3, 0, implicit $exec', '+ %4:vgpr_32 = COPY %6'];
    const all = [`${ALL}: SGPR -1, occupancy stays 10`, ...gone, '+ %3:sreg_32 = S_MOV_B32 1', ...added];
    assert.deepEqual(offered(body), [
      [
        9,
        [
          '*Move what reads this copy to vector registers: SGPR -1, occupancy stays 10',
          ...gone,
          '+ %3:sreg_32 = COPY %5',
          ...added,
        ],
        all,
      ],
      [
        10,
        ['*Move the constant again: occupancy stays 10', '- %3:sreg_32 = COPY %5', '+ %3:sreg_32 = S_MOV_B32 1'],
        all,
      ],
    ]);
  });

  it('on each line of a range, the first one', () => {
    const body = ['%1:sreg_32 = COPY %0', 'S_NOP 0', 'S_NOP 1, implicit %1'];
    assert.deepEqual(
      offered(body).map(([line]) => line),
      [8],
    );
    assert.deepEqual(
      offered(body, [], 2).map(([line]) => line),
      [6, 7, 8],
    );
  });

  it('none where something is wrong, or nothing is copied', () => {
    assert.deepEqual(offered(['%1:sreg_32 = COPY %0', 'S_NOTHING']), []);
    assert.deepEqual(offered(['%1:sreg_32 = COPY $sgpr0', '%2:vgpr_32 = COPY %1']), []);
    const { snapshot } = atCursor(`$0${HEAD}    S_ENDPGM 0\n...\n`);
    const none = Object.create(snapshot.functions[0]!, { fn: { value: null } }) as FunctionView;
    const at = { line: 7, character: 0 };
    assert.deepEqual(sgprCopyActions(snapshot, none, { start: at, end: at }, []), []);
  });

  it('has the warnings about it', () => {
    const text = `${HEAD}    %1:sreg_32 = COPY %0\n    S_NOP 0, implicit %1\n    S_ENDPGM 0\n...\n`;
    const { snapshot } = openText(text);
    const at = { line: 8, character: 5 };
    const range = { start: at, end: at };
    const of = (code: string): Diagnostic => ({ range, message: '', code });
    const diagnostics = ['copy-to-sgpr', 'other', 'readfirstlane', 'sgpr-copy'].map(of);
    for (const action of sgprCopyActions(snapshot, snapshot.functions[0]!, range, diagnostics)) {
      assert.ok(Array.isArray(action.diagnostics));
      assert.ok(action.diagnostics.every((d) => d.code !== 'other'));
    }
  });
});

describe('what a title promises', () => {
  const view = (
    nInstrs: number,
    occupancy: number,
    [sgpr, vgpr, agpr]: readonly number[],
    kind = 'virtual',
  ): FunctionView =>
    ({
      fn: { nInstrs },
      summary: {
        usedRegisters: { kind },
        occupancy: { occupancy },
        peaks: [sgpr, vgpr, agpr].map((value) => ({ value })),
      },
    }) as unknown as FunctionView;

  it('changes of each bank, and waves', () => {
    const before = view(10, 8, [5, 5, 5]);
    const CASES: readonly (readonly [number, readonly number[], string])[] = [
      [8, [5, 5, 5], ': occupancy stays 8'],
      [7, [5, 5, 5], ': occupancy 8 to 7'],
      [9, [5, 6, 5], ': VGPR +1, occupancy 8 to 9'],
      [8, [5, 3, 5], ': VGPR -2, occupancy stays 8'],
      [8, [4, 5, 5], ': SGPR -1, occupancy stays 8'],
      [8, [5, 5, 15], ': AGPR +10, occupancy stays 8'],
      [8, [4, 7, 6], ': VGPR +2, AGPR +1, SGPR -1, occupancy stays 8'],
    ];
    for (const [occupancy, peaks, wanted] of CASES) assert.equal(promise(before, view(10, occupancy, peaks)), wanted);
  });

  it('nothing of large functions, or where it is not known', () => {
    const after = view(10, 8, [5, 5, 5]);
    assert.equal(promise(view(2000, 8, [5, 5, 5]), after), ': occupancy stays 8');
    assert.equal(promise(view(2001, 8, [5, 5, 5]), after), '');
    assert.equal(promise(view(10, 8, [5, 5, 5], 'physical'), after), '');
    assert.equal(promise({ fn: null, summary: after.summary } as FunctionView, after), '');
    assert.equal(promise({ fn: after.fn, summary: null } as FunctionView, after), '');
    assert.equal(promise(after, { fn: after.fn, summary: null } as FunctionView), '');
  });
});

describe('a body with its registers by their first mention', () => {
  const canonical = (...lines: readonly string[]): string =>
    canonicalBody(atCursor(`$0${HEAD}${lines.map((l) => `    ${l}\n`).join('')}...\n`).snapshot.functions[0]!.fn!);

  it('numbers are renamed, names are not', () => {
    assert.equal(
      canonical(
        '%7:vgpr_32 = COPY %0',
        '%x:vgpr_32 = COPY %7',
        'S_NOP 0, implicit %7, implicit %x',
        '%12:vgpr_32 = COPY %x',
      ),
      [
        'bb.0',
        '%0:vgpr_32 = COPY $vgpr0',
        '%1:vgpr_32 = COPY %0',
        '%x:vgpr_32 = COPY %1',
        'S_NOP 0, implicit %1, implicit %x',
        '%2:vgpr_32 = COPY %x',
      ].join('\n'),
    );
    assert.equal(canonical('S_BRANCH %bb.1', '', 'bb.1:', 'S_ENDPGM 0').split('\n').at(-2), 'bb.1');
    assert.equal(canonical('%5:vgpr_32 = COPY %0'), canonical('%9:vgpr_32 = COPY %0'));
  });
});
