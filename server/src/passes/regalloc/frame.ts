import { CallingConv } from '../../model/functionLimits.js';
import type { AllocState } from './state.js';

/** Whether the frame is addressed through a frame pointer, as far as it is known before frames are laid out (SIFrameLowering::hasFP). */
export function frameHasPointer(state: AllocState): boolean {
  const { frame, info, header, stack } = state;
  const cc = header.irFunction.callingConv;
  const isChain = cc === CallingConv.AMDGPU_CS_Chain || cc === CallingConv.AMDGPU_CS_ChainPreserve;
  if (frame.hasCalls && !info.isEntryFunction && !isChain && frame.stackSize !== 0n) return true;
  if (frame.hasCalls && !info.isEntryFunction && !isChain) return false;
  return (
    stack.some((o) => o.type === 'variable-sized') ||
    frame.hasStackMap ||
    frame.hasPatchPoint ||
    frame.isFrameAddressTaken ||
    (frame.maxAlignment > 16 && !info.isEntryFunction && !isChain) ||
    header.irFunction.attributes.get('frame-pointer') === 'all'
  );
}
