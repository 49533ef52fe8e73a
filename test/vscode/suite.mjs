// Bundles the mocha suite that runs in the extension host; both hosts load the same files.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './host.mjs';

/** @returns path of the module that exports run() */
export async function buildSuite() {
  const out = join(ROOT, '.vscode-test', 'suite');
  rmSync(out, { recursive: true, force: true });
  await build({
    entryPoints: [join(ROOT, 'test/vscode/suite/index.ts'), join(ROOT, 'test/vscode/suite/extension.test.ts')],
    outdir: out,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return join(out, 'index.js');
}
