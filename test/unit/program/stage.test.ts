/** How far llc has come with a function: what tells, and what is a guess. */
import assert from 'node:assert/strict';
import { LoweringCache, lowerFile } from '../../../server/src/model/lowering/lowerFile.js';
import { stageEvidence, stageOf, stageText } from '../../../server/src/program/stage.js';
import type { Stage } from '../../../server/src/program/stageNames.js';
import { targetOfFile } from '../../../server/src/program/targetOfFile.js';
import { TestFile } from '../../../server/src/program/testFile/testFile.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import { parseMirFile } from '../../../server/src/syntax/index.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';

/** `before scheduling; -run-pass=machine-scheduler`, with the passes that are still to run before the scheduler. */
function stageIn(text: string, chosen: Stage | null = null): string {
  const file = parseMirFile(new SourceText(text), new Interner());
  const target = targetOfFile(new TestFile(text), { ...DEFAULT_SETTINGS.target, cpu: 'gfx90a' });
  const { functions, functionStarts } = lowerFile(
    file,
    { triple: target.triple, cpu: target.cpu, features: '', readsDumps: true },
    new LoweringCache(),
  );
  const stage = stageOf(functions[0]!.fn!, stageEvidence(file, target, chosen), functionStarts[0]!);
  const { name = '', instance = 0 } = stage.ahead ?? {};
  return [stageText(stage), stage.by, instance === 0 ? name : `${name},${instance}`].filter((p) => p !== '').join('; ');
}

const functionOf = (lines: readonly string[], keys = ''): string =>
  `---\nname: f\ntracksRegLiveness: true\n${keys}body: |\n  bb.0:\n${lines.map((l) => `    ${l}\n`).join('')}...\n`;
const VIRTUAL = ['%0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec', 'S_ENDPGM 0, implicit %0'];
const PHYSICAL = ['$vgpr0 = V_MOV_B32_e32 1, implicit $exec', 'S_ENDPGM 0, implicit $vgpr0'];
const run = (words: string): string => `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a ${words} %s\n`;

describe('stages', () => {
  const CASES: readonly [string, string][] = [
    [functionOf(VIRTUAL), 'before scheduling (guess)'],
    [functionOf(PHYSICAL), 'allocated (guess)'],
    [functionOf([...PHYSICAL.slice(0, 1), 'S_WAITCNT 0', 'S_ENDPGM 0']), 'final (guess)'],
    [functionOf(VIRTUAL, 'isSSA: true\n'), 'selected (SSA); isSSA: true; early-tailduplication'],
    [functionOf(['%0:_(s32) = G_CONSTANT i32 1', 'S_ENDPGM 0, implicit %0']), 'generic; generic registers'],
    [
      functionOf([
        '%0:vgpr_32 = IMPLICIT_DEF',
        '%1:vgpr_32 = V_MAC_F32_e32 %0, %0, %0, implicit $mode, implicit $exec',
        'S_ENDPGM 0, implicit %1',
      ]),
      'selected (SSA); tied operands; early-tailduplication',
    ],
    [
      functionOf(
        [
          '$vgpr0 = SI_SPILL_V32_RESTORE %stack.0, $sgpr32, 0, implicit $exec :: (load (s32) from %stack.0)',
          'S_ENDPGM 0',
        ],
        'stack:\n  - { id: 0, size: 4 }\n',
      ),
      'allocated; stack objects',
    ],
    [run('-run-pass=machine-scheduler') + functionOf(VIRTUAL), 'before scheduling; -run-pass=machine-scheduler'],
    [
      run('-run-pass=register-coalescer,machine-scheduler') + functionOf(VIRTUAL),
      'before scheduling; -run-pass=register-coalescer; register-coalescer',
    ],
    [
      run('-start-after=rename-independent-subregs') + functionOf(VIRTUAL),
      'before scheduling; -start-after=rename-independent-subregs; rewrite-partial-reg-uses',
    ],
    [run('-start-before=greedy,0') + functionOf(VIRTUAL), 'scheduled; -start-before=greedy,0'],
    [run('-run-pass=greedy') + functionOf(VIRTUAL), 'scheduled; -run-pass=greedy'],
    [run('-run-pass=peephole-opt') + functionOf(VIRTUAL), 'selected (SSA); -run-pass=peephole-opt; peephole-opt'],
    [
      run('-stop-after=dead-mi-elimination,1') + functionOf(VIRTUAL, 'isSSA: true\n'),
      'selected (SSA); -stop-after=dead-mi-elimination,1; si-fold-operands',
    ],
    [
      run('-stop-after=amdgpu-isel') + functionOf(VIRTUAL),
      'selected (SSA); -stop-after=amdgpu-isel; si-fix-sgpr-copies',
    ],
    // It runs before the scheduler and after it.
    [run('-run-pass=si-shrink-instructions') + functionOf(VIRTUAL), 'before scheduling (guess)'],
    [run('-run-pass=prologepilog') + functionOf(PHYSICAL), 'allocated; -run-pass=prologepilog'],
    [run('-run-pass=si-insert-waitcnts') + functionOf(PHYSICAL), 'final; -run-pass=si-insert-waitcnts'],
    [run('-stop-before=machine-scheduler') + functionOf(VIRTUAL), 'before scheduling; -stop-before=machine-scheduler'],
    // What a function is made of goes before what a RUN line says.
    [run('-start-before=greedy') + functionOf(PHYSICAL), 'allocated (guess)'],
    [
      `# *** IR Dump After Machine Instruction Scheduler (machine-scheduler) ***:\n${functionOf(VIRTUAL)}`,
      'scheduled; IR dump after machine-scheduler',
    ],
    [
      `${functionOf(VIRTUAL)}---\n========== SCHEDULING DAG ==========\n`,
      "before scheduling; Triton's graph at its end",
    ],
  ];
  for (const [n, [text, expected]] of CASES.entries())
    it(`${n}: ${expected}`, () => assert.equal(stageIn(text), expected));

  it('are those that are chosen', () => {
    assert.equal(
      stageIn(run('-start-before=greedy') + functionOf(VIRTUAL), 'selected'),
      'selected (SSA); chosen; early-tailduplication',
    );
  });
});
