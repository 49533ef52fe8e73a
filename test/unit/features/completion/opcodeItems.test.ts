/** Completion of opcodes. */
import { describeLists } from '../../../support/completionLists.js';

describeLists('opcodes');
