/**
 * Reads the embedded LLVM IR of a MIR document: entry point and module level (llvm/AsmParser/LLParser
 * parseTopLevelEntities and validateEndOfModule, LLVM 22).
 *
 * Bodies are skipped by brace matching in a first pass and read afterwards, in text order at once or each when first
 * asked for. The error that LLVM would meet first in the text is the one that is reported.
 */
import { DiagnosticOrigin, Severity, type Diagnostic } from '../text/diagnostic.js';
import { AttributeSet } from './attributes.js';
import { FunctionParser } from './functionParser.js';
import { intrinsicBaseName, isUnknownIntrinsic, matchIntrinsic } from './intrinsics.js';
import { IRError } from './lexer.js';
import {
  Argument,
  BasicBlock,
  Constant,
  GlobalAlias,
  GlobalValue,
  GlobalVariable,
  IRFunction,
  IRModule,
  MDNode,
  Value,
  ValueKind,
  type MDAttachment,
  LLVM22_IR,
  type IRDialect,
} from './module.js';
import { FIRST_LINKAGE, KEYWORDS, LAST_LINKAGE, FIRST_KEYWORD, Tok } from './tokens.js';
import { AttrBuilder, isValidArgument, isValidElement } from './typeParser.js';
import { TypeContext, TypeKind, type IRType } from './types.js';
import { isOldIntrinsic } from './oldIntrinsics.js';
import { finishModule } from './upgrade.js';
import { GlobalPlaceholder } from './valueParser.js';

export interface ParseIROptions {
  /** range of the IR text in the document; default: all of it */
  readonly start?: number;
  readonly end?: number;
  /**
   * Read bodies only when they are asked for. Errors in them, the checks at the end of the module and the upgrades of old
   * forms (attributes of intrinsics among them) then wait for `IRParseResult.loadAll`; call it before printing.
   */
  readonly lazyBodies?: boolean;
  /** default: that of LLVM 22 */
  readonly dialect?: IRDialect;
}

export interface IRParseResult {
  /** what could be read; after an error: what stands before it */
  readonly module: IRModule;
  /** at most one error (LLVM stops at the first), offsets in the document; then warnings */
  readonly diagnostics: Diagnostic[];
  /** Reads all bodies that are still pending and returns the diagnostics of the whole module. */
  loadAll(): Diagnostic[];
}

/**
 * Reads IR text, `text.slice(start, end)`, in place, so that offsets are document offsets. Never throws. Cost: linear;
 * with `lazyBodies` proportional to the module level plus a scan for the closing braces.
 */
export function parseIR(text: string, options: ParseIROptions = {}): IRParseResult {
  const module = new IRModule(new TypeContext());
  module.dialect = options.dialect ?? LLVM22_IR;
  const reader = new ModuleReader(module, text, options.start ?? 0, options.end ?? text.length);
  reader.readModuleLevel();
  if (options.lazyBodies !== true) reader.loadAll();
  return {
    module,
    diagnostics: reader.diagnostics,
    loadAll: () => {
      reader.loadAll();
      return reader.diagnostics;
    },
  };
}

class ModuleReader extends FunctionParser {
  readonly diagnostics: Diagnostic[] = [];
  /** the error that comes first in the text so far */
  private firstError: IRError | null = null;
  private readonly argIds = new Map<IRFunction, number[]>();
  private readonly owners: { fix: (resolve: (v: Value) => Value) => void }[] = [];
  private isComplete = false;
  private nextGlobalId = 0;
  private readonly forwardComdats = new Map<string, number>();

  // -- driving ------------------------------------------------------------------------------------------------------

  readModuleLevel(): void {
    this.attempt(() => {
      this.lx.next();
      this.parseTargetDefinitions();
      this.parseTopLevel();
    });
    this.attempt(() => this.resolveGlobals());
    this.globalsKnown = true;
    for (const fn of this.module.functions) {
      if (fn.bodyStart < 0) continue;
      fn.loadBody = (): void => this.attempt(() => this.readBody(fn));
    }
    if (this.firstError !== null) this.reportError();
  }

  /** Reads pending bodies in text order and checks the end of the module. */
  loadAll(): void {
    if (this.isComplete) return;
    this.isComplete = true;
    for (const fn of this.module.functions) {
      // A body after the first error is never reached by LLVM; it is still read, so that it can be shown.
      void fn.blocks;
    }
    if (this.firstError === null) this.attempt(() => this.checkEnd());
    if (this.firstError === null) {
      const { fault, dropped } = finishModule(this.module, this.mdKindOffsets, this.undeclared);
      const at = { start: this.lx.limit, end: this.lx.limit, origin: DiagnosticOrigin.Text };
      if (fault !== null) {
        const { message, offset } = fault;
        this.diagnostics.push({
          ...at,
          start: offset,
          end: offset,
          severity: Severity.Error,
          code: UPGRADE_FAULT,
          message,
        });
      }
      if (dropped !== null && dropped.warning !== '') {
        const { warning: message, faults: llcValue } = dropped;
        this.diagnostics.push({ ...at, severity: Severity.Warning, code: 'ir-debug-info', message, llcValue });
      }
      if (dropped !== null && dropped.left !== '') {
        const end = dropped.left.indexOf('\n');
        const [message, llcValue] = [dropped.left.slice(0, end), dropped.left.slice(end + 1)];
        this.diagnostics.push({ ...at, severity: Severity.Error, code: LEFT_DEBUG_INFO, message, llcValue });
      }
    }
    this.reportError();
  }

  private attempt(action: () => void): void {
    try {
      action();
    } catch (e) {
      // Each kind of nesting has its limit, but all together may be too much.
      const isTooDeep = e instanceof RangeError && /call stack/.test(e.message);
      if (isTooDeep) this.note(new IRError(this.lx.start, 'nesting is too deep'));
      else if (e instanceof IRError) this.note(e);
      else throw e;
      this.nesting = 0;
    }
  }

  private note(e: IRError): void {
    // Of the lexer's complaints so far the last one is what LLVM prints.
    const earlier = this.lx.complaints.filter((c) => c.offset <= e.offset).at(-1);
    if (this.firstError === null || e.offset < this.firstError.offset) this.firstError = earlier ?? e;
  }

  protected override reportLate(message: string, offset: number): void {
    this.note(new IRError(offset, message));
  }

  private reportError(): void {
    const e = this.firstError;
    if (e === null) return;
    if (this.diagnostics.length > 0 && this.diagnostics[0].start === e.offset) return;
    this.diagnostics.length = 0;
    const end = Math.min(Math.max(this.tokenEnd(e.offset), e.offset + 1), this.lx.limit);
    this.diagnostics.push({
      start: e.offset,
      end: Math.max(end, e.offset),
      severity: Severity.Error,
      origin: DiagnosticOrigin.Text,
      code: 'ir-syntax',
      message: e.message,
    });
  }

  /** End of the word at an offset, for the range of a diagnostic. */
  private tokenEnd(offset: number): number {
    let p = offset;
    const { text, limit } = this.lx;
    while (p < limit && /[-\w$.%@!#"]/.test(text[p])) p++;
    return p;
  }

  private readBody(fn: IRFunction): void {
    // `blocks` is filled as the text is read, so that an error leaves what stands before it.
    this.parseBody(fn, fn.blocks, this.argIds.get(fn) ?? []);
  }

  // -- module level -------------------------------------------------------------------------------------------------

  /** What says how to read the rest stands before it. */
  private parseTargetDefinitions(): void {
    const lx = this.lx;
    for (;;) {
      if (lx.is(Tok.KTarget)) this.parseTarget();
      else if (lx.is(Tok.KSourceFilename)) {
        lx.next();
        this.expect(Tok.Equal, "expected '=' after source_filename");
        this.module.sourceFileName = this.parseString();
      } else return;
    }
  }

  private parseTopLevel(): void {
    const lx = this.lx;
    for (;;) {
      switch (lx.peek()) {
        case Tok.Eof:
          return;
        case Tok.KDeclare:
          lx.next();
          this.parseDeclare();
          break;
        case Tok.KDefine:
          lx.next();
          this.parseDefine();
          break;
        case Tok.KModule:
          lx.next();
          this.expect(Tok.KAsm, "expected 'module asm'");
          this.addModuleAsm(this.parseString());
          break;
        case Tok.LocalID: {
          const n = lx.id;
          const loc = lx.start;
          lx.next();
          this.expect(Tok.Equal, "expected '=' after name");
          this.expect(Tok.KType, "expected 'type' after '='");
          this.parseTypeDefinition(null, n, loc);
          break;
        }
        case Tok.LocalVar: {
          const name = lx.str;
          const loc = lx.start;
          lx.next();
          this.expect(Tok.Equal, "expected '=' after name");
          this.expect(Tok.KType, "expected 'type' after name");
          this.parseTypeDefinition(name, -1, loc);
          break;
        }
        case Tok.GlobalID:
        case Tok.GlobalVar:
          this.parseNamedGlobal();
          break;
        case Tok.ComdatVar:
          this.parseComdat();
          break;
        case Tok.Exclaim:
          this.parseStandaloneMetadata();
          break;
        case Tok.MetadataVar:
          this.parseNamedMetadata();
          break;
        case Tok.SummaryID:
          this.skipSummary();
          break;
        case Tok.KAttributes:
          this.parseAttributeGroup();
          break;
        case Tok.KUselistorder: {
          lx.next();
          const type = this.parseType();
          if (lx.is(Tok.GlobalVar) || lx.is(Tok.GlobalID)) lx.next();
          else this.parseValue(type);
          this.expect(Tok.Comma, 'expected comma in uselistorder directive');
          this.parseUseListIndexes();
          break;
        }
        case Tok.KUselistorderBb:
          lx.next();
          if (!lx.is(Tok.GlobalVar) && !lx.is(Tok.GlobalID)) this.fail('expected function name in uselistorder_bb');
          lx.next();
          this.expect(Tok.Comma, 'expected comma in uselistorder_bb directive');
          if (!lx.is(Tok.LocalVar)) this.fail('expected basic block name in uselistorder_bb');
          lx.next();
          this.expect(Tok.Comma, 'expected comma in uselistorder_bb directive');
          this.parseUseListIndexes();
          break;
        default:
          this.fail('expected top-level entity');
      }
    }
  }

  private addModuleAsm(text: string): void {
    for (const line of text.split('\n')) this.module.moduleAsm.push(line);
    // A final line break ends the last line, it does not start another.
    if (text.endsWith('\n')) this.module.moduleAsm.pop();
  }

  private parseTarget(): void {
    const lx = this.lx;
    lx.next();
    if (lx.is(Tok.KTriple)) {
      lx.next();
      this.expect(Tok.Equal, "expected '=' after target triple");
      this.module.triple = this.parseString();
    } else if (lx.is(Tok.KDatalayout)) {
      lx.next();
      this.expect(Tok.Equal, "expected '=' after target datalayout");
      this.module.dataLayout = this.parseString();
    } else this.fail('unknown target property');
  }

  private skipSummary(): void {
    const lx = this.lx;
    lx.next();
    this.expect(Tok.Equal, "expected '=' here");
    // A summary entry is `word: value` or `word: ( ... )`.
    if (!lx.is(Tok.LabelStr))
      this.fail("Expected 'gv', 'module', 'typeid', 'flags' or 'blockcount' at the start of summary entry");
    lx.next();
    if (!lx.is(Tok.LParen)) {
      lx.next();
      return;
    }
    let depth = 0;
    do {
      if (lx.is(Tok.LParen)) depth++;
      else if (lx.is(Tok.RParen)) depth--;
      else if (lx.is(Tok.Eof)) this.fail('found end of file while parsing summary entry');
      lx.next();
    } while (depth > 0);
  }

  private parseComdat(): void {
    const lx = this.lx;
    const name = lx.str;
    const loc = lx.start;
    lx.next();
    this.expect(Tok.Equal, "expected '=' here");
    this.expect(Tok.KComdat, 'expected comdat type');
    const kinds = [Tok.KAny, Tok.KExactmatch, Tok.KLargest, Tok.KNodeduplicate, Tok.KSamesize] as number[];
    if (!kinds.includes(lx.kind)) this.fail('unknown selection kind');
    const selection = lx.raw;
    lx.next();
    const known = this.module.comdats.get(name);
    if (known !== undefined && !this.forwardComdats.delete(name)) this.fail(`redefinition of comdat '$${name}'`, loc);
    if (known !== undefined) known.selection = selection;
    else this.module.comdats.set(name, { name, selection });
  }

  /** `comdat` or `comdat($c)`; null if there is none. */
  private parseOptionalComdat(globalName: string | null): string | null {
    const lx = this.lx;
    const loc = lx.start;
    if (!this.eat(Tok.KComdat)) return null;
    let name = globalName;
    if (this.eat(Tok.LParen)) {
      if (!lx.is(Tok.ComdatVar)) this.fail('expected comdat variable');
      name = lx.str;
      this.useComdat(name, lx.start);
      lx.next();
      this.expect(Tok.RParen, "expected ')' after comdat var");
    } else {
      if (name === null || name === '') this.fail('comdat cannot be unnamed');
      this.useComdat(name, loc);
    }
    return name;
  }

  private useComdat(name: string, loc: number): void {
    if (this.module.comdats.has(name)) return;
    this.module.comdats.set(name, { name, selection: 'any' });
    this.forwardComdats.set(name, loc);
  }

  private parseStandaloneMetadata(): void {
    const lx = this.lx;
    const bang = lx.start;
    lx.next();
    const n = this.parseUInt32();
    this.expect(Tok.Equal, "expected '=' here");
    if (lx.is(Tok.IntType) || (lx.kind >= Tok.KVoid && lx.kind <= Tok.KPtr))
      this.fail('unexpected type in metadata definition');
    const isDistinct = this.eat(Tok.KDistinct);
    let node: MDNode;
    if (lx.is(Tok.MetadataVar)) {
      node = this.parseSpecializedNode(n, isDistinct);
    } else {
      this.expect(Tok.Exclaim, "Expected '!' here");
      node = this.parseTuple(n, isDistinct);
    }
    const known = this.module.numberedMetadata.get(n);
    if (known === undefined) {
      this.module.numberedMetadata.set(n, node);
      return;
    }
    if (!this.forwardMetadata.delete(n)) this.fail('Metadata id is already used', lx.prevEnd === 0 ? bang : lx.start);
    known.isDistinct = node.isDistinct;
    known.className = node.className;
    known.operands = node.operands;
    known.fields = node.fields;
    known.elements = node.elements;
  }

  private parseNamedMetadata(): void {
    const lx = this.lx;
    const name = lx.str;
    if (name.startsWith('llvm.dbg.') || name === 'llvm.gcov') this.module.hasDebugInfo = true;
    lx.next();
    this.expect(Tok.Equal, "expected '=' here");
    this.expect(Tok.Exclaim, "Expected '!' here");
    this.expect(Tok.LBrace, "Expected '{' here");
    let entry = this.module.namedMetadata.find((e) => e.name === name);
    if (entry === undefined) this.module.namedMetadata.push((entry = { name, operands: [] }));
    if (!this.eat(Tok.RBrace)) {
      do {
        if (lx.is(Tok.MetadataVar) && lx.raw === '!DIExpression') {
          entry.operands.push(this.parseSpecializedNode(-1, false));
        } else {
          this.expect(Tok.Exclaim, "Expected '!' here");
          entry.operands.push(this.parseNodeId());
        }
      } while (this.eat(Tok.Comma));
      this.expect(Tok.RBrace, 'expected end of metadata node');
    }
  }

  private parseAttributeGroup(): void {
    const lx = this.lx;
    const loc = lx.start;
    lx.next();
    if (!lx.is(Tok.AttrGrpID)) this.fail('expected attribute group id');
    const n = lx.id;
    lx.next();
    this.expect(Tok.Equal, "expected '=' here");
    this.expect(Tok.LBrace, "expected '{' here");
    let b = this.groupBuilders.get(n);
    if (b === undefined) this.groupBuilders.set(n, (b = new AttrBuilder()));
    this.parseFnAttrs(b, null);
    this.expect(Tok.RBrace, 'expected end of attribute group');
    if (b.isEmpty) this.fail('attribute group has no attributes', loc);
    this.module.attributeGroups.set(n, new AttributeSet(b.values, b.strings));
  }

  // -- globals ------------------------------------------------------------------------------------------------------

  private parseLinkage(): { linkage: string; has: boolean } {
    const k = this.lx.kind;
    if (k < FIRST_LINKAGE || k > LAST_LINKAGE) return { linkage: '', has: false };
    const word = KEYWORDS[k - FIRST_KEYWORD];
    this.lx.next();
    return { linkage: word === 'external' ? '' : word, has: true };
  }

  private parsePreemptionVisibilityDll(): { preemption: string; visibility: string; dllStorage: string } {
    let preemption = '';
    let visibility = '';
    let dllStorage = '';
    if (this.eat(Tok.KDsoLocal)) preemption = 'dso_local';
    else this.eat(Tok.KDsoPreemptable);
    if (this.eat(Tok.KHidden)) visibility = 'hidden';
    else if (this.eat(Tok.KProtected)) visibility = 'protected';
    else this.eat(Tok.KDefault);
    if (this.eat(Tok.KDllimport)) dllStorage = 'dllimport';
    else if (this.eat(Tok.KDllexport)) dllStorage = 'dllexport';
    if (preemption !== '' && dllStorage === 'dllimport')
      this.fail('dso_location and DLL-StorageClass mismatch', this.lx.start);
    return { preemption, visibility, dllStorage };
  }

  private parseThreadLocal(): string {
    if (!this.eat(Tok.KThreadLocal)) return '';
    if (!this.eat(Tok.LParen)) return 'thread_local';
    const lx = this.lx;
    const models = [Tok.KLocaldynamic, Tok.KInitialexec, Tok.KLocalexec] as number[];
    if (!models.includes(lx.kind)) this.fail('expected localdynamic, initialexec or localexec');
    const model = lx.raw;
    lx.next();
    this.expect(Tok.RParen, "expected ')' after thread local model");
    return `thread_local(${model})`;
  }

  private parseUnnamedAddr(): string {
    if (this.eat(Tok.KUnnamedAddr)) return 'unnamed_addr';
    if (this.eat(Tok.KLocalUnnamedAddr)) return 'local_unnamed_addr';
    return '';
  }

  private parseNamedGlobal(): void {
    const lx = this.lx;
    const loc = lx.start;
    const name = lx.is(Tok.GlobalVar) ? lx.str : null;
    let number = -1;
    if (name === null) {
      number = lx.id;
      if (number < this.nextGlobalId) this.fail(`variable expected to be numbered '@${this.nextGlobalId}' or greater`);
    }
    lx.next();
    this.expect(Tok.Equal, name === null ? "expected '=' after name" : "expected '=' in global variable");
    const { linkage, has } = this.parseLinkage();
    const lead = this.parsePreemptionVisibilityDll();
    const threadLocal = this.parseThreadLocal();
    const unnamedAddr = this.parseUnnamedAddr();
    const common = { linkage, ...lead, unnamedAddr };
    if (lx.is(Tok.KAlias) || lx.is(Tok.KIfunc)) this.parseAlias(name, number, loc, common, threadLocal);
    else this.parseGlobalVariable(name, number, loc, common, has, threadLocal);
  }

  /** Enters a global under its name or number and checks that it is new. */
  private enter(g: GlobalValue, number: number, loc: number, typeLoc = loc): void {
    g.offset = loc;
    if (g.name === null) {
      g.number = number;
      this.module.numberedGlobals[number] = g;
      this.nextGlobalId = number + 1;
    } else {
      this.module.symbols.set(g.name, g);
    }
    for (const p of this.placeholdersByName.get(g.name ?? `@${number}`) ?? []) {
      if (p.type === g.type) continue;
      if (g instanceof IRFunction) {
        this.fail(
          `invalid forward reference to function '${g.name ?? ''}' with wrong type: expected '${this.typeName(g.type)}' but was '${this.typeName(p.type)}'`,
          loc,
        );
      }
      this.fail('forward reference and definition of global have different types', typeLoc);
    }
  }

  private parseGlobalVariable(
    name: string | null,
    number: number,
    loc: number,
    common: { linkage: string; preemption: string; visibility: string; dllStorage: string; unnamedAddr: string },
    hasLinkage: boolean,
    threadLocal: string,
  ): void {
    const lx = this.lx;
    if (isLocalLinkage(common.linkage) && common.visibility !== '')
      this.fail('symbol with local linkage must have default visibility', loc);
    if (isLocalLinkage(common.linkage) && common.dllStorage !== '')
      this.fail('symbol with local linkage cannot have a DLL storage class', loc);
    const space = this.parseOptionalAddrSpace(0);
    const isExternallyInitialized = this.eat(Tok.KExternallyInitialized);
    let isConstant = false;
    if (this.eat(Tok.KConstant)) isConstant = true;
    else if (!this.eat(Tok.KGlobal)) this.fail("expected 'global' or 'constant'");
    const typeLoc = lx.start;
    const valueType = this.parseType();
    let initializer: Value | null = null;
    const isDeclaration = hasLinkage && (common.linkage === '' || common.linkage === 'extern_weak');
    if (!isDeclaration) initializer = this.parseConstant(valueType);
    if (valueType.kind === TypeKind.Function || !isValidElement(valueType))
      this.fail('invalid type for global variable', typeLoc);
    if (name !== null && this.module.symbols.has(name)) this.fail(`redefinition of global '@${name}'`, loc);
    const g = new GlobalVariable(this.types.pointer(space), name, valueType);
    Object.assign(g, common);
    g.threadLocal = threadLocal;
    g.isExternallyInitialized = isExternallyInitialized;
    g.isConstant = isConstant;
    g.initializer = initializer;
    this.enter(g, number, loc, typeLoc);
    this.module.globals.push(g);
    this.owners.push({ fix: (r) => void (g.initializer !== null && (g.initializer = r(g.initializer))) });
    const sanitizers: string[] = [];
    while (this.eat(Tok.Comma)) {
      if (this.eat(Tok.KSection)) {
        if (!lx.is(Tok.String)) this.fail('expected global section string');
        g.section = this.parseString();
      } else if (this.eat(Tok.KPartition)) {
        if (!lx.is(Tok.String)) this.fail('expected partition string');
        g.partition = this.parseString();
      } else if (lx.is(Tok.KAlign)) {
        g.align = this.parseOptionalAlignment();
      } else if (this.eat(Tok.KCodeModel)) {
        if (!CODE_MODELS.has(this.lx.str) && this.lx.is(Tok.String)) this.fail('expected global code model string');
        g.codeModel = this.parseString();
      } else if (lx.is(Tok.MetadataVar)) {
        (g.attachments ??= []).push(this.parseAttachment());
      } else if (lx.kind >= Tok.KNoSanitizeAddress && lx.kind <= Tok.KSanitizeMemtag) {
        sanitizers.push(lx.raw);
        lx.next();
      } else {
        const comdat = this.parseOptionalComdat(name);
        if (comdat === null) this.fail('unknown global variable property!');
        g.comdat = comdat;
      }
    }
    if (sanitizers.length > 0) g.sanitizers = sanitizers;
    const b = new AttrBuilder();
    const refs: number[] = [];
    this.parseFnAttrs(b, refs);
    if (refs.length > 0 || !b.isEmpty) this.owners.push({ fix: () => (g.attributes = this.joinGroups(b, refs)) });
  }

  private parseAlias(
    name: string | null,
    number: number,
    loc: number,
    common: { linkage: string; preemption: string; visibility: string; dllStorage: string; unnamedAddr: string },
    threadLocal: string,
  ): void {
    const lx = this.lx;
    const isAlias = lx.is(Tok.KAlias);
    lx.next();
    const allowed = ['', 'private', 'internal', 'weak', 'weak_odr', 'linkonce', 'linkonce_odr', 'available_externally'];
    if (isAlias && !allowed.includes(common.linkage)) this.fail('invalid linkage type for alias', loc);
    if (isLocalLinkage(common.linkage) && common.visibility !== '')
      this.fail('symbol with local linkage must have default visibility', loc);
    const valueType = this.parseType();
    this.expect(Tok.Comma, `expected comma after alias or ifunc's type`);
    const targetLoc = lx.start;
    let target: Value;
    const isExpr =
      lx.is(Tok.KBitcast) || lx.is(Tok.KGetelementptr) || lx.is(Tok.KAddrspacecast) || lx.is(Tok.KInttoptr);
    // A constant expression may stand without its type.
    if (isExpr) target = this.parseUntypedConstant();
    else target = this.parseTypeAndConstant();
    if (target.type.kind !== TypeKind.Pointer) this.fail('An alias or ifunc must have pointer type', targetLoc);
    if (name !== null && this.module.symbols.has(name)) this.fail(`redefinition of global '@${name}'`, loc);
    const a = new GlobalAlias(
      isAlias ? ValueKind.GlobalAlias : ValueKind.GlobalIFunc,
      this.types.pointer(target.type.n),
      name,
      valueType,
    );
    Object.assign(a, common);
    a.threadLocal = threadLocal;
    a.target = target;
    this.enter(a, number, loc);
    (isAlias ? this.module.aliases : this.module.ifuncs).push(a);
    this.owners.push({ fix: (r) => void (a.target = r(a.target!)) });
    while (this.eat(Tok.Comma)) {
      if (this.eat(Tok.KPartition)) a.partition = this.parseString();
      else if (!isAlias && lx.is(Tok.MetadataVar)) (a.attachments ??= []).push(this.parseAttachment());
      else this.fail('unknown alias or ifunc property!');
    }
  }

  private parseUntypedConstant(): Value {
    // The expression's own type decides; a wanted type only serves messages.
    const start = this.lx.start;
    for (const space of [0, 1, 2, 3, 4, 5]) {
      try {
        return this.parseConstant(this.types.pointer(space));
      } catch (e) {
        if (!(e instanceof IRError) || !e.message.startsWith('constant expression type mismatch') || space === 5)
          throw e;
        this.lx.seek(start);
      }
    }
    return this.fail('expected value token', start);
  }

  // -- functions ----------------------------------------------------------------------------------------------------

  private parseDeclare(): void {
    const attachments: MDAttachment[] = [];
    while (this.lx.is(Tok.MetadataVar)) attachments.push(this.parseAttachment());
    const fn = this.parseFunctionHeader(false);
    if (attachments.length > 0) fn.attachments = attachments;
  }

  private parseDefine(): void {
    const lx = this.lx;
    const fn = this.parseFunctionHeader(true);
    while (lx.is(Tok.MetadataVar)) (fn.attachments ??= []).push(this.parseAttachment());
    if (!lx.is(Tok.LBrace)) this.fail("expected '{' in function body");
    fn.isDeclaration = false;
    fn.bodyStart = lx.start;
    fn.bodyEnd = skipBody(lx.text, lx.start, lx.limit);
    lx.seek(fn.bodyEnd);
  }

  private parseFunctionHeader(isDefine: boolean): IRFunction {
    const lx = this.lx;
    const linkageLoc = lx.start;
    const { linkage } = this.parseLinkage();
    const lead = this.parsePreemptionVisibilityDll();
    const callingConv = this.parseOptionalCallingConv();
    const retAttrs = this.parseParamAttrs(true);
    const retLoc = lx.start;
    const retType = this.parseType('expected type', true);
    const linkageForDeclare = linkage === '' || linkage === 'extern_weak';
    if (isDefine && linkage === 'extern_weak') this.fail('invalid linkage for function definition', linkageLoc);
    if (!isDefine && !linkageForDeclare) this.fail('invalid linkage for function declaration', linkageLoc);
    if (linkage === 'appending' || linkage === 'common') this.fail('invalid function linkage type', linkageLoc);
    if (isLocalLinkage(linkage) && lead.visibility !== '')
      this.fail('symbol with local linkage must have default visibility', linkageLoc);
    if (isLocalLinkage(linkage) && lead.dllStorage !== '')
      this.fail('symbol with local linkage cannot have a DLL storage class', linkageLoc);
    const k = retType.kind;
    if (k === TypeKind.Function || k === TypeKind.Label || k === TypeKind.Metadata)
      this.fail('invalid function return type', retLoc);
    const nameLoc = lx.start;
    let name: string | null = null;
    let number = -1;
    if (lx.is(Tok.GlobalVar)) name = lx.str;
    else if (lx.is(Tok.GlobalID)) {
      number = lx.id;
      if (number < this.nextGlobalId) this.fail(`function expected to be numbered '@${this.nextGlobalId}' or greater`);
    } else this.fail('expected function name');
    lx.next();
    if (!lx.is(Tok.LParen)) this.fail("expected '(' in function argument list");
    const args = this.parseArgumentList();
    const unnamedAddr = this.parseUnnamedAddr();
    const space = this.parseOptionalAddrSpace(0);
    const b = new AttrBuilder();
    const refs: number[] = [];
    this.parseFnAttrs(b, refs);
    let section = '';
    let partition = '';
    if (this.eat(Tok.KSection)) section = this.parseString();
    if (this.eat(Tok.KPartition)) partition = this.parseString();
    const comdat = this.parseOptionalComdat(name);
    let align = this.parseOptionalAlignment();
    let gc = '';
    if (this.eat(Tok.KGc)) gc = this.parseString();
    const prefix = this.eat(Tok.KPrefix) ? this.parseTypeAndConstant() : null;
    const prologue = this.eat(Tok.KPrologue) ? this.parseTypeAndConstant() : null;
    const personality = this.eat(Tok.KPersonality) ? this.parseTypeAndConstant() : null;
    if (b.builtinAt >= 0) this.fail("'builtin' attribute not valid on function", b.builtinAt);
    const own = b.values.get('align');
    if (own !== undefined) {
      align = Number(own.numbers![0]);
      b.values.delete('align');
    }
    const fnType = this.types.fn(
      retType,
      args.list.map((a) => a.type),
      args.isVarArg,
    );
    if (args.list.length > 0 && retType.kind !== TypeKind.Void && args.list[0].attributes?.values.has('sret') === true)
      this.fail("functions with 'sret' argument must return void", retLoc);
    const known = name === null ? undefined : this.module.symbols.get(name);
    if (known instanceof IRFunction) this.fail(`invalid redefinition of function '${name}'`, nameLoc);
    if (known !== undefined) this.fail(`redefinition of function '@${name}'`, nameLoc);
    const fn = new IRFunction(this.types.pointer(space), name, fnType);
    Object.assign(fn, { linkage, ...lead, unnamedAddr, section, partition, comdat, gc });
    fn.callingConv = callingConv;
    fn.retAttrs = retAttrs;
    fn.align = align;
    fn.prefix = prefix;
    fn.prologue = prologue;
    fn.personality = personality;
    this.enter(fn, number, nameLoc);
    this.module.functions.push(fn);
    const ids: number[] = [];
    const seen = new Set<string>();
    args.list.forEach((a, i) => {
      const arg = new Argument(a.type, isDefine ? a.name : null, fn, i);
      arg.attributes = a.attributes;
      fn.args.push(arg);
      ids.push(a.id);
      if (a.name !== null) {
        if (seen.has(a.name)) this.fail(`redefinition of argument '%${a.name}'`, a.offset);
        seen.add(a.name);
      }
    });
    if (isDefine) this.argIds.set(fn, ids);
    this.owners.push({
      fix: (r) => {
        fn.fnAttrs = this.joinGroups(b, refs);
        const alignAttr = fn.fnAttrs?.values.get('align');
        if (alignAttr !== undefined) {
          fn.align = Number(alignAttr.numbers![0]);
          const values = new Map(fn.fnAttrs!.values);
          values.delete('align');
          fn.fnAttrs = new AttributeSet(values, fn.fnAttrs!.strings);
        }
        if (fn.prefix !== null) fn.prefix = r(fn.prefix);
        if (fn.prologue !== null) fn.prologue = r(fn.prologue);
        if (fn.personality !== null) fn.personality = r(fn.personality);
      },
    });
    return fn;
  }

  private parseArgumentList(): {
    list: { type: IRType; attributes: AttributeSet | null; name: string | null; id: number; offset: number }[];
    isVarArg: boolean;
  } {
    const lx = this.lx;
    lx.next();
    const list: { type: IRType; attributes: AttributeSet | null; name: string | null; id: number; offset: number }[] =
      [];
    let isVarArg = false;
    let nextId = 0;
    if (!lx.is(Tok.RParen)) {
      do {
        if (this.eat(Tok.DotDotDot)) {
          isVarArg = true;
          break;
        }
        const typeLoc = lx.start;
        const type = this.parseType();
        const attributes = this.parseParamAttrs(false);
        let name: string | null = null;
        let id = -1;
        let offset = typeLoc;
        if (lx.is(Tok.LocalVar)) {
          name = lx.str;
          offset = lx.start;
          lx.next();
        } else {
          id = nextId;
          if (lx.is(Tok.LocalID)) {
            if (lx.id < nextId) this.fail(`argument expected to be numbered '%${nextId}' or greater`, typeLoc);
            id = lx.id;
            lx.next();
          }
          nextId = id + 1;
        }
        if (!isValidArgument(type)) this.fail('invalid type for function argument', typeLoc);
        list.push({ type, attributes, name, id, offset });
      } while (this.eat(Tok.Comma));
    }
    this.expect(Tok.RParen, "expected ')' at end of argument list");
    return { list, isVarArg };
  }

  // -- end of module ------------------------------------------------------------------------------------------------

  /** Replaces placeholders in initialisers and the like, and joins attribute groups. */
  private resolveGlobals(): void {
    const resolve = (v: Value): Value => {
      if (v instanceof GlobalPlaceholder) {
        const g = v.name === null ? this.module.numberedGlobals[v.number] : this.module.symbols.get(v.name);
        if (g !== undefined) return g;
        this.noteUndefined(v);
        return v;
      }
      if (v instanceof Constant && v.operands.length > 0) {
        const operands = v.operands as Value[];
        for (let i = 0; i < operands.length; i++) operands[i] = resolve(operands[i]);
      }
      return v;
    };
    const hasPlaceholders = this.placeholders.length > 0;
    const keep = (v: Value): Value => v;
    for (const o of this.owners) o.fix(hasPlaceholders ? resolve : keep);
    if (!hasPlaceholders) return;
    for (const node of this.module.numberedMetadata.values()) {
      for (const op of node.operands) {
        if (op !== null && 'value' in op && op.value instanceof Value)
          (op as { value: Value }).value = resolve(op.value);
      }
    }
    for (const p of this.pendingBlockAddresses) resolve(p.constant);
  }

  /** Errors that LLVM reports once the whole text is read, in its order. */
  private checkEnd(): void {
    for (const p of this.pendingBlockAddresses) {
      const fn = p.constant.operands[0];
      if (!(fn instanceof IRFunction)) this.fail('expected function name in blockaddress', p.fnOffset);
      const block = p.block === null ? this.blockByTextId(fn, p.blockId) : fn.blockByName(p.block);
      if (!(block instanceof BasicBlock)) this.fail('referenced value is not a basic block', p.offset);
      p.constant.block = block;
    }
    for (const [n, e] of [...this.typesByNumber].sort((a, b) => a[0] - b[0])) {
      if (e.forwardOffset >= 0) this.fail(`use of undefined type '%${n}'`, e.forwardOffset);
    }
    for (const [name, e] of this.typesByName) {
      if (e.forwardOffset >= 0) this.fail(`use of undefined type named '${name}'`, e.forwardOffset);
    }
    for (const [name, offset] of this.forwardComdats) this.fail(`use of undefined comdat '$${name}'`, offset);
    this.declareIntrinsics();
    const names = [...this.undefinedGlobals].sort((a, b) => (a[0] < b[0] ? -1 : 1));
    if (names.length > 0) this.fail(`use of undefined value '@${names[0][0]}'`, names[0][1].offset);
    const numbers = [...this.undefinedNumberedGlobals].sort((a, b) => a[0] - b[0]);
    if (numbers.length > 0) this.fail(`use of undefined value '@${numbers[0][0]}'`, numbers[0][1]);
    const nodes = [...this.forwardMetadata].sort((a, b) => a[0] - b[0]);
    if (nodes.length > 0) this.fail(`use of undefined metadata '!${nodes[0][0]}'`, nodes[0][1]);
    if (this.lateError !== null) throw this.lateError;
  }

  private blockByTextId(fn: IRFunction, id: number): BasicBlock | null {
    // Numbers without gaps are the slots; others cannot be told apart any more.
    return fn.blockBySlot(id);
  }

  /** Calls of intrinsics that nothing declares make a declaration at the end of the module. */
  private readonly undefinedCallees: { operands: Value[]; name: string }[] = [];

  protected override noteUndefinedCallee(operands: Value[], callee: GlobalPlaceholder): void {
    if (callee.name !== null && callee.name.startsWith('llvm.'))
      this.undefinedCallees.push({ operands, name: callee.name });
  }

  /** Declarations made for calls. */
  private readonly undeclared = new Set<IRFunction>();

  private declareIntrinsics(): void {
    const names = [...this.undefinedGlobals.keys()].sort();
    for (const name of names) {
      const info = this.undefinedGlobals.get(name)!;
      if (!name.startsWith('llvm.')) continue;
      const { callType, offset } = info;
      const isOld = callType !== null && isOldIntrinsic(name, callType);
      const { intrinsics } = this.module.dialect;
      if (!isOld && isUnknownIntrinsic(name, intrinsics)) this.fail(`unknown intrinsic '${name}'`, offset);
      if (callType === null) this.fail('intrinsic can only be used as callee', offset);
      if (
        !isOld &&
        intrinsicBaseName(name, intrinsics) !== null &&
        matchIntrinsic(name, callType, this.types, intrinsics) === null
      )
        this.fail('invalid intrinsic signature', offset);
      const fn = new IRFunction(this.types.pointer(0), name, callType);
      for (let i = 1; i < callType.elements.length; i++)
        fn.args.push(new Argument(callType.elements[i], null, fn, i - 1));
      this.module.functions.push(fn);
      this.undeclared.add(fn);
      this.module.symbols.set(name, fn);
      this.undefinedGlobals.delete(name);
    }
    for (const { operands, name } of this.undefinedCallees) {
      const fn = this.module.symbols.get(name);
      if (fn === undefined) continue;
      for (let i = 0; i < operands.length; i++) if (operands[i] instanceof GlobalPlaceholder) operands[i] = fn;
    }
  }
}

const CODE_MODELS: ReadonlySet<string> = new Set(['tiny', 'small', 'kernel', 'medium', 'large']);

/** `code` of debug info that is broken and stays: llc gives up. */
export const LEFT_DEBUG_INFO = 'ir-debug-info-left';

/** `code` of a call of an old intrinsic that cannot be made one of now: llc ends. */
export const UPGRADE_FAULT = 'ir-upgrade';

function isLocalLinkage(linkage: string): boolean {
  return linkage === 'private' || linkage === 'internal';
}

/** Offset after the `}` that closes the body opening at `start`; `limit` if none does. Strings and comments are skipped. */
function skipBody(text: string, start: number, limit: number): number {
  // The expression is made here because its position is state.
  const interesting = /[{}";/]/g;
  interesting.lastIndex = start;
  let depth = 0;
  for (let m = interesting.exec(text); m !== null && m.index < limit; m = interesting.exec(text)) {
    const p = m.index;
    switch (text.charCodeAt(p)) {
      case 123:
        depth++;
        break;
      case 125:
        if (--depth === 0) return p + 1;
        break;
      case 34: {
        const close = text.indexOf('"', p + 1);
        if (close < 0 || close >= limit) return limit;
        interesting.lastIndex = close + 1;
        break;
      }
      case 59: {
        const eol = text.indexOf('\n', p);
        if (eol < 0) return limit;
        interesting.lastIndex = eol + 1;
        break;
      }
      default:
        if (text.charCodeAt(p + 1) === 42) {
          const close = text.indexOf('*/', p + 2);
          if (close < 0) return limit;
          interesting.lastIndex = close + 2;
        }
    }
  }
  return limit;
}
