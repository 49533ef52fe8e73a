/** Facts of R600 are those that LLVM's library gave when the tables were made (support/targetFacts.ts); what has none answers so. */
import assert from 'node:assert/strict';
import { createSubtarget } from '../../../server/src/target/index.js';
import { LLVM22 } from '../../../server/src/target/release.js';
import { checkTargetFacts, SUBJECTS } from '../../support/targetFacts.js';

describe('facts of R600', () => {
  for (const subject of Object.keys(SUBJECTS)) it(subject, () => checkTargetFacts('R600', subject));

  it('have none of AMDGCN', () => {
    const t = LLVM22.r600Tables;
    assert.deepEqual(
      [t.regBankByName(), t.regBankName(), t.regBankCovers(), t.regMaskByName(), t.regMaskName(), t.operandName()],
      [-1, '', false, -1, '', ''],
    );
    assert.deepEqual([t.getNamedOperandIdx(), t.mapOpcode(), t.regClassAllocationPriority()], [-1, -1, 0]);
    assert.deepEqual(Array.from(t.getNamedOperandIdxs(0, ['a', 'b'])), [-1, -1]);
    assert.deepEqual([t.isSGPRClass(), t.hasVGPRs(), t.hasAGPRs(), t.hasSGPRs()], [false, false, false, false]);
    assert.equal(t.regClassGlobalPriority(), false);
    // A bit for each register, rounded up to words, none of them set.
    assert.deepEqual(t.regMaskBits(), new Uint32Array(Math.ceil(t.nRegs / 32)));
    assert.deepEqual(t.artificialUnits, new Uint32Array(Math.ceil(t.nRegUnits / 32)));
  });

  it('switch features on and off with those that depend on them', () => {
    const names = (cpu: string, features: string): string =>
      createSubtarget('r600', cpu, features).featureNames().join(' ');
    const cypress = createSubtarget('r600', 'cypress', '');
    const classOf = cypress.tables.regClassByName('r600_reg32');
    assert.deepEqual(cypress.rawAllocationOrder(classOf), cypress.tables.classRegs(classOf));
    // The first feature of the list, too.
    const t = LLVM22.r600Tables;
    for (const name of t.featureNames) {
      const on = createSubtarget('r600', 'r600', `+${name}`);
      const off = createSubtarget('r600', 'r600', `+${name},-${name}`);
      const bare = createSubtarget('r600', 'r600', `+${name},${name}`);
      assert.ok(on.hasFeature(name) && !off.hasFeature(name) && !bare.hasFeature(name), name);
      for (const [f, implied] of t.featureImplies.entries())
        if (implied.includes(t.featureNames.indexOf(name))) {
          const whole = t.featureNames[f]!;
          assert.ok(createSubtarget('r600', 'r600', `+${whole}`).hasFeature(name), `${whole} ${name}`);
          assert.ok(!createSubtarget('r600', 'r600', `+${whole},-${name}`).hasFeature(whole), `${whole} ${name}`);
        }
      assert.deepEqual([on.problems, off.problems, bare.problems], [[], [], []]);
      // A sign at the end is part of a name that nobody has.
      const odd = createSubtarget('r600', 'r600', `${name}+`);
      assert.deepEqual(odd.problems, [`'${name}+' is not a recognized feature for this target (ignoring feature)`]);
    }
    assert.equal(names('', ''), names('r600', ''));
    assert.notEqual(names('cayman', ''), names('r600', ''));
    assert.deepEqual(createSubtarget('r600', 'help', '+help,+cpuhelp').problems, []);
  });
});
