import assert from 'node:assert/strict';
import { withAttributes } from '../../../server/src/program/irAttributes.js';

const set = (ir: string, ...pairs: readonly (readonly [string, string])[]): string =>
  withAttributes(ir, new Map(pairs));

describe('attributes of the functions of an embedded module', () => {
  it('are set in the groups that definitions use, in place of what stands there, and in no other', () => {
    const ir = [
      'define void @f(ptr noalias("(") %p) #0 {',
      'declare void @g() #1',
      'attributes #0 = { nounwind "a"="1" "b" }',
      'attributes #1 = { "a"="1" }',
      '',
    ];
    assert.equal(
      set(ir.join('\n'), ['a', '2'], ['c', 'd,e']),
      [ir[0], ir[1], 'attributes #0 = { nounwind "b" "a"="2" "c"="d,e" }', ir[3], ''].join('\n'),
    );
  });

  it('stand beside the parameters where no definition has a group', () => {
    const ir = '  define amdgpu_kernel void @"f)("(i32 %a) "a"="1" align 4 {\n    ret void\n  }\n';
    assert.equal(
      set(ir, ['a', '2']),
      '  define amdgpu_kernel void @"f)("(i32 %a) "a"="2" align 4 {\n    ret void\n  }\n',
    );
  });

  it('leave the text as it is when there are none', () => {
    const ir = 'define void @f() { ret void }';
    assert.equal(set(ir), ir);
  });
});
