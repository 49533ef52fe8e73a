/**
 * Random questions about registers, classes and opcodes, with LLVM 22.1.8's answers: `test/fixtures/target/llvm.json`,
 * made by `npm run gen` (`extract --golden`, server/tools/extract/registers.cpp, on gfx90a).
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSubtarget, LLVM22 } from '../../../server/src/target/index.js';

interface Queries {
  readonly common_sub_class: readonly number[];
  readonly matching_super_reg_class: readonly number[];
  readonly sub_reg_class: readonly number[];
  readonly registers: readonly number[];
  readonly compose: readonly number[];
  readonly opcodes: readonly (readonly [
    string,
    number,
    number,
    number,
    number,
    number,
    number,
    string,
    readonly number[],
  ])[];
  readonly names: readonly (readonly [number, string, string])[];
}

const file = join(__dirname, '..', '..', 'fixtures', 'target', 'llvm.json');
const { queries } = JSON.parse(readFileSync(file, 'utf8')) as { readonly queries: Queries };
const t = LLVM22.tables;

/** Rows of `width` numbers. */
function* rows(list: readonly number[], width: number): Iterable<number[]> {
  assert.ok(list.length > 0 && list.length % width === 0);
  for (let i = 0; i < list.length; i += width) yield list.slice(i, i + width);
}

describe('answers of LLVM', () => {
  it('common sub-class', () => {
    for (const [a, b, res] of rows(queries.common_sub_class, 3))
      assert.equal(t.getCommonSubClass(a!, b!), res, `${t.regClassName(a!)} ${t.regClassName(b!)}`);
  });

  it('matching super-class', () => {
    let found = 0;
    for (const [a, b, idx, res] of rows(queries.matching_super_reg_class, 4)) {
      const text = `${t.regClassName(a!)} ${t.regClassName(b!)} ${t.subRegIndexName(idx!)}`;
      assert.equal(t.getMatchingSuperRegClass(a!, b!, idx!), res, text);
      if (res! >= 0) found++;
    }
    assert.ok(found > 100, 'enough questions have an answer');
  });

  it('sub-register class and sub-class with a sub-register', () => {
    for (const [rc, idx, cls, sub] of rows(queries.sub_reg_class, 4)) {
      const text = `${t.regClassName(rc!)} ${t.subRegIndexName(idx!)}`;
      assert.deepEqual([t.getSubRegisterClass(rc!, idx!), t.getSubClassWithSubReg(rc!, idx!)], [cls, sub], text);
    }
  });

  it('sub-registers, encoding, minimal class, overlap', () => {
    for (const [r, sub, idx, encoding, minimal, overlap, other] of rows(queries.registers, 7)) {
      const text = `${t.regName(r!)} ${t.regName(sub!)} ${t.regName(other!)}`;
      assert.equal(t.getSubRegIndex(r!, sub!), idx, text);
      if (idx! > 0) assert.equal(t.getSubReg(r!, idx!), sub, text);
      assert.equal(t.regEncoding(r!), encoding, text);
      assert.equal(t.getMinimalPhysRegClass(r!), minimal, text);
      assert.equal(Number(t.regsOverlap(r!, other!)), overlap, text);
    }
  });

  it('composition of sub-register indices', () => {
    for (const [a, b, res] of rows(queries.compose, 3)) assert.equal(t.composeSubRegIndices(a!, b!), res);
  });

  it('names of registers', () => {
    for (const [r, name, asmName] of queries.names) {
      assert.deepEqual([t.regEnumName(r), t.regAsmName(r)], [name, asmName]);
      assert.equal(t.regByName(name.toLowerCase()), r);
    }
  });

  it('opcodes', () => {
    const gfx90a = createSubtarget('amdgcn-amd-amdhsa', 'gfx90a', '');
    for (const [name, opc, defs, nOperands, size, sched, flags, ts, operands] of queries.opcodes) {
      assert.equal(t.opcodeByName(name), opc);
      const got = [t.opcodeNumDefs(opc), t.opcodeNumOperands(opc), t.opcodeSize(opc), t.opcodeSchedClass(opc)];
      assert.deepEqual(got, [defs, nOperands, size, sched], name);
      assert.equal(t.opcodeFlagsLo(opc) + t.opcodeFlagsHi(opc) * 2 ** 32, flags, name);
      const tsFlags = (BigInt(t.opcodeTSHi(opc)) << 32n) | BigInt(t.opcodeTSLo(opc));
      assert.equal(tsFlags, BigInt(`0x${ts}`), name);
      const begin = t.opInfoBegin(opc);
      const info: number[] = [];
      for (let k = 0; k < nOperands; k++)
        info.push(gfx90a.opInfoRegClass(opc, k), t.opInfoType[begin + k]!, t.opInfoTiedTo[begin + k]!);
      assert.deepEqual(info, operands, name);
    }
  });
});
