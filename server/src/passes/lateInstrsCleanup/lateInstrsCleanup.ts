/**
 * `machine-latecleanup`: a constant or an address that its register holds already is not loaded again (MachineLateInstrsCleanup, LLVM 22;
 * docs/llvm/late-passes.md, 10).
 */
import { hasFramePointer } from '../../analysis/frame/framePointers.js';
import { isSafeToMove } from '../../analysis/safeToMove.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { NO_REG } from '../../model/register.js';
import { sameInstr } from '../../model/sameOperand.js';
import type { PhysReg } from '../../target/api.js';
import { reversePostOrder } from '../../util/reversePostOrder.js';
import { InstrQueries } from '../instrQueries.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { refuseVirtualRegs } from '../virtualRegs.js';

/** @llvm MachineLateInstrsCleanup.cpp MachineLateInstrsCleanupLegacy */
export const lateInstrsCleanupPass: MachinePass = {
  name: 'machine-latecleanup',
  pipelineName: 'machine-latecleanup',
  className: 'MachineLateInstrsCleanupPass',
  title: 'Machine Late Instructions Cleanup Pass',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (state.fn.isOptNone) return;
    const { fn } = state;
    refuseVirtualRegs(fn);
    new LateInstrsCleanup(state.editor()).run();
  },
};

const ALLOWED: ReadonlySet<OperandKind> = new Set([
  OperandKind.Immediate,
  OperandKind.CImmediate,
  OperandKind.FPImmediate,
  OperandKind.ConstantPoolIndex,
  OperandKind.GlobalAddress,
  OperandKind.ExternalSymbol,
]);

/** @llvm MachineLateInstrsCleanup.cpp MachineLateInstrsCleanup */
class LateInstrsCleanup {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly frameReg: PhysReg;
  /** by block: what a register holds at its end, as the instruction that put it there */
  private readonly defs: Map<PhysReg, InstrId>[];
  /** by block: what kills such a register, or part of it */
  private readonly kills: Map<PhysReg, InstrId[]>[];
  private readonly excluded: ReadonlySet<number>;

  constructor(private readonly editor: FunctionEditor) {
    const { fn } = editor;
    this.fn = fn;
    this.queries = new InstrQueries(fn);
    const { frameOffsetReg, stackPtrOffsetReg } = fn.header.machineFunctionInfo;
    this.frameReg = hasFramePointer(fn.header) ? frameOffsetReg : stackPtrOffsetReg;
    this.defs = fn.blocks.map(() => new Map());
    this.kills = fn.blocks.map(() => new Map());
    this.excluded = new Set(['IMPLICIT_DEF', 'INLINEASM', 'INLINEASM_BR'].map((name) => fn.tables.opcodeByName(name)));
  }

  /** O(instructions, each times the constants that registers hold) */
  run(): void {
    for (const b of reversePostOrder(this.fn.blocks)) this.process(b);
  }

  /** @llvm MachineLateInstrsCleanup.cpp MachineLateInstrsCleanup::processBlock */
  private process(b: BlockId): void {
    const { fn, editor, queries, frameReg } = this;
    const defs = this.defs[b]!;
    const kills = this.kills[b]!;
    const [first, ...others] = fn.blocks[b]!.predecessors;
    if (first !== undefined)
      for (const [reg, def] of this.defs[first]!) if (others.every((p) => this.holds(p, reg, def))) defs.set(reg, def);
    for (let i = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      if (frameReg !== NO_REG && queries.modifies(i, frameReg)) {
        defs.clear();
        kills.clear();
      } else {
        const reg = this.constantReg(i);
        if (reg !== NO_REG && this.holds(b, reg, i)) {
          this.clearKills(reg, b, new Set());
          editor.erase(i);
        } else {
          this.note(i, defs, kills);
          if (reg !== NO_REG) defs.set(reg, i);
        }
      }
      i = next;
    }
  }

  private holds(b: BlockId, reg: PhysReg, i: InstrId): boolean {
    const def = this.defs[b]!.get(reg);
    return def !== undefined && sameInstr(this.fn, def, i);
  }

  /** What an instruction does to the constants in registers. */
  private note(i: InstrId, defs: Map<PhysReg, InstrId>, kills: Map<PhysReg, InstrId[]>): void {
    for (const reg of [...defs.keys()])
      if (this.queries.modifies(i, reg)) {
        defs.delete(reg);
        kills.delete(reg);
      } else if (this.killsOf(i, reg).length > 0) kills.set(reg, [...(kills.get(reg) ?? []), i]);
  }

  private killsOf(i: InstrId, reg: PhysReg): number[] {
    const { fn, queries } = this;
    return queries
      .regOperands(i)
      .filter((o) => (fn.opFlags[o]! & OpFlag.Kill) !== 0 && queries.overlaps(fn.opVal[o]!, reg));
  }

  /**
   * The register that an instruction puts a constant into and does nothing else; NO_REG = it is no such instruction.
   * @llvm MachineLateInstrsCleanup.cpp isCandidate
   */
  private constantReg(i: InstrId): PhysReg {
    const { fn, excluded } = this;
    if (excluded.has(fn.opcode[i]!) || !isSafeToMove(fn, i)) return NO_REG;
    let reg: PhysReg = NO_REG;
    const begin = fn.opBegin[i]!;
    for (let o = begin; o < fn.opBegin[i + 1]!; o++) {
      const flags = fn.opFlags[o]!;
      if (fn.opKind[o] !== OperandKind.Register) {
        if (!ALLOWED.has(fn.opKind[o]!)) return NO_REG;
      } else if ((flags & OpFlag.Def) === 0) {
        if (fn.opVal[o] !== NO_REG && fn.opVal[o] !== this.frameReg) return NO_REG;
      } else if (o === begin && (flags & (OpFlag.Implicit | OpFlag.Dead)) === 0) reg = fn.opVal[o]!;
      else return NO_REG;
    }
    return reg;
  }

  /**
   * The register lives on: no kill back to where it got its value, which blocks between take in.
   * @llvm MachineLateInstrsCleanup.cpp MachineLateInstrsCleanup::clearKillsForDef
   */
  private clearKills(reg: PhysReg, b: BlockId, visited: Set<BlockId>): void {
    const { fn } = this;
    visited.add(b);
    for (const i of this.kills[b]!.get(reg) ?? []) for (const o of this.killsOf(i, reg)) fn.opFlags[o]! &= ~OpFlag.Kill;
    const def = this.defs[b]!.get(reg);
    if (def !== undefined && fn.instrBlock[def] === b) return;
    const { liveIns, predecessors } = fn.blocks[b]!;
    if (!liveIns.some((live) => live.reg === reg)) liveIns.push({ reg, laneLo: -1, laneHi: -1 });
    for (const p of predecessors) if (!visited.has(p)) this.clearKills(reg, p, visited);
  }
}
