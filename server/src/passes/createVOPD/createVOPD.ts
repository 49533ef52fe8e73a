/** `gcn-create-vopd`: two neighbouring instructions of the VALU become one with two halves (GCNCreateVOPD, LLVM 22; docs/llvm/late-passes.md, 9). */
import { operandOf, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { type InstrId, type MachineFunction, type OperandId } from '../../model/machineFunction.js';
import { Generation, type Opcode } from '../../target/api.js';
import { InstrQueries } from '../instrQueries.js';
import { isDebugInstr } from '../instrOrder.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { RegisterFacts } from '../registerFacts.js';

/** @llvm GCNCreateVOPD.cpp GCNCreateVOPDLegacy */
export const createVOPDPass: MachinePass = {
  name: 'gcn-create-vopd',
  pipelineName: 'gcn-create-vopd',
  className: 'GCNCreateVOPDPass',
  title: 'GCN Create VOPD Instructions',
  requires: [],
  preserves: [CFG],
  run(state) {
    const { subtarget, isOptNone } = state.fn;
    if (isOptNone || subtarget.generation < Generation.GFX11 || subtarget.wavefrontSize !== 32) return;
    if (subtarget.hasFeature('gfx1250-insts')) throw new NotModelled('instructions with two halves on gfx1250');
    new VOPDCreation(state.editor()).run();
  },
};

/** Banks that two halves must not share, as bits of the register's number: of the results, and of each of three sources. */
const BANK_MASKS = [1, 3, 3, 1];
/** scalar registers and literals of both halves */
const MOST_SCALARS = 2;
const DOT_PRODUCT = /^V_DOT2_F32_B?F16$/;
/** op_sel_hi alone, as such an instruction has it by itself */
const PLAIN_MODIFIER = 8;

interface Pair {
  readonly x: InstrId;
  readonly y: InstrId;
  readonly opcode: Opcode;
}

class VOPDCreation {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly facts: RegisterFacts;
  private readonly builder: InstrBuilder;
  private readonly isGFX12: boolean;
  /** Both halves may read one register. */
  private readonly sharesRegisters: boolean;

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.queries = new InstrQueries(editor.fn);
    this.facts = new RegisterFacts(editor.fn);
    this.builder = new InstrBuilder(editor, true);
    this.isGFX12 = editor.fn.subtarget.generation >= Generation.GFX12;
    this.sharesRegisters = this.isGFX12 && editor.fn.subtarget.release.rules.halvesShareSources;
  }

  /** @llvm GCNCreateVOPD.cpp GCNCreateVOPD */
  run(): void {
    const { fn, editor } = this;
    const pairs: Pair[] = [];
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i: number = editor.list.first(b); i >= 0;) {
        let next = editor.list.after(i);
        while (next >= 0 && isDebugInstr(fn, next)) next = editor.list.after(next);
        const pair = next < 0 || isDebugInstr(fn, i) ? null : this.match(i, next);
        if (pair !== null) {
          pairs.push(pair);
          next = editor.list.after(next);
        }
        i = next;
      }
    for (const pair of pairs) this.replace(pair);
  }

  /** What an instruction is as a half, without `V_`; '' = none. */
  private half(i: InstrId): string {
    const name = this.queries.name(i);
    const { pairsDotProducts } = this.fn.subtarget.release.rules;
    if (DOT_PRODUCT.test(name)) return !pairsDotProducts ? '' : `${name.slice(2).replace('DOT2_', 'DOT2C_')}_e32`;
    return name.startsWith('V_') ? name.slice(2) : '';
  }

  private opcodeOf(x: InstrId, y: InstrId): Opcode {
    const family = this.isGFX12 ? 'gfx12' : 'gfx11';
    const [a, b] = [this.half(x), this.half(y)];
    return a === '' || b === '' ? -1 : this.fn.tables.opcodeByName(`V_DUAL_${a}_X_${b}_${family}`);
  }

  /** Two in their order, whichever of them is X. */
  private match(first: InstrId, second: InstrId): Pair | null {
    if (this.depends(first, second)) return null;
    const isAntiDependent = this.depends(second, first);
    for (const [x, y] of [
      [first, second],
      [second, first],
    ]) {
      const opcode = this.opcodeOf(x, y);
      if (opcode >= 0 && this.fits(x, y, this.sharesRegisters && !(x === second && isAntiDependent)))
        return { x, y, opcode };
    }
    return null;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::hasRAWDependency */
  private depends(first: InstrId, second: InstrId): boolean {
    const { queries, fn } = this;
    return queries.regOperands(second).some((o) => !queries.isDef(o) && queries.modifies(first, fn.opVal[o]));
  }

  private explicit(i: InstrId): OperandId[] {
    const { fn, queries } = this;
    if (DOT_PRODUCT.test(queries.name(i)))
      return ['vdst', 'src0', 'src1', 'src2'].map((name) => queries.named(i, name));
    const n = fn.tables.opcodeNumOperands(fn.opcode[i]);
    return Array.from({ length: n }, (_, k) => fn.opBegin[i] + k);
  }

  /** @llvm GCNVOPDUtils.cpp checkVOPDRegConstraints */
  private fits(x: InstrId, y: InstrId, mayShare: boolean): boolean {
    const { fn, queries } = this;
    const literals = new Set<string>();
    const scalars = new Set<number>();
    for (const i of [x, y]) {
      if (DOT_PRODUCT.test(queries.name(i)) && !this.isPlainProduct(i)) return false;
      const operands = this.explicit(i);
      for (const o of operands.slice(1)) {
        if (queries.isReg(o)) {
          if (this.facts.isSGPR(fn.opVal[o])) scalars.add(fn.opVal[o]);
        } else if (!this.isInline(i, o, operands)) literals.add(`${fn.opKind[o]} ${fn.opVal[o]} ${fn.opExt[o]}`);
      }
      if (fn.tables.implicitUses(fn.opcode[i]).some((reg) => /^vcc/.test(fn.tables.regName(reg)))) scalars.add(-1);
    }
    if (scalars.delete(fn.tables.regByName('vcc_lo'))) scalars.add(-1);
    if (literals.size > 1 || literals.size + scalars.size > MOST_SCALARS) return false;
    const areMoves = [x, y].every((i) => queries.name(i) === 'V_MOV_B32_e32');
    return this.haveApartBanks(this.explicit(x), this.explicit(y), this.isGFX12 && areMoves, mayShare);
  }

  /** A literal that an instruction always has is one whatever its value. */
  private isInline(i: InstrId, o: OperandId, operands: readonly OperandId[]): boolean {
    const isMandatory = /^V_FMA[AM]K/.test(this.queries.name(i)) && o !== operands[1];
    return !isMandatory && this.facts.isInlineAt(o, this.fn.opcode[i], o - this.fn.opBegin[i]);
  }

  private isPlainProduct(i: InstrId): boolean {
    const { fn, queries } = this;
    const modifiers = ['src0_modifiers', 'src1_modifiers', 'src2_modifiers'];
    if (modifiers.some((name) => queries.imm(i, name) !== PLAIN_MODIFIER) || queries.imm(i, 'clamp') !== 0)
      return false;
    const [vdst, , src1, src2] = this.explicit(i);
    return queries.isReg(src1) && queries.isReg(src2) && fn.opVal[vdst] === fn.opVal[src2];
  }

  /** @llvm AMDGPUBaseInfo.cpp AMDGPU::VOPD::InstInfo::getInvalidCompOperandIndex */
  private haveApartBanks(
    x: readonly OperandId[],
    y: readonly OperandId[],
    resultsAlone: boolean,
    mayShare: boolean,
  ): boolean {
    const { fn, queries, facts } = this;
    const indexOf = (o: OperandId | undefined): number =>
      o !== undefined && queries.isReg(o) && facts.isVGPR(fn.opVal[o]) ? facts.hardwareIndex(fn.opVal[o]) : -1;
    return BANK_MASKS.every((mask, k) => {
      if (resultsAlone && k > 0) return true;
      const [a, b] = [indexOf(x[k]), indexOf(y[k])];
      if (a < 0 || b < 0 || (mayShare && k > 0 && a === b)) return true;
      return (a & mask) !== (b & mask);
    });
  }

  private replace({ x, y, opcode }: Pair): void {
    const { fn, builder, editor } = this;
    const [a, b] = [this.explicit(x), this.explicit(y)];
    const operands = [a[0], b[0], ...a.slice(1), ...b.slice(1)].map((o) => operandOf(fn, o));
    const more = [x, y].flatMap((i) => {
      const n = fn.tables.opcodeNumOperands(fn.opcode[i]);
      return Array.from({ length: fn.numOperands(i) - n }, (_, k) => operandOf(fn, fn.opBegin[i] + n + k));
    });
    const made = builder.build(x, x, opcode, operands, more);
    fn.instrFlags[made] = fn.instrFlags[x] | fn.instrFlags[y];
    editor.erase(x);
    editor.erase(y);
  }
}
