/** `gcn-create-vopd`: two neighbouring instructions of the VALU become one with two halves (GCNCreateVOPD, LLVM 22; docs/llvm/late-passes.md, 9). */
import {
  immOperand,
  operandOf,
  regOperand,
  type FunctionEditor,
  type NewOperand,
} from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { InstrId, MachineFunction, OperandId } from '../../model/machineFunction.js';
import { Generation, type Opcode } from '../../target/api.js';
import { InstrQueries } from '../instrQueries.js';
import { isDebugInstr } from '../instrOrder.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import type { Remarks } from '../remarks.js';
import { VopdPairs, type VopdPair } from '../vopdPairs.js';

/** @llvm GCNCreateVOPD.cpp GCNCreateVOPDLegacy */
export const createVOPDPass: MachinePass = {
  name: 'gcn-create-vopd',
  pipelineName: 'gcn-create-vopd',
  className: 'GCNCreateVOPDPass',
  title: 'GCN Create VOPD Instructions',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (state.fn.isOptNone) return;
    new VOPDCreation(state.editor(), state.remarks).run();
  },
};

/** What the second half of a pair with three sources does with bits, by the instruction (BitOp2). */
const BIT_OPERATIONS: Readonly<Record<string, number>> = { AND: 0x40, OR: 0x54, XOR: 0x14, XNOR: 0x41 };
const BITS = /^V_(AND|OR|XOR|XNOR|BITOP3)_B32_e(?:32|64)$/;

/** What an instruction is as a half of the shorter form, without `V_`. */
const shortHalf = (name: string): string =>
  /^V_DOT2_F32_B?F16$/.test(name) ? `${name.slice(2).replace('DOT2_', 'DOT2C_')}_e32` : name.slice(2);

/** The same of the form with three sources. */
const longHalf = (name: string): string =>
  BITS.test(name)
    ? 'BITOP2_B32_e64'
    : name.startsWith('V_FMA_F')
      ? name.slice(2)
      : name.slice(2).replace(/_e64$/, '_e32');

class VOPDCreation {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly pairs: VopdPairs;
  private readonly builder: InstrBuilder;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly remarks: Remarks | null,
  ) {
    this.fn = editor.fn;
    this.queries = new InstrQueries(editor.fn);
    this.pairs = new VopdPairs(editor.fn);
    this.builder = new InstrBuilder(editor, true);
  }

  /** @llvm GCNCreateVOPD.cpp GCNCreateVOPD */
  run(): void {
    const { fn, editor } = this;
    if (!this.pairs.isPossible) return;
    const found: VopdPair[] = [];
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i: number = editor.list.first(b); i >= 0;) {
        let next = editor.list.after(i);
        while (next >= 0 && isDebugInstr(fn, next)) next = editor.list.after(next);
        const pair = next < 0 || isDebugInstr(fn, i) ? null : this.pairs.pairing(i, next);
        if (pair !== null) {
          found.push(pair);
          next = editor.list.after(next);
        } else if (this.remarks !== null && next >= 0 && this.areCandidates(i, next))
          this.remarks.add({ kind: 'note', at: next, rule: this.pairs.why, other: i });
        i = next;
      }
    for (const pair of found) this.replace(pair);
  }

  private areCandidates(i: InstrId, next: InstrId): boolean {
    return this.pairs.isCandidate(i) && this.pairs.isCandidate(next);
  }

  private opcodeOf({ x, y, isVOPD3 }: VopdPair): Opcode {
    const { subtarget, tables } = this.fn;
    const [a, b] = [x, y].map((i) => (isVOPD3 ? longHalf : shortHalf)(this.queries.name(i)));
    const isGFX1250 = subtarget.hasFeature('gfx1250-insts');
    const family = isGFX1250 ? 'gfx1250' : subtarget.generation >= Generation.GFX12 ? 'gfx12' : 'gfx11';
    return tables.opcodeByName(`V_DUAL_${a!}_X_${b!}${isVOPD3 ? '_e96' : ''}_${family}`);
  }

  private replace(pair: VopdPair): void {
    const { fn, builder, editor, queries } = this;
    const { x, y } = pair;
    const opcode = this.opcodeOf(pair);
    const operands = pair.isVOPD3 ? this.operandsByName(opcode, pair) : this.operandsInOrder(pair);
    const more = [x, y].flatMap((i) => {
      const n = fn.tables.opcodeNumOperands(fn.opcode[i]);
      return Array.from({ length: fn.numOperands(i) - n }, (_, k) => operandOf(fn, fn.opBegin[i] + n + k));
    });
    const made = builder.build(x, x, opcode, operands, more);
    for (const half of [x, y]) this.remarks?.add({ kind: 'note', at: made, rule: 'paired', other: half });
    fn.instrFlags[made] = fn.instrFlags[x] | fn.instrFlags[y];
    // LLVM leaves out what such a half does with bits.
    if (pair.isVOPD3 && queries.name(y) === 'V_AND_B32_e64')
      editor.withoutOperands(made, new Set([fn.tables.opcodeNumOperands(opcode) - 1]));
    editor.erase(x);
    editor.erase(y);
  }

  /** Both results, then the sources of one and the other. */
  private operandsInOrder({ x, y }: VopdPair): NewOperand[] {
    const { fn } = this;
    const [a, b] = [this.explicit(x), this.explicit(y)];
    return [a[0], b[0], ...a.slice(1), ...b.slice(1)].map((o) => operandOf(fn, o));
  }

  private explicit(i: InstrId): OperandId[] {
    const { fn, queries } = this;
    if (queries.named(i, 'src0_modifiers') >= 0)
      return ['vdst', 'src0', 'src1', 'src2'].map((name) => queries.named(i, name));
    const n = fn.tables.opcodeNumOperands(fn.opcode[i]);
    return Array.from({ length: n }, (_, k) => fn.opBegin[i] + k);
  }

  /** With the signs of the sources between them, and what is done with bits at the end. */
  private operandsByName(opcode: Opcode, { x, y }: VopdPair): NewOperand[] {
    const { fn } = this;
    const { tables } = fn;
    return Array.from({ length: tables.opcodeNumOperands(opcode) }, (_, k) => {
      const name = tables.operandName(opcode, k).replace(/^vsrc/, 'src');
      if (name === 'bitop3') return this.bitOperation(y);
      const [, part = '', half = '', modifiers = ''] = /^(vdst|src\d)([XY])(_modifiers)?$/.exec(name) ?? [];
      return this.named(half === 'X' ? x : y, part, modifiers);
    });
  }

  private named(i: InstrId, part: string, modifiers: string): NewOperand {
    const { fn, queries } = this;
    const o = queries.named(i, part + modifiers);
    if (o >= 0) return operandOf(fn, o);
    // A mask that the shorter form reads by itself.
    return modifiers === '' ? regOperand(fn.tables.regByName('vcc_lo')) : immOperand(0);
  }

  private bitOperation(i: InstrId): NewOperand {
    const { queries, fn } = this;
    const o = queries.named(i, 'bitop3');
    const [, operation = ''] = BITS.exec(queries.name(i)) ?? [];
    return o >= 0 ? operandOf(fn, o) : immOperand(BIT_OPERATIONS[operation]!);
  }
}
