/** `missing implicit register operand`: adds all that the opcode has and the line does not. */
import { NO_NODE, RegFlag, RegKind, SyntaxKind, type Node, type Tree } from '../../syntax/tree.js';
import { nodesAt } from '../locate.js';
import { insert, type Assist } from './assist.js';

export const addMissingImplicit: Assist = ({ snapshot, view, diagnostic }) => {
  const tables = snapshot.subtarget.tables;
  const nodes = nodesAt(view, diagnostic.start + 1);
  const instr = nodes.find((n) => n.kind === SyntaxKind.Instruction);
  const opcodeNode = nodes.find((n) => n.kind === SyntaxKind.Opcode);
  if (!instr || !opcodeNode) return [];
  const { tree } = instr;
  const base = instr.start - tree.start(instr.node);
  const opcode = tables.opcodeByName(snapshot.text.slice(opcodeNode.start, opcodeNode.end));
  if (opcode < 0) return [];

  let end = tree.end(opcodeNode.node);
  let hasOperands = false;
  const present = new Set<string>();
  for (let c = tree.firstChild(instr.node); c !== NO_NODE; c = tree.nextSibling(c, instr.node)) {
    const kind = tree.kind(c);
    if (kind === SyntaxKind.RegisterOperand)
      present.add(keyOf(tree, c, snapshot.file.interner.text.bind(snapshot.file.interner)));
    if (c <= opcodeNode.node || kind < SyntaxKind.RegisterOperand || SyntaxKind.TargetMnemonic < kind) continue;
    end = tree.end(c);
    hasOperands = true;
  }
  const words: string[] = [];
  for (const reg of tables.implicitDefs(opcode)) {
    const name = tables.regName(reg);
    if (!present.has(`def ${name}`)) words.push(`implicit-def $${name}`);
  }
  for (const reg of tables.implicitUses(opcode)) {
    const name = tables.regName(reg);
    if (!present.has(`use ${name}`)) words.push(`implicit $${name}`);
  }
  if (words.length === 0) return [];
  const edit = insert(base + end, `${hasOperands ? ', ' : ' '}${words.join(', ')}`);
  return [{ title: `Add ${words.join(', ')}`, edits: [edit] }];
};

function keyOf(tree: Tree, n: Node, text: (id: number) => string): string {
  if (tree.regKind(n) !== RegKind.Physical) return '';
  const isDef = (tree.flags(n) & (RegFlag.Def | RegFlag.LeadingDef | RegFlag.ImplicitDef)) !== 0;
  return `${isDef ? 'def' : 'use'} ${text(tree.value(n))}`;
}
