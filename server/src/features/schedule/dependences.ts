/**
 * What the scheduler sees between the instruction under the cursor and the others of its region: predecessors and successors with
 * kind and latency.
 */
import type { Position, Range } from 'vscode-languageserver-types';
import type { InstrId, MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import { DEP_KIND_NAMES, isRegisterDep, isWeakDep } from '../../passes/scheduler/dag/graph.js';
import type { Dependence, InstrDependences } from '../../passes/scheduler/dependences.js';
import { NEVER_CANCELLED, type CancellationToken } from '../../util/cancellation.js';
import { instrOnLine } from '../snapshot/locate.js';
import { code, joined, lineLink, rich, type Markdown } from '../words/markdown.js';
import { noSchedule, scheduleTarget } from './schedule.js';
import { ELSEWHERE, type Elsewhere, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import { plural } from '../words/numbers.js';
import { nameOf } from '../words/registerNames.js';

export interface DependencesParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

/** One edge of the scheduling graph, seen from the instruction asked about. */
export interface DependenceInfo {
  /** the other instruction; null = the end of the block */
  readonly range: Range | null;
  /** LLVM's name: Data, Anti, Output, Barrier, MayAliasMem, MustAliasMem, Artificial, Weak, Cluster */
  readonly kind: string;
  /** cycles */
  readonly latency: number;
  /** register of a register edge as the text spells it, empty for the others */
  readonly register: string;
  /** the scheduler prefers the order, it is not bound to it */
  readonly weak: boolean;
}

export interface DependencesResult {
  readonly function: string;
  readonly target: string;
  /** the instruction under the cursor; null when there is none with dependences, see `why` */
  readonly range: Range | null;
  readonly why: string;
  /** an instruction stands there, if without dependences */
  readonly isInstruction: boolean;
  readonly region: number;
  /** of the instruction, cycles */
  readonly latency: number;
  readonly predecessors: readonly DependenceInfo[];
  readonly successors: readonly DependenceInfo[];
}

/** `amdgpuMir/dependences` */
export function provideDependences(
  snapshot: Snapshot,
  { position }: DependencesParams,
  token: CancellationToken,
): DependencesResult | Elsewhere | null {
  const view = snapshot.functionAt(snapshot.text.offsetAt(position));
  const i = view ? instrOnLine(snapshot, view, position) : -1;
  const none = (why: string): DependencesResult => ({
    function: view?.name ?? '',
    target: scheduleTarget(snapshot, view),
    range: null,
    why,
    isInstruction: i >= 0,
    region: -1,
    latency: 0,
    predecessors: [],
    successors: [],
  });
  if (snapshot.target.foreign !== '') return none(noSchedule(snapshot, view));
  if (!view?.fn || i < 0) return none('no instruction here');
  const state = view.dependencesOf(i, token);
  if (state.kind === 'cancelled') return null;
  if (state.kind === 'large') return ELSEWHERE;
  if (state.kind === 'none') {
    const { options } = snapshot.scheduleSetting;
    return none(noSchedule(snapshot, view, typeof options === 'string' ? options : ''));
  }
  const { found } = state;
  if (!found) return none('in no scheduling region: it bounds them, or is not scheduled');
  const info = (d: Dependence): DependenceInfo => dependenceInfo(snapshot, view, d);
  return {
    function: view.name,
    target: scheduleTarget(snapshot, view),
    range: instrRange(snapshot, view, i),
    why: '',
    isInstruction: true,
    region: found.region,
    latency: found.latencyCycles,
    predecessors: found.predecessors.map(info),
    successors: found.successors.map(info),
  };
}

function instrRange(snapshot: Snapshot, view: FunctionView, i: InstrId): Range | null {
  const range = i < 0 ? undefined : view.fn?.source?.instrRange(i);
  return range ? snapshot.rangeOf(view.start + range.start, view.start + range.end) : null;
}

function dependenceInfo(snapshot: Snapshot, view: FunctionView, d: Dependence): DependenceInfo {
  return {
    range: instrRange(snapshot, view, d.instr),
    kind: DEP_KIND_NAMES[d.kind] ?? '',
    latency: d.latencyCycles,
    register: isRegisterDep(d.kind) && view.fn ? registerText(view.fn, d.reg) : '',
    weak: isWeakDep(d.kind),
  };
}

const registerText = (fn: MachineFunction, reg: number): string =>
  isVirtualReg(reg) ? nameOf(fn, virtRegIndex(reg)) : `$${fn.tables.regName(reg)}`;

/** All of them as rows of plain text. */
export function dependenceRows(snapshot: Snapshot, view: FunctionView, found: InstrDependences): string[] {
  const row = (d: Dependence): string => {
    const { range, kind, register, latency, weak } = dependenceInfo(snapshot, view, d);
    const place = range ? `line ${range.start.line + 1}` : 'the end of the block';
    return `  ${place}: ${kind}${register && ` ${register}`}, ${plural(latency, 'cycle')}${weak ? ', weak' : ''}`;
  };
  return [
    ...(found.predecessors.length > 0 ? ['waits for, latencies of the model', ...found.predecessors.map(row)] : []),
    ...(found.successors.length > 0 ? ['waited for by, latencies of the model', ...found.successors.map(row)] : []),
  ];
}

/** A hover has room for this many on each side. */
const MAX_IN_HOVER = 3;

/** A line with links for the hover of an instruction; null where the graph is not quickly made, or has no edges here. */
export function dependenceLine(snapshot: Snapshot, view: FunctionView, i: InstrId): Markdown | null {
  const state = view.dependencesOf(i, NEVER_CANCELLED);
  if (state.kind !== 'ready' || !state.found) return null;
  const { found } = state;
  const sides = [
    sideText(snapshot, view, found, 'predecessors', 'waits for'),
    sideText(snapshot, view, found, 'successors', 'waited for by'),
  ].filter((side) => side !== null);
  return sides.length > 0 ? joined(sides, ' · ') : null;
}

function sideText(
  snapshot: Snapshot,
  view: FunctionView,
  found: InstrDependences,
  side: 'predecessors' | 'successors',
  words: string,
): Markdown | null {
  const infos = found[side].map((d) => dependenceInfo(snapshot, view, d));
  if (infos.length === 0) return null;
  // what binds longest comes first
  infos.sort((x, y) => Number(x.weak) - Number(y.weak) || y.latency - x.latency);
  const shown = infos.slice(0, MAX_IN_HOVER).map((d) => {
    const line = d.range ? d.range.start.line + 1 : 0;
    const place = line === 0 ? 'the end of the block' : lineLink(`line ${line}`, snapshot.uri, line - 1);
    return rich`${place} (${d.kind}${d.register === '' ? '' : rich` ${code(d.register)}`} ${d.latency})`;
  });
  const more = infos.length - shown.length;
  return rich`${words} ${joined(shown, ', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
