/**
 * Mnemonics of the immediates of S_WAITCNT, S_WAITCNT_DEPCTR and S_WAIT_LOADCNT_DSCNT, which LLVM 24 prints (AMDGPUMIRFormatter; probed with its llc): the counters that are not
 * at their greatest value, `.Vmcnt_0_Lgkmcnt_3`, or `.AllOff`. Where a counter lies in the immediate depends on the generation (AMDGPUBaseInfo).
 */
import { Generation, type Opcode, type Subtarget, type TargetTables } from '../target/index.js';

interface WaitField {
  readonly name: string;
  /** [first bit, bits], the lowest part of the value first */
  readonly parts: readonly (readonly [number, number])[];
}

const field = (name: string, ...parts: (readonly [number, number])[]): WaitField => ({ name, parts });

const WAITCNT_GFX6 = [field('Vmcnt', [0, 4]), field('Expcnt', [4, 3]), field('Lgkmcnt', [8, 4])];
const WAITCNT_GFX9 = [field('Vmcnt', [0, 4], [14, 2]), field('Expcnt', [4, 3]), field('Lgkmcnt', [8, 4])];
const WAITCNT_GFX10 = [field('Vmcnt', [0, 4], [14, 2]), field('Expcnt', [4, 3]), field('Lgkmcnt', [8, 6])];
const WAITCNT_GFX11 = [field('Vmcnt', [10, 6]), field('Expcnt', [0, 3]), field('Lgkmcnt', [4, 6])];

/** Counters of S_WAITCNT, in printing order. */
function waitcntFields(generation: Generation): readonly WaitField[] {
  if (generation >= Generation.GFX11) return WAITCNT_GFX11;
  if (generation >= Generation.GFX10) return WAITCNT_GFX10;
  return generation >= Generation.GFX9 ? WAITCNT_GFX9 : WAITCNT_GFX6;
}

const HOLD = 'HoldCnt';
/** Counters of S_WAITCNT_DEPCTR, in printing order; HoldCnt is one of gfx10.3 and later. */
const DEPCTR_FIELDS: readonly WaitField[] = [
  field('VaVdst', [12, 4]),
  field('VaSdst', [9, 3]),
  field('VaSsrc', [8, 1]),
  field(HOLD, [7, 1]),
  field('VmVsrc', [2, 3]),
  field('VaVcc', [1, 1]),
  field('SaSdst', [0, 1]),
];

/** Before gfx12 the counters have no bits, so that no value differs from the greatest. */
const LOAD_FIELDS = [field('Loadcnt', [8, 6]), field('Dscnt', [0, 6])];

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

const depctrFields = (st: Subtarget): readonly WaitField[] =>
  st.hasFeature('gfx10_b-encoding') ? DEPCTR_FIELDS : DEPCTR_FIELDS.filter(({ name }) => name !== HOLD);

/** The counters of an opcode's immediate; null where it has no mnemonic. */
export function waitFieldsOf(st: Subtarget, opc: Opcode): readonly WaitField[] | null {
  if (!st.release.rules.hasWaitMnemonics || !st.tables.isAMDGCN) return null;
  switch (kindsOf(st.tables).get(opc)) {
    case WaitKind.Waitcnt:
      return waitcntFields(st.generation);
    case WaitKind.Depctr:
      return depctrFields(st);
    case WaitKind.LoadDs:
      return st.generation >= Generation.GFX12 ? LOAD_FIELDS : [];
    case undefined:
      return null;
  }
}

const ALL_OFF = '.AllOff';
const widthOf = ({ parts }: WaitField): number => parts.reduce((sum, [, bits]) => sum + bits, 0);
const mostOf = (f: WaitField): number => (1 << widthOf(f)) - 1;

function valueOf({ parts }: WaitField, imm: number): number {
  let value = 0;
  let at = 0;
  for (const [shift, bits] of parts) {
    value |= ((imm >>> shift) & ((1 << bits) - 1)) << at;
    at += bits;
  }
  return value;
}

function encode({ parts }: WaitField, value: number): number {
  let imm = 0;
  let at = 0;
  for (const [shift, bits] of parts) {
    imm |= ((value >>> at) & ((1 << bits) - 1)) << shift;
    at += bits;
  }
  return imm;
}

export function printWaits(fields: readonly WaitField[], imm: number): string {
  const waits = fields.filter((f) => valueOf(f, imm) !== mostOf(f)).map((f) => `${f.name}_${valueOf(f, imm)}`);
  return waits.length === 0 ? ALL_OFF : `.${waits.join('_')}`;
}

/** The immediate of a mnemonic with its dot, or llc's message and where it points within `text`. */
export function parseWaits(
  fields: readonly WaitField[],
  text: string,
): number | { readonly message: string; readonly at: number } {
  let imm = fields.reduce((bits, f) => bits | encode(f, mostOf(f)), 0);
  if (text === ALL_OFF) return imm;
  for (let p = 1; p < text.length;) {
    const found = /^_?([A-Za-z]+)_([0-9]+)_?/.exec(text.slice(p));
    if (found === null) return { message: 'expected <CounterName>_<CounterNum>', at: p };
    const f = fields.find(({ name }) => name === found[1]);
    const isDepctr = fields.length > 3;
    if (f === undefined && !(isDepctr && found[1] === HOLD)) return { message: 'invalid counter name', at: p };
    const value = Number(found[2]);
    if (f === undefined || value > mostOf(f))
      return { message: 'counter value too large', at: p + found[1]!.length + 1 };
    imm = (imm & ~encode(f, mostOf(f))) | encode(f, value);
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
  const fields = isPair ? LOAD_FIELDS : waitcntFields(st.generation);
  return fields
    .filter((f) => valueOf(f, imm) !== mostOf(f))
    .map((f) => {
      const counter = f.name.toLowerCase();
      const isStore = name === 'S_WAIT_STORECNT_DSCNT' && counter === 'loadcnt';
      return { counter: isStore ? 'storecnt' : counter, left: valueOf(f, imm) };
    });
}
