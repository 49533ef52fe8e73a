/** Instructions become a bundle whose header says what they do together (finalizeBundle, LLVM 22). */
import { InstrFlag, OpFlag, type InstrId, type OperandId } from '../machineFunction.js';
import { isSameAccess, type MemOperand } from '../memOperand.js';
import { isPhysicalReg, type Reg } from '../register.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { regOperand, type FunctionEditor, type NewOperand } from './functionEditor.js';
import type { ListPos } from './instrList.js';

interface Definition {
  isDead: boolean;
  /** its last reader is in the bundle */
  isKilled: boolean;
}

/**
 * Instructions from `first` up to `end` as a bundle; reads of what the bundle itself defines are `internal`. Returns the header. `lineOf`: line of a debug
 * location, 0 = code that no line is the cause of. O(operands)
 * @llvm MachineInstrBundle.cpp finalizeBundle
 */
export function finalizeBundle(
  editor: FunctionEditor,
  first: InstrId,
  end: ListPos,
  lineOf: (location: string) => number = () => 1,
): InstrId {
  const { fn, list } = editor;
  const { tables } = fn;
  const defined = new Map<Reg, Definition>();
  const definedUnits = new Set<number>();
  const read = new Map<Reg, number>();
  const debug = opcodeSet(tables, 'debugInstr');
  const isInternal = (reg: Reg): boolean => {
    if (!isPhysicalReg(reg)) return defined.has(reg);
    for (let u = tables.unitBegin[reg]; u < tables.unitEnd[reg]; u++)
      if (!definedUnits.has(tables.unitList[u])) return false;
    return true;
  };
  const noteRead = (o: OperandId): void => {
    const reg = fn.opVal[o];
    const isKill = (fn.opFlags[o] & OpFlag.Kill) !== 0;
    if (isInternal(reg)) {
      fn.opFlags[o] |= OpFlag.Internal;
      const def = defined.get(reg);
      if (isKill && def !== undefined) def.isKilled = true;
      return;
    }
    const flags = read.get(reg) ?? fn.opFlags[o] & OpFlag.Undef;
    read.set(reg, flags | (isKill ? OpFlag.Kill : 0));
  };
  const noteDef = (o: OperandId): void => {
    const reg = fn.opVal[o];
    const isDead = (fn.opFlags[o] & OpFlag.Dead) !== 0;
    const before = defined.get(reg);
    if (before === undefined) {
      defined.set(reg, { isDead, isKilled: false });
      if (isPhysicalReg(reg) && !isDead)
        for (let u = tables.unitBegin[reg]; u < tables.unitEnd[reg]; u++) definedUnits.add(tables.unitList[u]);
    } else {
      before.isKilled = false;
      if (!isDead) before.isDead = false;
    }
  };
  let flags = 0;
  /** the first of a line, else the last */
  let debugLocation: string | undefined;
  let hasLine = false;
  const accesses: (readonly MemOperand[])[] = [];
  for (let i = first; i !== end; i = list.after(i)) {
    const location = fn.extras.get(i)?.debugLocation;
    if (location !== undefined && !hasLine) {
      debugLocation = location;
      hasLine = lineOf(location) !== 0;
    }
    if (debug.has(fn.opcode[i])) continue;
    flags |= fn.instrFlags[i] & (InstrFlag.FrameSetup | InstrFlag.FrameDestroy);
    if (hasOpcodeFlag(tables, fn.opcode[i], McFlag.MayLoad) || hasOpcodeFlag(tables, fn.opcode[i], McFlag.MayStore))
      accesses.push(fn.memOperands[i] ?? []);
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] !== 0 && !editor.isDef(o)) noteRead(o);
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] !== 0 && editor.isDef(o)) noteDef(o);
  }
  const operands: NewOperand[] = [];
  for (const [reg, { isDead, isKilled }] of defined)
    operands.push(regOperand(reg, OpFlag.Implicit | OpFlag.Def | (isDead || isKilled ? OpFlag.Dead : 0)));
  for (const [reg, how] of read) operands.push(regOperand(reg, OpFlag.Implicit | how));
  const header = editor.bundleUp(first, end, operands);
  fn.instrFlags[header] = flags;
  fn.memOperands[header] = mergedAccesses(accesses);
  if (debugLocation !== undefined) fn.extras.set(header, { debugLocation });
  return header;
}

/**
 * The memory operands of several accesses for one instruction; none where one of them may touch anything.
 * @llvm MachineInstr.cpp MachineInstr::cloneMergedMemRefs
 */
export function mergedAccesses(accesses: readonly (readonly MemOperand[])[]): readonly MemOperand[] | null {
  if (accesses.length === 0 || accesses.some((list) => list.length === 0)) return null;
  const [first, ...others] = accesses;
  const isLikeFirst = (list: readonly MemOperand[]): boolean =>
    list.length === first.length && list.every((access, k) => isSameAccess(access, first[k]));
  return [first, ...others.filter((list) => !isLikeFirst(list))].flat();
}
