/** `amdgpu-mir check --final`: the code at the end of llc's pipeline, counted as llc-22's assembly has it. */
import assert from 'node:assert/strict';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { needsLlc, runLlc } from '../../support/llc.js';

/** A loop that loads, with PHIs, as finalize-isel leaves it. */
const LOOP = `---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $sgpr4_sgpr5, $vgpr0

    %0:sgpr_64 = COPY $sgpr4_sgpr5
    %1:vgpr_32 = COPY $vgpr0
    %2:sreg_64_xexec_xnull = S_LOAD_DWORDX2_IMM %0, 0, 0 :: (load (s64), addrspace 4)
    %3:sreg_32 = S_MOV_B32 0
    %4:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    %5:vgpr_32 = V_LSHLREV_B32_e64 2, %1, implicit $exec

  bb.1:
    successors: %bb.2, %bb.1

    %6:sreg_32 = PHI %3, %bb.0, %7, %bb.1
    %8:vgpr_32 = PHI %4, %bb.0, %9, %bb.1
    %10:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %2, %5, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %11:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %2, %5, 4, 0, implicit $exec :: (load (s32), addrspace 1)
    %12:vgpr_32 = nofpexcept V_ADD_F32_e64 0, %10, 0, %11, 0, 0, implicit $mode, implicit $exec
    %9:vgpr_32 = nofpexcept V_ADD_F32_e64 0, %8, 0, %12, 0, 0, implicit $mode, implicit $exec
    %7:sreg_32 = S_ADD_I32 %6, 1, implicit-def dead $scc
    S_CMP_LT_I32 %7, 100, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit $scc
    S_BRANCH %bb.2

  bb.2:
    GLOBAL_STORE_DWORD_SADDR %5, %9, %2, 0, 0, implicit $exec :: (store (s32), addrspace 1)
    S_ENDPGM 0
...
`;

interface Final {
  readonly codeBytes: number;
  readonly waits: number;
  readonly noOps: number;
  readonly delays: number;
  readonly clauses: number;
}

async function check(text: string, ...args: string[]): Promise<string> {
  const io = new BufferedIO(() => text);
  await runCheck([...args, '--mtriple=amdgcn-amd-amdhsa', '-'], io);
  return io.out();
}

async function finalOf(text: string, cpu: string): Promise<Final | null> {
  const { files } = JSON.parse(await check(text, '--json', '--final', '--model=llvm-22', `--mcpu=${cpu}`)) as {
    files: readonly { functions: readonly { final: Final | null }[] }[];
  };
  return files[0]!.functions[0]!.final;
}

describe('amdgpu-mir check --final', function () {
  this.timeout(60_000);

  for (const cpu of ['gfx900', 'gfx90a', 'gfx1010', 'gfx1100', 'gfx1150'])
    it(`counts what llc-22 writes for ${cpu}`, async function () {
      needsLlc(this);
      const target = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`];
      const asm = runLlc([...target, '-x', 'mir', '-start-before=early-tailduplication', '-o', '-'], LOOP);
      assert.equal(asm.status, 0, asm.stderr);
      const lines = (pattern: RegExp): number => asm.stdout.match(pattern)?.length ?? 0;
      const { codeBytes, waits, noOps, delays, clauses } = (await finalOf(LOOP, cpu))!;
      assert.deepEqual(
        { codeBytes, waits, noOps, delays, clauses },
        {
          codeBytes: Number(/; codeLenInByte = (\d+)/.exec(asm.stdout)![1]),
          waits: lines(/^\ts_wait(?:cnt (?!depctr)|cnt_(?!depctr)|_(?!alu))/gm),
          noOps: lines(/^\t[sv]_nop/gm),
          delays: lines(/^\ts_delay_alu/gm),
          clauses: lines(/^\ts_clause/gm),
        },
      );
    });

  it('says it in a line, and nothing unless it is asked for', async () => {
    // llc-22 -mcpu=gfx900 -start-before=early-tailduplication
    assert.match(
      await check(LOOP, '--final', '--model=llvm-22', '--mcpu=gfx900'),
      / {4}final code: \d+ bytes, \d+ instructions; \d waits \(/,
    );
    assert.doesNotMatch(await check(LOOP, '--model=llvm-22', '--mcpu=gfx900'), /final code/);
  });
});
