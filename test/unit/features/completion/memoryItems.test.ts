/** Completion behind `::`. */
import { describeLists } from '../../../support/completionLists.js';

describeLists('memory');
