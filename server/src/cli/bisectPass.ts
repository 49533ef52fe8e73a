/** `amdgpu-mir simplify --bisect-pass`: the pass of a run of llc after which a condition holds and before which it does not, and the test in front of that pass. */
import { makeTemporaryFolder } from '../disk/temporaryFolder.js';
import { resolveProgram } from '../disk/userPrograms.js';
import { codegenPipeline, inOrder } from '../passes/codegenPipeline.js';
import type { CommandIO } from '../program/commandIO.js';
import { parseLlcOptions, UsageError } from '../program/llcOptions.js';
import { visible } from '../text/visible.js';
import { valueOf } from './commandOptions.js';
import type { Invocation } from './commandRun.js';
import { openSubjects, readSubject } from './fileSubject.js';
import { FROM_STDIN_TO_STDOUT, targetWords, wordsOfRun } from './llcWords.js';
import { asksLlc, conditionsOf, isRefusal, mirAt, whyNot, type Question } from './reduceCondition.js';
import { doubtOfLlc } from './userProgram.js';

const EXIT_OK = 0;
const LIMITS = { ms: 60_000, bytes: 1 << 28 };
const START = '-start-before=machine-scheduler';
const CUT = /^--?(start-before|start-after|stop-before|stop-after)=(.+)$/;
const RUN_PASS = /^--?run-pass=(.+)$/;

/** A pass of the run, as its cut names it, and the words that run llc up to it, or just that pass. */
interface Step {
  readonly name: string;
  /** all before it */
  readonly until: readonly string[];
  /** for a RUN line of what `until` leaves */
  readonly alone: readonly string[];
}

/** `whole`: words for all of the run */
interface Run {
  readonly steps: readonly Step[];
  readonly whole: readonly string[];
}

export function bisectPass(call: Invocation, io: CommandIO): number {
  const { refuse } = call;
  const wanted = readSubject(call, 'simplify');
  if (typeof wanted === 'string') return refuse(wanted);
  const conditions = conditionsOf(call);
  if (typeof conditions === 'string') return refuse(conditions);
  if (conditions.length === 0) return refuse('--bisect-pass asks when --keep=CONDITION becomes true');
  const named = valueOf(call, 'llc') ?? '';
  const llc = named === '' ? '' : resolveProgram(named);
  if (llc !== '') {
    const { told, isUsable } = doubtOfLlc(llc);
    if (!isUsable) return refuse(told);
    if (told !== '') io.stderr(`amdgpu-mir simplify: ${visible(told)}\n`);
  } else if (conditions.some(asksLlc)) return refuse('--llc=PATH names the llc that the model is compared with');
  const opened = openSubjects(io, wanted, false);
  if (typeof opened === 'string') return refuse(opened);
  const { source, subjects } = opened;
  const { target, model } = subjects[0]!;
  const given = call.values.get('arg') ?? wordsOfRun(target.commands[Math.max(0, target.commandIdx)]?.args ?? []);
  const run = runOf(given);
  if (typeof run === 'string') return refuse(visible(run));
  const folder = conditions.some(({ kind }) => kind === 'run') ? makeTemporaryFolder('amdgpu-mir-bisect-') : null;
  try {
    const question: Question = {
      ...{
        conditions,
        target,
        model,
        llc,
        functionName: wanted.functionName,
        words: [],
        mustVerify: false,
        keepsModelWith: null,
        mustChooseStackPointer: false,
      },
      ...{ difference: null, folder: folder?.path ?? '', limits: LIMITS },
    };
    const wordsOf = (words: readonly string[]): string[] => [
      ...targetWords(source, words, '-run-pass=none', target),
      ...FROM_STDIN_TO_STDOUT,
    ];
    /** '' = the condition holds after all passes before step k, else why not */
    const whyNotAt = (k: number): string => {
      const words = wordsOf(run.steps[k]?.until ?? run.whole);
      const asked = { ...question, words };
      // Numbers and commands are about a text, the others about the run.
      const isOfText = conditions.some(({ kind }) => kind === 'number' || kind === 'run');
      if (!isOfText) return whyNot(source, asked);
      const { text, problem } = mirAt(source, asked);
      return text === null ? problem : whyNot(text, { ...question, words: wordsOf([]) });
    };
    const n = run.steps.length;
    const atEnd = whyNotAt(n);
    if (atEnd !== '') return refuse(`the condition does not hold after ${lastOf(run)}: ${visible(atEnd)}`);
    if (whyNotAt(0) === '')
      return refuse('the condition holds before any pass has run: amdgpu-mir reduce makes the file smaller');
    let [no, yes] = [0, n];
    while (yes - no > 1) {
      const middle = (no + yes) >> 1;
      const why = whyNotAt(middle);
      if (isRefusal(why))
        return refuse(`${visible(why)} (before ${run.steps[middle]!.name}; --llc=PATH runs your llc)`);
      if (why === '') yes = middle;
      else no = middle;
    }
    const found = run.steps[no]!;
    io.stderr(`amdgpu-mir simplify: ${found.name}: the condition holds after it, and not before\n`);
    const { text, problem } =
      no === 0 ? { text: source, problem: '' } : mirAt(source, { ...question, words: wordsOf(found.until) });
    if (text === null) return refuse(`no MIR before ${found.name}: ${visible(problem)}`);
    const line = targetWords(source, found.alone, '', target).filter((word) => word !== '');
    const body = text.replace(/^# RUN:.*\n/gm, '');
    io.stdout(`# RUN: llc ${line.join(' ')} -o - %s\n${body}`);
    return EXIT_OK;
  } finally {
    folder?.remove();
  }
}

const lastOf = ({ steps }: Run): string => steps.at(-1)!.name;

/** The passes of `-run-pass=A,B,C`, or of the pipeline between cuts, from the machine scheduler where nothing names a begin. A text: what is wrong with the words. */
function runOf(words: readonly string[]): Run | string {
  const others = words.filter((word) => !CUT.test(word) && !RUN_PASS.test(word));
  const listed = words.flatMap((word) => RUN_PASS.exec(word)?.[1]?.split(',') ?? []);
  if (others.some((word) => /^--?(?:passes|p)=/.test(word)))
    return 'of -passes no pass is picked out: name them by -run-pass';
  if (listed.length > 0) {
    const steps = listed.map((name, k) => ({
      name,
      until: [...others, `-run-pass=${k === 0 ? 'none' : listed.slice(0, k).join(',')}`],
      alone: [...others, `-run-pass=${name}`],
    }));
    return { steps, whole: [...others, `-run-pass=${listed.join(',')}`] };
  }
  return cutRun(others, new Map(words.flatMap((word) => cutOf(word))));
}

const cutOf = (word: string): [string, string][] => {
  const found = CUT.exec(word);
  return found === null ? [] : [[found[1]!, found[2]!]];
};

function cutRun(others: readonly string[], cuts: ReadonlyMap<string, string>): Run | string {
  let options;
  try {
    ({ values: options } = parseLlcOptions([...others, START, '-stop-before=greedy']));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
  const met = new Map<string, number>();
  const passes = inOrder(codegenPipeline(options)).map(({ name }) => {
    const k = met.get(name) ?? 0;
    met.set(name, k + 1);
    return { name, cut: `${name},${k}` };
  });
  const placeOf = (cut: string): number => passes.findIndex((p) => p.cut === (cut.includes(',') ? cut : `${cut},0`));
  const at = (name: string): number | null => {
    const value = cuts.get(`${name}-before`) ?? cuts.get(`${name}-after`);
    if (value === undefined) return null;
    const place = placeOf(value);
    return place < 0 ? -1 : place + (cuts.has(`${name}-after`) ? 1 : 0);
  };
  const [from, to] = [at('start') ?? placeOf('machine-scheduler'), at('stop') ?? passes.length];
  if (from < 0 || to < 0) return `the pipeline has no pass at ${[...cuts].map(([a, b]) => `-${a}=${b}`).join(' ')}`;
  if (to <= from) return 'no pass runs between the cuts';
  const start = from < passes.length ? `-start-before=${passes[from]!.cut}` : START;
  const endAt = (k: number): string =>
    k < passes.length ? `-stop-before=${passes[k]!.cut}` : `-stop-after=${passes.at(-1)!.cut}`;
  const steps = passes.slice(from, to).map(({ name, cut }, k) => ({
    name: met.get(name)! > 1 ? cut : name,
    until: k === 0 ? [...others, '-run-pass=none'] : [...others, start, endAt(from + k)],
    alone: [...others, `-start-before=${cut}`, endAt(from + k + 1)],
  }));
  return { steps, whole: [...others, start, endAt(to)] };
}
