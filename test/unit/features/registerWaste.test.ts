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
      '43 VGPRs for 3 values at once: 40 caller-saved not used, calls overwrite them ($vgpr0-$vgpr39); 1 whole-wave register besides',
    ],
  ],
  [
    'tuples across a call beside others',
    mir(define('vreg_64', range(0, 5)) + CALL + define('vgpr_32', range(5, 9)) + read(range(0, 9))),
    { vgpr: 14 },
    [
      '58 VGPRs for 14 values at once: 44 caller-saved not used, calls overwrite them ($vgpr4-$vgpr39, $vgpr48-$vgpr55); 1 whole-wave register besides',
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
