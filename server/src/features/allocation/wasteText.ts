/** `53 VGPRs for 45 values at once: 8 callee-saved below are left out ($vgpr40-$vgpr47)` */
import { registerWaste, type FileWaste } from '../../analysis/registerWaste.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import type { PhysReg } from '../../target/api.js';
import { plural } from '../words/numbers.js';

/** Runs of registers that are named. */
const MAX_RUNS = 4;

/** A line for each file that reaches higher than it has values at once, each ended. */
export const wasteText = ({ fn, errors, use }: AllocatedFunction): string =>
  errors.length > 0
    ? ''
    : wasteLines(fn, registerWaste(fn), use.hasCalls)
        .map((line) => `${line}\n`)
        .join('');

function wasteLines(fn: MachineFunction, waste: readonly FileWaste[], hasCalls: boolean): string[] {
  return waste
    .filter(({ reach, live }) => reach > live)
    .map((w) => {
      const parts: string[] = [];
      const put = (regs: readonly PhysReg[], what: string): void => {
        if (regs.length > 0) parts.push(`${regs.length} ${what} (${runsText(fn, w.file, regs)})`);
      };
      put(w.calleeSaved, 'callee-saved not used, each would be saved');
      put(w.callerSaved, hasCalls ? 'caller-saved not used, calls overwrite them' : 'caller-saved not used');
      put(w.reserved, 'reserved');
      if (w.freeThere > 0) parts.push(`${w.freeThere} used elsewhere`);
      return `${plural(w.reach, w.file.toUpperCase())} for ${plural(w.live, 'value')} at once: ${parts.join(', ')}${besides(fn, w.file)}`;
    });
}

/** Whole-wave registers, which prologepilog moves down. */
function besides({ tables, header }: MachineFunction, file: string): string {
  const n = header.machineFunctionInfo.wwmReservedRegs.filter((reg) => tables.regName(reg).startsWith(file)).length;
  return n > 0 ? `; ${plural(n, 'whole-wave register')} in addition` : '';
}

/** `$vgpr40-$vgpr47, $vgpr56` */
function runsText({ tables }: MachineFunction, file: string, regs: readonly PhysReg[]): string {
  const numbers = regs.map((reg) => Number(/\d+$/.exec(tables.regName(reg))?.[0] ?? -1));
  const runs: [first: number, last: number][] = [];
  for (const n of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  const shown = runs.slice(0, MAX_RUNS).map(([a, b]) => (a === b ? `$${file}${a}` : `$${file}${a}-$${file}${b}`));
  return `${shown.join(', ')}${runs.length > MAX_RUNS ? ', ...' : ''}`;
}
