/** si-pre-emit-peephole at its edges, as llc-22: packed instructions behind matrix products, modes of indexed registers, what a branch may not be taken away from. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';

const inBlock = (body: string): string => `---\nname: f\nbody: |\n  bb.0:\n${body}\n    S_ENDPGM 0\n...\n`;

const PRODUCT =
  '$agpr0_agpr1_agpr2_agpr3 = V_MFMA_F32_16X16X16F16_e64 $vgpr0_vgpr1, $vgpr2_vgpr3, $agpr0_agpr1_agpr2_agpr3, 0, 0, 0, implicit $mode, implicit $exec';
const LONG_PRODUCT =
  '$vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23_vgpr24_vgpr25_vgpr26_vgpr27_vgpr28_vgpr29_vgpr30_vgpr31 = V_MFMA_F32_32X32X8F16_vgprcd_e64 $vgpr0_vgpr1, $vgpr2_vgpr3, $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23_vgpr24_vgpr25_vgpr26_vgpr27_vgpr28_vgpr29_vgpr30_vgpr31, 0, 0, 0, implicit $mode, implicit $exec';
const ADD =
  '$vgpr4_vgpr5 = nofpexcept V_PK_ADD_F32 8, $vgpr6_vgpr7, 8, killed $vgpr8_vgpr9, 0, 0, 0, 0, 0, implicit $mode, implicit $exec';
const MUL =
  '$vgpr4_vgpr5 = contract V_PK_MUL_F32 13, killed $sgpr6_sgpr7, 6, $vgpr8_vgpr9, 1, 0, 0, 0, 0, implicit $mode, implicit $exec';
const FMA =
  '$vgpr4_vgpr5 = V_PK_FMA_F32 0, killed $vgpr6_vgpr7, 12, killed $vgpr8_vgpr9, 11, $vgpr10_vgpr11, 0, 0, 0, 0, 0, implicit $mode, implicit $exec';
/** both results of a source that is negated and a constant */
const CONSTANT =
  '$vgpr4_vgpr5 = V_PK_ADD_F32 8, 1065353216, 8, $vgpr8_vgpr9, 0, 0, 0, 0, 0, implicit $mode, implicit $exec';

const lines = (...all: string[]): string => all.map((line) => `    ${line}`).join('\n');

const PACKED = {
  'behind a product': lines(PRODUCT, ADD, ADD, ADD, ADD),
  'each of them': lines(LONG_PRODUCT, ADD, MUL, FMA, CONSTANT),
  'more than the product takes': lines(LONG_PRODUCT, ...Array.from({ length: 12 }, () => FMA)),
  'two products': lines(LONG_PRODUCT, ADD, PRODUCT, MUL, FMA),
  'the result of the product': lines(PRODUCT, '$agpr0 = V_ACCVGPR_WRITE_B32_e64 $vgpr1, implicit $exec', ADD),
  'a transcendental instruction between': lines(
    LONG_PRODUCT,
    '$vgpr1 = V_RCP_F32_e32 $vgpr1, implicit $mode, implicit $exec',
    ADD,
  ),
  'a packed move between': lines(
    LONG_PRODUCT,
    '$vgpr0_vgpr1 = V_PK_MOV_B32 8, $vgpr2_vgpr3, 8, $vgpr2_vgpr3, 0, 0, 0, 0, 0, implicit $exec',
    ADD,
  ),
  'plain instructions between': lines(
    LONG_PRODUCT,
    '$vgpr1 = V_ADD_F32_e32 $vgpr1, $vgpr2, implicit $mode, implicit $exec',
    'KILL $vgpr1',
    ADD,
  ),
  'a load between': lines(LONG_PRODUCT, '$vgpr1 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 0, 0, implicit $exec', ADD),
  'the first result in the second': lines(
    LONG_PRODUCT,
    '$vgpr4_vgpr5 = V_PK_ADD_F32 0, $vgpr4_vgpr5, 8, $vgpr8_vgpr9, 0, 0, 0, 0, 0, implicit $mode, implicit $exec',
    ADD,
  ),
};

const ON = 'S_SET_GPR_IDX_ON $sgpr0, 1, implicit-def $m0, implicit-def $mode, implicit undef $m0, implicit $mode';
const OTHER = ON.replace('sgpr0, 1', 'sgpr0, 8');
const OFF = 'S_SET_GPR_IDX_OFF implicit-def $mode, implicit $mode';
const MOVE = '$vgpr0 = V_MOV_B32_indirect_read undef $vgpr1, implicit $exec, implicit $m0';
const bundle = (...all: string[]): string =>
  ['BUNDLE {', ...all.map((line) => `  ${line}`), '}'].map((l) => `    ${l}`).join('\n');

const INDEXED = {
  'one after the other': lines(ON, MOVE, OFF, ON, MOVE, OFF),
  three: lines(ON, MOVE, OFF, ON, MOVE, OFF, ON, MOVE, OFF),
  'another mode': lines(ON, MOVE, OFF, OTHER, MOVE, OFF, ON, OFF),
  'in bundles': [bundle(ON, MOVE, OFF), bundle(ON, MOVE, OFF), bundle(OTHER, MOVE, OFF)].join('\n'),
  'a vector instruction between': lines(ON, MOVE, OFF, '$vgpr2 = V_MOV_B32_e32 $vgpr3, implicit $exec', ON, MOVE, OFF),
  'the index changed between': lines(ON, MOVE, OFF, '$sgpr0 = S_MOV_B32 1', ON, MOVE, OFF),
  'scalar instructions between': lines(ON, MOVE, OFF, '$sgpr1 = S_MOV_B32 1', ON, MOVE, OFF),
  'too far away': lines(ON, MOVE, OFF, ...Array.from({ length: 20 }, () => 'S_NOP 0'), ON, MOVE, OFF),
};

const skipped = (body: string, weights: string): string => `---
name: f
body: |
  bb.0:
    successors: %bb.1(${weights.split(' ')[0]}), %bb.2(${weights.split(' ')[1]})
    S_CBRANCH_EXECZ %bb.2, implicit $exec
  bb.1:
    successors: %bb.2
    ${body}
  bb.2:
    S_ENDPGM 0
...
`;

const SKIPPED = [
  'S_WAITCNT 0',
  'S_WAITCNT_soft 0',
  'S_WAITCNT_VSCNT $sgpr_null, 0',
  'S_WAITCNT_DEPCTR 0',
  'S_WAIT_LOADCNT 0',
  'S_WAIT_LOADCNT_DSCNT 0',
  'S_WAIT_XCNT 0',
  'S_WAIT_ASYNCCNT 0',
  'S_WAIT_IDLE',
  'S_NOP 0',
  '$vgpr9 = V_WRITELANE_B32 $sgpr0, 6, undef $vgpr9',
  '$sgpr0 = V_READLANE_B32 undef $vgpr9, 6',
  '$vgpr0 = V_MOV_B32_e32 0, implicit $exec',
  '$vgpr0_vgpr1 = V_MUL_F64_e64 0, $vgpr0_vgpr1, 0, $vgpr0_vgpr1, 0, 0, implicit $mode, implicit $exec',
  '$vgpr0 = GLOBAL_LOAD_DWORD $vgpr0_vgpr1, 0, 0, implicit $exec',
  'S_SETREG_B32 $sgpr0, 1, implicit-def $mode, implicit $mode',
  'S_BRANCH %bb.2',
  'INLINEASM &"", 1',
];

describe('si-pre-emit-peephole', () => {
  const compare = (text: string, cpu: string): string => {
    const args = ['-mtriple=amdgcn', `-mcpu=${cpu}`, '-run-pass=si-pre-emit-peephole', '-simplify-mir'];
    const { differs, llc } = runLlcJob({ name: text, text, args });
    assert.equal(differs, null, llc.stderr);
    return llc.stdout;
  };

  it('makes packed instructions two', function () {
    needsLlc(this);
    let nUnpacked = 0;
    for (const body of Object.values(PACKED))
      if (/V_(?:ADD|MUL|FMA)_F32_e64/.test(compare(inBlock(body), 'gfx942'))) nUnpacked++;
    assert.equal(nUnpacked, 6);
  });

  it('joins modes of indexed registers', function () {
    needsLlc(this);
    const counts = Object.values(INDEXED).map((body) => compare(inBlock(body), 'gfx900').match(/IDX_ON/g)?.length);
    assert.deepEqual(counts, [1, 1, 3, 2, 2, 2, 1, 2]);
  });

  it('takes branches away around what is cheap and does nothing without lanes', function () {
    needsLlc(this);
    for (const body of SKIPPED)
      for (const weights of ['0x40000000 0x40000000', '0x7ffffff0 0x00000010', '0x00000010 0x7ffffff0'])
        compare(skipped(body, weights), 'gfx1200');
  });

  it('goes by the model with -schedmodel=0, too', function () {
    needsLlc(this);
    const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=si-pre-emit-peephole', '-schedmodel=0'];
    for (const body of ['S_NOP 0', SKIPPED[13]!]) {
      const text = skipped(body, '0x40000000 0x40000000');
      assert.equal(runLlcJob({ name: body, text, args }).differs, null);
    }
  });
});
