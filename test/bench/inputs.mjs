// Inputs of the benchmarks: our examples, generated functions, and files of the corpus when it lies beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { bigFunction } from './generate.mjs';

const unpack = (path) => JSON.parse(brotliDecompressSync(readFileSync(path)).toString());
const withTarget = (args, text) => `# RUN: llc ${args.join(' ')} %s\n${text}`;

/** Far enough for ranges over several blocks. */
const REACH = 1000;

/** Generated functions whose times give the exponents of growth. */
export const GROWTH = [2500, 10_000, 40_000].map((n) => ({
  name: `generated_${n}`,
  text: bigFunction(n, REACH),
  size: n,
}));

/** `isTypical`: of the size of tests that people write; else one big function. */
export function benchInputs(root, isQuick) {
  const inputs = ['saxpy', 'block_sum', 'gemm_tile'].map((name) => ({
    name,
    text: readFileSync(join(root, 'examples', `${name}.mir`), 'utf8'),
    isTypical: true,
  }));
  const corpus = process.env.AMDGPU_MIR_CORPUS ?? join(root, '..', 'shared', 'corpus');
  if (!existsSync(corpus)) {
    console.log('skipped: the corpus is not here');
    return inputs;
  }
  // Quantiles of the corpus of functions before the scheduler, by size.
  const cases = JSON.parse(readFileSync(join(corpus, 'sched', 'manifest.json'), 'utf8'))
    .map((c) => ({ ...c, nInstrs: c.functions.reduce((n, f) => n + f.instrs, 0) }))
    .sort((a, b) => a.nInstrs - b.nInstrs || (a.name < b.name ? -1 : 1));
  for (const q of isQuick ? [0.5] : [0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9]) {
    const { name, args, shard, nInstrs } = cases[Math.floor(q * cases.length)];
    const found = unpack(join(corpus, 'sched', shard)).cases.find((c) => c.name === name);
    inputs.push({ name, text: withTarget(args, found.input), isTypical: nInstrs < 2000 });
  }
  const large = JSON.parse(readFileSync(join(corpus, 'large', 'manifest.json'), 'utf8'));
  for (const { name, args } of isQuick ? large.slice(3, 4) : large) {
    const { input } = unpack(join(corpus, 'large', `${name}.json.br`));
    inputs.push({ name, text: withTarget(args, input), isTypical: false });
  }
  return inputs;
}
