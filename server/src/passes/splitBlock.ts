/** A block becomes two, the second with its live-ins. */
import { LivePhysRegs } from '../analysis/livePhysRegs.js';
import { ReservedRegs } from '../analysis/reservedRegs.js';
import type { FunctionEditor } from '../model/edit/functionEditor.js';
import type { BlockId, InstrId } from '../model/machineFunction.js';

/**
 * What stands after an instruction goes into a new block, which is returned. O(size of the block)
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::splitAt
 */
export function splitBlockAfter(editor: FunctionEditor, i: InstrId): BlockId {
  const { fn, list } = editor;
  const block = fn.instrBlock[i];
  const live = new LivePhysRegs(fn);
  live.addLiveOuts(block);
  for (let at = list.before(~block); at !== i; at = list.before(at)) live.stepBackward(at);
  const liveIns = live.liveIns(new ReservedRegs(fn)).map((reg) => ({ reg, laneLo: -1, laneHi: -1 }));
  const made = editor.splitBehind(i);
  fn.blocks[made].liveIns = liveIns;
  return made;
}
