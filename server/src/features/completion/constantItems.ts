/** Constants for an operand: what it has elsewhere and above, series of them, and those that code has most. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { OperandKind, type MachineFunction } from '../../model/machineFunction.js';
import { McFlag, type Opcode, type OperandType, type Subtarget } from '../../target/index.js';
import type { Candidate } from './candidate.js';
import type { FunctionScope } from './functionScope.js';
import { takesImmediate } from './opcodeItems.js';
import { POINTS } from './points.js';

/** Constants in place of a register; a move of a constant has those of the moves above. */
export function immediates(
  scope: FunctionScope,
  { tables }: Subtarget,
  opc: Opcode,
  k: number,
  label: string,
): Candidate[] {
  const isMove = ((tables.opcodeFlagsLo(opc) >>> McFlag.MoveImm) & 1) !== 0;
  const share = shareOf(scope, opc, k, OperandKind.Register, 0.5);
  const base = (isMove ? POINTS.constantOfMove : POINTS.constantForRegister) + POINTS.mostlyRegisters * share;
  const items = constants(label, base);
  const { fn } = scope;
  const values: number[] = [];
  if (fn === null) return items;
  if (!isMove) return [...items, ...recentConstants(scope, fn, base + POINTS.constantAbove, label)];
  scope.eachAbove(MAX_ABOVE, (i) => {
    const o = fn.opBegin[i]! + 1;
    if (((tables.opcodeFlagsLo(fn.opcode[i]!) >>> McFlag.MoveImm) & 1) === 0 || fn.opKind[o] !== OperandKind.Immediate)
      return;
    values.push(fn.imm(o));
    items.push(value(String(fn.immBigInt(o)), POINTS.movedAbove - items.length, label));
  });
  const next = nextOf(values);
  return next === null ? items : [...items, value(next, POINTS.movedNext, label)];
}

/** Constants in place of registers in the lines above, whatever the opcode, the nearest first. */
function recentConstants(scope: FunctionScope, fn: MachineFunction, score: number, operand: string): Candidate[] {
  const { tables } = fn;
  const items: Candidate[] = [];
  scope.eachAbove(MAX_ABOVE, (i) => {
    const begin = fn.opBegin[i]!;
    const described = Math.min(fn.opBegin[i + 1]! - begin, tables.opcodeNumOperands(fn.opcode[i]!));
    for (let k = 0; k < described; k++) {
      const type = tables.opInfoType[tables.opInfoBegin(fn.opcode[i]!) + k]! as OperandType;
      if (fn.opKind[begin + k] !== OperandKind.Immediate || !takesImmediate(type)) continue;
      items.push(value(String(fn.immBigInt(begin + k)), score + POINTS.constantFartherAbove * items.length, operand));
    }
  });
  return items;
}

const value = (label: string, score: number, operand: string): Candidate => ({
  label,
  kind: CompletionItemKind.Value,
  score,
  detail: ` ${operand}`,
});

/** What follows a series, of which the last comes first. */
function nextOf([last, before]: readonly number[]): string | null {
  return last === undefined || before === undefined || last === before ? null : String(2 * last - before);
}

/** How often an operand of the kind stands there in the file, `unknown` where none of the opcode does. */
export function shareOf(scope: FunctionScope, opc: Opcode, k: number, kind: OperandKind, unknown: number): number {
  let n = 1;
  let like = unknown;
  scope.eachWith(opc, (fn, i) => {
    n++;
    if (fn.opKind[fn.opBegin[i]! + k] === kind) like++;
  });
  return like / n;
}

/** Instructions above the cursor that are looked at for values of the same name. */
const MAX_ABOVE = 60;

/** Values that operands of that name have in the lines above, and the next of their series. */
export function sameName(
  scope: FunctionScope,
  { tables }: Subtarget,
  opc: Opcode,
  k: number,
  label: string,
): Candidate[] {
  const name = tables.operandName(opc, k);
  const { fn } = scope;
  if (name === '' || fn === null) return [];
  const items: Candidate[] = [];
  const values: number[] = [];
  scope.eachAbove(MAX_ABOVE, (i) => {
    const at = tables.getNamedOperandIdx(fn.opcode[i]!, name);
    const o = fn.opBegin[i]! + at;
    if (at < 0 || o >= fn.opBegin[i + 1]! || fn.opKind[o] !== OperandKind.Immediate) return;
    if (fn.opcode[i] === opc) values.push(fn.imm(o));
    items.push(value(String(fn.immBigInt(o)), POINTS.sameNameAbove - items.length, label));
  });
  const next = nextOf(values);
  if (next !== null) items.push(value(next, POINTS.sameNameNext, label));
  return items;
}

/** What this operand is elsewhere in the file. */
export function usedBefore(scope: FunctionScope, opc: Opcode, k: number, label: string): Candidate[] {
  const counts = new Map<string, number>();
  let n = 0;
  scope.eachWith(opc, (fn, i) => {
    const o = fn.opBegin[i]! + k;
    if (o >= fn.opBegin[i + 1]!) return;
    n++;
    const text = constantText(fn, o);
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  });
  return [...counts].map(([text, count]) => ({
    label: text,
    kind: CompletionItemKind.Value,
    score: POINTS.constantElsewhere + (POINTS.constantShare * count) / n,
    detail: ` ${label}`,
    description: `used ${count} x here`,
  }));
}

function constantText(fn: MachineFunction, o: number): string {
  switch (fn.opKind[o]) {
    case OperandKind.Immediate:
      return String(fn.immBigInt(o));
    case OperandKind.CImmediate: {
      const { bits, value } = fn.payload(o, OperandKind.CImmediate);
      return bits === 1 ? `i1 ${value === 0n ? 'false' : 'true'}` : `i${bits} ${value}`;
    }
    case OperandKind.Predicate: {
      const { isInt, name } = fn.payload(o, OperandKind.Predicate);
      return `${isInt ? 'intpred' : 'floatpred'}(${name})`;
    }
    default:
      return '';
  }
}

/** Constants that code has most, the most frequent first. */
const USUAL_CONSTANTS: readonly string[] = '0 -1 1 2 4 8 16 32 3 31 5 6 63 64 255 65535'.split(' ');

export const constants = (label: string, score: number): Candidate[] =>
  USUAL_CONSTANTS.map((text, k) =>
    value(text, score + (k < 3 ? POINTS.laterOfUsual * k : POINTS.lessUsual - k), label),
  );

export const typedConstants = (bits: number): Candidate[] =>
  (bits === 1 ? ['i1 true', 'i1 false'] : [0, 1, -1, 2, 4, 8, 16, 32].map((n) => `i${bits} ${n}`)).map((label, k) => ({
    label,
    kind: CompletionItemKind.Value,
    score: -k,
  }));
