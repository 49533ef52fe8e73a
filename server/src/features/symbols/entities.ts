/**
 * The named things of a function's document, numbered: registers, blocks, stack objects, globals and so on. Versions of a document
 * share one table, so that a name keeps its number from edit to edit and what is known of an unchanged chunk stays true.
 */
import type { Interner } from '../../util/interner.js';

export const enum EntityKind {
  VReg = 0,
  PhysReg = 1,
  Block = 2,
  Stack = 3,
  FixedStack = 4,
  Constant = 5,
  JumpTable = 6,
  /** IR global or machine function, by name */
  Global = 7,
  /** IR value or IR block of the function's IR; they share one set of names */
  IRLocal = 8,
  Metadata = 9,
  /** `&name` */
  External = 10,
  MCSymbol = 11,
  /** `#0`, in the IR only */
  AttributeGroup = 12,
}

/** One number per entity; distinct for distinct (kind, named or numbered, value). */
export const entityCode = (kind: EntityKind, value: number, isNamed: boolean): number =>
  ((value >>> 0) * 2 + (isNamed ? 1 : 0)) * 16 + kind;

/** Numbers of virtual registers below it are looked up in an array. */
const MAX_DENSE = 1 << 20;

/** Only grows: an entity need not occur in the present version of the document. */
export class EntityTable {
  /** by entity */
  readonly kinds: EntityKind[] = [];
  private readonly codes: number[] = [];
  private readonly byCode = new Map<number, number>();
  /** entity of the virtual register of that number, -1 = none */
  private byNumber = new Int32Array(64).fill(-1);

  constructor(private readonly interner: Interner) {}

  get n(): number {
    return this.kinds.length;
  }

  /** Name or number as text, without sigil and prefix. */
  nameOf(entity: number): string {
    const value = this.valueOf(entity);
    return this.isNamed(entity) ? this.interner.text(value) : String(value);
  }

  isNamed(entity: number): boolean {
    return Math.floor(this.codes[entity]! / 16) % 2 === 1;
  }

  /** The number of a numbered entity, or the interner id of its name. */
  valueOf(entity: number): number {
    return Math.floor(this.codes[entity]! / 32);
  }

  /** Virtual register by number; -1 = none. */
  vregOf(number: number): number {
    if (number >>> 0 < this.byNumber.length) return this.byNumber[number]!;
    return number >>> 0 < MAX_DENSE ? -1 : (this.byCode.get(entityCode(EntityKind.VReg, number, false)) ?? -1);
  }

  /** Entity by kind and name; -1 = none. Numbers are given as text. */
  find(kind: EntityKind, name: string): number {
    if (/^\d+$/.test(name)) {
      const value = Number(name);
      const numbered = kind === EntityKind.VReg ? this.vregOf(value) : this.byCode.get(entityCode(kind, value, false));
      if (numbered !== undefined && numbered >= 0) return numbered;
    }
    const id = this.interner.find(name);
    return id < 0 ? -1 : (this.byCode.get(entityCode(kind, id, true)) ?? -1);
  }

  /** The entity of a code, a new one if need be. */
  of(code: number): number {
    // Numbered virtual registers have codes that are multiples of 32.
    const number = code / 32;
    if (code % 32 === 0 && number < MAX_DENSE) {
      if (number >= this.byNumber.length) this.widen(number);
      const known = this.byNumber[number]!;
      return known >= 0 ? known : (this.byNumber[number] = this.add(code));
    }
    let entity = this.byCode.get(code);
    if (entity === undefined) {
      entity = this.add(code);
      this.byCode.set(code, entity);
    }
    return entity;
  }

  private add(code: number): number {
    this.codes.push(code);
    return this.kinds.push((code % 16) as EntityKind) - 1;
  }

  private widen(number: number): void {
    const wider = new Int32Array(Math.max(number + 1, this.byNumber.length * 2)).fill(-1, this.byNumber.length);
    wider.set(this.byNumber);
    this.byNumber = wider;
  }
}
