/**
 * Registers, register units, sub-register indices and register masks of AMDGPU (follows what LLVM's MCRegisterInfo
 * and TargetRegisterInfo answer).
 *
 * Nearly all of the 21,258 registers are tuples of consecutive 32-bit registers. Their names, units and
 * sub-registers follow from (first register, count), so the tables hold only that; the generator proved for each
 * register that the rule gives LLVM's answer.
 */
import { storedArrays } from './arrayStore.js';
import { LLVM_VERSION } from './generated/opcodes.js';
import { COMPOSE, REGISTERS, REG_ASM_NAMES, REG_MASKS, REG_UNITS, SUB_REG_INDICES } from './generated/registers.js';
import { hashRange, indexNames, type NameIndex } from './nameIndex.js';
import { listAt, PackReader, type IntLists } from './packed.js';
import type { PhysReg, RegUnit, SubRegIdx } from './api.js';

const EMPTY: readonly number[] = [];
/** Flags of a register in the table. */
const enum RegFlag {
  Constant = 1,
  Artificial = 2,
  InAllocatableClass = 4,
}

/** Names as runs `TEXT` with `#` for a rising number: entry r covers ids first[r] .. first[r] + count[r] - 1. */
class NameRuns {
  readonly texts: readonly string[];
  readonly textOf: Int32Array;
  readonly firstNumber: Int32Array;
  readonly firstId: Int32Array;
  readonly count: Int32Array;

  constructor(reader: PackReader) {
    this.texts = reader.strings();
    this.textOf = reader.ints();
    this.firstNumber = reader.ints();
    this.firstId = reader.ints();
    this.count = reader.ints();
  }

  /** Name of `id`, undefined if no run holds it. Runs are in order of ids. */
  nameOf(id: number): string | undefined {
    let lo = 0;
    let hi = this.firstId.length - 1;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (this.firstId[mid]! <= id) lo = mid;
      else hi = mid - 1;
    }
    const at = id - this.firstId[lo]!;
    if (at < 0 || at >= this.count[lo]!) return undefined;
    const text = this.texts[this.textOf[lo]!]!;
    return this.firstNumber[lo]! < 0 ? text : text.replace('#', String(this.firstNumber[lo]! + at));
  }
}

/** Parts of the register tables that most users need. */
interface RegColumns {
  names: NameRuns;
  /** of tuples: first register and number of registers; 0 of others */
  tupleFirst: Int32Array;
  tupleCount: Int32Array;
  /** `tupleBase[count]` + first register is an index into `tupleReg` */
  tupleBase: Int32Array;
  tupleReg: Uint16Array;
  /** parts of pairs that are no tuples (`exec`), by register */
  oddParts: Map<number, readonly number[]>;
  lo16: Int32Array;
  hi16: Int32Array;
  patternOf: Int32Array;
  /** list of sub-register indices by pattern */
  patterns: IntLists;
  encoding: Int32Array;
  flags: Int32Array;
  unitFirst: Int32Array;
  unitCount: Int32Array;
  oddUnits: Map<number, Int32Array>;
  lanesOf: Int32Array;
  lanesLo: IntLists;
  lanesHi: IntLists;
}

type UnitColumns = {
  begin: Int32Array;
  list: Uint16Array;
};

type UnitLanes = {
  laneLo: Uint32Array;
  laneHi: Uint32Array;
};

interface SubRegColumns {
  names: readonly string[];
  index: NameIndex;
  offset: Uint16Array;
  size: Uint16Array;
  laneLo: Uint32Array;
  laneHi: Uint32Array;
  /** index by offset / 16 * 64 + size / 16, 0 = none */
  byPlace: Map<number, number>;
}

interface NamePatterns {
  /** slots of `hash -> pattern + 1` */
  slots: Int32Array;
  lower: readonly string[];
  /** runs by pattern */
  runs: readonly (readonly number[])[];
}

/** Where to find the tuple of `count` registers from a first one: `tupleReg[tupleBase[count] + first]`. */
function indexTuples(tupleFirst: Int32Array, tupleCount: Int32Array): { tupleBase: Int32Array; tupleReg: Uint16Array } {
  let maxFirst = 0;
  let maxCount = 0;
  for (let i = 0; i < tupleFirst.length; i++) {
    if (tupleFirst[i]! > maxFirst) maxFirst = tupleFirst[i]!;
    if (tupleCount[i]! > maxCount) maxCount = tupleCount[i]!;
  }
  const width = maxFirst + 1;
  const tupleBase = new Int32Array(maxCount + 1).fill(-1);
  let nBases = 0;
  for (let i = 0; i < tupleCount.length; i++) {
    const count = tupleCount[i]!;
    if (count > 0 && tupleBase[count] === -1) tupleBase[count] = width * nBases++;
  }
  const tupleReg = new Uint16Array(width * nBases);
  for (let i = 0; i < tupleCount.length; i++)
    if (tupleCount[i]! > 0) tupleReg[tupleBase[tupleCount[i]!]! + tupleFirst[i]!] = i;
  return { tupleBase, tupleReg };
}

/** Everything about registers; the base of TargetTables. */
export class RegisterTables {
  readonly llvmVersion = LLVM_VERSION;
  readonly nRegs: number;
  private readonly columns: RegColumns;
  private readonly enumNames: (string | undefined)[] = [];
  private readonly lowerNames: (string | undefined)[] = [];
  private units: UnitColumns | undefined;
  private unitLanes: UnitLanes | undefined;
  private subRegIndices: SubRegColumns | undefined;
  private namePatterns: NamePatterns | undefined;
  private patternHas: Uint32Array | undefined;
  private asmRuns: readonly [NameRuns, NameRuns] | undefined;
  private unitFacts: { roots: IntLists; weight: Int32Array; setOf: Int32Array; sets: IntLists } | undefined;
  private compose: { rowOf: Int32Array; rows: Int32Array } | undefined;
  private masks: { names: readonly string[]; lists: IntLists; bits: (Uint32Array | undefined)[] } | undefined;
  private readonly subRegLists: (readonly number[] | undefined)[] = [];
  private readonly superRegLists: (readonly number[] | undefined)[] = [];

  constructor() {
    const r = new PackReader(REGISTERS);
    this.nRegs = r.uint();
    const names = new NameRuns(r);
    const tupleFirst = r.ints();
    const tupleCount = r.ints();
    const oddPartLists = r.lists();
    const oddParts = new Map<number, readonly number[]>();
    for (let i = 0; i + 1 < oddPartLists.begin.length; i++) {
      const [reg, ...parts] = listAt(oddPartLists, i);
      oddParts.set(reg!, parts);
    }
    const lo16 = r.ints();
    const hi16 = r.ints();
    const patternOf = r.ints();
    const patterns = r.lists();
    const encoding = r.ints();
    const flags = r.ints();
    const unitFirst = r.ints();
    const unitCount = r.ints();
    const oddUnitLists = r.lists();
    const oddUnits = new Map<number, Int32Array>();
    for (let i = 0; i + 1 < oddUnitLists.begin.length; i++) {
      const list = listAt(oddUnitLists, i);
      oddUnits.set(list[0]!, list.subarray(1));
    }
    const lanesOf = r.ints();
    const lanesLo = r.lists();
    const lanesHi = r.lists();

    const { tupleBase, tupleReg } = storedArrays('tuples', ['tupleBase', 'tupleReg'], () =>
      indexTuples(tupleFirst, tupleCount),
    );
    this.columns = {
      names,
      tupleFirst,
      tupleCount,
      tupleBase,
      tupleReg,
      oddParts,
      lo16,
      hi16,
      patternOf,
      patterns,
      encoding,
      flags,
      unitFirst,
      unitCount,
      oddUnits,
      lanesOf,
      lanesLo,
      lanesHi,
    };
  }

  // -- names ----------------------------------------------------------------------------------------------------

  regEnumName(reg: PhysReg): string {
    const known = this.enumNames[reg];
    if (known !== undefined) return known;
    let name = reg === 0 ? 'NoRegister' : this.columns.names.nameOf(reg);
    if (name === undefined) {
      const first = this.columns.tupleFirst[reg] ?? 0;
      const parts: string[] = [];
      for (let i = 0; i < (this.columns.tupleCount[reg] ?? 0); i++) parts.push(this.regEnumName(first + i));
      name = parts.join('_');
    }
    return (this.enumNames[reg] = name);
  }

  regName(reg: PhysReg): string {
    if (reg === 0) return 'noreg';
    return (this.lowerNames[reg] ??= this.regEnumName(reg).toLowerCase());
  }

  regAsmName(reg: PhysReg): string {
    if (this.asmRuns === undefined) {
      const r = new PackReader(REG_ASM_NAMES);
      this.asmRuns = [new NameRuns(r), new NameRuns(r)];
    }
    const named = this.asmRuns[0].nameOf(reg) ?? this.asmRuns[1].nameOf(reg);
    if (named !== undefined) return named;
    const count = this.columns.tupleCount[reg] ?? 0;
    if (count === 0) return '';
    const leaf = this.regAsmName(this.columns.tupleFirst[reg]!);
    const letters = leaf.replace(/\d+$/, '');
    const first = Number(leaf.slice(letters.length));
    return `${letters}[${first}:${first + count - 1}]`;
  }

  regByName(name: string): PhysReg {
    return this.regByNameAt(name, 0, name.length);
  }

  /**
   * Register whose MIR name (without `$`) is `text[start..end)`, -1 if there is none. `noreg` is 0. No allocation.
   * A name `p<n>_p<n+1>_...` is a tuple; any other is looked up with its first number taken out.
   */
  regByNameAt(text: string, start: number, end: number): PhysReg {
    let at = start;
    while (at < end && !isDigit(text.charCodeAt(at))) at++;
    const prefixLength = at - start;
    let number = -1;
    if (at < end) {
      const digits = at;
      number = 0;
      do number = number * 10 + text.charCodeAt(at++) - 48;
      while (at < end && isDigit(text.charCodeAt(at)) && number !== 0 && number < 100000);
      if (at < end && prefixLength > 0) {
        // Follow the parts of a tuple as long as they go on.
        let count = 1;
        let pos = at;
        while (pos < end && text.charCodeAt(pos) === 95 /* _ */) {
          let next = pos + 1;
          let i = 0;
          while (i < prefixLength && text.charCodeAt(next + i) === text.charCodeAt(start + i)) i++;
          if (i < prefixLength) break;
          next += prefixLength;
          let n = 0;
          const from = next;
          while (next < end && isDigit(text.charCodeAt(next)) && n < 100000) n = n * 10 + text.charCodeAt(next++) - 48;
          if (n !== number + count || next === from || text.charCodeAt(from) === 48) break;
          pos = next;
          count++;
        }
        if (pos === end && count > 1) {
          const leaf = this.findPattern(text, start, digits, digits, digits, number);
          if (leaf > 0) {
            const reg = this.tuple(leaf, count);
            if (reg > 0) return reg;
          }
        }
      }
      return this.findPattern(text, start, digits, at, end, number);
    }
    if (end - start === 5 && text.startsWith('noreg', start)) return 0;
    return this.findPattern(text, start, end, end, end, -1);
  }

  /** The register of `text[start..hole)` + number + `text[tail..end)`; number -1: no number. */
  private findPattern(text: string, start: number, hole: number, tail: number, end: number, number: number): PhysReg {
    const patterns = (this.namePatterns ??= this.makeNamePatterns());
    const mask = patterns.slots.length - 1;
    const headLength = hole - start;
    let slot = patternHash(text, start, hole, tail, end, number) & mask;
    for (;;) {
      const entry = patterns.slots[slot]!;
      if (entry === 0) return -1;
      const lower = patterns.lower[entry - 1]!;
      const holeLength = number < 0 ? 0 : 1;
      if (lower.length === headLength + holeLength + end - tail) {
        let i = 0;
        while (i < headLength && lower.charCodeAt(i) === text.charCodeAt(start + i)) i++;
        if (i === headLength && (number < 0 || lower.charCodeAt(i) === 35)) {
          i += holeLength;
          let k = tail;
          while (k < end && lower.charCodeAt(i) === text.charCodeAt(k)) {
            i++;
            k++;
          }
          if (k === end) return this.inRuns(patterns.runs[entry - 1]!, number);
        }
      }
      slot = (slot + 1) & mask;
    }
  }

  private inRuns(runs: readonly number[], number: number): PhysReg {
    const names = this.columns.names;
    for (const run of runs) {
      const first = names.firstNumber[run]!;
      if (number >= first && number < first + names.count[run]!) return names.firstId[run]! + number - first;
    }
    return -1;
  }

  private makeNamePatterns(): NamePatterns {
    const names = this.columns.names;
    const lower = names.texts.map((t) => t.toLowerCase());
    const runs: number[][] = lower.map(() => []);
    for (let run = 0; run < names.textOf.length; run++) runs[names.textOf[run]!]!.push(run);
    let size = 64;
    while (size < lower.length * 3) size *= 2;
    const slots = new Int32Array(size);
    lower.forEach((t, i) => {
      const hole = t.indexOf('#');
      const h =
        hole < 0 ? patternHash(t, 0, t.length, t.length, t.length, -1) : patternHash(t, 0, hole, hole + 1, t.length, 0);
      let slot = h & (size - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
      slots[slot] = i + 1;
    });
    return { slots, lower, runs };
  }

  // -- facts of one register --------------------------------------------------------------------------------------

  regEncoding(reg: PhysReg): number {
    return this.columns.encoding[reg]!;
  }
  /** TargetRegisterInfo::isConstantPhysReg by the tables alone. */
  isConstantPhysReg(reg: PhysReg): boolean {
    return (this.columns.flags[reg]! & RegFlag.Constant) !== 0;
  }
  isArtificialReg(reg: PhysReg): boolean {
    return (this.columns.flags[reg]! & RegFlag.Artificial) !== 0;
  }
  isInAllocatableClass(reg: PhysReg): boolean {
    return (this.columns.flags[reg]! & RegFlag.InAllocatableClass) !== 0;
  }

  /** The tuple of `count` registers from `first` on, 0 if there is none; count 1 is `first` itself. */
  tuple(first: PhysReg, count: number): PhysReg {
    if (count === 1) return first;
    const c = this.columns;
    const base = count < c.tupleBase.length ? c.tupleBase[count]! : -1;
    if (base < 0) return 0;
    const reg = c.tupleReg[base + first];
    return reg !== undefined && c.tupleFirst[reg] === first && c.tupleCount[reg] === count ? reg : 0;
  }

  /** Number of 32-bit registers in a tuple; 0 for registers that are no tuples of consecutive registers. */
  tupleCount(reg: PhysReg): number {
    return this.columns.tupleCount[reg]!;
  }
  /** First 32-bit register of a tuple, 0 for others. */
  tupleFirst(reg: PhysReg): PhysReg {
    return this.columns.tupleFirst[reg]!;
  }

  // -- units ----------------------------------------------------------------------------------------------------

  get unitBegin(): Int32Array {
    return (this.units ??= this.makeUnits()).begin;
  }
  get unitList(): Uint16Array {
    return (this.units ??= this.makeUnits()).list;
  }
  get unitLaneLo(): Uint32Array {
    return (this.unitLanes ??= this.makeUnitLanes()).laneLo;
  }
  get unitLaneHi(): Uint32Array {
    return (this.unitLanes ??= this.makeUnitLanes()).laneHi;
  }

  private makeUnits(): UnitColumns {
    return storedArrays('units', ['begin', 'list'], () => this.computeUnits());
  }

  private computeUnits(): UnitColumns {
    const { unitFirst, unitCount, oddUnits } = this.columns;
    const begin = new Int32Array(this.nRegs + 1);
    for (let r = 0; r < this.nRegs; r++) {
      let n = unitCount[r]!;
      const ranges = n === 0 ? oddUnits.get(r) : undefined;
      if (ranges) for (let k = 1; k < ranges.length; k += 2) n += ranges[k]!;
      begin[r + 1] = begin[r]! + n;
    }
    const list = new Uint16Array(begin[this.nRegs]!);
    for (let r = 0; r < this.nRegs; r++) {
      let at = begin[r]!;
      const end = begin[r + 1]!;
      const ranges = unitCount[r] === 0 ? oddUnits.get(r) : undefined;
      if (ranges) {
        for (let k = 0; k < ranges.length; k += 2) for (let i = 0; i < ranges[k + 1]!; i++) list[at++] = ranges[k]! + i;
      } else {
        for (let unit = unitFirst[r]!; at < end; at++) list[at] = unit++;
      }
    }
    return { begin, list };
  }

  private makeUnitLanes(): UnitLanes {
    const { lanesOf, lanesLo, lanesHi } = this.columns;
    const begin = this.unitBegin;
    const total = begin[this.nRegs]!;
    const laneLo = new Uint32Array(total);
    const laneHi = new Uint32Array(total);
    for (let r = 0; r < this.nRegs; r++) {
      const at = begin[r]!;
      const end = begin[r + 1]!;
      const lanes = lanesLo.begin[lanesOf[r]!]! - at;
      for (let k = at; k < end; k++) {
        laneLo[k] = lanesLo.values[lanes + k]!;
        laneHi[k] = lanesHi.values[lanes + k]!;
      }
    }
    return { laneLo, laneHi };
  }

  private get unitTable(): { roots: IntLists; weight: Int32Array; setOf: Int32Array; sets: IntLists } {
    if (this.unitFacts === undefined) {
      const r = new PackReader(REG_UNITS);
      this.unitFacts = { roots: r.lists(), weight: r.ints(), setOf: r.ints(), sets: r.lists() };
    }
    return this.unitFacts;
  }
  get nRegUnits(): number {
    return this.unitTable.weight.length;
  }
  regUnitName(unit: RegUnit): string {
    return this.regUnitRoots(unit)
      .map((r) => this.regEnumName(r))
      .join('~');
  }
  regUnitRoots(unit: RegUnit): readonly PhysReg[] {
    return Array.from(listAt(this.unitTable.roots, unit));
  }
  regUnitPressureSets(unit: RegUnit): readonly number[] {
    return Array.from(listAt(this.unitTable.sets, this.unitTable.setOf[unit]!));
  }
  regUnitWeight(unit: RegUnit): number {
    return this.unitTable.weight[unit]!;
  }

  regsOverlap(a: PhysReg, b: PhysReg): boolean {
    if (a === b) return true;
    const { unitFirst, unitCount } = this.columns;
    const nA = unitCount[a]!;
    const nB = unitCount[b]!;
    if (nA > 0 && nB > 0) return unitFirst[a]! < unitFirst[b]! + nB && unitFirst[b]! < unitFirst[a]! + nA;
    const begin = this.unitBegin;
    const list = this.unitList;
    for (let i = begin[a]!; i < begin[a + 1]!; i++)
      for (let k = begin[b]!; k < begin[b + 1]!; k++) if (list[i] === list[k]) return true;
    return false;
  }

  // -- sub- and super-registers -----------------------------------------------------------------------------------

  /** Bit set over (pattern, sub-register index). */
  private patternHasIndex(pattern: number, idx: SubRegIdx): boolean {
    let bits = this.patternHas;
    const n = this.nSubRegIndices;
    if (bits === undefined) {
      const { patterns } = this.columns;
      const nPatterns = patterns.begin.length - 1;
      bits = new Uint32Array((nPatterns * n + 31) >> 5);
      for (let p = 0; p < nPatterns; p++)
        for (let k = patterns.begin[p]!; k < patterns.begin[p + 1]!; k++) {
          const bit = p * n + patterns.values[k]!;
          bits[bit >> 5]! |= 1 << (bit & 31);
        }
      this.patternHas = bits;
    }
    if (idx <= 0 || idx >= n) return false;
    const bit = pattern * n + idx;
    return ((bits[bit >> 5]! >>> (bit & 31)) & 1) !== 0;
  }

  getSubReg(reg: PhysReg, idx: SubRegIdx): PhysReg {
    if (!this.patternHasIndex(this.columns.patternOf[reg] ?? 0, idx)) return 0;
    return this.partAt(reg, idx);
  }

  /** Sub-register `idx` of a register that has it: follows from the position and size of the index. */
  private partAt(reg: PhysReg, idx: SubRegIdx): PhysReg {
    const c = this.columns;
    const s = this.subRegTable;
    const offset = s.offset[idx]!;
    const size = s.size[idx]!;
    const position = offset >> 5;
    let leaf: number;
    if (c.tupleCount[reg]! > 0) {
      leaf = c.tupleFirst[reg]! + position;
      if (size > 32) return c.tupleReg[c.tupleBase[size >> 5]! + leaf]!;
    } else {
      leaf = c.oddParts.get(reg)?.[position] ?? reg;
    }
    if (size === 32) return leaf;
    return (offset & 16) === 0 ? c.lo16[leaf]! : c.hi16[leaf]!;
  }

  getSubRegIndex(reg: PhysReg, sub: PhysReg): SubRegIdx {
    const { patterns, patternOf } = this.columns;
    const pattern = patternOf[reg] ?? 0;
    for (let k = patterns.begin[pattern]!; k < patterns.begin[pattern + 1]!; k++)
      if (this.partAt(reg, patterns.values[k]!) === sub) return patterns.values[k]!;
    return 0;
  }

  subRegs(reg: PhysReg): readonly PhysReg[] {
    const known = this.subRegLists[reg];
    if (known !== undefined) return known;
    const { patterns, patternOf } = this.columns;
    const pattern = patternOf[reg] ?? 0;
    const begin = patterns.begin[pattern]!;
    const end = patterns.begin[pattern + 1]!;
    if (begin === end) return (this.subRegLists[reg] = EMPTY);
    const res = new Array<number>(end - begin);
    for (let k = begin; k < end; k++) res[k - begin] = this.partAt(reg, patterns.values[k]!);
    return (this.subRegLists[reg] = res);
  }

  /** The 32-bit register of a half first, the others in ascending order. */
  superRegs(reg: PhysReg): readonly PhysReg[] {
    const known = this.superRegLists[reg];
    if (known !== undefined) return known;
    const c = this.columns;
    const res: number[] = [];
    // The 32-bit registers that `reg` consists of: tuples around them are its super-registers.
    let first = c.tupleFirst[reg]!;
    let count = c.tupleCount[reg]!;
    if (count === 0) {
      first = this.leafOf(reg);
      count = 1;
    }
    if (first > 0) {
      for (let n = count + (c.tupleCount[reg]! > 0 ? 1 : 0); n < c.tupleBase.length; n++)
        for (let from = Math.max(1, first + count - n); from <= first; from++) {
          const candidate = n < 2 ? 0 : this.tuple(from, n);
          if (candidate > 0 && this.isSubRegister(candidate, reg)) res.push(candidate);
        }
      for (const [odd] of c.oddParts) if (odd !== reg && odd !== first && this.isSubRegister(odd, reg)) res.push(odd);
    }
    res.sort((a, b) => a - b);
    if (first !== reg && c.tupleCount[reg] === 0) res.unshift(first);
    return (this.superRegLists[reg] = res);
  }

  /** The 32-bit register of a 16-bit half, else `reg`. */
  private leafOf(reg: PhysReg): PhysReg {
    const { lo16, hi16 } = this.columns;
    if (this.halfOwner === undefined) {
      this.halfOwner = new Uint16Array(this.nRegs);
      for (let r = 0; r < this.nRegs; r++) {
        if (lo16[r]! > 0) this.halfOwner[lo16[r]!] = r;
        if (hi16[r]! > 0) this.halfOwner[hi16[r]!] = r;
      }
    }
    return this.halfOwner[reg]! || reg;
  }
  private halfOwner: Uint16Array | undefined;

  isSubRegister(reg: PhysReg, sub: PhysReg): boolean {
    return this.getSubRegIndex(reg, sub) !== 0;
  }

  // -- sub-register indices ---------------------------------------------------------------------------------------

  private get subRegTable(): SubRegColumns {
    if (this.subRegIndices === undefined) {
      const r = new PackReader(SUB_REG_INDICES);
      const names = ['', ...r.strings()];
      const offset = r.uint16s();
      const size = r.uint16s();
      const laneLo = r.uint32s();
      const laneHi = r.uint32s();
      const byPlace = new Map<number, number>();
      for (let i = names.length - 1; i > 0; i--) byPlace.set((offset[i]! << 8) | (size[i]! >> 3), i);
      this.subRegIndices = { names, index: indexNames(names), offset, size, laneLo, laneHi, byPlace };
    }
    return this.subRegIndices;
  }
  get nSubRegIndices(): number {
    return this.subRegTable.names.length;
  }
  get subRegLaneLo(): Uint32Array {
    return this.subRegTable.laneLo;
  }
  get subRegLaneHi(): Uint32Array {
    return this.subRegTable.laneHi;
  }
  get subRegOffset(): Uint16Array {
    return this.subRegTable.offset;
  }
  get subRegSize(): Uint16Array {
    return this.subRegTable.size;
  }
  subRegIndexName(idx: SubRegIdx): string {
    return this.subRegTable.names[idx] ?? '';
  }
  subRegIndexByName(name: string): SubRegIdx {
    return this.subRegIndexByNameAt(name, 0, name.length);
  }
  /** Index whose name is `text[start..end)`, or -1. */
  subRegIndexByNameAt(text: string, start: number, end: number): SubRegIdx {
    return start === end ? -1 : this.subRegTable.index.find(text, start, end);
  }
  composeSubRegIndices(a: SubRegIdx, b: SubRegIdx): SubRegIdx {
    if (a === 0) return b;
    if (b === 0) return a;
    if (this.compose === undefined) {
      const r = new PackReader(COMPOSE);
      const rowOf = r.ints();
      this.compose = { rowOf, rows: r.ints() };
    }
    const { rowOf, rows } = this.compose;
    return rows[rowOf[a]! * rowOf.length + b] ?? 0;
  }

  // -- register masks ---------------------------------------------------------------------------------------------

  private get maskTable(): { names: readonly string[]; lists: IntLists; bits: (Uint32Array | undefined)[] } {
    if (this.masks === undefined) {
      const r = new PackReader(REG_MASKS);
      this.masks = { names: r.strings(), lists: r.lists(), bits: [] };
    }
    return this.masks;
  }
  /** Number of named register masks. */
  get nRegMasks(): number {
    return this.maskTable.names.length;
  }
  regMaskByName(name: string): number {
    return this.maskTable.names.indexOf(name);
  }
  regMaskName(mask: number): string {
    return this.maskTable.names[mask] ?? '';
  }
  regMaskBits(mask: number): Uint32Array {
    const table = this.maskTable;
    const known = table.bits[mask];
    if (known !== undefined) return known;
    const bits = new Uint32Array((this.nRegs + 31) >> 5);
    if (mask >= 0 && mask < table.names.length) {
      const ranges = listAt(table.lists, mask);
      for (let k = 0; k < ranges.length; k += 2)
        for (let r = ranges[k]!, end = r + ranges[k + 1]!; r < end; r++) bits[r >> 5]! |= 1 << (r & 31);
    }
    return (table.bits[mask] = bits);
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function patternHash(text: string, start: number, hole: number, tail: number, end: number, number: number): number {
  const head = hashRange(text, start, hole);
  return hashRange(text, tail, end, number < 0 ? head : head ^ 0x5bd1e995);
}
