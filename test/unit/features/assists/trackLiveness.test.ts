/** `tracksRegLiveness: true` for functions that have none: where it is offered, and what it writes. */
import assert from 'node:assert/strict';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../../server/src/features/assists/codeAction.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText, URI } from '../../../support/cursor.js';
import { actionsAt, applied } from '../../../support/editing.js';

const TITLE = 'Add tracksRegLiveness: true';
const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n';
const fn = (body: string, keys = '', name = 'f$0'): string =>
  `${RUN}---\nname: ${name}\n${keys}body: |\n  bb.0:\n    liveins: $vgpr0\n\n${body}    S_ENDPGM 0\n...\n`;
const PHYSICAL = '    $vgpr1 = COPY $vgpr0\n';
const VIRTUAL = '    %0:vgpr_32 = IMPLICIT_DEF\n';

describe('tracksRegLiveness', () => {
  const CASES: readonly (readonly [what: string, marked: string, made: string | undefined])[] = [
    ['after the name', fn(PHYSICAL), fn(PHYSICAL, 'tracksRegLiveness: true\n', 'f')],
    ['for virtual registers', fn(VIRTUAL), fn(VIRTUAL, 'tracksRegLiveness: true\n', 'f')],
    ['before other keys', fn(PHYSICAL, 'alignment: 4\n'), fn(PHYSICAL, 'tracksRegLiveness: true\nalignment: 4\n', 'f')],
    [
      'instead of false',
      fn(PHYSICAL, 'alignment: 4\ntracksRegLiveness: false\nnoVRegs: true\n'),
      fn(PHYSICAL, 'alignment: 4\ntracksRegLiveness: true\nnoVRegs: true\n', 'f'),
    ],
    ['not where it stands', fn(PHYSICAL, 'tracksRegLiveness: true\n'), undefined],
    ['not without registers', fn(''), undefined],
    ['not for no register', fn('    S_NOP 0, implicit $noreg\n'), undefined],
    ['not elsewhere', fn(PHYSICAL, '', 'f').replace('body', 'bo$0dy'), undefined],
    ['not in a line of the body', fn(PHYSICAL, '', 'f').replace('COPY', 'CO$0PY'), undefined],
    ['before the name', fn(PHYSICAL, '', '$0f'), fn(PHYSICAL, 'tracksRegLiveness: true\n', 'f')],
    [
      'with carriage returns',
      fn(PHYSICAL).replaceAll('\n', '\r\n'),
      fn(PHYSICAL, 'tracksRegLiveness: true\n', 'f').replaceAll('\n', '\r\n'),
    ],
  ];
  for (const [what, marked, made] of CASES)
    it(what, () => assert.equal(actionsAt(marked, ['quickfix']).get(TITLE), made));

  it('is offered for what touches the name', () => {
    const { snapshot, text } = openText(fn(PHYSICAL, '', 'func'));
    const name = text.indexOf('func');
    const offered = (from: number, to: number): boolean =>
      provideCodeActions(
        snapshot,
        {
          range: { start: snapshot.text.positionAt(from), end: snapshot.text.positionAt(to) },
          context: { diagnostics: [], only: ['quickfix'] },
        },
        NEVER_CANCELLED,
      ).some((a: CodeAction) => a.title === TITLE);
    for (const [from, to, wanted] of [
      [name - 3, name - 1, false],
      [name - 3, name, true],
      [name + 2, name + 2, true],
      [name + 4, name + 9, true],
      [name + 5, name + 9, false],
      [name - 3, name + 9, true],
    ] as const)
      assert.equal(offered(from, to), wanted, `${from - name} to ${to - name}`);
  });

  it('does no harm: not where more would be wrong', () => {
    // What nothing has written is read, and would be an error then.
    const marked = fn('    S_NOP 0, implicit $vgpr7\n');
    assert.equal(actionsAt(marked, ['quickfix']).get(TITLE), undefined);
  });
});

describe('kinds of actions', () => {
  const text = fn(PHYSICAL, 'tracksRegLivenes: true\n', 'f');
  const { snapshot } = openText(text);
  const line = text.slice(0, text.indexOf('tracks')).split('\n').length - 1;
  const range = { start: { line, character: 2 }, end: { line, character: 2 } };
  const kinds = (only?: string[]): string[] => [
    ...new Set(
      provideCodeActions(
        snapshot,
        { range, context: { diagnostics: [], ...(only === undefined ? {} : { only }) } },
        NEVER_CANCELLED,
      ).map((a) => a.kind!),
    ),
  ];

  it('are those that are asked for, and what is below them', () => {
    assert.deepEqual(kinds(['quickfix']), ['quickfix']);
    assert.deepEqual(kinds(['quickfix.mine']), []);
    assert.deepEqual(kinds(['quick']), []);
    assert.ok(kinds().includes('quickfix') && !kinds().includes('source.fixAll.amdgpu-mir'));
    assert.ok(kinds(['']).includes('source.fixAll.amdgpu-mir'));
    for (const only of ['source', 'source.fixAll', 'source.fixAll.amdgpu-mir'])
      assert.ok(kinds([only]).includes('source.fixAll.amdgpu-mir'), only);
    assert.deepEqual(kinds(['source.fixAll.other']), []);
    assert.deepEqual(kinds([]), []);
  });

  it('repair the whole file when asked', () => {
    const broken = `${fn('    S_NOPP 0\n    %1:vgpr_32 = V_MOV_B32_e32 0\n', 'tracksRegLivenes: true\n', 'f')}`;
    const { snapshot: own } = openText(broken);
    const [all] = provideCodeActions(
      own,
      { range, context: { diagnostics: [], only: ['source.fixAll'] } },
      NEVER_CANCELLED,
    );
    assert.equal(all!.title, 'Repair 3 problems');
    assert.equal(
      applied(own, all!.edit!.changes![URI]!),
      fn('    S_NOP 0\n    %1:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n', 'tracksRegLiveness: true\n', 'f'),
    );
    const one = openText(fn('    S_NOPP 0\n', '', 'f')).snapshot;
    const [single] = provideCodeActions(
      one,
      { range, context: { diagnostics: [], only: ['source.fixAll'] } },
      NEVER_CANCELLED,
    );
    assert.equal(single!.title, 'Repair 1 problem');
  });
});
