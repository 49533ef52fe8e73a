/**
 * What a wait waits for: the instructions before it whose results may be under way when it is reached, by counter, from the text alone (docs/llvm/waits.md). A
 * counter goes down in the order in which its instructions began, so that of those before it the youngest may be left, as many as the wait says.
 */
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
} from '../model/machineFunction.js';
import { isPhysicalReg, NO_REG } from '../model/register.js';
import { waitsOfImmediate, type CounterWait } from '../model/waitMnemonics.js';
import {
  Generation,
  hasOpcodeFlag,
  isAtomicNoRet,
  isDS,
  isEXP,
  isFLAT,
  isFLATGlobal,
  isFLATScratch,
  isImage,
  isLDSDMA,
  isMTBUF,
  isMUBUF,
  isSMRD,
  McFlag,
  usesAsyncCnt,
  usesTensorCnt,
} from '../target/index.js';
import { LIKE_SCALAR_LOAD, MESSAGE, VmemType, vmemTypeOf } from '../target/countedOpcodes.js';
import { OpcodePattern } from '../target/opcodeSets.js';

/** An instruction that is waited for. */
export interface AwaitedInstr {
  readonly instr: InstrId;
  readonly counter: string;
  /** instructions from it to the wait, on the shortest way */
  readonly distance: number;
}

export interface Waits {
  readonly counters: readonly CounterWait[];
  /** nearest first; of a counter for which nothing is under way none */
  readonly awaited: readonly AwaitedInstr[];
  /** the way back was given up: there may be more */
  readonly isPartial: boolean;
}

const SINGLE_WAIT =
  /^S_WAIT(?:CNT)?_(VMCNT|EXPCNT|LGKMCNT|VSCNT|LOADCNT|SAMPLECNT|BVHCNT|DSCNT|KMCNT|STORECNT|ASYNCCNT|TENSORCNT)(?:_soft)?$/;
const MAYBE_WAIT = new OpcodePattern(/^S_WAIT/);
const CALL = new OpcodePattern(/^SI_(?:CALL|TCRETURN)|^S_(?:SWAPPC|SETPC)/);
const HEADER = new OpcodePattern(
  /^(?:BUNDLE|DBG_\w+|PSEUDO_PROBE|KILL|IMPLICIT_DEF|CFI_INSTRUCTION|WAVE_BARRIER|SCHED_BARRIER)$/,
);

/** Counters that an instruction waits for, with what may be left; empty for others. */
export function waitsOf(fn: MachineFunction, i: InstrId): CounterWait[] {
  const { tables, subtarget } = fn;
  const opc = fn.opcode[i]!;
  if (!MAYBE_WAIT.has(tables, opc)) return [];
  let imm: number | null = null;
  for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
    if (fn.opKind[o] === OperandKind.Immediate) imm ??= fn.opVal[o]!;
  if (imm === null) return [];
  const single = SINGLE_WAIT.exec(tables.opcodeName(opc));
  // Of a wait that the memory legalizer adds, the counter's mask may stand above.
  if (single !== null) return [{ counter: single[1]!.toLowerCase(), left: imm }];
  return waitsOfImmediate(subtarget, opc, imm);
}

/**
 * Counters that an instruction counts up until it is done.
 * @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::updateEventWaitcntAfter
 */
function countersOf(fn: MachineFunction, i: InstrId): string[] {
  const { tables: t, subtarget: st } = fn;
  const opc = fn.opcode[i]!;
  const isExtended = st.generation >= Generation.GFX12;
  const scalar = isExtended ? 'kmcnt' : 'lgkmcnt';
  const local = isExtended ? 'dscnt' : 'lgkmcnt';
  if (usesTensorCnt(t, opc)) return ['tensorcnt'];
  if (usesAsyncCnt(t, opc)) return ['asynccnt'];
  if (MESSAGE.has(t, opc) || LIKE_SCALAR_LOAD.has(t, opc)) return [scalar];
  if (isEXP(t, opc)) return ['expcnt'];
  const [loads, stores] = [hasOpcodeFlag(t, opc, McFlag.MayLoad), hasOpcodeFlag(t, opc, McFlag.MayStore)];
  if (!loads && !stores) return [];
  if (isSMRD(t, opc)) return [scalar];
  if (isDS(t, opc)) return [local];
  const memory = (): string[] => vectorMemory(fn, i, loads, stores, isExtended);
  if (isFLAT(t, opc)) {
    const isFlat = !isFLATGlobal(t, opc) && !isFLATScratch(t, opc);
    return isFlat ? [...memory(), local] : memory();
  }
  return isMUBUF(t, opc) || isMTBUF(t, opc) || isImage(t, opc) ? memory() : [];
}

function vectorMemory(fn: MachineFunction, i: InstrId, loads: boolean, stores: boolean, isExtended: boolean): string[] {
  const { tables: t, subtarget: st } = fn;
  const opc = fn.opcode[i]!;
  const isWrite = stores && !isLDSDMA(t, opc) && (!loads || isAtomicNoRet(t, opc));
  if (isWrite && st.generation >= Generation.GFX10) return [isExtended ? 'storecnt' : 'vscnt'];
  // Before gfx7 the registers of a store may be written once expcnt says so.
  if (isWrite) return st.generation < Generation.SEA_ISLANDS ? ['vmcnt', 'expcnt'] : ['vmcnt'];
  if (!isExtended) return ['vmcnt'];
  const type = vmemTypeOf(t, opc);
  if (type === VmemType.BVH) return ['bvhcnt'];
  return [type === VmemType.Sampler ? 'samplecnt' : 'loadcnt'];
}

/** Steps back before a wait is given up. */
const MAX_STEPS = 20_000;

/** Null for what waits for no counter. */
export function awaitedBy(fn: MachineFunction, i: InstrId): Waits | null {
  const counters = waitsOf(fn, i);
  if (counters.length === 0) return null;
  const awaited: AwaitedInstr[] = [];
  let isPartial = false;
  for (const wait of counters) {
    const walk = new WalkBack(fn, wait.counter);
    walk.from(i, wait.left);
    awaited.push(...walk.found);
    isPartial ||= walk.isPartial;
  }
  awaited.sort((a, b) => a.distance - b.distance);
  return { counters, awaited, isPartial };
}

/** Where the way back goes on: from the end of a block. */
interface Place {
  readonly block: BlockId;
  /** younger ones that may be left */
  readonly skip: number;
  /** of older ones those that a wait in between has left */
  readonly budget: number;
  readonly distance: number;
}

class WalkBack {
  private readonly byInstr = new Map<InstrId, AwaitedInstr>();
  private readonly met = new Set<string>();
  private readonly queue: Place[] = [];
  private steps = 0;
  isPartial = false;

  constructor(
    private readonly fn: MachineFunction,
    private readonly counter: string,
  ) {}

  get found(): Iterable<AwaitedInstr> {
    return this.byInstr.values();
  }

  from(i: InstrId, left: number): void {
    const { fn } = this;
    const block = fn.instrBlock[i]!;
    let place = fn.blockBegin[block]!;
    while (fn.order[place] !== i) place++;
    this.walk({ block, skip: left, budget: Infinity, distance: 0 }, place);
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift())
      this.walk(next, fn.blockEnd[next.block]!);
  }

  /** From the instruction before `end` to the beginning of the block. */
  private walk({ block, skip, budget, distance }: Place, end: number): void {
    const { fn, counter } = this;
    for (let p = end - 1; p >= fn.blockBegin[block]!; p--) {
      const i = fn.order[p]!;
      if (HEADER.has(fn.tables, fn.opcode[i]!)) continue;
      if (this.steps++ > MAX_STEPS) {
        this.isPartial = true;
        return;
      }
      // What is called waits for all that is under way.
      if (CALL.has(fn.tables, fn.opcode[i]!)) return;
      const earlier = waitsOf(fn, i).find((wait) => wait.counter === counter);
      if (earlier !== undefined) budget = Math.min(budget, earlier.left);
      if (budget <= 0) return;
      if (countersOf(fn, i).includes(counter)) {
        budget--;
        if (skip > 0) skip--;
        else this.add({ instr: i, counter, distance });
        if (budget <= 0) return;
      }
      distance++;
    }
    for (const before of fn.blocks[block]!.predecessors) {
      const key = `${before} ${skip} ${budget}`;
      if (this.met.has(key)) continue;
      this.met.add(key);
      this.queue.push({ block: before, skip, budget, distance });
    }
  }

  private add(found: AwaitedInstr): void {
    const known = this.byInstr.get(found.instr);
    if (known === undefined || found.distance < known.distance) this.byInstr.set(found.instr, found);
  }
}

/** The first instruction after a wait, in its block, that touches a register that an awaited one writes or, where it stores, reads; -1 if there is none. */
export function firstTouch(fn: MachineFunction, wait: InstrId, awaited: InstrId): InstrId {
  const block = fn.instrBlock[wait]!;
  let p = fn.blockBegin[block]!;
  while (fn.order[p] !== wait) p++;
  const results = physicalRegs(fn, awaited, true);
  for (p++; p < fn.blockEnd[block]!; p++) {
    const i = fn.order[p]!;
    if ((fn.bundle[i]! & BundleFlag.BundledSucc) !== 0 && (fn.bundle[i]! & BundleFlag.BundledPred) === 0) continue;
    if (physicalRegs(fn, i, false).some((reg) => results.some((own) => fn.tables.regsOverlap(reg, own)))) return i;
  }
  return -1;
}

function physicalRegs(fn: MachineFunction, i: InstrId, defsOnly: boolean): number[] {
  const regs: number[] = [];
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    const reg = fn.opVal[o]!;
    if (reg === NO_REG || !isPhysicalReg(reg) || !fn.tables.isInAllocatableClass(reg)) continue;
    if (!defsOnly || (fn.opFlags[o]! & OpFlag.Def) !== 0) regs.push(reg);
  }
  return regs;
}
