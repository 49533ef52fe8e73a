/** Types that stand after generic registers. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { printLLT } from '../../model/llt.js';
import type { Candidate } from './candidate.js';
import type { FunctionScope } from './functionScope.js';

/** Types of generic registers, those of this function first. */
export function lowLevelTypes(scope: FunctionScope): Candidate[] {
  const counts = new Map<string, number>();
  for (const v of scope.vregs)
    if (v.type !== null) counts.set(printLLT(v.type), (counts.get(printLLT(v.type)) ?? 0) + 1);
  for (const usual of [
    's1',
    's8',
    's16',
    's32',
    's64',
    'p0',
    'p1',
    'p3',
    'p4',
    'p5',
    '<2 x s16>',
    '<2 x s32>',
    '<4 x s32>',
  ])
    if (!counts.has(usual)) counts.set(usual, 0);
  return [...counts].map(([label, n]) => ({
    label,
    kind: CompletionItemKind.TypeParameter,
    score: n,
    description: n > 0 ? `used ${n} x here` : '',
  }));
}
