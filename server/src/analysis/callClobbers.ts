/**
 * What lives across calls in physical registers, and what of it a call's register mask does not preserve. llc takes much of that without a word: its verifier
 * knows of no loss where a part of a tuple survives, and of none where liveness is not tracked.
 */
import {
  OperandKind,
  OpFlag,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../model/machineFunction.js';
import { isPreserved, preservedRegs } from '../model/regMask.js';
import { isPhysicalReg, NO_REG } from '../model/register.js';
import type { PhysReg, RegUnit, TargetTables } from '../target/api.js';
import { BitSet } from '../util/bitset.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';
import { ReservedRegs } from './reservedRegs.js';

export interface CallCrossing {
  readonly call: InstrId;
  /** the register mask */
  readonly mask: OperandId;
  /** by register unit: hold a value before the call that is read after it */
  readonly across: BitSet;
  /** those of them that the mask does not preserve */
  readonly lost: BitSet;
}

export interface LostValue {
  readonly call: InstrId;
  readonly mask: OperandId;
  /** all of it is lost */
  readonly reg: PhysReg;
  /** wrote it last on some way to the call, -1 = it came with the function's live-ins */
  readonly value: InstrId;
  /** reads it first on some way from the call */
  readonly read: InstrId;
}

/** So many are told of one function. */
const MAX_LOST = 64;

/** O(operands) */
function hasRegMasks(fn: MachineFunction): boolean {
  for (let o = 0; o < fn.nOperands; o++) if (fn.opKind[o] === OperandKind.RegisterMask) return true;
  return false;
}

/** For each register mask of the function, in layout order. O((operands + blocks x register units / 32) x depth of loops) */
export function callCrossings(fn: MachineFunction): CallCrossing[] {
  return hasRegMasks(fn) ? new Crossings(fn).run() : [];
}

/** Values of `crossings` that are lost, with the places where they are made and missed. O(lost x instructions) */
export function lostValues(fn: MachineFunction, crossings: readonly CallCrossing[]): LostValue[] {
  const search = crossings.some(({ lost }) => !lost.isEmpty()) ? new LossSearch(fn) : null;
  const found: LostValue[] = [];
  for (const crossing of crossings) {
    if (found.length >= MAX_LOST) break;
    if (search !== null && !crossing.lost.isEmpty()) found.push(...search.of(crossing));
  }
  return found.slice(0, MAX_LOST);
}

/** Units of the registers that instructions name, but for those that no call changes. O(operands) */
export function usedUnits(fn: MachineFunction): BitSet {
  const units = new BitSet(fn.tables.nRegUnits);
  for (let o = 0; o < fn.nOperands; o++)
    if (fn.opKind[o] === OperandKind.Register && isPhysicalReg(fn.opVal[o])) addUnits(fn.tables, units, fn.opVal[o]);
  units.subtract(keptUnits(fn));
  return units;
}

const named = new WeakMap<TargetTables, Map<number, BitSet>>();

/** By register unit: what a mask preserves. A unit of a register that it names is preserved even where the mask does not name the unit's own register. */
export function preservedUnits(fn: MachineFunction, o: OperandId): BitSet {
  const { tables } = fn;
  const { mask, regs } = fn.payload(o, OperandKind.RegisterMask);
  if (mask < 0) return unitsOf(tables, regs);
  let byMask = named.get(tables);
  if (byMask === undefined) named.set(tables, (byMask = new Map()));
  let units = byMask.get(mask);
  if (units === undefined) {
    const bits = preservedRegs(fn, o);
    const preserved: PhysReg[] = [];
    for (let r = 1; r < tables.nRegs; r++) if (isPreserved(bits, r)) preserved.push(r);
    byMask.set(mask, (units = unitsOf(tables, preserved)));
  }
  return units;
}

function unitsOf(tables: TargetTables, regs: Iterable<PhysReg>): BitSet {
  const units = new BitSet(tables.nRegUnits);
  for (const reg of regs) addUnits(tables, units, reg);
  return units;
}

function addUnits({ unitBegin, unitEnd, unitList }: TargetTables, units: BitSet, reg: PhysReg): void {
  for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) units.add(unitList[k]);
}

function removeUnits({ unitBegin, unitEnd, unitList }: TargetTables, units: BitSet, reg: PhysReg): void {
  for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) units.delete(unitList[k]);
}

/** Whether all units of a register are in the set. */
export function hasAllUnits({ unitBegin, unitEnd, unitList }: TargetTables, units: BitSet, reg: PhysReg): boolean {
  for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) if (!units.has(unitList[k])) return false;
  return unitBegin[reg] < unitEnd[reg];
}

function hasSomeUnit({ unitBegin, unitEnd, unitList }: TargetTables, units: BitSet, reg: PhysReg): boolean {
  for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) if (units.has(unitList[k])) return true;
  return false;
}

/** How instructions read and write physical registers, for both directions. */
class Accesses {
  protected readonly tables: TargetTables;
  private readonly skipped: Uint8Array;
  private readonly bundle: number;
  private readonly implicitDef: number;
  /** registers that no call changes, whatever its mask says: of the stack, EXEC, modes */
  private readonly kept: BitSet;

  constructor(protected readonly fn: MachineFunction) {
    const { tables } = fn;
    this.tables = tables;
    this.skipped = opcodeTraits(tables);
    this.bundle = tables.opcodeByName('BUNDLE');
    this.implicitDef = tables.opcodeByName('IMPLICIT_DEF');
    this.kept = keptUnits(fn);
  }

  /** Debug instructions; headers of bundles, whose operands sum up their members. */
  protected isSkipped(i: InstrId): boolean {
    return (this.skipped[this.fn.opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0 || this.fn.opcode[i] === this.bundle;
  }

  /** An implicit operand that names more than another of the same instruction says nothing of the rest. */
  private isHull(i: InstrId, o: OperandId): boolean {
    const { fn, tables } = this;
    if ((fn.opFlags[o] & OpFlag.Implicit) === 0) return false;
    const reg = fn.opVal[o];
    for (let k = fn.firstReg(i); k >= 0; k = fn.nextReg(i, k)) {
      const other = fn.opVal[k];
      if (k !== o && isPhysicalReg(other) && other !== reg && tables.subRegs(reg).includes(other)) return true;
    }
    return false;
  }

  /** Calls `visit` with each register that the instruction reads. */
  protected eachRead(i: InstrId, visit: (reg: PhysReg) => void): void {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef | OpFlag.Internal | OpFlag.Debug)) !== 0) continue;
      if (isPhysicalReg(fn.opVal[o]) && !this.isHull(i, o)) visit(fn.opVal[o]);
    }
  }

  protected eachDef(i: InstrId, visit: (reg: PhysReg, isValue: boolean) => void): void {
    const { fn } = this;
    const isValue = fn.opcode[i] !== this.implicitDef;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & OpFlag.Def) === 0 || !isPhysicalReg(fn.opVal[o]) || this.isHull(i, o)) continue;
      visit(fn.opVal[o], isValue && (fn.opFlags[o] & OpFlag.Dead) === 0);
    }
  }

  protected eachKill(i: InstrId, visit: (reg: PhysReg) => void): void {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Kill)) === OpFlag.Kill && isPhysicalReg(fn.opVal[o]))
        visit(fn.opVal[o]);
  }

  protected maskOf(i: InstrId): OperandId {
    for (let o = this.fn.opBegin[i]; o < this.fn.opBegin[i + 1]; o++)
      if (this.fn.opKind[o] === OperandKind.RegisterMask) return o;
    return -1;
  }

  /** Keeps what the mask leaves of `units`. */
  protected applyMask(units: BitSet, o: OperandId): void {
    const { words } = preservedUnits(this.fn, o);
    for (let w = 0; w < words.length; w++) units.words[w] &= words[w] | this.kept.words[w];
  }
}

/** Registers that are reserved, but for those above a budget, whose values are lost as those of others. */
function keptUnits(fn: MachineFunction): BitSet {
  const { tables, header } = fn;
  const reserved = new ReservedRegs(fn);
  const kept = new BitSet(tables.nRegUnits);
  for (let u = 0; u < tables.nRegUnits; u++)
    for (const root of tables.regUnitRoots(u)) if (reserved.isReserved(root)) kept.add(u);
  for (const file of ['sgpr', 'vgpr', 'agpr'] as const)
    for (const reg of tables.numberedRegs(file)) removeUnits(tables, kept, reg);
  const info = header.machineFunctionInfo;
  for (const reg of [info.scratchRSrcReg, info.stackPtrOffsetReg, info.frameOffsetReg])
    if (isPhysicalReg(reg)) addUnits(tables, kept, reg);
  return kept;
}

class Crossings extends Accesses {
  run(): CallCrossing[] {
    const { fn, tables } = this;
    const n = fn.blocks.length;
    const sets = (): BitSet[] => Array.from({ length: n }, () => new BitSet(tables.nRegUnits));
    const [liveOut, holdsAtStart] = [sets(), sets()];
    this.solve(liveOut, (b, units) => this.backward(b, units, null), this.predecessors());
    for (const { reg } of fn.blocks[0]?.liveIns ?? []) addUnits(tables, holdsAtStart[0], reg);
    this.solve(
      holdsAtStart,
      (b, units) => this.forward(b, units, null),
      fn.blocks.map(({ successors }) => successors),
    );
    const behind = new Map<InstrId, BitSet>();
    const found: CallCrossing[] = [];
    for (let b = 0; b < n; b++) {
      this.backward(b, copyOf(liveOut[b]), behind);
      this.forward(b, copyOf(holdsAtStart[b]), (call, mask, across) => {
        across.intersectWith(behind.get(call)!);
        const lost = copyOf(across);
        const left = copyOf(across);
        this.applyMask(left, mask);
        lost.subtract(left);
        found.push({ call, mask, across, lost });
      });
    }
    return found;
  }

  /** Walks until nothing changes: `at[b]` goes through b into those of `into[b]`. */
  private solve(
    at: readonly BitSet[],
    through: (b: BlockId, units: BitSet) => void,
    into: readonly (readonly BlockId[])[],
  ): void {
    const work = at.map((_, b) => b);
    const isWaiting = new Uint8Array(at.length).fill(1);
    for (let b = work.pop(); b !== undefined; b = work.pop()) {
      isWaiting[b] = 0;
      const units = copyOf(at[b]);
      through(b, units);
      for (const next of into[b]) {
        if (!at[next].unionWith(units) || isWaiting[next] === 1) continue;
        isWaiting[next] = 1;
        work.push(next);
      }
    }
  }

  private predecessors(): BlockId[][] {
    const found: BlockId[][] = this.fn.blocks.map(() => []);
    this.fn.blocks.forEach(({ successors }, b) => {
      for (const s of successors) found[s].push(b);
    });
    return found;
  }

  /** Makes what lives at the end of a block what lives at its start; `after` gets what lives after each call, without what it writes. */
  private backward(b: BlockId, live: BitSet, behind: Map<InstrId, BitSet> | null): void {
    const { fn, tables } = this;
    for (let p = fn.blockEnd[b] - 1; p >= fn.blockBegin[b]; p--) {
      const i = fn.order[p];
      if (this.isSkipped(i)) continue;
      this.eachDef(i, (reg) => removeUnits(tables, live, reg));
      const mask = this.maskOf(i);
      if (mask >= 0) {
        behind?.set(i, copyOf(live));
        this.applyMask(live, mask);
      }
      this.eachRead(i, (reg) => addUnits(tables, live, reg));
    }
  }

  /** The same with what holds values, downward; `at` gets what holds one before each call. */
  private forward(b: BlockId, held: BitSet, at: ((call: InstrId, mask: OperandId, held: BitSet) => void) | null): void {
    const { fn, tables } = this;
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      const i = fn.order[p];
      if (this.isSkipped(i)) continue;
      this.eachKill(i, (reg) => removeUnits(tables, held, reg));
      const mask = this.maskOf(i);
      if (mask >= 0) {
        at?.(i, mask, copyOf(held));
        this.applyMask(held, mask);
      }
      this.eachDef(i, (reg, isValue) => (isValue ? addUnits : removeUnits)(tables, held, reg));
    }
  }
}

function copyOf(units: BitSet): BitSet {
  const copy = new BitSet(units.size);
  copy.copyFrom(units);
  return copy;
}

class LossSearch extends Accesses {
  private readonly placeOf: Int32Array;
  private readonly predecessors: BlockId[][];

  constructor(fn: MachineFunction) {
    super(fn);
    this.placeOf = new Int32Array(fn.nInstrs);
    this.predecessors = fn.blocks.map(() => []);
    for (let b = 0; b < fn.blocks.length; b++) {
      for (const s of fn.blocks[b].successors) this.predecessors[s].push(b);
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) this.placeOf[fn.order[p]] = p;
    }
  }

  /** Each unit is told once, in the widest register that a reader names and that is lost as a whole. */
  of({ call, mask, lost }: CallCrossing): LostValue[] {
    const left = copyOf(lost);
    const found: LostValue[] = [];
    for (let u = left.next(0); u >= 0; u = left.next(u + 1)) {
      const read = this.readOf(call, u);
      if (read === null) continue;
      const reg = hasAllUnits(this.tables, lost, read.reg) ? read.reg : this.rootOf(u, lost);
      removeUnits(this.tables, left, reg);
      left.delete(u);
      found.push({ call, mask, reg, value: this.sourceOf(call, u), read: read.instr });
    }
    return found;
  }

  /** The 32-bit register of a unit if all of it is lost, else the part. */
  private rootOf(unit: RegUnit, lost: BitSet): PhysReg {
    const { tables } = this;
    for (const file of ['sgpr', 'vgpr', 'agpr'] as const)
      for (const reg of tables.numberedRegs(file))
        if (hasUnit(tables, reg, unit) && hasAllUnits(tables, lost, reg)) return reg;
    return tables.regUnitRoots(unit)[0] ?? NO_REG;
  }

  /**
   * A reader of what was in the unit. A tuple of which another part is written after the call is put together there: what it has of the unit need not be
   * anybody's value.
   */
  private readOf(call: InstrId, unit: RegUnit): { instr: InstrId; reg: PhysReg } | null {
    const { tables } = this;
    let found: { instr: InstrId; reg: PhysReg } | null = null;
    this.walk(call, 1, (i, written) => {
      this.eachRead(i, (reg) => {
        if (found === null && hasUnit(tables, reg, unit) && !hasSomeUnit(tables, written, reg))
          found = { instr: i, reg };
      });
      return found === null && !this.writes(i, unit) && !this.takes(i, unit);
    });
    return found;
  }

  private sourceOf(call: InstrId, unit: RegUnit): InstrId {
    let value: InstrId = -1;
    this.walk(call, -1, (i) => {
      if (this.writes(i, unit)) {
        this.eachDef(i, (reg, isValue) => {
          if (value < 0 && isValue && hasUnit(this.tables, reg, unit)) value = i;
        });
        return false;
      }
      return value < 0;
    });
    return value;
  }

  /** Whether a call loses the unit itself. */
  private takes(i: InstrId, unit: RegUnit): boolean {
    const mask = this.maskOf(i);
    if (mask < 0) return false;
    const left = new BitSet(this.tables.nRegUnits);
    left.add(unit);
    this.applyMask(left, mask);
    return left.isEmpty();
  }

  private writes(i: InstrId, unit: RegUnit): boolean {
    let does = false;
    this.eachDef(i, (reg) => (does ||= hasUnit(this.tables, reg, unit)));
    return does;
  }

  /** Goes all ways from an instruction, down or up, near ones first, as long as `step` wants, which is told what was written on its way, from there on. */
  private walk(from: InstrId, by: 1 | -1, step: (i: InstrId, written: BitSet) => boolean): void {
    const { fn, tables } = this;
    const seen = new Uint8Array(fn.blocks.length);
    const write = (written: BitSet, i: InstrId): void => this.eachDef(i, (reg) => addUnits(tables, written, reg));
    const work: [block: BlockId, place: number, written: BitSet][] = [
      [fn.instrBlock[from], this.placeOf[from] + by, new BitSet(tables.nRegUnits)],
    ];
    write(work[0][2], from);
    for (let k = 0; k < work.length; k++) {
      const [b, place, before] = work[k];
      const written = copyOf(before);
      let goes = true;
      for (let p = place; fn.blockBegin[b] <= p && p < fn.blockEnd[b] && goes; p += by) {
        if (this.isSkipped(fn.order[p])) continue;
        goes = step(fn.order[p], written);
        write(written, fn.order[p]);
      }
      if (!goes) continue;
      for (const next of by > 0 ? fn.blocks[b].successors : this.predecessors[b]) {
        if (seen[next] === 1) continue;
        seen[next] = 1;
        work.push([next, by > 0 ? fn.blockBegin[next] : fn.blockEnd[next] - 1, written]);
      }
    }
  }
}

function hasUnit({ unitBegin, unitEnd, unitList }: TargetTables, reg: PhysReg, unit: RegUnit): boolean {
  for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) if (unitList[k] === unit) return true;
  return false;
}
