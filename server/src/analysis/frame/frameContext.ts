/** A function on lists as those see it who save registers and give out slots of the stack: the passes around register allocation, and what will lay out the frame. */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { MachineFunction, OperandId } from '../../model/machineFunction.js';
import type { TargetTables } from '../../target/api.js';
import type { ReservedRegs } from '../reservedRegs.js';

export interface FrameContext {
  readonly fn: MachineFunction;
  readonly tables: TargetTables;
  readonly editor: FunctionEditor;
  readonly builder: InstrBuilder;
  readonly reserved: ReservedRegs;
  readonly options: {
    /** -amdgpu-spill-sgpr-to-vgpr */
    readonly spillsSGPRsToVGPRs: boolean;
  };
  /** Whether a virtual register holds values of lanes that are switched off, too. */
  isWWM(v: number): boolean;
  /** Operands that say what a call preserves, those of instructions that are gone included. */
  maskOperands(): readonly OperandId[];
}
