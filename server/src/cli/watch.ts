/** `--watch`: a command again whenever one of its files has changed, until the user interrupts it. */
import { statSync } from 'node:fs';
import type { CommandIO } from '../program/commandIO.js';
import { visible } from '../text/visible.js';
import { findInputs } from './checkInputs.js';
import { isTerminal } from './commandRun.js';
import type { Interrupt } from './interrupt.js';

/** Asked rather than told: that is the same on every system and for files that editors replace. */
const POLL_MS = 250;
const CLEAR = '\u001b[2J\u001b[3J\u001b[H';

/** The exit code of the last run. `inputs`: files, and folders in which files may come and go. */
export async function watch(
  inputs: readonly string[],
  io: CommandIO,
  interrupt: Interrupt,
  run: () => Promise<number>,
): Promise<number> {
  let isStopped = false;
  let wake: () => void = () => undefined;
  const listen = interrupt(() => {
    isStopped = true;
    wake();
  });
  const isOnTerminal = isTerminal(process.stdout);
  try {
    let state = stateOf(inputs);
    if (isOnTerminal) io.stdout(CLEAR);
    let exit = await run();
    for (;;) {
      io.stdout(`watching ${state.size} file${state.size === 1 ? '' : 's'}; Ctrl+C ends it\n`);
      let now = state;
      while (!isStopped && ((now = stateOf(inputs)), changed(state, now) === null))
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, POLL_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      if (isStopped) return exit;
      const file = changed(state, now)!;
      state = now;
      io.stdout(isOnTerminal ? CLEAR : `\n${visible(file)} has changed\n`);
      exit = await run();
    }
  } finally {
    listen();
  }
}

/** By file, what tells its versions apart. */
function stateOf(inputs: readonly string[]): Map<string, string> {
  const files = findInputs(inputs, Infinity).map(({ file }) => file);
  return new Map(
    files.map((file) => {
      try {
        const { mtimeMs, size, ino } = statSync(file);
        return [file, `${mtimeMs} ${size} ${ino}`];
      } catch {
        return [file, ''];
      }
    }),
  );
}

/** The first file that has changed, come or gone; null: none. */
function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string | null {
  for (const [file, state] of after) if (before.get(file) !== state) return file;
  for (const file of before.keys()) if (!after.has(file)) return file;
  return null;
}
