/** The passes of a function in the editor: the list, the function after each of them as llc-22 has it, reasons by line, the report. */
import assert from 'node:assert/strict';
import {
  provideAfterPass,
  providePassExplanation,
  providePassList,
  type AfterPass,
  type PassList,
} from '../../../../server/src/features/passes/afterPass.js';
import { readSettings } from '../../../../server/src/program/settings.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { expect } from '../../../support/expect.js';
import { needsLlc, runLlc } from '../../../support/llc.js';
import { URI } from '../../../support/cursor.js';

const BODY = `  bb.0:
    liveins: $vgpr0_vgpr1, $sgpr4_sgpr5

    renamable $vgpr2 = GLOBAL_LOAD_DWORD renamable $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    renamable $vgpr3 = COPY renamable $vgpr2
    renamable $vgpr4 = V_ADD_U32_e32 killed $vgpr3, killed $vgpr2, implicit $exec
    GLOBAL_STORE_DWORD killed renamable $vgpr0_vgpr1, killed renamable $vgpr4, 0, 0, implicit $exec :: (store (s32), addrspace 1)
    S_ENDPGM 0
`;

const fileOf = (args: string): string => `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 ${args} -o - %s
---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
${BODY}...
`;

const params = { textDocument: { uri: URI }, position: { line: 9, character: 4 } };

function snapshotOf(args: string, isPatient = true): NonNullable<ReturnType<AnalysisHost['snapshot']>> {
  const host = new AnalysisHost(isPatient);
  host.configure(readSettings({ model: 'llvm-22' }));
  host.open(URI, 1, fileOf(args));
  return host.snapshot(URI)!;
}

const listOf = (args: string): PassList => providePassList(snapshotOf(args), params, NEVER_CANCELLED) as PassList;
const afterOf = (args: string, pass: string): AfterPass =>
  provideAfterPass(snapshotOf(args), { ...params, pass }, NEVER_CANCELLED) as AfterPass;

const listText = ({ by, problem, passes }: PassList): string =>
  [
    by,
    problem,
    ...passes.map(
      ({ name, isChanged }) => `${name}${isChanged === null ? ': does not run' : isChanged ? ': changes' : ''}`,
    ),
  ]
    .filter((line) => line !== '')
    .join('\n');

const CUT = '-start-before=prologepilog -stop-after=si-insert-waitcnts';

describe('passes of a function', () => {
  it('are those of the RUN line', () => {
    expect`
      -run-pass=postrapseudos,si-insert-waitcnts
      postrapseudos: changes
      si-insert-waitcnts: changes
    `.equals(listText(listOf('-run-pass=postrapseudos,si-insert-waitcnts')));
    expect`
      -start-before=prologepilog
      prologepilog: changes
      machine-latecleanup
      branch-folder
      tailduplication
      machine-cp
      postrapseudos: changes
      si-shrink-instructions
      si-post-ra-bundler
      postmisched
      block-placement
      fentry-insert
      xray-instrumentation
      gcn-create-vopd
      si-memory-legalizer
      si-insert-waitcnts: changes
    `.equals(listText(listOf(CUT)));
  });

  it('are those of the pipeline from the stage on where the RUN line has none, and that is called a guess', () => {
    const { by, passes } = listOf('');
    expect`the pipeline after virtregrewriter,2: allocated (guess), 39 passes from amdgpu-mark-last-scratch-load to amdgpu-preload-kern-arg-prolog`.equals(
      `${by}, ${passes.length} passes from ${passes[0]?.name ?? ''} to ${passes.at(-1)?.name ?? ''}`,
    );
  });

  it('each leave the function as llc-22 has it there', function () {
    needsLlc(this);
    this.timeout(60_000);
    const { passes } = listOf(CUT);
    const notStopped: string[] = [];
    for (const { name } of passes) {
      const { texts } = afterOf(CUT, name);
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-start-before=prologepilog', `-stop-after=${name}`];
      const llc = runLlc([...args, '-simplify-mir', '-x', 'mir', '-o', '-'], fileOf(CUT));
      if (llc.stderr.includes('Cannot stop compilation after pass')) {
        notStopped.push(name);
        continue;
      }
      assert.equal(llc.status, 0, llc.stderr);
      assert.equal(texts?.after, llc.stdout.slice(llc.stdout.lastIndexOf('\n---\nname') + 1), name);
    }
    // The first of their name stand before the cut.
    expect`llc does not stop after machine-cp, si-shrink-instructions`.equals(
      `llc does not stop after ${notStopped.join(', ')}`,
    );
  });

  it('have their reasons beside the lines', () => {
    const { texts, reasons, summary } = afterOf('-run-pass=postrapseudos,si-insert-waitcnts', 'si-insert-waitcnts');
    const lines = texts!.after.split('\n');
    expect`
      after 1 pass (-run-pass=postrapseudos,si-insert-waitcnts): 1 instruction inserted
      S_WAITCNT 3952: vmcnt 0, for \`$vgpr3 = V_MOV_B32_e32 $vgpr2, implicit $exec\`, which reads $vgpr2: line 11 (GLOBAL_LOAD_DWORD) has still to write it; vmcnt counts 1, none of them after it
    `.equals([summary, ...reasons.after.map(({ line, text }) => `${lines[line]!.trim()}: ${text}`)].join('\n'));
  });

  it('are explained, a pass that is none of the list by itself', () => {
    const explain = (pass: string): string =>
      String(providePassExplanation(snapshotOf('-run-pass=postrapseudos'), { ...params, pass }, NEVER_CANCELLED));
    expect`
      @f  gfx900 wave64, LLVM 22.1.8
      si-insert-waitcnts, on the function as it stands: 1 instruction inserted

      bb.0
        + S_WAITCNT 3952
            vmcnt 0, for line 12 (COPY), which reads $vgpr2: line 11 (GLOBAL_LOAD_DWORD) has still to write it; vmcnt counts 1, none of them after it

    `.equals(explain('si-insert-waitcnts'));
    expect`
      there is no pass 'no-such-pass'

    `.equals(explain('no-such-pass'));
  });

  it('run in the patient worker alone, and end when they are cancelled', () => {
    assert.deepEqual(providePassList(snapshotOf(CUT, false), params, NEVER_CANCELLED), { elsewhere: true });
    const cancelled = { isCancelled: () => true };
    assert.equal(providePassList(snapshotOf(CUT), params, cancelled), null);
    assert.equal(provideAfterPass(snapshotOf(CUT), { ...params, pass: 'prologepilog' }, cancelled), null);
  });
});
