/** Wait instructions: those that are there take over what is needed, others are made (WaitcntGenerator, LLVM 22; docs/llvm/waits.md, 3). */
import { immOperand, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { BundleFlag, OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { NotModelled } from '../machinePass.js';
import type { WaitBrackets } from './brackets.js';
import type { WaitReasons } from './waitReasons.js';
import {
  Counter,
  N_COUNTERS,
  NO_WAIT,
  combine,
  decodePair,
  encodePair,
  noWait,
  type Counters,
  type Wait,
} from './counters.js';

/** The instruction for one counter, gfx12. */
const SINGLE = [
  'S_WAIT_LOADCNT',
  'S_WAIT_DSCNT',
  'S_WAIT_EXPCNT',
  'S_WAIT_STORECNT',
  'S_WAIT_SAMPLECNT',
  'S_WAIT_BVHCNT',
  'S_WAIT_KMCNT',
  'S_WAIT_XCNT',
];
const SOFT = '_soft';
const WAITS: ReadonlySet<string> = new Set([
  'S_WAITCNT',
  'S_WAITCNT_VSCNT',
  'S_WAIT_LOADCNT_DSCNT',
  'S_WAIT_STORECNT_DSCNT',
  'S_WAITCNT_lds_direct',
  ...SINGLE,
]);

/** That S_WAITCNT waits for */
const COMBINED: readonly Counter[] = [Counter.Load, Counter.Exp, Counter.Ds];

interface NewWait {
  readonly opcode: number;
  readonly operands: readonly NewOperand[];
  /** that it waits for */
  readonly counters: readonly Counter[];
}

export class WaitInstrs {
  private readonly fn: MachineFunction;
  /** the instruction whose waits are merged */
  private waiter: InstrId = -1;

  /** `needForLDS`: adds what readers of LDS that memory accesses write have to wait for. */
  constructor(
    private readonly builder: InstrBuilder,
    private readonly counters: Counters,
    private readonly isOptNone: boolean,
    private readonly needForLDS: (brackets: WaitBrackets, wait: Wait) => void,
    private readonly reasons: WaitReasons | null,
  ) {
    this.fn = builder.fn;
  }

  /** The name without `_soft`, which marks waits of earlier passes that may go. */
  private hardName(i: InstrId): string {
    const name = this.fn.tables.opcodeName(this.fn.opcode[i]);
    return name.endsWith(SOFT) ? name.slice(0, -SOFT.length) : name;
  }

  private isSoft(i: InstrId): boolean {
    return this.fn.tables.opcodeName(this.fn.opcode[i]).endsWith(SOFT);
  }

  /** @llvm SIInsertWaitcnts.cpp isWaitInstr */
  isWait(i: InstrId): boolean {
    const name = this.hardName(i);
    if (name === 'S_WAITCNT_VSCNT') return this.fn.opVal[this.fn.opBegin[i]] === this.fn.tables.regByName('sgpr_null');
    return WAITS.has(name);
  }

  /** A function that is called waits for all first. */
  atEntry(at: ListPos): void {
    const { fn, builder } = this;
    const emit = (name: string): void => {
      const made = builder.build(at, -1, fn.tables.opcodeByName(name), [immOperand(0)]);
      this.reasons?.add(made, 'entry');
    };
    if (!this.counters.isExtended) {
      emit('S_WAITCNT');
      return;
    }
    emit('S_WAIT_LOADCNT_DSCNT');
    const ofImages = [Counter.Exp, Counter.Sample, Counter.Bvh];
    const hasImages = fn.subtarget.hasFeature('image-insts');
    for (const c of [Counter.Exp, Counter.Sample, Counter.Bvh, Counter.Km])
      if (hasImages || !ofImages.includes(c)) emit(SINGLE[c]);
  }

  /**
   * Puts `wait` into the wait instructions from `first` up to `end`, which take over what they can; what is left of it has to be made. `waiter`: the
   * instruction that waits, -1 = the block ends.
   * @llvm SIInsertWaitcnts.cpp WaitcntGenerator::applyPreexistingWaitcnt
   */
  merge(
    brackets: WaitBrackets,
    first: InstrId,
    end: ListPos,
    wait: Wait,
    isMeta: (i: InstrId) => boolean,
    waiter: InstrId,
  ): void {
    this.waiter = waiter;
    const found: InstrId[] = [];
    for (let i = first; i >= 0 && i !== end; i = this.after(i)) if (!isMeta(i)) found.push(i);
    if (this.counters.isExtended) this.mergeExtended(brackets, found, wait);
    else this.mergeCombined(brackets, found, wait);
  }

  private immOf(i: InstrId): number {
    return this.fn.imm(this.fn.opBegin[i] + this.fn.tables.getNamedOperandIdx(this.fn.opcode[i], 'simm16'));
  }

  /** The immediate, and no longer a soft one. */
  private set(i: InstrId, immediate: number): void {
    const { fn } = this;
    const o = fn.opBegin[i] + fn.tables.getNamedOperandIdx(fn.opcode[i], 'simm16');
    fn.opVal[o] = immediate;
    fn.opExt[o] = 0;
    fn.opcode[i] = fn.tables.opcodeByName(this.hardName(i));
  }

  /** The next instruction, member of a bundle or not. */
  private after(i: InstrId): InstrId {
    const { bundle } = this.fn;
    if ((bundle[i] & BundleFlag.BundledSucc) !== 0) return i + 1;
    let first = i;
    while ((bundle[first] & BundleFlag.BundledPred) !== 0) first--;
    return this.builder.editor.list.after(first);
  }

  /** `isMerged`: another one waits for that, too. */
  private erase(i: InstrId, isMerged: boolean): void {
    if (this.fn.bundle[i] !== 0) throw new NotModelled('a wait in a bundle that is not needed');
    this.reasons?.drop(i, isMerged);
    this.builder.editor.erase(i);
  }

  private mergeCombined(brackets: WaitBrackets, found: readonly InstrId[], wait: Wait): void {
    const { counters } = this;
    let combined: InstrId = -1;
    let stores: InstrId = -1;
    const waitsForOthers = (): boolean => wait.some((left, c) => c !== Counter.Store && left !== NO_WAIT);
    for (const i of found) {
      const isOptional = this.isSoft(i) && !this.isOptNone;
      const name = this.hardName(i);
      if (name === 'S_WAITCNT') {
        const old = counters.decode(this.immOf(i));
        if (isOptional) brackets.simplify(old);
        combine(wait, old);
        if (combined >= 0 || (!waitsForOthers() && isOptional)) this.erase(i, combined >= 0);
        else combined = i;
      } else if (name === 'S_WAITCNT_lds_direct') {
        this.needForLDS(brackets, wait);
        this.erase(i, true);
      } else {
        const old = noWait();
        old[Counter.Store] = this.immOf(i);
        if (isOptional) brackets.simplify(old);
        combine(wait, old);
        if (stores >= 0 || (wait[Counter.Store] === NO_WAIT && isOptional)) this.erase(i, stores >= 0);
        else stores = i;
      }
    }
    if (combined >= 0) {
      this.set(combined, counters.encode(wait));
      this.take(combined, brackets, wait, COMBINED);
    }
    if (stores >= 0) {
      this.set(stores, wait[Counter.Store]);
      this.take(stores, brackets, wait, [Counter.Store]);
    }
  }

  /** `i` waits for these now. */
  private take(i: InstrId, brackets: WaitBrackets, wait: Wait, taken: readonly Counter[]): void {
    this.reasons?.settle(i, this.waiter, wait, taken);
    for (const c of taken) {
      brackets.applyTo(c, wait[c]);
      wait[c] = NO_WAIT;
    }
  }

  private mergeExtended(brackets: WaitBrackets, found: readonly InstrId[], wait: Wait): void {
    const pairs = new Map<Counter, InstrId>();
    const singles = new Map<Counter, InstrId>();
    const keep = (map: Map<Counter, InstrId>, c: Counter, i: InstrId): void => {
      if (map.has(c)) this.erase(i, true);
      else map.set(c, i);
    };
    for (const i of found) {
      const isOptional = this.isSoft(i) && !this.isOptNone;
      const name = this.hardName(i);
      if (name === 'S_WAITCNT') continue;
      if (name === 'S_WAITCNT_lds_direct') {
        this.erase(i, false);
        continue;
      }
      const old = noWait();
      const c = SINGLE.indexOf(name);
      if (c >= 0) old[c] = this.immOf(i);
      else {
        const [other, ds] = decodePair(this.immOf(i));
        old[name === 'S_WAIT_LOADCNT_DSCNT' ? Counter.Load : Counter.Store] = other;
        old[Counter.Ds] = ds;
      }
      if (isOptional) brackets.simplify(old);
      combine(wait, old);
      if (c >= 0) keep(singles, c, i);
      else keep(pairs, name === 'S_WAIT_LOADCNT_DSCNT' ? Counter.Load : Counter.Store, i);
    }
    for (const c of [Counter.Load, Counter.Store]) {
      const i = pairs.get(c);
      if (i === undefined) continue;
      if (wait[c] !== NO_WAIT && wait[Counter.Ds] !== NO_WAIT) {
        this.set(i, encodePair(wait[c], wait[Counter.Ds]));
        this.take(i, brackets, wait, [c, Counter.Ds]);
      } else this.erase(i, wait[c] !== NO_WAIT || wait[Counter.Ds] !== NO_WAIT);
    }
    // Where a pair is needed, it is made anew.
    if (wait[Counter.Ds] !== NO_WAIT) {
      const other =
        wait[Counter.Load] !== NO_WAIT ? Counter.Load : wait[Counter.Store] !== NO_WAIT ? Counter.Store : -1;
      if (other >= 0)
        for (const c of [other, Counter.Ds]) {
          const i = singles.get(c);
          if (i !== undefined) this.erase(i, true);
          singles.delete(c);
        }
    }
    for (let c = 0; c < N_COUNTERS; c++) {
      const i = singles.get(c);
      if (i === undefined) continue;
      if (wait[c] === NO_WAIT) this.erase(i, false);
      else {
        this.set(i, wait[c]);
        this.take(i, brackets, wait, [c]);
      }
    }
  }

  /**
   * The instructions that wait so.
   * @llvm SIInsertWaitcnts.cpp WaitcntGenerator::createNewWaitcnt
   */
  needed(wait: Wait): NewWait[] {
    const { fn, counters } = this;
    const made: NewWait[] = [];
    const emit = (name: string, immediate: number, waited: readonly Counter[]): void => {
      const first = name === 'S_WAITCNT_VSCNT' ? [regOperand(fn.tables.regByName('sgpr_null'), OpFlag.Undef)] : [];
      made.push({
        opcode: fn.tables.opcodeByName(name),
        operands: [...first, immOperand(immediate)],
        counters: waited,
      });
    };
    const left = [...wait];
    if (!counters.isExtended) {
      if (left.some((n, c) => c !== Counter.Store && n !== NO_WAIT)) emit('S_WAITCNT', counters.encode(left), COMBINED);
      if (left[Counter.Store] !== NO_WAIT) emit('S_WAITCNT_VSCNT', left[Counter.Store], [Counter.Store]);
      return made;
    }
    if (left[Counter.Ds] !== NO_WAIT) {
      const other = [Counter.Load, Counter.Store].find((c) => left[c] !== NO_WAIT);
      if (other !== undefined) {
        const name = other === Counter.Load ? 'S_WAIT_LOADCNT_DSCNT' : 'S_WAIT_STORECNT_DSCNT';
        emit(name, encodePair(left[other], left[Counter.Ds]), [other, Counter.Ds]);
        left[other] = left[Counter.Ds] = NO_WAIT;
      }
    }
    for (let c = 0; c < N_COUNTERS; c++) if (left[c] !== NO_WAIT) emit(SINGLE[c], left[c], [c]);
    return made;
  }
}
