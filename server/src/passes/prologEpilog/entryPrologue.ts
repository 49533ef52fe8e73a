/** What functions that nobody calls set up: stack pointer, scratch resource, FLAT_SCR (SIFrameLowering, LLVM 22; docs/llvm/frame-lowering.md, 9). */
import { needsStackPointer } from '../../analysis/frame/framePointers.js';
import { isGivenFlatScratch } from '../../analysis/frame/stackFrame.js';
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import { integerAttribute, isShader, CallingConv, numPreloadedSGPRs } from '../../model/functionLimits.js';
import { immOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { scalarLLT } from '../../model/llt.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import { PLAIN_ACCESS, MemFlag, type MemOperand } from '../../model/memOperand.js';
import { Generation, type PhysReg } from '../../target/api.js';
import { NotModelled } from '../machinePass.js';
import { dataFormat } from '../resourceFormat.js';
import { def, implicitDef, use, type Frame } from './frame.js';

/** Address space of constant memory. */
const CONSTANT = 4;
const NO_HIGH_ADDRESS = 0xffffffff;
/** Hardware registers FLAT_SCR_LO and FLAT_SCR_HI, all bits of them. */
const HWREG_FLAT_SCR = [-2028, -2027] as const;
/** One bit of the hardware register MODE. */
const HWREG_REPLAY_MODE = 1601;
/** The number of the micro engine: two bits of HW_ID2. */
const HWREG_MICRO_ENGINE = 2584;

export function emitEntryPrologue(frame: Frame, b: BlockId): void {
  new EntryPrologue(frame, b).emitAll();
}

/** @llvm SIFrameLowering.cpp SIFrameLowering::emitEntryFunctionPrologue */
class EntryPrologue {
  private readonly at: ListPos;
  private readonly callingConv: number;

  constructor(
    private readonly frame: Frame,
    private readonly b: BlockId,
  ) {
    this.at = frame.editor.list.first(b);
    this.callingConv = frame.fn.header.irFunction.callingConv;
  }

  private emit(name: string, operands: readonly NewOperand[], more: readonly NewOperand[] = []): InstrId {
    return this.frame.emit(this.at, NO_LOCATION, name, operands, more);
  }

  private argument(key: string): PhysReg {
    return this.frame.info.argumentInfo?.get(key)?.reg ?? 0;
  }

  private addInput(reg: PhysReg): void {
    this.frame.addFunctionLiveIn(reg);
    this.frame.addLiveIn(this.b, reg);
  }

  private get isOfHsaOrMesa(): boolean {
    const { st } = this.frame;
    return st.isAmdHsaOS || (st.isMesa3DOS && !isShader(this.callingConv));
  }

  emitAll(): void {
    const { frame } = this;
    frame.moves.beginEntry(this.at);
    const { fn, tables, st } = frame;
    const waveOffset = this.argument('privateSegmentWaveByteOffset');
    const resource = frame.usesFlatScratch ? 0 : this.reservedResource();
    if (resource > 0) for (let b = 0; b < fn.blocks.length; b++) if (b !== this.b) frame.addLiveIn(b, resource);
    let given: PhysReg = 0;
    if (this.isOfHsaOrMesa) {
      given = this.argument('privateSegmentBuffer');
      if (resource > 0 && given > 0) this.addInput(given);
    }
    let offset = waveOffset;
    if (waveOffset > 0 && resource > 0 && (resource === waveOffset || tables.isSubRegister(resource, waveOffset)))
      offset = this.copyWaveOffset(resource, waveOffset);
    this.setPointers();
    const usesFlat = frame.isUsed(frame.named('flat_scr')) || frame.frame.hasCalls;
    const needsFlat = isGivenFlatScratch(fn) && (usesFlat || (!frame.isEmpty && frame.usesFlatScratch));
    if ((needsFlat || resource > 0) && waveOffset > 0 && !st.hasFeature('architected-flat-scratch'))
      this.addInput(waveOffset);
    if (needsFlat) this.initFlatScratch(offset);
    if (resource > 0) this.setUpResource(resource, given, offset);
    // Memory instructions of a group are replayed together.
    if (st.hasFeature('wait-xcnt')) this.emit('S_SETREG_IMM32_B32', [immOperand(1), immOperand(HWREG_REPLAY_MODE)]);
  }

  private setPointers(): void {
    const { frame } = this;
    const { fn, info, st } = frame;
    const size = Number(frame.frame.stackSize) * frame.scale;
    const isReserved =
      info.dynamicVGPRBlockSize !== 0 && (!isShader(this.callingConv) || this.callingConv === CallingConv.AMDGPU_CS);
    const needsSP = needsStackPointer(fn.header);
    if (!isReserved) {
      if (frame.hasFP) this.emit('S_MOV_B32', [def(info.frameOffsetReg), immOperand(0)]);
      if (needsSP) this.emit('S_MOV_B32', [def(info.stackPtrOffsetReg), immOperand(size)]);
      return;
    }
    const blocks = info.dynamicVGPRBlockSize;
    const room = (st.addressableNumVGPRs(blocks) - st.vgprAllocGranule(blocks)) * 4;
    const align = Math.max(1, frame.frame.maxAlignment);
    const reserved = Math.ceil(room / align) * align;
    info.scratchReservedForDynamicVGPRs = reserved;
    // Of the compute queues alone the trap handler keeps registers on the stack.
    const [fp, sp] = [info.frameOffsetReg, info.stackPtrOffsetReg];
    this.emit('S_GETREG_B32', [def(fp), immOperand(HWREG_MICRO_ENGINE)]);
    this.emit('S_CMP_LG_U32', [immOperand(0), use(fp)]);
    this.emit('S_CMOVK_I32', [def(fp), immOperand(reserved)]);
    if (!needsSP) return;
    const isInline = (n: number): boolean => (n >= -16 && n <= 64) || frame.facts.isInlineValue(n, 13);
    if (isInline(size) || isInline(size + reserved))
      this.emit('S_CSELECT_B32', [def(sp), immOperand(size + reserved), immOperand(size)]);
    else {
      this.emit('S_MOV_B32', [def(sp), immOperand(size)]);
      this.emit('S_CMOVK_I32', [def(sp), immOperand(size + reserved)]);
    }
  }

  // -- registers -----------------------------------------------------------------------------------------------------

  /** Where PAL has its table of addresses; 0 = not on PAL. */
  private get tablePointer(): PhysReg {
    const { frame } = this;
    if (!frame.st.isAmdPalOS) return 0;
    const isMerged =
      frame.st.generation >= Generation.GFX9 &&
      [CallingConv.AMDGPU_HS, CallingConv.AMDGPU_GS].includes(this.callingConv);
    return frame.named(isMerged ? 'sgpr8' : 'sgpr0');
  }

  private overlaps(reg: PhysReg, part: PhysReg): boolean {
    return part > 0 && (reg === part || this.frame.tables.isSubRegister(reg, part));
  }

  /**
   * The scratch resource, from where it was kept free down to after the inputs; 0 = nothing needs it.
   * @llvm SIFrameLowering.cpp SIFrameLowering::getEntryFunctionReservedScratchRsrcReg
   */
  private reservedResource(): PhysReg {
    const { frame } = this;
    const { fn, info, st, tables, reserved } = frame;
    const own = info.scratchRSrcReg;
    if (own <= 0 || (!frame.isUsed(own) && frame.isEmpty)) return 0;
    const all = tables
      .classRegs(tables.regClassByName('sgpr_128'))
      .subarray(0, Math.floor(reserved.limits.maxNumSGPRs / 4));
    if (st.hasFeature('sgpr-init-bug') || own !== all[all.length - 1]) return own;
    for (let k = Math.ceil(numPreloadedSGPRs(fn.header) / 4); k < all.length; k++) {
      const reg = all[k];
      if (frame.isUsed(reg) || !reserved.isAllocatable(reg) || this.overlaps(reg, this.tablePointer)) continue;
      frame.editor.replaceReg(own, reg);
      info.scratchRSrcReg = reg;
      frame.reserve(reg);
      return reg;
    }
    return own;
  }

  private copyWaveOffset(resource: PhysReg, waveOffset: PhysReg): PhysReg {
    const { frame } = this;
    const { fn, tables, reserved } = frame;
    const all = tables.classRegs(tables.regClassByName('sgpr_32')).subarray(0, reserved.limits.maxNumSGPRs);
    const free = all
      .subarray(numPreloadedSGPRs(fn.header))
      .find(
        (reg) =>
          !frame.isUsed(reg) &&
          reserved.isAllocatable(reg) &&
          !this.overlaps(resource, reg) &&
          reg !== this.tablePointer,
      );
    if (free === undefined) throw new NotModelled('no register for the scratch offset of the wave: llc-22 ends here');
    this.emit('COPY', [def(free), use(waveOffset, OpFlag.Kill)]);
    return free;
  }

  // -- flat scratch --------------------------------------------------------------------------------------------------

  private constantLoad(bytes: number): MemOperand {
    return {
      flags: MemFlag.Load | MemFlag.Invariant | MemFlag.Dereferenceable,
      type: scalarLLT(8 * bytes),
      pointer: { kind: 'none' },
      offset: 0,
      baseAlign: 4,
      addressSpace: CONSTANT,
      ...PLAIN_ACCESS,
    };
  }

  /** Where in PAL's table the scratch descriptor is, as an instruction says it. */
  private get tableOffset(): number {
    const bytes = this.callingConv === CallingConv.AMDGPU_CS ? 16 : 0;
    return this.frame.st.generation >= Generation.VOLCANIC_ISLANDS ? bytes : bytes / 4;
  }

  /** @llvm SIFrameLowering.cpp buildGitPtr */
  private loadTablePointer(to: PhysReg): void {
    const { frame } = this;
    const [low, high] = [frame.part(to, 'sub0'), frame.part(to, 'sub1')];
    const upper = integerAttribute(frame.fn.header.irFunction, 'amdgpu-git-ptr-high', NO_HIGH_ADDRESS);
    if (upper !== NO_HIGH_ADDRESS) this.emit('S_MOV_B32', [def(high), immOperand(upper)], [implicitDef(to)]);
    else this.emit('S_GETPC_B64_pseudo', [def(to)]);
    this.addInput(this.tablePointer);
    this.emit('S_MOV_B32', [def(low), use(this.tablePointer)]);
  }

  private flatScratchFromTable(): PhysReg {
    const { frame } = this;
    const { fn, tables, reserved } = frame;
    const live = new LiveRegUnits(fn);
    frame.addLiveIns(live, this.b);
    const n = Math.floor(reserved.limits.maxNumSGPRs / 2);
    const all = tables.classRegs(tables.regClassByName('sgpr_64')).subarray(0, n);
    const to = all
      .subarray(Math.ceil(numPreloadedSGPRs(fn.header) / 2))
      .find((reg) => live.available(reg) && reserved.isAllocatable(reg) && !this.overlaps(reg, this.tablePointer));
    if (to === undefined) throw new NotModelled('no registers for the address of scratch memory: llc-22 crashes here');
    this.loadTablePointer(to);
    const load = this.emit('S_LOAD_DWORDX2_IMM', [def(to), use(to), immOperand(this.tableOffset), immOperand(0)]);
    fn.memOperands[load] = [this.constantLoad(8)];
    const high = frame.part(to, 'sub1');
    frame.dropSCC(this.emit('S_AND_B32', [def(high), use(high), immOperand(0xffff)]));
    return to;
  }

  /** @llvm SIFrameLowering.cpp SIFrameLowering::emitEntryFunctionFlatScratchInit */
  private initFlatScratch(waveOffset: PhysReg): void {
    const { frame } = this;
    const { st } = frame;
    let from: PhysReg;
    if (st.isAmdPalOS) from = this.flatScratchFromTable();
    else {
      from = this.argument('flatScratchInit');
      if (from === 0)
        throw new NotModelled('a function that is not given the address of scratch memory: llc-22 crashes here');
      this.addInput(from);
    }
    const [low, high] = [frame.part(from, 'sub0'), frame.part(from, 'sub1')];
    const [flatLow, flatHigh] = [frame.named('flat_scr_lo'), frame.named('flat_scr_hi')];
    if (st.generation >= Generation.GFX9) {
      const isGFX10 = st.generation >= Generation.GFX10;
      const [toLow, toHigh] = isGFX10 ? [low, high] : [flatLow, flatHigh];
      this.emit('S_ADD_U32', [def(toLow), use(low), use(waveOffset)]);
      frame.dropSCC(this.emit('S_ADDC_U32', [def(toHigh), use(high), immOperand(0)]));
      if (!isGFX10) return;
      this.emit('S_SETREG_B32', [use(low), immOperand(HWREG_FLAT_SCR[0])]);
      this.emit('S_SETREG_B32', [use(high), immOperand(HWREG_FLAT_SCR[1])]);
      return;
    }
    this.emit('COPY', [def(flatLow), use(high, OpFlag.Kill)]);
    this.emit('S_ADD_I32', [def(low), use(low), use(waveOffset)]);
    frame.dropSCC(this.emit('S_LSHR_B32', [def(flatHigh), use(low, OpFlag.Kill), immOperand(8)]));
  }

  // -- the resource --------------------------------------------------------------------------------------------------

  /** @llvm SIFrameLowering.cpp SIFrameLowering::emitEntryFunctionScratchRsrcRegSetup */
  private setUpResource(resource: PhysReg, given: PhysReg, waveOffset: PhysReg): void {
    const { frame } = this;
    const { fn, st } = frame;
    const all = [implicitDef(resource)];
    if (st.isAmdPalOS) {
      const pointer = frame.part(resource, 'sub0_sub1');
      this.loadTablePointer(pointer);
      const load = this.emit(
        'S_LOAD_DWORDX4_IMM',
        [def(resource), use(pointer), immOperand(this.tableOffset), immOperand(0)],
        all,
      );
      fn.memOperands[load] = [this.constantLoad(16)];
      if (st.wavefrontSize === 32) {
        const last = frame.part(resource, 'sub3');
        this.emit('S_BITSET0_B32', [def(last), immOperand(21), use(last)]);
      }
    } else if (given === 0 || (st.isMesa3DOS && isShader(this.callingConv))) this.makeResource(resource);
    else if (resource !== given) this.emit('COPY', [def(resource), use(given, OpFlag.Kill)]);
    const [low, high] = [frame.part(resource, 'sub0'), frame.part(resource, 'sub1')];
    this.emit('S_ADD_U32', [def(low), use(low), use(waveOffset)], all);
    frame.dropSCC(this.emit('S_ADDC_U32', [def(high), use(high), immOperand(0)], all));
  }

  private makeResource(resource: PhysReg): void {
    const { frame } = this;
    const { fn, st } = frame;
    const all = [implicitDef(resource)];
    const pointer = frame.part(resource, 'sub0_sub1');
    if (st.isMesa3DOS && isShader(this.callingConv)) {
      const buffer = this.argument('implicitBufferPtr');
      if (this.callingConv === CallingConv.AMDGPU_CS) this.emit('S_MOV_B64', [def(pointer), use(buffer)], all);
      else {
        const load = this.emit('S_LOAD_DWORDX2_IMM', [def(pointer), use(buffer), immOperand(0), immOperand(0)], all);
        fn.memOperands[load] = [this.constantLoad(8)];
        this.addInput(buffer);
      }
    } else
      for (const k of [0, 1]) {
        const symbol = fn.addPayload({
          kind: OperandKind.ExternalSymbol,
          symbol: `SCRATCH_RSRC_DWORD${k}`,
          offset: 0n,
        });
        this.emit(
          'S_MOV_B32',
          [def(frame.part(resource, `sub${k}`)), { kind: OperandKind.ExternalSymbol, val: symbol }],
          all,
        );
      }
    this.emit('S_MOV_B32', [def(frame.part(resource, 'sub2')), immOperand(0xffffffff)], all);
    this.emit('S_MOV_B32', [def(frame.part(resource, 'sub3')), immOperand(this.resourceHigh())], all);
  }

  /**
   * The last word of the resource, unsigned.
   * @llvm SIInstrInfo.cpp SIInstrInfo::getScratchRsrcWords23
   */
  private resourceHigh(): number {
    const { st } = this.frame;
    let word = dataFormat(st) | (1 << 23);
    if (st.generation <= Generation.VOLCANIC_ISLANDS) word |= 1 << 19;
    word |= (st.wavefrontSize === 64 ? 3 : 2) << 21;
    if (st.generation >= Generation.VOLCANIC_ISLANDS && st.generation <= Generation.GFX9) word &= ~0xf000;
    return word >>> 0;
  }
}
