/**
 * The `# Machine code for function ...` listing (MachineFunction::print, LLVM 22.1.8) that llc writes to stderr before
 * the complaints of the machine verifier and in debug output.
 */
import { BundleFlag } from '../machineFunction.js';
import { areTiedOperandsRewritten } from '../tiedOperands.js';
import type { BlockId, InstrId, MachineFunction } from '../machineFunction.js';
import type { SaveRestorePoint, StackObject } from '../header.js';
import { probabilityAt } from '../probability.js';
import { printBlockLabel, printLiveIns } from './functionPrinter.js';
import { InstrPrinter } from './instrPrinter.js';
import type { DebugNames } from './instrPrinter.js';

/** Numbers of TargetStackID by MIR name. */
const STACK_IDS: Record<string, number> = {
  default: 0,
  'sgpr-spill': 1,
  'scalable-vector': 2,
  'wasm-local': 3,
  'scalable-predicate-vector': 4,
  noalloc: 255,
};
const PROBABILITY_ONE = 0x80000000;

/** Slot indexes as texts, for a listing with a column of them. */
interface IndexColumn {
  ofBlock(b: BlockId): string;
  /** '' = the instruction has none */
  ofInstr(i: InstrId): string;
}

/** The listing with its final empty line. O(size of the function). */
export function printMachineCode(
  fn: MachineFunction,
  debugNames?: DebugNames,
  indexes: IndexColumn | null = null,
): string {
  const h = fn.header;
  const printer = new InstrPrinter(
    fn,
    debugNames === undefined ? { standalone: true } : { standalone: true, debugNames },
  );
  let out = `# Machine code for function ${h.name}: ${properties(fn)}\n`;
  out += printFrame(fn);
  if (h.jumpTable !== null && h.jumpTable.entries.length !== 0) {
    out += 'Jump Tables:\n';
    h.jumpTable.entries.forEach((e, i) => {
      out += `%jump-table.${i}:${e.blocks.map((b) => ` %bb.${b}`).join('')}\n`;
    });
    out += '\n';
  }
  if (h.constants.length !== 0) {
    out += 'Constant Pool:\n';
    h.constants.forEach((c, i) => {
      out += `  cp#${i}: ${c.value.replace(/^\S+ /, '')}, align=${Math.max(1, c.alignment)}\n`;
    });
  }
  if (h.liveIns.length !== 0) {
    const ins = h.liveIns.map((l) => printer.printReg(l.reg) + (l.vreg < 0 ? '' : ` in %${l.vreg}`));
    out += `Function Live Ins: ${ins.join(', ')}\n`;
  }
  for (let b = 0; b < fn.blocks.length; b++) out += `\n${printBlock(fn, b, printer, indexes)}`;
  return `${out}\n# End machine code for function ${h.name}.\n\n`;
}

function properties(fn: MachineFunction): string {
  const h = fn.header;
  const words: string[] = [];
  if (h.isSSA) words.push('IsSSA');
  if (h.noPhis) words.push('NoPHIs');
  if (h.tracksRegLiveness) words.push('TracksLiveness');
  if (h.noVRegs) words.push('NoVRegs');
  if (h.failedISel) words.push('FailedISel');
  if (h.legalized) words.push('Legalized');
  if (h.regBankSelected) words.push('RegBankSelected');
  if (h.selected) words.push('Selected');
  if (h.areTiesRewritten ?? areTiedOperandsRewritten(fn)) words.push('TiedOpsRewritten');
  if (h.failsVerification) words.push('FailsVerification');
  if (h.tracksDebugUserValues) words.push('TracksDebugUserValues');
  return words.join(', ');
}

function printFrame(fn: MachineFunction): string {
  const h = fn.header;
  if (h.stack.length + h.fixedStack.length === 0) return '';
  let out = 'Frame Objects:\n';
  for (let n = h.fixedStack.length - 1; n >= 0; n--)
    out += `  fi#${-n - 1}: ${describeObject(h.fixedStack[n], true)}\n`;
  h.stack.forEach((o, n) => {
    out += `  fi#${n}: ${describeObject(o, false)}\n`;
  });
  out += 'save/restore points:\n';
  out += printPoints('save', h.frameInfo.savePoint) + printPoints('restore', h.frameInfo.restorePoint);
  return out;
}

function printPoints(word: string, points: readonly SaveRestorePoint[]): string {
  if (points.length === 0) return `${word} points are empty\n`;
  const blocks = points.map((p) => p.block).sort((a, b) => a - b);
  return `${word} points:\n${blocks.map((b) => `%bb.${b}\n`).join('')}`;
}

function describeObject(
  o: Pick<StackObject, 'stackId' | 'size' | 'alignment' | 'offset'> & { readonly type: string },
  isFixed: boolean,
): string {
  const id = STACK_IDS[o.stackId] ?? 0;
  const size = o.type === 'variable-sized' ? 'variable sized' : `size=${o.size}`;
  const offset = o.offset === 0n ? '' : o.offset > 0n ? `+${o.offset}` : String(o.offset);
  const fixed = isFixed ? ', fixed' : '';
  return `${id === 0 ? '' : `id=${id} `}${size}, align=${Math.max(1, o.alignment)}${fixed}, at location [SP${offset}]`;
}

function printBlock(fn: MachineFunction, b: BlockId, printer: InstrPrinter, indexes: IndexColumn | null): string {
  const block = fn.blocks[b];
  const tab = indexes === null ? '' : '\t';
  let out = `${indexes === null ? '' : `${indexes.ofBlock(b)}\t`}${printBlockLabel(fn, b)}:\n`;
  let hasLines = false;
  if (block.predecessors.length !== 0) {
    out += `${tab}; predecessors: ${block.predecessors.map((p) => `%bb.${fn.numberOf(p)}`).join(', ')}\n`;
    hasLines = true;
  }
  if (block.successors.length !== 0) {
    const { successors, probabilities } = block;
    const weights = successors.map(
      (s, k) => `%bb.${fn.numberOf(s)}(0x${probabilityAt(probabilities, k).toString(16).padStart(8, '0')})`,
    );
    const percents = successors.map((s, k) => `%bb.${fn.numberOf(s)}(${percent(probabilityAt(probabilities, k))}%)`);
    out += `${tab}  successors: ${weights.join(', ')}; ${percents.join(', ')}\n`;
    hasLines = true;
  }
  if (block.liveIns.length !== 0 && fn.header.tracksRegLiveness) {
    out += `${tab}  liveins: ${printLiveIns(fn, b, printer)}`;
    hasLines = true;
  }
  if (hasLines) out += '\n';
  let isInBundle = false;
  for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
    const i = fn.order[p];
    const flags = fn.bundle[i];
    out += `${indexes?.ofInstr(i) ?? ''}${tab}`;
    if (isInBundle && !(flags & BundleFlag.BundledPred)) {
      // The index before it is that of what follows, as in llc.
      out += '  }\n';
      isInBundle = false;
    }
    out += `${isInBundle ? '    ' : '  '}${printer.printInstr(i)}`;
    if (!isInBundle && flags & BundleFlag.BundledSucc) {
      out += ' {';
      isInBundle = true;
    }
    out += '\n';
  }
  if (isInBundle) out += '  }\n';
  return out;
}

/** BranchProbability printed as a percentage with two decimals, rounded as LLVM does (rint of the ratio times 10000). */
function percent(numerator: number): string {
  // C's rint: halves go to the even neighbour.
  const scaled = (numerator / PROBABILITY_ONE) * 10000;
  const down = Math.floor(scaled);
  const isHalf = scaled - down === 0.5;
  return ((isHalf ? down + (down % 2) : Math.round(scaled)) / 100).toFixed(2);
}
