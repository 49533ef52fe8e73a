/**
 * The packed tables of each release of LLVM, by name: the only file that imports `llvm22/`, `llvm24/` and `rocm10/`, which the generators made. A text is
 * read when it is asked for, so that a run pays for what it uses.
 */
import { ArrayStore } from './arrayStore.js';
import { applyDelta } from './delta.js';
import { CLASSES, CLASS_RELATIONS, SUB_REG_CLASSES } from './llvm22/classes.js';
import { LACKED_OPCODES } from './llvm22/lackedOpcodes.js';
import { LLVM_VERSION, OPCODES, OPCODE_MAPS, OPCODE_NAMES, REAL_OPCODE_NAMES } from './llvm22/opcodes.js';
import { R600_TABLES } from './llvm22/r600.js';
import {
  COMPOSE,
  MINIMAL_CLASSES,
  REGISTERS,
  REG_ASM_NAMES,
  REG_MASKS,
  REG_UNITS,
  SUB_REG_INDICES,
} from './llvm22/registers.js';
import { SCHED_MODELS } from './llvm22/sched.js';
import { CONVENTIONS, CPUS, ENCODINGS, FEATURES, FEATURE_TEXTS, MODE_TABLES } from './llvm22/subtargets.js';
import { ALWAYS_UNIFORM, OPCODE_UNIFORMITY, SOURCES_OF_DIVERGENCE } from './llvm22/uniformity.js';
import { INTRINSIC_CHANGES } from './llvm24/intrinsicChanges.js';
import { LACKED_OPCODES_24 } from './llvm24/lackedOpcodes.js';
import { GONE_OPCODES, NEW_REGISTERS } from './llvm24/names.js';
import { LLVM24_TABLES } from './llvm24/tables.js';
import { PackReader, Pieces, type StoredText } from './packed.js';
import type { ReleaseName } from './releases.js';
import { ROCM10_TABLES } from './rocm10/tables.js';

const whole = {
  LLVM_VERSION: (): string => LLVM_VERSION,
  CLASSES: (): string => CLASSES,
  CLASS_RELATIONS: (): string => CLASS_RELATIONS,
  SUB_REG_CLASSES: (): string => SUB_REG_CLASSES,
  OPCODES: (): string => OPCODES,
  OPCODE_NAMES: (): string => OPCODE_NAMES,
  REAL_OPCODE_NAMES,
  OPCODE_MAPS,
  REGISTERS: (): string => REGISTERS,
  REG_ASM_NAMES: (): string => REG_ASM_NAMES,
  REG_UNITS: (): string => REG_UNITS,
  SUB_REG_INDICES: (): string => SUB_REG_INDICES,
  COMPOSE: (): string => COMPOSE,
  MINIMAL_CLASSES: (): string => MINIMAL_CLASSES,
  REG_MASKS: (): string => REG_MASKS,
  SCHED_MODELS: (): string => SCHED_MODELS,
  FEATURES: (): string => FEATURES,
  FEATURE_TEXTS,
  CPUS: (): string => CPUS,
  MODE_TABLES: (): string => MODE_TABLES,
  ENCODINGS,
  CONVENTIONS: (): string => CONVENTIONS,
  OPCODE_UNIFORMITY,
  SOURCES_OF_DIVERGENCE,
  ALWAYS_UNIFORM,
  LACKED_OPCODES,
  R600_TABLES,
  /** names that this release has and LLVM 24 has not */
  ONLY_OPCODES: (): string => GONE_OPCODES,
  ONLY_REGISTERS: (): string => '',
  /** of intrinsics (IntrinsicFacts) */
  INTRINSIC_CHANGES: (): string => '',
};

export type TableName = keyof typeof whole;

/** A table of a release, whose text is put together when somebody reads it. */
class TableText implements StoredText {
  private made: string | undefined;

  constructor(
    readonly name: TableName,
    readonly store: ArrayStore,
    private readonly make: (name: TableName) => string,
  ) {}

  get text(): string {
    return (this.made ??= this.make(this.name));
  }
}

/** The tables of a release. */
export class TableTexts {
  /** what is decoded of them */
  readonly store: ArrayStore;

  constructor(
    release: ReleaseName,
    readonly text: (name: TableName) => string,
  ) {
    this.store = new ArrayStore(release);
  }

  private stored(name: TableName): StoredText {
    return new TableText(name, this.store, this.text);
  }
  reader(name: TableName): PackReader {
    return new PackReader(this.stored(name));
  }
  pieces(name: TableName): Pieces {
    return new Pieces(this.stored(name));
  }
}

export const LLVM22_TEXTS = new TableTexts('llvm-22', (name) => whole[name]());

/** Texts as differences to those of a release before: what no delta says is as it was there. */
function differences(
  packed: () => string,
  before: (name: TableName) => string,
  onlyRegisters: string,
  intrinsicChanges: () => string,
  lackedOpcodes: () => string,
): (name: TableName) => string {
  let deltas: ReadonlyMap<string, string> | undefined;
  const made = new Map<TableName, string>();
  return (name) => {
    let text = made.get(name);
    if (text === undefined) {
      if (name === 'LACKED_OPCODES') return lackedOpcodes();
      // New opcodes are asked of the tables, which a file that has one needs.
      if (name === 'ONLY_OPCODES') return '';
      if (name === 'ONLY_REGISTERS') return onlyRegisters;
      if (name === 'INTRINSIC_CHANGES') return intrinsicChanges();
      const delta = (deltas ??= readDeltas(packed())).get(name);
      text = delta === undefined ? before(name) : applyDelta(before(name), delta);
      made.set(name, text);
    }
    return text;
  };
}

function readDeltas(packed: string): ReadonlyMap<string, string> {
  const r = new PackReader(packed);
  const names = r.strings();
  const deltas = new Pieces(r.rest());
  return new Map(names.map((name, i) => [name, deltas.part(i)]));
}

export const LLVM24_TEXTS = new TableTexts(
  'llvm-24',
  differences(LLVM24_TABLES, LLVM22_TEXTS.text, NEW_REGISTERS, INTRINSIC_CHANGES, LACKED_OPCODES_24),
);
/** None of its registers is its own; its intrinsics are not known apart from those of 24, and nobody asked its assembler. */
export const ROCM10_TEXTS = new TableTexts(
  'rocm-10',
  differences(ROCM10_TABLES, LLVM24_TEXTS.text, '', INTRINSIC_CHANGES, () => ''),
);
