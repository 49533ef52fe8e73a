/** Whether a physical register is live at a place of a function on lists, found out by looking at its neighbourhood. */
import type { FunctionEditor } from '../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type BlockId, type InstrId } from '../model/machineFunction.js';
import { maskClobbers } from '../model/regMask.js';
import type { PhysReg } from '../target/api.js';
import { opcodeTraits, OpcodeTrait } from './opcodeTraits.js';

export type Liveness = 'live' | 'dead' | 'unknown';

/** What an instruction does with a register (PhysRegInfo). */
interface Mention {
  reads: boolean;
  kills: boolean;
  /** defines part of it at least */
  defines: boolean;
  definesAll: boolean;
  clobbers: boolean;
  /** a dead definition of all of it, or of a part */
  deadDef: boolean;
  partialDeadDef: boolean;
}

/**
 * Whether `reg` is live before `i`: looks at `reach` instructions from there on, else at as many before it.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::computeRegisterLiveness
 */
export function livenessBefore(editor: FunctionEditor, i: InstrId, reg: PhysReg, reach: number): Liveness {
  const { fn, list } = editor;
  const traits = opcodeTraits(fn.tables);
  const isSkipped = (j: InstrId): boolean => (traits[fn.opcode[j]] & OpcodeTrait.NoSlotIndex) !== 0;
  const block = fn.instrBlock[i];
  let left = reach;
  let at: number = i;
  for (; at >= 0 && left > 0; at = list.after(at)) {
    if (isSkipped(at)) continue;
    left--;
    const found = mentionsOf(editor, at, reg);
    if (found.reads) return 'live';
    if (found.definesAll || found.clobbers) return 'dead';
  }
  if (at < 0) return fn.blocks[block].successors.some((s) => isLiveIn(editor, s, reg)) ? 'live' : 'dead';
  left = reach;
  at = i;
  while (list.before(at) >= 0 && left > 0) {
    at = list.before(at);
    if (isSkipped(at)) continue;
    left--;
    const found = mentionsOf(editor, at, reg);
    if (found.deadDef) return 'dead';
    if (found.defines) {
      if (!found.partialDeadDef) return 'live';
      break;
    }
    if (found.kills || found.clobbers) return 'dead';
    if (found.reads) return 'live';
  }
  while (list.before(at) >= 0 && isSkipped(list.before(at))) at = list.before(at);
  if (list.before(at) >= 0) return 'unknown';
  return isLiveIn(editor, block, reg) ? 'live' : 'dead';
}

const isLiveIn = ({ fn }: FunctionEditor, block: BlockId, reg: PhysReg): boolean =>
  fn.blocks[block].liveIns.some((l) => fn.tables.regsOverlap(l.reg, reg));

/** @llvm MachineInstrBundle.cpp AnalyzePhysRegInBundle */
function mentionsOf({ fn }: FunctionEditor, i: InstrId, reg: PhysReg): Mention {
  const { tables } = fn;
  const found: Mention = {
    reads: false,
    kills: false,
    defines: false,
    definesAll: false,
    clobbers: false,
    deadDef: false,
    partialDeadDef: false,
  };
  let allDefsDead = true;
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
    if (fn.opKind[o] === OperandKind.RegisterMask && maskClobbers(fn, o, reg)) {
      found.clobbers = true;
      continue;
    }
    const other = fn.opVal[o];
    if (fn.opKind[o] !== OperandKind.Register || other <= 0 || !tables.regsOverlap(other, reg)) continue;
    const flags = fn.opFlags[o];
    const isCovered = other === reg || tables.isSubRegister(other, reg);
    if ((flags & OpFlag.Def) === 0) {
      if ((flags & (OpFlag.Undef | OpFlag.Internal)) === 0) {
        found.reads = true;
        if (isCovered && (flags & OpFlag.Kill) !== 0) found.kills = true;
      }
      continue;
    }
    found.defines = true;
    if (isCovered) found.definesAll = true;
    if ((flags & OpFlag.Dead) === 0) allDefsDead = false;
  }
  if (allDefsDead) {
    if (found.definesAll || found.clobbers) found.deadDef = true;
    else if (found.defines) found.partialDeadDef = true;
  }
  return found;
}
