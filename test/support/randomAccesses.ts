/** Functions in SSA form whose accesses of memory share addresses, for si-load-store-opt. */
import type { Random } from './damageInputs.js';

const vector = (bits: number, isAligned: boolean): string =>
  bits === 32 ? 'vgpr_32' : `vreg_${bits}${isAligned ? '_align2' : ''}`;
const words = (n: number): string => (n === 1 ? '' : `X${n}`);

/** Formats of 32, 16 and 8 bits, some of them unknown: up to gfx9, of gfx10, of gfx11. */
const FORMATS: Readonly<Record<number, readonly number[]>> = {
  9: [116, 123, 125, 126, 68, 75, 114, 117, 124, 81, 83, 90, 0, 40],
  10: [22, 64, 74, 77, 20, 62, 13, 29, 71, 5, 18, 60, 0, 100],
  11: [22, 50, 60, 63, 20, 48, 13, 29, 57, 5, 18, 46, 0, 100],
};

class Accesses {
  private readonly lines: string[] = [];
  private next = 0;
  private readonly values = new Map<number, string[]>();
  private readonly generation: number;
  private readonly isAligned: boolean;

  constructor(
    private readonly random: Random,
    cpu: string,
    private readonly features: string,
  ) {
    const digits = /^gfx(\d+)\w\w$/.exec(cpu)?.[1];
    this.generation = digits === undefined ? 6 : Number(digits);
    this.isAligned = /gfx9(?:0a|42|50)|gfx1250/.test(cpu);
  }

  private vector(bits: number): string {
    return vector(bits, this.isAligned);
  }

  private define(cls: string, text = 'IMPLICIT_DEF'): string {
    const reg = `%${this.next++}`;
    this.lines.push(`${reg}:${cls} = ${text}`);
    return reg;
  }

  private dataOf(nWords: number): string {
    const known = this.values.get(nWords);
    if (known === undefined || this.random.chance(20)) return this.define(this.vector(nWords * 32));
    return this.random.pick(known);
  }

  private load(nWords: number, text: string): void {
    const reg = this.define(this.vector(nWords * 32), text);
    this.values.set(nWords, [...(this.values.get(nWords) ?? []), reg]);
  }

  private access(isStore: boolean, bits: number, space: number, align: number, more = ''): string {
    const { random } = this;
    const volatile = random.chance(3) ? 'volatile ' : '';
    const pointer = random.chance(30) ? ` ${isStore ? 'into' : 'from'} %ir.p${space}` : '';
    const of = pointer === '' || !random.chance(50) ? '' : ` + ${random.below(6) * 4}`;
    return `:: (${volatile}${more}${isStore ? 'store' : 'load'} (s${bits})${pointer}${of}, ${of === '' ? 'align' : 'basealign'} ${align}, addrspace ${space})`;
  }

  text(name: string): string {
    const { random, generation } = this;
    const isMasked = this.features.includes('wavefrontsize64') || generation < 10;
    const lds = [this.define('vgpr_32'), this.define('vgpr_32')];
    const pointers = [this.define(this.vector(64)), this.define(this.vector(64))];
    const [low, high] = [this.define('vgpr_32'), this.define('vgpr_32')];
    const scalars = [this.define('sgpr_64'), this.define('sgpr_64')];
    const resource = this.define('sgpr_128');
    const image = this.define('sgpr_256');
    const sampler = this.define('sgpr_128');
    const index = this.define('vgpr_32');
    const soffset = this.define('sreg_32');
    const offsetOf = (unit: number): number =>
      unit * random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, random.below(300), 64 * random.below(40)]);
    const align = (): number => random.pick([1, 4, 4, 8, 16]);
    const cpol = (): number => (random.chance(12) ? 1 : 0);
    const shifted = (): string => {
      const constant = random.pick([0, 64, 2000, 4096, 6144, 8192, 10240, 70000, -4096]);
      const mask = isMasked ? 'sreg_64_xexec' : 'sreg_32_xm0_xexec';
      const literal = random.chance(50) ? this.define('sgpr_32', `S_MOV_B32 ${constant}`) : String(random.below(65));
      const [x, carry] = [`%${this.next++}`, `%${this.next++}`];
      this.lines.push(`${x}:vgpr_32, ${carry}:${mask} = V_ADD_CO_U32_e64 ${low}, ${literal}, 0, implicit $exec`);
      const [y, dead] = [`%${this.next++}`, `%${this.next++}`];
      const hi = random.chance(80) ? 0 : -1;
      this.lines.push(
        `${y}:vgpr_32, dead ${dead}:${mask} = V_ADDC_U32_e64 ${high}, ${hi}, ${carry}, 0, implicit $exec`,
      );
      return this.define(this.vector(64), `REG_SEQUENCE ${x}, %subreg.sub0, ${y}, %subreg.sub1`);
    };
    const kinds: readonly (() => void)[] = [
      () => {
        const suffix = generation < 9 ? '' : '_gfx9';
        const m0 = generation < 9 ? 'implicit $m0, ' : '';
        const n = random.pick([1, 1, 2]);
        const at = `${random.pick(lds)}`;
        const tail = (isStore: boolean): string =>
          `${offsetOf(n * 4)}, 0, ${m0}implicit $exec ${this.access(isStore, n * 32, 3, align())}`;
        if (random.chance(60)) this.load(n, `DS_READ_B${n * 32}${suffix} ${at}, ${tail(false)}`);
        else this.lines.push(`DS_WRITE_B${n * 32}${suffix} ${at}, ${this.dataOf(n)}, ${tail(true)}`);
      },
      () => {
        const n = random.pick([1, 1, 2, ...(generation >= 12 ? [3] : []), 4]);
        const cls = { 1: 'sgpr_32', 2: 'sreg_64_xexec', 3: 'sgpr_96', 4: 'sgpr_128' }[n]!;
        const unit = generation < 8 ? 1 : 4;
        const tail = `${offsetOf(unit)}, 0 ${this.access(false, n * 32, 4, align(), 'dereferenceable invariant ')}`;
        const kind = random.below(generation >= 9 ? 3 : 2);
        if (kind === 0) this.define(cls, `S_LOAD_DWORD${words(n)}_IMM ${random.pick(scalars)}, ${tail}`);
        else if (kind === 1) this.define(cls, `S_BUFFER_LOAD_DWORD${words(n)}_IMM ${resource}, ${tail}`);
        else this.define(cls, `S_BUFFER_LOAD_DWORD${words(n)}_SGPR_IMM ${resource}, ${soffset}, ${tail}`);
      },
      () => {
        const mode = random.pick(['OFFEN', 'OFFSET', 'IDXEN']) + (random.chance(10) ? '_exact' : '');
        const form = `${generation >= 12 ? 'VBUFFER_' : ''}${mode}`;
        const scalar = generation >= 12 ? '$sgpr_null' : '0';
        const address = `${mode.startsWith('OFFSET') ? '' : `${index}, `}${resource}, ${scalar}`;
        const swizzle = random.chance(5) ? 1 : 0;
        const isTyped = random.chance(40);
        const n = random.pick([1, 1, 2, ...(generation >= 7 || isTyped ? [3] : [])]);
        const isStore = random.chance(40);
        const formats = FORMATS[generation < 10 ? 9 : generation < 11 ? 10 : 11];
        const format = isTyped ? `${random.pick(formats)}, ` : '';
        const tail = `${address}, ${offsetOf(random.pick(isTyped ? [1, 2, 4] : [4]))}, ${format}${cpol()}, ${swizzle}, implicit $exec ${this.access(isStore, n * 32, 1, align())}`;
        const base = isTyped
          ? `TBUFFER_${isStore ? 'STORE' : 'LOAD'}_FORMAT_${'XYZ'.slice(0, n)}`
          : `BUFFER_${isStore ? 'STORE' : 'LOAD'}_DWORD${words(n)}`;
        if (isStore) this.lines.push(`${base}_${form} ${this.dataOf(n)}, ${tail}`);
        else this.load(n, `${base}_${form} ${tail}`);
      },
      () => {
        if (generation < 7) return;
        const isGlobal = generation >= 9 && random.chance(80);
        const isScalar = isGlobal && random.chance(30);
        const flatScratch = isGlobal ? '' : ', implicit $flat_scr';
        const n = random.pick([1, 1, 2, 3]);
        const isStore = random.chance(40);
        const offset = generation < 9 ? 0 : isGlobal && random.chance(10) ? -8 : offsetOf(4) % 2048;
        const address = isScalar ? index : random.chance(25) ? shifted() : random.pick(pointers);
        const base = `${isGlobal ? 'GLOBAL' : 'FLAT'}_${isStore ? 'STORE' : 'LOAD'}_DWORD${words(n)}${isScalar ? '_SADDR' : ''}`;
        const space = isGlobal ? 1 : 0;
        const tail = `${random.chance(30) ? 0 : offset}, ${cpol()}, implicit $exec${flatScratch} ${this.access(isStore, n * 32, space, align())}`;
        const saddr = isScalar ? `${scalars[0]}, ` : '';
        if (isStore) this.lines.push(`${base} ${address}, ${this.dataOf(n)}, ${saddr}${tail}`);
        else this.load(n, `${base} ${saddr}${address}, ${tail}`);
      },
      () => {
        if (generation < 10 || generation >= 12) return;
        const mask = random.pick([1, 2, 3, 4, 8, 12, 7]);
        const isTold = random.chance(5) ? 1 : 0;
        const n = [...mask.toString(2)].filter((bit) => bit === '1').length + isTold;
        const isSampled = random.chance(50);
        const encoding = generation === 10 ? 'gfx10' : 'gfx11';
        const flags = `${mask}, 1, ${cpol() === 1 ? '1' : '-1'}, ${cpol()}, 0, 0, ${isTold}, 0`;
        const tail = `implicit $exec ${this.access(false, n * 32, 8, align(), 'dereferenceable ')}`;
        if (isSampled)
          this.load(n, `IMAGE_SAMPLE_V${n}_V2_${encoding} ${pointers[0]}, ${image}, ${sampler}, ${flags}, 0, ${tail}`);
        else this.load(n, `IMAGE_LOAD_V${n}_V2_${encoding} ${pointers[0]}, ${image}, ${flags}, 0, ${tail}`);
      },
      () =>
        this.lines.push(random.pick(['S_NOP 0', 'S_BARRIER', `KILL ${lds[0]}`, `S_NOP 0, implicit ${pointers[0]}`])),
    ];
    const often = random.pick(kinds);
    for (let n = 6 + random.below(14); n > 0; n--) (random.chance(60) ? often : random.pick(kinds))();
    // all addresses are read twice
    this.lines.push(
      `S_NOP 0, ${[...lds, ...pointers, ...scalars, resource, image, sampler, index, soffset].map((r) => `implicit ${r}`).join(', ')}`,
    );
    return `---\nname: ${name}\nbody: |\n  bb.0:\n    ${this.lines.join('\n    ')}\n...\n`;
  }
}

/** `names`: of the functions, which have the pointers `%p0` and so on. */
export function randomAccessFunctions(random: Random, names: readonly string[], cpu: string, features: string): string {
  const spaces = [0, 1, 3, 4, 8].map((space) => `ptr addrspace(${space}) %p${space}`).join(', ');
  const ir = names.map((name) => `define void @${name}(${spaces}) { ret void }`).join('\n  ');
  const bodies = names.map((name) => new Accesses(random, cpu, features).text(name));
  return `--- |\n  ${ir}\n...\n${bodies.join('')}`;
}
