/**
 * Writes the names that only one of two releases has and that `auto` looks for without reading the tables of both.
 *
 * usage: tsx server/tools/pack/releaseNames.ts FILE
 */
import { writeFileSync } from 'node:fs';
import { LLVM22, releaseOf } from '../../src/target/release.js';
import type { TargetTables } from '../../src/target/api.js';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: releaseNames.ts FILE');

const newest = releaseOf('llvm-24');

const opcodes = (t: TargetTables): string[] => Array.from({ length: t.nOpcodes }, (_, opc) => t.opcodeName(opc));
const registers = (t: TargetTables): string[] =>
  Array.from({ length: t.nRegs }, (_, reg) => t.regName(reg)).filter((name) => name !== '');

const without = (names: readonly string[], others: readonly string[]): string => {
  const known = new Set(others);
  return names.filter((name) => !known.has(name)).join(' ');
};

writeFileSync(
  file,
  `/**
 * Names of LLVM ${LLVM22.version} that LLVM ${newest.version} has no more, and new ones.
 *
 * Made by \`server/tools/gen24.sh\`; do not edit. Read by ../tableTexts.ts.
 */
export const GONE_OPCODES =
  "${without(opcodes(LLVM22.tables), opcodes(newest.tables))}";
export const NEW_REGISTERS =
  "${without(registers(newest.tables), registers(LLVM22.tables))}";
`,
);
