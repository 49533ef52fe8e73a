/**
 * Writes lackedOpcodes.ts of a release: for each processor, the opcodes that have an encoding in its generation and whose instruction it lacks
 * all the same (`v_mov_b64` on gfx900), as the assembler says. LLVM's tables of encodings do not tell: its selector asks predicates of its own.
 *
 * usage: pack.ts MNEMONICS [llvm-24] (what mnemonics.cpp prints; the assembler is LLVM_MC, of 24 assemble24.py with LLVM24_PYTHON). Of opcodes that are
 * new in 24 no mnemonic is known: none of them is lacked.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSubtarget, listCpus, McFlag } from '../../src/target/index.js';
import { releaseOf } from '../../src/target/release.js';
import { ints, strings } from '../pack/encode.js';

const TRIPLE = 'amdgcn-amd-amdhsa';
const MC = process.env.LLVM_MC ?? 'llvm-mc-22';
const PYTHON = process.env.LLVM24_PYTHON ?? 'python3';
const is24 = process.argv[3] === 'llvm-24';
const release = releaseOf(is24 ? 'llvm-24' : 'llvm-22');

const mnemonicOf = new Map(
  readFileSync(process.argv[2]!, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/) as [string, string]),
);

/** What encoded opcodes have after the name that those of all generations share. */
const GENERATION = /_(?:gfx\w+|vi|ci|si)$/;
/** by that name: LLVM 24 encodes some opcodes for generations for which 22 does not */
const sharedMnemonics = new Map([...mnemonicOf].map(([name, mnemonic]) => [name.replace(GENERATION, ''), mnemonic]));

/** Endings of mnemonics that ask for one encoding, by those of opcodes. */
const ENCODINGS: readonly (readonly [RegExp, string])[] = [
  [/_e64_dpp/, '_e64_dpp'],
  [/_sdwa/, '_sdwa'],
  [/_dpp/, '_dpp'],
];

/** What the assembler is asked for an encoded opcode. */
function wordOf(name: string): string | null {
  const mnemonic = mnemonicOf.get(name) ?? (is24 ? sharedMnemonics.get(name.replace(GENERATION, '')) : undefined);
  if (mnemonic === undefined) return null;
  return mnemonic + (ENCODINGS.find(([ending]) => ending.test(name))?.[1] ?? '');
}

/** The words that the processor lacks; what is missing after a word is another matter. */
function lackedWords(words: readonly string[], cpu: string, lanes: 32 | 64): Set<string> {
  const features = `+wavefrontsize${lanes}`;
  const [program, args] = is24
    ? [PYTHON, [join(__dirname, 'assemble24.py'), TRIPLE, cpu, features]]
    : [MC, [`-triple=${TRIPLE}`, `-mcpu=${cpu}`, `-mattr=${features}`, '-o', '-', '-']];
  const { stderr } = spawnSync(program, args, {
    input: `${words.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  // The line that a message is about stands after it.
  const messages = stderr.matchAll(
    /error: (instruction not supported on this GPU|\w+ variant of this instruction is not supported)?[^\n]*\n *([^\n]*)/g,
  );
  const lacked = new Set<string>();
  let n = 0;
  for (const [, isLacked, word] of messages) {
    n++;
    if (isLacked !== undefined) lacked.add(word!.trim());
  }
  if (n === 0) throw new Error(`${program} says nothing of ${cpu}: ${stderr.slice(0, 300)}`);
  return lacked;
}

/** An opcode of such a name is one that is encoded somewhere, or nowhere. */
const HAS_ENCODING = /_(?:e32|e64|dpp|sdwa)$|^S_\w*_(?:IMM|SGPR)$/;

const { tables } = release;
/** names of LLVM 22 */
const KNOWN = new Set(
  Array.from({ length: releaseOf().tables.nOpcodes }, (_, opc) => releaseOf().tables.opcodeName(opc)),
);
const words = [...new Set([...mnemonicOf.keys()].map((name) => wordOf(name)!))].sort();
const keys: string[] = [];
const numbers: number[] = [];
const lists: number[][] = [];
for (const cpu of listCpus(TRIPLE, release)) {
  for (const lanes of [64, 32] as const) {
    const st = createSubtarget(TRIPLE, cpu, `+wavefrontsize${lanes}`, release);
    if (st.wavefrontSize !== lanes || !st.tables.isAMDGCN) continue;
    const lacked = lackedWords(words, cpu, lanes);
    const list: number[] = [];
    for (let opc = 0; opc < tables.nOpcodes; opc++) {
      if (((tables.opcodeFlagsLo(opc) >>> McFlag.Pseudo) & 1) === 0) continue;
      const real = st.mcOpcode(opc);
      if (real < 0) continue;
      const word = wordOf(tables.opcodeName(real));
      if (is24 && word === null && !KNOWN.has(tables.opcodeName(opc))) continue;
      if (word === null ? HAS_ENCODING.test(tables.opcodeName(opc)) : lacked.has(word)) list.push(opc);
    }
    keys.push(`${cpu} ${lanes}`);
    let k = lists.findIndex((l) => l.join() === list.join());
    if (k < 0) k = lists.push(list) - 1;
    numbers.push(k);
  }
}
const packed = strings(keys) + ints(numbers) + lists.map((l) => ints(l)).join('');
writeFileSync(
  join(__dirname, `../../src/target/llvm${is24 ? 24 : 22}/lackedOpcodes.ts`),
  `/**
 * Opcodes that processors lack though their generation encodes them.
 *
 * Made by ${is24 ? 'server/tools/gen24.sh' : '\`npm run gen\`'} from LLVM ${release.version}; do not edit. Read by ../packed.ts.
 */
export const ${is24 ? 'LACKED_OPCODES_24' : 'LACKED_OPCODES'} = (): string =>
  ${JSON.stringify(packed)};
`,
);
console.log(`${keys.length} processors, ${lists.length} lists, ${lists.map((l) => l.length).join(' ')} opcodes`);
