/**
 * Writes server/src/target/llvm22/lackedOpcodes.ts: for each processor, the opcodes that have an encoding in its generation and whose instruction it lacks
 * all the same (`v_mov_b64` on gfx900), as the assembler says. LLVM's tables of encodings do not tell: its selector asks predicates of its own.
 *
 * usage: pack.ts MNEMONICS (what mnemonics.cpp prints)
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSubtarget, listCpus, McFlag } from '../../src/target/index.js';
import { MODELLED_LLVM } from '../../src/target/releases.js';
import { ints, strings } from '../pack/encode.js';

const TRIPLE = 'amdgcn-amd-amdhsa';
const MC = process.env.LLVM_MC ?? 'llvm-mc-22';

const mnemonicOf = new Map(
  readFileSync(process.argv[2]!, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/) as [string, string]),
);

/** Endings of mnemonics that ask for one encoding, by those of opcodes. */
const ENCODINGS: readonly (readonly [RegExp, string])[] = [
  [/_e64_dpp/, '_e64_dpp'],
  [/_sdwa/, '_sdwa'],
  [/_dpp/, '_dpp'],
];

/** What the assembler is asked for an encoded opcode. */
function wordOf(name: string): string | null {
  const mnemonic = mnemonicOf.get(name);
  if (mnemonic === undefined) return null;
  return mnemonic + (ENCODINGS.find(([ending]) => ending.test(name))?.[1] ?? '');
}

/** The words that the processor lacks; what is missing after a word is another matter. */
function lackedWords(words: readonly string[], cpu: string, lanes: 32 | 64): Set<string> {
  const args = [`-triple=${TRIPLE}`, `-mcpu=${cpu}`, `-mattr=+wavefrontsize${lanes}`, '-o', '-', '-'];
  const { stderr } = spawnSync(MC, args, { input: `${words.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1 << 28 });
  const lacked = new Set<string>();
  for (const [, line] of stderr.matchAll(
    /^<stdin>:(\d+):\d+: error: (?:instruction not supported on this GPU|\w+ variant of this instruction is not supported)/gm,
  ))
    lacked.add(words[Number(line) - 1]!);
  return lacked;
}

/** An opcode of such a name is one that is encoded somewhere, or nowhere. */
const HAS_ENCODING = /_(?:e32|e64|dpp|sdwa)$|^S_\w*_(?:IMM|SGPR)$/;

const { tables } = createSubtarget(TRIPLE, 'gfx900', '');
const words = [...new Set([...mnemonicOf.keys()].map((name) => wordOf(name)!))].sort();
const keys: string[] = [];
const numbers: number[] = [];
const lists: number[][] = [];
for (const cpu of listCpus(TRIPLE)) {
  for (const lanes of [64, 32] as const) {
    const st = createSubtarget(TRIPLE, cpu, `+wavefrontsize${lanes}`);
    if (st.wavefrontSize !== lanes || !st.tables.isAMDGCN) continue;
    const lacked = lackedWords(words, cpu, lanes);
    const list: number[] = [];
    for (let opc = 0; opc < tables.nOpcodes; opc++) {
      if (((tables.opcodeFlagsLo(opc) >>> McFlag.Pseudo) & 1) === 0) continue;
      const real = st.mcOpcode(opc);
      if (real < 0) continue;
      const word = wordOf(tables.opcodeName(real));
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
  join(__dirname, '../../src/target/llvm22/lackedOpcodes.ts'),
  `/**
 * Opcodes that processors lack though their generation encodes them.
 *
 * Made by \`npm run gen\` from LLVM ${MODELLED_LLVM}; do not edit. Read by ../packed.ts.
 */
export const LACKED_OPCODES = (): string =>
  ${JSON.stringify(packed)};
`,
);
console.log(`${keys.length} processors, ${lists.length} lists, ${lists.map((l) => l.length).join(' ')} opcodes`);
