/** Live-ins of blocks as lists. */
import type { PhysReg, TargetTables } from '../target/api.js';
import type { BlockLiveIn } from './machineFunction.js';

/**
 * By register, each once with all its lanes; in place. O(n log n)
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::sortUniqueLiveIns
 */
export function sortLiveIns(list: BlockLiveIn[]): void {
  list.sort((a, b) => a.reg - b.reg);
  let n = 0;
  for (const l of list) {
    if (n > 0 && list[n - 1].reg === l.reg) {
      list[n - 1].laneLo |= l.laneLo;
      list[n - 1].laneHi |= l.laneHi;
    } else list[n++] = l;
  }
  list.length = n;
}

/**
 * A register lives in no more: it goes with its parts, and its lanes go from the wider ones. Of a register that is listed twice the first is meant. In place. O(list)
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::removeLiveInOverlappedWith
 */
export function removeLiveIn(tables: TargetTables, list: BlockLiveIn[], reg: PhysReg): void {
  const seen = new Set<PhysReg>();
  let n = 0;
  for (const l of list) {
    if (seen.has(l.reg)) {
      list[n++] = l;
      continue;
    }
    seen.add(l.reg);
    if (l.reg === reg || tables.getSubRegIndex(reg, l.reg) !== 0) continue;
    const index = tables.getSubRegIndex(l.reg, reg);
    if (index !== 0) {
      l.laneLo &= ~tables.subRegLaneLo[index];
      l.laneHi &= ~tables.subRegLaneHi[index];
      if (l.laneLo === 0 && l.laneHi === 0) continue;
    }
    list[n++] = l;
  }
  list.length = n;
}
