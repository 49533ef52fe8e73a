/** What is asked about an instruction, for each of documents. */
import { describeReports } from '../../support/wholeAnswers.js';

describeReports('instructions');
