/** Findings about the regions that hold the occupancy down, in the order of the text; types that are at odds with the first one. */
import assert from 'node:assert/strict';
import { pressureFindings } from '../../../server/src/features/diagnostics/pressureFindings.js';
import { relatedPlaces } from '../../../server/src/features/diagnostics/relatedPlaces.js';
import { openText } from '../../support/cursor.js';

const numbers = (n: number, from: number): number[] => Array.from({ length: n }, (_, k) => from + k);

/** Registers that live together up to one instruction, which ends a region. */
function heap(n: number, from: number): string {
  const made = numbers(n, from).map((k) => `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec\n`);
  return `${made.join('')}    S_NOP 0, ${numbers(n, from)
    .map((k) => `implicit %${k}`)
    .join(', ')}\n    S_SETPRIO 1\n`;
}

/** Four regions of two blocks; the second of the first block has fewer registers. */
const REGIONS = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.7
${heap(70, 0)}${heap(40, 100)}${heap(70, 200)}
  bb.7:
${heap(71, 300)}    S_ENDPGM 0
...
`;

/** 1-based line. */
const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

describe('regions that limit the occupancy', () => {
  const { snapshot } = openText(REGIONS);
  const found = pressureFindings(snapshot.functions[0]!);

  it('are those at the occupancy of the function, with its steps', () => {
    assert.deepEqual(
      found.map(({ message, start }) => `${lineOf(REGIONS, start)} ${message}`),
      [
        "77 VGPR pressure of region 2 (bb.0) limits the occupancy of 'f' to 7 of 8; next wave: -6 VGPR",
        "191 VGPR pressure of region 0 (bb.0) limits the occupancy of 'f' to 7 of 8; next wave: -6 VGPR",
        "266 VGPR pressure of region 3 (bb.7) limits the occupancy of 'f' to 7 of 8; next wave: -7 VGPR",
      ],
    );
  });

  it('say where they begin and end', () => {
    assert.deepEqual(
      found.map(({ related }) => related?.map(({ message, start }) => `${lineOf(REGIONS, start)} ${message}`)),
      [
        ['8 the region begins here', '78 and ends here'],
        ['122 the region begins here', '192 and ends here'],
        ['196 the region begins here', '267 and ends here'],
      ],
    );
  });
});

describe('places that a diagnostic is related to', () => {
  const related = (body: string): string[] => {
    const text = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n${body}    S_ENDPGM 0\n...\n`;
    const { snapshot } = openText(text);
    const [view] = snapshot.functions;
    return view!.diagnostics.map((d) => {
      const places = relatedPlaces(snapshot, view!, d).map((p) => `${lineOf(text, p.start)} ${p.message}`);
      return `${lineOf(text, d.start)} ${d.message}: ${places.join(', ')}`;
    });
  };

  it('another type, another class', () => {
    assert.deepEqual(
      related('    %0:_(s32) = G_CONSTANT i32 1\n    %1:_(s64) = G_CONSTANT i64 1\n    S_NOP 0, implicit %0(s64)\n'),
      ['8 inconsistent type for generic virtual register: 6 class given here'],
    );
    assert.deepEqual(related('    S_NOP 0\n    %0:vgpr_32 = IMPLICIT_DEF\n    S_NOP 0, implicit %0:sreg_32\n'), [
      '8 conflicting register classes, previously: VGPR_32: 7 class given here',
    ]);
  });
});
