/** `postrapseudos`: copies and other pseudo instructions become what the processor has (ExpandPostRAPseudos, LLVM 22; docs/llvm/small-passes.md, 7). */
import { operandOf, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import { McFlag } from '../../target/api.js';
import { lazy } from '../../util/lazy.js';
import { reservedOf } from '../frozenRegisters.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { RegisterFacts } from '../registerFacts.js';
import { PhysCopies } from './physCopy.js';
import { TargetPseudos } from './targetPseudos.js';

/** @llvm ExpandPostRAPseudos.cpp ExpandPostRALegacy */
export const postRAPseudosPass: MachinePass = {
  name: 'postrapseudos',
  pipelineName: 'post-ra-pseudos',
  className: 'ExpandPostRAPseudosPass',
  title: 'Post-RA pseudo instruction expansion pass',
  requires: [],
  preserves: [CFG],
  run: (state) =>
    new Expansion(
      state.editor(),
      lazy(() => reservedOf(state)),
    ).run(),
};

/** @llvm ExpandPostRAPseudos.cpp ExpandPostRA */
class Expansion {
  private readonly fn: MachineFunction;
  private readonly copies: PhysCopies;
  private readonly pseudos: TargetPseudos;

  constructor(
    private readonly editor: FunctionEditor,
    reserved: () => ReservedRegs,
  ) {
    this.fn = editor.fn;
    const builder = new InstrBuilder(editor);
    const facts = new RegisterFacts(editor.fn);
    this.copies = new PhysCopies(builder, facts, reserved);
    this.pseudos = new TargetPseudos(builder, facts);
  }

  /** @llvm ExpandPostRAPseudos.cpp ExpandPostRA::run */
  run(): void {
    const { fn, editor } = this;
    const { tables } = fn;
    const copy = tables.opcodeByName('COPY');
    const subregToReg = tables.opcodeByName('SUBREG_TO_REG');
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let i = editor.list.first(b); i >= 0;) {
        const next = editor.list.after(i);
        const opcode = fn.opcode[i];
        const isPseudo = (tables.opcodeFlagsLo(opcode) & (1 << McFlag.Pseudo)) !== 0;
        if (isPseudo && !this.pseudos.expand(i)) {
          if (opcode === copy) this.lowerCopy(i);
          else if (opcode === subregToReg) this.lowerSubregToReg(i);
        }
        i = next;
      }
    }
  }

  /** @llvm TargetInstrInfo.cpp TargetInstrInfo::lowerCopy */
  private lowerCopy(i: InstrId): void {
    const { fn, editor } = this;
    const [to, from] = [fn.opBegin[i], fn.opBegin[i] + 1];
    const isUndef = (fn.opFlags[from] & OpFlag.Undef) !== 0;
    const hasMore = fn.numOperands(i) > 2;
    if (this.allDefsAreDead(i) || isUndef || (fn.opVal[to] === fn.opVal[from] && hasMore)) {
      fn.opcode[i] = fn.tables.opcodeByName('KILL');
      return;
    }
    if (fn.opVal[to] !== fn.opVal[from]) {
      this.copies.copy(i, fn.opVal[to], fn.opVal[from], (fn.opFlags[from] & OpFlag.Kill) !== 0);
      if (hasMore) this.addImplicitOperands(editor.list.before(i), i);
    }
    editor.erase(i);
  }

  /**
   * What a copy does besides goes to the last of the instructions that do it; it does not kill what the copy has written.
   * @llvm TargetInstrInfo.cpp transferImplicitOperands
   */
  private addImplicitOperands(last: InstrId, copy: InstrId): void {
    const { fn, editor } = this;
    const own = Array.from({ length: fn.numOperands(last) }, (_, k) => operandOf(fn, fn.opBegin[last] + k));
    const to = fn.opVal[fn.opBegin[copy]];
    const more = Array.from({ length: fn.numOperands(copy) - 2 }, (_, k) => {
      const operand = operandOf(fn, fn.opBegin[copy] + 2 + k);
      const { flags = 0, val } = operand;
      const kills = (flags & OpFlag.Kill) !== 0 && val > 0 && fn.tables.regsOverlap(to, val);
      return kills ? { ...operand, flags: flags & ~OpFlag.Kill } : operand;
    });
    const ties = Array.from({ length: own.length }, (_, k) => fn.opTied[fn.opBegin[last] + k]);
    const made = editor.replace(last, fn.opcode[last], [...own, ...more]);
    ties.forEach((tie, k) => {
      if (tie > k) fn.tieOperands(made, k, tie);
    });
  }

  /** @llvm ExpandPostRAPseudos.cpp ExpandPostRA::LowerSubregToReg */
  private lowerSubregToReg(i: InstrId): void {
    const { fn, editor } = this;
    const o = fn.opBegin[i];
    const [whole, part] = [fn.opVal[o], fn.opVal[o + 2]];
    const to = fn.tables.getSubReg(whole, fn.opVal[o + 3]);
    if (this.allDefsAreDead(i) || (to === part && whole !== part)) {
      const kill = editor.withoutOperands(i, new Set([1, 3]));
      fn.opcode[kill] = fn.tables.opcodeByName('KILL');
      return;
    }
    if (to !== part) {
      this.copies.copy(i, to, part, (fn.opFlags[o + 2] & OpFlag.Kill) !== 0);
      const last = editor.list.before(i);
      const own = Array.from({ length: fn.numOperands(last) }, (_, k) => operandOf(fn, fn.opBegin[last] + k));
      const isDefined = own.some(({ val, flags = 0 }) => val === whole && (flags & OpFlag.Def) !== 0);
      if (!isDefined)
        editor.replace(last, fn.opcode[last], [
          ...own,
          { ...own[0], val: whole, flags: OpFlag.Implicit | OpFlag.Def, sub: 0 },
        ]);
    }
    editor.erase(i);
  }

  private allDefsAreDead(i: InstrId): boolean {
    const { fn, editor } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (editor.isDef(o) && (fn.opFlags[o] & OpFlag.Dead) === 0) return false;
    return true;
  }
}
