/** Sets of opcodes that are told by name: each name is an opcode of LLVM's, and sets that names describe hold all of these. */
import assert from 'node:assert/strict';
import { LLVM22 } from '../../../server/src/target/index.js';
import { OpcodePattern, opcodeSet, type OpcodeSetName } from '../../../server/src/target/opcodeSets.js';

const t = LLVM22.tables;
const all = Array.from({ length: t.nOpcodes }, (_, o) => o);

/** How many opcodes LLVM tells apart at the places that opcodeSets.ts names; -1: as many as have such names. */
const SIZES: Readonly<Record<OpcodeSetName, number>> = {
  schedulingBoundary: 13,
  coexecFence: 5,
  waitsForTransfers: 2,
  readsLane: 2,
  mixesHalves: 6,
  debugInstr: 5,
  debugValue: 2,
  pseudoProbe: 1,
  phi: 2,
  label: 3,
  position: 4,
  fakeUse: 1,
  copyLike: 2,
  notComputed: 4,
  wait: 9,
  lifetimeMarker: 2,
  inlineAsm: 2,
  undefinedValue: 2,
  branch: 1,
  conditionalBranch: 6,
  killTerminator: 2,
  divergentBranch: 3,
  maskDefinition: 3,
  unanalyzableBranch: 4,
  r600Branch: 1,
  r600ConditionalBranch: 1,
  r600PredicateSetter: 1,
  r600UnanalyzableBranch: 3,
  oneScalarSource: 16,
  endProgram: 1,
  return: 1,
  returnOfValues: 3,
  enterWholeWave: 2,
  exitWholeWave: 2,
  schedBarrier: 1,
  schedGroupBarrier: 1,
  iglpOpt: 1,
  regionHasIGLP: 2,
  schedDirective: 3,
  placedDebugValue: 3,
  transient: 8,
  atomicFence: 1,
  barrierWait: 1,
  barrierStart: 5,
  fusedWithCarry: 4,
  iglpPerm: 1,
  iglpPack: 2,
  iglpConvert: 2,
  iglpFma: 2,
  iglpAdd: 1,
  unwantedWithoutLanes: 23,
  parameterLoad: 4,
  liveMaskQuery: 2,
  kill: 3,
  initExec: 3,
  callOfFunction: 6,
  chainCall: 2,
  moveToExecTerminator: 2,
  maskTerminator: 10,
  copyOfMask: 3,
  execMask: 16,
  laneMaskOfBranch: 4,
  scalarMove: 2,
  callFrame: 2,
  vectorSpill: -1,
  wholeWaveSpill: -1,
};
/** Names that describe a set. */
const DESCRIBED: readonly (readonly [OpcodeSetName, RegExp])[] = [
  ['vectorSpill', /^SI_SPILL_(?:WWM_)?A?V\d+_(?:SAVE|RESTORE)$|^SI_SPILL_A\d+_(?:SAVE|RESTORE)$/],
  ['wholeWaveSpill', /^SI_SPILL_WWM_A?V\d+_(?:SAVE|RESTORE)$/],
  ['execMask', /^S_(?:N?AND|N?OR|XN?OR|(?:AND|OR)N2)_B(?:32|64)$/],
  ['conditionalBranch', /^S_CBRANCH_(?:SCC[01]|(?:VCC|EXEC)N?Z)$/],
  ['maskDefinition', /^SI_(?:IF|ELSE|IF_BREAK)$/],
  ['schedDirective', /^(?:SCHED_(?:GROUP_)?BARRIER|IGLP_OPT)$/],
  ['debugInstr', /^DBG_/],
  ['phi', /^(?:G_)?PHI$/],
  ['inlineAsm', /^INLINEASM/],
  ['undefinedValue', /^(?:G_)?IMPLICIT_DEF$/],
];

describe('sets of opcodes', () => {
  it('name opcodes of LLVM', () => {
    for (const [name, size] of Object.entries(SIZES) as [OpcodeSetName, number][]) {
      const set = opcodeSet(name.startsWith('r600') ? LLVM22.r600Tables : t, name);
      if (size < 0) continue;
      assert.ok(!set.has(-1), `${name} has a name that is none`);
      assert.equal(set.size, size, name);
    }
    assert.equal(opcodeSet(t, 'branch'), opcodeSet(t, 'branch'));
  });

  it('have all that is spelled so', () => {
    for (const [set, pattern] of DESCRIBED) {
      const known = new Set(opcodeSet(t, set));
      known.delete(-1);
      const expected = all.filter((o) => pattern.test(t.opcodeName(o)));
      assert.ok(expected.length > 1);
      assert.deepEqual(
        [...known].sort((a, b) => a - b),
        expected,
        set,
      );
    }
  });

  it('by pattern hold what it matches, of each target', () => {
    const branches = new OpcodePattern(/^S_BRANCH|^JUMP/);
    for (const tables of [t, LLVM22.r600Tables, t])
      for (let o = 0; o < tables.nOpcodes; o++)
        assert.equal(branches.has(tables, o), /^S_BRANCH|^JUMP/.test(tables.opcodeName(o)), tables.opcodeName(o));
    const once = new OpcodePattern(/^PHI$/);
    const phi = t.opcodeByName('PHI');
    let asked = 0;
    const counting = Object.create(t, { opcodeName: { value: (o: number) => (asked++, t.opcodeName(o)) } }) as typeof t;
    for (let k = 0; k < 3; k++) assert.ok(once.has(counting, phi) && !once.has(counting, phi + 1));
    assert.equal(asked, 2);
  });
});
