/**
 * The other direction: scalar values that the VALU could hold and compute instead where SGPRs spill. The instruction and its scalar readers move as in si-fix-sgpr-copies
 * (ValuMover); what is asked here is that no lane is switched on or off anywhere, so that the lanes that compute the value are those that read it, and that nothing reads SCC of what moves.
 */
import { PressureSummary } from '../../analysis/summary.js';
import { execChanges } from '../../analysis/uniformity/execChanges.js';
import { LaneValue, LaneValues } from '../../analysis/uniformity/laneValues.js';
import { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OperandKind, OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isSALU } from '../../target/index.js';
import { opcodesOf, ValuMover } from '../fixSgprCopies/moveToVALU.js';
import { RegisterFacts, Unmodelled } from '../fixSgprCopies/registerFacts.js';

/** Functions that are made and measured for one search. */
const MAX_TRIED = 60;

/** The function with a scalar register computed by the VALU, with all scalar instructions that read it; null where it has to stay. The function stays as it is. */
function moveToVector(fn: MachineFunction, v: number): MachineFunction | null {
  const lanes = new LaneValues(fn);
  const def = lanes.uniformity.uniqueDef(v);
  const rc = fn.vregs.regClass[v];
  if (def < 0 || rc < 0 || !fn.tables.isSGPRClass(rc) || fn.tables.regClassBits[rc] !== 32) return null;
  if (lanes.atDef(v) === LaneValue.LaneMask || !canMove(fn, def) || !isSALU(fn.tables, fn.opcode[def])) return null;
  if (fn.blocks.some((_, b) => execChanges(lanes, b).length > 0)) return null;
  const work = fn.clone();
  const editor = new FunctionEditor(work);
  try {
    new ValuMover(editor, new RegisterFacts(work), opcodesOf(work.tables)).move([def]);
  } catch (error) {
    if (!(error instanceof Unmodelled)) throw error;
    return null;
  }
  const made = editor.finish();
  const stands = new Set(laidOut(made));
  const isGood =
    made.blocks.length === fn.blocks.length &&
    laidOut(fn).every((i) => stands.has(i) || canMove(fn, i)) &&
    firstLanes(made) <= firstLanes(fn);
  return isGood ? made : null;
}

const laidOut = (fn: MachineFunction): InstrId[] =>
  fn.blocks.flatMap((_, b) => [...fn.order.subarray(fn.blockBegin[b], fn.blockEnd[b])]);

/** Nothing reads the SCC that the instruction writes, and it reads none. */
function canMove(fn: MachineFunction, i: InstrId): boolean {
  const scc = fn.tables.regByName('scc');
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
    if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] === scc)
      if ((fn.opFlags[o] & OpFlag.Def) === 0 || (fn.opFlags[o] & OpFlag.Dead) === 0) return false;
  return true;
}

function firstLanes(fn: MachineFunction): number {
  const opcode = fn.tables.opcodeByName('V_READFIRSTLANE_B32');
  return laidOut(fn).filter((i) => fn.opcode[i] === opcode).length;
}

interface VectorizeResult {
  readonly made: MachineFunction;
  readonly vregs: readonly number[];
}

/** SGPRs beyond what the function may use; 0 where they suffice. */
export const sgprExcess = (summary: PressureSummary): number =>
  summary.excess.reduce((sum, e) => (e.bank === 'SGPR' ? e.count - e.most : sum), 0);

const isWorse = (now: PressureSummary, before: PressureSummary): boolean =>
  now.occupancy.occupancy < before.occupancy.occupancy || now.excess.some((e) => e.bank === 'VGPR');

/**
 * A small set with which fewer SGPRs are too many, taking each time the register that helps most, until there are enough; null if none helps. Registers are tried in the order of
 * their definitions, 60 functions at most. `only`: this register alone
 */
export function searchVectorization(summary: PressureSummary, only = -1): VectorizeResult | null {
  let best = summary;
  const vregs: number[] = [];
  let tried = 0;
  for (let found = true; found && sgprExcess(best) > 0;) {
    found = false;
    let next = best;
    let chosen = -1;
    for (let v = 0; v < summary.fn.vregs.n && tried < MAX_TRIED; v++) {
      if ((only >= 0 && v !== only) || vregs.includes(v)) continue;
      const made = moveToVector(best.fn, v);
      if (made === null) continue;
      tried++;
      const now = new PressureSummary(made);
      if (sgprExcess(now) >= sgprExcess(next) || isWorse(now, summary)) continue;
      next = now;
      chosen = v;
    }
    if (chosen < 0) break;
    vregs.push(chosen);
    best = next;
    found = only < 0;
  }
  return vregs.length === 0 ? null : { made: best.fn, vregs };
}
