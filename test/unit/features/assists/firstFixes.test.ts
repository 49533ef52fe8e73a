/** The first quick fix is the one that was meant: classes by what instructions ask for, blocks that are missing, CHECK lines; and one mistake is one error. */
import assert from 'node:assert/strict';
import type { CodeAction, Diagnostic } from 'vscode-languageserver-types';
import { CodeActionTriggerKind } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../../server/src/features/assists/codeAction.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';
import type { Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { URI } from '../../../support/cursor.js';
import { applied } from '../../../support/editing.js';
import { needsLlc, runLlc } from '../../../support/llc.js';

const runLine = (cpu: string): string => `# RUN: llc -mtriple=amdgcn -mcpu=${cpu} -run-pass=none -o - %s\n`;
const fn = (body: string): string => `---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vgpr0_vgpr1, $sgpr0_sgpr1\n${body}...\n`; // prettier-ignore

function hostOf(text: string): { host: AnalysisHost; snapshot: Snapshot; diagnostics: Diagnostic[] } {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  const diagnostics = host.diagnostics(URI, NEVER_CANCELLED)!;
  return { host, snapshot: host.snapshot(URI)!, diagnostics };
}
const errors = (text: string): Diagnostic[] => hostOf(text).diagnostics.filter((d) => d.severity === 1);

function fixes(text: string, d: Diagnostic, only = 'quickfix'): CodeAction[] {
  const context = { diagnostics: [d], only: [only], triggerKind: CodeActionTriggerKind.Invoked };
  return provideCodeActions(hostOf(text).snapshot, { range: d.range, context }, NEVER_CANCELLED);
}
const after = (text: string, action: CodeAction): string => applied(hostOf(text).snapshot, action.edit!.changes![URI]!);
const isAccepted = (text: string, cpu: string): boolean =>
  runLlc(['-x', 'mir', '-mtriple=amdgcn', `-mcpu=${cpu}`, '-run-pass=none', '-verify-machineinstrs', '-o', '-'], text)
    .status === 0;

/** `CLASS` is where the wrong class stands. */
const LINES: readonly (readonly [line: string, wrong: readonly string[], right: string, onAligned?: string])[] = [
  ['%9:CLASS = V_MOV_B32_e32 7, implicit $exec', ['vgpr_64', 'vgpr_33', 'vreg_33', 'vgprs_16'], 'vgpr_32'],
  ['%9:CLASS = GLOBAL_LOAD_DWORDX2 %0, 0, 0, implicit $exec', ['vgpr_64', 'vgpr_46', 'v64'], 'vreg_64', 'vreg_64_align2'], // prettier-ignore
  ['%9:CLASS = GLOBAL_LOAD_DWORDX4 %0, 0, 0, implicit $exec', ['vgpr_128', 'vreg_182'], 'vreg_128', 'vreg_128_align2'], // prettier-ignore
  ['%9:CLASS = S_LOAD_DWORD_IMM %1, 0, 0', ['sgpr_23', 'sgpr_64_', 'sreg_16'], 'sreg_32_xm0_xexec'],
  ['%9:CLASS = COPY $vgpr0_vgpr1', ['vgpr_64', 'vreg_46'], 'vreg_64', 'vreg_64_align2'],
];
const lineOf = (line: string, wrong: string): string =>
  `    %0:VREG_64 = COPY $vgpr0_vgpr1\n    %1:sreg_64_xexec = COPY $sgpr0_sgpr1\n    ${line.replace('CLASS', wrong)}\n    S_ENDPGM 0, implicit %9, implicit %0, implicit %1\n`;

describe('a class that is none', () => {
  for (const cpu of ['gfx900', 'gfx90a', 'gfx1100'])
    for (const [line, wrongs, right, aligned = right] of LINES)
      for (const wrong of wrongs)
        it(`${cpu}: ${line.replace('CLASS', wrong)}`, function () {
          needsLlc(this);
          const isAligned = cpu === 'gfx90a';
          const own = lineOf(line, wrong).replace('VREG_64', isAligned ? 'vreg_64_align2' : 'vreg_64');
          const text = runLine(cpu) + fn(own);
          const found = errors(text);
          assert.deepEqual(found.map((d) => d.code), ['unknown-class'], 'one mistake is one error'); // prettier-ignore
          const [first] = fixes(text, found[0]!);
          const made = first?.title === undefined ? '' : after(text, first);
          const expected = isAligned ? aligned : right;
          assert.ok(made.includes(`%9:${expected} `) || /^Change to 's(?:reg|gpr)_32\w*'$/.test(first?.title ?? ''), first?.title); // prettier-ignore
          assert.ok(isAccepted(made, cpu), made);
          // What was written has another width or number: nobody but the reader knows.
          assert.deepEqual(fixes(text, found[0]!, 'source.fixAll.amdgpu-mir'), []);
        });

  it('is put right without asking where letters were mixed up alone', () => {
    const text = runLine('gfx900') + fn('    %9:vgrp_32 = V_MOV_B32_e32 7, implicit $exec\n    S_ENDPGM 0, implicit %9\n'); // prettier-ignore
    const [all] = fixes(text, errors(text)[0]!, 'source.fixAll.amdgpu-mir');
    assert.match(after(text, all!), /%9:vgpr_32 = /);
  });

  it('of no other bank or width than the instruction takes', () => {
    const text = runLine('gfx900') + fn('    %9:agpr_64 = V_MOV_B32_e32 7, implicit $exec\n    S_ENDPGM 0, implicit %9\n'); // prettier-ignore
    for (const action of fixes(text, errors(text)[0]!)) assert.deepEqual(errors(after(text, action)), []);
  });
});

describe('one mistake', () => {
  const BROKEN: readonly (readonly [what: string, body: string, codes: readonly string[]])[] = [
    ['an opcode before a register with its class', '    %5:vgpr_32 = V_ADDD_U32_e32 %6:vgpr_32, 1, implicit $exec\n    S_ENDPGM 0, implicit %5, implicit %6\n', ['unknown-opcode']], // prettier-ignore
    ['a class, and its register in three places', '    %5:vgpr_99 = V_MOV_B32_e32 7, implicit $exec\n    S_NOP 0, implicit %5\n    S_NOP 0, implicit %5\n    S_ENDPGM 0, implicit %5\n', ['unknown-class']], // prettier-ignore
    ['a class of a part', '    undef %name.sub0:vrge_64 = V_MOV_B32_e32 7, implicit $exec\n    S_ENDPGM 0, implicit %name.sub0\n', ['unknown-class']], // prettier-ignore
    ['no class at all', '    S_ENDPGM 0, implicit undef %7\n', ['no-class']],
    ['two of them', '    %5:vgpr_99 = V_MOV_B32_e32 7, implicit $exec\n    S_ENDPGM 0, implicit %5, implicit undef %7\n', ['unknown-class', 'no-class']], // prettier-ignore
  ];
  for (const [what, body, codes] of BROKEN)
    it(what, () => assert.deepEqual(errors(runLine('gfx900') + fn(body)).map((d) => d.code), codes)); // prettier-ignore
});

describe('a block that is not there', () => {
  const CASES: readonly (readonly [body: string, block: string])[] = [
    ['    S_CBRANCH_SCC1 %bb.4, implicit undef $scc\n    S_ENDPGM 0\n', '\n  bb.4:\n    S_ENDPGM 0\n'],
    ['    S_BRANCH %bb.12\n', '\n  bb.12:\n    S_ENDPGM 0\n'],
    ['    successors: %bb.1(0x40000000), %bb.7\n\n    S_CBRANCH_SCC1 %bb.7, implicit undef $scc\n\n  bb.1:\n    SI_RETURN\n', '\n  bb.7:\n    SI_RETURN\n'], // prettier-ignore
  ];
  for (const [body, block] of CASES)
    it(`is made: ${block.trim()}`, function () {
      needsLlc(this);
      const text = runLine('gfx900') + fn(body);
      const missing = errors(text).find((d) => d.code === 'undefined-block')!;
      const [action] = fixes(text, missing);
      const made = after(text, action!);
      assert.equal(made, text.replace(/\n\.\.\.\n$/, `\n${block}...\n`));
      assert.ok(!errors(made).some((d) => d.code === 'undefined-block'));
      assert.ok(isAccepted(made, 'gfx900'), made);
      assert.deepEqual(fixes(text, missing, 'source.fixAll.amdgpu-mir').length, 1);
    });
});

describe('a CHECK line that fails', () => {
  const test = (checks: string): string =>
    `# NOTE: Assertions have been autogenerated by utils/update_mir_test_checks.py\n# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vgpr0\n    ; CHECK-LABEL: name: f\n${checks}    %0:vgpr_32 = COPY $vgpr0\n    %1:vgpr_32 = V_ADD_U32_e32 7, %0, implicit $exec\n    S_ENDPGM 0, implicit %1\n...\n`;
  const titles = (checks: string): string[] => {
    const text = test(checks);
    const { host } = hostOf(text);
    const verdict = host.runTest(text, NEVER_CANCELLED);
    host.setVerdict(URI, 1, verdict);
    const line = verdict.runs[0]!.findings[0]!.line;
    const range = { start: { line, character: 6 }, end: { line, character: 12 } };
    const diagnostics = [{ range, message: '', code: 'check-failed' }];
    const context = { diagnostics, only: ['quickfix'], triggerKind: CodeActionTriggerKind.Invoked };
    return provideCodeActions(host.snapshot(URI)!, { range, context }, NEVER_CANCELLED).map((a) => a.title);
  };
  const UPDATE = 'Update CHECK lines of this function';

  it('by a constant is updated: nothing else helps', () => {
    for (const kind of ['CHECK-NEXT', 'CHECK'])
      assert.deepEqual(titles(`    ; CHECK: %0:vgpr_32 = COPY $vgpr0\n    ; ${kind}: %1:vgpr_32 = V_ADD_U32_e32 8, %0, implicit $exec\n`), [UPDATE]); // prettier-ignore
  });

  it('by a register is loosened, too', () =>
    assert.deepEqual(titles('    ; CHECK: %0:vgpr_32 = COPY $vgpr0\n    ; CHECK-NEXT: %2:vgpr_32 = V_ADD_U32_e32 7, %0, implicit $exec\n'), [UPDATE, 'Loosen this line: any register'])); // prettier-ignore

  it('by its place may stand anywhere', () =>
    assert.deepEqual(titles('    ; CHECK: liveins\n    ; CHECK-NEXT: S_ENDPGM 0\n'), [UPDATE, 'Make it CHECK-DAG']));
});
