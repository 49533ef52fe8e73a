/** Why a function ends as it does, what would help and a sweep, over the protocol: in the second worker, cancelled, and ended by an edit. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-languageserver-protocol';
import type { AppliedLever } from '../../server/src/features/levers/applyLever.js';
import type { EndedText, SweepSettings } from '../../server/src/features/levers/sweepRows.js';
import type { WhyOccupancy } from '../../server/src/features/levers/whyOccupancy.js';
import type { SweepRow } from '../../server/src/program/sweep.js';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///spill.mir';
const TEXT = readFileSync(join(__dirname, '..', '..', 'examples', 'spill.mir'), 'utf8');
const at = { textDocument: { uri: URI }, position: { line: 20, character: 0 } };

describe('what would help, over the protocol', () => {
  let client: TestClient;
  const ask = <T>(method: string, more: object = {}): Promise<T> =>
    client.connection.sendRequest<T>(`amdgpuMir/${method}`, { ...at, ...more });

  beforeEach(async () => {
    client = await TestClient.inMemory({ settings: { model: 'llvm-22' } });
    client.open(URI, TEXT);
  });
  afterEach(() => client.shutdown());

  it('is a report whose first lever takes the spill away', async () => {
    const { text, links } = await ask<WhyOccupancy>('whyOccupancy');
    assert.match(text, /^spill, gfx900, LLVM 22\.1\.8: 10 waves of 10\n/);
    const { change } = links[0]!;
    const { edits, problem } = await ask<AppliedLever>('applyLever', { change });
    assert.equal(problem, '');
    assert.equal(edits?.length, 2);
    const spills = async (more: object): Promise<number> =>
      (await ask<EndedText>('endedText', more)).text!.match(/SI_SPILL/g)?.length ?? 0;
    assert.deepEqual([await spills({}), await spills({ change })], [2, 0]);
  });

  it('is swept a setting at a time', async () => {
    const { settings } = await ask<SweepSettings>('sweepSettings', {
      vary: ['-enable-misched=0', 'attr:amdgpu-waves-per-eu=4,4'],
    });
    const rows: SweepRow[] = [];
    for (const { options, attributes } of settings)
      rows.push(await ask<SweepRow>('sweepRow', { setting: { options, attributes } }));
    assert.deepEqual(
      rows.map((row) => row.outcome?.vgprSpills),
      [1, 1, 0],
    );
  });

  it('ends when it is cancelled, and when the text changes', async () => {
    const source = new CancellationTokenSource();
    const cancelled = client.connection.sendRequest('amdgpuMir/whyOccupancy', at, source.token);
    source.cancel();
    await assert.rejects(cancelled, /cancelled/);
    const outdated = ask('whyOccupancy');
    client.replace(URI, 'S_ENDPGM 0', 'S_ENDPGM 1');
    await assert.rejects(outdated, /changed/);
    assert.match((await ask<WhyOccupancy>('whyOccupancy')).text, /what would help/);
  });
});
