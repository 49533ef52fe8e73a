/** Completion of registers in each state that they can be in. */
import { describeLists } from '../../../support/completionLists.js';

describeLists('registers', 'wave32');
