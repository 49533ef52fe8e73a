/**
 * Occupancy against llc-22 on every processor: kernels with generated register counts, LDS sizes, work-group ranges and
 * attributes are compiled to assembly, and the numbers in its comments are compared with ours.
 */
import * as assert from 'node:assert';
import { Bank, OccupancyLimiter, reportOccupancy } from '../../../server/src/analysis/summary.js';
import { CallingConv, computeFunctionLimits } from '../../../server/src/analysis/functionLimits.js';
import { newPressure } from '../../../server/src/analysis/gcnPressure.js';
import { listCpus } from '../../../server/src/target/index.js';
import { emptyFunction } from '../../support/emptyFunction.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const KERNELS_PER_CPU = 20;

/** A small linear congruential generator: the table is the same in every run. */
class Random {
  constructor(private state: number) {}
  below(n: number): number {
    this.state = (Math.imul(this.state, 1103515245) + 12345) & 0x7fffffff;
    return (this.state >>> 8) % n;
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}

interface Kernel {
  readonly attributes: Record<string, string>;
  readonly vgpr: number;
  readonly sgpr: number;
  readonly ldsBytes: number;
}

function makeKernel(random: Random, cpu: string): Kernel {
  const attributes: Record<string, string> = {};
  if (random.below(4) > 0) {
    const max = random.pick([32, 64, 65, 128, 192, 256, 257, 320, 512, 640, 757, 1000, 1024]);
    const min = random.pick([1, 1, 32, 64, max, Math.min(max, 300)]);
    attributes['amdgpu-flat-work-group-size'] = `${Math.min(min, max)},${max}`;
  }
  if (random.below(3) === 0) {
    attributes['amdgpu-waves-per-eu'] = random.pick([
      '1',
      '2,2',
      '4,4',
      '5,8',
      '8,8',
      '3,20',
      '0',
      '1,2',
      '7',
      '10,10',
    ]);
  }
  // llc crashes on the attribute below gfx12.
  if (cpu.startsWith('gfx12') && random.below(3) === 0) {
    attributes['amdgpu-dynamic-vgpr-block-size'] = random.pick(['16', '32', '8']);
  }
  return {
    attributes,
    vgpr: random.pick([
      0, 15, 23, 24, 31, 32, 39, 40, 47, 48, 63, 64, 71, 79, 80, 95, 96, 111, 119, 127, 128, 167, 168, 191,
    ]),
    sgpr: random.pick([3, 20, 41, 47, 48, 55, 60, 70, 73, 79, 81, 87, 90, 95]),
    ldsBytes: random.pick([0, 0, 0, 4, 1000, 4096, 8192, 12345, 16384, 21845, 30000, 32768]),
  };
}

function makeModule(kernels: readonly Kernel[]): string {
  const lines: string[] = [];
  kernels.forEach((k, n) => {
    if (k.ldsBytes > 0) lines.push(`@lds${n} = internal addrspace(3) global [${k.ldsBytes} x i8] poison, align 4`);
    lines.push(`define amdgpu_kernel void @k${n}() #${n} {`);
    lines.push(`  call void asm sideeffect "", "~{v${k.vgpr}},~{s${k.sgpr}}"()`);
    if (k.ldsBytes > 0) lines.push(`  store volatile i8 1, ptr addrspace(3) @lds${n}`);
    lines.push('  ret void', '}');
  });
  kernels.forEach((k, n) => {
    const attrs = Object.entries(k.attributes).map(([key, value]) => `"${key}"="${value}"`);
    lines.push(`attributes #${n} = { nounwind ${attrs.join(' ')} }`);
  });
  return lines.join('\n') + '\n';
}

interface Report {
  readonly totalSGPRs: number;
  readonly totalVGPRs: number;
  readonly sgprs: number;
  readonly vgprs: number;
  readonly ldsBytes: number;
  readonly occupancy: number;
}

function parseReports(text: string): Map<string, Report> {
  const reports = new Map<string, Report>();
  const parts = text.split(/^(k\d+):/m);
  for (let p = 1; p < parts.length; p += 2) {
    const number = (key: string): number => Number(new RegExp(`^; ${key}: (\\d+)`, 'm').exec(parts[p + 1])?.[1] ?? -1);
    const vgprs = number('TotalNumVgprs');
    reports.set(parts[p], {
      totalSGPRs: number('TotalNumSgprs'),
      totalVGPRs: vgprs >= 0 ? vgprs : number('NumVgprs'),
      sgprs: number('NumSGPRsForWavesPerEU'),
      vgprs: number('NumVGPRsForWavesPerEU'),
      ldsBytes: number('LDSByteSize'),
      occupancy: number('Occupancy'),
    });
  }
  return reports;
}

function checkCpu(cpu: string, features: string, seed: number): void {
  const random = new Random(seed);
  const kernels = Array.from({ length: KERNELS_PER_CPU }, () => makeKernel(random, cpu));
  const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, `-mattr=${features}`, '-o', '-'];
  const run = runLlc(args, makeModule(kernels));
  assert.equal(run.status, 0, `${cpu}: ${run.stderr.slice(0, 500)}`);
  const reports = parseReports(run.stdout);
  kernels.forEach((k, n) => {
    const r = reports.get(`k${n}`);
    assert.ok(r !== undefined && r.occupancy > 0, `${cpu}: no report of k${n}`);
    const attributes = { ...k.attributes };
    // LDS lowering leaves this attribute; it bounds the waves that the register budgets are made for.
    if (r.ldsBytes > 0) attributes['amdgpu-lds-size'] = String(r.ldsBytes);
    const fn = emptyFunction({
      cpu,
      features,
      attributes,
      callingConv: CallingConv.AMDGPU_KERNEL,
      functionInfo: { ldsSize: r.ldsBytes },
    });
    const limits = computeFunctionLimits(fn);
    const st = fn.subtarget;
    const where = `${cpu} ${features} k${n} ${JSON.stringify(k)}`;
    // The registers counted for the waves: at least as many as the largest wanted number of waves leaves to each.
    const waves = limits.wavesPerEU[1];
    const dyn = limits.dynamicVGPRBlockSize;
    assert.equal(Math.max(r.totalVGPRs, st.minNumVGPRs(waves, dyn)), r.vgprs, `${where}: VGPRs for waves`);
    assert.equal(Math.max(r.totalSGPRs, st.minNumSGPRs(waves)), r.sgprs, `${where}: SGPRs for waves`);
    const p = newPressure();
    p[Bank.SGPR] = r.sgprs;
    p[Bank.VGPR] = r.vgprs;
    assert.equal(reportOccupancy(p, limits).occupancy, r.occupancy, `${where}: occupancy`);
  });
}

describe('occupancy', () => {
  it('equals the occupancy that llc-22 prints, on every processor', function () {
    needsLlc(this);
    listCpus().forEach((cpu, n) => checkCpu(cpu, '', 17 + n));
  });

  it('equals it with other wave sizes and in CU mode', function () {
    needsLlc(this);
    for (const cpu of ['gfx1010', 'gfx1030', 'gfx1100', 'gfx1102', 'gfx1150', 'gfx1200']) {
      checkCpu(cpu, '+wavefrontsize64', 101);
      checkCpu(cpu, '+cumode', 102);
      checkCpu(cpu, '+wavefrontsize64,+cumode', 103);
    }
    checkCpu('gfx90a', '-xnack', 104);
    checkCpu('gfx90a', '+xnack', 105);
    checkCpu('gfx1250', '+cumode', 106);
  });

  it('names the limiter and the distance to the next step', () => {
    // Step table of gfx900: 64 VGPRs allow 4 waves, 84 allow 3; 24 allow 10.
    const limits = computeFunctionLimits(
      emptyFunction({ cpu: 'gfx900', attributes: { 'amdgpu-flat-work-group-size': '1,256' } }),
    );
    const p = newPressure();
    p[Bank.SGPR] = 20;
    p[Bank.VGPR] = 70;
    const r = reportOccupancy(p, limits);
    assert.equal(r.occupancy, 3);
    assert.deepEqual(r.limiters, [OccupancyLimiter.VGPRs]);
    assert.deepEqual(r.vgprStepUp, { occupancy: 4, registers: 6 });
    assert.deepEqual(r.vgprStepDown, { occupancy: 2, registers: 14 });
    assert.equal(r.sgprStepUp, null);
    assert.deepEqual(
      reportOccupancy(newPressure(), limits).limiters,
      [OccupancyLimiter.Hardware],
      'nothing but the processor limits an empty function',
    );
  });

  it('names LDS, work-group size and function info as limiters', () => {
    const limiterOf = (attributes: Record<string, string>, functionInfo: Record<string, unknown>): unknown => {
      const limits = computeFunctionLimits(emptyFunction({ cpu: 'gfx900', attributes, functionInfo }));
      return [reportOccupancy(newPressure(), limits).occupancy, reportOccupancy(newPressure(), limits).limiters];
    };
    const group = { 'amdgpu-flat-work-group-size': '1,256' };
    assert.deepEqual(limiterOf(group, { ldsSize: 16384 }), [4, [OccupancyLimiter.LDS]]);
    assert.deepEqual(limiterOf({ 'amdgpu-flat-work-group-size': '1024,1024' }, {}), [
      8,
      [OccupancyLimiter.WorkGroupSize],
    ]);
    assert.deepEqual(limiterOf(group, { occupancy: 5 }), [5, [OccupancyLimiter.FunctionInfo]]);
  });
});
