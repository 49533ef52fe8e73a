/** Packs the tables of R600 (`extract --r600`) as one string: explicit lists, since there are few of everything. Read by src/target/r600Tables.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './check.js';
import { ints, lists, pieces, string, strings } from './encode.js';
import { expand, hi32, lo32, type Facts } from './facts.js';

interface R600Facts extends Pick<
  Facts,
  'format' | 'llvm' | 'sub_reg_indices' | 'reg_units' | 'regs' | 'reg_masks' | 'pressure_sets' | 'classes' | 'banks'
> {
  readonly instrs: {
    /** [name, defs, size, flags, operand list, implicit uses, implicit defs] */
    readonly rows: readonly (readonly [string, number, number, number, number, number, number])[];
    /** flat, five numbers for each operand: class, flags, type, tied to, early clobber */
    readonly operand_lists: readonly (readonly number[])[];
    readonly implicit_lists: readonly (readonly number[])[];
  };
  /** [name, description, implied features] */
  readonly features: readonly (readonly [string, string, readonly number[]])[];
  /** [name, features, reserved registers as ranges] */
  readonly cpus: readonly (readonly [string, readonly number[], readonly number[]])[];
}

const WORD = 2 ** 32;

function packOpcodes(f: R600Facts): string[] {
  const { rows, operand_lists, implicit_lists } = f.instrs;
  const operands = operand_lists.map((l) => [0, 1, 2, 3, 4].map((k) => l.filter((_, i) => i % 5 === k)));
  return [
    strings(rows.map((r) => r[0])),
    ints(rows.map((r) => r[1])),
    ints(rows.map((r) => r[2])),
    ints(rows.map((r) => r[3] % WORD)),
    ints(rows.map((r) => Math.floor(r[3] / WORD))),
    ints(rows.map((r) => r[4])),
    ints(rows.map((r) => r[5])),
    ints(rows.map((r) => r[6])),
    ints(operand_lists.map((l) => l.length / 5)),
    ...[0, 1, 2, 3, 4].map((k) => ints(operands.flatMap((l) => l[k]!))),
    lists(implicit_lists),
  ];
}

function packRegisters(f: R600Facts): string[] {
  const { rows, lane_lists, super_regs_unordered } = f.regs;
  check(super_regs_unordered.length === 0, 'super-registers are in ascending order');
  check(
    rows.every((r) => r[5] === r[0]),
    'assembler names are names',
  );
  check(Object.keys(f.reg_masks).length === 0 && f.banks.length === 0, 'no register masks, no banks');
  check(
    f.reg_units.every((u) => u[0] === u[2].map((r) => rows[r - 1]![0]).join('~')),
    'names of units are those of their roots',
  );
  const idx = f.sub_reg_indices;
  const units = rows.map((r) => expand(r[3]));
  const reserved = f.cpus.map((c) => JSON.stringify(c[2]));
  check(new Set(reserved).size === 1, 'all processors reserve the same registers');
  return [
    strings(rows.map((r) => r[0])),
    ints(rows.map((r) => r[1])),
    ints(rows.map((r) => r[2])),
    ints(rows.map((r) => r[7])),
    lists(units),
    lists(rows.map((r) => lane_lists[r[4]]!.map(lo32))),
    lists(rows.map((r) => lane_lists[r[4]]!.map(hi32))),
    lists(rows.map((r) => r[6])),
    ints(expand(f.cpus[0]![2])),
    lists(f.reg_units.map((u) => u[2])),
    ints(f.reg_units.map((u) => u[1])),
    lists(f.reg_units.map((u) => u[3])),
    strings(idx.rows.slice(1).map((r) => r[0])),
    ints(idx.rows.map((r) => r[1])),
    ints(idx.rows.map((r) => r[2])),
    ints(idx.rows.map((r) => lo32(r[3]))),
    ints(idx.rows.map((r) => hi32(r[3]))),
    ints(idx.compose.flat()),
  ];
}

function packClasses({ classes, pressure_sets }: R600Facts): string[] {
  return [
    strings(classes.map((c) => c.name)),
    lists(classes.map((c) => expand(c.regs))),
    ints(classes.map((c) => c.bits)),
    ints(classes.map((c) => c.spill_size)),
    ints(classes.map((c) => c.spill_align)),
    ints(classes.map((c) => c.copy_cost)),
    ints(classes.map((c) => Number(c.allocatable))),
    ints(classes.map((c) => lo32(c.lanes))),
    ints(classes.map((c) => hi32(c.lanes))),
    ints(classes.map((c) => c.weight)),
    ints(classes.map((c) => c.weight_limit)),
    lists(classes.map((c) => c.pressure_sets)),
    lists(classes.map((c) => expand(c.sub_classes))),
    lists(classes.map((c) => c.super_classes)),
    // [index, class, ...] for each class
    lists(classes.map((c) => c.projections.flatMap(([i, of]) => expand(of).flatMap((rc) => [i, rc])))),
    lists(classes.map((c) => c.sub_reg_classes.flat())),
    strings(pressure_sets),
  ];
}

function packProcessors({ features, cpus }: R600Facts): string[] {
  return [
    strings(features.map((f) => f[0])),
    string(features.map((f) => f[1]).join('~')),
    lists(features.map((f) => f[2])),
    strings(cpus.map((c) => c[0])),
    lists(cpus.map((c) => c[1])),
  ];
}

const here = dirname(fileURLToPath(import.meta.url));
const [factsPath, outFile = join(here, '../../src/target/llvm22/r600.ts')] = process.argv.slice(2);
if (factsPath === undefined) throw new Error('usage: r600.ts FACTS.json [FILE]');
const facts = JSON.parse(readFileSync(factsPath, 'utf8')) as R600Facts;
check(facts.format === 1, 'the facts have format 1');
const packed = pieces([
  ...packOpcodes(facts),
  ...packRegisters(facts),
  ...packClasses(facts),
  ...packProcessors(facts),
]);
check(!/["\\\n]/.test(packed), 'packed text needs no escapes');
const head = `/**\n * Everything about R600, the other target of the back end.\n *\n * Made by \`npm run gen\` from LLVM ${facts.llvm}; do not edit. Read by ../packed.ts.\n */\n`;
writeFileSync(outFile, `${head}export const R600_TABLES = (): string =>\n  "${packed}";\n`);
console.log(`r600.ts: ${packed.length} bytes`);
