/**
 * Line parser of MIR bodies: text of whole lines to chunks (tree.ts). Accepts and rejects what LLVM 22's MIParser does as far as that
 * does not depend on the target, the IR or other lines; messages and offsets were observed with llc-22. Each line is parsed on its own:
 * after an error the rest of the line is only lexed, for what LLVM's scan of the block definitions would find there.
 *
 * Parse functions return false after they have written an Error node; their callers close their nodes and return false too.
 */
import type { Interner } from '../util/interner.js';
import { Lexer, Tok } from './lexer.js';
import { TreeBuilder } from './treeBuilder.js';
import {
  ErrorFlag,
  ERROR_ON_NEXT_LINE,
  LabelFlag,
  LLTFlag,
  NameFlag,
  RegFlag,
  RegKind,
  NO_NODE,
  SyntaxKind,
  type Chunk,
  type Node,
} from './tree.js';

/** Words that begin an operand of INLINEASM since LLVM 24, which prints what was numbers before. */
const INLINE_ASM_WORD =
  /^(?:sideeffect|mayload|maystore|isconvergent|alignstack|unwind|attdialect|inteldialect|reguse|regdef|regdef-ec|clobber|imm|mem)$/;

/** A chunk is closed after the line that reaches one of these. Small enough that re-parsing one costs little, big enough to be few. */
export const CHUNK_LINES = 64;
const CHUNK_UNITS = 12_000;
/** Longer lines are not parsed but reported: a tree of one line cannot be re-used in parts, and no real line comes near. */
const MAX_LINE_UNITS = 4_000_000;

const ORDERINGS = ['unordered', 'monotonic', 'acquire', 'release', 'acq_rel', 'seq_cst'];
const INT_PREDICATES = ['eq', 'ne', 'sgt', 'sge', 'slt', 'sle', 'ugt', 'uge', 'ult', 'ule'];
const FLOAT_PREDICATES = [
  ...['false', 'oeq', 'ogt', 'oge', 'olt', 'ole', 'one', 'ord'],
  ...['uno', 'ueq', 'ugt', 'uge', 'ult', 'ule', 'une', 'true'],
];

const LLT_EXPECTED = 'expected sN, pA, <M x sN>, <M x pA>, <vscale x M x sN>, or <vscale x M x pA> for GlobalISel type';
const MAX_SCALAR_BITS = 65535;
const MAX_ELEMENTS = 65535;
const MAX_ADDRESS_SPACE = 0xffffff;
const TOO_LARGE_32 = 'expected 32-bit integer (too large)';
const TOO_LARGE_64 = 'expected 64-bit integer (too large)';

const LEXER_BIG = 8;
const LEXER_NEGATIVE = 1;

/** A `!DILocation(` whose `)` is still to come. */
interface OpenLocation {
  readonly node: Node;
  /** the field being read, NO_NODE between fields */
  field: Node;
  hasLine: boolean;
  hasScope: boolean;
}

const enum FieldValue {
  Wrong = 0,
  Read,
  /** a location begins */
  Location,
}

/** Register flag bits as LLVM's parser keeps them, to find repeated words: implicit-def is implicit and define. */
const enum RegState {
  Implicit = 1,
  Define = 2,
}

export class BodyParser {
  private readonly lex: Lexer;
  private readonly out = new TreeBuilder();
  /** start of the chunk being written */
  private base = 0;
  private labels: number[] = [];
  private braces: number[] = [];
  private errors: number[] = [];
  private nInstrs = 0;
  private hasAttributeLines = false;
  private readonly words: ReadonlyMap<string, number>;
  private readonly orderingIds: Set<number>;
  private readonly intPredIds: Set<number>;
  private readonly floatPredIds: Set<number>;

  constructor(
    private readonly text: string,
    interner: Interner,
  ) {
    this.lex = new Lexer(text, interner);
    const id = (w: string): number => interner.internString(w);
    const contextual = ['load', 'store', 'from', 'into', 'on', 'syncscope', 'vscale', 'x', 'Exception', 'Cold'];
    contextual.push('BUNDLE', 'mmra', 'INLINEASM', 'INLINEASM_BR', 'CustomRegMask', 'true', 'false');
    contextual.push('line', 'column', 'scope', 'inlinedAt', 'isImplicitCode', 'atomGroup', 'atomRank');
    this.words = new Map(contextual.map((w) => [w, id(w)]));
    this.orderingIds = new Set(ORDERINGS.map(id));
    this.intPredIds = new Set(INT_PREDICATES.map(id));
    this.floatPredIds = new Set(FLOAT_PREDICATES.map(id));
  }

  /**
   * Parses whole lines from `start` (a line start) to one chunk: up to `maxLines` lines, and beyond `end` only where an operand comment
   * spans it. `end` is the end of the body, or a line start where the caller wants a cut.
   */
  parseChunk(start: number, end: number, bodyEnd: number, maxLines: number): Chunk {
    this.base = start;
    this.lex.hasOpenComment = false;
    this.out.reset();
    this.labels = [];
    this.braces = [];
    this.errors = [];
    this.nInstrs = 0;
    this.hasAttributeLines = false;
    let pos = start;
    let lines = 0;
    while (pos < end && lines < maxLines && pos - start < CHUNK_UNITS) {
      pos = this.parseLine(pos, bodyEnd);
      lines += 1 + this.lex.breaksInComments;
    }
    return {
      length: pos - start,
      lines,
      tree: this.out.build(),
      labels: Int32Array.from(this.labels),
      braces: Int32Array.from(this.braces),
      errors: Int32Array.from(this.errors),
      nInstrs: this.nInstrs,
      hasAttributeLines: this.hasAttributeLines,
      hasOpenComment: this.lex.hasOpenComment,
    };
  }

  // -- lines ---------------------------------------------------------------------------------------------------------

  /** Parses the line at `pos` and returns the start of the next one. */
  private parseLine(pos: number, end: number): number {
    const lex = this.lex;
    lex.reset(pos, end);
    lex.next();
    if (lex.tok() !== Tok.Newline && end - pos > MAX_LINE_UNITS) {
      const lineEnd = this.endOfLongLine(pos, end);
      if (lineEnd - pos > MAX_LINE_UNITS) {
        this.errors.push(this.out.size);
        const message = this.out.message(`line too long: more than ${MAX_LINE_UNITS} characters`);
        this.out.leaf(SyntaxKind.Error, pos - this.base, lineEnd - this.base, message, 0, ErrorFlag.DefinitionScan);
        return this.afterLineEnd(lineEnd, end);
      }
    }
    let isLineStart = true;
    while (lex.tok() !== Tok.Newline && lex.tok() !== Tok.Eof) {
      if (!this.parseItem(isLineStart)) break;
      isLineStart = false;
    }
    if (lex.comment >= 0) this.out.leaf(SyntaxKind.Comment, lex.comment - this.base, lex.start - this.base);
    return lex.end;
  }

  private endOfLongLine(pos: number, end: number): number {
    const text = this.text;
    while (pos < end) {
      const c = text.charCodeAt(pos);
      if (c === 10 || c === 13) break;
      pos++;
    }
    return pos;
  }

  private afterLineEnd(p: number, end: number): number {
    if (p >= end) return end;
    return this.text.charCodeAt(p) === 13 && p + 1 < end && this.text.charCodeAt(p + 1) === 10 ? p + 2 : p + 1;
  }

  /** One top-level item. False when it had an error: then the lexer stands at the line end. */
  private parseItem(isLineStart: boolean): boolean {
    const lex = this.lex;
    switch (lex.tok()) {
      case Tok.BlockLabel:
        if (isLineStart) return this.parseLabel();
        return this.parseInstruction();
      case Tok.RBrace:
        this.braces.push(this.out.size);
        this.out.leaf(SyntaxKind.BundleClose, lex.start - this.base, lex.end - this.base);
        lex.next();
        return true;
      case Tok.KwSuccessors:
        return this.parseList(SyntaxKind.Successors);
      case Tok.KwLiveIns:
        return this.parseList(SyntaxKind.LiveIns);
      default:
        return this.parseInstruction();
    }
  }

  // -- errors --------------------------------------------------------------------------------------------------------

  /** Error at the current token (LLVM's `error(Token.location())`). */
  private fail(message: string): false {
    const lex = this.lex;
    // In a label what was expected replaces the lexical error; elsewhere LLVM has met that error before.
    if (lex.tok() === Tok.Error && !this.inLabel) return this.lexicalError();
    if (lex.tok() === Tok.Newline || lex.tok() === Tok.Eof)
      return this.errorNode(lex.prevEnd, lex.prevEnd, message, lex.start);
    return this.errorNode(lex.start, lex.end, message, lex.start);
  }

  /** Error that LLVM reports at `at`, before the current token. */
  private failAt(start: number, end: number, message: string): false {
    return this.errorNode(start, end, message, start);
  }

  private lexicalError(): false {
    const lex = this.lex;
    this.errors.push(this.out.size);
    const at = lex.errorAt;
    const start = Math.min(lex.start, at);
    const end = Math.max(lex.end, start);
    const message = this.out.message(lex.message);
    this.out.leaf(SyntaxKind.Error, start - this.base, end - this.base, message, at - start, ErrorFlag.DefinitionScan);
    return false;
  }

  private errorNode(start: number, end: number, message: string, at: number, flags = 0): false {
    this.errors.push(this.out.size);
    const index = this.out.message(message);
    this.out.leaf(SyntaxKind.Error, start - this.base, end - this.base, index, at - start, flags);
    return false;
  }

  private failOnNextLine(message: string, flags: number): false {
    const lex = this.lex;
    this.errors.push(this.out.size);
    const at = lex.prevEnd - this.base;
    this.out.leaf(SyntaxKind.Error, at, at, this.out.message(message), ERROR_ON_NEXT_LINE, flags);
    return false;
  }

  /**
   * Lexes the rest of the line after an error, up to the line end, and notes what LLVM's definition scan sees: lexical errors, labels
   * in the wrong place, braces.
   */
  private skipLine(): void {
    const lex = this.lex;
    const out = this.out;
    for (;;) {
      switch (lex.tok()) {
        case Tok.Newline:
        case Tok.Eof:
          return;
        case Tok.LBrace:
        case Tok.RBrace: {
          this.braces.push(out.size);
          const kind = lex.tok() === Tok.LBrace ? SyntaxKind.BundleOpen : SyntaxKind.BundleClose;
          out.leaf(kind, lex.start - this.base, lex.end - this.base);
          break;
        }
        case Tok.BlockLabel:
          this.misplacedLabel();
          break;
        case Tok.Error:
          // One lexical error a line is enough; the parser has reported it if it stopped here.
          if (this.lastErrorAt !== lex.errorAt) {
            this.lexicalError();
            this.lastErrorAt = lex.errorAt;
          }
          break;
        default:
          break;
      }
      lex.next();
    }
  }

  private lastErrorAt = -1;
  private inLabel = false;

  private misplacedLabel(): false {
    const lex = this.lex;
    // Met again on the way to the line end.
    const last = this.errors.at(-1);
    const isKnown = last !== undefined && this.out.startOf(last) === lex.start - this.base;
    if (isKnown && (this.out.flags(last) & ErrorFlag.DefinitionScan) !== 0) return false;
    const message = 'basic block definition should be located at the start of the line';
    return this.errorNode(lex.start, lex.end, message, lex.start, ErrorFlag.DefinitionScan);
  }

  /** After an error in a top-level item: skips the rest of the line and closes the item. */
  private abandon(n: Node, end: number): false {
    this.lastErrorAt = this.lex.tok() === Tok.Error ? this.lex.errorAt : -1;
    this.skipLine();
    this.out.close(n, end);
    return false;
  }

  // -- block labels and attribute lines --------------------------------------------------------------------------------

  private parseLabel(): boolean {
    const lex = this.lex;
    const out = this.out;
    const n = out.open(SyntaxKind.BlockLabel, lex.start - this.base);
    const firstEnd = lex.end;
    this.labels.push(n);
    out.setValue(n, lex.value);
    out.setAux(n, lex.nameId);
    const firstError = this.errors.length;
    this.inLabel = true;
    const ok = this.parseLabelRest();
    this.inLabel = false;
    if (ok) {
      out.close(n, lex.prevEnd - this.base);
      return true;
    }
    // Errors of a label belong to the definition scan, whoever found them.
    for (let i = firstError; i < this.errors.length; i++) out.addFlags(this.errors[i], ErrorFlag.DefinitionScan);
    out.addFlags(n, LabelFlag.NoColon);
    // Nothing of it may have been taken yet, as with a number that is too large.
    return this.abandon(n, Math.max(firstEnd, lex.prevEnd) - this.base);
  }

  private parseLabelRest(): boolean {
    const lex = this.lex;
    if (lex.unsigned32() < 0) return this.fail(TOO_LARGE_32);
    lex.next();
    if (lex.tok() === Tok.LParen) {
      lex.next();
      for (;;) {
        // `(a,)`, `(,a)` and `()` are accepted: LLVM reads on after every comma, also where no attribute stands before it.
        if (!this.parseAttribute()) return false;
        if (lex.tok() !== Tok.Comma) break;
        lex.next();
      }
      if (!this.expect(Tok.RParen, "expected ')'")) return false;
    }
    return this.expect(Tok.Colon, "expected ':'");
  }

  /** An attribute, if the current token begins one. */
  private parseAttribute(): boolean {
    const lex = this.lex;
    switch (lex.tok()) {
      case Tok.KwMachineBlockAddressTaken:
        return this.wordAttribute(SyntaxKind.AttributeMachineBlockAddressTaken);
      case Tok.KwLandingPad:
        return this.wordAttribute(SyntaxKind.AttributeLandingPad);
      case Tok.KwInlineAsmBrIndirectTarget:
        return this.wordAttribute(SyntaxKind.AttributeInlineAsmBrIndirectTarget);
      case Tok.KwEHFuncletEntry:
        return this.wordAttribute(SyntaxKind.AttributeEHFuncletEntry);
      case Tok.KwEHScopeEntry:
        return this.wordAttribute(SyntaxKind.AttributeEHScopeEntry);
      case Tok.IRBlock:
      case Tok.NamedIRBlock:
        return this.irBlock();
      case Tok.KwIRBlockAddressTaken:
      case Tok.KwAlign:
      case Tok.KwBBSections:
      case Tok.KwBBId:
      case Tok.KwCallFrameSize: {
        const n = this.out.open(SyntaxKind.AttributeIRBlockAddressTaken, lex.start - this.base);
        const ok = this.parseValuedAttribute(n);
        this.closeHere(n);
        return ok;
      }
      default:
        return true;
    }
  }

  private wordAttribute(kind: SyntaxKind): true {
    this.out.leaf(kind, this.lex.start - this.base, this.lex.end - this.base);
    this.lex.next();
    return true;
  }

  private parseValuedAttribute(n: Node): boolean {
    const lex = this.lex;
    const keyword = lex.tok();
    if (keyword === Tok.KwAlign) {
      this.out.setKind(n, SyntaxKind.AttributeAlign);
      return this.parseAlignment();
    }
    lex.next();
    switch (keyword) {
      case Tok.KwIRBlockAddressTaken:
        if (lex.tok() !== Tok.IRBlock && lex.tok() !== Tok.NamedIRBlock)
          return this.fail("expected basic block after 'ir_block_address_taken'");
        return this.irBlock();
      case Tok.KwBBSections: {
        this.out.setKind(n, SyntaxKind.AttributeBBSections);
        if (lex.tok() === Tok.Integer) return this.unsigned('Unknown Section ID');
        const isSection = lex.tok() === Tok.Identifier && (this.isWord('Exception') || this.isWord('Cold'));
        if (!isSection) return this.fail('Unknown Section ID');
        this.name();
        return true;
      }
      case Tok.KwBBId:
        this.out.setKind(n, SyntaxKind.AttributeBBId);
        if (!this.hasNumber() || lex.unsigned32() < 0) return this.fail('Unknown BB ID');
        this.unsigned('');
        if (lex.tok() !== Tok.Integer) return true;
        return lex.unsigned32() < 0 ? this.fail('Unknown Clone ID') : this.unsigned('');
      default:
        this.out.setKind(n, SyntaxKind.AttributeCallFrameSize);
        if (!this.hasNumber() || lex.unsigned32() < 0) return this.fail('Unknown call frame size');
        return this.unsigned('');
    }
  }

  /** Whether LLVM takes the current token where it only wants a number: `%stack.5` is as good as `5`. */
  private hasNumber(): boolean {
    switch (this.lex.tok()) {
      case Tok.Integer:
      case Tok.Hex:
      case Tok.BlockLabel:
      case Tok.BlockRef:
      case Tok.VirtualRegister:
      case Tok.StackObject:
      case Tok.FixedStackObject:
      case Tok.ConstantPoolItem:
      case Tok.JumpTableIndex:
      case Tok.IRBlock:
      case Tok.IRValue:
      case Tok.GlobalValue:
        return true;
      default:
        return false;
    }
  }

  private irBlock(): boolean {
    const lex = this.lex;
    if (lex.tok() === Tok.IRBlock && lex.unsigned32() < 0) return this.fail(TOO_LARGE_32);
    const flags = lex.tok() === Tok.IRBlock ? NameFlag.Numbered : 0;
    this.out.leaf(SyntaxKind.IRBlock, lex.start - this.base, lex.end - this.base, lex.value, 0, flags);
    lex.next();
    return true;
  }

  private parseList(kind: SyntaxKind.Successors | SyntaxKind.LiveIns): boolean {
    const lex = this.lex;
    const n = this.out.open(kind, lex.start - this.base);
    this.hasAttributeLines = true;
    lex.next();
    if (this.expect(Tok.Colon, "expected ':'") && this.parseListItems(kind)) {
      if (lex.tok() === Tok.Newline || lex.tok() === Tok.Eof) {
        this.closeHere(n);
        return true;
      }
      this.fail('expected line break at the end of a list');
    }
    return this.abandon(n, lex.prevEnd - this.base);
  }

  private parseListItems(kind: SyntaxKind.Successors | SyntaxKind.LiveIns): boolean {
    const lex = this.lex;
    if (lex.tok() === Tok.Newline || lex.tok() === Tok.Eof) return true;
    for (;;) {
      if (!(kind === SyntaxKind.Successors ? this.parseSuccessor() : this.parseLiveIn())) return false;
      if (lex.tok() !== Tok.Comma) return true;
      lex.next();
    }
  }

  private parseSuccessor(): boolean {
    const lex = this.lex;
    if (lex.tok() !== Tok.BlockRef) return this.fail('expected a machine basic block reference');
    if (lex.unsigned32() < 0) return this.fail(TOO_LARGE_32);
    const n = this.out.leaf(SyntaxKind.Successor, lex.start - this.base, lex.end - this.base, lex.value, lex.nameId);
    lex.next();
    if (lex.tok() !== Tok.LParen) return true;
    lex.next();
    let ok: boolean;
    if (lex.tok() !== Tok.Integer && lex.tok() !== Tok.Hex) ok = this.fail("expected an integer literal after '('");
    else ok = this.unsigned(TOO_LARGE_32) && this.expect(Tok.RParen, "expected ')'");
    this.closeHere(n);
    return ok;
  }

  private parseLiveIn(): boolean {
    const lex = this.lex;
    if (lex.tok() !== Tok.NamedRegister) return this.fail('expected a named register');
    const n = this.out.leaf(SyntaxKind.LiveIn, lex.start - this.base, lex.end - this.base, lex.value);
    lex.next();
    if (lex.tok() !== Tok.Colon) return true;
    lex.next();
    let ok: boolean;
    if (lex.tok() !== Tok.Integer && lex.tok() !== Tok.Hex) ok = this.fail('expected a lane mask');
    else ok = this.unsigned64('invalid lane mask value');
    this.closeHere(n);
    return ok;
  }

  // -- instructions ----------------------------------------------------------------------------------------------------

  private parseInstruction(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.Instruction, lex.start - this.base);
    this.out.setValue(n, -1);
    this.nInstrs++;
    if (!this.parseInstructionParts(n)) return this.abandon(n, lex.prevEnd - this.base);
    this.closeHere(n);
    // LLVM drops one token here unless a bundle opens. At a line end that is the line break; after a trailer it can be anything.
    if (!this.opensBundle && lex.tok() !== Tok.Newline && lex.tok() !== Tok.Eof) {
      if (lex.tok() === Tok.BlockLabel || lex.tok() === Tok.Error || lex.tok() === Tok.RBrace) {
        this.skipLine();
        return false;
      }
      lex.next();
    }
    return true;
  }

  private opensBundle = false;

  private parseInstructionParts(n: Node): boolean {
    const lex = this.lex;
    const out = this.out;
    this.opensBundle = false;
    let hasDefs = false;
    while (lex.tok() >= Tok.KwUnderscore ? lex.tok() <= Tok.KwRenamable : this.isRegister()) {
      hasDefs = true;
      if (!this.parseRegisterOperand(true)) return false;
      if (lex.tok() !== Tok.Comma) break;
      lex.next();
    }
    if (hasDefs && !this.expect(Tok.Equal, "expected '='")) return false;

    let flags = 0;
    while (lex.tok() >= Tok.KwFrameSetup && lex.tok() <= Tok.KwLRSplit) {
      flags |= 1 << (lex.tok() - Tok.KwFrameSetup);
      lex.next();
    }
    out.addFlags(n, flags);
    if (lex.tok() === Tok.BlockLabel) return this.misplacedLabel();
    if (lex.tok() !== Tok.Identifier) return this.fail('expected a machine instruction');
    out.setValue(n, lex.value);
    out.setAux(n, out.size - n);
    const isBundle = this.isWord('BUNDLE');
    const isInlineAsm = this.isWord('INLINEASM') || this.isWord('INLINEASM_BR');
    out.leaf(SyntaxKind.Opcode, lex.start - this.base, lex.end - this.base, lex.value);
    lex.next();

    while (!this.endsOperands()) {
      if (lex.tok() === Tok.KwTargetFlags && !this.parseTargetFlags()) return false;
      if (isInlineAsm && this.isInlineAsmWord()) this.parseInlineAsmWords();
      else if (!this.parseOperand()) return false;
      if (
        lex.tok() === Tok.Newline ||
        lex.tok() === Tok.Eof ||
        lex.tok() === Tok.ColonColon ||
        lex.tok() === Tok.LBrace
      )
        break;
      if (lex.tok() !== Tok.Comma) return this.failAfterOperand();
      lex.next();
    }
    const isTrailer = lex.tok() >= Tok.KwDebugLocation && lex.tok() <= Tok.KwDeactivationSymbol;
    if ((isTrailer || this.isMMRA()) && !this.parseTrailers()) return false;
    if (lex.tok() === Tok.ColonColon && !this.parseMemOperands(isBundle)) return false;
    if (lex.tok() === Tok.LBrace) {
      this.opensBundle = true;
      this.braces.push(out.size);
      out.leaf(SyntaxKind.BundleOpen, lex.start - this.base, lex.end - this.base);
      lex.next();
    }
    return true;
  }

  private failAfterOperand(): false {
    return this.lex.tok() === Tok.BlockLabel
      ? this.misplacedLabel()
      : this.fail("expected ',' before the next machine operand");
  }

  private isRegister(): boolean {
    const k = this.lex.tok();
    return k === Tok.VirtualRegister || k === Tok.NamedVirtualRegister || k === Tok.NamedRegister;
  }

  /** Whether the current token ends the operand list. */
  private endsOperands(): boolean {
    switch (this.lex.tok()) {
      case Tok.Newline:
      case Tok.Eof:
      case Tok.ColonColon:
      case Tok.LBrace:
      case Tok.KwPreInstrSymbol:
      case Tok.KwPostInstrSymbol:
      case Tok.KwHeapAllocMarker:
      case Tok.KwPCSections:
      case Tok.KwCFIType:
      case Tok.KwDeactivationSymbol:
      case Tok.KwDebugLocation:
      case Tok.KwDebugInstrNumber:
        return true;
      default:
        return this.isMMRA();
    }
  }

  /** A trailer since LLVM 24, no keyword before: lowering refuses it for earlier ones. */
  private isMMRA(): boolean {
    return this.lex.tok() === Tok.Identifier && this.isWord('mmra');
  }

  private expect(kind: Tok, message: string): boolean {
    if (this.lex.tok() !== kind) return this.fail(message);
    this.lex.next();
    return true;
  }

  private closeHere(n: Node): void {
    this.out.close(n, this.lex.prevEnd - this.base);
  }

  private isWord(word: string): boolean {
    return this.lex.value === this.words.get(word);
  }

  /** Leaf of the current token with its id; moves on. */
  private name(kind: SyntaxKind = SyntaxKind.Name): void {
    const lex = this.lex;
    this.out.leaf(kind, lex.start - this.base, lex.end - this.base, lex.value);
    lex.next();
  }

  /** Leaf for the current integer as written. */
  private integer(kind: SyntaxKind): void {
    const lex = this.lex;
    this.out.leaf(kind, lex.start - this.base, lex.end - this.base, lex.intLo, lex.intHi, lex.intFlags);
    lex.next();
  }

  /** Integer leaf with LLVM's unsigned reading of the current integer; `message` if it exceeds 32 bits. */
  private unsigned(message: string): boolean {
    const lex = this.lex;
    const v = lex.unsigned32();
    if (v < 0) return this.fail(message);
    this.out.leaf(SyntaxKind.Integer, lex.start - this.base, lex.end - this.base, v | 0, 0, lex.intFlags & 3);
    lex.next();
    return true;
  }

  private unsigned64(message: string): boolean {
    const lex = this.lex;
    if ((lex.intFlags & LEXER_BIG) !== 0) return this.fail(message);
    if ((lex.intFlags & LEXER_NEGATIVE) === 0) {
      this.integer(SyntaxKind.Integer);
      return true;
    }
    // The fewest bits that hold it, see `unsignedValue`.
    const value = (BigInt(lex.intHi) << 32n) | BigInt(lex.intLo >>> 0);
    let bits = 0;
    while (-(1n << BigInt(bits)) > value) bits++;
    const unsigned = BigInt.asUintN(bits + 1, value);
    lex.intLo = Number(BigInt.asIntN(32, unsigned));
    lex.intHi = Number(unsigned >> 32n) | 0;
    this.integer(SyntaxKind.Integer);
    return true;
  }

  /** `align N` with the keyword as current token; the error about the value stands after the number, as in LLVM. */
  private parseAlignment(): boolean {
    const lex = this.lex;
    lex.next();
    if (lex.tok() !== Tok.Integer || (lex.intFlags & LEXER_NEGATIVE) !== 0)
      return this.fail("expected an integer literal after 'align'");
    const lo = lex.intLo;
    const hi = lex.intHi;
    if (!this.unsigned64(TOO_LARGE_64)) return false;
    const isPowerOf2 = lo === 0 ? hi !== 0 && (hi & (hi - 1)) === 0 : hi === 0 && (lo & (lo - 1)) === 0;
    return isPowerOf2 || this.fail("expected a power-of-2 literal after 'align'");
  }

  // -- register operands -------------------------------------------------------------------------------------------------

  private parseRegisterOperand(isDef: boolean): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.RegisterOperand, lex.start - this.base);
    const ok = this.parseRegisterParts(n, isDef);
    this.closeHere(n);
    return ok;
  }

  private parseRegisterParts(n: Node, isDef: boolean): boolean {
    const lex = this.lex;
    const out = this.out;
    const start = lex.start;
    let words = 0;
    let state = isDef ? RegState.Define : 0;
    while (lex.tok() >= Tok.KwImplicit && lex.tok() <= Tok.KwRenamable) {
      const bit = 1 << (lex.tok() - Tok.KwImplicit);
      let added = bit << 2;
      if (bit === RegFlag.Implicit) added = RegState.Implicit;
      else if (bit === RegFlag.ImplicitDef) added = RegState.Implicit | RegState.Define;
      else if (bit === RegFlag.Def) added = RegState.Define;
      if ((state & added) === added)
        return this.fail(`duplicate '${this.text.slice(lex.start, lex.end)}' register flag`);
      state |= added;
      words |= bit;
      lex.next();
    }
    if (isDef) words |= RegFlag.LeadingDef;

    let kind: RegKind;
    switch (lex.tok()) {
      case Tok.KwUnderscore:
        kind = RegKind.None;
        break;
      case Tok.NamedRegister:
        kind = RegKind.Physical;
        break;
      case Tok.VirtualRegister:
        if (lex.unsigned32() < 0) return this.fail(TOO_LARGE_32);
        kind = RegKind.Virtual;
        break;
      case Tok.NamedVirtualRegister:
        kind = RegKind.NamedVirtual;
        break;
      default:
        out.addFlags(n, words);
        return this.fail('expected a register after register flags');
    }
    out.addFlags(n, words | (kind << RegFlag.KindShift));
    out.setValue(n, kind === RegKind.None ? 0 : lex.value);
    out.setAux(n, lex.start - start);
    lex.next();

    if (lex.tok() === Tok.Dot) {
      lex.next();
      if (lex.tok() !== Tok.Identifier) return this.fail("expected a subregister index after '.'");
      this.name(SyntaxKind.SubRegIndex);
    }
    if (lex.tok() === Tok.Colon) {
      // The complaint about a class on a physical register comes first, and from the layer above: it looks at the colon's node.
      lex.next();
      if (lex.tok() !== Tok.Identifier && lex.tok() !== Tok.KwUnderscore)
        return this.fail("expected '_', register class, or register bank name");
      this.name(SyntaxKind.ClassOrBank);
    }
    if (lex.tok() !== Tok.LParen) return true;
    lex.next();
    return (state & RegState.Define) !== 0 ? this.parseDefType(kind) : this.parseTypeOrTie();
  }

  private parseDefType(kind: RegKind): boolean {
    if (kind === RegKind.Physical || kind === RegKind.None) return this.fail('unexpected type on physical register');
    return this.parseLowLevelType() && this.expect(Tok.RParen, "expected ')'");
  }

  /** After `(` of a use: a tie, else a type. LLVM words every error in either as one. */
  private parseTypeOrTie(): boolean {
    const lex = this.lex;
    const out = this.out;
    const nErrors = this.errors.length;
    const size = out.size;
    if (lex.tok() === Tok.KwTiedDef) {
      const n = out.open(SyntaxKind.TiedDef, lex.start - this.base);
      lex.next();
      if (lex.tok() === Tok.Integer && this.unsigned('')) {
        this.closeHere(n);
        if (lex.tok() === Tok.RParen) {
          lex.next();
          return true;
        }
      }
      out.rewind(size);
      this.errors.length = nErrors;
    }
    if (!this.parseLowLevelType()) {
      out.rewind(size);
      this.errors.length = nErrors;
      return this.fail("expected tied-def or low-level type after '('");
    }
    // On a use LLVM takes the type of a physical register, too, and forgets it.
    return this.expect(Tok.RParen, "expected ')'");
  }

  // -- low-level types -----------------------------------------------------------------------------------------------------

  /** LLVM reports most errors at the start of the type, some at the element; nothing is written but a finished type or an Error. */
  private parseLowLevelType(): boolean {
    const lex = this.lex;
    const start = lex.start;
    const startEnd = lex.end;
    // LLVM looks at the first letter of any token, a keyword among them.
    const letter = this.text.charCodeAt(start);
    if (letter === 115 || letter === 112) {
      const size = this.scalarOrPointer(letter === 112, false);
      if (size < 0) return false;
      const flags = letter === 112 ? LLTFlag.Pointer : 0;
      this.out.leaf(SyntaxKind.LowLevelType, start - this.base, lex.end - this.base, size, 1, flags);
      lex.next();
      return true;
    }
    const own = this.format(false);
    if (own !== 0) {
      const size = this.sizeOf(start, startEnd, own);
      this.out.leaf(SyntaxKind.LowLevelType, start - this.base, startEnd - this.base, size, 1, own);
      lex.next();
      return true;
    }
    if (lex.tok() !== Tok.Less) return this.failType(start, startEnd, LLT_EXPECTED);
    lex.next();

    let flags = LLTFlag.Vector;
    const isScalable = lex.tok() === Tok.Identifier && this.isWord('vscale');
    if (isScalable) {
      flags |= LLTFlag.Scalable;
      lex.next();
      if (lex.tok() !== Tok.Identifier || !this.isWord('x'))
        return this.fail('expected <vscale x M x sN> or <vscale x M x pA>');
      lex.next();
    }
    const expected = isScalable
      ? 'expected <vscale x M x sN> or <vscale M x pA> for vector type'
      : 'expected <M x sN> or <M x pA> for vector type';
    if (lex.tok() !== Tok.Integer) return this.failType(start, startEnd, expected);
    let elements = lex.unsignedValue();
    // Over 64 bits LLVM takes the lowest 64.
    if (elements === Infinity) elements = Number(BigInt.asUintN(64, BigInt(this.text.slice(lex.start, lex.end))));
    if (elements === 0 || elements > MAX_ELEMENTS) return this.fail('invalid number of vector elements');
    lex.next();
    if (lex.tok() !== Tok.Identifier || !this.isWord('x')) return this.failType(start, startEnd, expected);
    lex.next();
    const element = lex.start;
    const elementEnd = lex.end;
    const format = this.format(true);
    const first = this.text.charCodeAt(element);
    let size = 0;
    if (format !== 0) size = this.sizeOf(element, elementEnd, format);
    else {
      if (first !== 115 && first !== 112) return this.failType(start, startEnd, expected);
      size = this.scalarOrPointer(first === 112, true);
      if (size < 0) return false;
      if (first === 112) flags |= LLTFlag.Pointer;
    }
    lex.next();
    if (lex.tok() !== Tok.Greater) return this.failType(start, startEnd, expected);
    this.out.leaf(SyntaxKind.LowLevelType, start - this.base, lex.end - this.base, size, elements, flags | format);
    lex.next();
    return true;
  }

  /** Bits or address space of the current word (`s32`, `p1`), or -1 after an error. */
  private scalarOrPointer(isPointer: boolean, isElement: boolean): number {
    const lex = this.lex;
    const text = this.text;
    let v = 0;
    let p = lex.start + 1;
    for (; p < lex.end; p++) {
      const d = text.charCodeAt(p) - 48;
      if (d < 0 || d > 9) break;
      v = v * 10 + d;
    }
    // LLVM takes the lowest 64 bits.
    if (v > Number.MAX_SAFE_INTEGER) v = Number(BigInt.asUintN(64, BigInt(text.slice(lex.start + 1, p))));
    if (p !== lex.end || lex.end === lex.start + 1) {
      this.fail("expected integers after 's'/'p' type character");
      return -1;
    }
    if (isPointer) {
      if (v <= MAX_ADDRESS_SPACE) return v;
      this.fail('invalid address space number');
      return -1;
    }
    if (v <= MAX_SCALAR_BITS && !(isElement && v === 0)) return v;
    this.fail(isElement ? 'invalid size for scalar element in vector' : 'invalid size for scalar type');
    return -1;
  }

  /** Whether the current word is a type of LLVM 24 alone (`i32`, `f32`, `bf16`): the lowering knows the release and complains. 0: no. */
  private format(isElement: boolean): number {
    const { start, end } = this.lex;
    const c = this.text.charCodeAt(start);
    if (c !== 105 && c !== 102 && c !== 98) return 0;
    const parts = /^(i|f|bf)([0-9]+)$/.exec(this.text.slice(start, end));
    if (parts === null) return 0;
    const bits = Number(parts[2]);
    if (bits > MAX_SCALAR_BITS || (bits === 0 && (isElement || parts[1] !== 'i'))) return 0;
    // LLVM 24 takes a bfloat of any size for an element.
    if (parts[1] === 'bf') return isElement || bits === 16 ? LLTFlag.BFloat : 0;
    return parts[1] === 'i' ? LLTFlag.Integer : LLTFlag.Float;
  }

  private sizeOf(start: number, end: number, format: number): number {
    return format === LLTFlag.BFloat ? 16 : Number(this.text.slice(start + 1, end));
  }

  private failType(start: number, end: number, message: string): false {
    const lex = this.lex;
    if (lex.tok() === Tok.Error) return this.lexicalError();
    if (start === lex.start) return this.fail(message);
    return this.failAt(start, Math.max(end, lex.prevEnd), message);
  }

  // -- other operands --------------------------------------------------------------------------------------------------------

  private parseTargetFlags(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.TargetFlags, lex.start - this.base);
    lex.next();
    let ok = this.expect(Tok.LParen, "expected '('");
    while (ok) {
      if (lex.tok() !== Tok.Identifier) ok = this.fail('expected the name of the target flag');
      else {
        this.name();
        if (lex.tok() !== Tok.Comma) break;
        lex.next();
      }
    }
    ok = ok && this.expect(Tok.RParen, "expected ')'");
    this.closeHere(n);
    return ok;
  }

  private parseOperand(): boolean {
    const lex = this.lex;
    switch (lex.tok()) {
      case Tok.KwUnderscore:
      case Tok.KwImplicit:
      case Tok.KwImplicitDef:
      case Tok.KwDef:
      case Tok.KwDead:
      case Tok.KwKilled:
      case Tok.KwUndef:
      case Tok.KwInternal:
      case Tok.KwEarlyClobber:
      case Tok.KwDebugUse:
      case Tok.KwRenamable:
      case Tok.NamedRegister:
      case Tok.VirtualRegister:
      case Tok.NamedVirtualRegister:
        return this.parseRegisterOperand(false);
      case Tok.Integer:
        if ((lex.intFlags & LEXER_BIG) !== 0)
          return this.fail('integer literal is too large to be an immediate operand');
        // LLVM takes 2^63 .. 2^64-1 for the negative number with the same bits.
        lex.intFlags &= ~4;
        this.integer(SyntaxKind.Immediate);
        return true;
      case Tok.BlockRef:
        return this.indexed(SyntaxKind.BlockRef);
      case Tok.StackObject:
        return this.indexed(SyntaxKind.StackObject);
      case Tok.FixedStackObject:
        return this.indexed(SyntaxKind.FixedStackObject);
      case Tok.JumpTableIndex:
        return this.indexed(SyntaxKind.JumpTableIndex);
      case Tok.ConstantPoolItem:
        return this.withOffset(SyntaxKind.ConstantPoolItem, 0);
      case Tok.GlobalValue:
        return this.withOffset(SyntaxKind.Global, NameFlag.Numbered);
      case Tok.NamedGlobalValue:
        return this.withOffset(SyntaxKind.Global, 0);
      case Tok.ExternalSymbol:
        return this.withOffset(SyntaxKind.ExternalSymbol, 0);
      case Tok.MCSymbol:
        this.name(SyntaxKind.MCSymbol);
        return true;
      case Tok.SubRegIndex:
        this.name(SyntaxKind.SubRegIndexOperand);
        return true;
      case Tok.Exclaim:
        return this.parseMetadata();
      case Tok.MdDIExpression:
        return this.parseDIExpression();
      case Tok.Identifier:
        return this.isWord('CustomRegMask') ? this.parseRegisterList(SyntaxKind.CustomRegMask) : this.parseWord();
      case Tok.Dot:
        return this.parseTargetMnemonic();
      case Tok.KwLiveOut:
        return this.parseRegisterList(SyntaxKind.LiveOut);
      case Tok.KwBlockAddress:
        return this.parseBlockAddress();
      case Tok.KwIntrinsic:
        return this.parseIntrinsic();
      case Tok.KwTargetIndex:
        return this.parseTargetIndex();
      case Tok.KwIntPred:
      case Tok.KwFloatPred:
        return this.parsePredicate();
      case Tok.KwShuffleMask:
        return this.parseShuffleMask();
      case Tok.KwLaneMask:
        return this.parseLaneMask();
      case Tok.KwDbgInstrRef:
        return this.parseDbgInstrRef();
      case Tok.KwHalf:
      case Tok.KwBFloat:
      case Tok.KwFloat:
      case Tok.KwDouble:
      case Tok.KwX86FP80:
      case Tok.KwFP128:
      case Tok.KwPPCFP128:
        return this.parseFPImmediate();
      case Tok.BlockLabel:
        return this.misplacedLabel();
      default:
        if (lex.tok() >= Tok.KwCFISameValue && lex.tok() <= Tok.KwCFINegateRaSignStateWithPC)
          return this.parseCFIOperand();
        return this.fail('expected a machine operand');
    }
  }

  /** A numbered reference without offset. */
  private indexed(kind: SyntaxKind): boolean {
    const lex = this.lex;
    if (lex.unsigned32() < 0) return this.fail(TOO_LARGE_32);
    this.out.leaf(kind, lex.start - this.base, lex.end - this.base, lex.value, lex.nameId);
    lex.next();
    return true;
  }

  private withOffset(kind: SyntaxKind, flags: number): boolean {
    const lex = this.lex;
    const isNumbered = kind === SyntaxKind.ConstantPoolItem || flags !== 0;
    if (isNumbered && lex.unsigned32() < 0) return this.fail(TOO_LARGE_32);
    const n = this.out.leaf(kind, lex.start - this.base, lex.end - this.base, lex.value, 0, flags);
    lex.next();
    if (lex.tok() !== Tok.Plus && lex.tok() !== Tok.Minus) return true;
    const ok = this.parseOffset();
    this.closeHere(n);
    return ok;
  }

  /** ` + N`, ` - N`, if there is one. */
  private parseOffset(): boolean {
    const lex = this.lex;
    if (lex.tok() !== Tok.Plus && lex.tok() !== Tok.Minus) return true;
    const isNegative = lex.tok() === Tok.Minus;
    const start = lex.start;
    lex.next();
    if (lex.tok() !== Tok.Integer) return this.fail(`expected an integer literal after '${isNegative ? '-' : '+'}'`);
    if ((lex.intFlags & LEXER_BIG) !== 0) return this.fail(TOO_LARGE_64);
    let lo = lex.intLo;
    let hi = lex.intHi;
    if (isNegative) {
      hi = (~hi + (lo === 0 ? 1 : 0)) | 0;
      lo = -lo;
    }
    const flags = hi < 0 ? LEXER_NEGATIVE : 0;
    this.out.leaf(SyntaxKind.Offset, start - this.base, lex.end - this.base, lo, hi, flags);
    lex.next();
    return true;
  }

  /**
   * `!N`. The first token is not looked at: where LLVM has not tested it, it takes anything for the `!`, even a line end.
   * @param message in place of all others, at the token where it fails
   */
  private parseMetadata(message = ''): boolean {
    const lex = this.lex;
    const start = lex.start;
    const missing = message === '' ? "expected metadata id after '!'" : message;
    if (this.atLineEnd()) return this.failOnNextLine(missing, 0);
    // LLVM takes any token for the `!`, but not one that its first pass stopped at.
    if (lex.tok() === Tok.Error) return this.lexicalError();
    lex.next();
    if (lex.tok() !== Tok.Integer || (lex.intFlags & LEXER_NEGATIVE) !== 0) return this.fail(missing);
    if (lex.unsigned32() < 0) return this.fail(message === '' ? TOO_LARGE_32 : message);
    this.out.leaf(SyntaxKind.Metadata, start - this.base, lex.end - this.base, lex.intLo);
    lex.next();
    return true;
  }

  private atLineEnd(): boolean {
    const k = this.lex.tok();
    return k === Tok.Newline || k === Tok.Eof;
  }

  /**
   * `!DIExpression(...)`. LLVM gives it to its IR parser, which reads on to the next token, on whatever line that stands: an error at
   * the line end is found there, and an expression that ends its line is followed by a missing comma.
   */
  private parseDIExpression(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.DIExpression, lex.start - this.base);
    const ok = this.parseDIExpressionElements();
    this.closeHere(n);
    if (!ok) return false;
    if (lex.tok() === Tok.Newline || lex.tok() === Tok.Eof)
      return this.failOnNextLine(
        "expected ',' before the next machine operand",
        ErrorFlag.UnlessLastLine | ErrorFlag.BehindBlankLines,
      );
    return true;
  }

  private parseDIExpressionElements(): boolean {
    const lex = this.lex;
    lex.next();
    if (lex.tok() !== Tok.LParen) return this.fail("expected '(' here");
    lex.next();
    if (lex.tok() === Tok.RParen) {
      lex.next();
      return true;
    }
    for (;;) {
      if (lex.tok() === Tok.Identifier && /^DW_(OP|ATE)_/.test(this.text.slice(lex.start, lex.start + 7))) {
        this.name();
      } else if (lex.tok() === Tok.Integer && (lex.intFlags & LEXER_NEGATIVE) === 0) {
        if ((lex.intFlags & LEXER_BIG) !== 0) return this.fail('element too large, limit is 18446744073709551615');
        this.integer(SyntaxKind.Integer);
      } else {
        return this.failInIRParser('expected unsigned integer');
      }
      if (lex.tok() !== Tok.Comma) break;
      lex.next();
    }
    if (lex.tok() !== Tok.RParen) return this.failInIRParser("expected ')' here");
    lex.next();
    return true;
  }

  private failInIRParser(message: string): false {
    return this.atLineEnd() ? this.failOnNextLine(message, ErrorFlag.BehindBlankLines) : this.fail(message);
  }

  /** A word that is no keyword: the name of a register mask or the type of an immediate; which, only the target knows. */
  private parseWord(): boolean {
    const lex = this.lex;
    const start = lex.start;
    const end = lex.end;
    const id = lex.value;
    lex.next();
    const isBool = lex.tok() === Tok.Identifier && (this.isWord('true') || this.isWord('false'));
    if (lex.tok() !== Tok.Integer && !isBool) {
      this.out.leaf(SyntaxKind.NameOperand, start - this.base, end - this.base, id);
      return true;
    }
    const n = this.out.open(SyntaxKind.TypedImmediate, start - this.base);
    this.out.leaf(SyntaxKind.Name, start - this.base, end - this.base, id);
    if (isBool) this.name();
    else this.integer(SyntaxKind.Integer);
    this.closeHere(n);
    return true;
  }

  private parseFPImmediate(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.FPImmediate, lex.start - this.base);
    this.out.setValue(n, lex.tok() - Tok.KwHalf);
    lex.next();
    let ok = true;
    // `f0x3C00` is a literal since LLVM 24; lowering refuses it for those before.
    const isBits = lex.tok() === Tok.Identifier && /^f0x[0-9A-Fa-f]+$/.test(this.text.slice(lex.start, lex.end));
    if (lex.tok() !== Tok.Float && lex.tok() !== Tok.Hex && !isBits)
      ok = this.fail('expected a floating point literal');
    else {
      this.out.leaf(SyntaxKind.FPLiteral, lex.start - this.base, lex.end - this.base);
      lex.next();
    }
    this.closeHere(n);
    return ok;
  }

  private isInlineAsmWord(): boolean {
    return this.lex.tok() === Tok.Identifier && INLINE_ASM_WORD.test(this.text.slice(this.lex.start, this.lex.end));
  }

  /** Words up to the next comma: what the assembly does besides, or what a group of operands is. */
  private parseInlineAsmWords(): void {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.InlineAsmWords, lex.start - this.base);
    do lex.next();
    while (lex.tok() === Tok.Identifier || lex.tok() === Tok.Colon || lex.tok() === Tok.NamedRegister);
    this.closeHere(n);
  }

  private parseTargetMnemonic(): boolean {
    const lex = this.lex;
    const start = lex.start;
    lex.next();
    if (lex.tok() === Tok.Integer) lex.next();
    if (lex.tok() >= Tok.Identifier && (lex.tok() === Tok.Identifier || lex.tok() >= Tok.KwUnderscore)) lex.next();
    this.out.leaf(SyntaxKind.TargetMnemonic, start - this.base, lex.prevEnd - this.base);
    return true;
  }

  /** `CustomRegMask($a,$b)` (may be empty, may end in a comma) and `liveout($a, $b)` (neither). */
  private parseRegisterList(kind: SyntaxKind.CustomRegMask | SyntaxKind.LiveOut): boolean {
    const lex = this.lex;
    const n = this.out.open(kind, lex.start - this.base);
    const isMask = kind === SyntaxKind.CustomRegMask;
    lex.next();
    let ok = this.expect(Tok.LParen, "expected '('");
    while (ok && !(isMask && lex.tok() === Tok.RParen)) {
      if (lex.tok() !== Tok.NamedRegister) ok = this.fail('expected a named register');
      else {
        this.name(SyntaxKind.RegisterName);
        if (lex.tok() !== Tok.Comma) break;
        lex.next();
      }
    }
    ok = ok && this.expect(Tok.RParen, "expected ')'");
    this.closeHere(n);
    return ok;
  }

  private parseBlockAddress(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.BlockAddress, lex.start - this.base);
    lex.next();
    const ok = this.parseBlockAddressParts();
    this.closeHere(n);
    return ok;
  }

  private parseBlockAddressParts(): boolean {
    const lex = this.lex;
    if (!this.expect(Tok.LParen, "expected '('")) return false;
    if (lex.tok() !== Tok.GlobalValue && lex.tok() !== Tok.NamedGlobalValue)
      return this.fail('expected a global value');
    this.global();
    if (!this.expect(Tok.Comma, "expected ','")) return false;
    if (lex.tok() !== Tok.IRBlock && lex.tok() !== Tok.NamedIRBlock) return this.fail('expected an IR block reference');
    return this.irBlock() && this.expect(Tok.RParen, "expected ')'") && this.parseOffset();
  }

  private global(): void {
    const lex = this.lex;
    const flags = lex.tok() === Tok.GlobalValue ? NameFlag.Numbered : 0;
    this.out.leaf(SyntaxKind.Global, lex.start - this.base, lex.end - this.base, lex.value, 0, flags);
    lex.next();
  }

  private parseIntrinsic(): boolean {
    const lex = this.lex;
    const syntax = 'expected syntax intrinsic(@llvm.whatever)';
    const n = this.out.open(SyntaxKind.Intrinsic, lex.start - this.base);
    lex.next();
    let ok = this.expect(Tok.LParen, syntax);
    if (ok && lex.tok() !== Tok.NamedGlobalValue) ok = this.fail(syntax);
    if (ok) {
      this.global();
      ok = this.expect(Tok.RParen, "expected ')' to terminate intrinsic name");
    }
    this.closeHere(n);
    return ok;
  }

  private parseTargetIndex(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.TargetIndex, lex.start - this.base);
    lex.next();
    let ok = this.expect(Tok.LParen, "expected '('");
    if (ok && lex.tok() !== Tok.Identifier) ok = this.fail('expected the name of the target index');
    if (ok) {
      this.name();
      ok = this.expect(Tok.RParen, "expected ')'") && this.parseOffset();
    }
    this.closeHere(n);
    return ok;
  }

  private parsePredicate(): boolean {
    const lex = this.lex;
    const isInt = lex.tok() === Tok.KwIntPred;
    const n = this.out.open(SyntaxKind.Predicate, lex.start - this.base);
    this.out.addFlags(n, isInt ? 1 : 0);
    lex.next();
    // The missing parenthesis and the lone "whatever" are LLVM's.
    let ok = this.expect(Tok.LParen, 'expected syntax intpred(whatever) or floatpred(whatever');
    if (ok && lex.tok() !== Tok.Identifier) ok = this.fail('whatever');
    if (ok && !(isInt ? this.intPredIds : this.floatPredIds).has(lex.value))
      ok = this.fail(isInt ? 'invalid integer predicate' : 'invalid floating-point predicate');
    if (ok) {
      this.out.setValue(n, lex.value);
      lex.next();
      ok = this.expect(Tok.RParen, "predicate should be terminated by ')'.");
    }
    this.closeHere(n);
    return ok;
  }

  private parseShuffleMask(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.ShuffleMask, lex.start - this.base);
    lex.next();
    const ok = this.parseShuffleMaskElements();
    this.closeHere(n);
    return ok;
  }

  private parseShuffleMaskElements(): boolean {
    const lex = this.lex;
    if (!this.expect(Tok.LParen, 'expected syntax shufflemask(<integer or undef>, ...)')) return false;
    let count = 0;
    for (;;) {
      if (lex.tok() === Tok.KwUndef) {
        this.out.leaf(SyntaxKind.Undef, lex.start - this.base, lex.end - this.base);
        lex.next();
      } else if (lex.tok() === Tok.Integer) {
        this.integer(SyntaxKind.Integer);
      } else {
        return this.fail('expected integer constant');
      }
      count++;
      if (lex.tok() !== Tok.Comma) break;
      lex.next();
    }
    if (!this.expect(Tok.RParen, "shufflemask should be terminated by ')'.")) return false;
    return count > 1 || this.fail('shufflemask should have > 1 element');
  }

  private parseLaneMask(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.LaneMask, lex.start - this.base);
    lex.next();
    let ok = this.expect(Tok.LParen, "expected '('");
    if (ok && lex.tok() !== Tok.Integer && lex.tok() !== Tok.Hex) ok = this.fail('expected a valid lane mask value');
    ok = ok && this.unsigned64(TOO_LARGE_64) && this.expect(Tok.RParen, "expected ')'");
    this.closeHere(n);
    return ok;
  }

  private parseDbgInstrRef(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.DbgInstrRef, lex.start - this.base);
    lex.next();
    const ok = this.parseDbgInstrRefParts();
    this.closeHere(n);
    return ok;
  }

  private parseDbgInstrRefParts(): boolean {
    const lex = this.lex;
    const syntax = 'expected syntax dbg-instr-ref(<unsigned>, <unsigned>)';
    if (!this.expect(Tok.LParen, syntax)) return false;
    if (lex.tok() !== Tok.Integer || (lex.intFlags & LEXER_NEGATIVE) !== 0)
      return this.fail('expected unsigned integer for instruction index');
    this.integer(SyntaxKind.Integer);
    if (!this.expect(Tok.Comma, syntax)) return false;
    if (lex.tok() !== Tok.Integer || (lex.intFlags & LEXER_NEGATIVE) !== 0)
      return this.fail('expected unsigned integer for operand index');
    this.integer(SyntaxKind.Integer);
    return this.expect(Tok.RParen, syntax);
  }

  private parseCFIOperand(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.CFIOperand, lex.start - this.base);
    const word = lex.tok() - Tok.KwCFISameValue;
    this.out.setValue(n, word);
    lex.next();
    const ok = this.parseCFIParts(word);
    this.closeHere(n);
    return ok;
  }

  private parseCFIParts(word: number): boolean {
    switch (word) {
      case 0: // same_value
      case 3: // def_cfa_register
      case 10: // restore
      case 12: // undefined
        return this.cfiRegister();
      case 1: // offset
      case 2: // rel_offset
      case 7: // def_cfa
        return this.cfiRegister() && this.expect(Tok.Comma, "expected ','") && this.cfiOffset();
      case 4: // def_cfa_offset
      case 5: // adjust_cfa_offset
        return this.cfiOffset();
      case 6: // escape
        return this.cfiEscape();
      case 8: // llvm_def_aspace_cfa
        return (
          this.cfiRegister() &&
          this.expect(Tok.Comma, "expected ','") &&
          this.cfiOffset() &&
          this.expect(Tok.Comma, "expected ','") &&
          this.cfiAddressSpace()
        );
      case 13: // register
        return this.cfiRegister() && this.expect(Tok.Comma, "expected ','") && this.cfiRegister();
      default:
        return true;
    }
  }

  private cfiRegister(): boolean {
    if (this.lex.tok() !== Tok.NamedRegister) return this.fail('expected a cfi register');
    this.name(SyntaxKind.RegisterName);
    return true;
  }

  private cfiOffset(): boolean {
    const lex = this.lex;
    if (lex.tok() !== Tok.Integer) return this.fail('expected a cfi offset');
    // 32 significant bits, of either sign (4294967295 is taken for -1).
    const fits =
      (lex.intFlags & LEXER_BIG) === 0 &&
      ((lex.intFlags & LEXER_NEGATIVE) !== 0 ? lex.intHi === -1 && lex.intLo < 0 : lex.intHi === 0);
    if (!fits) return this.fail('expected a 32 bit integer (the cfi offset is too large)');
    this.integer(SyntaxKind.Integer);
    return true;
  }

  private cfiAddressSpace(): boolean {
    const lex = this.lex;
    if (lex.tok() !== Tok.Integer) return this.fail('expected a cfi address space literal');
    if ((lex.intFlags & LEXER_NEGATIVE) !== 0) return this.fail('expected an unsigned integer (cfi address space)');
    // Of larger ones the low 32 bits.
    this.integer(SyntaxKind.Integer);
    return true;
  }

  private cfiEscape(): boolean {
    const lex = this.lex;
    for (;;) {
      if (lex.tok() !== Tok.Hex) return this.fail('expected a hexadecimal literal');
      const v = lex.unsigned32();
      if (v < 0) return this.fail(TOO_LARGE_32);
      if (v > 255) return this.fail('expected a 8-bit integer (too large)');
      this.integer(SyntaxKind.Integer);
      if (lex.tok() !== Tok.Comma) return true;
      lex.next();
    }
  }

  // -- trailers --------------------------------------------------------------------------------------------------------------

  /** Each at most once, in this order. What follows out of order is left to the caller, which drops it as LLVM does. */
  private parseTrailers(): boolean {
    const lex = this.lex;
    if (lex.tok() === Tok.KwPreInstrSymbol && !this.symbolTrailer(SyntaxKind.PreInstrSymbol)) return false;
    if (lex.tok() === Tok.KwPostInstrSymbol && !this.symbolTrailer(SyntaxKind.PostInstrSymbol)) return false;
    if (lex.tok() === Tok.KwHeapAllocMarker && !this.metadataTrailer(SyntaxKind.HeapAllocMarker)) return false;
    if (lex.tok() === Tok.KwPCSections && !this.metadataTrailer(SyntaxKind.PCSections)) return false;
    if (this.isMMRA() && !this.metadataTrailer(SyntaxKind.MMRA)) return false;
    if (lex.tok() === Tok.KwCFIType && !this.integerTrailer(SyntaxKind.CFIType, 'cfi-type')) return false;
    if (lex.tok() === Tok.KwDeactivationSymbol && !this.deactivationSymbol()) return false;
    if (lex.tok() === Tok.KwDebugInstrNumber && !this.integerTrailer(SyntaxKind.DebugInstrNumber, 'debug-instr-number'))
      return false;
    return lex.tok() !== Tok.KwDebugLocation || this.debugLocation();
  }

  private atInstrEnd(): boolean {
    const k = this.lex.tok();
    return k === Tok.Newline || k === Tok.Eof || k === Tok.ColonColon || k === Tok.LBrace;
  }

  private symbolTrailer(kind: SyntaxKind): boolean {
    const lex = this.lex;
    const n = this.out.open(kind, lex.start - this.base);
    lex.next();
    let ok = true;
    // LLVM names pre-instr-symbol in both cases.
    if (lex.tok() !== Tok.MCSymbol) ok = this.fail("expected a symbol after 'pre-instr-symbol'");
    else this.name(SyntaxKind.MCSymbol);
    this.closeHere(n);
    if (!ok) return false;
    return this.atInstrEnd() || this.expect(Tok.Comma, "expected ',' before the next machine operand");
  }

  private metadataTrailer(kind: SyntaxKind): boolean {
    const lex = this.lex;
    const n = this.out.open(kind, lex.start - this.base);
    lex.next();
    let ok: boolean;
    if (lex.tok() === Tok.Newline || lex.tok() === Tok.Eof)
      ok = this.failOnNextLine("expected metadata id after '!'", 0);
    else ok = this.parseMetadata();
    this.closeHere(n);
    if (!ok) return false;
    return this.atInstrEnd() || this.expect(Tok.Comma, "expected ',' before the next machine operand");
  }

  private integerTrailer(kind: SyntaxKind, word: string): boolean {
    const lex = this.lex;
    const n = this.out.open(kind, lex.start - this.base);
    lex.next();
    const ok =
      lex.tok() !== Tok.Integer
        ? this.fail(`expected an integer literal after '${word}'`)
        : this.unsigned(TOO_LARGE_32);
    this.closeHere(n);
    if (ok && lex.tok() === Tok.Comma) lex.next();
    return ok;
  }

  private deactivationSymbol(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.DeactivationSymbol, lex.start - this.base);
    lex.next();
    let ok = true;
    if (lex.tok() === Tok.NamedGlobalValue) this.global();
    // LLVM takes any token for a global here: one with a number for a numbered one, others fail with an empty message at the start of the body.
    else if (this.hasNumber()) ok = this.numberedPointer(SyntaxKind.Global);
    else ok = this.fail("expected a global value after 'deactivation-symbol'");
    this.closeHere(n);
    return ok;
  }

  private debugLocation(): boolean {
    const lex = this.lex;
    const n = this.out.open(SyntaxKind.DebugLocation, lex.start - this.base);
    lex.next();
    let ok: boolean;
    if (lex.tok() === Tok.Exclaim) ok = this.parseMetadata();
    else if (lex.tok() === Tok.MdDILocation) ok = this.parseDILocation('debug-location');
    else ok = this.fail("expected a metadata node after 'debug-location'");
    this.closeHere(n);
    return ok;
  }

  /**
   * One within the other (`inlinedAt`) to any depth, so without recursion.
   * @param lastWord the last word before, which LLVM names when a field is none
   */
  private parseDILocation(lastWord: string): boolean {
    const lex = this.lex;
    const open: OpenLocation[] = [];
    const finish = (ok: boolean): boolean => {
      for (let i = open.length - 1; i >= 0; i--) {
        if (open[i].field !== NO_NODE) this.closeHere(open[i].field);
        this.closeHere(open[i].node);
      }
      return ok;
    };
    const begin = (): boolean => {
      const node = this.out.open(SyntaxKind.DILocation, lex.start - this.base);
      open.push({ node, field: NO_NODE, hasLine: false, hasScope: false });
      lex.next();
      return this.expect(Tok.LParen, "expected '('");
    };
    if (!begin()) return finish(false);
    let isFirst = true;
    for (;;) {
      const location = open[open.length - 1];
      if (!isFirst || lex.tok() !== Tok.RParen) {
        const word = lex.tok() === Tok.Identifier ? this.text.slice(lex.start, lex.end) : null;
        location.field = this.out.open(SyntaxKind.DILocationField, lex.start - this.base);
        const value = this.parseDILocationField(location.field, word, lastWord);
        if (value === FieldValue.Wrong) return finish(false);
        lastWord = word as string;
        location.hasLine ||= word === 'line';
        location.hasScope ||= word === 'scope';
        if (value === FieldValue.Location) {
          if (!begin()) return finish(false);
          isFirst = true;
          continue;
        }
        this.closeHere(location.field);
        location.field = NO_NODE;
        isFirst = false;
      }
      // After a field, or after all: ends as many locations as end here.
      for (;;) {
        const { node, hasLine, hasScope } = open[open.length - 1];
        if (!isFirst && lex.tok() === Tok.Comma) {
          lex.next();
          break;
        }
        if (!this.expect(Tok.RParen, "expected ')'")) return finish(false);
        if (!hasLine) return finish(this.fail('DILocation requires line number'));
        if (!hasScope) return finish(this.fail('DILocation requires a scope'));
        this.closeHere(node);
        open.pop();
        if (open.length === 0) return true;
        const outer = open[open.length - 1];
        this.closeHere(outer.field);
        outer.field = NO_NODE;
        isFirst = false;
        lastWord = 'inlinedAt';
      }
    }
  }

  private parseDILocationField(n: Node, word: string | null, lastWord: string): FieldValue {
    const lex = this.lex;
    const read = (ok: boolean): FieldValue => (ok ? FieldValue.Read : FieldValue.Wrong);
    if (
      word === null ||
      !this.words.has(word) ||
      !/^(line|column|scope|inlinedAt|isImplicitCode|atom(Group|Rank))$/.test(word)
    )
      return read(this.fail(`invalid DILocation argument '${word ?? lastWord}'`));
    this.out.setValue(n, lex.value);
    lex.next();
    if (!this.expect(Tok.Colon, "expected ':'")) return FieldValue.Wrong;
    switch (word) {
      case 'scope':
        return read(this.parseMetadata('expected metadata node'));
      case 'inlinedAt':
        if (lex.tok() === Tok.Exclaim) return read(this.parseMetadata('expected metadata node'));
        if (lex.tok() === Tok.MdDILocation) return FieldValue.Location;
        return read(this.fail('expected metadata node'));
      case 'isImplicitCode':
        if (lex.tok() !== Tok.Identifier || !(this.isWord('true') || this.isWord('false')))
          return read(this.fail('expected true/false'));
        this.name();
        return FieldValue.Read;
      default:
        if (lex.tok() !== Tok.Integer || (lex.intFlags & LEXER_NEGATIVE) !== 0)
          return read(this.fail('expected unsigned integer'));
        this.integer(SyntaxKind.Integer);
        return FieldValue.Read;
    }
  }

  // -- memory operands ---------------------------------------------------------------------------------------------------------

  private parseMemOperands(isBundle: boolean): boolean {
    const lex = this.lex;
    lex.next();
    while (lex.tok() !== Tok.Newline && lex.tok() !== Tok.Eof) {
      const n = this.out.open(SyntaxKind.MemOperand, lex.start - this.base);
      const ok = this.parseMemOperand(n);
      this.closeHere(n);
      if (!ok) return false;
      if (lex.tok() === Tok.Newline || lex.tok() === Tok.Eof) break;
      if (isBundle && lex.tok() === Tok.LBrace) break;
      if (!this.expect(Tok.Comma, "expected ',' before the next machine memory operand")) return false;
    }
    return true;
  }

  private parseMemOperand(n: Node): boolean {
    const lex = this.lex;
    if (!this.expect(Tok.LParen, "expected '('")) return false;
    let flags = 0;
    for (;;) {
      if (lex.tok() === Tok.String) {
        this.name(SyntaxKind.String);
        continue;
      }
      if (lex.tok() < Tok.KwVolatile || lex.tok() > Tok.KwInvariant) break;
      const bit = 1 << (lex.tok() - Tok.KwVolatile);
      if ((flags & bit) !== 0)
        return this.fail(`duplicate '${this.text.slice(lex.start, lex.end)}' memory operand flag`);
      flags |= bit;
      lex.next();
    }
    if (lex.tok() !== Tok.Identifier || !(this.isWord('load') || this.isWord('store')))
      return this.fail("expected 'load' or 'store' memory operation");
    let word = this.isWord('load') ? 'from' : 'into';
    flags |= word === 'from' ? 16 : 32;
    lex.next();
    if (lex.tok() === Tok.Identifier && this.isWord('store')) {
      if (word === 'from') word = 'on';
      flags |= 32;
      lex.next();
    }
    this.out.addFlags(n, flags);
    if (!this.parseSyncScope() || !this.parseOrdering() || !this.parseOrdering() || !this.parseMemSize()) return false;
    if (lex.tok() === Tok.Identifier) {
      if (!this.isWord(word)) return this.fail(`expected '${word}'`);
      lex.next();
      if (!this.parsePointer() || !this.parseOffset()) return false;
    }
    while (lex.tok() === Tok.Comma) {
      lex.next();
      if (!this.parseMemAttribute()) return false;
    }
    return this.expect(Tok.RParen, "expected ')'");
  }

  private parseSyncScope(): boolean {
    const lex = this.lex;
    if (lex.tok() !== Tok.Identifier || !this.isWord('syncscope')) return true;
    const n = this.out.open(SyntaxKind.SyncScope, lex.start - this.base);
    lex.next();
    let ok = this.expect(Tok.LParen, "expected '(' in syncscope");
    if (ok && lex.tok() !== Tok.String) ok = this.fail('expected string constant');
    if (ok) {
      this.out.setValue(n, lex.value);
      lex.next();
      ok = this.expect(Tok.RParen, "expected ')' in syncscope");
    }
    this.closeHere(n);
    return ok;
  }

  private parseOrdering(): boolean {
    const lex = this.lex;
    if (lex.tok() !== Tok.Identifier) return true;
    if (!this.orderingIds.has(lex.value))
      return this.fail('expected an atomic scope, ordering or a size specification');
    this.name(SyntaxKind.AtomicOrdering);
    return true;
  }

  private parseMemSize(): boolean {
    const lex = this.lex;
    switch (lex.tok()) {
      case Tok.Integer:
        return this.unsigned64(TOO_LARGE_64);
      case Tok.KwUnknownSize:
        this.out.leaf(SyntaxKind.UnknownSize, lex.start - this.base, lex.end - this.base);
        lex.next();
        return true;
      case Tok.LParen:
        lex.next();
        return this.parseLowLevelType() && this.expect(Tok.RParen, "expected ')'");
      default:
        return this.fail("expected memory LLT, the size integer literal or 'unknown-size' after memory operation");
    }
  }

  private parsePointer(): boolean {
    const lex = this.lex;
    switch (lex.tok()) {
      case Tok.IRValue:
        return this.numberedPointer(SyntaxKind.IRValue);
      case Tok.NamedIRValue:
        this.name(SyntaxKind.IRValue);
        return true;
      case Tok.QuotedIRValue:
        this.name(SyntaxKind.IRConstant);
        return true;
      case Tok.GlobalValue:
        return this.numberedPointer(SyntaxKind.Global);
      case Tok.NamedGlobalValue:
        this.global();
        return true;
      case Tok.StackObject:
        return this.indexed(SyntaxKind.StackObject);
      case Tok.FixedStackObject:
        return this.indexed(SyntaxKind.FixedStackObject);
      case Tok.KwUnknownAddress:
        return this.wordAttribute(SyntaxKind.UnknownAddress);
      case Tok.KwStack:
        return this.wordAttribute(SyntaxKind.StackPointer);
      case Tok.KwGOT:
        return this.wordAttribute(SyntaxKind.GOT);
      case Tok.KwJumpTable:
        return this.wordAttribute(SyntaxKind.JumpTable);
      case Tok.KwConstantPool:
        return this.wordAttribute(SyntaxKind.ConstantPool);
      case Tok.KwCallEntry: {
        const n = this.out.open(SyntaxKind.CallEntry, lex.start - this.base);
        lex.next();
        let ok = true;
        if (lex.tok() === Tok.GlobalValue || lex.tok() === Tok.NamedGlobalValue) this.global();
        else if (lex.tok() === Tok.ExternalSymbol) this.name(SyntaxKind.ExternalSymbol);
        else ok = this.fail("expected a global value or an external symbol after 'call-entry'");
        this.closeHere(n);
        return ok;
      }
      case Tok.KwCustom: {
        // LLVM takes any token for the name.
        const start = lex.start;
        lex.next();
        if (this.atLineEnd()) return this.failOnNextLine("expected ')'", 0);
        if (lex.tok() === Tok.Error) return this.lexicalError();
        const id = lex.tok() === Tok.String || lex.tok() === Tok.Identifier ? lex.value : -1;
        this.out.leaf(SyntaxKind.CustomPointer, start - this.base, lex.end - this.base, id);
        lex.next();
        return true;
      }
      default:
        return this.fail('expected an IR value reference');
    }
  }

  private numberedPointer(kind: SyntaxKind): boolean {
    const lex = this.lex;
    if (lex.unsigned32() < 0) return this.fail(TOO_LARGE_32);
    this.out.leaf(kind, lex.start - this.base, lex.end - this.base, lex.intLo, 0, NameFlag.Numbered);
    lex.next();
    return true;
  }

  private parseMemAttribute(): boolean {
    const lex = this.lex;
    let kind: SyntaxKind;
    switch (lex.tok()) {
      case Tok.KwAlign:
        kind = SyntaxKind.MemAlign;
        break;
      case Tok.KwBaseAlign:
        kind = SyntaxKind.MemBaseAlign;
        break;
      case Tok.KwAddrSpace:
        kind = SyntaxKind.MemAddrSpace;
        break;
      case Tok.MdTBAA:
        kind = SyntaxKind.MemTBAA;
        break;
      case Tok.MdAliasScope:
        kind = SyntaxKind.MemAliasScope;
        break;
      case Tok.MdNoAlias:
        kind = SyntaxKind.MemNoAlias;
        break;
      case Tok.MdRange:
        kind = SyntaxKind.MemRange;
        break;
      case Tok.MdNoAliasAddrSpace:
        kind = SyntaxKind.MemNoAliasAddrSpace;
        break;
      default:
        return this.fail(
          "expected 'align' or '!tbaa' or '!alias.scope' or '!noalias' or '!range' or '!noalias.addrspace'",
        );
    }
    const n = this.out.open(kind, lex.start - this.base);
    const ok = this.parseMemAttributeValue(kind);
    this.closeHere(n);
    return ok;
  }

  private parseMemAttributeValue(kind: SyntaxKind): boolean {
    const lex = this.lex;
    if (kind === SyntaxKind.MemAlign || kind === SyntaxKind.MemBaseAlign) return this.parseAlignment();
    lex.next();
    if (kind === SyntaxKind.MemAddrSpace) {
      if (lex.tok() !== Tok.Integer || (lex.intFlags & LEXER_NEGATIVE) !== 0)
        return this.fail("expected an integer literal after 'addrspace'");
      return this.unsigned(TOO_LARGE_32);
    }
    return this.parseMetadata();
  }
}
