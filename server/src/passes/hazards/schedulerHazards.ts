/**
 * The hazard recognizer as the schedulers after allocation ask it: it knows what they have issued in the region so far, holds instructions back, and
 * makes no no-ops (GCNHazardRecognizer outside of its pass; docs/llvm/post-ra-scheduling.md, 3).
 */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleFlag, type InstrId } from '../../model/machineFunction.js';
import { EmittedInstrs, lookAheadOf } from './emittedInstrs.js';
import { HazardInstrs, NEVER } from './hazardInstrs.js';
import { NoopRules } from './noopRules.js';

/** Instructions with a way back that is what was issued, not what stands in front of them. */
class IssuedInstrs extends HazardInstrs {
  emitted: readonly (InstrId | null)[] = [];

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::getWaitStatesSince */
  override within(_from: InstrId, limit: number, isHazard: (i: InstrId) => boolean): number {
    let states = 0;
    for (const i of this.emitted) {
      if (i === null) states++;
      else {
        if (isHazard(i)) return states;
        if (this.isInlineAsm(i)) continue;
        // S_NOP counts twice: the cycles behind its first are empty entries of their own.
        states += this.waitStates(i);
      }
      if (states >= limit) break;
    }
    return NEVER;
  }
}

/** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer */
export class SchedulerHazards {
  private readonly instrs: IssuedInstrs;
  private readonly rules: NoopRules;
  private readonly lookAhead: number;
  private emitted: EmittedInstrs;
  /** issued in the cycle that is not over yet; -1 = nothing */
  private current: InstrId = -1;

  constructor(editor: FunctionEditor, paddingPercent: number) {
    this.instrs = new IssuedInstrs(editor);
    this.rules = new NoopRules(this.instrs, paddingPercent);
    this.lookAhead = lookAheadOf(editor);
    this.emitted = new EmittedInstrs(this.instrs, this.lookAhead);
  }

  /** A new region begins. */
  reset(): void {
    this.emitted = new EmittedInstrs(this.instrs, this.lookAhead);
    this.instrs.emitted = this.emitted.list;
    this.current = -1;
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::getHazardType */
  isHazard(i: InstrId): boolean {
    return this.rules.isHazard(i, this.emitted.list);
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::EmitInstruction */
  emit(i: InstrId): void {
    this.current = i;
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::AdvanceCycle */
  advanceCycle(): void {
    const { current, instrs, emitted, rules } = this;
    this.current = -1;
    if (current < 0) emitted.noops(1);
    else if (!instrs.isBundle(current)) emitted.issue(current);
    else {
      const { bundle } = instrs.fn;
      for (let m = current; (bundle[m] & BundleFlag.BundledSucc) !== 0;) {
        m++;
        emitted.issueMember(m, Math.max(0, rules.before(m, emitted.list)));
      }
    }
  }

  /**
   * A matrix instruction right behind another one would wait: others go first.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::ShouldPreferAnother
   */
  prefersAnother(i: InstrId): boolean {
    const { instrs } = this;
    if (!instrs.isMFMA(i)) return false;
    let before = -1;
    const isMatrix = (k: InstrId): boolean => {
      if (!instrs.isMFMA(k)) return false;
      before = k;
      return true;
    };
    const since = instrs.within(i, 16, isMatrix);
    return since < instrs.latency(before < 0 ? i : before);
  }
}
