/** What LLVM says of the registers of functions (server/tools/functionFacts), and random functions to ask about. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMIT_MS } from './llc.js';
import { randomSource } from './random.js';

const [CONFIG, COMPILER] = ['llvm-config-22', 'clang++-22'] as const;
const SOURCE = join(__dirname, '..', '..', 'server', 'tools', 'functionFacts', 'functionFacts.cpp');

export interface FunctionFacts {
  readonly name: string;
  readonly reserved: readonly number[];
  /** registers that cost something */
  readonly nCosts: number;
  readonly saved: readonly number[];
  /** of calls of the function's own convention; empty: none */
  readonly mask: string;
  /** class, least cost, last change of the cost, class that it may be widened to, order */
  readonly classes: readonly (readonly [number, number, number, number, readonly number[]])[];
}

/** The program that knows LLVM, made from its source; null where llvm-22-dev or clang-22 is missing. */
export class FactsProgram {
  private constructor(private readonly folder: string) {}

  static make(): FactsProgram | null {
    const config = (what: string): string =>
      (spawnSync(CONFIG, [what], { encoding: 'utf8', timeout: LIMIT_MS }).stdout ?? '').trim();
    if (config('--version') !== '22.1.8') return null;
    const folder = mkdtempSync(join(tmpdir(), 'facts-'));
    const flags = ['-std=c++17', '-O0', '-fno-rtti', '-DNDEBUG', '-D_GNU_SOURCE', `-I${config('--includedir')}`];
    const args = [...flags, SOURCE, '-o', join(folder, 'facts'), `-L${config('--libdir')}`, '-lLLVM-22'];
    const made = spawnSync(COMPILER, args, { encoding: 'utf8', timeout: 4 * LIMIT_MS });
    if (made.status === 0) return new FactsProgram(folder);
    rmSync(folder, { recursive: true });
    // clang is there, and does not like the source: that is no reason to skip.
    if (made.error === undefined) throw new Error(made.stderr);
    return null;
  }

  /** `costs`: of each register, written over LLVM's own. */
  ask(triple: string, text: string, costs: Uint8Array | null): FunctionFacts[] {
    const file = join(this.folder, 'asked.mir');
    const list = join(this.folder, 'costs');
    writeFileSync(file, text);
    if (costs !== null) writeFileSync(list, costs);
    const run = spawnSync(join(this.folder, 'facts'), [triple, file, ...(costs === null ? [] : [list])], {
      encoding: 'utf8',
      maxBuffer: 1 << 29,
      timeout: LIMIT_MS,
    });
    if (run.status !== 0) throw new Error(`${run.stderr}\n${text.slice(0, 2000)}`);
    return run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as FunctionFacts);
  }

  end(): void {
    rmSync(this.folder, { recursive: true });
  }
}

export const TRIPLES = ['amdgcn-amd-amdhsa', 'amdgcn-amd-amdpal', 'amdgcn-mesa-mesa3d', 'amdgcn--'] as const;

const PROCESSORS =
  'gfx600 gfx601 gfx602 gfx700 gfx701 gfx703 gfx704 gfx705 gfx801 gfx802 gfx803 gfx805 gfx810 gfx900 gfx902 gfx904 gfx906 gfx908 gfx909 gfx90a gfx90c gfx942 gfx950 gfx1010 gfx1011 gfx1013 gfx1030 gfx1032 gfx1036 gfx1100 gfx1102 gfx1150 gfx1151 gfx1200 gfx1201 gfx1250'.split(
    ' ',
  );

const CONVENTIONS = [
  '',
  'fastcc',
  'amdgpu_gfx',
  'amdgpu_gfx_whole_wave',
  'amdgpu_kernel',
  'spir_kernel',
  'amdgpu_cs',
  'amdgpu_ps',
  'amdgpu_cs_chain',
  'amdgpu_cs_chain_preserve',
];

/** A file of `count` functions, each with its own processor, convention, attributes and registers that it reserves. */
export function randomReservations(seed: number, count: number): string {
  const below = randomSource(seed);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const heads: string[] = [];
  const attributes: string[] = [];
  const bodies: string[] = [];
  for (let n = 0; n < count; n++) {
    const cpu = oneOf(PROCESSORS);
    const convention = oneOf(CONVENTIONS);
    const first = convention === 'amdgpu_gfx_whole_wave' ? 'i1 %active' : '';
    heads.push(`  define ${convention} void @f${n}(${first}) #${n} { ret void }`);
    attributes.push(`  attributes #${n} = { ${randomAttributes(cpu, below).join(' ')} }`);
    bodies.push(`---\nname: f${n}\n${randomHeader(below)}body: |\n  bb.0:\n    S_ENDPGM 0\n...\n`);
  }
  return `--- |\n${heads.join('\n')}\n${attributes.join('\n')}\n...\n${bodies.join('')}`;
}

function randomAttributes(cpu: string, below: (n: number) => number): string[] {
  const is = (n: number): boolean => below(n) === 0;
  const given = [`"target-cpu"="${cpu}"`];
  const features: string[] = [];
  const major = Number(cpu.slice(3, -2));
  if (major >= 10 && major < 12 && is(3)) features.push(is(2) ? '+wavefrontsize64' : '+wavefrontsize32');
  if (major >= 10 && is(4)) features.push('+cumode');
  if (/^gfx(?:801|810|9)/.test(cpu) && is(3)) features.push(is(2) ? '+xnack' : '-xnack');
  if (features.length > 0) given.push(`"target-features"="${features.join()}"`);
  if (is(3)) {
    const low = 1 + below(10);
    given.push(`"amdgpu-waves-per-eu"="${low}${is(2) ? `,${low + below(6)}` : ''}"`);
  }
  if (is(3)) {
    const low = 1 + below(64);
    given.push(`"amdgpu-flat-work-group-size"="${low},${low + below(960)}"`);
  }
  if (is(5)) given.push(`"amdgpu-num-vgpr"="${below(300)}"`);
  if (is(5)) given.push(`"amdgpu-num-sgpr"="${below(110)}"`);
  if (is(4)) given.push(`"amdgpu-agpr-alloc"="${below(140)}${is(2) ? `,${below(256)}` : ''}"`);
  if (is(8)) given.push(`"amdgpu-dynamic-vgpr-block-size"="${is(2) ? 16 : 32}"`);
  if (is(4)) given.push('"amdgpu-no-flat-scratch-init"');
  if (is(8)) given.push('"no-realign-stack"');
  if (is(8)) given.push('"stackrealign"');
  return given;
}

function randomHeader(below: (n: number) => number): string {
  const is = (n: number): boolean => below(n) === 0;
  const info: string[] = [];
  if (is(3)) info.push('isEntryFunction: true');
  if (is(3)) info.push(`scratchRSrcReg: '$${['sgpr0_sgpr1_sgpr2_sgpr3', 'sgpr96_sgpr97_sgpr98_sgpr99'][below(2)]!}'`);
  if (is(2)) info.push(`stackPtrOffsetReg: '$sgpr${is(3) ? below(100) : 32}'`);
  if (is(2)) info.push(`frameOffsetReg: '$sgpr${is(3) ? below(100) : 33}'`);
  if (is(6)) {
    const low = 2 * below(40);
    info.push(`longBranchReservedReg: '$sgpr${low}_sgpr${low + 1}'`);
  }
  if (is(6)) info.push(`sgprForEXECCopy: '$sgpr${100 + below(2)}'`);
  if (is(6)) info.push(`vgprForAGPRCopy: '$vgpr${below(60)}'`);
  if (is(3)) {
    const regs = Array.from({ length: 1 + below(3) }, () => `'$vgpr${below(256)}'`);
    info.push(`wwmReservedRegs: [ ${[...new Set(regs)].join(', ')} ]`);
  }
  const header: string[] = ['tracksRegLiveness: true'];
  if (is(4)) header.push('frameInfo:', `  maxAlignment: ${2 ** below(8)}`);
  if (is(6)) header.push(`calleeSavedRegisters: [ '$vgpr${below(64)}', '$sgpr${below(60)}' ]`);
  if (info.length > 0) header.push('machineFunctionInfo:', ...info.map((line) => `  ${line}`));
  return `${header.join('\n')}\n`;
}
