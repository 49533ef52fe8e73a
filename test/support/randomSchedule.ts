/**
 * Random functions for the scheduler on gfx90a, accepted by the machine verifier: arithmetic, tuples defined part by part, scalar
 * code with $scc, loads and stores with and without memory operands, matrix instructions, copies from and to physical registers,
 * bundles, inline assembly, and what ends a region. The same seed gives the same text.
 */

import { randomSource } from './random.js';

export interface RandomScheduleOptions {
  /** instructions per block, about */
  readonly size: number;
  readonly blocks: number;
}

export const RANDOM_ARGS: readonly string[] = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a'];

/** A function named f with a RUN line. */
export function randomSchedule(seed: number, { size, blocks }: RandomScheduleOptions): string {
  const below = randomSource(seed + 1);
  const lines = [
    `# RUN: llc ${RANDOM_ARGS.join(' ')} -run-pass=machine-scheduler %s`,
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'body: |',
  ];
  let next = 0;
  // registers by bank, defined on every path: blocks follow each other, loops only go back to themselves
  const v: string[] = [];
  const v64: string[] = [];
  const v128: string[] = [];
  const s: string[] = [];
  const recent = (list: string[]): string => list[Math.max(0, list.length - 1 - below(12))];
  const fresh = (list: string[], rc: string): string => {
    const reg = `%${next++}`;
    list.push(reg);
    return `${reg}:${rc}`;
  };
  /** Text with its defs made last: a use never names the register that the instruction itself defines. */
  const def = (list: string[], rc: string, text: string): number => emit(`${fresh(list, rc)} = ${text}`);
  const emit = (text: string): number => lines.push(`    ${text}`);
  const memory = (size: number, what: 'load' | 'store', space: number): string =>
    below(6) === 0 ? '' : ` :: (${what} (s${size}), addrspace ${space})`;
  const use = (): string => (below(5) === 0 && v128.length > 0 ? `${recent(v128)}.sub${below(4)}` : recent(v));
  const instr = (isRegionEnd: boolean): void => {
    switch (isRegionEnd ? 20 + below(4) : below(20)) {
      case 0:
      case 1: {
        const address = recent(v64);
        def(v, 'vgpr_32', `GLOBAL_LOAD_DWORD ${address}, ${below(64) * 4}, 0, implicit $exec${memory(32, 'load', 1)}`);
        return;
      }
      case 2:
        emit(
          `GLOBAL_STORE_DWORD ${recent(v64)}, ${use()}, ${below(64) * 4}, 0, implicit $exec${memory(32, 'store', 1)}`,
        );
        return;
      case 3:
        def(v, 'vgpr_32', `DS_READ_B32_gfx9 ${recent(v)}, ${below(16) * 4}, 0, implicit $exec${memory(32, 'load', 3)}`);
        return;
      case 4:
        emit(
          `DS_WRITE_B32_gfx9 ${recent(v)}, ${recent(v)}, ${below(16) * 4}, 0, implicit $exec${memory(32, 'store', 3)}`,
        );
        return;
      case 5: {
        const a = use();
        def(v, 'vgpr_32', `V_MUL_LO_U32_e64 ${a}, ${use()}, implicit $exec`);
        return;
      }
      case 6: {
        const [a, b] = [recent(s), recent(s)];
        def(s, 'sreg_32', `S_ADD_U32 ${a}, ${b}, implicit-def $scc`);
        const c = recent(s);
        def(s, 'sreg_32', `S_ADDC_U32 ${c}, 0, implicit-def dead $scc, implicit $scc`);
        return;
      }
      case 7: {
        const parts = [use(), use(), use(), use()];
        const reg = fresh(v128, 'vreg_128_align2');
        const name = reg.split(':')[0];
        const order = below(2) === 0 ? [0, 1, 2, 3] : [2, 0, 3, 1];
        order.forEach((p, k) =>
          emit(
            `${k === 0 ? 'undef ' : ''}${name}.sub${p}:vreg_128_align2 = V_XOR_B32_e32 ${below(100)}, ${parts[p].includes('.') ? v[0] : parts[p]}, implicit $exec`,
          ),
        );
        return;
      }
      case 8: {
        if (v128.length === 0) return;
        // another value of a part that others read
        const reg = recent(v128);
        const part = below(4);
        emit(`${reg}.sub${part}:vreg_128_align2 = V_ADD_U32_e32 ${reg}.sub${part}, ${recent(v)}, implicit $exec`);
        return;
      }
      case 9: {
        if (v128.length === 0) return;
        const [a, b, c] = [recent(v64), recent(v64), recent(v128)];
        def(
          v128,
          'vreg_128_align2',
          `V_MFMA_F32_4X4X4F16_vgprcd_e64 ${a}, ${b}, ${c}, 0, 0, 0, implicit $mode, implicit $exec`,
        );
        return;
      }
      case 10:
        emit(
          `INLINEASM &"; $0", 1, 327690, def %${next}, 327689, ${recent(v)}`
            .replace(/327690, def %(\d+)/, '1769482, def %$1:vgpr_32')
            .replace('327689', '1769481'),
        );
        v.push(`%${next++}`);
        return;
      case 11: {
        const a = recent(v);
        const x = next++;
        const y = next++;
        emit(`BUNDLE implicit-def %${x}:vgpr_32, implicit-def %${y}:vgpr_32, implicit ${a}, implicit $exec {`);
        emit(`  %${x}:vgpr_32 = DS_READ_B32_gfx9 ${a}, 0, 0, implicit $exec :: (load (s32), addrspace 3)`);
        emit(`  %${y}:vgpr_32 = DS_READ_B32_gfx9 ${a}, 4, 0, implicit $exec :: (load (s32), addrspace 3)`);
        emit('}');
        v.push(`%${x}`, `%${y}`);
        return;
      }
      case 12: {
        const a = recent(v);
        def(v, 'vgpr_32', `V_ADD_U32_e32 ${recent(s)}, ${a}, implicit $exec`);
        return;
      }
      case 13: {
        // a register that is written again
        const reg = recent(v);
        emit(`${reg}:vgpr_32 = V_ADD_U32_e32 ${use().replace(/^.*\..*$/, v[0])}, ${reg}, implicit $exec`);
        return;
      }
      case 20:
        emit('S_SETPRIO 1');
        return;
      case 21:
        emit('SCHED_BARRIER 0');
        return;
      case 22:
        emit('S_BARRIER');
        return;
      case 23:
        emit(`$m0 = COPY ${recent(s)}`);
        return;
      default: {
        const a = use();
        def(v, 'vgpr_32', `V_ADD_U32_e32 ${a}, ${recent(v)}, implicit $exec`);
      }
    }
  };
  for (let b = 0; b < blocks; b++) {
    const isLoop = 0 < b && b < blocks - 1 && below(2) === 0;
    lines.push(`  bb.${b}:`);
    if (b < blocks - 1) lines.push(`    successors: ${isLoop ? `%bb.${b}, ` : ''}%bb.${b + 1}`);
    if (b === 0) {
      lines.push('    liveins: $vgpr0, $vgpr1, $vgpr2_vgpr3, $vgpr4_vgpr5, $sgpr0, $sgpr1', '');
      def(v, 'vgpr_32', `COPY $vgpr0`);
      def(v, 'vgpr_32', `COPY $vgpr1`);
      def(v64, 'vreg_64_align2', `COPY $vgpr2_vgpr3`);
      def(v64, 'vreg_64_align2', `COPY $vgpr4_vgpr5`);
      def(s, 'sreg_32', `COPY $sgpr0`);
      def(s, 'sreg_32', `COPY $sgpr1`);
    }
    for (let k = 1 + below(2 * size); k > 0; k--) instr(below(24) === 0);
    if (isLoop) emit(`S_CBRANCH_SCC0 %bb.${b}, implicit undef $scc`);
    if (b === blocks - 1) {
      emit(`$vgpr0 = COPY ${recent(v)}`);
      emit('S_ENDPGM 0, implicit $vgpr0');
    }
    lines.push('');
  }
  lines.push('...', '');
  return lines.join('\n');
}

/** Many loads that live on into a second block, for gfx900: high pressure, later stages, reverts and rematerialization for some seeds. */
export function highPressure(seed: number): string {
  let state = Math.imul(seed, 2654435761) >>> 0;
  const below = (n: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % n;
  };
  const lines = [
    '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=machine-scheduler %s',
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'body: |',
    '  bb.0:',
    '    successors: %bb.1',
    '    liveins: $vgpr0_vgpr1',
    '',
    '    %0:vreg_64 = COPY $vgpr0_vgpr1',
  ];
  const nLoads = 10 + below(30);
  const nSums = 10 + below(40);
  let next = 1;
  for (let k = 0; k < nLoads; k++)
    lines.push(
      `    %${next++}:vgpr_32 = GLOBAL_LOAD_DWORD %0, ${k * 4}, 0, implicit $exec :: (load (s32), addrspace 1)`,
    );
  for (let k = 0; k < nSums; k++) {
    const opcode = k % 5 === 0 ? 'V_MUL_LO_U32_e64' : 'V_ADD_U32_e32';
    const a = 1 + below(next - 1);
    const b = 1 + below(next - 1);
    lines.push(`    %${next++}:vgpr_32 = ${opcode} %${a}, %${b}, implicit $exec`);
  }
  lines.push('', '  bb.1:');
  const nLater = 5 + below(30);
  const last = next - 1;
  let sum = Math.max(1, last - nLater + 1);
  for (let k = sum + 1; k <= last; k++) {
    lines.push(`    %${next}:vgpr_32 = V_XOR_B32_e32 %${sum}, %${k}, implicit $exec`);
    sum = next++;
    lines.push(`    GLOBAL_STORE_DWORD %0, %${sum}, ${k * 4}, 0, implicit $exec :: (store (s32), addrspace 1)`);
  }
  for (let k = 0; k < 8 && k * 3 < nLoads; k++)
    lines.push(
      `    GLOBAL_STORE_DWORD %0, %${1 + k * 3}, ${512 + k * 4}, 0, implicit $exec :: (store (s32), addrspace 1)`,
    );
  lines.push('    S_ENDPGM 0', '...', '');
  return lines.join('\n');
}
