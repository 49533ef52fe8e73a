/** The commands, in a table from which the parser of their options, `amdgpu-mir help`, the man page and completions of shells are made. */
import { STAGES } from '../program/stageNames.js';
import { MODELLED_LLVM } from '../target/releases.js';
import { lazy } from '../util/lazy.js';
import {
  COLOR,
  CONFIG,
  CSV_FLAG,
  fileCheck,
  flag,
  formatRow,
  FUNCTION,
  JOBS,
  JSON_FLAG,
  list,
  llvm,
  MODELS_OF_FILE,
  MODELS_OF_SIDES,
  MODEL_OF_FILE,
  MODEL_OF_LLC,
  OUTPUT,
  row,
  SOURCE_TOOLS,
  TARGET,
  TARGET_PARTS,
  value,
  type OptionRow,
} from './options.js';

export interface CommandHelp {
  readonly name: string;
  /** after `amdgpu-mir` */
  readonly usage: readonly string[];
  /** half a sentence for the list of commands */
  readonly summary: string;
  readonly about: readonly string[];
  readonly options: readonly OptionRow[];
  /** what no option of the table is goes on to the parser of llc's options */
  readonly passesOn?: true;
  /** its arguments are read by rules of their own: the options stand here for help and completion */
  readonly isReadElsewhere?: true;
  readonly examples: readonly (readonly [string, string])[];
  readonly exits: readonly (readonly [number, string])[];
}

/** Stands in a paragraph for the names of all passes, which a program without passes does not hold. */
export const PASS_NAMES = '{passes}';

const USAGE_EXIT = [2, 'the arguments are wrong'] as const;
const INTERNAL_EXIT = [70, 'a bug of amdgpu-mir'] as const;

const TABLE: readonly (() => CommandHelp)[] = [
  () => ({
    name: 'check',
    usage: ['check [OPTION]... FILE...'],
    summary: 'what llc ends with, register pressure and diagnostics of every function',
    about: [
      'Reads MIR files, folders (searched for .mir), standard input (-), and sources (.ll, .bc, .cl, .hip), of which your clang or llc makes MIR. Prints for each function the waves as written, scheduled, and as llc ends, with its registers, spills and scratch, what limits the waves and what the next one needs; the live peak of each register bank with its line; and every error with the words of llc.',
      'What llc ends with is computed from where the function stands: before its scheduler, after it, allocated. Of earlier stages (generic registers, SSA) it is not known, and said so.',
      'A file is checked for the targets of its RUN lines; with several of them the numbers are a table. Files of other targets than AMDGPU are skipped with a note, and so is what is no regular file in a folder.',
    ],
    options: [
      row(
        TARGET,
        'instead of RUN lines and attributes of functions (target-cpu); several with commas, or given several times (gfx942, gfx1100:+wavefrontsize64, gfx90a:xnack-)',
      ),
      row(flag('all-targets'), 'every RUN line, and those of --target besides'),
      TARGET_PARTS,
      row(
        flag('fix'),
        'and writes the one sensible repair of each error that has one (the fix-all of the editor), then checks the new text',
      ),
      row(flag('watch'), 'and again whenever a file changes, until Ctrl+C'),
      FUNCTION,
      row(value('region', 'N'), 'with --schedule: only this region; regions count from 0'),
      row(flag('schedule'), 'and what the machine scheduler would do: occupancy, regions, stages, reverts'),
      row(
        flag('allocate'),
        "and what llc's register allocator makes of the function as it stands: registers, spills, occupancy",
      ),
      row(
        flag('findings'),
        "and what the editor finds for the file's first target: spills at their definitions, parts of tuples that nothing has written, lane masks and waterfall loops that cost a wave, and the titles of the fixes that it would offer",
      ),
      row(flag('outcome'), 'what is done unless --as-written is given'),
      row(flag('as-written'), 'the order of the file alone, without scheduler and allocator: quick'),
      row(
        value('stage', 'NAME', STAGES),
        'where the functions stand: generic, selected, before-scheduling, scheduled, allocated or final; else RUN lines, dump headers and the functions themselves say it, or it is a guess',
      ),
      row(
        value('baseline', 'FILE', 'file'),
        'an error where what llc ends with (waves, spills, scratch) is worse than in this earlier --json report, or where it has none of the functions; with --allocate: what the allocator makes of functions as they stand',
      ),
      row(
        list('tolerance', 'COLUMN=N[,...]'),
        'how much worse than the baseline is no error: of waves, vgprSpills, sgprSpills, scratchBytes; and of vgpr, agpr, totalVgpr, sgpr, ldsBytes, which count only if they are named',
      ),
      row(flag('scalarize'), 'and which values in vector registers the SALU could compute, and what that gains'),
      row(
        flag('source-lines'),
        'and, where the file has debug info, for each line of the source, with the calls that inlined it: instructions, most live registers, spills that llc ends with',
      ),
      row(flag('remat'), 'and what rematerialization could do: sets for more waves, each register, why not'),
      MODELS_OF_FILE,
      ...SOURCE_TOOLS,
      formatRow(
        ['text', 'json', 'sarif', 'github', 'csv', 'markdown'],
        ': SARIF 2.1.0 for code review, annotations of GitHub Actions, a row for each function and target, a comment on a pull request',
      ),
      JSON_FLAG,
      CSV_FLAG,
      OUTPUT,
      row(value('max-size', 'BYTES'), 'leave larger files out (K, M and G are understood; 256M unless given)'),
      JOBS,
      COLOR,
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir check kernel.mir', 'occupancy and live peaks for the targets of its RUN lines'],
      ['amdgpu-mir check --target=gfx90a,gfx942,gfx1100 kernel.mir', 'the same for three processors, as a table'],
      ['amdgpu-mir check --json llvm/test/CodeGen/AMDGPU', 'everything about a folder, for a program'],
      [
        'llc -stop-before=machine-scheduler -o - a.ll | amdgpu-mir check --mcpu=gfx942 --remat -',
        'what rematerialization could do for a file that llc writes',
      ],
    ],
    exits: [
      [0, 'no file has an error'],
      [1, 'a file has errors'],
      [2, 'the arguments are wrong, a file cannot be read or there is none, or the output cannot be written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'explain',
    passesOn: true,
    usage: ['explain [OPTION]... FILE'],
    summary:
      'how the machine scheduler came to its order, the register allocator to its registers, or why values differ between lanes',
    about: [
      "Schedules the functions of a file as llc would and prints every decision. The file's first RUN line gives the options that are not named here.",
    ],
    options: [
      FUNCTION,
      row(value('region', 'N'), 'only this region; regions count from 0'),
      row(
        flag('allocation'),
        'the register allocator instead: where each register is, every pick, eviction, split and spill; scheduled first where the function stands before the scheduler',
      ),
      row(value('stage', 'NAME', STAGES), 'with --allocation: where the functions stand, as for check'),
      row(
        value('costs', 'TABLES', 'file'),
        'with --allocation: a table of the registers used with other costs of registers; uniform, index, stripes, callee-saved, several of them, all, a list as v40-47:1,s30:4, or a file with one',
      ),
      row(
        flag('divergence'),
        'which branches are divergent and why, back to the source, and where that could be broken',
      ),
      row(value('register', '%N'), 'with --allocation or --divergence: only what concerns this virtual register'),
      formatRow(['text', 'json']),
      JSON_FLAG,
      OUTPUT,
      COLOR,
      CONFIG,
      row(TARGET, 'instead of RUN lines and attributes of functions; one processor'),
      MODEL_OF_FILE,
      row([llvm('mtriple', 'T'), llvm('mcpu', 'C', 'processor'), llvm('mattr', 'F')], 'target, as for llc'),
      row([llvm('misched', 'NAME')], "llc's options of the scheduler", '-misched=NAME -amdgpu-...'),
    ],
    examples: [
      ['amdgpu-mir explain kernel.mir', 'all functions, all regions'],
      ['amdgpu-mir explain --function=gemm --region=2 kernel.mir', 'every pick in one region'],
      ['amdgpu-mir explain -misched=gcn-iterative-ilp kernel.mir', 'another scheduler'],
      ['amdgpu-mir explain --allocation --register=%31 kernel.mir', 'why %31 is spilled'],
      ['amdgpu-mir explain --allocation --costs=all kernel.mir', 'what other costs of registers would do'],
      ['amdgpu-mir explain --divergence --register=%9 kernel.mir', 'why %9 differs between lanes'],
    ],
    exits: [
      [0, 'all functions asked for are explained'],
      [1, 'a function has errors'],
      [2, 'the arguments are wrong or name no function, region or register of the file, or the file cannot be read'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'llc',
    isReadElsewhere: true,
    usage: ['llc [OPTION]... FILE'],
    summary: "what llc does, with llc's options",
    about: [
      `Runs passes over a MIR file and writes to standard output, standard error and the output file what llc ${MODELLED_LLVM} writes, byte for byte, with llc's exit codes. No code is generated: the passes have to be named.`,
      `Passes: ${PASS_NAMES}.`,
    ],
    options: [
      row([llvm('mtriple', 'T'), llvm('march', 'A'), llvm('mcpu', 'C', 'processor'), llvm('mattr', 'F')], 'target'),
      row(llvm('run-pass', 'PASS', 'pass'), 'one of these; may be given several times (-passes=... also)'),
      row(
        [
          llvm('start-before', 'PASS'),
          llvm('start-after', 'PASS'),
          llvm('stop-before', 'PASS'),
          llvm('stop-after', 'PASS'),
        ],
        "a part of llc's pipeline, of whose passes all have to be among these: machine-scheduler to virtregrewriter,2 at most",
      ),
      row(llvm('verify-machineinstrs'), 'verify after each pass'),
      row(
        [llvm('print-before', 'PASS'), llvm('print-after', 'PASS')],
        'print functions around a pass (-print-before-all, -print-after-all: all)',
      ),
      row(llvm('o', 'FILE', 'file'), 'where the result goes; - is standard output, and /dev/null spares making it'),
      row(
        [llvm('misched', 'NAME')],
        "llc's options of these passes; others that cannot change their result are accepted",
        '-misched=NAME -amdgpu-...',
      ),
      MODEL_OF_LLC,
      row(llvm('amdgpu-print-rp-downward'), 'for amdgpu-print-rp: the downward tracker'),
    ],
    examples: [
      ['amdgpu-mir llc -mtriple=amdgcn -mcpu=gfx942 -run-pass=none -o - kernel.mir', 'the file as llc prints it'],
      [
        'amdgpu-mir llc -mtriple=amdgcn -mcpu=gfx942 -run-pass=amdgpu-print-rp -o /dev/null kernel.mir',
        'register pressure at every instruction',
      ],
      ['amdgpu-mir llc -mtriple=amdgcn -mcpu=gfx942 -run-pass=machine-scheduler -o - kernel.mir', 'the scheduled file'],
      [
        'amdgpu-mir llc -mtriple=amdgcn -mcpu=gfx942 -start-before=greedy -stop-after=virtregrewriter,2 -o - kernel.mir',
        'the file with its registers allocated',
      ],
    ],
    exits: [
      [0, 'done'],
      [1, 'llc reports an error: in the file, in the options, or of the output'],
      [134, 'the machine verifier finds fault, at which llc aborts'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'filecheck',
    isReadElsewhere: true,
    usage: ['filecheck [OPTION]... CHECK-FILE < INPUT'],
    summary: "what FileCheck does, with FileCheck's options",
    about: [
      `Checks an input against the CHECK lines of a file and writes what FileCheck ${MODELLED_LLVM} writes, byte for byte, with its exit codes. Options stand in the variable FILECHECK_OPTS, too.`,
    ],
    options: [
      row(fileCheck('input-file', 'FILE', 'file'), 'what is checked; standard input unless given'),
      row(
        [fileCheck('check-prefix', 'P'), fileCheck('check-prefixes', 'P,Q')],
        'prefixes of directives instead of CHECK',
      ),
      row(fileCheck('comment-prefixes', 'P,Q'), 'prefixes of comments instead of COM and RUN'),
      row([llvm('D', 'NAME')], 'a variable', '-DNAME=VALUE -D#NAME=NUMBER'),
      row(fileCheck('implicit-check-not', 'PATTERN'), 'a NOT before every other directive and at the end'),
      row(fileCheck('match-full-lines'), 'a pattern matches a whole line'),
      row(fileCheck('strict-whitespace'), 'blanks and tabs count as they are'),
      row(fileCheck('ignore-case'), 'letters match in both cases'),
      row(fileCheck('enable-var-scope'), 'labels end the life of variables without $'),
      row(
        [fileCheck('allow-empty'), fileCheck('allow-unused-prefixes'), fileCheck('allow-deprecated-dag-overlap')],
        'what is an error otherwise',
      ),
      row([llvm('v'), llvm('vv')], 'tell what matched, too, and what else was tried'),
      row(
        fileCheck('dump-input', 'WHEN', ['help', 'always', 'fail', 'never']),
        'the input with marks: help, always, fail (default) or never',
      ),
      row(
        fileCheck('dump-input-filter', 'KIND', ['all', 'annotation-full', 'annotation', 'error']),
        'lines shown: all, annotation-full, annotation or error (default)',
      ),
      row(fileCheck('dump-input-context', 'N'), 'lines around them; 5 unless given'),
      row(fileCheck('color'), 'colours'),
    ],
    examples: [
      [
        'amdgpu-mir llc -mtriple=amdgcn -run-pass=machine-scheduler -o - t.mir | amdgpu-mir filecheck t.mir',
        'a test, without LLVM',
      ],
    ],
    exits: [
      [0, 'the input is as the check file says'],
      [1, 'it is not, or the options are wrong'],
      [2, 'the check file or the input cannot be used'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'test',
    usage: ['test [OPTION]... FILE|FOLDER...'],
    summary: 'runs tests by their RUN lines, as lit does',
    about: [
      'Runs the RUN lines of files, and of the .mir files of folders, and tells in the words of lit what passed. Understood are llc, FileCheck, not, split-file, cat and echo, pipes, redirections, &&, the substitutions of lit and its conditions (XFAIL, REQUIRES, UNSUPPORTED). What is not understood makes a test unsupported.',
    ],
    options: [
      row(
        value('llc', 'PATH', 'file'),
        'that llc instead of ours, which knows the passes that "amdgpu-mir help llc" names',
      ),
      row(value('filecheck', 'PATH', 'file'), 'that FileCheck instead of ours'),
      row(
        flag('write-anywhere'),
        'RUN lines write wherever they want, as with lit; without it in temporary files of the test (%t) alone, and what would write elsewhere (touch, tee, cp, >, llc -o, split-file) makes the test unsupported',
      ),
      MODEL_OF_FILE,
      formatRow(
        ['text', 'json', 'sarif', 'github', 'csv', 'markdown'],
        ': what lit prints, or a report when all tests have run',
      ),
      JSON_FLAG,
      CSV_FLAG,
      OUTPUT,
      JOBS,
      row(flag('v', 'verbose'), 'what the commands of a test that failed have told'),
      row(flag('show-unsupported'), 'why a test is unsupported'),
      COLOR,
      CONFIG,
      row(value('xunit-xml-output', 'FILE', 'file'), 'a report in the form of JUnit'),
      row(value('sarif', 'FILE', 'file'), 'what failed, as SARIF 2.1.0 for code review tools'),
      row([value('num-shards', 'N'), value('run-shard', 'I')], 'the tests I, I + N, I + 2N and so on, from 1'),
    ],
    examples: [
      ['amdgpu-mir test -v test.mir', 'one test'],
      ['amdgpu-mir test --llc=build/bin/llc llvm/test/CodeGen/AMDGPU', 'a folder with the llc of a build'],
    ],
    exits: [
      [0, 'no test failed'],
      [1, 'a test failed, passed unexpectedly or could not be run'],
      [2, 'there is no test, or the arguments are wrong'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'update-checks',
    usage: ['update-checks [OPTION]... FILE|FOLDER...'],
    summary: 'makes the CHECK lines of autogenerated tests anew',
    about: [
      'Runs the RUN lines of each file and writes its CHECK lines as update_mir_test_checks.py does, byte for byte. Files with other CHECK lines are left as they are.',
      'Of a RUN line only llc runs, on the text of the file, with standard output alone: a RUN line that reads another file, a device or a pipe, or writes one (-o FILE) is refused with its reason, and so are words that make an llc of yours load code, start programs or read further words from a file (-load, @FILE). Such a file stays as it is, and the exit code is 2. Redirections count for nothing, and RUN lines that begin with another program (env, not) are skipped with a warning; so are files that a folder holds as links out of it. A file that is changed meanwhile is read again.',
    ],
    options: [
      row(
        value('llc', 'PATH', 'file'),
        'that llc instead of ours, which knows the passes that "amdgpu-mir help llc" names',
      ),
      MODEL_OF_FILE,
      row(flag('check'), 'writes nothing: names the files whose CHECK lines are outdated'),
      FUNCTION,
      row(flag('force'), 'also files without the note that they are autogenerated'),
      row(
        value('script', '18|22', ['18', '22']),
        'whose script: that of LLVM 22 keeps comments between instructions and knows newer flags; without it what UTC_ARGS say (22 for --version 6, else 18)',
      ),
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir update-checks test.mir', 'after a change of the test'],
      [
        'amdgpu-mir update-checks --llc=build/bin/llc llvm/test/CodeGen/AMDGPU',
        'all autogenerated MIR tests of a folder',
      ],
      ['amdgpu-mir update-checks --llc=build/bin/llc test/*.mir', 'after a change of LLVM'],
    ],
    exits: [
      [0, 'done; with --check: all are as they should be'],
      [1, 'with --check: a file has outdated CHECK lines'],
      [2, 'the arguments are wrong, llc fails, or a file cannot be read or written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'fmt',
    usage: ['fmt [OPTION]... FILE|FOLDER...'],
    summary: 'files in the layout of llc, as the editor formats them',
    about: [
      'Writes each MIR file, and those of folders, in the layout that llc prints: only blanks and line breaks change, and comments stay. A document whose YAML is broken stays as it is. With - it formats standard input to standard output.',
    ],
    options: [row(flag('check'), 'writes nothing: names the files that are not formatted'), OUTPUT],
    examples: [
      ['amdgpu-mir fmt kernel.mir', 'one file, in its place'],
      ['amdgpu-mir fmt --check examples', 'in CI'],
    ],
    exits: [
      [0, 'done; with --check: all are formatted'],
      [1, 'with --check: a file is not formatted'],
      [2, 'the arguments are wrong, or a file cannot be read or written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'sweep',
    usage: ['sweep [OPTION]... FILE'],
    summary: 'what llc ends with under other options and attributes, in a table',
    about: [
      'A row for each function and setting, the file as it is first: waves, registers, spills and copies between VGPRs and AGPRs (in brackets those in loops), instructions and scratch, each computed to the end; the length is that of the scheduling model, weighted by the frequencies of the blocks that LLVM assumes, and no time. A setting with which llc fails is a row that says so.',
      'An attribute is set on every function that the embedded module defines, and what the file recorded from it (occupancy, reserved registers) is renewed.',
      'Settings are computed in several threads where that is worth it; Ctrl+C leaves what is there and says that it is partial ("partial" and "settingsLeft" in JSON, exit code 130).',
    ],
    options: [
      row(
        list('vary', '-OPTION[=V1,V2]'),
        "an option of llc and its values (-amdgpu-sched-strategy=max-ilp,max-memory-clause); without --vary the target's usual ones",
      ),
      row(list('vary', 'attr:NAME=V1|V2'), 'an attribute of the functions (attr:amdgpu-waves-per-eu=4,4|8,8)'),
      row(flag('product'), 'each value of each --vary with each of the others'),
      row(flag('runs'), 'each llc command of the RUN lines, with its target and options'),
      FUNCTION,
      row(TARGET, 'instead of RUN lines and attributes of functions; several are swept one after the other'),
      TARGET_PARTS,
      ...SOURCE_TOOLS,
      MODEL_OF_FILE,
      JOBS,
      formatRow(['text', 'json', 'sarif', 'github', 'csv', 'markdown']),
      JSON_FLAG,
      CSV_FLAG,
      OUTPUT,
      COLOR,
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir sweep kernel.mir', 'the usual settings'],
      ["amdgpu-mir sweep --vary='attr:amdgpu-waves-per-eu=4,4|8,8' kernel.mir", 'two settings of one attribute'],
    ],
    exits: [
      [0, 'done'],
      [1, 'a function has no outcome even as the file stands'],
      [2, 'the arguments are wrong, or the file cannot be read'],
      INTERNAL_EXIT,
      [130, 'interrupted'],
    ],
  }),
  () => ({
    name: 'why',
    usage: ['why [OPTION]... FILE'],
    summary: 'why llc ends with so few waves, who holds the registers, and what would help',
    about: [
      'For each function the limits of its waves (registers, LDS, work-group size, attributes, the processor) with what the next wave needs; the values that hold registers at the peak of the scheduled function, by what they are for; and what would help, best first: rematerializations, moves to the scalar unit, options and attributes, each computed to the end of what llc would run.',
    ],
    options: [
      FUNCTION,
      row(TARGET, 'instead of RUN lines and attributes of functions'),
      TARGET_PARTS,
      ...SOURCE_TOOLS,
      MODEL_OF_FILE,
      formatRow(['text', 'json']),
      JSON_FLAG,
      OUTPUT,
      COLOR,
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir why kernel.mir', 'of every function'],
      ['amdgpu-mir why --function=gemm --mcpu=gfx942 kernel.mir', 'of one function, on this processor'],
    ],
    exits: [
      [0, 'done'],
      [1, 'a function has no outcome'],
      [2, 'the arguments are wrong, or the file cannot be read'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'diff',
    usage: ['diff [OPTION]... BEFORE AFTER', 'diff [OPTION]... FILE'],
    summary: 'what llc ends with of two files, revisions or settings, and where the difference comes from',
    about: [
      'For each function that differs: waves as written, scheduled and as llc ends, registers, spills, copies between VGPRs and AGPRs, instructions and the length by the scheduling model (no time); then where that comes from: scheduling regions with their peaks and lengths, and how many instructions stand in another order; values that live longer, those first that came to the peak; and values that are spilled on one side alone, or otherwise.',
      'A side is a file, - (standard input), or git:REV:PATH, which your git reads; git:REV is the other file at that revision. One file alone is compared with itself under --with, for two processors of --target, or by two LLVMs of --model.',
      'Instructions are matched by their text, or, where names of registers are others throughout, without them.',
    ],
    options: [
      row(
        list('with', '-OPTION[=VALUE]'),
        'an option of llc that the second side has besides (-amdgpu-schedule-metric-bias=50); may be given several times',
      ),
      row(list('with', 'attr:NAME=VALUE'), 'an attribute of its functions (attr:amdgpu-waves-per-eu=8,8)'),
      FUNCTION,
      row(TARGET, 'instead of RUN lines and attributes of functions; of two, the first is for the first side'),
      TARGET_PARTS,
      MODELS_OF_SIDES,
      formatRow(
        ['text', 'json', 'sarif', 'github', 'csv', 'markdown'],
        '; JSON and CSV have the functions that are the same, too',
      ),
      JSON_FLAG,
      CSV_FLAG,
      OUTPUT,
      COLOR,
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir diff before.mir after.mir', 'two files'],
      ['amdgpu-mir diff git:HEAD kernel.mir', 'what an edit has changed since the last commit'],
      ['amdgpu-mir diff --with=-amdgpu-schedule-metric-bias=50 kernel.mir', 'one option'],
      ['amdgpu-mir diff --model=llvm-22,llvm-24 --format=markdown kernel.mir', 'two releases of LLVM'],
    ],
    exits: [
      [0, 'all functions are the same'],
      [1, 'a function differs, or only one side has it'],
      [2, 'the arguments are wrong, or a side cannot be read'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'log',
    usage: ['log [OPTION]... FILE'],
    summary: 'the machine passes in a log of -print-after-all, a dump as MIR, and what a pass changed',
    about: [
      'Reads what a compiler writes with -print-after-all and its like, and any text with machine functions in it (# Machine code for function ...): a crash, what the machine verifier complains of. LLVM IR, lines of other programs, colours, time stamps and a missing end do no harm; - is standard input. A log may be larger than memory.',
      'Lists for each dump the pass, the function, its instructions and most live registers; = where the pass changed nothing. With --pass it prints MIR of a dump that llc reads: in a module made up for it, which has the names that the dump mentions. docs/logs.md says what a dump lacks.',
    ],
    options: [
      row(
        value('pass', '#N|NAME[,K]', 'none'),
        'the dump with this number, or the one after this pass (before it where there is none after; before:NAME and after:NAME say which), of several the K-th from 0; of each function one',
      ),
      FUNCTION,
      row(flag('diff'), 'with --pass: what changed since the dump of the function before it'),
      row(flag('outcome'), 'and what llc ends with from each dump on; takes its time'),
      row(TARGET, 'what the numbers are for, unless the log names it'),
      TARGET_PARTS,
      MODEL_OF_FILE,
      formatRow(['text', 'json', 'csv'], ', of the list'),
      JSON_FLAG,
      CSV_FLAG,
      OUTPUT,
      COLOR,
    ],
    examples: [
      ['llc -mcpu=gfx942 -print-after-all a.ll 2> a.log; amdgpu-mir log a.log', 'the passes of a run'],
      ['amdgpu-mir log --pass=machine-scheduler --function=gemm -o gemm.mir a.log', 'MIR as the scheduler left it'],
      ['amdgpu-mir log --pass=greedy,2 --diff a.log', 'what the third run of the allocator changed'],
      [
        'clang -x hip --offload-arch=gfx942 -mllvm -print-after-all k.hip 2>&1 | amdgpu-mir log -',
        'the same of a HIP file',
      ],
    ],
    exits: [
      [0, 'done'],
      [
        2,
        'the arguments are wrong, there is no machine function, or not the one asked for, or the file cannot be read',
      ],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'reduce',
    usage: ['reduce --keep=CONDITION [OPTION]... FILE'],
    summary: 'a smaller file of which a condition still holds',
    about: [
      'Takes out functions, blocks, edges, instructions, operands, flags, memory operands, entries of headers, and what the embedded IR has, as long as the condition holds. A register that nothing writes any more is read as undef. Where the file verifies, every step and the result do. Comments and CHECK lines go, too, and of RUN lines all but the one whose options count.',
      "Conditions: a number of what llc ends with ('spills>0', 'waves<5', and vgpr, agpr, sgpr, vgprSpills, sgprSpills, scratch, lds, instructions) or of the file as it stands ('pressure(vgpr)>96'; sgpr, agpr), with < <= > >= = or !=, of any function or of --function; 'message TEXT': llc's messages have the text; 'fails': llc ends with an error; 'differs from --llc': your llc answers otherwise than its model; 'llvm-22 differs from llvm-24': so do two models; 'run COMMAND': the command ends with 0, as llvm-reduce asks it. The file stands for %s in COMMAND, else it is its last word. Of several --keep all have to hold.",
      'Messages, failures and differences are those of the llc of the first RUN line, if that names passes, or of the words of --arg; else messages come from reading and verifying the file, differences from the machine scheduler. With --llc messages and failures are those of your llc.',
      'Candidates are asked about in several threads. The result does not depend on their number. Ctrl+C writes what was reached (exit code 130).',
    ],
    options: [
      row(list('keep', 'CONDITION'), 'what is to stay true; may be given several times'),
      OUTPUT,
      row(value('llc', 'PATH', 'file'), 'an llc of yours'),
      row(list('arg', 'WORD'), 'a word for llc instead of those of the RUN line; may be given several times'),
      row(value('runs', 'WHICH', ['one', 'all', 'none']), 'which RUN lines stay: one (default), all or none'),
      row(value('function', 'F'), 'numbers are asked of this function alone'),
      row(
        value('timeout', 'SECONDS'),
        'for each run of your llc or command (60); what takes longer is not interesting',
      ),
      row(TARGET, 'instead of RUN lines and attributes of functions'),
      TARGET_PARTS,
      MODEL_OF_FILE,
      JOBS,
      row(flag('quiet'), 'no sizes on standard error'),
    ],
    examples: [
      ["amdgpu-mir reduce --keep='spills>0' kernel.mir -o small.mir", 'what still spills'],
      [
        "amdgpu-mir reduce --keep='message Illegal virtual register' kernel.mir -o small.mir",
        'what the verifier still rejects so',
      ],
      [
        "amdgpu-mir reduce --keep='differs from --llc' --llc=build/bin/llc kernel.mir -o small.mir",
        'for a bug report about a build of yours, or about us',
      ],
      ["amdgpu-mir reduce --keep='run ./crashes.sh' kernel.mir -o small.mir", 'by a script, as for llvm-reduce'],
    ],
    exits: [
      [0, 'done'],
      [
        2,
        'the arguments are wrong, the file cannot be read or the output not written, or the condition does not hold of the file',
      ],
      INTERNAL_EXIT,
      [130, 'interrupted'],
    ],
  }),
  () => ({
    name: 'simplify',
    usage: ['simplify [OPTION]... FILE'],
    summary: 'a test without what does not matter to its RUN lines',
    about: [
      "What the editor's Simplify the test does: unused IR, default keys, names of IR values, successors and classes that llc finds by itself, and so on, each left out where all RUN lines still write the same, or llc reads the same functions.",
    ],
    options: [OUTPUT, row(TARGET, 'instead of RUN lines and attributes of functions'), TARGET_PARTS, MODEL_OF_FILE],
    examples: [['amdgpu-mir simplify -o test.mir test.mir', 'in place']],
    exits: [
      [0, 'done'],
      [2, 'the arguments are wrong, the file cannot be read, or the output cannot be written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'report',
    usage: ['report [OPTION]... FILE'],
    summary: 'a text for a report of a bug: versions, options, what check says, the file',
    about: [
      "Prints one text that a maintainer can work with. It holds the versions of amdgpu-mir and of what runs it, the names of the system and processor, the options, what 'check' says, and the whole file; no folder names, nothing of the environment, and nothing is sent anywhere. Read it, then pass it on with -o or by copying it.",
      "A long file is better made small first: 'amdgpu-mir reduce'.",
    ],
    options: [
      OUTPUT,
      row(TARGET, 'as for check'),
      TARGET_PARTS,
      row(value('function', 'F'), 'what check says of this function; the file stays whole'),
      MODEL_OF_FILE,
    ],
    examples: [
      ['amdgpu-mir report k.mir', 'read it first'],
      ['amdgpu-mir report -o report.txt k.mir', 'write it to a file'],
    ],
    exits: [
      [0, 'done'],
      [2, 'the arguments are wrong, the file cannot be read, or the output cannot be written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'swap',
    usage: ['swap [-o OUT] FILE'],
    summary: 'what TRITON_SWAP_MIR reads, of a file that TRITON_DUMP_MIR wrote',
    about: [
      "Writes the file, edited or not, as Triton's LLVM reads it back: without the scheduling graph at its end, and in waves of 32 with $vcc where it prints $vcc_lo and reads $vcc. All other bytes stay. A file that its LLVM (llvm-24) would refuse is not written; the errors are told.",
      'With TRITON_SWAP_MIR_ENABLE_MISCHED Triton goes on with the machine scheduler, without it after it: then the order of the file is what is allocated.',
    ],
    options: [OUTPUT],
    examples: [['amdgpu-mir swap -o swap/kernel_1f.txt dump/kernel_1f.txt', 'a dump for TRITON_SWAP_MIR']],
    exits: [
      [0, 'done'],
      [1, 'it has errors'],
      [2, 'the arguments are wrong, or a file cannot be read or written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'compare',
    passesOn: true,
    usage: ['compare --llc=PATH [OPTION]... FILE', 'compare --graph FILE', 'compare --print-graph FILE'],
    summary: 'what an llc of yours makes of each function, and where that differs from the model',
    about: [
      "Runs the machine scheduler, or the passes named, with amdgpu-mir and with your llc on the same text, and tells for each function that differs its first line. The target is that of the first RUN line or of the module unless options name one. The model is the one of your llc's version unless --model names it.",
      'With --graph it compares the scheduling graph that Triton appends to a dump (TRITON_DUMP_MIR) with its own of the same function, and tells the first line that differs; with --print-graph it prints its own in the same form.',
    ],
    options: [
      row(value('llc', 'PATH', 'file'), 'your llc'),
      row(flag('graph'), 'the graph in a dump of Triton beside that of the model'),
      row(flag('print-graph'), "the model's graph as Triton writes it"),
      FUNCTION,
      MODEL_OF_FILE,
      row(TARGET, 'instead of what the first RUN line or the module says; one processor'),
      OUTPUT,
      COLOR,
      CONFIG,
      row(
        [llvm('mtriple', 'T'), llvm('mcpu', 'C', 'processor'), llvm('run-pass', 'P', 'pass')],
        "llc's options, for both",
        '-mtriple=T -mcpu=C -run-pass=P -amdgpu-...',
      ),
    ],
    examples: [['amdgpu-mir compare --llc=build/bin/llc kernel.mir', 'the schedule of each function']],
    exits: [
      [0, 'all functions, or the graphs, are equal'],
      [1, 'a function differs, or one of the two ends with an error'],
      [2, 'the arguments are wrong, or the file or the llc cannot be read'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'batch',
    isReadElsewhere: true,
    usage: ['batch < JOBS'],
    summary: 'many runs in one process: one JSON object a line on standard input',
    about: [
      'A job of FileCheck is a line {"command": "filecheck", "args": [...], "stdin": PATH, "env": {"FILECHECK_OPTS": ...}, "stdout": PATH, "stderr": PATH}; "stdin" is a file here.',
      'A job is a line {"args": [...], "stdin": TEXT, "stdout": PATH, "stderr": PATH}: options and input of llc, what the input - is, and files for what llc writes; only "args" is needed. Each job is answered by a line {"exit": N, "ms": T}, with "error" when it is not understood or a result cannot be written.',
    ],
    options: [],
    examples: [
      [
        `echo '{"args": ["-mcpu=gfx942", "-run-pass=none", "-o", "out.mir", "kernel.mir"]}' | amdgpu-mir batch`,
        'one job',
      ],
    ],
    exits: [
      [0, 'all jobs are answered, whatever their own exit codes'],
      [2, 'the arguments are wrong, the jobs cannot be read, or the answers cannot be written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'completions',
    usage: ['completions bash|zsh|fish'],
    summary: 'a script by which your shell completes commands, options and values',
    about: [
      'Prints a script for the shell that is named: commands, their options, and values where they are known (processors, models, formats, passes). bash reads it by source, or from a folder of bash-completion; zsh as _amdgpu-mir in a folder of $fpath; fish as amdgpu-mir.fish in ~/.config/fish/completions.',
    ],
    options: [OUTPUT],
    examples: [
      ['source <(amdgpu-mir completions bash)', 'in ~/.bashrc'],
      ['amdgpu-mir completions zsh -o ~/.zfunc/_amdgpu-mir', 'a file for zsh'],
      ['amdgpu-mir completions fish -o ~/.config/fish/completions/amdgpu-mir.fish', 'a file for fish'],
    ],
    exits: [[0, 'done'], [2, 'the arguments are wrong, or the output cannot be written'], INTERNAL_EXIT],
  }),
  () => ({
    name: 'lsp',
    isReadElsewhere: true,
    usage: ['lsp --stdio'],
    summary: 'language server for any editor',
    about: ['Speaks the Language Server Protocol 3.17 over the transport that is named.'],
    options: [
      row(flag('stdio'), 'standard input and output'),
      row(value('socket', 'PORT'), 'connects to a port of this machine'),
      row(value('pipe', 'PATH'), 'connects to a pipe or Unix socket'),
      row(flag('node-ipc'), 'for a parent process that is Node'),
      row(value('clientProcessId', 'PID'), 'end when this process has ended'),
    ],
    examples: [['amdgpu-mir lsp --stdio', 'what an editor starts']],
    exits: [
      [0, 'the client has asked it to end'],
      [1, 'the client is gone without having asked, or cannot be reached'],
      USAGE_EXIT,
    ],
  }),
];

/** Made when somebody asks: a run of llc does not. */
export const commands = lazy(() => TABLE.map((make) => make()));

export const commandOf = (name: string): CommandHelp | undefined => commands().find((own) => own.name === name);
