/** Completion in RUN lines and in lines that FileCheck reads. */
import { describeLists } from '../../../support/completionLists.js';

describeLists('run', 'check');
