/** The targets of a file's RUN lines, what is said of findings that some of them have, and of edits that hold for some. */
import assert from 'node:assert/strict';
import {
  findingsAcross,
  holdsText,
  onTargets,
  told,
  type OnTarget,
} from '../../../../server/src/features/fixes/finding.js';
import type { Settings } from '../../../../server/src/program/settings.js';
import { atCursor } from '../../../support/cursor.js';

const run = (options: string, before = ''): string => `# RUN: ${before}llc ${options} -run-pass=none -o - %s\n`;
const HSA = '-mtriple=amdgcn-amd-amdhsa';
const BODY = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const targetsOf = (runs: readonly string[], settings: Partial<Settings> = {}, body = BODY): OnTarget[] =>
  onTargets(atCursor(`$0${runs.join('')}${body}`, settings).snapshot);
const labels = (runs: readonly string[], settings?: Partial<Settings>): string =>
  targetsOf(runs, settings)
    .map((t) => t.label)
    .join(', ');
const cpu = (name: string, more = ''): string => run(`${HSA} -mcpu=${name}${more}`);

describe('the targets of a file', () => {
  const CASES: readonly (readonly [
    what: string,
    runs: readonly string[],
    labels: string,
    settings?: Partial<Settings>,
  ])[] = [
    ['one', [cpu('gfx900')], 'gfx900'],
    ['several', [cpu('gfx900'), cpu('gfx90a'), cpu('gfx1030')], 'gfx900, gfx90a, gfx1030'],
    ['each once', [cpu('gfx900'), cpu('gfx90a'), cpu('gfx900'), cpu('gfx90a')], 'gfx900, gfx90a'],
    [
      'those that differ in features',
      [cpu('gfx1030'), cpu('gfx1030', ' -mattr=+wavefrontsize64')],
      'gfx1030, gfx1030 +wavefrontsize64',
    ],
    [
      'with their triples where the processor is the same',
      [cpu('gfx900'), run('-mtriple=amdgcn-amd-amdpal -mcpu=gfx900'), cpu('gfx90a')],
      'amdgcn-amd-amdhsa gfx900, amdgcn-amd-amdpal gfx900, gfx90a',
    ],
    ['not those that llc is to fail with', [cpu('gfx900'), run(`${HSA} -mcpu=gfx90a`, 'not ')], 'gfx900'],
    ['the active one alone', [cpu('gfx900'), cpu('gfx90a')], 'gfx900', { allTargets: false }],
    ['none', [], 'generic'],
    [
      'sixteen and no more',
      Array.from({ length: 20 }, (_, k) => cpu('gfx900', ` -mattr=+f${k}`)),
      Array.from({ length: 16 }, (_, k) => `gfx900 +f${k}`).join(', '),
    ],
  ];
  for (const [what, runs, wanted, settings] of CASES)
    it(what, () => assert.equal(labels(runs, { allTargets: true, ...settings }), wanted));

  it('the active one is the snapshot itself', () => {
    const { snapshot } = atCursor(`$0${cpu('gfx900')}${cpu('gfx90a')}${BODY}`, { allTargets: true });
    const [first, second] = onTargets(snapshot);
    assert.equal(first!.snapshot, snapshot);
    assert.equal(second!.snapshot.subtarget.cpu, 'gfx90a');
  });
});

describe('findings and edits of some targets', () => {
  const names = (n: number): OnTarget[] => Array.from({ length: n }, (_, k) => ({ label: `t${k}` }) as OnTarget);
  const said = (n: number, of: number): string =>
    told({ diagnostic: { message: 'm' } as never, on: names(n), nTargets: of }).message;
  const WORDS: readonly (readonly [n: number, of: number, message: string, holds: string])[] = [
    [1, 1, 'm', ''],
    [2, 2, 'm', ' (all 2 targets)'],
    [1, 2, 'only on t0: m', ' (only for t0)'],
    [3, 5, 'only on t0, t1, t2: m', ' (only for t0, t1, t2)'],
    [4, 5, 'only on t0, t1, t2, t3: m', ' (only for t0, t1, t2, t3)'],
    [5, 6, 'only on t0, t1, t2, t3 and 1 more: m', ' (only for t0, t1, t2, t3 and 1 more)'],
    [7, 9, 'only on t0, t1, t2, t3 and 3 more: m', ' (only for t0, t1, t2, t3 and 3 more)'],
    [9, 9, 'm', ' (all 9 targets)'],
  ];
  for (const [n, of, message, holds] of WORDS)
    it(`${n} of ${of}`, () => assert.deepEqual([said(n, of), holdsText(names(n), of)], [message, holds]));

  it('are one where the targets share them, those of the active target first', () => {
    const body =
      '---\nname: f\nbody: |\n  bb.0:\n    %0:sgpr_32 = IMPLICIT_DEF\n    %1:sgpr_32 = IMPLICIT_DEF\n    %2:vgpr_32 = V_ADD_F32_e64 0, %0, 0, %1, 0, 0, implicit $mode, implicit $exec\n    S_NOP %2\n    S_ENDPGM 0\n...\n';
    const targets = targetsOf([cpu('gfx1030'), cpu('gfx900'), cpu('gfx90a')], { allTargets: true }, body);
    assert.deepEqual(
      findingsAcross(targets, 0).map(
        (f) => `${f.diagnostic.message.split('\n')[0]}: ${f.on.map((t) => t.label).join(' ')} of ${f.nTargets}`,
      ),
      [
        'Expected immediate, but got non-immediate: gfx1030 gfx900 gfx90a of 3',
        'Expected a non-register operand.: gfx1030 gfx900 gfx90a of 3',
        'VOP* instruction violates constant bus restriction: gfx900 gfx90a of 3',
      ],
    );
    assert.deepEqual(findingsAcross(targets, 7), []);
  });
});
