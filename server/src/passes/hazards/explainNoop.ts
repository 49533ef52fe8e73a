/** Which hazard no-ops stand for: the rules of the hazard recognizer asked about the instruction after them, as if they were not there. For readers. */
import { FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import { HazardInstrs } from './hazardInstrs.js';
import { NoopRules } from './noopRules.js';

export interface ExplainedNoop {
  /** wait states of the no-ops in a row of which the instruction is one */
  readonly states: number;
  /** the instruction after them */
  readonly reader: InstrId;
  /** wait states that `reader` needs there; 0 = no rule of this processor asks for any */
  readonly needed: number;
  /** what it has to be away from; empty where the rule is about a row of instructions */
  readonly causes: readonly NoopCause[];
}

export interface NoopCause {
  readonly instr: InstrId;
  /** the register that both have; 0 = none */
  readonly reg: PhysReg;
  readonly isWritten: boolean;
  readonly isRead: boolean;
}

/** No rule looks back over more. */
const MAX_BEFORE = 32;

/** Instructions with no-ops that take no time, and one that no rule finds. */
class WithoutNoops extends HazardInstrs {
  hidden: InstrId = -1;
  readonly found = new Set<InstrId>();

  constructor(
    editor: FunctionEditor,
    private readonly noops: ReadonlySet<InstrId>,
  ) {
    super(editor);
  }

  override since(
    from: InstrId,
    isHazard: (i: InstrId) => boolean,
    isExpired: (i: InstrId, states: number) => boolean,
    statesOf: (i: InstrId) => number = this.waitStates,
  ): number {
    const isFound = (i: InstrId): boolean => {
      if (i === this.hidden || !isHazard(i)) return false;
      this.found.add(i);
      return true;
    };
    return super.since(from, isFound, isExpired, (i) => (this.noops.has(i) ? 0 : statesOf(i)));
  }
}

/** Null where `i` is no no-op of a function with allocated registers, or nothing comes after it in its block. O(function) */
export function explainNoop(fn: MachineFunction, i: InstrId): ExplainedNoop | null {
  const nop = fn.tables.opcodeByName('S_NOP');
  if (!fn.tables.isAMDGCN || fn.opcode[i] !== nop || fn.vregs.n > 0) return null;
  const { order, blockBegin, blockEnd } = fn;
  const b = fn.instrBlock[i]!;
  const instrs = new HazardInstrs(new FunctionEditor(fn.clone()));
  const isIdle = (k: InstrId): boolean => fn.opcode[k] === nop || instrs.waitStates(k) === 0;
  let [from, to] = [order.indexOf(i, blockBegin[b]), order.indexOf(i, blockBegin[b]) + 1];
  while (from > blockBegin[b]! && isIdle(order[from - 1]!)) from--;
  while (to < blockEnd[b]! && isIdle(order[to]!)) to++;
  // Of a bundle, what is in it.
  while (to < blockEnd[b]! && instrs.isBundle(order[to]!)) to++;
  if (to >= blockEnd[b]!) return null;
  const reader = order[to]!;
  const noops = new Set(Array.from(order.subarray(from, to)).filter((k) => fn.opcode[k] === nop));
  const own = new WithoutNoops(instrs.editor, noops);
  const rules = new NoopRules(own, 0);
  const issued = issuedBefore(fn, own, from);
  const needOf = (): number => Math.max(0, rules.before(reader, issued));
  const needed = needOf();
  const causes: NoopCause[] = [];
  for (const k of needed > 0 ? [...own.found] : []) {
    own.hidden = k;
    if (needOf() < needed) causes.push({ instr: k, ...shared(own, k, reader) });
  }
  let states = 0;
  for (const k of noops) states += instrs.waitStates(k);
  return { states, reader, needed, causes };
}

/** What was issued before place `p` of a block, the last one first. */
function issuedBefore(fn: MachineFunction, instrs: HazardInstrs, p: number): (InstrId | null)[] {
  const issued: (InstrId | null)[] = [];
  const first = fn.blockBegin[fn.instrBlock[fn.order[p]!]!]!;
  for (let q = p - 1; q >= first && issued.length < MAX_BEFORE; q--) {
    const k = fn.order[q]!;
    const states = instrs.isBundle(k) && (fn.bundle[k]! & BundleFlag.BundledSucc) !== 0 ? 0 : instrs.waitStates(k);
    for (let n = 1; n < states; n++) issued.push(null);
    if (states > 0) issued.push(k);
  }
  return issued;
}

/** The first register that one of them writes and both have, else one that the earlier one reads and the later one writes. */
function shared(instrs: HazardInstrs, k: InstrId, reader: InstrId): Omit<NoopCause, 'instr'> {
  const { fn } = instrs;
  const own = instrs.regOperands(reader).filter((o) => isPhysicalReg(fn.opVal[o]!));
  const find = (isDef: boolean): Omit<NoopCause, 'instr'> | null => {
    for (const o of instrs.regOperands(k)) {
      const reg = fn.opVal[o]!;
      if (instrs.isDef(o) !== isDef || !isPhysicalReg(reg)) continue;
      const both = own.filter((p) => instrs.overlaps(fn.opVal[p]!, reg));
      if (isDef ? both.length > 0 : both.some((p) => instrs.isDef(p)))
        return { reg, isWritten: both.some((p) => instrs.isDef(p)), isRead: both.some((p) => !instrs.isDef(p)) };
    }
    return null;
  };
  return find(true) ?? find(false) ?? { reg: 0 as PhysReg, isWritten: false, isRead: false };
}
