/**
 * Scheduling regions of a function and the instructions that bound them.
 *
 * Follows getSchedRegions of MachineScheduler and SIInstrInfo::isSchedulingBoundary (LLVM 22.1.8) as docs/llvm/schedule-dag.md, 3 describes them.
 */
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
} from '../../model/machineFunction.js';
import { maskClobbers } from '../../model/regMask.js';
import { McFlag, type TargetTables } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import type { InstrList, ListPos } from '../../model/edit/instrList.js';

const enum OpcodeRole {
  Debug = 1,
  Boundary = 2,
  SchedBarrier = 4,
  ComputesOnce = 128,
}

/** OpcodeRoles of a target, as far as they were asked for. */
const rolesByOpcode = new WeakMap<TargetTables, Uint8Array>();

/** Answers "is it a debug instruction, is it a boundary?" for the instructions of one function. */
export class InstrRoles {
  private readonly roleOf: Uint8Array;
  private readonly exec: number;

  constructor(private readonly fn: MachineFunction) {
    let roles = rolesByOpcode.get(fn.tables);
    if (roles === undefined) rolesByOpcode.set(fn.tables, (roles = new Uint8Array(fn.tables.nOpcodes)));
    this.roleOf = roles;
    this.exec = fn.tables.regByName('exec');
  }

  private role(opc: number): number {
    let r = this.roleOf[opc];
    if (r !== 0) return r;
    const { tables } = this.fn;
    const flags = tables.opcodeFlagsLo(opc);
    r = OpcodeRole.ComputesOnce;
    if ((opcodeTraits(tables)[opc] & OpcodeTrait.NoSlotIndex) !== 0) r |= OpcodeRole.Debug;
    if (opcodeSet(tables, 'schedBarrier').has(opc)) r |= OpcodeRole.SchedBarrier;
    const isNamed = opcodeSet(tables, 'schedulingBoundary').has(opc);
    if (isNamed || (flags & ((1 << McFlag.Call) | (1 << McFlag.Terminator))) !== 0) r |= OpcodeRole.Boundary;
    this.roleOf[opc] = r;
    return r;
  }

  /** Debug instruction or pseudo probe. */
  isDebug(i: InstrId): boolean {
    return (this.role(this.fn.opcode[i]) & OpcodeRole.Debug) !== 0;
  }

  /** @llvm MachineScheduler.cpp isSchedBoundary */
  isBoundary(i: InstrId): boolean {
    const { fn } = this;
    const r = this.role(fn.opcode[i]);
    if ((r & OpcodeRole.Boundary) !== 0) return true;
    if ((r & OpcodeRole.SchedBarrier) !== 0 && fn.imm(fn.opBegin[i]) === 0) return true;
    if (this.definesExec(i)) return true;
    for (let m = i; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) {
      m++;
      if ((fn.tables.opcodeFlagsLo(fn.opcode[m]) & ((1 << McFlag.Call) | (1 << McFlag.Terminator))) !== 0) return true;
    }
    return false;
  }

  private definesExec(i: InstrId): boolean {
    const { fn, exec } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.Register) {
        if ((fn.opFlags[o] & OpFlag.Def) !== 0 && fn.opVal[o] > 0 && fn.tables.regsOverlap(fn.opVal[o], exec))
          return true;
      } else if (fn.opKind[o] === OperandKind.RegisterMask && maskClobbers(fn, o, exec)) return true;
    }
    return false;
  }
}

export interface FormedRegion {
  readonly block: BlockId;
  readonly begin: ListPos;
  /** boundary instruction or `~block` */
  readonly end: ListPos;
  /** instructions that are no debug instructions */
  readonly nInstrs: number;
}

/** A region while it is being scheduled; `begin` moves with its first instruction. */
export interface SchedRegion extends FormedRegion {
  begin: ListPos;
  /** slots of the original order just inside the region's ends, and just after its boundary instruction */
  readonly beginSlot: number;
  readonly endSlot: number;
  readonly afterBoundarySlot: number;
}

/**
 * All regions in the order in which the scheduler records them: block by block, bottom-most region first.
 * @llvm MachineScheduler.cpp getSchedRegions
 */
export function formRegions(fn: MachineFunction, list: InstrList, roles: InstrRoles): FormedRegion[] {
  const regions: FormedRegion[] = [];
  for (let b = 0; b < fn.blocks.length; b++) {
    const sentinel = ~b;
    let end: ListPos = sentinel;
    while (end !== list.first(b)) {
      const last = list.before(end);
      if (end !== sentinel || roles.isBoundary(last)) end = last;
      let begin = end;
      let n = 0;
      for (let p = list.before(begin); p >= 0 && !roles.isBoundary(p); p = list.before(begin)) {
        begin = p;
        if (!roles.isDebug(p)) n++;
      }
      if (n > 0) regions.push({ block: b, begin, end, nInstrs: n });
      end = begin;
    }
  }
  return regions;
}
