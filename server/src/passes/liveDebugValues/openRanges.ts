/** Where variables are at one point of the code: each has at most one place, and a parameter perhaps the value that it had at entry for later. */
import type { PhysReg, TargetTables } from '../../target/api.js';
import { EntryKind, isBackup, type VarLoc } from './varLocs.js';
import type { Variable } from './variables.js';

/** @llvm VarLocBasedImpl.cpp VarLocBasedLDV::OpenRangesSet */
export class OpenRanges {
  private readonly all = new Set<VarLoc>();
  private readonly primary = new Map<Variable, VarLoc>();
  private readonly backups = new Map<Variable, VarLoc>();
  /** by register */
  private readonly inRegister = new Map<PhysReg, Set<VarLoc>>();
  /** registers that are a place of something, by unit */
  private readonly overUnit = new Map<number, Set<PhysReg>>();
  private readonly inSlots = new Set<VarLoc>();

  constructor(private readonly tables: TargetTables) {}

  clear(): void {
    for (const set of [this.all, this.primary, this.backups, this.inRegister, this.overUnit, this.inSlots]) set.clear();
  }

  /** In the order of their numbers. */
  sorted(): VarLoc[] {
    return sorted(this.all);
  }

  /** @llvm VarLocBasedImpl.cpp VarLocBasedLDV::OpenRangesSet::insert */
  insert(loc: VarLoc): void {
    this.all.add(loc);
    const map = isBackup(loc) ? this.backups : this.primary;
    if (!map.has(loc.variable)) map.set(loc.variable, loc);
    if (loc.entry !== EntryKind.None) return;
    for (const place of loc.places) {
      if (place.kind === 'slot') this.inSlots.add(loc);
      if (place.kind === 'register') this.enterRegister(place.reg, loc);
    }
  }

  private enterRegister(reg: PhysReg, loc: VarLoc): void {
    let there = this.inRegister.get(reg);
    if (there === undefined) {
      this.inRegister.set(reg, (there = new Set()));
      const { unitBegin, unitEnd, unitList } = this.tables;
      for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) {
        const regs = this.overUnit.get(unitList[u]);
        if (regs === undefined) this.overUnit.set(unitList[u], new Set([reg]));
        else regs.add(reg);
      }
    }
    there.add(loc);
  }

  /**
   * A variable is there no longer, nor are parts of it that have bits in common with it. Of backups: nor is its value at entry.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::OpenRangesSet::erase
   */
  eraseVariable(variable: Variable, ofBackups: boolean): void {
    const map = ofBackups ? this.backups : this.primary;
    for (const part of [variable, ...variable.overlaps]) {
      const loc = map.get(part);
      if (loc !== undefined) this.erase(loc);
    }
  }

  erase(loc: VarLoc): void {
    (isBackup(loc) ? this.backups : this.primary).delete(loc.variable);
    this.all.delete(loc);
    if (loc.entry !== EntryKind.None) return;
    this.inSlots.delete(loc);
    for (const place of loc.places) if (place.kind === 'register') this.leaveRegister(place.reg, loc);
  }

  private leaveRegister(reg: PhysReg, loc: VarLoc): void {
    const there = this.inRegister.get(reg);
    if (there?.delete(loc) !== true || there.size > 0) return;
    this.inRegister.delete(reg);
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) this.overUnit.get(unitList[u])?.delete(reg);
  }

  backupOf(variable: Variable): VarLoc | null {
    return this.backups.get(variable) ?? null;
  }

  allBackups(): VarLoc[] {
    return sorted(this.backups.values());
  }

  /** Registers that are a place of something. */
  usedRegisters(): Iterable<PhysReg> {
    return this.inRegister.keys();
  }

  /** Those among them that share a unit with `reg`. */
  registersOver(reg: PhysReg, found: Set<PhysReg>): void {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++)
      for (const used of this.overUnit.get(unitList[u]) ?? []) found.add(used);
  }

  /** In the order of their numbers. */
  at(reg: PhysReg): VarLoc[] {
    return sorted(this.inRegister.get(reg) ?? []);
  }

  /** In the order of their numbers. */
  spilled(): VarLoc[] {
    return sorted(this.inSlots);
  }
}

const sorted = (locs: Iterable<VarLoc>): VarLoc[] => [...locs].sort((a, b) => a.id - b.id);
