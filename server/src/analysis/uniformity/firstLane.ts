/** What would be uniform if a register's readers took the value of its first lane: the function with a V_READFIRSTLANE_B32 after its definition, judged anew. */
import { FunctionEditor, regOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { OpFlag, type BlockId } from '../../model/machineFunction.js';
import { virtReg } from '../../model/register.js';
import { opcodeTraits, OpcodeTrait } from '../opcodeTraits.js';
import { LaneValues } from './laneValues.js';

export interface FirstLaneEffect {
  /** registers that are divergent now and uniform then, the one that is read not among them, ascending */
  readonly registers: readonly number[];
  /** blocks whose branch is divergent now and uniform then, ascending */
  readonly branches: readonly BlockId[];
  /** of the changed function; what was there keeps its number */
  readonly lanes: LaneValues;
}

/**
 * Null for a register without a single definition. What is judged need not be a function that llc takes: readers get the scalar register itself,
 * as if each took one, and a wide register is read by one instruction. O(size of the function)
 */
export function readingFirstLane({ fn, uniformity }: LaneValues, v: number): FirstLaneEffect | null {
  const def = uniformity.uniqueDef(v);
  if (def < 0) return null;
  const work = fn.clone();
  const editor = new FunctionEditor(work);
  const readers = [...editor.operandsOf(virtReg(v))].filter((o) => !editor.isDef(o));
  const scalar = work.vregs.add(-1, null);
  work.vregs.regClass[scalar] = fn.tables.regClassByName('sreg_32');
  const traits = opcodeTraits(fn.tables);
  const isPhi = (i: number): boolean => i >= 0 && (traits[work.opcode[i]] & OpcodeTrait.Phi) !== 0;
  let at = editor.list.after(def);
  while (isPhi(at)) at = editor.list.after(at);
  new InstrBuilder(editor).build(at, NO_LOCATION, fn.tables.opcodeByName('V_READFIRSTLANE_B32'), [
    regOperand(virtReg(scalar), OpFlag.Def),
    regOperand(virtReg(v)),
  ]);
  for (const o of readers) {
    editor.setReg(o, virtReg(scalar));
    work.opSub[o] = 0;
  }
  const lanes = new LaneValues(editor.finish());
  const after = lanes.uniformity;
  const lost = (now: Uint8Array, then: Uint8Array): number[] =>
    Array.from(now.keys()).filter((k) => now[k] === 1 && then[k] === 0);
  return {
    registers: lost(uniformity.isDivergent, after.isDivergent).filter((r) => r !== v),
    branches: lost(uniformity.hasDivergentTerminator, after.hasDivergentTerminator).filter(
      (b) => fn.blocks[b].successors.length > 1,
    ),
    lanes,
  };
}
