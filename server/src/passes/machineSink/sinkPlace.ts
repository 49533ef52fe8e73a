/** Where in a block instructions are put that sink into it (MachineSink, LLVM 22; docs/llvm/improving-ssa.md, 4). */
import { isBasicBlockPrologue, isBehindPhis } from '../../analysis/blockPrologue.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { DebugNames } from '../../model/printer/index.js';
import { isPhysicalReg, NO_REG, type Reg } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import { isIgnorableUse } from '../constantRegs.js';
import { setLocation } from '../debugLines.js';
import { firstNonPhi } from '../instrOrder.js';
import type { InstrQueries } from '../instrQueries.js';
import { NotModelled } from '../machinePass.js';

/** In front of the first instruction that need not stay at the start of the block. */
export function behindPrologue(editor: FunctionEditor, block: BlockId): ListPos {
  let at = firstNonPhi(editor, block);
  while (at >= 0 && isBehindPhis(editor.fn, at)) at = editor.list.after(at);
  return at;
}

/**
 * Whether something that stays at the start of a block, above `end`, touches what the instruction reads or defines. `isIgnored`: physical registers that
 * it may read all the same.
 * @llvm MachineSink.cpp blockPrologueInterferes
 */
export function prologueInterferes(
  editor: FunctionEditor,
  queries: InstrQueries,
  i: InstrId,
  block: BlockId,
  end: ListPos,
  isIgnored: (reg: PhysReg) => boolean,
): boolean {
  const { fn } = editor;
  for (let at = firstNonPhi(editor, block); at !== end && at >= 0; at = editor.list.after(at)) {
    if (!isBasicBlockPrologue(fn, at, -1)) continue;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (reg === NO_REG) continue;
      const isDef = editor.isDef(o);
      if (!isDef && isPhysicalReg(reg) && (isIgnorableUse({ editor }, i, o) || isIgnored(reg))) continue;
      if (isDef ? queries.reads(at, reg) || definesFor(editor, queries, at, reg) : defines(editor, queries, at, reg))
        return true;
    }
  }
  return false;
}

function defines(editor: FunctionEditor, queries: InstrQueries, i: InstrId, reg: Reg): boolean {
  if (isPhysicalReg(reg)) return queries.modifies(i, reg);
  const { fn } = editor;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] === reg && editor.isDef(o)) return true;
  return false;
}

/** Defines it, or what overlaps it, for somebody. */
function definesFor(editor: FunctionEditor, queries: InstrQueries, i: InstrId, reg: Reg): boolean {
  const { fn } = editor;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    const isSame = fn.opVal[o] === reg || (isPhysicalReg(reg) && queries.overlaps(fn.opVal[o], reg));
    if (isSame && editor.isDef(o)) return (fn.opFlags[o] & OpFlag.Dead) === 0;
  }
  return false;
}

/** The instruction has the location that it shares with what it is put in front of, or none. */
export function mergeSunkLocation(fn: MachineFunction, names: DebugNames, i: InstrId, at: ListPos): void {
  const own = fn.extras.get(i)?.debugLocation;
  if (own === undefined) return;
  const other = at < 0 ? undefined : fn.extras.get(at)?.debugLocation;
  const merged = other === undefined ? undefined : names.mergedLocation(own, other);
  if (merged === null) throw new NotModelled('the debug location of two instructions of different files');
  setLocation(fn, i, merged);
}
