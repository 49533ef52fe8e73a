/**
 * Writes of all lanes that overwrite what lanes which are switched off still need: a register holds a per-lane value that some lanes have written before
 * control flow parted, all lanes of it are written while they wait, and after the place where they come back it is read. The wave's own control flow shows
 * nothing of that (docs/llvm/allocation.md, 5.1). Physical registers only: virtual ones are kept apart by the allocator.
 */
import { OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import { ExecChange, execChanges } from './execChanges.js';
import type { LaneValues } from './laneValues.js';

export interface WholeWaveClobber {
  readonly reg: PhysReg;
  /** writes all lanes */
  readonly clobber: InstrId;
  /** wrote the value */
  readonly value: InstrId;
  /** reads it */
  readonly read: InstrId;
}

/** Instructions that write or read lanes of their own choice. */
const LANE_WRITE = /^(?:V_WRITELANE_B32|SI_SPILL_S32_TO_VGPR|WWM_COPY|SI_SPILL_WWM_\w+_RESTORE)/;
const LANE_READ =
  /^(?:V_READLANE_B32|SI_RESTORE_S32_FROM_VGPR|V_WRITELANE_B32|SI_SPILL_S32_TO_VGPR|SI_SPILL_WWM_|WWM_COPY)/;

/** `frame-setup` and `frame-destroy` among an instruction's flags: they save lanes for the caller. */
const FRAME = 0b11;

/** So many writes of whole waves are looked at; functions have a few. */
const MAX_CLOBBERS = 64;

/** False: there is nothing for `wholeWaveClobbers` to find. O(instructions) */
export function mayWriteWholeWaves(fn: MachineFunction): boolean {
  const exec = fn.tables.regByName('exec');
  for (let i = 0; i < fn.nInstrs; i++) {
    const name = fn.tables.opcodeName(fn.opcode[i]);
    if (LANE_WRITE.test(name) || name.startsWith('ENTER_STRICT_') || name.startsWith('S_OR_SAVEEXEC')) return true;
    const o = fn.opBegin[i];
    if (/^S_MOV_B(?:32|64)$/.test(name) && fn.opVal[o] > 0 && fn.tables.regsOverlap(fn.opVal[o], exec)) return true;
  }
  return false;
}

/** The first value and read of each clobber. O(clobbers x instructions), nothing in functions without whole-wave writes of physical registers. */
export function wholeWaveClobbers(lanes: LaneValues): WholeWaveClobber[] {
  return new ClobberSearch(lanes).run();
}

class ClobberSearch {
  private readonly fn: MachineFunction;
  private readonly change = new Map<InstrId, ExecChange>();
  private readonly isWhole: Uint8Array;
  private readonly placeOf: Int32Array;

  constructor(lanes: LaneValues) {
    const fn = (this.fn = lanes.fn);
    this.isWhole = new Uint8Array(fn.nInstrs);
    this.placeOf = new Int32Array(fn.nInstrs);
    for (let b = 0; b < fn.blocks.length; b++) {
      for (const [i, change] of execChanges(lanes, b)) this.change.set(i, change);
      let all = false;
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        this.placeOf[i] = p;
        const change = this.change.get(i);
        if (change !== undefined) all = change === ExecChange.WholeWaveBegins;
        this.isWhole[i] = all ? 1 : 0;
      }
    }
  }

  run(): WholeWaveClobber[] {
    const { fn } = this;
    const found: WholeWaveClobber[] = [];
    let n = 0;
    for (let p = 0; p < fn.blockEnd[fn.blocks.length - 1] && n < MAX_CLOBBERS; p++) {
      const i = fn.order[p];
      const reg = this.wholeWrite(i);
      if (reg === 0) continue;
      n++;
      const one = this.clobbered(i, reg);
      if (one !== null) found.push(one);
    }
    return found;
  }

  /** The vector register of which an instruction writes lanes that do not run, 0 = none. */
  private wholeWrite(i: InstrId): PhysReg {
    const { fn } = this;
    if ((fn.instrFlags[i] & FRAME) !== 0) return 0;
    const isLaneWrite = LANE_WRITE.test(fn.tables.opcodeName(fn.opcode[i]));
    if (this.isWhole[i] === 0 && !isLaneWrite) return 0;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if ((fn.opFlags[o] & OpFlag.Def) !== 0 && isPhysicalReg(fn.opVal[o]) && this.isVector(fn.opVal[o]))
        return fn.opVal[o];
    return 0;
  }

  private isVector(reg: PhysReg): boolean {
    return /^[av]gpr\d/.test(this.fn.tables.regName(reg));
  }

  private writes(i: InstrId, reg: PhysReg): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if ((fn.opFlags[o] & OpFlag.Def) !== 0 && fn.opVal[o] > 0 && fn.tables.regsOverlap(fn.opVal[o], reg)) return true;
    return false;
  }

  private readsLanes(i: InstrId, reg: PhysReg): boolean {
    const { fn } = this;
    if (this.isWhole[i] === 1 || LANE_READ.test(fn.tables.opcodeName(fn.opcode[i]))) return false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (
        (fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef)) === 0 &&
        fn.opVal[o] > 0 &&
        fn.tables.regsOverlap(fn.opVal[o], reg)
      )
        return true;
    return false;
  }

  private clobbered(clobber: InstrId, reg: PhysReg): WholeWaveClobber | null {
    const { fn } = this;
    const reads = this.readsBehind(clobber, reg);
    if (reads.size === 0) return null;
    const isUndef = fn.tables.opcodeByName('IMPLICIT_DEF');
    for (let p = 0; p < fn.blockEnd[fn.blocks.length - 1]; p++) {
      const value = fn.order[p];
      if (fn.opcode[value] === isUndef || this.wholeWrite(value) !== 0 || !this.writes(value, reg)) continue;
      if (!this.reachesWithFewerLanes(value, clobber, reg)) continue;
      for (const read of this.readsBehind(value, reg)) if (reads.has(read)) return { reg, clobber, value, read };
    }
    return null;
  }

  /**
   * Per-lane reads that get what `from` wrote, on a way without a write of all lanes. A per-lane write in between covers the lanes that run there, until
   * others come back.
   */
  private readsBehind(from: InstrId, reg: PhysReg): Set<InstrId> {
    const found = new Set<InstrId>();
    this.walk(from, (i, isCovered) => {
      if (!isCovered && this.readsLanes(i, reg)) found.add(i);
      if (this.change.get(i) === ExecChange.Restored) return false;
      if (!this.writes(i, reg)) return isCovered;
      return this.wholeWrite(i) !== 0 ? null : true;
    });
    return found;
  }

  /** Whether a way leads from a write to another one on which lanes are switched off. */
  private reachesWithFewerLanes(from: InstrId, to: InstrId, reg: PhysReg): boolean {
    let isReached = false;
    this.walk(from, (i, isNarrowed) => {
      if (i === to && isNarrowed) isReached = true;
      if (isReached || (this.wholeWrite(i) !== 0 && this.writes(i, reg))) return null;
      const change = this.change.get(i);
      if (change === ExecChange.Narrowed) return true;
      return change === ExecChange.Restored ? false : isNarrowed;
    });
    return isReached;
  }

  /** Goes all ways from after an instruction with a state that begins as false; null from `step` ends a way. */
  private walk(from: InstrId, step: (i: InstrId, state: boolean) => boolean | null): void {
    const { fn } = this;
    const seen = new Uint8Array(fn.blocks.length * 2);
    const work: [block: BlockId, place: number, state: boolean][] = [
      [fn.instrBlock[from], this.placeOf[from] + 1, false],
    ];
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      const [b, place, begin] = next;
      let state: boolean | null = begin;
      for (let p = place; p < fn.blockEnd[b] && state !== null; p++) state = step(fn.order[p], state);
      if (state === null) continue;
      for (const s of fn.blocks[b].successors) {
        const key = s * 2 + (state ? 1 : 0);
        if (seen[key] === 1) continue;
        seen[key] = 1;
        work.push([s, fn.blockBegin[s], state]);
      }
    }
  }
}
