/**
 * `rewrite-partial-reg-uses`: a register of which only parts are named becomes one that is no wider than these (GCNRewritePartialRegUses, LLVM 22;
 * docs/llvm/coalescing.md, 8).
 */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { OpFlag, type OperandId } from '../../model/machineFunction.js';
import { virtReg, virtRegIndex, type Reg } from '../../model/register.js';
import type { RegClassId, SubRegIdx, TargetTables } from '../../target/api.js';
import type { FunctionState } from '../functionState.js';
import type { MachinePass } from '../machinePass.js';
import { CFG, LIVE_INTERVALS, SLOT_INDEXES } from '../passContext.js';
import { ALLOCATION } from '../regalloc/allocationPass.js';
import type { AllocState } from '../regalloc/state.js';
import { allocatableClass } from '../registerFacts.js';

/** @llvm GCNRewritePartialRegUses.cpp GCNRewritePartialRegUsesLegacy */
export const rewritePartialRegUsesPass: MachinePass = {
  name: 'rewrite-partial-reg-uses',
  pipelineName: 'amdgpu-rewrite-partial-reg-uses',
  className: 'GCNRewritePartialRegUsesPass',
  title: 'Rewrite Partial Register Uses',
  requires: [],
  preserves: [CFG, ALLOCATION, LIVE_INTERVALS, SLOT_INDEXES],
  run(state) {
    new PartialRegUses(state).run();
  },
};

/** What a part becomes. */
interface Part {
  /** the class that its operands take */
  rc: RegClassId;
  /** its place in the new register, 0 = all of it */
  to: SubRegIdx;
}

const WORD_BITS = 32;

/**
 * What LLVM notes of a class: tuples of scalar registers are aligned as well, but not noted so.
 * @llvm SIRegisterInfo.h SIRegisterInfo::getRegClassAlignmentNumBits
 */
const alignmentOf = (tables: TargetTables, rc: RegClassId): number =>
  /^(?:VReg|AReg|AV)_\d+_Align2/.test(tables.regClassName(rc)) ? 2 * WORD_BITS : WORD_BITS;

/** @llvm GCNRewritePartialRegUses.cpp GCNRewritePartialRegUsesImpl */
class PartialRegUses {
  private readonly editor: FunctionEditor;
  private readonly tables: TargetTables;
  private readonly builder: InstrBuilder;
  /** with live intervals, null without */
  private readonly alloc: AllocState | null;

  constructor(state: FunctionState) {
    const alloc = state.known(ALLOCATION);
    this.alloc = alloc?.isAnalysed === true ? alloc : null;
    this.editor = state.editor();
    this.tables = this.editor.fn.tables;
    this.builder = new InstrBuilder(this.editor);
  }

  run(): void {
    for (let v = 0, n = this.editor.fn.vregs.n; v < n; v++) this.rewrite(virtReg(v));
  }

  /** @llvm GCNRewritePartialRegUses.cpp GCNRewritePartialRegUsesImpl::rewriteReg */
  private rewrite(reg: Reg): void {
    const { editor } = this;
    const { fn } = editor;
    const rc = fn.vregs.regClass[virtRegIndex(reg)];
    const parts = rc < 0 ? null : this.partsOf(reg, rc);
    if (parts === null) return;
    const to = this.smallestClass(rc, parts);
    if (to < 0) return;
    const made = this.builder.newVReg(to);
    for (let o = editor.firstOperand(reg); o >= 0;) {
      const next = editor.nextOperand(o);
      editor.setReg(o, made);
      // Debug values may name all of it: they are left as they are.
      if (!editor.isDebug(o) || fn.opSub[o] !== 0) {
        const sub = parts.get(fn.opSub[o])?.to ?? 0;
        fn.opSub[o] = sub;
        if (sub === 0 && editor.isDef(o)) fn.opFlags[o] &= ~OpFlag.Undef;
      }
      o = next;
    }
    if (this.alloc !== null) this.followIntervals(this.alloc, reg, made, parts);
  }

  /** The parts that operands name, with the classes that these take; null: there is nothing to rewrite. */
  private partsOf(reg: Reg, rc: RegClassId): Map<SubRegIdx, Part> | null {
    const { editor, tables } = this;
    const { fn } = editor;
    const operands: OperandId[] = [];
    for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDebug(o)) continue;
      if (fn.opSub[o] === 0) return null;
      operands.push(o);
    }
    if (operands.length === 0) return null;
    const parts = new Map<SubRegIdx, Part>();
    for (const o of operands) {
      const sub = fn.opSub[o];
      let part = parts.get(sub);
      if (part === undefined) {
        part = { rc: allocatableClass(tables, tables.getSubRegisterClass(rc, sub)), to: 0 };
        parts.set(sub, part);
      }
      const asked = part.rc < 0 ? -1 : this.askedBy(o);
      if (asked >= 0) part.rc = tables.getCommonSubClass(part.rc, asked);
      if (part.rc < 0) return null;
    }
    return parts;
  }

  /** The class that the instruction wants in an operand, -1 = any. */
  private askedBy(o: OperandId): RegClassId {
    const { editor, tables } = this;
    const { fn } = editor;
    const i = editor.instrOf(o);
    const k = o - fn.opBegin[i];
    if (k >= tables.opcodeNumOperands(fn.opcode[i])) return -1;
    return fn.subtarget.opInfoRegClass(fn.opcode[i], k);
  }

  private endOf(sub: SubRegIdx): number {
    return this.tables.subRegOffset[sub] + this.tables.subRegSize[sub];
  }

  /**
   * The class of the narrowest registers that have room for the parts, which are told their places there; -1: none is better.
   * @llvm GCNRewritePartialRegUses.cpp GCNRewritePartialRegUsesImpl::getMinSizeReg
   */
  private smallestClass(rc: RegClassId, parts: ReadonlyMap<SubRegIdx, Part>): RegClassId {
    const { subRegOffset } = this.tables;
    const named = [...parts.keys()];
    const begin = Math.min(...named.map((sub) => subRegOffset[sub]));
    const end = Math.max(...named.map((sub) => this.endOf(sub)));
    const cover = named.find((sub) => subRegOffset[sub] === begin && this.endOf(sub) === end);
    if (cover !== undefined) return this.shifted(rc, begin, end - begin, cover, parts);
    const most = Math.max(...named.map((sub) => this.alignmentOfPart(rc, sub)));
    const first = Math.min(
      ...named.filter((sub) => this.alignmentOfPart(rc, sub) === most).map((sub) => subRegOffset[sub]),
    );
    const moved = most === 0 ? first - begin : Math.ceil((first - begin) / most) * most;
    const shift = first - moved;
    return this.shifted(rc, shift, end - shift, 0, parts);
  }

  /** @llvm SIRegisterInfo.cpp SIRegisterInfo::getSubRegAlignmentNumBits */
  private alignmentOfPart(rc: RegClassId, sub: SubRegIdx): number {
    const { tables } = this;
    const size = tables.subRegSize[sub];
    const isVector = tables.hasVGPRs(rc) || tables.hasAGPRs(rc);
    if (tables.hasSGPRs(rc)) return isVector ? 0 : Math.min(4 * WORD_BITS, size);
    return isVector ? Math.min(WORD_BITS, size) : 0;
  }

  /** The part of these bits, 0 = there is none. */
  private partAt(offset: number, size: number): SubRegIdx {
    const { tables } = this;
    for (let sub = 1; sub < tables.nSubRegIndices; sub++)
      if (tables.subRegOffset[sub] === offset && tables.subRegSize[sub] === size) return sub;
    return 0;
  }

  /** @llvm GCNRewritePartialRegUses.cpp GCNRewritePartialRegUsesImpl::getRegClassWithShiftedSubregs */
  private shifted(
    rc: RegClassId,
    shift: number,
    bits: number,
    cover: SubRegIdx,
    parts: ReadonlyMap<SubRegIdx, Part>,
  ): RegClassId {
    const { tables } = this;
    for (const [sub, part] of parts) {
      part.to = sub === cover ? 0 : this.partAt(tables.subRegOffset[sub] - shift, tables.subRegSize[sub]);
      if (sub !== cover && part.to === 0) return -1;
    }
    const align = alignmentOf(tables, rc);
    const takesAll = (c: RegClassId): boolean =>
      [...parts.values()].every(({ rc: wanted, to }) =>
        to === 0 ? tables.hasSubClassEq(wanted, c) : tables.getMatchingSuperRegClass(c, wanted, to) === c,
      );
    let best: RegClassId = -1;
    for (let c = 0; c < tables.nRegClasses; c++) {
      const size = tables.regClassBits[c];
      if (size < bits || (best >= 0 && size >= tables.regClassBits[best])) continue;
      if (!tables.isAllocatableClass(c) || alignmentOf(tables, c) % align !== 0 || !takesAll(c)) continue;
      best = c;
      if (size === bits) break;
    }
    return best === rc && shift === 0 ? -1 : best;
  }

  /**
   * The new register lives where the old one did, each part in its new lanes.
   * @llvm GCNRewritePartialRegUses.cpp GCNRewritePartialRegUsesImpl::updateLiveIntervals
   */
  private followIntervals(alloc: AllocState, old: Reg, made: Reg, parts: Map<SubRegIdx, Part>): void {
    const { lis } = alloc;
    const from = lis.known(virtRegIndex(old));
    if (from === null) return;
    const { subRegLaneLo: lo, subRegLaneHi: hi } = this.tables;
    const left = new Map(parts);
    const to = lis.createEmpty(virtRegIndex(made));
    for (const range of from.subRanges) {
      const found = [...left].find(([sub]) => (lo[sub] ^ range.laneLo) === 0 && (hi[sub] ^ range.laneHi) === 0);
      if (found === undefined) {
        lis.remove(virtRegIndex(old));
        lis.recompute(virtRegIndex(made));
        return;
      }
      const [sub, { to: place }] = found;
      if (place === 0) to.assign(range);
      else to.addSubRange(lo[place], hi[place], range);
      left.delete(sub);
    }
    if (to.isEmpty) to.assign(from);
    lis.remove(virtRegIndex(old));
  }
}
