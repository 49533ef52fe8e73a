/** What is said of words of RUN and CHECK lines: severity, place, message, what is proposed. */
import assert from 'node:assert/strict';
import { runLineFindings } from '../../../../server/src/features/diagnostics/runLineFindings.js';
import { Severity } from '../../../../server/src/text/diagnostic.js';
import { openText } from '../../../support/cursor.js';

const LEVELS: Readonly<Record<number, string>> = {
  [Severity.Error]: 'error',
  [Severity.Warning]: 'warning',
  [Severity.Information]: 'info',
  [Severity.Hint]: 'hint',
};
const V = '(LLVM 22.1.8)';

/** `level code 'word': message > what may be written in its place` of each. */
function told(text: string): string[] {
  return runLineFindings(openText(text).snapshot).map(
    ({ severity, code, start, end, message, replacements }) =>
      `${LEVELS[severity]} ${code} '${text.slice(start, end)}': ${message.replace(` ${V}`, ' V')}${replacements.map((r) => ` > ${r}`).join('')}`,
  );
}

const LLC = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900';
const FC = `${LLC} -run-pass=none -o - %s | FileCheck`;

const CASES: readonly (readonly [text: string, told: readonly string[]])[] = [
  ['', []],
  [`${LLC} -run-pass=none -o - %s`, []],
  // Options.
  [
    `${LLC} -verify-machineinstr %s`,
    [
      "warning unknown-option '-verify-machineinstr': Unknown command line argument '-verify-machineinstr'. Did you mean '--verify-machineinstrs'? V > -verify-machineinstrs",
    ],
  ],
  [
    `${LLC} --verify-machineinstr %s`,
    [
      "warning unknown-option '--verify-machineinstr': Unknown command line argument '--verify-machineinstr'. Did you mean '--verify-machineinstrs'? V > --verify-machineinstrs",
    ],
  ],
  [
    `${LLC} -qqqqqqqqqqqq %s`,
    ["warning unknown-option '-qqqqqqqqqqqq': Unknown command line argument '-qqqqqqqqqqqq'. V"],
  ],
  [`not ${LLC.slice(7)} -qqqqqqqqqqqq %s`, []],
  [`# RUN: not llc -mtriple=amdgcn -qqqqqqqqqqqq %s`, []],
  [`${LLC} -qqq%x %s`, []],
  [`${LLC} -debug-only=machine-scheduler %s`, []],
  [`${LLC} -debug %s`, []],
  [`${LLC} --misched-cutoff=3 %s`, []],
  [
    `${LLC} -filetype=onj %s`,
    [
      `warning option-value '-filetype=onj': for the --filetype option: Cannot find option named 'onj'! V > -filetype=obj`,
    ],
  ],
  [
    `${LLC} -verify-machineinstrs=maybe %s`,
    [
      `warning option-value '-verify-machineinstrs=maybe': for the --verify-machineinstrs option: 'maybe' is invalid value for boolean argument! Try 0 or 1 V`,
    ],
  ],
  // Passes.
  [
    `${LLC} -run-pass=machine-schedule %s`,
    ["warning unknown-pass 'machine-schedule': run-pass machine-schedule is not registered. V > machine-scheduler"],
  ],
  [
    `${LLC} -stop-after machine-schedule %s`,
    ['warning unknown-pass \'machine-schedule\': "machine-schedule" pass is not registered. V > machine-scheduler'],
  ],
  [
    `${LLC} -run-pass=none,qqqqqqqq,none %s`,
    ["warning unknown-pass 'qqqqqqqq': run-pass qqqqqqqq is not registered. V"],
  ],
  [`${LLC} -start-before=machine-scheduler,2 %s`, []],
  // Targets.
  [
    '# RUN: llc -mtriple=amdgcn -mcpu=tahitj %s',
    [
      "warning unknown-target 'tahitj': 'tahitj' is not a recognized processor for this target (ignoring processor) V > tahiti",
    ],
  ],
  [
    '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -mattr=+wavefrontsize33 %s',
    [
      "warning unknown-target '+wavefrontsize33': '+wavefrontsize33' is not a recognized feature for this target (ignoring feature) V > +wavefrontsize32 > +wavefrontsize16 > +wavefrontsize64",
    ],
  ],
  // Programs and quotes.
  ['# RUN: lcc %s', ["warning unknown-program 'lcc': no program 'lcc' is known here > llc"]],
  [
    '# RUN: llc %s | FileChek %s',
    ["warning unknown-program 'FileChek': no program 'FileChek' is known here > FileCheck"],
  ],
  [
    '# RUN: %llc %s',
    ["warning unknown-program '%llc': lit has no substitution '%llc': it would look for a program of that name > llc"],
  ],
  ['# DEFINE: %{llc} = llc\n# RUN: %{llc} %s', []],
  ['# RUN: lli %s', []],
  ['# RUN: cat %s', []],
  [
    `${LLC} "a b`,
    ['warning unclosed-quote \'"a\': nothing closes this quote: the rest of the RUN line is one word > "a" > a'],
  ],
  // FileCheck.
  [
    `${FC} -check-prefx=A %s\n# CHECK: x`,
    [
      "warning unknown-option '-check-prefx=A': Unknown command line argument '-check-prefx=A'. Did you mean '--check-prefix=A'? V > -check-prefix=A",
    ],
  ],
  [
    `${FC} -qqqqqqqqqqqqq %s\n# CHECK: x`,
    ["warning unknown-option '-qqqqqqqqqqqqq': Unknown command line argument '-qqqqqqqqqqqqq'. V"],
  ],
  [`${FC} %s`, []],
  [`${FC} %s\n# CHECK: x`, []],
  [
    `${FC} -check-prefix=A %s\n# B-NEXT: x`,
    [
      "info unknown-prefix 'B': no RUN line asks for the prefix 'B'",
      "warning unused-prefix 'A': no check strings found with prefix 'A:'",
    ],
  ],
  [
    `${FC} -check-prefixes=GCN,GFX9 %s\n# GCN: x`,
    ["warning unused-prefix 'GFX9': no check strings found with prefix 'GFX9:'"],
  ],
  [`${FC} -check-prefixes=GCN,GFX9 --allow-unused-prefixes %s\n# GCN: x`, []],
  [
    `${FC} -check-prefixes=GCN,GFX9 --allow-unused-prefixes=false %s\n# GCN: x`,
    ["warning unused-prefix 'GFX9': no check strings found with prefix 'GFX9:'"],
  ],
  [`${FC} -check-prefixes=GCN,GFX9 --allow-unused-prefixes=1 %s\n# GCN: x`, []],
  [
    `${FC} -check-prefix=GXN %s\n# GCN-NEXT: x`,
    [
      "info unknown-prefix 'GCN': no RUN line asks for the prefix 'GCN' > GXN",
      "warning unused-prefix 'GXN': no check strings found with prefix 'GXN:' > GCN",
    ],
  ],
  // Directives and variables.
  [
    `${FC} %s\n# CHECK: x\n# CHECK-NXT: y`,
    ["warning misspelt-directive 'CHECK-NXT': misspelled directive 'CHECK-NXT:' > CHECK-NEXT > CHECK-NOT"],
  ],
  [
    `${FC} %s\n# CHECK: x\n# CHECK_NEXT: y`,
    ["warning misspelt-directive 'CHECK_NEXT': misspelled directive 'CHECK_NEXT:' > CHECK-NEXT"],
  ],
  [
    `${FC} %s\n# CHECK-COUNT_2: y`,
    ["warning misspelt-directive 'CHECK-COUNT_2': misspelled directive 'CHECK-COUNT_2:' > CHECK-COUNT-2"],
  ],
  [`${FC} %s\n# CHECK: [[X]]`, ["warning unset-variable 'X': undefined variable: X"]],
  [`${FC} %s\n# CHECK: [[REG1:a]] [[REG2]]`, ["warning unset-variable 'REG2': undefined variable: REG2 > REG1"]],
  [`${FC} -DX=1 %s\n# CHECK: [[X]]`, []],
  [`${FC} %s\n# CHECK: [[#X:]] [[#X]]`, []],
  [`${FC} %s\n# CHECK: [[#X]]`, ["warning unset-variable 'X': undefined variable: X"]],
  [`${FC} %s\n# CHECK{LITERAL}: [[X]]`, []],
  [`${FC} %s\n# OTHER: [[X]]`, []],
  // Of other targets nothing.
  ['# RUN: llc -mtriple=x86_64-- -qqqqqq %s', []],
];

describe('words of RUN and CHECK lines', () => {
  for (const [text, wanted] of CASES)
    it(
      text
        .split('\n')
        .map((l) => l.replace(LLC, '...'))
        .join(' / '),
      () => assert.deepEqual(told(text), wanted),
    );

  it('options that are not modelled are a hint', () => {
    const [first] = told(`${LLC} -enable-misched=false %s`);
    assert.ok(first === undefined || first.startsWith('hint option-not-modelled '));
  });

  /** Titles of the fixes of the first finding with the line that each makes of a word. */
  const FIXES: readonly (readonly [text: string, fixes: Readonly<Record<string, string>>])[] = [
    [
      `${FC} -check-prefixes=GCN,GFX9 %s\n# GCN: x`,
      {
        "Remove the prefix 'GFX9'": `${FC} -check-prefixes=GCN %s\n# GCN: x`,
        'Allow unused prefixes': `${FC} --allow-unused-prefixes -check-prefixes=GCN,GFX9 %s\n# GCN: x`,
      },
    ],
    [
      `${FC} -check-prefixes=GFX9,GCN %s\n# GCN: x`,
      {
        "Remove the prefix 'GFX9'": `${FC} -check-prefixes=GCN %s\n# GCN: x`,
        'Allow unused prefixes': `${FC} --allow-unused-prefixes -check-prefixes=GFX9,GCN %s\n# GCN: x`,
      },
    ],
    [`${FC} -check-prefix=A %s\n# CHECK: x`, { "Remove the prefix 'A'": `${FC} %s\n# CHECK: x` }],
    [`${FC} -check-prefix=A %s\n`, {}],
    [
      `${FC} %s\n# CHECK: x\n# B-NEXT: y\n# B-NOT: z\n`,
      {
        "Ask for 'B' in line 1": `${FC} --check-prefixes=CHECK,B %s\n# CHECK: x\n# B-NEXT: y\n# B-NOT: z\n`,
        "Remove the 2 lines of 'B'": `${FC} %s\n# CHECK: x\n`,
      },
    ],
    [
      `${FC} --check-prefix=A %s\n# A: x\n# B-NEXT: y`,
      {
        "Ask for 'B' in line 1": `${FC} --check-prefixes=A,B %s\n# A: x\n# B-NEXT: y`,
        "Remove the line of 'B'": `${FC} --check-prefix=A %s\n# A: x\n`,
      },
    ],
    [
      `${FC} --check-prefixes A,C %s\n# A: x\n# C: z\n# B-NEXT: y`,
      {
        "Ask for 'B' in line 1": `${FC} --check-prefixes A,C,B %s\n# A: x\n# C: z\n# B-NEXT: y`,
        "Remove the line of 'B'": `${FC} --check-prefixes A,C %s\n# A: x\n# C: z\n`,
      },
    ],
    [`${FC} %s\n# CHECK: [[X]]`, { 'Set X here, to any register': `${FC} %s\n# CHECK: [[X:%[0-9]+]]` }],
    [`${FC} %s\n# CHECK: [[#X]]`, {}],
  ];
  for (const [text, wanted] of FIXES)
    it(`fixes of ${JSON.stringify(text.replace(FC, '...'))}`, () => {
      const made = (runLineFindings(openText(text).snapshot)[0]?.fixes?.() ?? []).map(({ title, edits }) => [
        title,
        [...edits].reverse().reduce((t, e) => t.slice(0, e.start) + e.text + t.slice(e.end), text),
      ]);
      assert.deepEqual(Object.fromEntries(made), wanted);
    });
});
