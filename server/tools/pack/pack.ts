/**
 * Packs the JSON of the extractor into `server/src/target/llvm22/*.ts`; of another release into one file, as differences to it or to LLVM 24.
 *
 * usage: tsx server/tools/pack/pack.ts FACTS.json [OUTDIR]
 *        tsx server/tools/pack/pack.ts FACTS.json --difference FILE NAME BASE       (LLVM24 llvm22; ROCM10 llvm24)
 *
 * Whatever follows from a rule (names of tuples from their parts, sub-registers from position and size) is not
 * stored. The packer applies the rule itself, compares with the facts, and stops when one differs, so a new LLVM
 * that breaks a rule is noticed here and not by a wrong answer.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { LLVM22_TEXTS, LLVM24_TEXTS, type TableName } from '../../src/target/tableTexts.js';
import { check } from './check.js';
import { makeDelta } from './delta.js';
import { pieces, strings } from './encode.js';
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
const before = join(here, '../../src/target/llvm22');
const [factsPath, second, differenceFile, tablesName, baseName] = process.argv.slice(2);
const isDifference = second === '--difference';
const outDir = isDifference ? before : (second ?? before);
if (factsPath === undefined || isDifference !== (baseName !== undefined))
  throw new Error('usage: pack.ts FACTS.json [OUTDIR | --difference FILE NAME BASE]');
const base = baseName === 'llvm24' ? LLVM24_TEXTS : LLVM22_TEXTS;
const facts = JSON.parse(readFileSync(factsPath, 'utf8')) as Facts;
check(facts.format === FORMAT, `the facts have format ${FORMAT}`);
mkdirSync(outDir, { recursive: true });
/** Deltas by name, of another release than that of the whole tables. */
const deltas = new Map<string, string>();

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
  if (isDifference) {
    for (const [name, value] of Object.entries(parts)) deltas.set(name, makeDelta(base.text(name as TableName), value));
    return;
  }
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
  ...packInstrs(facts, isDifference ? base : null),
});
write('registers.ts', 'Registers, register units, sub-register indices, register masks.', packRegs(facts));
write('classes.ts', 'Register classes.', packClasses(facts));
write('subtargets.ts', 'Features, processors, encodings and calling conventions.', packSubtargets(facts));
write('sched.ts', 'Scheduling models.', packSched(facts));
write('uniformity.ts', 'What divergence analysis asks of opcodes and intrinsics.', packUniformity(facts));
if (isDifference) {
  const text = strings([...deltas.keys()]) + pieces([...deltas.values()]);
  check(!/["\\\n]/.test(text), 'packed text needs no escapes');
  writeFileSync(
    differenceFile!,
    `/**\n * Tables of LLVM ${facts.llvm}, as differences to those of ../${baseName}.\n *\n * Made by \`server/tools/gen24.sh\`; do not edit. Read by ../delta.ts.\n */\n` +
      `export const ${tablesName}_TABLES = (): string =>\n  "${text}";\n`,
  );
  total = text.length;
  totalGz = gzipSync(text).length;
}
console.log(`total: ${total} bytes, ${totalGz} gzipped`);
