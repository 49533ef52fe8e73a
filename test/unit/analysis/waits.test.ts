/** What waits wait for, beside the waits that llc-22 writes: each stands for what the instruction after it needs. */
import assert from 'node:assert/strict';
import { awaitedBy, firstTouch, waitsOf } from '../../../server/src/analysis/waits.js';
import { OpFlag, type InstrId, type MachineFunction } from '../../../server/src/model/machineFunction.js';
import { isPhysicalReg } from '../../../server/src/model/register.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';

const BODY = (lines: readonly string[]): string => `---
name: f
tracksRegLiveness: false
body: |
  bb.0:
${lines.map((line) => `    ${line}\n`).join('')}    S_ENDPGM 0
...
`;

/** `#1 #0 vmcnt 2`: places of what is awaited, nearest first, with counter and distance, of the last wait. */
function awaited(lines: readonly string[], cpu: string): string[] {
  const [fn] = lowerMir(BODY(lines), { cpu });
  assert.ok(fn, 'no errors');
  let last = -1;
  for (let i = 0; i < fn.nInstrs; i++) if (waitsOf(fn, i).length > 0) last = i;
  return awaitedBy(fn, last)!.awaited.map(({ instr, counter, distance }) => `#${instr} ${counter} ${distance}`);
}

const load = (reg: number): string => `$vgpr${reg} = GLOBAL_LOAD_DWORD $vgpr8_vgpr9, 0, 0, implicit $exec`;
const store = (reg: number): string => `GLOBAL_STORE_DWORD $vgpr8_vgpr9, $vgpr${reg}, 0, 0, implicit $exec`;
const flat = (reg: number): string =>
  `$vgpr${reg} = FLAT_LOAD_DWORD $vgpr8_vgpr9, 0, 0, implicit $exec, implicit $flat_scr`;
const scalar = '$sgpr0 = S_LOAD_DWORD_IMM $sgpr2_sgpr3, 0, 0';
const lds = '$vgpr6 = DS_READ_B32_gfx9 $vgpr7, 0, 0, implicit $exec';
/** vmcnt 0 on gfx9 */
const VMCNT_0 = 'S_WAITCNT 3952';
const VMCNT_1 = 'S_WAITCNT 3953';
const LGKMCNT_0 = 'S_WAITCNT 49279';

describe('what waits wait for', () => {
  it('is all of the counter but the youngest that may be left', () => {
    assert.deepEqual(awaited([load(0), load(1), scalar, VMCNT_0], 'gfx900'), ['#1 vmcnt 1', '#0 vmcnt 2']);
    assert.deepEqual(awaited([load(0), load(1), VMCNT_1], 'gfx900'), ['#0 vmcnt 1']);
    assert.deepEqual(awaited([load(0), scalar, lds, LGKMCNT_0], 'gfx900'), ['#2 lgkmcnt 0', '#1 lgkmcnt 1']);
    assert.deepEqual(awaited([flat(0), VMCNT_0], 'gfx900'), ['#0 vmcnt 0']);
    assert.deepEqual(awaited([flat(0), LGKMCNT_0], 'gfx900'), ['#0 lgkmcnt 0']);
    assert.deepEqual(awaited([VMCNT_0], 'gfx900'), []);
  });

  it('is not what an earlier wait has waited for', () => {
    assert.deepEqual(awaited([load(0), VMCNT_0, load(1), VMCNT_0], 'gfx900'), ['#2 vmcnt 0']);
    assert.deepEqual(awaited([load(0), load(1), load(2), VMCNT_1, load(3), VMCNT_0], 'gfx900'), [
      '#4 vmcnt 0',
      '#2 vmcnt 2',
    ]);
    // Another counter says nothing of it.
    assert.deepEqual(awaited([load(0), LGKMCNT_0, VMCNT_0], 'gfx900'), ['#0 vmcnt 1']);
  });

  it('goes by the counters of the processor', () => {
    assert.deepEqual(awaited([store(0), VMCNT_0], 'gfx900'), ['#0 vmcnt 0']);
    assert.deepEqual(awaited([store(0), load(1), 'S_WAITCNT_VSCNT undef $sgpr_null, 0'], 'gfx1030'), ['#0 vscnt 1']);
    assert.deepEqual(awaited([store(0), load(1), 'S_WAITCNT 1015'], 'gfx1100'), ['#1 vmcnt 0']);
    assert.deepEqual(awaited([store(0), load(1), 'S_WAIT_LOADCNT 0'], 'gfx1200'), ['#1 loadcnt 0']);
    assert.deepEqual(awaited([store(0), load(1), 'S_WAIT_STORECNT 0'], 'gfx1200'), ['#0 storecnt 1']);
    assert.deepEqual(awaited([scalar, lds, 'S_WAIT_KMCNT 0'], 'gfx1200'), ['#0 kmcnt 1']);
    assert.deepEqual(awaited([load(0), lds, 'S_WAIT_LOADCNT_DSCNT 0'], 'gfx1200'), ['#1 dscnt 0', '#0 loadcnt 1']);
    const sample =
      '$vgpr0 = IMAGE_SAMPLE_V1_V2_gfx12 $vgpr4, $vgpr5, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, $sgpr8_sgpr9_sgpr10_sgpr11, 1, 1, 0, 0, 0, 0, 0, 0, implicit $exec';
    assert.deepEqual(awaited([load(1), sample, 'S_WAIT_SAMPLECNT 0'], 'gfx1200'), ['#1 samplecnt 0']);
    // llc-22 waits so for it.
    const msaa =
      '$vgpr0_vgpr1_vgpr2_vgpr3 = IMAGE_MSAA_LOAD_V4_V2_gfx12 $vgpr4, $vgpr5, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, 1, 1, 0, 0, 0, 0, 0, 0, 0, implicit $exec :: (load (s128))';
    assert.deepEqual(awaited([msaa, 'S_WAIT_SAMPLECNT 0'], 'gfx1200'), ['#0 samplecnt 0']);
  });

  it('comes over every way into the block, and ends at a call', () => {
    const text = `---
name: f
tracksRegLiveness: false
body: |
  bb.0:
    successors: %bb.1, %bb.2
    ${load(0)}
    S_CBRANCH_SCC1 %bb.2, implicit $scc
  bb.1:
    successors: %bb.2
    ${VMCNT_0}
    ${load(1)}
  bb.2:
    successors: %bb.2, %bb.3
    ${VMCNT_0}
    ${load(2)}
    S_CBRANCH_SCC0 %bb.2, implicit $scc
  bb.3:
    S_ENDPGM 0
...
`;
    const [fn] = lowerMir(text);
    const wait = fn!.order[fn!.blockBegin[2]!]!;
    const found = awaitedBy(fn!, wait)!.awaited.map(({ instr, distance }) => `#${instr} ${distance}`);
    assert.deepEqual(found, ['#3 0', '#0 1', '#5 1']);
    const call = '$sgpr30_sgpr31 = SI_CALL $sgpr4_sgpr5, 0, csr_amdgpu';
    assert.deepEqual(awaited([load(0), call, load(1), VMCNT_0], 'gfx900'), ['#2 vmcnt 0']);
  });

  for (const cpu of ['gfx803', 'gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1200'])
    it(`is what the next instruction needs in code of llc-22 for ${cpu}`, function () {
      needsLlc(this);
      const run = runLlc([`-mcpu=${cpu}`, '-stop-after=si-insert-waitcnts', '-o', '-'], KERNEL);
      assert.equal(run.status, 0, run.stderr);
      let nWaits = 0;
      for (const fn of lowerMir(run.stdout, { cpu }))
        for (let p = 0; p < fn.blockEnd[fn.blocks.length - 1]!; p++) {
          const i = fn.order[p]!;
          const waits = awaitedBy(fn, i);
          if (waits === null) continue;
          for (const { counter } of waits.counters) {
            nWaits++;
            const own = waits.awaited.filter((one) => one.counter === counter);
            assert.ok(own.length > 0, `${cpu}: nothing is under way of ${counter} at ${p}`);
            // LLVM waits for no more than somebody needs: the youngest that it waits for is needed, and at once.
            const needed = own.filter(({ instr }) => isNext(fn, i, instr));
            assert.ok(needed.length > 0, `${cpu}: nobody needs what ${counter} waits for at ${p}`);
            // Scalar loads end in any order, and so all are waited for.
            if (!/lgkm|km/.test(counter))
              assert.ok(
                needed.some((one) => one === own[0]),
                `${cpu}: ${counter} at ${p}`,
              );
          }
        }
      assert.ok(nWaits >= 6, `${nWaits} waits`);
    });
});

/** Whether the first instruction after the waits touches what the awaited one writes. */
function isNext(fn: MachineFunction, wait: InstrId, awaitedInstr: InstrId): boolean {
  let p = fn.order.indexOf(wait) + 1;
  while (waitsOf(fn, fn.order[p]!).length > 0) p++;
  const next = firstTouch(fn, wait, awaitedInstr);
  let hasResult = false;
  for (let o = fn.firstReg(awaitedInstr); o >= 0; o = fn.nextReg(awaitedInstr, o))
    hasResult ||= (fn.opFlags[o]! & OpFlag.Def) !== 0 && isPhysicalReg(fn.opVal[o]!);
  return hasResult && next === fn.order[p];
}

const KERNEL = `target triple = "amdgcn-amd-amdhsa"
@tile = internal addrspace(3) global [256 x float] poison, align 4
define amdgpu_kernel void @k(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %wide = zext i32 %id to i64
  %pa = getelementptr inbounds <4 x float>, ptr addrspace(1) %a, i64 %wide
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %wide
  %va = load <4 x float>, ptr addrspace(1) %pa, align 16
  %vb = load float, ptr addrspace(1) %pb, align 4
  %x = extractelement <4 x float> %va, i32 0
  %y = extractelement <4 x float> %va, i32 3
  %s = fmul float %x, %y
  %slot = getelementptr inbounds [256 x float], ptr addrspace(3) @tile, i32 0, i32 %id
  store float %s, ptr addrspace(3) %slot, align 4
  %other = xor i32 %id, 1
  %from = getelementptr inbounds [256 x float], ptr addrspace(3) @tile, i32 0, i32 %other
  %l = load float, ptr addrspace(3) %from, align 4
  %t = fadd float %l, %s
  %u = fmul float %t, %vb
  %many = icmp sgt i32 %n, 3
  br i1 %many, label %loop, label %done
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi float [ %u, %entry ], [ %more, %loop ]
  %at = add i32 %i, %id
  %atw = sext i32 %at to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %b, i64 %atw
  %v = load float, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds float, ptr addrspace(1) %a, i64 %atw
  %w = load float, ptr addrspace(1) %q, align 4
  %vw = fsub float %w, %acc
  %more = fmul float %vw, %v
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  %r = phi float [ %u, %entry ], [ %more, %loop ]
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %wide
  store float %r, ptr addrspace(1) %to, align 4
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
`;
