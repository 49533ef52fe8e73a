// The documentation as a site: `npm run site` builds it into out/site with VitePress, which npx fetches. The pages are those of docs/.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
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

/** A picture in the colours of the page, where there are both: docs/images has the dark ones, docs/images/light those of a light theme. */
function inBothThemes(md) {
  const { image } = md.renderer.rules;
  md.renderer.rules.image = (tokens, k, ...rest) => {
    const token = tokens[k];
    const [, name] = /^(?:\.\/)?images\/([\w-]+\.png)$/.exec(token.attrGet('src') ?? '') ?? [];
    if (name === undefined || !existsSync(`${docs}/images/light/${name}`)) return image(tokens, k, ...rest);
    const alt = md.utils.escapeHtml(token.content);
    return ['light/', '']
      .map((folder) => `<img class="${folder ? 'light' : 'dark'}-only" src="./images/${folder}${name}" alt="${alt}">`)
      .join('');
  };
}

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
  markdown: { config: inBothThemes },
  head: [['style', {}, 'html.dark .light-only, html:not(.dark) .dark-only { display: none }']],
  themeConfig: {
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: home }],
    sidebar: [
      { text: 'Guide', items: pagesOf('') },
      { text: 'What LLVM does', collapsed: true, items: pagesOf('llvm/') },
    ],
  },
};
