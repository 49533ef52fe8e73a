/** `amdgpu-mir check --outcome`: what llc would end with, from where the file stands. */
import type { Outcome } from '../program/outcome.js';
import type { Palette } from './palette.js';

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** `VGPR 112, AGPR 0, SGPR 40, no spills, 96 bytes of scratch` */
function outcomeText(o: Outcome): string {
  const some = (n: number | null, word: string): string[] => (n === null || n === 0 ? [] : [count(n, word)]);
  const spilled = [...some(o.vgprSpills, 'VGPR'), ...some(o.sgprSpills, 'SGPR')];
  const spills = spilled.length > 0 ? [`${spilled.join(' and ')} spilled`] : o.vgprSpills === null ? [] : ['no spills'];
  return [
    `VGPR ${o.vgpr}`,
    ...((o.agpr ?? 0) > 0 ? [`AGPR ${o.agpr}`] : []),
    `SGPR ${o.sgpr}`,
    ...spills,
    ...(o.scratchBytes > 0 ? [`${o.scratchBytes} bytes of scratch`] : []),
    ...((o.ldsBytes ?? 0) > 0 ? [`${o.ldsBytes} bytes of LDS`] : []),
  ].join(', ');
}

/** The line of the report below the pressure of a function. */
export function printOutcome(o: Outcome, palette: Palette): string {
  const waves = o.waves === null ? '' : `${palette.bold(count(o.waves, 'wave'))}: `;
  return `    as llc ends: ${waves}${outcomeText(o)}\n`;
}
