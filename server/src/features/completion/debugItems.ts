/** What a DBG_VALUE has beside the register: whether it is an address, its variable, its expression. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { EntityKind } from '../symbols/symbolIndex.js';
import type { Candidate } from './candidate.js';
import type { FunctionScope } from './functionScope.js';

/** No location, or a value that is no address. */
export const NO_REGISTER: Candidate = { label: '$noreg', kind: CompletionItemKind.Variable, score: 90 };

export const ADDRESS: Candidate = {
  label: '0',
  kind: CompletionItemKind.Value,
  score: 80,
  detail: ' the value is an address',
};

/** Nodes of the IR; of a debug value the expression comes last. */
export function metadata(scope: FunctionScope, k: number): Candidate[] {
  const { snapshot } = scope;
  const names = new Set<string>();
  for (const { kind, name } of snapshot.irSymbols?.symbols.occurrences ?? [])
    if (kind === EntityKind.Metadata) names.add(`!${name}`);
  const { text } = snapshot.text;
  const variables = k === 2 ? [...text.matchAll(DECLARED_VARIABLE)].map(([, name = '']) => name) : [];
  const items: Candidate[] = (variables.length > 0 ? variables : [...names]).map((label, i) => ({
    label,
    kind: CompletionItemKind.Reference,
    score: -i / 100,
  }));
  const above = text.slice(Math.max(scope.view.start, scope.lineStart - DEBUG_VALUES_ABOVE), scope.lineStart);
  const said = [...above.matchAll(DEBUG_VALUE)].map(([, variable = '', expression = '']) =>
    k === 2 ? variable : expression,
  );
  // How often, and how late.
  const weights = new Map<string, number>(k === 3 ? [['!DIExpression()', 5]] : []);
  said.forEach((label, n) => weights.set(label, (weights.get(label) ?? 3) + (1 + n) / said.length));
  return [
    ...[...weights].map(([label, score]) => ({ label, kind: CompletionItemKind.Reference, score })),
    ...items.filter(({ label }) => !weights.has(label)),
  ];
}

const DECLARED_VARIABLE = /^ *(!\d+) = (?:distinct )?!DILocalVariable\(/gm;
const DEBUG_VALUE = /\bDBG_VALUE [^\n]*?, (![\w.]+), (!DIExpression\([^()\n]*\))/g;
/** Characters above the cursor in which debug values are looked for. */
const DEBUG_VALUES_ABOVE = 16_000;
