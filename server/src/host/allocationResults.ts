/** Allocated functions, kept as long as the function and the options of the allocator are the same. */
import type { AllocationState } from '../features/snapshot/snapshot.js';
import type { LoweredFunction } from '../model/lowering/lowerFile.js';
import {
  allocateAsItStands,
  allocateFromEarlier,
  type AllocationSetting,
  type EarlierPlace,
  type SchedulerBefore,
} from '../program/allocation.js';
import { QUICK_MS } from '../program/scheduleSetting.js';
import type { AllocatedFunction } from '../passes/regalloc/trace/collector.js';
import { Cancelled, Deadline, type ProgressToken } from '../util/cancellation.js';
import { RecentMap } from '../util/recent.js';

interface Kept {
  readonly key: string;
  readonly value: AllocatedFunction | string;
}

/** A function, and what its registers are allocated for. */
export interface FunctionToAllocate {
  readonly lowered: LoweredFunction;
  readonly setting: AllocationSetting;
  /** how the scheduler goes before the allocator, null: it does not; or why it cannot */
  readonly scheduler: (
    token: ProgressToken,
  ) => SchedulerBefore | null | { readonly kind: 'none'; readonly why: string };
  /** passes before the scheduler run, too, from there on; null: none are left to run */
  readonly earlier: EarlierPlace | null;
}

/** Less than the time after which a worker that says nothing is replaced. */
const BACKGROUND_MS = 5000;

/** Of a function that was not allocated before, for each instruction. */
const EXPECTED_MS = 0.25;
/** What took too long is tried again when it has become this much shorter, and after a while: the machine may have been busy. */
const LATE_FACTOR = 1.25;
const LATE_FOR_MS = 60_000;
/** Functions whose time is remembered. */
const MAX_RATES = 64;

/** Only what is being edited matters. */
const MAX_LAST = 8;

export class AllocationResults {
  private readonly kept = new WeakMap<LoweredFunction, Kept>();
  private readonly explained = new WeakMap<LoweredFunction, Kept>();
  /** by function, the key of the setting for which it took longer than a reader waits, and than the background may take: whoever asks again is told at once */
  private readonly slow = new WeakMap<LoweredFunction, string>();
  private readonly endless = new WeakMap<LoweredFunction, string>();
  /** by name of the function: milliseconds that its last allocation took for each instruction, and until when that counts */
  private readonly rates = new RecentMap<{ readonly ms: number; readonly until: number }>(MAX_RATES);
  /** by name of the function: the text of its last result, for the time until there is a new one */
  private readonly last = new RecentMap<string>(MAX_LAST);
  /** allocations made since the start, for tests of what is kept */
  computed = 0;

  /** The first parameters are those of `ScheduleResults`; `backgroundMs`: what "too long" is in the background. */
  constructor(
    private readonly isPatient: boolean,
    private readonly quickMs = QUICK_MS,
    private readonly backgroundMs = BACKGROUND_MS,
  ) {}

  /** What is known, null when nothing is. Computes nothing. */
  known({ lowered, setting }: FunctionToAllocate): AllocatedFunction | string | null {
    const kept = this.kept.get(lowered) ?? this.explained.get(lowered);
    return kept?.key === setting.key ? kept.value : null;
  }

  /** Too large for the background, too: by what it took, or a version of it before. */
  isLarge({ lowered, setting }: FunctionToAllocate): boolean {
    if (this.isPatient) return false;
    return this.endless.get(lowered) === setting.key || this.limit(true) < this.expectedMs(lowered);
  }

  /** Milliseconds that it may take where somebody waits, or in the background. */
  private limit(isBackground: boolean): number {
    return isBackground ? Math.max(this.backgroundMs, this.quickMs) : this.quickMs;
  }

  private expectedMs({ name, fn }: LoweredFunction): number {
    const known = this.rates.get(name);
    return (fn?.nInstrs ?? 0) * (known && Date.now() < known.until ? known.ms : EXPECTED_MS);
  }

  private took({ name, fn }: LoweredFunction, ms: number, validMs = Infinity): void {
    this.rates.set(name, { ms: ms / Math.max(1, fn?.nInstrs ?? 0), until: Date.now() + validMs });
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
    const most = this.limit(isBackground);
    const isSlow = !isBackground && (this.slow.get(lowered) === setting.key || most < this.expectedMs(lowered));
    if (!this.isPatient && (isSlow || this.isLarge(wanted))) return { kind: 'large' };
    const limited = this.isPatient ? token : new Deadline(token, most);
    const begun = Date.now();
    const checkpoint = (): void => {
      if (limited.isCancelled()) throw new Cancelled();
    };
    this.computed++;
    try {
      const { earlier } = wanted;
      const scheduler = earlier === null ? wanted.scheduler(limited) : null;
      if (scheduler !== null && 'kind' in scheduler) {
        this.kept.set(lowered, { key: setting.key, value: scheduler.why });
        return scheduler;
      }
      const collect = { withDecisions, checkpoint };
      const [fn, ir] = [lowered.fn!, lowered.module];
      const value =
        earlier === null
          ? allocateAsItStands(fn, ir, setting, collect, scheduler)
          : allocateFromEarlier(fn, ir, setting, collect, earlier);
      (withDecisions ? this.explained : this.kept).set(lowered, { key: setting.key, value });
      if (!withDecisions) this.took(lowered, Date.now() - begun);
      return stateOf(value);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      if (!(limited instanceof Deadline && limited.isLate)) return { kind: 'cancelled' };
      if (isBackground) this.took(lowered, LATE_FACTOR * most, LATE_FOR_MS);
      (isBackground ? this.endless : this.slow).set(lowered, setting.key);
      return { kind: 'large' };
    }
  }

  lastText(name: string): string {
    return this.last.get(name) ?? '';
  }

  keepText(name: string, text: string): void {
    this.last.set(name, text);
  }

  keepOnly(isName: (name: string) => boolean): void {
    this.rates.keepOnly(isName);
    this.last.keepOnly(isName);
  }
}

const stateOf = (value: AllocatedFunction | string): AllocationState =>
  typeof value === 'string' ? { kind: 'none', why: value } : { kind: 'ready', allocated: value };
