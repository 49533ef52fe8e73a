/** A register that is free at a place of a block, looked for from the block's end (RegScavenger, LLVM 22), after allocation. */
import { LiveRegUnits } from './liveRegUnits.js';
import { ReservedRegs } from './reservedRegs.js';
import type { InstrList } from '../model/edit/instrList.js';
import type { InstrId, MachineFunction } from '../model/machineFunction.js';
import { NO_REG } from '../model/register.js';
import type { PhysReg, RegClassId } from '../target/api.js';

/**
 * Registers that neither live after an instruction nor are named by it.
 * @llvm RegisterScavenging.cpp RegScavenger
 */
export class FreeRegisters {
  private readonly live: LiveRegUnits;
  private readonly used: LiveRegUnits;

  /** At instruction `at`; O(instructions after it in its block) */
  constructor(
    private readonly fn: MachineFunction,
    list: InstrList,
    at: InstrId,
    private readonly reserved: ReservedRegs,
  ) {
    const block = fn.instrBlock[at];
    this.live = new LiveRegUnits(fn);
    this.live.addLiveOuts(block);
    for (let i = list.before(~block); i !== at; i = list.before(i)) this.live.stepBackward(i);
    this.used = new LiveRegUnits(fn);
    this.used.accumulate(at);
  }

  /**
   * The first of a class in its order that is free, and no longer then; NO_REG without one.
   * @llvm RegisterScavenging.cpp RegScavenger::scavengeRegisterBackwards
   */
  take(rc: RegClassId): PhysReg {
    for (const reg of this.fn.subtarget.rawAllocationOrder(rc))
      if (!this.reserved.isReserved(reg) && this.used.available(reg) && this.live.available(reg)) {
        this.live.addReg(reg);
        return reg;
      }
    return NO_REG;
  }
}
