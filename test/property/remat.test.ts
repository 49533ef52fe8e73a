/** Properties of the rematerialization stages (test/support/rematCheck.ts), on random functions and on those of ../shared/corpus. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { parseLlcOptions } from '../../server/src/program/llcOptions.js';
import { loadProgram } from '../../server/src/program/mirProgram.js';
import { scheduleOptions } from '../../server/src/passes/scheduler/llcOptions.js';
import { moduleFactsOf } from '../../server/src/passes/scheduler/moduleFacts.js';
import type { RematReport } from '../../server/src/passes/scheduler/remat/report.js';
import { DEFAULT_SCHEDULE_OPTIONS } from '../../server/src/passes/scheduler/scheduleFunction.js';
import { SCHEDULER_MODELS } from '../../server/src/passes/scheduler/schedulerModel.js';
import { randomRemat } from '../support/randomRemat.js';
import { checkRemat } from '../support/rematCheck.js';
import { lowerWithRunLine } from '../support/schedule.js';
import { needsShared } from '../support/skip.js';
import { ALL } from '../support/switches.js';

const CORPUS = join(__dirname, '..', '..', '..', 'shared', 'corpus', 'sched');
/** `AMDGPU_MIR_ALL=1` takes the whole corpus (minutes), not only an eighth of the files in which 22.1.8 rematerializes. */

interface CorpusCase {
  readonly name: string;
  readonly args: readonly string[];
  readonly shard: string;
  readonly functions: readonly { readonly name: string; readonly rematerialized?: boolean }[];
}

class Tally {
  private readonly counts = new Map<string, number>();

  add(report: RematReport | null): void {
    const key = report === null ? 'did not run' : `${report.objective.kind}: ${report.result}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  toString(): string {
    return [...this.counts].map(([key, n]) => `${key} ${n}`).join(', ');
  }
}

describe('rematerialization', () => {
  for (const model of SCHEDULER_MODELS) {
    it(`${model}: properties on random functions`, () => {
      const tally = new Tally();
      fc.assert(
        fc.property(fc.nat(1_000_000), (seed) => {
          const { fns, facts } = lowerWithRunLine(randomRemat(seed));
          const options = { ...DEFAULT_SCHEDULE_OPTIONS, model };
          for (const fn of fns) tally.add(checkRemat(fn, facts, options).report);
        }),
        { numRuns: 200 },
      );
      assert.ok(tally.of('occupancy: kept') > 25, tally.toString());
      assert.ok(tally.of('occupancy: rolled back') > 0, tally.toString());
      assert.ok(tally.of('spilling: kept') > 10, tally.toString());
    });

    it(`${model}: properties on the corpus`, function () {
      needsShared(this, CORPUS);
      this.timeout(0);
      const manifest = JSON.parse(readFileSync(join(CORPUS, 'manifest.json'), 'utf8')) as CorpusCase[];
      const moving = manifest.filter((c) => c.functions.some((f) => f.rematerialized === true));
      const chosen = ALL ? manifest : moving.filter((_, k) => k % 8 === 0);
      const tally = new Tally();
      for (const shard of new Set(chosen.map((c) => c.shard))) {
        const text = brotliDecompressSync(readFileSync(join(CORPUS, shard))).toString();
        const inputs = new Map(
          (JSON.parse(text) as { cases: { name: string; input: string }[] }).cases.map((c) => [c.name, c.input]),
        );
        for (const c of chosen.filter((x) => x.shard === shard)) {
          const llc = parseLlcOptions([...c.args, 'x.mir']);
          const program = loadProgram(inputs.get(c.name) ?? '', 'x.mir', {
            triple: llc.triple,
            march: llc.march,
            cpu: llc.cpu,
            features: llc.features,
            flags: llc.flags,
          });
          const module = moduleFactsOf(program.source, program.ir);
          const wanted = new Set(c.functions.filter((f) => ALL || f.rematerialized === true).map((f) => f.name));
          for (const { fn, name } of program.functions) {
            if (fn === null || !wanted.has(name)) continue;
            try {
              tally.add(checkRemat(fn, module, { ...scheduleOptions(llc.values), model }).report);
            } catch (error) {
              throw new Error(`${c.name} @${name}`, { cause: error });
            }
          }
        }
      }
      if (ALL) console.log(`      ${tally.toString()}`);
      assert.ok(tally.of('occupancy: kept') > 0, tally.toString());
    });
  }
});
