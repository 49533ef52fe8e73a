/** Counts of an allocated function's code, as the text after the last rewriter shows it. */
import { stronglyConnected } from '../analysis/stronglyConnected.js';
import { OpFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { isPhysicalReg } from '../model/register.js';
import { modelLength } from '../passes/scheduler/modelLength.js';
import { OpcodePattern } from '../target/opcodeSets.js';

/** Numbers of instructions. `inLoops`: those in blocks that can reach themselves. */
export interface CodeCounts {
  readonly spills: {
    readonly vgprSaves: number;
    readonly vgprRestores: number;
    /** to memory or to a lane of a VGPR */
    readonly sgprSaves: number;
    readonly sgprRestores: number;
    readonly inLoops: number;
  };
  /** between VGPRs and AGPRs */
  readonly bankCopies: { readonly total: number; readonly inLoops: number };
  /** without debug instructions and the headers of bundles */
  readonly instructions: number;
  /** cycles by the scheduling model, for a run of the function; not a time */
  readonly modelLength: number;
}

const VGPR_SAVE = new OpcodePattern(/^SI_SPILL_(?:WWM_)?(?:V|AV|A)\d+(?:_CFI)?_SAVE$/);
const VGPR_RESTORE = new OpcodePattern(/^SI_SPILL_(?:WWM_)?(?:V|AV|A)\d+_RESTORE$/);
const SGPR_SAVE = new OpcodePattern(/^SI_SPILL_S(?:\d+(?:_CFI)?_SAVE|32_TO_VGPR)$/);
/** from memory */
const SGPR_RELOAD = new OpcodePattern(/^SI_SPILL_S\d+_RESTORE$/);
const SGPR_RESTORE = new OpcodePattern(/^SI_(?:SPILL_S\d+_RESTORE|RESTORE_S32_FROM_VGPR)$/);
const COPY = new OpcodePattern(/^(?:COPY|V_ACCVGPR_(?:READ|WRITE)_B32_e64)$/);
const UNCOUNTED = new OpcodePattern(/^(?:DBG_|BUNDLE$)/);

/** O(instructions + edges) */
export function countCode(fn: MachineFunction): CodeCounts {
  const { tables } = fn;
  const isInLoop = blocksInLoops(fn);
  const spills = { vgprSaves: 0, vgprRestores: 0, sgprSaves: 0, sgprRestores: 0, inLoops: 0 };
  const bankCopies = { total: 0, inLoops: 0 };
  let instructions = 0;
  const kinds = [
    ['vgprSaves', VGPR_SAVE],
    ['vgprRestores', VGPR_RESTORE],
    ['sgprSaves', SGPR_SAVE],
    ['sgprRestores', SGPR_RESTORE],
  ] as const;
  for (let b = 0; b < fn.blocks.length; b++) {
    const inLoop = Number(isInLoop[b]!);
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      const opcode = fn.opcode[i]!;
      if (UNCOUNTED.has(tables, opcode)) continue;
      instructions++;
      const spill = kinds.find(([, pattern]) => pattern.has(tables, opcode));
      if (spill !== undefined) {
        spills[spill[0]]++;
        spills.inLoops += inLoop;
      } else if (COPY.has(tables, opcode) && isBetweenBanks(fn, i)) {
        bankCopies.total++;
        bankCopies.inLoops += inLoop;
      }
    }
  }
  return { spills, bankCopies, instructions, modelLength: modelLength(fn) };
}

/** Whether an instruction saves registers that are spilled, to memory or to lanes of a VGPR. */
export const isSave = ({ tables, opcode }: MachineFunction, i: InstrId): boolean =>
  VGPR_SAVE.has(tables, opcode[i]!) || SGPR_SAVE.has(tables, opcode[i]!);

export const isRestore = ({ tables, opcode }: MachineFunction, i: InstrId): boolean =>
  VGPR_RESTORE.has(tables, opcode[i]!) || SGPR_RESTORE.has(tables, opcode[i]!);

function blocksInLoops(fn: MachineFunction): boolean[] {
  const successors = fn.blocks.map((block) => block.successors);
  const found = new Array<boolean>(successors.length).fill(false);
  for (const group of stronglyConnected(successors))
    if (group.length > 1 || successors[group[0]!]!.includes(group[0]!)) for (const b of group) found[b] = true;
  return found;
}

function isBetweenBanks(fn: MachineFunction, i: InstrId): boolean {
  const banks = new Set<string>();
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    const reg = fn.opVal[o]!;
    if ((fn.opFlags[o]! & OpFlag.Implicit) !== 0 || !isPhysicalReg(reg)) continue;
    const bank = /^(?:agpr|vgpr|[^\d_]+)/.exec(fn.tables.regName(reg))?.[0] ?? '';
    banks.add(bank);
  }
  return banks.size === 2 && banks.has('agpr') && banks.has('vgpr');
}

/**
 * 32-bit registers that the code saves; an SGPR for which no lane is left counts when it is reloaded, too. A save of what has no value goes when the frame is
 * made, and is not counted.
 */
export function spilledRegisters(fn: MachineFunction): { readonly vector: number; readonly scalar: number } {
  const { tables } = fn;
  let [vector, scalar] = [0, 0];
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      const opcode = fn.opcode[i]!;
      if (VGPR_SAVE.has(tables, opcode)) vector += savesNothing(fn, i) ? 0 : registersOf(tables.opcodeName(opcode));
      else if (SGPR_SAVE.has(tables, opcode) || SGPR_RELOAD.has(tables, opcode))
        scalar += registersOf(tables.opcodeName(opcode));
    }
  }
  return { vector, scalar };
}

function savesNothing(fn: MachineFunction, i: InstrId): boolean {
  const o = fn.firstReg(i);
  return o >= 0 && (fn.opFlags[o]! & OpFlag.Undef) !== 0;
}

/** 2 of `SI_SPILL_V64_SAVE` */
const registersOf = (spill: string): number => Math.ceil(Number(/\d+/.exec(spill)![0]) / 32);
