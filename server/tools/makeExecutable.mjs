/**
 * Makes dist/bin/amdgpu-mir, the command line as one file that needs no Node (server/src/executable.ts): Bun puts its
 * runtime, the bundles of dist/server, their compiled code and their data into it. Called by build.mjs.
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

const ENTRY = 'amdgpu-mir.js';
/** The bundles by the modules that the entry requires. They are functions there, called with a module's surroundings. */
const BUNDLES = {
  './llc.js': 'llc.js',
  './long.js': 'long.js',
  './check.js': 'check.js',
  './filecheck.js': 'filecheck.js',
  './main.js': 'cli.js',
  './lsp.js': 'lsp.js',
};
/** The modules that threads begin with, with all texts inside; the entry is one too. */
const THREADS = ['worker.js'];
const FLAGS = [
  '--compile',
  '--bytecode',
  '--minify',
  '--target=bun',
  // Nothing of the folder where the command happens to run has a say.
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
];

const BUN_LIMIT_MS = 120_000;

export const EXECUTABLE = join('dist', 'bin', 'amdgpu-mir');
/** Elsewhere Bun's runtime reports its own crashes over the network by default (1.4), which is not ours to allow. */
export const EXECUTABLE_PLATFORM = 'linux';

/**
 * Bun's program. The install script of the package moves it there from the package of this platform, of which npm installs those that may
 * fit; where npm runs no scripts it is still there.
 */
export function findBun() {
  const require = createRequire(import.meta.url);
  const { version, optionalDependencies } = require('bun/package.json');
  for (const [owner, program] of [
    ['bun', 'bin/bun.exe'],
    ...Object.keys(optionalDependencies).map((platform) => [platform, 'bin/bun']),
  ]) {
    try {
      const bun = join(dirname(require.resolve(`${owner}/package.json`)), program);
      const { status, stdout } = spawnSync(bun, ['--version'], { encoding: 'utf8', timeout: BUN_LIMIT_MS });
      if (status === 0 && stdout.trim() === version) return bun;
    } catch {
      // Not of this platform.
    }
  }
  throw new Error(
    `Bun ${version} does not run here: no package of ${Object.keys(optionalDependencies).join(', ')} fits`,
  );
}

/** Before the function that a bundle is: a script's value is that function, and a module exports it. */
export const FUNCTION_OF_MODULE = '(typeof module=="object"?module:{}).exports=';
const BEGIN = '(function(exports,require,module,__filename,__dirname){';

/** A module that exports the bundle as a function of a module's surroundings. */
function asModule(source) {
  return source.startsWith(FUNCTION_OF_MODULE) ? source : `module.exports=${BEGIN}${source}\n})`;
}

/** `options`: esbuild's, as for the other bundles; `policy`: of JavaScriptCore at the start (server/src/cli/engines.ts). */
export async function makeExecutable(root, options, policy) {
  const target = join(root, EXECUTABLE);
  rmSync(target, { force: true });
  const bun = findBun();
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
    for (const name of THREADS) copyFileSync(join(root, 'dist/web', name), join(folder, name));
    mkdirSync(join(folder, 'data'));
    for (const name of readdirSync(server).filter((f) => /\.(?:txt|bin)$/.test(f))) {
      copyFileSync(join(server, name), join(folder, 'data', name));
    }
    const args = [
      'build',
      ...FLAGS,
      `--compile-jit-policy=${policy}`,
      ENTRY,
      ...THREADS,
      '--asset',
      'data',
      '--outfile',
      target,
    ];
    const run = spawnSync(bun, args, { cwd: folder, encoding: 'utf8', timeout: BUN_LIMIT_MS });
    if (run.status !== 0 || !existsSync(target))
      throw new Error(`no ${EXECUTABLE}: ${run.stderr || run.error || 'not written'}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
