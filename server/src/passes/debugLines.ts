/** Lines of debug locations, for what asks whether an instruction has one. */
import type { DebugNames } from '../model/printer/index.js';

/** Of a location as an instruction has it; 0 = code that no line is the cause of. It ends in `FILE:LINE:COLUMN @[ ... ]`. */
export const lineOfLocation =
  (names: DebugNames) =>
  (location: string): number =>
    Number(/:(\d+)(?::\d+)?(?: @\[|$)/.exec(names.location(location) ?? '')?.[1] ?? 0);
