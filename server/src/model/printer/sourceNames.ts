/** Virtual registers as the source spells them: llc counts them anew in what it prints, which is not what is before the reader of a report. */
import type { MachineFunction } from '../machineFunction.js';
import type { VRegId } from '../register.js';

/** `%7`, `%name`; registers that the source has not get the next numbers, in the order in which they are asked for. */
export function sourceNames({ vregs }: MachineFunction): (v: VRegId) => string {
  const names: (string | undefined)[] = [];
  let next = 0;
  for (let v = 0; v < vregs.n; v++) {
    const number = vregs.sourceNumber[v]!;
    const name = vregs.name[v] ?? (number === -1 ? null : String(number >>> 0));
    if (name !== null) names[v] = `%${name}`;
    if (number !== -1) next = Math.max(next, (number >>> 0) + 1);
  }
  return (v) => (names[v] ??= `%${next++}`);
}
