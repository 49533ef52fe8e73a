/** How each release of LLVM behaves where they differ (`ReleaseRules` in api.ts says what the members mean). */
import type { ReleaseRules } from './api.js';

export const LLVM22_RULES: ReleaseRules = {
  hasFramePointerPolicy: false,
  hasNoSignedZeros: true,
  decimalFloats: false,
  inlineAsmWords: false,
  dividesSGPRs: false,
  hasFloatLLTs: false,
  hasMMRA: false,
  hasWaitMnemonics: false,
  fastMathOnIntegerCasts: false,
  knowsIntrinsics: true,
  hasMinNumAGPRs: false,
  printsNoConvergent: false,
  listsUniformFunctions: false,
  cyclesInPreorder: false,
  asmDivergesByConstraint: false,
};

export const LLVM24_RULES: ReleaseRules = {
  hasFramePointerPolicy: true,
  hasNoSignedZeros: false,
  decimalFloats: true,
  inlineAsmWords: true,
  dividesSGPRs: true,
  hasFloatLLTs: true,
  hasMMRA: true,
  hasWaitMnemonics: true,
  fastMathOnIntegerCasts: true,
  knowsIntrinsics: false,
  hasMinNumAGPRs: true,
  printsNoConvergent: true,
  listsUniformFunctions: true,
  cyclesInPreorder: true,
  asmDivergesByConstraint: true,
};
