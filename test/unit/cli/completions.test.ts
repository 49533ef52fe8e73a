/** `amdgpu-mir completions`: what bash, zsh and fish themselves complete with the scripts. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { commands } from '../../../server/src/cli/commands.js';
import { optionsByName } from '../../../server/src/cli/commandOptions.js';
import { completionScript, runCompletions, SHELLS, type Shell } from '../../../server/src/cli/completions.js';
import { skip } from '../../support/skip.js';

/** A line up to the cursor, and what it becomes where one thing fits. */
const LINES: readonly (readonly [string, string])[] = [
  ['comple', 'completions'],
  ['check --sched', 'check --schedule'],
  ['check --color=al', 'check --color=always'],
  ['check --color al', 'check --color always'],
  ['sweep --target=gfx94', 'sweep --target=gfx942'],
  ['diff --format=ma', 'diff --format=markdown'],
  ['llc -run-pass=si-fix-sg', 'llc -run-pass=si-fix-sgpr-copies'],
  ['completions z', 'completions zsh'],
  ['help swe', 'help sweep'],
  ['check kern', 'check kernel.mir'],
  ['check --baseline old', 'check --baseline old.json'],
];

describe('completions', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-completions-'));
  before(() => {
    for (const shell of SHELLS) writeFileSync(join(folder, `script.${shell}`), completionScript(shell));
    for (const file of ['kernel.mir', 'old.json']) writeFileSync(join(folder, file), '');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (shell: Shell, words: readonly string[]): string => {
    const { stdout, stderr } = spawnSync(shell, words, { cwd: folder, encoding: 'utf8', timeout: 60_000 });
    assert.equal(stderr, '');
    return stdout;
  };

  const needs = (context: Mocha.Context, shell: Shell): void => {
    if (spawnSync(shell, ['-c', 'true']).error) skip(context, `${shell} is not installed`);
  };

  it('of bash', function () {
    needs(this, 'bash');
    // Readline divides at blanks and at =.
    const asked = LINES.map(([line]) => `amdgpu-mir ${line}`.replaceAll('=', ' = ').split(' '));
    const script = asked.map(
      (words) =>
        `COMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1} COMPREPLY=(); _amdgpu_mir; echo "\${COMPREPLY[*]}"`,
    );
    const answers = run('bash', ['--norc', '-c', ['source ./script.bash', ...script].join('\n')]).trimEnd();
    const whole = LINES.map(([line], k) => line.replace(/[^ =]*$/, answers.split('\n')[k] || '$&'));
    assert.deepEqual(
      whole,
      LINES.map(([, expected]) => expected),
    );
  });

  it('of fish', function () {
    needs(this, 'fish');
    const script = LINES.map(([line]) => `complete -C 'amdgpu-mir ${line}'; echo .`);
    const answers = run('fish', ['--no-config', '-c', ['source script.fish', ...script].join('\n')]).split('\n.\n');
    const whole = LINES.map(([line], k) => {
      const words = (answers[k] ?? '').split('\n').map((row) => row.split('\t')[0]!);
      const [word = ''] = words.filter((own) => own !== '' && own !== '.');
      return word === '' ? line : line.replace(/[^ ]*$/, word);
    });
    assert.deepEqual(
      whole,
      LINES.map(([, expected]) => expected),
    );
  });

  it('of zsh', function () {
    needs(this, 'zsh');
    writeFileSync(join(folder, 'ask.zsh'), ZSH_DRIVER);
    const answers = run('zsh', ['-f', 'ask.zsh', ...LINES.map(([line]) => `amdgpu-mir ${line}`)]).trimEnd();
    assert.deepEqual(
      answers.split('\n').map((line) => line.trim().replace(/^amdgpu-mir /, '')),
      LINES.map(([, expected]) => expected),
    );
  });

  for (const shell of SHELLS)
    it(`has every command and option in the script of ${shell}`, () => {
      const script = completionScript(shell);
      for (const command of commands()) {
        assert.match(script, new RegExp(`\\b${command.name}\\b`));
        for (const name of optionsByName(command).keys()) assert.ok(script.includes(name), `${command.name} ${name}`);
      }
    });

  it('are of three shells', () => {
    const io = new BufferedIO();
    assert.equal(runCompletions(['bsah'], io), 2);
    assert.equal(io.err(), "amdgpu-mir completions: no completions for 'bsah'; did you mean 'bash'?\n");
  });
});

/** Types each line into an interactive zsh, then a tab, and prints what stands there. */
const ZSH_DRIVER = `zmodload zsh/zpty
for line; do
  zpty -b z zsh -f -i
  zpty -w z "PS1=; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source ./script.zsh; stty -echo; show() { print -r -- \\"<<\\$BUFFER>>\\"; zle kill-whole-line }; zle -N show; bindkey '^G' show; print REA''DY"
  zpty -r -m z out '*REA''DY*'
  zpty -w -n z "$line"$'\\t'$'\\a'
  zpty -r -m z out '*<<*>>*'
  print -r -- "$out" | tr -d '\\r' | sed -n 's/.*<<\\(.*\\)>>.*/\\1/p'
  zpty -d z
done
`;
