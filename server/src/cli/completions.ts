/** `amdgpu-mir completions SHELL`: a script by which a shell completes commands, options and values, made from the table of commands. */
import { passNames } from '../passes/passes.js';
import type { CommandIO } from '../program/commandIO.js';
import { listCpus } from '../target/index.js';
import { commands, type CommandHelp } from './commands.js';
import { runCommand, type Invocation } from './commandRun.js';
import { didYouMean } from './help.js';
import type { Completed, OptionSpec } from './options.js';

const EXIT_OK = 0;

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export const runCompletions = (args: readonly string[], io: CommandIO): number =>
  runCommand('completions', args, io, completions);

function completions({ inputs, refuse }: Invocation, io: CommandIO): number {
  const [shell = ''] = inputs;
  if (inputs.length !== 1) return refuse("expected one shell; see 'amdgpu-mir help completions'");
  if (!isShell(shell)) return refuse(`no completions for '${shell}'${didYouMean(shell, SHELLS)}`);
  io.stdout(completionScript(shell));
  return EXIT_OK;
}

const isShell = (name: string): name is Shell => (SHELLS as readonly string[]).includes(name);

/** The same for the same version. */
export function completionScript(shell: Shell): string {
  if (shell === 'bash') return bashScript();
  return shell === 'zsh' ? zshScript() : fishScript();
}

const OTHER_COMMANDS: readonly (readonly [string, string])[] = [
  ['help', 'a command with its options, examples and exit codes'],
  ['licenses', 'whose work the program holds, and under which licences'],
  ['version', 'version, and the LLVM that it models'],
];

const summaries = (): readonly (readonly [string, string])[] => [
  ...commands().map(({ name, summary }) => [name, summary] as const),
  ...OTHER_COMMANDS,
];

/** As they are completed: `--name`, `--name=` of one with a value, `-x`; those of LLVM's programs with one dash. */
function spelling({ kind, isLlvm }: OptionSpec, name: string): string {
  if (name.length === 1) return `-${name}`;
  return `${isLlvm ? '-' : '--'}${name}${kind === 'flag' ? '' : '='}`;
}

/** Each option of a command once. */
function optionsOf({ options }: CommandHelp): OptionSpec[] {
  const all = options.flatMap((row) => row.options);
  return all.filter((spec, k) => all.findIndex((other) => other.names[0] === spec.names[0]) === k);
}

const spellings = (command: CommandHelp): string[] =>
  optionsOf(command).flatMap((spec) => spec.names.map((name) => spelling(spec, name)));

/** The words that may stand there; null: names of files. */
function wordsFor(completed: Completed): readonly string[] | null {
  if (completed === 'processor') return listCpus();
  if (completed === 'pass') return passNames();
  if (completed === 'file' || completed === 'folder') return null;
  return completed === 'none' ? [] : completed;
}

/** What is completed without an option: of most commands names of files. */
function inputsOf(name: string): readonly string[] | null {
  if (name === 'help') return summaries().map(([own]) => own);
  if (name === 'completions') return SHELLS;
  return ['batch', 'lsp', 'licenses', 'version'].includes(name) ? [] : null;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Commands by what has the same words, so that a script says them once. */
function valueCases(command: CommandHelp): (readonly [string[], readonly string[] | null])[] {
  return optionsOf(command)
    .filter(({ kind }) => kind !== 'flag')
    .map((spec) => [[...spec.names], wordsFor(spec.completed)] as const);
}

/** Bash divides words at `=`: the value of `--name=VALUE` is a word of its own. */
function bashScript(): string {
  const cases = commands().map((command) => {
    const values = valueCases(command).map(([names, words]) => {
      const patterns = names.flatMap((name) => (name.length === 1 ? [`-${name}`] : [`-${name}`, `--${name}`]));
      return `          ${patterns.join('|')}) ${words === null ? '_amdgpu_mir_files' : `_amdgpu_mir_words ${quoted(words.join(' '))}`}; return ;;\n`;
    });
    const inputs = inputsOf(command.name);
    return [
      `    ${command.name})\n`,
      values.length === 0 ? '' : `      case $option in\n${values.join('')}      esac\n`,
      `      options=${quoted(spellings(command).join(' '))}\n`,
      inputs === null ? '' : `      inputs=${quoted(inputs.join(' '))}\n`,
      '      ;;\n',
    ].join('');
  });
  return `# amdgpu-mir completions bash: source it, or put it into a folder of bash-completion
_amdgpu_mir_words() {
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
_amdgpu_mir_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$cur"))
  compopt -o filenames 2>/dev/null
}
_amdgpu_mir() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} option='' options='' inputs='-'
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _amdgpu_mir_words ${quoted(
      summaries()
        .map(([name]) => name)
        .join(' '),
    )}
    return
  fi
  # --name=VALUE is three words, --name VALUE two.
  if [[ $cur == = ]]; then
    option=\${COMP_WORDS[COMP_CWORD - 1]} cur=''
  elif [[ \${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    option=\${COMP_WORDS[COMP_CWORD - 2]}
  else
    option=\${COMP_WORDS[COMP_CWORD - 1]}
  fi
  case $command in
${cases.join('')}    help) inputs=${quoted(inputsOf('help')!.join(' '))} ;;
  esac
  if [[ $cur == -* ]]; then
    _amdgpu_mir_words "$options"
    [[ \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  elif [[ $inputs == - ]]; then
    _amdgpu_mir_files
  else
    _amdgpu_mir_words "$inputs"
  fi
  return 0
}
complete -F _amdgpu_mir amdgpu-mir
`;
}

/** In brackets, which end at the first one, and before colons, which divide. */
const zshText = (text: string): string => text.replace(/[[\]:\\]/g, (c) => `\\${c}`);
const MAX_WHAT = 90;
const brief = (text: string): string => (text.length <= MAX_WHAT ? text : `${text.slice(0, MAX_WHAT - 3)}...`);

/** What is said of an option. */
const whatOf = ({ options }: CommandHelp, spec: OptionSpec): string =>
  brief(options.find((row) => row.options.includes(spec))!.what);

function zshScript(): string {
  const cases = commands().map((command) => {
    const specs = optionsOf(command).flatMap((spec) =>
      spec.names.map((name) => {
        const words = wordsFor(spec.completed);
        const action = words === null ? '_files' : words.length === 0 ? ' ' : `(${words.join(' ')})`;
        const value = spec.kind === 'flag' ? '' : `:${zshText(spec.value)}:${action}`;
        const spelt = spelling(spec, name);
        // Flags of one letter and those of LLVM have no other spelling.
        const first = `${spec.kind === 'list' ? '*' : ''}${name.length === 1 && spec.kind !== 'flag' ? `${spelt}+` : spelt}`;
        return `        ${quoted(`${first}[${zshText(whatOf(command, spec))}]${value}`)}`;
      }),
    );
    const inputs = inputsOf(command.name);
    const rest = inputs === null ? '*:file:_files' : `*: :(${inputs.join(' ')})`;
    return `      ${command.name})\n        _arguments \\\n${[...specs, `        ${quoted(rest)}`].join(' \\\n')}\n        ;;\n`;
  });
  return `#compdef amdgpu-mir
# amdgpu-mir completions zsh: put it as _amdgpu-mir into a folder of $fpath, or source it after compinit
_amdgpu-mir() {
  local curcontext=$curcontext state line
  local -a names
  names=(
${summaries()
  .map(([name, what]) => `    ${quoted(`${name}:${zshText(brief(what))}`)}`)
  .join('\n')}
  )
  _arguments -C '1:command:->command' '*::argument:->argument'
  case $state in
  command) _describe -t commands command names ;;
  argument)
    case $line[1] in
${cases.join('')}      help) _describe -t commands command names ;;
    esac
    ;;
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _amdgpu-mir "$@"
else
  compdef _amdgpu-mir amdgpu-mir
fi
`;
}

const fishText = (text: string): string => `'${text.replace(/[\\']/g, (c) => `\\${c}`)}'`;

function fishScript(): string {
  const names = summaries().map(
    ([name, what]) => `complete -c amdgpu-mir -n __fish_use_subcommand -f -a ${name} -d ${fishText(brief(what))}\n`,
  );
  const options = commands().flatMap((command) => {
    const isIt = `-n '__fish_seen_subcommand_from ${command.name}'`;
    const own = optionsOf(command).flatMap((spec) =>
      spec.names.map((name) => {
        const words = wordsFor(spec.completed);
        const kind = name.length === 1 ? '-s' : spec.isLlvm ? '-o' : '-l';
        const values = words === null ? '-r -F' : `-x${words.length === 0 ? '' : ` -a ${fishText(words.join(' '))}`}`;
        const value = spec.kind === 'flag' ? '' : ` ${values}`;
        return `complete -c amdgpu-mir ${isIt} ${kind} ${name}${value} -d ${fishText(whatOf(command, spec))}\n`;
      }),
    );
    const inputs = inputsOf(command.name);
    const rest = inputs === null ? '' : `complete -c amdgpu-mir ${isIt} -f -a ${fishText(inputs.join(' '))}\n`;
    return [...own, rest];
  });
  const help = `complete -c amdgpu-mir -n '__fish_seen_subcommand_from help' -f -a ${fishText(inputsOf('help')!.join(' '))}\n`;
  return `# amdgpu-mir completions fish: put it as amdgpu-mir.fish into ~/.config/fish/completions\n${names.join('')}${options.join('')}${help}`;
}
