/** Vector additions whose carry nobody reads. */
import { immOperand, regOperand, type NewOperand } from '../model/edit/functionEditor.js';
import type { InstrBuilder } from '../model/edit/instrBuilder.js';
import type { ListPos } from '../model/edit/instrList.js';
import { OpFlag, type InstrId } from '../model/machineFunction.js';
import { virtRegIndex, type Reg } from '../model/register.js';

/**
 * `sum` = `a` + `b` before `at`. Where the target cannot add without a carry, that goes to a register of its own.
 * @llvm SIInstrInfo.cpp SIInstrInfo::getAddNoCarry
 */
export function addNoCarry(
  builder: InstrBuilder,
  { at, like }: { readonly at: ListPos; readonly like: InstrId },
  sum: Reg,
  [a, b]: readonly [NewOperand, NewOperand],
): InstrId {
  const { fn } = builder;
  const { tables, subtarget } = fn;
  const results = [regOperand(sum, OpFlag.Def)];
  const isPlain = subtarget.hasFeature('add-no-carry-insts');
  if (!isPlain) {
    const isWave32 = subtarget.wavefrontSize === 32;
    const carry = builder.newVReg(tables.regClassByName(isWave32 ? 'sreg_32' : 'sreg_64'));
    fn.vregs.hint[virtRegIndex(carry)] = tables.regByName(isWave32 ? 'vcc_lo' : 'vcc');
    results.push(regOperand(carry, OpFlag.Def | OpFlag.Dead));
  }
  const opcode = tables.opcodeByName(isPlain ? 'V_ADD_U32_e64' : 'V_ADD_CO_U32_e64');
  return builder.build(at, like, opcode, [...results, a, b, immOperand(0)]);
}
