/** Completion between documents, of header keys and of their values. */
import { describeLists } from '../../../support/completionLists.js';

describeLists('file', 'header', 'names', 'foreignHeader');
