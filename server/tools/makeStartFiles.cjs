/**
 * Makes the files that let a fresh process start fast, by running the built command on the examples and on `start/*.mir`, which
 * hold what llc's dumps usually hold: dist/server/tables-RELEASE.bin, the target tables as a typical run decodes them
 * (server/src/target/arrayStore.ts), and dist/server/{llc,long,check,filecheck,cli}.cache, V8's compiled code of those bundles
 * (server/src/launch.ts). Run by build.mjs, with V8's flags of a short run: `node makeStartFiles.cjs ROOT tables-RELEASE FLAGS`, then with the
 * name of each bundle. The command writes to this process's standard streams.
 */
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { Module } = require('node:module');
const { join } = require('node:path');
const v8 = require('node:v8');

// Two builds are to be equal. What V8 keeps with a function must not depend on how fast the machine is at the moment: which functions have run (by its processor
// time a run asks for compilers), which have been optimized meanwhile, whose code has gone as too old.
const { setFlagsFromString } = v8;
v8.setFlagsFromString = () => undefined;
process.cpuUsage = () => ({ user: 1, system: 0 });
setFlagsFromString('--no-flush-bytecode');

const [root, what, ...flags] = process.argv.slice(2);
// As the program sets them: the V8 of Node 24 takes no code that was made under the same flags as arguments.
for (const flag of flags) setFlagsFromString(flag);
const server = join(root, 'dist/server');
const release = what.startsWith('tables-') ? what.slice('tables-'.length) : undefined;
const bundle = release !== undefined ? 'cli' : what === 'long' ? 'llc' : what;
const { loadBundle, loaded, start } = launcher();
const { exports: commands } = loadBundle(bundle);

/**
 * The program as a module, under a name without the folder where it was built: V8 keeps that name with the code, and two builds of the same
 * sources are to be equal.
 */
function launcher() {
  const name = './amdgpu-mir.js';
  process.chdir(server);
  const launch = new Module(name);
  launch._compile(readFileSync(name, 'latin1').replace(/^#!.*/, ''), name);
  return launch.exports;
}

/** The inputs and the target options of their RUN lines. */
const inputs = ['examples', 'server/tools/start'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((f) => f.endsWith('.mir'))
    .sort()
    .map((f) => {
      const path = join(root, folder, f);
      const [, words = ''] = /RUN: *llc (.*?)%s/.exec(readFileSync(path, 'latin1')) ?? [];
      return { path, target: words.split(' ').filter((w) => /^-m(?:triple|cpu|attr)=/.test(w)) };
    }),
);

/** Those whose runs start fast. */
const MODELS = ['llvm-22', 'llvm-24'];

/** A whole run of the command, but for the end of the process. What the examples' commands answer after a wait is not waited for. */
function run(args) {
  const { exit } = process;
  process.exit = () => undefined;
  try {
    commands.main(args, start);
  } finally {
    process.exit = exit;
  }
}

/** Once with each pass or option: V8 keeps what ran. */
function runAll(model) {
  for (const { path, target: words } of inputs) {
    const target = [`--model=${model}`, ...words];
    if (bundle === 'check') {
      void commands.runCheck([target[0], path], new commands.BufferedIO());
      void commands.runCheck([target[0], '--schedule', '--json', path], new commands.BufferedIO());
      run(['explain', target[0], path]);
      continue;
    }
    if (bundle === 'filecheck') {
      run([
        'filecheck',
        '--allow-empty',
        '--check-prefix=RUN',
        '--comment-prefixes=COM',
        '--dump-input=never',
        '--input-file',
        path,
        path,
      ]);
      continue;
    }
    // Printing is for the rare run: what a usual file needs for it is in the examples.
    const output = path.includes('examples') ? '-' : '/dev/null';
    run(['llc', ...target, '-run-pass=amdgpu-print-rp', '-o', output, path]);
    if (bundle === 'cli' || what === 'long') run(['llc', ...target, '-run-pass=machine-scheduler', '-o', '-', path]);
  }
}

if (release !== undefined) {
  const [name, bytes] = commands.recordTables(release, () => runAll(release));
  writeFileSync(join(server, name), bytes);
} else {
  for (const model of MODELS) runAll(model);
  // V8 takes compiled code under the flags with which it was stored.
  setFlagsFromString('--flush-bytecode');
  writeFileSync(join(server, `${what}.cache`), loaded.get(what).compiledCode());
}
