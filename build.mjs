/**
 * Builds everything that runs: `node build.mjs [--watch] [--no-minify]`.
 *
 *   dist/server/amdgpu-mir.js   the command; loads one of the next three with its compiled code
 *   dist/server/llc.js          `amdgpu-mir llc` without the scheduler, so that starting stays cheap
 *   dist/server/check.js        `amdgpu-mir check` and its worker threads, `explain`
 *   dist/server/cli.js          the rest of the command line, without the language server
 *   dist/server/*.cache         V8's compiled code of the three, for the Node that built it
 *   dist/server/tables.bin      target tables, decoded
 *   dist/server/lsp.js          language server (`amdgpu-mir lsp`, and what the extension starts)
 *   dist/server/worker.js       its analysis worker
 *   dist/server/generated.txt   the big tables of the three as text, which V8 then need not keep as source; those that most runs
 *                               do not ask for in a file each, NAME.txt
 *   dist/bin/amdgpu-mir         all of the command line as one file that needs no Node, where Bun is installed
 *   dist/client/extension.js    the extension
 *   dist/client/pressureView.js the page of its pressure view
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { EXECUTABLE, makeExecutable } from './server/tools/makeExecutable.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const watch = process.argv.includes('--watch');
const minify = !watch && !process.argv.includes('--no-minify');
/**
 * V8 in a short run: compilers off until they pay (server/src/protocol/cli/compilerTiers.ts), no collection of garbage before there is
 * some, and the hash seed of Node's own start data: a new one means that all its tables are hashed again, which protects servers.
 */
const V8_FLAGS = ['--no-opt', '--no-maglev', '--no-sparkplug', '--min-semi-space-size=8', '--no-rehash-snapshot'];
/** Names this build, so that a start file of another one is not taken. */
const build = randomUUID();
const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify,
  sourcemap: watch ? 'inline' : false,
  legalComments: 'none',
  define: {
    AMDGPU_MIR_VERSION: JSON.stringify(version),
    AMDGPU_MIR_BUILD: JSON.stringify(build),
    AMDGPU_MIR_V8_FLAGS: JSON.stringify(V8_FLAGS),
  },
  logLevel: 'info',
  logLimit: 20,
};

/** A bundle for `loadBundle` of launch.ts. */
const asFunction = {
  banner: { js: '(function(exports,require,module,__filename,__dirname){' },
  footer: { js: '})' },
};

/** Takes the scheduler out of a bundle that never runs it. */
const withoutScheduler = {
  name: 'without-scheduler',
  setup(build) {
    const elsewhere = join(root, 'server/src/protocol/cli/schedulerElsewhere.ts');
    build.onResolve({ filter: /[/]schedulerRun\.js$/ }, () => ({ path: elsewhere }));
  },
};

/** Bundles whose entry exists; parts of the tree may be absent in a sparse checkout. */
const bundles = [
  {
    entryPoints: ['server/src/launch.ts'],
    outfile: 'dist/server/amdgpu-mir.js',
    banner: { js: `#!/usr/bin/env -S node ${V8_FLAGS.join(' ')}` },
  },
  {
    entryPoints: ['server/src/llc.ts'],
    outfile: 'dist/server/llc.js',
    plugins: [generatedText(), withoutScheduler],
    ...asFunction,
  },
  {
    entryPoints: ['server/src/main.ts'],
    outfile: 'dist/server/cli.js',
    plugins: [generatedText()],
    ...asFunction,
  },
  { entryPoints: ['server/src/check.ts'], outfile: 'dist/server/check.js', plugins: [generatedText()], ...asFunction },
  { entryPoints: ['server/src/lsp.ts'], outfile: 'dist/server/lsp.js' },
  { entryPoints: ['server/src/worker.ts'], outfile: 'dist/server/worker.js' },
  {
    entryPoints: ['client/webview/pressureView.ts'],
    outfile: 'dist/client/pressureView.js',
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
  },
  { entryPoints: ['client/src/extension.ts'], outfile: 'dist/client/extension.js', external: ['vscode'] },
].filter((b) => existsSync(join(root, b.entryPoints[0])));

/**
 * Takes the long strings of `generated/` folders out of a bundle into one text file beside it. As source they would be
 * parsed, or read back from the code cache and hashed, in every process; as slices of one text they cost a read.
 */
const generated = { text: '', modules: new Map(), rare: new Map() };

function ascii(text, path) {
  if (/[^\x00-\x7f]/.test(text)) throw new Error(`${path} has text that is not ASCII`);
  return text;
}

function generatedText() {
  const LONG = 2000;
  return {
    name: 'generated-text',
    setup(build) {
      build.onLoad({ filter: /[/\\]generated[/\\][^/\\]*\.ts$/ }, ({ path }) => {
        const known = generated.modules.get(path);
        if (known !== undefined) return { contents: known, loader: 'js' };
        const { code } = esbuild.transformSync(readFileSync(path, 'utf8'), { loader: 'ts', format: 'cjs' });
        const module = { exports: {} };
        new Function('module', 'exports', code)(module, module.exports);
        let contents = "import { generatedText, rareText } from 'generated-text';\n";
        for (const [name, value] of Object.entries(module.exports)) {
          if (typeof value === 'function') {
            contents += `export const ${name} = () => rareText(${JSON.stringify(name)});\n`;
            generated.rare.set(name, ascii(value(), path));
            continue;
          }
          if (typeof value !== 'string' || value.length < LONG) {
            contents += `export const ${name} = ${JSON.stringify(value)};\n`;
            continue;
          }
          contents += `export const ${name} = generatedText(${generated.text.length}, ${generated.text.length + value.length});\n`;
          generated.text += ascii(value, path);
        }
        generated.modules.set(path, contents);
        return { contents, loader: 'js' };
      });
      build.onResolve({ filter: /^generated-text$/ }, () => ({ path: 'generated-text', namespace: 'generated-text' }));
      build.onLoad({ filter: /.*/, namespace: 'generated-text' }, () => ({
        // `module` is what launch.ts gives to a bundle.
        contents: `
          const text = module.readText('generated.txt');
          export const generatedText = (start, end) => text.slice(start, end);
          const rare = new Map();
          export function rareText(name) {
            let known = rare.get(name);
            if (known === undefined) rare.set(name, (known = module.readText(name + '.txt')));
            return known;
          }`,
        loader: 'js',
      }));
      build.onEnd(() => {
        writeFileSync(join(root, 'dist/server/generated.txt'), generated.text);
        for (const [name, text] of generated.rare) writeFileSync(join(root, `dist/server/${name}.txt`), text);
      });
    },
  };
}

/**
 * Runs the command on the examples and stores what a fresh process would otherwise decode and compile again. The files
 * are optimisations only: when making them fails, the build says so and goes on.
 */
function makeStartFiles() {
  const files = [
    ['tables', 'tables.bin'],
    ['llc', 'llc.cache'],
    ['check', 'check.cache'],
    ['cli', 'cli.cache'],
  ];
  // Those of an earlier build go first: V8 takes a cache for any source of the same length.
  for (const [, file] of files) rmSync(join(root, 'dist/server', file), { force: true });
  for (const [what, file] of files) {
    const path = join(root, 'dist/server', file);
    const tool = join(root, 'server/tools/makeStartFiles.cjs');
    const run = spawnSync(process.execPath, [...V8_FLAGS, tool, root, what], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (run.status !== 0 || !existsSync(path)) console.warn(`no ${file}: ${run.stderr || run.error || 'not written'}`);
  }
}

mkdirSync(join(root, 'dist/server'), { recursive: true });
if (watch) {
  for (const b of bundles) await (await esbuild.context({ ...common, ...b })).watch();
} else {
  await Promise.all(bundles.map((b) => esbuild.build({ ...common, ...b })));
  chmodSync(join(root, 'dist/server/amdgpu-mir.js'), 0o755);
  // Node asks the nearest package.json for the module type; the project's own is long.
  writeFileSync(join(root, 'dist/server/package.json'), '{"type":"commonjs"}\n');
  makeStartFiles();
  const trouble = await makeExecutable(root, common);
  if (trouble !== null) console.warn(`no ${EXECUTABLE}: ${trouble}`);
}
