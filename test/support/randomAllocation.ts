/**
 * Random functions for the register allocator: blocks with branches and loops, values of several widths that live across them, definitions and
 * reads of parts, copies from and to physical registers, constants that can be made anew, calls; with few registers, so that values are thrown
 * out, split and spilled.
 */
import { randomSource } from './random.js';

interface Bank {
  readonly class: string;
  readonly dwords: number;
}

const VECTORS: readonly Bank[] = [
  { class: 'vgpr_32', dwords: 1 },
  { class: 'vreg_64', dwords: 2 },
  { class: 'vreg_96', dwords: 3 },
  { class: 'vreg_128', dwords: 4 },
];
const SCALARS: readonly Bank[] = [
  { class: 'sreg_32_xm0_xexec', dwords: 1 },
  { class: 'sgpr_64', dwords: 2 },
  { class: 'sgpr_128', dwords: 4 },
];

interface Value {
  readonly name: string;
  readonly bank: Bank;
  readonly isScalar: boolean;
}

export interface AllocationCase {
  readonly args: readonly string[];
  readonly text: string;
}

/** Calling conventions by what they preserve. */
const CALL_MASKS = ['csr_amdgpu', 'csr_amdgpu', 'csr_amdgpu_si_gfx', 'csr_amdgpu_noregs'];

const PROCESSORS = ['gfx900', 'gfx906', 'gfx908', 'gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1200'];

/** `scale`: how many times as many values and instructions per block; `calls`: one in so many instructions is a call, 0 = none. */
export function randomAllocation(seed: number, scale = 1, calls = 0): AllocationCase {
  const below = randomSource(seed);
  const random = { int: below, pick: <T>(list: readonly T[]): T => list[below(list.length)] as T };
  const cpu = random.pick(PROCESSORS);
  const isAligned = cpu === 'gfx90a' || cpu === 'gfx942';
  const stress = random.int(4) === 0 ? 0 : 4 + random.int(9);
  const isKernel = random.int(3) > 0;
  const nBlocks = 1 + random.int(6);
  const classes = new Map<string, string>();
  const values: Value[] = [];
  const make = (): Value => {
    const isScalar = random.int(3) === 0;
    const bank = random.pick(isScalar ? SCALARS : VECTORS);
    const value = { name: `%${values.length}`, bank, isScalar };
    const suffix = !isScalar && bank.dwords > 1 && isAligned ? '_align2' : '';
    classes.set(value.name, `${bank.class}${suffix}`);
    values.push(value);
    return value;
  };
  for (let n = 4 + random.int(14 * scale); n > 0; n--) make();
  const partOf = (v: Value): string =>
    v.bank.dwords === 1 || random.int(3) > 0 ? '' : `.sub${random.int(v.bank.dwords)}`;
  const read = (): string => {
    const v = random.pick(values);
    return `${v.name}${partOf(v)}`;
  };

  const define = (v: Value): string => {
    if (v.bank.dwords === 1 && random.int(3) === 0) {
      return v.isScalar
        ? `${v.name} = S_MOV_B32 ${random.int(1000)}`
        : `${v.name} = V_MOV_B32_e32 ${random.int(60)}, implicit $exec`;
    }
    return `S_NOP 0, implicit-def ${v.name}`;
  };
  const instruction = (): string => {
    if (calls > 0 && random.int(calls) === 0)
      return `dead $sgpr30_sgpr31 = SI_CALL undef $sgpr4_sgpr5, 0, ${random.pick(CALL_MASKS)}`;
    const v = random.pick(values);
    switch (random.int(9)) {
      case 0:
        return `S_NOP 0, implicit ${read()}, implicit ${read()}, implicit ${read()}`;
      case 1:
        return define(v);
      case 2: {
        const part = partOf(v);
        return `S_NOP 0, implicit-def ${v.name}${part}, implicit ${read()}`;
      }
      case 3: {
        const same = values.filter((x) => x.bank === v.bank);
        return `${v.name} = COPY ${random.pick(same).name}`;
      }
      case 4: {
        const words = values.filter((x) => x.bank.dwords === 1 && !x.isScalar);
        if (words.length < 2) return `S_NOP 0, implicit ${read()}`;
        return `${random.pick(words).name} = V_ADD_U32_e32 ${random.pick(words).name}, ${random.pick(words).name}, implicit $exec`;
      }
      case 5: {
        const words = values.filter((x) => x.bank.dwords === 1 && x.isScalar);
        if (words.length < 2) return `S_NOP 0, implicit ${read()}`;
        return `${random.pick(words).name} = S_ADD_U32 ${random.pick(words).name}, ${random.pick(words).name}, implicit-def dead $scc`;
      }
      case 6: {
        const reg = `$${v.isScalar ? 'sgpr' : 'vgpr'}${4 + random.int(3)}`;
        return v.bank.dwords === 1
          ? `${reg} = COPY ${v.name}\n    S_NOP 0, implicit ${reg}`
          : `S_NOP 0, implicit ${v.name}`;
      }
      case 7: {
        const wide = values.filter((x) => x.bank.dwords > 1 && x.isScalar === v.isScalar);
        if (wide.length === 0) return `S_NOP 0, implicit ${read()}`;
        const w = random.pick(wide);
        const sub = `.sub${random.int(w.bank.dwords)}`;
        const word = values.find((x) => x.bank.dwords === 1 && x.isScalar === v.isScalar);
        if (word === undefined) return `S_NOP 0, implicit ${w.name}${sub}`;
        return random.int(2) === 0 ? `${w.name}${sub} = COPY ${word.name}` : `${word.name} = COPY ${w.name}${sub}`;
      }
      default:
        return `S_NOP 0, implicit ${read()}`;
    }
  };

  let body = '';
  for (let b = 0; b < nBlocks; b++) {
    body += `  bb.${b}:\n`;
    const next = b + 1 < nBlocks ? b + 1 : -1;
    const other = random.int(3) === 0 ? -1 : random.int(nBlocks - 1) + 1;
    const isBranch = next >= 0 && other >= 0 && other !== next && other < nBlocks;
    if (isBranch) {
      const p = 1 + random.int(127);
      const hex = (n: number): string => `0x${(n * 2 ** 24).toString(16).padStart(8, '0')}`;
      body += `    successors: %bb.${other}(${hex(p)}), %bb.${next}(${hex(128 - p)})\n`;
    } else if (next >= 0) body += `    successors: %bb.${next}\n`;
    if (b === 0) for (const v of values) body += `    ${define(v)}\n`;
    for (let n = 2 + random.int(9 * scale); n > 0; n--) body += `    ${instruction()}\n`;
    if (isBranch) body += `    S_CBRANCH_SCC1 %bb.${other}, implicit undef $scc\n    S_BRANCH %bb.${next}\n`;
    else if (next >= 0) body += `    S_BRANCH %bb.${next}\n`;
    else body += `    S_NOP 0, implicit ${read()}\n    ${isKernel ? 'S_ENDPGM 0' : 'SI_RETURN'}\n`;
  }
  const registers = [...classes].map(([name, rc]) => `  - { id: ${name.slice(1)}, class: ${rc} }\n`).join('');
  const info = isKernel ? 'isEntryFunction: true' : "frameOffsetReg: '$sgpr33'";
  const text = `---
name: f
tracksRegLiveness: true
registers:
${registers}machineFunctionInfo:
  ${info}
  stackPtrOffsetReg: '$sgpr32'
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
  sgprForEXECCopy: '$sgpr98_sgpr99'
body: |
${body}...
`;
  const args = [
    '-mtriple=amdgcn-amd-amdhsa',
    `-mcpu=${cpu}`,
    '-start-before=greedy,0',
    '-stop-after=virtregrewriter,2',
  ];
  if (stress > 0) args.push(`-stress-regalloc=${stress}`);
  return { args, text };
}
