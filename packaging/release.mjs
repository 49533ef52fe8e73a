#!/usr/bin/env node
/**
 * `npm run release -- --dry-run [--without=tests,executables,sbom]`: builds all that a release has, checks it, puts it into out/release and says
 * what would be published, and by which commands. Publishing itself is the owner's: nothing here has the rights to, so that --dry-run is not
 * optional. Ends with 1 when a check fails.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PLATFORMS } from '../server/tools/makeExecutable.mjs';
import { bundledPackages } from '../server/tools/makeNotices.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'out', 'release');
const CYCLONEDX = '@cyclonedx/cyclonedx-npm@6.0.1';
/** As in client/package.mjs: two releases of the same sources are equal. */
const EPOCH = '@499162500';
/** First bytes of a program, by the system that it is for. */
const MAGIC = { linux: '7f454c46', macos: 'cffaedfe', windows: '4d5a' };

/** The section of a version in a changelog in the form of keepachangelog.com, without its heading; undefined where there is none. */
export function sectionOf(changelog, version) {
  const heading = new RegExp(`^## \\[?${version.replaceAll('.', '\\.')}\\]?(?: .*)?$`, 'm').exec(changelog);
  if (!heading) return undefined;
  const body = changelog.slice(heading.index + heading[0].length);
  const end = body.search(/^## /m);
  return (end < 0 ? body : body.slice(0, end)).trim();
}

/** A bill of materials with what ships alone: the packages of which a bundle holds something, of all that npm installs here. */
export function shippedAlone(bom, shipped) {
  const components = bom.components.filter(({ name, group, version }) =>
    shipped.some((s) => s.name === (group ? `${group}/${name}` : name) && s.version === version),
  );
  const refs = new Set([bom.metadata.component['bom-ref'], ...components.map((c) => c['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((d) => ({ ...d, dependsOn: d.dependsOn?.filter((ref) => refs.has(ref)) }));
  return { ...bom, components, dependencies };
}

function main(args) {
  const without = new Set(args.flatMap((arg) => /^--without=(.*)$/.exec(arg)?.[1].split(',') ?? []));
  if (!args.includes('--dry-run')) {
    console.error('release: publishing is done by hand, with the commands that --dry-run prints');
    return 2;
  }
  const problems = [];
  const run = (program, words, options = {}) =>
    execFileSync(program, words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  const step = (name, work) => {
    console.log(`== ${name}`);
    try {
      work();
    } catch (error) {
      problems.push(`${name}: ${error.stderr || error.message}`);
    }
  };
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { version } = manifest;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });

  step('the sources', () => {
    if (run('git', ['status', '--porcelain', '--untracked-files=no']).trim() !== '')
      problems.push('the work tree has changes');
    const changes = sectionOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
    if (!changes) problems.push(`CHANGELOG.md says nothing of ${version}`);
    else writeFileSync(join(out, 'NOTES.md'), `${changes}\n`);
  });
  if (!without.has('tests')) step('the tests', () => run('npm', ['test'], { stdio: 'inherit' }));
  step('the build', () => run('node', ['build.mjs', ...(without.has('executables') ? [] : ['--executables'])]));
  step('the npm package', () => {
    run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out]);
    const words = ['publish', '--dry-run', '--ignore-scripts', join(out, `amdgpu-mir-${version}.tgz`)];
    const { status, stderr } = spawnSync('npm', words, { cwd: root, encoding: 'utf8' });
    const warnings = stderr
      .split('\n')
      .filter((line) => /^npm (?:warn|error)/i.test(line) && !/EBADENGINE|dry-run/.test(line));
    if (status !== 0 || warnings.length > 0) problems.push(...warnings, `npm publish --dry-run ends with ${status}`);
  });
  step('the extension', () => {
    const text = run('node', ['client/package.mjs'], { stdio: ['ignore', 'pipe', 'pipe'] });
    if (/WARN/.test(text)) problems.push(`vsce: ${text}`);
    cpSync(join(root, 'amdgpu-mir.vsix'), join(out, `amdgpu-mir-${version}.vsix`));
  });
  if (!without.has('executables')) step('the executables', () => archive(run, version, problems));
  if (!without.has('sbom')) {
    step('the bill of materials', () => {
      const words = [
        'exec',
        '--yes',
        `--package=${CYCLONEDX}`,
        '--',
        'cyclonedx-npm',
        '--output-format',
        'JSON',
        '--output-reproducible',
      ];
      const bom = JSON.parse(run('npm', [...words, '--ignore-npm-errors', '--mc-type', 'application']));
      const metafile = JSON.parse(readFileSync(join(root, 'dist', 'metafile.json'), 'utf8'));
      const shipped = bundledPackages(metafile).map((folder) =>
        JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
      );
      const own = shippedAlone(bom, shipped);
      if (own.components.length !== shipped.length)
        problems.push(`the bill of materials has ${own.components.length} of ${shipped.length} packages`);
      writeFileSync(join(out, 'amdgpu-mir.cdx.json'), `${JSON.stringify(own, null, 2)}\n`);
    });
  }
  const names = readdirSync(out).sort();
  const sums = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex')}  ${name}\n`,
  );
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));

  console.log(`\nWhat would be published of ${version}, in out/release:`);
  for (const name of [...names, 'SHA256SUMS'])
    console.log(`  ${(statSync(join(out, name)).size / 1e6).toFixed(2).padStart(7)} MB  ${name}`);
  console.log(`
by (the repository is ${manifest.repository.url}: it has to be yours, and there)
  git tag v${version} && git push origin v${version}
  npm publish out/release/amdgpu-mir-${version}.tgz --provenance
  npx @vscode/vsce publish --packagePath out/release/amdgpu-mir-${version}.vsix
  npx ovsx publish out/release/amdgpu-mir-${version}.vsix
  gh release create v${version} --notes-file out/release/NOTES.md out/release/*`);
  for (const problem of problems) console.error(`release: ${problem}`);
  console.log(
    problems.length === 0
      ? 'all checks passed'
      : `${problems.length} ${problems.length === 1 ? 'check' : 'checks'} failed`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** An archive for each platform. The programs of others cannot be run here; that they are of the right kind can be seen. */
function archive(run, version, problems) {
  for (const platform of Object.keys(PLATFORMS)) {
    const folder = join(root, 'dist', 'executables', platform);
    const program = existsSync(folder) && readdirSync(folder).find((name) => /^amdgpu-mir(?:\.exe)?$/.test(name));
    if (!program) {
      problems.push(`no executable for ${platform}`);
      continue;
    }
    const head = Buffer.alloc(4);
    readSync(openSync(join(folder, program), 'r'), head, 0, 4, 0);
    const [system] = platform.split('-');
    if (!head.toString('hex').startsWith(MAGIC[system])) problems.push(`${platform}: not a program of ${system}`);
    if (
      platform === `${process.platform}-${process.arch}` &&
      !run(join(folder, program), ['--version']).includes(version)
    )
      problems.push(`${platform}: --version does not tell ${version}`);
    for (const name of ['LICENSE', 'dist/server/ThirdPartyNotices.txt'])
      cpSync(join(root, name), join(folder, name.split('/').at(-1)));
    const file = join(out, `amdgpu-mir-${version}-${platform}.tar.xz`);
    const words = [
      '--sort=name',
      `--mtime=${EPOCH}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '-C',
      folder,
      '-cJf',
      file,
      '.',
    ];
    run('tar', words, { env: { ...process.env, XZ_OPT: '-6' } });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main(process.argv.slice(2));
