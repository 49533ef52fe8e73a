/** What the memory model asks of an access: its order, scope and address spaces (SIMemoryLegalizer, LLVM 22; docs/llvm/memory-accesses.md, 3). */
import type { MemOperand } from '../../model/memOperand.js';
import { MemFlag } from '../../model/memOperand.js';

/** AtomicOrdering as LLVM numbers it */
export const enum Order {
  NotAtomic = 0,
  Unordered = 1,
  Monotonic = 2,
  Acquire = 4,
  Release = 5,
  AcquireRelease = 6,
  SequentiallyConsistent = 7,
}

/** Who is to see an access: the wider the larger. */
export const enum Scope {
  SingleThread,
  Wavefront,
  Workgroup,
  Cluster,
  Agent,
  System,
}

/** Memories, a bit each. */
export const enum Space {
  Global = 1,
  LDS = 2,
  Scratch = 4,
  GDS = 8,
  Other = 16,
  Flat = Global | LDS | Scratch,
  Atomic = Flat | GDS,
  All = Atomic | Other,
}

export interface MemoryAccess {
  readonly order: Order;
  readonly failureOrder: Order;
  readonly scope: Scope;
  /** what is ordered */
  readonly ordered: number;
  /** what the instruction touches */
  readonly touched: number;
  /** accesses of one space are ordered with those of others */
  readonly crossesSpaces: boolean;
  readonly isVolatile: boolean;
  readonly isNonTemporal: boolean;
  readonly isLastUse: boolean;
  readonly isCooperative: boolean;
}

const ORDERS: Readonly<Record<string, Order>> = {
  '': Order.NotAtomic,
  unordered: Order.Unordered,
  monotonic: Order.Monotonic,
  acquire: Order.Acquire,
  release: Order.Release,
  acq_rel: Order.AcquireRelease,
  seq_cst: Order.SequentiallyConsistent,
};

const SCOPES: Readonly<Record<string, Scope>> = {
  '': Scope.System,
  agent: Scope.Agent,
  cluster: Scope.Cluster,
  workgroup: Scope.Workgroup,
  wavefront: Scope.Wavefront,
  singlethread: Scope.SingleThread,
};
const ONE_SPACE = /^(?:(.*)-)?one-as$/;

/** Null where the target has no such scope. `isOneSpace`: memories are not ordered with each other. */
export function scopeOf(name: string): { readonly scope: Scope; readonly isOneSpace: boolean } | null {
  const one = ONE_SPACE.exec(name);
  const plain = one === null ? name : (one[1] ?? '');
  if (!Object.hasOwn(SCOPES, plain) || (one !== null && one[1] === '')) return null;
  return { scope: SCOPES[plain], isOneSpace: one !== null };
}

/**
 * The memories behind an address space
 * @llvm SIMemoryLegalizer.cpp SIMemOpAccess::toSIAtomicAddrSpace
 */
function spaceOf(addressSpace: number): number {
  const spaces = [Space.Flat, Space.Global, Space.GDS, Space.LDS, Space.Other, Space.Scratch];
  if (addressSpace >= 7 && addressSpace <= 9) return Space.Global;
  return spaces[addressSpace] ?? Space.Other;
}

/** @llvm AtomicOrdering.h getMergedAtomicOrdering */
function strongerOf(a: Order, b: Order): Order {
  const isMixed = (a === Order.Acquire && b === Order.Release) || (a === Order.Release && b === Order.Acquire);
  return isMixed ? Order.AcquireRelease : a > b ? a : b;
}

export const isReleaseOrStronger = (order: Order): boolean => order >= Order.Release;

/**
 * Narrows the scope to what the memories that are touched can be seen by.
 * @llvm SIMemoryLegalizer.cpp SIMemOpInfo
 */
export function narrowed(access: MemoryAccess, hasClusters: boolean): MemoryAccess {
  const { touched, ordered } = access;
  if (access.order === Order.NotAtomic) return access;
  const isOneSpace = (touched & (touched - 1)) === 0;
  let scope: Scope = access.scope;
  const narrow = (widest: Scope): void => {
    scope = Math.min(scope, widest);
  };
  if ((touched & ~Space.Scratch) === 0) narrow(Scope.SingleThread);
  else if ((touched & ~(Space.Scratch | Space.LDS)) === 0) narrow(Scope.Workgroup);
  else if ((touched & ~(Space.Scratch | Space.LDS | Space.GDS)) === 0) narrow(Scope.Agent);
  if (scope === Scope.Cluster && !hasClusters) scope = Scope.Agent;
  return { ...access, scope, crossesSpaces: access.crossesSpaces && !(ordered === touched && isOneSpace) };
}

/** Of an instruction that does not say what it touches. */
export const UNKNOWN_ACCESS: MemoryAccess = {
  order: Order.SequentiallyConsistent,
  failureOrder: Order.SequentiallyConsistent,
  scope: Scope.System,
  ordered: Space.Atomic,
  touched: Space.All,
  crossesSpaces: true,
  isVolatile: false,
  isNonTemporal: false,
  isLastUse: false,
  isCooperative: false,
};

/**
 * Of an instruction with these memory operands; a string: LLVM's complaint. `isAtomic`: it is an atomic one, whatever they say.
 * @llvm SIMemoryLegalizer.cpp SIMemOpAccess::constructFromMIWithMMO
 */
export function accessOf(operands: readonly MemOperand[], isAtomic: boolean): MemoryAccess | string {
  let order = Order.NotAtomic;
  let failureOrder = Order.NotAtomic;
  let scope = { scope: Scope.SingleThread, isOneSpace: false };
  let [touched, anyFlags, allFlags] = [0, 0, -1];
  for (const operand of operands) {
    anyFlags |= operand.flags;
    allFlags &= operand.flags;
    touched |= spaceOf(operand.addressSpace);
    const own = ORDERS[operand.ordering] ?? Order.NotAtomic;
    if (own === Order.NotAtomic) continue;
    const other = scopeOf(operand.syncScope);
    if (other === null) return 'Unsupported non-inclusive atomic synchronization scope';
    const isIncluded = scope.scope >= other.scope && (scope.isOneSpace === other.isOneSpace || !scope.isOneSpace);
    if (!isIncluded) scope = other;
    order = strongerOf(order, own);
    failureOrder = strongerOf(failureOrder, ORDERS[operand.failureOrdering] ?? Order.NotAtomic);
  }
  if (isAtomic && order === Order.NotAtomic) order = Order.Monotonic;
  const isPlain = order === Order.NotAtomic;
  const ordered = isPlain ? 0 : Space.Atomic & (scope.isOneSpace ? touched : Space.Atomic);
  if (!isPlain && (ordered === 0 || (touched & Space.Atomic) === 0)) return 'Unsupported atomic address space';
  return {
    ...{ order, failureOrder, ordered, touched },
    scope: scope.scope,
    crossesSpaces: !isPlain && !scope.isOneSpace,
    isVolatile: (anyFlags & MemFlag.Volatile) !== 0,
    isNonTemporal: (allFlags & MemFlag.NonTemporal) !== 0,
    isLastUse: (anyFlags & MemFlag.LastUse) !== 0,
    isCooperative: (anyFlags & MemFlag.Cooperative) !== 0,
  };
}
