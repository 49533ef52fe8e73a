/** Points of what completion proposes, with what a distance in the text costs taken out of them, so that what remains are whole numbers. */
import type { Candidate } from '../../server/src/features/completion/candidate.js';
import { FunctionScope } from '../../server/src/features/completion/functionScope.js';
import { atBar } from './cursor.js';

/** The scope of the line with `¦`, in the last function of the text. */
export function pointScope(marked: string, cpu = 'gfx900'): { readonly scope: FunctionScope; readonly cursor: number } {
  const { snapshot, position } = atBar(
    `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=none -o - %s\n${marked}`,
  );
  const { text } = snapshot;
  const cursor = text.offsetAt(position);
  const line = text.lineAt(cursor);
  const view = snapshot.functions.at(-1)!;
  return { scope: new FunctionScope(snapshot, view, text.lineStart(line), text.lineEnd(line)), cursor };
}

/** Characters from the cursor's line to the last place of a register above it, and to the first below; infinite without one. */
export function distances(
  { snapshot, lineStart, lineEnd }: FunctionScope,
  name: string,
  lead = '',
): readonly [number, number] {
  const { text } = snapshot.text;
  const body = text.lastIndexOf('\nbody:');
  const places = [...text.matchAll(new RegExp(`${lead}\\${name}(?![\\w-])`, 'g'))]
    .map((m) => m.index)
    .filter((p) => p > body);
  const above = places.filter((p) => p < lineStart).at(-1);
  const below = places.find((p) => p > lineEnd);
  return [above === undefined ? Infinity : lineStart - above, below === undefined ? Infinity : below - lineStart];
}

/** Points that a distance costs: so many each time that it doubles, in lines of 48 characters; `most` where there is none. */
export const cost = (distance: number, each: number, most: number): number =>
  distance === Infinity ? most : each * Math.log2(1 + distance / 48);

export const points = (n: number): string => String(Number(n.toFixed(3)));

/** `label points | what is written | detail | description` of each. */
export const shown = ({ label, insert, detail, description }: Candidate, own: number): string =>
  [`${label} ${points(own)}`, insert ?? '', (detail ?? '').trim(), description ?? '']
    .join(' | ')
    .replace(/(?: \| )+$/, '');
