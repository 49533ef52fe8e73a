/** Moves to the SALU and copies to scalar registers in the editor: when they are offered, what their titles say, and the text that they make. */
import assert from 'node:assert/strict';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { toLspDiagnostics } from '../../../server/src/features/diagnostics/diagnostics.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { atCursor, cursorIn, openText, URI } from '../../support/cursor.js';
import { runLanes } from '../../support/laneInterpreter.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { pressureOfLlc } from '../../support/printedPressure.js';

const UNIFORM = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
---
name: scaled
tracksRegLiveness: true
registers:
  - { id: 2, class: vgpr_32 }
body: |
  bb.0:
    liveins: $vgpr0, $sgpr8

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr8
    %2 = V_LSHLREV_B32_e64 2, %1, implicit $exec ; kept in spirit
    %3:vgpr_32 = V_ADD_U32_e64 %2, 16, 0, implicit $exec
    ; a comment
    %4:vgpr_32 = V_ADD_U32_e64 %0, 1, 0, implicit $exec ; stays
    %5:vgpr_32 = V_XOR_B32_e64 %4, %0, implicit $exec
    DS_WRITE_B32_gfx9 %0, %5, 0, 0, implicit $exec
    DS_WRITE_B32_gfx9 %4, %3, 0, 0, implicit $exec
    S_ENDPGM 0
...
`;

const COPIES = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
---
name: copies
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr8

    %id:vgpr_32 = COPY $vgpr0
    %n:sreg_32 = COPY $sgpr8
    %five:vgpr_32 = V_MOV_B32_e32 5, implicit $exec
    %5:sreg_32 = COPY %five ; five
    %3:sreg_32 = COPY %id
    %4:sreg_32 = S_ADD_I32 %3, %n, implicit-def dead $scc
    S_ENDPGM 0, implicit %4, implicit %5
...
`;

function actionsOn(text: string, at: string): CodeAction[] {
  const { snapshot, position } = atCursor(cursorIn(text, at));
  const range = { start: position, end: position };
  return provideCodeActions(snapshot, { range, context: { diagnostics: [] } }, NEVER_CANCELLED);
}

function apply(text: string, { edit }: CodeAction): string {
  const { snapshot } = openText(text);
  let result = text;
  for (const { range, newText } of [...edit!.changes![URI]!].reverse())
    result =
      result.slice(0, snapshot.text.offsetAt(range.start)) + newText + result.slice(snapshot.text.offsetAt(range.end));
  return result;
}

const toSALU = (text: string, at: string): CodeAction | undefined =>
  actionsOn(text, at).find((a) => a.title.includes(' to the SALU: '));

describe('moves to the SALU', () => {
  it('take along what the value is computed from, and say what the edited text has', () => {
    const action = toSALU(UNIFORM, '$0%3:vgpr_32')!;
    assert.equal(action.title, 'Move %2, %3 to the SALU: VGPR -1 in bb.0, occupancy stays 10');
    const lines = apply(UNIFORM, action).split('\n');
    assert.ok(lines.includes('  - { id: 2, class: sreg_32 }'));
    assert.ok(lines.includes('    %2:sreg_32 = S_LSHL_B32 %1, 2, implicit-def dead $scc'));
    assert.ok(lines.includes('    %3:sreg_32 = S_ADD_I32 %2, 16, implicit-def dead $scc'));
    assert.ok(lines.includes('    ; a comment'));
    assert.ok(lines.includes('    %4:vgpr_32 = V_ADD_U32_e64 %0, 1, 0, implicit $exec ; stays'));
    assert.ok(lines.includes('    %6:vgpr_32 = COPY %3'));
    assert.ok(lines.includes('    DS_WRITE_B32_gfx9 %4, killed %6, 0, 0, implicit $exec'));
  });

  it('are not offered where the value differs between lanes', () => {
    assert.equal(toSALU(UNIFORM, '$0%4:vgpr_32'), undefined);
    assert.equal(toSALU(UNIFORM, '$0%5:vgpr_32'), undefined);
  });

  it('stay away where SCC is in use', () => {
    const text = UNIFORM.replace('    %3:', '    S_CMP_EQ_U32 %1, 0, implicit-def $scc\n    %3:').replace(
      '    ; a comment',
      '    %7:sreg_32 = S_CSELECT_B32 %1, 0, implicit killed $scc',
    );
    assert.equal(toSALU(text, '$0%3:vgpr_32'), undefined);
  });
});

describe('copies from vector to scalar registers', () => {
  it('say what si-fix-sgpr-copies does; a divergent one is a warning', () => {
    const { snapshot } = openText(COPIES);
    const found = toLspDiagnostics(snapshot).map((d) => [d.code, d.severity, d.message]);
    assert.deepEqual(found, [
      [
        'vector-to-scalar-copy',
        3,
        'copy from a vector to a scalar register; si-fix-sgpr-copies: the constant is moved again',
      ],
      [
        'divergent-scalar',
        2,
        '%id is divergent, and the scalar register is no lane mask; si-fix-sgpr-copies: 2 scalar instructions that it reaches may move to the VALU',
      ],
    ]);
  });

  it('are judged anew when a message interrupts, and not at all where it takes long', () => {
    const codes = (quickMs: number, asks: boolean): unknown => {
      const host = new AnalysisHost(false, quickMs);
      host.open(URI, 1, COPIES);
      const token = { isCancelled: () => asks };
      const found = host.diagnostics(URI, NEVER_CANCELLED, token)?.map((d) => d.code);
      return asks ? [found, host.diagnostics(URI, NEVER_CANCELLED)?.map((d) => d.code)] : found;
    };
    const all = ['vector-to-scalar-copy', 'divergent-scalar'];
    assert.deepEqual(codes(Infinity, true), [undefined, all]);
    assert.deepEqual(codes(Infinity, false), all);
    assert.deepEqual(codes(-1, false), []);
  });

  it('are fixed one by one, and all together as the pass does', () => {
    const [one, all] = actionsOn(COPIES, '$0%3:sreg_32');
    assert.equal(one?.title, 'Move what reads this copy to vector registers: SGPR -1, occupancy stays 10');
    const lines = apply(COPIES, one).split('\n');
    assert.ok(lines.includes('    %5:sreg_32 = COPY %five ; five'));
    assert.ok(lines.some((l) => /%\d+:vgpr_32 = V_ADD_U32_e64 %id, %n, 0, implicit \$exec/.test(l)));
    assert.ok(!lines.some((l) => l.includes('COPY %id')));
    assert.equal(
      all?.title,
      'Fix all copies to scalar registers of this function, as si-fix-sgpr-copies does: SGPR -1, occupancy stays 10',
    );
    assert.ok(apply(COPIES, all).includes('%5:sreg_32 = S_MOV_B32 5'));
  });
});

const SPILLING = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
--- |
  define void @many() "amdgpu-num-sgpr"="16" { ret void }
...
---
name: many
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr8

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr8
SCALARS
READERS
    S_ENDPGM 0
...
`
  .replace(
    'SCALARS',
    Array.from({ length: 20 }, (_, k) => `    %${k + 2}:sreg_32 = S_ADD_I32 %1, ${k}, implicit-def dead $scc`).join(
      '\n',
    ),
  )
  .replace(
    'READERS',
    Array.from({ length: 20 }, (_, k) => `    DS_WRITE_B32_gfx9 %0, %${k + 30}, 0, 0, implicit $exec`)
      .map((line, k) => `    %${k + 30}:vgpr_32 = V_XOR_B32_e64 %${k + 2}, %0, implicit $exec\n${line}`)
      .join('\n'),
  );

describe('moves to the VALU', () => {
  const move = (text: string, at: string): CodeAction | undefined =>
    actionsOn(text, at).find((a) => / to the VALU: /.test(a.title));

  it('are offered where SGPRs spill, with what the edited text has, and llc-22 takes it', function () {
    needsLlc(this);
    const all = move(SPILLING, '$0many\ntracks')!;
    const [, before, after, vgprs] =
      /SGPRs too many (\d+) to (\d+), VGPR \+(\d+), occupancy stays \d+$/.exec(all.title) ?? [];
    assert.ok(Number(before) > Number(after) && Number(vgprs) > 0, all.title);
    const edited = apply(SPILLING, all);
    assert.match(edited, /:vgpr_32 = V_ADD_U32_e64 %1, \d+, 0, implicit \$exec/);
    const pressure = (text: string): number[] => {
      const args = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-verify-machineinstrs'];
      const { status, stderr } = runLlc([...args, '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], text);
      assert.equal(status, 0, stderr);
      const { sgprs, vgprs } = pressureOfLlc(stderr, 'many')!;
      return [sgprs, vgprs];
    };
    const [was, is] = [pressure(SPILLING), pressure(edited)];
    assert.equal(was[0]! - is[0]!, Number(before) - Number(after));
    assert.equal(is[1]! - was[1]!, Number(vgprs));
    const input = (name: string): number[] => (name === 'vgpr0' ? [3, 80, 157, 234] : [9, 9, 9, 9]);
    const lanes = (text: string): string[] => runLanes(openText(text).snapshot.functions[0]!.fn!, input);
    assert.deepEqual(lanes(edited), lanes(SPILLING));
    assert.match(move(SPILLING, '$0%2:sreg')!.title, /^Move %2 to the VALU: SGPRs too many/);
  });

  it('are not offered where SGPRs suffice, or lanes are switched off', () => {
    assert.equal(move(SPILLING.replace('"amdgpu-num-sgpr"="16" ', ''), '$0many\ntracks'), undefined);
    const narrowed = SPILLING.replace('    S_ENDPGM', '    $exec = S_MOV_B64 1\n    S_ENDPGM');
    assert.equal(move(narrowed, '$0many\ntracks'), undefined);
  });
});
