/**
 * Reserved registers of a function: those that are never allocated and whose liveness is not tracked.
 *
 * Follows SIRegisterInfo::getReservedRegs (LLVM 22, spec allocation.md 4). A register is reserved when one of its register
 * units belongs to a reserved register.
 */
import type { PhysReg, TargetTables } from '../../target/api.js';
import { isPhysicalReg } from '../../model/machineFunction.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import { CallingConv, computeFunctionLimits } from '../functionLimits.js';

/** stack alignment of AMDGPU, in bytes */
const STACK_ALIGN = 16;
/** the base pointer of a function with a realigned stack */
const BASE_POINTER_SGPR = 34;

// prettier-ignore
const ALWAYS_RESERVED = [
  'mode', 'ASYNCcnt', 'TENSORcnt', 'exec', 'flat_scr', 'm0', 'src_vccz', 'src_execz', 'src_scc', 'src_shared_base',
  'src_shared_limit', 'src_private_base', 'src_private_limit', 'src_flat_scratch_base', 'src_pops_exiting_wave_id',
  'xnack_mask', 'lds_direct', 'tba', 'tma', 'sgpr_null64',
  'ttmp0_ttmp1_ttmp2_ttmp3', 'ttmp4_ttmp5_ttmp6_ttmp7', 'ttmp8_ttmp9_ttmp10_ttmp11', 'ttmp12_ttmp13_ttmp14_ttmp15',
];

/** What does not depend on the function; filled on first use for each set of tables. */
interface StaticUnits {
  readonly always: Uint8Array;
  readonly sgprs: readonly PhysReg[];
  readonly vgprs: readonly PhysReg[];
  readonly agprs: readonly PhysReg[];
}

const staticUnits = new WeakMap<TargetTables, StaticUnits>();

function markUnits(tables: TargetTables, units: Uint8Array, reg: PhysReg): void {
  for (let u = tables.unitBegin[reg]; u < tables.unitBegin[reg + 1]; u++) units[tables.unitList[u]] = 1;
}

function numberedRegs(tables: TargetTables, prefix: string): PhysReg[] {
  const regs: PhysReg[] = [];
  for (let i = 0; ; i++) {
    const reg = tables.regByName(prefix + String(i));
    if (reg < 0) return regs;
    regs.push(reg);
  }
}

function staticUnitsOf(tables: TargetTables): StaticUnits {
  let s = staticUnits.get(tables);
  if (!s) {
    const always = new Uint8Array(tables.nRegUnits);
    for (const name of ALWAYS_RESERVED) {
      let reg = tables.regByName(name);
      if (reg < 0) reg = tables.regByName(name.toLowerCase());
      if (reg >= 0) markUnits(tables, always, reg);
    }
    s = {
      always,
      sgprs: numberedRegs(tables, 'sgpr'),
      vgprs: numberedRegs(tables, 'vgpr'),
      agprs: numberedRegs(tables, 'agpr'),
    };
    staticUnits.set(tables, s);
  }
  return s;
}

/** Answers whether a register is reserved. The part that depends on the function is found at the first question about it. */
export class ReservedRegs {
  private readonly tables: TargetTables;
  private readonly known: StaticUnits;
  private units: Uint8Array | null = null;

  constructor(private readonly fn: MachineFunction) {
    this.tables = fn.tables;
    this.known = staticUnitsOf(fn.tables);
  }

  has(reg: PhysReg): boolean {
    const { unitBegin, unitList } = this.tables;
    const begin = unitBegin[reg];
    const end = unitBegin[reg + 1];
    const { always } = this.known;
    for (let u = begin; u < end; u++) if (always[unitList[u]] === 1) return true;
    this.units ??= this.functionUnits();
    for (let u = begin; u < end; u++) if (this.units[unitList[u]] === 1) return true;
    return false;
  }

  private functionUnits(): Uint8Array {
    const { tables, fn } = this;
    const st = fn.subtarget;
    const units = this.known.always.slice();
    const info = fn.header.machineFunctionInfo;
    const limits = computeFunctionLimits(fn);
    const [nVGPRs, nAGPRs] = limits.maxNumVectorRegs;
    const { sgprs, vgprs, agprs } = this.known;
    for (let i = Math.max(0, limits.maxNumSGPRs); i < sgprs.length; i++) markUnits(tables, units, sgprs[i]);
    for (let i = nVGPRs; i < vgprs.length; i++) markUnits(tables, units, vgprs[i]);
    for (let i = nAGPRs; i < agprs.length; i++) markUnits(tables, units, agprs[i]);

    const mark = (reg: number): void => {
      if (isPhysicalReg(reg)) markUnits(tables, units, reg);
    };
    mark(info.scratchRSrcReg);
    mark(info.stackPtrOffsetReg);
    mark(info.frameOffsetReg);
    mark(info.longBranchReservedReg);
    mark(info.sgprForEXECCopy);
    for (const reg of info.wwmReservedRegs) mark(reg);
    if (st.hasMAIInsts && !st.hasGFX90AInsts) {
      if (isPhysicalReg(info.vgprForAGPRCopy)) mark(info.vgprForAGPRCopy);
      else if (nVGPRs > 0) mark(vgprs[nVGPRs - 1]);
    }
    if (this.needsBasePointer()) mark(sgprs[BASE_POINTER_SGPR]);
    return units;
  }

  private needsBasePointer(): boolean {
    const { header } = this.fn;
    const cc = header.irFunction.callingConv;
    if (header.fixedStack.length === 0 || header.machineFunctionInfo.isEntryFunction) return false;
    if (cc === CallingConv.AMDGPU_CS_Chain || cc === CallingConv.AMDGPU_CS_ChainPreserve) return false;
    let align = header.frameInfo.maxAlignment;
    for (const o of header.stack) align = Math.max(align, o.alignment);
    for (const o of header.fixedStack) align = Math.max(align, o.alignment);
    return align > STACK_ALIGN;
  }
}
