/** The lines with which Explain Allocation begins. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../../server/src/cli/bufferedIO.js';
import { runExplain } from '../../../../server/src/cli/explain.js';
import { provideAllocationExplanation } from '../../../../server/src/features/allocation/explainAllocation.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';
import { createSubtarget } from '../../../../server/src/target/index.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { needsLlc, runLlc } from '../../../support/llc.js';

const URI = 'file:///answer.mir';
const CUT = '-start-before=greedy,0 -stop-after=virtregrewriter,2';

/** A kernel that holds `n` registers of a file at once. */
function holding(n: number, cpu: string, file: 'vgpr' | 'sgpr', more = ''): string {
  const def = (k: number): string => `    S_NOP 0, implicit-def %${k}:${file === 'vgpr' ? 'vgpr_32' : 'sgpr_32'}\n`;
  const all = Array.from({ length: n }, (_, k) => k);
  return `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} ${more}${CUT} -o - %s\n--- |\n  define amdgpu_kernel void @f() #0 { ret void }\n  attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }\n...\n---\nname: f\ntracksRegLiveness: true\nmachineFunctionInfo:\n  isEntryFunction: true\n  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'\n  stackPtrOffsetReg: '$sgpr32'\nbody: |\n  bb.0:\n${all.map(def).join('')}${all.map((k) => `    S_NOP 0, implicit %${k}\n`).join('')}    S_ENDPGM 0\n...\n`;
}

const explained = (text: string): string[] => {
  const host = new AnalysisHost(true, Infinity);
  host.open(URI, 1, text);
  const at = { textDocument: { uri: URI }, position: { line: 20, character: 0 } };
  return (provideAllocationExplanation(host.snapshot(URI)!, at, NEVER_CANCELLED) as string).split('\n');
};

describe('what a report on allocation begins with', () => {
  it('is the number of waves, what binds, and what one more would need', () => {
    for (const cpu of ['gfx803', 'gfx900', 'gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1200'])
      for (const n of [12, 40, 66, 90, 130, 200]) {
        const [, answer = '', spilled] = explained(holding(n, cpu, 'vgpr'));
        const st = createSubtarget('amdgcn-amd-amdhsa', cpu, '');
        const [, waves, most, rest] = /^(\d+) waves? of (\d+): (.*)$/.exec(answer) ?? [];
        assert.equal(
          Number(waves),
          Math.min(st.occupancyWithNumVGPRs(n, 0), st.maxWavesPerEU),
          `${cpu} ${n}: ${answer}`,
        );
        assert.equal(Number(most), st.maxWavesPerEU);
        assert.equal(spilled, 'spilled: nothing');
        if (waves === most) {
          assert.equal(rest, 'nothing binds');
          continue;
        }
        const [, now, next, limit, fewer] =
          /^allocated VGPR (\d+) binds; (\d+) waves? needs? VGPR (\d+), (\d+) fewer$/.exec(rest ?? '') ?? [];
        assert.equal(Number(now), n, answer);
        assert.equal(Number(next), Number(waves) + 1);
        assert.equal(Number(limit) + Number(fewer), n);
        assert.ok(st.occupancyWithNumVGPRs(Number(limit), 0) >= Number(next), answer);
        assert.ok(st.occupancyWithNumVGPRs(Number(limit) + 1, 0) < Number(next), answer);
      }
  });

  it('says that SGPRs bind where they do', () =>
    assert.match(explained(holding(90, 'gfx803', 'sgpr'))[1]!, /^\d waves of 10: allocated SGPR \d+ binds; \d+ waves need SGPR \d+, \d+ fewer$/)); // prettier-ignore

  it('has a line for each register that was spilled, with its slot and its moves, as many as llc makes', function () {
    needsLlc(this);
    const text = holding(6, 'gfx900', 'vgpr', '-stress-regalloc=3 ');
    const lines = explained(text);
    const at = lines.findIndex((line) => line.startsWith('spilled: '));
    assert.equal(at, 2);
    const [, n] = /^spilled: (\d+) registers?$/.exec(lines[at]!) ?? [];
    const rows = lines.slice(at + 1, at + 1 + Number(n));
    for (const row of rows)
      assert.match(row, /^ {2}%\d+ to %stack\.\d+: saved after line \d+, reloaded before lines? \d+/);
    const { stdout } = runLlc(
      ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-stress-regalloc=3', ...CUT.split(' '), '-o', '-'],
      text,
    );
    assert.equal(stdout.match(/SI_SPILL_V32_SAVE/g)?.length, rows.length);
  });

  it('is the same on the command line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-answer-'));
    try {
      const path = join(folder, 'a.mir');
      const text = holding(6, 'gfx900', 'vgpr', '-stress-regalloc=3 ');
      writeFileSync(path, text);
      const io = new BufferedIO();
      assert.equal(runExplain(['--allocation', path], io), 0);
      // After the stage, which the editor shows elsewhere.
      assert.deepEqual(io.out().split('\n').slice(2, 7), explained(text).slice(1, 6));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
