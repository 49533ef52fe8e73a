/** What is found when registers have been allocated: spills at their definitions, lanes that are not moved. And what costs a wave, or was never written. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { laneLossFindings } from '../../../../server/src/features/diagnostics/spillFindings.js';
import { toLspDiagnostics } from '../../../../server/src/features/diagnostics/diagnostics.js';
import { snapshotOfFile } from '../../../../server/src/cli/fileSnapshot.js';
import type { FunctionView } from '../../../../server/src/features/snapshot/snapshot.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/program/settings.js';
import { targetOfFile } from '../../../../server/src/program/targetOfFile.js';
import { TestFile } from '../../../../server/src/program/testFile/testFile.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { needsLlc, runLlc } from '../../../support/llc.js';

const SPILL = readFileSync(join(__dirname, '..', '..', '..', '..', 'examples', 'spill.mir'), 'utf8');
const OWN = /^(?:spilled|mask-pressure|waterfall-pressure|spill-loses-lanes|undefined-part)$/;

function snapshotOf(text: string, cpu = 'gfx900'): ReturnType<typeof snapshotOfFile> {
  const target = { ...targetOfFile(new TestFile(text), DEFAULT_SETTINGS.target), cpu };
  return snapshotOfFile(text, target, 'llvm-22', { pressureDiagnostics: true });
}

function found(text: string, isAllocated = true): string[] {
  const snapshot = snapshotOf(text);
  if (isAllocated) for (const view of snapshot.functions) view.allocate(NEVER_CANCELLED);
  return toLspDiagnostics(snapshot)
    .filter(({ code }) => OWN.test(String(code)))
    .map(({ range, code, message, relatedInformation = [] }) => {
      const lines = relatedInformation.map(({ location }) => location.range.start.line + 1);
      return `${range.start.line + 1} ${String(code)} [${lines.join()}]: ${String(message)}`;
    });
}

const mir = (body: string, attributes = ''): string => `--- |
  define amdgpu_kernel void @f() #0 { ret void }
  attributes #0 = { "amdgpu-flat-work-group-size"="64,64" ${attributes} }
...
---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
  scratchRSrcReg: '$sgpr96_sgpr97_sgpr98_sgpr99'
  stackPtrOffsetReg: '$sgpr32'
body: |
  bb.0:
${body}    S_ENDPGM 0
...
`;

const lineOf = (text: string, piece: string): number => text.slice(0, text.indexOf(piece)).split('\n').length;

describe('findings about what llc ends with', () => {
  it('name a spilled value at its definition, as often as llc-22 saves and reloads, with what would help', function () {
    needsLlc(this);
    const words = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-x', 'mir', '-start-before=machine-scheduler'];
    const { stdout } = runLlc([...words, '-stop-after=virtregrewriter,2', '-o', '-'], SPILL);
    const count = (pattern: RegExp): number => stdout.match(pattern)?.length ?? 0;
    assert.deepEqual([count(/SI_SPILL_V32_SAVE/g), count(/SI_SPILL_V32_RESTORE/g)], [1, 1]);
    const [first, ...others] = found(SPILL).filter((line) => line.includes('spilled'));
    assert.deepEqual(others, []);
    const line = lineOf(SPILL, '%x19:vgpr_32 =');
    assert.match(
      first,
      new RegExp(
        `^${line} spilled \\[\\d+\\]: llc spills %x19: 1 save, 1 reload; "amdgpu-waves-per-eu"="10,10" leaves`,
      ),
    );
    assert.match(first, /leaves the function 24 VGPRs of 256: another value gives it more$/);
    // The value that is saved is the one that this line defines.
    const body = stdout.slice(stdout.indexOf('body:'));
    const saved = /SI_SPILL_V32_SAVE (?:killed )?(?:renamable )?\$(vgpr\d+)/.exec(body)!;
    const defined = body
      .slice(0, saved.index)
      .trim()
      .split('\n')
      .reverse()
      .find((l) => l.includes(`$${saved[1]} =`))!;
    const own = SPILL.split('\n')
      [line - 1].replace(/^.*?= /, '')
      .replace(/%\w+.*$/, '')
      .trim();
    assert.ok(defined.includes(own), `${defined} / ${own}`);
  });

  it('are silent as long as nobody has allocated, and where nothing is spilled', () => {
    assert.deepEqual(found(SPILL, false), []);
    assert.deepEqual(found(SPILL.replace('"10,10"', '"1,4"')), []);
  });

  describe('about parts that nothing has written', () => {
    const part = (name: string, k: number): string =>
      `    ${k === 0 ? 'undef ' : ''}%${name}.sub${k}:sgpr_128 = S_MOV_B32 ${k + 1}\n`;
    const load =
      '    %v:vgpr_32 = BUFFER_LOAD_DWORD_OFFSET %d, 0, 0, 0, 0, implicit $exec :: (load (s32))\n    S_NOP 0, implicit %v\n';

    it('name them at the descriptor, which llc-22 and its verifier take', function () {
      needsLlc(this);
      const text = mir([0, 1].map((k) => part('d', k)).join('') + load);
      const [line, ...others] = found(text);
      assert.deepEqual(others, []);
      const at = lineOf(text, 'BUFFER_LOAD');
      assert.match(
        line,
        new RegExp(`^${at} undefined-part .*: nothing has written sub2 and sub3 of %d, and this reads all of it`),
      );
      const words = [
        '-mtriple=amdgcn-amd-amdhsa',
        '-mcpu=gfx900',
        '-x',
        'mir',
        '-run-pass=none',
        '-verify-machineinstrs',
      ];
      const run = runLlc([...words, '-o', '-'], text);
      assert.deepEqual([run.status, run.stderr], [0, '']);
    });

    it('are silent where all is written, on some path at least, and where arithmetic reads half of a pair', () => {
      assert.deepEqual(found(mir([0, 1, 2, 3].map((k) => part('d', k)).join('') + load)), []);
      const pair =
        '    undef %p.sub0:vreg_64 = V_MOV_B32_e32 1, implicit $exec\n    %q:vreg_64 = V_LSHLREV_B64_e64 1, %p, implicit $exec\n    S_NOP 0, implicit %q\n';
      assert.deepEqual(found(mir(pair)), []);
      const path = `${[0, 1, 2].map((k) => part('d', k)).join('')}    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    %d.sub3:sgpr_128 = S_MOV_B32 4
  bb.2:
${load}`;
      assert.deepEqual(found(mir(path)), []);
    });
  });

  it('name lane masks where they hold what the next wave needs', () => {
    const n = 38;
    const values = [...Array(n).keys()];
    const text = (masks: number): string => {
      const own = [...Array(masks).keys()];
      return mir(
        `    %l:vgpr_32 = IMPLICIT_DEF\n${own.map((k) => `    %m${k}:sreg_64 = V_CMP_EQ_U32_e64 ${k}, %l, implicit $exec\n`).join('')}` +
          values.map((k) => `    %s${k}:sreg_64 = IMPLICIT_DEF\n`).join('') +
          [...own.map((k) => `%m${k}`), ...values.map((k) => `%s${k}`)]
            .map((v) => `    S_NOP 0, implicit ${v}\n`)
            .join(''),
      );
    };
    const [line, ...others] = found(text(5)).filter((l) => l.includes('mask-pressure'));
    assert.deepEqual(others, []);
    assert.match(
      line,
      /lane masks cost a wave: %m0, %m1, %m2, %m3 and 1 more hold 10 of the 86 SGPRs that live here, and 10 waves need 6 fewer/,
    );
    assert.deepEqual(
      found(text(0)).filter((l) => l.includes('mask-pressure')),
      [],
    );
  });

  it('name a waterfall loop where its operands hold what the next wave needs', () => {
    const text = (filler: number): string => {
      const values = [...Array(filler).keys()];
      return mir(`    liveins: $vgpr0
    %x:vgpr_32 = COPY $vgpr0
    %y:vgpr_32 = V_ADD_U32_e32 1, %x, implicit $exec
${values.map((k) => `    %v${k}:vgpr_32 = V_ADD_U32_e32 ${k + 2}, %x, implicit $exec\n`).join('')}    %all:sreg_64 = COPY $exec
  bb.1:
    successors: %bb.1, %bb.2
    %a:sgpr_32 = V_READFIRSTLANE_B32 %x, implicit $exec
    %b:sgpr_32 = V_READFIRSTLANE_B32 %y, implicit $exec
    %c:sreg_64_xexec = V_CMP_EQ_U32_e64 %a, %x, implicit $exec
    %same:sreg_64 = S_AND_SAVEEXEC_B64 %c, implicit-def $exec, implicit-def dead $scc, implicit $exec
    %r:vgpr_32 = V_ADD_U32_e64 %b, %y, 0, implicit $exec
    S_NOP 0, implicit %r, implicit %x, implicit %y
    $exec = S_XOR_B64_term $exec, %same, implicit-def dead $scc
    SI_WATERFALL_LOOP %bb.1, implicit $exec
  bb.2:
    $exec = COPY %all
${values.map((k) => `    S_NOP 0, implicit %v${k}\n`).join('')}`);
    };
    const [line, ...others] = found(text(22)).filter((l) => l.includes('waterfall'));
    assert.deepEqual(others, []);
    assert.match(line, new RegExp(`^${lineOf(text(22), '%a:sgpr_32')} waterfall-pressure`));
    assert.match(
      line,
      /the waterfall loop at bb\.1 costs a wave: what it makes uniform \(%x, %y\) holds 2 of the 25 VGPRs that live at its peak, and 10 waves need 1 fewer/,
    );
    assert.deepEqual(
      found(text(28)).filter((l) => l.includes('waterfall')),
      [],
    );
  });

  it('tell of a copy in a divergent region whose value is read from other lanes outside of it', () => {
    const text = mir(`    liveins: $vgpr0
    %x:vgpr_32 = COPY $vgpr0
    %c:sreg_64 = V_CMP_EQ_U32_e64 0, %x, implicit $exec
    %saved:sreg_64 = COPY $exec, implicit-def $exec
    %some:sreg_64 = S_AND_B64 %saved, %c, implicit-def dead $scc
    $exec = S_MOV_B64_term %some
    S_CBRANCH_EXECZ %bb.2, implicit $exec
  bb.1:
    S_NOP 0, implicit %x
  bb.2:
    $exec = S_OR_B64 $exec, %saved, implicit-def dead $scc
    %lane:sreg_32 = V_READLANE_B32 %x, 3
    S_NOP 0, implicit %lane
`);
    const snapshot = snapshotOf(text);
    const [view] = snapshot.functions as readonly FunctionView[];
    const fn = view.fn!;
    const instr = (piece: string): number => {
      for (let i = 0; i < fn.nInstrs; i++) {
        const { start, end } = fn.source!.instrRange(i);
        if (text.slice(view.start + start, view.start + end).includes(piece)) return i;
      }
      return -1;
    };
    const x = [...Array(fn.vregs.n).keys()].find((v) => fn.vregs.name[v] === 'x')!;
    const told = (kind: 'copy' | 'rematerialized', before: number): string[] => {
      const inserted = [{ instr: fn.nInstrs, kind, run: 'vgpr', vreg: x, block: 0, after: -1, before }];
      const knownAllocation = { errors: [], inserted };
      const fake = Object.create(view, {
        knownAllocation: { value: knownAllocation },
        memory: { value: { of: (_: unknown, make: () => unknown) => make() } },
      }) as FunctionView;
      return laneLossFindings(fake, snapshot).map(({ message }) => message);
    };
    const [message] = told('copy', instr('S_NOP 0, implicit %x'));
    assert.match(
      message,
      new RegExp(`^%x is copied by llc beside this, .* line ${lineOf(text, 'V_READLANE')} reads it from other lanes`),
    );
    assert.deepEqual(told('copy', instr('V_READLANE_B32')), []);
    assert.deepEqual(told('rematerialized', instr('S_NOP 0, implicit %x')), []);
  });
});
