/** What puts a value with several definitions into SSA form again: PHIs where they meet. */
import type { FunctionEditor } from '../model/edit/functionEditor.js';
import { regOperand } from '../model/edit/functionEditor.js';
import { NO_LOCATION, type InstrBuilder } from '../model/edit/instrBuilder.js';
import type { ListPos } from '../model/edit/instrList.js';
import { OpFlag, OperandKind, type BlockId, type MachineFunction } from '../model/machineFunction.js';
import type { Reg } from '../model/register.js';
import type { RegClassId } from '../target/api.js';

export abstract class ValuePlacer {
  protected readonly fn: MachineFunction;
  protected readonly editor: FunctionEditor;
  private readonly phi: number;
  private readonly implicitDef: number;
  protected rc: RegClassId = -1;
  /** by block, the value at its end */
  protected readonly values = new Map<BlockId, Reg>();

  constructor(protected readonly builder: InstrBuilder) {
    this.fn = builder.fn;
    this.editor = builder.editor;
    const { tables } = this.fn;
    this.phi = tables.opcodeByName('PHI');
    this.implicitDef = tables.opcodeByName('IMPLICIT_DEF');
  }

  /** Another value, whose registers have this class. */
  start(rc: RegClassId): void {
    this.rc = rc;
    this.values.clear();
  }

  /** `reg` is the value at the end of a block. */
  provide(b: BlockId, reg: Reg): void {
    this.values.set(b, reg);
  }

  /** All definitions are provided; these blocks will be asked for. */
  abstract settle(asked: readonly BlockId[]): void;

  /** The value where a block begins, whatever it defines itself. */
  abstract inMiddleOf(b: BlockId): Reg;

  protected undefinedAt(at: ListPos): Reg {
    const reg = this.builder.newVReg(this.rc);
    this.builder.build(at, NO_LOCATION, this.implicitDef, [regOperand(reg, OpFlag.Def)]);
    return reg;
  }

  protected buildPhi(b: BlockId, reg: Reg, preds: readonly BlockId[], values: readonly Reg[]): void {
    const sources = preds.flatMap((p, k) => [regOperand(values[k]), { kind: OperandKind.MBB, val: p }]);
    this.builder.build(this.editor.list.first(b), NO_LOCATION, this.phi, [regOperand(reg, OpFlag.Def), ...sources]);
  }
}
