/**
 * `detect-dead-lanes`: parts of registers that are written or read only by way of copies, and for nothing (DetectDeadLanes, LLVM 22;
 * docs/llvm/small-passes.md, 11).
 */
import { ALL_LANES as ALL, Lanes } from '../../analysis/lanes.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleFlag, OpFlag, type InstrId, type MachineFunction, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, virtRegIndex, type Reg } from '../../model/register.js';
import type { RegClassId, SubRegIdx } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';

/** @llvm DetectDeadLanes.cpp DetectDeadLanesLegacy */
export const detectDeadLanesPass: MachinePass = {
  name: 'detect-dead-lanes',
  pipelineName: 'detect-dead-lanes',
  className: 'DetectDeadLanesPass',
  title: 'Detect Dead Lanes',
  isRequired: true,
  requires: [],
  preserves: [CFG],
  run(state) {
    const editor = state.editor();
    while (new DeadLanes(editor).mark());
  },
};

/** @llvm DetectDeadLanes.cpp DeadLaneDetector */
class DeadLanes {
  private readonly fn: MachineFunction;
  private readonly lanes: Lanes;
  private readonly used: BigUint64Array;
  private readonly defined: BigUint64Array;
  /** registers whose only definition is like a copy */
  private readonly isByCopy: Uint8Array;
  private readonly worklist: number[] = [];
  private readonly isWaiting: Uint8Array;
  private readonly kill: number;
  private readonly implicitDef: number;
  private readonly regSequence: number;
  private readonly insertSubreg: number;
  private readonly extractSubreg: number;
  private readonly copies: ReadonlySet<number>;

  constructor(private readonly editor: FunctionEditor) {
    const { fn } = editor;
    this.fn = fn;
    this.lanes = new Lanes(fn.tables);
    const n = fn.vregs.n;
    this.used = new BigUint64Array(n);
    this.defined = new BigUint64Array(n);
    this.isByCopy = new Uint8Array(n);
    this.isWaiting = new Uint8Array(n);
    const opcode = (name: string): number => fn.tables.opcodeByName(name);
    this.kill = opcode('KILL');
    this.implicitDef = opcode('IMPLICIT_DEF');
    this.regSequence = opcode('REG_SEQUENCE');
    this.insertSubreg = opcode('INSERT_SUBREG');
    this.extractSubreg = opcode('EXTRACT_SUBREG');
    this.copies = new Set([
      ...opcodeSet(fn.tables, 'phi'),
      opcode('COPY'),
      this.regSequence,
      this.insertSubreg,
      this.extractSubreg,
    ]);
  }

  /**
   * Marks definitions dead and uses undefined; true when that may show more.
   * @llvm DetectDeadLanes.cpp DetectDeadLanes::modifySubRegisterOperandStatus
   */
  mark(): boolean {
    const { fn, editor } = this;
    const { list } = editor;
    this.compute();
    let again = false;
    for (let b = 0; b < fn.blocks.length; b++)
      for (let head = list.first(b); head >= 0; head = list.after(head))
        for (let i = head; ; i++) {
          for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) again = this.markOperand(i, o) || again;
          if ((fn.bundle[i] & BundleFlag.BundledSucc) === 0) break;
        }
    return again;
  }

  private markOperand(i: InstrId, o: OperandId): boolean {
    const { fn, editor, lanes } = this;
    const reg = fn.opVal[o];
    if (!isVirtualReg(reg)) return false;
    const v = virtRegIndex(reg);
    if (editor.isDef(o) && this.used[v] === 0n) fn.opFlags[o] |= OpFlag.Dead;
    if (!editor.reads(o)) return false;
    if ((this.defined[v] & this.used[v] & lanes.mask(fn.opSub[o])) === 0n) {
      fn.opFlags[o] |= OpFlag.Undef;
      return false;
    }
    if (!this.isUnusedInput(i, o)) return false;
    fn.opFlags[o] |= OpFlag.Undef;
    return this.isCrossCopy(i, o);
  }

  /**
   * What a copy takes from the operand is not used.
   * @llvm DetectDeadLanes.cpp DetectDeadLanes::isUndefInput
   */
  private isUnusedInput(i: InstrId, o: OperandId): boolean {
    const { fn, editor } = this;
    if (editor.isDef(o) || !this.isCopy(i)) return false;
    const result = fn.opVal[fn.opBegin[i]];
    if (!isVirtualReg(result) || this.isByCopy[virtRegIndex(result)] === 0) return false;
    return this.usedOf(i, o, this.used[virtRegIndex(result)]) === 0n;
  }

  private isCopy(i: InstrId): boolean {
    return this.copies.has(this.fn.opcode[i]);
  }

  private laneMaskOf(reg: Reg): bigint {
    const rc = this.fn.vregs.regClass[virtRegIndex(reg)];
    if (rc < 0) return ALL;
    const { regClassLaneLo, regClassLaneHi } = this.fn.tables;
    return (BigInt(regClassLaneHi[rc] >>> 0) << 32n) | BigInt(regClassLaneLo[rc] >>> 0);
  }

  // -- what is used and defined ------------------------------------------------------------------------------------------

  /** @llvm DetectDeadLanes.cpp DeadLaneDetector::computeSubRegisterLaneBitInfo */
  private compute(): void {
    const { fn, editor } = this;
    for (let v = 0; v < fn.vregs.n; v++) {
      this.defined[v] = this.initiallyDefined(virtReg(v));
      this.used[v] = this.initiallyUsed(virtReg(v));
    }
    for (let next = 0; next < this.worklist.length; next++) {
      const v = this.worklist[next];
      this.isWaiting[v] = 0;
      const reg = virtReg(v);
      const def = editor.instrOf(editor.firstOperand(reg));
      for (let o = fn.firstReg(def); o >= 0; o = fn.nextReg(def, o))
        if (!editor.isDef(o) && isVirtualReg(fn.opVal[o])) this.addUsed(o, this.usedOf(def, o, this.used[v]));
      for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o))
        if (!editor.isDef(o) && !editor.isDebug(o)) this.addDefined(o, this.defined[v]);
    }
  }

  private wait(v: number): void {
    if (this.isWaiting[v] === 1) return;
    this.isWaiting[v] = 1;
    this.worklist.push(v);
  }

  /** @llvm DetectDeadLanes.cpp DeadLaneDetector::determineInitialDefinedLanes */
  private initiallyDefined(reg: Reg): bigint {
    const { fn, editor } = this;
    if (!editor.hasOneDef(reg)) return ALL;
    const o = editor.firstOperand(reg);
    const def = editor.instrOf(o);
    const isDead = (fn.opFlags[o] & OpFlag.Dead) !== 0;
    if (!this.isCopy(def)) return isDead || fn.opcode[def] === this.implicitDef ? 0n : this.laneMaskOf(reg);
    this.isByCopy[virtRegIndex(reg)] = 1;
    this.wait(virtRegIndex(reg));
    if (isDead) return 0n;
    let lanes = 0n;
    for (let use = fn.firstReg(def); use >= 0; use = fn.nextReg(def, use)) {
      if (editor.isDef(use) || !editor.reads(use) || fn.opVal[use] === 0) continue;
      const source = fn.opVal[use];
      let given = ALL;
      if (isVirtualReg(source) && !this.isCrossCopy(def, use)) {
        if (editor.hasOneDef(source)) {
          const other = editor.instrOf(editor.firstOperand(source));
          if (this.isCopy(other) || fn.opcode[other] === this.implicitDef) continue;
        }
        given = this.lanes.inward(fn.opSub[use], this.laneMaskOf(source));
      }
      lanes |= this.definedBy(def, use, given);
    }
    return lanes;
  }

  /** @llvm DetectDeadLanes.cpp DeadLaneDetector::determineInitialUsedLanes */
  private initiallyUsed(reg: Reg): bigint {
    const { fn, editor } = this;
    let lanes = 0n;
    for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDef(o) || editor.isDebug(o) || !editor.reads(o)) continue;
      const user = editor.instrOf(o);
      if (fn.opcode[user] === this.kill) continue;
      const isFollowed = this.isCopy(user) && isVirtualReg(fn.opVal[fn.opBegin[user]]) && !this.isCrossCopy(user, o);
      if (isFollowed) continue;
      if (fn.opSub[o] === 0) return this.laneMaskOf(reg);
      lanes |= this.lanes.mask(fn.opSub[o]);
    }
    return lanes;
  }

  /** @llvm DetectDeadLanes.cpp DeadLaneDetector::addUsedLanesOnOperand */
  private addUsed(o: OperandId, lanes: bigint): void {
    const { fn, editor, used } = this;
    if (!editor.reads(o)) return;
    const reg = fn.opVal[o];
    const v = virtRegIndex(reg);
    const more = this.lanes.outward(fn.opSub[o], lanes) & this.laneMaskOf(reg);
    if ((more & ~used[v]) === 0n) return;
    used[v] |= more;
    if (this.isByCopy[v] === 1) this.wait(v);
  }

  /** @llvm DetectDeadLanes.cpp DeadLaneDetector::transferDefinedLanesStep */
  private addDefined(o: OperandId, lanes: bigint): void {
    const { fn, editor, defined } = this;
    if (!editor.reads(o)) return;
    const user = editor.instrOf(o);
    if (fn.tables.opcodeNumDefs(fn.opcode[user]) !== 1) return;
    const result = fn.opVal[fn.opBegin[user]];
    if (!isVirtualReg(result)) return;
    const v = virtRegIndex(result);
    if (this.isByCopy[v] === 0) return;
    const more = this.definedBy(user, o, this.lanes.inward(fn.opSub[o], lanes));
    if ((more & ~defined[v]) === 0n) return;
    defined[v] |= more;
    this.wait(v);
  }

  // -- through a copy ------------------------------------------------------------------------------------------------------

  /**
   * Lanes of operand `o` that are used where these of the result are.
   * @llvm DetectDeadLanes.cpp DeadLaneDetector::transferUsedLanes
   */
  private usedOf(i: InstrId, o: OperandId, lanes: bigint): bigint {
    const { fn } = this;
    const begin = fn.opBegin[i];
    switch (fn.opcode[i]) {
      case this.regSequence:
        return this.lanes.inward(fn.opVal[o + 1], lanes);
      case this.insertSubreg: {
        const part = fn.opVal[begin + 3];
        return o === begin + 2 ? this.lanes.inward(part, lanes) : lanes & ~this.lanes.mask(part);
      }
      case this.extractSubreg:
        return this.lanes.outward(fn.opVal[begin + 2], lanes);
      default:
        return lanes;
    }
  }

  /**
   * Lanes of the result that these of operand `o` define.
   * @llvm DetectDeadLanes.cpp DeadLaneDetector::transferDefinedLanes
   */
  private definedBy(i: InstrId, o: OperandId, lanes: bigint): bigint {
    const { fn } = this;
    const begin = fn.opBegin[i];
    const into = (part: SubRegIdx): bigint => this.lanes.outward(part, lanes) & this.lanes.mask(part);
    let all = lanes;
    switch (fn.opcode[i]) {
      case this.regSequence:
        all = into(fn.opVal[o + 1]);
        break;
      case this.insertSubreg: {
        const part = fn.opVal[begin + 3];
        all = o === begin + 2 ? into(part) : lanes & ~this.lanes.mask(part);
        break;
      }
      case this.extractSubreg:
        all = this.lanes.inward(fn.opVal[begin + 2], lanes);
        break;
    }
    return all & this.laneMaskOf(fn.opVal[begin]);
  }

  /**
   * A copy between classes whose lanes have nothing to do with each other.
   * @llvm DetectDeadLanes.cpp isCrossCopy
   */
  private isCrossCopy(i: InstrId, o: OperandId): boolean {
    const { fn } = this;
    const { tables, vregs } = fn;
    const begin = fn.opBegin[i];
    const [to, from] = [fn.opVal[begin], fn.opVal[o]].map((reg) =>
      isVirtualReg(reg) ? vregs.regClass[virtRegIndex(reg)] : -1,
    );
    if (to < 0 || from < 0 || to === from) return false;
    let fromPart = fn.opSub[o];
    let toPart: SubRegIdx = 0;
    if (fn.opcode[i] === this.insertSubreg && o === begin + 2) toPart = fn.opVal[begin + 3];
    else if (fn.opcode[i] === this.regSequence) toPart = fn.opVal[o + 1];
    else if (fn.opcode[i] === this.extractSubreg)
      fromPart = fromPart === 0 ? fn.opVal[begin + 2] : tables.composeSubRegIndices(fn.opVal[begin + 2], fromPart);
    if (fromPart !== 0 && toPart !== 0) return !this.havePartInCommon(from, fromPart, to, toPart);
    if (fromPart !== 0) return tables.getMatchingSuperRegClass(from, to, fromPart) < 0;
    if (toPart !== 0) return tables.getMatchingSuperRegClass(to, from, toPart) < 0;
    return tables.getCommonSubClass(from, to) < 0;
  }

  private havePartInCommon(a: RegClassId, partOfA: SubRegIdx, b: RegClassId, partOfB: SubRegIdx): boolean {
    const { tables } = this.fn;
    const [x, y] = [tables.getSubRegisterClass(a, partOfA), tables.getSubRegisterClass(b, partOfB)];
    return x >= 0 && y >= 0 && tables.getCommonSubClass(x, y) >= 0;
  }
}
