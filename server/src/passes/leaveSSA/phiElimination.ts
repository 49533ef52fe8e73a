/**
 * `phi-node-elimination`: PHIs become copies, one at the end of each predecessor and one at the start of the block (PHIElimination, LLVM 22;
 * docs/llvm/leaving-ssa.md, 2).
 */
import { isBehindPhis } from '../../analysis/blockPrologue.js';
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { regOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import {
  BundleFlag,
  OpFlag,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { NO_REG, virtRegIndex, type Reg } from '../../model/register.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { DOMINATORS, LOOPS } from '../controlFlowAnalyses.js';
import type { FunctionState } from '../functionState.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { LIVE_INTERVALS } from '../passContext.js';
import { EdgeSplitter } from './edgeSplitter.js';
import type { LiveVariables } from './liveVariables.js';
import { LIVE_VARIABLES } from './liveVariablesPass.js';
import { firstTerminator } from '../instrOrder.js';

/** @llvm PHIElimination.cpp PHIElimination */
export const phiEliminationPass: MachinePass = {
  name: 'phi-node-elimination',
  pipelineName: 'phi-node-elimination',
  className: 'PHIEliminationPass',
  title: 'Eliminate PHI nodes for register allocation',
  isRequired: true,
  requires: [],
  uses: [LIVE_VARIABLES],
  preserves: [LIVE_VARIABLES, DOMINATORS, LOOPS],
  properties: { cleared: ['isSSA'] },
  run(state) {
    if (state.has(LIVE_INTERVALS)) throw new NotModelled('live intervals that are kept while PHIs go');
    new PhiElimination(state).run();
    state.header.noPhis = true;
  },
};

/** A PHI that has left its block: its operands still stand in the columns. */
interface Phi {
  readonly result: Reg;
  readonly isDead: boolean;
  /** register operands, each followed by its block */
  readonly sources: readonly OperandId[];
}

class PhiElimination {
  private readonly editor: FunctionEditor;
  private readonly fn: MachineFunction;
  private readonly builder: InstrBuilder;
  private readonly traits: Uint8Array;
  private readonly live: LiveVariables | null;
  private readonly copy: number;
  private readonly implicitDef: number;
  /** reads by PHIs that are left, by block and register */
  private readonly readsLeft = new Map<string, number>();
  private readonly implicitDefs = new Set<InstrId>();
  /** the register that a PHI of this shape was given, which stands for it where all ways to its block are critical */
  private readonly loweredAs = new Map<string, Reg>();

  constructor(private readonly state: FunctionState) {
    this.editor = state.editor();
    this.fn = this.editor.fn;
    this.builder = new InstrBuilder(this.editor);
    this.traits = opcodeTraits(this.fn.tables);
    this.live = state.known(LIVE_VARIABLES);
    this.copy = this.fn.tables.opcodeByName('COPY');
    this.implicitDef = this.fn.tables.opcodeByName('IMPLICIT_DEF');
  }

  /** @llvm PHIElimination.cpp PHIEliminationImpl::run */
  run(): void {
    const { fn, editor, live } = this;
    if (live !== null) {
      if (new EdgeSplitter(this.state, live).split()) this.blocksHaveChanged(live);
      this.countReads();
    }
    for (let b = 0; b < fn.blocks.length; b++) this.eliminateIn(b);
    for (const i of this.implicitDefs) if (this.hasNoReader(fn.opVal[fn.opBegin[i]])) editor.erase(i);
  }

  /** Ids in the order of the layout again, for what goes by them. */
  private blocksHaveChanged(live: LiveVariables): void {
    const { editor, state } = this;
    const idOf = editor.renumberBlocks();
    if (idOf !== null) live.renumberBlocks(idOf);
    for (const analysis of [DOMINATORS, LOOPS])
      if (state.has(analysis)) {
        state.forget(analysis);
        state.noteComputed(analysis);
      }
  }

  private hasNoReader(reg: Reg): boolean {
    const { editor } = this;
    for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o))
      if (!editor.isDef(o) && !editor.isDebug(o)) return false;
    return true;
  }

  private isPhi(i: InstrId): boolean {
    return (this.traits[this.fn.opcode[i]] & OpcodeTrait.Phi) !== 0;
  }

  private *phisOf(b: BlockId): IterableIterator<InstrId> {
    const { list } = this.editor;
    for (let i = list.first(b); i >= 0 && this.isPhi(i); i = list.after(i)) yield i;
  }

  private key(b: BlockId, reg: Reg): string {
    return `${b} ${reg}`;
  }

  /** @llvm PHIElimination.cpp PHIEliminationImpl::analyzePHINodes */
  private countReads(): void {
    for (let b = 0; b < this.fn.blocks.length; b++)
      for (const phi of this.phisOf(b)) for (const o of this.sourcesOf(phi)) this.count(o, 1);
  }

  private count(o: OperandId, by: number): void {
    const { fn } = this;
    if ((fn.opFlags[o] & OpFlag.Undef) !== 0) return;
    const key = this.key(fn.opVal[o + 1], fn.opVal[o]);
    this.readsLeft.set(key, (this.readsLeft.get(key) ?? 0) + by);
  }

  private sourcesOf(phi: InstrId): OperandId[] {
    const { opBegin } = this.fn;
    const sources: OperandId[] = [];
    for (let o = opBegin[phi] + 1; o + 1 < opBegin[phi + 1]; o += 2) sources.push(o);
    return sources;
  }

  // -- PHIs --------------------------------------------------------------------------------------------------------

  /** @llvm PHIElimination.cpp PHIEliminationImpl::EliminatePHINodes */
  private eliminateIn(b: BlockId): void {
    const { fn, editor } = this;
    const { list } = editor;
    if (list.first(b) < 0 || !this.isPhi(list.first(b))) return;
    let last = list.first(b);
    for (let i: ListPos = last; i >= 0 && (this.isPhi(i) || isBehindPhis(fn, i)); i = list.after(i)) last = i;
    const { predecessors } = fn.blocks[b];
    const isCritical = predecessors.length >= 2 && predecessors.every((p) => fn.blocks[p].successors.length >= 2);
    for (let i = list.first(b); i >= 0 && this.isPhi(i); i = list.first(b))
      this.lower(i, b, list.after(last), isCritical);
  }

  /**
   * Whether all definitions are IMPLICIT_DEFs; a register without any is such a one.
   * @llvm PHIElimination.cpp isImplicitlyDefined
   */
  private isUndefined(reg: Reg): boolean {
    const { editor, fn } = this;
    for (let o = editor.firstOperand(reg); o >= 0 && editor.isDef(o); o = editor.nextOperand(o))
      if (fn.opcode[editor.instrOf(o)] !== this.implicitDef) return false;
    return true;
  }

  private isUndefinedSource(o: OperandId): boolean {
    return (this.fn.opFlags[o] & OpFlag.Undef) !== 0 || this.isUndefined(this.fn.opVal[o]);
  }

  /** @llvm PHIElimination.cpp PHIEliminationImpl::LowerPHINode */
  private lower(phi: InstrId, b: BlockId, after: ListPos, isCritical: boolean): void {
    const { fn, editor, builder, live } = this;
    const result = fn.opBegin[phi];
    const it: Phi = {
      result: fn.opVal[result],
      isDead: (fn.opFlags[result] & OpFlag.Dead) !== 0,
      sources: this.sourcesOf(phi),
    };
    editor.erase(phi);
    let incoming = NO_REG;
    let isReused = false;
    let copy: InstrId;
    if (it.sources.every((o) => this.isUndefinedSource(o))) {
      copy = builder.build(after, phi, this.implicitDef, [regOperand(it.result, OpFlag.Def)]);
    } else {
      const shape = isCritical ? this.shapeOf(it) : '';
      const known = isCritical ? this.loweredAs.get(shape) : undefined;
      isReused = known !== undefined;
      incoming = known ?? builder.newVReg(fn.vregs.regClass[virtRegIndex(it.result)]);
      if (isCritical) this.loweredAs.set(shape, incoming);
      copy = builder.build(this.placeOfCopy(b, after, it.result), phi, this.copy, [
        regOperand(it.result, OpFlag.Def),
        regOperand(incoming),
      ]);
    }
    if (live !== null) this.followResult(live, phi, copy, it, incoming, isReused ? b : -1);
    for (const o of it.sources) this.count(o, -1);
    const done = new Set<BlockId>();
    for (const o of [...it.sources].reverse()) {
      if (done.has(fn.opVal[o + 1])) continue;
      done.add(fn.opVal[o + 1]);
      this.lowerSource(o, isReused ? NO_REG : incoming, phi, b);
    }
  }

  private shapeOf({ sources }: Phi): string {
    const { fn } = this;
    return sources.map((o) => `${fn.opVal[o]}.${fn.opSub[o]}@${fn.opVal[o + 1]}`).join();
  }

  /**
   * Before what reads the result among the instructions that restore EXEC, else after these.
   * @llvm SIInstrInfo.cpp SIInstrInfo::createPHIDestinationCopy
   */
  private placeOfCopy(b: BlockId, after: ListPos, result: Reg): ListPos {
    const { list } = this.editor;
    for (let i = list.first(b); i >= 0; i = list.after(i)) {
      if (!this.isPhi(i) && this.reads(i, result)) return i;
      if (list.after(i) === after) break;
    }
    return after;
  }

  private reads(i: InstrId, reg: Reg): boolean {
    const { fn, editor } = this;
    for (let m = i; ; m++) {
      for (let o = fn.firstReg(m); o >= 0; o = fn.nextReg(m, o))
        if (fn.opVal[o] === reg && editor.reads(o)) return true;
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return false;
    }
  }

  private followResult(
    live: LiveVariables,
    phi: InstrId,
    copy: InstrId,
    it: Phi,
    incoming: Reg,
    reusedIn: BlockId,
  ): void {
    if (incoming !== NO_REG) {
      const oldKill = reusedIn >= 0 ? live.killIn(incoming, reusedIn) : -1;
      const isBehind = oldKill >= 0 && this.standsBefore(oldKill, copy);
      if (isBehind) live.removeKill(incoming, oldKill);
      if (oldKill < 0 || isBehind) live.addKill(incoming, copy);
    }
    live.removeKillsOf(phi);
    if (!it.isDead) return;
    live.addDead(it.result, copy);
    live.removeDead(it.result, phi);
  }

  private standsBefore(a: InstrId, b: InstrId): boolean {
    const { list } = this.editor;
    for (let i = list.after(a); i >= 0; i = list.after(i)) if (i === b) return true;
    return false;
  }

  /** The copy at the end of a predecessor; `incoming`: NO_REG where there is nothing to copy to, or the copy is there already. */
  private lowerSource(o: OperandId, incoming: Reg, phi: InstrId, b: BlockId): void {
    const { fn, editor, builder, live } = this;
    const reg = fn.opVal[o];
    const from = fn.opVal[o + 1];
    const isUndefined = this.isUndefinedSource(o);
    const place = this.placeAtEnd(from, b, reg);
    let made: InstrId = -1;
    if (incoming !== NO_REG && isUndefined) {
      made = builder.build(place, phi, this.implicitDef, [regOperand(incoming, OpFlag.Def)]);
      const def = editor.defOf(reg);
      if (def >= 0 && fn.opcode[def] === this.implicitDef) this.implicitDefs.add(def);
    } else if (incoming !== NO_REG) made = this.copySource(place, o, incoming);
    if (live === null || (this.readsLeft.get(this.key(from, reg)) ?? 0) !== 0 || live.isLiveOut(reg, from)) return;
    if (isUndefined) return;
    let killer: InstrId = -1;
    for (let i = place; i >= 0; i = editor.list.after(i)) if (this.reads(i, reg)) killer = i;
    if (killer < 0) killer = made >= 0 ? made : this.lastReaderBefore(place, reg);
    live.addKill(reg, killer);
    live.info(reg).alive.delete(from);
  }

  /**
   * Before the terminators; where assembly branches to `to`, before that, or after what defines the register behind it.
   * @llvm PHIEliminationUtils.cpp findPHICopyInsertPoint
   */
  private placeAtEnd(from: BlockId, to: BlockId, reg: Reg): ListPos {
    const { fn, editor } = this;
    const { list } = editor;
    const end = firstTerminator(editor, from);
    if (!fn.blocks[to].isInlineAsmBrIndirectTarget) return end;
    const asm = fn.tables.opcodeByName('INLINEASM_BR');
    let def: InstrId = -1;
    let i = list.before(~from);
    for (; i >= 0 && fn.opcode[i] !== asm; i = list.before(i)) if (def < 0 && this.defines(i, reg)) def = i;
    if (i < 0) return end;
    let place = def >= 0 ? list.after(def) : this.defines(i, reg) ? list.after(i) : i;
    while (place >= 0 && (this.isPhi(place) || isBehindPhis(fn, place))) place = list.after(place);
    return place;
  }

  private lastReaderBefore(place: ListPos, reg: Reg): InstrId {
    const { list } = this.editor;
    let i = list.before(place);
    while (i >= 0 && ((this.traits[this.fn.opcode[i]] & OpcodeTrait.Debug) !== 0 || !this.reads(i, reg)))
      i = list.before(i);
    return i;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::createPHISourceCopy */
  private copySource(place: ListPos, o: OperandId, incoming: Reg): InstrId {
    const { fn, editor, builder } = this;
    const source = regOperand(fn.opVal[o], 0, fn.opSub[o]);
    const { tables, subtarget } = fn;
    if (place >= 0 && opcodeSet(tables, 'maskDefinition').has(fn.opcode[place]) && this.defines(place, fn.opVal[o])) {
      const isWave32 = subtarget.wavefrontSize === 32;
      const move = tables.opcodeByName(isWave32 ? 'S_MOV_B32_term' : 'S_MOV_B64_term');
      const exec = regOperand(tables.regByName('exec'), OpFlag.Implicit);
      return builder.build(
        editor.list.after(place),
        NO_LOCATION,
        move,
        [regOperand(incoming, OpFlag.Def), source],
        [exec],
      );
    }
    return builder.build(place, NO_LOCATION, this.copy, [regOperand(incoming, OpFlag.Def), source]);
  }

  private defines(i: InstrId, reg: Reg): boolean {
    const { fn, editor } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] === reg && editor.isDef(o)) return true;
    return false;
  }
}
