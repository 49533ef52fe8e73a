/** Whole reports on why registers and branches differ between lanes. What llc-22 calls divergent is divergent here (print-machine-uniformity). */
import assert from 'node:assert/strict';
import {
  branchReport,
  functionReport,
  registerReport,
} from '../../../../server/src/features/uniformity/divergenceReport.js';
import { placeOfLanes, type Place } from '../../../../server/src/features/uniformity/laneText.js';
import type { LaneValues } from '../../../../server/src/analysis/uniformity/laneValues.js';
import { provideWhyDivergent } from '../../../../server/src/features/uniformity/whyDivergent.js';
import { atCursor, openText } from '../../../support/cursor.js';
import { describeParts, expect } from '../../../support/expect.js';
import { UNIFORMITIES } from '../../../support/exampleTexts.js';

/** `== line` of the instruction or block, and the report there below its heading. */
const REPORTS = expect`
== 17
%6, from line 17: divergent
  why
    1. divergent: it comes from G_LOAD, whose memory may be private to each lane (line 17)
  where it could be broken
    llvm.amdgcn.readfirstlane of %6 (line 17), which its readers take: nothing else becomes uniform
    a memory operand at line 17 in another address space than flat and private, where that is true
    each is right only where all lanes have the same value, or where any lane will do

== 18
%7, from line 18: divergent
  why
    1. divergent: it comes from G_LOAD, whose memory is not known: each lane may have its own (line 18)
  where it could be broken
    llvm.amdgcn.readfirstlane of %7 (line 18), which its readers take: nothing else becomes uniform
    a memory operand at line 18 that names an address space other than flat and private
    each is right only where all lanes have the same value, or where any lane will do

== 30
%17, from line 30: divergent
  why
    1. divergent: it comes from G_ADD, which reads %4 (line 30)
    2. %4 comes from llvm.amdgcn.mbcnt.lo, which differs between lanes (line 15)
  where it could be broken
    llvm.amdgcn.readfirstlane of %17 (line 30), which its readers take: nothing else becomes uniform
    llvm.amdgcn.readfirstlane of %4 (line 15), which its readers take: %17 stays divergent
    each is right only where all lanes have the same value, or where any lane will do

== 52
%5, from line 52: divergent
  why
    1. divergent: it is a PHI (line 52) where lanes meet that parted at the end of bb.0
    2. lanes part at the end of bb.0: G_BRCOND reads %3 (line 46)
    3. %3 comes from G_ICMP, which reads %0 (line 45)
    4. %0 is a copy of $vgpr0, the work-item (line 42)
  where it could be broken
    llvm.amdgcn.readfirstlane of %5 (line 52), which its readers take: %6 becomes uniform
    llvm.amdgcn.readfirstlane of %3 (line 45), which its readers take: %5 is uniform; %6 becomes uniform; the branch at the end of bb.0 (line 39) becomes uniform
    llvm.amdgcn.readfirstlane of %0 (line 42), which its readers take: %5 is uniform; %3, %6 become uniform; the branch at the end of bb.0 (line 39) becomes uniform
    each is right only where all lanes have the same value, or where any lane will do

== 69
the branch at the end of bb.0, line 69: divergent
  why
    1. lanes part at the end of bb.0: G_BRCOND reads %3 (line 69)
    2. %3 comes from G_ICMP, which reads %0 (line 68)
    3. %0 is a copy of $vgpr0, the work-item (line 66)
  lanes meet in bb.2 (line 79), bb.1 (line 71): PHIs there that read different values are divergent
  all that the cycle of bb.2 makes is taken to be divergent
  where it could be broken
    llvm.amdgcn.readfirstlane of %3 (line 68), which its readers take: this branch is uniform; %4, %5, %6, %7 become uniform; the branch at the end of bb.1 (line 71) becomes uniform
    llvm.amdgcn.readfirstlane of %0 (line 66), which its readers take: this branch is uniform; %3, %4, %5, %6 and 1 more become uniform; the branch at the end of bb.1 (line 71) becomes uniform
    each is right only where all lanes have the same value, or where any lane will do

%3, from line 68, where line 69 reads it: divergent
  why
    1. divergent: it comes from G_ICMP, which reads %0 (line 68)
    2. %0 is a copy of $vgpr0, the work-item (line 66)
  where it could be broken
    llvm.amdgcn.readfirstlane of %3 (line 68), which its readers take: %4, %5, %6, %7 become uniform; the branch at the end of bb.0 (line 62) becomes uniform; the branch at the end of bb.1 (line 71) becomes uniform
    llvm.amdgcn.readfirstlane of %0 (line 66), which its readers take: %3 is uniform; %4, %5, %6, %7 become uniform; the branch at the end of bb.0 (line 62) becomes uniform; the branch at the end of bb.1 (line 71) becomes uniform
    each is right only where all lanes have the same value, or where any lane will do

== 76
%7, from line 76: divergent
  why
    1. divergent: it is made (line 76) in the cycle of bb.2, which lanes enter in different places
    2. lanes part at the end of bb.0: G_BRCOND reads %3 (line 69)
    3. %3 comes from G_ICMP, which reads %0 (line 68)
    4. %0 is a copy of $vgpr0, the work-item (line 66)
  where it could be broken
    llvm.amdgcn.readfirstlane of %7 (line 76), which its readers take: the branch at the end of bb.1 (line 71) becomes uniform
    llvm.amdgcn.readfirstlane of %3 (line 68), which its readers take: %7 is uniform; %4, %5, %6 become uniform; the branch at the end of bb.0 (line 62) becomes uniform; the branch at the end of bb.1 (line 71) becomes uniform
    llvm.amdgcn.readfirstlane of %0 (line 66), which its readers take: %7 is uniform; %3, %4, %5, %6 become uniform; the branch at the end of bb.0 (line 62) becomes uniform; the branch at the end of bb.1 (line 71) becomes uniform
    each is right only where all lanes have the same value, or where any lane will do

== 94
registers: 3 uniform, 4 divergent
3 readers after cycles that lanes leave at different times

the branch at the end of bb.1, line 107: divergent
  why
    1. lanes part at the end of bb.1: G_BRCOND reads %7 (line 107)
    2. %7 comes from G_ICMP, which reads %0 (line 106)
    3. %0 is a copy of $vgpr0, the work-item (line 98)
  lanes leave the cycle of bb.1 at different times: what it made is divergent after it
  where it could be broken
    llvm.amdgcn.readfirstlane of %7 (line 106), which its readers take: this branch is uniform; %8, %9 become uniform; the branch at the end of bb.2 (line 109) becomes uniform
    llvm.amdgcn.readfirstlane of %0 (line 98), which its readers take: this branch is uniform; %7, %8, %9 become uniform; the branch at the end of bb.2 (line 109) becomes uniform
    each is right only where all lanes have the same value, or where any lane will do

the branch at the end of bb.2, line 114: divergent
  why
    1. lanes part at the end of bb.2: G_BRCOND reads %9 (line 114)
    2. %9 comes from G_ICMP (line 113), which reads %5 after the cycle of bb.1, which lanes leave at different times
    3. lanes part at the end of bb.1: G_BRCOND reads %7 (line 107)
    4. %7 comes from G_ICMP, which reads %0 (line 106)
    5. %0 is a copy of $vgpr0, the work-item (line 98)
  lanes meet in bb.4 (line 119): PHIs there that read different values are divergent
  where it could be broken
    llvm.amdgcn.readfirstlane of %9 (line 113), which its readers take: this branch is uniform
    llvm.amdgcn.readfirstlane of %7 (line 106), which its readers take: this branch is uniform; %8, %9 become uniform; the branch at the end of bb.1 (line 101) becomes uniform
    llvm.amdgcn.readfirstlane of %0 (line 98), which its readers take: this branch is uniform; %7, %8, %9 become uniform; the branch at the end of bb.1 (line 101) becomes uniform
    each is right only where all lanes have the same value, or where any lane will do

== 105
%5, from line 105: uniform
  uniform: G_ADD reads nothing that differs between lanes
  read after its cycle, where it is divergent: line 112, line 113

== 120
%8, from line 112, where line 120 reads it: divergent
  why
    1. divergent: it is a PHI (line 112) after the cycle of bb.1, which lanes leave at different times
    2. lanes part at the end of bb.1: G_BRCOND reads %7 (line 107)
    3. %7 comes from G_ICMP, which reads %0 (line 106)
    4. %0 is a copy of $vgpr0, the work-item (line 98)
  where it could be broken
    llvm.amdgcn.readfirstlane of %8 (line 112), which its readers take: nothing else becomes uniform
    llvm.amdgcn.readfirstlane of %7 (line 106), which its readers take: %8 is uniform; %9 becomes uniform; the branch at the end of bb.1 (line 101) becomes uniform; the branch at the end of bb.2 (line 109) becomes uniform
    llvm.amdgcn.readfirstlane of %0 (line 98), which its readers take: %8 is uniform; %7, %9 become uniform; the branch at the end of bb.1 (line 101) becomes uniform; the branch at the end of bb.2 (line 109) becomes uniform
    each is right only where all lanes have the same value, or where any lane will do

%4, from line 104, where line 120 reads it: divergent here
  why
    1. uniform in the cycle of bb.1, divergent here: lanes leave that at different times
    2. lanes part at the end of bb.1: G_BRCOND reads %7 (line 107)
    3. %7 comes from G_ICMP, which reads %0 (line 106)
    4. %0 is a copy of $vgpr0, the work-item (line 98)
  where it could be broken
    llvm.amdgcn.readfirstlane of %4 (line 104), which its readers take: nothing else becomes uniform
    llvm.amdgcn.readfirstlane of %7 (line 106), which its readers take: %4 is uniform; %8, %9 become uniform; the branch at the end of bb.1 (line 101) becomes uniform; the branch at the end of bb.2 (line 109) becomes uniform
    llvm.amdgcn.readfirstlane of %0 (line 98), which its readers take: %4 is uniform; %7, %8, %9 become uniform; the branch at the end of bb.1 (line 101) becomes uniform; the branch at the end of bb.2 (line 109) becomes uniform
    each is right only where all lanes have the same value, or where any lane will do
  read after its cycle, where it is divergent: line 120

== 127
%0, from line 127: uniform

== 144
%4, from line 144: lane mask
  lane mask: a bit for each lane
       %4 comes from SI_IF (line 144), which reads what comes from V_CMP_EQ_U32_e64 (line 143), which reads %2
       %2 is divergent: it comes from V_ADD_U32_e64, which reads %0 (line 142)
       %0 is a copy of $vgpr0, the work-item (line 140)

== 152
%8, from line 150, where line 152 reads it: divergent
  why
    1. divergent: it comes from PHI, which reads the vector register %5: to LLVM divergent, though all lanes have the same in it (line 150)
    %8 is a PHI of bb.2 (line 149), where lanes that parted at the end of bb.0 (line 144) meet
  where it could be broken
    V_READFIRSTLANE_B32 of %8 (line 150), which its readers take: nothing else becomes uniform
    each is right only where all lanes have the same value, or where any lane will do

== 160
registers: 1 uniform, 1 divergent, 4 lane mask

the branch at the end of bb.0, line 166: divergent
  why
    1. lanes part at the end of bb.0 by SI_IF (line 166)
       it reads the lane mask %1
       %1 comes from V_CMP_EQ_U32_e64 (line 165), which reads %0
       %0 is divergent: it is a copy of $vgpr0, the work-item (line 164)
  lanes meet in bb.2 (line 174): PHIs there that read different values are divergent
  where it could be broken
    V_READFIRSTLANE_B32 of %0 (line 164), which its readers take: %1 is computed from uniform values, for a branch on SCC
    a branch on SCC (S_CBRANCH_SCC1) in place of line 166, where the condition is the same in all lanes: the branch is uniform
    each is right only where all lanes have the same value, or where any lane will do

== 169
%3, from line 169: lane mask
  lane mask: a bit for each lane
       nothing divergent goes into %3, as far as the function shows
`;

const SNAPSHOT = openText(UNIFORMITIES).snapshot;
describeParts('why divergent', REPORTS, (head) => {
  const line = Number(head.slice(3)) - 1;
  const character = UNIFORMITIES.split('\n')[line]!.search(/\S/);
  const report = provideWhyDivergent(SNAPSHOT, { position: { line, character } }) as string;
  const { name } = SNAPSHOT.functionAt(SNAPSHOT.text.offsetAt({ line, character }))!;
  const heading = `@${name}, gfx900 wave64, LLVM 22.1.8\n\n`;
  assert.equal(report.slice(0, heading.length), heading);
  assert.match(report, /[^\n]\n$/);
  return `${head}\n${report.slice(heading.length, -1)}`;
});

describe('long reports', () => {
  const opened = (body: string): readonly [Place, LaneValues] => {
    const { snapshot } = atCursor(
      `$0# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n${body}...\n`,
    );
    const view = snapshot.functions[0]!;
    return [placeOfLanes(snapshot, view)!, view.lanes!];
  };

  /** Blocks that each part on the same condition, one after the other. */
  const parting = (n: number): string => {
    const blocks = [...Array(n).keys()].map(
      (k) => `  bb.${2 * k + 1}:\n    G_BRCOND %2(s1), %bb.${2 * k + 3}\n\n  bb.${2 * k + 2}:\n    S_NOP 0\n\n`,
    );
    return `  bb.0:\n    liveins: $vgpr0\n    %0:_(s32) = COPY $vgpr0\n    %1:_(s32) = G_CONSTANT i32 1\n    %2:_(s1) = G_ICMP intpred(eq), %0(s32), %1\n\n${blocks.join('')}  bb.${2 * n + 1}:\n    S_ENDPGM 0\n`;
  };

  it('forty branches of a function, and how many more', () => {
    const rows = (n: number): string[] => functionReport(...opened(parting(n)));
    const branches = (n: number): number => rows(n).filter((row) => row.startsWith('the branch at')).length;
    assert.deepEqual(rows(0).slice(0, 2), ['registers: 1 uniform, 2 divergent', 'no divergent branch']);
    assert.equal(branches(2), 2);
    assert.equal(branches(40), 40);
    assert.equal(
      rows(40).some((row) => row.includes('more divergent branches')),
      false,
    );
    const more = rows(43);
    assert.equal(more.filter((row) => row.startsWith('the branch at')).length, 40);
    assert.deepEqual(more.slice(-2), ['', '3 more divergent branches']);
  });

  it('a function without registers, and one in which nothing is known', () => {
    assert.deepEqual(functionReport(...opened('  bb.0:\n    S_ENDPGM 0\n')), [
      'registers: none',
      'no divergent branch',
    ]);
    const twice =
      '  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec\n    %0:vgpr_32 = V_MOV_B32_e32 2, implicit $exec\n    S_ENDPGM 0, implicit %0\n';
    assert.deepEqual(functionReport(...opened(twice)), ['registers: 1 not known', 'no divergent branch']);
    assert.deepEqual(registerReport(...opened(twice), 0, -1), [
      '%0, from line 8: not known',
      '  uniform or divergent is not known: none of the 2 instructions that write it gives lanes different values, but the function is not in SSA form',
    ]);
  });

  it('eight registers of a chain are tried', () => {
    const chain = (n: number): string =>
      `  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n${[...Array(n).keys()]
        .map((k) => `    %${k + 1}:vgpr_32 = V_ADD_U32_e64 %${k}, 1, 0, implicit $exec\n`)
        .join('')}    S_ENDPGM 0, implicit %${n}\n`;
    const tried = (n: number): string[] =>
      registerReport(...opened(chain(n)), n, -1)
        .filter((row) => row.includes('V_READFIRSTLANE_B32 of'))
        .map((row) => /of (%\d+)/.exec(row)![1]!);
    assert.deepEqual(tried(0), ['%0']);
    assert.deepEqual(tried(7), ['%7', '%6', '%5', '%4', '%3', '%2', '%1', '%0']);
    assert.deepEqual(tried(9), ['%9', '%8', '%7', '%6', '%5', '%4', '%3', '%2']);
    const rows = registerReport(...opened(chain(2)), 2, -1);
    assert.deepEqual(rows.slice(0, 5), [
      '%2, from line 10: divergent',
      '  why',
      '    1. divergent: it comes from V_ADD_U32_e64, which reads %1 (line 10)',
      '    2. %1 comes from V_ADD_U32_e64, which reads %0 (line 9)',
      '    3. %0 is a copy of $vgpr0, a vector register (line 8)',
    ]);
  });

  it('a branch where lanes do not part has none', () => {
    const [at, lanes] = opened(parting(2));
    assert.deepEqual(branchReport(at, lanes, 0), []);
    assert.deepEqual(branchReport(at, lanes, 2), []);
    assert.equal(branchReport(at, lanes, 1)[0], 'the branch at the end of bb.1, line 13: divergent');
    assert.equal(branchReport(at, lanes, 3)[0], 'the branch at the end of bb.3, line 19: divergent');
    const uniform = opened(
      '  bb.0:\n    %0:_(s1) = G_CONSTANT i1 true\n    G_BRCOND %0(s1), %bb.2\n\n  bb.1:\n    S_NOP 0\n\n  bb.2:\n    S_ENDPGM 0\n',
    );
    assert.deepEqual(branchReport(...uniform, 0), []);
  });
});
