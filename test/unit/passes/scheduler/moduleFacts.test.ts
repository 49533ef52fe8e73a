/** What the scheduler asks of the module around a function. */
import assert from 'node:assert/strict';
import { moduleFactsOf } from '../../../../server/src/passes/scheduler/moduleFacts.js';
import { lowerWithRunLine } from '../../../support/schedule.js';

const scopesOf = (text: string): readonly string[] => moduleFactsOf(text, null).syncScopes;

const FUNCTION = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900
--- |
  define void @known() { ret void }
...
---
name: known
body: |
  bb.0:
    S_ENDPGM 0
...
`;

describe('facts of a module', () => {
  it('names synchronization scopes in the order of their first mention', () => {
    assert.deepEqual(scopesOf(''), []);
    assert.deepEqual(scopesOf('x syncscope("agent") y syncscope("workgroup") z syncscope("agent")'), [
      'agent',
      'workgroup',
    ]);
    assert.deepEqual(scopesOf('syncscope("b")\nsyncscope("a") syncscope("one-as")'), ['b', 'a', 'one-as']);
  });

  it('names neither the scope of one thread nor that of the system', () => {
    assert.deepEqual(scopesOf('syncscope("singlethread") syncscope("") syncscope("wavefront")'), ['wavefront']);
    assert.deepEqual(scopesOf('syncscope("singlethread-one-as")'), ['singlethread-one-as']);
  });

  it('takes no name from what is no whole scope', () => {
    assert.deepEqual(scopesOf('syncscope("a\n") syncscope(b) syncscopes("c") syncscope "d" syncscope("e"'), []);
  });

  it('is the same list each time', () => {
    const facts = moduleFactsOf('syncscope("agent")', null);
    assert.equal(facts.syncScopes, facts.syncScopes);
  });

  it('has alias queries without IR, and with IR those of a function that it knows', () => {
    const { fns, facts } = lowerWithRunLine(FUNCTION);
    const [fn] = fns;
    const withoutIR = moduleFactsOf(FUNCTION, null);
    assert.notEqual(withoutIR.aliasQueries(fn), null);
    assert.notEqual(facts.aliasQueries(fn), null);
    const unknown = { ...fn, header: { ...fn.header, name: 'unknown' } } as typeof fn;
    assert.equal(facts.aliasQueries(unknown), null);
    assert.notEqual(withoutIR.aliasQueries(unknown), null);
  });
});
