/**
 * What the machine scheduler computes on its way, a fact a line: every graph with latencies, depths and heights; limits, pressure, comparisons and
 * picks of every region. `oracleFacts` makes the same lines of what the oracle (`../shared/oracle`) reads out of the real llc 22.1.8.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { lowerFile } from '../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { printFunctionDocument } from '../../server/src/model/printer/index.js';
import { DEP_KIND_NAMES, NONE, SUnitFlag, type ScheduleGraph } from '../../server/src/passes/scheduler/dag/graph.js';
import { schedulerSetting } from '../../server/src/passes/scheduler/llcOptions.js';
import { moduleFactsOf } from '../../server/src/passes/scheduler/moduleFacts.js';
import { scheduleFunction, SchedulerProcessState } from '../../server/src/passes/scheduler/scheduleFunction.js';
import type {
  GCNScheduleDAGMILive,
  StageObserver,
} from '../../server/src/passes/scheduler/stages/gcnScheduleDAGMILive.js';
import { STAGE_NAMES } from '../../server/src/passes/scheduler/stages/stageEvents.js';
import {
  CAND_REASON_NAMES,
  NO_SET,
  type SchedCandidate,
} from '../../server/src/passes/scheduler/strategy/candidate.js';
import type { PickObserver } from '../../server/src/passes/scheduler/strategy/gcnSchedStrategy.js';
import { pressureTrace } from '../../server/src/passes/scheduler/trace/pressureTrace.js';
import { targetOfFile } from '../../server/src/program/targetOfFile.js';
import { TestFile } from '../../server/src/program/testFile/testFile.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';
import { runLlc } from './llc.js';

/** What an instruction that the scheduler made is called. */
const MADE = 'new';

/** A text with a RUN line, and what there is to know of its schedule by LLVM. */
export interface KnownFacts {
  readonly text: string;
  readonly facts: string;
}

const FACTS = join(__dirname, '..', 'golden', 'schedulerFacts');

export const factFiles = (): string[] => readdirSync(FACTS).sort();

export function readFacts(file: string): KnownFacts[] {
  return JSON.parse(brotliDecompressSync(readFileSync(join(FACTS, file))).toString('utf8')) as KnownFacts[];
}

export function writeFacts(file: string, known: readonly KnownFacts[]): void {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(join(FACTS, file), brotliCompressSync(Buffer.from(JSON.stringify(known)), { params }));
}

const argsOf = (text: string): string[] =>
  /^# RUN: llc (.*)$/m
    .exec(text)![1]!
    .split(' ')
    .filter((a) => a !== '%s');

/** What the oracle and llc-22 say of a text; null where one of them refuses it. */
export function askLlvm(oracle: string, text: string): string | null {
  const args = argsOf(text).filter((a) => !a.startsWith('-run-pass'));
  const folder = mkdtempSync(join(tmpdir(), 'facts-'));
  const path = join(folder, 'text.mir');
  const ask = (mode: string, option: string): OracleOutput | null => {
    const run = spawnSync(oracle, [mode, path, ...args, option], {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      timeout: 30_000,
    });
    return run.status === 0 ? (JSON.parse(run.stdout) as OracleOutput) : null;
  };
  try {
    writeFileSync(path, text);
    const dag = hasGraphs(args) ? ask('dag', '-oracle-all-stages') : { functions: [] };
    const trace = isWatched(args) ? ask('trace', '-oracle-candidates') : { functions: [] };
    const { status, stdout } = runLlc([...argsOf(text), '-o', '-', '-x', 'mir'], text);
    if (dag === null || trace === null || status !== 0) return null;
    return [...oracleFacts(dag, trace, isGeneric(args)), ...resultOf(stdout)].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** LLVM's schedulers for every target; they put the predecessor on the critical path first. */
const isGeneric = (args: readonly string[]): boolean => /misched=(?:converge|ilpm)/.test(args.join(' '));
const hasGraphs = (args: readonly string[]): boolean => isWatched(args) || isGeneric(args);

/** Only of GCN's list schedulers the oracle has more than the result. */
const isWatched = (args: readonly string[]): boolean => !/iterative|=converge|=ilpm/.test(args.join(' '));

/** Instructions and occupancy of a printed function. */
const resultOf = (printed: string): string[] =>
  printed
    .split(/^(?=---)/m)
    .filter((document) => /^---\nname:/.test(document))
    .flatMap((document) => [
      /^ {2}occupancy: +\d+/m.exec(document)?.[0] ?? '',
      ...document
        .slice(document.search(/^body:/m))
        .split('\n')
        .filter((l) => l.trim() !== ''),
    ]);

/** Facts of all functions of a text, whose RUN line has the options. */
export function schedulerFacts(text: string): string[] {
  const target = targetOfFile(new TestFile(text), { triple: 'amdgcn-amd-amdhsa', cpu: '', features: '' });
  const model = lowerFile(parseMirFile(new SourceText(text), new Interner()), target);
  if (model.diagnostics.length > 0) throw new Error(model.diagnostics[0]!.message);
  const setting = schedulerSetting(argsOf(text));
  if (typeof setting === 'string') throw new Error(setting);
  const module = moduleFactsOf(text, model.ir);
  const process = new SchedulerProcessState();
  const results: string[] = [];
  const facts = model.functions.flatMap(({ fn }) => {
    if (fn === null) throw new Error('no function');
    const facts = new FactsOf(fn, isGeneric(argsOf(text)));
    const onGraph = (graph: ScheduleGraph): void => facts.graph(graph);
    const args = argsOf(text);
    const { fn: scheduled } = scheduleFunction(
      fn,
      hasGraphs(args) ? { ...setting, onGraph } : setting,
      process,
      module,
      facts,
    );
    results.push(...resultOf(printFunctionDocument(scheduled, {})));
    return hasGraphs(args) ? facts.lines() : [];
  });
  return [...facts, ...results];
}

/** Nothing of a function without regions. */
const tidy = (name: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`function ${name}`, ...lines.map((l) => l.trimEnd())];

/** Numbers of clusters in the order of their first members. */
class Clusters {
  private readonly known = new Map<number, number>([[NONE, NONE]]);

  of(cluster: number): number {
    const n = this.known.get(cluster) ?? this.known.size - 1;
    this.known.set(cluster, n);
    return n;
  }
}

class FactsOf implements StageObserver {
  private readonly graphs: string[] = [];
  private readonly decisions: string[] = [];
  private dag: GCNScheduleDAGMILive | null = null;
  private compared: string[] = [];

  constructor(
    private readonly fn: MachineFunction,
    private readonly sorts: boolean,
  ) {}

  lines(): string[] {
    return tidy(this.fn.header.name, [...this.graphs, ...this.decisions]);
  }

  private name(i: number): string {
    return i < 0 ? 'exit' : i < this.fn.nInstrs ? String(i) : MADE;
  }

  private register(reg: number): string {
    return reg < 0 ? `%${~reg}` : reg === 0 ? '' : `$${this.fn.subtarget.tables.regName(reg).toLowerCase()}`;
  }

  graph(g: ScheduleGraph): void {
    const edges = (first: Int32Array, next: Int32Array, other: Int32Array, n: number): string => {
      const out: string[] = [];
      for (let e = first[n]!; e !== NONE; e = next[e]!) {
        const end = other[e]! === g.exitSU ? 'exit' : this.name(g.instr[other[e]!]!);
        out.push(`${end} ${DEP_KIND_NAMES[g.edgeKind[e]!]} ${this.register(g.edgeReg[e]!)} ${g.edgeLatencyCycles[e]}`);
      }
      return (this.sorts ? out.sort() : out).join(', ');
    };
    this.graphs.push('graph');
    const clusters = new Clusters();
    for (let n = 0; n <= g.nSUnits; n++) {
      const name = n === g.exitSU ? 'exit' : this.name(g.instr[n]!);
      const flags = (['HasReservedResource', 'IsUnbuffered', 'HasPhysRegDefs', 'HasPhysRegUses'] as const)
        .filter((_, k) => (g.flags[n]! & (1 << k)) !== 0)
        .sort()
        .join(' ');
      const numbers = [
        g.latencyCycles[n],
        g.depth(n),
        g.height(n),
        g.numPreds[n],
        g.numSuccs[n],
        g.numPredsLeft[n],
        g.numSuccsLeft[n],
        g.weakPredsLeft[n],
        g.weakSuccsLeft[n],
        clusters.of(g.parentCluster[n]!),
      ].join(' ');
      this.graphs.push(n === g.exitSU ? name : `${name}: ${numbers} ${flags}`);
      this.graphs.push(`  from ${edges(g.firstPred, g.nextPred, g.edgePred, n)}`);
      this.graphs.push(`  to ${edges(g.firstSucc, g.nextSucc, g.edgeSucc, n)}`);
    }
  }

  begin(dag: GCNScheduleDAGMILive): void {
    this.dag = dag;
  }

  stage(kind: number, ran: boolean): void {
    this.decisions.push(`stage ${STAGE_NAMES[kind]} ${ran} ${this.dag!.minOccupancy} ${this.dag!.ctx.mfi.occupancy}`);
  }

  skipped(_kind: number, region: number): void {
    this.decisions.push(`${region} skipped`);
  }

  picks(): PickObserver {
    const out: string[] = (this.compared = []);
    let instr: Int32Array;
    return {
      begin: (_strategy, graph) => {
        instr = graph.instr.slice(0, graph.nSUnits);
      },
      onPick: (node, atTop, reason, cycle) => {
        out.push(`pick ${this.name(instr[node]!)} ${atTop ? 'T' : 'B'} ${CAND_REASON_NAMES[reason]} ${cycle}`);
      },
      onCompare: (best, tried, zone, won, byPendingRules) => {
        // LLVM's rules for a pending queue are functions that the oracle does not see.
        if (!best.isValid || byPendingRules) return;
        const delta = (c: SchedCandidate): string =>
          [
            [c.excessSet, c.excessUnits],
            [c.criticalSet, c.criticalUnits],
            [c.currentMaxSet, c.currentMaxUnits],
          ]
            .map(([set, units]) => (set === NO_SET ? '' : `${set} ${units}`))
            .join(',');
        const of = (c: SchedCandidate): string =>
          `${this.name(instr[c.node]!)} ${CAND_REASON_NAMES[c.reason]} ${delta(c)}`;
        out.push(`${zone === null ? '-' : zone.isTop ? 'T' : 'B'} ${won} ${of(best)} | ${of(tried)}`);
      },
    };
  }

  region(e: Parameters<Required<StageObserver>['region']>[0]): void {
    const l = e.limits;
    const numbers = (p: typeof e.before): string => {
      const t = pressureTrace(p);
      return [
        t.sgpr,
        t.vgpr,
        t.agpr,
        t.avgpr,
        t.sgprTupleWeight,
        t.vgprTupleWeight,
        t.agprTupleWeight,
        t.avgprTupleWeight,
      ].join(' ');
    };
    this.decisions.push(
      `${e.region}: ${numbers(e.before)}, ${numbers(e.after)}`,
      `${e.targetOccupancy} ${l.sgprCritical} ${l.vgprCritical} ${l.sgprExcess} ${l.vgprExcess}`,
      `${e.hasHighPressure} ${e.checked} ${e.reverted !== null} ${e.minOccupancyAfter}`,
      ...this.compared,
      `order ${e.order.map((i) => this.name(i)).join(' ')}`,
    );
  }
}

type OracleNode = number | string | { readonly copy_of: number };
type OracleEdge = readonly [node: OracleNode, kind: string, register: string | null, latency: number];
type Delta = readonly (readonly [set: number, units: number] | null)[];

interface OracleUnit {
  readonly node: OracleNode;
  readonly latency: number;
  readonly depth: number;
  readonly height: number;
  readonly num_preds: number;
  readonly num_succs: number;
  readonly preds_left: number;
  readonly succs_left: number;
  readonly weak_preds_left: number;
  readonly weak_succs_left: number;
  readonly flags?: readonly string[];
  readonly cluster?: number | null;
  readonly preds: readonly OracleEdge[];
  readonly succs: readonly OracleEdge[];
}

interface OracleRegion {
  readonly region: number;
  readonly scheduled: boolean;
  readonly before?: Readonly<Record<string, number>>;
  readonly after?: Readonly<Record<string, number>>;
  readonly limits?: Readonly<Record<string, number>>;
  readonly high_pressure_seen?: boolean;
  readonly reverted?: boolean;
  readonly min_occupancy_after?: number;
  readonly order?: readonly (number | object)[];
  readonly picks?: readonly (readonly [node: OracleNode, side: string, reason: string, cycle: number])[];
  readonly candidates?: readonly (readonly [
    pick: number,
    zone: string,
    best: OracleNode | null,
    tried: OracleNode,
    won: boolean,
    bestReason: string,
    triedReason: string,
    bestDelta: Delta | null,
    triedDelta: Delta,
    cycle: number,
  ])[];
}

/** What the oracle prints with `dag -oracle-all-stages`, and with `trace -oracle-candidates`. */
interface OracleOutput {
  readonly functions: readonly {
    readonly function: string;
    readonly dags?: readonly { readonly sunits: readonly OracleUnit[]; readonly exit: OracleUnit }[];
    readonly stages?: readonly {
      readonly stage: string;
      readonly ran: boolean;
      readonly min_occupancy_out: number;
      readonly func_occupancy_out: number;
      readonly regions: readonly OracleRegion[];
    }[];
  }[];
}

const nameOf = (n: OracleNode): string => (typeof n === 'object' ? MADE : String(n));

function oracleFacts(dag: OracleOutput, trace: OracleOutput, sorts: boolean): string[] {
  const edge = ([node, kind, register, latency]: OracleEdge): string =>
    `${nameOf(node)} ${kind} ${register ?? ''} ${latency}`;
  const edges = (list: readonly OracleEdge[]): string => (sorts ? list.map(edge).sort() : list.map(edge)).join(', ');
  const graph = ({ sunits, exit }: { readonly sunits: readonly OracleUnit[]; readonly exit: OracleUnit }): string[] => {
    const clusters = new Clusters();
    return [
      'graph',
      ...[...sunits, exit].flatMap((u) => [
        u === exit
          ? 'exit'
          : `${nameOf(u.node)}: ${[
              u.latency,
              u.depth,
              u.height,
              u.num_preds,
              u.num_succs,
              u.preds_left,
              u.succs_left,
              u.weak_preds_left,
              u.weak_succs_left,
              clusters.of(u.cluster ?? NONE),
            ].join(' ')} ${(u.flags ?? [])
              .map((x) => x[0]!.toUpperCase() + x.slice(1))
              .filter((x) => x in SUnitFlagNames)
              .sort()
              .join(' ')}`,
        `  from ${edges(u.preds)}`,
        `  to ${edges(u.succs)}`,
      ]),
    ];
  };
  return dag.functions.flatMap((f, k) =>
    tidy(f.function, [
      ...(f.dags ?? []).flatMap(graph),
      ...(trace.functions[k]?.stages ?? []).flatMap((s) => [
        ...(s.ran ? s.regions.flatMap(oracleRegion) : []),
        `stage ${s.stage} ${s.ran} ${s.min_occupancy_out} ${s.func_occupancy_out}`,
      ]),
    ]),
  );
}

const SUnitFlagNames = {
  HasReservedResource: SUnitFlag.HasReservedResource,
  IsUnbuffered: SUnitFlag.IsUnbuffered,
  HasPhysRegDefs: SUnitFlag.HasPhysRegDefs,
  HasPhysRegUses: SUnitFlag.HasPhysRegUses,
};

function oracleRegion(r: OracleRegion): string[] {
  const l = r.limits;
  if (!r.scheduled || r.before === undefined || r.after === undefined || l === undefined)
    return [`${r.region} skipped`];
  const numbers = (p: Readonly<Record<string, number>>): string =>
    [
      p.sgpr,
      p.vgpr,
      p.agpr,
      p.avgpr,
      p.sgpr_tuple_weight,
      p.vgpr_tuple_weight,
      p.agpr_tuple_weight,
      p.avgpr_tuple_weight,
    ].join(' ');
  const delta = (d: Delta | null): string => (d ?? []).map((x) => (x === null ? '' : `${x[0]} ${x[1]}`)).join(',');
  const steps: string[] = [];
  const compared = [...(r.candidates ?? [])];
  (r.picks ?? []).forEach(([node, side, reason, cycle], k) => {
    while (compared.length > 0 && compared[0]![0] === k) {
      const [, zone, best, tried, won, bestReason, triedReason, bestDelta, triedDelta] = compared.shift()!;
      if (best === null) continue;
      steps.push(
        `${zone} ${won} ${nameOf(best)} ${bestReason} ${delta(bestDelta)} | ${nameOf(tried)} ${triedReason} ${delta(triedDelta)}`,
      );
    }
    steps.push(`pick ${nameOf(node)} ${side} ${reason} ${cycle}`);
  });
  return [
    `${r.region}: ${numbers(r.before)}, ${numbers(r.after)}`,
    `${l.target_occupancy} ${l.sgpr_critical} ${l.vgpr_critical} ${l.sgpr_excess} ${l.vgpr_excess}`,
    `${r.high_pressure_seen} ${r.reverted !== undefined} ${r.reverted === true} ${r.min_occupancy_after}`,
    ...steps,
    `order ${(r.order ?? []).map((i) => (typeof i === 'number' ? i : 'id' in i ? (i as { id: number }).id : MADE)).join(' ')}`,
  ];
}
