/** What the editor shows of register allocation: the lens, the text for the diff, the explanation. Registers are those that llc-22 gives. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeActionTriggerKind } from 'vscode-languageserver-types';
import { provideAllocatedText, type AllocatedText } from '../../../server/src/features/allocation/allocation.js';
import { provideAllocationExplanation } from '../../../server/src/features/allocation/explainAllocation.js';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { provideInlayHints } from '../../../server/src/features/lens/inlayHints.js';
import { provideCodeLenses } from '../../../server/src/features/lens/codeLens.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import type { DocumentSnapshot } from '../../../server/src/host/documentSnapshot.js';
import { readSettings } from '../../../server/src/program/settings.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { printFunctionDocument } from '../../../server/src/model/printer/functionPrinter.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const URI = 'file:///allocation.mir';
const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900'];
const CUT = ['-start-before=greedy,0', '-stop-after=virtregrewriter,2'];

const SPILLS = `# RUN: llc ${ARGS.join(' ')} -stress-regalloc=2 ${CUT.join(' ')} -o - %s | FileCheck %s
---
name: spills
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
  stackPtrOffsetReg: '$sgpr32'
body: |
  bb.0:
    ; the first value
    S_NOP 0, implicit-def %0:vgpr_32
    S_NOP 0, implicit-def %1:vgpr_32 ; after it
    S_NOP 0, implicit-def %2:vgpr_32
    ; all of them
    S_NOP 0, implicit %1, implicit %2
    S_NOP 0, implicit %0
    S_ENDPGM 0
...
`;

const PHI = `---
name: phi
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF

  bb.1:
    successors: %bb.1, %bb.2

    %1:vgpr_32 = PHI %0, %bb.0, %2, %bb.1
    %2:vgpr_32 = COPY %1
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_ENDPGM 0
...
`;

function hostOf(text: string): AnalysisHost {
  const host = new AnalysisHost(false, Infinity);
  host.configure(readSettings({ target: { cpu: 'gfx900' } }));
  host.open(URI, 1, text);
  return host;
}

const at = (line: number): { textDocument: { uri: string }; position: { line: number; character: number } } => ({
  textDocument: { uri: URI },
  position: { line, character: 0 },
});

function allocatedText(text: string): AllocatedText {
  const answer = provideAllocatedText(hostOf(text).snapshot(URI)!, at(3), NEVER_CANCELLED);
  assert(answer !== null && !('elsewhere' in answer));
  return answer;
}

const lensTitles = (host: AnalysisHost): string[] =>
  provideCodeLenses(host.snapshot(URI)!, null, NEVER_CANCELLED).map((lens) => lens.command!.title);

/** Instructions with physical registers, without comments. */
const instrs = (text: string): string[] =>
  text
    .slice(text.lastIndexOf('body:'))
    .split('\n')
    .map((line) => line.replace(/;.*$/, '').trim())
    .filter((line) => /^(?:\$|renamable|SI_|S_)/.test(line));

/** Holds 60 registers, and says that it was told of 10 waves. */
const DUMP = `--- |
  define amdgpu_kernel void @dump() { ret void }
...
---
name: dump
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
  occupancy: 10
body: |
  bb.0:
${Array.from({ length: 60 }, (_, k) => `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec`).join('\n')}
    S_ENDPGM 0, ${Array.from({ length: 60 }, (_, k) => `implicit %${k}`).join(', ')}
...
`;

describe('what ran before registers are allocated', () => {
  const said = (run: string): string => {
    const host = hostOf(run + DUMP);
    while (host.allocateNext(URI, NEVER_CANCELLED, Infinity) !== null);
    const position = at(run === '' ? 5 : 6);
    const summary = allocatedText(run + DUMP).summary;
    const explained = provideAllocationExplanation(host.snapshot(URI)!, position, NEVER_CANCELLED) as string;
    const lenses = lensTitles(host).filter((text) => /allocated|llc ends/.test(text));
    return [...lenses, summary, explained].join('\n');
  };
  const run = (args: string): string => `# RUN: llc ${ARGS.join(' ')} ${args} -o - %s\n`;

  it('is the scheduler where nobody says otherwise; from further up the end is told, and the text as it stands', () => {
    // Occupancy, NumVgprs and TotalNumSgprs of llc-22 -start-before=machine-scheduler
    for (const args of ['', run('-run-pass=none')])
      assert.match(said(args), /^llc ends with 4 of 10 waves: VGPR 60, SGPR 4, no spills\nallocated: /);
    const early = said(run('-start-before=phi-node-elimination -stop-after=greedy'));
    assert.match(early, /^llc ends with 4 of 10 waves: VGPR 60, SGPR 4, no spills\nallocated: .*occupancy 4/);
    assert.doesNotMatch(early, /scheduler|expected/);
  });

  it('is not known of a file that was cut after it: its header speaks', () => {
    for (const args of [
      run(CUT.join(' ')),
      run('-run-pass=greedy'),
      run('-start-after=machine-scheduler -stop-after=greedy'),
    ]) {
      const text = said(args);
      assert.match(text, /occupancy 4, machineFunctionInfo says 10/, args);
      assert.doesNotMatch(text, /scheduler/, args);
    }
  });

  it('is the scheduler where the RUN line begins at it', () =>
    assert.match(said(run('-start-before=machine-scheduler -stop-after=greedy,2')), /allocated: VGPR \d+/));
});

describe('registers allocated, in the editor', () => {
  it('shows the text that llc prints, with the comments of the source', function () {
    needsLlc(this);
    const { text, summary } = allocatedText(SPILLS);
    assert(text !== null);
    const llc = runLlc(['-x', 'mir', ...ARGS, '-stress-regalloc=2', ...CUT, '-o', '-'], SPILLS);
    assert.deepEqual(instrs(text), instrs(llc.stdout));
    assert.match(text, /; the first value\n {4}S_NOP 0, implicit-def renamable \$vgpr\d/);
    assert.match(text, /; after it\n/);
    assert.match(text, /; all of them\n/);
    assert.match(
      summary,
      /^allocated: VGPR 2 \(2 of 24\), SGPR 4, \d spilled \(\d saves?, \d reloads?\): occupancy 10$/,
    );
    assert.equal(text.startsWith(SPILLS.slice(0, SPILLS.indexOf('name:'))), true);
  });

  it('says why there is no allocation', () => {
    assert.equal(allocatedText(PHI).summary, 'not allocated: it has PHIs, which go before registers are allocated');
    assert.equal(allocatedText(SPILLS.replace('%0\n', '%9\n')).text, null);
    const refused = allocatedText(SPILLS.replace('-stress-regalloc=2', '-vgpr-regalloc=basic'));
    assert.match(refused.summary, /not allocated: amdgpu-mir does not model '-vgpr-regalloc=basic'/);
  });

  it('has a lens once the background has allocated the function, and keeps it until the next result', () => {
    const host = hostOf(SPILLS);
    const never = NEVER_CANCELLED;
    assert.deepEqual(
      lensTitles(host).filter((t) => t.includes('llc ends')),
      [],
    );
    assert.equal(host.allocateNext(URI, never, Infinity), 'hints');
    assert.equal(host.allocateNext(URI, never, Infinity), null, 'a result is kept');
    const [title] = lensTitles(host);
    assert.match(title ?? '', /^llc ends with VGPR 2, SGPR \d+, \d+ bytes of scratch$/);
    const line = SPILLS.split('\n').findIndex((l) => l.includes('implicit %0'));
    const start = { line, character: 0 };
    host.change(URI, 2, [{ range: { start, end: start }, text: '    S_NOP 1\n' }]);
    assert.equal(
      lensTitles(host).find((t) => t.startsWith('llc ends')),
      `${title} (before the edit)`,
    );
    assert.equal(host.allocateNext(URI, never, Infinity), 'hints');
    assert.equal(
      lensTitles(host).find((t) => t.startsWith('llc ends')),
      title,
    );
  });

  it('stands in the titles of rematerializations: what they do to spills and waves', () => {
    const host = hostOf(readFileSync(join(__dirname, '..', '..', '..', 'examples', 'spill.mir'), 'utf8'));
    const snapshot = host.snapshot(URI)!;
    const line = snapshot.text.positionAt(snapshot.text.text.indexOf('%half:')).line;
    const at = { line, character: 5 };
    const params = { range: { start: at, end: at }, context: { diagnostics: [] } };
    const titles = (): string[] =>
      provideCodeActions(snapshot, params, NEVER_CANCELLED)
        .map(({ title }) => title)
        .filter((title) => title.startsWith('Rematerialize %half'));
    assert.doesNotMatch(titles().join(), /allocated/, 'nothing is known yet');
    host.allocateNext(URI, NEVER_CANCELLED, Infinity);
    assert.match(titles()[0] ?? '', /\); allocated: 1 spilled to none, occupancy stays 10$/);
  });

  it('says of rematerializations that gain nothing in the end that it is so, and offers none unasked', () => {
    const run = '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx906 -start-before=machine-scheduler -o - %s\n';
    const text = readFileSync(join(__dirname, '..', '..', '..', 'examples', 'seven_rows.mir'), 'utf8');
    const host = hostOf(run + text.replaceAll('# RUN:', '#'));
    const snapshot = host.snapshot(URI)!;
    const at = { line: snapshot.text.positionAt(snapshot.text.text.indexOf('%half:')).line, character: 5 };
    const titles = (triggerKind: CodeActionTriggerKind): string[] =>
      provideCodeActions(
        snapshot,
        { range: { start: at, end: at }, context: { diagnostics: [], triggerKind } },
        NEVER_CANCELLED,
      )
        .map(({ title }) => title)
        .filter((title) => title.startsWith('Rematerialize %half'));
    const { Automatic, Invoked } = CodeActionTriggerKind;
    assert.match(titles(Automatic).join(), /^Rematerialize %half at .*occupancy 7 to 8\)$/, 'nothing is known yet');
    host.allocateNext(URI, NEVER_CANCELLED, Infinity);
    assert.deepEqual(titles(Automatic), []);
    assert.match(titles(Invoked).join(), /; allocated: no gain \(no spills, occupancy stays 10\)$/);
  });

  it('is made anew after a scheduler with other options', () => {
    const run = `# RUN: llc ${ARGS.join(' ')} -start-before=machine-scheduler -stop-after=virtregrewriter,2 -o - %s`;
    const other = '---\nname: other\nbody: |\n  bb.0:\n    S_NOP 0, implicit-def %0:vgpr_32\n...\n';
    const host = hostOf(`${run}\n${other}${SPILLS.slice(SPILLS.indexOf('---'))}`);
    const allocated = (): number => {
      for (let n = 0; ; n++) if (host.allocateNext(URI, NEVER_CANCELLED, Infinity) === null) return n;
    };
    assert.deepEqual([allocated(), allocated()], [2, 0]);
    const start = { line: 0, character: run.length };
    host.change(URI, 2, [{ range: { start, end: start }, text: ' -amdgpu-sched-strategy=max-ilp' }]);
    assert.equal(allocated(), 2);
  });

  it('gives way, and begins anew', () => {
    const host = hostOf(SPILLS);
    assert.equal(host.allocateNext(URI, { isCancelled: () => true }, Infinity), 'gave way');
    assert.equal(host.allocateNext(URI, NEVER_CANCELLED, Infinity), 'hints');
  });

  it('has no lens where it is switched off', () => {
    const host = hostOf(SPILLS);
    host.configure(readSettings({ target: { cpu: 'gfx900' }, codeLens: { allocation: false } }));
    assert.equal(host.allocateNext(URI, NEVER_CANCELLED, Infinity), null);
  });

  describe('after the scheduler', () => {
    const ordered = `# RUN: llc ${ARGS.join(' ')} -start-before=machine-scheduler -stop-after=virtregrewriter,2 -o - %s
---
name: sums
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1
    %0:vreg_64 = COPY $vgpr0_vgpr1
${Array.from({ length: 6 }, (_, k) => `    %${k + 1}:vgpr_32 = GLOBAL_LOAD_DWORD %0, ${4 * k}, 0, implicit $exec :: (load (s32), addrspace 1)`).join('\n')}
${Array.from({ length: 5 }, (_, k) => `    %${k + 7}:vgpr_32 = V_ADD_U32_e32 %${k + 1}, %${k === 0 ? 2 : k + 6}, implicit $exec`).join('\n')}
    S_ENDPGM 0, implicit %11
...
`;
    const viewOf = (host: AnalysisHost): DocumentSnapshot['functions'][number] =>
      (host.snapshot(URI) as DocumentSnapshot).functions[0]!;
    const allocatedBy = (host: AnalysisHost): string => {
      const answer = provideAllocatedText(host.snapshot(URI)!, at(3), NEVER_CANCELLED);
      assert(answer !== null && !('elsewhere' in answer) && answer.text !== null);
      return answer.text;
    };

    it('schedules once for both, and what it says of the schedule is what a run for the schedule alone says', function () {
      needsLlc(this);
      const host = hostOf(ordered);
      assert.notEqual(host.allocateNext(URI, NEVER_CANCELLED, Infinity), null);
      const shared = viewOf(host).schedule(NEVER_CANCELLED);
      assert.equal((host.snapshot(URI) as DocumentSnapshot).results.schedules.computed, 1);
      assert.match(lensTitles(host).join('\n'), /llc ends with VGPR \d+/);
      assert.equal(
        (host.snapshot(URI) as DocumentSnapshot).results.schedules.computed,
        1,
        'the lens asks for no other',
      );
      const other = hostOf(ordered);
      const alone = viewOf(other).schedule(NEVER_CANCELLED);
      assert(shared.kind === 'ready' && alone.kind === 'ready');
      assert.deepEqual(shared.schedule.trace, alone.schedule.trace);
      const printed = [shared, alone].map(({ schedule }) => printFunctionDocument(schedule.fn));
      assert.equal(printed[0], printed[1], 'what the allocator edits is another function');
      // The other way round the schedule is known, and is not made known again.
      assert.equal(allocatedBy(other), allocatedBy(host));
      assert.equal((other.snapshot(URI) as DocumentSnapshot).results.schedules.computed, 1);
      const llc = runLlc(
        ['-x', 'mir', ...ARGS, '-start-before=machine-scheduler', '-stop-after=virtregrewriter,2', '-o', '-'],
        ordered,
      );
      assert.deepEqual(instrs(allocatedBy(host)), instrs(llc.stdout));
    });
  });

  it('leaves to requests what would take too long in the background, by what it took and not by its size', () => {
    const long = SPILLS.replace('    ; all of them\n', '    S_NOP 0\n'.repeat(2500));
    assert.equal(hostOf(long).allocateNext(URI, NEVER_CANCELLED, Infinity), 'hints');
    const hurried = new AnalysisHost(false, 0, 0);
    hurried.open(URI, 1, SPILLS);
    assert.equal(hurried.allocateNext(URI, NEVER_CANCELLED, Infinity), null);
    assert.ok(lensTitles(hurried).includes('allocate...'));
  });

  it('allocates what is small before what is large', () => {
    const long = SPILLS.replace('    ; all of them\n', '    S_NOP 0\n'.repeat(2500));
    const host = hostOf(`${long}${SPILLS.slice(SPILLS.indexOf('---')).replace('name: spills', 'name: small')}`);
    const known = (): boolean[] =>
      (host.snapshot(URI) as DocumentSnapshot).functions.map((fn) => fn.knownAllocation !== null);
    host.allocateNext(URI, NEVER_CANCELLED, Infinity);
    assert.deepEqual(known(), [false, true]);
    host.allocateNext(URI, NEVER_CANCELLED, Infinity);
    assert.deepEqual(known(), [true, true]);
  });

  it('explains where each register is, and why', () => {
    const text = provideAllocationExplanation(hostOf(SPILLS).snapshot(URI)!, at(3), NEVER_CANCELLED);
    assert(typeof text === 'string');
    assert.match(
      text,
      /^@spills {2}gfx900 wave64, LLVM 24\.0\.0git\n10 waves of 10: nothing binds\nspilled: 1 register\n {2}%0 to %stack\.0: .*\nallocated: VGPR 2/,
    );
    assert.match(text, /where each register is\n {2}%0: /);
    assert.match(text, /%\d .*: spilled\n(?: {4}.*\n)*? {4}spilled to %stack\.0: %\d/);
    assert.match(text, /not free: \$vgpr0 \(%\d\), \$vgpr1 \(%\d\)/);
  });

  it('tells in the hover of a register where it is, and beside the lines what is inserted for them', () => {
    const host = hostOf(SPILLS);
    host.allocateNext(URI, NEVER_CANCELLED, Infinity);
    const snapshot = host.snapshot(URI)!;
    const lines = SPILLS.split('\n');
    const line = lines.findIndex((l) => l.includes('implicit-def %0'));
    const shown = provideHover(snapshot, { position: { line, character: lines[line]!.indexOf('%0') + 1 } });
    const { value } = shown!.contents as { value: string };
    assert.match(
      value,
      /allocated: `\$vgpr0` at \[12\].*, \[17\].*`%stack\.0` at \[12\]\S* to \[17\].* saved at \[12\].* reloaded at \[17\]/,
    );
    const range = { start: { line: 0, character: 0 }, end: { line: 40, character: 0 } };
    const hints = provideInlayHints(snapshot, { range }, NEVER_CANCELLED);
    const inserted = hints.filter((h) => /save|reload/.test(h.label as string));
    assert.deepEqual(
      inserted.map((h) => `${h.position.line + 1} ${h.label as string}`),
      ['12 save %0', '17 reload %0'],
    );
  });

  it('takes its time in the background where a request does not wait', () => {
    const host = new AnalysisHost(false, 0);
    host.open(URI, 1, SPILLS);
    assert.equal(host.allocateNext(URI, NEVER_CANCELLED, Infinity), 'hints');
  });

  it('says in the hover of a physical register who saves it, or which rule reserves it', () => {
    const text = `--- |
  define amdgpu_gfx void @f() {
    unreachable
  }
...
---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  stackPtrOffsetReg: '$sgpr32'
  wwmReservedRegs: [ '$vgpr63' ]
body: |
  bb.0:
    liveins: $vgpr0, $vgpr41, $sgpr32, $sgpr5, $vgpr63, $vgpr200
    S_ENDPGM 0
...
`;
    const snapshot = hostOf(text).snapshot(URI)!;
    const lines = text.split('\n');
    const line = lines.findIndex((l) => l.includes('liveins'));
    const shown = (name: string): string => {
      const hover = provideHover(snapshot, { position: { line, character: lines[line]!.indexOf(name) + 2 } });
      return (hover?.contents as { value: string } | undefined)?.value ?? '';
    };
    // The orders are those of docs/llvm/allocation.md, 3.2, and of llc-22.
    assert.match(shown('$vgpr0'), /caller-saved here · place 1 of 63 in the order of vgpr\\?_32/);
    assert.match(shown('$vgpr41'), /callee-saved here: llc takes it last, and saves it · place 50 of 63/);
    assert.match(shown('$sgpr5'), /callee-saved here/);
    assert.match(shown('$sgpr32'), /reserved here: stackPtrOffsetReg/);
    assert.match(shown('$vgpr63'), /reserved here: wwmReservedRegs/);
    assert.match(shown('$vgpr200'), /reserved here: above the budget of 64 VGPRs/);
  });

  it('ends in the background where the schedule before it does not, or cannot be had', () => {
    const endless = readFileSync(join(__dirname, '..', '..', 'fixtures', 'schedule', 'endless.mir'), 'utf8');
    const refused = endless.replace('-amdgpu-igrouplp-exact-solver', '-mattr=+si-scheduler');
    for (const text of [endless, refused]) {
      const host = new AnalysisHost(false, 50, 300);
      host.open('file:///long.mir', 1, text);
      let n = 0;
      while (host.allocateNext('file:///long.mir', NEVER_CANCELLED, Infinity) !== null)
        assert.ok(++n < 3, 'again and again');
      assert.ok(n > 0);
    }
  });
});
