/** processimpdefs on physical registers, where LLVM 24 differs from 22 (docs/llvm/small-passes.md, 3): each function by both. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import { runLlcOnText } from '../../support/schedule.js';

const nops = (n: number): string[] => Array.from({ length: n }, () => 'S_NOP 1');
const BUNDLE = ['BUNDLE {', '  S_NOP 1', '  S_NOP 2', '  S_NOP 3', '}'];
const DEF = '$sgpr15 = IMPLICIT_DEF';
const WIDE = '$sgpr14_sgpr15 = IMPLICIT_DEF';
const READS = 'S_NOP 0, implicit $sgpr15';
const WRITES = '$sgpr15 = S_MOV_B32 1';

/** Lines of a block; those of the block after it begin with its live-ins, null = there is none. */
const FUNCTIONS: Readonly<Record<string, readonly [lines: readonly string[], after: string | null]>> = {
  readTwice: [[DEF, READS, 'S_NOP 1, implicit $sgpr15'], null],
  writtenAgain: [[DEF, READS, READS, WRITES, READS], null],
  writtenInPart: [[WIDE, 'S_NOP 0, implicit $sgpr14', '$sgpr14 = S_MOV_B32 1', READS], null],
  writtenInMore: [[DEF, READS, '$sgpr14_sgpr15 = S_MOV_B64 1', READS], null],
  readInMore: [[DEF, 'S_NOP 0, implicit $sgpr14_sgpr15, implicit $sgpr15'], null],
  readInMoreLater: [[DEF, 'S_NOP 0, implicit $sgpr15, implicit $sgpr14_sgpr15', READS], null],
  unused: [[DEF, 'S_NOP 1'], null],
  sum: [[DEF, '$sgpr15 = S_ADD_I32 $sgpr15, 1, implicit-def $scc', READS], null],
  twice: [[DEF, READS, DEF, READS], null],
  definedFirst: [[DEF, 'S_NOP 0, implicit-def $sgpr15, implicit $sgpr15', READS], null],
  partFirst: [[WIDE, 'S_NOP 0, implicit-def $sgpr15, implicit $sgpr14', READS], null],
  partLast: [[WIDE, 'S_NOP 0, implicit $sgpr14, implicit-def $sgpr15', 'S_NOP 2, implicit $sgpr14'], null],
  leaves: [[DEF, READS], ''],
  leavesAlive: [[DEF, READS], '$sgpr15'],
  leavesUnused: [[DEF, 'S_NOP 0'], ''],
  leavesDead: [[`dead ${DEF}`, 'S_NOP 0, implicit $sgpr14'], ''],
  more: [[`${WIDE} implicit-def $sgpr20`, 'S_NOP 0, implicit $sgpr14', 'S_NOP 2, implicit $sgpr20'], ''],
  debugged: [[DEF, 'DBG_VALUE $sgpr14, $noreg', READS], ''],
  nearEnough: [[DEF, READS, ...nops(33), WRITES, READS], null],
  tooFar: [[DEF, READS, ...nops(34), WRITES, READS], null],
  tooFarUnused: [[DEF, ...nops(40)], null],
  members: [[DEF, ...Array.from({ length: 9 }, () => BUNDLE).flat(), WRITES, READS], null],
  fewerMembers: [[DEF, ...Array.from({ length: 7 }, () => BUNDLE).flat(), WRITES, READS], null],
};

const TEXT = Object.entries(FUNCTIONS)
  .map(([name, [lines, after]]) =>
    [
      `---\nname: ${name}\ntracksRegLiveness: true\nbody: |\n  bb.0:`,
      ...(after === null ? [] : ['    successors: %bb.1']),
      '    liveins: $sgpr14',
      ...lines.map((line) => `    ${line}`),
      ...(after === null ? [] : ['  bb.1:', ...(after === '' ? [] : [`    liveins: ${after}`])]),
      '    S_ENDPGM 0\n...\n',
    ].join('\n'),
  )
  .join('');
const ARGS = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=processimpdefs', '-simplify-mir'];

describe('processimpdefs on physical registers', () => {
  it('as llc-22', function () {
    needsLlc(this);
    const { differs, llc } = runLlcJob({ name: 'implicitDefs', text: TEXT, args: ARGS });
    assert.equal(llc.status, 0, llc.stderr.slice(0, 300));
    assert.equal(differs, null);
  });

  it('as LLVM 24', function () {
    needsLlc24(this);
    this.timeout(60_000);
    const bodies = (text: string): string => text.slice(text.indexOf('\n---\n'));
    const [run] = runLlc24([{ args: ARGS, text: TEXT }]);
    assert.equal(run!.status, 0);
    const ours = bodies(runLlcOnText(['--model=llvm-24', ...ARGS, '-o', '-'], TEXT).stdout);
    assert.equal(ours, bodies(run!.stdout));
    assert.match(ours, /name: +tooFar\n[^]*?IMPLICIT_DEF/);
  });
});
