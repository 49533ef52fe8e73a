/** The branches at the end of a block on lists: read, taken out, put in, and made to fit another layout. */
import type { FunctionEditor, NewOperand } from '../model/edit/functionEditor.js';
import { InstrBuilder } from '../model/edit/instrBuilder.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import type { DebugNames } from '../model/printer/index.js';
import { McFlag } from '../target/api.js';
import { hasOpcodeFlag } from '../target/opcodes.js';
import { opcodeSet } from '../target/opcodeSets.js';
import { mergedLocation } from './debugLines.js';
import { firstTerminator } from './instrOrder.js';

/** Where a block goes; without targets it falls through. */
export interface Branches {
  readonly target: BlockId;
  readonly otherTarget: BlockId;
  /** null: always */
  readonly condition: Condition | null;
}

export interface Condition {
  readonly opcode: number;
  /** kill and undef of the register that is tested */
  readonly flags: number;
}

const NO_BLOCK: BlockId = -1;

const OPPOSITE = new Map<string, string>(
  [
    ['S_CBRANCH_SCC1', 'S_CBRANCH_SCC0'],
    ['S_CBRANCH_VCCNZ', 'S_CBRANCH_VCCZ'],
    ['S_CBRANCH_EXECNZ', 'S_CBRANCH_EXECZ'],
  ].flatMap(([a, b]): [string, string][] => [
    [a, b],
    [b, a],
  ]),
);

/** Terminators of a block that name `old` name another block. */
export function retargetBranches(editor: FunctionEditor, b: BlockId, old: BlockId, to: BlockId): void {
  const { fn, list } = editor;
  for (let i = firstTerminator(editor, b); i >= 0; i = list.after(i))
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.MBB && fn.opVal[o] === old) fn.opVal[o] = to;
}

export class BlockEnds {
  private readonly fn: MachineFunction;
  private readonly builder: InstrBuilder;

  /** `nextOf`: the block that follows one in the layout, -1 after the last one */
  constructor(
    private readonly editor: FunctionEditor,
    private readonly nextOf: (b: BlockId) => BlockId,
  ) {
    this.fn = editor.fn;
    this.builder = new InstrBuilder(editor, true);
  }

  /**
   * null: LLVM cannot tell
   * @llvm SIInstrInfo.cpp SIInstrInfo::analyzeBranch
   */
  read(b: BlockId): Branches | null {
    const { fn, editor } = this;
    const { list } = editor;
    const { tables } = fn;
    let p = firstTerminator(editor, b);
    while (p >= 0 && !this.isBranch(p)) {
      if (opcodeSet(tables, 'unanalyzableBranch').has(fn.opcode[p])) return null;
      p = list.after(p);
    }
    if (p < 0) return { target: NO_BLOCK, otherTarget: NO_BLOCK, condition: null };
    if (opcodeSet(tables, 'branch').has(fn.opcode[p]))
      return { target: this.targetOf(p), otherTarget: NO_BLOCK, condition: null };
    if (!opcodeSet(tables, 'conditionalBranch').has(fn.opcode[p])) return null;
    const tested = fn.opBegin[p] + 1;
    const condition = {
      opcode: fn.opcode[p],
      flags: tested < fn.opBegin[p + 1] ? fn.opFlags[tested] & (OpFlag.Kill | OpFlag.Undef) : 0,
    };
    const next = list.after(p);
    if (next < 0) return { target: this.targetOf(p), otherTarget: NO_BLOCK, condition };
    if (!opcodeSet(tables, 'branch').has(fn.opcode[next])) return null;
    return { target: this.targetOf(p), otherTarget: this.targetOf(next), condition };
  }

  /**
   * The block that this one goes on to without a branch, or, where `countsBranches`, by one to what follows; -1: none.
   * @llvm MachineBasicBlock.cpp MachineBasicBlock::getFallThrough
   */
  fallThrough(b: BlockId, countsBranches = true): BlockId {
    const { fn, editor } = this;
    const next = this.nextOf(b);
    if (next < 0 || !fn.blocks[b].successors.includes(next)) return NO_BLOCK;
    const ends = this.read(b);
    if (ends === null) {
      const last = editor.list.before(~b);
      return last >= 0 && hasOpcodeFlag(fn.tables, fn.opcode[last], McFlag.Barrier) ? NO_BLOCK : next;
    }
    const { target, otherTarget, condition } = ends;
    if (target < 0 || (countsBranches && (target === next || otherTarget === next))) return next;
    return condition === null || otherTarget >= 0 ? NO_BLOCK : next;
  }

  private isBranch(i: InstrId): boolean {
    const { tables, opcode } = this.fn;
    return hasOpcodeFlag(tables, opcode[i], McFlag.Branch) || hasOpcodeFlag(tables, opcode[i], McFlag.Return);
  }

  private targetOf(i: InstrId): BlockId {
    const { fn } = this;
    const o = fn.opBegin[i];
    return fn.opKind[o] === OperandKind.MBB ? fn.opVal[o] : NO_BLOCK;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::removeBranch */
  remove(b: BlockId): void {
    const { list } = this.editor;
    for (let i = firstTerminator(this.editor, b); i >= 0;) {
      const next = list.after(i);
      if (this.isBranch(i)) this.editor.erase(i);
      i = next;
    }
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::insertBranch */
  insert(b: BlockId, target: BlockId, otherTarget: BlockId, condition: Condition | null, debugLocation?: string): void {
    const { fn, builder } = this;
    const jump = (to: BlockId): NewOperand[] => [{ kind: OperandKind.MBB, val: to }];
    const plain = fn.tables.opcodeByName('S_BRANCH');
    const made = [builder.build(~b, -1, condition?.opcode ?? plain, jump(target))];
    if (condition !== null) {
      const tested = fn.opBegin[made[0]] + 1;
      if (tested < fn.opBegin[made[0] + 1]) fn.opFlags[tested] |= condition.flags;
      if (otherTarget !== NO_BLOCK) made.push(builder.build(~b, -1, plain, jump(otherTarget)));
    }
    if (debugLocation !== undefined) for (const i of made) fn.extras.set(i, { debugLocation });
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::reverseBranchCondition */
  reversed({ opcode, flags }: Condition): Condition {
    const { tables } = this.fn;
    return { opcode: tables.opcodeByName(OPPOSITE.get(tables.opcodeName(opcode))!), flags };
  }

  /** The location of the block's only branches, where they have the same one. */
  locationOf(b: BlockId): string | undefined {
    const { fn, editor } = this;
    let found: string | undefined;
    let isFirst = true;
    for (let i = firstTerminator(editor, b); i >= 0; i = editor.list.after(i)) {
      if (!hasOpcodeFlag(fn.tables, fn.opcode[i], McFlag.Branch)) continue;
      const at = fn.extras.get(i)?.debugLocation;
      if (isFirst) found = at;
      else if (found !== at) found = undefined;
      isFirst = false;
    }
    return found;
  }

  /**
   * The location for branches that take the place of those of a block; to be made before these go. Throws NotModelled where they are of several files.
   * @llvm MachineBasicBlock.cpp MachineBasicBlock::findBranchDebugLoc
   */
  branchLocation(b: BlockId, names: DebugNames): () => string | undefined {
    const { fn, editor } = this;
    const found: (string | undefined)[] = [];
    for (let i = firstTerminator(editor, b); i >= 0; i = editor.list.after(i))
      if (hasOpcodeFlag(fn.tables, fn.opcode[i], McFlag.Branch)) found.push(fn.extras.get(i)?.debugLocation);
    return () => mergedLocation(names, found);
  }

  /**
   * The branches of a block after its successors or what follows it have changed. `before`: the block that followed it until now.
   * @llvm MachineBasicBlock.cpp MachineBasicBlock::updateTerminator
   */
  update(b: BlockId, before: BlockId): void {
    const { fn } = this;
    const { successors } = fn.blocks[b];
    if (successors.length === 0) return;
    const ends = this.read(b);
    if (ends === null) return;
    const next = this.nextOf(b);
    const location = this.locationOf(b);
    const { target, otherTarget, condition } = ends;
    const replace = (to: BlockId, other: BlockId, by: Condition | null): void => {
      this.remove(b);
      this.insert(b, to, other, by, location);
    };
    if (condition === null) {
      if (target !== NO_BLOCK) {
        if (target === next) this.remove(b);
      } else if (successors.includes(before) && !fn.blocks[before].isLandingPad && before !== next)
        this.insert(b, before, NO_BLOCK, null, location);
      return;
    }
    if (otherTarget !== NO_BLOCK) {
      if (target === next) replace(otherTarget, NO_BLOCK, this.reversed(condition));
      else if (otherTarget === next) replace(target, NO_BLOCK, condition);
    } else if (before === target) {
      this.remove(b);
      if (target !== next) this.insert(b, target, NO_BLOCK, null, location);
    } else if (target === next) replace(before, NO_BLOCK, this.reversed(condition));
    else if (before !== next) replace(target, before, condition);
  }
}
