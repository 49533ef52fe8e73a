/**
 * Register classes of AMDGPU (follows TargetRegisterInfo and SIRegisterInfo).
 *
 * A class has bit sets of its sub-classes, made at once, and of its members, made when first asked.
 */
import { NameIndex } from './nameIndex.js';
import { LazyLists, listArrays, listAt, type PackReader, type IntLists } from './packed.js';
import { RegisterTables } from './registers.js';
import type { PhysReg, RegClassId, SubRegIdx } from './api.js';

/** Bits of a class's TSFlags (SIRCFlags). */
const enum ClassTSFlag {
  HasVGPR = 4,
  HasAGPR = 8,
  HasSGPR = 16,
}
const enum ClassFlag {
  Allocatable = 1,
  BaseClass = 2,
  GlobalPriority = 4,
  DisjunctSubRegs = 8,
  CoveredBySubRegs = 16,
}

interface ClassColumns {
  names: readonly string[];
  lower: (string | undefined)[];
  slots: Int32Array;
  /** as [first, count, step, ...] */
  members: LazyLists;
  bits: Uint16Array;
  spillSize: Int32Array;
  spillAlign: Int32Array;
  copyCost: Int32Array;
  flags: Int32Array;
  tsFlags: Int32Array;
  allocPriority: Int32Array;
  laneLo: Uint32Array;
  laneHi: Uint32Array;
  weight: Uint8Array;
  weightLimit: Int32Array;
  kind: Uint8Array;
  setOf: Int32Array;
  sets: readonly (readonly number[])[];
  pressureSetNames: readonly string[];
  bankNames: readonly string[];
  bankCovers: IntLists;
}

/** Parts of CLASS_RELATIONS. */
const enum Relation {
  SubClasses,
  SuperClasses,
  Projections,
}

interface SubRegClasses {
  /** by class: which list of indices it has */
  listOf: Int32Array;
  /** place of an index in a list, -1: not in it */
  place: Int16Array;
  /** by class, in the order of its list */
  classes: LazyLists;
  subs: LazyLists;
}

/** Everything about register classes, on top of the registers. */
export class RegClassTables extends RegisterTables {
  private classColumns: ClassColumns | undefined;
  private classIndex: NameIndex | undefined;
  private readonly memberBits: (Uint32Array | undefined)[] = [];
  private readonly memberLists: (Uint16Array | undefined)[] = [];
  private readonly relations = this.texts.pieces('CLASS_RELATIONS');
  /** bit set of sub-classes (with itself) by class, `subWords` words each */
  private subClasses: { bits: Uint32Array; words: number } | undefined;
  private superClassLists: readonly (readonly number[])[] | undefined;
  private projections: LazyLists | undefined;
  private subRegClasses: SubRegClasses | undefined;
  private minimal: Int16Array | undefined;
  private readonly matchCache = new Map<number, number>();

  private get classes(): ClassColumns {
    return (this.classColumns ??= readClasses(this.texts.reader('CLASSES')));
  }

  get nRegClasses(): number {
    return this.classes.names.length;
  }
  regClassName(rc: RegClassId): string {
    return this.classes.names[rc] ?? '';
  }
  /** Name as MIR spells it (lower case). */
  regClassMirName(rc: RegClassId): string {
    const c = this.classes;
    return (c.lower[rc] ??= (c.names[rc] ?? '').toLowerCase());
  }
  regClassByName(name: string): RegClassId {
    return this.regClassByNameAt(name, 0, name.length);
  }
  /** Class whose MIR name is `text[start..end)`, or -1. */
  regClassByNameAt(text: string, start: number, end: number): RegClassId {
    this.classIndex ??= new NameIndex((i) => this.regClassMirName(i), this.classes.slots);
    return this.classIndex.find(text, start, end);
  }

  get regClassLaneLo(): Uint32Array {
    return this.classes.laneLo;
  }
  get regClassLaneHi(): Uint32Array {
    return this.classes.laneHi;
  }
  get regClassBits(): Uint16Array {
    return this.classes.bits;
  }
  get regClassKind(): Uint8Array {
    return this.classes.kind;
  }
  get regClassWeight(): Uint8Array {
    return this.classes.weight;
  }
  /** @llvm TargetRegisterInfo.h RegClassWeight::WeightLimit */
  regClassWeightLimit(rc: RegClassId): number {
    return this.classes.weightLimit[rc]!;
  }
  get pressureSetNames(): readonly string[] {
    return this.classes.pressureSetNames;
  }
  regClassPressureSets(rc: RegClassId): readonly number[] {
    const c = this.classes;
    return c.sets[c.setOf[rc]!]!;
  }
  isAllocatableClass(rc: RegClassId): boolean {
    return (this.classes.flags[rc]! & ClassFlag.Allocatable) !== 0;
  }
  isBaseClass(rc: RegClassId): boolean {
    return (this.classes.flags[rc]! & ClassFlag.BaseClass) !== 0;
  }
  regClassHasDisjunctSubRegs(rc: RegClassId): boolean {
    return (this.classes.flags[rc]! & ClassFlag.DisjunctSubRegs) !== 0;
  }
  regClassCoveredBySubRegs(rc: RegClassId): boolean {
    return (this.classes.flags[rc]! & ClassFlag.CoveredBySubRegs) !== 0;
  }
  regClassAllocationPriority(rc: RegClassId): number {
    return this.classes.allocPriority[rc]!;
  }
  regClassGlobalPriority(rc: RegClassId): boolean {
    return (this.classes.flags[rc]! & ClassFlag.GlobalPriority) !== 0;
  }
  /** in bytes */
  regClassSpillSize(rc: RegClassId): number {
    return this.classes.spillSize[rc]!;
  }
  /** in bytes; 0 for classes that cannot be spilled */
  regClassSpillAlign(rc: RegClassId): number {
    return this.classes.spillAlign[rc]!;
  }
  /** 255: a copy is not possible or very expensive */
  regClassCopyCost(rc: RegClassId): number {
    return this.classes.copyCost[rc]!;
  }

  classContains(rc: RegClassId, reg: PhysReg): boolean {
    const bits = this.memberBits[rc] ?? this.makeMemberBits(rc);
    return ((bits[reg >> 5]! >>> (reg & 31)) & 1) !== 0;
  }
  /** Bit set of the members of a class (do not write to it). */
  classMemberBits(rc: RegClassId): Uint32Array {
    return this.memberBits[rc] ?? this.makeMemberBits(rc);
  }
  private makeMemberBits(rc: RegClassId): Uint32Array {
    const bits = new Uint32Array((this.nRegs + 31) >> 5);
    if (rc < 0 || rc >= this.nRegClasses) return bits;
    for (const r of this.classRegs(rc)) bits[r >> 5]! |= 1 << (r & 31);
    return (this.memberBits[rc] = bits);
  }
  classRegs(rc: RegClassId): Uint16Array {
    return (this.memberLists[rc] ??= expandRuns(this.classes.members.at(rc)));
  }

  private get subClassTable(): { bits: Uint32Array; words: number } {
    if (this.subClasses === undefined) {
      const n = this.nRegClasses;
      const words = (n + 31) >> 5;
      const bits = this.stored('subClassBits', () => {
        const { begin, values } = this.relations.reader(Relation.SubClasses).lists();
        const res = new Uint32Array(n * words);
        for (let c = 0; c < n; c++)
          for (let k = begin[c]!; k < begin[c + 1]!; k += 2)
            for (let s = values[k]!, end = s + values[k + 1]!; s < end; s++)
              res[c * words + (s >> 5)]! |= 1 << (s & 31);
        return res;
      });
      this.subClasses = { bits, words };
    }
    return this.subClasses;
  }
  hasSubClassEq(rc: RegClassId, sub: RegClassId): boolean {
    const { bits, words } = this.subClassTable;
    return ((bits[rc * words + (sub >> 5)]! >>> (sub & 31)) & 1) !== 0;
  }
  getCommonSubClass(a: RegClassId, b: RegClassId): RegClassId {
    if (a === b) return a;
    const { bits, words } = this.subClassTable;
    for (let w = 0; w < words; w++) {
      const common = bits[a * words + w]! & bits[b * words + w]!;
      if (common !== 0) return w * 32 + 31 - Math.clz32(common & -common);
    }
    return -1;
  }
  superClasses(rc: RegClassId): readonly RegClassId[] {
    this.superClassLists ??= listArrays(this.relations.reader(Relation.SuperClasses).lists());
    return this.superClassLists[rc]!;
  }
  /** Indices that classes have whose sub-register classes include `rc` (getSuperRegIndices). */
  superRegIndices(rc: RegClassId): readonly SubRegIdx[] {
    return Array.from(this.projectionLists.at(rc));
  }
  private get projectionLists(): LazyLists {
    return (this.projections ??= new LazyLists(this.relations.reader(Relation.Projections)));
  }

  private get subRegClassTable(): SubRegClasses {
    if (this.subRegClasses === undefined) {
      const r = this.texts.reader('SUB_REG_CLASSES');
      const listOf = r.ints();
      const indexLists = r.lists();
      const n = this.nSubRegIndices;
      const nLists = indexLists.begin.length - 1;
      const place = this.stored('subRegClassPlace', () => {
        const res = new Int16Array(nLists * n).fill(-1);
        for (let list = 0; list < nLists; list++)
          for (let k = indexLists.begin[list]!; k < indexLists.begin[list + 1]!; k++)
            res[list * n + indexLists.values[k]!] = k - indexLists.begin[list]!;
        return res;
      });
      this.subRegClasses = { listOf, place, classes: new LazyLists(r), subs: new LazyLists(r) };
    }
    return this.subRegClasses;
  }
  getSubClassWithSubReg(rc: RegClassId, idx: SubRegIdx): RegClassId {
    if (idx === 0) return rc;
    const t = this.subRegClassTable;
    const place = t.place[t.listOf[rc]! * this.nSubRegIndices + idx]!;
    if (place < 0) return -1;
    // -1: the class itself, -2: none
    const sub = t.subs.at(rc)[place]!;
    return sub === -1 ? rc : sub < 0 ? -1 : sub;
  }
  getSubRegisterClass(rc: RegClassId, idx: SubRegIdx): RegClassId {
    if (idx === 0) return rc;
    const t = this.subRegClassTable;
    const place = t.place[t.listOf[rc]! * this.nSubRegIndices + idx]!;
    return place < 0 ? -1 : t.classes.at(rc)[place]!;
  }

  /**
   * The largest sub-class of `a` whose `idx` sub-registers are all in `b`: the first that has the index in all
   * members. The sub-register class leaves artificial registers out, so the members decide. Answers are kept.
   */
  getMatchingSuperRegClass(a: RegClassId, b: RegClassId, idx: SubRegIdx): RegClassId {
    const n = this.nRegClasses;
    const key = (idx * n + a) * n + b;
    const known = this.matchCache.get(key);
    if (known !== undefined) return known;
    const { bits: subClassBits, words: subWords } = this.subClassTable;
    let res = -1;
    const mayProject = idx !== 0 && this.projectionLists.at(b).includes(idx);
    search: for (let w = 0; mayProject && w < subWords; w++) {
      for (let bits = subClassBits[a * subWords + w]!; bits !== 0; bits &= bits - 1) {
        const c = w * 32 + 31 - Math.clz32(bits & -bits);
        if (this.getSubClassWithSubReg(c, idx) !== c) continue;
        const sub = this.getSubRegisterClass(c, idx);
        if (sub < 0 || !this.hasSubClassEq(b, sub)) continue;
        if (this.hasOnlyRealParts(c, idx) || this.projectsInto(c, idx, b)) {
          res = c;
          break search;
        }
      }
    }
    this.matchCache.set(key, res);
    return res;
  }

  /**
   * Whether no member's `idx` part is an artificial register, so that the sub-register class says it all. True of vector
   * registers and parts of at least 32 bits; the artificial ones are 16-bit halves and parts of the null SGPRs.
   */
  private hasOnlyRealParts(c: RegClassId, idx: SubRegIdx): boolean {
    return !this.hasSGPRs(c) && this.subRegSize[idx]! >= 32;
  }

  private projectsInto(c: RegClassId, idx: SubRegIdx, b: RegClassId): boolean {
    for (const reg of this.classRegs(c)) {
      const part = this.getSubReg(reg, idx);
      if (part !== 0 && !this.classContains(b, part)) return false;
    }
    return true;
  }

  getMatchingSuperReg(reg: PhysReg, idx: SubRegIdx, rc: RegClassId): PhysReg {
    for (const sup of this.superRegs(reg))
      if (this.classContains(rc, sup) && this.getSubReg(sup, idx) === reg) return sup;
    return 0;
  }

  getMinimalPhysRegClass(reg: PhysReg): RegClassId {
    this.minimal ??= this.texts.reader('MINIMAL_CLASSES').int16s();
    return this.minimal[reg] ?? -1;
  }

  // -- SIRegisterInfo's predicates --------------------------------------------------------------------------------

  hasVGPRs(rc: RegClassId): boolean {
    return (this.classes.tsFlags[rc]! & ClassTSFlag.HasVGPR) !== 0;
  }
  hasAGPRs(rc: RegClassId): boolean {
    return (this.classes.tsFlags[rc]! & ClassTSFlag.HasAGPR) !== 0;
  }
  hasSGPRs(rc: RegClassId): boolean {
    return (this.classes.tsFlags[rc]! & ClassTSFlag.HasSGPR) !== 0;
  }
  isSGPRClass(rc: RegClassId): boolean {
    const kinds = this.classes.tsFlags[rc]! & (ClassTSFlag.HasVGPR | ClassTSFlag.HasAGPR | ClassTSFlag.HasSGPR);
    return kinds === ClassTSFlag.HasSGPR;
  }

  get nRegBanks(): number {
    return this.classes.bankNames.length;
  }
  regBankByName(name: string): number {
    return this.classes.bankNames.indexOf(name);
  }
  regBankName(bank: number): string {
    return this.classes.bankNames[bank] ?? '';
  }
  /** @llvm RegisterBank.cpp RegisterBank::covers */
  regBankCovers(bank: number, rc: RegClassId): boolean {
    const ranges = listAt(this.classes.bankCovers, bank);
    for (let k = 0; k < ranges.length; k += 2) if (rc >= ranges[k]! && rc < ranges[k]! + ranges[k + 1]!) return true;
    return false;
  }
}

function readClasses(r: PackReader): ClassColumns {
  const names = r.strings();
  const slots = r.ints();
  const members = new LazyLists(r);
  const bits = r.uint16s();
  const spillSize = r.ints();
  const spillAlign = r.ints();
  const copyCost = r.ints();
  const flags = r.ints();
  const tsFlags = r.ints();
  const allocPriority = r.ints();
  const laneLo = r.uint32s();
  const laneHi = r.uint32s();
  const weight = r.uint8s();
  const weightLimit = r.ints();
  const kind = r.uint8s();
  const setOf = r.ints();
  const sets = listArrays(r.lists());
  const pressureSetNames = r.strings();
  const bankNames = r.strings().map((n) => n.toLowerCase());
  const bankCovers = r.lists();
  return {
    names,
    lower: [],
    slots,
    members,
    bits,
    spillSize,
    spillAlign,
    copyCost,
    flags,
    tsFlags,
    allocPriority,
    laneLo,
    laneHi,
    weight,
    weightLimit,
    kind,
    setOf,
    sets,
    pressureSetNames,
    bankNames,
    bankCovers,
  };
}

/** Members of [first, count, step, ...]. */
function expandRuns(runs: Int32Array): Uint16Array {
  let n = 0;
  for (let k = 1; k < runs.length; k += 3) n += runs[k]!;
  const res = new Uint16Array(n);
  let at = 0;
  for (let k = 0; k < runs.length; k += 3) {
    let v = runs[k]!;
    for (const end = at + runs[k + 1]!; at < end; v += runs[k + 2]!) res[at++] = v;
  }
  return res;
}
