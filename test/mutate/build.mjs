/**
 * One build of sources and tests in which all mutants are in the code and a number switches one of them on.
 *
 * StrykerJS's instrumenter makes the mutants. Its two helper functions become a comparison and a store, which V8 sees through:
 *
 *     $mut.on === 17 ? a <= b : ($cov[17] = 1, a < b)
 *
 * The build lies in `out/mutate/run`, laid out as the project, so that tests find their files; it has no `../shared` beside it. In
 * `out/mutate/look` lies another, which only says what tests reach and where a mutant differs (`differences.mjs`).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import esbuild from 'esbuild';
import { withDifferences } from './differences.mjs';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const OUT = join(ROOT, 'out', 'mutate');
export const RUN = join(OUT, 'run');
export const LOOK = join(OUT, 'look');
const CACHE = join(OUT, 'cache');

/** Folders of `server/src` whose sources are mutated. */
export const FOLDERS = [
  'filecheck',
  'analysis',
  'passes',
  'model',
  'ir',
  'target',
  'syntax',
  'program',
  'features',
  'host',
  'lsp',
];

/** What tests read besides code: the same files, not copies. No `dist`: what is built has no mutants. */
const LINKED = ['examples', 'docs', 'syntaxes', 'node_modules', 'package.json', 'test/fixtures', 'test/golden'];

/**
 * @typedef {object} Mutant
 * @property {number} id
 * @property {string} file from the project's root
 * @property {number} line
 * @property {number} column
 * @property {string} operator
 * @property {string} original
 * @property {string} replacement
 */

export const hashOf = (...parts) => createHash('sha1').update(JSON.stringify(parts)).digest('hex');

export function filesUnder(folder, wanted) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => relative(ROOT, join(e.parentPath ?? e.path, e.name)))
    .filter(wanted)
    .sort();
}

/** The instrumenter without the rest of Stryker: what it asks its container for is made here. */
function makeInstrumenter() {
  const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn: console.warn, error: console.error };
  const values = new Map([['logger', silent]]);
  const injector = {
    provideValue(token, value) {
      values.set(token, value);
      return injector;
    },
    injectClass: (Class) => new Class(...Class.inject.map((token) => values.get(token))),
  };
  return createInstrumenter(injector);
}

const HEADER_END = '/*mutants*/';

/** Code with mutants numbered from 0, and the mutants; from the cache where the text is known. */
async function instrumented(instrumenter, file) {
  const content = readFileSync(join(ROOT, file), 'utf8');
  const cached = join(CACHE, `${hashOf('1', file, content)}.json`);
  if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8'));
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true };
  const { files, mutants } = await instrumenter.instrument([{ name: file, mutate: true, content }], options);
  const lines = content.split('\n');
  const textOf = ({ start, end }) =>
    start.line === end.line
      ? lines[start.line].slice(start.column, end.column)
      : [
          lines[start.line].slice(start.column),
          ...lines.slice(start.line + 1, end.line),
          lines[end.line].slice(0, end.column),
        ].join('\n');
  const result = {
    code: toJs(files[0].content, file),
    mutants: mutants.map((m) => ({
      id: Number(m.id),
      file,
      line: m.location.start.line + 1,
      column: m.location.start.column + 1,
      operator: m.mutatorName,
      original: textOf(m.location),
      replacement: m.replacement,
    })),
  };
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(cached, JSON.stringify(result));
  return result;
}

function toJs(code, file) {
  const options = { loader: 'ts', format: 'cjs', target: 'node20', sourcefile: file };
  return esbuild.transformSync(code, {
    ...options,
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
  }).code;
}

const HEADER = `var $mut = globalThis.$mut ??= { on: Number(process.env.AMDGPU_MIR_MUTANT ?? -1), covered: new Uint8Array(1 << 18) }, $cov = $mut.covered;${HEADER_END}`;

/** Numbers of this file's mutants become numbers of the build. */
function withMutants(code, first) {
  return (
    HEADER +
    code
      .replace(/stryMutAct_9fa48\("(\d+)"\)/g, (_, id) => `($mut.on === ${first + Number(id)})`)
      .replace(/stryCov_9fa48\(((?:"\d+"(?:, )?)*)\)/g, (_, ids) =>
        ids === '' ? '0' : `(${ids.replace(/"(\d+)"(?:, )?/g, (__, id) => `$cov[${first + Number(id)}] = `)}1)`,
      )
  );
}

/** The code for `LOOK`, its mutants numbered from 0; from the cache where the text is known. */
function looking(code, own, file) {
  const cached = join(CACHE, `${hashOf('look 3', file, code)}.js`);
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  const text = withDifferences(withMutants(code, 0), HEADER_END, (id) => own[id].operator);
  writeFileSync(cached, text);
  return text;
}

const renumbered = (code, first) => code.replace(/(?<=\$cov\[|\$mut\.on === )\d+/g, (id) => String(first + Number(id)));

function write(folder, path, text) {
  const file = join(folder, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Makes the build in `RUN` or `LOOK`; returns all mutants, those of a file side by side. */
export async function build(folder = RUN) {
  const sources = filesUnder('server', (f) => f.endsWith('.ts') && !f.includes('node_modules'));
  const plain = [
    ...filesUnder('test', (f) => f.endsWith('.ts') && !f.startsWith('test/vscode') && !f.startsWith('test/bench')),
    ...filesUnder('client', (f) => f.endsWith('.ts')),
    ...filesUnder('test/bench', (f) => f.endsWith('.ts')),
  ];
  const mutable = new RegExp(`^server/src/(${FOLDERS.join('|')})/(?!(?:generated|llvm22)/)`);
  const instrumenter = makeInstrumenter();
  const mutants = [];
  for (const file of sources) {
    const target = file.replace(/\.ts$/, '.js');
    // Some tests read the sources.
    write(folder, file, readFileSync(join(ROOT, file), 'utf8'));
    if (!mutable.test(file)) {
      write(folder, target, toJs(readFileSync(join(ROOT, file), 'utf8'), file));
      continue;
    }
    const { code, mutants: own } = await instrumented(instrumenter, file);
    const first = mutants.length;
    const isLook = folder === LOOK;
    write(folder, target, isLook ? renumbered(looking(code, own, file), first) : withMutants(code, first));
    for (const m of own) mutants.push({ ...m, id: first + m.id });
  }
  for (const file of plain)
    write(folder, file.replace(/\.ts$/, '.js'), toJs(readFileSync(join(ROOT, file), 'utf8'), file));
  const made = new Set([...sources, ...plain].map((f) => f.replace(/\.ts$/, '.js')));
  for (const name of ['server', 'test']) {
    for (const e of readdirSync(join(folder, name), { recursive: true, withFileTypes: true })) {
      const path = relative(folder, join(e.parentPath ?? e.path, e.name));
      if (e.isFile() && path.endsWith('.js') && !made.has(path)) rmSync(join(folder, path));
    }
  }
  for (const name of LINKED) {
    const link = join(folder, name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link) && existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), link);
  }
  return mutants;
}
