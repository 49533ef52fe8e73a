/** The list of the light bulb as a whole: one action for several diagnostics, kinds that are asked for, and the fixes of all. */
import assert from 'node:assert/strict';
import { provideCodeActions } from '../../../../server/src/features/assists/codeAction.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { atCursor, URI } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -verify-machineinstrs %s -o -
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr0
    %2:vgpr_32 = COPY $vgpr1
    S_ENDPGM 0
...
`;

function actions(only?: string[]) {
  const { host, snapshot } = atCursor(TEXT);
  const diagnostics = host.diagnostics(URI, NEVER_CANCELLED)!;
  const start = { line: 6, character: 0 };
  const end = { line: 8, character: 99 };
  const context = { diagnostics, ...(only === undefined ? {} : { only }) };
  return { diagnostics, list: provideCodeActions(snapshot, { range: { start, end }, context }, NEVER_CANCELLED) };
}

describe('the list of the light bulb', () => {
  it('has one repair of several diagnostics, with each of them', () => {
    const { diagnostics, list } = actions(['quickfix']);
    const of = (line: number): unknown[] => diagnostics.filter((d) => d.range.start.line === line);
    const repairs = list.map((a) => [a.title, a.diagnostics] as const);
    assert.deepEqual(repairs, [
      ['Add $vgpr0 to the live-ins of bb.0', [...of(6), ...of(7)]],
      ['Mark $vgpr0 as undef here', of(6)],
      ['Mark $vgpr0 as undef here', of(7)],
      ['Add $vgpr1 to the live-ins of bb.0', of(8)],
      ['Mark $vgpr1 as undef here', of(8)],
    ]);
  });

  it('is of the kinds that are asked for', () => {
    assert.ok(actions(['quickfix']).list.every((a) => a.kind!.startsWith('quickfix')));
    assert.ok(actions(['refactor']).list.every((a) => a.kind!.startsWith('refactor')));
    assert.ok(actions(['source']).list.every((a) => a.kind!.startsWith('source')));
    assert.deepEqual(actions(['refac']).list, []);
    assert.ok(actions(['quickfix']).list.length > 0);
    assert.ok(actions(['refactor']).list.length > 0);
  });
});
