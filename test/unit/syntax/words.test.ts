/** Every word of the MIR of bodies where it may stand, and where a near one may not (llc-22's words). */
import assert from 'node:assert/strict';
import { parseMirFile, syntaxDiagnostics } from '../../../server/src/syntax/index.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const INT = ['eq', 'ne', 'sgt', 'sge', 'slt', 'sle', 'ugt', 'uge', 'ult', 'ule'];
const FLOAT = 'false oeq ogt oge olt ole one ord uno ueq ugt uge ult ule une true'.split(' ');
const ORDERINGS = ['unordered', 'monotonic', 'acquire', 'release', 'acq_rel', 'seq_cst'];
const FLAGS = (
  'frame-setup frame-destroy nnan ninf nsz arcp contract afn reassoc nuw nsw exact nofpexcept unpredictable ' +
  'noconvergent disjoint nneg samesign inbounds nusw'
).split(' '); // prettier-ignore
const MEMORY = ['volatile', 'non-temporal', 'dereferenceable', 'invariant'];

const body = (line: string): string => `---\nname: f\nbody: |\n  bb.0:\n    ${line}\n...\n`;
const isRead = (line: string): boolean =>
  syntaxDiagnostics(parseMirFile(new SourceText(body(line)), new Interner())).length === 0;

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  intpred: INT.map((w) => `INLINEASM &"", 0, intpred(${w})`),
  floatpred: FLOAT.map((w) => `INLINEASM &"", 0, floatpred(${w})`),
  'flags of instructions': FLAGS.map((w) => `${w} S_NOP 0`),
  orderings: ORDERINGS.flatMap((w) => [
    `S_NOP 0 :: (load ${w} (s32))`,
    `S_NOP 0 :: (load syncscope("agent") ${w} (s32))`,
    `S_NOP 0 :: (load store ${w} monotonic (s32))`,
    `S_NOP 0 :: (load store acq_rel ${w} (s32))`,
  ]),
  'flags of memory operands': MEMORY.map((w) => `S_NOP 0 :: (${w} load (s32))`),
};
const UNKNOWN: readonly string[] = [
  ...INT.map((w) => `INLINEASM &"", 0, intpred(${w}x)`),
  ...FLOAT.filter((w) => !INT.includes(w)).map((w) => `INLINEASM &"", 0, intpred(${w})`),
  ...INT.filter((w) => !FLOAT.includes(w)).map((w) => `INLINEASM &"", 0, floatpred(${w})`),
  'INLINEASM &"", 0, intpred()',
  'INLINEASM &"", 0, floatpred("")',
  'S_NOP 0 :: (load relaxed (s32))',
  'S_NOP 0 :: (load seq_cst seq_cst seq_cst (s32))',
  'S_NOP 0 :: (nontemporal load (s32))',
  'S_NOP 0 :: (load volatile (s32))',
];

describe('words of bodies', () => {
  for (const [what, lines] of Object.entries(KNOWN))
    it(what, () => lines.forEach((line) => assert.ok(isRead(line), line)));

  it('no others', () => UNKNOWN.forEach((line) => assert.ok(!isRead(line), line)));

  it('are those that llc-22 reads', function () {
    needsLlc(this);
    // All that are known stand in one function.
    for (const line of [Object.values(KNOWN).flat().join('\n    '), ...UNKNOWN]) {
      const { stderr } = runLlc(['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-x', 'mir', '-disable-verify', '-o', '-'], body(line)); // prettier-ignore
      assert.equal(!/error:/.test(stderr), isRead(line), `${line}: ${stderr.slice(0, 300)}`);
    }
  });
});
