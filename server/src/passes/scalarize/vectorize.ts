/**
 * The other direction: scalar values that the VALU could hold and compute instead where SGPRs spill. The instruction and its scalar readers move as in si-fix-sgpr-copies
 * (ValuMover); what is asked here is that the lanes that read the value are among those that compute it, and that who reads SCC of what moves goes with it.
 */
import { PressureSummary } from '../../analysis/summary.js';
import { ExecChange, execChanges } from '../../analysis/uniformity/execChanges.js';
import { execRegions, type ExecRegion } from '../../analysis/uniformity/execRegions.js';
import { LaneValue, LaneValues } from '../../analysis/uniformity/laneValues.js';
import { FunctionEditor, operandOf, regOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { OperandKind, OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, virtRegIndex } from '../../model/register.js';
import { isSALU, McFlag } from '../../target/index.js';
import { opcodesOf, ValuMover } from '../fixSgprCopies/moveToVALU.js';
import { RegisterFacts, Unmodelled } from '../registerFacts.js';

/** Functions that are made and measured for one search. */
const MAX_TRIED = 60;

/** A function whose scalar registers are asked about, with what each question needs. */
class Source {
  readonly lanes: LaneValues;
  private readonly scc: number;
  private readonly vcc: number;
  private readonly place: Int32Array;
  /** regions with fewer lanes; null where EXEC is written in another way than by pseudos of control flow */
  private readonly regions: readonly ExecRegion[] | null;

  constructor(readonly fn: MachineFunction) {
    this.lanes = new LaneValues(fn);
    this.scc = fn.tables.regByName('scc');
    this.vcc = fn.tables.regByName('vcc');
    this.place = new Int32Array(fn.nInstrs).fill(-1);
    for (let p = 0; p < fn.blockEnd[fn.blocks.length - 1]; p++) this.place[fn.order[p]] = p;
    const changes = fn.blocks.flatMap((_, b) => execChanges(this.lanes, b));
    const isPlain = changes.every(([i]) => CONTROL_FLOW.test(fn.tables.opcodeName(fn.opcode[i])));
    const regions = isPlain ? execRegions(this.lanes) : [];
    const ends = new Set(regions.flatMap((r) => r.ends));
    const isClosed = changes.every(([i, change]) => change !== ExecChange.Restored || ends.has(i));
    this.regions = isPlain && isClosed ? regions : null;
  }

  /** The function with a scalar register computed by the VALU, with all scalar instructions that read it; null where it has to stay. The function stays as it is. */
  moved(v: number): MachineFunction | null {
    const { fn, lanes } = this;
    const { tables } = fn;
    const def = lanes.uniformity.uniqueDef(v);
    const rc = fn.vregs.regClass[v];
    if (this.regions === null || def < 0 || rc < 0 || !tables.isSGPRClass(rc) || tables.regClassBits[rc] > 64)
      return null;
    if (lanes.atDef(v) === LaneValue.LaneMask || !isSALU(tables, fn.opcode[def])) return null;
    const work = fn.clone();
    const editor = new FunctionEditor(work);
    try {
      new ValuMover(editor, new RegisterFacts(work), opcodesOf(work.tables)).move([def]);
    } catch (error) {
      if (!(error instanceof Unmodelled)) throw error;
      return null;
    }
    if (work.subtarget.wavefrontSize === 32) spellCarries(editor);
    const made = editor.finish();
    if (made.blocks.length !== fn.blocks.length || firstLanes(made) > firstLanes(fn)) return null;
    const stands = new Set(laidOut(made));
    const gone = new Set(laidOut(fn).filter((i) => !stands.has(i)));
    for (const i of gone) if (!this.canMove(i, gone)) return null;
    const old = new Set(laidOut(fn));
    if (this.mentionsVCC(made, (i) => !old.has(i)) && this.mentionsVCC(fn, (i) => !gone.has(i))) return null;
    return made;
  }

  /** Carries of the VALU go through VCC, where nobody else may keep something. */
  private mentionsVCC(fn: MachineFunction, isAsked: (i: InstrId) => boolean): boolean {
    return laidOut(fn).some((i) => {
      for (let o = fn.firstReg(i); isAsked(i) && o >= 0; o = fn.nextReg(i, o))
        if (fn.opVal[o] > 0 && fn.tables.regsOverlap(fn.opVal[o], this.vcc)) return true;
      return false;
    });
  }

  /** Whether an instruction may go to the VALU together with all of `gone`. */
  private canMove(i: InstrId, gone: ReadonlySet<InstrId>): boolean {
    const { fn } = this;
    const { tables } = fn;
    const name = tables.opcodeName(fn.opcode[i]);
    if ((tables.opcodeFlagsLo(fn.opcode[i]) & (1 << McFlag.Terminator)) !== 0) return false;
    // The pass takes these for masks of lanes, which a number is not.
    if (name === 'S_CSELECT_B64' || (name === 'S_CSELECT_B32' && fn.opVal[fn.opBegin[i] + 1] === -1)) return false;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] !== OperandKind.Register) continue;
      const isDef = (fn.opFlags[o] & OpFlag.Def) !== 0;
      if (fn.opVal[o] === this.scc) {
        const isQuiet = isDef ? (fn.opFlags[o] & OpFlag.Dead) !== 0 || this.sccStays(i, gone) : this.sccComes(i, gone);
        if (!isQuiet) return false;
      } else if (isDef && isVirtualReg(fn.opVal[o]) && !this.reachesReaders(i, virtRegIndex(fn.opVal[o]))) return false;
    }
    return true;
  }

  /** Whether all that reads the SCC of an instruction goes with it. */
  private sccStays(i: InstrId, gone: ReadonlySet<InstrId>): boolean {
    const { fn } = this;
    const block = fn.instrBlock[i];
    for (let p = this.place[i] + 1; p < fn.blockEnd[block]; p++) {
      const j = fn.order[p];
      const { reads, writes } = this.sccOf(j);
      if (reads && !gone.has(j)) return false;
      if (writes) return true;
    }
    return fn.blocks[block].successors.every((s) => fn.blocks[s].liveIns.every((l) => l.reg !== this.scc));
  }

  /** Whether the SCC that an instruction reads is written by one that goes with it. */
  private sccComes(i: InstrId, gone: ReadonlySet<InstrId>): boolean {
    const { fn } = this;
    for (let p = this.place[i] - 1; p >= fn.blockBegin[fn.instrBlock[i]]; p--)
      if (this.sccOf(fn.order[p]).writes) return gone.has(fn.order[p]);
    return false;
  }

  private sccOf(i: InstrId): { readonly reads: boolean; readonly writes: boolean } {
    const { fn } = this;
    let [reads, writes] = [false, false];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== this.scc) continue;
      if ((fn.opFlags[o] & OpFlag.Def) !== 0) writes = true;
      else reads = true;
    }
    return { reads, writes };
  }

  /**
   * Whether all lanes that run at a reader of `v` ran at its definition: each region with fewer lanes around the definition is around the reader, too, and the reader
   * stands after no cycle that lanes leave at different times. A PHI takes what each lane brings: none may be there where lanes are switched off.
   */
  private reachesReaders(def: InstrId, v: number): boolean {
    const { fn, lanes } = this;
    if (this.regions === null) return false;
    if (this.regions.length === 0) return true;
    const around = this.regions.filter((r) => isInside(r, this.place[def]));
    const { cycles } = lanes.uniformity;
    for (const user of lanes.uniformity.usersOf(v)) {
      const block = fn.instrBlock[user];
      if (fn.tables.opcodeName(fn.opcode[user]) === 'PHI') return false;
      if (!around.every((r) => isInside(r, this.place[user]))) return false;
      if (lanes.uniformity.temporalCycle(def, block) >= 0) return false;
      for (let c = cycles.cycleOf[fn.instrBlock[def]]; c >= 0 && !cycles.contains(c, block); c = cycles.parent[c])
        if (cycles.blocks[c].some((b) => execChanges(lanes, b).length > 0)) return false;
    }
    return true;
  }
}

/**
 * Sums that the pass leaves with their carry in VCC get a mask register for it: of wave32 llc prints `$vcc_lo` and reads `$vcc` only, so that the text could not be read back.
 */
function spellCarries(editor: FunctionEditor): void {
  const { fn } = editor;
  const builder = new InstrBuilder(editor);
  const { tables } = fn;
  const maskClass = tables.regClassByName('sreg_32_xm0_xexec');
  for (let b = 0; b < fn.blocks.length; b++) {
    let carry = -1;
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      const name = tables.opcodeName(fn.opcode[i]);
      if (!/^V_(?:(?:ADD|SUB|SUBREV)_CO|ADDC|SUBB|SUBBREV)_U32_e32$/.test(name)) continue;
      const operands = [0, 1, 2].map((k) => operandOf(fn, fn.opBegin[i] + k));
      const mask = fn.vregs.add(-1, null);
      fn.vregs.regClass[mask] = maskClass;
      const readsCarry = /^V_(?:ADDC|SUBB)/.test(name);
      let flags: number = OpFlag.Def;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if (!isVirtualReg(fn.opVal[o]) && (fn.opFlags[o] & OpFlag.Def) !== 0) flags |= fn.opFlags[o] & OpFlag.Dead;
      i = builder.replace(i, tables.opcodeByName(name.replace('_e32', '_e64')), [
        operands[0],
        regOperand(virtReg(mask), flags),
        operands[1],
        operands[2],
        ...(readsCarry ? [regOperand(virtReg(carry), OpFlag.Kill)] : []),
        { kind: OperandKind.Immediate, val: 0 },
      ]);
      carry = mask;
    }
  }
}

const CONTROL_FLOW = /^SI_(?:IF|ELSE|LOOP|END_CF|IF_BREAK)$/;

const isInside = ({ spans }: ExecRegion, place: number): boolean =>
  spans.some(([from, to]) => from <= place && place < to);

/** The function with a scalar register of at most 64 bits computed by the VALU; null where it has to stay. */
export const moveToVector = (fn: MachineFunction, v: number): MachineFunction | null => new Source(fn).moved(v);

const laidOut = (fn: MachineFunction): InstrId[] =>
  fn.blocks.flatMap((_, b) => [...fn.order.subarray(fn.blockBegin[b], fn.blockEnd[b])]);

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
    const source = new Source(best.fn);
    for (let v = 0; v < summary.fn.vregs.n && tried < MAX_TRIED; v++) {
      if ((only >= 0 && v !== only) || vregs.includes(v)) continue;
      const made = source.moved(v);
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
