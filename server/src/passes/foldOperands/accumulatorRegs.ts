/** si-fold-operands: values that go through VGPRs into AGPRs or back (docs/llvm/folding.md, 7). */
import { operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { OperandKind, OpFlag, type BlockId, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { OperandType, type RegClassId } from '../../target/index.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { InstrForms } from '../instrForms.js';
import { DenseMapOrder, hashOfPair } from '../../util/denseMapOrder.js';
import { Sequences } from './sequences.js';
import { firstTerminator } from '../instrOrder.js';

/** A register and a part of it. */
interface Part {
  readonly reg: Reg;
  readonly sub: number;
}

export class AccumulatorRegs {
  constructor(
    private readonly forms: InstrForms,
    private readonly sequences: Sequences,
  ) {}

  private classOf(reg: Reg): RegClassId {
    return this.forms.fn.vregs.regClass[virtRegIndex(reg)];
  }

  private isCopy(i: InstrId): boolean {
    return this.forms.fn.opcode[i] === this.forms.opcode('COPY');
  }

  private clearKill(o: OperandId): void {
    this.forms.fn.opFlags[o] &= ~OpFlag.Kill;
  }

  /**
   * A copy of a sequence into AGPRs becomes a sequence itself: constants are written by themselves, scalar registers go through one VGPR each.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::foldCopyToAGPRRegSequence
   */
  foldCopyOfSequence(copy: InstrId): boolean {
    const { forms } = this;
    const { fn, tables, editor, builder, facts, legality } = forms;
    const begin = fn.opBegin[copy];
    if (!isVirtualReg(fn.opVal[begin])) return false;
    const rc = this.classOf(fn.opVal[begin]);
    if (!facts.isAGPRClass(rc)) return false;
    const source = fn.opVal[begin + 1];
    const sequence = editor.defOf(source);
    if (sequence < 0 || fn.opcode[sequence] !== forms.opcode('REG_SEQUENCE')) return false;
    const sourceClass = this.classOf(source);
    const agpr = tables.regClassByName('agpr_32');
    const parts: { readonly o: OperandId; readonly sub: number; readonly isConstant: boolean }[] = [];
    let nFoldable = 0;
    for (let o = fn.opBegin[sequence] + 1; o < fn.opBegin[sequence + 1]; o += 2) {
      const sub = fn.opVal[o + 1];
      if (fn.opSub[o] !== 0) {
        parts.push({ o, sub, isConstant: false });
        continue;
      }
      const source = this.sequences.sourceOfCopies(fn.opVal[o]);
      const found = source < 0 ? o : source;
      if (fn.opKind[found] === OperandKind.Immediate) {
        const isWord = tables.getMatchingSuperRegClass(rc, agpr, sub) >= 0;
        if (isWord && legality.isInline(operandOf(fn, found), OperandType.InlineInt32)) {
          nFoldable++;
          parts.push({ o: found, sub, isConstant: true });
          continue;
        }
      }
      const input = this.classOf(fn.opVal[fn.opKind[found] === OperandKind.Register ? found : o]);
      if (tables.getMatchingSuperRegClass(rc, input, sub) < 0) nFoldable++;
      parts.push({ o, sub, isConstant: false });
    }
    if (nFoldable === 0) return false;
    const operands: NewOperand[] = [];
    const copies = new Map<string, Reg>();
    for (const { o, sub, isConstant } of parts) {
      if (isConstant) {
        const tmp = builder.newVReg(agpr);
        builder.build(copy, copy, forms.opcode('V_ACCVGPR_WRITE_B32_e64'), [
          regOperand(tmp, OpFlag.Def),
          operandOf(fn, o),
        ]);
        operands.push(regOperand(tmp));
      } else {
        this.clearKill(o);
        const op = operandOf(fn, o);
        const key = `${op.val}:${op.sub}`;
        const known = copies.get(key);
        const part = tables.getSubRegisterClass(sourceClass, sub);
        if (known !== undefined) operands.push(regOperand(known));
        else if (this.partOf(op) !== part) {
          const tmp = builder.newVReg(part);
          copies.set(key, tmp);
          builder.build(copy, copy, forms.opcode('COPY'), [regOperand(tmp, OpFlag.Def), op]);
          operands.push(regOperand(tmp));
        } else operands.push(op);
      }
      operands.push({ kind: OperandKind.Immediate, val: sub });
    }
    fn.opcode[copy] = forms.opcode('REG_SEQUENCE');
    forms.reshape(copy, [0, ...operands]);
    return true;
  }

  private partOf({ val, sub = 0 }: NewOperand): RegClassId {
    const rc = this.classOf(val);
    return sub === 0 ? rc : this.forms.tables.getSubRegisterClass(rc, sub);
  }

  /**
   * A sequence of AGPRs in VGPRs that one instruction reads which takes AGPRs is built of them. Erases the sequence where nobody reads it any more.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryFoldRegSequence
   */
  foldSequence(i: InstrId): boolean {
    const { forms } = this;
    const { fn, tables, editor, builder, facts, legality } = forms;
    let reg = fn.opVal[fn.opBegin[i]];
    if (!fn.subtarget.hasGFX90AInsts || !isVirtualReg(reg) || !facts.isVGPR(reg) || editor.onlyUse(reg) < 0)
      return false;
    const parts = this.sequences.partsOf(i);
    if (parts === null) return false;
    for (const { o } of parts.list) {
      if (fn.opKind[o] !== OperandKind.Register) return false;
      if (facts.isAGPR(fn.opVal[o])) continue;
      const def = editor.defOf(fn.opVal[o]);
      if (def < 0 || !this.isCopy(def) || fn.opSub[fn.opBegin[def] + 1] !== 0) return false;
      if (!facts.isAGPR(fn.opVal[fn.opBegin[def] + 1])) return false;
    }
    let use = editor.onlyUse(reg);
    let user = editor.instrOf(use);
    while (this.isCopy(user) && fn.opSub[use] === 0) {
      reg = fn.opVal[fn.opBegin[user]];
      if (!facts.isVGPR(reg) || !isVirtualReg(reg) || editor.onlyUse(reg) < 0) return false;
      use = editor.onlyUse(reg);
      user = editor.instrOf(use);
    }
    if (fn.opSub[use] !== 0) return false;
    const k = use - fn.opBegin[user];
    const wanted = fn.subtarget.opInfoRegClass(fn.opcode[user], k);
    const isVector = wanted >= 0 && tables.hasVGPRs(wanted) && tables.hasAGPRs(wanted) && !tables.hasSGPRs(wanted);
    if (k >= tables.opcodeNumOperands(fn.opcode[user]) || !isVector) return false;
    const dst = builder.newVReg(facts.equivalentAGPRClass(this.classOf(reg)));
    const operands: NewOperand[] = [regOperand(dst, OpFlag.Def)];
    for (const { o, sub } of parts.list) {
      this.clearKill(o);
      if (facts.isAGPR(fn.opVal[o])) operands.push(operandOf(fn, o));
      else {
        const origin = fn.opBegin[editor.defOf(fn.opVal[o])] + 1;
        this.clearKill(origin);
        operands.push(regOperand(fn.opVal[origin], 0, fn.opSub[o]));
      }
      operands.push({ kind: OperandKind.Immediate, val: sub });
    }
    const made = builder.build(i, i, forms.opcode('REG_SEQUENCE'), operands);
    editor.setReg(use, dst);
    if (!legality.isOperandLegal(user, k, operandOf(fn, use))) {
      editor.setReg(use, reg);
      editor.erase(made);
      return false;
    }
    if (editor.isUnread(fn.opVal[fn.opBegin[i]])) editor.erase(i);
    return true;
  }

  /**
   * The AGPR that a copy has in a VGPR, perhaps by another copy; null: none.
   * @llvm SIFoldOperands.cpp isAGPRCopy
   */
  private copiedAGPR(copy: InstrId): Part | null {
    const { fn, editor, facts } = this.forms;
    const source = fn.opBegin[copy] + 1;
    if (!isVirtualReg(fn.opVal[source])) return null;
    if (facts.isAGPR(fn.opVal[source])) return { reg: fn.opVal[source], sub: fn.opSub[source] };
    const def = editor.defOf(fn.opVal[source]);
    if (def < 0 || !this.isCopy(def)) return null;
    const other = fn.opBegin[def] + 1;
    if (!isVirtualReg(fn.opVal[other]) || fn.opSub[other - 1] !== 0 || fn.opSub[other] !== 0) return null;
    return facts.isAGPR(fn.opVal[other]) ? { reg: fn.opVal[other], sub: fn.opSub[source] } : null;
  }

  /**
   * A PHI in VGPRs of copies from AGPRs becomes one in AGPRs, with a copy after it.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryFoldPhiAGPR
   */
  foldPhi(phi: InstrId): boolean {
    const { forms } = this;
    const { fn, tables, editor, builder, facts } = forms;
    const { list } = editor;
    const begin = fn.opBegin[phi];
    const result = fn.opVal[begin];
    if (!isVirtualReg(result) || !facts.isVGPR(result)) return false;
    const n = fn.numOperands(phi);
    let rc = -1;
    for (let k = 1; k < n; k += 2) {
      const def = editor.defOf(fn.opVal[begin + k]);
      const found = def >= 0 && this.isCopy(def) ? this.copiedAGPR(def) : null;
      if (found === null) continue;
      const own = this.classOf(found.reg);
      const part = found.sub === 0 ? own : tables.getSubRegisterClass(own, found.sub);
      const input = part >= 0 ? part : own;
      if (rc >= 0 && !tables.hasSubClassEq(rc, input)) return false;
      rc = input;
    }
    if (rc < 0) return false;
    const isWord = rc === tables.regClassByName('agpr_32');
    for (let k = 1; k < n; k += 2) {
      const reg = fn.opVal[begin + k];
      const def = editor.defOf(reg);
      let name = 'COPY';
      if (def >= 0 && this.isCopy(def)) {
        const found = this.copiedAGPR(def);
        if (found !== null) {
          editor.setReg(begin + k, found.reg);
          fn.opSub[begin + k] = found.sub;
          continue;
        }
        const isShared = editor.onlyUse(reg) < 0;
        if (isWord && !fn.subtarget.hasGFX90AInsts && isShared && facts.isSGPR(fn.opVal[fn.opBegin[def] + 1]))
          name = 'V_ACCVGPR_WRITE_B32_e64';
      }
      const at =
        def >= 0 ? this.afterPhis(list.after(def)) : firstTerminator(this.forms.editor, fn.opVal[begin + k + 1]);
      const made = builder.newVReg(rc);
      builder.build(at, phi, forms.opcode(name), [regOperand(made, OpFlag.Def), regOperand(reg)]);
      editor.setReg(begin + k, made);
    }
    const made = builder.newVReg(rc);
    editor.setReg(begin, made);
    const block = fn.instrBlock[phi];
    let at: number = list.first(block);
    const phis = opcodeSet(tables, 'phi');
    while (at >= 0 && phis.has(fn.opcode[at])) at = list.after(at);
    builder.build(at, phi, forms.opcode('COPY'), [regOperand(result, OpFlag.Def), regOperand(made)]);
    return true;
  }

  /**
   * The first place from `at` on after PHIs, labels and debug instructions.
   * @llvm MachineBasicBlock.cpp MachineBasicBlock::SkipPHIsLabelsAndDebug
   */
  private afterPhis(from: number): number {
    const { fn, tables, editor } = this.forms;
    const skipped = [opcodeSet(tables, 'phi'), opcodeSet(tables, 'position'), opcodeSet(tables, 'debugInstr')];
    skipped.push(opcodeSet(tables, 'pseudoProbe'));
    let at = from;
    while (at >= 0 && skipped.some((set) => set.has(fn.opcode[at]))) at = editor.list.after(at);
    return at;
  }

  /**
   * A load into VGPRs that are copied to AGPRs goes there itself.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryFoldLoad
   */
  foldLoad(i: InstrId): boolean {
    const { forms } = this;
    const { fn, tables, editor, facts, legality } = forms;
    if (!fn.subtarget.hasGFX90AInsts || tables.opcodeNumDefs(fn.opcode[i]) !== 1) return false;
    const begin = fn.opBegin[i];
    const reg = fn.opVal[begin];
    if (!isVirtualReg(reg) || !facts.isVGPR(reg)) return false;
    const usersOf = (r: Reg): InstrId[] => [...new Set(editor.usesOf(r).map((o) => editor.instrOf(o)))];
    const users = usersOf(reg);
    if (users.length === 0) return false;
    const moved: Reg[] = [];
    for (let user = users.pop(); user !== undefined; user = users.pop()) {
      if (!this.isCopy(user) && fn.opcode[user] !== forms.opcode('REG_SEQUENCE')) return false;
      const dst = fn.opVal[fn.opBegin[user]];
      if (!isVirtualReg(dst)) return false;
      if (facts.isAGPR(dst)) continue;
      moved.push(dst);
      users.push(...usersOf(dst));
    }
    const rc = this.classOf(reg);
    fn.vregs.regClass[virtRegIndex(reg)] = facts.equivalentAGPRClass(rc);
    if (!legality.isOperandLegal(i, 0, operandOf(fn, begin))) {
      fn.vregs.regClass[virtRegIndex(reg)] = rc;
      return false;
    }
    for (const r of moved.reverse()) fn.vregs.regClass[virtRegIndex(r)] = facts.equivalentAGPRClass(this.classOf(r));
    return true;
  }

  /**
   * Parts of AGPRs that several PHIs of a block read go through a VGPR and an AGPR of their own, where no instruction moves an AGPR to another.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryOptimizeAGPRPhis
   */
  sharePartsOfPhis(block: BlockId): void {
    const { forms } = this;
    const { fn, tables, editor, builder, facts } = forms;
    if (fn.subtarget.hasGFX90AInsts) return;
    const numbers = new Map<string, number>();
    const parts: Part[] = [];
    const readers: OperandId[][] = [];
    const order = new DenseMapOrder((n) => hashOfPair(virtRegIndex(parts[n].reg), parts[n].sub));
    const phis = opcodeSet(tables, 'phi');
    for (let i = editor.list.first(block); i >= 0 && phis.has(fn.opcode[i]); i = editor.list.after(i)) {
      if (!facts.isAGPR(fn.opVal[fn.opBegin[i]])) continue;
      for (let o = fn.opBegin[i] + 1; o < fn.opBegin[i + 1]; o += 2) {
        if (fn.opSub[o] === 0) continue;
        const key = `${fn.opVal[o]}:${fn.opSub[o]}`;
        const found = numbers.get(key);
        if (found === undefined) {
          numbers.set(key, parts.length);
          parts.push({ reg: fn.opVal[o], sub: fn.opSub[o] });
          order.insert(readers.push([o]) - 1);
        } else readers[found].push(o);
      }
    }
    for (const n of order.keys()) {
      const operands = readers[n];
      if (operands.length === 1) continue;
      const [first] = operands;
      const def = editor.defOf(fn.opVal[first]);
      const rc = forms.partClass(operandOf(fn, first));
      const vector = builder.newVReg(facts.equivalentVGPRClass(rc));
      const read = builder.build(editor.list.after(def), def, forms.opcode('V_ACCVGPR_READ_B32_e64'), [
        regOperand(vector, OpFlag.Def),
        regOperand(fn.opVal[first], 0, fn.opSub[first]),
      ]);
      const shared = builder.newVReg(rc);
      builder.build(editor.list.after(read), def, forms.opcode('COPY'), [
        regOperand(shared, OpFlag.Def),
        regOperand(vector),
      ]);
      for (const o of operands) {
        editor.setReg(o, shared);
        fn.opSub[o] = 0;
      }
    }
  }
}
