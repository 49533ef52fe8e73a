/**
 * POSIX extended regular expressions as LLVM's Regex class reads and matches them (Regex.cpp over Henry Spencer's engine, LLVM 22): leftmost,
 * then longest; groups by that engine's rules; back-references. Text is a string of bytes (each character below 256), as FileCheck sees it.
 *
 * A pattern without back-references takes time proportional to pattern and text for each place where it may begin: a lazy automaton reads
 * the text, which has no memory of its own to run out of. With back-references the search goes back and forth, up to a number of steps
 * (`MAX_STEPS`); beyond it there is no match.
 */

/** What Spencer's engine calls its errors, in LLVM's words. */
const enum RegexFault {
  EmptyExpression = 'empty (sub)expression',
  Repetition = 'repetition-operator operand invalid',
  Parentheses = 'parentheses not balanced',
  Brackets = 'brackets ([ ]) not balanced',
  Braces = 'braces not balanced',
  Count = 'invalid repetition count(s)',
  Backslash = 'trailing backslash (\\)',
  BackReference = 'invalid backreference number',
  CharacterClass = 'invalid character class',
  Collation = 'invalid collating element',
  Range = 'invalid character range',
}

export class RegexError extends Error {}

export interface RegexOptions {
  readonly ignoreCase?: boolean;
  /** `.` and `[^x]` match no line break, `^` and `$` match at each */
  readonly newline?: boolean;
}

/** Largest count of `{m,n}`. */
const MAX_COUNT = 255;
const INFINITE = 256;
/** Steps of a search with back-references. */
const MAX_STEPS = 2_000_000;
/** States of an automaton before it begins anew. */
const MAX_STATES = 4000;

// -- syntax ------------------------------------------------------------------------------------------------------

const enum Kind {
  Chars,
  Sequence,
  Choice,
  Plus,
  Optional,
  Group,
  LineStart,
  LineEnd,
  WordStart,
  WordEnd,
  BackReference,
}

type Node =
  /** one character of a set: Uint8Array(256) of 0 and 1 */
  | { readonly kind: Kind.Chars; readonly set: Uint8Array }
  | { readonly kind: Kind.Sequence; readonly items: readonly Node[] }
  | { readonly kind: Kind.Choice; readonly branches: readonly Node[] }
  | { readonly kind: Kind.Plus; readonly item: Node }
  | { readonly kind: Kind.Optional; readonly item: Node }
  | { readonly kind: Kind.Group; readonly item: Node; readonly group: number }
  | { readonly kind: Kind.LineStart | Kind.LineEnd | Kind.WordStart | Kind.WordEnd }
  /** `like`: what the group holds, without its own groups, for the automaton */
  | { readonly kind: Kind.BackReference; readonly group: number; readonly like: Node };

const EMPTY: Node = { kind: Kind.Sequence, items: [] };

const isDigit = (c: string | undefined): boolean => c !== undefined && c >= '0' && c <= '9';

/** Characters of a class by its name, in the C locale. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Names of characters in `[.name.]`. */
const CHARACTER_NAMES: Readonly<Record<string, number>> = {
  NUL: 0,
  SOH: 1,
  STX: 2,
  ETX: 3,
  EOT: 4,
  ENQ: 5,
  ACK: 6,
  BEL: 7,
  alert: 7,
  BS: 8,
  backspace: 8,
  HT: 9,
  tab: 9,
  LF: 10,
  newline: 10,
  VT: 11,
  'vertical-tab': 11,
  FF: 12,
  'form-feed': 12,
  CR: 13,
  'carriage-return': 13,
  SO: 14,
  SI: 15,
  DLE: 16,
  DC1: 17,
  DC2: 18,
  DC3: 19,
  DC4: 20,
  NAK: 21,
  SYN: 22,
  ETB: 23,
  CAN: 24,
  EM: 25,
  SUB: 26,
  ESC: 27,
  IS4: 28,
  FS: 28,
  IS3: 29,
  GS: 29,
  IS2: 30,
  RS: 30,
  IS1: 31,
  US: 31,
  space: 32,
  'exclamation-mark': 33,
  'quotation-mark': 34,
  'number-sign': 35,
  'dollar-sign': 36,
  'percent-sign': 37,
  ampersand: 38,
  apostrophe: 39,
  'left-parenthesis': 40,
  'right-parenthesis': 41,
  asterisk: 42,
  'plus-sign': 43,
  comma: 44,
  hyphen: 45,
  'hyphen-minus': 45,
  period: 46,
  'full-stop': 46,
  slash: 47,
  solidus: 47,
  zero: 48,
  one: 49,
  two: 50,
  three: 51,
  four: 52,
  five: 53,
  six: 54,
  seven: 55,
  eight: 56,
  nine: 57,
  colon: 58,
  semicolon: 59,
  'less-than-sign': 60,
  'equals-sign': 61,
  'greater-than-sign': 62,
  'question-mark': 63,
  'commercial-at': 64,
  'left-square-bracket': 91,
  backslash: 92,
  'reverse-solidus': 92,
  'right-square-bracket': 93,
  circumflex: 94,
  'circumflex-accent': 94,
  underscore: 95,
  'low-line': 95,
  'grave-accent': 96,
  'left-brace': 123,
  'left-curly-bracket': 123,
  'vertical-line': 124,
  'right-brace': 125,
  'right-curly-bracket': 125,
  tilde: 126,
  DEL: 127,
};

const NEWLINE = 10;

class Parser {
  private at = 0;
  nGroups = 0;
  hasBackReferences = false;
  /** what closed groups hold, by number */
  private readonly closed: Node[] = [];

  constructor(
    private readonly text: string,
    private readonly options: RegexOptions,
  ) {}

  parse(): Node {
    return this.choice(undefined);
  }

  private peek(ahead = 0): string | undefined {
    return this.text[this.at + ahead];
  }

  private eat(s: string): boolean {
    if (!this.text.startsWith(s, this.at)) return false;
    this.at += s.length;
    return true;
  }

  private fail(fault: RegexFault): never {
    throw new RegexError(fault);
  }

  private require(holds: boolean, fault: RegexFault): void {
    if (!holds) this.fail(fault);
  }

  /** Branches up to `stop` or the end; none may be empty. */
  private choice(stop: string | undefined): Node {
    const branches: Node[] = [];
    for (;;) {
      const items: Node[] = [];
      for (let c = this.peek(); c !== undefined && c !== '|' && c !== stop; c = this.peek())
        items.push(this.repeated());
      // What is repeated no times leaves nothing behind.
      this.require(
        items.some((item) => item !== EMPTY),
        RegexFault.EmptyExpression,
      );
      branches.push(items.length === 1 ? (items[0] as Node) : { kind: Kind.Sequence, items });
      if (!this.eat('|')) break;
    }
    return branches.length === 1 ? (branches[0] as Node) : { kind: Kind.Choice, branches };
  }

  private isRepetition(): boolean {
    const c = this.peek();
    return c === '*' || c === '+' || c === '?' || (c === '{' && isDigit(this.peek(1)));
  }

  private repeated(): Node {
    const isCaret = this.peek() === '^';
    const item = this.single();
    if (!this.isRepetition()) return item;
    const c = this.text[this.at++];
    this.require(!isCaret, RegexFault.Repetition);
    let node: Node;
    if (c === '*') node = { kind: Kind.Optional, item: { kind: Kind.Plus, item } };
    else if (c === '+') node = { kind: Kind.Plus, item };
    else if (c === '?') node = { kind: Kind.Optional, item };
    else node = this.counted(item);
    if (this.isRepetition()) this.fail(RegexFault.Repetition);
    return node;
  }

  private counted(item: Node): Node {
    const least = this.count();
    let most = least;
    if (this.eat(',')) {
      most = isDigit(this.peek()) ? this.count() : INFINITE;
      this.require(least <= most, RegexFault.Count);
    }
    if (!this.eat('}')) {
      this.require(this.text.includes('}', this.at), RegexFault.Braces);
      this.fail(RegexFault.Count);
    }
    return repeat(item, least, most);
  }

  private count(): number {
    const begin = this.at;
    while (isDigit(this.peek())) this.at++;
    const n = Number(this.text.slice(begin, this.at));
    this.require(this.at > begin && n <= MAX_COUNT, RegexFault.Count);
    return n;
  }

  private single(): Node {
    const c = this.text[this.at++] as string;
    switch (c) {
      case '(':
        return this.group();
      case ')':
        return this.fail(RegexFault.Parentheses);
      case '^':
        return { kind: Kind.LineStart };
      case '$':
        return { kind: Kind.LineEnd };
      case '*':
      case '+':
      case '?':
        return this.fail(RegexFault.Repetition);
      case '.':
        return this.anyCharacter();
      case '[':
        return this.bracket();
      case '\\':
        return this.escape();
      case '{':
        this.require(!isDigit(this.peek()), RegexFault.Repetition);
        return this.ordinary(c);
      default:
        return this.ordinary(c);
    }
  }

  private group(): Node {
    this.require(this.peek() !== undefined, RegexFault.Parentheses);
    const group = ++this.nGroups;
    const item = this.peek() === ')' ? EMPTY : this.choice(')');
    this.require(this.eat(')'), RegexFault.Parentheses);
    this.closed[group] = item;
    return { kind: Kind.Group, item, group };
  }

  private anyCharacter(): Node {
    const set = new Uint8Array(256).fill(1);
    if (this.options.newline === true) set[NEWLINE] = 0;
    return { kind: Kind.Chars, set };
  }

  private escape(): Node {
    const c = this.text[this.at++];
    if (c === undefined) return this.fail(RegexFault.Backslash);
    if (c < '1' || c > '9') return this.ordinary(c);
    const group = Number(c);
    const like = this.closed[group];
    if (like === undefined) return this.fail(RegexFault.BackReference);
    this.hasBackReferences = true;
    return { kind: Kind.BackReference, group, like };
  }

  private ordinary(c: string): Node {
    const set = new Uint8Array(256);
    this.addCharacter(set, c.charCodeAt(0));
    return { kind: Kind.Chars, set };
  }

  private addCharacter(set: Uint8Array, code: number): void {
    set[code] = 1;
    if (this.options.ignoreCase !== true) return;
    const letter = String.fromCharCode(code);
    if (!/[A-Za-z]/.test(letter)) return;
    set[letter.toLowerCase().charCodeAt(0)] = 1;
    set[letter.toUpperCase().charCodeAt(0)] = 1;
  }

  private bracket(): Node {
    if (this.eat('[:<:]]')) return { kind: Kind.WordStart };
    if (this.eat('[:>:]]')) return { kind: Kind.WordEnd };
    const set = new Uint8Array(256);
    const isInverted = this.eat('^');
    if (this.eat(']')) set[93] = 1;
    else if (this.eat('-')) set[45] = 1;
    for (let c = this.peek(); c !== undefined && c !== ']' && !this.text.startsWith('-]', this.at); c = this.peek())
      this.bracketTerm(set);
    if (this.eat('-')) set[45] = 1;
    this.require(this.eat(']'), RegexFault.Brackets);
    for (let code = 0; code < 256; code++) if (set[code] === 1) this.addCharacter(set, code);
    if (isInverted) {
      for (let code = 0; code < 256; code++) set[code] = 1 - (set[code] as number);
      if (this.options.newline === true) set[NEWLINE] = 0;
    }
    return { kind: Kind.Chars, set };
  }

  private bracketTerm(set: Uint8Array): void {
    if (this.peek() === '-') this.fail(RegexFault.Range);
    if (this.eat('[:')) {
      this.require(this.peek() !== undefined, RegexFault.Brackets);
      const name = this.letters();
      const members = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
      if (members === undefined) return this.fail(RegexFault.CharacterClass);
      for (let code = 0; code < 128; code++) if (members.test(String.fromCharCode(code))) set[code] = 1;
      this.require(this.peek() !== undefined, RegexFault.Brackets);
      this.require(this.eat(':]'), RegexFault.CharacterClass);
      return;
    }
    if (this.eat('[=')) {
      this.require(this.peek() !== undefined, RegexFault.Brackets);
      this.require(this.peek() !== '-' && this.peek() !== ']', RegexFault.Collation);
      set[this.collating('=')] = 1;
      this.require(this.peek() !== undefined, RegexFault.Brackets);
      this.require(this.eat('=]'), RegexFault.Collation);
      return;
    }
    const first = this.symbol();
    let last = first;
    if (this.peek() === '-' && this.peek(1) !== undefined && this.peek(1) !== ']') {
      this.at++;
      last = this.eat('-') ? 45 : this.symbol();
    }
    this.require(first <= last, RegexFault.Range);
    for (let code = first; code <= last; code++) set[code] = 1;
  }

  private letters(): string {
    const begin = this.at;
    while (/[A-Za-z]/.test(this.peek() ?? '')) this.at++;
    return this.text.slice(begin, this.at);
  }

  private symbol(): number {
    this.require(this.peek() !== undefined, RegexFault.Brackets);
    if (!this.eat('[.')) return this.text.charCodeAt(this.at++);
    const code = this.collating('.');
    this.require(this.eat('.]'), RegexFault.Collation);
    return code;
  }

  /** A character by itself or by its name, in front of `mark` and a bracket. */
  private collating(mark: string): number {
    const end = this.text.indexOf(`${mark}]`, this.at);
    if (end < 0) return this.fail(RegexFault.Brackets);
    const name = this.text.slice(this.at, end);
    this.at = end;
    if (Object.hasOwn(CHARACTER_NAMES, name)) return CHARACTER_NAMES[name] as number;
    if (name.length !== 1) this.fail(RegexFault.Collation);
    return name.charCodeAt(0);
  }
}

/**
 * `item{least,most}` by what there is: mandatory turns come last (`x{2,4}` is `xx?x?x`), which decides what the groups of an item hold.
 */
function repeat(item: Node, least: number, most: number): Node {
  if (most === 0) return EMPTY;
  if (least === 0) return { kind: Kind.Optional, item: repeat(item, 1, most) };
  if (least === 1 && most === 1) return item;
  const items: Node[] = Array.from({ length: least - 1 }, () => item);
  if (most === INFINITE) items.push({ kind: Kind.Plus, item });
  else {
    for (let n = least; n < most; n++) items.push({ kind: Kind.Optional, item });
    items.push(item);
  }
  return items.length === 1 ? (items[0] as Node) : { kind: Kind.Sequence, items };
}

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

/** States of a sub-expression that ends in its last state; a lazy automaton of sets of them when no state looks at its surroundings. */
class Automaton {
  private readonly step: Step[] = [];
  private readonly set: (Uint8Array | null)[] = [];
  private readonly next: number[] = [];
  private readonly other: number[] = [];
  private readonly entry: number;
  private looksAround = false;
  // lazy automaton: a state is a sorted set of steps that take characters, and whether it accepts
  private sets: number[][] = [];
  private accepts: boolean[] = [];
  private moves: Int32Array[] = [];
  private ids = new Map<string, number>();
  private first = NONE;
  private readonly mark: Int32Array;
  private epoch = 0;

  constructor(
    nodes: readonly Node[],
    private readonly newline: boolean,
  ) {
    const accept = this.add(Step.Accept, null, NONE, NONE);
    this.entry = this.sequence(nodes, accept);
    this.mark = new Int32Array(this.step.length);
  }

  private add(step: Step, set: Uint8Array | null, next: number, other: number): number {
    this.step.push(step);
    this.set.push(set);
    this.next.push(next);
    this.other.push(other);
    if (step >= Step.LineStart && step <= Step.WordEnd) this.looksAround = true;
    return this.step.length - 1;
  }

  private sequence(nodes: readonly Node[], then: number): number {
    let at = then;
    for (let k = nodes.length - 1; k >= 0; k--) at = this.node(nodes[k] as Node, at);
    return at;
  }

  /** The state in which `node` begins, if `then` follows it. */
  private node(node: Node, then: number): number {
    switch (node.kind) {
      case Kind.Chars:
        return this.add(Step.Chars, node.set, then, NONE);
      case Kind.Sequence:
        return this.sequence(node.items, then);
      case Kind.Choice: {
        const entries = node.branches.map((b) => this.node(b, then));
        return entries.reduceRight((rest, e) => this.add(Step.Split, null, e, rest));
      }
      case Kind.Plus: {
        const split = this.add(Step.Split, null, NONE, then);
        this.next[split] = this.node(node.item, split);
        return this.next[split] as number;
      }
      case Kind.Optional:
        return this.add(Step.Split, null, this.node(node.item, then), then);
      case Kind.Group:
        return this.node(node.item, then);
      case Kind.BackReference:
        return this.node(node.like, then);
      case Kind.LineStart:
        return this.add(Step.LineStart, null, then, NONE);
      case Kind.LineEnd:
        return this.add(Step.LineEnd, null, then, NONE);
      case Kind.WordStart:
        return this.add(Step.WordStart, null, then, NONE);
      case Kind.WordEnd:
        return this.add(Step.WordEnd, null, then, NONE);
    }
  }

  /** End of the longest match in `text` that begins at `start` and ends by `stop`, within [begin, end); -1 = none. */
  longest(text: string, start: number, stop: number, begin: number, end: number): number {
    return this.looksAround ? this.walk(text, start, stop, begin, end) : this.run(text, start, stop);
  }

  private run(text: string, start: number, stop: number): number {
    if (this.first < 0) this.first = this.state(this.closure([this.entry], () => false));
    let state = this.first;
    let found = this.accepts[state] === true ? start : NONE;
    for (let at = start; at < stop; at++) {
      const code = text.charCodeAt(at);
      let to = (this.moves[state] as Int32Array)[code] as number;
      if (to === NONE - 1) to = this.move(state, code);
      if (to === NONE) return found;
      state = to;
      if (this.accepts[state] === true) found = at + 1;
    }
    return found;
  }

  private move(from: number, code: number): number {
    const targets = (this.sets[from] as number[])
      .filter((s) => this.set[s]?.[code] === 1)
      .map((s) => this.next[s] as number);
    if (targets.length === 0) {
      (this.moves[from] as Int32Array)[code] = NONE;
      return NONE;
    }
    const states = this.closure(targets, () => false);
    if (this.sets.length >= MAX_STATES) {
      this.sets = [];
      this.accepts = [];
      this.moves = [];
      this.ids = new Map();
      this.first = NONE;
      return this.state(states);
    }
    const to = this.state(states);
    (this.moves[from] as Int32Array)[code] = to;
    return to;
  }

  private state(steps: number[]): number {
    const key = steps.join();
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.sets.push(steps.filter((s) => this.step[s] === Step.Chars)) - 1;
      this.accepts.push(steps.some((s) => this.step[s] === Step.Accept));
      this.moves.push(new Int32Array(256).fill(NONE - 1));
      this.ids.set(key, id);
    }
    return id;
  }

  private walk(text: string, start: number, stop: number, begin: number, end: number): number {
    let found = NONE;
    let states = this.closure([this.entry], (step) => this.holds(step, text, start, begin, end));
    for (let at = start; ; at++) {
      if (states.some((s) => this.step[s] === Step.Accept)) found = at;
      if (at === stop) return found;
      const code = text.charCodeAt(at);
      const targets = states.filter((s) => this.set[s]?.[code] === 1).map((s) => this.next[s] as number);
      if (targets.length === 0) return found;
      states = this.closure(targets, (step) => this.holds(step, text, at + 1, begin, end));
    }
  }

  private holds(step: Step, text: string, at: number, begin: number, end: number): boolean {
    return holdsAt(step, text, at, begin, end, this.newline);
  }

  /** All states that are reached without a character, ascending. */
  private closure(from: readonly number[], holds: (step: Step) => boolean): number[] {
    const epoch = ++this.epoch;
    const stack = [...from];
    const found: number[] = [];
    for (let s = stack.pop(); s !== undefined; s = stack.pop()) {
      if (this.mark[s] === epoch) continue;
      this.mark[s] = epoch;
      const step = this.step[s] as Step;
      if (step === Step.Split) stack.push(this.next[s] as number, this.other[s] as number);
      else if (step === Step.Chars || step === Step.Accept) found.push(s);
      else if (holds(step)) stack.push(this.next[s] as number);
    }
    return found.sort((a, b) => a - b);
  }
}

const isWordCharacter = (text: string, at: number): boolean => /[0-9A-Za-z_]/.test(text[at] ?? '');

function holdsAt(step: Step, text: string, at: number, begin: number, end: number, newline: boolean): boolean {
  const isStart = at === begin || (newline && text.charCodeAt(at - 1) === NEWLINE);
  const isEnd = at === end || (newline && text.charCodeAt(at) === NEWLINE);
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

export class PosixRegex {
  private readonly root: Node;
  /** number of groups */
  readonly nGroups: number;
  private readonly hasBackReferences: boolean;
  private readonly newline: boolean;
  private readonly whole: Automaton;
  /** characters with which a match may begin; null = it may be empty or looks around */
  private readonly firstSet: Uint8Array | null;
  /** what a match must begin with, '' if that is no fixed text */
  private readonly prefix: string;
  /** automata of parts of the expression, for the groups */
  private readonly automata = new Map<readonly Node[] | Node, Automaton[]>();

  /** Throws RegexError, whose message is LLVM's. */
  constructor(source: string, options: RegexOptions = {}) {
    // LLVM takes an empty expression for one that matches nothing but the empty string; FileCheck never asks.
    const parser = new Parser(source, options);
    this.root = parser.parse();
    this.nGroups = parser.nGroups;
    this.hasBackReferences = parser.hasBackReferences;
    this.newline = options.newline === true;
    this.whole = new Automaton([this.root], this.newline);
    this.firstSet = firstSetOf(this.root);
    this.prefix = prefixOf(this.root);
  }

  /**
   * The leftmost longest match in text[begin, end), which is all the expression sees: `^` matches at `begin`. Offsets of the match and its
   * groups in pairs, Int32Array(2 + 2 nGroups), -1 where a group took no part; null without match.
   */
  match(text: string, begin = 0, end = text.length): Int32Array | null {
    const { firstSet, prefix } = this;
    for (let start = begin; start <= end; start++) {
      if (prefix !== '') {
        start = text.indexOf(prefix, start);
        if (start < 0 || start + prefix.length > end) return null;
      } else if (firstSet !== null) {
        while (start < end && firstSet[text.charCodeAt(start)] !== 1) start++;
        if (start === end) return null;
      }
      const found = this.matchAt(text, start, begin, end);
      if (found !== null) return found;
    }
    return null;
  }

  private matchAt(text: string, start: number, begin: number, end: number): Int32Array | null {
    let stop = this.whole.longest(text, start, end, begin, end);
    if (stop < 0) return null;
    const groups = new Int32Array(2 + 2 * this.nGroups).fill(NONE);
    groups[0] = start;
    const search = { text, begin, end, groups };
    if (!this.hasBackReferences) {
      if (this.nGroups > 0) this.dissect(search, [this.root], start, stop);
      groups[1] = stop;
      return groups;
    }
    // What the automaton takes for a back-reference is anything like its group: go on with shorter ends until one is right.
    const steps = { left: MAX_STEPS };
    for (; stop >= 0; stop = stop > start ? this.whole.longest(text, start, stop - 1, begin, end) : NONE) {
      const last = stop;
      if (this.follow(search, this.root, start, stop, steps, (at) => at === last)) {
        groups[1] = stop;
        return groups;
      }
      if (steps.left <= 0) return null;
    }
    return null;
  }

  private longestOf(part: readonly Node[] | Node, from: number, s: Search, start: number, stop: number): number {
    let list = this.automata.get(part);
    if (list === undefined) this.automata.set(part, (list = []));
    const items = Array.isArray(part) ? (part as readonly Node[]).slice(from) : [part as Node];
    const automaton = (list[from] ??= new Automaton(items, this.newline));
    return automaton.longest(s.text, start, stop, s.begin, s.end);
  }

  /** Sets the groups of `items`, which match exactly [start, stop): each takes as much as the rest lets it. */
  private dissect(s: Search, items: readonly Node[], start: number, stop: number): void {
    let at = start;
    items.forEach((item, k) => {
      let rest = this.longestOf(item, 0, s, at, stop);
      while (rest > at && this.longestOf(items, k + 1, s, rest, stop) !== stop)
        rest = this.longestOf(item, 0, s, at, rest - 1);
      this.dissectItem(s, item, at, rest);
      at = rest;
    });
  }

  private dissectItem(s: Search, item: Node, start: number, stop: number): void {
    switch (item.kind) {
      case Kind.Sequence:
        this.dissect(s, item.items, start, stop);
        return;
      case Kind.Group:
        s.groups[2 * item.group] = start;
        s.groups[2 * item.group + 1] = stop;
        this.dissectItem(s, item.item, start, stop);
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
      case Kind.Sequence: {
        const from = (k: number, p: number): boolean =>
          k === node.items.length
            ? then(p)
            : this.follow(s, node.items[k] as Node, p, stop, steps, (q) => from(k + 1, q));
        return from(0, at);
      }
      case Kind.Choice:
        return node.branches.some((b) => this.follow(s, b, at, stop, steps, then));
      case Kind.Optional:
        return this.follow(s, node.item, at, stop, steps, then) || then(at);
      case Kind.Plus: {
        const turn = (from: number): boolean =>
          this.follow(s, node.item, from, stop, steps, (q) => (q !== from && turn(q)) || then(q));
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
}

/** Characters that may come first; null when that is no answer. */
function firstSetOf(node: Node): Uint8Array | null {
  switch (node.kind) {
    case Kind.Chars:
      return node.set;
    case Kind.Sequence:
      return node.items.length === 0 ? null : firstSetOf(node.items[0] as Node);
    case Kind.Choice: {
      const all = new Uint8Array(256);
      for (const b of node.branches) {
        const set = firstSetOf(b);
        if (set === null) return null;
        for (let c = 0; c < 256; c++) if (set[c] === 1) all[c] = 1;
      }
      return all;
    }
    case Kind.Plus:
    case Kind.Group:
      return firstSetOf(node.item);
    default:
      return null;
  }
}

/** Text with which every match begins. */
function prefixOf(root: Node): string {
  const items = root.kind === Kind.Sequence ? root.items : [root];
  let text = '';
  for (const item of items) {
    if (item.kind !== Kind.Chars) break;
    const code = item.set.indexOf(1);
    if (code < 0 || code !== item.set.lastIndexOf(1)) break;
    text += String.fromCharCode(code);
  }
  return text;
}
