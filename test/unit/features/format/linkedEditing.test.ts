/** Places of a register that are typed at once. */
import assert from 'node:assert/strict';
import { provideLinkedEditingRanges } from '../../../../server/src/features/format/linkedEditing.js';
import { atCursor } from '../../../support/cursor.js';

const HEADER = '---\nname: f\nregisters:\n  - { id: 0, class: vgpr_32 }\nbody: |\n  bb.0:\n';

/** Texts of the places, each with the character before it; nothing where none are linked. */
function linked(body: string, header = HEADER): string[] {
  const { snapshot, position, text } = atCursor(`${header}${body}    S_ENDPGM 0\n...\n`);
  const found = provideLinkedEditingRanges(snapshot, { position });
  if (found === null) return [];
  assert.equal(found.wordPattern, '[A-Za-z0-9_-]+');
  return found.ranges.map((r) => text.slice(snapshot.text.offsetAt(r.start) - 1, snapshot.text.offsetAt(r.end)));
}

describe('places that are typed at once', () => {
  it('have no sign', () => {
    assert.deepEqual(linked('    %ab$0:vgpr_32 = COPY $vgpr0\n    S_NOP 0, implicit %ab, implicit %abc\n'), [
      '%ab',
      '%ab',
    ]);
    assert.deepEqual(linked('    %0 = COPY $vgpr0\n    S_NOP 0, implicit %$00\n'), [' 0', '%0', '%0']);
  });

  it('are more than one, of a virtual register', () => {
    assert.deepEqual(linked('    %ab$0:vgpr_32 = COPY $vgpr0\n'), []);
    assert.deepEqual(linked('    $vgpr0$0 = COPY $vgpr0\n'), []);
    assert.deepEqual(linked('    S_N$0OP 0\n'), []);
    assert.deepEqual(linked('    S_BRANCH %bb$0.0\n    S_BRANCH %bb.0\n'), []);
  });

  it('are a thousand at most', () => {
    const uses = (n: number): string => `    %a$0:vgpr_32 = COPY $vgpr0\n${'    S_NOP 0, implicit %a\n'.repeat(n)}`;
    assert.equal(linked(uses(999)).length, 1000);
    assert.equal(linked(uses(1000)).length, 0);
  });
});
