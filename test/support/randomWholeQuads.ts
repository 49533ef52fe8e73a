/**
 * Random functions for si-wqm: pixel shaders and others with image samples, strict whole waves and quads, stores that must be exact, kills, scalar
 * code that keeps SCC alive, in blocks with branches and loops. Registers are defined in the entry and written again anywhere.
 */
import { randomSource } from './random.js';

interface Processor {
  readonly name: string;
  readonly isWave32: boolean;
  /** opcode of a sample of one address, and the operands after it */
  readonly sample: readonly [string, string];
  readonly add: string;
  readonly parameterLoad: string | null;
}

const LATE_SAMPLE = ', 0, 0, 0, 0, 0, 0, 0, 0, implicit $exec';
const PROCESSORS: readonly Processor[] = [
  {
    name: 'gfx900',
    isWave32: false,
    sample: ['IMAGE_SAMPLE_V1_V1', ', 0, 0, 0, 0, 0, 0, 0, implicit $exec'],
    add: 'V_ADD_U32_e32',
    parameterLoad: null,
  },
  {
    name: 'gfx1010 -mattr=+wavefrontsize64',
    isWave32: false,
    sample: ['IMAGE_SAMPLE_V1_V1_gfx10', LATE_SAMPLE],
    add: 'V_ADD_U32_e32',
    parameterLoad: null,
  },
  {
    name: 'gfx1100',
    isWave32: true,
    sample: ['IMAGE_SAMPLE_V1_V1_gfx11', LATE_SAMPLE],
    add: 'V_ADD_U32_e32',
    parameterLoad: 'LDS_PARAM_LOAD',
  },
  {
    name: 'gfx1100 -mattr=+wavefrontsize64',
    isWave32: false,
    sample: ['IMAGE_SAMPLE_V1_V1_gfx11', LATE_SAMPLE],
    add: 'V_ADD_U32_e32',
    parameterLoad: 'LDS_PARAM_LOAD',
  },
  {
    name: 'gfx1200',
    isWave32: true,
    sample: ['IMAGE_SAMPLE_V1_V1_gfx12', LATE_SAMPLE],
    add: 'V_ADD_U32_e32',
    parameterLoad: 'DS_PARAM_LOAD',
  },
];

export interface WholeQuadCase {
  readonly args: readonly string[];
  readonly text: string;
}

/** A module with `count` functions. With `demotes`, lanes may become helpers in the middle of a block; with `bundles`, instructions may be in bundles. */
export function randomWholeQuads(seed: number, count: number, demotes = true, bundles = false): WholeQuadCase {
  const random = randomSource(seed);
  const processor = PROCESSORS[random(PROCESSORS.length)] as Processor;
  const functions = Array.from({ length: count }, (_, k) => new Shader(`f${k}`, processor, random, demotes, bundles));
  const ir = functions.map((f) => `  ${f.declaration}`).join('\n');
  const text = `--- |\n${ir}\n...\n${functions.map((f) => f.document).join('')}`;
  return { args: ['-mtriple=amdgcn', ...`-mcpu=${processor.name}`.split(' ')], text };
}

class Shader {
  readonly declaration: string;
  readonly document: string;
  private readonly mask: string;
  private readonly bits: number;
  private readonly exec: string;
  private readonly lines: string[] = [];
  private readonly weights: readonly (readonly [number, () => void])[];
  /** registers by what they hold, as `%n` */
  private readonly v: string[];
  private readonly w: string[];
  private readonly s: string[];
  private readonly m: string[];
  private nRegs = 0;
  private readonly declared: string[] = [];
  private isSCCSet = false;

  constructor(
    name: string,
    private readonly processor: Processor,
    private readonly random: (n: number) => number,
    demotes: boolean,
    bundles: boolean,
  ) {
    this.bits = processor.isWave32 ? 32 : 64;
    this.mask = processor.isWave32 ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec';
    this.exec = processor.isWave32 ? '$exec_lo' : '$exec';
    const convention = this.pick(['amdgpu_ps', 'amdgpu_ps', 'amdgpu_ps', 'amdgpu_cs', 'amdgpu_kernel']);
    const attribute = convention === 'amdgpu_ps' && random(6) === 0 ? ' "amdgpu-ps-wqm-outputs"' : '';
    this.declaration = `define ${convention} void @${name}()${attribute} { ret void }`;
    this.v = this.registers('vgpr_32', 5);
    this.w = this.registers('vreg_64', 2);
    this.s = this.registers('sreg_32_xm0', 3);
    this.m = this.registers(this.mask, 3);
    // Each function has its own taste, or all modes would be in all of them.
    const taste = (n: number): number => (random(2) === 0 ? 0 : 1 + random(n));
    this.weights = [
      [6, () => this.vector()],
      [3, () => this.scalar()],
      [taste(3), () => this.sample()],
      [taste(2), () => this.line(`${this.def(this.v)} = WQM ${this.pick(this.v)}, implicit $exec`)],
      [taste(2), () => this.line(`${this.def(this.v)} = SOFT_WQM ${this.pick(this.v)}, implicit $exec`)],
      [taste(3), () => this.strict('STRICT_WWM')],
      [taste(3), () => this.strict('STRICT_WQM')],
      [taste(3), () => this.setInactive()],
      [taste(3), () => this.store('_exact')],
      [taste(2), () => this.store('')],
      [taste(2), () => this.line(`${this.def(this.m)} = SI_PS_LIVE`)],
      [taste(2), () => this.harmful()],
      [taste(2), () => this.parameterLoad()],
      [demotes ? taste(2) : 0, () => this.demote()],
      [bundles ? 1 + taste(3) : 0, () => this.bundle()],
    ];
    this.document = this.build(name);
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.random(list.length)] as T;
  }

  private registers(rc: string, n: number): string[] {
    return Array.from({ length: n }, () => {
      this.declared.push(rc);
      return `%${this.nRegs++}`;
    });
  }

  /** A register that is written: as a whole. */
  private def(list: readonly string[]): string {
    return this.pick(list);
  }

  private line(text: string): void {
    this.lines.push(`    ${text}`);
  }

  private build(name: string): string {
    const n = 1 + this.random(6);
    const blocks = Array.from({ length: n }, (_, b) => this.block(b, n));
    const registers = this.declared.map((rc, k) => `  - { id: ${k}, class: ${rc} }`).join('\n');
    return `---\nname: ${name}\ntracksRegLiveness: true\nregisters:\n${registers}\nbody: |\n${blocks.join('\n')}\n...\n`;
  }

  private block(b: number, n: number): string {
    this.lines.length = 0;
    this.isSCCSet = false;
    if (b === 0) this.entry();
    const total = this.weights.reduce((sum, [w]) => sum + w, 0);
    for (let k = this.random(12); k > 0; k--) {
      let at = this.random(total);
      for (const [weight, make] of this.weights) {
        if (at < weight) {
          make();
          break;
        }
        at -= weight;
      }
    }
    const successors = this.end(b, n);
    const liveins = b === 0 ? '    liveins: $vgpr0, $vgpr1, $sgpr0, $sgpr2_sgpr3\n' : '';
    const list = successors.length === 0 ? '' : `    successors: ${successors.map((s) => `%bb.${s}`).join(', ')}\n`;
    return `  bb.${b}:\n${list}${liveins}\n${this.lines.join('\n')}`;
  }

  private entry(): void {
    const { random } = this;
    const start = random(12);
    const input = this.registers('sreg_32_xm0', 1)[0] as string;
    const [from, effects] = [`${random(20)}, implicit-def $exec`, 'implicit-def $exec, implicit $exec'];
    if (start === 0) this.line(`SI_INIT_EXEC ${random(64)}, implicit-def $exec`);
    if (start === 1) this.line(`${this.m[0]} = SI_INIT_WHOLE_WAVE ${effects}`);
    this.line(`${this.s[0]} = COPY $sgpr0`);
    if (start === 2) {
      this.line(`${input} = COPY $sgpr2`);
      this.line(`SI_INIT_EXEC_FROM_INPUT ${input}, ${from}`);
    }
    this.v.forEach((r, k) => this.line(`${r} = ${k < 2 ? `COPY $vgpr${k}` : 'IMPLICIT_DEF'}`));
    for (const r of [...this.w, ...this.s.slice(1), ...this.m]) this.line(`${r} = IMPLICIT_DEF`);
  }

  /** Terminators; the numbers of the blocks that follow. */
  private end(b: number, n: number): number[] {
    const next = b + 1;
    if (next === n) {
      const last = this.random(3);
      if (last === 0) this.line(`SI_RETURN_TO_EPILOG ${this.pick(this.v)}, ${this.pick(this.v)}`);
      else if (last === 1) {
        this.line(`$vgpr0 = COPY ${this.pick(this.v)}`);
        this.line('SI_RETURN_TO_EPILOG killed $vgpr0');
      } else this.line('S_ENDPGM 0');
      return [];
    }
    const to = this.random(n - 1) + 1;
    switch (this.random(7)) {
      case 0:
        return [next];
      case 1:
        this.line(`S_BRANCH %bb.${to}`);
        return this.reachable([to], next);
      case 2:
        this.kill();
        return [next];
      case 3: {
        const { bits, exec } = this;
        this.line(
          `$exec${bits === 32 ? '_lo' : ''} = S_AND_B${bits}_term ${exec}, ${this.pick(this.m)}, implicit-def dead $scc`,
        );
        this.line(`S_CBRANCH_EXECZ %bb.${to}, implicit $exec`);
        break;
      }
      case 4: {
        const vcc = this.bits === 32 ? '$vcc_lo' : '$vcc';
        this.line(`${vcc} = S_AND_B${this.bits} ${this.exec}, ${this.pick(this.m)}, implicit-def dead $scc`);
        this.line(`S_CBRANCH_VCCNZ %bb.${to}, implicit $vcc`);
        break;
      }
      default:
        if (!this.isSCCSet || this.random(2) === 0)
          this.line(`S_CMP_LG_U32 ${this.pick(this.s)}, 0, implicit-def $scc`);
        this.line(`S_CBRANCH_SCC1 %bb.${to}, implicit $scc`);
    }
    return to === next ? [next] : [to, next];
  }

  /** An unconditional branch past the next block may leave it without predecessor: then it goes there. */
  private reachable(to: number[], next: number): number[] {
    if (to[0] === next) return to;
    this.lines.pop();
    this.line(`S_CMP_LG_U32 ${this.pick(this.s)}, 0, implicit-def $scc`);
    this.line(`S_CBRANCH_SCC1 %bb.${to[0]}, implicit $scc`);
    this.line(`S_BRANCH %bb.${next}`);
    return [to[0] as number, next];
  }

  // -- instructions ------------------------------------------------------------------------------------------------

  private vector(): void {
    const { v, w } = this;
    switch (this.random(7)) {
      case 0:
        return this.line(`${this.def(v)} = V_MOV_B32_e32 ${this.random(64)}, implicit $exec`);
      case 1:
        return this.line(`${this.def(w)}.sub${this.random(2)} = V_MOV_B32_e32 ${this.pick(v)}, implicit $exec`);
      case 2:
        return this.line(`undef ${this.def(w)}.sub0 = V_MOV_B32_e32 ${this.random(64)}, implicit $exec`);
      case 3:
        return this.line(`${this.def(v)} = COPY ${this.pick(w)}.sub${this.random(2)}`);
      case 4:
        return this.line(`${this.def(this.m)} = V_CMP_LT_U32_e64 ${this.pick(v)}, ${this.pick(v)}, implicit $exec`);
      case 5:
        return this.line(
          `${this.def(v)} = V_CNDMASK_B32_e64 0, ${this.pick(v)}, 0, ${this.pick(v)}, ${this.pick(this.m)}, implicit $exec`,
        );
      default:
        this.line(`${this.def(v)} = ${this.processor.add} ${this.pick(v)}, ${this.pick(v)}, implicit $exec`);
    }
  }

  private scalar(): void {
    const { s } = this;
    if (this.isSCCSet && this.random(2) === 0) {
      this.line(`${this.def(s)} = S_CSELECT_B32 ${this.pick(s)}, ${this.pick(s)}, implicit $scc`);
      return;
    }
    const op = this.random(4);
    if (op === 0) this.line(`S_CMP_LG_U32 ${this.pick(s)}, 0, implicit-def $scc`);
    else if (op === 1) this.line(`${this.def(s)} = S_MOV_B32 ${this.random(64)}`);
    else this.line(`${this.def(s)} = S_ADD_I32 ${this.pick(s)}, ${this.pick(s)}, implicit-def $scc`);
    if (op !== 1) this.isSCCSet = true;
  }

  private sample(): void {
    const [opcode, rest] = this.processor.sample;
    this.line(
      `${this.def(this.v)} = ${opcode} ${this.pick(this.v)}, undef %90:sgpr_256, undef %91:sgpr_128, 1${rest} :: (dereferenceable load (s32), addrspace 8)`,
    );
  }

  private strict(opcode: string): void {
    const list = this.pick([this.v, this.v, this.w, this.s]);
    this.line(`early-clobber ${this.def(list)} = ${opcode} ${this.pick(list)}, implicit $exec`);
  }

  private setInactive(): void {
    const inactive = this.pick(['0', '-1', this.pick(this.v), 'undef %92:vgpr_32']);
    const active = this.pick([this.pick(this.v), this.pick(this.v), '7']);
    const lanes = this.pick([`undef %93:${this.mask}`, this.pick(this.m)]);
    this.line(`${this.def(this.v)} = V_SET_INACTIVE_B32 0, ${active}, 0, ${inactive}, ${lanes}, implicit $exec`);
  }

  private store(suffix: string): void {
    // From gfx12 on the opcode has another name.
    const opcode = this.processor.name.startsWith('gfx12')
      ? `BUFFER_STORE_DWORD_VBUFFER_OFFSET${suffix}`
      : `BUFFER_STORE_DWORD_OFFSET${suffix}`;
    const offset = this.processor.name.startsWith('gfx12') ? '$sgpr_null' : '0';
    this.line(`${opcode} ${this.pick(this.v)}, undef %94:sgpr_128, ${offset}, 0, 0, 0, implicit $exec`);
  }

  private harmful(): void {
    const { v } = this;
    switch (this.random(5)) {
      case 0:
        return this.line('S_SENDMSG 3, implicit $exec, implicit undef $m0');
      case 1:
        return this.line(
          `EXP 0, ${this.pick(v)}, ${this.pick(v)}, ${this.pick(v)}, ${this.pick(v)}, 0, 0, 15, implicit $exec`,
        );
      case 2:
        return this.line(
          `EXP 21, ${this.pick(v)}, ${this.pick(v)}, ${this.pick(v)}, ${this.pick(v)}, 0, 0, 15, implicit $exec`,
        );
      case 3:
        return this.line(`${this.def(this.s)} = V_READFIRSTLANE_B32 ${this.pick(v)}, implicit $exec`);
      default:
        this.line('S_TRAP 2');
    }
  }

  private parameterLoad(): void {
    const { parameterLoad } = this.processor;
    if (parameterLoad === null) return;
    const waits = parameterLoad.startsWith('DS') ? '0, 0, ' : '0, ';
    this.line(`${this.def(this.v)} = ${parameterLoad} 0, 0, ${waits}implicit undef $m0, implicit $exec`);
  }

  private kill(): void {
    const effects = 'implicit-def $exec, implicit-def $scc, implicit $exec';
    if (this.random(3) === 0) {
      const condition = this.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 19, 20, 21, 22]);
      const value = this.pick([this.pick(this.v), this.pick(this.s)]);
      this.line(
        `SI_KILL_F32_COND_IMM_TERMINATOR ${value}, ${this.random(64)}, ${condition}, implicit-def $vcc, ${effects}`,
      );
      return;
    }
    const lanes = this.pick([this.pick(this.m), this.pick(this.m), '0', '-1']);
    this.line(`SI_KILL_I1_TERMINATOR ${lanes}, ${this.pick([0, -1])}, ${effects}`);
  }

  private demote(): void {
    const lanes = this.pick([this.pick(this.m), this.pick(this.m), '0', '-1']);
    this.line(`SI_DEMOTE_I1 ${lanes}, ${this.pick([0, -1])}, implicit-def $exec, implicit-def $scc, implicit $exec`);
    this.isSCCSet = false;
  }

  /** Some instructions in a bundle, whose header says what they read and write. */
  private bundle(): void {
    const first = this.lines.length;
    const makers = [() => this.vector(), () => this.store(''), () => this.store('_exact'), () => this.harmful()];
    for (let k = 1 + this.random(3); k > 0; k--) this.pick([makers[0], makers[0], ...makers])();
    if (this.random(3) === 0) this.line('S_NOP 0');
    if (this.random(3) === 0) {
      this.line(`DS_GWS_BARRIER ${this.pick(this.v)}, 8, implicit undef $m0, implicit $exec`);
      this.line('S_WAITCNT 0');
    }
    const members = this.lines.splice(first);
    const [written, read] = [new Set<string>(), new Set<string>()];
    const registers = (text: string): string[] => text.match(/(?:undef )?[%$]\w+(?:\.sub\d)?/g) ?? [];
    for (const member of members) {
      const [to, from] = member.includes(' = ') ? member.split(' = ') : ['', member];
      for (const r of registers(from)) if (!written.has(r) && !r.startsWith('undef')) read.add(r);
      // A part of a register that is written keeps the other one.
      for (const r of registers(to)) written.add(r);
    }
    const operands = [
      ...[...written].map((r) => (r.startsWith('undef ') ? `undef implicit-def ${r.slice(6)}` : `implicit-def ${r}`)),
      ...[...read].map((r) => `implicit ${r}`),
    ];
    this.line(`BUNDLE ${operands.join(', ')} {`);
    for (const member of members) this.line(`  ${member.trim()}`);
    this.line('}');
  }
}
