/**
 * Random IR modules that llc only reads and prints: every kind of global, constant, attribute, instruction, type and metadata node, in the
 * spellings that its parser knows. The same seed gives the same text.
 */
import { Random } from './damageInputs.js';

const SCALARS = [
  'i1',
  'i8',
  'i16',
  'i32',
  'i64',
  'i128',
  'i7',
  'half',
  'bfloat',
  'float',
  'double',
  'fp128',
  'x86_fp80',
  'ppc_fp128',
  'ptr',
  'ptr addrspace(3)',
];
const LINKAGES = [
  '',
  'internal ',
  'private ',
  'external ',
  'linkonce ',
  'linkonce_odr ',
  'weak ',
  'weak_odr ',
  'common ',
  'appending ',
  'extern_weak ',
  'available_externally ',
];
const VISIBILITIES = ['', '', '', 'hidden ', 'protected ', 'default '];
const UNNAMED = ['', '', 'unnamed_addr ', 'local_unnamed_addr '];
const TLS = ['', '', '', '', 'thread_local ', 'thread_local(initialexec) ', 'thread_local(localdynamic) '];
const CONVENTIONS = [
  '',
  '',
  'fastcc ',
  'coldcc ',
  'amdgpu_kernel ',
  'amdgpu_cs ',
  'amdgpu_ps ',
  'amdgpu_gfx ',
  'spir_kernel ',
  'cc 10 ',
  'tailcc ',
  'preserve_mostcc ',
  'amdgpu_cs_chain ',
];
const FN_ATTRS = [
  'nounwind', 'alwaysinline', 'noinline', 'optnone noinline', 'cold', 'hot', 'readnone', 'readonly', 'argmemonly', 'willreturn', 'mustprogress', 'norecurse', 'nosync',
  'memory(read)', 'memory(argmem: readwrite)', 'memory(none)', 'memory(write, argmem: none, inaccessiblemem: read)', 'alignstack=8', 'uwtable', 'uwtable(sync)',
  'vscale_range(1,16)', 'allockind("alloc,zeroed")', '"amdgpu-waves-per-eu"="1,4"', '"a"', '"b"="c d\\22"', 'convergent', 'speculatable', 'strictfp', 'ssp', 'minsize', 'optsize', 'noreturn',
  'nofree', 'nocallback', 'noduplicate', 'returns_twice', 'sanitize_address', 'null_pointer_is_valid', 'presplitcoroutine', 'fn_ret_thunk_extern', 'nomerge', 'inaccessiblememonly',
]; // prettier-ignore
const ARG_ATTRS: readonly (readonly [string, RegExp])[] = [
  ['noundef', /./], ['inreg', /./], ['signext', /^i\d+$/], ['zeroext', /^i\d+$/], ['noalias', /^ptr/], ['nonnull', /^ptr/], ['align 8', /^ptr/], ['dereferenceable(16)', /^ptr/],
  ['dereferenceable_or_null(4)', /^ptr/], ['readonly', /^ptr/], ['writeonly', /^ptr/], ['nocapture', /^ptr/], ['captures(none)', /^ptr/], ['captures(address, read_provenance)', /^ptr/], ['byref(i32)', /^ptr/],
  ['byval([4 x i8]) align 4', /^ptr$/], ['nofpclass(nan inf)', /^(float|double|half|<4 x float>)$/], ['nofpclass(zero)', /^(float|double|half|<4 x float>)$/], ['range(i32 1, 9)', /^i32$/], ['range(i8 -3, 4)', /^i8$/], ['returned', /^$/],
  ['"str"="v"', /./], ['nofree', /^ptr/], ['initializes((0, 4), (8, 12))', /^ptr/], ['dead_on_unwind', /^ptr/], ['swiftself', /^ptr$/], ['immarg', /^$/], ['noext', /^i32$/],
]; // prettier-ignore
const ORDERINGS = ['monotonic', 'acquire', 'release', 'acq_rel', 'seq_cst', 'unordered'];
const SCOPES = [
  '',
  '',
  'syncscope("agent") ',
  'syncscope("workgroup-one-as") ',
  'syncscope("singlethread") ',
  'syncscope("odd\\41") ',
];

function randomModule(seed: number): string {
  const random = new Random(seed);
  const types: string[] = [];
  const globals: [name: string, space: number][] = [];
  const lines: string[] = [];
  let metadata = 0;
  const nodes: string[] = [];
  const maybe = (text: string, percent = 30): string => (random.chance(percent) ? text : '');
  const node = (text: string): string => {
    nodes.push(`!${metadata} = ${text}`);
    return `!${metadata++}`;
  };
  const nameOf = (stem: string): string =>
    random.chance(12) ? `"${stem} ${random.pick(['x', '\\09', '\\22', '-', '.'])}"` : stem;

  function type(depth = 2): string {
    if (depth === 0 || random.chance(55)) return random.pick(SCALARS);
    switch (random.below(7)) {
      case 0:
        return `[${random.below(5)} x ${type(depth - 1)}]`;
      case 1:
        return `<${1 + random.below(4)} x ${random.pick(SCALARS)}>`;
      case 2:
        return `{ ${list(type, depth)} }`;
      case 3:
        return `<{ ${list(type, depth)} }>`;
      case 4:
        return types.length > 0 ? random.pick(types) : 'i32';
      case 5:
        return `<vscale x ${1 << random.below(3)} x ${random.pick(['i32', 'float', 'i8'])}>`;
      default:
        return '{}';
    }
  }
  function list(make: (depth: number) => string, depth: number): string {
    return Array.from({ length: 1 + random.below(3) }, () => make(depth - 1)).join(', ');
  }

  function integer(bits: number): string {
    const n = random.pick([0, 1, 2, 5, -1, 100, -128, 127, 255, 65535, -32768, 2147483647]);
    return bits === 1
      ? random.pick(['true', 'false'])
      : String(bits < 32 && Math.abs(n) >= 2 ** (bits - 1) ? n % 2 ** (bits - 1) : n);
  }
  function float(t: string): string {
    if (t === 'half') return random.pick(['1.0', '0xH3C00', '0xH7E00', '-0.0', '0xHFC00']);
    if (t === 'bfloat') return random.pick(['1.0', '0xR3F80', '0xR7FC0']);
    if (t === 'fp128') return '0xL00000000000000003FFF000000000000';
    if (t === 'x86_fp80') return '0xK3FFF8000000000000000';
    if (t === 'ppc_fp128') return '0xM3FF00000000000000000000000000000';
    return random.pick([
      '1.0',
      '0.0',
      '-0.0',
      '2.500000e+00',
      '1.000000e-01'.replace('1.000000e-01', t === 'double' ? '1.000000e-01' : '5.000000e-01'),
      '0x7FF0000000000000',
      '0x7FF8000000000000',
      '0x3FF8000000000000',
    ]);
  }
  const addressOf = (space: number): string | null => {
    const found = globals.filter(([, s]) => s === space);
    return found.length === 0 ? null : `@${random.pick(found)[0]}`;
  };
  function constant(t: string, depth = 2): string {
    if (random.chance(8))
      return random.pick(
        ['undef', 'poison', 'zeroinitializer'].filter((c) => c !== 'zeroinitializer' || /^[[<{]/.test(t)),
      );
    const int = /^i(\d+)$/.exec(t);
    if (int !== null) {
      const g = addressOf(0);
      if (depth > 0 && g !== null && int[1] === '64' && random.chance(40))
        return random.pick([
          `ptrtoint (ptr ${g} to i64)`,
          `add (i64 ptrtoint (ptr ${g} to i64), i64 ${random.below(9)})`,
          `sub (i64 ${random.below(9)}, i64 ptrtoint (ptr ${g} to i64))`,
          `xor (i64 ptrtoint (ptr ${g} to i64), i64 ${constant('i64', 0)})`,
          `sub nuw nsw (i64 ptrtoint (ptr ${g} to i64), i64 3)`,
        ]);
      if (depth > 0 && g !== null && Number(int[1]) < 64 && Number(int[1]) > 7 && random.chance(20))
        return `trunc (i64 ptrtoint (ptr ${g} to i64) to ${t})`;
      return integer(Number(int[1]));
    }
    if (/^(half|bfloat|float|double|fp128|x86_fp80|ppc_fp128)$/.test(t)) return float(t);
    if (t.startsWith('ptr')) {
      const space = t === 'ptr' ? 0 : 3;
      const g = addressOf(space);
      if (g === null || depth === 0 || random.chance(30))
        return random.chance(20) && depth > 0 ? `inttoptr (i64 ${random.below(99)} to ${t})` : (g ?? 'null');
      return random.pick([
        g,
        `getelementptr (i8, ${t} ${g}, i64 ${random.below(64) - 9})`,
        `getelementptr inbounds ([4 x i16], ${t} ${g}, i64 0, i64 ${random.below(4)})`,
        `getelementptr inbounds nuw (i8, ${t} ${g}, i32 ${random.below(9)})`,
        `getelementptr inrange(-4, 16) (i8, ${t} ${g}, i64 4)`,
        space === 0 ? `addrspacecast (ptr addrspace(3) ${constant('ptr addrspace(3)', depth - 1)} to ptr)` : g,
        `inttoptr (i64 ${constant('i64', depth - 1)} to ${t})`,
      ]);
    }
    const array = /^\[(\d+) x (.*)\]$/.exec(t);
    if (array !== null) {
      if (array[2] === 'i8' && random.chance(60))
        return `c"${'a\\00\\22'.slice(0, 0)}${Array.from({ length: Number(array[1]) }, () => random.pick(['a', ' ', '\\00', '\\5C', '~', '\\7F', '\\22'])).join('')}"`;
      return `[${Array.from({ length: Number(array[1]) }, () => `${array[2]} ${constant(array[2], depth - 1)}`).join(', ')}]`;
    }
    const vector = /^<(\d+) x (.*)>$/.exec(t);
    if (vector !== null) {
      if (random.chance(25)) return `splat (${vector[2]} ${constant(vector[2], 0)})`;
      return `<${Array.from({ length: Number(vector[1]) }, () => `${vector[2]} ${constant(vector[2], depth - 1)}`).join(', ')}>`;
    }
    return 'zeroinitializer';
  }

  const attributes = (t: string): string => {
    const own = ARG_ATTRS.filter(([, on]) => on.test(t) && random.chance(7)).map(([a]) => a);
    return own.length === 0 ? '' : ` ${own.join(' ')}`;
  };

  function global(i: number): void {
    const t = random.chance(75) ? type() : `[${2 + random.below(6)} x i8]`;
    const space = random.pick([0, 0, 0, 3, 1]);
    const name = nameOf(`g${i}`);
    const linkage = random.pick(LINKAGES);
    const isDeclaration = /^(external |extern_weak)/.test(linkage);
    const visibility = /internal|private/.test(linkage) ? '' : random.pick(VISIBILITIES);
    const isTyped = t.includes('vscale');
    const init = isDeclaration ? '' : ` ${/common/.test(linkage) ? 'zeroinitializer' : constant(t)}`;
    if (isTyped || (/common/.test(linkage) && !/^[[<{]/.test(t)) || /appending/.test(linkage)) return;
    const kind = /common/.test(linkage) ? 'global' : random.pick(['global', 'global', 'constant']);
    const local = maybe(/internal|private|hidden|protected/.test(linkage + visibility) ? '' : 'dso_local ', 20);
    lines.push(
      `@${name} = ${linkage}${local}${visibility}${random.pick(TLS)}${random.pick(UNNAMED)}${space === 0 ? '' : `addrspace(${space}) `}${maybe('externally_initialized ', 8)}${kind} ${t}${init}` +
        maybe(', section ".s\\09x"', 8) +
        maybe(', partition "p"', 4) +
        (random.chance(6) && /^(weak|linkonce|)/.test(linkage) && !/extern|common|available/.test(linkage)
          ? (lines.unshift(
              `$${name} = comdat ${random.pick(['any', 'exactmatch', 'largest', 'nodeduplicate', 'samesize'])}`,
            ),
            ', comdat')
          : '') +
        maybe(`, align ${1 << random.below(8)}`) +
        maybe(`, !foo ${node(`!{i32 ${random.below(9)}, !"s"}`)}`, 8),
    );
    globals.push([name, space]);
  }

  function func(f: number): void {
    let next = 0;
    const pool = new Map<string, string[]>();
    const t = (): string =>
      random.pick([
        'i32',
        'i32',
        'i64',
        'float',
        'double',
        'i1',
        'ptr',
        'half',
        '<2 x i32>',
        '<4 x float>',
        'ptr addrspace(3)',
        'i16',
        'i8',
        '{ i32, float }',
        '[2 x i32]',
      ]);
    const parameters = Array.from({ length: random.below(5) }, () => t());
    const convention = random.pick(CONVENTIONS);
    const result = /kernel|_cs/.test(convention) ? 'void' : random.pick(['void', t()]);
    const args = parameters.map((p, k) => {
      pool.set(p, [...(pool.get(p) ?? []), `%a${k}`]);
      return `${p}${attributes(p)} %a${k}`;
    });
    const value = (of: string): string => {
      const known = pool.get(of) ?? [];
      return known.length > 0 && random.chance(80) ? random.pick(known) : constant(of);
    };
    const body: string[] = [];
    const debug = (): string =>
      random.chance(10)
        ? `, !tag ${node(random.pick(['!{}', '!{i64 0, !"a", i32 7}', 'distinct !{null}', '!{float 1.0, ptr null}']))}`
        : '';
    const def = (of: string, text: string): void => {
      const reg = random.chance(70) ? `%v${next++}` : `%${nameOf(`w${next++}`)}`;
      body.push(`  ${reg} = ${text}${debug()}`);
      pool.set(of, [...(pool.get(of) ?? []), reg]);
    };
    const emit = (text: string): void => void body.push(`  ${text}${debug()}`);
    const FMF = (): string => random.pick(['', '', 'nnan ', 'fast ', 'nsz arcp ', 'contract reassoc ', 'afn ninf ']);
    const volatile = (): string => maybe('volatile ', 15);
    for (let k = 3 + random.below(16); k > 0; k--) {
      const p = random.pick(['ptr', 'ptr addrspace(3)']);
      switch (random.below(26)) {
        case 0: {
          const i = random.pick(['i32', 'i64', 'i16', 'i8', '<2 x i32>']);
          const op = random.pick([
            'add',
            'sub',
            'mul',
            'shl',
            'lshr exact',
            'ashr',
            'and',
            'or',
            'or disjoint',
            'xor',
            'udiv exact',
            'sdiv',
            'urem',
            'srem',
            'add nuw',
            'add nuw nsw',
            'mul nsw',
          ]);
          def(i, `${op} ${i} ${value(i)}, ${value(i)}`);
          break;
        }
        case 1: {
          const i = random.pick(['float', 'double', 'half', '<4 x float>']);
          def(i, `${random.pick(['fadd', 'fsub', 'fmul', 'fdiv', 'frem'])} ${FMF()}${i} ${value(i)}, ${value(i)}`);
          break;
        }
        case 2:
          def('float', `fneg ${FMF()}float ${value('float')}`);
          break;
        case 3: {
          const i = t();
          if (i.startsWith('{') || i.startsWith('[')) break;
          def(i, `freeze ${i} ${value(i)}`);
          break;
        }
        case 4: {
          const i = t();
          const isAtomic = random.chance(20) && /^(i8|i16|i32|i64|float|ptr)/.test(i);
          def(
            i,
            `load ${isAtomic ? 'atomic ' : ''}${volatile()}${i}, ${p} ${value(p)}${isAtomic ? ` ${random.pick(SCOPES)}${random.pick(['monotonic', 'acquire', 'seq_cst', 'unordered'])}, align 8` : maybe(', align 4')}` +
              maybe(`, !range ${node('!{i32 0, i32 9}')}`, i === 'i32' ? 15 : 0) +
              maybe(`, !nontemporal ${node('!{i32 1}')}`, 6) +
              maybe(`, !noundef ${node('!{}')}`, 6),
          );
          break;
        }
        case 5: {
          const i = t();
          const isAtomic = random.chance(20) && /^(i8|i16|i32|i64|float|ptr)/.test(i);
          emit(
            `store ${isAtomic ? 'atomic ' : ''}${volatile()}${i} ${value(i)}, ${p} ${value(p)}${isAtomic ? ` ${random.pick(SCOPES)}${random.pick(['monotonic', 'release', 'seq_cst', 'unordered'])}, align 8` : maybe(', align 1')}`,
          );
          break;
        }
        case 6:
          def(
            'ptr',
            `getelementptr ${random.pick(['', 'inbounds ', 'nuw ', 'nusw nuw '])}${random.pick(['i8', '[4 x i32]', '{ i32, i8 }'])}, ptr ${value('ptr')}, i64 ${value('i64')}`,
          );
          break;
        case 7:
          def(
            'i1',
            `icmp ${random.pick(['', 'samesign '])}${random.pick(['eq', 'ne', 'ult', 'sge', 'ugt', 'sle'])} i32 ${value('i32')}, ${value('i32')}`,
          );
          break;
        case 8:
          def(
            'i1',
            `fcmp ${FMF()}${random.pick(['oeq', 'une', 'ord', 'uno', 'true', 'false', 'ult', 'oge'])} float ${value('float')}, ${value('float')}`,
          );
          break;
        case 9: {
          const i = t();
          def(
            i,
            `select ${/float|half|double/.test(i) && !i.startsWith('{') ? FMF() : ''}i1 ${value('i1')}, ${i} ${value(i)}, ${i} ${value(i)}`,
          );
          break;
        }
        case 10:
          def('i64', `${random.pick(['sext', 'zext', 'zext nneg'])} i32 ${value('i32')} to i64`);
          break;
        case 11:
          def(
            'i32',
            random.pick([
              `trunc ${random.pick(['', 'nuw ', 'nsw '])}i64 ${value('i64')} to i32`,
              `fptosi float ${value('float')} to i32`,
              `bitcast float ${value('float')} to i32`,
              `ptrtoint ptr ${value('ptr')} to i32`,
            ]),
          );
          break;
        case 12:
          def(
            'float',
            random.pick([
              `uitofp ${random.pick(['', 'nneg '])}i32 ${value('i32')} to float`,
              `fptrunc ${FMF()}double ${value('double')} to float`,
              `fpext half ${value('half')} to float`,
            ]),
          );
          break;
        case 13:
          def(
            'ptr',
            random.pick([
              `inttoptr i64 ${value('i64')} to ptr`,
              `addrspacecast ptr addrspace(3) ${value('ptr addrspace(3)')} to ptr`,
            ]),
          );
          break;
        case 14:
          def('i32', `extractelement <2 x i32> ${value('<2 x i32>')}, i32 ${value('i32')}`);
          break;
        case 15:
          def(
            '<2 x i32>',
            `insertelement <2 x i32> ${value('<2 x i32>')}, i32 ${value('i32')}, i64 ${random.below(2)}`,
          );
          break;
        case 16:
          def(
            '<2 x i32>',
            `shufflevector <2 x i32> ${value('<2 x i32>')}, <2 x i32> ${value('<2 x i32>')}, <2 x i32> ${random.pick(['<i32 0, i32 3>', '<i32 1, i32 poison>', 'zeroinitializer', 'poison'])}`,
          );
          break;
        case 17:
          def('i32', `extractvalue { i32, float } ${value('{ i32, float }')}, 0`);
          break;
        case 18:
          def('{ i32, float }', `insertvalue { i32, float } ${value('{ i32, float }')}, float ${value('float')}, 1`);
          break;
        case 19:
          def(
            'i32',
            `atomicrmw ${volatile()}${random.pick(['add', 'sub', 'xchg', 'and', 'nand', 'or', 'xor', 'max', 'umin', 'uinc_wrap', 'usub_cond', 'usub_sat'])} ${p} ${value(p)}, i32 ${value('i32')} ${random.pick(SCOPES)}${random.pick(ORDERINGS.slice(0, 5))}${maybe(', align 4')}`,
          );
          break;
        case 20:
          def(
            '{ i32, i1 }',
            `cmpxchg ${maybe('weak ', 30)}${volatile()}${p} ${value(p)}, i32 ${value('i32')}, i32 ${value('i32')} ${random.pick(SCOPES)}${random.pick(['acq_rel monotonic', 'seq_cst seq_cst', 'monotonic acquire'])}${maybe(', align 8')}`,
          );
          break;
        case 21:
          emit(`fence ${random.pick(SCOPES)}${random.pick(['acquire', 'release', 'seq_cst'])}`);
          break;
        case 22:
          def(
            'ptr addrspace(5)',
            `alloca ${maybe('inalloca ', 3)}${random.pick(['i32', '[4 x i8]', '{ i32 }'])}${maybe(`, i32 ${value('i32')}`, 20)}${maybe(', align 16')}, addrspace(5)`,
          );
          break;
        case 23:
          def(
            'i32',
            `${random.pick(['', 'tail ', 'notail '])}call i32 @ext(i32${attributes('i32')} ${value('i32')}, ptr${random.pick(['', ' nonnull', ' align 4'])} ${value('ptr')})${maybe(` #${random.below(3)}`)}${maybe(` [ "deopt"(i32 ${value('i32')}), "x"() ]`, 6)}`,
          );
          break;
        case 24:
          def(
            'i32',
            `call i32 asm ${maybe('sideeffect ')}${maybe('alignstack ', 8)}"v_mov $0, $1\\0A", "=v,v${maybe(',~{memory}', 20)}"(i32 ${value('i32')})`,
          );
          break;
        default:
          def('i32', `call i32 ${value('ptr')}(i32 ${value('i32')})`);
      }
    }
    const v = body.length;
    const end = random.below(6);
    const id = next++;
    if (end === 0) {
      body.push(
        `  br i1 ${value('i1')}, label %${nameOf('x')}${id}, label %y`.replace(
          /label %(".*?"|\w+)(\d+),/,
          (_, n: string, d: string) => `label %${n.startsWith('"') ? n : n + d},`,
        ),
      );
      const label = /label %("[^"]*"|\w+),/.exec(body[v])![1];
      body.push(`${label}:`, '  br label %y', 'y:');
    } else if (end === 1) {
      body.push(
        `  switch i32 ${value('i32')}, label %d [`,
        '    i32 0, label %c',
        `    i32 -7, label %d`,
        '  ]',
        'c:',
        '  br label %d',
        'd:',
      );
    } else if (end === 2) {
      body.push(
        '  br label %l',
        'l:',
        `  %p = phi i32 [ 0, ${v >= 0 ? '%entry' : ''} ], [ %q, %l ]`,
        '  %q = add i32 %p, 1',
        `  br i1 ${value('i1')}, label %l, label %e${maybe(`, !llvm.loop ${node('distinct !{!"l"}')}`)}`,
        'e:',
      );
    } else if (end === 3) {
      body.push('  br label %1', '', '1:');
    }
    if (random.chance(8)) body.push('  unreachable');
    else body.push(result === 'void' ? '  ret void' : `  ret ${result} ${value(result)}`);
    const linkage = random.pick(['', '', 'internal ', 'linkonce_odr ', 'weak ']);
    lines.push(
      '',
      `define ${linkage}${/internal/.test(linkage) ? '' : random.pick(VISIBILITIES)}${convention}${
        result === 'void'
          ? ''
          : attributes(result)
              .trim()
              .replace(
                /byval\S+ align 4|byref\S+|nocapture|readonly|writeonly|captures\(.*?\)|initializes\(.*\)|dead_on_unwind|swiftself|nofree/g,
                '',
              )
      } ${result} @f${f}(${args.join(', ')}) ${random.pick(UNNAMED)}${maybe(`#${random.below(3)} `, 60)}${maybe('section "t" ', 6)}${maybe('align 64 ', 10)}${maybe('gc "g" ', 4)}{`.replace(
        / {2,}/g,
        ' ',
      ),
      'entry:',
      ...body,
      '}',
    );
    globals.push([`f${f}`, 0]);
  }

  if (random.chance(10)) lines.push('module asm "x y"', 'module asm "\\22"');
  for (let k = random.below(4); k > 0; k--) {
    const name = `%${nameOf(`T${k}`)}`;
    lines.push(
      `${name} = type ${random.pick(['opaque', '{ i32, i8 }', '<{ i8, i64 }>', '{ [2 x float], ptr }', '{}'])}`,
    );
    if (!lines.at(-1)!.includes('opaque')) types.push(name);
  }
  for (let k = 0; k < 3 + random.below(12); k++) global(k);
  const plain = globals.filter(([, s]) => s === 0);
  if (plain.length > 0 && random.chance(25)) {
    const target = lines.find(
      (l) => l.startsWith(`@${plain[0][0]} = `) && /(global|constant) /.test(l) && !/extern|available|common/.test(l),
    );
    if (target !== undefined)
      lines.push(`@al = ${random.pick(['', 'internal ', 'weak '])}alias i32, ptr @${plain[0][0]}`);
  }
  lines.push('', 'declare i32 @ext(i32, ptr)');
  if (random.chance(20)) lines.push('declare void @va(i32, ...)');
  for (let f = 0; f < 1 + random.below(3); f++) func(f);
  lines.push('');
  for (let k = 0; k < 3; k++)
    lines.push(
      `attributes #${k} = { ${Array.from({ length: 1 + random.below(4) }, () => random.pick(FN_ATTRS)).join(' ')} }`,
    );
  const named = node('!{i32 1, !"x", i32 4}');
  lines.push(`!llvm.module.flags = !{${named}}`);
  if (random.chance(30)) lines.push(`!named\\20x = !{${named}, ${node('!{!"a\\00b", !{}, i1 true}')}}`);
  lines.push(...nodes, '');
  if (random.chance(40)) lines.unshift('source_filename = "a\\20b"');
  return lines.join('\n');
}

/** A MIR file of the module, and an empty body for each of its functions. */
export function moduleText(seed: number): string {
  const module = randomModule(seed);
  const functions = [...module.matchAll(/^define .*? @(f\d)\(/gm)].map(([, name]) => name);
  const indented = module.split('\n').map((l) => (l === '' ? '' : `  ${l}`));
  const bodies = functions.map((f) => `---\nname: ${f}\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`);
  return `--- |\n${indented.join('\n')}\n...\n${bodies.join('')}`;
}
