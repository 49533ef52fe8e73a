/** Who looks on while registers are allocated: every decision, as it is made. Without a watch none of it costs anything. */
import type { InstrId } from '../../model/machineFunction.js';
import type { PhysReg, RegUnit } from '../../target/api.js';
import type { RunFilter } from './runFilter.js';

/** How a register is split, by the names of LLVM's functions: around a region, in single blocks, inside a block, around instructions. */
export type SplitKind = 'region' | 'hint' | 'csr' | 'block' | 'local' | 'instruction';

/** A run as a watch sees it. */
export interface WatchedRun {
  /** hints, then the order of the class */
  candidates(v: number): { readonly list: readonly PhysReg[]; readonly nHints: number };
  stageOf(v: number): number;
  /** the key under which it would go into the queue now: the greatest comes first */
  priority(v: number): number;
  isUnusedCalleeSaved(reg: PhysReg): boolean;
  readonly csrCost: bigint;
  readonly matrix: {
    /** Interference as matrix.ts numbers it */
    check(v: number, reg: PhysReg): number;
    /** owners that live in a unit where `v` does */
    interfering(v: number, unit: RegUnit): readonly number[];
  };
}

/** Registers are indexes of virtual registers. A watch changes nothing and asks only what leaves no trace itself. */
export interface AllocationWatch {
  /** called once per register; throws to end the work */
  checkpoint(): void;
  /** `parameters`: of the pass, as a pipeline names them */
  passEnds(pass: string, parameters: string): void;
  /** weights and hints are known, nothing is assigned */
  runBegins(filter: RunFilter, run: WatchedRun): void;
  /** a register was taken from the queue */
  picked(v: number): void;
  /** `reg` 0 = it got none; `made`: what goes into the queue for its sake */
  settled(v: number, reg: PhysReg, made: readonly number[]): void;
  failed(v: number): void;
  /** `victims` lose what they have, `reg` goes to `v`; `isHint`: for the sake of a copy */
  evicts(v: number, reg: PhysReg, victims: readonly number[], isHint: boolean): void;
  /** to try for `v` all that others, `owners`, may give up in the last resort */
  recolors(v: number, reg: PhysReg, owners: Iterable<number>): void;
  /** `reg` 0: for none in particular; `cost`: what the copies cost, as a frequency, null = not computed */
  splits(v: number, kind: SplitKind, reg: PhysReg, cost: bigint | null): void;
  /** the registers `together` go to the slot */
  spills(v: number, slot: number, together: readonly number[]): void;
  /** `made` is computed by a copy of `def` for `use` */
  rematerializes(v: number, made: number, def: InstrId, use: InstrId): void;
  /** a broken hint is mended in the end */
  moves(v: number, from: PhysReg, to: PhysReg): void;
  runEnds(filter: RunFilter): void;
}
