/** Code actions at every word of documents, with what they write. */
import { describeWords } from '../../../support/wholeAnswers.js';

describeWords('actions');
