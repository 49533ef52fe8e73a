/** The table of named things of a document. */
import assert from 'node:assert/strict';
import { EntityKind, EntityTable, entityCode } from '../../../../server/src/features/symbols/entities.js';
import { Interner } from '../../../../server/src/util/interner.js';

describe('table of entities', () => {
  const NUMBERS = [0, 63, 64, 1, 65, 128, 1000, 62, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 0xfffffffe];

  it('numbers virtual registers as they come, small numbers and large ones', () => {
    const table = new EntityTable(new Interner());
    for (const n of NUMBERS) assert.equal(table.vregOf(n), -1, String(n));
    NUMBERS.forEach((n, k) => assert.equal(table.of(entityCode(EntityKind.VReg, n, false)), k));
    NUMBERS.forEach((n, k) => {
      assert.equal(table.of(entityCode(EntityKind.VReg, n, false)), k);
      assert.equal(table.vregOf(n), k);
      assert.equal(table.find(EntityKind.VReg, String(n)), k);
      assert.equal(table.nameOf(k), String(n));
      assert.equal(table.valueOf(k), n);
      assert.equal(table.kinds[k], EntityKind.VReg);
      assert.equal(table.isNamed(k), false);
    });
    assert.equal(table.n, NUMBERS.length);
    for (const n of [2, 61, 66, 127, 129, 1001, (1 << 20) - 2, (1 << 20) + 2, 0xfffffffd]) {
      assert.equal(table.vregOf(n), -1, String(n));
      assert.equal(table.find(EntityKind.VReg, String(n)), -1, String(n));
    }
  });

  it('keeps names and numbers of all kinds apart', () => {
    const interner = new Interner();
    const table = new EntityTable(interner);
    const kinds = [
      EntityKind.VReg,
      EntityKind.PhysReg,
      EntityKind.Block,
      EntityKind.Stack,
      EntityKind.Global,
      EntityKind.MCSymbol,
      EntityKind.AttributeGroup,
    ];
    const all = kinds.flatMap((kind) => [
      { kind, name: '7', isNamed: false, entity: table.of(entityCode(kind, 7, false)) },
      { kind, name: 'abc', isNamed: true, entity: table.of(entityCode(kind, interner.internString('abc'), true)) },
    ]);
    assert.deepEqual(
      all.map((a) => a.entity),
      all.map((_, k) => k),
    );
    for (const { kind, name, isNamed, entity } of all) {
      assert.equal(table.find(kind, name), entity);
      assert.equal(table.nameOf(entity), name);
      assert.equal(table.isNamed(entity), isNamed);
      assert.equal(table.kinds[entity], kind);
    }
    for (const kind of kinds)
      for (const name of ['8', 'abcd', '', '-7', '7x']) assert.equal(table.find(kind, name), -1, name);
    assert.equal(table.find(EntityKind.Constant, '7'), -1);
    assert.equal(table.find(EntityKind.Constant, 'abc'), -1);
  });

  it('finds names that are digits, after the number', () => {
    const interner = new Interner();
    const table = new EntityTable(interner);
    const named = [EntityKind.Global, EntityKind.VReg].map((kind) =>
      table.of(entityCode(kind, interner.internString('12'), true)),
    );
    assert.deepEqual(
      [EntityKind.Global, EntityKind.VReg].map((kind) => table.find(kind, '12')),
      named,
    );
    const numbered = [EntityKind.Global, EntityKind.VReg].map((kind) => table.of(entityCode(kind, 12, false)));
    assert.deepEqual(
      [EntityKind.Global, EntityKind.VReg].map((kind) => table.find(kind, '12')),
      numbered,
    );
  });
});
