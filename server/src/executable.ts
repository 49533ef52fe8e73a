/**
 * The program `amdgpu-mir` as one executable file that needs no Node: Bun's runtime with the bundles, their compiled code and their data
 * inside (server/tools/makeExecutable.mjs). JavaScriptCore starts in a quarter of the time that Node takes, so that a run on a typical file
 * is shorter than llc's.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleFor, type Bundle, type BundleFunction, type BundleName } from './bundles.js';
import type { BundleStart } from './cli/bundleStart.js';

/** The part of Bun's interface that is used here; `main` is the path of this module inside the executable. */
declare const Bun: { readonly main: string };

const folder = dirname(Bun.main);
const read = (name: string): Buffer => readFileSync(join(folder, 'data', name));

/**
 * Each entry stands in a `require` of its own, by which Bun finds what belongs into the executable: not the module of that name but the
 * bundle that is made of it.
 */
const bundles: Record<BundleName | 'lsp', () => BundleFunction> = {
  llc: () => require('./llc.js') as BundleFunction,
  check: () => require('./check.js') as BundleFunction,
  filecheck: () => require('./filecheck.js') as BundleFunction,
  cli: () => require('./main.js') as BundleFunction,
  lsp: () => require('./lsp.js') as BundleFunction,
};

function load(name: BundleName | 'lsp'): Bundle {
  const bundle = { exports: {} as Bundle, readText: (file: string) => read(file).toString('latin1') };
  bundles[name]()(bundle.exports, require, bundle, join(folder, `${name}.js`), folder);
  return bundle.exports;
}

const start: BundleStart = { program: Bun.main, read, loadServer: () => void load('lsp') };
const args = process.argv.slice(2);
load(bundleFor(args)).main(args, start);
