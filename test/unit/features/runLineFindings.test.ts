/** Findings about the words of RUN and CHECK lines: at which word, what it says, what is proposed, and where it keeps silent. */
import assert from 'node:assert/strict';
import { runLineFindings } from '../../../server/src/features/diagnostics/runLineFindings.js';
import { Severity } from '../../../server/src/text/diagnostic.js';
import type { ModelChoice } from '../../../server/src/passes/scheduler/schedulerModel.js';
import { openText } from '../../support/cursor.js';

const LLC = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900';
const CHECK = `${LLC} -run-pass=none -o - %s | FileCheck`;

/** `code: word` of each, with what would be written in its place. */
function told(text: string, model: ModelChoice = 'llvm-22'): string[] {
  return runLineFindings(openText(text, { model }).snapshot).map(
    ({ code, start, end, replacements }) =>
      `${code}: ${text.slice(start, end)}${replacements.map((r) => ` > ${r}`).join('')}`,
  );
}

const messages = (text: string): string[] => runLineFindings(openText(text).snapshot).map((f) => f.message);

/** Titles of the fixes of the first finding, with the text that each makes. */
function fixes(text: string): Record<string, string> {
  const found = runLineFindings(openText(text).snapshot)[0]?.fixes?.() ?? [];
  return Object.fromEntries(
    found.map(({ title, edits }) => [
      title,
      [...edits].reverse().reduce((t, e) => t.slice(0, e.start) + e.text + t.slice(e.end), text),
    ]),
  );
}

describe('findings about RUN lines', () => {
  it('passes that llc does not have, by the word that names them', () => {
    const of = (words: string): string[] => told(`${LLC} ${words} -o - %s\n`);
    assert.deepEqual(of('-run-pass=machine-schedule'), ['unknown-pass: machine-schedule > machine-scheduler']);
    assert.deepEqual(of('-run-pass machine-schedule'), ['unknown-pass: machine-schedule > machine-scheduler']);
    assert.deepEqual(of('-run-pass=none,machine-schedule,none'), [
      'unknown-pass: machine-schedule > machine-scheduler',
    ]);
    for (const option of ['start-before', 'start-after', 'stop-before', 'stop-after'])
      for (const spelt of [`-${option}=`, `--${option} `]) {
        assert.deepEqual(
          of(`${spelt}machine-schedule,1`),
          ['unknown-pass: machine-schedule > machine-scheduler'],
          spelt,
        );
        assert.deepEqual(of(`${spelt}machine-scheduler,1`), [], spelt);
      }
    assert.deepEqual(of('-run-pass=none -run-pass=%pass'), [], 'lit puts a name there');
    assert.deepEqual(of('-run-pass=qqqqqqqqqqqqqq'), ['unknown-pass: qqqqqqqqqqqqqq'], 'nothing is near');
    assert.deepEqual(messages(`${LLC} -run-pass=nonesuch-pass %s\n`), [
      'run-pass nonesuch-pass is not registered. (LLVM 22.1.8)',
    ]);
    assert.deepEqual(messages(`${LLC} -stop-after=nonesuch-pass %s\n`), [
      '"nonesuch-pass" pass is not registered. (LLVM 22.1.8)',
    ]);
  });

  it('words of a definition, once, where they are written', () => {
    const defined = (words: string): string =>
      `# DEFINE: %{run} = llc -mtriple=amdgcn ${words} -o - %s\n# RUN: %{run} -O1\n# RUN: %{run} -O2\n`;
    assert.deepEqual(told(defined('-run-pass=machine-schedule')), [
      'unknown-pass: machine-schedule > machine-scheduler',
    ]);
    assert.deepEqual(told(defined('-run-pass=none')), []);
    const glued = '# DEFINE: %{p} = machine-\n# RUN: llc -mtriple=amdgcn -run-pass=%{p}schedule -o - %s\n';
    assert.deepEqual(told(glued), [], 'the word is nowhere');
    assert.deepEqual(told(`${LLC} %if asserts %{ -nonesuch-option %} -run-pass=none -o - %s\n`), [], 'does not run');
  });

  it('processors and features, in their list', () => {
    const of = (words: string): string[] => told(`# RUN: llc -mtriple=amdgcn ${words} -run-pass=none -o - %s\n`);
    assert.deepEqual(of('-mcpu=gfx900'), []);
    assert.match(of('-mcpu=gfx9000').join(), /^unknown-target: gfx9000 > gfx900/);
    assert.match(
      of('--mcpu=gfx900 -mattr=+xnack,+wavefrontsize46').join(),
      /^unknown-target: \+?wavefrontsize46 > .*wavefrontsize64/,
    );
    assert.deepEqual(told('# RUN: not llc -mtriple=amdgcn -mcpu=gfx9000 -run-pass=none %s\n'), [], 'what has to fail');
    assert.deepEqual(told('# RUN: llc -mtriple=x86_64 -mcpu=gfx9000 -run-pass=none %s\n'), [], 'of another target');
  });

  it('processors of another sub-architecture than that of the triple', () => {
    const of = (words: string): string[] => told(`# RUN: llc ${words} -run-pass=none -o - %s\n`, 'auto');
    assert.deepEqual(of('-mtriple=amdgpu9 -mcpu=gfx906'), []);
    assert.deepEqual(of('-mtriple=amdgpu9'), []);
    assert.match(of('-mtriple=amdgpu9 -mcpu=gfx908').join(), /^unknown-target: gfx908 > gfx90[0269]/);
    assert.deepEqual(of('-mtriple=amdgpu9.98'), [], 'the file is not modelled, and says so');
  });

  it('programs', () => {
    const of = (program: string): string[] => told(`# RUN: ${program} %s\n`);
    for (const program of ['llc', 'FileCheck', 'split-file', 'lli', 'lld', 'lc', 'opt', 'cat', '%python', 'llvm-mc'])
      assert.deepEqual(of(program), [], program);
    assert.deepEqual(of('lcc'), ['unknown-program: lcc > llc']);
    assert.deepEqual(of('FileChek'), ['unknown-program: FileChek > FileCheck']);
    assert.deepEqual(of('%llc'), ['unknown-program: %llc > llc']);
    assert.deepEqual(of('%{llc}'), ['unknown-program: %{llc} > llc']);
    assert.deepEqual(told('# DEFINE: %{llc} = llc -mtriple=amdgcn\n# RUN: %{llc} %s\n'), []);
  });

  it('options of an llc with assertions are none of ours', () => {
    for (const option of ['-debug', '--debug-only=machine-scheduler', '-misched-cutoff=3', '-view-misched-dags'])
      assert.deepEqual(told(`${LLC} ${option} -run-pass=none %s\n`), [], option);
    assert.match(told(`${LLC} -debugs -run-pass=none %s\n`).join(), /^unknown-option: -debugs/);
  });
});

describe('command lines that do not begin', () => {
  /** At which word, and in the words of llc-22 and FileCheck-22; all are warnings. */
  const said = (text: string): string[] =>
    runLineFindings(openText(text).snapshot).map(({ severity, start, end, message }) => {
      assert.equal(severity, Severity.Warning);
      assert.match(message, / \(LLVM 22\.1\.8\)$/);
      return `${text.slice(start, end)}: ${message.slice(0, -' (LLVM 22.1.8)'.length)}`;
    });

  it('of llc', () => {
    const of = (words: string): string[] => said(`${LLC} ${words} -o - %s\n`);
    const unknown = (word: string, meant: string): string =>
      `${word}: Unknown command line argument '${word}'.${meant === '' ? '' : ` Did you mean '${meant}'?`}`;
    assert.deepEqual(of('-run-pas=none'), [unknown('-run-pas=none', '--run-pass=none')]);
    assert.deepEqual(of('-mllvm'), [unknown('-mllvm', '--mv5')]);
    // What llc proposes for it is another word altogether.
    assert.deepEqual(of('-amdgpu-schedule-ilp'), [unknown('-amdgpu-schedule-ilp', '')]);
    const boolean = `'maybe' is invalid value for boolean argument! Try 0 or 1`;
    assert.deepEqual(of('-verify-machineinstrs=maybe'), [
      `-verify-machineinstrs=maybe: for the --verify-machineinstrs option: ${boolean}`,
    ]);
    assert.deepEqual(of('-filetype=objj'), [
      `-filetype=objj: for the --filetype option: Cannot find option named 'objj'!`,
    ]);
    assert.deepEqual(told(`${LLC} -filetype=objj %s\n`), ['option-value: -filetype=objj > -filetype=obj']);
    assert.deepEqual(told(`${LLC} --run-pas=none %s\n`), ['unknown-option: --run-pas=none > --run-pass=none']);
    assert.deepEqual(of('-mattr=+xnac,+nosuch'), [
      "+xnac: '+xnac' is not a recognized feature for this target (ignoring feature)",
      "+nosuch: '+nosuch' is not a recognized feature for this target (ignoring feature)",
    ]);
    assert.deepEqual(told(`${LLC} -mattr=+xnac,-xnac %s\n`), [
      'unknown-target: +xnac > +xnack',
      'unknown-target: -xnac > -xnack',
    ]);
    assert.deepEqual(told('# RUN: llc -mtriple=amdgcn -mcpu=gfx90 %s\n'), [
      'unknown-target: gfx90 > gfx900 > gfx902 > gfx904',
    ]);
    // Files are for llc to find, and what lit writes is not known.
    assert.deepEqual(of('other.mir more.mir'), []);
    assert.deepEqual(of('-run-pass=%p -mattr=%a -run-pas=%b'), []);
  });

  it('of FileCheck', () => {
    const of = (words: string): string[] => said(`${CHECK} ${words} %s\n# CHECK: a\n# A: b\n`);
    assert.deepEqual(of('-check-prefx=A'), [
      "-check-prefx=A: Unknown command line argument '-check-prefx=A'. Did you mean '--check-prefix=A'?",
    ]);
    assert.deepEqual(of('-D=3'), ["-D=3: Missing variable name in command-line definition '-D=3'"]);
    assert.deepEqual(of('-DOK=1 -DX'), ["-DX: Missing equal sign in command-line definition '-DX'"]);
    assert.deepEqual(of('-D#X'), ["-D#X: Missing equal sign in command-line definition '-D#X'"]);
    const unique = (word: string): string => `supplied ${word} prefix must be unique among check and comment prefixes:`;
    assert.deepEqual(of('-check-prefix=A -check-prefix=A'), [`-check-prefix=A: ${unique('check')} 'A'`]);
    assert.deepEqual(of('-comment-prefixes=CHECK'), [`-comment-prefixes=CHECK: ${unique('comment')} 'CHECK'`]);
    assert.deepEqual(of('-dump-input=bogus'), [
      "-dump-input=bogus: for the --dump-input option: Cannot find option named 'bogus'!",
    ]);
    assert.deepEqual(of('-dump-input-context=q'), [
      "-dump-input-context=q: for the --dump-input-context option: 'q' value invalid for uint argument!",
    ]);
    assert.deepEqual(of('-check-prefx=%a'), []);
    assert.deepEqual(said(`${LLC} %s | not FileCheck -DX %s\n# CHECK: a\n`), [], 'what has to fail');
  });

  it('quotes that nothing closes: closed after the word, or taken away', () => {
    assert.deepEqual(told(`${LLC} -run-pass='none %s\n`), ["unclosed-quote: 'none > 'none' > none"]);
    assert.deepEqual(told(`${LLC} "x %s\n`), ['unclosed-quote: "x > "x" > x']);
    assert.deepEqual(told(`${LLC} "x" 'y z' %s\n`), []);
  });

  it('what lines of the same text repeat is told at each, a hundred times at most', () => {
    const line = `${LLC} -run-pas=none %s\n`;
    assert.equal(told(line.repeat(3)).length, 3);
    assert.equal(told(line.repeat(120)).length, 100);
    assert.equal(told(`${CHECK} %s\n# CHECK: a\n${'# CHECK-NXT: b\n'.repeat(120)}`).length, 100);
  });

  it('at most three commands are offered to ask for a prefix', () => {
    const text = `${`${CHECK} %s\n`.repeat(5)}# CHECK: a\n# GFX9-NEXT: b\n`;
    assert.deepEqual(Object.keys(fixes(text)), [
      "Ask for 'GFX9' in line 1",
      "Ask for 'GFX9' in line 2",
      "Ask for 'GFX9' in line 3",
      "Remove the line of 'GFX9'",
    ]);
  });
});

describe('findings about CHECK lines', () => {
  it('variables that nothing sets; those that a line or a command sets', () => {
    const of = (line: string, options = ''): string[] => told(`${CHECK} ${options}%s\n# CHECK: ${line}\n`);
    assert.deepEqual(of('[[REG]]'), ['unset-variable: REG']);
    assert.deepEqual(of('[[REG:x]] [[REG]] [[REH]]'), ['unset-variable: REH > REG']);
    for (const number of ['[[#NUM]]', '[[# NUM ]]', '[[#%x,NUM]]', '[[#%.8X, NUM]]'])
      assert.deepEqual(of(number), ['unset-variable: NUM'], number);
    for (const sets of ['[[#NUM:]]', '[[#%x,NUM:]]', '[[#%x, NUM:3]]', '[[# NUM :]]'])
      assert.deepEqual(of(`${sets} [[#NUM]]`), [], sets);
    for (const option of ['-DREG=1', '-D#REG=1', '-D#%x,REG=1', '"-D#%x, REG=1"'])
      assert.deepEqual(of('[[REG]]', `${option} `), [], option);
    assert.deepEqual(of('[[REG]]', '-DREG2=1 '), ['unset-variable: REG > REG2']);
    assert.deepEqual(of('[[REG]]', '%{options} '), [], 'what lit puts there may set it');
    assert.deepEqual(told(`${CHECK} %s\n# CHECK{LITERAL}: [[REG]]\n# NONE: [[REG]]\n`), []);
  });

  it('an unset variable may be set where it stands', () => {
    const text = `${CHECK} %s\n# CHECK: [[REG]]\n`;
    assert.deepEqual(fixes(text), { 'Set REG here, to any register': text.replace('[[REG]]', '[[REG:%[0-9]+]]') });
    assert.deepEqual(fixes(text.replace('[[REG', '[[#REG')), {}, 'a number is no register');
  });

  it('directives nearly spelt', () => {
    const of = (word: string): string[] => told(`${CHECK} %s\n# CHECK: a\n# ${word}: b\n`);
    for (const word of [
      'CHECK-NEXT',
      'CHECK-SAME',
      'CHECK-NOT',
      'CHECK-DAG',
      'CHECK-LABEL',
      'CHECK-EMPTY',
      'CHECK-COUNT-12',
    ])
      assert.deepEqual(of(word), [], word);
    assert.deepEqual(of('CHECK-NXT'), ['misspelt-directive: CHECK-NXT > CHECK-NEXT > CHECK-NOT']);
    assert.deepEqual(of('CHECK_NEXT'), ['misspelt-directive: CHECK_NEXT > CHECK-NEXT']);
    assert.deepEqual(of('CHECK_COUNT_12'), ['misspelt-directive: CHECK_COUNT_12 > CHECK-COUNT-12']);
    assert.deepEqual(of('CHECK-LABLE'), ['misspelt-directive: CHECK-LABLE > CHECK-LABEL']);
    assert.deepEqual(of('CHECK-QQQQQQ'), []);
    assert.deepEqual(of('OTHER-NXT'), []);
  });

  it('prefixes without a line: those of lines that look like it are proposed', () => {
    const of = (...lines: string[]): string[] =>
      told(`${CHECK} --check-prefixes=USED,GFX9 %s\n# USED: a\n${lines.map((l) => `${l}\n`).join('')}`);
    const plain = ['unused-prefix: GFX9'];
    assert.deepEqual(of(), plain);
    assert.deepEqual(of('# GFX9: b'), []);
    assert.deepEqual(of('# GFX9-COUNT-12: b'), []);
    assert.deepEqual(of('# GFX8: b'), ['unused-prefix: GFX9 > GFX8']);
    assert.deepEqual(of('; GFX8: b', '// GFX: b'), ['unused-prefix: GFX9 > GFX8 > GFX']);
    for (const suffix of ['NEXT', 'SAME', 'NOT', 'DAG', 'LABEL', 'EMPTY', 'COUNT-12'])
      assert.deepEqual(
        of(`# GFX8-${suffix}: b`),
        ['unknown-prefix: GFX8 > GFX9', 'unused-prefix: GFX9 > GFX8'],
        suffix,
      );
    assert.deepEqual(
      told(`${CHECK} --check-prefixes=USED,RUNS %s\n# USED: a\n`),
      ['unused-prefix: RUNS'],
      'RUN is no prefix',
    );
    assert.deepEqual(told(`${CHECK} --check-prefixes=USED,GFX9 --allow-unused-prefixes %s\n# USED: a\n`), []);
    assert.deepEqual(told(`${CHECK} --check-prefixes=USED,GFX9 --allow-unused-prefixes=false %s\n# USED: a\n`), plain);
  });

  it('a prefix asked for in vain goes with one comma, or with its option', () => {
    const of = (options: string): Record<string, string> => fixes(`${CHECK} ${options} %s\n# USED: a\n`);
    const remove = (options: string): string | undefined => of(options)["Remove the prefix 'GFX9'"];
    const made = (options: string): string => `${CHECK}${options} %s\n# USED: a\n`;
    assert.equal(remove('--check-prefixes=USED,GFX9'), made(' --check-prefixes=USED'));
    assert.equal(remove('--check-prefixes=GFX9,USED'), made(' --check-prefixes=USED'));
    assert.equal(remove('--check-prefixes GFX9,USED'), made(' --check-prefixes USED'));
    assert.equal(remove('--check-prefix=USED --check-prefix=GFX9'), made(' --check-prefix=USED'));
    assert.equal(remove('--check-prefix GFX9 --check-prefix=USED'), made(' --check-prefix=USED'));
    assert.equal(remove('--check-prefix=GFX9'), undefined, 'no other one is left');
    assert.equal(of('--check-prefix=GFX9')['Allow unused prefixes'], undefined, 'FileCheck wants one of them');
    assert.equal(
      of('--check-prefixes=USED,GFX9')['Allow unused prefixes'],
      made(' --allow-unused-prefixes --check-prefixes=USED,GFX9'),
    );
  });

  it('lines of a prefix that nobody asks for', () => {
    const of = (run: string): Record<string, string> =>
      fixes(`${run}\n# CHECK: a\n# GFX9-NEXT: b\n# x\n# GFX9-DAG: c\n`);
    const checks = '\n# CHECK: a\n# GFX9-NEXT: b\n# x\n# GFX9-DAG: c\n';
    assert.deepEqual(of(`${CHECK} %s`), {
      "Ask for 'GFX9' in line 1": `${CHECK} --check-prefixes=CHECK,GFX9 %s${checks}`,
      "Remove the 2 lines of 'GFX9'": `${CHECK} %s\n# CHECK: a\n# x\n`,
    });
    assert.deepEqual(
      Object.values(of(`${CHECK} --check-prefix=CHECK %s`))[0],
      `${CHECK} --check-prefixes=CHECK,GFX9 %s${checks}`,
    );
    assert.deepEqual(
      Object.values(of(`${CHECK} -check-prefixes CHECK %s`))[0],
      `${CHECK} -check-prefixes CHECK,GFX9 %s${checks}`,
    );
    for (const word of ['RUN', 'COM', 'NOTE', 'TODO', 'FIXME', 'XFAIL', 'REQUIRES', 'UNSUPPORTED'])
      assert.deepEqual(told(`${CHECK} %s\n# CHECK: a\n# ${word}-NOT: b\n`), [], word);
  });
});
