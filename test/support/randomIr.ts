/**
 * Random LLVM IR for AMDGPU: what llc-22 makes of it up to the machine scheduler is MIR as compilers write it, with memory operands,
 * frame objects, constants, call sequences, matrix and LDS instructions. The same seed gives the same text.
 */
import { Random } from './damageInputs.js';

export interface RandomIr {
  readonly text: string;
  /** options for llc: triple, processor, features, level */
  readonly args: readonly string[];
}

const PROCESSORS = [
  'gfx600', 'gfx704', 'gfx803', 'gfx900', 'gfx906', 'gfx908', 'gfx90a', 'gfx942', 'gfx950', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1150',
  'gfx1200', 'gfx1201', 'gfx1250',
]; // prettier-ignore

const INTS = ['i16', 'i32', 'i64'];
const FLOATS = ['half', 'float', 'double'];
const VECTORS = ['<2 x half>', '<2 x i32>', '<4 x float>', '<4 x i32>', '<2 x float>', '<8 x half>', '<16 x float>'];
const TYPES = [...INTS, ...FLOATS, ...VECTORS, 'i8'];

const BITS: Readonly<Record<string, number>> = { i8: 8, i16: 16, i32: 32, i64: 64, half: 16, float: 32, double: 64 };
const isFloat = (type: string): boolean => /half|float|double/.test(type);

/** One module of one to three functions. */
export function randomIr(seed: number): RandomIr {
  const random = new Random(seed);
  const cpu = random.pick(PROCESSORS);
  const args = [
    `-mtriple=${random.pick(['amdgcn-amd-amdhsa', 'amdgcn-amd-amdhsa', 'amdgcn-mesa-mesa3d', 'amdgcn-amd-amdpal'])}`,
    `-mcpu=${cpu}`,
  ];
  const isNew = /^gfx1/.test(cpu);
  if (isNew && random.chance(30) && cpu !== 'gfx1250') args.push('-mattr=+wavefrontsize64');
  if (random.chance(20)) args.push(random.pick(['-O0', '-O1', '-O3']));
  const declared = new Set<string>();
  const lines: string[] = [];
  if (random.chance(60))
    lines.push(`@lds = internal addrspace(3) global [${64 << random.below(8)} x i32] poison, align 16`);
  const hasLds = lines.length > 0;
  if (random.chance(30)) lines.push('@table = internal addrspace(4) constant [4 x i32] [i32 1, i32 5, i32 9, i32 77]');
  const hasTable = lines.length > (hasLds ? 1 : 0);
  lines.push('');
  const callees: string[] = [];
  const nFunctions = 1 + random.below(3);
  for (let f = 0; f < nFunctions; f++) functionOf(f);
  lines.push('', ...declared, '');
  lines.push(...ATTRIBUTES(random));
  if (declared.size === 0) lines.push('');
  lines.push('!0 = !{i32 0, i32 64}', '!1 = !{}', '!2 = !{i32 1}');
  return { text: lines.join('\n') + '\n', args };

  function functionOf(f: number): void {
    let next = 0;
    const isGraphics = !args[0].endsWith('hsa') && random.chance(40);
    const kind = isGraphics
      ? random.pick(['amdgpu_ps', 'amdgpu_cs', 'amdgpu_vs'])
      : random.chance(70)
        ? 'amdgpu_kernel'
        : '';
    const size = 4 + random.below(random.chance(25) ? 60 : 20);
    const matrixOf = MATRIX(cpu);
    let pools = new Map<string, string[]>();
    let pointers: [string, number][] = [];
    const name = (): string => `%t${next++}`;
    const poolOf = (type: string): string[] => {
      let pool = pools.get(type);
      if (pool === undefined) pools.set(type, (pool = []));
      return pool;
    };
    const emit = (text: string): void => void lines.push(`  ${text}`);
    const define = (type: string, text: string): string => {
      const reg = name();
      emit(`${reg} = ${text}`);
      poolOf(type).push(reg);
      return reg;
    };
    const declare = (text: string): void => void declared.add(`declare ${text}`);
    const constant = (type: string): string => {
      if (type.startsWith('<'))
        return random.chance(50) ? 'zeroinitializer' : splat(type, constant(type.replace(/^<\d+ x |>$/g, '')));
      if (type === 'i1') return random.pick(['true', 'false']);
      if (isFloat(type)) return random.pick(['1.0', '0.0', '-2.0', '0.5', '3.0', '8.0']);
      return String(random.pick([0, 1, -1, 64, 65, 3, 17, 100, 1 << random.below(7)]));
    };
    const value = (type: string): string => {
      const pool = poolOf(type);
      if (pool.length === 0) {
        if (type === 'i1') return compare();
        if (random.chance(70) && type !== 'i8') return load(type);
        return constant(type);
      }
      return random.chance(12) ? constant(type) : pool[Math.max(0, pool.length - 1 - random.below(10))];
    };
    const compare = (): string => {
      const type = random.pick([...INTS, ...FLOATS]);
      const [a, b] = [value(type), value(type)];
      return define(
        'i1',
        isFloat(type)
          ? `fcmp ${random.pick(['olt', 'ogt', 'oeq', 'une', 'ord'])} ${type} ${a}, ${b}`
          : `icmp ${random.pick(['slt', 'ult', 'eq', 'ne', 'sgt'])} ${type} ${a}, ${b}`,
      );
    };
    const pointer = (): [string, number] => {
      const [base, space] = random.pick(pointers);
      if (random.chance(30)) return [base, space];
      const reg = name();
      if (random.chance(35)) emit(`${reg} = getelementptr i32, ptr${spaced(space)} ${base}, i32 ${value('i32')}`);
      else emit(`${reg} = getelementptr inbounds i8, ptr${spaced(space)} ${base}, i32 ${random.below(64) * 4}`);
      if (random.chance(25)) pointers.push([reg, space]);
      return [reg, space];
    };
    const load = (type: string): string => {
      const [p, space] = pointer();
      const flags = random.chance(6) ? 'volatile ' : '';
      const align = random.pick([1, 2, 4, 4, 4, 8, 16]);
      const suffix = random.chance(8) ? ', !nontemporal !2' : random.chance(8) ? ', !invariant.load !1' : '';
      return define(type, `load ${flags}${type}, ptr${spaced(space)} ${p}, align ${align}${suffix}`);
    };
    const store = (type: string): void => {
      const v = value(type);
      const writable = pointers.filter(([, s]) => s !== 4);
      if (writable.length === 0) return;
      const [p, space] = random.pick(writable);
      const reg = name();
      emit(`${reg} = getelementptr i8, ptr${spaced(space)} ${p}, i32 ${random.below(128) * 4}`);
      emit(
        `store ${random.chance(5) ? 'volatile ' : ''}${type} ${v}, ptr${spaced(space)} ${reg}, align ${random.pick([1, 2, 4, 4, 8, 16])}`,
      );
    };
    const arithmetic = (): void => {
      const type = random.pick(TYPES.filter((t) => t !== 'i8' && t !== '<16 x float>'));
      const [a, b] = [value(type), value(type)];
      if (isFloat(type)) {
        const flags = random.pick(['', '', 'contract ', 'fast ', 'nnan ']);
        if (random.chance(25)) {
          const op = random.pick(['fma', 'minnum', 'maxnum', 'fabs', 'sqrt', 'floor', 'canonicalize']);
          const n = op === 'fma' ? 3 : /num/.test(op) ? 2 : 1;
          if (type === 'double' && op === 'sqrt') return;
          const suffix = type
            .replace(/^<(\d+) x (.*)>$/, 'v$1$2')
            .replace('half', 'f16')
            .replace('float', 'f32')
            .replace('double', 'f64');
          declare(`${type} @llvm.${op}.${suffix}(${Array(n).fill(type).join(', ')})`);
          define(
            type,
            `call ${flags}${type} @llvm.${op}.${suffix}(${[a, b, value(type)]
              .slice(0, n)
              .map((x) => `${type} ${x}`)
              .join(', ')})`,
          );
          return;
        }
        define(
          type,
          `${random.pick(['fadd', 'fmul', 'fsub', 'fadd', 'fmul', ...(type === 'float' && random.chance(10) ? ['fdiv'] : [])])} ${flags}${type} ${a}, ${b}`,
        );
        return;
      }
      const flags = random.pick(['', '', 'nsw ', 'nuw ']);
      const op = random.pick(['add', 'sub', 'mul', 'and', 'or', 'xor', 'shl', 'lshr', 'ashr']);
      define(type, `${op} ${/add|sub|mul|shl/.test(op) ? flags : ''}${type} ${a}, ${b}`);
    };
    const convert = (): void => {
      const [from, to] = [random.pick([...INTS, ...FLOATS]), random.pick([...INTS, ...FLOATS])];
      if (from === to) return;
      const v = value(from);
      if (isFloat(from) && isFloat(to))
        return void define(to, `${BITS[from] < BITS[to] ? 'fpext' : 'fptrunc'} ${from} ${v} to ${to}`);
      if (isFloat(from)) return void define(to, `${random.pick(['fptosi', 'fptoui'])} ${from} ${v} to ${to}`);
      if (isFloat(to))
        return void define(
          to,
          BITS[from] === BITS[to] && random.chance(50)
            ? `bitcast ${from} ${v} to ${to}`
            : `sitofp ${from} ${v} to ${to}`,
        );
      define(to, `${BITS[from] < BITS[to] ? random.pick(['sext', 'zext']) : 'trunc'} ${from} ${v} to ${to}`);
    };
    const vector = (): void => {
      const type = random.pick(VECTORS);
      const [, n, element] = /^<(\d+) x (.*)>$/.exec(type)!;
      if (random.chance(50))
        define(
          type,
          `insertelement ${type} ${value(type)}, ${element} ${value(element)}, i32 ${random.below(Number(n))}`,
        );
      else
        define(
          element,
          `extractelement ${type} ${value(type)}, i32 ${random.chance(90) ? random.below(Number(n)) : value('i32')}`,
        );
    };
    const special = (): void => {
      switch (random.below(14)) {
        case 0:
          declare('i32 @llvm.amdgcn.workitem.id.x()');
          return void define('i32', 'call i32 @llvm.amdgcn.workitem.id.x(), !range !0');
        case 1:
          if (kind !== 'amdgpu_kernel') return;
          declare('i32 @llvm.amdgcn.workgroup.id.x()');
          return void define('i32', 'call i32 @llvm.amdgcn.workgroup.id.x()');
        case 2:
          declare('void @llvm.amdgcn.s.barrier()');
          return emit('call void @llvm.amdgcn.s.barrier()');
        case 3:
          declare('void @llvm.amdgcn.sched.barrier(i32)');
          return emit(`call void @llvm.amdgcn.sched.barrier(i32 ${random.pick([0, 1, 2, 4, 8, 32, 256, 512])})`);
        case 4: {
          declare('void @llvm.amdgcn.sched.group.barrier(i32, i32, i32)');
          for (let k = 1 + random.below(4); k > 0; k--)
            emit(
              `call void @llvm.amdgcn.sched.group.barrier(i32 ${random.pick([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])}, i32 ${1 + random.below(3)}, i32 ${random.below(2)})`,
            );
          return;
        }
        case 5:
          if (!random.chance(40)) return;
          declare('void @llvm.amdgcn.iglp.opt(i32)');
          return emit(`call void @llvm.amdgcn.iglp.opt(i32 ${random.below(4)})`);
        case 6:
          declare('i32 @llvm.amdgcn.readfirstlane.i32(i32)');
          return void define('i32', `call i32 @llvm.amdgcn.readfirstlane.i32(i32 ${value('i32')})`);
        case 7:
          declare('i32 @llvm.amdgcn.ds.bpermute(i32, i32)');
          if (cpu.startsWith('gfx6') || cpu.startsWith('gfx7')) return;
          return void define('i32', `call i32 @llvm.amdgcn.ds.bpermute(i32 ${value('i32')}, i32 ${value('i32')})`);
        case 8: {
          const [p, space] = random.pick(pointers);
          if (space === 4 || space === 5) return;
          return void define(
            'i32',
            `atomicrmw ${random.pick(['add', 'xchg', 'umax', 'or'])} ptr${spaced(space)} ${p}, i32 ${value('i32')} ${random.pick(['monotonic', 'seq_cst', 'syncscope("workgroup") acquire'])}, align 4`,
          );
        }
        case 9:
          return emit(
            `fence ${random.pick(['syncscope("workgroup") release', 'syncscope("agent") acquire', 'seq_cst'])}`,
          );
        case 10:
          return void define('i32', `call i32 asm "v_mov_b32 $0, $1", "=v,v"(i32 ${value('i32')})`);
        case 11:
          if (callees.length === 0 || isGraphics) return;
          return void define(
            'i32',
            `call i32 @${random.pick(callees)}(ptr addrspace(1) ${pointers.find(([, s]) => s === 1)![0]}, i32 ${value('i32')}, float ${value('float')}, <4 x i32> ${value('<4 x i32>')})`,
          );
        case 12:
          declare('float @llvm.amdgcn.rcp.f32(float)');
          return void define('float', `call float @llvm.amdgcn.rcp.f32(float ${value('float')})`);
        default:
          declare('void @llvm.amdgcn.s.sleep(i32)');
          return emit('call void @llvm.amdgcn.s.sleep(i32 1)');
      }
    };
    const matrix = (): void => {
      if (matrixOf === null) return;
      const { name: fn, result, a, tail } = random.pick(matrixOf);
      declare(
        `${result} @llvm.amdgcn.${fn}(${a}, ${a}, ${result}${tail.replace(/ \S+(?=,|$)/g, (m) => (/^ i/.test(m) ? m : ''))})`,
      );
      let c = value(result);
      for (let k = 1 + random.below(4); k > 0; k--)
        c = define(
          result,
          `call ${result} @llvm.amdgcn.${fn}(${a} ${value(a)}, ${a} ${value(a)}, ${result} ${c}${tail})`,
        );
    };
    const straight = (n: number): void => {
      for (; n > 0; n--) {
        const k = random.below(100);
        if (k < 22) load(random.pick(TYPES.filter((t) => t !== 'i8')));
        else if (k < 36) store(random.pick(TYPES.filter((t) => t !== 'i8')));
        else if (k < 66) arithmetic();
        else if (k < 72) convert();
        else if (k < 80) vector();
        else if (k < 84) {
          const type = random.pick(['i32', 'float', 'i64']);
          define(type, `select i1 ${value('i1')}, ${type} ${value(type)}, ${type} ${value(type)}`);
        } else if (k < 92) special();
        else matrix();
      }
    };
    /** Structured control flow; returns the label that it ends in. */
    const region = (n: number, depth: number, label: string): string => {
      straight(n);
      if (depth === 0) return label;
      const [p, q] = [pools, pointers];
      const copy = (): void => {
        pools = new Map([...p].map(([t, l]) => [t, [...l]]));
        pointers = [...q];
      };
      const id = next++;
      if (random.chance(50)) {
        const init = value('i32');
        const bound = value('i32');
        emit(`br label %loop${id}`);
        copy();
        lines.push(`loop${id}:`);
        const at = lines.length;
        lines.push('', '');
        const [i, acc] = [`%i${id}`, `%acc${id}`];
        poolOf('i32').push(i);
        poolOf('float').push(acc);
        const end = region(n, depth - 1, `loop${id}`);
        const sum = define('float', `fadd float ${acc}, ${value('float')}`);
        emit(`%n${id} = add i32 ${i}, 1`);
        emit(`%c${id} = icmp slt i32 %n${id}, ${bound}`);
        lines[at] = `  ${i} = phi i32 [ ${init}, %${label} ], [ %n${id}, %${end} ]`;
        lines[at + 1] = `  ${acc} = phi float [ 0.0, %${label} ], [ ${sum}, %${end} ]`;
        emit(`br i1 %c${id}, label %loop${id}, label %exit${id}`);
        pools = p;
        pointers = q;
        lines.push(`exit${id}:`);
        poolOf('float').push(sum);
      } else {
        emit(`br i1 ${value('i1')}, label %then${id}, label %join${id}`);
        copy();
        lines.push(`then${id}:`);
        const end = region(n, depth - 1, `then${id}`);
        const inner = value('i32');
        emit(`br label %join${id}`);
        pools = p;
        pointers = q;
        lines.push(`join${id}:`);
        define('i32', `phi i32 [ 7, %${label} ], [ ${inner}, %${end} ]`);
      }
      const last = lines
        .filter((l) => l.endsWith(':'))
        .at(-1)!
        .slice(0, -1);
      straight(n);
      return last;
    };
    const parameters = isGraphics
      ? 'i32 inreg %s0, i32 %a, float %x, <4 x i32> inreg %r, ptr addrspace(1) inreg %p'
      : kind === ''
        ? 'ptr addrspace(1) %p, i32 %a, float %x, <4 x i32> %r'
        : 'ptr addrspace(1) noalias %p, ptr addrspace(1) %q, i32 %a, float %x, <4 x i32> %r, i64 %b';
    const result = kind === '' ? 'i32' : kind === 'amdgpu_ps' ? 'float' : 'void';
    lines.push(
      `define ${kind === '' ? '' : `${kind} `}${result} @f${f}(${parameters}) #${random.below(6)} {`,
      'entry:',
    );
    poolOf('i32').push('%a');
    poolOf('float').push('%x');
    poolOf('<4 x i32>').push('%r');
    pointers.push(['%p', 1]);
    if (kind === 'amdgpu_kernel') {
      pointers.push(['%q', 1]);
      poolOf('i64').push('%b');
      if (random.chance(40)) {
        const at = name();
        emit(`${at} = call i32 @llvm.amdgcn.workitem.id.x(), !range !0`);
        declare('i32 @llvm.amdgcn.workitem.id.x()');
        emit(`${at}p = getelementptr float, ptr addrspace(1) %q, i32 ${at}`);
        pointers.push([`${at}p`, 1]);
      }
    }
    if (hasLds && !isGraphics) pointers.push(['@lds', 3]);
    if (hasTable) pointers.push(['@table', 4]);
    if (random.chance(20)) {
      emit('%stack = alloca [16 x i32], align 4, addrspace(5)');
      pointers.push(['%stack', 5]);
    }
    const depth = random.below(4);
    region(Math.ceil(size / (1 + 1.5 * depth)), depth, 'entry');
    store('i32');
    store('float');
    emit(result === 'void' ? 'ret void' : `ret ${result} ${value(result)}`);
    lines.push('}', '');
    if (kind === '') callees.push(`f${f}`);
  }

  function splat(type: string, element: string): string {
    const [, n, of] = /^<(\d+) x (.*)>$/.exec(type)!;
    return `<${Array(Number(n)).fill(`${of} ${element}`).join(', ')}>`;
  }
}

const spaced = (space: number): string => (space === 0 ? '' : ` addrspace(${space})`);

interface MatrixIntrinsic {
  readonly name: string;
  readonly result: string;
  readonly a: string;
  readonly tail: string;
}

/** Matrix intrinsics of a processor; null: it has none. */
function MATRIX(cpu: string): MatrixIntrinsic[] | null {
  const tail = ', i32 0, i32 0, i32 0';
  if (cpu === 'gfx908') {
    return [
      { name: 'mfma.f32.4x4x1f32', result: '<4 x float>', a: 'float', tail },
      { name: 'mfma.f32.16x16x1f32', result: '<16 x float>', a: 'float', tail },
    ];
  }
  if (/^gfx9(0a|42|50)$/.test(cpu)) {
    return [
      { name: 'mfma.f32.4x4x1f32', result: '<4 x float>', a: 'float', tail },
      { name: 'mfma.f32.16x16x4f32', result: '<4 x float>', a: 'float', tail },
      { name: 'mfma.f32.32x32x2f32', result: '<16 x float>', a: 'float', tail },
    ];
  }
  return null;
}

function ATTRIBUTES(random: Random): string[] {
  const choices = [
    '"amdgpu-waves-per-eu"="2"',
    '"amdgpu-waves-per-eu"="4,8"',
    '"amdgpu-flat-work-group-size"="64,256"',
    '"amdgpu-flat-work-group-size"="1024,1024"',
    '"amdgpu-num-vgpr"="48"',
    '"amdgpu-num-sgpr"="40"',
    '"amdgpu-sched-strategy"="max-ilp"',
    '"amdgpu-sched-strategy"="max-memory-clause"',
    '"amdgpu-sched-strategy"="iterative-ilp"',
    '"amdgpu-ieee"="false"',
    '"uniform-work-group-size"="true"',
    '"amdgpu-agpr-alloc"="0"',
    '"amdgpu-lds-size"="4096"',
    '"denormal-fp-math-f32"="preserve-sign,preserve-sign"',
    '"amdgpu-memory-bound"="true"',
    '"amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-dispatch-ptr"',
  ];
  return Array.from({ length: 6 }, (_, k) => {
    const own = Array.from({ length: k === 0 ? 0 : random.below(3) }, () => random.pick(choices));
    return `attributes #${k} = { nounwind ${[...new Set(own)].join(' ')} }`;
  });
}
