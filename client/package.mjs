// Makes amdgpu-mir.vsix from the bundles and checks what users would notice: its size, and that nothing is missing.
import { execFileSync } from 'node:child_process';
import { statSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_BYTES = 3 * 1024 * 1024;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
for (const file of [
  'dist/client/extension.js',
  'dist/client/pressureView.js',
  'dist/server/lsp.js',
  'dist/server/worker.js',
]) {
  if (existsSync(join(root, file))) continue;
  console.error(`${file} is missing: run "npm run build" first`);
  process.exit(1);
}
const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
// The bundles hold their dependencies; example.invalid stands for a repository that has no public address yet.
const args = [
  'package',
  '--no-dependencies',
  '--allow-missing-repository',
  '--no-rewrite-relative-links',
  '-o',
  'amdgpu-mir.vsix',
];
execFileSync(process.execPath, [vsce, ...args], { cwd: root, stdio: 'inherit' });
const { size } = statSync(join(root, 'amdgpu-mir.vsix'));
console.log(`amdgpu-mir.vsix: ${(size / 1024 / 1024).toFixed(2)} MB of at most ${MAX_BYTES / 1024 / 1024} MB`);
if (MAX_BYTES < size) process.exit(1);
