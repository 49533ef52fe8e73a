/** Registers that an operand has in other instructions of the same opcode, in this function: how often, and as what they go on above the cursor. */
import { OperandKind, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import type { Opcode } from '../../target/index.js';
import type { FunctionScope } from './functionScope.js';
import { registerAt } from './lineRegisters.js';
import type { InstrLine } from './instrLine.js';

export interface OperandHistory {
  /** share of the instructions of that opcode with the register there, 0 to 1; `%1.sub0` with its part */
  share(register: string): number;
  /** there in the nearest one above, empty without one */
  readonly above: string;
  /** what goes on where the two above left off, empty where they are no series */
  readonly continued: string;
  /** as far from `above` as another register of the line is from its counterpart there, empty where that is not told */
  readonly shifted: string;
  /** there in the nearest one above that has a register of the line where the line has it, empty without one */
  readonly besideSame: string;
}

const NO_HISTORY: OperandHistory = { share: () => 0, above: '', continued: '', shifted: '', besideSame: '' };

/** Instructions of the opcode that are looked at in all, and above the cursor. */
const MAX_COUNTED = 400;
const MAX_NEAR = 40;

/** Registers of the line beside operand `k`, by their operands. */
function lineNames(line: InstrLine, k: number): [operand: number, name: string][] {
  const list: [number, string][] = [];
  for (let other = 0; other < line.defs.length + line.operands.length; other++) {
    const own = other === k ? null : registerAt(line, other);
    if (own !== null && !own.isImplicit) list.push([other, written(own.name, own.part)]);
  }
  return list;
}

/** Of operand `k`, definitions counted. O(instructions) */
export function operandHistory(line: InstrLine, scope: FunctionScope, opc: Opcode, k: number): OperandHistory {
  const { fn } = scope;
  if (fn === null || opc < 0) return NO_HISTORY;
  const counts = new Map<string, number>();
  let n = 0;
  scope.eachOf(opc, MAX_COUNTED, (i) => {
    n++;
    const name = nameAt(fn, i, k);
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  });
  const near = scope.nearestOf(opc, MAX_NEAR);
  const [last = -1, before = -1] = near;
  const own = lineNames(line, k);
  const same = near.find((i) => own.some(([other, name]) => nameAt(fn, i, other) === name)) ?? -1;
  const above = last < 0 ? '' : nameAt(fn, last, k);
  const shares = n + 1;
  return {
    share: (register) => (counts.get(register) ?? 0) / shares,
    above,
    continued: before < 0 ? '' : moved(above, steps(nameAt(fn, before, k), above)),
    shifted: last < 0 ? '' : moved(above, lineShift(line, fn, last, k)),
    besideSame: same < 0 ? '' : nameAt(fn, same, k),
  };
}

/** How far the first register of the line that can be told is from its counterpart in instruction `i`. */
function lineShift(line: InstrLine, fn: MachineFunction, i: number, k: number): number[] | null {
  for (let other = 0; other < line.defs.length + line.operands.length; other++) {
    const own = other === k ? null : registerAt(line, other);
    if (own === null) continue;
    const by = steps(nameAt(fn, i, other), written(own.name, own.part));
    if (by !== null) return by;
  }
  return null;
}

const written = (name: string, part: string): string => (part === '' ? name : `${name}.${part}`);

/** The register of operand `k` as it is written, empty where none stands there. */
function nameAt(fn: MachineFunction, i: number, k: number): string {
  const o = fn.opBegin[i]! + k;
  if (o >= fn.opBegin[i + 1]! || fn.opKind[o] !== OperandKind.Register) return '';
  const reg = fn.opVal[o]!;
  if (!isVirtualReg(reg)) return reg === 0 ? '$noreg' : `$${fn.tables.regName(reg)}`;
  const v = virtRegIndex(reg);
  const sub = fn.opSub[o]!;
  return written(
    `%${fn.vregs.name[v] ?? fn.vregs.sourceNumber[v]! >>> 0}`,
    sub > 0 ? fn.tables.subRegIndexName(sub) : '',
  );
}

const NUMBER = /\d+/g;

/** By how much each number of one name differs from that of the other; null where they are not alike but for one step. */
function steps(from: string, to: string): number[] | null {
  if (from === '' || to === '' || from.replace(NUMBER, '#') !== to.replace(NUMBER, '#')) return null;
  const before = from.match(NUMBER) ?? [];
  const by = (to.match(NUMBER) ?? []).map((n, k) => Number(n) - Number(before[k]));
  return new Set(by.filter((d) => d !== 0)).size === 1 ? by : null;
}

/** The name with its numbers moved, each by its own step or by the only one; empty where it does not move. */
function moved(name: string, by: readonly number[] | null): string {
  if (name === '' || by === null) return '';
  const isAlike = name.match(NUMBER)?.length === by.length;
  const step = by.find((d) => d !== 0)!;
  // The part moves in a register that stays.
  const from = isAlike ? 0 : Math.max(0, name.indexOf('.'));
  let k = 0;
  return name.slice(0, from) + name.slice(from).replace(NUMBER, (n) => String(Number(n) + (isAlike ? by[k++]! : step)));
}
