/**
 * The facts that rank completion: each has its reason and is asked somewhere, and what a person would expect comes before what they would not. How much
 * each counts is judged on texts that nobody fitted to (`test/property/completion.test.ts`), not here.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideCompletion } from '../../../../server/src/features/completion/completion.js';
import { POINTS } from '../../../../server/src/features/completion/points.js';
import { atCursor, URI } from '../../../support/cursor.js';

const FOLDER = join(__dirname, '..', '..', '..', '..', 'server', 'src', 'features', 'completion');

describe('facts of completion', () => {
  it('each says why it counts', () => {
    const lines = readFileSync(join(FOLDER, 'points.ts'), 'utf8').split('\n');
    for (const fact of Object.keys(POINTS)) {
      const at = lines.findIndex((line) => line.startsWith(`  ${fact}:`));
      assert.match(lines[at - 1] ?? '', /^ {2}\/\*\* .*\. \*\/$|^ {3}\* .*\*\/$/, fact);
    }
  });

  it('each is asked somewhere', () => {
    const code = readdirSync(FOLDER)
      .filter((file) => file !== 'points.ts')
      .map((file) => readFileSync(join(FOLDER, file), 'utf8'))
      .join('\n');
    for (const fact of Object.keys(POINTS)) assert.match(code, new RegExp(`\\bPOINTS\\.${fact}\\b`), fact);
  });
});

const HEADER = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1, $sgpr4_sgpr5
`;

interface Expected {
  readonly what: string;
  /** lines of a block with the cursor in them */
  readonly code: readonly string[];
  /** the first comes before each of the others, which may be missing */
  readonly order: readonly [first: string, ...others: string[]];
  readonly within?: number;
}

const EXPECTED: readonly Expected[] = [
  {
    what: 'a value that nothing reads before one that has been read',
    code: ['%0:vgpr_32 = COPY $vgpr0', '%1:vgpr_32 = COPY $vgpr1', '%2:vgpr_32 = V_NOT_B32_e32 %1, implicit $exec', '%3:vgpr_32 = V_NOT_B32_e32 $0, implicit $exec'],
    order: ['%2', '%1'],
  },
  {
    what: 'a value before one that was killed',
    code: ['%0:vgpr_32 = COPY $vgpr0', '%1:vgpr_32 = COPY $vgpr1', '%2:vgpr_32 = V_NOT_B32_e32 %0, implicit $exec', 'S_NOP 0, implicit killed %1, implicit %2', '%3:vgpr_32 = V_NOT_B32_e32 $0, implicit $exec'],
    order: ['%0', '%1'],
  },
  {
    what: 'a register of the operand’s class before one of another',
    code: ['%0:vgpr_32 = COPY $vgpr0', '%1:sreg_64 = COPY $sgpr4_sgpr5', '%2:sreg_64 = S_NOT_B64 $0, implicit-def $scc'],
    order: ['%1', '%0'],
  },
  {
    what: 'the register that readers wait for before a new one',
    code: ['%0:vgpr_32 = COPY $vgpr0', '$0 = V_NOT_B32_e32 %0, implicit $exec', 'S_NOP 0, implicit %7'],
    order: ['%7', '%8:vgpr_32'],
  },
  {
    what: 'the part that a tied use names',
    code: ['undef %0.sub0:vreg_64 = COPY $vgpr0', '%0.sub1:vreg_64 = COPY $vgpr1', '$0 = V_FMAC_F32_e32 1065353216, %0.sub0, %0.sub1, implicit $mode, implicit $exec', 'S_NOP 0, implicit %0'],
    order: ['%0.sub1', '%1:vgpr_32'],
    within: 3,
  },
  {
    what: 'a physical register that lives before one that was killed',
    code: ['$vgpr2 = V_NOT_B32_e32 killed $vgpr0, implicit $exec', '$vgpr3 = V_NOT_B32_e32 $0, implicit $exec', 'S_ENDPGM 0, implicit $vgpr2, implicit $vgpr3'],
    order: ['$vgpr1', '$vgpr0'],
  },
  {
    what: 'a tuple whose parts were written, though no text has it',
    code: ['$vgpr6 = COPY killed $vgpr0', '$vgpr7 = COPY killed $vgpr1', 'GLOBAL_STORE_DWORDX2 $vgpr0_vgpr1, $0, 0, 0, implicit $exec', 'S_ENDPGM 0'],
    order: ['$vgpr6_vgpr7', '$vgpr0_vgpr1'],
  },
  {
    what: 'the next of a series of copies',
    code: ['$sgpr20 = COPY $sgpr4', '$sgpr21 = COPY $sgpr5', '$0 = COPY $sgpr6', 'S_ENDPGM 0'],
    order: ['$sgpr22', '$sgpr20', '$sgpr21'],
    within: 3,
  },
  {
    what: 'a part of the tuple that a copy reads implicitly',
    code: ['$vgpr8 = V_MOV_B32_e32 $0, implicit $exec, implicit $vgpr0_vgpr1', '$vgpr9 = V_MOV_B32_e32 $vgpr1, implicit $exec', 'S_ENDPGM 0'],
    order: ['$vgpr0'],
    within: 3,
  },
  {
    what: 'the part after those that were read',
    code: ['%0:vreg_128 = IMPLICIT_DEF', '%1:vgpr_32 = V_NOT_B32_e32 %0.sub0, implicit $exec', '%2:vgpr_32 = V_NOT_B32_e32 %0.sub1, implicit $exec', 'S_NOP 0, implicit %1, implicit %2', '%3:vgpr_32 = V_NOT_B32_e32 $0, implicit $exec'],
    order: ['%0.sub2', '%0.sub0', '%0.sub1', '%0.sub3'],
  },
  {
    what: 'what copies of masks have',
    code: ['%0:sreg_64 = COPY $exec, $0', 'S_NOP 0, implicit %0'],
    order: ['implicit-def $exec', 'implicit-def $vcc'],
    within: 10,
  },
]; // prettier-ignore

describe('what completion puts first', () => {
  for (const { what, code, order, within } of EXPECTED)
    it(what, () => {
      const text = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none -o - %s\n${HEADER}\n    ${code.join('\n    ')}\n...\n`;
      const { snapshot, position } = atCursor(text);
      const { items } = provideCompletion(snapshot, { textDocument: { uri: URI }, position });
      const labels = items.map((c) => c.label);
      const first = labels.indexOf(order[0]);
      assert.ok(0 <= first && first < (within ?? 10), `${order[0]} is at ${first}: ${labels.slice(0, 12).join(', ')}`);
      for (const other of order.slice(1)) {
        const at = labels.indexOf(other);
        assert.ok(at < 0 || first < at, `${other} at ${at} before ${order[0]} at ${first}`);
      }
    });
});
