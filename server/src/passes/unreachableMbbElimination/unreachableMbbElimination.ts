/**
 * `unreachable-mbb-elimination`: blocks that the entry does not reach go, and PHIs that one block is left of become copies or go
 * (UnreachableBlockElim, LLVM 22; docs/llvm/small-passes.md, 2).
 */
import { removePredecessor } from '../../model/edit/blockEdges.js';
import { reversePostOrder } from '../../util/reversePostOrder.js';
import { operandOf, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { OpFlag, type BlockId, type InstrId } from '../../model/machineFunction.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { MachinePass } from '../machinePass.js';

/** @llvm UnreachableBlockElim.cpp UnreachableMachineBlockElimLegacy */
export const unreachableMbbEliminationPass: MachinePass = {
  name: 'unreachable-mbb-elimination',
  pipelineName: 'unreachable-mbb-elimination',
  className: 'UnreachableMachineBlockElimPass',
  title: 'Remove unreachable machine basic blocks',
  requires: [],
  preserves: [],
  run: (state) => removeUnreachableBlocks(state.editor()),
};

/**
 * The blocks that stay have the numbers of their places. O(size)
 * @llvm UnreachableBlockElim.cpp UnreachableMachineBlockElim::run
 */
export function removeUnreachableBlocks(editor: FunctionEditor): void {
  const { fn } = editor;
  const reached = new Uint8Array(fn.blocks.length);
  for (const b of reversePostOrder(fn.blocks)) reached[b] = 1;
  const dead = [...fn.blocks.keys()].filter((b) => reached[b] === 0);
  for (const b of dead) for (const s of fn.blocks[b].successors) removePredecessor(fn, s, b);
  for (let b = 0; b < fn.blocks.length; b++) if (reached[b] === 1) cleanPhis(editor, b);
  editor.removeBlocks(dead);
}

function cleanPhis(editor: FunctionEditor, b: BlockId): void {
  const { fn } = editor;
  const { list } = editor;
  const phis = opcodeSet(fn.tables, 'phi');
  const predecessors = new Set(fn.blocks[b].predecessors);
  for (let i = list.first(b); i >= 0 && phis.has(fn.opcode[i]);) {
    const next = list.after(i);
    const gone = new Set<number>();
    const n = fn.opBegin[i + 1] - fn.opBegin[i];
    for (let k = 2; k < n; k += 2) {
      if (predecessors.has(fn.opVal[fn.opBegin[i] + k])) continue;
      gone.add(k - 1);
      gone.add(k);
    }
    const phi = gone.size > 0 ? editor.withoutOperands(i, gone) : i;
    if (n - gone.size === 3) replacePhi(editor, phi, b);
    i = next;
  }
}

/** A PHI with one value left: its readers read that value, where that one may have the class that they need, else a copy. */
function replacePhi(editor: FunctionEditor, phi: InstrId, b: BlockId): void {
  const { fn } = editor;
  const { tables, vregs } = fn;
  const [def, use] = [fn.opBegin[phi], fn.opBegin[phi] + 1];
  const [to, from] = [fn.opVal[def], fn.opVal[use]];
  if (to !== from) {
    const isPlain = fn.opSub[use] === 0 && (fn.opFlags[use] & OpFlag.Undef) === 0;
    const common = isPlain ? tables.getCommonSubClass(vregs.regClass[~from], vregs.regClass[~to]) : -1;
    if (common >= 0) {
      vregs.regClass[~from] = common;
      editor.replaceReg(to, from);
    } else {
      const phis = opcodeSet(tables, 'phi');
      let at = editor.list.first(b);
      while (at >= 0 && phis.has(fn.opcode[at])) at = editor.list.after(at);
      const copy = tables.opcodeByName('COPY');
      new InstrBuilder(editor).build(at, phi, copy, [regOperand(to, OpFlag.Def), operandOf(fn, use)]);
    }
  }
  editor.erase(phi);
}
