/** Repairs of `killed`, `dead`, `undef` and `renamable`: what is offered for each mistake, and what it makes of the text. */
import assert from 'node:assert/strict';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../../server/src/features/assists/codeAction.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText, URI } from '../../../support/cursor.js';
import { describeOffers } from '../../../support/offers.js';

const HEAD =
  '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n';

/** Titles of all offers about diagnostics with the changes that each makes, as `line: new line`. */
function offers(body: string): string[] {
  const text = `${HEAD}${body}...\n`;
  const { host, snapshot } = openText(text);
  const found: string[] = [];
  for (const d of host.diagnostics(URI, NEVER_CANCELLED)!) {
    const context = { diagnostics: [d] };
    const list: CodeAction[] = provideCodeActions(snapshot, { range: d.range, context }, NEVER_CANCELLED);
    for (const { title, edit, diagnostics } of list) {
      if (diagnostics?.includes(d) !== true) continue;
      let result = text;
      for (const { range, newText } of [...edit!.changes![URI]!].reverse())
        result =
          result.slice(0, snapshot.text.offsetAt(range.start)) +
          newText +
          result.slice(snapshot.text.offsetAt(range.end));
      const [now, old] = [result.split('\n'), text.split('\n')];
      const changed =
        now.length === old.length ? now.filter((l, k) => l !== old[k]) : now.filter((l) => !old.includes(l));
      found.push(`${title}: ${changed.map((l) => l.trim()).join(' / ')}`);
    }
  }
  return [...new Set(found)];
}

const MOV = (reg: string): string => `    ${reg} = V_MOV_B32_e32 0, implicit $exec\n`;

interface Case {
  readonly what: string;
  readonly body: string;
  /** in their order */
  readonly offered: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: 'a kill before another read, in the same block',
    body: `  bb.0:\n${MOV('%0:vgpr_32')}${MOV('%1:vgpr_32')}    S_NOP 0, implicit killed %1\n    S_NOP 1, implicit killed %0\n    S_NOP 2, implicit %0\n`,
    offered: ["Remove 'killed' from %0 in line 10: S_NOP 1, implicit %0"],
  },
  {
    what: 'the nearest of two kills',
    body: `  bb.0:\n${MOV('%0:vgpr_32')}    S_NOP 1, implicit killed %0\n    S_NOP 2, implicit killed %0\n    S_NOP 3, implicit %0\n`,
    offered: ["Remove 'killed' from %0 in line 8: S_NOP 1, implicit %0"],
  },
  {
    what: 'a kill of what lives out',
    body: `  bb.0:\n    successors: %bb.1\n\n${MOV('%0:vgpr_32')}    S_NOP 1, implicit killed %0\n\n  bb.1:\n    S_NOP 2, implicit %0\n`,
    offered: ["Remove 'killed' from %0: S_NOP 1, implicit %0"],
  },
  {
    what: 'a definition marked dead that another block reads',
    body: `  bb.0:\n    successors: %bb.1\n\n${MOV('%5:vgpr_32')}${MOV('dead %0:vgpr_32')}\n  bb.1:\n    S_NOP 2, implicit %0, implicit %5\n`,
    offered: [
      "Remove 'dead' from %0 in line 10: %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec",
      'Mark %0 as undef here: S_NOP 2, implicit undef %0, implicit %5',
    ],
  },
  {
    what: 'a read that nothing defines',
    body: '  bb.0:\n    S_NOP 2, implicit %0:vgpr_32\n',
    offered: ['Mark %0 as undef here: S_NOP 2, implicit undef %0:vgpr_32'],
  },
  {
    what: 'undef on a whole definition',
    body: '  bb.0:\n    undef %0:vgpr_32 = IMPLICIT_DEF\n    S_NOP 2, implicit %0\n',
    offered: ["Remove 'undef' from %0: %0:vgpr_32 = IMPLICIT_DEF"],
  },
  {
    what: 'renamable of a reserved register',
    body: '  bb.0:\n    renamable $m0 = S_MOV_B32 0\n',
    offered: ["Remove 'renamable' from $m0: $m0 = S_MOV_B32 0"],
  },
  {
    what: 'a physical register that was killed above',
    body: `  bb.0:\n${MOV('$vgpr0')}    S_NOP 0, implicit killed $vgpr0\n    S_NOP 1, implicit $vgpr0\n`,
    offered: [
      "Remove 'killed' from $vgpr0 in line 8: S_NOP 0, implicit $vgpr0",
      'Mark $vgpr0 as undef here: S_NOP 1, implicit undef $vgpr0',
    ],
  },
  {
    what: 'a part of a register that was killed above',
    body: '  bb.0:\n    liveins: $vgpr4\n\n    $vgpr0_vgpr1 = IMPLICIT_DEF\n    S_NOP 0, implicit killed $vgpr0_vgpr1\n    S_NOP 1, implicit $vgpr1\n',
    offered: [
      "Remove 'killed' from $vgpr0_vgpr1 in line 10: S_NOP 0, implicit $vgpr0_vgpr1",
      'Mark $vgpr1 as undef here: S_NOP 1, implicit undef $vgpr1',
    ],
  },
  {
    what: 'a physical register whose definition is marked dead',
    body: `  bb.0:\n    liveins: $vgpr4, $vgpr5\n\n${MOV('dead $vgpr0')}    S_NOP 1, implicit $vgpr0\n`,
    offered: [
      "Remove 'dead' from $vgpr0 in line 9: $vgpr0 = V_MOV_B32_e32 0, implicit $exec",
      'Mark $vgpr0 as undef here: S_NOP 1, implicit undef $vgpr0',
    ],
  },
  {
    what: 'a live-in that is missing among others',
    body: '  bb.0:\n    liveins: $vgpr4, $vgpr5\n\n    S_NOP 1, implicit $vgpr0\n',
    offered: [
      'Add $vgpr0 to the live-ins of bb.0: liveins: $vgpr4, $vgpr5, $vgpr0',
      'Mark $vgpr0 as undef here: S_NOP 1, implicit undef $vgpr0',
    ],
  },
  {
    what: 'a flag in another block is no mistake of this one',
    body: `  bb.0:\n    successors: %bb.1\n\n${MOV('$vgpr0')}    S_NOP 0, implicit killed $vgpr0\n\n  bb.1:\n    S_NOP 1, implicit $vgpr0\n`,
    offered: [
      'Add $vgpr0 to the live-ins of bb.1: liveins: $vgpr0',
      'Mark $vgpr0 as undef here: S_NOP 1, implicit undef $vgpr0',
    ],
  },
];

// What does not repair the mistake alone is not offered, such as a live-in of what is killed above.
describe('repairs of register flags', () => {
  for (const { what, body, offered } of CASES) it(what, () => assert.deepEqual(offers(body), offered));
});

describeOffers('flags');
