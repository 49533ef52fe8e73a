/**
 * Fields of the specialised metadata nodes (`!DILocation(...)` and the like) of LLVM 22: kinds, defaults, printing order
 * (AsmWriter) and operand order (DebugInfoMetadata), which decides metadata numbers.
 */

export const enum FieldKind {
  /** node reference or `null` */
  Node = 0,
  String,
  Int,
  Bool,
  /** words or numbers joined by `|`, or one word or number */
  Words,
  /** node reference or number */
  NodeOrInt,
  /** `{ node, ... }` */
  Nodes,
}

export const enum FieldPrint {
  /** printed unless absent, null, 0, empty or false */
  NonDefault = 0,
  Always,
  /** printed when written, whatever the value */
  WhenPresent,
  /** true is the default */
  UnlessTrue,
}

export interface FieldSchema {
  readonly name: string;
  readonly kind: FieldKind;
  readonly print: FieldPrint;
  readonly isRequired: boolean;
  /** `null` is an error */
  readonly isNonNull: boolean;
  /** word that is not printed */
  readonly skipWord: string;
}

export interface NodeSchema {
  readonly className: string;
  /** in printing order */
  readonly fields: readonly FieldSchema[];
  /** names of the operand fields in LLVM's operand order */
  readonly operands: readonly string[];
  readonly byName: ReadonlyMap<string, FieldSchema>;
}

const KIND_LETTERS: Readonly<Record<string, FieldKind>> = {
  n: FieldKind.Node,
  s: FieldKind.String,
  i: FieldKind.Int,
  b: FieldKind.Bool,
  w: FieldKind.Words,
  m: FieldKind.NodeOrInt,
  l: FieldKind.Nodes,
};

/**
 * `name:kind` with suffixes: `!` required, `@` not null, `*` always printed, `+` printed when present, `^` true is the default,
 * `~WORD` not printed when it is WORD. After `/` the operands in LLVM's order.
 */
const SCHEMAS: Readonly<Record<string, string>> = {
  DILocation: 'line:i* column:i scope:n!@* inlinedAt:n isImplicitCode:b atomGroup:i atomRank:i / scope inlinedAt',
  GenericDINode: 'tag:w!* header:s operands:l / header operands',
  DIAssignID: '/',
  DISubrange: 'count:m+ lowerBound:m+ upperBound:m+ stride:m+ / count lowerBound upperBound stride',
  DIGenericSubrange: 'count:m+ lowerBound:m+ upperBound:m+ stride:m+ / count lowerBound upperBound stride',
  DISubrangeType:
    'name:s scope:n file:n line:i size:m align:i flags:w baseType:n lowerBound:m+ upperBound:m+ stride:m+ bias:m+ ' +
    '/ file scope name size baseType lowerBound upperBound stride bias',
  DIEnumerator: 'name:s!* value:i!* isUnsigned:b / name',
  DIBasicType:
    'tag:w~DW_TAG_base_type name:s file:n line:i scope:n size:m align:i dataSize:i encoding:w numExtraInhabitants:i ' +
    'flags:w / file scope name size',
  DIFixedPointType:
    'tag:w~DW_TAG_base_type name:s file:n line:i scope:n size:m align:i encoding:w flags:w kind:w factor:i numerator:i ' +
    'denominator:i / file scope name size',
  DIStringType:
    'tag:w~DW_TAG_string_type name:s stringLength:n stringLengthExpression:n stringLocationExpression:n size:m align:i ' +
    'encoding:w / name stringLength stringLengthExpression stringLocationExpression size',
  DIDerivedType:
    'tag:w!* name:s scope:n file:n line:i baseType:n!* size:m align:i offset:m flags:w extraData:n ' +
    'dwarfAddressSpace:i+ annotations:n ptrAuthKey:i ptrAuthIsAddressDiscriminated:b ptrAuthExtraDiscriminator:i ' +
    'ptrAuthIsaPointer:b ptrAuthAuthenticatesNullValues:b / file scope name size offset baseType extraData annotations',
  DICompositeType:
    'tag:w!* name:s scope:n file:n line:i baseType:n size:m align:i offset:m numExtraInhabitants:i flags:w elements:n ' +
    'runtimeLang:w vtableHolder:n templateParams:n identifier:s discriminator:n dataLocation:n associated:n ' +
    'allocated:n rank:m+ annotations:n specification:n enumKind:w bitStride:m / file scope name size offset baseType ' +
    'elements vtableHolder templateParams identifier discriminator dataLocation associated allocated rank annotations ' +
    'specification bitStride',
  DISubroutineType: 'flags:w cc:w types:n!* / types',
  DIFile: 'filename:s!* directory:s!* checksumkind:w checksum:s source:s+ / filename directory checksum source',
  DICompileUnit:
    'language:w* sourceLanguageName:w sourceLanguageVersion:i file:n!@* producer:s isOptimized:b* flags:s ' +
    'runtimeVersion:i* splitDebugFilename:s emissionKind:w*~NoDebug enums:n retainedTypes:n globals:n imports:n macros:n ' +
    'dwoId:i splitDebugInlining:b^ debugInfoForProfiling:b nameTableKind:w~Default rangesBaseAddress:b sysroot:s sdk:s ' +
    '/ file producer flags splitDebugFilename enums retainedTypes globals imports macros sysroot sdk',
  DISubprogram:
    'name:s linkageName:s scope:n* file:n line:i type:n scopeLine:i containingType:n virtualIndex:i thisAdjustment:i ' +
    'flags:w spFlags:w* unit:n templateParams:n declaration:n retainedNodes:n thrownTypes:n annotations:n ' +
    'targetFuncName:s keyInstructions:b / file scope name linkageName type unit declaration retainedNodes ' +
    'containingType templateParams thrownTypes annotations targetFuncName',
  DILexicalBlock: 'scope:n!@* file:n line:i column:i / file scope',
  DILexicalBlockFile: 'scope:n!@* file:n discriminator:i!* / file scope',
  DINamespace: 'name:s scope:n!* exportSymbols:b / scope name',
  DICommonBlock: 'scope:n!* declaration:n name:s file:n line:i / scope declaration name file',
  DIMacro: 'type:w!* line:i name:s!* value:s / name value',
  DIMacroFile: 'type:w~DW_MACINFO_start_file line:i file:n!* nodes:n / file nodes',
  DIModule:
    'scope:n!* name:s!* configMacros:s includePath:s apinotes:s file:n line:i isDecl:b / file scope name ' +
    'configMacros includePath apinotes',
  DITemplateTypeParameter: 'name:s type:n!* defaulted:b / name type',
  DITemplateValueParameter:
    'tag:w~DW_TAG_template_value_parameter name:s type:n defaulted:b value:n!* / name type value',
  DIGlobalVariable:
    'name:s linkageName:s scope:n* file:n line:i type:n isLocal:b* isDefinition:b* declaration:n ' +
    'templateParams:n align:i annotations:n / scope name file type linkageName declaration templateParams annotations',
  DILocalVariable:
    'name:s arg:i scope:n!@* file:n line:i type:n flags:w align:i annotations:n / scope name file type annotations',
  DILabel: 'scope:n!@* name:s!* file:n!* line:i!* column:i isArtificial:b coroSuspendIdx:i+ / scope name file',
  DIGlobalVariableExpression: 'var:n!* expr:n!* / var expr',
  DIObjCProperty: 'name:s file:n line:i setter:s getter:s attributes:i type:n / name file getter setter type',
  DIImportedEntity: 'tag:w!* name:s scope:n!* entity:n file:n line:i elements:n / scope entity name file elements',
};

/** Fields that are read for compatibility and turned into others. */
const OLD_FIELDS: Readonly<Record<string, string>> = {
  DISubprogram: 'isLocal:b isDefinition:b isOptimized:b virtuality:w',
};

function parseField(text: string): FieldSchema {
  const colon = text.indexOf(':');
  const suffix = text.slice(colon + 2);
  const tilde = suffix.indexOf('~');
  const marks = tilde < 0 ? suffix : suffix.slice(0, tilde);
  let print = FieldPrint.NonDefault;
  if (marks.includes('*')) print = FieldPrint.Always;
  if (marks.includes('+')) print = FieldPrint.WhenPresent;
  if (marks.includes('^')) print = FieldPrint.UnlessTrue;
  return {
    name: text.slice(0, colon),
    kind: KIND_LETTERS[text[colon + 1]],
    print,
    isRequired: marks.includes('!'),
    isNonNull: marks.includes('@'),
    skipWord: tilde < 0 ? '' : suffix.slice(tilde + 1),
  };
}

const schemas = new Map<string, NodeSchema>();

/** Classes with named fields, by class name; each is read from its description when it is first asked for. */
export const NODE_SCHEMAS = {
  get(className: string): NodeSchema | undefined {
    let schema = schemas.get(className);
    if (schema === undefined && Object.hasOwn(SCHEMAS, className)) {
      schema = readSchema(className);
      schemas.set(className, schema);
    }
    return schema;
  },
};

function readSchema(className: string): NodeSchema {
  const [fieldText, operandText] = SCHEMAS[className].split('/');
  const words = (s: string): string[] => s.split(' ').filter((w) => w !== '');
  const fields = words(fieldText).map(parseField);
  const old = words(OLD_FIELDS[className] ?? '').map(parseField);
  const byName = new Map([...fields, ...old].map((f) => [f.name, f]));
  return { className, fields, operands: words(operandText), byName };
}

/** How the words of a field begin, and what LLVM says when none stands there or one is unknown. */
export interface WordKind {
  readonly prefix: RegExp;
  readonly expected: string;
  readonly invalid: string;
}

const WORD_KINDS: Readonly<Record<string, WordKind>> = {
  tag: { prefix: /^DW_TAG_/, expected: 'expected DWARF tag', invalid: 'invalid DWARF tag' },
  encoding: {
    prefix: /^DW_ATE_/,
    expected: 'expected DWARF type attribute encoding',
    invalid: 'invalid DWARF type attribute encoding',
  },
  language: { prefix: /^DW_LANG_/, expected: 'expected DWARF language', invalid: 'invalid DWARF language' },
  runtimeLang: { prefix: /^DW_LANG_/, expected: 'expected DWARF language', invalid: 'invalid DWARF language' },
  sourceLanguageName: {
    prefix: /^DW_LNAME_/,
    expected: 'expected DWARF source language name',
    invalid: 'invalid DWARF source language name',
  },
  cc: {
    prefix: /^DW_CC_/,
    expected: 'expected DWARF calling convention',
    invalid: 'invalid DWARF calling convention',
  },
  type: { prefix: /^DW_MACINFO_/, expected: 'expected DWARF macinfo type', invalid: 'invalid DWARF macinfo type' },
  virtuality: {
    prefix: /^DW_VIRTUALITY_/,
    expected: 'expected DWARF virtuality code',
    invalid: 'invalid DWARF virtuality code',
  },
  enumKind: {
    prefix: /^DW_APPLE_ENUM_KIND_/,
    expected: 'expected DWARF enum kind code',
    invalid: 'invalid DWARF enum kind code',
  },
  flags: { prefix: /^DIFlag/, expected: 'expected debug info flag', invalid: 'invalid debug info flag' },
  spFlags: {
    prefix: /^DISPFlag/,
    expected: 'expected debug info flag',
    invalid: 'invalid subprogram debug info flag',
  },
  emissionKind: {
    prefix: /^(NoDebug|FullDebug|LineTablesOnly|DebugDirectivesOnly)$/,
    expected: 'expected emission kind',
    invalid: 'invalid emission kind',
  },
  nameTableKind: {
    prefix: /^(Default|GNU|None|Apple)$/,
    expected: 'expected nameTable kind',
    invalid: 'invalid nameTable kind',
  },
  checksumkind: { prefix: /^CSK_/, expected: 'expected checksum kind', invalid: 'invalid checksum kind' },
  kind: {
    prefix: /^(Binary|Decimal|Rational)$/,
    expected: 'expected fixed-point kind',
    invalid: 'invalid fixed-point kind',
  },
};

export function wordKindOf(fieldName: string): WordKind {
  return WORD_KINDS[fieldName]!;
}

/** DINode::DIFlags by word without `DIFlag`; several bits may belong to one word. In printing order. */
const DI_FLAGS: readonly (readonly [string, number])[] = [
  ['Private', 1],
  ['Protected', 2],
  ['Public', 3],
  ['SingleInheritance', 1 << 16],
  ['MultipleInheritance', 2 << 16],
  ['VirtualInheritance', 3 << 16],
  ['IndirectVirtualBase', (1 << 2) | (1 << 5)],
  ['FwdDecl', 1 << 2],
  ['AppleBlock', 1 << 3],
  ['ReservedBit4', 1 << 4],
  ['Virtual', 1 << 5],
  ['Artificial', 1 << 6],
  ['Explicit', 1 << 7],
  ['Prototyped', 1 << 8],
  ['ObjcClassComplete', 1 << 9],
  ['ObjectPointer', 1 << 10],
  ['Vector', 1 << 11],
  ['StaticMember', 1 << 12],
  ['LValueReference', 1 << 13],
  ['RValueReference', 1 << 14],
  ['ExportSymbols', 1 << 15],
  ['IntroducedVirtual', 1 << 18],
  ['BitField', 1 << 19],
  ['NoReturn', 1 << 20],
  ['TypePassByValue', 1 << 22],
  ['TypePassByReference', 1 << 23],
  ['EnumClass', 1 << 24],
  ['Thunk', 1 << 25],
  ['NonTrivial', 1 << 26],
  ['BigEndian', 1 << 27],
  ['LittleEndian', 1 << 28],
  ['AllCallsDescribed', 1 << 29],
  ['NameIsSimplified', 1 << 30],
];

const DISP_FLAGS: readonly (readonly [string, number])[] = [
  ['Virtual', 1],
  ['PureVirtual', 2],
  ['LocalToUnit', 1 << 2],
  ['Definition', 1 << 3],
  ['Optimized', 1 << 4],
  ['Pure', 1 << 5],
  ['Elemental', 1 << 6],
  ['Recursive', 1 << 7],
  ['MainSubprogram', 1 << 8],
  ['Deleted', 1 << 9],
  ['ObjCDirect', 1 << 11],
];

/** Fields whose low bits are one choice, not flags. */
const DI_CHOICES = [3, 3 << 16];

/** Bit of one flag word or number, -1 if it is unknown. */
export function flagBits(fieldName: string, word: string): number {
  if (/^\d/.test(word)) return Number(word);
  const isSP = fieldName === 'spFlags';
  const name = word.slice(isSP ? 8 : 6);
  if (name === 'Zero') return 0;
  return (isSP ? DISP_FLAGS : DI_FLAGS).find(([w]) => w === name)?.[1] ?? -1;
}

/** Flags as LLVM prints them: words in order, bits without a word as a number; '' for none. */
export function printFlags(fieldName: string, bits: number): string {
  const isSP = fieldName === 'spFlags';
  const prefix = isSP ? 'DISPFlag' : 'DIFlag';
  const words: string[] = [];
  let rest = bits;
  for (const [word, value] of isSP ? DISP_FLAGS : DI_FLAGS) {
    const choice = isSP ? 0 : (DI_CHOICES.find((mask) => (value & mask) !== 0 && (value & ~mask) === 0) ?? 0);
    const matches = choice !== 0 ? (rest & choice) === value : (rest & value) === value;
    if (!matches) continue;
    words.push(prefix + word);
    rest &= ~value;
  }
  if (rest !== 0) words.push(String(rest >>> 0));
  return words.join(' | ');
}
