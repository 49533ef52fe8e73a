/**
 * `amdgpu-mir report FILE`: one text for a report of a bug, with versions, options, what `check` says and the file itself. Nothing of the machine is in it but the
 * names of its system and processor: no folders, no environment. It goes to standard output, where its user reads it before it goes anywhere else.
 */
import type { CommandIO } from '../program/commandIO.js';
import { InputError } from '../program/commandIO.js';
import { visible } from '../text/visible.js';
import { BufferedIO } from './bufferedIO.js';
import { runCheck } from './check.js';
import { EXIT_USAGE, runCommandLater, type Invocation } from './commandRun.js';
import { VERSION_LINE } from './help.js';

const EXIT_OK = 0;
/** A file of more is told to be reduced: issue trackers take no longer text. */
const LONG = 60_000;
/** Options that are `check`'s, too. */
const OF_CHECK = ['target', 'mtriple', 'mcpu', 'mattr', 'model', 'function'];

/** The exit code. */
export const runReport = (args: readonly string[], io: CommandIO): Promise<number> =>
  runCommandLater('report', args, io, report);

async function report(call: Invocation, io: CommandIO): Promise<number> {
  const { inputs, values, refuse } = call;
  const [file] = inputs;
  if (file === undefined || inputs.length !== 1) return refuse("expected one file; see 'amdgpu-mir help report'");
  let text: string;
  try {
    text = io.read(file);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return refuse(`${visible(file)}: ${error.message}`);
  }
  const options = OF_CHECK.flatMap((name) => (values.get(name) ?? []).map((value) => `--${name}=${value}`));
  const check = new BufferedIO(() => text);
  const exit = await runCheck([...options, '-'], check);
  if (exit === EXIT_USAGE) return refuse(check.err().trim());
  const parts: readonly (readonly [string, string])[] = [
    ['versions', `${VERSION_LINE}${process.platform} ${process.arch}, ${runtimeName()}\n`],
    ['options', `amdgpu-mir check ${[...options, 'FILE'].join(' ')}\n`],
    ['what check says', `${check.out()}${check.err()}exit code ${exit}\n`],
    ['the file', text.endsWith('\n') ? text : `${text}\n`],
  ];
  const lines = (part: string): string => {
    const n = part.split('\n').length - 1;
    return `${n} ${n === 1 ? 'line' : 'lines'}`;
  };
  const held = parts.map(([name, part]) => `${name} (${lines(part)})`).join(', ');
  io.stderr(
    `amdgpu-mir report: contains ${held} and nothing else. Nothing is sent anywhere. Read it before you pass it on.\n`,
  );
  if (text.length > LONG)
    io.stderr("amdgpu-mir report: the file is long; 'amdgpu-mir reduce' makes a smaller one with the same symptom\n");
  for (const [name, part] of parts) io.stdout(`==== ${name}\n${part}`);
  return EXIT_OK;
}

function runtimeName(): string {
  const { bun, node } = process.versions as { readonly bun?: string; readonly node: string };
  return bun === undefined ? `Node ${node}` : `Bun ${bun}`;
}
