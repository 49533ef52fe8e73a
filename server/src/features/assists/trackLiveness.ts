/** Adds `tracksRegLiveness: true` to a function that has none: without it llc checks no physical register and knows no pressure of them. */
import { NO_NODE, SyntaxKind } from '../../syntax/tree.js';
import { OperandKind } from '../../model/machineFunction.js';
import { isPhysicalReg } from '../../model/register.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { eol, insert, type Proposal } from '../fixes/fix.js';

/** The offer for a function, null where the key stands or nothing would be tracked. */
export function addTracksRegLiveness(snapshot: Snapshot, view: FunctionView): Proposal | null {
  const { fn, document, nameRange } = view;
  if (!fn || !nameRange || fn.header.tracksRegLiveness || !usesRegisters(view)) return null;
  const title = 'Add tracksRegLiveness: true';
  const { yaml } = document;
  for (let p = yaml.firstChild(0); p !== NO_NODE; p = yaml.nextSibling(p, 0)) {
    const key = yaml.firstChild(p);
    if (key === NO_NODE || yaml.kind(key) !== SyntaxKind.YamlScalar) continue;
    const value = yaml.nextSibling(key, p);
    if (snapshot.file.interner.text(Math.max(0, yaml.value(key))) !== 'tracksRegLiveness' || value === NO_NODE)
      continue;
    return {
      title,
      edits: [{ start: view.start + yaml.start(value), end: view.start + yaml.end(value), text: 'true' }],
    };
  }
  const line = snapshot.text.lineAt(nameRange.start);
  return { title, edits: [insert(snapshot.text.lineEnd(line), `${eol(snapshot)}tracksRegLiveness: true`)] };
}

function usesRegisters({ fn }: FunctionView): boolean {
  if (!fn) return false;
  for (let o = 0; o < fn.nOperands; o++)
    if (fn.opKind[o] === OperandKind.Register && isPhysicalReg(fn.opVal[o]!)) return true;
  return fn.vregs.n > 0;
}
