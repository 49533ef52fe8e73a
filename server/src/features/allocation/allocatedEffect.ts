/** What an edit does to the registers that llc allocates, for titles of the light bulb. */
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import type { TextEdit } from '../../text/sourceText.js';
import type { CancellationToken } from '../../util/cancellation.js';
import type { FunctionView, Snapshot } from '../snapshot.js';
import { spilledRegisters } from './allocationWords.js';

/** Instructions that are allocated for all titles of one light bulb, so that it comes at once. */
const MAX_INSTRS = 1000;

/** Allocates what edits leave; one for each light bulb. */
export class AllocatedEffects {
  private left = MAX_INSTRS;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly view: FunctionView,
    private readonly token: CancellationToken,
  ) {}

  /** Whether it is worth while to make an edit for its title: the function as it stands is allocated, and not too large. */
  get isOpen(): boolean {
    const known = this.view.knownAllocation;
    if (known === null || typeof known === 'string' || known.errors.length > 0) return false;
    return known.nInstrs <= this.left && !this.token.isCancelled();
  }

  /**
   * `; allocated: 2 spilled to none, occupancy 8 to 9`; empty where the allocation of the function as it stands is not known yet, or too large. `after`:
   * the function behind the edits, where that is there.
   */
  of(edits: readonly TextEdit[], after: FunctionView | null = null): string {
    const { snapshot, view, token } = this;
    const before = view.knownAllocation;
    if (!this.isOpen || before === null || typeof before === 'string') return '';
    const then = after ?? snapshot.after(edits).functions[snapshot.functions.indexOf(view)];
    this.left -= before.nInstrs;
    const state = then?.allocate(token);
    return state?.kind === 'ready' ? effectText(before, state.allocated) : '';
  }
}

function effectText(before: AllocatedFunction, after: AllocatedFunction): string {
  if (after.errors.length > 0) return '';
  const number = (n: number): string => (n === 0 ? 'none' : String(n));
  const [had, has] = [spilledRegisters(before), spilledRegisters(after)];
  const spills =
    had === has ? (has === 0 ? 'no spills' : `${has} spilled as before`) : `${had} spilled to ${number(has)}`;
  const [old, now] = [before.use.occupancy, after.use.occupancy];
  return `; allocated: ${spills}, occupancy ${old === now ? `stays ${now}` : `${old} to ${now}`}`;
}
