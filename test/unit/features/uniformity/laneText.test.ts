/** What registers, branches and blocks are to the lanes, in hovers. */
import assert from 'node:assert/strict';
import { CauseKind } from '../../../../server/src/analysis/uniformity/uniformity.js';
import type { ReasonStep } from '../../../../server/src/analysis/uniformity/laneValues.js';
import {
  execLine,
  laneBlockLines,
  laneLine,
  laneRows,
  laneTitle,
  Place,
  placeOfLanes,
  stepSentence,
} from '../../../../server/src/features/uniformity/laneText.js';
import type { FunctionView, Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { openText } from '../../../support/cursor.js';
import { expect } from '../../../support/expect.js';
import { describeHovers } from '../../../support/hoverTexts.js';
import { UNIFORMITIES } from '../../../support/exampleTexts.js';
import { nameOf } from '../../../../server/src/features/words/registerNames.js';

const HOVERS = expect`
== 62 bb.0 2-6
**'bb.0'**: 4 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 0, SGPR 0: '%1'
liveins: '$vgpr0'
goes to bb.1 50%, bb.2 50%
**divergent branch**: lanes part at the end of 'bb.0': 'G_BRCOND' reads '%3' ([line 69]); they meet in 'bb.2, bb.1' · [why](whyDivergent ["file:///test.mir",68,0])

== 71 bb.1 2-6
**'bb.1'**: 4 instructions, runs 2.67x per call (estimate), in no loop
live-in VGPR 0, SGPR 0: '%1'
live-out VGPR 0, SGPR 0: '%1, %6'
goes to bb.2 50%, bb.3 50%; comes from bb.0, bb.2
**divergent branch**: lanes part at the end of 'bb.1': 'G_BRCOND' reads '%7' ([line 77]) · [why](whyDivergent ["file:///test.mir",76,0])
join of lanes that parted at the end of 'bb.0'
in the cycle of 'bb.2', assumed divergent: lanes that parted at the end of 'bb.0' meet inside it
in the cycle of 'bb.2' with divergent exit, because of 'bb.1': what is uniform in it is divergent after it

== 149 bb.2 2-6
**'bb.2'**: 3 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 2: '%4'
live-out VGPR 0, SGPR 0
goes nowhere; comes from bb.0, bb.1
join of lanes that parted at the end of 'bb.0'
EXEC: restored [line 151]

== 11 %0 4-6
**'%0'**: generic register, divergent
defined at [11] · never used
divergent: it is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",10,4])
selection would take bank vgpr, class vgpr_32 (estimate)
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 14 %3 4-6
**'%3'**: generic register, divergent
defined at [14] · 1 use: [30]
divergent: it comes from the atomic 'G_ATOMICRMW_ADD', which lanes run one after the other ([line 14]) · [why](whyDivergent ["file:///test.mir",13,4])
selection would take bank vgpr, class vgpr_32 (estimate)
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 22 %11 4-7
**'%11'**: vgpr_32, 1 VGPR (32 bits), divergent
defined at [22] · never used
divergent: it comes from 'V_ADD_U32_e32', which reads the vector register '%10': to LLVM divergent, though all lanes have the same in it ([line 22]) · [why](whyDivergent ["file:///test.mir",21,4])
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 23 %12 4-7
**'%12'**: vgpr_32, 1 VGPR (32 bits), divergent
defined at [23] · 1 use: [26]
divergent: it comes from 'V_MBCNT_LO_U32_B32_e64', which gives each lane its own ([line 23]) · [why](whyDivergent ["file:///test.mir",22,4])
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 168 bb.1 2-6
**'bb.1'**: 4 instructions, runs 0.5x per call (estimate), in no loop
live-in VGPR 0, SGPR 4: '%1, %2'
live-out VGPR 0, SGPR 4: '%1, %2'
goes to bb.2 (not spelled); comes from bb.0
EXEC: whole wave from [line 169], whole wave until [line 171]
all of it with fewer lanes, from [line 166] to [line 175]

== 174 bb.2 2-6
**'bb.2'**: 4 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 4: '%1, %2'
live-out VGPR 0, SGPR 0
goes nowhere; comes from bb.0, bb.1
join of lanes that parted at the end of 'bb.0'
EXEC: restored [line 175], narrowed [line 176]

== 169 ENTER 17-33
**ENTER_STRICT_WWM** all lanes are on from here; d = EXEC before · SALU · latency 1 cycle (model of gfx900)
operand 0 sreg_64 (def) · operand 1 · reads $exec · writes $exec, $scc
EXEC: 1 instruction with the whole wave, from [line 169] to [line 171]
---
VGPR **0** · SGPR 4 → 6
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",168,4]) · [live peak VGPR 1](goTo ["file:///test.mir",163,4])
defines '%3' sreg_64 (+2)
used later 2 SGPR · only passing 4 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",168,4])

== 171 EXIT 12-27
**EXIT_STRICT_WWM** the lanes of before are on again · SALU · latency 1 cycle (model of gfx900)
operand 0 sreg_64 (def) · operand 1 sreg_64
---
VGPR **0** · SGPR 6 → 4
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",170,4]) · [live peak VGPR 1](goTo ["file:///test.mir",163,4])
kills '%3' sreg_64 (-2)
used soon 2 SGPR · only passing 4 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",170,4])

== 176 S_AND 17-35
**S_AND_SAVEEXEC_B64** d = EXEC, then EXEC = a & EXEC; SCC = it is not 0 · SALU, side effects · latency 1 cycle (model of gfx900)
sdst sreg_64 (def) · src0 sreg_64_encodable or constant · reads $exec · writes $exec, $scc
EXEC: 2 instructions with fewer lanes, from [line 176] to the end of the function
---
VGPR **0** · SGPR 2 → 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",175,4]) · [live peak VGPR 1](goTo ["file:///test.mir",163,4])
defines '%5' sreg_64 (never read) · kills '%1' sreg_64 (-2)
used later 2 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",175,4])
`;

describeHovers('what hovers say of lanes', UNIFORMITIES, HOVERS, { commandLinks: true });

/** Each register where it is defined (or read in a block), each block, each change of EXEC; steps of a chain after each other. */
const ROWS = `
== sources
%0: divergent: it is a copy of $vgpr0, a vector register (line 11)
%1: divergent: it is a copy of $vgpr1_vgpr2, a vector register (line 12)
%2: uniform: COPY gives all lanes the same
%3: divergent: it comes from the atomic G_ATOMICRMW_ADD, which lanes run one after the other (line 14)
%4: divergent: it comes from llvm.amdgcn.mbcnt.lo, which differs between lanes (line 15)
%5: uniform: G_INTTOPTR reads nothing that differs between lanes
%6: divergent: it comes from G_LOAD, whose memory may be private to each lane (line 17)
%7: divergent: it comes from G_LOAD, whose memory is not known: each lane may have its own (line 18)
%8: uniform: G_FRAME_INDEX gives all lanes the same
%9: uniform: G_ADDRSPACE_CAST reads nothing that differs between lanes
%10: uniform: V_MOV_B32_e32 gives all lanes the same
%11: divergent: it comes from V_ADD_U32_e32, which reads the vector register %10: to LLVM divergent, though all lanes have the same in it (line 22)
%12: divergent: it comes from V_MBCNT_LO_U32_B32_e64, which gives each lane its own (line 23)
%13:
%14: lane mask: a bit for each lane
%15: lane mask: a bit for each lane
%16: divergent: it comes from DS_READ_B32, which reads the vector register %10: to LLVM divergent, though all lanes have the same in it (line 27)
%18: divergent: it comes from G_LOAD, whose memory may be private to each lane (line 28)
%19: uniform: G_LOAD reads nothing that differs between lanes
%17: divergent: it comes from G_ADD, which reads %4 (line 30) |   %4 comes from llvm.amdgcn.mbcnt.lo, which differs between lanes (line 15)
== join
%0: divergent: it is a copy of $vgpr0, the work-item (line 42)
%1: uniform: G_CONSTANT gives all lanes the same
%2: uniform: G_CONSTANT gives all lanes the same
%3: divergent: it comes from G_ICMP, which reads %0 (line 45) |   %0 is a copy of $vgpr0, the work-item (line 42)
%4: uniform: G_ADD reads nothing that differs between lanes
%5: divergent: it is a PHI (line 52) where lanes meet that parted at the end of bb.0 |   lanes part at the end of bb.0: G_BRCOND reads %3 (line 46) |   %3 comes from G_ICMP, which reads %0 (line 45) |   %0 is a copy of $vgpr0, the work-item (line 42)
%6: divergent: it comes from G_ADD, which reads %5 (line 53) |   %5 is a PHI (line 52) where lanes meet that parted at the end of bb.0 |   lanes part at the end of bb.0: G_BRCOND reads %3 (line 46) |   %3 comes from G_ICMP, which reads %0 (line 45) |   %0 is a copy of $vgpr0, the work-item (line 42)
bb.0: divergent branch, lanes meet in bb.2
== irreducible
%0: divergent: it is a copy of $vgpr0, the work-item (line 66)
%1: uniform: G_CONSTANT gives all lanes the same
%3: divergent: it comes from G_ICMP, which reads %0 (line 68) |   %0 is a copy of $vgpr0, the work-item (line 66)
%4: divergent: it is made (line 74) in the cycle of bb.2, which lanes enter in different places |   lanes part at the end of bb.0: G_BRCOND reads %3 (line 69) |   %3 comes from G_ICMP, which reads %0 (line 68) |   %0 is a copy of $vgpr0, the work-item (line 66)
%5: divergent: it is made (line 82) in the cycle of bb.2, which lanes enter in different places |   lanes part at the end of bb.0: G_BRCOND reads %3 (line 69) |   %3 comes from G_ICMP, which reads %0 (line 68) |   %0 is a copy of $vgpr0, the work-item (line 66)
%6: divergent: it is made (line 75) in the cycle of bb.2, which lanes enter in different places |   lanes part at the end of bb.0: G_BRCOND reads %3 (line 69) |   %3 comes from G_ICMP, which reads %0 (line 68) |   %0 is a copy of $vgpr0, the work-item (line 66)
%7: divergent: it is made (line 76) in the cycle of bb.2, which lanes enter in different places |   lanes part at the end of bb.0: G_BRCOND reads %3 (line 69) |   %3 comes from G_ICMP, which reads %0 (line 68) |   %0 is a copy of $vgpr0, the work-item (line 66)
bb.0: divergent branch, lanes meet in bb.2, bb.1
bb.1: divergent branch
bb.2: lanes leave this cycle at different times
== exits
%0: divergent: it is a copy of $vgpr0, the work-item (line 98)
%1: uniform: G_CONSTANT gives all lanes the same
%4: uniform: G_PHI reads nothing that differs between lanes
%4 in bb.2: uniform in the cycle of bb.1, divergent here: lanes leave that at different times |   lanes part at the end of bb.1: G_BRCOND reads %7 (line 107) |   %7 comes from G_ICMP, which reads %0 (line 106) |   %0 is a copy of $vgpr0, the work-item (line 98)
%5: uniform: G_ADD reads nothing that differs between lanes
%5 in bb.2: uniform in the cycle of bb.1, divergent here: lanes leave that at different times |   lanes part at the end of bb.1: G_BRCOND reads %7 (line 107) |   %7 comes from G_ICMP, which reads %0 (line 106) |   %0 is a copy of $vgpr0, the work-item (line 98)
%7: divergent: it comes from G_ICMP, which reads %0 (line 106) |   %0 is a copy of $vgpr0, the work-item (line 98)
%8: divergent: it is a PHI (line 112) after the cycle of bb.1, which lanes leave at different times |   lanes part at the end of bb.1: G_BRCOND reads %7 (line 107) |   %7 comes from G_ICMP, which reads %0 (line 106) |   %0 is a copy of $vgpr0, the work-item (line 98)
%9: divergent: it comes from G_ICMP (line 113), which reads %5 after the cycle of bb.1, which lanes leave at different times |   lanes part at the end of bb.1: G_BRCOND reads %7 (line 107) |   %7 comes from G_ICMP, which reads %0 (line 106) |   %0 is a copy of $vgpr0, the work-item (line 98)
bb.1: divergent branch; lanes leave this cycle at different times
bb.2: divergent branch, lanes meet in bb.4
== uniform
%0:
== mask
%0: divergent: it is a copy of $vgpr0, the work-item (line 140)
%1:
%2: divergent: it comes from V_ADD_U32_e64, which reads %0 (line 142) |   %0 is a copy of $vgpr0, the work-item (line 140)
%3: lane mask: a bit for each lane
%4: lane mask: a bit for each lane
%5: uniform: V_MOV_B32_e32 gives all lanes the same
%8: divergent: it comes from PHI, which reads the vector register %5: to LLVM divergent, though all lanes have the same in it (line 150)
bb.0: divergent branch, lanes meet in bb.2
exec 4: EXEC: 2 instructions with fewer lanes, from line 144 to line 151
== regions
%0: divergent: it is a copy of $vgpr0, the work-item (line 164)
%1: lane mask: a bit for each lane
%2: lane mask: a bit for each lane
%3: lane mask: a bit for each lane
%4: uniform: V_MOV_B32_e32 gives all lanes the same
%5: lane mask: a bit for each lane
bb.0: divergent branch, lanes meet in bb.2
exec 2: EXEC: 4 instructions with fewer lanes, from line 166 to line 175
exec 3: EXEC: 1 instruction with the whole wave, from line 169 to line 171
exec 8: EXEC: 2 instructions with fewer lanes, from line 176 to the end of the function
`;

const CASTS = `# RUN: llc -mtriple=amdgcn -mcpu=gfx1250 -run-pass=none %s
---
name: casts
stack:
  - { id: 0, size: 4 }
body: |
  bb.0:
    %0:_(p5) = G_FRAME_INDEX %stack.0
    %1:_(p0) = G_ADDRSPACE_CAST %0(p5)
    %2:_(p1) = G_INTTOPTR undef %3:_(s64)
    %4:_(p0) = G_ADDRSPACE_CAST %2(p1)
    %5:sreg_32 = IMPLICIT_DEF
    %6:_(p0) = G_ADDRSPACE_CAST %5
    %7:vgpr_32 = IMPLICIT_DEF
    %8:_(p0) = G_ADDRSPACE_CAST %7
    %9:sreg_64 = G_ADDRSPACE_CAST %0(p5)
    S_ENDPGM 0, implicit %1, implicit %4
...
`;

const CAST_ROWS = `
== casts
%0: uniform: G_FRAME_INDEX gives all lanes the same
%1: divergent: it comes from G_ADDRSPACE_CAST: the flat address of private memory differs between lanes (line 9)
%2: uniform: G_INTTOPTR reads nothing that differs between lanes
%3:
%4: uniform: G_ADDRSPACE_CAST reads nothing that differs between lanes
%5:
%6: uniform: G_ADDRSPACE_CAST reads nothing that differs between lanes
%7: uniform: IMPLICIT_DEF gives all lanes the same
%8: uniform: G_ADDRSPACE_CAST reads nothing that differs between lanes
%9:
`;

/** What is said of a function, line by line as it is asked. */
function rowOf(snapshot: Snapshot, view: FunctionView, asked: string): string {
  const fn = view.fn!;
  const block = (name: string): number => fn.blocks.findIndex((b) => `bb.${b.sourceNumber}` === name);
  if (asked.startsWith('bb.')) return laneTitle(view, block(asked));
  if (asked.startsWith('exec '))
    return (execLine(snapshot, view, Number(asked.slice(5)))?.source ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const [name, where] = asked.split(' in ');
  const v = [...Array(fn.vregs.n).keys()].find((k) => nameOf(fn, k) === name)!;
  const user = where === undefined ? -1 : fn.order[fn.blockBegin[block(where)]!]!;
  return laneRows(snapshot, view, v, user).join(' | ');
}

for (const [text, rows] of [
  [UNIFORMITIES, ROWS],
  [CASTS, CAST_ROWS],
] as const)
  describe('what registers, blocks and EXEC are to the lanes, as rows', () => {
    const { snapshot } = openText(text);
    for (const part of rows.trim().split(/^== /m).slice(1)) {
      const [name, ...lines] = part.trimEnd().split('\n');
      const view = snapshot.functions.find((f) => f.name === name)!;
      const known = new Map(lines.map((l) => [l.slice(0, l.indexOf(':')), l.slice(l.indexOf(':') + 2)]));
      for (const [asked, wanted] of known)
        it(`${name} ${asked}`, () => assert.equal(rowOf(snapshot, view, asked), wanted));
      it(`${name}: nothing of other blocks and instructions`, () => {
        const fn = view.fn!;
        for (const b of fn.blocks) {
          const asked = `bb.${b.sourceNumber}`;
          if (!known.has(asked)) assert.equal(rowOf(snapshot, view, asked), '', asked);
        }
        for (let i = 0; i < fn.nInstrs; i++)
          if (!known.has(`exec ${i}`)) assert.equal(rowOf(snapshot, view, `exec ${i}`), '', `exec ${i}`);
      });
    }
  });

describe('a step of a chain as a sentence', () => {
  const { snapshot } = openText(UNIFORMITIES);
  const view = snapshot.functions[1]!;
  const [fn, lanes, place] = [view.fn!, view.lanes!, placeOfLanes(snapshot, view)!];
  const cycles = snapshot.functions[3]!;
  const say = (step: Partial<ReasonStep>, isAsked = false, of = view): string =>
    placeOfLanes(snapshot, of)!.plain(
      stepSentence(
        of.fn!,
        of.lanes!,
        [{ kind: CauseKind.Source, vreg: 0, block: 0, instr: 0, data: -1, cycle: -1, ...step }],
        0,
        isAsked,
      ),
    );

  it('of a register', () => {
    assert.equal(say({}), '%0 is a copy of $vgpr0, the work-item (line 42)');
    assert.equal(say({}, true), 'it is a copy of $vgpr0, the work-item (line 42)');
    assert.equal(
      say({ kind: CauseKind.Operand, vreg: 3, instr: 3, data: 0 }),
      '%3 comes from G_ICMP, which reads %0 (line 45)',
    );
    assert.equal(
      say({ kind: CauseKind.Join, vreg: 5, instr: 6, data: 1 }, true),
      'it is a PHI (line 52) where lanes meet that parted at the end of bb.1',
    );
    const at = { instr: 2, cycle: 0 };
    assert.equal(
      say({ ...at, kind: CauseKind.AssumedCycle }, true, cycles),
      'it is made (line 104) in the cycle of bb.1, which lanes enter in different places',
    );
    assert.equal(
      say({ ...at, kind: CauseKind.ExitPhi }, true, cycles),
      'it is a PHI (line 104) after the cycle of bb.1, which lanes leave at different times',
    );
    assert.equal(
      say({ ...at, kind: CauseKind.Temporal, data: 1 }, false, cycles),
      '%0 comes from G_PHI (line 104), which reads %1 after the cycle of bb.1, which lanes leave at different times',
    );
    assert.equal(
      say({ ...at, kind: CauseKind.Temporal, data: 1, cycle: -1 }, true, cycles),
      'it comes from G_PHI (line 104), which reads %1 after its cycle, which lanes leave at different times',
    );
  });

  it('of a branch', () => {
    const branch = { vreg: -1, instr: 4 };
    assert.equal(say(branch), 'lanes part at the end of bb.0 by G_BRCOND (line 46)');
    assert.equal(say({ ...branch, block: 1 }), 'lanes part at the end of bb.1 by G_BRCOND (line 46)');
    assert.equal(
      say({ ...branch, kind: CauseKind.Operand, data: 3 }),
      'lanes part at the end of bb.0: G_BRCOND reads %3 (line 46)',
    );
    assert.equal(
      say({ vreg: -1, instr: 5, block: 1, kind: CauseKind.Temporal, data: 4, cycle: 0 }, false, cycles),
      'lanes part at the end of bb.1 (line 107), which reads %7 after the cycle of bb.1, which lanes leave at different times'.replace(
        '%7',
        nameOf(cycles.fn!, 4),
      ),
    );
  });

  it('names lines by links, and an instruction without one', () => {
    assert.equal(place.line(-1), -1);
    assert.equal(place.line(0), 41);
    assert.equal(place.markdown(['x ', { at: -1 }, { code: '%a' }]).source, 'x an instruction`%a`');
    assert.match(place.markdown([{ at: 0 }]).source, /^\[line 42\]\(.*L42\)$/);
    assert.equal(place.plain(['x ', { code: 'a\nb' }, ' ', { at: 0 }]), 'x a␊b line 42');
    const none = new Place({ ...fn, source: null } as never, '', () => 7);
    assert.equal(none.line(0), -1);
    assert.equal(none.markdown([{ at: 0 }]).source, 'an instruction');
    assert.ok(lanes.uniformity.numDefs(0) === 1);
  });

  it('nothing of a function that is not understood', () => {
    const broken = Object.create(view, { fn: { value: null }, lanes: { value: null } }) as FunctionView;
    const unknown = Object.create(view, { lanes: { value: null } }) as FunctionView;
    for (const of of [broken, unknown]) {
      assert.equal(laneTitle(of, 0), '');
      assert.deepEqual(laneRows(snapshot, of, 0, -1), []);
      assert.equal(laneLine(snapshot, of, 0, -1), null);
      assert.deepEqual(laneBlockLines(snapshot, of, 0), []);
      assert.equal(execLine(snapshot, of, 0), null);
    }
    assert.equal(placeOfLanes(snapshot, broken), null);
  });
});
