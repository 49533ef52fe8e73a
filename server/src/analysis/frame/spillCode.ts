/** Instructions that save a register into its stack slot and load it back (SIInstrInfo; docs/llvm/allocation-spilling.md, 4). */
import type { NewOperand } from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { scalarLLT } from '../../model/llt.js';
import { OpFlag, OperandKind, type InstrId } from '../../model/machineFunction.js';
import { newStackObject } from '../../model/header.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { PLAIN_ACCESS, MemFlag, type MemOperand } from '../../model/memOperand.js';
import type { RegClassId } from '../../target/api.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import type { FrameContext } from './frameContext.js';

/** Address space of scratch memory. */
const PRIVATE = 5;

const DEFAULT_STACK = 'default';
const SGPR_STACK = 'sgpr-spill';

/** A new slot: its frame index. */
function addSlot({ fn }: FrameContext, size: number, alignment: number, stackId: string): number {
  const { stack } = fn.header;
  const index = stack.length;
  stack.push(newStackObject(index, { type: 'spill-slot', size: BigInt(size), alignment, stackId }));
  return index;
}

function stackIdOf({ fn, tables }: FrameContext, rc: RegClassId): string {
  return fn.subtarget.release.rules.hasStackIDOfClass && tables.isSGPRClass(rc) ? SGPR_STACK : DEFAULT_STACK;
}

/**
 * A new spill slot of a vector register: its frame index.
 * @llvm MachineFrameInfo.cpp MachineFrameInfo::CreateSpillStackObject
 */
export function createSpillSlot(state: FrameContext, size: number, alignment: number, stackId = DEFAULT_STACK): number {
  const { frameInfo } = state.fn.header;
  frameInfo.maxAlignment = Math.max(frameInfo.maxAlignment, alignment);
  return addSlot(state, size, alignment, stackId);
}

export function createSlotForClass(state: FrameContext, rc: RegClassId): number {
  const { tables } = state;
  return createSpillSlot(state, tables.regClassSpillSize(rc), tables.regClassSpillAlign(rc), stackIdOf(state, rc));
}

/**
 * A new slot of a callee-saved register: its frame index. What lies on the default stack alone is aligned.
 * @llvm MachineFrameInfo.cpp MachineFrameInfo::CreateStackObject
 */
export function createSaveSlot(state: FrameContext, rc: RegClassId): number {
  const { tables, fn } = state;
  const { frameInfo } = fn.header;
  const alignment = tables.regClassSpillAlign(rc);
  const stackId = stackIdOf(state, rc);
  if (stackId === DEFAULT_STACK) frameInfo.maxAlignment = Math.max(frameInfo.maxAlignment, alignment);
  return addSlot(state, tables.regClassSpillSize(rc), alignment, stackId);
}

interface SpillDetails {
  /** of the opcode's name, after the size */
  readonly suffix?: string;
  /** the virtual register whose value it is, where `reg` is what it was given */
  readonly of?: Reg;
  /** the instruction whose debug location it has */
  readonly like?: InstrId;
}

interface SpillCode {
  readonly opcode: number;
  readonly operands: readonly NewOperand[];
  readonly memory: MemOperand;
}

function spillCode(
  state: FrameContext,
  reg: Reg,
  regFlags: number,
  slot: number,
  rc: RegClassId,
  isSave: boolean,
  { suffix = '', of = reg }: SpillDetails,
): SpillCode {
  const { tables, fn } = state;
  const { machineFunctionInfo: info, stack } = fn.header;
  const bits = tables.regClassSpillSize(rc) * 8;
  const isScalar = tables.isSGPRClass(rc);
  const word = isSave ? 'SAVE' : 'RESTORE';
  const isWWM = isVirtualReg(of) && state.isWWM(~of);
  const isAV = fn.subtarget.hasMAIInsts;
  const kind = isScalar ? 'S' : isWWM ? (/^AV_/.test(tables.regClassName(rc)) ? 'AV' : 'V') : isAV ? 'AV' : 'V';
  const opcode = tables.opcodeByName(`SI_SPILL_${isWWM && !isScalar ? 'WWM_' : ''}${kind}${bits}${suffix}_${word}`);
  const value: NewOperand = { kind: OperandKind.Register, flags: regFlags | (isSave ? 0 : OpFlag.Def), val: reg };
  const index: NewOperand = { kind: OperandKind.FrameIndex, val: slot };
  const exec: NewOperand = { kind: OperandKind.Register, flags: OpFlag.Implicit, val: tables.regByName('exec') };
  const object = stack[slot];
  const memory: MemOperand = {
    flags: isSave ? MemFlag.Store : MemFlag.Load,
    type: scalarLLT(Number(object.size) * 8),
    pointer: { kind: 'frameIndex', index: slot },
    offset: 0,
    baseAlign: object.alignment,
    addressSpace: PRIVATE,
    ...PLAIN_ACCESS,
  };
  const operands: NewOperand[] = [value, index];
  if (isScalar) {
    operands.push(exec, { kind: OperandKind.Register, flags: OpFlag.Implicit, val: info.stackPtrOffsetReg });
  } else {
    operands.push(
      { kind: OperandKind.Register, val: info.stackPtrOffsetReg },
      { kind: OperandKind.Immediate, val: 0 },
      exec,
    );
  }
  return { opcode, operands, memory };
}

/**
 * Save or restore of a register before `at`, without a slot index. What is spilled that way is noted in the function's information, and a
 * virtual SGPR keeps away from M0 and EXEC.
 * @llvm SIInstrInfo.cpp SIInstrInfo::storeRegToStackSlot
 * @llvm SIInstrInfo.cpp SIInstrInfo::loadRegFromStackSlot
 */
export function insertSpill(
  state: FrameContext,
  at: number,
  reg: Reg,
  regFlags: number,
  slot: number,
  rc: RegClassId,
  isSave: boolean,
  details: SpillDetails = {},
): InstrId {
  const { fn, tables } = state;
  const { machineFunctionInfo: info, stack } = fn.header;
  const isScalar = tables.isSGPRClass(rc);
  if (isScalar) {
    info.hasSpilledSGPRs = true;
    if (isVirtualReg(reg) && tables.regClassSpillSize(rc) === 4) {
      const narrow = tables.getCommonSubClass(fn.vregs.regClass[~reg], tables.regClassByName('sreg_32_xm0_xexec'));
      if (narrow >= 0) fn.vregs.regClass[~reg] = narrow;
    }
    if (state.options.spillsSGPRsToVGPRs && stack[slot].stackId !== SGPR_STACK)
      stack[slot] = { ...stack[slot], stackId: SGPR_STACK };
  } else if (isSave) info.hasSpilledVGPRs = true;
  const { opcode, operands, memory } = spillCode(state, reg, regFlags, slot, rc, isSave, details);
  const i = state.builder.build(at, details.like ?? NO_LOCATION, opcode, operands);
  fn.memOperands[i] = [memory];
  return i;
}

/**
 * What an instruction moves between a register and a stack slot; null = it is no such instruction.
 * @llvm SIInstrInfo.cpp SIInstrInfo::isLoadFromStackSlot
 * @llvm SIInstrInfo.cpp SIInstrInfo::isStoreToStackSlot
 */
export function stackAccess(
  state: FrameContext,
  i: InstrId,
): { readonly reg: Reg; readonly slot: number; readonly isSave: boolean } | null {
  const { fn, tables } = state;
  const first = fn.opBegin[i];
  if (fn.numOperands(i) < 2 || fn.opKind[first + 1] !== OperandKind.FrameIndex) return null;
  const name = tables.opcodeName(fn.opcode[i]);
  if (!name.startsWith('SI_SPILL_')) return null;
  return { reg: fn.opVal[first], slot: fn.opVal[first + 1], isSave: name.endsWith('_SAVE') };
}

const VGPR_SPILL = new OpcodePattern(/^SI_SPILL_(?:WWM_)?(?:V|A|AV)\d+(?:_CFI)?_(?:SAVE|RESTORE)$/);

/**
 * Saves and reloads of vector registers.
 * @llvm SIInstrInfo.h SIInstrInfo::isVGPRSpill
 */
export function isVGPRSpill({ fn, tables }: FrameContext, i: InstrId): boolean {
  return VGPR_SPILL.has(tables, fn.opcode[i]);
}
