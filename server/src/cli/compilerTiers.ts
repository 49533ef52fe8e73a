/**
 * When the JavaScript engine may compile. A run over a usual test ends before its compilers have paid for themselves: they work on other
 * threads and take as much processor time as the run itself. So a process starts with the interpreter alone (V8's flags in launch.ts,
 * JavaScriptCore's policy in executable.ts), gets the cheap compiler when it has been at work for a while and the optimizing one later; a
 * large input gets both at once. Only the time of a run depends on this.
 */

/**
 * Characters of an input from which the optimizing compiler goes at its own pace. Waiting for hot code spares a
 * third of the processor time at 1 and 1.7 MB and costs a fifth at 4.5 MB; nothing between was measured.
 */
const LONG_INPUT = 2_500_000;

const enum Tier {
  Interpreter,
  Cheap,
  Optimizer,
}

/** From where the cheap compiler pays, and from where the optimizing one. */
type Limits = readonly [cheap: number, optimizer: number];

interface Engine {
  /** Processor time as a multiple of what the process took to start: that tells how fast the machine is at the moment. */
  readonly starts: Limits;
  /** Characters of an input that will take that long anyway. */
  readonly input: Limits;
  allow(tier: Tier): void;
  /** Allows both compilers to a run that ends soon: the optimizing one for hotter code than usual. */
  allowForHot(): void;
  /** Allows both compilers, the optimizing one for much hotter code than usual. */
  allowForHottest(): void;
}

const FIRST_V8_WITH_MAGLEV = 13;
/**
 * By versions of V8 (those of Node 20, 22, 24; another complains of a flag that it does not know): what has the optimizing compiler wait until a
 * function has run some 5 ms. Measured on the ten largest recorded runs of FileCheck: compiling all that is warm takes longer than such a run.
 */
const HOTTEST_FLAGS: Readonly<Record<string, readonly string[]>> = {
  '11.3': ['--interrupt-budget=2000000'],
  '12.4': ['--invocation-count-for-turbofan=30000', '--invocation-count-for-early-optimization=600'],
  '13.6': ['--invocation-count-for-turbofan=30000', '--invocation-count-for-early-optimization=600'],
};

/**
 * The same for a run of the scheduler: at its own pace the optimizing compiler is at work on code that the run is about to be done with.
 */
const HOT_FLAGS = { ...HOTTEST_FLAGS, '11.3': ['--interrupt-budget=1000000'] };

/** Limits measured on the corpus before the scheduler, where starting takes 30 ms. */
const v8: Engine = {
  starts: [3, 5],
  input: [24_000, 300_000],
  allow: (tier) => {
    // Loaded when it is needed: it takes longer to load than a small file to read.
    const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
    setFlagsFromString('--sparkplug');
    if (tier !== Tier.Optimizer) return;
    setFlagsFromString('--opt');
    // Older ones have it, but not switched on.
    if (Number.parseInt(process.versions.v8, 10) >= FIRST_V8_WITH_MAGLEV) setFlagsFromString('--maglev');
  },
  allowForHot: () => allowUnder(HOT_FLAGS),
  allowForHottest: () => allowUnder(HOTTEST_FLAGS),
};

function allowUnder(limits: typeof HOTTEST_FLAGS): void {
  const version = process.versions.v8.split('.', 2).join('.');
  const flags = limits[version];
  if (flags === undefined) return v8.allow(Tier.Optimizer);
  const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
  for (const flag of ['--sparkplug', ...flags, '--opt']) setFlagsFromString(flag);
}

/** The part of Bun's interface that is used here. */
interface BunRuntime {
  readonly unsafe: { setJITPolicy(scale: number): void };
}

/** Multiples of JavaScriptCore's own thresholds for compiling a function. */
const JSC_CHEAP_POLICY = 30;
const JSC_OPTIMIZER_POLICY = 3;
const JSC_HOT_POLICY = 20;

/** Policies and limits of the input measured on the bench's files; the multiples of the start are a guess by V8's. */
const javaScriptCore = (bun: BunRuntime): Engine => {
  const allow = (tier: Tier): void =>
    bun.unsafe.setJITPolicy(tier === Tier.Optimizer ? JSC_OPTIMIZER_POLICY : JSC_CHEAP_POLICY);
  const allowForHot = (): void => bun.unsafe.setJITPolicy(JSC_HOT_POLICY);
  return { starts: [4, 6], input: [40_000, 300_000], allow, allowForHot, allowForHottest: () => allow(Tier.Optimizer) };
};

const { Bun: bun } = globalThis as { Bun?: BunRuntime };
const engine = bun === undefined ? v8 : javaScriptCore(bun);

export class CompilerTiers {
  private tier = Tier.Interpreter;
  private isLong = false;
  private readonly start = processorTime();

  input(length: number): void {
    this.isLong = length > LONG_INPUT;
    this.raise(tierAt(length, engine.input));
  }

  /** To be called now and then. */
  checkpoint(): void {
    if (this.tier === Tier.Optimizer) return;
    this.raise(tierAt(processorTime() / this.start, engine.starts));
  }

  private raise(tier: Tier): void {
    if (tier <= this.tier) return;
    this.tier = tier;
    if (tier === Tier.Optimizer && !this.isLong) engine.allowForHot();
    else engine.allow(tier);
  }
}

function tierAt(value: number, [cheap, optimizer]: Limits): Tier {
  if (value > optimizer) return Tier.Optimizer;
  return value > cheap ? Tier.Cheap : Tier.Interpreter;
}

/** Of the process so far, in microseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Gives the process the compilers that it was started without: for the commands that run long. */
export function allowCompilers(): void {
  engine.allow(Tier.Optimizer);
}

/** The same for a command that runs long only where a few loops do. */
export function allowCompilersForHottest(): void {
  engine.allowForHottest();
}
