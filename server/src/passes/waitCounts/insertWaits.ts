/**
 * `si-insert-waitcnts`: waits before what reads or overwrites registers that a memory access, an export or a message still uses
 * (SIInsertWaitcnts, LLVM 22; docs/llvm/waits.md, 3).
 */
import { PhysRegUse } from '../../analysis/physRegUse.js';
import { PostDominatorTree } from '../../analysis/postDominators.js';
import type { OptionValue } from '../../commandLine/optionSpec.js';
import { immOperand, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
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
import { maskClobbers } from '../../model/regMask.js';
import { Generation, McFlag, type PhysReg, type Subtarget } from '../../target/api.js';
import {
  hasOpcodeFlag,
  isAtomicNoRet,
  isAtomicRet,
  isDS,
  isEXP,
  isFLAT,
  isFLATGlobal,
  isFLATScratch,
  isGWS,
  isImage,
  isLDSDIR,
  isLDSDMA,
  isMTBUF,
  isMUBUF,
  isScalarStore,
  isSMRD,
  isVINTERP,
  isVSAMPLE,
  skipsTiedSource,
  usesLGKMCNT,
  usesVMCNT,
} from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { reversePostOrder } from '../../util/reversePostOrder.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { LOOPS } from '../controlFlowAnalyses.js';
import { CFG } from '../passContext.js';
import { RegisterFacts } from '../registerFacts.js';
import type { LoopInfo } from '../../analysis/loops.js';
import {
  MAX_LDS_STORES,
  NO_SLOTS,
  FLAT_SCRATCH,
  VmemType,
  WaitBrackets,
  isScalarSlot,
  ldsSlot,
  scalarSlots,
  vectorSlots,
  type Slots,
} from './brackets.js';
import { Counter, Counters, NO_WAIT, WaitEvent, addWait, combine, noWait, type Wait } from './counters.js';
import { WaitInstrs } from './waitInstrs.js';

type Options = ReadonlyMap<string, OptionValue>;

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
    new WaitInsertion(state.editor(), loops, state.context.options).run();
  },
};

const INVALIDATION = new OpcodePattern(/^BUFFER_(?:WBINVL1(?:_SC|_VOL)?|GL[01]_INV)$/);
const BUFFER_CACHE = new OpcodePattern(/^BUFFER_(?:WBINVL1(?:_SC|_VOL)?|GL[01]_INV|WBL2|INVL2|INV)(?:_gfx|$)/);
const CACHE = new OpcodePattern(/^GLOBAL_(?:INV|WB|WBINV)$/);
const ALWAYS_GDS = new OpcodePattern(/^DS_(?:ORDERED_COUNT|ADD_GS_REG_RTN|SUB_GS_REG_RTN|GWS_\w+)$/);
const RETURN = new OpcodePattern(/^(?:SI_RETURN_TO_EPILOG|SI_RETURN|SI_WHOLE_WAVE_FUNC_RETURN|S_SETPC_B64_return)$/);
const END = new OpcodePattern(/^S_ENDPGM(?:_SAVED)?$/);
const MESSAGE = new OpcodePattern(/^S_SENDMSG(?:HALT)?$/);
const ANY_MESSAGE = new OpcodePattern(/^S_SENDMSG(?:HALT|_RTN_B32|_RTN_B64)?$/);
const LIKE_SCALAR_LOAD = new OpcodePattern(
  /^S_(?:MEMTIME|MEMREALTIME|BARRIER_SIGNAL_ISFIRST_(?:M0|IMM)|BARRIER_LEAVE|GET_BARRIER_STATE_(?:M0|IMM))$/,
);
const BVH = new OpcodePattern(/^IMAGE_BVH/);
const SAMPLER = new OpcodePattern(/^IMAGE_(?:SAMPLE|GATHER4|GET_LOD|MSAA)/);
const BARRIER = new OpcodePattern(/^S_BARRIER$/);
const VCCZ = new OpcodePattern(/^S_CBRANCH_VCCN?Z$/);
/** messages of S_SENDMSG */
const GS_DONE = 3;
const DEALLOC_VGPRS = 3;
/** targets of EXP */
const POSITIONS: readonly [number, number] = [12, 16];
const PARAMETERS: readonly [number, number] = [32, 63];
/** address spaces */
const FLAT = 0;
const LOCAL = 3;
const PRIVATE = 5;

/** Which loads are awaited at the end of a block. */
interface Flushes {
  readonly vmem: boolean;
  readonly lds: boolean;
}
const NO_FLUSHES: Flushes = { vmem: false, lds: false };

/** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts */
class WaitInsertion {
  private readonly fn: MachineFunction;
  private readonly st: Subtarget;
  private readonly builder: InstrBuilder;
  private readonly inserter: BundleInserter;
  private readonly facts: RegisterFacts;
  private readonly counters: Counters;
  private readonly waits: WaitInstrs;
  private readonly isOptNone: boolean;
  private readonly header: number;
  private readonly forceZero: boolean;
  private readonly forceZeroLoads: boolean;
  private readonly flatIsInOrder: boolean;
  private readonly slots = new Map<PhysReg, Slots>();
  /** blocks with scalar loads, by what they load from */
  private readonly scalarLoads = new Map<string, BlockId>();
  private readonly flushes = new Map<BlockId, Flushes>();
  /** ends of the program that may let go of their VGPRs */
  private readonly releases = new Set<InstrId>();
  private postDominators: PostDominatorTree | null = null;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly loops: LoopInfo,
    options: Options,
  ) {
    const { fn } = editor;
    this.fn = fn;
    this.st = fn.subtarget;
    this.builder = new InstrBuilder(editor);
    this.inserter = new BundleInserter(this.builder);
    this.facts = new RegisterFacts(fn);
    this.counters = new Counters(fn.subtarget);
    this.header = fn.tables.opcodeByName('BUNDLE');
    this.isOptNone = fn.isOptNone || String(options.get('O')) === '0';
    this.forceZero = options.get('amdgpu-waitcnt-forcezero') === true;
    this.forceZeroLoads = options.get('amdgpu-waitcnt-load-forcezero') === true;
    this.flatIsInOrder = this.st.generation >= Generation.GFX10;
    this.waits = new WaitInstrs(this.builder, this.counters, this.isOptNone, (brackets, wait) =>
      brackets.need(Counter.Load, ldsSlot(0), wait, this.flatIsInOrder),
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
      while (first >= 0 && (fn.opcode[first] === phis || this.isMeta(first))) first = editor.list.after(first);
      this.waits.atEntry(first >= 0 ? first : ~0);
      const brackets = new WaitBrackets(this.counters);
      brackets.enterFunction();
      incoming.set(0, brackets);
    }
    for (let again = true; again;) {
      again = false;
      for (const [place, b] of order.entries()) {
        if (isDirty[b] === 0) continue;
        const brackets = new WaitBrackets(this.counters, incoming.get(b) ?? null);
        this.inBlock(b, brackets);
        isDirty[b] = 0;
        if (!brackets.hasPending) continue;
        for (const s of fn.blocks[b].successors) {
          const theirs = incoming.get(s);
          if (theirs === undefined) incoming.set(s, new WaitBrackets(this.counters, brackets));
          else if (!theirs.merge(brackets)) continue;
          isDirty[s] = 1;
          if (placeOf.get(s)! <= place) again = true;
        }
      }
    }
    if (this.st.hasFeature('scalar-stores')) this.writeBackScalarCache();
    this.releaseVGPRs();
  }

  // -- instructions ------------------------------------------------------------------------------------------------------

  private opcode(i: InstrId): number {
    return this.fn.opcode[i];
  }

  private has(i: InstrId, flag: McFlag): boolean {
    return hasOpcodeFlag(this.fn.tables, this.fn.opcode[i], flag);
  }

  private isMeta(i: InstrId): boolean {
    return this.has(i, McFlag.Meta);
  }

  private is(kind: (tables: MachineFunction['tables'], opcode: number) => boolean, i: InstrId): boolean {
    return kind(this.fn.tables, this.fn.opcode[i]);
  }

  private matches(pattern: OpcodePattern, i: InstrId): boolean {
    return pattern.has(this.fn.tables, this.fn.opcode[i]);
  }

  private isVMEM(i: InstrId): boolean {
    return this.is(isMUBUF, i) || this.is(isMTBUF, i) || this.is(isImage, i) || this.is(isFLAT, i);
  }

  private mayStore(i: InstrId): boolean {
    return this.anyHas(i, McFlag.MayStore);
  }

  private mayLoad(i: InstrId): boolean {
    return this.anyHas(i, McFlag.MayLoad);
  }

  /** The header of a bundle does what its members do. */
  private anyHas(i: InstrId, flag: McFlag): boolean {
    const { fn } = this;
    if (fn.opcode[i] !== this.header) return this.has(i, flag);
    for (let m = i; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0; m++) if (this.has(m + 1, flag)) return true;
    return false;
  }

  /** @llvm SIInstrInfo.h SIInstrInfo::mayWriteLDSThroughDMA */
  private writesLDS(i: InstrId): boolean {
    return this.is(isLDSDMA, i) && !this.fn.tables.opcodeName(this.opcode(i)).startsWith('BUFFER_STORE_LDS_DWORD');
  }

  /**
   * Not flat: it counts for vector memory alone.
   * @llvm SIInsertWaitcnts.cpp updateVMCntOnly
   */
  private countsVMEMOnly(i: InstrId): boolean {
    return this.isVMEM(i) && (!this.is(isFLAT, i) || this.is(isFLATGlobal, i) || this.is(isFLATScratch, i));
  }

  private vmemType(i: InstrId): VmemType {
    if (!this.is(isImage, i)) return VmemType.NoSampler;
    if (this.matches(BVH, i)) return VmemType.BVH;
    return this.matches(SAMPLER, i) || this.is(isVSAMPLE, i) ? VmemType.Sampler : VmemType.NoSampler;
  }

  private memory(i: InstrId): readonly MemOperand[] {
    return this.fn.memOperands[i] ?? [];
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::mayAccessVMEMThroughFlat */
  private flatMayBeVMEM(i: InstrId): boolean {
    if (!this.is(usesVMCNT, i)) return false;
    const memory = this.memory(i);
    return memory.length === 0 || memory.some((m) => m.addressSpace !== LOCAL);
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::mayAccessLDSThroughFlat */
  private flatMayBeLDS(i: InstrId): boolean {
    if (!this.is(usesLGKMCNT, i) || this.st.hasFeature('tgsplit')) return false;
    const memory = this.memory(i);
    return memory.length === 0 || memory.some((m) => m.addressSpace === LOCAL || m.addressSpace === FLAT);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::mayAccessScratchThroughFlat */
  private mayAccessScratch(i: InstrId): boolean {
    if (!this.is(isFLAT, i) || this.is(isFLATGlobal, i)) return false;
    if (this.is(isFLATScratch, i)) return true;
    if (this.fn.header.irFunction.attributes.has('amdgpu-no-flat-scratch-init')) return false;
    const memory = this.memory(i);
    return memory.length === 0 || memory.some((m) => m.addressSpace === PRIVATE || m.addressSpace === FLAT);
  }

  private isBufferCache(i: InstrId): boolean {
    return this.is(isMUBUF, i) && this.matches(BUFFER_CACHE, i);
  }

  // -- registers -----------------------------------------------------------------------------------------------------------

  /** @llvm SIInsertWaitcnts.cpp WaitcntBrackets::getRegInterval */
  private slotsOf(reg: PhysReg): Slots {
    let found = this.slots.get(reg);
    if (found === undefined) this.slots.set(reg, (found = this.computeSlots(reg)));
    return found;
  }

  private computeSlots(reg: PhysReg): Slots {
    const { tables } = this.fn;
    if (reg <= 0 || !tables.isInAllocatableClass(reg)) return NO_SLOTS;
    const rc = this.facts.baseClassOf(reg);
    if (rc < 0) return NO_SLOTS;
    const index = tables.regName(reg).startsWith('flat_scr')
      ? FLAT_SCRATCH + Number(tables.regName(reg).endsWith('_hi'))
      : this.facts.hardwareIndex(reg);
    const bits = tables.regClassBits[rc];
    if (tables.isSGPRClass(rc)) return scalarSlots(index, Math.ceil(bits / 32));
    const half = index * 2 + (tables.regName(reg).endsWith('_hi16') ? 1 : 0);
    return vectorSlots(half, bits / 16, tables.hasAGPRs(rc) && !tables.hasVGPRs(rc));
  }

  private isVector(reg: PhysReg): boolean {
    const { tables } = this.fn;
    const rc = reg > 0 ? this.facts.baseClassOf(reg) : -1;
    return rc >= 0 && (tables.hasVGPRs(rc) || tables.hasAGPRs(rc));
  }

  private named(i: InstrId, name: string): OperandId {
    const k = this.fn.tables.getNamedOperandIdx(this.opcode(i), name);
    return k < 0 ? -1 : this.fn.opBegin[i] + k;
  }

  private immOf(i: InstrId, name: string): number {
    const o = this.named(i, name);
    return o >= 0 && this.fn.opKind[o] === OperandKind.Immediate ? this.fn.imm(o) : 0;
  }

  private regsOf(i: InstrId): OperandId[] {
    const { fn } = this;
    const found: OperandId[] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] > 0) found.push(o);
    return found;
  }

  private usesOf(i: InstrId): OperandId[] {
    return this.regsOf(i).filter((o) => !this.editor.isDef(o));
  }

  private defsOf(i: InstrId): OperandId[] {
    return this.regsOf(i).filter((o) => this.editor.isDef(o));
  }

  private writes(i: InstrId, reg: PhysReg): boolean {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask) {
        if (maskClobbers(fn, o, reg)) return true;
      } else if (
        fn.opKind[o] === OperandKind.Register &&
        fn.opVal[o] > 0 &&
        this.editor.isDef(o) &&
        fn.tables.regsOverlap(fn.opVal[o], reg)
      )
        return true;
    }
    return false;
  }

  /** The register itself is a result. */
  private defines(i: InstrId, name: string): boolean {
    const reg = this.fn.tables.regByName(name);
    return this.regsOf(i).some((o) => this.editor.isDef(o) && this.fn.opVal[o] === reg);
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

  private firstTerminator(b: BlockId): InstrId {
    const { list } = this.editor;
    let first = -1;
    for (let i = list.before(~b); i >= 0 && (this.has(i, McFlag.Terminator) || this.isDebug(i)); i = list.before(i))
      if (this.has(i, McFlag.Terminator)) first = i;
    return first;
  }

  private isDebug(i: InstrId): boolean {
    return this.fn.tables.opcodeName(this.opcode(i)).startsWith('DBG_');
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::insertWaitcntInBlock */
  private inBlock(b: BlockId, brackets: WaitBrackets): void {
    const { st } = this;
    const hasVCCZBug = st.generation <= Generation.SEA_ISLANDS;
    const partsUpdateVCCZ = st.generation >= Generation.GFX10;
    let isVCCZRight = !hasVCCZBug && partsUpdateVCCZ;
    let oldWait: InstrId = -1;
    const terminator = this.firstTerminator(b);
    for (const i of this.instrsOf(b)) {
      if (this.isMeta(i)) continue;
      if (this.waits.isWait(i)) {
        if (oldWait < 0) oldWait = i;
        continue;
      }
      const flushes = i === terminator ? this.flushesAt(b, brackets) : NO_FLUSHES;
      this.before(i, brackets, oldWait, flushes);
      oldWait = -1;
      const restores = !isVCCZRight && this.readsVCCZ(i);
      if (!partsUpdateVCCZ || hasVCCZBug) {
        if (this.defines(i, 'vcc_lo') || this.defines(i, 'vcc_hi')) {
          if (!partsUpdateVCCZ) isVCCZRight = false;
        } else if (this.defines(i, 'vcc')) isVCCZRight = !(hasVCCZBug && brackets.has(WaitEvent.SMEM));
      }
      if (this.is(isSMRD, i)) {
        for (const m of this.memory(i)) if ((m.flags & MemFlag.Invariant) === 0) this.noteScalarLoad(m, b);
        if (hasVCCZBug) isVCCZRight = false;
      }
      this.count(i, brackets);
      this.after(i, brackets);
      if (restores) {
        const vcc = this.fn.tables.regByName(st.wavefrontSize === 32 ? 'vcc_lo' : 'vcc');
        const move = this.fn.tables.opcodeByName(st.wavefrontSize === 32 ? 'S_MOV_B32' : 'S_MOV_B64');
        this.builder.build(i, i, move, [regOperand(vcc, OpFlag.Def), regOperand(vcc)]);
        isVCCZRight = true;
      }
    }
    const wait = noWait();
    if (terminator < 0) this.flush(this.flushesAt(b, brackets), brackets, wait);
    this.place(wait, ~b, -1, brackets, oldWait);
  }

  private readsVCCZ(i: InstrId): boolean {
    return this.matches(VCCZ, i) && (this.fn.opFlags[this.fn.opBegin[i] + 1] & OpFlag.Undef) === 0;
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
  }

  /**
   * What has to be waited for before an instruction.
   * @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::generateWaitcntInstBefore
   */
  private before(i: InstrId, brackets: WaitBrackets, oldWait: InstrId, flushes: Flushes): void {
    const { fn, st, counters } = this;
    let wait = noWait();
    if (this.matches(INVALIDATION, i)) wait[Counter.Load] = 0;
    if (this.matches(RETURN, i)) {
      combine(wait, counters.allZero(false));
      // GLOBAL_INV counts, and nobody waits for it.
      if (counters.isExtended && !brackets.isAwaited(Counter.Load)) wait[Counter.Load] = NO_WAIT;
    } else if (this.matches(END, i)) this.noteEnd(i, brackets);
    else if (this.matches(MESSAGE, i) && st.generation < Generation.GFX11 && (fn.imm(fn.opBegin[i]) & 15) === GS_DONE)
      wait[Counter.Load] = 0;
    else {
      const locks = [WaitEvent.ExportLock, WaitEvent.ExportParameter, WaitEvent.ExportPosition, WaitEvent.GDSLock];
      if (locks.some((e) => brackets.has(e)) && this.writes(i, fn.tables.regByName('exec'))) wait[Counter.Exp] = 0;
      if (this.matches(ALWAYS_GDS, i)) addWait(wait, Counter.Ds, brackets.waitForGDS);
      if (this.has(i, McFlag.Call)) wait = this.beforeCall(i, brackets);
      else {
        this.needForMemory(i, brackets, wait);
        this.needForRegisters(i, brackets, wait);
      }
    }
    const name = fn.tables.opcodeName(this.opcode(i));
    if (name === 'S_BARRIER' && !st.hasFeature('auto-waitcnt-before-barrier') && !st.hasFeature('back-off-barrier'))
      combine(wait, counters.allZero(true));
    if (st.generation <= Generation.SEA_ISLANDS && this.readsVCCZ(i) && brackets.has(WaitEvent.SMEM))
      wait[Counter.Ds] = 0;
    brackets.simplify(wait);
    if (this.forceZero && !this.has(i, McFlag.Terminator)) wait = counters.allZero(false);
    this.flush(flushes, brackets, wait);
    if (this.forceZeroLoads && wait[Counter.Load] !== NO_WAIT) wait[Counter.Load] = 0;
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
    const address = this.named(i, 'src0');
    if (address < 0 || this.fn.opKind[address] !== OperandKind.Register) return wait;
    for (const o of [address, this.named(i, 'dst')])
      if (o >= 0) brackets.need(this.counters.ofScalarLoads, this.slotsOf(this.fn.opVal[o]), wait, this.flatIsInOrder);
    return wait;
  }

  private needForMemory(i: InstrId, brackets: WaitBrackets, wait: Wait): void {
    const writesLDS = this.writesLDS(i);
    for (const m of this.memory(i)) {
      const isStore = (m.flags & MemFlag.Store) !== 0;
      if (isStore) {
        const key = this.keyOf(m);
        const block = this.scalarLoads.get(key);
        if (block !== undefined) {
          addWait(wait, this.counters.ofScalarLoads, 0);
          if (this.postDominates(this.fn.instrBlock[i], block)) this.scalarLoads.delete(key);
        }
      }
      if ((m.addressSpace !== LOCAL && m.addressSpace !== FLAT) || writesLDS) continue;
      if (m.scopes?.inside && this.keyOf(m) !== '') {
        if (brackets.ldsStores.length > 0) throw new NotModelled('alias scopes of transfers to LDS');
      } else brackets.need(Counter.Load, ldsSlot(0), wait, this.flatIsInOrder);
      if (isStore) brackets.need(Counter.Exp, ldsSlot(0), wait, this.flatIsInOrder);
    }
  }

  private needForRegisters(i: InstrId, brackets: WaitBrackets, wait: Wait): void {
    const { fn, st, editor } = this;
    const touchesMemory = this.mayLoad(i) || this.mayStore(i);
    const isOnlyVMEM = this.countsVMEMOnly(i);
    const need = (c: Counter, slots: Slots): void => brackets.need(c, slots, wait, this.flatIsInOrder);
    for (const o of this.regsOf(i)) {
      const isDef = editor.isDef(o);
      if (fn.opTied[o] >= 0 && !isDef && this.is(skipsTiedSource, i)) continue;
      const slots = this.slotsOf(fn.opVal[o]);
      if (!this.isVector(fn.opVal[o])) need(this.counters.ofScalarLoads, slots);
      else {
        if ((fn.opFlags[o] & OpFlag.Implicit) !== 0 && touchesMemory) continue;
        const isInOrder =
          isDef &&
          isOnlyVMEM &&
          !brackets.hasOtherTypes(slots, this.vmemType(i)) &&
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
    if (oldWait >= 0) this.waits.merge(brackets, oldWait, at, wait, (k) => this.isMeta(k));
    brackets.apply(wait);
    if (wait[Counter.Exp] !== NO_WAIT && i >= 0 && this.is(isVINTERP, i)) {
      const o = this.named(i, 'waitexp');
      if (o >= 0 && wait[Counter.Exp] < fn.imm(o)) fn.opVal[o] = wait[Counter.Exp];
      wait[Counter.Exp] = NO_WAIT;
    }
    // Addresses of vector accesses are translated in their order.
    if (i >= 0 && this.isVMEMAccess(i)) wait[Counter.X] = NO_WAIT;
    if (wait.every((left) => left === NO_WAIT)) return false;
    for (const { opcode, operands } of this.waits.needed(wait))
      if (i >= 0) this.inserter.insert(this.inserter.idNow(i), 'before', opcode, operands);
      else this.builder.build(at, -1, opcode, operands);
    return true;
  }

  private isVMEMAccess(i: InstrId): boolean {
    return this.is(isFLAT, i) || (this.isVMEM(i) && !this.isBufferCache(i));
  }

  // -- what an instruction leaves under way ----------------------------------------------------------------------------------

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::getVmemWaitEventType */
  private vmemEvent(i: InstrId): WaitEvent {
    const { tables } = this.fn;
    const name = tables.opcodeName(this.opcode(i));
    if (name === 'GLOBAL_INV') return WaitEvent.VMEMRead;
    if (name === 'GLOBAL_WB' || name === 'GLOBAL_WBINV') return WaitEvent.VMEMWrite;
    if (!this.counters.hasStoreCounter || this.writesLDS(i)) return WaitEvent.VMEM;
    if (this.mayStore(i) && (!this.mayLoad(i) || this.is(isAtomicNoRet, i)))
      return this.mayAccessScratch(i) ? WaitEvent.ScratchWrite : WaitEvent.VMEMWrite;
    if (!this.counters.isExtended || this.is(isFLAT, i)) return WaitEvent.VMEMRead;
    const type = this.vmemType(i);
    return type === VmemType.BVH ? WaitEvent.BVH : type === VmemType.Sampler ? WaitEvent.Sampler : WaitEvent.VMEMRead;
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::updateEventWaitcntAfter */
  private count(i: InstrId, brackets: WaitBrackets): void {
    let isVMEM = false;
    const isSMEM = this.is(isSMRD, i);
    if (this.is(isDS, i) && this.is(usesLGKMCNT, i)) {
      if (this.matches(ALWAYS_GDS, i) || this.immOf(i, 'gds') !== 0) {
        this.note(i, WaitEvent.GDS, brackets);
        this.note(i, WaitEvent.GDSLock, brackets);
        brackets.noteGDS();
      } else this.note(i, WaitEvent.LDS, brackets);
    } else if (this.is(isFLAT, i)) {
      if (this.matches(CACHE, i)) {
        this.note(i, this.vmemEvent(i), brackets);
        return;
      }
      isVMEM = this.flatMayBeVMEM(i);
      if (isVMEM) this.note(i, this.vmemEvent(i), brackets);
      const isLDS = this.flatMayBeLDS(i);
      if (isLDS) this.note(i, WaitEvent.LDS, brackets);
      if (isVMEM && isLDS) brackets.noteFlat();
    } else if (this.isVMEM(i) && !this.isBufferCache(i)) {
      isVMEM = true;
      this.note(i, this.vmemEvent(i), brackets);
      const locks = this.st.generation < Generation.SEA_ISLANDS;
      if (locks && (this.mayStore(i) || this.is(isAtomicRet, i))) this.note(i, WaitEvent.StoreLock, brackets);
    } else if (isSMEM) this.note(i, WaitEvent.SMEM, brackets);
    else if (this.has(i, McFlag.Call)) {
      brackets.apply(this.counters.allZero(false));
      brackets.enterFunction();
    } else if (this.is(isLDSDIR, i)) this.note(i, WaitEvent.LDSDirect, brackets);
    else if (this.is(isVINTERP, i)) brackets.applyTo(Counter.Exp, this.immOf(i, 'waitexp'));
    else if (this.is(isEXP, i)) this.note(i, this.exportEvent(i), brackets);
    else if (this.matches(ANY_MESSAGE, i)) this.note(i, WaitEvent.Message, brackets);
    else if (this.matches(LIKE_SCALAR_LOAD, i)) this.note(i, WaitEvent.SMEM, brackets);
    if (!this.st.hasFeature('wait-xcnt')) return;
    if (isVMEM) this.note(i, WaitEvent.VMEMGroup, brackets);
    if (isSMEM) this.note(i, WaitEvent.SMEMGroup, brackets);
  }

  private exportEvent(i: InstrId): WaitEvent {
    const target = this.immOf(i, 'tgt');
    if (target >= PARAMETERS[0] && target <= PARAMETERS[1]) return WaitEvent.ExportParameter;
    return target >= POSITIONS[0] && target <= POSITIONS[1] ? WaitEvent.ExportPosition : WaitEvent.ExportLock;
  }

  /** @llvm SIInsertWaitcnts.cpp WaitcntBrackets::updateByEvent */
  private note(i: InstrId, event: WaitEvent, brackets: WaitBrackets): void {
    const { fn } = this;
    const counter = this.counters.ofEvent(event);
    const score = brackets.count(event);
    const set = (o: OperandId): void => {
      if (o >= 0 && fn.opKind[o] === OperandKind.Register) brackets.setScore(counter, this.slotsOf(fn.opVal[o]), score);
    };
    if (counter === Counter.Exp) {
      for (const o of this.lockedOperands(i)) set(o);
      return;
    }
    if (counter === Counter.X) {
      for (const o of this.usesOf(i)) set(o);
      return;
    }
    const nDefs = fn.tables.opcodeNumDefs(this.opcode(i));
    for (let o = fn.opBegin[i]; o < fn.opBegin[i] + nDefs; o++) {
      const slots = this.slotsOf(fn.opVal[o]);
      if (counter === Counter.Load || counter === Counter.Sample || counter === Counter.Bvh) {
        if (isScalarSlot(slots[0])) continue;
        if (this.countsVMEMOnly(i)) brackets.addTypes(slots, this.vmemType(i));
      }
      brackets.setScore(counter, slots, score);
    }
    if (this.mayStore(i) && (this.is(isDS, i) || this.writesLDS(i))) this.noteLDSStore(i, counter, score, brackets);
  }

  private noteLDSStore(i: InstrId, counter: Counter, score: number, brackets: WaitBrackets): void {
    let slot = 0;
    const store = this.memory(i).find((m) => (m.flags & MemFlag.Store) !== 0 && m.addressSpace === LOCAL);
    if (store?.scopes?.inside) {
      const known = brackets.ldsStores.findIndex((k) =>
        this.memory(k).some(
          (m) =>
            (m.flags & MemFlag.Store) !== 0 &&
            m.aliasScope === store.aliasScope &&
            m.noAlias === store.noAlias &&
            m.tbaa === store.tbaa,
        ),
      );
      if (known >= 0) slot = known + 1;
      else if (brackets.ldsStores.length < MAX_LDS_STORES) slot = brackets.ldsStores.push(i);
    }
    brackets.setScore(counter, ldsSlot(slot), score);
    if (slot > 0) brackets.setScore(counter, ldsSlot(0), score);
  }

  /** Operands that an export or a store still reads. */
  private lockedOperands(i: InstrId): OperandId[] {
    const { fn } = this;
    const first = fn.opBegin[i];
    const vectors = (): OperandId[] => this.usesOf(i).filter((o) => this.isVector(fn.opVal[o]));
    if (this.is(isDS, i) && (this.mayLoad(i) || this.mayStore(i))) {
      const named = ['addr', ...(this.mayStore(i) ? ['data0', 'data1'] : [])].map((name) => this.named(i, name));
      const name = fn.tables.opcodeName(this.opcode(i));
      const isAtomic =
        !this.mayStore(i) &&
        this.is(isAtomicRet, i) &&
        !this.is(isGWS, i) &&
        !/^DS_(?:APPEND|CONSUME|ORDERED_COUNT)$/.test(name);
      return [...named, ...(isAtomic ? vectors() : [])];
    }
    if (this.is(isFLAT, i)) return this.mayStore(i) || this.is(isAtomicRet, i) ? [this.named(i, 'data')] : [];
    if (this.is(isImage, i) || this.is(isMTBUF, i) || this.is(isMUBUF, i)) {
      if (this.mayStore(i)) return [first];
      return this.is(isAtomicRet, i) ? [this.named(i, 'data')] : [];
    }
    if (this.is(isLDSDIR, i)) return [this.named(i, 'vdst')];
    const results = this.is(isEXP, i)
      ? this.regsOf(i).filter((o) => this.editor.isDef(o) && this.isVector(fn.opVal[o]))
      : [];
    return [...results, ...vectors()];
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::insertForcedWaitAfter */
  private after(before: InstrId, brackets: WaitBrackets): void {
    const { fn, counters } = this;
    const i = this.inserter.idNow(before);
    const wait = noWait();
    if (this.st.hasFeature('precise-memory') && (this.mayLoad(i) || this.mayStore(i)))
      combine(wait, counters.allZero(this.mayStore(i) && !this.is(isAtomicRet, i)));
    const isGDS = this.matches(ALWAYS_GDS, i);
    if (isGDS) wait[Counter.Ds] = 0;
    brackets.simplify(wait);
    const isWithin = (fn.bundle[i] & BundleFlag.BundledSucc) !== 0;
    const next = isWithin ? i + 1 : this.editor.list.after(this.inserter.firstOf(i));
    const at = next >= 0 ? next : ~fn.instrBlock[i];
    if (this.place(wait, at, next, brackets, -1) && isGDS && this.endsNext(next, fn.instrBlock[i]))
      this.builder.build(at, i, fn.tables.opcodeByName('S_NOP'), [immOperand(0)]);
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::isNextENDPGM */
  private endsNext(from: InstrId, block: BlockId): boolean {
    const { fn, editor } = this;
    let i = from;
    for (let b = block; ;) {
      while (i >= 0 && this.isMeta(i)) i = editor.list.after(i);
      if (i >= 0) return fn.tables.opcodeName(this.opcode(i)) === 'S_ENDPGM';
      if (++b >= fn.blocks.length) return false;
      i = editor.list.first(b);
    }
  }

  // -- loops -----------------------------------------------------------------------------------------------------------------

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::isPreheaderToFlush */
  private flushesAt(b: BlockId, brackets: WaitBrackets): Flushes {
    const known = this.flushes.get(b);
    if (known !== undefined) return known;
    this.flushes.set(b, NO_FLUSHES);
    const { successors } = this.fn.blocks[b];
    if (successors.length !== 1) return NO_FLUSHES;
    const loop = this.loops.loopOf[successors[0]];
    if (loop < 0 || this.preheaderOf(loop) !== b) return NO_FLUSHES;
    const flushes = this.flushesBefore(loop, brackets);
    this.flushes.set(b, flushes);
    return flushes;
  }

  private isInLoop(b: BlockId, loop: number): boolean {
    for (let l = this.loops.loopOf[b]; l >= 0; l = this.loops.loops[l].parent) if (l === loop) return true;
    return false;
  }

  /** @llvm GenericLoopInfoImpl.h LoopBase::getLoopPreheader */
  private preheaderOf(loop: number): BlockId {
    const { header } = this.loops.loops[loop];
    const outside = new Set(this.fn.blocks[header].predecessors.filter((p) => !this.isInLoop(p, loop)));
    if (outside.size !== 1) return -1;
    const [b] = outside;
    return this.fn.blocks[b].successors.length === 1 ? b : -1;
  }

  private accessesVMEM(i: InstrId): boolean {
    return this.is(isFLAT, i) ? this.flatMayBeVMEM(i) : this.isVMEM(i);
  }

  /**
   * Waiting once before a loop that reads what was loaded before it, if it does not read what it loads itself. What it loads from LDS it may
   * read in the next iteration.
   * @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::getPreheaderFlushFlags
   */
  private flushesBefore(loop: number, brackets: WaitBrackets): Flushes {
    const { fn, st, counters } = this;
    let [loads, stores, storesToLDS] = [false, false, false];
    let [usesLoaded, usesLoadedFromLDS] = [false, false];
    let [canVMEM, canLDS] = [true, counters.isExtended];
    const [used, loaded, loadedFromLDS] = [new Set<number>(), new Set<number>(), new Set<number>()];
    for (let b = 0; b < fn.blocks.length; b++) {
      if (!this.isInLoop(b, loop)) continue;
      let storesHere = false;
      for (let i = this.editor.list.first(b); i >= 0; i = this.editor.list.after(i)) {
        const isLoad = this.accessesVMEM(i) && this.mayLoad(i);
        const isLDS = this.is(isDS, i);
        loads ||= isLoad;
        stores ||= this.accessesVMEM(i) && this.mayStore(i);
        // A barrier waits for stores.
        if (isLDS && this.mayStore(i)) storesHere = true;
        else if (this.matches(BARRIER, i)) storesHere = false;
        for (const slot of this.vectorSlotsOf(this.usesOf(i))) {
          if (loaded.has(slot)) canVMEM = false;
          if (loadedFromLDS.has(slot)) canLDS = false;
          used.add(slot);
          const isPending = [Counter.Load, Counter.Sample, Counter.Bvh].some((c) => brackets.isPending(slot, c));
          if (isPending) usesLoaded = true;
          else if (brackets.isPending(slot, Counter.Ds)) usesLoadedFromLDS = true;
        }
        if (!isLoad && !isLDS) continue;
        for (const slot of this.vectorSlotsOf(this.defsOf(i)))
          if (isLoad) {
            if (used.has(slot)) canVMEM = false;
            loaded.add(slot);
          } else if (this.mayLoad(i) && !this.mayStore(i)) loadedFromLDS.add(slot);
      }
      storesToLDS ||= storesHere;
    }
    const pays = loads ? st.hasFeature('vmem-write-vgpr-in-order') : stores && !counters.hasStoreCounter;
    return { vmem: canVMEM && usesLoaded && pays, lds: canLDS && usesLoadedFromLDS && !storesToLDS };
  }

  private *vectorSlotsOf(operands: Iterable<OperandId>): IterableIterator<number> {
    for (const o of operands) {
      if (!this.isVector(this.fn.opVal[o])) continue;
      const [begin, end] = this.slotsOf(this.fn.opVal[o]);
      for (let slot = Math.max(begin, 0); slot < end; slot++) yield slot;
    }
  }

  private postDominates(a: BlockId, b: BlockId): boolean {
    this.postDominators ??= new PostDominatorTree(this.fn.blocks);
    return this.postDominators.dominates(a, b);
  }

  // -- the end of the program ------------------------------------------------------------------------------------------------

  /** Scalar stores stay in their cache unless it is written back. */
  private writeBackScalarCache(): void {
    const { fn, editor } = this;
    const ends: BlockId[] = [];
    let hasStores = false;
    const isEnd = (i: InstrId): boolean =>
      /^(?:S_ENDPGM|SI_RETURN_TO_EPILOG)$/.test(fn.tables.opcodeName(this.opcode(i)));
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
        hasStores ||= this.is(isScalarStore, i);
        if (isEnd(i)) ends.push(b);
      }
    if (!hasStores) return;
    const writeBack = fn.tables.opcodeByName('S_DCACHE_WB');
    for (const b of ends) {
      let isClean = false;
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
        if (this.opcode(i) === writeBack) isClean = true;
        else if (this.is(isScalarStore, i)) isClean = false;
        if (isEnd(i) && !isClean) this.builder.build(i, i, writeBack, []);
      }
    }
  }

  private releaseVGPRs(): void {
    const { fn, st, builder } = this;
    const emit = (i: InstrId, name: string, value: number): void => {
      builder.build(i, i, fn.tables.opcodeByName(name), [immOperand(value)]);
    };
    const { dynamicVGPRBlockSize } = fn.header.machineFunctionInfo;
    if (dynamicVGPRBlockSize !== 0) {
      for (const i of this.releases) emit(i, 'S_ALLOC_VGPR', 0);
      return;
    }
    if (this.releases.size === 0) return;
    const waves = st.occupancyWithNumVGPRs(this.nVGPRs(), 0);
    if (!fn.header.frameInfo.hasCalls && waves >= st.maxWavesPerEU) return;
    for (const i of this.releases) {
      if (!st.hasFeature('gfx1250-insts')) emit(i, 'S_NOP', 0);
      emit(i, 'S_SENDMSG', DEALLOC_VGPRS);
    }
  }

  /** @llvm SIRegisterInfo.cpp SIRegisterInfo::getNumUsedPhysRegs */
  private nVGPRs(): number {
    const { tables } = this.fn;
    const use = new PhysRegUse(this.editor);
    const vgprs = [...tables.classRegs(tables.regClassByName('vgpr_32'))].reverse();
    const last = vgprs.find((reg) => use.isUsed(reg));
    return last === undefined ? 0 : this.facts.hardwareIndex(last) + 1;
  }
}
