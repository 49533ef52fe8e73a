/** Findings on the words of RUN and CHECK lines, and their fixes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { skip } from '../../support/skip.js';
import { atCursor, URI } from '../../support/cursor.js';

const FUNCTION = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const TARGET = '-mtriple=amdgcn-amd-amdhsa';
const hostOf = (text: string) => atCursor(text).host;

/** `code|text of the range|message` of each diagnostic. */
function findings(text: string): string[] {
  return hostOf(text)
    .diagnostics(URI, NEVER_CANCELLED)!
    .map((d) => {
      const line = text.split('\n')[d.range.start.line]!;
      return `${d.code}|${line.slice(d.range.start.character, d.range.end.character)}|${d.message}`;
    });
}

const ofRun = (words: string): string[] =>
  findings(`# RUN: llc ${TARGET} ${words} %s -o - | FileCheck %s\n# CHECK: x\n${FUNCTION}`);

/** The line after each fix that is offered in it. */
function fixes(text: string, line: number): string[] {
  const host = hostOf(text);
  const diagnostics = host.diagnostics(URI, NEVER_CANCELLED)!.filter((d) => d.range.start.line === line);
  const range = { start: { line, character: 0 }, end: { line, character: text.split('\n')[line]!.length } };
  const actions = provideCodeActions(host.snapshot(URI)!, { range, context: { diagnostics } }, NEVER_CANCELLED);
  return actions.map((action) => {
    const edits = action.edit!.changes![URI]!;
    assert.ok(action.diagnostics!.length > 0, action.title);
    const { snapshot } = atCursor(text);
    assert.equal(edits.length, 1);
    const { range: r, newText } = edits[0]!;
    const [from, to] = [snapshot.text.offsetAt(r.start), snapshot.text.offsetAt(r.end)];
    return (text.slice(0, from) + newText + text.slice(to)).split('\n')[line]!;
  });
}

const fixesOfRun = (words: string): string[] =>
  fixes(`# RUN: llc ${TARGET} ${words} %s\n${FUNCTION}`, 0).map((l) => l.slice(`# RUN: llc ${TARGET} `.length, -3));

describe('RUN lines', () => {
  it('are silent where llc takes them', () => {
    for (const words of [
      '-mcpu=gfx90a -run-pass=machine-scheduler -verify-machineinstrs 2>&1',
      '-mcpu gfx90a -mattr=+xnack,-cumode --run-pass=none,amdgpu-print-rp',
      '-mcpu=gfx1100 -stop-after=si-insert-waitcnts,1 -start-before machine-scheduler -O2 < %s',
      "-tail-dup-size=1000 '-amdgpu-function-calls=false' -x mir",
      '-debug-only=machine-scheduler -misched-only-block=3',
      '%s | not llc -no-such-option',
      '-mcpu=%cpu -foo-%x -mattr=%features -run-pass=%pass',
    ])
      assert.deepEqual(ofRun(words), [], words);
  });

  it('have llc words for options and values that it does not know', () => {
    assert.deepEqual(ofRun('-tail-dup-sise=3 -mcpu=gfx900'), [
      "unknown-option|-tail-dup-sise=3|Unknown command line argument '-tail-dup-sise=3'. Did you mean '--tail-dup-size=3'? (LLVM 22.1.8)",
    ]);
    assert.deepEqual(ofRun('-nothing-like-any-option'), [
      "unknown-option|-nothing-like-any-option|Unknown command line argument '-nothing-like-any-option'. (LLVM 22.1.8)",
    ]);
    assert.deepEqual(ofRun('-misched=gcn-max-il'), [
      "option-value|-misched=gcn-max-il|for the --misched option: Cannot find option named 'gcn-max-il'! (LLVM 22.1.8)",
    ]);
    assert.deepEqual(ofRun('-tail-dup-size many'), [
      "option-value|many|for the --tail-dup-size option: 'many' value invalid for uint argument! (LLVM 22.1.8)",
    ]);
  });

  it('know processors, features and passes, in every command of the file', () => {
    const text = `# RUN: llc ${TARGET} -mcpu=gfx900 %s\n# RUN: llc ${TARGET} -mcpu=gfx90aa -mattr=+xnak \\\n# RUN:   -run-pass=none,machine-schedule %s\n${FUNCTION}`;
    assert.deepEqual(findings(text), [
      'unknown-pass|machine-schedule|run-pass machine-schedule is not registered. (LLVM 22.1.8)',
      "unknown-target|gfx90aa|'gfx90aa' is not a recognized processor for this target (ignoring processor) (LLVM 22.1.8)",
      "unknown-target|+xnak|'+xnak' is not a recognized feature for this target (ignoring feature) (LLVM 22.1.8)",
    ]);
    const offered = fixes(text, 1).join('\n');
    assert.match(offered, /-mcpu=gfx90aa -mattr=\+xnack /);
    assert.match(offered, /-mcpu=gfx90a -mattr=\+xnak /);
    assert.deepEqual(fixes(text, 2), ['# RUN:   -run-pass=none,machine-scheduler %s']);
    assert.deepEqual(ofRun('-stop-after machine-schedule'), [
      'unknown-pass|machine-schedule|"machine-schedule" pass is not registered. (LLVM 22.1.8)',
    ]);
  });

  it('are repaired by what was nearly written', () => {
    assert.deepEqual(fixesOfRun('-tail-dup-sise=3'), ['-tail-dup-size=3']);
    assert.deepEqual(fixesOfRun('--tail-dup-sise 3'), ['--tail-dup-size 3']);
    assert.deepEqual(fixesOfRun('-misched=gcn-max-il'), ['-misched=gcn-max-ilp']);
    assert.deepEqual(fixesOfRun('-nothing-like-any-option'), []);
  });

  it('hint at options that change numbers and are not modelled, and at no other', () => {
    const [hint, ...others] = ofRun('-basic-aa-recphi=false -print-after-all -stop-after=machine-scheduler');
    assert.match(hint!, /^option-not-modelled\|-basic-aa-recphi=false\|amdgpu-mir does not model the option /);
    assert.deepEqual(others, []);
    assert.deepEqual(ofRun('-basic-aa-recphi=true'), []);
  });

  it('that are wrong leave everything else of the file working', () => {
    const text = `# RUN: llc ${TARGET} -mcpu=gfx90a -misched=x -O9 -foo= "-\n${FUNCTION}`;
    const host = hostOf(text);
    assert.ok(findings(text).length > 0);
    const hover = provideHover(host.snapshot(URI)!, { position: { line: 5, character: 6 } });
    assert.ok(JSON.stringify(hover).includes('S_ENDPGM'));
  });

  it('of another target are none of ours', () => {
    assert.deepEqual(findings(`# RUN: llc -mtriple=x86_64 -foo %s | FileCheck --check-prefix=A %s\n${FUNCTION}`), []);
  });
});

describe('CHECK lines', () => {
  const fileCheck = (options: string, checks: string): string =>
    `# RUN: llc ${TARGET} %s -o - | FileCheck ${options} %s\n${FUNCTION}${checks}`;

  it('that no RUN line needs are not looked at; a prefix that none has is told in the words of FileCheck', function () {
    const text = fileCheck('--check-prefixes=GCN,GFX9', '# GCN: x\n# GFX90-NEXT: y\n');

    const message = "no check strings found with prefix 'GFX9:'";
    assert.deepEqual(findings(text), [`unused-prefix|GFX9|${message}`]);
    assert.deepEqual(
      fixes(text, 0).map((l) => /prefixes=(\S*)/.exec(l)![1]),
      ['GCN,GFX90'],
    );
    assert.deepEqual(findings(fileCheck('--check-prefixes=GCN,GFX9 --allow-unused-prefixes', '# GCN: x\n')), []);
    assert.deepEqual(findings(fileCheck('-check-prefix GFX9', '# GCN: x\n')), [`unused-prefix|GFX9|${message}`]);
    const folder = mkdtempSync(join(tmpdir(), 'run-lines-'));
    writeFileSync(join(folder, 'file'), text);
    const run = spawnSync('FileCheck-22', ['--check-prefixes=GCN,GFX9', join(folder, 'file')], {
      input: 'x\n',
      encoding: 'utf8',
      timeout: 60_000,
    });
    rmSync(folder, { recursive: true });
    if (run.error) skip(this, 'FileCheck-22 is not installed');
    assert.equal(run.stderr, `error: ${message}\n`);
  });

  it('with a misspelt directive are told, and mended', () => {
    const checks =
      '# CHECK: x\n# CHECK-NXT: y\n# CHECK_NEXT: y\n# CHECK-COUT-3: z\n# CHECK-OTHER: z\n# CHECK-NEXT: y\n';
    const text = fileCheck('', checks);
    assert.deepEqual(findings(text), [
      "misspelt-directive|CHECK-NXT|misspelled directive 'CHECK-NXT:'",
      "misspelt-directive|CHECK_NEXT|misspelled directive 'CHECK_NEXT:'",
      "misspelt-directive|CHECK-COUT-3|misspelled directive 'CHECK-COUT-3:'",
    ]);
    const first = text.split('\n').indexOf('# CHECK-NXT: y');
    assert.equal(fixes(text, first)[0], '# CHECK-NEXT: y');
    assert.equal(fixes(text, first + 1)[0], '# CHECK-NEXT: y');
    assert.equal(fixes(text, first + 2)[0], '# CHECK-COUNT-3: z');
  });

  it('may have a prefix that looks like a directive', () => {
    assert.deepEqual(findings(fileCheck('--check-prefixes=A,A-NXT', '# A: x\n# A-NXT: y\n')), []);
  });
});
