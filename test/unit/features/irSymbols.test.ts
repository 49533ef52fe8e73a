/** The scan of the embedded IR for names: which function a name belongs to, and what introduces it. */
import assert from 'node:assert/strict';
import { scanIRSymbols } from '../../../server/src/features/symbols/irSymbols.js';
import { EntityKind, Role } from '../../../server/src/features/symbols/symbolIndex.js';

/** `fn.name` of the locals, `@name` of globals, `!N` and `#N`; a star where it is introduced. */
function names(ir: string): string[] {
  return scanIRSymbols(ir, 0, ir.length).occurrences.map(({ kind, name, fn, role }) => {
    const star = (role & Role.Def) !== 0 ? '*' : '';
    if (kind === EntityKind.Global) return `@${name}${star}`;
    if (kind === EntityKind.Metadata) return `!${name}${star}`;
    if (kind === EntityKind.AttributeGroup) return `#${name}${star}`;
    return `${fn}.${name}${star}`;
  });
}

describe('names of the embedded IR', () => {
  it('parameters, values, blocks and their uses', () => {
    const ir =
      '  define i32 @f(i32 %a, ptr %0) #0 {\n  entry:\n    %b = add i32 %a, 1 ; not %c\n    br label %exit\n  exit:\n    ret i32 %b\n  }\n';
    assert.deepEqual(names(ir), ['@f*', 'f.a*', 'f.0*', '#0', 'f.entry*', 'f.b*', 'f.a', 'f.exit', 'f.exit*', 'f.b']);
  });

  it('functions of one line and declarations end with their line', () => {
    const ir =
      'define void @f(i32 %x) { ret void }\ndeclare void @g(i32 %y)\n@v = global i32 0\ndefine void @h() {\n  call void @g(i32 %z)\n}\n';
    assert.deepEqual(names(ir), ['@f*', 'f.x*', '@g*', 'g.y*', '@v*', '@h*', '@g', 'h.z']);
  });

  it('headers with braces in types, quoted names, strings, attributes, metadata', () => {
    const ir =
      'define { i32, i32 } @"a b"({ i32, i32 } %p) {\n  %"q r" = freeze { i32, i32 } %p, !x !1\n  ret { i32, i32 } %"q r"\n}\nattributes #1 = { "k"="%no @no" }\n!1 = !{!2}\n';
    assert.deepEqual(names(ir), ['@a b*', 'a b.p*', 'a b.q r*', 'a b.p', '!1', 'a b.q r', '#1*', '!1*', '!2']);
  });

  it('what stands first in a line is introduced only by the sign after it', () => {
    const ir =
      'define void @f(i32 %a) {\n  call void @g(i32\n  %a)\n  %b = add i32 %a, 1\n  %c  = freeze i32\n  %b\n  %d\t= freeze i32 %c\n}\n';
    assert.deepEqual(names(ir), ['@f*', 'f.a*', '@g', 'f.a', 'f.b*', 'f.a', 'f.c*', 'f.b', 'f.d*', 'f.c']);
  });

  it('escapes in quoted names are decoded', () => {
    assert.deepEqual(names('@"x\\20y" = global i32 0\n'), ['@x y*']);
  });

  it('finds all places of a name', () => {
    const ir = 'define void @f(i32 %a) {\n  %b = add i32 %a, %a\n}\n';
    const symbols = scanIRSymbols(ir, 0, ir.length);
    const places = symbols.of(EntityKind.IRLocal, 'a', 'f').map((i) => symbols.occurrences[i]!.start);
    assert.deepEqual(places, [19, 40, 44]);
    assert.deepEqual(symbols.of(EntityKind.IRLocal, 'a', 'g'), []);
  });
});
