/**
 * TargetTables: opcodes on top of register classes and registers, decoded lazily from `generated/`.
 *
 * 47,278 opcodes share about 6,700 descriptors, which share about 2,800 operand lists; columns by opcode are made
 * when first asked (about a millisecond), names one block of 16 at a time.
 */
import { storedArray } from './arrayStore.js';
import { OPCODES, OPCODE_MAPS, OPCODE_NAMES } from './generated/opcodes.js';
import { NameIndex } from './nameIndex.js';
import { listAt, NameTable, PackReader, Pieces, type IntLists } from './packed.js';
import { RegClassTables } from './regClasses.js';
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

/** Columns by opcode and by operand, each made when first asked. */
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
  private readonly names: NameTable;
  private readonly genericSlots: Int32Array;
  private opcodeIndex: NameIndex | undefined;
  private readonly parts = new Pieces(OPCODES);
  private readonly partInts: (Int32Array | undefined)[] = [];
  private opBeginByDesc: Int32Array | undefined;
  private named: IntLists | undefined;
  private implicit: IntLists | undefined;
  private readonly implicitCache: (readonly number[] | undefined)[] = [];
  private operandNames: readonly string[] | undefined;
  private readonly columns: OpcodeColumns = {};
  private opNameIds: Map<string, number> | undefined;
  private maps: ReadonlyMap<string, OpcodePairs> | undefined;

  constructor() {
    super();
    const r = new PackReader(OPCODE_NAMES);
    this.names = new NameTable(r);
    this.genericSlots = r.ints();
  }

  private ints(part: Part): Int32Array {
    return (this.partInts[part] ??= this.parts.reader(part).ints());
  }

  get nOpcodes(): number {
    return this.names.count;
  }
  opcodeName(opc: Opcode): string {
    return this.names.name(opc);
  }
  opcodeByName(name: string): Opcode {
    return this.opcodeByNameAt(name, 0, name.length);
  }
  /** Opcode whose name is `text[start..end)`, or -1. No allocation once an opcode was seen. */
  opcodeByNameAt(text: string, start: number, end: number): Opcode {
    const index = (this.opcodeIndex ??= NameIndex.fromSlots(
      (n) => this.names.name(n),
      // Opcodes are added, and the slots may come from a store that is not to be written to.
      this.genericSlots.slice(),
      this.names.firstSorted,
    ));
    const known = index.find(text, start, end);
    if (known >= 0) return known;
    const found = this.names.find(text, start, end);
    if (found >= 0) index.add(found);
    return found;
  }
  get opcodeNumOperands(): Uint8Array {
    return (this.columns.numOperands ??= this.spread('numOperands', () => this.numOperandsByDesc(), Uint8Array));
  }
  private numOperandsByDesc(): Int32Array {
    const lengths = this.ints(Part.OpListLength);
    return this.ints(Part.OpList).map((list) => lengths[list]!);
  }
  get opcodeNumDefs(): Uint8Array {
    return (this.columns.numDefs ??= this.spread('numDefs', () => this.ints(Part.NumDefs), Uint8Array));
  }
  get opcodeFlagsLo(): Uint32Array {
    return (this.columns.flagsLo ??= this.spread('flagsLo', () => this.ints(Part.FlagsLo), Uint32Array));
  }
  get opcodeFlagsHi(): Uint32Array {
    return (this.columns.flagsHi ??= this.spread('flagsHi', () => this.ints(Part.FlagsHi), Uint32Array));
  }
  get opcodeTSLo(): Uint32Array {
    return (this.columns.tsLo ??= this.spread('tsLo', () => this.ints(Part.TSLo), Uint32Array));
  }
  get opcodeTSHi(): Uint32Array {
    return (this.columns.tsHi ??= this.spread('tsHi', () => this.ints(Part.TSHi), Uint32Array));
  }
  get opcodeSchedClass(): Uint16Array {
    return (this.columns.schedClass ??= this.spread('schedClass', () => this.ints(Part.SchedClass), Uint16Array));
  }
  get opcodeSize(): Uint8Array {
    return (this.columns.size ??= this.spread('size', () => this.ints(Part.Size), Uint8Array));
  }

  /** A column by opcode from one by descriptor. */
  private spread<T extends Uint8Array | Uint16Array | Uint32Array>(
    name: string,
    columnByDesc: () => Int32Array,
    type: new (length: number) => T,
  ): T {
    return storedArray(`opcodes.${name}`, () => {
      const descOf = this.ints(Part.DescOf);
      const byDesc = columnByDesc();
      const res = new type(descOf.length);
      for (let i = 0; i < descOf.length; i++) res[i] = byDesc[descOf[i]!]!;
      return res;
    });
  }

  opInfoBegin(opc: Opcode): number {
    return (this.opBeginByDesc ??= this.makeOpBegin())[this.ints(Part.DescOf)[opc]!]!;
  }
  private makeOpBegin(): Int32Array {
    return storedArray('opBeginByDesc', () => {
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
    return this.implicitList(this.ints(Part.ImplicitDefs)[this.ints(Part.DescOf)[opc]!]!);
  }
  implicitUses(opc: Opcode): readonly PhysReg[] {
    return this.implicitList(this.ints(Part.ImplicitUses)[this.ints(Part.DescOf)[opc]!]!);
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
    return listAt(this.named, this.ints(Part.NamedList)[this.ints(Part.DescOf)[opc]!]!);
  }
  getNamedOperandIdx(opc: Opcode, name: OpName): number {
    this.opNameIds ??= new Map(this.operandNameList.map((n, i) => [n, i]));
    const id = this.opNameIds.get(name);
    if (id === undefined) return -1;
    this.named ??= this.parts.reader(Part.NamedLists).lists();
    const { begin, values } = this.named;
    const list = this.ints(Part.NamedList)[this.ints(Part.DescOf)[opc]!]!;
    for (let i = begin[list]!, end = begin[list + 1]!; i < end; i += 2) if (values[i] === id) return values[i + 1]!;
    return -1;
  }
  operandName(opc: Opcode, opIdx: number): OpName {
    const pairs = this.namedPairs(opc);
    for (let i = 0; i < pairs.length; i += 2) if (pairs[i + 1] === opIdx) return this.operandNameList[pairs[i]!]!;
    return '';
  }
  mapOpcode(map: OpcodeMap, opc: Opcode): Opcode {
    this.maps ??= readMaps();
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

function readMaps(): ReadonlyMap<string, OpcodePairs> {
  const r = new PackReader(OPCODE_MAPS);
  const names = r.strings();
  r.uint();
  return new Map(names.map((name) => [name, { from: r.ints(), to: r.ints() }]));
}

let tables: Tables | undefined;

/** The tables of the modelled LLVM: one instance per process, a constant that is filled as it is used. */
export function targetTables(): TargetTables {
  return (tables ??= new Tables());
}
