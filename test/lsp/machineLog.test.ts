/** A log of machine dumps in an editor: outline, grey dumps, lenses, dumps as MIR; recognized by what is in it. */
import assert from 'node:assert/strict';
import type { CodeLens, DocumentSymbol, FoldingRange } from 'vscode-languageserver-types';
import { isMachineLog } from '../../server/src/features/machineLog/logDocument.js';
import type { LogGraph } from '../../server/src/features/machineLog/logGraphData.js';
import type { DumpPair, DumpText } from '../../server/src/features/machineLog/logFeatures.js';
import { expect } from '../support/expect.js';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///folder/run.log';

/** Three passes on a function, of which the second changes nothing. */
const dumpOf = (pass: string, lines: readonly string[], name = 'f'): string =>
  `# *** IR Dump After A Pass (${pass}) ***:
# Machine code for function ${name}: NoPHIs, TracksLiveness

0B\tbb.0:
${lines.map((line, k) => `${16 * (k + 1)}B\t  ${line}\n`).join('')}
# End machine code for function ${name}.

`;
const [ONE, TWO] = ['%1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec', '%2:vgpr_32 = V_MOV_B32_e32 2, implicit $exec'];
const REST = ['S_NOP 0, implicit %1:vgpr_32, implicit %2:vgpr_32', 'S_ENDPGM 0'];
const LOG = `+ llc -mcpu=gfx942
${dumpOf('machine-scheduler', [ONE!, TWO!, ...REST])}${dumpOf('si-wqm', [ONE!, TWO!, ...REST])}${dumpOf('greedy', [TWO!, ONE!, ...REST])}`;

describe('a log of machine dumps, over the protocol', () => {
  let client!: TestClient;
  beforeEach(async () => {
    client = await TestClient.inMemory({});
  });
  afterEach(async () => {
    await client.shutdown();
  });
  const inDocument = { textDocument: { uri: URI } };
  const at = (line: number): object => ({ ...inDocument, position: { line, character: 0 } });
  const symbols = async (): Promise<string> => {
    const [top, ...others] = await client.ask<DocumentSymbol[]>('textDocument/documentSymbol', inDocument);
    assert.deepEqual(others, []);
    const rows = top!.children!.map((s) => `${s.range.start.line} to ${s.range.end.line}: ${s.name} | ${s.detail}`);
    return [top!.name, ...rows].join('\n');
  };

  it('has a graph of registers and instructions over the passes of a function', async () => {
    client.open(URI, LOG + dumpOf('greedy', [ONE!, ...REST.slice(1)], 'g'));
    const graph = await client.ask<LogGraph>('amdgpuMir/logGraph', at(12));
    expect`
      f: 3 dumps, gfx942
      pass                     instructions  VGPR  SGPR  AGPR  waves
      after machine-scheduler             4     2     0     0      8
      after greedy                        4     2     0     0      8

    `.equals(graph.text);
    assert.deepEqual(
      graph.points.map(({ line, lastLine, isChanged, vgpr }) => [line, lastLine, isChanged, vgpr]),
      [
        [1, 10, true, 2],
        [12, 21, false, 2],
        [23, 32, true, 2],
      ],
    );
    assert.equal((await client.ask<LogGraph>('amdgpuMir/logGraph', at(40))).function, 'g');
    client.open('file:///folder/no.mir', 'name: f\n');
    const none = await client.ask<LogGraph>('amdgpuMir/logGraph', {
      textDocument: { uri: 'file:///folder/no.mir' },
      position: { line: 0, character: 0 },
    });
    assert.deepEqual([none.problem, none.points], ['the document is no log of machine dumps', []]);
  });

  it('has an outline by pass, folds, and lenses', async () => {
    client.open(URI, LOG);
    expect`
      log of 3 machine passes, 1 function, gfx942
      1 to 10: after machine-scheduler | f: 4 instructions, VGPR 2, SGPR 0, 8 waves
      12 to 21: after si-wqm | f: unchanged
      23 to 32: after greedy | f: 4 instructions, VGPR 2, SGPR 0, 8 waves
    `.equals(await symbols());
    const folds = await client.ask<FoldingRange[]>('textDocument/foldingRange', inDocument);
    assert.deepEqual(
      folds.map(({ startLine, endLine }) => [startLine, endLine]),
      [
        [1, 10],
        [12, 21],
        [23, 32],
      ],
    );
    const lenses = await client.ask<CodeLens[]>('textDocument/codeLens', inDocument);
    expect`
      1: after machine-scheduler: 4 instructions, VGPR 2, SGPR 0, 8 waves -> amdgpu-mir.openDumpAsMir
      1: open as MIR -> amdgpu-mir.openDumpAsMir
      12: unchanged -> amdgpu-mir.openDumpAsMir
      23: after greedy: 4 instructions, VGPR 2, SGPR 0, 8 waves -> amdgpu-mir.openDumpAsMir
      23: open as MIR -> amdgpu-mir.openDumpAsMir
      23: compare with previous pass -> amdgpu-mir.compareDump
    `.equals(
      lenses.map(({ range, command }) => `${range.start.line}: ${command!.title} -> ${command!.command}`).join('\n'),
    );
    assert.deepEqual(lenses[0]!.command!.arguments, [URI, 1]);
  });

  it('shows what a pass left as it was in grey, and no error', async () => {
    client.open(URI, LOG);
    const diagnostics = await client.diagnostics(URI);
    assert.deepEqual(
      diagnostics.map(({ range, tags, severity, code }) => [range.start.line, range.end.line, tags, severity, code]),
      [[12, 21, [1], 4, 'unchanged-dump']],
    );
  });

  it('gives a dump as MIR, and the one before it', async () => {
    client.open(URI, LOG);
    const { title, text } = await client.ask<DumpText>('amdgpuMir/logDump', at(30));
    assert.equal(title, 'f after greedy');
    assert.match(text!, /^# RUN: llc -mcpu=gfx942 -run-pass=none -o - %s\n# \*\*\* IR Dump After A Pass \(greedy\)/);
    const pair = await client.ask<DumpPair>('amdgpuMir/logPair', at(23));
    assert.deepEqual([pair.title, pair.beforeTitle], ['f after greedy', 'f after si-wqm']);
    assert.equal(pair.text, text);
    assert.notEqual(pair.before, text);
    assert.match((await client.ask<DumpPair>('amdgpuMir/logPair', at(1))).problem, /^f has no dump before this one/);
    assert.match((await client.ask<DumpText>('amdgpuMir/logDump', at(0))).problem, /^there is no machine function/);
    assert.equal(await client.ask('textDocument/hover', at(5)), null);
  });

  it('is answered elsewhere when it is long', async () => {
    const many = Array.from(
      { length: 1200 },
      (_, k) => `%${k + 3}:vgpr_32 = V_ADD_U32_e32 ${k}, %1:vgpr_32, implicit $exec`,
    );
    const text =
      LOG + [0, 1, 2].map((k) => dumpOf(`pass-${k}`, [ONE!, ...many.slice(k), 'S_ENDPGM 0'], 'long')).join('');
    client.open(URI, text);
    const [top] = await client.ask<DocumentSymbol[]>('textDocument/documentSymbol', inDocument);
    assert.deepEqual(
      top!.children!.slice(3).map(({ detail }) => detail!.replace(/, VGPR.*/, '')),
      ['long: 1202 instructions', 'long: 1201 instructions', 'long: 1200 instructions'],
    );
  });

  it('follows edits, and becomes MIR where it is that', async () => {
    client.open(URI, LOG);
    await symbols();
    const start = LOG.indexOf('# *** IR Dump After A Pass (si-wqm)');
    client.edit(URI, start, LOG.indexOf('# *** IR Dump After A Pass (greedy)'), '');
    assert.equal((await symbols()).split('\n').length, 3);
    client.edit(URI, 0, client.text(URI).length, '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n');
    const [first] = await client.ask<DocumentSymbol[]>('textDocument/documentSymbol', inDocument);
    assert.equal(first!.name, 'f');
    const none = await client.ask<DumpText>('amdgpuMir/logDump', at(1));
    assert.equal(none.problem, 'the document is no log of machine dumps');
  });

  it('is known by a machine function before any MIR', () => {
    assert.ok(isMachineLog(LOG));
    assert.ok(isMachineLog(`12:00 | ${LOG.slice(LOG.indexOf('# Machine'))}`));
    assert.ok(isMachineLog(`${LOG}---\nname: f\n`));
    assert.ok(!isMachineLog(`---\nname: f\n...\n${LOG}`));
    assert.ok(!isMachineLog('# CHECK: # Machine code for function f: IsSSA\n---\nname: f\n'));
    assert.ok(!isMachineLog(''));
  });
});
