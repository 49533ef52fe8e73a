/** Completion after `::`. */
import { describeLists } from '../../../support/completionLists.js';

describeLists('memory');
