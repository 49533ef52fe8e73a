/** Hover on the lines of a test: what a RUN line would run, what a CHECK line asks for. */
import { createSubtarget, type Release } from '../../target/index.js';
import { code, commandLink, joined, prose, rich, type Markdown } from '../words/markdown.js';
import { targetLabel, type RunCommand } from '../../program/targetOfFile.js';
import { checkLineIn } from '../../program/testFile/checkLines.js';
import { askedPrefixes, fileChecksOf } from '../../program/testFile/checkPrefixes.js';
import { llvmText, subtargetText, type Snapshot } from '../snapshot/snapshot.js';
import { modelReason } from '../../program/modelOfFile.js';
import { RUN_OUTPUT_COMMAND } from '../words/viewCommands.js';

/** Null where no RUN or CHECK line stands. */
export function testLineHover(snapshot: Snapshot, line: number): Markdown[] | null {
  const { commands, commandIdx, triple } = snapshot.target;
  const here = commands
    .map((command, k) => ({ command, k }))
    .filter(({ command: c }) => c.firstLine <= line && line <= c.lastLine);
  if (here.length > 0)
    return [
      ...here.flatMap(({ command, k }) => runLines(command, k === commandIdx, triple, snapshot.subtarget.release)),
      ...modelLines(snapshot),
    ];
  return checkLines(snapshot, line);
}

const PASS_OPTIONS = /^--?(run-pass|start-before|start-after|stop-before|stop-after|passes)=(.*)$/;

/** What the options that pick passes do. */
const PASS_WORDS: Readonly<Record<string, string>> = {
  'run-pass': 'runs only',
  passes: 'runs the pipeline',
  'start-before': 'starts before',
  'start-after': 'starts after',
  'stop-before': 'stops before',
  'stop-after': 'stops after',
};

/** Whose LLVM the file is read with, and why, where something says it. */
const modelLines = (snapshot: Snapshot): Markdown[] =>
  snapshot.model.sign === null && !snapshot.model.isChosen
    ? []
    : [rich`${llvmText(snapshot)}: ${prose(modelReason(snapshot.model))}`];

function runLines(command: RunCommand, isActive: boolean, fileTriple: string, release: Release): Markdown[] {
  const triple = command.triple || fileTriple;
  const st = createSubtarget(triple, command.cpu, command.features, release);
  const lines = [
    rich`llc for **${subtargetText(st)}** (${code(triple)})${command.features ? rich`, ${code(command.features)}` : ''}`,
  ];
  const passes: Markdown[] = [];
  const others: Markdown[] = [];
  for (const arg of command.args) {
    const pass = PASS_OPTIONS.exec(arg);
    if (pass) passes.push(rich`${PASS_WORDS[pass[1]!]!} ${code(pass[2]!)}`);
    else if (arg.startsWith('-') && arg !== '-' && !/^--?(?:mtriple|march|mcpu|mattr|o)\b/.test(arg))
      others.push(code(arg));
  }
  lines.push(passes.length > 0 ? joined(passes, ', ') : rich`runs the whole code generator`);
  if (others.length > 0) lines.push(rich`options: ${joined(others, ', ')}`);
  lines.push(
    isActive
      ? rich`*all numbers of this file are for this target*`
      : rich`*not the chosen target; its name in the list is ${code(targetLabel(command))}*`,
  );
  return lines;
}

const CHECK_WORDS: Readonly<Record<string, string>> = {
  '': 'somewhere after the last match, this text',
  '-NEXT': 'on the line after the last match, this text',
  '-SAME': 'on the line of the last match, this text',
  '-NOT': 'up to the next match, this text must not come',
  '-DAG': 'in any order among its neighbours, this text',
  '-LABEL': 'begins a section that the lines around it cannot leave; this text',
  '-EMPTY': 'on the line after the last match, nothing',
};

function checkLines(snapshot: Snapshot, line: number): Markdown[] | null {
  const { text, target, test } = snapshot;
  const directive = checkLineIn(text.slice(text.lineStart(line), text.lineEnd(line)));
  if (directive === null) return null;
  const { prefix, suffix } = directive;
  const lines = new Set(
    fileChecksOf(test)
      .filter((command) => askedPrefixes(command).includes(prefix))
      .map(({ run }) => run.firstLine),
  );
  const users = target.commands.filter((c) => lines.has(c.firstLine));
  // A comment that happens to look like a CHECK line is none unless a RUN line asks for its prefix.
  if (users.length === 0) return null;
  const count = /^-COUNT-(\d+)$/.exec(suffix)?.[1];
  const meaning = count ? `${count} times, this text` : CHECK_WORDS[suffix]!;
  const from = users.map((c) => rich`${code(targetLabel(c))} in line ${c.firstLine + 1}`);
  return [
    rich`**${prefix}${suffix}**: ${meaning}`,
    rich`checks the output of ${joined(from, ', ')}`,
    ...verdictLines(snapshot, line),
  ];
}

/** RUN lines whose findings are shown. */
const MAX_RUNS = 3;
const MAX_VARIABLES = 4;

/** `matches line 14 of the output, A = %5`, for each RUN line that looks at the directive. */
function verdictLines({ verdict, uri, settings }: Snapshot, line: number): Markdown[] {
  if (!verdict) return [];
  const found = verdict.checksAt(line);
  const several = found.length > 1;
  return found.slice(0, MAX_RUNS).flatMap(({ run, check }) => {
    const from = several ? rich` (RUN line ${verdict.nowAt(run.line) + 1})` : '';
    const stale = verdict.isStale ? '~ before the last edit: ' : '';
    const variables = check.variables.slice(0, MAX_VARIABLES).map((v) => code(v));
    const values = variables.length > 0 ? rich`, ${joined(variables, ', ')}` : '';
    if (check.state !== 'matched')
      return [rich`${stale}${check.state === 'failed' ? '✗ fails' : '– not reached'}${values}${from}`];
    if (check.at < 0) return [rich`${stale}✓ nowhere in its part of the output${from}`];
    const text = run.output?.split('\n')[check.at]?.trim() ?? '';
    const shown = text === '' ? '' : rich`: ${code(text)}`;
    const words = `line ${check.at + 1} of the output`;
    const place = settings.commandLinks
      ? commandLink(words, RUN_OUTPUT_COMMAND, [uri, verdict.nowAt(run.line), check.at])
      : words;
    return [rich`${stale}✓ matches ${place}${values}${shown}${from}`];
  });
}
