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
