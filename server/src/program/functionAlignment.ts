/** Which instructions and registers of two versions of a function are the same, so that what became of them can be compared. */
import { OperandKind, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { isVirtualReg, type VRegId } from '../model/register.js';
import { matchLines } from '../text/alignLines.js';

/** A function and the text of its instructions. */
export interface AlignedSide {
  readonly fn: MachineFunction;
  readonly textOf: (i: InstrId) => string;
}

export interface FunctionAlignment {
  /** by instruction of the first, that of the second; -1 = it has none */
  readonly instrs: Int32Array;
  /** by instruction of the second */
  readonly back: Int32Array;
  /** by register of the first: what the second defines, or else reads, at the same place; -1 = nothing */
  readonly vregs: Int32Array;
  /** instructions of either that the other does not have */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** instructions of both whose memory operands or flags differ */
  readonly changed: number;
}

/** Share of the instructions that are alike without the names of registers which have to be alike with them, or names mean nothing. */
const SAME_NAMES = 0.9;

/** O(instructions x edits), as `matchLines` */
export function alignFunctions(first: AlignedSide, second: AlignedSide): FunctionAlignment {
  const [a, b] = [linesOf(first), linesOf(second)];
  let partners = matchLines(a.named, b.named);
  const nNamed = nMatched(partners);
  if (nNamed < Math.min(a.named.length, b.named.length)) {
    const loose = matchLines(a.loose, b.loose);
    if (nNamed < SAME_NAMES * nMatched(loose)) partners = loose;
  }
  const instrs = new Int32Array(first.fn.nInstrs).fill(-1);
  const back = new Int32Array(second.fn.nInstrs).fill(-1);
  let changed = 0;
  let nInstrs = 0;
  for (const [l, k] of partners.entries()) {
    if (k < 0) continue;
    const [i, j] = [a.instrs[k]!, b.instrs[l]!];
    // The head of a block.
    if (i < 0 || j < 0) continue;
    instrs[i] = j;
    back[j] = i;
    nInstrs++;
    if (withoutNames(first.textOf(i)) !== withoutNames(second.textOf(j))) changed++;
  }
  const count = ({ instrs: own }: Lines): number => own.reduce((n, i) => n + (i < 0 ? 0 : 1), 0);
  return {
    ...{ instrs, back, changed },
    vregs: alignRegisters(first.fn, second.fn, instrs),
    onlyFirst: count(a) - nInstrs,
    onlySecond: count(b) - nInstrs,
  };
}

const nMatched = (partners: Int32Array): number => partners.reduce((n, k) => n + (k < 0 ? 0 : 1), 0);

interface Lines {
  readonly named: readonly string[];
  readonly loose: readonly string[];
  /** -1: the head of a block */
  readonly instrs: readonly InstrId[];
}

const COMMENT = /\s+;.*$/;
const MEMORY = / :: .*$/;
const FLAGS = /\b(?:killed|dead|renamable) /g;
/** A register, in contrast to blocks, slots and values of the embedded module. */
const REGISTER = /%(?!(?:bb|stack|fixed-stack|ir|ir-block|const|jump-table|subreg)\.)[-\w.$]+/g;
const DEBUG = /, debug-(?:location|instr-number) [^,]*/g;

/** Without what does not decide which instruction it is. */
const plain = (text: string): string =>
  text.split('\n', 1)[0]!.replace(COMMENT, '').replace(MEMORY, '').replace(DEBUG, '').replace(FLAGS, '').trim();

const withoutNames = (text: string): string =>
  text.split('\n', 1)[0]!.replace(COMMENT, '').replace(DEBUG, '').replace(REGISTER, '%').trim();

function linesOf({ fn, textOf }: AlignedSide): Lines {
  const named: string[] = [];
  const loose: string[] = [];
  const instrs: InstrId[] = [];
  const add = (line: string, i: InstrId): void => {
    named.push(line);
    loose.push(line.replace(REGISTER, '%'));
    instrs.push(i);
  };
  for (let b = 0; b < fn.blocks.length; b++) {
    add('(block)', -1);
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) add(plain(textOf(fn.order[p]!)), fn.order[p]!);
  }
  return { named, loose, instrs };
}

function alignRegisters(a: MachineFunction, b: MachineFunction, instrs: Int32Array): Int32Array {
  const vregs = new Int32Array(a.vregs.n).fill(-1);
  for (let i = 0; i < a.nInstrs; i++) {
    const j = instrs[i]!;
    if (j < 0) continue;
    const n = Math.min(a.opBegin[i + 1]! - a.opBegin[i]!, b.opBegin[j + 1]! - b.opBegin[j]!);
    for (let k = 0; k < n; k++) {
      const [o, p] = [a.opBegin[i]! + k, b.opBegin[j]! + k];
      if (!isVirtual(a, o) || !isVirtual(b, p)) continue;
      const v: VRegId = ~a.opVal[o]!;
      if (vregs[v]! < 0) vregs[v] = ~b.opVal[p]!;
    }
  }
  return vregs;
}

const isVirtual = (fn: MachineFunction, o: number): boolean =>
  fn.opKind[o] === OperandKind.Register && isVirtualReg(fn.opVal[o]!);
