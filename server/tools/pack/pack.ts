/**
 * Packs the JSON of the extractor into `server/src/target/llvm22/*.ts`.
 *
 * usage: tsx server/tools/pack/pack.ts FACTS.json [OUTDIR]
 *
 * Whatever follows from a rule (names of tuples from their parts, sub-registers from position and size) is not
 * stored. The packer applies the rule itself, compares with the facts, and stops when one differs, so a new LLVM
 * that breaks a rule is noticed here and not by a wrong answer.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { check } from './check.js';
import { packClasses } from './classes.js';
import type { Facts } from './facts.js';
import { packInstrs } from './instrs.js';
import { packRegs } from './registers.js';
import { packSched } from './sched.js';
import { packSubtargets } from './subtargets.js';
import { packUniformity } from './uniformity.js';

/** FormatVersion of extract/main.cpp */
const FORMAT = 1;

const here = dirname(fileURLToPath(import.meta.url));
const [factsPath, outDir = join(here, '../../src/target/llvm22')] = process.argv.slice(2);
if (factsPath === undefined) throw new Error('usage: pack.ts FACTS.json [OUTDIR]');
const facts = JSON.parse(readFileSync(factsPath, 'utf8')) as Facts;
check(facts.format === FORMAT, `the facts have format ${FORMAT}`);
mkdirSync(outDir, { recursive: true });

/** What most runs do not ask for: functions, so that a bundle can leave the text in a file of its own (build.mjs). */
const RARE: ReadonlySet<string> = new Set([
  'REAL_OPCODE_NAMES',
  'OPCODE_MAPS',
  'ENCODINGS',
  'FEATURE_TEXTS',
  'OPCODE_UNIFORMITY',
  'SOURCES_OF_DIVERGENCE',
  'ALWAYS_UNIFORM',
]);

let total = 0;
let totalGz = 0;
function write(file: string, what: string, parts: Record<string, string>): void {
  let text = `/**\n * ${what}\n *\n * Made by \`npm run gen\` from LLVM ${facts.llvm}; do not edit. Read by ../packed.ts.\n */\n`;
  for (const [name, value] of Object.entries(parts)) {
    check(!/["\\\n]/.test(value), 'packed text needs no escapes');
    text += `export const ${name} =${RARE.has(name) ? ' (): string =>' : ''}\n  "${value}";\n`;
  }
  writeFileSync(join(outDir, file), text);
  const gz = gzipSync(text).length;
  total += text.length;
  totalGz += gz;
  console.log(`${file}: ${text.length} bytes, ${gz} gzipped`);
}

write('opcodes.ts', 'Opcode names, descriptors and mappings.', {
  LLVM_VERSION: facts.llvm,
  ...packInstrs(facts),
});
write('registers.ts', 'Registers, register units, sub-register indices, register masks.', packRegs(facts));
write('classes.ts', 'Register classes.', packClasses(facts));
write('subtargets.ts', 'Features, processors, encodings and calling conventions.', packSubtargets(facts));
write('sched.ts', 'Scheduling models.', packSched(facts));
write('uniformity.ts', 'What divergence analysis asks of opcodes and intrinsics.', packUniformity(facts));
console.log(`total: ${total} bytes, ${totalGz} gzipped`);
