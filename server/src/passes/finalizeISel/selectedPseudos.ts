/** Pseudo instructions of selected code, each as LLVM's target expands it (docs/llvm/selected-code.md, 2). */
import { addSuccessor } from '../../model/edit/blockEdges.js';
import { finalizeBundle } from '../../model/edit/bundleUp.js';
import {
  immOperand,
  operandOf,
  regOperand,
  type FunctionEditor,
  type NewOperand,
} from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { UNKNOWN_PROBABILITY } from '../../model/probability.js';
import { NO_REG, type Reg } from '../../model/register.js';
import { Generation, McFlag, type RegClassId } from '../../target/api.js';
import { hasOpcodeFlag, isImage, isMUBUF, isVOP3 } from '../../target/opcodes.js';
import { OperandLegalizer } from '../fixSgprCopies/legalizeOperands.js';
import { popCount32 } from '../../util/bitset.js';
import { extractHalf } from '../halves.js';
import { laneMaskOps, type LaneMaskOps } from '../laneMaskOps.js';
import { NotModelled } from '../machinePass.js';
import { IndirectMoves } from './indirectMoves.js';
import { splitForLoop } from './laneLoop.js';
import { PseudoBuilder } from './pseudoBuilder.js';
import { emitWaveReduction, reductionOf } from './waveReduce.js';

/** @llvm SIISelLowering.cpp SITargetLowering::EmitInstrWithCustomInserter */
export class SelectedPseudos {
  private readonly builder: PseudoBuilder;
  private readonly legalizer: OperandLegalizer;
  private readonly ops: LaneMaskOps;
  private readonly indirect: IndirectMoves;

  /** `prefersIndexMode`: -amdgpu-vgpr-index-mode */
  constructor(
    private readonly editor: FunctionEditor,
    prefersIndexMode: boolean,
  ) {
    this.builder = new PseudoBuilder(editor);
    this.legalizer = new OperandLegalizer(this.builder);
    this.ops = laneMaskOps(editor.fn);
    this.indirect = new IndirectMoves(this.builder, this.ops, prefersIndexMode);
  }

  private get fn(): FunctionEditor['fn'] {
    return this.editor.fn;
  }

  /** Throws NotModelled for what is not known here. */
  expand(i: InstrId): void {
    const { fn, builder } = this;
    const { tables } = fn;
    const name = tables.opcodeName(fn.opcode[i]);
    switch (name) {
      case 'S_ADD_U64_PSEUDO':
      case 'S_SUB_U64_PSEUDO':
        this.scalar64(i, name === 'S_ADD_U64_PSEUDO');
        break;
      case 'V_ADD_U64_PSEUDO':
      case 'V_SUB_U64_PSEUDO':
        this.vector64(i, name === 'V_ADD_U64_PSEUDO');
        break;
      case 'S_UADDO_PSEUDO':
      case 'S_USUBO_PSEUDO':
        this.withOverflow(i, name === 'S_UADDO_PSEUDO');
        break;
      case 'S_ADD_CO_PSEUDO':
      case 'S_SUB_CO_PSEUDO':
        this.scalarCarry(i, name);
        break;
      case 'V_CNDMASK_B64_PSEUDO':
        this.select64(i);
        break;
      case 'V_ADD_CO_U32_e32':
      case 'V_SUB_CO_U32_e32':
      case 'V_SUBREV_CO_U32_e32':
        this.withCarry(i, name);
        break;
      case 'V_ADDC_U32_e32':
      case 'V_SUBB_U32_e32':
      case 'V_SUBBREV_U32_e32':
        this.legalizer.legalize(i);
        return;
      case 'SI_INIT_M0':
        builder.emit(i, this.isReg(i, 0) ? 'COPY' : 'S_MOV_B32', tables.regByName('m0'), this.source(i, 0));
        break;
      case 'SI_BR_UNDEF':
        builder.build(i, i, tables.opcodeByName('S_CBRANCH_SCC1'), [
          this.source(i, 0),
          regOperand(tables.regByName('scc'), OpFlag.Implicit | OpFlag.Undef),
        ]);
        break;
      case 'ADJCALLSTACKUP':
      case 'ADJCALLSTACKDOWN':
        this.touchStackPointer(i);
        return;
      case 'SI_CALL_ISEL':
        this.call(i);
        return;
      case 'SI_KILL_I1_PSEUDO':
      case 'SI_KILL_F32_COND_IMM_PSEUDO':
        if (this.editor.list.after(i) >= 0) this.editor.splitBehind(i);
        fn.opcode[i] = tables.opcodeByName(name.replace('PSEUDO', 'TERMINATOR'));
        return;
      case 'S_INVERSE_BALLOT_U32':
      case 'S_INVERSE_BALLOT_U64':
        fn.opcode[i] = tables.opcodeByName('COPY');
        return;
      case 'GET_SHADERCYCLESHILO':
        this.cycles(i);
        break;
      case 'GET_GROUPSTATICSIZE':
        builder.emit(i, 'S_MOV_B32', this.reg(i, 0), immOperand(fn.header.machineFunctionInfo.ldsSize));
        break;
      case 'S_SETREG_B32':
        this.setRegister(i);
        return;
      case 'ENDPGM_TRAP':
        this.endProgram(i);
        return;
      default:
        this.other(i, name);
        return;
    }
    this.editor.erase(i);
  }

  private other(i: InstrId, name: string): void {
    const { fn } = this;
    const opcode = fn.opcode[i];
    if (name.startsWith('DS_GWS_')) {
      this.globalWaveSync(i);
      return;
    }
    const reduction = reductionOf(name);
    if (reduction !== undefined) {
      emitWaveReduction(this.builder, this.ops, i, reduction);
      this.editor.erase(i);
      return;
    }
    if (/^SI_INDIRECT_(SRC|DST)_/.test(name)) {
      this.indirect.expand(i, name.startsWith('SI_INDIRECT_DST_'));
      this.editor.erase(i);
      return;
    }
    if (!isImage(fn.tables, opcode) && !isMUBUF(fn.tables, opcode)) throw new NotModelled(`the expansion of ${name}`);
    if (!hasOpcodeFlag(fn.tables, opcode, McFlag.MayStore)) this.initResult(i, name);
  }

  /**
   * Loads that tell of failed accesses leave registers of their result as they were, so these get a value before: all that count, or the last one, which tells.
   * @llvm SIISelLowering.cpp SITargetLowering::AddMemOpInit
   */
  private initResult(i: InstrId, name: string): void {
    const { fn, editor, builder } = this;
    const { tables, subtarget } = fn;
    const flag = (operand: string): boolean => {
      const k = tables.getNamedOperandIdx(fn.opcode[i], operand);
      return k >= 0 && fn.imm(fn.opBegin[i] + k) !== 0;
    };
    if (!name.includes('_TFE_') && !flag('tfe') && !flag('lwe')) return;
    const rc = builder.facts.classOf(this.reg(i, 0));
    const registers = tables.regClassBits[rc] / 32;
    let n = registers;
    const dmask = tables.getNamedOperandIdx(fn.opcode[i], 'dmask');
    if (dmask >= 0) {
      const lanes = name.startsWith('IMAGE_GATHER4') ? 4 : popCount32(fn.imm(fn.opBegin[i] + dmask));
      n = (flag('d16') && !subtarget.hasFeature('unpacked-d16-vmem') ? (lanes + 1) >> 1 : lanes) + 1;
    }
    if (registers < n) return;
    let value = builder.newVReg(rc);
    builder.emit(i, 'IMPLICIT_DEF', value);
    for (let k = subtarget.hasFeature('enable-prt-strict-null') ? 0 : n - 1; k < n; k++) {
      const made = builder.newVReg(rc);
      const zero = this.newReg('vgpr_32');
      builder.emit(i, 'V_MOV_B32_e32', zero, immOperand(0));
      const sub = immOperand(tables.subRegIndexByName(`sub${k}`));
      builder.emit(i, 'INSERT_SUBREG', made, regOperand(value), regOperand(zero), sub);
      value = made;
    }
    const made = editor.withOperand(i, regOperand(value, OpFlag.Implicit));
    fn.tieOperands(made, 0, fn.numOperands(made) - 1);
  }

  private reg(i: InstrId, k: number): Reg {
    return this.fn.opVal[this.fn.opBegin[i] + k];
  }

  private isReg(i: InstrId, k: number): boolean {
    return this.fn.opKind[this.fn.opBegin[i] + k] === OperandKind.Register;
  }

  private source(i: InstrId, k: number): NewOperand {
    return operandOf(this.fn, this.fn.opBegin[i] + k);
  }

  private classNamed(name: string): RegClassId {
    return this.fn.tables.regClassByName(name);
  }

  private newReg(name: string): Reg {
    return this.builder.newVReg(this.classNamed(name));
  }

  // -- 64 bits -------------------------------------------------------------------------------------------------------

  private join(i: InstrId, to: Reg, low: Reg, high: Reg): void {
    const sub = (name: string): NewOperand => immOperand(this.fn.tables.subRegIndexByName(name));
    this.builder.emit(i, 'REG_SEQUENCE', to, regOperand(low), sub('sub0'), regOperand(high), sub('sub1'));
  }

  private scalar64(i: InstrId, isAdd: boolean): void {
    const { fn, builder, ops } = this;
    if (fn.subtarget.generation >= Generation.GFX12) {
      builder.emit(i, isAdd ? 'S_ADD_U64' : 'S_SUB_U64', this.reg(i, 0), this.source(i, 1), this.source(i, 2));
      return;
    }
    const rc = this.classNamed('sreg_32');
    const [low, high] = [builder.newVReg(rc), builder.newVReg(rc)];
    const half = (o: OperandId, k: 0 | 1): NewOperand => extractHalf(builder, i, o, k, ops.maskClass, rc);
    const o = fn.opBegin[i];
    const [a0, a1] = [half(o + 1, 0), half(o + 1, 1)];
    const [b0, b1] = [half(o + 2, 0), half(o + 2, 1)];
    builder.emit(i, isAdd ? 'S_ADD_U32' : 'S_SUB_U32', low, a0, b0);
    builder.emit(i, isAdd ? 'S_ADDC_U32' : 'S_SUBB_U32', high, a1, b1);
    this.join(i, this.reg(i, 0), low, high);
  }

  private classOfSource(o: OperandId): RegClassId {
    const { fn, builder } = this;
    if (fn.opKind[o] !== OperandKind.Register) return this.classNamed('vreg_64');
    return builder.facts.classOf(fn.opVal[o]);
  }

  /** The halves of sources 1 and 2: the low ones of both come first. */
  private halvesOf(i: InstrId): (readonly [NewOperand, NewOperand])[] {
    const { fn, builder } = this;
    const { tables } = fn;
    // Both halves of the second source have the class of its high one.
    const half = (source: 1 | 2, k: 0 | 1): NewOperand => {
      const o = fn.opBegin[i] + source;
      const whole = this.classOfSource(o);
      const rc = tables.getSubRegisterClass(whole, tables.subRegIndexByName(source === 1 ? 'sub0' : 'sub1'));
      return extractHalf(builder, i, o, k, whole, rc);
    };
    return ([0, 1] as const).map((k) => [half(1, k), half(2, k)] as const);
  }

  private vector64(i: InstrId, isAdd: boolean): void {
    const { fn, builder, ops } = this;
    const { subtarget } = fn;
    const [to, a, b] = [this.reg(i, 0), this.source(i, 1), this.source(i, 2)];
    if (subtarget.hasFeature('add-sub-u64-insts')) {
      this.legalizer.legalize(builder.emit(i, isAdd ? 'V_ADD_U64_e64' : 'V_SUB_U64_e64', to, a, b, immOperand(0)));
      return;
    }
    if (isAdd && subtarget.hasFeature('lshl-add-u64-inst')) {
      this.legalizer.legalize(builder.emit(i, 'V_LSHL_ADD_U64_e64', to, a, immOperand(0), b));
      return;
    }
    const [low, high] = [this.newReg('vgpr_32'), this.newReg('vgpr_32')];
    const [carry, unread] = [builder.newVReg(ops.waveMaskClass), builder.newVReg(ops.waveMaskClass)];
    const [lows, highs] = this.halvesOf(i);
    const clamp = immOperand(0);
    const first = builder.emit(
      i,
      isAdd ? 'V_ADD_CO_U32_e64' : 'V_SUB_CO_U32_e64',
      low,
      regOperand(carry, OpFlag.Def),
      ...lows,
      clamp,
    );
    const second = builder.emit(
      i,
      isAdd ? 'V_ADDC_U32_e64' : 'V_SUBB_U32_e64',
      high,
      regOperand(unread, OpFlag.Def | OpFlag.Dead),
      ...highs,
      regOperand(carry, OpFlag.Kill),
      clamp,
    );
    this.join(i, to, low, high);
    this.legalizer.legalize(first);
    this.legalizer.legalize(second);
  }

  private select64(i: InstrId): void {
    const { builder, ops } = this;
    const [low, high] = [this.newReg('vgpr_32'), this.newReg('vgpr_32')];
    const condition = builder.newVReg(ops.waveMaskClass);
    const [lows, highs] = this.halvesOf(i);
    builder.emit(i, 'COPY', condition, regOperand(this.reg(i, 3)));
    const none = immOperand(0);
    for (const [to, [a, b]] of [[low, lows] as const, [high, highs] as const])
      builder.emit(i, 'V_CNDMASK_B32_e64', to, none, a, none, b, regOperand(condition));
    this.join(i, this.reg(i, 0), low, high);
  }

  // -- 32 bits -------------------------------------------------------------------------------------------------------

  private withOverflow(i: InstrId, isAdd: boolean): void {
    const { fn, builder } = this;
    builder.emit(i, isAdd ? 'S_ADD_U32' : 'S_SUB_U32', this.reg(i, 0), this.source(i, 2), this.source(i, 3));
    const select = `S_CSELECT_B${fn.subtarget.wavefrontSize}`;
    builder.emit(i, select, this.reg(i, 1), immOperand(-1), immOperand(0));
  }

  /** The carry is a lane mask; only a sum of uniform values is selected so, and vectors as sources are not known. */
  private scalarCarry(i: InstrId, name: string): void {
    const { fn, builder } = this;
    const { tables, subtarget } = fn;
    const isVector = (k: number): boolean =>
      this.isReg(i, k) && !tables.isSGPRClass(builder.facts.classOf(this.reg(i, k)));
    if ([2, 3, 4].some(isVector)) throw new NotModelled(`${name} of a vector register`);
    // LLVM makes a register for a source that might be a vector, whether or not it is.
    this.newReg('sreg_32_xm0');
    const carry = builder.facts.classOf(this.reg(i, 4));
    const bits = tables.regClassBits[carry];
    const source = regOperand(this.reg(i, 4));
    if (bits === 32) builder.emit(i, 'S_CMP_LG_U32', NO_REG, source, immOperand(0));
    else if (subtarget.generation >= Generation.VOLCANIC_ISLANDS)
      builder.emit(i, 'S_CMP_LG_U64', NO_REG, source, immOperand(0));
    else {
      const half = (k: 0 | 1): NewOperand => {
        const rc = tables.getSubRegisterClass(carry, tables.subRegIndexByName(`sub${k}`));
        return extractHalf(builder, i, fn.opBegin[i] + 4, k, carry, rc);
      };
      const [low, high] = [half(0), half(1)];
      const any = this.newReg('sreg_32');
      builder.emit(i, 'S_OR_B32', any, low, high);
      builder.emit(i, 'S_CMP_LG_U32', NO_REG, regOperand(any, OpFlag.Kill), immOperand(0));
    }
    const sum = name === 'S_ADD_CO_PSEUDO' ? 'S_ADDC_U32' : 'S_SUBB_U32';
    builder.emit(i, sum, this.reg(i, 0), this.source(i, 2), this.source(i, 3));
    builder.emit(i, `S_CSELECT_B${bits}`, this.reg(i, 1), immOperand(-1), immOperand(0));
  }

  /** In the long form where the processor has no other. */
  private withCarry(i: InstrId, name: string): void {
    const { fn, builder, ops } = this;
    const { tables } = fn;
    const isShort = fn.subtarget.mcOpcode(fn.opcode[i]) >= 0;
    const opcode = isShort ? fn.opcode[i] : tables.opcodeByName(name.replace('_e32', '_e64'));
    const carry = isVOP3(tables, opcode) ? [regOperand(ops.vcc, OpFlag.Def)] : [];
    const clamp = isShort ? [] : [immOperand(0)];
    const made = builder.build(i, i, opcode, [
      regOperand(this.reg(i, 0), OpFlag.Def),
      ...carry,
      this.source(i, 1),
      this.source(i, 2),
      ...clamp,
    ]);
    this.legalizer.legalize(made);
  }

  // -- calls ---------------------------------------------------------------------------------------------------------

  /** Calls move the stack pointer. */
  private touchStackPointer(i: InstrId): void {
    const { editor, fn } = this;
    const sp = fn.header.machineFunctionInfo.stackPtrOffsetReg;
    const defined = editor.withOperand(i, regOperand(sp, OpFlag.Implicit | OpFlag.Def));
    editor.withOperand(defined, regOperand(sp, OpFlag.Implicit));
  }

  private call(i: InstrId): void {
    const { editor, fn } = this;
    const returnAddress = regOperand(fn.tables.regByName('sgpr30_sgpr31'), OpFlag.Def);
    const operands = Array.from({ length: fn.numOperands(i) }, (_, k) => this.source(i, k));
    const made = editor.replace(i, fn.tables.opcodeByName('SI_CALL'), [returnAddress, ...operands]);
    fn.instrFlags[made] = 0;
  }

  // -- ends ----------------------------------------------------------------------------------------------------------

  /** Code behind it stays, for PHIs that read it: if a lane is left, all go to a block that ends the program. */
  private endProgram(i: InstrId): void {
    const { editor, fn, builder } = this;
    const end = fn.tables.opcodeByName('S_ENDPGM');
    const block = fn.instrBlock[i];
    const isLast = editor.list.after(i) < 0;
    if (isLast && fn.blocks[block].successors.length === 0) {
      editor.replace(i, end, [immOperand(0)]);
      return;
    }
    if (!isLast) {
      editor.splitBehind(i);
      fn.blocks[block].probabilities = [UNKNOWN_PROBABILITY];
    }
    const trap = editor.insertBlock([...editor.blockOrder()].at(-1)!);
    builder.build(~trap, i, end, [immOperand(0)]);
    const to = { kind: OperandKind.MBB, val: trap };
    builder.build(i, i, fn.tables.opcodeByName('S_CBRANCH_EXECNZ'), [to]);
    addSuccessor(fn, block, trap);
    editor.erase(i);
  }

  // -- global wave sync ----------------------------------------------------------------------------------------------

  /**
   * An access in one bundle with the wait for it. Before gfx9 nobody repeats one that another wave's memory violation has stopped, so it stands in a loop.
   * @llvm SIISelLowering.cpp SITargetLowering::emitGWSMemViolTestLoop
   * @llvm SIISelLowering.cpp SITargetLowering::bundleInstWithWaitcnt
   */
  private globalWaveSync(i: InstrId): void {
    const { fn, editor, builder } = this;
    const { tables, subtarget } = fn;
    const data = tables.getNamedOperandIdx(fn.opcode[i], 'data0');
    if (data >= 0 && subtarget.needsAlignedVGPRs)
      throw new NotModelled(`${tables.opcodeName(fn.opcode[i])} of an aligned register`);
    const bundle = (): void => {
      const wait = builder.emitAt(editor.list.after(i), i, 'S_WAITCNT', NO_REG, immOperand(0));
      finalizeBundle(editor, i, editor.list.after(wait));
    };
    if (subtarget.generation >= Generation.GFX9) return bundle();
    if (data >= 0) fn.opFlags[fn.opBegin[i] + data] &= ~OpFlag.Kill;
    const { loop } = splitForLoop(editor, i);
    editor.move(i, ~loop, loop);
    builder.emit(i, 'S_SETREG_IMM32_B32', NO_REG, immOperand(0), immOperand(MEM_VIOLATION));
    bundle();
    const seen = this.newReg('sreg_32_xm0');
    const emit = (name: string, to: Reg, ...operands: NewOperand[]): InstrId =>
      builder.emitAt(~loop, i, name, to, ...operands);
    emit('S_GETREG_B32', seen, immOperand(MEM_VIOLATION));
    emit('S_CMP_LG_U32', NO_REG, regOperand(seen, OpFlag.Kill), immOperand(0));
    emit('S_CBRANCH_SCC1', NO_REG, { kind: OperandKind.MBB, val: loop });
    return undefined;
  }

  // -- counters -----------------------------------------------------------------------------------------------------

  /** The high half is read before and after the low one; if they differ, the low one counts from 0. */
  private cycles(i: InstrId): void {
    const { builder } = this;
    const [before, low, after, sure] = [0, 1, 2, 3].map(() => this.newReg('sreg_32'));
    for (const [to, id] of [
      [before, SHADER_CYCLES_HI],
      [low, SHADER_CYCLES_LO],
      [after, SHADER_CYCLES_HI],
    ])
      builder.emit(i, 'S_GETREG_B32', to, immOperand(id | (31 << 11)));
    builder.emit(i, 'S_CMP_EQ_U32', NO_REG, regOperand(before), regOperand(after));
    builder.emit(i, 'S_CSELECT_B32', sure, regOperand(low), immOperand(0));
    this.join(i, this.reg(i, 0), sure, after);
  }

  // -- modes ---------------------------------------------------------------------------------------------------------

  /**
   * Rounding and denormals alone have instructions of their own for constants, and a form without other effects.
   */
  private setRegister(i: InstrId): void {
    const { fn, editor, builder } = this;
    const { tables } = fn;
    const encoding = fn.imm(fn.opBegin[i] + 1);
    const [id, offset, width] = [encoding & 63, (encoding >> 6) & 31, ((encoding >> 11) & 31) + 1];
    if (id !== HWREG_MODE) return;
    const mask = ((2 ** width - 1) << offset) >>> 0;
    const parts = [
      { mask: ROUND, name: 'S_ROUND_MODE' },
      { mask: DENORM, name: 'S_DENORM_MODE' },
    ].filter((part) => mask === part.mask || mask === (ROUND | DENORM));
    if (fn.subtarget.generation >= Generation.GFX10 && parts.length > 0) {
      const def = editor.defOf(this.reg(i, 0));
      const o = def < 0 ? -1 : fn.opBegin[def] + 1;
      if (def >= 0 && hasOpcodeFlag(tables, fn.opcode[def], McFlag.MoveImm) && fn.opKind[o] === OperandKind.Immediate) {
        parts.forEach(({ name }, k) => builder.emit(i, name, NO_REG, immOperand((fn.opVal[o] >> (4 * k)) & 15)));
        editor.erase(i);
        return;
      }
    }
    if ((mask & ~(ROUND | DENORM)) === 0) fn.opcode[i] = tables.opcodeByName('S_SETREG_B32_mode');
  }
}

/** Hardware registers, of which 32 bits are read. */
const SHADER_CYCLES_LO = 29;
const SHADER_CYCLES_HI = 30;

/** One bit of TRAPSTS, bit 8: hwreg(HW_REG_TRAPSTS, 8, 1). */
const MEM_VIOLATION = 3 | (8 << 6);

/** The hardware register MODE, and the bits of it that say how numbers are rounded and what becomes of denormals. */
const HWREG_MODE = 1;
const ROUND = 0xf;
const DENORM = 0xf0;
