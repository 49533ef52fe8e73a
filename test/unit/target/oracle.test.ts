/**
 * The tables against a second source: the facts that the project's oracle prints from the real LLVM. Needs its path in
 * AMDGPU_MIR_ORACLE; everything that it lists is compared.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { LLVM22 } from '../../../server/src/target/index.js';
import { SHARED, needsShared, skip } from '../../support/skip.js';
import { ORACLE } from '../../support/switches.js';

type Row = readonly (string | number | readonly number[])[];
interface OracleFacts {
  readonly llvm: string;
  readonly instrs: {
    readonly rows: readonly Row[];
    readonly operand_lists: readonly (readonly number[])[];
    readonly implicit_lists: readonly (readonly number[])[];
  };
  readonly sub_reg_indices: {
    readonly rows: readonly (readonly [string, number, number, string])[];
    readonly compose: readonly (readonly [number, number, number])[];
  };
  readonly reg_units: { readonly rows: readonly (readonly [string, number, readonly number[], readonly number[]])[] };
  readonly regs: { readonly rows: readonly Row[]; readonly lane_lists: readonly (readonly string[])[] };
  readonly pressure_sets: { readonly names: readonly string[] };
  readonly classes: readonly {
    readonly id: number;
    readonly name: string;
    readonly regs: readonly number[];
    readonly bits: number;
    readonly weight: number;
    readonly gcn_kind: number;
    readonly lanes: string;
    readonly allocatable: boolean;
    readonly pressure_sets: readonly number[];
    readonly sub_classes: readonly number[];
    readonly super_classes: readonly number[];
    readonly sub_reg_classes: readonly (readonly [number, number, number])[];
  }[];
  readonly reg_masks: Readonly<Record<string, readonly number[]>>;
}

function expand(ranges: readonly number[]): number[] {
  const res: number[] = [];
  for (let i = 0; i < ranges.length; i += 2) for (let k = 0; k < ranges[i + 1]!; k++) res.push(ranges[i]! + k);
  return res;
}
const lo = (hex: string): number => parseInt(hex.slice(-8), 16);
const hi = (hex: string): number => (hex.length > 8 ? parseInt(hex.slice(0, -8), 16) : 0);

describe('tables against the oracle', () => {
  const t = LLVM22.tables;
  let facts: OracleFacts;

  before(function () {
    if (!ORACLE) {
      needsShared(this, join(SHARED, 'oracle'));
      skip(this, 'AMDGPU_MIR_ORACLE does not name the oracle');
    }
    const args = ['facts', '-oracle-full', '-oracle-all-opcodes', '-oracle-sections=instrs,regs,classes,conventions'];
    const run = spawnSync(ORACLE, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    assert.equal(run.status, 0, run.stderr);
    facts = JSON.parse(run.stdout) as OracleFacts;
    assert.equal(facts.llvm, t.llvmVersion);
  });

  it('opcodes', () => {
    const { rows, operand_lists: operandLists, implicit_lists: implicit } = facts.instrs;
    assert.equal(t.nOpcodes, rows.length);
    for (const row of rows) {
      const [name, o, defs, size, sched, flags, ts, operands, uses, implicitDefs] = row as unknown as [
        string,
        number,
        number,
        number,
        number,
        number,
        string,
        number,
        number,
        number,
      ];
      assert.equal(t.opcodeName(o), name);
      const got = [t.opcodeNumDefs(o), t.opcodeSize(o), t.opcodeSchedClass(o), t.opcodeTSLo(o), t.opcodeTSHi(o)];
      assert.deepEqual(got, [defs, size, sched, lo(ts), hi(ts)], name);
      assert.equal(t.opcodeFlagsLo(o) + t.opcodeFlagsHi(o) * 2 ** 32, flags, name);
      const list = operandLists[operands]!;
      const begin = t.opInfoBegin(o);
      assert.equal(t.opcodeNumOperands(o), list.length / 6, name);
      for (let k = 0, at = begin; k < list.length; k += 6, at++) {
        const info = [t.opInfoRegClass[at], t.opInfoFlags[at], t.opInfoType[at], t.opInfoTiedTo[at]];
        assert.deepEqual(info, list.slice(k, k + 4), name);
        assert.equal(t.opInfoEarlyClobber[at], list[k + 4], name);
      }
      assert.deepEqual(t.implicitUses(o), implicit[uses]);
      assert.deepEqual(t.implicitDefs(o), implicit[implicitDefs]);
    }
  });

  it('registers', () => {
    assert.equal(t.nRegs, facts.regs.rows.length);
    for (let r = 1; r < t.nRegs; r++) {
      const row = facts.regs.rows[r] as unknown as [
        string | 0,
        number,
        number,
        number | number[],
        number,
        number,
        number[],
        string,
        number,
        number[],
      ];
      const [rowName, encoding, flags, firstUnit, nUnits, lanes, leaves, asmName, , subs] = row;
      const name =
        rowName === 0
          ? expand(leaves)
              .map((l) => t.regEnumName(l))
              .join('_')
          : rowName;
      assert.equal(t.regEnumName(r), name);
      assert.equal(t.regAsmName(r), asmName);
      assert.equal(t.regEncoding(r), encoding, name);
      const gotFlags =
        Number(t.isConstantPhysReg(r)) | (Number(t.isArtificialReg(r)) << 1) | (Number(t.isInAllocatableClass(r)) << 2);
      assert.equal(gotFlags, flags, name);
      const [begin, end] = [t.unitBegin[r]!, t.unitEnd[r]!];
      const units = typeof firstUnit === 'number' ? expand([firstUnit, nUnits]) : expand(firstUnit);
      assert.deepEqual(Array.from(t.unitList.subarray(begin, end)), units, name);
      const laneList = facts.regs.lane_lists[lanes]!;
      const from = t.unitLaneBegin(r);
      const to = from + end - begin;
      assert.deepEqual(Array.from(t.unitLaneLo.subarray(from, to)), laneList.map(lo), name);
      assert.deepEqual(Array.from(t.unitLaneHi.subarray(from, to)), laneList.map(hi), name);
      const subRegs = t.subRegs(r);
      assert.equal(subRegs.length, subs.length / 2, name);
      for (let k = 0; k < subs.length; k += 2) {
        assert.equal(subRegs[k / 2], subs[k + 1], name);
        assert.equal(t.getSubReg(r, subs[k]!), subs[k + 1], name);
      }
    }
    facts.reg_units.rows.forEach(([name, weight, roots, sets], u) => {
      assert.equal(t.regUnitName(u), name);
      assert.equal(t.regUnitWeight(u), weight);
      assert.deepEqual([t.regUnitRoots(u), t.regUnitPressureSets(u)], [roots, sets], name);
    });
  });

  it('sub-register indices and their composition', () => {
    const { rows, compose } = facts.sub_reg_indices;
    assert.equal(t.nSubRegIndices, rows.length);
    rows.forEach(([name, offset, size, lanes], i) => {
      assert.equal(t.subRegIndexName(i), name);
      if (i > 0) assert.equal(t.subRegIndexByName(name), i);
      const got = [t.subRegOffset[i], t.subRegSize[i], t.subRegLaneLo[i], t.subRegLaneHi[i]];
      assert.deepEqual(got, [offset, size, lo(lanes), hi(lanes)], name);
    });
    const known = new Map(compose.map(([a, b, c]) => [a * rows.length + b, c]));
    for (let a = 1; a < rows.length; a++)
      for (let b = 1; b < rows.length; b++)
        assert.equal(t.composeSubRegIndices(a, b), known.get(a * rows.length + b) ?? 0);
  });

  it('register classes', () => {
    assert.deepEqual(t.pressureSetNames, facts.pressure_sets.names);
    assert.equal(t.nRegClasses, facts.classes.length);
    for (const c of facts.classes) {
      const i = c.id;
      assert.equal(t.regClassName(i), c.name);
      assert.deepEqual(Array.from(t.classRegs(i)), expand(c.regs), c.name);
      const got = [t.regClassBits[i], t.regClassWeight[i], t.regClassKind[i], t.isAllocatableClass(i)];
      assert.deepEqual(got, [c.bits, c.weight, c.gcn_kind, c.allocatable], c.name);
      assert.deepEqual([t.regClassLaneLo[i], t.regClassLaneHi[i]], [lo(c.lanes), hi(c.lanes)], c.name);
      assert.deepEqual([t.regClassPressureSets(i), t.superClasses(i)], [c.pressure_sets, c.super_classes], c.name);
      const subClasses = new Set(expand(c.sub_classes));
      for (let k = 0; k < t.nRegClasses; k++) assert.equal(t.hasSubClassEq(i, k), subClasses.has(k));
      const subRegClasses = new Map(c.sub_reg_classes.map((x) => [x[0], x]));
      for (let idx = 1; idx < t.nSubRegIndices; idx++) {
        const row = subRegClasses.get(idx);
        assert.equal(t.getSubRegisterClass(i, idx), row?.[1] ?? -1, c.name);
        assert.equal(t.getSubClassWithSubReg(i, idx), row?.[2] ?? -1, c.name);
      }
    }
  });

  it('register masks', () => {
    for (const [name, ranges] of Object.entries(facts.reg_masks)) {
      const bits = t.regMaskBits(t.regMaskByName(name));
      const kept = new Set(expand(ranges));
      for (let r = 0; r < t.nRegs; r++) assert.equal(((bits[r >> 5]! >>> (r & 31)) & 1) === 1, kept.has(r), name);
    }
  });
});
