/** Numbers by source lines beside those that follow from llc-22's print of the pressure, and its spills. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { sourcePlaces } from '../../../server/src/program/sourcePlace.js';
import type { SourceLine } from '../../../server/src/program/sourceLines.js';
import { expect } from '../../support/expect.js';
import { needsLlc, runLlc } from '../../support/llc.js';

async function check(text: string, ...args: readonly string[]): Promise<string> {
  const io = new BufferedIO(() => text);
  await runCheck([...args, '-'], io, 'node');
  return io.out();
}

async function linesOf(text: string, ...args: readonly string[]): Promise<Map<string, SourceLine[]>> {
  const { files } = JSON.parse(await check(text, '--json', '--source-lines', ...args));
  return new Map(
    files[0].functions.map((fn: { name: string; sourceLines: SourceLine[] }) => [fn.name, fn.sourceLines]),
  );
}

const TEXT = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx942 -start-before=machine-scheduler -o - %s
--- |
  define amdgpu_kernel void @f() { ret void }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!9}
  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "f.cl", directory: "/tmp")
  !2 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
  !3 = !DIFile(filename: "other.h", directory: "/tmp")
  !4 = distinct !DISubprogram(name: "g", scope: !3, file: !3, line: 1, unit: !0, spFlags: DISPFlagDefinition)
  !5 = !DILocation(line: 3, column: 2, scope: !2)
  !6 = distinct !DILocation(line: 4, scope: !2)
  !7 = !DILocation(line: 8, column: 1, scope: !4, inlinedAt: !6)
  !8 = !DILocation(line: 0, scope: !2)
  !9 = !{i32 2, !"Debug Info Version", i32 3}
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec, debug-location !5
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec, debug-location !7
    %2:vgpr_32 = V_ADD_U32_e32 %0, %1, implicit $exec, debug-location !7
    %3:sreg_32 = S_MOV_B32 3, debug-location !8
    S_NOP 0, implicit %2, implicit %3
    S_ENDPGM 0, debug-location !5
...
`;

describe('source lines', () => {
  it('are a table, with calls that are inlined', async () => {
    const out = await check(TEXT, '--source-lines', '--as-written');
    expect`
          source lines:
            line                           VGPR  SGPR  instructions
            f.cl:0 (made by the compiler)     1     1             1
            f.cl:3                            1     0             2
            other.h:8, inlined at f.cl:4      3     0             2  peak
      1 function, no errors

    `.equals(out.slice(out.indexOf('    source lines')));
    const without = TEXT.replace(/, debug-location !\d/g, '');
    assert.match(await check(without, '--source-lines'), /source lines:\n {6}no instruction has a debug location\n/);
    const { files } = JSON.parse(await check(TEXT, '--json'));
    assert.equal(files[0].functions[0].sourceLines, null);
  });

  it('are those of what llc-22 prints', async function () {
    needsLlc(this);
    const source = readFileSync(join(__dirname, '..', '..', 'fixtures', 'logs', 'kernel.ll'), 'utf8');
    for (const cpu of ['gfx942', 'gfx1100']) {
      const mir = runLlc([`-mcpu=${cpu}`, '-stop-before=machine-scheduler', '-o', '-'], source).stdout;
      for (const text of [mir, TEXT]) {
        const target = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-x', 'mir', '-o', '/dev/null'];
        const rp = runLlc([...target, '-run-pass=amdgpu-print-rp', '-amdgpu-print-rp-downward'], text);
        assert.equal(rp.status, 0, rp.stderr);
        const own = await linesOf(text, `--mcpu=${cpu}`, '--mtriple=amdgcn-amd-amdhsa', '--model=llvm-22');
        for (const [name, lines] of fromReport(rp.stderr)) {
          const found = own.get(name)!.map(({ saves: _, restores: __, ...rest }) => rest);
          assert.deepEqual(found, lines, `${name} on ${cpu}`);
          assert.ok(lines.length > 0);
        }
      }
    }
  });

  it('have the spills that llc-22 writes there', async function () {
    needsLlc(this);
    const kernel = spilling();
    const options = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx942', '-x', 'mir', '-o', '-'];
    const run = runLlc([...options, '-start-before=machine-scheduler', '-stop-after=virtregrewriter,2'], kernel);
    assert.equal(run.status, 0, run.stderr);
    const expected = new Map<string, number>();
    for (const [, kind, line] of run.stdout.matchAll(
      /SI_SPILL_\w+?_(SAVE|RESTORE)\b.*debug-location !DILocation\(line: (\d+)/g,
    )) {
      const key = `${line} ${kind}`;
      expected.set(key, (expected.get(key) ?? 0) + 1);
    }
    assert.ok(expected.size >= 2, [...expected.keys()].join(', '));
    const lines = (await linesOf(kernel, '--mcpu=gfx942', '--mtriple=amdgcn-amd-amdhsa', '--model=llvm-22')).get('f')!;
    const found = new Map<string, number>();
    for (const { line, saves, restores } of lines) {
      if (saves! > 0) found.set(`${line} SAVE`, saves!);
      if (restores! > 0) found.set(`${line} RESTORE`, restores!);
    }
    assert.deepEqual(new Map([...found].sort()), new Map([...expected].sort()));
  });
});

/** Values that do not fit: defined on line 3, used from line 8 on. */
function spilling(): string {
  const n = 140;
  const ids = Array.from({ length: n }, (_, k) => k);
  const attributes =
    'attributes #0 = { "amdgpu-num-vgpr"="64" "amdgpu-flat-work-group-size"="1,1024" "amdgpu-no-agpr" }';
  return TEXT.replace('@f() {', '@f() #0 {')
    .replace('  !llvm.dbg.cu', `  ${attributes}\n  !llvm.dbg.cu`)
    .replace(/^ {4}%0:[^]*? {4}S_ENDPGM/m, () => {
      const defs = ids.map(
        (k) => `    %${k}:vgpr_32 = DS_READ_B32_gfx9 %${2 * n}, ${4 * k}, 0, implicit $exec, debug-location !5\n`,
      );
      const loads = ids.map(
        (k) =>
          `    %${n + k}:vgpr_32 = V_ADD_F32_e64 0, %${k}, 0, %${(k + 70) % n}, 0, 0, implicit $mode, implicit $exec, debug-location !7\n`,
      );
      const uses = ids.map((k) => `    S_NOP 0, implicit %${n + k}, implicit %${k}, debug-location !5\n`);
      const address = `    %${2 * n}:vgpr_32 = IMPLICIT_DEF\n`;
      return `${address}${defs.join('')}${loads.join('')}${uses.join('')}    S_ENDPGM`;
    });
}

/** Lines by function, of the pass's report: numbers stand on the line of the instruction, its place behind a semicolon. */
function fromReport(report: string): Map<string, object[]> {
  const functions = new Map<
    string,
    Map<
      string,
      { file: string; line: number; inlinedAt: string[] | null; maxVgpr: number; maxSgpr: number; instructions: number }
    >
  >();
  let name = '';
  for (const text of report.split('\n')) {
    name = /^name:\s+(\S+)/.exec(text)?.[1] ?? name;
    const found = /^\s*(\d+)\s+(\d+)\s+(\S.*debug-location.*)$/.exec(text);
    if (found === null || /^DBG_/.test(found[3]!)) continue;
    const [place, ...calls] = sourcePlaces(found[3]!.slice(found[3]!.lastIndexOf(';') + 1));
    const { file, line } = place!;
    const inlinedAt =
      calls.length === 0 ? null : calls.map((c) => `${c.file}:${c.line}${c.column === 0 ? '' : `:${c.column}`}`);
    const lines = functions.get(name) ?? new Map();
    functions.set(name, lines);
    const key = JSON.stringify([file, line, inlinedAt]);
    const own = lines.get(key) ?? { file, line, inlinedAt, maxVgpr: 0, maxSgpr: 0, instructions: 0 };
    own.maxVgpr = Math.max(own.maxVgpr, Number(found[2]));
    own.maxSgpr = Math.max(own.maxSgpr, Number(found[1]));
    own.instructions++;
    lines.set(key, own);
  }
  const order = (l: { file: string; line: number; inlinedAt: string[] | null }): string =>
    `${l.file}\u0000${String(l.line).padStart(9)}\u0000${(l.inlinedAt ?? []).join('\n')}`;
  return new Map(
    [...functions].map(([fn, lines]) => [fn, [...lines.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1))]),
  );
}
