/** `localstackalloc` on random frames with objects that are far away, and what prologepilog makes of their places, as llc-22. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { randomSource } from '../../support/random.js';
import { runLlcOnText } from '../../support/schedule.js';

const TARGETS = [
  'gfx700',
  'gfx803',
  'gfx900',
  'gfx900 +enable-flat-scratch',
  'gfx942',
  'gfx1030',
  'gfx1030 +enable-flat-scratch',
  'gfx1100',
  'gfx1200',
] as const;

const isFlat = (target: string): boolean => /flat-scratch|gfx942|gfx11|gfx12/.test(target);

/** Objects, and instructions that name them; with an entry point, so that nothing is saved. */
function frame(seed: number, target: string, hasSums = true): string {
  const below = randomSource(seed);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const n = 1 + below(5);
  const objects = Array.from(
    { length: n },
    (_, id) =>
      `  - { id: ${id}, size: ${oneOf([4, 37, 640, 4096, 5000, target === 'gfx1200' ? 9_000_000 : 9000])}, alignment: ${oneOf([1, 4, 8, 16])}${below(5) === 0 ? ', type: spill-slot, stack-id: sgpr-spill' : ''} }`,
  );
  const opcodes = hasSums ? ['add', 'add', 'short', 'register'] : [];
  const adds = (slot: string, kind: string, k: number): string => {
    const hasLiterals = kind === 'short' || /gfx1/.test(target);
    const other = kind === 'register' ? '%0' : oneOf([0, 4, 64, ...(hasLiterals ? [1000, 4096, 100000] : [])]);
    const isOld = /gfx[78]/.test(target);
    if (kind === 'short')
      return isOld
        ? `%${k}:vgpr_32 = V_ADD_CO_U32_e32 ${other}, ${slot}, implicit-def ${oneOf(['dead ', ''])}$vcc, implicit $exec`
        : `%${k}:vgpr_32 = V_ADD_U32_e32 ${other}, ${slot}, implicit $exec`;
    const sources = oneOf([`${slot}, ${other}`, `${other}, ${slot}`]);
    if (!isOld) return `%${k}:vgpr_32 = V_ADD_U32_e64 ${sources}, 0, implicit $exec`;
    return `%${k}:vgpr_32, ${oneOf(['dead ', ''])}%${k + 100}:sreg_64_xexec = V_ADD_CO_U32_e64 ${sources}, 0, implicit $exec`;
  };
  const lines = Array.from({ length: 4 + below(8) }, (_, k) => {
    const slot = `%stack.${below(n)}`;
    const kind = oneOf(['access', 'access', 'access', ...opcodes]);
    if (kind !== 'access') return adds(slot, kind, k + 1);
    const offset = oneOf([0, 4, 16, 640, 2044, 4000]);
    return isFlat(target)
      ? `SCRATCH_STORE_DWORD_SADDR %0, ${slot}, ${oneOf([0, 4, 16, 640, 2044])}, 0, implicit $exec, implicit $flat_scr`
      : `BUFFER_STORE_DWORD_OFFEN %0, ${slot}, $sgpr0_sgpr1_sgpr2_sgpr3, 0, ${offset}, 0, 0, implicit $exec`;
  });
  return `--- |
  define amdgpu_kernel void @f() { ret void }
...
---
name: f
tracksRegLiveness: true
stack:
${objects.join('\n')}
machineFunctionInfo:
  isEntryFunction: true
${isFlat(target) ? '' : '  scratchRSrcReg: $sgpr0_sgpr1_sgpr2_sgpr3\n'}  stackPtrOffsetReg: $sgpr32
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0_sgpr1_sgpr2_sgpr3, $flat_scr
    %0:vgpr_32 = COPY $vgpr0
    ${lines.join('\n    ')}
    S_ENDPGM 0
...
`;
}

describe('localstackalloc on random frames, as llc-22', () => {
  before(function () {
    needsLlc(this);
  });

  for (const target of TARGETS) {
    const [cpu = '', features = ''] = target.split(' ');
    const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, `-mattr=${features}`, '-o', '-'];
    const compare = (text: string, ...passes: string[]): string => {
      const llc = runLlc(['-x', 'mir', ...args, ...passes], text);
      assert.equal(llc.status, 0, llc.stderr.slice(0, 500) + text);
      const ours = runLlcOnText([...args, ...passes], text);
      assert.equal(ours.stdout, llc.stdout, ours.stderr + text);
      return llc.stdout;
    };

    it(`${target}: places, and registers that accesses share`, function () {
      this.timeout(60_000);
      let shared = 0;
      for (let seed = 1; seed <= 20; seed++)
        if (/S_MOV_B32|V_MOV_B32/.test(compare(frame(seed, target), '-run-pass=localstackalloc'))) shared++;
      assert.ok(shared > 2, `${shared} share a register`);
    });

    // llc dies where the pointer to scratch memory has to be set up.
    if (features !== '') continue;
    it(`${target}: the frame keeps the places where a register was needed`, function () {
      this.timeout(60_000);
      for (let seed = 101; seed <= 110; seed++)
        compare(frame(seed, target, false), '-run-pass=localstackalloc,greedy,virtregrewriter,prologepilog');
    });
  }
});
