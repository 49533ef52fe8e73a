/** Words of a body that are no names: keys of blocks, flags of instructions, attributes of labels, target flags, snippets. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { INSTR_FLAG_WORDS } from '../../syntax/tree.js';
import type { Subtarget } from '../../target/api.js';
import { TARGET_FLAG_WORDS } from '../../model/printer/instrPrinter.js';
import { EntityKind } from '../symbols/symbolIndex.js';
import type { Candidate } from './candidate.js';
import type { FunctionScope } from './functionScope.js';
import { POINTS } from './points.js';

const FLAG_MEANINGS: Readonly<Record<string, string>> = {
  'frame-setup': 'belongs to the prologue',
  'frame-destroy': 'belongs to the epilogue',
  nnan: 'no NaNs',
  ninf: 'no infinities',
  nsz: 'the sign of zero does not matter',
  arcp: 'a reciprocal may replace a division',
  contract: 'may be fused',
  afn: 'approximate functions are fine',
  reassoc: 'may be reassociated',
  nuw: 'no unsigned wrap',
  nsw: 'no signed wrap',
  exact: 'nothing is lost',
  nofpexcept: 'raises no floating-point exception',
  unpredictable: 'the condition cannot be predicted',
  noconvergent: 'not convergent here',
  nneg: 'the operand is not negative',
  disjoint: 'no bit is set in both',
  nusw: 'no unsigned-signed wrap of an address',
  samesign: 'both have the same sign',
  inbounds: 'the address stays in its object',
  'lr-split': 'the allocator split a live range here',
};

/** Outside of functions: one of them, or a whole test. */
export const fileSnippets = (isEmpty: boolean): Candidate[] => {
  const body = [
    '---',
    'name:            ${1:f}',
    'tracksRegLiveness: true',
    'body:             |',
    '  bb.0:',
    '    liveins: \\$${2:vgpr0}',
    '',
    '    %0:vgpr_32 = COPY \\$$2',
    '    $0',
    '    S_ENDPGM 0, implicit %0',
    '...',
    '',
  ].join('\n');
  const run = '# RUN: llc -mtriple=${3:amdgcn-amd-amdhsa} -mcpu=${4:gfx942} -run-pass=${5:none} -o - %s | FileCheck %s';
  const snippet = (label: string, detail: string, score: number, text: string): Candidate => ({
    label,
    kind: CompletionItemKind.Snippet,
    score,
    detail: ` ${detail}`,
    insert: '---',
    snippet: text,
  });
  return [
    snippet('function', 'a machine function', isEmpty ? 1 : 3, body),
    snippet('test', 'RUN line, CHECK line and function', isEmpty ? 3 : 1, `${run}\n# CHECK-LABEL: name: $1\n${body}`),
  ];
};

const keyword = (label: string, detail: string, score: number, snippet?: string): Candidate => ({
  label,
  kind: CompletionItemKind.Keyword,
  detail: detail === '' ? '' : ` ${detail}`,
  score,
  ...(snippet === undefined ? {} : { snippet }),
});

export const instructionFlags = ({ release }: Subtarget): Candidate[] =>
  INSTR_FLAG_WORDS.filter((w) => w !== 'nomerge' && (w !== 'lr-split' || release.rules.hasLRSplit)).map((w, k) => ({
    ...keyword(w, FLAG_MEANINGS[w] ?? '', POINTS.instructionFlag - k),
    insert: `${w} `,
    goesOn: true,
    isHalf: true,
  }));

/** The number of the next block. */
function nextBlock(scope: FunctionScope): number {
  const { symbols } = scope.view;
  let next = 0;
  for (let e = 0; e < symbols.nEntities; e++)
    if (symbols.kinds[e] === EntityKind.Block && symbols.occurrences(e).length > 0)
      next = Math.max(next, Number(symbols.nameOf(e)) + 1);
  return next;
}

/** `isOver`: nothing falls through to the cursor's line. */
export function startKeywords(scope: FunctionScope, isOver: boolean): Candidate[] {
  return [
    keyword('successors:', 'blocks that follow', POINTS.blockKey, 'successors: %bb.${1}$0'),
    keyword('liveins:', 'physical registers that live at the start', POINTS.blockKey, 'liveins: \\$${1}$0'),
    {
      ...keyword(`bb.${nextBlock(scope)}:`, 'a new block', isOver ? POINTS.blockAfterBarrier : POINTS.newBlock),
      isLabel: true,
    },
  ];
}

export const bodySnippets = (scope: FunctionScope): Candidate[] => {
  const b = nextBlock(scope);
  const r = scope.nextVReg;
  const snippet = (label: string, detail: string, text: string): Candidate => ({
    label,
    kind: CompletionItemKind.Snippet,
    score: POINTS.bodySnippet,
    detail: ` ${detail}`,
    insert: '',
    snippet: text,
    isLabel: true,
    isHalf: true,
  });
  return scope.snapshot.settings.snippets
    ? [
        snippet(
          'block',
          'a block with live-ins',
          `bb.${b}:\n  successors: %bb.\${1:${b + 1}}\n  liveins: \\$\${2:sgpr0}\n\n  $0`,
        ),
        snippet(
          'loop',
          'a counted loop',
          [
            `bb.${b}:`,
            `  successors: %bb.${b}, %bb.${b + 1}`,
            '',
            `  %${r}:sreg_32 = PHI %\${1:init}, %bb.\${2:${Math.max(0, b - 1)}}, %${r + 1}, %bb.${b}`,
            `  \${0}`,
            `  %${r + 1}:sreg_32 = S_ADD_I32 %${r}, 1, implicit-def dead \\$scc`,
            `  S_CMP_LT_I32 %${r + 1}, \${3:16}, implicit-def \\$scc`,
            `  S_CBRANCH_SCC1 %bb.${b}, implicit \\$scc`,
            `  S_BRANCH %bb.${b + 1}`,
            '',
            `bb.${b + 1}:`,
          ].join('\n'),
        ),
      ]
    : [];
};

/** What may stand after the operands. */
export const trailerWords = (): Candidate[] => [
  keyword('debug-location', 'where in the source the instruction comes from', 2, 'debug-location !${1:0}$0'),
  keyword('debug-instr-number', 'what dbg-instr-ref refers to', 1, 'debug-instr-number ${1:1}$0'),
  keyword('pre-instr-symbol', 'a symbol before it', 0, 'pre-instr-symbol <mcsymbol ${1:name}>$0'),
  keyword('post-instr-symbol', 'a symbol after it', 0, 'post-instr-symbol <mcsymbol ${1:name}>$0'),
  keyword('heap-alloc-marker', 'metadata', -1, 'heap-alloc-marker !${1:0}$0'),
  keyword('pcsections', 'metadata', -1, 'pcsections !${1:0}$0'),
  keyword('mmra', 'metadata', -1, 'mmra !${1:0}$0'),
];

export const targetFlags = (): Candidate[] =>
  TARGET_FLAG_WORDS.map((w, k) => keyword(w, 'how the linker resolves the symbol', -k));

export const labelAttributes = (): Candidate[] => [
  keyword('align', 'of the block, in bytes', 5, 'align ${1:64}$0'),
  keyword('machine-block-address-taken', '', 3),
  keyword('ir-block-address-taken', '', 2, 'ir-block-address-taken %ir-block.${1}$0'),
  keyword('landing-pad', '', 1),
  keyword('inlineasm-br-indirect-target', '', 0),
  keyword('ehfunclet-entry', '', 0),
  keyword('bbsections', 'section of the block', 0, 'bbsections ${1:Cold}$0'),
  keyword('bb_id', '', 0, 'bb_id ${1:0}$0'),
  keyword('call-frame-size', 'bytes', 0, 'call-frame-size ${1:0}$0'),
];
