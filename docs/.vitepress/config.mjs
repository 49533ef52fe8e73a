// The documentation as a site: `npm run site` builds it into out/site with VitePress, which npx fetches. The pages are those of docs/.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('..', import.meta.url));
const { repository, description } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const home = repository.url.replace(/^git\+|\.git$/g, '');

/** The first heading of a page. */
const titleOf = (file) => /^# (.+)$/m.exec(readFileSync(`${docs}/${file}`, 'utf8'))?.[1] ?? file;
const page = (file) => ({ text: titleOf(file), link: `/${file.replace(/\.md$/, '')}` });
const pagesOf = (folder) =>
  readdirSync(`${docs}/${folder}`)
    .filter((name) => name.endsWith('.md') && name !== 'README.md' && name !== 'index.md')
    .sort()
    .map((name) => page(folder + name));

export default {
  title: 'amdgpu-mir',
  description,
  outDir: '../out/site',
  cacheDir: '../out/site-cache',
  cleanUrls: true,
  // Pages name files of the repository, too.
  ignoreDeadLinks: true,
  rewrites: { 'llvm/README.md': 'llvm/index.md' },
  // Braces in our pages are MIR, not templates.
  vue: { template: { compilerOptions: { delimiters: ['\u0000{', '}\u0000'] } } },
  themeConfig: {
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: home }],
    sidebar: [
      { text: 'Guide', items: pagesOf('') },
      { text: 'What LLVM does', collapsed: true, items: pagesOf('llvm/') },
    ],
  },
};
