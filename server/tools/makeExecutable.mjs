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
/** What Bun is told to compile for another platform. */
function foreign(root, platform) {
  const [name] = PLATFORMS[platform];
  return [`--target=${name.replace('@oven/', '')}`, `--compile-executable-path=${fetchRuntime(root, platform)}`];
}

const BEGIN = '(function(exports,require,module,__filename,__dirname){';

/** A module that exports the bundle as a function of a module's surroundings. */
function asModule(source) {
  return source.startsWith(FUNCTION_OF_MODULE) ? source : `module.exports=${BEGIN}${source}\n})`;
}

/** Platforms that executables are made for, by their names in what is released: Bun's package and its program there. */
export const PLATFORMS = {
  'linux-x64': ['@oven/bun-linux-x64', 'bin/bun'],
  'linux-arm64': ['@oven/bun-linux-aarch64', 'bin/bun'],
  'macos-x64': ['@oven/bun-darwin-x64', 'bin/bun'],
  'macos-arm64': ['@oven/bun-darwin-aarch64', 'bin/bun'],
  'windows-x64': ['@oven/bun-windows-x64', 'bin/bun.exe'],
};

/** Bun's program for a platform of `PLATFORMS`, of the version that runs here: from npm, kept in out/bun. Throws when it cannot be had. */
export function fetchRuntime(root, platform) {
  const [name, program] = PLATFORMS[platform];
  const { version } = createRequire(import.meta.url)('bun/package.json');
  const folder = join(root, 'out', 'bun', `${platform}-${version}`);
  const path = join(folder, program);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const limits = { cwd: folder, encoding: 'utf8', timeout: BUN_LIMIT_MS };
  const npm = spawnSync('npm', ['pack', '--silent', `${name}@${version}`], limits);
  if (npm.status !== 0) throw new Error(`npm pack ${name}@${version}: ${npm.stderr || npm.error}`);
  const file = npm.stdout.trim().split('\n').at(-1);
  const tar = spawnSync('tar', ['xzf', file, '--strip-components', '1'], limits);
  if (tar.status !== 0) throw new Error(`${file}: ${tar.stderr || tar.error}`);
  rmSync(join(folder, file));
  return path;
}

/**
 * `options`: esbuild's, as for the other bundles; `policy`: of JavaScriptCore at the start (server/src/cli/engines.ts); `platform`: of
 * `PLATFORMS`, for which it goes to dist/executables, else this machine's.
 */
export async function makeExecutable(root, options, policy, platform) {
  const program = platform?.startsWith('windows') ? 'amdgpu-mir.exe' : 'amdgpu-mir';
  const target = platform === undefined ? join(root, EXECUTABLE) : join(root, 'dist/executables', platform, program);
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
      ...(platform === undefined ? [] : foreign(root, platform)),
      ENTRY,
      ...THREADS,
      '--asset',
      'data',
      '--outfile',
      target,
    ];
    const run = spawnSync(bun, args, { cwd: folder, encoding: 'utf8', timeout: BUN_LIMIT_MS });
    if (run.status !== 0 || !existsSync(target))
      throw new Error(`no ${target}: ${run.stderr || run.error || 'not written'}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
