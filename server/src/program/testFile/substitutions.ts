/** What texts of RUN lines stand for: what the test defines, and what lit (LLVM 22) has of its own. */
import { chosenIn } from './choices.js';
import { conditionHolds } from './conditions.js';
import { definitionIn, type Definition, type Directive } from './directives.js';
import { countOf, LitSyntaxError, Unsupported, type LitLimits } from './limits.js';
import { TracedText } from './tracedText.js';

/** What tests may know of where they are. */
export interface LitPlaces {
  /** the test */
  readonly file: string;
  readonly folder: string;
  /** for what it writes; a name that no other test has */
  readonly temporary: string;
}

/** Characters of a RUN line with its substitutions made: a process takes no more. */
const MAX_RUN_LINE = 1 << 21;

/** of a text that is looked for in another */
const CHARACTERS_PER_STEP = 32;

/** `at line 3` */
export function linesOf({ rows }: Directive): string {
  const [first, last] = [rows[0]!.line + 1, rows.at(-1)!.line + 1];
  return first === last ? `at line ${first}` : `from line ${first} to ${last}`;
}

/** What stands for what: later definitions first, then those that lit has of its own. */
export class Substitutions {
  private readonly own: Definition[];
  private readonly defined = new Map<string, { value: TracedText; order: number }>();

  /** `places` null: what lit has of its own for the test's files stays as it is written. */
  constructor(
    places: LitPlaces | null,
    private readonly limits: LitLimits,
    private readonly maxLength = MAX_RUN_LINE,
  ) {
    this.own = places === null ? asDefinitions(OF_LLVM) : defaultSubstitutions(places);
  }

  /** Makes a definition, or another of one that is there; no error is told. */
  define({ name, value }: Definition, isNew: boolean): void {
    const known = this.defined.get(name);
    if (known !== undefined) known.value = value;
    else if (isNew) this.defined.set(name, { value, order: -this.defined.size });
  }

  /** Makes a definition, or another of one that is there. Throws LitSyntaxError. */
  adjust(directive: Directive): void {
    const { keyword } = directive;
    const { name, value } = definitionIn(directive);
    const place = `'${keyword}' directive ${linesOf(directive)}`;
    const known = this.defined.get(name);
    const at = this.own.findIndex((s) => s.name === name);
    if (keyword === 'DEFINE:') {
      if (known !== undefined || at >= 0)
        throw new LitSyntaxError(
          `Substitution whose pattern contains '${name}' is already defined before ${place}\nExisting pattern: ${name}`,
        );
      this.defined.set(name, { value, order: -this.defined.size });
    } else if (known !== undefined) known.value = value;
    else if (at >= 0) this.own[at] = { name, value };
    else throw new LitSyntaxError(`No substitution for '${name}' is defined before ${place}`);
  }

  /** Throws Unsupported. */
  apply(text: TracedText): TracedText {
    let made = hidden(text);
    for (let last = -Infinity; this.defined.size > 0;) {
      let next: { name: string; value: TracedText; order: number } | null = null;
      this.limits.spend(made.text.length);
      for (const [name] of made.text.matchAll(/%\{[_a-zA-Z][-_:0-9a-zA-Z]*\}/g)) {
        const found = this.defined.get(name);
        if (found && found.order > last && (next === null || found.order < next.order)) next = { name, ...found };
      }
      if (next === null) break;
      made = this.put(made, next);
      last = next.order;
    }
    for (const substitution of this.own) {
      this.limits.spend(made.text.length / CHARACTERS_PER_STEP);
      made = this.put(made, substitution);
    }
    return made;
  }

  private put(text: TracedText, { name, value }: Definition): TracedText {
    const n = countOf(text.text, name);
    if (n === 0) return text;
    if (text.text.length + n * (value.text.length - name.length) > this.maxLength)
      throw new Unsupported(`a RUN line of more than ${MAX_RUN_LINE >> 20} MB after its substitutions`);
    return hidden(text.replaceAll(name, value));
  }
}

/** Those that LLVM's tests have besides lit's own, on Linux. */
const OF_LLVM: readonly (readonly [name: string, value: string])[] = [
  ['%ProtectFileCheckOutput', 'env -u FILECHECK_OPTS'],
  ['%llc_dwarf', 'llc'],
  ['%errc_ENOENT', 'No such file or directory'],
  ['%errc_EISDIR', 'Is a directory'],
  ['%errc_EACCES', 'Permission denied'],
  ['%exeext', ''],
];

const asDefinitions = (list: readonly (readonly [name: string, value: string])[]): Definition[] =>
  list.map(([name, value]) => ({ name, value: TracedText.made(value) }));

/** In the order in which lit makes them. */
function defaultSubstitutions({ file, folder, temporary }: LitPlaces): Definition[] {
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const base = nameOf(temporary).replace(/\.tmp$/, '');
  const list: (readonly [name: string, value: string])[] = [
    ...OF_LLVM,
    ['%{pathsep}', ':'],
    ['%basename_t', base],
    ['%{s:basename}', nameOf(file)],
    ['%{t:stem}', base],
    ['%{fs-src-root}', '/'],
    ['%{fs-tmp-root}', '/'],
    ['%{fs-sep}', '/'],
    ['%/et', temporary],
  ];
  for (const [letter, path] of [
    ['s', file],
    ['S', folder],
    ['p', folder],
    ['t', temporary],
  ] as const)
    list.push(
      [`%${letter}`, path],
      [`%/${letter}`, path],
      [`%{${letter}:real}`, path],
      [`%{/${letter}:real}`, path],
      [`%{/${letter}:regex_replacement}`, path.replace(/[@&]/g, '\\$&')],
      [`%:${letter}`, path.replace(/^\//, '')],
    );
  return asDefinitions(list);
}

/** Stands for `%%` meanwhile. */
const PERCENT = '#_MARKER_#';
const MARKER = TracedText.made(PERCENT);

const hidden = (text: TracedText): TracedText => text.replaceAll('%%', MARKER);

/** Throws LitSyntaxError and Unsupported. */
export function substitute(
  text: TracedText,
  substitutions: Substitutions,
  features: ReadonlySet<string>,
  limits: LitLimits,
): TracedText {
  const holds = (condition: string): boolean => conditionHolds(condition, features, limits);
  const made = substitutions.apply(text.text.includes('%if ') ? chosenIn(hidden(text), holds) : text);
  if (made.text.includes('%T'))
    throw new LitSyntaxError('%T is no longer supported. Please create directories with names based on %t.');
  return made.trim().replaceAll(PERCENT, TracedText.made('%'));
}
