/** The man page amdgpu-mir(1), made by the build from the table of commands. */
import { VERSION } from '../util/version.js';
import { commands, PASS_NAMES, type CommandHelp } from './commands.js';
import { helpRows } from './options.js';
import { passNames } from '../passes/passes.js';

/** In the language of man(7). The same for the same version. */
export function manPage(): string {
  return [
    `.TH AMDGPU\\-MIR 1 "" "amdgpu\\-mir ${VERSION}"`,
    '.SH NAME',
    'amdgpu\\-mir \\- says how many waves an AMD GPU kernel ends with, why, and what would help',
    '.SH SYNOPSIS',
    ...commands().flatMap(({ usage }) => usage.flatMap((u, k) => [...(k === 0 ? [] : ['.br']), synopsis(u), '.br'])),
    synopsis('help [COMMAND]'),
    '.SH DESCRIPTION',
    text(
      'Reads LLVM MIR of the AMDGPU target and computes what llc would: errors, live registers, waves, schedules, allocated registers and spills. It needs neither LLVM nor a GPU.',
    ),
    ...commands().flatMap(commandSection),
    '.SH ENVIRONMENT',
    ...definition('NO_COLOR', 'turns colours off'),
    ...definition('AMDGPU_MIR_TRACE', 'prints a stack trace after an internal error'),
    '.SH SEE ALSO',
    '.BR llc (1)',
    '',
  ].join('\n');
}

function commandSection({ name, about, options, examples, exits }: CommandHelp): string[] {
  const lines = [`.SH ${text(`amdgpu-mir ${name}`).toUpperCase()}`];
  about.forEach((paragraph, k) =>
    lines.push(...(k === 0 ? [] : ['.PP']), text(paragraph.replace(PASS_NAMES, passNames().join(', ')))),
  );
  if (options.length > 0)
    lines.push('.SS Options', ...helpRows(options).flatMap(([option, what]) => definition(option, what)));
  lines.push('.SS Examples');
  for (const [line, what] of examples)
    lines.push(
      '.PP',
      text(`${what[0]!.toUpperCase()}${what.slice(1)}:`),
      '.PP',
      '.nf',
      '.RS',
      text(line),
      '.RE',
      '.fi',
    );
  lines.push('.SS Exit codes', ...exits.flatMap(([code, what]) => definition(String(code), what)));
  return lines;
}

const definition = (term: string, what: string): string[] => ['.TP', `.B ${text(term)}`, text(what)];

const synopsis = (usage: string): string => `.B amdgpu\\-mir\n${text(usage)}`;

/** Nothing in it is a request or an escape of man(7). */
const text = (s: string): string =>
  s
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
