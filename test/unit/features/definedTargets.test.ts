/** Targets of RUN lines that the test puts together itself, and triples that name no processor of LLVM 22. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { runLlcToStrings } from '../../../server/src/cli/llc.js';
import { provideTargetComparison } from '../../../server/src/features/pressure/compareTargets.js';
import { LIT_FEATURES, readLitScript } from '../../../server/src/program/testFile/script.js';
import { TestFile } from '../../../server/src/program/testFile/testFile.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { targetOfFile } from '../../../server/src/program/targetOfFile.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { randomSource } from '../../support/random.js';

const SETTING = { triple: 'amdgcn-amd-amdhsa', cpu: '', features: '' };
const PLACES = { file: '/t/a.mir', folder: '/t', temporary: '/t/Output/a.mir.tmp' };
const F = '---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';

/** What `test` would run: the words of each llc. */
function wordsRun(text: string): string[][] {
  const { runs, unresolved } = readLitScript(text, PLACES, LIT_FEATURES);
  assert.equal(unresolved, null, text);
  return runs.flatMap(
    (run) =>
    [...run.text.matchAll(/(?:^|\|)\s*llc ([^|]*)/g)].map((m) => m[1]!.trim().split(/\s+/).filter((w) => w !== PLACES.file)), // prettier-ignore
  );
}
/** What check and the editor take it for. */
const wordsRead = (text: string): string[][] =>
  targetOfFile(new TestFile(text), SETTING).commands.map(({ args }) => args.filter((word) => word !== '%s'));

describe('targets that a test defines', () => {
  const cases: readonly (readonly [name: string, text: string, cpus: readonly string[]])[] = [
    ['an option', '# DEFINE: %{cpu} = -mcpu=gfx942\n# RUN: llc -mtriple=amdgcn %{cpu} %s\n', ['gfx942']],
    ['a value', '# DEFINE: %{c} = gfx942\n# RUN: llc -mtriple=amdgcn -mcpu=%{c} %s\n', ['gfx942']],
    ['the whole command', '# DEFINE: %{run} = llc -mtriple=amdgcn -mcpu=gfx942 -o - %s\n# RUN: %{run} | FileCheck %s\n', ['gfx942']], // prettier-ignore
    ['one inside another', '# DEFINE: %{c} = gfx942\n# DEFINE: %{o} = -mcpu=%{c}\n# RUN: llc -mtriple=amdgcn %{o} %s\n', ['gfx942']], // prettier-ignore
    ['over two lines', '# DEFINE: %{o} = -mtriple=amdgcn \\\n# DEFINE:   -mcpu=gfx942\n# RUN: llc %{o} %s\n', ['gfx942']], // prettier-ignore
    ['redefined between', '# DEFINE: %{c} = gfx942\n# RUN: llc -mtriple=amdgcn -mcpu=%{c} %s\n# REDEFINE: %{c} = gfx1100\n# RUN: llc -mtriple=amdgcn -mcpu=%{c} %s\n', ['gfx942', 'gfx1100']], // prettier-ignore
    ['a parameter by another', '# DEFINE: %{c} =\n# DEFINE: %{run} = llc -mtriple=amdgcn -mcpu=%{c} %s\n# REDEFINE: %{c} = gfx1030\n# RUN: %{run}\n# REDEFINE: %{c} = gfx90a\n# RUN: %{run}\n', ['gfx1030', 'gfx90a']], // prettier-ignore
    ['by a condition that holds', '# RUN: llc -mtriple=amdgcn %if system-linux %{ -mcpu=gfx942 %} %else %{ -mcpu=gfx900 %} %s\n', ['gfx942']], // prettier-ignore
    ['by one that does not', '# RUN: llc -mtriple=amdgcn %if asserts %{ -mcpu=gfx942 %} %else %{ -mcpu=gfx900 %} %s\n', ['gfx900']], // prettier-ignore
    ['two commands in one', '# DEFINE: %{both} = llc -mtriple=amdgcn -mcpu=gfx942 %s | llc -mtriple=amdgcn -mcpu=gfx900 -o -\n# RUN: %{both}\n', ['gfx942', 'gfx900']], // prettier-ignore
  ];
  for (const [name, text, cpus] of cases)
    it(name, () => {
      assert.deepEqual(targetOfFile(new TestFile(text + F), SETTING).commands.map((c) => c.cpu), cpus); // prettier-ignore
      assert.deepEqual(wordsRead(text + F), wordsRun(text + F));
    });

  it('by lit’s rules where definitions come in any order', () => {
    const random = randomSource(36_11);
    const names = ['%{a}', '%{b}', '%{c}'];
    const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
    const value = (): string =>
      Array.from({ length: 1 + random(3) }, () => pick([...names, '-mcpu=gfx942', '-mcpu=gfx90a', '-mattr=+xnack', '-o -'])).join(' '); // prettier-ignore
    let nDefined = 0;
    for (let n = 0; n < 400; n++) {
      const known = new Set<string>();
      const lines: string[] = [];
      for (let k = 2 + random(6); k > 0; k--) {
        const name = pick(names);
        if (random(3) === 0) lines.push(`# RUN: llc -mtriple=amdgcn ${value()} %s`);
        else lines.push(`# ${known.has(name) ? 'REDEFINE' : 'DEFINE'}: ${name} = ${value()}`);
        if (!lines.at(-1)!.includes('RUN:')) known.add(name);
      }
      lines.push(`# RUN: llc -mtriple=amdgcn ${pick(names)} ${pick(names)} %s`);
      const text = `${lines.join('\n')}\n${F}`;
      assert.deepEqual(wordsRead(text), wordsRun(text), text);
      nDefined += known.size;
    }
    assert.ok(nDefined > 400);
  });

  it('does not grow without end', () => {
    const doubling = Array.from({ length: 40 }, (_, k) => `# DEFINE: %{x${k}} = ${k === 0 ? '-mcpu=gfx942' : `%{x${k - 1}} %{x${k - 1}}`}`); // prettier-ignore
    const text = `${doubling.join('\n')}\n# RUN: llc -mtriple=amdgcn %{x39} %s\n${F}`;
    assert.equal(targetOfFile(new TestFile(text), SETTING).commands.length, 1);
    assert.ok(targetOfFile(new TestFile(text), SETTING).commands[0]!.args.join(' ').length < 1 << 17);
  });
});

describe('triples of families of processors', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-family-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const run = (triple: string, cpu = ''): string => `# RUN: llc -mtriple=${triple} ${cpu} -run-pass=none -o - %s\n`;
  const FAMILIES = [
    ['amdgpu9', 'gfx9-generic'],
    ['amdgpu9.4', 'gfx9-4-generic'],
    ['amdgpu12.5', 'gfx12-5-generic'],
    ['amdgpu12.5-amd-amdhsa', 'gfx12-5-generic'],
    ['amdgpu10.1-amd-amdpal', 'gfx10-1-generic'],
    ['amdgpu10', 'gfx10-1-generic'],
    ['amdgpu13', 'gfx13-generic'],
    ['amdgpu8', 'gfx801'],
  ] as const;
  const UNKNOWN = ['amdgpu9.0.6', 'amdgpu14', 'amdgpu9.99'];
  const llc22 = (...words: string[]) => runLlcToStrings([...words, '-run-pass=none', '-o', '-', join(folder, 'a.mir')]);
  const llc24 = (...words: string[]) => llc22('--model=llvm-24', ...words);

  async function check(text: string, ...args: string[]): Promise<{ exit: number; out: string }> {
    const path = join(folder, 'a.mir');
    writeFileSync(path, text);
    const io = new BufferedIO();
    return { exit: await runCheck(['--color=never', ...args, path], io), out: io.out() };
  }

  for (const [triple, cpu] of FAMILIES)
    it(`${triple} is ${cpu}`, async () => {
      const { out } = await check(run(triple) + F);
      assert.match(out, new RegExp(`\\n  f  ${cpu} wave`));
      assert.equal(llc24(`-mtriple=${triple}`).exit, 0);
      // LLVM 22 has no families.
      const old = llc22(`-mtriple=${triple}`);
      assert.deepEqual([old.exit, old.out], [1, '']);
      assert.equal(old.err, `llc: error: unable to get target for '${triple}', see --version and --triple.\n`);
      const { out: chosen } = await check(run(triple) + F, '--model=llvm-22');
      assert.match(chosen, /skipped: not modelled: LLVM 22\.\S+ has no processor for the triple amdgpu/);
    });

  it('processors, and amdgpu alone, are triples of LLVM 24 only, whatever -mcpu says', function () {
    needsLlc(this);
    const path = join(folder, 'a.mir');
    writeFileSync(path, F);
    for (const triple of ['amdgpu7.00', 'amdgpu9.0a-amd-amdhsa', 'amdgpu12.50', 'amdgpu'])
      for (const more of [[], ['-mcpu=gfx900'], ['-march=amdgcn']]) {
        const args = [`-mtriple=${triple}`, ...more];
        const llc = runLlc([...args, '-x=mir', '-run-pass=none'], F);
        const ours = llc22(...args);
        assert.equal(ours.exit, llc.status, args.join(' '));
        assert.equal(ours.err, llc.stderr.replace(/^llc-22: /, 'llc: '), args.join(' '));
        if (more.length === 0) assert.equal(llc24(...args).exit, 0);
      }
  });

  for (const triple of UNKNOWN) {
    it(`${triple} is no processor`, async () => {
      const { out } = await check(run(triple) + F);
      assert.match(out, /skipped: not modelled: LLVM 24\.\S+ has no processor for the triple amdgpu/);
      assert.match(out, /\n0 functions/);
      assert.doesNotMatch(out, /gfx|wave/);
      const io = new BufferedIO();
      assert.notEqual(runExplain([join(folder, 'a.mir')], io), 0);
      assert.equal(io.out(), '');
      const host = new AnalysisHost();
      host.open('file:///a.mir', 1, run(triple) + F);
      const snapshot = host.snapshot('file:///a.mir')!;
      assert.equal(snapshot.functions[0]!.summary, null);
      assert.match(snapshot.target.foreign, /^amdgpu/);
      const llc = llc24(`-mtriple=${triple}`);
      assert.deepEqual([llc.exit, llc.out, llc.err], [1, '', `LLVM ERROR: unknown subarch ${triple}\n`]);
    });

    it(`${triple} with a processor is that one`, async () => {
      for (const { out } of [
        await check(run(triple, '-mcpu=gfx90a') + F),
        await check(run(triple) + F, '--mcpu=gfx90a'),
        await check(run(triple) + F, '--target=gfx90a'),
        // The first of several that there is something to say of.
        await check(run(triple) + run('amdgcn', '-mcpu=gfx90a') + F),
      ])
        assert.match(out, /\n {2}f {2}gfx90a wave64/);
    });
  }

  it('take processors of their own', () => {
    writeFileSync(join(folder, 'a.mir'), F);
    const fatal = (...words: string[]): string => llc24(...words).err;
    assert.equal(fatal('-mtriple=amdgpu9', '-mcpu=gfx906'), '');
    assert.equal(fatal('-mtriple=amdgpu9.00', '-mcpu=gfx9-generic'), '');
    assert.equal(fatal('-mtriple=amdgpu9', '-mcpu=gfx90a'), "LLVM ERROR: invalid cpu 'gfx90a' for subarch amdgpu9\n");
    assert.equal(fatal('-mtriple=amdgpu10', '-mcpu=gfx1030'), "LLVM ERROR: invalid cpu 'gfx1030' for subarch amdgpu10\n"); // prettier-ignore
    const what = "'bogus' is not a recognized processor for this target (ignoring processor)\n";
    assert.equal(fatal('-mtriple=amdgpu9', '-mcpu=bogus').replaceAll(what, ''), '');
  });

  it('say which functions are for others, and go on', () => {
    const ir = (cpu: string): string =>
      `--- |\n  define void @f() #0 { ret void }\n  define void @g() { ret void }\n  attributes #0 = { "target-cpu"="${cpu}" }\n...\n`;
    writeFileSync(join(folder, 'a.mir'), ir('gfx1030') + F);
    const run24 = llc24('-mtriple=amdgpu9');
    assert.equal(run24.err, "error: invalid subtarget 'gfx1030' for subarch amdgpu9\n");
    assert.equal(run24.exit, 1);
    assert.match(run24.out, /^name: +f$/m);
    writeFileSync(join(folder, 'a.mir'), ir('gfx906') + F);
    assert.deepEqual([llc24('-mtriple=amdgpu9').exit, llc24('-mtriple=amdgpu9').err], [0, '']);
  });

  it('are left out of comparisons', () => {
    const host = new AnalysisHost();
    host.open('file:///a.mir', 1, run('amdgcn', '-mcpu=gfx900') + run('amdgpu14.5') + run('amdgpu9.0a') + F);
    const { functions } = provideTargetComparison(host.snapshot('file:///a.mir')!, {}, NEVER_CANCELLED);
    assert.deepEqual(functions[0]!.rows.map((r) => r.target), ['gfx900 wave64', 'gfx90a wave64']); // prettier-ignore
  });

  it('are told from triples that name a processor', async () => {
    for (const [triple, cpu] of [
      ['amdgpu9.0a', 'gfx90a'],
      ['amdgpu9.42-amd-amdhsa', 'gfx942'],
      ['amdgpu12.50', 'gfx1250'],
      ['amdgpu', 'generic'],
    ] as const)
      // prettier-ignore
      assert.match((await check(run(triple) + F)).out, new RegExp(`\\n  f  ${cpu}\\S* wave`), triple);
  });
});
