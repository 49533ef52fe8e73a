/** Functions cut down to one region: what is defined before it and read after it, line by line. */
import assert from 'node:assert/strict';
import { onlyRegion } from '../../../../server/src/features/simplify/onlyRegion.js';
import { regionCut } from '../../../../server/src/features/simplify/simplify.js';
import { atCursor } from '../../../support/cursor.js';

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler -o - %s | FileCheck %s\n';
const HEAD = `${RUN}---\nname:            h\ntracksRegLiveness: true\nbody:             |\n`;

const BODY = `  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4_sgpr5

    %0:vgpr_32 = COPY $vgpr0
    %wide:sreg_64 = COPY $sgpr4_sgpr5
    %2:vreg_128 = IMPLICIT_DEF
    %9:_(s32) = G_CONSTANT i32 7

  bb.1:
    successors: %bb.2

    ; a comment
    %3:vgpr_32 = V_ADD_U32_e32 %0, %2.sub1, implicit $exec
      ; another
    %4:vgpr_32 = V_LSHLREV_B32_e32 3, %3, implicit $exec
    SCHED_BARRIER 0
    %5:vgpr_32 = V_NOT_B32_e32 %4, implicit $exec
    %6:vgpr_32 = V_XOR_B32_e32 %5, %2.sub0, implicit $exec
    $vgpr5 = COPY %6

  bb.2:
    liveins: $vgpr5

    S_ENDPGM 0, implicit %6, implicit %wide, implicit %4, implicit $vgpr5, implicit %2.sub3
...
`;

/** The body that is left, with the number of instructions; why not. */
function cut(body: string, word: string, head = HEAD): [body: string, n: number] | null {
  const at = body.indexOf(word);
  const { snapshot } = atCursor(`$0${head}${body}`);
  const view = snapshot.functions[0]!;
  const found = onlyRegion(snapshot, view, head.length + at);
  if (found === null) return null;
  const after = snapshot.after(found.edits);
  const own = after.functions[0]!;
  // The pressure at each instruction is as it was, so that the action is offered.
  const actions = regionCut(snapshot, view, head.length + at);
  assert.equal(found.holdsIn(own), actions.length === 1);
  if (actions.length > 0) assert.equal(actions[0]!.title, `Simplify: only this region (${found.n} instructions)`);
  assert.ok(!found.holdsIn(view));
  return [after.text.text.slice(after.text.text.indexOf('  bb.0')), found.n];
}

describe('only one region', () => {
  it('what lives in is defined, what lives out is read', () => {
    const wanted = `  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %wide:sreg_64 = IMPLICIT_DEF
    undef %2.sub0:vreg_128 = IMPLICIT_DEF
    %2.sub1:vreg_128 = IMPLICIT_DEF
    %2.sub3:vreg_128 = IMPLICIT_DEF

  bb.1:
    %3:vgpr_32 = V_ADD_U32_e32 %0, %2.sub1, implicit $exec
    %4:vgpr_32 = V_LSHLREV_B32_e32 3, %3, implicit $exec

  bb.2:
    S_NOP 0, implicit %wide, implicit %2.sub0, implicit %2.sub3, implicit %4
    S_ENDPGM 0
...
`;
    for (const word of ['%3:vgpr_32', '%4:vgpr_32', 'V_LSHLREV']) assert.deepEqual(cut(BODY, word), [wanted, 2], word);
  });

  it('to the end of its block', () =>
    assert.deepEqual(cut(BODY, 'V_XOR'), [
      `  bb.0:
    %wide:sreg_64 = IMPLICIT_DEF
    undef %2.sub0:vreg_128 = IMPLICIT_DEF
    %2.sub3:vreg_128 = IMPLICIT_DEF
    %4:vgpr_32 = IMPLICIT_DEF

  bb.1:
    %5:vgpr_32 = V_NOT_B32_e32 %4, implicit $exec
    %6:vgpr_32 = V_XOR_B32_e32 %5, %2.sub0, implicit $exec
    $vgpr5 = COPY %6

  bb.2:
    S_NOP 0, implicit %wide, implicit %2.sub3, implicit %4, implicit %6
    S_ENDPGM 0
...
`,
      3,
    ]));

  it('physical registers live into both blocks in front', () => {
    const body = cut(BODY, '%2:vreg_128')!;
    assert.deepEqual(body, [
      `  bb.0:
    liveins: $vgpr0, $sgpr4_sgpr5


  bb.1:
    liveins: $vgpr0, $sgpr4_sgpr5

    %0:vgpr_32 = COPY $vgpr0
    %wide:sreg_64 = COPY $sgpr4_sgpr5
    %2:vreg_128 = IMPLICIT_DEF
    %9:_(s32) = G_CONSTANT i32 7

  bb.2:
    S_NOP 0, implicit %0, implicit %wide, implicit %2.sub0, implicit %2.sub1, implicit %2.sub3
    S_ENDPGM 0
...
`,
      4,
    ]);
  });

  it('none where no region is, where it is the function, or nothing is known', () => {
    assert.equal(cut(BODY, 'SCHED_BARRIER'), null);
    assert.equal(cut(BODY, 'S_ENDPGM'), null);
    assert.equal(cut(BODY, 'liveins'), null);
    const one = '  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    S_NOP 0, implicit %0\n    S_ENDPGM 0\n...\n';
    assert.equal(cut(one, 'S_NOP'), null);
    assert.equal(cut(one.replace('S_NOP 0', 'S_NOP_'), 'IMPLICIT_DEF'), null);
    // A region of one block among others is not the function.
    assert.equal(
      cut(one.replace('    S_ENDPGM 0\n', '    SCHED_BARRIER 0\n    S_NOP 1\n    S_ENDPGM 0\n'), 'S_NOP 0')?.[1],
      2,
    );
    assert.equal(
      cut(
        one.replace('    S_ENDPGM 0\n', '    SCHED_BARRIER 0\n    S_NOP 1\n    S_NOP 2\n    S_ENDPGM 0\n'),
        'S_NOP 1',
      )?.[1],
      2,
    );
  });

  it('CHECK lines of the function go but for its label; others stay', () => {
    const head = `${RUN}---\n# CHECK-LABEL: name: h\n# CHECK: x\n# mine\n${HEAD.slice(RUN.length + 4)}`;
    const { snapshot } = atCursor(`$0${head}${BODY}`);
    const found = onlyRegion(snapshot, snapshot.functions[0]!, head.length + BODY.indexOf('V_NOT'))!;
    assert.ok(snapshot.after(found.edits).text.text.startsWith(`${RUN}---\n# CHECK-LABEL: name: h\n# mine\nname:`));
  });

  it('with carriage returns', () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    const [lf] = cut(BODY, 'V_NOT')!;
    assert.equal(cut(crlf(BODY), 'V_NOT', crlf(HEAD))![0], crlf(lf));
  });
});
