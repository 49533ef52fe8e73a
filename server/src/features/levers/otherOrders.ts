/** Other orders of the regions where a function has most VGPRs: those that LLVM's other strategies give them, each region alone. */
import { Bank, PressureSummary } from '../../analysis/summary.js';
import { moduleFactsOf } from '../../passes/scheduler/moduleFacts.js';
import { SchedulerProcessState, whyNotModelledFor } from '../../passes/scheduler/scheduleFunction.js';
import { traceSchedule, type TracedSchedule } from '../../passes/scheduler/trace/collector.js';
import type { TextChange } from '../../program/why.js';
import type { TextEdit } from '../../text/sourceText.js';
import { Cancelled, type CancellationToken } from '../../util/cancellation.js';
import { scheduleEdits, tiedRegions } from '../schedule/scheduleEdits.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

const STRATEGIES = [
  'max-occupancy',
  'max-ilp',
  'max-memory-clause',
  'iterative-ilp',
  'iterative-minreg',
  'iterative-maxocc',
];

interface OtherOrder {
  readonly change: TextChange;
  readonly edits: readonly TextEdit[];
}

/** Empty where the scheduler does not go, and for functions with PHIs, whose order it may not change. Throws Cancelled. */
export function otherOrders(snapshot: Snapshot, view: FunctionView, token: CancellationToken): OtherOrder[] {
  const { fn, start } = view;
  const { options } = snapshot.scheduleSetting;
  if (!fn?.source || !view.summary || !fn.header.noPhis || typeof options === 'string') return [];
  const facts = moduleFactsOf(snapshot.text.text, view.module);
  const checkpoint = (): void => {
    if (token.isCancelled()) throw new Cancelled();
  };
  const under = (schedStrategy: string): TracedSchedule | null => {
    const own = { ...options, misched: '', schedStrategy, checkpoint };
    if (whyNotModelledFor(fn, own) !== null) return null;
    return traceSchedule(fn, own, new SchedulerProcessState(), facts, { picksOf: () => false });
  };
  const present = under(options.schedStrategy);
  if (present === null) return [];
  const peaks = new Set([view.summary, new PressureSummary(present.fn)].map(({ peaks }) => peaks[Bank.VGPR]!.instr));
  const source = snapshot.text.text;
  const orders: OtherOrder[] = [];
  for (const strategy of STRATEGIES) {
    const other = under(strategy);
    if (other === null) continue;
    for (const { region, oldOrder, newOrder, first } of other.trace.regions) {
      if (!oldOrder.some((i) => peaks.has(i)) || oldOrder.every((i, k) => i === newOrder[k])) continue;
      const edits = scheduleEdits(view, other, source, tiedRegions(other.trace, region));
      const line = snapshot.text.lineAt(start + fn.source.instrRange(first).start) + 1;
      orders.push({
        change: { kind: 'reorder', region, line, strategy },
        edits: edits.map(({ newText, ...range }) => ({ ...range, text: newText })),
      });
    }
  }
  return orders;
}
