/**
 * Where findings of the verifier stand in the text. A fixture marks the range of each with `«...»`, in the order of the
 * reports; the table says the code and the related places.
 */
import assert from 'node:assert';
import { verifierDiagnostics } from '../../../server/src/analysis/verifier/index.js';
import { DiagnosticOrigin } from '../../../server/src/text/diagnostic.js';
import { verifyText } from '../../support/verify.js';

interface Expected {
  readonly code: string;
  /** text of the range, instead of a mark */
  readonly on?: string;
  /** message and text of the related places */
  readonly related?: readonly string[];
  /** whole message, where it says more than LLVM's first line */
  readonly message?: string;
}

function check(marked: string, expected: readonly Expected[], cpu = 'gfx900'): void {
  const marks: { start: number; end: number }[] = [];
  let text = '';
  for (const part of marked.split(/([«»])/)) {
    if (part === '«') marks.push({ start: text.length, end: -1 });
    else if (part === '»') marks[marks.length - 1].end = text.length;
    else text += part;
  }
  const { fn, reports, start } = verifyText(text, cpu);
  const found = verifierDiagnostics(fn, reports).map((d) => ({
    text: text.slice(start + d.start, start + d.end),
    at: start + d.start,
    code: d.code,
    origin: d.origin,
    message: d.message,
    related: (d.related ?? []).map((r) => `${r.message}: ${text.slice(start + r.start, start + r.end)}`),
  }));
  assert.deepStrictEqual(
    found.map((f) => f.code),
    expected.map((e) => e.code),
  );
  const ranges = expected.map((e) => {
    if (e.on !== undefined) return ['', e.on];
    const m = marks.shift();
    assert.ok(m, 'a mark for each range');
    return [m.start, text.slice(m.start, m.end)];
  });
  assert.deepStrictEqual(
    found.map((f, k) => [expected[k].on === undefined ? f.at : '', f.text]),
    ranges,
  );
  found.forEach((f, k) => {
    assert.strictEqual(f.origin, DiagnosticOrigin.Verifier);
    if (expected[k].related) assert.deepStrictEqual(f.related, expected[k].related);
    if (expected[k].message !== undefined) assert.strictEqual(f.message, expected[k].message);
  });
}

const body = (lines: string, header = ''): string =>
  `# a comment above\n---\nname: f\ntracksRegLiveness: true\n${header}body: |\n${lines}\n...\n`;

describe('verifier diagnostics', () => {
  it('stand on the operand', () => {
    check(
      body(
        '  bb.0:\n    liveins: $sgpr4\n    %0:sreg_32 = COPY $sgpr4\n    $vgpr1 = COPY «killed $vgpr0»\n    S_ENDPGM 0',
      ),
      [{ code: 'using-an-undefined-physical-register', related: [] }],
    );
  });

  it('say what class was expected and show where the register comes from', () => {
    check(
      body(
        '  bb.0:\n    %0:sreg_64 = IMPLICIT_DEF\n    %1:vgpr_32 = GLOBAL_LOAD_DWORD «%0», 0, 0, implicit $exec :: (load (s32))\n    S_ENDPGM 0',
      ),
      [
        {
          code: 'illegal-virtual-register-for-instruction',
          message: 'Illegal virtual register for instruction\nExpected a VReg_64 register, but got a SReg_64 register',
          related: ['defined here: %0:sreg_64'],
        },
      ],
    );
  });

  it('show the declaration of a class, the kill, the definition', () => {
    check(
      body(
        '  bb.0:\n    %0 = IMPLICIT_DEF\n    S_NOP 0, implicit killed %0\n    S_NOP 0, «implicit %0»\n    S_ENDPGM 0',
        'registers:\n  - { id: 0, class: sreg_32 }\n',
      ),
      [
        {
          code: 'using-a-killed-virtual-register',
          related: ['defined here: %0', 'killed here: implicit killed %0'],
        },
      ],
    );
  });

  it('of a register without a dominating definition stand on a use', () => {
    check(
      body(
        '  bb.0:\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n  bb.1:\n    %0:sreg_32 = IMPLICIT_DEF\n  bb.2:\n    S_NOP 0\n    S_ENDPGM 0, «implicit %0»',
      ),
      [{ code: 'virtual-register-defs-dont-dominate-all-uses', related: ['defined here: %0:sreg_32'] }],
    );
  });

  it('of blocks stand on the list, the branch or the live-in that is wrong', () => {
    check(
      body(
        [
          '  bb.0:',
          '    successors: %bb.1, %bb.1',
          '    %0:sreg_32 = IMPLICIT_DEF',
          '  bb.1:',
          '    successors: %bb.2',
          '    liveins: $vgpr0, $sgpr4',
          '    %1:sreg_32 = PHI %0, %bb.0',
          '    S_CBRANCH_SCC1 %bb.3, implicit undef $scc',
          '  bb.2:',
          '    S_ENDPGM 0',
          '  bb.3:',
          '    S_ENDPGM 0',
        ].join('\n'),
      ),
      [
        { code: 'mbb-has-duplicate-entries-in-its-successor-list', on: 'successors: %bb.1, %bb.1' },
        { code: 'mbb-has-duplicate-entries-in-its-predecessor-list', on: 'successors: %bb.1, %bb.1' },
        {
          code: 'mbb-has-allocatable-live-in-but-isnt-entry-landing-pad-or-inlineasm-br-indirect',
          on: '$vgpr0',
        },
        {
          code: 'mbb-has-allocatable-live-in-but-isnt-entry-landing-pad-or-inlineasm-br-indirect',
          on: '$sgpr4',
        },
        {
          code: 'mbb-exits-via-jump-or-conditional-branch-but-its-target-isnt-a-cfg-successor',
          on: 'S_CBRANCH_SCC1 %bb.3, implicit undef $scc',
          related: ['the other block: bb.3:'],
        },
      ],
    );
  });

  it('of blocks that end wrongly stand on the last instruction, of a kill on the last one in the block', () => {
    const frame = 'implicit-def dead $scc, implicit-def dead $sgpr32, implicit undef $sgpr32';
    check(body(`  bb.0:\n    S_NOP 0\n    ADJCALLSTACKUP 4, 0, ${frame}\n    S_ENDPGM 0`), [
      { code: 'a-return-block-ends-with-a-framesetup', on: 'S_ENDPGM 0', related: [] },
      { code: 'a-return-block-ends-with-a-nonzero-stack-adjustment', on: 'S_ENDPGM 0', related: [] },
    ]);
    check(body('  bb.0:\n    successors: %bb.0\n    S_NOP 0\n    «S_CBRANCH_SCC0 %bb.0, implicit undef $scc»'), [
      { code: 'mbb-conditionally-falls-through-out-of-function', related: [] },
    ]);
    check(
      body(
        [
          '  bb.0:',
          '    %0:sreg_32 = IMPLICIT_DEF',
          '    %1:sreg_32 = IMPLICIT_DEF',
          '    S_CBRANCH_SCC1 %bb.2, implicit undef $scc',
          '  bb.1:',
          '    S_NOP 0, implicit %0, implicit killed %1',
          '    S_NOP 0, implicit undef %1, «implicit killed %0»',
          '  bb.2:',
          '    S_NOP 0, implicit %0',
          '    S_ENDPGM 0',
        ].join('\n'),
      ),
      [{ code: 'virtual-register-killed-in-block-but-needed-live-out', related: ['defined here: %0:sreg_32'] }],
    );
  });

  it('of instructions stand on the whole line, of missing memory flags on the memory operand', () => {
    check(body('  bb.0:\n    S_NOP 0 :: «(load (s32))»\n    «S_SLEEP»\n    S_ENDPGM 0'), [
      { code: 'missing-mayload-flag' },
      { code: 'too-few-operands', message: 'Too few operands\n1 operands expected, but 0 given.' },
      { code: 'expected-immediate-but-got-non-immediate', on: 'S_SLEEP' },
    ]);
  });

  it('are relative to the document of the function', () => {
    const first = '---\nname: first\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
    check(first + body('  bb.0:\n    $vgpr1 = COPY «$vgpr0»\n    S_ENDPGM 0'), [
      { code: 'using-an-undefined-physical-register' },
    ]);
  });
});
