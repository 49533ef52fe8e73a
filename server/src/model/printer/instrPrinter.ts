/**
 * Text of machine instructions and operands, in the two forms that LLVM 22.1.8 has: the one of MIR files
 * (MIRPrinter) and the stand-alone one (MachineInstr::print: verifier messages, amdgpu-print-rp, debug output), which
 * shows the class of every virtual register and every tie, and writes inline assembly in words.
 *
 * An InstrPrinter belongs to one function. It caches register names and, for the MIR form, which virtual registers have
 * a definition; make a new one after the function has changed.
 */
import type { LLT } from '../llt.js';
import { printLLT } from '../llt.js';
import { InstrFlag, OpFlag, OperandKind } from '../machineFunction.js';
import { isVirtualReg, virtRegIndex, type VRegId } from '../register.js';
import type { InstrId, MachineFunction, OperandId } from '../machineFunction.js';
import type { Reg } from '../register.js';
import { INSTR_FLAG_WORDS } from '../../syntax/tree.js';
import { McFlag } from '../../target/api.js';
import type { Opcode, TargetTables } from '../../target/api.js';
import { nameBySize } from '../namesBySize.js';
import { printWaits, waitFieldsOf } from '../waitMnemonics.js';
import { extraWords, groupWords, operandsOfGroup } from '../inlineAsm.js';
import type { MemOperand } from '../memOperand.js';
import { printFrameIndex, printMemOperand } from './memOperandPrinter.js';
import { regMaskText } from './regMaskText.js';
import { quoteNameOrNumber, quoteSymbolName } from './symbolNames.js';

export interface InstrPrinterOptions {
  /** MachineInstr::print instead of the form of MIR files */
  readonly standalone?: boolean;
  /** names for the debug metadata that only the stand-alone form shows */
  readonly debugNames?: DebugNames;
  /** spelling of virtual registers; without it that of llc */
  readonly vregName?: (v: VRegId) => string;
}

/** What stand-alone printing takes from debug metadata; null = not known. */
export interface DebugNames {
  /** name and line of the variable at a node, by its number in the source */
  variable(node: number): { readonly name: string; readonly line: number } | null;
  /** name of the label at a node, by its number in the source; '' = it has none */
  label(node: number): string | null;
  /** `file:line:column` with inlined-at chain, of a location as it is printed, such as `!7` */
  location(text: string): string | null;
  /** The location of what two locations, as they are printed, become together, as it is printed; null where that is not modelled. */
  mergedLocation(a: string, b: string): string | null;
}

/** Flags that only MIR files show: `unpredictable`, and `noconvergent` where the release does not print it elsewhere. */
const UNPREDICTABLE = 1 << 14;
const NO_CONVERGENT = 1 << 15;

/** LLVM's differ from run to run. */
const SOME_ADDRESS = '<0x0>';

/** First and last MCOI operand types of generic type indices (OPERAND_GENERIC_0 .. 5). */
const OPERAND_FIRST_GENERIC = 6;
const OPERAND_LAST_GENERIC = 11;

/** target-flags words of AMDGPU in the order of opTargetFlags - 1 (SIInstrInfo::getSerializableDirectMachineOperandTargetFlags). */
export const TARGET_FLAG_WORDS = [
  'amdgpu-gotprel',
  'amdgpu-gotprel32-lo',
  'amdgpu-gotprel32-hi',
  'amdgpu-gotprel64',
  'amdgpu-rel32-lo',
  'amdgpu-rel32-hi',
  'amdgpu-rel64',
  'amdgpu-abs32-lo',
  'amdgpu-abs32-hi',
  'amdgpu-abs64',
] as const;

/** Texts of virtual registers that are kept; a power of two. */
const RECENT_VREGS = 512;

const DELAY_IDS = [
  'NONE',
  'VALU_DEP_1',
  'VALU_DEP_2',
  'VALU_DEP_3',
  'VALU_DEP_4',
  'TRANS32_DEP_1',
  'TRANS32_DEP_2',
  'TRANS32_DEP_3',
];
const DELAY_SKIPS = ['SAME', 'NEXT'];

interface SpecialOpcodes {
  readonly inlineAsm: number;
  readonly inlineAsmBr: number;
  readonly delayAlu: number;
  readonly regSequence: number;
  readonly extractSubreg: number;
  readonly insertSubreg: number;
  readonly subregToReg: number;
  readonly dbgLabel: number;
  readonly debugVariable: ReadonlySet<number>;
  readonly dbgValue: number;
}

const specialOpcodes = new WeakMap<TargetTables, SpecialOpcodes>();

function specialOpcodesOf(t: TargetTables): SpecialOpcodes {
  let s = specialOpcodes.get(t);
  if (s === undefined) {
    s = {
      inlineAsm: t.opcodeByName('INLINEASM'),
      inlineAsmBr: t.opcodeByName('INLINEASM_BR'),
      delayAlu: t.opcodeByName('S_DELAY_ALU'),
      regSequence: t.opcodeByName('REG_SEQUENCE'),
      extractSubreg: t.opcodeByName('EXTRACT_SUBREG'),
      insertSubreg: t.opcodeByName('INSERT_SUBREG'),
      subregToReg: t.opcodeByName('SUBREG_TO_REG'),
      dbgLabel: t.opcodeByName('DBG_LABEL'),
      dbgValue: t.opcodeByName('DBG_VALUE'),
      debugVariable: new Set(['DBG_VALUE', 'DBG_VALUE_LIST', 'DBG_INSTR_REF'].map((n) => t.opcodeByName(n))),
    };
    specialOpcodes.set(t, s);
  }
  return s;
}

/** `text` of MachineOperand::printOperandOffset. The negative of the smallest number is itself. */
function printOffset(offset: bigint): string {
  if (offset === 0n) return '';
  return offset < 0n ? ` - ${BigInt.asIntN(64, -offset)}` : ` + ${offset}`;
}

const hex8 = (n: number): string => (n >>> 0).toString(16).toUpperCase().padStart(8, '0');

/** A lane mask as MIR writes it: 16 hex digits. */
export function printLaneMask(lo: number, hi: number): string {
  return `0x${hex8(hi)}${hex8(lo)}`;
}

/** The mnemonic of an S_DELAY_ALU immediate: `.id0_VALU_DEP_1_skip_NEXT_id1_SALU_CYCLE_1`. */
export function printDelayAlu(imm: number): string {
  const id = (n: number): string => DELAY_IDS[n] ?? `SALU_CYCLE_${n - 8}`;
  let out = `.id0_${id(imm & 15)}`;
  if ((imm >> 4) & 0x7f) {
    const skip = (imm >> 4) & 7;
    out += `_skip_${DELAY_SKIPS[skip] ?? `SKIP_${skip - 1}`}_id1_${id((imm >> 7) & 15)}`;
  }
  return out;
}

export class InstrPrinter {
  private readonly fn: MachineFunction;
  private readonly t: TargetTables;
  private readonly standalone: boolean;
  private readonly debugNames: DebugNames | null;
  private readonly special: SpecialOpcodes;
  private readonly vregName: (v: VRegId) => string;
  /** `$name` by register number, filled on first use */
  private readonly physText: string[] = [];
  /** `%N` or `%name` of virtual registers printed lately, by the low bits of their index; all of them would outlive too much garbage */
  private readonly vregText: string[] = [];
  /** the register that `vregText` holds */
  private readonly vregOfText = new Int32Array(RECENT_VREGS).fill(-1);
  /** `:class` by register class */
  private readonly classText: string[] = [];
  private readonly subRegText: string[] = [];
  /** `!N` of nodes that only the function reaches; null until needed */
  private unnumbered: Set<string> | null = null;
  /** MIR form: 1 = the vreg has a definition somewhere in the function; null until needed */
  private hasDef: Uint8Array | null = null;
  /** flags that are not printed */
  private readonly hiddenFlags: number;

  constructor(fn: MachineFunction, options: InstrPrinterOptions = {}) {
    this.fn = fn;
    this.t = fn.tables;
    this.standalone = options.standalone ?? false;
    this.debugNames = options.debugNames ?? null;
    this.special = specialOpcodesOf(fn.tables);
    const { rules } = fn.subtarget.release;
    const mirOnlyFlags = rules.printsNoConvergent ? UNPREDICTABLE : UNPREDICTABLE | NO_CONVERGENT;
    this.hiddenFlags = (this.standalone ? mirOnlyFlags : 0) | (rules.hasLRSplit ? 0 : InstrFlag.LRSplit);
    this.vregName = options.vregName ?? ((v) => `%${fn.vregs.name[v] ?? v}`);
  }

  /** One instruction without indentation and line end; a bundle header without its `{`. */
  printInstr(i: InstrId): string {
    const fn = this.fn;
    const begin = fn.opBegin[i];
    const n = fn.opBegin[i + 1] - begin;
    const kinds = fn.opKind;
    const flags = fn.opFlags;
    const showTies = this.standalone || this.hasComplexTies(i);
    const opc = fn.opcode[i];
    const isInlineAsm = opc === this.special.inlineAsm || opc === this.special.inlineAsmBr;
    let printedTypes = 0;
    let out = '';
    let k = 0;

    for (; k < n; k++) {
      const o = begin + k;
      if (kinds[o] !== OperandKind.Register || (flags[o] & (OpFlag.Def | OpFlag.Implicit)) !== OpFlag.Def) break;
      if (k !== 0) out += ', ';
      const type = this.typeToPrint(i, k, printedTypes);
      if (type !== null) printedTypes |= this.typeIndexBit(opc, k);
      out += this.printRegOperand(o, false, showTies, type);
    }
    if (k !== 0) out += ' = ';
    const instrFlags = fn.instrFlags[i] & ~this.hiddenFlags;
    if (instrFlags !== 0) {
      for (let f = 0; f < INSTR_FLAG_WORDS.length; f++) if (instrFlags & (1 << f)) out += `${INSTR_FLAG_WORDS[f]} `;
    }
    out += this.t.opcodeName(opc);

    let needComma = false;
    if (isInlineAsm && n >= 2) {
      out += this.printInlineAsmOperands(i, k, showTies);
      needComma = true;
    } else {
      for (; k < n; k++) {
        out += needComma ? ', ' : ' ';
        needComma = true;
        const o = begin + k;
        if (kinds[o] === OperandKind.Register) {
          let type: LLT | null = null;
          if (fn.opVal[o] < 0) {
            type = this.typeToPrint(i, k, printedTypes);
            if (type !== null) printedTypes |= this.typeIndexBit(opc, k);
          }
          out += this.printRegOperand(o, true, showTies, type);
        } else out += this.printNonRegOperand(i, k);
      }
    }
    const extra = fn.extras.size === 0 ? undefined : fn.extras.get(i);
    if (extra !== undefined) {
      const trailer = (word: string, text: string | number): void => {
        out += `${needComma ? ',' : ''} ${word} ${text}`;
        needComma = true;
      };
      if (extra.preInstrSymbol !== undefined) trailer('pre-instr-symbol', `<mcsymbol ${extra.preInstrSymbol}>`);
      if (extra.postInstrSymbol !== undefined) trailer('post-instr-symbol', `<mcsymbol ${extra.postInstrSymbol}>`);
      if (extra.heapAllocMarker !== undefined) trailer('heap-alloc-marker', extra.heapAllocMarker);
      if (extra.pcSections !== undefined) trailer('pcsections', extra.pcSections);
      if (extra.mmra !== undefined) trailer('mmra', extra.mmra);
      if (extra.cfiType !== undefined) trailer('cfi-type', extra.cfiType);
      if (extra.deactivationSymbol !== undefined) trailer('deactivation-symbol', extra.deactivationSymbol);
      const number = extra.debugInstrNumber ?? 0;
      if (number !== 0) trailer('debug-instr-number', number);
      if (extra.debugLocation !== undefined) trailer('debug-location', extra.debugLocation);
    }
    const mem = fn.memOperands[i];
    if (mem !== null && mem !== undefined && mem.length !== 0) {
      out += ' :: ';
      for (let m = 0; m < mem.length; m++) {
        if (m !== 0) out += ', ';
        out += this.printMemory(mem[m]);
      }
    }
    return this.standalone ? out + this.printDebugComment(i, extra?.debugLocation) : out;
  }

  /** In the stand-alone form nodes that only the function reaches have no numbers: LLVM prints where they lie in memory. */
  private printMemory(m: MemOperand): string {
    const text = printMemOperand(m, this.fn.header);
    if (!this.standalone || this.fn.header.machineMetadataNodes.length === 0) return text;
    const unnumbered = (this.unnumbered ??= new Set(
      this.fn.header.machineMetadataNodes.map((line) => line.slice(0, line.indexOf(' '))),
    ));
    return text.replace(/(?<= !(?:tbaa|alias\.scope|noalias) )!\d+/g, (name) =>
      unnumbered.has(name) ? SOME_ADDRESS : name,
    );
  }

  /**
   * Operand `k` of instruction i as a verifier message quotes it (MachineOperand::print without context): never `def`,
   * a type only if given. As in LLVM, a tie shows index 0 whatever it is tied to.
   */
  printOperand(i: InstrId, k: number, type: LLT | null = null): string {
    const o = this.fn.opBegin[i] + k;
    if (this.fn.opKind[o] !== OperandKind.Register) return this.printNonRegOperand(i, k);
    const isTiedUse = this.fn.opTied[o] >= 0 && !(this.fn.opFlags[o] & OpFlag.Def);
    const text = this.printRegOperand(o, false, false, null);
    return `${text}${isTiedUse ? '(tied-def 0)' : ''}${type === null ? '' : `(${printLLT(type)})`}`;
  }

  /** `$name`, `%N`, `%name`, `$noreg` */
  printReg(reg: Reg): string {
    return isVirtualReg(reg) ? this.vreg(virtRegIndex(reg)) : this.phys(reg);
  }

  /** class, bank or `_` of a virtual register in MIR's spelling */
  printRegClassOrBank(vreg: VRegId): string {
    const rc = this.fn.vregs.regClass[vreg];
    if (rc >= 0) return this.t.regClassName(rc).toLowerCase();
    const bank = this.fn.vregs.bank[vreg];
    return bank >= 0 ? this.t.regBankName(bank).toLowerCase() : '_';
  }

  private phys(reg: Reg): string {
    const known = this.physText[reg];
    if (known !== undefined) return known;
    const name = this.t.regName(reg);
    return (this.physText[reg] = `$${this.fn.header.namesBySize ? nameBySize(name) : name}`);
  }

  private vreg(v: number): string {
    const slot = v & (RECENT_VREGS - 1);
    if (this.vregOfText[slot] === v) return this.vregText[slot];
    this.vregOfText[slot] = v;
    return (this.vregText[slot] = this.vregName(v));
  }

  private vregClass(v: number): string {
    const rc = this.fn.vregs.regClass[v];
    return rc < 0 ? `:${this.printRegClassOrBank(v)}` : (this.classText[rc] ??= `:${this.printRegClassOrBank(v)}`);
  }

  private subReg(idx: number): string {
    const known = this.subRegText[idx];
    if (known !== undefined) return known;
    return (this.subRegText[idx] = `.${this.t.subRegIndexName(idx)}`);
  }

  private printRegOperand(o: OperandId, printDef: boolean, showTies: boolean, type: LLT | null): string {
    const fn = this.fn;
    const f = fn.opFlags[o];
    const reg = fn.opVal[o];
    let out = '';
    if (f & OpFlag.Implicit) out = f & OpFlag.Def ? 'implicit-def ' : 'implicit ';
    else if (printDef && f & OpFlag.Def) out = 'def ';
    if (f & (OpFlag.Internal | OpFlag.Dead | OpFlag.Kill | OpFlag.Undef | OpFlag.EarlyClobber | OpFlag.Renamable)) {
      if (f & OpFlag.Internal) out += 'internal ';
      if (f & OpFlag.Dead) out += 'dead ';
      if (f & OpFlag.Kill) out += 'killed ';
      if (f & OpFlag.Undef) out += 'undef ';
      if (f & OpFlag.EarlyClobber) out += 'early-clobber ';
      if (f & OpFlag.Renamable && reg > 0) out += 'renamable ';
    }
    if (reg < 0) {
      const v = ~reg;
      out += this.vreg(v);
      const sub = fn.opSub[o];
      if (sub !== 0) out += this.subReg(sub);
      if (this.standalone || !printDef || this.isWithoutDef(v)) out += this.vregClass(v);
    } else {
      out += this.phys(reg);
      const sub = fn.opSub[o];
      if (sub !== 0) out += this.subReg(sub);
    }
    if (showTies && fn.opTied[o] >= 0 && !(f & OpFlag.Def)) out += `(tied-def ${fn.opTied[o]})`;
    if (type !== null) out += `(${printLLT(type)})`;
    return out;
  }

  private isWithoutDef(v: number): boolean {
    if (this.hasDef === null) {
      const fn = this.fn;
      const hasDef = new Uint8Array(fn.vregs.n);
      const { order, blockBegin, blockEnd, opBegin, opKind, opVal, opFlags } = fn;
      for (let b = 0; b < blockBegin.length; b++) {
        for (let p = blockBegin[b]; p < blockEnd[b]; p++) {
          const i = order[p];
          for (let o = opBegin[i]; o < opBegin[i + 1]; o++) {
            if (opKind[o] === OperandKind.Register && opVal[o] < 0 && opFlags[o] & OpFlag.Def) hasDef[~opVal[o]] = 1;
          }
        }
      }
      this.hasDef = hasDef;
    }
    return this.hasDef[v] === 0;
  }

  /** Whether any tie differs from what the opcode prescribes (then MIR has to spell all of them). */
  private hasComplexTies(i: InstrId): boolean {
    const fn = this.fn;
    const begin = fn.opBegin[i];
    const end = fn.opBegin[i + 1];
    const opc = fn.opcode[i];
    const nDesc = this.t.opcodeNumOperands(opc);
    const info = this.t.opInfoBegin(opc);
    const tiedTo = this.t.opInfoTiedTo;
    for (let o = begin; o < end; o++) {
      if (fn.opKind[o] !== OperandKind.Register || fn.opFlags[o] & OpFlag.Def) continue;
      const k = o - begin;
      if (fn.opTied[o] !== (k < nDesc ? tiedTo[info + k] : -1)) return true;
    }
    return false;
  }

  /** MachineInstr::getTypeToPrint; `printed` has a bit per generic type index that was shown already */
  private typeToPrint(i: InstrId, k: number, printed: number): LLT | null {
    const fn = this.fn;
    const o = fn.opBegin[i] + k;
    const reg = fn.opVal[o];
    if (reg >= 0) return null;
    const type = fn.vregs.type[~reg];
    if (type === null || type === undefined) return null;
    const bit = this.typeIndexBit(fn.opcode[i], k);
    return (printed & bit) !== 0 ? null : type;
  }

  private typeIndexBit(opc: number, k: number): number {
    const t = this.t;
    if (k >= t.opcodeNumOperands(opc) || t.opcodeFlagsLo(opc) & (1 << McFlag.Variadic)) return 0;
    const kind = t.opInfoType[t.opInfoBegin(opc) + k];
    if (kind < OPERAND_FIRST_GENERIC || kind > OPERAND_LAST_GENERIC) return 0;
    return 1 << (kind - OPERAND_FIRST_GENERIC);
  }

  private isSubRegIndexOperand(opc: number, k: number): boolean {
    const s = this.special;
    if (opc === s.regSequence) return k > 1 && k % 2 === 0;
    if (opc === s.extractSubreg) return k === 2;
    if (opc === s.insertSubreg) return k === 3;
    // The operand count of SUBREG_TO_REG differs between LLVM versions; the index is the last explicit operand.
    if (opc === s.subregToReg) return k === this.t.opcodeNumOperands(opc) - 1;
    return false;
  }

  private printNonRegOperand(i: InstrId, k: number): string {
    const fn = this.fn;
    const o = fn.opBegin[i] + k;
    const kind = fn.opKind[o] as OperandKind;
    if (kind === OperandKind.Immediate) {
      const opc = fn.opcode[i];
      if (this.isSubRegIndexOperand(opc, k)) {
        const idx = fn.opVal[o];
        const isKnown = fn.opExt[o] === 0 && idx > 0 && idx < this.t.nSubRegIndices;
        return `${this.targetFlags(o)}%subreg.${isKnown ? this.t.subRegIndexName(idx) : BigInt.asUintN(64, fn.immBigInt(o))}`;
      }
      const low = fn.opVal[o];
      const high = fn.opExt[o];
      const text =
        opc === this.special.delayAlu && k === 0
          ? printDelayAlu(low)
          : (this.waitMnemonic(opc, k, low) ?? (high === low >> 31 ? String(low) : String(fn.immBigInt(o))));
      return fn.opTargetFlags[o] === 0 ? text : this.targetFlags(o) + text;
    }
    if (kind === OperandKind.Metadata && this.standalone && this.debugNames !== null) {
      const opc = fn.opcode[i];
      const { node } = fn.payload(o, OperandKind.Metadata);
      if (this.special.debugVariable.has(opc)) {
        const v = this.debugNames.variable(node);
        if (v !== null && v.name !== '') return `!"${v.name}"`;
      } else if (opc === this.special.dbgLabel) {
        const name = this.debugNames.label(node) ?? '';
        if (name !== '') return `"${name}"`;
      }
    }
    return this.targetFlags(o) + this.printPayload(o, kind);
  }

  private targetFlags(o: OperandId): string {
    const f = this.fn.opTargetFlags[o];
    return f === 0 ? '' : `target-flags(${TARGET_FLAG_WORDS[f - 1] ?? '<unknown target flag>'}) `;
  }

  private printPayload(o: OperandId, kind: OperandKind): string {
    const fn = this.fn;
    const val = fn.opVal[o];
    if (kind === OperandKind.MBB) return `%bb.${fn.numberOf(val)}`;
    if (kind === OperandKind.FrameIndex) return printFrameIndex(val, fn.header);
    if (kind === OperandKind.DbgInstrRef) return `dbg-instr-ref(${val >>> 0}, ${fn.opExt[o] >>> 0})`;
    if (kind === OperandKind.LaneMask) return `lanemask(${printLaneMask(val, fn.opExt[o])})`;
    const p = fn.payloads[val];
    switch (p.kind) {
      case OperandKind.CImmediate:
        if (p.bits === 1) return `i1 ${p.value === 0n ? 'false' : 'true'}`;
        return `i${p.bits} ${BigInt.asIntN(p.bits, p.value)}`;
      case OperandKind.FPImmediate:
        return p.text;
      case OperandKind.ConstantPoolIndex:
        // LLVM keeps the number as written in the operand, although it numbers the pool anew.
        return `%const.${fn.header.constants[p.index]?.sourceId ?? p.index}${printOffset(p.offset)}`;
      case OperandKind.TargetIndex:
        return `target-index(${p.name})${printOffset(p.offset)}`;
      case OperandKind.JumpTableIndex:
        return `%jump-table.${p.index}`;
      case OperandKind.ExternalSymbol:
        return `&${quoteSymbolName(p.symbol)}${printOffset(p.offset)}`;
      case OperandKind.GlobalAddress:
        return `@${quoteNameOrNumber(p.name)}${printOffset(p.offset)}`;
      case OperandKind.BlockAddress:
        return `blockaddress(@${quoteNameOrNumber(p.fn)}, %ir-block.${quoteNameOrNumber(p.block)})${printOffset(p.offset)}`;
      case OperandKind.RegisterMask:
        return this.printRegMask(p.mask, p.regs);
      case OperandKind.RegisterLiveOut:
        return `liveout(${p.regs.map((r) => this.phys(r)).join(', ')})`;
      case OperandKind.Metadata:
        return p.text;
      case OperandKind.MCSymbol:
        return `<mcsymbol ${p.symbol}>`;
      case OperandKind.CFIIndex:
        return p.text;
      case OperandKind.IntrinsicID:
        return `intrinsic(@${p.name})`;
      case OperandKind.Predicate:
        return `${p.isInt ? 'intpred' : 'floatpred'}(${p.name})`;
      case OperandKind.ShuffleMask:
        return `shufflemask(${p.mask.map((m) => (m === -1 ? 'undef' : m)).join(', ')})`;
    }
  }

  private printRegMask(mask: number, regs: readonly number[]): string {
    if (!this.standalone) {
      if (mask >= 0) return this.t.regMaskName(mask).toLowerCase();
      return `CustomRegMask(${regs.map((r) => this.phys(r)).join(',')})`;
    }
    const nameOf = (reg: Reg): string => this.phys(reg);
    if (mask >= 0) return regMaskText(this.t, this.t.regMaskBits(mask), nameOf);
    const bits = new Uint32Array((this.t.nRegs + 31) >>> 5);
    for (const r of regs) bits[r >>> 5]! |= 1 << (r & 31);
    return regMaskText(this.t, bits, nameOf);
  }

  private waitMnemonic(opc: Opcode, k: number, imm: number): string | null {
    const fields = k === 0 ? waitFieldsOf(this.fn.subtarget, opc) : null;
    return fields === null ? null : printWaits(fields, imm);
  }

  // -- inline assembly -------------------------------------------------------------------------------------------

  /** From the asm text on; `k` is its first operand. MIR comments the flag words, the stand-alone form spells them. */
  private printInlineAsmOperands(i: InstrId, k: number, showTies: boolean): string {
    const fn = this.fn;
    const begin = fn.opBegin[i];
    const n = fn.opBegin[i + 1] - begin;
    const isImm = (j: number): boolean => fn.opKind[begin + j] === OperandKind.Immediate;
    const asm = begin + k;
    const isRegister = fn.opKind[asm] === OperandKind.Register;
    let out = ` ${isRegister ? this.printRegOperand(asm, true, showTies, null) : this.printNonRegOperand(i, k)}`;
    const extra = isImm(k + 1) ? fn.opVal[begin + k + 1] : 0;
    const { inlineAsmWords } = fn.subtarget.release.rules;
    const words = extraWords(extra, this.standalone || inlineAsmWords);
    if (this.standalone) for (const w of words) out += ` [${w}]`;
    else if (inlineAsmWords && isImm(k + 1)) out += `, ${words.join(' ')}`;
    else {
      out += `, ${this.printNonRegOperand(i, k + 1)}`;
      if (words.length !== 0) out += ` /* ${words.join(' ')} */`;
    }
    let flagAt = k + 2;
    let group = 0;
    for (let j = k + 2; j < n; j++) {
      const o = begin + j;
      out += ', ';
      if (j === flagAt && isImm(j)) {
        const flag = fn.opVal[o] >>> 0;
        const text = groupWords(flag, this.t);
        out += this.standalone
          ? `$${group}:[${text}]`
          : inlineAsmWords
            ? text
            : `${this.printNonRegOperand(i, j)} /* ${text} */`;
        group++;
        flagAt = j + 1 + operandsOfGroup(flag);
      } else if (fn.opKind[o] === OperandKind.Register) {
        out += this.printRegOperand(o, true, showTies, fn.opVal[o] < 0 ? this.typeToPrint(i, j, 0) : null);
      } else out += this.printNonRegOperand(i, j);
    }
    return out;
  }

  // -- debug information of the stand-alone form ------------------------------------------------------------------

  /**
   * `; a.c:1:2 line no:3 indirect`: the location, and for a debug value its variable's line.
   * @llvm MachineInstr.cpp MachineInstr::print
   */
  private printDebugComment(i: InstrId, location: string | undefined): string {
    const names = this.debugNames;
    if (names === null) return '';
    const at = location === undefined ? null : names.location(location);
    const parts = at === null ? [] : [at];
    const { fn, special } = this;
    const opc = fn.opcode[i];
    if (special.debugVariable.has(opc)) {
      const isValue = opc === special.dbgValue;
      const begin = fn.opBegin[i];
      const variable = begin + (isValue ? 2 : 0);
      if (fn.numOperands(i) >= (isValue ? 4 : 2) && fn.opKind[variable] === OperandKind.Metadata) {
        const v = names.variable(fn.payload(variable, OperandKind.Metadata).node);
        if (v !== null) parts.push(`line no:${v.line}`);
        const isIndirect =
          isValue && fn.opKind[begin] === OperandKind.Register && fn.opKind[begin + 1] === OperandKind.Immediate;
        if (isIndirect) parts.push('indirect');
      }
    }
    return parts.length === 0 ? '' : `; ${parts.join(' ')}`;
  }
}

/** One instruction of `fn`; use InstrPrinter for many. */
export function printInstr(fn: MachineFunction, i: InstrId, options: InstrPrinterOptions = {}): string {
  return new InstrPrinter(fn, options).printInstr(i);
}
