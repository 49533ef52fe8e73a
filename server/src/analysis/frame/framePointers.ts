/**
 * What the frame of a function is addressed by: frame pointer, base pointer, stack pointer, and whether it is aligned anew. Follows SIFrameLowering,
 * SIRegisterInfo and MachineFrameInfo of LLVM 22.1.8.
 */
import { CallingConv, isEntryFunctionCC, isShader, shouldRealignStack } from '../../model/functionLimits.js';
import type { MachineFunctionHeader } from '../../model/header.js';
import type { PhysReg } from '../../target/api.js';

/**
 * Started by another one in its place, with a frame of its own that begins at 0.
 * @llvm SIMachineFunctionInfo.h SIMachineFunctionInfo::isChainFunction
 */
export function isChainFunction({ irFunction }: MachineFunctionHeader): boolean {
  const cc = irFunction.callingConv;
  return cc === CallingConv.AMDGPU_CS_Chain || cc === CallingConv.AMDGPU_CS_ChainPreserve;
}

/** A chain function that starts no other one has nothing to save. */
export const startsNobody = (header: MachineFunctionHeader): boolean =>
  isChainFunction(header) && !header.frameInfo.hasTailCall;

/** Functions that nobody calls have a frame at 0, which needs no other alignment. */
const beginsAtZero = (header: MachineFunctionHeader): boolean =>
  header.machineFunctionInfo.isEntryFunction || isChainFunction(header);

/**
 * Also where "no-realign-stack" leaves the frame as it is, and whether or not there are fixed objects.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::hasBasePointer
 */
export function hasBasePointer(header: MachineFunctionHeader): boolean {
  return !beginsAtZero(header) && shouldRealignStack(header);
}

/** @llvm TargetRegisterInfo.h TargetRegisterInfo::hasStackRealignment */
export function isStackRealigned(header: MachineFunctionHeader): boolean {
  return hasBasePointer(header) && !header.irFunction.attributes.has('no-realign-stack');
}

/**
 * Objects that make the stack pointer move, or code that looks for it.
 * @llvm SIFrameLowering.cpp frameTriviallyRequiresSP
 */
function movesStackPointer({ frameInfo, stack }: MachineFunctionHeader): boolean {
  return frameInfo.hasStackMap || frameInfo.hasPatchPoint || stack.some((o) => o.type === 'variable-sized');
}

/** @llvm TargetOptionsImpl.cpp TargetOptions::DisableFramePointerElim */
function keepsFramePointer({ frameInfo, irFunction }: MachineFunctionHeader): boolean {
  switch (frameInfo.framePointerPolicy ?? irFunction.attributes.get('frame-pointer')) {
    case 'all':
      return true;
    case 'non-leaf':
      return frameInfo.hasCalls;
    default:
      return false;
  }
}

/**
 * A compute kernel with dynamic VGPRs may find that a trap handler keeps registers at the beginning of its stack.
 * @llvm SIFrameLowering.cpp SIFrameLowering::mayReserveScratchForCWSR
 */
function reservesScratchForTrap({ machineFunctionInfo: info, irFunction }: MachineFunctionHeader): boolean {
  const cc = irFunction.callingConv;
  const isCompute = !isShader(cc) || cc === CallingConv.AMDGPU_CS;
  return info.dynamicVGPRBlockSize !== 0 && isEntryFunctionCC(cc) && isCompute;
}

/**
 * Whether the frame is addressed through a frame pointer. `stackSize`: bytes of the frame as far as it is known, without which a function that calls others
 * has no frame pointer yet.
 * @llvm SIFrameLowering.cpp SIFrameLowering::hasFPImpl
 */
export function hasFramePointer(
  header: MachineFunctionHeader,
  stackSize: bigint = header.frameInfo.stackSize,
): boolean {
  const { frameInfo } = header;
  const isChain = isChainFunction(header);
  if (frameInfo.hasCalls && !header.machineFunctionInfo.isEntryFunction && !isChain) return stackSize !== 0n;
  return (
    (!isChain && movesStackPointer(header)) ||
    frameInfo.isFrameAddressTaken ||
    isStackRealigned(header) ||
    reservesScratchForTrap(header) ||
    keepsFramePointer(header)
  );
}

/**
 * Whether a function with a frame at 0 gives its stack pointer a value.
 * @llvm SIFrameLowering.cpp SIFrameLowering::requiresStackPointerReference
 */
export function needsStackPointer(header: MachineFunctionHeader): boolean {
  return header.frameInfo.hasCalls || movesStackPointer(header);
}

/**
 * What slots are addressed by; 0 = nothing, their offsets are the addresses.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::getFrameRegister
 */
export function frameRegister(header: MachineFunctionHeader): PhysReg {
  const { machineFunctionInfo: info } = header;
  if (hasFramePointer(header)) return info.frameOffsetReg;
  return beginsAtZero(header) ? 0 : info.stackPtrOffsetReg;
}
