/** FileCheck's prefixes and variables renamed: every place of a name, or the reason why not. */
import assert from 'node:assert/strict';
import { renamedAt } from '../../../support/editing.js';

const END = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';

/** `|` is the cursor: `$0` in the text; `*` stands before each place that is renamed. */
type Case = readonly [text: string, name: string, to: string, refused?: RegExp];

const RUN = '# RUN: llc -mtriple=amdgcn %s | FileCheck';

const PREFIXES: readonly Case[] = [
  [
    `${RUN} -check-prefix=*GC$0N %s\n# *GCN: f\n; *GCN-NEXT: g\n//*GCN-LABEL: h\n# GCN2: i\n# RUN: true GCN\n`,
    'GCN',
    'AMD',
  ],
  [`${RUN} -check-prefix=*GCN %s\n# *G$0CN: GCN\n# *GCN-COUNT-2: x\n# *GCN{LITERAL}: y\n`, 'GCN', 'AMD'],
  [`${RUN} --check-prefixes=A,*B$0B,C %s\n# A: x\n# *BB-DAG: x\n# C: x\n`, 'BB', 'AMD'],
  [`${RUN} --check-prefix *G %s\n# *$0G: x\n`, 'G', 'AMD-9'],
  [`${RUN} -check-prefixes *G,H %s\n${RUN} -check-prefix=*G %s\n# *G$0-NOT: x\n# H: x\n`, 'G', 'AMD_9'],
  [`${RUN} -check-prefix=A %s\n# A$0: x\n`, 'A', '9A', /^'9A' is no prefix: letters, digits, '_' and '-'$/],
  [`${RUN} -check-prefix=A %s\n# A$0: x\n`, 'A', 'a b', /^'a b' is no prefix/],
  [`${RUN} -check-prefix=A %s\n# A$0: x\n`, 'A', 'RUN', /^'RUN' means something of its own to FileCheck$/],
  [`${RUN} -check-prefix=A %s\n# A$0: x\n`, 'A', 'COM', /^'COM' means something of its own/],
  [`${RUN} -check-prefix=A %s\n# A$0: x\n`, 'A', 'B-NEXT', /^'B-NEXT' means something of its own/],
  [`${RUN} -check-prefix=A %s\n# A$0: x\n`, 'A', 'B-COUNT-12', /^'B-COUNT-12' means something of its own/],
  [`${RUN} -check-prefix=*A %s\n# *A$0: x\n`, 'A', 'RUNS'],
  [`${RUN} -check-prefix=*A %s\n# *A$0: x\n`, 'A', 'B-NEXT-C'],
  [
    `${RUN} -check-prefix=A %s\n# A$0: x\n# B: x\n`,
    'A',
    'B',
    /^the file has lines or commands with the prefix B already$/,
  ],
  [
    `${RUN} -check-prefix=A %s\n# A$0: x\n  //  B-COUNT-3: x\n`,
    'A',
    'B',
    /^the file has lines or commands with the prefix B already$/,
  ],
  [`${RUN} -check-prefixes=A,B %s\n# A$0: x\n`, 'A', 'B', /^the file has lines or commands with the prefix B already$/],
  [`${RUN} -check-prefix=*A %s\n# *A$0: x\n# BB: x\n# x B: y\nB: z\n`, 'A', 'B'],
  [`${RUN} -check-prefix=A %s\n# A: x\n# Z$0: x\n`, 'Z', 'Y', /^$/],
  [`${RUN} -check-prefix=A %s\n# A: x$0\n`, 'x', 'Y', /^$/],
];

const VARIABLES: readonly Case[] = [
  [`${RUN} %s\n# CHECK: [[*X$0:%[0-9]+]] = [[*X]], [[Y:.*]] X\n# CHECK-NEXT: [[*X]] [[XX:a]] [[#*X+1]]\n`, 'X', 'REG'],
  [`${RUN} %s -DY=1 "-D*X=2" -D#*X=3\n# CHECK: [[*$0X]] [[X Y]]\n`, 'X', 'REG'],
  [`${RUN} %s -D*X$0=1\n# CHECK: [[*X]] [[#%x,*X: 0x1F + *X - Z]] [[# *X*2]] [[#@LINE+*X]] [[#X(1)]]\n`, 'X', 'N'],
  [`${RUN} %s\n# CHECK: [[#%.8X,*N$0:]] [[#*N+N2+0xN]]\n`, 'N', 'M'],
  [`${RUN} %s\n# CHECK: [[*$X$0:a]] [[X]] [[*$X]]\n`, '$X', '$Y'],
  [
    `${RUN} %s\n# CHECK: [[X$0:a]]\n`,
    'X',
    '$X',
    /^with '\$' a variable outlives labels, without it does not: the test would mean something else$/,
  ],
  [`${RUN} %s\n# CHECK: [[$X$0:a]]\n`, '$X', 'X', /^with '\$' a variable outlives labels/],
  [`${RUN} %s\n# CHECK: [[X$0:a]]\n`, 'X', 'a-b', /^'a-b' is no name of a variable: letters, digits and '_'$/],
  [`${RUN} %s\n# CHECK: [[X$0:a]]\n`, 'X', '1', /^'1' is no name of a variable/],
  [`${RUN} %s\n# CHECK: [[X$0:a]] [[Y:b]]\n`, 'X', 'Y', /^a variable Y exists already$/],
  [`${RUN} %s -DY=1\n# CHECK: [[X$0:a]]\n`, 'X', 'Y', /^a variable Y exists already$/],
  [`${RUN} %s\n# CHECK: [[*X$0:a]] YY\n# OTHER: [[Y:b]] [[X]]\n`, 'X', 'Y'],
  [`${RUN} %s\nCHECK: [[X$0:a]]\n`, 'X', 'Y', /^$/],
];

describe('names of a test renamed', () => {
  for (const [kind, cases] of Object.entries({ prefix: PREFIXES, variable: VARIABLES }))
    cases.forEach(([text, name, to, refused], k) =>
      it(`${kind} ${k}: ${name} to ${to}${refused ? ' not' : ''}`, () => {
        const result = renamedAt(text.replaceAll('*', (_, at: number) => (isMark(text, at) ? '' : '*')) + END, to);
        if (refused) assert.match(result, refused);
        else {
          const wanted = text
            .replace('$0', '')
            .replace(/\*(?=[$A-Za-z])([$\w]+)/g, (word, own: string) =>
              own.startsWith(name) ? to + own.slice(name.length) : word,
            );
          assert.equal(result, wanted + END);
        }
      }),
    );

  it('a name itself is no change', () => {
    const text = `${RUN} -check-prefix=A %s\n# A: [[X:a]]\n${END}`;
    assert.equal(renamedAt(text.replace('# A', '# A$0'), 'A'), text);
    assert.equal(renamedAt(text.replace('[[X', '[[X$0'), 'X'), text);
  });

  it('CHECK that no command names gets an option in each', () => {
    const named = `${RUN} -check-prefix=OTHER %s\n`;
    assert.equal(
      renamedAt(`${RUN} %s\n${RUN} -v %s\n${named}# CH$0ECK: x\n# CHECK-NEXT: y\n${END}`, 'GCN'),
      `${RUN} -check-prefix=GCN %s\n${RUN} -check-prefix=GCN -v %s\n${named}# GCN: x\n# GCN-NEXT: y\n${END}`,
    );
    assert.equal(
      renamedAt(`${RUN} -check-prefix=CHECK %s\n${named}# CH$0ECK: x\n${END}`, 'GCN'),
      `${RUN} -check-prefix=GCN %s\n${named}# GCN: x\n${END}`,
    );
    // Another prefix does not.
    assert.equal(
      renamedAt(`${RUN} %s\n${named}# OTH$0ER: x\n${END}`, 'GCN'),
      `${RUN} %s\n${RUN} -check-prefix=GCN %s\n# GCN: x\n${END}`,
    );
    assert.equal(
      renamedAt(`${RUN}\n# CH$0ECK: x\n${END}`, 'GCN'),
      'a FileCheck command without words cannot name a prefix',
    );
  });
});

/** A `*` that marks a place, rather than one of the text. */
const isMark = (text: string, at: number): boolean => /^\*[$A-Za-z]/.test(text.slice(at, at + 2));
