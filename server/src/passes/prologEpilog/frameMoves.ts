/** Frame information that newer releases write into prologues: where the frame is and where the caller's registers are (docs/llvm/frame-lowering.md, 12). */
import { isPhysRegModified } from '../../analysis/frame/usedRegisters.js';
import type { FrameContext } from '../../analysis/frame/frameContext.js';
import type { IRModule } from '../../ir/module.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { InstrFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { NewOperand } from '../../model/edit/functionEditor.js';
import type { AmdgpuFunctionInfo } from '../../model/header.js';
import type { PhysReg, Subtarget, TargetTables } from '../../target/api.js';
import type { RegisterFacts } from '../registerFacts.js';

/** Address space of scratch memory, of one lane and of the wave, in DWARF's numbers. */
const PRIVATE_WAVE = 6;
const DWORD_BITS = 32;

/** Bytes of DWARF: DW_CFA_def_cfa_expression, DW_OP_lit0, DW_OP_shl, DW_OP_regx, DW_OP_deref_size, DW_OP_LLVM_user with DW_OP_LLVM_form_aspace_address. */
const DEF_CFA_EXPRESSION = 0x0f;
const LIT0 = 0x30;
const SHL = 0x24;
const REGX = 0x90;
const DEREF_SIZE = 0x94;
const FORM_ASPACE_ADDRESS = [0xe9, 0x02];
/** DWARF's number of SGPR 0 */
const FIRST_SGPR = 32;

/**
 * Whether somebody may look for the frame: a debugger, or who unwinds the stack.
 * @llvm MachineFunction.cpp MachineFunction::needsFrameMoves
 */
function isLookedAt({ header, subtarget }: MachineFunction, ir: IRModule | null): boolean {
  if (!subtarget.release.rules.savesSGPRsWithCFI) return false;
  const { enumAttributes } = header.irFunction;
  const isDebugged = (ir?.namedMetadata ?? []).some((n) => n.name === 'llvm.dbg.cu' && n.operands.length > 0);
  return isDebugged || enumAttributes.has('uwtable') || !enumAttributes.has('nounwind');
}

/** Where one dword of a scalar register goes. */
export interface Lane {
  readonly reg: PhysReg;
  readonly lane: number;
}

/** What moves are told of the frame. */
interface MovedFrame extends FrameContext {
  readonly fn: MachineFunction;
  readonly tables: TargetTables;
  readonly st: Subtarget;
  readonly facts: RegisterFacts;
  readonly info: AmdgpuFunctionInfo;
  readonly calleeSaved: readonly PhysReg[];
  readonly usesFlatScratch: boolean;
  readonly exec: PhysReg;
  offsetOf(slot: number): number;
  emit(at: ListPos, like: InstrId, name: string, operands: readonly NewOperand[]): InstrId;
  flag(i: InstrId, flag: InstrFlag): void;
}

/** Writes CFI_INSTRUCTIONs into a function. */
export class FrameMoves {
  readonly areNeeded: boolean;

  constructor(
    private readonly frame: MovedFrame,
    ir: IRModule | null,
  ) {
    this.areNeeded = isLookedAt(frame.fn, ir);
  }

  /** @llvm SIFrameLowering.cpp SIFrameLowering::buildCFI */
  private build(at: ListPos, like: InstrId, text: string, flag = InstrFlag.FrameSetup): void {
    const { frame } = this;
    const val = frame.fn.addPayload({ kind: OperandKind.CFIIndex, text });
    frame.flag(frame.emit(at, like, 'CFI_INSTRUCTION', [{ kind: OperandKind.CFIIndex, val }]), flag);
  }

  private name(reg: PhysReg): string {
    return `$${this.frame.tables.regName(reg)}`;
  }

  private escape(at: ListPos, like: InstrId, expression: readonly number[], flag?: InstrFlag): void {
    const bytes = [DEF_CFA_EXPRESSION, expression.length, ...expression];
    this.build(at, like, `escape ${bytes.map((b) => `0x${b.toString(16).padStart(2, '0')}`).join(', ')}`, flag);
  }

  /** A function that nobody calls has its frame at 0, and no caller. */
  beginEntry(at: ListPos): void {
    if (!this.areNeeded) return;
    this.escape(at, NO_LOCATION, [LIT0, LIT0 + PRIVATE_WAVE, ...FORM_ASPACE_ADDRESS]);
    this.build(at, NO_LOCATION, 'undefined $pc_reg');
  }

  /**
   * Before the prologue: where the caller is, and which registers it cannot have back.
   * @llvm SIFrameLowering.cpp SIFrameLowering::emitPrologueEntryCFI
   */
  begin(at: ListPos): void {
    const { frame } = this;
    if (!this.areNeeded) return;
    this.defineFrame(at, NO_LOCATION, frame.info.stackPtrOffsetReg, InstrFlag.FrameSetup, true);
    this.build(at, NO_LOCATION, 'llvm_register_pair $pc_reg, $sgpr30, 32, $sgpr31, 32');
    const kept = new Set(frame.calleeSaved);
    const lost: PhysReg[] = [];
    const { tables, st } = frame;
    const vgprs = tables.numberedRegs('vgpr').subarray(0, st.hasFeature('1024-addressable-vgprs') ? 1024 : 256);
    const agprs = st.hasMAIInsts ? tables.numberedRegs('agpr') : [];
    for (const list of [vgprs, agprs, tables.numberedRegs('sgpr')])
      for (const reg of list) if (!kept.has(reg) && isPhysRegModified(frame, reg)) lost.push(reg);
    for (const reg of lost) this.build(at, NO_LOCATION, `undefined ${this.name(reg)}`);
  }

  /**
   * The frame is where `reg` points to. `isFirst`: nothing says yet that it is in scratch memory.
   * @llvm SIFrameLowering.cpp SIFrameLowering::emitDefCFA
   */
  defineFrame(at: ListPos, like: InstrId, reg: PhysReg, flag: InstrFlag, isFirst = false): void {
    const { frame } = this;
    if (!this.areNeeded) return;
    if (frame.usesFlatScratch) {
      const number = frame.facts.hardwareIndex(reg) + FIRST_SGPR;
      const shift = LIT0 + (frame.st.wavefrontSize === 32 ? 5 : 6);
      const address = [REGX, number, DEREF_SIZE, 4, shift, SHL];
      this.escape(at, like, [...address, LIT0 + PRIVATE_WAVE, ...FORM_ASPACE_ADDRESS], flag);
    } else if (isFirst) this.build(at, like, `llvm_def_aspace_cfa ${this.name(reg)}, 0, ${PRIVATE_WAVE}`, flag);
    else this.build(at, like, `def_cfa_register ${this.name(reg)}`, flag);
  }

  /** Where a scalar register has been copied to. */
  copied(at: ListPos, like: InstrId, reg: PhysReg, to: PhysReg): void {
    if (this.areNeeded) this.build(at, like, `register ${this.name(reg)}, ${this.name(to)}`);
  }

  /** Lanes that hold a scalar register. */
  inLanes(at: ListPos, like: InstrId, reg: PhysReg, lanes: readonly Lane[]): void {
    if (!this.areNeeded) return;
    const parts = lanes.map((l) => `${this.name(l.reg)}, ${l.lane}, ${DWORD_BITS}`);
    this.build(at, like, `llvm_vector_registers ${this.name(reg)}, ${parts.join(', ')}`);
  }

  /** All lanes of a register, or a scalar one, are in memory. */
  inMemory(at: ListPos, like: InstrId, reg: PhysReg, slot: number, offset = 0): void {
    const place = (this.frame.offsetOf(slot) + offset) * this.frame.st.wavefrontSize;
    if (this.areNeeded) this.build(at, like, `offset ${this.name(reg)}, ${place}`);
  }

  /** Lanes of a register that are on are in memory, those of dword `k` of it at `offset`. Written whoever looks. */
  lanesInMemory(at: ListPos, like: InstrId, reg: PhysReg, offset: number): void {
    const { wavefrontSize } = this.frame.st;
    const parts = [this.name(reg), DWORD_BITS, this.name(this.frame.exec), wavefrontSize, offset * wavefrontSize];
    this.build(at, like, `llvm_vector_offset ${parts.join(', ')}`);
  }

  /** A register of the caller's that is not saved, in a block of which others are. Written whoever looks. */
  untouched(at: ListPos, like: InstrId, reg: PhysReg): void {
    if (this.frame.calleeSaved.includes(reg)) this.build(at, like, `same_value ${this.name(reg)}`);
  }

  /** Lanes of a register are in one of the other file. Written whoever looks. */
  lanesInRegister(at: ListPos, like: InstrId, reg: PhysReg, other: PhysReg): void {
    const { wavefrontSize } = this.frame.st;
    const parts = [this.name(reg), this.name(other), DWORD_BITS, this.name(this.frame.exec), wavefrontSize];
    this.build(at, like, `llvm_vector_register_mask ${parts.join(', ')}`);
  }
}
