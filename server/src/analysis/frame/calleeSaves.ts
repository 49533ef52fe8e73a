/**
 * Which registers a function keeps for its caller, and which of them frame lowering saves: of scalar ones before the lanes that hold them are given
 * (si-lower-sgpr-spills), of vector ones in prologepilog. Follows SIFrameLowering (LLVM 22), `determineCalleeSavesSGPR` and `determineCalleeSaves`.
 */
import type { MachineFunction } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { hasFramePointer, isChainFunction, startsNobody } from './framePointers.js';

/** VGPRs that an encoding of 8 bits has. */
export const NEAR_VGPRS = 256;

/**
 * Those of its calling convention, or of its header.
 * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::getCalleeSavedRegs
 */
export const calleeSaved = ({ header, subtarget }: MachineFunction): readonly PhysReg[] =>
  header.calleeSavedRegisters ?? subtarget.calleeSavedRegs(header.irFunction.callingConv);

/**
 * Scalar registers that are saved before vector ones are allocated, in the order of their saves. `isModified`: code or a call changes the register.
 * @llvm SIFrameLowering.cpp SIFrameLowering::determineCalleeSavesSGPR
 */
export function savedScalars(fn: MachineFunction, isModified: (reg: PhysReg) => boolean): PhysReg[] {
  const { header, tables, subtarget } = fn;
  const { frameInfo: frame, machineFunctionInfo: info } = header;
  const all = calleeSaved(fn);
  const saved = new Set(all.filter(isModified));
  if (info.isEntryFunction) return all.filter((reg) => saved.has(reg));
  saved.delete(info.stackPtrOffsetReg);
  const hasAny = saved.size > 0;
  for (const reg of saved) if (!tables.isSGPRClass(tables.getMinimalPhysRegClass(reg))) saved.delete(reg);
  if ((frame.hasCalls && (hasAny || info.hasSpilledSGPRs)) || hasFramePointer(header))
    saved.delete(info.frameOffsetReg);
  const [low, high, returnAddress] = ['sgpr30', 'sgpr31', 'sgpr30_sgpr31'].map((name) => tables.regByName(name));
  if (frame.hasCalls || isModified(returnAddress)) saved.add(low).add(high);
  const listed = all.filter((reg) => saved.has(reg));
  if (!subtarget.release.rules.savesSGPRsWithCFI) return listed;
  const others = listed.filter((reg) => reg !== low && reg !== high);
  return others.length === listed.length ? listed : [...others, returnAddress];
}

/**
 * Registers that are saved after allocation, by file: those that change, without what the function returns and what has moved away.
 * @llvm SIFrameLowering.cpp SIFrameLowering::determineCalleeSaves
 */
export function savedAtEnd(
  fn: MachineFunction,
  isModified: (reg: PhysReg) => boolean,
  moved: ReadonlySet<PhysReg>,
): { readonly vectors: PhysReg[]; readonly scalars: PhysReg[] } {
  const { header, subtarget, tables } = fn;
  if (startsNobody(header)) return { vectors: [], scalars: [] };
  const changed = calleeSaved(fn).filter(isModified);
  const { isEntryFunction } = header.machineFunctionInfo;
  const isScalar = (reg: PhysReg): boolean => /^sgpr/.test(tables.regName(reg));
  const returned = isEntryFunction ? new Set() : returnedRegs(fn);
  const far = new Set(isEntryFunction ? [] : tables.numberedRegs('vgpr').subarray(NEAR_VGPRS));
  const isSaved = (reg: PhysReg): boolean =>
    !moved.has(reg) &&
    !returned.has(reg) &&
    !far.has(reg) &&
    (subtarget.hasGFX90AInsts || !tables.regName(reg).startsWith('agpr'));
  return { vectors: changed.filter((reg) => !isScalar(reg) && isSaved(reg)), scalars: changed.filter(isScalar) };
}

/** Registers that the last return names. */
function returnedRegs(fn: MachineFunction): ReadonlySet<PhysReg> {
  const returns = opcodeSet(fn.tables, 'returnOfValues');
  const chainCalls = opcodeSet(fn.tables, 'chainCall');
  const isReturn = (opcode: number): boolean =>
    returns.has(opcode) || (chainCalls.has(opcode) && isChainFunction(fn.header));
  let regs = new Set<PhysReg>();
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      const i = fn.order[p];
      if (!isReturn(fn.opcode[i])) continue;
      regs = new Set();
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) regs.add(fn.opVal[o]);
    }
  }
  return regs;
}
