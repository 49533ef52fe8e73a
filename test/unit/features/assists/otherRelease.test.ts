/** Keys that another release writes: the light bulb takes them out. */
import assert from 'node:assert/strict';
import { provideCodeActions } from '../../../../server/src/features/assists/codeAction.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText, URI } from '../../../support/cursor.js';

function removals(cpu: string, key: string): string[] {
  const text = `# RUN: llc -mtriple=amdgcn -mcpu=${cpu} -run-pass=none %s\n---\nname: f\n${key}body: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
  const { host, snapshot } = openText(text, { model: 'auto' });
  // The finding that the file is mixed has the same repair.
  const found = host.diagnostics(URI, NEVER_CANCELLED)!.flatMap((d) =>
    provideCodeActions(snapshot, { range: d.range, context: { diagnostics: [d] } }, NEVER_CANCELLED)
      .filter(({ title }) => title.startsWith('Remove '))
      .map(({ title, edit }) => {
        const [{ range, newText }] = edit!.changes![URI]!;
        const { text: source } = snapshot;
        return `${title}: ${JSON.stringify(source.slice(source.offsetAt(range.start), source.offsetAt(range.end)))} ${newText}`;
      }),
  );
  return [...new Set(found)];
}

describe('keys of another release', () => {
  it('go, with their line', () => {
    const key = 'machineFunctionInfo:\n  isEntryFunction: true\n  noSignedZerosFPMath: false\n';
    assert.deepEqual(removals('gfx1310', key), [
      'Remove noSignedZerosFPMath, a key of LLVM 22.1.8: "  noSignedZerosFPMath: false\\n" ',
    ]);
    assert.deepEqual(removals('gfx942', key), []);
  });

  it('stay where the name is only near one', () => {
    assert.deepEqual(removals('gfx1310', 'machineFunctionInfo:\n  noSignedZerosFPMat: false\n'), []);
  });
});
