/**
 * Runs functions of the allocator's generator with values that tell where they come from: along one path through the blocks, every marked S_NOP
 * notes what it reads. The function with virtual registers and the allocated one must note the same.
 *
 * What an instruction computes is a text of its opcode and what it reads, so that one that was made anew computes the same; copies, saves and
 * restores carry values on, lanes of SGPR spills included. A call leaves nothing in the registers that its mask does not preserve.
 */
import assert from 'node:assert/strict';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type MachineFunction,
  type OperandId,
} from '../../server/src/model/machineFunction.js';
import { isVirtualReg } from '../../server/src/model/register.js';
import { randomSource } from './random.js';

/** A dword: where it comes from, or lanes with a dword each. `undefined`: nothing was written. */
type Value = string | ReadonlyMap<number, Value> | undefined;

export interface Reading {
  /** the S_NOP, how often it ran before, the operand and the dword of it */
  readonly place: string;
  readonly value: Value;
}

/** Blocks of a path through a function, at most `length` of them. */
export function randomPath(fn: MachineFunction, seed: number, length: number): BlockId[] {
  const below = randomSource(seed);
  const path: BlockId[] = [];
  for (let b: BlockId | undefined = 0; b !== undefined && path.length < length;) {
    path.push(b);
    const next: readonly BlockId[] = fn.blocks[b].successors;
    b = next.length === 0 ? undefined : next[below(next.length)];
  }
  return path;
}

/** What the marked instructions of a function read along a path: `S_NOP n` with n over 0 are marked. */
export function readingsAlong(fn: MachineFunction, path: readonly BlockId[]): Reading[] {
  return new Machine(fn).run(path);
}

class Machine {
  private readonly registers = new Map<string, Value>();
  private readonly slots = new Map<string, Value>();
  private readonly timesRun = new Map<number, number>();
  private readonly readings: Reading[] = [];

  constructor(private readonly fn: MachineFunction) {}

  run(path: readonly BlockId[]): Reading[] {
    const { fn } = this;
    for (const b of path) for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) this.step(fn.order[p]);
    return this.readings;
  }

  /** Keys of the dwords of an operand's register, each with those of its parts that are registers themselves. */
  private dwords(o: OperandId): string[][] {
    const { tables, vregs } = this.fn;
    const reg = this.fn.opVal[o];
    const sub = this.fn.opSub[o];
    if (isVirtualReg(reg)) {
      const whole = tables.regClassSpillSize(vregs.regClass[~reg]) / 4;
      const first = sub === 0 ? 0 : tables.subRegOffset[sub] / 32;
      const n = sub === 0 ? whole : tables.subRegSize[sub] / 32;
      return Array.from({ length: n }, (_, k) => [`%${~reg}.${first + k}`]);
    }
    const found: string[][] = [];
    for (let k = tables.unitBegin[reg], lane = tables.unitLaneBegin(reg); k < tables.unitEnd[reg]; k++, lane++) {
      const [lo, hi] = [tables.unitLaneLo[lane], tables.unitLaneHi[lane]];
      const bit = lo !== 0 ? 31 - Math.clz32(lo & -lo) : 63 - Math.clz32(hi & -hi);
      (found[bit >> 1] ??= []).push(`unit ${tables.unitList[k]}`);
    }
    return found;
  }

  private read(o: OperandId): Value[] {
    if ((this.fn.opFlags[o] & OpFlag.Undef) !== 0) return this.dwords(o).map(() => undefined);
    return this.dwords(o).map((units) => {
      const values = units.map((unit) => this.registers.get(unit));
      assert(
        values.every((v) => v === values[0]),
        `halves of one dword differ: ${values.map(String).join(', ')}`,
      );
      return values[0];
    });
  }

  private write(o: OperandId, values: readonly Value[]): void {
    this.dwords(o).forEach((units, k) => units.forEach((unit) => this.registers.set(unit, values[k])));
  }

  private step(i: number): void {
    const { fn } = this;
    const name = fn.tables.opcodeName(fn.opcode[i]);
    const first = fn.opBegin[i];
    if (/^(?:COPY|WWM_COPY)$/.test(name)) this.write(first, this.read(first + 1));
    else if (/^SI_SPILL_.*_SAVE$/.test(name))
      this.read(first).forEach((v, k) => this.slots.set(`${fn.opVal[first + 1]}.${k}`, v));
    else if (/^SI_SPILL_.*_RESTORE$/.test(name))
      this.write(
        first,
        this.dwords(first).map((_, k) => this.slots.get(`${fn.opVal[first + 1]}.${k}`)),
      );
    else if (name === 'SI_SPILL_S32_TO_VGPR') {
      const before = this.read(first + 3)[0];
      const lanes = new Map(typeof before === 'object' ? before : []);
      this.write(first, [lanes.set(fn.imm(first + 2), this.read(first + 1)[0])]);
    } else if (name === 'SI_RESTORE_S32_FROM_VGPR') {
      const lanes = this.read(first + 1)[0];
      this.write(first, [typeof lanes === 'object' ? lanes.get(fn.imm(first + 2)) : undefined]);
    } else if (name !== 'KILL') this.compute(i, name);
  }

  /** Anything else: what it writes names the instruction and what it reads; a marked one is told apart from all others. */
  private compute(i: number, name: string): void {
    const { fn } = this;
    const first = fn.opBegin[i];
    const mark = name === 'S_NOP' ? fn.imm(first) : 0;
    const time = this.timesRun.get(mark) ?? 0;
    if (mark > 0) this.timesRun.set(mark, time + 1);
    const origin: string[] = [name];
    const defs: OperandId[] = [];
    for (let o = first; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.Immediate) origin.push(String(fn.imm(o)));
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] === 0) continue;
      if ((fn.opFlags[o] & OpFlag.Def) !== 0) {
        defs.push(o);
        continue;
      }
      const values = this.read(o);
      if (mark > 0)
        values.forEach((value, k) => this.readings.push({ place: `${mark}#${time} ${o - first}.${k}`, value }));
      else if ((fn.opFlags[o] & OpFlag.Implicit) === 0) origin.push(values.map(String).join());
    }
    for (let o = first; o < fn.opBegin[i + 1]; o++) if (fn.opKind[o] === OperandKind.RegisterMask) this.forget(o);
    for (const o of defs) {
      const isOwn = mark > 0 || (o === first && name !== 'IMPLICIT_DEF');
      const from = mark > 0 ? `${mark}#${time} ${o - first}` : origin.join(' ');
      this.write(
        o,
        this.dwords(o).map((_, k) => (isOwn ? `${from}.${k}` : undefined)),
      );
    }
  }

  /** What a call overwrites may be anything afterwards. */
  private forget(o: OperandId): void {
    const { tables } = this.fn;
    const { mask, regs } = this.fn.payload(o, OperandKind.RegisterMask);
    const bits = mask < 0 ? null : tables.regMaskBits(mask);
    const isKept = (reg: number): boolean =>
      bits === null ? regs.includes(reg) : ((bits[reg >>> 5] >>> (reg & 31)) & 1) !== 0;
    for (const key of this.registers.keys()) {
      const unit = /^unit (\d+)$/.exec(key);
      if (unit !== null && !Array.from(tables.regUnitRoots(Number(unit[1]))).every(isKept))
        this.registers.set(key, undefined);
    }
  }
}
