/** `use of undefined machine basic block`: the block, at the end of the function, with the terminator that its other ends have. */
import { EntityKind } from '../symbols/symbolIndex.js';
import { eol, insert, occurrenceIn, type Assist } from '../fixes/fix.js';

/** Instructions that end a function, as a new block can have them. */
const ENDS: readonly (readonly [mentioned: RegExp, instruction: string])[] = [
  [/\bSI_RETURN\b/, 'SI_RETURN'],
  [/\bS_SETPC_B64_return\b/, 'SI_RETURN'],
];
const END = 'S_ENDPGM 0';

export const createBlock: Assist = ({ snapshot, view, diagnostic }) => {
  const { body, symbols } = view;
  const { text } = snapshot;
  const number = diagnostic.facts?.block;
  if (body === null || number === undefined) return [];
  const i = occurrenceIn(view, diagnostic);
  if (i >= 0 && symbols.kinds[symbols.entity[i]!] !== EntityKind.Block) return [];
  const start = view.start + body.start;
  const lines = text.slice(start, start + body.length).replace(/[\s]*$/, '');
  const label = /^([ \t]*)bb\.\d/m.exec(lines);
  if (label === null) return [];
  // The name that the branch gives it, `%bb.4.exit`.
  const named = new RegExp(`^%bb\\.${number}(\\.[\\w.-]+)?`).exec(text.slice(diagnostic.start, diagnostic.end));
  const name = `bb.${number}${named?.[1] ?? ''}`;
  const end = ENDS.find(([mentioned]) => mentioned.test(lines))?.[1] ?? END;
  const line = eol(snapshot);
  const indent = label[1]!;
  const block = `${line}${line}${indent}${name}:${line}${indent}  ${end}`;
  return [{ title: `Create block ${name} at the end`, edits: [insert(start + lines.length, block)] }];
};
