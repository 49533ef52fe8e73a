/** Comments cite the model of LLVM as `docs/llvm/NAME.md, SECTION[, SECTION | to SECTION | and SECTION]`: chapter and sections exist. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const model = join(root, 'docs', 'llvm');

/** Headings of each chapter by their number: `6`, `6.1`, `A.2`. */
const chapters = new Map(
  readdirSync(model)
    .filter((name) => name !== 'README.md')
    .map((name) => {
      const text = readFileSync(join(model, name), 'utf8');
      const sections = [...text.matchAll(/^#{2,4} ([A-Z0-9]+(?:\.\d+)*)\.? /gm)].map((m) => m[1] as string);
      return [name.replace(/\.md$/, ''), new Set(sections)] as const;
    }),
);

/** File extensions in which comments cite. */
const SOURCE = /\.(?:ts|mjs|js|cpp|h)$/;

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesBelow(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

interface Citation {
  readonly file: string;
  readonly chapter: string;
  readonly sections: readonly string[];
}

const SECTION = String.raw`[A-Z]?\.?\d+(?:\.\d+)*|[A-Z]`;
const CITATION = new RegExp(
  String.raw`docs/llvm/([\w-]+)\.md(?:,\s+((?:${SECTION})(?:(?:,| to| and|, and| or)\s+(?:${SECTION})(?![\w.]*\w))*))?`,
  'g',
);

function citationsOf(path: string): Citation[] {
  // A citation may be wrapped inside a comment.
  const text = readFileSync(path, 'utf8').replace(/\n\s*(?:\*|\/\/)\s+/g, ' ');
  return [...text.matchAll(CITATION)].map((m) => ({
    file: relative(root, path),
    chapter: m[1] as string,
    sections: (m[2] ?? '').match(new RegExp(SECTION, 'g')) ?? [],
  }));
}

describe('the model of LLVM in docs/llvm', () => {
  const own = join('test', 'unit', 'docs', 'llvmModel.test.ts');
  const sources = ['server', 'client', 'test'].flatMap((folder) => sourcesBelow(join(root, folder)));
  const citations = sources.filter((path) => relative(root, path) !== own).flatMap(citationsOf);

  it('is cited', () => {
    assert.ok(citations.length > 40, `only ${citations.length} citations found`);
  });

  it('has every chapter and section that a comment cites', () => {
    const missing: string[] = [];
    for (const { file, chapter, sections } of citations) {
      const known = chapters.get(chapter);
      if (known === undefined) missing.push(`${file}: no chapter ${chapter}`);
      else for (const s of sections) if (!known.has(s)) missing.push(`${file}: no section ${s} in ${chapter}`);
    }
    assert.deepEqual(missing, []);
  });

  it('lists every chapter in its index', () => {
    const index = readFileSync(join(model, 'README.md'), 'utf8');
    assert.deepEqual(
      [...chapters.keys()].filter((name) => !index.includes(`](${name}.md)`)),
      [],
    );
  });

  it('is the only thing of that kind that comments cite', () => {
    const other = sources.filter(
      (path) =>
        relative(root, path) !== own && /\bspec[ /](?:[a-z-]+(?:\.md|[ ,]+\d)|\d)/.test(readFileSync(path, 'utf8')),
    );
    assert.deepEqual(
      other.map((path) => relative(root, path)),
      [],
    );
  });
});
