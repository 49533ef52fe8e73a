"""Random kernels through Triton's own compiler, as TRITON_DUMP_MIR prints them before the machine scheduler.

    $LLC24_HOME/venv/bin/python test/support/tritonKernels.py SEED COUNT FOLDER

writes FOLDER/N-KIND-PROCESSOR.txt, the dump with the graph at its end. Kernels that Triton refuses for a processor are left out, and files above 600 kB;
the same seed makes the same sources. No GPU is needed. A few seconds each.
"""
import importlib.util
import os
import random
import resource
import shutil
import signal
import sys

TARGETS = [('gfx90a', 64), ('gfx942', 64), ('gfx950', 64), ('gfx1100', 32), ('gfx1201', 32), ('gfx1250', 32)]
LIMIT = 60
LARGEST = 600_000
FLOATS = ['fp16', 'bf16', 'fp32']
HEAD = 'import triton\nimport triton.language as tl\n\n\n'


class Source:
    """A kernel's text with its parameters, pointers and numbers first, constants last."""

    def __init__(self, rng):
        self.rng = rng
        self.params = {}
        self.constants = {}
        self.lines = []
        self.helpers = ''

    def pointer(self, name, kind):
        self.params[name] = f'*{kind}'
        return name

    def number(self, name, kind='i32'):
        self.params[name] = kind
        return name

    def constant(self, name, values):
        self.constants[name] = self.rng.choice(values)
        return name

    def add(self, text, depth=1):
        self.lines += [('    ' * depth + line).rstrip() for line in text.strip('\n').split('\n')]

    def text(self):
        words = list(self.params) + [f'{c}: tl.constexpr' for c in self.constants]
        return f'{HEAD}{self.helpers}@triton.jit\ndef kernel({", ".join(words)}):\n' + '\n'.join(self.lines) + '\n'


def expression(rng, names, depth):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(names + [f'{rng.uniform(-4, 4):.3f}'] if rng.random() < 0.3 else names)
    a = expression(rng, names, depth - 1)
    form = rng.choice(['{a} + {b}', '{a} * {b}', '{a} - {b}', 'tl.exp2({a})', 'tl.maximum({a}, {b})', 'tl.where({a} > {b}, {a}, {b} * 0.5)',
                       'tl.sigmoid({a})', 'tl.sqrt(tl.abs({a}))', 'tl.fma({a} + 0.0, {b} + 0.0, {b} + 1.0)', '{a} / ({b} * {b} + 1.0)', 'tl.log({a} * {a} + 1.0)',
                       'tl.cos({a})', 'tl.rsqrt({a} * {a} + 0.5)', 'tl.erf({a})', 'tl.floor({a})', 'tl.minimum({a}, {b})'])
    b = expression(rng, names, depth - 1) if '{b}' in form else ''
    return '(' + form.format(a=a, b=b) + ')'


def elementwise(s, rng):
    inputs = [f'x{k}' for k in range(rng.randint(1, 4))]
    for x in inputs:
        s.pointer(x, rng.choice(FLOATS))
    s.pointer('out', rng.choice(FLOATS))
    s.number('n')
    s.constant('B', [256, 512, 1024, 2048])
    s.add('o = tl.program_id(0) * B + tl.arange(0, B)\nm = o < n')
    for x in inputs:
        s.add(f'v{x} = tl.load({x} + o, mask=m, other=0.0).to(tl.float32)')
    s.add(f't = {expression(rng, ["v" + x for x in inputs], rng.randint(2, 4))} + v{inputs[0]} * 0.0\ntl.store(out + o, t, mask=m)')


def strided(s, rng):
    s.pointer('x', rng.choice(FLOATS + ['i32', 'i8', 'i64']))
    s.pointer('out', rng.choice(['fp32', 'i32']))
    s.number('n')
    s.number('sx')
    s.number('sy')
    s.constant('M', [16, 32, 64])
    s.constant('N', [32, 64, 128])
    s.add('''
i = tl.program_id(0) * M + tl.arange(0, M)
j = tl.program_id(1) * N + tl.arange(0, N)
v = tl.load(x + i[:, None] * sx + j[None, :], mask=(i[:, None] < n) & (j[None, :] < n), other=0)
''')
    s.add(rng.choice(['w = tl.trans(v)\ntl.store(out + j[:, None] * sy + i[None, :], w, mask=(j[:, None] < n) & (i[None, :] < n))',
                      'tl.store(out + i[:, None] * sy + j[None, :], v + 1, mask=(i[:, None] < n) & (j[None, :] < n))']))


def matmul(s, rng):
    kind = rng.choice(['fp16', 'bf16', 'fp32', 'i8', 'fp16', 'bf16', 'fp8e5', 'fp8e4nv', 'fp8e4b8'])
    s.pointer('a', kind)
    s.pointer('b', kind)
    result = 'i32' if kind == 'i8' else rng.choice(['fp16', 'bf16', 'fp32'])
    s.pointer('c', result)
    for name in ['m', 'n', 'k', 'sa', 'sb', 'sc']:
        s.number(name)
    s.constant('M', [16, 32, 64])
    s.constant('N', [16, 32, 64, 128])
    s.constant('K', [16, 32, 64])
    if rng.random() < 0.3:
        s.add('pid = tl.program_id(0)\nw = tl.cdiv(n, N)\ng = pid // (8 * w)\nf = g * 8\nz = tl.minimum(tl.cdiv(m, M) - f, 8)\npm = f + (pid % z)\npn = (pid % (8 * w)) // z')
    else:
        s.add('pm = tl.program_id(0)\npn = tl.program_id(1)')
    masked = rng.random() < 0.5
    s.add(f'''
i = (pm * M + tl.arange(0, M)) % m
j = (pn * N + tl.arange(0, N)) % n
l = tl.arange(0, K)
pa = a + i[:, None] * sa + l[None, :]
pb = {'b + j[None, :] * sb + l[:, None]' if rng.random() < 0.5 else 'b + l[:, None] * sb + j[None, :]'}
acc = tl.zeros((M, N), dtype={'tl.int32' if kind == 'i8' else 'tl.float32'})
for t in range(0, tl.cdiv(k, K)):
''')
    s.add(f'''
x = tl.load(pa{', mask=l[None, :] < k - t * K, other=0.0' if masked else ''})
y = tl.load(pb{', mask=l[:, None] < k - t * K, other=0.0' if masked else ''})
acc = tl.dot(x, y, acc)
pa += K
pb += K
''', 2)
    if kind != 'i8' and rng.random() < 0.4:
        s.add(f'acc = {expression(rng, ["acc"], 2)} + acc * 0.0')
    s.add('oi = pm * M + tl.arange(0, M)\noj = pn * N + tl.arange(0, N)\npc = c + oi[:, None] * sc + oj[None, :]\nok = (oi[:, None] < m) & (oj[None, :] < n)')
    if result in ('fp32', 'i32') and rng.random() < 0.3:
        s.add('tl.atomic_add(pc, acc, mask=ok)')
    else:
        s.add('tl.store(pc, acc.to(c.dtype.element_ty), mask=ok)')


def scaled(s, rng):
    a, b = rng.choice(['e2m1', 'e4m3', 'e5m2']), rng.choice(['e2m1', 'e4m3', 'e5m2'])
    for name in 'abpqc':
        s.pointer(name, 'fp32' if name == 'c' else 'i8')
    s.number('k')
    s.constant('M', [16, 32, 64])
    s.constant('N', [16, 32, 64])
    s.constant('K', [64, 128])
    wa, wb = (2 if a == 'e2m1' else 1), (2 if b == 'e2m1' else 1)
    s.add(f'''
i = tl.program_id(0) * M + tl.arange(0, M)
j = tl.program_id(1) * N + tl.arange(0, N)
la = tl.arange(0, K // {wa})
lb = tl.arange(0, K // {wb})
ls = tl.arange(0, K // 32)
acc = tl.zeros((M, N), dtype=tl.float32)
for t in range(0, k):
    x = tl.load(a + i[:, None] * 4096 + la[None, :] + t * (K // {wa}))
    y = tl.load(b + j[None, :] * 4096 + lb[:, None] + t * (K // {wb}))
    sx = tl.load(p + i[:, None] * 256 + ls[None, :] + t * (K // 32))
    sy = tl.load(q + j[:, None] * 256 + ls[None, :] + t * (K // 32))
    acc = tl.dot_scaled(x.to(tl.uint8, bitcast=True), sx.to(tl.uint8, bitcast=True), "{a}", y.to(tl.uint8, bitcast=True), sy.to(tl.uint8, bitcast=True), "{b}", acc)
tl.store(c + i[:, None] * 4096 + j[None, :], acc)
''')


def rows(s, rng):
    s.pointer('x', rng.choice(FLOATS))
    s.pointer('out', rng.choice(FLOATS))
    s.pointer('w', rng.choice(FLOATS))
    s.number('n')
    s.number('stride')
    s.constant('B', [256, 512, 1024, 2048])
    s.add('r = tl.program_id(0)\no = tl.arange(0, B)\nm = o < n\nv = tl.load(x + r * stride + o, mask=m, other=0.0).to(tl.float32)\ng = tl.load(w + o, mask=m, other=0.0).to(tl.float32)')
    s.add(rng.choice([
        'v = tl.where(m, v, -float("inf"))\ne = tl.exp(v - tl.max(v, 0))\nt = e / tl.sum(e, 0) * g',
        'u = tl.sum(v, 0) / n\nd = tl.where(m, v - u, 0.0)\nt = d * tl.rsqrt(tl.sum(d * d, 0) / n + 1e-5) * g + g',
        't = v * tl.rsqrt(tl.sum(v * v, 0) / n + 1e-6) * g',
        'q = tl.max(tl.abs(v), 0) / 127.0\nt = tl.floor(v / q + 0.5) * g',
        't = tl.cumsum(v, 0) * g',
        't = tl.cumprod(v * 0.5 + 1.0, 0) + g',
        't = tl.sort(v) * g',
        'u = tl.argmax(v, 0)\nt = tl.where(o == u, v, g)',
        'h = tl.where(v > 0, v, g)\nt = tl.max(h, 0) - tl.min(g, 0) + v',
    ]))
    s.add('tl.store(out + r * stride + o, t, mask=m)')


def twoD(s, rng):
    s.pointer('x', rng.choice(FLOATS))
    s.pointer('out', 'fp32')
    s.number('n')
    s.constant('M', [8, 16, 64])
    s.constant('N', [64, 128, 256])
    axis = rng.choice([0, 1])
    how = rng.choice(['sum', 'max', 'min', 'xor_sum', 'argmin'])
    s.add('i = tl.arange(0, M)\nj = tl.arange(0, N)\nacc = tl.zeros((M, N), dtype=tl.float32)\nfor t in range(0, n):')
    s.add('acc += tl.load(x + t * M * N + i[:, None] * N + j[None, :]).to(tl.float32)', 2)
    value = 'acc.to(tl.int32)' if how == 'xor_sum' else 'acc'
    s.add(f'r = tl.{how}({value}, {axis})\ntl.store(out + tl.arange(0, {"N" if axis == 0 else "M"}), r)')


def atomics(s, rng):
    kind = rng.choice(['fp32', 'i32', 'fp16', 'i64', 'bf16'])
    s.pointer('x', kind)
    s.pointer('idx', 'i32')
    s.pointer('out', kind)
    s.number('n')
    s.constant('B', [128, 256, 1024])
    how = rng.choice(['add', 'max', 'min', 'xchg', 'and', 'or', 'xor', 'cas'] if kind.startswith('i') else ['add', 'add', 'max', 'xchg'])
    sem = rng.choice(['relaxed', 'acquire', 'release', 'acq_rel'])
    scope = rng.choice(['gpu', 'cta', 'sys'])
    s.add('o = tl.program_id(0) * B + tl.arange(0, B)\nm = o < n\ni = tl.load(idx + o, mask=m, other=0)\nv = tl.load(x + o, mask=m, other=0)')
    if how == 'cas':
        s.add(f'r = tl.atomic_cas(out + i, v, v + 1, sem="{sem}", scope="{scope}")')
    else:
        s.add(f'r = tl.atomic_{how}(out + i, v, mask=m, sem="{sem}", scope="{scope}")')
    if rng.random() < 0.5:
        s.add('tl.store(x + o, r, mask=m)')


def gather(s, rng):
    s.pointer('x', rng.choice(FLOATS))
    s.pointer('idx', rng.choice(['i32', 'i64']))
    s.pointer('out', 'fp32')
    s.number('n')
    s.constant('M', [16, 32, 64])
    s.constant('N', [32, 64])
    s.add('''
i = tl.arange(0, M)
j = tl.arange(0, N)
k = tl.load(idx + i[:, None] * N + j[None, :])
''')
    s.add(rng.choice(['v = tl.load(x + i[:, None] * N + j[None, :])\nt = tl.gather(v, (k & (M - 1)).to(tl.int32), 0)',
                      'v = tl.load(x + i[:, None] * N + j[None, :])\nt = tl.gather(v, (k & (N - 1)).to(tl.int32), 1)',
                      't = tl.load(x + k, mask=k < n, other=0.0)\nt += tl.load(x + k + n, mask=k > 4, other=1.0)']))
    s.add('tl.store(out + i[:, None] * N + j[None, :], t)')


def convert(s, rng):
    kinds = ['fp8e4nv', 'fp8e5', 'fp8e4b8', 'fp8e5b16', 'fp16', 'bf16', 'fp32', 'i8', 'i32', 'fp64']
    a, b = rng.choice(kinds), rng.choice(kinds)
    s.pointer('x', a)
    s.pointer('out', b)
    s.number('n')
    s.constant('B', [256, 1024, 2048])
    s.add('o = tl.program_id(0) * B + tl.arange(0, B)\nm = o < n\nv = tl.load(x + o, mask=m)\nt = v.to(tl.float32) * 1.5\ntl.store(out + o, t.to(out.dtype.element_ty), mask=m)')


def attention(s, rng):
    kind = rng.choice(['fp16', 'bf16'])
    for name in 'qkvo':
        s.pointer(name, kind)
    s.number('n')
    s.number('scale', 'fp32')
    s.constant('M', [16, 32, 64])
    s.constant('N', [16, 32, 64])
    s.constant('D', [16, 32, 64])
    causal = rng.random() < 0.5
    s.add(f'''
p = tl.program_id(0)
h = tl.program_id(1) * n * D
i = p * M + tl.arange(0, M)
d = tl.arange(0, D)
x = tl.load(q + h + i[:, None] * D + d[None, :], mask=i[:, None] < n, other=0.0)
mx = tl.full((M,), -1e30, dtype=tl.float32)
sm = tl.zeros((M,), dtype=tl.float32)
acc = tl.zeros((M, D), dtype=tl.float32)
for t in range(0, {'(p + 1) * M' if causal else 'n'}, N):
    j = t + tl.arange(0, N)
    y = tl.load(k + h + j[None, :] * D + d[:, None], mask=j[None, :] < n, other=0.0)
    w = tl.dot(x, y) * scale
    {'w = tl.where(i[:, None] >= j[None, :], w, -1e30)' if causal else 'w = tl.where(j[None, :] < n, w, -1e30)'}
    nx = tl.maximum(mx, tl.max(w, 1))
    e = tl.exp2(w - nx[:, None])
    f = tl.exp2(mx - nx)
    sm = sm * f + tl.sum(e, 1)
    z = tl.load(v + h + j[:, None] * D + d[None, :], mask=j[:, None] < n, other=0.0)
    acc = acc * f[:, None]
    acc = tl.dot(e.to(z.dtype), z, acc)
    mx = nx
acc = acc / sm[:, None]
tl.store(o + h + i[:, None] * D + d[None, :], acc.to(o.dtype.element_ty), mask=i[:, None] < n)
''')


def scan(s, rng):
    s.helpers = '@triton.jit\ndef join(a1, b1, a2, b2):\n    return a1 * a2, b1 * a2 + b2\n\n\n'
    s.pointer('a', rng.choice(FLOATS))
    s.pointer('x', rng.choice(FLOATS))
    s.pointer('out', 'fp32')
    s.number('n')
    s.constant('T', [32, 64, 128])
    s.constant('C', [16, 32])
    axis = rng.choice([0, 1])
    s.add(f'''
i = tl.arange(0, T)
j = tl.program_id(0) * C + tl.arange(0, C)
o = i[:, None] * n + j[None, :]
u = tl.load(a + o).to(tl.float32)
w = tl.load(x + o).to(tl.float32)
y, z = tl.associative_scan((u, w), {axis}, join)
tl.store(out + o, z * y)
''')


def random_bits(s, rng):
    s.pointer('x', rng.choice(FLOATS))
    s.pointer('out', 'fp32')
    s.number('n')
    s.number('seed')
    s.constant('B', [256, 1024])
    how = rng.choice(['tl.rand(seed, o)', 'tl.randn(seed, o)', 'tl.randint(seed, o).to(tl.float32)'])
    s.add(f'o = tl.program_id(0) * B + tl.arange(0, B)\nm = o < n\nv = tl.load(x + o, mask=m, other=0.0).to(tl.float32)\nr = {how}\ntl.store(out + o, tl.where(r > 0.3, v * 2.0, 0.0), mask=m)')


def histogram(s, rng):
    s.pointer('x', 'i32')
    s.pointer('out', 'i32')
    s.number('n')
    s.constant('B', [256, 1024])
    s.constant('H', [32, 128, 256])
    s.add('o = tl.arange(0, B)\nh = tl.zeros((H,), dtype=tl.int32)\nfor t in range(0, n):')
    s.add('v = tl.load(x + t * B + o)\nh += tl.histogram(v & (H - 1), H)', 2)
    s.add(rng.choice(['tl.store(out + tl.arange(0, H), h)', 'tl.atomic_add(out + tl.arange(0, H), h)']))


def searching(s, rng):
    s.pointer('x', rng.choice(['fp32', 'i32', 'i64']))
    s.pointer('out', 'i32')
    s.number('n')
    s.constant('B', [64, 256])
    s.add('''
o = tl.program_id(0) * B + tl.arange(0, B)
lo = tl.zeros((B,), dtype=tl.int32)
hi = lo + n
v = tl.load(x + o)
step = n
while step > 0:
    mid = (lo + hi) // 2
    g = tl.load(x + mid, mask=mid < n, other=0) < v
    lo = tl.where(g, mid + 1, lo)
    hi = tl.where(g, hi, mid)
    step = step // 2
if n > 16:
    tl.store(out + o, lo)
else:
    tl.atomic_max(out + o, hi)
''')


KINDS = [(elementwise, 3), (strided, 2), (matmul, 5), (scaled, 1), (rows, 4), (twoD, 2), (atomics, 2), (gather, 2), (convert, 2), (attention, 3), (scan, 1), (random_bits, 1),
         (histogram, 1), (searching, 1)]


def make(rng):
    kind = rng.choices([k for k, _ in KINDS], [w for _, w in KINDS])[0]
    source = Source(rng)
    kind(source, rng)
    options = dict(num_warps=rng.choice([1, 2, 4, 4, 8]), num_stages=rng.choice([1, 2, 2, 3]), waves_per_eu=rng.choice([0, 0, 1, 2, 3]))
    if kind in (matmul, attention):
        options['matrix_instr_nonkdim'] = rng.choice([0, 0, 16, 32])
    return kind.__name__, source, options


def compile_one(source, options, target, folder):
    """In a process of its own: compilers end by assertions, and the dump goes where the environment says."""
    os.environ.update(TRITON_DUMP_MIR=folder, TRITON_CACHE_DIR=os.path.join(folder, 'cache'), TRITON_ALWAYS_COMPILE='1', TRITON_DEFAULT_FP_FUSION='1')
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    path = os.path.join(folder, 'kernel.py')
    with open(path, 'w') as f:
        f.write(source.text())
    spec = importlib.util.spec_from_file_location('kernel', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names = list(source.params) + list(source.constants)
    signature = {**source.params, **{c: 'constexpr' for c in source.constants}}
    # Pointers of tensors and sizes are mostly multiples of 16, which Triton is told.
    attributes = {(k,): [['tt.divisibility', 16]] for k, name in enumerate(names) if source.params.get(name, '').startswith('*')}
    constants = {(names.index(c),): v for c, v in source.constants.items()}
    triton.compile(ASTSource(module.kernel, signature=signature, constexprs=constants, attrs=attributes), target=GPUTarget('hip', *target), options=options)


def child(source, options, target, folder):
    signal.alarm(LIMIT)
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    null = os.open('/dev/null', os.O_RDWR)
    if 'TRITON_SHOW' not in os.environ:
        os.dup2(null, 1)
        os.dup2(null, 2)
    code = 1
    try:
        compile_one(source, options, target, folder)
        code = 0
    except Exception as e:
        sys.stderr.write(f'{e!r}\n')
    finally:
        os._exit(code)


def main():
    seed, count, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    # what every child wants is loaded once
    import triton  # noqa: F401
    os.makedirs(out, exist_ok=True)
    for n in range(count):
        rng = random.Random(seed * 1_000_003 + n)
        name, source, options = make(rng)
        target = rng.choice(TARGETS)
        folder = os.path.join(out, f'work-{n}')
        os.makedirs(folder, exist_ok=True)
        pid = os.fork()
        if pid == 0:
            child(source, options, target, folder)
        os.waitpid(pid, 0)
        for file in os.listdir(folder):
            if not file.endswith('.txt'):
                continue
            dump = os.path.join(folder, file)
            if os.path.getsize(dump) < LARGEST:
                os.rename(dump, os.path.join(out, f'{n}-{name}-{target[0]}.txt'))
        shutil.rmtree(folder)


main()
