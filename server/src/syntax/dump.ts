/**
 * The syntax tree as text, for tests and `npm run inspect`: one node a line, positions as line:column-line:column, the same whatever the cuts
 * between chunks are.
 */
import { SyntaxKind, type MirFile, type Tree } from './tree.js';
import { bodyErrors } from './errors.js';

const KIND_NAMES: Readonly<Record<number, string>> = {
  [SyntaxKind.None]: 'None',
  [SyntaxKind.YamlMapping]: 'YamlMapping',
  [SyntaxKind.YamlPair]: 'YamlPair',
  [SyntaxKind.YamlSequence]: 'YamlSequence',
  [SyntaxKind.YamlScalar]: 'YamlScalar',
  [SyntaxKind.YamlBlockScalar]: 'YamlBlockScalar',
  [SyntaxKind.YamlNull]: 'YamlNull',
  [SyntaxKind.YamlAlias]: 'YamlAlias',
  [SyntaxKind.YamlError]: 'YamlError',
  [SyntaxKind.BlockLabel]: 'BlockLabel',
  [SyntaxKind.Successors]: 'Successors',
  [SyntaxKind.LiveIns]: 'LiveIns',
  [SyntaxKind.Instruction]: 'Instruction',
  [SyntaxKind.BundleClose]: 'BundleClose',
  [SyntaxKind.Comment]: 'Comment',
  [SyntaxKind.Error]: 'Error',
  [SyntaxKind.AttributeMachineBlockAddressTaken]: 'AttributeMachineBlockAddressTaken',
  [SyntaxKind.AttributeIRBlockAddressTaken]: 'AttributeIRBlockAddressTaken',
  [SyntaxKind.AttributeLandingPad]: 'AttributeLandingPad',
  [SyntaxKind.AttributeInlineAsmBrIndirectTarget]: 'AttributeInlineAsmBrIndirectTarget',
  [SyntaxKind.AttributeEHFuncletEntry]: 'AttributeEHFuncletEntry',
  [SyntaxKind.AttributeEHScopeEntry]: 'AttributeEHScopeEntry',
  [SyntaxKind.AttributeAlign]: 'AttributeAlign',
  [SyntaxKind.AttributeBBSections]: 'AttributeBBSections',
  [SyntaxKind.AttributeBBId]: 'AttributeBBId',
  [SyntaxKind.AttributeCallFrameSize]: 'AttributeCallFrameSize',
  [SyntaxKind.Successor]: 'Successor',
  [SyntaxKind.LiveIn]: 'LiveIn',
  [SyntaxKind.Opcode]: 'Opcode',
  [SyntaxKind.RegisterOperand]: 'RegisterOperand',
  [SyntaxKind.Immediate]: 'Immediate',
  [SyntaxKind.TypedImmediate]: 'TypedImmediate',
  [SyntaxKind.FPImmediate]: 'FPImmediate',
  [SyntaxKind.BlockRef]: 'BlockRef',
  [SyntaxKind.StackObject]: 'StackObject',
  [SyntaxKind.FixedStackObject]: 'FixedStackObject',
  [SyntaxKind.ConstantPoolItem]: 'ConstantPoolItem',
  [SyntaxKind.JumpTableIndex]: 'JumpTableIndex',
  [SyntaxKind.Global]: 'Global',
  [SyntaxKind.ExternalSymbol]: 'ExternalSymbol',
  [SyntaxKind.MCSymbol]: 'MCSymbol',
  [SyntaxKind.BlockAddress]: 'BlockAddress',
  [SyntaxKind.TargetIndex]: 'TargetIndex',
  [SyntaxKind.SubRegIndexOperand]: 'SubRegIndexOperand',
  [SyntaxKind.Metadata]: 'Metadata',
  [SyntaxKind.DIExpression]: 'DIExpression',
  [SyntaxKind.DILocation]: 'DILocation',
  [SyntaxKind.Intrinsic]: 'Intrinsic',
  [SyntaxKind.Predicate]: 'Predicate',
  [SyntaxKind.ShuffleMask]: 'ShuffleMask',
  [SyntaxKind.LaneMask]: 'LaneMask',
  [SyntaxKind.NameOperand]: 'NameOperand',
  [SyntaxKind.CustomRegMask]: 'CustomRegMask',
  [SyntaxKind.LiveOut]: 'LiveOut',
  [SyntaxKind.DbgInstrRef]: 'DbgInstrRef',
  [SyntaxKind.CFIOperand]: 'CFIOperand',
  [SyntaxKind.TargetMnemonic]: 'TargetMnemonic',
  [SyntaxKind.TargetFlags]: 'TargetFlags',
  [SyntaxKind.SubRegIndex]: 'SubRegIndex',
  [SyntaxKind.ClassOrBank]: 'ClassOrBank',
  [SyntaxKind.LowLevelType]: 'LowLevelType',
  [SyntaxKind.TiedDef]: 'TiedDef',
  [SyntaxKind.Integer]: 'Integer',
  [SyntaxKind.Offset]: 'Offset',
  [SyntaxKind.Name]: 'Name',
  [SyntaxKind.FPLiteral]: 'FPLiteral',
  [SyntaxKind.InlineAsmWords]: 'InlineAsmWords',
  [SyntaxKind.Undef]: 'Undef',
  [SyntaxKind.IRBlock]: 'IRBlock',
  [SyntaxKind.RegisterName]: 'RegisterName',
  [SyntaxKind.DILocationField]: 'DILocationField',
  [SyntaxKind.String]: 'String',
  [SyntaxKind.PreInstrSymbol]: 'PreInstrSymbol',
  [SyntaxKind.PostInstrSymbol]: 'PostInstrSymbol',
  [SyntaxKind.HeapAllocMarker]: 'HeapAllocMarker',
  [SyntaxKind.PCSections]: 'PCSections',
  [SyntaxKind.CFIType]: 'CFIType',
  [SyntaxKind.DeactivationSymbol]: 'DeactivationSymbol',
  [SyntaxKind.DebugInstrNumber]: 'DebugInstrNumber',
  [SyntaxKind.MMRA]: 'MMRA',
  [SyntaxKind.DebugLocation]: 'DebugLocation',
  [SyntaxKind.BundleOpen]: 'BundleOpen',
  [SyntaxKind.MemOperand]: 'MemOperand',
  [SyntaxKind.SyncScope]: 'SyncScope',
  [SyntaxKind.AtomicOrdering]: 'AtomicOrdering',
  [SyntaxKind.UnknownSize]: 'UnknownSize',
  [SyntaxKind.IRValue]: 'IRValue',
  [SyntaxKind.IRConstant]: 'IRConstant',
  [SyntaxKind.UnknownAddress]: 'UnknownAddress',
  [SyntaxKind.StackPointer]: 'StackPointer',
  [SyntaxKind.GOT]: 'GOT',
  [SyntaxKind.JumpTable]: 'JumpTable',
  [SyntaxKind.ConstantPool]: 'ConstantPool',
  [SyntaxKind.CallEntry]: 'CallEntry',
  [SyntaxKind.CustomPointer]: 'CustomPointer',
  [SyntaxKind.MemAlign]: 'MemAlign',
  [SyntaxKind.MemBaseAlign]: 'MemBaseAlign',
  [SyntaxKind.MemAddrSpace]: 'MemAddrSpace',
  [SyntaxKind.MemTBAA]: 'MemTBAA',
  [SyntaxKind.MemAliasScope]: 'MemAliasScope',
  [SyntaxKind.MemNoAlias]: 'MemNoAlias',
  [SyntaxKind.MemRange]: 'MemRange',
  [SyntaxKind.MemNoAliasAddrSpace]: 'MemNoAliasAddrSpace',
};

const DOCUMENT_NAMES = ['IR', 'Function', 'Empty', 'Other'];
/** Kinds whose `value` is an interner id. */
const ID_KINDS = new Set<number>([
  SyntaxKind.LiveIn,
  SyntaxKind.Opcode,
  SyntaxKind.ExternalSymbol,
  SyntaxKind.MCSymbol,
  SyntaxKind.SubRegIndexOperand,
  SyntaxKind.Predicate,
  SyntaxKind.NameOperand,
  SyntaxKind.SubRegIndex,
  SyntaxKind.ClassOrBank,
  SyntaxKind.Name,
  SyntaxKind.RegisterName,
  SyntaxKind.DILocationField,
  SyntaxKind.String,
  SyntaxKind.SyncScope,
  SyntaxKind.AtomicOrdering,
  SyntaxKind.IRConstant,
  SyntaxKind.CustomPointer,
  SyntaxKind.YamlScalar,
  SyntaxKind.Instruction,
]);
/** Kinds with an interner id in `value` unless the flag Numbered is set. */
const NAMED_KINDS = new Set<number>([SyntaxKind.Global, SyntaxKind.IRBlock, SyntaxKind.IRValue]);
/** Kinds with an interner id or -1 in `aux`. */
const AUX_NAME_KINDS = new Set<number>([
  SyntaxKind.BlockLabel,
  SyntaxKind.Successor,
  SyntaxKind.BlockRef,
  SyntaxKind.StackObject,
]);
const REG_KIND_NAMED = 2;

/** Dump of a file: documents, header trees, bodies, errors. */
export function dumpTree(file: MirFile): string {
  const lines: string[] = [];
  const text = file.text;
  const place = (offset: number): string => {
    const p = text.positionAt(offset);
    return `${p.line + 1}:${p.character + 1}`;
  };
  const range = (start: number, end: number): string => `${place(start)}-${place(end)}`;

  file.documents.forEach((doc, d) => {
    const docStart = file.docStarts[d];
    lines.push(`document ${DOCUMENT_NAMES[doc.kind]} ${range(docStart, docStart + doc.length)} indent ${doc.indent}`);
    for (const e of doc.diagnostics) {
      const at = e.llcOffset === undefined ? '' : ` (at ${place(docStart + e.llcOffset)})`;
      lines.push(`  ! ${range(docStart + e.start, docStart + e.end)}${at} ${e.message}`);
    }
    dumpNodes(file, doc.yaml, docStart, lines, range);
    if (doc.irEnd > 0) lines.push(`  ir ${range(docStart + doc.irStart, docStart + doc.irEnd)}`);
    if (doc.body === null) return;
    const bodyStart = docStart + doc.body.start;
    lines.push(`  body ${range(bodyStart, bodyStart + doc.body.length)}`);
    doc.body.chunks.forEach((chunk, i) => {
      dumpNodes(file, chunk.tree, bodyStart + (doc.body?.chunkStarts[i] ?? 0), lines, range);
    });
    for (const e of bodyErrors(file, d)) {
      const phase = e.isDefinitionScan ? 'definition' : 'body';
      lines.push(`  ! ${range(e.start, e.end)} (at ${place(e.llcOffset)}) ${phase}: ${e.message}`);
    }
  });
  return lines.join('\n') + '\n';
}

function dumpNodes(
  file: MirFile,
  tree: Tree,
  base: number,
  lines: string[],
  range: (start: number, end: number) => string,
): void {
  const ends: number[] = [];
  for (let n = 0; n < tree.size; n += 6) {
    while (ends.length > 0 && ends[ends.length - 1] <= n) ends.pop();
    const kind = tree.kind(n);
    let line = '  '.repeat(ends.length + 2) + `${KIND_NAMES[kind]} ${range(base + tree.start(n), base + tree.end(n))}`;
    if (tree.flags(n) !== 0) line += ` flags=${tree.flags(n)}`;
    line += describeValue(file, tree, n, kind);
    lines.push(line);
    ends.push(tree.next(n));
  }
}

function describeValue(file: MirFile, tree: Tree, n: number, kind: SyntaxKind): string {
  const value = tree.value(n);
  const aux = tree.aux(n);
  const name = (id: number): string => (id < 0 ? '-' : JSON.stringify(file.interner.text(id)));
  if (kind === SyntaxKind.Error || kind === SyntaxKind.YamlError)
    return ` ${JSON.stringify(tree.message(n))} aux=${aux}`;
  if (kind === SyntaxKind.RegisterOperand) {
    const isName = (tree.regKind(n) & 1) === 1 && tree.regKind(n) !== REG_KIND_NAMED;
    return ` ${isName ? name(value) : String(value >>> 0)} aux=${aux}`;
  }
  let s = '';
  const isId = ID_KINDS.has(kind) || (NAMED_KINDS.has(kind) && (tree.flags(n) & 1) === 0);
  if (isId) s += ` ${name(value)}`;
  else if (value !== 0) s += ` ${value}`;
  if (AUX_NAME_KINDS.has(kind)) {
    if (aux >= 0) s += ` .${name(aux)}`;
  } else if (aux !== 0) {
    s += ` aux=${aux}`;
  }
  return s;
}
