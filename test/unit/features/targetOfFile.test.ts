/** RUN lines in all the shapes that LLVM's tests have. */
import assert from 'node:assert/strict';
import { runCommandsOf, targetOfFile } from '../../../server/src/program/targetOfFile.js';
import { TestFile } from '../../../server/src/program/testFile/testFile.js';
import { isAMDGPUTriple } from '../../../server/src/program/targetTriple.js';

const SETTING = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx942', features: '' };
const targets = (text: string): string[] =>
  runCommandsOf(new TestFile(text)).map((c) => `${c.triple}/${c.cpu}/${c.features}`);

describe('target of a file', () => {
  const cases: [string, string, string[]][] = [
    ['plain', '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s -o - | FileCheck %s', ['amdgcn/gfx900/']],
    ['slashes', '// RUN: llc -march=amdgcn -mcpu=tahiti < %s', ['amdgcn/tahiti/']],
    ['semicolon', '; RUN: llc --mtriple=amdgcn-amd-amdhsa --mcpu gfx1030 %s', ['amdgcn-amd-amdhsa/gfx1030/']],
    [
      'features',
      '# RUN: llc -mtriple=amdgcn -mattr=+wavefrontsize64,-xnack -mattr=+cumode %s',
      ['amdgcn//+wavefrontsize64,-xnack,+cumode'],
    ],
    [
      'quoted',
      `# RUN: llc -mtriple=amdgcn "-mattr=+cumode,+xnack" '-mcpu=gfx1100' %s`,
      ['amdgcn/gfx1100/+cumode,+xnack'],
    ],
    ['quoted value', `# RUN: llc -mtriple=amdgcn -mattr="+cumode" %s`, ['amdgcn//+cumode']],
    [
      'continued',
      '# RUN: llc -mtriple=amdgcn \\\n# RUN:   -mcpu=gfx90a \\\n# RUN:   %s -o - | FileCheck %s',
      ['amdgcn/gfx90a/'],
    ],
    ['not', '# RUN: not --crash llc -mtriple=amdgcn -mcpu=gfx908 %s 2>&1 | FileCheck %s', ['amdgcn/gfx908/']],
    ['env', '# RUN: env A=B llc -mtriple=amdgcn -mcpu=gfx906 %s', ['amdgcn/gfx906/']],
    ['timeout', '# RUN: env A=B timeout 10 not llc -mtriple=amdgcn -mcpu=gfx90a %s', ['amdgcn/gfx90a/']],
    ['timeout of another', '# RUN: timeout llc llc -mtriple=amdgcn -mcpu=gfx90a %s', ['amdgcn/gfx90a/']],
    ['timeout without a command', '# RUN: timeout 10 opt llc -mtriple=amdgcn %s', []],
    ['piped', '# RUN: cat %s | llc -mtriple=amdgcn -mcpu=gfx906 -x mir | FileCheck %s', ['amdgcn/gfx906/']],
    [
      'several',
      '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n# RUN: llc -mtriple=amdgcn -mcpu=gfx1100 %s',
      ['amdgcn/gfx900/', 'amdgcn/gfx1100/'],
    ],
    [
      'another architecture',
      '# RUN: llc -mtriple=x86_64 %s\n# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s',
      ['amdgcn/gfx900/'],
    ],
    ['sub-architecture', '# RUN: llc -mtriple=amdgpu9.00-amd-amdhsa -run-pass=none %s', ['amdgpu9.00-amd-amdhsa//']],
    ['conditional', '# RUN: %if asserts %{ llc -mtriple=amdgcn -mcpu=gfx900 %s %}', ['amdgcn/gfx900/']],
    [
      'conditional option',
      '# RUN: llc -mtriple=amdgcn %if asserts %{ -debug-only=machine-scheduler %} -mcpu=gfx900 %s',
      ['amdgcn/gfx900/'],
    ],
    ['path and version', '# RUN: /usr/bin/llc-22 -mtriple=amdgcn -mcpu=gfx950 %s', ['amdgcn/gfx950/']],
    ['last one wins', '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -mcpu=gfx90a %s', ['amdgcn/gfx90a/']],
    ['no triple', '# RUN: llc -mcpu=gfx900 %s', ['/gfx900/']],
    ['other tools', '# RUN: opt -mtriple=amdgcn -mcpu=gfx900 %s | FileCheck %s', []],
    ['empty', '# RUN:', []],
    ['unclosed quote', `# RUN: llc -mtriple=amdgcn "-mcpu=gfx900`, ['amdgcn//']],
    ['continued into nothing', '# RUN: llc -mtriple=amdgcn \\', ['amdgcn//']],
    ['windows line ends', '# RUN: llc -mtriple=amdgcn \\\r\n# RUN: -mcpu=gfx900 %s\r\n', ['amdgcn/gfx900/']],
  ];
  for (const [name, text, expected] of cases) it(name, () => assert.deepEqual(targets(text), expected));

  it('says where the command stands', () => {
    const [first, second] = runCommandsOf(
      new TestFile('# a\n\n# RUN: llc -mtriple=amdgcn \\\n# x\n# RUN: %s\n# RUN: llc -mtriple=amdgcn'),
    );
    assert.deepEqual([first!.firstLine, first!.lastLine, second!.firstLine], [2, 4, 5]);
  });

  it('prefers the RUN line, then the module, then the setting', () => {
    const ir = '--- |\n  target triple = "amdgcn-mesa-mesa3d"\n...\n';
    const run = '# RUN: llc -mcpu=gfx900 %s\n';
    const pick = (text: string) => {
      const { triple, cpu, origin } = targetOfFile(new TestFile(text), SETTING);
      return [triple, cpu, origin];
    };
    assert.deepEqual(pick(run + ir), ['amdgcn-mesa-mesa3d', 'gfx900', 'run']);
    assert.deepEqual(pick(run), ['amdgcn-amd-amdhsa', 'gfx900', 'run']);
    assert.deepEqual(pick(ir), ['amdgcn-mesa-mesa3d', 'gfx942', 'module']);
    assert.deepEqual(pick('--- |\n  target triple = "x86_64"\n...\n'), ['amdgcn-amd-amdhsa', 'gfx942', 'setting']);
  });

  it('obeys an override', () => {
    const text = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900\n# RUN: llc -mtriple=amdgcn -mcpu=gfx1100';
    assert.equal(targetOfFile(new TestFile(text), SETTING, 1).cpu, 'gfx1100');
    assert.equal(targetOfFile(new TestFile(text), SETTING, 7).cpu, 'gfx900');
    assert.equal(
      targetOfFile(new TestFile(text), SETTING, { triple: 'amdgcn', cpu: 'gfx906', features: '' }).origin,
      'override',
    );
  });

  it('stays linear on a document full of RUN lines', () => {
    // Anything but linear does not end.
    const text = '# RUN: llc -mtriple=amdgcn \\\n'.repeat(200_000);
    assert.notEqual(runCommandsOf(new TestFile(text)).length, 0);
    assert.equal(runCommandsOf(new TestFile('# RUN: ' + '"'.repeat(200_000))).length, 0);
  });

  it('knows the triples of AMDGPU', () => {
    for (const t of ['amdgcn', 'amdgcn-amd-amdhsa', 'amdgpu9.0a-amd-amdhsa', 'r600', 'r600--'])
      assert.ok(isAMDGPUTriple(t), t);
    for (const t of ['', 'x86_64', 'amdgcnspirv', 'r600x', 'spirv64-amd-amdhsa']) assert.ok(!isAMDGPUTriple(t), t);
  });
});
