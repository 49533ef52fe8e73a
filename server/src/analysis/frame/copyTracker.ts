/** Which register units of a block hold a copy, and of what (the CopyTracker of machine-cp, LLVM 22). */
import type { InstrId } from '../../model/machineFunction.js';
import type { PhysReg, RegUnit, TargetTables } from '../../target/api.js';

export interface Copy {
  readonly instr: InstrId;
  readonly to: PhysReg;
  readonly from: PhysReg;
}

interface UnitState {
  /** the copy that writes the unit */
  copy: Copy | null;
  /** the last copy that reads it */
  reader: Copy | null;
  /** instructions that read it as a whole register, other than copies */
  readonly readers: Set<InstrId>;
  /** results of the copies that read it */
  readonly results: PhysReg[];
  isAvailable: boolean;
}

const NOBODY: ReadonlySet<InstrId> = new Set();

export class CopyTracker {
  private readonly states = new Map<RegUnit, UnitState>();

  constructor(private readonly tables: TargetTables) {}

  get hasCopies(): boolean {
    return this.states.size > 0;
  }

  clear(): void {
    this.states.clear();
  }

  track(copy: Copy): void {
    for (const unit of this.units(copy.to))
      this.states.set(unit, { copy, reader: null, readers: new Set(), results: [], isAvailable: true });
    for (const unit of this.units(copy.from)) {
      let state = this.states.get(unit);
      if (state === undefined) {
        state = { copy: null, reader: null, readers: new Set(), results: [], isAvailable: false };
        this.states.set(unit, state);
      }
      if (!state.results.includes(copy.to)) state.results.push(copy.to);
      state.reader = copy;
    }
  }

  /** The copy that writes a unit, whether or not its source is still there. */
  copyTo(unit: RegUnit): Copy | null {
    return this.states.get(unit)?.copy ?? null;
  }

  availableCopyTo(unit: RegUnit): Copy | null {
    const state = this.states.get(unit);
    return state?.isAvailable ? state.copy : null;
  }

  /** The only copy that reads a register, or one that it is part of. */
  copyFrom(reg: PhysReg): Copy | null {
    const { tables } = this;
    const copy = this.copyByResult(this.firstUnit(reg));
    return copy !== null && (copy.from === reg || tables.isSubRegister(copy.from, reg)) ? copy : null;
  }

  /** The only copy whose source has a unit. */
  copyByResult(unit: RegUnit): Copy | null {
    const results = this.states.get(unit)?.results ?? [];
    return results.length === 1 ? this.availableCopyTo(this.firstUnit(results[0])) : null;
  }

  /** False: what reads the register cannot follow when it is renamed. */
  noteReader(reg: PhysReg, reader: InstrId): boolean {
    const unit = this.firstUnit(reg);
    if (this.copyByResult(unit)?.from !== reg) return false;
    this.states.get(unit)!.readers.add(reader);
    return true;
  }

  readersOf(reg: PhysReg): ReadonlySet<InstrId> {
    return this.states.get(this.firstUnit(reg))?.readers ?? NOBODY;
  }

  /** Forgets all copies that write or read part of a register. */
  invalidate(reg: PhysReg): void {
    const gone = new Set<RegUnit>();
    for (const unit of this.units(reg)) {
      const state = this.states.get(unit);
      for (const copy of [state?.copy, state?.reader])
        if (copy) for (const other of [...this.units(copy.to), ...this.units(copy.from)]) gone.add(other);
    }
    for (const unit of gone) this.states.delete(unit);
  }

  clobber(reg: PhysReg): void {
    for (const unit of this.units(reg)) this.clobberUnit(unit);
  }

  /** A unit changes: copies of it and the copy in it are worth nothing to readers any more. */
  clobberUnit(unit: RegUnit): void {
    const state = this.states.get(unit);
    if (state === undefined) return;
    for (const result of state.results) this.makeUnavailable(result);
    if (state.copy !== null) {
      this.makeUnavailable(state.copy.to);
      this.forgetResult(state.copy);
    }
    this.states.delete(unit);
  }

  private makeUnavailable(reg: PhysReg): void {
    for (const unit of this.units(reg)) {
      const state = this.states.get(unit);
      if (state !== undefined) state.isAvailable = false;
    }
  }

  private forgetResult({ to, from }: Copy): void {
    for (const unit of this.units(from)) {
      const source = this.states.get(unit);
      if (source === undefined || source.reader === null) continue;
      const k = source.results.indexOf(to);
      if (k < 0) continue;
      source.results.splice(k, 1);
      if (source.results.length === 0 && source.copy === null) this.states.delete(unit);
    }
  }

  private firstUnit(reg: PhysReg): RegUnit {
    return this.tables.unitList[this.tables.unitBegin[reg]];
  }

  units(reg: PhysReg): Uint16Array {
    const { unitBegin, unitEnd, unitList } = this.tables;
    return unitList.subarray(unitBegin[reg], unitEnd[reg]);
  }
}
