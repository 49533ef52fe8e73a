/** Things of the function and the file that operands name: blocks, stack objects, globals. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { Tok } from '../../syntax/lexer.js';
import { EntityKind } from '../symbols/symbolIndex.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { Candidate } from './candidate.js';
import type { FunctionScope } from './functionScope.js';
import type { InstrLine } from './instrLine.js';
import { POINTS } from './points.js';

/** Characters of a small block. */
const BLOCK = 200;

export function blocks(scope: FunctionScope, line: InstrLine): Candidate[] {
  const { symbols } = scope.view;
  const here = scope.lineStart - scope.view.start;
  const used = new Set(line.tokens.filter((t) => t.tok === Tok.BlockRef).map((t) => line.text.slice(t.start, t.end)));
  const items: { label: string; at: number }[] = [];
  for (let e = 0; e < symbols.nEntities; e++) {
    if (symbols.kinds[e] !== EntityKind.Block) continue;
    const places = symbols.occurrences(e);
    if (places.length === 0) continue;
    items.push({ label: `%bb.${symbols.nameOf(e)}`, at: symbols.start[places[0]!]! });
  }
  const successors = new Set(scope.successorsHere());
  return items.map(({ label, at }) => ({
    label,
    kind: CompletionItemKind.Module,
    score:
      (successors.has(label) ? POINTS.isSuccessor : 0) +
      (used.has(label) ? POINTS.blockNamedBefore : 0) -
      POINTS.blockFarther * Math.log2(1 + Math.abs(at - here) / BLOCK) +
      (at > here ? POINTS.blockBelow : 0),
    description: scope.view.fn ? blockText(scope, label) : '',
  }));
}

function blockText({ view }: FunctionScope, label: string): string {
  const b = view.fn!.blocks.find((block) => `%bb.${block.sourceNumber}` === label);
  return b?.irName ?? '';
}

/** Entries of the header, and what the body mentions, as memory addresses and frame operands have them. */
export function stackObjects(scope: FunctionScope, score: number = POINTS.stackObject): Candidate[] {
  const { symbols } = scope.view;
  // Code for AMDGPU has addresses of the stack; the others are rare.
  const leads: Partial<Record<EntityKind, readonly [string, number]>> = {
    [EntityKind.Stack]: ['%stack.', 0],
    [EntityKind.FixedStack]: ['%fixed-stack.', 0.1],
    [EntityKind.Constant]: ['%const.', 0.2],
    [EntityKind.JumpTable]: ['%jump-table.', 0.3],
  };
  const items: Candidate[] = [];
  for (let e = 0; e < symbols.nEntities; e++) {
    const lead = leads[symbols.kinds[e]!];
    if (lead !== undefined && symbols.occurrences(e).length > 0)
      items.push({ label: `${lead[0]}${symbols.nameOf(e)}`, kind: CompletionItemKind.Struct, score: score - lead[1] });
  }
  return items;
}

/** Globals that the embedded IR names, and the machine functions of the file. */
export function globals(snapshot: Snapshot): Candidate[] {
  const names = new Set(snapshot.functions.map((f) => f.name));
  for (const { kind, name } of snapshot.irSymbols?.symbols.occurrences ?? [])
    if (kind === EntityKind.Global && !name.startsWith('llvm.')) names.add(name);
  names.delete('');
  return [...names].map((name) => ({
    label: `@${/^[\w.$-]+$/.test(name) ? name : JSON.stringify(name)}`,
    kind: CompletionItemKind.Reference,
    score: POINTS.global,
  }));
}
