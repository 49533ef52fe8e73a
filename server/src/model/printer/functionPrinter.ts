/**
 * The YAML document of a machine function as `llc -run-pass=none` writes it (MIRPrinter, LLVM 22.1.8; docs/llvm/mir-format.md, 3 and 5).
 * Blocks are numbered in layout order; the layout may have been permuted since lowering.
 */
import { normalizeProbabilities, probabilityAt, PROBABILITY_ONE } from '../probability.js';
import { McFlag } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { TextBuilder } from '../../util/textBuilder.js';
import { BundleFlag, OperandKind } from '../machineFunction.js';
import type { BlockId, MachineFunction } from '../machineFunction.js';
import { printHeader, type AssignedRegs } from './headerPrinter.js';
import { InstrPrinter, printLaneMask } from './instrPrinter.js';
import { quoteNameOrNumber } from './symbolNames.js';

export interface PrintFunctionOptions {
  /** llc's -simplify-mir */
  readonly simplify?: boolean;
  /** what a pass has decided of registers, and the code does not show yet */
  readonly assigned?: AssignedRegs | undefined;
}

const ALL_LANES = 0xffffffff;

/** From `---` to `...`, with the final line break. O(size of the function). */
export function printFunctionDocument(fn: MachineFunction, options: PrintFunctionOptions = {}): string {
  const simplify = options.simplify ?? false;
  const printer = new InstrPrinter(fn);
  const header = `---\n${printHeader(fn, printer, { ...options, simplify })}`;
  if (fn.blocks.length === 0) return simplify ? `${header}...\n` : `${header}body:             |\n...\n`;
  return `${header}body:             |\n${printBody(fn, printer, simplify)}...\n`;
}

/** The lines of `body:`, indented by two. */
function printBody(fn: MachineFunction, printer: InstrPrinter, simplify: boolean): string {
  const out = new TextBuilder();
  for (let k = 0; k < fn.blocks.length; k++) {
    if (k !== 0) out.add('  \n');
    printBlock(fn, k, printer, simplify, out);
  }
  return out.text();
}

/** One block with its label; lines are indented by two (the YAML block scalar). */
function printBlock(
  fn: MachineFunction,
  b: BlockId,
  printer: InstrPrinter,
  simplify: boolean,
  text: TextBuilder,
): void {
  const block = fn.blocks[b];
  let out = `  ${printBlockLabel(fn, b)}:\n`;
  let hasLines = false;
  const { successors, probabilities } = block;
  const isUniform = !simplify || hasUniformProbabilities(probabilities);
  // An empty list is printed too where the reader would guess a successor.
  if ((!simplify && successors.length !== 0) || !isUniform || !isGuessable(fn, b)) {
    hasLines = true;
    out += '    successors:';
    for (let s = 0; s < successors.length; s++) {
      out += s === 0 ? ' ' : ', ';
      out += `%bb.${fn.numberOf(successors[s])}`;
      if (!simplify || !isUniform) out += `(0x${hex8(probabilityAt(probabilities, s))})`;
    }
    out += '\n';
  }
  if (block.liveIns.length !== 0) {
    hasLines = true;
    out += `    liveins: ${printLiveIns(fn, b, printer)}\n`;
  }
  const begin = fn.blockBegin[b];
  const end = fn.blockEnd[b];
  if (hasLines && begin < end) out += '  \n';
  text.add(out);
  let isInBundle = false;
  for (let p = begin; p < end; p++) {
    const i = fn.order[p];
    const flags = fn.bundle[i];
    if (isInBundle && !(flags & BundleFlag.BundledPred)) {
      text.add('    }\n');
      isInBundle = false;
    }
    let line = isInBundle ? '      ' : '    ';
    line += printer.printInstr(i);
    if (!isInBundle && flags & BundleFlag.BundledSucc) {
      line += ' {';
      isInBundle = true;
    }
    text.add(`${line}\n`);
  }
  if (isInBundle) text.add('    }\n');
}

const hex8 = (n: number): string => (n >>> 0).toString(16).padStart(8, '0');

/** `$sgpr0, $vgpr1:0x000000000000000F` */
export function printLiveIns(fn: MachineFunction, b: BlockId, printer: InstrPrinter): string {
  let out = '';
  for (const l of fn.blocks[b].liveIns) {
    if (out !== '') out += ', ';
    out += printer.printReg(l.reg);
    if (l.laneLo >>> 0 !== ALL_LANES || l.laneHi >>> 0 !== ALL_LANES) out += `:${printLaneMask(l.laneLo, l.laneHi)}`;
  }
  return out;
}

/** `bb.N.name (attributes)` without the colon. */
export function printBlockLabel(fn: MachineFunction, b: BlockId): string {
  const block = fn.blocks[b];
  const attributes: string[] = [];
  if (block.irName === null && block.irBlockRef !== null) attributes.push(block.irBlockRef);
  if (block.isMachineBlockAddressTaken) attributes.push('machine-block-address-taken');
  if (block.irBlockAddressTaken !== null)
    attributes.push(`ir-block-address-taken ${irBlockReference(block.irBlockAddressTaken)}`);
  if (block.isLandingPad) attributes.push('landing-pad');
  if (block.isInlineAsmBrIndirectTarget) attributes.push('inlineasm-br-indirect-target');
  if (block.isEHFuncletEntry) attributes.push('ehfunclet-entry');
  if (block.isEHScopeEntry) attributes.push('ehscope-entry');
  if (block.alignment > 1) attributes.push(`align ${block.alignment}`);
  if (block.sectionId !== null) attributes.push(`bbsections ${block.sectionId}`);
  if (block.callFrameSize !== 0) attributes.push(`call-frame-size ${block.callFrameSize}`);
  const name = block.irName === null ? '' : `.${block.irName}`;
  return `bb.${fn.numberOf(b)}${name}${attributes.length === 0 ? '' : ` (${attributes.join(', ')})`}`;
}

function irBlockReference(text: string): string {
  return text.startsWith('%ir-block.') ? text : `%ir-block.${quoteNameOrNumber(text)}`;
}

/**
 * Whether LLVM says that the reader would come to these probabilities by itself: normalized once more, each is 1 / n, rounded down. What the reader
 * makes of three successors is rounded up, so that it is never that.
 */
export function hasUniformProbabilities(probabilities: readonly number[]): boolean {
  const n = probabilities.length;
  if (n <= 1) return true;
  const normal = Array.from(probabilities, (p) => p >>> 0);
  normalizeProbabilities(normal);
  return normal.every((p) => p === Math.floor(PROBABILITY_ONE / n));
}

/** Whether the successors are what the reader guesses without a `successors:` line (docs/llvm/mir-format.md, 5.1). */
export function isGuessable(fn: MachineFunction, b: BlockId): boolean {
  const guessed = guessSuccessors(fn, b);
  const { successors } = fn.blocks[b];
  return guessed.length === successors.length && guessed.every((s, k) => s === successors[k]);
}

/**
 * Successors guessed from the instructions: block operands of all non-PHI instructions in order of first appearance,
 * then the next block in layout if control can fall through.
 */
function guessSuccessors(fn: MachineFunction, b: BlockId): BlockId[] {
  const t = fn.tables;
  const phis = opcodeSet(t, 'phi');
  const debug = opcodeSet(t, 'debugInstr');
  const probe = opcodeSet(t, 'pseudoProbe');
  const guessed = new Set<BlockId>();
  let lastReal = -1;
  let isBarrier = false;
  for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
    const i = fn.order[p];
    const opc = fn.opcode[i];
    if (!debug.has(opc) && !probe.has(opc)) {
      const continuesBundle = (fn.bundle[i] & BundleFlag.BundledPred) !== 0;
      const barrier = (t.opcodeFlagsLo(opc) & (1 << McFlag.Barrier)) !== 0;
      isBarrier = continuesBundle ? isBarrier || barrier : barrier;
      lastReal = i;
    }
    if (phis.has(opc)) continue;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.MBB) guessed.add(fn.opVal[o]);
  }
  if ((lastReal < 0 || !isBarrier) && b + 1 < fn.blocks.length) guessed.add(b + 1);
  return [...guessed];
}
