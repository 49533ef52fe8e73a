/** Instructions after allocation as wait counts look at them: which memory they access, and the slots of registers in the brackets (SIInsertWaitcnts, LLVM 22). */
import type { InstrId, MachineFunction, OperandId } from '../../model/machineFunction.js';
import type { MemOperand } from '../../model/memOperand.js';
import type { PhysReg, Subtarget } from '../../target/api.js';
import { vmemTypeOf, type VmemType } from '../../target/countedOpcodes.js';
import { isFLAT, isFLATGlobal, isFLATScratch, isMUBUF, isVALU, usesLGKMCNT, usesVMCNT } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { InstrQueries } from '../instrQueries.js';
import { RegisterFacts } from '../registerFacts.js';
import { FLAT_SCRATCH, NO_SLOTS, scalarSlots, vectorSlots, type Slots } from './brackets.js';

const BUFFER_CACHE = new OpcodePattern(/^BUFFER_(?:WBINVL1(?:_SC|_VOL)?|GL[01]_INV|WBL2|INVL2|INV)(?:_gfx|$)/);
/** address spaces */
const FLAT = 0;
const LOCAL = 3;
const PRIVATE = 5;

export class CountedInstrs extends InstrQueries {
  readonly facts: RegisterFacts;
  private readonly st: Subtarget;
  private readonly slots = new Map<PhysReg, Slots>();

  constructor(fn: MachineFunction) {
    super(fn);
    this.facts = new RegisterFacts(fn);
    this.st = fn.subtarget;
  }

  /**
   * Not flat: it counts for vector memory alone.
   * @llvm SIInsertWaitcnts.cpp updateVMCntOnly
   */
  countsVMEMOnly(i: InstrId): boolean {
    return this.isVMEM(i) && (!this.is(isFLAT, i) || this.is(isFLATGlobal, i) || this.is(isFLATScratch, i));
  }

  vmemType(i: InstrId): VmemType {
    return vmemTypeOf(this.fn.tables, this.fn.opcode[i]);
  }

  memory(i: InstrId): readonly MemOperand[] {
    return this.fn.memOperands[i] ?? [];
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::mayAccessVMEMThroughFlat */
  flatMayBeVMEM(i: InstrId): boolean {
    if (!this.is(usesVMCNT, i)) return false;
    const memory = this.memory(i);
    return memory.length === 0 || memory.some((m) => m.addressSpace !== LOCAL);
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::mayAccessLDSThroughFlat */
  flatMayBeLDS(i: InstrId): boolean {
    if (!this.is(usesLGKMCNT, i) || this.st.hasFeature('tgsplit')) return false;
    const memory = this.memory(i);
    return memory.length === 0 || memory.some((m) => m.addressSpace === LOCAL || m.addressSpace === FLAT);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::mayAccessScratchThroughFlat */
  mayAccessScratch(i: InstrId): boolean {
    if (!this.is(isFLAT, i) || this.is(isFLATGlobal, i)) return false;
    if (this.is(isFLATScratch, i)) return true;
    if (this.fn.header.irFunction.attributes.has('amdgpu-no-flat-scratch-init')) return false;
    const memory = this.memory(i);
    return memory.length === 0 || memory.some((m) => m.addressSpace === PRIVATE || m.addressSpace === FLAT);
  }

  isBufferCache(i: InstrId): boolean {
    return this.is(isMUBUF, i) && this.matches(BUFFER_CACHE, i);
  }

  isDebug(i: InstrId): boolean {
    return this.name(i).startsWith('DBG_');
  }

  isVMEMAccess(i: InstrId): boolean {
    return this.is(isFLAT, i) || (this.isVMEM(i) && !this.isBufferCache(i));
  }

  accessesVMEM(i: InstrId): boolean {
    return this.is(isFLAT, i) ? this.flatMayBeVMEM(i) : this.isVMEM(i);
  }

  // -- registers -----------------------------------------------------------------------------------------------------------

  /** @llvm SIInsertWaitcnts.cpp WaitcntBrackets::getRegInterval */
  slotsOf(reg: PhysReg): Slots {
    let found = this.slots.get(reg);
    if (found === undefined) this.slots.set(reg, (found = this.computeSlots(reg)));
    return found;
  }

  private computeSlots(reg: PhysReg): Slots {
    const { tables } = this.fn;
    if (reg <= 0 || !tables.isInAllocatableClass(reg)) return NO_SLOTS;
    const rc = this.facts.baseClassOf(reg);
    if (rc < 0) return NO_SLOTS;
    const index = tables.regName(reg).startsWith('flat_scr')
      ? FLAT_SCRATCH + Number(tables.regName(reg).endsWith('_hi'))
      : this.facts.hardwareIndex(reg);
    const bits = tables.regClassBits[rc];
    if (tables.isSGPRClass(rc)) return scalarSlots(index, Math.ceil(bits / 32));
    const isAGPR = tables.hasAGPRs(rc) && !tables.hasVGPRs(rc);
    if (bits === 16 && this.halvesClobber && !this.fn.subtarget.release.rules.countsHalvesApart)
      return vectorSlots(index * 2, 2, isAGPR);
    const half = index * 2 + (tables.regName(reg).endsWith('_hi16') ? 1 : 0);
    return vectorSlots(half, bits / 16, isAGPR);
  }

  /** Instructions that write half of a VGPR may clobber the other one. */
  private get halvesClobber(): boolean {
    return this.fn.subtarget.hasFeature('d16-write-vgpr32');
  }

  /**
   * What an instruction waits for that names a register: both halves where it may clobber the other one.
   * @llvm SIInsertWaitcnts.cpp WaitcntBrackets::determineVGPR16Dependency
   */
  awaitedSlots(i: InstrId, reg: PhysReg): Slots {
    const slots = this.slotsOf(reg);
    const [begin, end] = slots;
    if (end - begin !== 1 || begin < 0 || !this.isVector(reg) || !this.halvesClobber || !this.is(isVALU, i))
      return slots;
    return begin % 2 === 0 ? [begin, end + 1] : [begin - 1, end];
  }

  isVector(reg: PhysReg): boolean {
    const { tables } = this.fn;
    const rc = reg > 0 ? this.facts.baseClassOf(reg) : -1;
    return rc >= 0 && (tables.hasVGPRs(rc) || tables.hasAGPRs(rc));
  }

  usesOf(i: InstrId): OperandId[] {
    return this.regOperands(i).filter((o) => !this.isDef(o));
  }

  defsOf(i: InstrId): OperandId[] {
    return this.regOperands(i).filter((o) => this.isDef(o));
  }

  /** The register itself is a result. */
  defines(i: InstrId, name: string): boolean {
    const reg = this.fn.tables.regByName(name);
    return this.regOperands(i).some((o) => this.isDef(o) && this.fn.opVal[o] === reg);
  }
}
