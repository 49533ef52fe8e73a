/**
 * Which registers live into and out of a block once the frame is known: what successors take, and what callee-saved registers hold that nobody has saved
 * (LiveRegUnits::addLiveOuts, LLVM 22). Before prologepilog nothing is known of them, and `LiveRegUnits` alone says it all.
 */
import type { BlockId, MachineFunction } from '../../model/machineFunction.js';
import { LiveRegUnits } from '../liveRegUnits.js';
import { McFlag, type PhysReg } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { calleeSaved } from './calleeSaves.js';

export class FrameLiveness {
  /** callee-saved registers that are not saved; null = none are known */
  private readonly pristine: LiveRegUnits | null = null;
  /** those that live out of a block that returns */
  private readonly returned: readonly PhysReg[] = [];

  constructor(private readonly fn: MachineFunction) {
    const { frameInfo, fixedStack, stack } = fn.header;
    if (!frameInfo.isCalleeSavedInfoValid) return;
    const saved = [...fixedStack, ...stack].filter((object) => object.calleeSavedRegister !== null);
    const all = calleeSaved(fn);
    this.pristine = new LiveRegUnits(fn);
    for (const reg of all) this.pristine.addReg(reg);
    for (const { calleeSavedRegister: reg } of saved) if (reg !== null && reg > 0) this.pristine.removeReg(reg);
    const lost = new Set(saved.filter((o) => !o.calleeSavedRestored).map((o) => o.calleeSavedRegister));
    this.returned = all.filter((reg) => !lost.has(reg));
  }

  /** @llvm LiveRegUnits.cpp LiveRegUnits::addPristines */
  addPristines(live: LiveRegUnits): void {
    if (this.pristine === null) return;
    for (let w = 0; w < live.words.length; w++) live.words[w] |= this.pristine.words[w];
  }

  /** @llvm LiveRegUnits.cpp LiveRegUnits::addLiveIns */
  addLiveIns(live: LiveRegUnits, b: BlockId): void {
    this.addPristines(live);
    for (const { reg, laneLo, laneHi } of this.fn.blocks[b].liveIns) live.addRegMasked(reg, laneLo, laneHi);
  }

  /**
   * `last`: the last instruction of the block, -1 without.
   * @llvm LiveRegUnits.cpp LiveRegUnits::addLiveOuts
   */
  addLiveOuts(live: LiveRegUnits, b: BlockId, last: number): void {
    this.addPristines(live);
    live.addLiveOuts(b);
    if (last >= 0 && hasOpcodeFlag(this.fn.tables, this.fn.opcode[last], McFlag.Return))
      for (const reg of this.returned) live.addReg(reg);
  }
}
