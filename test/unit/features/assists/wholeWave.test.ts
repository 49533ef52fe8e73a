/** Repairs of whole-wave registers: flags and lists of reserved ones, however they are written; the register that keeps EXEC. */
import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode-languageserver-types';
import { wholeWaveActions } from '../../../../server/src/features/assists/wholeWave.js';
import type { FunctionView } from '../../../../server/src/features/snapshot/snapshot.js';
import { openText, URI } from '../../../support/cursor.js';
import { applied, changedLines } from '../../../support/editing.js';
import { describeOffers } from '../../../support/offers.js';

describeOffers('wholeWave');

interface Asked {
  readonly cpu?: string;
  readonly info?: string;
  readonly liveins?: string;
  readonly reads?: string;
  readonly diagnostics?: readonly Diagnostic[];
  readonly from?: number;
  readonly to?: number;
}

const COPY = '    $vgpr1 = WWM_COPY $vgpr0\n';

/** Titles with changed lines; lines are counted from the copy. */
function offered({ cpu = 'gfx900', info = '', liveins = '$vgpr0', reads = '$vgpr1', ...ask }: Asked): string[][] {
  const text = `# RUN: llc -mtriple=amdgcn -mcpu=${cpu} -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\n${info}body: |\n  bb.0:\n    liveins: ${liveins}\n${COPY}    S_NOP 0, implicit ${reads}\n    S_ENDPGM 0\n...\n`;
  const { snapshot } = openText(text);
  const { line } = snapshot.text.positionAt(text.indexOf(COPY));
  const range = {
    start: { line: line + (ask.from ?? 0), character: 4 },
    end: { line: line + (ask.to ?? ask.from ?? 0), character: 4 },
  };
  const list = wholeWaveActions(snapshot, snapshot.functions[0]!, range, { diagnostics: [...(ask.diagnostics ?? [])] });
  return list.map(({ title, edit, kind, isPreferred }) => {
    assert.deepEqual([kind, isPreferred], ['quickfix', true]);
    return [title, ...changedLines(text, applied(snapshot, edit!.changes![URI]!))];
  });
}

const ENTRY = 'machineFunctionInfo:\n  isEntryFunction: true\n';

describe('the register that keeps EXEC beside whole-wave copies', () => {
  const keeps = (reg: string): string[][] => [[`Keep EXEC in ${reg} (sgprForEXECCopy)`, `+ sgprForEXECCopy: '${reg}'`]];

  it('is the highest that the function does not name, a pair in waves of 64', () => {
    assert.deepEqual(offered({ info: ENTRY }), keeps('$sgpr100_sgpr101'));
    assert.deepEqual(offered({ info: ENTRY, cpu: 'gfx1030' }), keeps('$sgpr105'));
    assert.deepEqual(offered({ info: ENTRY, cpu: 'gfx1030 -mattr=+wavefrontsize64' }), keeps('$sgpr104_sgpr105'));
    const one = { info: ENTRY, cpu: 'gfx1030' };
    assert.deepEqual(offered({ ...one, liveins: '$vgpr0, $sgpr105' }), keeps('$sgpr104'));
    assert.deepEqual(offered({ ...one, liveins: '$vgpr0, $sgpr105', reads: 'undef $sgpr104' }), keeps('$sgpr103'));
    assert.deepEqual(offered({ ...one, reads: 'undef $sgpr104_sgpr105' }), keeps('$sgpr103'));
    const two = { info: ENTRY, liveins: '$vgpr0, $sgpr101' };
    assert.deepEqual(offered(two), keeps('$sgpr98_sgpr99'));
  });

  it('is written into the header, however that looks', () => {
    const title = 'Keep EXEC in $sgpr100_sgpr101 (sgprForEXECCopy)';
    const key = "sgprForEXECCopy: '$sgpr100_sgpr101'";
    assert.deepEqual(offered({ info: 'machineFunctionInfo: {}\n' }), [
      [title, '- machineFunctionInfo: {}', `+ machineFunctionInfo: { ${key} }`],
    ]);
    assert.deepEqual(offered({ info: 'machineFunctionInfo: { isEntryFunction: true }\n' }), [
      [
        title,
        '- machineFunctionInfo: { isEntryFunction: true }',
        `+ machineFunctionInfo: { ${key}, isEntryFunction: true }`,
      ],
    ]);
    assert.deepEqual(offered({ info: ENTRY.replace('  is', '     is') }), [[title, `+ ${key}`]]);
    assert.deepEqual(offered({}), [[title, '+ machineFunctionInfo:', `+ ${key}`]]);
  });

  it('is offered on the lines of the copy alone', () => {
    for (const [from, to, n] of [
      [-1, -1, 0],
      [1, 1, 0],
      [-1, 0, 1],
      [0, 1, 1],
      [-1, 1, 1],
      [-3, -1, 0],
    ] as const)
      assert.equal(offered({ info: ENTRY, from, to }).length, n, `${from} ${to}`);
    assert.deepEqual(offered({ info: `${ENTRY}  sgprForEXECCopy: '$sgpr4_sgpr5'\n` }), []);
  });

  it('with the warnings of its line, and none of a function that is not understood', () => {
    const text = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n---\nname: f\n${ENTRY}body: |\n  bb.0:\n${COPY}    S_ENDPGM 0\n...\n`;
    const { snapshot } = openText(text);
    const view = snapshot.functions[0]!;
    const { line } = snapshot.text.positionAt(text.indexOf(COPY));
    const at = (l: number): Diagnostic['range'] => ({
      start: { line: l, character: 4 },
      end: { line: l, character: 9 },
    });
    const own = { range: at(line), message: '', code: 'wwm-no-exec-copy' };
    const others = [
      { ...own, code: 'other' },
      { ...own, range: at(line + 1) },
    ];
    const ask = (diagnostics: Diagnostic[], of = view): unknown[] =>
      wholeWaveActions(snapshot, of, at(line), { diagnostics }).map((a) => a.diagnostics ?? null);
    assert.deepEqual(ask([...others, own]), [[own]]);
    assert.deepEqual(ask(others), [null]);
    assert.deepEqual(ask([own], Object.create(view, { fn: { value: null } }) as FunctionView), []);
  });
});
