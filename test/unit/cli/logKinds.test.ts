/**
 * Kinds of logs that people paste into bug reports, rebuilt by hand around one small function: each is opened as the function that it has, or the command says
 * what the text is instead. Kinds from LLVM's, ROCm's and other projects' trackers; none of their text is here.
 */
import assert from 'node:assert/strict';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runLog } from '../../../server/src/cli/log.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const BODY = [
  '0B\tbb.0.entry:',
  '\t  liveins: $vgpr0',
  '16B\t  %0:vgpr_32 = COPY $vgpr0',
  '32B\t  %1:vgpr_32 = V_ADD_U32_e32 1, %0:vgpr_32, implicit $exec',
  '48B\t  S_NOP 0, implicit %1:vgpr_32',
  '64B\t  S_ENDPGM 0',
];
const HEADER = '# Machine code for function f: NoPHIs, TracksLiveness, TiedOpsRewritten';
const FUNCTION = [HEADER, 'Function Live Ins: $vgpr0 in %0', '', ...BODY, '', '# End machine code for function f.', ''];
const BANNER = '# *** IR Dump After Machine Instruction Scheduler (machine-scheduler) ***:';
const DUMP = [BANNER, ...FUNCTION];
const IR = ['define amdgpu_kernel void @f() {', 'entry:', '  ret void', '}', ''];

const log = (text: string, ...args: readonly string[]): { exit: number; out: string; err: string } => {
  const io = new BufferedIO(() => text);
  const exit = runLog([...args, '-'], io);
  return { exit, out: io.out(), err: io.err() };
};
const lines = (...parts: readonly (readonly string[] | string)[]): string => `${parts.flat().join('\n')}\n`;
const each = (prefix: (k: number) => string): string => DUMP.map((line, k) => prefix(k) + line).join('\n') + '\n';
const time = (k: number): string =>
  `2026-03-04T05:06:${String(10 + k).padStart(2, '0')}.${String(k * 137).padStart(7, '0')}Z`;

/** By kind: the text, and how many instructions its dump has; of one that is cut off, those that are there. */
const OPENED: Readonly<Record<string, readonly [text: string, pass: string, instructions?: number]>> = {
  'the verifier under a pass, with its stack dump': [
    lines(
      '# After SI lower SGPR spill instructions',
      FUNCTION,
      '*** Bad machine code: Using an undefined physical register ***',
      '- function:    f',
      '- basic block: %bb.0 entry (0x55d0c0ffee) [0B;80B)',
      '- instruction: 32B\t%1:vgpr_32 = V_ADD_U32_e32 1, %0:vgpr_32, implicit $exec',
      'LLVM ERROR: Found 1 machine code errors.',
      'Stack dump:',
      '0.\tProgram arguments: llc -mcpu=gfx900 -verify-machineinstrs k.ll',
      ' #0 0x00007f0000000000 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/lib/libLLVM.so+0x1234)',
    ),
    'SI lower SGPR spill instructions',
  ],
  'intervals above the instructions, as -debug-only=regalloc writes them': [
    lines(
      '********** INTERVALS **********',
      'VGPR0_LO16 [0B,16r:0) 0@0B-phi',
      '%0 [16r,32r:0) 0@16r  weight:0.000000e+00',
      'RegMasks:',
      '********** MACHINEINSTRS **********',
      FUNCTION,
      'selectOrSplit VGPR_32:%0 [16r,32r:0) 0@16r  weight:INF',
    ),
    '',
  ],
  "lit's output, each line with its bar": [each(() => '# | '), 'machine-scheduler'],
  'the times of a hosted build': [each((k) => `${time(k)} `), 'machine-scheduler'],
  'the times of a build in brackets, and its step': [
    each((k) => `[${time(k).slice(0, 19)}] [build] `),
    'machine-scheduler',
  ],
  'the name of a container': [each(() => 'rocm-build-1  | '), 'machine-scheduler'],
  'the journal of a machine': [each(() => 'Mar 04 05:06:07 node12 hipcc[4242]: '), 'machine-scheduler'],
  'ninja, whose command failed': [
    lines(
      '[12/345] Building HIP object src/CMakeFiles/k.dir/k.hip.o',
      'FAILED: src/CMakeFiles/k.dir/k.hip.o',
      '/opt/rocm/lib/llvm/bin/clang++ --offload-arch=gfx90a -x hip -c src/k.hip -mllvm -print-after=machine-scheduler',
      DUMP,
      'ninja: build stopped: subcommand failed.',
    ),
    'machine-scheduler',
  ],
  'a terminal with colours in lines': [
    lines(
      `\u001b[0K\u001b[1m${BANNER}\u001b[0m`,
      FUNCTION.map((line) => `\u001b[32m${line}\u001b[0m`),
    ),
    'machine-scheduler',
  ],
  'lines of Windows, with a path in its arguments': [
    `e:\\llvm\\ninja\\bin\\llc.exe -mcpu=gfx900\r\n${DUMP.join('\r\n')}\r\n`,
    'machine-scheduler',
  ],
  'UTF-8 with a mark in front': [`\ufeff${lines(DUMP)}`, 'machine-scheduler'],
  'a mail that quotes it': [each(() => '> '), 'machine-scheduler'],
  'a list item of an issue, indented': [each(() => '    '), 'machine-scheduler'],
  "a fence of an issue's Markdown": [lines('Crash below.', '```console', DUMP, '```', 'Thanks!'), 'machine-scheduler'],
  'IR of both pass managers around it': [
    lines(
      '; *** IR Dump After InstCombinePass on f ***',
      IR,
      '*** IR Dump After Module Verifier (verify) ***',
      IR,
      DUMP,
      '*** IR Dump After AMDGPU Lower Intrinsics (amdgpu-lower-intrinsics) ***',
      IR,
    ),
    'machine-scheduler',
  ],
  "llc's new pass manager": [
    lines('# *** IR Dump After MachineSchedulerPass on f ***', FUNCTION),
    'MachineSchedulerPass',
  ],
  'a function alone, with nothing above': [lines(FUNCTION), ''],
  'cut off in the midst of a word': [
    lines(DUMP).slice(0, lines(DUMP).indexOf('implicit $exec') + 11),
    'machine-scheduler',
    2,
  ],
  'cut off at the end of the function': [lines(DUMP.slice(0, -3)), 'machine-scheduler', 4],
  'lines of another thread between': [
    lines(DUMP.slice(0, 3), 'warning: k.hip:3:1: loop not unrolled', DUMP.slice(3)),
    'machine-scheduler',
  ],
  'blanks at ends of lines, and tabs as blanks': [
    lines(DUMP.map((line) => `${line.replaceAll('\t', '    ')}  `)),
    'machine-scheduler',
  ],
};

describe('logs of kinds that bug reports have', () => {
  for (const [kind, [text, pass, instructions = 4]] of Object.entries(OPENED))
    it(`opens ${kind}`, function () {
      const { exit, out, err } = log(text, '--json');
      assert.equal(exit, 0, err);
      const { dumps } = JSON.parse(out) as {
        dumps: { pass: string; title: string; function: string; instructions: number }[];
      };
      assert.equal(dumps.length, 1, out);
      const [dump] = dumps;
      assert.deepEqual([dump!.function, dump!.instructions], ['f', instructions]);
      assert.ok(`${dump!.pass} ${dump!.title}`.includes(pass), `${dump!.pass} ${dump!.title}`);
      const mir = log(text, '--pass=#0');
      assert.equal(mir.exit, 0, mir.err);
      assert.match(mir.out, /^ {4}%0:vgpr_32 = COPY \$vgpr0$/m);
      if (instructions < 4) return;
      assert.match(mir.out, /^ {4}%1:vgpr_32 = V_ADD_U32_e32 1, %0, implicit \$exec$/m);
      needsLlc(this);
      const read = runLlc(
        ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-verify-machineinstrs', '-x', 'mir'],
        mir.out,
      );
      assert.equal(read.status, 0, `${read.stderr}\n${mir.out}`);
    });

  const told = (text: string): string => {
    const { exit, out, err } = log(text);
    assert.equal(exit, 2, out);
    return err.trim();
  };

  it('tells of other texts what they are, and which tool makes MIR of them', () => {
    const x86 = lines(
      '# Machine code for function main: NoPHIs',
      '',
      'bb.0:',
      '  $eax = MOV32r0 implicit-def dead $eflags',
      '  RET64 $eax',
      '',
      '# End machine code for function main.',
    );
    const texts: readonly (readonly [string, RegExp])[] = [
      [lines('; *** IR Dump After InstCombinePass on f ***', IR), /LLVM IR.*llc/s],
      [lines('\t.text', '\t.globl f', '\ts_load_dwordx2 s[0:1], s[4:5], 0x0', '\ts_endpgm'), /assembly/],
      ['\u007fELF\u0002\u0001\u0001\u0000', /object/],
      ['BC\ufffd\ufffd5\u0014', /bitcode/],
      [lines('module {', '  tt.func public @k() {', '    tt.return', '  }', '}'), /MLIR|Triton/],
      ['', /empty|no machine function/],
    ];
    for (const [text, expected] of texts) assert.match(told(text), expected);
    const other = log(x86);
    assert.match(other.exit === 0 ? other.out : other.err, /error|not|no /);
  });
});
