/** What registers and branches are to the lanes of a wave, in words: with links for hovers, as plain rows for reports. */
import { SourceKind, ValueBank } from '../../analysis/uniformity/instructionUniformity.js';
import type { ExecRegion } from '../../analysis/uniformity/execRegions.js';
import { regionFrom, regionsAround } from './execLines.js';
import { changesExec, execChanges, ExecChange } from '../../analysis/uniformity/execChanges.js';
import { LaneValue, type LaneValues, type ReasonStep } from '../../analysis/uniformity/laneValues.js';
import { CauseKind } from '../../analysis/uniformity/uniformity.js';
import { OperandKind, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isEntryFunctionCC } from '../../model/functionLimits.js';
import { isVirtualReg } from '../../model/register.js';
import { oneLine } from '../../text/visible.js';
import { code, commandLink, joined, lineLink, rich, type Markdown } from '../words/markdown.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { WHY_DIVERGENT_COMMAND } from '../words/viewCommands.js';
import { plural } from '../words/numbers.js';
import { nameOf } from '../words/registerNames.js';

/** A piece of a sentence: text, something of the file, the line of an instruction. */
type Piece = string | { readonly code: string } | { readonly at: InstrId };
export type Sentence = readonly Piece[];

/** Steps of a chain of reasons in a hover, and in a report. */
const HOVER_STEPS = 4;
export const REPORT_STEPS = 200;

const WORDS: Readonly<Record<LaneValue, string>> = {
  [LaneValue.Unknown]: '',
  [LaneValue.Uniform]: 'uniform',
  [LaneValue.Divergent]: 'divergent',
  [LaneValue.LaneMask]: 'lane mask',
  [LaneValue.Temporal]: 'divergent here',
};

/** `uniform`, `divergent`, `lane mask`; empty where it is not known. */
export const laneWord = (value: LaneValue): string => WORDS[value];

/** Where a sentence stands, to name lines. */
export class Place {
  constructor(
    readonly fn: MachineFunction,
    readonly uri: string,
    /** 0-based line of an offset in the function's document */
    private readonly lineOf: (offset: number) => number,
  ) {}

  /** 0-based line of an instruction, -1 if it has none */
  line(i: InstrId): number {
    const { source } = this.fn;
    return source === null || i < 0 ? -1 : this.lineOf(source.instrRange(i).start);
  }

  markdown(sentence: Sentence): Markdown {
    const parts = sentence.map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('code' in piece) return code(piece.code);
      const line = this.line(piece.at);
      return line < 0 ? 'an instruction' : lineLink(`line ${line + 1}`, this.uri, line);
    });
    return joined(parts, '');
  }

  /** `bb.3 (line 45)`, as reports say it. */
  block(b: BlockId): string {
    const label = this.fn.source?.blockLabelRange(b);
    return `${blockName(this.fn, b)}${label ? ` (line ${this.lineOf(label.start) + 1})` : ''}`;
  }

  plain(sentence: Sentence): string {
    return sentence
      .map((piece) => {
        if (typeof piece === 'string') return piece;
        return 'code' in piece ? oneLine(piece.code) : `line ${this.line(piece.at) + 1}`;
      })
      .join('');
  }
}

export function placeOfLanes({ uri, text }: Snapshot, { fn, start }: FunctionView): Place | null {
  return fn && new Place(fn, uri, (offset) => text.lineAt(start + offset));
}

// -- registers -----------------------------------------------------------------------------------------------------

/** What a register is where instruction `user` reads it (-1: at its definition), and why. Null where nothing is known. */
export function laneLine(snapshot: Snapshot, view: FunctionView, v: number, user: InstrId): Markdown | null {
  const at = placeOfLanes(snapshot, view);
  const { lanes } = view;
  if (!at || !lanes) return null;
  const sentences = laneSentences(at.fn, lanes, v, user, HOVER_STEPS);
  return sentences.length === 0
    ? null
    : joined(
        sentences.map((s) => at.markdown(s)),
        '; ',
      );
}

/** The same as rows, the whole chain. */
export function laneRows(snapshot: Snapshot, view: FunctionView, v: number, user: InstrId): string[] {
  const at = placeOfLanes(snapshot, view);
  const { lanes } = view;
  if (!at || !lanes) return [];
  return laneSentences(at.fn, lanes, v, user, REPORT_STEPS).map((s, k) => `${k === 0 ? '' : '  '}${at.plain(s)}`);
}

/** One sentence for each step back to the source; empty where nothing is known. `user`: -1 = at the definition. */
export function laneSentences(
  fn: MachineFunction,
  lanes: LaneValues,
  v: number,
  user: InstrId,
  limit: number,
): Sentence[] {
  const value = user < 0 ? lanes.atDef(v) : lanes.atUse(v, fn.instrBlock[user]!);
  switch (value) {
    case LaneValue.Divergent: {
      const steps = lanes.whyDivergent(v, limit);
      const nDefs = lanes.uniformity.numDefs(v);
      const rule = `not in SSA form: one of the ${nDefs} instructions that write it is enough`;
      return [
        ['divergent: ', ...stepSentence(fn, lanes, steps, 0, true)],
        ...steps.slice(1).map((_, k) => stepSentence(fn, lanes, steps, k + 1, false)),
        ...(nDefs > 1 ? [[rule]] : []),
      ];
    }
    case LaneValue.Temporal: {
      const cycle = lanes.temporalCycle(v, fn.instrBlock[user]!);
      const branch = lanes.uniformity.exitBranch[cycle]!;
      const steps = lanes.whyDivergentBranch(branch, limit - 1);
      return [
        ['uniform in ', ...cycleName(fn, lanes, cycle), ', divergent here: lanes leave that at different times'],
        ...steps.map((_, k) => stepSentence(fn, lanes, steps, k, false)),
      ];
    }
    case LaneValue.LaneMask:
      return [['lane mask: a bit for each lane']];
    case LaneValue.Uniform: {
      const why = whyUniform(fn, lanes, v);
      return why === null ? [] : [['uniform: ', ...why]];
    }
    default:
      return lanes.uniformity.numDefs(v) > 1 ? [[notInSSA(lanes.uniformity.numDefs(v))]] : [];
  }
}

const notInSSA = (nDefs: number): string =>
  `uniform or divergent is not known: none of the ${nDefs} instructions that write it gives lanes different values, but the function is not in SSA form`;

/** Null for what its class says anyway. */
function whyUniform(fn: MachineFunction, { uniformity }: LaneValues, v: number): Sentence | null {
  if (uniformity.judge.bankOf(~v) === ValueBank.Scalar) return null;
  const def = uniformity.uniqueDef(v);
  if (def < 0) return null;
  const opcode = { code: fn.tables.opcodeName(fn.opcode[def]!) };
  let reads = false;
  for (let o = fn.firstReg(def); o >= 0; o = fn.nextReg(def, o))
    if (isVirtualReg(fn.opVal[o]!) && fn.opVal[o] !== ~v) reads = true;
  return reads ? [opcode, ' reads nothing that differs between lanes'] : [opcode, ' gives all lanes the same'];
}

// -- steps of a chain ------------------------------------------------------------------------------------------------

/** Step `k` of a chain. `isAsked`: the sentence is about the register asked for, which need not be named again. */
export function stepSentence(
  fn: MachineFunction,
  lanes: LaneValues,
  steps: readonly ReasonStep[],
  k: number,
  isAsked: boolean,
): Sentence {
  const { kind, vreg, block, instr, data, cycle } = steps[k]!;
  const opcode = { code: fn.tables.opcodeName(fn.opcode[instr]!) };
  const subject: Sentence =
    vreg >= 0 ? (isAsked ? ['it'] : [{ code: nameOf(fn, vreg) }]) : [{ code: blockName(fn, block) }];
  const at: Sentence = [' (', { at: instr }, ')'];
  switch (kind) {
    case CauseKind.Source:
      if (vreg < 0) return ['lanes part at the end of ', ...subject, ' by ', opcode, ...at];
      return [...sourceSentence(fn, lanes, instr, subject, steps[k + 1]?.vreg ?? -1), ...at];
    case CauseKind.Operand:
      if (vreg < 0)
        return ['lanes part at the end of ', ...subject, ': ', opcode, ' reads ', { code: nameOf(fn, data) }, ...at];
      return [...subject, ' comes from ', opcode, ', which reads ', { code: nameOf(fn, data) }, ...at];
    case CauseKind.Join:
      return [
        ...subject,
        ' is a PHI',
        ...at,
        ' where lanes meet that parted at the end of ',
        { code: blockName(fn, data) },
      ];
    case CauseKind.AssumedCycle:
      return [
        ...subject,
        ' is made',
        ...at,
        ' in ',
        ...cycleName(fn, lanes, cycle),
        ', which lanes enter in different places',
      ];
    case CauseKind.ExitPhi:
      return [
        ...subject,
        ' is a PHI',
        ...at,
        ' after ',
        ...cycleName(fn, lanes, cycle),
        ', which lanes leave at different times',
      ];
    case CauseKind.Temporal:
      return [
        ...(vreg < 0 ? ['lanes part at the end of ', ...subject] : [...subject, ' comes from ', opcode]),
        ...at,
        ', which reads ',
        { code: nameOf(fn, data) },
        ' after ',
        ...(cycle < 0 ? ['its cycle'] : cycleName(fn, lanes, cycle)),
        ', which lanes leave at different times',
      ];
    default:
      return subject;
  }
}

/** `from`: the divergent register that makes the instruction a source, -1 if it is one by itself. */
function sourceSentence(fn: MachineFunction, lanes: LaneValues, i: InstrId, subject: Sentence, from: number): Sentence {
  const source = lanes.uniformity.judge.sourceOf(i);
  const opcode = { code: fn.tables.opcodeName(fn.opcode[i]!) };
  switch (source?.kind) {
    case SourceKind.PhysicalCopy:
      return [
        ...subject,
        ' is a copy of ',
        { code: physName(fn, source.operand) },
        isWorkItem(fn, source.operand) ? ', the work-item' : ', a vector register',
      ];
    case SourceKind.VectorOperand:
      if (from >= 0) return [...subject, ' comes from ', opcode, ', which reads ', { code: nameOf(fn, from) }];
      return [
        ...subject,
        ' comes from ',
        opcode,
        ', which reads the vector register ',
        { code: operandName(fn, source.operand) },
        ...(isSame(fn, lanes, i, source.operand) ? [': to LLVM divergent, though all lanes have the same in it'] : []),
      ];
    case SourceKind.Atomic:
      return [...subject, ' comes from the atomic ', opcode, ', which lanes run one after the other'];
    case SourceKind.Intrinsic:
      return [...subject, ' comes from ', { code: intrinsicName(fn, i) }, ', which differs between lanes'];
    case SourceKind.NoMemOperand:
      return [...subject, ' comes from ', opcode, ', whose memory is not known: each lane may have its own'];
    case SourceKind.AddressSpace:
      return [...subject, ' comes from ', opcode, ', whose memory may be private to each lane'];
    case SourceKind.ScratchCast:
      return [...subject, ' comes from ', opcode, ': the flat address of private memory differs between lanes'];
    case SourceKind.AsmResult:
      return [...subject, ' comes from ', opcode, ', whose constraint does not keep the result in scalar registers'];
    default:
      return [...subject, ' comes from ', opcode, ', which gives each lane its own'];
  }
}

/** Whether operand `o` of an instruction is a register that is uniform there. */
function isSame(fn: MachineFunction, lanes: LaneValues, i: InstrId, o: number): boolean {
  const reg = fn.opVal[o]!;
  return isVirtualReg(reg) && lanes.atUse(~reg, fn.instrBlock[i]!) === LaneValue.Uniform;
}

/** A kernel or shader begins with the number of the work-item in `$vgpr0`. */
function isWorkItem(fn: MachineFunction, o: number): boolean {
  const { machineFunctionInfo, irFunction } = fn.header;
  const isEntry = machineFunctionInfo.isEntryFunction || isEntryFunctionCC(irFunction.callingConv);
  return isEntry && fn.tables.regName(fn.opVal[o]!) === 'vgpr0';
}

function operandName(fn: MachineFunction, o: number): string {
  const reg = fn.opVal[o]!;
  return isVirtualReg(reg) ? nameOf(fn, ~reg) : physName(fn, o);
}

const physName = (fn: MachineFunction, o: number): string => `$${fn.tables.regName(fn.opVal[o]!)}`;

function intrinsicName(fn: MachineFunction, i: InstrId): string {
  for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
    if (fn.opKind[o] === OperandKind.IntrinsicID) return fn.payload(o, OperandKind.IntrinsicID).name;
  return 'an intrinsic';
}

export const blockName = (fn: MachineFunction, b: BlockId): string => `bb.${fn.blocks[b]!.sourceNumber}`;

/** `the cycle of bb.1`, by its header */
export function cycleName(fn: MachineFunction, { uniformity }: LaneValues, cycle: number): Sentence {
  return ['the cycle of ', { code: blockName(fn, uniformity.cycles.header(cycle)) }];
}

// -- blocks --------------------------------------------------------------------------------------------------------

const MAX_BLOCKS = 6;
/** Nested regions that a block's hover names. */
const MAX_REGIONS = 2;

/** What a block is to the lanes: divergent branch, join of one, part of a cycle with divergent exit. */
export function laneBlockLines(snapshot: Snapshot, view: FunctionView, b: BlockId): Markdown[] {
  const at = placeOfLanes(snapshot, view);
  const { lanes } = view;
  if (!at || !lanes) return [];
  const { fn } = at;
  const { uniformity } = lanes;
  const lines: Markdown[] = [];
  const names = (blocks: readonly BlockId[]): Sentence => [
    {
      code:
        blocks
          .slice(0, MAX_BLOCKS)
          .map((x) => blockName(fn, x))
          .join(', ') + (blocks.length > MAX_BLOCKS ? `, ${blocks.length - MAX_BLOCKS} more` : ''),
    },
  ];
  const found = uniformity.joinsOfBranch.get(b);
  if (found && fn.blocks[b]!.successors.length > 1) {
    const meet: Sentence = found.joins.length > 0 ? ['; they meet in ', ...names(found.joins)] : [];
    const why = lanes.whyDivergentBranch(b, 2);
    const line = at.line(why[0]!.instr);
    const link = snapshot.settings.commandLinks
      ? rich` · ${commandLink('why', WHY_DIVERGENT_COMMAND, [snapshot.uri, line, 0])}`
      : '';
    lines.push(rich`**divergent branch**: ${at.markdown([...stepSentence(fn, lanes, why, 0, true), ...meet])}${link}`);
  }
  const branches = [...uniformity.joinsOfBranch].filter(([, { joins }]) => joins.includes(b)).map(([branch]) => branch);
  if (branches.length > 0) lines.push(at.markdown(['join of lanes that parted at the end of ', ...names(branches)]));
  for (let c = uniformity.cycles.cycleOf[b]!; c >= 0; c = uniformity.cycles.parent[c]!) {
    if (uniformity.assumedDivergent.includes(c))
      lines.push(
        at.markdown([
          'in ',
          ...cycleName(fn, lanes, c),
          ', assumed divergent: lanes that parted at the end of ',
          ...names([uniformity.assumedBranch[c]!]),
          ' meet inside it',
        ]),
      );
    if (uniformity.hasDivergentExit(c))
      lines.push(
        at.markdown([
          'in ',
          ...cycleName(fn, lanes, c),
          ' with divergent exit, because of ',
          ...names([uniformity.exitBranch[c]!]),
          ': what is uniform in it is divergent after it',
        ]),
      );
  }
  const changes = execChanges(lanes, b);
  if (changes.length > 0) lines.push(at.markdown(execSentence(changes)));
  for (const region of regionsAround(view, fn, b).slice(0, MAX_REGIONS))
    lines.push(at.markdown(['all of it ', ...regionSentence(region)]));
  return lines;
}

const EXEC_WORDS: Readonly<Record<ExecChange, string>> = {
  [ExecChange.Narrowed]: 'narrowed',
  [ExecChange.Restored]: 'restored',
  [ExecChange.WholeWaveBegins]: 'whole wave from',
  [ExecChange.WholeWaveEnds]: 'whole wave until',
};

/** `EXEC: narrowed line 12, restored line 20` */
function execSentence(changes: readonly (readonly [InstrId, ExecChange])[]): Sentence {
  const shown = changes.slice(0, MAX_BLOCKS);
  const pieces = shown.flatMap(([i, change], k): Piece[] => [
    `${k === 0 ? '' : ', '}${EXEC_WORDS[change]} `,
    { at: i },
  ]);
  const more = changes.length - shown.length;
  return ['EXEC: ', ...pieces, ...(more > 0 ? [`, ${more} more`] : [])];
}

/** `with fewer lanes, from line 12 to line 20` */
function regionSentence({ begin, change, ends }: ExecRegion): Sentence {
  const until = ends.slice(0, MAX_BLOCKS).flatMap((i, k): Piece[] => [k === 0 ? ' to ' : ', ', { at: i }]);
  return [
    change === ExecChange.Narrowed ? 'with fewer lanes, from ' : 'with the whole wave, from ',
    { at: begin },
    ...(ends.length === 0 ? [' to the end of the function'] : until),
  ];
}

/** Hover on an instruction that changes EXEC: what that governs. Null for others. */
export function execLine(snapshot: Snapshot, view: FunctionView, i: InstrId): Markdown | null {
  // Hovers come with every key; the lanes of a large function are not theirs to wait for.
  if (!view.fn || !changesExec(view.fn, i)) return null;
  const at = placeOfLanes(snapshot, view);
  const region = at && view.lanes ? regionFrom(view, i) : null;
  if (!at || region === null) return null;
  const n = region.spans.reduce((sum, [from, to]) => sum + to - from, 0);
  return at.markdown([`EXEC: ${plural(n, 'instruction')} `, ...regionSentence(region)]);
}

/** What a lens above a block says of its lanes: `divergent branch, lanes meet in bb.2`, `lanes leave the cycle at different times`; '' for nothing. */
export function laneTitle({ fn, lanes }: FunctionView, b: BlockId): string {
  if (!fn || !lanes) return '';
  const { uniformity } = lanes;
  const parts: string[] = [];
  const found = uniformity.joinsOfBranch.get(b);
  if (found && fn.blocks[b]!.successors.length > 1) {
    const meet = found.joins.slice(0, MAX_BLOCKS).map((join) => blockName(fn, join));
    parts.push(meet.length > 0 ? `divergent branch, lanes meet in ${meet.join(', ')}` : 'divergent branch');
  }
  const cycle = uniformity.cycles.cycleOf[b]!;
  if (cycle >= 0 && uniformity.cycles.header(cycle) === b && uniformity.hasDivergentExit(cycle))
    parts.push('lanes leave this cycle at different times');
  return parts.join('; ');
}
