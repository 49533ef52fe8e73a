/** Register allocation: the text of whole functions after it, as llc-22 printed it (`.out` beside each fixture), and llc of LLVM 24 (`.24.out`). */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { regAllocOptions } from '../../../server/src/passes/regalloc/regAllocOptions.js';
import { allocationPasses, runAllocation } from '../../../server/src/passes/regalloc/runAllocation.js';
import type { RunFilter } from '../../../server/src/passes/regalloc/runFilter.js';
import type { AllocState } from '../../../server/src/passes/regalloc/state.js';
import type { AllocationWatch } from '../../../server/src/passes/regalloc/watch.js';
import { parseLlcOptions } from '../../../server/src/program/llcOptions.js';
import { loadProgram } from '../../../server/src/program/mirProgram.js';
import { NO_WATCH } from '../../support/allocationWatch.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { randomAllocation } from '../../support/randomAllocation.js';
import { runLlcOnText } from '../../support/schedule.js';
import { withoutAddresses } from '../../support/verify.js';

const folder = join(__dirname, '..', '..', 'fixtures', 'regalloc');

/** llc's arguments of a fixture's RUN line. */
const argsOf = (text: string): string[] => (/^# RUN: llc (.*)$/m.exec(text)?.[1] ?? '').split(' ');
/** The name of the module is that of the file. */
const body = (text: string): string => withoutAddresses(text).replace(/^ {2}(?:; ModuleID|source_filename).*$/gm, '');

/** Without the module, which it prints as its own writer has it. */
const functionsOf = (text: string): string => withoutAddresses(text.slice(text.search(/^---$/m)));

describe('register allocation', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.mir'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const expected = readFileSync(join(folder, file.replace(/mir$/, 'out')), 'utf8');

    it(`gives the registers, copies and spills of llc: ${file}`, () => {
      const run = runLlcOnText([...argsOf(text), '-o', '-'], text);
      assert.equal(run.stderr, '');
      assert.equal(body(run.stdout), body(expected));
    });

    const expected24 = join(folder, file.replace(/mir$/, '24.out'));
    if (existsSync(expected24))
      it(`gives those of LLVM 24: ${file}`, () => {
        const run = runLlcOnText(['--model=llvm-24', ...argsOf(text), '-o', '-'], text);
        assert.equal(run.stderr, '');
        assert.equal(functionsOf(run.stdout), functionsOf(readFileSync(expected24, 'utf8')));
      });

    it(`has what llc-22 says today: ${file}`, function () {
      needsLlc(this);
      assert.equal(body(runLlc(['-x', 'mir', ...argsOf(text), '-o', '-'], text).stdout), body(expected));
    });
  }

  it('fails as llc does where registers run out', function () {
    needsLlc(this);
    const wide = Array.from({ length: 8 }, (_, k) => `    %${k}:vreg_1024 = IMPLICIT_DEF`).join('\n');
    const uses = (text: string, between: string): string =>
      Array.from({ length: 8 }, (_, k) => `${between}${text}%${k}`).join('');
    const machineFunctionInfo = "{ isEntryFunction: true, scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3' }";
    for (const last of [
      `INLINEASM &"", 1${uses('9, ', ', ')}, 9, %8`,
      `S_NOP 0${uses('implicit ', ', ')}, implicit %8`,
    ]) {
      const lines = [
        ...['---', 'name: f', 'tracksRegLiveness: true', `machineFunctionInfo: ${machineFunctionInfo}`],
        ...['body: |', '  bb.0:', wide, '    %8:vgpr_32 = IMPLICIT_DEF', `    ${last}`, '    S_ENDPGM 0', '...', ''],
      ];
      const text = lines.join('\n');
      const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-start-before=greedy,0', '-stop-after=virtregrewriter,2'];
      const llc = runLlc(['-x', 'mir', ...args, '-o', '-'], text);
      assert.equal(llc.status, 1);
      assert.match(llc.stderr, /registers/);
      const { status, stdout, stderr } = runLlcOnText([...args, '-o', '-'], text);
      assert.deepEqual({ status, stdout, stderr }, { status: 1, stdout: llc.stdout, stderr: llc.stderr });
    }
  });

  it('says once per function that registers run out, whatever run it is, as llc does', function () {
    needsLlc(this);
    const info = "{ isEntryFunction: true, scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3' }";
    const body = (name: string): string =>
      [
        ...['---', `name: ${name}`, 'tracksRegLiveness: true', `machineFunctionInfo: ${info}`, 'body: |', '  bb.0:'],
        ...Array.from(
          { length: 4 },
          (_, k) => `    %${k}:sreg_32 = IMPLICIT_DEF\n    %${k + 4}:vgpr_32 = IMPLICIT_DEF`,
        ),
        '    S_NOP 0, implicit %0, implicit %1, implicit %2, implicit %3',
        '    S_NOP 0, implicit %4, implicit %5, implicit %6, implicit %7',
        ...['    S_ENDPGM 0', '...', ''],
      ].join('\n');
    const text = body('f') + body('g');
    const args = ['-mtriple=amdgcn', '-mcpu=gfx1100', '-stress-regalloc=3', '-start-before=greedy,0'];
    for (const stop of ['greedy,0', 'virtregrewriter,2']) {
      const all = [...args, `-stop-after=${stop}`, '-o', '-'];
      const { status, stdout, stderr } = runLlcOnText(all, text);
      const llc = runLlc(['-x', 'mir', ...all], text);
      assert.deepEqual({ status, stdout, stderr }, { status: 1, stdout: llc.stdout, stderr: llc.stderr });
      assert.equal(stderr.match(/ran out of registers/g)?.length, 2);
    }
  });

  const failing = join(folder, '..', 'regallocErrors');
  for (const file of readdirSync(failing)) {
    it(`ends as llc does where registers run out: ${file}`, function () {
      needsLlc(this);
      const text = readFileSync(join(failing, file), 'utf8');
      const args = [...argsOf(text), '-o', '-'];
      const expected = runLlc(['-x', 'mir', ...args], text);
      const { status, stdout, stderr } = runLlcOnText(args, text);
      assert.equal(body(stdout), body(expected.stdout));
      assert.deepEqual([status, stderr], [expected.status, expected.stderr]);
      assert.equal(status, 1);
    });
  }

  it('takes registers in the order of their distance from the end of the function', () => {
    const text = [
      ...['---', 'name: f', 'tracksRegLiveness: true', 'registers:', '  - { id: 0, class: vgpr_32 }'],
      ...['  - { id: 1, class: vreg_64 }', '  - { id: 2, class: sgpr_128 }', '  - { id: 3, class: vgpr_32 }'],
      ...['machineFunctionInfo:', '  isEntryFunction: true', 'body: |', '  bb.0:'],
      ...['    S_NOP 0, implicit-def %3', '    S_NOP 0, implicit-def %0', '    S_NOP 0, implicit-def %1, implicit %0'],
      ...['    S_NOP 0, implicit-def %2, implicit %1', '    S_NOP 0, implicit %2', '', '  bb.1:'],
      ...['    S_NOP 0, implicit %3', '    S_ENDPGM 0', '...', ''],
    ].join('\n');
    const options = parseLlcOptions(['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', 'f.mir']);
    const fn = [...loadProgram(text, 'f.mir', options).functions][0].fn;
    assert(fn !== null);
    const found: [RunFilter, number[]][] = [];
    const own: Partial<Record<RunFilter, number[]>> = { sgpr: [2], vgpr: [0, 1, 3] };
    const watch: AllocationWatch = {
      ...NO_WATCH,
      runBegins: (filter, run) => found.push([filter, (own[filter] ?? []).map((v) => run.priority(v))]),
    };
    const setting = { options: regAllocOptions(options.values), watchFor: () => watch };
    runAllocation(fn, allocationPasses(), setting, { ir: null });
    // Keys of LLVM's own queue, looked at from outside (regalloc-trace). The end moves while a run splits.
    assert.deepEqual(found, [
      ['sgpr', [2197815316]],
      ['vgpr', [2415919132, 2432696344, 2952790112]],
    ]);
  });

  it('keeps slot indexes in the order of the code, also where copies that happen at once change places', () => {
    let nSpread = 0;
    for (const seed of [25, 26, 60, 61]) {
      const { args, text } = randomAllocation(seed, 3);
      const options = parseLlcOptions([...args, 'f.mir']);
      const fn = [...loadProgram(text, 'f.mir', options).functions][0].fn;
      assert(fn !== null);
      const watchFor = (state: AllocState): AllocationWatch => ({
        ...NO_WATCH,
        passEnds: (pass) => {
          const { list } = state.editor;
          for (let b = 0; b < fn.blocks.length; b++) {
            let last = -1;
            for (let i = list.first(b); i >= 0; i = list.after(i)) {
              const at = state.slots.ofInstr(i);
              if (at < 0) continue;
              const number = state.slots.number(at);
              assert.ok(number > last, `seed ${seed}, ${pass}: ${number} after ${last}`);
              if (last >= 0 && number - last < 16) nSpread++;
              last = number;
            }
          }
        },
      });
      runAllocation(fn, allocationPasses(), { options: regAllocOptions(options.values), watchFor }, { ir: null });
    }
    assert.ok(nSpread > 0, 'nothing was put between instructions');
  });

  it('says of a function without virtual registers whether a pass may have made some', function () {
    needsLlc(this);
    const text = '---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n    S_ENDPGM 0\n...\n';
    const target = ['-mtriple=amdgcn', '-mcpu=gfx900'];
    for (const passes of [
      ['-run-pass=si-lower-sgpr-spills'],
      ['-start-before=greedy,0', '-stop-after=virtregrewriter,1'],
      ['-start-before=greedy,0', '-stop-after=virtregrewriter,2'],
    ]) {
      const args = [...target, ...passes, '-o', '-'];
      assert.equal(body(runLlcOnText(args, text).stdout), body(runLlc(['-x', 'mir', ...args], text).stdout));
    }
  });

  it('says what it does not model', () => {
    const text = readFileSync(join(folder, 'local.mir'), 'utf8');
    const run = runLlcOnText(['-mtriple=amdgcn', '-start-before=amdgpu-isel', '-stop-after=greedy', '-o', '-'], text);
    assert.equal(run.status, 1);
    assert.match(run.stderr, /does not model the pipeline at '-start-before=amdgpu-isel'/);
    assert.equal(run.stdout, '');
  });

  it('ends at a register whose class has none, where llc says so and crashes', function () {
    needsLlc(this);
    const lines = ['---', 'name: f', 'registers:', '  - { id: 0, class: vreg_1 }', 'body: |', '  bb.0:'];
    const text = [...lines, '    %0 = IMPLICIT_DEF', '    S_NOP 0, implicit %0', '    S_ENDPGM 0', '...', ''].join(
      '\n',
    );
    for (const cpu of ['gfx900', 'gfx90a']) {
      const args = ['-mtriple=amdgcn', `-mcpu=${cpu}`, '-run-pass=greedy', '-o', '-'];
      const llc = runLlc(['-x', 'mir', ...args], text);
      assert.equal(llc.status, null);
      assert.match(llc.stderr, /no registers from class available to allocate in function 'f'/);
      const { status, stderr } = runLlcOnText(args, text);
      assert.equal(status, 1);
      assert.match(stderr, /does not model registers of a class without any, at which llc crashes, in function 'f'/);
    }
  });
});
