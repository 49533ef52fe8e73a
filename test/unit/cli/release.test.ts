/** `npm run release -- --dry-run`: what it takes from the changelog, the bill of materials, and that npm takes the package. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NODE_COMMAND } from '../../support/builtCommand.js';
import { sayAndSkip } from '../../support/skip.js';

const ROOT = resolve(__dirname, '..', '..', '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

interface Bom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly { 'bom-ref': string; group?: string; name: string; version: string }[];
  readonly dependencies: readonly { ref: string; dependsOn?: readonly string[] }[];
}
interface Release {
  sectionOf(changelog: string, version: string): string | undefined;
  shippedAlone(bom: Bom, shipped: readonly { name: string; version: string }[]): Bom;
}
const release = async (): Promise<Release> =>
  (await import(pathToFileURL(join(ROOT, 'packaging', 'release.mjs')).href)) as Release;

describe('a release', function () {
  this.timeout(0);

  it('has its notes from the section of its version in the changelog', async () => {
    const { sectionOf } = await release();
    const changelog =
      '# Changes\n\n## [Unreleased]\n\n- u\n\n## [1.2.0] - 2026-12-01\n\n### Added\n\n- a\n\n## 1.1.0\n\n- b\n';
    assert.equal(sectionOf(changelog, '1.2.0'), '### Added\n\n- a');
    assert.equal(sectionOf(changelog, '1.1.0'), '- b');
    assert.equal(sectionOf(changelog, '1.2'), undefined);
    assert.match(sectionOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version) ?? '', /^### /m);
  });

  it('has a bill of materials with what ships, and nothing that only builds it', async () => {
    const { shippedAlone } = await release();
    const component = (name: string, group?: string) => ({
      'bom-ref': group ? `${group}/${name}` : name,
      name,
      version: '1.0.0',
      ...(group === undefined ? {} : { group }),
    });
    const bom: Bom = {
      metadata: { component: { 'bom-ref': 'root' } },
      components: [component('dagre', '@dagrejs'), component('eslint'), component('graphlib', '@dagrejs')],
      dependencies: [
        { ref: 'root', dependsOn: ['@dagrejs/dagre', 'eslint'] },
        { ref: '@dagrejs/dagre', dependsOn: ['@dagrejs/graphlib'] },
        { ref: 'eslint', dependsOn: ['@dagrejs/graphlib'] },
      ],
    };
    const own = shippedAlone(bom, [
      { name: '@dagrejs/dagre', version: '1.0.0' },
      { name: '@dagrejs/graphlib', version: '1.0.0' },
    ]);
    assert.deepEqual(
      own.components.map(({ name }) => name),
      ['dagre', 'graphlib'],
    );
    assert.deepEqual(own.dependencies, [
      { ref: 'root', dependsOn: ['@dagrejs/dagre'] },
      { ref: '@dagrejs/dagre', dependsOn: ['@dagrejs/graphlib'] },
    ]);
  });

  it('is not published by the script', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'packaging', 'release.mjs')], {
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(stderr, /publishing is done by hand/);
  });

  it('is a package that npm publish takes without a word', function () {
    NODE_COMMAND.skipUnlessBuilt.call(this);
    const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-publish-'));
    try {
      const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
      const name = execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' }).trim();
      const file = join(folder, name);
      assert.ok(existsSync(file));
      // The tests may run under `npm run --silent`.
      const words = ['publish', '--dry-run', '--ignore-scripts', '--loglevel=notice', file];
      const { status, stdout, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8', timeout: 120_000 });
      if (/E?NOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/.test(stderr))
        sayAndSkip(this, 'the registry cannot be reached');
      assert.equal(status, 0, stderr);
      const warnings = stderr
        .split('\n')
        .filter((line) => /^npm (?:warn|error)/i.test(line) && !/EBADENGINE|dry-run/.test(line));
      assert.deepEqual(warnings, []);
      assert.match(stdout, new RegExp(`\\+ amdgpu-mir@${version}`));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
