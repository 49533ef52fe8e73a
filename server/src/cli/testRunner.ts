/** Runs the RUN lines of a test: llc and FileCheck in this process or llc as the user's own program, `not`, `split-file`, `cat`, `echo`. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LitCommand, LitRun } from '../program/litScript.js';
import { BufferedIO } from './bufferedIO.js';
import { runFileCheckCommand } from './filecheck.js';
import { decodeBytes, encodeBytes } from './fileBytes.js';
import { systemMessage } from '../program/commandIO.js';
import { runLlc } from './llc.js';

/** A command or pass that is not known here: the test says nothing about it. */
export class Unsupported extends Error {}

export interface RunnerOptions {
  /** the user's llc; null = ours */
  readonly llc: string | null;
}

interface Outcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

const LIMIT_MS = 60_000;
const LIMIT_BYTES = 1 << 28;
const EXIT_FAILED = 1;
/** what a shell sees of a process that a signal ended */
const EXIT_SIGNAL = 128;

/** The exit code of the first run that fails, 0 when none does, and what lit's own shell would tell of them. Throws Unsupported. */
export function runLitTest(runs: readonly LitRun[], options: RunnerOptions): { exit: number; report: string } {
  let report = '';
  for (const { text, line, pipelines } of runs) {
    report += `# RUN: at line ${line}\n${text}\n`;
    for (const pipeline of pipelines) {
      const { exit, told } = runPipeline(pipeline, options);
      report += told;
      if (exit !== 0) return { exit, report };
    }
  }
  return { exit: 0, report };
}

/** The last exit code that is not 0 counts, as with a shell's `pipefail`. */
function runPipeline(pipeline: readonly LitCommand[], options: RunnerOptions): { exit: number; told: string } {
  let input = '';
  let exit = 0;
  let told = '';
  for (const [k, command] of pipeline.entries()) {
    const stdin = command.stdin === null ? input : readText(command.stdin);
    const outcome = runCommand(command.words, stdin, options);
    const stderr = command.stderr === 'stdout' ? '' : outcome.stderr;
    const stdout = command.stderr === 'stdout' ? outcome.stdout + outcome.stderr : outcome.stdout;
    if (command.stdout !== null) put(command.stdout, stdout);
    if (command.stderr !== null && command.stderr !== 'stdout') put(command.stderr, stderr);
    input = command.stdout === null ? stdout : '';
    told += `# executed command: ${command.words.map(quoted).join(' ')}\n`;
    const isLast = k === pipeline.length - 1;
    const shown = (isLast ? block('stdout', input) : '') + (command.stderr === null ? block('stderr', stderr) : '');
    told += shown;
    if (outcome.exit === 0) continue;
    exit = outcome.exit;
    if (shown === '') told += '# note: command had no output on stdout or stderr\n';
    told += `# error: command failed with exit status: ${exit}\n`;
  }
  return { exit, told };
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

/** What a command has written, in a frame. */
function block(stream: 'stdout' | 'stderr', text: string): string {
  if (text === '') return '';
  const lines = text.replace(/\n$/, '').split('\n');
  return `# .---command ${stream}------------\n${lines.map((line) => `# | ${line}\n`).join('')}# \`-----------------------------\n`;
}

const readText = (path: string): string => decodeBytes(readFileSync(path));

function put({ file, appends }: { file: string; appends: boolean }, text: string): void {
  (appends ? appendFileSync : writeFileSync)(file, encodeBytes(text));
}

function runCommand(words: readonly string[], stdin: string, options: RunnerOptions): Outcome {
  const [name = '', ...args] = words;
  try {
    switch (name.slice(name.lastIndexOf('/') + 1)) {
      case 'llc':
        return options.llc === null ? ownLlc(args, stdin) : program(options.llc, args, stdin);
      case 'FileCheck': {
        const io = new BufferedIO(() => stdin);
        const exit = runFileCheckCommand(args, io, process.env['FILECHECK_OPTS']);
        return { exit, stdout: io.out(), stderr: io.err() };
      }
      case 'not':
        return not(args, stdin, options);
      case 'split-file':
        return splitFile(args);
      case 'cat':
        return { exit: 0, stdout: args.length === 0 ? stdin : args.map(readText).join(''), stderr: '' };
      case 'echo':
        return { exit: 0, stdout: `${args.join(' ')}\n`, stderr: '' };
      default:
        throw new Unsupported(`'${name}' is not known`);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === undefined) throw error;
    return { exit: EXIT_FAILED, stdout: '', stderr: `${name}: ${systemMessage(error)}\n` };
  }
}

/** `not` wants an ordinary failure, `not --crash` one by a signal. */
function not(args: readonly string[], stdin: string, options: RunnerOptions): Outcome {
  const wantsCrash = args[0] === '--crash';
  const { exit, stdout, stderr } = runCommand(wantsCrash ? args.slice(1) : args, stdin, options);
  const isCrash = exit > EXIT_SIGNAL;
  return { exit: (wantsCrash ? isCrash : exit !== 0 && !isCrash) ? 0 : EXIT_FAILED, stdout, stderr };
}

function ownLlc(args: readonly string[], stdin: string): Outcome {
  const io = new BufferedIO(() => stdin);
  const exit = runLlc(args, io);
  const refused = /^llc: error: amdgpu-mir (.*)$/m.exec(io.err())?.[1];
  if (refused !== undefined) throw new Unsupported(`amdgpu-mir ${refused}`);
  return { exit, stdout: io.out(), stderr: io.err() };
}

function program(path: string, args: readonly string[], stdin: string): Outcome {
  const limits = { timeout: LIMIT_MS, maxBuffer: LIMIT_BYTES };
  const run = spawnSync(path, args, { input: encodeBytes(stdin), ...limits });
  if (run.error !== undefined)
    return { exit: EXIT_FAILED, stdout: '', stderr: `${path}: ${systemMessage(run.error)}\n` };
  return {
    exit: run.status ?? EXIT_SIGNAL + 1,
    stdout: decodeBytes(run.stdout),
    stderr: decodeBytes(run.stderr),
  };
}

/** LLVM's split-file: parts of a file behind `--- NAME` lines, each with as many empty lines in front as keep its line numbers if asked. */
function splitFile(args: readonly string[]): Outcome {
  const keepsLines = args.includes('--leading-lines');
  const [file = '', folder = ''] = args.filter((arg) => !arg.startsWith('--'));
  let part: string[] | null = null;
  let name = '';
  const save = (): void => {
    if (part === null) return;
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, encodeBytes(part.join('')));
  };
  mkdirSync(folder, { recursive: true });
  for (const [k, line] of readText(file)
    .split(/(?<=\n)/)
    .entries()) {
    const next = /^(?:\W{1,3})?--- (\S.*?)\s*$/.exec(line)?.[1];
    if (next !== undefined) {
      save();
      name = next;
      part = keepsLines ? ['\n'.repeat(k + 1)] : [];
    } else part?.push(line);
  }
  save();
  return { exit: 0, stdout: '', stderr: '' };
}
