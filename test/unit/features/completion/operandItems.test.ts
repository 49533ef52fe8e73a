/** Completion of operands: generic ones, described ones and those of COPY, PHI and their like. */
import { describeLists } from '../../../support/completionLists.js';

describeLists('operands', 'generic', 'loose', 'banks');
