/**
 * `twoaddressinstruction`: sources that are tied to results become these, by copies in front, and REG_SEQUENCE and INSERT_SUBREG become copies
 * (TwoAddressInstructionPass, LLVM 22; docs/llvm/leaving-ssa.md, 3).
 */
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import { operandOf, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { maskClobbers } from '../../model/regMask.js';
import { isPhysicalReg, isVirtualReg, NO_REG, virtRegIndex, type Reg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { DOMINATORS, LOOPS } from '../controlFlowAnalyses.js';
import type { FunctionState } from '../functionState.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG, LIVE_INTERVALS } from '../passContext.js';
import type { LiveVariables } from './liveVariables.js';
import { LIVE_VARIABLES } from './liveVariablesPass.js';
import { TiedMoves } from './tiedMoves.js';
import { ThreeAddressForms } from './threeAddress.js';

/** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionLegacyPass */
export const twoAddressPass: MachinePass = {
  name: 'twoaddressinstruction',
  pipelineName: 'two-address-instruction',
  className: 'TwoAddressInstructionPass',
  title: 'Two-Address instruction pass',
  requires: [],
  uses: [LIVE_VARIABLES],
  preserves: [LIVE_VARIABLES, DOMINATORS, LOOPS, CFG],
  properties: { cleared: ['isSSA'] },
  run(state) {
    if (state.has(LIVE_INTERVALS))
      throw new NotModelled('live intervals that are kept while instructions get two addresses');
    new TwoAddresses(state).run();
    state.header.areTiesRewritten = true;
  },
};

/** Operands of one instruction, by their places. */
interface Tied {
  readonly source: number;
  readonly result: number;
}

/** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl */
class TwoAddresses {
  private readonly editor: FunctionEditor;
  private readonly fn: MachineFunction;
  private readonly builder: InstrBuilder;
  private readonly traits: Uint8Array;
  private readonly live: LiveVariables | null;
  private readonly forms: ThreeAddressForms;
  private readonly moves: TiedMoves;
  private readonly isOptNone: boolean;
  private block: BlockId = -1;
  private distance = 0;
  private readonly distances = new Map<InstrId, number>();
  /** registers that copies lead from and to, within the block */
  private readonly comesFrom = new Map<Reg, Reg>();
  private readonly goesTo = new Map<Reg, Reg>();
  private readonly processed = new Set<InstrId>();

  constructor(state: FunctionState) {
    this.isOptNone = state.fn.isOptNone || String(state.context.options.get('O')) === '0';
    this.editor = state.editor();
    this.fn = this.editor.fn;
    this.builder = new InstrBuilder(this.editor);
    this.traits = opcodeTraits(this.fn.tables);
    this.live = state.known(LIVE_VARIABLES);
    this.forms = new ThreeAddressForms(this.editor);
    this.moves = new TiedMoves(this.editor, this.live, this.distances, (i, reg) => this.isPlainlyKilled(i, reg));
    this.reschedules = state.context.options.get('twoaddr-reschedule') !== false;
  }

  private readonly reschedules: boolean;

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::run */
  run(): void {
    const { fn, editor } = this;
    const { list } = editor;
    for (let b = 0; b < fn.blocks.length; b++) {
      this.block = b;
      this.distance = 0;
      for (const map of [this.distances, this.comesFrom, this.goesTo, this.processed]) map.clear();
      for (let i: ListPos = list.first(b); i >= 0;)
        i = (this.traits[fn.opcode[i]] & OpcodeTrait.Debug) !== 0 ? list.after(i) : this.visit(i);
    }
  }

  private opcode(name: string): number {
    return this.fn.tables.opcodeByName(name);
  }

  /** Returns where to go on. */
  private visit(first: InstrId): ListPos {
    const { fn, editor } = this;
    let next = editor.list.after(first);
    const i = fn.opcode[first] === this.opcode('REG_SEQUENCE') ? this.expandSequence(first) : first;
    this.distances.set(i, ++this.distance);
    this.noteCopy(i);
    const tied = this.tiedOf(i);
    if (tied === null) {
      this.forgetClobbered(i);
      return next;
    }
    const only = tied.size === 1 ? [...tied.values()][0] : [];
    if (only.length === 1) {
      const changed = this.transform(i, only[0]);
      if (changed !== null) {
        this.forgetClobbered(changed.instr);
        next = changed.next;
        return next;
      }
    }
    for (const reg of inHashOrder([...tied.keys()])) this.rewrite(i, tied.get(reg)!);
    const made = fn.opcode[i] === this.opcode('INSERT_SUBREG') ? this.insertionAsCopy(i) : i;
    this.forgetClobbered(made);
    return next;
  }

  // -- what is tied ----------------------------------------------------------------------------------------------------------

  /**
   * By source, those that are not rewritten; null = nothing is tied at all. Undefined ones are rewritten at once.
   * @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::collectTiedOperands
   */
  private tiedOf(i: InstrId): Map<Reg, Tied[]> | null {
    const { fn, editor } = this;
    const begin = fn.opBegin[i];
    let found: Map<Reg, Tied[]> | null = null;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (editor.isDef(o) || fn.opTied[o] < 0) continue;
      found ??= new Map();
      const result = begin + fn.opTied[o];
      const [from, to] = [fn.opVal[o], fn.opVal[result]];
      if (from === to) continue;
      if ((fn.opFlags[o] & OpFlag.Undef) !== 0 && fn.opSub[result] === 0) {
        if (isVirtualReg(to)) editor.constrainClass(to, fn.vregs.regClass[virtRegIndex(from)]);
        editor.setReg(o, to);
        fn.opSub[o] = 0;
        continue;
      }
      const list = found.get(from) ?? [];
      list.push({ source: o - begin, result: result - begin });
      found.set(from, list);
    }
    return found;
  }

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::processTiedPairs */
  private rewrite(i: InstrId, pairs: readonly Tied[]): void {
    const { fn, editor, live } = this;
    const begin = fn.opBegin[i];
    const isEarly = pairs.some(({ result }) => (fn.opFlags[begin + result] & OpFlag.EarlyClobber) !== 0);
    let hasKill = false;
    let isAllCopied = true;
    let last: Reg = NO_REG;
    let from: Reg = NO_REG;
    let part = 0;
    for (const { source, result } of pairs) {
      const [o, to] = [begin + source, fn.opVal[begin + result]];
      from = fn.opVal[o];
      part = fn.opSub[o];
      if (to === from) {
        isAllCopied = false;
        continue;
      }
      last = to;
      const copy = this.builder.build(i, i, this.opcode('COPY'), [
        regOperand(to, OpFlag.Def),
        regOperand(from, 0, part),
      ]);
      this.distances.set(copy, this.distance);
      this.distances.set(i, ++this.distance);
      if (this.isKilledAt(o)) {
        fn.opFlags[o] &= ~OpFlag.Kill;
        hasKill = true;
      }
      if (isVirtualReg(to) && part === 0) editor.constrainClass(to, fn.vregs.regClass[virtRegIndex(from)]);
      editor.setReg(o, to);
      fn.opSub[o] = 0;
    }
    if (isAllCopied) {
      const isLeft = this.renameOthers(i, from, part, last, isEarly, () => (hasKill = true));
      if (!hasKill || isLeft) return;
      if (live?.info(from).removeKill(i) === true) live.addKill(from, editor.list.before(i));
      this.comesFrom.set(last, from);
    } else if (hasKill)
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if (!editor.isDef(o) && fn.opVal[o] === from) {
          fn.opFlags[o] |= OpFlag.Kill;
          break;
        }
  }

  /** Other reads of what was copied read the copy; whether some are left. */
  private renameOthers(i: InstrId, from: Reg, part: number, to: Reg, isEarly: boolean, killed: () => void): boolean {
    const { fn, editor } = this;
    let isLeft = false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (editor.isDef(o) || fn.opVal[o] !== from) continue;
      if (fn.opSub[o] !== part || isEarly) {
        isLeft = true;
        continue;
      }
      if (this.isKilledAt(o)) {
        fn.opFlags[o] &= ~OpFlag.Kill;
        killed();
      }
      editor.setReg(o, to);
      fn.opSub[o] = 0;
    }
    return isLeft;
  }

  private insertionAsCopy(i: InstrId): InstrId {
    const { fn, editor } = this;
    const begin = fn.opBegin[i];
    const part = fn.opVal[begin + 3];
    const isUndef = (fn.opFlags[begin + 1] & OpFlag.Undef) !== 0;
    fn.opTied[begin] = fn.opTied[begin + 1] = -1;
    const made = editor.withoutOperands(i, new Set([1, 3]));
    fn.opcode[made] = this.opcode('COPY');
    const result = fn.opBegin[made];
    fn.opSub[result] = part;
    if (isUndef) fn.opFlags[result] |= OpFlag.Undef;
    this.followKills(i, made);
    const at = this.distances.get(i);
    if (at !== undefined) this.distances.set(made, at);
    return made;
  }

  private followKills(from: InstrId, to: InstrId): void {
    const { fn, live } = this;
    if (live === null) return;
    for (let o = fn.firstReg(to); o >= 0; o = fn.nextReg(to, o))
      if (isVirtualReg(fn.opVal[o])) live.replaceKill(fn.opVal[o], from, to);
  }

  /**
   * A copy for each part. Returns the first one.
   * @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::eliminateRegSequence
   */
  private expandSequence(i: InstrId): InstrId {
    const { fn, editor, live } = this;
    const begin = fn.opBegin[i];
    const end = fn.opBegin[i + 1];
    const result = fn.opVal[begin];
    let first: InstrId = -1;
    for (let o = begin + 1; o + 1 < end; o += 2) {
      if ((fn.opFlags[o] & OpFlag.Undef) !== 0) continue;
      const reg = fn.opVal[o];
      let isKill = (fn.opFlags[o] & OpFlag.Kill) !== 0;
      for (let later = o + 2; isKill && later + 1 < end; later += 2) {
        if (fn.opVal[later] !== reg) continue;
        fn.opFlags[later] |= OpFlag.Kill;
        fn.opFlags[o] &= ~OpFlag.Kill;
        isKill = false;
      }
      const flags = OpFlag.Def | (first < 0 ? OpFlag.Undef : 0);
      const copy = this.builder.build(i, i, this.opcode('COPY'), [
        regOperand(result, flags, fn.opVal[o + 1]),
        operandOf(fn, o),
      ]);
      if (first < 0) first = copy;
      if (live !== null && isKill && isVirtualReg(reg)) live.replaceKill(reg, i, copy);
    }
    if (first >= 0) {
      editor.erase(i);
      return first;
    }
    const gone = new Set<number>();
    for (let k = 1; k < end - begin; k++) gone.add(k);
    const made = editor.withoutOperands(i, gone);
    fn.opcode[made] = this.opcode('IMPLICIT_DEF');
    this.followKills(i, made);
    return made;
  }

  // -- other ways ------------------------------------------------------------------------------------------------------------

  /**
   * Null: it needs copies.
   * @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::tryInstructionTransform
   */
  private transform(i: InstrId, { source, result }: Tied): { instr: InstrId; next: ListPos } | null {
    const { fn } = this;
    if (this.isOptNone) return null;
    const begin = fn.opBegin[i];
    const [to, from] = [fn.opVal[begin + result], fn.opVal[begin + source]];
    const isKilled = this.isKilled(i, from, true);
    if (isVirtualReg(to)) this.scanUses(to);
    this.refuseCommuting(i, source);
    const below = this.reschedules ? this.moves.belowKill(i, from) : null;
    if (below !== null) return { instr: i, next: below };
    if (
      hasOpcodeFlag(fn.tables, fn.opcode[i], McFlag.ConvertibleTo3Addr) &&
      (!isKilled || this.isWorthThree(to, from))
    ) {
      const made = this.convert(i);
      if (made >= 0) {
        this.comesFrom.delete(to);
        this.goesTo.delete(from);
        return { instr: made, next: this.editor.list.after(made) };
      }
    }
    const above = this.reschedules ? this.moves.killAbove(i, from) : null;
    return above === null ? null : { instr: i, next: above };
  }

  /** No instruction of the target ties one of the two sources that could change places. */
  private refuseCommuting(i: InstrId, source: number): void {
    const { fn } = this;
    if (!hasOpcodeFlag(fn.tables, fn.opcode[i], McFlag.Commutable)) return;
    const places = fn.tables.getNamedOperandIdxs(fn.opcode[i], ['src0', 'src1']);
    if (places.includes(source) && places.every((k) => k >= 0))
      throw new NotModelled(`${fn.tables.opcodeName(fn.opcode[i])}, whose sources might change places`);
  }

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::convertInstTo3Addr */
  private convert(i: InstrId): InstrId {
    const { fn, editor, live, forms } = this;
    const converted = forms.build(i);
    if (converted === null) return -1;
    const { made, move } = converted;
    if (live !== null)
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if ((fn.opFlags[o] & OpFlag.Kill) !== 0 && isVirtualReg(fn.opVal[o])) live.replaceKill(fn.opVal[o], i, made);
    const left = move < 0 ? -1 : forms.giveUp(move, i);
    if (left >= 0) {
      const reg = fn.opVal[fn.opBegin[left]];
      const at = this.distances.get(move);
      if (at !== undefined) this.distances.set(left, at);
      live?.info(reg).alive.clear();
      live?.replaceKill(reg, move, left);
    }
    editor.erase(i);
    this.distances.set(made, this.distance);
    return made;
  }

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::isProfitableToConv3Addr */
  private isWorthThree(to: Reg, from: Reg): boolean {
    const source = this.mapped(from, this.comesFrom);
    const target = source === NO_REG ? NO_REG : this.mapped(to, this.goesTo);
    return target !== NO_REG && source !== target && !this.fn.tables.regsOverlap(source, target);
  }

  /** The physical register at the end of a chain. */
  private mapped(reg: Reg, map: ReadonlyMap<Reg, Reg>): Reg {
    let at: Reg | undefined = reg;
    while (at !== undefined && isVirtualReg(at)) at = map.get(at);
    return at ?? NO_REG;
  }

  // -- kills and chains of copies ----------------------------------------------------------------------------------------------

  private isKilledAt(o: OperandId): boolean {
    return (this.fn.opFlags[o] & OpFlag.Kill) !== 0 || this.isPlainlyKilled(this.editor.instrOf(o), this.fn.opVal[o]);
  }

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::isPlainlyKilled */
  private isPlainlyKilled(i: InstrId, reg: Reg): boolean {
    const { fn, editor } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === reg && !editor.isDef(o) && (fn.opFlags[o] & OpFlag.Kill) !== 0) return true;
    return false;
  }

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::isKilled */
  private isKilled(i: InstrId, from: Reg, allowsFalse: boolean): boolean {
    const { editor } = this;
    let reg = from;
    let at = i;
    for (;;) {
      if (isPhysicalReg(reg) && (allowsFalse || this.hasOneUse(reg))) return true;
      if (!this.isPlainlyKilled(at, reg)) return false;
      if (isPhysicalReg(reg) || !editor.hasOneDef(reg)) return true;
      at = editor.defOf(reg);
      const copy = this.copyOf(at);
      if (copy === null) return true;
      reg = copy.source;
    }
  }

  private hasOneUse(reg: Reg): boolean {
    const { editor } = this;
    return [...editor.operandsOf(reg)].filter((o) => !editor.isDef(o)).length === 1;
  }

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::isCopyToReg */
  private copyOf(i: InstrId): { readonly source: Reg; readonly result: Reg } | null {
    const { fn } = this;
    const begin = fn.opBegin[i];
    const result = fn.opVal[begin];
    if (fn.opcode[i] === this.opcode('COPY')) return { source: fn.opVal[begin + 1], result };
    const takesPart = fn.opcode[i] === this.opcode('INSERT_SUBREG') || fn.opcode[i] === this.opcode('SUBREG_TO_REG');
    return takesPart ? { source: fn.opVal[begin + 2], result } : null;
  }

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::processCopy */
  private noteCopy(i: InstrId): void {
    const copy = this.processed.has(i) ? null : this.copyOf(i);
    if (copy === null) return;
    const { source, result } = copy;
    const [isFromPhys, isToPhys] = [isPhysicalReg(source), isPhysicalReg(result)];
    if (isToPhys && !isFromPhys) {
      if (!this.goesTo.has(source)) this.goesTo.set(source, result);
    } else if (!isToPhys && isFromPhys) {
      if (!this.comesFrom.has(result)) this.comesFrom.set(result, source);
      this.scanUses(result);
    }
    this.processed.add(i);
  }

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::scanUses */
  private scanUses(start: Reg): void {
    const chain: Reg[] = [];
    let reg = start;
    for (let use = this.onlyUse(reg); use !== null; use = this.onlyUse(reg)) {
      if (use.isCopy) {
        if (this.processed.has(use.instr)) break;
        this.processed.add(use.instr);
      }
      if (this.distances.has(use.instr)) break;
      if (isPhysicalReg(use.result)) {
        chain.push(use.result);
        break;
      }
      this.comesFrom.set(use.result, reg);
      chain.push(use.result);
      reg = use.result;
    }
    let to = chain.pop();
    if (to === undefined) return;
    for (let from = chain.pop(); from !== undefined; from = chain.pop()) {
      if (!this.goesTo.has(from)) this.goesTo.set(from, to);
      to = from;
    }
    if (!this.goesTo.has(start)) this.goesTo.set(start, to);
  }

  /**
   * The last read of a register that is read in this block only, if it is a copy or tied to a result.
   * @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::findOnlyInterestingUse
   */
  private onlyUse(reg: Reg): { readonly instr: InstrId; readonly result: Reg; readonly isCopy: boolean } | null {
    const { fn, editor } = this;
    let use: InstrId = -1;
    for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDef(o) || editor.isDebug(o)) continue;
      const i = editor.instrOf(o);
      if (fn.instrBlock[i] !== this.block) return null;
      if (this.isPlainlyKilled(i, reg)) use = i;
    }
    if (use < 0) return null;
    const copy = this.copyOf(use);
    if (copy !== null) return { instr: use, result: copy.result, isCopy: true };
    const result = this.moves.tiedResult(use, reg);
    return result === NO_REG ? null : { instr: use, result, isCopy: false };
  }

  /** @llvm TwoAddressInstructionPass.cpp TwoAddressInstructionImpl::removeClobberedSrcRegMap */
  private forgetClobbered(i: InstrId): void {
    const { fn, editor, comesFrom } = this;
    const { tables } = fn;
    if (fn.opcode[i] === this.opcode('COPY')) {
      const begin = fn.opBegin[i];
      const to = fn.opVal[begin];
      if (to === NO_REG || isVirtualReg(to)) return;
      const from = this.mapped(fn.opVal[begin + 1], comesFrom);
      if (from === to || (from !== NO_REG && tables.regsOverlap(to, from))) return;
    }
    const drop = (isGone: (reg: Reg) => boolean): void => {
      for (const [key, to] of [...comesFrom]) if (isPhysicalReg(to) && isGone(to)) comesFrom.delete(key);
    };
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask) drop((reg) => maskClobbers(fn, o, reg));
      else if (fn.opKind[o] === OperandKind.Register && editor.isDef(o) && isPhysicalReg(fn.opVal[o]))
        drop((reg) => tables.regsOverlap(reg, fn.opVal[o]));
    }
  }
}

/** Registers in the order of LLVM's small hash tables: by number times 37, in four places. */
function inHashOrder(regs: readonly Reg[]): Reg[] {
  if (regs.length < 2) return [...regs];
  if (regs.length > 2) throw new NotModelled('more than two tied sources');
  const places: (Reg | undefined)[] = [undefined, undefined, undefined, undefined];
  for (const reg of regs) {
    let at = (Math.imul(isVirtualReg(reg) ? virtRegIndex(reg) : reg, 37) & 3) >>> 0;
    for (let probe = 1; places[at] !== undefined; probe++) at = (at + probe) & 3;
    places[at] = reg;
  }
  return places.filter((reg) => reg !== undefined);
}
