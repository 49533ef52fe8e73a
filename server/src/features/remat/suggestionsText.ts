/** Suggestions of rematerialization as text, for the command line and the report in the editor: the answer first. */
import { scoreText } from '../../passes/scheduler/remat/reportText.js';
import type { RematNearMiss, RematSuggestion, RematSuggestions } from './suggestions.js';

/** Emphasis of a terminal, or none. */
export interface TextStyle {
  dim(text: string): string;
  good(text: string): string;
}

const same = (text: string): string => text;
const PLAIN_STYLE: TextStyle = { dim: same, good: same };

/** Lines without indentation and line breaks; at least one. */
export function suggestionLines(s: RematSuggestions, style: TextStyle = PLAIN_STYLE): string[] {
  const lines: string[] = [];
  if (s.scheduledOccupancy !== null) lines.push(`scheduled as it stands: occupancy ${s.scheduledOccupancy}`);
  if (s.scheduler) {
    const { model, registers, effect } = s.scheduler;
    lines.push(`as the scheduler of ${model} would: ${effect.text}`, ...below(registers, ', ', style));
  }
  for (const { registers, isSmallest, effect } of s.sets) {
    const what = isSmallest ? `${count(registers.length)}, the smallest set` : count(registers.length);
    lines.push(`${style.good(`occupancy ${effect.occupancyAfter}`)} with ${what}: ${effect.text}`);
    lines.push(...below(registers, ', ', style));
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

/** Nothing scrolls sideways in half an editor. */
const WIDTH = 72;

/** Parts in as few lines as they need, indented. */
function below(parts: readonly string[], separator: string, style: TextStyle): string[] {
  const lines: string[] = [];
  let line = '';
  parts.forEach((part, k) => {
    const piece = k < parts.length - 1 ? part + separator.trimEnd() : part;
    if (line !== '' && line.length + 1 + piece.length > WIDTH) {
      lines.push(line);
      line = piece;
    } else line = line === '' ? piece : `${line} ${piece}`;
  });
  return [...lines, line].map((l) => style.dim(`    ${l}`));
}

/** What it does, and below that where and why. */
function suggestionText(s: RematSuggestion, style: TextStyle): string[] {
  const places = s.places.slice(0, MAX_PLACES).map((p) => `line ${p.line} (bb.${p.block})`);
  const more = s.places.length > MAX_PLACES ? ` and ${s.places.length - MAX_PLACES} more` : '';
  const parts = [`before ${places.join(', ')}${more}`, s.why];
  if (s.loopDepthChange > 0) parts.push('runs in a loop then');
  if (s.kept.length > 0) parts.push(`the definition stays: ${s.kept[0]!}`);
  if (s.score) parts.push(`score: ${scoreText(s.score)}`);
  return [`${s.register}, line ${s.line}: ${s.effect.text}`, ...below(parts, '; ', style)];
}

const nearMissLine = (m: RematNearMiss, style: TextStyle): string =>
  style.dim(`not ${m.register}, line ${m.line}, ${m.width} ${m.bank}: ${m.reason}`);
