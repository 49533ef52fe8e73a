/** Debug values while registers are allocated block by block: they name the register or the slot in which a value is. */
import type { FunctionEditor, NewOperand } from '../../../model/edit/functionEditor.js';
import { immOperand, operandOf } from '../../../model/edit/functionEditor.js';
import type { ListPos } from '../../../model/edit/instrList.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../../model/machineFunction.js';
import { isPhysicalReg, NO_REG, virtReg, type Reg, type VRegId } from '../../../model/register.js';
import type { PhysReg } from '../../../target/api.js';
import { maskClobbers } from '../../../model/regMask.js';
import { loseDebugValue } from '../../debugOperands.js';
import { firstTerminator } from '../../instrOrder.js';
import { NotModelled } from '../../machinePass.js';
import { argInMemory, inMemory } from '../../debugInfo/expression.js';

/** A debug value further away than this from the definition is taken to have lost it. */
const FAR = 20;

/** Where a value is at the present place. */
interface PlacedValue {
  /** NO_REG: in no register */
  readonly reg: PhysReg;
  readonly hasFailed: boolean;
}

/** What it asks of the allocator. */
interface Allocation {
  readonly fn: MachineFunction;
  readonly editor: FunctionEditor;
  /** a virtual register that this run assigns */
  isOurs(reg: Reg): boolean;
  valueNow(v: VRegId): PlacedValue | null;
  /** the stack slot of a value, -1 = it has none */
  slotOf(v: VRegId): number;
  setReg(o: OperandId, value: PlacedValue): boolean;
}

export class FastDebugValues {
  private readonly fn: MachineFunction;
  private readonly editor: FunctionEditor;
  private readonly listOpcode: number;
  /** by virtual register: operands of debug values that are about it where it has no slot */
  private readonly ofReg = new Map<VRegId, OperandId[]>();
  /** those that stand after the last place that reads it */
  private readonly dangling = new Map<VRegId, InstrId[]>();

  constructor(private readonly allocator: Allocation) {
    this.fn = allocator.fn;
    this.editor = allocator.editor;
    this.listOpcode = this.fn.tables.opcodeByName('DBG_VALUE_LIST');
  }

  private isList(i: InstrId): boolean {
    return this.fn.opcode[i] === this.listOpcode;
  }

  /** The operands that say where the value is. */
  private locations(i: InstrId): OperandId[] {
    const { fn } = this;
    const begin = fn.opBegin[i];
    if (!this.isList(i)) return begin < fn.opBegin[i + 1] ? [begin] : [];
    const found: OperandId[] = [];
    for (let o = begin + 2; o < fn.opBegin[i + 1]; o++) found.push(o);
    return found;
  }

  private locationsIn(i: InstrId, reg: Reg): OperandId[] {
    const { fn } = this;
    return this.locations(i).filter((o) => fn.opKind[o] === OperandKind.Register && fn.opVal[o] === reg);
  }

  private expressionOf(i: InstrId): OperandId {
    const { fn } = this;
    const o = fn.opBegin[i] + (this.isList(i) ? 1 : 3);
    if (o < fn.opBegin[i + 1] && fn.opKind[o] === OperandKind.Metadata) return o;
    throw new NotModelled('a debug value without variable and expression');
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::handleDebugValue */
  handle(i: InstrId): void {
    const { allocator, fn } = this;
    for (const o of this.locations(i)) {
      const reg = fn.opVal[o];
      if (fn.opKind[o] !== OperandKind.Register || !allocator.isOurs(reg)) continue;
      const slot = allocator.slotOf(~reg);
      if (slot >= 0) {
        this.moveToSlot(i, slot, reg);
        continue;
      }
      const value = allocator.valueNow(~reg);
      const operands = this.locationsIn(i, reg);
      if (value !== null && value.reg !== NO_REG) for (const named of operands) allocator.setReg(named, value);
      else push(this.dangling, ~reg, i);
      for (const named of operands) push(this.ofReg, ~reg, named);
    }
  }

  /** The expression of a debug value whose locations `operands` are in memory. */
  private inMemory(i: InstrId, operands: readonly OperandId[]): NewOperand {
    const { fn } = this;
    const at = this.expressionOf(i);
    const payload = fn.payload(at, OperandKind.Metadata);
    let { text } = payload;
    if (this.isList(i)) {
      const first = fn.opBegin[i] + 2;
      for (const o of operands) text = argInMemory(text, o - first, 0);
    } else if (fn.opKind[fn.opBegin[i] + 1] === OperandKind.Immediate) text = inMemory(text, 0, true);
    if (text === payload.text) return operandOf(fn, at);
    return { ...operandOf(fn, at), val: fn.addPayload({ ...payload, text }) };
  }

  /** @llvm MachineInstr.cpp updateDbgValueForSpill */
  private moveToSlot(i: InstrId, slot: number, reg: Reg): void {
    const { editor, fn } = this;
    const operands = this.locationsIn(i, reg);
    const expression = this.inMemory(i, operands);
    if (!this.isList(i)) editor.setOperand(fn.opBegin[i] + 1, immOperand(0));
    for (const o of operands) editor.setOperand(o, { kind: OperandKind.FrameIndex, val: slot });
    editor.setOperand(this.expressionOf(i), expression);
  }

  /**
   * A value is saved at a place: debug values about it below are repeated there with its slot, and at the end of `liveOutOf` as well.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::spill
   */
  spilled(v: VRegId, slot: number, at: ListPos, liveOutOf: BlockId | null): void {
    const { editor, fn } = this;
    const operands = this.ofReg.get(v) ?? [];
    if (operands.length === 0) return;
    this.ofReg.delete(v);
    const byInstr = new Map<InstrId, OperandId[]>();
    for (const o of operands) if (editor.instrOf(o) >= 0) push(byInstr, editor.instrOf(o), o);
    const end = liveOutOf === null ? 0 : firstTerminator(editor, liveOutOf);
    for (const [i, named] of byInstr) {
      if (this.isList(i)) continue;
      const begin = fn.opBegin[i];
      const variable = operandOf(fn, begin + 2);
      const expression = this.inMemory(i, named);
      const made = editor.insert(at, at < 0 ? ~at : fn.instrBlock[at], fn.opcode[i], [
        { kind: OperandKind.FrameIndex, val: slot },
        immOperand(0),
        variable,
        expression,
      ]);
      const debugLocation = fn.extras.get(i)?.debugLocation;
      if (debugLocation !== undefined) fn.extras.set(made, { debugLocation });
      if (liveOutOf !== null) editor.insertCopy(end, liveOutOf, made);
      if (fn.opKind[begin] === OperandKind.Register && fn.opVal[begin] === NO_REG) this.moveToSlot(i, slot, NO_REG);
    }
  }

  /**
   * A value is in a register from `def` on: so are debug values that waited for it, where nothing in between writes the register.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::assignDanglingDebugValues
   */
  assigned(def: InstrId, v: VRegId, reg: PhysReg): void {
    const waiting = this.dangling.get(v);
    if (waiting === undefined) return;
    const { editor, fn } = this;
    for (const i of waiting) {
      const operands = this.locationsIn(i, virtReg(v));
      if (operands.length === 0) continue;
      let left = FAR;
      let survives = true;
      for (let k = editor.list.after(def); survives && k !== i; k = editor.list.after(k))
        survives = !this.modifies(k, reg) && --left !== 0;
      for (const o of operands) {
        editor.setReg(o, survives ? reg : NO_REG);
        if (survives) fn.opFlags[o] |= OpFlag.Renamable;
      }
    }
    this.dangling.delete(v);
  }

  private modifies(i: InstrId, reg: PhysReg): boolean {
    const { fn, editor } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask && maskClobbers(fn, o, reg)) return true;
      if (fn.opKind[o] !== OperandKind.Register || !editor.isDef(o) || !isPhysicalReg(fn.opVal[o])) continue;
      if (fn.tables.regsOverlap(fn.opVal[o], reg)) return true;
    }
    return false;
  }

  /** What still waits is nowhere. */
  endOfBlock(): void {
    for (const [v, waiting] of this.dangling)
      for (const i of waiting) if (this.locationsIn(i, virtReg(v)).length > 0) loseDebugValue(this.editor, i);
    this.dangling.clear();
  }
}

function push<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
