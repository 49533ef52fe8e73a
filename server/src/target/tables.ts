/**
 * TargetTables: opcodes on top of register classes and registers, decoded lazily from `generated/`.
 *
 * 47,278 opcodes share about 6,700 descriptors, which share about 2,800 operand lists; columns by opcode are made
 * when first asked (about a millisecond), names one block of 16 at a time.
 */
import { storedArrays } from './arrayStore.js';
import { OPCODES, OPCODE_MAPS, OPCODE_NAMES } from './generated/opcodes.js';
import { NameIndex } from './nameIndex.js';
import { listAt, NameTable, PackReader, type IntLists } from './packed.js';
import { RegClassTables } from './regClasses.js';
import type { Opcode, OpcodeMap, OpName, PhysReg, TargetTables } from './api.js';

interface OpcodeColumns {
  descOf: Int32Array;
  numOperands: Uint8Array;
  numDefs: Uint8Array;
  size: Uint8Array;
  schedClass: Uint16Array;
  flagsLo: Uint32Array;
  flagsHi: Uint32Array;
  tsLo: Uint32Array;
  tsHi: Uint32Array;
  /** by descriptor */
  opListOf: Int32Array;
  usesOf: Int32Array;
  defsOf: Int32Array;
  /** by operand list: first operand */
  opListBegin: Int32Array;
  opRegClass: Int16Array;
  opFlags: Uint8Array;
  opType: Uint8Array;
  opTiedTo: Int8Array;
  opEarlyClobber: Uint8Array;
  /** by descriptor: list of (name, operand) pairs */
  namedOf: Int32Array;
  named: IntLists;
  implicit: IntLists;
  implicitCache: (readonly number[] | undefined)[];
  operandNames: readonly string[];
}

interface OpcodePairs {
  from: Int32Array;
  to: Int32Array;
}

class Tables extends RegClassTables implements TargetTables {
  private readonly names = new NameTable(new PackReader(OPCODE_NAMES));
  private opcodeIndex: NameIndex | undefined;
  private opcodeColumns: OpcodeColumns | undefined;
  private opNameIds: Map<string, number> | undefined;
  private maps: ReadonlyMap<string, OpcodePairs> | undefined;

  private get opc(): OpcodeColumns {
    return (this.opcodeColumns ??= readOpcodes());
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
    const index = (this.opcodeIndex ??= this.makeOpcodeIndex());
    const known = index.find(text, start, end);
    if (known >= 0) return known;
    const found = this.names.find(text, start, end);
    if (found >= 0) index.add(found);
    return found;
  }
  private makeOpcodeIndex(): NameIndex {
    const index = new NameIndex((n) => this.names.name(n), 1024);
    // The generic opcodes come first, in no order that a search could use.
    for (let i = 0; i < this.names.firstSorted; i++) index.add(i);
    return index;
  }

  get opcodeNumOperands(): Uint8Array {
    return this.opc.numOperands;
  }
  get opcodeNumDefs(): Uint8Array {
    return this.opc.numDefs;
  }
  get opcodeFlagsLo(): Uint32Array {
    return this.opc.flagsLo;
  }
  get opcodeFlagsHi(): Uint32Array {
    return this.opc.flagsHi;
  }
  get opcodeTSLo(): Uint32Array {
    return this.opc.tsLo;
  }
  get opcodeTSHi(): Uint32Array {
    return this.opc.tsHi;
  }
  get opcodeSchedClass(): Uint16Array {
    return this.opc.schedClass;
  }
  get opcodeSize(): Uint8Array {
    return this.opc.size;
  }
  opInfoBegin(opc: Opcode): number {
    const c = this.opc;
    return c.opListBegin[c.opListOf[c.descOf[opc]!]!]!;
  }
  get opInfoRegClass(): Int16Array {
    return this.opc.opRegClass;
  }
  get opInfoFlags(): Uint8Array {
    return this.opc.opFlags;
  }
  get opInfoType(): Uint8Array {
    return this.opc.opType;
  }
  get opInfoTiedTo(): Int8Array {
    return this.opc.opTiedTo;
  }
  get opInfoEarlyClobber(): Uint8Array {
    return this.opc.opEarlyClobber;
  }
  implicitDefs(opc: Opcode): readonly PhysReg[] {
    const c = this.opc;
    return implicitList(c, c.defsOf[c.descOf[opc]!]!);
  }
  implicitUses(opc: Opcode): readonly PhysReg[] {
    const c = this.opc;
    return implicitList(c, c.usesOf[c.descOf[opc]!]!);
  }
  getNamedOperandIdx(opc: Opcode, name: OpName): number {
    const c = this.opc;
    this.opNameIds ??= new Map(c.operandNames.map((n, i) => [n, i]));
    const id = this.opNameIds.get(name);
    if (id === undefined) return -1;
    const { begin, values } = c.named;
    const list = c.namedOf[c.descOf[opc]!]!;
    for (let i = begin[list]!, end = begin[list + 1]!; i < end; i += 2) if (values[i] === id) return values[i + 1]!;
    return -1;
  }
  operandName(opc: Opcode, opIdx: number): OpName {
    const c = this.opc;
    const { begin, values } = c.named;
    const list = c.namedOf[c.descOf[opc]!]!;
    for (let i = begin[list]!, end = begin[list + 1]!; i < end; i += 2)
      if (values[i + 1] === opIdx) return c.operandNames[values[i]!]!;
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

function implicitList(c: OpcodeColumns, list: number): readonly number[] {
  return (c.implicitCache[list] ??= Array.from(listAt(c.implicit, list)));
}

function readOpcodes(): OpcodeColumns {
  const r = new PackReader(OPCODES);
  const descOf = r.ints();
  const dDefs = r.ints();
  const dSize = r.ints();
  const dSched = r.ints();
  const dFlagsLo = r.ints();
  const dFlagsHi = r.ints();
  const dTsLo = r.ints();
  const dTsHi = r.ints();
  const opListOf = r.ints();
  const namedOf = r.ints();
  const usesOf = r.ints();
  const defsOf = r.ints();
  const opListLength = r.ints();
  const opRegClass = r.int16s();
  const opFlags = r.uint8s();
  const opType = r.uint8s();
  const opTiedTo = r.int8s();
  const opEarlyClobber = r.uint8s();
  const named = r.lists();
  const implicit = r.lists();
  const operandNames = r.strings();
  const columns = storedArrays(
    'opcodes',
    ['opListBegin', 'numOperands', 'numDefs', 'size', 'schedClass', 'flagsLo', 'flagsHi', 'tsLo', 'tsHi'],
    spread,
  );
  return {
    ...columns,
    descOf,
    opListOf,
    usesOf,
    defsOf,
    opRegClass,
    opFlags,
    opType,
    opTiedTo,
    opEarlyClobber,
    namedOf,
    named,
    implicit,
    implicitCache: [],
    operandNames,
  };

  /** Columns by opcode from those by descriptor. */
  function spread() {
    const opListBegin = new Int32Array(opListLength.length);
    for (let i = 1; i < opListLength.length; i++) opListBegin[i] = opListBegin[i - 1]! + opListLength[i - 1]!;
    const n = descOf.length;
    const numOperands = new Uint8Array(n);
    const numDefs = new Uint8Array(n);
    const size = new Uint8Array(n);
    const schedClass = new Uint16Array(n);
    const flagsLo = new Uint32Array(n);
    const flagsHi = new Uint32Array(n);
    const tsLo = new Uint32Array(n);
    const tsHi = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      const d = descOf[i]!;
      numOperands[i] = opListLength[opListOf[d]!]!;
      numDefs[i] = dDefs[d]!;
      size[i] = dSize[d]!;
      schedClass[i] = dSched[d]!;
      flagsLo[i] = dFlagsLo[d]!;
      flagsHi[i] = dFlagsHi[d]!;
      tsLo[i] = dTsLo[d]!;
      tsHi[i] = dTsHi[d]!;
    }
    return { opListBegin, numOperands, numDefs, size, schedClass, flagsLo, flagsHi, tsLo, tsHi };
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
