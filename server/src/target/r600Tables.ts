/**
 * TargetTables of R600, the other target of LLVM's AMDGPU back end: a few hundred opcodes and registers as explicit lists (follows what MCRegisterInfo,
 * TargetRegisterInfo and MCInstrInfo answer). Read when a file of R600 is met.
 *
 * What only AMDGCN has is empty here: register banks, masks, flags of opcodes (TSFlags mean something else), names of operands, mappings.
 */
import type { ArrayStore } from './arrayStore.js';
import { listArrays, Pieces, type IntLists } from './packed.js';
import type { TableTexts } from './tableTexts.js';
import type { Opcode, PhysReg, RegClassId, RegUnit, SubRegIdx, TargetTables } from './api.js';

/** Parts of R600_TABLES in their order (server/tools/pack/r600.ts). */
const enum Part {
  OpcodeNames,
  NumDefs,
  Size,
  FlagsLo,
  FlagsHi,
  OpList,
  ImplicitUses,
  ImplicitDefs,
  OpListLength,
  OpRegClass,
  OpFlags,
  OpType,
  OpTiedTo,
  OpEarlyClobber,
  ImplicitLists,
  RegNames,
  RegEncoding,
  RegFlags,
  MinimalClass,
  RegUnits,
  UnitLanesLo,
  UnitLanesHi,
  SubRegs,
  Reserved,
  UnitRoots,
  UnitWeight,
  UnitPressureSets,
  IndexNames,
  IndexOffset,
  IndexSize,
  IndexLanesLo,
  IndexLanesHi,
  Compose,
  ClassNames,
  ClassRegs,
  ClassBits,
  SpillSize,
  SpillAlign,
  CopyCost,
  Allocatable,
  ClassLanesLo,
  ClassLanesHi,
  ClassWeight,
  WeightLimit,
  ClassPressureSets,
  SubClasses,
  SuperClasses,
  Projections,
  SubRegClasses,
  PressureSetNames,
  FeatureNames,
  FeatureTexts,
  FeatureImplies,
  CpuNames,
  CpuFeatures,
}

/** Flags of a register in the table. */
const enum RegFlag {
  Constant = 1,
  Artificial = 2,
  InAllocatableClass = 4,
}

/** Numbers by name; `spell` makes MIR's spelling of it. */
function numberNames(names: readonly string[], spell = (name: string): string => name): ReadonlyMap<string, number> {
  return new Map(names.map((name, i) => [spell(name), i]));
}

const lower = (name: string): string => name.toLowerCase();

/** Sub-registers of a register or classes of a class, by index. */
type ByIndex = ReadonlyMap<SubRegIdx, number>;

/** The packed text: a base class, since the columns below are made of it. */
class R600Parts {
  readonly llvmVersion: string;
  readonly store: ArrayStore;
  protected readonly parts: Pieces;

  constructor(texts: TableTexts) {
    this.llvmVersion = texts.text('LLVM_VERSION');
    this.store = texts.store;
    this.parts = texts.pieces('R600_TABLES');
  }
}

export class R600Tables extends R600Parts implements TargetTables {
  readonly isAMDGCN = false;

  // -- opcodes
  private readonly opcodeNames = this.strings(Part.OpcodeNames);
  private readonly opcodes = numberNames(this.opcodeNames);
  readonly nOpcodes = this.opcodeNames.length;
  private readonly numDefs = this.ints(Part.NumDefs);
  private readonly sizes = this.ints(Part.Size);
  private readonly flagsLo = this.ints(Part.FlagsLo);
  private readonly flagsHi = this.ints(Part.FlagsHi);
  private readonly opList = this.ints(Part.OpList);
  private readonly usesOf = this.ints(Part.ImplicitUses);
  private readonly defsOf = this.ints(Part.ImplicitDefs);
  private readonly listLength = this.ints(Part.OpListLength);
  private readonly listBegin = this.listLength.map((_, i) => this.listLength.subarray(0, i).reduce((a, b) => a + b, 0));
  readonly opInfoRegClass = this.parts.reader(Part.OpRegClass).int16s();
  readonly opInfoFlags = this.parts.reader(Part.OpFlags).uint8s();
  readonly opInfoType = this.parts.reader(Part.OpType).uint8s();
  readonly opInfoTiedTo = this.parts.reader(Part.OpTiedTo).int8s();
  readonly opInfoEarlyClobber = this.parts.reader(Part.OpEarlyClobber).uint8s();
  private readonly implicit = this.arrays(Part.ImplicitLists);

  // -- registers; the names of the table begin with register 1
  private readonly regNames = ['NoRegister', ...this.strings(Part.RegNames)];
  private readonly mirNames = this.regNames.map((name, i) => (i === 0 ? 'noreg' : lower(name)));
  private readonly regs = numberNames(this.mirNames);
  readonly nRegs = this.regNames.length;
  private readonly encoding = this.ints(Part.RegEncoding);
  private readonly regFlags = this.ints(Part.RegFlags);
  private readonly minimal = this.ints(Part.MinimalClass);
  private readonly units = this.lists(Part.RegUnits);
  readonly unitBegin = Uint16Array.of(0, ...this.units.begin.subarray(0, this.nRegs - 1));
  readonly unitEnd = Uint16Array.of(0, ...this.units.begin.subarray(1, this.nRegs));
  readonly unitList = Uint16Array.from(this.units.values);
  readonly unitLaneLo = Uint32Array.from(this.lists(Part.UnitLanesLo).values);
  readonly unitLaneHi = Uint32Array.from(this.lists(Part.UnitLanesHi).values);
  private readonly subRegPairs = this.arrays(Part.SubRegs);
  private readonly subRegLists: readonly (readonly PhysReg[])[] = [
    [],
    ...this.subRegPairs.map((l) => l.filter((_, i) => i % 2 === 1)),
  ];
  private readonly superRegLists: readonly (readonly PhysReg[])[] = this.invert();
  private readonly roots = this.arrays(Part.UnitRoots);
  private readonly unitWeight = this.ints(Part.UnitWeight);
  private readonly unitSets = this.arrays(Part.UnitPressureSets);
  readonly nRegUnits = this.unitWeight.length;
  readonly artificialUnits = new Uint32Array((this.nRegUnits + 31) >>> 5);
  /** registers that no function may allocate (R600RegisterInfo::getReservedRegs without stack objects) */
  readonly reserved: readonly PhysReg[] = Array.from(this.ints(Part.Reserved));

  // -- sub-register indices; 0 is none
  private readonly indexNames = ['', ...this.strings(Part.IndexNames)];
  private readonly indices = numberNames(this.indexNames);
  readonly nSubRegIndices = this.indexNames.length;
  readonly subRegOffset = this.parts.reader(Part.IndexOffset).uint16s();
  readonly subRegSize = this.parts.reader(Part.IndexSize).uint16s();
  readonly subRegLaneLo = this.parts.reader(Part.IndexLanesLo).uint32s();
  readonly subRegLaneHi = this.parts.reader(Part.IndexLanesHi).uint32s();
  private readonly compose = this.ints(Part.Compose);

  // -- classes
  private readonly classNames = this.strings(Part.ClassNames);
  private readonly classes = numberNames(this.classNames, lower);
  readonly nRegClasses = this.classNames.length;
  private readonly members = this.arrays(Part.ClassRegs);
  private readonly memberSets = this.members.map((m) => new Set(m));
  readonly regClassBits = this.parts.reader(Part.ClassBits).uint16s();
  private readonly spillSize = this.ints(Part.SpillSize);
  private readonly spillAlign = this.ints(Part.SpillAlign);
  private readonly copyCost = this.ints(Part.CopyCost);
  private readonly allocatable = this.ints(Part.Allocatable);
  readonly regClassLaneLo = this.parts.reader(Part.ClassLanesLo).uint32s();
  readonly regClassLaneHi = this.parts.reader(Part.ClassLanesHi).uint32s();
  readonly regClassKind = new Uint8Array(this.nRegClasses);
  readonly regClassWeight = this.parts.reader(Part.ClassWeight).uint8s();
  private readonly weightLimit = this.ints(Part.WeightLimit);
  private readonly classSets = this.arrays(Part.ClassPressureSets);
  private readonly subClasses = this.arrays(Part.SubClasses).map((l) => new Set(l));
  private readonly superLists = this.arrays(Part.SuperClasses);
  private readonly projections = this.arrays(Part.Projections);
  /** by class: class of the sub-registers with an index; largest sub-class whose members have the index */
  private readonly partClass: readonly ByIndex[] = this.ofTriples(1);
  private readonly withPart: readonly ByIndex[] = this.ofTriples(2);
  readonly pressureSetNames = this.strings(Part.PressureSetNames);
  readonly nRegBanks = 0;

  // -- processors
  readonly featureNames = this.strings(Part.FeatureNames);
  readonly featureTexts = this.parts.reader(Part.FeatureTexts).string().split('~');
  readonly featureImplies = this.arrays(Part.FeatureImplies);
  readonly cpuNames = this.strings(Part.CpuNames);
  readonly cpuFeatures = this.arrays(Part.CpuFeatures);

  private strings(part: Part): readonly string[] {
    return this.parts.reader(part).strings();
  }
  private ints(part: Part): Int32Array {
    return this.parts.reader(part).ints();
  }
  private lists(part: Part): IntLists {
    return this.parts.reader(part).lists();
  }
  private arrays(part: Part): readonly (readonly number[])[] {
    return listArrays(this.lists(part));
  }
  private invert(): readonly (readonly PhysReg[])[] {
    const supers = this.subRegLists.map((): PhysReg[] => []);
    this.subRegLists.forEach((subs, reg) => subs.forEach((sub) => supers[sub]!.push(reg)));
    return supers;
  }
  private ofTriples(column: 1 | 2): readonly ByIndex[] {
    return this.arrays(Part.SubRegClasses).map((l) => {
      const map = new Map<SubRegIdx, number>();
      for (let i = 0; i < l.length; i += 3) map.set(l[i]!, l[i + column]!);
      return map;
    });
  }

  // -- registers ----------------------------------------------------------------------------------------------------

  regName(reg: PhysReg): string {
    return this.mirNames[reg] ?? '';
  }
  regEnumName(reg: PhysReg): string {
    return this.regNames[reg] ?? '';
  }
  regAsmName(reg: PhysReg): string {
    return reg === 0 ? '' : this.regEnumName(reg);
  }
  regByName(name: string): PhysReg {
    return this.regs.get(name) ?? -1;
  }
  regByNameAt(text: string, start: number, end: number): PhysReg {
    return this.regByName(text.slice(start, end));
  }
  regEncoding(reg: PhysReg): number {
    return this.encoding[reg - 1] ?? 0;
  }
  private hasFlag(reg: PhysReg, flag: RegFlag): boolean {
    return ((this.regFlags[reg - 1] ?? 0) & flag) !== 0;
  }
  unitLaneBegin(reg: PhysReg): number {
    return this.unitBegin[reg]!;
  }
  regUnitName(unit: RegUnit): string {
    return this.regUnitRoots(unit)
      .map((r) => this.regEnumName(r))
      .join('~');
  }
  regUnitRoots(unit: RegUnit): readonly PhysReg[] {
    return this.roots[unit]!;
  }
  regUnitPressureSets(unit: RegUnit): readonly number[] {
    return this.unitSets[unit]!;
  }
  regUnitWeight(unit: RegUnit): number {
    return this.unitWeight[unit]!;
  }
  getSubReg(reg: PhysReg, idx: SubRegIdx): PhysReg {
    const parts = this.subRegPairs[reg - 1] ?? [];
    for (let i = 0; i < parts.length; i += 2) if (parts[i] === idx) return parts[i + 1]!;
    return 0;
  }
  getSubRegIndex(reg: PhysReg, sub: PhysReg): SubRegIdx {
    const parts = this.subRegPairs[reg - 1] ?? [];
    for (let i = 0; i < parts.length; i += 2) if (parts[i + 1] === sub) return parts[i]!;
    return 0;
  }
  getMatchingSuperReg(reg: PhysReg, idx: SubRegIdx, rc: RegClassId): PhysReg {
    return this.superRegs(reg).find((s) => this.classContains(rc, s) && this.getSubReg(s, idx) === reg) ?? 0;
  }
  subRegs(reg: PhysReg): readonly PhysReg[] {
    return this.subRegLists[reg] ?? [];
  }
  superRegs(reg: PhysReg): readonly PhysReg[] {
    return this.superRegLists[reg] ?? [];
  }
  isSubRegister(reg: PhysReg, sub: PhysReg): boolean {
    return this.subRegs(reg).includes(sub);
  }
  regsOverlap(a: PhysReg, b: PhysReg): boolean {
    if (a === b) return true;
    const units = this.unitList.subarray(this.unitBegin[b], this.unitEnd[b]);
    return this.unitList.subarray(this.unitBegin[a], this.unitEnd[a]).some((u) => units.includes(u));
  }
  isConstantPhysReg(reg: PhysReg): boolean {
    return this.hasFlag(reg, RegFlag.Constant);
  }
  isArtificialReg(reg: PhysReg): boolean {
    return this.hasFlag(reg, RegFlag.Artificial);
  }
  numberedRegs(prefix: string): Uint16Array {
    const regs: PhysReg[] = [];
    for (let r = this.regByName(`${prefix}0`); r > 0; r = this.regByName(`${prefix}${regs.length}`)) regs.push(r);
    return Uint16Array.from(regs);
  }
  isInAllocatableClass(reg: PhysReg): boolean {
    return this.hasFlag(reg, RegFlag.InAllocatableClass);
  }
  getMinimalPhysRegClass(reg: PhysReg): RegClassId {
    return this.minimal[reg - 1] ?? -1;
  }

  // -- sub-register indices -----------------------------------------------------------------------------------------

  subRegIndexName(idx: SubRegIdx): string {
    return this.indexNames[idx] ?? '';
  }
  subRegIndexByName(name: string): SubRegIdx {
    return name === '' ? -1 : (this.indices.get(name) ?? -1);
  }
  composeSubRegIndices(a: SubRegIdx, b: SubRegIdx): SubRegIdx {
    if (a === 0) return b;
    return b === 0 ? a : (this.compose[(a - 1) * (this.nSubRegIndices - 1) + b - 1] ?? 0);
  }

  // -- classes ------------------------------------------------------------------------------------------------------

  regClassName(rc: RegClassId): string {
    return this.classNames[rc] ?? '';
  }
  regClassByName(name: string): RegClassId {
    return this.classes.get(name) ?? -1;
  }
  regClassByNameAt(text: string, start: number, end: number): RegClassId {
    return this.regClassByName(text.slice(start, end));
  }
  regClassMirName(rc: RegClassId): string {
    return lower(this.regClassName(rc));
  }
  regClassWeightLimit(rc: RegClassId): number {
    return this.weightLimit[rc]!;
  }
  regClassPressureSets(rc: RegClassId): readonly number[] {
    return this.classSets[rc]!;
  }
  isBaseClass(): boolean {
    return false;
  }
  isAllocatableClass(rc: RegClassId): boolean {
    return this.allocatable[rc] === 1;
  }
  classContains(rc: RegClassId, reg: PhysReg): boolean {
    return this.memberSets[rc]?.has(reg) === true;
  }
  classRegs(rc: RegClassId): Uint16Array {
    return Uint16Array.from(this.members[rc] ?? []);
  }
  hasSubClassEq(rc: RegClassId, sub: RegClassId): boolean {
    return this.subClasses[rc]?.has(sub) === true;
  }
  getCommonSubClass(a: RegClassId, b: RegClassId): RegClassId {
    if (a === b) return a;
    for (let rc = 0; rc < this.nRegClasses; rc++) if (this.hasSubClassEq(a, rc) && this.hasSubClassEq(b, rc)) return rc;
    return -1;
  }
  getSubClassWithSubReg(rc: RegClassId, idx: SubRegIdx): RegClassId {
    return idx === 0 ? rc : (this.withPart[rc]?.get(idx) ?? -1);
  }
  getSubRegisterClass(rc: RegClassId, idx: SubRegIdx): RegClassId {
    return idx === 0 ? rc : (this.partClass[rc]?.get(idx) ?? -1);
  }
  getMatchingSuperRegClass(a: RegClassId, b: RegClassId, idx: SubRegIdx): RegClassId {
    // Pairs in ascending order of the class within an index: the first that is a sub-class is the largest.
    const pairs = this.projections[b] ?? [];
    for (let i = 0; i < pairs.length; i += 2)
      if (pairs[i] === idx && this.hasSubClassEq(a, pairs[i + 1]!)) return pairs[i + 1]!;
    return -1;
  }
  superRegIndices(): readonly SubRegIdx[] {
    return [];
  }
  superClasses(rc: RegClassId): readonly RegClassId[] {
    return this.superLists[rc] ?? [];
  }
  regClassSpillSize(rc: RegClassId): number {
    return this.spillSize[rc]!;
  }
  regClassSpillAlign(rc: RegClassId): number {
    return this.spillAlign[rc]!;
  }
  regClassCopyCost(rc: RegClassId): number {
    return this.copyCost[rc]!;
  }
  regClassAllocationPriority(): number {
    return 0;
  }
  regClassGlobalPriority(): boolean {
    return false;
  }
  isSGPRClass(): boolean {
    return false;
  }
  hasVGPRs(): boolean {
    return false;
  }
  hasAGPRs(): boolean {
    return false;
  }
  hasSGPRs(): boolean {
    return false;
  }
  regBankByName(): number {
    return -1;
  }
  regBankName(): string {
    return '';
  }
  regBankCovers(): boolean {
    return false;
  }
  readonly nRegMasks = 0;
  regMaskByName(): number {
    return -1;
  }
  regMaskName(): string {
    return '';
  }
  regMaskBits(): Uint32Array {
    return new Uint32Array((this.nRegs + 31) >> 5);
  }

  // -- opcodes ------------------------------------------------------------------------------------------------------

  opcodeName(opc: Opcode): string {
    return this.opcodeNames[opc] ?? '';
  }
  opcodeByName(name: string): Opcode {
    return this.opcodes.get(name) ?? -1;
  }
  opcodeByNameAt(text: string, start: number, end: number): Opcode {
    return this.opcodeByName(text.slice(start, end));
  }
  opInfoBegin(opc: Opcode): number {
    return this.listBegin[this.opList[opc]!]!;
  }
  opcodeNumOperands(opc: Opcode): number {
    return this.listLength[this.opList[opc]!]!;
  }
  opcodeNumDefs(opc: Opcode): number {
    return this.numDefs[opc]!;
  }
  opcodeFlagsLo(opc: Opcode): number {
    return this.flagsLo[opc]! >>> 0;
  }
  opcodeFlagsHi(opc: Opcode): number {
    return this.flagsHi[opc]! >>> 0;
  }
  opcodeTSLo(): number {
    return 0;
  }
  opcodeTSHi(): number {
    return 0;
  }
  opcodeSchedClass(): number {
    return 0;
  }
  opcodeSize(opc: Opcode): number {
    return this.sizes[opc]!;
  }
  implicitDefs(opc: Opcode): readonly PhysReg[] {
    return this.implicit[this.defsOf[opc]!]!;
  }
  implicitUses(opc: Opcode): readonly PhysReg[] {
    return this.implicit[this.usesOf[opc]!]!;
  }
  getNamedOperandIdx(): number {
    return -1;
  }
  getNamedOperandIdxs(_opc: Opcode, names: readonly string[]): Int16Array {
    return new Int16Array(names.length).fill(-1);
  }
  operandName(): string {
    return '';
  }
  mapOpcode(): Opcode {
    return -1;
  }
}
