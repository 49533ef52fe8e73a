/** Completion of definitions, with the class or type that their readers need. */
import { describeLists } from '../../../support/completionLists.js';

describeLists('definitions');
