/**
 * Modules of many tiny functions, each for a few things that a region can hold: parts of registers of all widths with `undef`, `killed` and `dead`,
 * registers of 1024 bits by halves, physical registers and their parts, bundles, debug values, boundaries at either end, loops of one block,
 * pressure above small limits of the function. Small regions tell where one flag or one place is wrong. The same seed gives the same text.
 */
import type { Question } from './answers.js';
import { Random } from './damageInputs.js';
import { SCHEDULER_OPTIONS } from './schedulerOptions.js';

const EXEC = 'implicit $exec';
const MODULE = [
  '--- |',
  '  define void @d() !dbg !3 { ret void }',
  '  !llvm.dbg.cu = !{!0}',
  '  !llvm.module.flags = !{!6}',
  '  !keep = !{!4, !5}',
  '  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)',
  '  !1 = !DIFile(filename: "a.c", directory: "/")',
  '  !2 = !DISubroutineType(types: !{})',
  '  !3 = distinct !DISubprogram(name: "d", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)',
  '  !4 = !DILocalVariable(name: "v", scope: !3, file: !1, line: 1)',
  '  !5 = !DILocation(line: 1, scope: !3)',
  '  !6 = !{i32 2, !"Debug Info Version", i32 3}',
];

interface Kind {
  readonly rc: string;
  readonly dwords: number;
  readonly isVector: boolean;
}

const V1: Kind = { rc: 'vgpr_32', dwords: 1, isVector: true };
const V2: Kind = { rc: 'vreg_64_align2', dwords: 2, isVector: true };
const V4: Kind = { rc: 'vreg_128_align2', dwords: 4, isVector: true };
const V16: Kind = { rc: 'vreg_512_align2', dwords: 16, isVector: true };
const V32: Kind = { rc: 'vreg_1024_align2', dwords: 32, isVector: true };
const S1: Kind = { rc: 'sreg_32_xm0_xexec', dwords: 1, isVector: false };
const S2: Kind = { rc: 'sreg_64_xexec', dwords: 2, isVector: false };

interface Value {
  readonly name: string;
  readonly kind: Kind;
}

/** `<%1.sub0>` reads, `[%1.sub0:class]` defines: flags are put there in the end, when it is known who reads last. */
const MENTION = /<(%\d+)([.\w]*)>|\[(undef )?(%\d+)([.\w]*):(\w+)\]/g;

class Body {
  readonly blocks: string[][] = [[]];
  readonly values: Value[] = [];
  readonly knowsLowHalf: boolean;
  private next = 0;

  constructor(
    readonly random: Random,
    /** what these functions are about: each has a few things only */
    readonly likes: ReadonlySet<string>,
  ) {
    this.knowsLowHalf = random.chance(50);
  }

  emit(line: string): void {
    this.blocks[this.blocks.length - 1]!.push(line);
  }

  get last(): string {
    return this.blocks[this.blocks.length - 1]!.at(-1) ?? '';
  }

  fresh(kind: Kind): Value {
    return { name: `%${this.next++}`, kind };
  }

  def(kind: Kind, text: string): Value {
    const v = this.fresh(kind);
    this.emit(`[${v.name}:${kind.rc}] = ${text}`);
    this.values.push(v);
    return v;
  }

  /** A register of the class, often a late one. */
  one(kind: Kind): Value {
    const list = this.values.filter((v) => v.kind === kind);
    if (list.length === 0) return this.def(kind, 'IMPLICIT_DEF');
    return list[Math.max(0, list.length - 1 - this.random.below(4))]!;
  }

  /** Reads 32 bits of something. */
  dword(isVector: boolean): string {
    const { random } = this;
    const wide = isVector ? [V1, V1, V2, V4] : [S1, S1, S2];
    const v = this.one(random.pick(wide));
    if (v.kind.dwords === 1) return `<${v.name}>`;
    return `<${v.name}.sub${random.below(v.kind.dwords)}>`;
  }

  step(): void {
    const { random } = this;
    const things = [...this.likes, 'plain', 'plain'];
    (STEPS[random.pick(things)] as (b: Body) => void)(this);
  }

  /** The text, with flags at the last mentions. */
  text(liveOut: ReadonlySet<string>): string[][] {
    const { random } = this;
    const flags = random.pick([0, 60, 100]);
    return this.blocks.map((lines, b) => {
      const seen = new Set(liveOut);
      this.blocks.forEach((other, k) => {
        if (k === b) return;
        for (const m of other.join('\n').matchAll(MENTION)) seen.add(m[1] ?? m[4]!);
      });
      const out: string[] = [];
      for (let k = lines.length - 1; k >= 0; k--) {
        const line = lines[k]!;
        const isDebug = line.includes('DBG_VALUE');
        const here = new Set<string>();
        out.push(
          line.replace(
            MENTION,
            (_, use: string, sub: string, undef: string, def: string, defSub: string, rc: string) => {
              if (use !== undefined) {
                const isLast = !seen.has(use) && !isDebug && !line.startsWith('  ') && !line.startsWith('BUNDLE');
                if (!isDebug) here.add(use);
                return `${isLast && random.chance(flags) ? 'killed ' : ''}${use}${sub}`;
              }
              const isDead =
                !seen.has(def) && !line.startsWith('  ') && random.chance(flags) && !line.startsWith('BUNDLE');
              here.add(def);
              return `${undef ?? ''}${isDead ? 'dead ' : ''}${def}${defSub}:${rc}`;
            },
          ),
        );
        for (const v of here) seen.add(v);
      }
      return out.reverse();
    });
  }
}

const STEPS: Readonly<Record<string, (b: Body) => void>> = {
  plain(b) {
    const { random } = b;
    switch (random.below(6)) {
      case 0:
        b.def(S1, `S_ADD_I32 ${b.dword(false)}, ${random.below(9)}, implicit-def dead $scc`);
        break;
      case 1:
        b.def(V1, `V_MUL_LO_U32_e64 ${b.dword(true)}, ${b.dword(true)}, ${EXEC}`);
        break;
      case 2:
        b.def(V1, `V_MOV_B32_e32 ${random.below(50)}, ${EXEC}`);
        break;
      default:
        b.def(V1, `V_XOR_B32_e32 ${b.dword(true)}, ${b.dword(true)}, ${EXEC}`);
    }
  },
  /** registers written part by part, again, whole, or with what was undefined */
  parts(b) {
    const { random } = b;
    const kind = random.pick([V2, V2, V4]);
    const k = random.below(kind.dwords);
    if (random.chance(40)) {
      const v = b.fresh(kind);
      const order = random.chance(50) ? [0, 1, 2, 3] : [3, 2, 1, 0];
      const subs = order.slice(0, 4).filter((s) => s < kind.dwords && (s < 2 || random.chance(70)));
      subs.forEach((s, n) =>
        b.emit(
          `[${n === 0 ? 'undef ' : ''}${v.name}.sub${s}:${kind.rc}] = V_XOR_B32_e32 ${n}, ${b.dword(true)}, ${EXEC}`,
        ),
      );
      if (subs.length === kind.dwords || random.chance(30)) b.values.push(v);
      return;
    }
    const v = b.one(kind);
    const undef = random.chance(10) ? 'undef ' : '';
    b.emit(
      `[${undef}${v.name}.sub${k}:${kind.rc}] = V_XOR_B32_e32 <${v.name}.sub${(k + 1) % 2}>, ${b.dword(true)}, ${EXEC}`,
    );
  },
  halves(b) {
    const { random } = b;
    const halves = [0, 1].map((h) => Array.from({ length: 16 }, (_, k) => `sub${k + 16 * h}`).join('_'));
    // some functions know the upper half only
    const lo = halves[b.knowsLowHalf ? 0 : 1]!;
    const hi = halves[1]!;
    switch (random.below(5)) {
      case 0: {
        const v = b.fresh(V32);
        if (lo === hi) {
          b.emit(`[${v.name}:${V32.rc}] = IMPLICIT_DEF`);
          if (random.chance(60)) STEPS.plain!(b);
          b.emit(`[${v.name}.${hi}:${V32.rc}] = COPY <${b.one(V16).name}>`);
          b.values.push(v);
          break;
        }
        const first = random.chance(50);
        b.emit(`[undef ${v.name}.${first ? hi : lo}:${V32.rc}] = COPY <${b.one(V16).name}>`);
        if (random.chance(60)) STEPS.plain!(b);
        b.emit(`[${v.name}.${first ? lo : hi}:${V32.rc}] = COPY <${b.one(V16).name}>`);
        b.values.push(v);
        break;
      }
      case 1:
        if (lo !== hi)
          b.def(V1, `V_XOR_B32_e32 <${b.one(V32).name}.sub${random.below(32)}>, ${b.dword(true)}, ${EXEC}`);
        break;
      case 2:
        b.def(V16, `COPY <${b.one(V32).name}.${random.pick([lo, hi])}>`);
        break;
      case 3:
        b.emit(`[${b.one(V32).name}.${random.pick([lo, hi])}:${V32.rc}] = IMPLICIT_DEF`);
        break;
      default:
        b.def(V1, `V_MOV_B32_e32 ${random.below(9)}, ${EXEC}, implicit <${b.one(V32).name}>`);
    }
  },
  carries(b) {
    const { random } = b;
    switch (random.below(4)) {
      case 0:
        b.emit(`S_CMP_EQ_U32 ${b.dword(false)}, ${random.below(9)}, implicit-def $scc`);
        if (random.chance(30)) STEPS.loads!(b);
        b.def(S1, `S_CSELECT_B32 ${b.dword(false)}, ${b.dword(false)}, implicit killed $scc`);
        break;
      case 1:
        b.def(S1, `S_ADD_U32 ${b.dword(false)}, ${b.dword(false)}, implicit-def $scc`);
        b.def(S1, `S_ADDC_U32 ${b.dword(false)}, 0, implicit-def ${random.pick(['dead ', ''])}$scc, implicit $scc`);
        break;
      case 2:
        b.emit(`V_CMP_EQ_U32_e32 ${b.dword(false)}, <${b.one(V1).name}>, implicit-def $vcc, ${EXEC}`);
        b.def(V1, `V_CNDMASK_B32_e32 1, <${b.one(V1).name}>, implicit ${random.pick(['killed ', ''])}$vcc, ${EXEC}`);
        break;
      default:
        b.def(V1, `V_ADD_CO_U32_e32 ${b.dword(true)}, <${b.one(V1).name}>, implicit-def dead $vcc, ${EXEC}`);
    }
  },
  physical(b) {
    const { random } = b;
    switch (random.below(8)) {
      case 0:
        b.def(S1, `COPY $sgpr${random.pick([4, 5])}`);
        break;
      case 1:
        b.emit(`$sgpr4_sgpr5 = S_MOV_B64 ${random.below(9)}`);
        break;
      case 2:
        b.def(S2, 'COPY $sgpr4_sgpr5');
        break;
      case 3:
        b.emit(`$sgpr${random.pick([4, 5])} = COPY ${b.dword(false)}`);
        break;
      case 4:
        b.def(V1, `V_XOR_B32_e32 $vgpr${random.below(2)}, ${b.dword(true)}, ${EXEC}`);
        break;
      case 5:
        b.emit(`$vgpr1 = V_XOR_B32_e32 ${b.dword(true)}, ${b.dword(true)}, ${EXEC}`);
        break;
      case 6:
        b.emit(`$vgpr${random.below(2)} = COPY ${b.dword(true)}`);
        break;
      default:
        b.emit(`$m0 = ${random.chance(50) ? `COPY ${b.dword(false)}` : 'S_MOV_B32 -1'}`);
        b.def(S1, `S_MOVRELS_B32 <${b.one(S1).name}>, implicit $m0`);
    }
  },
  /** sums of two words, and what takes their carries */
  sums(b) {
    const { random } = b;
    const carry = { rc: 'sreg_64_xexec', dwords: 2, isVector: false };
    const sum = (): string => (random.chance(25) ? b.one(V1).name : b.fresh(V1).name);
    const [x, y, c] = [sum(), sum(), b.fresh(carry).name];
    b.emit(`[${x}:vgpr_32], [${c}:${carry.rc}] = V_ADD_CO_U32_e64 ${b.dword(true)}, ${b.dword(true)}, 0, ${EXEC}`);
    if (random.chance(40)) STEPS.plain!(b);
    const more = random.below(3);
    let from = c;
    for (let k = 0; k <= more; k++) {
      const next = b.fresh(carry).name;
      const z = k === 0 ? y : sum();
      if (random.chance(20))
        b.emit(`[${z}:vgpr_32] = V_CNDMASK_B32_e64 0, ${b.dword(true)}, 0, ${b.dword(true)}, <${from}>, ${EXEC}`);
      else
        b.emit(
          `[${z}:vgpr_32], [${next}:${carry.rc}] = V_ADDC_U32_e64 ${b.dword(true)}, ${b.dword(true)}, <${from}>, 0, ${EXEC}`,
        );
      if (b.values.every((v) => v.name !== z)) b.values.push({ name: z, kind: V1 });
      if (random.chance(60) && !b.last.includes('CNDMASK')) from = next;
    }
    if (b.values.every((v) => v.name !== x)) b.values.push({ name: x, kind: V1 });
  },
  /** accesses at few places, some of the stack without any address */
  crowd(b) {
    const { random } = b;
    const at = 4 * random.below(4);
    const isStore = random.chance(50);
    const base = random.chance(70) ? '%0' : b.one(V1).name;
    switch (random.below(4)) {
      case 0:
        if (isStore)
          b.emit(
            `SCRATCH_STORE_DWORD_ST ${b.dword(true)}, ${at}, 0, ${EXEC}, implicit $flat_scr :: (store (s32), addrspace 5)`,
          );
        else b.def(V1, `SCRATCH_LOAD_DWORD_ST ${at}, 0, ${EXEC}, implicit $flat_scr :: (load (s32), addrspace 5)`);
        break;
      case 1:
        if (isStore)
          b.emit(
            `SCRATCH_STORE_DWORD_SADDR ${b.dword(true)}, <${b.one(S1).name}>, ${at}, 0, ${EXEC}, implicit $flat_scr :: (store (s32), addrspace 5)`,
          );
        else
          b.def(
            V1,
            `SCRATCH_LOAD_DWORD_SADDR <${b.one(S1).name}>, ${at}, 0, ${EXEC}, implicit $flat_scr :: (load (s32), addrspace 5)`,
          );
        break;
      default:
        if (isStore)
          b.emit(`DS_WRITE_B32_gfx9 <${base}>, ${b.dword(true)}, ${at}, 0, ${EXEC} :: (store (s32), addrspace 3)`);
        else b.def(V1, `DS_READ_B32_gfx9 <${base}>, ${at}, 0, ${EXEC} :: (load (s32), addrspace 3)`);
    }
  },
  /** copies to physical registers that follow their readers */
  follow(b) {
    const { random } = b;
    const reg = `$vgpr${2 + random.below(4)}`;
    const x = b.one(V1);
    b.emit(`${reg} = ${random.chance(80) ? `COPY <${x.name}>` : `V_MOV_B32_e32 ${random.below(9)}, ${EXEC}`}`);
    for (let n = random.below(3); n > 0; n--)
      b.def(V1, `V_XOR_B32_e32 <${random.chance(50) ? x.name : b.one(V1).name}>, <${b.one(V1).name}>, ${EXEC}`);
    b.def(
      V1,
      `V_MUL_LO_U32_e64 ${random.chance(50) ? 'killed ' : ''}${reg}, <${random.chance(30) ? x.name : b.one(V1).name}>, ${EXEC}`,
    );
  },
  bundles(b) {
    const { random } = b;
    const [x, y, base] = [b.fresh(V1), b.fresh(V1), b.one(V1)];
    if (random.chance(40)) {
      const [reg, other] = random.pick([
        ['$sgpr4_sgpr5', '$sgpr5'],
        ['$sgpr4_sgpr5', '$sgpr4'],
        ['$sgpr4', '$sgpr4'],
      ]);
      const s = b.one(S2);
      const load = reg.includes('_') ? ['S_LOAD_DWORDX2_IMM', 64] : ['S_LOAD_DWORD_IMM', 32];
      const z = b.fresh(S1);
      b.emit(
        `BUNDLE implicit-def ${reg}, implicit-def [${z.name}:${z.kind.rc}], implicit-def dead $scc, implicit <${s.name}> {`,
      );
      const members = [
        `  ${reg} = ${load[0]} ${s.name}, 0, 0 :: (load (s${load[1]}), addrspace 4)`,
        `  ${z.name}:${z.kind.rc} = S_ADD_I32 ${s.name}.sub0, 3, implicit-def dead $scc`,
      ];
      if (random.chance(50)) members.reverse();
      members.forEach((m) => b.emit(m));
      b.emit('}');
      b.values.push(z);
      if (random.chance(70)) b.def(S1, `S_ADD_I32 ${other}, ${b.dword(false)}, implicit-def dead $scc`);
      return;
    }
    const at = 4 * random.below(8);
    const isPair = random.chance(60);
    b.emit(
      `BUNDLE implicit-def [${x.name}:vgpr_32], implicit-def [${y.name}:vgpr_32], implicit <${base.name}>, ${EXEC} {`,
    );
    b.emit(`  ${x.name}:vgpr_32 = DS_READ_B32_gfx9 ${base.name}, ${at}, 0, ${EXEC} :: (load (s32), addrspace 3)`);
    if (isPair)
      b.emit(`  ${y.name}:vgpr_32 = DS_READ_B32_gfx9 ${base.name}, ${at + 4}, 0, ${EXEC} :: (load (s32), addrspace 3)`);
    else b.emit(`  ${y.name}:vgpr_32 = V_XOR_B32_e32 internal ${x.name}, ${base.name}, ${EXEC}`);
    b.emit('}');
    b.values.push(x, y);
  },
  loads(b) {
    const { random } = b;
    const at = 4 * random.below(8);
    switch (random.below(5)) {
      case 0:
        b.def(V1, `DS_READ_B32_gfx9 <${b.one(V1).name}>, ${at}, 0, ${EXEC} :: (load (s32), addrspace 3)`);
        break;
      case 1:
        b.emit(
          `DS_WRITE_B32_gfx9 <${b.one(V1).name}>, ${b.dword(true)}, ${at}, 0, ${EXEC} :: (store (s32), addrspace 3)`,
        );
        break;
      case 2:
        b.def(V1, `GLOBAL_LOAD_DWORD <${b.one(V2).name}>, ${at}, 0, ${EXEC} :: (load (s32), addrspace 1)`);
        break;
      case 3:
        b.def(
          S1,
          `S_LOAD_DWORD_IMM <${b.one(S2).name}>, ${at}, 0 :: (dereferenceable invariant load (s32), addrspace 4)`,
        );
        break;
      default:
        b.def(V2, `GLOBAL_LOAD_DWORDX2 <${b.one(V2).name}>, ${at}, 0, ${EXEC} :: (load (s64), addrspace 1)`);
    }
  },
  debug(b) {
    const { random } = b;
    for (let n = 1 + random.below(2); n > 0; n--) {
      const v =
        b.values.length > 0 && random.chance(80) ? `<${random.pick(b.values).name}>` : random.pick(['$noreg', '0']);
      b.emit(`DBG_VALUE ${v}, $noreg, !4, !DIExpression(), debug-location !5`);
    }
  },
  copies(b) {
    const { random } = b;
    if (random.chance(60)) b.def(V1, `COPY ${b.dword(true)}`);
    else {
      const v = b.one(V1);
      b.emit(`[${v.name}:vgpr_32] = COPY ${b.dword(true)}`);
    }
  },
  again(b) {
    const { random } = b;
    const v = b.one(random.pick([V1, V1, S1]));
    if (v.kind === S1) b.emit(`[${v.name}:${S1.rc}] = S_ADD_I32 <${v.name}>, 1, implicit-def dead $scc`);
    else b.emit(`[${v.name}:vgpr_32] = V_XOR_B32_e32 <${v.name}>, ${b.dword(true)}, ${EXEC}`);
  },
  /** many values that live at once */
  pressure(b) {
    const { random } = b;
    const isVector = random.chance(50);
    const n = 3 + random.below(isVector ? 6 : 14);
    const all = Array.from({ length: n }, (_, k) =>
      isVector ? b.def(V1, `V_MOV_B32_e32 ${k}, ${EXEC}`) : b.def(S1, `S_MOV_B32 ${k + 100}`),
    );
    for (let k = 0; k + 1 < n; k += 2)
      if (isVector) b.def(V1, `V_XOR_B32_e32 <${all[k]!.name}>, <${all[n - 1 - k]!.name}>, ${EXEC}`);
      else b.def(S1, `S_ADD_I32 <${all[k]!.name}>, <${all[n - 1 - k]!.name}>, implicit-def dead $scc`);
  },
  boundary(b) {
    b.emit(
      b.random.pick(['SCHED_BARRIER 0', 'S_SETREG_IMM32_B32 0, 1, implicit-def $mode, implicit $mode', 'S_NOP 0']),
    );
  },
  matrix(b) {
    const { random } = b;
    const big = random.chance(40) ? V16 : V4;
    b.def(
      big,
      `${big === V4 ? 'V_MFMA_F32_4X4X4F16_vgprcd_e64' : 'V_MFMA_F32_16X16X4F16_vgprcd_e64'} <${b.one(V2).name}>, <${b.one(V2).name}>, ${random.chance(70) ? `<${b.one(big).name}>` : '0'}, 0, 0, 0, implicit $mode, ${EXEC}`,
    );
  },
};

function tinyFunction(random: Random, name: string, about: readonly string[], size: number): string[] {
  const b = new Body(random, new Set(about));
  const isDebug = name === 'd';
  b.emit('[%0:vgpr_32] = COPY $vgpr0');
  b.values.push({ name: '%0', kind: V1 });
  b.fresh(V1);
  for (const kind of [S1, S2, V2]) b.def(kind, 'IMPLICIT_DEF');
  const nBlocks = random.pick([1, 1, 2, 3]);
  const isLoop = Array.from({ length: nBlocks }, (_, k) => k > 0 && random.chance(50));
  for (let k = 0; k < nBlocks; k++) {
    if (k > 0) b.blocks.push([]);
    for (let n = 1 + random.below(size); n > 0; n--) b.step();
    if (k === nBlocks - 1) {
      const out = b.values.filter(() => random.chance(20));
      if (random.chance(70)) b.emit(`S_NOP 0${out.map((v) => `, implicit <${v.name}>`).join('')}`);
    }
    if (isLoop[k]) b.emit(`S_CBRANCH_SCC0 %bb.${k}, implicit undef $scc`);
    if (k + 1 < nBlocks && random.chance(30)) b.emit(`S_BRANCH %bb.${k + 1}`);
  }
  b.emit('S_ENDPGM 0');
  const blocks = b.text(new Set());
  const lines = ['---', `name: ${name}`, 'tracksRegLiveness: true'];
  if (isDebug || random.chance(50)) lines.push('machineFunctionInfo:', '  isEntryFunction: true');
  lines.push('body: |');
  blocks.forEach((block, k) => {
    lines.push(`  bb.${k}:`);
    const successors = [...(isLoop[k] ? [k] : []), ...(k + 1 < nBlocks ? [k + 1] : [])];
    if (successors.length > 0) lines.push(`    successors: ${successors.map((s) => `%bb.${s}`).join(', ')}`);
    lines.push('    liveins: $vgpr0, $vgpr1, $sgpr4_sgpr5', '');
    for (const l of block) lines.push(`    ${l}`);
    if (k + 1 < nBlocks) lines.push('');
  });
  lines.push('...');
  return lines;
}

const ORDERS = [
  '-misched=gcn-max-ilp',
  '-amdgpu-sched-strategy=max-memory-clause',
  '-amdgpu-sched-strategy=iterative-ilp',
  '-amdgpu-sched-strategy=iterative-minreg',
  '-amdgpu-sched-strategy=iterative-maxocc',
  '-misched=converge',
  '-misched=ilpmax',
  '-misched=ilpmin',
  '-misched-prera-direction=topdown',
  '-misched-prera-direction=topdown',
  '-misched-prera-direction=bottomup',
];

export function randomTiny(seed: number): Question {
  const random = new Random(seed * 37 + 11);
  const things = Object.keys(STEPS).filter((t) => t !== 'plain');
  const limits = [
    'nounwind',
    '"amdgpu-num-vgpr"="24"',
    '"amdgpu-num-sgpr"="24"',
    '"amdgpu-waves-per-eu"="1,1"',
    '"amdgpu-waves-per-eu"="8,10"',
  ];
  const functions: string[] = [];
  const declared: string[] = [];
  const size = random.pick([5, 9, 14]);
  for (let k = 0; k < 8; k++) {
    const name = k === 0 ? 'd' : `f${k}`;
    const about = [random.pick(things), random.pick(things), random.pick(things)].filter(
      (t) => k === 0 || t !== 'debug',
    );
    functions.push(...tinyFunction(random, name, k === 0 ? [...about, 'debug'] : about, size));
    const limit = random.pick(limits);
    if (k > 0) declared.push(`  define void @${name}() #${k} { ret void }`, `  attributes #${k} = { ${limit} }`);
  }
  const cpu = random.pick(['gfx90a', 'gfx90a', 'gfx942']);
  const words = new Map<string, string>();
  if (random.chance(75)) words.set('order', random.pick(ORDERS));
  if (random.chance(20)) words.set('fast', '-force-fast-cluster');
  // what the generic scheduler looks at first are its limits
  if (words.get('order') === '-misched=converge' || random.chance(10)) {
    words.set('limit', `-stress-regalloc=${random.pick([2, 4, 8])}`);
    if (random.chance(60))
      words.set('direction', `-misched-prera-direction=${random.pick(['topdown', 'bottomup', 'bidirectional'])}`);
  }
  if (random.chance(40)) {
    const word = random.pick(random.pick(SCHEDULER_OPTIONS));
    words.set(word.split('=')[0] === '-misched' ? 'order' : word.split('=')[0]!, word);
  }
  return {
    args: ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-run-pass=machine-scheduler', ...words.values()],
    input: [MODULE[0], ...declared, ...MODULE.slice(1), '...', ...functions, ''].join('\n'),
  };
}
