/** Transfers to LDS that alias scopes tell apart, with more of them than si-insert-waitcnts has places for, as llc-22 waits for them (docs/llvm/waits.md, 3). */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';

const numbers = (n: number): number[] => Array.from({ length: n }, (_, k) => k);

/** `n` objects in LDS, each with a scope, which transfers fill; then reads of some of them. */
function transfers(n: number, reads: readonly number[], info: (k: number) => string): string {
  const scope = (k: number): string => `!${10 + k}`;
  const ir = [
    ...numbers(n).map((k) => `@l${k} = internal addrspace(3) global [64 x i32] undef`),
    'define amdgpu_kernel void @f(ptr addrspace(1) %p) { ret void }',
    `!named = !{${numbers(n).map(scope).join(', ')}, !60}`,
    '!0 = distinct !{!0}',
    ...numbers(n).flatMap((k) => [`!${100 + k} = distinct !{!${100 + k}, !0}`, `${scope(k)} = !{!${100 + k}}`]),
    '!60 = !{!61, !61, i64 0}',
    '!61 = !{!"int", !62, i64 0}',
    '!62 = !{!"tbaa"}',
  ];
  const lines = [
    '$m0 = S_MOV_B32 0',
    ...numbers(n).map(
      (k) =>
        `BUFFER_LOAD_DWORD_LDS_OFFEN $vgpr0, $sgpr0_sgpr1_sgpr2_sgpr3, $sgpr4, ${k * 4}, 0, 0, implicit $exec, implicit $m0 ` +
        `:: (load (s32), addrspace 8), (store (s32) into @l${k}, !alias.scope ${scope(k)}, addrspace 3)`,
    ),
    ...reads.flatMap((k, at) => [
      `$vgpr${10 + at} = DS_READ_B32_gfx9 $vgpr0, ${k * 4}, 0, implicit $exec :: (load (s32) from @l${k}${info(k)}, addrspace 3)`,
      `S_NOP 0, implicit $vgpr${10 + at}`,
    ]),
    '$vgpr40 = DS_READ_B32_gfx9 $vgpr0, 0, 0, implicit $exec :: (load (s32) from @l3, addrspace 3)',
    'S_ENDPGM 0',
  ];
  return [
    '--- |',
    ...ir.map((line) => `  ${line}`),
    '...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:',
    '    liveins: $vgpr0, $sgpr0_sgpr1_sgpr2_sgpr3, $sgpr4',
    ...lines.map((line) => `    ${line}`),
    '...\n',
  ].join('\n');
}

const ofScope = (k: number): string => `, !alias.scope !${10 + k}`;
const TEXTS = {
  'each by itself': transfers(4, [0, 1, 2, 3], ofScope),
  'all places taken': transfers(8, [7, 6, 3, 0], ofScope),
  'more than there are places': transfers(11, [2, 0, 5, 10, 8, 7, 1], ofScope),
  'reads with types': transfers(4, [1, 2, 3], () => ', !tbaa !60'),
  'reads outside of a scope': transfers(4, [2], () => ', !noalias !12'),
  'reads without a word': transfers(4, [1, 2], () => ''),
};

describe('transfers to LDS, as llc-22 waits for them', () => {
  // Without a pass before it that asks for it, alias analysis is not there.
  for (const passes of ['si-insert-waitcnts', 'postmisched,si-insert-waitcnts', 'machine-sink,si-insert-waitcnts'])
    for (const [name, text] of Object.entries(TEXTS))
      it(`${name}: ${passes}`, function () {
        needsLlc(this);
        const args = ['-mtriple=amdgcn', '-mcpu=gfx942', `-run-pass=${passes}`];
        const { differs, llc } = runLlcJob({ name, text, args });
        assert.equal(llc.status, 0, llc.stderr.slice(0, 300));
        assert.equal(differs, null);
      });
});
