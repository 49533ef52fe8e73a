/** What an edit does to the registers that llc allocates, for titles of the light bulb. */
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import type { TextEdit } from '../../text/sourceText.js';
import type { CancellationToken } from '../../util/cancellation.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { spilledRegisters } from './allocationWords.js';

/** Instructions that are allocated for all titles of one light bulb, so that it comes at once. */
const MAX_INSTRS = 1000;

export interface AllocatedEffect {
  /** `; allocated: 2 spilled to none, occupancy 8 to 9`, at the end of a title; empty where it is not known */
  readonly text: string;
  /** known, and neither more waves, nor fewer spills, nor fewer registers */
  readonly isInVain: boolean;
}

const UNKNOWN: AllocatedEffect = { text: '', isInVain: false };

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
   * What llc ends with after the edits; not known where the allocation of the function as it stands is not known yet, or too large. `after`:
   * the function after the edits, where that is there.
   */
  of(edits: readonly TextEdit[], after: FunctionView | null = null): AllocatedEffect {
    const { snapshot, view, token } = this;
    const before = view.knownAllocation;
    if (!this.isOpen || before === null || typeof before === 'string') return UNKNOWN;
    const then = after ?? snapshot.after(edits).functions[snapshot.functions.indexOf(view)];
    this.left -= before.nInstrs;
    const state = then?.allocate(token);
    return state?.kind === 'ready' ? effectBetween(before, state.allocated) : UNKNOWN;
  }
}

function effectBetween(before: AllocatedFunction, after: AllocatedFunction): AllocatedEffect {
  if (after.errors.length > 0) return UNKNOWN;
  const number = (n: number): string => (n === 0 ? 'none' : String(n));
  const [had, has] = [spilledRegisters(before), spilledRegisters(after)];
  const spills =
    had === has ? (has === 0 ? 'no spills' : `${has} spilled as before`) : `${number(had)} spilled to ${number(has)}`;
  const [old, now] = [before.use.occupancy, after.use.occupancy];
  const words = `${spills}, occupancy ${old === now ? `stays ${now}` : `${old} to ${now}`}`;
  // What differs first decides, in this order.
  const steps: [was: number, is: number, file?: string][] = [
    [-old, -now],
    [had, has],
    [before.counts.saves + before.counts.reloads, after.counts.saves + after.counts.reloads],
    [before.use.totalVGPR, after.use.totalVGPR, 'VGPR'],
    [before.use.totalSGPR, after.use.totalSGPR, 'SGPR'],
  ];
  // With all the waves that there are, fewer registers bring nothing.
  const isFull = now >= before.fn.subtarget.maxWavesPerEU;
  const step = steps.find(([was, is, file]) => was !== is && !(isFull && file !== undefined));
  if (step === undefined || step[1] > step[0]) return { text: `; allocated: no gain (${words})`, isInVain: true };
  const [was, is, file] = step;
  return { text: `; allocated: ${file === undefined ? '' : `${file} ${was} to ${is}, `}${words}`, isInVain: false };
}
