/**
 * Where a block switches between modes, and how (docs/llvm/whole-quad-mode.md, 3): as early or as late as it can be between two instructions that
 * want different modes, and not where SCC would be lost.
 */
import type { ListPos } from '../../model/edit/instrList.js';
import { regOperand } from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { OpFlag, OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import { NO_REG, type Reg } from '../../model/register.js';
import { OpcodeTrait } from '../../analysis/opcodeTraits.js';
import { SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { isSALU, McFlag } from '../../target/index.js';
import { harmsWithoutLanes } from '../emptyExec.js';
import { NotModelled } from '../machinePass.js';
import type { AllocState } from '../regalloc/state.js';
import { ALL_LANES, type MaskBuilder } from './maskBuilder.js';
import { Mode, PLAIN, STRICT, type ModeSet } from './modes.js';
import { type BlockModes, type NeededModes } from './neededModes.js';

const ANY: ModeSet = PLAIN | STRICT;

/** What a place in a block allows, and what is needed after it. */
interface Place {
  readonly needs: ModeSet;
  readonly outNeeds: ModeSet;
}

export class ModeSwitches {
  /** the mode after a switch, by its instruction */
  readonly modeBehind = new Map<InstrId, ModeSet>();
  private readonly enterWWM: number;
  private readonly exitWWM: number;
  private readonly enterWQM: number;
  private readonly exitWQM: number;

  constructor(
    private readonly state: AllocState,
    private readonly needed: NeededModes,
    private readonly builder: MaskBuilder,
  ) {
    const { tables } = state;
    this.enterWWM = tables.opcodeByName('ENTER_STRICT_WWM');
    this.exitWWM = tables.opcodeByName('EXIT_STRICT_WWM');
    this.enterWQM = tables.opcodeByName('ENTER_STRICT_WQM');
    this.exitWQM = tables.opcodeByName('EXIT_STRICT_WQM');
  }

  /**
   * Makes the switches of a block.
   * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::processBlock
   * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::toStrictMode
   * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::fromStrictMode
   */
  process(b: BlockId, modes: BlockModes): void {
    const isEntry = b === 0;
    if (!isEntry && modes.needs === Mode.WQM && modes.outNeeds !== Mode.Exact) {
      modes.initial = Mode.WQM;
      return;
    }
    const { state, builder } = this;
    const { list } = state.editor;
    const end = ~b;
    let savedWQM: Reg = NO_REG;
    let savedPlain: Reg = NO_REG;
    let mode: ModeSet = isEntry || (modes.inNeeds & Mode.WQM) === 0 ? Mode.Exact : Mode.WQM;
    let plainMode: ModeSet = 0;
    modes.initial = mode;
    // The first places from which on a switch between plain modes, and one of strict modes, may stand.
    let firstPlain: ListPos = end;
    let firstStrict: ListPos = end;
    let isFirst = true;
    for (let i = this.start(b, isEntry); ;) {
      if (firstPlain === end) firstPlain = i;
      if (firstStrict === end) firstStrict = i;
      const isStart = isFirst && isEntry && (modes.inNeeds & Mode.WQM) !== 0;
      const { needs, outNeeds } = i === end ? atEnd(modes) : this.atInstr(i, isStart ? Mode.WQM : PLAIN);
      if ((needs & mode) === 0) {
        const isStrict = (mode & STRICT) !== 0 || needs === Mode.StrictWWM || needs === Mode.StrictWQM;
        const first = isStrict ? firstStrict : firstPlain;
        const savesSCC =
          mode === Mode.WQM
            ? (needs & Mode.WQM) === 0
            : (needs & STRICT) !== 0 || ((needs & Mode.WQM) !== 0 && isEntry);
        const from = (mode & STRICT) !== 0 ? plainMode : mode;
        const leavesWQM = from === Mode.WQM && (needs & PLAIN) === Mode.Exact;
        const entersWQM = from === Mode.Exact && (needs & PLAIN) === Mode.WQM;
        let prefersLast = needs === Mode.WQM;
        // Without lanes some instructions do harm: exact code may have none where control flow diverges.
        if ((leavesWQM && (outNeeds & Mode.WQM) !== 0) || entersWQM)
          for (let k = first; k !== i; k = list.after(k))
            if (harmsWithoutLanes(this.state.fn, k)) {
              prefersLast = leavesWQM;
              break;
            }
        const at = this.placeFor(b, first, i, prefersLast, savesSCC);
        if ((mode & STRICT) !== 0) {
          const exit = mode === Mode.StrictWWM ? this.exitWWM : this.exitWQM;
          const operands = [regOperand(builder.ops.exec, OpFlag.Def), regOperand(savedPlain)];
          this.insert(at, exit, operands, plainMode, this.strictLocation(at));
          state.lis.recompute(~savedPlain);
          savedPlain = NO_REG;
          mode = plainMode;
        }
        if ((needs & STRICT) !== 0) {
          plainMode = mode;
          savedPlain = builder.newMask();
          const enter = needs === Mode.StrictWWM ? this.enterWWM : this.enterWQM;
          const operands = [regOperand(savedPlain, OpFlag.Def), ALL_LANES];
          this.insert(at, enter, operands, needs, this.strictLocation(at));
          mode = needs;
        } else if (leavesWQM) {
          if (!isEntry && (outNeeds & Mode.WQM) !== 0) savedWQM = builder.newMask();
          this.toExact(b, at, savedWQM);
          mode = Mode.Exact;
        } else if (entersWQM) {
          this.toWQM(at, savedWQM);
          if (savedWQM !== NO_REG) state.lis.recompute(~savedWQM);
          savedWQM = NO_REG;
          mode = Mode.WQM;
        }
      }
      if (needs !== ANY) {
        if (needs !== PLAIN) firstPlain = end;
        firstStrict = end;
      }
      if (i === end) return;
      i = list.after(i);
      isFirst = false;
    }
  }

  /** The first instruction that counts: after PHIs, and after the copy of the live lanes. */
  private start(b: BlockId, isEntry: boolean): ListPos {
    const { fn, editor, traits, opcodes } = this.state;
    let i = editor.list.first(b);
    while (i >= 0 && (traits[fn.opcode[i]] & OpcodeTrait.Phi) !== 0) i = editor.list.after(i);
    if (!isEntry || i < 0 || fn.opcode[i] !== opcodes.copy) return i;
    return fn.opVal[fn.opBegin[i] + 1] === this.builder.ops.exec ? editor.list.after(i) : i;
  }

  private atInstr(i: InstrId, byDefault: ModeSet): Place {
    const { state } = this;
    let needs = byDefault;
    let outNeeds: ModeSet = 0;
    if (state.hasInBundle(i, McFlag.Terminator) || this.mayReadExec(i)) {
      const modes = this.needed.instrs.get(i);
      if (modes !== undefined) {
        needs = askedMode(modes.needs) || needs & ~modes.disabled;
        ({ outNeeds } = modes);
      }
    } else needs = ANY;
    // A branch must not stand after a switch.
    if (state.hasInBundle(i, McFlag.Branch) && outNeeds === Mode.Exact) needs = Mode.Exact;
    return { needs, outNeeds };
  }

  // -- switches ----------------------------------------------------------------------------------------------------

  private insert(
    at: ListPos,
    opcode: number,
    operands: Parameters<MaskBuilder['insert']>[3],
    mode: ModeSet,
    location: InstrId = NO_LOCATION,
  ): void {
    this.modeBehind.set(this.builder.insert(at, location, opcode, operands), mode);
  }

  /** What a switch to or from a strict mode takes its debug location from. */
  private strictLocation(at: ListPos): InstrId {
    const { state } = this;
    if (!state.fn.subtarget.release.rules.locatesStrictModes) return NO_LOCATION;
    let i = at;
    while (i >= 0 && state.isDebugInstr(i)) i = state.editor.list.after(i);
    return i < 0 ? NO_LOCATION : i;
  }

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::toExact */
  private toExact(b: BlockId, at: ListPos, saved: Reg): void {
    const { ops, liveMask } = this.builder;
    const isTerminator = this.isBehindTerminator(b, at);
    const exec = regOperand(ops.exec);
    if (saved !== NO_REG) {
      const opcode = isTerminator ? ops.andSaveExecTerm : ops.andSaveExec;
      this.insert(at, opcode, [regOperand(saved, OpFlag.Def), regOperand(liveMask)], Mode.Exact);
    } else {
      const opcode = isTerminator ? ops.andTerm : ops.and;
      this.insert(at, opcode, [regOperand(ops.exec, OpFlag.Def), exec, regOperand(liveMask)], Mode.Exact);
    }
  }

  /** @llvm SIWholeQuadMode.cpp SIWholeQuadMode::toWQM */
  private toWQM(at: ListPos, saved: Reg): void {
    const { ops } = this.builder;
    const [opcode, from] = saved === NO_REG ? [ops.wqm, ops.exec] : [this.state.opcodes.copy, saved];
    this.insert(at, opcode, [regOperand(ops.exec, OpFlag.Def), regOperand(from)], Mode.WQM);
  }

  private isBehindTerminator(b: BlockId, at: ListPos): boolean {
    const { state } = this;
    const { list } = state.editor;
    if (at < 0) return true;
    let first: InstrId = -1;
    for (let i = list.before(~b); i >= 0; i = list.before(i)) {
      if (state.isDebugInstr(i)) continue;
      if (!state.hasInBundle(i, McFlag.Terminator)) break;
      first = i;
    }
    return first >= 0 && state.slots.isBefore(state.slots.ofInstr(first), this.slotAt(b, at));
  }

  // -- places ------------------------------------------------------------------------------------------------------

  /**
   * A place between `first` and `last` at which SCC holds nothing, or else one at which it is saved.
   * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::prepareInsertion
   */
  private placeFor(b: BlockId, first: ListPos, last: ListPos, prefersLast: boolean, savesSCC: boolean): ListPos {
    if (!savesSCC) return prefersLast ? last : first;
    const { state } = this;
    const { slots, tables, editor } = state;
    const { list } = editor;
    const scc = state.units.of(tables.unitList[tables.unitBegin[tables.regByName('scc')]]);
    const [firstSlot, lastSlot] = [this.slotAt(b, first), this.slotAt(b, last)];
    let at = prefersLast ? lastSlot : firstSlot;
    let segment: number;
    while ((segment = scc.segmentAt(at)) >= 0) {
      if (prefersLast) {
        const start = SlotList.base(scc.start[segment]);
        if (slots.isBefore(start, firstSlot)) break;
        at = start;
      } else {
        const reader = slots.instrOf(scc.end[segment]);
        if (reader < 0) throw new NotModelled('SCC that lives into another block where modes of lanes change');
        const behind = list.after(reader);
        if (behind < 0) break;
        const next = this.slotAt(b, behind);
        if (slots.isBefore(lastSlot, next)) break;
        at = next;
      }
    }
    const there = slots.instrOf(at);
    let place: ListPos = there >= 0 ? there : ~b;
    // What writes EXEC is not separated from what it belongs to.
    let needsSCC = segment >= 0;
    while (place !== last && place >= 0 && this.definesExec(place)) {
      place = list.after(place);
      needsSCC = false;
    }
    return needsSCC ? this.saveSCC(place) : place;
  }

  /**
   * Slot of an instruction; a debug instruction has that of the next other one.
   * @llvm SlotIndexes.h SlotIndexes::getInstructionIndex
   */
  private slotAt(b: BlockId, at: ListPos): SlotRef {
    const { state } = this;
    let i = at;
    while (i >= 0 && state.isDebugInstr(i)) i = state.editor.list.after(i);
    return i < 0 ? state.slots.endOf(b) : state.slots.ofInstr(i);
  }

  /**
   * Copies SCC away and back before `at`; the place between.
   * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::saveSCC
   */
  private saveSCC(at: ListPos): ListPos {
    const { builder, state } = this;
    const scc = state.tables.regByName('scc');
    const saved = builder.newVReg(state.tables.regClassByName('sreg_32_xm0'));
    const save = builder.build(at, NO_LOCATION, state.opcodes.copy, [regOperand(saved, OpFlag.Def), regOperand(scc)]);
    const restore = builder.build(at, NO_LOCATION, state.opcodes.copy, [
      regOperand(scc, OpFlag.Def),
      regOperand(saved),
    ]);
    builder.addSlots([save, restore]);
    state.lis.recompute(~saved);
    return restore;
  }

  private definesExec(i: InstrId): boolean {
    const { fn, tables, editor } = this.state;
    const [exec, low] = [tables.regByName('exec'), tables.regByName('exec_lo')];
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register && editor.isDef(o) && (fn.opVal[o] === exec || fn.opVal[o] === low))
        return true;
    return false;
  }

  // -- facts -------------------------------------------------------------------------------------------------------

  /** @llvm SIInstrInfo.cpp SIInstrInfo::mayReadEXEC */
  private mayReadExec(i: InstrId): boolean {
    const { fn, tables, opcodes } = this.state;
    const { state } = this;
    const opc = fn.opcode[i];
    if (state.has(i, McFlag.Meta)) return false;
    if (opc === opcodes.copy || opc === opcodes.subregToReg) {
      const to = fn.opVal[fn.opBegin[i]];
      const rc = to < 0 ? fn.vregs.regClass[~to] : to === NO_REG ? -1 : tables.getMinimalPhysRegClass(to);
      return rc < 0 || !tables.isSGPRClass(rc) || this.readsExec(i);
    }
    if (state.hasInBundle(i, McFlag.Call) || opc <= this.lastGenericOpcode) return true;
    return !isSALU(tables, opc) || this.readsExec(i);
  }

  /** Opcodes of every target come first; those of AMDGPU begin after G_UBFX, the last generic one. */
  private get lastGenericOpcode(): number {
    return this.state.tables.opcodeByName('G_UBFX');
  }

  private readsExec(i: InstrId): boolean {
    const { fn, tables, editor } = this.state;
    const exec = tables.regByName('exec');
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (
        fn.opKind[o] === OperandKind.Register &&
        !editor.isDef(o) &&
        fn.opVal[o] > 0 &&
        tables.regsOverlap(fn.opVal[o], exec)
      )
        return true;
    return false;
  }
}

/** The strongest of the modes that an instruction needs, 0 if it needs none. */
function askedMode(needs: ModeSet): ModeSet {
  for (const mode of [Mode.StrictWWM, Mode.StrictWQM, Mode.WQM]) if ((needs & mode) !== 0) return mode;
  return 0;
}

function atEnd({ outNeeds }: BlockModes): Place {
  if ((outNeeds & Mode.WQM) !== 0) return { needs: Mode.WQM, outNeeds: 0 };
  return { needs: outNeeds === Mode.Exact ? Mode.Exact : PLAIN, outNeeds: 0 };
}
