/** Pseudo instructions of the target that are left after allocation (SIInstrInfo::expandPostRAPseudo, LLVM 22; docs/llvm/small-passes.md, 7). */
import { finalizeBundle } from '../../model/edit/bundleUp.js';
import { immOperand, operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import {
  OpFlag,
  OperandKind,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { OperandType } from '../../target/opcodes.js';
import type { PhysReg } from '../../target/api.js';
import type { RegisterFacts } from '../registerFacts.js';
import { definedWhole, hasMovB64, OP_SEL_1, packedMove } from './physCopy.js';

/** Those that only kept a place until allocation was done become another opcode; `?` stands for B32 in wave32, B64 in wave64. */
const RENAMED: Readonly<Record<string, string>> = {
  SI_SPILL_S32_TO_VGPR: 'V_WRITELANE_B32',
  SI_RESTORE_S32_FROM_VGPR: 'V_READLANE_B32',
  ENTER_STRICT_WWM: 'S_OR_SAVEEXEC_?',
  EXIT_STRICT_WWM: 'S_MOV_?',
  EXIT_STRICT_WQM: 'S_MOV_?',
  S_MUL_U64_U32_PSEUDO: 'S_MUL_U64',
  S_MUL_I64_I32_PSEUDO: 'S_MUL_U64',
};

const TERMINATOR = /^(S_(?:MOV|XOR|OR|ANDN2|AND|AND_SAVEEXEC)_B(?:32|64))_term$/;
const INDIRECT_WRITE = /^([SV])_INDIRECT_REG_WRITE_MOVREL_B(32|64)_V\d+$/;
const INDEXED_WRITE = /^V_INDIRECT_REG_WRITE_GPR_IDX_B32_V\d+$/;
const INDEXED_READ = /^V_INDIRECT_REG_READ_GPR_IDX_B32_V\d+$/;
/** VGPRIndexMode */
const SRC0_ENABLE = 1;
const DST_ENABLE = 8;
/** DPP controls that move 64 bits: row_newbcast */
const ROW_NEWBCAST_FIRST = 0x150;
const ROW_NEWBCAST_LAST = 0x15f;

const def = (reg: PhysReg): NewOperand => regOperand(reg, OpFlag.Def);

export class TargetPseudos {
  private readonly fn: MachineFunction;

  constructor(
    private readonly builder: InstrBuilder,
    private readonly facts: RegisterFacts,
  ) {
    this.fn = builder.fn;
  }

  /**
   * False: the instruction is none of them.
   * @llvm SIInstrInfo.cpp SIInstrInfo::expandPostRAPseudo
   */
  expand(i: InstrId): boolean {
    const { fn } = this;
    const name = fn.tables.opcodeName(fn.opcode[i]);
    const renamed = RENAMED[name] ?? TERMINATOR.exec(name)?.[1];
    if (renamed !== undefined) {
      this.rename(i, renamed.replace('?', this.waveBits));
      return true;
    }
    switch (name) {
      case 'V_MOV_B64_PSEUDO':
        this.moveB64(i);
        return true;
      case 'AV_MOV_B32_IMM_PSEUDO':
        this.rename(i, this.facts.isAGPR(this.reg(i, 0)) ? 'V_ACCVGPR_WRITE_B32_e64' : 'V_MOV_B32_e32');
        return true;
      case 'AV_MOV_B64_IMM_PSEUDO':
        if (this.facts.isAGPR(this.reg(i, 0))) this.moveHalves(i, 'V_ACCVGPR_WRITE_B32_e64');
        else this.moveB64(i);
        return true;
      case 'S_MOV_B64_IMM_PSEUDO':
        if (this.isScalarLiteral(i)) this.rename(i, 'S_MOV_B64');
        else this.moveHalves(i, 'S_MOV_B32');
        return true;
      case 'V_MOV_B64_DPP_PSEUDO':
        this.moveDPP(i);
        return true;
      case 'V_SET_INACTIVE_B32':
        this.setInactive(i);
        return true;
      case 'SI_PC_ADD_REL_OFFSET':
        this.addToPC(i);
        return true;
      case 'SI_PC_ADD_REL_OFFSET64':
        this.addToPC64(i);
        return true;
      case 'S_GETPC_B64_pseudo':
        this.rename(i, 'S_GETPC_B64');
        if (this.zeroExtendsPC) this.extendPC(this.builder.editor.list.after(i), i, this.part(this.reg(i, 0), 'sub1'));
        return true;
      case 'ENTER_STRICT_WQM': {
        const exec = this.exec;
        this.emit(i, `S_MOV_${this.waveBits}`, [def(this.reg(i, 0)), regOperand(exec)]);
        this.emit(i, `S_WQM_${this.waveBits}`, [def(exec), regOperand(exec)]);
        this.erase(i);
        return true;
      }
      case 'ENTER_PSEUDO_WM':
      case 'EXIT_PSEUDO_WM':
        this.erase(i);
        return true;
      case 'SI_RETURN': {
        const address = regOperand(fn.tables.regByName('sgpr30_sgpr31'), OpFlag.Undef);
        this.emit(i, 'S_SETPC_B64_return', [address], this.implicitOperands(i));
        this.erase(i);
        return true;
      }
    }
    const indirect = INDIRECT_WRITE.exec(name);
    if (indirect !== null)
      this.writeIndirect(i, indirect[1] === 'V' ? 'V_MOVRELD_B32_e32' : `S_MOVRELD_B${indirect[2]}`);
    else if (INDEXED_WRITE.test(name)) this.writeIndexed(i);
    else if (INDEXED_READ.test(name)) this.readIndexed(i);
    else return false;
    return true;
  }

  // -- moves ---------------------------------------------------------------------------------------------------------

  private moveB64(i: InstrId): void {
    const { fn, facts } = this;
    const { tables, subtarget: st } = fn;
    const source = fn.opBegin[i] + 1;
    const isReg = fn.opKind[source] === OperandKind.Register;
    if (hasMovB64(fn)) {
      const opcode = tables.opcodeByName('V_MOV_B64_e32');
      const isWhole = isReg || facts.isInlineAt(source, opcode, 1) || fn.opExt[source] === 0;
      if (isWhole || st.hasFeature('64-bit-literals')) {
        this.rename(i, 'V_MOV_B64_e32');
        return;
      }
    }
    const to = this.reg(i, 0);
    if (isReg) {
      const from = this.reg(i, 1);
      if (st.hasGFX90AInsts && !facts.isAGPR(from)) this.emit(i, 'V_PK_MOV_B32', packedMove(to, from));
      else
        for (const half of ['sub0', 'sub1'])
          this.emit(
            i,
            'V_MOV_B32_e32',
            [def(this.part(to, half)), regOperand(this.part(from, half))],
            definedWhole(fn, to),
          );
      this.erase(i);
      return;
    }
    const [low, high] = [fn.opVal[source], fn.opExt[source]];
    if (st.hasGFX90AInsts && low === high && facts.isInlineValue(low, OperandType.InlineInt32)) {
      const one = [immOperand(OP_SEL_1), immOperand(low)];
      const zeros = Array.from({ length: 5 }, () => immOperand(0));
      this.emit(i, 'V_PK_MOV_B32', [def(to), ...one, ...one, ...zeros]);
      this.erase(i);
    } else this.moveHalves(i, 'V_MOV_B32_e32');
  }

  /** A constant of 64 bits by two moves. */
  private moveHalves(i: InstrId, opcode: string): void {
    const { fn } = this;
    const to = this.reg(i, 0);
    const source = fn.opBegin[i] + 1;
    const whole = definedWhole(fn, to);
    this.emit(i, opcode, [def(this.part(to, 'sub0')), immOperand(fn.opVal[source]), ...whole]);
    this.emit(i, opcode, [def(this.part(to, 'sub1')), immOperand(fn.opExt[source]), ...whole]);
    this.erase(i);
  }

  /** Whether S_MOV_B64 takes the constant: it has 32 bits, unsigned, or needs no literal. */
  private isScalarLiteral(i: InstrId): boolean {
    const { fn } = this;
    const source = fn.opBegin[i] + 1;
    return fn.subtarget.hasFeature('64-bit-literals') || fn.opExt[source] === 0 || this.facts.isInlineInteger(source);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::expandMovDPP64 */
  private moveDPP(i: InstrId): void {
    const { fn } = this;
    const control = fn.opVal[fn.opBegin[i] + 3];
    if (hasMovB64(fn) && control >= ROW_NEWBCAST_FIRST && control <= ROW_NEWBCAST_LAST) {
      this.rename(i, 'V_MOV_B64_dpp');
      return;
    }
    const to = this.reg(i, 0);
    const n = fn.tables.opcodeNumOperands(fn.opcode[i]);
    const controls = Array.from({ length: n - 3 }, (_, k) => operandOf(fn, fn.opBegin[i] + 3 + k));
    for (const half of ['sub0', 'sub1']) {
      const sources = [1, 2].map((k) => {
        const o = fn.opBegin[i] + k;
        if (fn.opKind[o] === OperandKind.Register) return regOperand(this.part(fn.opVal[o], half));
        const bits = half === 'sub0' ? fn.opVal[o] : fn.opExt[o];
        return { kind: OperandKind.Immediate, val: bits, ext: 0 };
      });
      const made = this.emit(i, 'V_MOV_B32_dpp', [def(this.part(to, half)), ...sources, ...controls]);
      fn.tieOperands(made, 0, 1);
    }
    this.erase(i);
  }

  /** One value for the lanes that the mask leaves out, another for those that it has. */
  private setInactive(i: InstrId): void {
    const { fn } = this;
    const [activeModifiers, active, inactiveModifiers, inactive, mask] = [1, 2, 3, 4, 5].map((k) =>
      operandOf(fn, fn.opBegin[i] + k),
    );
    const sources = [inactiveModifiers, inactive, activeModifiers, active, mask];
    this.emit(i, 'V_CNDMASK_B32_e64', [def(this.reg(i, 0)), ...sources]);
    this.erase(i);
  }

  // -- registers by a number that is computed --------------------------------------------------------------------------

  private writeIndirect(i: InstrId, opcode: string): void {
    const { fn } = this;
    const vector = this.reg(i, 0);
    const part = fn.tables.getSubReg(vector, fn.opVal[fn.opBegin[i] + 3]);
    this.writeVector(i, opcode, part, operandOf(fn, fn.opBegin[i] + 2));
    this.erase(i);
  }

  private writeIndexed(i: InstrId): void {
    const { fn } = this;
    const part = fn.tables.getSubReg(this.reg(i, 0), fn.opVal[fn.opBegin[i] + 4]);
    this.whileIndexed(i, operandOf(fn, fn.opBegin[i] + 3), DST_ENABLE, () =>
      this.writeVector(i, 'V_MOV_B32_indirect_write', part, operandOf(fn, fn.opBegin[i] + 2)),
    );
  }

  private readIndexed(i: InstrId): void {
    const { fn } = this;
    const vector = this.reg(i, 1);
    const undef = fn.opFlags[fn.opBegin[i] + 1] & OpFlag.Undef;
    const part = fn.tables.getSubReg(vector, fn.opVal[fn.opBegin[i] + 3]);
    this.whileIndexed(i, regOperand(this.reg(i, 2)), SRC0_ENABLE, () =>
      this.emit(i, 'V_MOV_B32_indirect_read', [
        def(this.reg(i, 0)),
        regOperand(part, OpFlag.Undef),
        regOperand(vector, OpFlag.Implicit | undef),
      ]),
    );
  }

  /** The part of a vector that stands for all of it is written; the vector goes in and out. */
  private writeVector(i: InstrId, opcode: string, part: PhysReg, value: NewOperand): InstrId {
    const { fn } = this;
    const vector = this.reg(i, 0);
    const undef = fn.opFlags[fn.opBegin[i] + 1] & OpFlag.Undef;
    const made = this.emit(i, opcode, [
      regOperand(part, OpFlag.Undef),
      value,
      regOperand(vector, OpFlag.Implicit | OpFlag.Def),
      regOperand(vector, OpFlag.Implicit | undef),
    ]);
    const n = fn.numOperands(made);
    fn.tieOperands(made, n - 2, n - 1);
    return made;
  }

  private whileIndexed(i: InstrId, index: NewOperand, mode: number, emitAccess: () => void): void {
    const { fn, builder } = this;
    const on = this.emit(i, 'S_SET_GPR_IDX_ON', [index, immOperand(mode)]);
    fn.opFlags[fn.opBegin[on] + 3] |= OpFlag.Undef;
    emitAccess();
    this.emit(i, 'S_SET_GPR_IDX_OFF', []);
    finalizeBundle(builder.editor, on, i);
    this.erase(i);
  }

  // -- addresses relative to the program counter ---------------------------------------------------------------------

  private get zeroExtendsPC(): boolean {
    const { subtarget: st } = this.fn;
    return st.hasFeature('gfx12-insts') && !st.hasFeature('gfx1250-insts');
  }

  private extendPC(at: number, like: InstrId, high: PhysReg): void {
    const { fn, builder } = this;
    const place = at < 0 ? ~fn.instrBlock[like] : at;
    builder.build(place, like, fn.tables.opcodeByName('S_SEXT_I32_I16'), [def(high), regOperand(high)]);
  }

  private addToPC(i: InstrId): void {
    const { fn, builder } = this;
    const reg = this.reg(i, 0);
    const [low, high] = ['sub0', 'sub1'].map((half) => this.part(reg, half));
    const first = this.emit(i, 'S_GETPC_B64', [def(reg)]);
    // Offsets count from the end of S_GETPC_B64; what stands between moves them.
    const between = this.zeroExtendsPC ? 4 : 0;
    if (this.zeroExtendsPC) this.extendPC(i, i, high);
    const [toLow, toHigh] = [
      this.shifted(fn.opBegin[i] + 1, between + 4),
      this.shifted(fn.opBegin[i] + 2, between + 12),
    ];
    this.emit(i, 'S_ADD_U32', [def(low), regOperand(low), toLow]);
    this.emit(i, 'S_ADDC_U32', [def(high), regOperand(high), toHigh]);
    finalizeBundle(builder.editor, first, i);
    this.erase(i);
  }

  private addToPC64(i: InstrId): void {
    const { fn, builder } = this;
    const reg = this.reg(i, 0);
    const first = this.emit(i, 'S_GETPC_B64', [def(reg)]);
    this.emit(i, 'S_ADD_U64', [def(reg), regOperand(reg), this.shifted(fn.opBegin[i] + 1, 4)]);
    finalizeBundle(builder.editor, first, i);
    this.erase(i);
  }

  /** A global `bytes` further on; anything else as it is. */
  private shifted(o: OperandId, bytes: number): NewOperand {
    const { fn } = this;
    const operand = operandOf(fn, o);
    const payload = operand.kind === OperandKind.GlobalAddress ? fn.payloads[operand.val] : undefined;
    if (payload?.kind !== OperandKind.GlobalAddress) return operand;
    return { ...operand, val: fn.addPayload({ ...payload, offset: payload.offset + BigInt(bytes) }) };
  }

  // -- instructions and operands ---------------------------------------------------------------------------------------

  private get waveBits(): string {
    return this.fn.subtarget.wavefrontSize === 32 ? 'B32' : 'B64';
  }

  private get exec(): PhysReg {
    return this.fn.tables.regByName(this.fn.subtarget.wavefrontSize === 32 ? 'exec_lo' : 'exec');
  }

  private reg(i: InstrId, k: number): PhysReg {
    return this.fn.opVal[this.fn.opBegin[i] + k];
  }

  private part(reg: PhysReg, name: string): PhysReg {
    return this.fn.tables.getSubReg(reg, this.fn.tables.subRegIndexByName(name));
  }

  private implicitOperands(i: InstrId): NewOperand[] {
    const { fn } = this;
    const found: NewOperand[] = [];
    for (let o = fn.opBegin[i] + fn.tables.opcodeNumOperands(fn.opcode[i]); o < fn.opBegin[i + 1]; o++)
      found.push(operandOf(fn, o));
    return found;
  }

  /** The opcode changes, the operands stay. */
  private rename(i: InstrId, name: string): void {
    this.fn.opcode[i] = this.fn.tables.opcodeByName(name);
  }

  private emit(at: InstrId, name: string, operands: readonly NewOperand[], more: readonly NewOperand[] = []): InstrId {
    return this.builder.build(at, at, this.fn.tables.opcodeByName(name), operands, more);
  }

  private erase(i: InstrId): void {
    this.builder.editor.erase(i);
  }
}
