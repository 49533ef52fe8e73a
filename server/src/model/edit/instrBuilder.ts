/**
 * New instructions: operands checked against the opcode's table, and those that it has by itself added.
 * Follows BuildMI and MachineInstr::addImplicitDefUseOperands (LLVM 22), and SIInstrInfo::fixImplicitOperands where a pass asks for that.
 */
import { McFlag, type Opcode, type RegClassId } from '../../target/api.js';
import { OperandType } from '../../target/opcodes.js';
import { invariant } from '../../util/invariant.js';
import { OpFlag, OperandKind, type InstrId, type MachineFunction } from '../machineFunction.js';
import { virtReg, type Reg } from '../register.js';
import { regOperand, type FunctionEditor, type NewOperand } from './functionEditor.js';
import type { ListPos } from './instrList.js';

/** `like` of an instruction that no line of the source is the cause of. */
export const NO_LOCATION: InstrId = -1;

const isImplicit = ({ flags = 0 }: NewOperand): boolean => (flags & OpFlag.Implicit) !== 0;

/** @llvm MachineInstrBuilder.h MachineInstrBuilder */
export class InstrBuilder {
  readonly fn: MachineFunction;

  /** `halvesVCC`: in wave32 implicit VCC becomes its half, as where LLVM's pass calls fixImplicitOperands; BuildMI alone leaves it whole. */
  constructor(
    readonly editor: FunctionEditor,
    private readonly halvesVCC = false,
  ) {
    this.fn = editor.fn;
  }

  newVReg(rc: RegClassId): Reg {
    const { vregs } = this.fn;
    const v = vregs.add(-1, null);
    vregs.regClass[v] = rc;
    return virtReg(v);
  }

  /** A new instruction before `at`, with the debug location of `like`. See `complete` for `operands`; `more` come last, whatever they are. O(operands) */
  build(
    at: ListPos,
    like: InstrId,
    opcode: Opcode,
    operands: readonly NewOperand[],
    more: readonly NewOperand[] = [],
  ): InstrId {
    const { fn, editor } = this;
    const block = at < 0 ? ~at : fn.instrBlock[at];
    const i = editor.insert(at, block, opcode, [...this.complete(opcode, operands), ...more]);
    fn.tieByOpcode(i);
    const debugLocation = like < 0 ? undefined : fn.extras.get(like)?.debugLocation;
    if (debugLocation !== undefined) fn.extras.set(i, { debugLocation });
    return i;
  }

  /** Another instruction in the place of `i`, which is erased; memory operands, flags and trailers go over. O(operands) */
  replace(i: InstrId, opcode: Opcode, operands: readonly NewOperand[]): InstrId {
    return this.editor.replace(i, opcode, this.complete(opcode, operands));
  }

  /**
   * The operands of an instruction: the explicit ones that are given, then the implicit ones of the opcode, definitions first. An implicit one that is given stands for
   * that of the opcode (with other flags), or comes last.
   */
  complete(opcode: Opcode, operands: readonly NewOperand[]): NewOperand[] {
    const { tables } = this.fn;
    const all = operands.filter((o) => !isImplicit(o));
    this.check(opcode, all);
    const begin = tables.opInfoBegin(opcode);
    for (let k = 0; k < tables.opcodeNumDefs(opcode); k++)
      if (tables.opInfoEarlyClobber[begin + k] !== 0)
        all[k] = { ...all[k], flags: (all[k].flags ?? 0) | OpFlag.EarlyClobber };
    const given = operands.filter(isImplicit);
    const add = (written: Reg, flags: number): void => {
      const reg = this.halvesVCC ? this.ofWave(written) : written;
      const at = given.findIndex((o) => o.val === reg && ((o.flags ?? 0) & OpFlag.Def) === (flags & OpFlag.Def));
      all.push(at < 0 ? regOperand(reg, flags) : given.splice(at, 1)[0]);
    };
    for (const reg of tables.implicitDefs(opcode)) add(reg, OpFlag.Implicit | OpFlag.Def);
    for (const reg of tables.implicitUses(opcode)) add(reg, OpFlag.Implicit);
    return [...all, ...given];
  }

  /** Half of VCC in wave32. */
  private ofWave(reg: Reg): Reg {
    const { fn } = this;
    const { tables } = fn;
    const isHalf = fn.subtarget.wavefrontSize === 32 && reg === tables.regByName('vcc');
    return isHalf ? tables.regByName('vcc_lo') : reg;
  }

  private check(opcode: Opcode, operands: readonly NewOperand[]): void {
    const { tables } = this.fn;
    const isVariadic = (tables.opcodeFlagsLo(opcode) & (1 << McFlag.Variadic)) !== 0;
    const n = tables.opcodeNumOperands(opcode);
    const isComplete = isVariadic ? operands.length >= n : operands.length === n;
    const name = (): string => tables.opcodeName(opcode);
    if (!isComplete) invariant(false, `${name()} has ${n} operands, not ${operands.length}`);
    const begin = tables.opInfoBegin(opcode);
    const nDefs = tables.opcodeNumDefs(opcode);
    for (let k = 0; k < n; k++) {
      const { kind, flags = 0 } = operands[k];
      const type = tables.opInfoType[begin + k];
      const isReg = kind === OperandKind.Register;
      // A source may be legalized later.
      if ((k < nDefs && !isReg) || (type === OperandType.Immediate && isReg))
        invariant(false, `operand ${k} of ${name()} is ${isReg ? 'a' : 'no'} register`);
      if (isReg && ((flags & OpFlag.Def) !== 0) !== k < nDefs)
        invariant(false, `operand ${k} of ${name()} is ${k < nDefs ? 'a' : 'no'} definition`);
    }
  }
}
