/** `amdgpu-mir test`: what lit 22 says of the same tests, and its exit codes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runTests } from '../../../server/src/cli/test.js';
import { runLitTest } from '../../../server/src/cli/testRunner.js';
import { LIT_FEATURES, readLitScript } from '../../../server/src/program/testFile/script.js';
import { FILECHECK, needsFileCheck } from '../../support/fileCheck.js';
import { LIMIT_MS, LLC, needsLlc } from '../../support/llc.js';
import { NODE_COMMAND } from '../../support/builtCommand.js';
import { skip } from '../../support/skip.js';
import { placeOr } from '../../support/switches.js';

const LIT = placeOr('LIT', 'lit-22');

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s';
const FUNCTION = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const GOOD = `${RUN}\n# CHECK: name: f\n${FUNCTION}`;
const BAD = `${RUN}\n# CHECK: name: g\n${FUNCTION}`;

const TESTS: Readonly<Record<string, string>> = {
  'a.mir': GOOD,
  'bad.mir': BAD,
  'expected.mir': `# XFAIL: *\n${BAD}`,
  'sub/unexpected.mir': `# XFAIL: *\n${GOOD}`,
  'norun.mir': FUNCTION,
  'sub/cut.mir': `${RUN} \\\n`,
  'sub/requires.mir': `# REQUIRES: asserts\n${BAD}`,
  'sub/unsupported.mir': `# UNSUPPORTED: true\n${BAD}`,
  'sub/pipes.mir': `# RUN: echo 'a  b' > %t && cat %t | FileCheck %s --check-prefix=ONE --strict-whitespace
# RUN: not llc -mtriple=amdgcn -run-pass=none %t.nothere -o /dev/null 2>&1 \\
# RUN:   | FileCheck %s -check-prefix=TWO
# RUN: echo "x" ; cat < %t | FileCheck %s --check-prefix=ONE
# ONE: {{^a  b$}}
# TWO: No such file
`,
  'sub/shown.mir': '# RUN: echo hi "a b" && cat %s\n# RUN: cat %s | not cat\n',
  'sub/not.mir': `# RUN: not cat %s | FileCheck %s\n# CHECK: not\n`,
  'sub/Inputs/no.mir': BAD,
  'sub/keyword.mir': `# XRUN: false\n# END. no end\n# RUN: true\n`,
  'sub/end.mir': `# RUN: true\n# END.\n# RUN: false\n`,
  'sub/seq.mir':
    '# RUN: false ; true\n# RUN: false || true\n# RUN: true || false && true\n# RUN: ! false\n# RUN: not false\n',
  'sub/seqfail.mir': '# RUN: true ; false || cat %t.none\n# RUN: true\n',
  'sub/order.mir': `# RUN: cat %t.none > %t 2>&1 || true
# RUN: cat %t | FileCheck %s --check-prefix=NONE
# RUN: not cat %t.none 2>&1 > %t | FileCheck %s --check-prefix=NONE
# RUN: cat %t | count 0
# RUN: echo a > %t && echo b >> %t && cat < %t 2> %t.err | count 2
# RUN: not cat %t.none &> %t ; FileCheck %s --check-prefix=NONE < %t
# NONE: No such file
# RUN: echo x 2>&1 | FileCheck %s --check-prefix=X
# X: x
`,
  'sub/redirect.mir': '# RUN: cat %s 1> %t\n# RUN: true\n',
  'sub/redirected.mir': '# RUN: echo hello > %t\n# RUN: cat %t %t.none > %t.2\n',
  'sub/define.mir': `# DEFINE: %{word} = a
# DEFINE: %{check} = echo %{word} | \\
# DEFINE:   FileCheck %s --check-prefix=
# RUN: %{check}ONE
# REDEFINE: %{word} = b
# RUN: %{check}TWO
# ONE: {{^}}a{{$}}
# TWO: {{^}}b{{$}}
`,
  'sub/undefined.mir': '# REDEFINE: %{word} = b\n# RUN: true\n',
  'sub/defined.mir': '# DEFINE: %{word} = b\n# RUN: true\n# DEFINE: %{word} = c\n',
  'sub/wrongname.mir': '# DEFINE: word = b\n# RUN: true\n',
  'sub/novalue.mir': '# DEFINE: %{word}\n# RUN: true\n',
  'sub/if.mir': `# RUN: %if true %{ echo yes %} %else %{ echo no %} | FileCheck %s --check-prefix=YES
# RUN: echo %if nothing && true %{ yes %if true %{ x %} %} %else %{ no %} | FileCheck %s --check-prefix=NO
# RUN: %if !true %{ false %}
# YES: {{^}}yes{{$}}
# NO: {{^}}no{{$}}
`,
  'sub/ifopen.mir': '# RUN: %if true %{ echo\n',
  'sub/lines.mir': '# RUN: echo %(line) %(line+1) %(line - 1) %% | FileCheck %s\n# CHECK: {{^}}1 2 0 %{{$}}\n',
  'sub/condition.mir': '# REQUIRES: tr{{u|x}}e, true && !(nothing || {{.*-none}})\n# RUN: true\n',
  'sub/wrongcondition.mir': `# XFAIL: true &&\n# RUN: true\n`,
  'sub/strange.mir': `# XFAIL: a?\n# RUN: true\n`,
  'sub/retries.mir': `# ALLOW_RETRIES: x\n# RUN: true\n`,
  'sub/env.mir': `# RUN: env FILECHECK_OPTS=--check-prefix=ENV FileCheck %s --input-file=%s
# RUN: env -u FILECHECK_OPTS A=1 not env B=2 FileCheck --check-prefix=NONE --input-file=%s %s 2>&1 | FileCheck --check-prefix=MSG %s
# RUN: export FILECHECK_OPTS=--check-prefix=ENV
# RUN: FileCheck %s --input-file=%s
# ENV: ENV: EN{{V}}
# MSG: error: no check strings found with prefix 'NONE:'
`,
  'sub/envfail.mir': '# RUN: env A=1 mkdir %t\n',
  'sub/split.mir': `# RUN: rm -rf %t && split-file %s %t
# RUN: cat %t/a.txt | count 1
# RUN: diff %t/a.txt %t/b.txt
# RUN: not diff %t/a.txt %t/c.txt > %t/diff
# RUN: sed -e 's/a\\(.*\\)c/[\\1]/g' -e '/x/d' %t/c.txt | FileCheck %s
# RUN: grep -c b %t/c.txt | FileCheck %s --check-prefix=COUNT
# RUN: cat %t/c.txt | tee %t/d.txt | grep -v b | count 1
# RUN: diff %t/c.txt %t/d.txt
# CHECK: {{^}}[bcab]{{$}}
# CHECK-NOT: x
# COUNT: {{^}}1{{$}}
#--- a.txt
a
#--- b.txt
a
#--- c.txt
abcabc
x
`,
  'sub/folders.mir':
    '# RUN: rm -rf %t ; mkdir -p %t/a/b && echo -n a > %t/a/b/c && cp %t/a/b/c %t/d && mv %t/d %t/e\n# RUN: diff %t/e %t/a/b/c && rm %t/e\n# RUN: not cat %t/e\n# RUN: not diff -u %t/a/b/c %s > %t/x\n',
  'sub/returns.mir': '# RUN: echo a\r b | FileCheck %s\n# CHECK: {{^}}a b{{$}}\n',
  'sub/temporary.mir': '# RUN: echo %T\n',
  'sub/quotes.mir': `# RUN: echo "a\\"b\\\\" 'c"d' e\\ f '' | FileCheck %s --match-full-lines --strict-whitespace\n#CHECK:a"b\\ c"d e f \n`,
};

/** Lines without what may differ: the suite, numbers of tests and workers, times, temporary files; of an exception of Python its message. */
const normalize = (text: string): string[] =>
  text
    .replace(/^Exception during script execution:\nTraceback [^]*?^ValueError: ([^]*?)\n+(?=\*{20}$)/gm, '$1\n')
    .replace(/\/[^ \n']*\/(?=\w+\.mir\.tmp)/g, '')
    .replaceAll('amdgpu-mir :: ', 'LLVM :: ')
    // The tests' limits are put around FileCheck under its own name.
    .replaceAll('command line:  FileCheck-22 ', 'command line:  FileCheck ')
    .replace(/\(\d+ of (\d+)\)$/gm, '(of $1)')
    .replace(/, \d+ workers/, '')
    .replace(/^Testing Time: .*$/m, 'Testing Time')
    .split('\n');

describe('tests by their RUN lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lit-tests-'));
  after(() => rmSync(folder, { recursive: true }));

  before(() => {
    for (const [name, text] of Object.entries(TESTS)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  });

  const run = async (...args: string[]): Promise<{ out: string; err: string; exit: number }> => {
    const io = new BufferedIO();
    const exit = await runTests(args, io);
    return { out: io.out(), err: io.err(), exit };
  };

  it('pass or fail as in lit, in its words', async function () {
    this.timeout(LIMIT_MS);
    needsLlc(this);
    needsFileCheck(this);
    if (spawnSync(LIT, ['--version'], { timeout: LIMIT_MS }).status !== 0) skip(this, `${LIT} is not installed`);
    const bin = join(folder, '.bin');
    mkdirSync(bin);
    const which = (name: string): string =>
      spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8', timeout: LIMIT_MS }).stdout.trim();
    symlinkSync(which(LLC), join(bin, 'llc'));
    symlinkSync(which(FILECHECK), join(bin, 'FileCheck'));
    for (const name of ['not', 'count', 'split-file']) symlinkSync(which(`${name}-22`), join(bin, name));
    writeFileSync(
      join(folder, 'lit.cfg'),
      `import lit.formats\nconfig.name = 'LLVM'\nconfig.suffixes = ['.mir']\nconfig.excludes = ['Inputs', '.bin']\nconfig.test_format = lit.formats.ShTest(False)\nconfig.environment['PATH'] = '${bin}:/usr/bin:/bin'\n`,
    );
    const options = { encoding: 'utf8', timeout: LIMIT_MS } as const;
    const lit = spawnSync(LIT, ['-v', '-j1', '--order=lexical', folder], options);
    const own = await run('-v', folder);
    assert.deepEqual(normalize(own.out).sort(), normalize(lit.stdout).sort(), lit.stderr);
    assert.equal(own.exit, lit.status);
    assert.equal(own.exit, 1);
    const shard = ['--num-shards', '3', '--run-shard', '2', folder];
    const litShard = spawnSync(LIT, ['-j1', '--order=lexical', ...shard], options);
    const ownShard = await run(...shard);
    assert.match(ownShard.out, /Excluded/);
    assert.deepEqual(normalize(ownShard.out).sort(), normalize(litShard.stdout).sort());
    const [litXml, ownXml] = [join(folder, 'lit.xml'), join(folder, 'own.xml')];
    spawnSync(LIT, ['-j1', '--order=lexical', '--xunit-xml-output', litXml, folder], options);
    await run(`--xunit-xml-output=${ownXml}`, folder);
    const withoutTimes = (path: string): string =>
      readFileSync(path, 'utf8')
        .replaceAll('LLVM', 'amdgpu-mir')
        .replace(/ time="[\d.]+"/g, '')
        .replace(/<!\[CDATA\[[^]*?\]\]>/g, '');
    assert.deepEqual(
      withoutTimes(ownXml)
        .split(/(?=<testcase)/)
        .sort(),
      withoutTimes(litXml)
        .split(/(?=<testcase)/)
        .sort(),
    );
    const passes = [join(folder, 'a.mir'), join(folder, 'expected.mir'), join(folder, 'sub', 'unexpected.mir')];
    assert.equal((await run(...passes)).exit, spawnSync(LIT, passes, options).status);
    assert.equal((await run(join(folder, 'nothere'))).exit, spawnSync(LIT, [join(folder, 'nothere')], options).status);
  });

  it('tell with -v what the commands told', async () => {
    const { out, exit } = await run('-v', join(folder, 'bad.mir'));
    assert.equal(exit, 1);
    assert.match(out, /\* TEST 'amdgpu-mir :: bad\.mir' FAILED \*/);
    assert.match(out, /bad\.mir:2:10: error: CHECK: expected string not found in input/);
  });

  it('tell with --show-unsupported why one is', async () => {
    const path = join(folder, 'modelled.mir');
    writeFileSync(path, '# RUN: llc -mtriple=amdgcn -passes=pass-of-tomorrow -o - %s\n');
    const { out, exit } = await run('--show-unsupported', path);
    assert.match(out, /modelled\.mir \(1 of 1\)\n {2}amdgpu-mir does not model a pass 'pass-of-tomorrow' of -passes\n/);
    assert.equal(exit, 0);
    assert.equal((await run(path)).err, 'amdgpu-mir test: --show-unsupported prints why tests are unsupported\n');
    rmSync(path);
  });

  it('fail when a file cannot be written', async () => {
    const path = join(folder, 'unwritable.mir');
    writeFileSync(path, `# RUN: echo x > %t/nowhere/x\n`);
    const { out, exit } = await run('-v', path);
    assert.match(out, /echo: No such file or directory/);
    assert.equal(exit, 1);
    rmSync(path);
  });

  it('say nothing of what the engine does not have', async () => {
    const path = join(folder, 'pass.mir');
    writeFileSync(path, GOOD.replace('none', 'legalizer'));
    const { out, exit } = await run(path);
    assert.match(out, /^UNSUPPORTED: /m);
    assert.equal(exit, 0);
    rmSync(path);
  });

  it('are reported as JUnit does', async () => {
    const path = join(folder, 'report.xml');
    await run(`--xunit-xml-output=${path}`, folder);
    const xml = readFileSync(path, 'utf8');
    assert.match(
      xml,
      /<testcase classname="amdgpu-mir\.sub" name="requires\.mir" time="0\.00">\n {2}<skipped message="Missing required feature\(s\): asserts"\/>/,
    );
    assert.match(xml, /<failure><!\[CDATA\[Exit Code: 1/);
  });

  it('are reported as SARIF, at the CHECK lines that fail', async () => {
    const path = join(folder, 'report.sarif');
    await run(`--sarif=${path}`, folder);
    const log = JSON.parse(readFileSync(path, 'utf8')) as {
      version: string;
      runs: {
        results: {
          ruleId: string;
          message: { text: string };
          locations: { physicalLocation: { artifactLocation: { uri: string }; region: object } }[];
        }[];
      }[];
    };
    assert.equal(log.version, '2.1.0');
    const bad = log.runs[0]!.results.find((r) =>
      r.locations[0]!.physicalLocation.artifactLocation.uri.endsWith('/bad.mir'),
    );
    assert.equal(bad?.ruleId, 'FAIL');
    assert.equal(bad.message.text, 'CHECK: expected string not found in input');
    assert.deepEqual(bad.locations[0]?.physicalLocation.region, { startLine: 2, startColumn: 10 });
  });

  it('run in several threads, with the same results', async function () {
    NODE_COMMAND.skipUnlessBuilt.call(this);
    const [node, program] = NODE_COMMAND.command;
    const threads = spawnSync(node, [program!, 'test', '-v', '-j3', folder], { encoding: 'utf8', timeout: LIMIT_MS });
    const { out, exit } = await run('-v', folder);
    assert.match(threads.stdout, /tests, 3 workers --/);
    assert.deepEqual(normalize(threads.stdout).sort(), normalize(out).sort(), threads.stderr);
    assert.equal(threads.status, exit);
  });

  it('take the llc and FileCheck of the user', async function () {
    needsLlc(this);
    needsFileCheck(this);
    const path = join(folder, 'tools.mir');
    writeFileSync(path, GOOD);
    assert.equal((await run(`--llc=${LLC}`, `--filecheck=${FILECHECK}`, path)).exit, 0);
    const none = await run('-v', '--llc=/nowhere/llc', path);
    assert.deepEqual([none.exit, none.out], [2, '']);
    assert.equal(none.err, 'amdgpu-mir test: /nowhere/llc: No such file or directory\n');
    const fake = (name: string, script: string): string => {
      const file = join(folder, name);
      writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      return `--llc=${file}`;
    };
    const says = 'if [ "$1" = --version ]; then echo "  LLVM version 22.1.8"; exit; fi;';
    const crashed = await run('-v', fake('crashes', `${says} kill -SEGV $$`), path);
    assert.match(crashed.out, /crashes was ended by SIGSEGV$[^]*^# error: command failed with exit status: -11$/m);
    assert.deepEqual([crashed.exit, crashed.err], [1, '']);
    const flooded = await run('-v', fake('floods', `${says} exec yes`), path);
    assert.match(flooded.out, /floods writes more than 256 MB$/m);
    assert.equal(flooded.exit, 1);
    const other = await run(fake('old', 'if [ "$1" = --version ]; then echo "LLVM version 18.1.3"; fi'), path, path);
    assert.match(
      other.err,
      /^lit: warning: \S*old is of LLVM 18\.1\.3, amdgpu-mir models 22\.1\.8, 24\.0\.0git, 23\.0\.0git of ROCm 10 and main \(by its tests\)\namdgpu-mir test: -v prints why tests fail\n$/,
    );
    rmSync(path);
  });

  it('refuse arguments that mean nothing', async () => {
    for (const args of [
      [],
      ['--what', folder],
      ['--num-shards=2', folder],
      ['--num-shards=2', '--run-shard=3', folder],
      ['--llc'],
      ['-j', '0', folder],
    ])
      assert.equal((await run(...args)).exit, 2, args.join(' '));
  });

  it('words that no process can be given fail their RUN line', () => {
    const file = join(folder, 'a.mir');
    const places = { file, folder, temporary: join(folder, 't') };
    const run = (word: string): { exit: number; report: string } =>
      runLitTest(readLitScript(`# RUN: llc ${word}\n`, places, LIT_FEATURES).runs, '', folder, {
        llc: process.execPath,
        fileCheck: null,
        writesAnywhere: false,
        model: 'auto',
      });
    const nul = run('a\0b');
    assert.equal(nul.exit, 1);
    assert.match(nul.report, /without null bytes/);
    const long = run('x'.repeat(1 << 22));
    assert.equal(long.exit, 1);
    if (process.platform === 'linux') assert.match(long.report, /Argument list too long/);
  });
});
