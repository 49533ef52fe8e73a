/** What prologepilog knows of a function whose frame it lays out: slots, registers that it keeps, saves that it will insert (docs/llvm/frame-lowering.md). */
import { calleeSaved } from '../../analysis/frame/calleeSaves.js';
import type { FrameContext } from '../../analysis/frame/frameContext.js';
import { frameRegister, hasBasePointer, hasFramePointer, isChainFunction } from '../../analysis/frame/framePointers.js';
import { isPhysRegUsed } from '../../analysis/frame/usedRegisters.js';
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { operandOf, regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { sortLiveIns } from '../../model/liveIns.js';
import {
  newStackObject,
  type AmdgpuFunctionInfo,
  type FixedStackObject,
  type FrameInfo,
  type StackObject,
} from '../../model/header.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { McFlag, type PhysReg, type RegClassId, type Subtarget, type TargetTables } from '../../target/api.js';
import { isPreserved } from '../../model/regMask.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { fitsBuffer, fitsFlat, FlatVariant, usesFlatScratch } from '../flatOffsets.js';
import { locationAt } from '../instrOrder.js';
import type { IRModule } from '../../ir/module.js';
import { OperandLegality } from '../operandLegality.js';
import { RegisterFacts } from '../registerFacts.js';
import { FrameMoves, type Lane } from './frameMoves.js';

/** How a scalar register that the prologue needs is saved: in memory, in lanes, or in a register that is free. */
export type ScalarSave =
  { readonly kind: 'memory' | 'lanes'; readonly slot: number } | { readonly kind: 'copy'; readonly to: PhysReg };

/** Registers of the other vector file that hold a slot; 0 = this dword is in memory. */
export interface OtherFile {
  readonly lanes: PhysReg[];
  isWhole: boolean;
  isDead: boolean;
}

export const def = (reg: PhysReg, flags = 0): NewOperand => regOperand(reg, OpFlag.Def | flags);
export const use = regOperand;
export const implicitDef = (reg: PhysReg): NewOperand => regOperand(reg, OpFlag.Implicit | OpFlag.Def);
export const implicitUse = (reg: PhysReg, flags = 0): NewOperand => regOperand(reg, OpFlag.Implicit | flags);

export interface FrameOptions {
  /** -amdgpu-spill-sgpr-to-vgpr */
  readonly spillsSGPRsToVGPRs: boolean;
  /** -amdgpu-spill-vgpr-to-agpr */
  readonly spillsVGPRsToAGPRs: boolean;
  /** lanes of `spillPhysVGPRs` that hold something already */
  readonly physLanes: number;
  /** something in the function that the target cannot do, an error with which llc goes on */
  readonly unsupported: (instr: InstrId, message: string) => void;
}

export class Frame implements FrameContext {
  readonly fn: MachineFunction;
  readonly tables: TargetTables;
  readonly st: Subtarget;
  readonly builder: InstrBuilder;
  readonly facts: RegisterFacts;
  readonly legality: OperandLegality;
  readonly reserved: ReservedRegs;
  readonly frame: FrameInfo;
  readonly info: AmdgpuFunctionInfo;
  readonly stack: StackObject[];
  readonly fixedStack: readonly FixedStackObject[];
  readonly calleeSaved: readonly PhysReg[];
  /** saved by the prologue as whole waves, with their slots */
  readonly wwmSpills = new Map<PhysReg, number>();
  /** by register, in ascending order */
  scalarSaves: readonly (readonly [PhysReg, ScalarSave])[] = [];
  /** of registers that are saved in a block: bit n is set for the n-th register of it */
  readonly blockMasks = new Map<PhysReg, number>();
  /** lanes of slots that hold scalar registers of the prologue */
  readonly lanesOf = new Map<number, readonly Lane[]>();
  physLanes: number;
  readonly otherFile = new Map<number, OtherFile>();
  readonly moves: FrameMoves;
  /** registers that are kept for them, AGPRs and VGPRs */
  readonly spillAGPRs: PhysReg[] = [];
  readonly spillVGPRs: PhysReg[] = [];
  isRealigned = false;
  /** the registers that are saved, with their slots, as MachineFrameInfo has them */
  saved: readonly PhysReg[];
  private readonly masks: OperandId[] = [];

  constructor(
    readonly editor: FunctionEditor,
    readonly options: FrameOptions,
    ir: IRModule | null,
  ) {
    const fn = (this.fn = editor.fn);
    this.tables = fn.tables;
    this.st = fn.subtarget;
    this.builder = new InstrBuilder(editor);
    this.facts = new RegisterFacts(fn);
    this.legality = new OperandLegality(fn, this.facts);
    this.reserved = new ReservedRegs(fn);
    this.frame = fn.header.frameInfo;
    this.info = fn.header.machineFunctionInfo;
    this.stack = fn.header.stack;
    this.fixedStack = fn.header.fixedStack;
    this.calleeSaved = calleeSaved(fn);
    this.moves = new FrameMoves(this, ir);
    this.physLanes = options.physLanes;
    this.saved = [...this.fixedStack, ...this.stack].flatMap((o) => o.calleeSavedRegister ?? []);
    for (let o = 0; o < fn.nOperands; o++)
      if (fn.opKind[o] === OperandKind.RegisterMask && editor.instrOf(o) >= 0) this.masks.push(o);
  }

  isWWM(): boolean {
    return false;
  }

  maskOperands(): readonly OperandId[] {
    return this.masks;
  }

  // -- what the function is ------------------------------------------------------------------------------------------

  get isEntry(): boolean {
    return this.info.isEntryFunction;
  }

  get isChain(): boolean {
    return isChainFunction(this.fn.header);
  }

  /**
   * The frame begins at 0.
   * @llvm SIMachineFunctionInfo.h SIMachineFunctionInfo::isBottomOfStack
   */
  get isBottomOfStack(): boolean {
    return this.isEntry || (this.isChain && !this.st.release.rules.chainsHaveFrames);
  }

  get hasFP(): boolean {
    return hasFramePointer(this.fn.header);
  }

  get hasBP(): boolean {
    return hasBasePointer(this.fn.header);
  }

  get basePointer(): PhysReg {
    return this.tables.regByName('sgpr34');
  }

  get isNaked(): boolean {
    return this.fn.header.irFunction.enumAttributes.has('naked');
  }

  get usesFlatScratch(): boolean {
    return usesFlatScratch(this.st);
  }

  /** @llvm GCNSubtarget.h GCNSubtarget::hasFlatScratchSTMode */
  get hasScratchWithoutAddress(): boolean {
    const { st } = this;
    if (!st.hasFeature('flat-scratch-insts')) return false;
    return st.hasFeature('gfx10-3-insts') || st.hasFeature('gfx940-insts');
  }

  /** Lanes that a byte of the frame stands for in a scalar address. */
  get scale(): number {
    return this.usesFlatScratch ? 1 : this.st.wavefrontSize;
  }

  get exec(): PhysReg {
    return this.tables.regByName(this.st.wavefrontSize === 32 ? 'exec_lo' : 'exec');
  }

  /** `B32` or `B64` */
  get waveBits(): string {
    return `B${this.st.wavefrontSize}`;
  }

  get ownFrameRegister(): PhysReg {
    return frameRegister(this.fn.header);
  }

  /** The same; what callers have put on the stack is found by the base pointer, if there is one. */
  frameRegister(slot: number): PhysReg {
    return slot < 0 && this.hasBP ? this.basePointer : this.ownFrameRegister;
  }

  // -- registers -----------------------------------------------------------------------------------------------------

  reserve(reg: PhysReg): void {
    this.reserved.reserve(reg);
  }

  isReserved(reg: PhysReg): boolean {
    return this.reserved.isReserved(reg);
  }

  named(name: string): PhysReg {
    return this.tables.regByName(name);
  }

  classNamed(name: string): RegClassId {
    return this.tables.regClassByName(name);
  }

  part(reg: PhysReg, name: string): PhysReg {
    return this.tables.getSubReg(reg, this.tables.subRegIndexByName(name));
  }

  /** Dwords `first` to `first + n - 1` of a register. */
  dwords(reg: PhysReg, first: number, n = 1): PhysReg {
    return this.part(reg, Array.from({ length: n }, (_, k) => `sub${first + k}`).join('_'));
  }

  /** Its dwords; itself where it has one. */
  dwordsOf(reg: PhysReg): PhysReg[] {
    const n = this.bitsOf(reg) / 32;
    return n <= 1 ? [reg] : Array.from({ length: n }, (_, k) => this.dwords(reg, k));
  }

  bitsOf(reg: PhysReg): number {
    return this.tables.regClassBits[this.facts.baseClassOf(reg)];
  }

  isAGPR(reg: PhysReg): boolean {
    return this.facts.isAGPR(reg);
  }

  isVGPR(reg: PhysReg): boolean {
    const rc = this.tables.getMinimalPhysRegClass(reg);
    return this.tables.hasVGPRs(rc) && !this.tables.hasAGPRs(rc);
  }

  isUsed(reg: PhysReg): boolean {
    return isPhysRegUsed(this, reg);
  }

  /**
   * A register of a class that nothing names, and that is free in `live` and not reserved; 0 = none.
   * @llvm SIFrameLowering.cpp findUnusedRegister
   */
  findUnused(live: LiveRegUnits, rc: RegClassId): PhysReg {
    for (const reg of this.tables.classRegs(rc))
      if (!this.isUsed(reg) && live.available(reg) && !this.isReserved(reg)) return reg;
    return 0;
  }

  /**
   * A register that holds nothing at this place and that callers do not rely on; these are live after it.
   * @llvm SIFrameLowering.cpp findScratchNonCalleeSaveRegister
   */
  findScratch(live: LiveRegUnits, rc: RegClassId): PhysReg {
    for (const reg of this.calleeSaved) live.addReg(reg);
    for (const reg of this.tables.classRegs(rc)) if (live.available(reg) && !this.isReserved(reg)) return reg;
    return 0;
  }

  /**
   * Callee-saved registers that are not saved hold what is the caller's everywhere.
   * @llvm LiveRegUnits.cpp LiveRegUnits::addPristines
   */
  private addPristines(live: LiveRegUnits): void {
    if (!this.frame.isCalleeSavedInfoValid) return;
    const pristine = new LiveRegUnits(this.fn);
    for (const reg of this.calleeSaved) pristine.addReg(reg);
    for (const reg of this.saved) pristine.removeReg(reg);
    for (let w = 0; w < live.words.length; w++) live.words[w] |= pristine.words[w];
  }

  /** @llvm LiveRegUnits.cpp LiveRegUnits::addLiveIns */
  addLiveIns(live: LiveRegUnits, b: BlockId): void {
    this.addPristines(live);
    for (const { reg, laneLo, laneHi } of this.fn.blocks[b].liveIns) live.addRegMasked(reg, laneLo, laneHi);
  }

  /** @llvm LiveRegUnits.cpp LiveRegUnits::addLiveOuts */
  addLiveOuts(live: LiveRegUnits, b: BlockId): void {
    this.addPristines(live);
    live.addLiveOuts(b);
    if (this.isReturnBlock(b) && this.frame.isCalleeSavedInfoValid)
      for (const reg of this.calleeSaved) live.addReg(reg);
  }

  /** Registers of the convention in a block that are not saved with it: a reload names them, since it seems to write them. */
  keptInBlock(block: PhysReg): NewOperand[] {
    const { fn, tables } = this;
    const mask = fn.subtarget.callPreservedMask(fn.header.irFunction.callingConv);
    if (mask < 0) return [];
    const bits = tables.regMaskBits(mask);
    const saved = this.blockMasks.get(block) ?? 0;
    return this.dwordsOf(block).flatMap((reg, k) =>
      k > 0 && ((saved >>> k) & 1) === 0 && isPreserved(bits, reg) ? [implicitUse(reg)] : [],
    );
  }

  // -- blocks --------------------------------------------------------------------------------------------------------

  isReturn(i: InstrId): boolean {
    return ((this.tables.opcodeFlagsLo(this.fn.opcode[i]) >>> McFlag.Return) & 1) !== 0;
  }

  isReturnBlock(b: BlockId): boolean {
    const last = this.editor.list.before(~b);
    return last >= 0 && this.isReturn(last);
  }

  isDebugInstr(i: InstrId): boolean {
    return opcodeSet(this.tables, 'debugInstr').has(this.fn.opcode[i]);
  }

  addLiveIn(b: BlockId, reg: PhysReg): void {
    this.fn.blocks[b].liveIns.push({ reg, laneLo: -1, laneHi: -1 });
  }

  sortLiveIns(b: BlockId): void {
    sortLiveIns(this.fn.blocks[b].liveIns);
  }

  /**
   * A register that the function is started with, whether or not that is known.
   * @llvm MachineRegisterInfo.h MachineRegisterInfo::addLiveIn
   */
  addFunctionLiveIn(reg: PhysReg): void {
    this.fn.header.liveIns.push({ reg, vreg: -1 });
  }

  // -- slots ---------------------------------------------------------------------------------------------------------

  object(slot: number): StackObject | FixedStackObject {
    return slot < 0 ? this.fixedStack[~slot] : this.stack[slot];
  }

  offsetOf(slot: number): number {
    return Number(this.object(slot).offset);
  }

  sizeOf(slot: number): number {
    return Number(this.object(slot).size);
  }

  alignOf(slot: number): number {
    return Math.max(1, this.object(slot).alignment);
  }

  change(slot: number, what: Partial<StackObject>): void {
    this.stack[slot] = { ...this.stack[slot], ...what };
  }

  remove(slot: number): void {
    this.change(slot, { isDead: true });
  }

  /** @llvm SIFrameLowering.cpp allStackObjectsAreDead */
  get isEmpty(): boolean {
    return this.fixedStack.length === 0 && this.stack.every((o) => o.isDead === true);
  }

  /**
   * A slot that is no place of a spill.
   * @llvm MachineFrameInfo.cpp MachineFrameInfo::CreateStackObject
   */
  createObject(size: number, alignment: number, type: 'default' | 'spill-slot', stackId = 'default'): number {
    const { stack, frame } = this;
    if (stackId === 'default') frame.maxAlignment = Math.max(frame.maxAlignment, alignment);
    stack.push(newStackObject(stack.length, { type, size: BigInt(size), alignment, stackId }));
    return stack.length - 1;
  }

  /**
   * The slot for a register that is needed for a moment.
   * @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::getScavengeFI
   */
  scavengeSlot(): number {
    const [, isFixed, known] = /^%(fixed-)?stack\.(\d+)/.exec(this.info.scavengeFI) ?? [];
    // Fixed objects are numbered from the one made last.
    if (known !== undefined) return isFixed === undefined ? Number(known) : Number(known) - this.fixedStack.length;
    const slot = this.createObject(4, 4, 'default');
    this.info.scavengeFI = `%stack.${slot}`;
    return slot;
  }

  // -- reach ---------------------------------------------------------------------------------------------------------

  fitsBuffer(offset: number): boolean {
    return fitsBuffer(this.st, offset);
  }

  fitsScratch(offset: number): boolean {
    return fitsFlat(this.st, offset, FlatVariant.Scratch);
  }

  fits(offset: number): boolean {
    return this.usesFlatScratch ? this.fitsScratch(offset) : this.fitsBuffer(offset);
  }

  // -- instructions --------------------------------------------------------------------------------------------------

  /** Before `at`, with the debug location of `like`. */
  emit(
    at: ListPos,
    like: InstrId,
    name: string,
    operands: readonly NewOperand[],
    more: readonly NewOperand[] = [],
  ): InstrId {
    return this.builder.build(at, like, this.tables.opcodeByName(name), operands, more);
  }

  flag(i: InstrId, flag: InstrFlag): void {
    this.fn.instrFlags[i] |= flag;
  }

  /** Whether what stands at an operand may stand there. */
  isLegalThere(i: InstrId, k: number): boolean {
    return this.legality.isOperandLegal(i, k, operandOf(this.fn, this.fn.opBegin[i] + k));
  }

  /** SCC that an instruction writes is not read. */
  dropSCC(i: InstrId): InstrId {
    const { fn } = this;
    const scc = this.named('scc');
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === scc && this.editor.isDef(o)) fn.opFlags[o] |= OpFlag.Dead;
    return i;
  }

  locationAt(at: ListPos): InstrId {
    return locationAt(this.editor, at);
  }

  locate(i: InstrId, like: InstrId): void {
    const location = like < 0 ? undefined : this.fn.extras.get(like)?.debugLocation;
    if (location !== undefined) this.fn.extras.set(i, { ...this.fn.extras.get(i), debugLocation: location });
  }
}
