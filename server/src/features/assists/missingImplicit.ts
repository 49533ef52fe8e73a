/**
 * `missing implicit register operand`: adds all that the opcode has and the line does not, each where LLVM has it: after the explicit
 * operands, in the opcode's order, before implicit operands that are not the opcode's. Some rules of the verifier count on that.
 *
 * In waves of 32 llc prints `$vcc_lo` for the `$vcc` of an opcode, and does not read it again: there the name is changed.
 */
import type { Diagnostic } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { NO_NODE, RegFlag, RegKind, SyntaxKind, type Node, type Tree } from '../../syntax/tree.js';
import { nodesAt } from '../snapshot/locate.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { insert, type Assist } from '../fixes/fix.js';

const HALF = '$vcc_lo';

export const addMissingImplicit: Assist = ({ snapshot, view, diagnostic }) => {
  const found = missingAt(snapshot, view, diagnostic);
  if (found === null) return [];
  const { halves, additions, words } = found;
  if (halves.length === 0)
    return additions.length === 0 ? [] : [{ title: `Add ${words.join(', ')}`, edits: additions }];
  const title = 'Write $vcc, which llc reads here, for $vcc_lo, which it prints';
  const all = view.diagnostics.flatMap((d) =>
    d.code === diagnostic.code ? (missingAt(snapshot, view, d)?.halves ?? []) : [],
  );
  const one = { title, edits: halves };
  return all.length === halves.length ? [one] : [one, { title: `${title} (${all.length} places)`, edits: all }];
};

interface MissingImplicits {
  /** `$vcc` for `$vcc_lo` */
  readonly halves: readonly TextEdit[];
  readonly additions: readonly TextEdit[];
  /** what these add */
  readonly words: readonly string[];
}

/** What the instruction of a diagnostic lacks; null where there is no known opcode. */
function missingAt(snapshot: Snapshot, view: FunctionView, diagnostic: Diagnostic): MissingImplicits | null {
  const tables = snapshot.subtarget.tables;
  const nodes = nodesAt(view, diagnostic.start + 1);
  const instr = nodes.find((n) => n.kind === SyntaxKind.Instruction);
  const opcodeNode = nodes.find((n) => n.kind === SyntaxKind.Opcode);
  if (!instr || !opcodeNode) return null;
  const { tree } = instr;
  const base = instr.start - tree.start(instr.node);
  const opcode = tables.opcodeByName(snapshot.text.slice(opcodeNode.start, opcodeNode.end));
  if (opcode < 0) return null;

  const opcodeEnd = tree.end(opcodeNode.node);
  let explicitEnd = opcodeEnd;
  let hasOperands = false;
  /** end of the operand, -1 where no implicit one stands after the opcode */
  const present = new Map<string, number>();
  const nameText = (id: number): string => snapshot.file.interner.text(id);
  let hasImplicit = false;
  for (let c = tree.firstChild(instr.node); c !== NO_NODE; c = tree.nextSibling(c, instr.node)) {
    const kind = tree.kind(c);
    const isOperand = c > opcodeNode.node && SyntaxKind.RegisterOperand <= kind && kind <= SyntaxKind.TargetMnemonic;
    const isImplicit =
      kind === SyntaxKind.RegisterOperand && (tree.flags(c) & (RegFlag.Implicit | RegFlag.ImplicitDef)) !== 0;
    if (kind === SyntaxKind.RegisterOperand) {
      const key = keyOf(tree, c, nameText);
      if (!present.has(key)) present.set(key, isOperand && isImplicit ? tree.end(c) : -1);
    }
    if (!isOperand) continue;
    hasOperands = true;
    hasImplicit ||= isImplicit;
    if (!hasImplicit) explicitEnd = tree.end(c);
  }

  const missing: { at: number; words: string[] }[] = [];
  const halves: TextEdit[] = [];
  let at = explicitEnd;
  const visit = (key: string, word: string): void => {
    const half = present.get(key) === undefined && / vcc$/.test(key) ? (present.get(`${key}_lo`) ?? -1) : -1;
    const start = base + half - HALF.length;
    if (half >= 0 && snapshot.text.slice(start, base + half) === HALF)
      halves.push({ start, end: base + half, text: '$vcc' });
    const end = half >= 0 ? half : present.get(key);
    if (end === undefined) {
      const last = missing[missing.length - 1];
      if (last?.at === at) last.words.push(word);
      else missing.push({ at, words: [word] });
    } else if (end > at) at = end;
  };
  for (const reg of tables.implicitDefs(opcode))
    visit(`def ${tables.regName(reg)}`, `implicit-def $${tables.regName(reg)}`);
  for (const reg of tables.implicitUses(opcode))
    visit(`use ${tables.regName(reg)}`, `implicit $${tables.regName(reg)}`);
  const additions = missing.map(({ at, words }) => {
    const text = words.join(', ');
    if (at > opcodeEnd) return insert(base + at, `, ${text}`);
    return insert(base + at, hasOperands ? ` ${text},` : ` ${text}`);
  });
  return { halves, additions, words: missing.flatMap((m) => m.words) };
}

function keyOf(tree: Tree, n: Node, text: (id: number) => string): string {
  if (tree.regKind(n) !== RegKind.Physical) return '';
  const isDef = (tree.flags(n) & (RegFlag.Def | RegFlag.LeadingDef | RegFlag.ImplicitDef)) !== 0;
  return `${isDef ? 'def' : 'use'} ${text(tree.value(n))}`;
}
