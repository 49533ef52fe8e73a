/**
 * What llc-22 answers to many small texts: `test/golden/smallTexts/NAME.br`, a file for each subject. `npx tsx test/support/smallTexts/golden.ts
 * [NAME...]` makes the texts and asks llc-22. Those that it crashes at are left out.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { decodeBytes, encodeBytes } from '../../../server/src/disk/fileBytes.js';
import type { CommandIO } from '../../../server/src/program/commandIO.js';
import { parseLlcOptions } from '../../../server/src/program/llcOptions.js';
import { runLlcOptions, Stop } from '../../../server/src/program/llcRun.js';
import { parseMirFile, syntaxDiagnostics } from '../../../server/src/syntax/index.js';
import { Severity } from '../../../server/src/text/diagnostic.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { llcVerdict, type Verdict } from '../damageVerdict.js';
import { UPDATE } from '../switches.js';
import { withoutAddresses } from '../verify.js';
import { BODY_TEXTS } from './bodyTexts.js';
import { HEADER_TEXTS } from './headerTexts.js';
import { MODULE_TEXTS } from './moduleTexts.js';
import { YAML_TEXTS } from './yamlTexts.js';

const FOLDER = join(__dirname, '..', '..', 'golden', 'smallTexts');
const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=none', '-simplify-mir', '-o', '-'];
const NAME = 'file.mir';
/** llc-22 reads some bodies for ever. */
const SECONDS = 4;

/** Texts have one character per byte. */
export interface SmallText extends Verdict {
  readonly text: string;
  /** llc's first error is one that our syntax layer alone finds */
  readonly isSyntax: boolean;
}

/** `LINE:COLUMN: message` of llc's first error. */
export const firstErrorOfLlc = (err: string): string =>
  /^error: (?:YAML|file\.mir):(\d+:\d+: .*)$/m.exec(err)?.[1] ?? '';

/** The same of the syntax layer; '' = none. */
export function firstSyntaxError(text: string, interner: Interner): string {
  const file = parseMirFile(new SourceText(decodeBytes(Buffer.from(text, 'latin1'))), interner);
  const d = syntaxDiagnostics(file).find((e) => e.severity === Severity.Error);
  if (d === undefined) return '';
  const p = file.text.positionAt(d.llcOffset ?? d.start);
  return `${p.line + 1}:${p.character + 1}: ${d.message}`;
}

export const TEXTS: Readonly<Record<string, () => string[]>> = {
  ...BODY_TEXTS,
  ...YAML_TEXTS,
  ...HEADER_TEXTS,
  ...MODULE_TEXTS,
};

/** llc lists metadata of machine functions in the order of addresses. */
const sorted = (out: string): string =>
  out.replace(/(?:^ {2}- '!\d+ = .*\n)+/m, (list) => `${list.trimEnd().split('\n').sort().join('\n')}\n`);

const comparable = ({ exit, out, err }: Verdict): Verdict => ({
  exit,
  out: sorted(withoutAddresses(out)),
  err: withoutAddresses(err),
});

const OPTIONS = parseLlcOptions([...ARGS, NAME]);

/** Options are read once: that takes as long as a small text. */
export function ourAnswer(text: string): Verdict {
  let out = '';
  let err = '';
  let exit = 0;
  const io: CommandIO = {
    read: () => decodeBytes(Buffer.from(text, 'latin1')),
    stdout: (s) => (out += s),
    stderr: (s) => (err += s),
    isStderrLost: false,
    openFile: () => ({ write: () => undefined, discard: () => undefined }),
  };
  try {
    runLlcOptions(OPTIONS, io);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    exit = error.exitCode;
    err += error.text;
  }
  const latin1 = (s: string): string => encodeBytes(s).toString('latin1');
  return comparable({ exit, out: latin1(out), err: latin1(err) });
}

/** llc's answers to these texts, one after the other. */
export async function answersOfLlc(texts: readonly string[]): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-small-'));
  try {
    const answers: Verdict[] = [];
    for (const text of texts)
      answers.push(comparable(await llcVerdict(folder, NAME, Buffer.from(text, 'latin1'), ARGS, SECONDS)));
    return answers;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const fileOf = (name: string): string => join(FOLDER, `${name}.br`);

export function readSmallTexts(name: string): SmallText[] {
  return JSON.parse(brotliDecompressSync(readFileSync(fileOf(name))).toString('utf8')) as SmallText[];
}

/**
 * What is not compared: numbers that end LLVM's searches in hash tables by chance, of more than 64 bits where they are cut, and constants that
 * its parser of IR reads on from.
 */
const BY_CHANCE = [
  /%(?:stack|fixed-stack|const|jump-table)\.4294967295/,
  /(?:dbg-instr-ref|shufflemask|sgpr0, 4, ?)\(?\d{20}/,
  /load 18446744073709551615 from `/,
  /bfloat 0xR\w{6}/,
  /firstKernArgPreloadReg: \{ offset/,
  // Where a line is broken goes by the length of an address.
  /variable: '!3', debug-info-expression: '!1', debug-info-location: '!4' \}\nbody/,
];

/** Makes the texts of these subjects, or of all, and asks llc-22. */
export async function makeSmallTexts(subjects: readonly string[]): Promise<void> {
  const names = subjects.length > 0 ? subjects : Object.keys(TEXTS);
  mkdirSync(FOLDER, { recursive: true });
  for (const name of names) {
    const texts = [...new Set(TEXTS[name]())].filter((text) => !BY_CHANCE.some((r) => r.test(text)));
    // With AMDGPU_MIR_UPDATE all are asked again.
    const known = new Map(
      UPDATE || !existsSync(fileOf(name)) ? [] : readSmallTexts(name).map((t) => [t.text, { ...t, ...comparable(t) }]),
    );
    const asked = texts.filter((text) => !known.has(text));
    (await answersOfLlc(asked)).forEach((answer, i) =>
      known.set(asked[i], { text: asked[i], ...answer, isSyntax: false }),
    );
    const interner = new Interner();
    for (const [text, t] of known)
      known.set(text, { ...t, isSyntax: t.exit === 1 && firstSyntaxError(text, interner) === firstErrorOfLlc(t.err) });
    const kept = texts.map((text) => known.get(text)).filter((t) => t !== undefined && t.exit !== null);
    const json = Buffer.from(JSON.stringify(kept));
    const params = {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
    };
    writeFileSync(fileOf(name), brotliCompressSync(json, { params }));
    const nRight = kept.filter((t) => t?.exit === 0).length;
    console.log(`smallTexts/${name}: ${kept.length} texts, ${nRight} accepted, ${texts.length - kept.length} crashes`);
  }
}

if (require.main === module) void makeSmallTexts(process.argv.slice(2));
