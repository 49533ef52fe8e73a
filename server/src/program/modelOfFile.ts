/**
 * Whose LLVM a file is for. What only one release accepts decides: a triple, a processor or an option of a RUN line, a key, an opcode, a register, a spelling. Of
 * several signs the first counts, in the order in which llc meets them: the other release would stop there. Where nothing decides, the clang that compiled the
 * embedded module says whose MIR it is. Signs are kept with the trees that they stand in, so that an edit costs what it touched.
 */
import {
  AUTO_MODEL,
  releaseOfModel,
  type ModelChoice,
  type SchedulerModel,
} from '../passes/scheduler/schedulerModel.js';
import {
  DocumentKind,
  LLTFlag,
  NO_NODE,
  RegFlag,
  RegKind,
  STRIDE,
  SyntaxKind,
  yamlText,
  type Chunk,
  type MirDocument,
  type MirFile,
  type Node,
  type Tree,
} from '../syntax/index.js';
import { InstrFlag } from '../model/machineFunction.js';
import { isNameBySize } from '../model/namesBySize.js';
import {
  AUTO_RELEASES,
  listCpus,
  majorOf,
  NEWEST_RELEASE,
  parseTriple,
  RELEASE_NAMES,
  releaseOf,
  releaseText,
  releaseWith,
  releaseWithout,
  releaseWithOption,
  type Release,
  type ReleaseName,
  type ReleaseRules,
} from '../target/index.js';
import { McFlag } from '../target/api.js';
import type { TextRange } from '../text/diagnostic.js';
import { oneLine } from '../text/visible.js';
import type { Interner } from '../util/interner.js';
import { parseInput, type LastParsed } from './lastParsed.js';
import { TestFile } from './testFile/testFile.js';
import { runCommandsOf, TargetOrigin, type FileTarget, type TargetOptions } from './targetOfFile.js';

/** Something that only one release accepts, or that tells whose MIR it is. */
export interface ReleaseSign extends TextRange {
  readonly release: ReleaseName;
  /** others accept it, too: it counts where nothing else decides */
  readonly isHint?: true;
  /** what it is, e.g. `opcode G_CTLS` */
  readonly what: string;
  /** 0-based; -1 where it does not stand in the file (a setting, the command line) */
  readonly line: number;
}

export interface ModelOfFile {
  readonly model: SchedulerModel;
  readonly release: ReleaseName;
  /** what decided; null: somebody chose the model, or nothing says which */
  readonly sign: ReleaseSign | null;
  /** the first sign of the other release, where the file is mixed */
  readonly against: ReleaseSign | null;
  readonly isChosen: boolean;
}

/** Keys of functions that not all releases have, by the rule that says so. */
const KEYS: ReadonlyMap<string, keyof ReleaseRules> = new Map([
  ['noSignedZerosFPMath', 'hasNoSignedZeros'],
  ['framePointerPolicy', 'hasFramePointerPolicy'],
  ['minNumAGPRs', 'hasMinNumAGPRs'],
  ['assigned-phys', 'hasAssignedPhys'],
  ['split-from', 'hasAssignedPhys'],
]);

/** The release for which the key speaks; null: none or all have it. */
export function releaseOfKey(name: string): ReleaseName | null {
  const rule = KEYS.get(name);
  return rule === undefined ? null : releaseWith(rule);
}

/** A sign in a tree; offsets are the tree's. */
interface LocalSign extends TextRange {
  readonly release: ReleaseName;
  readonly what: string;
  readonly isHint?: true;
}

/** The first sign of each release in a piece of text; most have none. */
type LocalSigns = readonly LocalSign[];
const NONE: LocalSigns = [];

/** Signs of parts of files, which live as long as these. Owned by who asks again about later versions. */
export class SignMemory {
  readonly documents = new WeakMap<MirDocument, LocalSigns>();
  readonly headers = new WeakMap<Tree, LocalSigns>();
  readonly chunks = new WeakMap<Chunk, LocalSigns>();
  readonly interners = new WeakMap<Interner, NameReleases>();
}

/** A version of a file, and what is known of its parts. */
interface Looked {
  readonly file: MirFile;
  readonly memory: SignMemory;
}

/** The model for a file. `target`: with its RUN lines, the active one first in `commands` at `commandIdx`. `words`: an llc command line that reads the file. */
export function modelOfFile(
  file: MirFile,
  target: TargetOptions & Pick<FileTarget, 'commands' | 'commandIdx'> & Partial<Pick<FileTarget, 'origin'>>,
  choice: ModelChoice,
  words: readonly string[] = [],
  memory = new SignMemory(),
): ModelOfFile {
  if (choice !== AUTO_MODEL)
    return { model: choice, release: releaseOfModel(choice), sign: null, against: null, isChosen: true };
  const [sign = null, against = null] = firstOfEach(signsOf({ file, memory }, target, words));
  const release = sign?.release ?? NEWEST_RELEASE;
  return { model: release, release, sign, against, isChosen: false };
}

/** The model for a file, with its target. `targetFor`: the file's target as a release reads it. */
export function modelWithTarget(
  file: MirFile,
  targetFor: (release: ReleaseName) => FileTarget,
  choice: ModelChoice,
  memory = new SignMemory(),
): { readonly model: ModelOfFile; readonly target: FileTarget } {
  const target = targetFor(NEWEST_RELEASE);
  const model = modelOfFile(file, target, choice, [], memory);
  return { model, target: model.release === NEWEST_RELEASE ? target : targetFor(model.release) };
}

/** The first sign, and the first of the other release; without any the first hint. */
function firstOfEach(signs: Iterable<ReleaseSign>): ReleaseSign[] {
  const found: ReleaseSign[] = [];
  let hint: ReleaseSign | null = null;
  for (const sign of signs) {
    if (sign.isHint) {
      hint ??= sign;
      continue;
    }
    if (found[0]?.release === sign.release) continue;
    found.push(sign);
    if (found.length === 2) break;
  }
  return found.length === 0 && hint !== null ? [hint] : found;
}

function* signsOf(
  looked: Looked,
  { triple, cpu, origin, commands, commandIdx }: Parameters<typeof modelOfFile>[1],
  words: readonly string[],
): Generator<ReleaseSign> {
  const nowhere = { line: -1, start: -1, end: -1 };
  for (const sign of signsOfWords(words)) yield { ...sign, ...nowhere };
  const active = commands[commandIdx];
  // What the module names stands there.
  for (const sign of signsOfTarget({ triple: origin === TargetOrigin.Module ? '' : triple, cpu })) {
    const isActive = active !== undefined && (active.triple === triple || active.cpu === cpu);
    yield { ...sign, ...nowhere, line: isActive ? active.firstLine : -1 };
  }
  for (const command of active === undefined ? commands : [active, ...commands.filter((c) => c !== active)]) {
    const place = { ...nowhere, line: command.firstLine };
    for (const sign of signsOfWords(command.args)) yield { ...sign, ...place };
  }
  if (parseTriple(triple).isR600) return;
  const { documents, docStarts, text } = looked.file;
  for (const [d, document] of documents.entries())
    for (const { start, end, ...sign } of signsOfDocument(document, looked, docStarts[d]!))
      yield {
        ...sign,
        start: docStarts[d]! + start,
        end: docStarts[d]! + end,
        line: text.lineAt(docStarts[d]! + start),
      };
}

type Sign = Pick<ReleaseSign, 'release' | 'what'>;

/** What a release accepts by that rule, which others do not have; none where all have it. */
function signOf(rule: keyof ReleaseRules, what: string): Sign[] {
  const release = releaseWith(rule);
  return release === null ? [] : [{ release, what }];
}

function signsOfTarget({ triple, cpu }: Pick<TargetOptions, 'triple' | 'cpu'>): Sign[] {
  const signs: Sign[] = [];
  if (/^amdgpu[\d.]/.test(triple) || /^amdgpu(?:-|$)/.test(triple))
    signs.push(...signOf('hasSubArchTriples', `triple ${oneLine(triple)}`));
  const release = releaseOfCpu(cpu);
  if (release !== null) signs.push({ release, what: `processor ${oneLine(cpu)}` });
  return signs;
}

/** Null where the default release knows it, or none. It has no processor that a newer one lacks. */
const releaseOfCpu = (cpu: string): ReleaseName | null =>
  cpu === '' || listCpus('').includes(cpu)
    ? null
    : (RELEASE_NAMES.find((name) => listCpus('', releaseOf(name)).includes(cpu)) ?? null);

function signsOfWords(words: readonly string[]): Sign[] {
  return words.flatMap((word, k) => {
    const [, name = '', glued] = /^--?([^=]+)(?:=([^]*))?$/.exec(word) ?? [];
    if (name === '') return [];
    const value = glued ?? words[k + 1] ?? '';
    if (name === 'mtriple') return signsOfTarget({ triple: value, cpu: '' });
    if (name === 'mcpu') return signsOfTarget({ triple: '', cpu: value });
    const release = releaseWithOption(name, value);
    return release === null ? [] : [{ release, what: `option ${oneLine(word)}` }];
  });
}

/** The first of each release, in the order of the text. O(what of it changed). */
function signsOfDocument(document: MirDocument, looked: Looked, docStart: number): LocalSigns {
  const { documents } = looked.memory;
  let known = documents.get(document);
  if (known === undefined) {
    known =
      document.kind === DocumentKind.IR
        ? signsOfIR(document, looked.file, docStart)
        : signsOfFunction(document, looked, docStart);
    documents.set(document, known);
  }
  return known;
}

const withoutDoubles = (signs: readonly LocalSign[]): LocalSigns =>
  signs.length === 0
    ? NONE
    : signs.filter(
        (sign, k) => signs.findIndex(({ release, isHint }) => release === sign.release && isHint === sign.isHint) === k,
      );

function signsOfFunction(document: MirDocument, looked: Looked, docStart: number): LocalSigns {
  const { body } = document;
  const signs = [...signsOfHeader(document, looked, docStart)];
  if (body !== null)
    for (const [c, chunk] of body.chunks.entries()) {
      const at = body.start + body.chunkStarts[c]!;
      for (const sign of signsOfChunk(chunk, looked))
        signs.push({ ...sign, start: sign.start + at, end: sign.end + at });
    }
  return withoutDoubles(signs);
}

function signsOfHeader({ yaml }: MirDocument, { file, memory }: Looked, docStart: number): LocalSigns {
  let known = memory.headers.get(yaml);
  if (known === undefined) {
    const signs: LocalSign[] = [];
    for (let n = 0; n < yaml.size; n += STRIDE) {
      if (yaml.kind(n) !== SyntaxKind.YamlPair || !yaml.hasChildren(n)) continue;
      const key = n + STRIDE;
      const name =
        yaml.kind(key) === SyntaxKind.YamlScalar ? yamlText(yaml, key, file.text.text, docStart, file.interner) : '';
      const release = releaseOfKey(name);
      if (release !== null) signs.push({ release, what: `key ${name}`, start: yaml.start(key), end: yaml.end(key) });
    }
    known = withoutDoubles(signs);
    memory.headers.set(yaml, known);
  }
  return known;
}

function signsOfChunk(chunk: Chunk, { file, memory }: Looked): LocalSigns {
  let known = memory.chunks.get(chunk);
  if (known === undefined) {
    known = withoutDoubles(signsOfTree(chunk.tree, namesOf(file.interner, memory)));
    memory.chunks.set(chunk, known);
  }
  return known;
}

function signsOfTree(tree: Tree, names: NameReleases): LocalSign[] {
  const signs: LocalSign[] = [];
  let opcode = '';
  for (let n = 0; n < tree.size; n += STRIDE) {
    const found = signOfNode(tree, n, names, opcode);
    if (tree.kind(n) === SyntaxKind.Opcode) opcode = names.text(tree.value(n));
    if (found !== null) signs.push({ ...found, start: tree.start(n), end: tree.end(n) });
  }
  return signs;
}

const by = (rule: keyof ReleaseRules, what: string): Sign | null => signOf(rule, what)[0] ?? null;

/** What a node says, after `opcode` in its line. */
function signOfNode(tree: Tree, n: Node, names: NameReleases, opcode: string): Sign | null {
  switch (tree.kind(n)) {
    case SyntaxKind.Instruction:
      if ((tree.flags(n) & InstrFlag.LRSplit) !== 0) return by('hasLRSplit', 'flag lr-split');
      return tree.value(n) >= 0 ? names.operands(tree.value(n), tree, n) : null;
    case SyntaxKind.Opcode:
      return names.opcode(tree.value(n));
    case SyntaxKind.RegisterOperand:
      return tree.regKind(n) === RegKind.Physical ? names.register(tree.value(n)) : null;
    case SyntaxKind.LiveIn:
      return names.register(tree.value(n));
    case SyntaxKind.InlineAsmWords:
      return by('inlineAsmWords', 'words of an INLINEASM operand');
    case SyntaxKind.LowLevelType: {
      const isOwn = (tree.flags(n) & (LLTFlag.Integer | LLTFlag.Float | LLTFlag.BFloat)) !== 0;
      return isOwn ? by('hasFloatLLTs', 'type of its own') : null;
    }
    case SyntaxKind.MMRA:
      return by('hasMMRA', 'mmra');
    case SyntaxKind.TargetMnemonic:
      return opcode.startsWith('S_WAITCNT') ? by('hasWaitMnemonics', `mnemonic of ${opcode}`) : null;
    default:
      return null;
  }
}

/** What an interner's names say of releases. */
class NameReleases {
  /** by id: undefined = not asked yet */
  private readonly opcodes: (Sign | null | undefined)[] = [];
  private readonly registers: (Sign | null | undefined)[] = [];
  private readonly operandCounts: (OperandCounts | null | undefined)[] = [];

  constructor(private readonly interner: Interner) {}

  text(id: number): string {
    return this.interner.text(id);
  }

  opcode(id: number): Sign | null {
    const known = this.opcodes[id];
    return known === undefined ? (this.opcodes[id] = signOfOpcode(this.interner.text(id))) : known;
  }

  /** Of an instruction with as many operands as its opcode has in one release alone. */
  operands(id: number, tree: Tree, instruction: number): Sign | null {
    let counts = this.operandCounts[id];
    if (counts === undefined) counts = this.operandCounts[id] = operandCountsOf(this.interner.text(id));
    if (counts === null) return null;
    const n = explicitOperands(tree, instruction);
    const release = counts.get(n);
    if (release === undefined) return null;
    return { release, what: `${this.interner.text(id)} with ${n} operands` };
  }

  register(id: number): Sign | null {
    const known = this.registers[id];
    if (known !== undefined) return known;
    const name = this.interner.text(id);
    const release =
      RELEASE_NAMES.find((r) => releaseOf(r).onlyRegisters().has(name)) ??
      (/_\d+$/.test(name) ? RELEASE_NAMES.find((r) => readsBySize(name, releaseOf(r))) : undefined);
    return (this.registers[id] = release === undefined ? null : { release, what: `register ${name}` });
  }
}

/** Numbers of operands, and the only release in which the opcode has so many. */
type OperandCounts = ReadonlyMap<number, ReleaseName>;

/** Null for an opcode that has the same number everywhere, or any. */
function operandCountsOf(name: string): OperandCounts | null {
  const counts = new Map<number, ReleaseName>();
  for (const release of AUTO_RELEASES) {
    const { tables } = releaseOf(release);
    const opcode = tables.opcodeByName(name);
    if (opcode < 0 || ((tables.opcodeFlagsLo(opcode) >>> McFlag.Variadic) & 1) !== 0) return null;
    const n = tables.opcodeNumOperands(opcode);
    if (counts.has(n)) return null;
    counts.set(n, release);
  }
  return counts;
}

function explicitOperands(tree: Tree, instruction: number): number {
  let n = 0;
  for (let c = tree.firstChild(instruction); c !== NO_NODE; c = tree.nextSibling(c, instruction)) {
    const kind = tree.kind(c);
    if (kind <= SyntaxKind.Opcode || kind >= SyntaxKind.TargetFlags) continue;
    const isImplicit = kind === SyntaxKind.RegisterOperand && (tree.flags(c) & IMPLICIT) !== 0;
    if (!isImplicit) n++;
  }
  return n;
}

const IMPLICIT = RegFlag.Implicit | RegFlag.ImplicitDef;

const readsBySize = (name: string, { rules, tables }: Release): boolean =>
  rules.readsNamesBySize && isNameBySize(name, tables);

/** The tables of a newer release are read for what the default one does not know. */
function signOfOpcode(name: string): Sign | null {
  const isKnown = releaseOf().tables.opcodeByName(name) >= 0;
  if (!isKnown && !/^[A-Z]\w+$/.test(name)) return null;
  const release = isKnown
    ? RELEASE_NAMES.find((r) => releaseOf(r).onlyOpcodes().has(name))
    : RELEASE_NAMES.find((r) => releaseOf(r).tables.opcodeByName(name) >= 0);
  return release === undefined ? null : { release, what: `opcode ${name}` };
}

function namesOf(interner: Interner, { interners }: SignMemory): NameReleases {
  let known = interners.get(interner);
  if (known === undefined) {
    known = new NameReleases(interner);
    interners.set(interner, known);
  }
  return known;
}

/** The oldest release that is no older than the clang, else the newest. */
const releaseOfClang = (major: number): ReleaseName =>
  AUTO_RELEASES.find((name) => Number(majorOf(name)) >= major) ?? NEWEST_RELEASE;

/** Processors, spellings and the compiler of the embedded module. */
function signsOfIR({ irStart, irEnd }: MirDocument, file: MirFile, docStart: number): LocalSigns {
  const text = file.text.slice(docStart + irStart, docStart + irEnd);
  const signs: LocalSign[] = [];
  const spellings =
    /"target-cpu"="([^"\n]*)"|target triple = "([^"\n]*)"|\bf0x[0-9A-F]+\b|\bdenormal_fpenv(?=\()|!DISubprogram\((?:"[^"\n]*"|[^")\n])*\)|"[^"\n]*\bclang version (\d+)\.[^"\n]*"/g;
  for (const match of text.matchAll(spellings)) {
    const [all, cpu, triple, clang] = match;
    const start = irStart + match.index;
    if (clang !== undefined) {
      const release = releaseOfClang(Number(clang));
      signs.push({ release, what: `clang version ${clang}`, isHint: true, start, end: start + all.length });
      continue;
    }
    if (all.startsWith('!DISubprogram')) {
      // Only LLVM 22 takes one without.
      const release = /\btype:/.test(all) ? null : releaseWithout('typedSubprograms');
      if (release !== null) signs.push({ release, what: 'DISubprogram without type', start, end: start + all.length });
      continue;
    }
    const found: Sign[] =
      cpu !== undefined || triple !== undefined
        ? signsOfTarget({ cpu: cpu ?? '', triple: triple ?? '' })
        : all.startsWith('f0x')
          ? signOf('decimalFloats', `constant ${all}`)
          : signOf('hasDenormalEnvironment', `attribute ${all}`);
    for (const sign of found) signs.push({ ...sign, start, end: start + all.length });
  }
  return withoutDoubles(signs);
}

/** `opcode G_CTLS in line 12` */
export const signText = ({ what, line }: ReleaseSign): string => (line < 0 ? what : `${what} in line ${line + 1}`);

/**
 * The model for a run of llc with `words` on `text`; `test`: the test whose RUN line that is, where it may read another file. `parsed` has the
 * file afterwards, for the run.
 */
export function modelOfRun(
  text: string,
  words: readonly string[],
  test = '',
  parsed: LastParsed | null = null,
): SchedulerModel {
  const found = modelOfFile(parsed?.of(text) ?? parseInput(text), targetOfTest(text), AUTO_MODEL, words);
  if ((found.sign !== null && !found.sign.isHint) || test === '' || test === text) return found.model;
  const ofTest = modelOfFile(parseInput(test), targetOfTest(test), AUTO_MODEL, words);
  return ofTest.sign === null ? found.model : ofTest.model;
}

function targetOfTest(text: string): Parameters<typeof modelOfFile>[1] {
  const commands = runCommandsOf(new TestFile(text));
  return { triple: '', cpu: '', features: '', commands, commandIdx: commands.length > 0 ? 0 : -1 };
}

/** Of a mixed file: which line belongs to which. */
export const mixedText = (sign: ReleaseSign, against: ReleaseSign): string =>
  `the file is read as one of ${releaseText(sign.release)} (${signText(sign)}), but ${signText(against)} is of ${releaseText(against.release)} alone`;

/** Of a test that the model of its own choice does not take: what of it is of which release, with lines; null where nothing is of another. */
export function whyMixed(test: string, choice: ModelChoice): string | null {
  if (choice !== AUTO_MODEL) return null;
  const { sign, against } = modelOfFile(parseInput(test), targetOfTest(test), choice);
  return sign === null || against === null ? null : mixedText(sign, against);
}

/** Why this model: `opcode G_CTLS in line 12 is of this release alone`. */
export function modelReason({ sign, isChosen, model }: ModelOfFile): string {
  if (isChosen) return `chosen (amdgpu-mir.model is ${model})`;
  if (sign !== null)
    return sign.isHint ? `compiled by ${signText(sign)}` : `${signText(sign)} is of this release alone`;
  return 'nothing in the file is of one release alone; this is the newest that is modelled';
}

/** The model for an llc of that version; null where none is near. */
export function modelOfVersion(version: string): SchedulerModel | null {
  const major = /^\d+/.exec(version)?.[0];
  return RELEASE_NAMES.find((name) => majorOf(name) === major) ?? null;
}
