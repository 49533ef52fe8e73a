/** A physical register renamed for one value: from its definition to its last use; refused where the value comes from or goes to elsewhere. */
import assert from 'node:assert/strict';
import { renamedAt } from '../../../support/editing.js';

const HEAD = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\n';

/** Lines of a body in which `$0` is the cursor and `*` stands before each place that is renamed. */
interface Case {
  readonly what: string;
  readonly body: string;
  readonly to: string;
  /** instead of a result */
  readonly refused?: RegExp;
}

const MOV = 'V_MOV_B32_e32 0, implicit $exec';

const CASES: readonly Case[] = [
  {
    what: 'from the definition',
    body: `  bb.0:\n    $*vgpr$01 = ${MOV}\n    $vgpr2 = COPY $*vgpr1\n    $vgpr3 = COPY $*vgpr1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
  },
  {
    what: 'from a use, with the sigil given',
    body: `  bb.0:\n    $*vgpr1 = ${MOV}\n    $vgpr2 = COPY $*vgpr1\n    $vgpr3 = COPY killed $*vgp$0r1\n    S_ENDPGM 0\n`,
    to: '$vgpr9',
  },
  {
    what: 'one value of two, the first',
    body: `  bb.0:\n    $*vgpr1 = ${MOV}\n    $vgpr2 = COPY $*vg$0pr1\n    $vgpr1 = ${MOV}\n    $vgpr3 = COPY $vgpr1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
  },
  {
    what: 'one value of two, the second',
    body: `  bb.0:\n    $vgpr1 = ${MOV}\n    $vgpr2 = COPY $vgpr1\n    $*vgpr1 = ${MOV}\n    $vgpr3 = COPY $*vgp$0r1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
  },
  {
    what: 'the read of an instruction that writes the register anew',
    body: `  bb.0:\n    $*vgpr1 = ${MOV}\n    $vgpr1 = V_NOT_B32_e32 $*vg$0pr1, implicit $exec\n    $vgpr3 = COPY $vgpr1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
  },
  {
    what: 'the write of an instruction that reads the register before',
    body: `  bb.0:\n    $vgpr1 = ${MOV}\n    $*vgp$0r1 = V_NOT_B32_e32 $vgpr1, implicit $exec\n    $vgpr3 = COPY $*vgpr1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
  },
  {
    what: 'to a register that is used before',
    body: `  bb.0:\n    $vgpr9 = ${MOV}\n    $vgpr8 = COPY $vgpr9\n    $*vgpr1 = ${MOV}\n    $vgpr2 = COPY $*vgp$0r1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
  },
  {
    what: 'to a register that is written after',
    body: `  bb.0:\n    $*vgpr1 = ${MOV}\n    $vgpr2 = COPY $*vgp$0r1\n    $vgpr9 = ${MOV}\n    S_ENDPGM 0, implicit $vgpr9\n`,
    to: 'vgpr9',
  },
  {
    what: 'to a register that is used in another block',
    body:
      `  bb.0:\n    successors: %bb.1\n\n    $vgpr9 = ${MOV}\n    $vgpr8 = COPY $vgpr9\n\n` +
      `  bb.1:\n    $*vgpr1 = ${MOV}\n    $vgpr2 = COPY $*vgp$0r1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
  },
  {
    what: 'with a successor that has other live-ins',
    body:
      `  bb.0:\n    successors: %bb.1\n\n    $*vgp$0r1 = ${MOV}\n    $vgpr2 = COPY $*vgpr1\n\n` +
      `  bb.1:\n    liveins: $vgpr2\n\n    S_ENDPGM 0, implicit $vgpr2\n`,
    to: 'vgpr9',
  },
  {
    what: 'that goes into a successor',
    body:
      `  bb.0:\n    successors: %bb.1\n\n    $vgp$0r1 = ${MOV}\n    $vgpr2 = COPY $vgpr1\n\n` +
      `  bb.1:\n    liveins: $vgpr1\n\n    S_ENDPGM 0, implicit $vgpr1\n`,
    to: 'vgpr9',
    refused: /^\$vgpr1 is live out of this block$/,
  },
  {
    what: 'that goes into a successor as a part of a pair',
    body:
      `  bb.0:\n    successors: %bb.1\n    liveins: $vgpr0\n\n    $vgp$0r1 = ${MOV}\n    $vgpr2 = COPY $vgpr1\n\n` +
      `  bb.1:\n    liveins: $vgpr0_vgpr1\n\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
    refused: /^\$vgpr1 is live out of this block$/,
  },
  {
    what: 'written again before the successor that has it',
    body:
      `  bb.0:\n    successors: %bb.1\n\n    $*vgp$0r1 = ${MOV}\n    $vgpr2 = COPY $*vgpr1\n    $vgpr1 = ${MOV}\n\n` +
      `  bb.1:\n    liveins: $vgpr1\n\n    S_ENDPGM 0, implicit $vgpr1\n`,
    to: 'vgpr9',
  },
  {
    what: 'a live-in',
    body: `  bb.0:\n    liveins: $vgpr1\n\n    $vgpr2 = COPY $vgp$0r1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
    refused: /^\$vgpr1 is live into this block: the value comes from elsewhere$/,
  },
  {
    what: 'the list of live-ins itself',
    body: `  bb.0:\n    liveins: $vgp$0r1\n\n    $vgpr2 = COPY $vgpr1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
    refused: /^\$vgpr1 is live into this block: the value comes from elsewhere$/,
  },
  {
    what: 'what nothing writes',
    body: `  bb.0:\n    S_NOP 0\n    $vgpr2 = COPY undef $vgp$0r1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
    refused: /^\$vgpr1 is live into this block/,
  },
  {
    what: 'what another block writes',
    body:
      `  bb.0:\n    successors: %bb.1\n\n    $vgpr1 = ${MOV}\n\n` +
      `  bb.1:\n    liveins: $vgpr1\n\n    $vgpr2 = COPY $vgp$0r1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
    refused: /^\$vgpr1 is live into this block/,
  },
  {
    what: 'what is read as a part of a pair',
    body: `  bb.0:\n    liveins: $vgpr0\n\n    $vgp$0r1 = ${MOV}\n    $vgpr4_vgpr5 = COPY $vgpr0_vgpr1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
    refused: /^\$vgpr0_vgpr1 overlaps it: parts of the value have names of their own$/,
  },
  {
    what: 'what is read implicitly',
    body: `  bb.0:\n    $vgp$0r1 = ${MOV}\n    S_ENDPGM 0, implicit $vgpr1\n`,
    to: 'vgpr9',
    refused: /^an instruction reads or writes \$vgpr1 implicitly$/,
  },
  {
    what: 'to a register that is in use between',
    body: `  bb.0:\n    $vgp$0r1 = ${MOV}\n    $vgpr9 = ${MOV}\n    $vgpr2 = COPY $vgpr1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
    refused: /^\$vgpr9 is in use between the definition and the last use$/,
  },
  {
    what: 'to a register that a pair in use between overlaps',
    body: `  bb.0:\n    liveins: $vgpr4_vgpr5\n\n    $vgp$0r1 = ${MOV}\n    $vgpr8_vgpr9 = COPY $vgpr4_vgpr5\n    $vgpr2 = COPY $vgpr1\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
    refused: /^\$vgpr8_vgpr9 is in use between the definition and the last use$/,
  },
  {
    what: 'to a register whose value lives through, to be read after',
    body: `  bb.0:\n    $vgpr9 = ${MOV}\n    $vgp$0r1 = ${MOV}\n    $vgpr2 = COPY $vgpr1\n    $vgpr3 = COPY $vgpr9\n    S_ENDPGM 0\n`,
    to: 'vgpr9',
    refused: /^\$vgpr9 is in use between the definition and the last use$/,
  },
  {
    what: 'to a register whose value lives through, to a successor',
    body:
      `  bb.0:\n    successors: %bb.1\n\n    $vgpr9 = ${MOV}\n    $vgp$0r1 = ${MOV}\n    $vgpr2 = COPY $vgpr1\n\n` +
      `  bb.1:\n    liveins: $vgpr9\n\n    S_ENDPGM 0, implicit $vgpr9\n`,
    to: 'vgpr9',
    refused: /^\$vgpr9 is in use between the definition and the last use$/,
  },
  {
    what: 'to what is no register',
    body: `  bb.0:\n    $vgp$0r1 = ${MOV}\n    S_ENDPGM 0\n`,
    to: 'vgpr9999',
    refused: /^'vgpr9999' is no register of this target$/,
  },
  {
    what: 'to a register that the opcode does not take',
    body: `  bb.0:\n    $vgp$0r1 = ${MOV}\n    $vgpr2 = V_NOT_B32_e32 $vgpr1, implicit $exec\n    S_ENDPGM 0\n`,
    to: 'sgpr4',
    refused: /^llc would reject the function with 'sgpr4'$/,
  },
];

describe('a physical register renamed', () => {
  for (const { what, body, to, refused } of CASES)
    it(`${refused ? 'not ' : ''}${what}`, () => {
      const text = `${HEAD}body: |\n${body.replaceAll('*', '')}...\n`;
      const result = renamedAt(text, to);
      if (refused) assert.match(result, refused);
      else {
        const wanted = `${HEAD}body: |\n${body.replaceAll('$0', '').replaceAll(/\*vgpr1\b/g, to.replace('$', ''))}...\n`;
        assert.equal(result, wanted);
      }
    });

  it('to its own name is nothing, in the header there is none', () => {
    const body = `body: |\n  bb.0:\n    $vgpr1 = ${MOV}\n    S_ENDPGM 0\n...\n`;
    const text = HEAD + body;
    assert.equal(renamedAt(HEAD + body.replace('$vgpr1', '$vg$0pr1'), 'vgpr1'), text);
    assert.equal(renamedAt(HEAD + `liveins:\n  - { reg: '$vg$0pr1' }\n` + body, 'vgpr9'), '');
    assert.equal(renamedAt(HEAD + body.replace('$vgpr1', '$noth$0ing'), 'vgpr9'), '');
  });
});
