/** An instruction before the one above it, where no dependence says otherwise. */
import { OperandKind, OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { DepKind } from '../../passes/scheduler/dag/graph.js';
import { McFlag } from '../../target/index.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { instrOnLine } from '../snapshot/locate.js';
import type { Refactoring, RefactorPlace } from './refactoring.js';

/** Why not, where there is an instruction above that could stand below. */
export interface Obstacle {
  readonly title: string;
  readonly reason: string;
}

export function swapWithLineAbove(
  { snapshot, view, offset }: RefactorPlace,
  token: CancellationToken,
): Refactoring | Obstacle | null {
  const { fn } = view;
  const { text } = snapshot;
  const line = text.lineAt(offset);
  const i = instrOnLine(snapshot, view, text.positionAt(offset));
  const source = fn?.source;
  if (!fn || !source || i <= 0 || fn.instrBlock[i] !== fn.instrBlock[i - 1]) return null;
  const above = source.instrRange(i - 1);
  const own = source.instrRange(i);
  const isOneLine = (r: { start: number; end: number }, at: number): boolean =>
    text.lineAt(view.start + r.start) === at && text.lineAt(view.start + r.end) === at;
  if (!isOneLine(own, line) || !isOneLine(above, line - 1) || (fn.bundle[i]! | fn.bundle[i - 1]!) !== 0) return null;
  const state = view.dependencesOf(i, token);
  if (state.kind === 'ready' ? state.found === null : state.kind !== 'none') return null;
  const title = 'Swap with the line above';
  const found = state.kind === 'ready' ? state.found : null;
  // The graph of a region knows nothing of the boundary before it, such as a call.
  const stateAbove = found ? view.dependencesOf(i - 1, token) : null;
  const foundAbove = stateAbove?.kind === 'ready' ? stateAbove.found : null;
  // Edges after the real ones say what the scheduler prefers, such as loads side by side.
  const before =
    (found && found.region === foundAbove?.region
      ? found.predecessors.find((p) => p.instr === i - 1 && p.kind < DepKind.Artificial)
      : conflictOf(fn, i - 1, i)) ?? lostLanes(fn, i - 1, i);
  if (before) return { title, reason: reasonOf(before, fn) };
  const slice = (r: { start: number; end: number }): string => text.slice(view.start + r.start, view.start + r.end);
  return {
    title,
    keeps: 'errors',
    edits: [
      { start: view.start + above.start, end: view.start + above.end, text: slice(own) },
      { start: view.start + own.start, end: view.start + own.end, text: slice(above) },
    ],
  };
}

interface Conflict {
  readonly kind: DepKind;
  /** register, 0 = none */
  readonly reg: number;
}

/** In a function that has no graph, since llc rejects it: what the two instructions say themselves. O(operands squared) */
function conflictOf(fn: MachineFunction, above: InstrId, below: InstrId): Conflict | null {
  const { tables } = fn;
  const has = (i: InstrId, flag: McFlag): boolean => ((tables.opcodeFlagsLo(fn.opcode[i]!) >>> flag) & 1) !== 0;
  const isFixed = (i: InstrId): boolean =>
    FIXED.some((flag) => has(i, flag)) || isPHI(fn, i) || !eachReg(fn, i, () => undefined);
  const isOrdered =
    (has(above, McFlag.MayStore) && (has(below, McFlag.MayLoad) || has(below, McFlag.MayStore))) ||
    (has(above, McFlag.MayLoad) && has(below, McFlag.MayStore));
  if (isFixed(above) || isFixed(below) || isOrdered) return { kind: DepKind.Barrier, reg: 0 };
  let conflict: Conflict | null = null;
  eachReg(fn, below, (reg, isDef) =>
    eachReg(fn, above, (other, otherIsDef) => {
      const isSame = reg === other || (reg > 0 && other > 0 && tables.regsOverlap(reg, other));
      if (!isSame || !(isDef || otherIsDef)) return;
      const kind = isDef ? (otherIsDef ? DepKind.Output : DepKind.Anti) : DepKind.Data;
      if (conflict === null || kind < conflict.kind) conflict = { kind, reg };
    }),
  );
  return conflict;
}

/** Both write parts of one register, and `undef` at one says that the other lanes have no value: true of the first alone. */
function lostLanes(fn: MachineFunction, above: InstrId, below: InstrId): Conflict | null {
  const undefDef = OpFlag.Def | OpFlag.Undef;
  let lost: Conflict | null = null;
  for (const [i, other] of [
    [above, below],
    [below, above],
  ] as const)
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
      if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[o]! & undefDef) === undefDef)
        eachReg(fn, other, (reg, isDef) => {
          if (isDef && reg === fn.opVal[o]) lost = { kind: DepKind.Output, reg };
        });
  return lost;
}

/** What keeps an instruction where it is. */
const FIXED: readonly McFlag[] = [McFlag.Terminator, McFlag.Call, McFlag.UnmodeledSideEffects];

const isPHI = (fn: MachineFunction, i: InstrId): boolean => /^(?:G_)?PHI$/.test(fn.tables.opcodeName(fn.opcode[i]!));

/** False where the instruction writes by a mask, of which nobody knows what it is. */
function eachReg(fn: MachineFunction, i: InstrId, visit: (reg: number, isDef: boolean) => void): boolean {
  for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
    if (fn.opKind[o] === OperandKind.RegisterMask) return false;
    if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] !== 0)
      visit(fn.opVal[o]!, (fn.opFlags[o]! & OpFlag.Def) !== 0);
  }
  return true;
}

const KIND_WORDS = ['it reads', 'the line above reads', 'both write'];

function reasonOf(
  { kind, reg }: { kind: number; reg: number },
  { vregs, tables }: NonNullable<RefactorPlace['view']['fn']>,
): string {
  const words = KIND_WORDS[kind];
  if (words === undefined || reg === 0) return 'they have to stay in order: memory or side effects';
  const v = ~reg;
  const name = reg > 0 ? `$${tables.regName(reg)}` : `%${vregs.name[v] ?? vregs.sourceNumber[v]! >>> 0}`;
  return `${words} ${name}${kind === 0 ? ' of the line above' : ''}`;
}
