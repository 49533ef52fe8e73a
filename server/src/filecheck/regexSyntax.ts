/** The syntax of POSIX extended regular expressions as LLVM's Regex class reads them (Regex.cpp over Henry Spencer's engine, LLVM 22). */

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

/** What an expression or the search for it may take is used up; the message says what. */
export class SearchLimit extends Error {}

/** of what counts have copied, too */
const MAX_PROGRAM = 1 << 20;
/** of sets of characters that are written differently */
const MAX_SETS = 1 << 14;
/** of groups in groups that somebody asks for, which the search for their places follows */
const MAX_ASKED_DEPTH = 400;

/** Counts the steps of searches; throws when there have been too many. */
export interface SearchMeter {
  spend(steps: number): void;
}

export interface RegexOptions {
  /** counts the steps of its searches */
  readonly meter?: SearchMeter;
  /** groups whose places are asked for; all where it is not there, or there are back-references */
  readonly wanted?: ReadonlySet<number>;
  readonly ignoreCase?: boolean;
  /** `.` and `[^x]` match no line break, `^` and `$` match at each */
  readonly newline?: boolean;
}

/** The last group that an expression can refer to. */
const MAX_BACK_REFERENCE = 9;
/** Largest count of `{m,n}`. */
const MAX_COUNT = 255;
const INFINITE = 256;
export const enum Kind {
  Chars,
  Text,
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

/** What the parser notes of a node with parts. */
interface Composite {
  /** steps that it stands for */
  readonly size?: number;
  readonly hasLineAnchor?: boolean;
}

export type Node =
  /** one character of a set: Uint8Array(256) of 0 and 1 */
  | { readonly kind: Kind.Chars; readonly set: Uint8Array }
  /** characters one after the other; the parser makes Chars of them, who has texts may give them as they are */
  | { readonly kind: Kind.Text; readonly text: string }
  | ({ readonly kind: Kind.Sequence; readonly items: readonly Node[] } & Composite)
  | ({ readonly kind: Kind.Choice; readonly branches: readonly Node[] } & Composite)
  | ({ readonly kind: Kind.Plus; readonly item: Node } & Composite)
  | ({ readonly kind: Kind.Optional; readonly item: Node } & Composite)
  /** `group` 0: nobody asks where it is */
  | ({ readonly kind: Kind.Group; readonly item: Node; readonly group: number } & Composite)
  | { readonly kind: Kind.LineStart | Kind.LineEnd | Kind.WordStart | Kind.WordEnd }
  /** `like`: what the group holds, without its own groups, for the automaton */
  | ({ readonly kind: Kind.BackReference; readonly group: number; readonly like: Node } & Composite);

export const EMPTY: Node = { kind: Kind.Sequence, items: [], size: 0 };

/** Steps that a node of the parser stands for. */
const sizeOf = (node: Node): number => ('size' in node ? node.size! : 1);

const isNothing = (node: Node): boolean => node === EMPTY;

function hasLineAnchor(node: Node): boolean {
  if ('hasLineAnchor' in node) return node.hasLineAnchor!;
  return node.kind === Kind.LineStart || node.kind === Kind.LineEnd;
}

function checked(size: number): number {
  if (size > MAX_PROGRAM) throw new SearchLimit(`the regular expression stands for more than ${MAX_PROGRAM} steps`);
  return size;
}

const sumOf = (parts: readonly Node[]): number => parts.reduce((sum, part) => sum + sizeOf(part), 0);

const plusOf = (item: Node): Node => ({
  kind: Kind.Plus,
  item,
  size: checked(sizeOf(item) + 2),
  hasLineAnchor: hasLineAnchor(item),
});

/** `x*` is an optional `x+`, which has less around it than `(x+)?`. */
const optionalOf = (item: Node): Node => ({
  kind: Kind.Optional,
  item,
  size: checked(sizeOf(item) + (item.kind === Kind.Plus ? 2 : 4)),
  hasLineAnchor: hasLineAnchor(item),
});

function sequenceOf(items: readonly Node[]): Node {
  if (items.length === 1) return items[0]!;
  let size = 0;
  let hasAnchor = false;
  for (const item of items) {
    size += sizeOf(item);
    hasAnchor ||= hasLineAnchor(item);
  }
  return { kind: Kind.Sequence, items, size: checked(size), hasLineAnchor: hasAnchor };
}

function choiceOf(branches: readonly Node[]): Node {
  if (branches.length === 1) return branches[0]!;
  const size = checked(sumOf(branches) + 2 * branches.length);
  return { kind: Kind.Choice, branches, size, hasLineAnchor: branches.some(hasLineAnchor) };
}

const STAR = 42;
const PLUS = 43;
const QUESTION_MARK = 63;
const BRACE = 123;

const signed = (code: number): number => (code < 128 ? code : code - 256);
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

export const NEWLINE = 10;

const soleCharacters: { readonly kind: Kind.Chars; readonly set: Uint8Array }[] = [];

/** The same node for the same character: patterns are mostly text. */
export function soleCharacter(code: number): { readonly kind: Kind.Chars; readonly set: Uint8Array } {
  let node = soleCharacters[code];
  if (node === undefined) {
    const set = new Uint8Array(256);
    set[code] = 1;
    soleCharacters[code] = node = { kind: Kind.Chars, set };
  }
  return node;
}

/** A group that is open, or the whole. */
interface Frame {
  readonly group: number;
  readonly branches: Node[];
  items: Node[];
}

class Parser {
  private at = 0;
  nGroups = 0;
  hasBackReferences = false;
  copiesLineAnchors = false;
  /** line anchors as written, copies not counted */
  readonly lineAnchors = { starts: 0, ends: 0 };
  /** of groups in groups */
  depth = 0;
  /** what closed groups hold, by number */
  private readonly closed: Node[] = [];
  /** sets of characters by how they are written */
  private readonly sets = new Map<string, Node>();
  /** the set that was read last, with what stands after its `[` */
  private lastBracket: { readonly text: string; readonly node: Node } | null = null;

  constructor(
    private readonly text: string,
    private readonly options: RegexOptions,
  ) {}

  /** Groups nest as deep as they like: those that are open lie on a stack of their own. */
  parse(): Node {
    const open: Frame[] = [];
    let frame: Frame = { group: 0, branches: [], items: [] };
    for (;;) {
      const c = this.peek();
      if (c === undefined || c === '|' || (c === ')' && frame.group > 0)) {
        this.endBranch(frame);
        if (this.eat('|')) continue;
        const whole = choiceOf(frame.branches);
        if (frame.group === 0) return whole;
        this.require(this.eat(')'), RegexFault.Parentheses);
        const { group } = frame;
        frame = open.pop()!;
        frame.items.push(this.repeated(this.groupOf(group, whole), false));
      } else if (c === '(') {
        this.at++;
        this.require(this.peek() !== undefined, RegexFault.Parentheses);
        const group = ++this.nGroups;
        if (this.eat(')')) frame.items.push(this.repeated(this.groupOf(group, EMPTY), false));
        else {
          open.push(frame);
          frame = { group, branches: [], items: [] };
          if (open.length > this.depth) this.depth = open.length;
        }
      } else frame.items.push(this.repeated(this.single(), c === '^'));
    }
  }

  /** Ends a branch, which may not be empty. */
  private endBranch(frame: Frame): void {
    const { items } = frame;
    if (items.length === 1 && items[0] !== EMPTY) {
      frame.branches.push(items[0]!);
      items.length = 0;
      return;
    }
    // What is repeated no times leaves nothing behind.
    this.require(!items.every(isNothing), RegexFault.EmptyExpression);
    // A list that has grown has room for more.
    frame.branches.push(sequenceOf(items.slice()));
    frame.items = [];
  }

  private groupOf(group: number, item: Node): Node {
    if (group <= MAX_BACK_REFERENCE) this.closed[group] = item;
    const { wanted } = this.options;
    const isWanted = wanted === undefined || wanted.has(group);
    // One around the other holds the same.
    const isAround = !isWanted && item.kind === Kind.Group && item.group === 0;
    return {
      kind: Kind.Group,
      item: isAround ? item.item : item,
      group: isWanted ? group : 0,
      size: checked(sizeOf(item) + 2),
      hasLineAnchor: hasLineAnchor(item),
    };
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

  private isRepetition(): boolean {
    const code = this.text.charCodeAt(this.at);
    if (code === STAR || code === PLUS || code === QUESTION_MARK) return true;
    return code === BRACE && isDigit(this.peek(1));
  }

  /** An item with the repetition that follows it. */
  private repeated(item: Node, isCaret: boolean): Node {
    if (!this.isRepetition()) return item;
    const c = this.text[this.at++];
    this.require(!isCaret, RegexFault.Repetition);
    let node: Node;
    if (c === '*') node = optionalOf(plusOf(item));
    else if (c === '+') node = plusOf(item);
    else if (c === '?') node = optionalOf(item);
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
    if (most > 1 && hasLineAnchor(item)) this.copiesLineAnchors = true;
    return this.repeat(item, least, most);
  }

  /**
   * `item{least,most}` by what there is: mandatory turns come last (`x{2,4}` is `xx?x?x`), which decides what the groups of an item hold.
   */
  private repeat(item: Node, least: number, most: number): Node {
    if (most === 0) return EMPTY;
    if (least === 0) return optionalOf(this.repeat(item, 1, most));
    if (least === 1 && most === 1) return item;
    const items: Node[] = Array.from({ length: least - 1 }, () => item);
    if (most === INFINITE) items.push(plusOf(item));
    else {
      const optional = least < most ? optionalOf(item) : item;
      for (let n = least; n < most; n++) items.push(optional);
      items.push(item);
    }
    return sequenceOf(items);
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
      case ')':
        return this.fail(RegexFault.Parentheses);
      case '^':
        this.lineAnchors.starts++;
        return { kind: Kind.LineStart };
      case '$':
        this.lineAnchors.ends++;
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

  private anyCharacter(): Node {
    return this.written('.', () => {
      const set = new Uint8Array(256).fill(1);
      if (this.options.newline === true) set[NEWLINE] = 0;
      return set;
    });
  }

  /** The same node for what is written the same way. */
  private written(text: string, make: () => Uint8Array): Node {
    let node = this.sets.get(text);
    if (node === undefined) {
      if (this.sets.size === MAX_SETS) throw new SearchLimit(`the regular expression has more than ${MAX_SETS} sets`);
      this.sets.set(text, (node = { kind: Kind.Chars, set: make() }));
    }
    return node;
  }

  private escape(): Node {
    const c = this.text[this.at++];
    if (c === undefined) return this.fail(RegexFault.Backslash);
    if (c < '1' || c > '9') return this.ordinary(c);
    const group = Number(c);
    const like = this.closed[group];
    if (like === undefined) return this.fail(RegexFault.BackReference);
    this.hasBackReferences = true;
    if (hasLineAnchor(like)) this.copiesLineAnchors = true;
    return {
      kind: Kind.BackReference,
      group,
      like,
      size: checked(sizeOf(like) + 2),
      hasLineAnchor: hasLineAnchor(like),
    };
  }

  private ordinary(c: string): Node {
    if (this.options.ignoreCase !== true) return soleCharacter(c.charCodeAt(0));
    return this.written(c, () => {
      const set = new Uint8Array(256);
      this.addCharacter(set, c.charCodeAt(0));
      return set;
    });
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
    // What is read of a bracket depends on nothing after it.
    const { lastBracket } = this;
    if (lastBracket !== null && this.eat(lastBracket.text)) return lastBracket.node;
    const begin = this.at;
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
    const text = this.text.slice(begin, this.at);
    const node = this.written(`[${text}`, () => set);
    this.lastBracket = { text, node };
    return node;
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
    // Characters are signed there: those beyond ASCII come first.
    const [low, high] = [signed(first), signed(last)];
    this.require(low <= high, RegexFault.Range);
    for (let code = low; code <= high; code++) set[code & 255] = 1;
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

  /** A character by itself or by its name, before `mark` and a bracket. */
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

/** How many line anchors, one after the other, a match can pass at a place that begins a line, and at one that ends one. */
export interface AnchorLimits {
  readonly starts: number;
  readonly ends: number;
}

/** A regular expression as its tree. */
export interface ParsedRegex {
  readonly root: Node;
  /** steps that it stands for */
  readonly size: number;
  readonly nGroups: number;
  readonly hasBackReferences: boolean;
  /** whether counts and back-references have copied `^` or `$` */
  readonly copiesLineAnchors: boolean;
  /** null = as many as there are */
  readonly anchorLimits: AnchorLimits | null;
}

/** Programs of that many steps fit into a word; the engine passes each anchor of a longer one at once. */
const MAX_WORD_STEPS = 64;
/** steps before a program and after it */
const END_STEPS = 2;

/** Throws RegexError and SearchLimit. */
export function parseRegex(source: string, options: RegexOptions = {}): ParsedRegex {
  const parser = new Parser(source, options);
  const root = parser.parse();
  const { nGroups, hasBackReferences, copiesLineAnchors, lineAnchors, depth } = parser;
  if (options.wanted !== undefined && hasBackReferences) {
    const { wanted: _, ...others } = options;
    return parseRegex(source, others);
  }
  if (options.wanted === undefined && depth > MAX_ASKED_DEPTH)
    throw new SearchLimit(`groups whose places are asked for nest deeper than ${MAX_ASKED_DEPTH}`);
  // The engine counts anchors as it reads them, and not again where it copies them.
  const isLimited = copiesLineAnchors && sizeOf(root) + END_STEPS <= MAX_WORD_STEPS;
  return {
    root,
    size: sizeOf(root),
    nGroups,
    hasBackReferences,
    copiesLineAnchors,
    anchorLimits: isLimited ? lineAnchors : null,
  };
}

/** The tree with other numbers of groups; it must have no back-references. */
export function renumber(node: Node, by: number): Node {
  switch (node.kind) {
    case Kind.Group:
      return { kind: Kind.Group, item: renumber(node.item, by), group: node.group + by };
    case Kind.Plus:
    case Kind.Optional:
      return { kind: node.kind, item: renumber(node.item, by) };
    case Kind.Sequence:
      return { kind: Kind.Sequence, items: node.items.map((item) => renumber(item, by)) };
    case Kind.Choice:
      return { kind: Kind.Choice, branches: node.branches.map((item) => renumber(item, by)) };
    default:
      return node;
  }
}
