/**
 * Makes a corpus for `../shared/score` out of a sample of another one, with the answers of an llc of another release.
 *
 * usage: node server/tools/llcOfLibrary/corpus.mjs LLC FROM OUT [CASES]    (LLC: what build.sh made)
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const [llc, from, out, cases = '110'] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'corpus-'));
const LIMIT_MS = 30_000;

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const unpack = (file) => JSON.parse(brotliDecompressSync(readFileSync(file)));
const pack = (file, data) =>
  writeFileSync(file, brotliCompressSync(JSON.stringify(data), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }));
const sample = (list, n = cases) =>
  list.filter((_, i) => Math.floor((i * n) / list.length) !== Math.floor(((i - 1) * n) / list.length));

const child = spawn(llc, ['--batch'], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
/** Exit code, standard output and error. */
async function ask(args) {
  const [stdout, stderr] = [join(work, 'out'), join(work, 'err')];
  child.stdin.write(`${JSON.stringify({ args, stdout, stderr, limitMs: LIMIT_MS })}\n`);
  const { value } = await lines.next();
  return { exit: JSON.parse(value).exit, out: readFileSync(stdout, 'utf8'), err: readFileSync(stderr, 'utf8') };
}
/** The same, or null where this llc fails. */
async function run(args) {
  const answer = await ask(args);
  return answer.exit === 0 ? answer : null;
}
function place(name, text) {
  const file = join(work, `${name.replaceAll('/', '_')}.mir`);
  writeFileSync(file, text);
  return file;
}
/** The documents of functions, without the module before them. */
const bodies = (text) => (text.startsWith('--- |') ? text.slice(text.indexOf('\n...\n') + 5) : text);

async function* inputs(folder, manifest) {
  for (const shard of new Set(manifest.map((c) => c.shard))) {
    const data = new Map(unpack(join(from, folder, shard)).cases.map((c) => [c.name, c]));
    for (const c of manifest) if (c.shard === shard) yield [c, data.get(c.name)];
  }
}

/** Cases of a folder that this llc takes: `answer` gives a case's data, or null. */
async function make(folder, chosen, answer) {
  const kept = [];
  const made = [];
  for await (const [c, data] of inputs(folder, chosen)) {
    const given = await answer(c, data);
    if (given === null) continue;
    kept.push({ ...c, variants: undefined, critical: undefined, stress: undefined, shard: 'cases.json.br' });
    made.push({ name: c.name, ...given });
  }
  mkdirSync(join(out, folder), { recursive: true });
  pack(join(out, folder, 'cases.json.br'), { cases: made });
  console.log(`${folder}: ${kept.length} of ${chosen.length} cases are taken`);
  return kept;
}

const again = async (c, data) =>
  (await run([...c.args, '-run-pass=none', '-o', '-', place(c.name, data.input)]))?.out ?? null;

const manifest = (folder) => read(join(from, folder, 'manifest.json'));
/** Mostly files that are allocated, too: from the scheduler on, these have to be the same. */
const isAllocated = new Set(manifest('alloc').map((c) => c.name));
const toSchedule = [true, false].flatMap((is) =>
  sample(
    manifest('sched').filter((c) => isAllocated.has(c.name) === is),
    is ? cases * 0.7 : cases * 0.3,
  ),
);
const sched = await make('sched', toSchedule, async (c, data) => {
  const input = await again(c, data);
  if (input === null) return null;
  const file = place(c.name, input);
  const pressure = ['-run-pass=amdgpu-print-rp', '-filetype=null', '-o', '/dev/null', file];
  const [scheduled, up, down] = [
    await run([...c.args, '-run-pass=machine-scheduler', '-o', '-', file]),
    await run([...c.args, ...pressure]),
    await run([...c.args, '-amdgpu-print-rp-downward', ...pressure]),
  ];
  if (scheduled === null || up === null || down === null) return null;
  return { input, sched: bodies(scheduled.out), rp_up: up.err, rp_down: down.err };
});
writeFileSync(join(out, 'sched', 'manifest.json'), JSON.stringify(sched));

const names = new Set(sched.map((c) => c.name));
const early = new Map(unpack(join(out, 'sched', 'cases.json.br')).cases.map((c) => [c.name, c.input]));
const toAllocate = manifest('alloc').filter((c) => names.has(c.name));
const allocated = async (c, start, text, more = []) =>
  await run([
    ...c.args,
    ...more,
    `-start-before=${start}`,
    '-stop-after=virtregrewriter,2',
    '-o',
    '-',
    place(c.name, text),
  ]);
const alloc = await make('alloc', toAllocate, async (c, data) => {
  const input = await again(c, data);
  const greedy = input && (await allocated(c, 'greedy,0', input));
  const scheduled = greedy && (await allocated(c, 'machine-scheduler', early.get(c.name)));
  if (!scheduled) return null;
  const texts = { greedy: bodies(greedy.out), sched: bodies(scheduled.out) };
  const few = c.stress && (await allocated(c, 'greedy,0', input, [`-stress-regalloc=${c.stress}`]));
  return { input, texts: few ? { ...texts, stress: bodies(few.out) } : texts };
});
const isStressed = new Set(
  unpack(join(out, 'alloc', 'cases.json.br')).cases.flatMap((c) => (c.texts.stress === undefined ? [] : [c.name])),
);
const stressOf = new Map(toAllocate.map((c) => [c.name, c.stress]));
for (const c of alloc) if (isStressed.has(c.name)) c.stress = stressOf.get(c.name);
writeFileSync(join(out, 'alloc', 'manifest.json'), JSON.stringify(alloc));

const uniformity = await make('uniformity', sample(manifest('uniformity')), async (c, data) => {
  const input = await again(c, data);
  const printed =
    input && (await run([...c.args, '-run-pass=print-machine-uniformity', '-o', '/dev/null', place(c.name, input)]));
  return printed ? { input, stderr: printed.err } : null;
});
writeFileSync(join(out, 'uniformity', 'manifest.json'), JSON.stringify(uniformity));

const parse = manifest('parse');
const accept = await make('parse', sample(parse.accept), async (c, data) => {
  const output = await again(c, data);
  return output === null ? null : { input: data.input, output };
});

/** Files that this llc rejects, with what `told` finds in its words; those of which it says nothing are left out. */
async function rejected(name, told) {
  const made = [];
  const args = new Map((parse[name] ?? []).map((c) => [c.name, c.args]));
  for (const data of unpack(join(from, 'parse', `${name}.json.br`)).cases) {
    const c = { ...data, args: data.args ?? args.get(data.name) };
    const answer = await ask([...c.args, '-run-pass=none', '-o', '/dev/null', place(c.name, c.input)]);
    const words = told(answer);
    if (words !== null) made.push({ name: c.name, args: c.args, input: c.input, exit: answer.exit, ...words });
  }
  pack(join(out, 'parse', `${name}.json.br`), { cases: made });
  console.log(`${name}: ${made.length} cases`);
  return made.map((c) => ({ ...c, input: undefined }));
}
const badCode = (err) => [...err.matchAll(/\*\*\* Bad machine code: (.*) \*\*\*/g)].map((m) => m[1]);
const reject = await rejected('reject', ({ exit, err }) => {
  const [, line, column, message] = /error: [^\n]*?:(\d+):(\d+): (.*)/.exec(err) ?? [];
  return exit === 0 || message === undefined
    ? null
    : { diagnostics: [{ severity: 'error', line: Number(line), col: Number(column), message }] };
});
const verifier = await rejected('verifier', ({ err }) => {
  const messages = badCode(err);
  return messages.length === 0 ? null : { errors: messages.length, first: messages[0] };
});
await rejected('rules', ({ exit, err }) => {
  const messages = badCode(err);
  return exit !== 0 && messages.length === 0 ? null : { count: messages.length, message: messages[0], messages };
});
writeFileSync(join(out, 'parse', 'manifest.json'), JSON.stringify({ accept, reject, verifier }));
child.stdin.end();
