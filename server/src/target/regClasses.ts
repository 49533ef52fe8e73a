/**
 * Register classes of AMDGPU (follows TargetRegisterInfo and SIRegisterInfo).
 *
 * A class has bit sets of its sub-classes, made at once, and of its members, made when first asked.
 */
import { CLASSES, SUB_REG_CLASSES } from './generated/classes.js';
import { MINIMAL_CLASSES } from './generated/registers.js';
import { NameIndex } from './nameIndex.js';
import { listAt, PackReader, type IntLists } from './packed.js';
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
  members: IntLists;
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
  sets: IntLists;
  /** bit set of sub-classes (with itself) by class, `subWords` words each */
  subClassBits: Uint32Array;
  subWords: number;
  superClasses: IntLists;
  superRegIndices: IntLists;
  pressureSetNames: readonly string[];
  bankNames: readonly string[];
  bankCovers: IntLists;
}

/** Everything about register classes, on top of the registers. */
export class RegClassTables extends RegisterTables {
  private classColumns: ClassColumns | undefined;
  private classIndex: NameIndex | undefined;
  private readonly memberBits: (Uint32Array | undefined)[] = [];
  private readonly memberLists: (Uint16Array | undefined)[] = [];
  private subRegClasses: { cls: Int16Array; sub: Int16Array } | undefined;
  private minimal: Int32Array | undefined;
  private readonly matchCache = new Map<number, number>();

  private get classes(): ClassColumns {
    return (this.classColumns ??= readClasses());
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
    if (this.classIndex === undefined) {
      const n = this.nRegClasses;
      this.classIndex = new NameIndex((i) => this.regClassMirName(i), n);
      for (let i = 0; i < n; i++) this.classIndex.add(i);
    }
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
  /** RegClassWeight::WeightLimit */
  regClassWeightLimit(rc: RegClassId): number {
    return this.classes.weightLimit[rc]!;
  }
  get pressureSetNames(): readonly string[] {
    return this.classes.pressureSetNames;
  }
  regClassPressureSets(rc: RegClassId): readonly number[] {
    const c = this.classes;
    return Array.from(listAt(c.sets, c.setOf[rc]!));
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
  regClassTSFlags(rc: RegClassId): number {
    return this.classes.tsFlags[rc]!;
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
    return (this.memberLists[rc] ??= expandRanges(listAt(this.classes.members, rc)));
  }

  hasSubClassEq(rc: RegClassId, sub: RegClassId): boolean {
    const c = this.classes;
    return ((c.subClassBits[rc * c.subWords + (sub >> 5)]! >>> (sub & 31)) & 1) !== 0;
  }
  getCommonSubClass(a: RegClassId, b: RegClassId): RegClassId {
    if (a === b) return a;
    const { subClassBits, subWords } = this.classes;
    for (let w = 0; w < subWords; w++) {
      const common = subClassBits[a * subWords + w]! & subClassBits[b * subWords + w]!;
      if (common !== 0) return w * 32 + 31 - Math.clz32(common & -common);
    }
    return -1;
  }
  superClasses(rc: RegClassId): readonly RegClassId[] {
    return Array.from(listAt(this.classes.superClasses, rc));
  }
  /** Indices that classes have whose sub-register classes include `rc` (getSuperRegIndices). */
  superRegIndices(rc: RegClassId): readonly SubRegIdx[] {
    return Array.from(listAt(this.classes.superRegIndices, rc));
  }

  private get subRegClassTable(): { cls: Int16Array; sub: Int16Array } {
    if (this.subRegClasses === undefined) {
      const r = new PackReader(SUB_REG_CLASSES);
      const idxOf = r.ints();
      const idxLists = r.lists();
      const classes = r.ints();
      const subs = r.ints();
      const n = this.nSubRegIndices;
      const cls = new Int16Array(idxOf.length * n).fill(-1);
      const sub = new Int16Array(idxOf.length * n).fill(-1);
      let at = 0;
      for (let rc = 0; rc < idxOf.length; rc++) {
        const list = idxOf[rc]!;
        for (let k = idxLists.begin[list]!; k < idxLists.begin[list + 1]!; k++, at++) {
          const cell = rc * n + idxLists.values[k]!;
          cls[cell] = classes[at]!;
          // -1: the class itself, -2: none
          const s = subs[at]!;
          sub[cell] = s === -1 ? rc : s < 0 ? -1 : s;
        }
      }
      this.subRegClasses = { cls, sub };
    }
    return this.subRegClasses;
  }
  getSubClassWithSubReg(rc: RegClassId, idx: SubRegIdx): RegClassId {
    if (idx === 0) return rc;
    return this.subRegClassTable.sub[rc * this.nSubRegIndices + idx]!;
  }
  getSubRegisterClass(rc: RegClassId, idx: SubRegIdx): RegClassId {
    if (idx === 0) return rc;
    return this.subRegClassTable.cls[rc * this.nSubRegIndices + idx]!;
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
    const { subClassBits, subWords, superRegIndices } = this.classes;
    let res = -1;
    const mayProject = idx !== 0 && listAt(superRegIndices, b).includes(idx);
    search: for (let w = 0; mayProject && w < subWords; w++) {
      for (let bits = subClassBits[a * subWords + w]!; bits !== 0; bits &= bits - 1) {
        const c = w * 32 + 31 - Math.clz32(bits & -bits);
        if (this.getSubClassWithSubReg(c, idx) !== c) continue;
        const sub = this.getSubRegisterClass(c, idx);
        if (sub >= 0 && this.hasSubClassEq(b, sub) && this.projectsInto(c, idx, b)) {
          res = c;
          break search;
        }
      }
    }
    this.matchCache.set(key, res);
    return res;
  }

  private projectsInto(c: RegClassId, idx: SubRegIdx, b: RegClassId): boolean {
    for (const reg of this.classRegs(c)) if (!this.classContains(b, this.getSubReg(reg, idx))) return false;
    return true;
  }

  getMatchingSuperReg(reg: PhysReg, idx: SubRegIdx, rc: RegClassId): PhysReg {
    for (const sup of this.superRegs(reg))
      if (this.classContains(rc, sup) && this.getSubReg(sup, idx) === reg) return sup;
    return 0;
  }

  getMinimalPhysRegClass(reg: PhysReg): RegClassId {
    this.minimal ??= new PackReader(MINIMAL_CLASSES).ints();
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
  /** RegisterBank::covers */
  regBankCovers(bank: number, rc: RegClassId): boolean {
    const ranges = listAt(this.classes.bankCovers, bank);
    for (let k = 0; k < ranges.length; k += 2) if (rc >= ranges[k]! && rc < ranges[k]! + ranges[k + 1]!) return true;
    return false;
  }
}

function readClasses(): ClassColumns {
  const r = new PackReader(CLASSES);
  const names = r.strings();
  const members = r.lists();
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
  const sets = r.lists();
  const subClasses = r.lists();
  const superClasses = r.lists();
  const superRegIndices = r.lists();
  const pressureSetNames = r.strings();
  const bankNames = r.strings().map((n) => n.toLowerCase());
  const bankCovers = r.lists();
  const subWords = (names.length + 31) >> 5;
  const subClassBits = new Uint32Array(names.length * subWords);
  for (let c = 0; c < names.length; c++)
    for (let k = subClasses.begin[c]!; k < subClasses.begin[c + 1]!; k += 2)
      for (let s = subClasses.values[k]!, end = s + subClasses.values[k + 1]!; s < end; s++)
        subClassBits[c * subWords + (s >> 5)]! |= 1 << (s & 31);
  return {
    names,
    lower: [],
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
    subClassBits,
    subWords,
    superClasses,
    superRegIndices,
    pressureSetNames,
    bankNames,
    bankCovers,
  };
}

/** Members of [first, count, ...]. */
function expandRanges(ranges: Int32Array): Uint16Array {
  let n = 0;
  for (let k = 1; k < ranges.length; k += 2) n += ranges[k]!;
  const res = new Uint16Array(n);
  let at = 0;
  for (let k = 0; k < ranges.length; k += 2)
    for (let v = ranges[k]!, end = v + ranges[k + 1]!; v < end; v++) res[at++] = v;
  return res;
}
