/** New instructions: what their opcodes have by themselves, and what is no instruction. llc reads what is built. */
import assert from 'node:assert/strict';
import { FunctionEditor, regOperand, type NewOperand } from '../../../server/src/model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../../server/src/model/edit/instrBuilder.js';
import { OpFlag, OperandKind } from '../../../server/src/model/machineFunction.js';
import { printFunctionDocument } from '../../../server/src/model/printer/functionPrinter.js';
import { printInstr } from '../../../server/src/model/printer/instrPrinter.js';
import { McFlag } from '../../../server/src/target/api.js';
import { OperandType } from '../../../server/src/target/opcodes.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir, mirFunction } from '../../support/mir.js';

const TEXT = mirFunction('f', '\n  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    S_ENDPGM 0');
const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val });

function builderFor(cpu: string, halvesVCC = false): InstrBuilder {
  return new InstrBuilder(new FunctionEditor(lowerMir(TEXT, { cpu })[0]!), halvesVCC);
}

/** The instruction as it is printed. */
function built(
  cpu: string,
  name: string,
  operands: (b: InstrBuilder) => readonly NewOperand[],
  halvesVCC = false,
): string {
  const builder = builderFor(cpu, halvesVCC);
  const { fn, editor } = builder;
  const i = builder.build(editor.list.first(0), NO_LOCATION, fn.tables.opcodeByName(name), operands(builder));
  return printInstr(editor.finish(), i);
}

describe('building instructions', () => {
  const reg = (b: InstrBuilder, rc: string, flags = 0): NewOperand =>
    regOperand(b.newVReg(b.fn.tables.regClassByName(rc)), flags);
  const add = (b: InstrBuilder): NewOperand[] => [reg(b, 'vgpr_32', OpFlag.Def), imm(1), reg(b, 'vgpr_32')];

  it('has the implicit operands of the opcode, definitions first', () => {
    assert.match(
      built('gfx900', 'V_ADDC_U32_e32', add),
      /1, %2:vgpr_32, implicit-def \$vcc, implicit \$vcc, implicit \$exec$/,
    );
    // In wave32 as si-wqm prints it, and as si-fix-sgpr-copies does.
    assert.match(built('gfx1030', 'V_ADDC_U32_e32', add), /implicit-def \$vcc, implicit \$vcc, implicit \$exec$/);
    assert.match(
      built('gfx1030', 'V_ADDC_U32_e32', add, true),
      /implicit-def \$vcc_lo, implicit \$vcc_lo, implicit \$exec$/,
    );
    assert.match(
      built('gfx900', 'COPY', (b) => [reg(b, 'vgpr_32', OpFlag.Def), reg(b, 'vgpr_32')]),
      /= COPY %2:vgpr_32$/,
    );
  });

  it('takes what is given for that of the opcode, other registers after it', () => {
    const given = (b: InstrBuilder): NewOperand[] => {
      const [scc, m0] = ['scc', 'm0'].map((name) => b.fn.tables.regByName(name)) as [number, number];
      const others = [regOperand(m0, OpFlag.Implicit), regOperand(scc, OpFlag.Implicit | OpFlag.Def | OpFlag.Dead)];
      return [reg(b, 'sreg_32', OpFlag.Def), imm(1), imm(2), ...others];
    };
    assert.match(built('gfx900', 'S_ADD_U32', given), /1, 2, implicit-def dead \$scc, implicit \$m0$/);
  });

  it('refuses what is no instruction', () => {
    const fails = (name: string, operands: (b: InstrBuilder) => readonly NewOperand[], message: RegExp): void =>
      void assert.throws(() => built('gfx900', name, operands), message);
    fails('S_NOP', () => [], /S_NOP has 1 operands, not 0/);
    fails('S_NOP', () => [imm(0), imm(0)], /not 2/);
    fails('S_NOP', (b) => [reg(b, 'sreg_32')], /operand 0 of S_NOP is a register/);
    fails('S_MOV_B32', (b) => [reg(b, 'sreg_32'), imm(0)], /operand 0 of S_MOV_B32 is a definition/);
    fails('S_MOV_B32', (b) => [reg(b, 'sreg_32', OpFlag.Def), reg(b, 'sreg_32', OpFlag.Def)], /is no definition/);
    fails('REG_SEQUENCE', () => [], /REG_SEQUENCE has 2 operands, not 0/);
  });

  for (const cpu of ['gfx900', 'gfx1030', 'gfx1250'])
    it(`llc reads every instruction that has operands of a class or a number: ${cpu}`, function () {
      needsLlc(this);
      const builder = builderFor(cpu);
      const { fn, editor } = builder;
      const { tables, subtarget } = fn;
      let n = 0;
      for (let opcode = 0; opcode < tables.nOpcodes; opcode++) {
        // Of machine code there are no instructions, and in wave32 llc does not read what it prints of VCC.
        if (subtarget.mcOpcode(opcode) < 0 || subtarget.mcOpcode(opcode) === opcode) continue;
        // Their tables lack operands that LLVM adds by hand.
        if (/MOVREL|SWAPREL/.test(tables.opcodeName(opcode))) continue;
        const implicit = [...tables.implicitDefs(opcode), ...tables.implicitUses(opcode)];
        const isHalf = subtarget.wavefrontSize === 32 && implicit.includes(tables.regByName('vcc'));
        if (isHalf || (tables.opcodeFlagsLo(opcode) & (1 << McFlag.Variadic)) !== 0) continue;
        const begin = tables.opInfoBegin(opcode);
        const operands = Array.from({ length: tables.opcodeNumOperands(opcode) }, (_, k): NewOperand | null => {
          const rc = subtarget.opInfoRegClass(opcode, k);
          if (rc >= 0 && tables.isAllocatableClass(rc))
            return regOperand(builder.newVReg(rc), k < tables.opcodeNumDefs(opcode) ? OpFlag.Def : OpFlag.Undef);
          return tables.opInfoType[begin + k] === OperandType.Immediate ? imm(0) : null;
        });
        if (operands.includes(null)) continue;
        const i = builder.build(editor.list.first(0), NO_LOCATION, opcode, operands as NewOperand[]);
        for (let k = 0; k < operands.length; k++) {
          const tied = tables.opInfoTiedTo[begin + k]!;
          if (tied >= 0) fn.tieOperands(i, tied, k);
        }
        n++;
      }
      assert.ok(n > 800, String(n));
      const complaints = (text: string): string[] => {
        const { stderr } = runLlc(['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-run-pass=none', '-x', 'mir', '-o', '-'], text); // prettier-ignore
        return stderr.match(/error: <stdin>.*|Bad machine code: .*(?:implicit|operands).*/g) ?? [];
      };
      const text = printFunctionDocument(editor.finish());
      assert.deepEqual(complaints(text), []);
      assert.notDeepEqual(complaints(text.replace(', implicit $exec', '')), []);
    });
});
