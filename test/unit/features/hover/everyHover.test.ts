/** Hovers of every word of documents. */
import { describeWords } from '../../../support/wholeAnswers.js';

describeWords('hovers');
