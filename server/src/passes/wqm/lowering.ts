/**
 * The pseudo instructions of whole quads and waves as what the machine has: kills and demotions, copies, questions for the live lanes, the start
 * values of EXEC (docs/llvm/whole-quad-mode.md, 4).
 */
import { operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG, type Reg } from '../../model/register.js';
import { LivePhysRegs } from '../../analysis/livePhysRegs.js';
import { OpcodeTrait } from '../../analysis/opcodeTraits.js';
import type { RegClassId } from '../../target/api.js';
import { NotModelled } from '../machinePass.js';
import type { AllocState } from '../regalloc/state.js';
import { ALL_LANES, type MaskBuilder } from './maskBuilder.js';
import { Mode } from './modes.js';
import type { ModeSwitches } from './modeSwitches.js';
import type { BlockModes, NeededModes } from './neededModes.js';

const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val, ext: val < 0 ? -1 : 0 });

/** Comparisons that tell the lanes that die from a condition of those that live on, by ISD's number of the condition. */
const KILLED_BY = new Map<number, string>([
  [1, 'NEQ'],
  [2, 'NLT'],
  [3, 'NLE'],
  [4, 'NGT'],
  [5, 'NGE'],
  [6, 'NLG'],
  [7, 'O'],
  [8, 'U'],
  [9, 'LG'],
  [10, 'GE'],
  [11, 'GT'],
  [12, 'LE'],
  [13, 'LT'],
  [14, 'EQ'],
  [17, 'NEQ'],
  [18, 'NLT'],
  [19, 'NLE'],
  [20, 'NGT'],
  [21, 'NGE'],
  [22, 'NLG'],
]);

export class Lowering {
  constructor(
    private readonly state: AllocState,
    private readonly needed: NeededModes,
    private readonly builder: MaskBuilder,
  ) {}

  private op(i: InstrId, k: number): OperandId {
    return this.state.fn.opBegin[i] + k;
  }

  private operand(o: OperandId): NewOperand {
    return operandOf(this.state.fn, o);
  }

  // -- questions and copies ----------------------------------------------------------------------------------------

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::lowerLiveMaskQueries */
  answerLiveMaskQueries(): void {
    const { state, builder } = this;
    const { fn, editor, slots, opcodes } = state;
    for (const i of this.needed.liveMaskQueries) {
      const to = regOperand(fn.opVal[this.op(i, 0)], OpFlag.Def);
      const made = builder.build(i, i, opcodes.copy, [to, regOperand(builder.liveMask)]);
      slots.replace(i, made);
      editor.erase(i);
    }
  }

  /**
   * Ends of strict regions become moves, what only told a mode becomes a copy.
   * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::lowerCopyInstrs
   */
  lowerCopies(): void {
    const { fn, tables, opcodes } = this.state;
    for (const i of this.needed.toMoves) {
      const rc = this.classOf(this.op(i, 0));
      const isVector = tables.hasVGPRs(rc) && !tables.hasAGPRs(rc) && !tables.isSGPRClass(rc);
      if (isVector) fn.opcode[i] = this.moveOpcode(rc);
      else this.toScalarCopy(i);
    }
    const setInactive = tables.opcodeByName('V_SET_INACTIVE_B32');
    for (const old of this.needed.toCopies) {
      let i = old;
      if (fn.opcode[old] === setInactive) i = this.withoutInactive(old);
      const isCopy = fn.opKind[this.op(i, 1)] === OperandKind.Register;
      fn.opcode[i] = isCopy ? opcodes.copy : this.moveOpcode(this.classOf(this.op(i, 0)));
    }
  }

  /** A scalar value is the same in all modes: nothing is left of the region. */
  private toScalarCopy(i: InstrId): void {
    const { fn, lis, tables, opcodes } = this.state;
    const to = this.op(i, 0);
    if ((fn.opFlags[to] & OpFlag.EarlyClobber) !== 0) {
      fn.opFlags[to] &= ~OpFlag.EarlyClobber;
      lis.recompute(~fn.opVal[to]);
    }
    const exec = tables.regByName('exec');
    const dropped = new Set<number>();
    for (let k = 0; k < fn.numOperands(i); k++) {
      const o = this.op(i, k);
      if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] === exec && (fn.opFlags[o] & OpFlag.Def) === 0)
        dropped.add(k);
    }
    const made = this.without(i, dropped);
    fn.opcode[made] = opcodes.copy;
  }

  /** V_SET_INACTIVE_B32 with the value of the active lanes alone. */
  private withoutInactive(i: InstrId): InstrId {
    const { fn, lis } = this.state;
    const inactive = this.op(i, 4);
    const reg = fn.opKind[inactive] === OperandKind.Register ? fn.opVal[inactive] : NO_REG;
    const made = this.without(i, new Set([1, 3, 4, 5]));
    if (isVirtualReg(reg)) lis.shrinkToUses(~reg);
    return made;
  }

  private without(i: InstrId, dropped: ReadonlySet<number>): InstrId {
    const { editor, slots } = this.state;
    const made = editor.withoutOperands(i, dropped);
    slots.replace(i, made);
    const modes = this.needed.instrs.get(i);
    if (modes !== undefined) this.needed.instrs.set(made, modes);
    return made;
  }

  private classOf(o: OperandId): RegClassId {
    const { fn, tables } = this.state;
    const reg = fn.opVal[o];
    const rc = isVirtualReg(reg) ? fn.vregs.regClass[~reg] : tables.getMinimalPhysRegClass(reg);
    const sub = fn.opSub[o];
    const part = sub === 0 || rc < 0 ? rc : tables.getSubRegisterClass(rc, sub);
    if (part < 0) throw new NotModelled('a register without class where modes of lanes change');
    return part;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::getMovOpcode */
  private moveOpcode(rc: RegClassId): number {
    const { tables, opcodes } = this.state;
    const isScalar = tables.isSGPRClass(rc);
    const bits = tables.regClassBits[rc];
    let name = '';
    if (bits === 16) name = isScalar ? '' : 'V_MOV_B16_t16_e64';
    else if (bits === 32) name = isScalar ? 'S_MOV_B32' : 'V_MOV_B32_e32';
    else if (bits === 64) name = isScalar ? 'S_MOV_B64' : 'V_MOV_B64_PSEUDO';
    const isAccumulator = tables.hasAGPRs(rc) && !tables.hasVGPRs(rc);
    return name === '' || isAccumulator ? opcodes.copy : tables.opcodeByName(name);
  }

  // -- the start of EXEC -------------------------------------------------------------------------------------------

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::lowerInitExecInstrs */
  lowerInitExec(i: InstrId): void {
    const { state, builder } = this;
    const { fn, tables, editor, lis } = state;
    const { ops } = builder;
    const b = fn.instrBlock[i];
    const exec = regOperand(ops.exec, OpFlag.Def);
    switch (tables.opcodeName(fn.opcode[i])) {
      case 'SI_INIT_WHOLE_WAVE': {
        const lanes = builder.newMask();
        const save = builder.build(editor.list.first(b), i, ops.orSaveExec, [regOperand(lanes, OpFlag.Def), ALL_LANES]);
        const old = fn.opVal[this.op(i, 0)];
        editor.replaceReg(old, lanes);
        lis.erase(i);
        lis.remove(~old);
        builder.addSlots([save]);
        lis.recompute(~lanes);
        return;
      }
      case 'SI_INIT_EXEC': {
        const value = this.operand(this.op(i, 0));
        const made = builder.build(editor.list.first(b), i, ops.mov, [exec, value]);
        lis.erase(i);
        builder.addSlots([made]);
        return;
      }
      default:
        this.lowerInitExecFromInput(i, b);
    }
  }

  /**
   * Some bits of a scalar input count the lanes that are there.
   * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::lowerInitExec
   */
  private lowerInitExecFromInput(i: InstrId, b: BlockId): void {
    const { state, builder } = this;
    const { fn, tables, editor, lis, opcodes } = state;
    const { ops } = builder;
    const input = fn.opVal[this.op(i, 0)];
    const o = isVirtualReg(input) && editor.hasOneDef(input) ? editor.firstOperand(input) : -1;
    const def = o < 0 ? -1 : editor.instrOf(o);
    if (def < 0 || fn.opcode[def] !== opcodes.copy)
      throw new NotModelled('SI_INIT_EXEC_FROM_INPUT of what is no copy, for which llc has no answer,');
    let first = editor.list.first(b);
    if (def === first) first = editor.list.after(first);
    else if (fn.instrBlock[def] === b) this.moveInput(def, first, b);
    const lanes = fn.subtarget.wavefrontSize;
    const shift = (fn.imm(this.op(i, 1)) & (2 * lanes - 1)) | 0x70000;
    const count = builder.newVReg(tables.regClassByName('sgpr_32'));
    const exec = regOperand(ops.exec, OpFlag.Def);
    const extract = tables.opcodeByName('S_BFE_U32');
    const compare = tables.opcodeByName('S_CMP_EQ_U32');
    const made = [
      builder.build(first, i, extract, [regOperand(count, OpFlag.Def), regOperand(input), imm(shift)]),
      builder.build(first, i, ops.bfm, [exec, regOperand(count), imm(0)]),
      builder.build(first, i, compare, [regOperand(count, OpFlag.Kill), imm(lanes)]),
      builder.build(first, i, ops.cmov, [exec, ALL_LANES]),
    ];
    lis.erase(i);
    builder.addSlots(made);
    lis.recompute(~input);
    lis.recompute(~count);
  }

  /** Moves the copy of the input to the start of the block. */
  private moveInput(def: InstrId, first: InstrId, b: BlockId): void {
    const { fn, lis, units } = this.state;
    lis.move(def, first, b);
    for (let o = fn.opBegin[def]; o < fn.opBegin[def + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] > 0) units.forgetReg(fn.opVal[o]);
    units.computeLiveIns();
  }

  // -- kills -------------------------------------------------------------------------------------------------------

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::lowerKillInstrs */
  lowerKills(isWQM: boolean): void {
    for (const i of this.needed.kills) this.endBlockAt(this.lowerKill(i, isWQM));
  }

  /**
   * What stands in a block in the mode that its switches give it.
   * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::lowerBlock
   */
  lowerBlock(b: BlockId, modes: BlockModes, { modeBehind }: ModeSwitches): void {
    if (!modes.needsLowering) return;
    const { state, needed } = this;
    const { fn, tables, editor, lis, traits } = state;
    const kills = new Set(needed.kills);
    const [enter, exit, setInactive] = ['ENTER_STRICT_WWM', 'EXIT_STRICT_WWM', 'V_SET_INACTIVE_B32'].map((n) =>
      tables.opcodeByName(n),
    );
    const ends: InstrId[] = [];
    let active: Reg = NO_REG;
    let mode = modes.initial;
    for (let i = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      mode = modeBehind.get(i) ?? mode;
      const opc = fn.opcode[i];
      if ((traits[opc] & OpcodeTrait.Phi) !== 0) {
        i = next;
        continue;
      }
      if (kills.has(i)) {
        const end = this.lowerKill(i, mode === Mode.WQM);
        if (end >= 0) ends.push(end);
      } else if (opc === enter) active = fn.opVal[this.op(i, 0)];
      else if (opc === exit) active = NO_REG;
      else if (opc === setInactive && active !== NO_REG) {
        const lanes = this.op(i, 5);
        const old = fn.opVal[lanes];
        const { regClass } = fn.vregs;
        regClass[~active] = tables.getCommonSubClass(regClass[~active], this.builder.ops.waveMaskClass);
        editor.setReg(lanes, active);
        if (isVirtualReg(old)) lis.shrinkToUses(~old);
      }
      i = next;
    }
    for (const end of ends) this.endBlockAt(end);
  }

  /** The instruction after which killed lanes are switched off, -1 when nothing is left. */
  private lowerKill(i: InstrId, isWQM: boolean): InstrId {
    const { fn, tables } = this.state;
    return tables.opcodeName(fn.opcode[i]) === 'SI_KILL_F32_COND_IMM_TERMINATOR'
      ? this.lowerKillF32(i)
      : this.lowerKillI1(i, isWQM);
  }

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::lowerKillF32 */
  private lowerKillF32(i: InstrId): InstrId {
    const { state, builder } = this;
    const { fn, tables, editor, slots } = state;
    const { ops, liveMask } = builder;
    const condition = KILLED_BY.get(fn.imm(this.op(i, 2)));
    if (condition === undefined) throw new NotModelled('a kill on a condition that LLVM does not know');
    const [x, y] = [this.operand(this.op(i, 0)), this.operand(this.op(i, 1))];
    const rc = this.classOf(this.op(i, 0));
    const isVector = tables.hasVGPRs(rc) && !tables.hasAGPRs(rc) && !tables.isSGPRClass(rc);
    const opcode = tables.opcodeByName(`V_CMP_${condition}_F32_${isVector ? 'e32' : 'e64'}`);
    const operands = isVector ? [y, x] : [regOperand(ops.vcc, OpFlag.Def), imm(0), y, imm(0), x, imm(0)];
    const dying = regOperand(ops.vcc);
    const compare = builder.build(i, i, opcode, operands);
    const mask = regOperand(liveMask);
    const update = builder.build(i, i, ops.andn2, [regOperand(liveMask, OpFlag.Def), mask, dying]);
    const terminate = builder.build(i, i, tables.opcodeByName('SI_EARLY_TERMINATE_SCC0'), []);
    const exec = regOperand(ops.exec);
    const end = builder.build(i, i, ops.andn2, [regOperand(ops.exec, OpFlag.Def), exec, dying]);
    slots.replace(i, compare);
    editor.erase(i);
    builder.addSlots([update, terminate, end]);
    return end;
  }

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::lowerKillI1 */
  private lowerKillI1(i: InstrId, isWQM: boolean): InstrId {
    const { state, builder } = this;
    const { fn, tables, lis, editor, slots } = state;
    const { ops, liveMask } = builder;
    const b = fn.instrBlock[i];
    const isDemote = isWQM && tables.opcodeName(fn.opcode[i]) === 'SI_DEMOTE_I1';
    const condition = this.op(i, 0);
    const isStatic = fn.opKind[condition] === OperandKind.Immediate;
    const killValue = fn.imm(this.op(i, 1));
    const isKilling = killValue !== 0;
    if (isStatic && fn.imm(condition) !== killValue) {
      if (editor.list.after(i) >= 0) lis.erase(i);
      else {
        const to: NewOperand = { kind: OperandKind.MBB, val: fn.blocks[b].successors[0] };
        slots.replace(i, builder.build(i, i, tables.opcodeByName('S_BRANCH'), [to]));
        editor.erase(i);
      }
      return -1;
    }
    const tested = isStatic ? NO_REG : fn.opVal[condition];
    if (!isStatic && !isVirtualReg(tested)) throw new NotModelled('a kill that tests a physical register');
    const mask = regOperand(liveMask);
    const newMask = regOperand(liveMask, OpFlag.Def);
    const exec = regOperand(ops.exec);
    const newExec = regOperand(ops.exec, OpFlag.Def);
    const made: InstrId[] = [];
    const build = (opcode: number, operands: NewOperand[]): InstrId => {
      const m = builder.build(i, i, opcode, operands);
      made.push(m);
      return m;
    };
    let dying: Reg = NO_REG;
    if (isStatic) build(ops.andn2, [newMask, mask, exec]);
    else if (isKilling) build(ops.andn2, [newMask, mask, this.operand(condition)]);
    else {
      // What is left of EXEC without those that live on; EXEC may be less than all.
      dying = builder.newMask();
      build(ops.andn2, [regOperand(dying, OpFlag.Def), exec, this.operand(condition)]);
      build(ops.andn2, [newMask, mask, regOperand(dying)]);
    }
    build(tables.opcodeByName('SI_EARLY_TERMINATE_SCC0'), []);
    let quads: Reg = NO_REG;
    let end: InstrId;
    if (isDemote) {
      quads = builder.newMask();
      build(ops.wqm, [regOperand(quads, OpFlag.Def), mask]);
      end = build(ops.and, [newExec, exec, regOperand(quads)]);
    } else if (isStatic) end = build(ops.mov, [newExec, imm(0)]);
    else if (!isWQM) end = build(ops.and, [newExec, exec, mask]);
    else end = build(isKilling ? ops.andn2 : ops.and, [newExec, exec, this.operand(condition)]);
    lis.erase(i);
    builder.addSlots(made);
    for (const r of [tested, dying, quads]) if (r !== NO_REG) lis.recompute(~r);
    return end;
  }

  /**
   * Makes an instruction the terminator of its block; what follows becomes a block of its own.
   * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::splitBlock
   */
  private endBlockAt(i: InstrId): void {
    if (i < 0) return;
    const { fn, editor, lis, reserved } = this.state;
    if (editor.list.after(i) >= 0) {
      const block = fn.instrBlock[i];
      const live = new LivePhysRegs(fn);
      live.addLiveOuts(block);
      for (let at = editor.list.before(~block); at !== i; at = editor.list.before(at)) live.stepBackward(at);
      const liveIns = live.liveIns(reserved).map((reg) => ({ reg, laneLo: -1, laneHi: -1 }));
      fn.blocks[lis.splitBehind(i)].liveIns = liveIns;
    }
    fn.opcode[i] = this.builder.ops.terminatorOf.get(fn.opcode[i])!;
  }
}
