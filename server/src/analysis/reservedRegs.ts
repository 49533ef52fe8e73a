/**
 * Reserved registers of a function, and the allocation order of a register class in it.
 * Follows SIRegisterInfo::getReservedRegs and RegisterClassInfo::compute (LLVM 22; docs/llvm/allocation.md, 3.2 and 4).
 */
import { calleeSaved } from './frame/calleeSaves.js';
import type { PhysReg, RegClassId, RegUnit, TargetTables } from '../target/api.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { NO_REG } from '../model/register.js';
import { BitSet } from '../util/bitset.js';
import { hasBasePointer } from './frame/framePointers.js';
import { computeFunctionLimits, type FunctionLimits } from './functionLimits.js';

/** Never allocated, on any processor. Names as MIR spells them; one that a target version lacks is skipped. */
const ALWAYS_RESERVED: readonly string[] = [
  'mode',
  'asynccnt',
  'tensorcnt',
  'exec',
  'flat_scr',
  'm0',
  'src_vccz',
  'src_execz',
  'src_scc',
  'src_shared_base',
  'src_shared_limit',
  'src_private_base',
  'src_private_limit',
  'src_flat_scratch_base',
  'src_pops_exiting_wave_id',
  'xnack_mask',
  'lds_direct',
  'tba',
  'tma',
  'sgpr_null64',
];

/** What holds for every function; one per set of tables, filled on first use. */
interface RegisterFiles {
  readonly always: readonly PhysReg[];
  readonly sgprs: Uint16Array;
  readonly vgprs: Uint16Array;
  readonly agprs: Uint16Array;
  readonly artificialUnits: BitSet;
}

const registerFiles = new WeakMap<TargetTables, RegisterFiles>();

function registerFilesOf(tables: TargetTables): RegisterFiles {
  let files = registerFiles.get(tables);
  if (files === undefined) {
    const always = ALWAYS_RESERVED.map((name) => tables.regByName(name)).filter((reg) => reg > 0);
    const artificialUnits = new BitSet(tables.nRegUnits);
    artificialUnits.words.set(tables.artificialUnits);
    files = {
      always: [...always, ...tables.numberedRegs('ttmp'), ...tables.reserved],
      sgprs: tables.numberedRegs('sgpr'),
      vgprs: tables.numberedRegs('vgpr'),
      agprs: tables.numberedRegs('agpr'),
      artificialUnits,
    };
    registerFiles.set(tables, files);
  }
  return files;
}

/** Adds the units of `regs[from]` and all after it: the registers of a file have one run of units, in their order. */
function addUnitsFrom(
  units: BitSet,
  { unitBegin, unitEnd, unitList }: TargetTables,
  regs: Uint16Array,
  from: number,
): void {
  if (from >= regs.length) return;
  const first = unitList[unitBegin[regs[from]]];
  const last = unitList[unitEnd[regs[regs.length - 1]] - 1];
  units.addRange(first, last + 1);
}

/** bytes of a register, and of what R600 keeps before the stack */
const REG_BYTES = 4;
const R600_STACK_START = 2 * REG_BYTES;

/**
 * Registers that hold the stack of a function of R600: the first channels of as many T registers as its
 * objects take, and one, after those that its live-ins are in.
 * @llvm R600InstrInfo.cpp R600InstrInfo::reserveIndirectRegisters
 */
function indirectRegs({ header, tables }: MachineFunction): PhysReg[] {
  const objects = [...header.fixedStack, ...header.stack];
  if (objects.length === 0 || header.stack.some((o) => o.type === 'variable-sized')) return [];
  const channels = tables.classRegs(tables.regClassByName('r600_treg32_x'));
  const begin = header.liveIns.reduce((most, { reg }) => Math.max(most, channels.indexOf(reg) + 1), 0);
  let bytes = R600_STACK_START;
  for (const { size, alignment } of objects) {
    const align = Math.max(alignment, 1);
    bytes = Math.ceil(bytes / align) * align + Number(size);
    bytes = Math.ceil(bytes / REG_BYTES) * REG_BYTES;
  }
  const all = tables.classRegs(tables.regClassByName('r600_treg32'));
  return [...all].filter((_, k) => k % 4 === 0).slice(begin, begin + bytes / REG_BYTES + 1);
}

/** @llvm SIRegisterInfo.cpp SIRegisterInfo::getReservedRegs */
export class ReservedRegs {
  /** by register unit: registers over it are reserved */
  private readonly units: BitSet;
  /** of these, the artificial high halves above a budget: they stay unreserved themselves (LLVM reserves class by class) */
  private readonly softUnits: BitSet;
  private readonly tables: TargetTables;
  /** LLVM takes the encoding 0 of these pseudo tuples for SGPR 0 and reserves them, none of their parts, with budgets below their size */
  private readonly reservedPseudos: readonly PhysReg[];
  private regs: BitSet | null = null;
  private orders: (Uint16Array | undefined)[] = [];

  constructor(
    private readonly fn: MachineFunction,
    readonly limits: FunctionLimits = computeFunctionLimits(fn),
    /** what a pass keeps to itself besides */
    more: Iterable<PhysReg> = [],
  ) {
    const t = (this.tables = fn.tables);
    this.units = new BitSet(t.nRegUnits);
    this.softUnits = new BitSet(t.nRegUnits);
    const files = registerFilesOf(t);
    for (const reg of files.always) this.reserve(reg);
    if (!t.isAMDGCN) for (const reg of indirectRegs(fn)) this.reserve(reg);
    const [maxVGPRs, maxAGPRs] = limits.maxNumVectorRegs;
    const beyondBudget = new BitSet(t.nRegUnits);
    addUnitsFrom(beyondBudget, t, files.sgprs, Math.max(limits.maxNumSGPRs, 0));
    addUnitsFrom(beyondBudget, t, files.vgprs, maxVGPRs);
    addUnitsFrom(beyondBudget, t, files.agprs, maxAGPRs);
    this.softUnits.copyFrom(beyondBudget);
    this.softUnits.intersectWith(files.artificialUnits);
    this.softUnits.subtract(this.units);
    this.units.unionWith(beyondBudget);

    const pseudos: PhysReg[] = [];
    if (limits.maxNumSGPRs < 8) pseudos.push(t.regByName('sgpr_null256'));
    if (limits.maxNumSGPRs < 4) pseudos.push(t.regByName('sgpr_null128'), t.regByName('private_rsrc_reg'));
    this.reservedPseudos = pseudos;

    const mfi = fn.header.machineFunctionInfo;
    this.reserve(mfi.scratchRSrcReg);
    this.reserve(mfi.stackPtrOffsetReg);
    this.reserve(mfi.frameOffsetReg);
    this.reserve(mfi.longBranchReservedReg);
    this.reserve(mfi.sgprForEXECCopy);
    for (const r of mfi.wwmReservedRegs) this.reserve(r);
    const st = fn.subtarget;
    if (st.hasMAIInsts && !st.hasGFX90AInsts) {
      // AGPRs of gfx908 are copied through a VGPR that is kept free.
      if (mfi.vgprForAGPRCopy > 0) this.reserve(mfi.vgprForAGPRCopy);
      else if (maxVGPRs > 0) this.reserveNamed(`vgpr${maxVGPRs - 1}`);
    }
    if (hasBasePointer(fn.header)) this.reserveNamed('sgpr34');
    for (const reg of more) this.reserve(reg);
  }

  private reserveNamed(name: string): void {
    const reg = this.tables.regByName(name);
    if (reg > 0) this.reserve(reg);
  }

  /**
   * Reserves a register with all that overlap it; before others ask for orders of classes.
   * @llvm MachineRegisterInfo.h MachineRegisterInfo::reserveReg
   */
  reserve(reg: PhysReg): void {
    if (reg <= NO_REG) return;
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      this.units.add(unitList[k]);
      this.softUnits.delete(unitList[k]);
    }
  }

  /**
   * A root of the unit is reserved with all registers that contain it.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::isReservedRegUnit
   */
  isReservedUnit(unit: RegUnit): boolean {
    return this.units.has(unit) && !this.softUnits.has(unit);
  }

  /** Whether `reg` shares a unit with a reserved register. */
  isReserved(reg: PhysReg): boolean {
    const { unitBegin, unitEnd, unitList } = this.tables;
    if (this.reservedPseudos.length > 0 && this.reservedPseudos.includes(reg)) return true;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const unit = unitList[k];
      if (this.units.has(unit) && !(this.softUnits.has(unit) && this.tables.isArtificialReg(reg))) return true;
    }
    return false;
  }

  /** Equal for equal sets. */
  get key(): string {
    return `${this.units.words.join()};${this.softUnits.words.join()};${this.reservedPseudos.join()}`;
  }

  /** All reserved registers; computed once, O(registers). */
  get all(): BitSet {
    if (this.regs !== null) return this.regs;
    const regs = new BitSet(this.tables.nRegs);
    for (let r = 1; r < this.tables.nRegs; r++) if (this.isReserved(r)) regs.add(r);
    return (this.regs = regs);
  }

  /**
   * In an allocatable class and not reserved.
   * @llvm MachineRegisterInfo.h MachineRegisterInfo::isAllocatable
   */
  isAllocatable(reg: PhysReg): boolean {
    return this.tables.isInAllocatableClass(reg) && !this.isReserved(reg);
  }

  /**
   * Registers of a class in the order in which the allocator tries them: callee-saved ones last, reserved ones never.
   * Cached per class; do not write to it.
   * @llvm RegisterClassInfo.cpp RegisterClassInfo::compute
   */
  allocationOrder(rc: RegClassId): Uint16Array {
    const cached = this.orders[rc];
    if (cached !== undefined) return cached;
    const { fn, tables } = this;
    const calleeSaved = this.calleeSavedUnits();
    const { unitBegin, unitEnd, unitList } = tables;
    const first: number[] = [];
    const last: number[] = [];
    for (const reg of fn.subtarget.rawAllocationOrder(rc)) {
      if (this.isReserved(reg)) continue;
      let isSaved = false;
      for (let k = unitBegin[reg]; k < unitEnd[reg] && !isSaved; k++) isSaved = calleeSaved.has(unitList[k]);
      (isSaved ? last : first).push(reg);
    }
    return (this.orders[rc] = Uint16Array.from(first.concat(last)));
  }

  /** Length of `allocationOrder`, without making it. */
  numAllocatableRegs(rc: RegClassId): number {
    const { unitBegin, unitEnd, unitList } = this.tables;
    const { words } = this.units;
    const order = this.fn.subtarget.rawAllocationOrder(rc);
    let n = 0;
    for (let p = 0; p < order.length; p++) {
      const reg = order[p];
      const end = unitEnd[reg];
      let k = unitBegin[reg];
      // Almost all are free of reserved units, or share one that is no artificial half: only the others need the long answer.
      while (k < end && (words[unitList[k] >>> 5] & (1 << (unitList[k] & 31))) === 0) k++;
      if (k === end) {
        if (!this.reservedPseudos.includes(reg)) n++;
      } else if (this.softUnits.has(unitList[k]) && !this.isReserved(reg)) n++;
    }
    return n;
  }

  private savedUnits: BitSet | null = null;

  private calleeSavedUnits(): BitSet {
    if (this.savedUnits !== null) return this.savedUnits;
    const { fn, tables } = this;
    const units = new BitSet(tables.nRegUnits);
    for (const reg of calleeSaved(fn)) {
      for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) units.add(tables.unitList[k]);
    }
    return (this.savedUnits = units);
  }
}
