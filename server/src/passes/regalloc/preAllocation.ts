/** Passes between the scheduler and the first allocation run (docs/llvm/allocation-pipeline.md, 6). */
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, type Reg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { MemFlag } from '../../model/memOperand.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { SlotList } from '../../analysis/edit/slotList.js';
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import { operandOf } from '../../model/edit/functionEditor.js';
import { OperandLegality } from '../operandLegality.js';
import { RegisterFacts } from '../registerFacts.js';
import type { AllocState } from './state.js';
import { findUnusedRegister } from '../../analysis/frame/usedRegisters.js';
import { allocationPass } from './allocationPass.js';

const reg = (val: Reg, flags = 0, sub = 0): { kind: OperandKind; flags: number; val: Reg; sub: number } => ({
  kind: OperandKind.Register,
  flags,
  val,
  sub,
});

// -- amdgpu-pre-ra-optimizations ------------------------------------------------------------------------------------

/**
 * Both halves of a 64-bit scalar constant become one move, which can be made anew; AGPRs are written from where their source was.
 * @llvm GCNPreRAOptimizations.cpp GCNPreRAOptimizationsImpl::processReg
 */
function mergeConstants(state: AllocState): void {
  const { fn, tables, editor } = state;
  if (state.fn.isOptNone) return;
  for (let v = 0, n = fn.vregs.n; v < n; v++) {
    const rc = fn.vregs.regClass[v];
    if (rc < 0 || editor.isUnused(virtReg(v))) continue;
    if (tables.isSGPRClass(rc)) {
      if (tables.regClassBits[rc] === 64) mergeHalves(state, v);
    } else if (!fn.subtarget.hasGFX90AInsts && tables.hasAGPRs(rc) && !tables.hasVGPRs(rc)) forwardAccWrites(state, v);
  }
  if (fn.subtarget.hasFeature('real-true16')) hintHalves(state);
}

/**
 * Copies between 16-bit and 32-bit vector registers: each side would like to be where the other one is.
 * @llvm GCNPreRAOptimizations.cpp GCNPreRAOptimizationsImpl::run
 */
function hintHalves(state: AllocState): void {
  const { fn, tables, editor, opcodes } = state;
  const half = tables.regClassByName('vgpr_16');
  const whole = tables.regClassByName('vgpr_32');
  const lo16 = tables.subRegIndexByName('lo16');
  const is = (r: Reg, rc: number): boolean =>
    isVirtualReg(r) ? fn.vregs.regClass[~r] === rc : r > 0 && tables.classContains(rc, r);
  const hint = (r: Reg, type: 0 | 1 | 2, partner: Reg): void => {
    if (isVirtualReg(r)) state.hints[~r] = { type, regs: [partner] };
  };
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      if (fn.opcode[i] !== opcodes.copy) continue;
      const [to, from] = [fn.opVal[fn.opBegin[i]], fn.opVal[fn.opBegin[i] + 1]];
      if (is(to, whole) && is(from, half)) {
        if (isVirtualReg(to)) {
          hint(to, 2, from);
          hint(from, 1, to);
        } else hint(from, 0, tables.getSubReg(to, lo16));
      } else if (is(to, half) && is(from, whole)) {
        if (isVirtualReg(from)) hint(to, 1, from);
        else hint(to, 0, tables.getSubReg(from, lo16));
      }
    }
  }
}

function mergeHalves(state: AllocState, v: number): void {
  const { fn, tables, editor, lis, slots } = state;
  const mov = tables.opcodeByName('S_MOV_B32');
  const halves: (InstrId | undefined)[] = [undefined, undefined];
  for (const o of editor.operandsOf(virtReg(v))) {
    if (!editor.isDef(o)) break;
    const i = editor.instrOf(o);
    const first = fn.opBegin[i];
    if (
      fn.opcode[i] !== mov ||
      o !== first ||
      fn.numOperands(i) !== 2 ||
      fn.opKind[first + 1] !== OperandKind.Immediate
    )
      return;
    const half = ['sub0', 'sub1'].indexOf(tables.subRegIndexName(fn.opSub[o]));
    if (half < 0 || halves[half] !== undefined) return;
    halves[half] = i;
  }
  const [low, high] = halves;
  if (low === undefined || high === undefined || fn.instrBlock[low] !== fn.instrBlock[high]) return;
  const earlier = slots.isBefore(slots.ofInstr(high), slots.ofInstr(low)) ? high : low;
  const lo = fn.opVal[fn.opBegin[low] + 1];
  const hi = fn.opVal[fn.opBegin[high] + 1];
  slots.remove(low);
  slots.remove(high);
  const b = fn.instrBlock[earlier];
  const made = state.builder.build(earlier, earlier, tables.opcodeByName('S_MOV_B64_IMM_PSEUDO'), [
    reg(virtReg(v), OpFlag.Def),
    { kind: OperandKind.Immediate, val: lo, ext: hi },
  ]);
  editor.erase(low);
  editor.erase(high);
  slots.insert(made, b);
  lis.recompute(v);
}

function forwardAccWrites(state: AllocState, v: number): void {
  const { fn, tables, editor, opcodes, lis } = state;
  const write = tables.opcodeByName('V_ACCVGPR_WRITE_B32_e64');
  const touched = new Set<number>();
  for (const o of [...editor.operandsOf(virtReg(v))]) {
    if (!editor.isDef(o)) continue;
    const i = editor.instrOf(o);
    if (fn.opcode[i] === write) continue;
    if (fn.opcode[i] !== opcodes.copy) break;
    const from = fn.opBegin[i] + 1;
    const source = fn.opVal[from];
    const rc = isVirtualReg(source) ? fn.vregs.regClass[~source] : -1;
    if (rc < 0 || !tables.hasAGPRs(rc) || tables.hasVGPRs(rc)) continue;
    for (const p of editor.operandsOf(source)) {
      const def = editor.instrOf(p);
      const first = fn.opBegin[def];
      if (!editor.isDef(p) || fn.opSub[from] !== fn.opSub[first] || fn.opcode[def] !== write) continue;
      const value = first + 1;
      if (fn.opKind[value] === OperandKind.Register && isVirtualReg(fn.opVal[value])) {
        touched.add(~fn.opVal[value]);
        touched.add(~source);
        editor.setReg(from, fn.opVal[value]);
        fn.opSub[from] = fn.opSub[value];
      }
      break;
    }
  }
  for (const t of touched) lis.recompute(t);
}

// -- si-optimize-exec-masking-pre-ra ----------------------------------------------------------------------------------

/** So many instructions at the end of a block are looked at for copies of EXEC. */
const EXEC_COPY_SEARCH = 10;

/** @llvm SIOptimizeExecMaskingPreRA.cpp SIOptimizeExecMaskingPreRA::run */
function optimizeExecMasking(state: AllocState): void {
  if (state.fn.isOptNone) return;
  new ExecMasking(state).run();
}

/** @llvm SIOptimizeExecMaskingPreRA.cpp SIOptimizeExecMaskingPreRA */
class ExecMasking {
  private readonly bits: number;
  private readonly exec: Reg;
  private readonly vcc: Reg;
  private readonly touched = new Set<Reg>();

  constructor(private readonly state: AllocState) {
    const { fn, tables } = state;
    this.bits = fn.subtarget.wavefrontSize;
    const suffix = this.bits === 32 ? '_lo' : '';
    this.exec = tables.regByName(`exec${suffix}`);
    this.vcc = tables.regByName(`vcc${suffix}`);
  }

  run(): void {
    const { state, touched } = this;
    const { fn, editor, tables, units, lis } = state;
    for (let b = 0; b < fn.blocks.length; b++) {
      this.mergeElse(b);
      this.invertCondition(b);
      const last = editor.list.before(~b);
      if (fn.blocks[b].successors.length > 0) this.forwardExec(b);
      else if (last >= 0 && this.isEnd(last)) this.eraseBehind(b);
    }
    for (const r of touched) {
      if (!isVirtualReg(r)) {
        for (let k = tables.unitBegin[r]; k < tables.unitEnd[r]; k++) units.forget(tables.unitList[k]);
        continue;
      }
      if (editor.firstOperand(r) < 0) lis.remove(~r);
      else lis.recompute(~r);
    }
  }

  private name(i: InstrId): string {
    return this.state.tables.opcodeName(this.state.fn.opcode[i]);
  }

  private op(i: InstrId, k: number): OperandId {
    return this.state.fn.opBegin[i] + k;
  }

  private isReg(o: OperandId, r: Reg): boolean {
    const { fn } = this.state;
    return fn.opKind[o] === OperandKind.Register && fn.opVal[o] === r;
  }

  private isEnd(i: InstrId): boolean {
    const { fn } = this.state;
    return opcodeSet(fn.tables, 'endProgram').has(fn.opcode[i]) && fn.numOperands(i) === 1;
  }

  private erase(i: InstrId): void {
    this.state.lis.erase(i);
  }

  /**
   * Saving EXEC and masking it again with what was saved: the saved value is the masked one.
   * @llvm SIOptimizeExecMaskingPreRA.cpp SIOptimizeExecMaskingPreRA::optimizeElseBranch
   */
  private mergeElse(b: BlockId): void {
    const { state, bits, exec } = this;
    const { fn, editor } = state;
    const { list } = editor;
    const save = list.first(b);
    if (save < 0 || this.name(save) !== `S_OR_SAVEEXEC_B${bits}`) return;
    const xor = this.terminator(b, new RegExp(`^S_XOR_B${bits}_term$`));
    if (xor < 0 || !this.isReg(this.op(xor, 1), exec) || fn.opKind[this.op(xor, 2)] !== OperandKind.Register) return;
    const mask = fn.opVal[this.op(xor, 2)];
    const saved = fn.opVal[this.op(save, 0)];
    const isMasking = (i: InstrId): boolean =>
      this.name(i) === `S_AND_B${bits}` && this.isReg(this.op(i, 0), mask) && this.isReg(this.op(i, 1), exec);
    let and = list.before(xor);
    while (and >= 0 && and !== save && !isMasking(and)) and = list.before(and);
    if (and < 0 || and === save || !isVirtualReg(mask) || !isVirtualReg(saved)) return;
    for (let i = list.before(and); i >= 0 && i !== save; i = list.before(i)) if (this.definesExec(i)) return;
    this.erase(and);
    editor.setReg(this.op(save, 0), mask);
    this.touched.add(mask);
    this.touched.add(saved);
    this.touched.add(state.tables.regByName('scc'));
  }

  private definesExec(i: InstrId): boolean {
    const { fn, tables, editor } = this.state;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] <= 0 || !editor.isDef(o)) continue;
      if (tables.regsOverlap(fn.opVal[o], this.exec)) return true;
    }
    return false;
  }

  /** The first terminator of a block that has one of these names, -1 without. */
  private terminator(b: BlockId, names: RegExp): InstrId {
    const { state } = this;
    const { list } = state.editor;
    let found = -1;
    for (let i = list.before(~b); i >= 0; i = list.before(i)) {
      if (state.isDebugInstr(i)) continue;
      if (!state.has(i, McFlag.Terminator)) break;
      if (names.test(this.name(i))) found = i;
    }
    return found;
  }

  /**
   * The definition that reaches an instruction on all paths to it, -1 = none. Asking takes the kill flags
   * off a physical register.
   * @llvm SIRegisterInfo.cpp SIRegisterInfo::findReachingDef
   */
  private reachingDef(r: Reg, sub: number, use: InstrId): InstrId {
    const { state } = this;
    const { lis, slots, units, tables, fn } = state;
    const at = slots.ofInstr(use);
    let def: InstrId = -1;
    if (isVirtualReg(r)) {
      const interval = lis.interval(~r);
      let range: LiveRange | undefined = interval;
      if (interval.subRanges.length > 0) {
        const [lo, hi] = sub === 0 ? lis.allLanes(~r) : [tables.subRegLaneLo[sub], tables.subRegLaneHi[sub]];
        range = interval.subRanges.find((s) => (lo & ~s.laneLo) === 0 && (hi & ~s.laneHi) === 0);
      }
      const value = range?.valueAt(at) ?? -1;
      if (range === undefined || value < 0) return -1;
      def = slots.instrOf(range.valueDef[value]);
    } else {
      for (let k = tables.unitBegin[r]; k < tables.unitEnd[r]; k++) {
        const range = units.of(tables.unitList[k]);
        const value = range.valueAt(at);
        if (value < 0) return -1;
        const here = slots.instrOf(range.valueDef[value]);
        if (here < 0) return -1;
        if (def < 0 || this.dominates(def, here)) def = here;
      }
    }
    if (def < 0 || !this.dominates(def, use)) return -1;
    return fn.instrBlock[def] >= 0 ? def : -1;
  }

  private dominates(a: InstrId, b: InstrId): boolean {
    const { fn, slots, lis } = this.state;
    if (fn.instrBlock[a] === fn.instrBlock[b]) return slots.isAtOrBefore(slots.ofInstr(a), slots.ofInstr(b));
    return lis.dominators.dominates(fn.instrBlock[a], fn.instrBlock[b]);
  }

  /**
   * A mask that was made a value of 0 or 1, compared with 1 and used with EXEC, is used as it was.
   * @llvm SIOptimizeExecMaskingPreRA.cpp SIOptimizeExecMaskingPreRA::optimizeVcndVcmpPair
   */
  private invertCondition(b: BlockId): void {
    const { state, bits, exec, vcc } = this;
    const { fn, editor, tables, slots, lis } = state;
    const branch = this.terminator(b, /^S_CBRANCH_VCCN?Z$/);
    if (branch < 0) return;
    const and = this.reachingDef(vcc, 0, branch);
    if (and < 0 || this.name(and) !== `S_AND_B${bits}`) return;
    let condition = this.op(and, 1);
    if (fn.opKind[condition] !== OperandKind.Register || fn.opKind[this.op(and, 2)] !== OperandKind.Register) return;
    if (this.isReg(condition, exec)) condition = this.op(and, 2);
    else if (!this.isReg(this.op(and, 2), exec)) return;
    const cmpReg = fn.opVal[condition];
    const cmp = this.reachingDef(cmpReg, fn.opSub[condition], and);
    if (cmp < 0 || !/^V_CMP_NE_U32_e(?:32|64)$/.test(this.name(cmp))) return;
    if (fn.instrBlock[cmp] !== fn.instrBlock[and]) return;
    const named = (i: InstrId, n: string): OperandId => this.op(i, tables.getNamedOperandIdx(fn.opcode[i], n));
    let a = named(cmp, 'src0');
    let one = named(cmp, 'src1');
    if (fn.opKind[a] === OperandKind.Immediate && fn.opKind[one] === OperandKind.Register) [a, one] = [one, a];
    const isImm = (o: OperandId, n: number): boolean => fn.opKind[o] === OperandKind.Immediate && fn.imm(o) === n;
    if (fn.opKind[a] !== OperandKind.Register || !isImm(one, 1) || !isVirtualReg(fn.opVal[a])) return;
    const selReg = fn.opVal[a];
    const sel = this.reachingDef(selReg, fn.opSub[a], cmp);
    if (sel < 0 || this.name(sel) !== 'V_CNDMASK_B32_e64') return;
    if (!isImm(named(sel, 'src0_modifiers'), 0) || !isImm(named(sel, 'src1_modifiers'), 0)) return;
    const [s0, s1, cc] = [named(sel, 'src0'), named(sel, 'src1'), named(sel, 'src2')];
    if (!isImm(s0, 0) || !isImm(s1, 1) || fn.opKind[cc] !== OperandKind.Register) return;
    const ccReg = fn.opVal[cc];
    if (this.isDefinedBetween(ccReg, sel, and)) return;
    const selInterval = lis.interval(~selReg);
    if (selInterval.valueDef.some((def, v) => def >= 0 && selInterval.isPhi(v))) return;

    const at = slots.ofInstr(and);
    const made = this.state.builder.build(and, and, tables.opcodeByName(`S_ANDN2_B${bits}`), [
      reg(fn.opVal[this.op(and, 0)], OpFlag.Def),
      reg(exec),
      reg(ccReg, fn.opFlags[cc] & OpFlag.Undef, fn.opSub[cc]),
      reg(tables.regByName('scc'), OpFlag.Def | OpFlag.Implicit | (fn.opFlags[this.op(and, 3)] & OpFlag.Dead)),
    ]);
    slots.replace(and, made);
    editor.erase(and);
    for (const r of [vcc, tables.regByName('scc')]) this.touched.add(r);

    const selAt = SlotList.at(slots.ofInstr(sel), Slot.Register);
    const cmpAt = SlotList.at(slots.ofInstr(cmp), Slot.Register);
    if (!isVirtualReg(ccReg)) state.units.forgetReg(ccReg);
    else if (lis.interval(~ccReg).query(selAt).valueIn >= 0) lis.recompute(~ccReg);
    const isCmpFree = isVirtualReg(cmpReg)
      ? lis.interval(~cmpReg).query(SlotList.at(at, Slot.Register)).isKill
      : cmpReg === vcc && !this.readsBetween(cmp, made, vcc);
    if (!isCmpFree) return;
    if (isVirtualReg(cmpReg)) lis.removeDef(lis.interval(~cmpReg), cmpAt);
    this.erase(cmp);
    const isKill = selInterval.query(cmpAt).isKill;
    lis.shrinkToUses(~selReg);
    const { end } = selInterval.query(selAt);
    const isDead = end >= 0 && (end & 3) === Slot.Dead;
    if (this.isRead(selReg) || !(isKill || isDead)) return;
    lis.removeDef(selInterval, selAt);
    const readsOthers = editor.reads(this.op(sel, 0));
    this.erase(sel);
    if (readsOthers) lis.shrinkToUses(~selReg);
  }

  private isRead(r: Reg): boolean {
    const { editor } = this.state;
    for (const o of editor.operandsOf(r)) if (!editor.isDef(o) && !editor.isDebug(o)) return true;
    return false;
  }

  private readsBetween(from: InstrId, to: InstrId, r: Reg): boolean {
    const { fn, tables, editor } = this.state;
    for (let i = editor.list.after(from); i >= 0 && i !== to; i = editor.list.after(i)) {
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (fn.opVal[o] <= 0 || !editor.reads(o)) continue;
        if (tables.regsOverlap(fn.opVal[o], r)) return true;
      }
    }
    return false;
  }

  /**
   * Another value than the one at `sel` is there at `and`, and lives on after it.
   * @llvm SIOptimizeExecMaskingPreRA.cpp isDefBetween
   */
  private isDefinedBetween(r: Reg, sel: InstrId, and: InstrId): boolean {
    const { lis, slots, units, tables } = this.state;
    const differs = (range: LiveRange): boolean => {
      const there = range.query(SlotList.at(slots.ofInstr(and), Slot.Register));
      const { valueOutOrDead, end } = range.query(SlotList.at(slots.ofInstr(sel), Slot.Register));
      const valueOut = end >= 0 && (end & 3) === Slot.Dead ? -1 : valueOutOrDead;
      return !there.isKill && there.valueIn !== valueOut;
    };
    if (isVirtualReg(r)) return differs(lis.interval(~r));
    for (let k = tables.unitBegin[r]; k < tables.unitEnd[r]; k++)
      if (differs(units.of(tables.unitList[k]))) return true;
    return false;
  }

  /** What has no effect before the end of the program goes, also at the ends of blocks that lead only there. */
  private eraseBehind(end: BlockId): void {
    const { state } = this;
    const { fn, editor, tables } = state;
    const { list } = editor;
    const work = [end];
    for (let b = work.pop(); b !== undefined; b = work.pop()) {
      let i = list.before(~b);
      if (i >= 0) {
        const opc = fn.opcode[i];
        if (opcodeSet(tables, 'branch').has(opc) || opcodeSet(tables, 'endProgram').has(opc)) i = list.before(i);
        else if (state.has(i, McFlag.Branch)) continue;
      }
      while (i >= 0) {
        const before = list.before(i);
        if (!state.isDebugInstr(i)) {
          if (this.bundleHasEffect(i)) break;
          for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
            if (fn.opVal[o] !== 0) this.touched.add(fn.opVal[o]);
          this.erase(i);
        }
        i = before;
      }
      if (i >= 0) continue;
      for (const p of fn.blocks[b].predecessors) if (fn.blocks[p].successors.length === 1) work.push(p);
    }
  }

  private bundleHasEffect(head: InstrId): boolean {
    for (let m = head; ; m++) {
      if (this.hasEffect(m)) return true;
      if ((this.state.fn.bundle[m] & BundleFlag.BundledSucc) === 0) return false;
    }
  }

  private hasEffect(i: InstrId): boolean {
    const { state } = this;
    const { fn } = state;
    if (state.isInlineAsm(i)) {
      // bits of the second operand: side effects, may load, may store
      const extra = fn.imm(fn.opBegin[i] + 1);
      return (extra & (1 | 8 | 16)) !== 0;
    }
    for (const flag of [McFlag.MayStore, McFlag.Barrier, McFlag.Call, McFlag.UnmodeledSideEffects])
      if (state.has(i, flag)) return true;
    if (!state.has(i, McFlag.MayLoad)) return false;
    const mem = fn.memOperands[i] ?? [];
    return (
      mem.length === 0 ||
      mem.some((m) => (m.flags & MemFlag.Volatile) !== 0 || (m.ordering !== '' && m.ordering !== 'unordered'))
    );
  }

  /** A copy of EXEC with one reader after it in the block: that may read EXEC itself. */
  private forwardExec(b: BlockId): void {
    const { state, exec } = this;
    const { fn, editor, opcodes, lis } = state;
    const { list } = editor;
    let searched = 0;
    for (let i = list.before(~b); i >= 0; i = list.before(i)) {
      if (++searched > EXEC_COPY_SEARCH) return;
      if (fn.opcode[i] !== opcodes.copy || fn.bundle[i] !== 0) continue;
      const first = fn.opBegin[i];
      if (!this.isReg(first + 1, exec) || fn.opSub[first] !== 0 || !isVirtualReg(fn.opVal[first])) continue;
      const saved = fn.opVal[first];
      const uses = [...editor.operandsOf(saved)].filter((o) => !editor.isDef(o) && !editor.isDebug(o));
      if (uses.length !== 1) return;
      const use = uses[0];
      const user = editor.instrOf(use);
      if (fn.instrBlock[user] !== b || (fn.opFlags[use] & OpFlag.Implicit) !== 0) return;
      const k = use - fn.opBegin[user];
      if (
        fn.opcode[user] !== opcodes.copy &&
        !new OperandLegality(fn, new RegisterFacts(fn)).isOperandLegal(user, k, operandOf(fn, first + 1))
      )
        return;
      this.erase(i);
      // All of its operands, as in LLVM: after si-wqm it may have other definitions.
      editor.replaceReg(saved, exec);
      lis.remove(~saved);
      this.touched.add(exec);
      return;
    }
  }
}

// -- amdgpu-pre-ra-long-branch-reg ------------------------------------------------------------------------------------

/**
 * A pair of SGPRs is kept for branches that are too far, by a guess of where their blocks will be.
 * @llvm GCNPreRALongBranchReg.cpp GCNPreRALongBranchReg::run
 */
function reserveLongBranchReg(state: AllocState): void {
  const { fn, tables, editor, info, traits, options } = state;
  const sizes = fn.blocks.map((_, b) => {
    let size = 0;
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i))
      if (!state.has(i, McFlag.Meta) && traits[fn.opcode[i]] === 0) size += 8;
    return size;
  });
  const offsets: number[] = [];
  let at = 0;
  for (const size of sizes) {
    offsets.push(at);
    at += size;
  }
  const far = 2 ** (options.branchBits - 1);
  for (let b = 0; b < fn.blocks.length; b++) {
    let last = editor.list.before(~b);
    while (last >= 0 && state.isDebugInstr(last)) last = editor.list.before(last);
    if (last < 0 || !opcodeSet(tables, 'branch').has(fn.opcode[last])) continue;
    const to = fn.opVal[fn.opBegin[last]];
    const offset = Math.floor(offsets[to] * options.branchFactor);
    const words = offset / 4 - 1;
    if (words >= -far && words < far) continue;
    const pair = findUnusedRegister(state, tables.regClassByName('sgpr_64'), true);
    if (pair > 0) {
      info.longBranchReservedReg = pair;
      state.freezeReserved();
    }
    return;
  }
}

/** @llvm GCNPreRAOptimizations.cpp GCNPreRAOptimizationsLegacy */
export const preRAOptimizationsPass = allocationPass({
  name: 'amdgpu-pre-ra-optimizations',
  pipelineName: 'amdgpu-pre-ra-optimizations',
  className: 'GCNPreRAOptimizationsPass',
  title: 'AMDGPU Pre-RA optimizations',
  work: mergeConstants,
});

/** @llvm SIOptimizeExecMaskingPreRA.cpp SIOptimizeExecMaskingPreRALegacy */
export const execMaskingPreRAPass = allocationPass({
  name: 'si-optimize-exec-masking-pre-ra',
  pipelineName: 'si-optimize-exec-masking-pre-ra',
  className: 'SIOptimizeExecMaskingPreRAPass',
  title: 'SI optimize exec mask operations pre-RA',
  work: optimizeExecMasking,
});

/** @llvm GCNPreRALongBranchReg.cpp GCNPreRALongBranchRegLegacy */
export const longBranchRegPass = allocationPass({
  name: 'amdgpu-pre-ra-long-branch-reg',
  pipelineName: 'amdgpu-pre-ra-long-branch-reg',
  className: 'GCNPreRALongBranchRegPass',
  title: 'AMDGPU Pre-RA Long Branch Reg',
  isWithoutIntervals: 'nothing',
  work: reserveLongBranchReg,
});
