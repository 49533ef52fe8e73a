/** What of a function is settled when its instructions are selected: the registers of its stack, of EXEC around whole-wave copies (docs/llvm/selected-code.md, 1). */
import { hasFramePointer } from '../../analysis/frame/framePointers.js';
import { computeFunctionLimits } from '../../analysis/functionLimits.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { isShader } from '../../model/functionLimits.js';
import { OpFlag, type MachineFunction } from '../../model/machineFunction.js';
import { NO_REG, type Reg } from '../../model/register.js';
import type { Subtarget } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { NotModelled } from '../machinePass.js';

/** @llvm GCNSubtarget.h GCNSubtarget::enableFlatScratch */
const usesFlatScratch = (st: Subtarget): boolean =>
  st.hasFeature('enable-flat-scratch') || st.hasFeature('architected-flat-scratch');

/** @llvm SIISelLowering.cpp SITargetLowering::finalizeLowering */
export function finalizeFunction(editor: FunctionEditor, isUnoptimized: boolean): void {
  const { fn } = editor;
  const { tables, subtarget, header } = fn;
  const info = header.machineFunctionInfo;
  const limits = computeFunctionLimits(fn);
  const byName = (name: string): Reg => tables.regByName(name);
  if (info.isEntryFunction) reserveStackRegisters(fn, isUnoptimized, limits.maxNumSGPRs);
  info.sgprForEXECCopy = highestSGPRs(fn, limits.maxNumSGPRs, subtarget.wavefrontSize === 32 ? 1 : 2);
  const placed: readonly (readonly [string, Reg])[] = [
    ['sp_reg', info.stackPtrOffsetReg],
    ['private_rsrc_reg', info.scratchRSrcReg],
    ['fp_reg', info.frameOffsetReg],
  ];
  for (const [name, reg] of placed) if (reg !== byName(name)) editor.replaceReg(byName(name), reg);
  info.occupancy = Math.min(info.occupancy, limits.wavesPerEU[1], limits.occupancyRange[1]);
  if (subtarget.wavefrontSize === 32) halveVCC(editor, byName('vcc'), byName('vcc_lo'));
  if (subtarget.needsAlignedVGPRs) alignTuples(fn);
}

/**
 * The buffer and the pointers of a function that nobody calls.
 * @llvm SIISelLowering.cpp reservePrivateMemoryRegs
 */
function reserveStackRegisters(fn: MachineFunction, isUnoptimized: boolean, maxSGPRs: number): void {
  const { tables, subtarget, header } = fn;
  const { machineFunctionInfo: info, frameInfo, stack, fixedStack, irFunction, liveIns } = header;
  const hasObjects = stack.length > 0 || fixedStack.length > 0 || isUnoptimized;
  if (!usesFlatScratch(subtarget)) {
    const isMesaKernel = subtarget.isMesa3DOS && !isShader(irFunction.callingConv);
    const isGiven = (hasObjects || frameInfo.hasCalls) && (subtarget.isAmdHsaOS || isMesaKernel);
    info.scratchRSrcReg = isGiven
      ? (info.argumentInfo?.get('privateSegmentBuffer')?.reg ?? NO_REG)
      : highestSGPRs(fn, maxSGPRs, 4);
  }
  const isLiveIn = (reg: Reg): boolean => liveIns.some((l) => l.reg === reg);
  const usual = tables.regByName('sgpr32');
  if (isLiveIn(usual)) {
    if (frameInfo.hasCalls) throw new NotModelled('a call in a shader with too many inputs in SGPRs');
    let n = 0;
    while (isLiveIn(tables.regByName(`sgpr${n}`))) n++;
    info.stackPtrOffsetReg = tables.regByName(`sgpr${n}`);
  } else info.stackPtrOffsetReg = usual;
  if (hasFramePointer(header)) info.frameOffsetReg = tables.regByName('sgpr33');
}

/**
 * The last SGPRs of the budget that begin at a multiple of their number.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::getAlignedHighSGPRForRC
 */
function highestSGPRs({ tables }: MachineFunction, max: number, n: number): Reg {
  const first = max - (max % n) - n;
  return tables.regByName(Array.from({ length: n }, (_, k) => `sgpr${first + k}`).join('_'));
}

/** @llvm SIInstrInfo.cpp SIInstrInfo::fixImplicitOperands */
function halveVCC(editor: FunctionEditor, vcc: Reg, half: Reg): void {
  const { fn } = editor;
  const asm = opcodeSet(fn.tables, 'inlineAsm');
  for (const o of [...editor.operandsOf(vcc)])
    if ((fn.opFlags[o] & OpFlag.Implicit) !== 0 && !asm.has(fn.opcode[editor.instrOf(o)])) editor.setReg(o, half);
}

/**
 * Classes of several vector registers become those that begin at even numbers.
 * @llvm SIISelLowering.cpp getAlignedAGPRClassID
 */
function alignTuples({ tables, vregs }: MachineFunction): void {
  for (let v = 0; v < vregs.n; v++) {
    const rc = vregs.regClass[v];
    if (rc < 0) continue;
    const name = tables.regClassName(rc).toLowerCase();
    if (!/^(?:areg|vreg|av)_\d+$/.test(name)) continue;
    const aligned = tables.regClassByName(`${name}_align2`);
    if (aligned >= 0) vregs.regClass[v] = aligned;
  }
}
