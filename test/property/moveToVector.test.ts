/**
 * Moves to the VALU, where SGPRs spill, of any scalar register of generated functions: llc-22 takes each, and an interpreter of four lanes sees the same LDS writes.
 * AMDGPU_MIR_RUNS=500 makes that many; AMDGPU_MIR_SEED=n replays.
 */
import assert from 'node:assert/strict';
import { printFunctionDocument } from '../../server/src/model/printer/index.js';
import { moveToVector } from '../../server/src/passes/scalarize/vectorize.js';
import { random } from '../support/corpusCase.js';
import { LANES, runLanes } from '../support/laneInterpreter.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { lowerMir } from '../support/mir.js';
import { runsOr, seedOr, SHOW } from '../support/switches.js';

const COUNT = runsOr(40);
const SEED = seedOr(1);
const CPUS = ['gfx803', 'gfx900', 'gfx90a', 'gfx1030', 'gfx1100', 'gfx1200'];
const BINARY = [
  'ADD_I32',
  'SUB_I32',
  'MUL_I32',
  'AND_B32',
  'OR_B32',
  'XOR_B32',
  'LSHL_B32',
  'LSHR_B32',
  'ASHR_I32',
  'MIN_I32',
  'MAX_U32',
];
const SHIFTS = ['LSHL_B64', 'LSHR_B64', 'ASHR_I64'];
const COMPARES = ['EQ_U32', 'LG_U32', 'LT_I32', 'GT_U32'];

/** Scalar chains whose values vector instructions read, here and in a block that only some lanes enter. */
function functionText(cpu: string, rnd: () => number): string {
  const below = (n: number): number => Math.floor(rnd() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const isWide = /gfx[89]/.test(cpu);
  const mask = isWide ? 'sreg_64' : 'sreg_32';
  const gfx9 = cpu === 'gfx803' ? '' : '_gfx9';
  const m0 = cpu === 'gfx803' ? 'implicit $m0, ' : '';
  let n = 4;
  const blocks: string[][] = [[]];
  let [narrow, wide]: [string[], string[]] = [['%1', '%2'], ['%3']];
  const add = (text: string): void => void blocks.at(-1)!.push(text);
  const scalar = (text: string, rc = 'sreg_32'): string => {
    add(`%${n}:${rc} = ${text}`);
    return `%${n++}`;
  };
  const dead = 'implicit-def dead $scc';
  const operand = (): string => (below(5) === 0 ? pick(['0', '1', '7', '31', '-1', '64']) : pick(narrow));
  const step = (): void => {
    switch (below(9)) {
      case 0:
        wide.push(scalar(`S_${pick(SHIFTS)} ${pick(wide)}, ${operand()}, ${dead}`, 'sreg_64'));
        break;
      case 1:
        wide.push(scalar(`S_${pick(['AND', 'OR', 'XOR'])}_B64 ${pick(wide)}, ${pick(wide)}, ${dead}`, 'sreg_64'));
        break;
      case 2: {
        const [x, y] = [pick(wide), pick(wide)];
        const low = scalar(`S_ADD_U32 ${x}.sub0, ${y}.sub0, implicit-def $scc`);
        const high = scalar(`S_ADDC_U32 ${x}.sub1, ${y}.sub1, ${dead}, implicit killed $scc`);
        wide.push(scalar(`REG_SEQUENCE ${low}, %subreg.sub0, ${high}, %subreg.sub1`, 'sreg_64'));
        break;
      }
      case 3:
        add(`S_CMP_${pick(COMPARES)} ${pick(narrow)}, ${operand()}, implicit-def $scc`);
        narrow.push(scalar(`S_CSELECT_B32 ${pick(narrow)}, ${pick(narrow)}, implicit killed $scc`));
        break;
      case 4:
        narrow.push(scalar(`COPY ${pick(wide)}.sub${below(2)}`));
        break;
      case 5:
        narrow.push(scalar(`S_${pick(['NOT', 'BREV'])}_B32 ${pick(narrow)}${''}`));
        if (blocks.at(-1)!.at(-1)!.includes('S_NOT')) blocks.at(-1)![blocks.at(-1)!.length - 1] += `, ${dead}`;
        break;
      default: {
        const op = pick(BINARY);
        narrow.push(scalar(`S_${op} ${pick(narrow)}, ${operand()}${op === 'MUL_I32' ? '' : `, ${dead}`}`));
      }
    }
  };
  const write = (): void => {
    for (const v of narrow.slice(-4)) {
      const read = `%${n++}`;
      add(`${read}:vgpr_32 = V_XOR_B32_e64 ${v}, %0, implicit $exec`);
      add(`DS_WRITE_B32${gfx9} %0, ${read}, 0, 0, ${m0}implicit $exec`);
    }
    for (const v of wide.slice(-2)) {
      const read = `%${n++}`;
      add(`${read}:${cpu === 'gfx90a' ? 'vreg_64_align2' : 'vreg_64'} = COPY ${v}`);
      add(`DS_WRITE_B64${gfx9} %0, ${read}, 0, 0, ${m0}implicit $exec`);
    }
  };
  add('%0:vgpr_32 = COPY $vgpr0');
  add('%1:sreg_32 = COPY $sgpr8');
  add('%2:sreg_32 = COPY $sgpr9');
  add('%3:sreg_64 = COPY $sgpr10_sgpr11');
  for (let k = 3 + below(8); k > 0; k--) step();
  if (below(2) === 0) {
    const control = 'implicit-def dead $exec, implicit-def dead $scc, implicit $exec';
    const condition = scalar(`V_CMP_LT_U32_e64 %0, 64, implicit $exec`, mask);
    const saved = scalar(`SI_IF ${condition}, %bb.2, ${control}`, mask);
    const known = [[...narrow], [...wide]] as const;
    blocks.push([]);
    for (let k = 2 + below(4); k > 0; k--) step();
    write();
    blocks.push([`SI_END_CF ${saved}, ${control}`]);
    [narrow, wide] = [[...known[0]], [...known[1]]];
    for (let k = below(3); k > 0; k--) step();
  }
  write();
  add('S_ENDPGM 0');
  const heads = [
    ['liveins: $vgpr0, $sgpr8, $sgpr9, $sgpr10_sgpr11', ...(blocks.length > 1 ? ['successors: %bb.1, %bb.2'] : []), ''],
    ['successors: %bb.2', ''],
    [],
  ];
  const body = blocks.map((lines, b) => `  bb.${b}:\n${[...heads[b]!, ...lines].map((l) => `    ${l}\n`).join('')}`);
  return `---\nname: f\ntracksRegLiveness: true\nbody: |\n${body.join('\n')}...\n`;
}

const input = (name: string): number[] =>
  name === 'vgpr0'
    ? [3, 80, 157, 20]
    : new Array<number>(LANES).fill({ sgpr8: -123456, sgpr9: 9, sgpr10: 0x7654321, sgpr11: -5 }[name] ?? 0);

describe('moves to the VALU', () => {
  it(`${COUNT} of them: llc-22 takes them, lanes see the same`, function () {
    this.timeout(0);
    needsLlc(this);
    const rnd = random(SEED);
    let [moved, inRegions, carried] = [0, 0, 0];
    const byCpu = new Map<string, string[]>();
    for (let tries = 0; moved < COUNT && tries < COUNT * 20; tries++) {
      const cpu = CPUS[tries % CPUS.length]!;
      const text = functionText(cpu, rnd);
      const fn = lowerMir(text, { cpu })[0]!;
      const before = runLanes(fn, input);
      for (let v = 0; v < fn.vregs.n; v++) {
        if (rnd() < 0.7) continue;
        const made = moveToVector(fn, v);
        if (made === null) continue;
        const after = printFunctionDocument(made);
        assert.deepEqual(runLanes(made, input), before, `%${v}\n${text}\n${after}`);
        moved++;
        if (fn.blocks.length > 1) inRegions++;
        if (/V_ADDC_U32/.test(after)) carried++;
        const texts = byCpu.get(cpu) ?? [];
        texts.push(after.replace(/^name: +f$/m, `name: f${texts.length}`));
        byCpu.set(cpu, texts);
      }
    }
    for (const [cpu, texts] of byCpu) {
      const args = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-verify-machineinstrs'];
      const run = runLlc([...args, '-run-pass=none', '-o', '/dev/null'], texts.join(''));
      assert.equal(run.status, 0, `${cpu}: ${run.stderr.slice(0, 1500)}`);
    }
    if (SHOW) console.log(`${moved}, ${inRegions} in functions that switch lanes off, ${carried} with carries`);
    assert.ok(moved >= COUNT && inRegions > 0 && carried > 0);
  });
});
