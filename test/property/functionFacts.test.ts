/**
 * Allocation orders, wider classes, reserved and callee-saved registers, costs and masks of random functions against LLVM's own: processors, conventions and
 * attributes. `AMDGPU_MIR_RUNS=3200 AMDGPU_MIR_SEED=7 npx mocha ... test/property/functionFacts.test.ts` asks about more.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ReservedRegs } from '../../server/src/analysis/reservedRegs.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { largestSuperClass } from '../../server/src/passes/regalloc/registerClassInfo.js';
import { orderCosts } from '../../server/src/passes/regalloc/registerCosts.js';
import { LLVM22 } from '../../server/src/target/index.js';
import { FactsProgram, randomReservations, TRIPLES, type FunctionFacts } from '../support/functionFacts.js';
import { needsLlc } from '../support/llc.js';
import { lowerMir } from '../support/mir.js';
import { needsShared, SHARED, skip } from '../support/skip.js';
import { runsOr, seedOr, SHOW } from '../support/switches.js';

const FIRST = seedOr(1);
const COUNT = runsOr(20);
const PER_FILE = 10;

/** What differs, a line for each kind. */
function differences(fn: MachineFunction, facts: FunctionFacts, costs: Uint8Array): string[] {
  const { tables, subtarget, header } = fn;
  const { callingConv } = header.irFunction;
  const found: string[] = [];
  const reserved = new ReservedRegs(fn);
  const compare = (what: string, ours: unknown, theirs: unknown): void => {
    const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)];
    if (a !== b) found.push(`${what}: ${a.slice(0, 200)} instead of ${b.slice(0, 200)}`);
  };
  const all = Array.from({ length: tables.nRegs }, (_, reg) => reg).filter((reg) => reg > 0 && reserved.all.has(reg));
  compare('reserved', all, facts.reserved);
  compare('callee-saved', header.calleeSavedRegisters ?? subtarget.calleeSavedRegs(callingConv), facts.saved);
  const mask = subtarget.callPreservedMask(callingConv);
  compare('mask', mask, facts.mask === '' ? -1 : tables.regMaskByName(facts.mask));
  for (const [rc, minCost, lastCostChange, above, theirs] of facts.classes) {
    const order = reserved.allocationOrder(rc);
    compare(`order of ${tables.regClassName(rc)}`, Array.from(order), theirs);
    compare(`class above ${tables.regClassName(rc)}`, largestSuperClass(subtarget, rc), above);
    const own = orderCosts(order, costs);
    compare(`costs of ${tables.regClassName(rc)}`, [own.minCost, own.lastCostChange], [minCost, lastCostChange]);
  }
  return found;
}

describe('registers of random functions', () => {
  it(`are to be had, saved and reserved as in LLVM, in ${COUNT} functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    const program = FactsProgram.make();
    if (program === null) {
      needsShared(this, join(SHARED, 'oracle'));
      skip(this, 'llvm-22-dev or clang-22 is not installed');
    }
    const { nRegs } = LLVM22.tables;
    const wrong: string[] = [];
    let nFunctions = 0;
    let nOrders = 0;
    try {
      for (let k = 0; nFunctions < COUNT; k++) {
        const seed = FIRST + k;
        const triple = TRIPLES[k % TRIPLES.length]!;
        const text = randomReservations(seed, Math.min(PER_FILE, COUNT - nFunctions));
        // Every second file with LLVM's own costs, which are none.
        const costs = new Uint8Array(nRegs);
        const isDear = k % 2 === 1;
        if (isDear)
          for (let reg = 1; reg < nRegs; reg++) costs[reg] = Math.imul(reg ^ seed, 0x9e3779b1) >>> (24 + (k % 7));
        const facts: readonly FunctionFacts[] = program.ask(triple, text, isDear ? costs : null);
        const fns = lowerMir(text, { triple, cpu: '', features: '' });
        assert.deepEqual(
          fns.map((fn) => fn.header.name),
          facts.map((f) => f.name),
        );
        fns.forEach((fn, n) => {
          if (!isDear) assert.equal(facts[n]!.nCosts, 0);
          nFunctions++;
          nOrders += facts[n]!.classes.length;
          for (const line of differences(fn, facts[n]!, costs)) wrong.push(`seed ${seed} ${triple} @f${n}: ${line}`);
        });
      }
    } finally {
      program.end();
    }
    assert.deepEqual(wrong.slice(0, SHOW || 10), []);
    console.log(`      ${nOrders} orders of ${nFunctions} functions`);
  });
});
