/**
 * When V8 may compile. A run over a usual test ends before its compilers have paid for themselves: they work on other threads and take as
 * much processor time as the run itself. So a process starts with the interpreter alone (launch.ts), gets the cheap compiler when it has
 * been at work for a while and the optimizing one later; a large input gets both at once. Only the time of a run depends on this.
 */

/**
 * Processor time from which each compiler pays, as a multiple of what the process took to start: that tells how fast the machine is
 * at the moment. Measured on the corpus before the scheduler, where starting takes 30 ms.
 */
const SPARKPLUG_STARTS = 3;
const OPTIMIZER_STARTS = 5;
/** Characters of an input that will take that long anyway. */
const SPARKPLUG_INPUT = 24_000;
const OPTIMIZER_INPUT = 300_000;
const FIRST_V8_WITH_MAGLEV = 13;

const enum Tier {
  Interpreter,
  Sparkplug,
  Optimizer,
}

export class CompilerTiers {
  private tier = Tier.Interpreter;
  private readonly start = processorTime();

  input(length: number): void {
    if (length > OPTIMIZER_INPUT) this.raise(Tier.Optimizer);
    else if (length > SPARKPLUG_INPUT) this.raise(Tier.Sparkplug);
  }

  /** To be called now and then. */
  checkpoint(): void {
    if (this.tier === Tier.Optimizer) return;
    const starts = processorTime() / this.start;
    if (starts > OPTIMIZER_STARTS) this.raise(Tier.Optimizer);
    else if (starts > SPARKPLUG_STARTS) this.raise(Tier.Sparkplug);
  }

  private raise(tier: Tier): void {
    if (tier <= this.tier) return;
    this.tier = tier;
    allowCompilers(tier === Tier.Optimizer);
  }
}

/** Of the process so far, in microseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Gives the process the compilers that launch.ts took from it. Also for the commands that run long. */
export function allowCompilers(withOptimizer = true): void {
  // Loaded when it is needed: it takes longer to load than a small file to read.
  const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
  setFlagsFromString('--sparkplug');
  if (!withOptimizer) return;
  setFlagsFromString('--opt');
  // Older ones have it, but not switched on.
  if (Number.parseInt(process.versions.v8, 10) >= FIRST_V8_WITH_MAGLEV) setFlagsFromString('--maglev');
}
