/**
 * Whether alias scopes keep two accesses apart (ScopedNoAliasAA, docs/llvm/schedule-dag.md, 6.1): in some domain the one is in
 * scopes, and the other touches none of these.
 */
import { MDNode } from '../../../ir/module.js';
import type { AliasScopes } from '../../../model/memOperand.js';

export function areScopesApart(a: AliasScopes | undefined, b: AliasScopes | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return isOutside(a.inside, b.outside) || isOutside(b.inside, a.outside);
}

function isOutside(inside: MDNode | null, outside: MDNode | null): boolean {
  if (inside === null || outside === null) return false;
  const untouched = new Set(scopesOf(outside));
  const domains = new Set<MDNode>();
  for (const scope of untouched) {
    const domain = domainOf(scope);
    if (domain !== null) domains.add(domain);
  }
  const scopes = scopesOf(inside);
  for (const domain of domains) {
    const here = scopes.filter((scope) => domainOf(scope) === domain);
    if (here.length > 0 && here.every((scope) => untouched.has(scope))) return true;
  }
  return false;
}

const scopesOf = (list: MDNode): readonly MDNode[] => list.operands.filter((o) => o instanceof MDNode);

/** Second operand of a scope: itself or a name is the first. */
function domainOf(scope: MDNode): MDNode | null {
  const domain = scope.operands[1];
  return domain instanceof MDNode ? domain : null;
}
