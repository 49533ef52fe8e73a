/** `machine-cse`: instructions that compute what another one in front of them has computed go (MachineCSE, LLVM 22; docs/llvm/improving-ssa.md, 1). */
import { computeBlockFrequencies } from '../../analysis/blockFrequency.js';
import type { DominatorTree } from '../../analysis/dominators.js';
import { isConvergent, isInvariantLoad, mayRaiseFPException } from '../../analysis/safeToMove.js';
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import type { IRFunction } from '../../ir/module.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
} from '../../model/machineFunction.js';
import { maskClobbers } from '../../model/regMask.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { hasOpcodeFlag, McFlag, type PhysReg } from '../../target/index.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { isAllocatable, isConstantReg, isIgnorableUse } from '../constantRegs.js';
import { DOMINATORS, LOOPS } from '../controlFlowAnalyses.js';
import { reservedOf } from '../frozenRegisters.js';
import { InstrForms } from '../instrForms.js';
import { firstTerminator, isDebugInstr } from '../instrOrder.js';
import { irBlockOf, isPotentiallyReachable } from '../irBlocks.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { ExpressionMap, type ExpressionEntry } from './expressionMap.js';

/** @llvm MachineCSE.cpp MachineCSELegacy */
export const machineCSEPass: MachinePass = {
  name: 'machine-cse',
  pipelineName: 'machine-cse',
  className: 'MachineCSEPass',
  title: 'Machine Common Subexpression Elimination',
  requires: [DOMINATORS, LOOPS],
  preserves: [CFG],
  run(state) {
    if (state.fn.isOptNone) return;
    const editor = state.editor();
    const { fn } = editor;
    const dominators = state.get(DOMINATORS);
    const irFunction = state.context.ir?.functionByName(fn.header.name) ?? null;
    const cse = new CommonSubexpressions(editor, dominators, reservedOf(state));
    cse.hoistPartlyRedundant(computeBlockFrequencies(fn.blocks, state.get(LOOPS)), irFunction);
    cse.eliminate();
  },
};

/**
 * So many instructions between two are looked at for a definition of their physical registers.
 * @llvm SIInstrInfo.h SIInstrInfo::getMachineCSELookAheadLimit
 */
const LOOK_AHEAD = 500;

/** So many uses of a register are looked at (`-csuses-threshold`). */
const MANY_USES = 1024;

interface PhysDef {
  /** operand within the instruction */
  readonly k: number;
  readonly reg: PhysReg;
}

/** What an instruction does with physical registers. */
interface PhysicalUse {
  /** those that it reads and those that it defines for others, with all that overlap them */
  readonly regs: ReadonlySet<PhysReg>;
  readonly defs: readonly PhysDef[];
  /** it defines a register that it reads */
  readonly definesItsUse: boolean;
}

/** @llvm MachineCSE.cpp MachineCSEImpl */
class CommonSubexpressions {
  private readonly fn: MachineFunction;
  private readonly forms: InstrForms;
  private readonly children: BlockId[][];

  constructor(
    readonly editor: FunctionEditor,
    private readonly dominators: DominatorTree,
    readonly reserved: ReservedRegs,
  ) {
    this.fn = editor.fn;
    this.forms = new InstrForms(editor);
    this.children = this.fn.blocks.map(() => []);
    for (const b of dominators.dfsOrder) if (dominators.idom[b] >= 0) this.children[dominators.idom[b]].push(b);
  }

  // -- candidates ------------------------------------------------------------------------------------------------------

  private has(i: InstrId, flag: McFlag): boolean {
    return hasOpcodeFlag(this.fn.tables, this.fn.opcode[i], flag);
  }

  private isCopyLike(i: InstrId): boolean {
    return opcodeSet(this.fn.tables, 'copyLike').has(this.fn.opcode[i]);
  }

  /** @llvm MachineCSE.cpp MachineCSEImpl::isCSECandidate */
  private isCandidate(i: InstrId): boolean {
    const { fn } = this;
    const { tables } = fn;
    const opcode = fn.opcode[i];
    if (opcodeSet(tables, 'notComputed').has(opcode) || isDebugInstr(fn, i) || this.isCopyLike(i)) return false;
    for (const set of ['position', 'phi', 'inlineAsm', 'fakeUse'] as const)
      if (opcodeSet(tables, set).has(opcode)) return false;
    for (let m = i; ; m++) {
      for (const flag of [McFlag.MayStore, McFlag.Call, McFlag.Terminator, McFlag.UnmodeledSideEffects])
        if (this.has(m, flag)) return false;
      if (mayRaiseFPException(fn, m)) return false;
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
    }
    if (fn.bundle[i] !== 0) throw new NotModelled('a bundle that machine-cse may compare with others');
    return !this.has(i, McFlag.MayLoad) || isInvariantLoad(fn, i);
  }

  /**
   * Reads of the source of a copy in place of its result; a copy that nobody else reads goes.
   * @llvm MachineCSE.cpp MachineCSEImpl::PerformTrivialCopyPropagation
   */
  private readThroughCopies(i: InstrId): boolean {
    const { fn, editor } = this;
    let hasChanged = false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (!isVirtualReg(reg) || editor.isDef(o)) continue;
      const isOnlyUse = editor.onlyUse(reg) >= 0;
      const copy = editor.defOf(reg);
      if (copy < 0 || fn.opcode[copy] !== fn.tables.opcodeByName('COPY')) continue;
      const source = fn.opVal[fn.opBegin[copy] + 1];
      if (!isVirtualReg(source) || fn.opSub[fn.opBegin[copy] + 1] !== 0) continue;
      if (!editor.constrainAttributes(source, reg)) continue;
      editor.setReg(o, source);
      editor.clearKillFlags(source);
      if (isOnlyUse) {
        editor.changeDebugValues(copy, source);
        editor.erase(copy);
      }
      hasChanged = true;
    }
    return hasChanged;
  }

  // -- physical registers ----------------------------------------------------------------------------------------------

  /** With all registers that overlap it. */
  private addAliases(regs: Set<PhysReg>, reg: PhysReg): void {
    const { tables } = this.fn;
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++)
      for (const root of tables.regUnitRoots(tables.unitList[k])) {
        regs.add(root);
        for (const around of tables.superRegs(root)) regs.add(around);
      }
  }

  /** @llvm MachineCSE.cpp MachineCSEImpl::hasLivePhysRegDefUses */
  private physicalUse(i: InstrId): PhysicalUse {
    const { fn, editor } = this;
    const regs = new Set<PhysReg>();
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (!isPhysicalReg(reg) || editor.isDef(o)) continue;
      if (!isIgnorableUse(this, i, o) && !isConstantReg(this, reg)) this.addAliases(regs, reg);
    }
    const defs: PhysDef[] = [];
    let definesItsUse = false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (!isPhysicalReg(reg) || !editor.isDef(o)) continue;
      if (regs.has(reg)) definesItsUse = true;
      if ((fn.opFlags[o] & OpFlag.Dead) === 0 && !this.isDeadBehind(i, reg)) defs.push({ k: o - fn.opBegin[i], reg });
    }
    for (const { reg } of defs) this.addAliases(regs, reg);
    return { regs, defs, definesItsUse };
  }

  /** @llvm MachineCSE.cpp MachineCSEImpl::isPhysDefTriviallyDead */
  private isDeadBehind(i: InstrId, reg: PhysReg): boolean {
    const { fn, editor } = this;
    let at: ListPos = i;
    for (let left = LOOK_AHEAD; left > 0; left--) {
      do at = editor.list.after(at);
      while (at >= 0 && isDebugInstr(fn, at));
      if (at < 0) return false;
      let isDefined = false;
      for (let o = fn.opBegin[at]; o < fn.opBegin[at + 1]; o++) {
        if (fn.opKind[o] === OperandKind.RegisterMask && maskClobbers(fn, o, reg)) isDefined = true;
        if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] <= 0) continue;
        if (!fn.tables.regsOverlap(fn.opVal[o], reg)) continue;
        if (!editor.isDef(o)) return false;
        isDefined = true;
      }
      if (isDefined) return true;
    }
    return false;
  }

  /**
   * Whether the registers of `use` are the same at `to` as after `from`: null where they are not, else whether another block lies between.
   * @llvm MachineCSE.cpp MachineCSEImpl::PhysRegDefsReach
   */
  private reach(from: InstrId, to: InstrId, { regs, defs }: PhysicalUse): 'here' | 'from another block' | null {
    const { fn, editor } = this;
    const [block, other] = [fn.instrBlock[to], fn.instrBlock[from]];
    if (other !== block) {
      const { predecessors } = fn.blocks[block];
      if (predecessors.length !== 1 || predecessors[0] !== other) return null;
      if (defs.some(({ reg }) => isAllocatable(this, reg) || this.reserved.isReserved(reg))) return null;
    }
    let isElsewhere = false;
    let at = editor.list.after(from);
    for (let left = LOOK_AHEAD; left > 0;) {
      while (at >= 0 && at !== to && isDebugInstr(fn, at)) at = editor.list.after(at);
      if (at < 0) {
        isElsewhere = true;
        at = editor.list.first(block);
        continue;
      }
      if (at === to) return isElsewhere ? 'from another block' : 'here';
      for (let o = fn.opBegin[at]; o < fn.opBegin[at + 1]; o++) {
        if (fn.opKind[o] === OperandKind.RegisterMask) return null;
        if (fn.opKind[o] !== OperandKind.Register || !editor.isDef(o) || fn.opVal[o] <= 0) continue;
        if (regs.has(fn.opVal[o])) return null;
      }
      left--;
      at = editor.list.after(at);
    }
    return null;
  }

  // -- elimination -----------------------------------------------------------------------------------------------------

  /**
   * Blocks in a walk of the dominator tree, last child first, with what the blocks above them compute.
   * @llvm MachineCSE.cpp MachineCSEImpl::PerformCSE
   */
  eliminate(): void {
    if (this.fn.blocks.length === 0) return;
    const known = new ExpressionMap<null>(this.fn);
    /** a block, or where one that is done began */
    const work: { block: BlockId; done: number }[] = [{ block: 0, done: -1 }];
    for (let top = work.pop(); top !== undefined; top = work.pop()) {
      if (top.done >= 0) {
        known.cutTo(top.done);
        continue;
      }
      work.push({ block: top.block, done: known.size });
      for (const block of this.children[top.block]) work.push({ block, done: -1 });
      this.eliminateIn(top.block, known);
    }
  }

  /** @llvm MachineCSE.cpp MachineCSEImpl::ProcessBlockCSE */
  private eliminateIn(b: BlockId, known: ExpressionMap<null>): void {
    const { editor } = this;
    for (let i = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      if (this.isCandidate(i)) {
        const found = this.findSame(i, known);
        if (found === 'copy') {
          i = next;
          continue;
        }
        if (found === null || !this.replaceBy(i, found.instr, found.use, found.isElsewhere)) known.add(i, null);
      }
      i = next;
    }
  }

  /** An instruction that computes the same, with its registers where this one needs them; 'copy': this one has become one. */
  private findSame(
    i: InstrId,
    known: ExpressionMap<null>,
  ): { instr: InstrId; use: PhysicalUse; isElsewhere: boolean } | 'copy' | null {
    const { fn, forms } = this;
    let entry = known.find(i);
    if (entry === null && this.readThroughCopies(i)) {
      if (this.isCopyLike(i)) return 'copy';
      entry = known.find(i);
    }
    if (entry === null && this.has(i, McFlag.Commutable) && forms.commute(i)) {
      entry = known.find(i);
      if (entry === null) forms.commute(i);
    }
    if (entry === null) return null;
    const use = this.physicalUse(i);
    let isElsewhere = false;
    if (use.regs.size > 0) {
      const reached = use.definesItsUse ? null : this.reach(entry.instr, i, use);
      if (reached === null) return null;
      isElsewhere = reached === 'from another block';
    }
    if (isConvergent(fn, i) && fn.instrBlock[i] !== fn.instrBlock[entry.instr]) return null;
    return { instr: entry.instr, use, isElsewhere };
  }

  /** Reads of `i` become reads of `same`, and `i` goes; false where that does not pay or no class fits. */
  private replaceBy(i: InstrId, same: InstrId, { defs }: PhysicalUse, isElsewhere: boolean): boolean {
    const { fn, editor } = this;
    const { tables } = fn;
    const [begin, sameBegin] = [fn.opBegin[i], fn.opBegin[same]];
    const pairs: [Reg, Reg][] = [];
    const alive: number[] = [];
    const shared: PhysReg[] = [];
    let left = tables.opcodeNumDefs(fn.opcode[i]) + tables.implicitDefs(fn.opcode[i]).length;
    for (let k = 0, n = fn.numOperands(i); left > 0 && k < n; k++) {
      const o = begin + k;
      if (fn.opKind[o] !== OperandKind.Register || !editor.isDef(o)) continue;
      const [mine, its] = [fn.opVal[o], fn.opVal[sameBegin + k]];
      const isLive = (fn.opFlags[o] & (OpFlag.Implicit | OpFlag.Dead)) === OpFlag.Implicit;
      if (isLive && (fn.opFlags[sameBegin + k] & OpFlag.Dead) !== 0) alive.push(k);
      if (isLive && mine === its) shared.push(mine);
      left--;
      if (mine === its) continue;
      if (!this.isProfitable(its, mine, fn.instrBlock[same], i) || !editor.constrainAttributes(its, mine)) return false;
      pairs.push([mine, its]);
    }
    for (const [mine, its] of pairs) {
      const def = editor.defOf(its);
      for (let o = fn.firstReg(def); o >= 0; o = fn.nextReg(def, o))
        if (fn.opVal[o] === its && editor.isDef(o)) fn.opFlags[o] &= ~OpFlag.Dead;
      editor.replaceReg(mine, its);
      editor.clearKillFlags(its);
    }
    for (const k of alive) fn.opFlags[sameBegin + k] &= ~OpFlag.Dead;
    for (const { k } of defs)
      if ((fn.opFlags[begin + k] & OpFlag.Dead) === 0) fn.opFlags[sameBegin + k] &= ~OpFlag.Dead;
    if (fn.instrBlock[same] !== fn.instrBlock[i]) for (const reg of shared) editor.clearKillFlags(reg);
    else if (shared.length > 0)
      for (let at: ListPos = same; at !== i; at = editor.list.after(at))
        for (const reg of shared) this.clearFirstKill(at, reg);
    if (isElsewhere) this.addLiveIns(fn.instrBlock[i], defs);
    editor.erase(i);
    return true;
  }

  private clearFirstKill(i: InstrId, reg: PhysReg): void {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Kill)) !== OpFlag.Kill || fn.opVal[o] <= 0) continue;
      if (!fn.tables.regsOverlap(fn.opVal[o], reg)) continue;
      fn.opFlags[o] &= ~OpFlag.Kill;
      return;
    }
  }

  private addLiveIns(b: BlockId, defs: readonly PhysDef[]): void {
    const { liveIns } = this.fn.blocks[b];
    for (const { reg } of [...defs].reverse())
      if (!liveIns.some((l) => l.reg === reg)) liveIns.push({ reg, laneLo: -1, laneHi: -1 });
  }

  /** @llvm MachineCSE.cpp MachineCSEImpl::isProfitableToCSE */
  private isProfitable(its: Reg, mine: Reg, block: BlockId, i: InstrId): boolean {
    const { fn, editor } = this;
    const uses = editor.usesOf(its).map((o) => editor.instrOf(o));
    const users = new Set(uses);
    const nUses = uses.filter((u, k) => u !== uses[k - 1]).length;
    if (nUses <= MANY_USES && editor.usesOf(mine).every((o) => users.has(editor.instrOf(o)))) return true;
    const own = fn.instrBlock[i];
    if (this.has(i, McFlag.CheapAsAMove) && block !== own && !fn.blocks[block].successors.includes(own)) return false;
    if (!this.readsVirtual(i) && editor.usesOf(mine).every((o) => this.isCopyLike(editor.instrOf(o)))) return false;
    if (uses.some((u) => fn.instrBlock[u] === own)) return true;
    return !uses.some((u) => opcodeSet(fn.tables, 'phi').has(fn.opcode[u]));
  }

  private readsVirtual(i: InstrId): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (isVirtualReg(fn.opVal[o]) && !this.editor.isDef(o)) return true;
    return false;
  }

  // -- what is redundant on one way alone --------------------------------------------------------------------------------

  /**
   * An instruction that is computed on one way to its block goes into the block above both ways, too, so that `eliminate` finds it.
   * @llvm MachineCSE.cpp MachineCSEImpl::PerformSimplePRE
   */
  hoistPartlyRedundant(frequency: readonly bigint[], irFunction: IRFunction | null): void {
    const { fn, editor } = this;
    if (fn.blocks.length === 0) return;
    const known = new ExpressionMap<BlockId>(fn);
    const work: BlockId[] = [0];
    for (let b = work.pop(); b !== undefined; b = work.pop()) {
      work.push(...this.children[b]);
      for (let i = editor.list.first(b); i >= 0;) {
        const next = editor.list.after(i);
        const regs = this.physicalUsesOfHoisted(i);
        if (regs !== null) {
          const entry = known.find(i);
          if (entry === null) known.add(i, b);
          else this.hoist(i, regs, entry, frequency, irFunction);
        }
        i = next;
      }
    }
  }

  /**
   * The physical registers that it reads; null: it may not be hoisted.
   * @llvm MachineCSE.cpp MachineCSEImpl::isPRECandidate
   */
  private physicalUsesOfHoisted(i: InstrId): Set<PhysReg> | null {
    const { fn } = this;
    if (!this.isCandidate(i)) return null;
    for (const flag of [McFlag.NotDuplicable, McFlag.MayLoad, McFlag.CheapAsAMove]) if (this.has(i, flag)) return null;
    const opcode = fn.opcode[i];
    if (fn.tables.opcodeNumDefs(opcode) !== 1 || fn.tables.implicitDefs(opcode).length > 0) return null;
    const regs = new Set<PhysReg>();
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (isVirtualReg(fn.opVal[o])) continue;
      if (this.editor.isDef(o)) return null;
      if (fn.opVal[o] > 0) regs.add(fn.opVal[o]);
    }
    return regs;
  }

  /** @llvm MachineCSE.cpp MachineCSEImpl::ProcessBlockPRE */
  private hoist(
    i: InstrId,
    regs: Set<PhysReg>,
    entry: ExpressionEntry<BlockId>,
    frequency: readonly bigint[],
    irFunction: IRFunction | null,
  ): void {
    const { fn, editor, dominators } = this;
    const b = fn.instrBlock[i];
    const other = entry.value;
    let above = b;
    while (!dominators.dominates(above, other)) above = dominators.idom[above];
    if (!this.isLegalToHoistInto(above) || above === other) return;
    const isSmall = fn.header.irFunction.enumAttributes.has('minsize');
    if (!isSmall && frequency[above] > frequency[b] + frequency[other]) return;
    const [mine, its] = [irBlockOf(irFunction, fn.blocks[b]), irBlockOf(irFunction, fn.blocks[other])];
    if (mine === null || its === null) return;
    if (!isPotentiallyReachable(its, mine) && !isPotentiallyReachable(mine, its)) return;
    if (isConvergent(fn, i) && above !== b) return;
    const end = firstTerminator(editor, above);
    if (regs.size > 0 && (end < 0 || this.reach(end, i, { regs, defs: [], definesItsUse: false }) === null)) return;
    const reg = fn.opVal[fn.opBegin[i]];
    const made = ~editor.cloneVReg(virtRegIndex(reg));
    if (!this.isProfitable(made, reg, above, i)) return;
    const copy = editor.insertCopy(end, above, i);
    const extra = fn.extras.get(copy);
    if (extra !== undefined) {
      // A copy has no number of its own for debug values.
      const rest = { ...extra };
      delete rest.debugLocation;
      delete rest.debugInstrNumber;
      fn.extras.set(copy, rest);
    }
    editor.setReg(fn.opBegin[copy], made);
    entry.value = above;
  }

  /** @llvm MachineBasicBlock.cpp MachineBasicBlock::isLegalToHoistInto */
  private isLegalToHoistInto(b: BlockId): boolean {
    const { fn, editor } = this;
    const last = editor.list.before(~b);
    if (last >= 0 && this.has(last, McFlag.Return)) return false;
    if (fn.blocks[b].successors.some((s) => fn.blocks[s].isLandingPad)) return false;
    return !fn.blocks[b].successors.some((s) => fn.blocks[s].isInlineAsmBrIndirectTarget);
  }
}
