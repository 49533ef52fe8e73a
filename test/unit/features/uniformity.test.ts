/** Uniform and divergent in the editor: hovers on registers and blocks with their reasons, and the whole chain in the report. */
import assert from 'node:assert/strict';
import { provideDetails } from '../../../server/src/features/hover/details.js';
import { blockLenses } from '../../../server/src/features/lens/blockLens.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { atCursor, cursorIn, openText } from '../../support/cursor.js';

const LOOP = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            loop
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr0

    %id:_(s32) = COPY $vgpr0
    %n:_(s32) = COPY $sgpr0
    %zero:_(s32) = G_CONSTANT i32 0
    %one:_(s32) = G_CONSTANT i32 1
    G_BR %bb.1

  bb.1:
    successors: %bb.1, %bb.2

    %i:_(s32) = G_PHI %zero(s32), %bb.0, %next(s32), %bb.1
    %next:_(s32) = G_ADD %i, %one
    %more:_(s1) = G_ICMP intpred(ult), %next(s32), %id
    G_BRCOND %more(s1), %bb.1
    G_BR %bb.2

  bb.2:
    %out:_(s32) = G_ADD %next, %n
    %lane:_(s32) = G_INTRINSIC_CONVERGENT intrinsic(@llvm.amdgcn.readfirstlane), %out(s32)
    S_ENDPGM 0, implicit %lane
...
`;

const BRANCH = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            branch
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body:             |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32_xm0 = COPY $sgpr0
    %2:sreg_64 = V_CMP_EQ_U32_e64 %0, %1, implicit $exec
    %3:sreg_64 = SI_IF %2, %bb.2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec

  bb.1:
    successors: %bb.2

    %4:vgpr_32 = V_MOV_B32_e32 1, implicit $exec

  bb.2:
    %5:sreg_32_xm0 = PHI %1, %bb.0, %1, %bb.1
    %6:vgpr_32 = PHI undef %0, %bb.0, %4, %bb.1
    SI_END_CF %3, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_ENDPGM 0, implicit %6
...
`;

const SELECTED_LOOP = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            selectedLoop
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = V_CMP_EQ_U32_e64 %0, 1, implicit $exec
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.1, %bb.2
    SI_LOOP %1, %bb.1, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.2

  bb.2:
    S_ENDPGM 0
...
`;

/** The lines of the first section, without markup and links; `at` is a piece of it with the cursor. */
function hover(text: string, at: string): string[] {
  const { snapshot, position } = atCursor(cursorIn(text, at));
  const result = provideHover(snapshot, { position });
  assert.ok(result, `nothing to say of ${at}`);
  const { value } = result.contents as { value: string };
  return value
    .split('\n\n---\n\n')[0]!
    .split('  \n')
    .map((line) => line.replaceAll(/\[((?:line )?\d+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, ''));
}

describe('hover on a register: uniform or divergent', () => {
  it('a value that is uniform in its cycle and divergent after it', () => {
    const inside = hover(LOOP, 'intpred(ult), $0%next');
    assert.match(inside[0]!, /, uniform$/);
    const behind = hover(LOOP, 'G_ADD $0%next');
    assert.match(behind[0]!, /, divergent here$/);
    assert.equal(
      behind[2],
      'uniform in the cycle of bb.1, divergent here: lanes leave that at different times; ' +
        'lanes part at the end of bb.1: G_BRCOND reads %more (line 24); ' +
        '%more comes from G_ICMP, which reads %id (line 23); %id is a copy of $vgpr0, the work-item (line 12)',
    );
  });

  it('what reads such a value', () => {
    const lines = hover(LOOP, '$0%out');
    assert.match(lines[0]!, /, divergent$/);
    assert.match(
      lines[2]!,
      /^divergent: it comes from G_ADD \(line 28\), which reads %next after the cycle of bb\.1, /,
    );
  });

  it('what is uniform whatever it reads', () => {
    const lines = hover(LOOP, '$0%lane');
    assert.match(lines[0]!, /, uniform$/);
  });

  it('what several instructions write, with the rule', () => {
    const twice = (first: string, second: string): string =>
      BRANCH.replace(/    %6:vgpr_32 = PHI.*\n/, '')
        .replace('    %5:sreg_32_xm0 = PHI %1, %bb.0, %1, %bb.1\n', '')
        .replace('    %2:sreg_64', `    %6:vgpr_32 = ${first}\n    %2:sreg_64`)
        .replace('%4:vgpr_32 = V_MOV_B32_e32 1', `%6:vgpr_32 = ${second}`);
    const one = hover(twice('COPY %0', 'V_MOV_B32_e32 1'), '$0%6');
    assert.match(one[0]!, /, divergent$/);
    assert.match(one[2]!, /; not in SSA form: one of the 2 instructions that write it is enough$/);
    const none = hover(twice('COPY %1', 'V_MOV_B32_e32 1'), '$0%6');
    assert.match(none[2]!, /^uniform or divergent is not known: none of the 2 instructions that write it /);
  });

  it('lane masks, PHIs where lanes meet', () => {
    assert.match(hover(BRANCH, '$0%2')[0]!, /, lane mask$/);
    assert.match(hover(BRANCH, '$0%3')[0]!, /, lane mask$/);
    const phi = hover(BRANCH, '$0%6');
    assert.match(phi[0]!, /, divergent$/);
    assert.equal(hover(BRANCH, '$0%1')[0], '%1: sreg_32_xm0, 1 SGPR (32 bits), uniform');
    assert.equal(hover(BRANCH, '$0%4')[2], 'uniform: V_MOV_B32_e32 gives all lanes the same');
  });
});

describe('hover on a generic register: what selection would take', () => {
  const classLine = (text: string, at: string): string => hover(text, at).find((line) => /selection/.test(line)) ?? '';

  it('names bank and class, and that of SelectionDAG where it is another', () => {
    assert.equal(classLine(LOOP, '$0%id'), 'selection would take bank vgpr, class vgpr_32 (estimate)');
    assert.equal(
      classLine(LOOP, '$0%more'),
      'selection would take bank vcc, class sreg_64, SelectionDAG class vreg_1 (estimate)',
    );
  });

  it('a mask after a cycle that lanes leave at different times has to be in scalar registers', () => {
    const readBy = (reader: string): string =>
      LOOP.replace('%out:_(s32) = G_ADD', (out) =>
        ['%mask:_(s64) = G_PHI %broken(s64), %bb.1', reader, out].join('\n    '),
      )
        .replace(
          'G_BRCOND',
          (branch) =>
            `%broken:_(s64) = G_INTRINSIC intrinsic(@llvm.amdgcn.if.break), %more(s1), %saved(s64)\n    ${branch}`,
        )
        .replace('%zero:_', (zero) => `%saved:_(s64) = G_CONSTANT i64 0\n    ${zero}`);
    const chosen = (reader: string): string => classLine(readBy(reader), '$0%mask');
    const VECTOR = 'selection would take bank vgpr, class vreg_64';
    const FOR_CONTROL_FLOW = `${VECTOR}, SelectionDAG class sreg_64, since control flow reads it (estimate)`;
    for (const reader of [
      'G_INTRINSIC_W_SIDE_EFFECTS intrinsic(@llvm.amdgcn.end.cf), %mask(s64)',
      '%done:_(s1) = G_INTRINSIC_W_SIDE_EFFECTS intrinsic(@llvm.amdgcn.loop), %mask(s64)',
      '%again:_(s64) = G_INTRINSIC intrinsic(@llvm.amdgcn.if.break), %more(s1), %mask(s64)',
    ])
      assert.equal(chosen(reader), FOR_CONTROL_FLOW, reader);
    for (const reader of [
      'S_NOP 0',
      '%lanes:_(s64) = G_CTPOP %mask(s64)',
      '%first:_(s64) = G_INTRINSIC_CONVERGENT intrinsic(@llvm.amdgcn.readfirstlane), %mask(s64)',
    ])
      assert.equal(chosen(reader), `${VECTOR} (estimate)`, reader);
  });
});

describe('hover on a block: where lanes part and meet', () => {
  it('divergent branch and join', () => {
    const branch = hover(BRANCH, '$0bb.0');
    assert.equal(
      branch[branch.length - 2],
      'divergent branch: lanes part at the end of bb.0 by SI_IF (line 15); they meet in bb.2',
    );
    const join = hover(BRANCH, ' $0bb.2');
    assert.equal(branch[branch.length - 1], 'EXEC: narrowed line 15');
    assert.equal(join[join.length - 2], 'join of lanes that parted at the end of bb.0');
    assert.match(join[join.length - 1]!, /^EXEC: restored line \d+$/);
  });

  it('whole waves, and EXEC as it is after control flow was lowered', () => {
    const text = BRANCH.replace(/%3:sreg_64 = SI_IF.*\n/, (line) =>
      [
        '%10:sreg_64 = S_AND_SAVEEXEC_B64 %2, implicit-def $exec, implicit-def dead $scc, implicit $exec',
        '%11:sreg_64 = ENTER_STRICT_WWM -1, implicit-def $exec, implicit-def dead $scc, implicit $exec',
        '$exec = EXIT_STRICT_WWM %11',
        '$exec = S_OR_B64 $exec, %10, implicit-def dead $scc',
        line,
      ].join('\n    '),
    );
    const lines = hover(text, '$0bb.0');
    assert.match(
      lines[lines.length - 1]!,
      /^EXEC: narrowed line \d+, whole wave from line \d+, whole wave until line \d+, restored line \d+, narrowed line \d+$/,
    );
  });

  it('cycle with divergent exit', () => {
    const lines = hover(LOOP, ' $0bb.1');
    assert.ok(
      lines.includes(
        'in the cycle of bb.1 with divergent exit, because of bb.1: what is uniform in it is divergent after it',
      ),
      lines.join('\n'),
    );
  });
});

describe('lens above a block', () => {
  it('names divergent branches and cycles that lanes leave at different times', () => {
    const titles = (text: string): string[] => {
      const { snapshot } = openText(text);
      return blockLenses(snapshot, snapshot.functions[0]!).map((lens) => lens.command!.title);
    };
    assert.ok(titles(BRANCH).includes('divergent branch, lanes meet in bb.2'), titles(BRANCH).join('\n'));
    const loop = titles(SELECTED_LOOP);
    assert.ok(loop.includes('divergent branch; lanes leave this cycle at different times'), loop.join('\n'));
  });
});

describe('details of an instruction', () => {
  it('hold the whole chain', () => {
    const { snapshot, position } = atCursor(cursorIn(LOOP, '$0%out'));
    const text = provideDetails(snapshot, { textDocument: { uri: snapshot.uri }, position });
    assert.match(text, /%out: generic register, divergent\n {2}defined at line 28/);
    assert.match(text, /divergent: it comes from G_ADD \(line 28\), which reads %next/);
    assert.match(text, /\n {4}%id is a copy of \$vgpr0, the work-item \(line 12\)\n/);
  });
});
