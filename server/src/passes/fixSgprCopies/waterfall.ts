/**
 * A loop around an instruction that reads scalar registers whose values are in vector registers: each turn takes the value of the first lane that is left,
 * runs for all lanes with this value, and takes them out (emitLoadScalarOpsFromVGPRLoop and loadMBUFScalarOperandsFromVGPR, LLVM 22;
 * docs/llvm/sgpr-copies.md, section 6).
 */
import { regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OperandKind, OpFlag, type BlockId, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { maskClobbers } from '../../model/regMask.js';
import type { Reg } from '../../model/register.js';
import type { Builder } from './builder.js';

class Waterfall {
  private readonly is64: boolean;
  private readonly exec: Reg;
  private condition: Reg = 0;

  constructor(
    private readonly b: Builder,
    private readonly i: InstrId,
  ) {
    this.is64 = b.fn.subtarget.wavefrontSize === 64;
    this.exec = b.tables.regByName(this.is64 ? 'exec' : 'exec_lo');
  }

  /** `begin` to `end` (after it, or ~block) go into the loop. */
  run(scalars: readonly OperandId[], begin: InstrId, end: number): void {
    const { b, i } = this;
    const { fn, editor } = b;
    const block = fn.instrBlock[i];
    let savedSCC: Reg = 0;
    if (this.mayNeedSCC(i)) {
      savedSCC = b.newVReg(this.rc('sreg_32'));
      this.emit(begin, 'S_CSELECT_B32', [regOperand(savedSCC, OpFlag.Def), imm(1), imm(0)]);
    }
    const savedExec = b.newVReg(this.maskClass);
    this.emit(begin, this.is64 ? 'S_MOV_B64' : 'S_MOV_B32', [regOperand(savedExec, OpFlag.Def), regOperand(this.exec)]);
    for (let j = begin; ; j = editor.list.after(j)) {
      for (let o = fn.firstReg(j); o >= 0; o = fn.nextReg(j, o))
        if (fn.opVal[o] !== 0 && !editor.isDef(o))
          for (const use of editor.operandsOf(fn.opVal[o])) fn.opFlags[use] &= ~OpFlag.Kill;
      if (j === i) break;
    }
    const loop = editor.splitAround(block, begin, end);
    const restored = editor.list.first(loop.remainder);
    const saved = this.readValues(loop.header, scalars);
    this.emit(~loop.body, this.is64 ? 'S_XOR_B64_term' : 'S_XOR_B32_term', [
      regOperand(this.exec, OpFlag.Def),
      regOperand(this.exec),
      regOperand(saved),
    ]);
    this.emit(~loop.body, 'SI_WATERFALL_LOOP', [{ kind: OperandKind.MBB, val: loop.header }]);
    if (savedSCC !== 0) this.emit(restored, 'S_CMP_LG_U32', [regOperand(savedSCC, OpFlag.Kill), imm(0)]);
    this.emit(restored, this.is64 ? 'S_MOV_B64' : 'S_MOV_B32', [
      regOperand(this.exec, OpFlag.Def),
      regOperand(savedExec),
    ]);
  }

  private rc(name: string): number {
    return this.b.tables.regClassByName(name);
  }

  private get maskClass(): number {
    return this.rc(this.is64 ? 'sreg_64_xexec' : 'sreg_32_xm0_xexec');
  }

  private emit(at: ListPos, name: string, operands: readonly NewOperand[]): InstrId {
    const { b, i } = this;
    return b.build(at, i, b.tables.opcodeByName(name), operands);
  }

  /**
   * The loop's first block: values of the first lane, the lanes that have them, EXEC without the others. What EXEC was.
   * @llvm SIInstrInfo.cpp emitLoadScalarOpsFromVGPRLoop
   */
  private readValues(header: BlockId, scalars: readonly OperandId[]): Reg {
    const { b } = this;
    const { fn, editor, facts, tables } = b;
    for (const o of scalars) {
      const reg = fn.opVal[o];
      const n = tables.regClassBits[facts.classOf(reg)] / 32;
      const undef = fn.opFlags[o] & OpFlag.Undef;
      let scalar: Reg;
      if (n === 1) {
        scalar = b.newVReg(this.rc('sreg_32_xm0'));
        this.emit(~header, 'V_READFIRSTLANE_B32', [regOperand(scalar, OpFlag.Def), regOperand(reg)]);
        this.compare(header, 'V_CMP_EQ_U32_e64', scalar, regOperand(reg));
      } else {
        const parts: NewOperand[] = [];
        for (let k = 0; k < n; k += 2) {
          const pair = [b.newVReg(this.rc('sreg_32_xm0')), b.newVReg(this.rc('sreg_32_xm0'))];
          pair.forEach((half, h) => {
            const sub = tables.subRegIndexByName(`sub${k + h}`);
            this.emit(~header, 'V_READFIRSTLANE_B32', [regOperand(half, OpFlag.Def), regOperand(reg, undef, sub)]);
            parts.push(regOperand(half), imm(sub));
          });
          const whole = b.newVReg(this.rc('sgpr_64'));
          const halves = pair.flatMap((half, h) => [regOperand(half), imm(tables.subRegIndexByName(`sub${h}`))]);
          this.emit(~header, 'REG_SEQUENCE', [regOperand(whole, OpFlag.Def), ...halves]);
          const both = tables.subRegIndexByName(`sub${k}_sub${k + 1}`);
          this.compare(header, 'V_CMP_EQ_U64_e64', whole, n <= 2 ? regOperand(reg) : regOperand(reg, undef, both));
        }
        scalar = b.newVReg(facts.equivalentSGPRClass(facts.classOf(reg)));
        this.emit(~header, 'REG_SEQUENCE', [regOperand(scalar, OpFlag.Def), ...parts]);
      }
      editor.setReg(o, scalar);
      fn.opFlags[o] |= OpFlag.Kill;
    }
    const saved = b.newVReg(this.maskClass);
    fn.vregs.hint[~saved] = this.condition;
    const name = this.is64 ? 'S_AND_SAVEEXEC_B64' : 'S_AND_SAVEEXEC_B32';
    this.emit(~header, name, [regOperand(saved, OpFlag.Def), regOperand(this.condition, OpFlag.Kill)]);
    return saved;
  }

  private compare(header: BlockId, name: string, scalar: Reg, vector: NewOperand): void {
    const { b } = this;
    const made = b.newVReg(this.maskClass);
    this.emit(~header, name, [regOperand(made, OpFlag.Def), regOperand(scalar), vector]);
    if (this.condition === 0) {
      this.condition = made;
      return;
    }
    const both = b.newVReg(this.maskClass);
    this.emit(~header, this.is64 ? 'S_AND_B64' : 'S_AND_B32', [
      regOperand(both, OpFlag.Def),
      regOperand(this.condition),
      regOperand(made),
    ]);
    this.condition = both;
  }

  // -- SCC -----------------------------------------------------------------------------------------------------------------

  /**
   * MachineBasicBlock::computeRegisterLiveness without a limit: the next mention of SCC decides, however far it is, else the blocks after this one.
   * @llvm MachineBasicBlock.cpp MachineBasicBlock::computeRegisterLiveness
   */
  private mayNeedSCC(i: InstrId): boolean {
    const { fn, editor, tables } = this.b;
    const scc = tables.regByName('scc');
    for (let j: number = i; j >= 0; j = editor.list.after(j)) {
      const found = this.mentionsOf(j, scc);
      if (found.reads && !tables.opcodeName(fn.opcode[j]).startsWith('DBG_')) return true;
      if (found.defines) return false;
    }
    return fn.blocks[fn.instrBlock[i]].successors.some((s) => this.isLiveIn(s, scc));
  }

  private isLiveIn(block: BlockId, reg: Reg): boolean {
    return this.b.fn.blocks[block].liveIns.some((l) => this.b.tables.regsOverlap(l.reg, reg));
  }

  private mentionsOf(i: InstrId, reg: Reg): { reads: boolean; defines: boolean } {
    const { fn } = this.b;
    const found = { reads: false, defines: false };
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask && maskClobbers(fn, o, reg)) found.defines = true;
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] !== reg) continue;
      if ((fn.opFlags[o] & OpFlag.Def) !== 0) found.defines = true;
      else if ((fn.opFlags[o] & OpFlag.Undef) === 0) found.reads = true;
    }
    return found;
  }
}

const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val });

/**
 * Puts `i`, or the instructions from `begin` up to `end`, into a loop over the values of its operands `scalars`.
 * @llvm SIInstrInfo.cpp loadMBUFScalarOperandsFromVGPR
 */
export function waterfall(
  b: Builder,
  i: InstrId,
  scalars: readonly OperandId[],
  begin: InstrId = i,
  end: number = b.editor.list.after(i),
): void {
  new Waterfall(b, i).run(scalars, begin, end);
}
