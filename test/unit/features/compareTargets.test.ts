/** Several targets of one file: their lens, their table, and what is said when the target is not known. Numbers are llc-22's. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideCodeLenses } from '../../../server/src/features/lens/codeLens.js';
import { provideTargetComparison, type TargetRow } from '../../../server/src/features/pressure/compareTargets.js';
import { DEFAULT_SETTINGS, readSettings } from '../../../server/src/program/settings.js';
import { targetDoubt } from '../../../server/src/features/diagnostics/targetDoubt.js';
import { documentStatus } from '../../../server/src/lsp/common/documentStatus.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { atCursor, cursorIn, openText, URI } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const examples = join(__dirname, '..', '..', '..', 'examples');
const TARGETS = readFileSync(join(examples, 'targets.mir'), 'utf8');
const TILE = readFileSync(join(examples, 'gemm_tile.mir'), 'utf8');

const body = 'name: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const fn = (run: string): string => `${run === '' ? '' : `# RUN: ${run}\n`}---\n${body}`;

function rows(text: string, cpus: readonly string[] = []): readonly TargetRow[] {
  const { snapshot } = openText(text);
  const targets = cpus.map((cpu) => ({ triple: '', cpu, features: '' }));
  return provideTargetComparison(snapshot, { targets }, NEVER_CANCELLED).functions[0]!.rows;
}

const lenses = (text: string): string[] =>
  provideCodeLenses(openText(text).snapshot, null, NEVER_CANCELLED).map(
    (l) => `${l.range.start.line}: ${l.command?.title}`,
  );

/** The largest number of a column of amdgpu-print-rp. */
function llcPeak(text: string, args: readonly string[], column: 'SGPR' | 'VGPR'): number {
  const { status, stdout, stderr } = runLlc(
    [...args, '-x', 'mir', '-run-pass=amdgpu-print-rp', '-filetype=null'],
    text,
  );
  assert.equal(status, 0, stderr);
  const numbers = [...(stdout + stderr).matchAll(/^ {4}(\d+) +(\d+) /gm)];
  return Math.max(...numbers.map((m) => Number(m[column === 'SGPR' ? 1 : 2])));
}

describe('several targets', () => {
  it('each once, the active one first, with the occupancy on it', () => {
    assert.deepEqual(
      rows(TARGETS).map((r) =>
        `${r.line} ${r.label}: ${r.target}, ${r.occupancy} of ${r.most} ${r.limiter} ${r.nextWave}`.trim(),
      ),
      [
        '3 gfx900: gfx900 wave64, 9 of 10 VGPR -4 VGPR',
        '4 gfx90a: gfx90a wave64, 8 of 8',
        '5 gfx1030: gfx1030 wave32, 16 of 16',
        '6 gfx1100 +wavefrontsize64: gfx1100 wave64, 16 of 16',
        '8 gfx1201: gfx1201 wave32, 16 of 16',
      ],
    );
  });

  it('peaks are those that llc prints for each', function () {
    needsLlc(this);
    const { snapshot } = openText(TARGETS);
    for (const [k, row] of rows(TARGETS).entries()) {
      const { triple, cpu, features } = snapshot.target.commands[k]!;
      const args = [`-mtriple=${triple}`, `-mcpu=${cpu}`, ...(features ? [`-mattr=${features}`] : [])];
      const vgpr = row.peaks.find((p) => p.bank === 'VGPR')?.value;
      assert.equal(vgpr, llcPeak(TARGETS, args, 'VGPR'), row.label);
    }
  });

  it("a target that llc rejects the function on says so, in llc's words", function () {
    const [own, , other] = rows(TILE, ['gfx1100']);
    assert.equal(own?.occupancy, 3);
    assert.match(other!.problem, /^llc rejects line \d+: Invalid register class: agpr loads and stores not supported/);
    needsLlc(this);
    const { status, stderr } = runLlc(
      ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx1100', '-x', 'mir', '-run-pass=none'],
      TILE,
    );
    assert.notEqual(status, 0);
    assert.match(stderr, /Invalid register class: agpr loads and stores not supported on this GPU/);
  });

  it('as text: one line per target, columns aligned', () => {
    const { snapshot } = openText(TARGETS);
    const { text } = provideTargetComparison(snapshot, {}, NEVER_CANCELLED);
    const [name, head, ...lines] = text.split('\n');
    assert.equal(name, 'polynomial');
    const at = head!.indexOf('occupancy');
    assert.deepEqual(
      lines.slice(0, 5).map((l) => /^\d+ of \d+/.exec(l.slice(at))?.[0]),
      ['9 of 10', '8 of 8', '16 of 16', '16 of 16', '16 of 16'],
    );
  });

  it('of one function where a position is given', () => {
    const two = fn('llc -mtriple=amdgcn -mcpu=gfx900 %s') + `---\n${body.replace('f', 'g')}`;
    const { snapshot, position } = atCursor(cursorIn(two, 'g\nbody: |\n  bb.0:\n    $0S_ENDPGM'));
    const { functions } = provideTargetComparison(snapshot, { position }, NEVER_CANCELLED);
    assert.deepEqual(
      functions.map((f) => [f.name, f.line]),
      [['g', 8]],
    );
  });

  it('do not push out what is known of the present one', () => {
    const { host, snapshot } = openText(TARGETS);
    host.diagnostics(URI, NEVER_CANCELLED);
    const before = snapshot.functions[0]!.summary;
    const { computedFunctions } = host.statistics();
    provideTargetComparison(snapshot, {}, NEVER_CANCELLED);
    assert.equal(host.snapshot(URI)!.functions[0]!.summary, before);
    assert.equal(host.statistics().computedFunctions, computedFunctions);
  });

  it('have a lens each: the active one is named, the others can be chosen', () => {
    assert.deepEqual(
      lenses(TARGETS).filter((l) => /use|target/.test(l)),
      [
        '3: active target: gfx900',
        '3: compare targets...',
        '4: use gfx90a',
        '5: use gfx1030',
        '6: use gfx1100 +wavefrontsize64',
        '8: use gfx1201',
      ],
    );
    const run = 'llc -mtriple=amdgcn -mcpu=gfx900 %s';
    assert.deepEqual(
      lenses(fn(`${run}\n# RUN: ${run} -verify-machineinstrs`)).filter((l) => /target/.test(l)),
      [],
    );
  });
});

describe('a target that was chosen', () => {
  it('is named above the RUN lines, none of which is active', () => {
    const { host } = openText(TARGETS);
    host.selectTarget(URI, { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx942', features: '' });
    const found = provideCodeLenses(host.snapshot(URI)!, null, NEVER_CANCELLED);
    assert.deepEqual(
      found.map((l) => `${l.range.start.line}: ${l.command?.title}`).filter((l) => /use|target/.test(l)),
      [
        '3: chosen target: gfx942',
        '3: compare targets...',
        '3: use gfx900',
        '4: use gfx90a',
        '5: use gfx1030',
        '6: use gfx1100 +wavefrontsize64',
        '8: use gfx1201',
      ],
    );
  });
});

describe('a target that is not known', () => {
  const doubt = (text: string, cpu = ''): string | null => {
    const { host } = openText(text);
    host.configure({ ...DEFAULT_SETTINGS, target: { ...DEFAULT_SETTINGS.target, cpu } });
    return targetDoubt(host.snapshot(URI)!);
  };

  it('is one that nothing names', () => {
    assert.equal(doubt(fn('')), 'nothing in the file names a processor: the numbers are for generic-hsa wave64');
    assert.equal(doubt(fn(''), 'gfx900'), null);
    // llc without -mcpu takes `generic`: that is known.
    assert.equal(doubt(fn('llc -mtriple=amdgcn %s')), null);
    const ir = (attributes: string): string =>
      `--- |\n  define void @f() #0 { ret void }\n  attributes #0 = { ${attributes} }\n...\n---\n${body}`;
    assert.notEqual(doubt(ir('nounwind')), null);
    assert.equal(doubt(ir('"target-cpu"="gfx90a"')), null);
  });

  it('is one that lit fills in', () => {
    assert.match(
      doubt(fn('llc -mtriple=amdgcn -mcpu=%cpu %s'))!,
      /^line 1 names the target by a substitution of lit \(%cpu\): the numbers are for/,
    );
  });

  it('says so in a lens and in the status', () => {
    const text = fn('');
    assert.match(lenses(text).at(-1)!, /^0: target unknown: nothing in the file names a processor.*choose\.\.\.$/);
    assert.equal(documentStatus(openText(text).snapshot).problems.length, 1);
    assert.equal(documentStatus(openText(TARGETS).snapshot).problems.length, 0);
  });
});

describe('settings of the target', () => {
  it('can go before RUN lines', () => {
    const { host } = openText(TARGETS);
    host.configure(readSettings({ target: { cpu: 'gfx942', overrideRunLines: true } }));
    assert.equal(host.snapshot(URI)!.subtarget.cpu, 'gfx942');
    // What the user chooses for the file goes before everything.
    host.selectTarget(URI, 2);
    assert.equal(host.snapshot(URI)!.subtarget.cpu, 'gfx1030');
  });

  it('name processors to compare with', () => {
    const { host } = openText(TILE);
    host.configure(readSettings({ target: { compare: ['gfx950', 7, ''] } }));
    const { functions } = provideTargetComparison(host.snapshot(URI)!, {}, NEVER_CANCELLED);
    assert.deepEqual(
      functions[0]!.rows.map((r) => r.label),
      ['gfx90a', 'gfx942', 'gfx950'],
    );
  });
});
