/**
 * A small interpreter of straight-line code on four lanes: copies, integer instructions of the SALU and the VALU, LDS writes. Written from the ISA's description of each
 * opcode, the scalar ones apart from the vector ones, so that equal results say something.
 */
import { OperandKind, OpFlag, type MachineFunction } from '../../server/src/model/machineFunction.js';
import { isVirtualReg } from '../../server/src/model/register.js';

export const LANES = 4;
type Value = readonly number[];
type Operation = (a: number, b: number) => number;

const reversedBits = (a: number): number => {
  let r = 0;
  for (let k = 0; k < 32; k++) r |= ((a >>> k) & 1) << (31 - k);
  return r;
};
const product = (a: number, b: number, signed: boolean): bigint =>
  signed ? BigInt(a | 0) * BigInt(b | 0) : BigInt(a >>> 0) * BigInt(b >>> 0);
const high = (p: bigint): number => Number(BigInt.asIntN(32, p >> 32n));
const lowestOne = (a: number): number => (a === 0 ? -1 : 31 - Math.clz32(a & -a));
const highestOne = (a: number): number => (a === 0 ? -1 : Math.clz32(a));

/** Vector instructions: operands src0 and src1. */
const VECTOR: Readonly<Record<string, Operation>> = {
  V_MOV_B32: (a) => a,
  V_NOT_B32: (a) => ~a,
  V_BFREV_B32: (a) => reversedBits(a),
  V_FFBL_B32: (a) => lowestOne(a),
  V_FFBH_U32: (a) => highestOne(a),
  V_ADD_U32: (a, b) => a + b,
  V_SUB_U32: (a, b) => a - b,
  V_SUBREV_U32: (a, b) => b - a,
  V_MUL_LO_U32: (a, b) => Math.imul(a, b),
  V_MUL_HI_U32: (a, b) => high(product(a, b, false)),
  V_MUL_HI_I32: (a, b) => high(product(a, b, true)),
  V_AND_B32: (a, b) => a & b,
  V_OR_B32: (a, b) => a | b,
  V_XOR_B32: (a, b) => a ^ b,
  V_LSHLREV_B32: (a, b) => b << (a & 31),
  V_LSHRREV_B32: (a, b) => b >>> (a & 31),
  V_ASHRREV_I32: (a, b) => b >> (a & 31),
  V_MIN_I32: (a, b) => Math.min(a, b),
  V_MAX_I32: (a, b) => Math.max(a, b),
  V_MIN_U32: (a, b) => Math.min(a >>> 0, b >>> 0),
  V_MAX_U32: (a, b) => Math.max(a >>> 0, b >>> 0),
};

/** Scalar instructions: the operands behind the result; SCC is told apart below. */
const SCALAR: Readonly<Record<string, Operation>> = {
  S_MOV_B32: (a) => a,
  S_NOT_B32: (a) => a ^ -1,
  S_BREV_B32: (a) => reversedBits(a),
  S_FF1_I32_B32: (a) => lowestOne(a),
  S_FLBIT_I32_B32: (a) => highestOne(a),
  S_ADD_I32: (a, b) => b + a,
  S_SUB_I32: (a, b) => a - b,
  S_MUL_I32: (a, b) => Number(BigInt.asIntN(32, product(a, b, true))),
  S_MUL_HI_U32: (a, b) => high(product(a, b, false)),
  S_MUL_HI_I32: (a, b) => high(product(a, b, true)),
  S_AND_B32: (a, b) => a & b,
  S_OR_B32: (a, b) => a | b,
  S_XOR_B32: (a, b) => a ^ b,
  S_LSHL_B32: (a, b) => a << (b & 31),
  S_LSHR_B32: (a, b) => a >>> (b & 31),
  S_ASHR_I32: (a, b) => a >> (b & 31),
  S_MIN_I32: (a, b) => (a < b ? a : b),
  S_MAX_I32: (a, b) => (a > b ? a : b),
  S_MIN_U32: (a, b) => (a >>> 0 < b >>> 0 ? a : b),
  S_MAX_U32: (a, b) => (a >>> 0 > b >>> 0 ? a : b),
};

/** What the LDS writes of a function say, in order: address and data of each lane. `input` gives physical registers their values. */
export function runLanes(fn: MachineFunction, input: (name: string) => Value): string[] {
  const { tables } = fn;
  const values = new Map<number, Value>();
  const written: string[] = [];
  let scc = 0;
  const read = (o: number): Value => {
    if (fn.opKind[o] !== OperandKind.Register) return new Array<number>(LANES).fill(fn.opVal[o]!);
    const reg = fn.opVal[o]!;
    return isVirtualReg(reg) ? values.get(reg)! : input(tables.regName(reg));
  };
  for (let p = 0; p < fn.blockEnd[fn.blocks.length - 1]!; p++) {
    const i = fn.order[p]!;
    const begin = fn.opBegin[i]!;
    const name = tables.opcodeName(fn.opcode[i]!);
    const plain = name.replace(/_e(?:32|64)$/, '');
    const set = (value: Value): void =>
      void values.set(
        fn.opVal[begin]!,
        value.map((x) => x | 0),
      );
    const named = (operand: string): Value => {
      const idx = tables.getNamedOperandIdx(fn.opcode[i]!, operand);
      return idx < 0 ? [0, 0, 0, 0] : read(begin + idx);
    };
    const vector = VECTOR[plain];
    const scalar = SCALAR[name];
    if (name === 'COPY') set(read(begin + 1));
    else if (name === 'S_CMP_EQ_U32') scc = read(begin)[0] === read(begin + 1)[0] ? 1 : 0;
    else if (name === 'S_CSELECT_B32') set(scc === 1 ? read(begin + 1) : read(begin + 2));
    else if (name === 'V_READFIRSTLANE_B32') set(new Array<number>(LANES).fill(read(begin + 1)[0]!));
    else if (name === 'DS_WRITE_B32_gfx9' || name === 'DS_WRITE_B32')
      written.push(`${named('addr').join()} ${named('data0').join()}`);
    else if (vector) {
      const [a, b] = [named('src0'), named('src1')];
      set(a.map((x, lane) => vector(x, b[lane]!)));
    } else if (scalar) {
      const isUnary = fn.opKind[begin + 2] !== OperandKind.Immediate && !isSource(fn, begin + 2, fn.opBegin[i + 1]!);
      const [a, b] = [read(begin + 1)[0]!, isUnary ? 0 : read(begin + 2)[0]!];
      set(new Array<number>(LANES).fill(scalar(a, b)));
      // Whoever reads SCC afterwards must not get it from here.
      for (let o = begin; o < fn.opBegin[i + 1]!; o++)
        if (fn.opKind[o] === OperandKind.Register && tables.regName(Math.max(0, fn.opVal[o]!)) === 'scc') scc = 2;
    } else if (name !== 'S_ENDPGM') throw new Error(`the interpreter does not know ${name}`);
  }
  return written;
}

const isSource = (fn: MachineFunction, o: number, end: number): boolean =>
  o < end && fn.opKind[o] === OperandKind.Register && (fn.opFlags[o]! & (OpFlag.Def | OpFlag.Implicit)) === 0;
