/**
 * `postra-machine-sink`: after allocation, copies go down into the one successor that takes their results (PostRAMachineSinking, LLVM 22;
 * docs/llvm/late-passes.md, 11).
 */
import { FrameLiveness } from '../../analysis/frame/frameLiveness.js';
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { removeLiveIn, sortLiveIns } from '../../model/liveIns.js';
import {
  OpFlag,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import type { DebugNames } from '../../model/printer/index.js';
import { NO_REG } from '../../model/register.js';
import { McFlag, type PhysReg, type RegUnit } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { isDebugOrProbe } from '../instrOrder.js';
import { InstrQueries } from '../instrQueries.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { refuseVirtualRegs } from '../virtualRegs.js';
import { debugOperands, loseDebugValue, renameOperands } from '../debugOperands.js';
import { behindPrologue, mergeSunkLocation, prologueInterferes } from './sinkPlace.js';

/** @llvm MachineSink.cpp PostRAMachineSinkingLegacy */
export const postRASinkPass: MachinePass = {
  name: 'postra-machine-sink',
  pipelineName: 'postra-machine-sink',
  className: 'PostRAMachineSinkingPass',
  title: 'PostRA Machine Sink',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (state.fn.isOptNone) return;
    refuseVirtualRegs(state.fn);
    const editor = state.editor();
    const sinking = new PostRASinking(editor, state.context.debugNames);
    for (const b of editor.blockOrder()) sinking.runOnBlock(b);
  },
};

interface Copy {
  readonly i: InstrId;
  readonly uses: readonly OperandId[];
  readonly defs: readonly PhysReg[];
}

/** Of a debug value: the registers that it names. */
interface DebugUser {
  readonly value: InstrId;
  readonly regs: readonly PhysReg[];
}

/** @llvm MachineSink.cpp PostRAMachineSinkingImpl */
class PostRASinking {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly liveness: FrameLiveness;
  private readonly copy: number;

  // -- of one block, between its end and the instruction that is looked at ---------------------------------------------

  private readonly modified: LiveRegUnits;
  private readonly used: LiveRegUnits;
  private readonly debugUsers = new Map<RegUnit, DebugUser[]>();
  private successors: BlockId[] = [];
  /** by successor */
  private readonly taken = new Map<BlockId, LiveRegUnits>();

  constructor(
    private readonly editor: FunctionEditor,
    private readonly names: DebugNames,
  ) {
    const { fn } = editor;
    this.fn = fn;
    this.queries = new InstrQueries(fn);
    this.liveness = new FrameLiveness(fn);
    this.copy = fn.tables.opcodeByName('COPY');
    this.modified = new LiveRegUnits(fn);
    this.used = new LiveRegUnits(fn);
  }

  /**
   * From its end up to the last call. O(operands), each copy times successors
   * @llvm MachineSink.cpp PostRAMachineSinkingImpl::tryToSinkCopy
   */
  runOnBlock(b: BlockId): void {
    const { fn, editor } = this;
    const { blocks } = fn;
    this.successors = [...new Set(blocks[b].successors)];
    if (!this.successors.some((s) => this.isTarget(s))) return;
    this.modified.clear();
    this.used.clear();
    this.debugUsers.clear();
    this.taken.clear();
    for (let i = editor.list.before(~b); i >= 0;) {
      const before = editor.list.before(i);
      if (opcodeSet(fn.tables, 'debugValue').has(fn.opcode[i])) this.note(i);
      else if (!isDebugOrProbe(fn, i)) {
        if (this.queries.anyHas(i, McFlag.Call)) return;
        this.look(i);
      }
      i = before;
    }
  }

  /** Only the block comes before it, so that nothing need be split. */
  private isTarget(s: BlockId): boolean {
    const { liveIns, predecessors } = this.fn.blocks[s];
    return liveIns.length > 0 && predecessors.length === 1;
  }

  private look(i: InstrId): void {
    const { fn, editor } = this;
    const isRenamableCopy = fn.opcode[i] === this.copy && (fn.opFlags[fn.opBegin[i]] & OpFlag.Renamable) !== 0;
    const copy = isRenamableCopy ? this.independent(i) : null;
    const to = copy === null ? -1 : this.targetOf(copy.defs);
    if (copy === null || to < 0) {
      LiveRegUnits.accumulateUsedDefed(i, this.modified, this.used);
      return;
    }
    const users = this.debugUsersOf(copy.defs);
    const at = behindPrologue(editor, to);
    // As llc has it, a copy that stays for this is in the way of none above it.
    if (prologueInterferes(editor, this.queries, i, to, at, () => false)) return;
    this.takeOverKills(copy);
    mergeSunkLocation(fn, this.names, i, at);
    editor.move(i, at, to);
    for (const { value, regs } of users) this.sinkDebugValue(i, value, regs, at, to);
    this.updateLiveIns(copy, to);
  }

  /**
   * What an instruction reads and defines; null where something below writes one of those or reads what it defines.
   * @llvm MachineSink.cpp hasRegisterDependency
   */
  private independent(i: InstrId): Copy | null {
    const { fn, editor, modified, used } = this;
    const [uses, defs]: [OperandId[], PhysReg[]] = [[], []];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (reg === NO_REG) continue;
      if (!modified.available(reg)) return null;
      if (!editor.isDef(o)) uses.push(o);
      else if (used.available(reg)) defs.push(reg);
      else return null;
    }
    return { i, uses, defs };
  }

  // -- where to --------------------------------------------------------------------------------------------------------

  private takes(s: BlockId, reg: PhysReg): boolean {
    let units = this.taken.get(s);
    if (units === undefined) {
      this.taken.set(s, (units = new LiveRegUnits(this.fn)));
      this.liveness.addLiveIns(units, s);
    }
    return !units.available(reg);
  }

  /**
   * The successor that alone takes each of the registers, -1 without.
   * @llvm MachineSink.cpp getSingleLiveInSuccBB
   */
  private targetOf(defs: readonly PhysReg[]): BlockId {
    let target = -1;
    for (const reg of defs) {
      const takers = this.successors.filter((s) => this.takes(s, reg));
      if (takers.length !== 1 || !this.isTarget(takers[0]) || (target >= 0 && target !== takers[0])) return -1;
      target = takers[0];
    }
    return target;
  }

  // -- what goes with it -----------------------------------------------------------------------------------------------

  /** A debug value that the walk up the block has come to. */
  private note(value: InstrId): void {
    const { fn } = this;
    const { unitBegin, unitEnd, unitList } = fn.tables;
    if (this.independent(value) === null) return;
    const byUnit = new Map<RegUnit, PhysReg[]>();
    for (const o of debugOperands(fn, value, NO_REG)) {
      const reg = fn.opVal[o];
      if (reg === NO_REG) continue;
      for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) {
        const regs = byUnit.get(unitList[u]);
        if (regs === undefined) byUnit.set(unitList[u], [reg]);
        else regs.push(reg);
      }
    }
    for (const [unit, regs] of byUnit) {
      const users = this.debugUsers.get(unit);
      if (users === undefined) this.debugUsers.set(unit, [{ value, regs }]);
      else users.push({ value, regs });
    }
  }

  /** In the order in which they are come to, from unit to unit. */
  private debugUsersOf(defs: readonly PhysReg[]): DebugUser[] {
    if (this.debugUsers.size === 0) return [];
    const { unitBegin, unitEnd, unitList } = this.fn.tables;
    const found = new Map<InstrId, PhysReg[]>();
    for (const def of defs)
      for (let u = unitBegin[def]; u < unitEnd[def]; u++)
        for (const { value, regs } of this.debugUsers.get(unitList[u]) ?? []) {
          const known = found.get(value);
          if (known === undefined) found.set(value, [...regs]);
          else known.push(...regs);
        }
    return [...found].map(([value, regs]) => ({ value, regs }));
  }

  /**
   * A copy of the debug value goes along; itself, it names what is copied, or says that nothing is known.
   * @llvm MachineSink.cpp performSink
   */
  private sinkDebugValue(copy: InstrId, value: InstrId, regs: readonly PhysReg[], at: ListPos, block: BlockId): void {
    const { fn, editor } = this;
    editor.insertCopy(at, block, value);
    const [to, from] = [fn.opBegin[copy], fn.opBegin[copy] + 1];
    for (const reg of regs) {
      const operands = debugOperands(fn, value, reg);
      if (operands.length === 0) continue;
      if (reg !== fn.opVal[to] || fn.vregs.n > 0) {
        loseDebugValue(editor, value);
        return;
      }
      renameOperands(editor, operands, from);
    }
  }

  /**
   * The copy is the last reader of what it copies where one below it was.
   * @llvm MachineSink.cpp clearKillFlags
   */
  private takeOverKills({ i, uses }: Copy): void {
    const { fn, editor, queries, used } = this;
    for (const use of uses) {
      const reg = fn.opVal[use];
      if (used.available(reg)) continue;
      for (let below = editor.list.after(i); below >= 0; below = editor.list.after(below)) {
        const kills = queries
          .regOperands(below)
          .filter((o) => (fn.opFlags[o] & OpFlag.Kill) !== 0 && queries.overlaps(fn.opVal[o], reg));
        if (kills.length === 0) continue;
        for (const o of kills) fn.opFlags[o] &= ~OpFlag.Kill;
        fn.opFlags[use] |= OpFlag.Kill;
        break;
      }
    }
  }

  /** @llvm MachineSink.cpp updateLiveIn */
  private updateLiveIns({ uses, defs }: Copy, block: BlockId): void {
    const { fn } = this;
    const { liveIns } = fn.blocks[block];
    for (const def of defs) removeLiveIn(fn.tables, liveIns, def);
    for (const o of uses) liveIns.push({ reg: fn.opVal[o], laneLo: -1, laneHi: -1 });
    sortLiveIns(liveIns);
    this.taken.delete(block);
  }
}
