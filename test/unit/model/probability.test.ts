/** Probabilities of edges (server/src/model/probability.ts), as MachineBasicBlock has them. */
import assert from 'node:assert/strict';
import { probabilityAt, PROBABILITY_ONE, UNKNOWN_PROBABILITY } from '../../../server/src/model/probability.js';

describe('probabilities of edges', () => {
  it('those that are not known share what the others leave', () => {
    const [half, none] = [PROBABILITY_ONE / 2, UNKNOWN_PROBABILITY];
    assert.equal(probabilityAt([none], 0), PROBABILITY_ONE);
    assert.equal(probabilityAt([half, none, none], 0), half);
    assert.equal(probabilityAt([half, none, none], 2), half / 2);
    assert.equal(probabilityAt([PROBABILITY_ONE, half, none], 2), 0);
    assert.equal(probabilityAt([none | 0], 0), PROBABILITY_ONE, 'the columns of a function may be signed');
  });
});
