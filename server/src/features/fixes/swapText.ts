/** A file of Triton's TRITON_DUMP_MIR, edited or not, as TRITON_SWAP_MIR takes it (program/tritonDump.ts). */
import { fileForSwap } from '../../program/tritonDump.js';
import { SourceText } from '../../text/sourceText.js';
import { oneLine } from '../../text/visible.js';
import type { Snapshot } from '../snapshot/snapshot.js';

export interface SwapText {
  /** null where Triton's LLVM would refuse the file */
  readonly text: string | null;
  /** operands that were written as its LLVM reads them */
  readonly repaired: number;
  /** the first error, with its line from 1 on; else '' */
  readonly problem: string;
}

/** `amdgpuMir/swapText`: of the whole document. */
export function provideSwapText(snapshot: Snapshot): SwapText {
  const { text, repaired, errors } = fileForSwap(snapshot.text.text);
  const [first] = errors;
  if (first === undefined) return { text, repaired, problem: '' };
  const { line } = new SourceText(text).positionAt(first.start);
  return { text: null, repaired, problem: `line ${line + 1}: ${oneLine(first.message)}` };
}
