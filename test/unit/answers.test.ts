/** Whole runs whose answers llc-22 gave when they were collected. */
import { answerFiles, describeAnswers } from '../support/answers.js';

for (const file of answerFiles()) describeAnswers(`answers of llc-22: ${file.replace('.br', '')}`, file, 40);
