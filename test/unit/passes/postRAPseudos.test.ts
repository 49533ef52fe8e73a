/** postrapseudos as llc-22: copies between registers of all kinds and sizes, near and far, and each pseudo instruction (docs/llvm/small-passes.md, 7). */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';

const CPUS = ['tahiti', 'gfx803', 'gfx900', 'gfx908', 'gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1200', 'gfx1250'];

const tuple = (kind: string, first: number, n: number): string =>
  `$${Array.from({ length: n }, (_, k) => `${kind}gpr${first + k}`).join('_')}`;

/** First registers of source and result: apart, overlapping either way, of even and odd numbers. */
const PLACES = [
  [4, 40],
  [40, 4],
  [41, 5],
  [6, 7],
  [9, 8],
  [8, 10],
];
const SIZES = [1, 2, 3, 4, 5, 8, 16];
/** SGPR tuples stand at multiples of four, or two for a pair. */
const sgprAt = (at: number, n: number): number => (n === 1 ? at : n === 2 ? at & ~1 : at & ~3);

function copies(cpu: string): string[] {
  const hasAGPRs = /gfx9(?:08|0a|42)/.test(cpu);
  const aligns = /gfx9(?:0a|42)|gfx125/.test(cpu);
  const kinds = ['s', 'v', ...(hasAGPRs ? ['a'] : [])];
  const lines: string[] = [];
  for (const to of kinds)
    for (const from of kinds) {
      if (to === 's' && from !== 's') continue;
      for (const n of SIZES)
        for (const [a, b] of PLACES)
          for (const kill of ['', 'killed ']) {
            const at = (kind: string, k: number): number =>
              kind === 's' ? sgprAt(k, n) : aligns && n > 1 ? k & ~1 : k;
            const [result, source] = [tuple(to, at(to, b), n), tuple(from, at(from, a), n)];
            if (n === 5 && (to === 's' || from === 's') && cpu === 'tahiti') continue;
            lines.push(`${result} = COPY ${kill}${source}`);
          }
    }
  lines.push(
    '$scc = COPY $sgpr3',
    '$scc = COPY killed $sgpr2_sgpr3',
    '$sgpr3 = COPY $scc',
    '$sgpr2_sgpr3 = COPY $scc',
    '$vcc = COPY $sgpr2_sgpr3',
    '$m0 = COPY $sgpr2',
    '$vgpr3_vgpr4 = COPY $exec, implicit $exec'.replace('3_vgpr4', aligns ? '4_vgpr5' : '3_vgpr4'),
    '$sgpr2_sgpr3 = COPY $sgpr2_sgpr3',
    '$sgpr2_sgpr3 = COPY $sgpr2_sgpr3, implicit-def $sgpr0_sgpr1_sgpr2_sgpr3',
    '$vgpr3 = COPY undef $vgpr4',
    'dead $vgpr3 = COPY $vgpr4',
    '$vgpr4 = COPY killed $vgpr6, implicit killed $vgpr4_vgpr5, implicit-def $vgpr4_vgpr5, implicit killed $vgpr8',
    `${tuple('v', 2, 2)} = COPY ${tuple('v', 6, 2)}, implicit killed $vgpr2, implicit killed $vgpr3, implicit killed $vgpr9`,
    ...(/gfx1[12]/.test(cpu) ? ['$vgpr2_lo16 = COPY killed $vgpr2, implicit killed $vgpr2, implicit $exec'] : []),
    '$vgpr2_vgpr3 = SUBREG_TO_REG 0, killed $vgpr4, %subreg.sub0',
    '$vgpr2_vgpr3 = SUBREG_TO_REG 0, $vgpr2, %subreg.sub0',
    'dead $vgpr2_vgpr3 = SUBREG_TO_REG 0, $vgpr4, %subreg.sub1',
  );
  return lines;
}

const PSEUDOS = [
  '$vgpr2_vgpr3 = V_MOV_B64_PSEUDO 0, implicit $exec',
  '$vgpr2_vgpr3 = V_MOV_B64_PSEUDO 4575657222473777152, implicit $exec',
  '$vgpr2_vgpr3 = V_MOV_B64_PSEUDO 12884901891, implicit $exec',
  '$vgpr2_vgpr3 = V_MOV_B64_PSEUDO 305419896, implicit $exec',
  '$vgpr2_vgpr3 = V_MOV_B64_PSEUDO 1311768467294899695, implicit $exec',
  '$vgpr2_vgpr3 = V_MOV_B64_PSEUDO -2, implicit $exec',
  '$vgpr2_vgpr3 = V_MOV_B64_PSEUDO $vgpr4_vgpr5, implicit $exec',
  '$vgpr2_vgpr3 = V_MOV_B64_PSEUDO killed $sgpr4_sgpr5, implicit $exec',
  '$sgpr2_sgpr3 = S_MOV_B64_IMM_PSEUDO 64',
  '$sgpr2_sgpr3 = S_MOV_B64_IMM_PSEUDO 4294967295',
  '$sgpr2_sgpr3 = S_MOV_B64_IMM_PSEUDO -17',
  '$sgpr2_sgpr3 = S_MOV_B64_IMM_PSEUDO 4607182418800017408',
  '$sgpr2_sgpr3 = S_MOV_B64_IMM_PSEUDO 1311768467294899695',
  'renamable $vgpr2 = V_SET_INACTIVE_B32 1, killed $vgpr4, 2, killed $vgpr5, killed WAVEMASK, implicit $exec',
  '$vgpr2 = V_SET_INACTIVE_B32 0, 5, 0, 7, undef WAVEMASK, implicit $exec, implicit killed $vgpr7',
  '$sgpr2_sgpr3 = S_GETPC_B64_pseudo',
  '$vgpr3 = SI_SPILL_S32_TO_VGPR killed $sgpr4, 3, $vgpr3',
  '$sgpr4 = SI_RESTORE_S32_FROM_VGPR $vgpr3, 3',
  '$sgpr2_sgpr3 = SI_PC_ADD_REL_OFFSET 8, 0, implicit-def dead $scc',
  '$vgpr0_vgpr1 = V_INDIRECT_REG_WRITE_GPR_IDX_B32_V2 $vgpr0_vgpr1, killed $vgpr3, killed $sgpr4, 3, implicit-def $m0, implicit $m0, implicit $exec',
  '$vgpr3 = V_INDIRECT_REG_READ_GPR_IDX_B32_V2 $vgpr0_vgpr1, killed $sgpr4, 3, implicit-def $m0, implicit $m0, implicit $exec',
];
const ENDS = ['S_ENDPGM 0', 'SI_RETURN', 'SI_RETURN implicit killed $vgpr0, implicit $vgpr1'];

const fnOf = (name: string, lines: readonly string[]): string =>
  `---\nname: ${name}\nbody: |\n  bb.0:\n${lines.map((line) => `    ${line}\n`).join('')}...\n`;

describe('postrapseudos, as llc-22', () => {
  for (const cpu of CPUS)
    it(`copies and pseudo instructions on ${cpu}`, function () {
      needsLlc(this);
      const fns = copies(cpu).map((line, k) => fnOf(`copy${k}`, [line, 'S_ENDPGM 0']));
      const mask = cpu.startsWith('gfx1') ? '$sgpr6' : '$sgpr6_sgpr7';
      PSEUDOS.forEach((line, k) => fns.push(fnOf(`pseudo${k}`, [line.replace('WAVEMASK', mask), 'S_ENDPGM 0'])));
      ENDS.forEach((line, k) => fns.push(fnOf(`end${k}`, [line])));
      const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-run-pass=postrapseudos', '-simplify-mir'];
      const { differs, llc } = runLlcJob({ name: cpu, text: fns.join(''), args });
      assert.equal(llc.status, 0, llc.stderr.slice(0, 300));
      assert.equal(differs, null);
    });

  it('copies and moves of 64 bits, as LLVM 24', function () {
    needsLlc24(this);
    this.timeout(CPUS.length * 30_000);
    const documents = (out: string): string => out.slice(out.indexOf('\n---\n'));
    // Copies between the files alone: those above have pseudo instructions that LLVM 24 does not know.
    const jobs = CPUS.map((cpu) => ({
      text: [...copies(cpu).slice(0, -17), ...PSEUDOS.slice(0, 13)]
        .map((line, k) => fnOf(`f${k}`, [line, 'S_ENDPGM 0']))
        .join(''),
      args: ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-run-pass=postrapseudos', '-simplify-mir'],
    }));
    for (const [k, { status, stdout, stderr }] of runLlc24(jobs).entries()) {
      const { text, args } = jobs[k]!;
      assert.equal(status, 0, stderr.slice(0, 300));
      const ours = runLlcOnText(['--model=llvm-24', ...args, '-o', '-'], text);
      assert.equal(documents(ours.stdout), documents(stdout), args[1]);
    }
  });
});
