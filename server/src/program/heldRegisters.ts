/** Who holds the registers where a function has most of them: values grouped by what they are for, with the loops that they only pass through. */
import { DominatorTree } from '../analysis/dominators.js';
import { liveAt } from '../analysis/liveAt.js';
import { LoopInfo } from '../analysis/loops.js';
import { Bank, PressureSummary } from '../analysis/summary.js';
import { BundleFlag, OpFlag, type BlockId, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import type { VRegId } from '../model/register.js';
import { InstrRoles } from '../passes/scheduler/regions.js';
import { McFlag, RegKind, type OpName } from '../target/api.js';
import { OpcodePattern } from '../target/opcodeSets.js';

export type BankName = 'VGPR' | 'AGPR' | 'SGPR';

/**
 * `accumulators`: results of matrix instructions, and of multiply-adds that add to themselves; `loads in flight`: loaded, not read yet; `addresses`: read for
 * nothing but addresses and descriptors; `passing through`: neither defined nor read in this region; `in use`: the others.
 */
export type HeldKind = 'accumulators' | 'loads in flight' | 'addresses' | 'passing through' | 'in use';

export interface CodePlace {
  /** `bb.2:14` in the order of the scheduler */
  readonly place: string;
  /** in the file, from 1; 0: of an instruction that the file does not have */
  readonly line: number;
  readonly loopDepth: number;
}

export interface HeldRegister {
  readonly register: string;
  /** 32-bit registers that count here */
  readonly weight: number;
  readonly class: string;
  /** the last definition before the place, else the first; null: it lives into the function */
  readonly definition: CodePlace | null;
  /** the next read after the place, else the first */
  readonly nextUse: CodePlace | null;
  /** instructions to it where it comes in the same block, else -1 */
  readonly distance: number;
  /** the header of the outermost loop around the place that neither defines nor reads it, `bb.3`; '' = none */
  readonly passesLoop: string;
  readonly isOnlyPassing: boolean;
}

export interface HeldGroup {
  readonly kind: HeldKind;
  readonly weight: number;
  /** widest first */
  readonly registers: readonly HeldRegister[];
}

export interface HeldAt extends CodePlace {
  readonly bank: BankName;
  /** live at the place; what is allocated may be more */
  readonly pressure: number;
  /** most registers first */
  readonly groups: readonly HeldGroup[];
}

const MATRIX = new OpcodePattern(/^V_(?:MFMA|SMFMAC|WMMA|SWMMAC)_/);
const MULTIPLY_ADD = new OpcodePattern(/^V_(?:PK_FMAC|FMAC|MAC|DOT\d\w*C)_/);
const ADDRESS_OPERANDS: readonly OpName[] = ['vaddr', 'addr', 'saddr', 'sbase', 'srsrc', 'ssamp', 'soffset'];

const BANKS = { VGPR: Bank.VGPR, AGPR: Bank.AGPR, SGPR: Bank.SGPR } as const;

/**
 * At the peak of a bank; null where no register of it lives. `lineOf`: of an instruction in the file, 0 where it has none. O(operands)
 */
export function heldAtPeak(fn: MachineFunction, bank: BankName, lineOf: (i: InstrId) => number): HeldAt | null {
  const summary = new PressureSummary(fn);
  const { instr, value } = summary.peaks[BANKS[bank]]!;
  if (instr < 0 || value === 0) return null;
  return new HeldRegisters(summary, instr, lineOf).at(bank, value);
}

/** The same at any instruction. */
export function heldAt(
  summary: PressureSummary,
  instr: InstrId,
  bank: BankName,
  lineOf: (i: InstrId) => number,
): HeldAt {
  const pressure = PressureSummary.count(summary.up.at, BANKS[bank], instr);
  return new HeldRegisters(summary, instr, lineOf).at(bank, pressure);
}

function bankOf(kind: number): BankName {
  if (kind === (RegKind.SGPR as number)) return 'SGPR';
  return kind === (RegKind.AGPR as number) ? 'AGPR' : 'VGPR';
}

class HeldRegisters {
  private readonly fn: MachineFunction;
  private readonly loops: LoopInfo;
  private readonly position: Int32Array;
  private readonly block: BlockId;
  /** the region around the place, in the layout */
  private from: number;
  private to: number;

  constructor(
    private readonly summary: PressureSummary,
    private readonly instr: InstrId,
    private readonly lineOf: (i: InstrId) => number,
  ) {
    const { fn } = summary;
    this.fn = fn;
    this.loops = new LoopInfo(fn.blocks, new DominatorTree(fn.blocks));
    this.position = summary.mentions.position;
    this.block = fn.instrBlock[instr]!;
    const roles = new InstrRoles(fn);
    const isBoundary = (p: number): boolean => {
      const i = fn.order[p]!;
      return (fn.bundle[i]! & BundleFlag.BundledPred) === 0 && roles.isBoundary(i);
    };
    this.from = this.to = this.position[instr]!;
    while (this.from > fn.blockBegin[this.block]! && !isBoundary(this.from - 1)) this.from--;
    while (this.to < fn.blockEnd[this.block]! && !isBoundary(this.to)) this.to++;
  }

  at(bank: BankName, pressure: number): HeldAt {
    const weights = new Map<VRegId, number>();
    for (const { vreg, kind, weight } of liveAt(this.summary, this.instr))
      if (bankOf(kind) === bank) weights.set(vreg, (weights.get(vreg) ?? 0) + weight);
    const groups = new Map<HeldKind, HeldRegister[]>();
    for (const [vreg, weight] of weights) {
      const { kind, held } = this.describe(vreg, weight);
      const own = groups.get(kind);
      if (own === undefined) groups.set(kind, [held]);
      else own.push(held);
    }
    const sorted = [...groups].map(([kind, registers]) => ({
      kind,
      weight: registers.reduce((n, r) => n + r.weight, 0),
      registers: registers.sort((a, b) => b.weight - a.weight),
    }));
    return { bank, pressure, ...this.placeOf(this.instr), groups: sorted.sort((a, b) => b.weight - a.weight) };
  }

  private placeOf(i: InstrId): CodePlace {
    const { fn, loops } = this;
    const b = fn.instrBlock[i]!;
    const loop = loops.loopOf[b]!;
    return {
      place: `bb.${fn.blocks[b]!.sourceNumber}:${this.position[i]! - fn.blockBegin[b]!}`,
      line: this.lineOf(i),
      loopDepth: loop < 0 ? 0 : loops.loops[loop]!.depth,
    };
  }

  private describe(v: VRegId, weight: number): { readonly kind: HeldKind; readonly held: HeldRegister } {
    const { fn, position, summary } = this;
    const { mentions } = summary;
    const here = position[this.instr]!;
    let definition = -1;
    let nextUse = -1;
    let nDefs = 0;
    let isLoaded = true;
    let isAddress = true;
    let isAccumulator = false;
    let isReadBefore = false;
    let isInRegion = false;
    const blocks = new Set<BlockId>();
    for (let k = mentions.begin[v]!; k < mentions.begin[v + 1]!; k++) {
      const i = mentions.instrs[k]!;
      const o = mentions.operands[k]!;
      const p = position[i]!;
      blocks.add(fn.instrBlock[i]!);
      isInRegion ||= this.from <= p && p <= this.to;
      if ((fn.opFlags[o]! & OpFlag.Def) !== 0) {
        nDefs++;
        isReadBefore &&= p > here;
        if (p <= here || definition < 0) definition = i;
        isLoaded &&= ((fn.tables.opcodeFlagsLo(fn.opcode[i]!) >>> McFlag.MayLoad) & 1) !== 0;
        isAccumulator ||= MATRIX.has(fn.tables, fn.opcode[i]!);
        isAccumulator ||= MULTIPLY_ADD.has(fn.tables, fn.opcode[i]!) && this.reads(i, v);
      } else if ((fn.opFlags[o]! & OpFlag.Undef) === 0) {
        isAddress &&= this.isAddressOperand(i, o);
        if (p < here) isReadBefore = true;
        if (nextUse < 0 || (p >= here && position[nextUse]! < here)) nextUse = i;
      }
    }
    const isInFlight = isLoaded && nDefs > 0 && !isReadBefore && definition >= 0 && position[definition]! < here;
    const kind = isAccumulator
      ? 'accumulators'
      : isInFlight
        ? 'loads in flight'
        : isAddress && nextUse >= 0
          ? 'addresses'
          : isInRegion
            ? 'in use'
            : 'passing through';
    const rc = fn.vregs.regClass[v]!;
    const isAfter = nextUse >= 0 && fn.instrBlock[nextUse] === this.block && position[nextUse]! >= here;
    return {
      kind,
      held: {
        register: this.nameOf(v, definition),
        weight,
        class: rc < 0 ? '' : fn.tables.regClassMirName(rc),
        definition: definition < 0 ? null : this.placeOf(definition),
        nextUse: nextUse < 0 ? null : this.placeOf(nextUse),
        distance: isAfter ? position[nextUse]! - here : -1,
        passesLoop: this.passedLoop(blocks),
        isOnlyPassing: !isInRegion,
      },
    };
  }

  /** What the scheduler has made has no name in the file. */
  private nameOf(v: VRegId, definition: InstrId): string {
    const { vregs } = this.fn;
    const name = vregs.name[v] ?? null;
    if (name !== null) return `%${name}`;
    const number = vregs.sourceNumber[v]! >>> 0;
    return number === 0xffffffff ? `(made at ${definition < 0 ? '?' : this.placeOf(definition).place})` : `%${number}`;
  }

  private reads(i: InstrId, v: VRegId): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === ~v && (fn.opFlags[o]! & (OpFlag.Def | OpFlag.Undef)) === 0) return true;
    return false;
  }

  private isAddressOperand(i: InstrId, o: number): boolean {
    const { fn } = this;
    return ADDRESS_OPERANDS.some((name) => {
      const at = fn.tables.getNamedOperandIdx(fn.opcode[i]!, name);
      return at >= 0 && fn.opBegin[i]! + at === o;
    });
  }

  private passedLoop(blocks: ReadonlySet<BlockId>): string {
    const { fn, loops } = this;
    let passed = '';
    for (let l = loops.loopOf[this.block]!; l >= 0; l = loops.loops[l]!.parent) {
      for (const b of blocks) if (this.isInLoop(b, l)) return passed;
      passed = `bb.${fn.blocks[loops.loops[l]!.header]!.sourceNumber}`;
    }
    return passed;
  }

  private isInLoop(b: BlockId, loop: number): boolean {
    for (let l = this.loops.loopOf[b]!; l >= 0; l = this.loops.loops[l]!.parent) if (l === loop) return true;
    return false;
  }
}
