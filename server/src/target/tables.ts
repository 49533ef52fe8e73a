/**
 * TargetTables: opcodes on top of register classes and registers, decoded lazily from `generated/`.
 *
 * 47,278 opcodes share about 6,700 descriptors, which share about 2,800 operand lists; columns by descriptor are made
 * when first asked, names one block at a time.
 */
import { NameIndex } from './nameIndex.js';
import { listAt, NameList, type PackReader, SortedNames, type IntLists } from './packed.js';
import { RegClassTables } from './regClasses.js';
import type { TableTexts } from './tableTexts.js';
import type { Opcode, OpcodeMap, OpName, PhysReg, TargetTables } from './api.js';

/** Parts of OPCODES in their order (server/tools/pack/instrs.ts): first columns by descriptor, then by operand. */
const enum Part {
  DescOf,
  NumDefs,
  Size,
  SchedClass,
  FlagsLo,
  FlagsHi,
  TSLo,
  TSHi,
  OpList,
  NamedList,
  ImplicitUses,
  ImplicitDefs,
  OpListLength,
  OpRegClass,
  OpFlags,
  OpType,
  OpTiedTo,
  OpEarlyClobber,
  NamedLists,
  ImplicitLists,
  OperandNames,
}

/** Columns by opcode, by descriptor and by operand, each made when first asked. */
interface OpcodeColumns {
  numOperands?: Uint8Array;
  numDefs?: Uint8Array;
  size?: Uint8Array;
  schedClass?: Uint16Array;
  flagsLo?: Uint32Array;
  flagsHi?: Uint32Array;
  tsLo?: Uint32Array;
  tsHi?: Uint32Array;
  opRegClass?: Int16Array;
  opFlags?: Uint8Array;
  opType?: Uint8Array;
  opTiedTo?: Int8Array;
  opEarlyClobber?: Uint8Array;
}

interface OpcodePairs {
  from: Int32Array;
  to: Int32Array;
}

class Tables extends RegClassTables implements TargetTables {
  readonly isAMDGCN = true;
  readonly reserved: readonly PhysReg[] = [];
  /** of pseudo instructions, the first opcodes */
  private readonly names: NameList;
  private readonly index: NameIndex;
  /** of the others */
  private realNames: SortedNames | undefined;
  readonly nOpcodes: number;
  private readonly parts = this.texts.pieces('OPCODES');
  /** descriptor by opcode */
  private readonly descOf = this.parts.reader(Part.DescOf).uint16s();
  private readonly partInts: (Int32Array | undefined)[] = [];
  private opBeginByDesc: Int32Array | undefined;
  private named: IntLists | undefined;
  private implicit: IntLists | undefined;
  private readonly implicitCache: (readonly number[] | undefined)[] = [];
  private operandNames: readonly string[] | undefined;
  private readonly columns: OpcodeColumns = {};
  private opNameIds: Map<string, number> | undefined;
  private readonly placesOfNames = new WeakMap<readonly OpName[], Int16Array>();
  private maps: ReadonlyMap<string, OpcodePairs> | undefined;

  constructor(texts: TableTexts, readsNamesBySize: boolean) {
    super(texts, readsNamesBySize);
    const r = texts.reader('OPCODE_NAMES');
    this.names = new NameList(r);
    this.index = new NameIndex(
      (n) => this.names.name(n),
      this.stored('opcodeSlots', () => this.names.makeSlots()),
    );
    this.nOpcodes = this.names.count + r.uint();
  }

  private ints(part: Part): Int32Array {
    return (this.partInts[part] ??= this.parts.reader(part).ints());
  }

  private get reals(): SortedNames {
    return (this.realNames ??= new SortedNames(this.texts.reader('REAL_OPCODE_NAMES')));
  }
  opcodeName(opc: Opcode): string {
    return opc < this.names.count ? this.names.name(opc) : this.reals.name(opc - this.names.count);
  }
  opcodeByName(name: string): Opcode {
    return this.opcodeByNameAt(name, 0, name.length);
  }
  /**
   * Opcode whose name is `text[start..end)`, or -1. Takes some microseconds: callers with many names keep the answers.
   */
  opcodeByNameAt(text: string, start: number, end: number): Opcode {
    const pseudo = this.index.find(text, start, end);
    if (pseudo >= 0) return pseudo;
    const real = this.reals.find(text, start, end);
    return real >= 0 ? this.names.count + real : -1;
  }
  opcodeNumOperands(opc: Opcode): number {
    return (this.columns.numOperands ??= this.numOperandsByDesc())[this.descOf[opc]!]!;
  }
  private numOperandsByDesc(): Uint8Array {
    return this.stored('numOperandsByDesc', () => {
      const lengths = this.ints(Part.OpListLength);
      return Uint8Array.from(this.ints(Part.OpList), (list) => lengths[list]!);
    });
  }
  opcodeNumDefs(opc: Opcode): number {
    return (this.columns.numDefs ??= this.parts.reader(Part.NumDefs).uint8s())[this.descOf[opc]!]!;
  }
  opcodeSchedClass(opc: Opcode): number {
    return (this.columns.schedClass ??= this.parts.reader(Part.SchedClass).uint16s())[this.descOf[opc]!]!;
  }
  opcodeSize(opc: Opcode): number {
    return (this.columns.size ??= this.parts.reader(Part.Size).uint8s())[this.descOf[opc]!]!;
  }
  opcodeFlagsLo(opc: Opcode): number {
    return (this.columns.flagsLo ??= this.words(Part.FlagsLo))[this.descOf[opc]!]!;
  }
  opcodeFlagsHi(opc: Opcode): number {
    return (this.columns.flagsHi ??= this.words(Part.FlagsHi))[this.descOf[opc]!]!;
  }
  opcodeTSLo(opc: Opcode): number {
    return (this.columns.tsLo ??= this.words(Part.TSLo))[this.descOf[opc]!]!;
  }
  opcodeTSHi(opc: Opcode): number {
    return (this.columns.tsHi ??= this.words(Part.TSHi))[this.descOf[opc]!]!;
  }
  private words(part: Part): Uint32Array {
    return this.parts.reader(part).uint32s();
  }
  opInfoBegin(opc: Opcode): number {
    return (this.opBeginByDesc ??= this.makeOpBegin())[this.descOf[opc]!]!;
  }
  private makeOpBegin(): Int32Array {
    return this.stored('opBeginByDesc', () => {
      const lengths = this.ints(Part.OpListLength);
      const begin = new Int32Array(lengths.length);
      for (let i = 1; i < lengths.length; i++) begin[i] = begin[i - 1]! + lengths[i - 1]!;
      return this.ints(Part.OpList).map((list) => begin[list]!);
    });
  }
  get opInfoRegClass(): Int16Array {
    return (this.columns.opRegClass ??= this.parts.reader(Part.OpRegClass).int16s());
  }
  get opInfoFlags(): Uint8Array {
    return (this.columns.opFlags ??= this.parts.reader(Part.OpFlags).uint8s());
  }
  get opInfoType(): Uint8Array {
    return (this.columns.opType ??= this.parts.reader(Part.OpType).uint8s());
  }
  get opInfoTiedTo(): Int8Array {
    return (this.columns.opTiedTo ??= this.parts.reader(Part.OpTiedTo).int8s());
  }
  get opInfoEarlyClobber(): Uint8Array {
    return (this.columns.opEarlyClobber ??= this.parts.reader(Part.OpEarlyClobber).uint8s());
  }
  implicitDefs(opc: Opcode): readonly PhysReg[] {
    return this.implicitList(this.ints(Part.ImplicitDefs)[this.descOf[opc]!]!);
  }
  implicitUses(opc: Opcode): readonly PhysReg[] {
    return this.implicitList(this.ints(Part.ImplicitUses)[this.descOf[opc]!]!);
  }
  private implicitList(list: number): readonly number[] {
    this.implicit ??= this.parts.reader(Part.ImplicitLists).lists();
    return (this.implicitCache[list] ??= Array.from(listAt(this.implicit, list)));
  }

  private get operandNameList(): readonly string[] {
    return (this.operandNames ??= this.parts.reader(Part.OperandNames).strings());
  }
  /** (name, operand) pairs of an opcode. */
  private namedPairs(opc: Opcode): Int32Array {
    this.named ??= this.parts.reader(Part.NamedLists).lists();
    return listAt(this.named, this.ints(Part.NamedList)[this.descOf[opc]!]!);
  }
  private opNameId(name: OpName): number | undefined {
    this.opNameIds ??= new Map(this.operandNameList.map((n, i) => [n, i]));
    return this.opNameIds.get(name);
  }
  getNamedOperandIdxs(opc: Opcode, names: readonly OpName[]): Int16Array {
    let places = this.placesOfNames.get(names);
    if (places === undefined) {
      places = new Int16Array(this.operandNameList.length).fill(-1);
      for (let i = 0; i < names.length; i++) {
        const id = this.opNameId(names[i]!);
        if (id !== undefined) places[id] = i;
      }
      this.placesOfNames.set(names, places);
    }
    const res = new Int16Array(names.length).fill(-1);
    const pairs = this.namedPairs(opc);
    for (let i = 0; i < pairs.length; i += 2) {
      const place = places[pairs[i]!]!;
      if (place >= 0) res[place] = pairs[i + 1]!;
    }
    return res;
  }
  getNamedOperandIdx(opc: Opcode, name: OpName): number {
    const id = this.opNameId(name);
    if (id === undefined) return -1;
    this.named ??= this.parts.reader(Part.NamedLists).lists();
    const { begin, values } = this.named;
    const list = this.ints(Part.NamedList)[this.descOf[opc]!]!;
    for (let i = begin[list]!, end = begin[list + 1]!; i < end; i += 2) if (values[i] === id) return values[i + 1]!;
    return -1;
  }
  operandName(opc: Opcode, opIdx: number): OpName {
    const pairs = this.namedPairs(opc);
    for (let i = 0; i < pairs.length; i += 2) if (pairs[i + 1] === opIdx) return this.operandNameList[pairs[i]!]!;
    return '';
  }
  mapOpcode(map: OpcodeMap, opc: Opcode): Opcode {
    this.maps ??= readMaps(this.texts.reader('OPCODE_MAPS'));
    const m = this.maps.get(map);
    if (m === undefined) return -1;
    // The sources are in ascending order.
    let lo = 0;
    let hi = m.from.length - 1;
    while (lo <= hi) {
      const mid = (lo + hi) >> 1;
      const v = m.from[mid]!;
      if (v === opc) return m.to[mid]!;
      if (v < opc) lo = mid + 1;
      else hi = mid - 1;
    }
    return -1;
  }
}

function readMaps(r: PackReader): ReadonlyMap<string, OpcodePairs> {
  const names = r.strings();
  r.uint();
  return new Map(names.map((name) => [name, { from: r.ints(), to: r.ints() }]));
}

/** The tables of AMDGCN in a release: a constant that is filled as it is used. */
export function makeTables(texts: TableTexts, readsNamesBySize = false): TargetTables {
  return new Tables(texts, readsNamesBySize);
}
