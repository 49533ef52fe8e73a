/**
 * The frame that prologepilog will lay out for an allocated function, and the registers that it takes for it: saves of callee-saved and whole-wave
 * registers, of the frame and base pointer, emergency slots, arguments of calls, alignment. Follows what SIFrameLowering and PEI of LLVM 22.1.8 decide, without
 * the code that they insert.
 */
import { CallingConv, isShader, numPreloadedSGPRs, STACK_ALIGN_BYTES } from '../../model/functionLimits.js';
import type { StackObject } from '../../model/header.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg } from '../../model/register.js';
import { Generation, McFlag, type PhysReg } from '../../target/api.js';
import { isVALU } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { BitSet } from '../../util/bitset.js';
import { ReservedRegs } from '../reservedRegs.js';
import { needsVGPRForAGPRs } from './accumulatorCopies.js';
import { calleeSaved } from './calleeSaves.js';
import {
  hasBasePointer,
  hasFramePointer,
  isChainFunction,
  isStackRealigned,
  needsStackPointer,
  startsNobody,
} from './framePointers.js';

/** What the code of the function names, before there is a frame. */
export interface CodeRegisters {
  /** register units that instructions read or write */
  readonly used: BitSet;
  /** callee-saved registers that change and that prologepilog saves: those of vector files, in entry functions all */
  readonly saved: readonly PhysReg[];
  /** whether some call overwrites the register */
  readonly isClobbered: (reg: PhysReg) => boolean;
  /** whole-wave registers, where prologepilog has moved them */
  readonly wholeWave: readonly PhysReg[];
}

/** What an allocation in one process knows and a text does not hold. */
export interface AllocatedStack {
  /** with the slots of vector registers shared, as stack-slot-coloring does after the last run */
  readonly objects: readonly StackObject[];
  /** lanes of `spillPhysVGPRs` that hold callee-saved SGPRs */
  readonly physLanes: number;
  /** -amdgpu-spill-sgpr-to-vgpr, -amdgpu-spill-vgpr-to-agpr */
  readonly spillsSGPRsToVGPRs: boolean;
  readonly spillsVGPRsToAGPRs: boolean;
}

export interface StackFrame {
  /** bytes of scratch memory of a lane */
  readonly bytes: number;
  /** registers that get a part in code of prologepilog, besides those that the code has */
  readonly regs: readonly PhysReg[];
  /** those that no longer stand in the code: they have moved */
  readonly freed: readonly PhysReg[];
  /** whether an entry function sets up the memory from registers that it is started with */
  readonly addsInputs: boolean;
}

/** Registers of the other file that hold what a slot would. */
interface Others {
  readonly regs: readonly PhysReg[];
  readonly isWhole: boolean;
}

interface Slot {
  readonly size: number;
  readonly alignment: number;
}

const DWORD: Slot = { size: 4, alignment: 4 };

/** Most bytes that a MUBUF instruction reaches; of scratch instructions by generation. */
const MUBUF_REACH = 4095;
const MUBUF_REACH_GFX12 = 0x7fffff;

/**
 * The frame of a function that has none yet. O(operands)
 * @llvm SIFrameLowering.cpp SIFrameLowering::emitPrologue
 */
export function foreseeFrame(fn: MachineFunction, code: CodeRegisters, allocated: AllocatedStack | null): StackFrame {
  return new FrameLayout(fn, code, allocated).layOut();
}

class FrameLayout {
  private readonly reserved: ReservedRegs;
  private readonly objects: StackObject[];
  private readonly taken = new Set<PhysReg>();
  /** of them those that stand in the place of slots */
  private readonly inBody = new Set<PhysReg>();
  /** given to a slot that nothing is saved in, so that they are not named */
  private readonly given = new Set<PhysReg>();
  private readonly freed: PhysReg[] = [];
  /** SGPRs that hold something of the caller's while the prologue looks for others */
  private readonly scalars: PhysReg[] = [];
  /** slots that prologepilog makes, in its order */
  private readonly made: Slot[] = [];
  private readonly calleeSlots: Slot[] = [];
  /** of `objects`, from the beginning of the frame */
  private readonly offsets: number[] = [];
  /** slots whose saves all go to registers of the other file */
  /** by slot that is in registers, those of its dwords from the lowest */
  private readonly slotLanes = new Map<number, readonly PhysReg[]>();
  private lanes: number;
  private savesWaves = false;
  private keepsPointerInLane = false;
  private addsInputs = false;
  private maxAlign: number;
  /** number of the object for the register scavenger, or -1 */
  private readonly scavenging: number;

  constructor(
    private readonly fn: MachineFunction,
    private readonly code: CodeRegisters,
    private readonly allocated: AllocatedStack | null,
  ) {
    this.reserved = new ReservedRegs(fn);
    this.objects = [...(allocated?.objects ?? fn.header.stack)];
    this.lanes = allocated?.physLanes ?? 0;
    this.scavenging = Number(/^%stack\.(\d+)/.exec(fn.header.machineFunctionInfo.scavengeFI)?.[1] ?? -1);
    this.maxAlign = Math.max(1, fn.header.frameInfo.maxAlignment);
  }

  /** @llvm PrologEpilogInserter.cpp PEIImpl::run */
  layOut(): StackFrame {
    const { fn } = this;
    const info = fn.header.machineFunctionInfo;
    const isChain = isChainFunction(fn.header);
    const isNaked = fn.header.irFunction.enumAttributes.has('naked');
    const saves = isNaked ? [] : [...this.code.saved];
    if (!info.isEntryFunction && !startsNobody(fn.header)) {
      for (const reg of this.code.wholeWave) {
        if (isChain && !this.isSavedInChain(reg)) continue;
        this.make(this.slotOf(reg));
        this.take(reg);
        this.savesWaves = true;
      }
      this.saveScalars(saves.length > 0);
    } else if (info.sgprForEXECCopy > 0 && this.savesWholeWaves()) {
      // Only others look for a lower one.
      this.take(info.sgprForEXECCopy);
      this.inBody.add(info.sgprForEXECCopy);
    }
    const own = new Set(this.code.wholeWave);
    const saved = saves.filter((reg) => !own.has(reg));
    this.makeCalleeSlots(saved);
    for (const reg of saves) this.take(reg);
    this.takeAccumulators(saved);
    const scalarSlots = this.objects.some((o) => o.stackId === 'sgpr-spill' && o.isDead !== true);
    const isEmpty = this.isEmpty();
    const emergency: Slot[] = [];
    if (!isEmpty) {
      emergency.push(this.scavengingSlot() ?? DWORD);
      if (scalarSlots && this.isFar()) emergency.push(DWORD);
    }
    const size = this.place(emergency);
    // Without prologue nothing is set up, saved or aligned, but places there are.
    if (isNaked) {
      if (!info.isEntryFunction && this.reachesFrame('all')) this.inBody.add(info.stackPtrOffsetReg);
      return { bytes: size, regs: [...this.inBody], freed: [], addsInputs: false };
    }
    const bytes = isStackRealigned(fn.header) ? size + this.maxAlign : size;
    if (info.isEntryFunction) {
      if (this.losesCarries()) this.freed.push(fn.tables.regByName('vcc'));
      this.takeEntryRegs(isEmpty);
    } else {
      const pointsToFrame = hasFramePointer(fn.header, BigInt(size));
      const hasBase = hasBasePointer(fn.header);
      const addsToPointer = size > 0 && (pointsToFrame || hasBase || this.reachesFrame('all'));
      if (isChain ? needsStackPointer(fn.header) : addsToPointer) this.take(info.stackPtrOffsetReg);
      // Other instructions name the descriptor themselves.
      if (!isFlatScratch(fn) && this.reachesFrame('spills')) this.take(info.scratchRSrcReg);
      if (this.keepsPointerInLane) this.takeAtEntry('sreg_32_xm0_xexec');
      // A whole-wave function has its copy of EXEC already.
      if (this.savesWaves && !info.isWholeWaveFunction)
        this.takeAtEntry(fn.subtarget.wavefrontSize === 64 ? 'sreg_64' : 'sreg_32');
      if (pointsToFrame) this.take(info.frameOffsetReg);
      if (hasBase) this.take(fn.tables.regByName('sgpr34'));
      if (!isChain && this.addsCarry()) this.take(fn.tables.regByName('vcc'));
    }
    if (
      fn.subtarget.hasMAIInsts &&
      !fn.subtarget.hasGFX90AInsts &&
      needsVGPRForAGPRs(fn, (slot) => this.slotLanes.get(slot) ?? [])
    )
      this.takeAGPRCopy();
    return { bytes, regs: [...this.taken], freed: this.freed, addsInputs: this.addsInputs };
  }

  // -- saves --------------------------------------------------------------------------------------------------------

  /** Functions that start others in their place keep whole-wave registers for them, except the few that hold arguments. */
  private isSavedInChain(reg: PhysReg): boolean {
    const { tables, header } = this.fn;
    if (header.machineFunctionInfo.hasInitWholeWave) return false;
    const first = Array.from(tables.numberedRegs('vgpr').subarray(0, CHAIN_SCRATCH_VGPRS));
    return !first.includes(reg);
  }

  /** Whether whole-wave registers are saved or reloaded, for which EXEC is kept elsewhere. */
  private savesWholeWaves(): boolean {
    const { fn } = this;
    const spills = opcodeSet(fn.tables, 'wholeWaveSpill');
    return this.hasInstr((i) => spills.has(fn.opcode[i]) && (fn.opFlags[fn.opBegin[i]] & OpFlag.Undef) === 0);
  }

  /**
   * EXEC while whole waves are copied, the caller's frame pointer and base pointer: in a free SGPR, a lane or memory.
   * @llvm SIFrameLowering.cpp SIFrameLowering::determinePrologEpilogSGPRSaves
   */
  private saveScalars(savesVGPRs: boolean): void {
    const { fn } = this;
    const { frameInfo: frame, machineFunctionInfo: info } = fn.header;
    const execCopy = info.sgprForEXECCopy;
    if (execCopy > 0 && (this.names(execCopy) || this.savesWholeWaves())) {
      const wave = fn.subtarget.wavefrontSize === 64 ? 'sreg_64' : 'sreg_32';
      const free = this.unused(wave);
      if (free > 0) {
        this.take(free);
        this.freed.push(execCopy);
      } else {
        this.saveInLane(fn.subtarget.wavefrontSize / 32);
        this.take(execCopy);
      }
    }
    if (isChainFunction(this.fn.header)) return;
    const willPoint = frame.hasCalls && (savesVGPRs || !this.isEmpty());
    if (willPoint || hasFramePointer(this.fn.header)) {
      const free = this.saveScalar();
      this.keepsPointerInLane = free === 0;
      if (free > 0) this.scalars.push(free);
    }
    // Copied last: until then its register may hold something else.
    if (hasBasePointer(this.fn.header)) this.saveScalar();
  }

  /**
   * The register that is free for it, if one is.
   * @llvm SIFrameLowering.cpp getVGPRSpillLaneOrTempRegister
   */
  private saveScalar(): PhysReg {
    const free = this.unused('sreg_32_xm0_xexec');
    if (free === 0) this.saveInLane(1);
    else this.take(free);
    return free;
  }

  /** Lanes of the register that has some left, of a new one, else memory. */
  private saveInLane(n: number): void {
    const { fn } = this;
    // An object for it there is for a moment.
    this.maxAlign = Math.max(this.maxAlign, DWORD.alignment);
    if (this.allocated?.spillsSGPRsToVGPRs === false) {
      this.make({ size: 4 * n, alignment: 4 });
      return;
    }
    for (let k = 0; k < n; k++) {
      if (this.lanes % fn.subtarget.wavefrontSize === 0) {
        const free = this.unused('vgpr_32', true);
        if (free === 0) {
          this.make({ size: 4 * n, alignment: 4 });
          return;
        }
        this.take(free);
        this.make(DWORD);
        this.savesWaves = true;
      }
      this.lanes++;
    }
  }

  /** The first register of a class that nothing names or keeps; `orSaved`: also one that callers rely on. */
  private unused(regClass: string, orSaved = false): PhysReg {
    const { fn, reserved, code } = this;
    const saved = new Set(orSaved ? [] : calleeSaved(fn));
    const isKept = (reg: PhysReg): boolean => [...saved].some((s) => fn.tables.regsOverlap(s, reg));
    for (const reg of fn.tables.classRegs(fn.tables.regClassByName(regClass))) {
      if (reserved.isReserved(reg) || this.names(reg) || code.isClobbered(reg)) continue;
      if (![...this.taken].some((t) => fn.tables.regsOverlap(t, reg)) && !isKept(reg)) return reg;
    }
    return 0;
  }

  /**
   * For a moment in the prologue: the first register that neither callers rely on nor the function is given.
   * @llvm SIFrameLowering.cpp findScratchNonCalleeSaveRegister
   */
  private takeAtEntry(regClass: string): void {
    const { fn, reserved } = this;
    const { tables } = fn;
    const kept = [...calleeSaved(fn), ...fn.blocks[0].liveIns.map((l) => l.reg), ...this.scalars];
    const regs = tables.classRegs(tables.regClassByName(regClass));
    const free = regs.find((reg) => !reserved.isReserved(reg) && !kept.some((k) => tables.regsOverlap(k, reg))) ?? 0;
    this.take(free);
    if (free > 0) this.scalars.push(free);
  }

  /** @llvm SIFrameLowering.cpp SIFrameLowering::assignCalleeSavedSpillSlots */
  private makeCalleeSlots(saves: readonly PhysReg[]): void {
    const { subtarget, tables } = this.fn;
    const vgprs = tables.numberedRegs('vgpr');
    // Also of slots that registers of the other file then take the place of.
    if (saves.length > 0) this.maxAlign = Math.max(this.maxAlign, DWORD.alignment);
    const isBlocked = (reg: PhysReg): boolean => subtarget.hasFeature('block-vgpr-csr') && vgprs.includes(reg);
    for (const reg of saves) if (!isBlocked(reg)) this.calleeSlots.push(this.slotOf(reg));
    // Saved in blocks of up to 32 registers, as long as the last one of them that changes. A register below the first of its block, as
    // a text may list them, has the bit of the mask that a shift by their distance leaves.
    const numbers = saves.filter(isBlocked).map((reg) => vgprs.indexOf(reg));
    for (let k = 0; k < numbers.length;) {
      const first = numbers[k];
      let last = 0;
      for (; k < numbers.length && numbers[k] < first + 32; k++) last = Math.max(last, (numbers[k] - first) & 31);
      this.calleeSlots.push({ size: 4 * (last + 1), alignment: 4 });
      // The instruction names the whole block.
      for (const reg of vgprs.subarray(first, first + 32)) this.take(reg);
    }
  }

  private slotOf(reg: PhysReg): Slot {
    const { tables } = this.fn;
    const bits = tables.regClassBits[tables.getMinimalPhysRegClass(reg)];
    return bits <= 32 ? DWORD : { size: bits / 8, alignment: 4 };
  }

  private make(slot: Slot): void {
    this.made.push(slot);
  }

  /**
   * With matrix instructions, saves of vector registers go to registers of the other file that nothing needs: first those of callee-saved ones.
   * @llvm SIFrameLowering.cpp SIFrameLowering::processFunctionBeforeFrameFinalized
   */
  private takeAccumulators(saved: readonly PhysReg[]): void {
    const { fn } = this;
    const { tables, header } = fn;
    if (this.allocated?.spillsVGPRsToAGPRs === false) return;
    const vectors = saved.filter((reg) => !tables.regName(reg).startsWith('sgpr'));
    if (!fn.subtarget.hasMAIInsts || (!header.machineFunctionInfo.hasSpilledVGPRs && vectors.length === 0)) return;
    const kept = new Set(calleeSaved(fn));
    for (const reg of vectors) {
      const { regs, isWhole } = this.giveOthers(reg, 1, kept);
      regs.forEach((other) => this.take(other));
      if (isWhole) this.calleeSlots.splice(this.calleeSlots.indexOf(DWORD), 1);
    }
    const saves = opcodeSet(tables, 'vectorSpill');
    const done = new Map<number, Others>();
    const inMemory = new Set<number>();
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        const isSpill = saves.has(fn.opcode[i]);
        for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
          if (fn.opKind[o] !== OperandKind.FrameIndex || fn.opVal[o] < 0) continue;
          const slot = fn.opVal[o];
          const data = fn.opVal[fn.opBegin[i]];
          if (!isSpill || !isPhysicalReg(data)) {
            // Who only asks for the address, or a debug value, keeps no slot.
            const flags = tables.opcodeFlagsLo(fn.opcode[i]);
            if (((flags >>> McFlag.MayLoad) & 1) !== 0 || ((flags >>> McFlag.MayStore) & 1) !== 0) inMemory.add(slot);
            continue;
          }
          const dwords = Number(this.objects[slot]?.size ?? 0n) / 4;
          const others = done.get(slot) ?? this.giveOthers(data, dwords, kept);
          done.set(slot, others);
          // A save of what has no value goes.
          if ((fn.opFlags[fn.opBegin[i]] & OpFlag.Undef) === 0)
            for (const reg of others.regs) {
              this.take(reg);
              this.inBody.add(reg);
            }
        }
      }
    }
    for (const [slot, { regs, isWhole }] of done) {
      if (isWhole) this.slotLanes.set(slot, [...regs].reverse());
      if (isWhole && !inMemory.has(slot)) this.objects[slot] = { ...this.objects[slot], isDead: true };
    }
  }

  /** So many registers of the file that `data` is not in, or those that are free. */
  private giveOthers(data: PhysReg, n: number, kept: ReadonlySet<PhysReg>): Others {
    const { reserved, code } = this;
    const { tables } = this.fn;
    const regs: PhysReg[] = [];
    for (const reg of tables.numberedRegs(tables.regName(data).startsWith('agpr') ? 'vgpr' : 'agpr')) {
      if (regs.length === n) break;
      if (!reserved.isAllocatable(reg) || this.names(reg) || code.isClobbered(reg)) continue;
      if (kept.has(reg) || this.taken.has(reg) || this.given.has(reg)) continue;
      this.given.add(reg);
      regs.push(reg);
    }
    return { regs, isWhole: regs.length === n };
  }

  // -- layout -------------------------------------------------------------------------------------------------------

  private isEmpty(): boolean {
    return (
      this.fn.header.fixedStack.length === 0 &&
      this.made.length === 0 &&
      this.calleeSlots.length === 0 &&
      this.objects.every((o) => o.isDead === true)
    );
  }

  /**
   * The object that the function has for a register that is needed for a moment: it is placed as if prologepilog had made it.
   * @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::getScavengeFI
   */
  private scavengingSlot(): Slot | null {
    const object = this.objects[this.scavenging];
    return object === undefined ? null : { size: Number(object.size), alignment: Math.max(1, object.alignment) };
  }

  /** Objects that get a place, those of variable size an aligned one without bytes; what is left of spilled SGPRs lies in memory. */
  private placed(): { readonly slot: Slot; readonly object: number }[] {
    const slots = this.objects.flatMap((o, object) =>
      o.isDead !== true && object !== this.scavenging && (o.stackId === 'default' || o.stackId === 'sgpr-spill')
        ? [{ slot: { size: Number(o.size), alignment: Math.max(1, o.alignment) }, object }]
        : [],
    );
    return [...slots, ...this.made.map((slot) => ({ slot, object: -1 }))];
  }

  /** Whether the end of the frame is out of reach of an immediate offset: emergency slots come first then. */
  private isFar(): boolean {
    let end = this.fixedEnd(-1);
    const scavenging = this.scavengingSlot();
    const own = scavenging === null ? [] : [scavenging];
    for (const { size, alignment } of [...this.placed().map((p) => p.slot), ...own, ...this.calleeSlots])
      end = Math.ceil((end + size) / alignment) * alignment;
    end = this.rounded(end);
    return end - 1 > this.reach();
  }

  private reach(): number {
    const { subtarget: st } = this.fn;
    if (!isFlatScratch(this.fn)) return st.generation >= Generation.GFX12 ? MUBUF_REACH_GFX12 : MUBUF_REACH;
    if (st.generation >= Generation.GFX12) return 0x7fffff;
    return st.generation === Generation.GFX10 ? 2047 : 4095;
  }

  private fixedEnd(sign: 1 | -1): number {
    let end = 0;
    for (const o of this.fn.header.fixedStack) {
      if (o.stackId !== 'default') continue;
      end = Math.max(end, sign === 1 ? Number(o.offset) + Number(o.size) : -Number(o.offset));
    }
    return end;
  }

  /**
   * Bytes up to the end of the last object.
   * @llvm PrologEpilogInserter.cpp PEIImpl::calculateFrameObjectOffsets
   */
  private place(emergency: readonly Slot[]): number {
    let end = this.fixedEnd(1);
    const put = ({ size, alignment }: Slot): void => {
      this.maxAlign = Math.max(this.maxAlign, alignment);
      end = Math.ceil(end / alignment) * alignment + size;
    };
    const isFar = emergency.length > 0 && this.isFar();
    this.calleeSlots.forEach(put);
    const putEmergency = (slot: Slot, k: number): void => {
      put(slot);
      if (k === 0 && this.scavenging >= 0) this.offsets[this.scavenging] = end - slot.size;
    };
    if (isFar) emergency.forEach(putEmergency);
    for (const { slot, object } of this.placed()) {
      put(slot);
      if (object >= 0) this.offsets[object] = end - slot.size;
    }
    if (!isFar) emergency.forEach(putEmergency);
    return this.rounded(end);
  }

  private rounded(end: number): number {
    const { frameInfo: frame, stack, fixedStack } = this.fn.header;
    const { adjusts, most } = this.callFrames();
    const total = adjusts && !hasFramePointer(this.fn.header) ? end + most : end;
    const hasVariable = stack.some((o) => o.type === 'variable-sized');
    const isWhole =
      frame.adjustsStack ||
      adjusts ||
      hasVariable ||
      (isStackRealigned(this.fn.header) && stack.length + fixedStack.length + this.made.length > 0);
    const align = Math.max(isWhole ? STACK_ALIGN_BYTES : 1, this.maxAlign);
    return Math.ceil(total / align) * align;
  }

  private frames: { readonly adjusts: boolean; readonly most: number } | null = null;

  /** Arguments of calls that lie in memory. */
  private callFrames(): { readonly adjusts: boolean; readonly most: number } {
    if (this.frames !== null) return this.frames;
    const { fn } = this;
    const marks = opcodeSet(fn.tables, 'callFrame');
    let [adjusts, most] = [false, 0];
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        if (!marks.has(fn.opcode[i])) continue;
        adjusts = true;
        most = Math.max(most, fn.opVal[fn.opBegin[i]]);
      }
    }
    return (this.frames = { adjusts, most });
  }

  /** Whether an instruction will reach for the frame: a save of what has no value goes, and so does one that finds a register of the other file. */
  private reachesFrame(only: 'spills' | 'all'): boolean {
    const { fn } = this;
    const spills = opcodeSet(fn.tables, 'vectorSpill');
    if (this.savesWaves || this.calleeSlots.length > 0) return true;
    return this.hasInstr((i) => {
      const isSpill = spills.has(fn.opcode[i]);
      if (isSpill ? (fn.opFlags[fn.opBegin[i]] & OpFlag.Undef) !== 0 : only === 'spills') return false;
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
        if (fn.opKind[o] === OperandKind.FrameIndex && this.objects[fn.opVal[o]]?.isDead !== true) return true;
      return false;
    });
  }

  // -- registers ----------------------------------------------------------------------------------------------------

  private take(reg: PhysReg): void {
    if (reg > 0) this.taken.add(reg);
  }

  private names(reg: PhysReg): boolean {
    const { unitBegin, unitEnd, unitList } = this.fn.tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) if (this.code.used.has(unitList[u])) return true;
    return false;
  }

  /** Whether an address in a VGPR is the sum of the frame's and an offset: before GFX9 each addition writes a carry. */
  private addsCarry(): boolean {
    const { fn } = this;
    const { tables, subtarget, header } = fn;
    if (subtarget.generation >= Generation.GFX9) return false;
    const spills = opcodeSet(tables, 'vectorSpill');
    return this.hasInstr((i) => {
      if (!isVALU(tables, fn.opcode[i]) || spills.has(fn.opcode[i])) return false;
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.FrameIndex) continue;
        const id = fn.opVal[o];
        if ((id < 0 ? Number(header.fixedStack[~id]?.offset ?? 0n) : (this.offsets[id] ?? 0)) !== 0) return true;
      }
      return false;
    });
  }

  /**
   * Whether VCC stands in the code only as the carry, which nobody reads, of additions that go: without a frame pointer the address of an object plus a
   * constant is a constant, and the address 0 plus something is that.
   */
  private losesCarries(): boolean {
    const { fn } = this;
    const { tables } = fn;
    const vcc = tables.regByName('vcc');
    if (hasFramePointer(fn.header) || !this.names(vcc)) return false;
    return !this.hasInstr((i) => {
      let isNamed = false;
      let isDead = true;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!isPhysicalReg(fn.opVal[o]) || !tables.regsOverlap(fn.opVal[o], vcc)) continue;
        isNamed = true;
        isDead &&= (fn.opFlags[o] & OpFlag.Dead) !== 0;
      }
      return isNamed && !(isDead && this.addsToNothing(i));
    });
  }

  /** Whether an addition is of an object's address that is 0, or of constants. */
  private addsToNothing(i: InstrId): boolean {
    const { fn } = this;
    const name = fn.tables.opcodeName(fn.opcode[i]);
    if (name !== 'V_ADD_CO_U32_e32' && name !== 'V_ADD_CO_U32_e64') return false;
    const first = fn.opBegin[i] + (name.endsWith('e64') ? 2 : 1);
    let constant = 0;
    let nConstants = 0;
    let hasObject = false;
    for (const o of [first, first + 1]) {
      if (fn.opKind[o] === OperandKind.Register) continue;
      nConstants++;
      if (fn.opKind[o] === OperandKind.Immediate) constant += fn.opVal[o];
      else if (fn.opKind[o] === OperandKind.FrameIndex && fn.opVal[o] >= 0) {
        hasObject = true;
        constant += this.offsets[fn.opVal[o]] ?? 0;
      } else return false;
    }
    return hasObject && (nConstants === 2 || constant === 0);
  }

  private hasInstr(isSuch: (i: InstrId, b: BlockId) => boolean): boolean {
    const { fn } = this;
    for (let b = 0; b < fn.blocks.length; b++)
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) if (isSuch(fn.order[p], b)) return true;
    return false;
  }

  /** The lowest VGPR that is left when the frame is laid out, if it is lower than the one that was kept free. */
  private takeAGPRCopy(): void {
    const { fn, reserved, code } = this;
    const own = fn.header.machineFunctionInfo.vgprForAGPRCopy;
    const vgprs = fn.tables.numberedRegs('vgpr');
    const free = vgprs.find(
      (reg) => reserved.isAllocatable(reg) && !this.names(reg) && !code.isClobbered(reg) && !this.taken.has(reg),
    );
    this.take(free !== undefined && vgprs.indexOf(free) < vgprs.indexOf(own) ? free : own);
  }

  /**
   * What an entry function sets up: stack pointer, scratch descriptor, FLAT_SCR.
   * @llvm SIFrameLowering.cpp SIFrameLowering::emitEntryFunctionPrologue
   */
  private takeEntryRegs(isEmpty: boolean): void {
    const { fn } = this;
    const { tables, subtarget } = fn;
    const { frameInfo: frame, machineFunctionInfo: info } = fn.header;
    const isFlat = isFlatScratch(fn);
    const argument = (key: string): PhysReg => info.argumentInfo?.get(key)?.reg ?? 0;
    const waveOffset = argument('privateSegmentWaveByteOffset');
    const flatInit = argument('flatScratchInit');
    if (needsStackPointer(this.fn.header)) this.take(info.stackPtrOffsetReg);
    if (hasFramePointer(this.fn.header)) this.take(info.frameOffsetReg);
    const usesFlat = this.names(tables.regByName('flat_scr')) || frame.hasCalls || (!isEmpty && isFlat);
    const isArchitected = subtarget.hasFeature('architected-flat-scratch');
    // On PAL the address comes from a table in memory, whatever the function says that it is given.
    const needsFlat = (flatInit > 0 || subtarget.isAmdPalOS) && usesFlat && isGivenFlatScratch(fn);
    const descriptor = isFlat ? 0 : this.descriptorFor(isEmpty);
    if (descriptor > 0) {
      this.take(descriptor);
      this.take(argument('privateSegmentBuffer'));
      this.take(argument('implicitBufferPtr'));
      if (tables.regsOverlap(descriptor, waveOffset)) this.take(this.freeSGPR(descriptor));
    }
    if (needsFlat) {
      this.take(subtarget.isAmdPalOS ? this.freePair() : flatInit);
      if (subtarget.generation < Generation.GFX10) this.take(tables.regByName('flat_scr'));
    }
    if ((needsFlat || descriptor > 0) && !isArchitected) {
      this.take(waveOffset);
      this.addsInputs = true;
    }
  }

  /** Where the offset of the wave goes that the descriptor would overwrite: after the inputs, to what nothing names and PAL's table is not found by. */
  private freeSGPR(descriptor: PhysReg): PhysReg {
    const { fn, reserved, code } = this;
    const { tables, subtarget, header } = fn;
    const isMerged =
      subtarget.generation >= Generation.GFX9 &&
      [CallingConv.AMDGPU_HS, CallingConv.AMDGPU_GS].includes(header.irFunction.callingConv);
    const table = subtarget.isAmdPalOS ? tables.regByName(isMerged ? 'sgpr8' : 'sgpr0') : 0;
    const isFree = (reg: PhysReg): boolean =>
      !this.names(reg) &&
      !code.isClobbered(reg) &&
      reserved.isAllocatable(reg) &&
      !tables.regsOverlap(reg, descriptor) &&
      reg !== table;
    const all = tables.classRegs(tables.regClassByName('sgpr_32')).subarray(0, reserved.limits.maxNumSGPRs);
    return all.subarray(numPreloadedSGPRs(header)).find(isFree) ?? 0;
  }

  /** Two SGPRs after the inputs that hold nothing yet: PAL has the address of the scratch memory in a table in memory. */
  private freePair(): PhysReg {
    const { fn, reserved } = this;
    const { tables } = fn;
    const inputs = fn.blocks.length === 0 ? [] : fn.blocks[0].liveIns;
    const isFree = (reg: PhysReg): boolean =>
      reserved.isAllocatable(reg) && !inputs.some((live) => tables.regsOverlap(live.reg, reg));
    const pairs = tables.classRegs(tables.regClassByName('sgpr_64'));
    return pairs.subarray(Math.ceil(numPreloadedSGPRs(fn.header) / 2)).find(isFree) ?? 0;
  }

  /**
   * The scratch descriptor moves down to the first four aligned SGPRs after the inputs that nothing names.
   * @llvm SIFrameLowering.cpp SIFrameLowering::getEntryFunctionReservedScratchRsrcReg
   */
  private descriptorFor(isEmpty: boolean): PhysReg {
    const { fn, reserved, code } = this;
    const { tables, header } = fn;
    const own = header.machineFunctionInfo.scratchRSrcReg;
    if (own <= 0 || (isEmpty && !this.names(own) && !code.isClobbered(own))) return 0;
    const most = Math.floor(reserved.limits.maxNumSGPRs / 4);
    const all = tables.classRegs(tables.regClassByName('sgpr_128')).subarray(0, most);
    if (fn.subtarget.hasFeature('sgpr-init-bug') || own !== all[all.length - 1]) return own;
    for (let k = Math.ceil(numPreloadedSGPRs(header) / 4); k < all.length; k++) {
      if (this.names(all[k]) || code.isClobbered(all[k]) || !reserved.isAllocatable(all[k])) continue;
      this.freed.push(own);
      return all[k];
    }
    return own;
  }
}

/** v0 to v7 of a function that starts others in its place */
const CHAIN_SCRATCH_VGPRS = 8;

function isFlatScratch({ subtarget }: MachineFunction): boolean {
  return subtarget.hasFeature('enable-flat-scratch') || subtarget.hasFeature('architected-flat-scratch');
}

/**
 * An entry function sets FLAT_SCR up from an input; the hardware sets up what is architected.
 * @llvm GCNSubtarget.cpp GCNUserSGPRUsageInfo
 */
export function isGivenFlatScratch({ subtarget: st, header }: MachineFunction): boolean {
  const { irFunction, machineFunctionInfo: info } = header;
  if (!info.isEntryFunction || st.hasFeature('architected-flat-scratch')) return false;
  if (!st.hasFeature('flat-address-space')) return false;
  if (st.hasFeature('enable-flat-scratch')) return true;
  const isGivenByOS = (st.isAmdHsaOS || st.isMesa3DOS) && !isShader(irFunction.callingConv);
  return isGivenByOS && !irFunction.attributes.has('amdgpu-no-flat-scratch-init');
}
