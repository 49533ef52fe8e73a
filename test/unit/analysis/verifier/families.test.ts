/**
 * Each message of the verifier beside what it just lets pass: PHIs, ends of blocks, landing pads, classes and their parts, constant buses, SDWA, memory of inline
 * assembly, generic types. Answers of llc-22, kept by `test/mutate/collect.mjs ../verifierAnswers/families`.
 */
import { describeAnswers } from '../../../support/answers.js';

describeAnswers("the verifier's messages and what it lets pass", '../verifierAnswers/families.br', 20);
