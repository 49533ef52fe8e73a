/**
 * Checks of edges, block ends, call frames and the stack protector (docs/llvm/verifier.md, 3).
 *
 * Follows MachineVerifier::visitMachineBasicBlockBefore, verifyStackFrame, verifyStackProtector and
 * SIInstrInfo::analyzeBranch and R600InstrInfo's (LLVM 22) in what they answer.
 */
import { McFlag } from '../../target/api.js';
import { opcodeSet, type OpcodeSetName } from '../../target/opcodeSets.js';
import { OperandKind } from '../../model/machineFunction.js';
import type { BlockId, InstrId, MachineFunction } from '../../model/machineFunction.js';
import { blockText, regText } from './reports.js';
import type { VerifierContext } from './verifierContext.js';

/** Duplicate entries of the edge lists, for all blocks (3.1). */
export function checkEdgeLists(ctx: VerifierContext): void {
  const { fn, predBegin, predList, out } = ctx;
  const seen = new Int32Array(ctx.nBlocks).fill(-1);
  for (let b = 0; b < ctx.nBlocks; b++) {
    // Predecessors of one block are listed in block order, so duplicates are neighbours.
    for (let p = predBegin[b] + 1; p < predBegin[b + 1]; p++) {
      if (predList[p] !== predList[p - 1]) continue;
      out.onBlock(b, 'MBB has duplicate entries in its predecessor list.', undefined, 0, predList[p]);
      break;
    }
    for (const s of fn.blocks[b].successors) {
      if (seen[s] === b) {
        out.onBlock(b, 'MBB has duplicate entries in its successor list.', undefined, 0, s);
        break;
      }
      seen[s] = b;
    }
  }
}

/**
 * Blocks that can be reached from the entry, 1 = reachable.
 * @llvm MachineVerifier.cpp MachineVerifier::markReachable
 */
export function reachableBlocks(ctx: VerifierContext): Uint8Array {
  const reached = new Uint8Array(ctx.nBlocks);
  if (ctx.nBlocks === 0) return reached;
  const stack: BlockId[] = [0];
  reached[0] = 1;
  for (let b = stack.pop(); b !== undefined; b = stack.pop())
    for (const s of ctx.fn.blocks[b].successors) {
      if (reached[s] === 1) continue;
      reached[s] = 1;
      stack.push(s);
    }
  return reached;
}

/**
 * Live-ins, address-taken and landing pads of one block (3.2).
 * @llvm MachineVerifier.cpp MachineVerifier::visitMachineBasicBlockBefore
 */
export function checkBlockStart(ctx: VerifierContext, b: BlockId): void {
  const { fn, out, tables } = ctx;
  const block = fn.blocks[b];
  if (
    !fn.header.noPhis &&
    fn.header.tracksRegLiveness &&
    (!fn.subtarget.release.rules.liveInsByPhis || ctx.beginsWithPhi)
  ) {
    for (const { reg } of block.liveIns) {
      if (b === 0 || block.isLandingPad || block.isInlineAsmBrIndirectTarget) break;
      if (reg <= 0 || !tables.isInAllocatableClass(reg) || ctx.isReserved(reg)) continue;
      out.onBlock(
        b,
        "MBB has allocatable live-in, but isn't entry, landing-pad, or inlineasm-br-indirect-target.",
        [`- p. register: ${regText(fn, reg)}`],
        reg,
      );
    }
  }
  if (block.irBlockAddressTaken !== null && !isAddressTaken(ctx, block.irBlockAddressTaken))
    out.onBlock(b, 'ir-block-address-taken is associated with basic block not used by a blockaddress.');

  let landingPad = -1;
  for (const s of block.successors) {
    if (!fn.blocks[s].isLandingPad || s === landingPad) continue;
    if (landingPad >= 0) {
      out.onBlock(b, 'MBB has more than one landing pad successor', undefined, 0, s);
      break;
    }
    landingPad = s;
  }
}

function isAddressTaken(ctx: VerifierContext, irBlock: string): boolean {
  if (!ctx.options.isBlockAddressTaken || ctx.options.isBlockAddressTaken(irBlock)) return true;
  const { fn } = ctx;
  return fn.payloads.some((p) => p.kind === OperandKind.BlockAddress && p.fn === fn.header.name && p.block === irBlock);
}

// -- 3.3 ---------------------------------------------------------------------------------------------------------------

/** A branch target that is no block: LLVM takes the operand for a pointer, so it is some block that is no successor. */
const WILD_BLOCK = -2;

/** Answer of the branch analysis; blocks are -1 when absent, or WILD_BLOCK. */
interface BranchShape {
  readonly tbb: BlockId;
  readonly fbb: BlockId;
  readonly hasCondition: boolean;
}

/** The flag `flag` of an instruction, or of any member if it heads a bundle. */
function hasFlag(ctx: VerifierContext, pos: number, end: number, flag: McFlag): boolean {
  const { fn, plans } = ctx;
  for (let p = pos; p < end; p++) {
    const i = fn.order[p];
    if (p > pos && (fn.bundle[i] & 1) === 0) break;
    if (plans.get(fn.opcode[i]).flag(flag)) return true;
  }
  return false;
}

function nextHead(ctx: VerifierContext, pos: number, end: number): number {
  const { fn } = ctx;
  pos++;
  while (pos < end && (fn.bundle[fn.order[pos]] & 1) !== 0) pos++;
  return pos;
}

function firstTerminator(ctx: VerifierContext, begin: number, end: number): number {
  const { fn, plans } = ctx;
  let first = end;
  for (let p = end - 1; p >= begin; p--) {
    const i = fn.order[p];
    if ((fn.bundle[i] & 1) !== 0) continue;
    const isTerminator = hasFlag(ctx, p, end, McFlag.Terminator);
    if (!isTerminator && !plans.get(fn.opcode[i]).isDebug) break;
    if (isTerminator) first = p;
  }
  return first;
}

function targetOf(fn: MachineFunction, i: InstrId): BlockId {
  const o = fn.opBegin[i];
  if (fn.numOperands(i) === 0) return -1;
  if (fn.opKind[o] === OperandKind.MBB) return fn.opVal[o];
  return fn.opKind[o] === OperandKind.Immediate && fn.opVal[o] === 0 && fn.opExt[o] === 0 ? -1 : WILD_BLOCK;
}

/**
 * R600InstrInfo::analyzeBranch. LLVM runs off the block where nothing before a conditional jump sets its predicate; here that is a block that
 * cannot be told.
 * @llvm R600InstrInfo.cpp R600InstrInfo::analyzeBranch
 */
function analyzeR600Branch(ctx: VerifierContext, b: BlockId): BranchShape | null {
  const { fn, plans } = ctx;
  const heads: InstrId[] = [];
  for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++)
    if ((fn.bundle[fn.order[p]] & 1) === 0) heads.push(fn.order[p]);
  const isOneOf = (set: OpcodeSetName, at: number): boolean =>
    at >= 0 && opcodeSet(fn.tables, set).has(fn.opcode[heads[at]]);
  const isJump = (at: number): boolean => isOneOf('r600Branch', at) || isOneOf('r600ConditionalBranch', at);
  const isPredicateSetBefore = (at: number): boolean =>
    heads.some((_, k) => k < at && isOneOf('r600PredicateSetter', k));
  let at = heads.length - 1;
  while (at >= 0 && plans.get(fn.opcode[heads[at]]).isDebug) at--;
  if (isOneOf('r600UnanalyzableBranch', at)) return null;
  if (!isJump(at)) return { tbb: -1, fbb: -1, hasCondition: false };
  while (isOneOf('r600Branch', at - 1)) at--;
  const isPlain = isOneOf('r600Branch', at);
  const target = targetOf(fn, heads[at]);
  if (!isJump(at - 1)) {
    if (isPlain) return { tbb: target, fbb: -1, hasCondition: false };
    return isPredicateSetBefore(at) ? { tbb: target, fbb: -1, hasCondition: true } : null;
  }
  if (!isPlain || !isPredicateSetBefore(at - 1)) return null;
  return { tbb: targetOf(fn, heads[at - 1]), fbb: target, hasCondition: true };
}

/**
 * null = the target cannot tell
 * @llvm SIInstrInfo.cpp SIInstrInfo::analyzeBranch
 */
function analyzeBranch(ctx: VerifierContext, b: BlockId): BranchShape | null {
  const { fn } = ctx;
  if (!fn.tables.isAMDGCN) return analyzeR600Branch(ctx, b);
  const isOneOf = (set: OpcodeSetName, i: InstrId): boolean => opcodeSet(fn.tables, set).has(fn.opcode[i]);
  const end = fn.blockEnd[b];
  const fallsThrough: BranchShape = { tbb: -1, fbb: -1, hasCondition: false };
  let p = firstTerminator(ctx, fn.blockBegin[b], end);
  while (p < end && !hasFlag(ctx, p, end, McFlag.Branch) && !hasFlag(ctx, p, end, McFlag.Return)) {
    if (isOneOf('unanalyzableBranch', fn.order[p])) return null;
    p = nextHead(ctx, p, end);
  }
  if (p >= end) return fallsThrough;
  const target = (i: InstrId): BlockId => targetOf(fn, i);
  const i = fn.order[p];
  if (isOneOf('branch', i)) return { tbb: target(i), fbb: -1, hasCondition: false };
  if (!isOneOf('conditionalBranch', i)) return null;
  const next = nextHead(ctx, p, end);
  if (next >= end) return { tbb: target(i), fbb: -1, hasCondition: true };
  const j = fn.order[next];
  if (!isOneOf('branch', j)) return null;
  return { tbb: target(i), fbb: target(j), hasCondition: true };
}

/**
 * Does the end of the block agree with its successor list? (3.3)
 * @llvm MachineVerifier.cpp MachineVerifier::visitMachineBasicBlockBefore
 */
export function checkBlockEnd(ctx: VerifierContext, b: BlockId): void {
  const shape = analyzeBranch(ctx, b);
  if (!shape) return;
  const { fn, out, plans } = ctx;
  const { tbb, fbb, hasCondition } = shape;
  const begin = fn.blockBegin[b];
  const end = fn.blockEnd[b];
  const endsWithBarrier = end > begin && plans.get(fn.opcode[fn.order[end - 1]]).flag(McFlag.Barrier);
  const hasT = tbb !== -1;
  const hasF = fbb !== -1;
  if (!hasT && !hasF) {
    if (endsWithBarrier)
      out.onBlock(b, 'MBB exits via unconditional fall-through but ends with a barrier instruction!');
    if (hasCondition) out.onBlock(b, 'MBB exits via unconditional fall-through but has a condition!');
  } else if (!hasT) out.onBlock(b, 'analyzeBranch returned invalid data!');
  else if (hasF) {
    if (!endsWithBarrier)
      out.onBlock(b, "MBB exits via conditional branch/branch but doesn't end with a barrier instruction!");
  } else if (hasCondition) {
    if (endsWithBarrier)
      out.onBlock(b, 'MBB exits via conditional branch/fall-through but ends with a barrier instruction!');
  } else if (!endsWithBarrier)
    out.onBlock(b, "MBB exits via unconditional branch but doesn't end with a barrier instruction!");

  const successors = fn.blocks[b].successors;
  if (hasT && !successors.includes(tbb))
    out.onBlock(
      b,
      "MBB exits via jump or conditional branch, but its target isn't a CFG successor!",
      undefined,
      0,
      tbb,
    );
  if (hasF && !successors.includes(fbb))
    out.onBlock(b, "MBB exits via conditional branch, but its target isn't a CFG successor!", undefined, 0, fbb);
  const next = b + 1;
  const fallsThroughToNext = !hasT || (hasCondition && !hasF);
  if (hasCondition && !hasF) {
    if (next >= ctx.nBlocks) out.onBlock(b, 'MBB conditionally falls through out of function!');
    else if (!successors.includes(next))
      out.onBlock(
        b,
        "MBB exits via conditional branch/fall-through but the CFG successors don't match the actual successors!",
        undefined,
        0,
        next,
      );
  }
  for (const s of successors) {
    if (s === tbb || s === fbb || (fallsThroughToNext && s === next)) continue;
    if (fn.blocks[s].isLandingPad || fn.blocks[s].isInlineAsmBrIndirectTarget) continue;
    out.onBlock(
      b,
      'MBB has unexpected successors which are not branch targets, fallthrough, EHPads, or inlineasm_br targets.',
      undefined,
      0,
      s,
    );
  }
}

/** What LLVM reads as a size from an operand that is no immediate is a pointer: some large number. */
const WILD_SIZE = 2 ** 46;

// -- 3.4 ---------------------------------------------------------------------------------------------------------------

/**
 * Call frame set-up and destruction along a depth-first walk from the entry (3.4).
 * @llvm MachineVerifier.cpp MachineVerifier::verifyStackFrame
 */
export function checkCallFrames(ctx: VerifierContext): void {
  const { fn, tables, nBlocks } = ctx;
  if (nBlocks === 0) return;
  const setup = tables.opcodeByName('ADJCALLSTACKUP');
  const destroy = tables.opcodeByName('ADJCALLSTACKDOWN');
  if (!hasCallFrames(ctx, setup, destroy)) return;
  const entryValue = new Float64Array(nBlocks);
  const exitValue = new Float64Array(nBlocks);
  const entrySetup = new Uint8Array(nBlocks);
  const exitSetup = new Uint8Array(nBlocks);
  const visited = new Uint8Array(nBlocks);

  const visit = (b: BlockId, from: BlockId): void => {
    visited[b] = 1;
    entryValue[b] = from >= 0 ? exitValue[from] : 0;
    entrySetup[b] = from >= 0 ? exitSetup[from] : 0;
    visitCallFrames(ctx, b, setup, destroy, { entryValue, exitValue, entrySetup, exitSetup, visited });
  };
  const path: BlockId[] = [0];
  const nextSucc = new Int32Array(nBlocks);
  visit(0, -1);
  while (path.length > 0) {
    const b = path[path.length - 1];
    const succs = fn.blocks[b].successors;
    if (nextSucc[b] >= succs.length) {
      path.pop();
      continue;
    }
    const s = succs[nextSucc[b]++];
    if (visited[s] === 1) continue;
    visit(s, b);
    path.push(s);
  }
}

function hasCallFrames(ctx: VerifierContext, setup: number, destroy: number): boolean {
  const { fn } = ctx;
  if (fn.blocks.some((b) => b.callFrameSize !== 0)) return true;
  for (let i = 0; i < fn.nInstrs; i++) if (fn.opcode[i] === setup || fn.opcode[i] === destroy) return true;
  return false;
}

interface FrameStates {
  readonly entryValue: Float64Array;
  readonly exitValue: Float64Array;
  readonly entrySetup: Uint8Array;
  readonly exitSetup: Uint8Array;
  readonly visited: Uint8Array;
}

function visitCallFrames(ctx: VerifierContext, b: BlockId, setup: number, destroy: number, st: FrameStates): void {
  const { fn, out, plans } = ctx;
  const { entryValue, exitValue, entrySetup, exitSetup, visited } = st;
  const expected = -entryValue[b];
  const size = fn.blocks[b].callFrameSize;
  if (size !== expected)
    out.onBlock(b, 'Call frame size on entry does not match value computed from predecessor', [
      `Call frame size on entry ${size} does not match value computed from predecessor ${expected === 0 ? 0 : expected}`,
    ]);

  let value = entryValue[b];
  let isSetup = entrySetup[b] === 1;
  const end = fn.blockEnd[b];
  const lacksAdjustsStack = !fn.header.isSSA && !fn.header.frameInfo.adjustsStack;
  const immediate = (i: InstrId, j: number): number => {
    if (j >= fn.numOperands(i)) return 0;
    const o = fn.opBegin[i] + j;
    return fn.opKind[o] === OperandKind.Immediate ? fn.imm(o) : WILD_SIZE;
  };
  for (let p = fn.blockBegin[b]; p < end; p++) {
    const i = fn.order[p];
    if (!ctx.isBlockHead(i)) continue;
    if (fn.opcode[i] === setup) {
      if (isSetup) out.onInstr(i, 'FrameSetup is after another FrameSetup');
      if (lacksAdjustsStack) out.onInstr(i, 'AdjustsStack not set in presence of a frame pseudo instruction.');
      value -= immediate(i, 0) + immediate(i, 1);
      isSetup = true;
    } else if (fn.opcode[i] === destroy) {
      const released = immediate(i, 0);
      if (!isSetup) out.onInstr(i, 'FrameDestroy is not after a FrameSetup');
      const absolute = Math.abs(value);
      if (isSetup && released !== absolute)
        out.onInstr(i, 'FrameDestroy <n> is after FrameSetup <m>', [
          `FrameDestroy <${released}> is after FrameSetup <${absolute}>.`,
        ]);
      if (lacksAdjustsStack) out.onInstr(i, 'AdjustsStack not set in presence of a frame pseudo instruction.');
      value += released;
      isSetup = false;
    }
  }
  exitValue[b] = value;
  exitSetup[b] = isSetup ? 1 : 0;

  const state = (values: Float64Array, setups: Uint8Array, x: BlockId): string =>
    `(${values[x] === 0 ? 0 : values[x]}, ${setups[x]})`;
  for (let p = ctx.predBegin[b]; p < ctx.predBegin[b + 1]; p++) {
    const pred = ctx.predList[p];
    if (visited[pred] === 0) continue;
    if (exitValue[pred] === entryValue[b] && exitSetup[pred] === entrySetup[b]) continue;
    out.onBlock(
      b,
      'The exit stack state of a predecessor is inconsistent.',
      [
        `Predecessor ${blockText(pred)} has exit state ${state(exitValue, exitSetup, pred)}, while ${blockText(b)} has entry state ${state(entryValue, entrySetup, b)}.`,
      ],
      0,
      pred,
    );
  }
  for (const succ of fn.blocks[b].successors) {
    if (visited[succ] === 0) continue;
    if (entryValue[succ] === exitValue[b] && entrySetup[succ] === exitSetup[b]) continue;
    out.onBlock(
      b,
      'The entry stack state of a successor is inconsistent.',
      [
        `Successor ${blockText(succ)} has entry state ${state(entryValue, entrySetup, succ)}, while ${blockText(b)} has exit state ${state(exitValue, exitSetup, b)}.`,
      ],
      0,
      succ,
    );
  }
  if (end > fn.blockBegin[b] && plans.get(fn.opcode[fn.order[end - 1]]).flag(McFlag.Return)) {
    if (isSetup) out.onBlock(b, 'A return block ends with a FrameSetup.');
    if (value !== 0) out.onBlock(b, 'A return block ends with a nonzero stack adjustment.');
  }
}

// -- 3.5 ---------------------------------------------------------------------------------------------------------------

/**
 * Position of the stack protector among the other stack objects (3.5).
 * @llvm MachineVerifier.cpp MachineVerifier::verifyStackProtector
 */
export function checkStackProtector(ctx: VerifierContext): void {
  const { header } = ctx.fn;
  const { frameInfo, stack } = header;
  if (frameInfo.stackProtector === '' || frameInfo.stackSize === 0n) return;
  const m = /^%stack\.(\d+)/.exec(frameInfo.stackProtector);
  if (!m) return;
  const guard = stack.findIndex((o) => o.sourceId === Number(m[1]));
  if (guard < 0) return;
  const begin = stack[guard].offset;
  const end = begin + stack[guard].size;
  for (let k = 0; k < stack.length; k++) {
    const o = stack[k];
    if (k === guard || o.stackId !== 'default' || o.type !== 'default') continue;
    if (begin < o.offset + o.size && o.offset < end) {
      ctx.out.onFunction('Stack protector overlaps with another stack object');
      return;
    }
    if (begin >= o.offset) {
      ctx.out.onFunction('Stack protector is not the top-most object on the stack');
      return;
    }
  }
}
