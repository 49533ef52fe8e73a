/** Lowering after a small edit: the same function as a fresh one, and what the edit left alone is not made again. */
import * as assert from 'node:assert';
import { LoweringCache, lowerFile } from '../../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../../server/src/model/machineFunction.js';
import { parseMirFile, updateMirFile } from '../../../server/src/syntax/index.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { EditSession } from '../../support/editsCheck.js';
import { mirFunction } from '../../support/mir.js';

const TARGET = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx90a', features: '' };

const TEXT = mirFunction(
  'f',
  `
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4_sgpr5
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %3:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %1, %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)

  bb.1:
    successors: %bb.1, %bb.2
    %4:vgpr_32 = V_ADD_U32_e32 %0, %2, implicit $exec
    S_NOP 0, implicit %3
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    %5:vgpr_32 = V_ADD_U32_e32 %4, %2, implicit $exec
    %6:vgpr_32 = V_MOV_B32_e32 &symbol, implicit $exec
    S_NOP 0, implicit %5, implicit %6
    S_ENDPGM 0`,
);

/** [what, text, its replacement, is the numbering of registers, blocks and instructions the same] */
const EDITS: readonly (readonly [string, string, string, boolean])[] = [
  ['another operand', 'V_ADD_U32_e32 %0, %2', 'V_ADD_U32_e32 %2, %0', true],
  ['a flag', 'V_ADD_U32_e32 %4, %2', 'V_ADD_U32_e32 killed %4, %2', true],
  ['an immediate', 'V_MOV_B32_e32 1', 'V_MOV_B32_e32 7', true],
  ['an opcode', 'V_ADD_U32_e32 %4', 'V_SUB_U32_e32 %4', true],
  ['a memory operand', '(load (s32), addrspace 1)', '(load (s32), align 8, addrspace 1)', true],
  ['a symbol', '&symbol', '&other', true],
  ['a comment', 'S_NOP 0, implicit %3', 'S_NOP 0, implicit %3 ; here', true],
  ['another target of a branch', 'S_CBRANCH_SCC1 %bb.1', 'S_CBRANCH_SCC1 %bb.2', false],
  ['a probability', 'successors: %bb.1, %bb.2', 'successors: %bb.1(1), %bb.2(3)', false],
  ['a live-in', 'liveins: $vgpr0, $sgpr4', 'liveins: $vgpr1, $sgpr4', false],
  ['the last opcode of a block', 'S_ENDPGM 0', 'S_NOP 0', false],
  ['a class', '%5:vgpr_32', '%5:vreg_64', false],
  ['a class at a use', 'implicit %5, implicit', 'implicit %5:vreg_64, implicit', false],
  ['a second definition', '%5:vgpr_32', '%4:vgpr_32', false],
  ['a definition of a part', '%5:vgpr_32', 'undef %5.sub0:vreg_64', false],
  ['a new register', '%5:vgpr_32', '%9:vgpr_32', false],
  ['the order of first mentions', '%2:vgpr_32 = V_MOV_B32_e32 1', '%3:vgpr_32 = V_MOV_B32_e32 1', false],
  ['a use before all others', 'S_NOP 0, implicit %3', 'S_NOP 0, implicit %6', false],
  ['one more operand', 'S_NOP 0, implicit %3', 'S_NOP 0, implicit %3, implicit %2', false],
  ['an error', 'V_ADD_U32_e32 %4', 'V_AD_U32_e32 %4', false],
];

function versions(from: string, to: string): [before: MachineFunction, after: MachineFunction] {
  const cache = new LoweringCache();
  const file = parseMirFile(new SourceText(TEXT), new Interner());
  const before = lowerFile(file, TARGET, cache).functions[0].fn!;
  const start = TEXT.indexOf(from);
  assert.ok(start >= 0, from);
  const edit = { start, end: start + from.length, text: to };
  const after = lowerFile(updateMirFile(file, file.text.apply(edit), [edit]), TARGET, cache).functions[0].fn!;
  return [before, after];
}

describe('lowering after an edit', () => {
  for (const [what, from, to, isPatch] of EDITS)
    it(`${what}: the same as a fresh one, also when the edit is taken back`, () => {
      const file = new EditSession().open(TEXT, TARGET);
      file.compare();
      const start = TEXT.indexOf(from);
      file.edit([{ start, end: start + from.length, text: to }]);
      file.compare();
      file.edit([{ start, end: start + to.length, text: from }]);
      file.compare();
      const [before, after] = versions(from, to);
      assert.notEqual(after, before);
      assert.equal(after.vregs === before.vregs, isPatch, 'patched');
    });

  it('shares the columns in which nothing changed, and changes none of the version before', () => {
    const [before, after] = versions('V_ADD_U32_e32 %0, %2', 'V_ADD_U32_e32 %2, %0');
    for (const column of ['opcode', 'opBegin', 'opKind', 'opFlags', 'opExt', 'order', 'blocks'] as const)
      assert.equal(after[column], before[column], column);
    const [fresh] = versions('%0', '%0');
    assert.deepEqual([...before.opVal], [...fresh.opVal]);
    assert.notDeepEqual([...after.opVal], [...fresh.opVal]);
  });
});
