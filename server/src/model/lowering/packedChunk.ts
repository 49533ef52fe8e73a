/**
 * A chunk of a body lowered as far as is possible without its neighbours: opcodes, physical registers, immediates, memory
 * operands and ties resolved in columns; virtual registers as indices into the chunk's own list, block references as written.
 *
 * Chunks survive edits, and so do their packed forms: lowerFunction.ts joins them with typed-array copies. A packed chunk
 * belongs to one FunctionContext (subtarget, IR function, frame) and is made again when that changes.
 * All offsets are relative to the start of the chunk.
 */
import type { Facts } from '../../text/diagnostic.js';
import type { Chunk, Node } from '../../syntax/tree.js';
import type { LLT } from '../llt.js';
import type { BlockLiveIn, InstrExtra, OperandPayload } from '../machineFunction.js';
import type { MemOperand } from '../memOperand.js';
import type { FunctionContext } from './context.js';
import type { Phase } from './diagnostics.js';

/** How a virtual register is described by an annotation (VRegInfo::Kind). */
export const enum VRegKind {
  Unknown = 0,
  /** register class */
  Normal = 1,
  /** `_` */
  Generic = 2,
  /** register bank */
  Bank = 3,
}

export const enum VRegSummary {
  /** annotations within the chunk contradict each other */
  Conflict = 1,
  /** defined without a type; an error when the register is generic */
  UntypedDef = 2,
}

/**
 * One place that says something about a virtual register, for replaying conflicts in order: a record of EVENT_STRIDE Int32. The
 * fields:
 */
export const enum VRegEvent {
  VReg = 0,
  /** VRegKind */
  Kind,
  /** class or bank */
  Id,
  /** index in `eventTypes`, -1 = none */
  Type,
  IsDef,
  /** the class annotation, -1 = none */
  ClassStart,
  ClassEnd,
  /** the operand */
  Start,
  End,
}

export const EVENT_STRIDE = 9;

export const enum LineKind {
  Label = 0,
  Successors = 1,
  LiveIns = 2,
  BundleOpen = 3,
  BundleClose = 4,
  /** an instruction that was dropped because of an error */
  BadInstruction = 5,
}

export interface LabelInfo {
  readonly node: Node;
  readonly number: number;
  readonly irName: string | null;
  readonly irBlockRef: string | null;
  readonly isMachineBlockAddressTaken: boolean;
  readonly irBlockAddressTaken: string | null;
  readonly isLandingPad: boolean;
  readonly isInlineAsmBrIndirectTarget: boolean;
  readonly isEHFuncletEntry: boolean;
  readonly isEHScopeEntry: boolean;
  readonly alignment: number;
  readonly sectionId: string | null;
  readonly callFrameSize: number;
}

export interface SuccessorRef {
  readonly number: number;
  readonly name: string | null;
  readonly weight: number;
  readonly start: number;
  readonly end: number;
}

export interface SuccessorsInfo {
  readonly node: Node;
  readonly successors: readonly SuccessorRef[];
}

export interface LiveInsInfo {
  readonly node: Node;
  readonly liveIns: readonly BlockLiveIn[];
  /** nodes parallel to liveIns */
  readonly nodes: readonly Node[];
}

/** What is not an instruction, in text order. */
export interface BodyLine {
  readonly kind: LineKind;
  readonly node: Node;
  /** number of packed instructions of the chunk before it */
  readonly instrsBefore: number;
  readonly info: LabelInfo | SuccessorsInfo | LiveInsInfo | null;
}

export interface ChunkDiagnostic {
  readonly phase: Phase;
  /** offset at which llc detects it */
  readonly order: number;
  readonly start: number;
  readonly end: number;
  readonly code: string;
  readonly message: string;
  readonly facts: Facts | null;
  readonly llcOffset: number;
}

/** A block operand to be patched. */
/** The operand of a reference whose instruction is wrong. */
export const NO_OPERAND = -1;

export interface BlockReference {
  /** operand index within the chunk, or NO_OPERAND */
  readonly operand: number;
  readonly number: number;
  readonly name: string | null;
  readonly start: number;
  readonly end: number;
}

export interface ConditionOperand {
  readonly instr: number;
  readonly operand: number;
}

export interface PackedChunk {
  readonly context: FunctionContext;
  readonly chunk: Chunk;

  // -- instructions (columns of MachineFunction) ------------------------------------------------------------------
  readonly nInstrs: number;
  readonly opcode: Uint16Array;
  /** length nInstrs + 1 */
  readonly opBegin: Int32Array;
  readonly instrFlags: Uint32Array;
  readonly instrNode: Int32Array;
  readonly memOperands: readonly (readonly MemOperand[] | null)[];
  readonly extras: readonly { readonly instr: number; readonly extra: InstrExtra }[];

  // -- operands ---------------------------------------------------------------------------------------------------
  readonly nOperands: number;
  readonly opKind: Uint8Array;
  readonly opFlags: Uint16Array;
  readonly opVal: Int32Array;
  readonly opExt: Int32Array;
  readonly opSub: Uint16Array;
  readonly opTied: Int16Array;
  readonly opTargetFlags: Uint8Array;
  readonly opNode: Int32Array;
  /** operands whose opVal is `~local vreg` */
  readonly vregOperands: Int32Array;
  /** operands whose opVal indexes `payloads` */
  readonly payloadOperands: Int32Array;
  readonly payloads: readonly OperandPayload[];
  /** operands on wave32 that name the whole condition: it is its low half (GCNSubtarget::mirFileLoaded), but in members of bundles */
  readonly conditionOperands: readonly ConditionOperand[];
  readonly blockReferences: readonly BlockReference[];

  // -- virtual registers in order of first mention ----------------------------------------------------------------
  readonly nVRegs: number;
  /** number as written, or interner id of the name where `vregIsNamed` */
  readonly vregKey: Int32Array;
  readonly vregIsNamed: Uint8Array;
  /** VRegKind */
  readonly vregKind: Uint8Array;
  readonly vregId: Int16Array;
  readonly vregType: readonly (LLT | null)[];
  /** VRegSummary */
  readonly vregSummary: Uint8Array;
  /** definitions, saturated at 2; bit 2: one with a sub-register */
  readonly vregDefs: Uint8Array;
  /** start of the first mention */
  readonly vregFirst: Int32Array;
  /** VRegEvent records */
  readonly vregEvents: Int32Array;
  readonly eventTypes: readonly LLT[];
  readonly maxVRegNumber: number;

  readonly lines: readonly BodyLine[];
  readonly diagnostics: readonly ChunkDiagnostic[];
  readonly hasPhi: boolean;
  readonly hasFakeUse: boolean;
}
