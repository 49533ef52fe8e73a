/** Where a variable is: in registers, in slots of the stack, or a value that is known. Each such place of a function is there once, by number. */
import { operandOf, regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import {
  OpFlag,
  OperandKind,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import { setLocation } from '../debugLines.js';
import { argInMemory, hasEntryValue, inMemory, mergeArgs } from '../debugInfo/expression.js';
import { isDebugList, operandKey } from '../debugOperands.js';
import { NotModelled } from '../machinePass.js';
import { debugFields, type Variable } from './variables.js';

/** One of the places that together make a value. */
export type Place =
  | { readonly kind: 'register'; readonly reg: PhysReg }
  | { readonly kind: 'slot'; readonly base: PhysReg; readonly offset: number }
  | { readonly kind: 'value'; readonly key: string };

/** What a place has to do with the value that a parameter had when the function was entered. */
export const enum EntryKind {
  /** nothing */
  None,
  /** it is that value */
  Value,
  /** that value would do, once the variable is in no other place */
  Backup,
  /** the same; a register has a copy of it */
  CopyBackup,
}

/** @llvm VarLocBasedImpl.cpp VarLocBasedLDV::VarLoc */
export interface VarLoc {
  readonly id: number;
  readonly variable: Variable;
  readonly entry: EntryKind;
  readonly expression: string;
  readonly places: readonly Place[];
  /** debug value that it comes from: variable, location and whether it is indirect are that one's */
  readonly origin: InstrId;
  /** by place: which of the debug value's operands it was */
  readonly operandOfPlace: readonly number[];
}

export const isBackup = ({ entry }: VarLoc): boolean => entry === EntryKind.Backup || entry === EntryKind.CopyBackup;

export const isSamePlace = (a: Place, b: Place): boolean => placeKey(a) === placeKey(b);

function placeKey(place: Place): string {
  switch (place.kind) {
    case 'register':
      return `r${place.reg}`;
    case 'slot':
      return `s${place.base} ${place.offset}`;
    case 'value':
      return `v${place.key}`;
  }
}

/** @llvm VarLocBasedImpl.cpp VarLocBasedLDV::VarLocMap */
export class VarLocs {
  private readonly known = new Map<string, VarLoc>();
  private readonly ofValue = new Map<InstrId, VarLoc | null>();

  constructor(
    private readonly editor: FunctionEditor,
    private readonly variableOf: (i: InstrId) => Variable,
  ) {}

  /** Where a debug value says that its variable is; null: nowhere. */
  of(i: InstrId): VarLoc | null {
    let loc = this.ofValue.get(i);
    if (loc === undefined) this.ofValue.set(i, (loc = this.read(i)));
    return loc;
  }

  private read(i: InstrId): VarLoc | null {
    const { fn } = this.editor;
    const operands = placeOperands(fn, i);
    const places = operands.map((o) => placeOf(fn, o));
    if (places.some((place) => place === null)) return null;
    let { expression } = debugFields(fn, i);
    const kept: Place[] = [];
    const operandOfPlace: number[] = [];
    places.forEach((place, k) => {
      const same = kept.findIndex((other) => isSamePlace(other, place!));
      if (same >= 0) expression = mergeArgs(expression, kept.length, same);
      else {
        kept.push(place!);
        operandOfPlace.push(k);
      }
    });
    const entry = EntryKind.None;
    return this.add({ variable: this.variableOf(i), entry, expression, places: kept, origin: i, operandOfPlace });
  }

  /** The same value with another place for one of its own, the first of them that is equal. */
  moved(loc: VarLoc, from: Place, to: Place): VarLoc {
    const at = loc.places.findIndex((place) => isSamePlace(place, from));
    return this.add({ ...loc, places: loc.places.map((place, k) => (k === at ? to : place)) });
  }

  /** A place as the entry value of a parameter has it. */
  ofEntry(loc: Pick<VarLoc, 'variable' | 'origin'>, entry: EntryKind, expression: string, reg: PhysReg): VarLoc {
    const { variable, origin } = loc;
    const places: Place[] = [{ kind: 'register', reg }];
    return this.add({ variable, entry, expression, places, origin, operandOfPlace: [0] });
  }

  /** Where one of this variable, these places and this expression is known, that one it is, whatever it comes from. */
  private add(made: Omit<VarLoc, 'id'>): VarLoc {
    const key = [made.variable.key, made.entry, made.expression, ...made.places.map(placeKey)].join('|');
    let loc = this.known.get(key);
    if (loc === undefined) this.known.set(key, (loc = { ...made, id: this.known.size }));
    return loc;
  }

  /**
   * A debug value that says it, before `pos`.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::VarLoc::BuildDbgValue
   */
  write(loc: VarLoc, block: number, pos: InstrId): void {
    const { fn } = this.editor;
    const { origin } = loc;
    const isList = isDebugList(fn, origin);
    const operands = placeOperands(fn, origin);
    const first = fn.opBegin[origin];
    let { expression } = loc;
    const isInRegister = fn.opKind[first] === OperandKind.Register;
    let isIndirect = !isList && isInRegister && fn.opKind[first + 1] === OperandKind.Immediate;
    const places = loc.places.map((place, k): NewOperand => {
      const given = operands[loc.operandOfPlace[k]];
      switch (place.kind) {
        case 'register':
          return regOperand(loc.entry === EntryKind.Value ? fn.opVal[given] : place.reg, OpFlag.Debug);
        case 'value':
          return operandOf(fn, given);
        case 'slot':
          if (hasEntryValue(expression)) throw new NotModelled('a debug value at entry that is spilled');
          if (isList) expression = argInMemory(expression, k, place.offset);
          else {
            expression = inMemory(expression, place.offset, isIndirect);
            isIndirect = true;
          }
          return regOperand(place.base, OpFlag.Debug);
      }
    });
    const named: NewOperand[] = [
      { kind: OperandKind.Metadata, val: fn.opVal[isList ? first : first + 2] },
      { kind: OperandKind.Metadata, val: fn.addPayload({ kind: OperandKind.Metadata, text: expression, node: -1 }) },
    ];
    const second = isIndirect ? { kind: OperandKind.Immediate, val: 0 } : regOperand(NO_REG, OpFlag.Debug);
    const all = isList ? [...named, ...places] : [...places, second, ...named];
    const i = this.editor.insert(pos, block, fn.opcode[origin], all);
    setLocation(fn, i, fn.extras.get(origin)?.debugLocation);
  }
}

/** Operands of a debug value that are its places. */
export function placeOperands(fn: MachineFunction, i: InstrId): OperandId[] {
  const first = fn.opBegin[i];
  if (!isDebugList(fn, i)) return [first];
  return Array.from({ length: fn.opBegin[i + 1] - first - 2 }, (_, k) => first + 2 + k);
}

/** Null: nowhere. */
function placeOf(fn: MachineFunction, o: OperandId): Place | null {
  switch (fn.opKind[o]) {
    case OperandKind.Register:
      if (isVirtualReg(fn.opVal[o])) throw new NotModelled('debug values in virtual registers');
      return fn.opVal[o] === NO_REG ? null : { kind: 'register', reg: fn.opVal[o] };
    case OperandKind.Immediate:
    case OperandKind.FPImmediate:
    case OperandKind.CImmediate:
      return { kind: 'value', key: operandKey(fn, operandOf(fn, o)) };
    default:
      throw new NotModelled('debug values that are neither in a register nor a number');
  }
}
