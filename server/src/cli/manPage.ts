/** The man page amdgpu-mir(1), made by the build from the table of commands. */
import { DEFAULT_RELEASE, releaseText } from '../target/releases.js';
import { VERSION } from '../util/version.js';
import { commands, PASS_NAMES, type CommandHelp } from './commands.js';
import { helpRows } from './options.js';
import { passNames } from '../passes/passes.js';

/** In the language of man(7). The same for the same version. */
export function manPage(): string {
  return [
    `.TH AMDGPU\\-MIR 1 "" "amdgpu\\-mir ${VERSION}"`,
    '.SH NAME',
    `amdgpu\\-mir \\- LLVM MIR of the AMDGPU target, as ${releaseText(DEFAULT_RELEASE)} sees it`,
    '.SH SYNOPSIS',
    ...commands().flatMap(({ usage }) => usage.flatMap((u, k) => [...(k === 0 ? [] : ['.br']), synopsis(u), '.br'])),
    synopsis('help [COMMAND]'),
    '.SH DESCRIPTION',
    text(
      'Reads machine functions of the AMDGPU target and answers what LLVM would: is the file accepted, how many registers are live where, how many waves fit, in which order the machine scheduler puts the instructions. LLVM is not needed for it.',
    ),
    ...commands().flatMap(commandSection),
    '.SH ENVIRONMENT',
    ...definition('NO_COLOR', 'no colours, whatever the terminal'),
    ...definition('AMDGPU_MIR_TRACE', 'after an internal error, where it happened'),
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
