/**
 * Generic instructions that the machine verifier has rules for (docs/llvm/verifier.md, 8), their operands' types near each other, so that each
 * rule holds in some and fails in others: one function with many of them. The same seed gives the same text.
 */
import type { Question } from './answers.js';
import { Random } from './damageInputs.js';

/**
 * Operands of each opcode: d defined register, r read one, R one or more, i immediate, c and f constants with a type, p and q predicates,
 * m mask, j jump table, k constant, n intrinsic; after a blank its memory operands: l load, s store, a any.
 */
const SHAPES: Readonly<Record<string, string>> = {
  G_CONSTANT: 'dc', G_FCONSTANT: 'df', G_LOAD: 'dr a', G_STORE: 'rr a', G_ZEXTLOAD: 'dr a', G_SEXTLOAD: 'dr a', G_BITCAST: 'dr',
  G_INTTOPTR: 'dr', G_PTRTOINT: 'dr', G_ADDRSPACE_CAST: 'dr', G_PTR_ADD: 'drr', G_PTRMASK: 'drr', G_SEXT: 'dr', G_ZEXT: 'dr', G_ANYEXT: 'dr',
  G_FPEXT: 'dr', G_TRUNC: 'dr', G_FPTRUNC: 'dr', G_SELECT: 'drrr', G_MERGE_VALUES: 'drR', G_UNMERGE_VALUES: 'ddDr', G_BUILD_VECTOR: 'drR',
  G_BUILD_VECTOR_TRUNC: 'drR', G_CONCAT_VECTORS: 'drR', G_ICMP: 'dprr', G_FCMP: 'dqrr', G_SCMP: 'drr', G_UCMP: 'drr', G_SMIN: 'drr',
  G_UMAX: 'drr', G_EXTRACT: 'dri', G_INSERT: 'drri', G_JUMP_TABLE: 'dj', G_SEXT_INREG: 'dri', G_BSWAP: 'dr', G_VSCALE: 'dc', G_STEP_VECTOR: 'dc',
  G_INSERT_SUBVECTOR: 'drri', G_EXTRACT_SUBVECTOR: 'dri', G_SHUFFLE_VECTOR: 'drrm', G_SPLAT_VECTOR: 'dr', G_EXTRACT_VECTOR_ELT: 'drr',
  G_INSERT_VECTOR_ELT: 'drrr', G_DYN_STACKALLOC: 'dri', G_MEMCPY: 'rrri sl', G_MEMMOVE: 'rrri sl', G_MEMCPY_INLINE: 'rrr sl', G_MEMSET: 'rrri s',
  G_BZERO: 'rri s', G_UBSANTRAP: 'i', G_VECREDUCE_SEQ_FADD: 'drr', G_VECREDUCE_SEQ_FMUL: 'drr', G_VECREDUCE_ADD: 'dr', G_SBFX: 'drrr',
  G_SHL: 'drr', G_ASHR: 'drr', G_ROTR: 'drr', G_LROUND: 'dr', G_LLROUND: 'dr', G_IS_FPCLASS: 'dri', G_PREFETCH: 'riii l', G_CONSTANT_POOL: 'dk',
  G_INTRINSIC: 'dnR', G_INTRINSIC_CONVERGENT: 'dnR', G_INTRINSIC_W_SIDE_EFFECTS: 'dnR', G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS: 'nR',
  G_ASSERT_SEXT: 'dri', G_ASSERT_ZEXT: 'dri', G_ASSERT_ALIGN: 'dri', G_ADD: 'drr', G_FADD: 'drr', G_FRAME_INDEX: 'di',
}; // prettier-ignore

/** Elsewhere llc-22 itself ends when it meets a vector whose length nobody knows. */
const SCALABLE = new Set(['G_STEP_VECTOR', 'G_SPLAT_VECTOR', 'G_INSERT_SUBVECTOR', 'G_EXTRACT_SUBVECTOR']);

interface Type {
  /** 0 = no vector */
  readonly count: number;
  readonly scalable: boolean;
  /** `s32`, `p1` */
  readonly element: string;
}

const ELEMENTS = [
  's1',
  's8',
  's16',
  's17',
  's32',
  's32',
  's48',
  's64',
  's64',
  's128',
  'p0',
  'p1',
  'p3',
  'p5',
  'p7',
  'p8',
];
const INTRINSICS = [
  'workitem.id.x',
  'rcp',
  's.barrier',
  'groupstaticsize',
  'class',
  'readfirstlane',
  'wave.barrier',
  's.getreg',
  'mbcnt.lo',
];
const IMMEDIATES = [0, 0, 1, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 255, 256, 1023, 1024, 65535, -1, -8];

const spelled = ({ count, scalable, element }: Type): string =>
  count === 0 ? element : `<${scalable ? 'vscale x ' : ''}${count} x ${element}>`;

class Writer {
  private readonly head: string[] = [];
  private readonly body: string[] = [];
  private readonly known = new Map<string, string>();
  private next = 0;
  private isScalable = false;

  constructor(private readonly random: Random) {}

  /** Each opcode once or twice, as many of them as `share` says. */
  text(share: number): string {
    const { random } = this;
    for (const name of Object.keys(SHAPES))
      for (let k = 1 + random.below(2); k > 0; k--) if (random.chance(share)) this.instruction(name);
    this.isScalable = false;
    const phis = Array.from({ length: 6 }, () => {
      const t = this.type();
      const other = random.chance(60) ? t : this.near(t);
      return `    %${this.next++}:_(${spelled(t)}) = G_PHI ${this.read(t)}, %bb.0, ${this.read(other)}, %bb.1`;
    });
    const table = random.pick(['%jump-table.0', '3', this.read(this.type())]);
    const branch = `    G_BRJT ${this.read(this.type())}, ${table}, ${this.read(this.type())}`;
    return [
      '---', 'name: f', 'tracksRegLiveness: true', 'jumpTable:', '  kind: block-address', '  entries:', "    - { id: 0, blocks: ['%bb.1'] }",
      'constants:', "  - { id: 0, value: 'i32 7', alignment: 4 }", 'body: |', '  bb.0:', '    successors: %bb.1', '', ...this.head, ...this.body,
      '    S_BRANCH %bb.1', '', '  bb.1:', '    successors: %bb.1', '', ...phis, branch, '...', '',
    ].join('\n'); // prettier-ignore
  }

  private type(): Type {
    const { random } = this;
    const isVector = random.chance(35);
    return {
      count: isVector ? random.pick([2, 2, 3, 4, 8]) : 0,
      scalable: isVector && this.isScalable && random.chance(60),
      element: random.pick(ELEMENTS),
    };
  }

  /** A type that differs in one thing, or its element, or a vector of it. */
  private near(t: Type): Type {
    const { random } = this;
    switch (random.below(6)) {
      case 0:
        return { ...t, element: random.pick(ELEMENTS) };
      case 1:
        return { ...t, count: 0, scalable: false };
      case 2:
        return { ...t, count: random.pick([2, 3, 4, 8]) };
      case 3:
        return { ...t, scalable: t.count > 0 && this.isScalable && !t.scalable };
      case 4: {
        const bits = Number(t.element.slice(1));
        return {
          ...t,
          element: t.element.startsWith('p')
            ? `s${random.pick([32, 64])}`
            : `s${random.chance(50) ? bits * 2 : Math.ceil(bits / 2)}`,
        };
      }
      default:
        return this.type();
    }
  }

  private read(t: Type): string {
    const name = spelled(t);
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const reg = `%${this.next++}`;
    this.head.push(`    ${reg}:_(${name}) = G_IMPLICIT_DEF`);
    this.known.set(name, reg);
    return reg;
  }

  private instruction(name: string): void {
    const { random } = this;
    const [operands, memory = ''] = SHAPES[name]!.split(' ') as [string, string?];
    this.isScalable = SCALABLE.has(name);
    const first = this.type();
    let last = first;
    const type = (): Type => {
      const k = random.below(10);
      last = k < 5 ? first : k < 7 ? last : this.near(random.chance(50) ? first : last);
      return last;
    };
    const defs: string[] = [];
    const uses: string[] = [];
    const size = (): number => Math.max(1, Number(last.element.slice(1)));
    for (const kind of operands) {
      switch (kind) {
        case 'd':
          defs.push(`%${this.next++}:_(${spelled(type())})`);
          break;
        case 'D':
          for (let k = random.below(3); k > 0; k--) defs.push(`%${this.next++}:_(${spelled(last)})`);
          break;
        case 'R':
          for (let k = random.below(4); k > 0; k--) uses.push(this.read(random.chance(80) ? last : type()));
          break;
        case 'r':
          uses.push(random.chance(97) ? this.read(type()) : this.junk(defs.length + uses.length > 0));
          break;
        case 'i':
          uses.push(random.chance(90) ? String(this.immediate(name)) : this.read(type()));
          break;
        case 'c':
          uses.push(
            random.chance(90)
              ? `i${random.chance(70) ? size() : random.pick([1, 8, 32, 64])} ${random.below(3)}`
              : random.pick(['3', 'float 1.0']),
          );
          break;
        case 'f':
          uses.push(random.pick(['half 1.0', 'float 1.0', 'double 1.0', 'float 2.0', 'bfloat 1.0', 'i32 1', '1']));
          break;
        case 'p':
          uses.push(`intpred(${random.pick(['eq', 'ne', 'slt', 'uge'])})`);
          break;
        case 'q':
          uses.push(`floatpred(${random.pick(['oeq', 'une', 'olt', 'true'])})`);
          break;
        case 'm':
          uses.push(
            random.chance(92)
              ? `shufflemask(${random.pick(['0, 1', '0, 1, 2, 3', 'undef, 1', '3, 2', '4, 1', '9, 1', '0, 1, 2'])})`
              : '3',
          );
          break;
        case 'j':
          uses.push(random.chance(80) ? '%jump-table.0' : '%const.0');
          break;
        case 'k':
          uses.push(random.chance(80) ? '%const.0' : '%jump-table.0');
          break;
        case 'n':
          uses.push(random.chance(95) ? `intrinsic(@llvm.amdgcn.${random.pick(INTRINSICS)})` : '4');
          break;
      }
    }
    const mems = [...memory].map((kind) => this.memory(kind, random.chance(70) ? last : first));
    if (mems.length > 0 && random.chance(6)) mems.pop();
    const left = defs.length > 0 ? `${defs.join(', ')} = ` : '';
    this.body.push(`    ${left}${name} ${uses.join(', ')}${mems.length > 0 ? ` :: ${mems.join(', ')}` : ''}`);
  }

  /** No virtual register; a first operand that is none has in llc-22 the type of whatever was there before. */
  private junk(isBehind: boolean): string {
    return isBehind ? this.random.pick(['4', '$vgpr0', 'i32 3']) : '$vgpr0';
  }

  /** Near what the rules of the opcode compare with. */
  private immediate(name: string): number {
    const { random } = this;
    if (name === 'G_UBSANTRAP') return random.pick([0, 127, 128, -1, -128, -129]);
    if (name.startsWith('G_MEM') || name === 'G_BZERO' || name === 'G_PREFETCH') return random.pick([0, 1, 1, 2, 3, 4]);
    if (name === 'G_IS_FPCLASS') return random.pick([0, 5, 1023, 1024, -1]);
    if (name.endsWith('SUBVECTOR')) return random.pick([0, 0, 1, 2, 4, 6, 8]);
    return random.pick(IMMEDIATES);
  }

  private memory(kind: string, t: Type): string {
    const { random } = this;
    const how = kind === 'l' ? 'load' : kind === 's' ? 'store' : random.pick(['load', 'store', 'load store']);
    const does = random.chance(92) ? how : random.pick(['load', 'store', 'load store']);
    const order =
      kind === 'a' && random.chance(15)
        ? ` ${random.pick(['monotonic', 'acquire', 'release', 'acq_rel', 'seq_cst'])}`
        : '';
    const space = t.element.startsWith('p') && random.chance(60) ? Number(t.element.slice(1)) : random.below(6);
    const type = spelled(random.chance(60) ? t : this.near(t));
    return `(${does}${order} (${type})${space > 0 ? `, addrspace ${space}` : ''})`;
  }
}

export function randomGeneric(seed: number): Question {
  const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none'];
  return { input: new Writer(new Random(seed)).text(40), args };
}
