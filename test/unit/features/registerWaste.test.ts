/** Registers that an allocated function reaches against its values at once: registers from llc-22's own allocation, values by construction. */
import { strict as assert } from 'node:assert';
import { registerWaste } from '../../../server/src/analysis/registerWaste.js';
import { provideAllocationExplanation } from '../../../server/src/features/allocation/explainAllocation.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { readSettings } from '../../../server/src/program/settings.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';

const URI = 'file:///waste.mir';
const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900'];
const CUT = ['-start-before=greedy,0', '-stop-after=virtregrewriter,2'];

/** Values of a class by number; each is defined by one instruction and read by a later one. */
const define = (rc: string, ids: readonly number[]): string =>
  ids.map((id) => `    S_NOP 0, implicit-def %${id}:${rc}\n`).join('');
const read = (ids: readonly number[]): string => `    S_NOP 0${ids.map((id) => `, implicit %${id}`).join('')}\n`;
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

const CALL = '    $sgpr30_sgpr31 = SI_CALL undef $sgpr4_sgpr5, 0, csr_amdgpu\n';

const mir = (body: string): string => `# RUN: llc ${ARGS.join(' ')} ${CUT.join(' ')} -o - %s
--- |
  define void @f() "amdgpu-waves-per-eu"="1,1" "amdgpu-flat-work-group-size"="1,64" { ret void }
...
---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
  stackPtrOffsetReg: '$sgpr32'
body: |
  bb.0:
${body}    S_ENDPGM 0
...
`;

/** `values`: most that live at once of each file. */
const CASES: readonly (readonly [
  what: string,
  text: string,
  values: Readonly<Record<string, number>>,
  lines: readonly string[],
])[] = [
  [
    'a leaf that leaves a stripe out',
    mir(define('vgpr_32', range(0, 45)) + read(range(0, 45))),
    { vgpr: 45 },
    ['53 VGPRs for 45 values at once: 8 callee-saved not used, each would be saved ($vgpr40-$vgpr47)'],
  ],
  [
    'two stripes',
    mir(define('vgpr_32', range(0, 60)) + read(range(0, 60))),
    { vgpr: 60 },
    [
      '84 VGPRs for 60 values at once: 24 callee-saved not used, each would be saved ($vgpr40-$vgpr47, $vgpr56-$vgpr63, $vgpr72-$vgpr79)',
    ],
  ],
  ['as many as there are values', mir(define('vgpr_32', range(0, 12)) + read(range(0, 12))), { vgpr: 12 }, []],
  [
    'values across a call',
    mir(define('vgpr_32', range(0, 3)) + CALL + read(range(0, 3))),
    { vgpr: 3 },
    [
      '43 VGPRs for 3 values at once: 40 caller-saved not used, calls overwrite them ($vgpr0-$vgpr39); 1 whole-wave register in addition',
    ],
  ],
  [
    'tuples across a call beside others',
    mir(define('vreg_64', range(0, 5)) + CALL + define('vgpr_32', range(5, 9)) + read(range(0, 9))),
    { vgpr: 14 },
    [
      '58 VGPRs for 14 values at once: 44 caller-saved not used, calls overwrite them ($vgpr4-$vgpr39, $vgpr48-$vgpr55); 1 whole-wave register in addition',
    ],
  ],
];

/** VGPRs that instructions of a text name, those left out that a register mask or `wwmReservedRegs` names. */
function vgprsIn(text: string): Set<number> {
  const body = text.slice(text.indexOf('bb.0:')).replaceAll(/CustomRegMask\([^)]*\)/g, '');
  const wholeWave = new Set(
    [...text.slice(0, text.indexOf('bb.0:')).matchAll(/^ +- '\$vgpr(\d+)'/gm)].map(([, n]) => n),
  );
  const named = [...body.matchAll(/[$_]vgpr(\d+)/g)].map(([, n]) => n);
  return new Set(named.filter((n) => !wholeWave.has(n)).map(Number));
}

describe('registers reached against values at once', () => {
  for (const [what, text, values, lines] of CASES)
    it(`tell of ${what}`, function () {
      const host = new AnalysisHost(false, Infinity);
      host.configure(readSettings({ target: { cpu: 'gfx900' } }));
      host.open(URI, 1, text);
      const answer = provideAllocationExplanation(
        host.snapshot(URI)!,
        { textDocument: { uri: URI }, position: { line: 12, character: 0 } },
        NEVER_CANCELLED,
      );
      assert.ok(typeof answer === 'string');
      assert.deepEqual(
        answer
          .split('\n')
          .filter((line) => line.includes(' at once'))
          .filter((line) => line.includes('VGPR')),
        lines,
      );
      needsLlc(this);
      const llc = runLlc([...ARGS, '-x', 'mir', ...CUT, '-o', '-'], text);
      assert.equal(llc.status, 0, llc.stderr);
      const used = vgprsIn(llc.stdout);
      const waste = registerWaste(lowerMir(llc.stdout)[0]!).find(({ file }) => file === 'vgpr')!;
      assert.equal(waste.reach, Math.max(...used) + 1, "llc's highest register");
      assert.equal(waste.live, values['vgpr']);
      const unused = waste.calleeSaved.length + waste.callerSaved.length + waste.reserved.length;
      assert.equal(unused, range(0, waste.reach).filter((n) => !used.has(n)).length, 'what llc leaves out');
      assert.equal(waste.reach, waste.live + unused + waste.freeThere);
    });
});

/** A function that is allocated already, whose blocks these are. */
const allocated = (blocks: string): string => mir('').replace(/ {2}bb\.0:\n {4}S_ENDPGM 0\n/, () => blocks);

/** Blocks; most VGPRs with a value at one time, and the highest that code names plus one. */
const COUNTS: readonly (readonly [what: string, blocks: string, live: number, reach: number])[] = [
  [
    'one after the other: what is made is not there before',
    range(0, 4)
      .map((n) => `    S_NOP 0, implicit-def $vgpr${n}\n    S_NOP 0, implicit $vgpr${n}\n`)
      .join(''),
    1,
    4,
  ],
  ['results that nobody reads', '    S_NOP 0, implicit-def dead $vgpr0, implicit-def dead $vgpr1_vgpr2\n', 3, 3],
  ['results beside what goes through', '    S_NOP 0, implicit-def dead $vgpr7\n    S_NOP 0, implicit $vgpr2\n', 2, 8],
  ['what is read and written at once', '    $vgpr3 = V_MOV_B32_e32 $vgpr3, implicit $exec\n', 1, 4],
  ['a read of nothing', '    S_NOP 0, implicit undef $vgpr6\n    S_NOP 0, implicit $vgpr0\n', 1, 7],
  ['not a debug value', '    DBG_VALUE $vgpr9, $noreg\n    S_NOP 0, implicit $vgpr0\n', 1, 1],
  ['a half as a register', '    S_NOP 0, implicit $vgpr4_lo16\n    S_NOP 0, implicit $vgpr4_hi16\n', 1, 5],
  [
    'a part of a tuple made anew',
    '    S_NOP 0, implicit-def $vgpr1\n    S_NOP 0, implicit $vgpr0_vgpr1_vgpr2\n    S_NOP 0, implicit-def dead $vgpr0_vgpr1\n',
    3,
    3,
  ],
];

describe('values at once', () => {
  const counted = (text: string): unknown => {
    const waste = registerWaste(lowerMir(text)[0]!).find(({ file }) => file === 'vgpr');
    return waste && [waste.live, waste.reach];
  };
  for (const [what, code, live, reach] of COUNTS)
    it(`are ${what}`, () =>
      assert.deepEqual(
        counted(allocated(`  bb.0:\n    liveins: $vgpr0, $vgpr1, $vgpr2, $vgpr3, $vgpr4\n\n${code}    S_ENDPGM 0\n`)),
        [live, reach],
      ));

  it('are told of the files that code uses', () => {
    const files = (code: string): string[] =>
      registerWaste(lowerMir(allocated(`  bb.0:\n${code}    S_ENDPGM 0\n`))[0]!).map(({ file }) => file);
    assert.deepEqual(files(''), []);
    assert.deepEqual(files('    S_NOP 0, implicit-def $vgpr0\n'), ['vgpr']);
    assert.deepEqual(files('    S_NOP 0, implicit undef $sgpr8\n'), ['sgpr']);
  });

  it('are what the successors are given, whatever stands after in the text', () => {
    const begin = '  bb.0:\n    successors: %bb.2, %bb.1\n\n    S_NOP 0, implicit-def $vgpr0_vgpr1_vgpr2\n';
    const branch = '    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n';
    const wide = '  bb.1:\n    S_NOP 0, implicit-def dead $vgpr4_vgpr5\n    S_NOP 0, implicit-def dead $vgpr6_vgpr7\n';
    const end =
      '    S_ENDPGM 0\n  bb.2:\n    liveins: $vgpr0, $vgpr1, $vgpr2\n\n    S_NOP 0, implicit $vgpr0\n    S_ENDPGM 0\n';
    assert.deepEqual(counted(allocated(begin + branch + wide + end)), [3, 8]);
    assert.deepEqual(counted(allocated(begin.replace(' $vgpr0_vgpr1_vgpr2', ' $vgpr0') + branch + wide + end)), [3, 8]);
    assert.deepEqual(counted(allocated(begin + branch + wide + end.replace(/ {4}liveins.*\n/, ''))), [3, 8]);
  });
});
