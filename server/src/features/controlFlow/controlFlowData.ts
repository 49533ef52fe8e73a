/** What `amdgpuMir/controlFlow` answers; the page of the control flow view reads it, too. */

export interface FlowBlock {
  /** `bb.2`, `bb.2.loop` */
  readonly name: string;
  /** 0-based lines of the label and of the last line */
  readonly line: number;
  readonly lastLine: number;
  readonly instructions: number;
  /** how often it runs per call, estimated from the probabilities of branches: `0.5x`; empty = the entry does not reach it */
  readonly frequency: string;
  /** loops around it */
  readonly depth: number;
  readonly isLoopHeader: boolean;
  /** most registers live at once: `VGPR 67, SGPR 22`; empty = not known */
  readonly pressure: string;
  /** its most vector registers as a share of the function's, 0 to 1; -1 = not known */
  readonly heat: number;
  /** the function's most vector registers are reached here */
  readonly isPeak: boolean;
  /** lanes part at its end */
  readonly isDivergent: boolean;
  /** lanes that parted meet here */
  readonly isJoin: boolean;
}

export interface FlowEdge {
  /** indices of blocks */
  readonly from: number;
  readonly to: number;
  /** `25%`; empty where there is no choice */
  readonly probability: string;
  /** to a block that dominates it: around a loop */
  readonly isBack: boolean;
}

export interface ControlFlow {
  readonly function: string;
  /** `gfx90a wave64` */
  readonly target: string;
  readonly llvm: string;
  readonly blocks: readonly FlowBlock[];
  readonly edges: readonly FlowEdge[];
  /** `12 blocks, 2 loops, deepest 2; 1 divergent branch` */
  readonly headline: string;
  /** why something is missing; empty = nothing is */
  readonly problem: string;
  /** block by block, for a bug report */
  readonly text: string;
}
