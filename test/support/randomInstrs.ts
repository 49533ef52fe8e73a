/** Functions of random instructions in a few registers, after allocation, with loops and bundles: what no compiler would put together. */
import { Random } from './damageInputs.js';
import { runLlcOnText } from './schedule.js';

/** Processors and features. */
export const RANDOM_CPUS = [
  ['tahiti', ''],
  ['gfx700', ''],
  ['gfx803', ''],
  ['gfx803', '+xnack'],
  ['gfx900', ''],
  ['gfx902', '+xnack'],
  ['gfx908', ''],
  ['gfx90a', ''],
  ['gfx942', ''],
  ['gfx950', ''],
  ['gfx1010', ''],
  ['gfx1010', '+wavefrontsize64'],
  ['gfx1030', ''],
  ['gfx1100', ''],
  ['gfx1100', '+wavefrontsize64'],
  ['gfx1150', '+wavefrontsize64'],
  ['gfx1200', ''],
  ['gfx1250', ''],
] as const;

/** Letters before a number of registers: V, S, A; `?` is a small number. A line may name the processors that it is for. */
const COMMON = `
S1 = S_MOV_B32 ?
S2 = S_MOV_B64 S2
S1 = S_ADD_I32 S1, S1, implicit-def $scc
$m0 = S_MOV_B32 S1
$exec = S_MOV_B64 S2
$exec_lo = S_MOV_B32 S1
$vcc = S_MOV_B64 S2
S1 = S_LOAD_DWORD_IMM S2, 0, 0
S2 = S_LOAD_DWORDX2_IMM S2, 0, 0
S1 = S_BUFFER_LOAD_DWORD_IMM S4, 0, 0
V1 = V_MOV_B32_e32 V1, implicit $exec
V1 = V_MOV_B32_e32 S1, implicit $exec
V1 = V_ADD_F32_e32 V1, V1, implicit $mode, implicit $exec
V1 = V_RCP_F32_e32 V1, implicit $mode, implicit $exec
V1 = V_EXP_F32_e32 V1, implicit $mode, implicit $exec
$vcc = V_CMP_EQ_U32_e64 V1, V1, implicit $exec
S2 = V_CMP_EQ_U32_e64 V1, V1, implicit $exec
V_CMP_EQ_U32_e32 V1, V1, implicit-def $vcc, implicit $exec
V_CMPX_EQ_U32_nosdst_e32 V1, V1, implicit-def $exec, implicit $exec
V1 = V_CNDMASK_B32_e64 0, V1, 0, V1, S2, implicit $exec
V1 = V_CNDMASK_B32_e32 V1, V1, implicit $vcc, implicit $exec
V1 = V_DIV_FMAS_F32_e64 0, V1, 0, V1, 0, V1, 0, 0, implicit $vcc, implicit $mode, implicit $exec
V2 = V_LSHLREV_B64_e64 V1, V2, implicit $exec
V2 = V_LSHRREV_B64_e64 V1, V2, implicit $exec
V2 = V_FMA_F64_e64 0, V2, 0, V2, 0, V2, 0, 0, implicit $mode, implicit $exec
S1 = V_READLANE_B32 V1, S1
S1 = V_READFIRSTLANE_B32 V1, implicit $exec
V1 = V_WRITELANE_B32 S1, S1, V1
V1 = V_MOV_B32_dpp V1, V1, 1, 15, 15, 1, implicit $exec
V1 = V_ADD_U32_sdwa 0, V1, 0, V1, 0, 5, 2, 6, 5, implicit $exec, implicit V1(tied-def 0)
V1 = V_ADD_U32_sdwa 0, V1, 0, V1, 0, 6, 0, 6, 5, implicit $exec
V1 = V_MAD_MIXHI_F16 0, V1, 0, V1, 0, V1, 0, 0, 0, V1, implicit $mode, implicit $exec
V1 = V_PERMLANE16_B32_e64 0, V1, 0, S1, 0, S1, V1, 0, implicit $exec
V_NOP_e32 implicit $exec
V1 = DS_READ_B32_gfx9 V1, 0, 0, implicit $exec
DS_WRITE_B32_gfx9 V1, V1, 0, 0, implicit $exec
DS_GWS_INIT V1, 0, implicit $m0, implicit $exec
V1 = BUFFER_LOAD_DWORD_OFFSET S4, S1, 0, 0, 0, implicit $exec
BUFFER_STORE_DWORDX4_OFFSET V4, S4, S1, 0, 0, 0, implicit $exec
BUFFER_STORE_DWORDX4_OFFSET_exact V4, S4, 0, 0, 0, 0, implicit $exec
BUFFER_STORE_DWORD_OFFEN V1, V1, S4, 0, 6, 0, 0, implicit $exec
V1 = GLOBAL_LOAD_DWORD V2, 0, 0, implicit $exec
GLOBAL_STORE_DWORDX4 V2, V4, 0, 0, implicit $exec
GLOBAL_ATOMIC_ADD_F32 V2, V1, 0, 0, implicit $exec
FLAT_STORE_DWORD V2, V1, 0, 0, implicit $exec, implicit $flat_scr
V1 = FLAT_LOAD_DWORD V2, 0, 0, implicit $exec, implicit $flat_scr
V1 = IMAGE_SAMPLE_V1_V4_nsa_gfx10 V1, V1, V1, V1, S8, S4, 15, 0, 0, 0, 0, 0, 0, 0, 0, implicit $exec
EXP 32, undef V1, V1, undef V1, V1, 0, 0, 15, implicit $exec
S_SETREG_B32 S1, ?, implicit-def $mode, implicit $mode
S_SETREG_IMM32_B32 3, ?, implicit-def $mode, implicit $mode
S1 = S_GETREG_B32 ?, implicit $mode
S_RFE_B64 S2, implicit-def $exec
S_SENDMSG 3, implicit $exec, implicit $m0
S_DENORM_MODE 1, implicit-def $mode, implicit $mode
S_NOP ?
S_WAITCNT 0
S_WAITCNT ?
S_WAITCNT 49279
S_WAITCNT_DEPCTR 65283
S_WAITCNT_DEPCTR 65438
S_WAITCNT_VSCNT undef $sgpr_null, 0
S_SETPRIO 1
S1 = S_MOVRELS_B32 S1, implicit $m0
V1 = V_INTERP_P1_F32 V1, 0, 0, implicit $mode, implicit $m0, implicit $exec
KILL V1
DBG_VALUE V1, $noreg
INLINEASM &"", 1, 10, def V1
`;
const MATRIX = `
A1 = V_ACCVGPR_WRITE_B32_e64 V1, implicit $exec
V1 = V_ACCVGPR_READ_B32_e64 A1, implicit $exec
A4 = V_MFMA_F32_4X4X1F32_e64 V1, V1, A4, 0, 0, 0, implicit $mode, implicit $exec
A16 = V_MFMA_F32_16X16X1F32_e64 V1, V1, A16, 0, 0, 0, implicit $mode, implicit $exec
A4 = V_MFMA_F32_4X4X4F16_e64 V2, V2, A4, 0, 0, 0, implicit $mode, implicit $exec
A16 = V_MFMA_F32_32X32X8F16_e64 V2, V2, A16, 0, 0, 0, implicit $mode, implicit $exec
V1 = V_DOT4_I32_I8 0, V1, 0, V1, 0, V1, 0, 0, 0, 0, 0, implicit $exec
V1 = V_DOT2_F32_F16 0, V1, 0, V1, 0, V1, 0, 0, 0, 0, 0, implicit $mode, implicit $exec
`;
const MATRIX_90A = `
V4 = V_MFMA_F32_4X4X1F32_vgprcd_e64 V1, V1, V4, 0, 0, 0, implicit $mode, implicit $exec
V4 = V_MFMA_F32_4X4X4F16_vgprcd_e64 V2, V2, V4, 0, 0, 0, implicit $mode, implicit $exec
V4 = V_MFMA_F32_16X16X4F32_vgprcd_e64 V1, V1, V4, 0, 0, 0, implicit $mode, implicit $exec
V4 = V_MFMA_F32_16X16X16F16_vgprcd_e64 V2, V2, V4, 0, 0, 0, implicit $mode, implicit $exec
V2 = V_MFMA_F64_4X4X4F64_vgprcd_e64 V2, V2, V2, 0, 0, 0, implicit $mode, implicit $exec
V8 = V_MFMA_F64_16X16X4F64_vgprcd_e64 V2, V2, V8, 0, 0, 0, implicit $mode, implicit $exec
`;
const MATRIX_940 = `
V4 = V_MFMA_I32_16X16X32I8_vgprcd_e64 V2, V2, V4, 0, 0, 0, implicit $mode, implicit $exec
V4 = V_MFMA_F32_16X16X8XF32_vgprcd_e64 V2, V2, V4, 0, 0, 0, implicit $mode, implicit $exec
V4 = V_SMFMAC_F32_16X16X32_F16_e64 V2, V4, V1, 0, 0, V4, implicit $mode, implicit $exec
V1 = V_CVT_SR_FP8_F32_e64 0, V1, 0, V1, 4, V1, 0, implicit $mode, implicit $exec
`;
const DIRECT_11 = '\nV1 = LDS_DIRECT_LOAD 0, implicit $m0, implicit $exec\n';
const LATE_12 = `
V1 = DS_DIRECT_LOAD 0, 1, implicit $m0, implicit $exec
V8 = V_WMMA_F32_16X16X16_F16_w32_twoaddr 8, V4, 8, V4, 8, V8, 0, 0, implicit $exec
V8 = V_WMMA_F32_16X16X16_F16_w32_twoaddr 8, V4, 8, V4, 8, V8, 0, 0, 0, 0, implicit $exec
V8 = V_WMMA_F32_16X16X32_F16_w32_twoaddr 8, V8, 8, V8, 8, V8, 0, 0, 0, 0, implicit $exec
V8 = V_WMMA_F32_16X16X4_F32_w32_twoaddr 8, V2, 8, V2, 8, V8, 0, 0, 0, 0, implicit $exec
V8 = V_WMMA_I32_16X16X64_IU8_w32_twoaddr 8, V8, 8, V8, V8, 0, 0, 0, implicit $exec
V8 = V_SWMMAC_F32_16X16X32_F16_w32_twoaddr 8, V4, 8, V8, V8, V1, 0, implicit $exec
V8 = V_SWMMAC_F32_16X16X64_F16_w32_twoaddr 8, V8, 8, V16, V8, V1, 0, 0, 0, implicit $exec
S2 = S_GETPC_B64
S1 = S_MOV_B32 $src_flat_scratch_base_lo
$sgpr102 = S_MOV_B32 S1
S_SETREG_IMM32_B32 3, 1, implicit-def $mode, implicit $mode
`;
const LATE = `
V1 = V_PERMLANEX16_B32_e64 0, V1, 0, S1, 0, S1, V1, 0, implicit $exec
V8 = V_WMMA_F32_16X16X16_F16_twoaddr_w32 8, V8, 8, V8, 8, V8, 0, 0, 0, implicit $exec
V1 = V_FMA_F32_e64 0, V1, 0, V1, 0, V1, 0, 0, implicit $mode, implicit $exec
`;

const MATRIX_CPU = /gfx9(?:08|0a|42|50)/;
const allTemplates = (cpu: string, more: string): string[] =>
  [
    COMMON,
    more,
    MATRIX_CPU.test(cpu) ? MATRIX.repeat(3) : '',
    /gfx9(?:0a|42|50)/.test(cpu) ? MATRIX_90A.repeat(3) : '',
    /gfx9(?:42|50)/.test(cpu) ? MATRIX_940.repeat(3) : '',
    /gfx1[12]/.test(cpu) ? LATE.repeat(2) : '',
    /gfx11/.test(cpu) ? DIRECT_11.repeat(2) : '',
    /gfx12/.test(cpu) ? LATE_12.repeat(3) : '',
  ]
    .join('')
    .split('\n')
    .filter((line) => line !== '');

/** A template of a branch to block `N`: with some, functions have more blocks, which are shorter. */
const BRANCH = /^S_CBRANCH_.* %bb\.N/;

/** A template of registers that live into a block: with some, blocks have up to four of them. */
const LIVE_INS = /^liveins: /;

class Body {
  private readonly lines: readonly string[];
  private readonly liveIns: readonly string[];
  /** what blocks end with besides S_CBRANCH_SCC1 */
  private readonly branches: readonly string[];

  constructor(
    private readonly random: Random,
    templates: readonly string[],
  ) {
    this.lines = templates.filter((line) => !BRANCH.test(line) && !LIVE_INS.test(line));
    this.liveIns = templates.filter((line) => LIVE_INS.test(line));
    this.branches = templates.filter((line) => BRANCH.test(line));
  }

  private tuple(kind: string, n: number): string {
    const at = this.random.below(kind === 'S' ? 6 : 8);
    const first = n === 1 ? at : at & (kind === 'S' && n > 2 ? ~3 : ~1);
    const name = { S: 's', V: 'v', A: 'a' }[kind]!;
    return `$${Array.from({ length: n }, (_, k) => `${name}gpr${first + k}`).join('_')}`;
  }

  instr(): string {
    return this.filled(this.random.pick(this.lines));
  }

  private filled(line: string): string {
    return line
      .replace(/\b([VSA])(\d+)\b(?!_)/g, (_, kind: string, n: string) => this.tuple(kind, Number(n)))
      .replace('?', () => String(this.random.pick([0, 1, 2, 3, 5, 17, 20, 2049])));
  }

  private liveInsOf(b: number): string[] {
    if (this.liveIns.length === 0 || b === 0) return [];
    const regs = Array.from({ length: 1 + this.random.below(4) }, () =>
      this.filled(this.random.pick(this.liveIns).replace(LIVE_INS, '')),
    );
    return [`    liveins: ${[...new Set(regs)].join(', ')}`];
  }

  text(name: string): string {
    const { random } = this;
    const hasBranches = this.branches.length > 0;
    const nBlocks = (hasBranches ? 3 : 1) + random.below(3);
    const blocks: string[] = [];
    for (let b = 0; b < nBlocks; b++) {
      const isForward = hasBranches && b + 2 < nBlocks && random.chance(60);
      const other = isForward ? b + 2 : random.chance(40) ? random.below(b + 1) : -1;
      const targets = [b + 1 < nBlocks ? b + 1 : -1, other].filter((t) => t >= 0);
      const unique = [...new Set(targets)];
      const lines = [
        `  bb.${b}:`,
        ...(unique.length > 0 ? [`    successors: ${unique.map((t) => `%bb.${t}`).join(', ')}`] : []),
        ...this.liveInsOf(b),
      ];
      for (let n = hasBranches ? random.below(8) : 3 + random.below(14); n > 0; n--) {
        if (!random.chance(6)) lines.push(`    ${this.instr()}`);
        else lines.push('    BUNDLE {', ...[1, 2, 3].map(() => `      ${this.instr()}`), '    }');
      }
      if (unique.some((t) => t !== b + 1)) {
        const branch = hasBranches ? random.pick(this.branches) : 'S_CBRANCH_SCC1 %bb.N, implicit $scc';
        lines.push(`    ${branch.replace('bb.N', `bb.${unique.find((t) => t !== b + 1)}`)}`);
      }
      if (b + 1 === nBlocks) lines.push('    S_ENDPGM 0');
      blocks.push(lines.join('\n'));
    }
    return `---\nname: ${name}\nbody: |\n${blocks.join('\n')}\n...\n`;
  }
}

/** Waits and cache operations that the verifier takes anywhere, by the generation that has them. */
const GENERATIONS: readonly (readonly [instr: RegExp, cpu: RegExp])[] = [
  [/^S_WAITCNT_VSCNT/, /gfx1[01]/],
  [/^S_WAITCNT(?:_soft)? /, /tahiti|gfx[789]|gfx1[01]/],
  [/^(?:S_WAIT_[A-Z]|GLOBAL_INV|GLOBAL_WB )/, /gfx12/],
  [/^BUFFER_GL0_INV/, /gfx1[01]/],
  [/^BUFFER_WBINVL1/, /tahiti|gfx[789]/],
];
const isOfGeneration = (line: string, cpu: string): boolean =>
  GENERATIONS.every(([instr, has]) => !instr.test(line) || has.test(cpu));

/** Those that the processor has; the verifier, which equals llc's, says so. */
function templates(cpu: string, features: string, more: string): string[] {
  const isTaken = new Map<string, boolean>();
  return allTemplates(cpu, more).filter((line) => {
    if (BRANCH.test(line) || LIVE_INS.test(line)) return true;
    if (!isOfGeneration(line, cpu)) return false;
    let taken = isTaken.get(line);
    if (taken === undefined) {
      const body = new Body(new Random(7), [line]);
      const text = `---\nname: f\nbody: |\n  bb.0:\n    ${body.instr()}\n    S_ENDPGM 0\n...\n`;
      const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, `-mattr=${features}`, '-run-pass=none', '-o', '-'];
      taken = runLlcOnText(args, text).status === 0;
      isTaken.set(line, taken);
    }
    return taken;
  });
}

/** As many functions for a processor, named `f0`, `f1`, ... `more`: further templates. */
export function randomFunctions(
  random: Random,
  n: number,
  [cpu, features]: readonly [string, string],
  more = '',
): string[] {
  const body = new Body(random, templates(cpu, features, more));
  return Array.from({ length: n }, (_, k) => body.text(`f${k}`));
}

/** Templates: memory of all kinds, and waits that exist already. */
export const MEMORY_INSTRS = `
V2 = GLOBAL_LOAD_DWORDX2 V2, 4, 0, implicit $exec :: (load (s64), addrspace 1)
V4 = BUFFER_LOAD_DWORDX4_OFFSET S4, S1, 0, 0, 0, implicit $exec :: (load (s128), addrspace 1)
V1 = FLAT_LOAD_DWORD V2, 0, 0, implicit $exec, implicit $flat_scr :: (load (s32), addrspace 1)
V1 = FLAT_LOAD_DWORD V2, 0, 0, implicit $exec, implicit $flat_scr :: (load (s32), addrspace 3)
FLAT_STORE_DWORD V2, V1, 0, 0, implicit $exec, implicit $flat_scr :: (store (s32))
GLOBAL_STORE_DWORD V2, V1, 0, 0, implicit $exec :: (store (s32), addrspace 1)
V1 = SCRATCH_LOAD_DWORD_SADDR S1, 0, 0, implicit $exec, implicit $flat_scr :: (load (s32), addrspace 5)
SCRATCH_STORE_DWORD_SADDR V1, S1, 0, 0, implicit $exec, implicit $flat_scr :: (store (s32), addrspace 5)
V1 = GLOBAL_ATOMIC_ADD_RTN V2, V1, 0, 1, implicit $exec :: (load store monotonic (s32), addrspace 1)
V1 = DS_READ_B32_gfx9 V1, 4, 0, implicit $exec :: (load (s32), addrspace 3)
V2 = DS_READ2_B32_gfx9 V1, 0, 1, 0, implicit $exec :: (load (s64), align 4, addrspace 3)
DS_WRITE_B32_gfx9 V1, V1, 0, 0, implicit $exec :: (store (s32), addrspace 3)
V1 = DS_ADD_RTN_U32_gfx9 V1, V1, 0, 0, implicit $exec :: (load store monotonic (s32), addrspace 3)
S4 = S_LOAD_DWORDX4_IMM S2, 0, 0 :: (load (s128), addrspace 4)
S8 = S_LOAD_DWORDX8_IMM S2, 0, 0 :: (dereferenceable invariant load (s256), addrspace 4)
S2 = S_MEMTIME
V4 = IMAGE_SAMPLE_V4_V2 V2, S8, S4, 15, 0, 0, 0, 0, 0, 0, 0, implicit $exec
V4 = IMAGE_SAMPLE_V4_V2_gfx12 V1, V1, S8, S4, 15, 1, 0, 0, 0, 0, 0, 0, implicit $exec
V1 = IMAGE_LOAD_V1_V2 V2, S8, 15, 0, 0, 0, 0, 0, 0, 0, implicit $exec
EXP_DONE 12, V1, V1, V1, V1, 0, 0, 15, implicit $exec
EXP_DONE 33, V1, V1, V1, V1, 0, 0, 15, implicit $exec
S_BARRIER
S_WAITCNT_soft 0
S_WAITCNT_soft 3952
S_WAITCNT_VSCNT_soft undef $sgpr_null, 0
S_WAIT_LOADCNT_soft 0
S_WAIT_STORECNT_soft 0
S_WAIT_DSCNT_soft 0
S_WAIT_LOADCNT 1
S_WAIT_DSCNT 0
S_WAIT_LOADCNT_DSCNT 257
S_WAIT_KMCNT 0
GLOBAL_INV 8, implicit $exec
GLOBAL_WB 8, implicit $exec
BUFFER_GL0_INV implicit $exec
BUFFER_WBINVL1 implicit $exec
S_SENDMSG 3, implicit $exec, implicit $m0
S_SENDMSG 2, implicit $exec, implicit $m0
`;
