/** Hovers on RUN and CHECK lines: what would run, what is asked for, and what the last run came to. */
import assert from 'node:assert/strict';
import { provideHover } from '../../../../server/src/features/hover/hover.js';
import type { RunVerdict, TestVerdict } from '../../../../server/src/features/snapshot/verdict.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';
import { DEFAULT_SETTINGS, type Settings } from '../../../../server/src/program/settings.js';
import { URI } from '../../../support/cursor.js';
import { hoverText } from '../../../support/hoverTexts.js';

const BODY = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';

/** The lines of the hover at a 0-based line; nothing where there is none. */
function said(
  text: string,
  line: number,
  verdict: TestVerdict | null = null,
  settings: Partial<Settings> = {},
): string[] {
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...DEFAULT_SETTINGS, ...settings });
  host.open(URI, 1, text);
  if (verdict !== null) host.setVerdict(URI, 1, verdict);
  const snapshot = host.snapshot(URI)!;
  const hover = provideHover(snapshot, { position: { line, character: 3 } });
  if (hover === null) return [];
  assert.equal(hover.range!.start.character, 0);
  return hoverText(hover.contents as never).split('\n');
}

const ACTIVE = '*all numbers of this file are for this target*';
const WHOLE = 'runs the whole code generator';

/** Words of llc's, and the lines of the hover after its first. */
const RUNS: readonly (readonly [words: string, ...lines: string[]])[] = [
  ['-mcpu=gfx900', WHOLE],
  ['-mcpu=gfx900 -run-pass=machine-scheduler', "runs only 'machine-scheduler'"],
  ['-mcpu=gfx900 --run-pass=none', "runs only 'none'"],
  ['-mcpu=gfx900 -passes=a,b', "runs the pipeline 'a,b'"],
  ['-mcpu=gfx900 -start-before=a -stop-after=b', "starts before 'a', stops after 'b'"],
  ['-mcpu=gfx900 -start-after=a -stop-before=b', "starts after 'a', stops before 'b'"],
  ['-mcpu=gfx900 -misched=gcn-max-ilp -O3', WHOLE, "options: '-misched=gcn-max-ilp', '-O3'"],
  ['-mcpu=gfx900 -march=amdgcn -mattr=+xnack -o - - x.mir', WHOLE],
  ['-mcpu=gfx900 --mtriple=amdgcn -opaque', WHOLE, "options: '-opaque'"],
];

describe('hover on a RUN line', () => {
  for (const [words, ...lines] of RUNS)
    it(words, () => {
      const features = words.includes('+xnack') ? ", '+xnack'" : '';
      assert.deepEqual(said(`# RUN: llc -mtriple=amdgcn ${words} %s\n${BODY}`, 0), [
        `llc for **gfx900 wave64** ('amdgcn')${features}`,
        ...lines,
        ACTIVE,
      ]);
    });

  it('of another target, over several lines, with the triple of the file', () => {
    const text = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n# RUN: llc -mcpu=gfx1030 \\\n# RUN:   -mattr=+wavefrontsize64 %s\n# x\n${BODY}`;
    const other = [
      "llc for **gfx1030 wave64** ('amdgcn'), '+wavefrontsize64'",
      WHOLE,
      "*not the chosen target; its name in the list is 'gfx1030 +wavefrontsize64'*",
    ];
    assert.deepEqual(said(text, 1), other);
    assert.deepEqual(said(text, 2), other);
    assert.equal(said(text, 0).at(-1), ACTIVE);
    assert.deepEqual(said(text, 3), []);
  });
});

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s | FileCheck';
const FROM = "checks the output of 'gfx900' in line 1";

describe('hover on a CHECK line', () => {
  const MEANINGS: readonly (readonly [suffix: string, meaning: string])[] = [
    ['', 'somewhere after the last match, this text'],
    ['-NEXT', 'on the line after the last match, this text'],
    ['-SAME', 'on the line of the last match, this text'],
    ['-NOT', 'up to the next match, this text must not come'],
    ['-DAG', 'in any order among its neighbours, this text'],
    ['-LABEL', 'begins a section that the lines around it cannot leave; this text'],
    ['-EMPTY', 'on the line after the last match, nothing'],
    ['-COUNT-12', '12 times, this text'],
  ];
  for (const [suffix, meaning] of MEANINGS)
    it(`CHECK${suffix}`, () => {
      for (const lead of ['# ', '  ; ', '//', ';;# '])
        for (const literal of ['', '{LITERAL}'])
          assert.deepEqual(said(`${RUN} %s\n${lead}CHECK${suffix}${literal}: x\n${BODY}`, 1), [
            `**CHECK${suffix}**: ${meaning}`,
            FROM,
          ]);
    });

  it('prefixes by their commands', () => {
    const of = (options: string, line: string): string[] => said(`${RUN} ${options} %s\n${line}\n${BODY}`, 1);
    for (const options of ['-check-prefix=A', '--check-prefix A', '-check-prefixes=B,A', '--check-prefixes=A,B-C'])
      assert.deepEqual(
        of(options, '# A-NEXT: x'),
        ['**A-NEXT**: on the line after the last match, this text', FROM],
        options,
      );
    assert.equal(of('--check-prefixes=A,B-C', '# B-C: x')[0], '**B-C**: somewhere after the last match, this text');
    for (const line of ['# CHECK: x', '# AA: x', '# A x', 'A: x', 'x # A: x'])
      assert.deepEqual(of('-check-prefix=A', line), [], line);
    assert.deepEqual(said(`# RUN: llc -mtriple=amdgcn %s\n# CHECK: x\n${BODY}`, 1), [], 'nobody checks');
    assert.deepEqual(
      said(`${RUN} %s\n${RUN} -check-prefix=CHECK %s\n${RUN} -check-prefix=B %s\n# CHECK: x\n${BODY}`, 3)[1],
      "checks the output of 'gfx900' in line 1, 'gfx900' in line 2",
    );
  });
});

describe('hover on a CHECK line that was run', () => {
  const TEXT = `${RUN} %s\n# CHECK: x\n${BODY}`;
  const OUTPUT = 'first\n   second line  \n\n';
  const run = (
    state: 'matched' | 'failed' | 'not reached',
    at: number,
    variables: string[] = [],
    line = 0,
  ): RunVerdict => ({
    ...{ line, verdict: 'passed', detail: '', findings: [], output: OUTPUT },
    checks: [{ line: 1, state, at, variables }],
  });
  const of = (runs: readonly RunVerdict[], settings: Partial<Settings> = {}): string[] =>
    said(TEXT, 1, { runs, problem: '', isExpectedToFail: false, outdated: [] }, settings).slice(2);

  it('what it came to', () => {
    assert.deepEqual(of([run('matched', 1)]), ["✓ matches line 2 of the output: 'second line'"]);
    assert.deepEqual(of([run('matched', 0, ['A = %5', 'B = 7'])]), [
      "✓ matches line 1 of the output, 'A = %5', 'B = 7': 'first'",
    ]);
    assert.deepEqual(of([run('matched', 2)]), ['✓ matches line 3 of the output']);
    assert.deepEqual(of([run('matched', -1)]), ['✓ nowhere in its part of the output']);
    assert.deepEqual(of([run('failed', -1)]), ['✗ fails']);
    assert.deepEqual(of([run('failed', -1, ['A = 1'])]), ["✗ fails, 'A = 1'"]);
    assert.deepEqual(of([run('not reached', -1)]), ['– not reached']);
    assert.deepEqual(of([]), []);
  });

  it('four variables, three RUN lines', () => {
    assert.deepEqual(of([run('failed', -1, ['a', 'b', 'c', 'd', 'e'])]), ["✗ fails, 'a', 'b', 'c', 'd'"]);
    assert.deepEqual(of([run('failed', -1), run('matched', -1), run('matched', 1), run('failed', -1)]), [
      '✗ fails (RUN line 1)',
      '✓ nowhere in its part of the output (RUN line 1)',
      "✓ matches line 2 of the output: 'second line' (RUN line 1)",
    ]);
  });

  it('leads to the output where the client can', () =>
    assert.deepEqual(of([run('matched', 1)], { commandLinks: true }), [
      `✓ matches [line 2 of the output](showRunOutput ["${URI}",0,1]): 'second line'`,
    ]));
});
