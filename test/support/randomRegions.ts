/**
 * Random functions for what parts of the scheduler look for and other generators seldom have: every form of address, exports of all targets
 * among stores and barriers, copies between registers that live in the region and around it, loops over registers written part by part,
 * groups of the exact pipeline solver, bundles in pipelines, LDS writes with several permutations; with the options that reach their
 * limits. Accepted by the machine verifier. The same seed gives the same text.
 */
import type { Question } from './answers.js';
import { Random } from './damageInputs.js';
import { SCHEDULER_OPTIONS } from './schedulerOptions.js';

const PROCESSORS = ['gfx900', 'gfx906', 'gfx90a', 'gfx942', 'gfx1030', 'gfx1100'];
const EXEC = 'implicit $exec';
const MODE = 'implicit $mode, implicit $exec';
const SCRATCH = 'implicit $exec, implicit $flat_scr';

const HEADER = [
  '%0:vgpr_32 = COPY $vgpr0',
  '%1:sreg_64_xexec_xnull = COPY $sgpr0_sgpr1',
  '%2:sgpr_128 = IMPLICIT_DEF',
  '%3:vreg_64_align2 = IMPLICIT_DEF',
  '%4:sgpr_256 = IMPLICIT_DEF',
  '%5:sreg_32_xm0_xexec = IMPLICIT_DEF',
  '%6:vreg_128_align2 = IMPLICIT_DEF',
  '%7:vgpr_32 = COPY $vgpr1',
  '%8:sreg_64_xexec_xnull = IMPLICIT_DEF',
  '%9:vreg_64_align2 = IMPLICIT_DEF',
];

/** Lines of a function with the registers that were defined, by width. */
class Writer {
  readonly lines: string[] = [];
  private next = 10;
  private readonly pools: Record<string, string[]> = {
    vgpr_32: ['%0', '%7'],
    vreg_64_align2: ['%3', '%9'],
    vreg_128_align2: ['%6'],
    sreg_32_xm0_xexec: ['%5'],
    sreg_64_xexec_xnull: ['%1', '%8'],
  };

  constructor(readonly random: Random) {}

  fresh(): string {
    return `%${this.next++}`;
  }

  emit(line: string): void {
    this.lines.push(line);
  }

  /** A new register of a class; what reads registers in `text` was drawn before. */
  def(rc: string, text: string): string {
    const reg = this.fresh();
    this.emit(`${reg}:${rc} = ${text}`);
    this.keep(rc, reg);
    return reg;
  }

  keep(rc: string, reg: string): void {
    (this.pools[rc] ??= []).push(reg);
  }

  one(rc: string): string {
    const list = this.pools[rc] ?? [];
    return list[Math.max(0, list.length - 1 - this.random.below(7))]!;
  }

  get v(): string {
    return this.one('vgpr_32');
  }

  get v64(): string {
    return this.one('vreg_64_align2');
  }

  /** Seldom none, or two. */
  memory(how: 'load' | 'store' | 'load store', bits: number, space: number, from = ''): string {
    const { random } = this;
    const where = space === 0 ? '' : `, addrspace ${space}`;
    const word = how === 'load' ? 'from' : how === 'store' ? 'into' : 'on';
    const flags = random.chance(3) ? 'volatile ' : '';
    const source =
      from === '' && random.chance(8)
        ? ` ${word} \`ptr${space === 0 ? '' : ` addrspace(${space})`} ${random.pick(['null', 'undef', 'null'])}\``
        : from;
    const one = `(${flags}${how} ${random.chance(5) ? 'unknown-size' : `(s${bits})`}${source}${where})`;
    if (random.chance(4)) return '';
    return ` :: ${one}${random.chance(5) ? `, ${one}` : ''}`;
  }

  /** One that calculates. */
  arithmetic(): void {
    const { random } = this;
    const [a, b] = [this.v, this.v];
    switch (random.below(7)) {
      case 0:
        this.def('vgpr_32', `V_MUL_LO_U32_e64 ${a}, ${b}, ${EXEC}`);
        break;
      case 1:
        this.def('vgpr_32', `nofpexcept V_EXP_F32_e32 ${a}, ${MODE}`);
        break;
      case 2:
        this.def('vgpr_32', `V_ADD_F32_e32 ${a}, ${b}, ${MODE}`);
        break;
      case 3: {
        const s = this.one('sreg_32_xm0_xexec');
        this.def('sreg_32_xm0_xexec', `S_ADD_I32 ${s}, ${random.below(99)}, implicit-def dead $scc`);
        break;
      }
      case 4: {
        const reg = this.fresh();
        this.emit(`undef ${reg}.sub0:vreg_64_align2 = V_XOR_B32_e32 ${a}, ${b}, ${EXEC}`);
        this.emit(`${reg}.sub1:vreg_64_align2 = COPY ${this.v}`);
        this.keep('vreg_64_align2', reg);
        break;
      }
      default:
        this.def('vgpr_32', `V_XOR_B32_e32 ${a}, ${b}, ${EXEC}`);
    }
  }

  /** A load, a store or both, with an address of any form. */
  access(): void {
    const { random } = this;
    const at = random.pick([0, 4, 4, 8, 12, 16, 16, 20, 64, 256]);
    const near = random.below(3) * 4;
    const [a, d, p, w] = [this.v, this.v, this.v64, this.one('vreg_128_align2')];
    const s = this.one('sreg_32_xm0_xexec');
    const base = this.one('sreg_64_xexec_xnull');
    const k = at / 4;
    switch (random.below(31)) {
      case 0:
      case 1:
        return void this.def('vgpr_32', `DS_READ_B32_gfx9 ${a}, ${at}, 0, ${EXEC}${this.memory('load', 32, 3)}`);
      case 2:
        return void this.def('vreg_64_align2', `DS_READ_B64_gfx9 ${a}, ${at}, 0, ${EXEC}${this.memory('load', 64, 3)}`);
      case 3:
        return void this.def(
          'vreg_64_align2',
          `DS_READ2_B32_gfx9 ${a}, ${k}, ${k + random.pick([1, 1, 2])}, 0, ${EXEC}${this.memory('load', 64, 3)}`,
        );
      case 4:
        return void this.def(
          'vreg_64_align2',
          `DS_READ2ST64_B32_gfx9 ${a}, ${k % 9}, ${(k % 9) + 1}, 0, ${EXEC}${this.memory('load', 64, 3)}`,
        );
      case 5:
      case 6:
        return this.emit(`DS_WRITE_B32_gfx9 ${a}, ${d}, ${at}, 0, ${EXEC}${this.memory('store', 32, 3)}`);
      case 7:
        return this.emit(
          `DS_WRITE2_B32_gfx9 ${a}, ${d}, ${this.v}, ${k}, ${k + 1}, 0, ${EXEC}${this.memory('store', 64, 3)}`,
        );
      case 8:
        return void this.def(
          'vgpr_32',
          `DS_ADD_RTN_U32_gfx9 ${a}, ${d}, ${at}, 0, ${EXEC}${this.memory('load store', 32, 3)}`,
        );
      case 9:
        return this.emit(`DS_ADD_U32_gfx9 ${a}, ${d}, ${at}, 0, ${EXEC}${this.memory('load store', 32, 3)}`);
      case 10:
      case 11:
        return void this.def(
          'vgpr_32',
          `GLOBAL_LOAD_DWORD_SADDR ${base}, ${a}, ${at}, 0, ${EXEC}${this.memory('load', 32, 1)}`,
        );
      case 12:
        return void this.def('vgpr_32', `GLOBAL_LOAD_DWORD ${p}, ${at}, 0, ${EXEC}${this.memory('load', 32, 1)}`);
      case 13:
        return void this.def(
          'vreg_128_align2',
          `GLOBAL_LOAD_DWORDX4 ${p}, ${at}, 0, ${EXEC}${this.memory('load', 128, 1)}`,
        );
      case 14:
        return this.emit(`GLOBAL_STORE_DWORD ${p}, ${d}, ${at}, 0, ${EXEC}${this.memory('store', 32, 1)}`);
      case 15:
        return this.emit(`GLOBAL_STORE_DWORDX4 ${p}, ${w}, ${at}, 0, ${EXEC}${this.memory('store', 128, 1)}`);
      case 16:
        return this.emit(
          `GLOBAL_STORE_DWORD_SADDR ${a}, ${d}, ${base}, ${near}, 0, ${EXEC}${this.memory('store', 32, 1)}`,
        );
      case 17:
        return void this.def(
          'vgpr_32',
          `BUFFER_LOAD_DWORD_OFFSET %2, ${random.pick([s, '0', '4'])}, ${at}, 0, 0, ${EXEC}${this.memory('load', 32, 8)}`,
        );
      case 18:
        return void this.def(
          'vgpr_32',
          `BUFFER_LOAD_DWORD_OFFEN ${a}, %2, ${random.pick([s, '0'])}, ${at}, 0, 0, ${EXEC}${this.memory('load', 32, 8)}`,
        );
      case 19:
        return void this.def(
          'vgpr_32',
          `BUFFER_LOAD_DWORD_BOTHEN ${p}, %2, 0, ${at}, 0, 0, ${EXEC}${this.memory('load', 32, 8)}`,
        );
      case 20:
        return this.emit(
          `BUFFER_STORE_DWORD_IDXEN ${d}, ${a}, %2, ${random.pick([s, '0', '8'])}, ${at}, 0, 0, ${EXEC}${this.memory('store', 32, 8)}`,
        );
      case 21: {
        const slot = `%stack.${random.below(2)}`;
        return void this.def(
          'vgpr_32',
          `BUFFER_LOAD_DWORD_OFFEN ${slot}, %2, 0, ${near}, 0, 0, ${EXEC}${this.memory('load', 32, 5, ` from ${slot}${near > 0 ? ` + ${near}` : ''}`)}`,
        );
      }
      case 22: {
        const slot = `%stack.${random.below(2)}`;
        return this.emit(
          `BUFFER_STORE_DWORD_OFFEN ${d}, ${slot}, %2, 0, ${near}, 0, 0, ${EXEC}${this.memory('store', 32, 5, ` into ${slot}`)}`,
        );
      }
      case 23:
        return void this.def('sreg_32_xm0_xexec', `S_LOAD_DWORD_IMM ${base}, ${at}, 0${this.memory('load', 32, 4)}`);
      case 24:
        return void this.def('sreg_32_xm0_xexec', `S_BUFFER_LOAD_DWORD_IMM %2, ${at}, 0${this.memory('load', 32, 0)}`);
      case 25:
        return void this.def(
          'sreg_32_xm0_xexec',
          `S_LOAD_DWORD_SGPR_IMM ${base}, ${s}, ${at}, 0${this.memory('load', 32, 4)}`,
        );
      case 26:
        return void this.def('vgpr_32', `SCRATCH_LOAD_DWORD ${a}, ${at}, 0, ${SCRATCH}${this.memory('load', 32, 5)}`);
      case 27: {
        const slot = random.pick([s, '%stack.0', '%stack.1']);
        const from = slot.startsWith('%stack') ? ` into ${slot}` : '';
        return this.emit(
          `SCRATCH_STORE_DWORD_SADDR ${d}, ${slot}, ${at}, 0, ${SCRATCH}${this.memory('store', 32, 5, from)}`,
        );
      }
      case 28:
        return void this.def('vgpr_32', `FLAT_LOAD_DWORD ${p}, ${at}, 0, ${SCRATCH}${this.memory('load', 32, 0)}`);
      case 29:
        return this.emit(`FLAT_STORE_DWORD ${p}, ${d}, ${at}, 0, ${SCRATCH}${this.memory('store', 32, 0)}`);
      default:
        return random.chance(50)
          ? void this.def(
              'vgpr_32',
              `IMAGE_LOAD_V1_V2 ${p}, %4, 1, 0, 0, 0, 0, 0, 0, 0, ${EXEC}${this.memory('load', 32, 8)}`,
            )
          : this.emit(
              `IMAGE_STORE_V1_V2 ${d}, ${p}, %4, 1, 0, 0, 0, 0, 0, 0, 0, ${EXEC}${this.memory('store', 32, 8)}`,
            );
    }
  }

  /** Two loads and what reads them, as one. */
  bundle(): void {
    const [a, x, y] = [this.v, this.fresh(), this.fresh()];
    const isDS = this.random.chance(70);
    this.emit(`BUNDLE implicit-def ${x}:vgpr_32, implicit-def ${y}:vgpr_32, implicit ${a}, ${EXEC} {`);
    this.emit(`  ${x}:vgpr_32 = DS_READ_B32_gfx9 ${a}, 0, 0, ${EXEC} :: (load (s32), addrspace 3)`);
    this.emit(
      isDS
        ? `  ${y}:vgpr_32 = DS_READ_B32_gfx9 ${a}, 4, 0, ${EXEC} :: (load (s32), addrspace 3)`
        : `  ${y}:vgpr_32 = V_XOR_B32_e32 internal ${x}, ${a}, ${EXEC}`,
    );
    this.emit('}');
    this.keep('vgpr_32', x);
    this.keep('vgpr_32', y);
  }

  export(): void {
    const { random } = this;
    const [a, b, c, d] = [this.v, this.v, this.v, this.v];
    const target = random.pick([0, 0, 1, 8, 9, 11, 12, 12, 13, 15, 16, 19, 20, 21, 32, 33]);
    const done = random.chance(15) ? '_DONE' : '';
    this.emit(`EXP${done} ${target}, ${a}, ${b}, ${c}, ${d}, 0, 0, ${random.pick([15, 1, 3])}, ${EXEC}`);
  }
}

/** Words of llc that make it take ways it seldom takes; of some options several values. */
function options(random: Random, extra: readonly (readonly string[])[] = []): string[] {
  const of = [...SCHEDULER_OPTIONS, ...extra, ...extra];
  const chosen = new Map<string, string>();
  if (extra.length > 0 && random.chance(60)) {
    const word = random.pick(extra[0]!);
    chosen.set(word.split('=')[0]!, word);
  }
  for (let n = random.pick([0, 1, 1, 2, 2, 3]); n > 0; n--) {
    const word = random.pick(random.pick(of));
    chosen.set(word.split('=')[0]!, word);
  }
  return [...chosen.values()];
}

const CLUSTERING = [['-force-fast-cluster', '-fast-cluster-threshold=0'], ['-dag-maps-huge-region=4']];
const GENERIC = [['-misched=converge'], ['-misched-prera-direction=topdown', '-misched-prera-direction=bottomup']];
const ORDERS = [
  [
    '-amdgpu-sched-strategy=iterative-ilp',
    '-amdgpu-sched-strategy=iterative-minreg',
    '-amdgpu-sched-strategy=iterative-maxocc',
    '-amdgpu-sched-strategy=max-ilp',
    '-amdgpu-sched-strategy=max-memory-clause',
    '-misched=ilpmax',
    '-misched=ilpmin',
  ],
];
const PIPELINES = [
  ['-amdgpu-igrouplp-exact-solver-cutoff=8', '-amdgpu-igrouplp-exact-solver-cutoff=20'],
  ['-amdgpu-igrouplp-exact-solver-cost-heur=0'],
];

function memory(w: Writer): string[][] {
  const { random } = w;
  const accesses = 40 + random.below(60);
  for (let k = 4 + random.below(24); k > 0; k--) {
    if (random.chance(accesses)) w.access();
    else if (random.chance(8)) w.bundle();
    else if (random.chance(4)) w.emit('S_BARRIER');
    else w.arithmetic();
  }
  return [...CLUSTERING, ...ORDERS];
}

/** Accesses at few places after one address, so that each has neighbours, and order matters. */
function crowd(w: Writer): string[][] {
  const { random } = w;
  const size = random.pick([6, 10, 16, 30]);
  for (let k = 3 + random.below(size); k > 0; k--) {
    const at = 4 * random.below(random.pick([3, 6, 12]));
    const base = random.chance(85) ? '%0' : '%7';
    const object = random.chance(25) ? ' `ptr addrspace(3) null`' : '';
    const isGlobal = random.chance(15);
    switch (random.below(isGlobal ? 2 : 5)) {
      case 0:
        if (isGlobal)
          w.def('vgpr_32', `GLOBAL_LOAD_DWORD_SADDR %1, ${base}, ${at}, 0, ${EXEC} :: (load (s32), addrspace 1)`);
        else
          w.def(
            'vgpr_32',
            `DS_READ_B32_gfx9 ${base}, ${at}, 0, ${EXEC} :: (load (s32)${object && ` from${object}`}, addrspace 3)`,
          );
        break;
      case 1:
        if (isGlobal)
          w.emit(`GLOBAL_STORE_DWORD_SADDR ${base}, ${w.v}, %1, ${at}, 0, ${EXEC} :: (store (s32), addrspace 1)`);
        else
          w.emit(
            `DS_WRITE_B32_gfx9 ${base}, ${w.v}, ${at}, 0, ${EXEC} :: (store (s32)${object && ` into${object}`}, addrspace 3)`,
          );
        break;
      case 2:
        w.def('vgpr_32', `DS_ADD_RTN_U32_gfx9 ${base}, ${w.v}, ${at}, 0, ${EXEC} :: (load store (s32), addrspace 3)`);
        break;
      case 3:
        w.def('vreg_64_align2', `DS_READ_B64_gfx9 ${base}, ${at}, 0, ${EXEC} :: (load (s64), addrspace 3)`);
        break;
      default:
        w.arithmetic();
    }
  }
  return [['-force-fast-cluster', '-fast-cluster-threshold=0', '-dag-maps-huge-region=4'], ...ORDERS];
}

/** Sums of several words: carries that go on, or are read twice, in registers of both kinds. */
function carries(w: Writer): string[][] {
  const { random } = w;
  const CARRY = 'sreg_64_xexec';
  const [x, y] = ['%0', '%7'];
  const known: string[] = [];
  for (let k = 5 + random.below(14); k > 0; k--) {
    const [a, b] = [random.chance(50) ? w.v : x, random.chance(50) ? w.v : y];
    const from =
      known.length > 0 && random.chance(75) ? known[known.length - 1 - random.below(Math.min(3, known.length))]! : '';
    if (random.chance(25)) w.arithmetic();
    else if (random.chance(12)) w.access();
    else {
      const [sum, carry] = [w.fresh(), w.fresh()];
      if (from === '') w.emit(`${sum}:vgpr_32, ${carry}:${CARRY} = V_ADD_CO_U32_e64 ${a}, ${b}, 0, ${EXEC}`);
      else if (random.chance(20)) w.emit(`${sum}:vgpr_32 = V_CNDMASK_B32_e64 0, ${a}, 0, ${b}, ${from}, ${EXEC}`);
      else
        w.emit(
          `${sum}:vgpr_32, ${carry}:${CARRY} = ${random.pick(['V_ADDC_U32_e64', 'V_SUBB_U32_e64'])} ${a}, ${b}, ${from}, 0, ${EXEC}`,
        );
      if (!w.lines[w.lines.length - 1]!.includes('CNDMASK')) known.push(carry);
      w.keep('vgpr_32', sum);
    }
  }
  for (const carry of known.slice(-2)) if (random.chance(40)) w.emit(`S_NOP 0, implicit ${carry}`);
  return ORDERS;
}

/** Calculations whose values are read by one or by many. */
function trees(w: Writer): string[][] {
  const { random } = w;
  for (let k = 10 + random.below(50); k > 0; k--) {
    if (random.chance(12)) w.access();
    else if (random.chance(10)) w.def('vgpr_32', `COPY ${w.v}`);
    else if (random.chance(4)) w.bundle();
    else w.arithmetic();
  }
  return ORDERS;
}

function shaders(w: Writer): string[][] {
  const { random } = w;
  for (let k = 4 + random.below(20); k > 0; k--) {
    if (random.chance(45)) w.export();
    else if (random.chance(15)) w.emit(random.pick(['S_NOP 0', 'S_SLEEP 1', 'S_BARRIER']));
    else if (random.chance(30)) w.access();
    else w.arithmetic();
  }
  return ORDERS;
}

/** Registers that are written again and copied: some live in one block only, some around the loop. */
function copies(w: Writer): string[][] {
  const { random } = w;
  const loop = [0, 1, 2].map(() => w.def('vgpr_32', 'V_MOV_B32_e32 0, implicit $exec'));
  const wide = w.def('vreg_128_align2', 'IMPLICIT_DEF');
  const nBlocks = 1 + random.below(3);
  for (let b = 1; b <= nBlocks; b++) {
    const isLoop = random.chance(70);
    w.lines.push('', `  bb.${b}:`, `    successors: ${isLoop ? `%bb.${b}, ` : ''}%bb.${b + 1}`, '');
    for (let k = 3 + random.below(14); k > 0; k--) {
      const [x, y] = [random.pick(loop), random.pick(loop)];
      const [i, j] = [random.below(4), random.below(4)];
      switch (random.below(10)) {
        case 0:
          w.emit(`${x}:vgpr_32 = COPY ${w.v}`);
          break;
        case 1: {
          const t = w.def('vgpr_32', `V_XOR_B32_e32 ${x}, ${y}, ${EXEC}`);
          if (random.chance(60)) w.arithmetic();
          w.emit(`${random.pick(loop)}:vgpr_32 = COPY ${t}`);
          break;
        }
        case 2:
          w.def('vgpr_32', `COPY ${x}`);
          break;
        case 3:
          w.emit(`${x}:vgpr_32 = V_MUL_LO_U32_e64 ${x}, ${y}, ${EXEC}`);
          break;
        case 4:
          w.emit(`${wide}.sub${i}:vreg_128_align2 = V_XOR_B32_e32 ${wide}.sub${j}, ${x}, ${EXEC}`);
          break;
        case 5:
          w.emit(`${wide}.sub${i}:vreg_128_align2 = COPY ${x}`);
          break;
        case 6:
          w.emit(`${x}:vgpr_32 = nofpexcept V_EXP_F32_e32 ${wide}.sub${j}, ${MODE}`);
          break;
        case 7:
          w.access();
          break;
        default:
          w.arithmetic();
      }
    }
    if (isLoop) w.emit(`S_CBRANCH_SCC0 %bb.${b}, implicit undef $scc`);
  }
  w.lines.push('', `  bb.${nBlocks + 1}:`);
  for (const reg of loop) if (random.chance(60)) w.emit(`S_NOP 0, implicit ${reg}`);
  if (random.chance(60)) w.emit(`S_NOP 0, implicit ${wide}`);
  return [...GENERIC, ...ORDERS];
}

/** Pipelines over few instructions, so that the exact solver comes to an end and meets its bounds. */
function pipelines(w: Writer): string[][] {
  const { random } = w;
  for (let k = 4 + random.below(10); k > 0; k--) {
    if (random.chance(50)) w.access();
    else if (random.chance(12)) w.bundle();
    else w.arithmetic();
  }
  const nIds = 1 + random.below(3);
  for (let k = 1 + random.below(5); k > 0; k--) {
    const mask = random.pick([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2047]);
    w.emit(`SCHED_GROUP_BARRIER ${mask}, ${random.pick([0, 1, 1, 2, 3])}, ${random.below(nIds)}`);
  }
  const limit = `-amdgpu-igrouplp-exact-solver-max-branches=${random.pick([1, 2, 3, 5, 10, 50, 200])}`;
  return random.chance(60) ? [['-amdgpu-igrouplp-exact-solver'], ...PIPELINES, [limit]] : PIPELINES;
}

/** Small products whose LDS writes take tuples that several permutations make. */
function products(w: Writer): string[][] {
  const { random } = w;
  const loads = [0, 1, 2, 3].map(() =>
    w.def(
      'vgpr_32',
      `GLOBAL_LOAD_DWORD_SADDR %1, ${w.v}, ${4 * random.below(9)}, 0, ${EXEC} :: (load (s32), addrspace 1)`,
    ),
  );
  for (let k = 2 + random.below(5); k > 0; k--) {
    const tuple = w.fresh();
    const parts = [0, 1].map((h) => {
      const [a, b] = [random.pick(loads), random.pick(loads)];
      const isPermuted = random.chance(80);
      const text = isPermuted ? `V_PERM_B32_e64 ${a}, ${b}, %5, ${EXEC}` : `V_XOR_B32_e32 ${a}, ${b}, ${EXEC}`;
      return `${h === 0 ? 'undef ' : ''}${tuple}.sub${h}:vreg_64_align2 = ${text}`;
    });
    parts.forEach((p) => w.emit(p));
    // what a permutation leads to
    for (let n = random.below(4); n > 0; n--)
      loads.push(
        w.def(
          'vgpr_32',
          `GLOBAL_LOAD_DWORD_SADDR %1, ${tuple}.sub${random.below(2)}, ${4 * n}, 0, ${EXEC} :: (load (s32), addrspace 1)`,
        ),
      );
    w.emit(`DS_WRITE_B64_gfx9 %0, ${tuple}, ${8 * k}, 0, ${EXEC} :: (store (s64), addrspace 3)`);
  }
  let sum = '%6';
  for (let k = 1 + random.below(7); k > 0; k--) {
    const a = w.def('vreg_64_align2', `DS_READ_B64_gfx9 %0, ${512 + 8 * k}, 0, ${EXEC} :: (load (s64), addrspace 3)`);
    sum = w.def(
      'vreg_128_align2',
      `V_MFMA_F32_4X4X4F16_vgprcd_e64 ${a}, %3, ${random.chance(70) ? sum : '%6'}, 0, 0, 0, ${MODE}`,
    );
  }
  w.emit(`IGLP_OPT ${random.pick([1, 1, 1, 0, 3])}`);
  return PIPELINES;
}

const KINDS = [memory, memory, crowd, crowd, carries, trees, shaders, copies, copies, pipelines, pipelines, products];

export function randomRegions(seed: number): Question {
  const random = new Random(seed * 31 + 5);
  const w = new Writer(random);
  const kind = random.pick(KINDS);
  const extra = kind(w);
  const wave32 = ['gfx1030', 'gfx1100'];
  const cpu =
    kind === products
      ? random.pick(['gfx90a', 'gfx942'])
      : random.pick(kind === carries ? PROCESSORS.filter((p) => !wave32.includes(p)) : PROCESSORS);
  // LDS of images and stores to scalar memory apart, all processors have all of it
  const live = ['vgpr_32', 'vreg_64_align2', 'sreg_32_xm0_xexec'].map((rc) => `implicit ${w.one(rc)}`).join(', ');
  const body = [...HEADER, ...w.lines, `S_ENDPGM 0, ${live}`].map((l) =>
    l === '' || l.startsWith('  ') ? l : `    ${l}`,
  );
  const input = [
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'stack:',
    '  - { id: 0, size: 64, alignment: 16 }',
    '  - { id: 1, type: spill-slot, size: 4, alignment: 4 }',
    'body: |',
    '  bb.0:',
    '    liveins: $vgpr0, $vgpr1, $sgpr0_sgpr1',
    '',
    ...body,
    '...',
    '',
  ].join('\n');
  const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-run-pass=machine-scheduler', ...options(random, extra)];
  return { args, input };
}
