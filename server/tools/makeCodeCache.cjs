/**
 * Makes dist/server/cli.cache (see server/src/launch.ts): runs the built command in this process on the examples, so that V8
 * has compiled what a typical run needs, and saves that code. Usage: node makeCodeCache.cjs ROOT; run by build.mjs.
 */
const { readdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = process.argv[2];
const server = join(root, 'dist/server');
const examples = join(root, 'examples');
const inputs = readdirSync(examples).filter((f) => f.endsWith('.mir'));

const { cli, script } = require(join(server, 'amdgpu-mir.js'));
for (const input of inputs) {
  for (const pass of ['none', 'amdgpu-print-rp']) {
    cli.runLlcToStrings(['-mtriple=amdgcn', '-mcpu=gfx90a', `-run-pass=${pass}`, '-o', '-', join(examples, input)]);
  }
}
writeFileSync(join(server, 'cli.cache'), script.createCachedData());
