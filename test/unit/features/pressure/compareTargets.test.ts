/** Functions on several targets: the whole table, the rows as data, whose targets are asked. */
import assert from 'node:assert/strict';
import {
  provideTargetComparison,
  type CompareParams,
  type TargetComparison,
} from '../../../../server/src/features/pressure/compareTargets.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { atCursor, openText } from '../../../support/cursor.js';
import { expect } from '../../../support/expect.js';
import { shown } from '../../../support/shown.js';

const TEXT = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 %s
# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -mattr=+xnack %s
# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -O1 %s
# RUN: llc -mcpu=gfx1030 %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    S_NOP 0, implicit-def %0:vreg_1024, implicit-def %1:sreg_64
    S_NOP 0, implicit-def %2:agpr_32
    S_NOP 0, implicit %0, implicit %1, implicit %2
    S_ENDPGM 0
...
---
name: g
body: |
  bb.0:
    S_NOP 0, implicit-def %2:vreg_64
    S_ENDPGM 0, implicit %9
...
---
name: none
body: |
  bb.0:
    S_ENDPGM 0
...
`;

const TABLE = `f
  target                occupancy  live peak VGPR  live peak SGPR  live peak AGPR  limited by  next wave
  gfx900 wave64         8 of 10    32 at line 10   2 at line 10    1 at line 11    VGPR        -4 VGPR
  gfx90a wave64 +xnack  8 of 8     32 at line 10   2 at line 10    1 at line 11    -           -
  gfx1030 wave32        16 of 16   32 at line 10   2 at line 10    1 at line 11    -           -
  gfx1100 wave32        16 of 16   32 at line 10   2 at line 10    1 at line 11    -           -
  gfx942 wave64         8 of 8     32 at line 10   2 at line 10    1 at line 11    -           -
  gfx906 wave64 +xnack  8 of 10    32 at line 10   2 at line 10    1 at line 11    VGPR        -4 VGPR
  gfx1200 wave32        16 of 16   32 at line 10   2 at line 10    1 at line 11    -           -
  nonesuch wave64       8 of 10    32 at line 10   2 at line 10    1 at line 11    VGPR        -4 VGPR

g
  target                occupancy  limited by  next wave
  gfx900 wave64         llc rejects line 20: Cannot determine class/bank of virtual register 9 in function 'g'
  gfx90a wave64 +xnack  llc rejects line 20: Cannot determine class/bank of virtual register 9 in function 'g'
  gfx1030 wave32        llc rejects line 20: Cannot determine class/bank of virtual register 9 in function 'g'
  gfx1100 wave32        llc rejects line 20: Cannot determine class/bank of virtual register 9 in function 'g'
  gfx942 wave64         llc rejects line 20: Cannot determine class/bank of virtual register 9 in function 'g'
  gfx906 wave64 +xnack  llc rejects line 20: Cannot determine class/bank of virtual register 9 in function 'g'
  gfx1200 wave32        llc rejects line 20: Cannot determine class/bank of virtual register 9 in function 'g'
  nonesuch wave64       llc rejects line 20: Cannot determine class/bank of virtual register 9 in function 'g'

none
  target                occupancy  limited by  next wave
  gfx900 wave64         no registers
  gfx90a wave64 +xnack  no registers
  gfx1030 wave32        no registers
  gfx1100 wave32        no registers
  gfx942 wave64         no registers
  gfx906 wave64 +xnack  no registers
  gfx1200 wave32        no registers
  nonesuch wave64       no registers

LLVM 22.1.8, waves per EU
live peak: the most registers live at once (amdgpu-print-rp)
`;

const ASKED = [
  { cpu: 'gfx942' },
  { cpu: 'gfx906', features: '+xnack' },
  // The RUN line has it.
  { cpu: 'gfx90a', features: '+xnack' },
  { triple: 'amdgcn-amd-amdpal', cpu: 'gfx1200' },
  { cpu: 'nonesuch' },
];

const compare = (params: CompareParams, token = NEVER_CANCELLED): TargetComparison =>
  provideTargetComparison(openText(TEXT, { compareWith: ['gfx1100', 'gfx900'] }).snapshot, params, token);
const labels = ({ functions }: TargetComparison): string =>
  (functions[0]?.rows ?? []).map((row) => row.label).join(', ');

describe('functions on several targets', () => {
  it('as a table', () => assert.equal(compare({ targets: ASKED }).text, TABLE));

  it('as data', () => {
    const { functions } = compare({ targets: ASKED });
    // 32 VGPRs: eight waves on gfx900, which has 256; with 28 nine.
    expect`
      {
        name: 'f', line: 5, fileSays: '',
        rows: [
          {
            label: 'gfx900', target: 'gfx900 wave64', line: 0, occupancy: 8, most: 10, limiter: 'VGPR', nextWave: '-4 VGPR',
            peaks: [
              { bank: 'VGPR', value: 32, place: 'bb.0:0', line: 10 }, { bank: 'SGPR', value: 2, place: 'bb.0:0', line: 10 },
              { bank: 'AGPR', value: 1, place: 'bb.0:1', line: 11 },
            ],
            problem: '',
          },
          {
            label: 'gfx90a +xnack', target: 'gfx90a wave64', line: 1, occupancy: 8, most: 8, limiter: '', nextWave: '',
            peaks: [
              { bank: 'VGPR', value: 32, place: 'bb.0:0', line: 10 }, { bank: 'SGPR', value: 2, place: 'bb.0:0', line: 10 },
              { bank: 'AGPR', value: 1, place: 'bb.0:1', line: 11 },
            ],
            problem: '',
          },
          {
            label: 'gfx1030', target: 'gfx1030 wave32', line: 3, occupancy: 16, most: 16, limiter: '', nextWave: '',
            peaks: [
              { bank: 'VGPR', value: 32, place: 'bb.0:0', line: 10 }, { bank: 'SGPR', value: 2, place: 'bb.0:0', line: 10 },
              { bank: 'AGPR', value: 1, place: 'bb.0:1', line: 11 },
            ],
            problem: '',
          },
          {
            label: 'gfx1100', target: 'gfx1100 wave32', line: -1, occupancy: 16, most: 16, limiter: '', nextWave: '',
            peaks: [
              { bank: 'VGPR', value: 32, place: 'bb.0:0', line: 10 }, { bank: 'SGPR', value: 2, place: 'bb.0:0', line: 10 },
              { bank: 'AGPR', value: 1, place: 'bb.0:1', line: 11 },
            ],
            problem: '',
          },
          {
            label: 'gfx942', target: 'gfx942 wave64', line: -1, occupancy: 8, most: 8, limiter: '', nextWave: '',
            peaks: [
              { bank: 'VGPR', value: 32, place: 'bb.0:0', line: 10 }, { bank: 'SGPR', value: 2, place: 'bb.0:0', line: 10 },
              { bank: 'AGPR', value: 1, place: 'bb.0:1', line: 11 },
            ],
            problem: '',
          },
          {
            label: 'gfx906 +xnack', target: 'gfx906 wave64', line: -1, occupancy: 8, most: 10, limiter: 'VGPR',
            nextWave: '-4 VGPR',
            peaks: [
              { bank: 'VGPR', value: 32, place: 'bb.0:0', line: 10 }, { bank: 'SGPR', value: 2, place: 'bb.0:0', line: 10 },
              { bank: 'AGPR', value: 1, place: 'bb.0:1', line: 11 },
            ],
            problem: '',
          },
          {
            label: 'gfx1200', target: 'gfx1200 wave32', line: -1, occupancy: 16, most: 16, limiter: '', nextWave: '',
            peaks: [
              { bank: 'VGPR', value: 32, place: 'bb.0:0', line: 10 }, { bank: 'SGPR', value: 2, place: 'bb.0:0', line: 10 },
              { bank: 'AGPR', value: 1, place: 'bb.0:1', line: 11 },
            ],
            problem: '',
          },
          {
            label: 'nonesuch', target: 'nonesuch wave64', line: -1, occupancy: 8, most: 10, limiter: 'VGPR',
            nextWave: '-4 VGPR',
            peaks: [
              { bank: 'VGPR', value: 32, place: 'bb.0:0', line: 10 }, { bank: 'SGPR', value: 2, place: 'bb.0:0', line: 10 },
              { bank: 'AGPR', value: 1, place: 'bb.0:1', line: 11 },
            ],
            problem: "'nonesuch' is not a recognized processor for this target (ignoring processor)",
          },
        ],
      }
    `.equals(shown(functions[0]));
    assert.deepEqual(
      functions.slice(1).map((f) => [f.name, f.line, f.rows[0]!.occupancy, f.rows[0]!.most, f.rows[0]!.problem]),
      [
        ['g', 15, -1, -1, "llc rejects line 20: Cannot determine class/bank of virtual register 9 in function 'g'"],
        ['none', 22, -1, -1, 'no registers'],
      ],
    );
  });

  it('the targets of RUN lines and of the setting, each once', () =>
    assert.equal(labels(compare({})), 'gfx900, gfx90a +xnack, gfx1030, gfx1100'));

  it('sixteen at most', () => {
    const targets = Array.from({ length: 20 }, (_, k) => ({ cpu: `cpu${k}` }));
    const found = labels(compare({ targets })).split(', ');
    assert.deepEqual([found.length, found.at(-1)], [16, 'cpu11']);
  });

  it('of one function, of none', () => {
    const at = (line: number): string =>
      compare({ position: { line: line - 1, character: 0 } })
        .functions.map((f) => f.name)
        .join();
    assert.deepEqual([at(10), at(18), at(24)], ['f', 'g', 'none']);
    assert.deepEqual(compare({}, { isCancelled: () => true }).functions, []);
    assert.equal(
      compare({}, { isCancelled: () => true }).text,
      '\n\nLLVM 22.1.8, waves per EU\nlive peak: the most registers live at once (amdgpu-print-rp)\n',
    );
  });

  it('of another architecture there is nothing to say', () => {
    const { snapshot } = atCursor(
      '$0# RUN: llc -mtriple=x86_64-- %s\n---\nname: f\nbody: |\n  bb.0:\n    RET64\n...\n',
    );
    const [f] = provideTargetComparison(snapshot, {}, NEVER_CANCELLED).functions;
    assert.match(f!.rows[0]!.problem, /x86/);
  });
});
