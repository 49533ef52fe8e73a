/**
 * Which modes the instructions and blocks of a function need (docs/llvm/whole-quad-mode.md, 2): seeds by opcode, then backwards through values to
 * their definitions, and along control flow.
 */
import { reversePostOrder } from '../../util/reversePostOrder.js';
import { OpcodeTrait } from '../../analysis/opcodeTraits.js';
import { NO_VALUE, type LiveRange, type ValueId } from '../../analysis/edit/liveRange.js';
import { CallingConv } from '../../model/functionLimits.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG } from '../../model/register.js';
import { isDisableWQM, isEXP, isWQM, McFlag, usesVMCNT } from '../../target/index.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { AllocState } from '../regalloc/state.js';
import { Mode, STRICT, type ModeSet } from './modes.js';

export interface InstrModes {
  needs: ModeSet;
  /** modes in which it must not run */
  disabled: ModeSet;
  /** what follows it needs */
  outNeeds: ModeSet;
  /** all that was ever asked of it, with what is disabled */
  marked: ModeSet;
}

export interface BlockModes {
  needs: ModeSet;
  inNeeds: ModeSet;
  outNeeds: ModeSet;
  /** the mode at its start, once the switches stand */
  initial: ModeSet;
  /** has instructions that are replaced once the switches stand */
  needsLowering: boolean;
}

/** Where a value comes from: on the way through the predecessors of a join. */
interface Join {
  readonly value: ValueId;
  readonly lo: number;
  readonly hi: number;
  nextPredecessor: number;
}

type WorkItem = { readonly instr: InstrId } | { readonly block: BlockId };

/** Targets of exports that blend two colours */
const DUAL_SOURCE = new Set([21, 22]);

export class NeededModes {
  readonly instrs = new Map<InstrId, InstrModes>();
  /** in LLVM's order, in which their switches are made */
  readonly blocks = new Map<BlockId, BlockModes>();
  readonly liveMaskQueries: InstrId[] = [];
  readonly toMoves: InstrId[] = [];
  readonly toCopies = new Set<InstrId>();
  readonly kills: InstrId[] = [];
  readonly initExecs: InstrId[] = [];
  readonly setInactives: InstrId[] = [];
  /** of all instructions together */
  all: ModeSet = 0;
  private readonly work: WorkItem[] = [];

  constructor(private readonly state: AllocState) {
    this.scan();
    for (let item = this.work.pop(); item !== undefined; item = this.work.pop()) {
      if ('instr' in item) this.propagateInstr(item.instr);
      else this.propagateBlock(item.block);
    }
  }

  of(i: InstrId): InstrModes {
    let modes = this.instrs.get(i);
    if (modes === undefined) this.instrs.set(i, (modes = { needs: 0, disabled: 0, outNeeds: 0, marked: 0 }));
    return modes;
  }

  ofBlock(b: BlockId): BlockModes {
    let modes = this.blocks.get(b);
    if (modes === undefined)
      this.blocks.set(b, (modes = { needs: 0, inNeeds: 0, outNeeds: 0, initial: 0, needsLowering: false }));
    return modes;
  }

  // -- seeds -------------------------------------------------------------------------------------------------------

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::scanInstructions */
  private scan(): void {
    const { fn, tables, editor } = this.state;
    const { irFunction } = fn.header;
    const opcode = (name: string): number => tables.opcodeByName(name);
    const [wqm, softWQM, strictWWM, strictWQM, setInactive] = [
      opcode('WQM'),
      opcode('SOFT_WQM'),
      opcode('STRICT_WWM'),
      opcode('STRICT_WQM'),
      opcode('V_SET_INACTIVE_B32'),
    ];
    const parameterLoads = opcodeSet(tables, 'parameterLoad');
    const liveMaskQueries = opcodeSet(tables, 'liveMaskQuery');
    const kills = opcodeSet(tables, 'kill');
    const initExecs = opcodeSet(tables, 'initExec');
    const hasDerivatives =
      irFunction.callingConv === CallingConv.AMDGPU_PS && fn.subtarget.hasFeature('extended-image-insts');
    const hasWQMOutputs = irFunction.attributes.has('amdgpu-ps-wqm-outputs');
    const whenWQM: InstrId[] = [];

    for (const b of reversePostOrder(fn.blocks)) {
      const block = this.ofBlock(b);
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
        const modes = this.of(i);
        const opc = fn.opcode[i];
        let flags: ModeSet = 0;
        if (isWQM(tables, opc)) {
          if (hasDerivatives) {
            this.markUses(i, Mode.WQM);
            this.all |= Mode.WQM;
          }
        } else if (opc === wqm) {
          flags = Mode.WQM;
          this.toCopies.add(i);
        } else if (opc === softWQM) {
          this.toCopies.add(i);
          whenWQM.push(i);
        } else if (opc === strictWWM) {
          this.markUses(i, Mode.StrictWWM);
          this.all |= Mode.StrictWWM;
          this.toMoves.push(i);
        } else if (opc === strictWQM) {
          this.markUses(i, Mode.StrictWQM);
          this.all |= Mode.StrictWQM;
          this.toMoves.push(i);
        } else if (isEXP(tables, opc) && DUAL_SOURCE.has(fn.imm(fn.opBegin[i]))) {
          // Its sources are shuffled within quads.
          this.markUses(i, Mode.StrictWQM);
          this.all |= Mode.StrictWQM;
          this.needsExact(i, b);
        } else if (parameterLoads.has(opc)) {
          modes.needs |= Mode.StrictWQM;
          this.all |= Mode.StrictWQM;
        } else if (opc === setInactive) {
          modes.disabled = STRICT;
          const inactive = fn.opBegin[i] + 4;
          if (fn.opKind[inactive] === OperandKind.Register) {
            const isUndef = (fn.opFlags[inactive] & OpFlag.Undef) !== 0;
            if (isUndef && fn.imm(inactive - 1) === 0) this.toCopies.add(i);
            else this.markOperand(i, inactive, Mode.StrictWWM);
          }
          this.setInactives.push(i);
          block.needsLowering = true;
        } else if (isDisableWQM(tables, opc)) this.needsExact(i, b);
        else if (liveMaskQueries.has(opc)) this.liveMaskQueries.push(i);
        else if (kills.has(opc)) {
          this.kills.push(i);
          block.needsLowering = true;
        } else if (initExecs.has(opc)) this.initExecs.push(i);
        else if (hasWQMOutputs && this.definesOutput(i)) flags = Mode.WQM;
        if (flags !== 0) {
          this.mark(i, flags);
          this.all |= flags;
        }
      }
    }
    if ((this.all & Mode.WQM) !== 0) for (const i of [...this.setInactives, ...whenWQM]) this.mark(i, Mode.WQM);
  }

  private needsExact(i: InstrId, b: BlockId): void {
    const block = this.ofBlock(b);
    block.needs |= Mode.Exact;
    if ((block.inNeeds & Mode.Exact) === 0) {
      block.inNeeds |= Mode.Exact;
      this.work.push({ block: b });
    }
    this.all |= Mode.Exact;
    this.of(i).disabled = Mode.WQM | STRICT;
  }

  /** Whether an instruction writes a physical vector register: an output of the shader. */
  private definesOutput(i: InstrId): boolean {
    const { fn, tables } = this.state;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] !== OperandKind.Register) continue;
      // MachineInstr::defs: the explicit ones
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Implicit)) !== OpFlag.Def || fn.opVal[o] <= 0) continue;
      const rc = tables.getMinimalPhysRegClass(fn.opVal[o]);
      if (tables.hasVGPRs(rc) || tables.hasAGPRs(rc)) return true;
    }
    return false;
  }

  // -- backwards through values ------------------------------------------------------------------------------------

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::markInstruction */
  private mark(i: InstrId, modes: ModeSet): void {
    const known = this.of(i);
    known.marked |= modes;
    // What must not run in a mode leaves something undefined in the lanes that it would have.
    const asked = modes & ~known.disabled;
    if ((known.needs & asked) === asked) return;
    known.needs |= asked;
    this.work.push({ instr: i });
  }

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::markInstructionUses */
  private markUses(i: InstrId, modes: ModeSet): void {
    const { fn } = this.state;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) === 0) this.markOperand(i, o, modes);
  }

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::markOperand */
  private markOperand(i: InstrId, o: OperandId, modes: ModeSet): void {
    const { fn, tables, lis, units } = this.state;
    const reg = fn.opVal[o];
    if (reg === NO_REG || reg === tables.regByName('exec') || reg === tables.regByName('exec_lo')) return;
    if (isVirtualReg(reg)) {
      this.markDefs(i, lis.interval(~reg), ~reg, lis.lanesOf(o), modes);
      return;
    }
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++)
      this.markDefs(i, units.of(tables.unitList[k]), -1, [0, 0], modes);
  }

  /**
   * Marks what defines the lanes of a register that an instruction reads; of a physical one (v < 0) the definitions that come first.
   * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::markDefs
   */
  private markDefs(
    use: InstrId,
    range: LiveRange,
    v: number,
    [useLo, useHi]: readonly [number, number],
    modes: ModeSet,
  ): void {
    const { fn, slots } = this.state;
    const seen = new Set<string>();
    const joins: Join[] = [];
    const isNew = (value: ValueId, lo: number, hi: number): boolean => !seen.has(`${value} ${lo} ${hi}`);
    let lo = 0;
    let hi = 0;
    let value = range.query(slots.ofInstr(use)).valueIn;
    while (value !== NO_VALUE) {
      seen.add(`${value} ${lo} ${hi}`);
      let next: ValueId = NO_VALUE;
      if (range.isPhi(value)) joins.push({ value, lo, hi, nextPredecessor: 0 });
      else {
        const def = slots.instrOf(range.valueDef[value]);
        if (v < 0) this.mark(def, modes);
        else {
          let isUsed = false;
          for (let o = fn.opBegin[def]; o < fn.opBegin[def + 1]; o++) {
            if (!this.state.lis.isDefOf(o, v)) continue;
            const [defLo, defHi] = this.definedLanes(o);
            isUsed ||= (defLo & useLo) !== 0 || (defHi & useHi) !== 0;
            lo |= defLo;
            hi |= defHi;
          }
          if ((useLo & ~lo) !== 0 || (useHi & ~hi) !== 0) {
            const before = range.query(slots.ofInstr(def)).valueIn;
            if (before !== NO_VALUE && isNew(before, lo, hi)) next = before;
          }
          if (isUsed) this.mark(def, modes);
        }
      }
      for (let join = joins.at(-1); next === NO_VALUE && join !== undefined; join = joins.at(-1)) {
        ({ lo, hi } = join);
        const { predecessors } = fn.blocks[slots.blockOf(range.valueDef[join.value])];
        if (join.nextPredecessor === predecessors.length) {
          joins.pop();
          continue;
        }
        const before = range.valueBefore(slots.endOf(predecessors[join.nextPredecessor++]));
        if (before !== NO_VALUE && isNew(before, lo, hi)) next = before;
      }
      value = next;
    }
  }

  /** With `undef` a definition leaves nothing of what was there. */
  private definedLanes(o: OperandId): readonly [number, number] {
    const { fn, tables } = this.state;
    const sub = fn.opSub[o];
    if (sub === 0 || (fn.opFlags[o] & OpFlag.Undef) !== 0) return [-1, -1];
    return [tables.subRegLaneLo[sub], tables.subRegLaneHi[sub]];
  }

  // -- along control flow ------------------------------------------------------------------------------------------

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::propagateInstruction */
  private propagateInstr(i: InstrId): void {
    const { state } = this;
    const { fn, tables, traits } = state;
    const modes = this.of(i);
    const b = fn.instrBlock[i];
    const block = this.ofBlock(b);
    // What WQM follows upon has to keep the helper lanes on their way, and what they have stored.
    if ((modes.outNeeds & Mode.WQM) !== 0 && (modes.disabled & Mode.WQM) === 0) {
      const isStore = usesVMCNT(tables, fn.opcode[i]) && state.has(i, McFlag.MayStore);
      if (isStore || state.hasInBundle(i, McFlag.Terminator)) modes.needs = Mode.WQM;
    }
    const { needs, outNeeds } = modes;
    if ((needs & Mode.WQM) !== 0) {
      block.needs |= Mode.WQM;
      if ((block.inNeeds & Mode.WQM) === 0) {
        block.inNeeds |= Mode.WQM;
        this.work.push({ block: b });
      }
    }
    const before = this.instrBefore(i);
    if (before >= 0 && (traits[fn.opcode[before]] & OpcodeTrait.Phi) === 0)
      this.addOutNeeds(before, (needs & ~STRICT) | outNeeds);
    if (needs !== 0) this.markUses(i, needs);
    block.needs |= needs & STRICT;
  }

  /** What stands before an instruction, members of bundles included; negative at the start of a block. */
  private instrBefore(i: InstrId): InstrId {
    const { bundle } = this.state.fn;
    if ((bundle[i] & BundleFlag.BundledPred) !== 0) return i - 1;
    let before = this.state.editor.list.before(i);
    while (before >= 0 && (bundle[before] & BundleFlag.BundledSucc) !== 0) before++;
    return before;
  }

  private addOutNeeds(i: InstrId, needs: ModeSet): void {
    const modes = this.of(i);
    if ((needs & ~modes.outNeeds) === 0) return;
    modes.outNeeds |= needs;
    this.work.push({ instr: i });
  }

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::propagateBlock */
  private propagateBlock(b: BlockId): void {
    const { fn, editor } = this.state;
    const { inNeeds, outNeeds } = this.ofBlock(b);
    const last = editor.list.before(~b);
    if (last >= 0) this.addOutNeeds(last, outNeeds);
    for (const p of fn.blocks[b].predecessors) {
      const before = this.ofBlock(p);
      if ((inNeeds & ~before.outNeeds) === 0) continue;
      before.outNeeds |= inNeeds;
      before.inNeeds |= inNeeds;
      this.work.push({ block: p });
    }
    for (const s of fn.blocks[b].successors) {
      const behind = this.ofBlock(s);
      if ((outNeeds & ~behind.inNeeds) === 0) continue;
      behind.inNeeds |= outNeeds;
      this.work.push({ block: s });
    }
  }
}
