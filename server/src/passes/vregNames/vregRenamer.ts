/** Virtual registers named by what defines them: `bbN_HASH__COUNT` (VRegRenamer, LLVM 22; docs/llvm/small-passes.md, 13). */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { sizeInBits } from '../../model/llt.js';
import type { MemOperand } from '../../model/memOperand.js';
import { isVirtualReg, virtReg, virtRegIndex, type Reg, type VRegId } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { hashNumbers, type Sized } from '../../util/hashCombine.js';
import type { FunctionState } from '../functionState.js';
import { NotModelled } from '../machinePass.js';

/** Numbers of MachineOperand::MachineOperandType. */
const TYPE_OF: ReadonlyMap<OperandKind, bigint> = new Map([
  [OperandKind.CImmediate, 2n],
  [OperandKind.FPImmediate, 3n],
  [OperandKind.FrameIndex, 5n],
  [OperandKind.ConstantPoolIndex, 6n],
  [OperandKind.JumpTableIndex, 8n],
]);

/** Numbers of AtomicOrdering. */
const ORDERINGS: ReadonlyMap<string, bigint> = new Map([
  ['', 0n],
  ['unordered', 1n],
  ['monotonic', 2n],
  ['acquire', 4n],
  ['release', 5n],
  ['acq_rel', 6n],
  ['seq_cst', 7n],
]);

/** LLVM has two flags of bundles in between that ours are told apart from. */
const FLAGS_BEFORE_BUNDLES = 2;
const BUNDLED_PRED = 4;
const BUNDLED_SUCC = 8;
/** bits of immediate operands of INLINEASM: the asm may store */
const ASM_MAY_STORE = 16;

/** Options with which names are others. */
const OTHER_NAMES = ['mir-vreg-namer-use-stable-hash'];

/** @llvm MIRVRegNamerUtils.cpp VRegRenamer */
export class VRegRenamer {
  private readonly editor: FunctionEditor;
  private readonly fn: MachineFunction;
  private scopes: ReadonlyMap<string, bigint> | null = null;

  constructor(private readonly state: FunctionState) {
    for (const name of OTHER_NAMES)
      if (state.context.options.get(name) === true) throw new NotModelled(`names by '-${name}'`);
    this.editor = state.editor();
    this.fn = this.editor.fn;
    if (!this.fn.subtarget.release.rules.hashesByCity) throw new NotModelled('names by the hashes of this release');
  }

  /**
   * Renames what the instructions of a block define; `n`: which block in the order of the pass.
   * @llvm MIRVRegNamerUtils.cpp VRegRenamer::renameInstsInMBB
   */
  rename(b: BlockId, n: number): void {
    const { fn, editor } = this;
    const { list } = editor;
    const named: [VRegId, string][] = [];
    for (let i = list.first(b); i >= 0; i = list.after(i)) {
      if (this.mayStore(i) || this.has(i, McFlag.Branch)) continue;
      let name = '';
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!editor.isDef(o) || !isVirtualReg(fn.opVal[o])) continue;
        if (name === '') name = `bb${n}_${this.hashOf(i).toString(16).padStart(16, '0')}`;
        named.push([virtRegIndex(fn.opVal[o]), name]);
      }
    }
    const counts = new Map<string, number>();
    const renamed = new Map<VRegId, Reg>();
    for (const [v, name] of named) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      renamed.set(v, this.newVReg(v, `${name}__${count}`));
    }
    for (const [v, to] of [...renamed].sort(([x], [y]) => x - y)) editor.replaceReg(virtReg(v), to);
  }

  private newVReg(like: VRegId, name: string): Reg {
    const { vregs } = this.fn;
    const v = vregs.add(-1, name);
    vregs.regClass[v] = vregs.regClass[like];
    if (vregs.regClass[like] < 0) vregs.type[v] = vregs.type[like];
    return virtReg(v);
  }

  private has(i: InstrId, flag: McFlag): boolean {
    const { fn } = this;
    for (let m = i; ; m++) {
      if (hasOpcodeFlag(fn.tables, fn.opcode[m], flag)) return true;
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return false;
    }
  }

  private mayStore(i: InstrId): boolean {
    const { fn } = this;
    if (this.has(i, McFlag.MayStore)) return true;
    if (!opcodeSet(fn.tables, 'inlineAsm').has(fn.opcode[i])) return false;
    return (fn.imm(fn.opBegin[i] + 1) & ASM_MAY_STORE) !== 0;
  }

  // -- hashes ------------------------------------------------------------------------------------------------------

  /** @llvm MIRVRegNamerUtils.cpp VRegRenamer::getInstructionOpcodeHash */
  private hashOf(i: InstrId): bigint {
    const { fn } = this;
    const numbers: bigint[] = [BigInt(fn.opcode[i]), BigInt(this.flagsOf(i))];
    for (let k = this.numDefs(i); k < fn.numOperands(i); k++) numbers.push(this.ofOperand(fn.opBegin[i] + k));
    for (const m of fn.memOperands[i] ?? []) numbers.push(...this.ofMemory(m));
    return hashNumbers(numbers.map((n): Sized => [n, 4]));
  }

  private flagsOf(i: InstrId): number {
    const { fn } = this;
    const flags = fn.instrFlags[i];
    const low = flags & ((1 << FLAGS_BEFORE_BUNDLES) - 1);
    const bundle = fn.bundle[i];
    const glue =
      ((bundle & BundleFlag.BundledPred) !== 0 ? BUNDLED_PRED : 0) +
      ((bundle & BundleFlag.BundledSucc) !== 0 ? BUNDLED_SUCC : 0);
    return low + glue + (flags - low) * 4;
  }

  /** @llvm MachineInstr.cpp MachineInstr::getNumExplicitDefs */
  private numDefs(i: InstrId): number {
    const { fn, editor } = this;
    const { tables } = fn;
    let n = tables.opcodeNumDefs(fn.opcode[i]);
    if (!hasOpcodeFlag(tables, fn.opcode[i], McFlag.Variadic)) return n;
    for (; n < fn.numOperands(i); n++) {
      const o = fn.opBegin[i] + n;
      if (fn.opKind[o] !== OperandKind.Register || !editor.isDef(o) || (fn.opFlags[o] & OpFlag.Implicit) !== 0) break;
    }
    return n;
  }

  private ofOperand(o: OperandId): bigint {
    const { fn, editor } = this;
    const kind: OperandKind = fn.opKind[o];
    const type = TYPE_OF.get(kind) ?? 0n;
    const head: readonly Sized[] = [
      [type, 1],
      [BigInt(fn.opTargetFlags[o]), 4],
    ];
    switch (kind) {
      case OperandKind.Register: {
        const reg = fn.opVal[o];
        if (!isVirtualReg(reg)) return BigInt(reg);
        const def = editor.defOf(reg);
        if (def < 0) throw new NotModelled('a register without a definition, at which llc crashes,');
        return BigInt(fn.opcode[def]);
      }
      case OperandKind.Immediate:
        return fn.immBigInt(o);
      case OperandKind.CImmediate: {
        const { value } = fn.payload(o, OperandKind.CImmediate);
        return hashNumbers([...head, [value, 8]]);
      }
      case OperandKind.FPImmediate: {
        const { bits } = fn.payload(o, OperandKind.FPImmediate);
        return hashNumbers([...head, [bits, 8]]);
      }
      case OperandKind.TargetIndex:
        return fn.payload(o, OperandKind.TargetIndex).offset | (BigInt(fn.opTargetFlags[o]) << 16n);
      case OperandKind.FrameIndex:
        return hashNumbers([...head, [BigInt(fn.opVal[o]), 4]]);
      case OperandKind.ConstantPoolIndex: {
        const { index, offset } = fn.payload(o, OperandKind.ConstantPoolIndex);
        return hashNumbers([...head, [BigInt(index), 4], [offset, 8]]);
      }
      case OperandKind.JumpTableIndex:
        return hashNumbers([...head, [BigInt(fn.payload(o, OperandKind.JumpTableIndex).index), 4]]);
      default:
        return 0n;
    }
  }

  private ofMemory(m: MemOperand): bigint[] {
    if (m.type === null) throw new NotModelled('memory of unknown size, at which llc dies,');
    return [
      BigInt(Math.ceil(sizeInBits(m.type) / 8)),
      BigInt(m.flags),
      m.wideOffset ?? BigInt(m.offset),
      ORDERINGS.get(m.ordering) ?? 0n,
      BigInt(m.addressSpace),
      this.scopeOf(m.syncScope),
      BigInt(m.baseAlign),
      ORDERINGS.get(m.failureOrdering) ?? 0n,
    ];
  }

  /** Scopes have numbers in the order in which a run meets their names: the module's, then those of the functions. */
  private scopeOf(name: string): bigint {
    if (this.scopes === null) {
      const scopes = new Map([
        ['singlethread', 0n],
        ['', 1n],
      ]);
      for (const [, scope = ''] of this.state.context.source.matchAll(/syncscope\("([^"]*)"\)/g))
        if (!scopes.has(scope)) scopes.set(scope, BigInt(scopes.size));
      this.scopes = scopes;
    }
    return this.scopes.get(name) ?? 0n;
  }
}
