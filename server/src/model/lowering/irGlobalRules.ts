/** What LLVM's IR verifier demands of globals (Verifier.cpp: visitGlobalVariable, visitGlobalAlias and their neighbours, LLVM 22), in the words of llc-22. */
import { isNullValue } from '../../ir/constants.js';
import { Constant, GlobalAlias, GlobalVariable, IRFunction, Opcode, ValueKind, type Value } from '../../ir/module.js';
import { printTypedValue } from '../../ir/printer.js';
import { TypeKind, type IRType } from '../../ir/types.js';

/** Functions of the program's start and end: entries of priority, function and data. */
const isEntryList = (t: IRType, fields: number): boolean => {
  if (t.kind !== TypeKind.Array) return true;
  const entry = t.elements[0] as IRType;
  const [priority, fn, data] = entry.elements;
  return (
    entry.kind === TypeKind.Struct &&
    entry.elements.length === fields &&
    priority?.kind === TypeKind.Integer &&
    priority.n === 32 &&
    fn?.kind === TypeKind.Pointer &&
    (fields < 3 || data?.kind === TypeKind.Pointer)
  );
};

const isGlobal = (v: Value): boolean =>
  v.kind === ValueKind.Function || v instanceof GlobalVariable || v instanceof GlobalAlias;

const INTERPOSABLE: ReadonlySet<string> = new Set(['weak', 'linkonce', 'common', 'extern_weak']);

const RESOLVED: ReadonlySet<string> = new Set([
  '',
  'private',
  'internal',
  'linkonce',
  'weak',
  'linkonce_odr',
  'weak_odr',
]);

/** Whether the linker takes the value from elsewhere. */
function isDeclared(v: GlobalVariable | GlobalAlias | IRFunction): boolean {
  if (v.linkage === 'available_externally') return true;
  if (v instanceof GlobalAlias) return false;
  return v instanceof IRFunction ? v.isDeclaration : v.initializer === null;
}

/** visitGlobalAlias, what an alias of the kind found elsewhere may stand for */
export function aliasProblem(alias: GlobalAlias): string {
  const { target } = alias;
  const isExpression = target instanceof Constant && target.kind === ValueKind.ConstantExpr;
  if (target === null || (!isGlobal(target) && !isExpression))
    return 'Aliasee should be either GlobalValue or ConstantExpr';
  const seen = new Set<Value>([alias]);
  const isElsewhere = alias.linkage === 'available_externally';
  const visit = (v: Value): string => {
    if (isElsewhere && !(isGlobal(v) && (v as GlobalVariable).linkage === 'available_externally'))
      return 'available_externally alias must point to available_externally global value';
    if (isGlobal(v)) {
      if (!isElsewhere && isDeclared(v as GlobalVariable)) return 'Alias must point to a definition';
      if (!(v instanceof GlobalAlias) || v.kind !== ValueKind.GlobalAlias) return '';
      if (seen.has(v)) return 'Aliases cannot form a cycle';
      seen.add(v);
      if (INTERPOSABLE.has(v.linkage)) return 'Alias cannot point to an interposable alias';
      return v.target === null ? '' : visit(v.target);
    }
    if (!(v instanceof Constant)) return '';
    for (const operand of v.operands) {
      const problem = visit(operand);
      if (problem !== '') return problem;
    }
    return '';
  };
  return visit(target);
}

/** visitGlobalIFunc */
export function resolverProblem({ target, linkage }: GlobalAlias): string {
  if (!RESOLVED.has(linkage))
    return 'IFunc should have private, internal, linkonce, weak, linkonce_odr, weak_odr, or external linkage!';
  if (!(target instanceof IRFunction)) return 'IFunc must have a Function resolver';
  if (isDeclared(target)) return 'IFunc resolver must be a definition';
  return target.fnType.elements[0].kind === TypeKind.Pointer ? '' : 'IFunc resolver must return a pointer';
}

/** What visitGlobalValue says of storage and comdats, '' = nothing */
export function storageProblem(v: GlobalVariable | IRFunction): string {
  const isImported = v.dllStorage === 'dllimport';
  const isDeclaration = v instanceof IRFunction ? v.isDeclaration : v.initializer === null;
  const isOutside =
    (isDeclaration && ['', 'external', 'extern_weak'].includes(v.linkage)) || v.linkage === 'available_externally';
  if (v instanceof IRFunction && v.isDeclaration && v.personality !== null)
    return "Function declaration shouldn't have a personality routine";
  if (isDeclared(v) && v.comdat !== null) return 'Declaration may not be in a Comdat!';
  if (v.dllStorage === 'dllexport' && v.visibility === 'hidden')
    return 'dllexport GlobalValue must have default or protected visibility';
  if (isImported && v.visibility !== '') return 'dllimport GlobalValue must have default visibility';
  return isImported && !isOutside ? 'Global is marked as dllimport, but not external' : '';
}

/** Whether the size depends on the processor's vectors. */
const isScalable = (t: IRType): boolean =>
  t.kind === TypeKind.ScalableVector ||
  ((t.kind === TypeKind.Array || t.kind === TypeKind.Struct) && t.elements.some(isScalable));

/** Takes the first thing that is wrong, and the value that LLVM prints below it. */
export function verifyGlobal(
  g: GlobalVariable,
  complain: (message: string, ...values: readonly string[]) => void,
): void {
  const problem = problemOf(g, complain);
  if (problem !== null) complain(problem, printTypedValue(g));
  else if (isScalable(g.valueType)) complain('Globals cannot contain scalable types', printTypedValue(g));
  else if (g.linkage === 'appending' && g.valueType.kind !== TypeKind.Array)
    complain('Only global arrays can have appending linkage!', printTypedValue(g));
}

function problemOf(
  g: GlobalVariable,
  complain: (message: string, ...values: readonly string[]) => void,
): string | null {
  if (g.linkage === 'common' && g.initializer !== null) {
    if (!isNullValue(g.initializer)) return "'common' global must have a zero initializer!";
    if (g.isConstant) return "'common' global may not be marked constant!";
    if (g.comdat !== null) return "'common' global may not be in a Comdat!";
  }
  const isEntries = g.name === 'llvm.global_ctors' || g.name === 'llvm.global_dtors';
  const isUsed = g.name === 'llvm.used' || g.name === 'llvm.compiler.used';
  if (!isEntries && !isUsed) return null;
  if (g.initializer !== null && g.linkage !== 'appending') return 'invalid linkage for intrinsic global variable';
  if (isEntries) {
    const { elements } = g.valueType.elements[0] ?? { elements: [] };
    if (g.valueType.kind === TypeKind.Array && elements.length === 2 && isEntryList(g.valueType, 2)) {
      complain(
        'the third field of the element type is mandatory, specify ptr null to migrate from the obsoleted 2-field form',
      );
      return null;
    }
    return isEntryList(g.valueType, 3) ? null : 'wrong type for intrinsic global variable';
  }
  if (g.valueType.kind !== TypeKind.Array) return null;
  if (g.valueType.elements[0]?.kind !== TypeKind.Pointer) return 'wrong type for intrinsic global variable';
  if (g.initializer === null) return null;
  if (!(g.initializer instanceof Constant) || g.initializer.kind !== ValueKind.ConstantAggregate) {
    complain('wrong initializer for intrinsic global variable', printTypedValue(g.initializer));
    return null;
  }
  for (const member of g.initializer.operands) {
    // Without casts of pointers.
    const isCast = member.kind === ValueKind.ConstantExpr && (member as Constant).opcode !== Opcode.IntToPtr;
    const v = isCast ? ((member as Constant).operands[0] as Value) : member;
    if (isGlobal(v)) continue;
    complain(`invalid ${g.name ?? ''} member`, printTypedValue(v));
    break;
  }
  return null;
}
