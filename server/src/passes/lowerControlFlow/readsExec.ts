/** Which instructions depend on the lanes that are active. */
import type { InstrId } from '../../model/machineFunction.js';
import { McFlag } from '../../target/api.js';
import { isSALU } from '../../target/opcodes.js';
import type { InstrQueries } from '../instrQueries.js';
import type { RegisterFacts } from '../registerFacts.js';

/**
 * Calls and what is no instruction of the target count as such that do.
 * @llvm SIInstrInfo.cpp SIInstrInfo::mayReadEXEC
 */
export function readsExec(queries: InstrQueries, facts: RegisterFacts, i: InstrId): boolean {
  const { fn } = queries;
  if (queries.isMeta(i)) return false;
  const exec = fn.tables.regByName('exec');
  const name = queries.name(i);
  if (name === 'COPY' || name === 'SUBREG_TO_REG') {
    const to = fn.opVal[fn.opBegin[i]];
    return !facts.isSGPR(to) || queries.reads(i, exec);
  }
  if (queries.has(i, McFlag.Call)) return true;
  return !isSALU(fn.tables, fn.opcode[i]) || queries.reads(i, exec);
}
