/** Sources as inputs of commands: the user's clang or llc makes MIR of them (disk/sourceCommands.ts). */
import { existsSync } from 'node:fs';
import {
  isSource,
  mirOfRun,
  SOURCE_LIMITS,
  sourceCommand,
  versionIn,
  type SourceTools,
} from '../disk/sourceCommands.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { whyNoMir } from '../program/machineLog/logContent.js';
import type { CommandOptions } from './commandOptions.js';
import { runUserProgram } from './userProgram.js';

/** Plain data: goes to threads. */
export interface CommandTools extends SourceTools {
  /** there are several, and a source is compiled for one */
  readonly hasSeveralTargets: boolean;
}

interface NamedTarget {
  readonly triple: string;
  readonly cpu: string;
  readonly features: string;
}

/** `targets`: those that are asked for, the file's own where they are empty. */
export function readTools({ values }: CommandOptions, targets: readonly NamedTarget[]): CommandTools {
  const value = (name: string): string => values.get(name)?.[0] ?? '';
  const [first] = targets;
  return {
    clang: value('clang'),
    llc: value('llc'),
    args: values.get('tool-arg') ?? [],
    stopBefore: value('stop-before') || 'machine-scheduler',
    compileCommands: value('compile-commands'),
    triple: value('mtriple') || (first?.triple ?? ''),
    cpu: first?.cpu ?? '',
    features: first?.features ?? '',
    hasSeveralTargets: targets.length > 1,
  };
}

/** A CommandIO that reads sources through the tools. `told`: by file, which tool made its MIR, and up to which pass. */
export class SourceIO implements Pick<CommandIO, 'read'> {
  readonly told = new Map<string, string>();

  constructor(
    private readonly io: Pick<CommandIO, 'read'>,
    private readonly tools: CommandTools,
  ) {}

  /** Throws InputError, with what the tool says of the source, or with what a text is that cannot be MIR. */
  read(path: string, maxBytes?: number): string {
    if (path === '-' || !isSource(path)) {
      const text = this.io.read(path, maxBytes);
      const why = whyNoMir(text);
      if (why !== null) throw new InputError(why);
      return text;
    }
    const { tools } = this;
    if (!existsSync(path)) return this.io.read(path, maxBytes);
    if (tools.hasSeveralTargets)
      throw new InputError(
        'a source is compiled for one processor, and several are named: MIR of each is a file of its own',
      );
    const { program, words } = sourceCommand(path, tools, versionOf);
    const { exit, stdout, stderr, problem } = runUserProgram(program, words, '', SOURCE_LIMITS);
    if (problem !== '') throw new InputError(problem);
    const run = { exit, stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8') };
    const { text, told } = mirOfRun(program, versionOf(program), run, tools);
    this.told.set(path, told);
    return text;
  }
}

const versionOf = (program: string): string =>
  versionIn(runUserProgram(program, ['--version'], '', { ms: 10_000, bytes: 1 << 20 }).stdout.toString('latin1'));
