/**
 * What an allocated function uses: registers of each file, the waves that fit beside each other, scratch memory, registers of its callers.
 * Follows AMDGPUResourceUsageAnalysis and AMDGPUAsmPrinter::getSIProgramInfo (LLVM 22) for the code as it stands: what prologepilog and later passes
 * add is not in it.
 */
import { computeFunctionLimits, type FunctionLimits } from '../model/functionLimits.js';
import { OpFlag, OperandKind, type InstrId, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { isPreserved, preservedRegs } from '../model/regMask.js';
import { isPhysicalReg } from '../model/register.js';
import { Generation, type PhysReg } from '../target/api.js';
import { isFLAT } from '../target/opcodes.js';
import { opcodeSet, type OpcodeSetName } from '../target/opcodeSets.js';
import { BitSet } from '../util/bitset.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';
import { ReservedRegs } from './reservedRegs.js';
import { withCopiesPropagated } from './frame/copyPropagation.js';
import { entryUnits } from './frame/entryUnits.js';
import { sparedOperands } from './frame/execMasks.js';
import { knownBranchOperands } from './frame/knownBranches.js';
import { lazy } from '../util/lazy.js';
import { NEAR_VGPRS, savedAtEnd } from './frame/calleeSaves.js';
import { isChainFunction, startsNobody } from './frame/framePointers.js';
import { foreseeFrame, isGivenFlatScratch, type AllocatedStack, type StackFrame } from './frame/stackFrame.js';

/** A whole-wave register that prologepilog moves down. */
export interface RegisterMove {
  readonly from: PhysReg;
  readonly to: PhysReg;
}

/** What the code of one function needs after prologepilog: numbers of 32-bit registers, bytes of scratch memory of a lane. */
export interface OwnUse {
  readonly vgpr: number;
  readonly agpr: number;
  readonly sgpr: number;
  readonly usesVCC: boolean;
  readonly usesFlatScratch: boolean;
  readonly scratchBytes: number;
}

/** What counts for the waves. */
export interface TotalUse {
  /** both vector files together where they are one */
  readonly totalVGPR: number;
  /** with VCC, FLAT_SCR and XNACK_MASK */
  readonly totalSGPR: number;
  /** most waves per EU with so many registers, and with LDS and work-group sizes, too */
  readonly byVGPRs: number;
  readonly bySGPRs: number;
  readonly occupancy: number;
}

/** Numbers of 32-bit registers: the highest one that is mentioned once copies are propagated, plus one. */
export interface AllocatedUse extends TotalUse {
  readonly vgpr: number;
  readonly agpr: number;
  readonly sgpr: number;
  /** what prologepilog does to whole-wave registers; `vgpr` is the number before, `framedVGPR` the one after it */
  readonly moves: readonly RegisterMove[];
  readonly framedVGPR: number;
  readonly framedAGPR: number;
  /** with the stack pointer and the return address, which prologepilog puts into the code */
  readonly framedSGPR: number;
  /** without what the functions need that it calls */
  readonly own: OwnUse;
  /** VGPRs below the highest of `framedVGPR` that nothing mentions once the frame is there; never more than those */
  readonly vgprHoles: number;
  /** of the function itself */
  readonly scratchBytes: number;
  /** calls and objects of unknown size take more */
  readonly isScratchOpen: boolean;
  /** callee-saved registers that the function changes, ascending by file: prologepilog saves them */
  readonly savedVGPRs: readonly PhysReg[];
  readonly savedSGPRs: readonly PhysReg[];
  readonly hasCalls: boolean;
}

/**
 * Register units that instructions name, debug instructions left out, without the stack pointer of an entry or chain function, whose frame begins at 0.
 * `spared`: operands that are gone by then. `counted`: without VGPRs that only a call is said to read, which llc does not count; `framed`:
 * those of them that are named once the frame is there.
 */
function usedUnits(
  fn: MachineFunction,
  spared: ReadonlySet<OperandId>,
  only: 'named' | 'counted' | 'written' | 'framed',
): BitSet {
  const { unitBegin, unitEnd, unitList, nRegUnits } = fn.tables;
  const { isEntryFunction, stackPtrOffsetReg } = fn.header.machineFunctionInfo;
  const isBottom = isEntryFunction || isChainFunction(fn.header);
  const traits = opcodeTraits(fn.tables);
  const calls = opcodeSet(fn.tables, 'callOfFunction');
  const spills = opcodeSet(fn.tables, 'vectorSpill');
  const frames = opcodeSet(fn.tables, 'callFrame');
  const used = new BitSet(nRegUnits);
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      const i = fn.order[p];
      if ((traits[fn.opcode[i]] & OpcodeTrait.Debug) !== 0) continue;
      if (only === 'framed' && frames.has(fn.opcode[i])) continue;
      const isCall = calls.has(fn.opcode[i]);
      const isAddressed = isBottom && hasFrameIndex(fn, i);
      // prologepilog says by which pointer.
      const offset =
        (isAddressed || only === 'framed') && spills.has(fn.opcode[i])
          ? fn.tables.getNamedOperandIdx(fn.opcode[i], 'soffset')
          : -1;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const reg = fn.opVal[o];
        const flags = fn.opFlags[o];
        if (!isPhysicalReg(reg) || (isAddressed && reg === stackPtrOffsetReg) || o - fn.opBegin[i] === offset) continue;
        if (spared.has(o)) continue;
        if ((flags & OpFlag.Def) === 0) {
          if (only === 'written') continue;
          // A save of what has no value goes (SIRegisterInfo::eliminateFrameIndex).
          if (only === 'framed' && (flags & OpFlag.Undef) !== 0 && spills.has(fn.opcode[i])) continue;
          if (
            only !== 'named' &&
            isCall &&
            (flags & OpFlag.Implicit) !== 0 &&
            fn.tables.regName(reg).startsWith('vgpr')
          )
            continue;
        }
        for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) used.add(unitList[u]);
      }
    }
  }
  return used;
}

function hasFrameIndex(fn: MachineFunction, i: InstrId): boolean {
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) if (fn.opKind[o] === OperandKind.FrameIndex) return true;
  return false;
}

function touches({ tables }: MachineFunction, used: BitSet, reg: PhysReg): boolean {
  const { unitBegin, unitEnd, unitList } = tables;
  for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) if (used.has(unitList[u])) return true;
  return false;
}

/**
 * Number of the highest register of a file that is used, plus one. VGPRs that the processor does not have do not count;
 * in a function with calls LLVM goes by the operands instead.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::getNumUsedPhysRegs
 */
function highestUsed(fn: MachineFunction, used: BitSet, file: 'vgpr' | 'sgpr' | 'agpr'): number {
  const regs = fn.tables.numberedRegs(file);
  const { hasCalls, hasTailCall } = fn.header.frameInfo;
  const countsFar = hasCalls || hasTailCall || fn.subtarget.hasFeature('1024-addressable-vgprs');
  const most = file === 'vgpr' && !countsFar ? Math.min(regs.length, NEAR_VGPRS) : regs.length;
  for (let n = most - 1; n >= 0; n--) if (touches(fn, used, regs[n])) return n + 1;
  return 0;
}

/**
 * `stack`: of a function that was allocated here; without, it is one that llc would read from a text. O(operands)
 * @llvm AMDGPUResourceUsageAnalysis.cpp AMDGPUResourceUsageAnalysisImpl::analyzeResourceUsage
 */
export function allocatedUse(
  allocated: MachineFunction,
  limits: FunctionLimits = computeFunctionLimits(allocated),
  stack: AllocatedStack | null = null,
): AllocatedUse {
  const unkilled = stack === null ? entryUnits(allocated) : null;
  const fn = withCopiesPropagated(allocated, unkilled);
  const { subtarget, header } = fn;
  const info = header.machineFunctionInfo;
  const spared = new Set([...sparedOperands(fn, unkilled), ...knownBranchOperands(fn)]);
  const used = usedUnits(fn, spared, 'counted');
  const vgpr = highestUsed(fn, used, 'vgpr');
  const agpr = subtarget.hasMAIInsts ? highestUsed(fn, used, 'agpr') : 0;
  const sgpr = highestUsed(fn, used, 'sgpr');
  const hasReturn = hasOpcode(fn, 'return');
  const named = usedUnits(fn, spared, 'named');
  const moves = wholeWaveMoves(fn, named);
  const masks = regMasks(fn);
  const written = lazy(() => usedUnits(fn, spared, 'written'));
  const { vectors: savedVGPRs, scalars: savedSGPRs } = savedAtEnd(
    fn,
    (reg) => touches(fn, written(), reg) || masks.some((bits) => !isPreserved(bits, reg)),
    new Set(moves.map((m) => m.from)),
  );
  const saved = info.isEntryFunction ? [...savedVGPRs, ...savedSGPRs] : savedVGPRs;
  const frame = frameOf(fn, named, masks, moves, saved, stack);
  const framed = unitsBehind(fn, usedUnits(fn, spared, 'framed'), moves, frame);
  const framedVGPR = highestUsed(fn, framed, 'vgpr');
  const framedSGPR = Math.max(highestUsed(fn, framed, 'sgpr'), hasReturn ? RETURN_SGPRS : 0);
  const framedAGPR = subtarget.hasMAIInsts ? highestUsed(fn, framed, 'agpr') : 0;
  const vgprs = fn.tables.numberedRegs('vgpr');
  let vgprHoles = 0;
  for (let n = 0; n < framedVGPR; n++) if (!touches(fn, framed, vgprs[n])) vgprHoles++;
  const vcc = fn.tables.regByName('vcc');
  const own: OwnUse = {
    vgpr: framedVGPR,
    agpr: framedAGPR,
    sgpr: framedSGPR,
    // What a call may overwrite is used.
    usesVCC: touches(fn, framed, vcc) || masks.some((bits) => !isPreserved(bits, vcc)),
    usesFlatScratch: usesFlatScratch(fn, framed, frame),
    scratchBytes: frame.bytes,
  };
  return {
    vgpr,
    agpr,
    sgpr,
    moves,
    framedVGPR,
    framedAGPR,
    framedSGPR,
    vgprHoles,
    own,
    ...totalsOf(fn, own, limits),
    scratchBytes: frame.bytes,
    isScratchOpen: masks.length > 0 || header.stack.some((o) => o.type === 'variable-sized'),
    savedVGPRs,
    savedSGPRs,
    hasCalls: masks.length > 0,
  };
}

/** Processors with the SGPR-init bug give every wave so many. */
const INIT_BUG_SGPRS = 96;

/** What counts for the waves of a function whose code, with all that it calls, needs `use`. */
export function totalsOf(
  fn: MachineFunction,
  use: Omit<OwnUse, 'scratchBytes'>,
  limits: FunctionLimits = computeFunctionLimits(fn),
): TotalUse {
  const { subtarget } = fn;
  const info = fn.header.machineFunctionInfo;
  const { vgpr, agpr, sgpr } = use;
  const inFile = (arch: number): number =>
    !subtarget.hasGFX90AInsts ? Math.max(arch, agpr) : agpr === 0 ? arch : ((arch + 3) & ~3) + agpr;
  // What a wave is started with counts, used or not; LLVM compares it with the total, to which it then adds the accumulators again.
  const started = info.isEntryFunction ? info.numWaveDispatchVGPRs : 0;
  const totalVGPR = started > 0 ? inFile(Math.max(inFile(vgpr), started)) : inFile(vgpr);
  const own = Math.max(sgpr, info.isEntryFunction ? info.numWaveDispatchSGPRs : 0);
  const hasInitBug = subtarget.hasFeature('sgpr-init-bug');
  const totalSGPR = hasInitBug && info.isEntryFunction ? INIT_BUG_SGPRS : own + extraSGPRs(fn, use);
  const most = limits.wavesPerEU[1];
  const dyn = limits.dynamicVGPRBlockSize;
  const byVGPRs = subtarget.occupancyWithNumVGPRs(Math.max(totalVGPR, 1, subtarget.minNumVGPRs(most, dyn)), dyn);
  const sgprs = hasInitBug ? INIT_BUG_SGPRS : totalSGPR;
  const bySGPRs = subtarget.occupancyWithNumSGPRs(Math.max(sgprs, 1, subtarget.minNumSGPRs(most)));
  const occupancy = Math.min(limits.occupancyRange[1], byVGPRs, bySGPRs);
  return { totalVGPR, totalSGPR, byVGPRs, bySGPRs, occupancy };
}

/**
 * SGPRs at the end of a wave's that VCC, FLAT_SCR and XNACK_MASK take (IsaInfo::getNumExtraSGPRs).
 * @llvm AMDGPUBaseInfo.cpp AMDGPU::IsaInfo::getNumExtraSGPRs
 */
function extraSGPRs(
  { subtarget }: MachineFunction,
  { usesVCC, usesFlatScratch: hasFlat }: Pick<OwnUse, 'usesVCC' | 'usesFlatScratch'>,
): number {
  const vcc = usesVCC ? 2 : 0;
  if (subtarget.generation >= Generation.GFX10) return vcc;
  if (subtarget.generation < Generation.VOLCANIC_ISLANDS) return hasFlat ? 4 : vcc;
  if (hasFlat || subtarget.hasFeature('architected-flat-scratch')) return 6;
  return subtarget.xnackEnabled ? 4 : vcc;
}

function usesFlatScratch(fn: MachineFunction, used: BitSet, frame: StackFrame): boolean {
  const flat = fn.tables.regByName('flat_scr');
  if (frame.regs.includes(flat)) return true;
  return isGivenFlatScratch(fn) ? touches(fn, used, flat) || hasFlatInput(fn, frame) : namesFlatScratch(fn);
}

/** That flat instructions read it does not count in functions that are not given it. */
function namesFlatScratch(fn: MachineFunction): boolean {
  const { tables } = fn;
  const flat = tables.regByName('flat_scr');
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      const i = fn.order[p];
      const isFlat = isFLAT(tables, fn.opcode[i]);
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!isPhysicalReg(fn.opVal[o]) || !tables.regsOverlap(fn.opVal[o], flat)) continue;
        if (!isFlat || (fn.opFlags[o] & OpFlag.Implicit) === 0) return true;
      }
    }
  }
  return false;
}

/** LLVM asks whether the input is live into the function; where there is none, any that has no virtual register answers for it. */
function hasFlatInput({ header }: MachineFunction, frame: StackFrame): boolean {
  const input = header.machineFunctionInfo.argumentInfo?.get('flatScratchInit')?.reg ?? 0;
  if (input === 0) return frame.addsInputs || header.liveIns.some((l) => l.vreg < 0);
  return header.liveIns.some((l) => l.reg === input);
}

/** A function returns by way of s30 and s31. */
const RETURN_SGPRS = 32;

function hasOpcode(fn: MachineFunction, name: OpcodeSetName): boolean {
  const opcodes = opcodeSet(fn.tables, name);
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) if (opcodes.has(fn.opcode[fn.order[p]])) return true;
  return false;
}

/**
 * Whole-wave registers, the highest first, move down to the lowest VGPR that may be allocated, that no code names and that no call overwrites, while that
 * is lower (SIFrameLowering::determineCalleeSaves; docs/llvm/allocation-pipeline.md, 3).
 * @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::shiftWwmVGPRsToLowestRange
 */
function wholeWaveMoves(fn: MachineFunction, used: BitSet): RegisterMove[] {
  const { tables, header } = fn;
  const vgprs = tables.numberedRegs('vgpr');
  const numberOf = new Map(Array.from(vgprs, (reg, n) => [reg, n]));
  const own = header.machineFunctionInfo.wwmReservedRegs.filter((reg) => numberOf.has(reg));
  if (own.length === 0 || startsNobody(fn.header)) return [];
  const reserved = new ReservedRegs(fn);
  const masks = regMasks(fn);
  const isClobbered = (reg: PhysReg): boolean => masks.some((bits) => !isPreserved(bits, reg));
  const taken = new Set<PhysReg>();
  const moves: RegisterMove[] = [];
  for (const from of [...own].sort((a, b) => numberOf.get(b)! - numberOf.get(a)!)) {
    const to = Array.from(vgprs).find(
      (reg) => reserved.isAllocatable(reg) && !touches(fn, used, reg) && !isClobbered(reg) && !taken.has(reg),
    );
    if (to === undefined || numberOf.get(to)! >= numberOf.get(from)!) break;
    taken.add(to);
    moves.push({ from, to });
  }
  return moves;
}

function frameOf(
  fn: MachineFunction,
  named: BitSet,
  masks: readonly Uint32Array[],
  moves: readonly RegisterMove[],
  saved: readonly PhysReg[],
  stack: AllocatedStack | null,
): StackFrame {
  const moved = new Map(moves.map((m) => [m.from, m.to]));
  const { wwmReservedRegs, isWholeWaveFunction } = fn.header.machineFunctionInfo;
  const wholeWave = wwmReservedRegs.map((reg) => moved.get(reg) ?? reg);
  if (isWholeWaveFunction) wholeWave.push(...changedVGPRs(fn, moved, masks).filter((reg) => !wholeWave.includes(reg)));
  const behind = unitsBehind(fn, named, moves, NO_FRAME);
  const isClobbered = (reg: PhysReg): boolean => masks.some((bits) => !isPreserved(bits, reg));
  return foreseeFrame(fn, { used: behind, saved, isClobbered, wholeWave }, stack);
}

/**
 * A function of whole waves keeps the lanes that its caller left out, in every register that it changes. The code writes to those in `moved` elsewhere.
 */
function changedVGPRs(
  fn: MachineFunction,
  moved: ReadonlyMap<PhysReg, PhysReg>,
  masks: readonly Uint32Array[],
): PhysReg[] {
  // Masks are no VGPRs.
  const written = usedUnits(fn, new Set(), 'written');
  const vgprs = Array.from(fn.tables.numberedRegs('vgpr').subarray(0, fn.subtarget.addressableNumArchVGPRs));
  const isChanged = (reg: PhysReg): boolean => touches(fn, written, reg) && !moved.has(reg);
  return vgprs.filter((reg) => isChanged(reg) || masks.some((bits) => !isPreserved(bits, reg)));
}

const NO_FRAME: StackFrame = { bytes: 0, regs: [], freed: [], addsInputs: false };

/** Units that the code names once registers have moved and the frame is there. */
function unitsBehind(fn: MachineFunction, used: BitSet, moves: readonly RegisterMove[], frame: StackFrame): BitSet {
  const { unitBegin, unitEnd, unitList, nRegUnits } = fn.tables;
  const units = new BitSet(nRegUnits);
  units.copyFrom(used);
  for (const reg of [...moves.map((m) => m.from), ...frame.freed])
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) units.delete(unitList[u]);
  for (const reg of [...moves.map((m) => m.to), ...frame.regs])
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) units.add(unitList[u]);
  return units;
}

function regMasks(fn: MachineFunction): Uint32Array[] {
  const found: Uint32Array[] = [];
  for (let o = 0; o < fn.nOperands; o++) {
    if (fn.opKind[o] === OperandKind.RegisterMask) found.push(preservedRegs(fn, o));
  }
  return found;
}
