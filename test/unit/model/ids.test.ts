/** Ids of one kind are not taken for those of another: the compiler says so, and this file does not compile once it does not. */
import assert from 'node:assert/strict';
import { virtReg } from '../../../server/src/model/register.js';
import type { BlockId, InstrId, Place } from '../../../server/src/model/machineFunction.js';
import type { VRegId } from '../../../server/src/model/register.js';
import type { SlotIndex } from '../../../server/src/analysis/slotIndexes.js';

const instrAfter = (i: InstrId): InstrId => i + 1;

describe('ids', () => {
  it('numbers and ids of the same kind are taken, others refused by the compiler', () => {
    const instr: InstrId = 3;
    const block: BlockId = 3;
    const place: Place = 3;
    const slot: SlotIndex = 16;
    const vreg: VRegId = 2;
    // @ts-expect-error a block is no instruction
    instrAfter(block);
    // @ts-expect-error nor is a place in the layout
    instrAfter(place);
    // @ts-expect-error nor a slot
    instrAfter(slot);
    // @ts-expect-error an operand's register is no index of a virtual register
    virtReg(virtReg(vreg));
    // @ts-expect-error nothing can be equal
    assert.ok(instr === block);
    assert.equal(instrAfter(instr), 4);
    assert.equal(virtReg(vreg), ~2);
  });
});
