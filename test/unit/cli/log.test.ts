/** `amdgpu-mir log`: the list in its forms, dumps as MIR, what is refused and what is said of other texts. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runLog } from '../../../server/src/cli/log.js';
import { expect } from '../../support/expect.js';

/** One function, before and after a pass that changes it, and after one that does not. */
const LOG = ['machine-scheduler', 'si-wqm', 'greedy']
  .map((pass, k) => {
    const [first, second] = [
      '%1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec',
      '%2:vgpr_32 = V_MOV_B32_e32 2, implicit $exec',
    ];
    const body = [
      ...(k === 0 ? [first, second] : [second, first]),
      'S_NOP 0, implicit %1:vgpr_32, implicit %2:vgpr_32',
      'S_ENDPGM 0',
    ];
    return `# *** IR Dump After A Pass (${pass}) ***:
# Machine code for function f: NoPHIs, TracksLiveness

0B	bb.0:
${body.map((line, n) => `${16 * (n + 1)}B	  ${line}\n`).join('')}
# End machine code for function f.

`;
  })
  .join('');

const log = (text: string, ...args: readonly string[]): { exit: number; out: string; err: string } => {
  const io = new BufferedIO(() => text);
  const exit = runLog([...args, '-'], io);
  return { exit, out: io.out(), err: io.err() };
};

describe('amdgpu-mir log', () => {
  it('lists passes with instructions and peaks, and = where nothing changed', () => {
    const { exit, out } = log(`llc -mcpu=gfx942\n${LOG}`);
    assert.equal(exit, 0);
    expect`
      log of 3 machine passes, 1 function

      #  pass                     function  instructions  VGPR  waves
      0  after machine-scheduler  f                    4     2      8
      1  after si-wqm             f                    4     2      8
      2  after greedy             f                    =     =      =

      = : the pass changed nothing. VGPR, AGPR, SGPR: most that live at once. For gfx942.

    `.equals(out);
  });

  it('guesses the processor where nobody names it, and names errors', () => {
    expect`
      log of 3 machine passes, 1 function

      #  pass                     function  instructions  errors
      0  after machine-scheduler  f                    4       1
      1  after si-wqm             f                    4       1
      2  after greedy             f                    =       =

      = : the pass changed nothing. VGPR, AGPR, SGPR: most that live at once. The log names no processor; --mcpu does, and waves depend on it.

      #0: expected a machine operand
      #1: expected a machine operand

    `.equals(log(LOG.replaceAll('%2:vgpr_32 = V_MOV_B32_e32 2', '%2:vgpr_32 = V_MOV_B32_e64')).out);
    assert.match(log(LOG).out, /For gfx942, which is a guess/);
    assert.match(log(LOG, '--mcpu=gfx1100').out, /For gfx1100\.\n/);
  });

  it('is CSV and JSON', () => {
    expect`
      index,when,pass,instance,title,function,line,instructions,changed,vgpr,agpr,sgpr,allocated,waves,errors,cut
      0,after,machine-scheduler,0,A Pass,f,2,4,,2,0,0,false,8,0,false
      1,after,si-wqm,0,A Pass,f,13,4,true,2,0,0,false,8,0,false
      2,after,greedy,0,A Pass,f,24,4,false,2,0,0,false,8,0,false

    `.equals(log(LOG, '--csv', '--target=gfx942').out);
    const { dumps, target } = JSON.parse(log(LOG, '--json', '--target=gfx942', '--outcome').out);
    assert.deepEqual(target, { triple: null, cpu: 'gfx942', isGuess: false });
    assert.deepEqual(
      dumps.map((d: { changed: boolean | null; outcome: { vgpr: number } | null }) => [d.changed, d.outcome?.vgpr]),
      [
        [null, 2],
        [true, 2],
        [false, 2],
      ],
    );
  });

  it('prints a dump, and what a pass changed', () => {
    expect`
      # *** IR Dump After A Pass (si-wqm) ***: function f, line 13 of the log
      # The module is made up: it has the names that the dump mentions, no code, attributes or types of the program.
      --- |
        define amdgpu_kernel void @f() {
        entry:
          unreachable
        }
      ...
      ---
      name: f
      tracksRegLiveness: true
      noPhis: true
      isSSA: false
      noVRegs: false
      machineFunctionInfo:
        isEntryFunction: true
        stackPtrOffsetReg: '$sgpr32'
      body: |
        bb.0:
          %2:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
          %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
          S_NOP 0, implicit %1, implicit %2
          S_ENDPGM 0
      ...

    `.equals(log(LOG, '--pass=si-wqm', '--function=f').out);
    expect`
      --- #0 after machine-scheduler of f
      +++ #1 after si-wqm of f
      @@ -1,5 +1,5 @@ bb.0
       bb.0:
      -  %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
         %2:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
      +  %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
         S_NOP 0, implicit %1:vgpr_32, implicit %2:vgpr_32
         S_ENDPGM 0

    `.equals(log(LOG, '--pass=#1', '--diff').out);
    expect`
      #2 after greedy of f: nothing changed since #1 after si-wqm of f

    `.equals(log(LOG, '--pass=greedy', '--diff').out);
    const cut = log(LOG.slice(0, LOG.lastIndexOf('# End')), '--pass=#2');
    assert.match(cut.err, /^amdgpu-mir log: -:\d+: #2 after greedy of f is cut off/);
    assert.match(cut.out, /^name: f$/m);
  });

  it('says what is wrong', () => {
    const problems: readonly (readonly [string, readonly string[], number])[] = [
      [LOG, ['--pass=#7'], 2],
      [LOG, ['--pass=greedy', '--function=g'], 2],
      [LOG, ['--function=g'], 2],
      [LOG, ['--pass='], 2],
      [LOG, ['--diff'], 2],
      [LOG, ['--csv', '--json'], 2],
      [LOG, ['--pass=#1', '--csv'], 2],
      [LOG, ['--model=llvm-1'], 2],
      [LOG, ['--target=gfx942,gfx1100'], 2],
      ['', [], 2],
      ['define void @f() {\n', [], 2],
      ['\t.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\n', [], 2],
      ['--- |\n', ['--pass=#0'], 2],
    ];
    const told = problems.map(([text, args, exit]) => {
      const found = log(text, ...args);
      assert.deepEqual([found.exit, found.out], [exit, ''], args.join(' '));
      return `${args.join(' ')}\n  ${found.err.trim().replaceAll('\n', '\n  ')}`;
    });
    expect`
      --pass=#7
        amdgpu-mir log: - has no dump #7; without --pass it lists what there is
      --pass=greedy --function=g
        amdgpu-mir log: - has no dump greedy of function 'g'; without --pass it lists what there is
      --function=g
        amdgpu-mir log: - has no dump of a function 'g'
      --pass=
        amdgpu-mir log: --pass is #N, the number of a dump, or NAME[,K] of a pass; see 'amdgpu-mir help log'
      --diff
        amdgpu-mir log: --diff needs --pass; see 'amdgpu-mir help log'
      --csv --json
        amdgpu-mir log: json and csv are different formats: choose one
      --pass=#1 --csv
        amdgpu-mir log: --csv, --json and --outcome apply to the list and cannot be combined with --pass; see 'amdgpu-mir help log'
      --model=llvm-1
        amdgpu-mir log: --model must be one of auto, llvm-22, llvm-24, rocm-10, llvm-main, llvm-main-2026-01, llvm-main-2026-07; see 'amdgpu-mir help log'
      --target=gfx942,gfx1100
        amdgpu-mir log: --target takes one processor; see 'amdgpu-mir help log'

        amdgpu-mir log: -: there is no machine function in it (# Machine code for function); it is empty

        amdgpu-mir log: -: there is no machine function in it (# Machine code for function); it seems to be LLVM IR
        amdgpu-mir log: llc -stop-before=machine-scheduler -o - FILE makes MIR of it, llc -print-after-all FILE 2> LOG a log

        amdgpu-mir log: -: there is no machine function in it (# Machine code for function); it seems to be assembly
        amdgpu-mir log: there is no way back to MIR: compile its source with -mllvm -print-after-all (clang) or -print-after-all (llc)
      --pass=#0
        amdgpu-mir log: -: there is no machine function in it (# Machine code for function); it seems to be MIR
        amdgpu-mir log: amdgpu-mir check FILE reads it as it is
    `.equals(told.join('\n'));
    const io = new BufferedIO();
    assert.equal(runLog(['/nowhere/a.log'], io), 2);
    assert.equal(io.err(), 'amdgpu-mir log: /nowhere/a.log: No such file or directory\n');
  });

  it('reads files in pieces, UTF-16 too, and writes where -o says', () => {
    const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-log-'));
    try {
      const [wide, out] = [join(folder, 'wide.log'), join(folder, 'out.mir')];
      writeFileSync(wide, `\ufeff${LOG.replaceAll('\n', '\r\n')}`, 'utf16le');
      const io = new BufferedIO();
      assert.equal(runLog(['--pass=#2', '-o', out, wide], io), 0, io.err());
      assert.equal(readFileSync(out, 'utf8'), log(LOG, '--pass=#2').out);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
