/**
 * `localstackalloc`: local objects get their places relative to one another, and accesses that reach too far share a register with an address
 * (LocalStackSlotAllocation and SIRegisterInfo, LLVM 22; docs/llvm/frame-lowering.md).
 */
import { immOperand, operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import {
  OpFlag,
  OperandKind,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import { isFLATScratch, isMUBUF, OperandType } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { roundUp } from '../../util/roundUp.js';
import { addNoCarry } from '../addNoCarry.js';
import { fitsBuffer, fitsFlat, FlatVariant, usesFlatScratch } from '../flatOffsets.js';
import { InstrForms } from '../instrForms.js';
import { isDebugInstr } from '../instrOrder.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { RegisterFacts } from '../registerFacts.js';

/** @llvm LocalStackSlotAllocation.cpp LocalStackSlotPass */
export const localStackSlotsPass: MachinePass = {
  name: 'localstackalloc',
  pipelineName: 'localstackalloc',
  className: 'LocalStackSlotAllocationPass',
  title: 'Local Stack Slot Allocation',
  isRequired: true,
  requires: [],
  preserves: [CFG],
  run(state) {
    const { header } = state;
    if (header.stack.length + header.fixedStack.length === 0) return;
    const offsets = placeLocals(state.fn);
    const references = referencesOf(state.fn, offsets);
    header.frameInfo.usesLocalBlock =
      references.length > 0 && new BaseRegisters(new InstrForms(state.editor())).share(references);
  },
};

/**
 * Offsets in bytes by the index of the object, from the begin of the block that they make up; 0 where an object is not in it.
 * @llvm LocalStackSlotAllocation.cpp LocalStackSlotImpl::calculateFrameObjectOffsets
 */
function placeLocals({ header }: MachineFunction): number[] {
  const { stack, frameInfo } = header;
  const isLocal = (slot: number): boolean => stack[slot].isDead !== true;
  const [, protector] = /^%stack\.(\d+)/.exec(frameInfo.stackProtector) ?? [];
  const slots = stack.flatMap((_, slot) => (isLocal(slot) && String(slot) !== protector ? [slot] : []));
  if (protector !== undefined && isLocal(Number(protector))) slots.unshift(Number(protector));
  const offsets = stack.map(() => 0);
  let end = 0;
  for (const slot of slots) {
    const { size, alignment } = stack[slot];
    end = roundUp(end, Math.max(1, alignment));
    offsets[slot] = end;
    stack[slot] = { ...stack[slot], localOffset: BigInt(end) };
    end += Number(size);
  }
  frameInfo.localFrameSize = end;
  return offsets;
}

/** An instruction that may read its address from a register of others. */
interface Reference {
  readonly i: InstrId;
  readonly slot: number;
  /** bytes from the begin of the block to the object */
  readonly local: number;
  /** bytes that the instruction adds */
  readonly own: number;
}

const ADD = new OpcodePattern(/^V_ADD_(?:CO_)?U32_e(?:32|64)$/);
const HAS_CARRY = new OpcodePattern(/^V_ADD_CO_U32_e(?:32|64)$/);
const IS_SHORT = new OpcodePattern(/^V_ADD_(?:CO_)?U32_e32$/);

const matches = (pattern: OpcodePattern, fn: MachineFunction, i: InstrId): boolean =>
  pattern.has(fn.tables, fn.opcode[i]);

const isScratchAccess = ({ tables, opcode }: MachineFunction, i: InstrId): boolean =>
  isMUBUF(tables, opcode[i]) || isFLATScratch(tables, opcode[i]);

/** The first operand that is a frame index, -1 = none. */
function frameIndexIn(fn: MachineFunction, i: InstrId): OperandId {
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) if (fn.opKind[o] === OperandKind.FrameIndex) return o;
  return -1;
}

/** The two that an addition adds. */
function sourcesOf(fn: MachineFunction, i: InstrId): [OperandId, OperandId] {
  const first = fn.opBegin[i] + (matches(HAS_CARRY, fn, i) && !matches(IS_SHORT, fn, i) ? 2 : 1);
  return [first, first + 1];
}

function otherSource(fn: MachineFunction, i: InstrId, o: OperandId): OperandId {
  const [a, b] = sourcesOf(fn, i);
  return o === a ? b : a;
}

const offsetOf = (fn: MachineFunction, i: InstrId): OperandId =>
  fn.opBegin[i] + fn.tables.getNamedOperandIdx(fn.opcode[i], 'offset');

/**
 * Bytes that an instruction adds to the address of a frame index.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::getFrameIndexInstrOffset
 */
function ownOffset(fn: MachineFunction, i: InstrId, o: OperandId): number {
  if (matches(ADD, fn, i)) {
    const other = otherSource(fn, i, o);
    return fn.opKind[other] === OperandKind.Immediate ? Number(fn.immBigInt(other)) : 0;
  }
  return isScratchAccess(fn, i) ? Number(fn.immBigInt(offsetOf(fn, i))) : 0;
}

const reaches = (fn: MachineFunction, i: InstrId, offset: number): boolean =>
  isMUBUF(fn.tables, fn.opcode[i])
    ? fitsBuffer(fn.subtarget, offset)
    : fitsFlat(fn.subtarget, offset, FlatVariant.Scratch);

/**
 * Whether a register would help an instruction, from where its object lies in the block.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::needsFrameBaseReg
 */
function wantsRegister(fn: MachineFunction, facts: RegisterFacts, i: InstrId, o: OperandId, local: number): boolean {
  if (!matches(ADD, fn, i)) return isScratchAccess(fn, i) && !reaches(fn, i, local + ownOffset(fn, i, o));
  const isShort = matches(IS_SHORT, fn, i);
  if (isShort && facts.constantBusLimit(fn.opcode[i]) < 2) {
    const other = otherSource(fn, i, o);
    const isVector = fn.opKind[other] === OperandKind.Register && facts.isVGPR(fn.opVal[other]);
    if (!isVector && fn.opKind[other] !== OperandKind.Immediate) return false;
  }
  if (!matches(HAS_CARRY, fn, i)) return !usesFlatScratch(fn.subtarget);
  const carry = fn.opBegin[i] + (isShort ? 3 : 1);
  return (fn.opFlags[carry] & OpFlag.Dead) !== 0;
}

/** Those of the function that want a register, by the address that they mean. */
function referencesOf(fn: MachineFunction, offsets: readonly number[]): Reference[] {
  const { stack } = fn.header;
  const facts = new RegisterFacts(fn);
  const found: Reference[] = [];
  for (const i of fn.layout()) {
    const o = isDebugInstr(fn, i) ? -1 : frameIndexIn(fn, i);
    const slot = o < 0 ? -1 : fn.opVal[o];
    if (slot < 0 || stack[slot].localOffset === null) continue;
    const local = offsets[slot];
    if (wantsRegister(fn, facts, i, o, local)) found.push({ i, slot, local, own: ownOffset(fn, i, o) });
  }
  // Sorting is stable: the order of the function decides last.
  return found.sort((a, b) => a.local + a.own - (b.local + b.own) || a.slot - b.slot);
}

/** @llvm LocalStackSlotAllocation.cpp LocalStackSlotImpl::insertFrameReferenceRegisters */
class BaseRegisters {
  private readonly fn: MachineFunction;
  private readonly isFlat: boolean;
  private base: Reg | null = null;
  /** bytes from the begin of the block to the address in the register */
  private baseOffset = 0;

  constructor(private readonly forms: InstrForms) {
    this.fn = forms.fn;
    this.isFlat = usesFlatScratch(forms.fn.subtarget);
  }

  /** Whether there is a register in the end. */
  share(references: readonly Reference[]): boolean {
    const [, protector] = /^%stack\.(\d+)/.exec(this.fn.header.frameInfo.stackProtector) ?? [];
    references.forEach((reference, k) => {
      if (String(reference.slot) !== protector) this.resolve(reference, references[k + 1]);
    });
    return this.base !== null;
  }

  private resolve(reference: Reference, next: Reference | undefined): void {
    const { i, slot, local, own } = reference;
    if (this.base !== null && this.canTake(i, local - this.baseOffset)) {
      this.rewrite(i, this.base, local - this.baseOffset);
      return;
    }
    // One for a single access gains nothing.
    const baseOffset = local + own;
    if (next === undefined || !this.canTake(next.i, next.local - baseOffset)) return;
    this.baseOffset = baseOffset;
    this.base = this.materialize(slot, own);
    this.rewrite(i, this.base, -own);
  }

  /** @llvm SIRegisterInfo.cpp SIRegisterInfo::isFrameOffsetLegal */
  private canTake(i: InstrId, offset: number): boolean {
    const { fn } = this;
    if (matches(ADD, fn, i))
      return matches(IS_SHORT, fn, i) || fn.subtarget.hasFeature('vop3-literal') || this.isInline(offset);
    return isScratchAccess(fn, i) && reaches(fn, i, offset + Number(fn.immBigInt(offsetOf(fn, i))));
  }

  private isInline(offset: number): boolean {
    return this.forms.facts.isInlineValue(offset, OperandType.InlineInt32);
  }

  /**
   * The address of an object, and so many bytes, at the begin of the function.
   * @llvm SIRegisterInfo.cpp SIRegisterInfo::materializeFrameBaseRegister
   */
  private materialize(slot: number, bytes: number): Reg {
    const { forms, fn, isFlat } = this;
    const { builder, editor } = forms;
    const rc = (name: string): number => fn.tables.regClassByName(name);
    const base = builder.newVReg(rc(isFlat ? 'sreg_32_xexec_hi' : 'vgpr_32'));
    const first = editor.list.first(0);
    const [at, like] = first < 0 ? [~0, NO_LOCATION] : [first, first];
    const move = forms.opcode(isFlat ? 'S_MOV_B32' : 'V_MOV_B32_e32');
    const object: NewOperand = { kind: OperandKind.FrameIndex, val: slot };
    if (bytes === 0) {
      builder.build(at, like, move, [regOperand(base, OpFlag.Def), object]);
      return base;
    }
    const constant = builder.newVReg(rc('sreg_32_xm0'));
    const start = builder.newVReg(rc(isFlat ? 'sreg_32_xm0' : 'vgpr_32'));
    builder.build(at, like, forms.opcode('S_MOV_B32'), [regOperand(constant, OpFlag.Def), immOperand(bytes)]);
    builder.build(at, like, move, [regOperand(start, OpFlag.Def), object]);
    const sources = [regOperand(constant, OpFlag.Kill), regOperand(start)] as const;
    if (isFlat) {
      const scc = regOperand(fn.tables.regByName('scc'), OpFlag.Def | OpFlag.Implicit | OpFlag.Dead);
      builder.build(at, like, forms.opcode('S_ADD_I32'), [regOperand(base, OpFlag.Def), ...sources, scc]);
    } else addNoCarry(builder, { at, like }, base, sources);
    return base;
  }

  /**
   * The frame index becomes the register, and what the instruction adds changes by `offset`.
   * @llvm SIRegisterInfo.cpp SIRegisterInfo::resolveFrameIndex
   */
  private rewrite(i: InstrId, base: Reg, offset: number): void {
    const { fn, forms } = this;
    const { editor } = forms;
    const o = frameIndexIn(fn, i);
    const amount = matches(ADD, fn, i) ? otherSource(fn, i, o) : offsetOf(fn, i);
    if (fn.opKind[amount] !== OperandKind.Immediate) {
      if (this.isFlat) throw new NotModelled('a sum of a register and the address of an object');
      editor.setOperand(o, regOperand(base));
      return;
    }
    const sum = Number(fn.immBigInt(amount)) + offset;
    if (matches(ADD, fn, i) && sum === 0) {
      const result = operandOf(fn, fn.opBegin[i]);
      forms.builder.replace(i, forms.opcode('COPY'), [result, regOperand(base)]);
      return;
    }
    editor.setOperand(amount, immOperand(sum));
    editor.setOperand(o, regOperand(this.isFlat && matches(IS_SHORT, fn, i) ? this.inVector(i, base) : base));
  }

  private inVector(at: InstrId, base: Reg): Reg {
    const { builder } = this.forms;
    const copy = builder.newVReg(this.fn.tables.regClassByName('vgpr_32'));
    builder.build(at, at, this.forms.opcode('COPY'), [regOperand(copy, OpFlag.Def), regOperand(base)]);
    return copy;
  }
}
