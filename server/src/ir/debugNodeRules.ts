/** The rules of LLVM's verifier for nodes of debug info, one function per class (Verifier.cpp, LLVM 22). */
import { isValidExpression, expressionFragment, type Fragment } from './debugExpression.js';
import { MDNode, ValueAsMetadata, type DIFieldValue, type Metadata } from './module.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const TYPES = words(
  'DIBasicType DIFixedPointType DIStringType DIDerivedType DICompositeType DISubroutineType DISubrangeType',
);
const LOCAL_SCOPES = words('DISubprogram DILexicalBlock DILexicalBlockFile');
const SCOPES = new Set([
  ...TYPES,
  ...LOCAL_SCOPES,
  ...words('DIFile DICompileUnit DINamespace DIModule DICommonBlock'),
]);
const NOT_DEBUG_NODES = words(
  'DILocation DIExpression DIGlobalVariableExpression DIMacro DIMacroFile DIAssignID DIArgList',
);
const RETAINED = words('DILocalVariable DILabel DIImportedEntity');

const DERIVED_TAGS = words(
  'typedef pointer_type ptr_to_member_type reference_type rvalue_reference_type const_type immutable_type volatile_type ' +
    'restrict_type atomic_type LLVM_ptrauth_type member inheritance friend set_type template_alias',
);
const COMPOSITE_TAGS = words(
  'array_type structure_type union_type enumeration_type class_type variant variant_part namelist',
);
const SET_ENCODINGS = words('DW_ATE_unsigned DW_ATE_signed DW_ATE_unsigned_char DW_ATE_signed_char DW_ATE_boolean');
const CHECKSUM_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['CSK_MD5', 32],
  ['CSK_SHA1', 40],
  ['CSK_SHA256', 64],
]);
/** Fields that arrays alone may have. */
const ARRAY_FIELDS = ['dataLocation', 'associated', 'allocated', 'rank'];

export const isOfClass = (m: Metadata | null | undefined, className: string): m is MDNode =>
  m instanceof MDNode && m.className === className;

const isAmong = (m: Metadata | null, classes: ReadonlySet<string>): m is MDNode =>
  m instanceof MDNode && classes.has(m.className);

export const isLocalScope = (m: Metadata | null): m is MDNode => isAmong(m, LOCAL_SCOPES);

const isTuple = (m: Metadata | null): m is MDNode => m instanceof MDNode && m.className === '' && m.elements === null;

function isMetadata(v: DIFieldValue | undefined): v is Metadata {
  return typeof v === 'object' && v !== null;
}

/** What a field refers to, null where it is absent. */
export function nodeOf(node: MDNode, field: string): Metadata | null {
  const value = node.fields?.get(field);
  return isMetadata(value) ? value : null;
}

const textOf = (node: MDNode, field: string): string => {
  const value = node.fields?.get(field);
  return typeof value === 'string' ? value : isMetadata(value) && 'value' in value ? String(value.value) : '';
};

/** What stands around a scope after all lexical blocks; null where blocks go in a circle or lead nowhere. */
export function endOfScopes(scope: Metadata | null): MDNode | null {
  let at = scope;
  const seen = new Set<Metadata>();
  while (at instanceof MDNode && !seen.has(at)) {
    if (at.className === 'DISubprogram' || !isLocalScope(at)) return at;
    seen.add(at);
    at = nodeOf(at, 'scope');
  }
  return null;
}

/** The subprogram around a local scope; null where the chain of scopes is broken. */
export function subprogramOf(scope: Metadata | null): MDNode | null {
  const end = endOfScopes(scope);
  return isOfClass(end, 'DISubprogram') ? end : null;
}

type Fail = (message: string, ...shown: readonly (Metadata | string | null)[]) => void;
type Rule = (rules: DebugNodeRules, n: MDNode) => boolean;

/** What must not belong to a function: the scope of an element, and what is said. */
interface LocalRule {
  readonly scope: (op: Metadata | null) => Metadata | null;
  readonly message: string;
}

const scopeOf = (op: Metadata | null): Metadata | null => (op instanceof MDNode ? nodeOf(op, 'scope') : null);

export class DebugNodeRules {
  constructor(
    private readonly localEntities: boolean,
    private readonly fail: Fail,
  ) {}

  /** Looks at the node itself; false when a rule fails. */
  visit(n: MDNode): boolean {
    return RULES[n.className]?.(this, n) ?? true;
  }

  isType(m: Metadata | null): boolean {
    return m === null || isAmong(m, TYPES);
  }

  hasFlag(n: MDNode, flag: string): boolean {
    return textOf(n, 'flags').split(' | ').includes(flag);
  }

  isDefinition(n: MDNode): boolean {
    return textOf(n, 'spFlags').split(' | ').includes('DISPFlagDefinition');
  }

  check(holds: boolean, message: string, ...shown: readonly (Metadata | null)[]): boolean {
    if (!holds) this.fail(message, ...shown);
    return holds;
  }

  tag(n: MDNode, allowed: (tag: string) => boolean, byDefault = ''): boolean {
    const tag = textOf(n, 'tag') || byDefault;
    return this.check(allowed(tag.replace(/^DW_TAG_/, '')), 'invalid tag', n);
  }

  scope(n: MDNode, message = 'invalid scope'): boolean {
    const scope = nodeOf(n, 'scope');
    return this.check(scope === null || isAmong(scope, SCOPES), message, n, scope);
  }

  file(n: MDNode): boolean {
    const file = nodeOf(n, 'file');
    return this.check(file === null || isOfClass(file, 'DIFile'), 'invalid file', n, file);
  }

  type(n: MDNode, field: string, message: string): boolean {
    const type = nodeOf(n, field);
    return this.check(this.isType(type), message, n, type);
  }

  /** A field that is a list whose elements have a form; what is shown with a wrong one besides the node and the element is the list, where LLVM shows it. */
  list(
    n: MDNode,
    field: string,
    listMessage: string,
    message: string,
    isElement: (m: Metadata | null) => boolean,
    showsList = false,
    local: LocalRule | null = null,
  ): boolean {
    const list = nodeOf(n, field);
    if (list === null) return true;
    if (!this.check(isTuple(list), listMessage, n, list)) return false;
    const shown = (op: Metadata | null): readonly (Metadata | null)[] => (showsList ? [n, list, op] : [n, op]);
    return (list as MDNode).operands.every(
      (op) =>
        this.check(isElement(op), message, ...shown(op)) &&
        (local === null ||
          !this.localEntities ||
          this.check(!isLocalScope(local.scope(op)), local.message, ...shown(op))),
    );
  }

  templateParams(n: MDNode): boolean {
    return this.list(
      n,
      'templateParams',
      'invalid template params',
      'invalid template parameter',
      (op) => isOfClass(op, 'DITemplateTypeParameter') || isOfClass(op, 'DITemplateValueParameter'),
      true,
    );
  }

  referenceFlags(n: MDNode): boolean {
    const both = (a: string, b: string): boolean => this.hasFlag(n, a) && this.hasFlag(n, b);
    return this.check(
      !both('DIFlagLValueReference', 'DIFlagRValueReference') &&
        !both('DIFlagTypePassByValue', 'DIFlagTypePassByReference'),
      'invalid reference flags',
      n,
    );
  }

  /** Parts of variables are smaller than these. `shown`: what speaks of the part. */
  visitFragment(variable: MDNode, { offset, size }: Fragment, shown: () => string): boolean {
    const whole = sizeOfVariable(variable);
    if (whole === 0n) return true;
    const [message, isWrong] =
      size + offset > whole
        ? ['fragment is larger than or outside of variable', true]
        : ['fragment covers entire variable', size === whole];
    if (isWrong) this.fail(message, shown(), variable);
    return !isWrong;
  }

  visitGlobalVariableExpression(n: MDNode): boolean {
    const variable = nodeOf(n, 'var');
    if (!this.check(variable !== null, 'missing variable')) return false;
    if (isOfClass(variable, 'DIGlobalVariable')) this.visit(variable);
    const expression = nodeOf(n, 'expr');
    if (isOfClass(expression, 'DIExpression')) this.visit(expression);
    return true;
  }

  /** A line needs a file. */
  line(n: MDNode, line: bigint): boolean {
    if (line !== 0n) this.fail('line specified with no file', n, String(line));
    return line === 0n;
  }

  /** What belongs to a subprogram: variables, labels and entities of its own scopes. */
  retainedNodes(n: MDNode): boolean {
    const list = nodeOf(n, 'retainedNodes');
    if (list === null) return true;
    if (!this.check(isTuple(list), 'invalid retained nodes list', n, list)) return false;
    return (list as MDNode).operands.every((op) => {
      if (op === null) return this.check(false, 'nullptr in retained nodes', n, list);
      if (!this.localEntities) {
        const expected = 'invalid retained nodes, expected DILocalVariable, DILabel or DIImportedEntity';
        if (!this.check(isAmong(op, RETAINED), expected, n, list, op)) return false;
      } else {
        const expected =
          'invalid retained nodes, expected DILocalVariable, DILabel, DIImportedEntity, DIType or DIGlobalVariableExpression';
        const isType = isAmong(op, TYPES);
        if (!this.check(isAmong(op, RETAINED) || isType || isVariable(op), expected, n, list, op)) return false;
        // A type need not belong to a function.
        if (isType) return true;
      }
      const scope = scopeOf(isVariable(op) ? nodeOf(op as MDNode, 'var') : op);
      const local = 'invalid retained nodes, retained node is not local';
      if (!this.check(isLocalScope(scope), local, n, list, op)) return false;
      const other = 'invalid retained nodes, retained node does not belong to subprogram';
      const owner = subprogramOf(scope);
      const more = this.localEntities && owner !== null ? [owner, nodeOf(owner, 'unit')] : [];
      return this.check(owner === n, other, n, list, op, scope, ...more);
    });
  }
}

/** DIVariable::getSizeInBits; 0n = not known */
function sizeOfVariable(variable: MDNode): bigint {
  let type = nodeOf(variable, 'type');
  for (let steps = 0; steps < 1000 && isAmong(type, TYPES); steps++) {
    const size = type.fields?.get('size');
    if (typeof size === 'bigint' && size !== 0n) return size;
    if (type.className !== 'DIDerivedType') return 0n;
    type = nodeOf(type, 'baseType');
  }
  return 0n;
}

const isNumber = (v: DIFieldValue | undefined): boolean => typeof v === 'bigint' && v !== 0n;

function localScope(r: DebugNodeRules, n: MDNode, message: string): boolean {
  const scope = nodeOf(n, 'scope');
  return r.check(isLocalScope(scope), message, n, scope);
}

/** A scope that is a subprogram is a definition: declarations belong to types. */
function isInCode(r: DebugNodeRules, n: MDNode): boolean {
  const scope = nodeOf(n, 'scope');
  const isDeclaration = isOfClass(scope, 'DISubprogram') && !r.isDefinition(scope);
  return r.check(!isDeclaration, 'scope points into the type hierarchy', n);
}

const RULES: Readonly<Record<string, Rule>> = {
  DILocation: (r, n) => {
    const at = nodeOf(n, 'inlinedAt');
    return (
      localScope(r, n, 'location requires a valid scope') &&
      r.check(at === null || isOfClass(at, 'DILocation'), 'inlined-at should be a location', n, at) &&
      isInCode(r, n)
    );
  },
  GenericDINode: (r, n) => r.tag(n, (tag) => tag !== '' && tag !== '0'),
  DISubrange: (r, n) =>
    r.check(
      !n.fields?.has('count') || !n.fields.has('upperBound'),
      'Subrange can have any one of count or upperBound',
      n,
    ) && subrangeBounds(r, n),
  DIBasicType: (r, n) =>
    r.tag(n, (tag) => ['base_type', 'unspecified_type', 'string_type'].includes(tag), 'DW_TAG_base_type'),
  DIStringType: (r, n) => r.tag(n, (tag) => tag === 'string_type', 'DW_TAG_string_type'),
  DIDerivedType: derivedType,
  DICompositeType: compositeType,
  DISubroutineType: (r, n) =>
    r.list(n, 'types', 'invalid composite elements', 'invalid subroutine type ref', (op) => r.isType(op), true) &&
    r.referenceFlags(n),
  DIFile: (r, n) => {
    const kind = textOf(n, 'checksumkind');
    const length = CHECKSUM_LENGTHS.get(kind);
    const checksum = textOf(n, 'checksum');
    if (length === undefined) return true;
    return (
      r.check(checksum.length === length, 'invalid checksum length', n) &&
      r.check(/^[0-9a-fA-F]*$/.test(checksum), 'invalid checksum', n)
    );
  },
  DICompileUnit: compileUnit,
  DISubprogram: subprogram,
  DILexicalBlock: (r, n) => {
    lexicalBlock(r, n);
    const [line, column] = [n.fields?.get('line'), n.fields?.get('column')];
    return r.check(isNumber(line) || !isNumber(column), 'cannot have column info without line info', n);
  },
  DILexicalBlockFile: lexicalBlock,
  DICommonBlock: (r, n) => {
    const declaration = nodeOf(n, 'declaration');
    return (
      r.scope(n, 'invalid scope ref') &&
      r.check(declaration === null || isOfClass(declaration, 'DIGlobalVariable'), 'invalid declaration', n, declaration)
    );
  },
  DINamespace: (r, n) => r.scope(n, 'invalid scope ref'),
  DIMacro: (r, n) =>
    r.check(/_(?:define|undef)$/.test(textOf(n, 'type')), 'invalid macinfo type', n) &&
    r.check(textOf(n, 'name') !== '', 'anonymous macro', n),
  DIMacroFile: (r, n) =>
    r.check(/^$|_start_file$/.test(textOf(n, 'type')), 'invalid macinfo type', n) &&
    r.file(n) &&
    r.list(n, 'nodes', 'invalid macro list', 'invalid macro ref', isMacro),
  DIModule: (r, n) => r.check(textOf(n, 'name') !== '', 'anonymous module', n),
  DITemplateTypeParameter: (r, n) => r.type(n, 'type', 'invalid type ref'),
  DITemplateValueParameter: (r, n) => {
    r.type(n, 'type', 'invalid type ref');
    const tags = ['template_value_parameter', 'GNU_template_template_param', 'GNU_template_parameter_pack'];
    return r.tag(n, (tag) => tags.includes(tag), 'DW_TAG_template_value_parameter');
  },
  DIGlobalVariable: (r, n) => {
    void (r.scope(n) && r.file(n));
    const member = nodeOf(n, 'declaration');
    const isDefinition = n.fields?.get('isDefinition') !== false;
    return (
      r.type(n, 'type', 'invalid type ref') &&
      r.check(!isDefinition || nodeOf(n, 'type') !== null, 'missing global variable type', n) &&
      r.check(
        member === null || isOfClass(member, 'DIDerivedType'),
        'invalid static data member declaration',
        n,
        member,
      )
    );
  },
  DILocalVariable: (r, n) => {
    void (r.scope(n) && r.file(n));
    const type = nodeOf(n, 'type');
    return (
      r.type(n, 'type', 'invalid type ref') &&
      localScope(r, n, 'local variable requires a valid scope') &&
      r.check(!isOfClass(type, 'DISubroutineType'), 'invalid type', n, type)
    );
  },
  DIAssignID: (r, n) => r.check(n.isDistinct, 'DIAssignID must be distinct', n),
  DILabel: (r, n) => r.scope(n) && r.file(n) && localScope(r, n, 'label requires a valid scope'),
  DIExpression: (r, n) => r.check(isValidExpression(n), 'invalid expression', n),
  DIGlobalVariableExpression: (r, n) => {
    if (!r.visitGlobalVariableExpression(n)) return false;
    const expression = nodeOf(n, 'expr');
    const fragment = isOfClass(expression, 'DIExpression') ? expressionFragment(expression) : null;
    const variable = nodeOf(n, 'var');
    if (fragment === null || !isOfClass(variable, 'DIGlobalVariable')) return true;
    return r.visitFragment(variable, fragment, () => '');
  },
  DIObjCProperty: (r, n) => r.type(n, 'type', 'invalid type ref') && r.file(n),
  DIImportedEntity: (r, n) => {
    const entity = nodeOf(n, 'entity');
    const isNode =
      entity === null ||
      (entity instanceof MDNode && entity.className !== '' && !NOT_DEBUG_NODES.has(entity.className));
    return (
      r.tag(n, (tag) => tag === 'imported_module' || tag === 'imported_declaration') &&
      r.scope(n, 'invalid scope for imported entity') &&
      r.check(isNode, 'invalid imported entity', n, entity)
    );
  },
};

const isMacro = (op: Metadata | null): boolean => isOfClass(op, 'DIMacro') || isOfClass(op, 'DIMacroFile');

function subrangeBounds(r: DebugNodeRules, n: MDNode): boolean {
  const isBound = (v: DIFieldValue | undefined): boolean =>
    !isMetadata(v) ||
    v instanceof ValueAsMetadata ||
    isOfClass(v, 'DIExpression') ||
    isOfClass(v, 'DILocalVariable') ||
    isOfClass(v, 'DIGlobalVariable');
  const count = n.fields?.get('count');
  const message = (what: string): string => `${what} must be signed constant or DIVariable or DIExpression`;
  return (
    r.check(isBound(count), message('Count'), n) &&
    r.check(typeof count !== 'bigint' || count >= -1n, 'invalid subrange count', n) &&
    r.check(isBound(n.fields?.get('lowerBound')), message('LowerBound'), n) &&
    r.check(isBound(n.fields?.get('upperBound')), message('UpperBound'), n) &&
    r.check(isBound(n.fields?.get('stride')), message('Stride'), n)
  );
}

function derivedType(r: DebugNodeRules, n: MDNode): boolean {
  r.file(n);
  const tag = textOf(n, 'tag').replace(/^DW_TAG_/, '');
  const isStatic = tag === 'variable' && r.hasFlag(n, 'DIFlagStaticMember');
  if (!r.check(DERIVED_TAGS.has(tag) || isStatic, 'invalid tag', n)) return false;
  if (tag === 'ptr_to_member_type' && !r.type(n, 'extraData', 'invalid pointer to member type')) return false;
  const base = nodeOf(n, 'baseType');
  if (tag === 'set_type' && base !== null) {
    const isEnum = isOfClass(base, 'DICompositeType') && textOf(base, 'tag') === 'DW_TAG_enumeration_type';
    const isBasic = isOfClass(base, 'DIBasicType') && SET_ENCODINGS.has(textOf(base, 'encoding'));
    if (!r.check(isEnum || isBasic, 'invalid set base type', n, base)) return false;
  }
  if (!r.scope(n) || !r.type(n, 'baseType', 'invalid base type')) return false;
  const hasSpace = isNumber(n.fields?.get('dwarfAddressSpace'));
  return r.check(
    !hasSpace || /^(?:pointer|reference|rvalue_reference)_type$/.test(tag),
    'DWARF address space only applies to pointer or reference types',
    n,
  );
}

function compositeType(r: DebugNodeRules, n: MDNode): boolean {
  r.file(n);
  const tag = textOf(n, 'tag').replace(/^DW_TAG_/, '');
  const isArray = tag === 'array_type';
  const elements = nodeOf(n, 'elements');
  const isPlain =
    r.tag(n, (t) => COMPOSITE_TAGS.has(t)) &&
    r.scope(n) &&
    r.type(n, 'baseType', 'invalid base type') &&
    r.check(elements === null || isTuple(elements), 'invalid composite elements', n, elements) &&
    r.type(n, 'vtableHolder', 'invalid vtable holder') &&
    r.referenceFlags(n);
  if (!isPlain) return false;
  const list = isTuple(elements) ? elements.operands : [];
  if (!r.check(!list.includes(null), 'DISubprogram contains null entry in `elements` field', n)) return false;
  if (r.hasFlag(n, 'DIFlagVector')) {
    const isSubrange = list.length === 1 && isOfClass(list[0], 'DISubrange');
    if (!r.check(isSubrange, 'invalid vector, expected one element of type subrange', n)) return false;
  }
  r.templateParams(n);
  const discriminator = nodeOf(n, 'discriminator');
  const isVariant = isOfClass(discriminator, 'DIDerivedType') && tag === 'variant_part';
  if (!r.check(discriminator === null || isVariant, 'discriminator can only appear on variant part')) return false;
  for (const field of ARRAY_FIELDS) {
    const has = n.fields?.has(field) === true && n.fields.get(field) !== null;
    if (!r.check(!has || isArray, `${field} can only appear in array type`)) return false;
  }
  return r.check(!isArray || nodeOf(n, 'baseType') !== null, 'array types must have a base type', n);
}

const isVariable = (op: Metadata | null): boolean => isOfClass(op, 'DIGlobalVariableExpression');
const isImported = (op: Metadata | null): boolean => isOfClass(op, 'DIImportedEntity');

function compileUnit(r: DebugNodeRules, n: MDNode): boolean {
  const file = nodeOf(n, 'file');
  const isEnum = (op: Metadata | null): boolean =>
    isOfClass(op, 'DICompositeType') && textOf(op, 'tag') === 'DW_TAG_enumeration_type';
  const isRetained = (op: Metadata | null): boolean =>
    isAmong(op, TYPES) || (isOfClass(op, 'DISubprogram') && !r.isDefinition(op));
  return (
    r.check(n.isDistinct, 'compile units must be distinct', n) &&
    r.check(isOfClass(file, 'DIFile'), 'invalid file', n, file) &&
    r.check(textOf(file as MDNode, 'filename') !== '', 'invalid filename', n, file) &&
    r.list(n, 'enums', 'invalid enum list', 'invalid enum type', isEnum, true, {
      scope: scopeOf,
      message: "function-local enum in a DICompileUnit's enum list",
    }) &&
    r.list(n, 'retainedTypes', 'invalid retained type list', 'invalid retained type', isRetained) &&
    r.list(n, 'globals', 'invalid global variable list', 'invalid global variable ref', isVariable, false, {
      scope: (op) => scopeOf(nodeOf(op as MDNode, 'var')),
      message: "function-local variables are not allowed in a DICompileUnit's global variables list",
    }) &&
    r.list(n, 'imports', 'invalid imported entity list', 'invalid imported entity ref', isImported, false, {
      scope: scopeOf,
      message: "function-local imports are not allowed in a DICompileUnit's imported entities list",
    }) &&
    r.list(n, 'macros', 'invalid macro list', 'invalid macro ref', isMacro)
  );
}

function subprogram(r: DebugNodeRules, n: MDNode): boolean {
  const file = nodeOf(n, 'file');
  const type = nodeOf(n, 'type');
  if (!r.scope(n)) return false;
  if (file === null) {
    const line = n.fields?.get('line');
    if (!r.line(n, typeof line === 'bigint' ? line : 0n)) return false;
  } else if (!r.file(n)) return false;
  const isTyped =
    r.check(type === null || isOfClass(type, 'DISubroutineType'), 'invalid subroutine type', n, type) &&
    r.type(n, 'containingType', 'invalid containing type');
  if (!isTyped) return false;
  r.templateParams(n);
  const declaration = nodeOf(n, 'declaration');
  const isDeclaration = isOfClass(declaration, 'DISubprogram') && !r.isDefinition(declaration);
  if (!r.check(declaration === null || isDeclaration, 'invalid subprogram declaration', n, declaration)) return false;
  if (!r.retainedNodes(n) || !r.referenceFlags(n)) return false;
  const unit = nodeOf(n, 'unit');
  const isDefinition = r.isDefinition(n);
  const hasUnit = isDefinition
    ? r.check(n.isDistinct, 'subprogram definitions must be distinct', n) &&
      r.check(unit !== null, 'subprogram definitions must have a compile unit', n) &&
      r.check(isOfClass(unit, 'DICompileUnit'), 'invalid unit type', n, unit)
    : r.check(unit === null, 'subprogram declarations must not have a compile unit', n) &&
      r.check(declaration === null, 'subprogram declaration must not have a declaration field');
  const isThrown = (op: Metadata | null): boolean => isAmong(op, TYPES);
  return (
    hasUnit &&
    r.list(n, 'thrownTypes', 'invalid thrown types list', 'invalid thrown type', isThrown, true) &&
    r.check(
      !r.hasFlag(n, 'DIFlagAllCallsDescribed') || isDefinition,
      'DIFlagAllCallsDescribed must be attached to a definition',
    )
  );
}

function lexicalBlock(r: DebugNodeRules, n: MDNode): boolean {
  return localScope(r, n, 'invalid local scope') && isInCode(r, n);
}
