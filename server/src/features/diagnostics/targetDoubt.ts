/** Whether the target of a file is known, or only assumed, and what to tell the user then. */
import { parseTriple } from '../../target/index.js';
import { oneLine } from '../../text/visible.js';
import { subtargetText, type Snapshot } from '../snapshot/snapshot.js';
import { TargetOrigin } from '../../program/targetOfFile.js';

/** Null when the target is known: a RUN line, a setting, the user, or attributes of every function say it. */
export function targetDoubt({ target, functions, subtarget }: Snapshot): string | null {
  const { triple, cpu, features, origin, commands, commandIdx } = target;
  const numbers = `the numbers are for ${subtargetText(subtarget)}`;
  if (origin === TargetOrigin.RunLine) {
    const said = [triple, cpu, features].find((value) => value.includes('%'));
    const line = commands[commandIdx]!.firstLine + 1;
    return said === undefined
      ? null
      : `line ${line} names the target by a substitution of lit (${oneLine(said)}): ${numbers}`;
  }
  if (origin === TargetOrigin.Override || cpu !== '' || functions.length === 0) return null;
  // A sub-architecture in the triple names the processor, too.
  if (parseTriple(triple).cpu !== '') return null;
  const isOwn = functions.every(({ fn }) => fn?.header.irFunction.attributes.has('target-cpu') ?? false);
  return isOwn ? null : `nothing in the file names a processor: ${numbers}`;
}
