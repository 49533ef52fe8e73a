/**
 * Functions in SSA form for the tests of uniformity: random control flow graphs, reducible and not, with blocks that nothing reaches,
 * several exits and edges back to anywhere, filled with sources of divergence, uniform values, PHIs and branches of every kind. Generic or
 * selected MIR. Verified by construction: a value is read only where its definition dominates the reader.
 */
import { randomSource } from './random.js';
import { GENERIC_BRANCHES, GENERIC_SOURCES, SELECTED_BRANCHES, SELECTED_SOURCES } from './uniformitySources.js';

export interface UniformityCase {
  readonly seed: number;
  readonly blocks: number;
  /** instead of generic MIR */
  readonly selected: boolean;
  readonly wave32: boolean;
  /** with the instructions of uniformitySources, and PHIs of undefined values */
  readonly isVaried?: boolean;
}

interface Value {
  readonly name: string;
  readonly type: ValueType;
}

/** s32, s1, p1 and s64 of generic MIR; VGPR, SGPR and mask of selected MIR */
type ValueType = 'word' | 'bit' | 'pointer' | 'offset' | 'vgpr' | 'sgpr' | 'mask';

class FunctionWriter {
  private readonly rnd: (n: number) => number;
  private nextValue = 0;
  private readonly successors: number[][] = [];
  private readonly predecessors: number[][] = [];
  /** blocks that dominate a block, itself included; every block for one that is not reached */
  private dominators: Set<number>[] = [];
  private readonly values: Value[][] = [];
  private readonly bodies: string[][] = [];

  constructor(private readonly c: UniformityCase) {
    this.rnd = randomSource(c.seed);
  }

  write(name: string): string {
    this.makeGraph();
    this.findDominators();
    for (let b = 0; b < this.c.blocks; b++) this.values.push([]);
    for (let b = 0; b < this.c.blocks; b++) this.declarePhis(b);
    const order = this.byDominance();
    for (const b of order) this.fill(b);
    let body = '';
    for (let b = 0; b < this.c.blocks; b++) {
      const succs = this.successors[b]!;
      body += `  bb.${b}:\n`;
      if (succs.length > 0) body += `    successors: ${succs.map((s) => `%bb.${s}`).join(', ')}\n`;
      if (b === 0) body += '    liveins: $vgpr0, $vgpr1, $sgpr0, $sgpr1, $sgpr2_sgpr3\n';
      body += this.phis(b).join('') + this.bodies[b]!.join('') + '\n';
    }
    return `---\nname: ${name}\ntracksRegLiveness: true\nbody: |\n${body}...\n`;
  }

  // -- graph -------------------------------------------------------------------------------------------------------

  private makeGraph(): void {
    const n = this.c.blocks;
    /** how far edges reach: short ones make loops next to each other, long ones irreducible nests */
    const reach = 1 + this.rnd(n);
    /** percentage of edges that go back */
    const back = this.rnd(60);
    for (let b = 0; b < n; b++) this.predecessors.push([]);
    for (let b = 0; b < n; b++) {
      const succs: number[] = [];
      const kind = this.rnd(20);
      const wanted = b === n - 1 ? this.rnd(2) : kind === 0 ? 0 : kind < 6 ? 1 : kind < 18 ? 2 : 3;
      for (let k = 0; k < wanted; k++) {
        const away = 1 + this.rnd(reach);
        let s = this.rnd(100) < back ? b - away + 1 : b + (k === 0 && this.rnd(2) === 0 ? 1 : away);
        if (this.rnd(12) === 0) s = 1 + this.rnd(n);
        s = Math.max(1, Math.min(n - 1, s));
        if (s < n && s > 0 && !succs.includes(s)) succs.push(s);
      }
      this.successors.push(succs);
      for (const s of succs) this.predecessors[s]!.push(b);
    }
  }

  private findDominators(): void {
    const n = this.c.blocks;
    const all = new Set(Array.from({ length: n }, (_, b) => b));
    this.dominators = Array.from({ length: n }, (_, b) => (b === 0 ? new Set([0]) : all));
    const reached = new Set<number>([0]);
    for (const b of reached) for (const s of this.successors[b]!) reached.add(s);
    for (let changed = true; changed;) {
      changed = false;
      for (let b = 1; b < n; b++) {
        if (!reached.has(b)) continue;
        const above = this.predecessors[b]!.filter((p) => reached.has(p)).map((p) => this.dominators[p]!);
        const next = new Set([...(above[0] ?? [])].filter((d) => above.every((of) => of.has(d))));
        next.add(b);
        if (next.size !== this.dominators[b]!.size) {
          this.dominators[b] = next;
          changed = true;
        }
      }
    }
    // What is not reached reads values of the entry and its own only.
    for (let b = 1; b < n; b++) if (!reached.has(b)) this.dominators[b] = new Set([0, b]);
  }

  /** Blocks after those that dominate them. */
  private byDominance(): number[] {
    return Array.from({ length: this.c.blocks }, (_, b) => b).sort(
      (x, y) => this.dominators[x]!.size - this.dominators[y]!.size || x - y,
    );
  }

  // -- values ------------------------------------------------------------------------------------------------------

  private define(b: number, type: ValueType): string {
    const name = `%${this.nextValue++}`;
    this.values[b]!.push({ name, type });
    return name;
  }

  /** A value that is there at the end of block `b`; entry blocks begin with one of each type. */
  private pick(b: number, type: ValueType): string {
    const from: Value[] = [];
    for (const d of this.dominators[b]!) from.push(...this.values[d]!.filter((v) => v.type === type));
    // Rather near ones: long chains show more than many readers of one register.
    const k = this.rnd(2) === 0 ? this.rnd(from.length) : from.length - 1 - this.rnd(Math.min(3, from.length));
    return from[k]!.name;
  }

  private readonly phiValues: Value[][] = [];
  /** of generic MIR, defined in the entry */
  private readonly undefinedValues = new Map<ValueType, string>();

  private declarePhis(b: number): void {
    const types: ValueType[] = this.c.selected ? ['vgpr', 'sgpr'] : ['word', 'word', 'bit'];
    const n = b === 0 || this.predecessors[b]!.length === 0 ? 0 : this.rnd(3);
    const phis: Value[] = [];
    for (let k = 0; k < n; k++) {
      const type = types[this.rnd(types.length)]!;
      phis.push({ name: this.define(b, type), type });
    }
    this.phiValues.push(phis);
  }

  private phis(b: number): string[] {
    return this.phiValues[b]!.map(({ name, type }) => {
      const same = this.rnd(5) === 0 ? this.pick(0, type) : null;
      const isMostlyUndefined = this.c.isVaried === true && this.rnd(3) === 0;
      const undefinedOr = (value: string): string =>
        isMostlyUndefined ? this.undefinedPhiOperand(value, type) : value;
      const incoming = this.predecessors[b]!.map((p) => {
        if (isMostlyUndefined && this.dominators[p]!.has(b) && this.rnd(3) === 0) return `${name}, %bb.${p}`;
        return `${undefinedOr(same ?? this.pick(p, type))}, %bb.${p}`;
      });
      return `    ${name}:${this.classOf(type)} = ${this.c.selected ? 'PHI' : 'G_PHI'} ${incoming.join(', ')}\n`;
    });
  }

  /** In selected MIR a PHI may read a register as `undef`; in generic MIR it reads an undefined value of the entry. */
  private undefinedPhiOperand(value: string, type: ValueType): string {
    if (this.rnd(3) === 0) return value;
    return this.c.selected ? `undef ${value}` : (this.undefinedValues.get(type) ?? value);
  }

  private classOf(type: ValueType): string {
    switch (type) {
      case 'word':
        return '_(s32)';
      case 'bit':
        return '_(s1)';
      case 'pointer':
        return '_(p1)';
      case 'offset':
        return '_(s64)';
      case 'vgpr':
        return 'vgpr_32';
      case 'sgpr':
        return 'sreg_32_xm0';
      case 'mask':
        return this.c.wave32 ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec';
    }
  }

  private fill(b: number): void {
    const lines: string[] = [];
    this.bodies[b] = lines;
    const add = (type: ValueType, text: (pick: (t: ValueType) => string) => string): void => {
      const body = text((t) => this.pick(b, t));
      lines.push(`    ${this.define(b, type)}:${this.classOf(type)} = ${body}\n`);
    };
    if (b === 0) this.addArguments(add);
    const n = this.rnd(5);
    for (let k = 0; this.c.isVaried === true && k < 3; k++)
      this.addText(b, lines, this.oneOf(this.c.selected ? SELECTED_SOURCES : GENERIC_SOURCES));
    for (let k = 0; k < n; k++) (this.c.selected ? this.addSelected : this.addGeneric).call(this, add, lines, b);
    this.addTerminators(b, lines);
  }

  private addArguments(add: (type: ValueType, text: (pick: (t: ValueType) => string) => string) => void): void {
    if (this.c.selected) {
      add('vgpr', () => 'COPY $vgpr0');
      add('sgpr', () => 'COPY $sgpr0');
      add('vgpr', (pick) => `COPY ${pick('sgpr')}`);
      add('mask', () => 'IMPLICIT_DEF');
      return;
    }
    add('word', () => 'COPY $vgpr0');
    add('word', () => 'COPY $sgpr0');
    add('word', () => 'G_CONSTANT i32 7');
    add('bit', (pick) => `G_ICMP intpred(eq), ${pick('word')}(s32), ${pick('word')}`);
    add('pointer', () => 'COPY $sgpr2_sgpr3');
    add('offset', (pick) => `G_SEXT ${pick('word')}(s32)`);
    if (this.c.isVaried !== true) return;
    for (const type of ['word', 'bit'] as const) {
      add(type, () => 'G_IMPLICIT_DEF');
      this.undefinedValues.set(type, `%${this.nextValue - 1}`);
    }
  }

  private oneOf(list: readonly string[]): string {
    return list[this.rnd(list.length)]!;
  }

  /** Text with the placeholders of uniformitySources. */
  private addText(b: number, lines: string[], template: string, to = ''): void {
    const locals = new Map<string, string>();
    const made: { name: string; type: ValueType }[] = [];
    const text = template.replace(/\{(\w*)(=?)([^}\n]*)\}/g, (_, name: string, is: string, type: string) => {
      if (is === '') return name === 'to' ? to : (locals.get(name) ?? this.pick(b, name as ValueType));
      const register = `%${this.nextValue++}`;
      if (name === '') made.push({ name: register, type: type as ValueType });
      else locals.set(name, register);
      return `${register}:${name === '' || type === 'mask' ? this.classOf(type as ValueType) : type}`;
    });
    for (const [, reg] of template.matchAll(/(?:COPY|e32) \$(\w+)/g))
      if (!/^(?:exec|m0)/.test(reg!) && !template.includes(`implicit-def $${reg!}`))
        lines.push(`    $${reg!} = IMPLICIT_DEF\n`);
    for (const line of text.split('\n')) lines.push(`    ${line}\n`);
    this.values[b]!.push(...made);
  }

  private addGeneric(
    add: (type: ValueType, text: (pick: (t: ValueType) => string) => string) => void,
    lines: string[],
    b: number,
  ): void {
    switch (this.rnd(12)) {
      case 0:
        return add('word', () => `G_INTRINSIC intrinsic(@llvm.amdgcn.workitem.id.${'xyz'[this.rnd(3)]!})`);
      case 1:
        return add(
          'word',
          (pick) => `G_INTRINSIC_CONVERGENT intrinsic(@llvm.amdgcn.readfirstlane), ${pick('word')}(s32)`,
        );
      case 2:
        return add(
          'word',
          (pick) => `G_LOAD ${pick('pointer')}(p1) :: (load (s32), addrspace ${[1, 4, 0, 5][this.rnd(4)]!})`,
        );
      case 3:
        return add('word', () => 'G_IMPLICIT_DEF');
      case 4:
      case 5:
        return add(
          'bit',
          (pick) => `G_ICMP intpred(${this.rnd(2) === 0 ? 'eq' : 'ult'}), ${pick('word')}(s32), ${pick('word')}`,
        );
      case 6:
        return add('word', (pick) => `G_SELECT ${pick('bit')}(s1), ${pick('word')}, ${pick('word')}`);
      case 7:
        return add('pointer', (pick) => `G_PTR_ADD ${pick('pointer')}, ${pick('offset')}(s64)`);
      case 8:
        lines.push(`    ${this.readOnly(b, 'word')}`);
        return add('word', (pick) => `G_FREEZE ${pick('word')}`);
      case 9:
        return add(
          'word',
          (pick) =>
            `G_ATOMICRMW_ADD ${pick('pointer')}(p1), ${pick('word')} :: (load store seq_cst (s32), addrspace 1)`,
        );
      default:
        return add('word', (pick) => `G_ADD ${pick('word')}, ${pick('word')}`);
    }
  }

  private addSelected(
    add: (type: ValueType, text: (pick: (t: ValueType) => string) => string) => void,
    lines: string[],
    b: number,
  ): void {
    switch (this.rnd(11)) {
      case 0:
        return add('vgpr', (pick) => `V_MBCNT_LO_U32_B32_e64 ${pick('sgpr')}, 0, implicit $exec`);
      case 1:
        return add('sgpr', (pick) => `V_READFIRSTLANE_B32 ${pick('vgpr')}, implicit $exec`);
      case 2:
        return add('sgpr', (pick) => `COPY ${pick('vgpr')}`);
      case 3:
        return add('vgpr', (pick) => `COPY ${pick('sgpr')}`);
      case 4:
        return add('mask', (pick) => `V_CMP_EQ_U32_e64 ${pick('vgpr')}, ${pick('sgpr')}, implicit $exec`);
      case 5:
        return add('vgpr', (pick) => `V_CNDMASK_B32_e64 0, 0, 0, 1, ${pick('mask')}, implicit $exec`);
      case 6:
        return add('sgpr', (pick) => `S_ADD_I32 ${pick('sgpr')}, ${pick('sgpr')}, implicit-def dead $scc`);
      case 7:
        return add('vgpr', () => `V_MOV_B32_e32 ${this.rnd(9)}, implicit $exec`);
      case 8:
        lines.push(
          `    ${this.readOnly(b, 'vgpr')}    INLINEASM &"", 1, ${REG_DEF}, def ${this.define(b, 'sgpr')}:sreg_32_xm0\n`,
        );
        return;
      case 9:
        lines.push(`    S_CMP_EQ_U32 ${this.pick(b, 'sgpr')}, ${this.pick(b, 'sgpr')}, implicit-def $scc\n`);
        return;
      default:
        return add('vgpr', (pick) => `V_ADD_U32_e32 ${pick('sgpr')}, ${pick('vgpr')}, implicit $exec`);
    }
  }

  /** A reader that defines nothing. */
  private readOnly(b: number, type: ValueType): string {
    return `KILL ${this.pick(b, type)}\n`;
  }

  private addTerminators(b: number, lines: string[]): void {
    const succs = this.successors[b]!;
    const last = succs[succs.length - 1];
    if (last === undefined) {
      const type = this.c.selected ? 'vgpr' : 'word';
      lines.push(`    S_ENDPGM 0${this.rnd(3) === 0 ? `, implicit ${this.pick(b, type)}` : ''}\n`);
      return;
    }
    for (const [k, s] of succs.slice(0, -1).entries()) {
      if (this.c.isVaried === true && k === 0 && this.rnd(2) === 0)
        this.addText(b, lines, this.oneOf(this.c.selected ? SELECTED_BRANCHES : GENERIC_BRANCHES), `%bb.${s}`);
      else lines.push(`    ${this.conditionalBranch(b, s)}\n`);
    }
    // The last one may fall through.
    if (last !== b + 1 || this.rnd(2) === 0) lines.push(`    ${this.c.selected ? 'S_BRANCH' : 'G_BR'} %bb.${last}\n`);
  }

  private conditionalBranch(b: number, s: number): string {
    if (!this.c.selected) return `G_BRCOND ${this.pick(b, 'bit')}(s1), %bb.${s}`;
    const mask = this.classOf('mask');
    const implicit = 'implicit-def dead $exec, implicit-def dead $scc, implicit $exec';
    switch (this.rnd(4)) {
      case 0:
        return `%${this.nextValue++}:${mask} = SI_IF ${this.pick(b, 'mask')}, %bb.${s}, ${implicit}`;
      case 1:
        return `SI_LOOP ${this.pick(b, 'mask')}, %bb.${s}, ${implicit}`;
      case 2:
        return `S_CBRANCH_VCCNZ %bb.${s}, implicit undef $vcc`;
      default:
        return `S_CBRANCH_SCC${this.rnd(2)} %bb.${s}, implicit undef $scc`;
    }
  }
}

/** Operand word of an inline asm result of one register. */
const REG_DEF = 10;

/** One MIR document with the function `name`. */
export function randomUniformityFunction(name: string, c: UniformityCase): string {
  return new FunctionWriter(c).write(name);
}
