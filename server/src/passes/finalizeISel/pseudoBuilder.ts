/** What expansions of selected code build instructions with. */
import { regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, type InstrId } from '../../model/machineFunction.js';
import { NO_REG, type Reg } from '../../model/register.js';
import type { TargetTables } from '../../target/api.js';
import type { Builder } from '../fixSgprCopies/builder.js';
import { RegisterFacts } from '../registerFacts.js';

/** New instructions by their names. */
export class PseudoBuilder extends InstrBuilder implements Builder {
  readonly tables: TargetTables;
  readonly facts: RegisterFacts;

  constructor(editor: FunctionEditor) {
    super(editor);
    this.tables = editor.fn.tables;
    this.facts = new RegisterFacts(editor.fn);
  }

  get implicitExec(): NewOperand {
    return regOperand(this.tables.regByName('exec'), OpFlag.Implicit);
  }

  readFirstLane(at: InstrId, to: Reg, from: Reg, sub: number, flags = 0): InstrId {
    return this.emit(at, 'V_READFIRSTLANE_B32', to, regOperand(from, flags, sub));
  }

  /** An instruction before `i`, with its location; `to`: NO_REG = it defines nothing */
  emit(i: InstrId, name: string, to: Reg, ...operands: NewOperand[]): InstrId {
    return this.emitAt(i, i, name, to, ...operands);
  }

  /** The same before `at`, with the location of `i`. */
  emitAt(at: ListPos, i: InstrId, name: string, to: Reg, ...operands: NewOperand[]): InstrId {
    const result = to === NO_REG ? [] : [regOperand(to, OpFlag.Def)];
    return this.build(at, i, this.tables.opcodeByName(name), [...result, ...operands]);
  }
}
