/** What `amdgpuMir/why` answers. */
import type { Range } from 'vscode-languageserver-types';

/** `soon`: read in this region, from here on; `later`: after it; `through`: this region neither defines nor reads it. */
export type WhyGroupKind = 'soon' | 'later' | 'through';

export interface WhyRegister {
  /** as in the text: `%12`, `%name` */
  readonly register: string;
  /** 32-bit registers that count here; sub-registers that are dead do not */
  readonly weight: number;
  /** register class as MIR spells it, empty without one */
  readonly class: string;
  /** the definition before this place in the text; the first one where there is none before (a loop) */
  readonly definition: Range | null;
  readonly nDefinitions: number;
  /** the instruction itself defines it */
  readonly isDefinedHere: boolean;
  /** the next instruction in the text that reads it, this one included; the first one where there is none after (a loop) */
  readonly nextUse: Range | null;
  /** instructions to it where it is in the same block and after, else -1 */
  readonly distance: number;
  /** e.g. `bb.3:4` */
  readonly nextUsePlace: string;
  /** instructions over which some lane of it lives, in the whole function */
  readonly lives: number;
  readonly isRematerializable: boolean;
  /** where copies could stand, or why it cannot be rematerialized; empty where its opcode does not allow it */
  readonly rematerialization: string;
}

export interface WhyGroup {
  readonly kind: WhyGroupKind;
  readonly weight: number;
  /** longest-lived first */
  readonly registers: readonly WhyRegister[];
}

export interface WhyBank {
  readonly bank: string;
  /** what hover and hints show at this instruction: amdgpu-print-rp's number */
  readonly pressure: number;
  readonly groups: readonly WhyGroup[];
}

export interface WhyResult {
  readonly function: string;
  readonly target: string;
  /** the instruction; null when there is no pressure to explain, the report says why */
  readonly range: Range | null;
  /** e.g. `bb.1:15` */
  readonly place: string;
  readonly banks: readonly WhyBank[];
  /** all of it as text with 1-based line numbers */
  readonly report: string;
}
