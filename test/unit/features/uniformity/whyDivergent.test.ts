/** What "why divergent" is about: the register under the cursor, those of the instruction, the branch, the function; and masks that come first in the list. */
import assert from 'node:assert/strict';
import { provideWhyDivergent } from '../../../../server/src/features/uniformity/whyDivergent.js';
import { atCursor, openText } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: f
tracksRegLiveness: true
registers:
  - { id: 3, class: sreg_64 }
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %3:sreg_64 = V_CMP_EQ_U32_e64 %0, 1, implicit $exec
    %4:sreg_64 = SI_IF %3, %bb.2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec

  bb.1:
    %5:vgpr_32, %6:sreg_64 = V_ADD_CO_U32_e64 %0, %0, 0, implicit $exec
    S_NOP 0, implicit %5, implicit %0, implicit %5

  bb.2:
    SI_END_CF %4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_ENDPGM 0
...
`;

/** What the reports are about, at the first `word` after `after`. */
function about(word: string, after: string, shift = 1): string[] {
  const at = TEXT.indexOf(word, TEXT.indexOf(after) + after.length);
  const { snapshot } = openText(TEXT);
  const report = provideWhyDivergent(snapshot, { position: snapshot.text.positionAt(at + shift) }) as string;
  const [head, ...parts] = report.trimEnd().split('\n\n');
  assert.equal(head, '@f, gfx900 wave64, LLVM 22.1.8');
  return parts.map((part) => part.split('\n')[0]!);
}

describe('what "why divergent" is about', () => {
  it('the register under the cursor, at both its ends', () => {
    for (const shift of [0, 1, 2])
      assert.deepEqual(about('%0, 1', 'V_CMP', shift), ['%0, from line 14, where line 15 reads it: divergent']);
    assert.deepEqual(about('%0:', 'liveins'), ['%0, from line 14: divergent']);
    assert.deepEqual(about('%3, %bb', 'SI_IF'), ['%3, from line 15, where line 16 reads it: lane mask']);
  });

  it('the function where there is neither', () => {
    for (const [word, after] of [
      ['bb.1:', 'SI_IF'],
      ['S_ENDPGM', 'END_CF'],
      ['name', '---'],
      ['liveins', 'bb.0'],
    ] as const)
      assert.deepEqual(about(word, after), [
        'registers: 2 divergent, 3 lane mask',
        'the branch at the end of bb.0, line 16: divergent',
      ]);
  });

  it('why there is nothing', () => {
    const of = (marked: string): unknown => {
      const { snapshot, position } = atCursor(marked);
      return provideWhyDivergent(snapshot, { position });
    };
    assert.equal(of('$0'), 'no function here\n');
    // What is known of the lanes is told of functions with errors, too.
    assert.equal(
      of('---\nname: f\nbody: |\n  bb.0:\n    S_ENDP$0GM 0, implicit %0\n...\n'),
      '@f, generic-hsa wave64, LLVM 22.1.8\n\n%0, never written, where line 5 reads it: not known\n',
    );
    assert.match(
      of('# RUN: llc -mtriple=x86_64-- %s\n---\nname: f\nbody: |\n  bb.0:\n    RE$0T64\n...\n') as string,
      /^no pressure: .*x86/,
    );
  });

  it('a mask is followed, also the first register of the list', () => {
    const { snapshot } = openText(TEXT);
    assert.equal(
      provideWhyDivergent(snapshot, { position: { line: 15, character: 18 } }),
      `@f, gfx900 wave64, LLVM 22.1.8

the branch at the end of bb.0, line 16: divergent
  why
    1. lanes part at the end of bb.0 by SI_IF (line 16)
       it reads the lane mask %3
       %3 comes from V_CMP_EQ_U32_e64 (line 15), which reads %0
       %0 is divergent: it is a copy of $vgpr0, the work-item (line 14)
  lanes meet in bb.2 (line 22): PHIs there that read different values are divergent
  where it could be broken
    V_READFIRSTLANE_B32 of %0 (line 14), which its readers take: %5 becomes uniform; %3 is computed from uniform values, for a branch on SCC
    a branch on SCC (S_CBRANCH_SCC1) in place of line 16, where the condition is the same in all lanes: the branch is uniform
    each is right only where all lanes have the same value, or where any lane will do

%4, from line 16: lane mask
  lane mask: a bit for each lane
       %4 comes from SI_IF (line 16), which reads what comes from V_CMP_EQ_U32_e64 (line 15), which reads %0
       %0 is divergent: it is a copy of $vgpr0, the work-item (line 14)
`,
    );
  });
});
