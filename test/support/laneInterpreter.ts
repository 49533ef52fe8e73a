/**
 * A small interpreter of four lanes: copies, integer instructions of the SALU and the VALU, LDS writes, uniform branches and the pseudos of divergent ones, PHIs. Written from the ISA's description of each
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

/** Compares of the VALU, whose result is a mask, and of the SALU, whose result is SCC. */
const VECTOR_COMPARES: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  V_CMP_LT_U32: (a, b) => a >>> 0 < b >>> 0,
  V_CMP_GE_U32: (a, b) => a >>> 0 >= b >>> 0,
};
const SCALAR_COMPARES: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  S_CMP_EQ_U32: (a, b) => (a | 0) === (b | 0),
  S_CMP_LT_U32: (a, b) => b >>> 0 > a >>> 0,
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
  private readonly values = new Map<number, Value>();
  private readonly written: string[] = [];
  private exec = new Array<number>(LANES).fill(1);
  private scc = 0;

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

  private read(o: number): Value {
    const { fn } = this;
    if (fn.opKind[o] !== OperandKind.Register) return new Array<number>(LANES).fill(fn.opVal[o]!);
    const reg = fn.opVal[o]!;
    return isVirtualReg(reg) ? (this.values.get(reg) ?? [0, 0, 0, 0]) : this.input(fn.tables.regName(reg));
  }

  /** Vector registers change in the lanes that run, all others as a whole. */
  private set(reg: number, value: Value): void {
    const { fn, exec } = this;
    const old = this.values.get(reg) ?? [0, 0, 0, 0];
    const isVector = fn.tables.hasVGPRs(fn.vregs.regClass[~reg]!);
    this.values.set(
      reg,
      value.map((x, lane) => (isVector && exec[lane] === 0 ? old[lane]! : x | 0)),
    );
  }

  /** All at once, with what the edge from block `from` gives them; the place behind them. */
  private phis(block: number, from: number): number {
    const { fn } = this;
    let p = fn.blockBegin[block]!;
    const found: [number, Value][] = [];
    for (; p < fn.blockEnd[block]! && fn.tables.opcodeName(fn.opcode[fn.order[p]!]!) === 'PHI'; p++) {
      const i = fn.order[p]!;
      for (let o = fn.opBegin[i]! + 1; o < fn.opBegin[i + 1]!; o += 2)
        if (fn.opVal[o + 1] === from) found.push([fn.opVal[fn.opBegin[i]!]!, this.read(o)]);
    }
    for (const [reg, value] of found) this.set(reg, value);
    return p;
  }

  /** Block that it branches to, -1 = the next instruction. */
  private step(i: number): number | 'end' {
    const { fn, exec } = this;
    const { tables } = fn;
    const begin = fn.opBegin[i]!;
    const name = tables.opcodeName(fn.opcode[i]!);
    const plain = name.replace(/_e(?:32|64)$/, '');
    const result = fn.opVal[begin]!;
    const named = (operand: string): Value => {
      const idx = tables.getNamedOperandIdx(fn.opcode[i]!, operand);
      return idx < 0 ? [0, 0, 0, 0] : this.read(begin + idx);
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
        this.set(result, this.read(begin + 1));
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
      case 'S_MOV_B64':
        this.set(result, this.read(begin + 1));
        return -1;
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
      const [a, b] = [named('src0'), named('src1')];
      this.set(
        result,
        a.map((x, lane) => vector(x, b[lane]!)),
      );
    } else if (scalar) {
      const isUnary = fn.opKind[begin + 2] !== OperandKind.Immediate && !isSource(fn, begin + 2, fn.opBegin[i + 1]!);
      const [a, b] = [this.read(begin + 1)[0]!, isUnary ? 0 : this.read(begin + 2)[0]!];
      this.set(result, new Array<number>(LANES).fill(scalar(a, b)));
      // Whoever reads SCC afterwards must not get it from here.
      for (let o = begin; o < fn.opBegin[i + 1]!; o++)
        if (fn.opKind[o] === OperandKind.Register && tables.regName(Math.max(0, fn.opVal[o]!)) === 'scc') this.scc = 2;
    } else throw new Error(`the interpreter does not know ${name}`);
    return -1;
  }
}

const isSource = (fn: MachineFunction, o: number, end: number): boolean =>
  o < end && fn.opKind[o] === OperandKind.Register && (fn.opFlags[o]! & (OpFlag.Def | OpFlag.Implicit)) === 0;
