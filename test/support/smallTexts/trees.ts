/**
 * The trees of the small texts as they are listed: `test/golden/trees/NAME.br`. `npx tsx test/support/smallTexts/trees.ts [NAME...]` makes them
 * anew. A tree is ours, so that a listing is kept only where llc-22 answers the text as we do (golden.ts) and where each node says what its
 * text says (treeText.ts): what the tests notice then is that a tree has changed.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { decodeBytes } from '../../../server/src/disk/fileBytes.js';
import {
  CFI_WORDS,
  dumpTree,
  parseMirFile,
  STRIDE,
  SyntaxKind,
  type MirFile,
  type Tree,
} from '../../../server/src/syntax/index.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { checkTreeText } from '../treeText.js';
import { ourAnswer, readSmallTexts, TEXTS } from './golden.js';

const FOLDER = join(__dirname, '..', '..', 'golden', 'trees');
const fileOf = (name: string): string => join(FOLDER, `${name}.br`);

/** Texts have one character per byte. */
const parsed = (text: string): MirFile =>
  parseMirFile(new SourceText(decodeBytes(Buffer.from(text, 'latin1'))), new Interner());

function cfiWords(tree: Tree): string[] {
  const words: string[] = [];
  for (let n = 0; n < tree.size; n += STRIDE)
    if (tree.kind(n) === SyntaxKind.CFIOperand) words.push(CFI_WORDS[tree.value(n)]);
  return words;
}

/** The listing with the words and codes that it leaves out, and what an update of the file goes by. */
function listing(file: MirFile): string {
  const facts = file.documents.map(({ overrun, body, diagnostics }) => {
    const chunks = body?.chunks.map((c) => [c.lines, c.nInstrs, c.labels.length, c.braces.length, c.hasOpenComment]);
    const reported = diagnostics.map(({ code, llcEnd, isFollowUp }) => [code, llcEnd, isFollowUp]);
    const words = body?.chunks.flatMap(({ tree }) => cfiWords(tree));
    return JSON.stringify([overrun, chunks, reported, words]);
  });
  return `${dumpTree(file)}${facts.join(' ')}\n`;
}

export function checkTrees(name: string): void {
  const texts = JSON.parse(brotliDecompressSync(readFileSync(fileOf(name))).toString('utf8')) as [string, string][];
  assert.ok(texts.length > 100);
  for (const [text, expected] of texts) assert.equal(listing(parsed(text)), expected, text);
}

function update(names: readonly string[]): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of names) {
    const kept: [string, string][] = [];
    for (const { text, exit, out, err } of readSmallTexts(name)) {
      const file = parsed(text);
      checkTreeText(file);
      const ours = ourAnswer(text);
      if (ours.exit === exit && ours.out === out && ours.err === err) kept.push([text, listing(file)]);
    }
    writeFileSync(fileOf(name), brotliCompressSync(JSON.stringify(kept)));
    console.log(`${name}: ${kept.length} texts`);
  }
}

if (require.main === module) update(process.argv.length > 2 ? process.argv.slice(2) : Object.keys(TEXTS));
