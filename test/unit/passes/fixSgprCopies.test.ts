/**
 * `-run-pass=si-fix-sgpr-copies` against llc-22: files of test/golden/sgprCopies with llc's answers beside them, and that what is not modelled is
 * refused by its name.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerOfLlc, answerOfOurs } from '../../support/answers.js';
import { golden } from '../../support/golden.js';

const FOLDER = join(__dirname, '..', '..', 'golden', 'sgprCopies');
const PASS = '-run-pass=si-fix-sgpr-copies';

describe('si-fix-sgpr-copies', () => {
  for (const file of readdirSync(FOLDER).filter((f) => f.endsWith('.mir'))) {
    it(`makes what llc makes: ${file}`, () => {
      const input = readFileSync(join(FOLDER, file), 'utf8');
      const args = [...input.matchAll(/ (-m\S+)/g)].map((m) => m[1]!).slice(0, 2);
      const question = { args: [...args, PASS], input };
      const expected = golden(join(FOLDER, file.replace(/mir$/, 'txt')), () => answerOfLlc(question).out);
      assert.match(
        expected,
        /^name:  +(?:m0|random\d|loops|i1|constants64|half|addr64|product64|physical|sccDead|half16|masks|addresses)$/m,
        'llc printed the functions',
      );
      const ours = answerOfOurs(question);
      assert.equal(ours.err, '');
      assert.equal(ours.out, expected);
    });
  }

  it('refuses what it does not model, by its name', () => {
    const input = `---
name: field64
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1, $sgpr0_sgpr1
    %0:vreg_64 = COPY $vgpr0_vgpr1
    %1:sreg_64 = COPY $sgpr0_sgpr1
    %2:sreg_64 = COPY %0
    %3:sreg_64 = S_BFE_U64 %2, 0, implicit-def dead $scc
    S_ENDPGM 0, implicit %3
...
`;
    const { exit, err, out } = answerOfOurs({ args: ['-mtriple=amdgcn', '-mcpu=gfx900', PASS], input });
    assert.equal(exit, 1);
    assert.match(err, /amdgpu-mir does not model the move of S_BFE_U64 to the VALU in function 'field64'/);
    assert.equal(out, '');
  });
});
