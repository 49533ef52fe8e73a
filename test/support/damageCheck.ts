/**
 * One text through the whole command line in process: `llc` with each pass, and `check`. What must not happen: an exception, an exit code
 * that says "internal error", more time than the limit.
 */
import { checkFile } from '../../server/src/cli/checkFile.js';
import type { CommandIO, OutputFile } from '../../server/src/program/commandIO.js';
import { runLlc } from '../../server/src/cli/llc.js';

/** CPU seconds that a command may take for a file of ordinary size. */
const DAMAGE_LIMIT_MS = 2000;

export interface DamageCounts {
  commands: number;
  /** commands that ended well, in spite of the damage */
  accepted: number;
  slowestMs: number;
}

/** What the command wrote goes nowhere but to `err`, which shows that an error has a message. */
class MemoryIO implements CommandIO {
  err = '';

  constructor(private readonly text: string) {}

  read(): string {
    return this.text;
  }

  stdout(): void {
    // thrown away
  }

  stderr(text: string): void {
    if (this.err.length < 10_000) this.err += text;
  }

  readonly isStderrLost = false;

  openFile(): OutputFile {
    return { write: () => undefined, discard: () => undefined };
  }
}

const CHECK_OPTIONS = {
  tools: null,
  sourceLines: false,
  schedule: false,
  remat: false,
  scalarize: false,
  allocate: false,
  findings: false,
  asWritten: false,
  final: false,
  functionName: null,
  region: null,
  stage: null,
  models: ['llvm-22'],
  targets: [],
  allTargets: false,
  maxBytes: 1 << 28,
} as const;

const KNOWN_EXITS = [0, 1, 134];

const PASS_ARGS: readonly (readonly string[])[] = [
  ['-run-pass=none', '-o', '-'],
  ['-run-pass=amdgpu-print-rp', '-o', '-'],
  ['-run-pass=machine-scheduler', '-o', '-'],
];

/** CPU time of this process so far. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Runs all commands on a text; what went wrong, as sentences. `limitMs` is CPU time of one command; a command that was over it gets a
 * second try, because compiling and collecting garbage count too.
 */
export function checkDamaged(
  text: string,
  args: readonly string[],
  counts: DamageCounts,
  limitMs = DAMAGE_LIMIT_MS,
): string[] {
  const problems: string[] = [];
  const timed = (name: string, run: () => void): void => {
    let ms = Infinity;
    for (let attempt = 0; attempt < 2 && ms > limitMs; attempt++) {
      const start = cpuMs();
      try {
        run();
      } catch (error) {
        problems.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        return;
      }
      ms = Math.min(ms, cpuMs() - start);
    }
    counts.commands++;
    counts.slowestMs = Math.max(counts.slowestMs, ms);
    if (ms > limitMs) problems.push(`${name}: ${ms.toFixed(0)} ms of CPU time`);
  };
  for (const pass of PASS_ARGS) {
    timed(`llc ${pass[0]}`, () => {
      const io = new MemoryIO(text);
      const exit = runLlc([...args, ...pass, 'damaged.mir'], io);
      if (exit === 0) counts.accepted++;
      if (!KNOWN_EXITS.includes(exit)) throw new Error(`exit code ${exit}`);
      if (exit !== 0 && io.err === '') throw new Error(`exit code ${exit} without a message`);
    });
  }
  timed('check', () => {
    const target = { triple: 'amdgcn-amd-amdhsa', cpu: '', features: '' };
    const result = checkFile({ file: 'damaged.mir', options: { ...CHECK_OPTIONS, target } }, new MemoryIO(text));
    const bug = result.diagnostics.find((d) => d.code === 'internal-error');
    if (bug !== undefined) throw new Error(bug.message);
  });
  return problems;
}

/** One command on a text: a pass by name, or `check`. Throws for bugs of ours. */
export function runCommand(text: string, command: string): { readonly exit: number; readonly err: string } {
  const io = new MemoryIO(text);
  if (command !== 'check') {
    const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', `-run-pass=${command}`, '-o', '-', 'extreme.mir'];
    const exit = runLlc(args, io);
    return { exit, err: io.err };
  }
  const target = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx90a', features: '' };
  const { diagnostics } = checkFile({ file: 'extreme.mir', options: { ...CHECK_OPTIONS, target } }, io);
  const bug = diagnostics.find((d) => d.code === 'internal-error');
  if (bug !== undefined) throw new Error(bug.message);
  const errors = diagnostics.filter((d) => d.severity === 'error');
  const say = (d: (typeof errors)[number]): string => `${d.line}:${d.column}: ${d.code}: ${d.message}`;
  return { exit: errors.length === 0 ? 0 : 1, err: errors.slice(0, 10).map(say).join('\n') };
}

/** The line of an error output that says what is wrong. */
export function firstMessage(err: string): string {
  const lines = err.split('\n').map((l) => l.trim());
  return lines.find((l) => /error: .|Bad machine code/.test(l)) ?? lines.find((l) => l !== '') ?? '';
}
