/**
 * Values that are the same in all lanes and sit in vector registers: which of them could be computed by the SALU of this processor, what has to move with
 * each, and the function in which they have moved. Nothing here follows an LLVM pass; what is legal is asked of the same rules as in si-fix-sgpr-copies.
 *
 * A register moves when it has one definition, of whole registers and with a scalar form, whose vector sources move, too; when no reader stands after a loop that lanes may
 * leave at different times; and when SCC may be overwritten at the definition. The halves of a sum move together where their carry goes from one instruction to the next. Readers that cannot
 * take a scalar register get a copy in front.
 */
import { Bank, PressureSummary } from '../../analysis/summary.js';
import { execChanges } from '../../analysis/uniformity/execChanges.js';
import type { LaneValues } from '../../analysis/uniformity/laneValues.js';
import { FunctionEditor, operandOf, regOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import {
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, virtRegIndex, type VRegId } from '../../model/register.js';
import { McFlag, type RegClassId } from '../../target/index.js';
import { OperandLegality } from '../operandLegality.js';
import { RegisterFacts } from '../registerFacts.js';
import { fuseHalves } from './fuseHalves.js';
import { operandBits, scalarForm, type ScalarForm } from './scalarForms.js';
import { firstTerminator } from '../instrOrder.js';

export interface ScalarCandidate {
  readonly vreg: VRegId;
  readonly def: InstrId;
  /** all registers that move with it, itself last, in the order of their definitions */
  readonly closure: readonly number[];
}

export interface ScalarizeAnalysis {
  readonly candidates: readonly ScalarCandidate[];
  /** why a vector register stays, as the end of a sentence; by register */
  readonly reasons: ReadonlyMap<number, string>;
}

class Analyzer {
  readonly facts: RegisterFacts;
  readonly reasons = new Map<number, string>();
  private readonly defs: Int32Array;
  private readonly nDefs: Uint8Array;
  private readonly readers: OperandId[][];
  private readonly instrOf: Int32Array;
  private readonly movable = new Map<number, ScalarForm>();
  /** the other half of a sum with carry */
  private readonly otherHalf = new Map<number, number>();
  /** by instruction, its place in the layout */
  private readonly place: Int32Array;
  private readonly writesExec: Uint8Array;
  /** by instruction, where `sccKnown` of its block */
  private readonly sccLiveBehind: Uint8Array;
  private readonly sccKnown: Uint8Array;
  private execByHand: boolean | null = null;

  constructor(
    private readonly fn: MachineFunction,
    private readonly lanes: LaneValues,
  ) {
    this.facts = new RegisterFacts(fn);
    const n = fn.vregs.n;
    this.defs = new Int32Array(n).fill(-1);
    this.nDefs = new Uint8Array(n);
    this.readers = Array.from({ length: n }, () => []);
    this.instrOf = new Int32Array(fn.nOperands);
    this.writesExec = new Uint8Array(fn.blocks.length);
    this.sccLiveBehind = new Uint8Array(fn.nInstrs);
    this.sccKnown = new Uint8Array(fn.blocks.length);
    this.place = new Int32Array(fn.nInstrs).fill(-1);
    for (let b = 0; b < fn.blocks.length; b++)
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) this.place[fn.order[p]] = p;
    const exec = fn.tables.regByName('exec');
    for (let i = 0; i < fn.nInstrs; i++)
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        this.instrOf[o] = i;
        if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] === 0) continue;
        const isDef = (fn.opFlags[o] & OpFlag.Def) !== 0;
        if (!isVirtualReg(fn.opVal[o])) {
          if (isDef && fn.tables.regsOverlap(fn.opVal[o], exec)) this.writesExec[fn.instrBlock[i]] = 1;
          continue;
        }
        const v = virtRegIndex(fn.opVal[o]);
        if (!isDef) this.readers[v].push(o);
        else {
          this.defs[v] = i;
          this.nDefs[v] = Math.min(2, this.nDefs[v] + 1);
          if (fn.opSub[o] !== 0) this.nDefs[v] = 2;
        }
      }
  }

  run(): ScalarizeAnalysis {
    this.findMovable();
    const candidates: ScalarCandidate[] = [];
    for (let v = 0; v < this.fn.vregs.n; v++) {
      if (!this.movable.has(v)) continue;
      const others = [...this.closureOf(v)].filter((m) => m !== v).sort((x, y) => this.defs[x] - this.defs[y]);
      candidates.push({ vreg: v, def: this.defs[v], closure: [...others, v] });
    }
    return { candidates, reasons: this.reasons };
  }

  /**
   * The largest set of registers that can move together: first all that nothing of their own keeps, then without those that read a vector register outside. What
   * goes around a loop through a PHI stays in if all of the circle does.
   */
  private findMovable(): void {
    for (let v = 0; v < this.fn.vregs.n; v++) {
      if (!this.isVector(v)) continue;
      const why = this.ownReason(v);
      if (typeof why === 'string') this.reasons.set(v, why);
      else this.movable.set(v, why);
    }
    for (let changed = true; changed;) {
      changed = false;
      for (const [v, form] of this.movable) {
        const other = this.otherHalf.get(v);
        const isReady = this.vectorSources(form).every((source) => this.movable.has(source));
        if (isReady && (other === undefined || this.movable.has(other))) continue;
        this.movable.delete(v);
        this.reasons.set(v, isReady ? 'the other half of the sum stays' : 'it reads a vector register that stays');
        changed = true;
      }
    }
  }

  /** Vector registers that an instruction reads; -1 for a physical one. */
  private vectorSources({ sources }: ScalarForm): number[] {
    const { fn } = this;
    return sources
      .filter((o) => fn.opKind[o] === OperandKind.Register && !this.facts.isSGPR(fn.opVal[o]))
      .map((o) => (isVirtualReg(fn.opVal[o]) ? virtRegIndex(fn.opVal[o]) : -1));
  }

  /** Registers that move if this one does, itself among them. */
  private closureOf(v: number): ReadonlySet<number> {
    const all = new Set([v]);
    for (const member of all) {
      for (const source of this.vectorSources(this.movable.get(member)!)) all.add(source);
      const other = this.otherHalf.get(member);
      if (other !== undefined) all.add(other);
    }
    return all;
  }

  private isVector(v: number): boolean {
    const { fn } = this;
    const rc = fn.vregs.regClass[v];
    return (
      rc >= 0 && fn.tables.hasVGPRs(rc) && !fn.tables.hasAGPRs(rc) && !fn.tables.hasSGPRs(rc) && rc !== this.facts.vreg1
    );
  }

  private ownReason(v: number): ScalarForm | string {
    const { fn, facts } = this;
    const { tables } = fn;
    if (this.nDefs[v] !== 1) return 'it is written more than once';
    if (scalarClassOf(fn, v) < 0) return 'there is no scalar register of its width';
    const def = this.defs[v];
    if (fn.bundle[def] !== 0) return 'it is defined in a bundle';
    const form = scalarForm(fn, def);
    if (typeof form === 'string') return form;
    if (this.isPhi(def)) {
      const why = this.phiReason(def);
      if (why !== '') return why;
    }
    const carryReason = this.carryReason(v, form);
    if (carryReason !== '') return carryReason;
    for (const [k, o] of form.sources.entries()) {
      if (fn.opKind[o] !== OperandKind.Register) continue;
      const rc = facts.classOf(fn.opVal[o]);
      if (rc < 0 || isPartOfDword(fn, o)) return 'it reads a part of a register';
      const wanted = form.isGeneric
        ? -1
        : form.opcode === fn.opcode[def]
          ? fn.vregs.regClass[v]
          : fn.subtarget.opInfoRegClass(form.opcode, k + 1);
      if (wanted >= 0 && operandBits(fn, o, rc) !== tables.regClassBits[wanted])
        return 'it reads a part of another width';
      if (!isVirtualReg(fn.opVal[o]) && !tables.regName(fn.opVal[o]).startsWith('sgpr'))
        return 'it reads a special register';
    }
    if (form.writesSCC && this.isSCCLive(def)) return 'SCC is in use where it is defined';
    for (const o of this.readers[v]) {
      const why = this.readerReason(def, o);
      if (why !== '') return why;
    }
    return form;
  }

  /**
   * Why a sum with carry stays: the carry may be read only by the other half, the next instruction, which takes it from SCC then. Notes which the other half is.
   */
  private carryReason(v: number, { carry }: ScalarForm): string {
    if (carry === null) return '';
    const { fn } = this;
    const { tables } = fn;
    const def = this.defs[v];
    const named = (i: InstrId, operand: string): OperandId =>
      fn.opBegin[i] + tables.getNamedOperandIdx(fn.opcode[i], operand);
    const readersOf = (i: InstrId): OperandId[] => {
      const mask = fn.opVal[named(i, 'sdst')];
      return isVirtualReg(mask) ? this.readers[virtRegIndex(mask)] : [];
    };
    const [readers, p] = [readersOf(def), this.place[def]];
    if (carry === 'out') {
      if (!isVirtualReg(fn.opVal[named(def, 'sdst')])) return 'its carry goes to a register by name';
      if (readers.length === 0) return '';
      const next = p + 1 < fn.blockEnd[fn.instrBlock[def]] ? fn.order[p + 1] : -1;
      const isRead = readers.length === 1 && this.instrOf[readers[0]] === next && readers[0] === carryOf(fn, next);
      if (isRead) this.otherHalf.set(v, virtRegIndex(fn.opVal[fn.opBegin[next]]));
      return isRead ? '' : 'its carry is read by more than the next instruction';
    }
    if (readers.length > 0) return 'its carry is read';
    const before = p > fn.blockBegin[fn.instrBlock[def]] ? fn.order[p - 1] : -1;
    const form = before < 0 ? '' : scalarForm(fn, before);
    const isPaired =
      typeof form !== 'string' &&
      form.carry === 'out' &&
      fn.opVal[carryOf(fn, def)] === fn.opVal[named(before, 'sdst')];
    if (isPaired) this.otherHalf.set(v, virtRegIndex(fn.opVal[fn.opBegin[before]]));
    return isPaired ? '' : 'its carry does not come from the instruction in front';
  }

  private readerReason(def: InstrId, o: OperandId): string {
    const { fn, lanes } = this;
    const { tables } = fn;
    const user = this.instrOf[o];
    if ((fn.opFlags[o] & OpFlag.Debug) !== 0) return '';
    if (isPartOfDword(fn, o) || fn.opTied[o] >= 0 || fn.bundle[user] !== 0)
      return 'a reader takes half of a register, or overwrites it';
    if (
      (tables.opcodeFlagsLo(fn.opcode[user]) & (1 << McFlag.Terminator)) !== 0 &&
      (fn.opFlags[o] & OpFlag.Implicit) === 0
    )
      return 'a terminator reads it';
    const block = fn.instrBlock[user];
    if (lanes.uniformity.temporalCycle(def, block) >= 0)
      return 'it is read after a cycle that lanes leave at different times';
    const { cycles } = lanes.uniformity;
    for (let c = cycles.cycleOf[fn.instrBlock[def]]; c >= 0; c = cycles.parent[c])
      if (!cycles.blocks[c].includes(block) && cycles.blocks[c].some((b) => this.writesExec[b] === 1))
        return 'it is read after a cycle that changes EXEC';
    return '';
  }

  private isPhi(i: InstrId): boolean {
    return this.fn.tables.opcodeName(this.fn.opcode[i]) === 'PHI';
  }

  /**
   * Why the lanes that run at a PHI may have come from different blocks, or have run a loop a different number of times: then each keeps its own value.
   * Where instructions other than control flow pseudos write EXEC, who runs where is not known.
   */
  private phiReason(phi: InstrId): string {
    const { fn, lanes } = this;
    const { uniformity } = lanes;
    const block = fn.instrBlock[phi];
    if (this.writesExecItself()) return 'it is a PHI, and EXEC is written by more than control flow';
    for (const [, { joins, divergentExits }] of uniformity.joinsOfBranch)
      if (joins.includes(block) || divergentExits.includes(block))
        return 'it is a PHI where lanes meet that came on different ways';
    const { cycles } = uniformity;
    for (let c = cycles.cycleOf[block]; c >= 0; c = cycles.parent[c])
      if (uniformity.assumedDivergent.includes(c)) return 'it is a PHI in a cycle that lanes enter in different places';
    for (const p of fn.blocks[block].predecessors)
      for (let c = cycles.cycleOf[p]; c >= 0 && !cycles.contains(c, block); c = cycles.parent[c])
        if (uniformity.hasDivergentExit(c) || cycles.blocks[c].some((b) => this.writesExec[b] === 1))
          return 'it is a PHI after a cycle that lanes leave at different times';
    return '';
  }

  private writesExecItself(): boolean {
    if (this.execByHand === null) {
      const { fn } = this;
      const pseudo = /^SI_(?:IF|ELSE|LOOP|END_CF|IF_BREAK)/;
      this.execByHand = fn.blocks.some((_, b) =>
        execChanges(this.lanes, b).some(([i]) => !pseudo.test(fn.tables.opcodeName(fn.opcode[i]))),
      );
    }
    return this.execByHand;
  }

  private isSCCLive(i: InstrId): boolean {
    const block = this.fn.instrBlock[i];
    if (this.sccKnown[block] === 0) this.findSCC(block);
    return this.sccLiveBehind[i] === 1;
  }

  /** After which instructions of a block SCC is read before it is written. */
  private findSCC(block: number): void {
    const { fn, sccLiveBehind } = this;
    const scc = fn.tables.regByName('scc');
    this.sccKnown[block] = 1;
    let isLive = fn.blocks[block].successors.some((s) => fn.blocks[s].liveIns.some((l) => l.reg === scc));
    for (let p = fn.blockEnd[block] - 1; p >= fn.blockBegin[block]; p--) {
      const i = fn.order[p];
      sccLiveBehind[i] = isLive ? 1 : 0;
      let isRead = false;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (fn.opVal[o] !== scc) continue;
        if ((fn.opFlags[o] & OpFlag.Def) !== 0) isLive = false;
        else if ((fn.opFlags[o] & OpFlag.Undef) === 0) isRead = true;
      }
      isLive ||= isRead;
    }
  }
}

/** The operand from which the second half of a sum takes its carry, -1 for other instructions. */
function carryOf(fn: MachineFunction, i: InstrId): OperandId {
  if (i < 0) return -1;
  const form = scalarForm(fn, i);
  const isSecond = typeof form !== 'string' && form.carry === 'in';
  return isSecond ? fn.opBegin[i] + fn.tables.getNamedOperandIdx(fn.opcode[i], 'src2') : -1;
}

/** 16 bits, or a part that does not begin where a register does. */
function isPartOfDword({ tables, opSub }: MachineFunction, o: OperandId): boolean {
  const sub = opSub[o];
  return sub !== 0 && (tables.subRegSize[sub] % 32 !== 0 || tables.subRegOffset[sub] % 32 !== 0);
}

/** Class of SGPRs for what a vector register holds, -1 if there is none. */
function scalarClassOf({ tables, vregs }: MachineFunction, v: number): RegClassId {
  const bits = tables.regClassBits[vregs.regClass[v]];
  if (bits < 32) return -1;
  return tables.regClassByName(bits <= 64 ? `sreg_${bits}` : `sgpr_${bits}`);
}

/** O(operands + sizes of the closures) but for the loops around definitions. */
export function analyzeScalarization(fn: MachineFunction, lanes: LaneValues): ScalarizeAnalysis {
  return new Analyzer(fn, lanes).run();
}

/** A changed clone in which the registers, a union of closures, are computed by the SALU. Ids of instructions that stay are the same. */
export function scalarize(fn: MachineFunction, vregs: readonly number[]): MachineFunction {
  const work = fn.clone();
  const editor = new FunctionEditor(work);
  const builder = new InstrBuilder(editor);
  const facts = new RegisterFacts(work);
  const legality = new OperandLegality(work, facts);
  const { tables } = work;
  const own = new Map(vregs.map((v) => [v, work.vregs.regClass[v]]));
  const scc = tables.regByName('scc');
  const phi = tables.opcodeByName('PHI');
  for (const v of vregs) work.vregs.regClass[v] = scalarClassOf(work, v);
  for (const v of vregs) {
    const def = editor.instrOf(editor.firstOperand(virtReg(v)));
    const form = scalarForm(work, def);
    if (typeof form === 'string' || form.isGeneric) continue;
    const first = work.opBegin[def];
    const givesSCC = form.carry === 'out' && carryOf(work, editor.list.after(def)) >= 0;
    const readsSCC = tables.implicitUses(form.opcode).includes(scc);
    builder.replace(def, form.opcode, [
      regOperand(virtReg(v), work.opFlags[first]),
      ...form.sources.map((o) => operandOf(work, o)),
      ...(form.constant === null ? [] : [form.constant]),
      ...(form.writesSCC ? [regOperand(scc, OpFlag.Def | OpFlag.Implicit | (givesSCC ? 0 : OpFlag.Dead))] : []),
      ...(readsSCC ? [regOperand(scc, OpFlag.Implicit | OpFlag.Kill)] : []),
    ]);
  }
  const firstLane = tables.opcodeByName('V_READFIRSTLANE_B32');
  const copy = tables.opcodeByName('COPY');
  /** Gives operand `o` a copy in a vector register, made before `at`, or at the end of the block. */
  const toVector = (o: OperandId, v: number, block: number, at: InstrId | null): void => {
    const vector = work.vregs.add(-1, null);
    work.vregs.regClass[vector] = own.get(v)!;
    const killed = work.opFlags[o] & OpFlag.Kill;
    builder.build(at ?? firstTerminator(editor, block), NO_LOCATION, copy, [
      regOperand(virtReg(vector), OpFlag.Def),
      regOperand(virtReg(v), killed),
    ]);
    editor.setReg(o, virtReg(vector));
    if (at !== null) work.opFlags[o] |= OpFlag.Kill;
  };
  for (const v of vregs)
    for (const o of [...editor.operandsOf(virtReg(v))]) {
      if (editor.instrOf(o) < 0 || editor.isDef(o) || editor.isDebug(o)) continue;
      const user = editor.instrOf(o);
      const first = work.opBegin[user];
      if (work.opcode[user] === firstLane) {
        const result = regOperand(work.opVal[first], work.opFlags[first], work.opSub[first]);
        builder.replace(user, copy, [result, regOperand(virtReg(v), work.opFlags[o], work.opSub[o])]);
        continue;
      }
      const place = o - first;
      const isImplicit = (work.opFlags[o] & OpFlag.Implicit) !== 0;
      const isDescribed = place < tables.opcodeNumOperands(work.opcode[user]);
      if (work.opcode[user] === phi) {
        if (!own.has(virtRegIndex(work.opVal[first]))) toVector(o, v, work.opVal[o + 1], null);
        continue;
      }
      const isMoved = isVirtualReg(work.opVal[first]) && own.has(virtRegIndex(work.opVal[first]));
      if (
        isImplicit ||
        isMoved ||
        work.opcode[user] === copy ||
        (isDescribed && legality.isOperandLegal(user, place, operandOf(work, o)))
      )
        continue;
      toVector(o, v, work.instrBlock[user], user);
    }
  fuseHalves(editor, vregs);
  return editor.finish();
}

/** What moving registers does to a function: recomputed on what it is then. */
export interface ScalarizeEffect {
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  /** change of the peak, by block, where it is not zero: [block, registers] */
  readonly vgprByBlock: readonly (readonly [number, number])[];
  readonly vgprPeaks: readonly [before: number, after: number];
  readonly sgprPeaks: readonly [before: number, after: number];
}

/** Both functions have the same blocks. */
export function effectBetween(before: PressureSummary, after: PressureSummary): ScalarizeEffect {
  const most = ({ fn, up }: PressureSummary, b: number): number => {
    let peak = 0;
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++)
      peak = Math.max(peak, PressureSummary.count(up.at, Bank.VGPR, fn.order[p]));
    return peak;
  };
  const vgprByBlock = before.fn.blocks.flatMap((_, b) => {
    const change = most(after, b) - most(before, b);
    return change === 0 ? [] : [[b, change] as const];
  });
  const peaks = (bank: Bank): [number, number] => [before.peaks[bank].value, after.peaks[bank].value];
  return {
    occupancyBefore: before.occupancy.occupancy,
    occupancyAfter: after.occupancy.occupancy,
    vgprByBlock,
    vgprPeaks: peaks(Bank.VGPR),
    sgprPeaks: peaks(Bank.SGPR),
  };
}

/** Fewer VGPRs somewhere, nowhere more, and no wave less. */
export const isGain = ({ occupancyBefore, occupancyAfter, vgprByBlock }: ScalarizeEffect): boolean =>
  occupancyAfter >= occupancyBefore && vgprByBlock.length > 0 && vgprByBlock.every(([, change]) => change < 0);

/** Functions that are made and measured for one search. */
const MAX_TRIED = 40;

/** A smallest set (none of it can be left out) with which the function reaches more waves, or at least has a lower peak; null if there is none. */
export function searchScalarization(
  summary: PressureSummary,
  { candidates }: ScalarizeAnalysis,
): readonly number[] | null {
  const { fn } = summary;
  const union = (chosen: readonly ScalarCandidate[]): number[] => {
    const all = new Set(chosen.flatMap((c) => c.closure));
    return candidates.map((c) => c.vreg).filter((v) => all.has(v));
  };
  let tried = 0;
  const measure = (chosen: readonly ScalarCandidate[]): ScalarizeEffect =>
    effectBetween(summary, new PressureSummary(scalarize(fn, union(chosen))));
  if (candidates.length === 0) return null;
  const all = measure(candidates);
  const wantsWave = all.occupancyAfter > all.occupancyBefore;
  if (!isGain(all) || (!wantsWave && all.vgprPeaks[1] >= all.vgprPeaks[0])) return null;
  let chosen: readonly ScalarCandidate[] = candidates;
  for (const candidate of [...candidates].reverse()) {
    if (++tried > MAX_TRIED) break;
    const rest = chosen.filter((c) => c !== candidate);
    if (rest.length === 0) break;
    const now = measure(rest);
    const isEnough = wantsWave ? now.occupancyAfter >= all.occupancyAfter : now.vgprPeaks[1] <= all.vgprPeaks[1];
    if (isEnough && isGain(now)) chosen = rest;
  }
  return union(chosen);
}
