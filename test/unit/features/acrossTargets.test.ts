/** Findings and quick fixes over all targets of the RUN lines; llc-22 is asked about each of them where it is installed. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { toLspDiagnostics } from '../../../server/src/features/diagnostics/diagnostics.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { DEFAULT_SETTINGS, type Settings } from '../../../server/src/program/settings.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const URI = 'file:///folder/targets.mir';
const RUNS = ['gfx906', 'gfx90a', 'gfx1100']
  .map((cpu) => `# RUN: llc -mtriple=amdgcn -mcpu=${cpu} -run-pass=none -o - %s\n`)
  .join('');
const body = (lines: string): string => `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $sgpr0, $sgpr1, $vgpr0
    %0:sgpr_32 = COPY $sgpr0
    %1:sgpr_32 = COPY $sgpr1
    %4:vgpr_32 = COPY $vgpr0
${lines}
    S_ENDPGM 0
...
`;
/** One scalar operand is all that a VALU instruction reads before gfx10. */
const TWO_SCALARS = '    %2:vgpr_32 = V_ADD_F32_e64 0, %0, 0, %1, 0, 0, implicit $mode, implicit $exec';
/** Tuples of registers begin at even ones on gfx90a. */
const UNALIGNED =
  '    %3:vreg_64 = IMPLICIT_DEF\n    %5:vreg_64 = V_PK_MOV_B32 8, %3, 12, %3, 0, 0, 0, 0, 0, implicit $exec';

function open(text: string, settings: Partial<Settings> = {}): { host: AnalysisHost; snapshot: Snapshot } {
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...DEFAULT_SETTINGS, ...settings });
  host.open(URI, 1, text);
  return { host, snapshot: host.snapshot(URI)! };
}

const messages = (snapshot: Snapshot): string[] =>
  toLspDiagnostics(snapshot).map((d) => String(d.message).split('\n')[0]!);

describe('findings across the targets of the RUN lines', () => {
  it('says which targets have it', () => {
    assert.deepEqual(messages(open(RUNS + body(TWO_SCALARS)).snapshot), [
      'only on gfx906, gfx90a: VOP* instruction violates constant bus restriction',
    ]);
    const unaligned = messages(open(RUNS + body(UNALIGNED)).snapshot);
    assert.ok(unaligned.length > 0 && unaligned.every((m) => m.startsWith('only on gfx90a: ')), unaligned.join('\n'));
  });

  it('is one entry where all have it, and plain', () => {
    const list = messages(open(RUNS + body('    %2:vgpr_32 = COPY %77')).snapshot);
    assert.deepEqual(list, ["Cannot determine class/bank of virtual register 77 in function 'f'"]);
  });

  it('agrees with llc-22 on each target', function () {
    needsLlc(this);
    for (const lines of [TWO_SCALARS, UNALIGNED, '    $vgpr1 = COPY %4'])
      for (const cpu of ['gfx906', 'gfx90a', 'gfx1100']) {
        const { status } = runLlc(
          ['-mtriple=amdgcn', `-mcpu=${cpu}`, '-x', 'mir', '-run-pass=none', '-o', '-'],
          body(lines),
        );
        const isTold = messages(open(RUNS + body(lines)).snapshot).some((m) => m.includes(cpu));
        assert.equal(isTold, status !== 0, `${cpu}: ${lines}`);
      }
  });

  it('leaves out what llc is to fail on, and other targets where the user wants none', () => {
    const negated = RUNS.replace('llc -mtriple=amdgcn -mcpu=gfx90a', 'not llc -mtriple=amdgcn -mcpu=gfx90a');
    assert.deepEqual(messages(open(negated + body(UNALIGNED)).snapshot), []);
    assert.deepEqual(messages(open(RUNS + body(UNALIGNED), { allTargets: false }).snapshot), []);
    const { host } = open(RUNS + body(UNALIGNED));
    host.selectTarget(URI, { triple: 'amdgcn', cpu: 'gfx1100', features: '' });
    assert.deepEqual(messages(host.snapshot(URI)!), []);
  });

  it('offers quick fixes with the targets for which they hold', () => {
    const titles = (lines: string): string[] => {
      const { snapshot } = open(RUNS + body(lines));
      const diagnostics = toLspDiagnostics(snapshot);
      return diagnostics.flatMap(({ range }) =>
        provideCodeActions(snapshot, { range, context: { diagnostics, only: ['quickfix'] } }, NEVER_CANCELLED).map(
          (a) => a.title,
        ),
      );
    };
    assert.ok(titles('    %2:vgpr_32 = V_MOV_B32_e32 %4')[0]!.endsWith('(all 3 targets)'));
    const aligned = titles(UNALIGNED);
    assert.ok(aligned.length > 0 && aligned.every((t) => t.endsWith('(all 3 targets)')), aligned.join('\n'));
  });

  it('edits one function of one target as of all: only that is verified again', () => {
    const { host } = open(RUNS + body(TWO_SCALARS) + body(UNALIGNED).replace('name: f', 'name: g'));
    assert.ok(host.diagnostics(URI, NEVER_CANCELLED)!.length > 0);
    const other = host.snapshot(URI)!.withTarget({ triple: 'amdgcn', cpu: 'gfx1100', features: '' });
    const before = other.functions[1]!.fn;
    host.change(URI, 2, [{ range: { start: { line: 11, character: 4 }, end: { line: 11, character: 4 } }, text: ' ' }]);
    host.diagnostics(URI, NEVER_CANCELLED);
    const after = host.snapshot(URI)!.withTarget({ triple: 'amdgcn', cpu: 'gfx1100', features: '' });
    assert.equal(after.functions[1]!.fn, before);
  });
});
