/**
 * The verifier on the next version of a function: it says what it says of a new one, and looks again at the changed blocks alone; at all of them only where a register
 * is defined no more, or at last.
 */
import assert from 'node:assert/strict';
import { TargetHook } from '../../../server/src/analysis/verifier/targetHook.js';
import { FunctionResults } from '../../../server/src/host/functionResults.js';
import { parseMirFile, updateMirFile } from '../../../server/src/syntax/index.js';
import type { MirFile } from '../../../server/src/syntax/tree.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { needsLlc } from '../../support/llc.js';
import { mirFunction } from '../../support/mir.js';
import { llcStderr, messagesIn, verifyText } from '../../support/verify.js';

const TARGET = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx900', features: '' };

const TEXT = mirFunction(
  'f',
  `
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    S_NOP 0, implicit undef %4:vgpr_32
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    %2:vgpr_32 = V_ADD_F32_e32 %0, %1, implicit $mode, implicit $exec
    S_NOP 0, implicit %2
    S_NOP 1

  bb.2:
    %3:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec
    S_NOP 0, implicit %3, implicit undef %4
    %3:vgpr_32 = V_MOV_B32_e32 3, implicit $exec
    %3:vgpr_32 = V_MOV_B32_e32 4, implicit $exec
    S_ENDPGM 0, implicit %3
`,
);
const SIZES = [4, 3, 5] as const;
const ALL = 12;

/** Target instructions that the target hook is asked about after the edit, and what is said of them. */
function verified(from: string, to: string): { asked: number; messages: string[] } {
  const results = new FunctionResults(false);
  const messages = (file: MirFile): string[] => {
    const lowered = results.model(file, TARGET).functions[0]!;
    assert.deepEqual(lowered.diagnostics, []);
    return results.verifier(lowered).map((d) => d.message);
  };
  const before = parseMirFile(new SourceText(TEXT), new Interner());
  assert.deepEqual(messages(before), []);
  const start = TEXT.indexOf(from);
  assert.ok(start >= 0 && !TEXT.includes(from, start + 1), from);
  const edit = { start, end: start + from.length, text: to };
  const { check } = TargetHook.prototype;
  let asked = 0;
  TargetHook.prototype.check = function (...args): ReturnType<typeof check> {
    asked++;
    return check.apply(this, args);
  };
  try {
    const found = messages(updateMirFile(before, before.text.apply(edit), [edit]));
    return { asked, messages: found };
  } finally {
    TargetHook.prototype.check = check;
  }
}

const BAD = ['Illegal immediate value for operand.', 'Expected a register operand.'];
const NO_DEF = 'Reading virtual register without a def';
const CASES: readonly (readonly [string, string, string, number, readonly string[]])[] = [
  ['another number', 'S_NOP 1', 'S_NOP 2', SIZES[1], []],
  ['something wrong', 'V_ADD_F32_e32 %0, %1', 'V_ADD_F32_e32 %0, 65', SIZES[1], BAD],
  ['a definition less of several', '%3:vgpr_32 = V_MOV_B32_e32 3, implicit $exec\n', 'S_NOP 3\n', SIZES[2], []],
  ['a definition more', 'S_NOP 1', '%0:vgpr_32 = V_MOV_B32_e32 3, implicit $exec', SIZES[1], []],
  [
    'no definition',
    '%1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec',
    'S_NOP 0, implicit undef %1:vgpr_32',
    ALL,
    [NO_DEF],
  ],
  ['a first definition', 'S_NOP 0, implicit undef %4:vgpr_32', '%4:vgpr_32 = V_MOV_B32_e32 2, implicit $exec', ALL, []],
];

describe('the verifier on the next version of a function', () => {
  for (const [name, from, to, asked, messages] of CASES)
    it(name, () => {
      assert.deepEqual(verified(from, to), { asked, messages });
      const anew = verifyText(TEXT.replace(from, to), TARGET.cpu).reports.map((r) => r.message);
      assert.deepEqual(anew, messages);
    });

  it('llc-22 says the same of all', function () {
    needsLlc(this);
    for (const [name, from, to, , messages] of CASES)
      assert.deepEqual(messagesIn(llcStderr(TEXT.replace(from, to), TARGET.cpu)), messages, name);
  });
});
