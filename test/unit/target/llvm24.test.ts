/** Tables of LLVM 24. Expected values: llc of LLVM 24 (../shared/oracle24), asked with -mcpu=help, -run-pass=none and -debug-only=machine-scheduler. */
import assert from 'node:assert/strict';
import { createSubtarget, LLVM22, listCpus, releaseOf } from '../../../server/src/target/index.js';
import { packRecordedArrays, recordArrays } from '../../../server/src/target/arrayStore.js';
import { LLVM22_TEXTS, LLVM24_TEXTS } from '../../../server/src/target/tableTexts.js';

const LLVM24 = releaseOf('llvm-24');

describe('tables of LLVM 24', () => {
  it('names its version and knows processors that 22 lacks', () => {
    assert.equal(LLVM24.version, '24.0.0git');
    assert.ok(listCpus('', LLVM24).includes('gfx1310'));
    assert.ok(!listCpus('', LLVM22).includes('gfx1310'));
    assert.deepEqual(createSubtarget('amdgcn-amd-amdhsa', 'gfx1310', '', LLVM24).problems, []);
  });

  it('has registers that end in VCC, with their parts', () => {
    const t = LLVM24.tables;
    const wide = t.regByName('sgpr76_1024');
    assert.ok(wide > 0);
    const sub = (name: string): string => t.regName(t.getSubReg(wide, t.subRegIndexByName(name)));
    assert.equal(sub('sub0'), 'sgpr76');
    assert.equal(sub('sub31'), 'vcc_hi');
    assert.equal(sub('sub30_sub31'), 'vcc');
    assert.equal(
      sub('sub16_sub17_sub18_sub19_sub20_sub21_sub22_sub23_sub24_sub25_sub26_sub27_sub28_sub29_sub30_sub31'),
      'sgpr92_512',
    );
    assert.equal(LLVM22.tables.regByName('sgpr76_1024'), -1);
  });

  it('finds each opcode by its name', () => {
    const t = LLVM24.tables;
    for (let opc = 0; opc < t.nOpcodes; opc++) assert.equal(t.opcodeByName(t.opcodeName(opc)), opc);
  });

  it('finds operands of an opcode that both have under the same names', () => {
    const opcode = 'V_MFMA_F32_16X16X16F16_e64';
    for (const name of ['vdst', 'src0', 'src1', 'src2', 'cbsz', 'abid', 'blgp'])
      assert.equal(
        LLVM24.tables.getNamedOperandIdx(LLVM24.tables.opcodeByName(opcode), name),
        LLVM22.tables.getNamedOperandIdx(LLVM22.tables.opcodeByName(opcode), name),
        name,
      );
  });

  // GCNSubtarget::getOccupancyWithNumSGPRs of the library: [most registers, waves]
  const STEPS: readonly (readonly [triple: string, cpu: string, steps: readonly (readonly [number, number])[]])[] = [
    [
      'amdgcn-amd-amdhsa',
      'gfx700',
      [
        [32, 10],
        [40, 9],
        [48, 8],
        [56, 7],
        [64, 6],
        [80, 5],
        [112, 4],
        [120, 3],
      ],
    ],
    [
      'amdgcn-amd-amdhsa',
      'gfx900',
      [
        [64, 10],
        [80, 8],
        [96, 7],
        [112, 6],
        [120, 5],
      ],
    ],
    [
      'amdgcn-amd-amdhsa',
      'gfx90a',
      [
        [80, 8],
        [96, 7],
        [112, 6],
        [120, 5],
      ],
    ],
    [
      'amdgcn--amdpal',
      'gfx600',
      [
        [48, 10],
        [56, 9],
        [64, 8],
        [72, 7],
        [80, 6],
        [96, 5],
        [120, 4],
      ],
    ],
    [
      'amdgcn--amdpal',
      'gfx802',
      [
        [80, 10],
        [96, 8],
        [112, 7],
        [120, 6],
      ],
    ],
    ['amdgcn--amdpal', 'gfx1030', [[120, 16]]],
  ];
  for (const [triple, cpu, steps] of STEPS) {
    it(`counts the waves that SGPRs allow on ${cpu}, ${triple}`, () => {
      const st = createSubtarget(triple, cpu, '', LLVM24);
      let n = 0;
      for (const [most, waves] of steps)
        for (; n <= most; n++) assert.equal(st.occupancyWithNumSGPRs(n), waves, `${n}`);
    });
  }

  it('keeps decoded arrays apart from those of 22, though texts may be equally long', () => {
    const units = (texts: typeof LLVM22_TEXTS): Int32Array => texts.reader('REG_UNITS').lists().values;
    assert.equal(LLVM24_TEXTS.text('REG_UNITS').length, LLVM22_TEXTS.text('REG_UNITS').length);
    recordArrays();
    units(LLVM22_TEXTS);
    units(LLVM24_TEXTS);
    packRecordedArrays('test');
  });
});
