/** Functions of random blocks that branch to each other, with few different instructions, so that blocks are alike: for passes that merge, move and split blocks. */
import type { Random } from './damageInputs.js';

const INSTRS = [
  '$sgpr0 = S_MOV_B32 1',
  '$sgpr1 = S_MOV_B32 $sgpr0',
  '$sgpr1 = S_MOV_B32 undef $sgpr0',
  '$sgpr2_sgpr3 = S_MOV_B64 $sgpr0_sgpr1',
  'S_CMP_EQ_U32 $sgpr0, $sgpr1, implicit-def $scc',
  '$sgpr0 = S_ADD_I32 killed $sgpr0, $sgpr1, implicit-def $scc',
  '$vgpr0 = V_MOV_B32_e32 $sgpr0, implicit $exec',
  '$vgpr1 = V_ADD_U32_e64 $vgpr0, killed $vgpr1, 0, implicit $exec',
  '$vgpr1 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 0, 0, implicit $exec :: (load (s32), addrspace 1)',
  '$vgpr1 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 0, 0, implicit $exec :: (load (s32), align 2, addrspace 1)',
  'GLOBAL_STORE_DWORD $vgpr2_vgpr3, $vgpr1, 0, 0, implicit $exec',
  '$vcc = S_AND_B64 $exec, $sgpr2_sgpr3, implicit-def $scc',
  'S_NOP 0',
  'INLINEASM &"", 1',
  'DBG_VALUE $vgpr0, $noreg',
];

const CONDITIONS = [
  'S_CBRANCH_SCC0 %, implicit $scc',
  'S_CBRANCH_SCC1 %, implicit $scc',
  'S_CBRANCH_VCCNZ %, implicit $vcc',
  'S_CBRANCH_EXECZ %, implicit $exec',
];

const LIVE_INS = '$sgpr0_sgpr1, $sgpr2_sgpr3, $vgpr0, $vgpr1, $vgpr2_vgpr3, $scc, $vcc';

const LAST = ['S_ENDPGM 0', 'S_ENDPGM 0, implicit $vgpr0', 'SI_RETURN_TO_EPILOG $vgpr0'];

/** The block's end, and where it goes. */
function endOf(random: Random, b: number, n: number): { readonly lines: string[]; readonly to: number[] } {
  const any = (): number => 1 + random.below(n - 1);
  const falls = b + 1 < n;
  const kind = random.below(falls ? 6 : 4);
  const condition = (to: number): string => random.pick(CONDITIONS).replace('%', `%bb.${to}`);
  if (kind === 0) return { lines: [random.pick(LAST)], to: [] };
  if (kind === 1) {
    const to = any();
    return { lines: [`S_BRANCH %bb.${to}`], to: [to] };
  }
  if (kind <= 3) {
    const [first, second] = [any(), any()];
    return { lines: [condition(first), `S_BRANCH %bb.${second}`], to: [first, second] };
  }
  if (kind === 4) return { lines: [], to: [b + 1] };
  const to = any();
  return { lines: [condition(to)], to: [to, b + 1] };
}

/** `more`: other instructions; `length`: how many a block has at most. */
export function randomBlocks(random: Random, name: string, more: readonly string[] = [], length = 5): string {
  const instrs = [...INSTRS.filter(() => random.chance(40)), ...more];
  const n = 2 + random.below(8);
  const tracks = random.chance(70);
  const blocks = Array.from({ length: n }, (_, b) => {
    const { lines, to } = endOf(random, b, n);
    const unique = [...new Set(to)];
    const weights = unique.map(() => 1 + random.below(7));
    const hasWeights = random.chance(50);
    const successors = unique.map((s, k) => `%bb.${s}${hasWeights ? `(${weights[k]})` : ''}`).join(', ');
    const body = Array.from({ length: random.below(length + 1) }, () => random.pick(['S_NOP 1', ...instrs]));
    return [
      `  bb.${b}:`,
      ...(unique.length > 0 ? [`    successors: ${successors}`] : []),
      ...(tracks ? [`    liveins: ${LIVE_INS}`] : []),
      ...[...body, ...lines].map((line) => `    ${line}`),
    ].join('\n');
  });
  return `---\nname: ${name}\ntracksRegLiveness: ${tracks}\nbody: |\n${blocks.join('\n')}\n...\n`;
}
