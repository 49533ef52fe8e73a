/**
 * Parts of tuples that an instruction reads though nothing on any path has written them. LLVM's verifier takes a read as long as one lane lives
 * (docs/llvm/liveness.md, 3), and hardware reads whatever the register holds.
 */
import { OpFlag, OperandKind, type InstrId, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { isVirtualReg, type VRegId } from '../model/register.js';
import { McFlag, type OpName } from '../target/api.js';
import type { LiveIntervals } from './liveIntervals.js';

export interface UndefinedRead {
  readonly instr: InstrId;
  readonly operand: OperandId;
  readonly vreg: VRegId;
  /** lanes that are read and that nothing has written */
  readonly lo: number;
  readonly hi: number;
}

/**
 * Descriptors, addresses and what is stored: there every lane counts. Arithmetic may read half of a pair (V_PK_*, V_MAD_U64_U32), and compilers leave the
 * other half without a value.
 */
const WHOLE: readonly OpName[] = [
  ...(['srsrc', 'ssamp', 'sbase', 'saddr', 'vaddr', 'addr', 'rsrc', 'samp'] as const),
  ...(['vdata', 'data0', 'data1', 'sdata'] as const),
];

/** Of registers whose lanes are tracked, where at least one lane lives: else the verifier says it. In layout order. O(operands) */
export function undefinedReads(fn: MachineFunction, lis: LiveIntervals): UndefinedRead[] {
  const { tables } = fn;
  const found: UndefinedRead[] = [];
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      const slot = lis.indexes.instrIndex[i]!;
      if (slot < 0 || !mayAccessMemory(fn, i)) continue;
      for (const name of WHOLE) {
        const at = tables.getNamedOperandIdx(fn.opcode[i]!, name);
        if (at < 0) continue;
        const o = fn.opBegin[i]! + at;
        const v = ~fn.opVal[o]!;
        if (o >= fn.opBegin[i + 1]! || fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o]!)) continue;
        if ((fn.opFlags[o]! & (OpFlag.Def | OpFlag.Undef)) !== 0 || lis.subRange[v]! < 0) continue;
        const sub = fn.opSub[o]!;
        const liveLo = lis.liveLanes(v, slot);
        const liveHi = lis.lanesHi;
        const allLo = sub === 0 ? lis.maxLanes(v) : tables.subRegLaneLo[sub]!;
        const allHi = sub === 0 ? lis.lanesHi : tables.subRegLaneHi[sub]!;
        const [lo, hi] = [(allLo & ~liveLo) >>> 0, (allHi & ~liveHi) >>> 0];
        if ((lo | hi) !== 0 && ((allLo & liveLo) | (allHi & liveHi)) !== 0)
          found.push({ instr: i, operand: o, vreg: v, lo, hi });
      }
    }
  return found;
}

const mayAccessMemory = ({ tables, opcode }: MachineFunction, i: InstrId): boolean =>
  (tables.opcodeFlagsLo(opcode[i]!) & ((1 << McFlag.MayLoad) | (1 << McFlag.MayStore))) !== 0;
