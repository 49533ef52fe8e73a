/**
 * Whole-wave values in random code, for register allocation: IR with strict regions, lane operations, kills, calls and many scalars, which llc-22
 * takes to MIR; and functions of randomAllocation.ts in which some instructions are in strict regions.
 */
import type { Random } from './damageInputs.js';
import { randomAllocation } from './randomAllocation.js';

const PROCESSORS = [
  ...['gfx803', 'gfx900', 'gfx906', 'gfx908', 'gfx90a', 'gfx942', 'gfx950'],
  ...['gfx1010', 'gfx1030', 'gfx1100', 'gfx1150', 'gfx1200', 'gfx1250'],
];
const CONVENTIONS = ['amdgpu_kernel ', 'amdgpu_kernel ', 'amdgpu_ps ', 'amdgpu_cs ', '', 'amdgpu_gfx '];

export interface WholeWaveModule {
  readonly text: string;
  readonly cpu: string;
  readonly triple: string;
  /** of clang: none */
  readonly args: readonly string[];
}

/** A module of IR with one or two functions. */
export function randomWholeWaveModule(random: Random): WholeWaveModule {
  const cpu = random.pick(PROCESSORS);
  const triple = random.pick(['amdgcn-amd-amdhsa', 'amdgcn-amd-amdhsa', 'amdgcn-amd-amdpal', 'amdgcn-mesa-mesa3d']);
  const isLate = cpu.startsWith('gfx1');
  const isWave64 = !isLate || (random.chance(40) && cpu !== 'gfx1250');
  const declarations = new Set<string>();
  const functions: string[] = [];
  const attributes: string[] = [];
  for (let f = 0, n = 1 + random.below(2); f < n; f++) {
    const optNone = random.chance(12) ? ' optnone noinline' : '';
    const given = [
      isWave64 && isLate ? '"target-features"="+wavefrontsize64,-wavefrontsize32"' : '',
      random.chance(15) ? `"amdgpu-waves-per-eu"="${random.pick(['1,1', '4,8', '8'])}"` : '',
      random.chance(15) ? `"amdgpu-num-vgpr"="${random.pick([40, 64, 96])}"` : '',
      random.chance(15) ? `"amdgpu-num-sgpr"="${random.pick([32, 40, 56])}"` : '',
      random.chance(10) ? '"amdgpu-prealloc-sgpr-spill-vgprs"' : '',
    ];
    attributes.push(`attributes #${f} = { convergent nounwind${optNone} ${given.join(' ')} }`);
    functions.push(new WaveFunction(f, random, isWave64 ? 'i64' : 'i32', declarations).text);
  }
  const text = [`target triple = "${triple}"`, ...functions, ...declarations, ...attributes, ''].join('\n');
  return { text, cpu, triple, args: [] };
}

class WaveFunction {
  readonly text: string;
  private readonly lines: string[] = [];
  private readonly scalars = ['%n'];
  private readonly vectors = ['%z'];
  private readonly convention: string;
  private nValues = 0;
  private nRegions = 0;

  constructor(
    id: number,
    private readonly random: Random,
    /** type of a mask of lanes */
    private readonly mask: string,
    private readonly declarations: Set<string>,
  ) {
    this.convention = random.pick(CONVENTIONS);
    const inReg = /kernel|^$/.test(this.convention) ? '' : ' inreg';
    const pointers = `ptr addrspace(1)${inReg} %p, ptr addrspace(4)${inReg} %q`;
    this.lines.push(`define ${this.convention}void @f${id}(${pointers}, i32${inReg} %n, i32 %z) #${id} {`, 'entry:');
    if (this.convention === 'amdgpu_kernel ') this.vectors.push(this.call('llvm.amdgcn.workitem.id.x', 'i32'));
    else this.vectors.push(this.call('llvm.amdgcn.mbcnt.lo', 'i32', 'i32 -1', 'i32 0'));
    const nScalars = random.pick([3, 8, 20, 40, 70]);
    while (this.scalars.length < nScalars) this.loadScalars();
    this.region(0, 6 + random.below(random.chance(25) ? 70 : 28));
    // What is used at the end lives all the way.
    for (const x of this.scalars.slice(0, random.pick([2, 10, 40])))
      this.lines.push(`  call void asm sideeffect "; ends $0", "s"(i32 ${x})`);
    for (const x of this.vectors.slice(-random.pick([2, 10, 30]))) this.store(x);
    this.lines.push('  ret void', '}');
    this.text = this.lines.join('\n');
  }

  private scalar(): string {
    return this.random.pick(this.scalars);
  }

  private vector(): string {
    return this.random.pick(this.vectors);
  }

  private any(): string {
    return this.random.chance(50) ? this.scalar() : this.vector();
  }

  private value(text: string): string {
    const name = `%t${this.nValues++}`;
    this.lines.push(`  ${name} = ${text}`);
    return name;
  }

  /** Calls a function or intrinsic, whose declaration follows from the types of its arguments. */
  private call(name: string, type: string, ...args: string[]): string {
    this.declarations.add(`declare ${type} @${name}(${args.map((a) => a.split(' ')[0]).join(', ')})`);
    return this.value(`call ${type} @${name}(${args.join(', ')})`);
  }

  private loadScalars(): void {
    const width = this.random.pick([1, 2, 4, 8]);
    const at = this.value(`getelementptr i32, ptr addrspace(4) %q, i64 ${this.random.below(400)}`);
    const type = width === 1 ? 'i32' : `<${width} x i32>`;
    const loaded = this.value(`load ${type}, ptr addrspace(4) ${at}, align ${width * 4}`);
    if (width === 1) this.scalars.push(loaded);
    else for (let e = 0; e < width; e++) this.scalars.push(this.value(`extractelement ${type} ${loaded}, i32 ${e}`));
  }

  private store(x: string): void {
    const { random } = this;
    const index = random.chance(50) ? this.vector() : `${random.below(99)}`;
    const at = this.value(`getelementptr i32, ptr addrspace(1) %p, i32 ${index}`);
    this.lines.push(`  store ${random.chance(30) ? 'volatile ' : ''}i32 ${x}, ptr addrspace(1) ${at}`);
  }

  /** A computation in all lanes, some of which have another value first. */
  private wholeWave(): void {
    const { random } = this;
    let x = this.vector();
    if (random.chance(80))
      x = this.call(
        'llvm.amdgcn.set.inactive.i32',
        'i32',
        `i32 ${x}`,
        `i32 ${random.pick(['0', '-1', this.scalar()])}`,
      );
    for (let k = 1 + random.below(4); k > 0; k--) {
      if (random.chance(50)) {
        const control = `i32 ${random.pick([273, 274, 276, 280, 27])}`;
        const old = `i32 ${random.pick(['0', x])}`;
        const moved = this.call(
          'llvm.amdgcn.update.dpp.i32',
          'i32',
          ...[old, `i32 ${x}`, control, 'i32 15', 'i32 15', 'i1 false'],
        );
        x = this.value(`add i32 ${x}, ${moved}`);
      } else x = this.value(`${random.pick(['add', 'xor', 'mul'])} i32 ${x}, ${this.any()}`);
      if (random.chance(20)) {
        const lane = this.call('llvm.amdgcn.readlane.i32', 'i32', `i32 ${x}`, `i32 ${random.below(32)}`);
        x = this.value(`add i32 ${x}, ${lane}`);
      }
    }
    const end = random.pick(['strict.wwm', 'strict.wwm', 'strict.wqm', 'wqm', 'softwqm']);
    this.vectors.push(this.call(`llvm.amdgcn.${end}.i32`, 'i32', `i32 ${x}`));
  }

  private ballot(): void {
    const isLess = this.value(`icmp ult i32 ${this.vector()}, ${this.any()}`);
    const lanes = this.call(`llvm.amdgcn.ballot.${this.mask}`, this.mask, `i1 ${isLess}`);
    this.scalars.push(this.value(this.mask === 'i64' ? `trunc i64 ${lanes} to i32` : `add i32 ${lanes}, 1`));
  }

  private assembly(): void {
    const { random } = this;
    if (random.chance(33)) {
      const reg = random.pick(['s10', 's34', 'v8', 'v40', 'vcc', 's[20:27]', 'v[0:7]']);
      this.lines.push(`  call void asm sideeffect "; clobbers", "~{${reg}}"()`);
    } else if (random.chance(50))
      this.lines.push(`  call void asm sideeffect "; $0 $1", "s,v"(i32 ${this.scalar()}, i32 ${this.any()})`);
    else this.lines.push(`  call void asm sideeffect "; $0 $1", "s,s"(i32 ${this.scalar()}, i32 ${this.scalar()})`);
  }

  private statement(): void {
    const { random } = this;
    const kind = random.below(100);
    if (kind < 12)
      this.scalars.push(
        this.value(`${random.pick(['add', 'xor', 'mul', 'and', 'sub'])} i32 ${this.scalar()}, ${this.scalar()}`),
      );
    else if (kind < 28)
      this.vectors.push(
        this.value(`${random.pick(['add', 'xor', 'mul', 'or', 'sub'])} i32 ${this.any()}, ${this.vector()}`),
      );
    else if (kind < 34) {
      const at = this.value(`getelementptr i32, ptr addrspace(1) %p, i32 ${this.vector()}`);
      this.vectors.push(this.value(`load i32, ptr addrspace(1) ${at}`));
    } else if (kind < 54) this.wholeWave();
    else if (kind < 60) this.scalars.push(this.call('llvm.amdgcn.readfirstlane.i32', 'i32', `i32 ${this.vector()}`));
    else if (kind < 64) this.ballot();
    else if (kind < 74) this.store(this.any());
    else if (kind < 78) this.loadScalars();
    else if (kind < 84) this.assembly();
    else if (kind < 86 && this.convention === 'amdgpu_ps ') {
      const lives = this.value(`icmp ult i32 ${this.vector()}, ${this.any()}`);
      this.declarations.add('declare void @llvm.amdgcn.kill(i1)');
      this.lines.push(`  call void @llvm.amdgcn.kill(i1 ${lives})`);
    } else if (kind < 90 && /kernel|gfx|^$/.test(this.convention)) {
      const [type, name] = this.convention === 'amdgpu_gfx ' ? ['amdgpu_gfx i32', 'graphics'] : ['i32', 'callee'];
      this.vectors.push(this.call(name, type, `i32 ${this.any()}`, `i32 ${this.any()}`));
    } else if (kind < 94) {
      const wide = this.value(`zext i32 ${this.any()} to i64`);
      const product = this.value(`mul i64 ${wide}, ${1 + random.below(99)}`);
      this.vectors.push(this.value(`trunc i64 ${product} to i32`));
    } else {
      const isGreater = this.value(`icmp sgt i32 ${this.any()}, ${this.any()}`);
      this.vectors.push(this.value(`select i1 ${isGreater}, i32 ${this.any()}, i32 ${this.vector()}`));
    }
  }

  /** Statements, conditions and loops; what is defined within does not leave them. */
  private region(depth: number, n: number): void {
    const { random } = this;
    for (let k = 0; k < n; k++) {
      if (depth === 3 || !random.chance(14)) {
        this.statement();
        continue;
      }
      const [nScalars, nVectors] = [this.scalars.length, this.vectors.length];
      if (random.chance(60)) this.condition(depth);
      else this.loop(depth, nScalars, nVectors);
      this.scalars.length = nScalars;
      this.vectors.length = nVectors;
    }
  }

  private condition(depth: number): void {
    const { random } = this;
    const b = this.nRegions++;
    const operands = random.chance(50) ? `${this.vector()}, ${this.any()}` : `${this.scalar()}, ${this.scalar()}`;
    const holds = this.value(`icmp ult i32 ${operands}`);
    this.lines.push(`  br i1 ${holds}, label %then${b}, label %join${b}`, `then${b}:`);
    this.region(depth + 1, 1 + random.below(6));
    this.store(this.vector());
    this.lines.push(`  br label %join${b}`, `join${b}:`);
  }

  private loop(depth: number, nScalars: number, nVectors: number): void {
    const { random } = this;
    const b = this.nRegions++;
    const limits = random.chance(50) ? this.scalars.slice(0, nScalars) : this.vectors.slice(0, nVectors);
    this.lines.push(`  br label %pre${b}`, `pre${b}:`, `  br label %loop${b}`, `loop${b}:`);
    this.vectors.push(this.value(`phi i32 [ 0, %pre${b} ], [ %next${b}, %latch${b} ]`));
    const counter = this.vectors.at(-1);
    this.region(depth + 1, 1 + random.below(6));
    this.store(this.vector());
    this.lines.push(`  br label %latch${b}`, `latch${b}:`, `  %next${b} = add i32 ${counter}, 1`);
    const goesOn = this.value(`icmp ult i32 %next${b}, ${random.pick(limits)}`);
    this.lines.push(`  br i1 ${goesOn}, label %loop${b}, label %out${b}`, `out${b}:`);
  }
}

/** A function of randomAllocation.ts, scaled, some of whose instructions are in strict regions, with attributes that the allocator asks for. */
export function randomStrictRegions(
  random: Random,
  seed: number,
): { readonly args: readonly string[]; readonly text: string } {
  const made = randomAllocation(seed, random.pick([1, 1, 2]), random.pick([0, 0, 5]));
  const isWave32 = made.args.some((a) => a.includes('gfx1'));
  const [exec, mask] = isWave32 ? ['$exec_lo', 'sreg_32_xm0_xexec'] : ['$exec', 'sreg_64_xexec'];
  const effects = `implicit-def ${exec}, implicit-def dead $scc, implicit ${exec}`;
  const lines: string[] = [];
  let open = '';
  let left = 0;
  let saved = 900;
  for (const line of made.text.split('\n')) {
    const isEnd = /S_CBRANCH|S_BRANCH|S_ENDPGM|SI_RETURN|bb\.\d+:|successors|^\.\.\.|SI_CALL/.test(line);
    if (open !== '' && (isEnd || left-- <= 0)) {
      lines.push(`    ${exec} = EXIT_${open} %${saved++}`);
      open = '';
    }
    if (open === '' && !isEnd && line.startsWith('    ') && random.chance(6)) {
      open = random.chance(70) ? 'STRICT_WWM' : 'STRICT_WQM';
      left = 1 + random.below(4);
      lines.push(`    %${saved}:${mask} = ENTER_${open} -1, ${effects}`);
    }
    lines.push(line);
  }
  const kinds = ['', 'amdgpu_gfx ', 'amdgpu_kernel '];
  const attributes = [
    ...['"amdgpu-prealloc-sgpr-spill-vgprs"', '"amdgpu-num-vgpr"="24"', '"amdgpu-waves-per-eu"="4,4"'],
    ...['noinline optnone', '"amdgpu-num-sgpr"="48"'],
  ];
  const declaration = `--- |\n  define ${random.pick(kinds)}void @f() ${random.pick(attributes)} {\n    ret void\n  }\n...\n`;
  return { args: made.args, text: (random.chance(30) ? declaration : '') + lines.join('\n') };
}
