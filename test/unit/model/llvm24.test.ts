/** What LLVM 24 reads and writes otherwise than 22: test/fixtures/llvm24 has inputs, and the functions that its llc (../shared/oracle24) printed of them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLlcOnText } from '../../support/schedule.js';

const FOLDER = join(__dirname, '..', '..', 'fixtures', 'llvm24');
const TARGET = ['-mtriple=amdgcn', '-mcpu=gfx942', '-run-pass=none', '-o', '-'];
const functionsOf = (text: string): string => text.slice(text.search(/^---$/m));

describe("LLVM 24's MIR", () => {
  for (const name of ['floats', 'headers', 'inlineAsm', 'intrinsics', 'waits']) {
    const text = readFileSync(join(FOLDER, `${name}.mir`), 'utf8');
    it(`${name}: as its llc prints it`, () => {
      const run = runLlcOnText(['--model=llvm-24', ...TARGET], text);
      assert.equal(run.stderr, '');
      assert.equal(functionsOf(run.stdout), readFileSync(join(FOLDER, `${name}.out`), 'utf8'));
    });
  }

  it('says which values differ between lanes: inline assembly, casts, cycles, functions without divergence', () => {
    const args = ['-mtriple=amdgcn', '-mcpu=gfx1250', '-run-pass=print-machine-uniformity', '-o', '/dev/null'];
    const run = runLlcOnText(['--model=llvm-24', ...args], readFileSync(join(FOLDER, 'uniformity.mir'), 'utf8'));
    assert.equal(run.stderr, readFileSync(join(FOLDER, 'uniformity.out'), 'utf8'));
  });

  it('has its own intrinsics, with their signatures and attributes', () => {
    const text = readFileSync(join(FOLDER, 'intrinsics.mir'), 'utf8');
    // With a processor, llc adds it to the attributes, and the door of the library does not.
    const run = runLlcOnText(['--model=llvm-24', '-mtriple=amdgcn', '-run-pass=none', '-o', '-'], text);
    const declared = run.stdout.split('\n').filter((line) => /declare|attributes/.test(line));
    assert.equal(`${declared.join('\n')}\n`, readFileSync(join(FOLDER, 'intrinsics.ll'), 'utf8'));
    assert.match(runLlcOnText(TARGET, text).stderr, /:\d+:\d+: unknown intrinsic name/);
    const gone = text.replace('llvm.pext', 'llvm.convert.to.fp16');
    assert.match(runLlcOnText(['--model=llvm-24', ...TARGET], gone).stderr, /:\d+:\d+: unknown intrinsic name/);
  });

  it('is verified by its rules', () => {
    const args = ['-mtriple=amdgcn', '-mcpu=gfx90a', '-run-pass=none', '-o', '/dev/null'];
    const run = runLlcOnText(['--model=llvm-24', ...args], readFileSync(join(FOLDER, 'verifier.mir'), 'utf8'));
    assert.equal(run.stderr.replace(/ \(0x[0-9a-f]*\)/g, ' ()'), readFileSync(join(FOLDER, 'verifier.out'), 'utf8'));
  });

  it('knows passes by the names that LLVM main has given them since', () => {
    const text = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
    const told = (model: string, pass: string): string =>
      ['-run-pass=', '-start-before=greedy -stop-before=']
        .map((option) => [`--model=${model}`, '-mtriple=amdgcn', ...`${option}${pass}`.split(' '), '-o', '-'])
        .map((args) => runLlcOnText(args, text).stderr)
        .join('');
    for (const [newer, older] of [
      ['prolog-epilog', 'prologepilog'],
      ['post-ra-pseudos', 'postrapseudos'],
    ] as const) {
      assert.equal(told('llvm-24', newer), told('llvm-24', older));
      assert.match(told('llvm-22', newer), /is not registered/);
    }
    assert.match(told('llvm-24', 'prolog-epilogue'), /is not registered/);
  });

  it('is refused where the model is LLVM 22', () => {
    const run = runLlcOnText(TARGET, readFileSync(join(FOLDER, 'inlineAsm.mir'), 'utf8'));
    assert.match(run.stderr, /expected integers after 'i'\/'s'\/'p' type character/);
  });

  it('marks copies that split live ranges, which LLVM 22 takes for opcodes', () => {
    const lines = ['    %0:vgpr_32 = IMPLICIT_DEF', '    %1:vgpr_32 = lr-split COPY %0', '    S_ENDPGM 0, implicit %1'];
    const text = `---\nname: f\nbody: |\n  bb.0:\n${lines.join('\n')}\n...\n`;
    const run = runLlcOnText(['--model=llvm-24', ...TARGET], text);
    assert.equal(run.stderr, '');
    assert(run.stdout.includes(lines.join('\n')));
    assert.match(runLlcOnText(TARGET, text).stderr, /:6:18: unknown machine instruction name 'lr-split'\n/);
  });

  it('does not say that a function has no PHIs after si-fix-sgpr-copies', () => {
    const text = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
    const args = ['-mtriple=amdgcn', '-mcpu=gfx942', '-run-pass=si-fix-sgpr-copies', '-o', '-'];
    assert.match(runLlcOnText(['--model=llvm-24', ...args], text).stdout, /^noPhis: +false$/m);
    assert.match(runLlcOnText(args, text).stdout, /^noPhis: +true$/m);
  });
});
