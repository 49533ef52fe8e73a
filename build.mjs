/**
 * Builds everything that runs: `node build.mjs [--watch] [--no-minify] [--executables]`.
 *
 *   dist/server/amdgpu-mir.js   the command; loads one of the next five with its compiled code
 *   dist/server/llc.js          `amdgpu-mir llc` without the scheduler and the allocator, so that starting stays cheap
 *   dist/server/long.js         those, which llc.js loads when it comes to one
 *   dist/server/check.js        `amdgpu-mir check` and its worker threads, `explain` and others
 *   dist/server/filecheck.js    `amdgpu-mir filecheck`
 *   dist/server/cli.js          the rest of the command line, without the language server
 *   dist/server/*.cache         V8's compiled code of the five, for the Node that built it
 *   dist/server/tables-*.bin    target tables of a release, decoded
 *   dist/server/lsp.js          language server (`amdgpu-mir lsp`, and what the extension starts)
 *   dist/server/worker.js       its analysis worker
 *   dist/web/server.js          the language server for browsers, a web worker
 *   dist/web/worker.js          its analysis worker, with all texts inside: the .vsix has this one alone, for Node, too
 *   dist/server/generated.txt   the big tables of all these as text, which V8 then need not keep as source; those that most runs
 *                               do not ask for in a file each, NAME.txt
 *   dist/server/ThirdPartyNotices.txt  whose work all this holds, and under which licences
 *   dist/bin/amdgpu-mir         all of the command line as one file that needs no Node (on Linux)
 *   dist/executables/PLATFORM/amdgpu-mir the same for each platform, with --executables
 *   dist/man/amdgpu-mir.1       its man page
 *   dist/client/extension.js    the extension
 *   dist/web/extension.js       the extension in a browser
 *   dist/client/{pressureView,flowView,sweepView,logView}.js the pages of its views
 *   dist/metafile.json          what each bundle is made of, as esbuild tells it
 *
 * Two builds of the same sources with the same Node are equal, byte for byte, in whatever folder (test/unit/cli/packages.test.ts).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import {
  EXECUTABLE,
  EXECUTABLE_PLATFORM,
  FUNCTION_OF_MODULE,
  PLATFORMS,
  makeExecutable,
} from './server/tools/makeExecutable.mjs';
import { findShared, handsOver, takesOver } from './server/tools/longBundle.mjs';
import { makeNotices } from './server/tools/makeNotices.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const watch = process.argv.includes('--watch');
const minify = !watch && !process.argv.includes('--no-minify');
/** What the engines are told from the start. */
const { V8, JAVASCRIPTCORE } = dataOf(join(root, 'server/src/cli/engines.ts'));
/** Stands in the bundles for the name of the build until that is known: `nameBuild` makes it of the bundles. */
const NAMELESS = 'the-name-of-this-build--';
const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  minify,
  sourcemap: watch ? 'inline' : false,
  legalComments: 'none',
  define: {
    AMDGPU_MIR_VERSION: JSON.stringify(version),
    AMDGPU_MIR_BUILD: JSON.stringify(NAMELESS),
  },
  logLevel: 'info',
  logLimit: 20,
};

/** A bundle for `loadBundle` of launch.ts: a script whose value is a function, and a module that exports it. */
const asFunction = {
  banner: { js: `${FUNCTION_OF_MODULE}(function(exports,require,module,__filename,__dirname){` },
  footer: { js: '})' },
};

/** A bundle that VS Code's own Node runs: that of the oldest VS Code that the extension asks for is 20. */
const inEditor = { target: 'node20' };

/** How a bundle of `loadBundle` reads a file that lies beside it, and how one that Node loads does. */
const READ_BY_LAUNCH = 'module.readText';
const READ_BESIDE = `((file) => require('node:fs').readFileSync(__dirname + '/' + file, 'latin1'))`;

/** A bundle that asks for nothing of Node: esbuild refuses it when it does. */
const forBrowsers = { platform: 'browser', target: 'es2022' };

/** Takes the scheduler and the allocator out of a bundle that loads them when it comes to one. */
const withoutLongPasses = {
  name: 'without-long-passes',
  setup(build) {
    build.onResolve({ filter: /\/longPasses\.js$/ }, () => ({
      path: join(root, 'server/src/passes/longPassesElsewhere.ts'),
    }));
  },
};

/** Pages are put together by the extension, not loaded. */
const PAGES = { '.html': 'text', '.css': 'text' };

/**
 * Takes the long strings of generated tables out of a bundle into one text file beside it. As source they would be
 * parsed, or read back from the code cache and hashed, in every process; as slices of one text they cost a read.
 */
const generated = readGenerated();

const LONG = 'server/src/long.ts';
/** What long.js takes from llc.js. */
const shared = findShared(join(root, LONG), await modulesOfLlc());

/** Paths of the modules of which llc.js has something without the long passes. */
async function modulesOfLlc() {
  const plugins = [generatedText(), withoutLongPasses];
  const entryPoints = ['server/src/llc.ts'];
  const { metafile } = await esbuild.build({ ...common, entryPoints, plugins, write: false, metafile: true });
  const [{ inputs }] = Object.values(metafile.outputs);
  return new Set(Object.keys(inputs).flatMap((path) => (inputs[path].bytesInOutput > 0 ? [join(root, path)] : [])));
}

/** Bundles whose entry exists; parts of the tree may be absent in a sparse checkout. */
const bundles = [
  {
    entryPoints: ['server/src/launch.ts'],
    outfile: 'dist/server/amdgpu-mir.js',
    // Without V8's flags: BusyBox's env takes no options there.
    banner: { js: '#!/usr/bin/env node' },
  },
  {
    entryPoints: ['server/src/llc.ts'],
    outfile: 'dist/server/llc.js',
    plugins: [generatedText(), withoutLongPasses, handsOver(root, shared)],
    ...asFunction,
  },
  {
    entryPoints: [LONG],
    outfile: 'dist/server/long.js',
    plugins: [generatedText(), takesOver(root, shared)],
    ...asFunction,
  },
  {
    entryPoints: ['server/src/main.ts'],
    outfile: 'dist/server/cli.js',
    plugins: [generatedText()],
    ...asFunction,
  },
  { entryPoints: ['server/src/check.ts'], outfile: 'dist/server/check.js', plugins: [generatedText()], ...asFunction },
  {
    entryPoints: ['server/src/filecheck.ts'],
    outfile: 'dist/server/filecheck.js',
    plugins: [generatedText()],
    ...asFunction,
  },
  { entryPoints: ['server/src/lsp.ts'], outfile: 'dist/server/lsp.js', ...inEditor },
  { entryPoints: ['server/src/worker.ts'], outfile: 'dist/server/worker.js', plugins: [generatedText(READ_BESIDE)] },
  { entryPoints: ['server/src/worker.ts'], outfile: 'dist/web/worker.js', ...inEditor },
  {
    entryPoints: ['client/webview/pressureView.ts'],
    outfile: 'dist/client/pressureView.js',
    ...forBrowsers,
    format: 'iife',
  },
  { entryPoints: ['client/webview/flowView.ts'], outfile: 'dist/client/flowView.js', ...forBrowsers, format: 'iife' },
  { entryPoints: ['client/webview/logView.ts'], outfile: 'dist/client/logView.js', ...forBrowsers, format: 'iife' },
  { entryPoints: ['client/webview/sweepView.ts'], outfile: 'dist/client/sweepView.js', ...forBrowsers, format: 'iife' },
  { entryPoints: ['server/src/lspWeb.ts'], outfile: 'dist/web/server.js', ...forBrowsers, format: 'iife' },
  {
    entryPoints: ['client/src/extension.ts'],
    outfile: 'dist/client/extension.js',
    ...inEditor,
    external: ['vscode'],
    loader: PAGES,
  },
  {
    entryPoints: ['client/src/extensionWeb.ts'],
    outfile: 'dist/web/extension.js',
    external: ['vscode'],
    loader: PAGES,
    ...forBrowsers,
  },
].filter((b) => existsSync(join(root, b.entryPoints[0])));

function readGenerated() {
  const LONG = 2000;
  const generated = { text: '', modules: new Map(), rare: new Map() };
  // In an order of names: that in which the bundler comes to them is another one in every build.
  const paths = readdirSync(join(root, 'server/src'), { recursive: true })
    .filter((path) => /[/\\](?:generated|llvm22|llvm24|rocm10)[/\\][^/\\]*\.ts$/.test(path))
    .sort()
    .map((path) => join(root, 'server/src', path));
  for (const path of paths) {
    let contents = "import { generatedText, rareText } from 'generated-text';\n";
    for (const [name, value] of Object.entries(dataOf(path))) {
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
  }
  return generated;
}

/** What a module exports that imports nothing. */
function dataOf(path) {
  const { code } = esbuild.transformSync(readFileSync(path, 'utf8'), { loader: 'ts', format: 'cjs' });
  const module = { exports: {} };
  new Function('module', 'exports', code)(module, module.exports);
  return module.exports;
}

function ascii(text, path) {
  if (/[^\x00-\x7f]/.test(text)) throw new Error(`${path} has text that is not ASCII`);
  return text;
}

function generatedText(readText = READ_BY_LAUNCH) {
  return {
    name: 'generated-text',
    setup(build) {
      build.onLoad({ filter: /[/\\](?:generated|llvm22|llvm24|rocm10)[/\\][^/\\]*\.ts$/ }, ({ path }) => ({
        contents: generated.modules.get(path),
        loader: 'js',
      }));
      build.onResolve({ filter: /^generated-text$/ }, () => ({ path: 'generated-text', namespace: 'generated-text' }));
      build.onLoad({ filter: /.*/, namespace: 'generated-text' }, () => ({
        contents: `
          const readText = ${readText};
          const text = readText('generated.txt');
          export const generatedText = (start, end) => text.slice(start, end);
          const rare = new Map();
          export function rareText(name) {
            let known = rare.get(name);
            if (known === undefined) rare.set(name, (known = readText(name + '.txt')));
            return known;
          }`,
        loader: 'js',
      }));
    },
  };
}

/**
 * Runs the command on the examples and stores what a fresh process would otherwise decode and compile again. The files
 * are optimisations only: when making them fails, the build says so and goes on.
 */
function makeStartFiles() {
  const files = [
    ['tables-llvm-22', 'tables-llvm-22.bin'],
    ['tables-llvm-24', 'tables-llvm-24.bin'],
    ['llc', 'llc.cache'],
    ['long', 'long.cache'],
    ['check', 'check.cache'],
    ['filecheck', 'filecheck.cache'],
    ['cli', 'cli.cache'],
  ];
  // Those of an earlier build go first: V8 takes a cache for any source of the same length.
  for (const [, file] of files) rmSync(join(root, 'dist/server', file), { force: true });
  for (const [what, file] of files) {
    const path = join(root, 'dist/server', file);
    const tool = join(root, 'server/tools/makeStartFiles.cjs');
    // The order of V8's tables is the same in every build.
    const run = spawnSync(process.execPath, ['--no-rehash-snapshot', tool, root, what, ...V8.atStart], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (run.status !== 0 || !existsSync(path)) console.warn(`no ${file}: ${run.stderr || run.error || 'not written'}`);
  }
}

/**
 * Writes the bundles, and the name of the build into them: a start file of another build is not taken. Made of what the bundles hold, so
 * that two builds of the same sources are equal. Returns that name.
 */
function nameBuild(results) {
  const files = [
    ...results.flatMap(({ outputFiles }) => outputFiles),
    { path: join(root, 'dist/server/generated.txt'), contents: Buffer.from(generated.text) },
    ...[...generated.rare].map(([name, text]) => ({
      path: join(root, `dist/server/${name}.txt`),
      contents: Buffer.from(text),
    })),
  ];
  const hash = createHash('sha256');
  for (const { path, contents } of files) hash.update(`${relative(root, path)} ${contents.length} `).update(contents);
  const name = hash.digest('hex').slice(0, NAMELESS.length);
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    // One character a byte, whatever the encoding.
    writeFileSync(path, Buffer.from(contents).toString('latin1').replaceAll(NAMELESS, name), 'latin1');
  }
  return name;
}

/** The man page, from the texts of the command's own help. */
async function makeManPage() {
  const entryPoints = ['server/src/cli/manPage.ts'];
  const { outputFiles } = await esbuild.build({ ...common, entryPoints, write: false });
  const module = { exports: {} };
  new Function('module', 'exports', outputFiles[0].text)(module, module.exports);
  mkdirSync(join(root, 'dist/man'), { recursive: true });
  writeFileSync(join(root, 'dist/man/amdgpu-mir.1'), module.exports.manPage());
}

mkdirSync(join(root, 'dist/server'), { recursive: true });
if (watch) {
  writeFileSync(join(root, 'dist/server/generated.txt'), generated.text);
  for (const [name, text] of generated.rare) writeFileSync(join(root, `dist/server/${name}.txt`), text);
  for (const b of bundles) await (await esbuild.context({ ...common, ...b })).watch();
} else {
  const results = await Promise.all(
    bundles.map((b) => esbuild.build({ ...common, ...b, write: false, metafile: true })),
  );
  common.define.AMDGPU_MIR_BUILD = JSON.stringify(nameBuild(results));
  const metafile = {
    inputs: Object.assign({}, ...results.map((result) => result.metafile.inputs)),
    outputs: Object.assign({}, ...results.map((result) => result.metafile.outputs)),
  };
  writeFileSync(join(root, 'dist/metafile.json'), JSON.stringify(metafile));
  await makeNotices(root, metafile);
  chmodSync(join(root, 'dist/server/amdgpu-mir.js'), 0o755);
  // Node asks the nearest package.json for the module type; the project's own is long.
  writeFileSync(join(root, 'dist/server/package.json'), '{"type":"commonjs"}\n');
  await makeManPage();
  makeStartFiles();
  if (process.platform === EXECUTABLE_PLATFORM) await makeExecutable(root, common, JAVASCRIPTCORE.atStart);
  else console.log(`no ${EXECUTABLE}: it is made on ${EXECUTABLE_PLATFORM} only`);
  if (process.argv.includes('--executables'))
    for (const platform of Object.keys(PLATFORMS)) await makeExecutable(root, common, JAVASCRIPTCORE.atStart, platform);
}
