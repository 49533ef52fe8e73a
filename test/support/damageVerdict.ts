/** A damaged file through llc-22 and through our `llc`, and how the two differ. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runLlc } from '../../server/src/cli/llc.js';
import type { CommandIO } from '../../server/src/program/commandIO.js';
import { decodeBytes, encodeBytes } from '../../server/src/disk/fileBytes.js';
import { LLC } from './llc.js';

const MAX_MEMORY_KB = 8_000_000;
const TIMEOUT_S = 60;
/**
 * What timeout(1) ends with. It asks at first: where llc stands after another one, as in `npm test`, a signal that cannot be caught would leave llc
 * running and the pipes open.
 */
const OUT_OF_TIME = 124;
const ABORTED = 134;

export interface Verdict {
  /** exit code; 134 for the abort after a verifier's reports; null when llc crashed or was too slow */
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** llc's options for a file: its target, where llc-22 knows it, and reading without any pass. */
export function verdictArgs(target: readonly string[]): string[] {
  const triple = target.find((a) => a.startsWith('-mtriple='));
  const isKnown = triple !== undefined && /^-mtriple=amdgcn\b/.test(triple);
  const own = isKnown ? target : ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a'];
  return [...own, '-run-pass=none', '-o', '-'];
}

/** Runs llc-22 on the file; it calls itself `llc` in what this returns. */
export async function llcVerdict(
  folder: string,
  name: string,
  bytes: Buffer,
  args: readonly string[],
  seconds = TIMEOUT_S,
): Promise<Verdict> {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const script = `ulimit -c 0; ulimit -v ${MAX_MEMORY_KB}; exec timeout -k 5 ${seconds} "$0" "$@"`;
  const child = spawn('bash', ['-c', script, LLC, ...args, name], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (b: Buffer) => out.push(b));
  child.stderr.on('data', (b: Buffer) => err.push(b));
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (c, s) => resolve({ code: c, signal: s }));
  });
  rmSync(file);
  let text = Buffer.concat(err).toString('latin1').replaceAll(basename(LLC), 'llc');
  const isVerifier =
    /^LLVM ERROR: (?:Found \d+ machine code errors|Broken module found, compilation aborted)[.!]$/m.test(text);
  // What follows an abort is a stack trace.
  const crash = text.search(/^PLEASE submit a bug report/m);
  if (crash >= 0) text = text.slice(0, crash);
  // After a shell or `timeout` a signal is a code from 128 on.
  const isSignal = signal !== null || code === OUT_OF_TIME || (code ?? 0) >= 128;
  const isAbort = signal === 'SIGABRT' || code === ABORTED;
  const exit = !isSignal ? code : isAbort && isVerifier ? ABORTED : null;
  return { exit, out: Buffer.concat(out).toString('latin1'), err: text };
}

/** Ours, in process. The texts have one character per byte, as those of `llcVerdict`. */
export function ourVerdict(name: string, bytes: Buffer, args: readonly string[]): Verdict {
  let out = '';
  let err = '';
  const io: CommandIO = {
    read: () => decodeBytes(bytes),
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    isStderrLost: false,
    openFile: () => ({ write: () => undefined, discard: () => undefined }),
  };
  let exit: number;
  try {
    exit = runLlc([...args, name], io);
  } catch (error) {
    exit = 70;
    err += error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const latin1 = (text: string): string => encodeBytes(text).toString('latin1');
  return { exit, out: latin1(out), err: latin1(err) };
}

export type Difference = 'none' | 'llc crashed' | 'verdict' | 'first message' | 'messages' | 'output';

/** Without the addresses that llc prints. */
const withoutAddresses = (text: string): string =>
  text.replace(/^(- basic block: .*\()0x[0-9a-f]+\)$/gm, '$1ADDRESS)').replace(/<0x[0-9a-f]+>/g, '<ADDRESS>');

const firstLine = (text: string): string => text.split('\n', 1)[0];

/** The gravest difference. */
export function compareVerdicts(llc: Verdict, ours: Verdict): Difference {
  if (llc.exit === null) return 'llc crashed';
  if (llc.exit !== ours.exit) return 'verdict';
  if (firstLine(llc.err) !== firstLine(ours.err)) return 'first message';
  if (withoutAddresses(llc.err) !== withoutAddresses(ours.err)) return 'messages';
  return withoutAddresses(llc.out) === withoutAddresses(ours.out) ? 'none' : 'output';
}
