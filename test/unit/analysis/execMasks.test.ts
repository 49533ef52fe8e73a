/** SGPRs of functions whose masks are computed in EXEC once they are allocated, against llc-22's assembly. */
import assert from 'node:assert/strict';
import { allocatedUse } from '../../../server/src/analysis/allocatedUse.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';

const TRIPLE = 'amdgcn-amd-amdhsa';
const AND = '$sgpr9 = S_AND_B32 $sgpr4, killed $vcc_lo, implicit-def dead $scc';
const COMPARE = '$vcc_lo = V_CMP_EQ_U32_e64 0, $vgpr0, implicit $exec';
const COPY = '$sgpr4 = COPY $exec_lo, implicit-def $exec_lo';

/** What stands before the move of $sgpr9 to EXEC. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  plain: [COMPARE, COPY, AND],
  'with an else': [COMPARE, COPY, AND, '$sgpr4 = S_XOR_B32 $sgpr9, killed $sgpr4, implicit-def dead $scc'],
  'EXEC read after it': [COMPARE, COPY, AND, '$vgpr1 = V_MOV_B32_e32 0, implicit $exec'],
  'a second reader of the copy': [COMPARE, COPY, '$sgpr5 = S_MOV_B32 $sgpr4', AND],
  'the compare is read': [COMPARE, '$sgpr5 = S_MOV_B32 $vcc_lo', COPY, AND],
  'its source changes': [COMPARE, '$vgpr0 = V_MOV_B32_e32 1, implicit $exec', COPY, AND],
  'no copy, in the register of an argument': [
    'liveins: $sgpr9',
    COMPARE,
    '$sgpr9 = S_AND_B32 $exec_lo, killed $vcc_lo, implicit-def dead $scc',
  ],
  'no copy': [COMPARE, '$sgpr9 = S_AND_B32 $exec_lo, killed $vcc_lo, implicit-def dead $scc'],
};

function textOf(lines: readonly string[], attribute: string): string {
  return [
    '--- |',
    `  define amdgpu_kernel void @f() ${attribute} { ret void }`,
    '...',
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'machineFunctionInfo:',
    '  isEntryFunction: true',
    'body: |',
    '  bb.0:',
    '    successors: %bb.1, %bb.2',
    '    liveins: $vgpr0',
    ...lines.map((l) => `    ${l}`),
    '    $exec_lo = S_MOV_B32_term killed $sgpr9',
    '    S_CBRANCH_EXECZ %bb.2, implicit $exec',
    '    S_BRANCH %bb.1',
    '  bb.1:',
    '    S_NOP 0',
    '  bb.2:',
    '    S_ENDPGM 0',
    '...',
    '',
  ].join('\n');
}

describe('masks that are computed in EXEC', () => {
  for (const cpu of ['gfx1010', 'gfx1030', 'gfx1100', 'gfx1200'])
    for (const [name, lines] of Object.entries(FORMS))
      it(`${cpu}: ${name}`, function () {
        needsLlc(this);
        for (const attribute of ['', 'noinline optnone']) {
          const text = textOf(lines, attribute);
          const asm = runLlc(
            ['-x', 'mir', `-mtriple=${TRIPLE}`, `-mcpu=${cpu}`, '-start-after=virtregrewriter,2', '-o', '-'],
            text,
          );
          assert.equal(asm.status, 0, asm.stderr);
          const symbol = (key: string): number => Number(new RegExp(`\\.set f\\.${key}, (\\d+)`).exec(asm.stdout)![1]);
          const { own } = allocatedUse(lowerMir(text, { triple: TRIPLE, cpu, features: '' })[0]!);
          assert.deepEqual(
            [own.sgpr, Number(own.usesVCC)],
            [symbol('numbered_sgpr'), symbol('uses_vcc')],
            `${attribute}: ${text}`,
          );
        }
      });
});
