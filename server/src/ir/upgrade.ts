/**
 * What LLVM does to a module right after its text is read (AutoUpgrade.cpp and LLParser::validateEndOfModule, LLVM 22),
 * as far as MIR tests show it: attributes and names of intrinsics, old AMDGPU atomics, memory and lifetime intrinsics,
 * debug intrinsics as records, debug info without version dropped.
 */
import { AttributeSet } from './attributes.js';
import { ConstantContext, isConstant } from './constants.js';
import { abiAlign, storeBytes } from './dataLayout.js';
import { DebugInfoVerifier } from './debugInfoVerifier.js';
import {
  intrinsicAttributes,
  intrinsicBaseName,
  isOfOtherTarget,
  mangledIntrinsicName,
  matchIntrinsic,
} from './intrinsics.js';
import {
  Argument,
  Constant,
  InstFlag,
  Instruction,
  IRFunction,
  IRModule,
  MDNode,
  MDString,
  MetadataAsValue,
  Opcode,
  Value,
  ValueAsMetadata,
  ValueKind,
  type CallInfo,
  type DebugRecord,
  type IntrinsicFacts,
  type MDAttachment,
  type Metadata,
} from './module.js';
import {
  COUNTER,
  FLOAT_ATOMIC,
  hasMatrixModifiers,
  isHalfConversion,
  isOldForm,
  isOldIntrinsic,
  isUnclamped,
  MASKED,
  newNameOf,
  SPLICE,
} from './oldIntrinsics.js';
import { forgetMessages } from './printer.js';
import { TypeKind, type IRType } from './types.js';

/** A call that cannot be upgraded, which LLVM does not survive. */
export interface UpgradeFault {
  readonly message: string;
  /** of the call in the document */
  readonly offset: number;
}

export interface FinishedModule {
  readonly fault: UpgradeFault | null;
  readonly dropped: DroppedDebugInfo | null;
}

/** Brings a module that was read whole into the form that llc goes on with. `undeclared` are functions that the text only calls. */
export function finishModule(
  module: IRModule,
  mdKindOffsets: ReadonlyMap<string, number>,
  undeclared: ReadonlySet<IRFunction>,
): FinishedModule {
  module.customMDKinds.push(...[...mdKindOffsets].sort((a, b) => a[1] - b[1]).map(([k]) => k));
  const fault = new Upgrader(module, undeclared).run();
  if (module.numberedMetadata.size > 0) {
    // A node that is its own operand is like no other.
    for (const node of module.numberedMetadata.values()) if (node.operands.includes(node)) node.isDistinct = true;
    upgradeModuleFlags(module);
    upgradeTBAA(module);
  }
  module.hasCurrentDebugInfo = debugInfoVersion(module) === DEBUG_VERSION;
  return { fault, dropped: module.hasDebugInfo ? dropInvalidDebugInfo(module) : null };
}

export interface DroppedDebugInfo {
  /** lines about what is broken, with their line ends */
  readonly faults: string;
  /** to be followed by `FILE`; '' = nothing was dropped */
  readonly warning: string;
  /** lines about what is broken in nodes that stay, such as those of named metadata: llc gives up */
  readonly left: string;
}

type CallRewriter = (call: Instruction) => Rewritten;
/** `keep` leaves the call, `remove` deletes it, an instruction replaces it */
type Rewritten = 'keep' | 'remove' | Instruction;

class Upgrader {
  private readonly constants: ConstantContext;
  private readonly intrinsics: IntrinsicFacts;
  private readonly rewriters = new Map<IRFunction, CallRewriter>();
  private readonly removed = new Set<IRFunction>();
  private readonly added: IRFunction[] = [];
  /** of those that stand in the place of another: that one */
  private readonly placeOf = new Map<IRFunction, IRFunction>();
  private current: IRFunction | null = null;
  private readonly replacedValues = new Map<Value, Value>();
  private fault: UpgradeFault | null = null;

  constructor(
    private readonly module: IRModule,
    private readonly undeclared: ReadonlySet<IRFunction>,
  ) {
    this.intrinsics = module.dialect.intrinsics;
    this.constants = new ConstantContext(module.types);
  }

  run(): UpgradeFault | null {
    const { module } = this;
    for (const fn of module.functions) if (fn.isIntrinsic) this.upgradeDeclaration(fn);
    if (this.rewriters.size > 0) this.rewriteCalls();
    if (this.removed.size > 0) {
      const kept = module.functions.flatMap((f) => {
        if (this.removed.has(f)) return this.inPlaceOf(f);
        return this.placeOf.has(f) ? [] : [f];
      });
      module.functions.length = 0;
      for (const f of kept) module.functions.push(f);
      for (const f of this.removed)
        if (f.name !== null && module.symbols.get(f.name) === f) module.symbols.delete(f.name);
    }
    for (const f of this.added) {
      if (!this.placeOf.has(f)) module.functions.push(f);
      module.symbols.set(f.name!, f);
    }
    return this.fault;
  }

  /** Whether what is being upgraded is only called. */
  private get isUndeclared(): boolean {
    return this.current !== null && this.undeclared.has(this.current);
  }

  /** LLVM upgrades what the text does not declare as soon as it makes the declaration. */
  private inPlaceOf(old: IRFunction): IRFunction[] {
    return [...this.placeOf].filter(([, place]) => place === old).map(([f]) => f);
  }

  private upgradeDeclaration(fn: IRFunction): void {
    const name = fn.name!;
    this.current = fn;
    if (isOfOtherTarget(name)) this.module.notModelled ??= `the intrinsic '${name}' of another target`;
    if (this.upgradeOld(fn, name)) return;
    if (isOldIntrinsic(name, fn.fnType))
      this.module.notModelled ??= `the intrinsic '${name}' of an earlier LLVM with operands or a result of other types`;
    const overloads = matchIntrinsic(name, fn.fnType, this.module.types, this.intrinsics);
    if (overloads === null) return;
    this.setIntrinsicAttributes(fn);
    if (overloads.length === 0) return;
    const mangled = mangledIntrinsicName(intrinsicBaseName(name, this.intrinsics)!, overloads);
    if (mangled !== name) this.renameTo(fn, mangled, fn.fnType, (call) => this.redirect(call, mangled));
  }

  private setIntrinsicAttributes(fn: IRFunction): void {
    const attrs = intrinsicAttributes(fn.name!, fn.fnType, this.module.types, this.intrinsics);
    if (attrs === null) return;
    fn.fnAttrs = attrs.fn;
    fn.retAttrs = attrs.ret;
    for (const a of fn.args) a.attributes = attrs.params[a.index] ?? null;
  }

  /** The function of that name and type, made at the end of the module if it is not there. */
  private declare(name: string, fnType: IRType): IRFunction {
    const known = this.module.symbols.get(name);
    if (known instanceof IRFunction && !this.removed.has(known)) {
      // Both are sorted by their names, and the old one comes first.
      if (this.undeclared.has(known) && this.isUndeclared && this.current!.name! < name && !this.placeOf.has(known))
        this.placeOf.set(known, this.current!);
      return known;
    }
    const again = this.added.find((f) => f.name === name);
    if (again !== undefined) return again;
    const fn = new IRFunction(this.module.types.pointer(0), name, fnType);
    for (let i = 1; i < fnType.elements.length; i++) fn.args.push(new Argument(fnType.elements[i], null, fn, i - 1));
    this.setIntrinsicAttributes(fn);
    this.added.push(fn);
    if (this.isUndeclared) this.placeOf.set(fn, this.current!);
    return fn;
  }

  private renameTo(fn: IRFunction, name: string, fnType: IRType, rewrite: CallRewriter): void {
    this.removed.add(fn);
    this.declare(name, fnType);
    this.rewriters.set(fn, rewrite);
  }

  private redirect(call: Instruction, name: string): Rewritten {
    call.operands[call.operands.length - 1] = this.target(name);
    return 'keep';
  }

  private target(name: string): Value {
    const fn = this.added.find((f) => f.name === name) ?? this.module.symbols.get(name);
    return fn!;
  }

  /** Intrinsics whose meaning or form changed; false for all others. */
  private upgradeOld(fn: IRFunction, name: string): boolean {
    const rest = name.slice(5);
    if (rest.startsWith('dbg.')) return this.upgradeDebugIntrinsic(fn, rest.slice(4));
    if (rest.startsWith('amdgcn.')) return this.upgradeAMDGCN(fn, rest.slice(7));
    const renamed = newNameOf(rest);
    if (renamed !== null) return this.rename(fn, renamed);
    if (this.module.dialect.rules.castsHalves && isHalfConversion(rest, fn.fnType.elements))
      return this.upgradeHalfConversion(fn);
    if (SPLICE.test(rest)) return this.upgradeSplice(fn);
    if (rest === 'stackprotectorcheck') {
      this.removed.add(fn);
      this.rewriters.set(fn, () => 'remove');
      return true;
    }
    const params = fn.fnType.elements;
    if (!isOldForm(rest, params)) return false;
    const annotation = /^(?:ptr|var)\.annotation/.exec(rest);
    if (annotation !== null)
      return this.appendToNewCall(fn, annotation[0], this.constants.null(this.module.types.pointer(0)));
    if (rest === 'coro.end')
      return this.appendToNewCall(
        fn,
        rest,
        this.constants.null(this.module.types.token),
        // It had a result once.
        this.module.types.void_,
      );
    if (MASKED.test(rest)) return this.upgradeMasked(fn, rest);
    if (rest.startsWith('ct')) return this.appendFalse(fn, rest.slice(0, 4), 1);
    if (rest.startsWith('objectsize.')) return this.appendFalse(fn, 'objectsize', 5 - params.length);
    if (rest.startsWith('memset.')) return this.upgradeMemory(fn, rest, [0]);
    return rest.startsWith('mem') ? this.upgradeMemory(fn, rest, [0, 1]) : this.upgradeLifetime(fn, rest);
  }

  /** More `i1 false` operands than the text has. */
  private appendFalse(fn: IRFunction, base: string, n: number): boolean {
    const { types } = this.module;
    const [result, ...params] = fn.fnType.elements;
    const fnType = types.fn(result, [...params, ...new Array<IRType>(n).fill(types.i1)], false);
    const more = new Array<Value>(n).fill(this.constants.bool(false));
    return this.callOther(fn, 'llvm.' + base, fnType, (args) => [...args, ...more]);
  }

  /** Calls go to the intrinsic `base` of another type instead, with the operands changed. */
  private callOther(fn: IRFunction, base: string, fnType: IRType, change: (args: Value[]) => Value[]): boolean {
    const overloads = matchIntrinsic(base, fnType, this.module.types, this.intrinsics);
    if (overloads === null) return false;
    const name = mangledIntrinsicName(base, overloads);
    this.renameTo(fn, name, fnType, (call) => {
      const next = this.makeCall(
        call,
        this.target(name),
        change(call.operands.slice(0, -1)),
        fnType,
        call.call!.paramAttrs,
      );
      next.name = call.name;
      return next;
    });
    return true;
  }

  private rename(fn: IRFunction, base: string): boolean {
    const overloads = matchIntrinsic(base, fn.fnType, this.module.types, this.intrinsics);
    if (overloads === null) return false;
    const name = mangledIntrinsicName(base, overloads);
    this.renameTo(fn, name, fn.fnType, (call) => this.redirect(call, name));
    return true;
  }

  /** One more operand, for a call of which nothing is left but its arguments, name and place. */
  private appendToNewCall(fn: IRFunction, base: string, more: Value, result = fn.fnType.elements[0]): boolean {
    const { types } = this.module;
    const params = fn.fnType.elements.slice(1);
    const fnType = types.fn(result, [...params, more.type], false);
    const overloads = matchIntrinsic('llvm.' + base, fnType, types, this.intrinsics);
    if (overloads === null) return false;
    const name = mangledIntrinsicName('llvm.' + base, overloads);
    this.renameTo(fn, name, fnType, (call) => {
      const next = this.makeBareCall(call, this.target(name), [...call.operands.slice(0, -1), more], fnType);
      next.name = call.name;
      return next;
    });
    return true;
  }

  /** The direction was the sign of the last operand. */
  private upgradeSplice(fn: IRFunction): boolean {
    const { types } = this.module;
    const [result, a, b, count] = fn.fnType.elements;
    if (fn.fnType.elements.length !== 4 || count !== types.i32 || a !== result || b !== result) return false;
    const offsetOf = (call: Instruction): bigint | null => {
      const offset = call.operands[2];
      return offset.kind === ValueKind.ConstantInt ? BigInt.asIntN(32, (offset as Constant).value) : null;
    };
    const intrinsicFor = (offset: bigint): IRFunction =>
      this.declare(mangledIntrinsicName(`llvm.vector.splice.${offset < 0n ? 'right' : 'left'}`, [result]), fn.fnType);
    this.removed.add(fn);
    for (const call of this.callsOf(fn)) {
      const offset = offsetOf(call);
      if (offset === null)
        this.fault ??= { message: 'Invalid llvm.vector.splice offset argument', offset: call.offset };
      else intrinsicFor(offset);
    }
    this.rewriters.set(fn, (call) => {
      const offset = offsetOf(call);
      if (offset === null) return 'keep';
      const distance = this.constants.int(types.i32, offset < 0n ? -offset : offset);
      return this.makeBareCall(call, intrinsicFor(offset), [call.operands[0], call.operands[1], distance], fn.fnType);
    });
    return true;
  }

  // -- memory and lifetime ------------------------------------------------------------------------------------------

  /** Drops the alignment operand and puts it on the pointers that are given by index. */
  private upgradeMemory(fn: IRFunction, rest: string, pointers: readonly number[]): boolean {
    const { types } = this.module;
    const e = fn.fnType.elements;
    const fnType = types.fn(e[0], [e[1], e[2], e[3], e[5]], false);
    const base = 'llvm.' + rest.slice(0, rest.indexOf('.'));
    const overloads = matchIntrinsic(base, fnType, types, this.intrinsics);
    if (overloads === null) return false;
    const name = mangledIntrinsicName(base, overloads);
    this.renameTo(fn, name, fnType, (call) => {
      const [dst, src, n, align, isVolatile] = call.operands;
      const info = call.call!;
      const attrs: (AttributeSet | null)[] = [0, 1, 2, 4].map((i) => info.paramAttrs[i] ?? null);
      const bytes = align.kind === ValueKind.ConstantInt ? (align as Constant).value : 0n;
      if (bytes > 0n) for (const i of pointers) attrs[i] = withAlign(attrs[i], bytes);
      const next = this.makeCall(call, this.target(name), [dst, src, n, isVolatile], fnType, attrs);
      next.name = call.name;
      return next;
    });
    return true;
  }

  /** The alignment was an operand after the pointer. */
  private upgradeMasked(fn: IRFunction, rest: string): boolean {
    const { types } = this.module;
    const kind = MASKED.exec(rest)![1];
    const [result, ...params] = fn.fnType.elements;
    const pointer = kind === 'load' || kind === 'gather' ? 0 : 1;
    const without = <T>(list: readonly T[]): T[] => list.filter((_, k) => k !== pointer + 1);
    const fnType = types.fn(result, without(params), false);
    const base = 'llvm.masked.' + kind;
    const overloads = matchIntrinsic(base, fnType, types, this.intrinsics);
    if (overloads === null) return false;
    const accessed = pointer === 0 ? result : params[0];
    // Of vectors of pointers no alignment meant that of an element.
    const least = kind === 'gather' || kind === 'scatter' ? BigInt(abiAlign(accessed.scalar)) : 0n;
    const alignOf = (call: Instruction): bigint | string => {
      const operand = call.operands[pointer + 1];
      const value = operand.kind === ValueKind.ConstantInt ? (operand as Constant).value : -1n;
      if (value === 0n) return least > 0n ? least : 'Invalid zero alignment argument';
      return value > 0n && (value & (value - 1n)) === 0n ? value : 'Invalid alignment argument';
    };
    const name = mangledIntrinsicName(base, overloads);
    this.renameTo(fn, name, fnType, (call) => {
      const align = alignOf(call);
      if (typeof align === 'string') {
        this.fault ??= { message: align, offset: call.offset };
        return 'keep';
      }
      const next = this.makeBareCall(call, this.target(name), without(call.operands.slice(0, -1)), fnType);
      next.name = call.name;
      next.flags = call.flags & (InstFlag.Tail | InstFlag.MustTail | InstFlag.NoTail);
      next.attachments = call.attachments;
      next.call = { ...next.call!, paramAttrs: params.map((_, k) => (k === pointer ? withAlign(null, align) : null)) };
      return next;
    });
    return true;
  }

  private upgradeLifetime(fn: IRFunction, rest: string): boolean {
    const { types } = this.module;
    const e = fn.fnType.elements;
    if (e[1].kind !== TypeKind.Integer || e[2].kind !== TypeKind.Pointer) return false;
    const base = 'llvm.' + rest.split('.', 2).join('.');
    // LLVM makes a declaration for the first parameter's type and leaves it behind.
    const strayName = mangledIntrinsicName(base, [e[1]]);
    const stray = this.declare(strayName, types.fn(e[0], [e[1]], false));
    stray.fnAttrs = null;
    for (const a of stray.args) a.attributes = null;
    this.removed.add(fn);
    /** The intrinsic for an alloca, of which its own pointer's type decides. */
    const intrinsicFor = (alloca: Instruction): IRFunction =>
      this.declare(mangledIntrinsicName(base, [alloca.type]), types.fn(e[0], [alloca.type], false));
    // LLVM rewrites the calls before it looks at the next declaration.
    for (const call of this.callsOf(fn)) {
      const alloca = allocaBehind(call.operands[1]);
      if (alloca !== null) intrinsicFor(alloca);
    }
    this.rewriters.set(fn, (call) => {
      // Only allocas have lifetimes; others lose the call.
      const alloca = allocaBehind(call.operands[1]);
      if (alloca === null) return 'remove';
      const callee = intrinsicFor(alloca);
      return this.makeBareCall(call, callee, [alloca], callee.fnType);
    });
    return true;
  }

  /** A call in the place of another, of which it has nothing but that. */
  private makeBareCall(old: Instruction, callee: Value, args: Value[], fnType: IRType): Instruction {
    const next = this.makeCall(old, callee, args, fnType, []);
    const place = old.attachments?.filter((a) => a.kind === 'dbg') ?? [];
    next.attachments = place.length === 0 ? null : place;
    next.flags = 0;
    next.call = { ...next.call!, callingConv: 0, retAttrs: null, fnAttrs: null, bundles: [] };
    return next;
  }

  /** Reads all bodies. */
  private *callsOf(fn: IRFunction): Iterable<Instruction> {
    for (const f of this.module.functions)
      for (const block of f.blocks)
        for (const i of block.instructions) if (i.call !== null && i.operands.at(-1) === fn) yield i;
  }

  private makeCall(
    old: Instruction,
    callee: Value,
    args: Value[],
    fnType: IRType,
    paramAttrs: readonly (AttributeSet | null)[],
  ): Instruction {
    const next = new Instruction(
      Opcode.Call,
      fnType.elements[0],
      null,
      [...args, callee],
      old.flags,
      old.parent,
      old.offset,
    );
    const info: CallInfo = {
      fnType,
      callingConv: old.call!.callingConv,
      addressSpace: 0,
      retAttrs: old.call!.retAttrs,
      paramAttrs,
      fnAttrs: old.call!.fnAttrs,
      bundles: old.call!.bundles,
    };
    next.call = info;
    next.attachments = old.attachments;
    return next;
  }

  // -- AMDGPU atomics -----------------------------------------------------------------------------------------------

  private upgradeAMDGCN(fn: IRFunction, rest: string): boolean {
    if (rest.startsWith('ldexp.')) return this.callOther(fn, 'llvm.ldexp', fn.fnType, (args) => args);
    if (rest === 'alignbit') return this.callOther(fn, 'llvm.fshr', fn.fnType, (args) => args);
    if (isUnclamped(rest, fn.fnType.elements)) return this.upgradeUnclamped(fn, rest);
    if (this.module.dialect.rules.dropsMatrixModifiers && hasMatrixModifiers(rest, fn.fnType.elements))
      return this.dropMatrixModifiers(fn, rest);
    const counter = COUNTER.exec(rest);
    const float = FLOAT_ATOMIC.exec(rest);
    if (counter === null && float === null) return false;
    // One whose name goes on otherwise is an exchange for LLVM.
    const counting = counter?.[2] === undefined ? 'xchg' : `u${counter[1]}_wrap`;
    const operation = float?.[1] ?? counting;
    this.removed.add(fn);
    this.rewriters.set(fn, (call) => this.atomicOf(call, operation));
    return true;
  }

  private upgradeUnclamped(fn: IRFunction, rest: string): boolean {
    const { types } = this.module;
    const [result, ...params] = fn.fnType.elements;
    const fnType = types.fn(result, [...params, types.i1], false);
    const base = intrinsicBaseName('llvm.amdgcn.' + rest, this.intrinsics)!;
    const overloads = matchIntrinsic(base, fnType, types, this.intrinsics);
    if (overloads === null) return false;
    const name = mangledIntrinsicName(base, overloads);
    this.renameTo(fn, name, fnType, (call) => {
      const args = [...call.operands.slice(0, -1), this.constants.bool(false)];
      return this.makeCall(call, this.target(name), args, fnType, call.call!.paramAttrs);
    });
    return true;
  }

  /** Matrices A and B had a modifier in front, which was zero. Attributes of operands stay at their places in the list. */
  private dropMatrixModifiers(fn: IRFunction, rest: string): boolean {
    const { types } = this.module;
    const [result, ...params] = fn.fnType.elements;
    const without = <T>(list: readonly T[]): T[] => list.filter((_, k) => k !== 0 && k !== 2);
    const fnType = types.fn(result, without(params), false);
    const base = intrinsicBaseName('llvm.amdgcn.' + rest, this.intrinsics)!;
    const overloads = matchIntrinsic(base, fnType, types, this.intrinsics);
    if (overloads === null) return false;
    const name = mangledIntrinsicName(base, overloads);
    const isZero = (value: Value): boolean => value === this.constants.bool(false);
    this.renameTo(fn, name, fnType, (call) => {
      if (!isZero(call.operands[0]) || !isZero(call.operands[2])) {
        this.fault ??= { message: `${rest} matrix A and B modifiers shall be zero`, offset: call.offset };
        return 'keep';
      }
      const args = without(call.operands.slice(0, -1));
      const next = this.makeCall(call, this.target(name), args, fnType, call.call!.paramAttrs.slice(0, args.length));
      next.name = call.name;
      return next;
    });
    return true;
  }

  /** Conversions between bits of a half and a wider float are casts. */
  private upgradeHalfConversion(fn: IRFunction): boolean {
    const { types } = this.module;
    const [result] = fn.fnType.elements;
    this.removed.add(fn);
    for (const call of this.callsOf(fn))
      if (isConstant(call.operands[0])) this.module.notModelled ??= `'${fn.name}' of a constant`;
    this.rewriters.set(fn, (call) => {
      const make = (opcode: Opcode, type: IRType, value: Value, flags: number): Instruction => {
        const cast = new Instruction(opcode, type, null, [value], flags, call.parent, call.offset);
        const place = call.attachments?.filter((a) => a.kind === 'dbg') ?? [];
        if (place.length > 0) cast.attachments = place;
        return cast;
      };
      const flags = call.flags & InstFlag.Fast;
      if (result.kind === TypeKind.Integer) return make(Opcode.FPTrunc, types.half, call.operands[0], flags);
      const half = make(Opcode.BitCast, types.half, call.operands[0], 0);
      return make(Opcode.FPExt, result, half, flags);
    });
    return true;
  }

  /** The operands after the value are ordering, scope and volatile flag; the newest forms have none. */
  private atomicOf(call: Instruction, operation: string): Rewritten {
    const { types } = this.module;
    const args = call.operands;
    const n = args.length - 1;
    const pointer = args[0];
    let value = args[1];
    let ordering = 'seq_cst';
    let isVolatile = false;
    const constantArg = (i: number): bigint | null =>
      i < n && args[i].kind === ValueKind.ConstantInt ? (args[i] as Constant).value : null;
    if (n > 2) {
      const names = ['', 'unordered', 'monotonic', '', 'acquire', 'release', 'acq_rel', 'seq_cst'];
      const o = constantArg(2);
      const word = o === null || o > 7n ? '' : names[Number(o)];
      if (word !== '' && word !== 'unordered') ordering = word;
      if (n > 4) isVolatile = constantArg(4) !== 0n;
    }
    const resultType = call.type;
    if (resultType.isVector && resultType.elements[0].kind === TypeKind.Integer && resultType.elements[0].n === 16) {
      // Old bfloat atomics have integer vectors; LLVM casts around the instruction.
      const bf = types.vector(types.bfloat, resultType.n);
      value = isConstant(value)
        ? this.constants.cast(Opcode.BitCast, value, bf)
        : new Instruction(Opcode.BitCast, bf, null, [value], 0, call.parent, call.offset);
    }
    const inst = new Instruction(
      Opcode.AtomicRMW,
      value.type,
      null,
      [pointer, value],
      InstFlag.Atomic | (isVolatile ? InstFlag.Volatile : 0),
      call.parent,
      call.offset,
    );
    inst.atomic = { syncScope: 'agent', ordering, failureOrdering: '', operation };
    inst.align = storeBytes(value.type);
    const empty = new MDNode(-1, false, '', [], null);
    const attachments: MDAttachment[] = [];
    if (pointer.type.n !== 3) {
      attachments.push({ kind: 'amdgpu.no.fine.grained.memory', node: empty });
      if (operation === 'fadd' && value.type.kind === TypeKind.Float)
        attachments.push({ kind: 'amdgpu.ignore.denormal.mode', node: empty });
    }
    if (pointer.type.n === 0) {
      const bound = (v: bigint): ValueAsMetadata => new ValueAsMetadata(this.constants.int(types.i32, v));
      attachments.push({ kind: 'noalias.addrspace', node: new MDNode(-1, false, '', [bound(5n), bound(6n)], null) });
    }
    for (const a of attachments) {
      if (a.kind.startsWith('amdgpu.') && !this.module.customMDKinds.includes(a.kind))
        this.module.customMDKinds.push(a.kind);
    }
    if (attachments.length > 0) inst.attachments = attachments;
    if (call.attachments !== null) {
      const dbg = call.attachments.filter((a) => a.kind === 'dbg');
      if (dbg.length > 0) inst.attachments = [...dbg, ...(inst.attachments ?? [])];
    }
    return inst;
  }

  // -- debug intrinsics ---------------------------------------------------------------------------------------------

  private upgradeDebugIntrinsic(fn: IRFunction, kind: string): boolean {
    if (!['value', 'declare', 'assign', 'label', 'addr'].includes(kind)) return false;
    this.module.hasDebugInfo = true;
    this.removed.add(fn);
    this.rewriters.set(fn, () => 'remove');
    return true;
  }

  private debugRecordOf(call: Instruction): DebugRecord | null {
    const callee = call.operands[call.operands.length - 1];
    if (!(callee instanceof IRFunction) || callee.name === null || !callee.name.startsWith('llvm.dbg.')) return null;
    let kind = callee.name.slice(9);
    let operands: (Metadata | null)[] = call.operands.slice(0, -1).map((o) => (o as MetadataAsValue).metadata);
    if (kind === 'value' && call.operands.length === 5) {
      // The old form had an offset as its second operand; only zero survives.
      const offset = call.operands[1];
      if (offset.kind !== ValueKind.ConstantInt || (offset as Constant).value !== 0n) return null;
      operands = [operands[0], operands[2], operands[3]];
    }
    // What is described is any metadata, what describes it are nodes.
    operands = operands.map((o, k) => (o instanceof MDNode || ADDRESSES[kind]?.includes(k) ? o : null));
    if (kind === 'addr') {
      kind = 'value';
      const expression = operands[2];
      if (expression instanceof MDNode && expression.className === 'DIExpression')
        operands[2] = new MDNode(-1, false, 'DIExpression', [], null, [...(expression.elements ?? []), 'DW_OP_deref']);
    }
    const location = call.attachments?.find((a) => a.kind === 'dbg')?.node;
    if (location !== undefined) operands.push(location);
    return { kind, operands, offset: call.offset };
  }

  // -- bodies -------------------------------------------------------------------------------------------------------

  private rewriteCalls(): void {
    for (const fn of this.module.functions) {
      if (fn.isDeclaration) continue;
      let changed = false;
      for (const block of fn.blocks) {
        const list = block.instructions;
        let records: DebugRecord[] = [];
        const kept: Instruction[] = [];
        for (const inst of list) {
          let next: Rewritten = 'keep';
          if (inst.call !== null) {
            const callee = inst.operands[inst.operands.length - 1];
            const rewrite = callee instanceof IRFunction ? this.rewriters.get(callee) : undefined;
            if (rewrite !== undefined) {
              const record = this.debugRecordOf(inst);
              next = rewrite(inst);
              // Records of a call that goes away belong to what follows it.
              if (next === 'remove' && inst.debugRecords !== null) records.push(...inst.debugRecords);
              if (record !== null) records.push(record);
            }
          }
          if (next === 'remove') {
            changed = true;
            continue;
          }
          let use = inst;
          if (next !== 'keep') {
            changed = true;
            use = next;
            if (use.type.kind !== TypeKind.Void) this.replacedValues.set(inst, this.withCasts(kept, use, inst.type));
            else kept.push(use);
            use.debugRecords = inst.debugRecords;
          } else kept.push(use);
          if (records.length > 0) {
            use.debugRecords = [...records, ...(use.debugRecords ?? [])];
            records = [];
          }
        }
        if (changed) {
          list.length = 0;
          for (const inst of kept) list.push(inst);
        }
      }
      if (changed) {
        this.replaceOperands(fn);
        fn.invalidate();
      }
    }
  }

  /** Appends an instruction with the casts that its operand and result need; returns the value of the wanted type. */
  private withCasts(list: Instruction[], inst: Instruction, type: IRType): Value {
    const operand = inst.opcode === Opcode.AtomicRMW ? inst.operands[1] : null;
    const isCast =
      operand instanceof Instruction &&
      operand.opcode === Opcode.BitCast &&
      operand.name === null &&
      inst.type !== type;
    if (isCast) list.push(operand);
    // The cast before a widened half is always new.
    if (inst.opcode === Opcode.FPExt) list.push(inst.operands[0] as Instruction);
    list.push(inst);
    if (inst.type === type) return inst;
    const cast = new Instruction(Opcode.BitCast, type, null, [inst], 0, inst.parent, inst.offset);
    const place = inst.attachments?.filter((a) => a.kind === 'dbg') ?? [];
    if (place.length > 0) cast.attachments = place;
    list.push(cast);
    return cast;
  }

  private replaceOperands(fn: IRFunction): void {
    if (this.replacedValues.size === 0) return;
    for (const block of fn.blocks) {
      for (const inst of block.instructions) {
        for (let i = 0; i < inst.operands.length; i++) {
          const next = this.replacedValues.get(inst.operands[i]);
          if (next !== undefined) inst.operands[i] = next;
        }
        for (const r of inst.debugRecords ?? []) {
          for (const o of r.operands) {
            if (!(o instanceof ValueAsMetadata)) continue;
            const next = this.replacedValues.get(o.value);
            if (next !== undefined) (o as { value: Value }).value = next;
          }
        }
      }
    }
  }
}

/** An alignment that is no power of two is the one below it. */
function withAlign(set: AttributeSet | null, n: bigint): AttributeSet {
  const bytes = 1n << BigInt(n.toString(2).length - 1);
  const values = new Map(set?.values ?? []);
  values.set('align', { text: String(bytes), type: null, numbers: [bytes] });
  return new AttributeSet(values, set?.strings ?? new Map());
}

// -- metadata -----------------------------------------------------------------------------------------------------------

/** Behaviours of module flags (Module::ModFlagBehavior). */
/** Operands of debug intrinsics that may be any metadata, by kind. */
const ADDRESSES: Readonly<Record<string, readonly number[]>> = { value: [0], declare: [0], addr: [0], assign: [0, 4] };

const enum FlagBehavior {
  Error = 1,
  Override = 4,
  Max = 7,
  Min = 8,
}

const IMAGE_INFO = 'Objective-C Image Info';
const CLASS_PROPERTIES = 'Objective-C Class Properties';
const COLLECTION = 'Objective-C Garbage Collection';

/** Flags that stand for others of Objective-C and Swift, one number for several. */
class AppleFlags {
  private hasImageInfo = false;
  private hasClassProperties = false;
  private swift: bigint | null = null;

  constructor(private readonly module: IRModule) {}

  private constant(bits: 8 | 32, n: bigint): Metadata {
    const { types } = this.module;
    return new ValueAsMetadata(new ConstantContext(types).int(types.int(bits), n));
  }

  private flag(behavior: FlagBehavior, name: string, bits: 8 | 32, n: bigint): MDNode {
    return new MDNode(
      -1,
      false,
      '',
      [this.constant(32, BigInt(behavior)), new MDString(name), this.constant(bits, n)],
      null,
    );
  }

  /** What a flag becomes. */
  replaced(flag: MDNode, name: string): MDNode {
    const [behavior, key, value] = flag.operands;
    if (name === `${IMAGE_INFO} Version`) this.hasImageInfo = true;
    else if (name === CLASS_PROPERTIES) this.hasClassProperties = true;
    else if (name === `${IMAGE_INFO} Section` && value instanceof MDString) {
      const words = value.value.split(',').filter((w) => w !== '');
      if (words.length > 1)
        return new MDNode(-1, false, '', [behavior!, key!, new MDString(words.map((w) => w.trim()).join(','))], null);
    } else if (name === COLLECTION && value instanceof ValueAsMetadata) {
      const n = value.value.kind === ValueKind.ConstantInt ? (value.value as Constant).value : null;
      if (n === null || value.value.type.n === 8) return flag;
      if (n >> 8n !== 0n) this.swift = n;
      return this.flag(FlagBehavior.Error, COLLECTION, 8, n & 0xffn);
    }
    return flag;
  }

  /** Flags that are added after all. */
  more(): MDNode[] {
    const { swift } = this;
    const res: MDNode[] = [];
    const byte = (n: bigint, from: bigint): bigint => (n >> from) & 0xffn;
    if (this.hasImageInfo && !this.hasClassProperties)
      res.push(this.flag(FlagBehavior.Override, CLASS_PROPERTIES, 32, 0n));
    if (swift !== null)
      res.push(
        this.flag(FlagBehavior.Error, 'Swift ABI Version', 32, byte(swift, 8n)),
        this.flag(FlagBehavior.Error, 'Swift Major Version', 8, byte(swift, 24n)),
        this.flag(FlagBehavior.Error, 'Swift Minor Version', 8, byte(swift, 16n)),
      );
    return res;
  }
}

/** Old names, numbers and behaviours of module flags (UpgradeModuleFlags). */
function upgradeModuleFlags(module: IRModule): void {
  const flags = module.namedMetadata.find((n) => n.name === 'llvm.module.flags');
  if (flags === undefined) return;
  const { i32 } = module.types;
  const apple = new AppleFlags(module);
  flags.operands.forEach((flag, i) => {
    const [behavior, key] = flag.operands;
    if (flag.operands.length < 3 || !(key instanceof MDString) || !(behavior instanceof ValueAsMetadata)) return;
    const old = behavior.value.kind === ValueKind.ConstantInt ? Number((behavior.value as Constant).value) : -1;
    const replace = (first: Metadata, name: Metadata): void => {
      flags.operands[i] = new MDNode(-1, false, '', [first, name, ...flag.operands.slice(2)], null);
    };
    const withBehavior = (b: FlagBehavior): void =>
      replace(new ValueAsMetadata(new ConstantContext(module.types).int(i32, BigInt(b))), key);
    if (/^(?:branch-target-enforcement$|sign-return-address)/.test(key.value) && old === FlagBehavior.Error)
      withBehavior(FlagBehavior.Min);
    else if (key.value === 'PIC Level' && (old === FlagBehavior.Error || old === FlagBehavior.Max))
      withBehavior(FlagBehavior.Min);
    else if (key.value === 'PIE Level' && old === FlagBehavior.Error) withBehavior(FlagBehavior.Max);
    else if (key.value === 'amdgpu_code_object_version') replace(behavior, new MDString('amdhsa_code_object_version'));
    else flags.operands[i] = apple.replaced(flag, key.value);
  });
  flags.operands.push(...apple.more());
}

/** Scalar type descriptors as `!tbaa` become access tags. */
function upgradeTBAA(module: IRModule): void {
  const zero = new ValueAsMetadata(new ConstantContext(module.types).int(module.types.i64, 0n));
  const tags = new Map<MDNode, MDNode>();
  const upgrade = (node: MDNode): MDNode => {
    const n = node.operands.length;
    if (n === 0 || (node.operands[0] instanceof MDNode && n >= 3)) return node;
    let tag = tags.get(node);
    if (tag === undefined) {
      const type = n === 3 ? new MDNode(-1, false, '', node.operands.slice(0, 2), null) : node;
      const rest = n === 3 ? [node.operands[2]] : [];
      tag = new MDNode(-1, false, '', [type, type, zero, ...rest], null);
      tags.set(node, tag);
    }
    return tag;
  };
  for (const fn of module.functions) {
    if (fn.isDeclaration) continue;
    for (const block of fn.blocks) {
      for (const inst of block.instructions) {
        if (inst.attachments === null) continue;
        for (let i = 0; i < inst.attachments.length; i++) {
          const a = inst.attachments[i];
          if (a.kind !== 'tbaa' || !(a.node instanceof MDNode)) continue;
          const node = upgrade(a.node);
          if (node !== a.node) inst.attachments[i] = { kind: a.kind, node };
        }
      }
    }
  }
}

/**
 * The alloca that a pointer is, casts and indices of zero aside; null if it is none.
 * @llvm Value.cpp Value::stripPointerCasts
 */
function allocaBehind(pointer: Value): Instruction | null {
  let p: Value = pointer;
  while (p instanceof Instruction) {
    if (p.opcode === Opcode.Alloca) return p;
    const isCast = p.opcode === Opcode.AddrSpaceCast || p.opcode === Opcode.BitCast;
    const isZero = (v: Value): boolean => v.kind === ValueKind.ConstantInt && (v as Constant).value === 0n;
    const isFirst = p.opcode === Opcode.GetElementPtr && p.operands.slice(1).every(isZero);
    if (!isCast && !isFirst) return null;
    p = p.operands[0];
  }
  return null;
}

// -- debug info -------------------------------------------------------------------------------------------------------

/** DEBUG_METADATA_VERSION */
const DEBUG_VERSION = 3n;

function debugInfoVersion(module: IRModule): bigint {
  const flags = module.namedMetadata.find((n) => n.name === 'llvm.module.flags');
  for (const flag of flags?.operands ?? []) {
    const [, key, value] = flag.operands;
    if (key === null || key === undefined || !('value' in key) || key.value !== 'Debug Info Version') continue;
    if (value instanceof ValueAsMetadata && value.value.kind === ValueKind.ConstantInt)
      return (value.value as Constant).value;
  }
  return 0n;
}

/** Debug info that is broken or of another version is dropped with a warning. */
const isAllocSite = ({ kind }: MDAttachment): boolean => kind === 'heapallocsite';

function dropInvalidDebugInfo(module: IRModule): DroppedDebugInfo | null {
  const faults = module.hasCurrentDebugInfo ? new DebugInfoVerifier(module).run() : '';
  if (module.hasCurrentDebugInfo && faults === '') return null;
  let changed = false;
  const withoutDebug = (list: MDAttachment[] | null): MDAttachment[] | null => {
    if (list === null) return null;
    const kept = list.filter((a) => a.kind !== 'dbg' && a.kind !== 'DIAssignID');
    if (kept.length === list.length) return list;
    changed = true;
    return kept.length === 0 ? null : kept;
  };
  const loops = new Map<MDNode, MDNode | null>();
  /** A loop node without its debug locations; null when it had nothing else. */
  const strippedLoop = (loop: MDNode): MDNode | null => {
    let res = loops.get(loop);
    if (res === undefined) {
      const isLocation = (m: Metadata | null): boolean => m instanceof MDNode && m.className === 'DILocation';
      const rest = loop.operands.slice(1).filter((m) => !isLocation(m));
      if (rest.length === loop.operands.length - 1) res = loop;
      else if (rest.length === 0) res = null;
      else {
        res = new MDNode(-1, true, '', [], null);
        res.operands = [res, ...rest];
      }
      loops.set(loop, res);
    }
    return res;
  };
  const withoutLoopLocations = (list: MDAttachment[]): MDAttachment[] | null => {
    const i = list.findIndex((a) => a.kind === 'llvm.loop');
    if (i < 0) return list;
    const loop = list[i].node;
    const node = loop instanceof MDNode ? strippedLoop(loop) : null;
    if (node === loop) return list;
    const kept = list.slice();
    if (node === null) kept.splice(i, 1);
    else kept[i] = { kind: 'llvm.loop', node };
    return kept.length === 0 ? null : kept;
  };
  const keptNames = module.namedMetadata.filter((n) => !n.name.startsWith('llvm.dbg.') && n.name !== 'llvm.gcov');
  if (keptNames.length !== module.namedMetadata.length) {
    changed = true;
    module.namedMetadata.length = 0;
    for (const n of keptNames) module.namedMetadata.push(n);
  }
  for (const g of module.globals) g.attachments = withoutDebug(g.attachments);
  for (const f of module.functions) {
    f.attachments = withoutDebug(f.attachments);
    for (const b of f.blocks) {
      for (const i of b.instructions) {
        i.attachments = withoutDebug(i.attachments);
        // A type of debug info; LLVM does not call that a change.
        if (i.attachments?.some(isAllocSite) === true) i.attachments = i.attachments.filter((a) => !isAllocSite(a));
        if (i.attachments !== null) i.attachments = withoutLoopLocations(i.attachments);
        if (i.debugRecords !== null) {
          i.debugRecords = null;
          changed = true;
        }
      }
    }
  }
  forgetMessages(module);
  const left = new DebugInfoVerifier(module).run();
  if (faults !== '') return { faults, warning: 'ignoring invalid debug info in ', left };
  const warning = `ignoring debug info with an invalid version (${debugInfoVersion(module)}) in `;
  if (changed) return { faults, warning, left };
  return left === '' ? null : { faults, warning: '', left };
}
