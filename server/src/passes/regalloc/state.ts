/**
 * What the passes around register allocation share: the function on lists, its live intervals and slot indexes, the ranges of its register units,
 * block frequencies, and what allocationPass.ts has computed beside them: the map from virtual to physical registers, stack slots, debug values.
 *
 * Everything here is kept from pass to pass as LLVM keeps its analyses (docs/llvm/allocation-pipeline.md, 1): slot indexes and intervals live through all
 * three runs, the map of registers is new in each.
 */
import type { IntervalEditor } from '../../analysis/edit/intervalEditor.js';
import type { SlotList, SlotRef } from '../../analysis/edit/slotList.js';
import { SlotList as Slots } from '../../analysis/edit/slotList.js';
import { LoopInfo } from '../../analysis/loops.js';
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { Slot } from '../../analysis/slotIndexes.js';
import type { KnownIntervals } from '../../analysis/verifier/index.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { AmdgpuFunctionInfo, FrameInfo, MachineFunctionHeader, StackObject } from '../../model/header.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { preservedRegs } from '../../model/regMask.js';
import { isVirtualReg, NO_REG, virtReg, type Reg } from '../../model/register.js';
import type { McFlag, PhysReg, TargetTables } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import type { SourcePlaces, WaitingDebugValues } from './debug/contract.js';
import { BlockFrequencies } from './blockFrequencies.js';
import { isInRun, isWWM, type RunFilter } from './runFilter.js';
import { RegisterClassInfo } from './registerClassInfo.js';
import type { RegisterCosts } from './registerCosts.js';
import { UnitRanges } from './unitRanges.js';
import { VirtRegMap, type LiveStacks } from './virtRegMap.js';
import type { AllocationWatch } from './watch.js';

/** How copies back into the rest of a split register are placed. */
export const enum SplitMode {
  Partition,
  Size,
  Speed,
}

/** Options of llc that change what the allocator does. */
export interface RegAllocOptions {
  /** -stress-regalloc; 0 = off */
  readonly stress: number;
  /** -regalloc-csr-first-time-cost, null when it is not given */
  readonly csrFirstTimeCost: number | null;
  /** -regalloc-eviction-max-interference-cutoff */
  readonly evictionCutoff: number;
  /** -lcr-max-depth, -lcr-max-interf, -exhaustive-register-search */
  readonly recolorDepth: number;
  readonly recolorInterference: number;
  readonly isExhaustive: boolean;
  /** -split-threshold-for-reg-with-hint, per cent */
  readonly hintSplitThreshold: number;
  /** -grow-region-complexity-budget */
  readonly growBudget: number;
  /** -huge-size-for-split */
  readonly hugeSize: number;
  /** -amdgpu-spill-sgpr-to-vgpr */
  readonly spillsSGPRsToVGPRs: boolean;
  /** -amdgpu-spill-vgpr-to-agpr, which prologepilog reads */
  readonly spillsVGPRsToAGPRs: boolean;
  /** -amdgpu-num-vgprs-for-wwm-alloc */
  readonly numVGPRsForWWM: number;
  /** -amdgpu-long-branch-factor, -amdgpu-s-branch-bits */
  readonly branchFactor: number;
  readonly branchBits: number;
  /** false: -no-stack-slot-sharing */
  readonly sharesSlots: boolean;
  readonly ssc: boolean;
  /** false: an -ssc-dce-limit under which no saved copy of what was just loaded goes */
  readonly dropsDeadStores: boolean;
  /** -split-spill-mode */
  readonly splitMode: SplitMode;
  /** -enable-split-loopiv-heuristic */
  readonly knowsLoopIVs: boolean;
  /** -greedy-regclass-priority-trumps-globalness, -greedy-reverse-local-assignment */
  readonly classTrumpsGlobal: boolean;
  readonly reversesLocals: boolean;
  /** -regalloc-enable-priority-advisor=dummy */
  readonly goesByNumber: boolean;
  /** -amdgpu-max-memory-clause, for functions without the attribute */
  readonly maxClause: number;
  /** -amdgpu-prealloc-sgpr-spill-vgprs */
  readonly preallocatesLanes: boolean;
  /** names of passes that the pipeline does without */
  readonly leftOut: readonly string[];
  /** of each physical register; no option of llc has another than its own */
  readonly costs: RegisterCosts;
}

export const DEFAULT_OPTIONS: RegAllocOptions = {
  stress: 0,
  csrFirstTimeCost: null,
  evictionCutoff: 10,
  recolorDepth: 5,
  recolorInterference: 8,
  isExhaustive: false,
  hintSplitThreshold: 75,
  growBudget: 10000,
  hugeSize: 5000,
  spillsSGPRsToVGPRs: true,
  spillsVGPRsToAGPRs: true,
  numVGPRsForWWM: 10,
  branchFactor: 1,
  branchBits: 16,
  sharesSlots: true,
  ssc: true,
  dropsDeadStores: true,
  splitMode: SplitMode.Speed,
  knowsLoopIVs: true,
  classTrumpsGlobal: false,
  reversesLocals: false,
  goesByNumber: false,
  maxClause: 15,
  preallocatesLanes: false,
  leftOut: [],
  costs: null,
};

/** A copy hint list: 0 = registers in the order of their worth; the others are of 16-bit values and their partners. */
export interface HintList {
  type: 0 | 1 | 2;
  regs: Reg[];
}

/** Copy opcodes, asked for at every instruction. */
export interface CommonOpcodes {
  readonly copy: number;
  readonly wwmCopy: number;
  readonly implicitDef: number;
  readonly kill: number;
  readonly inlineAsm: number;
  readonly inlineAsmBr: number;
  readonly subregToReg: number;
}

/** What LLVM keeps with the function itself, whatever becomes of the analyses. */
export class KeptRegisters {
  /** per-lane registers that whole-wave allocation leaves alone */
  perLaneMask: PhysReg[] = [];
  /** as they were frozen last */
  reserved: ReservedRegs | null = null;
  /** A run has told of a register that it found no place for: once per function (MachineFunctionProperties::FailedRegAlloc). */
  hasFailed = false;
  /** lanes of `spillPhysVGPRs` that are taken */
  physLanes = 0;
}

/** What is around the passes on one function. */
export interface AllocSurroundings {
  readonly options: RegAllocOptions;
  readonly kept: KeptRegisters;
  /** null: the IR function has no debug information */
  readonly sourcePlaces: SourcePlaces | null;
  /** of -verify-regalloc */
  readonly verify: ((fn: MachineFunction, known: KnownIntervals, banner: string) => void) | null;
  /** an error of llc, which goes on */
  readonly error: (message: string) => void;
  /** who is told every decision */
  readonly watchFor: ((state: AllocState) => AllocationWatch) | null;
}

/** Frozen at the start of each run: the reserved registers, and the classes without them. */
interface FrozenRegisters {
  readonly reserved: ReservedRegs;
  readonly classes: RegisterClassInfo;
}

/** Those of LLVM's analyses that some passes end before the others: allocationPass.ts has them computed. */
export interface PassAnalyses {
  readonly map: VirtRegMap;
  readonly liveStacks: LiveStacks;
  /** debug values that wait for the last rewriter */
  readonly debugValues: WaitingDebugValues | null;
}

export class AllocState {
  readonly tables: TargetTables;
  readonly editor: FunctionEditor;
  readonly builder: InstrBuilder;
  readonly slots: SlotList;
  readonly units: UnitRanges;
  readonly opcodes: CommonOpcodes;
  readonly traits: Uint8Array;
  readonly exec: PhysReg;
  readonly regMaskSlots: SlotRef[] = [];
  readonly regMaskBits: Uint32Array[] = [];
  readonly hints: (HintList | undefined)[] = [];
  /** operands that are register masks, among the first `nSearched` ones */
  private readonly masks: OperandId[] = [];
  private nSearched = 0;
  private frozen: FrozenRegisters;
  private ofPass: PassAnalyses = { map: new VirtRegMap(), liveStacks: new Map(), debugValues: null };
  private hasIntervals = false;
  /** told every decision */
  readonly watch: AllocationWatch | null;
  /** `lis`: over `fn`, which is written back; its intervals are computed or not (`analyse`). */
  constructor(
    readonly fn: MachineFunction,
    readonly lis: IntervalEditor,
    private frequencies: BlockFrequencies,
    private readonly surroundings: AllocSurroundings,
  ) {
    const { tables } = fn;
    this.tables = tables;
    const { kept } = surroundings;
    const opcode = (name: string): number => tables.opcodeByName(name);
    this.opcodes = {
      copy: opcode('COPY'),
      wwmCopy: opcode('WWM_COPY'),
      implicitDef: opcode('IMPLICIT_DEF'),
      kill: opcode('KILL'),
      inlineAsm: opcode('INLINEASM'),
      inlineAsmBr: opcode('INLINEASM_BR'),
      subregToReg: opcode('SUBREG_TO_REG'),
    };
    this.traits = opcodeTraits(tables);
    this.exec = tables.regByName('exec');
    this.editor = lis.editor;
    this.builder = lis.builder;
    this.slots = lis.slots;
    // Registers that were set apart for whole waves stay so.
    this.frozen = this.freeze((kept.perLaneMask.length > 0 ? kept.reserved : null) ?? new ReservedRegs(fn));
    this.units = new UnitRanges(this);
    for (let v = 0; v < fn.vregs.n; v++) {
      const hint = fn.vregs.hint[v];
      if (hint !== NO_REG) this.hints[v] = { type: 0, regs: [hint] };
    }
    this.watch = surroundings.watchFor?.(this) ?? null;
  }

  /** Intervals are computed. */
  get isAnalysed(): boolean {
    return this.hasIntervals;
  }

  get blocks(): BlockFrequencies {
    return this.frequencies;
  }

  get reserved(): ReservedRegs {
    return this.frozen.reserved;
  }

  get classes(): RegisterClassInfo {
    return this.frozen.classes;
  }

  get map(): VirtRegMap {
    return this.ofPass.map;
  }

  get liveStacks(): LiveStacks {
    return this.ofPass.liveStacks;
  }

  get debugValues(): WaitingDebugValues | null {
    return this.ofPass.debugValues;
  }

  /** What the pass that begins works with. */
  beginPass(analyses: PassAnalyses): void {
    this.ofPass = analyses;
  }

  get options(): RegAllocOptions {
    return this.surroundings.options;
  }

  get kept(): KeptRegisters {
    return this.surroundings.kept;
  }

  get sourcePlaces(): SourcePlaces | null {
    return this.surroundings.sourcePlaces;
  }

  /** An error with which llc goes on. */
  error(message: string): void {
    this.surroundings.error(message);
  }

  /** A pass may have split blocks: what follows goes by the blocks of now, with ids in the order of the layout. */
  followBlocks(): void {
    if (!this.lis.renumberBlocks()) return;
    const { blocks } = this.fn;
    this.frequencies = new BlockFrequencies(blocks, new LoopInfo(blocks, this.lis.dominators));
  }

  get info(): AmdgpuFunctionInfo {
    return this.fn.header.machineFunctionInfo;
  }

  get frame(): FrameInfo {
    return this.fn.header.frameInfo;
  }

  get header(): MachineFunctionHeader {
    return this.fn.header;
  }

  get stack(): StackObject[] {
    return this.fn.header.stack;
  }

  /**
   * Live intervals of the function as it is, with the marks that LLVM makes while it computes them. `known`: the intervals are there
   * already, from another pass, and so are the ranges of these units.
   */
  analyse(known: Iterable<number> | null = null, keepsKills = false): void {
    const { fn, lis, slots } = this;
    this.hasIntervals = true;
    if (known === null) {
      for (let o = 0; o < fn.nOperands; o++) {
        if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) continue;
        if ((fn.opFlags[o] & (OpFlag.Kill | OpFlag.Debug)) === OpFlag.Kill) fn.opFlags[o] &= ~OpFlag.Kill;
      }
      const { watch } = this;
      lis.computeAll(watch === null ? null : () => watch.checkpoint());
    }
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let i = this.editor.list.first(b); i >= 0; i = this.editor.list.after(i)) {
        for (let m = i; ; m++) {
          for (let o = fn.opBegin[m]; o < fn.opBegin[m + 1]; o++) {
            if (fn.opKind[o] !== OperandKind.RegisterMask) continue;
            this.regMaskSlots.push(Slots.at(slots.ofInstr(i), Slot.Register));
            this.regMaskBits.push(preservedRegs(fn, o));
          }
          if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
        }
      }
    }
    if (known === null && !keepsKills) this.units.computeLiveIns();
    else this.units.adopt(known ?? []);
  }

  /** With -verify-regalloc: throws where LLVM's verifier finds fault with the function of now. */
  verify(banner: string): void {
    const { fn, editor, known } = this;
    const { verify } = this.surroundings;
    if (verify === null) return;
    editor.list.writeBack();
    verify(fn, known, banner);
  }

  /** The live intervals for the verifier. */
  get known(): KnownIntervals {
    return { intervals: this.lis, unitRange: (unit) => this.units.known(unit) };
  }

  /** What a text shows of hints: the first one of a plain list. */
  writeHints(): void {
    const { vregs } = this.fn;
    for (let v = 0; v < vregs.n; v++) {
      const list = this.hints[v];
      vregs.hint[v] = list === undefined || list.type !== 0 ? NO_REG : (list.regs[0] ?? NO_REG);
    }
  }

  /** No virtual register is left: the next one is the first again. */
  forgetVRegs(): void {
    const { vregs } = this.fn;
    for (let v = 0; v < vregs.n; v++) this.lis.remove(v);
    this.hints.length = 0;
    vregs.truncate(0);
  }

  /** Operands that say what a call preserves, those of instructions that are gone included. */
  maskOperands(): readonly OperandId[] {
    const { fn } = this;
    for (; this.nSearched < fn.nOperands; this.nSearched++)
      if (fn.opKind[this.nSearched] === OperandKind.RegisterMask) this.masks.push(this.nSearched);
    return this.masks;
  }

  /**
   * The reserved registers of the function as it is now.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::freezeReservedRegs
   */
  freezeReserved(): void {
    this.frozen = this.freeze(new ReservedRegs(this.fn, undefined, this.kept.perLaneMask));
  }

  private freeze(reserved: ReservedRegs): FrozenRegisters {
    this.kept.reserved = reserved;
    return { reserved, classes: new RegisterClassInfo(this.fn.subtarget, reserved, this.options.stress) };
  }

  // -- registers --------------------------------------------------------------------------------------------------

  isWWM(v: number): boolean {
    return isWWM(this.fn, v);
  }

  isIn(filter: RunFilter, v: number): boolean {
    return isInRun(this.fn, filter, v);
  }

  /** Part `sub` of a register; the register itself for 0. */
  part(reg: PhysReg, sub: number): PhysReg {
    return sub === 0 ? reg : this.tables.getSubReg(reg, sub);
  }

  // -- instructions -----------------------------------------------------------------------------------------------

  isCopy(i: InstrId): boolean {
    const opc = this.fn.opcode[i];
    return opc === this.opcodes.copy || opc === this.opcodes.wwmCopy;
  }

  isDebugInstr(i: InstrId): boolean {
    return (this.traits[this.fn.opcode[i]] & OpcodeTrait.Debug) !== 0;
  }

  has(i: InstrId, flag: McFlag): boolean {
    return hasOpcodeFlag(this.tables, this.fn.opcode[i], flag);
  }

  /**
   * Of the header of a bundle also whether a member has it (MachineInstr::hasProperty, AnyInBundle).
   * @llvm MachineInstr.cpp MachineInstr::hasPropertyInBundle
   */
  hasInBundle(i: InstrId, flag: McFlag): boolean {
    const { bundle } = this.fn;
    if (this.has(i, flag)) return true;
    if ((bundle[i] & BundleFlag.BundledPred) !== 0) return false;
    for (let m = i; (bundle[m] & BundleFlag.BundledSucc) !== 0;) if (this.has(++m, flag)) return true;
    return false;
  }

  isInlineAsm(i: InstrId): boolean {
    const opc = this.fn.opcode[i];
    return opc === this.opcodes.inlineAsm || opc === this.opcodes.inlineAsmBr;
  }

  /** Instruction of an operand, of the list: members of a bundle stand for its first. */
  headOf(o: OperandId): InstrId {
    return this.lis.headerOf(this.editor.instrOf(o));
  }

  /**
   * Whether an instruction, bundle members by themselves, reads or writes a register (readsWritesVirtualRegister).
   * @llvm MachineInstrBundle.cpp AnalyzeVirtRegInBundle
   */
  readsWrites(i: InstrId, v: number): { readonly reads: boolean; readonly writes: boolean } {
    const { fn } = this;
    const reg = virtReg(v);
    let use = false;
    let partDef = false;
    let fullDef = false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== reg) continue;
      const flags = fn.opFlags[o];
      if ((flags & OpFlag.Def) === 0) use ||= (flags & OpFlag.Undef) === 0;
      else if (fn.opSub[o] !== 0 && (flags & OpFlag.Undef) === 0) partDef = true;
      else fullDef = true;
    }
    return { reads: use || (partDef && !fullDef), writes: partDef || fullDef };
  }

  blockOfSlot(s: SlotRef): BlockId {
    return this.slots.blockOf(s);
  }

  /** @llvm LiveIntervals.cpp LiveIntervals::getSpillWeight */
  spillWeightOf(n: number, b: BlockId): number {
    return Math.fround(n * this.blocks.relative[b]);
  }
}
