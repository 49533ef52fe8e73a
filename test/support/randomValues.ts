/**
 * Random integer computations in LLVM IR: every instruction and intrinsic of which known bits, intervals, "not zero" and "different" can be told, with
 * flags, ranges, assumptions, branches and loops; and addresses made with them. The same seed gives the same text.
 */
import { Random } from './damageInputs.js';

const BINARY = ['add', 'sub', 'mul', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor', 'udiv', 'sdiv', 'urem', 'srem'];
const MINMAX = ['smax', 'smin', 'umax', 'umin', 'uadd.sat', 'usub.sat', 'sadd.sat', 'ssub.sat'];
const PREDICATES = ['eq', 'ne', 'ugt', 'uge', 'ult', 'ule', 'sgt', 'sge', 'slt', 'sle'];

interface Named {
  readonly name: string;
  readonly type: string;
}

class Body {
  readonly lines: string[] = [];
  readonly values: Named[] = [];
  readonly declared: Set<string>;
  private next = 0;

  constructor(
    readonly random: Random,
    declared: Set<string>,
    readonly prefix: string,
  ) {
    this.declared = declared;
  }

  emit(type: string, text: string): Named {
    const name = `%${this.prefix}${this.next++}`;
    this.lines.push(`  ${name} = ${text}`);
    const v = { name, type };
    this.values.push(v);
    return v;
  }

  width(type: string): number {
    return Number(/i(\d+)/.exec(type)![1]);
  }

  constant(type: string): string {
    const vector = /^<(\d+) x (i\d+)>$/.exec(type);
    if (vector !== null) {
      if (this.random.chance(15)) return 'zeroinitializer';
      const n = Number(vector[1]);
      const one = this.constant(vector[2]);
      const same = this.random.chance(50);
      return `<${Array.from({ length: n }, () => `${vector[2]} ${same ? one : this.constant(vector[2])}`).join(', ')}>`;
    }
    const width = BigInt(this.width(type));
    const half = 1n << (width - 1n);
    if (width === 1n) return this.random.pick(['true', 'false']);
    const small = BigInt(this.random.below(40));
    const choice = this.random.below(12);
    const v =
      choice < 4 ? small : choice < 6 ? 1n << (BigInt(this.random.below(64)) % width) : choice === 6 ? -1n - small
      : choice === 7 ? (1n << (BigInt(1 + this.random.below(40)) % width)) - 1n : choice === 8 ? half - 1n : choice === 9 ? -half
      : choice === 10 ? BigInt(this.random.below(1 << 20)) : small * 4n; // prettier-ignore
    return String(BigInt.asIntN(Number(width), v));
  }

  /** A value of the type: mostly a late one. */
  pick(type: string): string {
    const fitting = this.values.filter((v) => v.type === type);
    if (fitting.length === 0 || this.random.chance(8)) return this.constant(type);
    const k = this.random.chance(60)
      ? Math.max(0, fitting.length - 1 - this.random.below(3))
      : this.random.below(fitting.length);
    return fitting[k].name;
  }

  operand(type: string, constants: number): string {
    return this.random.chance(constants) ? this.constant(type) : this.pick(type);
  }

  call(result: string, base: string, types: readonly string[], args: readonly string[], attrs = ''): Named {
    const suffix = (t: string): string => t.replace(/^<(\d+) x (i\d+)>$/, 'v$1$2');
    const name = `@llvm.${base}.${suffix(types[0])}`;
    this.declared.add(`declare ${result} ${name}(${types.join(', ')})`);
    return this.emit(result, `call ${attrs}${result} ${name}(${types.map((t, k) => `${t} ${args[k]}`).join(', ')})`);
  }
}

const flags = (random: Random, words: readonly string[], chance: number): string =>
  words
    .filter(() => random.chance(chance))
    .map((w) => `${w} `)
    .join('');

/** One instruction on values of a type. */
function step(b: Body, type: string): void {
  const { random } = b;
  const t = type;
  switch (random.below(22)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6: {
      const op = random.pick(BINARY);
      const words = /add|sub|mul|shl/.test(op)
        ? ['nuw', 'nsw']
        : /shr|div/.test(op)
          ? ['exact']
          : op === 'or'
            ? ['disjoint']
            : [];
      const first = b.operand(t, op === 'sub' ? 20 : 6);
      const isShift = /sh/.test(op);
      let second = random.chance(6) && op !== 'sub' ? first : b.operand(t, 55);
      if (isShift && /^-?\d+$/.test(second)) second = String(random.below(b.width(t)));
      b.emit(t, `${op} ${flags(random, words, 25)}${t} ${first}, ${second}`);
      return;
    }
    case 7:
    case 8:
    case 9: {
      b.call(
        t,
        random.pick(MINMAX),
        [t, t],
        random.chance(15) ? [b.constant(t), b.pick(t)] : [b.pick(t), b.operand(t, 50)],
      );
      return;
    }
    case 10:
      if (b.width(t) % 16 === 0) b.call(t, random.pick(['bswap', 'bitreverse']), [t], [b.pick(t)]);
      else b.call(t, 'bitreverse', [t], [b.pick(t)]);
      return;
    case 11:
      b.call(t, random.pick(['fshl', 'fshr']), [t, t, t], [b.operand(t, 30), b.operand(t, 30), b.operand(t, 80)]);
      return;
    case 12: {
      const name = random.pick(['ctlz', 'cttz', 'abs', 'ctpop']);
      if (name === 'ctpop') b.call(t, name, [t], [b.pick(t)]);
      else b.call(t, name, [t, 'i1'], [b.pick(t), random.pick(['true', 'false'])]);
      return;
    }
    case 13: {
      // A condition, and what it selects.
      const x = b.pick(t);
      const cmp = b.emit(
        'i1',
        `icmp ${random.chance(10) ? 'samesign ' : ''}${random.pick(PREDICATES)} ${t} ${x}, ${b.operand(t, 70)}`.replace(
          /samesign (eq|ne)/,
          '$1',
        ),
      );
      if (t.startsWith('<')) {
        b.values.pop();
        b.emit(t, `select i1 ${b.pick('i1')}, ${t} ${x}, ${t} ${b.operand(t, 40)}`);
      } else
        b.emit(
          t,
          `select i1 ${cmp.name}, ${t} ${random.chance(60) ? x : b.pick(t)}, ${t} ${random.chance(25) ? x : b.operand(t, 40)}`,
        );
      return;
    }
    case 14: {
      const x = b.pick('i1');
      if (random.chance(50))
        b.emit('i1', `${random.pick(['and', 'or', 'xor'])} i1 ${x}, ${random.chance(40) ? 'true' : b.pick('i1')}`);
      else
        b.emit(
          'i1',
          random.chance(50)
            ? `select i1 ${x}, i1 ${b.pick('i1')}, i1 false`
            : `select i1 ${x}, i1 true, i1 ${b.pick('i1')}`,
        );
      return;
    }
    case 15: {
      if (t.startsWith('<')) {
        const n = /\d+/.exec(t)![0];
        const e = `i${b.width(t)}`;
        if (random.chance(50)) b.emit(e, `extractelement ${t} ${b.pick(t)}, i32 ${random.below(Number(n))}`);
        else
          b.emit(
            t,
            `insertelement ${t} ${b.pick(t)}, ${e} ${b.pick(e)}, i32 ${random.chance(80) ? random.below(Number(n)) : b.pick('i32')}`,
          );
        return;
      }
      const from = ['i8', 'i16', 'i32', 'i64'].filter((o) => b.width(o) < b.width(t));
      const to = ['i8', 'i16', 'i32', 'i64'].filter((o) => b.width(o) > b.width(t));
      if (to.length > 0 && random.chance(50)) {
        const w = random.pick(to);
        if (random.chance(50)) b.emit(w, `zext ${random.chance(20) ? 'nneg ' : ''}${t} ${b.pick(t)} to ${w}`);
        else b.emit(w, `sext ${t} ${b.pick(t)} to ${w}`);
      } else if (from.length > 0) {
        const w = random.pick(from);
        b.emit(w, `trunc ${flags(random, ['nuw', 'nsw'], 15)}${t} ${b.pick(t)} to ${w}`);
      }
      return;
    }
    case 16:
      b.emit(t, `freeze ${t} ${b.pick(t)}`);
      return;
    case 17: {
      if (t.startsWith('<')) {
        const n = Number(/\d+/.exec(t)![0]);
        if (random.chance(40)) b.call(t, 'vector.reverse', [t], [b.pick(t)]);
        else if (random.chance(50))
          b.call(
            `i${b.width(t)}`,
            `vector.reduce.${random.pick(['and', 'or', 'xor', 'add', 'umax', 'umin', 'smax', 'smin'])}`,
            [t],
            [b.pick(t)],
          );
        else
          b.emit(
            t,
            `shufflevector ${t} ${b.pick(t)}, ${t} ${b.operand(t, 30)}, <${n} x i32> <${Array.from({ length: n }, () => (random.chance(5) ? 'i32 poison' : `i32 ${random.below(2 * n)}`)).join(', ')}>`,
          );
        return;
      }
      const name = `${random.pick(['u', 's'])}${random.pick(['add', 'sub', 'mul'])}.with.overflow`;
      const pair = b.call(`{ ${t}, i1 }`, name, [t, t], [b.pick(t), b.operand(t, 50)]);
      b.values.pop();
      b.emit(t, `extractvalue { ${t}, i1 } ${pair.name}, 0`);
      return;
    }
    case 18: {
      const c = 1 + random.below(64);
      const range = `!${random.pick([0, 1, 2])}`;
      if (t === 'i32' && random.chance(50))
        b.emit(
          t,
          `load i32, ptr %m${random.chance(60) ? `, !range ${range}` : ''}${random.chance(30) ? ', !noundef !9' : ''}`,
        );
      else if (t === 'i32') {
        const [lo, hi] = [random.below(8), random.below(8) + c + 8];
        b.declared.add('declare i32 @some()');
        b.emit(t, `call range(i32 ${lo}, ${hi}) i32 @some()`);
      } else if (t === 'i64') b.emit(t, `ptrtoint ptr ${random.chance(50) ? '%m' : '%p'} to i64`);
      return;
    }
    case 19:
      if (t === 'i32') {
        b.declared.add('declare i32 @llvm.amdgcn.workitem.id.x()');
        b.declared.add('declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)');
        b.declared.add('declare i32 @llvm.amdgcn.ubfe.i32(i32, i32, i32)');
        b.emit(
          t,
          random.pick([
            'call i32 @llvm.amdgcn.workitem.id.x()',
            `call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 ${b.operand(t, 50)})`,
            `call i32 @llvm.amdgcn.ubfe.i32(i32 ${b.pick(t)}, i32 4, i32 5)`,
          ]),
        );
      }
      return;
    case 20: {
      // x and its negation or complement, and what idioms make of them
      if (t.startsWith('<')) return;
      const x = b.pick(t);
      const n = b.emit(
        t,
        random.pick([
          `sub ${t} 0, ${x}`,
          `xor ${t} ${x}, -1`,
          `add ${t} ${x}, -1`,
          `sub ${random.chance(30) ? 'nsw ' : ''}${t} ${x}, ${b.pick(t)}`,
        ]),
      );
      b.emit(
        t,
        `${random.pick(['and', 'xor', 'or'])} ${t} ${random.chance(50) ? `${x}, ${n.name}` : `${n.name}, ${x}`}`,
      );
      return;
    }
    default: {
      if (t === 'i32' && random.chance(50)) b.emit('<2 x i32>', `bitcast i64 ${b.pick('i64')} to <2 x i32>`);
      else if (t === 'i64') b.emit('i64', `bitcast <2 x i32> ${b.pick('<2 x i32>')} to i64`);
      else if (t === '<2 x i32>') b.emit('<4 x i16>', `bitcast <2 x i32> ${b.pick(t)} to <4 x i16>`);
      else if (t === '<4 x i16>') b.emit('<2 x i32>', `bitcast <4 x i16> ${b.pick(t)} to <2 x i32>`);
      return;
    }
  }
}

const TYPES = ['i32', 'i32', 'i32', 'i64', 'i64', 'i16', 'i8', '<2 x i32>', '<4 x i16>'];

function steps(b: Body, n: number): void {
  for (let k = 0; k < n; k++) step(b, b.random.pick(TYPES));
}

function assumption(b: Body, from: number): void {
  const t = b.random.pick(['i32', 'i64']);
  const v = b.values.filter((x) => x.type === t);
  if (v.length <= from) return;
  const x = b.pick(t);
  let left = x;
  if (b.random.chance(40))
    left = b.emit(
      t,
      `${b.random.pick(['and', 'or', 'add', 'add nuw', 'shl', 'lshr', 'sub nuw'])} ${t} ${x}, ${b.random.below(16)}`,
    ).name;
  const cmp = b.emit('i1', `icmp ${b.random.pick(PREDICATES)} ${t} ${left}, ${b.operand(t, 85)}`);
  b.values.pop();
  b.declared.add('declare void @llvm.assume(i1)');
  b.lines.push(`  call void @llvm.assume(i1 ${cmp.name})`);
}

/** One address by a late value, accessed beside others at constant distances. */
function addresses(b: Body, n: number): void {
  const { random } = b;
  for (let k = 0; k < n; k++) {
    const t = random.pick(['i32', 'i32', 'i64', 'i16']);
    const by = random.pick(['i8', 'i16', 'i32', 'i64']);
    const word = random.pick(['', '', 'inbounds ', 'nuw ', 'nusw nuw ']);
    b.lines.push(`  %q${k} = getelementptr ${word}${by}, ptr %p, ${t} ${b.pick(t)}`);
    b.lines.push(
      `  %c${k} = getelementptr i8, ptr %p, i64 ${random.below(3) === 0 ? -random.below(600) : random.below(3000)}`,
    );
    for (const name of ['q', 'c']) b.lines.push(`  store i${8 << random.below(4)} 0, ptr %${name}${k}`);
  }
}

/** One function: straight, with a branch, or with a loop. */
function functionOf(seed: number, name: string, declared: Set<string>): string {
  const random = new Random(seed);
  const b = new Body(random, declared, 'v');
  const attribute = (): string =>
    (random.chance(25) ? `range(i32 ${random.below(4)}, ${8 + random.below(500)}) ` : '') +
    (random.chance(25) ? 'noundef ' : '');
  const head = `define void @${name}(ptr ${random.chance(30) ? 'nonnull ' : ''}%p, ptr align 16 %m, i32 ${attribute()}%x, i32 ${attribute()}%y, i64 ${random.chance(30) ? 'noundef ' : ''}%z, i16 %h, i1 %b, <2 x i32> %w)${random.chance(20) ? ' null_pointer_is_valid' : ''} {`;
  for (const [n, t] of [['%x', 'i32'], ['%y', 'i32'], ['%z', 'i64'], ['%h', 'i16'], ['%b', 'i1'], ['%w', '<2 x i32>']]) b.values.push({ name: n, type: t }); // prettier-ignore
  b.lines.push('entry:');
  steps(b, 3 + random.below(5));
  if (random.chance(30)) assumption(b, 0);
  const shape = random.below(4);
  if (shape === 1) {
    const t = 'i32';
    const cmp = b.emit('i1', `icmp ${random.pick(PREDICATES)} ${t} ${b.pick(t)}, ${b.operand(t, 60)}`);
    b.lines.push(`  br i1 ${cmp.name}, label %yes, label %no`, 'yes:');
    const before = b.values.length;
    steps(b, 1 + random.below(4));
    const x = b.pick(t);
    b.values.length = before;
    b.lines.push('  br label %join', 'no:');
    steps(b, 1 + random.below(4));
    const y = b.pick(t);
    b.values.length = before;
    b.lines.push('  br label %join', 'join:');
    b.emit(t, `phi ${t} [ ${x}, %yes ], [ ${y}, %no ]`);
    steps(b, 1 + random.below(3));
  } else if (shape === 2) {
    const t = random.pick(['i32', 'i64']);
    const start = b.operand(t, 60);
    const start2 = b.operand(t, 60);
    const op = random.pick(BINARY.slice(0, 11));
    const words = /add|sub|mul|shl/.test(op) ? ['nuw', 'nsw'] : /shr|div/.test(op) ? ['exact'] : [];
    const by = b.operand(t, 70);
    b.lines.push('  br label %loop', 'loop:');
    b.lines.push(
      `  %i = phi ${t} [ ${start}, %entry ], [ %in, %loop ]`,
      `  %j = phi ${t} [ ${start2}, %entry ], [ %jn, %loop ]`,
    );
    b.values.push({ name: '%i', type: t }, { name: '%j', type: t });
    const word = flags(random, words, 40);
    b.lines.push(
      `  %in = ${op} ${word}${t} ${random.chance(80) ? `%i, ${by}` : `${by}, %i`}`,
      `  %jn = ${op} ${word}${t} %j, ${by}`,
    );
    steps(b, 2 + random.below(4));
    if (random.chance(50)) addresses(b, 1);
    const cmp = b.emit('i1', `icmp ${random.pick(PREDICATES)} ${t} %in, ${b.operand(t, 60)}`);
    b.lines.push(`  br i1 ${cmp.name}, label %loop, label %out`, 'out:');
  } else if (shape === 3) {
    const t = random.pick(['i32', 'i64']);
    const cmp = b.emit('i1', `icmp ${random.pick(PREDICATES)} ${t} ${b.pick(t)}, ${b.operand(t, 60)}`);
    b.lines.push(`  br i1 ${cmp.name}, label %yes, label %out`, 'yes:');
    steps(b, 2 + random.below(4));
    addresses(b, 2);
    b.lines.push('  br label %out', 'out:', '  ret void', '}');
    return unique(head, b.lines);
  }
  if (shape !== 2 && random.chance(30)) assumption(b, 2);
  if (!b.lines.some((l) => l.includes('%q0 '))) addresses(b, 2);
  b.lines.push('  ret void', '}');
  return unique(head, b.lines);
}

const unique = (head: string, lines: readonly string[]): string => [head, ...lines].join('\n');

/** A module of `count` functions. */
export function randomValues(seed: number, count: number): string {
  const declared = new Set<string>();
  const functions = Array.from({ length: count }, (_, k) => functionOf(seed * 1000 + k, `f${k}`, declared));
  return [
    'target triple = "amdgcn-amd-amdhsa"',
    ...functions,
    ...declared,
    '!0 = !{i32 0, i32 1000}',
    '!1 = !{i32 1, i32 9, i32 16, i32 40}',
    '!2 = !{i32 -100, i32 -2}',
    '!9 = !{}',
    '',
  ].join('\n');
}
