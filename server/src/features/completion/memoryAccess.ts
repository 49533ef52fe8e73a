/** What an instruction touches in memory, by its opcode and by the registers of the line: type and address space of its memory operand. */
import { printLLT } from '../../model/llt.js';
import { isDS, isFLAT, isSMRD, type Opcode, type Subtarget, type TargetTables } from '../../target/index.js';
import type { FunctionScope } from './functionScope.js';
import type { InstrLine, OperandSpan } from './instrLine.js';

export interface MemoryAccess {
  /** `s32`, `<4 x s32>`, `p1` */
  readonly type: string;
  /** 0 = flat, or not known */
  readonly addressSpace: number;
}

const UNKNOWN: MemoryAccess = { type: 's32', addressSpace: 0 };

const FLAT = 0;
const GLOBAL = 1;
const LOCAL = 3;
const CONSTANT = 4;
const PRIVATE = 5;

/** Opcodes that touch less than their register holds say so: BUFFER_LOAD_UBYTE, DS_WRITE_B16, S_LOAD_I8; transposing loads name the parts of a whole. */
const NARROW: readonly (readonly [RegExp, string])[] = [
  [/_(?:[US]?BYTE|[UIB]8)(?:_|$)/, 's8'],
  [/_(?:[US]?SHORT|[UIB]16)(?:_|$)/, 's16'],
];
const TRANSPOSES = /_TR\d*_/;
const SPILL = /^SI_(?:SPILL|BLOCK_SPILL)_[A-Z]+(\d+)(?:_|$)/;
const DATA = ['vdst', 'sdst', 'vdata', 'data0', 'sdata', 'data'];

export function memoryAccess(line: InstrLine, scope: FunctionScope, st: Subtarget, opc: Opcode): MemoryAccess {
  if (opc < 0) return UNKNOWN;
  const name = st.tables.opcodeName(opc);
  return name.startsWith('G_')
    ? genericAccess(line, scope, name)
    : { type: dataType(st, opc), addressSpace: space(st.tables, opc) };
}

function space(tables: TargetTables, opc: Opcode): number {
  const name = tables.opcodeName(opc);
  if (isDS(tables, opc)) return LOCAL;
  if (isSMRD(tables, opc)) return CONSTANT;
  if (name.startsWith('SCRATCH_') || SPILL.test(name)) return PRIVATE;
  return isFLAT(tables, opc) && !name.startsWith('GLOBAL_') ? FLAT : GLOBAL;
}

const typeOfBits = (bits: number): string => (bits <= 64 ? `s${bits}` : `<${bits / 32} x s32>`);

/** The registers that are loaded or stored, as far as they are. */
function dataType(st: Subtarget, opc: Opcode): string {
  const { tables } = st;
  const name = tables.opcodeName(opc);
  const spilled = SPILL.exec(name);
  if (spilled !== null) return typeOfBits(Number(spilled[1]));
  const narrow = TRANSPOSES.test(name) ? undefined : NARROW.find(([pattern]) => pattern.test(name));
  if (narrow !== undefined) return narrow[1];
  for (const operand of DATA) {
    const k = tables.getNamedOperandIdx(opc, operand);
    const rc = k < 0 ? -1 : st.opInfoRegClass(opc, k);
    if (rc >= 0) return typeOfBits(tables.regClassBits[rc]!);
  }
  return UNKNOWN.type;
}

/** A generic access has the type of its value, one that extends about half of it, and the address space of its pointer. */
function genericAccess(line: InstrLine, scope: FunctionScope, name: string): MemoryAccess {
  const isStore = line.defs.length === 0;
  const value = typeOfRegister(line, scope, isStore ? line.operands[0] : line.defs[0]);
  const pointer = typeOfRegister(line, scope, line.operands[isStore ? 1 : 0]);
  const bits = /^G_[SZ]EXTLOAD$/.test(name) ? /^s(\d+)$/.exec(value) : null;
  return {
    type: bits === null ? value || UNKNOWN.type : `s${Number(bits[1]) / 2}`,
    addressSpace: Number(/^p(\d+)$/.exec(pointer)?.[1] ?? UNKNOWN.addressSpace),
  };
}

/** `s64` of `%1:_(s64)`, of `%1` what it has elsewhere; empty if it is not known. */
function typeOfRegister(line: InstrLine, scope: FunctionScope, span: OperandSpan | undefined): string {
  if (span === undefined || span.from >= span.to) return '';
  const text = line.text.slice(line.tokens[span.from]!.start, line.tokens[span.to - 1]!.end);
  const written = /\(([^()]*)\)$/.exec(text);
  if (written !== null) return written[1]!;
  const register = /%[\w.$-]+/.exec(text);
  const type = register === null ? null : (scope.vreg(register[0])?.type ?? null);
  return type === null ? '' : printLLT(type);
}
