import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../server/src/cli/check.js';
import { findInputs } from '../../../server/src/cli/checkInputs.js';
import type { RematSuggestions } from '../../../server/src/features/remat/suggestions.js';
import { ProgressBar } from '../../../server/src/cli/progress.js';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';

const GOOD = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s
---
name: two_loads
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0_sgpr1
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    %2:vgpr_32 = V_ADD_U32_e32 %1, %0, implicit $exec
    S_ENDPGM 0, implicit %1, implicit %2
...
`;
const BAD = GOOD.replace('%1, %0, implicit', '%1.sub99, %0, implicit');

describe('check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-check-'));
  const path = (name: string): string => join(folder, name);
  before(() => {
    mkdirSync(path('sub'));
    writeFileSync(path('good.mir'), GOOD);
    writeFileSync(path('sub/bad.mir'), BAD);
    writeFileSync(path('notes.txt'), 'no MIR');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const check = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const io = new BufferedIO();
    const code = await runCheck(args, io);
    return { code, out: io.out(), err: io.err() };
  };

  it('prints occupancy, the live peak of each bank with its place, and no colour when it is no terminal', async () => {
    const r = await check('--as-written', path('good.mir'));
    assert.equal(r.code, 0);
    assert.equal(r.err, '');
    assert.match(r.out, /two_loads {2}gfx90a wave64 {3}occupancy 8 of 8$/m);
    // llc -run-pass=amdgpu-print-rp prints 2 at that instruction, and never more.
    assert.match(r.out, /VGPR 2 .* live peak at line 9 \(bb\.0:1\)/);
    assert.match(r.out, /live-in 3, live-out/);
    assert.match(r.out, /^1 function, no errors$/m);
    assert.ok(!r.out.includes('\u001b'));
  });

  it('searches folders for .mir files and exits 1 when one has an error', async () => {
    assert.deepEqual(
      findInputs([folder], 1e9).map((i) => i.file),
      [path('good.mir'), path('sub/bad.mir')],
    );
    const r = await check(folder);
    assert.equal(r.code, 1);
    assert.match(
      r.out,
      /^.*bad\.mir:10:35: error: use of unknown subregister index 'sub99' \[unknown-subregister\]\n {3}10 \|     %2:vgpr_32 = V_ADD_U32_e32 %1\.sub99, .*\n {6}\| {35}\^~{4}\n/m,
    );
    assert.match(r.out, /^2 functions, 1 error$/m);
  });

  it('colours on demand', async () => {
    assert.ok((await check('--color=always', path('good.mir'))).out.includes('\u001b[1m'));
  });

  it('prints every number as JSON', async () => {
    const r = await check('--json', path('good.mir'), path('sub/bad.mir'));
    const data = JSON.parse(r.out) as {
      files: { functions: { name: string; pressure: { vgpr: { value: number } } | null }[]; diagnostics: unknown[] }[];
      errors: number;
    };
    assert.equal(data.errors, 1);
    assert.equal(data.files[0]?.functions[0]?.pressure?.vgpr.value, 2);
    assert.equal(data.files[1]?.functions[0]?.pressure, null);
    assert.equal(data.files[1]?.diagnostics.length, 1);
  });

  it('says what rematerialization could do, as text and as JSON', async () => {
    const example = join(__dirname, '..', '..', '..', 'examples', 'seven_rows.mir');
    const { out } = await check('--remat', example);
    assert.match(
      out,
      /occupancy 8 with 1 register, the smallest set: VGPR -1 in 2 regions, occupancy 7 to 8\n +%half\n/,
    );
    assert.match(
      out,
      /%half, line 34: VGPR -1 in 2 regions, occupancy 7 to 8\n +before line 76 \(bb\.2\); reads no virtual/,
    );
    assert.match(out, /not %lane, line 31, 1 VGPR: COPY cannot be rematerialized/);
    const json = JSON.parse((await check('--remat', '--json', example)).out) as {
      files: { functions: { rematerialization: RematSuggestions }[] }[];
    };
    const found = json.files[0]!.functions[0]!.rematerialization;
    assert.deepEqual(found.sets[0]?.registers, ['%half']);
    assert.equal(found.sets[0].effect.occupancyAfter, 8);
    // what llc-22 -run-pass=machine-scheduler prints
    assert.equal(found.scheduledOccupancy, 10);
    const half = found.suggestions.find((s) => s.register === '%half')!;
    assert.deepEqual(half.places, [{ block: 2, region: 2, line: 76 }]);
    assert.deepEqual(
      half.effect.regions.map((r) => [r.region, r.before.vgpr, r.after.vgpr]),
      [
        [0, 5, 4],
        [1, 33, 32],
      ],
    );
    const plain = JSON.parse((await check('--json', example)).out) as typeof json;
    assert.equal(plain.files[0]!.functions[0]!.rematerialization, null);
  });

  it('says what the SALU could compute, as text and as JSON', async () => {
    const example = join(__dirname, '..', '..', '..', 'examples', 'seven_rows.mir');
    assert.match((await check('--scalarize', example)).out, /\n {4}scalarization:\n {6}\S/);
    const json = JSON.parse((await check('--scalarize', '--json', example)).out) as {
      files: { functions: { scalarization: { candidates: unknown[] } | null }[] }[];
    };
    assert.ok(Array.isArray(json.files[0]!.functions[0]!.scalarization?.candidates));
  });

  it('reports a file that does not exist and goes on', async () => {
    const r = await check(path('missing.mir'), path('good.mir'));
    assert.equal(r.code, 2);
    assert.match(r.err, /missing\.mir: No such file or directory/);
    assert.match(r.out, /two_loads/);
  });

  const SEVERAL = GOOD.replace(
    /^# RUN.*\n/,
    '# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s\n' +
      '# RUN: llc -mtriple=amdgcn -mcpu=gfx1100 -run-pass=none %s\n' +
      '# RUN: not llc -mtriple=amdgcn -mcpu=gfx600 -run-pass=none %s\n' +
      '# RUN: llc -mtriple=amdgcn -mcpu=%cpu -run-pass=none %s\n' +
      '# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=machine-scheduler %s\n',
  );
  const cpusOf = async (...args: string[]): Promise<string[][]> => {
    const { out } = await check('--json', ...args);
    interface Checked {
      target: { cpu: string; features: string };
      functions: { cpu: string; wavefrontSize: number }[];
    }
    const { files } = JSON.parse(out) as { files: (Checked & { otherTargets: Checked[] })[] };
    return files.map((f) =>
      [f, ...f.otherTargets].map((t) => `${t.target.cpu}${t.target.features} ${t.functions[0]?.wavefrontSize}`),
    );
  };

  it('checks for the target of every RUN line, as a table', async () => {
    writeFileSync(path('several.mir'), SEVERAL);
    assert.deepEqual(await cpusOf(path('several.mir')), [['gfx90a 64', 'gfx1100 32']]);
    // What llc-22 -start-before=machine-scheduler says of both; functions that are no kernels have no waves.
    assert.deepEqual((await check(path('several.mir'))).out.split('\n').slice(1, 5), [
      '  two_loads',
      '    target          as written  scheduled  VGPR  SGPR',
      '    gfx90a wave64   8           8          2     4',
      '    gfx1100 wave32  16          16         2     0',
    ]);
    const { out, code } = await check('--as-written', path('several.mir'));
    assert.equal(code, 0);
    // the peaks are those that llc -run-pass=amdgpu-print-rp prints for both
    assert.deepEqual(out.split('\n').slice(1), [
      '  two_loads',
      '    target          occupancy  live peak VGPR  limited by  next wave',
      '    gfx90a wave64   8 of 8     2 at line 13    -           -',
      '    gfx1100 wave32  16 of 16   2 at line 13    -           -',
      '1 function, no errors',
      '',
    ]);
  });

  it('--target is instead of the RUN lines, with --all-targets beside them', async () => {
    writeFileSync(path('several.mir'), SEVERAL);
    assert.deepEqual(await cpusOf('--target=gfx942', path('several.mir')), [['gfx942 64']]);
    assert.deepEqual(await cpusOf('--target=gfx942,gfx1030:+wavefrontsize64', path('several.mir')), [
      ['gfx942 64', 'gfx1030+wavefrontsize64 64'],
    ]);
    assert.deepEqual(await cpusOf('--target=gfx90a:xnack-', '--target', 'gfx1100', path('good.mir')), [
      ['gfx90a-xnack 64', 'gfx1100 32'],
    ]);
    assert.deepEqual(await cpusOf('--all-targets', '--target=gfx942,gfx90a', path('several.mir')), [
      ['gfx90a 64', 'gfx1100 32', 'gfx942 64'],
    ]);
  });

  it('says for which targets a finding holds, once', async () => {
    const load = 'GLOBAL_LOAD_DWORD_SADDR $sgpr0_sgpr1, %0, -4096, 0, implicit $exec';
    const lines = `%3:vgpr_32 = V_ADD_U32_e32 %9:vgpr_32, %0, implicit $exec\n    %4:vgpr_32 = ${load}`;
    writeFileSync(path('only.mir'), GOOD.replace('%2:vgpr_32', `${lines}\n    %2:vgpr_32`));
    const { out, code } = await check('--target=gfx90a,gfx700', path('only.mir'));
    assert.equal(code, 1);
    const findings = out.split('\n').flatMap((line) => /only\.mir:(\d.*)/.exec(line)?.[1] ?? []);
    // both are what llc-22 says of the one and the other
    assert.deepEqual(findings, [
      '10:32: error: Reading virtual register without a def [reading-virtual-register-without-a-def]',
      '11:5: error: subtarget does not support offsets in flat instructions (for gfx700) [subtarget-does-not-support-offsets-in-flat-instructions]',
    ]);
  });

  it('shows both rows where two releases count otherwise, and one where they do not', async () => {
    const all = Array.from({ length: 72 }, (_, k) => k);
    // 72 SGPRs of gfx900 beside a trap handler: 10 waves with LLVM 22, 8 with LLVM 24, which its library says, too (occupancy24.json).
    const many = [
      '---',
      'name: many',
      'tracksRegLiveness: true',
      'body: |',
      '  bb.0:',
      ...all.map((k) => `    %${k}:sreg_32 = S_MOV_B32 ${k}`),
      ...all.map((k) => `    S_NOP 0, implicit %${k}`),
      '    S_ENDPGM 0',
      '...',
      '',
    ].join('\n');
    writeFileSync(path('both.mir'), GOOD.replace('amdgcn', 'amdgcn-amd-amdhsa').replace('gfx90a', 'gfx900') + many);
    const both = await check('--as-written', '--model=llvm-22,llvm-24', path('both.mir'));
    assert.match(
      both.out,
      /many\n.*\n {4}gfx900 wave64, LLVM 22\.1\.8 +10 of 10 .*\n {4}gfx900 wave64, LLVM 24\.0\.0git +8 of 10 /,
    );
    assert.match(both.out, /two_loads\n.*\n {4}gfx900 wave64 +10 of 10 .*\n {2}many/);
    const detailed = await check('--model=llvm-22,llvm-24', '--allocate', path('both.mir'));
    assert.match(detailed.out, /for gfx900, LLVM 24\.0\.0git\n {2}many +gfx900 wave64 +as written 8 -> scheduled \d+/);
    assert.match(detailed.out, /1 function as with LLVM 22\.1\.8/);
    const { files } = JSON.parse((await check('--model=llvm-22,llvm-24', '--json', path('both.mir'))).out);
    assert.deepEqual([files[0].llvm, files[0].otherTargets[0].llvm], ['22.1.8', '24.0.0git']);
    assert.equal((await check('--model=llvm-22,llvm-23', path('both.mir'))).code, 2);
    rmSync(path('both.mir'));
  });

  it('says whose LLVM it is, what decided that, and which lines are of the other', async () => {
    const text = GOOD.replace('S_ENDPGM 0', 'S_WAITCNT .Vmcnt_0\n    S_ENDPGM 0');
    writeFileSync(path('new.mir'), text);
    const { code, out } = await check(path('new.mir'));
    assert.equal(code, 0);
    assert.match(out, /new\.mir {2}LLVM 24\.0\.0git: mnemonic of S_WAITCNT in line 11\n/);
    assert.match((await check(path('good.mir'))).out, /good\.mir {2}LLVM 24\.0\.0git\n/);
    assert.equal((await check('--model=llvm-22', path('new.mir'))).code, 1);
    writeFileSync(
      path('new.mir'),
      text.replace('body: |', 'machineFunctionInfo:\n  noSignedZerosFPMath: true\nbody: |'),
    );
    const mixed = await check(path('new.mir'));
    assert.match(
      mixed.out,
      /new\.mir:13:1: warning: the file is read as one of LLVM 22\.1\.8 \(key noSignedZerosFPMath in line 6\), but mnemonic of S_WAITCNT in line 13 is of LLVM 24 alone/,
    );
    rmSync(path('new.mir'));
  });

  it('rejects options that it does not know', async () => {
    assert.deepEqual(await check('--frob', 'x'), {
      code: 2,
      out: '',
      err: "amdgpu-mir check: unknown option '--frob'\n",
    });
    assert.equal((await check()).code, 2);
  });
});

describe('progress bar', () => {
  it('shows how much is done, and goes away', () => {
    const written: string[] = [];
    const bar = new ProgressBar(2, true, (text) => written.push(text));
    bar.step();
    bar.end();
    assert.match(written[0] ?? '', /\[#{15} {15}\] 1 of 2$/);
    assert.equal(written.at(-1), '\r\u001b[K');
  });

  it('writes nothing when it is off', () => {
    const written: string[] = [];
    const bar = new ProgressBar(2, false, (text) => written.push(text));
    bar.step();
    bar.end();
    assert.deepEqual(written, []);
  });
});
