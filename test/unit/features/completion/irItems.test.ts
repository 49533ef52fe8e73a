/** Completion in the embedded IR. */
import { describeLists } from '../../../support/completionLists.js';

describeLists('ir', 'attributes');
