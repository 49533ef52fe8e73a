/**
 * Live variables: where each virtual register of SSA form lives through whole blocks, and the instructions that read it last. With them come
 * the kill and dead flags of virtual and of physical registers (LiveVariables, LLVM 22; docs/llvm/leaving-ssa.md, 1).
 */
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { maskClobbers } from '../../model/regMask.js';
import { isPhysicalReg, isVirtualReg, virtReg, virtRegIndex, type Reg, type VRegId } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import { depthFirst } from '../depthFirst.js';
import { PassError } from '../machinePass.js';
import { addRegisterDead, addRegisterKilled } from '../registerMarks.js';

const NONE: InstrId = -1;

/** @llvm LiveVariables.h LiveVariables::VarInfo */
export class VarInfo {
  /** blocks that the register lives through from start to end */
  alive = new Set<BlockId>();
  /** the last reader in each block in which it ends; its definition, where nobody reads it */
  kills: InstrId[] = [];

  /** @llvm LiveVariables.h LiveVariables::VarInfo::removeKill */
  removeKill(i: InstrId): boolean {
    const at = this.kills.indexOf(i);
    if (at < 0) return false;
    this.kills.splice(at, 1);
    return true;
  }
}

/** @llvm LiveVariables.cpp LiveVariables */
export class LiveVariables {
  readonly fn: MachineFunction;
  private readonly vars: VarInfo[] = [];
  private readonly traits: Uint8Array;

  constructor(readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.traits = opcodeTraits(this.fn.tables);
  }

  /** @llvm LiveVariables.cpp LiveVariables::getVarInfo */
  info(reg: Reg): VarInfo {
    return (this.vars[virtRegIndex(reg)] ??= new VarInfo());
  }

  /**
   * Computes all of it, with the flags. O(size, and for each register the blocks that it lives in)
   * @llvm LiveVariables.cpp LiveVariables::analyze
   */
  analyze(): void {
    const { fn, editor } = this;
    const phiReads = this.readsOfPhis();
    const physical = new PhysicalMarks(editor);
    for (const b of depthFirst(fn)) {
      physical.beginBlock();
      for (let i = editor.list.first(b); i >= 0;) {
        const next = editor.list.after(i);
        if ((this.traits[fn.opcode[i]] & OpcodeTrait.NoSlotIndex) === 0) this.visit(i, b, physical);
        i = next;
      }
      for (const v of phiReads[b]) this.liveThrough(this.info(virtReg(v)), this.blockOfDef(virtReg(v)), b);
      physical.endBlock(b);
    }
    this.vars.forEach((info, v) => {
      const def = editor.defOf(virtReg(v));
      info.kills = info.kills.map((at) => physical.idNow(at));
      for (const i of info.kills) {
        if (i === def) addRegisterDead(editor, i, virtReg(v), false);
        else addRegisterKilled(editor, i, virtReg(v), false);
      }
    });
  }

  /**
   * Registers that PHIs read on the way out of each block.
   * @llvm LiveVariables.cpp LiveVariables::analyzePHINodes
   */
  private readsOfPhis(): VRegId[][] {
    const { fn, editor } = this;
    const of = fn.blocks.map((): VRegId[] => []);
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i = editor.list.first(b); i >= 0 && this.isPhi(i); i = editor.list.after(i))
        for (let o = fn.opBegin[i] + 1; o + 1 < fn.opBegin[i + 1]; o += 2)
          if (editor.reads(o)) of[fn.opVal[o + 1]].push(virtRegIndex(fn.opVal[o]));
    return of;
  }

  private isPhi(i: InstrId): boolean {
    return (this.traits[this.fn.opcode[i]] & OpcodeTrait.Phi) !== 0;
  }

  blockOfDef(reg: Reg): BlockId {
    const def = this.editor.defOf(reg);
    return def < 0 ? -1 : this.fn.instrBlock[def];
  }

  /** @llvm LiveVariables.cpp LiveVariables::runOnInstr */
  private visit(i: InstrId, b: BlockId, physical: PhysicalMarks): void {
    const { fn, editor } = this;
    const begin = fn.opBegin[i];
    const end = this.isPhi(i) ? begin + 1 : fn.opBegin[i + 1];
    const reads: Reg[] = [];
    const defs: Reg[] = [];
    const masks: OperandId[] = [];
    for (let o = begin; o < end; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask) masks.push(o);
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] === 0) continue;
      const reg = fn.opVal[o];
      if (!editor.isDef(o)) {
        if (!physical.isReserved(reg)) fn.opFlags[o] &= ~OpFlag.Kill;
        if (editor.reads(o)) reads.push(reg);
      } else {
        if (isPhysicalReg(reg) && !physical.isReserved(reg)) fn.opFlags[o] &= ~OpFlag.Dead;
        defs.push(reg);
      }
    }
    physical.begin(i);
    for (const reg of reads) {
      if (isVirtualReg(reg)) this.read(reg, b, i);
      else if (!physical.isReserved(reg)) physical.read(reg);
    }
    for (const o of masks) physical.clobber((reg) => maskClobbers(fn, o, reg));
    for (const reg of defs) {
      if (isVirtualReg(reg)) {
        const info = this.info(reg);
        if (info.alive.size === 0) info.kills.push(i);
      } else if (!physical.isReserved(reg)) physical.define(reg);
    }
    physical.end();
  }

  /** @llvm LiveVariables.cpp LiveVariables::HandleVirtRegUse */
  read(reg: Reg, b: BlockId, i: InstrId): void {
    const { fn } = this;
    const info = this.info(reg);
    const { kills } = info;
    if (kills.length > 0 && fn.instrBlock[kills[kills.length - 1]] === b) {
      kills[kills.length - 1] = i;
      return;
    }
    const home = this.blockOfDef(reg);
    if (home < 0) throw new PassError(`llc-22 crashes here: livevars finds no definition of %${virtRegIndex(reg)}.`);
    if (home === b) return;
    if (!info.alive.has(b)) kills.push(i);
    for (const p of fn.blocks[b].predecessors) this.liveThrough(info, home, p);
  }

  /**
   * The register lives at the end of block `b`, and of all that lie between its definition and there.
   * @llvm LiveVariables.cpp LiveVariables::MarkVirtRegAliveInBlock
   */
  liveThrough(info: VarInfo, home: BlockId, b: BlockId): void {
    const { blocks, instrBlock } = this.fn;
    const work = [b];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      const here = at;
      const kill = info.kills.findIndex((i) => instrBlock[i] === here);
      if (kill >= 0) info.kills.splice(kill, 1);
      if (here === home || info.alive.has(here)) continue;
      info.alive.add(here);
      const { predecessors } = blocks[here];
      for (let k = predecessors.length - 1; k >= 0; k--) work.push(predecessors[k]);
    }
  }

  // -- for passes that change the function ---------------------------------------------------------------------------

  /** @llvm LiveVariables.h LiveVariables::VarInfo::findKill */
  killIn(reg: Reg, b: BlockId): InstrId {
    return this.info(reg).kills.find((i) => this.fn.instrBlock[i] === b) ?? NONE;
  }

  /**
   * PHIs of successors do not count as reads.
   * @llvm LiveVariables.cpp LiveVariables::isLiveOut
   */
  isLiveOut(reg: Reg, b: BlockId): boolean {
    const { fn } = this;
    const { alive, kills } = this.info(reg);
    return fn.blocks[b].successors.some((s) => alive.has(s) || kills.some((i) => fn.instrBlock[i] === s));
  }

  /** @llvm LiveVariables.h LiveVariables::isLiveIn */
  isLiveIn(reg: Reg, b: BlockId): boolean {
    if (this.info(reg).alive.has(b)) return true;
    return this.blockOfDef(reg) !== b && this.killIn(reg, b) >= 0;
  }

  /** @llvm LiveVariables.h LiveVariables::addVirtualRegisterKilled */
  addKill(reg: Reg, i: InstrId, adds = false): void {
    if (addRegisterKilled(this.editor, i, reg, adds).isMarked) this.info(reg).kills.push(i);
  }

  /** @llvm LiveVariables.h LiveVariables::removeVirtualRegisterKilled */
  removeKill(reg: Reg, i: InstrId): boolean {
    const { fn } = this;
    if (!this.info(reg).removeKill(i)) return false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === reg && (fn.opFlags[o] & OpFlag.Kill) !== 0) {
        fn.opFlags[o] &= ~OpFlag.Kill;
        break;
      }
    return true;
  }

  /**
   * An instruction that goes kills nothing any more.
   * @llvm LiveVariables.cpp LiveVariables::removeVirtualRegistersKilled
   */
  removeKillsOf(i: InstrId): void {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & OpFlag.Kill) === 0) continue;
      fn.opFlags[o] &= ~OpFlag.Kill;
      if (isVirtualReg(fn.opVal[o])) this.info(fn.opVal[o]).removeKill(i);
    }
  }

  /** Blocks have other ids. */
  renumberBlocks(idOf: Int32Array): void {
    for (const info of this.vars)
      if (info !== undefined) info.alive = new Set([...info.alive].map((b) => idOf[b]).filter((b) => b >= 0));
  }

  /** What stood at the end of block `b` is a block of its own now. O(registers, and their kills) */
  blockIsSplit(b: BlockId, end: BlockId): void {
    const { fn, editor } = this;
    const isDefinedIn = (v: VRegId): boolean => {
      for (const o of editor.operandsOf(virtReg(v))) {
        if (!editor.isDef(o)) return false;
        const block = fn.instrBlock[editor.instrOf(o)];
        if (block === b || block === end) return true;
      }
      return false;
    };
    this.vars.forEach(({ alive, kills }, v) => {
      if (alive.has(b)) alive.add(end);
      else if (kills.some((i) => fn.instrBlock[i] === end) && !isDefinedIn(v)) alive.add(b);
    });
  }

  /**
   * Registers that live into each block, by their numbers, and do not end as they begin there.
   * @llvm PHIElimination.cpp PHIEliminationImpl::run
   */
  liveIns(): Set<VRegId>[] {
    const { fn } = this;
    const into = fn.blocks.map(() => new Set<VRegId>());
    this.vars.forEach(({ alive, kills }, v) => {
      const def = this.editor.defOf(virtReg(v));
      if (def < 0) return;
      for (const b of alive) into[b].add(v);
      const isBeyond = kills.length > 1 || (kills.length === 1 && fn.instrBlock[kills[0]] !== fn.instrBlock[def]);
      if (isBeyond) for (const i of kills) into[fn.instrBlock[i]].add(v);
    });
    return into;
  }

  /** @llvm LiveVariables.cpp LiveVariables::replaceKillInstruction */
  replaceKill(reg: Reg, from: InstrId, to: InstrId): void {
    const info = this.info(reg);
    info.kills = info.kills.map((i) => (i === from ? to : i));
  }

  /** @llvm LiveVariables.h LiveVariables::addVirtualRegisterDead */
  addDead(reg: Reg, i: InstrId): void {
    if (addRegisterDead(this.editor, i, reg, false).isMarked) this.info(reg).kills.push(i);
  }

  /** @llvm LiveVariables.h LiveVariables::removeVirtualRegisterDead */
  removeDead(reg: Reg, i: InstrId): boolean {
    const { fn } = this;
    if (!this.info(reg).removeKill(i)) return false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === reg && this.editor.isDef(o)) {
        fn.opFlags[o] &= ~OpFlag.Dead;
        break;
      }
    return true;
  }

  /**
   * Computes a register with one definition anew, with its flags. O(operands, and the blocks that it lives in)
   * @llvm LiveVariables.cpp LiveVariables::recomputeForSingleDefVirtReg
   */
  recompute(reg: Reg): void {
    const { fn, editor } = this;
    const info = this.info(reg);
    info.alive.clear();
    info.kills = [];
    const def = editor.defOf(reg);
    const home = fn.instrBlock[def];
    const work: BlockId[] = [];
    const readIn = new Set<BlockId>();
    let nReads = 0;
    for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDef(o) || editor.isDebug(o)) continue;
      fn.opFlags[o] &= ~OpFlag.Kill;
      if (!editor.reads(o)) continue;
      nReads++;
      const reader = editor.instrOf(o);
      const b = fn.instrBlock[reader];
      readIn.add(b);
      if (this.isPhi(reader)) work.push(fn.opVal[o + 1]);
      else if (b !== home) work.push(...fn.blocks[b].predecessors);
    }
    if (nReads === 0) {
      info.kills.push(def);
      addRegisterDead(editor, def, reg, false);
      return;
    }
    for (let o = fn.firstReg(def); o >= 0; o = fn.nextReg(def, o))
      if (fn.opVal[o] === reg && editor.isDef(o)) fn.opFlags[o] &= ~OpFlag.Dead;
    let leavesHome = false;
    for (let b = work.pop(); b !== undefined; b = work.pop()) {
      if (b === home) leavesHome = true;
      if (b === home || info.alive.has(b)) continue;
      info.alive.add(b);
      work.push(...fn.blocks[b].predecessors);
    }
    for (const b of [...readIn].sort((x, y) => fn.numberOf(x) - fn.numberOf(y))) {
      if (info.alive.has(b) || (b === home && leavesHome)) continue;
      for (let i = editor.list.before(~b); i >= 0; i = editor.list.before(i)) {
        if ((this.traits[fn.opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0) continue;
        if (this.isPhi(i)) break;
        if (!this.readsIn(i, reg)) continue;
        addRegisterKilled(editor, i, reg, false);
        info.kills.push(i);
        break;
      }
    }
  }

  private readsIn(i: InstrId, reg: Reg): boolean {
    const { fn, editor } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] === reg && editor.reads(o)) return true;
    return false;
  }
}

/** Physical registers within one block: each was defined somewhere, or lives in, and was read somewhere. */
class PhysicalMarks {
  private readonly fn: MachineFunction;
  private readonly reserved: ReservedRegs;
  /** by register: the instruction of the last definition and of the last read since */
  private readonly def: Int32Array;
  private readonly use: Int32Array;
  private touched = new Set<PhysReg>();
  /** by instruction of this block: its place in it */
  private readonly distance = new Map<InstrId, number>();
  /** instructions that got or lost operands have other ids */
  private readonly moved = new Map<InstrId, InstrId>();
  private at: InstrId = NONE;
  private defined: PhysReg[] = [];

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.reserved = new ReservedRegs(this.fn);
    this.def = new Int32Array(this.fn.tables.nRegs).fill(NONE);
    this.use = new Int32Array(this.fn.tables.nRegs).fill(NONE);
  }

  isReserved(reg: Reg): boolean {
    return isPhysicalReg(reg) && this.reserved.isReserved(reg);
  }

  idNow(i: InstrId): InstrId {
    let now = i;
    for (let to = this.moved.get(now); to !== undefined; to = this.moved.get(now)) now = to;
    return now;
  }

  beginBlock(): void {
    for (const reg of this.touched) this.def[reg] = this.use[reg] = NONE;
    this.touched.clear();
    this.distance.clear();
    this.at = NONE;
  }

  /** @llvm LiveVariables.cpp LiveVariables::runOnBlock */
  endBlock(b: BlockId): void {
    const { fn } = this;
    const stays = new Set<PhysReg>();
    for (const s of fn.blocks[b].successors) {
      if (fn.blocks[s].isLandingPad) continue;
      for (const { reg } of fn.blocks[s].liveIns) if (!fn.tables.isInAllocatableClass(reg)) stays.add(reg);
    }
    this.at = NONE;
    for (const reg of this.known()) if (!stays.has(reg)) this.endParts(reg);
  }

  begin(i: InstrId): void {
    this.at = i;
    this.distance.set(i, this.distance.size);
    this.defined = [];
  }

  /** @llvm LiveVariables.cpp LiveVariables::UpdatePhysRegDefs */
  end(): void {
    const at = this.idNow(this.at);
    for (let reg = this.defined.pop(); reg !== undefined; reg = this.defined.pop())
      for (const part of this.withParts(reg)) {
        this.setDef(part, at);
        this.use[part] = NONE;
      }
  }

  private setDef(reg: PhysReg, i: InstrId): void {
    this.touched.add(reg);
    this.def[reg] = i;
  }

  private setUse(reg: PhysReg, i: InstrId): void {
    this.touched.add(reg);
    this.use[reg] = i;
  }

  private lastDef(reg: PhysReg): InstrId {
    return this.def[reg] < 0 ? NONE : this.idNow(this.def[reg]);
  }

  private lastUse(reg: PhysReg): InstrId {
    return this.use[reg] < 0 ? NONE : this.idNow(this.use[reg]);
  }

  private known(): PhysReg[] {
    return [...this.touched].filter((reg) => this.def[reg] >= 0 || this.use[reg] >= 0).sort((a, b) => a - b);
  }

  private isKnown(reg: PhysReg): boolean {
    return this.def[reg] >= 0 || this.use[reg] >= 0;
  }

  private parts(reg: PhysReg): readonly PhysReg[] {
    return this.fn.tables.subRegs(reg);
  }

  private withParts(reg: PhysReg): PhysReg[] {
    return [reg, ...this.parts(reg)];
  }

  private became(from: InstrId, to: InstrId): void {
    if (from === to) return;
    this.moved.set(from, to);
    this.distance.set(to, this.distance.get(from)!);
  }

  private addOperand(i: InstrId, reg: PhysReg, flags: number): void {
    this.became(i, this.editor.withOperand(i, regOperand(reg, flags | OpFlag.Implicit)));
  }

  private kill(i: InstrId, reg: PhysReg): void {
    this.became(i, addRegisterKilled(this.editor, i, reg, true).instr);
  }

  private distanceOf(i: InstrId): number {
    return this.distance.get(i) ?? 0;
  }

  private findDef(i: InstrId, reg: PhysReg): OperandId {
    const { fn, editor } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] === reg && editor.isDef(o)) return o;
    return -1;
  }

  /** @llvm LiveVariables.cpp LiveVariables::HandlePhysRegUse */
  read(reg: PhysReg): void {
    const def = this.lastDef(reg);
    if (def < 0 && this.use[reg] < 0) this.defineOfParts(reg);
    else if (def >= 0 && this.use[reg] < 0 && this.findDef(def, reg) < 0) this.addOperand(def, reg, OpFlag.Def);
    const at = this.idNow(this.at);
    for (const part of this.withParts(reg)) this.setUse(part, at);
  }

  /**
   * The last definition of a part defines the whole, which is read.
   * @llvm LiveVariables.cpp LiveVariables::FindLastPartialDef
   */
  private defineOfParts(reg: PhysReg): void {
    let last: InstrId = NONE;
    let distance = 0;
    for (const part of this.parts(reg)) {
      const def = this.lastDef(part);
      if (def < 0 || this.distanceOf(def) <= distance) continue;
      last = def;
      distance = this.distanceOf(def);
    }
    if (last >= 0) this.addOperand(last, reg, OpFlag.Def);
  }

  /**
   * The last instruction that mentions the register or a part of it.
   * @llvm LiveVariables.cpp LiveVariables::FindLastRefOrPartRef
   */
  private lastMention(reg: PhysReg): InstrId {
    const def = this.lastDef(reg);
    const use = this.lastUse(reg);
    if (def < 0 && use < 0) return NONE;
    let last = use >= 0 ? use : def;
    let distance = this.distanceOf(last);
    for (const part of this.parts(reg)) {
      const partDef = this.lastDef(part);
      if (partDef >= 0 && partDef !== def) continue;
      const partUse = this.lastUse(part);
      if (partUse < 0 || this.distanceOf(partUse) <= distance) continue;
      distance = this.distanceOf(partUse);
      last = partUse;
    }
    return last;
  }

  /** @llvm LiveVariables.cpp LiveVariables::HandlePhysRegKill */
  private endOf(reg: PhysReg): void {
    const def = this.lastDef(reg);
    const use = this.lastUse(reg);
    if (def < 0 && use < 0) return;
    let last = use >= 0 ? use : def;
    let distance = this.distanceOf(last);
    let lastPartDef: InstrId = NONE;
    let partDistance = 0;
    const readParts = new Set<PhysReg>();
    for (const part of this.parts(reg)) {
      const partDef = this.lastDef(part);
      if (partDef >= 0 && partDef !== def) {
        if (this.distanceOf(partDef) > partDistance) {
          partDistance = this.distanceOf(partDef);
          lastPartDef = partDef;
        }
        continue;
      }
      const partUse = this.lastUse(part);
      if (partUse < 0) continue;
      for (const inner of this.withParts(part)) readParts.add(inner);
      if (this.distanceOf(partUse) <= distance) continue;
      distance = this.distanceOf(partUse);
      last = partUse;
    }
    if (use < 0) this.endParted(reg, readParts, last);
    else if (last === def && last !== this.idNow(this.at)) {
      if (lastPartDef >= 0) this.addOperand(lastPartDef, reg, OpFlag.Kill);
      else this.markDead(last, reg);
    } else this.kill(last, reg);
  }

  /** Parts alone are read: the whole is dead, the parts are defined beside it. */
  private endParted(reg: PhysReg, readParts: Set<PhysReg>, last: InstrId): void {
    this.markDeadPlainly(this.lastDef(reg), reg);
    for (const part of this.parts(reg)) {
      if (!readParts.has(part)) continue;
      const def = this.lastDef(reg);
      if (def !== this.lastDef(part) || this.findDef(def, part) < 0) this.addOperand(def, part, OpFlag.Def);
      const mention = this.lastMention(part);
      if (mention >= 0) this.kill(mention, part);
      else {
        const now = this.idNow(last);
        this.kill(now, part);
        for (const inner of this.withParts(part)) this.setUse(inner, now);
      }
      for (const inner of this.parts(part)) readParts.delete(inner);
    }
  }

  private markDeadPlainly(i: InstrId, reg: PhysReg): void {
    this.became(i, addRegisterDead(this.editor, i, reg, true).instr);
  }

  /** With an early-clobber definition of more than the register, the one that is added for it is early-clobber, too. */
  private markDead(i: InstrId, reg: PhysReg): void {
    const { fn, editor } = this;
    let isEarly = false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const other = fn.opVal[o];
      if (!editor.isDef(o) || other <= 0 || !(other === reg || fn.tables.isSubRegister(other, reg))) continue;
      isEarly = (fn.opFlags[o] & OpFlag.EarlyClobber) !== 0 && other !== reg;
      break;
    }
    this.markDeadPlainly(i, reg);
    const o = isEarly ? this.findDef(this.idNow(i), reg) : -1;
    if (o >= 0) fn.opFlags[o] |= OpFlag.EarlyClobber;
  }

  /**
   * What a call does not preserve ends, the largest registers first.
   * @llvm LiveVariables.cpp LiveVariables::HandleRegMask
   */
  clobber(isClobbered: (reg: PhysReg) => boolean): void {
    const at = this.at;
    this.at = NONE;
    for (const reg of this.known()) {
      if (!isClobbered(reg)) continue;
      let whole = reg;
      for (const larger of this.fn.tables.superRegs(reg))
        if (this.isKnown(larger) && isClobbered(larger)) whole = larger;
      this.endOf(whole);
    }
    this.at = at;
  }

  /** @llvm LiveVariables.cpp LiveVariables::HandlePhysRegDef */
  define(reg: PhysReg): void {
    this.endParts(reg);
    this.defined.push(reg);
  }

  private endParts(reg: PhysReg): void {
    const live = new Set<PhysReg>();
    if (this.isKnown(reg)) for (const part of this.withParts(reg)) live.add(part);
    else
      for (const part of this.parts(reg))
        if (!live.has(part) && this.isKnown(part)) for (const inner of this.withParts(part)) live.add(inner);
    this.endOf(reg);
    for (const part of this.parts(reg)) if (live.has(part)) this.endOf(part);
  }
}
