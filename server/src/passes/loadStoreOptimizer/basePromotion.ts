/**
 * Accesses whose addresses are a common base and constants of their own share one sum: what is left of the constants goes into the instructions
 * (SILoadStoreOptimizer, LLVM 22; docs/llvm/memory-accesses.md, 2).
 */
import { immOperand, regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import {
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag, isFLAT, isFLATGlobal, isFLATScratch, usesAsyncCnt } from '../../target/opcodes.js';
import { canSubtract, fitsFlat, FlatVariant } from '../flatOffsets.js';
import type { InstrForms } from '../instrForms.js';

/** An address: a base in two halves, or in one, and a constant. */
interface SplitAddress {
  /** LLVM's registers of it; without any the address is a whole */
  readonly key: string;
  /** without `high` the whole base */
  readonly low: NewOperand | null;
  readonly high: NewOperand | null;
  readonly offset: bigint;
}

const LDS_REACH = 0xffff;

const WHOLE: SplitAddress = { key: '', low: null, high: null, offset: 0n };

export class BasePromotion {
  private readonly fn: MachineFunction;
  private readonly builder: InstrBuilder;
  /** of the block: addresses looked at, and the accesses whose address others have taken over */
  private readonly addresses = new Map<InstrId, SplitAddress>();
  private readonly anchors = new Set<InstrId>();

  constructor(
    private readonly editor: FunctionEditor,
    private readonly forms: InstrForms,
  ) {
    this.fn = editor.fn;
    this.builder = forms.builder;
  }

  private get sharesLowest(): boolean {
    return this.fn.subtarget.release.rules.sharesLowestAddress;
  }

  beginBlock(): void {
    this.addresses.clear();
    this.anchors.clear();
  }

  /**
   * Of the accesses that follow with the same base, the farthest that the instruction can reach lends its address to all. True if anything has changed.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::promoteConstantOffsetToImm
   */
  promote(i: InstrId): boolean {
    const { fn } = this;
    const { tables, subtarget } = fn;
    const opcode = fn.opcode[i];
    if (!subtarget.hasFeature('flat-inst-offsets') || !isFLAT(tables, opcode) || isFLATScratch(tables, opcode))
      return false;
    if (this.anchors.has(i) || !this.isUnshifted(i)) return false;
    const address = this.addressOf(i);
    if (address.offset === 0n) return false;
    const variant = isFLATGlobal(tables, opcode) ? FlatVariant.Global : FlatVariant.Flat;
    const isAsync = usesAsyncCnt(tables, opcode) && this.sharesLowest;
    const fits = (distance: bigint): boolean => {
      const bytes = Number(distance);
      // The half of an asynchronous access that goes to LDS has 16 bits.
      if (isAsync && (bytes < 0 || bytes > LDS_REACH)) return false;
      return bytes === 0 || fitsFlat(subtarget, bytes, variant);
    };
    const others: InstrId[] = [];
    for (let other = this.editor.list.after(i); other >= 0; other = this.editor.list.after(other))
      if (fn.opcode[other] === opcode && this.isUnshifted(other) && this.addressOf(other).key === address.key)
        others.push(other);
    const goesUp = this.sharesLowest && (isAsync || !canSubtract(subtarget, variant));
    const anchor = this.anchorOf(address, others, fits, goesUp);
    if (anchor < 0) return goesUp && this.lendOwn(i, others, fits);
    const shared = this.addressOf(anchor);
    const base = this.buildBase(i, shared);
    for (const other of [i, ...others]) {
      const distance = this.addressOf(other).offset - shared.offset;
      if (other === i || fits(distance)) this.rebase(other, base, distance);
    }
    this.anchors.add(anchor);
    return true;
  }

  /** The farthest that can be reached; `goesUp`: the lowest. -1 = none */
  private anchorOf(
    { offset: from }: SplitAddress,
    others: readonly InstrId[],
    fits: (distance: bigint) => boolean,
    goesUp: boolean,
  ): InstrId {
    let anchor = -1;
    let farthest = 0n;
    for (const other of others) {
      const distance = from - this.addressOf(other).offset;
      if (!fits(distance)) continue;
      const length = distance < 0n ? -distance : distance;
      if (goesUp ? distance < 0n || (anchor >= 0 && distance <= farthest) : length <= farthest) continue;
      farthest = length;
      anchor = other;
    }
    return anchor;
  }

  /** Those above take the address of the access itself, which is the lowest. */
  private lendOwn(i: InstrId, others: readonly InstrId[], fits: (distance: bigint) => boolean): boolean {
    const vaddr = this.forms.named(i, 'vaddr');
    let isLent = false;
    for (const other of others) {
      const distance = this.addressOf(other).offset - this.addressOf(i).offset;
      if (distance < 0n || !fits(distance)) continue;
      this.rebase(other, this.fn.opVal[vaddr], distance);
      isLent = true;
    }
    if (!isLent) return false;
    this.fn.opFlags[vaddr] &= ~OpFlag.Kill;
    this.anchors.add(i);
    return true;
  }

  private isUnshifted(i: InstrId): boolean {
    const { fn, forms } = this;
    const offset = forms.named(i, 'offset');
    return offset >= 0 && fn.opVal[offset] === 0 && fn.opExt[offset] === 0 && forms.named(i, 'vaddr') >= 0;
  }

  private addressOf(i: InstrId): SplitAddress {
    let address = this.addresses.get(i);
    if (address === undefined) this.addresses.set(i, (address = this.split(this.forms.named(i, 'vaddr'))));
    return address;
  }

  private uniqueDef(o: OperandId): InstrId {
    const { fn, editor } = this;
    if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) return -1;
    return editor.hasOneDef(fn.opVal[o]) ? editor.defOf(fn.opVal[o]) : -1;
  }

  /**
   * The sum of two halves with a carry, whose sources have a constant each.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::processBaseWithConstOffset
   */
  private split(vaddr: OperandId): SplitAddress {
    const { fn, forms } = this;
    const isReg = (o: OperandId): boolean => fn.opKind[o] === OperandKind.Register;
    const def = this.uniqueDef(vaddr);
    if (def >= 0 && this.sharesLowest && forms.nameOf(def) === 'V_ADD_U64_e64') return this.splitSum(def);
    if (def < 0 || forms.nameOf(def) !== 'REG_SEQUENCE' || fn.numOperands(def) !== 5) return WHOLE;
    const halves = [fn.opBegin[def] + 1, fn.opBegin[def] + 3].map((o) => this.uniqueDef(o));
    if (halves.some((half) => half < 0)) return WHOLE;
    const [lowSum, highSum] = halves;
    if (forms.nameOf(lowSum) !== 'V_ADD_CO_U32_e64' || forms.nameOf(highSum) !== 'V_ADDC_U32_e64') return WHOLE;
    let [low, constant] = [forms.named(lowSum, 'src1'), forms.named(lowSum, 'src0')];
    let lowOffset = this.constantOf(constant);
    if (lowOffset === null) {
      [low, constant] = [constant, low];
      lowOffset = this.constantOf(constant);
    }
    let [high, highConstant] = [forms.named(highSum, 'src0'), forms.named(highSum, 'src1')];
    if (!isReg(high)) [high, highConstant] = [highConstant, high];
    if (lowOffset === null || !isReg(low) || !isReg(high)) return WHOLE;
    if (fn.opKind[highConstant] !== OperandKind.Immediate) return WHOLE;
    const [a, b] = [low, high].map((o) => regOperand(fn.opVal[o], 0, fn.opSub[o]));
    const offset = BigInt.asIntN(64, (BigInt(fn.opVal[highConstant]) << 32n) | BigInt(lowOffset >>> 0));
    return { key: `${a.val}:${a.sub} ${b.val}:${b.sub}`, low: a, high: b, offset };
  }

  /**
   * A sum of 64 bits.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::processBaseWithConstOffset64
   */
  private splitSum(sum: InstrId): SplitAddress {
    const { fn, forms } = this;
    const base = forms.named(sum, 'src0');
    const offset = this.materialized(forms.named(sum, 'src1'));
    if (offset === null || fn.opKind[base] !== OperandKind.Register) return WHOLE;
    return { key: `${fn.opVal[base]}`, low: regOperand(fn.opVal[base]), high: null, offset };
  }

  /**
   * A constant, perhaps one that any move has put into a register.
   * @llvm SIInstrInfo.cpp SIInstrInfo::getImmOrMaterializedImm
   */
  private materialized(o: OperandId): bigint | null {
    const { fn } = this;
    if (fn.opKind[o] === OperandKind.Immediate) return fn.immBigInt(o);
    const def = this.uniqueDef(o);
    if (def < 0 || !hasOpcodeFlag(fn.tables, fn.opcode[def], McFlag.MoveImm)) return null;
    const source = fn.opBegin[def] + 1;
    return fn.opKind[source] === OperandKind.Immediate ? fn.immBigInt(source) : null;
  }

  /**
   * A constant of 32 bits, perhaps one that was moved into a register.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::extractConstOffset
   */
  private constantOf(o: OperandId): number | null {
    const { fn, forms } = this;
    if (this.sharesLowest) {
      const value = this.materialized(o);
      return value === null ? null : Number(BigInt.asIntN(32, value));
    }
    if (fn.opKind[o] === OperandKind.Immediate) return fn.opVal[o];
    const def = this.uniqueDef(o);
    if (def < 0 || forms.nameOf(def) !== 'S_MOV_B32') return null;
    const source = fn.opBegin[def] + 1;
    return fn.opKind[source] === OperandKind.Immediate ? fn.opVal[source] : null;
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::createRegOrImm */
  private constant(i: InstrId, value: number): NewOperand {
    const { forms, builder } = this;
    if (forms.facts.isInlineWord(value)) return immOperand(value);
    const reg = builder.newVReg(forms.tables.regClassByName('sreg_32'));
    builder.build(i, i, forms.opcode('S_MOV_B32'), [regOperand(reg, OpFlag.Def), immOperand(value)]);
    return regOperand(reg);
  }

  /**
   * Computes an address once more, before `i`.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::computeBase
   */
  private buildBase(i: InstrId, { low, high, offset }: SplitAddress): Reg {
    const { fn, forms, builder } = this;
    const { tables, subtarget } = fn;
    const rc = (name: string): number => tables.regClassByName(name);
    if (high === null) return this.buildSum(i, low!, offset);
    const [lowOffset, highOffset] = [
      this.constant(i, Number(BigInt.asIntN(32, offset))),
      this.constant(i, Number(offset >> 32n)),
    ];
    const mask = rc(subtarget.wavefrontSize === 32 ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec');
    const [carry, unread] = [builder.newVReg(mask), builder.newVReg(mask)];
    const [sum0, sum1] = [builder.newVReg(rc('vgpr_32')), builder.newVReg(rc('vgpr_32'))];
    const def = (reg: Reg, flags = 0): NewOperand => regOperand(reg, OpFlag.Def | flags);
    builder.build(i, i, forms.opcode('V_ADD_CO_U32_e64'), [...[def(sum0), def(carry), low!, lowOffset], immOperand(0)]);
    builder.build(i, i, forms.opcode('V_ADDC_U32_e64'), [
      ...[def(sum1), def(unread, OpFlag.Dead), high!, highOffset, regOperand(carry, OpFlag.Kill)],
      immOperand(0),
    ]);
    const whole = builder.newVReg(rc(`vreg_64${subtarget.needsAlignedVGPRs ? '_align2' : ''}`));
    const sub = (name: string): NewOperand => immOperand(tables.subRegIndexByName(name));
    builder.build(i, i, forms.opcode('REG_SEQUENCE'), [
      ...[def(whole), regOperand(sum0), sub('sub0'), regOperand(sum1), sub('sub1')],
    ]);
    return whole;
  }

  private buildSum(i: InstrId, base: NewOperand, offset: bigint): Reg {
    const { fn, forms, builder } = this;
    const opcode = forms.opcode('V_ADD_U64_e64');
    const sum = builder.newVReg(fn.subtarget.opInfoRegClass(opcode, 0));
    const constant = builder.newVReg(forms.tables.regClassByName('sreg_64'));
    builder.build(i, i, forms.opcode('S_MOV_B64_IMM_PSEUDO'), [
      regOperand(constant, OpFlag.Def),
      { kind: OperandKind.Immediate, val: Number(BigInt.asIntN(32, offset)), ext: Number(offset >> 32n) },
    ]);
    builder.build(i, i, opcode, [
      ...[regOperand(sum, OpFlag.Def), base, regOperand(constant, OpFlag.Kill)],
      immOperand(0),
    ]);
    return sum;
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::updateBaseAndOffset */
  private rebase(i: InstrId, base: Reg, offset: bigint): void {
    const { fn, forms, editor } = this;
    const vaddr = forms.named(i, 'vaddr');
    editor.setReg(vaddr, base);
    fn.opFlags[vaddr] &= ~OpFlag.Kill;
    const o = forms.named(i, 'offset');
    fn.opVal[o] = Number(BigInt.asIntN(32, offset));
    fn.opExt[o] = fn.opVal[o] >> 31;
    if (this.sharesLowest && offset !== 0n && usesAsyncCnt(fn.tables, fn.opcode[i])) this.shiftLDS(i, fn.opVal[o]);
  }
  /**
   * The address in LDS of an asynchronous access, to which the constant is added, too, loses it.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::updateAsyncLDSAddress
   */
  private shiftLDS(i: InstrId, offset: number): void {
    const { fn, forms, builder } = this;
    const o = ['vdst', 'vdata'].map((name) => forms.named(i, name)).find((at) => at >= 0);
    if (o === undefined) return;
    const old = fn.opVal[o];
    const made = builder.newVReg(forms.facts.classOf(old));
    builder.build(i, i, forms.opcode('V_ADD_U32_e64'), [
      ...[regOperand(made, OpFlag.Def), regOperand(old), immOperand(-offset), immOperand(0)],
    ]);
    this.editor.setReg(o, made);
  }
}
