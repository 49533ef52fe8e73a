/**
 * Functions for advice on rematerialization, made at random: constants of one to four registers, used here and there over several blocks, some of
 * them in a loop. The same seed gives the same text.
 */
import assert from 'node:assert/strict';
import type { FunctionView, Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { RegKind } from '../../server/src/target/api.js';
import { openText } from './cursor.js';

export function random(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x100000000) * n);
  };
}

const KINDS = [
  (r: string, k: number) => `${r}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec`,
  (r: string, k: number) => `${r}:vreg_64 = V_MOV_B64_PSEUDO ${k}, implicit $exec`,
  (r: string, k: number) => `undef ${r}.sub1:vreg_64 = V_MOV_B32_e32 ${k}, implicit $exec`,
  (r: string, k: number) => `${r}:sreg_32 = S_MOV_B32 ${k}`,
  (r: string, k: number) => `${r}:sreg_64 = S_MOV_B64 ${k}`,
  (r: string, k: number) => `${r}:vgpr_32 = V_ADD_U32_e32 ${k}, %0, implicit $exec`,
  (r: string, k: number) => `early-clobber ${r}:vreg_64 = V_MOV_B64_PSEUDO ${k}, implicit $exec`,
  (r: string, k: number) => `${r}:agpr_32 = V_ACCVGPR_WRITE_B32_e64 ${k}, implicit $exec`,
  (r: string, k: number) => `${r}:av_32 = AV_MOV_B32_IMM_PSEUDO ${k}, implicit $exec`,
  (r: string, k: number) => `${r}:av_64_align2 = AV_MOV_B64_IMM_PSEUDO ${k}, implicit $exec`,
];

/** What a function is full of, on which processor, and which definitions are of that bank. */
interface Filling {
  readonly cpu: string;
  readonly fillers: readonly ((r: string) => string)[];
  readonly kinds: readonly number[];
  /** of the registers that are too many */
  readonly kind: RegKind | null;
}

export const FULL_OF: Readonly<Record<'VGPR' | 'SGPR' | 'AGPR' | 'both', Filling>> = {
  VGPR: {
    cpu: 'gfx908',
    fillers: [(r) => `${r}:vgpr_32 = V_MOV_B32_e32 7, implicit $exec, implicit-def $m0`],
    kinds: [0, 1, 2, 3, 4, 5, 6],
    kind: RegKind.VGPR,
  },
  SGPR: {
    cpu: 'gfx908',
    fillers: [(r) => `${r}:sreg_32 = S_MOV_B32 7, implicit-def $m0`],
    kinds: [3, 4, 3, 4, 0],
    kind: RegKind.SGPR,
  },
  AGPR: {
    cpu: 'gfx908',
    fillers: [(r) => `${r}:agpr_32 = V_ACCVGPR_WRITE_B32_e64 7, implicit $exec, implicit-def $m0`],
    kinds: [7, 7, 7, 0],
    kind: RegKind.AGPR,
  },
  both: {
    cpu: 'gfx90a',
    fillers: [
      (r) => `${r}:agpr_32 = V_ACCVGPR_WRITE_B32_e64 7, implicit $exec, implicit-def $m0`,
      (r) => `${r}:vgpr_32 = V_MOV_B32_e32 7, implicit $exec, implicit-def $m0`,
    ],
    kinds: [0, 7, 8, 9, 9],
    kind: null,
  },
};

/**
 * `n` constants, then `fill` values that live to the end of the second block, three blocks with users, the second one a loop. With `outside` much is
 * written where one boundary follows another, which is in no region.
 */
export function functionOf(seed: number, n: number, fill: number, outside = false, of: Filling = FULL_OF.VGPR): string {
  const rnd = random(seed);
  const isWide: boolean[] = [];
  const hasHalves: boolean[] = [];
  const body: string[] = ['  bb.0:', '    liveins: $vgpr0', '', '    %0:vgpr_32 = COPY $vgpr0'];
  for (let k = 1; k <= n; k++) {
    const kind = of.kinds[rnd(of.kinds.length)]!;
    isWide[k] = kind === 1 || kind === 4 || kind === 6 || kind === 9;
    hasHalves[k] = kind === 0 || kind === 3 || kind === 5;
    body.push(`    ${KINDS[kind]!(`%${k}`, k)}`);
    if (rnd(5) === 0) body.push(`    S_NOP 0, implicit %${k}`);
  }
  const fillers = Array.from({ length: fill }, (_, k) => `%${100 + k}`);
  const users = (): void => {
    for (let k = 1; k <= n; k++) {
      if (rnd(3) === 0) continue;
      const names = isWide[k] ? ['.sub0', '.sub1'] : hasHalves[k] ? ['.lo16', '.hi16'] : ['', ''];
      const sub = rnd(3) === 0 ? names[rnd(2)]! : '';
      body.push(`    S_NOP 0, implicit %${k}${sub}${rnd(4) === 0 ? ', implicit %0' : ''}`);
      if (rnd(4) !== 0) continue;
      body.push('    S_SETPRIO 1');
      if (outside) body.push(`    $exec = S_MOV_B64 -1, implicit-def dead %${300 + body.length}:vreg_512`);
    }
  };
  body.push('    S_BRANCH %bb.1', '', '  bb.1:');
  fillers.forEach((f, k) => body.push(`    ${of.fillers[k % of.fillers.length]!(f)}`));
  users();
  body.push('    S_BRANCH %bb.2', '', '  bb.2:', '    successors: %bb.2, %bb.3', '');
  for (const f of fillers) body.push(`    S_NOP 0, implicit ${f}`);
  users();
  body.push('    S_CBRANCH_SCC0 %bb.2, implicit undef $scc', '    S_BRANCH %bb.3', '', '  bb.3:');
  users();
  body.push('    S_NOP 0, implicit %0', '    S_ENDPGM 0', '');
  return `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${of.cpu} -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n${body.join('\n')}...\n`;
}

/** Definitions by class, each with what may be read of it; `rnd` chooses the details. */
const MIXED: readonly {
  readonly subs: readonly string[];
  readonly def: (r: string, k: number) => string;
}[] = [
  { subs: ['', '.lo16', '.hi16'], def: (r, k) => `${r}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec` },
  { subs: ['', '.sub0', '.sub1', '.sub1_lo16', '.hi16'], def: (r, k) => `${r}:vreg_64_align2 = V_MOV_B64_PSEUDO ${k}, implicit $exec` },
  { subs: ['.sub1'], def: (r, k) => `undef ${r}.sub1:vreg_64_align2 = V_MOV_B32_e32 ${k}, implicit $exec` },
  { subs: ['.sub17'], def: (r, k) => `undef ${r}.sub17:vreg_1024_align2 = V_MOV_B32_e32 ${k}, implicit $exec` },
  { subs: ['.sub16_sub17', '.sub17', '.sub17_lo16', '.sub16_hi16'], def: (r, k) => `undef ${r}.sub16_sub17:vreg_1024_align2 = V_MOV_B64_PSEUDO ${k}, implicit $exec` },
  { subs: [''], def: (r, k) => `${r}:sreg_32 = S_MOV_B32 ${k}` },
  { subs: ['', '.sub0', '.sub1'], def: (r, k) => `${r}:sreg_64 = S_MOV_B64 ${k}` },
  { subs: [''], def: (r, k) => `${r}:agpr_32 = V_ACCVGPR_WRITE_B32_e64 ${k}, implicit $exec` },
  { subs: [''], def: (r, k) => `${r}:av_32 = AV_MOV_B32_IMM_PSEUDO ${k}, implicit $exec` },
  { subs: ['', '.sub0', '.sub1'], def: (r, k) => `${r}:av_64_align2 = AV_MOV_B64_IMM_PSEUDO ${k}, implicit $exec` },
  { subs: [''], def: (r, k) => `${r}:vgpr_32 = V_ADD_U32_e32 ${k}, %0, implicit $exec` },
  { subs: [''], def: (r, k) => `${r}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec, implicit-def $m0` },
  { subs: ['', '.sub1'], def: (r, k) => `early-clobber ${r}:vreg_64_align2 = V_MOV_B64_PSEUDO ${k}, implicit $exec` },
  { subs: ['.sub2', '.sub3_lo16', '.sub2_sub3', '.sub3_hi16'], def: (r, k) => `undef ${r}.sub2_sub3:vreg_128_align2 = V_MOV_B64_PSEUDO ${k}, implicit $exec` },
]; // prettier-ignore

/** What PHIs read: never in parts. */
const PLAIN = { subs: [''], def: (r: string, k: number) => `${r}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec` };

/**
 * Values of all classes that live through a chain, loops and diamonds, with blocks that have no instruction; users that are PHIs, bundles,
 * terminators, debug instructions, or read nothing.
 */
export function mixedFunctionOf(seed: number): string {
  const rnd = random(seed);
  const cpu = ['gfx908', 'gfx90a', 'gfx942', 'gfx1030'][seed % 4]!;
  const kinds = MIXED.filter((_, k) => (cpu === 'gfx908' ? k < 8 || k > 9 : cpu === 'gfx1030' ? k < 7 || k > 9 : true));
  const n = 6 + rnd(24);
  const nBlocks = 3 + rnd(5);
  const isEmpty = Array.from({ length: nBlocks }, (_, b) => b > 0 && b < nBlocks - 1 && rnd(4) === 0);
  const subs: (readonly string[])[] = [];
  const lines: string[] = [];
  let next = 500;
  const mention = (k: number): string => `%${k}${subs[k]![rnd(subs[k]!.length)]!}`;
  const any = (): string => mention(1 + rnd(n));
  const use = (): void => {
    const kind = rnd(12);
    if (kind === 0) lines.push('    S_SETPRIO 1');
    else if (kind === 1) lines.push(`    S_NOP 0, implicit undef ${any()}`);
    else if (kind === 2) lines.push(`    DBG_VALUE ${any()}, $noreg`);
    else if (kind === 3) {
      const [a, c] = [any(), any()];
      lines.push(
        `    BUNDLE implicit ${a}, implicit ${c} {`,
        `      S_NOP 0, implicit ${a}`,
        `      S_NOP 1, implicit ${c}`,
        '    }',
      );
    } else if (kind === 4)
      lines.push(`    %${next++}:vgpr_32 = V_XOR_B32_e32 %0, %0, implicit $exec, implicit ${any()}`);
    else if (kind === 5)
      lines.push(`    early-clobber %${next++}:vreg_64_align2 = V_MOV_B64_PSEUDO 1, implicit $exec, implicit ${any()}`);
    else lines.push(`    S_NOP 0, implicit ${any()}${rnd(3) === 0 ? `, implicit ${any()}` : ''}`);
  };
  const edges = Array.from({ length: nBlocks }, (_, b) => {
    const to = b === nBlocks - 1 ? [] : [b + 1];
    const other = to.length === 0 || isEmpty[b] || b === 0 ? 2 : rnd(3);
    if (other === 0) to.push(1 + rnd(b));
    else if (other === 1 && b + 2 < nBlocks) to.push(b + 2);
    return to;
  });
  const plain: number[] = [];
  for (let b = 0; b < nBlocks; b++) {
    const isLast = b === nBlocks - 1;
    const to = edges[b]!;
    lines.push('', `  bb.${b}:`);
    if (to.length > 0) lines.push(`    successors: ${[...new Set(to)].map((t) => `%bb.${t}`).join(', ')}`);
    if (b === 0) lines.push('    liveins: $vgpr0');
    lines.push('');
    if (b === 0) {
      lines.push('    %0:vgpr_32 = COPY $vgpr0');
      for (let k = 1; k <= n; k++) {
        const kind = rnd(4) === 0 ? PLAIN : kinds[rnd(rnd(2) === 0 ? 2 : kinds.length)]!;
        ({ subs: subs[k] } = kind);
        if (kind === PLAIN) plain.push(k);
        lines.push(`    ${kind.def(`%${k}`, k)}`);
        if (rnd(8) === 0) lines.push(`    S_NOP 0, implicit ${mention(k)}`);
      }
    } else if (!isEmpty[b]) {
      const from = edges.flatMap((next, p) => (next.includes(b) ? [p] : []));
      for (let phi = rnd(3); phi > 0 && plain.length > 0; phi--) {
        const values = from.map((p) => `%${plain[rnd(plain.length)]!}, %bb.${p}`);
        lines.push(`    %${next++}:vgpr_32 = PHI ${values.join(', ')}`);
      }
      for (let u = 1 + rnd(6); u > 0; u--) use();
      if (rnd(8) === 0)
        lines.push(`    $exec = S_MOV_B64 -1, implicit-def dead %${next++}:vreg_512, implicit ${any()}`);
      if (!isLast && rnd(5) === 0) lines.push(`    $exec = S_MOV_B64_term -1, implicit ${any()}`);
    }
    if (to.length > 1)
      lines.push(`    S_CBRANCH_SCC0 %bb.${to[1]}, implicit undef $scc${rnd(3) === 0 ? `, implicit ${any()}` : ''}`);
    if (to.length > 1) lines.push(`    S_BRANCH %bb.${to[0]}`);
    if (isLast) {
      lines.push('    S_NOP 0, implicit %0');
      for (let k = 1; k <= n; k++) if (rnd(2) === 0) lines.push(`    S_NOP 0, implicit ${mention(k)}`);
      lines.push('    S_ENDPGM 0', '');
    }
  }
  return `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n${lines.slice(1).join('\n')}...\n`;
}

export function openFunction(text: string): { snapshot: Snapshot; view: FunctionView } {
  const { snapshot } = openText(text);
  const view = snapshot.functions[0]!;
  assert.deepEqual(
    view.diagnostics.map((d) => d.message),
    [],
  );
  return { snapshot, view };
}
