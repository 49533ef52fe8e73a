/**
 * A small interpreter of four lanes: copies, instructions of the SALU and the VALU on 32 and 64 bits, LDS writes, uniform branches and the pseudos of divergent ones, PHIs. Written from the ISA's description of each
 * opcode, the scalar ones apart from the vector ones, so that equal results say something.
 */
import { OperandKind, OpFlag, type MachineFunction } from '../../server/src/model/machineFunction.js';
import { isVirtualReg } from '../../server/src/model/register.js';

export const LANES = 4;
type Value = readonly number[];
type Operation = (a: number, b: number, c: number) => number;
type WideOperation = (a: bigint, b: bigint, c: bigint) => bigint;

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

const floatOf = (bits: number): number => new Float32Array(new Uint32Array([bits]).buffer)[0]!;
const bitsOf = (value: number): number => new Int32Array(new Float32Array([value]).buffer)[0]!;
const leadingSigns = (a: number): number => (a === 0 || a === -1 ? -1 : Math.clz32(a < 0 ? ~a : a));
const wide = (a: bigint): bigint => BigInt.asUintN(64, a);

/** Vector instructions: operands src0, src1 and src2. */
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
  V_XNOR_B32: (a, b) => ~(a ^ b),
  V_LSHL_B32: (a, b) => a << (b & 31),
  V_LSHR_B32: (a, b) => a >>> (b & 31),
  V_ASHR_I32: (a, b) => a >> (b & 31),
  V_FFBH_I32: (a) => leadingSigns(a),
  V_BFM_B32: (a, b) => ((1 << (a & 31)) - 1) << (b & 31),
  V_BCNT_U32_B32: (a, b) => b + (a >>> 0).toString(2).replaceAll('0', '').length,
  V_BFE_U32: (a, b, c) => (a >>> (b & 31)) & ((1 << (c & 31)) - 1),
  V_BFE_I32: (a, b, c) => ((c & 31) === 0 ? 0 : ((a >> (b & 31)) << (32 - (c & 31))) >> (32 - (c & 31))),
  V_LSHL_ADD_U32: (a, b, c) => (a << (b & 31)) + c,
  V_ADD_F32: (a, b) => bitsOf(Math.fround(floatOf(a) + floatOf(b))),
  V_SUB_F32: (a, b) => bitsOf(Math.fround(floatOf(a) - floatOf(b))),
  V_SUBREV_F32: (a, b) => bitsOf(Math.fround(floatOf(b) - floatOf(a))),
  V_MUL_F32: (a, b) => bitsOf(Math.fround(floatOf(a) * floatOf(b))),
  V_TRUNC_F32: (a) => bitsOf(Math.trunc(floatOf(a))),
  V_CEIL_F32: (a) => bitsOf(Math.ceil(floatOf(a))),
  V_FLOOR_F32: (a) => bitsOf(Math.floor(floatOf(a))),
  V_CVT_F32_I32: (a) => bitsOf(Math.fround(a | 0)),
  V_CVT_F32_U32: (a) => bitsOf(Math.fround(a >>> 0)),
};

/** Vector instructions with a result of 64 bits; each takes the low bits of an operand that it wants. */
const WIDE_VECTOR: Readonly<Record<string, WideOperation>> = {
  V_MOV_B64: (a) => a,
  V_LSHLREV_B64: (a, b) => b << (a & 63n),
  V_LSHRREV_B64: (a, b) => wide(b) >> (a & 63n),
  V_ASHRREV_I64: (a, b) => BigInt.asIntN(64, b) >> (a & 63n),
  V_LSHL_B64: (a, b) => a << (b & 63n),
  V_LSHR_B64: (a, b) => wide(a) >> (b & 63n),
  V_ASHR_I64: (a, b) => BigInt.asIntN(64, a) >> (b & 63n),
  V_ADD_U64: (a, b) => a + b,
  V_SUB_U64: (a, b) => a - b,
  V_MUL_U64: (a, b) => a * b,
  V_LSHL_ADD_U64: (a, b, c) => (a << (b & 7n)) + c,
};

/** Vector sums whose carry goes to a mask: the exact sum of two words and, for the second half, the carry that comes in. */
const CARRIED: Readonly<Record<string, (a: number, b: number, carry: number) => number>> = {
  V_ADD_CO_U32: (a, b) => a + b,
  V_ADDC_U32: (a, b, carry) => a + b + carry,
  V_SUB_CO_U32: (a, b) => a - b,
  V_SUBB_U32: (a, b, carry) => a - b - carry,
  V_SUBREV_CO_U32: (a, b) => b - a,
  V_SUBBREV_U32: (a, b, carry) => b - a - carry,
};

/** Scalar instructions: the operands after the result; SCC is told apart below. */
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
  S_XNOR_B32: (a, b) => (a & b) | (~a & ~b),
  S_FLBIT_I32: (a) => {
    for (let k = 1; k < 32; k++) if (((a >>> (31 - k)) & 1) !== a >>> 31) return k;
    return -1;
  },
  S_BFM_B32: (a, b) => Number(BigInt.asIntN(32, ((1n << BigInt(a & 31)) - 1n) << BigInt(b & 31))),
  S_BCNT1_I32_B32: (a) => {
    let n = 0;
    for (let rest = a >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) n++;
    return n;
  },
  S_BFE_U32: (a, b) => Number((BigInt(a >>> 0) >> BigInt(b & 31)) & ((1n << BigInt((b >> 16) & 127)) - 1n)),
  S_BFE_I32: (a, b) => Number(BigInt.asIntN((b >> 16) & 127, BigInt(a | 0) >> BigInt(b & 31))),
  S_LSHL1_ADD_U32: (a, b) => a * 2 + b,
  S_LSHL2_ADD_U32: (a, b) => a * 4 + b,
  S_LSHL3_ADD_U32: (a, b) => a * 8 + b,
  S_LSHL4_ADD_U32: (a, b) => a * 16 + b,
  S_ADD_F32: (a, b) => bitsOf(floatOf(a) + floatOf(b)),
  S_SUB_F32: (a, b) => bitsOf(floatOf(a) - floatOf(b)),
  S_MUL_F32: (a, b) => bitsOf(floatOf(a) * floatOf(b)),
  S_TRUNC_F32: (a) => bitsOf(floatOf(a) < 0 ? -Math.floor(-floatOf(a)) : Math.floor(floatOf(a))),
  S_CEIL_F32: (a) => bitsOf(-Math.floor(-floatOf(a))),
  S_FLOOR_F32: (a) => bitsOf(-Math.ceil(-floatOf(a))),
  S_CVT_F32_I32: (a) => bitsOf(a | 0),
  S_CVT_F32_U32: (a) => bitsOf(a >>> 0),
};

/** Scalar instructions with a result of 64 bits. */
const WIDE_SCALAR: Readonly<Record<string, WideOperation>> = {
  S_MOV_B64: (a) => a,
  S_MOV_B64_IMM_PSEUDO: (a) => a,
  S_NOT_B64: (a) => a ^ -1n,
  S_LSHL_B64: (a, b) => a * 2n ** (b & 63n),
  S_LSHR_B64: (a, b) => wide(a) / 2n ** (b & 63n),
  S_ASHR_I64: (a, b) => BigInt.asIntN(64, a) >> (b & 63n),
  S_AND_B64: (a, b) => a & b,
  S_OR_B64: (a, b) => a | b,
  S_XOR_B64: (a, b) => a ^ b,
  S_XNOR_B64: (a, b) => ~a ^ b,
  S_ADD_U64: (a, b) => wide(a) + wide(b),
  S_SUB_U64: (a, b) => wide(a) - wide(b),
  S_MUL_U64: (a, b) => wide(a) * wide(b),
};

/** Scalar sums that write their carry into SCC, with the carry that they take from it. */
const SCALAR_CARRIED: Readonly<Record<string, (a: bigint, b: bigint, carry: bigint) => bigint>> = {
  S_ADD_U32: (a, b) => a + b,
  S_ADDC_U32: (a, b, carry) => a + b + carry,
  S_SUB_U32: (a, b) => a - b,
  S_SUBB_U32: (a, b, carry) => a - b - carry,
};

/** Compares of the VALU, whose result is a mask, and of the SALU, whose result is SCC. */
const VECTOR_COMPARES: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  V_CMP_LT_U32: (a, b) => a >>> 0 < b >>> 0,
  V_CMP_GE_U32: (a, b) => a >>> 0 >= b >>> 0,
  V_CMP_GT_U32: (a, b) => a >>> 0 > b >>> 0,
  V_CMP_LE_U32: (a, b) => a >>> 0 <= b >>> 0,
  V_CMP_EQ_U32: (a, b) => (a ^ b) === 0,
  V_CMP_NE_U32: (a, b) => (a ^ b) !== 0,
  V_CMP_LT_I32: (a, b) => (a | 0) < (b | 0),
  V_CMP_GT_I32: (a, b) => (a | 0) > (b | 0),
};
const SCALAR_COMPARES: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  S_CMP_EQ_U32: (a, b) => (a | 0) === (b | 0),
  S_CMP_LG_U32: (a, b) => (a | 0) !== (b | 0),
  S_CMP_LT_U32: (a, b) => b >>> 0 > a >>> 0,
  S_CMP_GT_U32: (a, b) => b >>> 0 < a >>> 0,
  S_CMP_LT_I32: (a, b) => BigInt(b | 0) > BigInt(a | 0),
  S_CMP_GT_I32: (a, b) => BigInt(b | 0) < BigInt(a | 0),
};

/** Instructions that may run before a function counts as endless. */
const MAX_STEPS = 5000;

/**
 * What the LDS writes of a function say, in order: address and data of each lane that runs. `input` gives physical registers their values. A lane keeps what it has in a vector
 * register while it is switched off; masks have a 0 or 1 for each lane.
 */
export function runLanes(fn: MachineFunction, input: (name: string) => Value): string[] {
  return new Machine(fn, input).run();
}

class Machine {
  /** of a virtual register its words */
  private readonly values = new Map<number, readonly Value[]>();
  private readonly written: string[] = [];
  private exec = new Array<number>(LANES).fill(1);
  /** 2 = what nobody may read */
  private scc = 0;
  private vcc: Value = new Array<number>(LANES).fill(0);

  constructor(
    private readonly fn: MachineFunction,
    private readonly input: (name: string) => Value,
  ) {}

  run(): string[] {
    const { fn } = this;
    let steps = 0;
    for (let block = 0, from = -1; block >= 0;) {
      let next = block + 1;
      let p = this.phis(block, from);
      for (; p < fn.blockEnd[block]!; p++) {
        if (++steps > MAX_STEPS) throw new Error('endless');
        const to = this.step(fn.order[p]!);
        if (to === 'end') return this.written;
        if (to < 0) continue;
        next = to;
        break;
      }
      [block, from] = [next, block];
    }
    return this.written;
  }

  /** The words of an operand, of the part that it names; of a constant two. */
  private words(o: number): readonly Value[] {
    const { fn } = this;
    if (fn.opKind[o] !== OperandKind.Register)
      return [fn.opVal[o]!, fn.opExt[o]!].map((word) => new Array<number>(LANES).fill(word));
    const reg = fn.opVal[o]!;
    if (!isVirtualReg(reg))
      return fn.tables
        .regName(reg)
        .split('_')
        .map((name) => this.input(name));
    const sub = fn.opSub[o]!;
    const all = this.values.get(reg) ?? nothing(fn, reg);
    if (sub === 0) return all;
    const first = fn.tables.subRegOffset[sub]! / 32;
    return all.slice(first, first + fn.tables.subRegSize[sub]! / 32);
  }

  /** The lowest word. */
  private read(o: number): Value {
    return this.words(o)[0]!;
  }

  /** As a number of 64 bits in each lane; of 32 bits where it has no more. */
  private readWide(o: number): readonly bigint[] {
    const [low, high] = this.words(o);
    return low!.map((x, lane) => BigInt(x >>> 0) | (BigInt(high?.[lane] ?? 0) << 32n));
  }

  /** Vector registers change in the lanes that run, all others as a whole. */
  private set(reg: number, ...words: readonly Value[]): void {
    const { fn, exec } = this;
    const old = this.values.get(reg) ?? nothing(fn, reg);
    const isVector = fn.tables.hasVGPRs(fn.vregs.regClass[~reg]!);
    this.values.set(
      reg,
      words.map((value, k) => value.map((x, lane) => (isVector && exec[lane] === 0 ? old[k]![lane]! : x | 0))),
    );
  }

  private setWide(reg: number, value: readonly bigint[]): void {
    const word = (shift: bigint): Value => value.map((x) => Number(BigInt.asIntN(32, x >> shift)));
    this.set(reg, word(0n), word(32n));
  }

  /** All at once, with what the edge from block `from` gives them; the place after them. */
  private phis(block: number, from: number): number {
    const { fn } = this;
    let p = fn.blockBegin[block]!;
    const found: [number, readonly Value[]][] = [];
    for (; p < fn.blockEnd[block]! && fn.tables.opcodeName(fn.opcode[fn.order[p]!]!) === 'PHI'; p++) {
      const i = fn.order[p]!;
      for (let o = fn.opBegin[i]! + 1; o < fn.opBegin[i + 1]!; o += 2)
        if (fn.opVal[o + 1] === from) found.push([fn.opVal[fn.opBegin[i]!]!, this.words(o)]);
    }
    for (const [reg, value] of found) this.set(reg, ...value);
    return p;
  }

  /** Block that it branches to, -1 = the next instruction. */
  private step(i: number): number | 'end' {
    const { fn, exec } = this;
    const { tables } = fn;
    const begin = fn.opBegin[i]!;
    const name = tables.opcodeName(fn.opcode[i]!);
    const plain = name.replace(/(?:_gfx10|_pseudo)?(?:_e(?:32|64))?$/, '').replace(/(?<=^V_.*)_PSEUDO$/, '');
    const result = fn.opVal[begin]!;
    const named = (operand: string): Value => {
      const idx = tables.getNamedOperandIdx(fn.opcode[i]!, operand);
      return idx < 0 ? [0, 0, 0, 0] : this.read(begin + idx);
    };
    const namedWide = (operand: string): readonly bigint[] => {
      const idx = tables.getNamedOperandIdx(fn.opcode[i]!, operand);
      return idx < 0 ? [0n, 0n, 0n, 0n] : this.readWide(begin + idx);
    };
    const running = (value: Value): string => value.filter((_, lane) => exec[lane] === 1).join();
    const [vector, compare] = [VECTOR[plain], VECTOR_COMPARES[plain]];
    const scalar = SCALAR[name];
    switch (name) {
      case 'S_ENDPGM':
        return 'end';
      case 'S_BRANCH':
        return fn.opVal[begin]!;
      case 'S_CBRANCH_SCC1':
        return this.scc === 1 ? fn.opVal[begin]! : -1;
      case 'COPY':
        this.set(result, ...this.words(begin + 1));
        return -1;
      case 'V_CNDMASK_B32_e64': {
        const [whereClear, whereSet, mask] = [named('src0'), named('src1'), named('src2')];
        this.set(
          result,
          whereClear.map((x, lane) => (mask[lane] === 0 ? x : whereSet[lane]!)),
        );
        return -1;
      }
      case 'IMPLICIT_DEF':
        this.set(result, ...nothing(fn, result));
        return -1;
      case 'REG_SEQUENCE': {
        const words: Value[] = [];
        for (let o = begin + 1; o < fn.opBegin[i + 1]!; o += 2)
          this.words(o).forEach((word, k) => (words[tables.subRegOffset[fn.opVal[o + 1]!]! / 32 + k] = word));
        this.set(result, ...words);
        return -1;
      }
      case 'DS_WRITE_B64_gfx9':
      case 'DS_WRITE_B64':
        this.written.push(
          `${running(named('addr'))} ${namedWide('data0')
            .filter((_, lane) => exec[lane] === 1)
            .map(wide)
            .join()}`,
        );
        return -1;
      case 'S_CSELECT_B32':
        if (this.scc === 2) throw new Error('SCC is lost');
        this.set(result, this.scc === 1 ? this.read(begin + 1) : this.read(begin + 2));
        return -1;
      case 'V_READFIRSTLANE_B32':
        this.set(result, new Array<number>(LANES).fill(this.read(begin + 1)[Math.max(0, exec.indexOf(1))]!));
        return -1;
      case 'DS_WRITE_B32_gfx9':
      case 'DS_WRITE_B32':
        this.written.push(`${running(named('addr'))} ${running(named('data0'))}`);
        return -1;
      case 'S_MOV_B64': {
        // A mask of lanes, or a number.
        const words = this.words(begin + 1);
        this.set(result, ...words);
        return -1;
      }
      case 'SI_IF': {
        const condition = this.read(begin + 1);
        this.set(
          result,
          exec.map((on, lane) => (on === 1 && condition[lane] === 0 ? 1 : 0)),
        );
        this.exec = exec.map((on, lane) => (on === 1 && condition[lane] !== 0 ? 1 : 0));
        return this.exec.includes(1) ? -1 : fn.opVal[begin + 2]!;
      }
      case 'SI_IF_BREAK': {
        const [condition, left] = [this.read(begin + 1), this.read(begin + 2)];
        this.set(
          result,
          exec.map((on, lane) => (left[lane] !== 0 || (on === 1 && condition[lane] !== 0) ? 1 : 0)),
        );
        return -1;
      }
      case 'SI_LOOP': {
        const left = this.read(begin);
        this.exec = exec.map((on, lane) => (left[lane] !== 0 ? 0 : on));
        return this.exec.includes(1) ? fn.opVal[begin + 1]! : -1;
      }
      case 'SI_END_CF': {
        const back = this.read(begin);
        this.exec = exec.map((on, lane) => (on === 1 || back[lane] !== 0 ? 1 : 0));
        return -1;
      }
    }
    if (Object.hasOwn(SCALAR_COMPARES, name))
      this.scc = SCALAR_COMPARES[name]!(this.read(begin)[0]!, this.read(begin + 1)[0]!) ? 1 : 0;
    else if (compare) {
      const [a, b] = [named('src0'), named('src1')];
      this.set(
        result,
        a.map((x, lane) => (exec[lane] === 1 && compare(x, b[lane]!) ? 1 : 0)),
      );
    } else if (vector) {
      const [a, b, c] = [named('src0'), named('src1'), named('src2')];
      this.set(
        result,
        a.map((x, lane) => vector(x, b[lane]!, c[lane]!)),
      );
    } else if (WIDE_VECTOR[plain]) {
      const [a, b, c] = [namedWide('src0'), namedWide('src1'), namedWide('src2')];
      this.setWide(
        result,
        a.map((x, lane) => WIDE_VECTOR[plain]!(x, b[lane]!, c[lane]!)),
      );
    } else if (CARRIED[plain]) {
      const isShort = name.endsWith('_e32');
      const [a, b, carry] = [named('src0'), named('src1'), isShort ? this.vcc : named('src2')];
      const sums = a.map((x, lane) => CARRIED[plain]!(x >>> 0, b[lane]! >>> 0, carry[lane]!));
      this.set(result, sums);
      const out = sums.map((sum, lane) => (exec[lane] === 1 && (sum < 0 || sum >= 2 ** 32) ? 1 : 0));
      if (isShort) this.vcc = out;
      else this.set(fn.opVal[begin + 1]!, out);
    } else if (SCALAR_CARRIED[name]) {
      if (/ADDC|SUBB/.test(name) && this.scc === 2) throw new Error('SCC is lost');
      const [a, b] = [this.read(begin + 1)[0]!, this.read(begin + 2)[0]!];
      const sum = SCALAR_CARRIED[name](BigInt(a >>> 0), BigInt(b >>> 0), BigInt(this.scc & 1));
      this.set(result, new Array<number>(LANES).fill(Number(BigInt.asIntN(32, sum))));
      this.scc = sum < 0n || sum >= 2n ** 32n ? 1 : 0;
    } else if (WIDE_SCALAR[name]) {
      const isUnary = !isSource(fn, begin + 2, fn.opBegin[i + 1]!) && fn.opKind[begin + 2] !== OperandKind.Immediate;
      const [a, b] = [this.readWide(begin + 1)[0]!, isUnary ? 0n : this.readWide(begin + 2)[0]!];
      this.setWide(result, new Array<bigint>(LANES).fill(WIDE_SCALAR[name](a, b, 0n)));
      for (let o = begin; o < fn.opBegin[i + 1]!; o++)
        if (fn.opKind[o] === OperandKind.Register && tables.regName(Math.max(0, fn.opVal[o]!)) === 'scc') this.scc = 2;
    } else if (scalar) {
      const isUnary = fn.opKind[begin + 2] !== OperandKind.Immediate && !isSource(fn, begin + 2, fn.opBegin[i + 1]!);
      const [a, b] = [this.read(begin + 1)[0]!, isUnary ? 0 : this.read(begin + 2)[0]!];
      this.set(result, new Array<number>(LANES).fill(scalar(a, b, 0)));
      // Whoever reads SCC afterwards must not get it from here.
      for (let o = begin; o < fn.opBegin[i + 1]!; o++)
        if (fn.opKind[o] === OperandKind.Register && tables.regName(Math.max(0, fn.opVal[o]!)) === 'scc') this.scc = 2;
    } else throw new Error(`the interpreter does not know ${name}`);
    return -1;
  }
}

/** Zeros, as many words as a register has; a mask of lanes has one here. */
function nothing({ tables, vregs }: MachineFunction, reg: number): readonly Value[] {
  const n = Math.max(1, tables.regClassBits[vregs.regClass[~reg]!]! / 32);
  return Array.from({ length: n }, () => new Array<number>(LANES).fill(0));
}

const isSource = (fn: MachineFunction, o: number, end: number): boolean =>
  o < end && fn.opKind[o] === OperandKind.Register && (fn.opFlags[o]! & (OpFlag.Def | OpFlag.Implicit)) === 0;
