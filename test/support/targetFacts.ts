/**
 * Facts of the target tables by subject, each as a digest: `test/fixtures/target/digests.json`. Where LLVM's own answers are at hand they are compared in full
 * (`golden.test.ts`, `oracle.test.ts`), and what follows from them by its definition is in `tableRelations.test.ts`; the digests say in a moment, and
 * everywhere, that all of it is as it was then. `AMDGPU_MIR_ORACLE=... npx tsx test/support/targetFacts.ts` makes them anew where these tests pass.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLVM22 } from '../../server/src/target/index.js';
import * as opcodes from '../../server/src/target/opcodes.js';
import type { Opcode, TargetTables } from '../../server/src/target/api.js';
import { ORACLE } from './switches.js';

const FILE = join(__dirname, '..', 'fixtures', 'target', 'digests.json');

type Fact =
  string | number | boolean | undefined | readonly Fact[] | Int16Array | Uint8Array | Uint16Array | Uint32Array;

/** What a subject yields, a line each. */
type Facts = (t: TargetTables) => Iterable<readonly Fact[]>;

const range = (n: number, from = 0): number[] => Array.from({ length: n - from }, (_, i) => from + i);

/** Registers of each kind at both ends of their files, parts of them, and some others; enough to ask everything of each. */
function chosenRegs(t: TargetTables): number[] {
  if (!t.isAMDGCN) return range(t.nRegs).filter((r) => r % 19 < 2);
  const names = [
    'exec',
    'exec_lo',
    'exec_hi',
    'vcc',
    'vcc_lo',
    'vcc_hi_lo16',
    'm0',
    'scc',
    'mode',
    'flat_scr',
    'sgpr_null',
  ];
  names.push(
    'vgpr0_lo16',
    'vgpr0_hi16',
    'vgpr254_hi16',
    'sgpr3_lo16',
    'sgpr7_hi16',
    'agpr4_lo16',
    'ttmp0',
    'ttmp15',
    'noreg',
  );
  for (const file of ['sgpr', 'vgpr', 'agpr', 'ttmp'])
    for (const at of [0, 1, 6, 13, -2, -1]) names.push(t.regName(t.numberedRegs(file).at(at)!));
  names.push(
    'sgpr4_sgpr5',
    'sgpr98_sgpr99',
    'vgpr1_vgpr2',
    'vgpr253_vgpr254_vgpr255',
    'agpr0_agpr1_agpr2_agpr3',
    'ttmp4_ttmp5',
  );
  const regs = names.map((name) => t.regByName(name)).filter((r) => r >= 0);
  return [...regs, ...range(Math.floor(t.nRegs / 997)).map((k) => k * 997)];
}

/** What may decide the class of a variant: all values of the few operands. */
function* variants(models: readonly number[], t: TargetTables): Iterable<readonly Fact[]> {
  for (const id of models) {
    const model = LLVM22.schedModels.get(id);
    yield [
      id,
      model.microOpBufferSize,
      model.loadLatency,
      model.hasInstrSchedModel,
      ...model.resources.map((r) => r.name),
    ];
    yield model.resources.map((r) => r.bufferSize);
    for (let c = -1; c < 400; c++) {
      const d = model.schedClass(c);
      const resources = d.writeProcRes.map((w) => [w.resource, w.releaseAtCycle, w.acquireAtCycle]);
      yield [
        c,
        model.isValidClass(c),
        model.isVariantClass(c),
        d.numMicroOps,
        d.writeLatencyCycles,
        d.writeIds,
        resources,
        d.readAdvance,
      ];
    }
    for (let rc = -1; rc < t.nRegClasses; rc++) yield [rc, model.copyClass(rc)];
    for (let o = 0; o < t.nOpcodes; o++) {
      if (model.variantClass(o, () => 0) < 0) continue;
      for (const a of [-1, 0, 1, 2, 4, 7, 8])
        for (const b of [0, 2, 4]) yield [o, a, b, model.variantClass(o, (k) => (k % 2 === 0 ? a : b))];
    }
  }
}

const PREDICATES = Object.entries(opcodes).filter(
  (e): e is [string, (t: TargetTables, o: Opcode) => boolean] => typeof e[1] === 'function' && e[1].length === 2,
);

export const SUBJECTS: Readonly<Record<string, Facts>> = {
  *registers(t) {
    for (let r = -1; r <= t.nRegs; r++) {
      yield [r, t.regEnumName(r), t.getMinimalPhysRegClass(r)];
      if (r < 0 || r === t.nRegs) continue;
      yield [
        t.regName(r),
        t.regAsmName(r),
        t.regByName(t.regName(r)),
        t.isConstantPhysReg(r),
        t.isArtificialReg(r),
        t.isInAllocatableClass(r),
      ];
      if (r === 0) continue;
      const n = t.unitEnd[r]! - t.unitBegin[r]!;
      const from = t.unitLaneBegin(r);
      yield [t.regEncoding(r), t.unitList.subarray(t.unitBegin[r], t.unitEnd[r])];
      yield [t.unitLaneLo.subarray(from, from + n), t.unitLaneHi.subarray(from, from + n)];
    }
    yield [...t.reserved];
  },
  *units(t) {
    for (let u = 0; u < t.nRegUnits; u++)
      yield [t.regUnitName(u), t.regUnitWeight(u), t.regUnitRoots(u), t.regUnitPressureSets(u)];
    yield [t.artificialUnits];
  },
  *parts(t) {
    const regs = chosenRegs(t);
    for (const r of regs) {
      yield [r, t.subRegs(r)];
      for (let i = -1; i <= t.nSubRegIndices; i++) {
        const sub = t.getSubReg(r, i);
        if (sub > 0 || i === 0) yield [i, sub, t.getSubRegIndex(r, sub), t.getSubRegIndex(sub, r)];
      }
      yield regs.map((other) => t.getSubRegIndex(r, other));
      yield regs.map((other) => t.regsOverlap(r, other));
      yield regs.map((other) => t.isSubRegister(other, r));
    }
  },
  *wholes(t) {
    for (const r of chosenRegs(t).slice(0, t.isAMDGCN ? 30 : undefined)) yield [r, t.superRegs(r)];
  },
  *indices(t) {
    for (let a = -1; a <= t.nSubRegIndices; a++)
      yield [a, t.subRegIndexName(a), t.subRegIndexByName(t.subRegIndexName(a))];
    yield [t.subRegLaneLo, t.subRegLaneHi, t.subRegOffset, t.subRegSize];
    const composed = new Uint16Array(t.nSubRegIndices ** 2);
    for (let a = 0, at = 0; a < t.nSubRegIndices; a++)
      for (let b = 0; b < t.nSubRegIndices; b++) composed[at++] = t.composeSubRegIndices(a, b);
    yield [composed];
  },
  *classes(t) {
    for (let c = 0; c < t.nRegClasses; c++) {
      const name = t.regClassMirName(c);
      yield [
        t.regClassName(c),
        name,
        t.regClassByName(name),
        t.regClassBits[c],
        t.regClassKind[c],
        t.regClassWeight[c],
      ];
      yield [
        t.regClassWeightLimit(c),
        t.regClassPressureSets(c),
        t.isAllocatableClass(c),
        t.classRegs(c),
        t.superClasses(c),
      ];
      yield [t.regClassSpillSize(c), t.regClassSpillAlign(c), t.regClassCopyCost(c)];
      yield [t.regClassAllocationPriority(c), t.regClassGlobalPriority(c)];
      yield [t.isSGPRClass(c), t.hasVGPRs(c), t.hasAGPRs(c), t.hasSGPRs(c), t.regClassLaneLo[c], t.regClassLaneHi[c]];
      yield range(t.nRegBanks).map((bank) => t.regBankCovers(bank, c));
      yield range(t.nSubRegIndices).map((i) => t.getSubRegisterClass(c, i));
      yield range(t.nSubRegIndices).map((i) => t.getSubClassWithSubReg(c, i));
    }
    for (const c of [-1, t.nRegClasses]) yield [t.regClassName(c), t.classContains(c, 1), t.hasSubClassEq(0, c)];
    yield range(t.nRegBanks + 1, -1).map((bank) => `${t.regBankName(bank)} ${t.regBankByName(t.regBankName(bank))}`);
    yield [...t.pressureSetNames];
  },
  *subClasses(t) {
    const all = range(t.nRegClasses);
    for (const a of all) {
      yield all.filter((b) => t.hasSubClassEq(a, b));
      yield [a, ...all.filter((b) => (a + b) % 5 === 0).map((b) => t.getCommonSubClass(a, b))];
    }
  },
  /** Classes and registers whose parts are of a class. */
  *matches(t) {
    const step = t.isAMDGCN ? 7 : 1;
    for (let i = 0; i < t.nSubRegIndices; i += t.isAMDGCN ? 23 : 1)
      for (let a = i % step; a < t.nRegClasses; a += step)
        for (let b = a % step; b < t.nRegClasses; b += step) {
          const match = t.getMatchingSuperRegClass(a, b, i);
          if (match >= 0) yield [a, b, i, match];
        }
    for (const r of chosenRegs(t).slice(0, 20))
      for (let c = 0; c < t.nRegClasses; c += step)
        yield [t.classContains(c, r), t.getMatchingSuperReg(r, 1, c), t.getMatchingSuperReg(r, 2, c)];
  },
  *masks(t) {
    for (const name of ['csr_amdgpu', 'csr_amdgpu_noregs', 'csr_amdgpu_gfx90ainsts', 'csr_amdgpu_si_gfx', 'nothing']) {
      const mask = t.regMaskByName(name);
      yield [name, t.regMaskName(mask), t.regMaskBits(mask)];
    }
  },
  *opcodes(t) {
    for (let o = 0; o < t.nOpcodes; o++) {
      const n = t.opcodeNumOperands(o);
      yield [t.opcodeName(o), t.opcodeNumDefs(o), n, t.opcodeSize(o), t.opcodeFlagsLo(o), t.opcodeFlagsHi(o)];
      yield [t.opcodeTSLo(o), t.opcodeTSHi(o), t.opcodeSchedClass(o), t.implicitDefs(o), t.implicitUses(o)];
      for (let k = 0, at = t.opInfoBegin(o); k < n; k++, at++)
        yield [t.opInfoRegClass[at], t.opInfoFlags[at], t.opInfoType[at], t.opInfoTiedTo[at], t.opInfoEarlyClobber[at]];
    }
    yield [t.opcodeName(-1), t.opcodeName(t.nOpcodes)];
  },
  *opcodeNames(t) {
    for (let o = 0; o < t.nOpcodes; o++)
      yield [o, t.opcodeByName(t.opcodeName(o)), t.opcodeByName(`${t.opcodeName(o)}_`)];
    for (let o = 0; o < t.nOpcodes; o += 11) {
      yield range(t.opcodeNumOperands(o) + 1).map((k) => t.operandName(o, k));
      yield [...t.getNamedOperandIdxs(o, ['vdst', 'src0', 'src1', 'vaddr', 'offset', 'cpol', 'nothing'])];
      yield [
        t.getNamedOperandIdx(o, 'src0'),
        t.mapOpcode('VOPe64', o),
        t.mapOpcode('VOPe32', o),
        t.mapOpcode('CommuteRev', o),
      ];
    }
  },
  *predicates(t) {
    for (const [name, is] of PREDICATES) yield [name, range(t.nOpcodes).filter((o) => is(t, o))];
  },
  *models(t) {
    if (t.isAMDGCN) yield* variants(range(10), t);
  },
};

const TARGETS: Readonly<Record<string, () => TargetTables>> = {
  AMDGCN: () => LLVM22.tables,
  R600: () => LLVM22.r600Tables,
};

function digest(facts: Iterable<readonly Fact[]>): string {
  const hash = createHash('sha256');
  let text = '';
  for (const line of facts) {
    text += `${line.map((f) => (ArrayBuffer.isView(f) ? `[${Array.from(f as Uint16Array).join(',')}]` : JSON.stringify(f))).join(' ')}\n`;
    if (text.length < 100_000) continue;
    hash.update(text);
    text = '';
  }
  return hash.update(text).digest('hex').slice(0, 16);
}

const kept = (): Record<string, string> => JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;

/** The facts of these subjects, of one target, are as they were compared with LLVM. */
export function checkTargetFacts(target: string, subject: string): void {
  assert.equal(digest(SUBJECTS[subject]!(TARGETS[target]!())), kept()[`${target} ${subject}`], `${target}: ${subject}`);
}

function update(): void {
  assert.ok(ORACLE, 'AMDGPU_MIR_ORACLE does not name the oracle');
  const tests = ['oracle', 'golden', 'tableRelations'].map((name) => `test/unit/target/${name}.test.ts`);
  const run = spawnSync('npx', ['mocha', '--config', '.mocharc.json', ...tests], { stdio: 'inherit' });
  assert.equal(run.status, 0, 'the tables are not those of LLVM');
  const digests: Record<string, string> = {};
  for (const [target, tables] of Object.entries(TARGETS))
    for (const [subject, facts] of Object.entries(SUBJECTS)) {
      const begin = Date.now();
      digests[`${target} ${subject}`] = digest(facts(tables()));
      console.log(`${target} ${subject}: ${Date.now() - begin} ms`);
    }
  writeFileSync(FILE, `${JSON.stringify(digests, null, 2)}\n`);
}

if (require.main === module) update();
