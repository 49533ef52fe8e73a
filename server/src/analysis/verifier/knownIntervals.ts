/** Live intervals that a pass has left up to date, for the verifier after it. */
import type { RegUnit } from '../../target/api.js';
import type { IntervalEditor } from '../edit/intervalEditor.js';
import type { LiveRange } from '../edit/liveRange.js';

export interface KnownIntervals {
  readonly intervals: IntervalEditor;
  /** the range of a register unit, null where nobody has asked for it */
  unitRange(unit: RegUnit): LiveRange | null;
}
