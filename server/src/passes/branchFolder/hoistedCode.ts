/** Instructions that both ways of a branch begin with go before it (docs/llvm/block-layout.md, 1). */
import { isInvariantLoad, isSafeToMove } from '../../analysis/safeToMove.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isPhysicalReg } from '../../model/register.js';
import { InstrCheck, sameInstr } from '../../model/sameOperand.js';
import { McFlag } from '../../target/api.js';
import { mergedLocation, setLocation } from '../debugLines.js';
import { beforeNoDebug, firstTerminator, isDebugInstr } from '../instrOrder.js';
import { NotModelled } from '../machinePass.js';
import type { FoldedFunction } from './foldedFunction.js';

/** Where instructions may go, and the registers that are read and written from there to the end of the block, with what overlaps them. */
interface HoistPlace {
  readonly at: ListPos;
  readonly uses: Set<number>;
  readonly defs: Set<number>;
}

export class HoistedCode {
  constructor(private readonly folded: FoldedFunction) {}

  /** @llvm BranchFolding.cpp BranchFolder::HoistCommonCode */
  run(): boolean {
    let hasChanged = false;
    for (const b of [...this.folded.layout.order()]) if (this.hoistInto(b)) hasChanged = true;
    return hasChanged;
  }

  private regs(i: InstrId): OperandId[] {
    const { fn } = this.folded;
    const found: OperandId[] = [];
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] !== 0) found.push(o);
    return found;
  }

  private addAliases(reg: number, to: Set<number>): void {
    for (const alias of this.folded.aliasesOf(reg)) to.add(alias);
  }

  private hasFlag(o: OperandId, flag: OpFlag): boolean {
    return (this.folded.fn.opFlags[o] & flag) !== 0;
  }

  private isMovable(i: InstrId): boolean {
    const { folded } = this;
    const { fn } = folded;
    if (!isSafeToMove(fn, i)) return false;
    return !folded.isBundledOr(i, McFlag.MayLoad) || (!folded.queries.isBundle(i) && isInvariantLoad(fn, i));
  }

  /** @llvm BranchFolding.cpp findHoistingInsertPosAndDeps */
  private placeIn(b: BlockId): HoistPlace | null {
    const { folded } = this;
    const { fn, editor } = folded;
    const uses = new Set<number>();
    const defs = new Set<number>();
    const at = firstTerminator(editor, b);
    for (const o of this.regs(at)) {
      const isDef = this.hasFlag(o, OpFlag.Def);
      if (isDef && !this.hasFlag(o, OpFlag.Dead)) return null;
      this.addAliases(fn.opVal[o], isDef ? defs : uses);
    }
    if (uses.size === 0 || editor.list.first(b) === at) return { at, uses, defs };
    const setter = beforeNoDebug(editor, at);
    if (setter < 0) return { at, uses, defs };
    for (let o = fn.opBegin[setter]; ; o++) {
      if (o === fn.opBegin[setter + 1] || fn.opKind[o] === OperandKind.RegisterMask) return { at, uses, defs };
      if (fn.opKind[o] === OperandKind.Register && this.hasFlag(o, OpFlag.Def) && uses.has(fn.opVal[o])) break;
    }
    if (!this.isMovable(setter)) return null;
    for (const o of this.regs(setter)) {
      const reg = fn.opVal[o];
      if (!this.hasFlag(o, OpFlag.Def)) {
        this.addAliases(reg, uses);
        continue;
      }
      if (uses.delete(reg) && isPhysicalReg(reg)) for (const part of fn.tables.subRegs(reg)) uses.delete(part);
      this.addAliases(reg, defs);
    }
    return { at: setter, uses, defs };
  }

  /** @llvm BranchFolding.cpp BranchFolder::HoistCommonCodeInSuccs */
  private hoistInto(b: BlockId): boolean {
    const { folded } = this;
    const { fn, editor } = folded;
    const { list } = editor;
    const branches = folded.read(b);
    if (branches === null || branches.target < 0 || branches.condition === null) return false;
    const { target } = branches;
    const { blocks } = fn;
    const other = branches.otherTarget >= 0 ? branches.otherTarget : blocks[b].successors.find((s) => s !== target);
    if (other === undefined || blocks[target].predecessors.length > 1 || blocks[other].predecessors.length > 1)
      return false;
    const place = this.placeIn(b);
    if (place === null) return false;
    const [ends, last] = this.commonBegin(target, other, place);
    if (last === 0) return false;
    if (target === b) throw new NotModelled('code that is hoisted within its block');
    if (target === other)
      for (let i = list.first(target); i !== ends[0]; i = list.first(target)) editor.move(i, place.at, b);
    for (let [i, j] = [list.first(target), list.first(other)]; target !== other && i !== ends[0];) {
      if (isDebugInstr(fn, i) || (j >= 0 && isDebugInstr(fn, j)))
        throw new NotModelled('debug instructions in code that goes up');
      const [next, behind] = [list.after(i), list.after(j)];
      const debugLocation = mergedLocation(
        this.folded.names,
        [i, j].map((m) => fn.extras.get(m)?.debugLocation),
      );
      setLocation(fn, i, debugLocation);
      editor.move(i, place.at, b);
      editor.erase(j);
      [i, j] = [next, behind];
    }
    if (target !== other) for (let j = list.first(other); j !== ends[1]; j = list.first(other)) editor.erase(j);
    if (folded.tracksLiveness) folded.recomputeLiveIns([target, other]);
    return true;
  }

  /** Where the equal instructions of two blocks end that may go up, and how many there are. */
  private commonBegin(a: BlockId, b: BlockId, place: HoistPlace): [ends: [ListPos, ListPos], n: number] {
    const { folded } = this;
    const { fn, editor } = folded;
    const { list } = editor;
    const active = new Set<number>();
    const written = new Set<number>();
    let [i, j] = [list.first(a), list.first(b)];
    for (let n = 0; ; n++) {
      i = folded.skipDebug(i, true);
      j = folded.skipDebug(j, true);
      if (i < 0 || j < 0 || !sameInstr(fn, i, j, InstrCheck.KillDead)) return [[i, j], n];
      if (!this.canPass(i, place, active) || !this.isMovable(i)) return [[i, j], n];
      for (const o of this.regs(i))
        if (!this.hasFlag(o, OpFlag.Def) && this.hasFlag(o, OpFlag.Kill) && written.has(fn.opVal[o]))
          for (const alias of folded.aliasesOf(fn.opVal[o])) active.delete(alias);
      for (const o of this.regs(i)) {
        if (!this.hasFlag(o, OpFlag.Def) || this.hasFlag(o, OpFlag.Dead) || !isPhysicalReg(fn.opVal[o])) continue;
        this.addAliases(fn.opVal[o], active);
        this.addAliases(fn.opVal[o], written);
      }
      i = list.after(i);
      j = list.after(j);
    }
  }

  /** Whether an instruction may go before what stands from the place on; its kill of what is read there goes. */
  private canPass(i: InstrId, { uses, defs }: HoistPlace, active: ReadonlySet<number>): boolean {
    const { fn } = this.folded;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask) return false;
      const reg = fn.opVal[o];
      if (fn.opKind[o] !== OperandKind.Register || reg === 0) continue;
      if (this.hasFlag(o, OpFlag.Def)) {
        if (uses.has(reg) || (defs.has(reg) && !this.hasFlag(o, OpFlag.Dead))) return false;
      } else if (!active.has(reg)) {
        if (defs.has(reg)) return false;
        if (uses.has(reg)) fn.opFlags[o] &= ~OpFlag.Kill;
      }
    }
    return true;
  }
}
