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
  ONE_TARGET,
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

const USAGE_EXIT = [2, 'wrong arguments'] as const;
const INTERNAL_EXIT = [70, 'internal error: a bug in amdgpu-mir'] as const;

const TABLE: readonly (() => CommandHelp)[] = [
  () => ({
    name: 'check',
    usage: ['check [OPTION]... FILE...'],
    summary: 'report waves, registers, spills and errors of every function',
    about: [
      'Takes MIR files, folders (searched for .mir files), standard input (-), and source files (.ll, .bc, .cl, .hip), which your own clang or llc compiles to MIR.',
      "For each function it prints the number of waves as written, after scheduling, and at the end of llc; registers, spills and scratch at the end of llc; what limits the waves, and what one more wave needs. It also prints the live peak of each register bank with its line, and every error in llc's words.",
      'The end result is computed from the point that the function has reached: before scheduling, after scheduling, or after register allocation. For earlier points (generic registers, SSA) there is no end result, and the report says so.',
      'The targets come from the RUN lines of the file. With several targets the numbers form a table. Files for targets other than AMDGPU are skipped with a note. So is everything in a folder that is not a regular file.',
    ],
    options: [
      row(
        TARGET,
        'use these processors instead of those in RUN lines and function attributes (target-cpu). Separate several with commas, or repeat the option (gfx942, gfx1100:+wavefrontsize64, gfx90a:xnack-)',
      ),
      row(flag('all-targets'), 'check the targets of every RUN line, and those of --target as well'),
      TARGET_PARTS,
      row(
        flag('fix'),
        'apply the fix of each error that has exactly one sensible fix (as Fix All does in the editor), then check the new text',
      ),
      row(flag('watch'), 'check again whenever a file changes, until Ctrl+C'),
      FUNCTION,
      row(value('region', 'N'), 'with --schedule: report only this region. Regions are counted from 0'),
      row(flag('schedule'), 'also report what the machine scheduler would do: occupancy, regions, stages, reverts'),
      row(
        flag('allocate'),
        "also report what llc's register allocator does with the function as it stands: registers, spills, occupancy",
      ),
      row(
        flag('findings'),
        "also report what the editor finds for the file's first target: spills at their definitions, parts of tuples that nothing has written, lane masks and waterfall loops that cost a wave, and the titles of the fixes it would offer",
      ),
      row(flag('outcome'), 'compute what llc ends with; this is the default'),
      row(
        flag('final'),
        "go on to llc's last pass and count the final code: bytes, waits by counter, no-ops for hazards, delays and clauses",
      ),
      row(flag('as-written'), 'report only the order in the file, without scheduler and allocator. This is fast'),
      row(
        value('stage', 'NAME', STAGES),
        'the point that the functions have reached: generic, selected, before-scheduling, scheduled, allocated or final. The default comes from RUN lines, dump headers and the functions; where these do not settle it, the report marks it as a guess',
      ),
      row(
        value('baseline', 'FILE', 'file'),
        "report an error where the end of llc is worse (waves, spills, scratch) than in this earlier --json report, or where that report has none of the functions. With --allocate, compare the allocator's results instead",
      ),
      row(
        list('tolerance', 'COLUMN=N[,...]'),
        'how much worse than the baseline a number may be: waves, vgprSpills, sgprSpills, scratchBytes. vgpr, agpr, totalVgpr, sgpr and ldsBytes are compared only if they are named here',
      ),
      row(
        flag('scalarize'),
        'also report which values in vector registers the SALU could compute, and what that gains',
      ),
      row(
        flag('source-lines'),
        'with debug info, also report for each source line (with the calls that inlined it): instructions, most live registers, spills at the end of llc',
      ),
      row(
        flag('remat'),
        'also report what rematerialization could do: the sets that gain a wave, and for each other register why not',
      ),
      MODELS_OF_FILE,
      ...SOURCE_TOOLS,
      formatRow(
        ['text', 'json', 'sarif', 'github', 'csv', 'markdown'],
        '. sarif (2.1.0) is for code review tools, github for annotations in GitHub Actions, csv has one row per function and target, markdown suits a pull request comment',
      ),
      JSON_FLAG,
      CSV_FLAG,
      OUTPUT,
      row(value('max-size', 'BYTES'), 'skip larger files; K, M and G are understood (default: 256M)'),
      JOBS,
      COLOR,
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir check kernel.mir', 'waves, registers and spills for the targets of its RUN lines'],
      ['amdgpu-mir check --target=gfx90a,gfx942,gfx1100 kernel.mir', 'the same for three processors, as a table'],
      ['amdgpu-mir check --json llvm/test/CodeGen/AMDGPU', 'all numbers of a folder, for another program'],
      [
        'llc -stop-before=machine-scheduler -o - a.ll | amdgpu-mir check --mcpu=gfx942 --remat -',
        'what rematerialization could do for the output of llc',
      ],
    ],
    exits: [
      [0, 'no errors'],
      [1, 'at least one file has errors'],
      [2, 'wrong arguments, no file, a file that cannot be read, or output that cannot be written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'explain',
    passesOn: true,
    usage: ['explain [OPTION]... FILE'],
    summary:
      'show every decision of the scheduler, the register allocator or another pass, or why values are divergent',
    about: [
      "Schedules the functions of a file as llc would, and prints every decision. Options that you do not give come from the file's first RUN line.",
    ],
    options: [
      FUNCTION,
      row(value('region', 'N'), 'show only this region. Regions are counted from 0'),
      row(
        flag('allocation'),
        'explain the register allocator instead: where each register goes, and every eviction, split and spill. Functions that are not scheduled yet are scheduled first',
      ),
      row(
        value('pass', 'NAME', 'pass'),
        'explain this pass instead: what it does to each instruction, and why. Passes that come before it in the RUN line, or from --stage on, run first',
      ),
      row(
        value('stage', 'NAME', STAGES),
        'with --allocation or --pass: the point that the functions have reached, as for check',
      ),
      row(
        value('costs', 'TABLES', 'file'),
        'with --allocation: a table of the registers used under other register costs. TABLES is uniform, index, stripes, callee-saved, several of these, all, a list such as v40-47:1,s30:4, or a file with such a list',
      ),
      row(
        flag('divergence'),
        'explain instead which branches are divergent and why, back to the source of divergence, and where the chain could be broken',
      ),
      row(value('register', '%N'), 'with --allocation or --divergence: only this virtual register'),
      formatRow(['text', 'json']),
      JSON_FLAG,
      OUTPUT,
      COLOR,
      CONFIG,
      row(TARGET, ONE_TARGET),
      MODEL_OF_FILE,
      row([llvm('mtriple', 'T'), llvm('mcpu', 'C', 'processor'), llvm('mattr', 'F')], 'the target, as for llc'),
      row([llvm('misched', 'NAME')], 'scheduler options of llc', '-misched=NAME -amdgpu-...'),
    ],
    examples: [
      ['amdgpu-mir explain kernel.mir', 'all functions and regions'],
      ['amdgpu-mir explain --function=gemm --region=2 kernel.mir', 'every pick in one region'],
      ['amdgpu-mir explain -misched=gcn-iterative-ilp kernel.mir', 'another scheduler'],
      ['amdgpu-mir explain --allocation --register=%31 kernel.mir', 'why %31 is spilled'],
      ['amdgpu-mir explain --allocation --costs=all kernel.mir', 'the effect of other register costs'],
      ['amdgpu-mir explain --pass=si-insert-waitcnts kernel.mir', 'why each wait is where it is'],
      ['amdgpu-mir explain --divergence --register=%9 kernel.mir', 'why %9 differs between lanes'],
    ],
    exits: [
      [0, 'every requested function is explained'],
      [1, 'a function has errors'],
      [2, 'wrong arguments; a function, region or register that the file does not have; or a file that cannot be read'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'llc',
    isReadElsewhere: true,
    usage: ['llc [OPTION]... FILE'],
    summary: "run machine passes as llc does, with llc's options",
    about: [
      `Runs passes over a MIR file. Standard output, standard error, the output file and the exit code are those of llc ${MODELLED_LLVM}, byte for byte. It does not generate code, so you have to name the passes.`,
      `Passes: ${PASS_NAMES}.`,
    ],
    options: [
      row([llvm('mtriple', 'T'), llvm('march', 'A'), llvm('mcpu', 'C', 'processor'), llvm('mattr', 'F')], 'target'),
      row(llvm('run-pass', 'PASS', 'pass'), 'run one of these passes. Repeat it for several, or use -passes=...'),
      row(
        [
          llvm('start-before', 'PASS'),
          llvm('start-after', 'PASS'),
          llvm('stop-before', 'PASS'),
          llvm('stop-after', 'PASS'),
        ],
        "run a part of llc's pipeline. Every pass in it has to be one of these; the longest part is machine-scheduler to virtregrewriter,2",
      ),
      row(llvm('verify-machineinstrs'), 'verify the machine code after each pass'),
      row(
        [llvm('print-before', 'PASS'), llvm('print-after', 'PASS')],
        'print the functions before or after a pass (-print-before-all, -print-after-all: every pass)',
      ),
      row(
        llvm('o', 'FILE', 'file'),
        'write the result to this file. - is standard output; with /dev/null no result is made',
      ),
      row(
        [llvm('misched', 'NAME')],
        "llc's options for these passes. Options that cannot change the result are accepted and ignored",
        '-misched=NAME -amdgpu-...',
      ),
      MODEL_OF_LLC,
      row(llvm('amdgpu-print-rp-downward'), 'amdgpu-print-rp: use the downward tracker'),
    ],
    examples: [
      [
        'amdgpu-mir llc -mtriple=amdgcn -mcpu=gfx942 -run-pass=none -o - kernel.mir',
        'parse and print the file as llc does',
      ],
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
      [1, 'llc reports an error: in the file, the options or the output'],
      [134, 'the machine verifier reports an error, after which llc aborts'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'filecheck',
    isReadElsewhere: true,
    usage: ['filecheck [OPTION]... CHECK-FILE < INPUT'],
    summary: 'check text against CHECK lines as FileCheck does',
    about: [
      `Checks an input against the CHECK lines of a file. Its output and exit codes are those of FileCheck ${MODELLED_LLVM}, byte for byte. It also reads options from the environment variable FILECHECK_OPTS.`,
    ],
    options: [
      row(fileCheck('input-file', 'FILE', 'file'), 'check this file (default: standard input)'),
      row(
        [fileCheck('check-prefix', 'P'), fileCheck('check-prefixes', 'P,Q')],
        'prefixes of directives (default: CHECK)',
      ),
      row(fileCheck('comment-prefixes', 'P,Q'), 'prefixes of comments (default: COM and RUN)'),
      row([llvm('D', 'NAME')], 'define a variable', '-DNAME=VALUE -D#NAME=NUMBER'),
      row(fileCheck('implicit-check-not', 'PATTERN'), 'imply a CHECK-NOT before every other directive and at the end'),
      row(fileCheck('match-full-lines'), 'a pattern has to match the whole line'),
      row(fileCheck('strict-whitespace'), 'do not treat spaces and tabs alike'),
      row(fileCheck('ignore-case'), 'ignore upper and lower case'),
      row(fileCheck('enable-var-scope'), 'a CHECK-LABEL clears variables without a $ in their name'),
      row(
        [fileCheck('allow-empty'), fileCheck('allow-unused-prefixes'), fileCheck('allow-deprecated-dag-overlap')],
        'allow what would otherwise be an error',
      ),
      row([llvm('v'), llvm('vv')], 'also report matches (-v), and everything else that was tried (-vv)'),
      row(
        fileCheck('dump-input', 'WHEN', ['help', 'always', 'fail', 'never']),
        'print the input with annotations: help, always, fail (default) or never',
      ),
      row(
        fileCheck('dump-input-filter', 'KIND', ['all', 'annotation-full', 'annotation', 'error']),
        'which lines to print: all, annotation-full, annotation or error (default)',
      ),
      row(fileCheck('dump-input-context', 'N'), 'how many lines to print around them (default: 5)'),
      row(fileCheck('color'), 'use colours'),
    ],
    examples: [
      [
        'amdgpu-mir llc -mtriple=amdgcn -run-pass=machine-scheduler -o - t.mir | amdgpu-mir filecheck t.mir',
        'run a test without LLVM',
      ],
    ],
    exits: [
      [0, 'all checks match'],
      [1, 'a check fails, or the options are wrong'],
      [2, 'the check file or the input cannot be used'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'test',
    usage: ['test [OPTION]... FILE|FOLDER...'],
    summary: 'run the RUN lines of tests, as lit does',
    about: [
      "Runs the RUN lines of the files, and of all .mir files in the folders, and reports the results in lit's words. It needs no LLVM. It understands llc, FileCheck, not, split-file, cat and echo; pipes, redirections and &&; lit's substitutions, and its conditions (XFAIL, REQUIRES, UNSUPPORTED). A test with anything else is reported as unsupported.",
    ],
    options: [
      row(
        value('llc', 'PATH', 'file'),
        'use your own llc. The built-in one has the passes that "amdgpu-mir help llc" lists',
      ),
      row(value('filecheck', 'PATH', 'file'), 'use your own FileCheck'),
      row(
        flag('write-anywhere'),
        'let RUN lines write anywhere, as lit does. Without it they may write only to temporary files of the test (%t); a test that would write elsewhere (touch, tee, cp, >, llc -o, split-file) is unsupported',
      ),
      MODEL_OF_FILE,
      formatRow(
        ['text', 'json', 'sarif', 'github', 'csv', 'markdown'],
        '. text is what lit prints; the others are written when all tests have run',
      ),
      JSON_FLAG,
      CSV_FLAG,
      OUTPUT,
      JOBS,
      row(flag('v', 'verbose'), 'show the output of the commands of failed tests'),
      row(flag('show-unsupported'), 'say why tests are unsupported'),
      COLOR,
      CONFIG,
      row(value('xunit-xml-output', 'FILE', 'file'), 'also write a JUnit report'),
      row(value('sarif', 'FILE', 'file'), 'also write the failures as SARIF 2.1.0'),
      row(
        [value('num-shards', 'N'), value('run-shard', 'I')],
        'run only tests I, I + N, I + 2N and so on, counted from 1',
      ),
    ],
    examples: [
      ['amdgpu-mir test -v test.mir', 'one test'],
      ['amdgpu-mir test --llc=build/bin/llc llvm/test/CodeGen/AMDGPU', 'a folder, with the llc of your build'],
    ],
    exits: [
      [0, 'no test failed'],
      [1, 'a test failed, passed unexpectedly or could not be run'],
      [2, 'wrong arguments, or no tests'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'update-checks',
    usage: ['update-checks [OPTION]... FILE|FOLDER...'],
    summary: 'regenerate the CHECK lines of tests',
    about: [
      'Runs the RUN lines of each file and writes its CHECK lines as update_mir_test_checks.py does, byte for byte. Files with other CHECK lines are left alone.',
      'Only the llc of a RUN line runs; it reads the test and writes to standard output. A RUN line is refused if it reads or writes another file, a device or a pipe, or if it would make your llc load code, start programs or read options from a file (-load, @FILE). The file is then left alone, the reason is printed, and the exit code is 2. Redirections are ignored. RUN lines that begin with another program (env, not) are skipped with a warning, and so are links in a folder that lead out of it. A file that changes in the meantime is read again.',
    ],
    options: [
      row(
        value('llc', 'PATH', 'file'),
        'use your own llc. The built-in one has the passes that "amdgpu-mir help llc" lists',
      ),
      MODEL_OF_FILE,
      row(flag('check'), 'write nothing; list the files whose CHECK lines are outdated'),
      FUNCTION,
      row(
        flag('force'),
        'also replace CHECK lines that the script has not made. A file that you name and that has no CHECK lines gets them without this',
      ),
      row(
        value('script', '18|22', ['18', '22']),
        'follow the script of LLVM 18 or 22. That of 22 keeps comments between instructions and knows newer flags. The default comes from UTC_ARGS (22 for --version 6, otherwise 18)',
      ),
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir update-checks test.mir', 'a new test, or one that has changed'],
      [
        'amdgpu-mir update-checks --llc=build/bin/llc llvm/test/CodeGen/AMDGPU',
        'all autogenerated MIR tests of a folder',
      ],
      ['amdgpu-mir update-checks --llc=build/bin/llc test/*.mir', 'after a change to LLVM'],
    ],
    exits: [
      [0, 'done; with --check: all CHECK lines are up to date'],
      [1, 'with --check: at least one file has outdated CHECK lines'],
      [2, 'wrong arguments, an llc that fails, or a file that cannot be read or written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'fmt',
    usage: ['fmt [OPTION]... FILE|FOLDER...'],
    summary: 'format MIR files as llc prints them',
    about: [
      'Formats MIR files, and those in folders, in the layout that llc prints. Only spaces and line breaks change; comments stay. A document with broken YAML is left alone. With - it formats standard input to standard output.',
    ],
    options: [row(flag('check'), 'write nothing; list the files that are not formatted'), OUTPUT],
    examples: [
      ['amdgpu-mir fmt kernel.mir', 'format a file in place'],
      ['amdgpu-mir fmt --check examples', 'in CI'],
    ],
    exits: [
      [0, 'done; with --check: all are formatted'],
      [1, 'with --check: at least one file is not formatted'],
      [2, 'wrong arguments, or a file that cannot be read or written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'sweep',
    usage: ['sweep [OPTION]... FILE'],
    summary: 'tabulate what llc ends with under other options and attributes',
    about: [
      "Prints one row per function and setting, with the file as it is in the first row. Each row is computed to the end of llc: waves, registers, spills, copies between VGPRs and AGPRs, instructions and scratch. Numbers in brackets count loops only. The length adds up the latencies of LLVM's scheduling model, weighted by its block frequencies; it is not a time. If llc fails with a setting, the row says so.",
      'An attribute is set on every function that the embedded module defines. What the file records from it (occupancy, reserved registers) is updated.',
      'Ctrl+C prints the rows that are done and marks the table as partial ("partial" and "settingsLeft" in JSON, exit code 130).',
    ],
    options: [
      row(
        list('vary', '-OPTION[=V1,V2]'),
        'vary an option of llc (-amdgpu-sched-strategy=max-ilp,max-memory-clause). Without --vary, the usual settings of the target are tried',
      ),
      row(list('vary', 'attr:NAME=V1|V2'), 'vary a function attribute (attr:amdgpu-waves-per-eu=4,4|8,8)'),
      row(flag('product'), 'try every combination of the --vary values'),
      row(
        flag('final'),
        "go on to llc's last pass and add columns of the final code: bytes, waits, no-ops for hazards, delays and clauses",
      ),
      row(flag('each-run'), 'repeat the sweep for each llc command of the RUN lines, with its target and options'),
      FUNCTION,
      row(TARGET, 'use these processors, one after the other, instead of the one in RUN lines and function attributes'),
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
      ['amdgpu-mir sweep kernel.mir', 'the usual settings of the target'],
      ["amdgpu-mir sweep --vary='attr:amdgpu-waves-per-eu=4,4|8,8' kernel.mir", 'two settings of one attribute'],
    ],
    exits: [
      [0, 'done'],
      [1, 'a function has no result even without a change'],
      [2, 'wrong arguments, or a file that cannot be read'],
      INTERNAL_EXIT,
      [130, 'interrupted'],
    ],
  }),
  () => ({
    name: 'why',
    usage: ['why [OPTION]... FILE'],
    summary: 'say what limits the waves, who holds the registers, and what would help',
    about: [
      'For each function it prints what limits the waves (registers, LDS, work-group size, attributes, the processor) and what one more wave needs; which values hold registers at the peak of the scheduled function, and what for; and what would help, best first: rematerializations, moves to the scalar unit, options and attributes. Each of these is computed to the end of llc.',
    ],
    options: [
      FUNCTION,
      row(TARGET, ONE_TARGET),
      TARGET_PARTS,
      ...SOURCE_TOOLS,
      MODEL_OF_FILE,
      formatRow(['text', 'json']),
      JSON_FLAG,
      JOBS,
      OUTPUT,
      COLOR,
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir why kernel.mir', 'every function'],
      ['amdgpu-mir why --function=gemm --mcpu=gfx942 kernel.mir', 'one function, on this processor'],
    ],
    exits: [
      [0, 'done'],
      [1, 'a function has no result'],
      [2, 'wrong arguments, or a file that cannot be read'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'diff',
    usage: ['diff [OPTION]... BEFORE AFTER', 'diff [OPTION]... FILE'],
    summary: 'compare what llc ends with for two files, revisions or settings, and say why',
    about: [
      'For each function that differs it prints the waves as written, after scheduling and at the end of llc; registers, spills, copies between VGPRs and AGPRs, instructions, and the length in the scheduling model (not a time). Then it says where the difference comes from: scheduling regions with their peaks, lengths and reordered instructions; values that live longer, with those at the peak first; and values that only one side spills.',
      'A side is a file, - (standard input), or git:REV:PATH, which your git reads. git:REV is the other file at that revision. A single file is compared with itself: under --with, for two processors in --target, or for two LLVMs in --model.',
      'Instructions are matched by their text, or without register names where these differ throughout.',
    ],
    options: [
      row(
        list('with', '-OPTION[=VALUE]'),
        'give the second side this option of llc as well (-amdgpu-schedule-metric-bias=50). Repeat it for several',
      ),
      row(list('with', 'attr:NAME=VALUE'), 'give its functions this attribute (attr:amdgpu-waves-per-eu=8,8)'),
      FUNCTION,
      row(
        TARGET,
        'use this processor instead of the one in RUN lines and function attributes. Of two, the first is for the first side',
      ),
      TARGET_PARTS,
      MODELS_OF_SIDES,
      formatRow(
        ['text', 'json', 'sarif', 'github', 'csv', 'markdown'],
        '. json and csv also have the functions that are the same',
      ),
      JSON_FLAG,
      CSV_FLAG,
      OUTPUT,
      COLOR,
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir diff before.mir after.mir', 'two files'],
      ['amdgpu-mir diff git:HEAD kernel.mir', 'what your edit changed since the last commit'],
      ['amdgpu-mir diff --with=-amdgpu-schedule-metric-bias=50 kernel.mir', 'one option'],
      ['amdgpu-mir diff --model=llvm-22,llvm-24 --format=markdown kernel.mir', 'two releases of LLVM'],
    ],
    exits: [
      [0, 'no function differs'],
      [1, 'a function differs, or only one side has it'],
      [2, 'wrong arguments, or a side that cannot be read'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'log',
    usage: ['log [OPTION]... FILE'],
    summary: 'read a log of -print-after-all: passes, what each changed, any dump as MIR',
    about: [
      'Reads what a compiler prints with -print-after-all and similar options, and any other text with machine functions in it (# Machine code for function ...), such as a crash or an error of the machine verifier. LLVM IR, output of other programs, colours, time stamps and a missing end do no harm. - is standard input. A log may be larger than memory.',
      'For each dump it lists the pass, the function, the number of instructions and the most live registers; = means that the pass changed nothing. With --pass it prints a dump as MIR that llc reads, in a module made up of the names that the dump mentions. docs/logs.md says what a dump lacks.',
    ],
    options: [
      row(
        value('pass', '#N|NAME[,K]', 'none'),
        'print the dump with this number, or the one after this pass (before it, if there is none after; before:NAME and after:NAME choose). Of several runs of the pass, take the K-th, counted from 0. Prints one dump per function',
      ),
      FUNCTION,
      row(flag('diff'), 'with --pass: print what changed since the previous dump of the function'),
      row(flag('outcome'), 'also compute what llc ends with from each dump on; this is slow'),
      row(TARGET, 'the processor, unless the log names it'),
      TARGET_PARTS,
      MODEL_OF_FILE,
      formatRow(['text', 'json', 'csv'], '; for the list'),
      JSON_FLAG,
      CSV_FLAG,
      OUTPUT,
      COLOR,
      CONFIG,
    ],
    examples: [
      ['llc -mcpu=gfx942 -print-after-all a.ll 2> a.log; amdgpu-mir log a.log', 'list the passes of a run'],
      ['amdgpu-mir log --pass=machine-scheduler --function=gemm -o gemm.mir a.log', 'the MIR after the scheduler'],
      ['amdgpu-mir log --pass=greedy,2 --diff a.log', 'what the third run of the allocator changed'],
      [
        'clang -x hip --offload-arch=gfx942 -mllvm -print-after-all k.hip 2>&1 | amdgpu-mir log -',
        'the same for a HIP file',
      ],
    ],
    exits: [
      [0, 'done'],
      [2, 'wrong arguments, no machine function, not the one that you asked for, or a file that cannot be read'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'reduce',
    usage: ['reduce --keep=CONDITION [OPTION]... FILE'],
    summary: 'make a file smaller while a condition still holds',
    about: [
      'Removes functions, blocks, edges, instructions, operands, flags, memory operands, header entries and embedded IR as long as the condition holds. A register that is no longer written is read as undef. If the file passes the machine verifier, so do every step and the result. Comments and CHECK lines are removed, and so are all RUN lines but the one whose options count.',
      "A condition is one of these. A number at the end of llc: 'spills>0', 'waves<5' (also vgpr, agpr, sgpr, vgprSpills, sgprSpills, scratch, lds, instructions). A number of the file as it stands: 'pressure(vgpr)>96' (also sgpr, agpr). Comparisons are < <= > >= = and !=; they hold if they hold for any function, or for that of --function. 'message TEXT': a message of llc contains the text. 'fails': llc reports an error. 'differs from --llc': your llc and the model of it differ. 'llvm-22 differs from llvm-24': two models differ. 'run COMMAND': the command exits with 0, as for llvm-reduce; the file takes the place of %s in COMMAND, or is its last argument. With several --keep, all have to hold.",
      'Messages, failures and differences are those of the llc command in the first RUN line, if it names passes, or of the arguments in --arg. Otherwise messages come from parsing and verifying the file, and differences from the machine scheduler. With --llc, messages and failures are those of your llc.',
      'The result does not depend on the number of threads. Ctrl+C writes the smallest file so far (exit code 130).',
    ],
    options: [
      row(list('keep', 'CONDITION'), 'what has to stay true. Repeat it for several conditions'),
      OUTPUT,
      row(value('llc', 'PATH', 'file'), 'your llc'),
      row(list('arg', 'WORD'), 'an argument for llc, instead of those in the RUN line. Repeat it for several'),
      row(
        value('keep-run-lines', 'WHICH', ['one', 'all', 'none']),
        'which RUN lines to keep: one (default), all or none',
      ),
      row(value('function', 'F'), 'apply conditions on numbers to this function only'),
      row(
        value('timeout', 'SECONDS'),
        'time limit for each run of your llc or command (default: 60). A run that takes longer does not meet the condition',
      ),
      row(TARGET, ONE_TARGET),
      TARGET_PARTS,
      MODEL_OF_FILE,
      JOBS,
      row(flag('quiet'), 'do not print sizes to standard error'),
      CONFIG,
    ],
    examples: [
      ["amdgpu-mir reduce --keep='spills>0' kernel.mir -o small.mir", 'keep a spill'],
      [
        "amdgpu-mir reduce --keep='message Illegal virtual register' kernel.mir -o small.mir",
        'keep a message of the verifier',
      ],
      [
        "amdgpu-mir reduce --keep='differs from --llc' --llc=build/bin/llc kernel.mir -o small.mir",
        'for a bug report about your build of LLVM, or about amdgpu-mir',
      ],
      ["amdgpu-mir reduce --keep='run ./crashes.sh' kernel.mir -o small.mir", 'use a script, as with llvm-reduce'],
    ],
    exits: [
      [0, 'done'],
      [
        2,
        'wrong arguments, a file that cannot be read, output that cannot be written, or a condition that does not hold for the file',
      ],
      INTERNAL_EXIT,
      [130, 'interrupted'],
    ],
  }),
  () => ({
    name: 'simplify',
    usage: ['simplify [OPTION]... FILE', 'simplify --bisect-pass --keep=CONDITION [OPTION]... FILE'],
    summary: 'remove what does not matter from a test',
    about: [
      'Does what Simplify Test does in the editor. It removes unused IR, keys with default values, names of IR values, successors and register classes that llc infers, and the like. Each removal is kept only if all RUN lines still print the same, or llc reads the same functions.',
      "With --bisect-pass it finds the pass after which a condition (see 'amdgpu-mir help reduce') first holds: among those of the first RUN line or of --arg, otherwise from the machine scheduler to the end. Standard error names the pass. The output is the MIR before that pass, with a RUN line for it alone.",
    ],
    options: [
      OUTPUT,
      row(flag('bisect-pass'), 'find the pass that makes a condition true'),
      row(list('keep', 'CONDITION'), 'the condition for --bisect-pass. Repeat it for several conditions'),
      row(value('llc', 'PATH', 'file'), 'your llc, which then runs the passes'),
      row(list('arg', 'WORD'), 'an argument for llc, instead of those in the RUN line. Repeat it for several'),
      row(value('function', 'F'), 'apply conditions on numbers to this function only'),
      row(TARGET, ONE_TARGET),
      TARGET_PARTS,
      MODEL_OF_FILE,
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir simplify -o test.mir test.mir', 'simplify a test in place'],
      [
        "amdgpu-mir simplify --bisect-pass --keep='message Bad machine code' --llc=build/bin/llc k.mir -o before.mir",
        'find the pass that breaks a function',
      ],
    ],
    exits: [
      [0, 'done'],
      [
        2,
        'wrong arguments, a file that cannot be read, output that cannot be written, or a condition that does not hold after the last pass or holds before the first',
      ],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'report',
    usage: ['report [OPTION]... FILE'],
    summary: 'collect what a bug report needs: versions, options, results, the file',
    about: [
      "Prints one text that a maintainer can work with: the versions of amdgpu-mir and its runtime, the operating system and processor, your options, the output of 'check', and the whole file. It contains no folder names and nothing of your environment, and nothing is sent anywhere. Read it before you pass it on.",
      "Make a long file smaller first, with 'amdgpu-mir reduce'.",
    ],
    options: [
      OUTPUT,
      row(TARGET, ONE_TARGET),
      TARGET_PARTS,
      row(value('function', 'F'), 'show the results of this function only. The whole file is still included'),
      MODEL_OF_FILE,
      CONFIG,
    ],
    examples: [
      ['amdgpu-mir report k.mir', 'read it first'],
      ['amdgpu-mir report -o report.txt k.mir', 'write it to a file'],
    ],
    exits: [
      [0, 'done'],
      [2, 'wrong arguments, a file that cannot be read, or output that cannot be written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'swap',
    usage: ['swap [-o OUT] FILE'],
    summary: 'turn a dump of TRITON_DUMP_MIR into what TRITON_SWAP_MIR reads',
    about: [
      "Writes the dump, edited or not, in the form that Triton's LLVM reads back: without the scheduling graph at its end and, for wave32, with $vcc in place of $vcc_lo. All other bytes stay. If Triton's LLVM (llvm-24) would reject the file, it is not written, and the errors are printed.",
      'With TRITON_SWAP_MIR_ENABLE_MISCHED, Triton continues with the machine scheduler. Without it, Triton continues after the scheduler, so registers are allocated in the order of the file.',
    ],
    options: [OUTPUT],
    examples: [['amdgpu-mir swap -o swap/kernel_1f.txt dump/kernel_1f.txt', 'prepare a dump for TRITON_SWAP_MIR']],
    exits: [
      [0, 'done'],
      [1, 'the file has errors'],
      [2, 'wrong arguments, or a file that cannot be read or written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'compare',
    passesOn: true,
    usage: ['compare --llc=PATH [OPTION]... FILE|FOLDER...', 'compare --graph FILE', 'compare --print-graph FILE'],
    summary: 'compare the results with those of your llc, function by function',
    about: [
      'Runs the machine scheduler, or the passes that you name, in amdgpu-mir and in your llc on the same text. It prints the first line that differs in each function, and how many functions are equal. The target comes from the first RUN line or the module, unless options name one. The model follows the version of your llc, unless --model names one.',
      'With --graph it compares the scheduling graph that Triton appends to a dump (TRITON_DUMP_MIR) with its own graph of the same function, and prints the first line that differs. With --print-graph it prints its own graph in the same form.',
    ],
    options: [
      row(value('llc', 'PATH', 'file'), 'your llc'),
      row(flag('graph'), 'compare the graph in a Triton dump'),
      row(flag('print-graph'), 'print the graph as Triton writes it'),
      FUNCTION,
      MODEL_OF_FILE,
      row(TARGET, 'use this processor instead of the one in the first RUN line or the module'),
      formatRow(['text', 'json']),
      JSON_FLAG,
      OUTPUT,
      COLOR,
      CONFIG,
      row(
        [llvm('mtriple', 'T'), llvm('mcpu', 'C', 'processor'), llvm('run-pass', 'P', 'pass')],
        'options of llc, for both',
        '-mtriple=T -mcpu=C -run-pass=P -amdgpu-...',
      ),
    ],
    examples: [
      ['amdgpu-mir compare --llc=build/bin/llc kernel.mir', 'compare the schedule of each function'],
      ['amdgpu-mir compare --llc=build/bin/llc kernels', 'measure the agreement over a folder'],
    ],
    exits: [
      [0, 'all functions or graphs are equal'],
      [1, 'a function differs, or one of the two reports an error'],
      [2, 'wrong arguments, or a file or llc that cannot be read'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'batch',
    isReadElsewhere: true,
    usage: ['batch < JOBS'],
    summary: 'run many llc and FileCheck jobs in one process, given as JSON lines',
    about: [
      'A job for llc is one line: {"args": [...], "stdin": TEXT, "stdout": PATH, "stderr": PATH}. "args" are the options and the input of llc, "stdin" is the text of the input -, and "stdout" and "stderr" are files for the output. Only "args" is required. The answer to each job is a line {"exit": N, "ms": T}, with "error" if the job is not understood or a result cannot be written.',
      'A job for FileCheck is {"command": "filecheck", "args": [...], "stdin": PATH, "env": {"FILECHECK_OPTS": ...}, "stdout": PATH, "stderr": PATH}. Here "stdin" is a file.',
    ],
    options: [],
    examples: [
      [
        `echo '{"args": ["-mcpu=gfx942", "-run-pass=none", "-o", "out.mir", "kernel.mir"]}' | amdgpu-mir batch`,
        'one job',
      ],
    ],
    exits: [
      [0, 'all jobs are answered, whatever their exit codes'],
      [2, 'wrong arguments, jobs that cannot be read, or answers that cannot be written'],
      INTERNAL_EXIT,
    ],
  }),
  () => ({
    name: 'completions',
    usage: ['completions bash|zsh|fish'],
    summary: 'print a completion script for bash, zsh or fish',
    about: [
      'Prints a script that completes commands, options, and known values (processors, models, formats, passes). Load it in bash with source, or put it into a folder of bash-completion. For zsh, name it _amdgpu-mir in a folder of $fpath. For fish, name it amdgpu-mir.fish in ~/.config/fish/completions.',
    ],
    options: [OUTPUT],
    examples: [
      ['source <(amdgpu-mir completions bash)', 'in ~/.bashrc'],
      ['amdgpu-mir completions zsh -o ~/.zfunc/_amdgpu-mir', 'a file for zsh'],
      ['amdgpu-mir completions fish -o ~/.config/fish/completions/amdgpu-mir.fish', 'a file for fish'],
    ],
    exits: [[0, 'done'], [2, 'wrong arguments, or output that cannot be written'], INTERNAL_EXIT],
  }),
  () => ({
    name: 'lsp',
    isReadElsewhere: true,
    usage: ['lsp --stdio'],
    summary: 'run the language server, for any editor',
    about: ['Speaks the Language Server Protocol 3.17 over the transport that you choose.'],
    options: [
      row(flag('stdio'), 'use standard input and output'),
      row(value('socket', 'PORT'), 'connect to a port of this machine'),
      row(value('pipe', 'PATH'), 'connect to a pipe or Unix socket'),
      row(flag('node-ipc'), 'use the channel of a parent process that is Node'),
      row(value('clientProcessId', 'PID'), 'exit when this process exits'),
    ],
    examples: [['amdgpu-mir lsp --stdio', 'the command that an editor starts']],
    exits: [
      [0, 'the client asked it to exit'],
      [1, 'the client went away without asking, or cannot be reached'],
      USAGE_EXIT,
    ],
  }),
];

/** Made when somebody asks: a run of llc does not. */
export const commands = lazy(() => TABLE.map((make) => make()));

export const commandOf = (name: string): CommandHelp | undefined => commands().find((own) => own.name === name);
