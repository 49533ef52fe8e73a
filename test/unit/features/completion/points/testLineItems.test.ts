/** What each circumstance counts in RUN and CHECK lines: programs, options and values that tests write most come first. */
import { checkPrefixes } from '../../../../../server/src/program/testFile/checkPrefixes.js';
import { TestFile } from '../../../../../server/src/program/testFile/testFile.js';
import assert from 'node:assert/strict';
import type { Candidate } from '../../../../../server/src/features/completion/candidate.js';
import { testLineItems } from '../../../../../server/src/features/completion/testLineItems.js';
import { atBar } from '../../../../support/cursor.js';

interface At {
  readonly word: string;
  readonly items: readonly Candidate[];
}

function at(marked: string): At | null {
  const { snapshot, position } = atBar(marked);
  const { text } = snapshot;
  const cursor = text.offsetAt(position);
  const found = testLineItems(snapshot, text.lineStart(text.lineAt(cursor)), cursor);
  return (
    found && { word: text.slice(found.wordStart, cursor), items: [...found.items].sort((a, b) => b.score - a.score) }
  );
}

/** The word that is written over, the best items with their points, and how many there are beside them. */
function shown(marked: string, n: number): string {
  const found = at(marked);
  if (found === null) return 'nothing';
  const { word, items } = found;
  const rest = items.length - n;
  return `'${word}' ${items
    .slice(0, n)
    .map((c) => `${c.label} ${c.score}`)
    .join(', ')}${rest > 0 ? ' ...' : ''}`;
}

const PROGRAMS = 'llc 3, FileCheck 2, not 1, opt 0';
const OPTIONS =
  '-mtriple= 100, -mcpu= 99, -mattr= 98, -run-pass= 97, -o 96, -verify-machineinstrs 95, -start-before= 94 ...';
const TRIPLES = 'amdgcn-amd-amdhsa 0, amdgcn -1, amdgcn-amd-amdpal -2, amdgcn-mesa-mesa3d -3, amdgcn-- -4';
const PASSES =
  'machine-scheduler 9, amdgpu-print-rp 8, greedy 7, si-fold-operands 6, instruction-select 5, legalizer 4';
const CHECK =
  'CHECK: 0, CHECK-NEXT: -1, CHECK-LABEL: -2, CHECK-NOT: -3, CHECK-SAME: -4, CHECK-DAG: -5, CHECK-EMPTY: -6, CHECK-COUNT-1: -7, RUN: -40';
const FC = '# RUN: llc %s | FileCheck %s\n';

describe('what is proposed in lines of tests', () => {
  const CASES: readonly (readonly [text: string, n: number, shown: string])[] = [
    // Programs, also behind those that run others.
    ['# RUN: ¦', 9, `'' ${PROGRAMS}`],
    ['# RUN: l¦', 9, `'l' ${PROGRAMS}`],
    ['# RUN: not ¦', 9, `'' ${PROGRAMS}`],
    ['# RUN: not --crash l¦', 9, `'l' ${PROGRAMS}`],
    ['# RUN: env X=1 not ¦', 9, `'' ${PROGRAMS}`],
    ['# RUN: time ¦', 9, `'' ${PROGRAMS}`],
    ['# RUN: llc %s | ¦', 9, `'' ${PROGRAMS}`],
    ['# RUN: llc %s && ¦', 9, `'' ${PROGRAMS}`],
    ['# RUN: llc %s || ¦', 9, `'' ${PROGRAMS}`],
    ['# RUN: llc %s ; ¦', 9, `'' ${PROGRAMS}`],
    // Options of llc, with the dashes that are typed.
    ['# RUN: llc ¦', 7, `'' ${OPTIONS}`],
    ['# RUN: not llc ¦', 7, `'' ${OPTIONS}`],
    ['# RUN: cat %s | llc ¦', 7, `'' ${OPTIONS}`],
    ['; RUN: llc ¦', 7, `'' ${OPTIONS}`],
    ['// RUN: llc ¦', 7, `'' ${OPTIONS}`],
    ['# RUN: llc -m¦', 7, `'-m' ${OPTIONS}`],
    ['# RUN: llc --¦', 2, "'--' --mtriple= 100, --mcpu= 99 ..."],
    // What was given is not given again.
    [
      '# RUN: llc -mtriple=amdgcn -mattr=+x ¦',
      3, // One that may be given again is.
      "'' -mcpu= 99, -mattr= 98, -run-pass= 97 ...",
    ],
    ['# RUN: llc --mtriple amdgcn -run-pass=none ¦', 3, "'' -mcpu= 99, -mattr= 98, -o 96 ..."],
    ['# RUN: llc -mtriple=amdgcn \\\n# RUN: -o - ¦', 2, "'' -mcpu= 99, -mattr= 98 ..."],
    ['# RUN: llc -mtriple=amdgcn \\\n# RUN: -o - \\\n# RUN: -mcpu=x ¦', 2, "'' -mattr= 98, -run-pass= 97 ..."],
    // Their values, behind the sign or a blank.
    ['# RUN: llc -mtriple=¦', 9, `'' ${TRIPLES}`],
    ['# RUN: llc -march=am¦', 9, `'am' ${TRIPLES}`],
    ['# RUN: llc -mtriple am¦', 9, `'am' ${TRIPLES}`],
    ['# RUN: llc --mtriple=¦', 9, `'' ${TRIPLES}`],
    [
      '# RUN: llc -mtriple=r600-- %s\n# RUN: llc -mtriple=¦',
      9,
      "'' r600-- 0, amdgcn-amd-amdhsa -1, amdgcn -2, amdgcn-amd-amdpal -3, amdgcn-mesa-mesa3d -4, amdgcn-- -5",
    ],
    ['# RUN: llc -mcpu=gfx906 %s\n# RUN: llc -mcpu=¦', 1, "'' gfx906 2 ..."],
    ['# RUN: llc -mcpu=gfx906 %s\n# RUN: llc -mcpu=gf¦', 1, "'gf' gfx906 2 ..."],
    ['# RUN: llc -run-pass=¦', 7, `'' none 10, ${PASSES} ...`],
    ['# RUN: llc -run-pass=none,gr¦', 7, `'gr' none 10, ${PASSES} ...`],
    ['# RUN: llc -stop-after=¦', 6, `'' ${PASSES} ...`],
    ['# RUN: llc -stop-before=x,¦', 6, `'x,' ${PASSES} ...`],
    ['# RUN: llc -start-after=¦', 6, `'' ${PASSES} ...`],
    ['# RUN: llc -start-before ¦', 6, `'' ${PASSES} ...`],
    ['# RUN: llc -verify-machineinstrs=¦', 9, "'' true 0, false -1"],
    ['# RUN: llc -filetype=o¦', 9, "'o' asm 0, obj -1, null -2"],
    ['# RUN: llc -nothing=¦', 9, "'' "],
    ['# RUN: llc -nothing ¦', 2, "'' -mtriple= 100, -mcpu= 99 ..."],
    ['# RUN: llc -verify-machineinstrs ¦', 2, "'' -mtriple= 100, -mcpu= 99 ..."],
    // FileCheck and others.
    [
      `${FC}# RUN: llc %s | FileCheck ¦`,
      4,
      "'' %s 5, -check-prefix= 0, -check-prefixes= -1, -implicit-check-not= -2 ...",
    ],
    ['# RUN: FileCheck -check-prefix=¦', 9, "'' CHECK 0"],
    ['# RUN: FileCheck -check-prefixes=A,C¦', 9, "'C' A 0, C 0, CHECK 0"],
    ['# RUN: FileCheck --check-prefix=¦\n# ABC: x\n# ABC-NEXT: y\n', 9, "'' ABC 11, CHECK 0"],
    [
      '# RUN: FileCheck --check-prefix=¦\n# RUN: FileCheck -check-prefix=ABC\n# ABC: x\n; ABC-DAG: y\n// D-E: z',
      9,
      "'' D-E 10, ABC 6, CHECK 0",
    ],
    ['# RUN: opt ¦', 9, "'' %s 5"],
    // Directives: what goes on with the line above comes first.
    ['# ¦', 9, "'' RUN: 40"],
    ['# R¦', 9, "'R' RUN: 40"],
    ['# x ¦', 9, 'nothing'],
    ['x ¦', 9, 'nothing'],
    ['¦', 9, 'nothing'],
    [`${FC}# ¦`, 9, `'' ${CHECK}`],
    [`${FC}; C¦`, 9, `'C' ${CHECK}`],
    [
      `${FC}# CHECK: a\n# ¦`,
      9,
      "'' CHECK-NEXT: 149, CHECK: 100, CHECK-LABEL: 98, CHECK-NOT: 97, CHECK-SAME: 96, CHECK-DAG: 95, CHECK-EMPTY: 94, CHECK-COUNT-1: 93, RUN: -40",
    ],
    [`${FC}# CHECK-DAG: a\n# ¦`, 3, "'' CHECK-DAG: 145, CHECK: 100, CHECK-NEXT: 99 ..."],
    [`${FC}# CHECK-LABEL: a\n# ¦`, 2, "'' CHECK-NEXT: 149, CHECK: 100 ..."],
    [`${FC}# OTHER: a\n# ¦`, 2, "'' CHECK: 0, CHECK-NEXT: -1 ..."],
    ['# RUN: FileCheck -check-prefixes=A,B\n# B: x\n# ¦', 2, "'' B-NEXT: 139, B: 90 ..."],
    ['# RUN: llc \\\n# ¦', 9, "'' RUN: 100"],
    ['# RUN: llc\n# ¦', 9, "'' RUN: 40"],
    // Variables.
    ['# CHECK: [[X:a]] [[#N:]] [[Y:b]] [[X:c]] [[$G:]]\n# CHECK: [[¦', 9, "'' X 2, Y 1, $G 1"],
    ['# CHECK: [[X:a]]\n# CHECK: [[X¦', 9, "'X' X 1"],
    ['# CHECK: [[X:a]] [[#N:]] [[#%u,M:]] [[#%u, M:]]\n# CHECK: [[#¦', 9, "'' M 2, N 1, @LINE 0"],
    ['# CHECK: [[#@¦', 9, "'@' @LINE 0"],
  ];
  for (const [text, n, wanted] of CASES) it(JSON.stringify(text), () => assert.equal(shown(text, n), wanted));

  it('RUN: in the first sixty lines only', () => {
    assert.equal(shown(`${'\n'.repeat(59)}# ¦`, 1), "'' RUN: 40");
    assert.equal(shown(`${'\n'.repeat(60)}# ¦`, 1), "'' ");
  });

  const options = at('# RUN: llc ¦')!.items;
  it('every option that is written most is one of llc', () => {
    const usual = options.filter((c) => c.score > 20).map((c) => c.score);
    assert.deepEqual(
      usual,
      Array.from({ length: 17 }, (_, k) => 100 - k),
    );
  });
  const OWN: readonly (readonly [label: string, score: number, detail: string])[] = [
    ['-mtriple=', 100, ''],
    ['-o', 96, ''],
    ['-filetype=', 89, 'asm, obj, null'],
    ['-verify-machineinstrs', 95, 'true or false'],
    ['-simplify-mir', 86, 'true or false'],
    ['-misched=', 85, 'default, converge, ilpmax'],
    ['-amdgpu-waitcnt-forcezero', 20, 'true or false'],
    ['-misched-limit=', 20, 'a number'],
    ['-unroll-count=', 0, 'a number'],
    ['-inline-threshold=', 0, 'a number'],
    ['-amdgpu-schedule-relaxed-occupancy', 20, 'true or false'],
    ['-aarch64-enable-ccmp', -20, 'true or false'],
    ['-hexagon-long-calls', -20, 'true or false'],
    ['-x86-asm-syntax=', -20, 'att, intel'],
    ['-stats', 0, 'true or false'],
    ['-global-isel', 84, 'true or false'],
  ];
  for (const [label, score, detail] of OWN)
    it(`${label} ${score} ${detail}`, () => {
      const found = options.find((c) => c.label === label);
      if (found === undefined) throw new Error(`no ${label}`);
      assert.deepEqual([found.score, (found.detail ?? '').trim().split(', ').slice(0, 3).join(', ')], [score, detail]);
      assert.equal(found.goesOn, label.endsWith('='));
    });

  it('values say what they are', () => {
    const features = at('# RUN: llc -mattr=¦')!.items;
    assert.ok(features.every((c) => /^\+[\w-]/.test(c.label)));
    assert.ok(at('# RUN: llc -mattr=+a,-¦')!.items.every((c) => c.label.startsWith('-')));
    assert.equal(at('# RUN: llc -mattr=+a,-w¦')!.word, '-w');
    const { about } = at('# RUN: llc -mcpu=¦')!.items.find((c) => c.label === 'gfx900')!;
    assert.deepEqual(about, { what: 'processor', name: 'gfx900' });
    assert.deepEqual(
      at('# RUN: llc -passes=x,(pri¦')!
        .items.map((c) => c.label)
        .sort(),
      [
        'amdgpu-nsa-reassign',
        'amdgpu-pre-ra-long-branch-reg',
        'amdgpu-pre-ra-optimizations',
        'amdgpu-reserve-wwm-regs',
        'amdgpu-rewrite-agpr-copy-mfma',
        'dead-mi-elimination',
        'greedy',
        'machine-scheduler',
        'print<machine-uniformity>',
        'si-fix-sgpr-copies',
        'si-form-memory-clauses',
        'si-lower-sgpr-spills',
        'si-lower-wwm-copies',
        'si-optimize-exec-masking-pre-ra',
        'si-pre-allocate-wwm-regs',
        'si-wqm',
        'stack-slot-coloring',
        'unreachable-mbb-elimination',
        'virt-reg-rewriter',
      ],
    );
    assert.equal(at('# RUN: llc -passes=x,(pri¦')!.word, 'pri');
    assert.equal(
      at('# RUN: FileCheck -check-prefix=¦\n# A: x\n# A: y')!.items.find((c) => c.label === 'A')?.detail,
      ' 2 lines',
    );
  });

  it('directives are written with a blank behind them, empty ones without', () => {
    const written = at(`${FC}# ¦`)!.items.map((c) => c.insert);
    assert.deepEqual(written.slice(0, 8), [
      'CHECK: ',
      'CHECK-NEXT: ',
      'CHECK-LABEL: ',
      'CHECK-NOT: ',
      'CHECK-SAME: ',
      'CHECK-DAG: ',
      'CHECK-EMPTY:',
      'CHECK-COUNT-1: ',
    ]);
    assert.equal(at(`${FC}# ¦`)!.items[7]!.snippet, 'CHECK-COUNT-${1:2}: $0');
  });
});

describe('prefixes of FileCheck', () => {
  const PREFIXES: readonly (readonly [runs: string, prefixes: string])[] = [
    ['', ''],
    ['# RUN: llc %s', ''],
    ['# RUN: FileCheck %s', 'CHECK'],
    ['# RUN: FileCheck -check-prefix=A %s', 'A'],
    ['# RUN: FileCheck --check-prefix=A %s', 'A'],
    ['# RUN: FileCheck -check-prefix A %s', 'A'],
    ['# RUN: FileCheck -check-prefix', 'CHECK'],
    ['# RUN: FileCheck -check-prefix=', 'CHECK'],
    ['# RUN: FileCheck -check-prefixes=A,B %s', 'A B'],
    ['# RUN: FileCheck -check-prefixes=A,,B, %s', 'A B'],
    ['# RUN: FileCheck -check-prefixes=A,B -check-prefix=C %s', 'A B C'],
    ['# RUN: FileCheck -check-prefix=A %s\n# RUN: FileCheck %s', 'A CHECK'],
    ['# RUN: FileCheck -check-prefix=A %s\n# RUN: FileCheck %s -check-prefixes=A,B', 'A B'],
    ['# RUN: FileCheck -check-prefixx=A %s', 'CHECK'],
    ['# RUN: llc %s | FileCheck -D x=1 --check-prefix=A %s', 'A'],
    ['# RUN: opt -check-prefix=A %s', ''],
  ];
  for (const [runs, prefixes] of PREFIXES)
    it(runs, () => assert.equal(checkPrefixes(new TestFile(`${runs}\n---\nname: f\n...\n`)).join(' '), prefixes));
});
