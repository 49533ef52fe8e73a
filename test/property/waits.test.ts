/** si-insert-waitcnts on random instructions in a few registers, with memory of all kinds and waits that exist already: llc-22 and amdgpu-mir print the same. */
import { MEMORY_INSTRS } from '../support/randomInstrs.js';
import { itRunsAsLlc24OnRandomInstrs, itRunsAsLlcOnRandomInstrs } from '../support/randomRuns.js';

describe('waits between random instructions, as llc-22', () =>
  itRunsAsLlcOnRandomInstrs('si-insert-waitcnts', 30, MEMORY_INSTRS));

describe('waits between random instructions', () =>
  itRunsAsLlc24OnRandomInstrs('si-insert-waitcnts', 5, MEMORY_INSTRS));
