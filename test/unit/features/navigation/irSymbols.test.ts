/** Names of the embedded IR: where each stands, and what is none. */
import assert from 'node:assert/strict';
import { scanIRSymbols } from '../../../../server/src/features/symbols/irSymbols.js';
import { EntityKind, Role } from '../../../../server/src/features/symbols/symbolIndex.js';

const LEADS: Partial<Record<EntityKind, string>> = {
  [EntityKind.Global]: '@',
  [EntityKind.Metadata]: '!',
  [EntityKind.AttributeGroup]: '#',
};

/** Each name as the text spells it and as it is meant; a star where it is introduced. */
const places = (ir: string, start = 0, end = ir.length): string[] =>
  scanIRSymbols(ir, start, end).occurrences.map(
    (o) => `${ir.slice(o.start, o.end)} ${LEADS[o.kind] ?? `${o.fn}.`}${o.name}${(o.role & Role.Def) !== 0 ? '*' : ''}`,
  );

const CASES: readonly (readonly [what: string, ir: string, places: readonly string[]])[] = [
  ['nothing', '', []],
  ['a global', '@g = global i32 0\n', ['@g @g*']],
  ['a global that refers to another', '@g = alias i32, ptr @h\n', ['@g @g*', '@h @h']],
  ['a declaration', 'declare void @f(i32 %a)\n', ['@f @f*', '%a f.a*']],
  ['after a declaration', 'declare void @f()\n%a = add i32 1, 2\n', ['@f @f*']],
  [
    'a header of several lines',
    'define void @f(i32 %a,\n    i32 %b) {\n  %c = add i32 %a, %b\n}\n',
    ['@f @f*', '%a f.a*', '%b f.b*', '%c f.c*', '%a f.a', '%b f.b'],
  ],
  [
    'a brace in a line of its own',
    'define void @f(i32 %a)\n{\n  %c = add i32 %a, 1\n}\n',
    ['@f @f*', '%a f.a*', '%c f.c*', '%a f.a'],
  ],
  [
    'a comment after the brace',
    'define void @f(i32 %a) { ; %x\n  %c = add i32 %a, 1\n}\n',
    ['@f @f*', '%a f.a*', '%c f.c*', '%a f.a'],
  ],
  ['a function of one line', 'define i32 @f(i32 %a) { ret i32 %a } ; %b\n', ['@f @f*', '%a f.a*', '%a f.a']],
  [
    'two functions',
    'define void @f(i32 %a) {\n  ret void\n}\ndefine void @g(i32 %a) {\n  %b = add i32 %a, 1\n}\n',
    ['@f @f*', '%a f.a*', '@g @g*', '%a g.a*', '%b g.b*', '%a g.a'],
  ],
  ['after a function', 'define void @f() {\n}\n%b\nx:\n@g = global i32 0\n', ['@f @f*', '@g @g*']],
  ['a brace that closes nothing', 'define void @f() {\n  call void @g({ i32 } %x)\n}\n', ['@f @f*', '@g @g', '%x f.x']],
  [
    'labels',
    'define void @f() {\nentry:\n  br label %out.1\nout.1:\n  ret void\n7:\n  br label %7\n}\n',
    ['@f @f*', 'entry f.entry*', '%out.1 f.out.1', 'out.1 f.out.1*', '7 f.7*', '%7 f.7'],
  ],
  [
    'a label in quotes',
    'define void @f() {\n"a b":\n  br label %"a b"\n}\n',
    ['@f @f*', '"a b" f.a b*', '%"a b" f.a b'],
  ],
  ['no label in the middle of a line', 'define void @f() {\n  ret void x:\n}\n', ['@f @f*']],
  ['comments', '; @a %b !1 #2\n@g = global i32 0 ; @c\n', ['@g @g*']],
  ['strings', '@g = constant [2 x i8] c"@a %b"\n', ['@g @g*']],
  ['escapes', '@"a\\41b" = global i32 0\n@"c\\5Cd" = global i32 0\n', ['@"a\\41b" @aAb*', '@"c\\5Cd" @c\\d*']],
  ['a backslash', '@"a\\\\b" = global i32 0\n', ['@"a\\\\b" @a\\b*']],
  ['metadata', '!0 = !{!1, !0}\n!1 = !{}\n', ['!0 !0*', '!1 !1', '!0 !0', '!1 !1*']],
  ['named metadata', '!llvm.x = !{!1}\n', ['!1 !1']],
  [
    'attribute groups',
    'define void @f() #0 {\n  call void @g() #1\n}\nattributes #0 = { nounwind }\nattributes  #1 = { cold }\n',
    ['@f @f*', '#0 #0', '@g @g', '#1 #1', '#0 #0*', '#1 #1*'],
  ],
  ['an indented module', '  declare void @f(i32 %a)\n  @g = global i32 0\n', ['@f @f*', '%a f.a*', '@g @g*']],
];

describe('places of names in the IR', () => {
  for (const [what, ir, wanted] of CASES) it(what, () => assert.deepEqual(places(ir), wanted));

  it('only those of a part', () => {
    const ir = '@a = global i32 0\n@b = global i32 0\n@c = global i32 0\n';
    const [b, c] = [ir.indexOf('@b'), ir.indexOf('@c')];
    assert.deepEqual(places(ir, b, c), ['@b @b*']);
    assert.deepEqual(places(ir, b), ['@b @b*', '@c @c*']);
    assert.deepEqual(places(ir, 0, b), ['@a @a*']);
    assert.deepEqual(places(ir, 0, b + 1), ['@a @a*', '@b @b*']);
  });

  it('by kind, name and function', () => {
    const ir = 'define void @f(i32 %f) {\n}\ndefine void @g(i32 %f) {\n  call void @f(i32 %f)\n}\n!0 = !{}\n';
    const { of, occurrences } = scanIRSymbols(ir, 0, ir.length);
    const at = (kind: EntityKind, name: string, fn: string): number[] =>
      of(kind, name, fn).map((i) => occurrences[i]!.start);
    const all = [...ir.matchAll(/[%@]f/g)].map((m) => m.index);
    assert.deepEqual(at(EntityKind.Global, 'f', ''), [all[0], all[3]]);
    assert.deepEqual(at(EntityKind.IRLocal, 'f', 'f'), [all[1]]);
    assert.deepEqual(at(EntityKind.IRLocal, 'f', 'g'), [all[2], all[4]]);
    assert.deepEqual(at(EntityKind.Metadata, '0', ''), [ir.indexOf('!0')]);
    assert.deepEqual(at(EntityKind.Metadata, '1', ''), []);
  });
});
