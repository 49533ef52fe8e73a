/** The decisions of the register allocator as text. */
import type { InstrId, MachineFunction } from '../../../model/machineFunction.js';
import type { PhysReg } from '../../../target/api.js';
import type { RunFilter } from '../runFilter.js';
import type { SplitKind } from '../watch.js';
import type { CandidateTrace, LifePart, PickTrace, StepTrace } from './allocationTrace.js';
import type { AllocatedFunction } from './collector.js';

/** How instructions and registers of the source are named. */
export interface AllocationLabels {
  /** 1-based, 0 = none */
  line(i: InstrId): number;
  /** `%5`, `%name` */
  vreg(v: number): string;
}

const RUN_WORDS: Readonly<Record<RunFilter, string>> = {
  sgpr: 'SGPR',
  wwm: 'whole-wave',
  vgpr: 'VGPR',
  all: 'all',
};

const SPLIT_WORDS: Readonly<Record<SplitKind, string>> = {
  region: 'around a region (region split)',
  hint: 'around a region where the register of a copy is free (hint split)',
  csr: 'so that no callee-saved register is needed (region split)',
  block: 'in single blocks (block split)',
  local: 'inside its block (local split)',
  instruction: 'around single instructions (instruction split)',
};

/** Names of registers: what was split off `%5` is `%5#1`, `%5#2`; lanes that SGPRs are spilled to are `%lane#1`. */
export class RegisterNames {
  private readonly names = new Map<number, string>();
  /** the register of the source that a part belongs to, -1 = none */
  private readonly origins = new Map<number, number>();

  constructor(
    { runs, nVRegs }: AllocatedFunction,
    private readonly fn: MachineFunction,
    labels: AllocationLabels,
  ) {
    for (let v = 0; v < nVRegs; v++) this.names.set(v, labels.vreg(v));
    const parts = new Map<number, number>();
    const parents = new Map<number, number>();
    for (const run of runs) for (const [part, parent] of run.parents) parents.set(part, parent);
    for (const part of [...parents.keys()].sort((a, b) => a - b)) {
      const from = parents.get(part)!;
      const n = (parts.get(from) ?? 0) + 1;
      parts.set(from, n);
      this.origins.set(part, from);
      this.names.set(part, `${this.names.get(from) ?? '%lane'}#${n}`);
    }
  }

  of(v: number): string {
    return this.names.get(v) ?? `%lane#${v}`;
  }

  originOf(v: number): number {
    return this.origins.get(v) ?? v;
  }

  phys(reg: PhysReg): string {
    return `$${this.fn.tables.regName(reg)}`;
  }
}

export interface TraceTextOptions {
  /** index of a register of the source: only what concerns it; null = everything */
  readonly vreg: number | null;
  readonly labels: AllocationLabels;
}

export function printAllocationTrace(allocated: AllocatedFunction, { vreg, labels }: TraceTextOptions): string {
  const names = new RegisterNames(allocated, allocated.fn, labels);
  const out: string[] = [];
  for (const run of allocated.runs) {
    const picks = run.picks.filter((p) => vreg === null || concerns(p, vreg, names));
    if (vreg !== null && picks.length === 0) continue;
    out.push(`${RUN_WORDS[run.run]} run: ${count(run.picks.length, 'pick')}`);
    if (run.csrCost > 0) out.push(`  the first use of a callee-saved register costs ${number(run.csrCost)}`);
    for (const pick of picks) for (const line of pickLines(pick, names, labels)) out.push(`  ${line}`);
    for (const { vreg: v, from, to } of run.moves)
      if (vreg === null || names.originOf(v) === vreg)
        out.push(`  ${names.of(v)}: moves from ${names.phys(from)} to ${names.phys(to)}, where its copies vanish`);
    out.push('');
  }
  return out.join('\n');
}

function concerns(pick: PickTrace, vreg: number, names: RegisterNames): boolean {
  if (names.originOf(pick.vreg) === vreg) return true;
  return pick.steps.some((s) => s.kind === 'evict' && s.victims.some((x) => names.originOf(x.vreg) === vreg));
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
const number = (x: number): string => String(Number(x.toPrecision(4)));
const weightText = (weight: number | null): string =>
  weight === null ? 'must not be spilled' : `weight ${number(weight)}`;

/** Steps of a pick that are told; a last chance may try hundreds of thousands of ways. */
const MAX_STEPS = 200;

function pickLines(pick: PickTrace, names: RegisterNames, labels: AllocationLabels): string[] {
  const head = `${names.of(pick.vreg)} (${pick.regClass}, ${weightText(pick.weight)}, stage ${pick.stage})`;
  const lines = pick.steps.slice(0, MAX_STEPS).flatMap((s) => stepLines(s, names, labels));
  if (pick.steps.length > MAX_STEPS) lines.push(`and ${count(pick.steps.length - MAX_STEPS, 'step')} more`);
  if (pick.outcome === 'gone') return [`${head}: has no uses any more`];
  const what = outcomeText(pick, names);
  const taken = pick.candidates.filter((c) => c.verdict !== 'free');
  const tried = taken.length === 0 ? [] : candidateLines(taken, pick.nTried, names);
  return [`${head}: ${what}`, ...[...tried, ...lines].map((line) => `  ${line}`)];
}

function outcomeText(pick: PickTrace, names: RegisterNames): string {
  const evicts = pick.steps.some((s) => s.kind === 'evict');
  const isHint = pick.candidates.some((c) => c.isHint && c.reg === pick.reg);
  switch (pick.outcome) {
    case 'assigned':
      return `${names.phys(pick.reg)}${isHint ? ', as its copy would like' : ''}${evicts ? ', taken from others' : ''}`;
    case 'put off':
      return 'nothing is free: it waits for the second round, in which it may be split';
    case 'split':
      return `split into ${pick.made.map((v) => names.of(v)).join(', ')}`;
    case 'spilled':
      return pick.steps.some((s) => s.kind === 'spill') ? 'spilled' : 'computed again at its uses';
    default:
      return 'no register can be found: llc reports an error';
  }
}

const MAX_SHOWN = 6;

/** `not free: $vgpr0 (%7), $vgpr1 (%9), ... 12 more` */
function candidateLines(taken: readonly CandidateTrace[], nTried: number, names: RegisterNames): string[] {
  const shown = taken.slice(0, MAX_SHOWN).map((c) => {
    const who =
      c.verdict === 'call'
        ? 'a call overwrites it'
        : c.verdict === 'fixed'
          ? 'the code uses it'
          : c.owners.map((v) => names.of(v)).join(' ');
    return `${names.phys(c.reg)} (${who})`;
  });
  const more = nTried - shown.length - (taken.length < nTried ? 1 : 0);
  return [`not free: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

function stepLines(step: StepTrace, names: RegisterNames, labels: AllocationLabels): string[] {
  switch (step.kind) {
    case 'evict': {
      const victims = step.victims.map((x) => `${names.of(x.vreg)} (${weightText(x.weight)})`);
      return [`evicts ${victims.join(', ')} from ${names.phys(step.reg)}${step.isHint ? ', for a copy' : ''}`];
    }
    case 'recolor': {
      const owners = step.owners.map((v) => names.of(v)).join(', ');
      return [`last chance: ${names.phys(step.reg)} for ${names.of(step.vreg)}, if ${owners} can go elsewhere`];
    }
    case 'split': {
      const reg = step.reg === 0 ? '' : `, for ${names.phys(step.reg)}`;
      const cost = step.cost === null ? '' : `; its copies cost ${number(step.cost)}`;
      return [`split ${SPLIT_WORDS[step.how]}${reg}${cost}`];
    }
    case 'spill':
      return [`spilled to %stack.${step.slot}: ${step.together.map((v) => names.of(v)).join(', ')}`];
    default: {
      const [def, use] = [labels.line(step.def), labels.line(step.use)];
      const at = use > 0 ? ` at line ${use}` : '';
      return [`computed again${at}, as ${def > 0 ? `line ${def}` : 'its definition'} does`];
    }
  }
}

/** `$vgpr12 from line 12 to line 40`, `%stack.2 from line 40 to line 63`: where a register of the source is, part by part. */
export function partText(part: LifePart, { tables }: MachineFunction, line: (i: InstrId) => number): string {
  const where = part.reg > 0 ? `$${tables.regName(part.reg)}` : `%stack.${part.slot}`;
  const spans = part.spans.map(({ from, to }) => {
    const [a, b] = [line(from), line(to)];
    return a === b ? `at line ${a}` : `from line ${a} to line ${b}`;
  });
  const shown = spans.slice(0, MAX_SHOWN).join(', ');
  const more = spans.length > MAX_SHOWN ? ` and ${spans.length - MAX_SHOWN} more` : '';
  return spans.length === 0 ? `${where} between inserted instructions` : `${where} ${shown}${more}`;
}
