/**
 * What the questions about registers, units, indices, classes and opcodes have to do with each other, for both targets: answers to one follow
 * from those to others by LLVM's definitions. The numbers themselves are compared with LLVM elsewhere (golden.test.ts, oracle.test.ts).
 */
import assert from 'node:assert/strict';
import { createSubtarget, LLVM22 } from '../../../server/src/target/index.js';
import type { TargetTables } from '../../../server/src/target/api.js';

const MANY = 4000;

for (const [target, t] of [
  ['AMDGCN', LLVM22.tables],
  ['R600', LLVM22.r600Tables],
] as readonly (readonly [string, TargetTables])[]) {
  /** All numbers from `from` on, or some spread over all of them. */
  const some = (n: number, from = 0, most = 300): number[] => {
    const step = Math.max(1, Math.ceil((n - from) / most) | 1);
    return Array.from({ length: Math.ceil((n - from) / step) }, (_, k) => from + k * step);
  };
  const units = (r: number): number[] => Array.from(t.unitList.subarray(t.unitBegin[r], t.unitEnd[r]));
  const indices = some(t.nSubRegIndices, 1, MANY);

  describe(`tables of ${target}`, () => {
    it('find names and their numbers from both sides, and nothing else', () => {
      for (const r of some(t.nRegs, 1, 1500)) {
        const name = t.regName(r);
        assert.equal(name, t.regEnumName(r).toLowerCase());
        assert.equal(t.regByName(name), r);
        assert.equal(t.regByNameAt(`($${name})`, 2, 2 + name.length), r);
        assert.equal(t.regByName(`${name}?`), -1);
      }
      assert.deepEqual([t.regName(0), t.regByName('noreg'), t.regByName('')], ['noreg', 0, -1]);
      assert.deepEqual(
        [t.regName(t.nRegs), t.regEnumName(t.nRegs), t.regEnumName(-1), t.regAsmName(0)],
        ['', '', '', ''],
      );
      for (const i of indices) {
        const name = t.subRegIndexName(i);
        assert.equal(t.subRegIndexByName(name), i);
      }
      assert.deepEqual([t.subRegIndexByName(''), t.subRegIndexByName('sub'), t.subRegIndexName(9999)], [-1, -1, '']);
      for (let c = 0; c < t.nRegClasses; c++) {
        const name = t.regClassMirName(c);
        assert.equal(name, t.regClassName(c).toLowerCase());
        assert.equal(t.regClassByName(name), c);
        assert.equal(t.regClassByNameAt(`:${name} `, 1, 1 + name.length), c);
      }
      assert.deepEqual([t.regClassName(t.nRegClasses), t.regClassMirName(-1), t.regClassByName('class')], ['', '', -1]);
      for (const o of some(t.nOpcodes, 0, MANY)) {
        const name = t.opcodeName(o);
        assert.equal(t.opcodeByName(name), o);
        assert.equal(t.opcodeByNameAt(`= ${name} `, 2, 2 + name.length), o);
      }
      assert.deepEqual([t.opcodeName(t.nOpcodes), t.opcodeByName('nothing')], ['', -1]);
    });

    it('have parts that their wholes know, by index and by units', () => {
      let nParts = 0;
      for (const r of some(t.nRegs, 1, 60)) {
        const own = new Set(units(r));
        assert.ok(own.size > 0, t.regName(r));
        for (const sub of t.subRegs(r)) {
          nParts++;
          const idx = t.getSubRegIndex(r, sub);
          const what = `${t.regName(r)} ${t.regName(sub)}`;
          assert.equal(t.getSubReg(r, idx), sub, what);
          assert.ok(idx > 0 && t.isSubRegister(r, sub) && !t.isSubRegister(sub, r), what);
          assert.ok(t.superRegs(sub).includes(r), what);
          assert.ok(units(sub).every((u) => own.has(u)) && t.regsOverlap(r, sub) && t.regsOverlap(sub, r), what);
        }
        assert.ok(!t.subRegs(r).includes(r) && !t.isSubRegister(r, r) && t.regsOverlap(r, r));
        assert.equal(t.getSubRegIndex(r, r), 0);
        assert.equal(t.getSubReg(r, t.nSubRegIndices), 0);
      }
      assert.ok(nParts > 20);
    });

    it('tell overlap by units', () => {
      const regs = some(t.nRegs, 1, 120);
      let nOverlaps = 0;
      for (const a of regs)
        for (const b of [...regs.slice(0, 60), ...t.superRegs(a).slice(0, 5)]) {
          const ofB = new Set(units(b));
          const expected = units(a).some((u) => ofB.has(u));
          if (expected) nOverlaps++;
          assert.equal(t.regsOverlap(a, b), expected, `${t.regName(a)} ${t.regName(b)}`);
        }
      assert.ok(nOverlaps > regs.length / 2);
    });

    it('name units by their roots, which have them', () => {
      for (const u of some(t.nRegUnits)) {
        const roots = t.regUnitRoots(u);
        assert.ok(roots.length > 0 && roots.every((r) => units(r).includes(u)));
        assert.equal(t.regUnitName(u), roots.map((r) => t.regEnumName(r)).join('~'));
        const isArtificial = roots.every((r) => t.isArtificialReg(r));
        assert.equal(((t.artificialUnits[u >> 5]! >>> (u & 31)) & 1) === 1, isArtificial, t.regUnitName(u));
        assert.ok(t.regUnitWeight(u) >= 0 && t.regUnitPressureSets(u).every((s) => s < t.pressureSetNames.length));
      }
    });

    it('compose indices as parts of parts', () => {
      let nComposed = 0;
      for (const r of some(t.nRegs, 1, 400))
        for (const a of indices) {
          const part = t.getSubReg(r, a);
          if (part === 0) continue;
          for (const b of indices) {
            const inner = t.getSubReg(part, b);
            if (inner === 0) continue;
            nComposed++;
            assert.equal(t.getSubReg(r, t.composeSubRegIndices(a, b)), inner);
          }
        }
      // Channels of R600's tuples have no parts.
      assert.equal(nComposed > 0, t.isAMDGCN);
      const [i] = indices;
      assert.deepEqual([t.composeSubRegIndices(0, i!), t.composeSubRegIndices(i!, 0)], [i, i]);
    });

    it('have classes whose members, sub-classes and super-classes agree', () => {
      const classes = some(t.nRegClasses, 0, 60);
      for (const a of classes) {
        const members = new Set(t.classRegs(a));
        for (const r of some(t.nRegs, 0, 200)) assert.equal(t.classContains(a, r), members.has(r));
        assert.ok(t.hasSubClassEq(a, a) && t.getCommonSubClass(a, a) === a);
        for (let b = 0; b < t.nRegClasses; b++) {
          const isSub = a !== b && t.hasSubClassEq(a, b);
          assert.equal(t.superClasses(b).includes(a), isSub, `${t.regClassName(b)} ${t.regClassName(a)}`);
          if (isSub) assert.ok(t.classRegs(b).every((r) => members.has(r)));
        }
        for (const b of classes) {
          // The first that is both: classes stand before their sub-classes.
          let first = -1;
          for (let c = 0; c < t.nRegClasses && first < 0; c++)
            if (t.hasSubClassEq(a, c) && t.hasSubClassEq(b, c)) first = c;
          assert.equal(t.getCommonSubClass(a, b), first);
        }
        const smallest = t.classRegs(a).length === 0 ? -1 : t.getMinimalPhysRegClass(t.classRegs(a)[0]!);
        if (smallest >= 0) assert.ok(t.classContains(smallest, t.classRegs(a)[0]!));
      }
      assert.equal(t.hasSubClassEq(0, t.nRegClasses), false);
      assert.equal(t.classContains(0, 0), false);
    });

    it('have classes of parts', () => {
      let nMatches = 0;
      for (const c of some(t.nRegClasses, 0, 60)) {
        assert.deepEqual([t.getSubClassWithSubReg(c, 0), t.getSubRegisterClass(c, 0)], [c, c]);
        for (const idx of indices) {
          const with_ = t.getSubClassWithSubReg(c, idx);
          const part = t.getSubRegisterClass(c, idx);
          const what = `${t.regClassName(c)} ${t.subRegIndexName(idx)}`;
          if (with_ >= 0) {
            assert.ok(t.hasSubClassEq(c, with_), what);
            for (const r of t.classRegs(with_).slice(0, 20)) assert.notEqual(t.getSubReg(r, idx), 0, what);
          }
          if (part < 0) continue;
          for (const r of t.classRegs(c).slice(0, 20)) {
            const sub = t.getSubReg(r, idx);
            if (sub === 0 || t.isArtificialReg(sub)) continue;
            assert.ok(t.classContains(part, sub), what);
            assert.equal(t.getMatchingSuperReg(sub, idx, c), r, what);
          }
          const match = t.getMatchingSuperRegClass(c, part, idx);
          if (match < 0) continue;
          nMatches++;
          assert.ok(t.hasSubClassEq(c, match), what);
          for (const r of t.classRegs(match).slice(0, 20)) assert.ok(t.classContains(part, t.getSubReg(r, idx)), what);
        }
      }
      assert.ok(nMatches > 5);
      assert.equal(t.getMatchingSuperReg(t.classRegs(0)[0]!, t.nSubRegIndices, 0), 0);
    });

    it('number the registers of a file', () => {
      for (const prefix of t.isAMDGCN ? ['sgpr', 'vgpr', 'agpr', 'ttmp'] : ['t']) {
        const regs = Array.from(t.numberedRegs(prefix));
        const name = (k: number): string => `${prefix}${k}`;
        const expected: number[] = [];
        for (let r = t.regByName(name(0)); r > 0; r = t.regByName(name(expected.length))) expected.push(r);
        assert.deepEqual(regs, expected);
      }
      assert.equal(t.numberedRegs('nothing').length, 0);
    });

    it('have operands that name classes, and implicit ones that are registers', () => {
      const subtarget = createSubtarget(t.isAMDGCN ? 'amdgcn' : 'r600', '', '');
      assert.equal(subtarget.tables, t);
      for (const o of some(t.nOpcodes, 0, 600)) {
        const n = t.opcodeNumOperands(o);
        assert.ok(t.opcodeNumDefs(o) <= n && t.opcodeSize(o) >= 0);
        assert.deepEqual([subtarget.opInfoRegClass(o, -1), subtarget.opInfoRegClass(o, n)], [-1, -1]);
        for (let k = 0; k < n; k++) {
          const rc = subtarget.opInfoRegClass(o, k);
          const tied = t.opInfoTiedTo[t.opInfoBegin(o) + k]!;
          assert.ok(-1 <= rc && rc < t.nRegClasses && tied < n);
          if (!t.isAMDGCN) assert.equal(rc, t.opInfoRegClass[t.opInfoBegin(o) + k]);
        }
        for (const r of [...t.implicitDefs(o), ...t.implicitUses(o)]) assert.ok(r > 0 && r < t.nRegs);
      }
    });
  });
}
