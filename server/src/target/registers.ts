/**
 * Registers, register units, sub-register indices and register masks of AMDGPU (follows what LLVM's MCRegisterInfo
 * and TargetRegisterInfo answer).
 *
 * Nearly all of the 21,258 registers are tuples of consecutive 32-bit registers. Their names, units and
 * sub-registers follow from (first register, count), so the tables hold only that; the generator proved for each
 * register that the rule gives LLVM's answer.
 */
import type { ArrayStore, StoredArray } from './arrayStore.js';
import { NameIndex, patternHash } from './nameIndex.js';
import { listArrays, listAt, PackReader, type IntLists } from './packed.js';
import type { TableTexts } from './tableTexts.js';
import { PagedArray } from '../util/pagedArray.js';
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

/**
 * Registers in runs: within a run some facts are equal, the others rise by a constant step from register to register.
 * Columns are by run.
 */
interface RegRuns {
  /** run by register */
  of: Uint16Array;
  start: Int32Array;
  /** number of 32-bit registers of tuples, 0 of others */
  tupleCount: Int32Array;
  pattern: Int32Array;
  flags: Int32Array;
  /** 0: see `oddUnits` */
  unitCount: Int32Array;
  lanes: Int32Array;
  tupleFirst: Int32Array;
  tupleFirstStep: Int32Array;
  unitFirst: Int32Array;
  unitFirstStep: Int32Array;
  encoding: Int32Array;
  encodingStep: Int32Array;
  lo16: Int32Array;
  lo16Step: Int32Array;
  hi16: Int32Array;
  hi16Step: Int32Array;
  /** runs of tuples by number of registers: those of n stand at the places `tuples[n]` to `tuples[n + 1] - 1` of it */
  tuples: Uint16Array;
}

/** What follows from the runs, kept because it takes long to make in a fresh process. */
type RunIndex = Pick<RegRuns, 'of' | 'tuples'>;

/** What cannot be said by run. */
interface RegLists {
  /** parts of registers that are no tuples (`exec`) */
  oddParts: ReadonlyMap<number, Int32Array>;
  /** sub-register indices by pattern */
  patterns: IntLists;
  oddUnits: ReadonlyMap<number, Int32Array>;
  lanesLo: IntLists;
  lanesHi: IntLists;
}

interface UnitFacts {
  roots: IntLists;
  weight: Int32Array;
  /** by unit: which list of pressure sets */
  setOf: Int32Array;
  sets: readonly (readonly number[])[];
}

type UnitColumns = {
  begin: Uint16Array;
  end: Uint16Array;
  list: Uint16Array;
};

interface SubRegColumns {
  names: readonly string[];
  index: NameIndex;
  offset: Uint16Array;
  size: Uint16Array;
  laneLo: Uint32Array;
  laneHi: Uint32Array;
  /** index by `position * PLACES + size`, both in 32-bit registers; 0 = none */
  byPlace: Uint16Array;
}

/** More than the largest position and size of a sub-register, in 32-bit registers. */
const PLACES = 33;

interface NamePatterns {
  /** slots of `hash -> pattern + 1` */
  slots: Int32Array;
  lower: readonly string[];
  /** runs by pattern */
  runs: readonly (readonly number[])[];
}

function readRuns(r: PackReader, nRegs: number, store: ArrayStore): RegRuns {
  const start = r.ints();
  const tupleCount = r.ints();
  return {
    ...store.arrays<RunIndex>('runs', ['of', 'tuples'], () => indexRuns(start, tupleCount, nRegs)),
    start,
    tupleCount,
    pattern: r.ints(),
    flags: r.ints(),
    unitCount: r.ints(),
    lanes: r.ints(),
    tupleFirst: r.ints(),
    tupleFirstStep: r.ints(),
    unitFirst: r.ints(),
    unitFirstStep: r.ints(),
    encoding: r.ints(),
    encodingStep: r.ints(),
    lo16: r.ints(),
    lo16Step: r.ints(),
    hi16: r.ints(),
    hi16Step: r.ints(),
  };
}

function indexRuns(start: Int32Array, tupleCount: Int32Array, nRegs: number): RunIndex {
  const of = new Uint16Array(nRegs);
  for (let run = 0; run < start.length; run++) of.fill(run, start[run]!, start[run + 1] ?? nRegs);
  const largest = tupleCount.reduce((a, b) => Math.max(a, b), 0);
  const tuples: number[] = [largest + 2];
  const runs: number[] = [];
  for (let n = 1; n <= largest + 1; n++) {
    tuples.push(largest + 2 + runs.length);
    tupleCount.forEach((count, run) => void (count === n && runs.push(run)));
  }
  return { of, tuples: Uint16Array.from([...tuples, ...runs]) };
}

function readLists(r: PackReader): RegLists {
  const parts = r.lists();
  const patterns = r.lists();
  const units = r.lists();
  const oddParts = new Map<number, Int32Array>();
  for (let i = 0; i + 1 < parts.begin.length; i++) oddParts.set(listAt(parts, i)[0]!, listAt(parts, i).subarray(1));
  const oddUnits = new Map<number, Int32Array>();
  for (let i = 0; i + 1 < units.begin.length; i++) oddUnits.set(listAt(units, i)[0]!, listAt(units, i).subarray(1));
  return { oddParts, patterns, oddUnits, lanesLo: r.lists(), lanesHi: r.lists() };
}

/** Everything about registers; the base of TargetTables. */
export class RegisterTables {
  readonly llvmVersion: string;
  readonly store: ArrayStore;
  readonly nRegs: number;
  private readonly regNames: NameRuns;
  private readonly nameSlots: Int32Array;
  private readonly runs: RegRuns;
  private readonly lists: RegLists;
  private readonly enumNames = new PagedArray<string>();
  private readonly lowerNames = new PagedArray<string>();
  private units: UnitColumns | undefined;
  private laneLo: Uint32Array | undefined;
  private laneHi: Uint32Array | undefined;
  private subRegIndices: SubRegColumns | undefined;
  private namePatterns: NamePatterns | undefined;
  private patternHas: Uint32Array | undefined;
  private asmRuns: readonly [NameRuns, NameRuns] | undefined;
  private unitFacts: UnitFacts | undefined;
  private compose: { rowOf: Int32Array; rows: Int32Array } | undefined;
  private masks: { names: readonly string[]; lists: IntLists; bits: (Uint32Array | undefined)[] } | undefined;
  private readonly subRegLists = new PagedArray<readonly number[]>();
  private readonly superRegLists = new PagedArray<readonly number[]>();

  constructor(
    protected readonly texts: TableTexts,
    private readonly readsNamesBySize: boolean,
  ) {
    this.llvmVersion = texts.text('LLVM_VERSION');
    this.store = texts.store;
    const r = texts.reader('REGISTERS');
    this.nRegs = r.uint();
    this.regNames = new NameRuns(r);
    this.nameSlots = r.ints();
    this.runs = readRuns(r, this.nRegs, this.store);
    this.lists = readLists(r);
  }

  /** An array of this release by its name, from the store or made now. */
  protected stored<T extends StoredArray>(name: string, make: () => T): T {
    return this.store.array(name, make);
  }

  // -- names ----------------------------------------------------------------------------------------------------

  regEnumName(reg: PhysReg): string {
    const known = this.enumNames.get(reg);
    if (known !== undefined) return known;
    if (reg < 0 || reg >= this.nRegs) return '';
    let name = reg === 0 ? 'NoRegister' : this.regNames.nameOf(reg);
    if (name === undefined) {
      const first = this.tupleFirst(reg);
      const parts: string[] = [];
      for (let i = 0; i < this.tupleCount(reg); i++) parts.push(this.regEnumName(first + i));
      name = parts.join('_');
    }
    return this.enumNames.set(reg, name);
  }

  regName(reg: PhysReg): string {
    if (reg === 0) return 'noreg';
    return this.lowerNames.get(reg) ?? this.lowerNames.set(reg, this.regEnumName(reg).toLowerCase());
  }

  regAsmName(reg: PhysReg): string {
    if (this.asmRuns === undefined) {
      const r = this.texts.reader('REG_ASM_NAMES');
      this.asmRuns = [new NameRuns(r), new NameRuns(r)];
    }
    const named = this.asmRuns[0].nameOf(reg) ?? this.asmRuns[1].nameOf(reg);
    if (named !== undefined) return named;
    const count = this.tupleCount(reg);
    if (count === 0) {
      const parts = this.lists.oddParts.get(reg);
      return parts === undefined ? '' : `[${Array.from(parts, (part) => this.regAsmName(part)).join()}]`;
    }
    const leaf = this.regAsmName(this.tupleFirst(reg));
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
      const reg = this.findPattern(text, start, digits, at, end, number);
      return reg < 0 && this.readsNamesBySize ? this.regBySizeAt(text, start, digits, at, end, number) : reg;
    }
    if (end - start === 5 && text.startsWith('noreg', start)) return 0;
    return this.findPattern(text, start, end, end, end, -1);
  }

  /** The tuple of `text[start..digits)` + number + `_` + its size in bits. */
  private regBySizeAt(text: string, start: number, digits: number, at: number, end: number, number: number): PhysReg {
    const size = /^_([1-9]\d{1,3})$/.exec(text.slice(at, end));
    const count = size === null ? 0 : Number(size[1]) / 32;
    if (!Number.isInteger(count) || count < 2) return -1;
    const leaf = this.findPattern(text, start, digits, digits, digits, number);
    const reg = leaf > 0 ? this.tuple(leaf, count) : -1;
    return reg > 0 ? reg : -1;
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
    const names = this.regNames;
    for (const run of runs) {
      const first = names.firstNumber[run]!;
      if (number >= first && number < first + names.count[run]!) return names.firstId[run]! + number - first;
    }
    return -1;
  }

  private makeNamePatterns(): NamePatterns {
    const names = this.regNames;
    const lower = names.texts.map((t) => t.toLowerCase());
    const runs: number[][] = lower.map(() => []);
    for (let run = 0; run < names.textOf.length; run++) runs[names.textOf[run]!]!.push(run);
    return { slots: this.nameSlots, lower, runs };
  }

  // -- facts of one register --------------------------------------------------------------------------------------

  regEncoding(reg: PhysReg): number {
    const { of, start, encoding, encodingStep } = this.runs;
    const run = of[reg]!;
    return encoding[run]! + (reg - start[run]!) * encodingStep[run]!;
  }
  /** TargetRegisterInfo::isConstantPhysReg by the tables alone. */
  isConstantPhysReg(reg: PhysReg): boolean {
    return (this.runs.flags[this.runs.of[reg]!]! & RegFlag.Constant) !== 0;
  }
  isArtificialReg(reg: PhysReg): boolean {
    return (this.runs.flags[this.runs.of[reg]!]! & RegFlag.Artificial) !== 0;
  }
  numberedRegs(prefix: string): Uint16Array {
    let known = this.numbered.get(prefix);
    if (known === undefined) {
      known = this.stored(`numbered.${prefix}`, () => {
        const regs: PhysReg[] = [];
        for (let r = this.regByName(`${prefix}0`); r > 0; r = this.regByName(`${prefix}${regs.length}`)) regs.push(r);
        return Uint16Array.from(regs);
      });
      this.numbered.set(prefix, known);
    }
    return known;
  }
  private readonly numbered = new Map<string, Uint16Array>();
  get artificialUnits(): Uint32Array {
    return (this.artificial ??= this.stored('artificialUnits', () => {
      const words = new Uint32Array((this.nRegUnits + 31) >>> 5);
      for (let u = 0; u < this.nRegUnits; u++)
        if (this.regUnitRoots(u).every((root) => this.isArtificialReg(root))) words[u >>> 5]! |= 1 << (u & 31);
      return words;
    }));
  }
  private artificial: Uint32Array | undefined;
  isInAllocatableClass(reg: PhysReg): boolean {
    return (this.runs.flags[this.runs.of[reg]!]! & RegFlag.InAllocatableClass) !== 0;
  }

  /** Number of registers of the largest tuples. */
  private get largestTuple(): number {
    return this.runs.tuples[0]! - 2;
  }

  /** The tuple of `count` registers from `first` on, 0 if there is none; count 1 is `first` itself. */
  tuple(first: PhysReg, count: number): PhysReg {
    if (count === 1) return first;
    const { tuples, start, tupleFirst, tupleFirstStep } = this.runs;
    if (count > this.largestTuple) return 0;
    for (let t = tuples[count]!; t < tuples[count + 1]!; t++) {
      const run = tuples[t]!;
      const step = tupleFirstStep[run]! || 1;
      const distance = first - tupleFirst[run]!;
      const end = start[run + 1] ?? this.nRegs;
      if (distance >= 0 && distance % step === 0 && start[run]! + distance / step < end)
        return start[run]! + distance / step;
    }
    return 0;
  }

  /** Number of 32-bit registers in a tuple; 0 for registers that are no tuples of consecutive registers. */
  tupleCount(reg: PhysReg): number {
    return this.runs.tupleCount[this.runs.of[reg]!]!;
  }
  /** First 32-bit register of a tuple, 0 for others. */
  tupleFirst(reg: PhysReg): PhysReg {
    const { of, start, tupleFirst, tupleFirstStep } = this.runs;
    const run = of[reg]!;
    return tupleFirst[run]! + (reg - start[run]!) * tupleFirstStep[run]!;
  }
  /** The lower (0) or upper (1) 16-bit half of a 32-bit register, 0 if it has none. */
  private half(reg: PhysReg, upper: number): PhysReg {
    const { of, start, lo16, lo16Step, hi16, hi16Step } = this.runs;
    const run = of[reg]!;
    const at = reg - start[run]!;
    return upper === 0 ? lo16[run]! + at * lo16Step[run]! : hi16[run]! + at * hi16Step[run]!;
  }

  // -- units ----------------------------------------------------------------------------------------------------

  get unitBegin(): Uint16Array {
    return (this.units ??= this.makeUnits()).begin;
  }
  get unitEnd(): Uint16Array {
    return (this.units ??= this.makeUnits()).end;
  }
  get unitList(): Uint16Array {
    return (this.units ??= this.makeUnits()).list;
  }
  unitLaneBegin(reg: PhysReg): number {
    return this.lists.lanesLo.begin[this.runs.lanes[this.runs.of[reg]!]!]!;
  }
  get unitLaneLo(): Uint32Array {
    return (this.laneLo ??= unsigned(this.lists.lanesLo.values));
  }
  get unitLaneHi(): Uint32Array {
    return (this.laneHi ??= unsigned(this.lists.lanesHi.values));
  }

  private makeUnits(): UnitColumns {
    return this.store.arrays('units', ['begin', 'end', 'list'], () => this.computeUnits());
  }

  /**
   * Nearly all registers have consecutive units: their lists are parts of one that counts 0, 1, 2, ... Those of the others follow it.
   */
  private computeUnits(): UnitColumns {
    const { of, start, unitCount, unitFirst, unitFirstStep } = this.runs;
    const { oddUnits } = this.lists;
    const begin = new Uint16Array(this.nRegs);
    const end = new Uint16Array(this.nRegs);
    const list = Array.from({ length: this.nRegUnits }, (_, unit) => unit);
    for (let r = 0; r < this.nRegs; r++) {
      const run = of[r]!;
      begin[r] = unitFirst[run]! + (r - start[run]!) * unitFirstStep[run]!;
      end[r] = begin[r]! + unitCount[run]!;
    }
    for (const [r, ranges] of oddUnits) {
      begin[r] = list.length;
      for (let k = 0; k < ranges.length; k += 2) for (let i = 0; i < ranges[k + 1]!; i++) list.push(ranges[k]! + i);
      end[r] = list.length;
    }
    return { begin, end, list: Uint16Array.from(list) };
  }

  private get unitTable(): UnitFacts {
    if (this.unitFacts === undefined) {
      const r = this.texts.reader('REG_UNITS');
      this.unitFacts = { roots: r.lists(), weight: r.ints(), setOf: r.ints(), sets: listArrays(r.lists()) };
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
    const { setOf, sets } = this.unitTable;
    return sets[setOf[unit]!]!;
  }
  regUnitWeight(unit: RegUnit): number {
    return this.unitTable.weight[unit]!;
  }

  regsOverlap(a: PhysReg, b: PhysReg): boolean {
    if (a === b) return true;
    const { of, start, unitCount, unitFirst, unitFirstStep } = this.runs;
    const runA = of[a]!;
    const runB = of[b]!;
    const nA = unitCount[runA]!;
    const nB = unitCount[runB]!;
    if (nA > 0 && nB > 0) {
      const firstA = unitFirst[runA]! + (a - start[runA]!) * unitFirstStep[runA]!;
      const firstB = unitFirst[runB]! + (b - start[runB]!) * unitFirstStep[runB]!;
      return firstA < firstB + nB && firstB < firstA + nA;
    }
    const { unitBegin, unitEnd, unitList } = this;
    for (let i = unitBegin[a]!; i < unitEnd[a]!; i++)
      for (let k = unitBegin[b]!; k < unitEnd[b]!; k++) if (unitList[i] === unitList[k]) return true;
    return false;
  }

  // -- sub- and super-registers -----------------------------------------------------------------------------------

  /** Bit set over (pattern, sub-register index). */
  private patternHasIndex(pattern: number, idx: SubRegIdx): boolean {
    let bits = this.patternHas;
    const n = this.nSubRegIndices;
    if (bits === undefined) {
      this.patternHas = bits = this.stored('patternHas', () => this.makePatternHas());
    }
    if (idx <= 0 || idx >= n) return false;
    const bit = pattern * n + idx;
    return ((bits[bit >> 5]! >>> (bit & 31)) & 1) !== 0;
  }

  private makePatternHas(): Uint32Array {
    const n = this.nSubRegIndices;
    const { patterns } = this.lists;
    const nPatterns = patterns.begin.length - 1;
    const bits = new Uint32Array((nPatterns * n + 31) >> 5);
    for (let p = 0; p < nPatterns; p++)
      for (let k = patterns.begin[p]!; k < patterns.begin[p + 1]!; k++) {
        const bit = p * n + patterns.values[k]!;
        bits[bit >> 5]! |= 1 << (bit & 31);
      }
    return bits;
  }

  getSubReg(reg: PhysReg, idx: SubRegIdx): PhysReg {
    if (!this.patternHasIndex(this.patternOf(reg), idx)) return 0;
    return this.partAt(reg, idx);
  }

  private patternOf(reg: PhysReg): number {
    return this.runs.pattern[this.runs.of[reg] ?? 0]!;
  }

  /** Sub-register `idx` of a register that has it: follows from the position and size of the index. */
  private partAt(reg: PhysReg, idx: SubRegIdx): PhysReg {
    const s = this.subRegTable;
    const offset = s.offset[idx]!;
    const size = s.size[idx]!;
    const position = offset >> 5;
    let leaf: number;
    if (this.tupleCount(reg) > 0) {
      leaf = this.tupleFirst(reg) + position;
      if (size > 32) return this.tuple(leaf, size >> 5);
    } else {
      const parts = this.lists.oddParts.get(reg);
      if (size > 32) return this.withParts(parts!.subarray(position, position + (size >> 5)));
      leaf = parts?.[position] ?? reg;
    }
    return size === 32 ? leaf : this.half(leaf, (offset >> 4) & 1);
  }

  /** The register that consists of these: a tuple, or one that is none (`sgpr104_sgpr105_vcc_lo`). */
  private withParts(parts: Int32Array): PhysReg {
    if (parts.every((reg, k) => reg === parts[0]! + k)) return this.tuple(parts[0]!, parts.length);
    this.oddByParts ??= new Map(Array.from(this.lists.oddParts, ([reg, own]) => [own.join(), reg]));
    return this.oddByParts.get(parts.join()) ?? 0;
  }
  private oddByParts: ReadonlyMap<string, PhysReg> | undefined;

  getSubRegIndex(reg: PhysReg, sub: PhysReg): SubRegIdx {
    const { patterns } = this.lists;
    const pattern = this.patternOf(reg);
    const count = this.tupleCount(reg);
    const subCount = this.tupleCount(sub) || 1;
    if (count > 0) {
      const position = (this.tupleFirst(sub) || sub) - this.tupleFirst(reg);
      if (position >= 0 && position + subCount <= count) {
        const idx = this.subRegTable.byPlace[position * PLACES + subCount]!;
        if (this.patternHasIndex(pattern, idx)) return idx;
      } else if (subCount > 1) return 0;
    }
    // Halves, and pairs that are no tuples.
    for (let k = patterns.begin[pattern]!; k < patterns.begin[pattern + 1]!; k++)
      if (this.partAt(reg, patterns.values[k]!) === sub) return patterns.values[k]!;
    return 0;
  }

  subRegs(reg: PhysReg): readonly PhysReg[] {
    const known = this.subRegLists.get(reg);
    if (known !== undefined) return known;
    const { patterns } = this.lists;
    const pattern = this.patternOf(reg);
    const begin = patterns.begin[pattern]!;
    const end = patterns.begin[pattern + 1]!;
    if (begin === end) return this.subRegLists.set(reg, EMPTY);
    const res = new Array<number>(end - begin);
    for (let k = begin; k < end; k++) res[k - begin] = this.partAt(reg, patterns.values[k]!);
    return this.subRegLists.set(reg, res);
  }

  /** The 32-bit register of a half first, the others in ascending order. */
  superRegs(reg: PhysReg): readonly PhysReg[] {
    const known = this.superRegLists.get(reg);
    if (known !== undefined) return known;
    const res: number[] = [];
    // The 32-bit registers that `reg` consists of: tuples around them are its super-registers.
    const isTuple = this.tupleCount(reg) > 0;
    const first = isTuple ? this.tupleFirst(reg) : this.leafOf(reg);
    const count = isTuple ? this.tupleCount(reg) : 1;
    if (first > 0) {
      for (let n = count + 1; n <= this.largestTuple; n++)
        for (let from = Math.max(1, first + count - n); from <= first; from++) {
          const candidate = this.tuple(from, n);
          if (candidate > 0 && this.isSubRegister(candidate, reg)) res.push(candidate);
        }
      for (const [odd] of this.lists.oddParts)
        if (odd !== reg && odd !== first && this.isSubRegister(odd, reg)) res.push(odd);
    }
    res.sort((a, b) => a - b);
    if (first !== reg && !isTuple) res.unshift(first);
    return this.superRegLists.set(reg, res);
  }

  /** The 32-bit register of a 16-bit half, else `reg`. */
  private leafOf(reg: PhysReg): PhysReg {
    this.halfOwner ??= this.stored('halfOwner', () => this.makeHalfOwner());
    return this.halfOwner[reg]! || reg;
  }
  private makeHalfOwner(): Uint16Array {
    const owner = new Uint16Array(this.nRegs);
    for (let r = 1; r < this.nRegs; r++)
      for (const upper of [0, 1]) {
        const half = this.half(r, upper);
        if (half > 0) owner[half] = r;
      }
    return owner;
  }
  private halfOwner: Uint16Array | undefined;

  isSubRegister(reg: PhysReg, sub: PhysReg): boolean {
    return this.getSubRegIndex(reg, sub) !== 0;
  }

  // -- sub-register indices ---------------------------------------------------------------------------------------

  private get subRegTable(): SubRegColumns {
    if (this.subRegIndices === undefined) {
      const r = this.texts.reader('SUB_REG_INDICES');
      const names = ['', ...r.strings()];
      const index = new NameIndex((n) => names[n]!, r.ints());
      const offset = r.uint16s();
      const size = r.uint16s();
      const laneLo = r.uint32s();
      const laneHi = r.uint32s();
      const byPlace = new Uint16Array(PLACES * PLACES);
      for (let i = names.length - 1; i > 0; i--)
        if (size[i]! >= 32) byPlace[(offset[i]! >> 5) * PLACES + (size[i]! >> 5)] = i;
      this.subRegIndices = { names, index, offset, size, laneLo, laneHi, byPlace };
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
    return name === '' ? -1 : this.subRegTable.index.find(name, 0, name.length);
  }
  composeSubRegIndices(a: SubRegIdx, b: SubRegIdx): SubRegIdx {
    if (a === 0) return b;
    if (b === 0) return a;
    if (this.compose === undefined) {
      const r = this.texts.reader('COMPOSE');
      const rowOf = r.ints();
      this.compose = { rowOf, rows: r.ints() };
    }
    const { rowOf, rows } = this.compose;
    return rows[rowOf[a]! * rowOf.length + b] ?? 0;
  }

  // -- register masks ---------------------------------------------------------------------------------------------

  private get maskTable(): { names: readonly string[]; lists: IntLists; bits: (Uint32Array | undefined)[] } {
    if (this.masks === undefined) {
      const r = this.texts.reader('REG_MASKS');
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

const unsigned = (values: Int32Array): Uint32Array => new Uint32Array(values.buffer, values.byteOffset, values.length);

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
