/** What the parts of the verifier share while they look at one function. */
import type { PhysReg, RegClassId, RegUnit, Subtarget, TargetTables } from '../../target/api.js';
import { OperandKind } from '../../model/machineFunction.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import type { BlockId, InstrId, MachineFunction, OperandId } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import { InlineConstants } from './inlineConstants.js';
import type { KnownIntervals } from './knownIntervals.js';
import { planTableOf } from './opcodePlan.js';
import type { PlanTable } from './opcodePlan.js';
import { ReportSink } from './reports.js';
import { ReservedRegs } from '../reservedRegs.js';

export interface VerifierOptions {
  /** Is the address of this IR block (as `irBlockAddressTaken` spells it) taken in the embedded IR? Default: assume so. */
  readonly isBlockAddressTaken?: (irBlock: string) => boolean;
  /** has the IR function a DISubprogram? Default false. */
  readonly hasSubprogram?: boolean;
  /** live intervals that the pass before has left, which are checked, too */
  readonly known?: KnownIntervals | undefined;
}

/** Registers that nearly every instruction reads and every function reserves, by register number. */
const hotReserved = new WeakMap<TargetTables, Uint8Array>();

function alwaysReservedOf(tables: TargetTables): Uint8Array {
  let set = hotReserved.get(tables);
  if (!set) {
    set = new Uint8Array(tables.nRegs);
    for (const name of ['exec', 'exec_lo', 'exec_hi', 'mode', 'm0', 'flat_scr']) {
      const reg = tables.regByName(name);
      if (reg > 0) set[reg] = 1;
    }
    hotReserved.set(tables, set);
  }
  return set;
}

const lonelyOf = new WeakMap<TargetTables, readonly PhysReg[]>();

/** Registers without aliases that are neither allocatable nor reserved: of AMDGCN only $scc, of R600 constants and queues. */
export function lonelyRegs(tables: TargetTables): readonly PhysReg[] {
  let regs = lonelyOf.get(tables);
  if (regs === undefined) {
    if (tables.isAMDGCN) regs = [tables.regByName('scc')];
    else {
      const all = Array.from({ length: tables.nRegs - 1 }, (_, i) => i + 1);
      const isFree = (r: PhysReg): boolean => !tables.isInAllocatableClass(r) && !tables.reserved.includes(r);
      regs = all.filter((r) => isFree(r) && tables.subRegs(r).length + tables.superRegs(r).length === 0);
    }
    lonelyOf.set(tables, regs);
  }
  return regs;
}

export class VerifierContext {
  readonly st: Subtarget;
  readonly tables: TargetTables;
  readonly out: ReportSink;
  readonly plans: PlanTable;
  private readonly alwaysReserved: Uint8Array;
  private reservedRegs: ReservedRegs | null = null;
  private someFirstPhi: boolean | null = null;
  readonly inline: InlineConstants;
  readonly nBlocks: number;
  /** predecessors in LLVM's list order, one entry per edge: predList[predBegin[b]] .. predList[predBegin[b + 1] - 1] */
  readonly predBegin: Int32Array;
  readonly predList: Int32Array;

  constructor(
    readonly fn: MachineFunction,
    readonly options: VerifierOptions,
  ) {
    this.st = fn.subtarget;
    this.tables = fn.tables;
    this.out = new ReportSink(fn);
    this.plans = planTableOf(this.st);
    this.alwaysReserved = alwaysReservedOf(fn.tables);
    this.inline = new InlineConstants(this.st);
    const n = fn.blocks.length;
    this.nBlocks = n;
    const begin = new Int32Array(n + 1);
    for (const b of fn.blocks) for (const s of b.successors) begin[s + 1]++;
    for (let b = 0; b < n; b++) begin[b + 1] += begin[b];
    const list = new Int32Array(begin[n]);
    const fill = begin.slice();
    for (let b = 0; b < n; b++) for (const s of fn.blocks[b].successors) list[fill[s]++] = b;
    this.predBegin = begin;
    this.predList = list;
  }

  /** Does any block begin with a PHI? */
  get beginsWithPhi(): boolean {
    this.someFirstPhi ??= this.fn.blocks.some((_, b) => this.beginsBlockWithPhi(b));
    return this.someFirstPhi;
  }

  private beginsBlockWithPhi(b: BlockId): boolean {
    const { fn } = this;
    const first = fn.blockBegin[b];
    return first < fn.blockEnd[b] && opcodeSet(this.tables, 'phi').has(fn.opcode[fn.order[first]]);
  }

  isAlwaysReserved(reg: PhysReg): boolean {
    return this.alwaysReserved[reg] === 1;
  }

  /** The registers of the function are looked at when one beyond those that are always reserved is asked for. */
  isReserved(reg: PhysReg): boolean {
    if (this.alwaysReserved[reg] === 1) return true;
    this.reservedRegs ??= new ReservedRegs(this.fn);
    return this.reservedRegs.isReserved(reg);
  }

  isReservedUnit(unit: RegUnit): boolean {
    this.reservedRegs ??= new ReservedRegs(this.fn);
    return this.reservedRegs.isReservedUnit(unit);
  }

  /** Class of a virtual register, minimal class of a physical one; -1 if there is none. */
  classOfReg(reg: Reg): RegClassId {
    if (reg === 0) return -1;
    return isVirtualReg(reg) ? this.fn.vregs.regClass[virtRegIndex(reg)] : this.tables.getMinimalPhysRegClass(reg);
  }

  isSGPR(reg: Reg): boolean {
    const rc = this.classOfReg(reg);
    return rc >= 0 && this.plans.classes.isSGPR[rc] === 1;
  }

  /**
   * Not a class that holds both VGPRs and AGPRs.
   * @llvm SIRegisterInfo.h SIRegisterInfo::isVectorRegister
   */
  isVector(reg: Reg): boolean {
    const rc = this.classOfReg(reg);
    return rc >= 0 && (this.plans.classes.vector[rc] === 1 || this.plans.classes.vector[rc] === 2);
  }

  isAGPR(reg: Reg): boolean {
    const rc = this.classOfReg(reg);
    return rc >= 0 && this.plans.classes.vector[rc] === 2;
  }

  /** the operand is an immediate whose value is inline for `type` */
  isInlineOperand(o: OperandId, type: number): boolean {
    return (
      this.fn.opKind[o] === OperandKind.Immediate && this.inline.isInline(this.fn.opVal[o], this.fn.opExt[o], type)
    );
  }

  isBlockHead(i: InstrId): boolean {
    return (this.fn.bundle[i] & 1) === 0;
  }

  hasSuccessor(block: BlockId, succ: BlockId): boolean {
    return this.fn.blocks[block].successors.includes(succ);
  }
}
