/**
 * Stages, limits, pressure, picks with LLVM's reasons and cycles, orders: the trace against what the real llc 22.1.8 does, read out of
 * it by the oracle (`../shared/oracle`). The answers lie in test/golden/schedule as made by
 *
 *     AMDGPU_MIR_UPDATE=1 ORACLE=PATH/TO/oracle npx mocha --config .mocharc.json test/unit/passes/scheduler/decisions.test.ts
 *
 * which runs `oracle trace FILE` with the target of the file's RUN line.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandsOf } from '../../../../server/src/program/targetOfFile.js';
import { TestFile } from '../../../../server/src/program/testFile/testFile.js';
import type { PressureTrace, ScheduleTrace } from '../../../../server/src/passes/scheduler/trace/scheduleTrace.js';
import { traceText } from '../../../support/schedule.js';
import { ORACLE, UPDATE } from '../../../support/switches.js';

const FOLDER = join(__dirname, '..', '..', '..', 'golden', 'schedule');

/** The oracle's numbers of a pressure. */
interface OraclePressure {
  readonly sgpr: number;
  readonly vgpr: number;
  readonly agpr: number;
  readonly avgpr: number;
  readonly sgpr_tuple_weight: number;
  readonly vgpr_tuple_weight: number;
  readonly agpr_tuple_weight: number;
  readonly avgpr_tuple_weight: number;
}

interface OracleRegion {
  readonly region: number;
  readonly scheduled: boolean;
  readonly before?: OraclePressure;
  readonly after?: OraclePressure;
  readonly limits?: Record<string, number>;
  readonly high_pressure_seen?: boolean;
  readonly reverted?: boolean;
  readonly min_occupancy_after?: number;
  readonly picks?: readonly (readonly [
    node: number | { copy_of: number },
    side: string,
    reason: string,
    cycle: number,
  ])[];
}

interface OracleFunction {
  readonly function: string;
  readonly occupancy: number | null;
  readonly formed_regions: readonly { first: number; last: number; end: number; count: number; kept: boolean }[];
  readonly stages: readonly {
    readonly stage: string;
    readonly ran: boolean;
    readonly min_occupancy_in: number;
    readonly min_occupancy_out: number;
    readonly func_occupancy_out: number;
    readonly regions: readonly OracleRegion[];
  }[];
}

/** One fact a line. */
function oracleFacts(f: OracleFunction): string[] {
  const out = [`function ${f.function}`];
  const pressure = (p: OraclePressure): string =>
    [
      p.sgpr,
      p.vgpr,
      p.agpr,
      p.avgpr,
      p.sgpr_tuple_weight,
      p.vgpr_tuple_weight,
      p.agpr_tuple_weight,
      p.avgpr_tuple_weight,
    ].join(' ');
  f.formed_regions
    .filter((r) => r.kept)
    .forEach((r, k) => out.push(`region ${k}: first ${r.first}, last ${r.last}, ${r.count} instructions`));
  for (const s of f.stages) {
    out.push(
      `stage ${s.stage} ran ${s.ran}, minimum occupancy ${s.min_occupancy_in} -> ${s.min_occupancy_out}, function ${s.func_occupancy_out}`,
    );
    for (const r of s.ran ? s.regions : []) {
      const l = r.limits;
      if (!r.scheduled || r.before === undefined || r.after === undefined || l === undefined) {
        out.push(`  region ${r.region} skipped`);
        continue;
      }
      out.push(`  region ${r.region} before ${pressure(r.before)}, after ${pressure(r.after)}`);
      out.push(
        `    target ${l.target_occupancy}, critical ${l.sgpr_critical} ${l.vgpr_critical}, excess ${l.sgpr_excess} ${l.vgpr_excess}`,
      );
      out.push(
        `    high ${r.high_pressure_seen}, checked ${r.reverted !== undefined}, reverted ${r.reverted === true}, minimum ${r.min_occupancy_after}`,
      );
      for (const [node, side, reason, cycle] of r.picks ?? []) {
        const instr = typeof node === 'number' ? node : `copy of ${node.copy_of}`;
        out.push(`    pick ${instr} ${side} ${reason} ${cycle}`);
      }
    }
  }
  return out;
}

function traceFacts(t: ScheduleTrace): string[] {
  const out = [`function ${t.function}`];
  const copies = new Map(t.rematerialized.map((m) => [m.clone, m.def]));
  const pressure = (p: PressureTrace): string =>
    [p.sgpr, p.vgpr, p.agpr, p.avgpr, p.sgprTupleWeight, p.vgprTupleWeight, p.agprTupleWeight, p.avgprTupleWeight].join(
      ' ',
    );
  for (const r of t.regions)
    out.push(`region ${r.region}: first ${r.first}, last ${r.last}, ${r.nInstrs} instructions`);
  for (const s of t.stages) {
    out.push(
      `stage ${s.stage} ran ${s.ran}, minimum occupancy ${s.minOccupancyBefore} -> ${s.minOccupancyAfter}, function ${s.occupancyAfter}`,
    );
    for (const { region, details: d } of s.runs) {
      if (d === null || d.limits === null) {
        out.push(`  region ${region} skipped`);
        continue;
      }
      const l = d.limits;
      out.push(`  region ${region} before ${pressure(d.before)}, after ${pressure(d.after)}`);
      out.push(
        `    target ${d.targetOccupancy}, critical ${l.sgprCritical} ${l.vgprCritical}, excess ${l.sgprExcess} ${l.vgprExcess}`,
      );
      out.push(
        `    high ${d.highPressureSeen}, checked ${d.checked}, reverted ${d.reverted !== null}, minimum ${d.minOccupancyAfter}`,
      );
      for (const p of d.picks) {
        const copied = copies.get(p.instr);
        const instr = copied === undefined ? p.instr : `copy of ${copied}`;
        out.push(`    pick ${instr} ${p.side === 'top' ? 'T' : 'B'} ${p.reason} ${p.cycle}`);
      }
    }
  }
  return out;
}

/** Rewrites the answer of a fixture when that is asked for, and reads it. */
function answerFor(name: string, text: string): string {
  const path = join(FOLDER, `${name}.txt`);
  if (UPDATE && ORACLE !== undefined) {
    const { triple, cpu } = runCommandsOf(new TestFile(text))[0];
    const args = [`-mtriple=${triple}`, `-mcpu=${cpu}`];
    const run = spawnSync(ORACLE, ['trace', join(FOLDER, `${name}.mir`), ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const { functions } = JSON.parse(run.stdout) as { functions: OracleFunction[] };
    const head = `made by: oracle trace ${name}.mir ${args.join(' ')}   (LLVM 22.1.8)`;
    writeFileSync(path, `${[head, ...functions.flatMap(oracleFacts)].join('\n')}\n`);
  }
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

describe('decisions of the scheduler, as the oracle saw them in llc-22', () => {
  for (const file of readdirSync(FOLDER).filter((f) => f.endsWith('.mir'))) {
    const name = file.replace(/\.mir$/, '');
    it(name, () => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      const [head, ...expected] = answerFor(name, text).trimEnd().split('\n');
      assert.match(head, /^made by: oracle trace/, 'the fixture has no answer: see the head of this test');
      const ours = traceText(text).flatMap(({ trace }) => traceFacts(trace));
      assert.equal(ours.join('\n'), expected.join('\n'));
    });
  }
});
