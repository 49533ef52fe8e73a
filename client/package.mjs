// Makes amdgpu-mir.vsix from the bundles and checks what users would notice: its size, and that nothing is missing.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_BYTES = 4 * 1024 * 1024;
/** Files of a package have no time of their own; those of npm have this one: 1985-10-26T08:15:00Z. */
const EPOCH = '499162500';
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The extension as it will lie in the package. vsce takes no list of files from a package.json that has npm's. */
const stage = join(root, 'dist', 'vsix');

const FILES = [
  'LICENSE',
  'language-configuration.json',
  'syntaxes',
  'dist/client/extension.js',
  'dist/client/flowView.js',
  'dist/client/pressureView.js',
  'dist/client/sweepView.js',
  'dist/server/lsp.js',
  'dist/web',
  'dist/server/ThirdPartyNotices.txt',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => /\.(?:md|png)$/.test(file))
    .map((file) => join('docs', file)),
  'docs/images',
  'examples/gemm_tile.mir',
];
/** What VS Code does not ask for. */
const NOT_OF_THE_EXTENSION = ['bin', 'man', 'scripts', 'devDependencies'];

/** Says where the pictures are to the reader of a page that shows none. */
const PICTURES =
  '*Pictures of all this, where this page shows none: "Welcome: Open Walkthrough...", Register Pressure of AMDGPU MIR.*\n\n';

/**
 * A Markdown file of the repository as a page of the extension. VS Code's page of an extension follows links to the web alone: those to files
 * become words, and what is said of the repository goes. Pictures go into the page; since new versions (1.139) show only those from the
 * web there, the words of each stand below it, and not in its place, where they would come with the sign of a broken picture.
 */
function page(name) {
  const text = readFileSync(join(root, name), 'utf8')
    .replace(/^<!-- repository -->\n[^]*?^<!-- \/repository -->\n/gm, '')
    .replace(/^!\[([^\]]*)\]\(([^)\s]+)\.png\)$/gm, (_, words, picture) => {
      return `![](data:image/png;base64,${readFileSync(join(root, `${picture}.png`), 'base64')})\n*${words}*`;
    })
    .replace(/(?<!!)\[([^\]]*)\]\((?!https:)[^)\s]+\)/g, '$1');
  return text.includes('![](') ? text.replace(/^## /m, `${PICTURES}## `) : text;
}

rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
for (const file of FILES) cpSync(join(root, file), join(stage, file), { recursive: true });
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
for (const key of NOT_OF_THE_EXTENSION) delete manifest[key];
manifest.files = ['**'];
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
// The one with all texts inside does for Node, too.
writeFileSync(join(stage, 'dist/server/worker.js'), "require('../web/worker.js');\n");
for (const name of ['README.md', 'CHANGELOG.md']) writeFileSync(join(stage, name), page(name));

const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
// The bundles hold their dependencies; there is no address of the repository to make links of.
const args = [
  'package',
  '--no-dependencies',
  '--allow-missing-repository',
  '--no-rewrite-relative-links',
  ...['-o', join(root, 'amdgpu-mir.vsix')],
];
// One time for all files, and the order of names: two packages of the same files are equal.
const env = { ...process.env, SOURCE_DATE_EPOCH: process.env.SOURCE_DATE_EPOCH ?? EPOCH, TZ: 'UTC' };
execFileSync(process.execPath, [vsce, ...args], { cwd: stage, env, stdio: 'inherit' });
const { size } = statSync(join(root, 'amdgpu-mir.vsix'));
console.log(`amdgpu-mir.vsix: ${(size / 1024 / 1024).toFixed(2)} MB of at most ${MAX_BYTES / 1024 / 1024} MB`);
if (MAX_BYTES < size) process.exit(1);
