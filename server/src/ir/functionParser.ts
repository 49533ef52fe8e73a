/**
 * Reads function bodies of IR text: blocks, instructions, debug records (llvm/AsmParser/LLParser parseFunctionBody and
 * parseInstruction, LLVM 22), with LLVM's messages.
 */
import type { AttributeSet } from './attributes.js';
import { constraintProblem } from './asmConstraints.js';
import { allocaAlign, atomicAlign, defaultAlign, storeBytes } from './dataLayout.js';
import { IRError } from './lexer.js';
import {
  Argument,
  BasicBlock,
  InlineAsm,
  InstFlag,
  Instruction,
  IRFunction,
  Opcode,
  Value,
  ValueKind,
  type AtomicInfo,
  type CallInfo,
  type DebugRecord,
  type MDAttachment,
  type Metadata,
  type OperandBundle,
} from './module.js';
import { FIRST_KEYWORD, LAST_OPCODE, Tok } from './tokens.js';
import { AttrBuilder, isValidArgument, isValidPointee } from './typeParser.js';
import { TypeKind, type IRType } from './types.js';
import {
  GlobalPlaceholder,
  indexedType,
  isSized,
  isValidCast,
  ValueParser,
  type FunctionState,
} from './valueParser.js';

/** A local value that is used before its definition. */
class LocalPlaceholder extends Value {
  resolved: Value | null = null;
  constructor(
    type: IRType,
    name: string | null,
    readonly id: number,
    readonly offset: number,
  ) {
    super(ValueKind.Placeholder, type, name);
  }
}

const ATOMIC_ORDERINGS: ReadonlyMap<number, string> = new Map<number, string>([
  [Tok.KUnordered, 'unordered'],
  [Tok.KMonotonic, 'monotonic'],
  [Tok.KAcquire, 'acquire'],
  [Tok.KRelease, 'release'],
  [Tok.KAcqRel, 'acq_rel'],
  [Tok.KSeqCst, 'seq_cst'],
]);

const RMW_OPERATIONS: ReadonlySet<string> = new Set(
  (
    'xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin fmaximum fminimum uinc_wrap udec_wrap ' +
    'usub_cond usub_sat'
  ).split(' '),
);
const FP_RMW: ReadonlySet<string> = new Set(['fadd', 'fsub', 'fmax', 'fmin', 'fmaximum', 'fminimum']);

const INT_PREDICATES: ReadonlySet<string> = new Set('eq ne slt sgt sle sge ult ugt ule uge'.split(' '));
const FP_PREDICATES: ReadonlySet<string> = new Set(
  'oeq one olt ogt ole oge ord uno ueq une ult ugt ule uge true false'.split(' '),
);

/** Values of the function being read, by name and number. */
class PerFunctionState implements FunctionState {
  readonly byName = new Map<string, Value>();
  readonly byId: Value[] = [];
  nextId = 0;
  readonly forwardByName = new Map<string, LocalPlaceholder>();
  readonly forwardById = new Map<number, LocalPlaceholder>();
  /** blocks that are referenced but not defined yet, with the first use */
  readonly forwardBlocks = new Map<BasicBlock, number>();
  /** set when a placeholder was handed out; the caller resets it */
  sawPlaceholder = false;

  constructor(
    readonly parser: FunctionParser,
    readonly fn: IRFunction,
  ) {}

  private check(v: Value, type: IRType, spelled: string, loc: number): Value {
    if (v.type === type) return v;
    if (type.kind === TypeKind.Label) this.parser.lx.fail(`'${spelled}' is not a basic block`, loc);
    return this.parser.lx.fail(
      `'${spelled}' defined with type '${this.parser.typeText(v.type)}' but expected '${this.parser.typeText(type)}'`,
      loc,
    );
  }

  getLocal(name: string, type: IRType, loc: number): Value {
    const v = this.byName.get(name);
    if (v !== undefined) return v.type === type ? v : this.check(v, type, '%' + name, loc);
    const known = this.forwardByName.get(name);
    if (known !== undefined) {
      this.sawPlaceholder = true;
      return this.check(known, type, '%' + name, loc);
    }
    if (!type.isFirstClass) this.parser.lx.fail('invalid use of a non-first-class type', loc);
    if (type.kind === TypeKind.Label) return this.getBlock(name, -1, loc);
    const p = new LocalPlaceholder(type, name, -1, loc);
    this.forwardByName.set(name, p);
    this.sawPlaceholder = true;
    return p;
  }

  getLocalById(id: number, type: IRType, loc: number): Value {
    const v = this.byId[id];
    if (v !== undefined) return v.type === type ? v : this.check(v, type, '%' + id, loc);
    const known = this.forwardById.get(id);
    if (known !== undefined) {
      this.sawPlaceholder = true;
      return this.check(known, type, '%' + id, loc);
    }
    if (!type.isFirstClass) this.parser.lx.fail('invalid use of a non-first-class type', loc);
    if (type.kind === TypeKind.Label) return this.getBlock(null, id, loc);
    const p = new LocalPlaceholder(type, null, id, loc);
    this.forwardById.set(id, p);
    this.sawPlaceholder = true;
    return p;
  }

  getBlock(name: string | null, id: number, loc: number): BasicBlock {
    const known = name === null ? this.byId[id] : this.byName.get(name);
    const spelled = name === null ? `%${id}` : `%${name}`;
    if (known instanceof BasicBlock) return known;
    if (known !== undefined) this.parser.lx.fail(`'${spelled}' is not a basic block`, loc);
    const forward = name === null ? this.forwardById.get(id) : this.forwardByName.get(name);
    if (forward !== undefined) this.parser.lx.fail(`'${spelled}' is not a basic block`, loc);
    const b = new BasicBlock(this.parser.types.label, name, this.fn);
    if (name === null) this.byId[id] = b;
    else this.byName.set(name, b);
    this.forwardBlocks.set(b, loc);
    return b;
  }

  /** Starts the block of a label (`name`, or `id` >= 0), or an unlabelled one. */
  defineBlock(name: string | null, id: number, loc: number): BasicBlock {
    let b: BasicBlock;
    if (name === null) {
      if (id >= 0 && id < this.nextId)
        this.parser.lx.fail(`label expected to be numbered '${this.nextId}' or greater`, loc);
      const n = id < 0 ? this.nextId : id;
      const forward = this.forwardById.get(n);
      if (forward !== undefined) this.parser.lx.fail(`unable to create block numbered '${n}'`, loc);
      b = this.getBlock(null, n, loc);
      this.nextId = n + 1;
    } else {
      const known = this.byName.get(name);
      if ((known !== undefined && !(known instanceof BasicBlock)) || this.forwardByName.has(name))
        this.parser.lx.fail(`unable to create block named '${name}'`, loc);
      b = this.getBlock(name, -1, loc);
    }
    if (!this.forwardBlocks.delete(b)) {
      // LLVM goes on with the block that is there; its verifier then finds code after a terminator.
      this.parser.lateError ??= new IRError(loc, 'Terminator found in the middle of a basic block!');
    }
    b.offset = loc;
    return b;
  }

  /** Enters a value under its name or number (`id` -1: the next one). */
  define(v: Value, name: string | null, id: number, loc: number): void {
    if (v.type.kind === TypeKind.Void) {
      if (name !== null || id >= 0) this.parser.lx.fail('instructions returning void cannot have a name', loc);
      return;
    }
    if (name === null) {
      if (id < 0) id = this.nextId;
      else if (id < this.nextId)
        this.parser.lx.fail(`instruction expected to be numbered '%${this.nextId}' or greater`, loc);
      const forward = this.forwardById.size > 0 ? this.forwardById.get(id) : undefined;
      if (forward !== undefined) {
        if (forward.type !== v.type)
          this.parser.lx.fail(`instruction forward referenced with type '${this.parser.typeText(forward.type)}'`, loc);
        forward.resolved = v;
        this.forwardById.delete(id);
      } else if (this.byId[id] !== undefined) {
        // Only a block that was referenced can be there already.
        this.parser.lx.fail("instruction forward referenced with type 'label'", loc);
      }
      this.byId[id] = v;
      this.nextId = id + 1;
      return;
    }
    const forward = this.forwardByName.size > 0 ? this.forwardByName.get(name) : undefined;
    if (forward !== undefined) {
      if (forward.type !== v.type)
        this.parser.lx.fail(`instruction forward referenced with type '${this.parser.typeText(forward.type)}'`, loc);
      forward.resolved = v;
      this.forwardByName.delete(name);
    } else {
      const known = this.byName.get(name);
      if (known !== undefined) {
        if (known instanceof BasicBlock && this.forwardBlocks.has(known))
          this.parser.lx.fail("instruction forward referenced with type 'label'", loc);
        this.parser.lx.fail(`multiple definition of local value named '${name}'`, loc);
      }
    }
    v.name = name;
    this.byName.set(name, v);
  }
}

export class FunctionParser extends ValueParser {
  /** instructions with operands that may be placeholders */
  private readonly unresolved: { operands: Value[] }[] = [];
  /** set when an operand list ended with a comma before metadata */
  private sawComma = false;
  /** what LLVM's verifier would find at the end of an otherwise good module */
  lateError: IRError | null = null;
  /** the two forms of debug info must not be mixed in a module */
  private sawDebugIntrinsic = false;
  private sawDebugRecord = false;
  private state!: PerFunctionState;
  private pendingRecords: DebugRecord[] | null = null;
  /** call-site attributes by their text, so that equal ones are one object */
  private readonly groupRefs = new Map<number, AttributeSet | null>();

  typeText(t: IRType): string {
    return this.typeName(t);
  }

  /** Reads the body; the current position is set to its `{`. */
  protected parseBody(fn: IRFunction, blocks: BasicBlock[], argIds: readonly number[]): void {
    const lx = this.lx;
    const fs = new PerFunctionState(this, fn);
    this.state = fs;
    this.fs = fs;
    this.unresolved.length = 0;
    this.localMetadata.length = 0;
    this.pendingRecords = null;
    for (let i = 0; i < fn.args.length; i++) this.defineArgument(fn.args[i], argIds[i]);
    lx.seek(fn.bodyStart);
    this.expect(Tok.LBrace, "expected '{' in function body");
    if (lx.is(Tok.RBrace) || lx.is(Tok.KUselistorder)) this.fail('function body requires at least one basic block');
    while (!lx.is(Tok.RBrace) && !lx.is(Tok.KUselistorder)) blocks.push(this.parseBlock());
    while (!lx.is(Tok.RBrace)) this.parseUseListOrder();
    lx.next();
    this.finishFunction();
    this.fs = null;
  }

  private defineArgument(a: Argument, id: number): void {
    if (a.name !== null) {
      this.state.byName.set(a.name, a);
      return;
    }
    this.state.byId[id] = a;
    this.state.nextId = id + 1;
  }

  private finishFunction(): void {
    const fs = this.state;
    // LLVM keeps forward references in maps sorted by name and reports the first.
    const names: [string, number][] = [...fs.forwardByName].map(([name, p]) => [name, p.offset]);
    const ids: [number, number][] = [...fs.forwardById].map(([id, p]) => [id, p.offset]);
    for (const [b, offset] of fs.forwardBlocks) {
      if (b.name !== null) names.push([b.name, offset]);
      else ids.push([fs.byId.indexOf(b), offset]);
    }
    if (names.length > 0) {
      names.sort((a, b) => (a[0] < b[0] ? -1 : 1));
      this.fail(`use of undefined value '%${names[0][0]}'`, names[0][1]);
    }
    if (ids.length > 0) {
      ids.sort((a, b) => a[0] - b[0]);
      this.fail(`use of undefined value '%${ids[0][0]}'`, ids[0][1]);
    }
    for (const { operands } of this.unresolved) {
      for (let i = 0; i < operands.length; i++) {
        const v = operands[i];
        if (v instanceof LocalPlaceholder) operands[i] = v.resolved!;
      }
    }
    for (const { wrapper } of this.localMetadata) {
      const v = wrapper.value;
      if (v instanceof LocalPlaceholder) wrapper.value = v.resolved!;
    }
  }

  private parseUseListOrder(): void {
    const lx = this.lx;
    if (!lx.is(Tok.KUselistorder)) this.fail('expected uselistorder directive');
    lx.next();
    this.parseTypeAndValue();
    this.expect(Tok.Comma, 'expected comma in uselistorder directive');
    this.parseUseListIndexes();
  }

  protected parseUseListIndexes(): void {
    const loc = this.lx.start;
    this.expect(Tok.LBrace, "expected '{' here");
    if (this.lx.is(Tok.RBrace)) this.fail('expected non-empty list of uselistorder indexes');
    let n = 0;
    do {
      this.parseUInt32();
      n++;
    } while (this.eat(Tok.Comma));
    this.expect(Tok.RBrace, "expected '}' here");
    if (n < 2) this.fail('expected >= 2 uselistorder indexes', loc);
  }

  private parseBlock(): BasicBlock {
    const lx = this.lx;
    const loc = lx.start;
    let name: string | null = null;
    let id = -1;
    if (lx.is(Tok.LabelStr)) {
      name = lx.str;
      lx.next();
    } else if (lx.is(Tok.LabelID)) {
      id = lx.id;
      lx.next();
    }
    const block = this.state.defineBlock(name, id, loc);
    const list = block.instructions;
    for (;;) {
      while (lx.is(Tok.Hash)) (this.pendingRecords ??= []).push(this.parseDebugRecord());
      const inst = this.parseNamedInstruction(block);
      list.push(inst);
      if (inst.opcode >= Opcode.Ret) return block;
    }
  }

  private parseNamedInstruction(block: BasicBlock): Instruction {
    const lx = this.lx;
    const loc = lx.start;
    let name: string | null = null;
    let id = -1;
    if (lx.is(Tok.LocalVar)) {
      name = lx.str;
      lx.next();
      this.expect(Tok.Equal, "expected '=' after instruction name");
    } else if (lx.is(Tok.LocalID)) {
      id = lx.id;
      lx.next();
      this.expect(Tok.Equal, "expected '=' after instruction id");
    }
    this.state.sawPlaceholder = false;
    this.sawComma = false;
    const inst = this.parseInstruction(block, loc);
    if (this.state.sawPlaceholder) {
      this.unresolved.push(inst);
      if (inst.call !== null)
        for (const b of inst.call.bundles) this.unresolved.push({ operands: b.operands as Value[] });
    }
    // An operand list that ended with a comma goes on with attachments; so does a comma that nothing consumed.
    if (this.sawComma || this.eat(Tok.Comma)) inst.attachments = this.parseAttachmentList();
    if (this.pendingRecords !== null) {
      inst.debugRecords = this.pendingRecords;
      this.pendingRecords = null;
    }
    this.state.define(inst, name, id, loc);
    return inst;
  }

  private parseAttachmentList(): MDAttachment[] {
    const list: MDAttachment[] = [];
    do {
      if (!this.lx.is(Tok.MetadataVar)) this.fail('expected metadata after comma');
      const a = this.parseAttachment();
      const known = list.findIndex((x) => x.kind === a.kind);
      if (known >= 0) list[known] = a;
      else list.push(a);
    } while (this.eat(Tok.Comma));
    return list;
  }

  private parseDebugRecord(): DebugRecord {
    const lx = this.lx;
    const loc = lx.start;
    if (this.sawDebugIntrinsic)
      this.fail('debug record should not appear in a module containing debug info intrinsics');
    this.sawDebugRecord = true;
    this.module.hasDebugInfo = true;
    lx.next();
    const word = lx.is(Tok.Word) ? lx.raw : '';
    const kind = word.startsWith('dbg_') ? word.slice(4) : '';
    if (!['declare', 'value', 'assign', 'label', 'declare_value'].includes(kind))
      this.fail('expected debug record type here');
    lx.next();
    this.expect(Tok.LParen, "Expected '(' here");
    const operands: Metadata[] = [];
    const comma = (): void => this.expect(Tok.Comma, "Expected ',' here");
    if (kind === 'label') {
      operands.push(this.parseMDNode());
      comma();
    } else {
      operands.push(this.parseMetadata(true));
      comma();
      operands.push(this.parseMDNode());
      comma();
      operands.push(this.parseMDNode());
      comma();
      if (kind === 'assign') {
        operands.push(this.parseMDNode());
        comma();
        operands.push(this.parseMetadata(true));
        comma();
        operands.push(this.parseMDNode());
        comma();
      }
    }
    operands.push(this.parseMDNode());
    this.expect(Tok.RParen, "Expected ')' here");
    return { kind, operands, offset: loc };
  }

  // -- instructions -------------------------------------------------------------------------------------------------

  private make(
    opcode: Opcode,
    type: IRType,
    operands: Value[],
    flags: number,
    block: BasicBlock,
    offset: number,
  ): Instruction {
    return new Instruction(opcode, type, null, operands, flags, block, offset);
  }

  private parseInstruction(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const kind = lx.kind;
    if (kind === Tok.Eof) this.fail('found end of file when expecting more instructions');
    const loc = lx.start;
    if (kind < FIRST_KEYWORD || kind > LAST_OPCODE) return this.parseMarkedCall(block, offset);
    lx.next();
    const opcode = (kind - FIRST_KEYWORD) as Opcode;
    switch (opcode) {
      case Opcode.Add:
      case Opcode.Sub:
      case Opcode.Mul:
      case Opcode.Shl:
        return this.parseBinary(opcode, false, this.parseWrapFlags(), block, offset);
      case Opcode.FAdd:
      case Opcode.FSub:
      case Opcode.FMul:
      case Opcode.FDiv:
      case Opcode.FRem:
        return this.parseBinary(opcode, true, this.parseFastMath(), block, offset);
      case Opcode.SDiv:
      case Opcode.UDiv:
      case Opcode.LShr:
      case Opcode.AShr:
        return this.parseBinary(opcode, false, this.eat(Tok.KExact) ? InstFlag.Exact : 0, block, offset);
      case Opcode.URem:
      case Opcode.SRem:
      case Opcode.And:
      case Opcode.Xor:
        return this.parseBinary(opcode, false, 0, block, offset);
      case Opcode.Or:
        return this.parseBinary(opcode, false, this.eat(Tok.KDisjoint) ? InstFlag.Disjoint : 0, block, offset);
      case Opcode.FNeg:
        return this.parseFNeg(block, offset);
      case Opcode.ICmp:
      case Opcode.FCmp:
        return this.parseCompare(opcode, block, offset);
      case Opcode.Trunc:
        return this.parseCast(opcode, this.parseWrapFlags(), block, offset);
      case Opcode.ZExt:
      case Opcode.UIToFP:
      case Opcode.SIToFP:
        return this.parseCast(opcode, this.parseIntegerCastFlags(opcode), block, offset);
      case Opcode.FPTrunc:
      case Opcode.FPExt:
        return this.parseCast(opcode, this.parseFastMath(), block, offset);
      case Opcode.SExt:
      case Opcode.FPToUI:
      case Opcode.FPToSI:
      case Opcode.PtrToInt:
      case Opcode.PtrToAddr:
      case Opcode.IntToPtr:
      case Opcode.BitCast:
      case Opcode.AddrSpaceCast:
        return this.parseCast(opcode, 0, block, offset);
      case Opcode.Select:
        return this.parseSelect(block, offset);
      case Opcode.Phi:
        return this.parsePhi(block, offset);
      case Opcode.Freeze:
        return this.parseFreeze(block, offset);
      case Opcode.Alloca:
        return this.parseAlloca(block, offset);
      case Opcode.Load:
        return this.parseLoad(block, offset);
      case Opcode.Store:
        return this.parseStore(block, offset);
      case Opcode.CmpXchg:
        return this.parseCmpXchg(block, offset);
      case Opcode.AtomicRMW:
        return this.parseAtomicRMW(block, offset);
      case Opcode.Fence:
        return this.parseFence(block, offset);
      case Opcode.GetElementPtr:
        return this.parseGEP(block, offset);
      case Opcode.ExtractElement:
        return this.parseExtractElement(block, offset);
      case Opcode.InsertElement:
        return this.parseInsertElement(block, offset);
      case Opcode.ShuffleVector:
        return this.parseShuffleVector(block, offset);
      case Opcode.ExtractValue:
        return this.parseExtractValue(block, offset);
      case Opcode.InsertValue:
        return this.parseInsertValue(block, offset);
      case Opcode.Call:
        return this.parseCall(block, offset, 0);
      case Opcode.VAArg:
        return this.parseVAArg(block, offset);
      case Opcode.Ret:
        return this.parseRet(block, offset);
      case Opcode.Br:
        return this.parseBr(block, offset);
      case Opcode.Switch:
        return this.parseSwitch(block, offset);
      case Opcode.IndirectBr:
        return this.parseIndirectBr(block, offset);
      case Opcode.Invoke:
      case Opcode.CallBr:
        return this.parseInvoke(opcode, block, offset);
      case Opcode.Resume:
        return this.parseResume(block, offset);
      case Opcode.LandingPad:
        return this.parseLandingPad(block, offset);
      case Opcode.CatchPad:
      case Opcode.CleanupPad:
        return this.parseFuncletPad(opcode, block, offset);
      case Opcode.CatchSwitch:
        return this.parseCatchSwitch(block, offset);
      case Opcode.CatchRet:
        return this.parseCatchRet(block, offset);
      case Opcode.CleanupRet:
        return this.parseCleanupRet(block, offset);
      case Opcode.Unreachable:
        return this.make(opcode, this.types.void_, [], 0, block, offset);
      default:
        return this.fail('expected instruction opcode', loc);
    }
  }

  private parseMarkedCall(block: BasicBlock, offset: number): Instruction {
    const kind = this.lx.kind;
    if (kind !== Tok.KTail && kind !== Tok.KMusttail && kind !== Tok.KNotail) this.fail('expected instruction opcode');
    this.lx.next();
    const flag = kind === Tok.KTail ? InstFlag.Tail : kind === Tok.KMusttail ? InstFlag.MustTail : InstFlag.NoTail;
    this.expect(Tok.KCall, "expected 'tail call', 'musttail call', or 'notail call'");
    return this.parseCall(block, offset, flag);
  }

  private parseFNeg(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const flags = this.parseFastMath();
    const at = lx.start;
    const v = this.parseTypeAndValue();
    if (!v.type.scalar.isFloatingPoint) this.fail('invalid operand type for instruction', at);
    return this.make(Opcode.FNeg, v.type, [v], flags, block, offset);
  }

  private parseFreeze(block: BasicBlock, offset: number): Instruction {
    const v = this.parseTypeAndValue();
    return this.make(Opcode.Freeze, v.type, [v], 0, block, offset);
  }

  private parseFence(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const syncScope = this.parseSyncScope();
    const ordering = this.parseOrdering();
    if (ordering === 'unordered') this.fail('fence cannot be unordered', lx.start);
    if (ordering === 'monotonic') this.fail('fence cannot be monotonic', lx.start);
    const inst = this.make(Opcode.Fence, this.types.void_, [], InstFlag.Atomic, block, offset);
    inst.atomic = { syncScope, ordering, failureOrdering: '', operation: '' };
    return inst;
  }

  private parseExtractElement(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const at = lx.start;
    const v = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after extract value");
    const index = this.parseTypeAndValue();
    if (!v.type.isVector || index.type.kind !== TypeKind.Integer) this.fail('invalid extractelement operands', at);
    return this.make(Opcode.ExtractElement, v.type.elements[0], [v, index], 0, block, offset);
  }

  private parseInsertElement(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const at = lx.start;
    const v = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after insertelement value");
    const element = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after insertelement value");
    const index = this.parseTypeAndValue();
    if (!v.type.isVector || element.type !== v.type.elements[0] || index.type.kind !== TypeKind.Integer)
      this.fail('invalid insertelement operands', at);
    return this.make(Opcode.InsertElement, v.type, [v, element, index], 0, block, offset);
  }

  private parseShuffleVector(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const at = lx.start;
    const a = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after shuffle mask");
    const b = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after shuffle value");
    const maskValue = this.parseTypeAndValue();
    const mask = this.shuffleMask(maskValue);
    if (mask === null || !a.type.isVector || a.type !== b.type || mask.some((m) => m >= 2 * a.type.n))
      this.fail('invalid shufflevector operands', at);
    const scalable = maskValue.type.kind === TypeKind.ScalableVector;
    const type = this.types.vector(a.type.elements[0], mask.length, scalable);
    const inst = this.make(Opcode.ShuffleVector, type, [a, b], 0, block, offset);
    inst.indices = mask;
    return inst;
  }

  private parseExtractValue(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const at = lx.start;
    const v = this.parseTypeAndValue();
    const indices = this.parseIndexList();
    if (!v.type.isAggregate) this.fail('extractvalue operand must be aggregate type', at);
    const type = aggregateElement(v.type, indices);
    if (type === null) this.fail('invalid indices for extractvalue', at);
    const inst = this.make(Opcode.ExtractValue, type, [v], 0, block, offset);
    inst.indices = indices;
    return inst;
  }

  private parseInsertValue(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const at = lx.start;
    const v = this.parseTypeAndValue();
    this.expect(Tok.Comma, 'expected comma after insertvalue operand');
    const at2 = lx.start;
    const element = this.parseTypeAndValue();
    const indices = this.parseIndexList();
    if (!v.type.isAggregate) this.fail('insertvalue operand must be aggregate type', at);
    const type = aggregateElement(v.type, indices);
    if (type === null) this.fail('invalid indices for insertvalue', at);
    if (type !== element.type) {
      this.fail(
        `insertvalue operand and field disagree in type: '${this.typeName(element.type)}' instead of '${this.typeName(type)}'`,
        at2,
      );
    }
    const inst = this.make(Opcode.InsertValue, v.type, [v, element], 0, block, offset);
    inst.indices = indices;
    return inst;
  }

  private parseVAArg(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const v = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after vaarg operand");
    const at = lx.start;
    const type = this.parseType();
    if (!type.isFirstClass) this.fail('va_arg requires operand with first class type', at);
    return this.make(Opcode.VAArg, type, [v], 0, block, offset);
  }

  private parseIndirectBr(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const at = lx.start;
    const address = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after indirectbr address");
    this.expect(Tok.LSquare, "expected '[' with indirectbr");
    if (address.type.kind !== TypeKind.Pointer) this.fail('indirectbr address must have pointer type', at);
    const blocks: BasicBlock[] = [];
    if (!lx.is(Tok.RSquare)) {
      do blocks.push(this.parseTypeAndBlock());
      while (this.eat(Tok.Comma));
    }
    this.expect(Tok.RSquare, "expected ']' at end of block list");
    const inst = this.make(Opcode.IndirectBr, this.types.void_, [address], 0, block, offset);
    inst.blocks = blocks;
    return inst;
  }

  private parseResume(block: BasicBlock, offset: number): Instruction {
    const v = this.parseTypeAndValue();
    return this.make(Opcode.Resume, this.types.void_, [v], 0, block, offset);
  }

  private parseLandingPad(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const type = this.parseType('expected type', true);
    const flags = this.eat(Tok.KCleanup) ? InstFlag.Cleanup : 0;
    const operands: Value[] = [];
    const indices: number[] = [];
    while (lx.is(Tok.KCatch) || lx.is(Tok.KFilter)) {
      const isFilter = lx.is(Tok.KFilter);
      indices.push(isFilter ? 1 : 0);
      lx.next();
      const at = lx.start;
      const clause = this.parseTypeAndValue();
      const isArray = clause.type.kind === TypeKind.Array;
      if (isArray !== isFilter) this.fail(`'${isFilter ? 'filter' : 'catch'}' clause has an invalid type`, at);
      operands.push(clause);
    }
    const inst = this.make(Opcode.LandingPad, type, operands, flags, block, offset);
    inst.indices = indices;
    return inst;
  }

  private parseFuncletPad(opcode: Opcode, block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    if (opcode === Opcode.CatchPad) this.expect(Tok.KWithin, "expected 'within' after catchpad");
    else this.expect(Tok.KWithin, "expected 'within' after cleanuppad");
    const parent = this.parseValue(this.types.token);
    const operands = [parent];
    this.expect(Tok.LSquare, "expected '[' in catchpad/cleanuppad");
    while (!lx.is(Tok.RSquare)) {
      if (operands.length > 1) this.expect(Tok.Comma, "expected ',' in argument list");
      const type = this.parseType();
      operands.push(type.kind === TypeKind.Metadata ? this.parseMetadataAsValue() : this.parseValue(type));
    }
    lx.next();
    return this.make(opcode, this.types.token, operands, 0, block, offset);
  }

  private parseCatchSwitch(block: BasicBlock, offset: number): Instruction {
    this.expect(Tok.KWithin, "expected 'within' after catchswitch");
    const parent = this.parseValue(this.types.token);
    this.expect(Tok.LSquare, "expected '[' with catchswitch labels");
    const blocks: BasicBlock[] = [];
    do blocks.push(this.parseTypeAndBlock());
    while (this.eat(Tok.Comma));
    this.expect(Tok.RSquare, "expected ']' after catchswitch labels");
    this.expect(Tok.KUnwind, "expected 'unwind' after catchswitch scope");
    const inst = this.make(Opcode.CatchSwitch, this.types.token, [parent], 0, block, offset);
    if (this.eat(Tok.KTo)) this.expect(Tok.KCaller, "expected 'caller' in catchswitch");
    else {
      blocks.push(this.parseTypeAndBlock());
      inst.indices = [1];
    }
    inst.blocks = blocks;
    return inst;
  }

  private parseCatchRet(block: BasicBlock, offset: number): Instruction {
    this.expect(Tok.KFrom, "expected 'from' after catchret");
    const pad = this.parseValue(this.types.token);
    this.expect(Tok.KTo, "expected 'to' in catchret");
    const inst = this.make(Opcode.CatchRet, this.types.void_, [pad], 0, block, offset);
    inst.blocks = [this.parseTypeAndBlock()];
    return inst;
  }

  private parseCleanupRet(block: BasicBlock, offset: number): Instruction {
    this.expect(Tok.KFrom, "expected 'from' after cleanupret");
    const pad = this.parseValue(this.types.token);
    this.expect(Tok.KUnwind, "expected 'unwind' in cleanupret");
    const inst = this.make(Opcode.CleanupRet, this.types.void_, [pad], 0, block, offset);
    if (this.eat(Tok.KTo)) this.expect(Tok.KCaller, "expected 'caller' in cleanupret");
    else inst.blocks = [this.parseTypeAndBlock()];
    return inst;
  }

  private parseWrapFlags(): number {
    let flags = 0;
    for (;;) {
      if (this.eat(Tok.KNuw)) flags |= InstFlag.NUW;
      else if (this.eat(Tok.KNsw)) flags |= InstFlag.NSW;
      else return flags;
    }
  }

  /** Flags of zext, uitofp and sitofp. */
  private parseIntegerCastFlags(opcode: Opcode): number {
    const isFast = opcode !== Opcode.ZExt && this.module.dialect.rules.fastMathOnIntegerCasts;
    const fast = isFast ? this.parseFastMath() : 0;
    return fast | (opcode !== Opcode.SIToFP && this.eat(Tok.KNneg) ? InstFlag.NNeg : 0);
  }

  private parseFastMath(): number {
    let flags = 0;
    for (;;) {
      switch (this.lx.peek()) {
        case Tok.KFast:
          flags |= InstFlag.Fast;
          break;
        case Tok.KNnan:
          flags |= InstFlag.NNan;
          break;
        case Tok.KNinf:
          flags |= InstFlag.NInf;
          break;
        case Tok.KNsz:
          flags |= InstFlag.NSZ;
          break;
        case Tok.KArcp:
          flags |= InstFlag.ARcp;
          break;
        case Tok.KContract:
          flags |= InstFlag.Contract;
          break;
        case Tok.KAfn:
          flags |= InstFlag.AFn;
          break;
        case Tok.KReassoc:
          flags |= InstFlag.Reassoc;
          break;
        default:
          return flags;
      }
      this.lx.next();
    }
  }

  private parseBinary(opcode: Opcode, isFP: boolean, flags: number, block: BasicBlock, offset: number): Instruction {
    const loc = this.lx.start;
    const type = this.parseType();
    const a = this.parseValue(type);
    const isLogical = opcode === Opcode.And || opcode === Opcode.Or || opcode === Opcode.Xor;
    this.expect(Tok.Comma, isLogical ? "expected ',' in logical operation" : "expected ',' in arithmetic operation");
    const b = this.parseValue(type);
    const scalar = type.scalar;
    if (isFP ? !scalar.isFloatingPoint : scalar.kind !== TypeKind.Integer) {
      this.fail(
        isLogical ? 'instruction requires integer or integer vector operands' : 'invalid operand type for instruction',
        loc,
      );
    }
    return this.make(opcode, type, [a, b], flags, block, offset);
  }

  private parseCompare(opcode: Opcode, block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    let flags = 0;
    if (opcode === Opcode.FCmp) flags = this.parseFastMath();
    else if (this.eat(Tok.KSamesign)) flags = InstFlag.SameSign;
    const predicate = lx.raw;
    if (opcode === Opcode.FCmp) {
      if (!FP_PREDICATES.has(predicate)) this.fail("expected fcmp predicate (e.g. 'oeq')");
    } else if (!INT_PREDICATES.has(predicate)) this.fail("expected icmp predicate (e.g. 'eq')");
    lx.next();
    const loc = lx.start;
    const type = this.parseType();
    const a = this.parseValue(type);
    this.expect(Tok.Comma, "expected ',' after compare value");
    const b = this.parseValue(type);
    const scalar = type.scalar;
    if (opcode === Opcode.FCmp) {
      if (!scalar.isFloatingPoint) this.fail('fcmp requires floating point operands', loc);
    } else if (scalar.kind !== TypeKind.Integer && scalar.kind !== TypeKind.Pointer) {
      this.fail('icmp requires integer operands', loc);
    }
    const result = type.isVector
      ? this.types.vector(this.types.i1, type.n, type.kind === TypeKind.ScalableVector)
      : this.types.i1;
    const inst = this.make(opcode, result, [a, b], flags, block, offset);
    inst.predicate = predicate;
    return inst;
  }

  private parseCast(opcode: Opcode, flags: number, block: BasicBlock, offset: number): Instruction {
    const loc = this.lx.start;
    const v = this.parseTypeAndValue();
    this.expect(Tok.KTo, "expected 'to' after cast value");
    const type = this.parseType();
    if (!isValidCast(opcode, v.type, type)) {
      this.fail(`invalid cast opcode for cast from '${this.typeName(v.type)}' to '${this.typeName(type)}'`, loc);
    }
    return this.make(opcode, type, [v], flags, block, offset);
  }

  private parseSelect(block: BasicBlock, offset: number): Instruction {
    const flags = this.parseFastMath();
    const loc = this.lx.start;
    const c = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after select condition");
    const a = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after select value");
    const b = this.parseTypeAndValue();
    if (a.type !== b.type) this.fail('select values must have same type', loc);
    if (a.type.kind === TypeKind.Token) this.fail('select values cannot have token type', loc);
    if (c.type.isVector) {
      if (c.type.elements[0] !== this.types.i1) this.fail('vector select condition element type must be i1', loc);
      if (!a.type.isVector) this.fail('selected values for vector select must be vectors', loc);
      if (c.type.n !== a.type.n || c.type.kind !== a.type.kind)
        this.fail('vector select requires selected vectors to have the same vector length as select condition', loc);
    } else if (c.type !== this.types.i1) this.fail('select condition must be i1 or <n x i1>', loc);
    return this.make(Opcode.Select, a.type, [c, a, b], flags, block, offset);
  }

  private parsePhi(block: BasicBlock, offset: number): Instruction {
    const flags = this.parseFastMath();
    const lx = this.lx;
    const loc = lx.start;
    const type = this.parseType();
    if (!type.isFirstClass) this.fail('phi node must have first class type', loc);
    const operands: Value[] = [];
    const blocks: BasicBlock[] = [];
    let isFirst = true;
    for (;;) {
      if (isFirst) {
        if (!lx.is(Tok.LSquare)) break;
        isFirst = false;
      } else {
        if (!this.eat(Tok.Comma)) break;
        if (lx.is(Tok.MetadataVar)) {
          this.sawComma = true;
          break;
        }
      }
      this.expect(Tok.LSquare, "expected '[' in phi value list");
      operands.push(this.parseValue(type));
      this.expect(Tok.Comma, "expected ',' after insertelement value");
      blocks.push(this.parseBlockRef());
      this.expect(Tok.RSquare, "expected ']' in phi value list");
    }
    const inst = this.make(Opcode.Phi, type, operands, flags, block, offset);
    inst.blocks = blocks;
    return inst;
  }

  /** A `%block` where a label is due. */
  private parseBlockRef(): BasicBlock {
    const lx = this.lx;
    const loc = lx.start;
    if (lx.is(Tok.LocalVar)) {
      const name = lx.str;
      lx.next();
      return this.state.getBlock(name, -1, loc);
    }
    if (lx.is(Tok.LocalID)) {
      const id = lx.id;
      lx.next();
      return this.state.getBlock(null, id, loc);
    }
    this.parseValue(this.types.label);
    return this.fail('expected a basic block', loc);
  }

  private parseTypeAndBlock(): BasicBlock {
    const lx = this.lx;
    const loc = lx.start;
    const type = this.parseType();
    if (type.kind === TypeKind.Label) return this.parseBlockRef();
    const v = this.parseValue(type);
    if (v instanceof BasicBlock) return v;
    return this.fail('expected a basic block', loc);
  }

  private parseAlloca(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    let flags = 0;
    if (this.eat(Tok.KInalloca)) flags |= InstFlag.InAlloca;
    if (this.eat(Tok.KSwifterror)) flags |= InstFlag.SwiftError;
    const typeLoc = lx.start;
    const type = this.parseType();
    if (type.kind === TypeKind.Function || !isValidPointee(type)) this.fail('invalid type for alloca', typeLoc);
    let align = 0;
    let space = 0;
    let size: Value | null = null;
    let sizeLoc = 0;
    if (this.eat(Tok.Comma)) {
      if (lx.is(Tok.KAlign)) {
        align = this.parseOptionalAlignment();
        space = this.parseCommaAddrSpace(space);
      } else if (lx.is(Tok.KAddrspace)) {
        space = this.parseOptionalAddrSpace(space);
      } else if (lx.is(Tok.MetadataVar)) {
        this.sawComma = true;
      } else {
        sizeLoc = lx.start;
        size = this.parseTypeAndValue();
        if (this.eat(Tok.Comma)) {
          if (lx.is(Tok.KAlign)) {
            align = this.parseOptionalAlignment();
            space = this.parseCommaAddrSpace(space);
          } else if (lx.is(Tok.KAddrspace)) {
            space = this.parseOptionalAddrSpace(space);
          } else if (lx.is(Tok.MetadataVar)) this.sawComma = true;
        }
      }
    }
    if (size !== null && size.type.kind !== TypeKind.Integer)
      this.fail('element count must have integer type', sizeLoc);
    if (align === 0 && !isSized(type)) this.fail('Cannot allocate unsized type', typeLoc);
    const operands = [size ?? this.constants.smallInt(this.types.i32, 1)];
    const inst = this.make(Opcode.Alloca, this.types.pointer(space), operands, flags, block, offset);
    inst.auxType = type;
    inst.align = align !== 0 ? align : allocaAlign(type);
    return inst;
  }

  private parseCommaAddrSpace(space: number): number {
    while (this.eat(Tok.Comma)) {
      if (this.lx.is(Tok.MetadataVar)) {
        this.sawComma = true;
        return space;
      }
      if (!this.lx.is(Tok.KAddrspace)) this.fail("expected metadata or 'addrspace'");
      space = this.parseOptionalAddrSpace(space);
    }
    return space;
  }

  /** `, align N` before metadata. */
  private parseCommaAlign(): number {
    let align = 0;
    while (this.eat(Tok.Comma)) {
      if (this.lx.is(Tok.MetadataVar)) {
        this.sawComma = true;
        return align;
      }
      if (!this.lx.is(Tok.KAlign)) this.fail("expected metadata or 'align'");
      align = this.parseOptionalAlignment();
    }
    return align;
  }

  private parseSyncScope(): string {
    if (!this.eat(Tok.KSyncscope)) return '';
    const lx = this.lx;
    const start = lx.start;
    if (!this.eat(Tok.LParen)) this.fail("Expected '(' in syncscope", start);
    const at = lx.start;
    if (!lx.is(Tok.String)) this.fail('Expected synchronization scope name', at);
    const scope = lx.str;
    lx.next();
    if (!this.eat(Tok.RParen)) this.fail("Expected ')' in syncscope");
    return scope;
  }

  private parseOrdering(): string {
    const ordering = ATOMIC_ORDERINGS.get(this.lx.kind);
    if (ordering === undefined) this.fail('Expected ordering on atomic instruction');
    this.lx.next();
    return ordering;
  }

  private parseLoad(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    let flags = 0;
    if (this.eat(Tok.KAtomic)) flags |= InstFlag.Atomic;
    if (this.eat(Tok.KVolatile)) flags |= InstFlag.Volatile;
    const typeLoc = lx.start;
    const type = this.parseType();
    this.expect(Tok.Comma, "expected comma after load's type");
    const loc = lx.start;
    const p = this.parseTypeAndValue();
    let atomic: AtomicInfo | null = null;
    if ((flags & InstFlag.Atomic) !== 0) {
      const syncScope = this.parseSyncScope();
      atomic = { syncScope, ordering: this.parseOrdering(), failureOrdering: '', operation: '' };
    }
    const align = this.parseCommaAlign();
    if (p.type.kind !== TypeKind.Pointer || !type.isFirstClass)
      this.fail('load operand must be a pointer to a first class type', loc);
    if (atomic !== null && align === 0) this.fail('atomic load must have explicit non-zero alignment', loc);
    if (atomic !== null && (atomic.ordering === 'release' || atomic.ordering === 'acq_rel'))
      this.fail('atomic load cannot use Release ordering', loc);
    if (align === 0 && !isSized(type)) this.fail('loading unsized types is not allowed', typeLoc);
    const inst = this.make(Opcode.Load, type, [p], flags, block, offset);
    inst.atomic = atomic;
    inst.align = align !== 0 ? align : defaultAlign(type);
    return inst;
  }

  private parseStore(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    let flags = 0;
    if (this.eat(Tok.KAtomic)) flags |= InstFlag.Atomic;
    if (this.eat(Tok.KVolatile)) flags |= InstFlag.Volatile;
    const loc = lx.start;
    const v = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after store operand");
    const ptrLoc = lx.start;
    const p = this.parseTypeAndValue();
    let atomic: AtomicInfo | null = null;
    if ((flags & InstFlag.Atomic) !== 0) {
      const syncScope = this.parseSyncScope();
      atomic = { syncScope, ordering: this.parseOrdering(), failureOrdering: '', operation: '' };
    }
    const align = this.parseCommaAlign();
    if (p.type.kind !== TypeKind.Pointer) this.fail('store operand must be a pointer', ptrLoc);
    if (!v.type.isFirstClass) this.fail('store operand must be a first class value', loc);
    if (atomic !== null && align === 0) this.fail('atomic store must have explicit non-zero alignment', loc);
    if (atomic !== null && (atomic.ordering === 'acquire' || atomic.ordering === 'acq_rel'))
      this.fail('atomic store cannot use Acquire ordering', loc);
    if (align === 0 && !isSized(v.type)) this.fail('storing unsized types is not allowed', loc);
    const inst = this.make(Opcode.Store, this.types.void_, [v, p], flags, block, offset);
    inst.atomic = atomic;
    inst.align = align !== 0 ? align : defaultAlign(v.type);
    return inst;
  }

  private parseCmpXchg(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    let flags = InstFlag.Atomic as number;
    if (this.eat(Tok.KWeak)) flags |= InstFlag.Weak;
    if (this.eat(Tok.KVolatile)) flags |= InstFlag.Volatile;
    const ptrLoc = lx.start;
    const p = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after cmpxchg address");
    const cmpLoc = lx.start;
    const c = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after cmpxchg cmp operand");
    const newLoc = lx.start;
    const n = this.parseTypeAndValue();
    const syncScope = this.parseSyncScope();
    const ordering = this.parseOrdering();
    const failureOrdering = this.parseOrdering();
    const align = this.parseCommaAlign();
    if (ordering === 'unordered') this.fail('invalid cmpxchg success ordering', lx.start);
    if (failureOrdering === 'unordered' || failureOrdering === 'release' || failureOrdering === 'acq_rel')
      this.fail('invalid cmpxchg failure ordering', lx.start);
    if (p.type.kind !== TypeKind.Pointer) this.fail('cmpxchg operand must be a pointer', ptrLoc);
    if (c.type !== n.type) this.fail('compare value and new value type do not match', newLoc);
    if (!n.type.isFirstClass) this.fail('cmpxchg operand must be a first class value', newLoc);
    if (!isSized(c.type)) this.fail('cmpxchg operand must be sized', cmpLoc);
    const type = this.types.struct([c.type, this.types.i1]);
    const inst = this.make(Opcode.CmpXchg, type, [p, c, n], flags, block, offset);
    inst.atomic = { syncScope, ordering, failureOrdering, operation: '' };
    inst.align = align !== 0 ? align : atomicAlign(c.type);
    return inst;
  }

  private parseAtomicRMW(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    let flags = InstFlag.Atomic as number;
    if (this.eat(Tok.KVolatile)) flags |= InstFlag.Volatile;
    const operation = lx.raw;
    if (!RMW_OPERATIONS.has(operation)) this.fail('expected binary operation in atomicrmw');
    lx.next();
    const ptrLoc = lx.start;
    const p = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after atomicrmw address");
    const valLoc = lx.start;
    const v = this.parseTypeAndValue();
    const syncScope = this.parseSyncScope();
    const ordering = this.parseOrdering();
    const align = this.parseCommaAlign();
    if (ordering === 'unordered') this.fail('atomicrmw cannot be unordered', lx.start);
    if (p.type.kind !== TypeKind.Pointer) this.fail('atomicrmw operand must be a pointer', ptrLoc);
    const t = v.type;
    if (operation === 'xchg') {
      if (t.kind !== TypeKind.Integer && !t.isFloatingPoint && t.kind !== TypeKind.Pointer)
        this.fail('atomicrmw xchg operand must be an integer, floating point, or pointer type', valLoc);
    } else if (FP_RMW.has(operation)) {
      if (!t.scalar.isFloatingPoint) this.fail(`atomicrmw ${operation} operand must be a floating point type`, valLoc);
    } else if (t.kind !== TypeKind.Integer) {
      this.fail(`atomicrmw ${operation} operand must be an integer`, valLoc);
    }
    const bytes = storeBytes(t);
    if (bytes < 1 || (bytes & (bytes - 1)) !== 0)
      this.fail('atomicrmw operand must be power-of-two byte-sized integer', valLoc);
    const inst = this.make(Opcode.AtomicRMW, t, [p, v], flags, block, offset);
    inst.atomic = { syncScope, ordering, failureOrdering: '', operation };
    inst.align = align !== 0 ? align : atomicAlign(t);
    return inst;
  }

  private parseGEP(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    let flags = 0;
    for (;;) {
      if (this.eat(Tok.KInbounds)) flags |= InstFlag.InBounds | InstFlag.NUSW;
      else if (this.eat(Tok.KNusw)) flags |= InstFlag.NUSW;
      else if (this.eat(Tok.KNuw)) flags |= InstFlag.NUW;
      else break;
    }
    const source = this.parseType();
    this.expect(Tok.Comma, "expected comma after getelementptr's type");
    const loc = lx.start;
    const p = this.parseTypeAndValue();
    let type = p.type;
    if (type.scalar.kind !== TypeKind.Pointer) this.fail('base of getelementptr must be a pointer', loc);
    const operands = [p];
    while (this.eat(Tok.Comma)) {
      if (lx.is(Tok.MetadataVar)) {
        this.sawComma = true;
        break;
      }
      const at = lx.start;
      const v = this.parseTypeAndValue();
      if (v.type.scalar.kind !== TypeKind.Integer) this.fail('getelementptr index must be an integer', at);
      if (v.type.isVector) {
        if (type.isVector && type.n !== v.type.n)
          this.fail('getelementptr vector index has a wrong number of elements', at);
        if (!type.isVector) type = this.types.vector(type, v.type.n, v.type.kind === TypeKind.ScalableVector);
      }
      operands.push(v);
    }
    if (operands.length > 1 && !isSized(source)) this.fail('base element of getelementptr must be sized', loc);
    if (indexedType(source, operands, 1) === null) this.fail('invalid getelementptr indices', loc);
    const inst = this.make(Opcode.GetElementPtr, type, operands, flags, block, offset);
    inst.auxType = source;
    return inst;
  }

  /** `, N, N...` of extractvalue and insertvalue. */
  private parseIndexList(): number[] {
    const lx = this.lx;
    if (!lx.is(Tok.Comma)) this.fail("expected ',' as start of index list");
    const indices: number[] = [];
    while (this.eat(Tok.Comma)) {
      if (lx.is(Tok.MetadataVar)) {
        if (indices.length === 0) this.fail('expected index');
        this.sawComma = true;
        break;
      }
      indices.push(this.parseUInt32());
    }
    return indices;
  }

  private parseRet(block: BasicBlock, offset: number): Instruction {
    const loc = this.lx.start;
    const want = this.state.fn.returnType;
    const type = this.parseType('expected type', true);
    if (type.kind === TypeKind.Void) {
      if (want.kind !== TypeKind.Void)
        this.fail(`value doesn't match function result type '${this.typeName(want)}'`, loc);
      return this.make(Opcode.Ret, this.types.void_, [], 0, block, offset);
    }
    const v = this.parseValue(type);
    if (want !== v.type) this.fail(`value doesn't match function result type '${this.typeName(want)}'`, loc);
    return this.make(Opcode.Ret, this.types.void_, [v], 0, block, offset);
  }

  private parseBr(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const loc = lx.start;
    if (lx.is(Tok.KLabel)) {
      const inst = this.make(Opcode.Br, this.types.void_, [], 0, block, offset);
      inst.blocks = [this.parseTypeAndBlock()];
      return inst;
    }
    const c = this.parseTypeAndValue();
    if (c instanceof BasicBlock) {
      const inst = this.make(Opcode.Br, this.types.void_, [], 0, block, offset);
      inst.blocks = [c];
      return inst;
    }
    if (c.type !== this.types.i1) this.fail("branch condition must have 'i1' type", loc);
    this.expect(Tok.Comma, "expected ',' after branch condition");
    const a = this.parseTypeAndBlock();
    this.expect(Tok.Comma, "expected ',' after true destination");
    const b = this.parseTypeAndBlock();
    const inst = this.make(Opcode.Br, this.types.void_, [c], 0, block, offset);
    inst.blocks = [a, b];
    return inst;
  }

  private parseSwitch(block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const loc = lx.start;
    const c = this.parseTypeAndValue();
    this.expect(Tok.Comma, "expected ',' after switch condition");
    const blocks = [this.parseTypeAndBlock()];
    this.expect(Tok.LSquare, "expected '[' with switch table");
    if (c.type.kind !== TypeKind.Integer) this.fail('switch condition must have integer type', loc);
    const operands: Value[] = [c];
    const seen = new Set<Value>();
    while (!lx.is(Tok.RSquare)) {
      const at = lx.start;
      const v = this.parseTypeAndValue();
      this.expect(Tok.Comma, "expected ',' after case value");
      blocks.push(this.parseTypeAndBlock());
      if (seen.has(v)) this.fail('duplicate case value in switch', at);
      seen.add(v);
      if (v.kind !== ValueKind.ConstantInt) this.fail('case value is not a constant integer', at);
      operands.push(v);
    }
    lx.next();
    const inst = this.make(Opcode.Switch, this.types.void_, operands, 0, block, offset);
    inst.blocks = blocks;
    return inst;
  }

  /** Attributes `#N` of call sites and functions joined with the ones written out, which a group overrides. */
  protected joinGroups(b: AttrBuilder, refs: readonly number[]): AttributeSet | null {
    if (refs.length === 1 && b.isEmpty) {
      const known = this.groupRefs.get(refs[0]);
      if (known !== undefined) return known;
      const set = this.module.attributeGroups.get(refs[0]) ?? null;
      const res = set === null || set.isEmpty ? null : set;
      this.groupRefs.set(refs[0], res);
      return res;
    }
    if (refs.length === 0) return b.finish();
    for (const n of refs) {
      const set = this.module.attributeGroups.get(n);
      if (set !== undefined) b.merge(set);
    }
    return b.finish();
  }

  private parseCallFnAttrs(): AttributeSet | null {
    const k = this.lx.kind;
    if (k !== Tok.AttrGrpID && k !== Tok.String && k < Tok.Word) return null;
    if (k === Tok.LSquare) return null;
    const b = new AttrBuilder();
    const refs: number[] = [];
    this.parseFnAttrs(b, refs);
    return this.joinGroups(b, refs);
  }

  private parseCall(block: BasicBlock, offset: number, tailFlag: number): Instruction {
    const lx = this.lx;
    const callLoc = lx.prevEnd - 4;
    const flags = tailFlag | this.parseFastMath();
    const callingConv = this.parseOptionalCallingConv();
    const retAttrs = this.parseParamAttrs(true);
    const addressSpace = this.parseOptionalAddrSpace(0);
    const retLoc = lx.start;
    const retType = this.parseType('expected type', true);
    const call = this.parseCallTail(
      retType,
      retLoc,
      callLoc,
      callingConv,
      retAttrs,
      addressSpace,
      tailFlag === InstFlag.MustTail,
    );
    const inst = this.make(Opcode.Call, call.info.fnType.elements[0], call.operands, flags, block, offset);
    inst.call = call.info;
    const callee = call.operands[call.operands.length - 1];
    if (callee.name !== null && callee.name.startsWith('llvm.dbg.') && callee instanceof IRFunction) {
      if (/^llvm\.dbg\.(declare|value|label|assign)$/.test(callee.name)) {
        if (this.sawDebugRecord)
          this.fail('llvm.dbg intrinsic should not appear in a module using non-intrinsic debug info', callLoc);
        this.sawDebugIntrinsic = true;
      }
    }
    if ((flags & InstFlag.Fast) !== 0 && !isFPLike(inst.type))
      this.fail('fast-math-flags specified for call without floating-point scalar or vector return type', callLoc);
    return inst;
  }

  /** Callee, arguments, attributes and bundles; `operands` are the arguments, then the callee. */
  private parseCallTail(
    retType: IRType,
    retLoc: number,
    callLoc: number,
    callingConv: number,
    retAttrs: AttributeSet | null,
    addressSpace: number,
    isMustTail: boolean,
  ): { info: CallInfo; operands: Value[] } {
    const lx = this.lx;
    const calleeLoc = lx.start;
    // The callee is only looked up once its type is known from the arguments.
    let calleeKind = lx.kind;
    const calleeName = calleeKind === Tok.GlobalVar || calleeKind === Tok.LocalVar ? lx.str : null;
    const calleeId = lx.id;
    let asm: InlineAsm | null = null;
    let calleePos = -1;
    if (calleeKind === Tok.KAsm) asm = this.parseInlineAsm(null);
    else if (
      calleeKind === Tok.GlobalVar ||
      calleeKind === Tok.GlobalID ||
      calleeKind === Tok.LocalVar ||
      calleeKind === Tok.LocalID
    ) {
      lx.next();
    } else {
      calleePos = lx.start;
      calleeKind = Tok.Eof;
    }
    let constantCallee: Value | null = null;
    let calleeError: IRError | null = null;
    if (calleePos >= 0) {
      try {
        constantCallee = this.parseValue(this.types.pointer(addressSpace));
      } catch (e) {
        // LLVM checks the callee's type only after the arguments.
        if (!(e instanceof IRError) || e.offset !== calleePos || lx.start === calleePos) throw e;
        calleeError = e;
      }
    }
    this.expect(Tok.LParen, "expected '(' in call");
    const { operands, argLocs, paramAttrs } = this.parseArguments(isMustTail);
    const fnAttrs = this.parseCallFnAttrs();
    const bundles = this.parseBundles();
    let fnType: IRType;
    if (retType.kind === TypeKind.Function) fnType = retType;
    else {
      if (retType.kind === TypeKind.Label || retType.kind === TypeKind.Metadata)
        this.fail('Invalid result type for LLVM function', retLoc);
      fnType = this.types.fn(
        retType,
        operands.map((o) => o.type),
        false,
      );
    }
    let callee: Value;
    if (asm !== null) {
      const problem = constraintProblem(fnType, asm.constraints);
      if (problem !== null) this.fail(problem, calleeLoc);
      callee = new InlineAsm(
        asm.type,
        fnType,
        asm.text,
        asm.constraints,
        asm.hasSideEffects,
        asm.isAlignStack,
        asm.isIntel,
        asm.canUnwind,
      );
    } else {
      if (calleeError !== null) throw calleeError;
      const pointer = this.types.pointer(addressSpace);
      if (constantCallee !== null) callee = constantCallee;
      else if (calleeKind === Tok.GlobalVar) callee = this.getGlobal(calleeName, -1, pointer, calleeLoc);
      else if (calleeKind === Tok.GlobalID) callee = this.getGlobal(null, calleeId, pointer, calleeLoc);
      else if (calleeKind === Tok.LocalVar) callee = this.state.getLocal(calleeName!, pointer, calleeLoc);
      else callee = this.state.getLocalById(calleeId, pointer, calleeLoc);
      if (callee instanceof GlobalPlaceholder && calleeName !== null) {
        const entry = this.undefinedGlobals.get(calleeName);
        if (entry !== undefined) entry.callType ??= fnType;
        this.noteUndefinedCallee(operands, callee);
      }
    }
    this.checkArguments(fnType, operands, argLocs, callLoc);
    operands.push(callee);
    return { info: { fnType, callingConv, addressSpace, retAttrs, paramAttrs, fnAttrs, bundles }, operands };
  }

  /** What stands between the parentheses of a call; the opening one has been read. */
  private parseArguments(isMustTail: boolean): {
    operands: Value[];
    argLocs: number[];
    paramAttrs: (AttributeSet | null)[];
  } {
    const lx = this.lx;
    const operands: Value[] = [];
    const argLocs: number[] = [];
    const paramAttrs: (AttributeSet | null)[] = [];
    let hasAttrs = false;
    let sawDots = false;
    while (!lx.is(Tok.RParen)) {
      if (operands.length > 0) this.expect(Tok.Comma, "expected ',' in argument list");
      if (lx.is(Tok.DotDotDot)) {
        const lead = 'unexpected ellipsis in argument list for ';
        if (!isMustTail) this.fail(lead + 'non-musttail call');
        if (!this.state.fn.fnType.flag) this.fail(lead + 'musttail call in non-varargs function');
        lx.next();
        sawDots = true;
        break;
      }
      argLocs.push(lx.start);
      const argLoc = lx.start;
      const type = this.parseType();
      if (!isValidArgument(type)) this.fail('invalid type for function argument', argLoc);
      if (type.kind === TypeKind.Metadata) {
        operands.push(this.parseMetadataAsValue());
        paramAttrs.push(null);
        continue;
      }
      const attrs = this.parseParamAttrs(false);
      if (attrs !== null) hasAttrs = true;
      paramAttrs.push(attrs);
      operands.push(this.parseValue(type));
    }
    if (isMustTail && !sawDots && this.state.fn.fnType.flag)
      this.fail("expected '...' at end of argument list for musttail call in varargs function");
    this.expect(Tok.RParen, "expected ')' at end of argument list");
    return { operands, argLocs, paramAttrs: hasAttrs ? paramAttrs : [] };
  }

  private checkArguments(
    fnType: IRType,
    operands: readonly Value[],
    argLocs: readonly number[],
    callLoc: number,
  ): void {
    const params = fnType.elements;
    const nParams = params.length - 1;
    for (let i = 0; i < operands.length; i++) {
      if (i >= nParams) {
        if (!fnType.flag) this.fail('too many arguments specified', argLocs[i]);
        break;
      }
      if (params[i + 1] !== operands[i].type)
        this.fail(`argument is not of expected type '${this.typeName(params[i + 1])}'`, argLocs[i]);
    }
    if (operands.length < nParams) this.fail('not enough parameters specified for call', callLoc);
  }

  /** Hook: a call of a global that the text never defines (an intrinsic that is declared implicitly). */
  protected noteUndefinedCallee(_operands: Value[], _callee: GlobalPlaceholder): void {}

  private parseBundles(): OperandBundle[] {
    const lx = this.lx;
    if (!lx.is(Tok.LSquare)) return NO_BUNDLES;
    const begin = lx.start;
    lx.next();
    const bundles: OperandBundle[] = [];
    while (!lx.is(Tok.RSquare)) {
      if (bundles.length > 0) this.expect(Tok.Comma, "expected ',' in input list");
      const tag = this.parseString();
      this.expect(Tok.LParen, "expected '(' in operand bundle");
      const operands: Value[] = [];
      while (!lx.is(Tok.RParen)) {
        if (operands.length > 0) this.expect(Tok.Comma, "expected ',' in input list");
        const type = this.parseType();
        operands.push(type.kind === TypeKind.Metadata ? this.parseMetadataAsValue() : this.parseValue(type));
      }
      lx.next();
      bundles.push({ tag, operands });
    }
    if (bundles.length === 0) this.fail('operand bundle set must not be empty', begin);
    lx.next();
    return bundles;
  }

  private parseInvoke(opcode: Opcode, block: BasicBlock, offset: number): Instruction {
    const lx = this.lx;
    const callLoc = lx.prevEnd - 6;
    const callingConv = this.parseOptionalCallingConv();
    const retAttrs = this.parseParamAttrs(true);
    const addressSpace = this.parseOptionalAddrSpace(0);
    const retLoc = lx.start;
    const retType = this.parseType('expected type', true);
    const call = this.parseCallTail(retType, retLoc, callLoc, callingConv, retAttrs, addressSpace, false);
    const blocks: BasicBlock[] = [];
    if (opcode === Opcode.Invoke) {
      this.expect(Tok.KTo, "expected 'to' in invoke");
      blocks.push(this.parseTypeAndBlock());
      this.expect(Tok.KUnwind, "expected 'unwind' in invoke");
      blocks.push(this.parseTypeAndBlock());
    } else {
      this.expect(Tok.KTo, "expected 'to' in callbr");
      blocks.push(this.parseTypeAndBlock());
      this.expect(Tok.LSquare, "expected '[' in callbr");
      if (!lx.is(Tok.RSquare)) {
        do blocks.push(this.parseTypeAndBlock());
        while (this.eat(Tok.Comma));
      }
      this.expect(Tok.RSquare, "expected ']' at end of block list");
    }
    const inst = this.make(opcode, call.info.fnType.elements[0], call.operands, 0, block, offset);
    inst.call = call.info;
    inst.blocks = blocks;
    return inst;
  }
}

const NO_BUNDLES: OperandBundle[] = [];

/** Type that literal indices reach in an aggregate, null if they are invalid. */
function aggregateElement(type: IRType, indices: readonly number[]): IRType | null {
  let t = type;
  for (const i of indices) {
    if (t.kind === TypeKind.Struct) {
      if (i >= t.elements.length) return null;
      t = t.elements[i];
    } else if (t.kind === TypeKind.Array) {
      if (i >= t.n) return null;
      t = t.elements[0];
    } else return null;
  }
  return t;
}

/** Whether fast-math flags make sense on a call with that result. */
function isFPLike(t: IRType): boolean {
  while (t.kind === TypeKind.Array) t = t.elements[0];
  if (t.kind === TypeKind.Struct && t.elements.length > 0) {
    return t.elements.every((e) => e === t.elements[0]) && isFPLike(t.elements[0]);
  }
  return t.scalar.isFloatingPoint;
}
