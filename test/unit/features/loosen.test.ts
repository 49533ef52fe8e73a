/** CHECK lines made looser: registers as variables and patterns, by the line and by those before it. */
import assert from 'node:assert/strict';
import { CodeActionTriggerKind, type Diagnostic } from 'vscode-languageserver-types';
import { lineActions } from '../../../server/src/features/checks/lineActions.js';
import { atCursor, URI } from '../../support/cursor.js';

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s\n';
const textOf = (lines: string): string =>
  `${RUN}---\nname: f\nbody: |\n  bb.0:\n    ; CHECK-LABEL: name: f\n${lines}    S_ENDPGM 0\n...\n`;

/** Titles, and what the line is then; `failed`: with a finding of FileCheck at so many lines after it. */
function actions(
  line: string,
  before = '',
  failed?: number,
): { title: string; kind: string; line: string; told: number }[] {
  const { snapshot, position, text } = atCursor(textOf(`${before}    ; $0${line}\n`));
  const at = { line: position.line + (failed ?? 0), character: 4 };
  const finding: Diagnostic = { range: { start: at, end: at }, message: 'x', code: 'check-failed' };
  const context = { diagnostics: failed === undefined ? [] : [finding], triggerKind: CodeActionTriggerKind.Invoked };
  return lineActions(snapshot, { start: position, end: position }, context).map(
    ({ title, kind, edit, diagnostics }) => {
      let result = text;
      for (const { range, newText } of [...edit!.changes![URI]!].reverse())
        result =
          result.slice(0, snapshot.text.offsetAt(range.start)) +
          newText +
          result.slice(snapshot.text.offsetAt(range.end));
      return {
        title,
        kind: kind!,
        line: result.split('\n')[position.line]!.replace('    ; ', ''),
        told: diagnostics?.length ?? 0,
      };
    },
  );
}

const loosened = (line: string, before = ''): string =>
  actions(`CHECK: ${line}`, before)
    .find((a) => a.title.startsWith('Loosen'))
    ?.line.slice('CHECK: '.length) ?? '-';

describe('a looser CHECK line', () => {
  it('has variables for virtual registers, the same for the same, and patterns for physical ones', () => {
    const N = '%[0-9]+';
    const table: readonly (readonly [string, string])[] = [
      ['%0:vgpr_32 = COPY $vgpr0', `[[R0:${N}]]:vgpr_32 = COPY {{\\$vgpr[0-9a-z_]+}}`],
      ['%12 = V_ADD %1, %12, %1', `[[R12:${N}]] = V_ADD [[R1:${N}]], [[R12]], [[R1]]`],
      ['$sgpr4_sgpr5 = X $agpr0_agpr1_agpr2', '{{\\$sgpr[0-9a-z_]+}} = X {{\\$agpr[0-9a-z_]+}}'],
      ['$vgpr0_lo16 = X $vgpr1_hi16', '{{\\$vgpr[0-9a-z_]+}} = X {{\\$vgpr[0-9a-z_]+}}'],
      ['X implicit $exec, $vcc', '-'],
      ['X [[A]], {{%[0-9]+}}, %stack.0, %ir.p, %named, %5.sub0', '-'],
      ['X [[A]], %5', `X [[A]], [[R5:${N}]]`],
      ['X [[R5:x]], %5', `X [[R5:x]], [[R5_:${N}]]`],
      ['X a%5 %%6', '-'],
      ['X', '-'],
    ];
    for (const [line, wanted] of table) assert.equal(loosened(line), wanted, line);
    assert.equal(loosened('X %5', '    ; CHECK: [[R5:y]] [[R5_]]\n'), `X [[R5__:${N}]]`, 'names of the file are taken');
  });

  it('may stand in any order', () => {
    const titles = (line: string): string[] => actions(line).map((a) => a.title);
    assert.deepEqual(titles('CHECK: X %5'), ['Loosen this line: any register', 'Make it CHECK-DAG']);
    assert.deepEqual(titles('CHECK-NEXT: X'), ['Make it CHECK-DAG']);
    assert.deepEqual(titles('CHECK-SAME: X %5'), ['Loosen this line: any register']);
    for (const suffix of ['-NOT', '-DAG', '-EMPTY', '-COUNT-2'])
      assert.deepEqual(titles(`CHECK${suffix}: X`), [], suffix);
    assert.deepEqual(titles('CHECK{LITERAL}: X %5'), []);
    assert.deepEqual(titles('OTHER: X %5'), []);
    assert.equal(actions('CHECK-NEXT: X')[0]!.line, 'CHECK-DAG: X');
    assert.equal(actions('CHECK:X')[0]!.line, 'CHECK-DAG:X');
  });

  it('is a quick fix where it fails, else a rewrite', () => {
    const kinds = (failed?: number): string[] => actions('CHECK: X %5', '', failed).map((a) => `${a.kind} ${a.told}`);
    assert.deepEqual(kinds(), ['refactor.rewrite 0', 'refactor.rewrite 0']);
    assert.deepEqual(kinds(0), ['quickfix 1', 'quickfix 1']);
    assert.deepEqual(kinds(1), ['refactor.rewrite 0', 'refactor.rewrite 0'], 'a finding of another line');
  });
});
