/** What llc ends with, in words: the same on the command line and in the editor. */
import type { EndedFunction, Outcome, OutcomeStep } from '../../program/outcome.js';
import { plural } from './numbers.js';

/** `1 VGPR and 2 SGPRs spilled`, empty when nothing is */
export function outcomeSpillText({ vgprSpills, sgprSpills }: Outcome): string {
  const some = (n: number | null, word: string): string[] => (n === null || n === 0 ? [] : [plural(n, word)]);
  const spilled = [...some(vgprSpills, 'VGPR'), ...some(sgprSpills, 'SGPR')];
  return spilled.length > 0 ? `${spilled.join(' and ')} spilled` : '';
}

/** `VGPR 112, AGPR 0, SGPR 40, no spills, 96 bytes of scratch` */
export function outcomeRegistersText(o: Outcome): string {
  return [
    `VGPR ${o.vgpr}`,
    ...((o.agpr ?? 0) > 0 ? [`AGPR ${o.agpr}`] : []),
    `SGPR ${o.sgpr}`,
    ...(o.vgprSpills === null ? [] : [outcomeSpillText(o) || 'no spills']),
    ...(o.scratchBytes > 0 ? [`${o.scratchBytes} bytes of scratch`] : []),
    ...((o.ldsBytes ?? 0) > 0 ? [`${o.ldsBytes} bytes of LDS`] : []),
  ].join(', ');
}

/** `why 5 waves`, `why 2 VGPRs spilled`, empty where nothing binds and nothing is spilled */
export function whyText({ outcome, bounds }: Pick<EndedFunction, 'outcome' | 'bounds'>): string {
  if (bounds !== null && bounds.by.length > 0) return `why ${plural(outcome.waves!, 'wave')}`;
  const spilled = outcomeSpillText(outcome);
  return spilled === '' ? '' : `why ${spilled}`;
}

/** `6 waves need VGPR 80 (with AGPRs), 8 fewer` */
export function nextText({ vgpr, agpr, totalVgpr, sgpr }: Outcome, next: OutcomeStep | null): string {
  if (next === null) return '';
  const all = totalVgpr ?? vgpr;
  const files = [
    ...(next.vgpr === null
      ? []
      : [`VGPR ${next.vgpr}${(agpr ?? 0) > 0 ? ' with AGPRs' : ''}, ${all - next.vgpr} fewer`]),
    ...(next.sgpr === null ? [] : [`SGPR ${next.sgpr}, ${sgpr - next.sgpr} fewer`]),
  ];
  return `${plural(next.waves, 'wave')} need${next.waves === 1 ? 's' : ''} ${files.join(' and ')}`;
}

/** `llc ends with 5 of 8 waves: VGPR 24, AGPR 64, SGPR 14, no spills` */
export function endText({ outcome, bounds }: Pick<EndedFunction, 'outcome' | 'bounds'>): string {
  const waves = bounds === null ? '' : `${outcome.waves} of ${bounds.most} waves: `;
  return `llc ends with ${waves}${outcomeRegistersText(outcome)}`;
}
