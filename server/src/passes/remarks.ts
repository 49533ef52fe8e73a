/**
 * Why a pass did something, or left it: facts, written down as they are decided, in the `Remarks` that whoever asks gives to the `FunctionState`. Without one a pass
 * looks at a null and goes on. No words stand here: `features/passes/remarkText.ts` has them all.
 */
import type { InstrId } from '../model/machineFunction.js';
import type { Reg } from '../model/register.js';
import type { HazardRule } from './hazards/hazardRule.js';
import type { WaitRule } from './waitCounts/waitRule.js';

/**
 * `at` is the instruction that a remark stands beside: one of the function after the pass, or one that the pass has erased. Ids in remarks are those of
 * when they were written; `Remarks.idNow` follows those that were moved within bundles. -1 = none, or nobody knows which.
 */
interface Placed {
  readonly at: InstrId;
}

/** What one counter is waited for; `left` of `outstanding` accesses may be left. */
export interface WaitNeed {
  /** vmcnt, loadcnt, ... */
  readonly counter: string;
  readonly left: number;
  /** the most that can be under way */
  readonly outstanding: number;
  readonly cause: WaitCause;
}

export type WaitCause =
  /** `by` is still to write the register, or to read it (`isSource`), which the instruction reads, or writes (`overwrites`) */
  | {
      readonly kind: 'register';
      readonly reg: Reg;
      readonly by: InstrId;
      readonly isSource: boolean;
      readonly overwrites: boolean;
      /** accesses counted after it */
      readonly after: number;
      /** what is counted does not come back in order, so that only zero tells */
      readonly isUnordered: boolean;
    }
  | { readonly kind: 'rule'; readonly rule: WaitRule }
  /** a wait that was there before the pass */
  | { readonly kind: 'existing'; readonly by: InstrId };

export interface WaitRemark extends Placed {
  readonly kind: 'wait';
  /** the instruction that waits; -1 = the block ends */
  readonly before: InstrId;
  readonly needs: readonly WaitNeed[];
}

export interface HazardRemark extends Placed {
  readonly kind: 'hazard';
  readonly rule: HazardRule;
  /** the instruction that has to be kept away; -1 = it is `at` itself that was changed */
  readonly before: InstrId;
  /** from what */
  readonly by: InstrId;
  /** wait states inserted; 0 = another instruction is */
  readonly states: number;
  /** wait states, or what the rule counts, that lay between them already */
  readonly between: number;
}

export interface ScalarWaitRemark extends Placed {
  readonly kind: 'scalarWait';
  readonly before: InstrId;
  readonly needs: readonly {
    readonly reg: Reg;
    /** the write; -1 = in another block, or before the function */
    readonly by: InstrId;
    readonly unit: 'SALU' | 'VALU';
  }[];
  /** control leaves the function, and everything is waited for */
  readonly leaves: boolean;
}

/** Instructions that make the processor forget which SGPRs the VALU has read. */
interface ScalarCullRemark extends Placed {
  readonly kind: 'scalarCull';
  readonly before: InstrId;
}

export interface DelayNeed {
  readonly unit: 'VALU' | 'TRANS' | 'SALU';
  /** instructions of the unit back; for SALU cycles that are left */
  readonly n: number;
  readonly reg: Reg;
  /** -1 = in another block */
  readonly by: InstrId;
}

export interface DelayRemark extends Placed {
  readonly kind: 'delay';
  /** one or two instructions that wait by it */
  readonly waiters: readonly {
    readonly before: InstrId;
    readonly needs: readonly DelayNeed[];
    /** instructions between the first and this one; 0 for the first */
    readonly skipped: number;
  }[];
}

/** An address that is counted from S_GETPC_B64, where an instruction more lies between now. */
interface MovedAddressRemark extends Placed {
  readonly kind: 'movedAddress';
  /** that instruction */
  readonly by: InstrId;
}

/** What became of an instruction that a pass might do something with, or why nothing did. */
interface NoteRemark extends Placed {
  readonly kind: 'note';
  readonly rule: NoteRule;
  /** the instruction that it was looked at with; -1 = none */
  readonly other: InstrId;
}

export type NoteRule =
  /** gcn-create-vopd */
  | 'paired'
  | 'pairRoles'
  | 'pairReads'
  | 'pairLong'
  | 'pairScalars'
  | 'pairModifiers'
  | 'pairBanks'
  | 'pairThirdSource'
  /** si-insert-hard-clauses */
  | 'clause'
  | 'clauseKind'
  | 'clauseBase'
  | 'clauseFull'
  /** si-shrink-instructions */
  | 'shrunk'
  | 'shrinkOperands'
  | 'shrinkMask'
  | 'shrinkLiteral'
  | 'shrinkHighRegs'
  /** register-coalescer */
  | 'joined'
  | 'joinClasses'
  | 'joinPhysical'
  | 'joinOverlaps'
  | 'joinUndef'
  | 'joinRemat'
  | 'joinBack'
  | 'joinCommuted'
  | 'joinMoved';

/** One of the other things that a pass puts into the function. */
export interface RuleRemark extends Placed {
  readonly kind: 'rule';
  readonly rule: WaitRule;
}

/** An instruction has gone, or was left where it might have gone. */
export interface DroppedWaitRemark extends Placed {
  readonly kind: 'waitDropped';
  readonly isMerged: boolean;
}

export type Remark =
  | WaitRemark
  | HazardRemark
  | ScalarWaitRemark
  | ScalarCullRemark
  | DelayRemark
  | MovedAddressRemark
  | NoteRemark
  | RuleRemark
  | DroppedWaitRemark;

/** Where a pass writes its reasons to. */
export class Remarks {
  readonly all: Remark[] = [];
  private readonly moved = new Map<InstrId, InstrId>();
  private readonly origin = new Map<InstrId, InstrId>();

  add(remark: Remark): void {
    this.all.push(remark);
  }

  /** A member of a bundle has another id. */
  noteMoved(from: InstrId, to: InstrId): void {
    this.moved.set(from, to);
    this.origin.set(to, from);
  }

  idNow(i: InstrId): InstrId {
    let now = i;
    for (let to = this.moved.get(now); to !== undefined; to = this.moved.get(now)) now = to;
    return now;
  }

  /** The id that it had first. */
  idBefore(i: InstrId): InstrId {
    return this.idBeforeBelow(i, 0);
  }

  /** The last id that it had below `limit`; the first one where it never had such an id. */
  idBeforeBelow(i: InstrId, limit: number): InstrId {
    let then = i;
    for (let from = this.origin.get(then); from !== undefined && then >= limit; from = this.origin.get(then))
      then = from;
    return then;
  }
}
