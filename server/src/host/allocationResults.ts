/** Allocated functions, kept as long as the function and the options of the allocator are the same. */
import type { AllocationState } from '../features/snapshot.js';
import type { LoweredFunction } from '../model/lowering/lowerFile.js';
import { allocateAsItStands, type AllocationSetting, type SchedulerBefore } from '../program/allocation.js';
import { MANY_INSTRS, QUICK_MS } from '../program/scheduleSetting.js';
import type { AllocatedFunction } from '../passes/regalloc/trace/collector.js';
import { Cancelled, Deadline, type ProgressToken } from '../util/cancellation.js';

interface Kept {
  readonly key: string;
  readonly value: AllocatedFunction | string;
}

/** A function, and what its registers are allocated for. */
export interface FunctionToAllocate {
  readonly lowered: LoweredFunction;
  readonly setting: AllocationSetting;
  /** how the scheduler goes before the allocator, null: it does not; or why it cannot */
  readonly scheduler: (token: ProgressToken) => SchedulerBefore | null | Exclude<AllocationState, { kind: 'ready' }>;
}

/** Less than the time after which a worker that says nothing is replaced. */
const BACKGROUND_MS = 5000;

/** Only what is being edited matters. */
const MAX_LAST = 8;

export class AllocationResults {
  private readonly kept = new WeakMap<LoweredFunction, Kept>();
  private readonly explained = new WeakMap<LoweredFunction, Kept>();
  /** by function, the key of the setting for which it took longer than a reader waits, and than the background may take */
  private readonly slow = new WeakMap<LoweredFunction, string>();
  private readonly endless = new WeakMap<LoweredFunction, string>();
  /** by name of the function: the text of its last result, for the time until there is a new one */
  private readonly last = new Map<string, string>();
  /** allocations made since the start, for tests of what is kept */
  computed = 0;

  /** The parameters are those of `ScheduleResults`. */
  constructor(
    private readonly isPatient: boolean,
    private readonly quickMs = QUICK_MS,
  ) {}

  /** What is known, null when nothing is. Computes nothing. */
  known({ lowered, setting }: FunctionToAllocate): AllocatedFunction | string | null {
    const kept = this.kept.get(lowered) ?? this.explained.get(lowered);
    return kept?.key === setting.key ? kept.value : null;
  }

  /** Too large for the background, too. */
  isLarge({ lowered, setting }: FunctionToAllocate): boolean {
    if (this.isPatient) return false;
    return (lowered.fn?.nInstrs ?? 0) > MANY_INSTRS || this.endless.get(lowered) === setting.key;
  }

  /** `isBackground`: nobody waits, and the token ends the work as soon as somebody does. */
  allocate(
    wanted: FunctionToAllocate,
    token: ProgressToken,
    withDecisions: boolean,
    isBackground = false,
  ): AllocationState {
    const { lowered, setting } = wanted;
    const known = this.explained.get(lowered) ?? (withDecisions ? undefined : this.kept.get(lowered));
    if (known?.key === setting.key) return stateOf(known.value);
    if (this.isLarge(wanted) || (!this.isPatient && !isBackground && this.slow.get(lowered) === setting.key))
      return { kind: 'large' };
    const most = isBackground ? Math.max(BACKGROUND_MS, this.quickMs) : this.quickMs;
    const limited = this.isPatient ? token : new Deadline(token, most);
    const checkpoint = (): void => {
      if (limited.isCancelled()) throw new Cancelled();
    };
    this.computed++;
    try {
      const scheduler = wanted.scheduler(limited);
      if (scheduler !== null && 'kind' in scheduler) {
        if (scheduler.kind === 'cancelled') throw new Cancelled();
        if (scheduler.kind === 'large') return this.tookTooLong(wanted, isBackground);
        this.kept.set(lowered, { key: setting.key, value: scheduler.why });
        return scheduler;
      }
      const collect = { withDecisions, checkpoint };
      const value = allocateAsItStands(lowered.fn!, lowered.module, setting, collect, scheduler);
      (withDecisions ? this.explained : this.kept).set(lowered, { key: setting.key, value });
      return stateOf(value);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      if (!(limited instanceof Deadline && limited.isLate)) return { kind: 'cancelled' };
      return this.tookTooLong(wanted, isBackground);
    }
  }

  /** Whoever asks again is told at once. */
  private tookTooLong({ lowered, setting }: FunctionToAllocate, isBackground: boolean): AllocationState {
    (isBackground ? this.endless : this.slow).set(lowered, setting.key);
    return { kind: 'large' };
  }

  lastText(name: string): string {
    return this.last.get(name) ?? '';
  }

  keepText(name: string, text: string): void {
    this.last.delete(name);
    this.last.set(name, text);
    const [oldest] = this.last.keys();
    if (MAX_LAST < this.last.size && oldest !== undefined) this.last.delete(oldest);
  }
}

const stateOf = (value: AllocatedFunction | string): AllocationState =>
  typeof value === 'string' ? { kind: 'none', why: value } : { kind: 'ready', allocated: value };
