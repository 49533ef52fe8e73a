/** Tables of LLVM 24. Expected values: llc of LLVM 24 (../shared/oracle24), asked with -mcpu=help, -run-pass=none and -debug-only=machine-scheduler. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSubtarget, LLVM22, listCpus, releaseOf, versionOf } from '../../../server/src/target/index.js';
import { packRecordedArrays, recordArrays } from '../../../server/src/target/arrayStore.js';
import { LLVM22_TEXTS, LLVM24_TEXTS } from '../../../server/src/target/tableTexts.js';

const FACTS = join(__dirname, '..', '..', 'fixtures', 'target', 'occupancy24.json');

/** Registers and waves; docs in server/tools/extract24/occupancy.py. */
interface OccupancyFacts {
  readonly of: Readonly<Record<string, number>>;
  readonly facts: readonly {
    readonly waves: number;
    readonly byVGPRs: readonly number[];
    readonly bySGPRs: readonly number[];
    readonly mostVGPRs: readonly number[];
    readonly fewestVGPRs: readonly number[];
    readonly mostSGPRs: readonly number[];
    readonly fewestSGPRs: readonly number[];
    readonly addressable: number;
    readonly total: number;
    readonly groups: readonly number[];
  }[];
}

/** [first, value, ...] of the values of 0, 1, ... */
function steps(count: number, valueOf: (n: number) => number): number[] {
  const res: number[] = [];
  for (let n = 0; n < count; n++) if (n === 0 || valueOf(n) !== res.at(-1)) res.push(n, valueOf(n));
  return res;
}

const LLVM24 = releaseOf('llvm-24');

describe('tables of LLVM 24', () => {
  it('names its version and knows processors that 22 lacks', () => {
    assert.equal(LLVM24.version, '24.0.0git');
    // The list of releases has versions of its own, without tables.
    assert.equal(LLVM24_TEXTS.text('LLVM_VERSION'), versionOf('llvm-24'));
    assert.equal(LLVM22_TEXTS.text('LLVM_VERSION'), versionOf('llvm-22'));
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

  // occupancy24.json: made by server/tools/extract24/occupancy.py, which asks the library.
  it('counts registers and waves as the library does, on every processor with 32 and 64 lanes', () => {
    const { of, facts } = JSON.parse(readFileSync(FACTS, 'utf8')) as OccupancyFacts;
    for (const [key, n] of Object.entries(of)) {
      const [cpu, features] = key.split(' ') as [string, string];
      const st = createSubtarget('amdgcn-amd-amdhsa', cpu, features, LLVM24);
      const counts = Array.from({ length: st.maxWavesPerEU }, (_, k) => k + 1);
      const ours: OccupancyFacts['facts'][number] = {
        waves: st.maxWavesPerEU,
        byVGPRs: steps(1030, (k) => st.occupancyWithNumVGPRs(k, 0)),
        bySGPRs: steps(121, (k) => st.occupancyWithNumSGPRs(k)),
        mostVGPRs: counts.map((w) => st.maxNumVGPRs(w, 0)),
        fewestVGPRs: counts.map((w) => st.minNumVGPRs(w, 0)),
        mostSGPRs: counts.map((w) => st.maxNumSGPRs(w, true)),
        fewestSGPRs: counts.map((w) => st.minNumSGPRs(w)),
        addressable: st.addressableNumVGPRs(0),
        total: st.totalNumVGPRs,
        groups: [1, 32, 64, 65, 128, 256, 1000, 1024].map((size) => st.maxWorkGroupsPerCU(size)),
      };
      assert.deepEqual(ours, facts[n], key);
    }
  });

  it('keeps decoded arrays apart from those of 22, though texts may be equally long', () => {
    const units = (texts: typeof LLVM22_TEXTS): Int32Array => texts.reader('REG_UNITS').lists().values;
    assert.equal(LLVM24_TEXTS.text('REG_UNITS').length, LLVM22_TEXTS.text('REG_UNITS').length);
    recordArrays();
    units(LLVM22_TEXTS);
    units(LLVM24_TEXTS);
    const size = (texts: typeof LLVM22_TEXTS): number => packRecordedArrays(texts.store.release, 'test').length;
    assert.ok(size(LLVM22_TEXTS) > 1000);
    assert.ok(size(LLVM24_TEXTS) > 1000);
  });
});
