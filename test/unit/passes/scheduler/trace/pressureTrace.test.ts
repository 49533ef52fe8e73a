/** Counts of registers for readers: LLVM's have no sign. */
import assert from 'node:assert/strict';
import {
  pressureTrace,
  registersText,
  vectorRegisters,
} from '../../../../../server/src/passes/scheduler/trace/pressureTrace.js';

describe('counts of registers', () => {
  it('below none are told as such, and are none together with what is above by as much', () => {
    const counted = pressureTrace(Int32Array.from([3, -1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]));
    const { sgpr, vgpr, avgpr } = counted;
    assert.deepEqual([sgpr, vgpr, avgpr], [3, 4294967295, 1]);
    assert.equal(vectorRegisters(counted), 0);
    assert.deepEqual([3, 4294967295, 0, 512].map(registersText), ['3', 'below 0', '0', '512']);
  });
});
