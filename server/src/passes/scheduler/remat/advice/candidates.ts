/**
 * Which virtual registers of a function, as it stands, may be computed again where they are used, and what keeps the others from it.
 *
 * The rules are those of LLVM's rematerialization (docs/llvm/remat.md, 0.2 and 0.3) with the freedom of its latest form (part C): a
 * register may have users in several regions, each region gets one copy before its first user, and the definition stays where a
 * user needs it. Regions are formed as the machine scheduler forms them.
 */
import type { LiveIntervals } from '../../../../analysis/liveIntervals.js';
import { OpcodeTrait, opcodeTraits } from '../../../../analysis/opcodeTraits.js';
import { Slot } from '../../../../analysis/slotIndexes.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
} from '../../../../model/machineFunction.js';
import { McFlag } from '../../../../target/api.js';
import { SchedContext } from '../../context.js';
import { formRegions, type FormedRegion } from '../../regions.js';
import { resolveSchedClass } from '../../schedClass.js';
import { rematObstacle, type RematObstacle } from '../rematerializable.js';
import type { VRegId } from '../../../../model/register.js';

/** Why a definition cannot be computed again before some users. */
export type GroupObstacle =
  /** they are in the region of the definition, or come before it in its block */
  | { readonly kind: 'same region' }
  /** the register that is not live there, or has another value by then */
  | { readonly kind: 'operand not available'; readonly operand: number }
  | { readonly kind: 'used by a PHI' }
  | { readonly kind: 'after a terminator' };

/** Users of a register that would share one copy. */
export interface UseGroup {
  /** index in `regions`; -1 = users that belong to no region */
  readonly region: number;
  readonly block: BlockId;
  /** the copy would stand before this instruction (a bundle by its header) */
  readonly before: InstrId;
  /** in text order, members of bundles by themselves */
  readonly users: readonly InstrId[];
  /** null = a copy may stand there */
  readonly obstacle: GroupObstacle | null;
}

export interface RematCandidate {
  readonly vreg: VRegId;
  readonly def: InstrId;
  /** region of the definition */
  readonly defRegion: number;
  /** those with a legal copy, in text order; at least one */
  readonly groups: readonly UseGroup[];
  /** those that need the definition where it is */
  readonly kept: readonly UseGroup[];
}

/** One register and where it is to be computed again. */
export interface RematChoice {
  readonly candidate: RematCandidate;
  /** some or all of the candidate's groups, in text order */
  readonly groups: readonly UseGroup[];
}

/** Why a register is no candidate. */
export type RegisterObstacle =
  | RematObstacle
  | 'several definitions'
  | 'no definition'
  | 'never used'
  | 'inside a bundle'
  | 'in no region'
  | 'used in its own region only'
  | 'no legal place';

/** What is known of one virtual register. */
export type RematVerdict =
  | { readonly candidate: RematCandidate }
  | { readonly candidate: null; readonly obstacle: RegisterObstacle; readonly groups: readonly UseGroup[] };

export class RematCandidates {
  readonly regions: readonly FormedRegion[];
  /** all candidates in the order of their definitions */
  readonly candidates: readonly RematCandidate[];
  /** region of each instruction, -1 = none; a boundary instruction belongs to the region that it ends */
  readonly regionOf: Int32Array;
  private readonly verdicts: (RematVerdict | undefined)[] = [];
  private readonly traits: Uint8Array;
  /** by register: operand ids of its defs (at most the first two count) and of its uses outside of debug instructions */
  private readonly firstDef: Int32Array;
  private readonly nDefs: Int32Array;
  private readonly users: readonly (readonly InstrId[])[];
  /** position of each instruction in the layout */
  readonly position: Int32Array;

  /** `lis`: live intervals of `fn` without LLVM's edits. O(operands). */
  constructor(
    private readonly fn: MachineFunction,
    private readonly lis: LiveIntervals,
  ) {
    // A clone: the context edits flags and splits registers, which the text does not show.
    const ctx = new SchedContext(fn.clone(), resolveSchedClass);
    this.traits = opcodeTraits(fn.tables);
    this.regions = formRegions(ctx.fn, ctx.list, ctx.roles);
    this.regionOf = new Int32Array(fn.nInstrs).fill(-1);
    this.regions.forEach((r, k) => {
      for (let p = r.begin; p !== r.end && p >= 0; p = ctx.list.after(p)) this.regionOf[p] = k;
      if (r.end >= 0) this.regionOf[r.end] = k;
    });
    this.position = new Int32Array(fn.nInstrs);
    this.firstDef = new Int32Array(fn.vregs.n).fill(-1);
    this.nDefs = new Int32Array(fn.vregs.n);
    const users: InstrId[][] = [];
    for (let v = 0; v < fn.vregs.n; v++) users.push([]);
    this.users = users;
    this.scan(users);
    const candidates: RematCandidate[] = [];
    for (let v = 0; v < fn.vregs.n; v++) {
      const verdict = this.judge(v, (i) => rematObstacle(ctx, i));
      this.verdicts.push(verdict);
      if (verdict.candidate !== null) candidates.push(verdict.candidate);
    }
    this.candidates = candidates.sort((a, b) => this.position[a.def] - this.position[b.def]);
  }

  /** What is known of a register, by index. */
  of(vreg: VRegId): RematVerdict {
    return this.verdicts[vreg] ?? { candidate: null, obstacle: 'no definition', groups: [] };
  }

  /** Whether the single definition of a register could be computed again, wherever its users are. */
  isRematerializable(vreg: VRegId): boolean {
    const verdict = this.of(vreg);
    if (verdict.candidate !== null) return true;
    return verdict.obstacle === 'used in its own region only' || verdict.obstacle === 'no legal place';
  }

  /** Instructions that read a register, debug instructions left out. */
  usersOf(vreg: VRegId): readonly InstrId[] {
    return this.users[vreg] ?? [];
  }

  /** The instruction that defines a register, -1 = none. */
  defOf(vreg: VRegId): InstrId {
    return this.firstDef[vreg];
  }

  private scan(users: InstrId[][]): void {
    const { fn } = this;
    for (let b = 0; b < fn.blocks.length; b++) {
      let header = -1;
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        this.position[i] = p;
        if ((fn.bundle[i] & BundleFlag.BundledPred) === 0) header = i;
        else this.regionOf[i] = header < 0 ? -1 : this.regionOf[header];
        if ((this.traits[fn.opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0) continue;
        for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
          if (fn.opVal[o] >= 0) continue;
          const v = ~fn.opVal[o];
          if ((fn.opFlags[o] & OpFlag.Def) !== 0) {
            this.nDefs[v]++;
            if (this.firstDef[v] < 0) this.firstDef[v] = i;
          } else if (users[v][users[v].length - 1] !== i) {
            users[v].push(i);
          }
        }
      }
    }
  }

  private judge(v: number, obstacleOf: (i: InstrId) => RematObstacle | null): RematVerdict {
    const { fn } = this;
    const none = (obstacle: RegisterObstacle, groups: readonly UseGroup[] = []): RematVerdict => ({
      candidate: null,
      obstacle,
      groups,
    });
    const def = this.firstDef[v];
    if (def < 0) return none('no definition');
    if (this.nDefs[v] !== 1) return none('several definitions');
    // the register that the instruction is for; another def of it cannot go elsewhere alone
    const first = fn.opBegin[def];
    if (fn.opKind[first] !== OperandKind.Register || fn.opVal[first] !== ~v) return none('not rematerializable');
    const obstacle = obstacleOf(def);
    if (obstacle !== null) return none(obstacle);
    if (this.hasSecondDef(def)) return none('not rematerializable');
    if ((fn.bundle[def] & (BundleFlag.BundledPred | BundleFlag.BundledSucc)) !== 0) return none('inside a bundle');
    if (this.regionOf[def] < 0) return none('in no region');
    if (this.users[v].length === 0) return none('never used');
    const all = this.groupsOf(v, def);
    const groups = all.filter((g) => g.obstacle === null);
    const kept = all.filter((g) => g.obstacle !== null);
    if (groups.length > 0) return { candidate: { vreg: v, def, defRegion: this.regionOf[def], groups, kept } };
    const isOwnOnly = kept.every((g) => g.obstacle?.kind === 'same region');
    return none(isOwnOnly ? 'used in its own region only' : 'no legal place', kept);
  }

  private hasSecondDef(i: InstrId): boolean {
    const { fn } = this;
    for (let o = fn.opBegin[i] + 1; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] !== 0 && (fn.opFlags[o] & OpFlag.Def) !== 0) return true;
    return false;
  }

  private headerOf(i: InstrId): InstrId {
    const { fn } = this;
    let p = this.position[i];
    while ((fn.bundle[fn.order[p]] & BundleFlag.BundledPred) !== 0) p--;
    return fn.order[p];
  }

  /** The users of a register by region; users in no region stand for themselves. */
  private groupsOf(v: number, def: InstrId): UseGroup[] {
    const { fn } = this;
    const byRegion = new Map<number, InstrId[]>();
    this.users[v].forEach((user, k) => {
      const region = this.regionOf[user];
      const key = region < 0 ? -1 - k : region;
      const list = byRegion.get(key);
      if (list === undefined) byRegion.set(key, [user]);
      else list.push(user);
    });
    return [...byRegion.values()].map((users) => {
      const before = this.headerOf(users[0]);
      const region = this.regionOf[users[0]];
      const block = fn.instrBlock[users[0]];
      return { region, block, before, users, obstacle: this.groupObstacle(def, region, before, users) };
    });
  }

  private groupObstacle(
    def: InstrId,
    region: number,
    before: InstrId,
    users: readonly InstrId[],
  ): GroupObstacle | null {
    const { fn, traits } = this;
    if (region === this.regionOf[def]) return { kind: 'same region' };
    if (users.some((u) => (traits[fn.opcode[u]] & OpcodeTrait.Phi) !== 0)) return { kind: 'used by a PHI' };
    if (this.isBehindTerminator(before)) return { kind: 'after a terminator' };
    const operand = unavailableOperand(fn, this.lis, def, before);
    return operand < 0 ? null : { kind: 'operand not available', operand };
  }

  /** Before a terminator that is not the first of its block nothing but terminators may stand. */
  private isBehindTerminator(i: InstrId): boolean {
    const { fn } = this;
    const p = this.position[i];
    if (p === fn.blockBegin[fn.instrBlock[i]]) return false;
    return ((fn.tables.opcodeFlagsLo(fn.opcode[fn.order[p - 1]]) >>> McFlag.Terminator) & 1) !== 0;
  }
}

/**
 * A virtual register that `def` reads and whose value is not live, or another one, just before `use`; -1 = all are available.
 * Lanes without a sub-range do not count.
 */
function unavailableOperand(fn: MachineFunction, lis: LiveIntervals, def: InstrId, use: InstrId): number {
  const at = lis.indexes.instrIndex[def] + Slot.EarlyClobber;
  const to = lis.indexes.instrIndex[use] + Slot.EarlyClobber;
  for (let o = fn.firstReg(def); o >= 0; o = fn.nextReg(def, o)) {
    if (fn.opVal[o] >= 0) continue;
    if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
    const v = ~fn.opVal[o];
    const range = lis.mainRange[v];
    if (range < 0) continue;
    const here = lis.segmentAt(range, at);
    if (here < 0) continue;
    const there = lis.segmentAt(range, to);
    if (there < 0 || lis.segValue[there] !== lis.segValue[here]) return v;
    const sub = fn.opSub[o];
    const lo = sub === 0 ? -1 : fn.tables.subRegLaneLo[sub];
    const hi = sub === 0 ? -1 : fn.tables.subRegLaneHi[sub];
    for (let r = lis.subRange[v]; r >= 0; r = lis.nextSubRange[r]) {
      if (((lis.laneLo[r] & lo) | (lis.laneHi[r] & hi)) !== 0 && !lis.isLiveAt(r, to)) return v;
    }
  }
  return -1;
}
