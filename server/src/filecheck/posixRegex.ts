/**
 * POSIX extended regular expressions as LLVM's Regex class reads and matches them (Regex.cpp over Henry Spencer's engine, LLVM 22): leftmost,
 * then longest; groups by that engine's rules; back-references. Text is a string of bytes (each character below 256), as FileCheck sees it.
 *
 * Rows of texts and repeated characters have an engine of their own (flatRegex.ts). Any other pattern without back-references takes time proportional to
 * pattern and text for each place where it may begin: a lazy automaton reads the text, which has no memory of its own to run out of. Where that
 * adds up, all places are searched at once. With back-references the search goes back and forth, up to a number of steps
 * (`MAX_STEPS`); beyond it there is no match.
 */

import { flatten, type FlatRegex } from './flatRegex.js';
import {
  Kind,
  NEWLINE,
  parseRegex,
  renumber,
  SearchLimit,
  soleCharacter,
  type AnchorLimits,
  type Node,
  type ParsedRegex,
  type RegexOptions,
  type SearchMeter,
} from './regexSyntax.js';

export { RegexError, SearchLimit, type RegexOptions, type SearchMeter } from './regexSyntax.js';

/** Steps of a search with back-references, and of one that does not look out for what it has tried before. */
const MAX_STEPS = 2_000_000;
const FEW_STEPS = 500;
/** Steps of a search from one place after the other before all places are searched at once, and for each character of the text. */
const PATIENCE = 20_000;
const PATIENCE_PER_CHARACTER = 8;
/** Steps of a search from all places before it is given up. */
const MAX_WORK = 40_000_000;
/** States of an automaton before it begins anew, and numbers in all of their sets. */
const MAX_STATES = 4000;
const MAX_IN_SETS = 1 << 21;
/** Bytes of the automata for parts of an expression that are kept. */
const MAX_KEPT = 32 << 20;
const BYTES_OF_NODE = 60;
/** Steps for each number in a new state: it is sorted and becomes part of a key. */
const BUILDING = 8;

// -- automaton ---------------------------------------------------------------------------------------------------

const enum Step {
  Chars,
  Split,
  LineStart,
  LineEnd,
  WordStart,
  WordEnd,
  Accept,
}

const NONE = -1;
/** the first step that an automaton has */
const ACCEPT = 0;
const FIRST_SIZE = 16;

/** States of a sub-expression that ends in its last state; a lazy automaton of sets of them when no state looks at its surroundings. */
class Automaton {
  private step = new Uint8Array(FIRST_SIZE);
  private set: (Uint8Array | null)[] = [];
  private next = new Int32Array(FIRST_SIZE);
  private other = new Int32Array(FIRST_SIZE);
  private nSteps = 0;
  private readonly entry: number;
  private looksAround = false;
  // lazy automaton: a state is a sorted set of steps that take characters, and whether it accepts
  private sets: Int32Array[] = [];
  private nInSets = 0;
  private accepts: boolean[] = [];
  private moves: Int32Array[] = [];
  /** states by the hash of their sets; those of one hash one after the other */
  private ids = new Map<number, number>();
  private sameHash: number[] = [];
  private first = NONE;
  private readonly mark: Int32Array;
  private epoch = 0;
  /** steps that are found or still to be looked at */
  private readonly found: Int32Array;
  /** characters read by `longest` so far, times states where these look around, and what states were made of */
  work = 0;
  /** steps that `search` has come to since it last told the meter */
  private visits = 0;
  /** where the present call of `longest` gives up */
  private mostWork = Infinity;

  constructor(
    nodes: readonly Node[],
    private readonly newline: boolean,
    private readonly limits: AnchorLimits | null,
    private readonly meter: SearchMeter | null,
  ) {
    this.add(Step.Accept, null, NONE, NONE);
    this.entry = this.build(nodes, ACCEPT);
    this.meter?.spend(this.nSteps);
    this.mark = new Int32Array(this.nSteps);
    this.found = new Int32Array(this.nSteps);
  }

  /** about as many as it takes */
  get bytes(): number {
    return 40 * this.nSteps + 1200 * this.sets.length + 12 * this.nInSets;
  }

  private add(step: Step, set: Uint8Array | null, next: number, other: number): number {
    const s = this.nSteps++;
    if (s === this.step.length) {
      this.step = grown(this.step);
      this.next = grown(this.next);
      this.other = grown(this.other);
    }
    this.step[s] = step;
    this.set.push(set);
    this.next[s] = next;
    this.other[s] = other;
    if (step >= Step.LineStart && step <= Step.WordEnd) this.looksAround = true;
    return s;
  }

  /** The state in which the nodes begin, one after the other, if `then` follows them. What is still to be made lies on a stack of its own. */
  private build(nodes: readonly Node[], then: number): number {
    /** takes the state in which what was made last begins, and says in which one it begins with it */
    const waiting: ((at: number) => number)[] = [];
    const sequence = (items: readonly Node[]): void => {
      for (const item of items) waiting.push((at) => make(item, at));
    };
    const make = (node: Node, at: number): number => {
      switch (node.kind) {
        case Kind.Chars:
          return this.add(Step.Chars, node.set, at, NONE);
        case Kind.Text: {
          for (let k = node.text.length - 1; k >= 0; k--)
            at = this.add(Step.Chars, soleCharacter(node.text.charCodeAt(k)).set, at, NONE);
          return at;
        }
        case Kind.Sequence:
          sequence(node.items);
          return at;
        case Kind.Choice: {
          const entries: number[] = [];
          const { branches } = node;
          const next = (before: number): number => {
            if (before !== NONE) entries.push(before);
            const branch = branches[entries.length];
            if (branch === undefined) return entries.reduceRight((rest, e) => this.add(Step.Split, null, e, rest));
            waiting.push(next);
            return make(branch, at);
          };
          return next(NONE);
        }
        case Kind.Plus: {
          const split = this.add(Step.Split, null, NONE, at);
          waiting.push((entry) => (this.next[split] = entry));
          return make(node.item, split);
        }
        case Kind.Optional:
          waiting.push((entry) => this.add(Step.Split, null, entry, at));
          return make(node.item, at);
        case Kind.Group:
          waiting.push((entry) => make(node.item, entry));
          return at;
        case Kind.BackReference:
          waiting.push((entry) => make(node.like, entry));
          return at;
        case Kind.LineStart:
          return this.add(Step.LineStart, null, at, NONE);
        case Kind.LineEnd:
          return this.add(Step.LineEnd, null, at, NONE);
        case Kind.WordStart:
          return this.add(Step.WordStart, null, at, NONE);
        case Kind.WordEnd:
          return this.add(Step.WordEnd, null, at, NONE);
      }
    };
    sequence(nodes);
    let at = then;
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) at = step(at);
    return at;
  }

  /** End of the longest match in `text` that begins at `start` and ends by `stop`, within [begin, end); -1 = none. Gives up after `MAX_WORK` steps. */
  longest(text: string, start: number, stop: number, begin: number, end: number): number {
    this.mostWork = this.work + MAX_WORK;
    return this.looksAround ? this.walk(text, start, stop, begin, end) : this.run(text, start, stop);
  }

  private run(text: string, start: number, stop: number): number {
    if (this.first < 0) this.first = this.state(this.closure([this.entry], () => false));
    let state = this.first;
    let found = this.accepts[state] === true ? start : NONE;
    let at = start;
    for (; at < stop; at++) {
      const code = text.charCodeAt(at);
      let to = (this.moves[state] as Int32Array)[code] as number;
      if (to === NONE - 1) to = this.move(state, code);
      if (to === NONE) break;
      state = to;
      if (this.accepts[state] === true) found = at + 1;
    }
    this.spend(at - start);
    return found;
  }

  private spend(steps: number): void {
    this.work += steps;
    this.meter?.spend(steps);
    if (this.work > this.mostWork) throw new SearchLimit(`a search takes more than ${MAX_WORK} steps`);
  }

  private move(from: number, code: number): number {
    const set = this.sets[from]!;
    this.spend(set.length);
    const targets: number[] = [];
    for (const s of set) if (this.set[s]?.[code] === 1) targets.push(this.next[s]!);
    if (targets.length === 0) {
      (this.moves[from] as Int32Array)[code] = NONE;
      return NONE;
    }
    const states = this.closure(targets, () => false);
    if (this.sets.length >= MAX_STATES || this.nInSets > MAX_IN_SETS) {
      this.sets = [];
      this.nInSets = 0;
      this.accepts = [];
      this.moves = [];
      this.ids = new Map();
      this.sameHash = [];
      this.first = NONE;
      return this.state(states);
    }
    const to = this.state(states);
    (this.moves[from] as Int32Array)[code] = to;
    return to;
  }

  private state(steps: Int32Array): number {
    const hash = hashOf(steps);
    const last = this.ids.get(hash);
    for (let id = last; id !== undefined && id !== NONE; id = this.sameHash[id])
      if (isEqual(this.sets[id]!, steps)) return id;
    const id = this.sets.push(steps) - 1;
    this.sameHash.push(last ?? NONE);
    this.nInSets += steps.length;
    this.spend(BUILDING * steps.length);
    // It has the lowest number.
    this.accepts.push(steps[0] === ACCEPT);
    this.moves.push(new Int32Array(256).fill(NONE - 1));
    this.ids.set(hash, id);
    return id;
  }

  private walk(text: string, start: number, stop: number, begin: number, end: number): number {
    let found = NONE;
    this.work++;
    let states = this.closureAt([this.entry], text, start, begin, end);
    for (let at = start; ; at++) {
      if (states.some((s) => this.step[s] === Step.Accept)) found = at;
      if (at === stop) return found;
      const code = text.charCodeAt(at);
      const targets: number[] = [];
      for (const s of states) if (this.set[s]?.[code] === 1) targets.push(this.next[s]!);
      if (targets.length === 0) return found;
      this.spend(states.length);
      states = this.closureAt(targets, text, at + 1, begin, end);
    }
  }

  /**
   * The leftmost longest match that begins at `from` or after it, within [begin, end), as a pair of offsets; null = none. Reads the text once,
   * with all beginnings at the same time, in O(text * states); gives up after `MAX_WORK` steps.
   */
  search(text: string, from: number, begin: number, end: number): readonly [start: number, stop: number] | null {
    let before = new StepList(this.nSteps);
    let now = new StepList(this.nSteps);
    let found: [number, number] | null = null;
    let work = 0;
    this.epoch++;
    for (let at = from; ; at++) {
      if (found === null) this.enter(this.entry, at, text, at, begin, end, now);
      const accepted = now.startOf(ACCEPT);
      if (accepted !== NONE && (found === null || accepted <= found[0])) found = [accepted, at];
      if (at === end || (found !== null && now.length === 0)) return found;
      work += now.length + 1;
      this.meter?.spend(this.visits + 1);
      this.visits = 0;
      if (work > MAX_WORK) throw new SearchLimit(`a search takes more than ${MAX_WORK} steps`);
      const code = text.charCodeAt(at);
      [before, now] = [now, before];
      now.length = 0;
      this.epoch++;
      for (let k = 0; k < before.length; k++) {
        const s = before.steps[k]!;
        const start = before.starts[k]!;
        if (found !== null && start > found[0]) break;
        if (this.set[s]?.[code] === 1) this.enter(this.next[s]!, start, text, at + 1, begin, end, now);
      }
    }
  }

  /** Appends what is reached from `state` at `at` without a character and was not in this epoch. */
  private enter(
    state: number,
    start: number,
    text: string,
    at: number,
    begin: number,
    end: number,
    list: StepList,
  ): void {
    const passes = passesAt(this.limits, text, at, begin, end, this.newline);
    let stack = [state];
    for (let pass = 0; stack.length > 0 && pass <= passes; pass++) {
      const behind: number[] = [];
      for (let s = stack.pop(); s !== undefined; s = stack.pop()) {
        if (this.mark[s] === this.epoch) continue;
        this.mark[s] = this.epoch;
        this.visits++;
        const step = this.step[s]!;
        if (step === Step.Split) stack.push(this.other[s]!, this.next[s]!);
        else if (step === Step.Chars || step === Step.Accept) {
          list.steps[list.length] = s;
          list.starts[list.length++] = start;
        } else if (this.holds(step, text, at, begin, end)) behind.push(this.next[s]!);
      }
      stack = behind;
    }
  }

  private holds(step: Step, text: string, at: number, begin: number, end: number): boolean {
    return holdsAt(step, text, at, begin, end, this.newline);
  }

  private closureAt(from: readonly number[], text: string, at: number, begin: number, end: number): Int32Array {
    const passes = passesAt(this.limits, text, at, begin, end, this.newline);
    return this.closure(from, (step) => this.holds(step, text, at, begin, end), passes);
  }

  /** All states that are reached without a character, through at most `passes` anchors, ascending. */
  private closure(from: readonly number[], holds: (step: Step) => boolean, passes = Infinity): Int32Array {
    const epoch = ++this.epoch;
    let stack = [...from];
    const { found } = this;
    let nFound = 0;
    let visits = 0;
    for (let pass = 0; stack.length > 0 && pass <= passes; pass++) {
      const behind: number[] = [];
      for (let s = stack.pop(); s !== undefined; s = stack.pop()) {
        if (this.mark[s] === epoch) continue;
        this.mark[s] = epoch;
        visits++;
        const step = this.step[s] as Step;
        if (step === Step.Split) stack.push(this.next[s] as number, this.other[s] as number);
        else if (step === Step.Chars || step === Step.Accept) found[nFound++] = s;
        else if (holds(step)) behind.push(this.next[s] as number);
      }
      stack = behind;
    }
    this.meter?.spend(visits);
    return found.slice(0, nFound).sort();
  }
}

/** Steps that the text up to a place leads to, in the order of where their matches begin; each once, for its first beginning. */
class StepList {
  length = 0;
  readonly steps: Int32Array;
  readonly starts: Int32Array;

  constructor(most: number) {
    this.steps = new Int32Array(most);
    this.starts = new Int32Array(most);
  }

  /** Where the match begins that leads to a step, -1 = none does. */
  startOf(step: number): number {
    const { length, steps } = this;
    for (let k = 0; k < length; k++) if (steps[k] === step) return this.starts[k]!;
    return NONE;
  }
}

function grown<T extends Uint8Array | Int32Array>(column: T): T {
  const larger = new (column.constructor as new (length: number) => T)(2 * column.length);
  larger.set(column);
  return larger;
}

function hashOf(steps: Int32Array): number {
  let hash = steps.length;
  for (let k = 0; k < steps.length; k++) hash = (Math.imul(hash, 31) + steps[k]!) | 0;
  return hash;
}

function isEqual(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

const isWordCharacter = (text: string, at: number): boolean => /[0-9A-Za-z_]/.test(text[at] ?? '');

const isLineStart = (text: string, at: number, begin: number, newline: boolean): boolean =>
  at === begin || (newline && text.charCodeAt(at - 1) === NEWLINE);
const isLineEnd = (text: string, at: number, end: number, newline: boolean): boolean =>
  at === end || (newline && text.charCodeAt(at) === NEWLINE);

/** How many anchors a match may pass at `at`. */
function passesAt(
  limits: AnchorLimits | null,
  text: string,
  at: number,
  begin: number,
  end: number,
  newline: boolean,
): number {
  if (limits === null) return Infinity;
  const starts = isLineStart(text, at, begin, newline) ? limits.starts : 0;
  return starts + (isLineEnd(text, at, end, newline) ? limits.ends : 0);
}

function holdsAt(step: Step, text: string, at: number, begin: number, end: number, newline: boolean): boolean {
  const isStart = isLineStart(text, at, begin, newline);
  const isEnd = isLineEnd(text, at, end, newline);
  const isBehindWord = at > begin && isWordCharacter(text, at - 1);
  const isBeforeWord = at < end && isWordCharacter(text, at);
  if (step === Step.LineStart) return isStart;
  if (step === Step.LineEnd) return isEnd;
  if (step === Step.WordStart) return !isBehindWord && isBeforeWord;
  return isBehindWord && !isBeforeWord;
}

const STEP_OF: Partial<Record<Kind, Step>> = {
  [Kind.LineStart]: Step.LineStart,
  [Kind.LineEnd]: Step.LineEnd,
  [Kind.WordStart]: Step.WordStart,
  [Kind.WordEnd]: Step.WordEnd,
};

// -- matching ----------------------------------------------------------------------------------------------------

/** An empty match, of no group. */
function emptyAt(at: number, nGroups: number): Int32Array {
  const groups = new Int32Array(2 + 2 * nGroups).fill(NONE);
  groups[0] = groups[1] = at;
  return groups;
}

const patienceOf = (begin: number, end: number): number => PATIENCE + PATIENCE_PER_CHARACTER * (end - begin);

/** A row of which the expression is made only where a search takes too long. */
export class RowRegex {
  private made: PosixRegex | null = null;

  constructor(
    private readonly row: FlatRegex,
    private readonly whole: () => PosixRegex,
  ) {}

  /** about as many as it takes */
  get bytes(): number {
    return this.row.bytes + (this.made?.bytes ?? 0);
  }

  /** As PosixRegex.match. */
  match(text: string, begin = 0, end = text.length): Int32Array | null {
    return this.row.match(text, begin, end, patienceOf(begin, end), (from) =>
      (this.made ??= this.whole()).search(text, from, begin, end),
    );
  }
}

export class PosixRegex {
  private readonly root: Node;
  private readonly size: number;
  /** number of groups */
  readonly nGroups: number;
  private readonly hasBackReferences: boolean;
  private readonly crossings: Crossings | null;
  private readonly newline: boolean;
  private readonly limits: AnchorLimits | null;
  private readonly flat: FlatRegex | null;
  private whole: Automaton | null = null;
  /** characters with which a match may begin; null = it may be empty or looks around */
  private readonly firstSet: Uint8Array | null;
  /** what a match must begin with, '' if that is no fixed text */
  private readonly prefix: string;
  /** a text that is somewhere in every match, '' if there is none or back-references are: with these the engine has matches that are none */
  private readonly needed: string;
  private readonly meter: SearchMeter | null;
  /** the groups that are asked for do not lie in others */
  private readonly isShallow: boolean;
  /** somebody asks where a group is */
  private readonly asksGroups: boolean;
  /** automata of parts of the expression, for the groups */
  private readonly automata = new Map<readonly Node[] | Node, Automaton[]>();
  private kept = 0;

  /** `source`: a text, for which it throws RegexError, whose message is LLVM's; or what has been made of texts. */
  constructor(source: string | ParsedRegex, options: RegexOptions = {}) {
    const parsed = typeof source === 'string' ? parseRegex(source, options) : source;
    this.meter = options.meter ?? null;
    this.isShallow = options.wanted !== undefined && !parsed.hasBackReferences;
    this.nGroups = parsed.nGroups;
    this.size = parsed.size;
    this.asksGroups = this.nGroups > 0 && (!this.isShallow || options.wanted!.size > 0);
    this.hasBackReferences = parsed.hasBackReferences;
    // Copies of what is repeated are nodes of their own where a search has to tell them apart.
    this.root = parsed.hasBackReferences ? renumber(parsed.root, 0) : parsed.root;
    this.crossings = parsed.hasBackReferences ? new Crossings(this.root) : null;
    this.newline = options.newline === true;
    this.limits = parsed.anchorLimits;
    // Without `newline` the ends of the text alone are ends of lines.
    this.flat = this.newline && this.limits === null ? flatten(this.root, this.nGroups) : null;
    // A row finds its own beginnings.
    this.firstSet = this.flat === null ? firstSetOf(this.root) : null;
    const { prefix, needed } = this.flat === null ? fixedTexts(this.root) : { prefix: '', needed: '' };
    this.prefix = prefix;
    this.needed = this.hasBackReferences ? '' : needed;
  }

  /** of the whole */
  private automaton(): Automaton {
    return (this.whole ??= new Automaton([this.root], this.newline, this.limits, this.meter));
  }

  /** about as many as it takes */
  get bytes(): number {
    return BYTES_OF_NODE * this.size + (this.whole?.bytes ?? 0) + this.kept;
  }

  /** The span of the leftmost longest match from `from` on, of an expression without back-references, with all places searched at once. */
  search(text: string, from: number, begin: number, end: number): readonly [start: number, stop: number] | null {
    return this.automaton().search(text, from, begin, end);
  }

  /**
   * The leftmost longest match in text[begin, end), which is all the expression sees: `^` matches at `begin`. Offsets of the match and its
   * groups in pairs, Int32Array(2 + 2 nGroups), -1 where a group took no part; null without match.
   */
  match(text: string, begin = 0, end = text.length): Int32Array | null {
    const patience = patienceOf(begin, end);
    const search = (from: number): readonly [number, number] | null => this.search(text, from, begin, end);
    if (this.flat !== null) return this.flat.match(text, begin, end, patience, search);
    const { firstSet, prefix, needed, hasBackReferences } = this;
    let neededAt = needed === '' ? begin : text.indexOf(needed, begin);
    if (neededAt < 0 || neededAt + needed.length > end) return null;
    const before = this.automaton().work;
    const steps = { left: MAX_STEPS };
    for (let start = begin; start <= end; start++) {
      if (prefix !== '') {
        start = text.indexOf(prefix, start);
        if (start < 0 || start + prefix.length > end) return null;
      } else if (firstSet !== null) {
        while (start < end && firstSet[text.charCodeAt(start)] !== 1) start++;
        if (start === end) return null;
      }
      if (needed !== '' && neededAt < start) {
        neededAt = text.indexOf(needed, start);
        if (neededAt < 0 || neededAt + needed.length > end) return null;
      }
      const stop = this.automaton().longest(text, start, end, begin, end);
      const found = stop < 0 ? null : this.matchAt(text, start, stop, begin, end, steps);
      if (found !== null) return found;
      // What only looks like a match ends the search at the end of the text, and llvm::Regex takes it for one.
      if (hasBackReferences && start === end && stop === end && steps.left > 0) return emptyAt(end, this.nGroups);
      const work = this.automaton().work - before;
      if (!hasBackReferences && work > patience) {
        const span = search(start + 1);
        return span === null ? null : this.matchAt(text, ...span, begin, end, steps);
      }
      if (steps.left <= 0) throw new SearchLimit(`a search with back-references takes more than ${MAX_STEPS} steps`);
      if (work > MAX_WORK) throw new SearchLimit(`a search takes more than ${MAX_WORK} steps`);
    }
    return null;
  }

  /** The match that begins at `start` and ends at `stop`, or before it where back-references want it so. */
  private matchAt(
    text: string,
    start: number,
    stop: number,
    begin: number,
    end: number,
    steps: { left: number },
  ): Int32Array | null {
    const groups = new Int32Array(2 + 2 * this.nGroups).fill(NONE);
    groups[0] = start;
    const search = { text, begin, end, groups, turns: [], failed: new Set<string>() };
    if (!this.hasBackReferences) {
      if (this.asksGroups) this.dissectItem(search, this.root, start, stop, true);
      groups[1] = stop;
      return groups;
    }
    // What the automaton takes for a back-reference is anything like its group: go on with shorter ends until one is right.
    for (; stop >= 0; stop = stop > start ? this.automaton().longest(text, start, stop - 1, begin, end) : NONE) {
      const last = stop;
      search.failed.clear();
      if (this.followWhole(search, start, stop, steps, (at) => at === last)) {
        groups[1] = stop;
        return groups;
      }
      if (steps.left <= 0 || this.automaton().work > MAX_WORK) return null;
    }
    return null;
  }

  /** As `follow`, which goes one level deeper with each turn of a loop. */
  private followWhole(
    s: Search,
    start: number,
    stop: number,
    steps: { left: number },
    then: (at: number) => boolean,
  ): boolean {
    try {
      return this.follow(s, this.root, start, stop, steps, then);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new SearchLimit('a search with back-references goes too deep');
    }
  }

  private longestOf(part: readonly Node[] | Node, from: number, s: Search, start: number, stop: number): number {
    let automaton = this.automata.get(part)?.[from];
    const before = automaton?.bytes ?? 0;
    if (automaton === undefined) {
      const items = Array.isArray(part) ? (part as readonly Node[]).slice(from) : [part as Node];
      automaton = new Automaton(items, this.newline, this.limits, this.meter);
      const list = this.automata.get(part) ?? [];
      list[from] = automaton;
      this.automata.set(part, list);
    }
    const longest = automaton.longest(s.text, start, stop, s.begin, s.end);
    this.kept += automaton.bytes - before;
    if (this.kept > MAX_KEPT) {
      this.automata.clear();
      this.kept = 0;
    }
    return longest;
  }

  /** Sets the groups of `items`, which match exactly [start, stop): each takes as much as the rest lets it. */
  private dissect(s: Search, items: readonly Node[], start: number, stop: number): void {
    let at = start;
    items.forEach((item, k) => {
      const width = widthOf(item);
      if (width !== null) {
        this.dissectItem(s, item, at, at + width);
        at += width;
        return;
      }
      let rest = this.longestOf(item, 0, s, at, stop);
      while (rest > at && this.longestOf(items, k + 1, s, rest, stop) !== stop)
        rest = this.longestOf(item, 0, s, at, rest - 1);
      this.dissectItem(s, item, at, rest);
      at = rest;
    });
  }

  private dissectItem(s: Search, item: Node, start: number, stop: number, isWhole = false): void {
    if (this.isShallow && !isWhole && item.kind !== Kind.Group) return;
    switch (item.kind) {
      case Kind.Sequence:
        this.dissect(s, item.items, start, stop);
        return;
      case Kind.Group:
        if (item.group > 0) {
          s.groups[2 * item.group] = start;
          s.groups[2 * item.group + 1] = stop;
        }
        if (!this.isShallow) this.dissectItem(s, item.item, start, stop);
        return;
      case Kind.Choice: {
        const branch = item.branches.find((b) => this.longestOf(b, 0, s, start, stop) === stop);
        if (branch !== undefined) this.dissectItem(s, branch, start, stop);
        return;
      }
      case Kind.Optional:
        if (this.longestOf(item.item, 0, s, start, stop) >= 0) this.dissectItem(s, item.item, start, stop);
        return;
      case Kind.Plus: {
        // The groups are those of the last turn; each turn takes all that it can.
        let from = start;
        let before = start;
        let to = this.longestOf(item.item, 0, s, from, stop);
        while (to >= 0 && to !== from) {
          before = from;
          from = to;
          to = this.longestOf(item.item, 0, s, from, stop);
        }
        if (to < 0) this.dissectItem(s, item.item, before, from);
        else this.dissectItem(s, item.item, from, to);
        return;
      }
      default:
        return;
    }
  }

  /**
   * What `go` says, once for each state of the search in which a node can be met at `at`: what has failed there fails again. Searches that are soon
   * over do without.
   */
  private unlessFailed(s: Search, node: Node, at: number, steps: { left: number }, go: () => boolean): boolean {
    if (steps.left > MAX_STEPS - FEW_STEPS) return go();
    const key = this.crossings!.stateAt(node, at, s);
    if (s.failed.has(key)) return false;
    const found = go();
    if (!found) s.failed.add(key);
    return found;
  }

  /** Whether `node` matches from `at` on and `then` what follows; the first way that does sets the groups. */
  private follow(
    s: Search,
    node: Node,
    at: number,
    stop: number,
    steps: { left: number },
    then: (at: number) => boolean,
  ): boolean {
    if (--steps.left <= 0) return false;
    switch (node.kind) {
      case Kind.Chars:
        return at < stop && node.set[s.text.charCodeAt(at)] === 1 && then(at + 1);
      case Kind.Text: {
        const to = at + node.text.length;
        return to <= stop && s.text.startsWith(node.text, at) && then(to);
      }
      case Kind.Sequence: {
        const from = (k: number, p: number): boolean =>
          k === node.items.length
            ? then(p)
            : this.follow(s, node.items[k] as Node, p, stop, steps, (q) => from(k + 1, q));
        return from(0, at);
      }
      case Kind.Choice:
        return this.unlessFailed(s, node, at, steps, () =>
          node.branches.some((b) => this.follow(s, b, at, stop, steps, then)),
        );
      case Kind.Optional:
        return this.unlessFailed(
          s,
          node,
          at,
          steps,
          () => this.follow(s, node.item, at, stop, steps, then) || then(at),
        );
      case Kind.Plus: {
        const loop = this.crossings!.loopOf(node);
        const turn = (from: number): boolean =>
          this.unlessFailed(s, node, from, steps, () => {
            const before = s.turns[loop];
            const leave = (go: () => boolean): boolean => {
              s.turns[loop] = before;
              const found = go();
              s.turns[loop] = from;
              return found;
            };
            s.turns[loop] = from;
            const found = this.follow(s, node.item, from, stop, steps, (q) =>
              leave(() => (q !== from && turn(q)) || then(q)),
            );
            s.turns[loop] = before;
            return found;
          });
        return turn(at);
      }
      case Kind.Group: {
        const { groups } = s;
        const g = 2 * node.group;
        const [before, behind] = [groups[g] as number, groups[g + 1] as number];
        groups[g] = at;
        const found = this.follow(s, node.item, at, stop, steps, (q) => {
          const last = groups[g + 1] as number;
          groups[g + 1] = q;
          if (then(q)) return true;
          groups[g + 1] = last;
          return false;
        });
        if (!found) {
          groups[g] = before;
          groups[g + 1] = behind;
        }
        return found;
      }
      case Kind.BackReference: {
        const from = s.groups[2 * node.group] as number;
        const to = s.groups[2 * node.group + 1] as number;
        if (to < 0) return false;
        const length = to - from;
        if (at + length > stop) return false;
        for (let k = 0; k < length; k++) if (s.text.charCodeAt(from + k) !== s.text.charCodeAt(at + k)) return false;
        return then(at + length);
      }
      default:
        return holdsAt(STEP_OF[node.kind] as Step, s.text, at, s.begin, s.end, this.newline) && then(at);
    }
  }
}

interface Search {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
  readonly groups: Int32Array;
  /** of loops, by number: where the turn that is open began */
  readonly turns: (number | undefined)[];
  /** states from which the search has come to nothing */
  readonly failed: Set<string>;
}

/** The nodes at which a search with back-references has more than one way to go, and what decides there whether one leads on. */
class Crossings {
  private readonly numbers = new Map<Node, number>();
  /** loops around each of them, by number */
  private readonly loops = new Map<Node, readonly number[]>();
  private readonly referenced = new Set<number>();

  constructor(root: Node) {
    this.visit(root, []);
  }

  private visit(node: Node, loops: readonly number[]): void {
    switch (node.kind) {
      case Kind.Sequence:
        node.items.forEach((item) => this.visit(item, loops));
        return;
      case Kind.Choice:
        this.note(node, loops);
        node.branches.forEach((branch) => this.visit(branch, loops));
        return;
      case Kind.Optional:
        this.note(node, loops);
        this.visit(node.item, loops);
        return;
      case Kind.Plus:
        this.visit(node.item, [...loops, this.note(node, loops)]);
        return;
      case Kind.Group:
        this.visit(node.item, loops);
        return;
      case Kind.BackReference:
        this.referenced.add(node.group);
        return;
      default:
        return;
    }
  }

  private note(node: Node, loops: readonly number[]): number {
    const number = this.numbers.size;
    this.numbers.set(node, number);
    this.loops.set(node, loops);
    return number;
  }

  loopOf(node: Node): number {
    return this.numbers.get(node)!;
  }

  /**
   * All that tells whether the rest of the search succeeds: the node, the place, which loops have not gone on since their turn began, and
   * the groups that are referred to.
   */
  stateAt(node: Node, at: number, { turns, groups }: Search): string {
    let state = `${this.numbers.get(node)!} ${at}`;
    for (const loop of this.loops.get(node)!) state += turns[loop] === at ? ' 0' : ' 1';
    for (const group of this.referenced) state += ` ${groups[2 * group]!} ${groups[2 * group + 1]!}`;
    return state;
  }
}

/** Characters that a node takes, null when that depends. */
function widthOf(node: Node): number | null {
  if (node.kind === Kind.Chars) return 1;
  if (node.kind === Kind.Text) return node.text.length;
  return node.kind === Kind.LineStart || node.kind === Kind.LineEnd ? 0 : null;
}

/** Choices in choices are looked at no deeper for the characters that come first. */
const MAX_CHOICES = 20;

/** Characters that may come first; null when that is no answer. */
function firstSetOf(root: Node, depth = 0): Uint8Array | null {
  for (let node = root; ;)
    switch (node.kind) {
      case Kind.Chars:
        return node.set;
      case Kind.Text:
        return node.text === '' ? null : soleCharacter(node.text.charCodeAt(0)).set;
      case Kind.Sequence:
        if (node.items.length === 0) return null;
        node = node.items[0]!;
        break;
      case Kind.Choice: {
        if (depth === MAX_CHOICES) return null;
        const all = new Uint8Array(256);
        for (const b of node.branches) {
          const set = firstSetOf(b, depth + 1);
          if (set === null) return null;
          for (let c = 0; c < 256; c++) if (set[c] === 1) all[c] = 1;
        }
        return all;
      }
      case Kind.Plus:
      case Kind.Group:
        node = node.item;
        break;
      default:
        return null;
    }
}

/** Texts that every match has: `prefix` at its beginning, `needed`, the longest, anywhere; '' = none. Spencer's engine looks for such a text first, too. */
function fixedTexts(root: Node): { readonly prefix: string; readonly needed: string } {
  let prefix: string | null = null;
  let needed = '';
  let text = '';
  const endText = (): void => {
    prefix ??= text;
    if (text.length > needed.length) needed = text;
    text = '';
  };
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
    switch (node.kind) {
      case Kind.Sequence:
        for (let k = node.items.length - 1; k >= 0; k--) waiting.push(node.items[k]!);
        break;
      case Kind.Group:
        waiting.push(node.item);
        break;
      case Kind.Text:
        text += node.text;
        break;
      case Kind.Chars: {
        const code = node.set.indexOf(1);
        if (code >= 0 && code === node.set.lastIndexOf(1)) text += String.fromCharCode(code);
        else endText();
        break;
      }
      default:
        endText();
    }
  endText();
  return { prefix: prefix ?? '', needed };
}
