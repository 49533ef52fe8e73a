/** Functions whose branches jump over code of known and less known sizes: what branch-relaxation is about. */
import { createSubtarget } from '../../server/src/target/subtarget.js';
import type { Random } from './damageInputs.js';
import { runLlcOnText } from './schedule.js';

/** What lies between branches; a letter stands for a register, `?` for a number. Processors take what they have. */
const CODE = `
S_NOP 0
S1 = S_MOV_B32 ?
S1 = S_ADD_I32 S1, ?, implicit-def $scc
S2 = S_MOV_B64 ?
S1 = S_MOVK_I32 17
S1 = S_LOAD_DWORD_IMM S2, 0, 0
S1 = S_BFE_U32 S1, ?, implicit-def $scc
S_CMP_LG_U32 S1, ?, implicit-def $scc
S_SETREG_IMM32_B32 3, 2177, implicit-def $mode, implicit $mode
S_WAITCNT 0
S_SLEEP 1
V1 = V_MOV_B32_e32 ?, implicit $exec
V1 = V_MOV_B32_e64 ?, implicit $exec
V1 = V_ADD_F32_e32 ?, V1, implicit $mode, implicit $exec
V1 = V_ADD_F32_e64 0, ?, 0, V1, 0, 0, implicit $mode, implicit $exec
V1 = V_FMA_F32_e64 0, ?, 0, V1, 0, V1, 0, 0, implicit $mode, implicit $exec
V1 = V_MADAK_F32 V1, V1, ?, implicit $mode, implicit $exec
V1 = V_FMAAK_F32 V1, V1, ?, implicit $mode, implicit $exec
V1 = V_FMAMK_F32 V1, ?, V1, implicit $mode, implicit $exec
V1 = V_ADD_F16_e32 ?, V1, implicit $mode, implicit $exec
V1 = V_PK_ADD_F16 8, ?, 8, V1, 0, 0, 0, 0, 0, implicit $mode, implicit $exec
V2 = V_FMA_F64_e64 0, ?, 0, V2, 0, V2, 0, 0, implicit $mode, implicit $exec
V2 = V_MOV_B64_e32 ?, implicit $exec
V2 = V_MOV_B64_PSEUDO ?, implicit $exec
V2 = V_ADD_F64_e64 0, ?, 0, V2, 0, 0, implicit $mode, implicit $exec
V2 = V_LSHLREV_B64_e64 ?, V2, implicit $exec
V2 = V_PK_FMA_F32 8, V2, 8, V2, 11, V2, 0, 0, 0, 0, 0, implicit $mode, implicit $exec
$vgpr1 = V_MOV_B32_dpp $vgpr1, V1, 1, 15, 15, 1, implicit $exec
$vgpr1 = V_ADD_F32_dpp $vgpr1, 0, V1, 0, V1, 1, 15, 15, 1, implicit $mode, implicit $exec
$vgpr1 = V_ADD_F32_e64_dpp $vgpr1, 0, V1, 0, V1, 0, 0, 1, 15, 15, 1, implicit $mode, implicit $exec
V1 = V_ADD_U32_sdwa 0, V1, 0, V1, 0, 6, 0, 6, 5, implicit $exec
V_CMP_EQ_U32_e32 ?, V1, implicit-def $vcc, implicit $exec
V_CMP_EQ_U32_e32 ?, V1, implicit-def $vcc_lo, implicit $exec
S2 = V_CMP_EQ_U32_e64 V1, ?, implicit $exec
V1 = V_CNDMASK_B32_e32 ?, V1, implicit $vcc, implicit $exec
S1 = V_READFIRSTLANE_B32 V1, implicit $exec
S1 = V_READLANE_B32 V1, 3
V_NOP_e32 implicit $exec
V1, V1 = V_DUAL_MUL_F32_e32_X_ADD_F32_e32_gfx11 V1, V1, V1, V1, implicit $mode, implicit $exec
V1 = DS_READ_B32_gfx9 V1, 0, 0, implicit $exec
V1 = BUFFER_LOAD_DWORD_OFFSET S4, S1, 0, 0, 0, implicit $exec
V1 = GLOBAL_LOAD_DWORD V2, 0, 0, implicit $exec
GLOBAL_STORE_DWORDX4 V2, V4, 0, 0, implicit $exec
V1 = FLAT_LOAD_DWORD V2, 0, 0, implicit $exec, implicit $flat_scr
V1 = IMAGE_SAMPLE_V1_V4_nsa_gfx10 V1, V1, V1, V1, S8, S4, 15, 0, 0, 0, 0, 0, 0, 0, 0, implicit $exec
V1 = IMAGE_SAMPLE_V1_V3_nsa_gfx10 V1, V1, V1, S8, S4, 15, 0, 0, 0, 0, 0, 0, 0, 0, implicit $exec
V1 = IMAGE_SAMPLE_V1_V2_gfx11 V2, S8, S4, 15, 0, 0, 0, 0, 0, 0, 0, 0, implicit $exec
EXP 32, V1, V1, V1, V1, 0, 0, 15, implicit $exec
$agpr0_agpr1_agpr2_agpr3 = V_MFMA_F32_4X4X1F32_e64 V1, V1, $agpr0_agpr1_agpr2_agpr3, 0, 0, 0, implicit $mode, implicit $exec
$vgpr0_vgpr1_vgpr2_vgpr3_vgpr4_vgpr5_vgpr6_vgpr7 = V_WMMA_F32_16X16X16_F16_twoaddr_w32 8, V8, 8, V8, 8, $vgpr0_vgpr1_vgpr2_vgpr3_vgpr4_vgpr5_vgpr6_vgpr7, 0, 0, 0, implicit $exec
KILL V1
DBG_VALUE V1, $noreg
$vgpr1 = IMPLICIT_DEF
CFI_INSTRUCTION offset $vgpr40, 4
S_BARRIER
WAVE_BARRIER
SCHED_BARRIER 0
S_DELAY_ALU 1
SI_MASKED_UNREACHABLE
INLINEASM &"", 1
INLINEASM &"s_nop 0", 1
INLINEASM &"s_nop 0; s_nop 1\\0A ; comment\\0A\\0As_nop 2", 1
INLINEASM &" // nothing\\0A/* or */ s_nop 0", 1
INLINEASM &".space 12", 1
INLINEASM &"s_nop 0\\0A .space 7 + 2\\0A.space 0x10", 1
S2 = SI_PC_ADD_REL_OFFSET 4, 8, implicit-def dead $scc
S2 = S_GETPC_B64
V1 = V_ACCVGPR_READ_B32_e64 $agpr1, implicit $exec
V_SWAP_B32 $vgpr1, $vgpr2, implicit $exec
`;

const NUMBERS = [
  '0',
  '64',
  '65',
  '-16',
  '-17',
  '77777',
  '1065353216',
  '1045220557',
  '15360',
  '5066',
  '4607182418800017408',
  '4607182418800017409',
  '-4294967296',
  'S1',
  'V1',
];
const CONDITIONS = ['SCC0', 'SCC1', 'VCCZ', 'VCCNZ', 'EXECZ', 'EXECNZ'];

/** Draws an instruction that a processor has, as llc's verifier takes it. */
function codeOf(random: Random, cpu: string, features: string): () => string {
  const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, `-mattr=${features}`, '-run-pass=none', '-o', '-'];
  const subtarget = createSubtarget('amdgcn-amd-amdhsa', cpu, features);
  const taken = new Map<string, boolean>();
  const isTaken = (line: string): boolean => {
    const opcode = /(?:= )?([A-Z][A-Za-z0-9_]+)(?: |$)/.exec(line)![1]!;
    // llc dies of an instruction without an encoding.
    if (subtarget.mcOpcode(subtarget.tables.opcodeByName(opcode)) < 0) return false;
    const text = `---\nname: f\nbody: |\n  bb.0:\n    ${named(line, () => 0)}\n    S_ENDPGM 0\n...\n`;
    return runLlcOnText(args, text).status === 0;
  };
  const lines = CODE.split('\n').filter((line) => line !== '');
  return () => {
    for (;;) {
      const line = random.pick(lines).replace('?', () => random.pick(NUMBERS));
      if (!taken.has(line)) taken.set(line, isTaken(line));
      if (taken.get(line) === true) return named(line, (k) => random.below(k));
    }
  };
}

function named(line: string, below: (n: number) => number): string {
  return line.replace(/\b([VS])(\d+)\b(?!_)/g, (_, kind: string, n: string) => {
    const [letter, count] = [kind.toLowerCase(), Number(n)];
    const step = kind === 'S' ? (count > 2 ? 4 : count) : count === 1 ? 1 : 2;
    const first = below(Math.floor(16 / step)) * step;
    return `$${Array.from({ length: count }, (_, k) => `${letter}gpr${first + k}`).join('_')}`;
  });
}

/** `n` functions for a processor, `f0`, `f1`, ... */
export function branchyFunctions(random: Random, n: number, [cpu, features]: readonly [string, string]): string[] {
  const instr = codeOf(random, cpu, features);
  return Array.from({ length: n }, (_, k) => new Branchy(random, instr).text(`f${k}`));
}

class Branchy {
  constructor(
    private readonly random: Random,
    private readonly instr: () => string,
  ) {}

  text(name: string): string {
    const { random } = this;
    const n = 2 + random.below(7);
    const tracks = random.chance(50);
    const allAreLive = tracks && random.chance(15);
    const reserved = random.chance(15) ? `  longBranchReservedReg: '$sgpr${2 * random.below(20)}_sgpr%'\n` : '';
    const more = Array.from({ length: random.below(4) }, () => `$sgpr${16 + random.below(8)}`);
    const blocks = Array.from({ length: n }, (_, b) =>
      this.block(b, n, tracks ? this.liveIns(allAreLive ? 52 : 8, more) : []),
    );
    const info = reserved.replace(/sgpr(\d+)_sgpr%/, (_, r: string) => `sgpr${r}_sgpr${Number(r) + 1}`);
    return (
      `---\nname: ${name}\n${random.chance(30) ? `alignment: ${random.pick([1, 4, 8, 64, 256])}\n` : ''}` +
      `${tracks ? 'tracksRegLiveness: true\n' : ''}${info === '' ? '' : `machineFunctionInfo:\n${info}`}body: |\n${blocks.join('\n')}\n...\n`
    );
  }

  /** The verifier wants registers that are read to be live. */
  private liveIns(nPairs: number, more: readonly string[]): string[] {
    const pairs = Array.from({ length: nPairs }, (_, k) => `$sgpr${2 * k}_sgpr${2 * k + 1}`);
    const vectors = Array.from({ length: 16 }, (_, k) => `$vgpr${k}`);
    return [...new Set([...pairs, ...vectors, '$vcc', '$scc', '$agpr0_agpr1_agpr2_agpr3', ...more])];
  }

  private block(b: number, n: number, liveIns: readonly string[]): string {
    const { random } = this;
    const target = (): number => 1 + random.below(n - 1);
    const ends: string[] = [];
    const targets = new Set<number>();
    const isLast = b + 1 === n;
    if (random.chance(70)) {
      const to = target();
      const on = random.pick(CONDITIONS);
      const reg = on.startsWith('SCC') ? 'scc' : on.startsWith('VCC') ? 'vcc' : 'exec';
      ends.push(
        `S_CBRANCH_${on} %bb.${to}, implicit ${random.pick(['', 'undef ', liveIns.length > 0 ? '' : 'killed '])}$${reg}`,
      );
      targets.add(to);
    }
    if (random.chance(35)) {
      let to = target();
      // llc dies of two branches to one block.
      while (targets.has(to) && !random.chance(10)) to = target();
      ends.push(`S_BRANCH %bb.${to}`);
      targets.add(to);
    } else if (isLast) {
      ends.push('S_ENDPGM 0');
      if (ends.length === 2) {
        ends.shift();
        targets.clear();
      }
    } else targets.add(b + 1);
    const lines = [`  bb.${b}${random.chance(15) ? ` (align ${random.pick([8, 64, 256])})` : ''}:`];
    if (targets.size > 0) lines.push(`    successors: ${[...targets].map((t) => `%bb.${t}`).join(', ')}`);
    if (liveIns.length > 0) lines.push(`    liveins: ${liveIns.join(', ')}`);
    for (let k = random.below(14); k > 0; k--) {
      if (!random.chance(5)) lines.push(`    ${this.instr()}`);
      else lines.push('    BUNDLE {', ...[1, 2, 3].map(() => `      ${this.instr()}`), '    }');
    }
    return [...lines, ...ends.map((line) => `    ${line}`)].join('\n');
  }
}
