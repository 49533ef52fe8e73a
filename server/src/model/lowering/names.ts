/**
 * Interner ids to target numbers: opcodes, registers, classes, banks, sub-register indices, register masks. One per
 * (interner, tables); each name is looked up once and then is an array access.
 */
import type { Interner } from '../../util/interner.js';
import type { PhysReg, TargetTables } from '../../target/index.js';
import { LLTFlag } from '../../syntax/tree.js';
import { Format, pointerBits, type LLT } from '../llt.js';

/** Int32Array by interner id: 0 = not looked up yet, else value + 2 (so that -1 = unknown is 1). */
class IdTable {
  private values = new Int32Array(4096);

  constructor(
    private readonly interner: Interner,
    private readonly lookUp: (name: string) => number,
  ) {}

  get(id: number): number {
    if (id >= this.values.length) {
      const larger = new Int32Array(Math.max(this.values.length * 2, id + 1024));
      larger.set(this.values);
      this.values = larger;
    }
    const v = this.values[id];
    if (v !== 0) return v - 2;
    const value = this.lookUp(this.interner.text(id));
    this.values[id] = value + 2;
    return value;
  }
}

function formatOf(flags: number): Format {
  if ((flags & LLTFlag.Integer) !== 0) return Format.Integer;
  if ((flags & LLTFlag.Float) !== 0) return Format.Float;
  return (flags & LLTFlag.BFloat) !== 0 ? Format.BFloat : Format.Any;
}

export class NameTables {
  private readonly opcodes: IdTable;
  private readonly regs: IdTable;
  private readonly classes: IdTable;
  private readonly banks: IdTable;
  private readonly subRegs: IdTable;
  private readonly masks: IdTable;
  private readonly types = new Map<string, LLT>();
  readonly vcc: PhysReg;
  readonly vccLo: PhysReg;

  constructor(
    readonly interner: Interner,
    readonly tables: TargetTables,
  ) {
    this.opcodes = new IdTable(interner, (s) => tables.opcodeByName(s));
    this.regs = new IdTable(interner, (s) => (s === 'noreg' || s === '' ? 0 : tables.regByName(s)));
    this.classes = new IdTable(interner, (s) => tables.regClassByName(s));
    this.banks = new IdTable(interner, (s) => tables.regBankByName(s));
    this.subRegs = new IdTable(interner, (s) => tables.subRegIndexByName(s));
    this.masks = new IdTable(interner, (s) => tables.regMaskByName(s));
    this.vcc = tables.regByName('vcc');
    this.vccLo = tables.regByName('vcc_lo');
  }

  text(id: number): string {
    return this.interner.text(id);
  }

  /** opcode, -1 if unknown; likewise below */
  opcode(id: number): number {
    return this.opcodes.get(id);
  }

  /** register number; 0 for `noreg` and for `$` alone */
  reg(id: number): number {
    return this.regs.get(id);
  }

  regClass(id: number): number {
    return this.classes.get(id);
  }

  regClassByText(text: string): number {
    return this.tables.regClassByName(text);
  }

  bank(id: number): number {
    return this.banks.get(id);
  }

  subReg(id: number): number {
    return this.subRegs.get(id);
  }

  regMask(id: number): number {
    return this.masks.get(id);
  }

  /** The type of a LowLevelType node; equal types are one object. */
  lowLevelType(flags: number, value: number, elements: number): LLT {
    const key = `${flags},${value},${elements}`;
    let type = this.types.get(key);
    if (type === undefined) {
      const isPointer = (flags & LLTFlag.Pointer) !== 0;
      const isVector = (flags & LLTFlag.Vector) !== 0;
      type = {
        kind: isVector ? 'vector' : isPointer ? 'pointer' : 'scalar',
        // Without bits it is a token.
        format: value === 0 ? Format.Any : formatOf(flags),
        bits: isPointer ? pointerBits(value, this.tables.isAMDGCN) : value,
        addressSpace: isPointer ? value : -1,
        numElements: elements,
        scalable: (flags & LLTFlag.Scalable) !== 0,
      };
      this.types.set(key, type);
    }
    return type;
  }
}
