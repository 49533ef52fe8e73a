/**
 * `si-insert-waitcnts`: waits before what reads or overwrites registers that a memory access, an export or a message still uses
 * (SIInsertWaitcnts, LLVM 22; docs/llvm/waits.md, 3).
 */
import { PostDominatorTree } from '../../analysis/postDominators.js';
import { immOperand, regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import { BundleInserter } from '../../model/edit/bundleInserter.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { MemFlag, type MemOperand } from '../../model/memOperand.js';
import { Generation, McFlag, type Subtarget } from '../../target/api.js';
import { ALWAYS_GDS, LIKE_SCALAR_LOAD, MESSAGE, VmemType, drainsTranslations } from '../../target/countedOpcodes.js';
import {
  isAtomicNoRet,
  isAtomicRet,
  isDS,
  isEXP,
  isFLAT,
  isGWS,
  isImage,
  isLDSDIR,
  isSMRD,
  isVINTERP,
  skipsTiedSource,
  usesLGKMCNT,
} from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { lazy } from '../../util/lazy.js';
import { reversePostOrder } from '../../util/reversePostOrder.js';
import type { MachinePass } from '../machinePass.js';
import { LOOPS } from '../controlFlowAnalyses.js';
import { ALIAS_ANALYSIS, CFG } from '../passContext.js';
import type { LoopInfo } from '../../analysis/loops.js';
import { MAX_LDS_STORES, WaitBrackets, isScalarSlot, ldsSlot, type Slots } from './brackets.js';
import { Counter, Counters, NO_WAIT, WaitEvent, addWait, combine, noWait, type Wait } from './counters.js';
import { CountedInstrs } from './countedInstrs.js';
import { LoopFlushes, NO_FLUSHES, type Flushes } from './loopFlushes.js';
import { releaseVGPRs, writeBackScalarCache } from './programEnd.js';
import { WaitInstrs } from './waitInstrs.js';
import { WaitReasons } from './waitReasons.js';
import type { WaitRule } from './waitRule.js';
import type { FunctionState } from '../functionState.js';
import type { AliasFacts } from '../scheduler/dag/aliasFacts.js';
import { aliasFactsOf } from '../scheduler/moduleFacts.js';
import { firstTerminator } from '../instrOrder.js';

/** @llvm SIInsertWaitcnts.cpp SIInsertWaitcntsLegacy */
export const insertWaitsPass: MachinePass = {
  name: 'si-insert-waitcnts',
  pipelineName: 'si-insert-waitcnts',
  className: 'SIInsertWaitcntsPass',
  title: 'SI insert wait instructions',
  isRequired: true,
  requires: [LOOPS],
  preserves: [CFG],
  run(state) {
    const loops = state.get(LOOPS);
    new WaitInsertion(state, loops).run();
  },
};

const INVALIDATION = new OpcodePattern(/^BUFFER_(?:WBINVL1(?:_SC|_VOL)?|GL[01]_INV)$/);
const CACHE = new OpcodePattern(/^GLOBAL_(?:INV|WB|WBINV)$/);
const RETURN = new OpcodePattern(/^(?:SI_RETURN_TO_EPILOG|SI_RETURN|SI_WHOLE_WAVE_FUNC_RETURN|S_SETPC_B64_return)$/);
const END = new OpcodePattern(/^S_ENDPGM(?:_SAVED)?$/);
const VCCZ = new OpcodePattern(/^S_CBRANCH_VCCN?Z$/);
/** message of S_SENDMSG */
const GS_DONE = 3;
/** targets of EXP */
const POSITIONS: readonly [number, number] = [12, 16];
const PARAMETERS: readonly [number, number] = [32, 63];
const GS_MESSAGE = new OpcodePattern(/^S_SENDMSG(?:HALT)?$/);
/** cache policy: for all of a shader engine */
const SCOPE_SE = 8;
/** address spaces */
const FLAT = 0;
const LOCAL = 3;

const hasAliasInfo = ({ tbaa, aliasScope, noAlias }: MemOperand): boolean =>
  tbaa !== null || aliasScope !== null || noAlias !== null;

/** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts */
class WaitInsertion {
  private readonly fn: MachineFunction;
  private readonly st: Subtarget;
  private readonly builder: InstrBuilder;
  private readonly inserter: BundleInserter;
  private readonly instrs: CountedInstrs;
  private readonly counters: Counters;
  private readonly waits: WaitInstrs;
  private readonly isOptNone: boolean;
  private readonly forceZero: boolean;
  private readonly forceZeroLoads: boolean;
  private readonly flatIsInOrder: boolean;
  /** blocks with scalar loads, by what they load from */
  private readonly scalarLoads = new Map<string, BlockId>();
  private readonly loopFlushes: LoopFlushes;
  /** ends of the program that may let go of their VGPRs */
  private readonly releases = new Set<InstrId>();
  private postDominators: PostDominatorTree | null = null;
  /** null = nobody asks */
  private readonly reasons: WaitReasons | null;

  private readonly editor: FunctionEditor;
  /** for transfers to LDS */
  private readonly aliases: () => AliasFacts;

  constructor(state: FunctionState, loops: LoopInfo) {
    const { context, remarks } = state;
    const { options } = context;
    const editor = (this.editor = state.editor());
    const { fn } = editor;
    this.fn = fn;
    this.aliases = lazy(() => aliasFactsOf(fn, context, state.has(ALIAS_ANALYSIS)));
    this.st = fn.subtarget;
    this.builder = new InstrBuilder(editor);
    this.inserter = new BundleInserter(this.builder);
    this.instrs = new CountedInstrs(fn);
    this.counters = new Counters(fn.subtarget);
    this.loopFlushes = new LoopFlushes(editor, this.instrs, loops, this.counters);
    this.isOptNone = fn.isOptNone || String(options.get('O')) === '0';
    this.forceZero = options.get('amdgpu-waitcnt-forcezero') === true;
    this.forceZeroLoads = options.get('amdgpu-waitcnt-load-forcezero') === true;
    this.flatIsInOrder = this.st.generation >= Generation.GFX10;
    this.reasons = remarks === null ? null : new WaitReasons(remarks, this.counters);
    this.waits = new WaitInstrs(
      this.builder,
      this.counters,
      this.isOptNone,
      (brackets, wait) => {
        brackets.need(Counter.Load, ldsSlot(0), wait, this.flatIsInOrder);
        this.reasons?.rule('loadsToLDS', wait, brackets);
      },
      this.reasons,
    );
  }

  /**
   * Blocks in reverse post-order, again while something comes round a loop that asks for more.
   * @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::run
   */
  run(): void {
    const { fn, editor } = this;
    const order = reversePostOrder(fn.blocks);
    const placeOf = new Map(order.map((b, k) => [b, k]));
    const incoming = new Map<BlockId, WaitBrackets>();
    const isDirty = new Uint8Array(fn.blocks.length).fill(1);
    if (!fn.header.machineFunctionInfo.isEntryFunction) {
      const phis = fn.tables.opcodeByName('PHI');
      let first = editor.list.first(0);
      while (first >= 0 && (fn.opcode[first] === phis || this.instrs.isMeta(first))) first = editor.list.after(first);
      this.waits.atEntry(first >= 0 ? first : ~0);
      const brackets = this.bracketsFrom(null);
      brackets.enterFunction();
      incoming.set(0, brackets);
    }
    for (let again = true; again;) {
      again = false;
      for (const [place, b] of order.entries()) {
        if (isDirty[b] === 0) continue;
        const brackets = this.bracketsFrom(incoming.get(b) ?? null);
        this.inBlock(b, brackets);
        isDirty[b] = 0;
        if (!brackets.hasPending) continue;
        for (const s of fn.blocks[b].successors) {
          const theirs = incoming.get(s);
          if (theirs === undefined) incoming.set(s, this.bracketsFrom(brackets));
          else if (!theirs.merge(brackets)) continue;
          isDirty[s] = 1;
          if (placeOf.get(s)! <= place) again = true;
        }
      }
    }
    if (this.st.hasFeature('scalar-stores')) writeBackScalarCache(this.builder, this.instrs, this.reasons);
    releaseVGPRs(this.builder, this.instrs, this.releases, this.reasons);
    if (fn.header.machineFunctionInfo.isEntryFunction && this.st.hasFeature('requires-initial-unclause-vmem'))
      this.beginUnclaused();
    this.reasons?.finish();
  }

  private bracketsFrom(from: WaitBrackets | null): WaitBrackets {
    return new WaitBrackets(this.counters, from, this.reasons !== null);
  }

  /** gfx12.5: the first vector memory access of a program stands alone (llvm-project 208467, 210874). */
  private beginUnclaused(): void {
    const { fn, builder, editor } = this;
    const first = editor.list.first(0);
    const at = first >= 0 ? first : ~0;
    const undefOf = (name: string): NewOperand => regOperand(fn.tables.regByName(name), OpFlag.Undef);
    const operands = [undefOf('sgpr0_sgpr1'), undefOf('vgpr0'), immOperand(0), immOperand(SCOPE_SE)];
    const prefetch = builder.build(at, -1, fn.tables.opcodeByName('GLOBAL_PREFETCH_B8_SADDR'), operands);
    const nop = builder.build(at, -1, fn.tables.opcodeByName('V_NOP_e32'), []);
    for (const made of [prefetch, nop]) this.reasons?.add(made, 'unclause');
  }

  // -- a block -------------------------------------------------------------------------------------------------------------

  /** All instructions of a block, headers of bundles and their members, too: and a wait that the visit put after one. */
  private *instrsOf(b: BlockId): IterableIterator<InstrId> {
    const { list } = this.editor;
    for (let i = list.first(b); i >= 0;) {
      let m = i;
      for (yield m; (this.fn.bundle[this.inserter.idNow(m)] & BundleFlag.BundledSucc) !== 0; yield m)
        m = this.inserter.idNow(m) + 1;
      i = list.after(this.inserter.firstOf(this.inserter.idNow(m)));
    }
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::insertWaitcntInBlock */
  private inBlock(b: BlockId, brackets: WaitBrackets): void {
    const { st } = this;
    const hasVCCZBug = st.generation <= Generation.SEA_ISLANDS;
    const partsUpdateVCCZ = st.generation >= Generation.GFX10;
    let isVCCZRight = !hasVCCZBug && partsUpdateVCCZ;
    let oldWait: InstrId = -1;
    const terminator = firstTerminator(this.editor, b);
    for (const i of this.instrsOf(b)) {
      if (this.instrs.isMeta(i)) continue;
      if (this.waits.isWait(i)) {
        if (oldWait < 0) oldWait = i;
        continue;
      }
      const flushes = i === terminator ? this.loopFlushes.at(b, brackets) : NO_FLUSHES;
      this.before(i, brackets, oldWait, flushes);
      oldWait = -1;
      const restores = !isVCCZRight && this.readsVCCZ(i);
      if (!partsUpdateVCCZ || hasVCCZBug) {
        if (this.instrs.defines(i, 'vcc_lo') || this.instrs.defines(i, 'vcc_hi')) {
          if (!partsUpdateVCCZ) isVCCZRight = false;
        } else if (this.instrs.defines(i, 'vcc')) isVCCZRight = !(hasVCCZBug && brackets.has(WaitEvent.SMEM));
      }
      if (this.instrs.is(isSMRD, i)) {
        for (const m of this.instrs.memory(i)) if ((m.flags & MemFlag.Invariant) === 0) this.noteScalarLoad(m, b);
        if (hasVCCZBug) isVCCZRight = false;
      }
      this.count(i, brackets);
      this.after(i, brackets);
      if (restores) {
        const vcc = this.fn.tables.regByName(st.wavefrontSize === 32 ? 'vcc_lo' : 'vcc');
        const move = this.fn.tables.opcodeByName(st.wavefrontSize === 32 ? 'S_MOV_B32' : 'S_MOV_B64');
        const made = this.builder.build(i, i, move, [regOperand(vcc, OpFlag.Def), regOperand(vcc)]);
        this.reasons?.add(made, 'vccz');
        isVCCZRight = true;
      }
    }
    const wait = noWait();
    this.reasons?.begin();
    if (terminator < 0) this.flush(this.loopFlushes.at(b, brackets), brackets, wait);
    this.place(wait, ~b, -1, brackets, oldWait);
  }

  private readsVCCZ(i: InstrId): boolean {
    return this.instrs.matches(VCCZ, i) && (this.fn.opFlags[this.fn.opBegin[i] + 1] & OpFlag.Undef) === 0;
  }

  private keyOf({ pointer }: MemOperand): string {
    return pointer.kind === 'irValue' || pointer.kind === 'global'
      ? `${pointer.kind} ${pointer.name}`
      : pointer.kind === 'irConstant'
        ? pointer.text
        : '';
  }

  private noteScalarLoad(m: MemOperand, b: BlockId): void {
    const key = this.keyOf(m);
    if (!this.scalarLoads.has(key)) this.scalarLoads.set(key, b);
  }

  private flush({ vmem, lds }: Flushes, brackets: WaitBrackets, wait: Wait): void {
    if (vmem) for (const c of [Counter.Load, Counter.Sample, Counter.Bvh]) if (brackets.hasOf(c)) wait[c] = 0;
    if (lds && brackets.hasOf(Counter.Ds)) wait[Counter.Ds] = 0;
    this.explain('loopEntry', wait, brackets);
  }

  /** What nothing before has asked for is there for this rule. */
  private explain(rule: WaitRule, wait: Wait, brackets: WaitBrackets): void {
    this.reasons?.rule(rule, wait, brackets);
  }

  /** Waits until no access writes the slots of the register, or reads them, any more. `o` = -1: slots of LDS. */
  private need(c: Counter, slots: Slots, wait: Wait, brackets: WaitBrackets, o: OperandId): void {
    const before = wait[c];
    brackets.need(c, slots, wait, this.flatIsInOrder);
    if (this.reasons === null || c >= this.counters.n || wait[c] === before) return;
    if (o < 0) this.explain('loadsToLDS', wait, brackets);
    const latest = brackets.latest(c, slots, this.flatIsInOrder);
    if (o < 0 || latest === null) return;
    const reg = this.fn.opVal[o];
    const overwrites = this.editor.isDef(o);
    const isSource = c === Counter.Exp || c === Counter.X;
    this.reasons.note(wait, brackets, () => ({ kind: 'register', reg, ...latest, isSource, overwrites }));
  }

  /**
   * What has to be waited for before an instruction.
   * @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::generateWaitcntInstBefore
   */
  private before(i: InstrId, brackets: WaitBrackets, oldWait: InstrId, flushes: Flushes): void {
    const { fn, st, counters } = this;
    let wait = noWait();
    this.reasons?.begin();
    if (this.instrs.matches(INVALIDATION, i)) wait[Counter.Load] = 0;
    this.explain('cacheInvalidation', wait, brackets);
    if (this.instrs.matches(RETURN, i)) {
      combine(wait, counters.allZero(false));
      // GLOBAL_INV counts, and nobody waits for it.
      if (counters.isExtended && !brackets.isAwaited(Counter.Load)) wait[Counter.Load] = NO_WAIT;
      this.explain('return', wait, brackets);
    } else if (this.instrs.matches(END, i)) this.noteEnd(i, brackets);
    else if (
      this.instrs.matches(GS_MESSAGE, i) &&
      st.generation < Generation.GFX11 &&
      (fn.imm(fn.opBegin[i]) & 15) === GS_DONE
    ) {
      wait[Counter.Load] = 0;
      this.explain('gsDone', wait, brackets);
    } else {
      const locks = [WaitEvent.ExportLock, WaitEvent.ExportParameter, WaitEvent.ExportPosition, WaitEvent.GDSLock];
      if (locks.some((e) => brackets.has(e)) && this.instrs.modifies(i, fn.tables.regByName('exec')))
        wait[Counter.Exp] = 0;
      this.explain('execWrite', wait, brackets);
      if (this.instrs.matches(ALWAYS_GDS, i)) addWait(wait, Counter.Ds, brackets.waitForGDS);
      this.explain('orderedGDS', wait, brackets);
      if (this.instrs.has(i, McFlag.Call)) wait = this.beforeCall(i, brackets);
      else {
        this.needForMemory(i, brackets, wait);
        this.needForRegisters(i, brackets, wait);
      }
    }
    const name = this.instrs.name(i);
    if (name === 'S_BARRIER' && !st.hasFeature('auto-waitcnt-before-barrier') && !st.hasFeature('back-off-barrier'))
      combine(wait, counters.allZero(true));
    this.explain('barrier', wait, brackets);
    if (st.generation <= Generation.SEA_ISLANDS && this.readsVCCZ(i) && brackets.has(WaitEvent.SMEM))
      wait[Counter.Ds] = 0;
    this.explain('vccz', wait, brackets);
    brackets.simplify(wait);
    if (this.forceZero && !this.instrs.has(i, McFlag.Terminator)) wait = counters.allZero(false);
    this.explain('forceZero', wait, brackets);
    this.flush(flushes, brackets, wait);
    if (this.forceZeroLoads && wait[Counter.Load] !== NO_WAIT) wait[Counter.Load] = 0;
    this.explain('forceZeroLoads', wait, brackets);
    this.place(wait, i, i, brackets, oldWait);
  }

  private noteEnd(i: InstrId, brackets: WaitBrackets): void {
    if (this.isOptNone) return;
    const isDynamic = this.fn.header.machineFunctionInfo.dynamicVGPRBlockSize !== 0;
    const mayRelease =
      this.st.generation >= Generation.GFX11 &&
      brackets.range(Counter.Store) !== 0 &&
      !brackets.has(WaitEvent.ScratchWrite);
    if (isDynamic || mayRelease) this.releases.add(i);
  }

  /** Whoever is called waits; but for its address and where the old one goes. */
  private beforeCall(i: InstrId, brackets: WaitBrackets): Wait {
    const wait = noWait();
    const address = this.instrs.named(i, 'src0');
    if (address < 0 || this.fn.opKind[address] !== OperandKind.Register) return wait;
    for (const o of [address, this.instrs.named(i, 'dst')])
      if (o >= 0) this.need(this.counters.ofScalarLoads, this.instrs.slotsOf(this.fn.opVal[o]), wait, brackets, o);
    return wait;
  }

  private needForMemory(i: InstrId, brackets: WaitBrackets, wait: Wait): void {
    const writesLDS = this.instrs.writesLDS(i);
    for (const m of this.instrs.memory(i)) {
      const isStore = (m.flags & MemFlag.Store) !== 0;
      if (isStore) {
        const key = this.keyOf(m);
        const block = this.scalarLoads.get(key);
        if (block !== undefined) {
          addWait(wait, this.counters.ofScalarLoads, 0);
          this.explain('scalarLoadedMemory', wait, brackets);
          if (this.postDominates(this.fn.instrBlock[i], block)) this.scalarLoads.delete(key);
        }
      }
      if ((m.addressSpace !== LOCAL && m.addressSpace !== FLAT) || writesLDS) continue;
      if (hasAliasInfo(m) && this.keyOf(m) !== '') {
        this.needForTransfers(i, brackets, wait);
      } else this.need(Counter.Load, ldsSlot(0), wait, brackets, -1);
      if (isStore) this.need(Counter.Exp, ldsSlot(0), wait, brackets, -1);
    }
  }

  /** Transfers to LDS that were told apart by their scopes: only those that the access may touch. */
  private needForTransfers(i: InstrId, brackets: WaitBrackets, wait: Wait): void {
    for (const [k, store] of brackets.ldsStores.entries()) {
      if (!this.aliases().mayAlias(i, store)) continue;
      const hasSlot = k < MAX_LDS_STORES;
      this.need(Counter.Load, ldsSlot(hasSlot ? k + 1 : 0), wait, brackets, -1);
      if (!hasSlot) break;
    }
  }

  private needForRegisters(i: InstrId, brackets: WaitBrackets, wait: Wait): void {
    const { fn, st, editor } = this;
    const touchesMemory = this.instrs.mayLoad(i) || this.instrs.mayStore(i);
    const isOnlyVMEM = this.instrs.countsVMEMOnly(i);
    for (const o of this.instrs.regOperands(i)) {
      const need = (c: Counter, slots: Slots): void => this.need(c, slots, wait, brackets, o);
      const isDef = editor.isDef(o);
      if (fn.opTied[o] >= 0 && !isDef && this.instrs.is(skipsTiedSource, i)) continue;
      const slots = this.instrs.awaitedSlots(i, fn.opVal[o]);
      if (!this.instrs.isVector(fn.opVal[o])) need(this.counters.ofScalarLoads, slots);
      else {
        if ((fn.opFlags[o] & OpFlag.Implicit) !== 0 && touchesMemory) continue;
        const isInOrder =
          isDef &&
          isOnlyVMEM &&
          !brackets.hasOtherTypes(slots, this.instrs.vmemType(i)) &&
          st.hasFeature('vmem-write-vgpr-in-order');
        if (!isInOrder) {
          for (const c of [Counter.Load, Counter.Sample, Counter.Bvh]) need(c, slots);
          brackets.clearTypes(slots);
        }
        if (isDef || brackets.has(WaitEvent.LDSDirect)) need(Counter.Exp, slots);
        need(Counter.Ds, slots);
      }
      if (st.hasFeature('wait-xcnt') && isDef) need(Counter.X, slots);
    }
  }

  /**
   * Puts a wait before `at`; `i` is the instruction there, -1 = the block ends.
   * @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::generateWaitcnt
   */
  private place(wait: Wait, at: ListPos, i: InstrId, brackets: WaitBrackets, oldWait: InstrId): boolean {
    const { fn } = this;
    if (oldWait >= 0) this.waits.merge(brackets, oldWait, at, wait, (k) => this.instrs.isMeta(k), i);
    brackets.apply(wait);
    if (wait[Counter.Exp] !== NO_WAIT && i >= 0 && this.instrs.is(isVINTERP, i)) {
      const o = this.instrs.named(i, 'waitexp');
      if (o >= 0 && wait[Counter.Exp] < fn.imm(o)) {
        fn.opVal[o] = wait[Counter.Exp];
        this.reasons?.settle(i, i, wait, [Counter.Exp]);
      }
      wait[Counter.Exp] = NO_WAIT;
    }
    // Addresses of vector accesses are translated in their order.
    if (i >= 0 && this.instrs.isVMEMAccess(i)) wait[Counter.X] = NO_WAIT;
    if (wait.every((left) => left === NO_WAIT)) return false;
    for (const { opcode, operands, counters } of this.waits.needed(wait)) {
      const made =
        i >= 0
          ? this.inserter.insert(this.inserter.idNow(i), 'before', opcode, operands)
          : this.builder.build(at, -1, opcode, operands);
      this.reasons?.settle(made, i, wait, counters);
    }
    return true;
  }

  // -- what an instruction leaves under way ----------------------------------------------------------------------------------

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::getVmemWaitEventType */
  private vmemEvent(i: InstrId): WaitEvent {
    const name = this.instrs.name(i);
    if (name === 'GLOBAL_INV') return WaitEvent.VMEMRead;
    if (name === 'GLOBAL_WB' || name === 'GLOBAL_WBINV') return WaitEvent.VMEMWrite;
    if (!this.counters.hasStoreCounter || this.instrs.writesLDS(i)) return WaitEvent.VMEM;
    if (this.instrs.mayStore(i) && (!this.instrs.mayLoad(i) || this.instrs.is(isAtomicNoRet, i)))
      return this.instrs.mayAccessScratch(i) ? WaitEvent.ScratchWrite : WaitEvent.VMEMWrite;
    if (!this.counters.isExtended || this.instrs.is(isFLAT, i)) return WaitEvent.VMEMRead;
    const type = this.instrs.vmemType(i);
    return type === VmemType.BVH ? WaitEvent.BVH : type === VmemType.Sampler ? WaitEvent.Sampler : WaitEvent.VMEMRead;
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::updateEventWaitcntAfter */
  private count(i: InstrId, brackets: WaitBrackets): void {
    let isVMEM = false;
    const isSMEM = this.instrs.is(isSMRD, i);
    if (this.instrs.is(isDS, i) && this.instrs.is(usesLGKMCNT, i)) {
      if (this.instrs.isGDS(i)) {
        this.note(i, WaitEvent.GDS, brackets);
        this.note(i, WaitEvent.GDSLock, brackets);
        brackets.noteGDS();
      } else this.note(i, WaitEvent.LDS, brackets);
    } else if (this.instrs.is(isFLAT, i)) {
      if (this.instrs.matches(CACHE, i)) {
        this.note(i, this.vmemEvent(i), brackets);
        return;
      }
      isVMEM = this.instrs.flatMayBeVMEM(i);
      if (isVMEM) this.note(i, this.vmemEvent(i), brackets);
      const isLDS = this.instrs.flatMayBeLDS(i);
      if (isLDS) this.note(i, WaitEvent.LDS, brackets);
      if (isVMEM && isLDS) brackets.noteFlat();
    } else if (this.instrs.isVMEM(i) && !this.instrs.isBufferCache(i)) {
      isVMEM = true;
      this.note(i, this.vmemEvent(i), brackets);
      const locks = this.st.generation < Generation.SEA_ISLANDS;
      if (locks && (this.instrs.mayStore(i) || this.instrs.is(isAtomicRet, i)))
        this.note(i, WaitEvent.StoreLock, brackets);
    } else if (isSMEM) this.note(i, WaitEvent.SMEM, brackets);
    else if (this.instrs.has(i, McFlag.Call)) {
      brackets.apply(this.counters.allZero(false));
      brackets.enterFunction();
    } else if (this.instrs.is(isLDSDIR, i)) this.note(i, WaitEvent.LDSDirect, brackets);
    else if (this.instrs.is(isVINTERP, i)) brackets.applyTo(Counter.Exp, this.instrs.imm(i, 'waitexp'));
    else if (this.instrs.is(isEXP, i)) this.note(i, this.exportEvent(i), brackets);
    else if (this.instrs.matches(MESSAGE, i)) this.note(i, WaitEvent.Message, brackets);
    else if (this.instrs.matches(LIKE_SCALAR_LOAD, i)) this.note(i, WaitEvent.SMEM, brackets);
    if (!this.st.hasFeature('wait-xcnt')) return;
    if (isVMEM) this.note(i, WaitEvent.VMEMGroup, brackets);
    if (isSMEM) this.note(i, WaitEvent.SMEMGroup, brackets);
    if (this.st.release.rules.drainsTranslations && this.instrs.is(drainsTranslations, i))
      brackets.applyTo(Counter.X, 0);
  }

  private exportEvent(i: InstrId): WaitEvent {
    const target = this.instrs.imm(i, 'tgt');
    if (target >= PARAMETERS[0] && target <= PARAMETERS[1]) return WaitEvent.ExportParameter;
    return target >= POSITIONS[0] && target <= POSITIONS[1] ? WaitEvent.ExportPosition : WaitEvent.ExportLock;
  }

  /** @llvm SIInsertWaitcnts.cpp WaitcntBrackets::updateByEvent */
  private note(i: InstrId, event: WaitEvent, brackets: WaitBrackets): void {
    const { fn } = this;
    const counter = this.counters.ofEvent(event);
    const score = brackets.count(event);
    const set = (o: OperandId): void => {
      if (o >= 0 && fn.opKind[o] === OperandKind.Register)
        brackets.setScore(counter, this.instrs.slotsOf(fn.opVal[o]), score, i);
    };
    if (counter === Counter.Exp) {
      for (const o of this.lockedOperands(i)) set(o);
      return;
    }
    if (counter === Counter.X) {
      for (const o of this.instrs.usesOf(i)) set(o);
      return;
    }
    const nDefs = fn.tables.opcodeNumDefs(this.fn.opcode[i]);
    for (let o = fn.opBegin[i]; o < fn.opBegin[i] + nDefs; o++) {
      const slots = this.instrs.slotsOf(fn.opVal[o]);
      if (counter === Counter.Load || counter === Counter.Sample || counter === Counter.Bvh) {
        if (isScalarSlot(slots[0])) continue;
        if (this.instrs.countsVMEMOnly(i)) brackets.addTypes(slots, this.instrs.vmemType(i));
      }
      brackets.setScore(counter, slots, score, i);
    }
    if (this.instrs.mayStore(i) && (this.instrs.is(isDS, i) || this.instrs.writesLDS(i)))
      this.noteLDSStore(i, counter, score, brackets);
  }

  private noteLDSStore(i: InstrId, counter: Counter, score: number, brackets: WaitBrackets): void {
    let slot = 0;
    const store = this.instrs.memory(i).find((m) => (m.flags & MemFlag.Store) !== 0 && m.addressSpace === LOCAL);
    if (store?.scopes?.inside) {
      const known = brackets.ldsStores.findIndex((k) =>
        this.instrs
          .memory(k)
          .some(
            (m) =>
              (m.flags & MemFlag.Store) !== 0 &&
              m.aliasScope === store.aliasScope &&
              m.noAlias === store.noAlias &&
              m.tbaa === store.tbaa,
          ),
      );
      if (known >= 0) slot = known + 1;
      else slot = brackets.ldsStores.push(i);
      if (slot > MAX_LDS_STORES) slot = 0;
    }
    brackets.setScore(counter, ldsSlot(slot), score, i);
    if (slot > 0) brackets.setScore(counter, ldsSlot(0), score, i);
  }

  /** Operands that an export or a store still reads. */
  private lockedOperands(i: InstrId): OperandId[] {
    const { fn } = this;
    const first = fn.opBegin[i];
    const vectors = (): OperandId[] => this.instrs.usesOf(i).filter((o) => this.instrs.isVector(fn.opVal[o]));
    if (this.instrs.is(isDS, i) && (this.instrs.mayLoad(i) || this.instrs.mayStore(i))) {
      const named = ['addr', ...(this.instrs.mayStore(i) ? ['data0', 'data1'] : [])].map((name) =>
        this.instrs.named(i, name),
      );
      const name = this.instrs.name(i);
      const isAtomic =
        !this.instrs.mayStore(i) &&
        this.instrs.is(isAtomicRet, i) &&
        !this.instrs.is(isGWS, i) &&
        !/^DS_(?:APPEND|CONSUME|ORDERED_COUNT)$/.test(name);
      return [...named, ...(isAtomic ? vectors() : [])];
    }
    if (this.instrs.is(isFLAT, i))
      return this.instrs.mayStore(i) || this.instrs.is(isAtomicRet, i) ? [this.instrs.named(i, 'data')] : [];
    if (this.instrs.is(isImage, i) || this.instrs.isBUF(i)) {
      if (this.instrs.mayStore(i)) return [first];
      return this.instrs.is(isAtomicRet, i) ? [this.instrs.named(i, 'data')] : [];
    }
    if (this.instrs.is(isLDSDIR, i)) return [this.instrs.named(i, 'vdst')];
    const results = this.instrs.is(isEXP, i)
      ? this.instrs.regOperands(i).filter((o) => this.instrs.isDef(o) && this.instrs.isVector(fn.opVal[o]))
      : [];
    return [...results, ...vectors()];
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::insertForcedWaitAfter */
  private after(before: InstrId, brackets: WaitBrackets): void {
    const { fn, counters } = this;
    const i = this.inserter.idNow(before);
    const wait = noWait();
    this.reasons?.begin();
    if (this.st.hasFeature('precise-memory') && (this.instrs.mayLoad(i) || this.instrs.mayStore(i)))
      combine(wait, counters.allZero(this.instrs.mayStore(i) && !this.instrs.is(isAtomicRet, i)));
    this.explain('preciseMemory', wait, brackets);
    const isGDS = this.instrs.matches(ALWAYS_GDS, i);
    if (isGDS) wait[Counter.Ds] = 0;
    this.explain('afterGDS', wait, brackets);
    brackets.simplify(wait);
    const isWithin = (fn.bundle[i] & BundleFlag.BundledSucc) !== 0;
    const next = isWithin ? i + 1 : this.editor.list.after(this.inserter.firstOf(i));
    const at = next >= 0 ? next : ~fn.instrBlock[i];
    if (!this.place(wait, at, next, brackets, -1) || !isGDS || !this.endsNext(next, fn.instrBlock[i])) return;
    const nop = this.builder.build(at, i, fn.tables.opcodeByName('S_NOP'), [immOperand(0)]);
    this.reasons?.add(nop, 'gdsAtEnd');
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::isNextENDPGM */
  private endsNext(from: InstrId, block: BlockId): boolean {
    const { fn, editor } = this;
    let i = from;
    for (let b = block; ;) {
      while (i >= 0 && this.instrs.isMeta(i)) i = editor.list.after(i);
      if (i >= 0) return this.instrs.name(i) === 'S_ENDPGM';
      if (++b >= fn.blocks.length) return false;
      i = editor.list.first(b);
    }
  }

  private postDominates(a: BlockId, b: BlockId): boolean {
    this.postDominators ??= new PostDominatorTree(this.fn.blocks);
    return this.postDominators.dominates(a, b);
  }
}
