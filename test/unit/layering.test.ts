/**
 * The architecture as a test (style A1, A2): every import of the project is read, and one that goes up, closes a cycle, or
 * brings a platform where none may be, fails.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const root = join(__dirname, '..', '..');

/** A layer may import itself and the layers listed. `target` stands beside text and syntax: both are below model. */
const BELOW: Record<string, readonly string[]> = {
  util: [],
  text: ['util'],
  target: ['util'],
  commandLine: ['util'],
  filecheck: ['util'],
  syntax: ['util', 'text'],
  model: ['util', 'text', 'syntax', 'target'],
  analysis: ['util', 'text', 'syntax', 'target', 'model'],
  scheduling: ['util', 'commandLine', 'text', 'syntax', 'target', 'model', 'analysis'],
  features: ['util', 'commandLine', 'text', 'syntax', 'target', 'model', 'analysis', 'scheduling'],
  host: ['util', 'commandLine', 'text', 'syntax', 'target', 'model', 'analysis', 'scheduling', 'features'],
  protocol: ['util', 'commandLine', 'text', 'syntax', 'target', 'model', 'analysis', 'scheduling', 'features', 'host'],
  main: [
    'commandLine',
    'protocol',
    'host',
    'features',
    'scheduling',
    'analysis',
    'model',
    'target',
    'syntax',
    'text',
    'util',
  ],
  // The extension shares nothing with the server but the shapes of its own requests.
  client: ['protocol'],
};

/** The one module of the server that the client may import. */
const SHARED_WITH_CLIENT = 'server/src/protocol/customRequests.ts';

function sourceFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sourceFiles(path);
    return /\.ts$/.test(name) ? [path] : [];
  });
}

interface Import {
  file: string;
  specifier: string;
  /** the imported file, relative to the root; null for a package */
  target: string | null;
  typeOnly: boolean;
}

const IMPORT =
  /^(?:import|export)\s+(type\s)?(?:[^'"]*?\sfrom\s+)?'([^']+)'|(?:\bimport|\brequire)\(\s*'([^']+)'\s*\)/gm;

function importsOf(path: string): Import[] {
  const file = relative(root, path).split(sep).join('/');
  const result: Import[] = [];
  for (const match of readFileSync(path, 'utf8').matchAll(IMPORT)) {
    const specifier = match[2] ?? match[3]!;
    let target: string | null = null;
    if (specifier.startsWith('.')) {
      const base = join(dirname(path), specifier).replace(/\.js$/, '');
      const found = [`${base}.ts`, `${base}.d.ts`, join(base, 'index.ts'), base].find((p) => existsSync(p));
      target = relative(root, found ?? base)
        .split(sep)
        .join('/');
    }
    result.push({ file, specifier, target, typeOnly: match[1] !== undefined });
  }
  return result;
}

function layerOf(file: string): string {
  const match = /^server\/src\/(?:([a-zA-Z]+)\/)?/.exec(file);
  if (match) return match[1] ?? 'main';
  return file.startsWith('client/') ? 'client' : 'outside';
}

const imports = [join(root, 'server', 'src'), join(root, 'client', 'src')].flatMap(sourceFiles).flatMap(importsOf);

const show = (i: Import): string => `${i.file} imports ${i.specifier}`;

describe('layering', () => {
  it('reads the imports', () => {
    assert.ok(imports.length > 50, `only ${imports.length} imports found`);
  });

  it('imports go down only', () => {
    const upward = imports.filter((i) => {
      if (i.target === null) return false;
      const from = layerOf(i.file);
      const to = layerOf(i.target);
      if (from === to) return false;
      if (from === 'client') return i.target !== SHARED_WITH_CLIENT;
      return !(BELOW[from] ?? []).includes(to);
    });
    assert.deepEqual(upward.map(show), []);
  });

  it('there is no cycle between files', () => {
    const edges = new Map<string, string[]>();
    for (const { file, target, typeOnly } of imports)
      if (target !== null && !typeOnly) edges.set(file, [...(edges.get(file) ?? []), target]);
    const state = new Map<string, 'open' | 'done'>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of edges.keys()) visit(file, []);
    assert.deepEqual(cycles, []);
  });

  it('node only in protocol and the entry points, outside of what a browser bundle needs', () => {
    const allowed = (file: string): boolean =>
      /^server\/src\/protocol\/(?:node|cli)\//.test(file) || layerOf(file) === 'main' || layerOf(file) === 'client';
    const isNode = (s: string): boolean =>
      s.startsWith('node:') ||
      /^(?:fs|path|os|url|util|child_process|worker_threads|crypto|stream)$/.test(s) ||
      s.endsWith('/node');
    assert.deepEqual(imports.filter((i) => isNode(i.specifier) && !allowed(i.file)).map(show), []);
  });

  it('vscode in the client only, the protocol library from protocol up, its types from features up', () => {
    const wrong = imports.filter(({ file, specifier }) => {
      const layer = layerOf(file);
      if (specifier === 'vscode' || specifier.startsWith('vscode-languageclient')) return layer !== 'client';
      if (specifier === 'vscode-languageserver-types') return !['features', 'host', 'protocol', 'main'].includes(layer);
      if (/^vscode-(?:languageserver|jsonrpc)/.test(specifier)) return !['protocol', 'main'].includes(layer);
      return false;
    });
    assert.deepEqual(wrong.map(show), []);
  });

  it('no other package below protocol', () => {
    const packages = imports.filter(
      (i) => i.target === null && !i.specifier.startsWith('node:') && !i.specifier.startsWith('vscode'),
    );
    assert.deepEqual(packages.map(show), []);
  });

  it('relative imports name an existing file', () => {
    const missing = imports.filter((i) => i.target !== null && !existsSync(join(root, i.target)));
    assert.deepEqual(missing.map(show), []);
  });
});
