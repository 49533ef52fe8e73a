/**
 * A text as what it shares with another one: the tables of a release of LLVM repeat most of those of the one before. The writer is
 * `server/tools/pack/delta.ts`; both sides must change together.
 *
 * A delta is a run of steps: the length of a literal and the literal, then the length of a copy from the other text and how far it begins from where
 * the copy before ended. A copy of length 0 ends it.
 */
import { PackReader } from './packed.js';

/** The text that `delta` makes of `base`. */
export function applyDelta(base: string, delta: string): string {
  const r = new PackReader(delta);
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    parts.push(r.string());
    const length = r.uint();
    if (length === 0) return parts.join('');
    at += r.int();
    parts.push(base.slice(at, at + length));
    at += length;
  }
}
