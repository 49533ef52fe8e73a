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
const sample = (list) =>
  list.filter((_, i) => Math.floor((i * cases) / list.length) !== Math.floor(((i - 1) * cases) / list.length));

const child = spawn(llc, ['--batch'], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
/** Standard output and error, or null where this llc fails. */
async function run(args) {
  const [stdout, stderr] = [join(work, 'out'), join(work, 'err')];
  child.stdin.write(`${JSON.stringify({ args, stdout, stderr, limitMs: LIMIT_MS })}\n`);
  const { value } = await lines.next();
  return JSON.parse(value).exit === 0 ? { out: readFileSync(stdout, 'utf8'), err: readFileSync(stderr, 'utf8') } : null;
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
async function make(folder, manifest, answer) {
  const chosen = sample(manifest);
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

const sched = await make('sched', read(join(from, 'sched', 'manifest.json')), async (c, data) => {
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

const alloc = await make('alloc', read(join(from, 'alloc', 'manifest.json')), async (c, data) => {
  const input = await again(c, data);
  const allocated =
    input &&
    (await run([
      ...c.args,
      '-start-before=greedy,0',
      '-stop-after=virtregrewriter,2',
      '-o',
      '-',
      place(c.name, input),
    ]));
  return allocated ? { input, texts: { greedy: bodies(allocated.out), sched: '=' } } : null;
});
writeFileSync(join(out, 'alloc', 'manifest.json'), JSON.stringify(alloc));

const accept = await make('parse', read(join(from, 'parse', 'manifest.json')).accept, async (c, data) => {
  const output = await again(c, data);
  return output === null ? null : { input: data.input, output };
});
writeFileSync(join(out, 'parse', 'manifest.json'), JSON.stringify({ accept, reject: [], verifier: [] }));
for (const name of ['reject', 'verifier']) pack(join(out, 'parse', `${name}.json.br`), { cases: [] });
child.stdin.end();
