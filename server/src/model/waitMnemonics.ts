/**
 * Mnemonics of the immediates of S_WAITCNT, S_WAITCNT_DEPCTR and S_WAIT_LOADCNT_DSCNT, which LLVM 24 prints (AMDGPUMIRFormatter; probed with its llc): the counters that are not
 * at their greatest value, `.Vmcnt_0_Lgkmcnt_3`, or `.AllOff`. Where a counter lies in the immediate depends on the generation (AMDGPUBaseInfo).
 */
import { Generation, type Opcode, type Subtarget, type TargetTables } from '../target/index.js';
import {
  DEPCTR,
  WAIT_PAIR,
  encodeField,
  maskOf,
  mostOf,
  valueOf,
  waitcntFields,
  type DepCtrField,
  type WaitField,
} from './waitFields.js';

interface NamedField {
  readonly name: string;
  readonly field: WaitField;
}

const upperFirst = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
/** In printing order. */
const named = (fields: Readonly<Record<string, WaitField>>): NamedField[] =>
  Object.entries(fields).map(([name, field]) => ({ name: upperFirst(name), field }));

const HOLD: DepCtrField = 'holdCnt';
const DEPCTR_FIELDS = named(DEPCTR);
/** Before gfx12 the counters have no bits, so that no value differs from the greatest. */
const LOAD_FIELDS = named({ loadcnt: WAIT_PAIR.other, dscnt: WAIT_PAIR.ds });

const enum WaitKind {
  Waitcnt,
  Depctr,
  LoadDs,
}

const kinds = new WeakMap<TargetTables, ReadonlyMap<Opcode, WaitKind>>();

function kindsOf(t: TargetTables): ReadonlyMap<Opcode, WaitKind> {
  let known = kinds.get(t);
  if (known === undefined) {
    known = new Map([
      [t.opcodeByName('S_WAITCNT'), WaitKind.Waitcnt],
      [t.opcodeByName('S_WAITCNT_soft'), WaitKind.Waitcnt],
      [t.opcodeByName('S_WAITCNT_DEPCTR'), WaitKind.Depctr],
      [t.opcodeByName('S_WAIT_LOADCNT_DSCNT'), WaitKind.LoadDs],
    ]);
    kinds.set(t, known);
  }
  return known;
}

/** HoldCnt is one of gfx10.3 and later. */
const depctrFields = (st: Subtarget): readonly NamedField[] =>
  st.hasFeature('gfx10_b-encoding') ? DEPCTR_FIELDS : DEPCTR_FIELDS.filter(({ name }) => name !== upperFirst(HOLD));

/** The counters of an opcode's immediate; null where it has no mnemonic. */
export function waitFieldsOf(st: Subtarget, opc: Opcode): readonly NamedField[] | null {
  if (!st.release.rules.hasWaitMnemonics || !st.tables.isAMDGCN) return null;
  switch (kindsOf(st.tables).get(opc)) {
    case WaitKind.Waitcnt:
      return named(waitcntFields(st.generation));
    case WaitKind.Depctr:
      return depctrFields(st);
    case WaitKind.LoadDs:
      return st.generation >= Generation.GFX12 ? LOAD_FIELDS : [];
    case undefined:
      return null;
  }
}

const ALL_OFF = '.AllOff';
export function printWaits(fields: readonly NamedField[], imm: number): string {
  const waits = fields
    .filter(({ field }) => valueOf(field, imm) !== mostOf(field))
    .map(({ name, field }) => `${name}_${valueOf(field, imm)}`);
  return waits.length === 0 ? ALL_OFF : `.${waits.join('_')}`;
}

/** The immediate of a mnemonic with its dot, or llc's message and where it points within `text`. */
export function parseWaits(
  fields: readonly NamedField[],
  text: string,
): number | { readonly message: string; readonly at: number } {
  let imm = fields.reduce((bits, { field }) => bits | maskOf(field), 0);
  if (text === ALL_OFF) return imm;
  for (let p = 1; p < text.length;) {
    const found = /^_?([A-Za-z]+)_([0-9]+)_?/.exec(text.slice(p));
    if (found === null) return { message: 'expected <CounterName>_<CounterNum>', at: p };
    const field = fields.find(({ name }) => name === found[1])?.field;
    const isDepctr = fields.length > 3;
    if (field === undefined && !(isDepctr && found[1] === upperFirst(HOLD)))
      return { message: 'invalid counter name', at: p };
    const value = Number(found[2]);
    if (field === undefined || value > mostOf(field))
      return { message: 'counter value too large', at: p + found[1]!.length + 1 };
    imm = (imm & ~maskOf(field)) | encodeField(field, value);
    p += found[0].length;
  }
  return imm;
}

/** A counter that an instruction waits for, as LLVM's assembly calls it, and how many may still be under way. */
export interface CounterWait {
  readonly counter: string;
  readonly left: number;
}

/** What the immediate of S_WAITCNT asks for, or of what waits for two counters on gfx12; empty for other opcodes. */
export function waitsOfImmediate(st: Subtarget, opc: Opcode, imm: number): CounterWait[] {
  const name = st.tables.opcodeName(opc).replace(/_soft$/, '');
  const isPair = name === 'S_WAIT_LOADCNT_DSCNT' || name === 'S_WAIT_STORECNT_DSCNT';
  if (name !== 'S_WAITCNT' && !isPair) return [];
  const fields = isPair ? LOAD_FIELDS : named(waitcntFields(st.generation));
  return fields
    .filter(({ field }) => valueOf(field, imm) !== mostOf(field))
    .map(({ name: counterName, field }) => {
      const counter = counterName.toLowerCase();
      const isStore = name === 'S_WAIT_STORECNT_DSCNT' && counter === 'loadcnt';
      return { counter: isStore ? 'storecnt' : counter, left: valueOf(field, imm) };
    });
}

/** What S_WAITCNT_DEPCTR (`s_wait_alu` on gfx12) waits for: fields that are not at their greatest value, and how many may still be under way; null for other opcodes. */
export function depctrWaits(
  st: Subtarget,
  opc: Opcode,
  imm: number,
): readonly { readonly field: DepCtrField; readonly left: number }[] | null {
  if (kindsOf(st.tables).get(opc) !== WaitKind.Depctr) return null;
  return (Object.entries(DEPCTR) as [DepCtrField, WaitField][])
    .filter(([name, field]) => name !== HOLD && valueOf(field, imm) !== mostOf(field))
    .map(([field, bits]) => ({ field, left: valueOf(bits, imm) }));
}
