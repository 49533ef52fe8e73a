/** `si-memory-legalizer`: accesses of memory become what the memory model asks for (SIMemoryLegalizer, LLVM 22; docs/llvm/memory-accesses.md, 3). */
import { MetadataSlots } from '../../ir/metadataSlots.js';
import { MDNode, MDString } from '../../ir/module.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { BundleFlag } from '../../model/machineFunction.js';
import { MemFlag } from '../../model/memOperand.js';
import { Generation } from '../../target/api.js';
import { isAtomicNoRet, isAtomicRet, isLDSDMA, maybeAtomic } from '../../target/opcodes.js';
import type { FunctionState } from '../functionState.js';
import { InstrQueries } from '../instrQueries.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { numberedScopes } from '../syncScopes.js';
import { reportUnsupported } from '../unsupported.js';
import { CacheControl, Gfx10CacheControl, Gfx12CacheControl, Gfx6CacheControl, Op, Place } from './cacheControl.js';
import { accessOf, narrowed, Order, scopeOf, Space, UNKNOWN_ACCESS, type MemoryAccess } from './memoryAccess.js';

/** @llvm SIMemoryLegalizer.cpp SIMemoryLegalizerLegacy */
export const memoryLegalizerPass: MachinePass = {
  name: 'si-memory-legalizer',
  pipelineName: 'si-memory-legalizer',
  className: 'SIMemoryLegalizerPass',
  title: 'SI Memory Legalizer',
  isRequired: true,
  requires: [],
  preserves: [CFG],
  run(state) {
    new MemoryLegalizer(state.editor(), state).run();
  },
};

const SKIP_OPTION = 'amdgcn-skip-cache-invalidations';
/** CPol::NV */
const NON_VOLATILE = 32;
/** Of a fence: the memories that it orders. */
const FENCED_SPACES = 'amdgpu-synchronize-as';
const SPACE_NAMES: Readonly<Record<string, Space>> = { global: Space.Global, local: Space.LDS };

const acquires = (order: Order): boolean =>
  order === Order.Acquire || order === Order.AcquireRelease || order === Order.SequentiallyConsistent;
const releases = (order: Order): boolean =>
  order === Order.Release || order === Order.AcquireRelease || order === Order.SequentiallyConsistent;

/** @llvm SIMemoryLegalizer.cpp SIMemoryLegalizer */
class MemoryLegalizer {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly builder: InstrBuilder;
  private readonly caches: CacheControl;
  private readonly fence: number;
  private readonly hasClusters: boolean;
  private readonly marksInvariant: boolean;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly state: FunctionState,
  ) {
    const { fn } = editor;
    const { generation } = fn.subtarget;
    this.fn = fn;
    this.queries = new InstrQueries(fn);
    this.builder = new InstrBuilder(editor);
    const Control =
      generation < Generation.GFX10
        ? Gfx6CacheControl
        : generation < Generation.GFX12
          ? Gfx10CacheControl
          : Gfx12CacheControl;
    this.caches = new Control(this.builder, state.context.options.get(SKIP_OPTION) !== true);
    this.fence = fn.tables.opcodeByName('ATOMIC_FENCE');
    this.hasClusters = fn.subtarget.hasFeature('clusters');
    const { release } = fn.subtarget;
    this.marksInvariant = release.rules.marksInvariantAccesses && fn.subtarget.hasFeature('gfx1250-insts');
  }

  /** @llvm SIMemoryLegalizer.cpp SIMemoryLegalizer::run */
  run(): void {
    const { fn, editor, queries } = this;
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i: number = editor.list.first(b); i >= 0;) {
        const isBundle = queries.isBundle(i) && (queries.mayLoad(i) || queries.mayStore(i));
        const at = isBundle ? this.unbundle(i) : i;
        const next = editor.list.after(at);
        if (maybeAtomic(fn.tables, fn.opcode[at])) this.legalize(at);
        if (this.marksInvariant && editor.list.after(at) === next) this.markInvariant(at);
        i = next;
      }
  }

  /** What nobody writes needs no care for what others write; LLVM leaves those alone that something was inserted after. */
  private markInvariant(i: InstrId): void {
    const { fn, queries } = this;
    const operands = fn.memOperands[i] ?? [];
    if (operands.length === 0 || !operands.every(({ flags }) => (flags & MemFlag.Invariant) !== 0)) return;
    const policy = queries.named(i, 'cpol');
    if (policy >= 0) fn.opVal[policy] |= NON_VOLATILE;
  }

  /** Returns the first member. */
  private unbundle(header: InstrId): InstrId {
    const { fn, editor } = this;
    let last = header;
    while ((fn.bundle[last] & BundleFlag.BundledSucc) !== 0) last++;
    editor.unbundle(header);
    for (let m = header + 1; m <= last; m++)
      for (let o = fn.firstReg(m); o >= 0; o = fn.nextReg(m, o)) fn.opFlags[o] &= ~OpFlag.Internal;
    editor.erase(header);
    return header + 1;
  }

  private legalize(i: InstrId): void {
    const { fn, queries } = this;
    const [loads, stores] = [queries.mayLoad(i), queries.mayStore(i)];
    if (fn.opcode[i] === this.fence) {
      this.legalizeFence(i);
      return;
    }
    if (!loads && !stores) return;
    const isDMA = queries.is(isLDSDMA, i);
    const operands = fn.memOperands[i] ?? [];
    const isKnown = operands.length > 0 || (isDMA && loads && stores);
    const access = isKnown ? accessOf(operands, this.isBufferAtomic(i)) : UNKNOWN_ACCESS;
    if (typeof access === 'string') {
      reportUnsupported(this.state, i, access);
      return;
    }
    const narrow = narrowed(access, this.hasClusters);
    if (!stores) this.legalizeLoad(i, narrow);
    else if (!loads) this.legalizeStore(i, narrow);
    else if (isDMA) this.caches.hint(i, narrow.touched, this.queries.writesLDS(i) ? Op.Load : Op.Store, narrow);
    else this.legalizeRMW(i, narrow);
  }

  /** Memory operands of buffer atomics do not always say so. */
  private isBufferAtomic(i: InstrId): boolean {
    const { fn, queries } = this;
    if (fn.subtarget.generation < Generation.GFX12 || !queries.isBUF(i)) return false;
    return queries.is(isAtomicRet, i) || queries.is(isAtomicNoRet, i);
  }

  /** @llvm SIMemoryLegalizer.cpp SIMemoryLegalizer::expandLoad */
  private legalizeLoad(i: InstrId, access: MemoryAccess): void {
    const { caches } = this;
    const { order, scope, ordered, touched, crossesSpaces } = access;
    if (order === Order.NotAtomic) {
      caches.hint(i, touched, Op.Load, access);
      return;
    }
    const isLast = order === Order.SequentiallyConsistent;
    if (order === Order.Monotonic || order === Order.Acquire || isLast) caches.bypassLoad(i, scope, ordered);
    if (access.isCooperative) caches.cooperate(i);
    if (isLast)
      caches.wait(this.before(i), { scope, spaces: ordered, ops: Op.Both, crossesSpaces, order, atomicsOnly: false });
    if (order !== Order.Acquire && !isLast) return;
    const after = this.after(i);
    caches.wait(after, { scope, spaces: touched, ops: Op.Load, crossesSpaces, order, atomicsOnly: true });
    caches.acquire(after, scope, ordered);
  }

  /** @llvm SIMemoryLegalizer.cpp SIMemoryLegalizer::expandStore */
  private legalizeStore(i: InstrId, access: MemoryAccess): void {
    const { caches } = this;
    const { order, scope, ordered, touched, crossesSpaces } = access;
    if (order === Order.NotAtomic) {
      caches.hint(i, touched, Op.Store, { ...access, isLastUse: false });
      caches.finishStore(i, false);
      return;
    }
    const isRelease = order === Order.Release || order === Order.SequentiallyConsistent;
    if (order === Order.Monotonic || isRelease) caches.bypassStore(i, scope, ordered);
    if (access.isCooperative) caches.cooperate(i);
    if (isRelease) caches.release(this.before(i), scope, ordered, crossesSpaces);
    caches.finishStore(i, true);
  }

  /** @llvm SIMemoryLegalizer.cpp SIMemoryLegalizer::expandAtomicCmpxchgOrRmw */
  private legalizeRMW(i: InstrId, access: MemoryAccess): void {
    const { caches, queries } = this;
    const { order, failureOrder, scope, ordered, touched, crossesSpaces } = access;
    if (order === Order.NotAtomic) return;
    if (order >= Order.Monotonic) caches.bypassRMW(i, scope, touched);
    if (releases(order) || failureOrder === Order.SequentiallyConsistent)
      caches.release(this.before(i), scope, ordered, crossesSpaces);
    if (acquires(order) || failureOrder === Order.Acquire || failureOrder === Order.SequentiallyConsistent) {
      const after = this.after(i);
      const ops = queries.is(isAtomicRet, i) ? Op.Load : Op.Store;
      caches.wait(after, { scope, spaces: touched, ops, crossesSpaces, order, atomicsOnly: true });
      caches.acquire(after, scope, ordered);
    }
    caches.finishStore(i, true);
  }

  // -- fences --------------------------------------------------------------------------------------------------------

  /** @llvm SIMemoryLegalizer.cpp SIMemoryLegalizer::expandAtomicFence */
  private legalizeFence(i: InstrId): void {
    const { caches } = this;
    const access = this.fenceOf(i);
    if (access === null) return;
    const { order, scope, ordered, crossesSpaces } = access;
    const place = this.before(i);
    if (order === Order.Acquire)
      caches.wait(place, { scope, spaces: ordered, ops: Op.Both, crossesSpaces, order, atomicsOnly: true });
    if (releases(order)) caches.release(place, scope, ordered, crossesSpaces);
    if (acquires(order)) caches.acquire(place, scope, ordered);
    this.editor.erase(i);
  }

  /** @llvm SIMemoryLegalizer.cpp SIMemOpAccess::getAtomicFenceInfo */
  private fenceOf(i: InstrId): MemoryAccess | null {
    const { fn, state } = this;
    const begin = fn.opBegin[i];
    const name = numberedScopes(state.context.source)[fn.opVal[begin + 1]];
    const scope = name === undefined ? null : scopeOf(name);
    if (scope === null) {
      reportUnsupported(state, i, 'Unsupported atomic synchronization scope');
      return null;
    }
    return narrowed(
      {
        ...UNKNOWN_ACCESS,
        order: fn.opVal[begin],
        failureOrder: Order.NotAtomic,
        scope: scope.scope,
        ordered: this.fencedSpaces(i),
        touched: Space.Atomic,
        crossesSpaces: !scope.isOneSpace,
      },
      this.hasClusters,
    );
  }

  /**
   * What the annotations of a fence say, else all.
   * @llvm SIMemoryLegalizer.cpp getSynchronizeAddrSpaceMD
   */
  private fencedSpaces(i: InstrId): number {
    const { fn, state } = this;
    const text = fn.extras.get(i)?.mmra;
    if (text === undefined) return Space.Atomic;
    const { ir } = state.context;
    const node = ir === null ? undefined : new MetadataSlots(ir).nodes[Number(/^!(\d+)$/.exec(text)?.[1] ?? -1)];
    if (node === undefined) throw new NotModelled('an annotation of a fence that is no node of the module');
    const tags = node.operands.every((op) => op instanceof MDString) ? [node] : node.operands;
    let spaces = 0;
    for (const tag of tags) {
      const [prefix, suffix] = (tag instanceof MDNode ? tag.operands : []).map((op) =>
        op instanceof MDString ? op.value : '',
      );
      if (prefix !== FENCED_SPACES) continue;
      if (!Object.hasOwn(SPACE_NAMES, suffix)) throw new NotModelled(`a fence of the address space '${suffix}'`);
      spaces |= SPACE_NAMES[suffix];
    }
    return spaces === 0 ? Space.Atomic : spaces;
  }

  private before(i: InstrId): Place {
    return new Place(this.builder, i, false);
  }

  private after(i: InstrId): Place {
    return new Place(this.builder, i, true);
  }
}
