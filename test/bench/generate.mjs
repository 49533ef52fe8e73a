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
