/** Instructions that move past another one so that a tied source ends where it is tied (TwoAddressInstructionPass, LLVM 22; docs/llvm/leaving-ssa.md, 3). */
import { isSafeToMove } from '../../analysis/safeToMove.js';
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg, NO_REG, type Reg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { LatencyModel } from '../scheduler/dag/latency.js';
import { resolveSchedClass } from '../scheduler/schedClass.js';
import type { LiveVariables } from './liveVariables.js';

/** So many instructions may be passed. */
const MAX_PASSED = 10;

const STAYS = [McFlag.UnmodeledSideEffects, McFlag.Call, McFlag.Branch, McFlag.Terminator];

export class TiedMoves {
  private readonly fn: MachineFunction;
  private readonly traits: Uint8Array;
  private latencies: LatencyModel | null = null;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly live: LiveVariables | null,
    private readonly distances: Map<InstrId, number>,
    private readonly kills: (i: InstrId, reg: Reg) => boolean,
  ) {
    this.fn = editor.fn;
    this.traits = opcodeTraits(this.fn.tables);
  }

  private latency(i: InstrId): number {
    return (this.latencies ??= new LatencyModel(this.fn, resolveSchedClass)).instrLatency(i);
  }

  private isCopy(i: InstrId): boolean {
    return this.fn.opcode[i] === this.fn.tables.opcodeByName('COPY');
  }

  private isCopyLike(i: InstrId): boolean {
    return opcodeSet(this.fn.tables, 'copyLike').has(this.fn.opcode[i]);
  }

  private isDebug(i: InstrId): boolean {
    return (this.traits[this.fn.opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0;
  }

  private stays(i: InstrId): boolean {
    return STAYS.some((flag) => hasOpcodeFlag(this.fn.tables, this.fn.opcode[i], flag));
  }

  private overlaps(regs: readonly Reg[], reg: Reg): boolean {
    const { tables } = this.fn;
    return regs.some((other) => other === reg || (other > 0 && reg > 0 && tables.regsOverlap(other, reg)));
  }

  /**
   * The result that a source is tied to, NO_REG = none.
   * @llvm TwoAddressInstructionPass.cpp isTwoAddrUse
   */
  tiedResult(i: InstrId, reg: Reg): Reg {
    const { fn, editor } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (!editor.isDef(o) && fn.opVal[o] === reg && fn.opTied[o] >= 0) return fn.opVal[fn.opBegin[i] + fn.opTied[o]];
    return NO_REG;
  }

  /** The instruction of the block that reads a register last, if one of the two may pass the other; -1 = none may. */
  private killOf(i: InstrId, reg: Reg): InstrId {
    const { live, fn } = this;
    if (live === null || !this.distances.has(i)) return -1;
    const kill = live.killIn(reg, fn.instrBlock[i]);
    return kill < 0 || kill === i || this.isCopyLike(kill) || this.tiedResult(kill, reg) !== NO_REG ? -1 : kill;
  }

  private isKill(o: number): boolean {
    const { fn, editor } = this;
    return (fn.opFlags[o] & OpFlag.Kill) !== 0 || this.kills(editor.instrOf(o), fn.opVal[o]);
  }

  private passKill(reg: Reg, kill: InstrId, i: InstrId): void {
    this.live!.removeKill(reg, kill);
    this.live!.addKill(reg, i);
  }

  /**
   * Moves the instruction, with copies of its results, behind the last reader of the tied source. Where to go on; null = it stays.
   * @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::rescheduleMIBelowKill
   */
  belowKill(i: InstrId, reg: Reg): ListPos | null {
    const { fn, editor } = this;
    const { list } = editor;
    const kill = this.killOf(i, reg);
    if (kill < 0 || this.stays(kill) || !isSafeToMove(fn, i) || this.mayLoad(i) || this.latency(i) > 1) return null;
    const [uses, kills, defs]: [Reg[], Reg[], Reg[]] = [[], [], []];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] === NO_REG) continue;
      if (editor.isDef(o)) defs.push(fn.opVal[o]);
      else {
        uses.push(fn.opVal[o]);
        if (fn.opVal[o] !== reg && this.isKill(o)) kills.push(fn.opVal[o]);
      }
    }
    let end = list.after(i);
    for (;;) {
      while (end >= 0 && this.isDebug(end)) end = list.after(end);
      if (end < 0 || !this.isCopy(end) || !this.overlaps(defs, fn.opVal[fn.opBegin[end] + 1])) break;
      defs.push(fn.opVal[fn.opBegin[end]]);
      end = list.after(end);
    }
    const behind = list.after(kill);
    let n = 0;
    for (let other = end; other !== behind; other = list.after(other)) {
      if (other < 0) return null;
      if (this.isDebug(other)) continue;
      if (n > MAX_PASSED || this.stays(other) || !this.mayPassDown(other, reg, uses, kills, defs)) return null;
      n++;
    }
    let begin = i;
    while (list.before(begin) >= 0 && this.isDebug(list.before(begin))) begin = list.before(begin);
    for (let at: ListPos = begin; at !== end;) {
      const next = list.after(at);
      editor.move(at, behind, fn.instrBlock[i]);
      at = next;
    }
    this.distances.delete(i);
    this.passKill(reg, kill, i);
    return end;
  }

  private mayLoad(i: InstrId): boolean {
    // With a store seen before, loads stay.
    return hasOpcodeFlag(this.fn.tables, this.fn.opcode[i], McFlag.MayLoad);
  }

  private mayPassDown(other: InstrId, reg: Reg, uses: Reg[], kills: Reg[], defs: Reg[]): boolean {
    const { fn, editor } = this;
    for (let o = fn.firstReg(other); o >= 0; o = fn.nextReg(other, o)) {
      const named = fn.opVal[o];
      if (named === NO_REG) continue;
      if (editor.isDef(o)) {
        if (this.overlaps(uses, named)) return false;
        if ((fn.opFlags[o] & OpFlag.Dead) === 0 && this.overlaps(defs, named)) return false;
        continue;
      }
      if (this.overlaps(defs, named)) return false;
      const isKill = this.isKill(o);
      if (named !== reg && ((isKill && this.overlaps(uses, named)) || this.overlaps(kills, named))) return false;
      if (named === reg && !isKill) return false;
    }
    return true;
  }

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::isDefTooClose */
  private isTooClose(reg: Reg, distance: number, i: InstrId): boolean {
    const { fn, editor } = this;
    for (let o = editor.firstOperand(reg); o >= 0 && editor.isDef(o); o = editor.nextOperand(o)) {
      const def = editor.instrOf(o);
      if (fn.instrBlock[def] !== fn.instrBlock[i] || this.isCopyLike(def)) continue;
      if (def === i) return true;
      const at = this.distances.get(def);
      if (at === undefined || this.latency(def) > distance - at) return true;
    }
    return false;
  }

  /**
   * Moves the last reader of the tied source in front of the instruction. Where to go on; null = it stays.
   * @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::rescheduleKillAboveMI
   */
  killAbove(i: InstrId, reg: Reg): ListPos | null {
    const { fn, editor } = this;
    const { list } = editor;
    const kill = this.killOf(i, reg);
    if (kill < 0 || !isSafeToMove(fn, kill) || this.mayLoad(kill)) return null;
    const distance = this.distances.get(i)!;
    const [uses, kills, defs, liveDefs]: [Reg[], Reg[], Reg[], Reg[]] = [[], [], [], []];
    for (let o = fn.firstReg(kill); o >= 0; o = fn.nextReg(kill, o)) {
      const named = fn.opVal[o];
      if (!editor.isDef(o)) {
        if (named === NO_REG) continue;
        if (this.isTooClose(named, distance, i)) return null;
        const isKill = this.isKill(o);
        if (named === reg && !isKill) return null;
        uses.push(named);
        if (isKill && named !== reg) kills.push(named);
      } else if (isPhysicalReg(named)) {
        defs.push(named);
        if ((fn.opFlags[o] & OpFlag.Dead) === 0) liveDefs.push(named);
      }
    }
    let n = 0;
    for (let other: ListPos = i; other !== kill; other = list.after(other)) {
      if (other < 0) return null;
      if (this.isDebug(other)) continue;
      if (n > MAX_PASSED || this.stays(other)) return null;
      n++;
      if (!this.mayPassUp(other, i, reg, { uses, kills, defs, liveDefs })) return null;
    }
    let place: ListPos = i;
    while (list.before(place) >= 0 && this.isDebug(list.before(place))) place = list.before(place);
    let from = kill;
    while (list.before(from) >= 0 && this.isDebug(list.before(from))) from = list.before(from);
    const to = list.after(kill);
    for (let at: ListPos = from; at !== to;) {
      const next = list.after(at);
      editor.move(at, place, fn.instrBlock[i]);
      at = next;
    }
    this.distances.delete(i);
    this.passKill(reg, kill, i);
    return list.before(place);
  }

  private mayPassUp(
    other: InstrId,
    i: InstrId,
    reg: Reg,
    of: { readonly uses: Reg[]; readonly kills: Reg[]; readonly defs: Reg[]; readonly liveDefs: Reg[] },
  ): boolean {
    const { fn, editor } = this;
    const otherDefs: Reg[] = [];
    for (let o = fn.firstReg(other); o >= 0; o = fn.nextReg(other, o)) {
      const named = fn.opVal[o];
      if (named === NO_REG) continue;
      if (editor.isDef(o)) {
        otherDefs.push(named);
        continue;
      }
      if (this.overlaps(of.defs, named) || this.overlaps(of.kills, named)) return false;
      if (other !== i && named === reg && !this.isKill(o)) return false;
    }
    for (const named of otherDefs) {
      if (this.overlaps(of.uses, named)) return false;
      if (isPhysicalReg(named) && this.overlaps(of.liveDefs, named)) return false;
      for (let k = of.defs.length - 1; k >= 0; k--) if (of.defs[k] === named) of.defs.splice(k, 1);
    }
    return true;
  }
}
