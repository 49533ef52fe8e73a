/**
 * RUN lines of any length take a time that grows with them, and so do the diagnostics of the file. Compared are a line and one that is eight
 * times as long: what is quadratic takes 64 times as long.
 */
import assert from 'node:assert/strict';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';

const FUNCTION = '---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n    S_ENDPGM 0\n...\n';
const LLC = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900';
const many = (n: number, text: (k: number) => string, between = ','): string =>
  Array.from({ length: n }, (_, k) => text(k)).join(between);

/** How many for the short line, and the RUN line. */
const LINES: Readonly<Record<string, readonly [number, (n: number) => string]>> = {
  attributes: [2000, (n) => `${LLC} -mattr=${many(n, (k) => `+f${k}`)} %s`],
  'check prefixes': [4000, (n) => `${LLC} %s | FileCheck %s --check-prefixes=${many(n, (k) => `P${k}`)}`],
  'options for prefixes': [2000, (n) => `${LLC} %s | FileCheck %s ${many(n, (k) => `--check-prefix=P${k}`, ' ')}`],
  'unknown options': [2000, (n) => `${LLC} ${many(n, (k) => `-foo${k}`, ' ')} %s`],
  'one long directive': [1000, (n) => `${LLC} %s | FileCheck %s\n# CHECK${'-A'.repeat(n)}: a`],
  commands: [100, (n) => `${LLC} %s ${many(n, () => '| llc -mtriple=amdgcn', ' ')}`],
};

const MOST = 1 << 7;

/** CPU milliseconds until the file has its diagnostics, the least of two tries. */
function cost(text: string): number {
  const once = (): number => {
    const host = new AnalysisHost(false, Infinity);
    const begin = process.cpuUsage();
    host.open('file:///a.mir', 1, text);
    const found = host.diagnostics('file:///a.mir', NEVER_CANCELLED)!;
    const { user, system } = process.cpuUsage(begin);
    assert.ok(found.length < MOST, `${found.length} diagnostics`);
    return (user + system) / 1000;
  };
  return Math.min(once(), once());
}

describe('long RUN lines', () => {
  for (const [name, [n, line]] of Object.entries(LINES))
    it(`${name}: linear`, () => {
      const file = (size: number): string => `${line(size)}\n${FUNCTION}`;
      cost(file(10));
      const short = cost(file(n));
      const long = cost(file(8 * n));
      assert.ok(long < 24 * short + 50, `${short} ms for ${n}, ${long} ms for ${8 * n}`);
    });
});
