/**
 * Subtargets against LLVM's own functions. `test/fixtures/target/llvm.json` holds the answers of LLVM 22.1.8 for
 * every processor with several feature strings, made by `npm run gen` (`extract --golden`, server/tools/extract).
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSubtarget,
  listCpus,
  listFeatures,
  parseTriple,
  LLVM22,
  releaseOf,
} from '../../../server/src/target/index.js';
import type { Subtarget } from '../../../server/src/target/index.js';
import { LLC, needsLlc } from '../../support/llc.js';

interface Golden {
  readonly llvm: string;
  readonly cpus: readonly string[];
  /** [triple, processor, features, list of features, limits or -1] */
  readonly subtargets: readonly (readonly [string, string, string, number, number])[];
  readonly features: readonly (readonly number[])[];
  readonly limits: readonly (readonly (readonly number[])[])[];
}

const golden = JSON.parse(
  readFileSync(join(__dirname, '..', '..', 'fixtures', 'target', 'llvm.json'), 'utf8'),
) as Golden;

/** [from, value, ...] as the extractor writes it. */
function steps(from: number, to: number, f: (n: number) => number): number[] {
  const res: number[] = [];
  for (let n = from; n <= to; n++) {
    const v = f(n);
    if (res.length === 0 || res[res.length - 1] !== v) res.push(n, v);
  }
  return res;
}

/** Our answers in the order of `limits` in subtargets.cpp; the last row takes its questions from the golden one. */
function ourLimits(s: Subtarget, questions: readonly number[]): number[][] {
  const w = s.maxWavesPerEU;
  const res = [
    [
      s.wavefrontSize,
      s.eusPerCU,
      w,
      s.ldsSizeBytes,
      s.addressableLdsBytes,
      s.totalNumSGPRs,
      s.addressableNumSGPRs,
      s.sgprAllocGranule,
      s.totalNumVGPRs,
      s.addressableNumArchVGPRs,
    ],
    steps(0, 200, (n) => s.occupancyWithNumSGPRs(n)),
    steps(1, w + 2, (n) => s.maxNumSGPRs(n, false)),
    steps(1, w + 2, (n) => s.maxNumSGPRs(n, true)),
    steps(1, w + 2, (n) => s.minNumSGPRs(n)),
    steps(1, 1024, (n) => s.maxWorkGroupsPerCU(n)),
  ];
  for (const block of [0, 16, 32]) {
    res.push([s.vgprAllocGranule(block), s.addressableNumVGPRs(block)]);
    res.push(steps(0, 1100, (n) => s.occupancyWithNumVGPRs(n, block)));
    res.push(steps(1, w + 2, (n) => s.maxNumVGPRs(n, block)));
    res.push(steps(1, w + 2, (n) => s.minNumVGPRs(n, block)));
  }
  const ranges: number[] = [];
  for (let i = 0; i < questions.length; i += 5) {
    const [lds, min, max] = [questions[i]!, questions[i + 1]!, questions[i + 2]!];
    ranges.push(lds, min, max, ...s.occupancyWithWorkGroupSizes(lds, min, max));
  }
  res.push(ranges);
  return res;
}

describe('subtargets', () => {
  it('has the tables and the golden answers of one LLVM', () => {
    assert.equal(LLVM22.tables.llvmVersion, golden.llvm);
    assert.deepEqual(['', ...listCpus()], golden.cpus);
  });

  it('switches features on as LLVM does, for every processor, operating system and feature string', () => {
    const names = listFeatures().map((f) => f.name);
    for (const [triple, cpu, fs, list] of golden.subtargets) {
      const expected = golden.features[list]!.map((i) => names[i]!);
      assert.deepEqual(createSubtarget(triple, cpu, fs).featureNames(), expected, `${triple} ${cpu} ${fs}`);
    }
  });

  it('has the limits and occupancies of LLVM, for every processor and register count', () => {
    for (const [triple, cpu, fs, , list] of golden.subtargets) {
      if (list < 0) continue;
      const expected = golden.limits[list]!;
      const got = ourLimits(createSubtarget(triple, cpu, fs), expected[expected.length - 1]!);
      expected.forEach((row, i) => assert.deepEqual(got[i], row, `${triple} ${cpu} ${fs} row ${i}`));
    }
  });

  it('chooses the class of a class-by-mode operand', () => {
    const t = LLVM22.tables;
    const o = t.opcodeByName('GLOBAL_LOAD_DWORDX2');
    const cls = (cpu: string): string => t.regClassName(createSubtarget('amdgcn', cpu, '').opInfoRegClass(o, 0));
    assert.equal(cls('gfx900'), 'VReg_64');
    assert.equal(cls('gfx90a'), 'AV_64_Align2');
    const s = createSubtarget('amdgcn', 'gfx900', '');
    assert.equal(s.opInfoRegClass(o, 99), -1);
    assert.equal(s.opInfoRegClass(o, -1), -1);
  });

  it('encodes opcodes by processor', () => {
    const t = LLVM22.tables;
    const name = (cpu: string, opcode: string): string =>
      t.opcodeName(createSubtarget('amdgcn', cpu, '').mcOpcode(t.opcodeByName(opcode)));
    assert.equal(name('gfx900', 'V_ADD_F32_e32'), 'V_ADD_F32_e32_vi');
    assert.equal(name('gfx1100', 'V_ADD_F32_e32'), 'V_ADD_F32_e32_gfx11');
    assert.equal(name('gfx600', 'V_MFMA_F32_4X4X1F32_e64'), '');
    assert.equal(name('gfx900', 'COPY'), 'COPY');
  });

  it('has callee-saved registers and the mask of a call', () => {
    const t = LLVM22.tables;
    const s = createSubtarget('amdgcn', 'gfx900', '');
    const C = 0;
    assert.ok(s.calleeSavedRegs(C).includes(t.regByName('sgpr30')));
    assert.ok(s.calleeSavedRegs(C).includes(t.regByName('vgpr40')));
    assert.equal(t.regMaskName(s.callPreservedMask(C)), 'csr_amdgpu');
    assert.equal(t.regMaskName(createSubtarget('amdgcn', 'gfx90a', '').callPreservedMask(C)), 'csr_amdgpu_gfx90ainsts');
    assert.deepEqual(s.calleeSavedRegs(91), []);
    assert.deepEqual(s.calleeSavedRegs(9999), []);
  });

  it('has scheduling models with resolved variants', () => {
    const t = LLVM22.tables;
    const m = createSubtarget('amdgcn', 'gfx942', '').schedModel;
    assert.ok(m.isVariantClass(t.opcodeSchedClass(t.opcodeByName('COPY'))));
    const sgprCopy = m.schedClass(m.copyClass(t.regClassByName('sreg_32')));
    const vgprCopy = m.schedClass(m.copyClass(t.regClassByName('vgpr_32')));
    assert.notDeepEqual(sgprCopy.writeProcRes, vgprCopy.writeProcRes);
    assert.equal(
      m.variantClass(t.opcodeByName('S_NOP'), () => 0),
      -1,
    );
    assert.equal(m.schedClass(-1).numMicroOps, 0);
    assert.equal(createSubtarget('amdgcn', '', '').schedModel.hasInstrSchedModel, false);
  });

  it('resolves a matrix instruction by its formats: f4 takes half the passes of f8', () => {
    const t = LLVM22.tables;
    const m = createSubtarget('amdgcn', 'gfx950', '').schedModel;
    const mfma = t.opcodeByName('V_MFMA_F32_32X32X64_F8F6F4_f8_f8_e64');
    const cycles = (cbsz: number, blgp: number): number => {
      const value = (opIdx: number): number => (opIdx === t.getNamedOperandIdx(mfma, 'cbsz') ? cbsz : blgp);
      return m.schedClass(m.variantClass(mfma, value)).writeProcRes[0]!.releaseAtCycle;
    };
    assert.equal(cycles(0, 0), 2 * cycles(4, 4));
    assert.equal(cycles(0, 4), cycles(0, 0));
  });

  it('asks the feature of the generation, not its instructions, for waves, wave size, barriers and LDS', () => {
    // `occupancy` that llc-22 -run-pass=none prints for `ldsSize` and "amdgpu-flat-work-group-size".
    const cases = [
      ['gfx1030', '-flat-address-space', 30000, 128, 256, 2],
      ['gfx1030', '-flat-address-space', 0, 64, 64, 10],
      ['gfx1030', '-flat-address-space', 0, 1024, 1024, 8],
      ['gfx1030', '+cumode,-gfx10', 60000, 1, 1024, 4],
      ['gfx1100', '-gfx11', 60000, 128, 256, 1],
      ['gfx1250', '-cumode', 30000, 64, 64, 11],
      ['gfx1250', '-cumode', 0, 64, 64, 16],
      ['gfx1250', '', 0, 64, 64, 8],
    ] as const;
    for (const [cpu, features, lds, min, max, occupancy] of cases) {
      const st = createSubtarget('amdgcn-amd-amdhsa', cpu, features);
      assert.equal(
        st.occupancyWithWorkGroupSizes(lds, min, max)[1],
        occupancy,
        `${cpu} ${features} ${lds} ${min},${max}`,
      );
    }
  });

  it('ignores unknown names and says so in the words of LLVM', () => {
    const s = createSubtarget('amdgcn', 'gfx0', '+xnack,+nonsense');
    assert.deepEqual(s.problems, [
      "'gfx0' is not a recognized processor for this target (ignoring processor)",
      "'+nonsense' is not a recognized feature for this target (ignoring feature)",
      "warning: xnack 'On' was requested for a processor that does not support it!",
    ]);
    assert.equal(s.maxWavesPerEU, 10);
  });

  it('finds the operating system anywhere after the architecture, as LLVM normalizes triples', () => {
    // Operating systems in the triples that llc-22 -run-pass=none prints for these.
    const cases = [
      ['amdgcn', ''],
      ['amdgcn-amd-amdhsa', 'amdhsa'],
      ['amdgcn-amdhsa', 'amdhsa'],
      ['amdgcn--amdhsa', 'amdhsa'],
      ['amdgcn-x-y-amdhsa', 'amdhsa'],
      ['amdgcn-amd-amdhsa-x', 'amdhsa'],
      ['amdgcn-amd-amdhsa1.2', 'amdhsa'],
      ['amdgcn--mesa3d', 'mesa3d'],
      ['amdgcn-mesa-mesa3d', 'mesa3d'],
      ['amdgcn-amd-amdpal', ''],
      ['amdgcn-amd-hsa', ''],
    ] as const;
    for (const [triple, os] of cases) {
      const s = createSubtarget(triple, '', '');
      const { isAMDGCN, isAmdHsaOS, isMesa3DOS } = parseTriple(triple);
      const expected = [os === 'amdhsa', os === 'mesa3d'];
      assert.deepEqual([isAmdHsaOS, isMesa3DOS], expected, triple);
      assert.deepEqual([s.isAmdHsaOS, s.isMesa3DOS], expected, triple);
      assert.ok(isAMDGCN && s.tables.isAMDGCN);
      assert.equal(s.cpu, os === 'amdhsa' ? 'generic-hsa' : 'generic', triple);
    }
    assert.equal(parseTriple('amdhsa-amdgcn').isAmdHsaOS, false, 'an architecture is none');
  });

  it('is one object for one key, and not for another', () => {
    const one = createSubtarget('amdgcn', 'gfx900', '+xnack');
    assert.equal(createSubtarget('amdgcn', 'gfx900', '+xnack'), one);
    for (const [triple, cpu, features] of [
      ['amdgcn-amd-amdhsa', 'gfx900', '+xnack'],
      ['amdgcn', 'gfx906', '+xnack'],
      ['amdgcn', 'gfx900', ''],
      ['amdgcn', null, '+xnack'],
      ['amdgcn', '', '+xnack'],
    ] as const)
      assert.notEqual(createSubtarget(triple, cpu, features), one);
    const empty = createSubtarget('amdgcn', null, '');
    assert.equal(empty.cpu, '');
    assert.match(empty.problems[0]!, /^'' is not a recognized processor/);
    // However many there were before.
    for (let k = 0; k < 300; k++) createSubtarget('amdgcn', `none${k}`, '');
    assert.equal(createSubtarget('amdgcn', 'gfx900', '+xnack').cpu, 'gfx900');
  });

  it('of R600 has nothing of what is AMDGCN’s', () => {
    const s = createSubtarget('r600', 'cayman', '');
    assert.deepEqual([s.cpu, s.problems, s.tables.isAMDGCN, s.triple], ['cayman', [], false, 'r600']);
    const limits = [
      [s.maxWavesPerEU, s.eusPerCU, s.wavefrontSize, s.isaWavefrontSize, s.vgprAllocGranule(0), s.sgprAllocGranule],
      [s.ldsSizeBytes, s.addressableLdsBytes, s.totalNumSGPRs, s.addressableNumSGPRs, s.totalNumVGPRs],
      [s.addressableNumArchVGPRs, s.addressableNumVGPRs(0)],
      [s.occupancyWithNumSGPRs(9), s.occupancyWithNumVGPRs(9, 0), s.maxWorkGroupsPerCU(64)],
      [s.maxNumSGPRs(1, true), s.minNumSGPRs(1), s.maxNumVGPRs(1, 0), s.minNumVGPRs(1, 0)],
      [...s.occupancyWithWorkGroupSizes(0, 1, 64), ...s.calleeSavedRegs(0), s.callPreservedMask(0)],
    ];
    assert.deepEqual(limits, [
      [1, 1, 64, 64, 1, 1],
      [0, 0, 0, 0, 0],
      [0, 0],
      [1, 1, 1],
      [0, 0, 0, 0],
      [1, 1, -1],
    ]);
    const flags = [
      s.hasGFX90AInsts,
      s.hasMAIInsts,
      s.needsAlignedVGPRs,
      s.xnackEnabled,
      s.schedModel.hasInstrSchedModel,
    ];
    assert.deepEqual(flags, [false, false, false, false, false]);
    const { tables: t } = s;
    const ofClass = [t.isSGPRClass(0), t.hasVGPRs(0), t.hasAGPRs(0), t.hasSGPRs(0), t.regClassGlobalPriority(0)];
    assert.deepEqual(ofClass, [false, false, false, false, false]);
    const bank = [t.nRegBanks, t.regBankByName('vgpr'), t.regBankName(0), t.regBankCovers(0, 0), t.regMaskByName('csr_amdgpu'), t.regMaskName(0)]; // prettier-ignore
    assert.deepEqual(bank, [0, -1, '', false, -1, '']);
    assert.ok(t.regMaskBits(0).every((word) => word === 0) && t.regMaskBits(0).length * 32 >= t.nRegs);
    const ofOpcode = [t.opcodeTSLo(3), t.opcodeTSHi(3), t.opcodeSchedClass(3), t.getNamedOperandIdx(3, 'dst')];
    assert.deepEqual(ofOpcode, [0, 0, 0, -1]);
    assert.deepEqual([t.operandName(3, 0), t.mapOpcode('VOPe64', 3), s.mcOpcode(3)], ['', -1, 3]);
    assert.deepEqual(t.getNamedOperandIdxs(3, ['a', 'b']), Int16Array.of(-1, -1));
  });

  it('reads triples, also those that name the processor', () => {
    assert.equal(createSubtarget('amdgpu9.0a-amd-amdhsa', '', '').cpu, 'gfx90a');
    assert.equal(createSubtarget('amdgpu12.50', '', '').cpu, 'gfx1250');
    assert.equal(createSubtarget('amdgpu9.08', 'gfx906', '').cpu, 'gfx906');
    assert.equal(createSubtarget('amdgcn--amdhsa', '', '').cpu, 'generic-hsa');
    assert.equal(parseTriple('amdgpu9.4-amd-amdhsa').cpu, 'gfx9-4-generic');
    assert.equal(parseTriple('amdgpu9.40-amd-amdhsa').cpu, '');
    assert.ok(!parseTriple('x86_64-pc-linux-gnu').isAMDGCN && !parseTriple('').isAMDGCN);
  });
});

describe('lists of llc-22', () => {
  it('equal ours', function () {
    needsLlc(this);
    const llc = spawnSync(LLC, ['-mtriple=amdgcn', '-mcpu=help'], { input: '', encoding: 'utf8', timeout: 60_000 });
    const [cpuText, featureText] = (llc.stdout + llc.stderr).split('Available features for this target:');
    const rows = (text: string): string[][] => [...text.matchAll(/^ {2}(\S+) +- (.*)$/gm)].map((m) => [m[1]!, m[2]!]);
    assert.deepEqual(
      rows(cpuText!).map((r) => r[0]),
      [...listCpus()],
    );
    assert.deepEqual(
      rows(featureText!).map(([name, text]) => ({ name, description: text!.replace(/\.$/, '') })),
      listFeatures().map((f) => ({ ...f })),
    );
  });

  it('is asked for features that LLVM has', () => {
    // Of one release or the other.
    const names = new Set([...listFeatures(), ...listFeatures('', releaseOf('llvm-24'))].map((f) => f.name));
    const root = join(__dirname, '..', '..', '..', 'server', 'src');
    const asked = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('llvm22'))
      .flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(/\bhasFeature\('([^']*)'\)/g)].map((m) => m[1]!),
      );
    assert.ok(asked.length > 10);
    assert.deepEqual(
      asked.filter((name) => !names.has(name)),
      [],
    );
  });
});
