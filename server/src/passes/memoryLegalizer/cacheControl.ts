/** What a processor needs so that others see an access: bits of the instruction, waits, caches that are written back or emptied. */
import { immOperand, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { maskOf, waitcntFields } from '../../model/waitFields.js';
import { Generation, type Subtarget } from '../../target/api.js';
import { InstrQueries } from '../instrQueries.js';
import { NotModelled } from '../machinePass.js';
import { isReleaseOrStronger, Order, Scope, Space } from './memoryAccess.js';

/** Kinds of accesses, a bit each. */
export const enum Op {
  Load = 1,
  Store = 2,
  Both = Load | Store,
}

/** Cache policies of instructions up to gfx11 (CPol): GLC is SC0 of gfx940, SLC is NT. */
const enum Policy {
  GLC = 1,
  SLC = 2,
  DLC = 4,
  SC1 = 16,
}

/** The same from gfx12 on. */
const TEMPORAL_MASK = 7;
const NON_TEMPORAL = 1;
const LAST_USE = 3;
const SCOPE_MASK = 24;
const enum ScopePolicy {
  Engine = 8,
  Device = 16,
  System = 24,
}

const VOLATILE_ORDER = Order.Unordered;

/** Where instructions come: before an instruction, or after it and what came there already. */
export class Place {
  private readonly fn: MachineFunction;

  constructor(
    private readonly builder: InstrBuilder,
    private at: InstrId,
    private readonly isAfter: boolean,
  ) {
    this.fn = builder.fn;
  }

  insert(name: string, ...operands: readonly NewOperand[]): void {
    const { fn, builder, at } = this;
    const next = this.isAfter ? builder.editor.list.after(at) : at;
    const position = next >= 0 ? next : ~fn.instrBlock[at];
    const made = builder.build(position, at, fn.tables.opcodeByName(name), operands);
    if (this.isAfter) this.at = made;
  }
}

/** What is waited for. */
export interface WaitFor {
  readonly scope: Scope;
  /** Space bits */
  readonly spaces: number;
  /** Op bits */
  readonly ops: number;
  readonly crossesSpaces: boolean;
  readonly order: Order;
  /** Atomic accesses alone count. */
  readonly atomicsOnly: boolean;
}

export interface Hints {
  readonly isVolatile: boolean;
  readonly isNonTemporal: boolean;
  readonly isLastUse: boolean;
}

/** @llvm SIMemoryLegalizer.cpp SICacheControl */
export abstract class CacheControl {
  protected readonly fn: MachineFunction;
  protected readonly st: Subtarget;
  protected readonly queries: InstrQueries;
  protected readonly isCuMode: boolean;

  /** `emptiesCaches`: without `-amdgcn-skip-cache-invalidations` */
  constructor(
    protected readonly builder: InstrBuilder,
    protected readonly emptiesCaches: boolean,
  ) {
    this.fn = builder.fn;
    this.st = builder.fn.subtarget;
    this.queries = new InstrQueries(builder.fn);
    this.isCuMode = this.st.hasFeature('cumode');
  }

  abstract bypassLoad(i: InstrId, scope: Scope, spaces: number): void;
  abstract bypassStore(i: InstrId, scope: Scope, spaces: number): void;
  abstract bypassRMW(i: InstrId, scope: Scope, spaces: number): void;
  /** Of a plain load or store that is volatile and the like. */
  abstract hint(i: InstrId, spaces: number, op: Op, hints: Hints): void;
  abstract wait(place: Place, what: WaitFor): void;
  abstract acquire(place: Place, scope: Scope, spaces: number): void;

  release(place: Place, scope: Scope, spaces: number, crossesSpaces: boolean): void {
    this.writeBack(place, scope, spaces);
    this.wait(place, { scope, spaces, ops: Op.Both, crossesSpaces, order: Order.Release, atomicsOnly: false });
  }

  protected abstract writeBack(place: Place, scope: Scope, spaces: number): void;

  /** Of whatever stores, once all else is done. */
  finishStore(_i: InstrId, _isAtomic: boolean): void {}

  /** Of a load or store of several lanes together. LLVM does not say what becomes of one on processors without it. */
  cooperate(_i: InstrId): void {
    throw new NotModelled('a cooperative access on a processor that has none');
  }

  /** @llvm SIMemoryLegalizer.cpp SICacheControl::enableCPolBits */
  protected setPolicy(i: InstrId, bits: number, mask = bits): void {
    const o = this.queries.named(i, 'cpol');
    if (o >= 0) this.fn.opVal[o] = (this.fn.opVal[o] & ~mask) | bits;
  }

  protected before(i: InstrId): Place {
    return new Place(this.builder, i, false);
  }

  /** A volatile access is over before anything else begins. */
  protected waitForVolatile(i: InstrId, spaces: number, ops: Op): void {
    const what = { scope: Scope.System, spaces, ops, crossesSpaces: false, order: VOLATILE_ORDER, atomicsOnly: false };
    this.wait(new Place(this.builder, i, true), what);
  }

  /** LDS and GDS keep the order of their own accesses: they are waited for where those of others are ordered with them. */
  protected waitsForLDS({ scope, spaces, crossesSpaces }: WaitFor): boolean {
    if (!crossesSpaces) return false;
    return (
      ((spaces & Space.LDS) !== 0 && scope >= Scope.Workgroup) || ((spaces & Space.GDS) !== 0 && scope >= Scope.Agent)
    );
  }

  protected insertWaitcnt(place: Place, waitsForMemory: boolean, waitsForLDS: boolean): void {
    if (!waitsForMemory && !waitsForLDS) return;
    const { vmcnt, expcnt, lgkmcnt } = waitcntFields(this.st.generation);
    const counts = (waitsForMemory ? 0 : maskOf(vmcnt)) | maskOf(expcnt) | (waitsForLDS ? 0 : maskOf(lgkmcnt));
    place.insert('S_WAITCNT_soft', immOperand(counts));
  }

  /** si-insert-waitcnts puts a wait for what goes from memory to LDS here. */
  protected insertDirectWait(place: Place, { scope, spaces, order }: WaitFor): void {
    if (!this.st.hasFeature('vmem-to-lds-load-insts') || !isReleaseOrStronger(order)) return;
    if (scope === Scope.Workgroup && (spaces & Space.LDS) !== 0) place.insert('S_WAITCNT_lds_direct');
  }
}

const reachesGlobal = (spaces: number): boolean => (spaces & Space.Global) !== 0;
const reachesMemory = (spaces: number): boolean => (spaces & (Space.Global | Space.Scratch)) !== 0;

/**
 * Up to gfx9
 * @llvm SIMemoryLegalizer.cpp SIGfx6CacheControl
 */
export class Gfx6CacheControl extends CacheControl {
  private readonly isGFX940 = this.st.hasFeature('gfx940-insts');
  private readonly isGFX90A = this.st.hasGFX90AInsts;
  /** The waves of a work group may run on several CUs. */
  private readonly isSplit = this.st.hasFeature('tgsplit');

  bypassLoad(i: InstrId, scope: Scope, spaces: number): void {
    if (!reachesGlobal(spaces)) return;
    if (this.isGFX940) this.setPolicy(i, scopeBits(scope));
    else if (scope >= Scope.Agent || (scope === Scope.Workgroup && this.isGFX90A && this.isSplit))
      this.setPolicy(i, Policy.GLC);
  }

  bypassStore(i: InstrId, scope: Scope, spaces: number): void {
    if (this.isGFX940 && reachesGlobal(spaces)) this.setPolicy(i, scopeBits(scope));
  }

  bypassRMW(i: InstrId, scope: Scope, spaces: number): void {
    if (this.isGFX940 && reachesGlobal(spaces) && scope === Scope.System) this.setPolicy(i, Policy.SC1);
  }

  hint(i: InstrId, spaces: number, op: Op, { isVolatile, isNonTemporal }: Hints): void {
    if (isVolatile) {
      if (this.isGFX940) this.setPolicy(i, Policy.GLC | Policy.SC1);
      else if (op === Op.Load) this.setPolicy(i, Policy.GLC);
      this.waitForVolatile(i, spaces, op);
    } else if (isNonTemporal) this.setPolicy(i, this.isGFX940 ? Policy.SLC : Policy.SLC | Policy.GLC);
  }

  /** @llvm SIMemoryLegalizer.cpp SIGfx6CacheControl::insertWait */
  wait(place: Place, what: WaitFor): void {
    let { scope, spaces } = what;
    if (this.isGFX90A && this.isSplit) {
      const isShared = (spaces & (Space.Global | Space.Scratch | Space.GDS)) !== 0;
      if (isShared && scope === Scope.Workgroup) scope = Scope.Agent;
      spaces &= ~Space.LDS;
    }
    const effective = { ...what, scope, spaces };
    this.insertWaitcnt(place, reachesMemory(spaces) && scope >= Scope.Agent, this.waitsForLDS(effective));
    this.insertDirectWait(place, effective);
  }

  /** @llvm SIMemoryLegalizer.cpp SIGfx6CacheControl::insertAcquire */
  acquire(place: Place, scope: Scope, spaces: number): void {
    if (!this.emptiesCaches || !reachesGlobal(spaces)) return;
    if (scope === Scope.Workgroup && !this.isSplit) return;
    if (this.isGFX940) {
      if (scope >= Scope.Workgroup) place.insert('BUFFER_INV', immOperand(scopeBits(scope)));
      return;
    }
    if (scope === Scope.System && this.isGFX90A) place.insert('BUFFER_INVL2');
    if (scope >= Scope.Agent || (scope === Scope.Workgroup && this.isGFX90A)) place.insert(this.emptyL1);
  }

  /** @llvm SIMemoryLegalizer.cpp canUseBUFFER_WBINVL1_VOL */
  private get emptyL1(): string {
    const { generation, isAmdPalOS, isMesa3DOS } = this.st;
    const isOld = generation < Generation.SEA_ISLANDS || isAmdPalOS || isMesa3DOS;
    return isOld ? 'BUFFER_WBINVL1' : 'BUFFER_WBINVL1_VOL';
  }

  protected writeBack(place: Place, scope: Scope, spaces: number): void {
    if (!this.isGFX90A || !reachesGlobal(spaces)) return;
    if (scope === Scope.System || (scope === Scope.Agent && this.isGFX940))
      place.insert('BUFFER_WBL2', immOperand(scopeBits(scope)));
  }
}

/** SC0 and SC1 of gfx940 */
function scopeBits(scope: Scope): number {
  if (scope === Scope.System) return Policy.GLC | Policy.SC1;
  if (scope === Scope.Agent) return Policy.SC1;
  return scope === Scope.Workgroup ? Policy.GLC : 0;
}

/**
 * gfx10 and gfx11
 * @llvm SIMemoryLegalizer.cpp SIGfx10CacheControl
 */
export class Gfx10CacheControl extends CacheControl {
  private readonly isGFX11 = this.st.generation === Generation.GFX11;

  bypassLoad(i: InstrId, scope: Scope, spaces: number): void {
    if (!reachesGlobal(spaces)) return;
    if (scope >= Scope.Agent) this.setPolicy(i, Policy.GLC | (this.isGFX11 ? 0 : Policy.DLC));
    else if (scope === Scope.Workgroup && !this.isCuMode) this.setPolicy(i, Policy.GLC);
  }

  bypassStore(): void {}

  bypassRMW(): void {}

  hint(i: InstrId, spaces: number, op: Op, { isVolatile, isNonTemporal }: Hints): void {
    if (isVolatile) {
      if (op === Op.Load) this.setPolicy(i, Policy.GLC | Policy.DLC);
      if (this.isGFX11) this.setPolicy(i, Policy.DLC);
      this.waitForVolatile(i, spaces, op);
    } else if (isNonTemporal)
      this.setPolicy(i, Policy.SLC | (op === Op.Store ? Policy.GLC : 0) | (this.isGFX11 ? Policy.DLC : 0));
  }

  /** @llvm SIMemoryLegalizer.cpp SIGfx10CacheControl::insertWait */
  wait(place: Place, what: WaitFor): void {
    const isWide = what.scope >= Scope.Agent;
    const isOfGroup = what.scope === Scope.Workgroup && (!this.isCuMode || isReleaseOrStronger(what.order));
    const waits = reachesMemory(what.spaces) && (isWide || isOfGroup);
    this.insertWaitcnt(place, waits && (what.ops & Op.Load) !== 0, this.waitsForLDS(what));
    this.insertDirectWait(place, what);
    if (!waits || (what.ops & Op.Store) === 0) return;
    const none = regOperand(this.fn.tables.regByName('sgpr_null'), OpFlag.Undef);
    place.insert('S_WAITCNT_VSCNT_soft', none, immOperand(0));
  }

  /** @llvm SIMemoryLegalizer.cpp SIGfx10CacheControl::insertAcquire */
  acquire(place: Place, scope: Scope, spaces: number): void {
    if (!this.emptiesCaches || !reachesGlobal(spaces)) return;
    if (scope >= Scope.Agent) place.insert('BUFFER_GL1_INV');
    if (scope >= Scope.Agent || (scope === Scope.Workgroup && !this.isCuMode)) place.insert('BUFFER_GL0_INV');
  }

  protected writeBack(): void {}
}

/**
 * From gfx12 on
 * @llvm SIMemoryLegalizer.cpp SIGfx12CacheControl
 */
export class Gfx12CacheControl extends CacheControl {
  private readonly isGFX1250 = this.st.hasFeature('gfx1250-insts');
  /** Writing caches back begins after accesses, and emptying them ends before the next. */
  private readonly waitsAround = this.isGFX1250 && this.st.release.rules.waitsAroundCacheControls;
  private readonly hasImages = this.st.hasFeature('image-insts');

  bypassLoad(i: InstrId, scope: Scope, spaces: number): void {
    this.setScope(i, scope, spaces);
  }

  bypassStore(i: InstrId, scope: Scope, spaces: number): void {
    this.setScope(i, scope, spaces);
  }

  bypassRMW(i: InstrId, scope: Scope, spaces: number): void {
    this.setScope(i, scope, spaces);
  }

  /** @llvm SIMemoryLegalizer.cpp SIGfx12CacheControl::setAtomicScope */
  private setScope(i: InstrId, scope: Scope, spaces: number): void {
    if (!reachesGlobal(spaces) || scope < Scope.Workgroup || (scope === Scope.Workgroup && this.isCuMode)) return;
    this.setPolicy(i, policyOf(scope), SCOPE_MASK);
  }

  hint(i: InstrId, spaces: number, op: Op, { isVolatile, isNonTemporal, isLastUse }: Hints): void {
    if (isLastUse) this.setPolicy(i, LAST_USE, TEMPORAL_MASK);
    else if (isNonTemporal) this.setPolicy(i, NON_TEMPORAL, TEMPORAL_MASK);
    if (!isVolatile) return;
    this.setPolicy(i, ScopePolicy.System, SCOPE_MASK);
    this.waitForTranslations(i);
    this.waitForVolatile(i, spaces, op);
  }

  /** An access that is done once must not be done again after a translation has failed. */
  private waitForTranslations(i: InstrId): void {
    if (this.isGFX1250 && this.queries.isVMEM(i)) this.before(i).insert('S_WAIT_XCNT_soft', immOperand(0));
  }

  /** @llvm SIMemoryLegalizer.cpp SIGfx12CacheControl::insertWait */
  wait(place: Place, what: WaitFor): void {
    const isFree = this.isCuMode && !this.isGFX1250 && !isReleaseOrStronger(what.order);
    const isSeen = what.scope > Scope.Workgroup || (what.scope === Scope.Workgroup && !isFree);
    const waits = reachesMemory(what.spaces) && isSeen;
    const insert = (counter: string): void => place.insert(`S_WAIT_${counter}_soft`, immOperand(0));
    if (waits && (what.ops & Op.Load) !== 0) {
      if (!what.atomicsOnly && this.hasImages) ['BVHCNT', 'SAMPLECNT'].forEach(insert);
      insert('LOADCNT');
    }
    if (waits && (what.ops & Op.Store) !== 0) insert('STORECNT');
    if ((what.spaces & Space.LDS) !== 0 && what.scope >= Scope.Workgroup && what.crossesSpaces) insert('DSCNT');
  }

  /** @llvm SIMemoryLegalizer.cpp SIGfx12CacheControl::insertAcquire */
  acquire(place: Place, scope: Scope, spaces: number): void {
    if (!this.emptiesCaches || !reachesGlobal(spaces)) return;
    if (scope < Scope.Workgroup || (scope === Scope.Workgroup && this.isCuMode)) return;
    place.insert('GLOBAL_INV', immOperand(policyOf(scope)));
    if (this.waitsAround && scope >= Scope.Agent) place.insert('S_WAIT_LOADCNT_soft', immOperand(0));
  }

  protected writeBack(place: Place, scope: Scope, spaces: number): void {
    if (!reachesGlobal(spaces) || (scope !== Scope.System && !(scope === Scope.Agent && this.isGFX1250))) return;
    if (this.waitsAround) {
      place.insert('S_WAIT_LOADCNT_soft', immOperand(0));
      place.insert('S_WAIT_STORECNT_soft', immOperand(0));
    }
    place.insert('GLOBAL_WB', immOperand(policyOf(scope)));
  }

  /** @llvm SIMemoryLegalizer.cpp SIGfx12CacheControl::finalizeStore */
  override finishStore(i: InstrId, isAtomic: boolean): void {
    const { fn, queries, st } = this;
    if (isAtomic) this.waitForTranslations(i);
    const policy = queries.named(i, 'cpol');
    if (isAtomic || queries.mayLoad(i) || policy < 0 || !st.hasFeature('waits-before-system-scope-stores')) return;
    if ((fn.opVal[policy] & SCOPE_MASK) !== ScopePolicy.System) return;
    const place = this.before(i);
    const counters = ['LOADCNT', ...(this.hasImages ? ['SAMPLECNT', 'BVHCNT'] : []), 'KMCNT', 'STORECNT'];
    for (const counter of counters) place.insert(`S_WAIT_${counter}_soft`, immOperand(0));
  }

  /** @llvm SIMemoryLegalizer.cpp SIGfx12CacheControl::handleCooperativeAtomic */
  override cooperate(i: InstrId): void {
    if (this.isGFX1250 && (this.queries.imm(i, 'cpol') & SCOPE_MASK) < ScopePolicy.Device)
      this.setPolicy(i, ScopePolicy.Device, SCOPE_MASK);
  }
}

function policyOf(scope: Scope): number {
  if (scope === Scope.System) return ScopePolicy.System;
  return scope === Scope.Agent ? ScopePolicy.Device : ScopePolicy.Engine;
}
