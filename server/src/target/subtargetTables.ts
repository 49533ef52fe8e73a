/** What subtargets of a release share: classes by hardware mode, encodings, calling conventions. Each is read when first asked for. */
import { listAt, type PackReader, type Pieces, type IntLists } from './packed.js';
import type { TableTexts } from './tableTexts.js';
import { lazy } from '../util/lazy.js';
import type { Opcode, PhysReg } from './api.js';

/** Register classes of operands whose class depends on the mode. */
export class ModeTables {
  private readonly read: () => { readonly order: Int32Array; readonly tables: IntLists };

  constructor(texts: TableTexts) {
    this.read = lazy(() => {
      const r = texts.reader('MODE_TABLES');
      return { order: r.ints(), tables: r.lists() };
    });
  }

  /** `kind`: 2 with gfx90a's instructions, 1 with aligned VGPRs and no AGPRs, 0 otherwise */
  of(kind: 0 | 1 | 2, isWave32: boolean): Int32Array {
    const { order, tables } = this.read();
    return listAt(tables, order[kind * 2 + (isWave32 ? 1 : 0)]!);
  }
}

/** Which opcode a processor encodes for another one. */
export class EncodingTables {
  private readonly parts: () => Pieces;
  private readonly opcodes: () => Int32Array;
  private readonly tables: (Int32Array | undefined)[] = [];

  constructor(texts: TableTexts) {
    this.parts = lazy(() => texts.pieces('ENCODINGS'));
    this.opcodes = lazy(() => this.parts().reader(0).ints());
  }

  /** Table `n`: its own numbers, or differences from an earlier one. */
  private table(n: number): Int32Array {
    const known = this.tables[n];
    if (known !== undefined) return known;
    const r = this.parts().reader(n + 1);
    const base = r.uint() - 1;
    const column = r.ints();
    if (base < 0) return (this.tables[n] = column);
    const before = this.table(base);
    return (this.tables[n] = column.map((v, i) => v + before[i]!));
  }

  /** What is not in the table is encoded as it is. */
  encoded(table: number, opc: Opcode): Opcode {
    const to = this.table(table);
    const opcodes = this.opcodes();
    let lo = 0;
    let hi = opcodes.length - 1;
    while (lo <= hi) {
      const mid = (lo + hi) >> 1;
      if (opcodes[mid] === opc) return to[mid]!;
      if (opcodes[mid]! < opc) lo = mid + 1;
      else hi = mid - 1;
    }
    return opc;
  }
}

export interface ConventionFacts {
  readonly saved: readonly PhysReg[];
  readonly mask: number;
}

/** Registers that calls preserve, by number of the calling convention. */
export class ConventionTables {
  private readonly read: () => readonly ReadonlyMap<number, ConventionFacts>[];

  constructor(texts: TableTexts) {
    this.read = lazy(() => readConventions(texts.reader('CONVENTIONS')));
  }

  of(hasGFX90AInsts: boolean): ReadonlyMap<number, ConventionFacts> {
    return this.read()[hasGFX90AInsts ? 1 : 0]!;
  }
}

function readConventions(r: PackReader): readonly ReadonlyMap<number, ConventionFacts>[] {
  const regLists = r.lists();
  const tableOf = r.ints();
  const tables = r.lists();
  const regs = (list: number): number[] => {
    const ranges = listAt(regLists, list);
    const res: number[] = [];
    for (let k = 0; k < ranges.length; k += 2) for (let i = 0; i < ranges[k + 1]!; i++) res.push(ranges[k]! + i);
    return res;
  };
  return Array.from(tableOf, (table) => {
    const rows = listAt(tables, table);
    const map = new Map<number, ConventionFacts>();
    for (let k = 0; k < rows.length; k += 3) map.set(rows[k]!, { saved: regs(rows[k + 1]!), mask: rows[k + 2]! });
    return map;
  });
}
