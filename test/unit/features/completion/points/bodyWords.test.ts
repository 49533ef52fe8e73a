/** Words of a body that are no names, each with what it counts, says and writes. */
import assert from 'node:assert/strict';
import {
  bodySnippets,
  fileSnippets,
  instructionFlags,
  labelAttributes,
  startKeywords,
  targetFlags,
  trailerWords,
} from '../../../../../server/src/features/completion/bodyWords.js';
import type { Candidate } from '../../../../../server/src/features/completion/candidate.js';
import { FunctionScope } from '../../../../../server/src/features/completion/functionScope.js';
import { lowLevelTypes } from '../../../../../server/src/features/completion/lowLevelTypes.js';
import { releaseOf } from '../../../../../server/src/target/release.js';
import { createSubtarget } from '../../../../../server/src/target/subtarget.js';
import { atBar } from '../../../../support/cursor.js';

function scopeAt(body: string, snippets = true): FunctionScope {
  const { snapshot } = atBar(`¦# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n${body}...\n`, {
    snippets,
  });
  const view = snapshot.functions[0]!;
  return new FunctionScope(snapshot, view, view.end, view.end);
}
const shown = ({ label, score, detail, snippet }: Candidate): string =>
  [`${label} ${score + 0}`, (detail ?? '').trim(), snippet ?? ''].join(' | ').replace(/(?: \| )+$/, '');

describe('words of a body', () => {
  const EMPTY = scopeAt('  bb.0:\n');
  it('at the start of a line', () => {
    assert.deepEqual(startKeywords(EMPTY, false).map(shown), [
      'successors: -20 | blocks that follow | successors: %bb.${1}$0',
      'liveins: -20 | physical registers that live at the start | liveins: \\$${1}$0',
      'bb.1: -25 | a new block',
    ]);
    assert.equal(shown(startKeywords(EMPTY, true)[2]!), 'bb.1: 200 | a new block');
    assert.deepEqual(
      startKeywords(EMPTY, true).map((c) => c.isLabel),
      [undefined, undefined, true],
    );
  });

  const NEXT: readonly (readonly [body: string, label: string])[] = [
    ['', 'bb.0:'],
    ['  bb.0:\n', 'bb.1:'],
    ['  bb.0:\n  bb.7.x:\n  bb.2:\n', 'bb.8:'],
    ['  bb.0:\n    S_BRANCH %bb.4\n', 'bb.5:'],
  ];
  for (const [body, label] of NEXT)
    it(`the next block of ${JSON.stringify(body)}`, () =>
      assert.equal(startKeywords(scopeAt(body), false)[2]!.label, label));

  it('behind the operands', () =>
    assert.deepEqual(trailerWords().map(shown), [
      'debug-location 2 | where in the source the instruction comes from | debug-location !${1:0}$0',
      'debug-instr-number 1 | what dbg-instr-ref refers to | debug-instr-number ${1:1}$0',
      'pre-instr-symbol 0 | a symbol in front of it | pre-instr-symbol <mcsymbol ${1:name}>$0',
      'post-instr-symbol 0 | a symbol behind it | post-instr-symbol <mcsymbol ${1:name}>$0',
      'heap-alloc-marker -1 | metadata | heap-alloc-marker !${1:0}$0',
      'pcsections -1 | metadata | pcsections !${1:0}$0',
      'mmra -1 | metadata | mmra !${1:0}$0',
    ]));

  it('in the brackets of a label', () =>
    assert.deepEqual(labelAttributes().map(shown), [
      'align 5 | of the block, in bytes | align ${1:64}$0',
      'machine-block-address-taken 3',
      'ir-block-address-taken 2 |  | ir-block-address-taken %ir-block.${1}$0',
      'landing-pad 1',
      'inlineasm-br-indirect-target 0',
      'ehfunclet-entry 0',
      'bbsections 0 | section of the block | bbsections ${1:Cold}$0',
      'bb_id 0 |  | bb_id ${1:0}$0',
      'call-frame-size 0 | bytes | call-frame-size ${1:0}$0',
    ]));

  it('flags of instructions', () => {
    const flags = instructionFlags(createSubtarget('amdgcn', 'gfx942', ''));
    const MEANINGS: readonly (readonly [label: string, meaning: string])[] = [
      ['frame-setup', 'belongs to the prologue'],
      ['frame-destroy', 'belongs to the epilogue'],
      ['nnan', 'no NaNs'],
      ['ninf', 'no infinities'],
      ['nsz', 'the sign of zero does not matter'],
      ['arcp', 'a reciprocal may replace a division'],
      ['contract', 'may be fused'],
      ['afn', 'approximate functions are fine'],
      ['reassoc', 'may be reassociated'],
      ['nuw', 'no unsigned wrap'],
      ['nsw', 'no signed wrap'],
      ['exact', 'nothing is lost'],
      ['nofpexcept', 'raises no floating-point exception'],
      ['unpredictable', 'the condition cannot be predicted'],
      ['noconvergent', 'not convergent here'],
      ['nneg', 'the operand is not negative'],
      ['disjoint', 'no bit is set in both'],
      ['nusw', 'no unsigned-signed wrap of an address'],
      ['samesign', 'both have the same sign'],
      ['inbounds', 'the address stays in its object'],
    ];
    assert.equal(flags.length, MEANINGS.length);
    for (const [label, meaning] of MEANINGS) {
      const c = flags.find((f) => f.label === label)!;
      assert.deepEqual([c.detail, c.insert, c.goesOn, c.isHalf], [` ${meaning}`, `${label} `, true, true]);
    }
    assert.deepEqual(
      flags.map((c) => c.score),
      flags.map((_, k) => -30 - k),
    );
    const ofLlvm24 = instructionFlags(createSubtarget('amdgcn', 'gfx942', '', releaseOf('llvm-24')));
    assert.deepEqual(
      ofLlvm24.map((c) => c.label),
      [...flags.map((c) => c.label), 'lr-split'],
    );
  });

  it('flags of symbols', () => {
    const flags = targetFlags();
    assert.deepEqual(
      flags.map((c) => c.score + 0),
      flags.map((_, k) => (k === 0 ? 0 : -k)),
    );
    for (const word of ['amdgpu-gotprel', 'amdgpu-rel32-lo', 'amdgpu-rel32-hi', 'amdgpu-abs32-lo', 'amdgpu-abs32-hi'])
      assert.equal(flags.find((c) => c.label === word)?.detail, ' how the linker resolves the symbol', word);
  });

  it('blocks and loops under the next numbers', () => {
    const [block, loop] = bodySnippets(scopeAt('  bb.0:\n    %4:sreg_32 = S_MOV_B32 0\n  bb.2:\n'));
    assert.deepEqual(
      [block!.label, block!.score, block!.detail, block!.insert],
      ['block', -40, ' a block with live-ins', ''],
    );
    assert.equal(block!.snippet, 'bb.3:\n  successors: %bb.${1:4}\n  liveins: \\$${2:sgpr0}\n\n  $0');
    assert.deepEqual([loop!.label, loop!.detail, loop!.isLabel, loop!.isHalf], ['loop', ' a counted loop', true, true]);
    assert.equal(
      loop!.snippet,
      [
        'bb.3:',
        '  successors: %bb.3, %bb.4',
        '',
        '  %5:sreg_32 = PHI %${1:init}, %bb.${2:2}, %6, %bb.3',
        '  ${0}',
        '  %6:sreg_32 = S_ADD_I32 %5, 1, implicit-def dead \\$scc',
        '  S_CMP_LT_I32 %6, ${3:16}, implicit-def \\$scc',
        '  S_CBRANCH_SCC1 %bb.3, implicit \\$scc',
        '  S_BRANCH %bb.4',
        '',
        'bb.4:',
      ].join('\n'),
    );
    assert.match(
      bodySnippets(scopeAt(''))[1]!.snippet!,
      /^bb\.0:\n.*\n\n {2}%0:sreg_32 = PHI %\$\{1:init\}, %bb\.\$\{2:0\}, %1, %bb\.0\n/,
    );
    assert.deepEqual(bodySnippets(scopeAt('  bb.0:\n', false)), []);
  });

  it('functions and tests where none is', () => {
    const body =
      '---\nname:            ${1:f}\ntracksRegLiveness: true\nbody:             |\n  bb.0:\n    liveins: \\$${2:vgpr0}\n\n    %0:vgpr_32 = COPY \\$$2\n    $0\n    S_ENDPGM 0, implicit %0\n...\n';
    const run =
      '# RUN: llc -mtriple=${3:amdgcn-amd-amdhsa} -mcpu=${4:gfx942} -run-pass=${5:none} -o - %s | FileCheck %s';
    for (const [isEmpty, ofFunction, ofTest] of [
      [true, 1, 3],
      [false, 3, 1],
    ] as const)
      assert.deepEqual(
        fileSnippets(isEmpty).map((c) => [c.label, c.score, c.detail, c.insert, c.snippet]),
        [
          ['function', ofFunction, ' a machine function', '---', body],
          ['test', ofTest, ' RUN line, CHECK line and function', '---', `${run}\n# CHECK-LABEL: name: $1\n${body}`],
        ],
      );
  });

  it('types: those of the function first', () => {
    const list = (body: string): string[] =>
      lowLevelTypes(scopeAt(body)).map((c) => `${c.label} ${c.score} ${c.description}`.trim());
    const usual = [
      's1',
      's8',
      's16',
      's32',
      's64',
      'p0',
      'p1',
      'p3',
      'p4',
      'p5',
      '<2 x s16>',
      '<2 x s32>',
      '<4 x s32>',
    ];
    assert.deepEqual(
      list('  bb.0:\n'),
      usual.map((t) => `${t} 0`),
    );
    assert.deepEqual(
      list('  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:_(s7) = G_IMPLICIT_DEF\n    %2:_(s32) = G_IMPLICIT_DEF\n'),
      ['s32 2 used 2 x here', 's7 1 used 1 x here', ...usual.filter((t) => t !== 's32').map((t) => `${t} 0`)],
    );
  });
});
