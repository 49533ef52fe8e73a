/** Quick fixes: what is offered for a mistake, and that llc-22 accepts the repaired text. */
import assert from 'node:assert/strict';
import type { CodeAction, TextEdit } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { atCursor, cursorIn, openText, URI } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const ARGS = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=none', '-o', '/dev/null'];

const fn = (body: string, header = 'tracksRegLiveness: true\n'): string =>
  `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s\n---\nname: f\n${header}body: |\n${body}...\n`;

/** Offers at every diagnostic of the text, as an editor asks for them. */
function offers(text: string): CodeAction[] {
  const { host, snapshot } = openText(text);
  const diagnostics = host.diagnostics(URI, NEVER_CANCELLED)!;
  const actions = diagnostics.flatMap((d) =>
    provideCodeActions(snapshot, { range: d.range, context: { diagnostics: [d] } }, NEVER_CANCELLED).filter((a) =>
      a.diagnostics?.includes(d),
    ),
  );
  return actions.filter((a, k) => actions.findIndex((b) => b.title === a.title) === k);
}

function apply(text: string, action: CodeAction): string {
  const { snapshot } = openText(text);
  const edits: TextEdit[] = action.edit!.changes![URI]!;
  let result = text;
  for (const { range, newText } of [...edits].reverse())
    result =
      result.slice(0, snapshot.text.offsetAt(range.start)) + newText + result.slice(snapshot.text.offsetAt(range.end));
  return result;
}

interface Case {
  readonly name: string;
  readonly text: string;
  /** titles, the preferred one first */
  readonly titles: readonly string[];
  /** a line of the repaired text */
  readonly line: string;
  /** which of them makes that line; the first one if absent */
  readonly chosen?: number;
  /** something else is wrong with the text, too, or not every offer repairs all of it */
  readonly isHalf?: boolean;
}

const CASES: readonly Case[] = [
  {
    name: 'all missing implicit operands at once',
    text: fn('  bb.0:\n    %0:sreg_32 = S_ADD_I32 1, 2\n    S_ENDPGM 0\n'),
    titles: ['Add implicit-def $scc'],
    line: '    %0:sreg_32 = S_ADD_I32 1, 2, implicit-def $scc',
  },
  {
    name: 'missing implicit operands before memory operands',
    text: fn(
      '  bb.0:\n    liveins: $vgpr0_vgpr1, $vgpr2\n\n    FLAT_STORE_DWORD $vgpr0_vgpr1, $vgpr2, 0, 0 :: (store (s32))\n    S_ENDPGM 0\n',
    ),
    titles: ['Add implicit $exec, implicit $flat_scr'],
    line: '    FLAT_STORE_DWORD $vgpr0_vgpr1, $vgpr2, 0, 0, implicit $exec, implicit $flat_scr :: (store (s32))',
  },
  {
    name: 'missing implicit operands without any operand',
    text: fn('  bb.0:\n    S_WAKEUP\n    V_NOP_e32\n    S_ENDPGM 0\n'),
    titles: ['Add implicit $exec'],
    line: '    V_NOP_e32 implicit $exec',
  },
  {
    name: 'missing implicit operand before those that are not of the opcode',
    text: fn(
      '  bb.0:\n    liveins: $vgpr1_vgpr2_vgpr3_vgpr4, $m0\n\n    $vgpr1 = V_MOVRELS_B32_e32 undef $vgpr1, implicit $exec, implicit killed $vgpr1_vgpr2_vgpr3_vgpr4\n    S_ENDPGM 0\n',
    ),
    titles: ['Add implicit $m0'],
    line: '    $vgpr1 = V_MOVRELS_B32_e32 undef $vgpr1, implicit $m0, implicit $exec, implicit killed $vgpr1_vgpr2_vgpr3_vgpr4',
  },
  {
    name: 'the half of VCC that llc prints in waves of 32',
    text: fn(
      '  bb.0:\n    liveins: $vcc, $vgpr0, $vgpr1\n\n    $vgpr0 = V_CNDMASK_B32_e32 $vgpr0, $vgpr1, implicit $vcc_lo, implicit $exec\n    S_CBRANCH_VCCNZ %bb.1, implicit killed $vcc_lo\n\n  bb.1:\n    S_ENDPGM 0\n',
    ),
    titles: [
      'Write $vcc, which llc reads here, for $vcc_lo, which it prints (2 places)',
      'Write $vcc, which llc reads here, for $vcc_lo, which it prints',
    ],
    line: '    S_CBRANCH_VCCNZ %bb.1, implicit killed $vcc',
    isHalf: true,
  },
  {
    name: 'misspelt opcode without its implicit operands',
    text: fn('  bb.0:\n    %0:vgpr_32 = V_MOVE_B32_e32 0\n    S_ENDPGM 0\n'),
    titles: ["Change to 'V_MOV_B32_e32', add implicit $exec"],
    line: '    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec',
  },
  {
    name: 'register without a class, with a list of registers',
    text: fn(
      '  bb.0:\n    %0 = S_MOV_B32 0\n    %1 = S_MOV_B32 %0\n    S_ENDPGM 0\n',
      'tracksRegLiveness: true\nregisters:\n  - { id: 0, class: sreg_32 }\n',
    ),
    titles: ['Give %1 the class sreg_32', 'Add %1 to registers: as sreg_32'],
    chosen: 1,
    line: '  - { id: 1, class: sreg_32 }',
  },
  {
    name: 'register without a class, with an empty list of registers',
    text: fn('  bb.0:\n    %1 = S_MOV_B32 0\n    S_ENDPGM 0\n', 'registers: []\n'),
    titles: ['Give %1 the class sreg_32', 'Add %1 to registers: as sreg_32'],
    chosen: 1,
    line: '  - { id: 1, class: sreg_32 }',
  },
  {
    name: 'dead flag on a register that its loop kills',
    text: fn(
      '  bb.0:\n    S_BRANCH %bb.1\n\n  bb.1:\n    dead %0:sreg_32 = S_MOV_B32 0\n    $m0 = S_MOV_B32 killed %0\n    S_CBRANCH_EXECNZ %bb.1, implicit $exec\n\n  bb.2:\n    S_ENDPGM 0\n',
    ),
    titles: ["Remove 'dead' from %0 in line 10", "Remove 'killed' from %0", 'Mark %0 as undef here'],
    line: '    %0:sreg_32 = S_MOV_B32 0',
    isHalf: true,
  },
  {
    name: 'dead flag on a register that another block reads',
    text: fn('  bb.0:\n    dead %0:sreg_32 = S_MOV_B32 0\n    S_BRANCH %bb.1\n  bb.1:\n    S_ENDPGM 0, implicit %0\n'),
    titles: ["Remove 'dead' from %0 in line 7", 'Mark %0 as undef here'],
    line: '    %0:sreg_32 = S_MOV_B32 0',
  },
  {
    name: 'live-ins of a block that has predecessors',
    text: fn(
      '  bb.0:\n    %0:sreg_32 = S_MOV_B32 0\n    S_BRANCH %bb.1\n  bb.1:\n    liveins: $sgpr3, $sgpr5, $sgpr7\n\n' +
        '    %1:sreg_32 = PHI %0, %bb.0, %1, %bb.1\n    S_BRANCH %bb.1\n',
    ),
    titles: [3, 5, 7].map((n) => `Remove $sgpr${n} from the live-ins of bb.1`),
    line: '    liveins: $sgpr5, $sgpr7',
    isHalf: true,
  },
  {
    name: 'the only live-in of a block that has predecessors',
    text: fn(
      '  bb.0:\n    %0:sreg_32 = S_MOV_B32 0\n    S_BRANCH %bb.1\n  bb.1:\n    liveins: $sgpr3\n\n' +
        '    %1:sreg_32 = PHI %0, %bb.0, %1, %bb.1\n    S_BRANCH %bb.1\n',
    ),
    titles: ['Remove $sgpr3 from the live-ins of bb.1'],
    line: '    %1:sreg_32 = PHI %0, %bb.0, %1, %bb.1',
  },
  {
    name: 'two classes',
    text: fn(
      '  bb.0:\n    liveins: $sgpr0\n    %0:sreg_32 = COPY $sgpr0\n    %1:sreg_32 = S_MOV_B32 %0:sreg_64\n    S_ENDPGM 0\n',
    ),
    titles: ["Change to 'sreg_32'"],
    line: '    %1:sreg_32 = S_MOV_B32 %0:sreg_32',
  },
  {
    name: 'undef on a whole definition',
    text: fn('  bb.0:\n    undef %0:sreg_32 = S_MOV_B32 0\n    S_ENDPGM 0, implicit %0\n'),
    titles: ["Remove 'undef' from %0"],
    line: '    %0:sreg_32 = S_MOV_B32 0',
  },
  {
    name: 'misspelt opcode',
    text: fn('  bb.0:\n    %0:vgpr_32 = V_MOVE_B32_e32 0, implicit $exec\n    S_ENDPGM 0\n'),
    titles: ["Change to 'V_MOV_B32_e32'"],
    line: '    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec',
  },
  {
    name: 'opcode in the wrong case',
    text: fn('  bb.0:\n    %0:vgpr_32 = v_mov_b32_e32 0, implicit $exec\n    S_ENDPGM 0\n'),
    titles: ["Change to 'V_MOV_B32_e32'"],
    line: '    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec',
  },
  {
    name: 'misspelt register',
    text: fn('  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exce\n    S_ENDPGM 0\n'),
    titles: ["Change to 'exec'"],
    line: '    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec',
  },
  {
    name: 'misspelt sub-register',
    text: fn('  bb.0:\n    undef %0.subb0:vreg_64_align2 = V_MOV_B32_e32 0, implicit $exec\n    S_ENDPGM 0\n'),
    titles: ["Change to 'sub0'"],
    line: '    undef %0.sub0:vreg_64_align2 = V_MOV_B32_e32 0, implicit $exec',
  },
  {
    name: 'misspelt class',
    text: fn('  bb.0:\n    %0:vgpr32 = V_MOV_B32_e32 0, implicit $exec\n    S_ENDPGM 0\n'),
    titles: ["Change to 'vgpr_32'"],
    line: '    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec',
  },
  {
    name: 'misspelt class in the header',
    text: fn(
      '  bb.0:\n    %0 = V_MOV_B32_e32 0, implicit $exec\n    S_ENDPGM 0\n',
      'registers:\n  - { id: 0, class: vgpr_23 }\n',
    ),
    titles: ["Change to 'vgpr_32'"],
    line: '  - { id: 0, class: vgpr_32 }',
  },
  {
    name: 'misspelt key',
    text: fn('  bb.0:\n    S_ENDPGM 0\n', 'trackRegLiveness: true\n'),
    titles: ["Change to 'tracksRegLiveness'"],
    line: 'tracksRegLiveness: true',
  },
  {
    name: 'kill on a definition',
    text: fn('  bb.0:\n    killed %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n    S_ENDPGM 0\n'),
    titles: ["Remove 'killed' from %0"],
    line: '    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec',
  },
  {
    name: 'dead on a use',
    text: fn('  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n    S_ENDPGM 0, implicit dead %0\n'),
    titles: ["Remove 'dead' from %0"],
    line: '    S_ENDPGM 0, implicit %0',
  },
  {
    name: 'whole definition on one of the ways',
    text: fn(
      '  bb.0:\n    S_CBRANCH_EXECZ %bb.2, implicit $exec\n\n  bb.1:\n    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n\n  bb.2:\n    S_ENDPGM 0, implicit %0\n',
    ),
    titles: ['Mark %0 as undef here'],
    line: '    S_ENDPGM 0, implicit undef %0',
  },
  {
    name: 'undef definition of a part on one of the ways',
    text: fn(
      '  bb.0:\n    S_CBRANCH_EXECZ %bb.2, implicit $exec\n\n  bb.1:\n    undef %0.sub0:vreg_64_align2 = V_MOV_B32_e32 0, implicit $exec\n\n  bb.2:\n    S_ENDPGM 0, implicit %0\n',
    ),
    titles: ['Mark %0 as undef here'],
    line: '    S_ENDPGM 0, implicit undef %0',
  },
  {
    name: 'use after kill',
    text: fn(
      '  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n    %1:vgpr_32 = COPY killed %0\n    S_ENDPGM 0, implicit %0\n',
    ),
    titles: ["Remove 'killed' from %0 in line 8"],
    line: '    %1:vgpr_32 = COPY %0',
  },
  {
    name: 'killed but live-out',
    text: fn(
      '  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n    %1:vgpr_32 = COPY killed %0\n\n  bb.1:\n    S_ENDPGM 0, implicit %0\n',
    ),
    titles: ["Remove 'killed' from %0"],
    line: '    %1:vgpr_32 = COPY %0',
  },
  {
    name: 'missing live-in, first of the block',
    text: fn('  bb.0:\n    %0:vgpr_32 = COPY $vgpr3\n    S_ENDPGM 0\n'),
    titles: ['Add $vgpr3 to the live-ins of bb.0', 'Mark $vgpr3 as undef here'],
    line: '    liveins: $vgpr3',
  },
  {
    name: 'missing live-in beside others',
    text: fn('  bb.0:\n    liveins: $vgpr0, $sgpr4\n\n    %0:vgpr_32 = COPY $vgpr3\n    S_ENDPGM 0\n'),
    titles: ['Add $vgpr3 to the live-ins of bb.0', 'Mark $vgpr3 as undef here'],
    line: '    liveins: $vgpr0, $sgpr4, $vgpr3',
  },
  {
    name: 'dead flag on a register that is read',
    text: fn(
      '  bb.0:\n    S_CMP_EQ_U32 0, 1, implicit-def dead $scc\n    S_CBRANCH_SCC1 %bb.1, implicit $scc\n\n  bb.1:\n    S_ENDPGM 0\n',
    ),
    titles: ["Remove 'dead' from $scc in line 7", 'Mark $scc as undef here'],
    line: '    S_CMP_EQ_U32 0, 1, implicit-def $scc',
  },
  {
    name: 'missing undef',
    text: fn('  bb.0:\n    S_ENDPGM 0, implicit %0:vgpr_32\n'),
    titles: ['Mark %0 as undef here'],
    line: '    S_ENDPGM 0, implicit undef %0:vgpr_32',
  },
  {
    name: 'missing successor',
    text: fn(
      '  bb.0:\n    successors: %bb.1\n\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n    S_BRANCH %bb.1\n\n  bb.1:\n    S_ENDPGM 0\n\n  bb.2:\n    S_ENDPGM 0\n',
    ),
    titles: ['Add %bb.2 to the successors of bb.0'],
    line: '    successors: %bb.1, %bb.2',
  },
  {
    name: 'superfluous successor',
    text: fn(
      '  bb.0:\n    successors: %bb.2(0x40000000), %bb.1(0x40000000)\n\n    S_BRANCH %bb.1\n\n  bb.1:\n    S_ENDPGM 0\n\n  bb.2:\n    S_ENDPGM 0\n',
    ),
    titles: ['Remove %bb.2 from the successors of bb.0'],
    line: '    successors: %bb.1(0x40000000)',
  },
  {
    name: 'class that the instruction does not take',
    text: fn(
      '  bb.0:\n    %0 = V_MOV_B32_e32 0, implicit $exec\n    S_ENDPGM 0, implicit %0\n',
      'registers:\n  - { id: 0, class: sreg_32 }\n',
    ),
    titles: ['Change the class of %0 to vgpr_32'],
    line: '  - { id: 0, class: vgpr_32 }',
  },
  {
    name: 'class without the alignment that the processor asks for',
    text: fn(
      '  bb.0:\n    liveins: $vgpr0\n\n    %0:vreg_64 = IMPLICIT_DEF\n    GLOBAL_STORE_DWORD %0, $vgpr0, 0, 0, implicit $exec\n    S_ENDPGM 0\n',
    ),
    titles: ['Align the class of %0'],
    line: '    %0:vreg_64_align2 = IMPLICIT_DEF',
  },
  {
    name: 'register without class: from its definition',
    text: fn('  bb.0:\n    %0 = S_MOV_B64 0\n    S_ENDPGM 0, implicit %0\n'),
    titles: ['Give %0 the class sreg_64'],
    line: '    %0:sreg_64 = S_MOV_B64 0',
  },
  {
    name: 'register without class: from a copy',
    text: fn('  bb.0:\n    liveins: $vgpr1\n\n    %x = COPY $vgpr1\n    S_ENDPGM 0, implicit %x\n'),
    titles: ['Give %x the class vgpr_32'],
    line: '    %x:vgpr_32 = COPY $vgpr1',
  },
  {
    name: 'register without class: an instruction counts more than a copy',
    text: fn(
      '  bb.0:\n    liveins: $agpr0\n\n    %x = COPY $agpr0\n    %y:vgpr_32 = V_MOV_B32_e32 %x, implicit $exec\n' +
        '    %z:vgpr_32 = V_LSHL_OR_B32_e64 %y, 8, %x, implicit $exec\n    S_ENDPGM 0\n',
    ),
    titles: ['Give %x the class vgpr_32'],
    line: '    %x:vgpr_32 = COPY $agpr0',
  },
];

describe('quick fixes', () => {
  // Live-ins are one diagnostic each, and so is the preferred repair.
  const isOfAnother = (title: string): boolean => / from the live-ins /.test(title);
  for (const { name, text, titles, line, chosen = 0 } of CASES)
    it(name, function () {
      const actions = offers(text);
      assert.deepEqual(
        actions.map((a) => a.title),
        titles,
      );
      assert.deepEqual(
        actions.map((a) => a.isPreferred ?? false),
        titles.map((t, k) => k === 0 || isOfAnother(t)),
      );
      assert.ok(actions.every((a) => a.diagnostics?.length === 1));
      const result = apply(text, actions[chosen]!);
      assert.ok(result.split('\n').includes(line), result);
    });

  it('llc-22 accepts every repaired text', function () {
    needsLlc(this);
    // One file of many functions: llc takes its time to start.
    const repaired = CASES.filter((c) => !c.isHalf).flatMap(({ text }) =>
      offers(text).map((action) => apply(text, action)),
    );
    const all = repaired.map((text, k) => text.slice(text.indexOf('---')).replace('name: f', `name: f${k}`)).join('');
    const { status, stderr } = runLlc(ARGS, all);
    assert.equal(status, 0, stderr.slice(0, 600));
  });

  it('tracksRegLiveness on the name of a function that has registers', () => {
    const text = fn('  bb.0:\n    liveins: $vgpr3\n\n    %0:vgpr_32 = COPY $vgpr3\n    S_ENDPGM 0\n', '');
    const { snapshot, position } = atCursor(cursorIn(text, 'name: $0f'));
    const range = { start: position, end: position };
    const [action, ...more] = provideCodeActions(snapshot, { range, context: { diagnostics: [] } }, NEVER_CANCELLED);
    assert.equal(action?.title, 'Add tracksRegLiveness: true');
    assert.deepEqual(
      more.filter((a) => a.kind === 'quickfix'),
      [],
    );
    assert.ok(apply(text, action!).includes('name: f\ntracksRegLiveness: true\nbody'));
  });

  it('no class that no register can have, also when it stands first', () => {
    const use = 'S_NOP 0, implicit undef %0:sreg_512';
    const text = fn(
      `  bb.0:\n    liveins: $sgpr0\n    ${use}\n    %0:sreg_32 = COPY $sgpr0\n    S_ENDPGM 0, implicit %0\n`,
    );
    assert.ok(!offers(text).some((a) => a.title.includes('sreg_512')));
  });

  it('nothing where no repair makes sense, and nothing of another kind than asked for', () => {
    assert.deepEqual(offers(fn('  bb.0:\n    %0:vgpr_32 = QWERTYUIOP 0\n    S_ENDPGM 0\n')), []);
    const { snapshot } = openText(CASES[0]!.text);
    const whole = { start: { line: 5, character: 0 }, end: { line: 7, character: 0 } };
    const context = { diagnostics: [], only: ['refactor'] };
    assert.deepEqual(provideCodeActions(snapshot, { range: whole, context }, NEVER_CANCELLED), []);
  });
});
