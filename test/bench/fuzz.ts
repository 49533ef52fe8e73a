/** The long runs after fuzz.mjs: random edits and random damage, with counts. Exit 1 when anything went wrong. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damage, DAMAGE_KINDS } from '../support/damage.js';
import { checkDamaged, cpuMs, firstMessage, runCommand, type DamageCounts } from '../support/damageCheck.js';
import { damageFile } from '../support/damageSyntax.js';
import { compareVerdicts, llcVerdict, ourVerdict, verdictArgs, type Difference } from '../support/damageVerdict.js';
import { EXTREMES, type Extreme } from '../support/damageExtremes.js';
import { allInputs, Random, type InputText } from '../support/damageInputs.js';
import { differenceEdit, EDIT_KINDS, randomEdit } from '../support/edits.js';
import { EditSession } from '../support/editsCheck.js';

const [root, mode, ...rest] = process.argv.slice(2);
const option = (name: string, value: number): number => {
  const at = rest.indexOf(`--${name}`);
  return at < 0 ? value : Number(rest[at + 1]);
};
const seed = option('seed', 1);
const only = option('only', -1);
const deadline = Date.now() + option('seconds', 600) * 1000;
const MAX_FAILURES = option('failures', 10);

let failures = 0;
const seen = new Set<string>();
/** Failures with the same first two lines are one. */
function fail(where: string, what: string): void {
  const key = what.split('\n').slice(0, 3).join('\n').replaceAll(/\d+/g, 'N');
  if (seen.has(key)) return;
  seen.add(key);
  failures++;
  console.log(`FAILED ${where}: ${what}`);
}

const targetOf = ({ args }: InputText): { triple: string; cpu: string; features: string } => {
  const value = (name: string): string => args.find((a) => a.startsWith(`-${name}=`))?.slice(name.length + 2) ?? '';
  return { triple: value('mtriple'), cpu: value('mcpu'), features: value('mattr') };
};

/** Small files more often than big ones, so that many edits can be compared. */
function bySize(inputs: readonly InputText[]): { pick(random: Random): InputText } {
  const small = inputs.filter((i) => i.text.length < 8000);
  const middle = inputs.filter((i) => i.text.length >= 8000 && i.text.length < 60_000);
  const large = inputs.filter((i) => i.text.length >= 60_000);
  return {
    pick: (random) => {
      const r = random.below(100);
      const list = r < 78 ? small : r < 97 ? middle : large;
      return random.pick(list.length > 0 ? list : inputs);
    },
  };
}

const EDITS_PER_FILE = 25;

function fuzzEdits(count: number): void {
  const inputs = bySize(allInputs(root));
  const session = new EditSession();
  const { counts } = session;
  for (let round = 0; counts.edits < count && Date.now() < deadline && failures < MAX_FAILURES; round++) {
    if (only >= 0 && round !== only) {
      if (round > only) break;
      continue;
    }
    const random = new Random(seed * 1_000_003 + round);
    const input = inputs.pick(random);
    const donor = inputs.pick(random).text;
    if (round % 200 === 199) session.restart();
    const every = input.text.length < 8000 ? 1 : input.text.length < 60_000 ? 4 : EDITS_PER_FILE;
    const file = session.open(input.text, targetOf(input));
    const undo: string[] = [];
    for (let i = 0; i < EDITS_PER_FILE && counts.edits < count; i++) {
      const before = file.text;
      // Undo now and then, or files are soon beyond recognition and only their errors are compared.
      const kind = random.chance(undo.length > 0 ? 35 : 0) ? 'undo' : random.pick(EDIT_KINDS);
      const edits =
        kind === 'undo' ? differenceEdit(before, undo.pop() ?? before) : randomEdit(before, kind, donor, random);
      if (kind !== 'undo') undo.push(before);
      try {
        file.edit(edits);
        if (i % every === every - 1 || i === EDITS_PER_FILE - 1) file.compare();
      } catch (error) {
        if (only >= 0) console.log(JSON.stringify({ edits, text: file.text.slice(0, 3000) }));
        fail(`round ${round} edit ${i} (${kind}) of ${input.name}`, (error as Error).stack ?? String(error));
        break;
      }
    }
    if (round % 100 === 0) console.log(`${counts.edits} edits, ${counts.comparisons} compared, ${failures} failures`);
  }
  console.log(
    `${counts.edits} edits; ${counts.comparisons} comparisons with a fresh parse, ${counts.functions} functions and ` +
      `${counts.summaries} pressure summaries in them; ${counts.kept} functions kept their identity; ${failures} failures`,
  );
}

function fuzzDamage(count: number): void {
  const inputs = bySize(allInputs(root, option('max', 250_000)));
  const counts: DamageCounts = { commands: 0, accepted: 0, slowestMs: 0 };
  let files = 0;
  for (let round = 0; round < count && Date.now() < deadline && failures < MAX_FAILURES; round++) {
    if (only >= 0 && round !== only) continue;
    const random = new Random(seed * 7_000_003 + round);
    const input = inputs.pick(random);
    const donor = inputs.pick(random).text;
    let { text } = input;
    const kinds: string[] = [];
    for (let n = random.chance(60) ? 1 : 1 + random.below(6); n > 0; n--) {
      const kind = random.pick(DAMAGE_KINDS);
      kinds.push(kind);
      text = damage(text, kind, donor, random);
    }
    files++;
    const args = input.args.length > 0 ? input.args : ['-mtriple=amdgcn', '-mcpu=gfx900'];
    for (const problem of checkDamaged(text, args, counts))
      fail(`round ${round} (${kinds.join(', ')}) of ${input.name}`, problem);
    if (round % 500 === 0) console.log(`${files} files, ${counts.commands} commands, ${failures} failures`);
  }
  console.log(
    `${files} damaged files, ${counts.commands} commands, ${counts.accepted} of them accepted the damage; slowest ` +
      `${counts.slowestMs.toFixed(0)} ms of CPU time; ${failures} failures`,
  );
}

const VERDICT_JOBS = 2;

/**
 * Damaged files against llc-22. `--keep 1` leaves the files that differ, with both outputs, in the folder `verdicts` below the current one,
 * and lists the differences by cause.
 */
async function compareWithLlc(count: number): Promise<void> {
  const inputs = bySize(allInputs(root, option('max', 30_000)));
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-verdict-'));
  const keep = option('keep', 0) > 0 ? join(process.cwd(), 'verdicts') : null;
  if (keep !== null) mkdirSync(keep, { recursive: true });
  const totals = new Map<Difference, number>();
  const classes = new Map<string, number[]>();
  let rounds = 0;
  const job = async (): Promise<void> => {
    for (;;) {
      const round = only >= 0 ? only : rounds;
      if (rounds++ >= (only >= 0 ? 1 : count) || Date.now() > deadline) return;
      const random = new Random(seed * 9_000_011 + round);
      const input = inputs.pick(random);
      const { bytes, kinds } = damageFile(input.text, inputs.pick(random).text, random);
      const args = verdictArgs(input.args);
      const name = `r${round}.mir`;
      const llc = await llcVerdict(folder, name, bytes, args);
      const ours = ourVerdict(name, bytes, args);
      const difference = compareVerdicts(llc, ours);
      totals.set(difference, (totals.get(difference) ?? 0) + 1);
      if (rounds % 500 === 0) console.log(`${rounds} files: ${[...totals].map(([d, n]) => `${d} ${n}`).join(', ')}`);
      if (difference === 'none') continue;
      const general = (text: string): string =>
        text
          .split('\n', 1)[0]
          .replaceAll(/r\d+\.mir/g, 'FILE')
          .replaceAll(/\d+/g, 'N')
          .replaceAll(/'[^']*'/g, 'Q')
          .slice(0, 150);
      const cause = `${difference}: llc ${llc.exit} ${general(llc.err)} | ours ${ours.exit} ${general(ours.err)}`;
      classes.set(cause, [...(classes.get(cause) ?? []), round]);
      if (keep === null) continue;
      writeFileSync(join(keep, name), bytes);
      const note = `${difference}; ${input.name}; ${kinds.join(', ')}; ${args.join(' ')}`;
      const show = (v: { exit: number | null; err: string }): string => `exit ${v.exit}\n${v.err}`;
      writeFileSync(join(keep, `r${round}.txt`), `${note}\n== llc ${show(llc)}\n== ours ${show(ours)}\n`, 'latin1');
      if (difference === 'output') {
        writeFileSync(join(keep, `r${round}.llc`), llc.out, 'latin1');
        writeFileSync(join(keep, `r${round}.ours`), ours.out, 'latin1');
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: VERDICT_JOBS }, job));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const [cause, list] of [...classes].sort((a, b) => b[1].length - a[1].length))
    console.log(`${String(list.length).padStart(5)}  ${cause}   [${list.slice(0, 3).join(' ')}]`);
  const compared = [...totals.values()].reduce((a, b) => a + b, 0) - (totals.get('llc crashed') ?? 0);
  const graver: Difference[] = ['verdict', 'first message', 'messages', 'output'];
  let equal = compared;
  const shares = graver.map((d) => {
    equal -= totals.get(d) ?? 0;
    return `${d} ${((100 * equal) / compared).toFixed(2)} %`;
  });
  console.log(`${compared} files, llc crashed on ${totals.get('llc crashed') ?? 0} more; equal: ${shares.join(', ')}`);
  if ((totals.get('verdict') ?? 0) > 0) failures++;
}

/** Sizes, and the most that the time may grow from half the size to the size: a power, 1 = linear. Small times are noise. */
const MAX_POWER = 1.4;
const MIN_MS = 400;

function runExtremes(scale: number, name: string): void {
  const commands = ['none', 'amdgpu-print-rp', 'machine-scheduler'];
  const show = (values: readonly string[]): void =>
    console.log(values.map((v, i) => (i === 0 ? v.padEnd(32) : v.padStart(i === 1 ? 9 : 22))).join(' '));
  show(['shape', 'size', ...commands, 'check']);
  for (const extreme of EXTREMES)
    if (extreme.name.includes(name)) runExtreme(extreme, scale, [...commands, 'check'], show);
}

function runExtreme(
  extreme: Extreme,
  scale: number,
  commands: readonly string[],
  show: (v: readonly string[]) => void,
): void {
  const n = Math.floor(extreme.size * scale);
  const cells = [extreme.name, String(n)];
  let said = '';
  for (const command of commands) {
    const times = [n >> 1, n].map((size) => {
      const text = extreme.text(size);
      const start = cpuMs();
      try {
        const { exit, err } = runCommand(text, command);
        said = firstMessage(err);
        if ((exit !== 0) !== (extreme.message !== null)) fail(`${extreme.name}, ${command}`, `exit ${exit}: ${said}`);
        if (extreme.message !== null && !extreme.message.test(err)) fail(`${extreme.name}, ${command}`, `says ${said}`);
      } catch (error) {
        fail(`${extreme.name}, ${command}`, (error as Error).stack ?? String(error));
      }
      return cpuMs() - start;
    });
    const power = times[1] < MIN_MS ? 0 : Math.log2(times[1] / times[0]);
    if (power > MAX_POWER)
      fail(
        `${extreme.name}, ${command}`,
        `grows with the power ${power.toFixed(2)}: ${times.map((t) => t.toFixed(0))} ms`,
      );
    cells.push(`${times[1].toFixed(0)} ms ^${power === 0 ? '-' : power.toFixed(2)}`);
  }
  show(cells);
  if (extreme.message !== null) console.log(`    ${said.slice(0, 140)}`);
}

console.log(`${mode}, seed ${seed}`);
if (mode === 'edits') fuzzEdits(option('count', 100_000));
else if (mode === 'damage') fuzzDamage(option('count', 20_000));
else if (mode === 'extremes') runExtremes(option('percent', 100) / 100, only >= 0 ? EXTREMES[only].name : '');
else if (mode !== 'verdicts') fail('arguments', 'edits, damage, verdicts or extremes?');
const work = mode === 'verdicts' ? compareWithLlc(option('count', 20_000)) : Promise.resolve();
void work.then(() => {
  process.exitCode = failures > 0 ? 1 : 0;
});
