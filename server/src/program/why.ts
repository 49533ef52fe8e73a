/**
 * Why llc ends with so few waves, as data: the ladder of limits, what the next rung needs, who holds the registers where they bind, and what would help, each lever
 * computed to the end of llc's run. Words are the command's and the editor's.
 */
import { mostSGPRsFor } from '../analysis/summary.js';
import { computeFunctionLimits, type FunctionLimits } from '../model/functionLimits.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { heldAtPeak, type BankName, type HeldAt } from './heldRegisters.js';
import type { Outcome } from './outcome.js';
import { AS_IN_FILE, type Sweep, type SweepRow, type SweepSetting } from './sweep.js';

export type LimitName = 'VGPR' | 'SGPR' | 'LDS' | 'work-group size' | 'amdgpu-waves-per-eu' | 'hardware';

export interface WaveLimit {
  readonly name: LimitName;
  /** registers, bytes, work items; of an attribute its value; null: nothing to count */
  readonly now: number | string | null;
  /** waves per EU */
  readonly allows: number;
  /** the most of it with which the next rung fits; null where it fits already, or nothing would make it fit */
  readonly next: number | null;
  readonly binds: boolean;
}

/** An edit of the text that an analysis proposes. */
export type TextChange =
  | { readonly kind: 'rematerialize' | 'scalarize'; readonly registers: readonly string[] }
  /** of a scheduling region whose first instruction stands in `line`, from 1: the order that `-amdgpu-sched-strategy=STRATEGY` gives it */
  | { readonly kind: 'reorder'; readonly region: number; readonly line: number; readonly strategy: string };

export interface TextLever {
  readonly change: TextChange;
  readonly text: string;
}

export type LeverChange = { readonly kind: 'setting'; readonly setting: SweepSetting } | TextChange;

/** `row`: what llc ends with, and counts of its code. */
export type Lever = LeverChange & { readonly row: FinishedRow };

type FinishedRow = SweepRow & { readonly outcome: Outcome };

export interface WhyReport {
  readonly function: string;
  readonly present: FinishedRow;
  /** of an entry function llc's number; of another one what its registers allow */
  readonly waves: number;
  readonly isEntry: boolean;
  /** waves of the next rung; null: the processor has no more */
  readonly nextRung: number | null;
  readonly limits: readonly WaveLimit[];
  /** of each register file that binds; where none does, of VGPRs */
  readonly held: readonly HeldAt[];
  /** best first */
  readonly levers: readonly Lever[];
  readonly nTried: number;
  /** what changes nothing that counts, or makes it worse, or with which llc fails */
  readonly withoutEffect: readonly LeverChange[];
  readonly worse: readonly LeverChange[];
  readonly failed: readonly (LeverChange & { readonly why: string })[];
}

export interface WhyQuestion {
  /** of the file as it is */
  readonly sweep: Sweep;
  readonly functionName: string;
  /** that are tried as levers */
  readonly settings: readonly SweepSetting[];
  readonly texts: readonly TextLever[];
  readonly checkpoint: () => void;
  /** what comes of the texts, then of the settings, where that was computed elsewhere; null: the function is gone */
  readonly rows?: readonly (SweepRow | null)[] | undefined;
  /** so many levers of all are tried */
  readonly tried?: (done: number, all: number) => void;
}

/** A text: why the function has no outcome. */
export function whyOf(question: WhyQuestion): WhyReport | string {
  const { sweep, functionName, checkpoint } = question;
  const present = sweep.row(AS_IN_FILE, checkpoint, functionName);
  if (present === null) return `there is no function '${functionName}'`;
  if (!isFinished(present)) return present.failed;
  const fn = sweep.function(functionName)!;
  const limits = limitsOf(fn, present.outcome);
  const waves = present.outcome.waves ?? Math.min(...limits.map((l) => l.allows));
  const most = fn.subtarget.maxWavesPerEU;
  const tried = triedLevers(question);
  const levers: Lever[] = [];
  const withoutEffect: LeverChange[] = [];
  const worse: LeverChange[] = [];
  const failed: (LeverChange & { why: string })[] = [];
  for (const { change, row } of tried) {
    if (!isFinished(row)) failed.push({ ...change, why: row.failed });
    else {
      const gain = gainOf(present, row);
      if (gain === 'better') levers.push({ ...change, row });
      else (gain === 'same' ? withoutEffect : worse).push(change);
    }
  }
  levers.sort((a, b) => compareRows(present, a.row, b.row) || sizeOf(a) - sizeOf(b));
  return {
    function: functionName,
    present,
    waves,
    isEntry: present.outcome.waves !== null,
    nextRung: waves < most ? waves + 1 : null,
    // At the most that there is nothing else is in the way.
    limits: limits.map((l) => ({ ...l, binds: l.allows === waves && (waves < most || l.name === 'hardware') })),
    held: heldBy(limits, waves, fn.subtarget.hasGFX90AInsts, (bank) => {
      return heldAtPeak(sweep.inOrder(functionName), bank, (i) => sweep.lineOf(functionName, i));
    }),
    levers,
    nTried: tried.length,
    ...{ withoutEffect, worse, failed },
  };
}

const isFinished = (row: SweepRow): row is FinishedRow => row.outcome !== null;

// -- the ladder -----------------------------------------------------------------------------------------------------

/** In the order in which they are looked at; `next` is for one wave more than the lowest allows. */
function limitsOf(fn: MachineFunction, outcome: Outcome): Omit<WaveLimit, 'binds'>[] {
  const limits = computeFunctionLimits(fn);
  const { subtarget: st, flatWorkGroupSizes: sizes, dynamicVGPRBlockSize: dyn } = limits;
  const vgprs = outcome.totalVgpr ?? outcome.vgpr;
  const bySize = st.occupancyWithWorkGroupSizes(0, sizes[0], sizes[1])[1];
  const [, mostWaves] = limits.wavesPerEU;
  const all = [
    { name: 'VGPR', now: vgprs, allows: st.occupancyWithNumVGPRs(Math.max(vgprs, 1), dyn) },
    { name: 'SGPR', now: outcome.sgpr, allows: st.occupancyWithNumSGPRs(Math.max(outcome.sgpr, 1)) },
    { name: 'LDS', now: outcome.ldsBytes ?? limits.ldsBytes, allows: ldsWaves(limits, outcome.ldsBytes ?? 0) },
    { name: 'work-group size', now: sizes[0] === sizes[1] ? sizes[1] : `${sizes[0]},${sizes[1]}`, allows: bySize },
    {
      name: 'amdgpu-waves-per-eu',
      now: fn.header.irFunction.attributes.get('amdgpu-waves-per-eu') ?? null,
      allows: mostWaves,
    },
    { name: 'hardware', now: null, allows: st.maxWavesPerEU },
  ] as const;
  const wanted = Math.min(...all.map((l) => l.allows), outcome.waves ?? Infinity) + 1;
  return all
    .filter((l) => l.name !== 'amdgpu-waves-per-eu' || l.now !== null)
    .map((l) => ({
      ...l,
      next: l.allows >= wanted || wanted > st.maxWavesPerEU ? null : mostFor(l.name, wanted, limits),
    }));
}

const ldsWaves = ({ subtarget, flatWorkGroupSizes: [min, max] }: FunctionLimits, bytes: number): number =>
  subtarget.occupancyWithWorkGroupSizes(bytes, min, max)[1];

/** The most of it with which so many waves fit, null where none does. */
function mostFor(name: LimitName, waves: number, limits: FunctionLimits): number | null {
  const { subtarget: st, dynamicVGPRBlockSize: dyn } = limits;
  switch (name) {
    case 'VGPR':
      return st.maxNumVGPRs(waves, dyn) || null;
    case 'SGPR':
      return Math.max(0, mostSGPRsFor(waves, limits)) || null;
    case 'LDS': {
      let [lo, hi] = [-1, limits.ldsBytes];
      while (lo + 1 < hi) {
        const mid = (lo + hi) >> 1;
        if (ldsWaves(limits, mid) >= waves) lo = mid;
        else hi = mid;
      }
      return lo < 0 ? null : lo;
    }
    default:
      return null;
  }
}

/** A unified file is one limit of two banks. */
function heldBy(
  limits: readonly Omit<WaveLimit, 'binds'>[],
  waves: number,
  isUnified: boolean,
  heldAt: (bank: BankName) => HeldAt | null,
): HeldAt[] {
  const files = limits.filter((l) => l.name === 'VGPR' || l.name === 'SGPR');
  const binding = files.filter((l) => l.allows === waves && l.next !== null);
  const banks = (binding.length > 0 ? binding : files.slice(0, 1)).flatMap((l): BankName[] =>
    l.name === 'SGPR' ? ['SGPR'] : isUnified ? ['VGPR', 'AGPR'] : ['VGPR'],
  );
  return banks.map(heldAt).filter((held) => held !== null);
}

// -- levers ---------------------------------------------------------------------------------------------------------

interface Tried {
  readonly change: LeverChange;
  readonly row: SweepRow;
}

function triedLevers({ sweep, functionName, settings, texts, rows, checkpoint, tried: report }: WhyQuestion): Tried[] {
  const tried: Tried[] = [];
  let done = 0;
  const add = (change: LeverChange, compute: () => SweepRow | null): void => {
    const row = rows === undefined ? compute() : (rows[done] ?? null);
    if (row !== null) tried.push({ change, row });
    done++;
    report?.(done, texts.length + settings.length);
  };
  for (const { change, text } of texts) add(change, () => sweep.of(text).row(AS_IN_FILE, checkpoint, functionName));
  for (const setting of settings) add({ kind: 'setting', setting }, () => sweep.row(setting, checkpoint, functionName));
  return tried;
}

/** The numbers by which rows are compared, less is better each. */
function costsOf({ outcome, spills, bankCopies }: FinishedRow): readonly number[] {
  const { vgprSaves, vgprRestores, sgprSaves, sgprRestores, inLoops } = spills;
  // Of a function that others start its registers count for their waves.
  const waves = outcome.waves === null ? (outcome.totalVgpr ?? outcome.vgpr) : -outcome.waves;
  return [waves, inLoops, vgprSaves + vgprRestores + sgprSaves + sgprRestores, bankCopies.inLoops];
}

/** Share of the length by the model that somebody would change a setting for. */
const LENGTH_GAIN = 0.05;

/** Fewer waves are no gain, whatever else is; more are one, at the cost that the row shows. */
function gainOf(present: FinishedRow, row: FinishedRow): 'better' | 'same' | 'worse' {
  const before = costsOf(present);
  const after = costsOf(row);
  for (const [k, cost] of after.entries()) if (cost !== before[k]) return cost < before[k]! ? 'better' : 'worse';
  const change = row.modelLength - present.modelLength;
  if (Math.abs(change) < LENGTH_GAIN * present.modelLength) return 'same';
  return change < 0 ? 'better' : 'worse';
}

/** Those that add spills in loops come after all others. */
function compareRows(present: FinishedRow, a: FinishedRow, b: FinishedRow): number {
  const addsSpills = (row: FinishedRow): number => Number(row.spills.inLoops > present.spills.inLoops);
  const [x, y] = [a, b].map((row) => [addsSpills(row), ...costsOf(row), row.modelLength, row.instructions]);
  for (const [k, cost] of x!.entries()) if (cost !== y![k]) return cost - y![k]!;
  return 0;
}

/** Of equal ones the smaller change. */
function sizeOf(lever: Lever): number {
  if (lever.kind === 'setting') return 0;
  return lever.kind === 'reorder' ? 1 : lever.registers.length;
}
