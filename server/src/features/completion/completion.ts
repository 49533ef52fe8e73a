/**
 * `textDocument/completion`: what may stand at the cursor, in the body, the header, the embedded IR, RUN and CHECK lines. Nothing here
 * needs a function that parses: the line is read by the lexer alone, names come from the syntax tree, classes from what could be lowered.
 */
import { InsertTextFormat, type CompletionItem, type CompletionList, type Position } from 'vscode-languageserver-types';
import { printLLT } from '../../model/llt.js';
import { DocumentKind } from '../../syntax/tree.js';
import { Tok } from '../../syntax/lexer.js';
import { createSubtarget, type Subtarget } from '../../target/index.js';
import { NEVER_CANCELLED, type CancellationToken } from '../../util/cancellation.js';
import { targetLabel } from '../../program/targetOfFile.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { ranked, type Candidate } from './candidate.js';
import {
  bodySnippets,
  fileSnippets,
  instructionFlags,
  labelAttributes,
  startKeywords,
  targetFlags,
  trailerWords,
} from './bodyWords.js';
import { FunctionScope } from './functionScope.js';
import { headerCandidates, headerPlace } from './headerItems.js';
import { LinePlace, readInstrLine, type InstrLine } from './instrLine.js';
import { irCandidates } from './irItems.js';
import { lowLevelTypes } from './lowLevelTypes.js';
import { memoryCandidates, memoryTrailers } from './memoryItems.js';
import { looseIndex, looseOperands } from './looseOperands.js';
import { CLASS_WORD, isBehindBarrier, opcodeCandidates, operandLabel } from './opcodeItems.js';
import { blocks, globals, stackObjects } from './namedItems.js';
import {
  ANY_REGISTER,
  classes,
  defCandidates,
  descriptorIndex,
  hasMemory,
  opcodeOf,
  operandCandidates,
} from './operandItems.js';
import { predicateWords } from './predicates.js';
import type { ItemData } from './resolveItem.js';
import { liveIns, namedRegisters, physicalRegisters, subRegisters } from './registerItems.js';
import { testLineItems } from './testLineItems.js';
import { expanded, tried } from './trial.js';
import { functionAround } from '../snapshot/locate.js';

export interface CompletionParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

/** What is proposed for the text from `from` on. */
export interface Proposal {
  readonly from: number;
  readonly items: readonly Candidate[];
  /** the function in whose body the cursor is */
  readonly view?: FunctionView;
  /** the word of an accepted opcode that stands for an operand: what is proposed is written over it */
  readonly placeholder?: string;
  /** where a blank is missing */
  readonly blankAt?: number;
}

const NOTHING: CompletionList = { isIncomplete: false, items: [] };

export function provideCompletion(
  snapshot: Snapshot,
  { position }: CompletionParams,
  token: CancellationToken = NEVER_CANCELLED,
): CompletionList {
  const cursor = snapshot.text.offsetAt(position);
  const proposal = proposalAt(snapshot, cursor);
  if (proposal === null || token.isCancelled()) return NOTHING;
  const { view, from, placeholder, blankAt } = proposal;
  const typed = placeholder === undefined ? snapshot.text.slice(from, cursor) : '';
  const { best, isCut } = ranked(proposal.items, typed);
  const edit = placeholder === undefined ? editFor(snapshot, from, cursor) : over(snapshot, from, placeholder);
  const ordered = view ? tried(snapshot, view, { from, to: cursor }, best, token) : best;
  const items = ordered.map((c, k) => {
    const item = itemOf(c, k, edit, snapshot, from, view);
    if (blankAt !== undefined) item.additionalTextEdits = [{ range: snapshot.rangeOf(blankAt, blankAt), newText: ' ' }];
    // What clients compare with is what they find in the text.
    return placeholder === undefined ? item : { ...item, filterText: placeholder };
  });
  return { isIncomplete: isCut || ordered.length < best.length, items };
}

const over =
  (snapshot: Snapshot, from: number, word: string): WordEdit =>
  (newText) => ({ range: snapshot.rangeOf(from, from + word.length), newText });

type WordEdit = (newText: string) => NonNullable<CompletionItem['textEdit']>;

/** What an item writes over: the typed word, and what follows of it where the user wants that. */
function editFor(snapshot: Snapshot, from: number, cursor: number): WordEdit {
  const { text, settings } = snapshot;
  const rest = /^[\w$-]*/.exec(text.slice(cursor, text.lineEnd(text.lineAt(cursor))))![0].length;
  const insert = snapshot.rangeOf(from, cursor);
  if (rest === 0 || !settings.replacesWords) return (newText) => ({ range: insert, newText });
  const replace = snapshot.rangeOf(from, cursor + rest);
  return (newText) => ({ newText, insert, replace });
}

/** Blanks before a label that are too many, beside the other labels of the body. */
function tooFarIn({ text }: Snapshot, view: FunctionView | undefined, at: number): { from: number; to: number } | null {
  const start = text.lineStart(text.lineAt(at));
  if (!view?.body || !/^ *$/.test(text.slice(start, at))) return null;
  const body = text.slice(view.start + view.body.start, view.start + view.body.start + view.body.length);
  const column = /^( *)bb\.\d/m.exec(body)?.[1]?.length ?? LABEL_COLUMN;
  return start + column < at ? { from: start + column, to: at } : null;
}

/** llc's column of block labels. */
const LABEL_COLUMN = 2;

function itemOf(
  c: Candidate,
  k: number,
  edit: WordEdit,
  snapshot: Snapshot,
  at: number,
  view?: FunctionView,
): CompletionItem {
  const { uri, settings } = snapshot;
  const isSnippet = settings.snippets && c.snippet !== undefined;
  const item: CompletionItem = {
    label: c.label,
    kind: c.kind,
    sortText: String(k).padStart(4, '0'),
    filterText: c.label,
    textEdit: edit(isSnippet ? c.snippet! : (c.insert ?? c.label)),
  };
  if (isSnippet) item.insertTextFormat = InsertTextFormat.Snippet;
  const gap = c.isLabel ? tooFarIn(snapshot, view, at) : null;
  if (gap !== null) item.additionalTextEdits = [{ range: snapshot.rangeOf(gap.from, gap.to), newText: '' }];
  const { detail, description } = c;
  if (detail || description)
    item.labelDetails = { ...(detail ? { detail } : {}), ...(description ? { description } : {}) };
  if (c.about) item.data = { textDocument: { uri }, about: c.about, at } satisfies ItemData;
  // A command of VS Code, whose client is ours.
  // Commands of VS Code and of our client there.
  if (c.goesOn && settings.commandLinks)
    item.command =
      isSnippet && c.about?.what === 'opcode'
        ? { title: '', command: 'amdgpu-mir.fillOperands', arguments: [wordsOf(c.snippet!)] }
        : { title: '', command: 'editor.action.triggerSuggest' };
  return item;
}

/** What stands at the stops of a snippet until something is typed there. */
function wordsOf(snippet: string): string[] {
  const { text, stops } = expanded(snippet);
  return [...new Set(stops.map((s) => text.slice(s.start, s.end)))].filter((word) => word !== '');
}

/** What is proposed before anything of it is ranked and tried. */
export function proposalAt(snapshot: Snapshot, cursor: number): Proposal | null {
  const { text } = snapshot;
  const line = text.lineAt(cursor);
  const lineStart = text.lineStart(line);
  const test = testLineItems(snapshot, lineStart, cursor);
  if (test !== null) return { from: test.wordStart, items: test.items };
  const view = functionAround(snapshot, cursor);
  if (snapshot.target.foreign !== '') return foreignProposal(snapshot, view, lineStart, cursor);
  if (view === null || isBehindFunction(snapshot, view, lineStart))
    return irProposal(snapshot, cursor, lineStart) ?? fileProposal(snapshot, lineStart, cursor);
  const { body, start } = view;
  if (body !== null && start + body.start <= cursor && isInBody(snapshot, view, cursor))
    return inBody(bodyProposal(snapshot, view, lineStart, text.lineEnd(line), cursor), view);
  const place = headerPlace(text.text, start, view.end, lineStart, cursor);
  if (place === null) return null;
  const { tables } = subtargetOf(snapshot, view);
  return { from: place.wordStart, items: headerCandidates(snapshot, place, tables) };
}

/** In a file of another target: names of the text, and keys that every target has. */
function foreignProposal(
  snapshot: Snapshot,
  view: FunctionView | null,
  lineStart: number,
  cursor: number,
): Proposal | null {
  if (view === null || isBehindFunction(snapshot, view, lineStart)) return irProposal(snapshot, cursor, lineStart);
  const { text } = snapshot;
  if (view.body !== null && view.start + view.body.start <= cursor && isInBody(snapshot, view, cursor)) {
    const line = readInstrLine(text.text, lineStart, text.lineEnd(text.lineAt(cursor)), cursor);
    const scope = new FunctionScope(snapshot, view, lineStart, text.lineEnd(text.lineAt(cursor)));
    if (line.place === LinePlace.Successors) return { from: line.wordStart, items: blocks(scope, line) };
    if (line.place !== LinePlace.Operand) return null;
    return {
      from: line.wordStart,
      items: [...namedRegisters(scope), ...blocks(scope, line), ...stackObjects(scope), ...globals(snapshot)],
    };
  }
  const place = headerPlace(text.text, view.start, view.end, lineStart, cursor);
  return place === null ? null : { from: place.wordStart, items: headerCandidates(snapshot, place, null) };
}

/** At the end of a body its last, empty line may lie after it: where it is indented, it belongs to it. */
function isInBody({ text }: Snapshot, { body, start }: FunctionView, cursor: number): boolean {
  const end = start + body!.start + body!.length;
  if (cursor < end) return true;
  const lineStart = text.lineStart(text.lineAt(cursor));
  return lineStart <= end && /^[ \t]/.test(text.slice(lineStart, cursor)) && text.slice(end, lineStart).trim() === '';
}

/** Between the `...` of a function and the next one. */
function isBehindFunction({ text }: Snapshot, { start, end }: FunctionView, lineStart: number): boolean {
  const own = text.slice(start, end);
  const close = /^\.\.\.[ \t]*$/m.exec(own);
  // A word there is a document of its own.
  if (close === null) return /^\s*[a-z]+\s*$/.test(own) && text.slice(0, start).trimEnd().endsWith('...');
  return start + close.index < lineStart;
}

function fileProposal(snapshot: Snapshot, lineStart: number, cursor: number): Proposal | null {
  const lead = snapshot.text.slice(lineStart, cursor);
  if (!/^[a-z]*$/.test(lead) || !snapshot.settings.snippets) return null;
  return { from: lineStart, items: fileSnippets(snapshot.functions.length === 0) };
}

function irProposal(snapshot: Snapshot, cursor: number, lineStart: number): Proposal | null {
  const { file, text } = snapshot;
  const k = file.documents.findIndex((d, i) => {
    const start = file.docStarts[i]!;
    return d.kind === DocumentKind.IR && start + d.irStart <= cursor && cursor <= start + d.irEnd;
  });
  if (k < 0) return null;
  const lead = text.slice(lineStart, cursor);
  if (lead.includes(';')) return null;
  const word = /[%@#!"]?[\w.$-]*$/.exec(lead)![0];
  return {
    from: cursor - word.length,
    items: irCandidates(snapshot, cursor, word, lead.slice(0, lead.length - word.length)),
  };
}

const subtargetOf = (snapshot: Snapshot, view: FunctionView): Subtarget => view.fn?.subtarget ?? snapshot.subtarget;

const inBody = (proposal: Proposal | null, view: FunctionView): Proposal | null =>
  proposal === null ? null : { ...proposal, view };

// -- body ----------------------------------------------------------------------------------------------------------

function bodyProposal(
  snapshot: Snapshot,
  view: FunctionView,
  lineStart: number,
  lineEnd: number,
  cursor: number,
): Proposal | null {
  const line = readInstrLine(snapshot.text.text, lineStart, lineEnd, cursor);
  if (line.place === LinePlace.None) return null;
  const scope = new FunctionScope(snapshot, view, lineStart, lineEnd);
  const st = subtargetOf(snapshot, view);
  const typed = line.text.slice(line.wordStart, cursor);
  const inner = innerProposal(snapshot, line, scope, st, typed);
  if (inner !== null) return inner;
  const from = line.wordStart;
  switch (line.place) {
    case LinePlace.Start:
      return {
        from,
        items:
          typed.startsWith('%') || typed.startsWith('$')
            ? defCandidates(line, scope, st, typed)
            : [
                ...opcodeCandidates(line, scope, st, snapshot.memoryOf(st), typed, otherTargets(snapshot, st)),
                ...(line.tokens.length > 0 ? [] : startKeywords(scope, isBehindBarrier(scope, st.tables))),
                ...instructionFlags(st),
                ...bodySnippets(scope),
                ...(typed === '' ? below(defCandidates(line, scope, st, typed)) : []),
              ],
      };
    case LinePlace.Opcode:
      return {
        from,
        items: [
          ...opcodeCandidates(line, scope, st, snapshot.memoryOf(st), typed, otherTargets(snapshot, st)),
          ...instructionFlags(st),
        ],
      };
    case LinePlace.Def:
      return { from, items: defCandidates(line, scope, st, typed) };
    case LinePlace.Operand: {
      const placeholder = placeholderAt(line, st);
      if (placeholder === '') return { from, items: operandItems(line, scope, st, typed) };
      return { from, items: operandItems(line, scope, st, ''), placeholder };
    }
    case LinePlace.Memory:
      return memoryProposal(line, memoryCandidates(snapshot, line, scope, st));
    case LinePlace.Successors:
      return { from, items: blocks(scope, line) };
    case LinePlace.LiveIns:
      return {
        from,
        items: liveIns(line, physicalRegisters(scope, st, lineStart - view.start, ANY_REGISTER, typed !== ''), st),
      };
    case LinePlace.Label:
      return { from, items: labelAttributes() };
    default:
      return null;
  }
}

/** A blank stands after the colons, or comes with the item. */
function memoryProposal({ text, tokens, memory, wordStart: from }: InstrLine, items: readonly Candidate[]): Proposal {
  const { end } = tokens[memory]!;
  if (/^(?:\s|$)/.test(text.slice(end, end + 1)) && end !== from) return { from, items };
  if (end !== from) return { from, items, blankAt: end };
  const led = items.map((c) => ({
    ...c,
    insert: ` ${c.insert ?? c.label}`,
    ...(c.snippet === undefined ? {} : { snippet: ` ${c.snippet}` }),
  }));
  return { from, items: led };
}

/** After everything else. */
const below = (items: readonly Candidate[]): Candidate[] => items.map((c) => ({ ...c, score: c.score - 1000 }));

/** The targets of the other RUN lines, each once. */
function otherTargets({ target }: Snapshot, st: Subtarget): { name: string; st: Subtarget }[] {
  const others = new Map<string, Subtarget>();
  for (const command of target.commands) {
    const other = createSubtarget(command.triple || target.triple, command.cpu, command.features, st.release);
    if (other !== st && other.cpu !== st.cpu) others.set(targetLabel(command), other);
  }
  return [...others].map(([name, other]) => ({ name, st: other }));
}

/** Inside of a word that is more than one: sub-registers, classes, numbered names; and in brackets of operands. */
function innerProposal(
  snapshot: Snapshot,
  line: InstrLine,
  scope: FunctionScope,
  st: Subtarget,
  typed: string,
): Proposal | null {
  const { tokens, hole, text, wordStart, cursor } = line;
  const previous = hole > 0 ? tokens[hole - 1]! : null;
  const isGlued = previous !== null && previous.end === wordStart;
  // `%5:vgp`
  if (isGlued && previous.tok === Tok.Colon && hole > 1 && isVirtual(tokens[hole - 2]!.tok, text, tokens[hole - 2]!))
    return {
      from: wordStart,
      items: classes(st, scope, line),
      ...(text.slice(wordStart, line.wordEnd) === CLASS_WORD ? { placeholder: CLASS_WORD } : {}),
    };
  const types = typesInBracket(line, scope);
  if (types !== null) return { from: wordStart, items: types };
  if (previous?.tok === Tok.LParen && hole > 1) {
    const opener = tokens[hole - 2]!;
    switch (opener.tok) {
      case Tok.KwTargetFlags:
        return { from: wordStart, items: targetFlags() };
      case Tok.KwIntPred:
      case Tok.KwFloatPred:
        return { from: wordStart, items: predicateWords(opener.tok === Tok.KwIntPred) };
      case Tok.KwIntrinsic:
        return { from: wordStart, items: irCandidates(snapshot, cursor, typed === '' ? '@' : typed, ' ') };
    }
  }
  // `%5.su`, `$`: sub-registers have a part of the word to themselves
  const part =
    /^(%(?:\d+|(?!(?:bb|stack|fixed-stack|const|jump-table|subreg|ir|ir-block)\.)[A-Za-z_][\w-]*))\.([\w]*)$/.exec(
      typed,
    );
  if (part) {
    const v = scope.vreg(part[1]!);
    return { from: cursor - part[2]!.length, items: subRegisters(st.tables, v?.regClass ?? -1, '') };
  }
  if (typed.startsWith('%subreg.')) return { from: wordStart, items: subRegisters(st.tables, -1, '%subreg.') };
  if (/^%bb\.?/.test(typed) && line.place !== LinePlace.Start) return { from: wordStart, items: blocks(scope, line) };
  if (/^%(?:st|fi|co|ju)/.test(typed) && line.place === LinePlace.Operand)
    return { from: wordStart, items: [...stackObjects(scope), ...operandCandidates(line, scope, st, typed)] };
  if (typed.startsWith('@') && line.place === LinePlace.Operand) return { from: wordStart, items: globals(snapshot) };
  return null;
}

const isVirtual = (tok: Tok, text: string, { start }: { start: number }): boolean =>
  tok === Tok.VirtualRegister ||
  tok === Tok.NamedVirtualRegister ||
  (tok === Tok.SubRegIndex && text[start] !== '%') ||
  tok === Tok.Identifier;

/** The type that a register has elsewhere is before all others. */
const OWN_TYPE = 1e6;

/** In the brackets of `_(s3`, `%1(p`, `:sgpr(<2 x s3`: types; in those that hold numbers nothing. Null elsewhere. */
function typesInBracket({ tokens, hole, text, place }: InstrLine, scope: FunctionScope): Candidate[] | null {
  if (place === LinePlace.Memory) return null;
  let open = hole - 1;
  for (let depth = 0; open >= 0; open--) {
    if (tokens[open]!.tok === Tok.RParen) depth++;
    else if (tokens[open]!.tok === Tok.LParen && depth-- === 0) break;
  }
  const word = tokens[open - 1];
  if (!word) return null;
  if (place === LinePlace.Successors || word.tok === Tok.KwShuffleMask) return [];
  const colon = tokens[open - 2];
  const isOfClass =
    colon?.tok === Tok.Colon && colon.end === word.start && /^\w+$/.test(text.slice(word.start, word.end));
  if (!isOfClass && word.tok !== Tok.VirtualRegister && word.tok !== Tok.NamedVirtualRegister) return null;
  const types = lowLevelTypes(scope);
  const name = isOfClass ? tokens[open - 3] : word;
  const known = name ? (scope.vreg(text.slice(name.start, name.end))?.type ?? null) : null;
  const own = known === null ? '' : printLLT(known);
  if (open === hole - 1) return types.map((c) => (c.label === own ? { ...c, score: c.score + OWN_TYPE } : c));
  const { start, end } = tokens[hole - 1]!;
  return text.slice(start, end) === 'x' ? types.filter(({ label }) => !label.startsWith('<')) : [];
}

/** A whole operand and a blank stand before the word, in which no other operand can begin. */
function isBehindOperand({ tokens, operands, operandAt, hole, wordStart }: InstrLine): boolean {
  const span = operands[operandAt];
  const last = tokens[hole - 1];
  if (!span || !last || span.from === hole || last.end === wordStart) return false;
  return WHOLE.has(last.tok) && (last.tok !== Tok.RParen || tokens[span.from]!.tok !== Tok.KwTargetFlags);
}

/** Tokens that an operand may end with. */
const WHOLE: ReadonlySet<Tok> = new Set([
  Tok.VirtualRegister,
  Tok.NamedVirtualRegister,
  Tok.NamedRegister,
  Tok.Integer,
  Tok.BlockRef,
  Tok.SubRegIndex,
  Tok.RParen,
]);

/** The word at the cursor if it is what an accepted opcode has in place of the operand there; else empty. */
function placeholderAt(line: InstrLine, { tables }: Subtarget): string {
  const word = line.text.slice(line.wordStart, line.wordEnd);
  const opc = opcodeOf(line, tables);
  if (opc < 0 || !/^[a-z]\w*$/.test(word)) return '';
  const k = looseIndex(tables.opcodeName(opc), descriptorIndex(line, tables, opc));
  const isDescribed = k < tables.opcodeNumOperands(opc) || looseOperands(tables.opcodeName(opc)) !== null;
  return isDescribed && operandLabel(tables, opc, k) === word ? word : '';
}

function operandItems(line: InstrLine, scope: FunctionScope, st: Subtarget, typed: string): Candidate[] {
  const opc = opcodeOf(line, st.tables);
  if (isBehindOperand(line)) {
    const own = line.text.slice(scope.lineStart, scope.lineEnd);
    const words = typed === '' ? [] : trailerWords().filter((c) => !own.includes(c.label));
    return line.memory < 0 && hasMemory(st.tables, opc) ? [...memoryTrailers(line, scope, st), ...words] : words;
  }
  return operandCandidates(line, scope, st, typed);
}
