/** Bytes that instructions take (SIInstrInfo::getInstSizeInBytes, LLVM 22; docs/llvm/block-layout.md, 3). */
import { InlineConstants } from '../../analysis/verifier/inlineConstants.js';
import { BundleFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag, isDPP, isFixedSize, isSALU, isVALU, OperandType } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { NotModelled } from '../machinePass.js';

/** Bytes of a literal, and of a branch */
const WORD = 4;

export class InstrSizes {
  private readonly inline: InlineConstants;
  /** a branch may need a no-op beside it */
  readonly branch: number;

  constructor(private readonly fn: MachineFunction) {
    this.inline = new InlineConstants(fn.subtarget);
    this.branch = fn.subtarget.hasFeature('offset-3f-bug') ? 2 * WORD : WORD;
  }

  /**
   * With the members of a bundle. Throws NotModelled for `.space` in inline assembly.
   * @llvm SIInstrInfo.cpp SIInstrInfo::getInstSizeInBytes
   */
  of(i: InstrId): number {
    const { fn } = this;
    let size = this.ofOne(i);
    for (let m = i; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) size += this.ofOne(++m);
    return size;
  }

  private ofOne(i: InstrId): number {
    const { fn } = this;
    const { tables, subtarget } = fn;
    const opc = fn.opcode[i];
    const real = subtarget.mcOpcode(opc);
    const size = tables.opcodeSize(real < 0 ? opc : real);
    if (isFixedSize(tables, opc)) return hasOpcodeFlag(tables, opc, McFlag.Branch) ? size + this.branch - WORD : size;
    if (isVALU(tables, opc) || isSALU(tables, opc)) return isDPP(tables, opc) ? size : size + this.literalOf(i);
    const addresses = tables.getNamedOperandIdx(opc, 'vaddr0');
    if (addresses >= 0 && tables.getNamedOperandIdx(opc, 'srsrc') >= 0 && /^IMAGE_/.test(tables.opcodeName(opc)))
      return 8 + WORD * Math.floor((tables.getNamedOperandIdx(opc, 'srsrc') - addresses + 2) / 4);
    if (opcodeSet(tables, 'inlineAsm').has(opc)) return this.ofAssembly(i);
    return hasOpcodeFlag(tables, opc, McFlag.Meta) || opc === tables.opcodeByName('BUNDLE') ? 0 : size;
  }

  /**
   * Each line that is not empty, before a comment, may be the longest instruction.
   * @llvm TargetInstrInfo.cpp TargetInstrInfo::getInlineAsmLength
   */
  private ofAssembly(i: InstrId): number {
    const { fn } = this;
    const { subtarget } = fn;
    const { symbol } = fn.payload(fn.opBegin[i], OperandKind.ExternalSymbol);
    if (/\.space/.test(symbol)) throw new NotModelled('.space in inline assembly');
    const longest = subtarget.hasFeature('nsa-encoding') ? 20 : subtarget.hasFeature('vop3-literal') ? 12 : 8;
    return longest * symbol.split('\n').filter((line) => /^\s*[^\s;]/.test(line)).length;
  }

  /** Bytes of the one literal that an instruction may have. */
  private literalOf(i: InstrId): number {
    const { fn } = this;
    const { tables, subtarget } = fn;
    const opc = fn.opcode[i];
    const n = tables.opcodeNumOperands(opc);
    for (let k = 0; k < n; k++) {
      const o = fn.opBegin[i] + k;
      if (fn.opKind[o] === OperandKind.Register) continue;
      const type = tables.opInfoType[tables.opInfoBegin(opc) + k];
      const isImm = fn.opKind[o] === OperandKind.Immediate;
      if (isImm && (!isSource(type) || this.inline.isInline(fn.opVal[o], fn.opExt[o], type))) continue;
      if (subtarget.hasFeature('64-bit-literals') && isImm && isLong(type, fn.opVal[o], fn.opExt[o])) return 2 * WORD;
      return WORD;
    }
    return 0;
  }
}

/** Modifiers and the like are in the instruction itself. */
const isSource = (type: number): boolean => type >= OperandType.RegImmInt32 && type !== OperandType.InputMods;

/** Whether a literal of 64 bits is none of 32. */
function isLong(type: number, lo: number, hi: number): boolean {
  if (type === OperandType.RegImmFP64) return lo !== 0;
  return type === OperandType.RegImmInt64 && (hi !== 0 || lo < 0);
}
