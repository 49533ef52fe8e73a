/** Numbers at line ends: llc's between the instructions, on the line where they change. */
import assert from 'node:assert/strict';
import { provideInlayHints } from '../../../server/src/features/lens/inlayHints.js';
import { DEFAULT_SETTINGS, type InlayHintMode } from '../../../server/src/program/settings.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { RANDOM_ARGS, randomSchedule } from '../../support/randomSchedule.js';

const URI = 'file:///folder/hints.mir';
const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr4
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr4
    S_NOP 0
    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    dead %3:vgpr_32 = V_ADD_U32_e32 %2, %2, implicit $exec
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    S_NOP 0, implicit %2
    S_ENDPGM 0

  bb.2:
    %4:agpr_32 = V_ACCVGPR_WRITE_B32_e64 0, implicit $exec
    S_ENDPGM 0, implicit %1, implicit %4
...
`;

/** `12: VGPR 3` by 1-based line. */
function hints(text: string, mode: InlayHintMode): string[] {
  const host = new AnalysisHost();
  host.configure({ ...DEFAULT_SETTINGS, inlayHints: mode });
  host.open(URI, 1, text);
  const range = { start: { line: 0, character: 0 }, end: { line: 100_000, character: 0 } };
  return provideInlayHints(host.snapshot(URI)!, { range }, NEVER_CANCELLED).map(
    ({ position, label }) => `${position.line + 1}: ${String(label)}`,
  );
}

describe('inlay hints', () => {
  it('stand where a number changes, with the banks that change; kills count on their own line', () => {
    assert.deepEqual(hints(TEXT, 'changes'), [
      '8: VGPR 1',
      '9: SGPR 1',
      // %0 ends where %2 begins; the result that is never read is alive only while its instruction runs
      '12: VGPR 1 (live peak 2)',
      '16: VGPR 0 SGPR 0',
      '20: SGPR 1 AGPR 1',
      '21: SGPR 0 AGPR 0',
    ]);
  });

  it('`all`: every bank that the function uses, at every instruction', () => {
    const all = hints(TEXT, 'all');
    assert.equal(all.length, 10);
    assert.equal(all[0], '8: VGPR 1 SGPR 0 AGPR 0');
  });

  it('`peaks`: where each bank is at its most', () => {
    assert.deepEqual(hints(TEXT, 'peaks'), ['9: live peak SGPR 1', '12: live peak VGPR 2', '20: live peak AGPR 1']);
  });

  it('are the numbers that llc-22 prints below the instructions, and changes lead to the same numbers', function () {
    needsLlc(this);
    for (const seed of [21, 22, 23, 24]) {
      const text = randomSchedule(seed, { size: 30, blocks: 3 });
      const run = runLlc([...RANDOM_ARGS, '-x=mir', '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], text);
      const rows = [...run.stderr.matchAll(/^ {4}(\d+) +(\d+) +\S.*\n {4}(\d+) +(\d+) *$/gm)];
      const wanted = rows.map(([, , , sgpr, vgpr]) => `VGPR ${vgpr} SGPR ${sgpr}`);
      const words = (hint: string): string =>
        hint
          .replace(/^\d+: /, '')
          .replace(/ \(live peak \d+\)/g, '')
          .replace(/ AGPR \d+/, '');
      // llc prints bundles as one
      const isMember = (hint: string): boolean =>
        text.split('\n')[Number(hint.split(':')[0]) - 1]!.startsWith('      ');
      const all = hints(text, 'all').filter((hint) => !isMember(hint));
      assert.ok(all.length > 20);
      assert.deepEqual(all.map(words), wanted, `seed ${seed}`);
      const shown = new Map(hints(text, 'changes').map((h) => [h.split(':')[0], h]));
      const now: Record<string, string> = { VGPR: '0', SGPR: '0' };
      for (const hint of all) {
        const change = shown.get(hint.split(':')[0]!) ?? '';
        for (const [, bank, n] of change.matchAll(/([VS]GPR) (\d+)/g)) now[bank!] = n!;
        assert.equal(`VGPR ${now['VGPR']} SGPR ${now['SGPR']}`, words(hint), `seed ${seed}: ${hint}`);
      }
    }
  });
});
