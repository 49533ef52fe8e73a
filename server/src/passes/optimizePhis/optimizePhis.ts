/** `opt-phis`: PHIs that go round in a circle with one value, or that nothing else reads, go (OptimizePHIs, LLVM 22; docs/llvm/small-passes.md, 10). */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG, virtRegIndex, type Reg } from '../../model/register.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';

/** @llvm OptimizePHIs.cpp OptimizePHIsLegacy */
export const optimizePhisPass: MachinePass = {
  name: 'opt-phis',
  pipelineName: 'opt-phis',
  className: 'OptimizePHIsPass',
  title: 'Optimize machine instruction PHIs',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (!state.fn.isOptNone) new PhiCycles(state.editor()).run();
  },
};

/** A circle of so many PHIs is not looked at further. */
const TOO_MANY = 16;

/** @llvm OptimizePHIs.cpp OptimizePHIs */
class PhiCycles {
  private readonly fn: MachineFunction;
  private readonly phis: ReadonlySet<number>;
  private readonly copy: number;
  /** what the circle that is looked at has for a value */
  private value: Reg = NO_REG;

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.phis = opcodeSet(this.fn.tables, 'phi');
    this.copy = this.fn.tables.opcodeByName('COPY');
  }

  /** @llvm OptimizePHIs.cpp OptimizePHIs::OptimizeBB */
  run(): void {
    const { fn, editor } = this;
    const { list } = editor;
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i = list.first(b); i >= 0 && this.phis.has(fn.opcode[i]);) {
        let next = list.after(i);
        const result = fn.opVal[fn.opBegin[i]];
        this.value = NO_REG;
        const dead = new Set<InstrId>();
        if (this.hasOneValue(i, new Set()) && this.value !== NO_REG) {
          const rc = fn.vregs.regClass[virtRegIndex(result)];
          if (isVirtualReg(this.value) && editor.constrainClass(this.value, rc)) {
            editor.replaceReg(result, this.value);
            editor.erase(i);
            editor.clearKillFlags(this.value);
          }
        } else if (this.isDead(i, dead)) {
          while (dead.has(next)) next = list.after(next);
          for (const phi of dead) editor.erase(phi);
        }
        i = next;
      }
  }

  /** @llvm OptimizePHIs.cpp OptimizePHIs::IsSingleValuePHICycle */
  private hasOneValue(phi: InstrId, seen: Set<InstrId>): boolean {
    const { fn, editor } = this;
    if (seen.has(phi)) return true;
    seen.add(phi);
    if (seen.size === TOO_MANY) return false;
    const begin = fn.opBegin[phi];
    for (let o = begin + 1; o < fn.opBegin[phi + 1]; o += 2) {
      let reg = fn.opVal[o];
      if (reg === fn.opVal[begin]) continue;
      let def = editor.defOf(reg);
      if (def >= 0 && this.isWholeCopy(def)) {
        reg = fn.opVal[fn.opBegin[def] + 1];
        def = editor.defOf(reg);
      }
      if (def < 0) return false;
      if (this.phis.has(fn.opcode[def])) {
        if (!this.hasOneValue(def, seen)) return false;
      } else {
        if (this.value !== NO_REG && this.value !== reg) return false;
        this.value = reg;
      }
    }
    return true;
  }

  private isWholeCopy(i: InstrId): boolean {
    const { fn } = this;
    const o = fn.opBegin[i];
    return fn.opcode[i] === this.copy && fn.opSub[o] === 0 && fn.opSub[o + 1] === 0 && isVirtualReg(fn.opVal[o + 1]);
  }

  /** @llvm OptimizePHIs.cpp OptimizePHIs::IsDeadPHICycle */
  private isDead(phi: InstrId, seen: Set<InstrId>): boolean {
    const { fn, editor } = this;
    if (seen.has(phi)) return true;
    seen.add(phi);
    if (seen.size === TOO_MANY) return false;
    for (const o of [...editor.operandsOf(fn.opVal[fn.opBegin[phi]])]) {
      if (editor.isDef(o) || editor.isDebug(o)) continue;
      const user = editor.instrOf(o);
      if (!this.phis.has(fn.opcode[user]) || !this.isDead(user, seen)) return false;
    }
    return true;
  }
}
