/** What the parts of si-fix-sgpr-copies share: building instructions, and what moving one asks of the mover of copies. */
import type { NewOperand } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { InstrId, OperandId } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import type { RegClassId, TargetTables } from '../../target/index.js';
import type { RegisterFacts } from '../registerFacts.js';
import type { MoveWorklist } from './worklist.js';

/** Building, and what is known of registers. */
export interface Builder extends InstrBuilder {
  readonly tables: TargetTables;
  readonly facts: RegisterFacts;
  readonly implicitExec: NewOperand;
  readFirstLane(at: InstrId, to: Reg, from: Reg, sub: number, flags?: number): InstrId;
}

export interface Legalizer {
  /** Gives an instruction operands that it can read. */
  legalize(i: InstrId): void;
  /** Makes sources of 16 bits and of 32 what the instruction wants, on processors with 16-bit registers. */
  legalizeHalves(i: InstrId): void;
}

/** What moving an instruction takes from the mover of copies. */
export interface Mover extends Builder {
  readonly legalizer: Legalizer;
  addUsers(reg: Reg, worklist: MoveWorklist): void;
  /** Operand `o` of `i` gets the class `rc`, through a copy in front where it has another one. */
  intoClass(i: InstrId, rc: RegClassId, o: OperandId): void;
}
