/**
 * Makes dist/bin/amdgpu-mir, the command line as one file that needs no Node (server/src/executable.ts): Bun, an optional package, puts
 * its runtime, the bundles of dist/server, their compiled code and their data into it. Called by build.mjs.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import esbuild from 'esbuild';

/** Multiple of the thresholds from which JavaScriptCore compiles: so high that compilerTiers.ts decides. */
const JIT_POLICY = 1000;
const ENTRY = 'amdgpu-mir.js';
/** The bundles by the modules that the entry requires. They are functions there, called with a module's surroundings. */
const BUNDLES = { './llc.js': 'llc.js', './check.js': 'check.js', './main.js': 'cli.js', './lsp.js': 'lsp.js' };
/** The modules that threads begin with; the entry is one too. */
const THREADS = ['worker.js'];
const FLAGS = [
  '--compile',
  '--bytecode',
  '--minify',
  '--target=bun',
  `--compile-jit-policy=${JIT_POLICY}`,
  // Nothing of the folder where the command happens to run has a say.
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
];

export const EXECUTABLE = join('dist', 'bin', 'amdgpu-mir');
/** Elsewhere Bun's runtime reports its own crashes over the network by default (1.4), which is not ours to allow. */
const PLATFORM = 'linux';

/**
 * Bun's program, or null where the package is not installed: it is optional, and not made for every platform. Its install script puts the
 * program of this platform's package into its own; where npm runs no scripts it is still there.
 */
function findBun() {
  const require = createRequire(import.meta.url);
  for (const [owner, program] of [
    ['bun', 'bin/bun.exe'],
    [`@oven/bun-${process.platform}-${process.arch}`, 'bin/bun'],
  ]) {
    try {
      const bun = join(dirname(require.resolve(`${owner}/package.json`)), program);
      if (spawnSync(bun, ['--version']).status === 0) return bun;
    } catch {
      // Not installed.
    }
  }
  return null;
}

const BEGIN = '(function(exports,require,module,__filename,__dirname){';

/** A module that exports the bundle as a function of a module's surroundings. */
function asModule(source) {
  const isFunction = source.startsWith(BEGIN);
  return `module.exports=${isFunction ? source : `${BEGIN}${source}\n})`}`;
}

/** `options`: esbuild's, as for the other bundles. Returns why there is none, or null. */
export async function makeExecutable(root, options) {
  const target = join(root, EXECUTABLE);
  rmSync(target, { force: true });
  if (process.platform !== PLATFORM) return `it is made for ${PLATFORM} only`;
  const bun = findBun();
  if (bun === null) return 'Bun, an optional package, is not installed';
  const server = join(root, 'dist/server');
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-executable-'));
  try {
    await esbuild.build({
      ...options,
      entryPoints: [join(root, 'server/src/executable.ts')],
      outfile: join(folder, ENTRY),
      external: Object.keys(BUNDLES),
      logLevel: 'warning',
    });
    for (const [module, bundle] of Object.entries(BUNDLES)) {
      writeFileSync(join(folder, module), asModule(readFileSync(join(server, bundle), 'utf8')));
    }
    for (const name of THREADS) copyFileSync(join(server, name), join(folder, name));
    mkdirSync(join(folder, 'data'));
    for (const name of readdirSync(server).filter((f) => /\.(?:txt|bin)$/.test(f))) {
      copyFileSync(join(server, name), join(folder, 'data', name));
    }
    const args = ['build', ...FLAGS, ENTRY, ...THREADS, '--asset', 'data', '--outfile', target];
    const run = spawnSync(bun, args, { cwd: folder, encoding: 'utf8' });
    return run.status === 0 && existsSync(target) ? null : run.stderr || String(run.error ?? 'not written');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
