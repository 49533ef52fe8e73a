/**
 * When V8 may compile. A run over a usual test ends before its compilers have paid for themselves: they work on other threads and take as
 * much processor time as the run itself. So a process starts with the interpreter alone, gets the cheap compiler when it has been at work
 * for a while and the optimizing one later; a large input gets both at once. Only the time of a run depends on this.
 */
import { setFlagsFromString } from 'node:v8';

/** Processor time of the process, in milliseconds, from which each compiler pays (measured on the corpus before the scheduler). */
const SPARKPLUG_MS = 90;
const OPTIMIZER_MS = 220;
/** Characters of an input that will take longer anyway. */
const LARGE_INPUT = 300_000;

const enum Tier {
  Interpreter,
  Sparkplug,
  Optimizer,
}

export class CompilerTiers {
  private tier = Tier.Interpreter;

  constructor() {
    setFlagsFromString('--no-opt');
    setFlagsFromString('--no-sparkplug');
  }

  input(length: number): void {
    if (length > LARGE_INPUT) this.raise(Tier.Optimizer);
  }

  /** To be called now and then. */
  checkpoint(): void {
    if (this.tier === Tier.Optimizer) return;
    const { user, system } = process.cpuUsage();
    const ms = (user + system) / 1000;
    if (ms > OPTIMIZER_MS) this.raise(Tier.Optimizer);
    else if (ms > SPARKPLUG_MS) this.raise(Tier.Sparkplug);
  }

  private raise(tier: Tier): void {
    if (tier <= this.tier) return;
    this.tier = tier;
    setFlagsFromString('--sparkplug');
    if (tier === Tier.Optimizer) setFlagsFromString('--opt');
  }
}
