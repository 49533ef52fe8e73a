/**
 * What the nodes of a syntax tree must have in common with the text that they stand for, told from the text alone: ranges within
 * ranges, names and numbers as they are spelled, counts and indexes that agree with the nodes.
 */
import assert from 'node:assert/strict';
import {
  CFI_WORDS,
  ERROR_ON_NEXT_LINE,
  ErrorFlag,
  INSTR_FLAG_WORDS,
  IntFlag,
  LabelFlag,
  LLTFlag,
  MAX_INTERNED_SCALAR,
  MemOperandFlag,
  NameFlag,
  NO_NODE,
  RegFlag,
  RegKind,
  STRIDE,
  SyntaxKind,
  YamlFlag,
  yamlText,
  type Chunk,
  type MirFile,
  type Node,
  type Tree,
} from '../../server/src/syntax/index.js';
import { REGISTER_FLAGS } from './smallTexts/bodyTexts.js';

const FP_WORDS = ['half', 'bfloat', 'float', 'double', 'x86_fp80', 'fp128', 'ppc_fp128'];

/** How a node with a name in its value is spelled, `NAME` for the name. */
const NAMED: Readonly<Partial<Record<SyntaxKind, RegExp>>> = {
  [SyntaxKind.Opcode]: /^(.*)$/,
  [SyntaxKind.Name]: /^(.*)$/,
  [SyntaxKind.NameOperand]: /^(.*)$/,
  [SyntaxKind.SubRegIndex]: /^(.*)$/,
  [SyntaxKind.ClassOrBank]: /^(.*)$/,
  [SyntaxKind.AtomicOrdering]: /^(.*)$/,
  [SyntaxKind.RegisterName]: /^\$(.*)$/,
  [SyntaxKind.ExternalSymbol]: /^&(.*)$/s,
  [SyntaxKind.MCSymbol]: /^<mcsymbol (.*)>$/s,
  [SyntaxKind.SubRegIndexOperand]: /^%subreg\.(.*)$/,
  [SyntaxKind.String]: /^(".*")$/s,
  [SyntaxKind.IRConstant]: /^`(.*)`$/s,
  [SyntaxKind.LiveIn]: /^\$([\w$-]*)/,
  [SyntaxKind.SyncScope]: /^syncscope\s*\(\s*(".*")/s,
  [SyntaxKind.Predicate]: /^(?:int|float)pred\s*\(\s*(\w*)/,
  [SyntaxKind.DILocationField]: /^(\w+)/,
};
/** With a number in the value, or a name without NameFlag.Numbered. */
const NUMBERED: Readonly<Partial<Record<SyntaxKind, RegExp>>> = {
  [SyntaxKind.Global]: /^@(.*)$/s,
  [SyntaxKind.IRBlock]: /^%ir-block\.(.*)$/s,
  [SyntaxKind.IRValue]: /^%ir\.(.*)$/s,
};
/** With a number in the value and, after it, a name in aux. */
const PLACES: Readonly<Partial<Record<SyntaxKind, RegExp>>> = {
  [SyntaxKind.BlockLabel]: /^bb\.(\d+)(?:\.([\w$.-]*))?/,
  [SyntaxKind.Successor]: /^%bb\.(\d+)(?:\.([\w$.-]*))?/,
  [SyntaxKind.BlockRef]: /^%bb\.(\d+)(?:\.([\w$.-]*))?$/,
  [SyntaxKind.StackObject]: /^%stack\.(\d+)(?:\.([\w$.-]*))?$/,
};
const INDEXES: Readonly<Partial<Record<SyntaxKind, RegExp>>> = {
  [SyntaxKind.FixedStackObject]: /^%fixed-stack\.(\d+)$/,
  [SyntaxKind.ConstantPoolItem]: /^%const\.(\d+)(?:\s|[+-]|$)/,
  [SyntaxKind.JumpTableIndex]: /^%jump-table\.(\d+)$/,
};
/** Words that a node consists of or begins with. */
const WORDS: Readonly<Partial<Record<SyntaxKind, RegExp>>> = {
  [SyntaxKind.BundleOpen]: /^\{$/,
  [SyntaxKind.BundleClose]: /^\}$/,
  [SyntaxKind.Comment]: /^;[^\r\n]*$/,
  [SyntaxKind.Successors]: /^successors/,
  [SyntaxKind.LiveIns]: /^liveins/,
  [SyntaxKind.AttributeMachineBlockAddressTaken]: /^machine-block-address-taken$/,
  [SyntaxKind.AttributeIRBlockAddressTaken]: /^ir-block-address-taken/,
  [SyntaxKind.AttributeLandingPad]: /^landing-pad$/,
  [SyntaxKind.AttributeInlineAsmBrIndirectTarget]: /^inlineasm-br-indirect-target$/,
  [SyntaxKind.AttributeEHFuncletEntry]: /^ehfunclet-entry$/,
  [SyntaxKind.AttributeEHScopeEntry]: /^ehscope-entry$/,
  [SyntaxKind.AttributeAlign]: /^align/,
  [SyntaxKind.AttributeBBSections]: /^bbsections/,
  [SyntaxKind.AttributeBBId]: /^bb_id/,
  [SyntaxKind.AttributeCallFrameSize]: /^call-frame-size/,
  [SyntaxKind.BlockAddress]: /^blockaddress/,
  [SyntaxKind.TargetIndex]: /^target-index/,
  [SyntaxKind.DIExpression]: /^!DIExpression/,
  [SyntaxKind.DILocation]: /^!DILocation/,
  [SyntaxKind.Intrinsic]: /^intrinsic/,
  [SyntaxKind.ShuffleMask]: /^shufflemask/,
  [SyntaxKind.LaneMask]: /^lanemask/,
  [SyntaxKind.CustomRegMask]: /^CustomRegMask/,
  [SyntaxKind.LiveOut]: /^liveout/,
  [SyntaxKind.DbgInstrRef]: /^dbg-instr-ref/,
  [SyntaxKind.TargetMnemonic]: /^\./,
  [SyntaxKind.TargetFlags]: /^target-flags/,
  [SyntaxKind.TiedDef]: /^tied-def\s+\S+$/,
  [SyntaxKind.Undef]: /^undef$/,
  [SyntaxKind.FPLiteral]: /^-?[0-9][\w.+-]*$/,
  [SyntaxKind.PreInstrSymbol]: /^pre-instr-symbol/,
  [SyntaxKind.PostInstrSymbol]: /^post-instr-symbol/,
  [SyntaxKind.HeapAllocMarker]: /^heap-alloc-marker/,
  [SyntaxKind.PCSections]: /^pcsections/,
  [SyntaxKind.CFIType]: /^cfi-type/,
  [SyntaxKind.DeactivationSymbol]: /^deactivation-symbol/,
  [SyntaxKind.DebugInstrNumber]: /^debug-instr-number/,
  [SyntaxKind.DebugLocation]: /^debug-location/,
  [SyntaxKind.UnknownSize]: /^unknown-size$/,
  [SyntaxKind.UnknownAddress]: /^unknown-address$/,
  [SyntaxKind.StackPointer]: /^stack$/,
  [SyntaxKind.GOT]: /^got$/,
  [SyntaxKind.JumpTable]: /^jump-table$/,
  [SyntaxKind.ConstantPool]: /^constant-pool$/,
  [SyntaxKind.CallEntry]: /^call-entry/,
  [SyntaxKind.CustomPointer]: /^custom/,
  [SyntaxKind.MemAlign]: /^align/,
  [SyntaxKind.MemBaseAlign]: /^basealign/,
  [SyntaxKind.MemAddrSpace]: /^addrspace/,
  [SyntaxKind.MemTBAA]: /^!tbaa/,
  [SyntaxKind.MemAliasScope]: /^!alias\.scope/,
  [SyntaxKind.MemNoAlias]: /^!noalias(?!\.)/,
  [SyntaxKind.MemRange]: /^!range/,
  [SyntaxKind.MemNoAliasAddrSpace]: /^!noalias\.addrspace/,
};
/** Kinds whose numbers keep their sign. */
const SIGNED_PARENTS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.TypedImmediate,
  SyntaxKind.ShuffleMask,
  SyntaxKind.CFIOperand,
]);

const decoded = (spelled: string): string =>
  /["`\\]/.test(spelled) || spelled.startsWith('"')
    ? spelled
        .replace(/^"(.*)"$/s, '$1')
        .replace(/\\(\\|[0-9A-Fa-f]{2})/g, (_, e: string) => (e === '\\' ? e : String.fromCharCode(parseInt(e, 16))))
    : spelled;

class TreeText {
  constructor(
    private readonly file: MirFile,
    private readonly tree: Tree,
    private readonly base: number,
    private readonly length: number,
  ) {}

  text(n: Node): string {
    return this.file.text.text.slice(this.base + this.tree.start(n), this.base + this.tree.end(n));
  }

  private name(id: number): string {
    return this.file.interner.text(id);
  }

  /** Ranges: within the parent's, after the sibling before. */
  checkShape(check: (n: Node, parent: Node) => void): void {
    const { tree } = this;
    assert.equal(tree.data.length, tree.size);
    const walk = (from: number, to: number, parent: Node): void => {
      let last = parent < 0 ? 0 : tree.start(parent);
      const limit = parent < 0 ? this.length : tree.end(parent);
      for (let n = from; n < to; n = tree.next(n)) {
        const label = `${kindName(tree, n)} at ${tree.start(n)}-${tree.end(n)} below ${parent < 0 ? 'nothing' : kindName(tree, parent)}`;
        assert.ok(tree.next(n) >= n + STRIDE && tree.next(n) <= to, label);
        assert.ok(tree.start(n) <= tree.end(n), label);
        // What was skipped after an error may stand after the node's own text, and so may what has none.
        const kind = tree.kind(n);
        const isSkipped =
          kind === SyntaxKind.Error || kind === SyntaxKind.BundleOpen || kind === SyntaxKind.BundleClose;
        if (!isSkipped && tree.start(n) < tree.end(n)) {
          assert.ok(tree.start(n) >= last, `${label} begins before ${last}`);
          assert.ok(tree.end(n) <= limit, `${label} ends after ${limit}`);
          last = tree.end(n);
        }
        check(n, parent);
        walk(n + STRIDE, tree.next(n), n);
      }
    };
    walk(0, tree.size, NO_NODE);
  }

  private hasError(n: Node): boolean {
    const { tree } = this;
    for (let c = n; c < tree.next(n); c += STRIDE) if (tree.kind(c) === SyntaxKind.Error) return true;
    return false;
  }

  private integer(n: Node, parent: Node): void {
    const { tree } = this;
    const kind = tree.kind(n);
    let spelled = this.text(n).replace(/\s|\/\*.*?\*\//gs, '');
    // Where a number is wanted, any token with a number will do.
    spelled = spelled.replace(/^(?:%(?:[a-z-]+\.)?|@|bb\.)(\d+).*$/s, '$1');
    const flags = tree.flags(n);
    const isHex = /^0[xX]/.test(spelled);
    let sign = 1n;
    if (/^[+-]/.test(spelled)) {
      if (spelled.startsWith('-')) sign = -1n;
      spelled = spelled.slice(1);
    }
    if (spelled.startsWith('-')) {
      sign = -sign;
      spelled = spelled.slice(1);
    }
    const magnitude = BigInt(spelled);
    let value = sign * magnitude;
    const parentKind = parent < 0 ? SyntaxKind.None : tree.kind(parent);
    const keepsSign = kind !== SyntaxKind.Integer || SIGNED_PARENTS.has(parentKind);
    const isBig = (flags & IntFlag.Big) !== 0;
    // Of an offset only the sum's 64 bits count.
    const isNegative = (kind === SyntaxKind.Offset ? BigInt.asIntN(64, value) : value) < 0n;
    if (keepsSign || isBig) assert.equal((flags & IntFlag.Negative) !== 0, isNegative, spelled);
    assert.equal((flags & IntFlag.Hex) !== 0, isHex);
    if (isBig) {
      assert.ok(value >= 1n << 64n || value < -(1n << 63n), spelled);
      return;
    }
    if (!keepsSign && value < 0n) {
      // LLVM reads the fewest bits that hold it as if they had no sign.
      let bits = 0n;
      while (-(1n << bits) > value) bits++;
      value = BigInt.asUintN(Number(bits) + 1, value);
    }
    const high = BigInt.asIntN(32, value >> 32n);
    // Where 32 bits are wanted, there are no more.
    assert.deepEqual([tree.value(n), tree.aux(n)], [Number(BigInt.asIntN(32, value)), Number(high)], spelled);
  }

  private register(n: Node): void {
    const { tree } = this;
    const spelled = this.text(n);
    const flags = tree.flags(n);
    // Words alone, without a register.
    if (this.hasError(n) && tree.aux(n) === 0 && tree.value(n) === 0) return;
    const token = spelled.slice(tree.aux(n));
    const before = spelled
      .slice(0, tree.aux(n))
      .split(/\s+|\/\*.*?\*\//s)
      .filter((w) => w !== '');
    let bits = 0;
    for (const w of before) bits |= 1 << REGISTER_FLAGS.indexOf(w);
    assert.equal(flags & 1023, bits, spelled);
    switch (tree.regKind(n)) {
      case RegKind.None:
        assert.match(token, /^_/);
        assert.equal(tree.value(n), 0);
        break;
      case RegKind.Physical:
        assert.equal(this.name(tree.value(n)), /^\$([\w$-]*)/.exec(token)?.[1]);
        break;
      case RegKind.Virtual:
        assert.equal(tree.value(n) >>> 0, Number(/^%(\d+)/.exec(token)?.[1]));
        break;
      default:
        assert.equal(this.name(tree.value(n)), /^%([\w$-]+)/.exec(token)?.[1]);
    }
  }

  private lowLevelType(n: Node): void {
    const m = /^(?:<\s*(vscale\s+x\s+)?(-?\d+)\s+x\s+)?([sp])(\d+)\s*>?$/.exec(this.text(n));
    assert.ok(m !== null, this.text(n));
    const flags =
      (m[3] === 'p' ? LLTFlag.Pointer : 0) |
      (m[2] === undefined ? 0 : LLTFlag.Vector) |
      (m[1] === undefined ? 0 : LLTFlag.Scalable);
    const { tree } = this;
    assert.deepEqual([tree.flags(n), tree.value(n)], [flags, Number(BigInt.asUintN(64, BigInt(m[4])))]);
    if (m[2] === undefined || !m[2].startsWith('-'))
      assert.equal(tree.aux(n), Number(BigInt.asUintN(64, BigInt(m[2] ?? '1'))));
  }

  private instruction(n: Node): void {
    const { tree } = this;
    const opcode = tree.childOfKind(n, SyntaxKind.Opcode);
    if (opcode === NO_NODE) assert.deepEqual([tree.value(n), tree.aux(n)], [-1, 0]);
    else assert.deepEqual([tree.value(n), tree.aux(n)], [tree.value(opcode), opcode - n]);
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) === SyntaxKind.RegisterOperand && !this.hasError(c))
        assert.equal((tree.flags(c) & RegFlag.LeadingDef) !== 0, opcode === NO_NODE || c < opcode, this.text(n));
    }
    if (opcode === NO_NODE) return;
    let before = opcode === n + STRIDE ? tree.start(n) : 0;
    for (let c = tree.firstChild(n); c !== opcode; c = tree.nextSibling(c, n)) before = tree.end(c);
    const words = this.file.text.text
      .slice(this.base + before, this.base + tree.start(opcode))
      .split(/[\s=]+|\/\*.*?\*\//s);
    let flags = 0;
    for (const w of words) if (w !== '') flags |= 1 << INSTR_FLAG_WORDS.indexOf(w);
    assert.equal(tree.flags(n), flags, words.join(' '));
  }

  private memOperand(n: Node): void {
    const { tree } = this;
    if (tree.childOfKind(n, SyntaxKind.Error) !== NO_NODE) return;
    const words = new Set(
      this.text(n)
        .replace(/"[^"]*"|`[^`]*`|syncscope.*|\(\s*(?:<|[sp]\d).*|\d.*|unknown-size.*|from.*/gs, '')
        .split(/[\s(),]+/),
    );
    const wanted =
      (words.has('volatile') ? MemOperandFlag.Volatile : 0) |
      (words.has('non-temporal') ? MemOperandFlag.NonTemporal : 0) |
      (words.has('dereferenceable') ? MemOperandFlag.Dereferenceable : 0) |
      (words.has('invariant') ? MemOperandFlag.Invariant : 0) |
      (words.has('load') ? MemOperandFlag.Load : 0) |
      (words.has('store') ? MemOperandFlag.Store : 0);
    assert.equal(tree.flags(n), wanted, this.text(n));
  }

  private bodyNode(n: Node, parent: Node): void {
    const { tree } = this;
    const kind = tree.kind(n);
    const spelled = this.text(n);
    if (kind === SyntaxKind.Error) {
      assert.notEqual(tree.message(n), '');
      return;
    }
    const hasError = tree.childOfKind(n, SyntaxKind.Error) !== NO_NODE;
    const named = NAMED[kind];
    const numbered = NUMBERED[kind];
    const place = PLACES[kind];
    const index = INDEXES[kind];
    const word = WORDS[kind];
    const own =
      tree.childOfKind(n, SyntaxKind.Offset) === NO_NODE
        ? spelled
        : spelled.slice(0, tree.start(tree.childOfKind(n, SyntaxKind.Offset)) - tree.start(n)).trimEnd();
    if (word !== undefined) assert.match(spelled, word);
    if (place !== undefined) {
      const m = place.exec(spelled);
      if (m !== null && !hasError) {
        assert.equal(tree.value(n) >>> 0, Number(m[1]), spelled);
        assert.equal(tree.aux(n) < 0 ? '' : this.name(tree.aux(n)), m[2] ?? '', spelled);
      } else assert.ok(hasError, spelled);
    } else if (index !== undefined) {
      assert.equal(tree.value(n) >>> 0, Number(index.exec(spelled)?.[1]), spelled);
    } else if (numbered !== undefined && (tree.flags(n) & NameFlag.Numbered) !== 0) {
      const number = Number(own.replace(/^.*[@.]/s, ''));
      if (number < 2 ** 32) assert.equal(tree.value(n) >>> 0, number, spelled);
    } else if (named !== undefined || numbered !== undefined) {
      if (hasError && kind !== SyntaxKind.DILocationField) return;
      if (hasError && tree.value(n) === 0) return;
      const m = (named ?? numbered)?.exec(own);
      assert.ok(m, spelled);
      assert.equal(this.name(tree.value(n)), decoded(m[1]), spelled);
    } else this.otherNode(n, parent, kind, spelled);
  }

  private otherNode(n: Node, parent: Node, kind: SyntaxKind, spelled: string): void {
    const { tree } = this;
    switch (kind) {
      case SyntaxKind.Integer:
      case SyntaxKind.Immediate:
      case SyntaxKind.Offset:
        this.integer(n, parent);
        break;
      case SyntaxKind.Metadata:
        assert.equal(tree.value(n) >>> 0, Number(/(\d+)$/.exec(spelled)?.[1]), spelled);
        break;
      case SyntaxKind.RegisterOperand:
        this.register(n);
        break;
      case SyntaxKind.LowLevelType:
        this.lowLevelType(n);
        break;
      case SyntaxKind.FPImmediate:
        assert.ok(spelled.startsWith(FP_WORDS[tree.value(n)]), spelled);
        break;
      case SyntaxKind.CFIOperand:
        assert.equal(/^\w+/.exec(spelled)?.[0], CFI_WORDS[tree.value(n)]);
        break;
      case SyntaxKind.Instruction:
        this.instruction(n);
        break;
      case SyntaxKind.MemOperand:
        this.memOperand(n);
        break;
      default:
        assert.ok(WORDS[kind] !== undefined || kind === SyntaxKind.TypedImmediate, `kind ${kind}`);
    }
  }

  checkChunk(chunk: Chunk): void {
    const { tree } = this;
    const found: Record<'labels' | 'braces' | 'errors', number[]> = { labels: [], braces: [], errors: [] };
    let nInstrs = 0;
    let hasAttributeLines = false;
    this.checkShape((n, parent) => {
      const kind = tree.kind(n);
      if (kind === SyntaxKind.BlockLabel) {
        found.labels.push(n);
        if ((tree.flags(n) & LabelFlag.NoColon) === 0) assert.ok(this.text(n).endsWith(':'));
        else assert.ok(this.hasError(n));
      }
      if (kind === SyntaxKind.BundleOpen || kind === SyntaxKind.BundleClose) found.braces.push(n);
      if (kind === SyntaxKind.Error) {
        found.errors.push(n);
        const at = tree.aux(n);
        if (at !== ERROR_ON_NEXT_LINE)
          assert.ok(tree.start(n) + at >= 0 && tree.start(n) + at <= this.length, tree.message(n));
        else assert.equal(tree.start(n), tree.end(n));
        if ((tree.flags(n) & ErrorFlag.BehindBlankLines) !== 0) assert.equal(at, ERROR_ON_NEXT_LINE);
      }
      if (kind === SyntaxKind.Instruction) nInstrs++;
      if (kind === SyntaxKind.Successors || kind === SyntaxKind.LiveIns) hasAttributeLines = true;
      this.bodyNode(n, parent);
    });
    assert.deepEqual(
      [
        Array.from(chunk.labels),
        Array.from(chunk.braces),
        Array.from(chunk.errors),
        chunk.nInstrs,
        chunk.hasAttributeLines,
      ],
      [found.labels, found.braces, found.errors, nInstrs, hasAttributeLines],
    );
    const text = this.file.text.text.slice(this.base, this.base + chunk.length);
    const lines = text.split(/\r\n|\r|\n/);
    assert.equal(chunk.lines, lines.length - (lines.at(-1) === '' ? 1 : 0));
  }

  checkYaml(): void {
    const { tree, file } = this;
    this.checkShape((n) => {
      const kind = tree.kind(n);
      const flags = tree.flags(n);
      const spelled = this.text(n);
      let children = 0;
      for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) children++;
      if (kind === SyntaxKind.YamlMapping || kind === SyntaxKind.YamlSequence) {
        const isFailed = file.documents.some((d) => d.diagnostics.length > 0);
        if (!isFailed) assert.equal(tree.value(n), children);
        const first = /^[[{]/.test(spelled) && (flags & YamlFlag.Flow) !== 0;
        assert.equal((flags & YamlFlag.Flow) !== 0, first, spelled);
        if (first && !isFailed) {
          const inside = /^.(?:[ \t\r\n]|#[^\r\n]*)*/.exec(spelled)?.[0].length ?? 0;
          if (!spelled.slice(inside).startsWith('|')) assert.equal(tree.aux(n), tree.start(n) + inside, spelled);
          assert.match(spelled, /[\]}]$/);
        }
        return;
      }
      if (kind !== SyntaxKind.YamlScalar) {
        if (kind === SyntaxKind.YamlAlias) assert.match(spelled, /^\*./);
        if (kind === SyntaxKind.YamlNull) assert.equal(spelled, '');
        if (kind === SyntaxKind.YamlBlockScalar) assert.match(spelled, /^[|>]/);
        return;
      }
      const value = yamlText(tree, n, file.text.text, this.base, file.interner);
      if ((flags & YamlFlag.Integer) !== 0) {
        assert.match(spelled, /^\d{1,9}$/);
        assert.deepEqual([tree.value(n), tree.aux(n), value], [-1, Number(spelled), spelled]);
        return;
      }
      assert.ok(!/^\d{1,9}$/.test(spelled), spelled);
      if (value.length <= MAX_INTERNED_SCALAR) assert.equal(this.name(tree.value(n)), value, spelled);
      else assert.equal(tree.value(n), -1);
      const quote = /^['"]/.exec(spelled)?.[0] ?? '';
      assert.equal((flags & YamlFlag.SingleQuoted) !== 0, quote === "'", spelled);
      assert.equal((flags & YamlFlag.DoubleQuoted) !== 0, quote === '"', spelled);
      const inside = quote === '' ? spelled : spelled.slice(1, -1);
      const isPlain =
        !/[\r\n]/.test(inside) &&
        (quote === '' || !inside.includes(quote)) &&
        (quote !== '"' || !inside.includes('\\'));
      assert.equal((flags & YamlFlag.Escaped) === 0, isPlain, spelled);
      if (isPlain) assert.equal(value, inside, spelled);
      const behind = file.text.text.slice(this.base + tree.end(n));
      if (quote === '') assert.doesNotMatch(spelled, /[ \t\r\n]$/);
      if (quote !== '') assert.equal(flags & YamlFlag.TrailingBlanks, 0);
      else if ((flags & YamlFlag.TrailingBlanks) !== 0) assert.match(behind, /^\s/);
    });
  }
}

function kindName(tree: Tree, n: Node): string {
  return `kind ${tree.kind(n)}`;
}

/** All of a file. */
export function checkTreeText(file: MirFile): void {
  let pos = 0;
  file.documents.forEach((doc, d) => {
    assert.equal(file.docStarts[d], pos);
    new TreeText(file, doc.yaml, pos, doc.length).checkYaml();
    const { body } = doc;
    if (body !== null) {
      let length = 0;
      let lines = 0;
      body.chunks.forEach((chunk, i) => {
        assert.deepEqual([body.chunkStarts[i], body.chunkLines[i]], [length, lines]);
        new TreeText(file, chunk.tree, pos + body.start + length, chunk.length).checkChunk(chunk);
        length += chunk.length;
        lines += chunk.lines;
      });
      assert.deepEqual(
        [body.length, body.chunkStarts[body.chunks.length], body.chunkLines[body.chunks.length]],
        [length, length, lines],
      );
      assert.ok(body.start + length <= doc.length);
    }
    pos += doc.length;
  });
  assert.deepEqual([pos, file.docStarts[file.documents.length]], [file.text.length, pos]);
}
