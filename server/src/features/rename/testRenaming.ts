/** Names of a test: FileCheck's prefixes and variables. */
import type { TextRange } from '../../text/diagnostic.js';
import { endsInSuffix } from '../../program/testFile/checkLines.js';
import { fileChecksOf, namedPrefixes } from '../../program/testFile/checkPrefixes.js';
import type { TestFile } from '../../program/testFile/testFile.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { checkLinesOf, type CheckLine } from '../checks/checkLines.js';
import { refuse, replaceAll, type Renaming } from './renaming.js';

/** Null where no prefix or variable stands. O(text) */
export function testRenaming(snapshot: Snapshot, offset: number): Renaming | null {
  const line = snapshot.text.lineAt(offset);
  const content = snapshot.text.slice(snapshot.text.lineStart(line), snapshot.text.lineEnd(line));
  if (!/^\s*(?:[;#]+|\/\/)/.test(content)) return null;
  const lines = checkLinesOf(snapshot);
  return prefixRenaming(snapshot, lines, offset) ?? variableRenaming(snapshot, lines, offset);
}

const holds = ({ start, end }: TextRange, offset: number): boolean => start <= offset && offset <= end;

// -- prefixes ------------------------------------------------------------------------------------------------------

interface Prefixes {
  /** places in RUN lines, by prefix */
  readonly named: Map<string, TextRange[]>;
  /** where `-check-prefix=` would go in commands that name none; -1 where it cannot */
  readonly unnamed: number[];
  /** that definitions put together */
  readonly madeUp: ReadonlySet<string>;
}

function prefixesOf(test: TestFile): Prefixes {
  const named = new Map<string, TextRange[]>();
  const unnamed: number[] = [];
  const madeUp = new Set<string>();
  for (const command of fileChecksOf(test)) {
    const prefixes = namedPrefixes(command);
    if (prefixes.length === 0) unnamed.push(command.words[0]?.start ?? -1);
    for (const { name, place } of prefixes) {
      const places = named.get(name) ?? [];
      // Two commands may have it of one definition.
      if (place === null) madeUp.add(name);
      else if (!places.some(({ start }) => start === place.start)) places.push(place);
      named.set(name, places);
    }
  }
  return { named, unnamed, madeUp };
}

const isReserved = (name: string): boolean => name === 'RUN' || name === 'COM' || endsInSuffix(name);

function prefixRenaming(snapshot: Snapshot, lines: readonly CheckLine[], offset: number): Renaming | null {
  const { named, unnamed, madeUp } = prefixesOf(snapshot.test);
  const directives = lines.map(({ prefix, start }) => ({ prefix, start, end: start + prefix.length }));
  const inRun = [...named].flatMap(([prefix, places]) => places.map((p) => ({ prefix, ...p })));
  const here = [...directives, ...inRun].find((p) => holds(p, offset));
  if (!here) return null;
  const { prefix: name, start, end } = here;
  return {
    range: { start, end },
    name,
    views: [],
    edits: (newName) => {
      if (newName === name) return [];
      if (madeUp.has(name)) return refuse(`${name} is put together by the definitions of the test`);
      if (!/^[A-Za-z][\w-]*$/.test(newName)) return refuse(`'${newName}' is no prefix: letters, digits, '_' and '-'`);
      if (isReserved(newName)) return refuse(`'${newName}' means something of its own to FileCheck`);
      const used = new RegExp(`^[ \\t]*(?:[;#]+|//)[ \\t]*${newName}(?:-[A-Z]+(?:-\\d+)?)?:`, 'm');
      if (named.has(newName) || used.test(snapshot.text.text))
        return refuse(`the file has lines or commands with the prefix ${newName} already`);
      const isDefault = name === 'CHECK' && unnamed.length > 0;
      if (isDefault && unnamed.includes(-1)) return refuse('a FileCheck command without words cannot name a prefix');
      const places = [...directives.filter((d) => d.prefix === name), ...(named.get(name) ?? [])];
      return [
        ...replaceAll(places, newName),
        // FileCheck without the option looks for CHECK.
        ...(isDefault ? unnamed.map((at) => ({ start: at, end: at, text: `-check-prefix=${newName} ` })) : []),
      ];
    },
  };
}

// -- variables -----------------------------------------------------------------------------------------------------

interface VariablePlace extends TextRange {
  readonly name: string;
}

/** Variables of patterns (`[[X:...]]`, `[[#X+1]]`) and of commands (`-DX=1`). */
function variablesOf(snapshot: Snapshot, lines: readonly CheckLine[]): VariablePlace[] {
  const { text } = snapshot.text;
  const places: VariablePlace[] = [];
  const add = (name: string, start: number): void => void places.push({ name, start, end: start + name.length });
  for (const { contentStart, end } of lines)
    for (const block of text.slice(contentStart, end).matchAll(/\[\[(#?)((?:(?!\]\]).)*)/g)) {
      const at = contentStart + block.index + 2 + block[1]!.length;
      const inner = block[2]!;
      if (block[1] === '') {
        const name = /^\$?[A-Za-z_]\w*(?=:|$)/.exec(inner)?.[0];
        if (name !== undefined) add(name, at);
        continue;
      }
      const format = /^\s*%[^,]*,/.exec(inner)?.[0].length ?? 0;
      for (const { 0: name, index } of inner.slice(format).matchAll(/(?<![\w@])\$?[A-Za-z_]\w*(?!\w|\s*\()/g))
        if (!/^(?:0x)/.test(name)) add(name, at + format + index);
    }
  for (const { run, words } of fileChecksOf(snapshot.test))
    for (const { at } of words) {
      const [, option = '', name = ''] =
        /^(["']?-D#?)(\$?[A-Za-z_]\w*)=/.exec(run.text.text.slice(at.start, at.end)) ?? [];
      const start = at.start + option.length;
      const origin = name === '' ? null : run.text.placeOf(start, start + name.length).origin;
      if (origin !== null && !places.some((p) => p.start === origin.start)) add(name, origin.start);
    }
  return places;
}

function variableRenaming(snapshot: Snapshot, lines: readonly CheckLine[], offset: number): Renaming | null {
  const all = variablesOf(snapshot, lines);
  const here = all.find((p) => holds(p, offset));
  if (!here) return null;
  const { name, start, end } = here;
  return {
    range: { start, end },
    name,
    views: [],
    edits: (newName) => {
      if (newName === name) return [];
      if (!/^\$?[A-Za-z_]\w*$/.test(newName))
        return refuse(`'${newName}' is no name of a variable: letters, digits and '_'`);
      if (newName.startsWith('$') !== name.startsWith('$'))
        return refuse(`with '$' a variable outlives labels, without it does not: the test would mean something else`);
      if (all.some((p) => p.name === newName)) return refuse(`a variable ${newName} exists already`);
      return replaceAll(
        all.filter((p) => p.name === name),
        newName,
      );
    },
  };
}
