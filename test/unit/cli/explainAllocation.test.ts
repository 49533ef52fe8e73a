/** `amdgpu-mir explain --allocation`: text, JSON, one register, wrong arguments. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runExplain } from '../../../server/src/cli/explain.js';

const LOCAL = join(__dirname, '..', '..', 'fixtures', 'regalloc', 'local.mir');

function explain(...args: string[]): { exit: number; out: string; err: string } {
  const io = new BufferedIO();
  const exit = runExplain(args, io);
  return { exit, out: io.out(), err: io.err() };
}

interface Json {
  readonly functions: readonly {
    readonly use: { readonly vgpr: number; readonly occupancy: number };
    readonly counts: { readonly saves: number; readonly reloads: number };
    readonly parts: readonly {
      readonly register: string;
      readonly physical: string | null;
      readonly slot: number | null;
    }[];
    readonly runs: readonly { readonly run: string; readonly picks: readonly { readonly register: string }[] }[];
  }[];
  readonly problems: readonly unknown[];
}

describe('amdgpu-mir explain --allocation', () => {
  it('prints what each register got and every decision', () => {
    const { exit, out, err } = explain('--allocation', LOCAL);
    assert.equal(exit, 0);
    assert.equal(err, '');
    assert.match(
      out,
      /^@local {2}gfx900 wave64, LLVM 24\.0\.0git\nstage: scheduled\n10 waves of 10: nothing binds\nspilled: 4 registers\n(?: {2}%\d to %stack\.\d: .*\n){4}allocated: VGPR 3 \(3 of 24\), /,
    );
    assert.match(out, /\n {2}%3: \$vgpr1 from line 18 to line 20\n/);
    assert.match(out, /evicts %0 \(weight 0\.007143\) from \$vgpr2/);
  });

  it('prints one register', () => {
    const { out } = explain('--allocation', '--register=%3', LOCAL);
    assert.match(out, /\n {2}%3: \$vgpr1/);
    assert.doesNotMatch(out, /\n {2}%2 \(/);
  });

  it('has the same as JSON', () => {
    const { exit, out } = explain('--allocation', '--json', LOCAL);
    assert.equal(exit, 0);
    const [fn] = (JSON.parse(out) as Json).functions;
    assert.equal(fn?.use.vgpr, 3);
    assert.deepEqual([fn.counts.saves, fn.counts.reloads], [4, 6]);
    assert.deepEqual(
      fn.runs.map((r) => r.run),
      ['vgpr'],
    );
    assert(fn.parts.some((p) => p.register === '%0' && p.slot === 1));
  });

  it('schedules first where the function stands before the scheduler, unless --stage says otherwise', () => {
    const GEMM = join(__dirname, '..', '..', '..', 'examples', 'gemm_tile.mir');
    // llc-22's assembly of the file from the scheduler on has 24 VGPRs and 64 AGPRs, from greedy on 68.
    assert.match(
      explain('--allocation', GEMM).out,
      /\nstage: before scheduling \(guess\), so it is scheduled first\n5 waves of 8: [^]*?\nallocated: VGPR 24, AGPR 64 /,
    );
    assert.match(
      explain('--allocation', '--stage=scheduled', GEMM).out,
      /\nstage: scheduled\n3 waves of 8: [^]*?\nallocated: VGPR 68, AGPR 64 /,
    );
    assert.equal(explain('--stage=scheduled', GEMM).exit, 2);
    assert.match(explain('--allocation', '--stage=late', GEMM).err, /--stage must be one of generic, selected, /);
  });

  it('refuses debug values without a variable, where llc reads what is not there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'explain-allocation-'));
    try {
      const file = join(folder, 'a.mir');
      const head =
        '--- |\n  define void @f() !dbg !3 {\n    ret void\n  }\n  !llvm.dbg.cu = !{!0}\n  !llvm.module.flags = !{!2}\n' +
        '  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)\n' +
        '  !1 = !DIFile(filename: "a", directory: "b")\n  !2 = !{i32 2, !"Debug Info Version", i32 3}\n' +
        '  !3 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !4, unit: !0)\n' +
        '  !4 = !DISubroutineType(types: !5)\n  !5 = !{}\n...\n';
      for (const value of ['DBG_VALUE $vgpr0', 'DBG_VALUE $vgpr0, 0']) {
        const body = `---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    ${value}\n    S_ENDPGM 0\n...\n`;
        writeFileSync(file, head + body);
        const { err } = explain('--allocation', '-mcpu=gfx900', file);
        assert.match(err, /does not model a debug value without variable and expression/, value);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses what does not go together', () => {
    for (const args of [
      ['--register=%3', LOCAL],
      ['--allocation', '--region=1', LOCAL],
    ])
      assert.equal(explain(...args).exit, 2);
    const unknown = explain('--allocation', '--register=%77', LOCAL);
    assert.equal(unknown.exit, 2);
    assert.match(unknown.err, /@local has no register %77/);
    assert.match(explain('--allocation', '-vgpr-regalloc=fast', LOCAL).err, /does not model '-vgpr-regalloc=fast'/);
  });
});
