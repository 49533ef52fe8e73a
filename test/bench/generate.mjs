// Inputs of the benchmarks, made the same on every run.

/**
 * A function with many live ranges of all lengths, over several blocks, deterministic. No use is further from its def than `reach`
 * instructions: without a bound the registers alive at a place grow with the function, and so does the report of each block.
 */
export function bigFunction(n, reach = Infinity) {
  const lines = [
    '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s',
    '---',
    'name:            big',
    'tracksRegLiveness: true',
    'body:             |',
  ];
  const perBlock = 250;
  let seed = 1;
  const random = (k) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % k;
  };
  let vreg = 0;
  for (let i = 0, block = 0; i < n; i++) {
    if (i % perBlock === 0) {
      if (block > 0) lines.push('');
      lines.push(`  bb.${block}:`);
      if (block === 0)
        lines.push('    liveins: $vgpr0, $vgpr1', '', '    %0:vgpr_32 = COPY $vgpr0', '    %1:vgpr_32 = COPY $vgpr1');
      if (block === 0) vreg = 2;
      block++;
    }
    // Mostly recent values, now and then an old one, so that some ranges are long.
    const pick = () =>
      random(12) === 0 ? vreg - 1 - random(Math.min(vreg, reach)) : Math.max(0, vreg - 1 - random(48));
    lines.push(`    %${vreg}:vgpr_32 = V_ADD_U32_e32 %${pick()}, %${pick()}, implicit $exec`);
    vreg++;
  }
  lines.push('    S_ENDPGM 0', '...', '');
  return lines.join('\n');
}

/**
 * A function in loops of two levels whose values are pairs of registers, written half by half and read in part: sub-ranges by lane, and
 * `pairs` of registers that live around the loops: with 124 of them not all have room. Deterministic.
 */
export function loopFunction(n, pairs = 8) {
  const lines = [
    '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s',
    '---',
    'name:            loops',
    'tracksRegLiveness: true',
    'body:             |',
    '  bb.0:',
    '    liveins: $vgpr0, $vgpr1, $sgpr0',
    '',
    '    %0:vgpr_32 = COPY $vgpr0',
    '    %1:vgpr_32 = COPY $vgpr1',
    '    %2:sreg_32 = COPY $sgpr0',
  ];
  let seed = 1;
  const random = (k) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % k;
  };
  // Pairs that live around all loops.
  for (let p = 0; p < pairs; p++)
    lines.push(`    undef %${3 + p}.sub0:vreg_64_align2 = COPY %0`, `    %${3 + p}.sub1:vreg_64_align2 = COPY %1`);
  let vreg = 3 + pairs;
  let block = 0;
  for (let i = 0; i < n;) {
    const outer = ++block;
    lines.push('', `  bb.${outer}:`);
    for (let inner = 0; inner < 3; inner++) {
      const here = ++block;
      lines.push('', `  bb.${here}:`);
      const values = [0, 1];
      for (let k = 0; k < 90; k++, i++) {
        const read = () => {
          if (random(3) === 0) return `%${3 + random(pairs)}.sub${random(2)}`;
          return `%${values[Math.max(0, values.length - 1 - random(12))]}`;
        };
        if (random(6) === 0)
          lines.push(
            `    %${3 + random(pairs)}.sub${random(2)}:vreg_64_align2 = V_ADD_U32_e32 ${read()}, ${read().replace(/[.].*/, '.sub0')}, implicit $exec`,
          );
        else {
          lines.push(`    %${vreg}:vgpr_32 = V_ADD_U32_e32 ${read()}, ${read()}, implicit $exec`);
          values.push(vreg++);
        }
      }
      lines.push('    S_CMP_EQ_U32 %2, 0, implicit-def $scc', `    S_CBRANCH_SCC1 %bb.${here}, implicit $scc`);
    }
    const latch = ++block;
    lines.push(
      '',
      `  bb.${latch}:`,
      '    S_CMP_EQ_U32 %2, 1, implicit-def $scc',
      `    S_CBRANCH_SCC1 %bb.${outer}, implicit $scc`,
    );
  }
  lines.push(
    '',
    `  bb.${block + 1}:`,
    // One by one: all at once they would have to lie in registers.
    ...Array.from({ length: pairs }, (_, p) => `    S_NOP 0, implicit %${3 + p}`),
    '    S_ENDPGM 0',
    '...',
    '',
  );
  // Successors: each block falls through, those with a branch go back, too.
  const withSuccessors = [];
  let at = -1;
  for (const [k, line] of lines.entries()) {
    withSuccessors.push(line);
    const label = /^ {2}bb[.](\d+):/.exec(line);
    if (!label) continue;
    at = Number(label[1]);
    const end = lines.findIndex((l, m) => m > k && /^ {2}bb[.]|^[.]{3}/.test(l));
    const back = lines
      .slice(k, end)
      .map((l) => /S_CBRANCH_SCC1 %bb[.](\d+)/.exec(l)?.[1])
      .find((b) => b !== undefined);
    if (at <= block) withSuccessors.push(`    successors: ${back === undefined ? '' : `%bb.${back}, `}%bb.${at + 1}`);
  }
  return withSuccessors.join('\n');
}

/**
 * A function as it stands after instruction selection, deterministic: loops one behind the other, each with a divergent branch in it, and loads, stores,
 * LDS, transcendental and scalar instructions in their blocks. `wave32`: masks of one register. `copies` functions of about n instructions each.
 */
export function selectedFunctions(n, copies, wave32) {
  const mask = wave32 ? 'sreg_32' : 'sreg_64';
  let seed = 5;
  const random = (k) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % k;
  };
  function body() {
    const lines = [];
    let vreg = 8;
    /** values of the present block, with those that all blocks may read */
    let values = [];
    const read = () => `%${values[Math.max(0, values.length - 1 - random(20))]}`;
    const define = (text) => {
      lines.push(`    %${vreg}:${text}`);
      values.push(vreg++);
    };
    const instrs = (count) => {
      for (let k = 0; k < count; k++) {
        const offset = random(60) * 4;
        const [a, b] = [read(), read()];
        const kind = random(20);
        if (kind === 0)
          define(`vgpr_32 = GLOBAL_LOAD_DWORD %2, ${offset}, 0, implicit $exec :: (load (s32), addrspace 1)`);
        else if (kind === 1)
          lines.push(`    GLOBAL_STORE_DWORD %2, ${a}, ${offset}, 0, implicit $exec :: (store (s32), addrspace 1)`);
        else if (kind === 2)
          define(`vgpr_32 = DS_READ_B32_gfx9 %1, ${offset}, 0, implicit $exec :: (load (s32), addrspace 3)`);
        else if (kind === 3)
          lines.push(`    DS_WRITE_B32_gfx9 %1, ${a}, ${offset}, 0, implicit $exec :: (store (s32), addrspace 3)`);
        else if (kind === 4) define(`vgpr_32 = V_RCP_F32_e64 0, ${a}, 0, 0, implicit $mode, implicit $exec`);
        else if (kind === 5) {
          lines.push(`    %${vreg}:sreg_32 = S_ADD_I32 %3, ${offset}, implicit-def dead $scc`);
          vreg++;
          define(`vgpr_32 = V_XOR_B32_e64 %${vreg - 1}, ${a}, implicit $exec`);
        } else if (kind === 6) {
          lines.push(`    %${vreg}:vgpr_32 = V_MOV_B32_e32 ${offset}, implicit $exec`);
          vreg++;
          define(`vgpr_32 = V_AND_B32_e64 ${a}, %${vreg - 1}, implicit $exec`);
        } else if (kind < 10) define(`vgpr_32 = V_MUL_LO_U32_e64 ${a}, ${b}, implicit $exec`);
        else if (kind < 13)
          define(`vgpr_32 = V_FMA_F32_e64 0, ${a}, 0, ${b}, 0, ${read()}, 0, 0, implicit $mode, implicit $exec`);
        else define(`vgpr_32 = V_ADD_U32_e64 ${a}, ${b}, 0, implicit $exec`);
      }
    };
    lines.push('  bb.0:', '    successors: %bb.1', '    liveins: $vgpr0, $sgpr4_sgpr5', '');
    lines.push('    %0:sgpr_64 = COPY $sgpr4_sgpr5', '    %1:vgpr_32 = COPY $vgpr0', '    %2:vreg_64_align2 = COPY %0');
    lines.push(
      '    %3:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %0, 0, 0 :: (load (s32), addrspace 4)',
      '    %4:sreg_32 = S_MOV_B32 0',
    );
    let carried = 1;
    const loops = Math.max(1, Math.round(n / 100));
    for (let loop = 0, block = 1; loop < loops; loop++, block += 3) {
      const before = block === 1 ? 0 : block - 1;
      const [phi, count, result, next] = [vreg, vreg + 1, vreg + 2, vreg + 3];
      vreg += 4;
      lines.push('', `  bb.${block}:`, `    successors: %bb.${block + 1}, %bb.${block + 2}`, '');
      lines.push(`    %${phi}:vgpr_32 = PHI %${carried}, %bb.${before}, %${result}, %bb.${block + 2}`);
      lines.push(`    %${count}:sreg_32 = PHI %4, %bb.${before}, %${next}, %bb.${block + 2}`);
      values = [1, phi];
      instrs(40);
      lines.push(`    %${vreg++}:${mask} = V_CMP_GT_U32_e64 ${read()}, ${read()}, implicit $exec`);
      lines.push(
        `    %${vreg++}:${mask} = SI_IF %${vreg - 2}, %bb.${block + 2}, implicit-def dead $exec, implicit-def dead $scc, implicit $exec`,
      );
      const [masked, outside] = [vreg - 1, values.at(-1)];
      lines.push('', `  bb.${block + 1}:`, `    successors: %bb.${block + 2}`, '');
      instrs(25);
      const inside = values.at(-1);
      lines.push('', `  bb.${block + 2}:`, `    successors: %bb.${block}, %bb.${block + 3}`, '');
      values = [1, phi, vreg];
      lines.push(`    %${vreg++}:vgpr_32 = PHI %${outside}, %bb.${block}, %${inside}, %bb.${block + 1}`);
      lines.push(`    SI_END_CF %${masked}, implicit-def dead $exec, implicit-def dead $scc, implicit $exec`);
      instrs(25);
      lines.push(`    %${result}:vgpr_32 = V_ADD_U32_e64 ${read()}, %${phi}, 0, implicit $exec`);
      lines.push(`    %${next}:sreg_32 = S_ADD_I32 %${count}, 1, implicit-def dead $scc`);
      lines.push(`    S_CMP_LG_U32 %${next}, %3, implicit-def $scc`);
      lines.push(`    S_CBRANCH_SCC1 %bb.${block}, implicit $scc`, `    S_BRANCH %bb.${block + 3}`);
      carried = result;
    }
    lines.push('', `  bb.${loops * 3 + 1}:`);
    lines.push(
      `    GLOBAL_STORE_DWORD %2, %${carried}, 0, 0, implicit $exec :: (store (s32), addrspace 1)`,
      '    S_ENDPGM 0',
    );
    return lines;
  }
  return Array.from({ length: copies }, (_, k) =>
    [
      '---',
      `name:            f${k}`,
      'tracksRegLiveness: true',
      'isSSA: true',
      'machineFunctionInfo:',
      '  isEntryFunction: true',
      'body:             |',
      ...body(),
      '...',
      '',
    ].join('\n'),
  ).join('');
}
