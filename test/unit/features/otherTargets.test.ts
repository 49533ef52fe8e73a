/** Files of other targets: one word of what they are, names to go to, and nothing computed. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { provideCodeLenses } from '../../../server/src/features/lens/codeLens.js';
import { provideTargetComparison } from '../../../server/src/features/pressure/compareTargets.js';
import { provideDefinition } from '../../../server/src/features/navigation/definition.js';
import { provideDependences } from '../../../server/src/features/schedule/dependences.js';
import { provideDocumentSymbols } from '../../../server/src/features/navigation/documentSymbols.js';
import { provideFoldingRanges } from '../../../server/src/features/navigation/foldingRange.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { provideInlayHints } from '../../../server/src/features/lens/inlayHints.js';
import { providePressureReport } from '../../../server/src/features/pressure/pressureReport.js';
import { providePressureProfile } from '../../../server/src/features/pressure/pressureProfile.js';
import { provideRematReport } from '../../../server/src/features/remat/rematReport.js';
import { provideScheduleExplanation, provideScheduledText } from '../../../server/src/features/schedule/schedule.js';
import { provideSemanticTokens } from '../../../server/src/features/tokens/semanticTokens.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import { TestFile } from '../../../server/src/program/testFile/testFile.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { targetOfFile } from '../../../server/src/program/targetOfFile.js';
import { provideWhy } from '../../../server/src/features/pressure/why.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { documentStatus } from '../../../server/src/lsp/common/documentStatus.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const URI = 'file:///folder/other.mir';
const AARCH64 = `# RUN: llc -mtriple=aarch64-linux-gnu -run-pass=none -o - %s | FileCheck %s
---
name: add_one
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $w0
    successors: %bb.1
    %0:gpr32sp = COPY $w0

  bb.1:
    %1:gpr32sp = ADDWri %0, 1, 0
    $w0 = COPY %1
    RET_ReallyLR implicit $w0
...
`;
const IR_ONLY = `--- |
  target triple = "x86_64-unknown-linux-gnu"
  define void @f() { ret void }
...
---
name: f
body: |
  bb.0:
    %0:gr32 = MOV32ri 1
    RET 0
...
`;

function open(text: string, settings = DEFAULT_SETTINGS): { host: AnalysisHost; snapshot: Snapshot } {
  const host = new AnalysisHost(false, Infinity);
  host.configure(settings);
  host.open(URI, 1, text);
  return { host, snapshot: host.snapshot(URI)! };
}

describe('files of other targets', () => {
  it('are known by their RUN lines, or by the triple of the module where no RUN line says AMDGPU', () => {
    const setting = DEFAULT_SETTINGS.target;
    const foreign = (text: string): string => targetOfFile(new TestFile(text), setting).foreign;
    assert.equal(foreign(AARCH64), 'aarch64-linux-gnu');
    assert.equal(foreign(IR_ONLY), 'x86_64-unknown-linux-gnu');
    assert.equal(foreign('# RUN: llc -march=hexagon %s\n'), 'hexagon');
    assert.equal(foreign('# RUN: llc -march=r600 -mcpu=redwood %s\n'), '');
    // llc's option goes before the module's triple
    assert.equal(foreign(`# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n${IR_ONLY}`), '');
    assert.equal(foreign(`# RUN: llc -run-pass=none %s\n${IR_ONLY}`), 'x86_64-unknown-linux-gnu');
    // one of several targets is ours
    assert.equal(foreign(`${AARCH64}# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n`), '');
    // nothing says what it is
    assert.equal(foreign('# RUN: llc -mtriple=%triple %s\n'), '');
    assert.equal(foreign('---\nname: f\n...\n'), '');
  });

  for (const [name, text] of [
    ['RUN line', AARCH64],
    ['IR', IR_ONLY],
  ] as const)
    it(`have no diagnostics, hints, lenses, fixes or hovers: ${name}`, () => {
      const { host, snapshot } = open(text, {
        ...DEFAULT_SETTINGS,
        inlayHints: 'all',
        blockLens: true,
        regionLens: true,
        pressureDiagnostics: true,
        rematDiagnostics: true,
      });
      const range = { start: { line: 0, character: 0 }, end: { line: 40, character: 0 } };
      assert.deepEqual(host.diagnostics(URI, NEVER_CANCELLED), []);
      assert.deepEqual(provideInlayHints(snapshot, { range }, NEVER_CANCELLED), []);
      assert.deepEqual(provideCodeLenses(snapshot, null, NEVER_CANCELLED), []);
      for (let line = 0; line < snapshot.text.lineCount; line++) {
        const at = { line, character: 6 };
        const context = { diagnostics: [], only: ['quickfix', 'source'] };
        const params = { range: { start: at, end: at }, context };
        assert.deepEqual(provideCodeActions(snapshot, params, NEVER_CANCELLED), []);
        assert.equal(provideHover(snapshot, { position: at }), null);
      }
    });

  it('have the rewrites that need only names, and llc reads the same', function () {
    const gaps = `${AARCH64.replaceAll('bb.1', 'bb.4').replaceAll('%1', '%7')}---
name: other
body: |
  bb.0:
    RET_ReallyLR
...
`;
    const { snapshot } = open(gaps, { ...DEFAULT_SETTINGS, createsFiles: true });
    const actionsAt = (word: string): CodeAction[] => {
      const start = snapshot.text.positionAt(gaps.indexOf(word) + 1);
      const params = { range: { start, end: start }, context: { diagnostics: [] } };
      return provideCodeActions(snapshot, params, NEVER_CANCELLED);
    };
    const onName = actionsAt('add_one');
    assert.deepEqual(
      onName.map((a) => a.title),
      ['Renumber registers', 'Renumber blocks', 'Duplicate function as add_one_2', 'Extract function to add_one.mir'],
    );
    assert.deepEqual(
      [actionsAt('%7:'), actionsAt('bb.4:'), actionsAt('RET_')].map((list) => list.map((a) => a.title)),
      [['Renumber registers'], ['Renumber blocks'], []],
    );
    const after = ({ edit }: CodeAction): string => {
      let text = gaps;
      for (const { range, newText } of [...edit!.changes![URI]!].reverse())
        text =
          text.slice(0, snapshot.text.offsetAt(range.start)) + newText + text.slice(snapshot.text.offsetAt(range.end));
      return text;
    };
    const [registers, blocks, copy] = onName.map((a) => (a.edit!.changes ? after(a) : ''));
    assert.equal(registers, gaps.replaceAll('%7', '%1'));
    assert.equal(blocks, gaps.replaceAll('bb.4', 'bb.1'));
    const own = gaps.slice(gaps.indexOf('---'), gaps.indexOf('---\nname: other'));
    assert.equal(copy, gaps.replace(own, own + own.replace('name: add_one', 'name: add_one_2')));
    needsLlc(this);
    const printed = (text: string): string => {
      const run = runLlc(['-x', 'mir', '-mtriple=aarch64-linux-gnu', '-run-pass=none', '-o', '-'], text);
      assert.equal(run.status, 0, run.stderr);
      return run.stdout;
    };
    const before = printed(gaps);
    assert.equal(printed(registers!), before);
    assert.equal(printed(blocks!), before);
    assert.match(printed(copy!), /^name: +add_one_2$/m);
  });

  it('keep colours and navigation', () => {
    const { snapshot } = open(AARCH64);
    const line = AARCH64.split('\n').findIndex((l) => l.includes('ADDWri'));
    const character = AARCH64.split('\n')[line]!.indexOf('%0') + 1;
    const definition = provideDefinition(snapshot, { position: { line, character } });
    assert.match(JSON.stringify(definition), /"line":8/);
    assert.equal(provideDocumentSymbols(snapshot)?.[0]?.name, 'add_one');
    assert.ok(provideFoldingRanges(snapshot, null, NEVER_CANCELLED)!.length > 0);
    assert.ok(provideSemanticTokens(snapshot, null, NEVER_CANCELLED)!.data.length > 0);
  });

  it('say so once, in the status, and wherever someone asks for numbers', () => {
    const { snapshot } = open(AARCH64);
    const status = documentStatus(snapshot);
    assert.equal(status.foreign, 'not an AMDGPU file (aarch64-linux-gnu)');
    assert.deepEqual(status.problems, []);
    const params = { textDocument: { uri: URI }, position: { line: 8, character: 6 } };
    const words = /not an AMDGPU file \(aarch64-linux-gnu\)/;
    const { report } = provideWhy(snapshot, params) as { report: string };
    assert.match(report, words);
    const answers = [
      provideScheduleExplanation(snapshot, params, NEVER_CANCELLED),
      provideScheduledText(snapshot, params, NEVER_CANCELLED),
      provideRematReport(snapshot, params, NEVER_CANCELLED),
      provideDependences(snapshot, params, NEVER_CANCELLED),
      providePressureReport(snapshot, params),
      providePressureProfile(snapshot, params),
      provideTargetComparison(snapshot, { targets: [{ triple: '', cpu: 'gfx90a', features: '' }] }, NEVER_CANCELLED),
    ];
    for (const answer of answers) assert.match(JSON.stringify(answer), words);
  });

  it('become ours when the user says so, and not by the setting for processors', () => {
    const { host } = open(AARCH64);
    host.selectTarget(URI, { triple: 'amdgcn', cpu: 'gfx900', features: '' });
    assert.equal(host.snapshot(URI)!.target.foreign, '');
    assert.ok(host.diagnostics(URI, NEVER_CANCELLED)!.length > 0);
    const { snapshot } = open(AARCH64, { ...DEFAULT_SETTINGS, targetOverridesRunLines: true });
    assert.equal(snapshot.target.foreign, 'aarch64-linux-gnu');
  });

  it('are skipped by check with a note, and refused by explain', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-other-'));
    try {
      const path = join(folder, 'other.mir');
      writeFileSync(path, AARCH64);
      const io = new BufferedIO();
      assert.equal(await runCheck([path], io), 0);
      assert.match(io.out(), /other\.mir\n {2}skipped: not an AMDGPU file \(aarch64-linux-gnu\)\n/);
      assert.match(io.out(), /^0 functions, no errors, 1 file skipped$/m);
      const json = new BufferedIO();
      assert.equal(await runCheck(['--json', path], json), 0);
      const { files, skipped } = JSON.parse(json.out()) as {
        files: { skipped: string; target: { triple: string } }[];
        skipped: number;
      };
      assert.equal(skipped, 1);
      assert.equal(files[0]!.skipped, 'not an AMDGPU file (aarch64-linux-gnu)');
      assert.equal(files[0]!.target.triple, 'aarch64-linux-gnu');
      const explain = new BufferedIO();
      assert.equal(runExplain([path], explain), 2);
      assert.match(explain.err(), /other\.mir: not an AMDGPU file/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
