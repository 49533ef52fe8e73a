/** Completion of the words of a body, and in bodies of other targets. */
import { describeLists } from '../../../support/completionLists.js';

describeLists('words', 'foreign');
