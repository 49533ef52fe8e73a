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
  /** that an instruction can take */
  private readonly longest: number;
  /** a branch may need a no-op beside it */
  readonly branch: number;

  constructor(private readonly fn: MachineFunction) {
    this.inline = new InlineConstants(fn.subtarget);
    const { subtarget } = fn;
    const has = (feature: string): boolean => subtarget.hasFeature(feature);
    const isVop3px = has('gfx950-insts') || has('gfx1250-insts');
    this.longest = has('nsa-encoding') ? 20 : isVop3px ? 16 : has('vop3-literal') ? 12 : 8;
    this.branch = subtarget.hasFeature('offset-3f-bug') ? 2 * WORD : WORD;
  }

  /**
   * With the members of a bundle. Throws NotModelled for what the processor lacks.
   * @llvm SIInstrInfo.cpp SIInstrInfo::getInstSizeInBytes
   */
  of(i: InstrId): number {
    const { fn } = this;
    let size = this.alone(i);
    for (let m = i; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) size += this.alone(++m);
    return size;
  }

  /** Without the members of its bundle. Throws as `of`. */
  alone(i: InstrId): number {
    const { fn } = this;
    const { tables, subtarget } = fn;
    const opc = fn.opcode[i];
    const real = subtarget.mcOpcode(opc);
    if (real < 0)
      throw new NotModelled(`the size of ${tables.opcodeName(opc)}, which this processor lacks: llc-22 crashes here,`);
    const size = tables.opcodeSize(real);
    if (isFixedSize(tables, opc)) return hasOpcodeFlag(tables, opc, McFlag.Branch) ? size + this.branch - WORD : size;
    if (isVALU(tables, opc) || isSALU(tables, opc)) return isDPP(tables, opc) ? size : size + this.literalOf(i);
    const addresses = tables.getNamedOperandIdx(opc, 'vaddr0');
    if (addresses >= 0 && tables.getNamedOperandIdx(opc, 'srsrc') >= 0 && /^IMAGE_/.test(tables.opcodeName(opc)))
      return 8 + WORD * Math.floor((tables.getNamedOperandIdx(opc, 'srsrc') - addresses + 2) / 4);
    if (opcodeSet(tables, 'inlineAsm').has(opc)) return this.ofAssembly(i);
    return hasOpcodeFlag(tables, opc, McFlag.Meta) || opc === tables.opcodeByName('BUNDLE') ? 0 : size;
  }

  /**
   * Each line that is not empty, before a comment, may be the longest instruction; `.space` with a number takes that many bytes.
   * @llvm TargetInstrInfo.cpp TargetInstrInfo::getInlineAsmLength
   */
  private ofAssembly(i: InstrId): number {
    const { fn } = this;
    const { symbol } = fn.payload(fn.opBegin[i], OperandKind.ExternalSymbol);
    let size = 0;
    for (const { 0: line, index } of symbol.matchAll(/[^\n]+/g)) {
      if (!/^\s*[^\s;]/.test(line)) continue;
      const space = line.trimStart().startsWith('.space');
      // The number may stand in a line below, as strtol reads on.
      const bytes = space ? /^\s*\.space(?:\s*([+-]?\d+))?[^\S\n]*(?:\n|;|$)/.exec(symbol.slice(index)) : null;
      size += bytes === null ? this.longest : Math.max(0, Number(bytes[1] ?? 0));
    }
    return size;
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
