/** Which physical registers a function under edit names, by register unit: few of the thousands that share one. */
import type { PhysReg, RegUnit, TargetTables } from '../../target/api.js';

/** Registers by a unit in LLVM's order (MCRegUnitRootIterator, MCSuperRegIterator): the root, the 32-bit register around it, the others by their numbers. */
export class NamedRegs {
  private readonly known = new Set<PhysReg>();
  private readonly waiting: PhysReg[] = [];
  private readonly byUnit = new Map<RegUnit, PhysReg[]>();

  constructor(private readonly tables: TargetTables) {}

  add(reg: PhysReg): void {
    if (this.known.has(reg)) return;
    this.known.add(reg);
    this.waiting.push(reg);
  }

  /** Registers with the unit that an operand names now, or has named. */
  over(unit: RegUnit): readonly PhysReg[] {
    for (let reg = this.waiting.pop(); reg !== undefined; reg = this.waiting.pop()) this.enter(reg);
    return this.byUnit.get(unit) ?? NONE;
  }

  /** O(units, and registers of each) */
  private enter(reg: PhysReg): void {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const over = this.byUnit.get(unitList[k]);
      if (over === undefined) {
        this.byUnit.set(unitList[k], [reg]);
        continue;
      }
      let at = over.length;
      while (at > 0 && this.isBefore(reg, over[at - 1])) at--;
      over.splice(at, 0, reg);
    }
  }

  private isBefore(a: PhysReg, b: PhysReg): boolean {
    const [sizeA, sizeB] = [this.sizeOf(a), this.sizeOf(b)];
    return sizeA === sizeB ? a < b : sizeA < sizeB;
  }

  private sizeOf(reg: PhysReg): number {
    return Math.min(LARGER, this.tables.unitEnd[reg] - this.tables.unitBegin[reg]);
  }
}

const NONE: readonly PhysReg[] = [];
/** Units of what is more than 32 bits. */
const LARGER = 3;
