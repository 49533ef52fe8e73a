/** Hover on registers, opcodes, blocks and header keys. */
import assert from 'node:assert/strict';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { provideDetails } from '../../../server/src/features/hover/details.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { HEADER_KEYS } from '../../../server/src/features/words/headerKeys.js';
import { atCursor, cursorIn } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const MIR = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            f
tracksRegLiveness: true
registers:
  - { id: 0, class: vgpr_32 }
machineFunctionInfo:
  isEntryFunction: true
  argumentInfo:
    workGroupIDX:    { reg: '$sgpr6' }
body:             |
  bb.0:
    successors: %bb.1(0x60000000), %bb.2(0x20000000)
    liveins: $vgpr0, $sgpr4_sgpr5

    %0 = COPY $vgpr0
    undef %pair.sub0:vreg_64 = COPY %0
    %pair.sub1:vreg_64 = V_ADD_U32_e32 %0, %pair.sub0, implicit $exec
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.1, %bb.2

    %0 = V_ADD_U32_e32 1, %0, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
    S_BRANCH %bb.2

  bb.2:
    S_ENDPGM 0, implicit %0, implicit %pair
...
`;

/** The part about what is under the cursor, markup and links taken out. */
function hover(at: string, section = 0, text = MIR): string[] {
  const { snapshot, position } = atCursor(cursorIn(text, at));
  const result = provideHover(snapshot, { position });
  if (!result) return [];
  const { value } = result.contents as { value: string };
  return value
    .split('\n\n---\n\n')
    [section]!.split('  \n')
    .map((line) => line.replaceAll(/\[((?:line )?\d+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, ''));
}

describe('hover on a register', () => {
  it('class, width, definitions, uses, live range, lanes', () => {
    assert.deepEqual(hover('implicit $0%pair'), [
      '%pair: vreg_64, 2 VGPRs (64 bits), divergent',
      'defined at 17, 18 · 2 uses: 18, 30',
      'divergent: it comes from V_ADD_U32_e32, which reads %0 (line 18); %0 is a copy of $vgpr0, the work-item (line 16); not in SSA form: one of the 2 instructions that write it is enough',
      'live in 3 of 3 blocks: bb.0 ░███  bb.1 ████  bb.2 ███░',
      'lanes live before: sub0, sub1 · after: none · can be rematerialized: no, it has several definitions',
    ]);
    assert.match(hover('%0, $0%pair')[4]!, /^lanes live before: sub0 · after: sub0, sub1 · /);
  });

  it('leaves the declaration out of the lines', () => {
    assert.deepEqual(hover('%bb.2\n\n    $0%0').slice(0, 2), [
      '%0: vgpr_32, 1 VGPR (32 bits), divergent',
      'defined at 16, 25 · 4 uses: 17, 18, 25, 30',
    ]);
  });

  it('physical registers with their assembler names and aliases', () => {
    assert.deepEqual(hover('$0$sgpr4_sgpr5'), [
      '$sgpr4_sgpr5: 2 SGPRs (64 bits), s[4:5] in assembly',
      'caller-saved here',
      'defined at 14 · never used',
    ]);
  });

  it('says what it can of a function that llc rejects', () => {
    const broken = MIR.replace('V_ADD_U32_e32', 'V_ADD_');
    assert.deepEqual(hover('implicit $0%pair', 0, broken).slice(0, 2), [
      '%pair: vreg_64, 2 VGPRs (64 bits), divergent',
      'defined at 17, 18 · 2 uses: 18, 30',
    ]);
  });

  it('the pressure of the line follows', () => {
    assert.match(hover('implicit $0%pair', 1)[0]!, /^VGPR 3 → 0/);
  });
});

describe('hover on an opcode', () => {
  it('what it is and costs, operands with classes and constants, implicit registers; encodings where no link leads to them', () => {
    const lines = hover('$0V_ADD_U32_e32');
    assert.equal(
      lines[0],
      'V_ADD_U32_e32 a + b, unsigned 32-bit · VALU, commutable, rematerializable · latency 1 cycle (model of gfx900)',
    );
    assert.equal(lines[1], 'vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $exec');
    assert.match(lines[2]!, /^encoded as V_ADD_U32_e32_gfx9 \(gfx9, gfx90a, gfx942\), .*, \.\.\.$/);
  });

  it('ties', () => {
    const text = MIR.replace('V_ADD_U32_e32 1, %0', 'V_MAC_F32_e32 1, %0, %0').replace(
      '%0, implicit $exec\n    S_CB',
      '%0, implicit $mode, implicit $exec\n    S_CB',
    );
    assert.match(hover('$0V_MAC_F32_e32', 0, text)[1]!, /src2 vgpr_32 \(tied to vdst\)/);
  });

  it('inline constants, and a processor without an encoding', () => {
    const text = MIR.replace('gfx900', 'gfx90a').replace(
      '%0 = COPY $vgpr0',
      '%0 = COPY $vgpr0\n    dead %acc:agpr_32 = V_ACCVGPR_WRITE_B32_e64 0, implicit $exec',
    );
    assert.match(hover('$0V_ACCVGPR', 0, text)[1]!, /src0 vs_32 or inline constant/);
    const old = hover('$0V_ADD_U32_e32', 0, MIR.replace('gfx900', 'gfx700'));
    assert.match(old[2]!, /^no encoding on gfx700, but on gfx9, /);
  });

  it('the rest is a report: flags, resources, all encodings and forms', () => {
    const { snapshot, position } = atCursor(cursorIn(MIR, '$0V_ADD_U32_e32'));
    const report = provideDetails(snapshot, { textDocument: { uri: '' }, position });
    assert.match(report, /^@f, line 18 \(bb\.0:2\)\ngfx900 wave64, LLVM 22\.1\.8\n/);
    assert.match(
      report,
      /\nlatency 1 cycle \(model of gfx900\); takes HWVALU; 1 micro-op\nencoded as V_ADD_U32_e32_gfx9 \(gfx9, gfx90a, gfx942\), .*\n/,
    );
    assert.match(report, /\nother forms: V_ADD_U32_e64/);
    assert.match(report, /\nVGPR 2 before, 3 at it \(amdgpu-print-rp\), 3 after; live peak of the function 3\n/);
    assert.match(
      report,
      /\n%0: vgpr_32, 1 VGPR \(32 bits\), divergent\n {2}defined at line 16, line 25\n {2}read at line 17, line 18, line 25, line 30\n/,
    );
    assert.match(report, /\nwaits for, latencies of the model\n {2}line 1[67]: Data %\w+, 1 cycle\n/);
    assert.match(
      provideDetails(snapshot, { textDocument: { uri: '' }, position: { line: 2, character: 0 } }),
      /^no instruction here\n$/,
    );
  });
});

describe('hover on a block', () => {
  it('live-ins and live-outs, frequency, loop, successors', () => {
    assert.deepEqual(hover('$0bb.1:'), [
      'bb.1: 3 instructions, runs 1.5x per call (estimate), header of a loop of depth 1',
      'live-in VGPR 3, SGPR 0: %0, %pair',
      'live-out VGPR 3, SGPR 0: %0, %pair',
      'goes to bb.1 50%, bb.2 50%; comes from bb.0, bb.1',
    ]);
    assert.equal(hover('S_CBRANCH_SCC1 $0%bb.2')[0], 'bb.2: 1 instruction, runs 1x per call, in no loop');
    assert.deepEqual(hover('$0bb.0:').slice(3), ['liveins: $vgpr0, $sgpr4_sgpr5', 'goes to bb.1 75%, bb.2 25%']);
  });
});

describe('hover on a header key', () => {
  it('what it means', () => {
    assert.deepEqual(hover('$0tracksRegLiveness'), ['tracksRegLiveness', HEADER_KEYS['tracksRegLiveness']]);
    assert.deepEqual(hover('$0isEntryFunction')[0], 'machineFunctionInfo.isEntryFunction');
    assert.deepEqual(hover('$0class')[0], 'registers.class');
    assert.deepEqual(hover('$0workGroupIDX')[1], 'Where the function finds its input workGroupIDX.');
  });

  it('nothing on a value or a comment', () => {
    assert.deepEqual(hover('$0vgpr_32'), []);
    assert.deepEqual(hover('# $0a comment', 0, `# a comment\n${MIR}`), []);
  });
});

describe('hover on the lines of a test', () => {
  const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler -misched=gcn-max-ilp -o - %s | FileCheck %s
# RUN: llc -mtriple=amdgcn -mcpu=gfx1100 -mattr=+wavefrontsize64 -stop-after=greedy -o - %s \\
# RUN:   | FileCheck --check-prefixes=CHECK,GFX11 %s
---
name:            f
body:             |
  bb.0:
    ; GFX11-NEXT: S_ENDPGM
    ; CHECK: S_ENDPGM
    ; REMARK: no prefix of any RUN line
    S_ENDPGM 0
...
`;

  it('what a RUN line would run', () => {
    assert.deepEqual(hover('$0llc', 0, TEST), [
      'llc for gfx900 wave64 (amdgcn)',
      'runs only machine-scheduler',
      'options: -misched=gcn-max-ilp',
      'all numbers of this file are for this target',
      'LLVM 22.1.8: chosen (amdgpu-mir.model is llvm-22)',
    ]);
    assert.deepEqual(hover('  | $0FileCheck', 0, TEST), [
      'llc for gfx1100 wave64 (amdgcn), +wavefrontsize64',
      'stops after greedy',
      'not the chosen target; its name in the list is gfx1100 +wavefrontsize64',
      'LLVM 22.1.8: chosen (amdgpu-mir.model is llvm-22)',
    ]);
  });

  it('what a CHECK line asks for, and of which RUN line', () => {
    assert.deepEqual(hover('$0S_ENDPGM', 0, TEST), [
      'GFX11-NEXT: on the line after the last match, this text',
      'checks the output of gfx1100 +wavefrontsize64 in line 2',
    ]);
    assert.deepEqual(
      hover('$0CHECK:', 0, TEST)[1],
      'checks the output of gfx900 in line 1, gfx1100 +wavefrontsize64 in line 2',
    );
    assert.deepEqual(hover('$0REMARK', 0, TEST), []);
  });
});

/** gfx900: 24 VGPRs for 10 waves, 80 SGPRs for 10 waves. */
const LIVE = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
---
name:            f
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body:             |
  bb.0:
    liveins: $vgpr0, $sgpr0_sgpr1

    %id:vgpr_32 = COPY $vgpr0
    %kernarg:sgpr_64 = COPY $sgpr0_sgpr1
    %three:vgpr_32 = V_MOV_B32_e32 3, implicit $exec
    %base:vgpr_32 = COPY %kernarg.sub0
    %mixed:vreg_64 = REG_SEQUENCE %base, %subreg.sub0, %id, %subreg.sub1
    %load:vreg_64 = GLOBAL_LOAD_DWORDX2 %mixed, 0, 0, implicit $exec :: (load (s64), addrspace 1)
    dead %unused:vgpr_32 = V_ADD_U32_e32 %id, %load.sub0, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.1:
    %sum:vgpr_32 = V_ADD_U32_e32 %three, %load.sub1, implicit $exec
    S_ENDPGM 0, implicit %sum, implicit %kernarg
...
`;

describe('hover on an instruction', () => {
  const at = (place: string): string[] => hover(place, 1, LIVE);

  it('says what it defines, kills and keeps alive', () => {
    const load = at('$0GLOBAL_LOAD');
    assert.ok(load.includes('defines %load vreg_64 (+2) · kills %mixed vreg_64 (-2)'), load.join('\n'));
    const dead = at('$0V_ADD');
    // The lanes of a tuple end one by one; a register that is never read takes none beyond the instruction.
    assert.ok(
      dead.includes('defines %unused vgpr_32 (never read) · kills %id vgpr_32 (-1), %load vreg_64 (-1)'),
      dead.join('\n'),
    );
    const tuple = at('$0REG_SEQUENCE');
    assert.ok(
      tuple.includes('defines %mixed vreg_64 (+2) · kills %base vgpr_32 (-1) · keeps alive %id vgpr_32'),
      tuple.join('\n'),
    );
  });

  it('its numbers are those that llc prints', function () {
    needsLlc(this);
    const args = [
      '-x',
      'mir',
      '-mtriple=amdgcn-amd-amdhsa',
      '-mcpu=gfx900',
      '-run-pass=amdgpu-print-rp',
      '-filetype=null',
    ];
    const { stdout, stderr } = runLlc(args, LIVE);
    const lines = (stdout + stderr).split('\n');
    const numbers = (l: string): string[] => l.trim().split(/\s+/).slice(0, 2);
    const rowsOf = (pattern: RegExp): [string[], string[], string[]] => {
      const row = lines.findIndex((l) => pattern.test(l));
      return [numbers(lines[row - 1]!), numbers(lines[row]!), numbers(lines[row + 1]!)];
    };
    const [[sBefore, vBefore], [, v], [, vAfter]] = rowsOf(/^ {4}\d+ +\d+ +%load/);
    assert.deepEqual([vBefore, v, vAfter], ['4', '4', '4']);
    assert.equal(at('$0GLOBAL_LOAD')[0], `VGPR ${v} of 24 for 10 waves · SGPR ${sBefore}`);
    // A result that is never read lives while the instruction runs.
    const [[, deadBefore], [, dead], [, deadAfter]] = rowsOf(/^ {4}\d+ +\d+ +dead %unused/);
    assert.equal(
      at('$0V_ADD')[0],
      Number(dead) > Number(deadBefore)
        ? `VGPR ${deadBefore} → ${deadAfter}, ${dead} while it runs of 24 for 10 waves · SGPR 2`
        : `VGPR ${deadBefore} → ${deadAfter} of 24 for 10 waves · SGPR 2`,
    );
  });

  it('the numbers stand beside what they are measured against; SGPRs where they can cost a wave', () => {
    const scalar = (cpu: string): string => {
      const many = Array.from({ length: 90 }, (_, k) => `    %s${k}:sreg_32 = S_MOV_B32 ${k}\n`).join('');
      const uses = Array.from({ length: 90 }, (_, k) => `, implicit %s${k}`).join('');
      const text = LIVE.replace('gfx900', cpu).replace('    S_ENDPGM 0', `${many}    S_ENDPGM 0${uses}`);
      return hover('%s89:sreg_32 = $0S_MOV_B32', 1, text).slice(0, 2).join('\n');
    };
    assert.match(
      scalar('gfx900'),
      /^VGPR 1 of 24 for 10 waves · SGPR 91 → 92 of 100 for 8 waves \(88 for 9: 4 too many\)\noccupancy 8 of 10, limited by SGPR here; next wave: -4 SGPR · live peak SGPR of the function/,
    );
    assert.match(scalar('gfx1030'), /^VGPR 1 of 64 for 16 waves · SGPR 91 → 92\noccupancy 16 of 16/);
  });

  it('names the place that limits the occupancy, and what it is here', () => {
    const many = Array.from({ length: 24 }, (_, i) => `    %m${i}:vgpr_32 = V_MOV_B32_e32 ${i}, implicit $exec\n`).join(
      '',
    );
    const uses = Array.from({ length: 24 }, (_, i) => `, implicit %m${i}`).join('');
    const text = LIVE.replace('    S_ENDPGM 0', `${many}    S_ENDPGM 0${uses}`);
    const line = hover('%sum:vgpr_32 = $0V_ADD_U32', 1, text).find((l) => l.startsWith('occupancy'));
    assert.equal(
      line,
      'occupancy 9 of 10, limited by VGPR in region 1 (bb.1); 10 here; next wave: -1 VGPR · live peak VGPR 25 at line 45',
    );
    const peak = hover('%m23:vgpr_32 = $0V_MOV_B32', 1, text);
    assert.equal(peak[0], 'VGPR 24 → 25 of 28 for 9 waves (24 for 10: 1 too many) · SGPR 2');
    assert.equal(
      peak[1],
      'occupancy 9 of 10, limited by VGPR here; next wave: -1 VGPR · live peak VGPR of the function',
    );
  });

  it('has two bold numbers, twelve lines at most, and links for clients that run commands', () => {
    const host = new AnalysisHost();
    for (const commandLinks of [false, true])
      for (const text of [LIVE, MIR]) {
        host.configure({ ...DEFAULT_SETTINGS, commandLinks });
        host.open('file:///a.mir', 1, text);
        const snapshot = host.snapshot('file:///a.mir')!;
        text.split('\n').forEach((content, line) => {
          for (let character = 0; character < content.length; character++) {
            const result = provideHover(snapshot, { position: { line, character } });
            if (!result) continue;
            const { value } = result.contents as { value: string };
            const lines = value.split('\n').filter((l) => l !== '');
            assert.ok(lines.length <= 12, `${line + 1}:${character} has ${lines.length} lines:\n${value}`);
            const section = value.split('\n\n---\n\n')[1];
            if (section?.includes('occupancy')) assert.equal(section.match(/\*\*[^*]+\*\*/g)?.length, 2, section);
            if (section?.includes('occupancy')) assert.equal(/\[why\]\(command:/.test(section), commandLinks);
          }
        });
      }
  });
});

describe('hover on a register: lanes', () => {
  const first = (place: string): string => hover(place, 0, LIVE)[0]!;

  it('uniform or divergent', () => {
    assert.match(first('COPY $0%kernarg'), /, uniform$/);
    assert.match(first('V_ADD_U32_e32 $0%three'), /, uniform$/);
    assert.match(first('REG_SEQUENCE $0%base'), /, uniform$/);
    assert.match(first('%subreg.sub0, $0%id'), /, divergent$/);
    assert.match(first('GLOBAL_LOAD_DWORDX2 $0%mixed'), /, divergent$/);
    assert.match(first('%id, $0%load'), /, divergent$/);
  });
});
