/**
 * How far llc has come with the functions of a file: what a RUN line begins with, what a dump says of itself, what a function is made of. Where none of them
 * settles it the stage is a guess, and called one.
 */
import { readCommandLine } from '../commandLine/commandLine.js';
import { ANY_LLC_TABLE } from '../commandLine/optionTable.js';
import { OperandKind, type MachineFunction } from '../model/machineFunction.js';
import { isVirtualReg } from '../model/register.js';
import { placedPasses, type PlacedPass } from '../passes/codegenPipeline.js';
import { differingTiedOperands } from '../passes/regalloc/notAllocatable.js';
import type { MirFile } from '../syntax/index.js';
import { opcodeSet } from '../target/opcodeSets.js';
import { STAGE_WORDS, STAGES, type Stage } from './stageNames.js';
import type { FileTarget } from './targetOfFile.js';
import { graphStart } from './tritonDump.js';

export interface FunctionStage {
  readonly stage: Stage;
  /** what says so, such as `-start-before=greedy`; empty: nothing does, it is a guess */
  readonly by: string;
  /** the first of the passes before the scheduler that are still to run; null = none, or nobody knows */
  readonly ahead: PlacedPass | null;
}

/** `before scheduling (guess)` */
export const stageText = ({ stage, by }: FunctionStage): string =>
  by === '' ? `${STAGE_WORDS[stage]} (guess)` : STAGE_WORDS[stage];

/** Where something outside of a function says that it stands. */
interface Said {
  readonly stage: Stage;
  readonly by: string;
  readonly ahead: PlacedPass | null;
}

/** What a file says of all of its functions. */
export interface StageEvidence {
  /** somebody chose it */
  readonly chosen: Stage | null;
  readonly run: Said | null;
  /** of dumps, by their places in the text */
  readonly dumps: readonly (Said & { readonly at: number })[];
}

const NO_EVIDENCE: Omit<StageEvidence, 'chosen'> = { run: null, dumps: [] };

/** `target`: with the RUN line that counts. O(text) */
export function stageEvidence(file: MirFile, target: FileTarget, chosen: Stage | null = null): StageEvidence {
  if (chosen !== null) return { ...NO_EVIDENCE, chosen };
  const run = saidByRunLine(target.commands[target.commandIdx]?.args ?? []);
  const { text } = file.text;
  const triton = text.includes('\n---') && graphStart(file) >= 0;
  const dump = triton
    ? [{ at: 0, stage: 'before-scheduling' as const, by: "Triton's graph at its end", ahead: null }]
    : [];
  return { chosen, run, dumps: [...dump, ...dumpHeaders(text)] };
}

/** `start`: where the function's document begins; `signs`: those of the function. */
export function stageOf(
  fn: MachineFunction,
  { chosen, run, dumps }: StageEvidence,
  start: number,
  signs: () => StageSigns = () => stageSigns(fn),
): FunctionStage {
  const said = run ?? lastBefore(dumps, start);
  const found = (stage: Stage, by: string): FunctionStage => ({ stage, by, ahead: aheadOf(stage, said) });
  if (chosen !== null) return found(chosen, 'chosen');
  const made = signs();
  if (made.isGeneric) return found('generic', 'generic registers');
  if (made.isSSA) return said?.stage === 'selected' ? { ...said } : found('selected', made.isSSA);
  if (made.isVirtual) {
    if (said !== null && isBeforeAllocation(said.stage)) return { ...said };
    if (fn.header.isStatedSSA) return found('selected', 'isSSA: true');
    return found('before-scheduling', '');
  }
  if (said !== null && (!isBeforeAllocation(said.stage) || !made.isPhysical)) return { ...said };
  // Without any register there is nothing to tell by.
  if (!made.isPhysical) return found('before-scheduling', '');
  return made.isOpen === '' && made.isFramed ? found('final', '') : found('allocated', made.isOpen);
}

/** What is written in SSA form was written after instruction selection, unless somebody says that passes have run since. */
const aheadOf = (stage: Stage, said: Said | null): PlacedPass | null =>
  stage === said?.stage ? said.ahead : stage === 'selected' ? AFTER_SELECTION : null;

const AFTER_SELECTION: PlacedPass = { name: 'early-tailduplication', instance: 0 };

/** O(log dumps): a log has one for each pass and function. */
function lastBefore(dumps: StageEvidence['dumps'], start: number): Said | null {
  let [from, to] = [0, dumps.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (dumps[middle]!.at <= start) from = middle + 1;
    else to = middle;
  }
  return dumps[from - 1] ?? null;
}

const isBeforeAllocation = (stage: Stage): boolean => STAGES.indexOf(stage) < STAGES.indexOf('allocated');

/** What of a function tells where it stands. */
export interface StageSigns {
  readonly isGeneric: boolean;
  readonly isVirtual: boolean;
  readonly isPhysical: boolean;
  /** what only SSA has; empty = nothing */
  readonly isSSA: string;
  /** what is gone after prologepilog; empty = nothing */
  readonly isOpen: string;
  /** with what is put there after prologepilog */
  readonly isFramed: boolean;
}

/** O(operands) */
export function stageSigns(fn: MachineFunction): StageSigns {
  const { tables, vregs } = fn;
  const phi = tables.opcodeByName('PHI');
  const waits = opcodeSet(tables, 'wait');
  const made = { isGeneric: false, isVirtual: false, isPhysical: false, isSSA: '', isOpen: '', isFramed: false };
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      if (fn.opcode[i] === phi) made.isSSA ||= 'PHIs';
      if (waits.has(fn.opcode[i]!)) made.isFramed = true;
      for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
        if (fn.opKind[o] === OperandKind.FrameIndex) made.isOpen ||= 'stack objects';
        if (fn.opKind[o] !== OperandKind.Register) continue;
        const reg = fn.opVal[o]!;
        if (!isVirtualReg(reg)) {
          made.isPhysical ||= tables.isInAllocatableClass(reg);
          continue;
        }
        made.isVirtual = true;
        if (vregs.regClass[~reg]! < 0) made.isGeneric = true;
      }
      if (differingTiedOperands(fn, i)) made.isSSA ||= 'tied operands';
    }
  }
  return made;
}

/** Why the way from there to the end is not known of a function with virtual registers, '' where it is. */
export function whyNoWayFrom({ stage }: Pick<FunctionStage, 'stage'>): string {
  if (stage === 'generic') return 'the way from generic registers is not modelled';
  if (isBeforeAllocation(stage)) return '';
  return `it has virtual registers, which are gone where it is ${STAGE_WORDS[stage]}`;
}

const pipeline = placedPasses;

const indexOf = (name: string, instance = 0): number =>
  pipeline().findIndex((pass) => pass.name === name && pass.instance === instance);

/** The stage of what comes out of the pass before the one at `index`. */
function stageBefore(index: number): Stage {
  if (index <= indexOf('twoaddressinstruction')) return 'selected';
  if (index <= indexOf('machine-scheduler')) return 'before-scheduling';
  if (index <= indexOf('virtregrewriter', 2)) return 'scheduled';
  return index <= indexOf('prologepilog') ? 'allocated' : 'final';
}

/** What comes after the two passes that select instructions, neither of which is one over machine code alone. */
const AFTER_SELECTOR: ReadonlyMap<string, string> = new Map([
  ['amdgpu-isel', 'si-fix-sgpr-copies'],
  ['instruction-select', 'finalize-isel'],
]);

/** Where a function stands before a pass, or after it; null where the pass runs several times, at different stages, or is none of the pipeline. */
function saidByPass(word: string, isAfter: boolean, by: string): Said | null {
  const [name = '', instance] = word.split(',');
  const next = isAfter ? AFTER_SELECTOR.get(name) : undefined;
  if (next !== undefined) return { stage: 'selected', by, ahead: { name: next, instance: 0 } };
  const places = [...pipeline().keys()].filter((k) => {
    const pass = pipeline()[k]!;
    return pass.name === name && (instance === undefined || pass.instance === Number(instance));
  });
  const first = places[0];
  if (first === undefined) return null;
  const [stage, ...others] = new Set(places.map((k) => stageBefore(isAfter ? k + 1 : k)));
  if (others.length > 0) return null;
  const ahead = pipeline()[isAfter ? first + 1 : first]!;
  const isAhead = (stage === 'selected' || stage === 'before-scheduling') && ahead.name !== 'machine-scheduler';
  return { stage: stage!, by, ahead: isAhead ? ahead : null };
}

function saidByRunLine(args: readonly string[]): Said | null {
  const { values } = readCommandLine(args, [], 'llc', ANY_LLC_TABLE);
  const of = (option: string, isAfter: boolean): Said | null => {
    const first = [values.get(option) ?? []].flat().map(String)[0]?.split(',');
    if (first === undefined) return null;
    // Several passes of -run-pass stand in one word; the number of an instance is a word of its own.
    const word = option === 'run-pass' ? first[0]! : first.join(',');
    return saidByPass(word, isAfter, `-${option}=${word}`);
  };
  // A file that is cut off somewhere was written by such a run.
  return (
    of('run-pass', false) ??
    of('start-before', false) ??
    of('start-after', true) ??
    of('stop-before', false) ??
    of('stop-after', true)
  );
}

const DUMP_HEADER = /^[#;].*\*\*\* IR Dump (Before|After) .*\(([\w-]+)\)/gm;

/** As `-print-before` and `-print-after` write them above a function. */
function dumpHeaders(text: string): StageEvidence['dumps'] {
  if (!text.includes('*** IR Dump ')) return [];
  return [...text.matchAll(DUMP_HEADER)].flatMap(({ index, 1: when, 2: pass = '' }) => {
    const said = saidByPass(pass, when === 'After', `IR dump ${when!.toLowerCase()} ${pass}`);
    return said === null ? [] : [{ ...said, at: index }];
  });
}
