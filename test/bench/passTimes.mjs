// What the benchmarks that stand beside llc's own passes share: reading `-time-passes`, and exponents of growth.
import { spawnSync } from 'node:child_process';

const LLC = process.env.AMDGPU_MIR_LLC ?? 'llc-22';

/** Milliseconds of processor time by name of the pass, those of one name added; null without llc. `args` with the file. */
export function llcPasses(args) {
  const run = spawnSync('timeout', ['60', LLC, ...args, '-time-passes', '-o', '/dev/null'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const lines = run.stderr?.split('\n') ?? [];
  const from = lines.findIndex((line) => line.includes('Pass execution timing report'));
  if (run.status !== 0 || from < 0) return null;
  const passes = new Map();
  for (const line of lines.slice(from)) {
    // columns: user, system, user + system, wall; those that are zero everywhere are left out
    const name = /(?:\d+\.\d+ \( *\d+\.\d+%\) +)+(.*)$/.exec(line)?.[1].replace(/ #\d+$/, '');
    if (name === undefined) continue;
    if (name === 'Total') break;
    const seconds = [...line.matchAll(/(\d+\.\d+) \(/g)].map((m) => Number(m[1]));
    passes.set(name, (passes.get(name) ?? 0) + seconds[Math.max(0, seconds.length - 2)] * 1000);
  }
  return passes;
}

/** Slope of log(time) over log(size). */
export function exponent(points) {
  const xs = points.map(([n]) => Math.log(n));
  const ys = points.map(([, t]) => Math.log(t));
  const mean = (a) => a.reduce((s, v) => s + v, 0) / a.length;
  const mx = mean(xs);
  const my = mean(ys);
  return xs.reduce((s, x, k) => s + (x - mx) * (ys[k] - my), 0) / xs.reduce((s, x) => s + (x - mx) ** 2, 0);
}
