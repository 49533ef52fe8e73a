/**
 * "Why is the pressure N here?": the registers that make the number, grouped by when they are read next, those that live longest first,
 * each with its definition, its next use and whether it could be rematerialized. The weights of a bank add up to its number.
 */
import type { WhyGroupKind, WhyRegister, WhyGroup, WhyBank, WhyResult } from './whyResult.js';
import type { Position, Range } from 'vscode-languageserver-types';
import { liveAt } from '../../analysis/liveAt.js';
import { INSTR_DIST } from '../../analysis/slotIndexes.js';
import { Bank, PressureSummary } from '../../analysis/summary.js';
import {
  BundleFlag,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type BlockId,
  type Place,
} from '../../model/machineFunction.js';
import { InstrRoles } from '../../passes/scheduler/regions.js';
import { RegKind } from '../../target/index.js';
import { instrOnLine } from '../snapshot/locate.js';
import { BANKS, placeIn } from '../words/pressureText.js';
import { obstacleReason, placesText } from '../words/rematWords.js';
import { scheduleTarget } from '../schedule/schedule.js';
import { ELSEWHERE, type Elsewhere, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import { noPressure, whyText } from './whyText.js';
import type { VRegId } from '../../model/register.js';
import { nameOf } from '../words/registerNames.js';

export interface WhyParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

/** `amdgpuMir/why` */
export function provideWhy(snapshot: Snapshot, { position }: WhyParams): WhyResult | Elsewhere {
  const view = snapshot.functionAt(snapshot.text.offsetAt(position));
  const i = view ? instrOnLine(snapshot, view, position) : -1;
  if (view?.fn && i >= 0 && view.summary) {
    if (view.isLarge) return ELSEWHERE;
    const result = explainPressure(snapshot, view, view.fn, view.summary, i);
    return { ...result, report: whyText(snapshot, view, view.summary, i, result) };
  }
  return {
    function: view?.name ?? '',
    target: scheduleTarget(snapshot, view),
    range: null,
    place: '',
    banks: [],
    report: noPressure(snapshot, view, i),
  };
}

/** How many 32-bit registers of each bank are in each group; `null` = no registers. For a hover: O(block). */
export function groupWeights(summary: PressureSummary, i: InstrId): Map<Bank, Record<WhyGroupKind, number>> {
  const region = new RegionAround(summary, i);
  const weights = new Map<Bank, Record<WhyGroupKind, number>>();
  for (const { vreg, kind, weight } of liveAt(summary, i)) {
    const bank = bankOf(kind);
    const own = weights.get(bank) ?? { soon: 0, later: 0, through: 0 };
    own[region.groupOf(vreg)] += weight;
    weights.set(bank, own);
  }
  return weights;
}

function explainPressure(
  snapshot: Snapshot,
  view: FunctionView,
  fn: MachineFunction,
  summary: PressureSummary,
  i: InstrId,
): Omit<WhyResult, 'report'> {
  const region = new RegionAround(summary, i);
  const rows = new Map<string, Row>();
  for (const { vreg, kind, weight } of liveAt(summary, i)) {
    // lanes that go through and lanes that are defined are one register to a reader
    const key = `${vreg}:${kind}`;
    const known = rows.get(key);
    rows.set(key, { vreg, bank: bankOf(kind), weight: weight + (known?.weight ?? 0) });
  }
  const banks = BANKS.map(([bank, name]): WhyBank => {
    const own = [...rows.values()].filter((r) => r.bank === bank);
    const groups = GROUPS.map((kind): WhyGroup => {
      const members = own
        .filter((r) => region.groupOf(r.vreg) === kind)
        .map((r) => describe(snapshot, view, fn, summary, region, r))
        .sort((x, y) => y.lives - x.lives || y.weight - x.weight);
      return { kind, weight: members.reduce((n, r) => n + r.weight, 0), registers: members };
    });
    const pressure = PressureSummary.count(summary.up.at, bank, i);
    return { bank: name, pressure, groups: groups.filter((g) => g.registers.length > 0) };
  });
  return {
    function: view.name,
    target: scheduleTarget(snapshot, view),
    range: rangeOf(snapshot, view, i),
    place: placeIn(summary, i),
    banks: banks.filter((b) => b.pressure > 0),
  };
}

const GROUPS: readonly WhyGroupKind[] = ['soon', 'later', 'through'];

interface Row {
  readonly vreg: VRegId;
  readonly bank: Bank;
  readonly weight: number;
}

function bankOf(kind: number): Bank {
  if (kind === (RegKind.SGPR as number)) return Bank.SGPR;
  return kind === (RegKind.AGPR as number) ? Bank.AGPR : Bank.VGPR;
}

function rangeOf(snapshot: Snapshot, view: FunctionView, i: InstrId): Range | null {
  const range = i < 0 ? undefined : view.fn?.source?.instrRange(i);
  return range ? snapshot.rangeOf(view.start + range.start, view.start + range.end) : null;
}

/** The scheduling region of an instruction, with the boundary instruction that ends it, as places in the layout. */
class RegionAround {
  readonly at: number;
  readonly block: BlockId;
  private readonly from: number;
  /** after the last */
  private readonly to: number;

  constructor(
    private readonly summary: PressureSummary,
    readonly instr: InstrId,
  ) {
    const { fn, mentions } = summary;
    const roles = new InstrRoles(fn);
    let header = instr;
    while ((fn.bundle[header]! & BundleFlag.BundledPred) !== 0) header--;
    this.at = mentions.position[header]!;
    this.block = fn.instrBlock[instr]!;
    const isBoundary = (p: number): boolean => {
      const i = fn.order[p]!;
      return (fn.bundle[i]! & BundleFlag.BundledPred) === 0 && roles.isBoundary(i);
    };
    let from = this.at;
    while (from > fn.blockBegin[this.block]! && !isBoundary(from - 1)) from--;
    let to = this.at;
    while (to < fn.blockEnd[this.block]! && !isBoundary(to)) to++;
    this.from = from;
    this.to = Math.min(to + 1, fn.blockEnd[this.block]!);
  }

  groupOf(v: number): WhyGroupKind {
    const { fn, mentions } = this.summary;
    let isMentioned = false;
    for (let k = firstFrom(this.summary, v, this.from); k < mentions.begin[v + 1]!; k++) {
      const p = mentions.position[mentions.instrs[k]!]!;
      if (this.to <= p) break;
      isMentioned = true;
      if (this.at <= p && isRead(fn, mentions.operands[k]!)) return 'soon';
    }
    return isMentioned ? 'later' : 'through';
  }
}

const isRead = (fn: MachineFunction, o: number): boolean =>
  (fn.opFlags[o]! & (OpFlag.Def | OpFlag.Undef | OpFlag.Internal)) === 0;
const isDef = (fn: MachineFunction, o: number): boolean => (fn.opFlags[o]! & OpFlag.Def) !== 0;

/** The first mention of v at or after a place in the layout. O(log mentions) */
function firstFrom({ mentions }: PressureSummary, v: number, place: Place): number {
  let lo = mentions.begin[v]!;
  let hi = mentions.begin[v + 1]!;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (mentions.position[mentions.instrs[mid]!]! < place) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

function describe(
  snapshot: Snapshot,
  view: FunctionView,
  fn: MachineFunction,
  summary: PressureSummary,
  region: RegionAround,
  { vreg, weight }: Row,
): WhyRegister {
  const { mentions } = summary;
  const begin = mentions.begin[vreg]!;
  const end = mentions.begin[vreg + 1]!;
  const here = firstFrom(summary, vreg, region.at);
  let definition = -1;
  let nextUse = -1;
  let nDefinitions = 0;
  let isDefinedHere = false;
  for (let k = begin; k < end; k++) {
    const o = mentions.operands[k]!;
    const i = mentions.instrs[k]!;
    const isHere = mentions.position[i]! === region.at;
    if (isDef(fn, o)) {
      nDefinitions++;
      isDefinedHere ||= isHere;
      // the last one up to here wins; without one, the first after
      if (k < here || isHere || definition < 0) definition = i;
    } else if (isRead(fn, o) && (nextUse < 0 || (here <= k && mentions.position[nextUse]! < region.at))) nextUse = i;
  }
  const isAfter = nextUse >= 0 && fn.instrBlock[nextUse] === region.block && region.at <= mentions.position[nextUse]!;
  const verdict = view.remat?.candidates.of(vreg);
  const rc = fn.vregs.regClass[vreg]!;
  const lineOf = (i: InstrId): number => (rangeOf(snapshot, view, i)?.start.line ?? -1) + 1;
  return {
    register: nameOf(fn, vreg),
    weight,
    class: rc < 0 ? '' : fn.tables.regClassMirName(rc),
    definition: rangeOf(snapshot, view, definition),
    nDefinitions,
    isDefinedHere,
    nextUse: rangeOf(snapshot, view, nextUse),
    distance: isAfter ? mentions.position[nextUse]! - region.at : -1,
    nextUsePlace: nextUse < 0 ? '' : placeIn(summary, nextUse),
    lives: lifeLength(summary, vreg),
    isRematerializable: (verdict?.candidate ?? null) !== null,
    rematerialization: !verdict
      ? ''
      : verdict.candidate
        ? placesText(fn, verdict.candidate.groups, lineOf)
        : verdict.obstacle === 'not rematerializable'
          ? ''
          : obstacleReason(fn, verdict, view.remat!.candidates.defOf(vreg), lineOf),
  };
}

/** Instructions that the live range of a register covers. */
function lifeLength({ lis }: PressureSummary, v: number): number {
  const range = lis.mainRange[v]!;
  if (range < 0) return 0;
  let slots = 0;
  for (let s = lis.segBegin[range]!; s < lis.segBegin[range]! + lis.segCount[range]!; s++)
    slots += lis.segEnd[s]! - lis.segStart[s]!;
  return Math.round(slots / INSTR_DIST);
}
