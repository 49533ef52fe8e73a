/**
 * Makes the two files that let a fresh process start fast, by running the built command on the examples:
 * dist/server/tables.bin, the target tables as a typical run decodes them (server/src/target/arrayStore.ts), and
 * dist/server/cli.cache, V8's compiled code of cli.js (server/src/launch.ts). Run by build.mjs:
 * `node makeStartFiles.cjs ROOT tables`, then `node makeStartFiles.cjs ROOT code`.
 */
const { readdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const [root, what] = process.argv.slice(2);
const server = join(root, 'dist/server');
const examples = join(root, 'examples');
const inputs = readdirSync(examples).filter((f) => f.endsWith('.mir'));
const { cli, compiledCode } = require(join(server, 'amdgpu-mir.js'));

/** Once with each pass: V8 keeps what ran; what ran often it may have replaced by machine code, which a cache does not hold. */
function runExamples() {
  for (const pass of ['amdgpu-print-rp', 'machine-scheduler'])
    for (const input of inputs)
      cli.runLlcToStrings(['-mtriple=amdgcn', '-mcpu=gfx90a', `-run-pass=${pass}`, '-o', '-', join(examples, input)]);
}

if (what === 'tables') {
  writeFileSync(join(server, 'tables.bin'), cli.recordTables(runExamples));
} else {
  cli.useStoredTables(server);
  runExamples();
  writeFileSync(join(server, 'cli.cache'), compiledCode());
}
