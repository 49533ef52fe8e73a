/**
 * What an allocated function uses: registers of each file, the waves that fit beside each other, scratch memory, registers of its callers.
 * Follows AMDGPUResourceUsageAnalysis and AMDGPUAsmPrinter::getSIProgramInfo (LLVM 22) for the code as it stands: what prologepilog and later passes
 * add is not in it.
 */
import { computeFunctionLimits, isShader, type FunctionLimits } from '../model/functionLimits.js';
import { OpFlag, OperandKind, type MachineFunction } from '../model/machineFunction.js';
import { isPhysicalReg } from '../model/register.js';
import { Generation, type PhysReg } from '../target/api.js';
import { opcodeSet, type OpcodeSetName } from '../target/opcodeSets.js';
import { BitSet } from '../util/bitset.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';
import { ReservedRegs } from './reservedRegs.js';

/** A whole-wave register that prologepilog moves down. */
export interface RegisterMove {
  readonly from: PhysReg;
  readonly to: PhysReg;
}

/** Numbers of 32-bit registers: the highest one that is mentioned, plus one. */
export interface AllocatedUse {
  readonly vgpr: number;
  readonly agpr: number;
  readonly sgpr: number;
  /** what prologepilog does to whole-wave registers; `vgpr` is the number before, `framedVGPR` the one behind it */
  readonly moves: readonly RegisterMove[];
  readonly framedVGPR: number;
  /** with the stack pointer and the return address, which prologepilog puts into the code */
  readonly framedSGPR: number;
  /** what counts for the waves: both vector files together where they are one, SGPRs with VCC, FLAT_SCR and XNACK_MASK */
  readonly totalVGPR: number;
  readonly totalSGPR: number;
  /** VGPRs below the highest that nothing mentions */
  readonly vgprHoles: number;
  /** most waves per EU with so many registers, and with LDS and work-group sizes, too */
  readonly byVGPRs: number;
  readonly bySGPRs: number;
  readonly occupancy: number;
  /** of stack objects that are there */
  readonly scratchBytes: number;
  /** callee-saved registers that the function changes, ascending by file: prologepilog saves them */
  readonly savedVGPRs: readonly PhysReg[];
  readonly savedSGPRs: readonly PhysReg[];
  readonly hasCalls: boolean;
}

/** Register units that instructions name, debug instructions left out; `onlyDefs`: those that they write. */
function usedUnits(fn: MachineFunction, onlyDefs = false): BitSet {
  const { unitBegin, unitEnd, unitList, nRegUnits } = fn.tables;
  const traits = opcodeTraits(fn.tables);
  const used = new BitSet(nRegUnits);
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      const i = fn.order[p];
      if ((traits[fn.opcode[i]] & OpcodeTrait.Debug) !== 0) continue;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const reg = fn.opVal[o];
        if (!isPhysicalReg(reg)) continue;
        if (onlyDefs && (fn.opFlags[o] & OpFlag.Def) === 0) continue;
        for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) used.add(unitList[u]);
      }
    }
  }
  return used;
}

function touches({ tables }: MachineFunction, used: BitSet, reg: PhysReg): boolean {
  const { unitBegin, unitEnd, unitList } = tables;
  for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) if (used.has(unitList[u])) return true;
  return false;
}

/** Number of the highest register of a file that is used, plus one. */
function highestUsed(fn: MachineFunction, used: BitSet, file: 'vgpr' | 'sgpr' | 'agpr'): number {
  const regs = fn.tables.numberedRegs(file);
  for (let n = regs.length - 1; n >= 0; n--) if (touches(fn, used, regs[n])) return n + 1;
  return 0;
}

/** O(operands) */
export function allocatedUse(fn: MachineFunction, limits: FunctionLimits = computeFunctionLimits(fn)): AllocatedUse {
  const { subtarget, header } = fn;
  const { machineFunctionInfo: info, irFunction } = header;
  const used = usedUnits(fn);
  const vgpr = highestUsed(fn, used, 'vgpr');
  const agpr = subtarget.hasMAIInsts ? highestUsed(fn, used, 'agpr') : 0;
  const sgpr = highestUsed(fn, used, 'sgpr');
  const hasReturn = hasOpcode(fn, 'return');
  const isFramed = header.frameInfo.isCalleeSavedInfoValid && header.frameInfo.stackSize > 0n;
  const moves = isFramed ? [] : wholeWaveMoves(fn, used);
  const framedVGPR = moves.length === 0 ? vgpr : highestBehind(fn, used, moves);
  const [savedVGPRs, savedSGPRs] = savedRegisters(fn);
  const hasStack = hasObjects(fn) || savedVGPRs.length > 0;
  const framedSGPR = Math.max(sgpr, hasReturn ? RETURN_SGPRS : 0, hasReturn && hasStack ? RETURN_SGPRS + 1 : 0);
  const vgprs = fn.tables.numberedRegs('vgpr');
  let vgprHoles = 0;
  for (let n = 0; n < vgpr; n++) if (!touches(fn, used, vgprs[n])) vgprHoles++;
  // What a shader is started with counts, used or not.
  const isStarted = isShader(irFunction.callingConv) && info.isEntryFunction;
  const arch = Math.max(framedVGPR, isStarted ? info.numWaveDispatchVGPRs : 0);
  const totalVGPR = !subtarget.hasGFX90AInsts ? Math.max(arch, agpr) : agpr === 0 ? arch : ((arch + 3) & ~3) + agpr;
  const totalSGPR = Math.max(framedSGPR + extraSGPRs(fn, used), isStarted ? info.numWaveDispatchSGPRs : 0);
  const most = limits.wavesPerEU[1];
  const dyn = limits.dynamicVGPRBlockSize;
  const byVGPRs = subtarget.occupancyWithNumVGPRs(Math.max(totalVGPR, 1, subtarget.minNumVGPRs(most, dyn)), dyn);
  const sgprs = subtarget.hasFeature('sgpr-init-bug') ? INIT_BUG_SGPRS : totalSGPR;
  const bySGPRs = subtarget.occupancyWithNumSGPRs(Math.max(sgprs, 1, subtarget.minNumSGPRs(most)));
  return {
    vgpr,
    agpr,
    sgpr,
    moves,
    framedVGPR,
    framedSGPR,
    totalVGPR,
    totalSGPR,
    vgprHoles,
    byVGPRs,
    bySGPRs,
    occupancy: Math.min(limits.occupancyRange[1], byVGPRs, bySGPRs),
    scratchBytes: scratchBytes(fn, isFramed ? 0 : savedVGPRs.length),
    savedVGPRs,
    savedSGPRs,
    hasCalls: regMasks(fn).length > 0,
  };
}

/** Processors with the SGPR-init bug give every wave so many. */
const INIT_BUG_SGPRS = 96;

/** SGPRs at the end of a wave's that VCC, FLAT_SCR and XNACK_MASK take (IsaInfo::getNumExtraSGPRs). */
function extraSGPRs(fn: MachineFunction, used: BitSet): number {
  const { subtarget, tables } = fn;
  const vcc = touches(fn, used, tables.regByName('vcc')) ? 2 : 0;
  if (subtarget.generation >= Generation.GFX10) return vcc;
  const hasFlat = touches(fn, used, tables.regByName('flat_scr')) && namesFlatScratch(fn);
  if (subtarget.generation < Generation.VOLCANIC_ISLANDS) return hasFlat ? 4 : vcc;
  if (hasFlat || subtarget.hasFeature('architected-flat-scratch')) return 6;
  return subtarget.xnackEnabled ? 4 : vcc;
}

/** That flat instructions read it does not count, except in a kernel that is given it. */
function namesFlatScratch(fn: MachineFunction): boolean {
  const { tables, header } = fn;
  if (header.machineFunctionInfo.argumentInfo?.has('flatScratchInit') === true) return true;
  const flat = tables.regByName('flat_scr');
  for (let o = 0; o < fn.nOperands; o++) {
    if (fn.opKind[o] !== OperandKind.Register || !isPhysicalReg(fn.opVal[o])) continue;
    if ((fn.opFlags[o] & OpFlag.Implicit) === 0 && tables.regsOverlap(fn.opVal[o], flat)) return true;
  }
  return false;
}

/** A function returns by way of s30 and s31, and its stack pointer is s32. */
const RETURN_SGPRS = 32;

function hasOpcode(fn: MachineFunction, name: OpcodeSetName): boolean {
  const opcodes = opcodeSet(fn.tables, name);
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) if (opcodes.has(fn.opcode[fn.order[p]])) return true;
  return false;
}

const hasObjects = ({ header }: MachineFunction): boolean =>
  header.stack.some((o) => o.isDead !== true && o.stackId === 'default');

/**
 * Whole-wave registers, the highest first, move down to the lowest VGPR that may be allocated, that no code names and that no call overwrites, while that
 * is lower (SIFrameLowering::determineCalleeSaves; docs/llvm/allocation-pipeline.md, 3).
 */
function wholeWaveMoves(fn: MachineFunction, used: BitSet): RegisterMove[] {
  const { tables, header } = fn;
  const vgprs = tables.numberedRegs('vgpr');
  const numberOf = new Map(Array.from(vgprs, (reg, n) => [reg, n]));
  const own = header.machineFunctionInfo.wwmReservedRegs.filter((reg) => numberOf.has(reg));
  if (own.length === 0) return [];
  const reserved = new ReservedRegs(fn);
  const masks = regMasks(fn);
  const isClobbered = (reg: PhysReg): boolean =>
    masks.some((bits) => (((bits[reg >>> 5] ?? 0) >>> (reg & 31)) & 1) === 0);
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

function highestBehind(fn: MachineFunction, used: BitSet, moves: readonly RegisterMove[]): number {
  const from = new Set(moves.map((m) => m.from));
  const to = new Set(moves.map((m) => m.to));
  const vgprs = fn.tables.numberedRegs('vgpr');
  for (let n = vgprs.length - 1; n >= 0; n--)
    if (to.has(vgprs[n]) || (!from.has(vgprs[n]) && touches(fn, used, vgprs[n]))) return n + 1;
  return 0;
}

function regMasks(fn: MachineFunction): Uint32Array[] {
  const found: Uint32Array[] = [];
  for (let o = 0; o < fn.nOperands; o++) {
    if (fn.opKind[o] !== OperandKind.RegisterMask) continue;
    const { mask, regs } = fn.payload(o, OperandKind.RegisterMask);
    const bits = mask >= 0 ? fn.tables.regMaskBits(mask) : new Uint32Array((fn.tables.nRegs + 31) >>> 5);
    if (mask < 0) for (const r of regs) bits[r >>> 5] |= 1 << (r & 31);
    found.push(bits);
  }
  return found;
}

function scratchBytes({ header }: MachineFunction, nSaved: number): number {
  if (header.frameInfo.stackSize > 0n) return Number(header.frameInfo.stackSize);
  let end = 4 * nSaved;
  for (const { isDead, type, stackId, size, alignment } of header.stack) {
    if (isDead === true || type === 'variable-sized' || stackId !== 'default') continue;
    const align = Math.max(alignment, 1);
    end = Math.ceil(end / align) * align + Number(size);
  }
  return end;
}

function savedRegisters(fn: MachineFunction): [PhysReg[], PhysReg[]] {
  const { header, subtarget, tables } = fn;
  const saved = header.calleeSavedRegisters ?? subtarget.calleeSavedRegs(header.irFunction.callingConv);
  if (saved.length === 0 || header.machineFunctionInfo.isEntryFunction) return [[], []];
  const written = usedUnits(fn, true);
  const changed = saved.filter((reg) => touches(fn, written, reg));
  const isScalar = (reg: PhysReg): boolean => /^sgpr/.test(tables.regName(reg));
  return [changed.filter((reg) => !isScalar(reg)), changed.filter(isScalar)];
}
