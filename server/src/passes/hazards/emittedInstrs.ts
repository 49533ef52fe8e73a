/** What was issued before an instruction, as the hazard recognizer remembers it: no further back than it has to look. */
import { PhysRegUse } from '../../analysis/physRegUse.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { InstrId } from '../../model/machineFunction.js';
import type { HazardInstrs } from './hazardInstrs.js';

/** Cycles that are remembered, with and without AGPRs. */
const LOOK_AHEAD = 5;
const LOOK_AHEAD_AGPR = 19;
/** No rule looks back over more cycles. */
const LONGEST = 32;

/** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::GCNHazardRecognizer */
export const lookAheadOf = (editor: FunctionEditor): number =>
  new PhysRegUse(editor).isUsed(editor.fn.tables.regByName('agpr0')) ? LOOK_AHEAD_AGPR : LOOK_AHEAD;

export class EmittedInstrs {
  /** the last one first, across blocks; null = an empty cycle */
  readonly list: (InstrId | null)[] = [];

  constructor(
    private readonly instrs: HazardInstrs,
    readonly lookAhead: number,
  ) {}

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::EmitNoop */
  noops(n: number): void {
    for (let k = 0; k < n; k++) this.list.unshift(null);
    if (this.list.length > LONGEST) this.list.length = LONGEST;
  }

  /** An instruction that is no bundle, with the empty cycles behind it. */
  issue(i: InstrId): void {
    const states = this.instrs.waitStates(i);
    if (states === 0) return;
    this.list.unshift(i);
    this.noops(Math.min(states, this.lookAhead) - 1);
    this.forget();
  }

  /** A member of a bundle, behind `states` empty cycles. */
  issueMember(i: InstrId, states: number): void {
    this.noops(Math.min(states, this.lookAhead - 1));
    this.list.unshift(i);
    this.forget();
  }

  /** What is remembered has one length once something was issued. */
  private forget(): void {
    while (this.list.length < this.lookAhead) this.list.push(null);
    this.list.length = this.lookAhead;
  }
}
