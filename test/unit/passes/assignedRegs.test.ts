/** `assigned-phys` and `split-from` in `registers:`, which LLVM 24 prints after an allocation and reads for a rewriter. */
import assert from 'node:assert/strict';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import { runLlcOnText } from '../../support/schedule.js';

const fn = (registers: readonly string[]): string => `---
name: f
tracksRegLiveness: true
registers:
${registers.map((entry) => `  - { ${entry} }\n`).join('')}body: |
  bb.0:
    %0:sreg_64 = S_MOV_B64 0
    %1:vgpr_32 = V_MOV_B32_e32 %0.sub0, implicit $exec
    S_NOP 0, implicit %1
    S_ENDPGM 0, implicit %0
...
`;
const PLAIN = fn(['id: 0, class: sreg_64', 'id: 1, class: vgpr_32']);
const ASSIGNED = fn([
  "id: 0, class: sreg_64, preferred-register: '$sgpr4_sgpr5', assigned-phys: '$sgpr6_sgpr7'",
  "id: 1, class: vgpr_32, split-from: '%0', assigned-phys: '$vgpr3'",
]);

/** Text and exit code are those of LLVM 24; of a message, its first line. */
const RUNS: readonly [passes: string, text: string][] = [
  ['greedy', PLAIN],
  ['regallocbasic', PLAIN],
  ['greedy,amdgpu-nsa-reassign', PLAIN],
  ['greedy,stack-slot-coloring', PLAIN],
  ['greedy,virtregrewriter', PLAIN],
  ['none', ASSIGNED],
  ['virtregrewriter', ASSIGNED],
  ['none', ASSIGNED.replace("'%0'", "'$vgpr1'")],
  ['none', ASSIGNED.replace("'%0'", "'%x'")],
  ['none', ASSIGNED.replace("'$vgpr3'", "'%0'")],
  ['none', ASSIGNED.replace("'$vgpr3'", "'$vgprx'")],
];

describe('registers that are assigned, as LLVM 24', () => {
  it('in print and from text', function () {
    needsLlc24(this);
    this.timeout(60_000);
    const cases = RUNS.map(([passes, text]) => ({
      args: ['-mtriple=amdgcn', '-mcpu=gfx900', `-run-pass=${passes}`],
      text,
    }));
    const documents = (out: string): string => out.slice(out.indexOf('\n---\n'));
    const message = (err: string): string => /^error: [^:]*:(.*)$/m.exec(err)?.[1] ?? '';
    for (const [k, llc] of runLlc24(cases).entries()) {
      const { args, text } = cases[k]!;
      const ours = runLlcOnText(['--model=llvm-24', ...args, '-o', '-'], text);
      if (llc.status === 0) assert.equal(documents(ours.stdout), documents(llc.stdout), `${k}: ${args.at(-1)}`);
      else assert.deepEqual([ours.status, message(ours.stderr)], [1, message(llc.stderr)], `${k}: ${args.at(-1)}`);
    }
  });

  it('LLVM 22 knows neither key', () => {
    const { status, stderr } = runLlcOnText(['--model=llvm-22', '-mtriple=amdgcn', '-run-pass=none'], ASSIGNED);
    assert.equal(status, 1);
    assert.match(stderr, /unknown key 'assigned-phys'/);
  });

  it('an allocation on top of one from the text is refused', () => {
    const { stderr } = runLlcOnText(['--model=llvm-24', '-mtriple=amdgcn', '-run-pass=greedy'], ASSIGNED);
    assert.match(stderr, /does not model allocation of a function that tells what is assigned/);
  });
});
