/**
 * What the register allocators that go by live intervals share: a queue of registers, each of which gets a physical one, is replaced by others or
 * spilled (RegAllocBase of LLVM 22).
 */
import { OpFlag, type InstrId } from '../../model/machineFunction.js';
import { NO_REG, virtReg } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import { NotModelled } from '../machinePass.js';
import type { Candidates, SpillingRun } from './allocator.js';
import { LiveRegMatrix } from './matrix.js';
import type { RunFilter } from './runFilter.js';
import { SpillWeights } from './spillWeights.js';
import { Spiller } from './spiller.js';
import type { AllocState } from './state.js';

/** What choosing a register says when nothing was found, and when it was replaced by others. */
export const FAIL = -1;
export const NONE = 0;

/** @llvm RegAllocBase.cpp RegAllocBase */
export abstract class AllocationRun implements SpillingRun {
  readonly matrix: LiveRegMatrix;
  readonly weights: SpillWeights;
  readonly deadRemats = new Set<InstrId>();
  protected readonly spiller: Spiller;
  /** candidates by order and hint, where there is one */
  private readonly hinted = new Map<Uint16Array, Map<PhysReg, Candidates>>();

  /**
   * What a run before has assigned, and no rewriter has put in yet, stays. `banner`: of -verify-regalloc at the start, null = it is not asked; `favorsSize`:
   * see SpillWeights.
   * @llvm RegAllocBase.cpp RegAllocBase::init
   */
  constructor(
    readonly state: AllocState,
    readonly filter: RunFilter,
    { banner = null, favorsSize = false }: { readonly banner?: string | null; readonly favorsSize?: boolean },
  ) {
    if (banner !== null) state.verify(banner);
    state.freezeReserved();
    const { assigned, splitFrom } = state.fn.vregs;
    if (assigned.size + splitFrom.size > 0)
      throw new NotModelled('allocation of a function that tells what is assigned');
    if (state.map.matrix === null) state.map.init(state.fn.vregs.n);
    this.matrix = state.map.matrix ??= new LiveRegMatrix(state);
    this.weights = new SpillWeights(state, favorsSize);
    this.spiller = new Spiller(this);
  }

  /** Into the queue. */
  protected abstract push(v: number): void;

  /** The next register of the queue, -1 = none. */
  protected abstract pop(): number;

  /** A physical register, NONE or FAIL; `made`: where registers go that are to be queued. */
  protected abstract choose(v: number, made: number[]): number;

  protected isMine(v: number): boolean {
    return this.state.isIn(this.filter, v);
  }

  /**
   * Registers that this run has to find a place for.
   * @llvm RegAllocBase.cpp RegAllocBase::seedLiveRegs
   */
  protected unassigned(): number[] {
    const { fn, editor, map } = this.state;
    const found: number[] = [];
    for (let v = 0; v < fn.vregs.n; v++)
      if (this.isMine(v) && !editor.isUnused(virtReg(v)) && map.physOf(v) === 0) found.push(v);
    return found;
  }

  /**
   * Finds a place for each register of the queue.
   * @llvm RegAllocBase.cpp RegAllocBase::allocatePhysRegs
   */
  protected allocateQueue(): void {
    const { state } = this;
    for (;;) {
      const v = this.pop();
      if (v < 0) break;
      state.watch?.checkpoint();
      if (state.editor.isUnused(virtReg(v))) {
        this.forget(v);
        continue;
      }
      this.matrix.invalidate();
      const made: number[] = [];
      state.watch?.picked(v);
      const r = this.choose(v, made);
      state.watch?.settled(v, Math.max(r, 0), made);
      if (r === FAIL) this.fail(v);
      else if (r !== NONE) this.matrix.assign(v, r);
      for (const x of made) {
        if (state.editor.isUnused(virtReg(x))) this.forget(x);
        else if (state.map.physOf(x) === 0 && this.isMine(x)) this.push(x);
      }
    }
  }

  /** @llvm RegAllocBase.cpp RegAllocBase::postOptimization */
  protected finish(): void {
    this.spiller.finish();
  }

  /** A register without operands. */
  private forget(v: number): void {
    this.forgotten(v);
    this.state.lis.remove(v);
  }

  /** @llvm RegAllocBase.h RegAllocBase::aboutToRemoveInterval */
  protected forgotten(v: number): void {
    void v;
  }

  // -- what edits of live ranges tell ------------------------------------------------------------------------------

  /**
   * @llvm RegAllocGreedy.cpp RAGreedy::LRE_CanEraseVirtReg
   * @llvm RegAllocBasic.cpp RABasic::LRE_CanEraseVirtReg
   */
  mayErase(v: number): boolean {
    if (this.state.map.physOf(v) !== 0) {
      this.matrix.unassign(v);
      this.forgotten(v);
      return true;
    }
    // It is in the queue, or about to be: it is dropped when it is taken.
    this.state.lis.interval(v).clear();
    return false;
  }

  /**
   * @llvm RegAllocGreedy.cpp RAGreedy::LRE_WillShrinkVirtReg
   * @llvm RegAllocBasic.cpp RABasic::LRE_WillShrinkVirtReg
   */
  willShrink(v: number): void {
    if (this.state.map.physOf(v) === 0) return;
    this.matrix.unassign(v);
    this.push(v);
  }

  cloned(made: number, from: number): void {
    void [made, from];
  }

  // -- candidates --------------------------------------------------------------------------------------------------

  /**
   * @llvm AllocationOrder.cpp AllocationOrder::create
   * @llvm SIRegisterInfo.cpp SIRegisterInfo::getRegAllocationHints
   */
  candidates(v: number): Candidates {
    const { state } = this;
    const { tables } = state;
    const order = state.classes.order(state.fn.vregs.regClass[v]);
    const hints = state.hints[v];
    const list: PhysReg[] = [];
    if (hints !== undefined && hints.type === 0) {
      for (const h of hints.regs) {
        const p = state.map.assigned(h);
        if (p !== 0 && !list.includes(p) && !state.reserved.isReserved(p) && order.includes(p)) list.push(p);
      }
    } else if (hints !== undefined) {
      const p = state.map.assigned(hints.regs[0] ?? NO_REG);
      const lo16 = tables.subRegIndexByName('lo16');
      if (hints.type === 1) {
        const half = p === 0 ? 0 : tables.getSubReg(p, lo16);
        if (half !== 0) list.push(half);
        else for (const r of order) if (tables.regName(r).endsWith('_lo16')) list.push(r);
      } else if (p !== 0) {
        const whole = tables.getMatchingSuperReg(p, lo16, tables.regClassByName('vgpr_32'));
        if (whole !== 0) list.push(whole);
      }
    }
    const nHints = list.length;
    if (nHints === 0) return { list: order as unknown as readonly PhysReg[], nHints };
    if (nHints === 1) return this.behindHint(order, list[0]);
    for (const r of order) if (list.indexOf(r) < 0 || list.indexOf(r) >= nHints) list.push(r);
    return { list, nHints };
  }

  /** An order after one hint. Orders stay as they are for the run. */
  private behindHint(order: Uint16Array, hint: PhysReg): Candidates {
    let known = this.hinted.get(order);
    if (known === undefined) this.hinted.set(order, (known = new Map()));
    let found = known.get(hint);
    if (found === undefined) {
      const list = new Uint16Array(order.length + (order.includes(hint) ? 0 : 1));
      list[0] = hint;
      let n = 1;
      for (const r of order) if (r !== hint) list[n++] = r;
      known.set(hint, (found = { list: list as unknown as readonly PhysReg[], nHints: 1 }));
    }
    return found;
  }

  // -- failure -----------------------------------------------------------------------------------------------------

  private sourcePlaceOf(v: number): string {
    const { editor, fn, sourcePlaces } = this.state;
    const last = [...editor.operandsOf(virtReg(v))].at(-1);
    const location = last === undefined ? undefined : fn.extras.get(editor.instrOf(last))?.debugLocation;
    if (sourcePlaces === null) return '<unknown>:0:0';
    return location === undefined ? sourcePlaces.functionPlace : sourcePlaces.sourcePlace(location);
  }

  /** @llvm RegAllocBase.cpp RegAllocBase::cleanupFailedVReg */
  protected fail(v: number): void {
    const { state } = this;
    state.watch?.failed(v);
    const { fn, editor, tables } = state;
    const { name } = state.header;
    const rc = fn.vregs.regClass[v];
    const order = state.classes.order(rc);
    const isAsm = [...editor.operandsOf(virtReg(v))].some((o) => state.isInlineAsm(editor.instrOf(o)));
    const all = tables.classRegs(rc);
    if (all.length === 0) throw new NotModelled('registers of a class without any, at which llc crashes,');
    const reg = order.length === 0 ? all[0] : order[0];
    if (!state.kept.hasFailed) {
      const place = this.sourcePlaceOf(v);
      state.error(
        order.length === 0
          ? `${place}: no registers from class available to allocate in function '${name}'`
          : isAsm
            ? 'inline assembly requires more registers than available'
            : `${place}: ran out of registers during register allocation in function '${name}'`,
      );
      state.kept.hasFailed = true;
    }
    if (!state.reserved.isReserved(reg)) {
      for (let alias = 1; alias < tables.nRegs; alias++) {
        if (editor.firstOperand(alias) < 0 || !tables.regsOverlap(alias, reg)) continue;
        for (const o of editor.operandsOf(alias)) if (editor.reads(o)) fn.opFlags[o] |= OpFlag.Undef;
      }
    }
    for (const o of [...editor.operandsOf(virtReg(v))]) {
      // A definition of a whole physical register leaves no part undefined.
      if (editor.isDef(o)) fn.opFlags[o] &= ~OpFlag.Undef;
      else if (editor.reads(o)) fn.opFlags[o] |= OpFlag.Undef;
      const sub = fn.opSub[o];
      fn.opSub[o] = 0;
      editor.setReg(o, state.part(reg, sub));
    }
    state.lis.remove(v);
  }
}
