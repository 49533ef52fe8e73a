/** All reports about documents. */
import { describeReports } from '../../support/wholeAnswers.js';

describeReports('reports');
