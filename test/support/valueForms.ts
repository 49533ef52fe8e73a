/**
 * A function for each instruction and intrinsic of which LLVM can tell what its result may be, with an address that it is the index of, and others
 * beside it: what does not overlap shows the interval that LLVM knows. Arguments: `%x`, `%y` any i32, `%z` any i64, `%d` a defined i32, `%h` i16,
 * `%w`, `%u` <2 x i32>, `%c` i1, `%m` a pointer to read.
 */

/** Name and lines; the last one defines `%b` of the type, i32 without one. */
type Form = readonly [name: string, lines: string, type?: string];

/** Small, aligned, negative, odd, high: what most forms begin with. */
const PARTS: Readonly<Record<string, string>> = {
  small: '%s = lshr i32 %x, 20',
  aligned: '%s = shl i32 %x, 10',
  negative: '%s = or i32 %x, -65536',
  odd: '%s = or i32 %x, 1025',
  positive: '%s = lshr i32 %y, 1',
};

/** The same operation on operands of which various things are known. */
function each(name: string, text: string): Form[] {
  return Object.entries(PARTS).map(([part, line]) => [`${name}.${part}`, `${line}\n${text}`] as const);
}

const call = (name: string, args: string): string => `%b = call i32 @llvm.${name}.i32(${args})`;

const FORMS: readonly Form[] = [
  ...['and', 'or', 'xor', 'add', 'sub', 'mul', 'udiv', 'sdiv', 'urem', 'srem'].flatMap((op) => each(op, `%b = ${op} i32 %s, 28`)),
  ...['and', 'or', 'xor'].flatMap((op) => each(`${op} of two`, `%t = lshr i32 %y, 22\n%b = ${op} i32 %s, %t`)),
  ...['shl', 'lshr', 'ashr'].flatMap((op) => each(`${op} by a variable`, `%t = and i32 %y, 3\n%b = ${op} i32 %s, %t`)),
  ...['shl nuw', 'shl nsw', 'shl nuw nsw', 'lshr exact', 'ashr exact'].flatMap((op) => each(op, `%b = ${op} i32 %s, %y`)),
  ...['shl nuw', 'shl nsw', 'shl nuw nsw', 'shl', 'lshr', 'lshr exact', 'ashr', 'ashr exact'].map(
    (op) => [`${op} of a constant`, `%b = ${op} i32 96, %y`] as const,
  ),
  ...['ashr', 'shl nsw'].map((op) => [`${op} of a negative constant`, `%b = ${op} i32 -96, %y`] as const),
  ...['add nuw', 'add nsw', 'add nuw nsw', 'sub nuw', 'sub nsw', 'sub nuw nsw', 'mul nsw', 'mul nuw nsw'].flatMap((op) =>
    each(op, `%t = lshr i32 %y, 20\n%b = ${op} i32 %s, %t`),
  ),
  ...['add nuw', 'add nsw', 'sub nuw', 'sub nsw', 'sdiv', 'srem', 'urem', 'udiv'].flatMap(
    (op) =>
      [
        [`${op} by a constant`, `%b = ${op} i32 %x, 1000`],
        [`${op} by a negative constant`, `%b = ${op} i32 %x, -1000`],
        [`${op} of a constant`, `%b = ${op} i32 1000, %x`],
        [`${op} of a negative constant`, `%b = ${op} i32 -1000, %x`],
      ] as const,
  ),
  ...['udiv exact', 'sdiv exact'].flatMap((op) => each(op, `%b = ${op} i32 %s, 4`)),
  ['or disjoint', '%s = and i32 %x, 240\n%b = or disjoint i32 %s, 5'],
  ['mul of itself', '%s = ashr i32 %d, 25\n%b = mul i32 %s, %s'],
  ['mul nsw of itself', '%b = mul nsw i32 %x, %x'],
  ['lowest bit', '%s = or i32 %x, 64\n%n = sub i32 0, %s\n%b = and i32 %s, %n'],
  ['lowest bit of anything', '%n = sub i32 0, %x\n%b = and i32 %x, %n'],
  ['up to the lowest bit', '%s = or i32 %x, 64\n%n = add i32 %s, -1\n%b = xor i32 %s, %n'],
  ['blend', '%a = lshr i32 %x, 28\n%e = lshr i32 %y, 28\n%f = and i32 %d, 15\n%s = xor i32 %f, 15\n%t = mul i32 %a, %s\n%r = mul i32 %e, %f\n%b = add i32 %t, %r'],
  ...each('trunc', '%t = trunc i32 %s to i16\n%b = zext i16 %t to i32'),
  ...each('trunc nuw', '%t = trunc nuw i32 %s to i16\n%b = sext i16 %t to i32'),
  ...each('sext', '%t = trunc i32 %s to i24\n%b = sext i24 %t to i32'),
  ['zext nneg', '%b = zext nneg i16 %h to i32'],
  ['zext', '%b = zext i16 %h to i32'],
  ['sext of i16', '%b = sext i16 %h to i32'],
  ['sext of i1', '%b = sext i1 %c to i32'],
  ...each('select', `%b = select i1 %c, i32 %s, i32 77`),
  ...['ult', 'ule', 'ugt', 'uge', 'slt', 'sle', 'sgt', 'sge', 'eq', 'ne'].flatMap(
    (p) =>
      [
        [`select ${p}`, `%t = icmp ${p} i32 %d, 63\n%b = select i1 %t, i32 %d, i32 5`],
        [`select ${p}, other arm`, `%t = icmp ${p} i32 %d, 64\n%b = select i1 %t, i32 5, i32 %d`],
        [`extreme by ${p}`, `%t = icmp ${p} i32 %x, 63\n%b = select i1 %t, i32 %x, i32 63`],
        [`extreme by ${p}, swapped`, `%t = icmp ${p} i32 63, %x\n%b = select i1 %t, i32 %x, i32 63`],
      ] as const,
  ),
  ['select by two conditions', '%t = icmp ult i32 %d, 63\n%r = icmp ugt i32 %d, 7\n%a = and i1 %t, %r\n%b = select i1 %a, i32 %d, i32 32'],
  ['select by one of two', '%t = icmp ult i32 %d, 63\n%r = icmp ult i32 %d, 31\n%a = select i1 %t, i1 true, i1 %r\n%b = select i1 %a, i32 %d, i32 32'],
  ['select by no condition', '%t = icmp ugt i32 %d, 63\n%a = xor i1 %t, true\n%b = select i1 %a, i32 %d, i32 32'],
  ['select by a bit', '%a = trunc nuw i32 %d to i1\n%b = select i1 %a, i32 %d, i32 32'],
  ['absolute by select', '%n = sub i32 0, %x\n%t = icmp slt i32 %x, 0\n%b = select i1 %t, i32 %n, i32 %x'],
  ['absolute by select, nsw', '%n = sub nsw i32 0, %x\n%t = icmp sgt i32 %x, -1\n%b = select i1 %t, i32 %x, i32 %n'],
  ['negative absolute by select', '%n = sub i32 0, %x\n%t = icmp slt i32 %x, 0\n%b = select i1 %t, i32 %x, i32 %n'],
  ['clamp by selects', '%t = icmp slt i32 %x, 50\n%s = select i1 %t, i32 %x, i32 50\n%r = icmp sgt i32 %s, 3\n%b = select i1 %r, i32 %s, i32 3'],
  ...['smax', 'smin', 'umax', 'umin', 'uadd.sat', 'usub.sat', 'sadd.sat', 'ssub.sat'].flatMap((n) => [
    ...each(n, call(n, 'i32 %s, i32 %y')),
    ...each(`${n} with a constant`, call(n, 'i32 %s, i32 100')),
    ...each(`${n} with a negative constant`, call(n, 'i32 %s, i32 -100')),
    ...each(`${n} of a constant`, call(n, 'i32 100, i32 %s')),
    ...each(`${n} of two`, `%t = lshr i32 %y, 23\n${call(n, 'i32 %s, i32 %t')}`),
  ]),
  ['clamp', `%s = call i32 @llvm.smin.i32(i32 %x, i32 50)\n${call('smax', 'i32 %s, i32 -3')}`],
  ...['bswap', 'bitreverse', 'ctpop'].flatMap((n) => each(n, call(n, 'i32 %s'))),
  ...['ctlz', 'cttz', 'abs'].flatMap((n) => [...each(n, call(n, 'i32 %s, i1 false')), ...each(`${n}, poison`, call(n, 'i32 %s, i1 true'))]),
  ...['fshl', 'fshr'].flatMap((n) => [
    ...each(n, call(n, 'i32 0, i32 %s, i32 8')),
    ...each(`${n} by a high amount`, call(n, 'i32 %s, i32 0, i32 44')),
    ...each(`rotation ${n}`, call(n, 'i32 %s, i32 %s, i32 4')),
  ]),
  ...['uadd', 'sadd', 'usub', 'ssub', 'umul', 'smul'].flatMap((n) =>
    each(`${n}.with.overflow`, `%r = call { i32, i1 } @llvm.${n}.with.overflow.i32(i32 %s, i32 3)\n%b = extractvalue { i32, i1 } %r, 0`),
  ),
  ['scmp', '%b = call i32 @llvm.scmp.i32.i32(i32 %x, i32 %y)'],
  ['ucmp', '%b = call i32 @llvm.ucmp.i32.i32(i32 %x, i32 %y)'],
  ['freeze', '%s = lshr i32 %d, 20\n%b = freeze i32 %s'],
  ['freeze of anything', '%s = lshr exact i32 %x, 20\n%b = freeze i32 %s'],
  ['extractelement', '%s = lshr <2 x i32> %w, <i32 20, i32 1>\n%b = extractelement <2 x i32> %s, i32 0'],
  ['extractelement, any', '%s = lshr <2 x i32> %w, <i32 20, i32 22>\n%b = extractelement <2 x i32> %s, i32 %x'],
  ['insertelement', '%s = lshr i32 %x, 20\n%v = insertelement <2 x i32> %w, i32 %s, i32 1\n%b = extractelement <2 x i32> %v, i32 1'],
  ['shufflevector', '%s = lshr <2 x i32> %w, <i32 20, i32 1>\n%v = shufflevector <2 x i32> %s, <2 x i32> %u, <2 x i32> <i32 0, i32 3>\n%b = extractelement <2 x i32> %v, i32 0'],
  ['splat', '%s = lshr i32 %x, 20\n%i = insertelement <2 x i32> poison, i32 %s, i32 0\n%v = shufflevector <2 x i32> %i, <2 x i32> poison, <2 x i32> zeroinitializer\n%b = extractelement <2 x i32> %v, i32 1'],
  ['constant vector', '%b = extractelement <2 x i32> <i32 17, i32 21>, i32 %x'],
  ['bitcast to a scalar', '%s = lshr <2 x i32> %w, <i32 20, i32 30>\n%b = bitcast <2 x i32> %s to i64', 'i64'],
  ['bitcast to elements', '%s = lshr i64 %z, 40\n%v = insertelement <1 x i64> poison, i64 %s, i32 0\n%r = bitcast <1 x i64> %v to <2 x i32>\n%b = extractelement <2 x i32> %r, i32 1'],
  ...['and', 'or', 'xor', 'add', 'umax', 'umin', 'smax', 'smin'].map(
    (n) => [`reduce.${n}`, `%s = lshr <2 x i32> %w, <i32 20, i32 22>\n%b = call i32 @llvm.vector.reduce.${n}.v2i32(<2 x i32> %s)`] as const,
  ),
  ['vector.reverse', '%s = lshr <2 x i32> %w, <i32 20, i32 1>\n%v = call <2 x i32> @llvm.vector.reverse.v2i32(<2 x i32> %s)\n%b = extractelement <2 x i32> %v, i32 1'],
  ['vector smax', '%v = call <2 x i32> @llvm.smax.v2i32(<2 x i32> %w, <2 x i32> splat (i32 3))\n%b = extractelement <2 x i32> %v, i32 0'],
  ['load with !range', '%b = load i32, ptr %m, !range !0'],
  ['load with two ranges', '%b = load i32, ptr %m, !range !1'],
  ['call with range', '%b = call range(i32 3, 50) i32 @any()'],
  ['call of a function with range', '%b = call i32 @ranged()'],
  ['call with both', '%b = call range(i32 3, 50) i32 @ranged()'],
  ['returned argument', '%s = lshr i32 %x, 20\n%b = call i32 @same(i32 %s)'],
  ['workitem.id.x', '%b = call i32 @llvm.amdgcn.workitem.id.x()'],
  ['workgroup.id.x', '%b = call i32 @llvm.amdgcn.workgroup.id.x()'],
  ['mbcnt.lo', '%b = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)'],
  ['mbcnt.hi', '%s = lshr i32 %x, 27\n%b = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %s)'],
  ['ubfe', '%b = call i32 @llvm.amdgcn.ubfe.i32(i32 %x, i32 4, i32 5)'],
  ['wavefrontsize', '%b = call i32 @llvm.amdgcn.wavefrontsize()'],
  ['readfirstlane', '%s = lshr i32 %x, 20\n%b = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %s)'],
  ['ptrtoint', '%b = ptrtoint ptr addrspace(3) %l to i64', 'i64'],
  ['ptrtoint of an aligned one', '%s = ptrtoint ptr %m to i64\n%b = and i64 %s, 127', 'i64'],
  ['ptrmask', '%s = call ptr @llvm.ptrmask.p0.i64(ptr %m, i64 127)\n%b = ptrtoint ptr %s to i64', 'i64'],
  ['inttoptr', '%s = lshr i64 %z, 50\n%t = inttoptr i64 %s to ptr\n%b = ptrtoint ptr %t to i64', 'i64'],
  ['fptosi of half', '%s = bitcast i16 %h to half\n%b = fptosi half %s to i32'],
  ['fptoui of half', '%s = bitcast i16 %h to half\n%b = fptoui half %s to i32'],
  ['not zero by or', '%b = or i32 %x, 1'],
  ['not zero by a division', '%t = udiv i32 %y, %x\n%b = add i32 %x, 0'],
  ['assumed range', '%t = icmp ult i32 %x, 40\ncall void @llvm.assume(i1 %t)\n%b = add i32 %x, 0'],
  ...['eq', 'ne', 'ult', 'ugt', 'slt', 'sgt'].map((p) => [`assume ${p}`, `%b = mul i32 %x, %y\n%t = icmp ${p} i32 %b, 40\ncall void @llvm.assume(i1 %t)`] as const),
  ['assumed mask', '%b = mul i32 %x, %y\n%s = and i32 %b, -64\n%t = icmp eq i32 %s, 0\ncall void @llvm.assume(i1 %t)'],
  ['assumed sum', '%b = mul i32 %x, %y\n%s = add i32 %b, -64\n%t = icmp ult i32 %s, 8\ncall void @llvm.assume(i1 %t)'],
  ['assumed or', '%b = mul i32 %x, %y\n%s = or i32 %b, %d\n%t = icmp ult i32 %s, 64\ncall void @llvm.assume(i1 %t)'],
  ['assumed truncation', '%b = mul i32 %x, %y\n%s = trunc nuw i32 %b to i8\n%t = icmp ult i8 %s, 16\ncall void @llvm.assume(i1 %t)'],
]; // prettier-ignore

const DISTANCES: readonly number[] = [1, 4, 7, 16, 31, 63, 128, 256, 1024, 4096, 65536, 2 ** 20];

const TAIL = `
declare i32 @any()
declare range(i32 -4, 20) i32 @ranged()
declare i32 @same(i32 returned)
declare void @llvm.assume(i1)
!0 = !{i32 0, i32 1000}
!1 = !{i32 1, i32 9, i32 16, i32 40}
`;

export const valueFormNames: readonly string[] = FORMS.map(([name]) => name);

/** A module with a function `fN` for form N. */
export function valueForms(): string {
  const declared = new Set<string>();
  const functions = FORMS.map(([, lines, type = 'i32'], k) => {
    for (const [, result, name, args] of lines.matchAll(
      /call (\{[^}]*\}|<[^>]*>|\w+(?: addrspace\(\d\))?) (@llvm\.[\w.]+)\(([^)]*(?:\([^)]*\))?[^)]*)\)/g,
    )) {
      if (name === '@llvm.assume') continue;
      const types = [...args.matchAll(/(?:^|, )(<\d+ x i\d+>|i\d+|ptr)/g)].map((m) => m[1]);
      declared.add(`declare ${result} ${name}(${types.join(', ')})`);
    }
    const body = [
      ...lines.split('\n'),
      `%q = getelementptr i64, ptr %p, ${type} %b`,
      'store i64 0, ptr %q',
      ...DISTANCES.flatMap((d, n) => [
        `%a${n} = getelementptr i64, ptr %p, i64 ${d}`,
        `store i64 0, ptr %a${n}`,
        `%n${n} = getelementptr i64, ptr %p, i64 -${d}`,
        `store i64 0, ptr %n${n}`,
      ]),
      'store i64 0, ptr %p',
      'ret void',
    ];
    const head = `define void @f${k}(ptr %p, i32 %x, i32 %y, i64 %z, i32 noundef %d, i16 %h, <2 x i32> %w, <2 x i32> %u, i1 %c, ptr align 16 %m, ptr addrspace(3) %l) {`;
    return [head, ...body.map((l) => `  ${l}`), '}'].join('\n');
  });
  return ['target triple = "amdgcn-amd-amdhsa"', ...functions, ...declared].join('\n') + TAIL;
}
