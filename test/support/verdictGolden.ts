/**
 * What llc-22 says of small broken files: `test/golden/verdicts.json`. `npx tsx test/support/verdictGolden.ts [FILE...]` asks llc-22 again,
 * after it has added the files.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { llcVerdict, type Verdict } from './damageVerdict.js';
import { withoutAddresses } from './verify.js';

const VERDICTS = join(__dirname, '..', 'golden', 'verdicts.json');
export const VERDICT_ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=none', '-o', '-'];
export const VERDICT_NAME = 'file.mir';

/** Texts have one character per byte. */
export interface GoldenVerdict {
  readonly text: string;
  readonly exit: number | null;
  readonly err: string;
}

export const readVerdicts = (): GoldenVerdict[] => JSON.parse(readFileSync(VERDICTS, 'utf8')) as GoldenVerdict[];

async function askFor(folder: string, text: string): Promise<Verdict> {
  const answer = await llcVerdict(folder, VERDICT_NAME, Buffer.from(text, 'latin1'), VERDICT_ARGS);
  return { ...answer, err: withoutAddresses(answer.err) };
}

/** llc's answers, without the addresses in reports of the verifier. */
export async function askLlc(texts: readonly string[]): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-verdict-'));
  try {
    const answers: Verdict[] = [];
    for (const text of texts) answers.push(await askFor(folder, text));
    return answers;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks all again, after it has added the texts of files. */
export async function makeVerdicts(files: readonly string[]): Promise<void> {
  const texts = new Set([...readVerdicts().map((v) => v.text), ...files.map((file) => readFileSync(file, 'latin1'))]);
  const answers = await askLlc([...texts]);
  const list = [...texts].map((text, i) => ({ text, exit: answers[i]?.exit ?? null, err: answers[i]?.err ?? '' }));
  writeFileSync(VERDICTS, `[\n${list.map((v) => `  ${JSON.stringify(v)}`).join(',\n')}\n]\n`);
  console.log(`verdicts.json: ${list.length} asked`);
}

if (require.main === module) void makeVerdicts(process.argv.slice(2));
