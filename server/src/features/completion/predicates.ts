/** Predicates of generic comparisons. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import type { Candidate } from './candidate.js';

const PREDICATES = {
  int: ['eq', 'ne', 'sgt', 'sge', 'slt', 'sle', 'ugt', 'uge', 'ult', 'ule'],
  float: [
    'oeq',
    'ogt',
    'oge',
    'olt',
    'ole',
    'one',
    'ord',
    'uno',
    'ueq',
    'ugt',
    'uge',
    'ult',
    'ule',
    'une',
    'true',
    'false',
  ],
};

/** `intpred(eq)` */
export const predicates = (isInt: boolean): Candidate[] =>
  predicateWords(isInt).map((c) => ({ ...c, label: `${isInt ? 'intpred' : 'floatpred'}(${c.label})` }));

export const predicateWords = (isInt: boolean): Candidate[] =>
  PREDICATES[isInt ? 'int' : 'float'].map((label, k) => ({ label, kind: CompletionItemKind.EnumMember, score: -k }));
