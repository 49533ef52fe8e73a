/** Suggestions of rematerialization as text, for the command line and the report in the editor: the answer first. */
import { scoreText } from '../../scheduling/remat/reportText.js';
import type { RematNearMiss, RematSuggestion, RematSuggestions } from './suggestions.js';

/** Emphasis of a terminal, or none. */
export interface TextStyle {
  dim(text: string): string;
  good(text: string): string;
}

const same = (text: string): string => text;
export const PLAIN_STYLE: TextStyle = { dim: same, good: same };

/** Lines without indentation and line breaks; at least one. */
export function suggestionLines(s: RematSuggestions, style: TextStyle = PLAIN_STYLE): string[] {
  const lines: string[] = [];
  if (s.scheduledOccupancy !== null) lines.push(`scheduled without any of this: occupancy ${s.scheduledOccupancy}`);
  if (s.scheduler) {
    const { model, registers, effect } = s.scheduler;
    lines.push(`the scheduler of ${model} would: ${registers.join(', ')} (${effect.text})`);
  }
  for (const { registers, isSmallest, effect } of s.sets) {
    const what = isSmallest
      ? `smallest set, ${count(registers.length)}`
      : `${count(registers.length)}, not proved smallest`;
    lines.push(
      `${style.good(`occupancy ${effect.occupancyAfter}`)} (${what}): ${registers.join(', ')} ${style.dim(`(${effect.text})`)}`,
    );
  }
  if (s.noSet !== '') lines.push(s.noSet);
  for (const suggestion of s.suggestions) lines.push(...suggestionText(suggestion, style));
  if (s.more > 0) lines.push(`and ${s.more} more`);
  for (const miss of s.nearMisses) lines.push(nearMissLine(miss, style));
  const isEmpty = !s.scheduler && s.sets.length === 0 && s.noSet === '' && s.suggestions.length === 0;
  if (isEmpty) lines.push('nothing to rematerialize that helps');
  return lines;
}

const count = (n: number): string => `${n} register${n === 1 ? '' : 's'}`;

const MAX_PLACES = 4;

/** What it does, and below that where and why. */
function suggestionText(s: RematSuggestion, style: TextStyle): string[] {
  const places = s.places.slice(0, MAX_PLACES).map((p) => `line ${p.line} (bb.${p.block})`);
  const more = s.places.length > MAX_PLACES ? ` and ${s.places.length - MAX_PLACES} more` : '';
  const loop = s.loopDepthChange > 0 ? '; runs in a loop then' : '';
  const kept = s.kept.length > 0 ? `; the definition stays: ${s.kept[0]!}` : '';
  const score = s.score ? `; score: ${scoreText(s.score)}` : '';
  return [
    `${s.register}, line ${s.line}: ${s.effect.text}`,
    style.dim(`    before ${places.join(', ')}${more}; ${s.why}${loop}${kept}${score}`),
  ];
}

const nearMissLine = (m: RematNearMiss, style: TextStyle): string =>
  style.dim(`not ${m.register}, line ${m.line}, ${m.width} ${m.bank}: ${m.reason}`);
