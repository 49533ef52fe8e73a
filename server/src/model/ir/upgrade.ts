/** What llc does to a module right after reading it. */
import type { IRModule } from './module.js';
export function finishModule(module: IRModule, mdKindOffsets: ReadonlyMap<string, number>): string | null {
  module.customMDKinds.push(...[...mdKindOffsets].sort((a, b) => a[1] - b[1]).map(([k]) => k));
  return null;
}
