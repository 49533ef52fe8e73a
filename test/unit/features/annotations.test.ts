/**
 * The annotated files of test/fixtures/features: what the editor shows for each line. The annotations are the whole expectation
 * (a diagnostic that is not listed fails), and where llc-22 is installed it has to agree with them.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Bank, PressureSummary } from '../../../server/src/analysis/summary.js';
import { instrAt } from '../../../server/src/features/snapshot/locate.js';
import { runCommandsOf } from '../../../server/src/program/targetOfFile.js';
import { TestFile } from '../../../server/src/program/testFile/testFile.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { messageMatches, readFixture, type Fixture } from '../../support/fixture.js';
import { needsLlc } from '../../support/llc.js';

const folder = join(__dirname, '..', '..', 'fixtures', 'features');
const URI = 'file:///fixture.mir';

function open(text: string): AnalysisHost {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  return host;
}

function checkDiagnostics(fixture: Fixture): void {
  const found = open(fixture.text).diagnostics(URI, NEVER_CANCELLED)!;
  const rest = [...fixture.diagnostics];
  const unexpected: string[] = [];
  for (const { range, severity, message } of found) {
    const text = String(message).split('\n')[0];
    const k = rest.findIndex(
      (e) =>
        e.line === range.start.line &&
        e.start === range.start.character &&
        (range.end.line !== range.start.line || e.end === range.end.character) &&
        (severity === 1) === (e.severity === 'error') &&
        messageMatches(text, e.message),
    );
    if (0 <= k) rest.splice(k, 1);
    else unexpected.push(`${range.start.line + 1}:${range.start.character}-${range.end.character}: ${text}`);
  }
  assert.deepEqual(
    { unexpected, missing: rest.map((e) => `${e.line + 1}:${e.start}-${e.end}: ${e.message}`) },
    { unexpected: [], missing: [] },
  );
}

function checkPressures(fixture: Fixture): void {
  const snapshot = open(fixture.text).snapshot(URI)!;
  for (const { line, counts } of fixture.pressures) {
    const offset = snapshot.text.lineEnd(line);
    const view = snapshot.functionAt(offset)!;
    const { summary } = view;
    assert.ok(summary, `line ${line + 1}: function '${view.name}' has a summary`);
    const i = instrAt(summary.fn, offset - view.start);
    assert.ok(0 <= i, `line ${line + 1} holds an instruction`);
    const all: Record<string, number> = {
      vgpr: PressureSummary.count(summary.up.at, Bank.VGPR, i),
      sgpr: PressureSummary.count(summary.up.at, Bank.SGPR, i),
      agpr: PressureSummary.count(summary.up.at, Bank.AGPR, i),
      occupancy: summary.occupancyAt(i).occupancy,
      function: summary.occupancy.occupancy,
    };
    const actual = Object.fromEntries(Object.keys(counts).map((key) => [key, all[key]]));
    assert.deepEqual(actual, counts, `line ${line + 1}`);
  }
}

const llcArgs = (text: string): string[] => {
  const [command] = runCommandsOf(new TestFile(text));
  return command.args.filter((a) => /^-(?:mtriple|mcpu|mattr)=/.test(a));
};

/** llc's own numbers at each instruction, by the position of the instruction in the file. */
function checkPressuresWithLlc(fixture: Fixture, path: string): void {
  const args = [...llcArgs(fixture.text), '-run-pass=amdgpu-print-rp', '-filetype=null', '-o', '/dev/null', path];
  const { stderr } = spawnSync('llc-22', args, { encoding: 'utf8' });
  const printed = [...stderr.matchAll(/^ {4}(\d+) +(\d+) {2,}\S/gm)].map((m) => [Number(m[1]), Number(m[2])]);
  const snapshot = open(fixture.text).snapshot(URI)!;
  const lines = snapshot.functions.flatMap((view) => {
    const { fn } = view;
    return Array.from({ length: fn!.nInstrs }, (_, i) =>
      snapshot.text.lineAt(view.start + fn!.source!.instrRange(i).start),
    );
  });
  assert.equal(printed.length, lines.length, `llc prints every instruction:\n${stderr.slice(0, 500)}`);
  for (const { line, counts } of fixture.pressures) {
    const k = lines.indexOf(line);
    const [sgpr, vgpr] = printed[k];
    assert.equal(sgpr, counts.sgpr ?? 0, `line ${line + 1}: SGPR`);
    assert.equal(vgpr, Math.max(counts.vgpr ?? 0, counts.agpr ?? 0), `line ${line + 1}: VGPR`);
  }
}

/** llc stops at its first complaint: that one must stand in the annotations, at its line. */
function checkDiagnosticsWithLlc(fixture: Fixture, path: string): void {
  const args = [...llcArgs(fixture.text), '-run-pass=none', '-o', '/dev/null', path];
  const { status, stderr } = spawnSync('llc-22', args, { encoding: 'utf8' });
  assert.notEqual(status, 0, 'llc rejects the file');
  const verifier = /\*\*\* Bad machine code: (.*) \*\*\*/.exec(stderr);
  if (verifier) {
    assert.ok(
      fixture.diagnostics.some((d) => messageMatches(verifier[1], d.message)),
      `not annotated: ${verifier[1]}`,
    );
    return;
  }
  const error = /error: [^\n]*?:(\d+):(\d+): (.*)|error: [^\n:]*: (.*)/.exec(stderr);
  assert.ok(error, stderr.slice(0, 500));
  const message = error[3] ?? error[4];
  const expected = fixture.diagnostics.find((d) => messageMatches(message, d.message));
  assert.ok(expected, `not annotated: ${message}`);
  if (error[1]) assert.equal(expected.line + 1, Number(error[1]), message);
}

describe('annotated fixtures', () => {
  for (const file of readdirSync(folder).filter((f) => f.endsWith('.mir'))) {
    const path = join(folder, file);
    const fixture = readFixture(readFileSync(path, 'utf8'));
    it(file, () => {
      assert.ok(fixture.diagnostics.length + fixture.pressures.length > 0, 'the fixture expects something');
      checkDiagnostics(fixture);
      checkPressures(fixture);
    });
    it(`${file}: llc-22 agrees`, function () {
      needsLlc(this);
      if (fixture.diagnostics.some((d) => d.severity === 'error')) checkDiagnosticsWithLlc(fixture, path);
      else checkPressuresWithLlc(fixture, path);
    });
  }
});
