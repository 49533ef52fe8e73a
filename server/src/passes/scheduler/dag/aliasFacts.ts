/**
 * What memory instructions touch: side effects, order, underlying objects, and whether two may alias.
 *
 * Follows MachineInstr::mayAlias, hasOrderedMemoryRef, isDereferenceableInvariantLoad, getUnderlyingObjectsForInstr and
 * SIInstrInfo::areMemAccessesTriviallyDisjoint as docs/llvm/schedule-dag.md, 6 describes them. Questions about IR pointers go to
 * `IRAliasQueries`; without an IR module nothing is known about them.
 */
import { AliasResult } from '../../../ir/analysis/alias.js';
import { InstrFlag, type InstrId, type MachineFunction } from '../../../model/machineFunction.js';
import { sizeInBits } from '../../../model/llt.js';
import { MemFlag, type MemOperand, type MemPointer } from '../../../model/memOperand.js';
import { McFlag } from '../../../target/api.js';
import { opcodeSet } from '../../../target/opcodeSets.js';
import { Encoding, encodingOf } from './encoding.js';
import { isLDSDMA } from '../../../target/opcodes.js';
import { decomposeMemAccess, offsetsDoNotOverlap, singleMemSizeBytes, type MemAccess } from './memAccess.js';
import { areScopesApart } from './aliasScopes.js';
import type { MemoryFacts, UnderlyingObject } from './memory.js';
import { AsmBit, asmBits } from '../../../model/asmBits.js';
import { isInvariantLoad, isOrderedAccess } from '../../../analysis/safeToMove.js';
import { hasFlag, isPlain, mayLoad, mayStore, plainOpcodes } from './memoryFlags.js';

/** Questions about IR pointers of the function; a pointer is what a memory operand names. */
export interface IRAliasQueries {
  /** identities of all base objects, or null when one of them is not an identified object */
  identifiedObjects(p: MemPointer): readonly string[] | null;
  /** identity of the single underlying object (getUnderlyingObject); null if it is undef or unknown */
  underlyingObject(p: MemPointer): string | null;
  /** whether both name the same IR value */
  samePointer(a: MemPointer, b: MemPointer): boolean;
  /** sizes in bytes from the pointers on; -1 = unknown */
  alias(a: MemPointer, aBytes: number, b: MemPointer, bBytes: number): AliasResult;
}

const PAIR_LIMIT = 16;
const NO_MEM: readonly MemOperand[] = [];
const FLAT_SCRATCH_HI = 1 << (56 - 32);
const FLAT_GLOBAL_HI = 1 << (51 - 32);

const isIRPointer = (p: MemPointer): boolean => p.kind === 'irValue' || p.kind === 'irConstant' || p.kind === 'global';
const isPseudoSource = (p: MemPointer): boolean => !isIRPointer(p) && p.kind !== 'none';

/** What comparing an instruction with others asks of it; in a region with many accesses each is compared with hundreds. */
interface Access {
  /** of the region in which this was found out */
  readonly region: number;
  readonly mayLoad: boolean;
  readonly mayStore: boolean;
  /** side effects, order, a transfer to LDS, or a bundle: neither address nor encoding says anything */
  readonly isOpaque: boolean;
  readonly encoding: Encoding;
  readonly isScratch: boolean;
  readonly isGlobal: boolean;
  readonly address: MemAccess | null;
  /** -1 = unknown */
  readonly sizeBytes: number;
}

/** Which of LLVM's alias analyses are asked. */
interface AliasOptions {
  readonly useAA: boolean;
  readonly usesBasicAA: boolean;
  /** `-enable-scoped-noalias` */
  readonly usesScopes: boolean;
}

export class AliasFacts implements MemoryFacts {
  private readonly noBarrier: ReadonlySet<number>;
  private readonly plain: Uint8Array;
  private readonly bundleOpcode: number;
  private readonly usesBasicAA: boolean;
  private readonly asksScopes: boolean;
  private readonly accesses: (Access | undefined)[] = [];
  private region = 0;

  constructor(
    private readonly fn: MachineFunction,
    private readonly ir: IRAliasQueries | null,
    options: AliasOptions,
  ) {
    this.usesBasicAA = options.useAA && options.usesBasicAA;
    this.asksScopes = options.useAA && options.usesScopes && fn.subtarget.release.rules.asksAliasScopes;
    this.noBarrier = opcodeSet(fn.tables, 'schedDirective');
    this.plain = plainOpcodes(fn.tables);
    this.bundleOpcode = fn.tables.opcodeByName('BUNDLE');
  }

  touchesNothing(i: InstrId): boolean {
    return isPlain(this.fn, this.plain, i);
  }

  beginRegion(): void {
    this.region++;
  }

  private accessOf(i: InstrId): Access {
    const known = this.accesses[i];
    if (known?.region === this.region) return known;
    const { fn } = this;
    const opcode = fn.opcode[i];
    const tsFlagsHi = fn.tables.opcodeTSHi(opcode);
    const access: Access = {
      region: this.region,
      mayLoad: this.mayLoad(i),
      mayStore: this.mayStore(i),
      isOpaque:
        this.hasUnmodeledSideEffects(i) ||
        this.hasOrderedMemoryRef(i) ||
        isLDSDMA(fn.tables, fn.opcode[i]) ||
        opcode === this.bundleOpcode,
      encoding: encodingOf(fn.tables, opcode),
      isScratch: (tsFlagsHi & FLAT_SCRATCH_HI) !== 0,
      isGlobal: (tsFlagsHi & FLAT_GLOBAL_HI) !== 0,
      address: decomposeMemAccess(fn, i),
      sizeBytes: singleMemSizeBytes(fn, i),
    };
    this.accesses[i] = access;
    return access;
  }

  mayLoad(i: InstrId): boolean {
    return mayLoad(this.fn, i);
  }

  mayStore(i: InstrId): boolean {
    return mayStore(this.fn, i);
  }

  private hasFlag(i: InstrId, flag: McFlag): boolean {
    return hasFlag(this.fn, i, flag);
  }

  /** @llvm MachineInstr.cpp MachineInstr::hasUnmodeledSideEffects */
  hasUnmodeledSideEffects(i: InstrId): boolean {
    return (asmBits(this.fn, i) & AsmBit.SideEffects) !== 0 || this.hasFlag(i, McFlag.UnmodeledSideEffects);
  }

  private memOf(i: InstrId): readonly MemOperand[] {
    return this.fn.memOperands[i] ?? NO_MEM;
  }

  /** @llvm MachineInstr.cpp MachineInstr::hasOrderedMemoryRef */
  hasOrderedMemoryRef(i: InstrId): boolean {
    if (!this.mayStore(i) && !this.mayLoad(i) && !this.hasFlag(i, McFlag.Call) && !this.hasUnmodeledSideEffects(i))
      return false;
    return isOrderedAccess(this.fn, i);
  }

  /** @llvm MachineInstr.cpp MachineInstr::isDereferenceableInvariantLoad */
  isDereferenceableInvariantLoad(i: InstrId): boolean {
    return this.mayLoad(i) && !this.mayStore(i) && isInvariantLoad(this.fn, i);
  }

  /** @llvm MachineInstr.cpp MachineInstr::mayRaiseFPException */
  mayRaiseFPException(i: InstrId): boolean {
    return this.hasFlag(i, McFlag.MayRaiseFPException) && (this.fn.instrFlags[i] & InstrFlag.NoFPExcept) === 0;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::isGlobalMemoryObject */
  isGlobalMemoryObject(i: InstrId): boolean {
    if (this.noBarrier.has(this.fn.opcode[i])) return false;
    if (this.hasFlag(i, McFlag.Call) || this.hasUnmodeledSideEffects(i)) return true;
    return this.hasOrderedMemoryRef(i) && !this.isDereferenceableInvariantLoad(i);
  }

  /** @llvm ScheduleDAGInstrs.cpp getUnderlyingObjectsForInstr */
  underlyingObjects(i: InstrId): readonly UnderlyingObject[] | null {
    const out: UnderlyingObject[] = [];
    for (const m of this.memOf(i)) {
      if ((m.flags & MemFlag.Volatile) !== 0 || m.ordering !== '') return null;
      const p = m.pointer;
      if (p.kind === 'none') return null;
      if (isPseudoSource(p)) {
        if (this.fn.header.frameInfo.hasTailCall || this.isAliasedPseudoSource(p)) return null;
        out.push({ key: pseudoKey(p), mayAlias: this.pseudoMayAlias(p) });
        continue;
      }
      const objects = this.ir?.identifiedObjects(p) ?? null;
      if (objects === null || objects.length === 0) return null;
      for (const key of objects) out.push({ key: `ir:${key}`, mayAlias: true });
    }
    return out.length === 0 ? null : out;
  }

  /**
   * Whether LLVM takes it for memory that something else may point into: a stack slot that is no spill slot, unless the fixed one says
   * otherwise. The area of outgoing arguments (`stack`) is an object of its own.
   */
  private isAliasedPseudoSource(p: MemPointer): boolean {
    if (p.kind !== 'frameIndex') return false;
    const { stack, fixedStack } = this.fn.header;
    return p.index >= 0 ? stack[p.index].type !== 'spill-slot' : fixedStack[~p.index].isAliased;
  }

  /** Whether an IR pointer may point into it. */
  private pseudoMayAlias(p: MemPointer): boolean {
    switch (p.kind) {
      case 'got':
      case 'constantPool':
      case 'jumpTable':
      case 'callEntry':
      case 'custom':
        return false;
      case 'frameIndex': {
        const { stack, fixedStack } = this.fn.header;
        return (p.index >= 0 ? stack[p.index] : fixedStack[~p.index]).type !== 'spill-slot';
      }
      default:
        return true;
    }
  }

  /** @llvm MachineInstr.cpp MachineInstr::mayAlias */
  mayAlias(a: InstrId, b: InstrId): boolean {
    const first = this.accessOf(a);
    const second = this.accessOf(b);
    if (!first.mayStore && !second.mayStore) return false;
    if (!(first.mayLoad || first.mayStore) || !(second.mayLoad || second.mayStore)) return false;
    if (this.areTriviallyDisjoint(first, second)) return false;
    const ma = this.memOf(a);
    const mb = this.memOf(b);
    if (ma.length * mb.length > PAIR_LIMIT) return true;
    for (const x of ma) for (const y of mb) if (this.operandsOverlap(x, y)) return true;
    return false;
  }

  /** @llvm MachineInstr.cpp MemOperandsHaveAlias */
  private operandsOverlap(a: MemOperand, b: MemOperand): boolean {
    if ((a.flags & MemFlag.Store) === 0 && (b.flags & MemFlag.Store) === 0) return false;
    const aIR = isIRPointer(a.pointer);
    const bIR = isIRPointer(b.pointer);
    const aPseudo = isPseudoSource(a.pointer);
    const bPseudo = isPseudoSource(b.pointer);
    let same: boolean;
    if (aIR && bIR) same = this.ir !== null && this.ir.samePointer(a.pointer, b.pointer);
    else {
      if (aPseudo && bIR && !this.pseudoMayAlias(a.pointer)) return false;
      if (bPseudo && aIR && !this.pseudoMayAlias(b.pointer)) return false;
      same = aPseudo && bPseudo && pseudoKey(a.pointer) === pseudoKey(b.pointer);
    }
    const aBytes = sizeBytes(a);
    const bBytes = sizeBytes(b);
    const min = Math.min(a.offset, b.offset);
    const max = Math.max(a.offset, b.offset);
    if (same) {
      if (aBytes < 0 || bBytes < 0) return true;
      return min + (a.offset <= b.offset ? aBytes : bBytes) > max;
    }
    if ((aBytes < 0 && a.offset > 0) || (bBytes < 0 && b.offset > 0)) return true;
    if (!aIR || !bIR || this.ir === null) return true;
    if (this.usesBasicAA) {
      const result = this.ir.alias(
        a.pointer,
        aBytes < 0 ? -1 : aBytes + a.offset - min,
        b.pointer,
        bBytes < 0 ? -1 : bBytes + b.offset - min,
      );
      // The first analysis that knows decides: scopes are not asked of what is known to overlap.
      if (result !== AliasResult.May) return result !== AliasResult.No;
    }
    return !(this.asksScopes && areScopesApart(a.scopes, b.scopes));
  }

  /**
   * `a` comes first.
   * @llvm SIInstrInfo.cpp SIInstrInfo::areMemAccessesTriviallyDisjoint
   */
  private areTriviallyDisjoint(a: Access, b: Access): boolean {
    if (a.isOpaque || b.isOpaque) return false;
    switch (a.encoding) {
      case Encoding.DS:
        if (b.encoding === Encoding.DS) return this.areApart(a, b);
        return b.encoding !== Encoding.FLAT || b.isScratch || b.isGlobal;
      case Encoding.MUBUF:
        if (b.encoding === Encoding.MUBUF) return this.areApart(a, b);
        return b.encoding === Encoding.FLAT ? b.isScratch : b.encoding !== Encoding.SMEM;
      case Encoding.SMEM:
        if (b.encoding === Encoding.SMEM) return this.areApart(a, b);
        return b.encoding === Encoding.FLAT ? b.isScratch : b.encoding !== Encoding.MUBUF;
      case Encoding.FLAT:
        if (b.encoding !== Encoding.FLAT) return false;
        return (a.isScratch && b.isGlobal) || (a.isGlobal && b.isScratch) || this.areApart(a, b);
      default:
        return false;
    }
  }

  private areApart(a: Access, b: Access): boolean {
    return offsetsDoNotOverlap(this.fn, a.address, a.sizeBytes, b.address, b.sizeBytes);
  }

  /** For clustering: the single IR-based memory operand's object. */
  readonly underlyingObjectOfBase = (i: InstrId): { readonly key: string; readonly addressSpace: number } | null => {
    const mem = this.memOf(i);
    if (mem.length !== 1 || !isIRPointer(mem[0].pointer)) return null;
    const key = this.ir === null ? null : this.ir.underlyingObject(mem[0].pointer);
    return key === null ? null : { key, addressSpace: mem[0].addressSpace };
  };
}

function sizeBytes(m: MemOperand): number {
  return m.type === null ? -1 : Math.ceil(sizeInBits(m.type) / 8);
}

function pseudoKey(p: MemPointer): string {
  switch (p.kind) {
    case 'frameIndex':
      return `fi:${String(p.index)}`;
    case 'callEntry':
    case 'custom':
      return `${p.kind}:${p.name}`;
    default:
      return p.kind;
  }
}
