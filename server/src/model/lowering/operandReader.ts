/** Operands that are no registers, and the trailers of an instruction (MIParser::parseMachineOperand, LLVM 22). */
import { CFI_WORDS, FPType, IntFlag, NameFlag, NO_NODE, STRIDE, SyntaxKind, type Node } from '../../syntax/tree.js';
import { OperandKind, type InstrExtra } from '../machineFunction.js';
import type { Reg } from '../register.js';
import { intrinsicBaseName } from '../../ir/intrinsics.js';
import { floatText, readFloat } from '../../ir/floatText.js';
import { IRFunction } from '../../ir/module.js';
import { readAsmWords, unknownAsmWord } from '../inlineAsm.js';
import { parseWaits, waitFieldsOf } from '../waitMnemonics.js';
import { MAX_INT_BITS, parseFPLiteral, printFP, type FPType as FPTypeName } from '../numbers.js';
import { TARGET_FLAG_WORDS } from '../printer/instrPrinter.js';
import { WORDLESS } from '../../text/diagnostic.js';
import { BlockLineReader } from './blockLines.js';
import type { Complaint } from './chunkReader.js';
import { parseDelayAlu } from './delayAlu.js';
import { isExpressionWord } from './dwarfOps.js';
import { printLocation } from './metadataText.js';
import {
  isMetadataDefined,
  resolveFixedStackObject,
  resolveGlobal,
  resolveStackObject,
  undefinedGlobal,
} from './references.js';

const FP_TYPE_NAMES: readonly FPTypeName[] = ['half', 'bfloat', 'float', 'double', 'x86_fp80', 'fp128', 'ppc_fp128'];

const TARGET_INDEX_WORDS: readonly string[] = [
  'amdgpu-constdata-start',
  'amdgpu-scratch-rsrc-dword0',
  'amdgpu-scratch-rsrc-dword1',
  'amdgpu-scratch-rsrc-dword2',
  'amdgpu-scratch-rsrc-dword3',
];

/** Registers that have a DWARF number (the DwarfRegNum entries of SIRegisterInfo.td). */
const DWARF_REGISTER = /^(?:[sva]gpr[0-9]+|exec|exec_lo|pc_reg)$/;

/** Locations within each other in one operand: their texts contain each other. */
const MAX_LOCATIONS = 2000;

/** Sub-classes of DIScope. */
const SCOPE_CLASSES =
  /^DI(?:Subprogram|LexicalBlock|LexicalBlockFile|File|CompileUnit|Namespace|Module|CommonBlock|\w+Type)$/;

export class OperandReader extends BlockLineReader {
  // -- other operands ----------------------------------------------------------------------------------------------

  protected operand(n: Node, kind: SyntaxKind): Complaint | null {
    const { tree } = this;
    switch (kind) {
      case SyntaxKind.Immediate:
        this.add(n, OperandKind.Immediate, 0, tree.value(n), tree.aux(n));
        return null;
      case SyntaxKind.BlockRef:
        return this.blockReference(n);
      case SyntaxKind.SubRegIndexOperand:
        return this.subRegIndex(n);
      case SyntaxKind.TypedImmediate:
        return this.unknownAsmWord(n) ?? this.typedImmediate(n);
      case SyntaxKind.FPImmediate:
        return this.fpImmediate(n);
      case SyntaxKind.StackObject:
        return this.frameIndex(
          n,
          resolveStackObject(this.context, tree.value(n) >>> 0, this.optionalName(tree.aux(n))),
        );
      case SyntaxKind.FixedStackObject:
        return this.frameIndex(n, resolveFixedStackObject(this.context, tree.value(n) >>> 0));
      case SyntaxKind.ConstantPoolItem:
        return this.constantPoolItem(n);
      case SyntaxKind.JumpTableIndex:
        return this.jumpTableIndex(n);
      case SyntaxKind.Global: {
        const name = resolveGlobal(this.context, tree, n);
        if (name === null) return this.complaint(n, 'undefined-global', undefinedGlobal(tree, n, this.slice(n)));
        return this.addPayload(n, { kind: OperandKind.GlobalAddress, name, offset: this.offset(n) });
      }
      case SyntaxKind.ExternalSymbol: {
        const symbol = this.nameText(n);
        return this.addPayload(n, { kind: OperandKind.ExternalSymbol, symbol, offset: this.offset(n) });
      }
      case SyntaxKind.MCSymbol:
        return this.addPayload(n, { kind: OperandKind.MCSymbol, symbol: this.nameText(n) });
      case SyntaxKind.BlockAddress:
        return this.blockAddress(n);
      case SyntaxKind.TargetIndex:
        return this.targetIndex(n);
      case SyntaxKind.Metadata: {
        const node = tree.value(n) >>> 0;
        return this.checkMetadata(n) ?? this.addMetadata(n, this.context.metadata.text(node), node);
      }
      case SyntaxKind.DIExpression:
        return this.expression(n);
      case SyntaxKind.DILocation:
        return this.checkLocation(n) ?? this.addMetadata(n, this.locationText(n), -1);
      case SyntaxKind.Intrinsic:
        return this.intrinsic(n);
      case SyntaxKind.Predicate: {
        const isInt = (tree.flags(n) & 1) !== 0;
        return this.addPayload(n, { kind: OperandKind.Predicate, isInt, name: this.nameText(n) });
      }
      case SyntaxKind.ShuffleMask:
        return this.shuffleMask(n);
      case SyntaxKind.LaneMask: {
        const c = tree.childOfKind(n, SyntaxKind.Integer);
        this.add(n, OperandKind.LaneMask, 0, tree.value(c), tree.aux(c));
        return null;
      }
      case SyntaxKind.InlineAsmWords:
        return this.inlineAsmWords(n);
      case SyntaxKind.NameOperand:
        return this.unknownAsmWord(n) ?? this.namedMask(n);
      case SyntaxKind.CustomRegMask:
      case SyntaxKind.LiveOut:
        return this.registerSet(n, kind);
      case SyntaxKind.DbgInstrRef: {
        const a = tree.firstChild(n);
        const b = a === NO_NODE ? NO_NODE : tree.nextSibling(a, n);
        this.add(n, OperandKind.DbgInstrRef, 0, tree.value(a), b === NO_NODE ? 0 : tree.value(b));
        return null;
      }
      case SyntaxKind.CFIOperand:
        return this.cfiOperand(n);
      case SyntaxKind.TargetMnemonic:
        return this.targetMnemonic(n);
      default:
        return null;
    }
  }

  /** What is wrong with the names of an operand that breaks off: LLVM looks each up before it reads on. */
  protected incompleteOperand(n: Node, kind: SyntaxKind): Complaint | null {
    const { tree } = this;
    switch (kind) {
      case SyntaxKind.TargetFlags:
        return this.targetFlags(n);
      case SyntaxKind.TargetIndex:
        return tree.childOfKind(n, SyntaxKind.Name) === NO_NODE ? null : this.targetIndex(n);
      case SyntaxKind.CustomRegMask:
      case SyntaxKind.LiveOut:
        return this.registerSet(n, kind);
      case SyntaxKind.CFIOperand:
        return this.cfiOperand(n);
      case SyntaxKind.DIExpression:
        return this.expression(n);
      case SyntaxKind.Global:
        return this.operand(n, kind);
      case SyntaxKind.BlockAddress:
        return tree.childOfKind(n, SyntaxKind.Global) === NO_NODE ? null : this.blockAddress(n);
      default:
        return null;
    }
  }

  private blockReference(n: Node): null {
    const { tree } = this;
    const nameId = tree.aux(n);
    this.blockReferences.push({
      operand: this.nOperands,
      number: tree.value(n) >>> 0,
      name: nameId < 0 ? null : this.context.names.text(nameId),
      start: tree.start(n),
      end: tree.end(n),
    });
    this.add(n, OperandKind.MBB, 0, -1);
    return null;
  }

  private subRegIndex(n: Node): Complaint | null {
    const idx = this.context.names.subReg(this.tree.value(n));
    if (idx <= 0) return this.complaint(n, 'unknown-subregister', `unknown subregister index '${this.nameText(n)}'`);
    this.add(n, OperandKind.Immediate, 0, idx);
    return null;
  }

  private fpImmediate(n: Node): Complaint | null {
    const { tree } = this;
    const literal = tree.childOfKind(n, SyntaxKind.FPLiteral);
    const type = FP_TYPE_NAMES[tree.value(n) as FPType];
    const text = this.slice(literal);
    const { decimalFloats } = this.context.subtarget.release.rules;
    if (!decimalFloats && text.startsWith('f0x'))
      return this.complaint(literal, 'bad-constant', 'expected a floating point literal');
    const r = decimalFloats && !/^-?0x/.test(text) ? readFloat(type, text) : parseFPLiteral(type, text);
    if ('error' in r) return this.complaint(literal, 'bad-constant', r.error);
    const { bits } = r;
    return this.addPayload(n, {
      kind: OperandKind.FPImmediate,
      type,
      text: `${type} ${decimalFloats ? floatText(type, bits) : printFP(type, bits)}`,
      bits,
    });
  }

  /** `index`, or why there is none. */
  private frameIndex(n: Node, index: number | string): Complaint | null {
    if (typeof index === 'string') return this.complaint(n, 'undefined-stack-object', index);
    this.add(n, OperandKind.FrameIndex, 0, index);
    return null;
  }

  private constantPoolItem(n: Node): Complaint | null {
    const id = this.tree.value(n) >>> 0;
    const index = this.context.constantIds.get(id);
    if (index === undefined) return this.complaint(n, 'undefined-constant', `use of undefined constant '%const.${id}'`);
    return this.addPayload(n, { kind: OperandKind.ConstantPoolIndex, index, offset: this.offset(n) });
  }

  private jumpTableIndex(n: Node): Complaint | null {
    const id = this.tree.value(n) >>> 0;
    const index = this.context.jumpTableIds.get(id);
    if (index === undefined)
      return this.complaint(n, 'undefined-jump-table', `use of undefined jump table '%jump-table.${id}'`);
    return this.addPayload(n, { kind: OperandKind.JumpTableIndex, index });
  }

  private targetIndex(n: Node): Complaint | null {
    const nameNode = this.tree.childOfKind(n, SyntaxKind.Name);
    const name = nameNode === NO_NODE ? '' : this.nameText(nameNode);
    if (!TARGET_INDEX_WORDS.includes(name) || !this.context.tables.isAMDGCN)
      return this.complaint(nameNode, 'undefined-target-index', `use of undefined target index '${name}'`);
    return this.addPayload(n, { kind: OperandKind.TargetIndex, name, offset: this.offset(n) });
  }

  private addMetadata(n: Node, text: string, node: number): null {
    return this.addPayload(n, { kind: OperandKind.Metadata, text, node });
  }

  private expression(n: Node): Complaint | null {
    const { tree } = this;
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) !== SyntaxKind.Name || isExpressionWord(this.nameText(c))) continue;
      return this.complaint(c, 'bad-expression', `invalid DWARF op '${this.nameText(c)}'`);
    }
    return this.addMetadata(n, this.expressionText(n), -1);
  }

  private intrinsic(n: Node): Complaint | null {
    const { tree } = this;
    const g = tree.childOfKind(n, SyntaxKind.Global);
    const name = intrinsicBaseName(g === NO_NODE ? '' : this.nameText(g), this.context.subtarget.release.intrinsics);
    if (name === null) {
      const complaint = this.complaint(g, 'unknown-intrinsic', 'unknown intrinsic name');
      return { ...complaint, llcOffset: this.nextToken(tree.end(n)) };
    }
    return this.addPayload(n, { kind: OperandKind.IntrinsicID, name });
  }

  private shuffleMask(n: Node): null {
    const { tree } = this;
    const mask: number[] = [];
    // Of each number the low 32 bits.
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      mask.push(tree.kind(c) === SyntaxKind.Undef ? -1 : tree.value(c));
    }
    return this.addPayload(n, { kind: OperandKind.ShuffleMask, mask });
  }

  /** A word without mark names a register mask; everything else starts like a typed immediate, or should. */
  private namedMask(n: Node): Complaint | null {
    const mask = this.context.names.regMask(this.tree.value(n));
    if (mask >= 0) return this.addPayload(n, { kind: OperandKind.RegisterMask, mask, regs: [] });
    if (/^[isp][0-9]+$/.test(this.nameText(n))) {
      const complaint = this.complaint(n, 'bad-operand', 'expected an integer literal');
      return { ...complaint, llcOffset: this.nextToken(this.tree.end(n)) };
    }
    return this.complaint(n, 'bad-operand', this.notTyped(this.nameText(n)));
  }

  /** What LLVM says of a word that is no typed immediate. */
  private notTyped(word: string): string {
    const { hasFloatLLTs } = this.context.subtarget.release.rules;
    if ((hasFloatLLTs ? /^(?:[isfp]|bf)/ : /^[isp]/).test(word))
      return hasFloatLLTs
        ? "expected integers after 'i'/'s'/'f'/'bf'/'p' type identifier"
        : "expected integers after 'i'/'s'/'p' type character";
    return hasFloatLLTs
      ? "a typed immediate operand should start with one of 'i', 's', 'f', 'bf', or 'p'"
      : "a typed immediate operand should start with one of 'i', 's', or 'p'";
  }

  /** In INLINEASM every bare word is read as one of its own (MIParser::parseSymbolicInlineAsmOperand). */
  private unknownAsmWord(n: Node): Complaint | null {
    if (!this.special.inlineAsm.has(this.opcode) || this.nOperands === this.begin) return null;
    if (!this.context.subtarget.release.rules.inlineAsmWords) return null;
    const [word] = /^[\w.$-]*/.exec(this.slice(n))!;
    return this.complaint(n, 'bad-operand', unknownAsmWord(word, this.nOperands === this.begin + 1));
  }

  private inlineAsmWords(n: Node): Complaint | null {
    const text = this.slice(n);
    if (!this.context.subtarget.release.rules.inlineAsmWords)
      return this.complaint(n, 'bad-operand', this.notTyped(text));
    const read = readAsmWords(text, this.context.tables);
    if (typeof read !== 'number')
      return { ...this.complaint(n, 'bad-operand', read.message), llcOffset: this.tree.start(n) + read.at };
    this.add(n, OperandKind.Immediate, 0, read, read >> 31);
    return null;
  }

  private registerSet(n: Node, kind: SyntaxKind.CustomRegMask | SyntaxKind.LiveOut): Complaint | null {
    const found = this.registerNames(n);
    if ('message' in found) return found;
    found.list.sort((a, b) => a - b);
    const regs = found.list.filter((r, i) => i === 0 || r !== found.list[i - 1]);
    if (kind === SyntaxKind.LiveOut) return this.addPayload(n, { kind: OperandKind.RegisterLiveOut, regs });
    return this.addPayload(n, { kind: OperandKind.RegisterMask, mask: -1, regs });
  }

  private targetMnemonic(n: Node): Complaint | null {
    if (!this.context.tables.isAMDGCN) return this.complaint(n, 'bad-mnemonic', 'expected a machine operand');
    const text = this.slice(n);
    const fields = waitFieldsOf(this.context.subtarget, this.opcode);
    if (this.opcode !== this.special.delayAlu && fields === null)
      return this.complaint(n, WORDLESS, `${text} is no immediate of this instruction`);
    const r = fields === null ? parseDelayAlu(text) : parseWaits(fields, text);
    if (typeof r !== 'number')
      return { ...this.complaint(n, 'bad-mnemonic', r.message), llcOffset: this.tree.start(n) + r.at };
    this.add(n, OperandKind.Immediate, 0, r);
    return null;
  }

  protected optionalName(id: number): string | null {
    return id < 0 ? null : this.context.names.text(id);
  }

  protected offset(n: Node): bigint {
    const c = this.tree.childOfKind(n, SyntaxKind.Offset);
    return c === NO_NODE ? 0n : this.tree.intBigInt(c);
  }

  protected typedImmediate(n: Node): Complaint | null {
    const { tree } = this;
    const typeNode = tree.firstChild(n);
    const word = this.nameText(typeNode);
    if (/^[isp](?![0-9]+$)/.test(word)) {
      return this.complaint(typeNode, 'bad-constant', this.notTyped('i'));
    }
    if (word[0] !== 'i') {
      const message = word[0] === 's' || word[0] === 'p' ? 'expected type' : this.notTyped('');
      return this.complaint(typeNode, 'bad-constant', message);
    }
    const bits = Number(word.slice(1));
    if (bits < 1 || bits > MAX_INT_BITS) {
      return this.complaint(typeNode, 'bad-constant', 'bitwidth for integer type out of range');
    }
    const valueNode = tree.nextSibling(typeNode, n);
    let value: bigint;
    if (tree.kind(valueNode) === SyntaxKind.Integer) {
      const isBig = (tree.flags(valueNode) & IntFlag.Big) !== 0;
      value = isBig ? BigInt(this.slice(valueNode)) : tree.intBigInt(valueNode);
    } else {
      if (bits !== 1) return this.complaint(valueNode, 'bad-constant', 'integer constant must have integer type');
      value = this.nameText(valueNode) === 'true' ? 1n : 0n;
    }
    return this.addPayload(n, { kind: OperandKind.CImmediate, bits, value: BigInt.asIntN(bits, value) });
  }

  protected blockAddress(n: Node): Complaint | null {
    const { tree } = this;
    const g = tree.childOfKind(n, SyntaxKind.Global);
    const b = tree.childOfKind(n, SyntaxKind.IRBlock);
    const name = resolveGlobal(this.context, tree, g);
    if (name === null) return this.complaint(g, 'undefined-global', undefinedGlobal(tree, g, this.slice(g)));
    const { module } = this.context;
    const isNumber = (tree.flags(g) & NameFlag.Numbered) !== 0;
    const value = module === null ? null : isNumber ? module.globalByNumber(Number(name)) : module.globalByName(name);
    if (module !== null && !(value instanceof IRFunction)) {
      return this.complaint(g, 'bad-block-address', 'expected an IR function reference');
    }
    // It breaks off before that.
    if (b === NO_NODE) return null;
    const block = this.findIRBlock(b, value instanceof IRFunction ? value : null);
    if (block === null) return this.complaint(b, 'undefined-ir-block', this.undefinedIRBlock(b));
    return this.addPayload(n, {
      kind: OperandKind.BlockAddress,
      fn: name,
      block: block.name ?? String(block.number),
      offset: this.offset(n),
    });
  }

  protected registerNames(n: Node): { readonly list: Reg[] } | Complaint {
    const { tree } = this;
    const list: Reg[] = [];
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) !== SyntaxKind.RegisterName) continue;
      const reg = this.context.names.reg(tree.value(c));
      if (reg < 0) return this.complaint(c, 'unknown-register', `unknown register name '${this.nameText(c)}'`);
      list.push(reg);
    }
    return { list };
  }

  protected cfiOperand(n: Node): Complaint | null {
    const { tree } = this;
    const word = CFI_WORDS[tree.value(n)];
    const parts: string[] = [];
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) === SyntaxKind.RegisterName) {
        let name = this.nameText(c);
        if (this.context.names.reg(tree.value(c)) < 0) {
          return this.complaint(c, 'unknown-register', `unknown register name '${name}'`);
        }
        if (!DWARF_REGISTER.test(name)) return this.complaint(c, 'no-dwarf-register', 'invalid DWARF register');
        // Both share a DWARF number, which reads back as the register of the wave's size.
        if (name === 'exec' && this.context.subtarget.wavefrontSize === 32) name = 'exec_lo';
        parts.push(`$${name}`);
      } else if (tree.kind(c) === SyntaxKind.Integer) {
        const value = tree.value(c);
        // An address space stands after a register and an offset.
        const isUnsigned = parts.length === 2;
        parts.push(
          word === 'escape' ? `0x${value.toString(16).padStart(2, '0')}` : String(isUnsigned ? value >>> 0 : value),
        );
      }
    }
    const text = `${word} ${parts.join(', ')}`;
    return this.addPayload(n, { kind: OperandKind.CFIIndex, text });
  }

  protected targetFlags(n: Node): Complaint | null {
    const { tree } = this;
    let isFirst = true;
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) !== SyntaxKind.Name) continue;
      const isOurs = isFirst && this.context.tables.isAMDGCN;
      const flag = isOurs ? (TARGET_FLAG_WORDS as readonly string[]).indexOf(this.nameText(c)) : -1;
      if (flag < 0) {
        return this.complaint(c, 'undefined-target-flag', `use of undefined target flag '${this.nameText(c)}'`);
      }
      this.pendingTargetFlags = flag + 1;
      isFirst = false;
    }
    return null;
  }

  // -- metadata ----------------------------------------------------------------------------------------------------

  protected checkMetadata(n: Node): Complaint | null {
    const number = this.tree.value(n) >>> 0;
    if (isMetadataDefined(this.context, number)) return null;
    return this.complaint(n, 'undefined-metadata', `use of undefined metadata '!${number}'`);
  }

  protected expressionText(n: Node): string {
    const { tree } = this;
    const parts: string[] = [];
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      parts.push(tree.kind(c) === SyntaxKind.Name ? this.nameText(c) : this.slice(c));
    }
    return `!DIExpression(${parts.join(', ')})`;
  }

  /** In the order of the text, those within others too, to any depth. */
  protected checkLocation(n: Node): Complaint | null {
    const { tree } = this;
    const end = tree.next(n);
    let locations = 0;
    for (let c = n; c < end; c += STRIDE) {
      if (tree.kind(c) === SyntaxKind.DILocation) locations++;
      if (tree.kind(c) !== SyntaxKind.DILocationField) continue;
      const value = tree.firstChild(c);
      if (value === NO_NODE || tree.kind(value) !== SyntaxKind.Metadata) continue;
      const message = this.wrongLocationField(this.nameText(c), tree.value(value) >>> 0);
      if (message === '') continue;
      const complaint = this.complaint(value, 'bad-location', message);
      const start = tree.start(value);
      if (message.startsWith('use of')) return { ...complaint, llcOffset: start };
      const isUndefined = message === 'expected metadata node';
      const llcOffset = this.nextToken(isUndefined ? start + 1 : tree.end(value));
      return { ...complaint, llcOffset };
    }
    return locations > MAX_LOCATIONS ? this.complaint(n, 'bad-location', 'nested too deeply') : null;
  }

  /** Inner locations first: a later record is never around an earlier one. */
  protected locationText(n: Node): string {
    const { tree } = this;
    const texts = new Map<Node, string>();
    const locations: Node[] = [];
    for (let c = n, end = tree.next(n); c < end; c += STRIDE)
      if (tree.kind(c) === SyntaxKind.DILocation) locations.push(c);
    for (const location of locations.reverse()) {
      const fields = new Map<string, string>();
      for (let c = tree.firstChild(location); c !== NO_NODE; c = tree.nextSibling(c, location)) {
        const value = tree.firstChild(c);
        if (value === NO_NODE) continue;
        const isNode = tree.kind(value) === SyntaxKind.Metadata;
        // Numbers print without leading zeros.
        const text = isNode
          ? this.context.metadata.text(tree.value(value) >>> 0)
          : this.slice(value).replace(/^0+(?=\d)/, '');
        fields.set(this.nameText(c), texts.get(value) ?? text);
      }
      texts.set(location, this.context.metadata.locationText(printLocation((name) => fields.get(name))));
    }
    return texts.get(n) ?? '';
  }

  /** llc's message about `scope: !N` or `inlinedAt: !N`, '' when it is right. */
  protected wrongLocationField(field: string, number: number): string {
    if (!isMetadataDefined(this.context, number))
      return field === 'inlinedAt' ? `use of undefined metadata '!${number}'` : 'expected metadata node';
    const node = this.context.module?.metadataByNumber(number) ?? null;
    const className = node === null ? '' : node.className;
    if (field === 'scope' && !SCOPE_CLASSES.test(className)) return 'expected DIScope node';
    return field === 'inlinedAt' && className !== 'DILocation' ? 'expected DILocation node' : '';
  }

  protected trailer(n: Node, kind: SyntaxKind, extra: InstrExtra): Complaint | null {
    const { tree } = this;
    const child = tree.firstChild(n);
    if (child === NO_NODE) return null;
    switch (kind) {
      case SyntaxKind.PreInstrSymbol:
        extra.preInstrSymbol = this.nameText(child);
        return null;
      case SyntaxKind.PostInstrSymbol:
        extra.postInstrSymbol = this.nameText(child);
        return null;
      case SyntaxKind.CFIType:
        extra.cfiType = tree.intNumber(child);
        return null;
      case SyntaxKind.DebugInstrNumber:
        extra.debugInstrNumber = tree.intNumber(child);
        return null;
      case SyntaxKind.DeactivationSymbol: {
        const name = resolveGlobal(this.context, tree, child);
        if (name === null)
          return this.complaint(child, 'undefined-global', undefinedGlobal(tree, child, this.slice(child)));
        extra.deactivationSymbol = `@${name}`;
        return null;
      }
      default: {
        const isLocation = tree.kind(child) === SyntaxKind.DILocation;
        const complaint = isLocation ? this.checkLocation(child) : this.checkMetadata(child);
        if (complaint !== null) return complaint;
        const text = isLocation ? this.locationText(child) : this.context.metadata.text(tree.value(child) >>> 0);
        if (kind === SyntaxKind.HeapAllocMarker) extra.heapAllocMarker = text;
        else if (kind === SyntaxKind.PCSections) extra.pcSections = text;
        else if (kind === SyntaxKind.MMRA) {
          if (!this.context.subtarget.release.rules.hasMMRA)
            return this.complaint(n, 'bad-operand', this.notTyped('mmra'));
          extra.mmra = text;
        } else {
          if (!isLocation) {
            const node = this.context.module?.metadataByNumber(tree.value(child) >>> 0) ?? null;
            if (node !== null && node.className !== 'DILocation') {
              const message = 'referenced metadata is not a DILocation';
              return { ...this.complaint(child, 'bad-location', message), llcOffset: this.nextToken(tree.end(child)) };
            }
          }
          extra.debugLocation = text;
        }
        return null;
      }
    }
  }
}
