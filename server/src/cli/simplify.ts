/** `amdgpu-mir simplify`: what the editor's *Simplify the test* does, on a file. */
import { simplifyText } from '../features/simplify/simplify.js';
import type { CommandIO } from '../program/commandIO.js';
import { NEVER_CANCELLED } from '../util/cancellation.js';
import { bisectPass } from './bisectPass.js';
import { runCommand, type Invocation } from './commandRun.js';
import { snapshotOfFile } from './fileSnapshot.js';
import { openSubjects, readSubject } from './fileSubject.js';

const EXIT_OK = 0;

/** The exit code. */
export const runSimplify = (args: readonly string[], io: CommandIO): number =>
  runCommand('simplify', args, io, simplify);

function simplify(call: Invocation, io: CommandIO): number {
  if (call.flags.has('bisect-pass')) return bisectPass(call, io);
  const wanted = readSubject(call, 'simplify');
  if (typeof wanted === 'string') return call.refuse(wanted);
  const opened = openSubjects(io, wanted, false);
  if (typeof opened === 'string') return call.refuse(opened);
  const { source, subjects } = opened;
  const { target, model } = subjects[0]!;
  const { text, done } = simplifyText(snapshotOfFile(source, target, model), NEVER_CANCELLED);
  io.stderr(`amdgpu-mir simplify: ${done.length === 0 ? 'nothing to remove' : done.join(', ')}\n`);
  io.stdout(text);
  return EXIT_OK;
}
