/** Kill flags of physical registers after scheduling: which of the input's flags llc-22 keeps, text for text. */
import assert from 'node:assert/strict';
import { Random } from '../../../support/damageInputs.js';
import { needsLlc } from '../../../support/llc.js';
import { scheduleWithLlc, scheduleWithOurs } from '../../../support/schedule.js';

const HEADER = `tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
  occupancy: 20
body: |
  bb.0:
    liveins: $sgpr4_sgpr5, $sgpr6_sgpr7, $sgpr8_sgpr9, $sgpr10_sgpr11, $vgpr0
`;

/** Carries through $scc and $vcc with kill flags, between loads that read the same registers; everything is used at the end. */
function functionWithKills(random: Random, name: string): string {
  const lines: string[] = [];
  const used: string[] = [];
  const bases = ['%a', '%b', '%c'];
  lines.push('%t:vgpr_32 = COPY $vgpr0');
  bases.forEach((b, k) => lines.push(`${b}:sgpr_64 = COPY $sgpr${4 + 2 * k}_sgpr${5 + 2 * k}`));
  const count = 4 + random.below(12);
  for (let n = 0; n < count; n++) {
    const base = random.pick(bases);
    const load = '(dereferenceable invariant load (s32), addrspace 4)';
    switch (random.below(6)) {
      case 0:
      case 1:
        lines.push(`%w${n}:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM ${base}, ${4 * n}, 0 :: ${load}`);
        used.push(`%w${n}`);
        break;
      case 2:
        lines.push(
          `undef %p${n}.sub0:sreg_64 = S_ADD_U32 ${base}.sub0, ${n}, implicit-def $scc`,
          `%p${n}.sub1:sreg_64 = S_ADDC_U32 ${base}.sub1, 0, implicit-def dead $scc, implicit killed $scc`,
        );
        used.push(`%p${n}`);
        break;
      case 3:
        // both halves in operands of their own
        lines.push(`%h${n}:sreg_32 = S_PACK_LL_B32_B16 ${base}.sub0, ${base}.sub1`);
        used.push(`%h${n}`);
        break;
      case 4:
        lines.push(
          `S_CMP_EQ_U32 ${base}.sub${random.below(2)}, ${n}, implicit-def $scc`,
          `%s${n}:sreg_32 = S_CSELECT_B32 ${random.pick(bases)}.sub0, ${random.pick(bases)}.sub1, implicit killed $scc`,
        );
        used.push(`%s${n}`);
        break;
      default:
        lines.push(
          `V_CMP_EQ_U32_e32 ${base}.sub0, %t, implicit-def $vcc, implicit $exec`,
          `%v${n}:vgpr_32 = V_CNDMASK_B32_e32 ${n}, %t, implicit killed $vcc, implicit $exec`,
        );
        used.push(`%v${n}`);
    }
  }
  lines.push(`S_NOP 0, ${used.map((u) => `implicit ${u}`).join(', ')}`, 'S_ENDPGM 0');
  return `---\nname: ${name}\n${HEADER}\n${lines.map((l) => `    ${l}\n`).join('')}...\n`;
}

/**
 * Copies to $vcc and $m0, which follow their readers down once those are picked, between other readers of the same registers with
 * kill flags.
 */
function functionWithCopies(random: Random, name: string): string {
  const lines = ['%t:vgpr_32 = COPY $vgpr0'];
  const pairs = ['%a', '%b', '%c'];
  pairs.forEach((b, k) => lines.push(`${b}:sgpr_64 = COPY $sgpr${4 + 2 * k}_sgpr${5 + 2 * k}`));
  const values = ['%t'];
  const count = 5 + random.below(8);
  const killed = (reg: string): string => (random.chance(80) ? `killed ${reg}` : reg);
  for (let n = 0; n < count; n++) {
    const pair = random.pick(pairs);
    switch (random.below(5)) {
      case 0:
        lines.push(
          `$vcc = COPY ${pair}`,
          `%v${n}:vgpr_32 = V_CNDMASK_B32_e32 ${n}, ${random.pick(values)}, implicit ${killed('$vcc')}, implicit $exec`,
        );
        values.push(`%v${n}`);
        break;
      case 1:
        lines.push(
          `$m0 = COPY ${pair}.sub${random.below(2)}`,
          `%l${n}:vgpr_32 = DS_READ_B32 ${random.pick(values)}, 0, 0, implicit $m0, implicit $exec :: (load (s32), addrspace 3)`,
        );
        values.push(`%l${n}`);
        break;
      case 2:
        lines.push(`%x${n}:sreg_64 = S_AND_B64 ${pair}, ${random.pick(pairs)}, implicit-def dead $scc`);
        pairs.push(`%x${n}`);
        break;
      default:
        lines.push(
          `S_CMP_EQ_U32 ${pair}.sub0, ${n}, implicit-def $scc`,
          `%s${n}:sreg_32 = S_CSELECT_B32 ${pair}.sub0, ${random.pick(pairs)}.sub1, implicit ${killed('$scc')}`,
        );
    }
  }
  lines.push(`S_NOP 0${values.map((v) => `, implicit ${v}`).join('')}`, 'S_ENDPGM 0');
  return `---\nname: ${name}\n${HEADER}\n${lines.map((l) => `    ${l}\n`).join('')}...\n`;
}

/**
 * Regions that a copy to $exec ends. LLVM takes it for one of their nodes: if all that it waits for is one definition of a physical register, it follows
 * that upward, and what was picked later stands after it.
 */
function functionWithBoundaryCopies(random: Random, name: string): string {
  const lines = ['%t:vgpr_32 = COPY $vgpr0', '%a:sgpr_64 = COPY $sgpr4_sgpr5', '%s0:sreg_32 = COPY $sgpr6'];
  const scalars = ['%s0'];
  const count = 3 + random.below(4);
  for (let n = 1; n <= count; n++) {
    const pair = random.pick(['$sgpr12_sgpr13', '$sgpr14_sgpr15']);
    const def = random.pick([
      `${pair} = S_MOV_B64 ${n}`,
      `${pair} = COPY %a`,
      `${pair} = S_AND_B64 $exec, %a, implicit-def dead $scc`,
    ]);
    const region = [def];
    for (let k = random.below(5); k > 0; k--) {
      region.push(
        `%s${scalars.length}:sreg_32 = S_ADD_I32 ${random.pick(scalars)}, ${random.pick(scalars)}, implicit-def dead $scc`,
      );
      scalars.push(`%s${scalars.length}`);
    }
    if (random.chance(30))
      region.splice(random.below(region.length), 0, `V_CMP_EQ_U32_e32 ${n}, %t, implicit-def $vcc, implicit $exec`);
    if (random.chance(30)) region.push(region.shift()!);
    const flag = random.chance(70) ? 'killed ' : '';
    lines.push(...region, `$exec = ${random.pick(['COPY', 'S_MOV_B64'])} ${flag}${pair}`);
  }
  lines.push(`S_NOP 0${scalars.map((v) => `, implicit ${v}`).join('')}`, 'S_ENDPGM 0');
  return `---\nname: ${name}\n${HEADER}\n${lines.map((l) => `    ${l}\n`).join('')}...\n`;
}

/**
 * Physical registers only, as after allocation: LLVM computes the ranges of their units one by one, when an instruction that touches them moves
 * first, and by then the instruction stands where it goes.
 */
function functionBehindAllocation(random: Random, name: string): string {
  const lines: string[] = [];
  const live = ['$vgpr0'];
  const bases = ['$sgpr4_sgpr5', '$sgpr6_sgpr7', '$sgpr8_sgpr9', '$sgpr10_sgpr11'];
  const killed = (from: string[], percent: number): string => {
    const reg = random.pick(from);
    if (from.length < 2 || !random.chance(percent)) return reg;
    from.splice(from.indexOf(reg), 1);
    return `killed ${reg}`;
  };
  const count = 5 + random.below(14);
  for (let n = 0; n < count; n++) {
    const def = `$vgpr${random.below(7)}`;
    switch (random.below(5)) {
      case 0:
        lines.push(
          `GLOBAL_STORE_DWORD_SADDR ${random.pick(live)}, ${killed(live, 40)}, ${killed(bases, 30)}, ${4 * n}, 0, implicit $exec`,
        );
        continue;
      case 1:
        lines.push(
          `${def} = GLOBAL_LOAD_DWORD_SADDR ${killed(bases, 20)}, ${killed(live, 30)}, ${4 * n}, 0, implicit $exec`,
        );
        break;
      case 2:
        lines.push(`${def} = V_MOV_B32_e32 ${n}, implicit $exec`);
        break;
      case 3: {
        const [a, b] = [random.pick(live), killed(live, 40)];
        lines.push(`${def} = V_MUL_LO_U32_e64 ${a}, ${b}, implicit $exec`);
        break;
      }
      default:
        lines.push(`S_NOP 0, implicit ${killed(live, 40)}, implicit ${killed(bases, 20)}`);
        continue;
    }
    if (!live.includes(def)) live.push(def);
  }
  lines.push('S_ENDPGM 0');
  return `---\nname: ${name}\n${HEADER}\n${lines.map((l) => `    ${l}\n`).join('')}...\n`;
}

/** The copy to $vcc was placed before S_CSELECT, the last of its readers; after it the register ends at the copy. */
const COPY_MOVED_DOWN = `---
name: copy
${HEADER}
    %t:vgpr_32 = COPY $vgpr0
    %c:sgpr_64 = COPY $sgpr8_sgpr9
    %x:sreg_64 = S_AND_B64 %c, %c, implicit-def dead $scc
    %w:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %x, 4, 0 :: (dereferenceable invariant load (s32), addrspace 4)
    S_CMP_EQ_U32 %c.sub0, 2, implicit-def $scc
    %r:sreg_32 = S_CSELECT_B32 %c.sub0, %c.sub1, implicit killed $scc
    S_CMP_EQ_U32 %x.sub0, 3, implicit-def $scc
    %s:sreg_32 = S_CSELECT_B32 %x.sub0, %x.sub1, implicit killed $scc
    $vcc = COPY %x
    %v:vgpr_32 = V_CNDMASK_B32_e32 5, %t, implicit $vcc, implicit $exec
    S_NOP 0, implicit %w, implicit %t, implicit %v
    S_ENDPGM 0
...
`;

/** What is not placed by picks loses `undef` at its definitions, and virtual registers alone get it back. */
const UNDEF_PHYSICAL = `---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr2
    %0:vgpr_32 = COPY $vgpr2
    undef renamable $vgpr0 = KILL renamable $vgpr0, implicit-def $vgpr0_vgpr1, implicit $exec
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    %2:vgpr_32 = V_MUL_LO_U32_e64 %1, %0, implicit $exec
    undef %3.sub1:vreg_64 = V_ADD_U32_e32 %1, %2, implicit $exec
    S_NOP 0, implicit $vgpr0_vgpr1, implicit %2, implicit %3.sub1
    S_ENDPGM 0
...
`;

describe('kill flags after scheduling', () => {
  for (const cpu of ['gfx908', 'gfx90a', 'gfx942'])
    for (const direction of ['bottomup', 'topdown', 'bidirectional'])
      it(`are those of llc-22: ${cpu}, ${direction}`, function () {
        needsLlc(this);
        const random = new Random(6);
        const text = Array.from({ length: 120 }, (_, k) => functionWithKills(random, `f${k}`)).join('');
        const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, `-misched-prera-direction=${direction}`];
        const llc = scheduleWithLlc(text, args);
        assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
        assert.ok(llc.stdout.includes('implicit killed $scc') && llc.stdout.includes(', implicit $scc'), 'both kinds');
        assert.equal(scheduleWithOurs(text, args).stdout, llc.stdout);
      });

  it('are dropped where a copy to a physical register follows its reader down past them', function () {
    needsLlc(this);
    const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx908', '-misched-prera-direction=topdown'];
    const llc = scheduleWithLlc(COPY_MOVED_DOWN, args);
    assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
    assert.match(llc.stdout, /%s:sreg_32 = S_CSELECT_B32 %x\.sub0, %x\.sub1, implicit \$scc/);
    assert.equal(scheduleWithOurs(COPY_MOVED_DOWN, args).stdout, llc.stdout);
  });

  for (const direction of ['topdown', 'bidirectional'])
    it(`are those of llc-22 with copies to physical registers: ${direction}`, function () {
      needsLlc(this);
      const random = new Random(7);
      const text = Array.from({ length: 300 }, (_, k) => functionWithCopies(random, `f${k}`)).join('');
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx908', `-misched-prera-direction=${direction}`];
      const llc = scheduleWithLlc(text, args);
      assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
      assert.equal(scheduleWithOurs(text, args).stdout, llc.stdout);
    });

  for (const direction of ['bottomup', 'topdown', 'bidirectional'])
    it(`are those of llc-22 where a copy ends a region: ${direction}`, function () {
      needsLlc(this);
      const random = new Random(8);
      const text = Array.from({ length: 120 }, (_, k) => functionWithBoundaryCopies(random, `f${k}`)).join('');
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx908', `-misched-prera-direction=${direction}`];
      const llc = scheduleWithLlc(text, args);
      assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
      assert.equal(scheduleWithOurs(text, args).stdout, llc.stdout);
    });

  for (const direction of ['bottomup', 'topdown', 'bidirectional'])
    it(`are those of llc-22 after allocation: ${direction}`, function () {
      needsLlc(this);
      const random = new Random(9);
      const text = Array.from({ length: 150 }, (_, k) => functionBehindAllocation(random, `f${k}`)).join('');
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx1030', `-misched-prera-direction=${direction}`];
      const llc = scheduleWithLlc(text, args);
      assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
      assert.ok(llc.stdout.includes(', killed $vgpr'), 'some are kept');
      assert.equal(scheduleWithOurs(text, args).stdout, llc.stdout);
    });

  it('stay at live-ins that are reserved, as in llc-22', function () {
    needsLlc(this);
    const text = (attribute: string): string => `--- |
  define void @f() ${attribute} { ret void }
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1
    %0:vgpr_32 = COPY killed $vgpr0
    %1:vgpr_32 = COPY killed $vgpr1
    S_NOP 0, implicit %0, implicit %1
    S_ENDPGM 0
...
`;
    for (const [attribute, nKilled] of [
      ['', 0],
      ['"amdgpu-num-vgpr"="0"', 2],
    ] as const) {
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx950'];
      const ours = scheduleWithOurs(text(attribute), args).stdout;
      assert.equal(ours.match(/COPY killed/g)?.length ?? 0, nKilled);
      assert.equal(ours, scheduleWithLlc(text(attribute), args).stdout);
    }
  });

  for (const strategy of ['gcn-iterative-ilp', 'gcn-iterative-minreg', 'gcn-max-ilp'])
    it(`leave undef at definitions of physical registers as llc-22 does: ${strategy}`, function () {
      needsLlc(this);
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx1100', `-misched=${strategy}`];
      const llc = scheduleWithLlc(UNDEF_PHYSICAL, args);
      assert.equal(llc.stdout.includes('undef renamable $vgpr0'), strategy === 'gcn-max-ilp', llc.stderr);
      assert.equal(scheduleWithOurs(UNDEF_PHYSICAL, args).stdout, llc.stdout);
    });
});
