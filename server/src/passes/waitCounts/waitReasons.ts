/** Why si-insert-waitcnts waits, by counter, for whoever asks: what an access has still to do, or which rule of the processor it is. */
import type { InstrId } from '../../model/machineFunction.js';
import type { Remarks, WaitCause, WaitNeed } from '../remarks.js';
import type { WaitBrackets } from './brackets.js';
import { NO_WAIT, type Counter, type Counters, type Wait } from './counters.js';
import type { WaitRule } from './waitRule.js';

export class WaitReasons {
  /** of the instruction that is looked at, by counter */
  private needs: (WaitNeed | null)[] = [];
  /** by the wait instruction: blocks are gone through again */
  private readonly settled = new Map<InstrId, { before: InstrId; needs: Map<Counter, WaitNeed> }>();

  /** what is there by a rule, whatever is under way */
  private readonly byRule = new Set<InstrId>();

  constructor(
    private readonly remarks: Remarks,
    private readonly counters: Counters,
  ) {}

  begin(): void {
    this.needs = [];
  }

  /** What `wait` asks for, and nothing before has, is for this cause. */
  note(wait: Wait, brackets: WaitBrackets, causeOf: (c: Counter) => WaitCause): void {
    wait.forEach((left, c: Counter) => {
      if (left === NO_WAIT || left >= (this.needs[c]?.left ?? NO_WAIT)) return;
      this.needs[c] = {
        counter: this.counters.names[c] ?? '',
        left,
        outstanding: brackets.range(c),
        cause: causeOf(c),
      };
    });
  }

  rule(rule: WaitRule, wait: Wait, brackets: WaitBrackets): void {
    this.note(wait, brackets, () => ({ kind: 'rule', rule }));
  }

  /** The wait instruction `made` waits so, for these counters. */
  settle(made: InstrId, before: InstrId, wait: Wait, counters: readonly Counter[]): void {
    const known = this.settled.get(made);
    const needs = known?.needs ?? new Map<Counter, WaitNeed>();
    for (const c of counters) {
      // S_WAITCNT has a field for each; full, it waits for nothing.
      if (wait[c] >= this.counters.limits[c]) continue;
      const need = this.needs[c];
      if (need?.left === wait[c]) needs.set(c, need);
      else if (!this.byRule.has(made) && needs.get(c)?.left !== wait[c])
        needs.set(c, {
          counter: this.counters.names[c] ?? '',
          left: wait[c],
          outstanding: 0,
          cause: { kind: 'existing', by: made },
        });
    }
    this.settled.set(made, { before, needs });
  }

  /** Another wait has taken over what this one waited for, or nothing is under way. */
  drop(i: InstrId, isMerged: boolean): void {
    if (!this.settled.delete(i)) this.remarks.add({ kind: 'waitDropped', at: i, isMerged });
  }

  add(at: InstrId, rule: WaitRule): void {
    this.byRule.add(at);
    this.remarks.add({ kind: 'rule', at, rule });
  }

  finish(): void {
    for (const [at, { before, needs }] of this.settled)
      if (needs.size > 0)
        this.remarks.add({
          kind: 'wait',
          at,
          before,
          needs: [...needs].sort(([a], [b]) => a - b).map(([, need]) => need),
        });
  }
}
