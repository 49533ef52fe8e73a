/** CHECK lines loosened and made CHECK-DAG, and what is offered to generate or update them. */
import assert from 'node:assert/strict';
import type { CodeAction, Diagnostic } from 'vscode-languageserver-types';
import { lineActions } from '../../../../server/src/features/checks/lineActions.js';
import { updateActions } from '../../../../server/src/features/checks/updateActions.js';
import type { TestVerdict } from '../../../../server/src/features/snapshot/verdict.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';
import type { Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { applied, actionsAt } from '../../../support/editing.js';
import { URI } from '../../../support/cursor.js';

const LLC = 'llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s';
const RUN = `# RUN: ${LLC} | FileCheck -check-prefixes=GCN,GFX9 %s\n`;
const BODY =
  '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n---\nname: g\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';

const LOOSE = 'Loosen this line: any register';

describe('a line loosened', () => {
  const CASES: readonly (readonly [line: string, loosened: string])[] = [
    ['# GCN: $vgpr3 = COPY $sgpr4_sgpr5', '# GCN: {{\\$vgpr[0-9a-z_]+}} = COPY {{\\$sgpr[0-9a-z_]+}}'],
    [
      '# GCN: $agpr3_agpr4 $vgpr1_lo16 $vgpr1_hi16',
      '# GCN: {{\\$agpr[0-9a-z_]+}} {{\\$vgpr[0-9a-z_]+}} {{\\$vgpr[0-9a-z_]+}}',
    ],
    ['# GCN: $exec $vcc $m0 $scc', ''],
    [
      '# GCN: %3:vgpr_32 = V_ADD_U32_e32 %3, %4',
      '# GCN: [[R3:%[0-9]+]]:vgpr_32 = V_ADD_U32_e32 [[R3]], [[R4:%[0-9]+]]',
    ],
    ['# GCN-NEXT: %10.sub0 %1', '# GCN-NEXT: %10.sub0 [[R1:%[0-9]+]]'],
    ['# GCN: %name %ir.x %stack.0 %bb.1', ''],
    ['# GCN: %1a %%2 a%3', ''],
    ['# GCN: {{%1}} [[X:%2]] %3', '# GCN: {{%1}} [[X:%2]] [[R3:%[0-9]+]]'],
    ['# GCN: [[R3:x]] %3', '# GCN: [[R3:x]] [[R3_:%[0-9]+]]'],
    ['# GCN: [[R3]] [[R3_:a]] %3', '# GCN: [[R3]] [[R3_:a]] [[R3__:%[0-9]+]]'],
    ['# GCN: S_ENDPGM 0', ''],
    ['# GCN{LITERAL}: %3', ''],
    ['# OTHER: %3', ''],
    ['; GCN: %3', '; GCN: [[R3:%[0-9]+]]'],
    ['// GFX9-NOT: %3', '// GFX9-NOT: [[R3:%[0-9]+]]'],
    ['# %3', ''],
  ];
  for (const [line, loosened] of CASES)
    it(line, () => {
      const marked = `${RUN}${line.slice(0, 3)}$0${line.slice(3)}\n${BODY}`;
      const made = actionsAt(marked, ['']).get(LOOSE);
      assert.equal(made, loosened === '' ? undefined : `${RUN}${loosened}\n${BODY}`);
    });
});

describe('a line made CHECK-DAG', () => {
  const CASES: readonly (readonly [line: string, made: string])[] = [
    ['# GCN: x', '# GCN-DAG: x'],
    ['# GCN-NEXT: x', '# GCN-DAG: x'],
    ['  ; GFX9:x', '  ; GFX9-DAG:x'],
    ['# GCN-DAG: x', ''],
    ['# GCN-NOT: x', ''],
    ['# GCN-LABEL: x', ''],
    ['# GCN-SAME: x', ''],
    ['# GCN-COUNT-2: x', ''],
    ['# OTHER: x', ''],
  ];
  for (const [line, made] of CASES)
    it(line, () => {
      const actions = actionsAt(`${RUN}${line.slice(0, 5)}$0${line.slice(5)}\n${BODY}`, ['']);
      const own = [...actions].filter(([title]) => title.startsWith('Make it '));
      assert.deepEqual(
        own,
        made === '' ? [] : [[`Make it ${/G[A-Z0-9]+/.exec(line)![0]}-DAG`, `${RUN}${made}\n${BODY}`]],
      );
    });
});

const run = (checks: TestVerdict['runs'][number]['checks'], verdict: 'passed' | 'unsupported' = 'passed') => ({
  line: 0,
  verdict,
  detail: '',
  findings: [],
  checks,
  output: null,
});
const verdict = (...runs: TestVerdict['runs']): TestVerdict => ({
  runs,
  problem: '',
  isExpectedToFail: false,
  outdated: [],
});

function snapshotOf(text: string, test: TestVerdict | null = null): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  if (test !== null) host.setVerdict(URI, 1, test);
  return host.snapshot(URI)!;
}

const onLine = (line: number, diagnostics: Diagnostic[] = []) =>
  [{ start: { line, character: 3 }, end: { line, character: 3 } }, { diagnostics }] as const;
const diagnostic = (line: number, code: string): Diagnostic => ({
  range: { start: { line, character: 2 }, end: { line, character: 9 } },
  message: '',
  code,
});

describe('constants as llc prints them', () => {
  const update = (line: string, meant: string): string | undefined => {
    const snapshot = snapshotOf(`${RUN}${line}\n${BODY}`);
    const message = `expected string not found in input\npossible intended match here (line 9): ${meant}`;
    const [first] = lineActions(snapshot, ...onLine(1, [{ ...diagnostic(1, 'check-failed'), message }]));
    if (!first?.title.startsWith('Update')) return undefined;
    return `${first.title} // ${applied(snapshot, first.edit!.changes![URI]!).split('\n')[1]!}`;
  };
  const MEANT = '%1:vgpr_32 = V_ADD_U32_e32 1, %0, implicit $exec';

  it('beside patterns, names and numbers of registers', () => {
    assert.equal(
      update('# GCN-NEXT: V_ADD_U32_e32 2,', MEANT),
      'Update this line: 1 for 2 // # GCN-NEXT: V_ADD_U32_e32 1,',
    );
    assert.equal(
      update('# GCN: [[A:%[0-9]+]]:vgpr_32 = V_ADD_U32_e32 -3, {{%[0-9]+}}, implicit $exec', MEANT),
      'Update this line: 1 for -3 // # GCN: [[A:%[0-9]+]]:vgpr_32 = V_ADD_U32_e32 1, {{%[0-9]+}}, implicit $exec',
    );
    assert.equal(
      update('# GCN: BUFFER %0, 16, 0, 5', '%2 = BUFFER %0, -8, 0, 4, implicit $exec'),
      'Update this line: -8 for 16, 4 for 5 // # GCN: BUFFER %0, -8, 0, 4',
    );
  });

  it('not where anything else differs, and not where nothing does', () => {
    assert.equal(update('# GCN: V_SUB_U32_e32 2,', MEANT), undefined);
    assert.equal(update('# GCN: V_ADD_U32_e32 1, %1', MEANT), undefined);
    assert.equal(update('# GCN: V_ADD_U32_e32 1,', MEANT), undefined);
    assert.equal(update('# GCN: V_ADD_U32_e32 {{[2-9]}}, %7', MEANT), undefined);
    assert.equal(update('# GCN: S_NOP', MEANT), undefined);
  });
});

describe('variables that lines above have set', () => {
  const LINES = '# GCN: %7\n# GFX9: %8\n# GCN: %8 %7 %6\n# GCN: %5\n';
  const matched = (line: number, ...variables: string[]) => ({ line, state: 'matched' as const, at: 0, variables });
  const test = verdict(run([matched(1, 'A = %7', 'B = $vgpr3', 'C = x'), matched(2, 'D = %8'), matched(4, 'E = %6')]));

  it('are read again: those of the same prefix before the line', () => {
    const snapshot = snapshotOf(RUN + LINES + BODY, test);
    const [loose] = lineActions(snapshot, ...onLine(3));
    assert.equal(loose!.title, LOOSE);
    assert.equal(
      applied(snapshot, loose!.edit!.changes![URI]!).split('\n')[3],
      '# GCN: [[R8:%[0-9]+]] [[A]] [[R6:%[0-9]+]]',
    );
  });

  it('none without a verdict', () => {
    const snapshot = snapshotOf(RUN + LINES + BODY);
    const [loose] = lineActions(snapshot, ...onLine(3));
    assert.equal(
      applied(snapshot, loose!.edit!.changes![URI]!).split('\n')[3],
      '# GCN: [[R8:%[0-9]+]] [[R7:%[0-9]+]] [[R6:%[0-9]+]]',
    );
  });

  it('a line that fails is repaired, others are rewritten', () => {
    const snapshot = snapshotOf(RUN + LINES + BODY);
    const kinds = (...diagnostics: Diagnostic[]): (string | undefined)[] =>
      lineActions(snapshot, ...onLine(3, diagnostics)).map(
        (a) => `${a.kind} ${a.diagnostics === undefined ? 0 : a.diagnostics.length || 'empty'}`,
      );
    assert.deepEqual(kinds(), ['refactor.rewrite 0', 'refactor.rewrite 0']);
    assert.deepEqual(kinds(diagnostic(3, 'check-failed'), diagnostic(2, 'check-failed'), diagnostic(3, 'other')), [
      'quickfix 1',
      'quickfix 1',
    ]);
    assert.deepEqual(kinds(diagnostic(2, 'check-failed'), diagnostic(3, 'other')), [
      'refactor.rewrite 0',
      'refactor.rewrite 0',
    ]);
    assert.deepEqual(lineActions(snapshot, ...onLine(0)), []);
    assert.deepEqual(lineActions(snapshot, ...onLine(6)), []);
  });
});

describe('CHECK lines for a function or the file', () => {
  const NOTE = '# NOTE: Assertions have been autogenerated by utils/update_mir_test_checks.py\n';
  const titles = (actions: readonly CodeAction[]): string[] =>
    actions.map((a) => `${a.kind} ${a.title}${a.diagnostics === undefined ? '' : ` ${a.diagnostics.length}`}`);
  const at = (
    text: string,
    word: string,
    diagnostics: Diagnostic[] = [],
    test: TestVerdict | null = null,
  ): string[] => {
    const line = text.slice(0, text.indexOf(word)).split('\n').length - 1;
    return titles(updateActions(snapshotOf(text, test), ...onLine(line, diagnostics)));
  };
  const PLAIN = `${NOTE}${RUN}${BODY}`;
  const CHECKED = PLAIN.replace(
    '    S_ENDPGM 0\n',
    '    ; GCN-LABEL: name: f\n    ; GCN: S_ENDPGM 0\n    S_ENDPGM 0\n',
  );
  const REWRITE = 'refactor.rewrite';

  it('are generated where there are none', () => {
    assert.deepEqual(at(PLAIN, '# NOTE'), [`${REWRITE} Generate CHECK lines for this file`]);
    assert.deepEqual(at(PLAIN, '# RUN'), [`${REWRITE} Generate CHECK lines for this file`]);
    assert.deepEqual(at(PLAIN, 'name: f'), [`${REWRITE} Generate CHECK lines for this function`]);
    assert.deepEqual(at(PLAIN, 'name: g'), [`${REWRITE} Generate CHECK lines for this function`]);
    for (const word of ['---\nname: f', 'body', 'bb.0', 'S_ENDPGM']) assert.deepEqual(at(PLAIN, word), [], word);
  });

  it('are updated where the script has made them, replaced where somebody else has', () => {
    assert.deepEqual(at(CHECKED, '# RUN'), [`${REWRITE} Update CHECK lines of this file`]);
    assert.deepEqual(at(CHECKED, 'name: f\nbody'), [`${REWRITE} Update CHECK lines of this function`]);
    assert.deepEqual(at(CHECKED, '; GCN: S_E'), [`${REWRITE} Update CHECK lines of this function`]);
    assert.deepEqual(at(CHECKED, 'name: g'), [`${REWRITE} Generate CHECK lines for this function`]);
    const own = CHECKED.replace(NOTE, '# a comment\n');
    assert.deepEqual(at(own, '# RUN'), [`${REWRITE} Replace the CHECK lines of this file by generated ones`]);
    assert.deepEqual(at(own, '; GCN: S_E'), [`${REWRITE} Replace the CHECK lines of this function by generated ones`]);
  });

  it('are repaired where they fail or are outdated', () => {
    const line = CHECKED.slice(0, CHECKED.indexOf('; GCN: S_E')).split('\n').length - 1;
    for (const code of ['check-failed', 'checks-outdated'])
      assert.deepEqual(
        at(CHECKED, '; GCN: S_E', [diagnostic(line, code), diagnostic(line - 1, code), diagnostic(line, 'x')]),
        ['quickfix Update CHECK lines of this function 1'],
      );
    assert.deepEqual(at(CHECKED, '; GCN: S_E', [diagnostic(line, 'x')]), [
      `${REWRITE} Update CHECK lines of this function`,
    ]);
  });

  it('not without commands, and not where one is not run here', () => {
    assert.deepEqual(at(BODY, 'name: f'), []);
    assert.deepEqual(at(PLAIN, '# RUN', [], verdict(run([]), run([], 'unsupported'))), []);
    assert.deepEqual(at(PLAIN, '# RUN', [], verdict(run([]))), [`${REWRITE} Generate CHECK lines for this file`]);
  });

  it('carry what they are about', () => {
    const data = (word: string): unknown[] => {
      const line = CHECKED.slice(0, CHECKED.indexOf(word)).split('\n').length - 1;
      return updateActions(snapshotOf(CHECKED), ...onLine(line)).map((a) => a.data as unknown);
    };
    const about = (name: string | null) => ({ textDocument: { uri: URI }, updateChecks: { function: name } });
    assert.deepEqual(data('# RUN'), [about(null)]);
    assert.deepEqual(data('; GCN: S_E'), [about('f')]);
    assert.deepEqual(data('name: g'), [about('g')]);
  });
});
