/** Kill flags anew, once the instructions of a block have other places (ScheduleDAGInstrs::fixupKills, LLVM 22; docs/llvm/post-ra-scheduling.md, 4). */
import { FrameLiveness } from '../../../analysis/frame/frameLiveness.js';
import { LiveRegUnits } from '../../../analysis/liveRegUnits.js';
import type { ReservedRegs } from '../../../analysis/reservedRegs.js';
import type { InstrList } from '../../../model/edit/instrList.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
} from '../../../model/machineFunction.js';
import type { InstrRoles } from '../regions.js';

export class KillFixer {
  private readonly frame: FrameLiveness;
  private readonly live: LiveRegUnits;

  constructor(
    private readonly fn: MachineFunction,
    private readonly list: InstrList,
    private readonly roles: InstrRoles,
    private readonly reserved: ReservedRegs,
  ) {
    this.frame = new FrameLiveness(fn);
    this.live = new LiveRegUnits(fn);
  }

  /**
   * O(operands of the block)
   * @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::fixupKills
   */
  fix(block: BlockId): void {
    const { fn, list, live } = this;
    live.clear();
    this.frame.addLiveOuts(live, block, list.before(~block));
    for (let i = list.before(~block); i >= 0; i = list.before(i)) {
      if (this.roles.isDebug(i)) continue;
      for (let m = i; ; m++) {
        this.define(m);
        if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
      }
      if ((fn.bundle[i] & BundleFlag.BundledSucc) === 0) this.toggle(i, true);
      else this.toggleBundle(i);
    }
  }

  /** The last reader in a bundle kills. */
  private toggleBundle(header: InstrId): void {
    const { bundle } = this.fn;
    this.toggle(header, false);
    let last = header;
    while ((bundle[last] & BundleFlag.BundledSucc) !== 0) last++;
    for (let m = last; m > header; m--) if (!this.roles.isDebug(m)) this.toggle(m, true);
  }

  private define(i: InstrId): void {
    const { fn, live } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask) live.keepOnly(o);
      else if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) !== 0 && fn.opVal[o] > 0)
        live.removeReg(fn.opVal[o]);
    }
  }

  /** @llvm ScheduleDAGInstrs.cpp toggleKills */
  private toggle(i: InstrId, addsReads: boolean): void {
    const { fn, live, reserved } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] <= 0) continue;
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
      const reg = fn.opVal[o];
      if (live.available(reg) && !reserved.isReserved(reg)) fn.opFlags[o] |= OpFlag.Kill;
      else fn.opFlags[o] &= ~OpFlag.Kill;
      if (addsReads) live.addReg(reg);
    }
  }
}
