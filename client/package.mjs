// Makes amdgpu-mir.vsix from the bundles and checks what users would notice: its size, and that nothing is missing.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_BYTES = 4 * 1024 * 1024;
/** Files of a package have no time of their own; those of npm have this one: 1985-10-26T08:15:00Z. */
const EPOCH = '499162500';
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The extension as it will lie in the package. vsce takes no list of files from a package.json that has npm's. */
const stage = join(root, 'dist', 'vsix');

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const picturesOf = (walkthroughs) => walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.image));

const FILES = [
  'LICENSE',
  'language-configuration.json',
  'syntaxes',
  'dist/client/extension.js',
  'dist/client/flowView.js',
  'dist/client/pressureView.js',
  'dist/client/sweepView.js',
  'dist/client/logView.js',
  'dist/server/lsp.js',
  'dist/web',
  'dist/server/ThirdPartyNotices.txt',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => /\.(?:md|png)$/.test(file))
    .map((file) => join('docs', file)),
  // The README has its pictures from the repository, as the marketplaces want it.
  ...picturesOf(manifest.contributes.walkthroughs),
  'examples/gemm_tile.mir',
];
/** What VS Code does not ask for. */
const NOT_OF_THE_EXTENSION = ['bin', 'man', 'scripts', 'devDependencies'];

/** A Markdown file of the repository as a page of the extension, without what is said of working in the repository. */
const page = (name) =>
  readFileSync(join(root, name), 'utf8').replace(/^<!-- repository -->\n[^]*?^<!-- \/repository -->\n/gm, '');

/** Keys of a manifest whose texts a user reads. */
const READ =
  /^(?:title|displayName|description|markdownDescription|enumDescriptions|markdownEnumDescriptions|label|altText|contents)$/;
/** What makes the name of a text: the first of these that its object has. */
const nameOf = (value) => value.command ?? value.id ?? value.view ?? value.title ?? value.name;

/**
 * Takes the texts that a user reads out of a manifest into `texts`, by names that stay when texts move: a translation is a file
 * `client/l10n/package.nls.LANGUAGE.json` with the same names. Returns what stands in their place.
 */
function withoutTexts(value, path, texts) {
  if (Array.isArray(value)) {
    return value.map((item, i) => {
      const name = typeof item === 'object' && item !== null ? nameOf(item) : undefined;
      return withoutTexts(item, `${path}.${String(name ?? i).replace(/[^\w-]+/g, '-')}`, texts);
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = path === '' ? key : `${path}.${key}`;
      if (!READ.test(key)) return [key, withoutTexts(item, name, texts)];
      const take = (text, k) => {
        if (typeof text !== 'string' || text.startsWith('$(')) return withoutTexts(text, k, texts);
        if (k in texts && texts[k] !== text) throw new Error(`two texts are called ${k}`);
        texts[k] = text;
        return `%${k}%`;
      };
      return [key, Array.isArray(item) ? item.map((text, i) => take(text, `${name}.${i}`)) : take(item, name)];
    }),
  );
}

rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
for (const file of FILES) cpSync(join(root, file), join(stage, file), { recursive: true });
for (const key of NOT_OF_THE_EXTENSION) delete manifest[key];
manifest.files = ['**'];
// The owner sets the address of the repository in package.json; the others follow from it, as npm has them.
const home = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
manifest.homepage = `${home}#readme`;
manifest.bugs = { url: `${home}/issues` };
const texts = { displayName: manifest.displayName, description: manifest.description };
const contributes = withoutTexts(manifest.contributes, '', texts);
const capabilities = withoutTexts(manifest.capabilities, 'capabilities', texts);
const translations = join(root, 'client', 'l10n');
const translated = existsSync(translations) ? readdirSync(translations) : [];
const localized = {
  ...manifest,
  // Where translations of what the code says are: bundle.l10n.LANGUAGE.json.
  ...(translated.some((name) => name.startsWith('bundle.')) ? { l10n: '.' } : {}),
  displayName: '%displayName%',
  description: '%description%',
  capabilities,
  contributes,
};
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(localized, null, 2)}\n`);
writeFileSync(join(stage, 'package.nls.json'), `${JSON.stringify(texts, null, 2)}\n`);
for (const name of translated) cpSync(join(translations, name), join(stage, name));
// The one with all texts inside does for Node, too.
writeFileSync(join(stage, 'dist/server/worker.js'), "require('../web/worker.js');\n");
for (const name of ['README.md', 'CHANGELOG.md']) writeFileSync(join(stage, name), page(name));

const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
// The bundles hold their dependencies. Links and pictures of the pages become those of the repository.
const args = ['package', '--no-dependencies', '-o', join(root, 'amdgpu-mir.vsix')];
// One time for all files, and the order of names: two packages of the same files are equal.
const env = { ...process.env, SOURCE_DATE_EPOCH: process.env.SOURCE_DATE_EPOCH ?? EPOCH, TZ: 'UTC' };
execFileSync(process.execPath, [vsce, ...args], { cwd: stage, env, stdio: 'inherit' });
const { size } = statSync(join(root, 'amdgpu-mir.vsix'));
console.log(`amdgpu-mir.vsix: ${(size / 1024 / 1024).toFixed(2)} MB of at most ${MAX_BYTES / 1024 / 1024} MB`);
if (MAX_BYTES < size) process.exit(1);
