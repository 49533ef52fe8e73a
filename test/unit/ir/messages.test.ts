/** Instructions in the messages of LLVM's IR verifier: numbers of attribute sets as llc-22 gives them. */
import assert from 'node:assert/strict';
import { llcVersion, MODELLED_LLC, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

const TEXT = `--- |
  define void @a() nounwind { ret void }
  define void @f0() "x"="1" {
    call void @a() willreturn
    call void @a() cold
    call void @a() speculatable
    ret void
  }
  define void @good() {
    call void @a() nomerge
    ret void
  }
  define void @f1() {
    call void @a() #0
    call void @a() noreturn speculatable
    ret void
  }
  attributes #0 = { speculatable nounwind }
...
---
name: a
...
`;
const ARGS = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];

describe('messages about instructions of the IR', () => {
  // Functions first, then the calls of each function that a message has shown so far: not those of @good.
  it('number attribute sets over the whole module', () => {
    const message = 'speculatable attribute may not apply to call sites\n  call void @a() #';
    const want = [4, 5, 6].map((n) => `${message}${n}`).join('\n');
    assert.ok(runLlcOnText(ARGS, TEXT).stderr.startsWith(`${want}\n`));
    if (llcVersion() === MODELLED_LLC) assert.ok(runLlc(['-x', 'mir', ...ARGS], TEXT).stderr.startsWith(`${want}\n`));
  });
});
