/**
 * Each opcode and operand of functions with instructions of many kinds is deleted and completed again: what was there is near the top, and
 * what the list does not mark as rejected is taken, by the engine that answers as llc-22 does (answers.test.ts).
 */
import assert from 'node:assert/strict';
import { InsertTextFormat, type CompletionItem, type TextEdit } from 'vscode-languageserver-types';
import { provideCompletion } from '../../../server/src/features/completion/completion.js';
import { LEAVES, REJECTED } from '../../../server/src/features/completion/trial.js';
import { answerOfOurs } from '../../support/answers.js';
import { essence } from '../../support/completed.js';
import { atCursor, openText, URI } from '../../support/cursor.js';

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=none'];
const RUN = `# RUN: llc ${ARGS.join(' ')} %s\n`;

const KERNEL = `--- |
  define amdgpu_kernel void @f(ptr addrspace(1) %p) { ret void }
...
---
name:            f
tracksRegLiveness: true
stack:
  - { id: 0, size: 16, alignment: 4 }
body:             |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $vgpr1, $sgpr4_sgpr5, $sgpr32, $sgpr0_sgpr1_sgpr2_sgpr3

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:sgpr_128 = COPY $sgpr0_sgpr1_sgpr2_sgpr3
    %3:sreg_64_xexec = S_LOAD_DWORDX2_IMM %1, 8, 0 :: (dereferenceable invariant load (s64) from %ir.p, addrspace 4)
    %4:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    %5:vgpr_32 = BUFFER_LOAD_DWORD_OFFEN %4, %2, 0, 16, 0, 0, implicit $exec
    %6:vreg_64_align2 = REG_SEQUENCE %4, %subreg.sub0, %5, %subreg.sub1
    %7:vgpr_32 = V_FMA_F32_e64 0, %4, 0, %5, 0, %0, 0, 0, implicit $mode, implicit $exec
    GLOBAL_STORE_DWORD %6, %7, 0, 0, implicit $exec :: (store (s32), addrspace 1)
    %8:sreg_64_xexec = V_CMP_GT_U32_e64 %7, %0, implicit $exec
    %9:vgpr_32 = V_CNDMASK_B32_e64 0, %4, 0, %5, %8, implicit $exec
    S_CMP_EQ_U32 %3.sub0, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1

  bb.1:
    liveins: $sgpr32

    SI_SPILL_V32_SAVE %9, %stack.0, $sgpr32, 0, implicit $exec
    %10:vgpr_32 = V_MOV_B32_e32 7, implicit $exec

  bb.2:
    S_ENDPGM 0
...
`;

const GENERIC = `---
name:            g
legalized:       true
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0, $sgpr4_sgpr5

    %0:_(s32) = COPY $vgpr0
    %1:_(p4) = COPY $sgpr4_sgpr5
    %2:_(s32) = G_CONSTANT i32 5
    %3:_(s32) = G_ADD %0, %2
    %4:_(s1) = G_ICMP intpred(ult), %3(s32), %2
    %5:_(s32) = G_SELECT %4(s1), %3, %0
    %6:_(s64) = G_ZEXT %5(s32)
    %7:_(p4) = G_PTR_ADD %1, %6(s64)
    %8:_(s32) = G_LOAD %7(p4) :: (load (s32), addrspace 4)
    $vgpr0 = COPY %8(s32)
    S_ENDPGM 0, implicit $vgpr0
...
`;

interface Place {
  readonly start: number;
  readonly end: number;
  readonly word: string;
}

/** Opcodes and operands of all instructions. */
function placesIn(text: string): Place[] {
  const { snapshot } = openText(text);
  const places: Place[] = [];
  for (const { fn, start: base } of snapshot.functions)
    for (let i = 0; i < fn!.nInstrs; i++) {
      const ranges = [fn!.source!.opcodeRange(i)];
      for (let k = 0; k < fn!.numOperands(i); k++) ranges.push(fn!.source!.operandRange(i, k));
      for (const { start, end } of ranges) {
        const word = text.slice(base + start, base + end);
        if (word !== '' && !word.includes('\n')) places.push({ start: base + start, end: base + end, word });
      }
    }
  return places;
}

/** The list where a word was. */
function listAt(
  text: string,
  { start, end }: Place,
): { items: readonly CompletionItem[]; accept(i: CompletionItem): string } {
  const { snapshot, position, text: without } = atCursor(`${text.slice(0, start)}$0${text.slice(end)}`);
  const { items } = provideCompletion(snapshot, { textDocument: { uri: URI }, position });
  return {
    items,
    accept: (item) => {
      const { range, newText } = item.textEdit as TextEdit;
      const from = snapshot.text.offsetAt(range.start);
      return without.slice(0, from) + newText + without.slice(snapshot.text.offsetAt(range.end));
    },
  };
}

const NEAR = 15;
const ACCEPTED = 4;

/** A flag has its opcode still to come, an opcode its implicit operands. */
const NEEDS_MORE = /expected a machine instruction|missing implicit register operand/;

const isMarked = (item: CompletionItem): boolean =>
  [REJECTED, LEAVES].some((word) => item.labelDetails?.detail?.includes(word) === true);

/** What the author wrote is one of many there. */
const isNumber = (word: string): boolean => /^(?:i\d+ )?\d+$/.test(word);

describe('what is deleted and completed again', () => {
  for (const body of [KERNEL, GENERIC]) {
    const text = RUN + body;
    const lines = new Map<string, Place[]>();
    for (const place of placesIn(text)) {
      const line = text.slice(text.lastIndexOf('\n', place.start) + 1, text.indexOf('\n', place.end)).trim();
      lines.set(line, [...(lines.get(line) ?? []), place]);
    }
    for (const [line, places] of lines)
      it(line, () => {
        const far: string[] = [];
        const refused: string[] = [];
        for (const place of places) {
          const { items, accept } = listAt(text, place);
          const wanted = essence(place.word);
          const at = items.findIndex((i) => i.label === wanted || essence(i.label) === wanted);
          if (!isNumber(place.word) && (at < 0 || at >= NEAR)) far.push(`${place.word}: ${at}`);
          // Without its definition a register is none, whatever stands in its place.
          if (/^%\d+:/.test(place.word)) continue;
          for (const item of items.slice(0, ACCEPTED)) {
            if (isMarked(item) || item.insertTextFormat === InsertTextFormat.Snippet) continue;
            const { exit, err } = answerOfOurs({ args: ARGS, input: accept(item) });
            const [first = ''] = err.split('\n').filter((l) => /error|Bad machine/.test(l));
            if (exit !== 0 && !NEEDS_MORE.test(err)) refused.push(`${place.word} -> ${item.label}: ${first}`);
          }
        }
        assert.deepEqual(far, [], 'far down in the list');
        assert.deepEqual(refused, [], 'accepted, and an error');
      });
  }
});
