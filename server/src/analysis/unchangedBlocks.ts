/**
 * Which blocks of a function are as they were in an earlier version of it, so that results per block can be taken over after an
 * edit. Says what is the same, never why: a block counts as unchanged only if every column that an analysis reads is equal.
 */
import {
  OperandKind,
  type BlockId,
  type MachineBasicBlock,
  type MachineFunction,
  type VRegTable,
  type InstrId,
} from '../model/machineFunction.js';

/**
 * By block, 1 = same instructions, operands, edges and live-ins as the block of that number in `before`. Null when the functions
 * differ in what concerns every block: target, header, number of blocks, or the classes of their virtual registers.
 * Both must be as lowered (ids in layout order). O(operands), by plain comparison. Null, too, where instructions stand before the first block, as after a broken
 * label: those have ids, which shift all others.
 */
export function unchangedBlocks(before: MachineFunction, now: MachineFunction): Uint8Array | null {
  if (now.shell === null || before.shell !== now.shell || before.subtarget !== now.subtarget) return null;
  if (before.blocks.length !== now.blocks.length || !sameRegisters(before.vregs, now.vregs)) return null;
  if (hasStrays(before) || hasStrays(now)) return null;
  const a = before.header;
  const b = now.header;
  if (a.isSSA !== b.isSSA || a.noPhis !== b.noPhis || a.hasFakeUses !== b.hasFakeUses) return null;
  const result = new Uint8Array(now.blocks.length);
  for (let k = 0; k < result.length; k++)
    if (sameBlock(before.blocks[k], now.blocks[k]) && sameCode(before, now, k)) result[k] = 1;
  return result;
}

/** Are there instructions before the first block? */
const hasStrays = (fn: MachineFunction): boolean => fn.blocks.length > 0 && fn.blockBegin[0] !== 0;

/** What an analysis asks of a virtual register apart from its name. */
function sameRegisters(a: VRegTable, b: VRegTable): boolean {
  if (a === b) return true;
  if (a.n !== b.n) return false;
  for (let v = 0; v < a.n; v++)
    if (a.regClass[v] !== b.regClass[v] || a.bank[v] !== b.bank[v] || a.type[v] !== b.type[v]) return false;
  return true;
}

/** Places in the text do not count. */
function sameBlock(a: MachineBasicBlock, b: MachineBasicBlock): boolean {
  if (a === b) return true;
  return (
    sameNumbers(a.successors, b.successors) &&
    sameNumbers(a.probabilities, b.probabilities) &&
    sameNumbers(a.predecessors, b.predecessors) &&
    a.liveIns.length === b.liveIns.length &&
    a.liveIns.every((l, k) => {
      const other = b.liveIns[k];
      return l.reg === other.reg && l.laneLo === other.laneLo && l.laneHi === other.laneHi;
    }) &&
    a.isMachineBlockAddressTaken === b.isMachineBlockAddressTaken &&
    a.irBlockAddressTaken === b.irBlockAddressTaken &&
    a.isLandingPad === b.isLandingPad &&
    a.isInlineAsmBrIndirectTarget === b.isInlineAsmBrIndirectTarget &&
    a.isEHFuncletEntry === b.isEHFuncletEntry &&
    a.isEHScopeEntry === b.isEHScopeEntry &&
    a.callFrameSize === b.callFrameSize
  );
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((x, k) => x === b[k]);
}

function sameCode(a: MachineFunction, b: MachineFunction, block: BlockId): boolean {
  const n = b.blockEnd[block] - b.blockBegin[block];
  if (a.blockEnd[block] - a.blockBegin[block] !== n) return false;
  const i = a.blockBegin[block];
  const j = b.blockBegin[block];
  const o = a.opBegin[i];
  const p = b.opBegin[j];
  return sameInstructions(a, i, b, j, n) && sameOperands(a, o, b, p, b.opBegin[j + n] - p);
}

function sameInstructions(a: MachineFunction, i: InstrId, b: MachineFunction, j: number, n: number): boolean {
  const shift = b.opBegin[j] - a.opBegin[i];
  for (let k = 0; k < n; k++) {
    if (a.opcode[i + k] !== b.opcode[j + k] || a.instrFlags[i + k] !== b.instrFlags[j + k]) return false;
    if (a.bundle[i + k] !== b.bundle[j + k] || b.opBegin[j + k + 1] - a.opBegin[i + k + 1] !== shift) return false;
    // Shared by versions whose text is the same, never changed.
    if (a.memOperands[i + k] !== b.memOperands[j + k]) return false;
  }
  if (0 < a.extras.size + b.extras.size)
    for (let k = 0; k < n; k++) if (a.extras.get(i + k) !== b.extras.get(j + k)) return false;
  return true;
}

function sameOperands(a: MachineFunction, o: number, b: MachineFunction, p: number, n: number): boolean {
  for (let k = 0; k < n; k++) {
    const kind = b.opKind[p + k];
    const x = a.opVal[o + k];
    const y = b.opVal[p + k];
    if (isPayload(kind) ? a.payloads[x] !== b.payloads[y] : x !== y) return false;
    if (a.opKind[o + k] !== kind || a.opFlags[o + k] !== b.opFlags[p + k] || a.opSub[o + k] !== b.opSub[p + k])
      return false;
    if (a.opTied[o + k] !== b.opTied[p + k] || a.opTargetFlags[o + k] !== b.opTargetFlags[p + k]) return false;
    if (a.opExt[o + k] !== b.opExt[p + k]) return false;
  }
  return true;
}

/** Is `opVal` an index into `payloads`, which moves when another block gets one more? */
function isPayload(kind: OperandKind): boolean {
  switch (kind) {
    case OperandKind.Register:
    case OperandKind.Immediate:
    case OperandKind.MBB:
    case OperandKind.FrameIndex:
    case OperandKind.DbgInstrRef:
    case OperandKind.LaneMask:
      return false;
    default:
      return true;
  }
}
