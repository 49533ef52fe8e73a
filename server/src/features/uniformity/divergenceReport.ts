/** "Why divergent" as text: the way from a register, or from a branch, back to the source, and what a V_READFIRSTLANE_B32 on the way would make uniform. Lines are named `line N`. */
import { opcodeTraits, OpcodeTrait } from '../../analysis/opcodeTraits.js';
import { readingFirstLane } from '../../analysis/uniformity/firstLane.js';
import { LaneValue, type LaneValues, type ReasonStep } from '../../analysis/uniformity/laneValues.js';
import { maskOrigin, maskReadBy } from '../../analysis/uniformity/maskOrigin.js';
import { CauseKind } from '../../analysis/uniformity/uniformity.js';
import { SourceKind } from '../../analysis/uniformity/instructionUniformity.js';
import type { BlockId, InstrId, MachineFunction } from '../../model/machineFunction.js';
import { oneLine } from '../../text/visible.js';
import { blockName, cycleName, laneSentences, laneWord, REPORT_STEPS, stepSentence, type Place } from './laneText.js';
import { plural } from '../words/numbers.js';
import { namesText, nameOf } from '../words/registerNames.js';

/** Registers of a chain whose first lane is tried; each is an analysis of the whole function. */
const MAX_TRIED = 8;
/** Blocks, registers and readers that are named. */
const MAX_ROWS = 40;

/** What a register is where instruction `user` reads it (-1: at its definition), and all that is known of why. */
export function registerReport(at: Place, lanes: LaneValues, v: number, user: InstrId): string[] {
  const { fn } = at;
  const name = oneLine(nameOf(fn, v));
  const def = lanes.uniformity.lastDefOf(v);
  const value = valueAt(lanes, v, user);
  const made = def < 0 ? 'never written' : `from line ${at.line(def) + 1}`;
  const where = user < 0 || user === def ? '' : `, where line ${at.line(user) + 1} reads it`;
  const rows = [`${name}, ${made}${where}: ${laneWord(value) || 'not known'}`];
  const sentences = laneSentences(fn, lanes, v, user, REPORT_STEPS).map((s) => at.plain(s));
  if (value === LaneValue.Uniform || value === LaneValue.LaneMask || value === LaneValue.Unknown) {
    rows.push(...sentences.map((s) => `  ${s}`));
    if (value === LaneValue.LaneMask) rows.push(...conditionRows(at, lanes, v));
  } else {
    const cycle = value === LaneValue.Temporal ? lanes.temporalCycle(v, fn.instrBlock[user]!) : -1;
    const steps =
      cycle < 0
        ? lanes.whyDivergent(v, REPORT_STEPS)
        : lanes.whyDivergentBranch(lanes.uniformity.exitBranch[cycle]!, REPORT_STEPS);
    rows.push('  why', ...sentences.map((s, k) => `    ${k + 1}. ${s}`), ...behindSource(at, lanes, steps));
    rows.push(...controlRows(at, lanes, steps));
    rows.push('  where it could be broken', ...breakRows(at, lanes, steps, v, user));
  }
  rows.push(...readerRows(at, lanes, v));
  return rows;
}

/** The branch at the end of a block: why lanes part there, and what follows. Empty if they do not. */
export function branchReport(at: Place, lanes: LaneValues, b: BlockId): string[] {
  const { fn } = at;
  const { uniformity } = lanes;
  if (!partsLanes(lanes, b)) return [];
  const steps = lanes.whyDivergentBranch(b, REPORT_STEPS);
  const [first] = steps;
  const found = uniformity.joinsOfBranch.get(b);
  const names = (blocks: readonly BlockId[]): string =>
    blocks
      .slice(0, MAX_ROWS)
      .map((x) => at.block(x))
      .join(', ');
  const rows = [`the branch at the end of ${blockName(fn, b)}, line ${at.line(first!.instr) + 1}: divergent`, '  why'];
  rows.push(...steps.map((_, k) => `    ${k + 1}. ${at.plain(stepSentence(fn, lanes, steps, k, false))}`));
  rows.push(...behindSource(at, lanes, steps));
  if (found && found.joins.length > 0)
    rows.push(`  lanes meet in ${names(found.joins)}: PHIs there that read different values are divergent`);
  uniformity.exitBranch.forEach((branch, cycle) => {
    if (branch === b)
      rows.push(
        `  lanes leave ${at.plain(cycleName(fn, lanes, cycle))} at different times: what it made is divergent after it`,
      );
  });
  uniformity.assumedBranch.forEach((branch, cycle) => {
    if (branch === b) rows.push(`  all that ${at.plain(cycleName(fn, lanes, cycle))} makes is taken to be divergent`);
  });
  rows.push('  where it could be broken', ...breakRows(at, lanes, steps, -1, -1, b));
  return rows;
}

/** Instructions of a body without blocks stand in none. */
export const partsLanes = (lanes: LaneValues, b: BlockId): boolean =>
  (lanes.fn.blocks[b]?.successors.length ?? 0) > 1 && lanes.uniformity.hasDivergentTerminator[b] === 1;

/** The function in a few lines: counts, each divergent branch, cycles that lanes leave at different times. */
export function functionReport(at: Place, lanes: LaneValues): string[] {
  const { fn } = at;
  const { uniformity } = lanes;
  const counts = new Map<LaneValue, number>();
  for (let v = 0; v < fn.vregs.n; v++)
    if (uniformity.lastDefOf(v) >= 0) counts.set(lanes.atDef(v), (counts.get(lanes.atDef(v)) ?? 0) + 1);
  const shown = [LaneValue.Uniform, LaneValue.Divergent, LaneValue.LaneMask, LaneValue.Unknown]
    .filter((value) => (counts.get(value) ?? 0) > 0)
    .map((value) => `${counts.get(value)!} ${laneWord(value) || 'not known'}`);
  const rows = [`registers: ${shown.join(', ') || 'none'}`];
  const temporal = lanes.temporalUses().length;
  if (temporal > 0) rows.push(`${plural(temporal, 'reader')} after cycles that lanes leave at different times`);
  const branches = [...fn.blocks.keys()].filter((b) => partsLanes(lanes, b));
  if (branches.length === 0) rows.push('no divergent branch');
  // Each report is several analyses of the function: only those that are shown are made.
  for (const b of branches.slice(0, MAX_ROWS)) rows.push('', ...branchReport(at, lanes, b));
  if (branches.length > MAX_ROWS) rows.push('', `${branches.length - MAX_ROWS} more divergent branches`);
  return rows;
}

/** PHIs of the chain that are divergent by what they read, and stand where lanes meet as well. */
function controlRows(at: Place, lanes: LaneValues, steps: readonly ReasonStep[]): string[] {
  const { fn } = at;
  return steps.flatMap(({ vreg, kind, instr }) => {
    if (vreg < 0 || kind === CauseKind.Join || !isPhi(fn, instr)) return [];
    const block = fn.instrBlock[instr]!;
    return [...lanes.uniformity.joinsOfBranch]
      .filter(([, { joins }]) => joins.includes(block))
      .map(([b]) => {
        const branch = lanes.whyDivergentBranch(b, 1)[0]!.instr;
        const parted = `lanes that parted at the end of ${blockName(fn, b)} (line ${at.line(branch) + 1})`;
        return `    ${oneLine(nameOf(fn, vreg))} is a PHI of ${at.block(block)}, where ${parted} meet`;
      });
  });
}

const isPhi = (fn: MachineFunction, i: InstrId): boolean =>
  (opcodeTraits(fn.tables)[fn.opcode[i]!]! & OpcodeTrait.Phi) !== 0;

// -- after the source ---------------------------------------------------------------------------------------------

/** LLVM's chain ends at a branch on a lane mask: what the mask was computed from. */
function behindSource(at: Place, lanes: LaneValues, steps: readonly ReasonStep[]): string[] {
  const mask = maskBehind(lanes, steps);
  return mask < 0 ? [] : [`       it reads the lane mask ${nameOf(at.fn, mask)}`, ...conditionRows(at, lanes, mask)];
}

function conditionRows(at: Place, lanes: LaneValues, mask: number): string[] {
  const { fn } = at;
  const origin = maskOrigin(lanes, mask);
  if (origin === null) return [`       nothing divergent goes into ${nameOf(fn, mask)}, as far as the function shows`];
  const path = origin.instrs.map((i) => `${fn.tables.opcodeName(fn.opcode[i]!)} (line ${at.line(i) + 1})`);
  const divergent = oneLine(nameOf(fn, origin.divergent));
  const sentences = laneSentences(fn, lanes, origin.divergent, -1, REPORT_STEPS).map((s) => at.plain(s));
  return [
    `       ${oneLine(nameOf(fn, mask))} comes from ${path.join(', which reads what comes from ')}, which reads ${divergent}`,
    ...sentences.map((s, k) => `       ${k === 0 ? `${divergent} is ${s}` : s}`),
  ];
}

// -- where it could be broken --------------------------------------------------------------------------------------

/** `v`: register asked for, read by `user`; -1: the branch at the end of `branch` is asked for. */
function breakRows(
  at: Place,
  lanes: LaneValues,
  steps: readonly ReasonStep[],
  v: number,
  user: InstrId,
  branch = -1,
): string[] {
  const { fn } = at;
  const rows: string[] = [];
  const registers = [...new Set([...(v >= 0 ? [v] : []), ...steps.map((s) => s.vreg).filter((r) => r >= 0)])];
  const mask = maskBehind(lanes, steps);
  const inMask = mask < 0 ? -1 : (maskOrigin(lanes, mask)?.divergent ?? -1);
  if (inMask >= 0 && !registers.includes(inMask)) registers.push(inMask);
  const read = fn.vregs.type.some((t) => t !== null) ? 'llvm.amdgcn.readfirstlane' : 'V_READFIRSTLANE_B32';
  for (const r of registers.slice(0, MAX_TRIED)) {
    const effect = readingFirstLane(lanes, r);
    if (effect === null) continue;
    const name = oneLine(nameOf(fn, r));
    const others = effect.registers.filter((x) => x !== v);
    const isUniform = v >= 0 && r !== v && valueAt(effect.lanes, v, user) === LaneValue.Uniform;
    const gained = [
      ...(isUniform ? [`${oneLine(nameOf(fn, v))} is uniform`] : []),
      ...(branch >= 0 && effect.branches.includes(branch) ? ['this branch is uniform'] : []),
      ...(others.length > 0
        ? [`${oneLine(namesText(fn, others))} ${others.length === 1 ? 'becomes' : 'become'} uniform`]
        : []),
      ...effect.branches
        .filter((b) => b !== branch)
        .slice(0, MAX_ROWS)
        .map((b) => `the branch at the end of ${at.block(b)} becomes uniform`),
      ...(inMask >= 0 && maskOrigin(effect.lanes, mask) === null
        ? [`${oneLine(nameOf(fn, mask))} is computed from uniform values, for a branch on SCC`]
        : []),
    ];
    const asked = v >= 0 && r !== v && !isUniform ? `${oneLine(nameOf(fn, v))} stays divergent` : '';
    const then = [...(asked === '' ? [] : [asked]), ...gained];
    rows.push(
      `    ${read} of ${name} (line ${at.line(lanes.uniformity.lastDefOf(r)) + 1}), which its readers take: ${then.join('; ') || 'nothing else becomes uniform'}`,
    );
  }
  rows.push(...steps.flatMap((step) => otherBreaks(at, lanes, step)));
  if (rows.length > 0)
    return [...rows, '    each is right only where all lanes have the same value, or where any lane will do'];
  return [`    nowhere: no register ${registers.length > 0 ? 'on the way has one definition' : 'is on the way'}`];
}

/** What a register is where instruction `user` reads it; -1: at its definition. */
const valueAt = (lanes: LaneValues, v: number, user: InstrId): LaneValue =>
  user < 0 ? lanes.atDef(v) : lanes.atUse(v, lanes.fn.instrBlock[user]!);

/** The lane mask of the branch at which a chain ends, -1 if it ends elsewhere. */
function maskBehind(lanes: LaneValues, steps: readonly ReasonStep[]): number {
  const last = steps.at(-1);
  return last?.kind === CauseKind.Source ? maskReadBy(lanes, last.instr) : -1;
}

/** What takes no first lane: a branch on SCC, a memory operand that says more. */
function otherBreaks(at: Place, lanes: LaneValues, { kind, vreg, instr }: ReasonStep): string[] {
  if (kind !== CauseKind.Source) return [];
  const line = `line ${at.line(instr) + 1}`;
  if (vreg < 0 && maskReadBy(lanes, instr) >= 0)
    return [
      `    a branch on SCC (S_CBRANCH_SCC1) in place of ${line}, where the condition is the same in all lanes: the branch is uniform`,
    ];
  switch (lanes.uniformity.judge.sourceOf(instr)?.kind) {
    case SourceKind.NoMemOperand:
      return [`    a memory operand at ${line} that names an address space other than flat and private`];
    case SourceKind.AddressSpace:
      return [`    a memory operand at ${line} in another address space than flat and private, where that is true`];
    default:
      return [];
  }
}

/** Readers for which the register is something else than at its definition. */
function readerRows(at: Place, lanes: LaneValues, v: number): string[] {
  const { fn } = at;
  const temporal = [...lanes.uniformity.usersOf(v)].filter(
    (i) => lanes.atUse(v, fn.instrBlock[i]!) === LaneValue.Temporal,
  );
  if (temporal.length === 0) return [];
  const lines = temporal.slice(0, MAX_ROWS).map((i) => `line ${at.line(i) + 1}`);
  return [`  read after its cycle, where it is divergent: ${lines.join(', ')}`];
}
