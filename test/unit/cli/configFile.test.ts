/** The configuration of the command line: where it is found, what it may say, and what is said of mistakes in it. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { findConfig, ignoredBy, type Config } from '../../../server/src/cli/configFile.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { runTests } from '../../../server/src/cli/test.js';

const SPILL = readFileSync(resolve(__dirname, '..', '..', '..', 'examples', 'spill.mir'), 'utf8');

describe('the configuration file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-config-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const found = (name: string): Config => {
    const config = findConfig(join(folder, name));
    assert.ok(config !== null && typeof config !== 'string', String(config));
    return config;
  };
  const check = async (...args: string[]): Promise<{ exit: number; out: string; err: string }> => {
    const io = new BufferedIO();
    return { exit: await runCheck(args, io), out: io.out(), err: io.err().replaceAll(folder, '') };
  };

  it('is found upwards from the file, amdgpu-mir.toml before package.json', () => {
    const outer = write('amdgpu-mir.toml', 'model = "llvm-22"\n');
    write('a/package.json', '{ "name": "x" }');
    assert.equal(found('a/b/k.mir').path, outer);
    const inner = write('a/package.json', '{ "amdgpu-mir": { "model": "llvm-24" } }');
    assert.deepEqual([found('a/b/k.mir').path, found('a/b/k.mir').values.get('model')], [inner, ['llvm-24']]);
    const own = write('a/amdgpu-mir.toml', '');
    assert.equal(found('a/k.mir').path, own);
    write('a/amdgpu-mir.toml', '[');
    write('c/package.json', '{ broken');
    assert.equal(found('c/k.mir').path, outer, 'a package.json that is broken is not ours');
  });

  it('has targets, a model and tools, with paths from where it stands', () => {
    write(
      'amdgpu-mir.toml',
      'targets = ["gfx942", "gfx1100:+wavefrontsize64"]\nmodel = "llvm-24"\n[tools]\nllc = "build/bin/llc"\nclang = "clang-22"\ntool-args = ["-O1"]\n',
    );
    const { values, tools } = found('sub/k.mir');
    assert.deepEqual(
      [...values],
      [
        ['target', ['gfx942', 'gfx1100:+wavefrontsize64']],
        ['model', ['llvm-24']],
      ],
    );
    assert.deepEqual(
      [...tools],
      [
        ['llc', [join(folder, 'build/bin/llc')]],
        ['clang', ['clang-22']],
        ['tool-arg', ['-O1']],
      ],
    );
  });

  const problems: readonly (readonly [string, string])[] = [
    ['model = "llvm-24"\ntagets = "gfx942"\n', ":2: unknown key 'tagets'; did you mean 'targets'?"],
    ['[tools]\n\nlcl = "x"\n', ":3: unknown key 'lcl' in tools; did you mean 'llc'?"],
    ['frobnicate = 1\n', ":1: unknown key 'frobnicate'; known are targets, model, tools, ignore"],
    ['\ntargets = ["gfx942", "gfx9000"]\n', ":2: no processor 'gfx9000'; did you mean 'gfx900'?"],
    ['targets = 3\n', ':1: targets is a text, or a list of them'],
    [
      'model = "llvm-19"\n',
      ':1: model is one of auto, llvm-22, llvm-24, rocm-10, llvm-main, llvm-main-2026-01, llvm-main-2026-07',
    ],
    [
      '[[ignore]]\ncode = "spilled"\nreason = "x"\n\n[[ignore]]\ncode = "would-spill"\n',
      ':6: ignoring would-spill needs a reason',
    ],
    ['[[ignore]]\nreason = "x"\n', ':1: what is ignored needs a code, such as "limits-occupancy"'],
    ['[[ignore]]\ncode = "x"\nreason = ""\n', ':2: ignoring x needs a reason'],
    ['ignore = "x"\n', ':1: ignore is a list of tables ([[ignore]])'],
    ['tools = "llc"\n', ':1: tools is a table'],
    ['model = \n', ':1:9: '],
  ];
  for (const [text, message] of problems)
    it(`says where a mistake is: ${message}`, async () => {
      write('amdgpu-mir.toml', text);
      const { exit, out, err } = await check(write('k.mir', SPILL));
      assert.deepEqual([exit, out], [2, '']);
      if (message.endsWith(' ')) assert.ok(err.startsWith(`amdgpu-mir check: /amdgpu-mir.toml${message}`), err);
      else assert.equal(err, `amdgpu-mir check: /amdgpu-mir.toml${message}\n`);
    });

  it('says where a mistake is in package.json', async () => {
    write('package.json', '{\n  "amdgpu-mir": {\n    "modle": "auto"\n  }\n}\n');
    const { exit, err } = await check(write('k.mir', SPILL));
    assert.deepEqual(
      [exit, err],
      [2, "amdgpu-mir check: /package.json:3: unknown key 'modle'; did you mean 'model'?\n"],
    );
  });

  it('gives what the command line does not say', async () => {
    const file = write('k.mir', SPILL);
    write('amdgpu-mir.toml', 'targets = ["gfx906", "gfx1100"]\nmodel = "llvm-22"\n');
    const own = await check('--color=never', file);
    assert.match(own.out, /k\.mir {2}LLVM 22\.1\.8\n/);
    assert.match(own.out, /^ {4}gfx906 wave64[^]*^ {4}gfx1100 wave32/m);
    const given = await check('--color=never', '-mcpu=gfx942', '--model=llvm-24', file);
    assert.match(given.out, /LLVM 24\.0\.0git\n[^]*gfx942 wave64/);
    assert.doesNotMatch(given.out, /gfx906|gfx1100/);
    assert.doesNotMatch((await check('--no-config', file)).out, /gfx1100/);
    const io = new BufferedIO();
    assert.equal(runExplain([file], io), 0);
    assert.match(io.out(), /gfx906 wave64.*LLVM 22\.1\.8/, 'a command for one processor takes the first');
    const other = write('other/amdgpu-mir.toml', 'targets = "gfx908"\n');
    assert.match((await check(`--config=${other}`, file)).out, /gfx908/);
    assert.equal((await check(`--config=${join(folder, 'none.toml')}`, file)).exit, 2);
  });

  it('names programs for those alone who name it', async () => {
    write('amdgpu-mir.toml', '[tools]\nllc = "./llc-of-somebody"\n');
    const test = write(
      't.mir',
      '# RUN: llc -mtriple=amdgcn -run-pass=none -o - %s | FileCheck %s\n# CHECK: name: f\n---\nname: f\n...\n',
    );
    const run = async (...args: string[]): Promise<{ exit: number; err: string }> => {
      const io = new BufferedIO();
      return { exit: await runTests(args, io), err: io.err().replaceAll(folder, '') };
    };
    assert.deepEqual(await run(test), {
      exit: 0,
      err: 'amdgpu-mir test: the tools in /amdgpu-mir.toml are not used without --config=/amdgpu-mir.toml\n',
    });
    const named = await run(`--config=${join(folder, 'amdgpu-mir.toml')}`, test);
    assert.equal(named.exit, 2);
    assert.match(named.err, /\/llc-of-somebody: No such file or directory/);
  });

  it('ignores findings by code and file, counts them and says why', async () => {
    const file = write('sub/k.mir', SPILL);
    const other = write('k.mir', SPILL);
    write('amdgpu-mir.toml', '[[ignore]]\ncode = "spilled"\nfiles = ["sub/**"]\nreason = "known: issue 7"\n');
    const one = await check('--findings', '--color=never', file);
    assert.doesNotMatch(one.out, /\[spilled\]/);
    assert.match(one.out, /\[would-spill\]/);
    assert.match(one.out, /\n1 finding ignored by .*amdgpu-mir\.toml: spilled \(known: issue 7\)\n$/);
    assert.match((await check('--findings', '--color=never', other)).out, /\[spilled\]/);
    const json = JSON.parse((await check('--findings', '--json', file)).out) as { ignored: object[] };
    assert.deepEqual(json.ignored, [{ file, line: 42, code: 'spilled', reason: 'known: issue 7' }]);
    write('amdgpu-mir.toml', '[[ignore]]\ncode = "unknown-opcode"\nreason = "to be written"\n');
    assert.equal((await check(write('bad.mir', SPILL.replace('S_ENDPGM', 'S_FROB')))).exit, 0);
    write('amdgpu-mir.toml', '[[ignore]]\ncode = "unreadable"\nreason = "never"\n');
    assert.equal((await check(join(folder, 'nowhere.mir'))).exit, 2);
  });

  it('has patterns of files as those of other tools', () => {
    const match = (pattern: string, name: string): boolean => {
      const config = { path: join(folder, 'amdgpu-mir.toml'), values: new Map(), tools: new Map() };
      return (
        ignoredBy({ ...config, ignore: [{ code: 'x', reason: 'y', files: [pattern] }] }, join(folder, name), 'x') !==
        null
      );
    };
    for (const [pattern, yes, no] of [
      ['*.mir', ['a.mir', 'b/c.mir'], ['a.mirx']],
      ['b/*.mir', ['b/c.mir'], ['a.mir', 'b/c/d.mir']],
      ['b/**', ['b/c.mir', 'b/c/d.mir'], ['bc/d.mir']],
      ['**/d.mir', ['d.mir', 'b/c/d.mir'], ['bd.mir']],
      ['./b/?.mir', ['b/c.mir'], ['b/cc.mir']],
      ['b/(x).mir', ['b/(x).mir'], ['b/x.mir']],
    ] as const) {
      for (const name of yes) assert.ok(match(pattern, name), `${pattern} ${name}`);
      for (const name of no) assert.ok(!match(pattern, name), `${pattern} ${name}`);
    }
  });
});
