/** Renames of physical registers at each of their mentions, and distances of all short words against the definition of the distance. */
import assert from 'node:assert/strict';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { editDistance } from '../../../server/src/features/words/editDistance.js';
import { provideRename, type Refusal } from '../../../server/src/features/rename/rename.js';
import { openText, URI } from '../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $vgpr1

    $vgpr2 = V_ADD_U32_e32 $vgpr0, $vgpr1, implicit $exec
    $vgpr2 = V_ADD_U32_e32 $vgpr2, $vgpr1, implicit $exec
    $vgpr3 = COPY $vgpr2
    $vgpr4_vgpr5 = V_MOV_B64_PSEUDO 0, implicit $exec
    $vgpr6 = V_ADD_U32_e32 $vgpr4, killed $vgpr3, implicit $exec
    $vgpr7 = V_MOV_B32_e32 1, implicit $exec, implicit-def $vgpr10
    $vgpr2 = COPY $vgpr10
    S_NOP 0, implicit killed $vgpr2
    $vgpr3 = V_MOV_B32_e32 7, implicit $exec
    $vgpr0 = V_ADD_U32_e32 $vgpr3, $vgpr0, implicit $exec

  bb.1:
    liveins: $vgpr0, $vgpr6, $vgpr7

    $vgpr8 = V_ADD_U32_e32 $vgpr0, $vgpr6, implicit $exec
    $vgpr2 = V_ADD_U32_e32 $vgpr8, $vgpr8, implicit $exec
    $vgpr8 = V_MOV_B32_e32 $vgpr2, implicit $exec
    S_ENDPGM 0, implicit $vgpr8
...
`;

/** What is edited, or why nothing is, by place and register. */
const WANTED: Readonly<Record<string, string>> = {
  $vgpr9: `
10:5 $vgpr2: 10:6 11:29
10:28 $vgpr0: $vgpr0 is live into this block: the value comes from elsewhere
10:36 $vgpr1: $vgpr1 is live into this block: the value comes from elsewhere
11:5 $vgpr2: 11:6 12:20
11:28 $vgpr2: 10:6 11:29
11:36 $vgpr1: $vgpr1 is live into this block: the value comes from elsewhere
12:5 $vgpr3: 12:6 14:44
12:19 $vgpr2: 11:6 12:20
13:5 $vgpr4_vgpr5: $vgpr4 overlaps it: parts of the value have names of their own
14:5 $vgpr6: $vgpr6 is live out of this block
14:28 $vgpr4: $vgpr4_vgpr5 overlaps it: parts of the value have names of their own
14:43 $vgpr3: 12:6 14:44
15:5 $vgpr7: $vgpr7 is live out of this block
15:60 $vgpr10: an instruction reads or writes $vgpr10 implicitly
16:5 $vgpr2: an instruction reads or writes $vgpr2 implicitly
16:19 $vgpr10: an instruction reads or writes $vgpr10 implicitly
17:30 $vgpr2: an instruction reads or writes $vgpr2 implicitly
18:5 $vgpr3: 18:6 19:29
19:5 $vgpr0: $vgpr0 is live out of this block
19:28 $vgpr3: 18:6 19:29
19:36 $vgpr0: $vgpr0 is live into this block: the value comes from elsewhere
24:5 $vgpr8: 24:6 25:29 25:37
24:28 $vgpr0: $vgpr0 is live into this block: the value comes from elsewhere
24:36 $vgpr6: $vgpr6 is live into this block: the value comes from elsewhere
25:5 $vgpr2: 25:6 26:29
25:28 $vgpr8: 24:6 25:29 25:37
25:36 $vgpr8: 24:6 25:29 25:37
26:5 $vgpr8: an instruction reads or writes $vgpr8 implicitly
26:28 $vgpr2: 25:6 26:29
27:26 $vgpr8: an instruction reads or writes $vgpr8 implicitly
`,
  $vgpr6: `
10:5 $vgpr2: 10:6 11:29
10:28 $vgpr0: $vgpr0 is live into this block: the value comes from elsewhere
10:36 $vgpr1: $vgpr1 is live into this block: the value comes from elsewhere
11:5 $vgpr2: 11:6 12:20
11:28 $vgpr2: 10:6 11:29
11:36 $vgpr1: $vgpr1 is live into this block: the value comes from elsewhere
12:5 $vgpr3: $vgpr6 is in use between the definition and the last use
12:19 $vgpr2: 11:6 12:20
13:5 $vgpr4_vgpr5: $vgpr4 overlaps it: parts of the value have names of their own
14:5 $vgpr6:
14:28 $vgpr4: $vgpr4_vgpr5 overlaps it: parts of the value have names of their own
14:43 $vgpr3: $vgpr6 is in use between the definition and the last use
15:5 $vgpr7: $vgpr7 is live out of this block
15:60 $vgpr10: an instruction reads or writes $vgpr10 implicitly
16:5 $vgpr2: an instruction reads or writes $vgpr2 implicitly
16:19 $vgpr10: an instruction reads or writes $vgpr10 implicitly
17:30 $vgpr2: an instruction reads or writes $vgpr2 implicitly
18:5 $vgpr3: $vgpr6 is in use between the definition and the last use
19:5 $vgpr0: $vgpr0 is live out of this block
19:28 $vgpr3: $vgpr6 is in use between the definition and the last use
19:36 $vgpr0: $vgpr0 is live into this block: the value comes from elsewhere
24:5 $vgpr8: $vgpr6 is in use between the definition and the last use
24:28 $vgpr0: $vgpr0 is live into this block: the value comes from elsewhere
24:36 $vgpr6:
25:5 $vgpr2: 25:6 26:29
25:28 $vgpr8: $vgpr6 is in use between the definition and the last use
25:36 $vgpr8: $vgpr6 is in use between the definition and the last use
26:5 $vgpr8: an instruction reads or writes $vgpr8 implicitly
26:28 $vgpr2: 25:6 26:29
27:26 $vgpr8: an instruction reads or writes $vgpr8 implicitly
`,
};

function renamed(line: number, column: number, newName: string): string {
  const { snapshot } = openText(TEXT);
  const answer = provideRename(snapshot, { position: { line, character: column + 1 }, newName });
  if (answer && 'refused' in answer) return (answer as Refusal).refused;
  const edits: TextEdit[] = (answer as WorkspaceEdit | null)?.changes?.[URI] ?? [];
  return edits.map(({ range: { start } }) => `${start.line + 1}:${start.character + 1}`).join(' ');
}

describe('physical registers at each mention', () => {
  for (const [newName, wanted] of Object.entries(WANTED))
    it(`to ${newName}`, () => {
      const found = TEXT.split('\n').flatMap((text, line) =>
        /^ {4}(?!liveins)/.test(text)
          ? [...text.matchAll(/\$vgpr\w+/g)].map(
              (m) => `${line + 1}:${m.index + 1} ${m[0]}: ${renamed(line, m.index, newName)}`,
            )
          : [],
      );
      assert.deepEqual(
        found.map((s) => s.trimEnd()),
        wanted.trim().split('\n'),
      );
    });
});

/** Insert, delete, replace, swap of neighbours. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const same = a.at(-1) === b.at(-1) ? 0 : 1;
  const isSwap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  return Math.min(
    distance(x, b) + 1,
    distance(a, y) + 1,
    distance(x, y) + same,
    isSwap ? distance(a.slice(0, -2), b.slice(0, -2)) + 1 : Infinity,
  );
}

describe('distances of words', () => {
  const words = [''];
  for (let k = 0; words[k]!.length < 4; k++) for (const c of 'ab') words.push(words[k]! + c);

  it('all of up to four letters, up to a limit', () => {
    for (const a of words)
      for (const b of words)
        for (const most of [0, 1, 2, 3, 4])
          assert.equal(editDistance(a, b, most), Math.min(distance(a, b), most + 1), `${a} ${b} ${most}`);
  });

  it('letters of another case count as one when they are all', () => {
    assert.equal(editDistance('V_MOV', 'v_mov', 3), 1);
    assert.equal(editDistance('V_MOV', 'v_mow', 3), 4);
    assert.equal(editDistance('V_MOV', 'v_mov', 1), 1);
    assert.equal(editDistance('abcdef', 'abdcxf', 4), 2);
    assert.equal(editDistance('abcdefgh', 'efghabcd', 5), 6);
  });
});
