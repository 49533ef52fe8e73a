/** When the JavaScript engine may compile, by the table in engines.ts. */
import { JAVASCRIPTCORE, LONG_INPUT, V8, type Limits, type StepLimits } from './engines.js';

const enum Tier {
  Interpreter,
  Cheap,
  Optimizer,
}

type Step = 'cheap' | 'optimizer' | 'patient' | 'fewLoops';

interface Engine {
  readonly limits: StepLimits;
  allow(step: Step): void;
}

const v8: Engine = {
  limits: V8.limits,
  allow(step) {
    // Loaded when it is needed: it takes longer to load than a small file to read.
    const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
    for (const flag of v8Flags(step)) setFlagsFromString(flag);
  },
};

function v8Flags(step: Step): readonly string[] {
  if (step === 'cheap') return V8.cheap;
  const { v8: version } = process.versions;
  const flags = step === 'optimizer' ? undefined : V8[step][version.split('.', 2).join('.')];
  if (flags !== undefined) return [...flags, ...V8.optimizer];
  return Number.parseInt(version, 10) >= V8.fromMaglev.version
    ? [...V8.optimizer, ...V8.fromMaglev.flags]
    : V8.optimizer;
}

/** The part of Bun's interface that is used here. */
interface BunRuntime {
  readonly unsafe: { setJITPolicy(scale: number): void };
}

const { Bun: bun } = globalThis as { Bun?: BunRuntime };
const engine: Engine =
  bun === undefined
    ? v8
    : { limits: JAVASCRIPTCORE.limits, allow: (step) => bun.unsafe.setJITPolicy(JAVASCRIPTCORE[step]) };

export class CompilerTiers {
  private tier = Tier.Interpreter;
  private isLong = false;
  private readonly start = processorTime();

  input(length: number): void {
    this.isLong = length > LONG_INPUT;
    this.raise(tierAt(length, engine.limits.input));
  }

  /** To be called now and then. */
  checkpoint(): void {
    if (this.tier === Tier.Optimizer) return;
    this.raise(tierAt(processorTime() / this.start, engine.limits.starts));
  }

  private raise(tier: Tier): void {
    if (tier <= this.tier) return;
    this.tier = tier;
    if (tier === Tier.Cheap) engine.allow('cheap');
    else engine.allow(this.isLong ? 'optimizer' : 'patient');
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
  engine.allow('optimizer');
}

/** The same for a command that runs long only where a few loops do. */
export function allowCompilersForFewLoops(): void {
  engine.allow('fewLoops');
}
