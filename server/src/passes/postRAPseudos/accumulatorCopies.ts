/** Copies to AGPRs of processors that cannot write them from scalar registers or other AGPRs: by way of a VGPR (gfx908). */
import { FreeRegisters } from '../../analysis/freeRegister.js';
import { computeFunctionLimits } from '../../analysis/functionLimits.js';
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import { operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { OpFlag, OperandKind, type InstrId } from '../../model/machineFunction.js';
import { NO_REG } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import { lazy } from '../../util/lazy.js';

/** Registers that parts of them are copied of: `to` is defined, `from` is read, too. */
export interface ImplicitSupers {
  readonly to: PhysReg | null;
  readonly from: PhysReg;
}

export class AccumulatorCopies {
  /** VGPRs from this number on would cost waves */
  private readonly firstTooHigh = lazy(() => {
    const { fn } = this.builder;
    const limits = computeFunctionLimits(fn);
    const byWaves = fn.subtarget.maxNumVGPRs(limits.occupancyRange[0], limits.dynamicVGPRBlockSize);
    return Math.min(byWaves, limits.maxNumVGPRs);
  });

  constructor(
    private readonly builder: InstrBuilder,
    private readonly reserved: () => ReservedRegs,
  ) {}

  /**
   * Before `at`. `overlaps`: the registers that these are parts of do.
   * @llvm SIInstrInfo.cpp indirectCopyToAGPR
   */
  copy(
    at: InstrId,
    to: PhysReg,
    from: PhysReg,
    isKill: boolean,
    overlaps: boolean,
    supers: ImplicitSupers | null,
  ): void {
    const { fn } = this.builder;
    const { tables } = fn;
    const kill = isKill ? OpFlag.Kill : 0;
    const write = tables.opcodeByName('V_ACCVGPR_WRITE_B32_e64');
    const whole = supers === null || supers.to === null ? [] : [regOperand(supers.to, OpFlag.Def | OpFlag.Implicit)];
    const source = supers === null ? [] : [regOperand(supers.from, kill | OpFlag.Implicit)];
    const known = overlaps ? null : this.writtenValue(at, from);
    if (known !== null) {
      this.builder.build(at, at, write, [regOperand(to, OpFlag.Def), known], [...whole, ...source]);
      return;
    }
    const temporary = this.temporary(at, to);
    const isFromAGPR = tables.classContains(tables.regClassByName('agpr_32'), from);
    const read = tables.opcodeByName(isFromAGPR ? 'V_ACCVGPR_READ_B32_e64' : 'V_MOV_B32_e32');
    this.builder.build(at, at, read, [regOperand(temporary, OpFlag.Def), regOperand(from, kill)], source);
    this.builder.build(at, at, write, [regOperand(to, OpFlag.Def), regOperand(temporary, OpFlag.Kill)], whole);
  }

  /** What the AGPR was written with, where that is still to be had; who reads it no longer kills it. */
  private writtenValue(at: InstrId, agpr: PhysReg): NewOperand | null {
    const { fn, editor } = this.builder;
    const write = fn.tables.opcodeByName('V_ACCVGPR_WRITE_B32_e64');
    for (let i = editor.list.before(at); i >= 0; i = editor.list.before(i)) {
      if (!this.modifies(i, agpr)) continue;
      const o = fn.opBegin[i];
      if (fn.opcode[i] !== write || fn.opVal[o] !== agpr) return null;
      const value = fn.opVal[o + 1];
      if (fn.opKind[o + 1] === OperandKind.Register) {
        for (let k = i; k !== at; k = editor.list.after(k)) if (this.modifies(k, value)) return null;
        for (let k = i; k !== at; k = editor.list.after(k)) this.clearKills(k, value);
      }
      return operandOf(fn, o + 1);
    }
    return null;
  }

  private modifies(i: InstrId, reg: PhysReg): boolean {
    const { fn, editor } = this.builder;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] > 0 && editor.isDef(o) && fn.tables.regsOverlap(fn.opVal[o], reg)) return true;
    return false;
  }

  private clearKills(i: InstrId, reg: PhysReg): void {
    const { fn } = this.builder;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] > 0 && fn.tables.regsOverlap(fn.opVal[o], reg)) fn.opFlags[o] &= ~OpFlag.Kill;
  }

  /** One of up to three VGPRs in turn, so that a row of copies need not wait for one. */
  private temporary(at: InstrId, to: PhysReg): PhysReg {
    const { fn, editor } = this.builder;
    const { tables } = fn;
    const rc = tables.regClassByName('vgpr_32');
    let chosen: PhysReg = fn.header.machineFunctionInfo.vgprForAGPRCopy;
    let turn = (to - tables.regByName('agpr0')) % 3;
    if (turn === 0) return chosen;
    const free = new FreeRegisters(fn, editor.list, at, this.reserved());
    for (; turn > 0; turn--) {
      const found = free.take(rc);
      if (found === NO_REG || (tables.regEncoding(found) & 0x3ff) >= this.firstTooHigh()) break;
      chosen = found;
    }
    return chosen;
  }
}
