/**
 * Random functions for the edges of regions: physical registers that live in, are read several times, end and are defined anew, tuples that the
 * limits of the function reserve in part, barriers between regions of one block, definitions that nobody reads. Few registers are allowed, so that
 * each counts. The same seed gives the same text.
 */
import type { Question } from './answers.js';
import { Random } from './damageInputs.js';

const PROCESSORS = ['tahiti', 'verde', 'fiji', 'gfx900', 'gfx90a', 'gfx1030', 'gfx1100', 'gfx1200'];
const LIMITS = [
  ...[4, 6, 8, 10].map((n) => `"amdgpu-num-sgpr"="${n}"`),
  '"amdgpu-num-vgpr"="4"',
  '"amdgpu-num-vgpr"="3" "amdgpu-num-sgpr"="12"',
];
const OPTIONS = [
  ...[[], [], []],
  ['-misched-prera-direction=topdown'],
  ['-misched-prera-direction=bottomup'],
  ['-misched=gcn-max-ilp'],
  ['-misched=gcn-max-memory-clause'],
  ['-amdgpu-use-amdgpu-trackers'],
  ['-amdgpu-use-amdgpu-trackers', '-misched-prera-direction=topdown'],
  ['-misched=converge'],
  ['-misched=converge', '-misched-prera-direction=topdown'],
  ['-misched=gcn-iterative-minreg'],
];

const tuple = (bank: string, first: number, n: number): string =>
  `$${Array.from({ length: n }, (_, k) => `${bank}${first + k}`).join('_')}`;

class Body {
  readonly lines: string[] = [];
  private next = 0;
  private readonly scalars: string[] = [];
  private readonly vectors: string[] = [];

  constructor(private readonly random: Random) {}

  private one<T>(of: readonly T[]): T {
    return of[this.random.below(of.length)]!;
  }

  private define(to: string[], rc: string, text: string): void {
    const reg = `%${this.next++}`;
    this.lines.push(`${reg}:${rc} = ${text}`);
    to.push(reg);
  }

  copiesOfLiveIns(nScalars: number, nVectors: number): void {
    const kill = (): string => (this.random.chance(30) ? 'killed ' : '');
    for (let k = 0; k < nScalars; k++)
      if (this.random.chance(80)) this.define(this.scalars, 'sgpr_32', `COPY ${kill()}$sgpr${k}`);
    for (let k = 0; k < nVectors; k++)
      if (this.random.chance(80)) this.define(this.vectors, 'vgpr_32', `COPY $vgpr${k}`);
    for (let k = this.lines.length - 1; k > 0; k--) {
      const other = this.random.below(k + 1);
      [this.lines[k], this.lines[other]] = [this.lines[other]!, this.lines[k]!];
    }
  }

  instruction(): void {
    const { random, scalars, vectors, lines } = this;
    switch (random.below(9)) {
      case 0:
        if (scalars.length > 0)
          this.define(
            scalars,
            'sreg_32',
            `S_ADD_I32 ${this.one(scalars)}, ${this.one(scalars)}, implicit-def dead $scc`,
          );
        break;
      case 1:
        if (vectors.length > 0)
          this.define(
            vectors,
            'vgpr_32',
            `V_MAX_F32_e64 0, ${this.one(vectors)}, 0, ${this.one(vectors)}, 0, 0, implicit $mode, implicit $exec`,
          );
        break;
      case 2: {
        const first = 4 * random.below(3);
        lines.push(`${tuple('sgpr', first, 4)} = COPY ${tuple('sgpr', first + 48, 4)}`);
        if (random.chance(60)) lines.push(`S_NOP 0, implicit ${tuple('sgpr', first, 4)}`);
        break;
      }
      case 3: {
        const pair = tuple('sgpr', 2 * random.below(4), 2);
        lines.push(
          `${pair} = S_MOV_B64 ${random.below(64)}`,
          `S_NOP 0, implicit ${random.chance(30) ? 'killed ' : ''}${pair}`,
        );
        break;
      }
      case 4:
        if (scalars.length > 0) lines.push(`$vgpr${random.below(6)} = COPY ${this.one(scalars)}`);
        break;
      case 5: {
        const pair = tuple('vgpr', random.below(5), 2);
        lines.push(`${pair} = IMPLICIT_DEF`, `S_NOP 0, implicit ${pair}`);
        break;
      }
      case 6: {
        this.define([], 'sgpr_128', `COPY ${tuple('sgpr', 48, 4)}`);
        if (random.chance(60)) lines.push(`S_NOP 0, implicit %${this.next - 1}`);
        break;
      }
      case 7:
        if (random.chance(40)) lines.push('SCHED_BARRIER 0');
        break;
      default:
        if (vectors.length > 0) lines.push(`S_NOP 0, implicit ${this.one(vectors)}`);
    }
  }

  lastReads(): void {
    for (const reg of [...this.scalars, ...this.vectors])
      if (this.random.chance(40)) this.lines.push(`S_NOP 0, implicit ${reg}`);
  }
}

export function randomRegionEdges(seed: number): Question {
  const random = new Random(seed);
  const one = <T>(of: readonly T[]): T => of[random.below(of.length)]!;
  const cpu = one(PROCESSORS);
  const nScalars = 2 + random.below(8);
  const nVectors = 1 + random.below(5);
  const limit = one(LIMITS);
  const body = new Body(random);
  body.copiesOfLiveIns(nScalars, nVectors);
  for (let n = 3 + random.below(18); n > 0; n--) body.instruction();
  body.lastReads();
  const liveIns = [
    ...Array.from({ length: nScalars }, (_, k) => `$sgpr${k}`),
    ...Array.from({ length: nVectors }, (_, k) => `$vgpr${k}`),
    ...[48, 52, 56].map((first) => tuple('sgpr', first, 4)),
  ];
  const input = [
    '--- |',
    `  define amdgpu_ps void @f() ${limit} { ret void }`,
    '...',
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'body: |',
    '  bb.0:',
    `    liveins: ${liveIns.join(', ')}`,
    '',
    ...body.lines.map((line) => `    ${line}`),
    '    S_ENDPGM 0',
    '...',
    '',
  ].join('\n');
  const triple = cpu.startsWith('gfx') ? 'amdgcn-amd-amdhsa' : 'amdgcn';
  return { args: [`-mtriple=${triple}`, `-mcpu=${cpu}`, '-run-pass=machine-scheduler', ...one(OPTIONS)], input };
}
