/**
 * What an allocated function uses: registers of each file, the waves that fit beside each other, scratch memory, registers of its callers.
 * Follows AMDGPUResourceUsageAnalysis and AMDGPUAsmPrinter::getSIProgramInfo (LLVM 22) for the code as it stands: what prologepilog and later passes
 * add is not in it.
 */
import { computeFunctionLimits, isShader, type FunctionLimits } from '../model/functionLimits.js';
import { OpFlag, OperandKind, type MachineFunction } from '../model/machineFunction.js';
import { isPhysicalReg } from '../model/register.js';
import { Generation, type PhysReg } from '../target/api.js';
import { BitSet } from '../util/bitset.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';

/** Numbers of 32-bit registers: the highest one that is mentioned, plus one. */
export interface AllocatedUse {
  readonly vgpr: number;
  readonly agpr: number;
  readonly sgpr: number;
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
export function usedUnits(fn: MachineFunction, onlyDefs = false): BitSet {
  const { unitBegin, unitEnd, unitList, nRegUnits } = fn.tables;
  const traits = opcodeTraits(fn.tables);
  const used = new BitSet(nRegUnits);
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      const i = fn.order[p];
      if ((traits[fn.opcode[i]] & OpcodeTrait.Debug) !== 0) continue;
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        const reg = fn.opVal[o];
        if (fn.opKind[o] !== OperandKind.Register || !isPhysicalReg(reg)) continue;
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
export function highestUsed(fn: MachineFunction, used: BitSet, file: 'vgpr' | 'sgpr' | 'agpr'): number {
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
  const vgprs = fn.tables.numberedRegs('vgpr');
  let vgprHoles = 0;
  for (let n = 0; n < vgpr; n++) if (!touches(fn, used, vgprs[n])) vgprHoles++;
  // What a shader is started with counts, used or not.
  const isStarted = isShader(irFunction.callingConv) && info.isEntryFunction;
  const arch = Math.max(vgpr, isStarted ? info.numWaveDispatchVGPRs : 0);
  const totalVGPR = !subtarget.hasGFX90AInsts ? Math.max(arch, agpr) : agpr === 0 ? arch : ((arch + 3) & ~3) + agpr;
  const totalSGPR = Math.max(sgpr + extraSGPRs(fn, used), isStarted ? info.numWaveDispatchSGPRs : 0);
  const most = limits.wavesPerEU[1];
  const dyn = limits.dynamicVGPRBlockSize;
  const byVGPRs = subtarget.occupancyWithNumVGPRs(Math.max(totalVGPR, 1, subtarget.minNumVGPRs(most, dyn)), dyn);
  const sgprs = subtarget.hasFeature('sgpr-init-bug') ? INIT_BUG_SGPRS : totalSGPR;
  const bySGPRs = subtarget.occupancyWithNumSGPRs(Math.max(sgprs, 1, subtarget.minNumSGPRs(most)));
  const [savedVGPRs, savedSGPRs] = savedRegisters(fn);
  return {
    vgpr,
    agpr,
    sgpr,
    totalVGPR,
    totalSGPR,
    vgprHoles,
    byVGPRs,
    bySGPRs,
    occupancy: Math.min(limits.occupancyRange[1], byVGPRs, bySGPRs),
    scratchBytes: scratchBytes(fn),
    savedVGPRs,
    savedSGPRs,
    hasCalls: hasRegMask(fn),
  };
}

/** Processors with the SGPR-init bug give every wave so many. */
const INIT_BUG_SGPRS = 96;

/** SGPRs at the end of a wave's that VCC, FLAT_SCR and XNACK_MASK take (IsaInfo::getNumExtraSGPRs). */
function extraSGPRs(fn: MachineFunction, used: BitSet): number {
  const { subtarget, tables } = fn;
  const vcc = touches(fn, used, tables.regByName('vcc')) ? 2 : 0;
  if (subtarget.generation >= Generation.GFX10) return vcc;
  const hasFlat = touches(fn, used, tables.regByName('flat_scr'));
  if (subtarget.generation < Generation.VOLCANIC_ISLANDS) return hasFlat ? 4 : vcc;
  if (hasFlat || subtarget.hasFeature('architected-flat-scratch')) return 6;
  return subtarget.xnackEnabled ? 4 : vcc;
}

function scratchBytes({ header }: MachineFunction): number {
  if (header.frameInfo.stackSize > 0n) return Number(header.frameInfo.stackSize);
  let end = 0;
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

function hasRegMask(fn: MachineFunction): boolean {
  for (let o = 0; o < fn.nOperands; o++) if (fn.opKind[o] === OperandKind.RegisterMask) return true;
  return false;
}
