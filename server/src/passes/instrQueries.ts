/** What passes after allocation ask of an instruction: its kind, its named operands, the registers that it reads and writes. */
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../model/machineFunction.js';
import { maskClobbers } from '../model/regMask.js';
import { McFlag, type PhysReg } from '../target/api.js';
import { ALWAYS_GDS } from '../target/countedOpcodes.js';
import { hasOpcodeFlag, isDS, isFLAT, isImage, isLDSDMA, isMTBUF, isMUBUF } from '../target/opcodes.js';
import type { OpcodePattern } from '../target/opcodeSets.js';

export class InstrQueries {
  private readonly header: number;

  constructor(readonly fn: MachineFunction) {
    this.header = fn.tables.opcodeByName('BUNDLE');
  }

  // -- kinds ---------------------------------------------------------------------------------------------------------

  is(kind: (tables: MachineFunction['tables'], opcode: number) => boolean, i: InstrId): boolean {
    return kind(this.fn.tables, this.fn.opcode[i]);
  }

  has(i: InstrId, flag: McFlag): boolean {
    return hasOpcodeFlag(this.fn.tables, this.fn.opcode[i], flag);
  }

  matches(pattern: OpcodePattern, i: InstrId): boolean {
    return pattern.has(this.fn.tables, this.fn.opcode[i]);
  }

  name = (i: InstrId): string => this.fn.tables.opcodeName(this.fn.opcode[i]);
  isBundle = (i: InstrId): boolean => this.fn.opcode[i] === this.header;
  isMeta = (i: InstrId): boolean => this.has(i, McFlag.Meta);
  isBUF = (i: InstrId): boolean => this.is(isMUBUF, i) || this.is(isMTBUF, i);
  /** @llvm SIInstrInfo.h SIInstrInfo::isVMEM */
  isVMEM = (i: InstrId): boolean => this.isBUF(i) || this.is(isImage, i) || this.is(isFLAT, i);
  mayStore = (i: InstrId): boolean => this.anyHas(i, McFlag.MayStore);
  mayLoad = (i: InstrId): boolean => this.anyHas(i, McFlag.MayLoad);
  isGDS = (i: InstrId): boolean => this.matches(ALWAYS_GDS, i) || (this.is(isDS, i) && this.imm(i, 'gds') !== 0);

  /** @llvm SIInstrInfo.h SIInstrInfo::mayWriteLDSThroughDMA */
  writesLDS(i: InstrId): boolean {
    return this.is(isLDSDMA, i) && !this.name(i).startsWith('BUFFER_STORE_LDS_DWORD');
  }

  /** The header of a bundle does what its members do. */
  anyHas(i: InstrId, flag: McFlag): boolean {
    const { fn } = this;
    if (fn.opcode[i] !== this.header) return this.has(i, flag);
    for (let m = i; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0; m++) if (this.has(m + 1, flag)) return true;
    return false;
  }

  // -- operands --------------------------------------------------------------------------------------------------------

  /** A named operand, -1 = the opcode has none. */
  named(i: InstrId, name: string): OperandId {
    const k = this.fn.tables.getNamedOperandIdx(this.fn.opcode[i], name);
    return k < 0 ? -1 : this.fn.opBegin[i] + k;
  }

  /** The register of a named operand, 0 = none. */
  namedReg(i: InstrId, name: string): PhysReg {
    const o = this.named(i, name);
    return o >= 0 && this.isReg(o) ? this.fn.opVal[o] : 0;
  }

  /** The value of a named immediate, 0 without one. */
  imm(i: InstrId, name: string): number {
    const o = this.named(i, name);
    return o >= 0 && this.fn.opKind[o] === OperandKind.Immediate ? this.fn.imm(o) : 0;
  }

  isReg(o: OperandId): boolean {
    return this.fn.opKind[o] === OperandKind.Register;
  }

  isDef(o: OperandId): boolean {
    return (this.fn.opFlags[o] & OpFlag.Def) !== 0;
  }

  isImplicit(o: OperandId): boolean {
    return (this.fn.opFlags[o] & OpFlag.Implicit) !== 0;
  }

  /** Operands that are a register, in their order. */
  regOperands(i: InstrId): OperandId[] {
    const { fn } = this;
    const found: OperandId[] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] > 0) found.push(o);
    return found;
  }

  overlaps(a: PhysReg, b: PhysReg): boolean {
    return a > 0 && b > 0 && this.fn.tables.regsOverlap(a, b);
  }

  /** @llvm MachineInstr.h MachineInstr::modifiesRegister */
  modifies(i: InstrId, reg: PhysReg): boolean {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask) {
        if (reg > 0 && maskClobbers(fn, o, reg)) return true;
      } else if (this.isReg(o) && this.isDef(o) && this.overlaps(fn.opVal[o], reg)) return true;
    }
    return false;
  }

  /**
   * Undefined values count, too.
   * @llvm MachineInstr.h MachineInstr::readsRegister
   */
  reads(i: InstrId, reg: PhysReg): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (!this.isDef(o) && this.overlaps(fn.opVal[o], reg)) return true;
    return false;
  }
}
